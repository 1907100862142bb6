//! A seat's view as data: what the order sheet clicks on, and what a client of somebody else's making reads.
//!
//! It holds what the report holds and no more. Costs, formations and targets are those by which CHECK reckons: the sheet adds
//! them up and judges nothing. `layout` fills it.

use super::tables::{Gait, Room};
use crate::report::sheet::{Sheet, Standing, is_false};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// What the order sheet does with it.
pub const SCRIPT: &str = concat!(
    include_str!("../../../templates/sheet/hexes.js"),
    include_str!("../../../templates/sheet/tactical.js"),
    include_str!("../../../templates/sheet/great_battles_table.js"),
    include_str!("../../../templates/sheet/great_battles.js")
);

/// What a seat of `great_battles` sees. Hexes are written as on the map, such as `2024`; facings are hours.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Board {
    /// The map and its part that the sheet shows.
    pub map: Sheet,
    /// Named places in that part.
    pub places: BTreeMap<String, String>,
    /// What may be ordered now.
    pub stage: Stage,
    /// Own pieces.
    pub own: Vec<Own>,
    /// Enemies in sight, and where others were last seen.
    pub enemy: Vec<Foe>,
    /// Divisions that may act, or for which a sheet may be lodged.
    pub calls: Vec<Call>,
    /// Divisions that act, and how.
    pub acting: BTreeMap<String, String>,
    /// The one that moves or fights now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active: Option<String>,
    /// Those that have fought.
    pub fought: Vec<String>,
    /// How far the activation is.
    pub step: Phase,
    /// How pieces go, to which own units point.
    pub gaits: Vec<Gait>,
    /// What changes of formation cost, from the one to the other; own units point to them.
    pub drills: Vec<Drill>,
    /// Kinds of ground, to which `grounds` points.
    pub rooms: Vec<Room>,
    /// The ground of each column of the map, one letter a row: `a` is the first of `rooms`, a blank is off the map.
    pub grounds: Vec<String>,
    /// Hexes before enemies, in which whoever comes there stops.
    pub fronts: Vec<String>,
    /// By hexes of enemies, what an attack over each side is, for N NE SE S SW NW: `1` an assault, `2` open to charges, `3`
    /// both, `0` neither.
    pub sides: BTreeMap<String, String>,
    /// Formations in which foot fires.
    pub volleys: Vec<String>,
    /// What is paid for a step aside, and for a step back: so many times the cost.
    pub aside: [i32; 2],
    /// How far leaders ride.
    pub rides: i32,
    /// What is written when a turn opens.
    pub opening: Opening,
    /// Standing answers.
    pub standing: Vec<Standing>,
}

/// What may be ordered now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Nothing.
    Wait,
    /// The turn is opened.
    Open,
    /// A division or a unit is picked.
    Pick,
    /// A command acts.
    Act,
}

/// How far an activation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// A division tries, or moves.
    Movement,
    /// It fires.
    Fire,
    /// It attacks.
    Melee,
}

/// What a piece of one's own is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A leader.
    #[default]
    Leader,
    /// Foot.
    Foot,
    /// Horse.
    Horse,
    /// Guns.
    Guns,
    /// H.12 Nobody.
    Dummy,
}

