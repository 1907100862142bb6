//! 3.2, 16.4.1 The strategic maps: areas, the line between the sides, the striped zone, and who may move where.

use super::board::{Board, UnitId};
use super::state::Hidden;
use super::table::Table;
use crate::dice::{OwnName, Owner};
use crate::fog::SideId;
use crate::orders::Fault;
use crate::plane::Spot;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A rectangle of ground: its south-western and its north-eastern corner.
pub type Rect = (Spot, Spot);

/// An area of the strategic maps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    /// Its code, such as `F3`.
    pub id: String,
    /// Its name.
    pub name: String,
    /// 16.4.1.3 On whose side of the dashed line it lies.
    pub side: SideId,
    /// The ground that it stands for.
    pub rect: Rect,
}

/// 16.4.1.6 Ground that one side may not place on or pass in the historical flow until the assault has begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Striped {
    /// Who may not.
    pub side: SideId,
    /// The ground.
    pub rect: Rect,
    /// Divisions of the other side whose advance opens it, all of them.
    pub divisions: Vec<String>,
    /// Areas into which they advance.
    pub zones: Vec<String>,
}

/// The strategic maps: the same areas on both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strategic {
    /// Areas.
    pub zones: Vec<Zone>,
    /// 16.4.1.2 Where each corps or division stands at the start.
    pub starts: BTreeMap<SideId, BTreeMap<String, String>>,
    /// The striped zone.
    pub striped: Option<Striped>,
}

/// 18.1 How the game is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Flow {
    /// 18.1.1, 18.1.1.1 As it was: printed places, striped zone, and nothing beyond them is enforced.
    Historical,
    /// 18.1.2, 18.1.2.1 Each side deploys its corps as it likes, within what the players agree.
    Free,
}

/// A corps that rolls to move, by its owner's name.
pub struct Column<'a> {
    /// Whose.
    pub side: &'a SideId,
    /// Its name.
    pub name: &'a str,
}

impl OwnName for Column<'_> {
    fn own_name(&self) -> String {
        crate::orders::fold(self.name)
    }

    fn owner(&self) -> SideId {
        self.side.clone()
    }

    /// 16.4.1 The strategic map is the army's.
    fn roller(&self) -> Owner {
        Owner::Army
    }
}

/// Whether a place lies in a rectangle, its border included.
pub fn holds((low, high): Rect, at: Spot) -> bool {
    (low.x..=high.x).contains(&at.x) && (low.y..=high.y).contains(&at.y)
}

/// 16.4.1 Areas that share a border of more than a corner are neighbours.
fn neighbours((a, b): Rect, (c, d): Rect) -> bool {
    let shared = |low: i32, high: i32, other_low: i32, other_high: i32| high.min(other_high) > low.max(other_low);
    let beside = (b.x == c.x || d.x == a.x) && shared(a.y, b.y, c.y, d.y);
    beside || ((b.y == c.y || d.y == a.y) && shared(a.x, b.x, c.x, d.x))
}

impl Board {
    /// The corps as which a unit moves on the strategic map: its division where the map shows that by itself.
    pub fn group(&self, id: &UnitId) -> String {
        let Some(spec) = self.units.get(id) else { return String::new() };
        let division = id.0.split_once('/').map(|(division, _)| division);
        let starts = self.strategic.starts.get(&spec.side);
        match division.filter(|d| starts.is_some_and(|s| s.contains_key(*d))) {
            Some(division) => division.to_owned(),
            None => spec.corps.clone(),
        }
    }

    /// 28.2.9 The corps that fills up the chits of a division of a side that the solo rules lead.
    pub fn fills(&self, side: &SideId, division: &str) -> Option<&String> {
        let plan = self.tables.solo.as_ref().filter(|_| self.solo.contains(side))?.plans.get(&side.0)?;
        plan.fill.get(division).map(|fill| &fill.corps)
    }

    /// An area.
    pub fn zone(&self, id: &str) -> Option<&Zone> {
        self.strategic.zones.iter().find(|z| z.id == id)
    }

