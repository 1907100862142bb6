//! Initiative Comparison Matrix (¶196, 391) and Cavalry Differential Modifier Table (¶198-199).

use super::{Conditions, Weather};
use crate::rules::campaigns::tables::chart::{Chart, falls, nearest, nth, rises, unbroken};
use crate::yaml::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Initiative Comparison Matrix: the Resistance Modifier of one leader against another (¶196).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InitiativeComparison {
    matrix: BTreeMap<i32, Vec<i32>>,
    exit: WeatherModifiers,
    pursuit: WeatherModifiers,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WeatherModifiers {
    rain: i32,
    snow: i32,
}

/// Cavalry Differential Modifier Table (¶198-199).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CavalryDifferential {
    ratios: Vec<RatioRow>,
    max: i32,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RatioRow {
    at_least: Decimal,
    modifier: i32,
}

impl InitiativeComparison {
    /// ¶196 The Resistance Modifier of active against passive Initiative; ratings off the matrix read as the nearest.
    pub fn comparison(&self, active: i32, passive: i32) -> i32 {
        let place = usize::try_from(passive - 1).unwrap_or(0);
        nearest(&self.matrix, active).map_or(0, |row| nth(row, place))
    }

    /// ¶196-199, 207, 210 The modifier to leave a ZOC. `cavalry` is the mover's differential: where it is positive it
    /// takes a hindrance away, otherwise it changes nothing; the sum is never below 0.
    pub fn exit(&self, active: i32, passive: i32, weather: &Conditions, cavalry: i32) -> i32 {
        let base = self.comparison(active, passive) + self.exit.of(weather);
        (base - cavalry.max(0)).max(0)
    }

    /// ¶343, 345, 391 The resistance modifier of a pursuit, before cavalry.
    pub fn pursuit(&self, active: i32, passive: i32, weather: &Conditions) -> i32 {
        self.comparison(active, passive) + self.pursuit.of(weather)
    }
}

impl WeatherModifiers {
    fn of(&self, weather: &Conditions) -> i32 {
        let add = |state, n| if weather.has(state) { n } else { 0 };
        add(Weather::Rain, self.rain) + add(Weather::Snow, self.snow)
    }
}

impl CavalryDifferential {
    /// ¶198-199 The differential of `own` against `other` SP of cavalry: positive where `own` is stronger.
    pub fn modifier(&self, own: i32, other: i32) -> i32 {
        let (strong, weak) = (own.max(other).max(0), own.min(other).max(0));
        let size = if weak == 0 {
            strong
        } else {
            let reached = |row: &&RatioRow| strong * 10 >= row.at_least.tenths * weak;
            self.ratios.iter().find(reached).map_or(0, |row| row.modifier)
        };
        size.min(self.max) * (own - other).signum()
    }
}

impl Chart for InitiativeComparison {
    const NAME: &'static str = "initiative_comparison";

    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let width = self.matrix.len();
        if !unbroken(&self.matrix) || self.matrix.keys().next() != Some(&1) {
            faults.push("P-ICM-1: rows must run from Initiative 1 without a gap".to_owned());
        }
        for (active, row) in &self.matrix {
            if row.len() != width {
                faults.push(format!("P-ICM-1: the row of Initiative {active} must have {width} entries"));
            }
            if self.comparison(*active, *active) != 0 {
                faults.push(format!("P-ICM-1: {active} against {active} must be 0"));
            }
            if !rises(row) {
                faults.push(format!("P-ICM-2: the row of Initiative {active} must never fall"));
            }
        }
        for passive in 1..=i32::try_from(width).unwrap_or(0) {
            let column: Vec<i32> = self.matrix.keys().map(|a| self.comparison(*a, passive)).collect();
            if !falls(&column) {
                faults.push(format!("P-ICM-3: the column of Initiative {passive} must never rise"));
            }
        }
        if self.comparison(2, 3) != 1 {
            faults.push("P-ICM-4: 2 against 3 must be +1 (¶196)".to_owned());
        }
        if self.comparison(4, 2) > 0 {
            faults.push("P-ICM-5: 4 against 2 must not hinder (¶199)".to_owned());
        }
        faults
    }
}

impl Chart for CavalryDifferential {
    const NAME: &'static str = "cavalry_differential";

    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let ratios: Vec<i32> = self.ratios.iter().map(|r| r.at_least.tenths).collect();
        let sizes: Vec<i32> = self.ratios.iter().map(|r| r.modifier).collect();
        if sizes.iter().any(|&m| m < 0 || m > self.max) {
            faults.push(format!("P-CAV-1: every modifier must lie from 0 to {}", self.max));
        }
        if !falls(&ratios) || !falls(&sizes) {
            faults.push("P-CAV-2: ratios must stand from the greatest down, and modifiers with them".to_owned());
        }
        if ratios.last() != Some(&10) {
            faults.push("P-CAV-2: the last ratio must be 1".to_owned());
        }
        if self.modifier(4, 2) != 2 {
            faults.push("P-CAV-4: 4 SP against 2 SP must be 2 (¶410)".to_owned());
        }
        faults
    }
}
