//! 4.7 A division that a breakdown makes charge: what it has to do, and has not been told to, the program does.

use super::board::Arm;
use super::hand::Hand;
use super::order::Pace;
use super::pose::{Form, Pose};
use super::state::State;
use super::{charge, entry, eyes, march, shock};
use crate::hex::Hex;
use crate::orders::{Fault, deny};
use crate::rules::Play;
use crate::rules::tactical::way::Ways;
use std::cell::Cell;
use std::collections::BTreeSet;

/// So often the way of a unit is thought over again, because another enemy is the nearest now.
const AGAIN: usize = 20;
/// So many hexes farther from the enemy a way may lead than where it begins.
const DETOUR: u32 = 1;

/// 4.7 Whether a division has to charge.
fn must(s: &State, division: &str) -> bool {
    s.acting.as_ref().is_some_and(|acting| acting.must.contains(division))
}

/// R-15 The units of a division that still have to do something, foot or horse, those before the others that are nearer to an
/// enemy, so that nobody stands in the way of who comes behind.
fn bound(s: &State, division: &str, arm: Arm) -> Vec<String> {
    let own = s.units_of(division).into_iter().filter(|id| must(s, division) && s.is_arm(id, arm));
    let able = own.filter(|id| shock::may_begin(s, id).is_ok());
    let far = |id: &String| nearest(s, id).first().map_or(u32::MAX, |(far, _)| *far);
    let mut found: Vec<(u32, String)> = able.map(|id| (far(&id), id)).collect();
    found.sort_unstable();
    found.into_iter().map(|(_, id)| id).collect()
}

/// H.6 The hexes of enemies whom a unit's side sees, by how far they are.
fn nearest(s: &State, unit: &str) -> Vec<(u32, Hex)> {
    let (Some(own), Some(side)) = (s.pose(unit), s.side(unit)) else { return Vec::new() };
    let hexes: BTreeSet<Hex> = eyes::enemies(s, side).flat_map(|(_, pose)| pose.hexes()).collect();
    let mut found: Vec<(u32, Hex)> = hexes.into_iter().map(|hex| (own.distance(hex), hex)).collect();
    found.sort_unstable();
    found
}

/// 4.7, 6.3.4, 6.4.1 Whether units may take up a formation: of a division that has to charge nobody takes one up by which he
/// could not.
///
/// # Errors
/// Why not.
pub(super) fn may_form(s: &State, units: &[String], form: Form) -> Result<(), Fault> {
    let shirks = |id: &String| must(s, s.division(id)) && shock::may_begin(s, id).is_ok();
    let idle = matches!(form, Form::Square | Form::Disorder) && units.iter().any(shirks);
    deny(idle, format_args!("the division has to charge, and in {} nobody does", form.word()), "4.7")
}

/// 4.7, 5.1.3, R-15 Foot goes by the shortest way towards the nearest enemy, as far as it can with the points that it has left,
/// and turns to him if he is next to it.
///
/// House: "the entire division" is all of it that is able. Who has moved, turned or formed already goes on with what is left,
/// though others have moved since (4.6.1). Who may begin no melee, or has stopped before the enemy, does as in a Full
/// Activation. So does who stands in square, for nobody is made to change his formation.
pub(super) fn advance(cx: &mut Hand<'_>) -> Play<()> {
    let division = cx.state().active().to_owned();
    for unit in bound(cx.state(), &division, Arm::Inf) {
        let stopped = cx.state().is(&unit, |u| u.going.stopped);
        if !stopped {
            approach(cx, &unit)?;
        }
    }
    Ok(())
}

/// 4.7, R-15 A unit goes its way, which is thought over again when another enemy has become the nearest.
fn approach(cx: &mut Hand<'_>, unit: &str) -> Play<()> {
    let units = [unit.to_owned()];
    let Some(side) = cx.state().side(unit).cloned() else { return Ok(()) };
    for _ in 0..AGAIN {
        let foes: Vec<Hex> = nearest(cx.state(), unit).into_iter().map(|(_, hex)| hex).collect();
        // H.3 By what its side sees; what is in its way for all that, stops it.
        let paces = way(&cx.view(&side).state, unit, &foes);
        if paces.is_empty() {
            break;
        }
        march::take_up(cx, &units)?;
        for pace in paces {
            // Who is out of order by now, or driven off, begins no melee.
            if !march::one(cx, &units, pace)? || shock::may_begin(cx.state(), unit).is_err() {
                return Ok(());
            }
            if nearest(cx.state(), unit).iter().any(|(_, hex)| !foes.contains(hex)) {
                break;
            }
        }
    }
    Ok(())
}

/// How far a unit that stood so would be from the nearest enemy, and whether it would have none before it to attack.
fn worth(pose: &Pose, foes: &[Hex]) -> (u32, bool) {
    let far = foes.iter().map(|hex| pose.distance(*hex)).min().unwrap_or(u32::MAX);
    let front = pose.front();
    (far, !foes.iter().any(|hex| front.contains(hex)))
}

