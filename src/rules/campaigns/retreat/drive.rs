//! Who retreats, and who gives way to him (¶138, 371-379).

use super::path::{Way, aside, open_ways};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::flow::told::Why;
use crate::rules::campaigns::march::event::Partly as Stacked;
use crate::rules::campaigns::march::stack::{chief, forces, legal, limit, sp_at};
use crate::rules::campaigns::march::{center, stack, train};
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::{Campaigns, flow, retreat};
use crate::rules::cx::Cx;

/// More displacements than this in one hex would be a loop.
const DISPLACED_MOST: u32 = 8;

/// ¶371 Moves a force some hexes back by the priorities of retreat, into a refuge if one is as good (¶377); whether it
/// moved at all.
pub fn drive(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId, hexes: i32, why: Why) -> bool {
    drive_clear(cx, side, leader, hexes, why, &[])
}

/// The same, clear of some hexes.
pub fn drive_clear(
    cx: &mut Cx<'_, Campaigns>,
    side: &SideId,
    leader: &LeaderId,
    hexes: i32,
    why: Why,
    barred: &[Hex],
) -> bool {
    let who = [Piece::Leader(leader.clone())];
    let way = {
        let s = cx.state();
        let Some((own, from)) = s.pieces(side).and_then(|own| Some((own, own.hex(leader)?))) else { return false };
        open_ways(s, side, &who, from, hexes, (own.sp(leader), barred)).into_iter().next()
    };
    let Some(way) = way else { return false };
    march(cx, side, &who, &way.path, why);
    if way.exit {
        leave_map(cx, side, &who);
    }
    way.exit || !way.path.is_empty()
}

/// ¶138 Displaces the weakest force of a hex by one hex; whether there was one that could go.
pub fn displace_weakest(cx: &mut Cx<'_, Campaigns>, side: &SideId, hex: Hex) -> bool {
    let Some(own) = cx.state().pieces(side) else { return false };
    let mut forces: Vec<(i32, LeaderId)> =
        own.leaders_at(hex).into_iter().filter(|l| !own.unemployed(l)).map(|l| (own.sp(l), l.clone())).collect();
    forces.sort();
    forces.into_iter().any(|(_, leader)| give_way(cx, side, &[Piece::Leader(leader)], hex, &[]))
}

/// ¶371.3: some counters go one hex out of others' way, if there is one.
fn give_way(cx: &mut Cx<'_, Campaigns>, side: &SideId, who: &[Piece], hex: Hex, barred: &[Hex]) -> bool {
    let way = aside(cx.state(), side, who, hex, barred).filter(|way| !way.exit);
    let Some(Way { path, .. }) = way else { return false };
    steps(cx, side, (who, who), &path, Why::Displaced, barred);
    !path.is_empty()
}

/// Moves counters along a path, hex by hex; friends in the way of a retreat are displaced first (¶371.3).
pub fn march(cx: &mut Cx<'_, Campaigns>, side: &SideId, pieces: &[Piece], path: &[Hex], why: Why) {
    steps(cx, side, (pieces, pieces), path, why, &[]);
}

/// The same for some of the counters that retreat together.
pub fn march_together(
    cx: &mut Cx<'_, Campaigns>,
    side: &SideId,
    pieces: &[Piece],
    together: &[Piece],
    path: &[Hex],
    why: Why,
) {
    steps(cx, side, (pieces, together), path, why, &[]);
}

/// The steps of a march, with those who march and those who retreat with them.
fn steps(cx: &mut Cx<'_, Campaigns>, side: &SideId, who: (&[Piece], &[Piece]), path: &[Hex], why: Why, barred: &[Hex]) {
    let (pieces, together) = who;
    let force = cx.state().pieces(side).is_some_and(|own| {
        pieces.iter().any(|p| matches!(p, Piece::Leader(id) if !own.unemployed(id) && own.hex(id).is_some()))
    });
    let leaves = matches!(why, Why::Retreat | Why::Repulsed | Why::Displaced | Why::Pursuit);
    if leaves && !path.is_empty() {
        leave_trains(cx, side, pieces);
    }
    for (n, to) in path.iter().enumerate() {
        let joins = n + 1 == path.len() && may_end(cx.state(), side, pieces, *to);
        let gives_way = matches!(why, Why::Retreat | Why::Repulsed | Why::Displaced | Why::Withdrew);
        if force && gives_way && !joins {
            displace(cx, side, together, *to, barred);
        }
        if force {
            trample(cx, side, *to);
        }
        for piece in pieces {
            let Some(from) = cx.state().pieces(side).and_then(|p| p.piece_hex(piece)) else { continue };
            if from != *to {
                flow::step(cx, side, piece, (from, *to), why);
            }
        }
        if force {
            center::arrived(cx, side, *to);
        }
    }
}

