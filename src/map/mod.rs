//! The ground of a hex map: terrain, settlements, roads, rivers, bridges.
//!
//! Only what is printed on the map, and so public. What stands on it belongs to the rulesets; what a terrain
//! costs belongs to their tables. Games without hexes do not use this module.

pub mod draw;

use crate::hex::{Hex, Hexside};
use std::collections::{BTreeMap, BTreeSet};

/// What fills a hex under any settlement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ground {
    /// Open country.
    Clear,
    /// Woods.
    Woods,
    /// Hill.
    Hill,
    /// Mountain.
    Mountain,
    /// Swamp or marsh.
    Swamp,
    /// Lake.
    Lake,
}

/// What people have built in a hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Settlement {
    /// A village; no effect on combat.
    Village,
    /// A town without a depot.
    Town,
    /// A town with a printed depot.
    DepotTown,
    /// A city.
    City,
    /// A city with a citadel: a fortification.
    Citadel,
}

/// The class of a road.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Road {
    /// A secondary road.
    Secondary,
    /// A primary road; lines of communication run on these.
    Primary,
}

/// The class of a river.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum River {
    /// A secondary river.
    Secondary,
    /// A primary river.
    Primary,
}

/// A named place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its hex.
    pub hex: Hex,
    /// Its name as the map prints it.
    pub name: String,
    /// What is built there; `None` for a mere road at the map's edge.
    pub settlement: Option<Settlement>,
}

/// A whole hex map. Everything here is public to all sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HexMap {
    /// Number of columns; they run from 1.
    pub columns: i16,
    /// Number of rows; they run from 1.
    pub rows: i16,
    /// The ground of each hex of the map.
    pub ground: BTreeMap<Hex, Ground>,
    /// Settlements by hex.
    pub settlements: BTreeMap<Hex, Settlement>,
    /// Named places by hex; at most one a hex.
    pub places: BTreeMap<Hex, Place>,
    /// Roads by the hexside they cross.
    pub roads: BTreeMap<Hexside, Road>,
    /// Rivers by the hexside they run along.
    pub rivers: BTreeMap<Hexside, River>,
    /// Hexsides where a road crosses a river by a bridge.
    pub bridges: BTreeSet<Hexside>,
}

impl HexMap {
    /// Whether a hex is on the map.
    pub fn contains(&self, hex: Hex) -> bool {
        self.ground.contains_key(&hex)
    }

    /// The neighbours of a hex that are on the map, in the fixed order of directions.
    pub fn neighbours(&self, hex: Hex) -> Vec<Hex> {
        hex.neighbours().into_iter().filter(|&h| self.contains(h)).collect()
    }

    /// Whether a hex lies on the edge of the map.
    pub fn at_edge(&self, hex: Hex) -> bool {
        self.contains(hex) && hex.neighbours().into_iter().any(|h| !self.contains(h))
    }

    /// The road between two adjacent hexes.
    pub fn road(&self, a: Hex, b: Hex) -> Option<Road> {
        Hexside::between(a, b).and_then(|s| self.roads.get(&s).copied())
    }

    /// The river between two adjacent hexes.
    pub fn river(&self, a: Hex, b: Hex) -> Option<River> {
        Hexside::between(a, b).and_then(|s| self.rivers.get(&s).copied())
    }

    /// Whether a bridge is printed between two adjacent hexes.
    pub fn bridge(&self, a: Hex, b: Hex) -> bool {
        Hexside::between(a, b).is_some_and(|s| self.bridges.contains(&s))
    }

    /// The name printed at a hex, if any.
    pub fn name(&self, hex: Hex) -> Option<&str> {
        self.places.get(&hex).map(|p| p.name.as_str())
    }
}
