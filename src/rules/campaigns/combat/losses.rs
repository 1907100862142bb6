//! Who loses strength (¶145, 269, 312, 321, 347, 352, 364, 367, 385), and leaders left without troops (¶41-43, 396).

use super::battle::{Battle, Party, source_garrison};
use super::event::Partly;
use super::told::{Open, Shift};
use super::{detach, get, morale};
use crate::dice::Label;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::Play;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::board::{Arm, LeaderId, Quality, UnitId};
use crate::rules::campaigns::flow;
use crate::rules::campaigns::flow::told::{Cause, Why};
use crate::rules::campaigns::pieces::{Piece, Pieces};
use crate::rules::campaigns::retreat;
use crate::rules::campaigns::state::State;
use crate::rules::cx::Cx;
use std::collections::{BTreeMap, BTreeSet};

/// Hexes that a leader goes who escapes, as if repulsed (¶43, 242).
const REPULSED: i32 = 2;

/// How a loss falls on the units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fall {
    /// What takes it.
    pub cause: Cause,
    /// Whether the Old Guard is committed, so that all of it falls on the Guard (¶364).
    pub staked: bool,
    /// Guns in the front rank: each has its losses halved (¶349).
    pub forward: BTreeSet<UnitId>,
}

impl Fall {
    /// A plain loss.
    pub fn of(cause: Cause) -> Fall {
        Fall { cause, staked: false, forward: BTreeSet::new() }
    }
}

/// The order in which a unit's tier loses strength; the lowest tier first.
fn tier(s: &State, party: &Party, fall: &Fall, id: &UnitId) -> u32 {
    let Some(spec) = s.board.units.get(id) else { return 9 };
    let reserve = party.reserve.contains(id);
    let front = fall.forward.contains(id);
    match fall.cause {
        // ¶312 the garrison takes the first loss in retreat, ¶385 then the guns.
        Cause::Pursuit if !fall.staked => match (spec.garrison, spec.arm) {
            (true, _) => 0,
            (false, Arm::Artillery) => 1,
            (false, _) => 2 + u32::from(reserve),
        },
        // ¶364 the Old Guard loses the first SP; the rest of the French Guard shares what follows.
        _ if fall.staked && !reserve => match spec.quality {
            Quality::OldGuard if spec.arm != Arm::Artillery => 0,
            Quality::YoungGuard => 1,
            Quality::OldGuard | Quality::Line => 3,
        },
        // ¶321 reserves after all committed units; ¶347, 352 guns last, but for those in the front rank.
        _ => match (spec.arm, reserve) {
            (Arm::Artillery, false) if front => 0,
            (Arm::Artillery, _) => 8,
            (_, false) => 0,
            (_, true) => 4,
        },
    }
}

/// The next unit to lose one SP: the lowest tier, then who has lost least in the battle, then the largest, then the
/// weakest quality (¶145, 367; D-57).
fn next(
    s: &State,
    party: &Party,
    fall: &Fall,
    left: &BTreeMap<UnitId, i32>,
    now: &BTreeMap<UnitId, i32>,
) -> Option<UnitId> {
    let taken = |id: &UnitId| party.taken.get(id).copied().unwrap_or(0) + now.get(id).copied().unwrap_or(0);
    let quality = |id: &UnitId| {
        s.board.units.get(id).map_or(0, |u| match u.quality {
            Quality::Line => 0,
            Quality::YoungGuard => 1,
            Quality::OldGuard => 2,
        })
    };
    left.iter()
        .filter(|(_, sp)| **sp > 0)
        .min_by_key(|(id, sp)| (tier(s, party, fall, id), taken(id), -**sp, quality(id), (*id).clone()))
        .map(|(id, _)| id.clone())
}