/// ¶257-258: bridge trains neither retreat nor pursue: they are left where they are.
fn leave_trains(cx: &mut Cx<'_, Campaigns>, side: &SideId, pieces: &[Piece]) {
    for piece in pieces {
        if let Piece::Leader(leader) = piece {
            train::abandon(cx, side, leader);
        }
    }
}

/// ¶138: whether those that retreat may end their way among friends in a hex.
fn may_end(s: &State, side: &SideId, pieces: &[Piece], hex: Hex) -> bool {
    let Some(own) = s.pieces(side) else { return false };
    pieces.iter().all(|p| match p {
        Piece::Leader(id) => stack::may_join(&s.board, own, id, hex),
        Piece::Vedette(_) | Piece::Garrison(_) => true,
    })
}

/// ¶371.3, 377: friendly forces in a hex that others must enter move one hex by the same priorities, others before them
/// if need be; not out of a fortification or the own source. Nobody goes where those stand for whom he makes room.
fn displace(cx: &mut Cx<'_, Campaigns>, side: &SideId, movers: &[Piece], hex: Hex, barred: &[Hex]) {
    let s = cx.state();
    let (Some(own), Some(sit)) = (s.pieces(side), s.situation(side)) else { return };
    let refuge = own.source_at(hex).is_some() || sit.fortification(hex);
    let others = own.leaders_at(hex).into_iter().filter(|l| !movers.contains(&Piece::Leader((*l).clone())));
    let others: Vec<LeaderId> = others.cloned().collect();
    if refuge || others.iter().all(|l| own.unemployed(l)) {
        return;
    }
    let mut closed: Vec<Hex> = movers.iter().filter_map(|p| own.piece_hex(p)).collect();
    closed.extend(barred);
    closed.push(hex);
    let friends: Vec<Piece> = others.into_iter().map(Piece::Leader).collect();
    give_way(cx, side, &friends, hex, &closed);
}

/// ¶379: enemy vedettes in a hex that a retreat or a pursuit passes are displaced by one hex, else they are gone.
fn trample(cx: &mut Cx<'_, Campaigns>, side: &SideId, hex: Hex) {
    let foe = cx.state().enemy(side);
    let numbers = cx.state().pieces(&foe).map(|p| p.vedettes_at(hex)).unwrap_or_default();
    for n in numbers {
        if !give_way(cx, &foe, &[Piece::Vedette(n)], hex, &[]) {
            flow::vedette_off(cx, &foe, n, None);
        }
    }
}

/// ¶374: forces go off the map from the hex where they stand.
pub fn leave_map(cx: &mut Cx<'_, Campaigns>, side: &SideId, who: &[Piece]) {
    leave_trains(cx, side, who);
    for piece in who {
        if let Piece::Leader(leader) = piece
            && let Some(hex) = cx.state().pieces(side).and_then(|p| p.hex(leader))
        {
            cx.emit(flow::event::Partly::LeftMap { side: side.clone(), leader: leader.clone(), hex }.into());
        }
    }
}

/// ¶138 Displaces forces one hex, the weakest first, until those that stay may stay together.
pub fn settle(cx: &mut Cx<'_, Campaigns>, side: &SideId, hex: Hex) {
    for _ in 0..DISPLACED_MOST {
        let Some(pieces) = cx.state().pieces(side) else { return };
        let board = &cx.state().board;
        // ¶216: one force alone may be too much for a citadel that has a garrison.
        let crowded = sp_at(board, pieces, hex) > limit(board, pieces, hex);
        let troops = forces(pieces, hex).len();
        if troops == 0 || (troops < 2 && !crowded) || legal(board, pieces, hex) {
            return;
        }
        if !retreat::displace_weakest(cx, side, hex) {
            return;
        }
    }
}

/// ¶60, 66, 294 Consolidation: in every hex the leaders go onto the portrait of the one who can command them; leaders
/// without troops go with them.
pub fn consolidate(cx: &mut Cx<'_, Campaigns>, side: &SideId) {
    let Some(pieces) = cx.state().pieces(side) else { return };
    let mut hexes: Vec<Hex> = pieces.on_map().map(|(_, hex)| hex).collect();
    hexes.sort();
    hexes.dedup();
    for hex in hexes {
        settle(cx, side, hex);
        let Some(pieces) = cx.state().pieces(side) else { return };
        let here: Vec<LeaderId> = pieces.leaders_at(hex).into_iter().cloned().collect();
        let troops = forces(pieces, hex);
        if here.len() < 2 || troops.is_empty() {
            continue;
        }
        let Some(into) = chief(&cx.state().board, pieces, &troops) else { continue };
        for leader in here.into_iter().filter(|l| *l != into) {
            cx.emit(Stacked::Joined { side: side.clone(), leader, into: into.clone(), hex }.into());
        }
    }
}
