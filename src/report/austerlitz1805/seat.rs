//! A seat's view as data: what the order sheet clicks on, and what a client of somebody else's making reads.
//!
//! It holds what the report holds and no more. Places are in thousandths of a UM from the western and southern edges, ways to
//! face in degrees. How far a unit comes is reckoned by the functions that CHECK calls, for it alone: who moves before it may
//! bar its way.

use super::units::{arm_word, signs};
use super::{pen, plate};
use crate::plane::Spot;
use crate::rules::austerlitz1805::board::{Arm, UnitId};
use crate::rules::austerlitz1805::reach::{self, Moves};
use crate::rules::austerlitz1805::state::At;
use crate::rules::austerlitz1805::strategic::waiting;
use crate::rules::austerlitz1805::table::{Formation, Unit};
use crate::rules::austerlitz1805::view::View;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// What the order sheet does with it.
pub const SCRIPT: &str = include_str!("../../../templates/sheet/austerlitz1805.js");

/// What a seat of `austerlitz1805` sees.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Board {
    /// The map.
    pub map: Field,
    /// Named places.
    pub places: BTreeMap<String, [i32; 2]>,
    /// What may be ordered now.
    pub stage: Stage,
    /// Own units on the field.
    pub own: Vec<Own>,
    /// Enemy units on the field, as far as they are seen.
    pub enemy: Vec<Foe>,
    /// Own chits.
    pub chits: Vec<Chit>,
    /// Enemy chits: each may hold units or be a decoy.
    pub enemy_chits: BTreeMap<String, [i32; 2]>,
    /// How far is seen in the fog; none where it is clear.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sight: Option<i32>,
    /// Areas of the strategic map, by their codes.
    pub areas: BTreeMap<String, Area>,
    /// Own corps on it.
    pub corps: Vec<Corps>,
    /// Boxes that are not in use.
    pub boxes: Vec<u8>,
    /// New chits of this fog turn.
    pub quota: u32,
    /// Where decoys may be put down.
    pub decoys: Vec<[i32; 2]>,
}

/// What may be ordered now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Nothing.
    Wait,
    /// A player-turn.
    Turn,
    /// The sealed sheet of a fog turn.
    Fog,
    /// The sealed set-up.
    Deploy,
}

/// The map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Field {
    /// Width and height of the field.
    pub size: [i32; 2],
    /// The drawing's corner, width and height; its y grows southward.
    pub view: [i32; 4],
}

/// A unit of one's own. What does not hold for it is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Own {
    /// Its name.
    pub id: String,
    /// The word that orders take for it.
    pub say: String,
    /// Its arm.
    pub arm: String,
    /// Its formation.
    pub form: String,
    /// Its centre.
    pub at: [i32; 2],
    /// The way that it faces.
    pub facing: i32,
    /// Its front and its depth.
    pub size: [i32; 2],
    /// Its state in letters.
    pub state: String,
    /// The unit to which an HQ is attached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with: Option<String>,
    /// How it may move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Way>,
    /// Enemy units and chits that it reaches to attack them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attacks: Vec<String>,
    /// Enemies whom it may charge.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub charges: Vec<String>,
    /// Enemies at whom its guns may fire.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fires: Vec<Shot>,
    /// Enemies at whom it may fire muskets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub volleys: Vec<String>,
    /// Units to which an HQ may go.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attaches: Vec<String>,
    /// Whether a battery may hold its fire in the enemy's turn.
    #[serde(skip_serializing_if = "is_false")]
    pub holds: bool,
    /// Whether it may leave its combat.
    #[serde(skip_serializing_if = "is_false")]
    pub leaves: bool,
    /// The box in which it may hide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hides: Option<u8>,
}

