//! The charts as data, and the lookups that the rules make in them.
//!
//! The rulebook holds no charts. Ours are house tables that keep every number and worked example which it does give;
//! each chart knows the properties (`P-…`) that it must have, and a scenario whose chart breaks one is not loaded.

pub mod artillery;
pub mod attrition;
pub mod bridging;
pub mod combat;
pub mod initiative;
pub mod morale;
pub mod pursuit;
pub mod supply;
pub mod terrain;
pub mod weather;

use crate::yaml::Decimal;
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

use super::board::Halves;

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

/// A chart that knows its own properties.
pub trait Chart {
    /// The name in its file, such as `combat_results`.
    const NAME: &'static str;

    /// What the chart lacks or breaks, each with the property's id.
    fn faults(&self) -> Vec<String>;
}

/// A decimal of a chart in halves; charts are checked to hold no finer steps.
pub(super) fn halves(d: Decimal) -> Halves {
    Halves(d.tenths / 5)
}

/// The entry at a place, or the last one.
pub(super) fn nth(row: &[i32], place: usize) -> i32 {
    nth_of(row, place).copied().unwrap_or(0)
}

/// The entry at a place, or the last one.
pub(super) fn nth_of<T>(row: &[T], place: usize) -> Option<&T> {
    row.get(place).or(row.last())
}

/// The row of a key; keys beyond the ends read as the ends.
pub(super) fn nearest<V>(rows: &BTreeMap<i32, V>, key: i32) -> Option<&V> {
    let (first, last) = (*rows.keys().next()?, *rows.keys().next_back()?);
    rows.range(..=key.clamp(first, last)).next_back().map(|(_, v)| v)
}

/// Whether the keys run on without a gap.
pub(super) fn unbroken<V>(rows: &BTreeMap<i32, V>) -> bool {
    !rows.is_empty() && rows.keys().zip(rows.keys().skip(1)).all(|(a, b)| a + 1 == *b)
}

/// Whether no entry is below the one before it.
pub(super) fn rises(row: &[i32]) -> bool {
    row.windows(2).all(|w| w.first() <= w.last())
}

/// Whether no entry is above the one before it.
pub(super) fn falls(row: &[i32]) -> bool {
    row.windows(2).all(|w| w.first() >= w.last())
}

/// Whether every entry of `low` is at most the entry of `high` in its place, and both are of one length.
pub(super) fn below(low: &[i32], high: &[i32]) -> bool {
    low.len() == high.len() && low.iter().zip(high).all(|(l, h)| l <= h)
}
