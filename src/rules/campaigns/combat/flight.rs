//! The beaten force runs and is pursued (¶300 steps 8-9, 369-394).

use super::battle::Party;
use super::clause::Chase;
use super::losses::Fall;
use super::question::{Answer, What};
use super::told::Open;
use super::{ask, battle, get, losses, pursuit};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::Play;
use crate::rules::campaigns::board::{Arm, UnitId};
use crate::rules::campaigns::flow::told::{Cause, Why};
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::retreat::Way;
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::{Campaigns, retreat};
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
    /// Whether the loser has committed the Guard, which takes his losses (¶364).
    pub staked: bool,
    /// Whether it is the outcome of one of several counterattacks (¶403).
    pub part: bool,
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
    /// SP of its cavalry that count in a pursuit, as they stood in combat (¶199).
    pub riders: i32,
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
    // ¶300 step 9, 388: the strongest is pursued first; another one only by leaders who do not pursue yet.
    let strength = |cx: &Cx<'_, Campaigns>, f: &Flock| sp_of(cx.state(), rout, &f.pieces);
    flocks.sort_by_key(|f| -strength(cx, f));
    let mut busy = Vec::new();
    for flock in &flocks {
        let hunted = rout.chase && strength(cx, flock) > 0;
        let hunt = if hunted { pursuit::pursue(cx, rout, flock, &mut busy)? } else { pursuit::Hunt::none() };
        if !hunt.caught || !flock.way.exit {
            pay(cx, rout, flock, &hunt)?;
        }
        if flock.way.exit {
            off_the_map(cx, rout, flock, hunt.caught)?;
        }
    }
    Ok(())
}

/// ¶374: who has retreated to the edge goes off the map; if the pursuit has come so far he is captured, with his leaders.
fn off_the_map(cx: &mut Cx<'_, Campaigns>, rout: &Rout, flock: &Flock, caught: bool) -> Play<()> {
    if !caught {
        let held = |p: &&Piece| cx.state().pieces(&rout.loser).is_some_and(|own| own.piece_hex(p).is_some());
        let who: Vec<Piece> = flock.pieces.iter().filter(held).cloned().collect();
        retreat::leave_map(cx, &rout.loser, &who);
        return Ok(());
    }
    let hexes: BTreeSet<Hex> = {
        let Some(own) = cx.state().pieces(&rout.loser) else { return Ok(()) };
        flock.pieces.iter().filter_map(|p| own.piece_hex(p)).collect()
    };
    let hexes: Vec<Hex> = hexes.into_iter().collect();
    let sp = sp_of(cx.state(), rout, &flock.pieces);
    losses::take(cx, rout.no, &rout.loser, &hexes, sp, &Fall::of(Cause::Surrender));
    for piece in &flock.pieces {
        if let Piece::Leader(counter) = piece {
            losses::captured(cx, &rout.loser, counter)?;
        }
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

/// SP of the cavalry of some counters that count in a pursuit.
fn riders(s: &State, rout: &Rout, pieces: &[Piece]) -> i32 {
    let (Some(b), Some(own)) = (get(s, rout.no), s.pieces(&rout.loser)) else { return 0 };
    let leaders = pieces.iter().filter_map(|p| if let Piece::Leader(l) = p { Some(l) } else { None });
    let leaders: Vec<_> = leaders.flat_map(|l| own.force(l)).collect();
    pursuit::riders(s, own, &leaders, b.party(&rout.loser))
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
        left += abandon(cx, rout.no, side, *hex);
    }
    let start = hexes.first().copied().unwrap_or(Hex::new(1, 1));
    let counters = |cx: &Cx<'_, Campaigns>, hex: Hex| -> Vec<Piece> {
        let own = cx.state().pieces(side);
        own.map(|p| p.leaders_at(hex).into_iter().cloned().map(Piece::Leader).collect()).unwrap_or_default()
    };
    let pieces: Vec<Piece> = hexes.iter().flat_map(|h| counters(cx, *h)).collect();
    if pieces.is_empty() {
        return Ok(Flock { hexes, pieces, way: Way::none(), left, riders: 0 });
    }
    let riders = riders(cx.state(), rout, &pieces);
    let way = choose(cx, rout, start, &pieces)?.unwrap_or(Way::none());
    let mut path = vec![start];
    path.extend(&way.path);
    let doubled = way.zones > 0;
    let event =
        Open::Retreated { no: rout.no, side: side.clone(), ordered: rout.number, path, blocked: way.short, doubled };
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
    Ok(Flock { hexes, pieces, way, left, riders })
}

/// ¶371, 377: among equal paths the owner chooses, and whether he ends his retreat in a refuge.
fn choose(cx: &mut Cx<'_, Campaigns>, rout: &Rout, start: Hex, together: &[Piece]) -> Play<Option<Way>> {
    let sp = sp_of(cx.state(), rout, together);
    let mut ways = retreat::open_ways(cx.state(), &rout.loser, together, start, rout.number, (sp, &[]));
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
        let who = [piece];
        if let Some(way) = retreat::ways(cx.state(), &rout.loser, &who, hex, rout.number).into_iter().next() {
            retreat::march(cx, &rout.loser, &who, &way.path, Why::Retreat);
            if way.exit {
                retreat::leave_map(cx, &rout.loser, &who);
            }
        }
    }
}

/// ¶370-371, 373, 382-385, 407: what a group loses by retreat and pursuit.
fn pay(cx: &mut Cx<'_, Campaigns>, rout: &Rout, flock: &Flock, hunt: &pursuit::Hunt) -> Play<()> {
    let s = cx.state();
    let Some(own) = s.pieces(&rout.loser) else { return Ok(()) };
    let ends: BTreeSet<Hex> = flock.pieces.iter().filter_map(|p| own.piece_hex(p)).collect();
    let ends: Vec<Hex> = ends.into_iter().collect();
    let present = sp_of(s, rout, &flock.pieces);
    if present == 0 {
        return losses::sweep(cx, rout.no, &rout.loser, &ends);
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
    // ¶373: where enemy control has doubled the loss, the river takes no more; but guns cannot ford.
    if gunless || (river && flock.way.zones == 0) {
        lost += drown(cx, rout, &ends);
    }
    let fall = Fall { staked: rout.staked, ..Fall::of(Cause::Pursuit) };
    losses::take(cx, rout.no, &rout.loser, &ends, due - lost, &fall);
    losses::sweep(cx, rout.no, &rout.loser, &ends)
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
    losses::took(cx, (rout.no, &rout.loser), guns, sp, Cause::Pursuit);
    sp
}

/// ¶78, 312: what cannot march away when a hex is lost: garrisons go, and an active source is captured. Gives the SP.
fn abandon(cx: &mut Cx<'_, Campaigns>, no: u32, side: &SideId, hex: Hex) -> i32 {
    let Some(own) = cx.state().pieces(side) else { return 0 };
    let garrisons: Vec<_> = own.garrisons_at(hex).iter().map(|(id, u)| ((*id).clone(), u.sp)).collect();
    let source = battle::source_garrison(own, hex);
    let sp: i32 = garrisons.iter().map(|(_, sp)| sp).sum::<i32>() + source;
    if sp == 0 && own.source_at(hex).is_none() {
        return 0;
    }
    losses::took(cx, (no, side), garrisons, sp, Cause::Pursuit);
    if cx.state().pieces(side).is_some_and(|p| p.source_at(hex).is_some()) {
        cx.emit(Open::SourceLost { side: side.clone(), hex, left: 0 }.into());
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
