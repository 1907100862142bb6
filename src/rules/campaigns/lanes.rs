//! What lines, dispatches and marches over the map depend on, and what has been found for them: kept with the board.

use super::ids::{ArmyId, Halves, StepCost};
use super::tables::weather::Conditions;
use super::trace::Ways;
use crate::fog::SideId;
use crate::hex::{Dir, Hex, Hexside};
use crate::map::{Field, HexMap, Reach, Road};
use crate::memo::Memo;
use std::collections::BTreeSet;

/// Answers kept of each kind that are lists.
pub const LISTS_MOST: usize = 64;

/// Answers kept of each kind that are tables of the map: for both sides, each by the truth and by what it knows.
pub const TABLES_MOST: usize = 16;

/// Grounds whose tolls are kept: the truth, what either side knows, and what was before.
pub const GROUNDS_MOST: usize = 6;

/// What a step costs depends on this.
#[derive(PartialEq, Eq)]
pub struct Ground {
    pub(super) weather: Conditions,
    pub(super) damaged: BTreeSet<Hexside>,
    pub(super) pontoons: BTreeSet<Hexside>,
    pub(super) trestles: BTreeSet<Hexside>,
}

/// What it costs to go from a hex over one of its sides, as the ground lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Toll {
    /// The road that can be marched.
    pub road: Option<Road>,
    /// A step of a march that came by road; `None` if impassable.
    pub step: Option<StepCost>,
    /// ¶86 A dispatch; `None` if impassable.
    pub ride: Option<Halves>,
}

/// The tolls of a whole map: a way over it asks each side of a hundred hexes.
pub struct Tolls(Field<[Toll; 6]>);

impl Tolls {
    /// Those of every hex with ground.
    pub(super) fn of(map: &HexMap, toll: impl Fn(Hex, Dir) -> Toll) -> Tolls {
        let mut tolls = Field::new(map, [Toll::default(); 6]);
        map.ground.keys().for_each(|hex| tolls.set(*hex, Dir::ALL.map(|dir| toll(*hex, dir))));
        Tolls(tolls)
    }

    /// The toll from a hex in a direction; all closed where the hex is off the map.
    pub fn over(&self, hex: Hex, dir: Dir) -> Toll {
        self.0.at(hex).and_then(|sides| sides.get(dir as usize)).copied().unwrap_or_default()
    }
}

/// What a line or a dispatch depends on, besides where it begins.
pub struct Lay {
    pub(super) ground: Ground,
    pub(super) side: SideId,
    pub(super) army: Option<ArmyId>,
    pub(super) closed: Vec<Hex>,
}

/// What a line depends on.
pub struct LineLay {
    pub(super) source: Hex,
    pub(super) lay: Lay,
}

/// Kept with the board: what was found, and the conditions under which it holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lanes {
    /// What each step costs, by the truth and by what either side knows.
    pub(super) tolls: Memo<Ground, Tolls, GROUNDS_MOST>,
    /// Depots with a line to a source.
    pub(super) depots: Memo<LineLay, Vec<Hex>, LISTS_MOST>,
    /// Ways from a source that a line may take.
    pub(super) ways: Memo<LineLay, Ways, TABLES_MOST>,
    /// Dispatches from some hexes.
    pub(super) rides: Memo<(Lay, Vec<Hex>), Reach, TABLES_MOST>,
    /// Marches to a hex, mounted or not, whatever piece blocks the way, but not through some hexes: where a battle may drive
    /// men, play for play of an imagined one.
    pub(super) marches: Memo<(Ground, Hex, bool, Vec<Hex>), Reach, LISTS_MOST>,
}
