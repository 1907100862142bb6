//! The files as they are written; every field as its author sees it.

use crate::rules::campaigns::board::{Arm, Quality};
use crate::rules::campaigns::exceptions::Exceptions;
use crate::rules::campaigns::tables::{self, Provenance};
use crate::yaml::{At, Decimal};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Four digits, column then row.
pub(super) type HexText = At<String>;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ScenarioKind {
    Scenario,
}

/// A scenario: calendar, objectives, set-up, reinforcements.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "scenario")]
pub(super) struct Scenario {
    #[allow(dead_code)]
    pub kind: ScenarioKind,
    pub ruleset: At<String>,
    /// The form in which its files are written; the first, where it is not said.
    #[serde(default)]
    #[allow(dead_code)]
    pub schema: Option<u32>,
    pub id: At<String>,
    pub title: String,
    pub files: At<Vec<String>>,
    pub first_turn: At<u32>,
    pub last_turn: u32,
    pub calendar: At<BTreeMap<u32, String>>,
    /// Weather of the turn before the first; historical weather of the others (¶70).
    pub weather: At<BTreeMap<u32, String>>,
    pub first_player: At<String>,
    pub strategic_points: At<i32>,
    /// The side that has held out, and wins, where neither has the points that win; none makes that a draw (house).
    #[serde(default)]
    pub holds_out: Option<At<String>>,
    #[serde(default)]
    pub objectives: Vec<At<Objective>>,
    #[serde(default)]
    pub damaged_bridges: Vec<At<String>>,
    /// Trestles that stand at the start (¶61); one that is down is among the damaged bridges too.
    #[serde(default)]
    pub trestles: Vec<At<String>>,
    /// Redoubts that lie on the map at the start (¶216, 295).
    #[serde(default)]
    pub redoubts: Vec<At<Redoubt>>,
    #[serde(default)]
    pub options: Options,
    pub sides: At<BTreeMap<String, SideSetup>>,
    #[serde(default)]
    pub reinforcements: Vec<At<Reinforcement>>,
    #[serde(default)]
    pub replacements: Vec<At<Replacement>>,
    /// Counters of the order of battle that this scenario does without (¶421). The other units that it does not call into
    /// play are there as replacements (¶126).
    #[serde(default)]
    pub not_available: Vec<At<String>>,
    /// Leaders that neither begin nor enter, but may be raised as replacements (¶112, 421).
    #[serde(default)]
    pub replacement_leaders: Vec<At<String>>,
    /// Places, leaders and dates that the title's exceptions need.
    #[serde(default)]
    pub special: super::special::Special,
    /// What the opening mail says to each side. A scenario that has it may give no points that can never score.
    #[serde(default)]
    pub briefing: BTreeMap<String, At<Briefing>>,
    /// Where figures come from, by the key that `src` names.
    #[serde(default)]
    pub sources: BTreeMap<String, String>,
}

/// What the opening mail says to a side: own and public things only.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Briefing {
    /// The situation in a few sentences.
    pub situation: String,
    /// Lines of the set-up that the first orders build on; each must be legal.
    #[serde(default)]
    pub setup: Vec<At<String>>,
    /// Examples of first orders; each must be legal at the start of the first turn.
    pub first_orders: Vec<FirstOrder>,
    /// What a newcomer gets wrong.
    #[serde(default)]
    pub cautions: Vec<String>,
}

/// An order that works as it stands, and what it is for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FirstOrder {
    pub line: At<String>,
    pub why: String,
}

/// Optional rules; what is silent is as the title says.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Options {
    /// Reserves (¶315).
    pub reserves: Option<bool>,
    /// Procedural security (¶33).
    pub security: Option<bool>,
    /// March to the sound of the guns (¶337).
    pub sound_of_guns: Option<bool>,
    /// Rearguard (¶335).
    pub rearguard: Option<bool>,
    /// Batteries Forward (¶349).
    pub batteries_forward: Option<bool>,
    /// Battlefield Dynamics (¶409).
    pub dynamics: Option<bool>,
    /// One player has both sides, and forces are fixed when a march comes next to them (Solitaire 1-5).
    pub solitaire: Option<bool>,
    /// Foot and horse of one force rolled for apart, with one die (¶265).
    pub split_attrition: Option<bool>,
}

