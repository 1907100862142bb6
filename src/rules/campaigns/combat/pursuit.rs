//! Pursuit (¶380-394): who goes, how far, and what it costs the beaten.

use super::battle::Marker;
use super::clause::Chase;
use super::event::Event;
use super::field;
use super::flight::{self, Flock, Rout};
use super::prompt::What;
use super::{ask, get, retreat};
use crate::dice::Label;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::map::Ground;
use crate::rules::Play;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::board::{Arm, LeaderId, Quality, UnitId};
use crate::rules::campaigns::flow;
use crate::rules::campaigns::flow::told::Why;
use crate::rules::campaigns::pieces::{Piece, Pieces};
use crate::rules::campaigns::state::State;
use crate::rules::cx::Cx;

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

/// ¶380, 386-394: the winner may pursue a beaten force along its path.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn pursue(cx: &mut Cx<'_, Campaigns>, rout: &Rout, flock: &Flock) -> Play<Hunt> {
    let Some(battle) = get(cx.state(), rout.no) else { return Ok(Hunt::none()) };
    // ¶380: who chose Rearguard may not pursue.
    let barred = battle.party(&rout.winner).marker == Some(Marker::Rearguard);
    if barred || hunters(cx.state(), rout, flock, &[]).is_none() {
        return Ok(Hunt::none());
    }
    let mut trail = vec![flock.hexes.first().copied().unwrap_or(Hex::new(1, 1))];
    trail.extend(&flock.way.path);
    let asked = ask(cx, rout.no, vec![(rout.winner.clone(), What::Pursue { path: trail.clone() })])?;
    let Some(chase) = flight::chase(asked.first()) else { return Ok(Hunt::none()) };
    let Some(hunters) = hunters(cx.state(), rout, flock, &chase.with) else { return Ok(Hunt::none()) };
    let retreat = rout.number;
    let modifier = modifier(cx.state(), rout, flock, &hunters);
    let name = get(cx.state(), rout.no).map_or(Hex::new(1, 1), |b| b.name());
    let die = cx.d6(&Label::public("pursuit").at(&name));
    let s = cx.state();
    let (sp, rating) = s.pieces(&rout.winner).map_or((0, 1), |own| {
        (own.units_of(&hunters.leaders).iter().map(|(_, u)| u.sp).sum(), own.initiative(&s.board, &hunters.lead))
    });
    let length = s.board.tables.pursuit.pursuit(rating, retreat, die + modifier, sp);
    let (hexes, loss) = reach(s, rout, flock, &trail, length, &chase);
    let caught = flock.way.short && hexes >= i32::try_from(trail.len()).unwrap_or(i32::MAX);
    let (no, side, lead) = (rout.no, rout.winner.clone(), hunters.lead.clone());
    cx.emit(Event::Pursued { no, side, lead, retreat, die, modified: die + modifier, length, hexes, loss }.into());
    go(cx, rout, &hunters, &trail, hexes);
    Ok(Hunt { hexes, loss, caught })
}

