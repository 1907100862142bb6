//! Pursuit (¶380-394): who goes, how far, and what it costs the beaten.

use super::battle::Marker;
use super::clause::Chase;
use super::flight::{Flock, Rout};
use super::question::What;
use super::told::{Open, Own, Pursuit};
use super::{ask, detach, field, flight, get};
use crate::dice::Label;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::map::Ground;
use crate::rules::Play;
use crate::rules::campaigns::board::{Arm, Halves, LeaderId, Quality, UnitId};
use crate::rules::campaigns::flow::told::Why;
use crate::rules::campaigns::march::repulse;
use crate::rules::campaigns::pieces::{Piece, Pieces};
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::{Campaigns, flow, retreat};
use crate::rules::cx::Cx;
use std::collections::BTreeMap;

/// What a pursuit came to.
pub struct Hunt {
    /// Hexes entered.
    pub hexes: i32,
    /// SP that it costs, before any doubling (¶382).
    pub loss: i32,
    /// Whether it entered the last hex of a force that could go no farther (¶383).
    pub caught: bool,
}

/// Who pursues.
struct Hunters {
    lead: LeaderId,
    /// Leaders that go, with their tracks.
    leaders: Vec<LeaderId>,
    /// Counters that move.
    pieces: Vec<Piece>,
    /// Subordinates that must come out of a stack: those that go, or those that stay with guns.
    detached: Vec<LeaderId>,
    /// Guns that stay, and with whom.
    guns: Vec<(UnitId, LeaderId)>,
}

impl Hunt {
    /// No pursuit.
    pub fn none() -> Hunt {
        Hunt { hexes: 0, loss: 0, caught: false }
    }
}

/// ¶380, 386-394: the winner may pursue a beaten force along its path, by leaders who are not busy with another one
/// (¶388); those who go are busy then.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn pursue(cx: &mut Cx<'_, Campaigns>, rout: &Rout, flock: &Flock, busy: &mut Vec<LeaderId>) -> Play<Hunt> {
    let Some(battle) = get(cx.state(), rout.no) else { return Ok(Hunt::none()) };
    // ¶380: who chose Rearguard may not pursue.
    let barred = battle.party(&rout.winner).marker == Some(Marker::Rearguard);
    if barred || !can_pursue(cx.state(), rout, flock, busy) {
        return Ok(Hunt::none());
    }
    let mut trail = vec![flock.hexes.first().copied().unwrap_or(Hex::new(1, 1))];
    trail.extend(&flock.way.path);
    let asked = ask(cx, rout.no, vec![(rout.winner.clone(), What::Pursue { path: trail.clone() })])?;
    let Some(chase) = flight::chase(asked.first()) else { return Ok(Hunt::none()) };
    let Some(hunters) = hunters(cx.state(), rout, flock, &chase.with, busy) else { return Ok(Hunt::none()) };
    let retreat = rout.number;
    let modifier = modifier(cx.state(), rout, flock, &hunters);
    let name = get(cx.state(), rout.no).map_or(Hex::new(1, 1), |b| b.name());
    let die = cx.d6(&Label::public("pursuit").at(&name));
    let s = cx.state();
    let Some(own) = s.pieces(&rout.winner) else { return Ok(Hunt::none()) };
    let (sp, rating) = (strength(own, &hunters.leaders), own.initiative(&s.board, &hunters.lead));
    let length = s.board.tables.pursuit.pursuit(rating, retreat, die + modifier, sp);
    let drops = drops(own, &hunters, &chase, &trail);
    let reach = reach(s, rout, flock, (&trail, length, &chase, &hunters, &drops));
    let caught = flock.way.ends_in_reach() && reach.hexes >= i32::try_from(trail.len()).unwrap_or(i32::MAX);
    let (no, side, lead, hexes, loss) = (rout.no, rout.winner.clone(), hunters.lead.clone(), reach.hexes, reach.loss);
    cx.emit(
        Open::Pursued(Pursuit { no, side, lead, retreat, die, modified: die + modifier, length, hexes, loss }).into(),
    );
    go(cx, rout, &hunters, &trail, &reach, &drops)?;
    busy.extend(hunters.leaders.iter().filter(|_| hexes > 0).cloned());
    Ok(Hunt { hexes, loss, caught })
}