/// Units of a hex that a loss can fall on: to fire and in pitched battle guns lose nothing while another arm is in their
/// hex, but for those in the front rank (¶347, 349, 352).
fn exposed(s: &State, party: &Party, own: &Pieces, hex: Hex, fall: &Fall) -> Vec<(UnitId, i32)> {
    let units = party.units(own, hex);
    let guns = |id: &UnitId| s.board.units.get(id).is_some_and(|u| u.arm == Arm::Artillery);
    let spared = matches!(fall.cause, Cause::Combat | Cause::Bombardment) && units.iter().any(|(id, _)| !guns(id));
    units.into_iter().filter(|(id, _)| !spared || !guns(id) || fall.forward.contains(id)).collect()
}

/// SP of a side in some hexes that can be lost in combat (¶352, 408).
pub fn exposed_sp(s: &State, no: u32, side: &SideId, hexes: &[Hex]) -> i32 {
    let (Some(battle), Some(own)) = (get(s, no), s.pieces(side)) else { return 0 };
    let fall = Fall::of(Cause::Combat);
    let units = hexes.iter().flat_map(|h| exposed(s, battle.party(side), own, *h, &fall));
    let source = if battle.defend.side == *side { hexes.iter().map(|h| source_garrison(own, *h)).sum() } else { 0 };
    units.map(|(_, sp)| sp).sum::<i32>() + source
}

/// The units that lose so many SP in some hexes, with how much each, and what of the loss is left for a source garrison.
fn spread(
    s: &State,
    battle: &Battle,
    side: &SideId,
    hexes: &[Hex],
    sp: i32,
    fall: &Fall,
) -> (BTreeMap<UnitId, i32>, i32) {
    let party = battle.party(side);
    let mut now: BTreeMap<UnitId, i32> = BTreeMap::new();
    let Some(own) = s.pieces(side) else { return (now, 0) };
    let mut left: BTreeMap<UnitId, i32> = hexes.iter().flat_map(|h| exposed(s, party, own, *h, fall)).collect();
    let mut owed = sp;
    let mut doubled = false;
    while owed > 0 {
        let Some(unit) = next(s, party, fall, &left, &now) else { break };
        // ¶364: what the Guard cannot take falls twice on the line.
        if fall.staked && !doubled && tier(s, party, fall, &unit) >= 3 {
            doubled = true;
            owed *= 2;
        }
        *left.entry(unit.clone()).or_default() -= 1;
        *now.entry(unit).or_default() += 1;
        owed -= 1;
    }
    // ¶349: units in the front rank lose half of theirs, rounded down.
    for (unit, n) in &mut now {
        if fall.forward.contains(unit) {
            *n /= 2;
        }
    }
    now.retain(|_, n| *n > 0);
    (now, owed)
}

/// Takes SP from the units of a side in some hexes, as evenly as possible; gives how many were lost.
pub fn take(cx: &mut Cx<'_, Campaigns>, no: u32, side: &SideId, hexes: &[Hex], sp: i32, fall: &Fall) -> i32 {
    let Some(battle) = get(cx.state(), no) else { return 0 };
    let (units, rest) = spread(cx.state(), battle, side, hexes, sp, fall);
    // ¶77: the garrison of a source fights in its own hex only.
    let at_home = battle.defend.side == *side;
    let source = hexes
        .iter()
        .copied()
        .filter(|h| at_home && battle.hexes.contains(h))
        .find(|h| cx.state().pieces(side).is_some_and(|p| source_garrison(p, *h) > 0));
    let garrison = source.and_then(|h| cx.state().pieces(side).map(|p| source_garrison(p, h))).unwrap_or(0);
    let from_garrison = rest.min(garrison).max(0);
    let total = units.values().sum::<i32>() + from_garrison;
    if total == 0 {
        return 0;
    }
    let broken = broken_reserve(cx.state(), battle, side, hexes, &units);
    took(cx, (no, side), units.into_iter().collect(), total, fall.cause);
    if let Some(hex) = source.filter(|_| from_garrison > 0) {
        cx.emit(Open::SourceLost { side: side.clone(), hex, left: garrison - from_garrison }.into());
    }
    if !broken.is_empty() {
        cx.emit(Partly::Committed { no, side: side.clone(), units: broken }.into());
    }
    total
}

