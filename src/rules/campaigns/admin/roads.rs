//! Lines along primary roads (¶80-82, 89-90): the shortest in effective length, which is not always the shortest.

use crate::hex::{Dir, Hex};
use crate::map::{Field, Road};
use crate::rules::campaigns::lanes::Tolls;
use crate::rules::campaigns::pieces::Loc;
use crate::rules::campaigns::situation::Situation;
use crate::rules::campaigns::trace::{Way, Ways};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

impl Situation<'_> {
    /// ¶80-82, 89-90 The best line of communication to a hex by the ways from a source.
    pub(in crate::rules::campaigns) fn best_line(&self, ways: &Ways, to: Hex) -> Option<Loc> {
        let best = self.best(ways, to)?;
        let way = ways.get(best)?;
        Some(Loc { path: ways.path(best), depots: way.depots.count(), effective: self.effective(way) })
    }

    /// ¶80, 90 Every depot that a source reaches by its ways; `depots_on_line` remembers them.
    pub(in crate::rules::campaigns) fn depots_from(&self, source: Hex, ways: &Ways) -> Vec<Hex> {
        let depots = self.board.map.settlements.keys().copied().chain([source]).filter(|h| self.depot_terrain(*h));
        depots.filter(|h| self.best(ways, *h).is_some()).collect()
    }

    /// ¶81, 89 The way to a hex of least effective length, if it is within the maximum.
    fn best(&self, ways: &Ways, to: Hex) -> Option<usize> {
        let most = self.board.policies.max_loc(&self.own.side);
        let within = ways.to(to).map(|(at, way)| (self.effective(way), at)).filter(|(effective, _)| *effective <= most);
        // Of equal ones that which was found first.
        within.min().map(|(_, at)| at)
    }

    fn effective(&self, way: &Way) -> i32 {
        let depots = i32::try_from(way.depots.count()).unwrap_or(0);
        self.board.tables.communications.effective(way.length, depots).max(0)
    }

    /// ¶80 Whether a road out of a hex serves a line: a primary one, or a secondary one that the scenario names.
    fn line_road(&self, tolls: &Tolls, from: Hex, dir: Dir) -> bool {
        let named = &self.board.special.loc_roads;
        match tolls.over(from, dir).road {
            Some(Road::Primary) => true,
            Some(Road::Secondary) => named.contains(&from) && named.contains(&from.neighbour(dir)),
            None => false,
        }
    }

    /// ¶205 Hexes that one hex of road counts for the length of a line.
    fn line_hexes(&self) -> i32 {
        if self.mire().is_some() { 2 } else { 1 }
    }

    /// ¶89-90 Every way worth keeping from a source past barred hexes; `ways_from` remembers them. Every depot on the way saves five
    /// hexes: one as printed, or a possible source. The Center of Operations is none.
    pub(in crate::rules::campaigns) fn ways(&self, source: Hex, barred: &Field<bool>) -> Ways {
        let map = &self.board.map;
        let mut ways = Ways::new(map);
        let tolls = self.tolls();
        let open = |hex: Hex| map.contains(hex) && barred.get(hex) == Some(false);
        if !open(source) {
            return ways;
        }
        let mut queue = BinaryHeap::from([Reverse((0, source, ways.keep(Way::from(source))))]);
        while let Some(Reverse((length, hex, at))) = queue.pop() {
            for dir in Dir::ALL {
                let next = hex.neighbour(dir);
                if !self.line_road(&tolls, hex, dir) || !open(next) || ways.passes(at, next) {
                    continue;
                }
                let depots = ways.get(at).map(|w| w.depots.clone()).unwrap_or_default();
                let depots = if self.depot_terrain(next) { depots.with(ways.bit(next)) } else { depots };
                let length = length + self.line_hexes();
                if ways.worth(next, length, &depots) {
                    let way = Way::on(at, (next, length), depots);
                    queue.push(Reverse((length, next, ways.keep(way))));
                }
            }
        }
        ways
    }
}
