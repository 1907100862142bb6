//! 6.0-6.5 How a counter stands: its formation, the hour that it faces, its hexes, and which of its neighbours are what.

use crate::hex::{Dir, Hex};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// 6.1 An hour of the clock that a counter faces: even ones are hexsides, 12 the north one; odd ones are corners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "u8", into = "u8")]
pub struct Hour(u8);

impl From<u8> for Hour {
    fn from(hour: u8) -> Hour {
        Hour(hour % 12)
    }
}

impl From<Hour> for u8 {
    fn from(hour: Hour) -> u8 {
        if hour.0 == 0 { 12 } else { hour.0 }
    }
}

impl Hour {
    /// The hour of a hexside.
    pub fn of(dir: Dir) -> Hour {
        let at = Dir::ALL.iter().position(|d| *d == dir).unwrap_or_default();
        Hour(u8::try_from(2 * at).unwrap_or_default())
    }

    /// Whether it is a hexside, and no corner.
    pub fn is_side(self) -> bool {
        self.0.is_multiple_of(2)
    }

    /// So many hours on; fewer than none are hours back.
    pub fn on(self, hours: i32) -> Hour {
        Hour(u8::try_from((i32::from(self.0) + hours).rem_euclid(12)).unwrap_or_default())
    }

    /// 6.1 One step to the right, or to the left: a hexside, or a corner.
    pub fn turned(self, right: bool) -> Hour {
        self.on(if right { 2 } else { -2 })
    }

    /// The direction of a hexside; of a corner that of the hexside before it.
    pub fn dir(self) -> Dir {
        Dir::ALL.get(usize::from(self.0 / 2)).copied().unwrap_or_default()
    }
}

/// 6.3, 6.4 Formations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // Formations by their names.
pub enum Form {
    #[default]
    Column,
    Line,
    Skirmish,
    Square,
    Disorder,
    Limbered,
    Unlimbered,
}

impl Form {
    /// What it is called.
    pub fn word(self) -> &'static str {
        match self {
            Form::Column => "column",
            Form::Line => "line",
            Form::Skirmish => "skirmish",
            Form::Square => "square",
            Form::Disorder => "disorder",
            Form::Limbered => "limbered",
            Form::Unlimbered => "unlimbered",
        }
    }

    /// 6.3.1, 6.3.5, 6.3.8 Whether who stands so faces a corner.
    pub fn faces_corner(self) -> bool {
        matches!(self, Form::Line | Form::Unlimbered)
    }

    /// 6.3.3, 6.3.4 Whether all sides are its front.
    pub fn all_round(self) -> bool {
        matches!(self, Form::Skirmish | Form::Square)
    }
}

/// 6.1 What a neighbouring hex is to a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // The three kinds of hexsides.
pub enum Part {
    Front,
    Flank,
    Rear,
}

/// How a counter stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Pose {
    /// 6.5.1 Its hex; of several the head of a column, or the left one of a line.
    pub head: Hex,
    /// 6.1 Where it faces.
    pub hour: Hour,
    /// 6.3 Its formation.
    pub form: Form,
    /// 6.5 How many hexes the counter has.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub size: u8,
    /// 6.3.3 The second hex of skirmishers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<Hex>,
}

fn one() -> u8 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref)] // As serde asks.
fn is_one(n: &u8) -> bool {
    *n == 1
}

impl Pose {
    /// 6.1 By how many hexsides, or corners, another faces otherwise.
    pub fn turns_to(&self, other: &Pose) -> u8 {
        let by = (self.hour.0 + 12 - other.hour.0) % 12;
        by.min(12 - by) / 2
    }

    /// A counter of one hex.
    pub fn at(head: Hex, hour: u8, form: Form) -> Pose {
        Pose { head, hour: Hour::from(hour), form, size: 1, second: None }
    }

    /// 6.5.1 Where the second hex of a counter lies from its first.
    fn tail(&self) -> Dir {
        if self.form.faces_corner() { self.hour.on(3).dir() } else { self.hour.on(6).dir() }
    }

    /// 6.3.3, 6.5.1 The hexes that it is in, the head first.
    pub fn hexes(&self) -> Vec<Hex> {
        let (mut at, tail) = (self.head, self.tail());
        let mut found = vec![at];
        for _ in 1..self.size {
            at = at.neighbour(tail);
            found.push(at);
        }
        found.extend(self.second);
        found
    }

    /// Whether it is in a hex.
    pub fn is_in(&self, hex: Hex) -> bool {
        self.head == hex || ((self.size > 1 || self.second.is_some()) && self.hexes().contains(&hex))
    }

    /// How far the nearest of its hexes is from a hex.
    pub fn distance(&self, hex: Hex) -> u32 {
        if self.size < 2 && self.second.is_none() {
            return self.head.distance(hex);
        }
        self.hexes().into_iter().map(|at| at.distance(hex)).min().unwrap_or(u32::MAX)
    }

    /// 6.1 The directions of its front.
    fn ahead(&self) -> Vec<Dir> {
        let hours: &[i32] = match self.form {
            Form::Line | Form::Unlimbered => &[-1, 1],
            Form::Column | Form::Limbered => &[0],
            Form::Disorder => &[-2, 0, 2],
            Form::Skirmish | Form::Square => return Dir::ALL.to_vec(),
        };
        hours.iter().map(|by| self.hour.on(*by).dir()).collect()
    }

    /// 6.1 The directions of its rear.
    fn behind(&self) -> Vec<Dir> {
        let hours: &[i32] = match self.form {
            Form::Line | Form::Unlimbered => &[5, 7],
            Form::Column | Form::Limbered => &[6],
            Form::Disorder => &[4, 6, 8],
            Form::Skirmish | Form::Square => &[],
        };
        hours.iter().map(|by| self.hour.on(*by).dir()).collect()
    }

