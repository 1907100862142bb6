//! Bridging Summary (¶61, 251-260).

use crate::hex::Hexside;
use crate::map::River;
use crate::rules::campaigns::board::Board;
use crate::rules::campaigns::tables::chart::Chart;
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
    /// Trestles, where the title has them (¶61).
    #[serde(default)]
    pub trestle: Option<TrestleWork>,
}

/// The class of a hexside by what bridging it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// A secondary river.
    Secondary,
    /// A primary river.
    Primary,
    /// The great river of a title (¶251, 259; the Danube of 1809).
    Great,
}

impl Span {
    /// The class of a hexside with a river.
    pub fn of(board: &Board, edge: Hexside, river: River) -> Span {
        match river {
            River::Secondary => Span::Secondary,
            River::Primary | River::Ford | River::Lake if board.special.great_river.contains(&edge) => Span::Great,
            River::Primary | River::Ford | River::Lake => Span::Primary,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ByRiver {
    primary: i32,
    secondary: i32,
    /// Over the great river, where that is not as over any primary one.
    #[serde(default)]
    great_river: Option<i32>,
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
    /// Deploying (¶259).
    pub deploy: i32,
    /// Deploying over the great river, where that is not as over any other.
    #[serde(default)]
    pub deploy_great_river: Option<i32>,
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

/// MP of work on a trestle (¶61).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrestleWork {
    /// Building.
    pub build: i32,
    /// Repairing a damaged one.
    pub repair: i32,
    /// Damaging.
    pub damage: i32,
    /// Taking it down for good.
    pub destroy: i32,
}

impl ByRiver {
    fn of(&self, span: Span) -> i32 {
        match span {
            Span::Great => self.great_river.unwrap_or(self.primary),
            Span::Primary => self.primary,
            Span::Secondary => self.secondary,
        }
    }
}

impl Bridging {
    /// ¶251 MP to damage a bridge.
    pub fn damage(&self, span: Span) -> i32 {
        self.damage.of(span)
    }

    /// ¶251, 254 MP to repair a bridge, with an enemy in another adjacent hex or not.
    pub fn repair(&self, span: Span, enemy_adjacent: bool) -> i32 {
        self.repair.of(span) + self.threat(span, enemy_adjacent)
    }

    /// ¶254 MP that an enemy in another adjacent hex adds to a repair.
    pub fn threat(&self, span: Span, enemy_adjacent: bool) -> i32 {
        if enemy_adjacent { self.repair_enemy_adjacent_extra.of(span) } else { 0 }
    }

    /// ¶259 MP to deploy a pontoon with no enemy near.
    pub fn deploy(&self, span: Span) -> i32 {
        match span {
            Span::Great => self.pontoon.deploy_great_river.unwrap_or(self.pontoon.deploy),
            Span::Primary | Span::Secondary => self.pontoon.deploy,
        }
    }

    /// ¶251 Whether a force of cavalry alone may work on a bridge.
    pub fn all_cavalry_may(&self, span: Span) -> bool {
        match span {
            Span::Great | Span::Primary => self.all_cavalry_may.primary,
            Span::Secondary => self.all_cavalry_may.secondary,
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
        if [Span::Primary, Span::Great].iter().any(|span| self.repair(*span, true) > 5) {
            faults.push("P-BRG-2: a threatened primary repair must cost at most 5 MP".to_owned());
        }
        let mut other = vec![self.damage(Span::Primary), self.damage(Span::Great), self.deploy(Span::Great)];
        other.extend([self.pontoon.deploy, self.pontoon.remove, self.pontoon.capture]);
        other.extend([self.train.pick_up, self.train.leave]);
        other.extend(self.trestle.iter().flat_map(|t| [t.build, t.repair, t.damage, t.destroy]));
        if other.iter().any(|mp| !(0..=5).contains(mp)) {
            faults.push("P-BRG-3: every cost must lie from 0 to 5 MP".to_owned());
        }
        faults
    }
}