/// A side loses strength in a battle: so much in all, and some of it by unit.
pub fn took(cx: &mut Cx<'_, Campaigns>, (no, side): (u32, &SideId), units: Vec<(UnitId, i32)>, sp: i32, cause: Cause) {
    if sp > 0 {
        cx.emit(Partly::Took { no, side: side.clone(), units: units.clone(), sp, cause }.into());
    }
    flow::lose(cx, side, units, cause);
}

/// ¶321: where all committed units of a hex are destroyed, its reserves are reserves no longer.
fn broken_reserve(
    s: &State,
    battle: &Battle,
    side: &SideId,
    hexes: &[Hex],
    lost: &BTreeMap<UnitId, i32>,
) -> Vec<UnitId> {
    let Some(own) = s.pieces(side) else { return Vec::new() };
    let party = battle.party(side);
    let mut found = Vec::new();
    for hex in hexes {
        let units = party.units(own, *hex);
        // Only a hex that loses something is under attack.
        if !units.iter().any(|(id, _)| lost.contains_key(id)) {
            continue;
        }
        let fights = |id: &UnitId| s.board.units.get(id).is_some_and(|u| u.arm != Arm::Artillery);
        let stands = |(id, sp): &(UnitId, i32)| {
            fights(id) && !party.reserve.contains(id) && *sp > lost.get(id).copied().unwrap_or(0)
        };
        if !units.iter().any(stands) {
            let held =
                units.iter().filter(|(id, sp)| party.reserve.contains(id) && *sp > lost.get(id).copied().unwrap_or(0));
            found.extend(held.map(|(id, _)| id.clone()));
        }
    }
    found
}

/// ¶42-43: leaders of a battle in hexes where it has no SP left try to escape.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn sweep(cx: &mut Cx<'_, Campaigns>, no: u32, side: &SideId, hexes: &[Hex]) -> Play<()> {
    for hex in hexes {
        let (Some(battle), Some(own)) = (get(cx.state(), no), cx.state().pieces(side)) else { continue };
        let party = battle.party(side);
        let home = battle.defend.side == *side && battle.hexes.contains(hex) && source_garrison(own, *hex) > 0;
        if home || party.sp(own, &[*hex], false) > 0 {
            let leaders: Vec<LeaderId> = own.leaders_at(*hex).into_iter().cloned().collect();
            retire(cx, side, &leaders);
            continue;
        }
        // Others in the hex are no part of the destroyed force, unless nothing of their own is there.
        let alone = own.sp_at(*hex) == 0;
        let here =
            own.leaders_at(*hex).into_iter().filter(|l| alone || party.pieces.contains(&Piece::Leader((*l).clone())));
        let lost: Vec<LeaderId> = here.filter(|l| own.unemployed(l)).cloned().collect();
        if lost.is_empty() && !alone {
            continue;
        }
        cx.emit(Open::Destroyed { no, side: side.clone(), hex: *hex }.into());
        if alone {
            vedettes_off(cx, side, *hex);
        }
        for leader in lost {
            escape(cx, side, &leader, *hex)?;
        }
    }
    Ok(())
}

/// ¶41: a Major General without troops goes back to his track at once.
fn retire(cx: &mut Cx<'_, Campaigns>, side: &SideId, counters: &[LeaderId]) {
    let mut idle = Vec::new();
    if let Some(own) = cx.state().pieces(side) {
        for leader in counters.iter().flat_map(|c| own.force(c)) {
            // A British general of a name goes with his unit for good (¶124): `gone` leaves him out of the game.
            let general = cx.state().board.leaders.get(&leader).is_some_and(|s| s.major_general.is_some());
            if general && own.unemployed(&leader) {
                idle.push(leader);
            }
        }
    }
    for leader in idle {
        gone(cx, side, &leader, false);
    }
}

/// A leader leaves the map: a Major General to his box, another until he may come back (¶43).
fn gone(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId, captured: bool) {
    let general = cx.state().board.leaders.get(leader).is_some_and(|s| s.major_general.is_some());
    let demoted = captured && !general && cx.state().board.leaders_return(side);
    let until = demoted.then_some(cx.state().turn + 2);
    let event = flow::event::Partly::LeaderGone { side: side.clone(), leader: leader.clone(), until, demoted };
    cx.emit(event.into());
}

