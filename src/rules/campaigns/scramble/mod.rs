//! The same game with everything changed that one side may not know: for the test that its mails cannot tell.
//!
//! What a side may know of the other: where counters stand and how many; the face-up ones; what a name learnt still says;
//! markers in open sight; bridges, morale, control. All else is changed here and stays legal: strengths, who leads whom,
//! which face-down counter is a leader and which a vedette, points, pools, plans, and what the other side has done in its
//! phase.

mod counters;
mod display;
mod known;
mod noise;

use super::board::{ArmyId, UnitId};
use super::combat::battle::Marker;
use super::intel::Intel;
use super::pieces::{Pieces, Track, Vedette};
use super::state::State;
use crate::fog::SideId;
use crate::hex::Hex;
use known::Known;
use noise::Noise;
use std::collections::BTreeSet;

/// AP that a scrambled army may hold, less one.
const AP_BELOW: i32 = 21;

/// Everything outside a side's knowledge changed, within the rules.
pub fn scramble(s: &State, minds: &[(SideId, Intel)], keep: &SideId, noise: u64) -> State {
    let mut other = s.clone();
    let foe = s.enemy(keep);
    let known = Known::of(s, minds, keep, &foe);
    let mut noise = Noise::new(noise);
    counters::swap(&mut other, &foe, &known, &mut noise);
    let board = other.board.clone();
    if let Some(pieces) = other.pieces_mut(&foe) {
        display::scramble(&board, pieces, &known, &mut noise);
        number(pieces, &known, &mut noise);
        army(pieces, &mut noise);
    }
    phase(&mut other, keep, &mut noise);
    markers(&mut other, &foe, &mut noise);
    for (_, courier) in other.couriers.iter_mut().filter(|((side, _), _)| *side == foe) {
        courier.text = vec![format!("burn letter {}", noise.below(1000))];
        courier.at = courier.at.map(|_| courier.origin);
    }
    other
}

/// ¶300 step 3, 7, 315: a marker that has not been shown may be another one; and while no strength has been stated one unit
/// more may be in reserve.
fn markers(s: &mut State, foe: &SideId, noise: &mut Noise) {
    let turn = s.turn;
    let Some(pieces) = s.sides.get(foe) else { return };
    for battle in s.battles.iter_mut().filter(|b| b.on() && b.turn == turn) {
        let stated = battle.half.attacker.is_some();
        let ground = battle.ground(foe).to_vec();
        let party = battle.party_mut(foe);
        if !party.shown {
            party.marker = party.marker.map(|marker| match marker {
                Marker::Pursuit => Marker::Pitched,
                Marker::Pitched | Marker::Refuse | Marker::Rearguard => Marker::Pursuit,
            });
        }
        let units = ground.iter().flat_map(|hex| party.units(pieces, *hex)).map(|(id, _)| id);
        let free: Vec<UnitId> = units.filter(|id| !party.reserve.contains(id)).collect();
        if let (false, true, Some(unit)) = (stated, free.len() > 1, noise.pick(&free)) {
            party.reserve.insert(unit);
        }
    }
}

/// ¶33, 96, 110: points, pools and plans are nobody's business but their owner's.
fn army(pieces: &mut Pieces, noise: &mut Noise) {
    let before = pieces.army.ap;
    pieces.army.ap = noise.below(AP_BELOW);
    if pieces.army.ap == before {
        pieces.army.ap += 1;
    }
    // ¶33, 94, 98: so are those of each of its armies, and which of them it deals with.
    let names: Vec<ArmyId> = pieces.others.keys().cloned().collect();
    for army in pieces.others.values_mut() {
        army.ap = (army.ap + 1 + noise.below(AP_BELOW)) % (AP_BELOW + 1);
        army.via = !army.via;
        army.source_moving = army.source_moving.and(army.source);
    }
    if let Some(name) = noise.pick(&names) {
        pieces.turn_to(&name);
    }
    // ¶63, 127: who has tried a Forced March, and what is left of the Paris Garrison.
    pieces.army.forced.clear();
    pieces.army.paris_drawn = None;
    for unit in pieces.units.values_mut().filter(|u| u.track == Track::Waiting && u.sp > 0) {
        unit.sp = 1 + noise.below(unit.sp);
    }
    for n in pieces.army.pool.values_mut() {
        *n = 1 + noise.below(5);
    }
    pieces.army.lost += noise.below(4);
    let hexes: Vec<Hex> = pieces.on_map().map(|(_, h)| h).collect();
    pieces.plans = match (pieces.plans.is_empty(), noise.pick(&hexes)) {
        (true, Some(hex)) => [(hex, vec!["TYPE PURSUIT".to_owned()])].into_iter().collect(),
        (true, None) | (false, _) => Default::default(),
    };
    // ¶188, 290: an Administrative March and a citadel's store are the owner's alone.
    pieces.army.admin_marches.clear();
    // ¶219: where a force left the map shows; when it comes back does not.
    for away in pieces.army.abroad.values_mut() {
        away.turn += 1;
    }
    pieces.army.revictualled.clear();
    // ¶102: that the marker is turned over shows; where it will go does not.
    if pieces.army.source_moving.is_some() {
        pieces.army.source_moving = noise.pick(&hexes).or(pieces.army.source_moving);
    }
}

/// Numbers of vedettes that do not stand face up go round, and with them which of the others waits in the pool.
fn number(pieces: &mut Pieces, known: &Known, noise: &mut Noise) {
    let numbers: Vec<u32> = pieces.vedettes.keys().copied().filter(|n| !known.vedettes.contains(n)).collect();
    let mut places: Vec<Vedette> = numbers.iter().filter_map(|n| pieces.vedettes.get(n).cloned()).collect();
    noise.shuffle(&mut places);
    // ¶87: who waits to return is told by number, so the pool's numbers stay.
    if pieces.army.vedettes_away.is_empty() {
        pieces.vedettes.extend(numbers.into_iter().zip(places));
    }
}

/// What the other side has done in its own phase is unknown but for what was seen; the log is thinned out.
fn phase(s: &mut State, keep: &SideId, noise: &mut Noise) {
    let acting = match &s.at {
        super::sequence::At::Reaction(phasing) => Some(s.enemy(phasing)),
        at => at.phasing().cloned(),
    };
    if acting.is_none_or(|side| side == *keep) {
        return;
    }
    let kept: BTreeSet<_> = s.phase.acted.iter().filter(|_| noise.below(2) == 0).cloned().collect();
    s.phase.acted = kept;
    s.phase.parts.clear();
    // ¶295: what is to be dug shows when it is.
    s.phase.digging.clear();
    // ¶287: who may forage what is its own side's choice.
    s.phase.assigned.clear();
}