/// A redoubt of the set-up (¶216, 295).
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Redoubt {
    /// Whose.
    pub side: At<String>,
    pub hex: HexText,
    /// The hexes beside it that it fronts.
    pub toward: Vec<HexText>,
    /// Player-turns of digging that it still takes; none where it is finished.
    #[serde(default)]
    pub turns_left: u32,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Objective {
    pub hex: HexText,
    pub name: String,
    pub points: BTreeMap<String, i32>,
    /// Spaces that the morale marker moves toward a side that captures it (¶415).
    #[serde(default)]
    pub morale: BTreeMap<String, i32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SideSetup {
    /// Possible supply sources (¶75).
    pub sources: Vec<HexText>,
    /// Those of them whose AP column is one worse (¶75).
    #[serde(default)]
    pub worse_sources: Vec<HexText>,
    /// The active source (¶76).
    pub source: HexText,
    /// SP of its garrison (¶77).
    pub source_garrison: i32,
    /// Hex of the Center of Operations (¶92).
    pub center: HexText,
    pub ap: At<i32>,
    #[serde(default)]
    pub bridge_trains: Vec<At<String>>,
    pub vedettes: u32,
    /// Turns without new AP (¶96).
    #[serde(default)]
    pub no_ap_turns: Vec<u32>,
    /// Arms whose replacement points are stored from turn to turn; those of others are spent at once or lost (¶20, 110).
    #[serde(default = "all_arms")]
    pub pool_markers: Vec<Arm>,
    /// The most AP that the track holds, where it has an end (¶100).
    pub ap_max: Option<i32>,
    /// Vedettes that may come with each force (¶24, 158).
    #[serde(default = "two")]
    pub vedettes_per_force: u32,
    /// Turns without Movement Commands (¶168).
    #[serde(default)]
    pub no_command_turns: Vec<u32>,
    /// Its armies, where it has several (¶93); the first has what is written here for the side.
    #[serde(default)]
    pub armies: Vec<At<super::armies::Army>>,
    pub forces: Vec<At<Force>>,
}

fn two() -> u32 {
    2
}

fn all_arms() -> Vec<Arm> {
    vec![Arm::Infantry, Arm::Cavalry, Arm::Artillery]
}

/// A force, a subordinate (`under`), or without a leader a garrison.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Force {
    pub leader: Option<At<String>>,
    pub under: Option<At<String>>,
    pub hex: HexText,
    #[serde(default)]
    pub units: BTreeMap<String, At<i32>>,
    pub src: Option<At<String>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Reinforcement {
    pub turn: At<u32>,
    pub leader: At<String>,
    pub hex: HexText,
    #[serde(default)]
    pub units: BTreeMap<String, At<i32>>,
    pub src: Option<At<String>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Replacement {
    pub turn: At<u32>,
    pub side: At<String>,
    pub nationality: At<String>,
    /// For the Guard, where it is not for the line (¶109, 118).
    #[serde(default)]
    pub guard: bool,
    pub points: BTreeMap<Arm, i32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum OrderOfBattleKind {
    OrderOfBattle,
}

/// Sides, leaders and units as printed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "order_of_battle")]
pub(super) struct OrderOfBattle {
    #[allow(dead_code)]
    pub kind: OrderOfBattleKind,
    #[allow(dead_code)]
    pub id: String,
    pub sides: At<BTreeMap<String, At<Side>>>,
    pub leaders: BTreeMap<String, At<Leader>>,
    pub units: BTreeMap<String, At<Unit>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Side {
    pub name: String,
    pub army: String,
    pub commander: At<String>,
    /// Whether it has the Guard to stake and other French exceptions.
    pub french: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Leader {
    pub side: At<String>,
    pub name: String,
    /// Three capitals, unique in the side.
    pub code: At<String>,
    /// That of most of his units, where it is left out.
    pub nationality: Option<String>,
    pub initiative: i32,
    #[serde(default)]
    pub bonus: i32,
    pub subordination: Decimal,
    pub span: Decimal,
    /// Arm of a Major General (¶21).
    pub major_general: Option<Arm>,
    /// A Cavalry Major General who keeps his rating over infantry and guns (¶36).
    #[serde(default)]
    pub keeps_rating: bool,
    /// Rank, from 1 for a commander-in-chief to 4 for a general (¶38, 1792).
    pub rank: Option<u8>,
    /// The highest box of his track, where the title holds units to it (¶23, 39, 117, 1815).
    pub top_box: Option<i32>,
    /// The one unit that he may command (¶124-125, 1815).
    pub own_unit: Option<At<String>>,
    /// Whether his counter dies with that unit (¶124), and does not stay (¶125).
    #[serde(default)]
    pub dies_with_it: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Unit {
    pub side: At<String>,
    pub name: String,
    pub arm: Arm,
    pub nationality: String,
    pub subordination: Decimal,
    /// Greatest strength (¶16); garrisons and March Regiments without one are held to their leader's track (¶23, 117).
    pub max_sp: Option<i32>,
    /// Movement allowance in MP.
    #[serde(rename = "move")]
    pub allowance: Decimal,
    #[serde(default)]
    pub quality: Option<Quality>,
    #[serde(default)]
    pub garrison: bool,
    /// A March Regiment: a counter without troops of its own (¶115).
    #[serde(default)]
    pub march_regiment: bool,
    /// Marked as a replacement counter (¶126, 1796).
    #[serde(default)]
    pub replacement: bool,
    /// The unit that is the infantry half of this cavalry's formation (¶424).
    pub foot: Option<At<String>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum MapKind {
    Map,
}

/// A hex map.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "map")]
pub(super) struct Map {
    #[allow(dead_code)]
    pub kind: MapKind,
    #[allow(dead_code)]
    pub id: String,
    #[allow(dead_code)]
    pub title: String,
    #[allow(dead_code)]
    #[serde(default)]
    pub attribution: Vec<String>,
    pub columns: At<i16>,
    pub rows: i16,
    /// One row a key, one letter a column: `.` clear, `w` woods, `h` hill, `m` mountain, `s` swamp, `l` lake;
    /// where crests are hexes (¶215, 1792) `c` a crest and `C` a wooded one.
    pub ground: At<BTreeMap<String, At<String>>>,
    #[serde(default)]
    pub places: Vec<At<Place>>,
    #[serde(default)]
    pub roads: Vec<At<RoadLine>>,
    #[serde(default)]
    pub rivers: Vec<At<RiverLine>>,
    #[serde(default)]
    pub bridges: Vec<At<String>>,
    /// Hexsides along which a crest runs (¶215, 348, 358).
    #[serde(default)]
    pub crests: Vec<At<String>>,
    /// The main crop of the region of each hex (¶275, 1807): one row a key, one letter a column, `o` oats, `w` wheat, `p`
    /// potatoes.
    pub crops: Option<At<BTreeMap<String, At<String>>>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Place {
    pub hex: HexText,
    pub name: String,
    /// The name that it bears today.
    #[allow(dead_code)]
    pub modern: Option<String>,
    pub kind: PlaceKind,
    #[allow(dead_code)]
    pub src: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum PlaceKind {
    /// A name only.
    Point,
    Village,
    Town,
    /// A Center (¶90, 330, 355).
    Center,
    DepotTown,
    PrimaryTown,
    City,
    Capital,
    FortifiedTown,
    Citadel,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Class {
    Primary,
    Secondary,
}

/// What runs along hexsides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Water {
    Primary,
    Secondary,
    /// A primary river where it can be forded (¶373, 1800).
    Ford,
    /// The shore of a lake (¶209).
    Lake,
}

/// A road over the hexes named, in order.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RoadLine {
    pub name: String,
    pub class: Class,
    pub hexes: At<String>,
}

/// A river along the hexsides named.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RiverLine {
    pub name: String,
    pub class: Water,
    #[allow(dead_code)]
    pub src: Option<String>,
    pub hexsides: At<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum TitleKind {
    Title,
}

/// What a title does its own way.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "title")]
pub(super) struct Title {
    #[allow(dead_code)]
    pub kind: TitleKind,
    pub id: String,
    pub rivers_freeze: bool,
    pub fog: bool,
    pub forage: bool,
    /// A unit's last SP is not given to another one (¶133, 1792).
    #[serde(default)]
    pub last_sp_stays: bool,
    /// A leader's own units are of his nationality (¶129, 1792).
    #[serde(default)]
    pub own_nation_units: bool,
    /// Reinforcements make no Extended March (¶160, 1815).
    #[serde(default)]
    pub reinforcements_plain: bool,
    /// What else the title does its own way.
    pub exceptions: Option<At<Exceptions>>,
    pub options: TitleOptions,
}

/// The optional rules of a title, all named.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TitleOptions {
    pub reserves: bool,
    pub security: bool,
    pub sound_of_guns: bool,
    pub rearguard: bool,
    pub batteries_forward: bool,
    pub dynamics: bool,
    #[serde(default)]
    pub split_attrition: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum TableKind {
    Table,
}

/// A chart with its provenance.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "table_{C}")]
pub(super) struct Table<C> {
    #[allow(dead_code)]
    pub kind: TableKind,
    #[allow(dead_code)]
    pub table: String,
    pub provenance: Provenance,
    pub source: At<String>,
    pub chart: At<C>,
}

// Never made: the schema is derived from it.
/// Any file of a scenario; `kind` says which.
#[allow(dead_code, clippy::large_enum_variant)]
#[derive(JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "scenario_file")]
pub(super) enum AnyFile {
    Scenario(Scenario),
    OrderOfBattle(OrderOfBattle),
    Map(Map),
    Title(Title),
    Combat(Table<tables::CombatResults>),
    Attrition(Table<tables::MarchAttrition>),
    Initiative(Table<tables::InitiativeComparison>),
    Pursuit(Table<tables::Pursuit>),
    Artillery(Table<tables::ArtilleryFire>),
    Cavalry(Table<tables::CavalryDifferential>),
    Ap(Table<tables::ApPool>),
    Communications(Table<tables::Communications>),
    Terrain(Table<tables::TerrainEffects>),
    Bridging(Table<tables::Bridging>),
    Weather(Table<tables::WeatherTable>),
    Morale(Table<tables::MoraleTrack>),
    Citadels(Table<tables::Citadels>),
}
