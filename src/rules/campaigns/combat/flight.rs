//! The beaten force runs and is pursued (¶300 steps 8-9, 369-394).

use super::battle::Party;
use super::clause::Chase;
use super::event::Event;
use super::losses::{self, Fall};
use super::prompt::{Answer, What};
use super::retreat::{self, Way};
use super::{ask, get, pursuit};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::Play;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::board::{Arm, UnitId};
use crate::rules::campaigns::flow::told::{Cause, Why};
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::state::State;
use crate::rules::cx::Cx;
use std::collections::BTreeSet;

/// Paths that a question lists at most.
const WAYS_MOST: usize = 12;

/// A retreat to be made.
pub struct Rout {
    /// The battle.
    pub no: u32,
    /// Who may pursue.
    pub winner: SideId,
    /// Where he stands.
    pub winner_hexes: Vec<Hex>,
    /// Who retreats.
    pub loser: SideId,
    /// From where.
    pub loser_hexes: Vec<Hex>,
    /// Hexes of retreat.
    pub number: i32,
    /// SP that the winner has lost by the same result: the least that the loser loses (¶385, 407).
    pub paid: i32,
    /// Whether the winner may pursue at all.
    pub chase: bool,
    /// Whether the loser has staked the Guard, which takes his losses (¶364).
    pub staked: bool,
}

/// A part of the beaten force that runs together.
pub struct Flock {
    /// Hexes left, the leader's first.
    pub hexes: Vec<Hex>,
    /// Its counters.
    pub pieces: Vec<Piece>,
    /// The leader's way.
    pub way: Way,
    /// SP lost already, with garrisons left behind.
    pub left: i32,
}

/// Retreat, then pursuit, then the losses of both.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn run(cx: &mut Cx<'_, Campaigns>, rout: &Rout) -> Play<()> {
    let mut flocks = Vec::new();
    for hexes in groups(cx.state(), rout) {
        flocks.push(leave(cx, rout, hexes)?);
    }
    unengaged(cx, rout);
    // ¶300 step 9, 388: one force pursues, the strongest of those that run; the others pay the least.
    let strength = |f: &Flock| sp_of(cx.state(), rout, &f.pieces);
    let chased = (0..flocks.len())
        .filter(|n| flocks.get(*n).is_some_and(|f| strength(f) > 0))
        .max_by_key(|n| (flocks.get(*n).map_or(0, strength), std::cmp::Reverse(*n)));
    for (n, flock) in flocks.iter().enumerate() {
        let hunt =
            if Some(n) == chased && rout.chase { pursuit::pursue(cx, rout, flock)? } else { pursuit::Hunt::none() };
        pay(cx, rout, flock, &hunt);
    }
    Ok(())
}

/// SP of some counters' units in the battle.
fn sp_of(s: &State, rout: &Rout, pieces: &[Piece]) -> i32 {
    let (Some(b), Some(own)) = (get(s, rout.no), s.pieces(&rout.loser)) else { return 0 };
    let hexes: BTreeSet<Hex> = pieces.iter().filter_map(|p| own.piece_hex(p)).collect();
    let hexes: Vec<Hex> = hexes.into_iter().collect();
    b.party(&rout.loser).sp(own, &hexes, false)
}

/// ¶372, 388: hexes that hang together run together, the force leader's hex first, else the strongest.
fn groups(s: &State, rout: &Rout) -> Vec<Vec<Hex>> {
    let (Some(b), Some(own)) = (get(s, rout.no), s.pieces(&rout.loser)) else { return Vec::new() };
    let party: &Party = b.party(&rout.loser);
    let mut open: Vec<Hex> = rout.loser_hexes.clone();
    let lead = party.lead.as_ref().and_then(|l| own.hex(l));
    open.sort_by_key(|h| (Some(*h) != lead, -party.sp(own, &[*h], false), *h));
    let mut found: Vec<Vec<Hex>> = Vec::new();
    while let Some(first) = open.first().copied() {
        let mut group = vec![first];
        let mut at = 0;
        while let Some(hex) = group.get(at).copied() {
            let more = open.iter().copied().filter(|h| h.adjacent(hex) && !group.contains(h));
            let more: Vec<Hex> = more.collect();
            group.extend(more);
            at += 1;
        }
        open.retain(|h| !group.contains(h));
        found.push(group);
    }
    found
}

