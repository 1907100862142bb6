//! Events of I.b Organization and II.a Reinforcements: replacements, leaders, units between tracks, garrisons, arrivals
//! (¶108-146, 154-163).

use super::told::Sighting;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::board::{Arm, ArmyId, LeaderId, UnitId};
use crate::rules::campaigns::flow::event::ident;
use crate::rules::campaigns::flow::told::Who;
use crate::rules::campaigns::intel::{Ident, Intel};
use crate::rules::campaigns::pieces::{Leader, Piece, Pieces, Place, Track, Unit, Vedette};
use crate::rules::campaigns::state::State;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An event of this chapter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// Units replaced last turn may move again (¶114).
    Mobile { side: SideId },
    /// A unit receives points out of the pool, and is immobile (¶108, 114).
    Replaced { side: SideId, unit: UnitId, nationality: String, arm: Arm, sp: i32 },
    /// A unit goes to another leader's track (¶129).
    Assigned { side: SideId, unit: UnitId, leader: LeaderId },
    /// Strength goes from one unit to another; a unit without any is removed (¶54, 133).
    Shifted { side: SideId, from: UnitId, to: UnitId, sp: i32 },
    /// A subordinate becomes a force of his own in the hex (¶140).
    Detached { side: SideId, leader: LeaderId },
    /// A force goes under another leader in the hex, with his subordinates (¶37, 294).
    Attached { side: SideId, leader: LeaderId, to: LeaderId },
    /// A Major General or replacement leader is activated, on the map or under another (¶119-120).
    Raised { side: SideId, leader: LeaderId, hex: Hex, under: Option<LeaderId> },
    /// A Major General or replacement leader without troops leaves the map (¶41, 121).
    Retired { side: SideId, leader: LeaderId },
    /// A leader of a citadel that has surrendered goes with the honours of war: two dice name the month from which he is a
    /// replacement leader, and that its first turn (¶414).
    Honoured { side: SideId, leader: LeaderId, dice: (u32, u32), from: Option<u32> },
    /// A garrison is made out of a unit's strength (¶130).
    Garrisoned { side: SideId, garrison: UnitId, hex: Hex, from: UnitId, sp: i32 },
    /// A garrison's strength goes into a unit (¶131).
    Absorbed { side: SideId, garrison: UnitId, into: UnitId, sp: i32 },
    /// A garrison becomes a March Regiment on a leader's track (¶131).
    Converted { side: SideId, garrison: UnitId, regiment: UnitId, leader: LeaderId, sp: i32 },
    /// A March Regiment or Replacement Counter is filled out of the pool (¶115, 126).
    Drawn { side: SideId, regiment: UnitId, leader: LeaderId, nationality: String, arm: Arm, sp: i32 },
    /// One is filled with a unit's strength (¶116, 126, 134).
    Formed { side: SideId, regiment: UnitId, leader: LeaderId, from: UnitId, sp: i32 },
    /// A March Regiment goes into a unit, its counter into the box (¶117).
    Dissolved { side: SideId, regiment: UnitId, into: UnitId, sp: i32 },
    /// A March Regiment emptied by its owner goes back into the box (¶117).
    Boxed { side: SideId, unit: UnitId },
    /// A vedette comes with a new force, or comes back (¶87, 158, 368).
    VedetteBack { side: SideId, n: u32, hex: Hex, with: Option<LeaderId> },
    /// A vedette comes in Fog, beyond the others (¶159).
    FogVedette { side: SideId, n: u32, hex: Hex },
    /// Fog has lifted, and the count of vedettes is what it was (¶159).
    FogLifted { side: SideId },
    /// A vedette that found no leader to return with stays in the pool for good (¶368).
    VedetteKept { side: SideId, n: u32 },
    /// A reinforcement comes onto the map (¶154).
    Entered { side: SideId, leader: LeaderId, hex: Hex, units: BTreeMap<UnitId, i32> },
    /// A force that retreated off the map comes back (¶376).
    Reentered { side: SideId, leader: LeaderId, hex: Hex },
    /// A reinforcement is given to another army of its side (¶155).
    Allotted { side: SideId, leader: LeaderId, army: ArmyId },
    /// A reinforcement is held back this turn (¶161-162).
    Delayed { side: SideId, leader: LeaderId },
    /// An eliminated leader comes back (¶43).
    Returned { side: SideId, leader: LeaderId, hex: Hex },
}

