//! The counterattack (¶308, 401-404, 300 steps 12-13).

use super::battle::{Ended, Party};
use super::clause::Counter;
use super::fire::Forward;
use super::question::{Answer, What};
use super::resolve::{Act, Next};
use super::{ask, field, get, hexes_held, resolve};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::Play;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::board::{Arm, LeaderId, UnitId};
use crate::rules::campaigns::pieces::{Piece, Track};
use crate::rules::campaigns::state::State;
use crate::rules::cx::Cx;
use std::collections::{BTreeMap, BTreeSet};

/// The counterattack of a round.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn counter(cx: &mut Cx<'_, Campaigns>, no: u32, forward: &Forward) -> Play<Next> {
    let Some(battle) = get(cx.state(), no) else { return Ok(Next::Over) };
    let by = battle.defend.side.clone();
    let phasing = battle.attack.side.clone();
    let Some((party, group)) = force(cx.state(), no, &by) else { return Ok(Next::On) };
    // ¶313: those whom the leader cannot command stand by, and nothing befalls them.
    let in_group = |h: &Hex| cx.state().pieces(&by).is_some_and(|own| group.iter().any(|l| own.hex(l) == Some(*h)));
    let from: Vec<Hex> = hexes_held(cx.state(), no, &by).into_iter().filter(in_group).collect();
    let near = reachable(cx.state(), &by, &from, &hexes_held(cx.state(), no, &phasing));
    if from.is_empty() || near.is_empty() {
        return Ok(Next::On);
    }
    let free = free(cx.state(), &by, &from, &near);
    let answer = ask(cx, no, vec![(by.clone(), What::Counter { free })])?;
    let (how, hold) = match answer.into_iter().next() {
        Some(Answer::Counter(how, hold)) => (how, hold),
        _ => (Counter::Strongest, 0),
    };
    if how == Counter::None && free {
        return Ok(Next::On);
    }
    if let Counter::Split(parts) = &how
        && let Some(acts) = split(cx.state(), no, &party, &near, parts, forward)
    {
        return divided(cx, no, &acts);
    }
    let (into, with) = aim(cx.state(), no, party, &from, &near, &how, hold);
    let act = Act { no, by, from, into, counter: true, with: Some(with), part: false, forward: forward.clone() };
    resolve::half(cx, &act)
}

/// ¶403: the counterattacks of a force of several hexes that divides: every hex of it attacks one enemy hex, none is
/// attacked twice, the strongest is attacked. `None` where the wish is none of that.
fn split(
    s: &State,
    no: u32,
    party: &Party,
    near: &[Hex],
    parts: &[(LeaderId, Hex)],
    forward: &Forward,
) -> Option<Vec<Act>> {
    let (battle, own, sit) = (get(s, no)?, s.pieces(&party.side)?, s.situation(&party.side)?);
    let foe = s.enemy(&party.side);
    let mut targets: BTreeMap<Hex, BTreeSet<Hex>> = BTreeMap::new();
    for hex in hexes_held(s, no, &party.side) {
        let here = party.counters(own, &[hex]);
        let wished: BTreeSet<Hex> = parts
            .iter()
            .filter(|(l, _)| here.iter().any(|c| own.force(c).contains(l)))
            .map(|(_, to)| *to)
            .filter(|to| near.contains(to) && field::can_fight(&sit, hex, *to))
            .collect();
        // Who stands in one hex fights as one.
        if wished.len() != 1 {
            return None;
        }
        targets.entry(wished.first().copied()?).or_default().insert(hex);
    }
    if !targets.contains_key(&strongest(s, no, &foe, near)?) {
        return None;
    }
    let mut acts = Vec::new();
    for (to, from) in targets {
        let from: Vec<Hex> = from.into_iter().collect();
        let group = party.counters(own, &from);
        let lead = lead(s, &party.side, &group)?;
        if group.len() > 1 && !commands(s, &party.side, &lead, &group) {
            return None;
        }
        let mut with = party.clone();
        with.lead = Some(lead);
        with.pieces.retain(|p| own.piece_hex(p).is_some_and(|h| from.contains(&h)));
        // What was kept out because one leader could not command all of it may fight now.
        with.reserve.clone_from(&battle.party(&party.side).reserve);
        let garrisons = from.iter().flat_map(|h| own.garrisons_at(*h)).map(|(id, _)| id.clone());
        with.reserve.extend(garrisons);
        let (by, forward) = (party.side.clone(), forward.clone());
        acts.push(Act { no, by, from, into: vec![to], counter: true, with: Some(with), part: true, forward });
    }
    Some(acts)
}

