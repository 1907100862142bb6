//! The ground of a field of hexes: levels, what grows and stands on them, water, roads, printed lines.

use super::{Plate, Soil};
use crate::hex::{Dir, Hex, Hexside};
use crate::ink::{self, Point, Svg};
use crate::map::draw::plate::geometry::{centre, edge, ends, hex_at, middle, toward};
use crate::map::draw::plate::palette;
use std::collections::BTreeSet;

/// Tints of the levels above nought.
const LEVELS: [&str; 3] = [palette::HILL, palette::MOUNTAIN, palette::PEAK];
/// From hachure to hachure, and how long one is, in tenths of a pixel, near and far.
const HACHURE: ((i32, i32), (i32, i32)) = ((24, 52), (30, 38));
/// How printed lines are dashed, one after the other.
const DASHES: [&str; 3] = ["80 30", "26 26", "80 24 14 24"];

impl Plate<'_> {
    /// The ground, which is the same in each drawing of the same part of a field.
    pub(super) fn country(&mut self) {
        let (field, w) = (self.scene.field, self.window);
        // Corner, size and pens of a drawing follow from these.
        let drawn = (w.first, w.columns, w.rows, self.near, self.ids);
        let asked = (drawn, self.scene.streams.clone(), self.scene.works.clone());
        let ground = field.drawings.answer(
            |known| *known == asked,
            || {
                let sheet = std::mem::replace(&mut self.svg, Svg::blank());
                self.ground();
                (asked.clone(), std::mem::replace(&mut self.svg, sheet).elements())
            },
        );
        self.svg.put(&ground);
    }

    fn ground(&mut self) {
        let (corner, size) = (self.corner, self.size);
        self.svg.rect(corner, size, &[("fill", palette::PAPER)]);
        for (level, tint) in (1..).zip(LEVELS) {
            self.region(tint, &[], |plate, hex| plate.level(hex) >= level);
        }
        self.region(palette::VINES, &[], |plate, hex| plate.soil(hex) == Soil::Vines);
        self.region(palette::WOOD, &[], |plate, hex| plate.soil(hex) == Soil::Woods);
        for level in 1..=3 {
            self.hachures(level);
        }
        let bank = self.pen(14).to_string();
        self.region(palette::MARGIN, &[], |plate, hex| plate.soil(hex) == Soil::Off);
        let banks = [("stroke", palette::BANK), ("stroke-width", bank.as_str())];
        self.region(palette::WATER, &banks, |plate, hex| plate.soil(hex) == Soil::Water);
        self.growth();
        self.grid();
        self.crests();
        self.streams();
        self.roads();
        self.printed();
        self.houses();
        self.works();
    }

    /// A hex of the field: beyond its border, the nearest within.
    fn on(&self, hex: Hex) -> Hex {
        Hex::new(hex.col.clamp(1, self.last.col), hex.row.clamp(1, self.last.row))
    }

    fn level(&self, hex: Hex) -> i8 {
        self.scene.field.level(self.on(hex))
    }

    pub(super) fn soil(&self, hex: Hex) -> Soil {
        self.scene.field.ground(self.on(hex)).map_or(Soil::Off, self.scene.soil)
    }

    /// The hexes of the window and two rings round them, so that lines run out of the picture.
    fn around(&self) -> Vec<Hex> {
        let w = self.window;
        let columns = w.first.col - 2..w.first.col + w.columns + 2;
        columns.flat_map(|col| (w.first.row - 2..w.first.row + w.rows + 2).map(move |row| Hex::new(col, row))).collect()
    }

    /// The borders of the hexes of a kind, each with those hexes on its right.
    fn borders(&self, is: impl Fn(&Self, Hex) -> bool) -> Vec<Vec<Point>> {
        let inside: BTreeSet<Hex> = self.around().into_iter().filter(|hex| is(self, *hex)).collect();
        let sides = inside.iter().flat_map(|hex| Dir::ALL.map(|dir| (*hex, dir)));
        let edges: Vec<(Point, Point)> = sides
            .filter(|(hex, dir)| !inside.contains(&hex.neighbour(*dir)))
            .map(|(hex, dir)| edge(hex, dir))
            .collect();
        ink::loops(&edges).iter().map(|line| ink::rounded(line, 2)).collect()
    }

    /// The hexes of a kind as one surface with round edges.
    fn region(&mut self, fill: &str, more: &[(&str, &str)], is: impl Fn(&Self, Hex) -> bool) {
        let lines = self.borders(is);
        let mut all = vec![("fill-rule", "evenodd")];
        all.extend_from_slice(more);
        self.svg.fill(&lines, fill, &all);
    }

    fn seen(&self, (x, y): Point) -> bool {
        let (left, top) = self.corner;
        (left..left + self.size.0).contains(&x) && (top..top + self.size.1).contains(&y)
    }

    /// Short strokes down the slopes below a level, heavier away from the light in the north-west.
    fn hachures(&mut self, level: i8) {
        let (step, long) = if self.near { HACHURE.0 } else { HACHURE.1 };
        let (step, long) = (self.pen(step), self.pen(long));
        let (mut light, mut shade) = (Vec::new(), Vec::new());
        for line in self.borders(|plate, hex| plate.level(hex) >= level) {
            for (k, (at, way)) in (0..).zip(ink::walk(&line, step)) {
                let key = (at.0, at.1, k);
                let far = long * (65 + ink::scatter(key, 70)) / 100;
                let lean = far * (ink::scatter((key.1, key.0, k), 50) - 25) / 100;
                let tip = ink::aside(at, way, far, lean);
                let below = ink::aside(at, way, 60, 0);
                if !self.seen(at) || self.level(hex_at(below)) >= level {
                    continue;
                }
                let dark = (tip.0 - at.0) + (tip.1 - at.1) > 0;
                if dark { shade.push(vec![at, tip]) } else { light.push(vec![at, tip]) }
            }
        }
        self.stroke(&light, palette::HACHURE, 6, &[]);
        self.stroke(&shade, palette::SHADE, 8, &[]);
    }

    /// Vines in rows, trees and reeds where a number thrown from the hex puts them.
    fn growth(&mut self) {
        let (mut vines, mut trees, mut reeds) = (Vec::new(), Vec::new(), Vec::new());
        let tall = if self.near { 34 } else { 44 };
        for hex in self.hexes() {
            let (x, y) = centre(hex);
            let (col, row) = (i32::from(hex.col), i32::from(hex.row));
            let thrown =
                |k: i32| (x - 100 + ink::scatter((col, row, k), 200), y - 110 + ink::scatter((row, col, k + 50), 220));
            match self.soil(hex) {
                Soil::Vines => {
                    let (rows, each) = if self.near { (3, 4) } else { (2, 3) };
                    for (r, n) in (0..rows).flat_map(|r| (0..each).map(move |n| (r, n))) {
                        let at = (x - 96 + 192 * n / (each - 1) + 14 * (r % 2), y - 66 + 150 * r / (rows - 1));
                        vines.push(vec![at, (at.0, at.1 - tall)]);
                        let half = tall * 2 / 5;
                        vines.push(vec![
                            (at.0 - half, at.1 - tall / 2),
                            (at.0, at.1 - tall),
                            (at.0 + half, at.1 - tall / 2),
                        ]);
                    }
                }
                Soil::Woods => {
                    for at in (0..if self.near { 9 } else { 5 }).map(thrown) {
                        let crown = [(0, 0), (tall / 4, -tall / 2), (tall * 3 / 4, -tall / 2), (tall, 0), (0, 0)];
                        trees.push(ink::rounded(&crown.map(|d| (at.0 + d.0, at.1 + d.1)), u32::from(self.near)));
                    }
                }
                Soil::Marsh => {
                    let at = (0..if self.near { 7 } else { 4 }).map(thrown);
                    reeds.extend(at.map(|at| vec![at, (at.0 + 2 * tall, at.1)]));
                }
                Soil::Open | Soil::Town | Soil::Walled | Soil::Water | Soil::Off => {}
            }
        }
        self.stroke(&vines, palette::TREE, 6, &[]);
        self.stroke(&trees, palette::TREE, 6, &[("fill", palette::WOOD)]);
        self.stroke(&reeds, palette::BANK, 6, &[]);
    }

    /// The lines between hexes on which somebody may stand.
    fn grid(&mut self) {
        let mut edges = Vec::new();
        for hex in self.hexes().into_iter().filter(|hex| self.soil(*hex) != Soil::Off) {
            for dir in Dir::ALL {
                let (a, b) = edge(hex, dir);
                edges.push((a.min(b), a.max(b)));
            }
        }
        let lines = ink::chains(&edges);
        let clear = if self.near { "0.55" } else { "0.4" };
        self.stroke(&lines, palette::SHADE, 5, &[("stroke-opacity", clear)]);
    }

    /// Hexsides that lie higher than what is beside them: a line with teeth on either side.
    fn crests(&mut self) {
        let sides: Vec<Hexside> = self.scene.field.heights.keys().copied().filter(|side| self.touches(*side)).collect();
        for side in sides {
            let (a, b) = ends(side);
            let (one, other) = side.hexes();
            let mut lines = vec![vec![a, b]];
            for (at, hex) in [20, 40, 60, 80].into_iter().flat_map(|at| [(at, one), (at, other)]) {
                let foot = toward(a, b, at);
                lines.push(vec![foot, toward(foot, centre(hex), 22)]);
            }
            self.stroke(&lines, palette::SHADE, 11, &[("data-crest", &side.to_string())]);
        }
    }

    fn touches(&self, side: Hexside) -> bool {
        let (a, b) = side.hexes();
        self.shows(a) || self.shows(b)
    }

    fn streams(&mut self) {
        let shown: Vec<Hexside> = self.scene.streams.iter().copied().filter(|side| self.touches(*side)).collect();
        for side in &shown {
            // The line itself is drawn once for all; each hexside says where it runs.
            self.svg.element("g", &[("data-stream", &side.to_string())]);
        }
        let edges: Vec<(Point, Point)> = shown.iter().map(|side| ends(*side)).collect();
        let lines: Vec<Vec<Point>> = ink::chains(&edges).iter().map(|line| ink::rounded(line, 3)).collect();
        self.stroke(&lines, palette::BANK, 26, &[]);
        self.stroke(&lines, palette::WATER, 12, &[]);
    }

    fn roads(&mut self) {
        let mut walls = Vec::new();
        for hex in self.hexes().into_iter().filter(|hex| self.soil(*hex) == Soil::Walled) {
            let here = Dir::ALL.into_iter().filter(|dir| self.scene.field.joined(hex, hex.neighbour(*dir)));
            walls.extend(here.map(|dir| {
                let (a, b) = edge(hex, dir);
                vec![centre(hex), middle(a, b)]
            }));
        }
        self.stroke(&walls, palette::SHADE, 74, &[("stroke-linecap", "butt")]);
        self.stroke(&walls, palette::PAPER, 50, &[("stroke-linecap", "butt")]);
        let near = |hex: Hex| super::holds(self.window, hex) || hex.neighbours().iter().any(|n| self.shows(*n));
        let sides = self.scene.field.roads.iter().map(|side| side.hexes()).filter(|(a, b)| near(*a) || near(*b));
        let edges: Vec<(Point, Point)> = sides.map(|(a, b)| (centre(a), centre(b))).collect();
        let lines: Vec<Vec<Point>> = ink::chains(&edges).iter().map(|line| ink::rounded(line, 2)).collect();
        self.stroke(&lines, palette::ROAD, 26, &[]);
        self.stroke(&lines, palette::ROADBED, 13, &[]);
    }

    /// Printed lines, each dashed in its own way and named at its end.
    fn printed(&mut self) {
        let field = self.scene.field;
        for ((name, sides), dash) in field.lines.iter().zip(DASHES.into_iter().cycle()) {
            let shown: Vec<Hexside> = sides.iter().copied().filter(|side| self.touches(*side)).collect();
            if shown.is_empty() {
                continue;
            }
            let edges: Vec<(Point, Point)> = shown.iter().map(|side| ends(*side)).collect();
            let lines = ink::chains(&edges);
            self.stroke(&lines, palette::BANK, 22, &[("data-line", name), ("stroke-dasharray", dash)]);
        }
    }

    /// Houses of a town, thrown round its middle.
    fn houses(&mut self) {
        const WAYS: [Point; 8] = [(10, 0), (7, 7), (0, 10), (-7, 7), (-10, 0), (-7, -7), (0, -10), (7, -7)];
        const TURNS: [Point; 5] = [(10, 0), (9, 4), (7, 7), (4, 9), (8, -6)];
        let mut houses = Vec::new();
        let size = if self.near { 17 } else { 24 };
        for hex in self.hexes().into_iter().filter(|hex| self.soil(*hex) == Soil::Town) {
            let (x, y) = centre(hex);
            let (col, row) = (i32::from(hex.col), i32::from(hex.row));
            for (k, way) in (0..).zip(WAYS) {
                let turn = usize::try_from(ink::scatter((row, k, col), 4)).ok().and_then(|n| TURNS.get(n));
                let (a, b) = turn.map_or((size, 0), |turn| (turn.0 * size / 10, turn.1 * size / 10));
                let ring = 82 + ink::scatter((col, row, k), 24);
                let (x, y) = (x + way.0 * ring / 10, y + way.1 * ring / 10);
                houses.push(vec![
                    (x + a - b, y + a + b),
                    (x - a - b, y + a - b),
                    (x - a + b, y - a - b),
                    (x + a + b, y - a + b),
                ]);
            }
        }
        let pen = self.pen(4).to_string();
        self.svg.fill(&houses, palette::TOWN, &[("stroke", palette::INK), ("stroke-width", &pen)]);
    }

    /// A bastion with eight points.
    fn works(&mut self) {
        for hex in self.scene.works.iter().copied().filter(|hex| self.shows(*hex)).collect::<Vec<_>>() {
            let (x, y) = centre(hex);
            let points = [(0, 10), (3, 7), (7, 7), (7, 3), (10, 0), (7, -3), (7, -7), (3, -7)];
            let star = points.into_iter().chain(points.map(|(a, b)| (-a, -b)));
            let star: Vec<Point> = star.map(|(a, b)| (x + 11 * a, y + 11 * b)).collect();
            let pen = self.pen(16).to_string();
            let look = [("data-works", hex.to_string()), ("stroke", palette::TOWN.to_owned()), ("stroke-width", pen)];
            let look: Vec<(&str, &str)> = look.iter().map(|(k, v)| (*k, v.as_str())).collect();
            self.svg.fill(&[star], palette::PAPER, &look);
        }
    }
}
