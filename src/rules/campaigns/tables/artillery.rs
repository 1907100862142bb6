//! Artillery Fire Table (¶300 step 5, 340, 343-349).

use super::{Conditions, Weather};
use crate::rules::campaigns::tables::chart::{Chart, below, nearest, nth, rises, unbroken};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Artillery Fire Table: enemy SP lost by SP of artillery and die (¶300 step 5).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArtilleryFire {
    columns: Vec<(i32, i32)>,
    rows: BTreeMap<i32, Vec<i32>>,
    /// Die modifiers.
    pub modifiers: ArtilleryModifiers,
}

/// Die modifiers of the Artillery Fire Table.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArtilleryModifiers {
    /// Cavalry of at least two SP, 2 to 1 (¶340).
    pub cavalry_2_to_1: i32,
    /// Each star of the leader (¶46).
    pub star: i32,
    /// Target hex of 30 to 39 SP (¶347).
    pub target_30: i32,
    /// Target hex of 40 SP and more (¶347).
    pub target_40: i32,
    /// Rain (¶343).
    pub rain: i32,
    /// Mud (¶344).
    pub mud: i32,
    /// Snow (¶345).
    pub snow: i32,
    /// Target in mountain (¶348).
    pub mountain: i32,
}

impl ArtilleryFire {
    /// ¶300 step 5 SP that the target loses; `sp` of artillery fire (doubled for Batteries Forward), at a modified die.
    pub fn fire(&self, sp: i32, die: i32) -> i32 {
        if sp <= 0 {
            return 0;
        }
        let column = self.columns.iter().position(|(_, upto)| sp <= *upto).unwrap_or(self.columns.len());
        nearest(&self.rows, die).map_or(0, |row| nth(row, column))
    }

    /// ¶343-345 What the weather adds to the die.
    pub fn weather(&self, weather: &Conditions) -> i32 {
        let m = &self.modifiers;
        let states = [(Weather::Rain, m.rain), (Weather::Mud, m.mud), (Weather::Snow, m.snow)];
        states.iter().filter(|(state, _)| weather.has(*state)).map(|(_, n)| n).sum()
    }

    /// ¶347 What the size of the target hex adds to the die.
    pub fn target(&self, sp: i32) -> i32 {
        match sp {
            40.. => self.modifiers.target_40,
            30.. => self.modifiers.target_30,
            _ => 0,
        }
    }
}

impl Chart for ArtilleryFire {
    const NAME: &'static str = "artillery_fire";

    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let tiled = self.columns.iter().zip(self.columns.iter().skip(1)).all(|(a, b)| a.1 + 1 == b.0);
        if !tiled || self.columns.first().map(|c| c.0) != Some(1) {
            faults.push("P-ART-1: columns must run from 1 SP without gap or overlap".to_owned());
        }
        if !unbroken(&self.rows) {
            faults.push("P-ART-2: rows must run on by ones".to_owned());
        }
        for (die, row) in &self.rows {
            if row.len() != self.columns.len() || !rises(row) {
                faults.push(format!("P-ART-1: die {die}: one entry for each column, never falling"));
            }
            if self.rows.get(&(die + 1)).is_some_and(|higher| !below(higher, row)) {
                faults.push(format!("P-ART-2: die {die}: a higher die must not hit more"));
            }
            if row.first().is_some_and(|&n| n > 1) || row.iter().any(|&n| n < 0) {
                faults.push(format!("P-ART-3: die {die}: one SP destroys at most one, and none is negative"));
            }
        }
        if self.fire(999, 7) != 0 {
            faults.push("P-ART-4: a modified 7 must be 0".to_owned());
        }
        faults
    }
}