impl Event {
    fn side(&self) -> &SideId {
        match self {
            Event::Mobile { side }
            | Event::Replaced { side, .. }
            | Event::Assigned { side, .. }
            | Event::Shifted { side, .. }
            | Event::Detached { side, .. }
            | Event::Attached { side, .. }
            | Event::Raised { side, .. }
            | Event::Retired { side, .. }
            | Event::Honoured { side, .. }
            | Event::Garrisoned { side, .. }
            | Event::Absorbed { side, .. }
            | Event::Converted { side, .. }
            | Event::Drawn { side, .. }
            | Event::Formed { side, .. }
            | Event::Dissolved { side, .. }
            | Event::Boxed { side, .. }
            | Event::VedetteBack { side, .. }
            | Event::FogVedette { side, .. }
            | Event::FogLifted { side }
            | Event::VedetteKept { side, .. }
            | Event::Entered { side, .. }
            | Event::Reentered { side, .. }
            | Event::Allotted { side, .. }
            | Event::Delayed { side, .. }
            | Event::Returned { side, .. } => side,
        }
    }
}

/// ¶54, 120-121, 131 The step of the Organization Segment that an act belongs to; 0 for what has no step.
fn step(e: &Event) -> u8 {
    match e {
        Event::Replaced { .. } => 1,
        Event::Raised { .. }
        | Event::Assigned { .. }
        | Event::Garrisoned { .. }
        | Event::Absorbed { .. }
        | Event::Converted { .. }
        | Event::Drawn { .. }
        | Event::Formed { .. }
        | Event::Dissolved { .. } => 3,
        Event::Shifted { .. } => 4,
        Event::Mobile { .. }
        | Event::Boxed { .. }
        | Event::Detached { .. }
        | Event::Attached { .. }
        | Event::Retired { .. }
        | Event::Honoured { .. }
        | Event::VedetteBack { .. }
        | Event::FogVedette { .. }
        | Event::FogLifted { .. }
        | Event::VedetteKept { .. }
        | Event::Entered { .. }
        | Event::Reentered { .. }
        | Event::Allotted { .. }
        | Event::Delayed { .. }
        | Event::Returned { .. } => 0,
    }
}

/// Changes the state.
pub fn apply(s: &mut State, e: &Event) {
    s.phase.step = s.phase.step.max(step(e));
    match e {
        Event::Detached { leader, .. } => {
            s.phase.created.entry(leader.clone()).or_default();
        }
        Event::Raised { leader, under: None, .. } => {
            s.phase.created.entry(leader.clone()).or_default();
        }
        Event::Attached { side, leader, .. }
        | Event::Retired { side, leader }
        | Event::Honoured { side, leader, .. } => {
            s.phase.created.remove(leader);
            s.face_up.remove(&(side.clone(), Piece::Leader(leader.clone())));
        }
        Event::VedetteBack { with: Some(leader), .. } => *s.phase.created.entry(leader.clone()).or_default() += 1,
        Event::Absorbed { garrison, .. } | Event::Converted { garrison, .. } => {
            s.phase.absorbed.insert(garrison.clone());
        }
        Event::Drawn { regiment, .. } => {
            s.phase.mustered.insert(regiment.clone());
        }
        Event::Entered { leader, hex, .. } | Event::Reentered { leader, hex, .. } => {
            s.phase.entered.insert(leader.clone(), *hex);
        }
        Event::Delayed { leader, .. } => {
            s.phase.delayed.insert(leader.clone());
        }
        Event::Allotted { side, leader, army } => {
            if let Some(p) = s.pieces_mut(side) {
                p.assigned.insert(leader.clone(), army.clone());
            }
        }
        Event::Mobile { .. }
        | Event::Replaced { .. }
        | Event::Assigned { .. }
        | Event::Shifted { .. }
        | Event::Raised { .. }
        | Event::Garrisoned { .. }
        | Event::Formed { .. }
        | Event::Dissolved { .. }
        | Event::Boxed { .. }
        | Event::VedetteBack { .. }
        | Event::FogVedette { .. }
        | Event::FogLifted { .. }
        | Event::VedetteKept { .. }
        | Event::Returned { .. } => {}
    }
    let board = s.board.clone();
    if let Some(pieces) = s.pieces_mut(e.side()) {
        display(pieces, e);
        pieces.drop_empty_halves(&board);
    }
}