/// Whether all of the winner, or one leader of his alone, could pursue (¶356, 387).
fn can_pursue(s: &State, rout: &Rout, flock: &Flock, busy: &[LeaderId]) -> bool {
    let (Some(battle), Some(own)) = (get(s, rout.no), s.pieces(&rout.winner)) else { return false };
    let leaders = battle.party(&rout.winner).leaders(own, &rout.winner_hexes);
    hunters(s, rout, flock, &[], busy).is_some()
        || leaders.into_iter().any(|l| hunters(s, rout, flock, &[l], busy).is_some())
}

/// SP on the tracks of some leaders.
fn strength(own: &Pieces, leaders: &[LeaderId]) -> i32 {
    own.units_of(leaders).iter().map(|(_, u)| u.sp).sum()
}

/// ¶141, 380: leaders that are dropped on the way, each with those under him who go with him, by hex; never who leads
/// the pursuit.
fn drops(own: &Pieces, hunters: &Hunters, chase: &Chase, trail: &[Hex]) -> BTreeMap<Hex, Vec<LeaderId>> {
    let mut found: BTreeMap<Hex, Vec<LeaderId>> = BTreeMap::new();
    for (leader, hex) in &chase.drops {
        let force = with_him(own, hunters, leader);
        let goes = hunters.leaders.contains(leader) && !force.contains(&hunters.lead);
        if goes && trail.contains(hex) && !found.values().flatten().any(|l| l == leader) {
            found.entry(*hex).or_default().push(leader.clone());
        }
    }
    found
}

/// ¶386-387: who can pursue: leaders whose troops are not guns, all that one of them can command; the guns stay with
/// somebody who can command them.
fn hunters(s: &State, rout: &Rout, flock: &Flock, with: &[LeaderId], busy: &[LeaderId]) -> Option<Hunters> {
    let (battle, own) = (get(s, rout.no)?, s.pieces(&rout.winner)?);
    let party = battle.party(&rout.winner);
    let start = flock.hexes.first().copied()?;
    let sit = s.situation(&rout.winner)?;
    let near: Vec<Hex> = rout.winner_hexes.iter().copied().filter(|h| field::can_fight(&sit, *h, start)).collect();
    let mut found = Hunters {
        lead: LeaderId(String::new()),
        leaders: Vec::new(),
        pieces: Vec::new(),
        detached: Vec::new(),
        guns: Vec::new(),
    };
    for counter in party.counters(own, &near).into_iter().filter(|c| !busy.contains(c)) {
        gather(s, own, &counter, with, &mut found);
    }
    trim(s, own, start, &mut found)?;
    Some(found)
}

/// Whether a track carries guns, or nothing that can pursue.
fn guns_of(s: &State, own: &Pieces, leader: &LeaderId) -> Vec<UnitId> {
    own.manifest(&s.board, std::slice::from_ref(leader))
        .iter()
        .filter(|(spec, _)| spec.arm == Arm::Artillery)
        .map(|(spec, _)| spec.id.clone())
        .collect()
}

/// The part of one counter's force that can pursue.
fn gather(s: &State, own: &Pieces, counter: &LeaderId, with: &[LeaderId], found: &mut Hunters) {
    let force = own.force(counter);
    let wanted = |l: &LeaderId| with.is_empty() || with.contains(l);
    let fights = |l: &LeaderId| {
        own.manifest(&s.board, std::slice::from_ref(l)).iter().any(|(spec, u)| spec.arm != Arm::Artillery && u.sp > 0)
    };
    let mut going: Vec<LeaderId> =
        force.iter().filter(|l| wanted(l) && fights(l) && guns_of(s, own, l).is_empty()).cloned().collect();
    let guns = guns_of(s, own, counter);
    // The counter's own guns stay with a subordinate who stays, if one can command them.
    if wanted(counter) && fights(counter) && !guns.is_empty() {
        let load: Halves = guns.iter().filter_map(|g| s.board.units.get(g)).map(|u| u.subordination).sum();
        let keeper = force
            .iter()
            .filter(|l| *l != counter && own.track_load(&s.board, l) + load <= own.span(&s.board, l))
            .min_by_key(|l| (wanted(l), own.units_of(std::slice::from_ref(*l)).iter().map(|(_, u)| u.sp).sum::<i32>()));
        if let Some(keeper) = keeper {
            going.retain(|l| l != keeper);
            going.push(counter.clone());
            found.guns.extend(guns.into_iter().map(|g| (g, keeper.clone())));
        }
    }
    if going.is_empty() {
        return;
    }
    if going.contains(counter) {
        found.pieces.push(Piece::Leader(counter.clone()));
        found.detached.extend(force.iter().filter(|l| !going.contains(l)).cloned());
    } else {
        found.pieces.extend(going.iter().cloned().map(Piece::Leader));
        found.detached.extend(going.iter().cloned());
    }
    found.leaders.extend(going);
}

