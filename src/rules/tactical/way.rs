//! Ways over hexes.

use crate::hex::Hex;
use std::collections::{BTreeMap, BTreeSet};

/// Nobody looks for longer ways than this, going straight.
const STEPS: usize = 9;

/// All that can be reached, with the cheapest ways.
pub struct Ways<P> {
    /// What the way to a place costs, and the place before it.
    known: BTreeMap<P, (i32, Option<P>)>,
    /// The places, the nearest first.
    pub near: Vec<P>,
}

impl<P: Copy + Ord> Ways<P> {
    /// Looks for the ways from some places; `steps` says of a place and of what the way to it costs, where one step leads and
    /// for how much.
    pub fn from<S: IntoIterator<Item = (P, i32)>>(
        begin: impl IntoIterator<Item = P>,
        mut steps: impl FnMut(P, i32) -> S,
    ) -> Self {
        let mut known: BTreeMap<P, (i32, Option<P>)> = begin.into_iter().map(|at| (at, (0, None))).collect();
        let mut open: BTreeSet<(i32, P)> = known.keys().map(|at| (0, *at)).collect();
        let mut near = Vec::new();
        while let Some((spent, at)) = open.pop_first() {
            if known.get(&at).is_some_and(|(best, _)| *best < spent) {
                continue;
            }
            near.push(at);
            for (to, cost) in steps(at, spent) {
                let total = spent + cost;
                if known.get(&to).is_none_or(|(best, _)| total < *best) {
                    known.insert(to, (total, Some(at)));
                    open.insert((total, to));
                }
            }
        }
        Ways { known, near }
    }

    /// What the cheapest way to each place costs.
    pub fn costs(&self) -> impl Iterator<Item = (P, i32)> {
        self.near.iter().filter_map(|at| Some((*at, self.known.get(at)?.0)))
    }

    /// The places of the way to one, without the first.
    pub fn to(&self, end: P) -> Vec<P> {
        let (mut way, mut at) = (Vec::new(), end);
        while let Some((_, Some(before))) = self.known.get(&at) {
            way.push(at);
            at = *before;
        }
        way.reverse();
        way
    }
}

/// The way that comes nearest to an aim, greedily, never back, and no farther than `may` allows; it ends beside an aim that
/// cannot be entered.
pub fn straight(from: Hex, aim: Hex, entered: bool, may: impl Fn(&[Hex]) -> bool) -> Vec<Hex> {
    let mut path: Vec<Hex> = Vec::new();
    for _ in 0..STEPS {
        let at = path.last().copied().unwrap_or(from);
        if at == aim || (!entered && at.adjacent(aim)) {
            break;
        }
        let new = |to: &Hex| !path.contains(to) && *to != from && to.distance(aim) <= at.distance(aim);
        let mut next: Vec<Hex> = at.neighbours().into_iter().filter(new).collect();
        next.sort_by_key(|to| (to.distance(aim), *to));
        let longer = |to: Hex| path.iter().copied().chain([to]).collect::<Vec<Hex>>();
        let Some(way) = next.into_iter().map(longer).find(|way| may(way)) else { break };
        path = way;
    }
    path
}