/// What an event changes on the Organization Display of its side.
fn display(p: &mut Pieces, e: &Event) {
    match e {
        Event::Mobile { .. } => p.units.values_mut().for_each(|u| u.immobile = false),
        Event::Replaced { unit, nationality, arm, sp, .. } => {
            spend(p, nationality, *arm, *sp);
            if let Some(u) = p.units.get_mut(unit) {
                u.sp += sp;
                u.immobile = true;
            }
        }
        Event::Assigned { unit, leader, .. } => {
            if let Some(u) = p.units.get_mut(unit) {
                u.track = Track::Of(leader.clone());
            }
        }
        Event::Shifted { from, to, sp, .. } => shift(p, from, to, *sp),
        Event::Detached { leader, .. } => set_under(p, leader, None),
        Event::Attached { leader, to, .. } => {
            for member in p.force(leader) {
                set_under(p, &member, Some(to));
            }
        }
        Event::Raised { leader, hex, under, .. } => {
            // ¶43: who has lost a rating has lost it for good.
            let demoted = p.leaders.get(leader).map_or(0, |l| l.demoted);
            let fresh =
                Leader { place: Place::At(*hex), under: under.clone(), forage: false, train: false, demoted, steps: 0 };
            p.leaders.insert(leader.clone(), fresh);
        }
        Event::Retired { leader, .. } => leave(p, leader, Place::Waiting),
        Event::Honoured { leader, from, .. } => leave(p, leader, Place::Bound(*from)),
        Event::Garrisoned { garrison, hex, from, sp, .. } => {
            p.units.insert(garrison.clone(), Unit { track: Track::Garrison(*hex), sp: 0, immobile: false });
            shift(p, from, garrison, *sp);
        }
        Event::Absorbed { garrison, into, sp, .. } => shift(p, garrison, into, *sp),
        Event::Converted { garrison, regiment, leader, sp, .. } => {
            p.units.remove(garrison);
            fill(p, regiment, leader, *sp);
        }
        Event::Drawn { regiment, leader, nationality, arm, sp, .. } => {
            spend(p, nationality, *arm, *sp);
            fill(p, regiment, leader, *sp);
        }
        Event::Formed { regiment, leader, from, sp, .. } => {
            fill(p, regiment, leader, 0);
            shift(p, from, regiment, *sp);
        }
        Event::Dissolved { regiment, into, sp, .. } => {
            shift(p, regiment, into, *sp);
            boxed(p, regiment);
        }
        Event::Boxed { unit, .. } => boxed(p, unit),
        Event::VedetteBack { .. } | Event::FogVedette { .. } | Event::FogLifted { .. } | Event::VedetteKept { .. } => {
            vedettes(p, e);
        }
        Event::Entered { leader, hex, units, .. } => {
            put(p, leader, *hex);
            p.army.arrived.insert(leader.clone());
            units.iter().for_each(|(unit, sp)| fill(p, unit, leader, *sp));
        }
        Event::Returned { leader, hex, .. } => put(p, leader, *hex),
        Event::Reentered { leader, hex, .. } => back(p, leader, *hex),
        Event::Allotted { .. } | Event::Delayed { .. } => {}
    }
}

/// A leader is on the map no more.
fn leave(p: &mut Pieces, leader: &LeaderId, place: Place) {
    if let Some(l) = p.leaders.get_mut(leader) {
        l.place = place;
        l.under = None;
    }
}

/// What an event changes in the Vedette Pool.
fn vedettes(p: &mut Pieces, e: &Event) {
    match e {
        Event::VedetteBack { n, hex, .. } => {
            p.army.vedettes_away.remove(n);
            p.vedettes.insert(*n, Vedette::At(*hex));
        }
        Event::FogVedette { n, hex, .. } => {
            let on_map = p.vedettes.values().filter(|v| matches!(v, Vedette::At(_))).count();
            p.army.before_fog.get_or_insert(u32::try_from(on_map).unwrap_or(u32::MAX));
            p.vedettes.insert(*n, Vedette::At(*hex));
        }
        Event::FogLifted { .. } => p.army.before_fog = None,
        Event::VedetteKept { n, .. } => {
            p.army.vedettes_away.remove(n);
            p.vedettes.insert(*n, Vedette::Pool);
        }
        _ => {}
    }
}

/// Strength from one unit to another; a unit without any is removed from the game (¶13).
fn shift(p: &mut Pieces, from: &UnitId, to: &UnitId, sp: i32) {
    if let Some(u) = p.units.get_mut(to) {
        u.sp += sp;
    }
    if let Some(u) = p.units.get_mut(from) {
        u.sp -= sp;
    }
    p.units.retain(|id, u| id != from || u.sp > 0);
}

