//! Ways over the map for pieces that would rather not be stopped.

use super::Mind;
use crate::hex::Hex;
use crate::rules::campaigns::board::Halves;
use crate::rules::campaigns::march::column::Column;
use crate::rules::campaigns::stands::Firm;
use pathfinding::prelude::astar;
use std::collections::{BTreeMap, BTreeSet};

/// MP that it costs to leave an enemy zone (¶238).
const EXIT: i32 = 2;

/// What a step into an enemy zone is feared to cost, in half MP.
const FEAR: i32 = 6;

impl Mind<'_> {
    /// Whether a hex lies in the zone of a counter that may be a force.
    pub fn in_zone(&self, hex: Hex) -> bool {
        self.sit.zones_on(hex).iter().any(|(_, firm)| *firm != Firm::No)
    }

    /// The cheapest way to a hex round enemy counters, both ends included; the end may hold one.
    pub fn way(&self, from: Hex, to: Hex, horse: bool) -> Option<Vec<Hex>> {
        let onward = |hex: &Hex| -> Vec<(Hex, i32)> {
            let here = *hex;
            let near = self.v.board.map.neighbours(here).into_iter();
            near.filter(|next| *next == to || !self.sit.enemy.contains_key(next))
                .filter_map(|next| {
                    let cost = self.sit.step(here, next, true)?;
                    let fear = if next != to && self.in_zone(next) { FEAR } else { 0 };
                    Some((next, fear + if horse { cost.horse.0 } else { cost.foot.0 }))
                })
                .collect()
        };
        let least = |hex: &Hex| i32::try_from(hex.distance(to)).unwrap_or(i32::MAX);
        astar(&from, onward, least, |hex| *hex == to).map(|(path, _)| path)
    }

    /// Hexes to which a column can come in one march, each with the one before it: the first enemy zone ends it, and none
    /// leads into another (¶236, 238).
    pub fn reach(&self, from: Hex, column: &Column) -> BTreeMap<Hex, Hex> {
        let mut start = column.clone();
        let held = self.in_zone(from);
        if held {
            start.wait(Halves::whole(EXIT));
        }
        let mut before = BTreeMap::new();
        let mut best = BTreeMap::from([(from, start)]);
        let mut open = BTreeSet::from([(Halves(0), from)]);
        while let Some((_, here)) = open.pop_first() {
            let Some(column) = best.get(&here).cloned() else { continue };
            if here != from && self.in_zone(here) {
                continue;
            }
            for next in self.v.board.map.neighbours(here) {
                let Some(cost) = self.sit.step(here, next, here != from) else { continue };
                let barred = self.sit.enemy.contains_key(&next) || (held && here == from && self.in_zone(next));
                if barred || !column.can_pay(cost) {
                    continue;
                }
                let mut after = column.clone();
                after.pay(cost);
                if best.get(&next).is_none_or(|known| after.march() < known.march()) {
                    open.insert((after.march(), next));
                    best.insert(next, after);
                    before.insert(next, here);
                }
            }
        }
        before
    }

    /// The part of a way that a column can march: not into a hex with an enemy counter, into a zone only as its last
    /// step and only if `bold`.
    pub fn part(&self, way: &[Hex], column: &Column, bold: bool) -> Vec<Hex> {
        let mut column = column.clone();
        let mut found: Vec<Hex> = way.first().copied().into_iter().collect();
        for (here, next) in way.iter().zip(way.iter().skip(1)) {
            let Some(cost) = self.sit.step(*here, *next, found.len() > 1) else { break };
            let zone = self.in_zone(*next);
            if self.sit.enemy.contains_key(next) || !column.can_pay(cost) || (zone && !bold) {
                break;
            }
            column.pay(cost);
            found.push(*next);
            if zone {
                break;
            }
        }
        found
    }

    /// A line over the longest part of a way that would be taken; `None` where none would.
    pub fn longest(&self, way: &[Hex], line: impl Fn(&str) -> String) -> Option<String> {
        (2..=way.len()).rev().find_map(|n| {
            let hexes: Vec<String> = way.iter().take(n).map(Hex::to_string).collect();
            Some(line(&hexes.join(" "))).filter(|line| self.binds(line))
        })
    }
}