/// A group leaves its hexes (¶369-377).
fn leave(cx: &mut Cx<'_, Campaigns>, rout: &Rout, hexes: Vec<Hex>) -> Play<Flock> {
    let side = &rout.loser;
    let mut left = 0;
    for hex in &hexes {
        losses::vedettes_off(cx, side, *hex);
        left += retreat::abandon(cx, rout.no, side, *hex);
    }
    let start = hexes.first().copied().unwrap_or(Hex::new(1, 1));
    let none = Way { path: Vec::new(), zones: 0, short: true };
    let counters = |cx: &Cx<'_, Campaigns>, hex: Hex| -> Vec<Piece> {
        let own = cx.state().pieces(side);
        own.map(|p| p.leaders_at(hex).into_iter().cloned().map(Piece::Leader).collect()).unwrap_or_default()
    };
    let pieces: Vec<Piece> = hexes.iter().flat_map(|h| counters(cx, *h)).collect();
    if pieces.is_empty() {
        return Ok(Flock { hexes, pieces, way: none, left });
    }
    let way = choose(cx, rout, start, &pieces)?.unwrap_or(none);
    let mut path = vec![start];
    path.extend(&way.path);
    let doubled = way.zones > 0;
    let event =
        Event::Retreated { no: rout.no, side: side.clone(), ordered: rout.number, path, blocked: way.short, doubled };
    cx.emit(event.into());
    let first = counters(cx, start);
    retreat::march_together(cx, side, &first, &pieces, &way.path, Why::Retreat);
    let end = way.path.last().copied().unwrap_or(start);
    let far = i32::try_from(way.path.len()).unwrap_or(0);
    for hex in hexes.iter().skip(1) {
        let theirs = counters(cx, *hex);
        let beside = retreat::beside(cx.state(), side, *hex, far, end, &pieces);
        retreat::march_together(cx, side, &theirs, &pieces, &beside.path, Why::Retreat);
    }
    Ok(Flock { hexes, pieces, way, left })
}

/// ¶371, 377: among equal paths the owner chooses, and whether he ends his retreat in a refuge.
fn choose(cx: &mut Cx<'_, Campaigns>, rout: &Rout, start: Hex, together: &[Piece]) -> Play<Option<Way>> {
    let mut ways = retreat::ways_together(cx.state(), &rout.loser, start, rout.number, together);
    // ¶377, D-104: a refuge on a path no worse comes first.
    let worst = ways.first().map_or(u32::MAX, |w| if w.short { u32::MAX } else { w.zones });
    let sp = sp_of(cx.state(), rout, together);
    let safe = retreat::refuges(cx.state(), &rout.loser, start, rout.number, together, sp).into_iter().next();
    if let Some(safe) = safe.filter(|w| w.zones <= worst) {
        ways.retain(|w| w.path != safe.path);
        ways.insert(0, safe);
    }
    if ways.len() < 2 {
        return Ok(ways.pop());
    }
    ways.truncate(WAYS_MOST);
    let what = What::Retreat { ways: ways.iter().map(|w| w.path.clone()).collect() };
    let asked = ask(cx, rout.no, vec![(rout.loser.clone(), what)])?;
    if let Some(Answer::Way(path)) = asked.first()
        && let Some(found) = ways.iter().find(|w| w.path == *path)
    {
        return Ok(Some(found.clone()));
    }
    Ok(ways.into_iter().next())
}

