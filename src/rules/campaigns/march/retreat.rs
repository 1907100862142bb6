//! ¶369-371, 376 The priorities of retreat, as repulse, displacement and combat obey them.

use super::stack;
use super::ways;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::board::{Halves, LeaderId};
use crate::rules::campaigns::flow;
use crate::rules::campaigns::flow::told::Why;
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::situation::{Firm, Situation};
use crate::rules::cx::Cx;
use std::collections::BTreeMap;

/// How good a path of retreat is: friends in the way, enemy zones, MP to the source, MP of the path, the path itself.
/// The least is best, in this order (¶371.3 to 371.6; ties by the lowest hex).
type Rank = (usize, usize, Halves, Halves, Vec<Hex>);

/// Displacements that one retreat may set off.
const CHAIN_MOST: u32 = 6;

/// ¶371 The path of retreat of so many hexes from a hex, the hex itself left out; shorter where there is no full one,
/// empty where there is none. `stays` says of a hex with friends whether the retreating force may end there (¶377).
pub fn path(sit: &Situation<'_>, from: Hex, hexes: u32, stays: &dyn Fn(Hex) -> bool) -> Vec<Hex> {
    let home: BTreeMap<Hex, Halves> = match sit.own.army.source {
        Some(source) => {
            ways::reach(sit, source, false, None, |_| true).into_iter().map(|(h, (mp, _))| (h, mp)).collect()
        }
        None => BTreeMap::new(),
    };
    for length in (1..=hexes).rev() {
        let mut best: Option<Rank> = None;
        walk(sit, from, length, &mut vec![from], &mut |path| {
            let rank = rank(sit, &home, path, stays);
            if best.as_ref().is_none_or(|b| rank < *b) {
                best = Some(rank);
            }
        });
        if let Some((_, _, _, _, path)) = best {
            return path.into_iter().skip(1).collect();
        }
    }
    Vec::new()
}

/// ¶370, 371.1-2 Every path that moves one hex further away at each step, over ground that can be passed.
fn walk(sit: &Situation<'_>, from: Hex, length: u32, path: &mut Vec<Hex>, found: &mut dyn FnMut(&[Hex])) {
    let (Some(&here), gone) = (path.last(), path.len()) else { return };
    if gone > length as usize {
        found(path);
        return;
    }
    for next in sit.board.map.neighbours(here) {
        let further = next.distance(from) as usize == gone;
        if further && !sit.enemy.contains_key(&next) && sit.step(here, next, true).is_some() {
            path.push(next);
            walk(sit, from, length, path, found);
            path.pop();
        }
    }
}

fn rank(sit: &Situation<'_>, home: &BTreeMap<Hex, Halves>, path: &[Hex], stays: &dyn Fn(Hex) -> bool) -> Rank {
    let last = path.last().copied().unwrap_or(Hex::new(0, 0));
    let way = path.iter().skip(1).copied();
    let friends = way.clone().filter(|h| sit.own.occupied_by_force(*h) && !(*h == last && stays(*h))).count();
    let zones = way.filter(|h| sit.zones_on(*h).iter().any(|(_, firm)| *firm == Firm::Yes)).count();
    let cost: Halves = path.windows(2).filter_map(|w| Some(sit.step(*w.first()?, *w.last()?, true)?.foot)).sum();
    (friends, zones, home.get(&last).copied().unwrap_or(Halves(i32::MAX / 2)), cost, path.to_vec())
}

/// Moves a force some hexes back by the priorities of retreat; friends in the way are displaced. Whether it moved at
/// all.
pub fn drive(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId, hexes: u32, why: Why) -> bool {
    drive_in_chain(cx, side, leader, hexes, why, 0)
}

fn drive_in_chain(
    cx: &mut Cx<'_, Campaigns>,
    side: &SideId,
    leader: &LeaderId,
    hexes: u32,
    why: Why,
    depth: u32,
) -> bool {
    let path = {
        let Some(sit) = cx.state().situation(side) else { return false };
        let Some(from) = sit.own.hex(leader) else { return false };
        path(&sit, from, hexes, &|hex| stack::may_join(sit.board, sit.own, leader, hex))
    };
    let last = path.last().copied();
    for hex in &path {
        let crowded = {
            let Some(sit) = cx.state().situation(side) else { return true };
            sit.own.occupied_by_force(*hex)
                && !(Some(*hex) == last && stack::may_join(sit.board, sit.own, leader, *hex))
        };
        if crowded && depth < CHAIN_MOST {
            displace_weakest(cx, side, *hex, depth + 1);
        }
        let Some(from) = cx.state().pieces(side).and_then(|p| p.hex(leader)) else { return true };
        let piece = Piece::Leader(leader.clone());
        cx.emit(flow::event::Event::Moved { side: side.clone(), piece, from, to: *hex, why }.into());
        super::step::arrived(cx, side, *hex);
    }
    !path.is_empty()
}

/// ¶138, 371.3 Displaces the weakest force of a hex by one hex; whether there was one that could go.
pub fn displace_weakest(cx: &mut Cx<'_, Campaigns>, side: &SideId, hex: Hex, depth: u32) -> bool {
    let Some(pieces) = cx.state().pieces(side) else { return false };
    let mut forces: Vec<(i32, LeaderId)> = pieces
        .leaders_at(hex)
        .into_iter()
        .filter(|l| !pieces.unemployed(l))
        .map(|l| (pieces.sp(l), l.clone()))
        .collect();
    forces.sort();
    forces.into_iter().any(|(_, leader)| drive_in_chain(cx, side, &leader, 1, Why::Displaced, depth))
}
