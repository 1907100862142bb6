//! Ways over the map: how far a column reaches, the cheapest way to a hex, roads to a place.

use crate::hex::Hex;
use crate::map::Road;
use crate::rules::campaigns::board::Halves;
use crate::rules::campaigns::situation::Situation;
use std::collections::{BTreeMap, BTreeSet};

/// The cheapest ways from a hex: cost and the hex before, by hex.
pub type Reach = BTreeMap<Hex, (Halves, Option<Hex>)>;

/// The cheapest ways from a hex at cavalry (`horse`) or infantry cost, within a limit, over hexes that `pass`.
pub fn reach(sit: &Situation<'_>, from: Hex, horse: bool, limit: Option<Halves>, pass: impl Fn(Hex) -> bool) -> Reach {
    let cost = |a: Hex, b: Hex| sit.step(a, b, true).map(|c| if horse { c.horse } else { c.foot });
    spread(sit, from, limit, pass, cost)
}

/// ¶86 The cheapest ways from a hex at a dispatch's costs, over hexes that `pass`.
pub fn rides(sit: &Situation<'_>, from: Hex, pass: impl Fn(Hex) -> bool) -> Reach {
    spread(sit, from, None, pass, |a, b| sit.dispatch_step(a, b))
}

fn spread(
    sit: &Situation<'_>,
    from: Hex,
    limit: Option<Halves>,
    pass: impl Fn(Hex) -> bool,
    cost: impl Fn(Hex, Hex) -> Option<Halves>,
) -> Reach {
    let mut best = Reach::from([(from, (Halves(0), None))]);
    let mut queue = BTreeSet::from([(Halves(0), from)]);
    while let Some((spent, hex)) = queue.pop_first() {
        for next in sit.board.map.neighbours(hex) {
            let Some(step) = cost(hex, next) else { continue };
            let total = spent + step;
            let near = limit.is_none_or(|most| total <= most);
            if near && pass(next) && best.get(&next).is_none_or(|(known, _)| total < *known) {
                if let Some((old, _)) = best.insert(next, (total, Some(hex))) {
                    queue.remove(&(old, next));
                }
                queue.insert((total, next));
            }
        }
    }
    best
}

/// The way to a hex, both ends included.
pub fn way(reach: &Reach, to: Hex) -> Option<Vec<Hex>> {
    let mut path = vec![to];
    let mut at = to;
    while let Some(before) = reach.get(&at)?.1 {
        path.push(before);
        at = before;
    }
    path.reverse();
    Some(path)
}

/// The cheapest way to a hex that keeps out of another hex and of those round it, the first hex left out.
pub fn round(sit: &Situation<'_>, from: Hex, to: Hex, off: Hex, horse: bool) -> Option<Vec<Hex>> {
    let clear = |hex: Hex| hex.distance(off) > 1 && !sit.enemy.contains_key(&hex);
    way(&reach(sit, from, horse, None, clear), to).map(|way| way.into_iter().skip(1).collect())
}

/// ¶213 The shortest ways by road from a hex to another: along primary roads where they lead there, else along any.
/// More than one where several are equally short.
pub fn roads(sit: &Situation<'_>, from: Hex, to: Hex) -> Vec<Vec<Hex>> {
    let primary = shortest(sit, from, to, |road| road == Road::Primary);
    if primary.is_empty() { shortest(sit, from, to, |_| true) } else { primary }
}

/// At most this many equal ways are written out.
const WAYS_MOST: usize = 4;

fn shortest(sit: &Situation<'_>, from: Hex, to: Hex, fits: fn(Road) -> bool) -> Vec<Vec<Hex>> {
    let cost = |a: Hex, b: Hex| {
        let road = sit.road(a, b).filter(|r| fits(*r))?;
        Some(sit.board.tables.terrain.road_mp(road))
    };
    let best = spread(sit, from, None, |_| true, cost);
    let mut ways = Vec::new();
    let mut open = if best.contains_key(&to) { vec![vec![to]] } else { Vec::new() };
    while let Some(tail) = open.pop() {
        let Some(&head) = tail.last() else { continue };
        if head == from {
            ways.push(tail.into_iter().rev().collect());
            if ways.len() >= WAYS_MOST {
                break;
            }
            continue;
        }
        let Some((here, _)) = best.get(&head) else { continue };
        for before in sit.board.map.neighbours(head) {
            if let (Some((there, _)), Some(step)) = (best.get(&before), cost(before, head))
                && *there + step == *here
            {
                open.push(tail.iter().copied().chain([before]).collect());
            }
        }
    }
    ways.sort();
    ways
}
