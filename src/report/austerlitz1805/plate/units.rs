//! Units as blocks of their own size, turned as they face: the front a strong line with a point.

use super::{Plate, fine, pen};
use crate::ink::{Labels, Point};
use crate::map::draw::plate::{palette, side_word};
use crate::plane::{Size, Spot};
use crate::report::austerlitz1805::units::{arm_word, signs};
use crate::rules::austerlitz1805::board::{Arm, UnitId};
use crate::rules::austerlitz1805::table::{Formation, Mark, Mood, Pose, Unit};

/// What cavalry of one's own is halved with.
const PALE: &str = "#e3e8f2";

/// Where something stands, and what the ground of a block is measured in: hundredths of half its front and half its depth.
#[derive(Clone, Copy)]
pub(super) struct Body {
    pub(super) pose: Pose,
    pub(super) size: Size,
}

impl Body {
    /// A point so many hundredths to the right and ahead.
    fn at(self, right: i32, ahead: i32) -> Point {
        self.off(self.size.front * right / 200, self.size.depth * ahead / 200)
    }

    /// A point so many units to the right and ahead.
    fn off(self, right: i32, ahead: i32) -> Point {
        let (side, front) = (self.pose.facing.turned(90), self.pose.facing);
        fine(self.pose.at.fine().toward(side, right).toward(front, ahead))
    }

    /// The ends of its front.
    pub(super) fn edge(self) -> [Point; 2] {
        [self.at(-100, 100), self.at(100, 100)]
    }

    pub(super) fn corners(self) -> Vec<Point> {
        [(-100, 100), (100, 100), (100, -100), (-100, -100), (-100, 100)].map(|(r, a)| self.at(r, a)).to_vec()
    }
}

fn mood_word(mood: Mood) -> &'static str {
    match mood {
        Mood::Fit => "",
        Mood::S => "S",
        Mood::D => "D",
        Mood::R => "R",
    }
}