fn fill(p: &mut Pieces, unit: &UnitId, leader: &LeaderId, sp: i32) {
    p.units.insert(unit.clone(), Unit { track: Track::Of(leader.clone()), sp, immobile: false });
}

fn boxed(p: &mut Pieces, unit: &UnitId) {
    p.units.insert(unit.clone(), Unit { track: Track::Waiting, sp: 0, immobile: false });
}

fn spend(p: &mut Pieces, nationality: &str, arm: Arm, sp: i32) {
    if let Some(n) = p.army.pool.get_mut(&(nationality.to_owned(), arm)) {
        *n -= sp;
    }
    p.army.pool.retain(|_, n| *n > 0);
}

fn set_under(p: &mut Pieces, leader: &LeaderId, under: Option<&LeaderId>) {
    if let Some(l) = p.leaders.get_mut(leader) {
        l.under = under.cloned();
    }
}

/// A force is on the map again, with all on its portrait.
fn back(p: &mut Pieces, leader: &LeaderId, hex: Hex) {
    p.army.abroad.remove(leader);
    for member in p.force(leader) {
        if let Some(l) = p.leaders.get_mut(&member) {
            l.place = Place::At(hex);
        }
    }
}

fn put(p: &mut Pieces, leader: &LeaderId, hex: Hex) {
    if let Some(l) = p.leaders.get_mut(leader) {
        l.place = Place::At(hex);
        l.under = None;
    }
}

/// What a side is told: its own acts whole; of the other's, the counters that come and go.
pub fn sight(before: &State, e: &Event, after: &State, mind: &Intel, to: &SideId) -> Option<Sighting> {
    if e.side() == to {
        return own(before, e, after);
    }
    let pieces = before.pieces(e.side())?;
    let appeared =
        |hex: Hex, face: Option<(Piece, Ident)>| Some(Sighting::Appeared { who: Who::Foe(mind.next_tag()), hex, face });
    let vanished = |piece: Piece, hex: Hex| {
        let who = Who::Foe(mind.tag_of(&piece, hex)?);
        Some(Sighting::Vanished { who, hex })
    };
    let counter = |leader: &LeaderId| pieces.leaders.get(leader).is_some_and(|l| l.under.is_none());
    match e {
        Event::Detached { leader, .. } => appeared(pieces.hex(leader)?, None),
        Event::Raised { hex, under: None, .. }
        | Event::VedetteBack { hex, .. }
        | Event::FogVedette { hex, .. }
        | Event::Entered { hex, .. }
        | Event::Reentered { hex, .. }
        | Event::Returned { hex, .. } => appeared(*hex, None),
        Event::Attached { leader, .. } | Event::Retired { leader, .. } | Event::Honoured { leader, .. }
            if counter(leader) =>
        {
            vanished(Piece::Leader(leader.clone()), pieces.hex(leader)?)
        }
        Event::Garrisoned { garrison, hex, .. } => {
            // ¶130: a garrison stands flag side up.
            let piece = Piece::Garrison(garrison.clone());
            let name = ident(&piece);
            appeared(*hex, Some((piece, name)))
        }
        Event::Absorbed { garrison, .. } | Event::Converted { garrison, .. } => {
            let piece = Piece::Garrison(garrison.clone());
            let hex = pieces.piece_hex(&piece)?;
            vanished(piece, hex)
        }
        Event::Mobile { .. }
        | Event::Replaced { .. }
        | Event::Assigned { .. }
        | Event::Shifted { .. }
        | Event::Raised { .. }
        | Event::Attached { .. }
        | Event::Retired { .. }
        | Event::Honoured { .. }
        | Event::Drawn { .. }
        | Event::Formed { .. }
        | Event::Dissolved { .. }
        | Event::Boxed { .. }
        | Event::FogLifted { .. }
        | Event::VedetteKept { .. }
        | Event::Allotted { .. }
        | Event::Delayed { .. } => None,
    }
}

