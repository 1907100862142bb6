//! Where a unit can go in what is left of its movement, by the rules' own steps, and how far the ground is to an aim.

use super::super::board::Arm;
pub(super) use super::super::reach::fronts;
use super::super::state::State;
use super::super::{bounds, march};
use crate::hex::Hex;
use crate::rules::tactical::way::Ways;
use std::collections::BTreeMap;

/// A hex, and the hexes of Levels 2 and 3 climbed on the way there.
type Post = (Hex, [i32; 2]);

/// What a hex of Level 2 or 3 counts besides its step: nobody knows what the chart will let a unit climb.
const CLIMB: i32 = 2;

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
    let step = |(at, climbed): Post, spent: i32, to: Hex| {
        let step = stands.allow(s, unit, (at, to), climbed).ok()?;
        let open = spent + step.cost <= left && bounds::tied_from(s, unit, Some(at), to).is_ok();
        open.then(|| ((to, march::climbed(climbed, step.chart)), step.cost))
    };
    let ways = Ways::from([(from, u.climbed)], |post: Post, spent| {
        // 6.2.7 In an enemy's front it goes no farther.
        let stops = post.0 != from && fronts.contains(&post.0);
        let next = post.0.neighbours().into_iter().filter(move |_| !stops);
        next.filter_map(|to| step(post, spent, to)).collect::<Vec<_>>()
    });
    for post in &ways.near {
        if !found.contains_key(&post.0) && !s.crowded_with(post.0, &kind.side, &[unit.to_owned()]) {
            found.insert(post.0, ways.to(*post).into_iter().map(|(hex, _)| hex).collect());
        }
    }
    found
}

/// How far it is for an arm from every hex to the nearest of some aims, in MP by the ground alone; hexes from which there is
/// no way are not in it.
pub(super) fn field(s: &State, arm: Arm, aims: impl IntoIterator<Item = Hex>) -> BTreeMap<Hex, i32> {
    let ways = Ways::from(aims, |at, _| {
        // The way leads from there to here.
        let step = move |from: Hex| {
            let high = s.board.field.level(at) >= 2 && !s.board.field.joined(from, at);
            Some((from, march::ground_cost(s, arm, from, at)? + if high { CLIMB } else { 0 }))
        };
        at.neighbours().into_iter().filter_map(step)
    });
    ways.costs().collect()
}