/// ¶386-387: who can pursue: leaders whose troops are not guns, all that one of them can command; the guns stay with
/// somebody who can command them.
fn hunters(s: &State, rout: &Rout, flock: &Flock, with: &[LeaderId]) -> Option<Hunters> {
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
    for counter in party.counters(own, &near) {
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
        let load: crate::rules::campaigns::board::Halves =
            guns.iter().filter_map(|g| s.board.units.get(g)).map(|u| u.subordination).sum();
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
    let passive = leaders.clone().map(|l| foe.initiative(&s.board, l)).max().unwrap_or(1);
    let active = own.initiative(&s.board, &hunters.lead);
    let resistance = s.board.tables.initiative.pursuit(active, passive, &s.weather);
    let riders = |side: &Pieces, leaders: &[LeaderId], party: &super::battle::Party| -> i32 {
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
    };
    let theirs: Vec<LeaderId> = leaders.flat_map(|l| foe.force(l)).collect();
    let party = battle.party(&rout.winner);
    let cavalry = s
        .board
        .tables
        .cavalry
        .modifier(riders(own, &hunters.leaders, party), riders(foe, &theirs, battle.party(&rout.loser)));
    let units = own.manifest(&s.board, &hunters.leaders);
    let guard = units.iter().all(|(spec, _)| spec.quality != Quality::Line);
    let fresh = !units.is_empty()
        && units.iter().all(|(spec, _)| party.reserve.contains(&spec.id) || party.released.contains(&spec.id));
    let elite = if guard || fresh { s.board.tables.pursuit.modifiers.guard_or_reserve } else { 0 };
    let rounds = if fresh { 0 } else { i32::try_from(party.pitched).unwrap_or(0) };
    resistance - cavalry + elite + rounds
}

/// ¶381-384, 393: how many hexes a pursuit of some length enters, and what it costs the beaten.
fn reach(s: &State, rout: &Rout, flock: &Flock, trail: &[Hex], length: i32, chase: &Chase) -> (i32, i32) {
    let most = chase.max.map_or(length, |m| m.min(length));
    let last = trail.len().saturating_sub(1);
    let mut hexes = 0;
    for (n, hex) in trail.iter().enumerate() {
        if hexes >= most {
            return (hexes, hexes);
        }
        // ¶382: not into the hex of a force that went its full distance; the rest of the length costs SP.
        if n == last && !flock.way.short {
            return (hexes, most);
        }
        let zone = n > 0 && zone(s, rout, flock, *hex);
        let before = n > 1 && trail.get(n - 1).is_some_and(|h| self::zone(s, rout, flock, *h));
        if zone && (before || chase.stop_at_zone) || walled(s, rout, *hex) {
            return (hexes, hexes);
        }
        hexes += 1;
    }
    // ¶383: caught in its last hex.
    (hexes, hexes)
}

/// ¶381: whether a hex lies in a zone of the beaten side, that of the fleeing force itself and vedettes' apart.
fn zone(s: &State, rout: &Rout, flock: &Flock, hex: Hex) -> bool {
    let (Some(foe), Some(sit)) = (s.pieces(&rout.loser), s.situation(&rout.winner)) else { return false };
    let others = |h: Hex| {
        !foe.garrisons_at(h).is_empty()
            || foe
                .leaders_at(h)
                .into_iter()
                .any(|l| !foe.unemployed(l) && !flock.pieces.contains(&Piece::Leader(l.clone())))
    };
    hex.neighbours().into_iter().any(|n| others(n) && sit.controls(n, hex))
}

/// ¶393: an enemy garrison, source or fortification that is held.
fn walled(s: &State, rout: &Rout, hex: Hex) -> bool {
    let Some(foe) = s.pieces(&rout.loser) else { return false };
    !foe.garrisons_at(hex).is_empty() || super::battle::source_garrison(foe, hex) > 0
}

/// The pursuers set out: guns are handed over, leaders come out of their stacks, all go the same way.
fn go(cx: &mut Cx<'_, Campaigns>, rout: &Rout, hunters: &Hunters, trail: &[Hex], hexes: i32) {
    if hexes == 0 {
        return;
    }
    let side: &SideId = &rout.winner;
    for (unit, leader) in &hunters.guns {
        cx.emit(Event::GunsLeft { side: side.clone(), unit: unit.clone(), leader: leader.clone() }.into());
    }
    for leader in &hunters.detached {
        let under = cx.state().pieces(side).and_then(|p| p.leaders.get(leader)).and_then(|l| l.under.clone());
        if under.is_some() {
            cx.emit(Event::Detached { side: side.clone(), leader: leader.clone() }.into());
        }
    }
    for piece in &hunters.pieces {
        flow::show(cx, side, piece.clone());
    }
    let steps = usize::try_from(hexes).unwrap_or(0);
    let path: Vec<Hex> = trail.iter().copied().take(steps).collect();
    retreat::march(cx, side, &hunters.pieces, &path, Why::Pursuit);
}
