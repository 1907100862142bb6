//! The ground of a hex map: terrain, settlements, roads, rivers, bridges.
//!
//! Only what is printed on the map, and so public. What stands on it belongs to the rulesets; what a terrain
//! costs belongs to their tables. Games without hexes do not use this module.

pub mod draw;
mod grid;
mod reach;

pub use grid::{Field, Side};
pub use reach::Reach;

use crate::hex::{Dir, Hex, Hexside};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
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

/// The main crop of a region of clear country.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Crop {
    /// Oats.
    Oats,
    /// Wheat.
    Wheat,
    /// Potatoes.
    Potatoes,
}

impl Crop {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Crop::Oats => "oats",
            Crop::Wheat => "wheat",
            Crop::Potatoes => "potatoes",
        }
    }
}

/// What people have built in a hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Settlement {
    /// A village; no effect on combat.
    Village,
    /// A town without a depot.
    Town,
    /// A Center, of roads and trade; not a counter.
    Center,
    /// A town with a printed depot.
    DepotTown,
    /// A primary town.
    PrimaryTown,
    /// A city.
    City,
    /// A capital city: a fortification.
    Capital,
    /// A fortified town: a fortification that is never under siege.
    FortifiedTown,
    /// A city or town with a citadel: a fortification.
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
    /// A primary river with a ford.
    Ford,
    /// A primary river.
    Primary,
    /// The shore of a lake that runs along hexsides.
    Lake,
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
    /// Crests by the hexside they run along.
    pub crests: BTreeSet<Hexside>,
    /// Hexes of a crest where crests are hexes; their ground is mountain.
    pub crest_hexes: BTreeSet<Hex>,
    /// Wooded ones of these.
    pub wooded: BTreeSet<Hex>,
    /// The main crop of each hex, where the map has regions of them.
    pub crops: BTreeMap<Hex, Crop>,
    /// The same as a grid, once the map is finished.
    grid: Option<grid::Grid>,
    /// Primary rivers and roads as the theatre sheet draws them, once the map is finished.
    lines: Option<draw::Lines>,
}

impl HexMap {
    /// A map of so many columns and rows, without ground.
    pub fn new(columns: i16, rows: i16) -> HexMap {
        HexMap { columns, rows, ..HexMap::default() }
    }

    /// The map finished: from now on it is looked up in a grid, and must not be changed.
    pub fn finished(mut self) -> HexMap {
        self.grid = Some(grid::Grid::of(&self));
        self.lines = Some(draw::Lines::of(&self));
        self
    }

    /// Primary rivers and roads in the lines of the theatre sheet.
    fn lines(&self) -> Cow<'_, draw::Lines> {
        self.lines.as_ref().map_or_else(|| Cow::Owned(draw::Lines::of(self)), Cow::Borrowed)
    }

    /// Whether a hex is on the map.
    pub fn contains(&self, hex: Hex) -> bool {
        self.grid.as_ref().map_or_else(|| self.ground.contains_key(&hex), |grid| grid.contains(hex))
    }

    /// The ground of a hex of the map.
    pub fn ground_of(&self, hex: Hex) -> Option<Ground> {
        self.grid.as_ref().map_or_else(|| self.ground.get(&hex).copied(), |grid| grid.ground(hex))
    }

    /// What is built in a hex.
    pub fn settlement_of(&self, hex: Hex) -> Option<Settlement> {
        self.grid.as_ref().map_or_else(|| self.settlements.get(&hex).copied(), |grid| grid.settlement(hex))
    }

    /// What lies between two hexes; nothing where they are not adjacent.
    pub fn side(&self, a: Hex, b: Hex) -> Side {
        a.dir_to(b).map_or(Side::default(), |dir| self.side_in(a, dir))
    }

    /// What lies between a hex and its neighbour in a direction.
    pub fn side_in(&self, a: Hex, dir: Dir) -> Side {
        let found = match &self.grid {
            // A side at the map's edge is kept by the hex that is on the map.
            Some(grid) => grid.side(a, dir).or_else(|| grid.side(a.neighbour(dir), dir.opposite())),
            None => None,
        };
        found.unwrap_or_else(|| {
            let edge = Hexside::new(a, dir);
            Side {
                road: self.roads.get(&edge).copied(),
                river: self.rivers.get(&edge).copied(),
                bridge: self.bridges.contains(&edge),
            }
        })
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
        self.side(a, b).road
    }

    /// Whether a road leads through a hex.
    pub fn on_road(&self, hex: Hex) -> bool {
        self.neighbours(hex).into_iter().any(|near| self.road(hex, near).is_some())
    }

    /// The river between two adjacent hexes.
    pub fn river(&self, a: Hex, b: Hex) -> Option<River> {
        self.side(a, b).river
    }

    /// Whether a bridge is printed between two adjacent hexes.
    pub fn bridge(&self, a: Hex, b: Hex) -> bool {
        self.side(a, b).bridge
    }

    /// The name printed at a hex, if any.
    pub fn name(&self, hex: Hex) -> Option<&str> {
        self.places.get(&hex).map(|p| p.name.as_str())
    }
}