impl Plate<'_> {
    pub(super) fn units(&mut self) {
        let v = self.v;
        let shown: Vec<(&UnitId, &Unit)> = v.table.standing().filter(|(_, u)| self.shows(u.pose.at)).collect();
        for own in [false, true] {
            for (id, unit) in shown.iter().filter(|(_, u)| self.ours(&u.side) == own).copied().collect::<Vec<_>>() {
                self.unit(id, unit, own);
            }
        }
    }

    fn unit(&mut self, id: &UnitId, unit: &Unit, own: bool) {
        let t = &self.v.table;
        let body = Body { pose: unit.pose, size: t.size(id) };
        let arm = t.arm(id);
        let (at, state) = (unit.pose.at.to_string(), signs(self.v, id, unit));
        let facing = unit.pose.facing.to_string();
        self.svg.group(&[
            ("data-unit", id.0.as_str()),
            ("data-side", side_word(own)),
            ("data-at", &at),
            ("data-facing", &facing),
            ("data-form", unit.form.word()),
            ("data-arm", arm_word(arm)),
            ("data-state", &state),
        ]);
        match (arm, unit.form) {
            (Arm::Hq, _) => self.flag(body.at(0, 0), own, id, None),
            (Arm::Artillery, form) => self.guns(body, form, own),
            (_, Formation::Square) => self.hollow(body, own),
            (arm, _) => self.block(body, arm, own),
        }
        if !matches!((arm, unit.form), (Arm::Hq, _) | (_, Formation::Square)) {
            self.front(body, arm != Arm::Artillery);
        }
        self.svg.close();
        if let Some(hq) = t.hq_with(id) {
            self.flag(body.at(0, 0), own, hq, Some(id));
        }
        self.marked(id, unit, body);
        let half = body.size.front.max(body.size.depth) * 2 / 5;
        let (x, y) = body.at(0, 0);
        self.labels.take((x - half, y - half), (2 * half, 2 * half));
    }

    fn colours(own: bool) -> (&'static str, &'static str) {
        if own { (palette::OWN, palette::PAPER) } else { (palette::ON_ENEMY, palette::ENEMY) }
    }

    /// Foot solid or crossed, horse halved.
    fn block(&mut self, body: Body, arm: Arm, own: bool) {
        let (fill, edge) = Self::colours(own);
        let line = self.pen(if own { 7 } else { 13 }).to_string();
        self.svg.fill(&[body.corners()], fill, &[("stroke", edge), ("stroke-width", &line)]);
        if arm == Arm::Cavalry {
            let half = vec![body.at(-94, -94), body.at(94, 94), body.at(94, -94)];
            self.svg.fill(&[half], if own { PALE } else { palette::ENEMY }, &[]);
        } else if !own {
            let cross = [vec![body.at(-100, -100), body.at(100, 100)], vec![body.at(-100, 100), body.at(100, -100)]];
            self.stroke(&cross, palette::ENEMY, 6, &[("stroke-opacity", "0.6")]);
        }
    }

    /// A square: hollow.
    fn hollow(&mut self, body: Body, own: bool) {
        let (fill, edge) = Self::colours(own);
        let line = self.pen(13).to_string();
        self.svg.fill(&[body.corners()], fill, &[("stroke", edge), ("stroke-width", &line)]);
        let inner = [(-45, 45), (45, 45), (45, -45), (-45, -45)].map(|(r, a)| body.at(r, a)).to_vec();
        self.svg.fill(&[inner], palette::PAPER, &[("stroke", if own { palette::OWN } else { palette::ENEMY })]);
    }

    /// Guns: barrels abreast and ahead where they are ready, one behind the other where they are on the road.
    fn guns(&mut self, body: Body, form: Formation, own: bool) {
        let ink = if own { palette::OWN } else { palette::ENEMY };
        let line = self.pen(13).to_string();
        let fill = if own { palette::PAPER } else { palette::ON_ENEMY };
        self.svg.fill(&[body.corners()], fill, &[("stroke", ink), ("stroke-width", &line)]);
        let (barrels, wheels): (Vec<Vec<Point>>, Vec<Point>) = if form == Formation::Unlimbered {
            [-60, 0, 60].map(|r| (vec![body.at(r, -40), body.at(r, 175)], body.at(r, -30))).into_iter().unzip()
        } else {
            [-50, 50].map(|a| (vec![body.at(0, a - 30), body.at(0, a + 30)], body.at(0, a - 24))).into_iter().unzip()
        };
        self.stroke(&barrels, ink, 18, &[]);
        let r = self.pen(20);
        wheels.into_iter().for_each(|at| self.svg.circle(at, r, &[("fill", ink)]));
    }

    /// The front, with a point where the unit is foot or horse; near by the arc before it, 45 degrees out on either side.
    fn front(&mut self, body: Body, pointed: bool) {
        if pointed {
            self.stroke(
                &[vec![body.at(-100, 100), body.at(100, 100)]],
                palette::INK,
                19,
                &[("stroke-linecap", "butt")],
            );
            let (base, tip) = (self.pen(30), self.pen(50));
            let half = body.size.depth / 2;
            let point = vec![body.off(-base, half), body.off(0, half + tip), body.off(base, half)];
            self.svg.fill(&[point], palette::INK, &[]);
        }
        if self.near {
            let (side, ahead, far) = (body.size.front / 2, body.size.depth / 2, 160);
            let arc = [-1, 1].map(|s| vec![body.off(s * side, ahead), body.off(s * (side + far), ahead + far)]);
            self.stroke(&arc, palette::INK, 6, &[("stroke-dasharray", "40 30")]);
        }
    }

    /// A leader: a flag on its staff.
    fn flag(&mut self, (x, y): Point, own: bool, hq: &UnitId, with: Option<&UnitId>) {
        let (high, wide, deep) = (self.pen(150), self.pen(110), self.pen(72));
        let (fill, edge) = Self::colours(own);
        let cloth = vec![(x, y - high), (x + wide, y - high + deep / 2), (x, y - high + deep)];
        if let Some(with) = with {
            let side = side_word(own);
            self.svg.group(&[("data-hq", hq.0.as_str()), ("data-side", side), ("data-with", with.0.as_str())]);
        }
        let line = self.pen(if own { 8 } else { 13 }).to_string();
        self.stroke(&[vec![(x, y), (x, y - high)]], palette::INK, 12, &[]);
        self.svg.fill(&[cloth], fill, &[("stroke", edge), ("stroke-width", &line), ("stroke-linejoin", "round")]);
        if with.is_some() {
            self.svg.close();
        }
    }

    /// What has become of a unit: a disc with its state, a cross where it fights.
    fn marked(&mut self, id: &UnitId, unit: &Unit, body: Body) {
        let r = self.pen(50.max(self.least * 5 / 9));
        let half = body.size.front.min(body.size.depth) / 2;
        let (x, y) = body.at(70, 0);
        if unit.mood != Mood::Fit {
            let at = (x, y - half / 2);
            let line = self.pen(8).to_string();
            self.svg.circle(at, r, &[("fill", palette::MARK), ("stroke", palette::PAPER), ("stroke-width", &line)]);
            let size = self.letter(86);
            self.svg.lettering((at.0, at.1 + size / 3), mood_word(unit.mood), palette::PAPER, size);
        }
        if self.v.table.combat_of(id).is_some() {
            let (x, y) = body.at(-75, 100);
            let d = self.pen(40);
            let cross = [vec![(x - d, y - d), (x + d, y + d)], vec![(x - d, y + d), (x + d, y - d)]];
            self.stroke(&cross, palette::PAPER, 34, &[]);
            self.stroke(&cross, palette::INK, 16, &[]);
        }
    }

    /// The names of units, where there is room: near by with label, leader and losses; from afar, and where the whole name has
    /// no room close by, the label alone, with a line to its unit where it stands off.
    pub(super) fn units_named(&mut self) {
        let v = self.v;
        let size = self.letter(if self.near { 98 } else { 82 });
        for (id, unit) in v.table.standing().filter(|(_, u)| super::shows(self.rect, u.pose.at)).collect::<Vec<_>>() {
            let t = &v.table;
            let mut lost = String::new();
            let two = matches!(t.arm(id), Arm::Infantry | Arm::Cavalry);
            lost.push_str(if two && unit.steps == 1 { " \u{2212}1" } else { "" });
            lost.push_str(if unit.has(Mark::Crewless) { " x" } else { "" });
            lost.push_str(if unit.has(Mark::Empty1) || unit.has(Mark::Empty2) { " e" } else { "" });
            let leader = t.hq_with(id).map_or_else(String::new, |hq| format!(" ({hq})"));
            let full = format!("{}{leader}{lost}", pen::full(t, id));
            let short = format!("{}{lost}", t.label(id));
            let body = t.size(id);
            let off = body.front.max(body.depth) / 2 + self.pen(16);
            let colour = if self.ours(&unit.side) { palette::OWN } else { palette::ENEMY };
            let look = [("font-weight", "bold")];
            let close = if self.near && full != short {
                self.labelled(unit.pose.at, &full, (size, off, 1), colour, &look)
            } else {
                false
            };
            if !close {
                self.labelled(unit.pose.at, &short, (size, off, 3), colour, &look);
            }
        }
    }

    /// A line from a name to what it names.
    pub(super) fn led(&mut self, corner: Point, (wide, high): Point, at: Spot, colour: &str) {
        let (x, y) = super::point(at);
        let beside = (x.clamp(corner.0, corner.0 + wide), y.clamp(corner.1, corner.1 + high));
        self.stroke(&[vec![beside, (x, y)]], colour, 6, &[("stroke-dasharray", "50 40")]);
    }

    /// Writes a name where it finds room round a place, so far off.
    pub(super) fn named(
        &mut self,
        at: Spot,
        name: &str,
        (size, off): (i32, i32),
        colour: &str,
        more: &[(&str, &str)],
    ) -> bool {
        self.labelled(at, name, (size, off, 3), colour, more)
    }

    /// The same within so many rings.
    fn labelled(
        &mut self,
        at: Spot,
        name: &str,
        (size, off, rings): (i32, i32, usize),
        colour: &str,
        more: &[(&str, &str)],
    ) -> bool {
        let bold = more.iter().any(|(key, _)| *key == "font-weight");
        let wide = if bold { Labels::bold(name, size) } else { Labels::wide(name, size) };
        let Some((corner, ring)) = self.room_within(at, (wide, size), off, rings) else { return false };
        if ring > 0 {
            self.led(corner, (wide, size), at, colour);
        }
        let high = size.to_string();
        let mut look = vec![("font-size", high.as_str())];
        look.extend_from_slice(more);
        self.halo((corner.0, corner.1 + size * 4 / 5), name, colour, &look);
        true
    }
}
