//! The files of a scenario as they are written.

use crate::rules::austerlitz1805::board::{Arm, Kind, Nation, Options};
use crate::rules::austerlitz1805::strategic::Flow;
use crate::rules::austerlitz1805::table::Formation;
use crate::rules::austerlitz1805::tables::Tables;
use crate::yaml::At;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Any file of a scenario.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
pub enum AnyFile {
    /// The scenario itself.
    Scenario(Box<Scenario>),
    /// The map.
    Map(Box<Map>),
    /// The counters.
    OrderOfBattle(Box<OrderOfBattle>),
    /// The charts.
    Table(Box<Tables>),
}

/// The scenario itself.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
pub struct Scenario {
    /// `scenario`.
    pub kind: String,
    /// `austerlitz1805`.
    pub ruleset: String,
    /// The form in which its files are written; the first, where it is not said.
    #[serde(default)]
    pub schema: Option<u32>,
    /// Key.
    pub id: String,
    /// Title for reports.
    pub title: String,
    /// Paths of the other files.
    pub files: Vec<String>,
    /// First and last turn.
    pub turns: (u32, u32),
    /// Hour of turn 1.
    pub first_hour: u32,
    /// Sides, the first to move first.
    pub sides: Vec<Side>,
    /// Advanced rules in use.
    #[serde(default)]
    pub options: Options,
    /// Control of target locations, where it differs from the map.
    #[serde(default)]
    pub control: BTreeMap<String, At<String>>,
    /// 16.4 Hidden chits and strategic maps; without it every unit stands open as set up below.
    #[serde(default)]
    pub fog: Option<Flow>,
    /// Corps that take part in a game in fog; all where none is named.
    #[serde(default)]
    pub corps: Vec<At<String>>,
    /// 22.1 Sides that the solo rules lead: one for a game against them, both for a game that only runs.
    #[serde(default)]
    pub solo: Vec<At<String>>,
    /// Where units stand.
    #[serde(default)]
    pub setup: Vec<Start>,
    /// What the opening mail says to each side.
    #[serde(default)]
    pub briefing: BTreeMap<String, At<Briefing>>,
}

/// What the opening mail says to a side: own and public things only.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Briefing {
    /// The situation.
    pub situation: String,
    /// Orders for the first sheet; each is legal at the start.
    #[serde(default)]
    pub first_orders: Vec<FirstOrder>,
    /// What a newcomer gets wrong.
    #[serde(default)]
    pub cautions: Vec<String>,
}

/// An order for the first sheet.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FirstOrder {
    /// The line.
    pub line: At<String>,
    /// What it is for.
    pub why: String,
}

/// A side.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Side {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The way to its edge of the map.
    pub edge: At<String>,
    /// Wins ties.
    #[serde(default)]
    pub wins_ties: bool,
}

/// Where a unit stands.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// The unit.
    pub unit: At<String>,
    /// `x,y`.
    #[serde(default)]
    pub at: Option<At<String>>,
    /// Degrees or a wind.
    #[serde(default)]
    pub face: Option<At<String>>,
    /// Its formation.
    #[serde(default)]
    pub form: Option<Formation>,
    /// The unit to which an HQ is attached.
    #[serde(default)]
    pub with: Option<At<String>>,
}

/// The map.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
pub struct Map {
    /// `map`.
    pub kind: String,
    /// `house` or `owner`.
    pub provenance: String,
    /// Where it comes from.
    pub source: String,
    /// Units from west to east and from south to north.
    pub size: (i32, i32),
    /// Named places.
    pub places: BTreeMap<String, Place>,
    /// Settlements: half the width of a square round a place.
    #[serde(default)]
    pub settlements: BTreeMap<String, At<i32>>,
    /// Fortifications, likewise.
    #[serde(default)]
    pub fortifications: BTreeMap<String, At<i32>>,
    /// Corners of woods.
    #[serde(default)]
    pub woods: BTreeMap<String, At<Vec<(i32, i32)>>>,
    /// Corners of ponds.
    #[serde(default)]
    pub ponds: BTreeMap<String, At<Vec<(i32, i32)>>>,
    /// Corners of ground above the plain.
    #[serde(default)]
    pub hills: BTreeMap<String, At<Vec<(i32, i32)>>>,
    /// Bends of streams.
    #[serde(default)]
    pub streams: BTreeMap<String, Vec<(i32, i32)>>,
    /// Bends of crests.
    #[serde(default)]
    pub crests: BTreeMap<String, Vec<(i32, i32)>>,
    /// Bends of roads.
    #[serde(default)]
    pub roads: BTreeMap<String, Vec<(i32, i32)>>,
    /// 16.4.1 The strategic maps.
    #[serde(default)]
    pub strategic: Strategic,
}

/// 16.4.1 The strategic maps: the same areas on both.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Strategic {
    /// Areas by code.
    pub areas: BTreeMap<String, Zone>,
    /// Where each corps or division of a side starts.
    pub starts: BTreeMap<String, BTreeMap<String, At<String>>>,
    /// 16.4.1.6 The striped zone.
    pub striped: Option<Striped>,
}

/// An area of the strategic maps.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Zone {
    /// On whose side of the dashed line.
    pub side: String,
    /// Its name.
    pub name: String,
    /// West, south, east, north.
    pub rect: (i32, i32, i32, i32),
}

/// 16.4.1.6 The striped zone.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Striped {
    /// Who may not enter it.
    pub side: String,
    /// West, south, east, north.
    pub rect: (i32, i32, i32, i32),
    /// Divisions of the other side that open it, all of them.
    pub divisions: Vec<String>,
    /// Areas into which they advance.
    pub areas: Vec<String>,
}

/// A named place.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Where it is.
    pub at: (i32, i32),
    /// Victory points.
    #[serde(default)]
    pub vp: i32,
    /// How near a unit passes to control it.
    #[serde(default)]
    pub radius: i32,
    /// Who controls it at the start.
    #[serde(default)]
    pub owner: Option<String>,
}

/// The counters.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
pub struct OrderOfBattle {
    /// `order_of_battle`.
    pub kind: String,
    /// `house` or `owner`.
    pub provenance: String,
    /// Where the ratings come from.
    pub source: String,
    /// The side.
    pub side: String,
    /// Its corps.
    pub corps: Vec<Corps>,
}

/// A corps or column.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Corps {
    /// Its name.
    pub corps: String,
    /// The character with which the labels of its counters begin; one is made of its name where none is written.
    #[serde(default)]
    pub sign: Option<At<String>>,
    /// 12.2.1 Its units keep their morale when they lose steps.
    #[serde(default)]
    pub elite: bool,
    /// Its counters.
    pub units: Vec<Counter>,
}

/// A counter.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counter {
    /// Its name, unique in the game.
    pub name: At<String>,
    /// Its nation.
    pub nation: Nation,
    /// Its arm.
    pub arm: Arm,
    /// Its type; an HQ is a leader.
    pub kind: Kind,
    /// Musketry or firepower.
    #[serde(default)]
    pub fire: i32,
    /// Combat modifier.
    #[serde(default)]
    pub combat: i32,
    /// Morale.
    pub morale: i32,
    /// What a battery needs to hit.
    #[serde(default)]
    pub hd: i32,
    /// Commands the army.
    #[serde(default)]
    pub army: bool,
}