    /// The areas in which a place lies: more than one on a border.
    pub fn zones_at(&self, at: Spot) -> impl Iterator<Item = &Zone> {
        self.strategic.zones.iter().filter(move |z| holds(z.rect, at))
    }

    /// 16.4.1.6 Whether a place is closed to a side: in the historical flow, until the assault has begun.
    pub fn closed(&self, assault: bool, side: &SideId, at: Spot) -> bool {
        self.shut(assault, side).is_some_and(|rect| holds(rect, at))
    }

    /// 16.4.1.6 Whether any place between two may be closed to a side: soon told, and never denied wrongly.
    pub fn closes(&self, assault: bool, side: &SideId, (a, b): (Spot, Spot)) -> bool {
        let clear = |low: i32, high: i32, a: i32, b: i32| high < a.min(b) || a.max(b) < low;
        let meets = |(low, high): Rect| !clear(low.x, high.x, a.x, b.x) && !clear(low.y, high.y, a.y, b.y);
        self.shut(assault, side).is_some_and(meets)
    }

    fn shut(&self, assault: bool, side: &SideId) -> Option<Rect> {
        let striped = self.strategic.striped.as_ref().filter(|_| self.flow == Some(Flow::Historical) && !assault);
        striped.filter(|s| s.side == *side).map(|s| s.rect)
    }
}

/// Units that are still on a side's strategic map, each with its corps.
pub fn waiting(t: &Table, own: &Hidden, side: &SideId) -> Vec<(UnitId, String)> {
    let boxed: BTreeSet<&UnitId> = own.boxes.values().flat_map(|b| &b.units).collect();
    let units = t.board.units.values().filter(|s| s.side == *side);
    let here = units.filter(|s| {
        t.unit(&s.id).is_none() && !t.away.contains_key(&s.id) && !t.lost.contains(&s.id) && !boxed.contains(&s.id)
    });
    here.map(|s| (s.id.clone(), t.board.group(&s.id))).filter(|(_, g)| own.corps.contains_key(g)).collect()
}

/// 16.4.1-16.4.1.4 Whether a corps may move to an area; from where. A-24: combats have started with the first fire or assault
/// of anybody.
///
/// # Errors
/// Why not.
pub fn may_move(t: &Table, own: &Hidden, side: &SideId, corps: &str, to: &str) -> Result<(), Fault> {
    let not = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let Some((from, to)) = own.corps.get(corps).and_then(|z| t.board.zone(z)).zip(t.board.zone(to)) else {
        return not(format!("{corps} is not on your strategic map"), "16.4.1");
    };
    if !waiting(t, own, side).iter().any(|(_, c)| c == corps) {
        return not(format!("nothing of {corps} is left on the strategic map"), "16.4.1");
    }
    if from.id == to.id {
        return not(format!("{corps} is in {} already", to.id), "16.4.1");
    }
    if !neighbours(from.rect, to.rect) {
        let near: Vec<&str> =
            t.board.strategic.zones.iter().filter(|z| neighbours(from.rect, z.rect)).map(|z| z.id.as_str()).collect();
        return not(format!("{corps} is in {}; it reaches {}", from.id, near.join(", ")), "16.4.1");
    }
    if from.side != to.side && !t.mist.begun {
        let why = format!("{} lies beyond the dashed line, and no combat has started", to.id);
        return not(why, "16.4.1.3");
    }
    Ok(())
}

/// 16.4.1.5 What a column's die needs: one more for each column in the area that it would enter.
pub fn needs(t: &Table, own: &Hidden, side: &SideId, to: &str) -> i32 {
    let present: BTreeSet<String> = waiting(t, own, side).into_iter().map(|(_, c)| c).collect();
    let there = present.iter().filter(|c| own.corps.get(*c).is_some_and(|z| z == to)).count();
    t.board.tables.fog.column + i32::try_from(there).unwrap_or(0)
}

/// 16.4.1.4 Whether a side rolls for its columns: the one whose number of chits is rolled.
pub fn rolls(t: &Table, side: &SideId) -> bool {
    t.board.tables.fog.chits.get(&side.0).is_some_and(|c| c.later.is_none())
}
