//! Drawing of hex maps in text.
//!
//! A [`Chart`] is what one side may see on its map; whoever makes a page fills it from that side's view, never from
//! truth. Three drawings are made of it: the [`theatre`] (one character a column, one line for two rows, so that the
//! proportions are true), the [`lattice`] (hex ids with the roads drawn from id to id, from which orders are read
//! off) and the [`strip`] (an itinerary with running costs, for screens where no drawing survives). All drawings are
//! ASCII, begin each line with two blanks and never end one in a blank.

mod brick;
mod lattice;
mod legend;
mod names;
pub mod plate;
mod sheet;
mod strip;
mod theatre;
mod window;

pub use brick::brick;
pub use lattice::lattice;
pub use legend::{brick_legend, lattice_legend, long_legend, theatre_legend};
pub use names::short_name;
pub use strip::{strip, strip_phone};
pub use theatre::{Lines, theatre};
pub use window::{CloseUp, Window, lattice_windows, plate_window, theatre_window};

use super::HexMap;
use crate::hex::{Hex, Hexside};
use std::collections::{BTreeMap, BTreeSet};

/// The forces of a side in one hex, as its own maps show them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnToken {
    /// Three capitals of the leader highest in the Organization Display, such as `LAN` or `MC1`.
    pub code: String,
    /// The letter of his row in the Display.
    pub letter: char,
    /// Whether other forces of the side stand there too (vedettes do not count).
    pub more: bool,
}

/// An enemy counter that has gone out of sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ghost {
    /// Its number in the enemy table.
    pub number: u32,
    /// Turns since it was last seen.
    pub age: u32,
}

/// What one side may see on its map.
#[derive(Clone, Debug)]
pub struct Chart<'a> {
    /// The printed map, which is public.
    pub map: &'a HexMap,
    /// Bridges and trestles that are down.
    pub damaged: BTreeSet<Hexside>,
    /// Pontoons, and trestles that are not down.
    pub spans: BTreeSet<Hexside>,
    /// Redoubt hexsides, and whether the redoubt is finished.
    pub redoubts: BTreeMap<Hexside, bool>,
    /// The side's own forces.
    pub own: BTreeMap<Hex, OwnToken>,
    /// The side's own vedettes, by number.
    pub own_vedettes: BTreeMap<Hex, Vec<u32>>,
    /// Enemy counters in sight, by their numbers in the enemy table.
    pub enemy: BTreeMap<Hex, Vec<u32>>,
    /// Enemy counters last seen on an earlier turn.
    pub ghosts: BTreeMap<Hex, Vec<Ghost>>,
    /// Hexes never in view this game.
    pub unseen: BTreeSet<Hex>,
    /// Hexes next to an enemy counter that is not known to be a vedette.
    pub zones: BTreeSet<Hex>,
    /// The side's own center of operations.
    pub centers: Vec<Hex>,
    /// Hexsides over which the side's line of communication runs.
    pub loc: Vec<Hexside>,
    /// SP of the side's own forces in a hex, all told; only drawn pictures show them.
    pub strength: BTreeMap<Hex, i32>,
    /// All of the side's own forces in a hex, each by its code and with its SP; only drawn pictures show them.
    pub stacks: BTreeMap<Hex, Vec<(String, i32)>>,
    /// What an enemy counter is taken for, by its number; only drawn pictures show it.
    pub titles: BTreeMap<u32, String>,
}

impl<'a> Chart<'a> {
    /// The printed map with nothing on it.
    pub fn new(map: &'a HexMap) -> Chart<'a> {
        Chart {
            map,
            damaged: BTreeSet::new(),
            spans: BTreeSet::new(),
            redoubts: BTreeMap::new(),
            own: BTreeMap::new(),
            own_vedettes: BTreeMap::new(),
            enemy: BTreeMap::new(),
            ghosts: BTreeMap::new(),
            unseen: BTreeSet::new(),
            zones: BTreeSet::new(),
            centers: Vec::new(),
            loc: Vec::new(),
            strength: BTreeMap::new(),
            stacks: BTreeMap::new(),
            titles: BTreeMap::new(),
        }
    }

    /// What is down, and what else leads over a river: pontoons, and trestles that stand.
    pub fn bridging(
        &mut self,
        damaged: &BTreeSet<Hexside>,
        pontoons: impl IntoIterator<Item = Hexside>,
        trestles: &BTreeSet<Hexside>,
    ) {
        self.damaged = damaged.clone();
        self.spans = trestles.difference(damaged).copied().chain(pontoons).collect();
    }

    /// The hexsides of redoubts, each with whether it is finished.
    pub fn fronts<'r>(&mut self, redoubts: impl IntoIterator<Item = (&'r BTreeSet<Hexside>, bool)>) {
        for (faces, finished) in redoubts {
            self.redoubts.extend(faces.iter().map(|face| (*face, finished)));
        }
    }

    /// Several forces of one's own in a hex, in words, with their sum: `MUR 4, SOU 25, LAN 10: 39 in all`.
    pub fn stacked(&self, hex: Hex) -> Option<String> {
        let stack = self.stacks.get(&hex).filter(|stack| stack.len() > 1)?;
        let all: Vec<String> = stack.iter().map(|(code, sp)| format!("{code} {sp}")).collect();
        let sum: i32 = stack.iter().map(|(_, sp)| sp).sum();
        Some(format!("{}: {sum} in all", all.join(", ")))
    }

    /// Whether a piece, own or enemy, seen now or before, stands in a hex.
    pub fn occupied(&self, hex: Hex) -> bool {
        self.own.contains_key(&hex)
            || self.own_vedettes.contains_key(&hex)
            || self.enemy.contains_key(&hex)
            || self.ghosts.contains_key(&hex)
    }
}