/// How a unit may move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Way {
    /// What it has left of its allowance.
    pub left: i32,
    /// How far it comes straight on, each with the degrees to the right of its front.
    pub rays: Vec<[i32; 2]>,
    /// How far it may turn on its centre, to the left and to the right.
    pub turns: [i32; 2],
    /// Whether it may face about.
    pub about: bool,
    /// How far it may go sideways.
    pub side: i32,
    /// How far it may go back.
    pub back: i32,
    /// Formations that it may take, as orders name them, each with what it then has left and its front and depth.
    pub forms: BTreeMap<String, [i32; 3]>,
}

/// An enemy at whom guns may fire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Shot {
    /// Who.
    pub at: String,
    /// Whether with canister.
    pub canister: bool,
}

/// An enemy unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Foe {
    /// Its name.
    pub id: String,
    /// The word that orders take for it.
    pub say: String,
    /// Its arm, formation and state, in words.
    pub what: String,
    /// Its centre.
    pub at: [i32; 2],
    /// The way that it faces.
    pub facing: i32,
    /// Its front and its depth.
    pub size: [i32; 2],
}

/// A chit of one's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Chit {
    /// Its box.
    pub number: u8,
    /// Its name on the map.
    pub id: String,
    /// Its centre.
    pub at: [i32; 2],
    /// What it holds; nobody is a decoy.
    pub units: Vec<String>,
    /// What it has left to move; nothing where it may not.
    pub left: i32,
}

/// An area of the strategic map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Area {
    /// Its name.
    pub name: String,
    /// Its south-western and its north-eastern corner.
    pub rect: [[i32; 2]; 2],
}

/// A corps of one's own on the strategic map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Corps {
    /// Its name.
    pub id: String,
    /// The area in which it is.
    pub area: String,
    /// The areas to which it may go.
    pub may: Vec<String>,
    /// Its units that wait.
    pub units: Vec<Waiting>,
    /// Where chits of it may be put down.
    pub drops: Vec<[i32; 2]>,
}

/// A unit that waits on the strategic map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Waiting {
    /// Its name.
    pub id: String,
    /// Its arm.
    pub arm: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

fn xy(at: Spot) -> [i32; 2] {
    [at.x, at.y]
}

/// The view of a seat, and the field as a drawing with its units.
pub fn board(v: &View) -> (Board, String) {
    let t = &v.table;
    let me = v.me();
    let (svg, view) = plate::sheet(v);
    let stage = match v.at {
        _ if v.side.is_none() => Stage::Wait,
        At::Fog => Stage::Fog,
        At::Deploy => Stage::Deploy,
        _ if v.my_sheet() => Stage::Turn,
        _ => Stage::Wait,
    };
    let (drops, decoys) = reach::drops(v);
    let foggy = t.board.flow.is_some();
    let zones = t.board.strategic.zones.iter().filter(|_| foggy);
    let area = |zone: &crate::rules::austerlitz1805::strategic::Zone| Area {
        name: zone.name.clone(),
        rect: [xy(zone.rect.0), xy(zone.rect.1)],
    };
    let enemy_chits = t.mist.chits.iter().filter(|(_, chit)| chit.side != me);
    let board = Board {
        map: Field { size: [t.board.ground.width, t.board.ground.height], view },
        places: t.board.places.iter().map(|place| (place.name.clone(), xy(place.at))).collect(),
        stage,
        own: t.of_side(&me).map(|(id, unit)| own(v, id, unit)).collect(),
        enemy: t.standing().filter(|(_, unit)| unit.side != me).map(|(id, unit)| foe(v, id, unit)).collect(),
        chits: chits(v),
        enemy_chits: enemy_chits.map(|(id, chit)| (id.0.clone(), xy(chit.at))).collect(),
        sight: t.sight,
        areas: zones.map(|zone| (zone.id.clone(), area(zone))).collect(),
        corps: if foggy { corps(v, drops) } else { Vec::new() },
        boxes: if stage == Stage::Wait { Vec::new() } else { reach::free(v) },
        quota: v.own.quota.map_or(0, |quota| quota.chits),
        decoys: decoys.into_iter().map(xy).collect(),
    };
    (board, svg)
}

