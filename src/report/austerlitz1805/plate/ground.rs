//! Heights, woods, water, roads, villages, works; the border from which places are read off.

use super::{Plate, fine, point};
use crate::ink::{self, Point};
use crate::map::draw::plate::palette;
use crate::plane::shape::Shape;
use crate::plane::{Fine, Spot};
use crate::rules::austerlitz1805::board::{Area, Soil, Way};

/// From hachure to hachure, and how long one is, in tenths of a pixel and at least in units.
const HACHURE: ((i32, i32), (i32, i32)) = ((26, 60), (60, 190));
/// From tree to tree, in the same way.
const TREES: (i32, i32) = (80, 260);

/// The corners of a shape, closed and rounded, with the shape on the right as one goes.
fn outline(shape: &Shape, cuts: u32) -> Vec<Point> {
    let mut corners: Vec<Point> = shape.corners().iter().map(|c| fine(*c)).collect();
    // Counter-clockwise with north up is the same on a sheet; the other way round it has the shape on its right.
    corners.reverse();
    corners.extend(corners.first().copied());
    ink::rounded(&corners, cuts)
}

/// The corners of the upright rectangle round a shape.
fn bounds(shape: &Shape) -> (Spot, Spot) {
    let all: Vec<Spot> = shape.corners().iter().map(|c| c.spot()).collect();
    let least = |part: fn(&Spot) -> i32| all.iter().map(part).min().unwrap_or(0);
    let most = |part: fn(&Spot) -> i32| all.iter().map(part).max().unwrap_or(0);
    (Spot::new(least(|s| s.x), least(|s| s.y)), Spot::new(most(|s| s.x), most(|s| s.y)))
}

fn back((x, y): Point) -> Fine {
    Spot::new(x, -y).fine()
}

