//! What a side sees: all that lies open (2.0), or what its units see and what it remembers (DB.1-DB.3, DB.7).

use super::board::{Arm, COALITION, FRENCH, Kind};
use super::eyes::{self, FACE, TOUCH};
use super::state::{At, Freed, Leader, Shock, State, Unit};
use super::told::own_wishes;
use crate::fog::{SideId, Viewer};
use crate::hex::Dir;
use crate::rules::tactical::eyes::Seen;
use crate::rules::tactical::tags::{Contact, Face, Intel};
use std::collections::{BTreeMap, BTreeSet};

/// The table as one side looks at it.
#[derive(Clone, PartialEq, Eq)]
pub struct View {
    /// Who looks.
    pub side: SideId,
    /// What it sees, as a table of its own: enemies by their tags, as far as their faces are seen.
    pub state: State,
    /// Enemies that are out of sight, as they were last seen.
    pub ghosts: Vec<(String, Contact)>,
    /// How near who sees an enemy is, by its tag.
    pub near: Vec<(String, u32)>,
}

/// What the map calls a regiment whose number could be read as a part of a hex.
pub fn short(regiment: &str) -> Option<&'static str> {
    match regiment {
        "100" => Some("1C"),
        "103" => Some("3C"),
        _ => None,
    }
}

/// A regiment in three characters on the map, so that none reads as the number of a hex.
pub fn code(kind: &Kind) -> String {
    let named = if kind.regiment.is_empty() { word(kind) } else { &kind.regiment };
    short(named).map_or_else(|| named.chars().take(3).collect(), str::to_owned)
}

/// DB.3 The regiment of a counter without a face.
const MASK: &str = "?";
/// What such a counter is called.
pub const COUNTER: &str = "counter";

/// What an enemy looks like, in a word.
pub fn word(kind: &Kind) -> &'static str {
    if kind.regiment == MASK { COUNTER } else { kind.arm.word() }
}

/// The table, for whoever looks.
pub fn view(truth: &State, mind: &Intel, viewer: &Viewer) -> View {
    let Viewer::Side(side) = viewer else {
        return View { side: "umpire".into(), state: truth.clone(), ghosts: Vec::new(), near: Vec::new() };
    };
    let ghosts = mind.last_seen();
    if !eyes::veiled(truth) {
        // 5.3.2, 8.3.2 What a side wants in the next Reinforcement Phase is its own.
        let state = State { wishes: own_wishes(&truth.wishes, side), ..truth.clone() };
        return View { side: side.clone(), state, ghosts, near: Vec::new() };
    }
    let mut state = own(truth, mind, side);
    let mut near = Vec::new();
    for (id, seen) in truth.seen.get(side).into_iter().flatten().filter(|(id, _)| !truth.is_battery(id)) {
        if let Some((unit, kind)) = truth.units.get(id).zip(truth.kind(id)) {
            let tag = eyes::tagged(seen.tag);
            state.strangers.insert(tag.clone(), stranger(truth, kind, *seen));
            state.units.insert(tag.clone(), outside(unit, *seen));
            near.push((tag, seen.near));
        }
    }
    near.sort();
    for (n, face) in mind.fallen.iter().enumerate() {
        let tag = format!("F{}", n + 1);
        state.strangers.insert(tag.clone(), remembered(truth, side, face));
        state.losses.push(tag);
    }
    View { side: side.clone(), state, ghosts, near }
}