fn own(v: &View, id: &UnitId, unit: &Unit) -> Own {
    let t = &v.table;
    let size = t.size(id);
    let (leaves, hides) = reach::slips(v, id);
    let shot = |(at, canister): (String, bool)| Shot { at, canister };
    Own {
        id: id.0.clone(),
        say: t.label(id).to_owned(),
        arm: arm_word(t.arm(id)).to_owned(),
        form: unit.form.word().to_owned(),
        at: xy(unit.pose.at),
        facing: reach::degrees(unit.pose.facing),
        size: [size.front, size.depth],
        state: signs(v, id, unit),
        with: unit.with.as_ref().map(|with| pen::full(t, with)),
        moves: reach::moves(v, id).map(|moves| way(v, &moves)),
        attacks: reach::attacks(v, id),
        charges: reach::charges(v, id),
        fires: reach::fire(v, id).into_iter().map(shot).collect(),
        volleys: reach::volleys(v, id),
        attaches: reach::attaches(v, id),
        holds: reach::holds(v, id),
        leaves,
        hides,
    }
}

/// A formation as FORM takes it.
fn form_word(form: Formation) -> &'static str {
    match form {
        Formation::Line => "LINE",
        Formation::Column => "COLUMN",
        Formation::Square => "SQUARE",
        Formation::Limbered => "LIMBER",
        Formation::Unlimbered | Formation::Staff => "UNLIMBER",
    }
}

fn way(v: &View, moves: &Moves) -> Way {
    let formed = |(form, left): &(Formation, i32)| {
        let size = v.table.board.tables.size(*form);
        (form_word(*form).to_owned(), [*left, size.front, size.depth])
    };
    Way {
        left: moves.left,
        rays: moves.rays.iter().map(|(off, far)| [*off, *far]).collect(),
        turns: moves.turns,
        about: moves.about,
        side: moves.side,
        back: moves.back,
        forms: moves.forms.iter().map(formed).collect(),
    }
}

fn foe(v: &View, id: &UnitId, unit: &Unit) -> Foe {
    let t = &v.table;
    let (size, state) = (t.size(id), signs(v, id, unit));
    let state = if state.is_empty() { String::new() } else { format!(", {state}") };
    Foe {
        id: id.0.clone(),
        say: t.label(id).to_owned(),
        what: format!("{} {}{state}", arm_word(t.arm(id)), unit.form.word()),
        at: xy(unit.pose.at),
        facing: reach::degrees(unit.pose.facing),
        size: [size.front, size.depth],
    }
}

fn chits(v: &View) -> Vec<Chit> {
    let t = &v.table;
    let mut found = Vec::new();
    for (number, boxed) in &v.own.boxes {
        let Some(chit) = t.chit(&boxed.chit) else { continue };
        let left = if v.my_sheet() { reach::chit_left(t, &boxed.chit) } else { 0 };
        let units = boxed.units.iter().map(|unit| pen::full(t, unit)).collect();
        found.push(Chit { number: *number, id: boxed.chit.0.clone(), at: xy(chit.at), units, left });
    }
    found
}

/// Own corps of which somebody waits on the strategic map.
fn corps(v: &View, mut drops: BTreeMap<String, Vec<Spot>>) -> Vec<Corps> {
    let t = &v.table;
    let arm = |id: &UnitId| arm_word(t.board.units.get(id).map_or(Arm::Infantry, |spec| spec.arm)).to_owned();
    let mut found: BTreeMap<String, Vec<Waiting>> = BTreeMap::new();
    for (unit, name) in waiting(t, &v.own, &v.me()) {
        found.entry(name).or_default().push(Waiting { arm: arm(&unit), id: unit.0 });
    }
    let made = found.into_iter().map(|(id, units)| Corps {
        area: v.own.corps.get(&id).cloned().unwrap_or_default(),
        may: reach::areas(v, &id),
        drops: drops.remove(&id).unwrap_or_default().into_iter().map(xy).collect(),
        units,
        id,
    });
    made.collect()
}