/// Counterattacks one after the other; the battle is over if one of them was lost or won by a retreat (¶405).
fn divided(cx: &mut Cx<'_, Campaigns>, no: u32, acts: &[Act]) -> Play<Next> {
    let (mut beaten, mut again) = (None, false);
    for act in acts {
        if get(cx.state(), no).is_none_or(|b| !b.on()) {
            return Ok(Next::Over);
        }
        match resolve::half(cx, act)? {
            Next::Over => beaten = get(cx.state(), no).and_then(|b| b.half.loser.clone()),
            Next::Round => again = true,
            Next::On => {}
        }
    }
    if get(cx.state(), no).is_none_or(|b| !b.on()) {
        return Ok(Next::Over);
    }
    if beaten.is_some() {
        resolve::close_lost(cx, no, Ended::Retreat, beaten)?;
        return Ok(Next::Over);
    }
    Ok(if again { Next::Round } else { Next::On })
}

/// ¶300 step 13, X-91: the strongest of some enemy hexes.
fn strongest(s: &State, no: u32, foe: &SideId, near: &[Hex]) -> Option<Hex> {
    let (battle, pieces) = (get(s, no)?, s.pieces(foe)?);
    let sp = |h: &Hex| battle.party(foe).sp(pieces, &[*h], false);
    near.iter().copied().max_by_key(|h| (sp(h), std::cmp::Reverse(*h)))
}

/// Enemy hexes that can be attacked from some hexes.
fn reachable(s: &State, side: &SideId, from: &[Hex], foes: &[Hex]) -> Vec<Hex> {
    let Some(sit) = s.situation(side) else { return Vec::new() };
    foes.iter().copied().filter(|t| from.iter().any(|h| field::can_fight(&sit, *h, *t))).collect()
}

/// ¶234, 308, 401: whether nothing obliges to a counterattack: out of a fortification, over a bridged primary river,
/// against a citadel under siege, or out of every enemy zone.
pub fn free(s: &State, side: &SideId, from: &[Hex], near: &[Hex]) -> bool {
    let (Some(sit), Some(foe)) = (s.situation(side), s.pieces(&s.enemy(side))) else { return true };
    let duty = |h: &Hex, t: &Hex| {
        field::can_fight(&sit, *h, *t)
            && !field::optional(&sit, *h, *t)
            && !sit.entrenched(*h, near)
            && sit.controls(*t, *h)
            && foe.occupied_by_force(*t)
    };
    !from.iter().any(|h| near.iter().any(|t| duty(h, t)))
}

/// ¶312, 401: as many of the survivors as one leader can command; garrisons and vedettes do not attack.
fn force(s: &State, no: u32, side: &SideId) -> Option<(Party, Vec<LeaderId>)> {
    let (battle, own) = (get(s, no)?, s.pieces(side)?);
    let mut party = battle.party(side).clone();
    let counters = party.counters(own, battle.ground(side));
    let group = best_group(s, side, &counters);
    let fights = |l: &LeaderId| {
        let units = own.manifest(&s.board, &own.force(l));
        units.iter().any(|(spec, u)| spec.arm != Arm::Artillery && u.sp > 0)
    };
    if !group.iter().any(fights) {
        return None;
    }
    party.lead = lead(s, side, &group).or(party.lead);
    // What does not attack is reckoned as if it stood in reserve.
    for hex in battle.ground(side) {
        for (unit, _) in party.units(own, *hex) {
            let garrison = s.board.units.get(&unit).is_some_and(|u| u.garrison);
            let track = own.units.get(&unit).map(|u| u.track.clone());
            let in_group = group.iter().flat_map(|c| own.force(c)).any(|l| track == Some(Track::Of(l)));
            if garrison || !in_group {
                party.reserve.insert(unit);
            }
        }
    }
    party.pieces.retain(|p| !matches!(p, Piece::Vedette(_)));
    Some((party, group))
}

/// The counters that the best leader among some can command from his hex, the strongest first.
fn best_group(s: &State, side: &SideId, counters: &[LeaderId]) -> Vec<LeaderId> {
    let Some(own) = s.pieces(side) else { return Vec::new() };
    let mut best: (i32, Vec<LeaderId>) = (-1, Vec::new());
    for chief in counters.iter().flat_map(|c| own.force(c)) {
        let Some(counter) = counters.iter().find(|c| own.force(c).contains(&chief)) else { continue };
        let mut group = vec![counter.clone()];
        let mut others: Vec<&LeaderId> = counters.iter().filter(|c| *c != counter).collect();
        others.sort_by_key(|c| (-own.sp(c), (*c).clone()));
        for other in others {
            let mut more = group.clone();
            more.push(other.clone());
            if commands(s, side, &chief, &more) {
                group = more;
            }
        }
        let sp = group.iter().map(|c| own.sp(c)).sum();
        if sp > best.0 {
            best = (sp, group);
        }
    }
    best.1
}

