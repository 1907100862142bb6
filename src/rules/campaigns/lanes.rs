//! What lines, dispatches and marches over the map depend on, and what has been found for them: kept with the board.

use super::board::ArmyId;
use super::pieces::Loc;
use super::tables::weather::Conditions;
use crate::fog::SideId;
use crate::hex::{Hex, Hexside};
use crate::map::Reach;
use crate::memo::Memo;
use std::collections::BTreeSet;

/// Answers kept of each kind that are lists.
pub const LISTS_MOST: usize = 64;

/// Answers kept of each kind that are tables of the map: for both sides, each by the truth and by what it knows.
pub const TABLES_MOST: usize = 16;

/// What a step costs depends on this.
#[derive(PartialEq, Eq)]
pub struct Ground {
    pub(super) weather: Conditions,
    pub(super) damaged: BTreeSet<Hexside>,
    pub(super) pontoons: BTreeSet<Hexside>,
    pub(super) trestles: BTreeSet<Hexside>,
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
    /// Depots with a line to a source.
    pub(super) depots: Memo<LineLay, Vec<Hex>, LISTS_MOST>,
    /// Lines from a source to a hex.
    pub(super) lines: Memo<(LineLay, Hex), Option<Loc>, LISTS_MOST>,
    /// Dispatches from some hexes.
    pub(super) rides: Memo<(Lay, Vec<Hex>), Reach, TABLES_MOST>,
    /// Marches to a hex, mounted or not, whatever piece blocks the way, but not through some hexes: where a battle may drive
    /// men, play for play of an imagined one.
    pub(super) marches: Memo<(Ground, Hex, bool, Vec<Hex>), Reach, LISTS_MOST>,
}
