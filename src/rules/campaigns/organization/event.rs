//! Events of I.b Organization and II.a Reinforcements: replacements, leaders, units between tracks, garrisons, arrivals
//! (¶108-146, 154-163).

use super::told::{Glimpse, Own, Sighting};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::board::{Arm, LeaderId, UnitId};
use crate::rules::campaigns::flow::event::ident;
use crate::rules::campaigns::flow::told::Who;
use crate::rules::campaigns::intel::Intel;
use crate::rules::campaigns::pieces::{Leader, Piece, Pieces, Place, Track, Unit, Vedette};
use crate::rules::campaigns::sequence::PhaseLog;
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::telling::{self, Never, Of};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use strum::VariantNames;

/// An event of this chapter: nothing of it lies open, and each is of one side.
pub type Event = telling::Event<Never, Own, Of<Partly>, Of<Quiet>>;

/// What each side sees otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Partly {
    /// A unit receives points out of the pool, and is immobile (¶108, 114).
    Replaced { unit: UnitId, nationality: String, arm: Arm, sp: i32 },
    /// Strength goes from one unit to another; a unit without any is removed (¶54, 133).
    Shifted { from: UnitId, to: UnitId, sp: i32 },
    /// A subordinate becomes a force of his own in the hex (¶140).
    Detached { leader: LeaderId },
    /// A force goes under another leader in the hex, with his subordinates (¶37, 294).
    Attached { leader: LeaderId, to: LeaderId },
    /// A Major General or replacement leader is activated, on the map or under another (¶119-120).
    Raised { leader: LeaderId, hex: Hex, under: Option<LeaderId> },
    /// A Major General or replacement leader without troops leaves the map (¶41, 121).
    Retired { leader: LeaderId },
    /// A leader of a citadel that has surrendered goes with the honours of war: two dice name the month from which he is a
    /// replacement leader, and that its first turn (¶414).
    Honoured { leader: LeaderId, dice: (u32, u32), from: Option<u32> },
    /// A garrison is made out of a unit's strength (¶130).
    Garrisoned { garrison: UnitId, hex: Hex, from: UnitId, sp: i32 },
    /// A garrison's strength goes into a unit (¶131).
    Absorbed { garrison: UnitId, into: UnitId, sp: i32 },
    /// A garrison becomes a March Regiment on a leader's track (¶131).
    Converted { garrison: UnitId, regiment: UnitId, leader: LeaderId, sp: i32 },
    /// A March Regiment or Replacement Counter is filled out of the pool (¶115, 126).
    Drawn { regiment: UnitId, leader: LeaderId, nationality: String, arm: Arm, sp: i32 },
    /// One is filled with a unit's strength (¶116, 126, 134).
    Formed { regiment: UnitId, leader: LeaderId, from: UnitId, sp: i32 },
    /// A vedette comes with a new force, or comes back (¶87, 158, 368).
    VedetteBack { n: u32, hex: Hex, with: Option<LeaderId> },
    /// A vedette comes in Fog, beyond the others (¶159).
    FogVedette { n: u32, hex: Hex },
    /// A reinforcement comes onto the map (¶154).
    Entered { leader: LeaderId, hex: Hex, units: BTreeMap<UnitId, i32> },
    /// A force that retreated off the map comes back (¶376).
    Reentered { leader: LeaderId, hex: Hex },
    /// An eliminated leader comes back (¶43).
    Returned { leader: LeaderId, hex: Hex },
}

/// What nobody is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Quiet {
    /// Units replaced last turn may move again (¶114).
    Mobile,
    /// A March Regiment emptied by its owner goes back into the box (¶117).
    Boxed { unit: UnitId },
    /// Fog has lifted, and the count of vedettes is what it was (¶159).
    FogLifted,
}

/// Changes the state.
pub fn apply(s: &mut State, e: &Event) {
    let side = match e {
        Event::Open(never) => match *never {},
        Event::Own(Of { side, what }) => {
            own(s, side, what);
            side
        }
        Event::Partly(Of { side, what }) => {
            partly(s, side, what);
            side
        }
        Event::Quiet(Of { side, what }) => {
            quiet(s, side, what);
            side
        }
    };
    let board = s.board.clone();
    if let Some(p) = s.pieces_mut(side) {
        p.drop_empty_halves(&board);
    }
}

/// ¶54, 120-121, 131 The step of the Organization Segment that an act belongs to is reached.
fn step(phase: &mut PhaseLog, step: u8) {
    phase.step = phase.step.max(step);
}

/// What its side alone knows.
fn own(s: &mut State, side: &SideId, what: &Own) {
    let Some(p) = s.sides.get_mut(side) else { return };
    match what {
        Own::Assigned { unit, leader } => {
            step(&mut s.phase, 3);
            if let Some(u) = p.units.get_mut(unit) {
                u.track = Track::Of(leader.clone());
            }
        }
        Own::Dissolved { regiment, into, sp } => {
            step(&mut s.phase, 3);
            shift(p, regiment, into, *sp);
            boxed(p, regiment);
        }
        Own::VedetteKept { n } => {
            p.army.vedettes_away.remove(n);
            p.vedettes.insert(*n, Vedette::Pool);
        }
        Own::Allotted { leader, army } => {
            p.assigned.insert(leader.clone(), army.clone());
        }
        Own::Delayed { leader } => {
            s.phase.delayed.insert(leader.clone());
        }
    }
}