/// 4.7, 5.1, 6.1, R-15 The paces of the shortest way by which a unit comes before an enemy, or as near to one as its points
/// let it: steps ahead, turns and an about face. None where it comes no nearer.
fn way(s: &State, unit: &str, foes: &[Hex]) -> Vec<Pace> {
    let Some((u, _, start)) = s.on(unit).filter(|_| !foes.is_empty()) else { return Vec::new() };
    let (units, spent, now) = ([unit.to_owned()], u.going.spent, worth(&start, foes));
    // The way to an enemy that has been found: a longer one is not looked for.
    let most = Cell::new(u.going.ma - spent);
    // One table of its own for all poses: to copy it for each would take longer than all the rest.
    let mut then = s.clone();
    let steps = |pose: Pose, cost: i32| {
        let (far, blind) = worth(&pose, foes);
        if !blind {
            most.set(most.get().min(cost));
        }
        if let Some(u) = then.units.get_mut(unit) {
            (u.pose, u.going.spent) = (Some(pose), spent + cost);
        }
        let halted = pose.head != start.head && entry::meets(&then, &units, &pose.hexes());
        let ends = !blind || halted || cost >= most.get() || far > now.0.saturating_add(DETOUR);
        let leads = |pace: Pace| {
            let (stride, _) = march::next(&then, &units, pace, &[]).ok()?;
            (cost + stride.cost <= most.get()).then_some((stride.pose, stride.cost))
        };
        let paces = if ends { Vec::new() } else { paces(&pose) };
        paces.into_iter().filter_map(leads).collect::<Vec<_>>()
    };
    let ways = Ways::from([start], steps);
    let best = ways.costs().min_by_key(|(pose, cost)| (worth(pose, foes), *cost, *pose));
    let Some((end, _)) = best.filter(|(pose, _)| worth(pose, foes) < now) else { return Vec::new() };
    let mut before = start;
    let mut found = Vec::new();
    for pose in ways.to(end) {
        found.push(pace(&before, &pose));
        before = pose;
    }
    found
}

/// What a unit can do that stands so: go ahead, and turn, if it has a front.
fn paces(pose: &Pose) -> Vec<Pace> {
    let mut heads: BTreeSet<Hex> = BTreeSet::new();
    heads.extend(pose.front_sides().into_iter().map(|(_, dir)| pose.head.neighbour(dir)));
    let mut found: Vec<Pace> = heads.into_iter().map(Pace::To).collect();
    if !pose.form.all_round() {
        found.extend([Pace::Turn(false), Pace::Turn(true), Pace::About]);
    }
    found
}

/// By what pace a unit comes to stand otherwise.
fn pace(from: &Pose, to: &Pose) -> Pace {
    let turn = [false, true].into_iter().find(|right| from.wheeled(*right).0 == *to);
    match turn {
        Some(right) => Pace::Turn(right),
        None if from.hour == to.hour => Pace::To(to.head),
        None => Pace::About,
    }
}

/// 4.7, R-15 Horse of a division that can charge charges the nearest enemy; foot that has one before it attacks.
///
/// House: horse that has ridden more than half of its points bears no May Charge marker (5.1.2), and is not able. Foot attacks
/// the nearest of those whom it may: whom it has fired at (8.0), and nobody whom another has bayoneted.
pub(super) fn fight(cx: &mut Hand<'_>, division: &str) -> Play<()> {
    for unit in bound(cx.state(), division, Arm::Cav) {
        let targets = nearest(cx.state(), &unit);
        let found = targets.into_iter().find_map(|(_, at)| Some((at, charge::may(cx.state(), &unit, at, &[]).ok()?)));
        if let Some((at, path)) = found {
            charge::charge(cx, &unit, at, path)?;
        }
    }
    for unit in bound(cx.state(), division, Arm::Inf) {
        let near = nearest(cx.state(), &unit).into_iter().filter(|(far, _)| *far == 1);
        let s = cx.state();
        let found = near
            .flat_map(|(_, at)| [(at, false), (at, true)])
            .find(|(at, assault)| shock::may(s, &unit, *at, *assault).is_ok());
        if let Some((at, assault)) = found {
            shock::attack(cx, &unit, at, None, assault)?;
        }
    }
    Ok(())
}

/// 4.5.2.2, 4.7 At the end of an activation all divisions fight that have to charge: the one that acts before the others.
pub(super) fn fight_all(cx: &mut Hand<'_>) -> Play<()> {
    let active = cx.state().active().to_owned();
    fight(cx, &active)?;
    let due = cx.state().acting.as_ref().map(|acting| acting.must.clone()).unwrap_or_default();
    for division in due.into_iter().filter(|id| *id != active) {
        fight(cx, &division)?;
    }
    Ok(())
}