/// A piece of one's own. What does not hold for it is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Own {
    /// Its name, as the order language takes it.
    pub id: String,
    /// What it is.
    pub kind: Kind,
    /// Its division.
    pub division: String,
    /// Where it stands; empty for who waits off the map.
    pub hex: String,
    /// Further hexes in which it stands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<String>,
    /// Its formation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<String>,
    /// The hour that it faces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hour: Option<u8>,
    /// Its values and how it is, in words.
    pub facts: String,
    /// Strength Points.
    #[serde(skip_serializing_if = "is_none")]
    pub sp: i32,
    /// Its place in a stack, the lowest on top.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub under: Option<u32>,
    /// Whether it acts now.
    #[serde(skip_serializing_if = "is_false")]
    pub acts: bool,
    /// Whether it has moved last, and may go on.
    #[serde(skip_serializing_if = "is_false")]
    pub moves: bool,
    /// Whether its movement is over.
    #[serde(skip_serializing_if = "is_false")]
    pub done: bool,
    /// Whether it has stopped before an enemy.
    #[serde(skip_serializing_if = "is_false")]
    pub stopped: bool,
    /// Whether it runs.
    #[serde(skip_serializing_if = "is_false")]
    pub runs: bool,
    /// Its points by how its division acts.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub points: BTreeMap<String, i32>,
    /// Points that it has spent.
    #[serde(skip_serializing_if = "is_none")]
    pub spent: i32,
    /// Turns that it has made.
    #[serde(skip_serializing_if = "is_none")]
    pub turns: i32,
    /// How it goes in each formation: places in `gaits`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub gaits: BTreeMap<String, usize>,
    /// What its changes of formation cost: a place in `drills`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drill: Option<usize>,
    /// Formations that it may take.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forms: Vec<String>,
    /// Enemies before whom it began, and next to whom it does not come again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shuns: Vec<String>,
    /// Whether it may fire at who is before it.
    #[serde(skip_serializing_if = "is_false")]
    pub fires: bool,
    /// At what guns may fire from where they stand, by the hour that they face.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub aims: BTreeMap<String, Vec<String>>,
    /// Hexes on which that depends.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub eyes: Vec<String>,
    /// The hex at which it has fired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shot: Option<String>,
    /// Whether it may attack: foot with the bayonet and by assault, horse by a charge.
    #[serde(skip_serializing_if = "is_false")]
    pub strikes: bool,
    /// Whether it attacks in Disorder as well, and charges nobody but who runs and guns alone.
    #[serde(skip_serializing_if = "is_false")]
    pub cossack: bool,
    /// What it may charge from where it stands, each with the hexes on which that depends.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub charges: BTreeMap<String, Vec<String>>,
    /// Divisions with which a leader rides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<String>,
    /// Lines that CHECK takes for who enters and for who stands in two hexes, once its division acts: no way is drawn for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ready: Vec<Tried>,
}

/// A line that CHECK takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Tried {
    /// How a button names it.
    pub name: String,
    /// The line.
    pub line: String,
}

/// An enemy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Foe {
    /// His name or tag.
    pub id: String,
    /// Where he stands, or was last seen.
    pub hex: String,
    /// Further hexes in which he stands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<String>,
    /// The hour that he faces; none where all sides are alike, and where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hour: Option<u8>,
    /// What is known of him, in words.
    pub what: String,
    /// The turn in which he was last seen, where he is out of sight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<u32>,
    /// Whether he is a leader alone.
    #[serde(skip_serializing_if = "is_false")]
    pub leader: bool,
    /// Whether he runs.
    #[serde(skip_serializing_if = "is_false")]
    pub runs: bool,
    /// Whether he is guns.
    #[serde(skip_serializing_if = "is_false")]
    pub guns: bool,
    /// Whether he has been attacked with the bayonet, and whether he has been charged, by who acts now.
    #[serde(skip_serializing_if = "is_neither")]
    pub struck: [bool; 2],
}

/// A division that may act.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Call {
    /// The division.
    pub division: String,
    /// The command whose marker it acts by.
    pub lim: String,
    /// Who is picked for it first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pick: Option<String>,
    /// How it may act.
    pub how: Vec<String>,
    /// In so many of ten it acts, unless it acts limited; none where no die is thrown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub odds: Option<i32>,
    /// Units that act.
    pub units: Vec<String>,
    /// Whether it acts alone: of such calls one is taken.
    #[serde(skip_serializing_if = "is_false")]
    pub alone: bool,
}

/// What changes of formation cost, from the one to the other.
pub(super) type Drill = BTreeMap<String, BTreeMap<String, i32>>;

/// What is written when a turn opens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Opening {
    /// Who may try a Command Change, each with the commands whose markers he may add.
    pub change: BTreeMap<String, Vec<String>>,
    /// Commands with which the side could begin.
    pub begin: Vec<String>,
    /// Whether reinforcements may be held back.
    pub reinforce: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_none(n: &i32) -> bool {
    *n == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_neither(flags: &[bool; 2]) -> bool {
    *flags == [false; 2]
}
