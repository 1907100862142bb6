//! Where a unit can go in what is left of its movement, by the rules' own steps, and how far the ground is to an aim.

use super::super::board::Arm;
use super::super::state::State;
use super::super::{bounds, march};
use crate::fog::SideId;
use crate::hex::Hex;
use std::collections::{BTreeMap, BTreeSet};

/// A hex, and the hexes of Levels 2 and 3 climbed on the way there.
type Post = (Hex, [i32; 2]);

/// What a hex of Level 2 or 3 counts besides its step: nobody knows what the chart will let a unit climb.
const CLIMB: i32 = 2;

/// 4.3.3, 6.2.7 The hexes before the enemies of a side.
pub(super) fn fronts(s: &State, side: &SideId) -> BTreeSet<Hex> {
    s.standing().filter(|(id, ..)| !s.is_of(id, side)).flat_map(|(id, ..)| s.front(id)).collect()
}

/// 6.2 Every hex that a unit can end its movement in, with the cheapest way there; its own hex with an empty one.
pub(in super::super) fn reach(s: &State, unit: &str) -> BTreeMap<Hex, Vec<Hex>> {
    let Some((u, kind)) = s.units.get(unit).zip(s.kind(unit)) else { return BTreeMap::new() };
    let Some(from) = u.hex else { return BTreeMap::new() };
    let mut found = BTreeMap::from([(from, Vec::new())]);
    if march::may_move(s, unit).is_err() {
        return found;
    }
    let (left, fronts) = (s.ma(unit) - u.spent, fronts(s, &kind.side));
    let stands = march::Stands::of(s, &kind.side);
    let mut known: BTreeMap<Post, (i32, Option<Post>)> = BTreeMap::from([((from, u.climbed), (0, None))]);
    let mut open: BTreeSet<(i32, Post)> = BTreeSet::from([(0, (from, u.climbed))]);
    while let Some((spent, post)) = open.pop_first() {
        let (at, climbed) = post;
        if known.get(&post).is_some_and(|(best, _)| *best < spent) {
            continue;
        }
        if !found.contains_key(&at) && !s.crowded_with(at, &kind.side, &[unit.to_owned()]) {
            found.insert(at, way_to(&known, post));
        }
        // 6.2.7 In an enemy's front it goes no farther.
        if at != from && fronts.contains(&at) {
            continue;
        }
        for to in at.neighbours() {
            let Ok(step) = stands.allow(s, unit, (at, to), climbed) else { continue };
            let total = spent + step.cost;
            if total > left || bounds::tied(s, unit, to).is_some() {
                continue;
            }
            let mut climbed = climbed;
            if let Some(hexes) = usize::try_from(step.chart - 2).ok().and_then(|n| climbed.get_mut(n)) {
                *hexes += 1;
            }
            if known.get(&(to, climbed)).is_none_or(|(best, _)| total < *best) {
                known.insert((to, climbed), (total, Some(post)));
                open.insert((total, (to, climbed)));
            }
        }
    }
    found
}

/// The hexes of a way, without the first.
fn way_to(known: &BTreeMap<Post, (i32, Option<Post>)>, end: Post) -> Vec<Hex> {
    let (mut way, mut at) = (Vec::new(), end);
    while let Some((_, Some(before))) = known.get(&at) {
        way.push(at.0);
        at = *before;
    }
    way.reverse();
    way
}

/// How far it is for an arm from every hex to the nearest of some aims, in MP by the ground alone; hexes from which there is
/// no way are not in it.
pub(super) fn field(s: &State, arm: Arm, aims: impl IntoIterator<Item = Hex>) -> BTreeMap<Hex, i32> {
    let mut known: BTreeMap<Hex, i32> = aims.into_iter().map(|aim| (aim, 0)).collect();
    let mut open: BTreeSet<(i32, Hex)> = known.iter().map(|(hex, far)| (*far, *hex)).collect();
    while let Some((far, at)) = open.pop_first() {
        if known.get(&at).is_some_and(|best| *best < far) {
            continue;
        }
        for from in at.neighbours() {
            // The way leads from there to here.
            let Some(cost) = march::ground_cost(s, arm, from, at) else { continue };
            let high = s.board.field.level(at) >= 2 && !s.board.field.joined(from, at);
            let total = far + cost + if high { CLIMB } else { 0 };
            if known.get(&from).is_none_or(|best| total < *best) {
                known.insert(from, total);
                open.insert((total, from));
            }
        }
    }
    known
}
