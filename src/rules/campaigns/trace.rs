//! Ways of lines of communication from one source (¶80-82, 89-90): what is kept of each, and which beats which.
//!
//! A depot on the way saves five hexes, so a longer road over more depots can be better; but a line never passes a hex
//! twice, or it would grow shorter with every turn round a depot. Ways are therefore kept by the depots they have passed.

use crate::hex::Hex;
use crate::map::{Field, HexMap};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Ways kept for one hex; more make no difference on any map, and each must be compared.
const WAYS_MOST: usize = 12;

/// A way from a source to a hex.
pub(super) struct Way {
    pub(super) hex: Hex,
    /// In hexes, as the weather counts them.
    pub(super) length: i32,
    pub(super) depots: Passed,
    /// The way that this one goes on from.
    pub(super) before: Option<usize>,
    /// The way to the same hex that was kept before this one.
    older: Option<usize>,
}

/// The depots on a way, each a bit; which, `Ways` knows.
#[derive(Clone, Default)]
pub(super) struct Passed(Arc<Vec<u64>>);

/// Every way worth keeping from one source.
pub struct Ways {
    all: Vec<Way>,
    /// The last that was kept for a hex.
    last: Field<Option<usize>>,
    /// The bits of the depots, in the order in which they were met.
    bits: BTreeMap<Hex, usize>,
}

impl Passed {
    pub(super) fn with(mut self, bit: usize) -> Passed {
        let word = bit / 64;
        let words = Arc::make_mut(&mut self.0);
        if words.len() <= word {
            words.resize(word + 1, 0);
        }
        if let Some(bits) = words.get_mut(word) {
            *bits |= 1 << (bit % 64);
        }
        self
    }

    fn holds(&self, other: &Passed) -> bool {
        other.0.iter().enumerate().all(|(n, bits)| bits & !self.0.get(n).copied().unwrap_or(0) == 0)
    }

    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|bits| bits.count_ones()).sum()
    }
}

impl Way {
    /// A way that begins.
    pub(super) fn from(hex: Hex) -> Way {
        Way { hex, length: 0, depots: Passed::default(), before: None, older: None }
    }

    /// The way, gone on into the next hex: its length then, and the depots on it.
    pub(super) fn on(before: usize, (hex, length): (Hex, i32), depots: Passed) -> Way {
        Way { hex, length, depots, before: Some(before), older: None }
    }
}

impl Ways {
    /// None yet.
    pub(super) fn new(map: &HexMap) -> Ways {
        Ways { all: Vec::new(), last: Field::new(map, None), bits: BTreeMap::new() }
    }

    /// A way by its number.
    pub(super) fn get(&self, at: usize) -> Option<&Way> {
        self.all.get(at)
    }

    /// Keeps a way; its number.
    pub(super) fn keep(&mut self, way: Way) -> usize {
        let at = self.all.len();
        let older = self.last.get(way.hex).flatten();
        self.last.set(way.hex, Some(at));
        self.all.push(Way { older, ..way });
        at
    }

    /// The ways to a hex, each with its number, the last kept first.
    pub(super) fn to(&self, hex: Hex) -> impl Iterator<Item = (usize, &Way)> {
        let way = |at: usize| self.all.get(at).map(|way| (at, way));
        std::iter::successors(self.last.get(hex).flatten().and_then(way), move |(_, later)| later.older.and_then(way))
    }

    /// The bit of a depot.
    pub(super) fn bit(&mut self, depot: Hex) -> usize {
        let next = self.bits.len();
        *self.bits.entry(depot).or_insert(next)
    }

    /// Whether a new way to a hex beats every one that is kept. Ways come in order of length, so a kept one is never
    /// longer.
    pub(super) fn worth(&self, hex: Hex, length: i32, depots: &Passed) -> bool {
        let beaten = |way: &Way| way.length <= length && way.depots.holds(depots);
        self.to(hex).count() < WAYS_MOST && !self.to(hex).any(|(_, way)| beaten(way))
    }

    /// Whether a way has passed a hex.
    pub(super) fn passes(&self, at: usize, hex: Hex) -> bool {
        self.back(at).any(|w| w.hex == hex)
    }

    fn back(&self, at: usize) -> impl Iterator<Item = &Way> {
        std::iter::successors(self.all.get(at), |way| way.before.and_then(|b| self.all.get(b)))
    }

    /// The hexes of a way, from the source on.
    pub(super) fn path(&self, at: usize) -> Vec<Hex> {
        let mut path: Vec<Hex> = self.back(at).map(|w| w.hex).collect();
        path.reverse();
        path
    }
}
