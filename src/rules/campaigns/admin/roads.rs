//! Lines along primary roads (¶80-82, 89-90): the shortest in effective length, which is not always the shortest.
//!
//! A depot on the way saves five hexes, so a longer road over more depots can be better; but a line never passes a hex
//! twice, or it would grow shorter with every turn round a depot. Ways are therefore kept by the depots they have passed.

use crate::hex::{Dir, Hex};
use crate::map::{Field, Road};
use crate::rules::campaigns::pieces::Loc;
use crate::rules::campaigns::situation::Situation;
use std::collections::{BTreeMap, BTreeSet};

/// Ways kept for one hex; more make no difference on any map, and each must be compared.
const WAYS_MOST: usize = 12;

/// A way from a source to a hex.
struct Way {
    hex: Hex,
    length: i32,
    depots: Passed,
    before: Option<usize>,
}

/// The depots on a way, each a bit; which, `Ways` knows.
#[derive(Clone, Default)]
struct Passed(Vec<u64>);

/// Every way worth keeping from one source.
struct Ways {
    all: Vec<Way>,
    by_hex: BTreeMap<Hex, Vec<usize>>,
    /// The bits of the depots, in the order in which they were met.
    bits: BTreeMap<Hex, usize>,
}

impl Passed {
    fn with(mut self, bit: usize) -> Passed {
        let word = bit / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        if let Some(bits) = self.0.get_mut(word) {
            *bits |= 1 << (bit % 64);
        }
        self
    }

    fn holds(&self, other: &Passed) -> bool {
        other.0.iter().enumerate().all(|(n, bits)| bits & !self.0.get(n).copied().unwrap_or(0) == 0)
    }

    fn count(&self) -> u32 {
        self.0.iter().map(|bits| bits.count_ones()).sum()
    }
}

impl Situation<'_> {
    /// ¶80-82, 89-90 The best line of communication from a source to a hex past barred hexes; `loc` remembers it.
    pub(in crate::rules::campaigns) fn best_line(&self, source: Hex, to: Hex, barred: &Field<bool>) -> Option<Loc> {
        let ways = self.ways(source, barred);
        let best = self.best(&ways, to)?;
        let way = ways.all.get(best)?;
        Some(Loc { path: ways.path(best), depots: way.depots.count(), effective: self.effective(way) })
    }

    /// ¶80, 90 Every depot that a source reaches past barred hexes; `depots_on_line` remembers them.
    pub(in crate::rules::campaigns) fn depots_from(&self, source: Hex, barred: &Field<bool>) -> Vec<Hex> {
        let ways = self.ways(source, barred);
        let depots = self.board.map.settlements.keys().copied().chain([source]).filter(|h| self.depot_terrain(*h));
        depots.filter(|h| self.best(&ways, *h).is_some()).collect()
    }

    /// ¶81, 89 The way to a hex of least effective length, if it is within the maximum.
    fn best(&self, ways: &Ways, to: Hex) -> Option<usize> {
        let mut found: Option<(i32, usize)> = None;
        for &at in ways.by_hex.get(&to)? {
            let Some(way) = ways.all.get(at) else { continue };
            let effective = self.effective(way);
            let within = effective <= self.board.policies.max_loc(&self.own.side);
            if within && found.is_none_or(|(least, _)| effective < least) {
                found = Some((effective, at));
            }
        }
        found.map(|(_, at)| at)
    }

    fn effective(&self, way: &Way) -> i32 {
        let depots = i32::try_from(way.depots.count()).unwrap_or(0);
        self.board.tables.communications.effective(way.length, depots).max(0)
    }

    /// ¶80 Whether a road out of a hex serves a line: a primary one, or a secondary one that the scenario names.
    fn line_road(&self, from: Hex, dir: Dir) -> bool {
        let named = &self.board.special.loc_roads;
        match self.road_in(from, dir) {
            Some(Road::Primary) => true,
            Some(Road::Secondary) => named.contains(&from) && named.contains(&from.neighbour(dir)),
            None => false,
        }
    }

    /// ¶205 Hexes that one hex of road counts for the length of a line.
    fn line_hexes(&self) -> i32 {
        if self.mire().is_some() { 2 } else { 1 }
    }

    /// ¶89-90 Every depot on the way saves five hexes: one as printed, or a possible source. The Center of Operations is none.
    fn ways(&self, source: Hex, barred: &Field<bool>) -> Ways {
        let mut ways = Ways { all: Vec::new(), by_hex: BTreeMap::new(), bits: BTreeMap::new() };
        let open = |hex: Hex| self.board.map.contains(hex) && barred.get(hex) == Some(false);
        if !open(source) {
            return ways;
        }
        let start = Way { hex: source, length: 0, depots: Passed::default(), before: None };
        let mut queue = BTreeSet::from([(0, source, ways.keep(start))]);
        while let Some((length, hex, at)) = queue.pop_first() {
            for dir in Dir::ALL {
                let next = hex.neighbour(dir);
                if !self.line_road(hex, dir) || !open(next) || ways.passes(at, next) {
                    continue;
                }
                let depots = ways.all.get(at).map(|w| w.depots.clone()).unwrap_or_default();
                let depots = if self.depot_terrain(next) { depots.with(ways.bit(next)) } else { depots };
                let length = length + self.line_hexes();
                if ways.worth(next, length, &depots) {
                    let way = Way { hex: next, length, depots, before: Some(at) };
                    queue.insert((length, next, ways.keep(way)));
                }
            }
        }
        ways
    }
}

impl Ways {
    fn keep(&mut self, way: Way) -> usize {
        let at = self.all.len();
        self.by_hex.entry(way.hex).or_default().push(at);
        self.all.push(way);
        at
    }

    fn bit(&mut self, depot: Hex) -> usize {
        let next = self.bits.len();
        *self.bits.entry(depot).or_insert(next)
    }

    /// Whether a new way to a hex beats every one that is kept. Ways come in order of length, so a kept one is never
    /// longer.
    fn worth(&self, hex: Hex, length: i32, depots: &Passed) -> bool {
        let Some(kept) = self.by_hex.get(&hex) else { return true };
        let beaten = |at: &usize| self.all.get(*at).is_some_and(|w| w.length <= length && w.depots.holds(depots));
        kept.len() < WAYS_MOST && !kept.iter().any(beaten)
    }

    fn passes(&self, at: usize, hex: Hex) -> bool {
        self.back(at).any(|w| w.hex == hex)
    }

    fn back(&self, at: usize) -> impl Iterator<Item = &Way> {
        std::iter::successors(self.all.get(at), |way| way.before.and_then(|b| self.all.get(b)))
    }

    fn path(&self, at: usize) -> Vec<Hex> {
        let mut path: Vec<Hex> = self.back(at).map(|w| w.hex).collect();
        path.reverse();
        path
    }
}
