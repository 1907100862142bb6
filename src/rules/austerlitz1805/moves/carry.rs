//! 4.6, 6, 12.6.2, 13.15.1.1.2 Movement carried out.

use super::walk::Scene;
use super::{Halt, Move, Trace, Walk, halt_words, left, trace};
use crate::fog::SideId;
use crate::orders::Fault;
use crate::plane::near::apart;
use crate::plane::{Heading, Spot, UM};
use crate::rules::Outcome;
use crate::rules::austerlitz1805::board::{Arm, UnitId};
use crate::rules::austerlitz1805::event::{Fact, Why};
use crate::rules::austerlitz1805::hands::{Hand, mark, stand, table, tell};
use crate::rules::austerlitz1805::table::{Formation, Mark, Mood, Table, um};
use std::rc::Rc;

/// An HQ that finds its way barred rides so far to a side before it turns to its goal.
const DETOURS: [i32; 3] = [UM, 2 * UM, 3 * UM];

/// 6.4-6.13 Moves, turns or forms a unit; says how far it came where it was stopped.
pub fn carry_out(cx: &mut Hand<'_>, side: &SideId, id: &UnitId, mv: &Move) {
    if let Some(outcome) = go(cx, side, id, mv) {
        cx.outcome(outcome);
    }
}

/// Moves, turns or forms a unit; what is to be said of it, unless it was done as ordered.
pub fn go(cx: &mut Hand<'_>, side: &SideId, id: &UnitId, mv: &Move) -> Option<Outcome> {
    let found = match trace(table(cx), side, id, mv) {
        Ok(found) => found,
        Err(fault) => return Some(fault.into()),
    };
    let before = table(cx).unit(id).cloned()?;
    if found.pose == before.pose && found.form == before.form {
        return Some(stopped(id, &found, 0));
    }
    if before.with.is_some() {
        tell(cx, Fact::Attached { hq: id.clone(), to: None });
    }
    let why = match mv {
        Move::Turn(_) | Move::About => Why::Turned,
        Move::Form(_) => Why::Formed,
        _ => Why::Moved,
    };
    stand(cx, id, why, found.pose, found.form, found.cost, &found.via);
    markers(cx, id, mv, &found, before.form);
    // Sideways and back no markers are laid.
    let gone =
        if found.legs.is_empty() { apart(before.pose.at.fine(), found.pose.at.fine()).units() } else { found.far() };
    found.halt.is_some().then(|| stopped(id, &found, gone))
}

/// 6.12, 6.13, 9.5, 21.4 What the movement bars for the rest of the turn.
fn markers(cx: &mut Hand<'_>, id: &UnitId, mv: &Move, found: &Trace, before: Formation) {
    if matches!(mv, Move::Form(_)) {
        mark(cx, id, Mark::Formed, true);
        let stays = !table(cx).board.options.squares_move_on;
        mark(cx, id, Mark::Unsquared, stays && before == Formation::Square);
    } else if found.cost > 0 || found.form != Formation::Unlimbered {
        mark(cx, id, Mark::Moved, true);
    }
    let guns = table(cx).arm(id) == Arm::Artillery;
    let swung = matches!(mv, Move::Turn(_) | Move::About) && found.cost > 0 && found.form == Formation::Unlimbered;
    if guns && swung {
        mark(cx, id, Mark::Swung, true);
    }
    if guns && matches!(mv, Move::Form(_)) {
        mark(cx, id, Mark::Moved, true);
    }
}

fn stopped(id: &UnitId, found: &Trace, gone: i32) -> Outcome {
    let (why, rule) = found.halt.as_ref().map_or(("there is nowhere to go".to_owned(), "6.9"), halt_words);
    let far = if matches!(found.halt, Some(Halt::NoTurn(_))) && gone == 0 {
        "not at all".to_owned()
    } else {
        format!("{} UM", um(gone))
    };
    Outcome::Failed { why: format!("{id} went {far}: {why}"), rule: rule.to_owned() }
}

/// 12.6.2 Whether an HQ may be attached to a unit, and how it rides there: to its own corps, unless nothing is left of that;
/// an army's commander to anyone.
///
/// # Errors
/// Why not.
pub fn may_attach(t: &Table, side: &SideId, hq: &UnitId, to: &UnitId) -> Result<Trace, Fault> {
    super::may_act(t, side, hq)?;
    let not = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let Some((spec, unit)) = t.spec(hq).zip(t.spec(to)) else { return not(format!("{to} is not on the field"), "") };
    if spec.arm != Arm::Hq {
        return not(format!("{hq} is no HQ"), "12.6.1");
    }
    if unit.side != *side || unit.arm == Arm::Hq {
        return not(format!("{to} is no unit of yours to which an HQ may be attached"), "12.6.2");
    }
    let corps_left = t.of_side(side).any(|(id, _)| id != hq && t.spec(id).is_some_and(|s| s.corps == spec.corps));
    if !spec.army && unit.corps != spec.corps && corps_left {
        return not(format!("{hq} commands {} and {to} is of {}", spec.corps, unit.corps), "12.6.2");
    }
    if t.hq_with(to).is_some_and(|other| other != hq) {
        return not(format!("another HQ is with {to}"), "7.1");
    }
    if t.unit(hq).is_some_and(|u| u.with.as_ref() == Some(to)) {
        return not(format!("{hq} is with {to} already"), "7.1");
    }
    let far = t.gap(hq, to).units();
    if far > left(t, hq) {
        return not(format!("{to} is {} UM away and {hq} has {} UM left", um(far), um(left(t, hq))), "6.2");
    }
    ride(t, hq, to)
}

