//! Pursuit Table (¶380-394).

use crate::rules::campaigns::tables::chart::{Chart, below, falls, nearest, nth, unbroken};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Pursuit Table: hexes by Initiative, length of retreat and die (¶389).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pursuit {
    dice: Vec<i32>,
    /// Die modifiers.
    pub modifiers: PursuitModifiers,
    hexes: BTreeMap<i32, BTreeMap<i32, Vec<i32>>>,
}

/// Die modifiers of the Pursuit Table that do not come from another chart.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PursuitModifiers {
    /// Guard or reserve pursues; once (¶390).
    pub guard_or_reserve: i32,
}

impl Pursuit {
    /// ¶389, 392 Hexes of pursuit at a modified die, never more than the pursuer's SP.
    pub fn pursuit(&self, initiative: i32, retreat: i32, die: i32, pursuer_sp: i32) -> i32 {
        self.hexes(initiative, retreat, die).min(pursuer_sp).max(0)
    }

    /// ¶389 Hexes as printed; ratings, retreats and dice beyond the ends read as the ends.
    pub fn hexes(&self, initiative: i32, retreat: i32, die: i32) -> i32 {
        let first = self.dice.first().copied().unwrap_or(0);
        let place = usize::try_from(die - first).unwrap_or(0);
        let row = nearest(&self.hexes, initiative).and_then(|lengths| nearest(lengths, retreat));
        if retreat <= 0 { 0 } else { row.map_or(0, |row| nth(row, place)) }
    }
}

fn ends<V>(rows: &BTreeMap<i32, V>) -> (Option<i32>, Option<i32>) {
    (rows.keys().next().copied(), rows.keys().next_back().copied())
}

impl Chart for Pursuit {
    const NAME: &'static str = "pursuit";

    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if !self.dice.iter().zip(self.dice.iter().skip(1)).all(|(a, b)| a + 1 == *b) || self.dice.is_empty() {
            faults.push("P-PUR-1: dice must run on by ones".to_owned());
        }
        let from_to = |first, last| (Some(first), Some(last));
        let lengths = |l: &BTreeMap<i32, Vec<i32>>| unbroken(l) && ends(l) == from_to(1, 8);
        if !unbroken(&self.hexes) || ends(&self.hexes) != from_to(1, 5) || !self.hexes.values().all(lengths) {
            faults.push("P-PUR-2: there must be ratings 1 to 5, and in each lengths 1 to 8".to_owned());
        }
        for (rating, lengths) in &self.hexes {
            for (retreat, row) in lengths {
                let place = format!("Initiative {rating}, retreat {retreat}");
                if row.len() != self.dice.len() || !falls(row) {
                    faults.push(format!("P-PUR-1: {place}: one entry for each die, never rising"));
                }
                if row.iter().any(|&n| n < 0 || n > retreat + 2) {
                    faults.push(format!("P-PUR-7: {place}: every entry must lie from 0 to {}", retreat + 2));
                }
                let better = self.hexes.get(&(rating + 1)).and_then(|l| l.get(retreat));
                if better.is_some_and(|better| !below(row, better)) {
                    faults.push(format!("P-PUR-2: {place}: a better leader must not pursue less"));
                }
                if lengths.get(&(retreat + 1)).is_some_and(|longer| !below(row, longer)) {
                    faults.push(format!("P-PUR-3: {place}: a longer retreat must not be pursued less"));
                }
            }
        }
        if !self.hexes.values().flat_map(BTreeMap::values).flatten().any(|&n| n >= 8) {
            faults.push("P-PUR-4: some entry must reach 8 (¶392)".to_owned());
        }
        faults
    }
}
