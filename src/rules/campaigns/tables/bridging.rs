//! Bridging Summary (¶251-260).

use super::Chart;
use crate::map::River;
use schemars::JsonSchema;
use serde::Deserialize;

/// Bridging Summary: whole movement points of bridge work (¶251-260).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bridging {
    damage: ByRiver,
    repair: ByRiver,
    repair_enemy_adjacent_extra: ByRiver,
    all_cavalry_may: CavalryMay,
    /// Pontoon work.
    pub pontoon: PontoonWork,
    /// Bridge trains.
    pub train: TrainWork,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ByRiver {
    primary: i32,
    secondary: i32,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CavalryMay {
    primary: bool,
    secondary: bool,
}

/// MP of pontoon work; deploying with an enemy adjacent takes the full allowance (¶258).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PontoonWork {
    /// Deploying (¶258).
    pub deploy: i32,
    /// Removing (¶259).
    pub remove: i32,
    /// Capturing (¶260).
    pub capture: i32,
}

/// MP of handling a bridge train (¶260).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrainWork {
    /// Taking a train along.
    pub pick_up: i32,
    /// Leaving it.
    pub leave: i32,
}

impl ByRiver {
    fn of(&self, river: River) -> i32 {
        match river {
            River::Primary | River::Ford | River::Lake => self.primary,
            River::Secondary => self.secondary,
        }
    }
}

impl Bridging {
    /// ¶251 MP to damage a bridge.
    pub fn damage(&self, river: River) -> i32 {
        self.damage.of(river)
    }

    /// ¶251, 254 MP to repair a bridge, with an enemy in another adjacent hex or not.
    pub fn repair(&self, river: River, enemy_adjacent: bool) -> i32 {
        self.repair.of(river) + if enemy_adjacent { self.repair_enemy_adjacent_extra.of(river) } else { 0 }
    }

    /// ¶251 Whether a force of cavalry alone may work on a bridge.
    pub fn all_cavalry_may(&self, river: River) -> bool {
        match river {
            River::Primary | River::Ford | River::Lake => self.all_cavalry_may.primary,
            River::Secondary => self.all_cavalry_may.secondary,
        }
    }
}

impl Chart for Bridging {
    const NAME: &'static str = "bridging";

    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let dearer = |work: &ByRiver| work.primary > work.secondary && work.secondary > 0;
        if !dearer(&self.damage) || !dearer(&self.repair) {
            faults.push("P-BRG-1: primary work must be dearer than secondary (¶251)".to_owned());
        }
        if self.repair(River::Primary, true) > 5 {
            faults.push("P-BRG-2: a threatened primary repair must cost at most 5 MP".to_owned());
        }
        let other = [self.damage.primary, self.pontoon.deploy, self.pontoon.remove, self.pontoon.capture];
        if other.iter().chain([&self.train.pick_up, &self.train.leave]).any(|&mp| !(0..=5).contains(&mp)) {
            faults.push("P-BRG-3: every cost must lie from 0 to 5 MP".to_owned());
        }
        faults
    }
}