/// 6.4, 6.9 An HQ rides to a unit by the ways that all go by, through nobody: straight, or round what is in the way.
fn ride(t: &Table, hq: &UnitId, to: &UnitId) -> Result<Trace, Fault> {
    let Some(((hq, _), goal)) = t.units.get_key_value(hq).zip(t.unit(to).map(|u| u.pose.at)) else {
        return Err(Fault::refused(format!("{hq} is not on the field"), ""));
    };
    let scene = Scene::of(t, hq, std::slice::from_ref(to), &[]);
    let straight = onward(&scene, Walk::out(&scene), to, goal);
    let halt = match straight {
        Ok(way) => return Ok(way),
        Err(halt) => halt,
    };
    let bearing = Heading::between(t.centre(hq), goal.fine()).unwrap_or(Heading::NORTH);
    for far in DETOURS {
        for turn in (1..=8).flat_map(|n| [n * 15, -n * 15]) {
            let mut walk = Walk::out(&scene);
            walk.look(bearing.turned(turn));
            for _ in 0..far / UM {
                if walk.halt.is_none() {
                    walk.leg(0, UM, left(t, hq));
                }
            }
            if walk.halt.is_none()
                && let Ok(way) = onward(&scene, walk, to, goal)
            {
                return Ok(way);
            }
        }
    }
    let (why, rule) = halt.map_or(("it is out of reach".to_owned(), "6.2"), |halt| halt_words(&halt));
    Err(Fault::refused(format!("{hq} finds no way to {to}: {why}"), rule))
}

/// Straight on to a unit, until it touches it.
fn onward(scene: &Rc<Scene<'_>>, mut walk: Walk<'_>, to: &UnitId, goal: Spot) -> Result<Trace, Option<Halt>> {
    let t = scene.table();
    let (budget, target) = (left(t, scene.unit()), t.shape(to));
    let there = |walk: &Walk<'_>| walk.shape().gap(&target).within(t.board.tables.contact);
    while !there(&walk) && walk.halt.is_none() && walk.cost() < budget {
        let Some(way) = Heading::between(walk.stand().at, goal.fine()) else { break };
        walk.look(way);
        walk.leg(0, UM.min(budget - walk.cost()), budget);
    }
    if there(&walk) { Ok(Trace { halt: None, ..walk.end() }) } else { Err(walk.halt.take()) }
}

/// 7.1, 12.6.2, 12.9.5 ATTACH.
pub fn attach(cx: &mut Hand<'_>, side: &SideId, hq: &UnitId, to: &UnitId) {
    let way = match may_attach(table(cx), side, hq, to) {
        Ok(way) => way,
        Err(fault) => return cx.outcome(fault.into()),
    };
    let Some((pose, form)) = table(cx).unit(hq).map(|u| (u.pose, u.form)) else { return };
    let at = table(cx).unit(to).map_or(pose, |u| u.pose);
    stand(cx, hq, Why::Moved, at, form, way.cost, &way.via);
    tell(cx, Fact::Attached { hq: hq.clone(), to: Some(to.clone()) });
}

/// 13.15.1.1.2 The crew goes back to its guns, if they still stand and the danger has passed: no enemy who could attack is
/// as near as a crew runs. They may not fire in that turn.
pub fn crew_back(cx: &mut Hand<'_>, side: &SideId, id: &UnitId) {
    let left = table(cx).unit(id).is_some_and(|u| u.side == *side && u.has(Mark::Crewless));
    if !left {
        return cx.outcome(Fault::refused(format!("the crew of {id} is at its guns"), "13.15.1.1.2").into());
    }
    let t = table(cx);
    let near = t.board.tables.ranges.crew;
    let threat = |e: &UnitId, ground: &crate::plane::shape::Shape| {
        let fights = matches!(t.arm(e), Arm::Infantry | Arm::Cavalry) && t.unit(e).is_some_and(|u| u.mood < Mood::R);
        fights && t.shape(id).near(ground, near)
    };
    if let Some(enemy) = t.enemies_of(id, threat).first() {
        let why = format!("{enemy} is within {} UM of {id}, and the danger has not passed", um(near));
        return cx.outcome(Fault::refused(why, "13.15.1.1.2").into());
    }
    mark(cx, id, Mark::Crewless, false);
    mark(cx, id, Mark::Returned, true);
}
