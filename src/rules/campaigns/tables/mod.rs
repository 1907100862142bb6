//! The charts as data, and the lookups that the rules make in them.
//!
//! The rulebook holds no charts. Ours are house tables that keep every number and worked example which it does give;
//! each chart knows the properties (`P-…`) that it must have, and a scenario whose chart breaks one is not loaded.

pub mod artillery;
pub mod attrition;
pub mod bridging;
pub mod chart;
pub mod combat;
pub mod initiative;
pub mod morale;
pub mod pursuit;
pub mod supply;
pub mod terrain;
pub mod weather;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub use artillery::ArtilleryFire;
pub use attrition::{AttritionColumn, Forage, MarchAttrition, Pace, STEPS_PER_SP};
pub use bridging::{Bridging, Span};
pub use combat::{CombatResults, CrtResult, Odds};
pub use initiative::{CavalryDifferential, InitiativeComparison};
pub use morale::{Citadels, MoraleTrack};
pub use pursuit::Pursuit;
pub use supply::{ApPool, Communications};
pub use terrain::{Crossing, TerrainEffects};
pub use weather::{Conditions, Weather, WeatherTable};

/// All charts of one title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    /// Combat Results Table (¶350).
    pub combat: CombatResults,
    /// March Attrition Table (¶263).
    pub attrition: MarchAttrition,
    /// Initiative Comparison Matrix (¶196).
    pub initiative: InitiativeComparison,
    /// Pursuit Table (¶389).
    pub pursuit: Pursuit,
    /// Artillery Fire Table (¶300 step 5).
    pub artillery: ArtilleryFire,
    /// Cavalry Differential Modifier Table (¶198).
    pub cavalry: CavalryDifferential,
    /// AP Pool (¶96).
    pub ap: ApPool,
    /// Communications Table (¶75).
    pub communications: Communications,
    /// Terrain Effects Chart (¶212).
    pub terrain: TerrainEffects,
    /// Bridging Summary (¶251).
    pub bridging: Bridging,
    /// Weather Table (¶70).
    pub weather: WeatherTable,
    /// Morale Track (¶395).
    pub morale: MoraleTrack,
    /// Citadels (¶289).
    pub citadels: Citadels,
    /// Where each chart comes from, by its name such as `combat_results`.
    pub sources: BTreeMap<String, Source>,
}

/// Where a chart comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Who made it.
    pub provenance: Provenance,
    /// The source in words.
    pub source: String,
}

/// Who made a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Provenance {
    /// Written for this project.
    House,
    /// Copied by an owner of the game for his own use.
    Owner,
}