impl Plate<'_> {
    pub(super) fn country(&mut self) {
        let (low, high) = self.rect;
        self.svg.rect((low.x, -high.y), (high.x - low.x, high.y - low.y), &[("fill", palette::PAPER)]);
        self.grid();
        let ground = &self.v.table.board.ground;
        let near: Vec<&Shape> = ground.hills.iter().filter(|hill| self.near_sheet(hill)).collect();
        let hills: Vec<Vec<Point>> = near.iter().map(|hill| outline(hill, 3)).collect();
        self.svg.fill(&hills, palette::HILL, &[]);
        self.hachures(&near, &hills);
        self.crests();
        self.woods();
        self.streams();
        self.ponds();
        self.roads();
        self.villages();
    }

    /// Whether a shape lies on the sheet or close by.
    fn near_sheet(&self, shape: &Shape) -> bool {
        let ((low, high), (a, b)) = (self.rect, bounds(shape));
        a.x < high.x + 1000 && b.x > low.x - 1000 && a.y < high.y + 1000 && b.y > low.y - 1000
    }

    /// So many tenths of a pixel, and at least so many units.
    fn least(&self, (tenths, units): (i32, i32)) -> i32 {
        self.pen(tenths).max(units)
    }

    fn grid(&mut self) {
        let (low, high) = self.rect;
        let step = if self.near { 1000 } else { 2000 };
        let first = |from: i32| from.div_euclid(step) * step + step;
        let steps = |from: i32, to: i32| (0..).map(move |k| first(from) + k * step).take_while(move |at| *at < to);
        let mut lines: Vec<Vec<Point>> = steps(low.x, high.x).map(|x| vec![(x, -high.y), (x, -low.y)]).collect();
        lines.extend(steps(low.y, high.y).map(|y| vec![(low.x, -y), (high.x, -y)]));
        self.stroke(&lines, palette::SHADE, 5, &[("stroke-opacity", "0.25")]);
    }

    /// Strokes down the slopes all round, heavier away from the light in the north-west.
    fn hachures(&mut self, hills: &[&Shape], outlines: &[Vec<Point>]) {
        let (step, long) = (self.least(HACHURE.0), self.least(HACHURE.1));
        let (mut light, mut shade) = (Vec::new(), Vec::new());
        for (n, line) in outlines.iter().enumerate() {
            for (k, (at, way)) in (0..).zip(ink::walk(line, step)) {
                let key = (at.0, at.1, k);
                let far = long * (60 + ink::scatter(key, 70)) / 100;
                let lean = far * (ink::scatter((key.1, key.0, k), 40) - 20) / 100;
                let tip = ink::aside(at, way, far, lean);
                let below = back(ink::aside(at, way, 120, 0));
                if hills.iter().enumerate().any(|(other, hill)| other != n && hill.holds(below)) {
                    continue;
                }
                let dark = (tip.0 - at.0) + (tip.1 - at.1) > 0;
                if dark { shade.push(vec![at, tip]) } else { light.push(vec![at, tip]) }
            }
        }
        self.stroke(&light, palette::HACHURE, 6, &[]);
        self.stroke(&shade, palette::SHADE, 9, &[]);
    }

    /// Edges of heights: close strokes across a line.
    fn crests(&mut self) {
        let (step, long) = (self.least((30, 70)), self.least((40, 120)));
        let mut lines = Vec::new();
        for course in self.v.table.board.ground.ways(Way::Crest) {
            let line: Vec<Point> = ink::rounded(&course.spots.iter().map(|s| point(*s)).collect::<Vec<_>>(), 2);
            let across = |(at, way)| vec![ink::aside(at, way, -long / 2, 0), ink::aside(at, way, long / 2, 0)];
            lines.extend(ink::walk(&line, step).into_iter().map(across));
            lines.push(line);
        }
        self.stroke(&lines, palette::SHADE, 11, &[]);
    }

    fn soils(&self, soil: Soil) -> Vec<&'_ Area> {
        self.v.table.board.ground.soils(soil).filter(|area| self.near_sheet(&area.shape)).collect()
    }

    fn woods(&mut self) {
        let step = self.least(TREES);
        let tall = self.least((26, 80));
        let (mut floors, mut crowns, mut feet) = (Vec::new(), Vec::new(), Vec::new());
        for wood in self.soils(Soil::Woods) {
            floors.push(outline(&wood.shape, 2));
            let (low, high) = bounds(&wood.shape);
            for (r, y) in (0..).map(|r| (r, low.y + r * step * 4 / 5)).take_while(|(_, y)| *y < high.y) {
                let row = (0..).map(|n| low.x + n * step + (r % 2) * step / 2).take_while(|x| *x < high.x);
                for x in row {
                    let by = |k: i32| ink::scatter((x, y, k), step * 3 / 5) - step * 3 / 10;
                    let at = Spot::new(x + by(1), y + by(2));
                    if !wood.shape.holds(at.fine()) || !self.shows(at) {
                        continue;
                    }
                    let (px, py) = point(at);
                    let crown = [(-10, 0), (-9, -7), (-3, -12), (4, -12), (9, -7), (10, 0), (-10, 0)];
                    crowns.push(crown.map(|(a, b)| (px + a * tall / 10, py + b * tall / 10)).to_vec());
                    feet.push(vec![(px - tall / 2, py + tall / 3), (px + tall / 3, py + tall / 3)]);
                }
            }
        }
        self.svg.fill(&floors, palette::WOOD, &[]);
        self.stroke(&crowns, palette::TREE, 8, &[("fill", palette::WOOD)]);
        self.stroke(&feet, palette::TREE, 10, &[]);
    }

    fn courses(&self, way: Way, cuts: u32) -> Vec<Vec<Point>> {
        let all = self.v.table.board.ground.ways(way);
        all.map(|c| ink::rounded(&c.spots.iter().map(|s| point(*s)).collect::<Vec<_>>(), cuts)).collect()
    }

    fn streams(&mut self) {
        let lines = self.courses(Way::Stream, 3);
        self.stroke(&lines, palette::BANK, if self.near { 44 } else { 28 }, &[]);
        self.stroke(&lines, palette::WATER, if self.near { 24 } else { 13 }, &[]);
    }

    fn roads(&mut self) {
        let lines = self.courses(Way::Road, 2);
        self.stroke(&lines, palette::TRACK, if self.near { 34 } else { 25 }, &[]);
        self.stroke(&lines, palette::ROADBED, if self.near { 20 } else { 13 }, &[]);
    }

    fn ponds(&mut self) {
        let (mut shores, mut ripples) = (Vec::new(), Vec::new());
        let step = self.least((40, 170));
        for pond in self.soils(Soil::Pond) {
            shores.push(outline(&pond.shape, 2));
            let (low, high) = bounds(&pond.shape);
            for y in (1..).map(|k| low.y + k * step).take_while(|y| *y < high.y - step / 3) {
                let inside = |x: &i32| pond.shape.holds(Spot::new(*x, y).fine());
                let xs: Vec<i32> = (0..).map(|k| low.x + k * 40).take_while(|x| *x <= high.x).filter(inside).collect();
                if let (Some(first), Some(last)) = (xs.get(3), xs.iter().rev().nth(3)) {
                    ripples.push(vec![(*first, -y), (*last, -y)]);
                }
            }
        }
        let bank = self.pen(11).to_string();
        self.svg.fill(&shores, palette::WATER, &[("stroke", palette::BANK), ("stroke-width", &bank)]);
        self.stroke(&ripples, palette::BANK, 6, &[]);
    }

    /// Houses thrown round the middle of a village; a star for a work.
    fn villages(&mut self) {
        const WAYS: [Point; 8] = [(10, 0), (7, 7), (0, 10), (-7, 7), (-10, 0), (-7, -7), (0, -10), (7, -7)];
        const TURNS: [Point; 5] = [(10, 0), (9, 4), (7, 7), (4, 9), (8, -6)];
        let mut houses = Vec::new();
        let side = self.least((22, 70));
        for village in self.soils(Soil::Settlement) {
            let (low, high) = bounds(&village.shape);
            let (x, y) = point(Spot::new((low.x + high.x) / 2, (low.y + high.y) / 2));
            let ring = ((high.x - low.x) / 2).max(self.pen(60));
            houses.push(square((x, y), (side, 0)));
            for (k, way) in (0..).zip(WAYS) {
                let far = ring * (55 + ink::scatter((x, y, k), 40)) / 100;
                let turn = usize::try_from(ink::scatter((y, x, k), 4)).ok().and_then(|n| TURNS.get(n));
                let turn = turn.copied().unwrap_or((10, 0));
                houses.push(square(
                    (x + way.0 * far / 10, y + way.1 * far / 10),
                    (turn.0 * side / 14, turn.1 * side / 14),
                ));
            }
        }
        let line = self.pen(4).to_string();
        self.svg.fill(&houses, palette::TOWN, &[("stroke", palette::INK), ("stroke-width", &line)]);
        let mut stars = Vec::new();
        for work in self.soils(Soil::Fortification) {
            let (low, high) = bounds(&work.shape);
            let (x, y) = point(Spot::new((low.x + high.x) / 2, (low.y + high.y) / 2));
            let r = ((high.x - low.x) / 2).max(self.pen(70));
            let next = WAYS.into_iter().cycle().skip(1);
            let both = WAYS.into_iter().zip(next);
            let ray = both.flat_map(|((a, b), (c, d))| [(13 * a, 13 * b), (4 * (a + c), 4 * (b + d))]);
            stars.push(ray.map(|(a, b)| (x + a * r / 100, y + b * r / 100)).collect());
        }
        let line = self.pen(8).to_string();
        self.svg.fill(&stars, palette::TOWN, &[("stroke", palette::PAPER), ("stroke-width", &line)]);
    }

    /// The border, ruled in movement markers, so that places can be read off.
    pub(super) fn border(&mut self) {
        let ((low, high), edge) = (self.rect, self.pen(super::BORDER));
        let (wide, tall) = (high.x - low.x, high.y - low.y);
        let corner = (low.x, -high.y);
        for (at, size) in [
            (corner, (wide, edge)),
            ((corner.0, -low.y - edge), (wide, edge)),
            (corner, (edge, tall)),
            ((high.x - edge, corner.1), (edge, tall)),
        ] {
            self.svg.rect(at, size, &[("fill", palette::MARGIN)]);
        }
        let line = self.pen(8).to_string();
        let (inner, size) = self.inner();
        self.svg.rect(inner, size, &[("fill", "none"), ("stroke", palette::INK), ("stroke-width", &line)]);
        let (step, size) = (if self.near { 1000 } else { 2000 }, self.letter(94));
        let within = |at: i32, from: i32, to: i32| at > from + 2 * edge && at < to - 2 * edge;
        for k in low.x.div_euclid(step)..=high.x.div_euclid(step) {
            let x = k * step;
            if within(x, low.x, high.x) {
                let said = (x / 1000).to_string();
                self.svg.lettering((x, corner.1 + edge * 3 / 4), &said, palette::INK, size);
                self.svg.lettering((x, -low.y - edge / 4), &said, palette::INK, size);
            }
        }
        for k in low.y.div_euclid(step)..=high.y.div_euclid(step) {
            let y = k * step;
            if within(y, low.y, high.y) {
                let said = (y / 1000).to_string();
                self.svg.lettering((low.x + edge / 2, size / 3 - y), &said, palette::INK, size);
                self.svg.lettering((high.x - edge / 2, size / 3 - y), &said, palette::INK, size);
            }
        }
    }
}

/// A square round a point, by half of one of its sides.
fn square((x, y): Point, (a, b): Point) -> Vec<Point> {
    vec![(x + a - b, y + a + b), (x - a - b, y + a - b), (x - a + b, y - a - b), (x + a + b, y - a + b)]
}