/// ¶356, 387: the pursuers as one force that one of them can command, in mountains of nine SP at most.
fn trim(s: &State, own: &Pieces, first: Hex, found: &mut Hunters) -> Option<()> {
    let cap = if s.board.map.ground.get(&first) == Some(&Ground::Mountain) {
        s.board.tables.terrain.combat.mountain_attack_sp
    } else {
        i32::MAX
    };
    loop {
        let mut ranked = found.leaders.clone();
        ranked.sort_by_key(|l| (-own.initiative(&s.board, l), l.clone()));
        let commands = |lead: &LeaderId| {
            let others: Vec<LeaderId> = found.leaders.iter().filter(|l| *l != lead).cloned().collect();
            others.is_empty() || own.can_command(&s.board, lead, &others)
        };
        let sp: i32 = own.units_of(&found.leaders).iter().map(|(_, u)| u.sp).sum();
        let lead = ranked.iter().find(|l| commands(l)).cloned();
        if let Some(lead) = lead.filter(|_| sp <= cap && sp > 0) {
            found.lead = lead;
            return Some(());
        }
        // The smallest counter stays.
        let size = |p: &Piece| match p {
            Piece::Leader(id) => own.sp(id),
            Piece::Vedette(_) | Piece::Garrison(_) => 0,
        };
        let least = found.pieces.iter().min_by_key(|p| (size(p), (*p).clone())).cloned()?;
        drop_piece(own, found, &least);
    }
}

fn drop_piece(own: &Pieces, found: &mut Hunters, piece: &Piece) {
    let Piece::Leader(id) = piece else { return };
    found.pieces.retain(|p| p != piece);
    let force = if found.detached.contains(id) { vec![id.clone()] } else { own.force(id) };
    found.leaders.retain(|l| !force.contains(l));
    found.detached.retain(|l| !force.contains(l));
    found.guns.retain(|(_, l)| !force.contains(l));
}

/// ¶390-391, 198-199, 316, 320: what is added to the pursuit die.
fn modifier(s: &State, rout: &Rout, flock: &Flock, hunters: &Hunters) -> i32 {
    let (Some(battle), Some(own), Some(foe)) = (get(s, rout.no), s.pieces(&rout.winner), s.pieces(&rout.loser)) else {
        return 0;
    };
    let leaders = flock.pieces.iter().filter_map(|p| if let Piece::Leader(l) = p { Some(l) } else { None });
    let passive = leaders.map(|l| foe.initiative(&s.board, l)).max().unwrap_or(1);
    let active = own.initiative(&s.board, &hunters.lead);
    let resistance = s.board.tables.initiative.pursuit(active, passive, &s.weather);
    let party = battle.party(&rout.winner);
    let cavalry = s.board.tables.cavalry.modifier(riders(s, own, &hunters.leaders, party), flock.riders);
    let units = own.manifest(&s.board, &hunters.leaders);
    let all = |fits: &dyn Fn(&UnitId, Quality) -> bool| {
        !units.is_empty() && units.iter().all(|(spec, _)| fits(&spec.id, spec.quality))
    };
    let french = s.board.side(&rout.winner).is_some_and(|side| side.french);
    let guard = french && all(&|_, quality| quality != Quality::Line);
    // ¶390: who came out of reserve is fresh; ¶320: rounds lost do not weigh on who is still in it.
    let fresh = all(&|id, _| party.reserve.contains(id) || party.released.contains(id));
    let unengaged = all(&|id, _| party.reserve.contains(id));
    let elite = if guard || fresh { s.board.tables.pursuit.modifiers.guard_or_reserve } else { 0 };
    let rounds = if unengaged { 0 } else { i32::try_from(party.pitched).unwrap_or(0) };
    resistance - cavalry + elite + rounds
}

