//! The words that everybody says: keys of leaders, units and armies, arms, quality, halves, costs of a step.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A leader by its key in the scenario, such as `lannes`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LeaderId(pub String);

/// A combat unit by its key in the scenario, such as `suchet`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnitId(pub String);

/// One of several armies of a side by its key in the scenario, such as `silesia` (¶93).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ArmyId(pub String);

/// A quantity counted in halves: movement points, command spans, combat strengths (¶35, 213, 300 step 6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Halves(pub i32);

/// Costs of one step, by what marches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepCost {
    /// For infantry, artillery and trains.
    pub foot: Halves,
    /// For cavalry, leaders, vedettes and centers.
    pub horse: Halves,
}

impl StepCost {
    /// Nothing.
    pub const NONE: StepCost = StepCost { foot: Halves(0), horse: Halves(0) };
}

impl std::ops::Add for StepCost {
    type Output = StepCost;

    fn add(self, more: StepCost) -> StepCost {
        StepCost { foot: self.foot + more.foot, horse: self.horse + more.horse }
    }
}

/// The three arms (¶15).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Arm {
    /// Infantry.
    Infantry,
    /// Cavalry.
    Cavalry,
    /// Artillery.
    Artillery,
}

/// Quality that the rules name (¶270, 362).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Quality {
    /// Any line unit.
    Line,
    /// French Old Guard of any arm.
    OldGuard,
    /// French Young Guard infantry.
    YoungGuard,
}

/// ¶109, 118 What the name of a nationality bears in the pool where its points are for the Guard.
pub const GUARD: &str = " Guard";

impl Halves {
    /// Whole points.
    pub const fn whole(n: i32) -> Halves {
        Halves(n * 2)
    }

    /// Rounded up to whole points.
    pub fn ceil(self) -> i32 {
        self.0.div_euclid(2) + self.0.rem_euclid(2)
    }
}

impl fmt::Display for Halves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let n = self.0.abs();
        match (n / 2, n % 2) {
            (whole, 0) => write!(f, "{sign}{whole}"),
            (whole, _) => write!(f, "{sign}{whole}.5"),
        }
    }
}

impl std::ops::Add for Halves {
    type Output = Halves;
    fn add(self, other: Halves) -> Halves {
        Halves(self.0 + other.0)
    }
}

impl std::ops::Sub for Halves {
    type Output = Halves;
    fn sub(self, other: Halves) -> Halves {
        Halves(self.0 - other.0)
    }
}

impl std::iter::Sum for Halves {
    fn sum<I: Iterator<Item = Halves>>(iter: I) -> Halves {
        Halves(iter.map(|h| h.0).sum())
    }
}

impl fmt::Display for LeaderId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for ArmyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