/// ¶143-144: whether a leader can command some counters, from his hex those in it and next to it.
fn commands(s: &State, side: &SideId, chief: &LeaderId, counters: &[LeaderId]) -> bool {
    let Some(own) = s.pieces(side) else { return false };
    let Some(hex) = own.hex(chief) else { return false };
    let near = |c: &LeaderId| own.hex(c).is_some_and(|h| h == hex || h.adjacent(hex));
    let all: BTreeSet<LeaderId> = counters.iter().flat_map(|c| own.force(c)).collect();
    let others: Vec<LeaderId> = all.into_iter().filter(|l| l != chief && !own.unemployed(l)).collect();
    counters.iter().all(near) && own.can_command(&s.board, chief, &others)
}

/// D-90: the leader of the greatest Initiative that can command a group; else the one of the greatest.
pub fn lead(s: &State, side: &SideId, counters: &[LeaderId]) -> Option<LeaderId> {
    let own = s.pieces(side)?;
    let mut all: Vec<LeaderId> = counters.iter().flat_map(|c| own.force(c)).collect();
    all.sort_by_key(|l| (-own.initiative(&s.board, l), l.clone()));
    let alone = counters.len() == 1;
    let able = all.iter().find(|l| !alone && commands(s, side, l, counters)).cloned();
    // One counter keeps its own leader.
    if alone { counters.first().cloned() } else { able.or_else(|| all.first().cloned()) }
}

/// ¶300 step 13, 304, 401: the hexes attacked, the strongest among them, and the party without what is held back: half
/// as many SP as stand in the hexes not attacked. Who cannot hold back so many attacks them all.
fn aim(s: &State, no: u32, party: Party, from: &[Hex], near: &[Hex], how: &Counter, hold: i32) -> (Vec<Hex>, Party) {
    let foe = s.enemy(&party.side);
    let sp = |h: &Hex| match (get(s, no), s.pieces(&foe)) {
        (Some(b), Some(p)) => b.party(&foe).sp(p, &[*h], false),
        _ => 0,
    };
    let strongest = strongest(s, no, &foe, near);
    let mut into: Vec<Hex> = match how {
        Counter::All => near.to_vec(),
        Counter::At(hexes) => near.iter().copied().filter(|h| hexes.contains(h)).collect(),
        Counter::Strongest | Counter::Split(_) | Counter::None => Vec::new(),
    };
    into.extend(strongest.filter(|h| !into.contains(h)));
    let rest: i32 = near.iter().filter(|h| !into.contains(h)).map(sp).sum();
    let need = ((rest + 1) / 2).max(hold);
    match held_back(s, &party, from, need) {
        Some(shadow) => (into, shadow),
        None => (near.to_vec(), party),
    }
}

/// ¶300 step 13, 317 The party with at least so many SP held back, reserves counting first, in whole units: no part of
/// one stands in reserve (a house decision); `None` where nothing would be left to attack.
fn held_back(s: &State, party: &Party, from: &[Hex], need: i32) -> Option<Party> {
    let own = s.pieces(&party.side)?;
    let real = get_reserve(s, party);
    let units: Vec<(UnitId, i32)> = from.iter().flat_map(|h| party.units(own, *h)).collect();
    let mut kept: i32 = units.iter().filter(|(id, _)| real.contains(id)).map(|(_, sp)| sp).sum();
    let mut shadow = party.clone();
    let guns = |id: &UnitId| s.board.units.get(id).is_some_and(|u| u.arm == Arm::Artillery);
    let mut line: Vec<(UnitId, i32)> =
        units.into_iter().filter(|(id, _)| !party.reserve.contains(id) && !guns(id)).collect();
    line.sort_by_key(|(id, sp)| (*sp, id.clone()));
    let total: i32 = line.iter().map(|(_, sp)| sp).sum();
    let mut held = 0;
    while kept < need {
        let short = need - kept;
        let enough = line.iter().position(|(_, sp)| *sp >= short).or(line.len().checked_sub(1))?;
        let (id, sp) = line.remove(enough);
        shadow.reserve.insert(id);
        kept += sp;
        held += sp;
    }
    (held < total || need == 0).then_some(shadow)
}

/// The units that really are in reserve.
fn get_reserve(s: &State, party: &Party) -> BTreeSet<UnitId> {
    let real = s.battles.iter().filter(|b| b.turn == s.turn && b.on()).map(|b| b.party(&party.side));
    real.flat_map(|p| p.reserve.iter().cloned()).collect()
}
