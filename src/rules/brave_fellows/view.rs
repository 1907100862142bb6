//! What a side sees: all that lies open (2.0), or what its units see and what it remembers (DB.1-DB.3, DB.7).

use super::board::{Arm, COALITION, FRENCH, Kind};
use super::eyes::{self, FACE, TOUCH};
use super::state::{At, Seen, State, Unit};
use super::told::{Contact, Face, Intel, own_wishes};
use crate::fog::{SideId, Viewer};
use crate::hex::Dir;

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

/// What an arm is called.
pub fn arm_word(arm: Arm) -> &'static str {
    match arm {
        Arm::Inf => "foot",
        Arm::Cav => "horse",
        Arm::Art => "guns",
    }
}

/// What the map calls a regiment whose number could be read as a part of a hex.
pub fn short(regiment: &str) -> Option<&'static str> {
    match regiment {
        "100" => Some("1C"),
        "103" => Some("3C"),
        _ => None,
    }
}

/// DB.3 The regiment of a counter without a face.
const MASK: &str = "?";
/// What such a counter is called.
pub const COUNTER: &str = "counter";

/// What an enemy looks like, in a word.
pub fn word(kind: &Kind) -> &'static str {
    if kind.regiment == MASK { COUNTER } else { arm_word(kind.arm) }
}

/// The table, for whoever looks.
pub fn view(truth: &State, mind: &Intel, viewer: &Viewer) -> View {
    let Viewer::Side(side) = viewer else {
        return View { side: "umpire".into(), state: truth.clone(), ghosts: Vec::new(), near: Vec::new() };
    };
    let mut state = truth.clone();
    // 5.3.2, 8.3.2 What a side wants in the next Reinforcement Phase is its own.
    state.wishes = own_wishes(&truth.wishes, side);
    let mut found = View { side: side.clone(), state, ghosts: Vec::new(), near: Vec::new() };
    if eyes::veiled(truth) {
        veil(truth, mind, &mut found);
    }
    found
}

/// Takes out all that the side does not see, and gives what it sees a face.
fn veil(truth: &State, mind: &Intel, v: &mut View) {
    let side = v.side.clone();
    let s = &mut v.state;
    s.units.retain(|id, _| truth.is_of(id, &side) || truth.is_battery(id));
    for (id, seen) in truth.seen.get(&side).into_iter().flatten().filter(|(id, _)| !truth.is_battery(id)) {
        if let Some((unit, kind)) = truth.units.get(id).zip(truth.kind(id)) {
            let tag = eyes::tagged(seen.tag);
            s.strangers.insert(tag.clone(), stranger(truth, kind, *seen));
            s.units.insert(tag.clone(), outside(unit, *seen));
            v.near.push((tag, seen.near));
        }
    }
    v.near.sort();
    let named = |ids: &[String]| ids.iter().filter_map(|id| eyes::name(truth, &side, id)).collect();
    for unit in s.units.values_mut() {
        (unit.shock.met, unit.shock.fled) = (named(&unit.shock.met), named(&unit.shock.fled));
    }
    s.leaders.retain(|name, l| {
        let own = truth.chief(name).is_some_and(|chief| chief.side == side);
        own || l.lost || l.hex.is_some_and(|hex| eyes::sees_leader(truth, &side, hex))
    });
    for (name, l) in &mut s.leaders {
        if truth.chief(name).is_some_and(|chief| chief.side != side) {
            *l = super::state::Leader { hex: l.hex, lost: l.lost, ..super::state::Leader::default() };
        }
    }
    s.towns.clone_from(&mind.towns);
    s.losses = truth.losses.iter().filter(|id| truth.is_of(id, &side)).cloned().collect();
    for (n, face) in mind.fallen.iter().enumerate() {
        let tag = format!("F{}", n + 1);
        s.strangers.insert(tag.clone(), remembered(truth, &side, face));
        s.losses.push(tag);
    }
    let ghosts = mind.contacts.iter().filter(|(_, contact)| !contact.now);
    v.ghosts = ghosts.map(|(tag, contact)| (format!("e{tag}"), contact.clone())).collect();
    hide_rest(truth, &side, s);
}

/// What belongs to the other side alone.
fn hide_rest(truth: &State, side: &SideId, s: &mut State) {
    let coalition = side.0 == COALITION;
    let acts = matches!(&truth.at, At::Impulse(active) if active == side);
    s.came.retain(|force| eyes::side_of(*force) == *side);
    s.free.retain(|what| matches!(what, super::state::Freed::V | super::state::Freed::VI) == coalition);
    s.seen.clear();
    s.tags.clear();
    if coalition {
        s.second = None;
    } else {
        s.placing.clear();
        s.rear.clear();
        s.crossed = None;
        s.salvos.clear();
        s.stalled.clear();
    }
    if !acts {
        s.level_die = None;
        s.entered.clear();
    }
    s.won = truth.won.clone().filter(|won| won.by.iter().any(|id| truth.is_of(id, side)));
    s.crowds.retain(|hex| !truth.stack(*hex, side).is_empty());
    let point = truth.board.strong_point;
    s.strong = truth.strong || !(side.0 == FRENCH || eyes::sees(truth, side, point));
}

/// DB.3 A unit as it looks from so far.
fn outside(unit: &Unit, seen: Seen) -> Unit {
    let hex = unit.hex.unwrap_or(crate::hex::Hex::new(1, 1));
    let mut face = Unit::at(hex, Dir::N);
    face.dim = seen.near > FACE;
    if !face.dim {
        (face.facing, face.mood) = (unit.facing, unit.mood);
        (face.charged, face.active, face.shock) = (unit.charged, false, super::state::Shock::default());
    }
    face
}

/// DB.3 What is known of a counter from so far: the arm, nearer the regiment, beside it all that is printed but FV.
fn stranger(s: &State, kind: &Kind, seen: Seen) -> Kind {
    if eyes::faceless(s, seen) {
        return Kind { regiment: MASK.to_owned(), ..nameless(kind.side.clone(), Arm::Inf) };
    }
    if seen.learnt <= FACE {
        let near = seen.learnt <= TOUCH;
        let factor = |n: i32| if near { n } else { 0 };
        return Kind {
            fv: [0, 0],
            ff: factor(kind.ff),
            ff_red: factor(kind.ff_red),
            mf: factor(kind.mf),
            ..kind.clone()
        };
    }
    nameless(kind.side.clone(), kind.arm)
}

fn nameless(side: SideId, arm: Arm) -> Kind {
    Kind {
        side,
        regiment: String::new(),
        formation: Vec::new(),
        arm,
        fv: [0, 0],
        ff: 0,
        ff_red: 0,
        mf: 0,
        ma: [0, 0],
        howitzer: false,
        black: false,
    }
}

/// A unit that was seen to fall, as it was known.
fn remembered(truth: &State, side: &SideId, face: &Face) -> Kind {
    let regiment = face.regiment.as_ref();
    let printed = regiment.and_then(|name| truth.board.kinds.values().find(|kind| kind.regiment == *name));
    let arm = match face.arm.as_str() {
        "horse" => Arm::Cav,
        "guns" => Arm::Art,
        _ => Arm::Inf,
    };
    printed.cloned().unwrap_or_else(|| nameless(super::board::other(side), arm))
}