/// What a side knows without seeing an enemy's unit: what is public, and what is its own. Each field is taken by itself, so that
/// a new one is hidden until somebody has thought of it.
fn own(truth: &State, mind: &Intel, side: &SideId) -> State {
    let coalition = side.0 == COALITION;
    let acts = matches!(&truth.at, At::Impulse(active) if active == side);
    let point = truth.board.printed.strong_point;
    State {
        board: truth.board.clone(),
        turn: truth.turn,
        at: truth.at.clone(),
        segment: truth.segment,
        nth: truth.nth,
        passes: truth.passes,
        units: own_units(truth, side),
        leaders: leaders(truth, side),
        towns: mind.towns.clone(),
        level_die: truth.level_die.filter(|_| acts),
        free: truth.free.iter().filter(|what| matches!(what, Freed::V | Freed::VI) == coalition).copied().collect(),
        came: truth.came.iter().filter(|force| eyes::side_of(**force) == *side).copied().collect(),
        second: truth.second.filter(|_| !coalition),
        placing: if coalition { truth.placing.clone() } else { Vec::new() },
        rear: if coalition { truth.rear.clone() } else { BTreeSet::new() },
        crossed: truth.crossed.filter(|_| coalition),
        strong: truth.strong || !(side.0 == FRENCH || eyes::sees(truth, side, point)),
        crowds: truth.crowds.iter().filter(|hex| !truth.stack(**hex, side).is_empty()).copied().collect(),
        entered: if acts { truth.entered.clone() } else { BTreeMap::new() },
        salvos: if coalition { truth.salvos.clone() } else { BTreeSet::new() },
        won: truth.won.clone().filter(|won| won.by.iter().any(|id| truth.is_of(id, side))),
        stalled: if coalition { truth.stalled.clone() } else { BTreeSet::new() },
        wishes: own_wishes(&truth.wishes, side),
        losses: truth.losses.iter().filter(|id| truth.is_of(id, side)).cloned().collect(),
        over: truth.over.clone(),
        ..State::default()
    }
}

/// Its own units, and 8.2.1 the guns that are printed on the map; whom they have met they know by their tags.
fn own_units(truth: &State, side: &SideId) -> BTreeMap<String, Unit> {
    let named = |ids: &[String]| ids.iter().filter_map(|id| eyes::name(truth, side, id)).collect();
    let mine = truth.units.iter().filter(|(id, _)| truth.is_of(id, side) || truth.is_battery(id));
    let known = |(id, unit): (&String, &Unit)| {
        let shock = Shock { met: named(&unit.shock.met), fled: named(&unit.shock.fled), ..unit.shock.clone() };
        (id.clone(), Unit { shock, ..unit.clone() })
    };
    mine.map(known).collect()
}

/// Its own leaders; of the enemy's where those stand whom it sees, and who are lost, for that scores.
fn leaders(truth: &State, side: &SideId) -> BTreeMap<String, Leader> {
    let known = |name: &String, l: &Leader| {
        if truth.leads(name, side) {
            return Some(l.clone());
        }
        let hex = l.hex.filter(|hex| eyes::meets(truth, side, *hex));
        (l.lost || hex.is_some()).then(|| Leader { hex, lost: l.lost, ..Leader::default() })
    };
    truth.leaders.iter().filter_map(|(name, l)| Some((name.clone(), known(name, l)?))).collect()
}

/// DB.3 A unit as it looks from so far.
fn outside(unit: &Unit, seen: Seen) -> Unit {
    let hex = unit.hex.unwrap_or(crate::hex::Hex::new(1, 1));
    let mut face = Unit::at(hex, Dir::N);
    face.dim = seen.near > FACE;
    if !face.dim {
        (face.facing, face.mood) = (unit.facing, unit.mood);
        (face.charged, face.active, face.shock) = (unit.charged, false, Shock::default());
    }
    face
}

/// DB.3 What is known of a counter from so far: the arm, nearer the regiment, beside it all that is printed but FV.
fn stranger(s: &State, kind: &Kind, seen: Seen) -> Kind {
    let side = kind.side.clone();
    if eyes::faceless(s, seen) {
        return Kind { side, regiment: MASK.to_owned(), ..Kind::default() };
    }
    if seen.learnt <= FACE {
        let near = seen.learnt <= TOUCH;
        let factor = |n: i32| if near { n } else { 0 };
        let (ff, ff_red, mf) = (factor(kind.ff), factor(kind.ff_red), factor(kind.mf));
        return Kind { fv: [0, 0], ff, ff_red, mf, ..kind.clone() };
    }
    Kind { side, arm: kind.arm, ..Kind::default() }
}

/// A unit that was seen to fall, as it was known.
fn remembered(truth: &State, side: &SideId, face: &Face) -> Kind {
    let regiment = face.regiment.as_ref();
    let printed = regiment.and_then(|name| truth.board.kinds.values().find(|kind| kind.regiment == *name));
    let arm = Arm::ALL.into_iter().find(|arm| arm.word() == face.arm).unwrap_or_default();
    printed.cloned().unwrap_or_else(|| Kind { side: super::board::other(side), arm, ..Kind::default() })
}