/// ¶378: forces of the attacker next to the defender, with no enemy of their own, suffer his retreat without losses.
fn unengaged(cx: &mut Cx<'_, Campaigns>, rout: &Rout) {
    let s = cx.state();
    let Some(battle) = get(s, rout.no).filter(|b| b.attack.side == rout.loser) else { return };
    let (Some(own), Some(foe)) = (s.pieces(&rout.loser), s.pieces(&rout.winner)) else { return };
    let engaged = |piece: &Piece| s.battles.iter().any(|b| b.turn == s.turn && b.attack.pieces.contains(piece));
    let other_foe = |hex: Hex| {
        foe.occupied().iter().any(|h| h.adjacent(hex) && foe.occupied_by_force(*h) && !battle.hexes.contains(h))
    };
    let near: Vec<(Piece, Hex)> = own
        .on_map()
        .filter(|(l, h)| !own.unemployed(l) && battle.hexes.iter().any(|t| t.adjacent(*h)))
        .filter(|(_, h)| !other_foe(*h))
        .map(|(l, h)| (Piece::Leader(l.clone()), h))
        .filter(|(p, _)| !engaged(p))
        .collect();
    for (piece, hex) in near {
        if let Some(way) = retreat::ways(cx.state(), &rout.loser, hex, rout.number).into_iter().next() {
            retreat::march(cx, &rout.loser, &[piece], &way.path, Why::Retreat);
        }
    }
}

/// ¶370-371, 373, 382-385, 407: what a group loses by retreat and pursuit.
fn pay(cx: &mut Cx<'_, Campaigns>, rout: &Rout, flock: &Flock, hunt: &pursuit::Hunt) {
    let s = cx.state();
    let Some(own) = s.pieces(&rout.loser) else { return };
    let ends: BTreeSet<Hex> = flock.pieces.iter().filter_map(|p| own.piece_hex(p)).collect();
    let ends: Vec<Hex> = ends.into_iter().collect();
    let present = sp_of(s, rout, &flock.pieces);
    if present == 0 {
        losses::sweep(cx, rout.no, &rout.loser, &ends);
        return;
    }
    let mut trail = vec![flock.hexes.first().copied().unwrap_or(Hex::new(1, 1))];
    trail.extend(&flock.way.path);
    let steps: Vec<(Hex, Hex)> = trail.iter().copied().zip(trail.iter().copied().skip(1)).collect();
    // ¶373: the pursuit has reached the hex before the river.
    let river = steps.iter().enumerate().any(|(n, (a, b))| {
        i32::try_from(n).unwrap_or(i32::MAX) < hunt.hexes && retreat::costly_river(s, &rout.loser, *a, *b)
    });
    let gunless = steps.iter().any(|(a, b)| retreat::gunless_river(s, &rout.loser, *a, *b));
    let mut due = hunt.loss.max(rout.paid);
    if flock.way.zones > 0 {
        due *= 2;
    } else if river {
        due = due.max(hunt.loss * 2);
    }
    let due = if hunt.caught { present } else { (due - flock.left).max(0) };
    let mut lost = 0;
    if river || gunless {
        lost += drown(cx, rout, &ends);
    }
    let fall = Fall { staked: rout.staked, ..Fall::of(Cause::Pursuit) };
    losses::take(cx, rout.no, &rout.loser, &ends, due - lost, &fall);
    losses::sweep(cx, rout.no, &rout.loser, &ends);
}

/// ¶373: all guns of a force are lost at a river.
fn drown(cx: &mut Cx<'_, Campaigns>, rout: &Rout, hexes: &[Hex]) -> i32 {
    let s = cx.state();
    let (Some(b), Some(own)) = (get(s, rout.no), s.pieces(&rout.loser)) else { return 0 };
    let guns: Vec<(UnitId, i32)> = hexes
        .iter()
        .flat_map(|h| b.party(&rout.loser).units(own, *h))
        .filter(|(id, _)| s.board.units.get(id).is_some_and(|u| u.arm == Arm::Artillery))
        .collect();
    let sp: i32 = guns.iter().map(|(_, sp)| sp).sum();
    if sp == 0 {
        return 0;
    }
    let (no, side, cause) = (rout.no, rout.loser.clone(), Cause::Pursuit);
    cx.emit(Event::Took { no, side: side.clone(), units: guns.clone(), sp, cause }.into());
    for (unit, sp) in guns {
        let side = side.clone();
        cx.emit(crate::rules::campaigns::flow::event::Event::Lost { side, unit, sp, cause }.into());
    }
    sp
}

/// A pursuit as answered.
pub fn chase(answer: Option<&Answer>) -> Option<Chase> {
    match answer {
        Some(Answer::Pursue(chase)) if chase.pursue => Some(chase.clone()),
        _ => None,
    }
}