/// ¶199, 316: SP of cavalry on the tracks of some leaders that stand in clear terrain; with reserves in play only what is
/// still in reserve.
pub fn riders(s: &State, side: &Pieces, leaders: &[LeaderId], party: &super::battle::Party) -> i32 {
    let clear = |l: &LeaderId| {
        side.hex(l).is_some_and(|h| {
            let ground = s.board.map.ground.get(&h).copied().unwrap_or(Ground::Lake);
            s.board.tables.terrain.cavalry_clear(ground, s.board.map.settlements.get(&h).copied())
        })
    };
    let there: Vec<LeaderId> = leaders.iter().filter(|l| clear(l)).cloned().collect();
    side.manifest(&s.board, &there)
        .iter()
        .filter(|(spec, _)| spec.arm == Arm::Cavalry)
        .filter(|(spec, _)| !s.board.policies.reserves || party.reserve.contains(&spec.id))
        .map(|(_, u)| u.sp)
        .sum()
}

/// How far a pursuit goes.
struct Reach {
    /// Hexes entered.
    hexes: i32,
    /// SP that it costs, before any doubling (¶382).
    loss: i32,
    /// Repulses tried on the way: in which hex, on which hexes, and whether they succeed.
    repulses: BTreeMap<Hex, (Vec<Hex>, bool)>,
}

/// A pursuit that is about to set out: the trail, the length allowed, the wish, who goes, who is dropped where.
type Plan<'a> = (&'a [Hex], i32, &'a Chase, &'a Hunters, &'a BTreeMap<Hex, Vec<LeaderId>>);

/// ¶381-384, 392-393: how many hexes a pursuit of some length enters, and what it costs the beaten.
fn reach(s: &State, rout: &Rout, flock: &Flock, plan: Plan<'_>) -> Reach {
    let (trail, length, chase, hunters, drops) = plan;
    let mut found = Reach { hexes: 0, loss: 0, repulses: BTreeMap::new() };
    let Some(own) = s.pieces(&rout.winner) else { return found };
    let most = chase.max.map_or(length, |m| m.min(length));
    let foremost = foremost(s, rout, trail);
    let mut going = hunters.leaders.clone();
    let mut repulsed: Vec<Hex> = Vec::new();
    let mut held = false;
    for (n, hex) in trail.iter().enumerate() {
        // ¶392: who was dropped does not count for the hexes after.
        let most = most.min(strength(own, &going));
        if found.hexes >= most || n > 0 && near_walls(s, rout, trail.get(n - 1)) {
            break;
        }
        // ¶224: at the frontier the pursuit stops, and costs as if it had gone all the way.
        if s.board.special.closed(&rout.winner, *hex) && !s.board.map.at_edge(*hex) {
            found.loss = most;
            return found;
        }
        // ¶382: not into the hex of a force that went its full distance; the rest of the length costs SP.
        if n >= foremost && !flock.way.ends_in_reach() {
            found.loss = if walled(s, rout, *hex) { found.hexes } else { most };
            return found;
        }
        let zones: Vec<Hex> = if n > 0 { zones(s, rout, flock, *hex) } else { Vec::new() };
        let zones: Vec<Hex> = zones.into_iter().filter(|h| !repulsed.contains(h)).collect();
        let enters = zones.is_empty() || (!held && (chase.repulse || !chase.stop_at_zone));
        if !enters || walled(s, rout, *hex) {
            break;
        }
        found.hexes += 1;
        held = !zones.is_empty();
        if held && chase.repulse {
            let ok = repulse::succeeds(s, &rout.winner, &going, *hex, &zones);
            found.repulses.insert(*hex, (zones.clone(), ok));
            if !ok {
                break;
            }
            repulsed.extend(zones);
            held = false;
        }
        if let Some(dropped) = drops.get(hex) {
            let gone: Vec<LeaderId> = dropped.iter().flat_map(|l| with_him(own, hunters, l)).collect();
            going.retain(|l| !gone.contains(l));
        }
    }
    // ¶383: caught in its last hex, or left alone.
    found.loss = found.hexes;
    let on_the_way = usize::try_from(found.hexes).is_ok_and(|n| n > foremost && n < trail.len());
    if on_the_way {
        found.hexes = i32::try_from(foremost).unwrap_or(0);
        found.repulses.retain(|hex, _| trail.iter().take(foremost).any(|h| h == hex));
    }
    found
}