/// ¶374, 396: every leader of a force that is captured as a whole. House decision: no die lets him escape (¶42), who has
/// nowhere to go.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn captured(cx: &mut Cx<'_, Campaigns>, side: &SideId, counter: &LeaderId) -> Play<()> {
    let hex = cx.state().pieces(side).and_then(|own| own.hex(counter)).unwrap_or(Hex::new(1, 1));
    let members = cx.state().pieces(side).map(|own| own.force(counter)).unwrap_or_default();
    for leader in members {
        gone(cx, side, &leader, true);
        personality(cx, side, &leader, hex)?;
    }
    Ok(())
}

/// ¶42-43, 396: every leader of a force without troops rolls against his printed Initiative; who fails is captured and,
/// where no replacement leaders are offered, comes back after one whole turn with one less of each; who escapes
/// goes two hexes as if repulsed.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn escape(cx: &mut Cx<'_, Campaigns>, side: &SideId, counter: &LeaderId, hex: Hex) -> Play<()> {
    let Some(own) = cx.state().pieces(side) else { return Ok(()) };
    let members = own.force(counter);
    let mut free = Vec::new();
    let mut taken = Vec::new();
    for leader in members {
        let spec = cx.state().board.leaders.get(&leader);
        let general = spec.is_some_and(|s| s.major_general.is_some());
        let rating = spec.map_or(1, |s| s.initiative);
        let die = (!general).then(|| cx.d6(&Label::public("escape").at(&hex)));
        let escaped = die.is_some_and(|die| die <= rating);
        cx.emit(Open::Escape { side: side.clone(), leader: leader.clone(), hex, die, escaped }.into());
        if escaped { free.push(leader) } else { taken.push(leader) }
    }
    let lead_lost = taken.contains(counter);
    for leader in free.iter().filter(|l| lead_lost && *l != counter) {
        detach(cx, side, leader);
    }
    for leader in &taken {
        gone(cx, side, leader, true);
        personality(cx, side, leader, hex)?;
    }
    for leader in free.iter().filter(|l| lead_lost || *l == counter) {
        retreat::drive(cx, side, leader, REPULSED, Why::Repulsed);
    }
    Ok(())
}

/// ¶370: a leader without troops is captured without a roll in a hex that he cannot leave.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn caught(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId, hex: Hex) -> Play<()> {
    cx.emit(Open::Escape { side: side.clone(), leader: leader.clone(), hex, die: None, escaped: false }.into());
    gone(cx, side, leader, true);
    personality(cx, side, leader, hex)
}

/// ¶396: a captured leader with a span of six or a star moves morale one space against his side.
fn personality(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId, hex: Hex) -> Play<()> {
    let s = cx.state();
    let Some(spec) = s.board.leaders.get(leader) else { return Ok(()) };
    let major = spec.major_general.is_none()
        && (spec.span >= crate::rules::campaigns::board::Halves::whole(s.board.tables.morale.major_span)
            || spec.bonus > 0);
    if major && !napoleon(leader) {
        let french = s.board.side(side).is_some_and(|s| s.french);
        let by = if french { -1 } else { 1 };
        morale::shift(cx, (0, hex), Shift::Captured(leader.clone()), by)?;
    }
    Ok(())
}

/// ¶396: the Emperor; his capture is the Coalition's to use, see `phase::fell`.
pub fn napoleon(leader: &LeaderId) -> bool {
    leader.0 == "napoleon"
}

/// ¶368: vedettes that must retreat or lose strength leave the map: for the portrait of the nearest friendly force
/// within 9 cavalry MP, else for the pool.
pub fn vedettes_off(cx: &mut Cx<'_, Campaigns>, side: &SideId, hex: Hex) {
    let numbers = cx.state().pieces(side).map(|p| p.vedettes_at(hex)).unwrap_or_default();
    for n in numbers {
        let near = cx.state().situation(side).and_then(|sit| sit.nearest_force(hex));
        flow::vedette_off(cx, side, n, near);
    }
}