/// What nobody is told.
fn quiet(s: &mut State, side: &SideId, what: &Quiet) {
    let Some(p) = s.pieces_mut(side) else { return };
    match what {
        Quiet::Mobile => p.units.values_mut().for_each(|u| u.immobile = false),
        Quiet::Boxed { unit } => boxed(p, unit),
        Quiet::FogLifted => p.army.before_fog = None,
    }
}

/// What each side sees otherwise.
fn partly(s: &mut State, side: &SideId, what: &Partly) {
    let Some(p) = s.sides.get_mut(side) else { return };
    let phase = &mut s.phase;
    match what {
        Partly::Replaced { unit, nationality, arm, sp } => {
            step(phase, 1);
            spend(p, nationality, *arm, *sp);
            replaced(p, unit, *sp);
        }
        Partly::Shifted { from, to, sp } => {
            step(phase, 4);
            shift(p, from, to, *sp);
        }
        Partly::Detached { leader } => {
            phase.created.entry(leader.clone()).or_default();
            set_under(p, leader, None);
        }
        Partly::Attached { leader, to } => {
            p.force(leader).iter().for_each(|member| set_under(p, member, Some(to)));
            no_force(s, side, leader);
        }
        Partly::Raised { leader, hex, under } => raised(p, phase, leader, *hex, under.as_ref()),
        Partly::Retired { leader } => leave(s, side, leader, Place::Waiting),
        Partly::Honoured { leader, from, .. } => leave(s, side, leader, Place::Bound(*from)),
        Partly::Garrisoned { garrison, hex, from, sp } => {
            step(phase, 3);
            p.units.insert(garrison.clone(), Unit { track: Track::Garrison(*hex), sp: 0, immobile: false });
            shift(p, from, garrison, *sp);
        }
        Partly::Absorbed { garrison, into, sp } => {
            absorbed(phase, garrison);
            shift(p, garrison, into, *sp);
        }
        Partly::Converted { garrison, regiment, leader, sp } => {
            absorbed(phase, garrison);
            p.units.remove(garrison);
            fill(p, regiment, leader, *sp);
        }
        Partly::Drawn { regiment, leader, nationality, arm, sp } => {
            step(phase, 3);
            phase.mustered.insert(regiment.clone());
            spend(p, nationality, *arm, *sp);
            fill(p, regiment, leader, *sp);
        }
        Partly::Formed { regiment, leader, from, sp } => {
            step(phase, 3);
            fill(p, regiment, leader, 0);
            shift(p, from, regiment, *sp);
        }
        Partly::VedetteBack { n, hex, with } => {
            if let Some(leader) = with {
                *phase.created.entry(leader.clone()).or_default() += 1;
            }
            p.army.vedettes_away.remove(n);
            p.vedettes.insert(*n, Vedette::At(*hex));
        }
        Partly::FogVedette { n, hex } => fog_vedette(p, *n, *hex),
        Partly::Entered { leader, hex, units } => {
            phase.entered.insert(leader.clone(), *hex);
            put(p, leader, *hex);
            p.army.arrived.insert(leader.clone());
            units.iter().for_each(|(unit, sp)| fill(p, unit, leader, *sp));
        }
        Partly::Reentered { leader, hex } => {
            phase.entered.insert(leader.clone(), *hex);
            back(p, leader, *hex);
        }
        Partly::Returned { leader, hex } => put(p, leader, *hex),
    }
}

/// A leader is on the map no more.
fn leave(s: &mut State, side: &SideId, leader: &LeaderId, place: Place) {
    if let Some(l) = s.pieces_mut(side).and_then(|p| p.leaders.get_mut(leader)) {
        l.place = place;
        l.under = None;
    }
    no_force(s, side, leader);
}

/// A leader is the leader of a force no more.
fn no_force(s: &mut State, side: &SideId, leader: &LeaderId) {
    s.phase.created.remove(leader);
    s.face_up.remove(&(side.clone(), Piece::Leader(leader.clone())));
}

/// ¶131 A garrison counter is off the map, and not free again in this turn.
fn absorbed(phase: &mut PhaseLog, garrison: &UnitId) {
    step(phase, 3);
    phase.absorbed.insert(garrison.clone());
}

/// ¶114 A unit has points more, and is immobile.
fn replaced(p: &mut Pieces, unit: &UnitId, sp: i32) {
    if let Some(u) = p.units.get_mut(unit) {
        u.sp += sp;
        u.immobile = true;
    }
}