/// ¶370, 372, 382: at which hex of its path the beaten force begins, the first that is held: in a Multi-Hex Force those
/// who follow the leader may stand before him. Only who gets to the leader's own hex gets past them.
fn foremost(s: &State, rout: &Rout, trail: &[Hex]) -> usize {
    let held = |h: &Hex| s.pieces(&rout.loser).is_some_and(|foe| foe.occupied_by_force(*h));
    let last = trail.len().saturating_sub(1);
    trail.iter().position(held).map_or(last, |n| n.min(last))
}

/// A leader who is dropped, with those under him who go with him.
fn with_him(own: &Pieces, hunters: &Hunters, leader: &LeaderId) -> Vec<LeaderId> {
    if hunters.detached.contains(leader) { vec![leader.clone()] } else { own.force(leader) }
}

/// ¶381: hexes of the beaten side whose zone covers a hex; that of the fleeing force itself, of vedettes and of foragers
/// apart.
fn zones(s: &State, rout: &Rout, flock: &Flock, hex: Hex) -> Vec<Hex> {
    let (Some(foe), Some(sit)) = (s.pieces(&rout.loser), s.situation(&rout.winner)) else { return Vec::new() };
    let firm = |l: &LeaderId| {
        !foe.unemployed(l)
            && foe.leaders.get(l).is_some_and(|leader| !leader.forage)
            && !flock.pieces.contains(&Piece::Leader(l.clone()))
    };
    let others = |h: Hex| {
        !foe.garrisons_at(h).is_empty()
            || super::battle::source_garrison(foe, h) > 0
            || foe.leaders_at(h).into_iter().any(firm)
    };
    hex.neighbours().into_iter().filter(|n| others(*n) && sit.controls(*n, hex)).collect()
}

/// ¶393: an enemy garrison, source or fortification that is held.
fn walled(s: &State, rout: &Rout, hex: Hex) -> bool {
    let (Some(foe), Some(sit)) = (s.pieces(&rout.loser), s.situation(&rout.winner)) else { return false };
    let held = sit.fortification(hex) && foe.occupied_by_force(hex);
    held || !foe.garrisons_at(hex).is_empty() || super::battle::source_garrison(foe, hex) > 0
}

/// ¶393: whether a pursuit must end in a hex, next to an enemy-held fortification or source. House decision: it is over
/// then, and no surplus of its length is paid for (¶382).
fn near_walls(s: &State, rout: &Rout, hex: Option<&Hex>) -> bool {
    let (Some(hex), Some(foe), Some(sit)) = (hex, s.pieces(&rout.loser), s.situation(&rout.winner)) else {
        return false;
    };
    let fort = |h: &Hex| sit.fortification(*h) && foe.occupied_by_force(*h);
    hex.neighbours().iter().any(|h| fort(h) || super::battle::source_garrison(foe, *h) > 0)
}

/// The pursuers set out: guns are handed over, leaders come out of their stacks, all go the same way; who is dropped
/// stays where he is.
fn go(
    cx: &mut Cx<'_, Campaigns>,
    rout: &Rout,
    hunters: &Hunters,
    trail: &[Hex],
    reach: &Reach,
    drops: &BTreeMap<Hex, Vec<LeaderId>>,
) -> Play<()> {
    if reach.hexes == 0 {
        return Ok(());
    }
    let side: &SideId = &rout.winner;
    for (unit, leader) in &hunters.guns {
        cx.emit(Own::GunsLeft { unit: unit.clone(), leader: leader.clone() }.of(side).into());
    }
    for leader in &hunters.detached {
        detach(cx, side, leader);
    }
    for piece in &hunters.pieces {
        flow::show(cx, side, piece.clone());
    }
    let mut pieces = hunters.pieces.clone();
    let steps = usize::try_from(reach.hexes).unwrap_or(0);
    for hex in trail.iter().take(steps) {
        // ¶40, 42: a leader without troops stops nobody; he was not of the beaten force.
        let horse = repulse::mounted(cx.state(), side, &pieces);
        repulse::alone(cx, &rout.loser, *hex, horse, trail)?;
        retreat::march(cx, side, &pieces, &[*hex], Why::Pursuit);
        if let Some((on, ok)) = reach.repulses.get(hex) {
            repulse::in_pursuit(cx, side, &pieces, *hex, on, (*ok, trail))?;
        }
        for leader in drops.get(hex).into_iter().flatten() {
            detach(cx, side, leader);
            pieces.retain(|p| *p != Piece::Leader(leader.clone()));
        }
    }
    Ok(())
}