/// What the owner is told.
fn own(before: &State, e: &Event, after: &State) -> Option<Sighting> {
    let gone = |side: &SideId, unit: &UnitId| after.pieces(side).is_none_or(|p| !p.units.contains_key(unit));
    let hex = |side: &SideId, leader: &LeaderId| before.pieces(side).and_then(|p| p.hex(leader));
    let told = match e {
        Event::Mobile { .. } | Event::FogLifted { .. } | Event::Boxed { .. } => return None,
        Event::Replaced { unit, sp, .. } => Sighting::Replaced { unit: unit.clone(), sp: *sp },
        Event::Assigned { unit, leader, .. } => Sighting::Assigned { unit: unit.clone(), leader: leader.clone() },
        Event::Shifted { side, from, to, sp } => {
            Sighting::Shifted { from: from.clone(), to: to.clone(), sp: *sp, removed: gone(side, from) }
        }
        Event::Detached { side, leader } => Sighting::Detached { leader: leader.clone(), hex: hex(side, leader)? },
        Event::Attached { leader, to, .. } => Sighting::Attached { leader: leader.clone(), to: to.clone() },
        Event::Raised { leader, hex, under, .. } => {
            Sighting::Raised { leader: leader.clone(), hex: *hex, under: under.clone() }
        }
        Event::Retired { leader, .. } => Sighting::Retired { leader: leader.clone() },
        Event::Honoured { leader, dice, from, .. } => {
            Sighting::Honoured { leader: leader.clone(), dice: *dice, from: *from }
        }
        Event::Garrisoned { side, garrison, hex, from, .. } => Sighting::Garrisoned {
            garrison: garrison.clone(),
            hex: *hex,
            from: from.clone(),
            removed: gone(side, from),
        },
        Event::Absorbed { garrison, into, .. } => Sighting::Absorbed { garrison: garrison.clone(), into: into.clone() },
        Event::Converted { garrison, regiment, leader, .. } => {
            Sighting::Converted { garrison: garrison.clone(), regiment: regiment.clone(), leader: leader.clone() }
        }
        Event::Drawn { regiment, leader, sp, .. } => {
            Sighting::Drawn { regiment: regiment.clone(), leader: leader.clone(), sp: *sp }
        }
        Event::Formed { side, regiment, leader, from, sp } => Sighting::Formed {
            regiment: regiment.clone(),
            leader: leader.clone(),
            from: from.clone(),
            sp: *sp,
            removed: gone(side, from),
        },
        Event::Dissolved { regiment, into, sp, .. } => {
            Sighting::Dissolved { regiment: regiment.clone(), into: into.clone(), sp: *sp }
        }
        Event::VedetteBack { n, hex, .. } | Event::FogVedette { n, hex, .. } => {
            Sighting::Appeared { who: Who::Own(Piece::Vedette(*n)), hex: *hex, face: None }
        }
        Event::VedetteKept { n, .. } => Sighting::VedetteKept { n: *n },
        Event::Entered { leader, hex, units, .. } => {
            Sighting::Entered { leader: leader.clone(), hex: *hex, units: units.clone() }
        }
        Event::Reentered { leader, hex, .. } => Sighting::Reentered { leader: leader.clone(), hex: *hex },
        Event::Allotted { leader, army, .. } => Sighting::Allotted { leader: leader.clone(), army: army.clone() },
        Event::Delayed { leader, .. } => Sighting::Delayed { leader: leader.clone() },
        Event::Returned { leader, hex, .. } => Sighting::Returned { leader: leader.clone(), hex: *hex },
    };
    Some(told)
}

/// Changes what a side knows.
pub fn recall(mind: &mut Intel, told: &Sighting) {
    match told {
        Sighting::Appeared { who: Who::Foe(tag), hex, face } => {
            let (piece, ident) = face.clone().map_or((None, None), |(p, i)| (Some(p), Some(i)));
            mind.appeared(*tag, *hex, piece, ident);
        }
        Sighting::Vanished { who: Who::Foe(tag), .. } => mind.vanished(*tag),
        Sighting::Appeared { who: Who::Own(_), .. }
        | Sighting::Vanished { who: Who::Own(_), .. }
        | Sighting::Replaced { .. }
        | Sighting::Assigned { .. }
        | Sighting::Shifted { .. }
        | Sighting::Detached { .. }
        | Sighting::Attached { .. }
        | Sighting::Raised { .. }
        | Sighting::Retired { .. }
        | Sighting::Honoured { .. }
        | Sighting::Garrisoned { .. }
        | Sighting::Absorbed { .. }
        | Sighting::Converted { .. }
        | Sighting::Drawn { .. }
        | Sighting::Formed { .. }
        | Sighting::Dissolved { .. }
        | Sighting::VedetteKept { .. }
        | Sighting::Entered { .. }
        | Sighting::Reentered { .. }
        | Sighting::Allotted { .. }
        | Sighting::Delayed { .. }
        | Sighting::Returned { .. } => {}
    }
}
