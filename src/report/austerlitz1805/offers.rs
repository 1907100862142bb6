//! Lines that the reader could send as they stand: what the rules would do with each is tried first (4.3-4.6, 16.4).

use crate::orders;
use crate::plane::near::apart;
use crate::rules::Ruleset;
use crate::rules::austerlitz1805::board::{Arm, Place, UnitId};
use crate::rules::austerlitz1805::order::Order;
use crate::rules::austerlitz1805::state::At;
use crate::rules::austerlitz1805::table::{Formation, Mood};
use crate::rules::austerlitz1805::view::View;
use crate::rules::austerlitz1805::{Austerlitz, approach, guns, moves, rehearse, words};
use crate::rules::rehearsal::{Caution, Plan};

/// Lines in all.
const MOST: usize = 5;
/// Enemies that a unit is tried against, the nearest first.
const FOES: usize = 3;
/// Turns in which a unit can be at the place toward which it is sent.
const TURNS: i32 = 2;
/// Verbs of the sealed sheet.
const SEALED: [&str; 3] = ["STRAT", "CHIT", "DECOY"];
/// Verbs whose examples are offered with those that are made here.
const OTHERS: [&str; 4] = ["DISENGAGE", "MARCH", "HIDE", "RETURN"];

/// Lines of the open sheet, in the order of its steps.
pub fn lines(v: &View) -> Vec<String> {
    let examples = |words: &[&str]| -> Vec<String> {
        let verbs = Austerlitz::verbs().iter().filter(|verb| words.contains(&verb.word));
        verbs.flat_map(|verb| (verb.examples)(v)).filter(|line| sound(v, line)).collect()
    };
    if v.side.is_some() && matches!(v.at, At::Fog | At::Deploy) {
        return together(v, examples(&SEALED)).collect();
    }
    if !v.my_sheet() {
        return Vec::new();
    }
    let mut found = examples(&OTHERS);
    found.extend(fire(v, 2));
    // Horse melts away before guns and squares: nobody is led into that.
    let ridden_down = |foe: &UnitId| {
        v.table.arm(foe) != Arm::Artillery && v.table.unit(foe).is_some_and(|unit| unit.form != Formation::Square)
    };
    found.extend(against(v, "CHARGE", Arm::Cavalry, ridden_down, 1));
    found.extend(against(v, "ATTACK", Arm::Infantry, |_| true, 2));
    found.extend(marches(v, 4));
    found.extend(hold(v));
    together(v, found).take(MOST).collect()
}

/// The lines that can be sent together: each is tried behind those above it, none takes the place of another, and each
/// unit has one.
fn together(v: &View, lines: Vec<String>) -> impl Iterator<Item = String> {
    let mut plan = Plan::<Austerlitz>::new(v.clone());
    let mut kept: Vec<(Order, Option<UnitId>)> = Vec::new();
    let fits = move |line: &String| {
        let said = orders::line(1, line);
        let Ok(order) = orders::read(Austerlitz::verbs(), plan.now(), &said) else { return false };
        let who = acts(plan.now(), &said);
        let again = |(other, unit): &(Order, Option<UnitId>)| {
            Austerlitz::replaces(v, &order, other) || (who.is_some() && *unit == who)
        };
        if kept.iter().any(again) {
            return false;
        }
        let played = plan.played();
        plan.replay(&said);
        let taken = plan.played() > played;
        if taken {
            kept.push((order, who));
        }
        taken
    };
    lines.into_iter().filter(fits)
}

/// The own unit that a line orders.
fn acts(v: &View, line: &orders::Line) -> Option<UnitId> {
    let mut args = orders::Args::new(line, 1);
    words::own(v, &mut args).ok()
}

/// Whether a line would be taken, and comes to something.
fn sound(v: &View, line: &str) -> bool {
    let Ok(order) = orders::read(Austerlitz::verbs(), v, &orders::line(1, line)) else { return false };
    let Ok(tried) = rehearse::warned(v, &order) else { return false };
    let bad =
        |kind| matches!(kind, Caution::NoEffect | Caution::Enemy | Caution::Short | Caution::Own | Caution::Objective);
    let left = Austerlitz::warnings(v, &tried.after, &[order]);
    !tried.warnings.iter().chain(&left).any(|warning| bad(warning.kind))
}

