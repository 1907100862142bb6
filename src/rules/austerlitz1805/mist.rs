//! 16.4 Fog as pieces: chits that lie open on the map, and what each side keeps in its boxes.

use super::board::UnitId;
use super::table::Unit;
use crate::fog::SideId;
use crate::plane::Spot;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A chit by the name under which both sides know it, such as `FC2`; it tells nothing of the box to which it belongs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ChitId(pub String);

/// 16.4.2.4 A chit on the map, flag side up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chit {
    /// Whose flag it shows.
    pub side: SideId,
    /// Its centre.
    pub at: Spot,
    /// Allowance used in this player-turn, in units.
    pub spent: i32,
}

/// What of the fog lies open to both sides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mist {
    /// Chits on the map.
    pub chits: BTreeMap<ChitId, Chit>,
    /// Chits of each side that have ever lain on the map.
    pub made: BTreeMap<SideId, u32>,
    /// 16.4.2.8.2 Units that have gone back into chits, as both sides last saw them.
    pub worn: BTreeMap<UnitId, Unit>,
    /// 16.4.1.3 Somebody has fired or attacked.
    pub begun: bool,
    /// 16.4.1.6 The assault on the Pratzenberg has begun.
    pub assault: bool,
    /// 17.1.1.6 The player-turn in which a unit or an uncovered chit last passed through each place.
    pub since: BTreeMap<String, u32>,
}

/// 16.4.2 One of the boxes 1 to 18: what the chit holds that lies on the map for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Boxed {
    /// What it holds; nothing for a decoy.
    pub units: Vec<UnitId>,
    /// The chit on the map.
    pub chit: ChitId,
    /// 17.1.1.6 Places through which it has passed, and in which player-turn.
    pub passed: Vec<(String, u32)>,
}

/// 16.4.2.2 What a side may do at the beginning of a fog turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quota {
    /// New chits.
    pub chits: u32,
    /// Columns that may try to move on the strategic map; none where no number is given.
    pub columns: Option<u32>,
}

impl std::fmt::Display for ChitId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The chit lies open on the map.
impl crate::dice::OpenName for ChitId {
    fn open_name(&self) -> String {
        crate::orders::fold(&self.0)
    }
}