    /// 6.1, 6.5.1 The sides of its front: the hex of the counter, and the way out. Of a column, and of one that is Disordered,
    /// the head alone has a front.
    pub fn front_sides(&self) -> Vec<(Hex, Dir)> {
        let hexes = self.hexes();
        let many = self.form.faces_corner() || self.form.all_round();
        let bearing = hexes.iter().take(if many { usize::MAX } else { 1 });
        let ahead = self.ahead();
        let sides = bearing.flat_map(|hex| ahead.iter().map(move |dir| (*hex, *dir)));
        sides.filter(|(hex, dir)| !hexes.contains(&hex.neighbour(*dir))).collect()
    }

    /// 6.1 The hexes before it.
    pub fn front(&self) -> BTreeSet<Hex> {
        self.front_sides().into_iter().map(|(hex, dir)| hex.neighbour(dir)).collect()
    }

    /// 6.1, 6.4.1, 6.5.1 What a hex next to it is; none where it is not next to it.
    pub fn part(&self, of: Hex) -> Option<Part> {
        let hexes = self.hexes();
        if hexes.contains(&of) || !hexes.iter().any(|hex| hex.adjacent(of)) {
            return None;
        }
        if self.front().contains(&of) {
            return Some(Part::Front);
        }
        let last = hexes.last().copied().unwrap_or(self.head);
        let rear = match self.form {
            Form::Disorder => true,
            Form::Column | Form::Limbered => self.behind().iter().any(|dir| last.neighbour(*dir) == of),
            _ => self.behind().iter().any(|dir| hexes.iter().any(|hex| hex.neighbour(*dir) == of)),
        };
        Some(if rear { Part::Rear } else { Part::Flank })
    }

    /// 6.1 The hexes beside it that are of a part.
    pub fn around(&self, part: Part) -> BTreeSet<Hex> {
        let near = self.hexes().into_iter().flat_map(Hex::neighbours);
        near.filter(|hex| self.part(*hex) == Some(part)).collect()
    }

    /// 6.2 The hexes of the arc before its front to a depth, edges included.
    pub fn arc(&self, depth: u32) -> BTreeSet<Hex> {
        let own = self.hexes();
        let mut found = BTreeSet::new();
        for (hex, dir) in self.front_sides() {
            for far in 1..=depth {
                for aside in [
                    super::super::tactical::facing::beside(dir, false),
                    super::super::tactical::facing::beside(dir, true),
                ] {
                    for off in 0..=far / 2 {
                        let mut at = hex;
                        (0..far - off).for_each(|_| at = at.neighbour(dir));
                        (0..off).for_each(|_| at = at.neighbour(aside));
                        found.insert(at);
                    }
                }
            }
        }
        found.retain(|hex| !own.contains(hex));
        found
    }

    /// 6.2.3, 6.3.5, 6.3.6 The Flank Zone of horse that stands so: of a line its flank hexes, of a column besides the hexes of
    /// the second row that touch two of them.
    pub fn flank_zone(&self) -> BTreeSet<Hex> {
        let mut found = self.around(Part::Flank);
        if self.form == Form::Column {
            let beyond: BTreeSet<Hex> = found.iter().flat_map(|hex| hex.neighbours()).collect();
            let second = |hex: &Hex| !self.is_in(*hex) && self.part(*hex).is_none();
            let touching = |hex: &Hex| found.iter().filter(|flank| flank.adjacent(*hex)).count() >= 2;
            let more: Vec<Hex> = beyond.into_iter().filter(|hex| second(hex) && touching(hex)).collect();
            found.extend(more);
        }
        found
    }

    /// The same counter one hex farther.
    pub fn stepped(&self, dir: Dir) -> Pose {
        Pose { head: self.head.neighbour(dir), second: None, ..*self }
    }

    /// 6.5.2 The same counter one step to the right or to the left, and the hexes through which it swings: a line about the
    /// hex towards which it turns, a column with its tail about its head.
    pub fn wheeled(&self, right: bool) -> (Pose, Vec<Hex>) {
        let hour = self.hour.turned(right);
        let mut turned = Pose { hour, ..*self };
        if self.size < 2 {
            return (turned, Vec::new());
        }
        let last = self.hexes().last().copied().unwrap_or(self.head);
        let swings_left = self.form.faces_corner();
        let pivot = if swings_left && right { last } else { self.head };
        let (from, to) = match (swings_left, right) {
            (true, true) => (self.tail().opposite(), turned.tail().opposite()),
            _ => (self.tail(), turned.tail()),
        };
        let mut swept = Vec::new();
        for far in 1..self.size {
            for step in 1..=far {
                let mut at = pivot;
                (0..far - step).for_each(|_| at = at.neighbour(from));
                (0..step).for_each(|_| at = at.neighbour(to));
                swept.push(at);
            }
        }
        if swings_left && right {
            (1..self.size).for_each(|_| turned.head = turned.head.neighbour(self.tail()));
            (1..self.size).for_each(|_| turned.head = turned.head.neighbour(to));
        }
        (turned, swept)
    }

    /// 6.3 The same counter in another formation, facing an hour that suits it: the one that is wished, or the next.
    pub fn formed(&self, form: Form, wished: Option<Hour>) -> Pose {
        let fits = |hour: Hour| hour.is_side() != form.faces_corner();
        let hour = wished.unwrap_or(self.hour);
        let hour = if fits(hour) { hour } else { hour.on(if form.faces_corner() { 1 } else { -1 }) };
        Pose { form, hour, second: None, ..*self }
    }
}
