//! 11, 14, 15 The charts: read from a scenario's table file, looked up here.

use super::table::{Formation, Mood};
use crate::plane::Size;
use serde::Deserialize;
use std::collections::BTreeMap;

/// All charts of a scenario.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    /// `table`.
    pub kind: String,
    /// `house` or `owner`.
    pub provenance: String,
    /// Where the numbers come from.
    pub source: String,
    /// Ground that blocks take: front and depth.
    pub sizes: Sizes,
    /// Gap at or below which blocks touch.
    pub contact: i32,
    /// 6.2 Allowances.
    pub moves: Moves,
    /// Distances.
    pub ranges: Ranges,
    /// 9.2 Templates.
    pub templates: Templates,
    /// The Combat/Fire table; below the first total nothing, above the last the last.
    pub combat_fire: Vec<Row>,
    /// What a rating is worth on the die: from, to, modifier.
    pub firepower: Vec<(i32, i32, i32)>,
    /// 10.6 What French infantry adds to its rating.
    pub french_musketry: i32,
    /// 11 Fire modifiers.
    pub fire: FireMods,
    /// 14 Close combat modifiers.
    pub close: CloseMods,
    /// 15 Ground.
    pub terrain: Terrain,
    /// 16 Fog.
    pub fog: FogTable,
    /// 22-28 The solo rules.
    #[serde(default)]
    pub solo: Option<super::solo::chart::Solo>,
}

/// Front and depth of blocks by arm and formation.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sizes {
    /// Infantry and cavalry in line.
    pub line: (i32, i32),
    /// Infantry and cavalry in column.
    pub column: (i32, i32),
    /// The square marker.
    pub square: (i32, i32),
    /// Guns ready to fire.
    pub unlimbered: (i32, i32),
    /// Guns on the road.
    pub limbered: (i32, i32),
    /// An HQ.
    pub hq: (i32, i32),
    /// A chit.
    pub chit: (i32, i32),
}

/// 6.2, 6.3 Allowances in units; A-27: those of guns are 2 UM on foot and 4 UM with horses.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Moves {
    pub infantry: i32,
    pub cavalry: i32,
    pub hq: i32,
    pub foot_artillery: i32,
    pub horse_artillery: i32,
    pub square: i32,
    pub chit: i32,
    pub retreat: i32,
    pub advance: i32,
    pub sideways: i32,
    pub road_bonus: i32,
}

/// Distances in units.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Ranges {
    pub musketry: i32,
    pub hq: i32,
    pub neighbours: i32,
    pub hq_loss: i32,
    pub crew: i32,
    pub concentration: i32,
    pub withdraw: i32,
    pub disengage: i32,
    pub charge: i32,
    pub rout_pursuers: i32,
}

/// 9.2 The two templates.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Templates {
    /// Length and half its width at the far end.
    pub canister: (i32, i32),
    /// The same for round shot.
    pub round: (i32, i32),
    /// 9.5 Degrees that a battery may turn and still fire.
    pub pivot: i32,
}

/// One row of the Combat/Fire table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Row {
    /// The total.
    pub total: i32,
    /// Steps lost.
    pub steps: u8,
    /// What befalls the unit without a check.
    pub auto: Option<Mood>,
    /// The modifier of the check, where there is one.
    pub check: Option<i32>,
    /// What befalls the unit that fails it.
    pub fail: Option<Mood>,
    /// How it goes back.
    pub retreat: Option<Back>,
    /// Removed at once.
    pub eliminated: bool,
}

/// How a unit goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Back {
    /// In order, without change of state.
    Orderly,
    /// Disorganized, facing the enemy.
    Facing,
    /// With its back to him.
    Rout,
}

/// 11 Fire modifiers.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct FireMods {
    pub canister: i32,
    pub canister_at_column: i32,
    pub artillery_target: i32,
    pub second_fire: i32,
    pub round_shot_at_square: i32,
    pub line_or_square: i32,
    pub static_fire: i32,
    pub support_each: i32,
    pub support_max: i32,
    pub in_woods: i32,
    pub in_settlement: i32,
    pub in_fortification: i32,
}

/// 14 Close combat modifiers.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct CloseMods {
    pub column_vs_line: i32,
    pub column_vs_square_or_walls: i32,
    pub line_vs_column: i32,
    pub cavalry_in_line: i32,
    pub flank: i32,
    pub rear: i32,
    pub hq: i32,
    pub army_hq: i32,
    pub support_each: i32,
    pub failure_max: i32,
    pub stunned: i32,
    pub disorganized: i32,
    pub routed: i32,
    pub rage: i32,
    pub cossack_vs_infantry: i32,
    pub charge_factor: i32,
    pub in_woods: i32,
    pub in_settlement: i32,
    pub in_fortification: i32,
    pub across_stream: i32,
    pub uphill: i32,
    pub square: i32,
}

/// 15 Ground.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Terrain {
    /// 6.10.1 What a unit of woods costs.
    pub woods_factor: i32,
    /// 8.3 How deep in a wood or settlement a unit still stands at its border.
    pub border: i32,
    /// 8.6 How near a crest a unit stands on it.
    pub on_crest: i32,
    /// 8.7 How far behind a crest a unit is hidden.
    pub behind_crest: i32,
    /// How near a road's middle a unit is on it.
    pub on_road: i32,
}

/// 16.2-16.3 Fog.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FogTable {
    /// Last turn on which it stays without a roll.
    pub turns: u32,
    /// Lowest die that lifts it.
    pub lifts: i32,
    /// Turn on which it lifts of itself.
    pub automatic: u32,
    /// Range of sight in fog, and on the first and second turn of its lifting.
    pub sight: (i32, i32, i32),
    /// 16.4.2 Boxes of a side.
    pub boxes: u8,
    /// 16.4.2 Decoys of a side.
    pub decoys: usize,
    /// 16.4.2.5 The least distance at which a chit is put down from the enemy.
    pub apart: i32,
    /// 16.4.2.2 New chits of each side.
    pub chits: BTreeMap<String, NewChits>,
    /// 16.4.2.2 New chits and columns on each result of the die.
    pub rolled: Vec<(u32, u32)>,
    /// 16.4.1.5 What a column's die needs.
    pub column: i32,
}

/// 16.4.2.2 New chits of a side.
#[derive(Clone, Copy, Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewChits {
    /// On the first turn.
    pub first: u32,
    /// On later turns of fog; where it is left out, they are rolled for.
    #[serde(default)]
    pub later: Option<u32>,
}

impl Tables {
    /// 10.3, 13.4 The row of a total.
    pub fn row(&self, total: i32) -> Row {
        let row = self.combat_fire.iter().rev().find(|r| r.total <= total);
        row.cloned().unwrap_or_default()
    }

    /// What a rating is worth on the die.
    pub fn band(&self, rating: i32) -> i32 {
        let last = self.firepower.last().map_or(0, |b| b.2);
        self.firepower.iter().find(|b| rating <= b.1).map_or(last, |b| b.2)
    }

    /// 2.1, 5.1 The ground that a block takes.
    pub fn size(&self, form: Formation) -> Size {
        let (front, depth) = match form {
            Formation::Line => self.sizes.line,
            Formation::Column => self.sizes.column,
            Formation::Square => self.sizes.square,
            Formation::Unlimbered => self.sizes.unlimbered,
            Formation::Limbered => self.sizes.limbered,
            Formation::Staff => self.sizes.hq,
        };
        Size { front, depth }
    }
}
