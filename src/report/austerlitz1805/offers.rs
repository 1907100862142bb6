//! Lines that a seat could send now. Each is read and looked at as its own line would be, so that none is refused.

use crate::orders::{bind, line};
use crate::plane::Spot;
use crate::rules::Ruleset;
use crate::rules::austerlitz1805::Austerlitz;
use crate::rules::austerlitz1805::board::{Arm, UnitId};
use crate::rules::austerlitz1805::order::{Order, check};
use crate::rules::austerlitz1805::state::{At, Step};
use crate::rules::austerlitz1805::table::Mood;
use crate::rules::austerlitz1805::view::View;

/// Pairs of a unit and an enemy that are tried for one verb.
const PAIRS: usize = 6;
/// Lines at most.
const LINES: usize = 7;

/// Lines for the open sheet, in the order in which it takes them.
pub fn lines(v: &View) -> Vec<String> {
    let sealed = matches!(v.at, At::Fog | At::Deploy) && v.side.is_some();
    if sealed {
        let verbs = Austerlitz::verbs().iter().filter(|verb| ["STRAT", "CHIT", "DECOY"].contains(&verb.word));
        let found = verbs.flat_map(|verb| (verb.examples)(v)).filter(|said| taken(v, said));
        return found.take(LINES - 1).collect();
    }
    if !v.my_sheet() {
        return Vec::new();
    }
    let me = v.me();
    let mut found = Vec::new();
    if v.step == Step::Rally {
        found.extend(verbs(v, &["HIDE"]));
        let mut engaged = v.table.of_side(&me).map(|(id, _)| id).filter(|id| v.table.engaged(id));
        found.extend(engaged.next().map(|id| format!("DISENGAGE {}", v.table.label(id))));
    }
    for (verb, arm) in [("BOMBARD", Arm::Artillery), ("CHARGE", Arm::Cavalry), ("ATTACK", Arm::Infantry)] {
        found.extend(at_enemy(v, verb, arm));
    }
    found.extend(march(v));
    found.extend(verbs(v, &["MARCH", "RETURN"]));
    found.truncate(LINES);
    found
}

/// Whether a line would be read and carried out as far as the view tells.
fn taken(v: &View, said: &str) -> bool {
    bind(Austerlitz::verbs(), v, &line(0, said)).is_ok_and(|order: Order| check(v, &order).is_ok())
}

/// The first example of each verb that would be taken.
fn verbs(v: &View, words: &[&str]) -> Vec<String> {
    let verbs = Austerlitz::verbs().iter().filter(|verb| words.contains(&verb.word));
    verbs.filter_map(|verb| (verb.examples)(v).into_iter().find(|said| taken(v, said))).collect()
}

/// Own units of an arm in good order, each with the enemy nearest to it, the nearest pair first.
fn pairs(v: &View, arm: Option<Arm>) -> Vec<(UnitId, UnitId)> {
    let me = v.me();
    let far = |a: Spot, b: Spot| {
        let (dx, dy) = (i64::from(a.x - b.x), i64::from(a.y - b.y));
        dx * dx + dy * dy
    };
    let able = |id: &UnitId| {
        arm.map_or(v.table.arm(id) != Arm::Artillery && v.table.arm(id) != Arm::Hq, |a| v.table.arm(id) == a)
    };
    let mut found: Vec<(i64, UnitId, UnitId)> = Vec::new();
    for (id, unit) in v.table.of_side(&me).filter(|(id, u)| u.mood == Mood::Fit && able(id)) {
        let enemies = v.table.standing().filter(|(_, e)| e.side != me);
        let nearest = enemies.map(|(e, other)| (far(unit.pose.at, other.pose.at), e)).min();
        found.extend(nearest.map(|(gap, enemy)| (gap, id.clone(), enemy.clone())));
    }
    found.sort();
    found.into_iter().take(PAIRS).map(|(_, id, enemy)| (id, enemy)).collect()
}

/// The first of the nearest pairs for which a verb is taken.
fn at_enemy(v: &View, verb: &str, arm: Arm) -> Option<String> {
    let lines = pairs(v, Some(arm)).into_iter().map(|(own, enemy)| {
        let (own, enemy) = (v.table.label(&own).to_owned(), v.table.label(&enemy).to_owned());
        format!("{verb} {own} AT {enemy}")
    });
    lines.into_iter().find(|said| taken(v, said))
}

/// A march of one unit and one of two, toward the enemy nearest to them.
fn march(v: &View) -> Vec<String> {
    let free: Vec<(UnitId, UnitId)> =
        pairs(v, None).into_iter().filter(|(own, _)| v.table.combat_of(own).is_none()).collect();
    let label = |id: &UnitId| v.table.label(id).to_owned();
    let mut found = Vec::new();
    let one = |(own, enemy): &(UnitId, UnitId)| format!("MOVE {} TOWARD {} 1UM", label(own), label(enemy));
    found.extend(free.iter().map(one).find(|said| taken(v, said)));
    if let (Some((a, enemy)), Some((b, _))) = (free.last(), free.iter().rev().nth(1)) {
        let two = format!("MOVE {} {} TOWARD {} 1UM", label(a), label(b), label(enemy));
        found.extend(Some(two).filter(|said| taken(v, said)));
    }
    found
}