/// ¶43 A leader comes into play; if he has lost a rating before, he has lost it for good.
fn raised(p: &mut Pieces, phase: &mut PhaseLog, leader: &LeaderId, hex: Hex, under: Option<&LeaderId>) {
    step(phase, 3);
    if under.is_none() {
        phase.created.entry(leader.clone()).or_default();
    }
    let demoted = p.leaders.get(leader).map_or(0, |l| l.demoted);
    let fresh = Leader { place: Place::At(hex), under: under.cloned(), forage: false, train: false, demoted, steps: 0 };
    p.leaders.insert(leader.clone(), fresh);
}

/// ¶159 A vedette comes in Fog; the count before the first of them is kept.
fn fog_vedette(p: &mut Pieces, n: u32, hex: Hex) {
    let on_map = p.vedettes.values().filter(|v| matches!(v, Vedette::At(_))).count();
    p.army.before_fog.get_or_insert(u32::try_from(on_map).unwrap_or(u32::MAX));
    p.vedettes.insert(n, Vedette::At(hex));
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
    e.told_to(to, |of| {
        let (foe, own) = seen(before, of, after, mind)?;
        if of.side == *to { Some(own) } else { foe }
    })
}

/// What the other side sees of an act, the counters that come and go; and what its own side is told.
fn seen(before: &State, of: &Of<Partly>, after: &State, mind: &Intel) -> Option<(Option<Glimpse>, Glimpse)> {
    let pieces = before.pieces(&of.side)?;
    let removed = |unit: &UnitId| after.pieces(&of.side).is_none_or(|p| !p.units.contains_key(unit));
    let comes = |hex: Hex, face| Some(Glimpse::Appeared { who: Who::Foe(mind.next_tag()), hex, face });
    let goes = |piece: Piece| {
        let hex = pieces.piece_hex(&piece)?;
        Some(Glimpse::Vanished { who: Who::Foe(mind.tag_of(&piece, hex)?), hex })
    };
    // A leader under another has no counter on the map.
    let leaves = |leader: &LeaderId| {
        let counter = pieces.leaders.get(leader).is_some_and(|l| l.under.is_none());
        if counter { goes(Piece::Leader(leader.clone())) } else { None }
    };
    let garrison_goes = |garrison: &UnitId| goes(Piece::Garrison(garrison.clone()));
    Some(match of.what.clone() {
        Partly::Replaced { unit, sp, .. } => (None, Glimpse::Replaced { unit, sp }),
        Partly::Shifted { from, to, sp } => (None, Glimpse::Shifted { removed: removed(&from), from, to, sp }),
        Partly::Detached { leader } => {
            let hex = pieces.hex(&leader)?;
            (comes(hex, None), Glimpse::Detached { leader, hex })
        }
        Partly::Attached { leader, to } => (leaves(&leader), Glimpse::Attached { leader, to }),
        Partly::Raised { leader, hex, under } => {
            let foe = if under.is_none() { comes(hex, None) } else { None };
            (foe, Glimpse::Raised { leader, hex, under })
        }
        Partly::Retired { leader } => (leaves(&leader), Glimpse::Retired { leader }),
        Partly::Honoured { leader, dice, from } => (leaves(&leader), Glimpse::Honoured { leader, dice, from }),
        Partly::Garrisoned { garrison, hex, from, .. } => {
            // ¶130: a garrison stands flag side up.
            let piece = Piece::Garrison(garrison.clone());
            let name = ident(&piece);
            let own = Glimpse::Garrisoned { removed: removed(&from), garrison, hex, from };
            (comes(hex, Some((piece, name))), own)
        }
        Partly::Absorbed { garrison, into, .. } => (garrison_goes(&garrison), Glimpse::Absorbed { garrison, into }),
        Partly::Converted { garrison, regiment, leader, .. } => {
            (garrison_goes(&garrison), Glimpse::Converted { garrison, regiment, leader })
        }
        Partly::Drawn { regiment, leader, sp, .. } => (None, Glimpse::Drawn { regiment, leader, sp }),
        Partly::Formed { regiment, leader, from, sp } => {
            (None, Glimpse::Formed { removed: removed(&from), regiment, leader, from, sp })
        }
        Partly::VedetteBack { n, hex, .. } | Partly::FogVedette { n, hex } => {
            (comes(hex, None), Glimpse::Appeared { who: Who::Own(Piece::Vedette(n)), hex, face: None })
        }
        Partly::Entered { leader, hex, units } => (comes(hex, None), Glimpse::Entered { leader, hex, units }),
        Partly::Reentered { leader, hex } => (comes(hex, None), Glimpse::Reentered { leader, hex }),
        Partly::Returned { leader, hex } => (comes(hex, None), Glimpse::Returned { leader, hex }),
    })
}

/// Changes what a side knows.
pub fn recall(mind: &mut Intel, told: &Sighting) {
    if let Sighting::Partly(Glimpse::Appeared { who: Who::Foe(tag), hex, face }) = told {
        let (piece, ident) = face.clone().map_or((None, None), |(p, i)| (Some(p), Some(i)));
        mind.appeared(*tag, *hex, piece, ident);
    }
    if let Sighting::Partly(Glimpse::Vanished { who: Who::Foe(tag), .. }) = told {
        mind.vanished(*tag);
    }
}
