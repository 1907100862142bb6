//! 6.4, 6.9 Round one's own: a unit whose straight way toward a place a friend bars looks for another, as a player would
//! on a table, in a fixed order and within a bound.

use super::group::stopper;
use super::walk::Scene;
use super::{MARKER_TURN, Trace, Walk, aim, as_asked, as_far_as, left, markers, toward};
use crate::orders::Fault;
use crate::plane::near::apart;
use crate::plane::{Heading, Spot, UM};
use crate::rules::austerlitz1805::board::UnitId;
use std::rc::Rc;

/// How far another way goes before it turns to the place, in the order in which that is tried.
const FIRST: [i32; 3] = [UM, UM / 2, UM * 3 / 2];
/// Its first marker turns in steps of so many degrees.
const STEP: i32 = 5;
/// Ways of which one comes nearer by less are alike, and the first of them is taken.
const ALIKE: i32 = 25;
/// Who would end looking farther away from the place than so many degrees does not go that way.
const ASKEW: i32 = 60;

/// 6.4, 6.9 The straight way toward a place; where a unit of one's own bars it, the first other way that comes nine tenths
/// as near as the straight one would without friends, or else the one that comes nearest. No other way is tried where
/// anything but a friend ends the straight one: what an enemy does to a movement does not hang on it.
///
/// # Errors
/// Why it can't be made.
pub fn round(scene: &Rc<Scene<'_>>, goal: Spot, units: Option<i32>) -> Result<Trace, Fault> {
    let (t, id) = (scene.table(), scene.unit());
    let mut best = toward(scene, goal, units, None)?;
    let own = |other: &UnitId| t.side(other) == t.side(id);
    if !stopper(&best).is_some_and(own) {
        return Ok(best);
    }
    let friends: Vec<UnitId> = t.of_side(&t.side(id)).map(|(other, _)| other).filter(|o| *o != id).cloned().collect();
    let free = toward(&Scene::of(t, id, &[], &friends), goal, units, None)?;
    let rest = |way: &Trace| apart(way.pose.at.fine(), goal.fine()).units();
    let begun = apart(t.centre(id), goal.fine()).units();
    let enough = |way: &Trace| (begun - rest(way)) * 10 >= (begun - rest(&free)) * 9;
    // 6.10.3: the road's marker is for who keeps to the road, and who goes round leaves it.
    let budget = left(t, id);
    let whole = as_far_as(t, id, units.unwrap_or(budget).min(budget), goal);
    for (first, turn) in tries(scene, goal) {
        if enough(&best) {
            break;
        }
        let way = as_asked(bent(scene, goal, (turn, first.min(whole)), (whole, budget)), units);
        let to = Heading::between(way.pose.at.fine(), goal.fine());
        let looks = to.is_none_or(|to| way.pose.facing.off(to).abs() <= ASKEW);
        if looks && rest(&way) + ALIKE < rest(&best) {
            best = way;
        }
    }
    Ok(best)
}

/// First markers: each length with each turn, the turn nearest to the straight way first, left before right.
fn tries(scene: &Rc<Scene<'_>>, goal: Spot) -> Vec<(i32, i32)> {
    let to = aim(&Walk::out(scene), goal).unwrap_or(0);
    let mut turns: Vec<i32> = (-MARKER_TURN / STEP..=MARKER_TURN / STEP).map(|n| n * STEP).collect();
    turns.sort_by_key(|turn| ((turn - to).abs(), *turn));
    FIRST.into_iter().flat_map(|first| turns.iter().map(move |turn| (first, *turn))).collect()
}

/// A way that begins with a turn, goes straight on for a while, and then marker by marker at the place (6.2, 6.4).
fn bent(scene: &Rc<Scene<'_>>, goal: Spot, (turn, first): (i32, i32), (whole, budget): (i32, i32)) -> Trace {
    let most = markers(scene.table(), scene.unit());
    let mut walk = Walk::out(scene);
    let (mut turn, mut gone) = (turn, 0);
    while gone < whole && walk.halt.is_none() && walk.legs().len() < most {
        let units = if gone < first { first - gone } else { whole - gone }.min(UM);
        walk.leg(turn, units, budget);
        gone += units;
        turn = if gone < first || !walk.may_turn(budget) { 0 } else { aim(&walk, goal).unwrap_or(0) };
    }
    walk.end()
}
