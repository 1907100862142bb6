//! Ways over the map: how far a column reaches, the cheapest way to a hex, roads to a place.

use crate::hex::{Dir, Hex};
use crate::map::{Field, Road};
use crate::rules::campaigns::board::Halves;
use crate::rules::campaigns::situation::Situation;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// The cheapest ways from a hex: cost and the hex before, by hex.
pub struct Reach(Field<Option<(Halves, Option<Hex>)>>);

impl Reach {
    /// What the cheapest way to a hex costs, if there is one.
    pub fn spent(&self, hex: Hex) -> Option<Halves> {
        self.found(hex).map(|(spent, _)| spent)
    }

    fn found(&self, hex: Hex) -> Option<(Halves, Option<Hex>)> {
        self.0.get(hex).flatten()
    }
}

/// How far is looked.
#[derive(Clone, Copy)]
struct Until<'a> {
    /// No farther than this.
    limit: Option<Halves>,
    /// No farther than to the last of these, where there are any.
    goals: &'a [Hex],
}

/// The cheapest ways from a hex at cavalry (`horse`) or infantry cost, within a limit, over hexes that `pass`.
pub fn reach(sit: &Situation<'_>, from: Hex, horse: bool, limit: Option<Halves>, pass: impl Fn(Hex) -> bool) -> Reach {
    spread(sit, from, Until { limit, goals: &[] }, pass, march(sit, horse))
}

/// The same to some hexes, no farther than to the last of them: what lies behind that is left out.
pub fn reach_to(sit: &Situation<'_>, from: Hex, horse: bool, goals: &[Hex], pass: impl Fn(Hex) -> bool) -> Reach {
    spread(sit, from, Until { limit: None, goals }, pass, march(sit, horse))
}

fn march(sit: &Situation<'_>, horse: bool) -> impl Fn(Hex, Dir) -> Option<Halves> + use<> {
    let tolls = sit.tolls();
    move |hex, dir| tolls.over(hex, dir).step.map(|c| if horse { c.horse } else { c.foot })
}

/// ¶86 The cheapest way to a hex at a dispatch's costs, over hexes that `pass`, both ends included.
pub fn ride(sit: &Situation<'_>, from: Hex, to: Hex, pass: impl Fn(Hex) -> bool) -> Option<Vec<Hex>> {
    let until = Until { limit: None, goals: &[to] };
    let tolls = sit.tolls();
    way(&spread(sit, from, until, pass, |hex, dir| tolls.over(hex, dir).ride), to)
}

/// The cheapest way on foot to a hex, whatever stands on it, both ends included.
pub fn on_foot(sit: &Situation<'_>, from: Hex, to: Hex) -> Option<Vec<Hex>> {
    way(&reach_to(sit, from, false, &[to], |_| true), to)
}

fn spread(
    sit: &Situation<'_>,
    from: Hex,
    until: Until<'_>,
    pass: impl Fn(Hex) -> bool,
    cost: impl Fn(Hex, Dir) -> Option<Halves>,
) -> Reach {
    let map = &sit.board.map;
    let mut best = Reach(Field::new(map, None));
    best.0.set(from, Some((Halves(0), None)));
    let mut queue = BinaryHeap::from([Reverse((Halves(0), from))]);
    // A goal that no neighbour leads into is never reached, and nothing need be looked through for it.
    let entered = |goal: &&Hex| {
        let open = |near: Hex| near == from || pass(near);
        let led = |dir: Dir| open(goal.neighbour(dir)) && cost(goal.neighbour(dir), dir.opposite()).is_some();
        pass(**goal) && Dir::ALL.into_iter().any(led)
    };
    let mut goals: BTreeSet<Hex> = until.goals.iter().filter(entered).copied().collect();
    if goals.is_empty() && !until.goals.is_empty() {
        return best;
    }
    while let Some(Reverse((spent, hex))) = queue.pop() {
        // Found again at less since it began to wait.
        if best.spent(hex) != Some(spent) {
            continue;
        }
        if goals.remove(&hex) && goals.is_empty() {
            break;
        }
        for dir in Dir::ALL {
            let next = hex.neighbour(dir);
            // Most neighbours have been reached by the way that led here.
            let known = best.spent(next);
            if known.is_some_and(|known| known <= spent) {
                continue;
            }
            let Some(step) = cost(hex, dir) else { continue };
            let total = spent + step;
            let near = until.limit.is_none_or(|most| total <= most);
            if near && known.is_none_or(|known| total < known) && pass(next) {
                best.0.set(next, Some((total, Some(hex))));
                queue.push(Reverse((total, next)));
            }
        }
    }
    best
}

/// The way to a hex, both ends included.
pub fn way(reach: &Reach, to: Hex) -> Option<Vec<Hex>> {
    let mut path = vec![to];
    let mut at = to;
    while let Some(before) = reach.found(at)?.1 {
        path.push(before);
        at = before;
    }
    path.reverse();
    Some(path)
}

/// The cheapest way to a hex that keeps out of another hex and of those round it, the first hex left out.
pub fn round(sit: &Situation<'_>, from: Hex, to: Hex, off: Hex, horse: bool) -> Option<Vec<Hex>> {
    let clear = |hex: Hex| hex.distance(off) > 1 && !sit.enemy.contains_key(&hex);
    way(&reach_to(sit, from, horse, &[to], clear), to).map(|way| way.into_iter().skip(1).collect())
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
    let tolls = sit.tolls();
    let cost = |hex: Hex, dir: Dir| {
        let road = tolls.over(hex, dir).road.filter(|r| fits(*r))?;
        Some(sit.board.tables.terrain.road_mp(road))
    };
    let best = spread(sit, from, Until { limit: None, goals: &[to] }, |_| true, cost);
    let mut ways = Vec::new();
    let mut open = if best.found(to).is_some() { vec![vec![to]] } else { Vec::new() };
    while let Some(tail) = open.pop() {
        let Some(&head) = tail.last() else { continue };
        if head == from {
            ways.push(tail.into_iter().rev().collect());
            if ways.len() >= WAYS_MOST {
                break;
            }
            continue;
        }
        let Some(here) = best.spent(head) else { continue };
        for dir in Dir::ALL {
            let before = head.neighbour(dir);
            if let (Some(there), Some(step)) = (best.spent(before), cost(before, dir.opposite()))
                && there + step == here
            {
                open.push(tail.iter().copied().chain([before]).collect());
            }
        }
    }
    ways.sort();
    ways
}
