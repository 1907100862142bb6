//! AP Pool (¶94-100) and Communications Table (¶75-89, 103-106).

use crate::rules::campaigns::tables::chart::{Chart, falls, nearest, rises, unbroken};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// AP Pool: Administrative Points by two dice and length of the line of communications (¶96).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ApPool {
    columns: Vec<i32>,
    rows: BTreeMap<i32, Vec<i32>>,
    modifiers: ApModifiers,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ApModifiers {
    commander_at_center: i32,
    worse_source: usize,
}

/// Communications Table: limits of lines and dispatches (¶81, 86, 89).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Communications {
    /// Greatest effective length of a line of communications in hexes (¶81).
    pub max_loc: i32,
    /// Hexes that each depot on the line saves (¶89).
    pub depot_reduction: i32,
    /// Dispatch distance in MP (¶86).
    pub dispatch_mp: i32,
    /// The same of sides that have one of their own.
    #[serde(default)]
    pub dispatch_of: BTreeMap<String, i32>,
    /// The greatest line of sides that have one of their own (¶81).
    #[serde(default)]
    pub max_loc_of: BTreeMap<String, i32>,
    /// Whether a change of source is settled by a die, and that of each turn (¶104); it is sure where this is left out.
    #[serde(default)]
    pub change_die: Option<ChangeDie>,
    /// AP that a change of the active source costs (¶103).
    pub change_source_ap: i32,
    /// AP that disbanding the center costs (¶106).
    pub disband_center_ap: i32,
    /// Turns that a disbanded center stays away (¶106).
    pub disband_turns: u32,
}

/// ¶104 The die of a change of source.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeDie {
    /// The highest modified die that completes it.
    pub success_max: i32,
    /// What each turn waited adds to the die.
    pub per_turn: i32,
}

impl ApPool {
    /// ¶96 Points for the sum of two dice over a line of `length` effective hexes, from a worse source or not (¶75);
    /// `None` where the line is too long.
    pub fn income(&self, length: i32, dice: i32, worse_source: bool) -> Option<i32> {
        self.shifted(length, dice, if worse_source { self.modifiers.worse_source } else { 0 }, 0)
    }

    /// ¶75, 96 The same in a column so many places to the right, or to the left where it is below 0.
    pub fn shifted(&self, length: i32, dice: i32, columns: usize, better: usize) -> Option<i32> {
        let column = self.columns.iter().position(|&upto| length <= upto)?;
        let row = nearest(&self.rows, dice)?;
        row.get((column + columns).saturating_sub(better).min(row.len().saturating_sub(1))).copied()
    }

    /// ¶75 Columns lost by a worse source.
    pub fn worse_source(&self) -> usize {
        self.modifiers.worse_source
    }

    /// ¶99 Points added while the army commander is at his center.
    pub fn commander_bonus(&self) -> i32 {
        self.modifiers.commander_at_center
    }
}

impl Communications {
    /// ¶89 Effective length of a line of so many hexes over so many depots; may be negative.
    pub fn effective(&self, hexes: i32, depots: i32) -> i32 {
        hexes - self.depot_reduction * depots
    }

    /// ¶81 Whether a line of so many effective hexes is within the limit.
    pub fn in_reach(&self, effective: i32) -> bool {
        effective <= self.max_loc
    }
}

impl Chart for ApPool {
    const NAME: &'static str = "ap_pool";

    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if !unbroken(&self.rows) || self.rows.keys().next() != Some(&2) || self.rows.keys().next_back() != Some(&12) {
            faults.push("P-AP-1: rows must run from 2 to 12".to_owned());
        }
        for (dice, row) in &self.rows {
            if row.len() != self.columns.len() || !falls(row) {
                faults.push(format!("P-AP-2: the row of {dice} must have one entry a column, never rising"));
            }
            if self.rows.get(&(dice + 1)).is_some_and(|next| !super::chart::below(row, next)) {
                faults.push(format!("P-AP-1: the row of {} must not be below that of {dice}", dice + 1));
            }
            if row.iter().any(|&n| n < 0) {
                faults.push(format!("P-AP-3: the row of {dice} must not be negative"));
            }
        }
        let strict = self.columns.windows(2).all(|w| w.first() < w.last());
        if self.columns.is_empty() || !strict || !rises(&self.columns) || self.columns.first().is_some_and(|&c| c < 0) {
            faults.push("P-AP-4: columns must rise from 0".to_owned());
        }
        faults
    }
}

impl ApPool {
    /// Greatest length that still has a column.
    pub fn reach(&self) -> i32 {
        self.columns.last().copied().unwrap_or(0)
    }
}

impl Chart for Communications {
    const NAME: &'static str = "communications";

    fn faults(&self) -> Vec<String> {
        let limits = [self.max_loc, self.depot_reduction, self.dispatch_mp];
        let costs = [self.change_source_ap, self.disband_center_ap];
        let own = self.dispatch_of.values().chain(self.max_loc_of.values()).all(|&n| n > 0);
        let sound = limits.iter().all(|&n| n > 0) && costs.iter().all(|&n| n >= 0) && own;
        if sound { Vec::new() } else { vec!["P-COM-1: limits must be above 0, costs at least 0".to_owned()] }
    }
}