/// Own units that are fit to act, those nearest to an enemy first.
fn units(v: &View, fits: impl Fn(&UnitId) -> bool) -> Vec<UnitId> {
    let me = v.me();
    let fit = v.table.of_side(&me).filter(|(id, unit)| unit.mood == Mood::Fit && fits(id)).map(|(id, _)| id.clone());
    let mut units: Vec<UnitId> = fit.collect();
    let gap = |id: &UnitId| v.table.nearest_enemy(id).map(|foe| v.table.gap(id, &foe).units());
    units.sort_by_cached_key(|id| (gap(id), id.clone()));
    units
}

/// 13.1, 13.12.3 Attacks or charges that reach their enemy.
fn against(v: &View, verb: &str, arm: Arm, good: impl Fn(&UnitId) -> bool, most: usize) -> Vec<String> {
    let line = |id: UnitId| {
        let foes = v.table.enemies_by_gap(&id).into_iter().take(FOES);
        // Who is out of reach even without anybody in the way is not worth a trial.
        foes.filter(|foe| good(foe) && approach::may_meet(&v.table, &id, &v.table.shape(foe)))
            .map(|foe| format!("{verb} {} AT {}", v.table.label(&id), v.table.label(&foe)))
            .find(|line| sound(v, line))
    };
    let me = v.me();
    units(v, |id| v.table.arm(id) == arm && moves::may_act(&v.table, &me, id).is_ok())
        .into_iter()
        .filter_map(line)
        .take(most)
        .collect()
}

/// 9.1-9.8 Fire of batteries at what they can hit.
fn fire(v: &View, most: usize) -> Vec<String> {
    let line = |id: UnitId| {
        let targets = guns::targets(&v.table, &id).into_iter();
        targets
            .map(|(at, _)| format!("BOMBARD {} AT {}", v.table.label(&id), v.table.label(&at)))
            .find(|line| sound(v, line))
    };
    units(v, |id| guns::ready(&v.table, id).is_ok()).into_iter().filter_map(line).take(most).collect()
}

/// 4.4 A battery that has something to fire at in the enemy's turn, and might hold its fire.
fn hold(v: &View) -> Option<String> {
    let ready = units(v, |id| guns::ready(&v.table, id).is_ok()).into_iter();
    let able = ready.filter(|id| !guns::targets(&v.table, id).is_empty());
    able.map(|id| format!("HOLD {}", v.table.label(&id))).find(|line| sound(v, line))
}

/// 4.6, 17.1.1 Moves of brigades to the nearest place that scores and is not held, each place once.
fn marches(v: &View, most: usize) -> Vec<String> {
    let me = v.me();
    let mut open: Vec<&Place> =
        v.table.board.places.iter().filter(|p| p.vp > 0 && v.table.control.get(&p.name) != Some(&me)).collect();
    let mut found = Vec::new();
    let able = |id: &UnitId| {
        matches!(v.table.arm(id), Arm::Infantry | Arm::Cavalry) && moves::may_act(&v.table, &me, id).is_ok()
    };
    for id in units(v, able) {
        let Some(at) = v.table.unit(&id).map(|unit| unit.pose.at) else { continue };
        let gap = |place: &Place| apart(at.fine(), place.at.fine()).units();
        open.sort_by_key(|place| (gap(place), place.name.clone()));
        let line = |place: &&Place| format!("MOVE {} TOWARD {}", v.table.label(&id), place.name);
        // A place that is days of march away is no goal.
        let near = |place: &&Place| gap(place) <= moves::left(&v.table, &id) * TURNS;
        if found.len() == most {
            break;
        }
        if let Some(n) = open.iter().position(|place| near(place) && sound(v, &line(place))) {
            found.push(line(&open.remove(n)));
        }
    }
    found
}
