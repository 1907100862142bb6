//! 12 Rally; 8.4.5, 12.3 Blown horse; 13 fatigue: the Rally Phase.

use super::board::Arm;
use super::event::{Event, How};
use super::hand::{Die, Hand, die};
use super::morale::Fall;
use super::pose::Hour;
use super::state::{Level, State};
use super::tables::{Immediate, row};
use super::{eyes, morale, pool, retire, stacking, victory};
use crate::hex::Hex;
use crate::rules::Play;
use crate::rules::tactical::facing::toward;
use crate::rules::tactical::sum::Sum;
use std::collections::BTreeSet;

/// 13.0 The highest Fatigue Level.
const TIRED: i32 = 9;

/// 3.0 The LIM Removal Segment and the Rally Phase, in order; then the next turn, or the end.
pub(super) fn close(cx: &mut Hand<'_>) -> Play<()> {
    pool::rest_of_all(cx);
    pool::remove(cx);
    rally(cx);
    rout_loss(cx)?;
    reform(cx);
    fatigue(cx)?;
    victory::hold(cx);
    let turn = cx.state().turn + 1;
    if turn > cx.state().board.scenario.turns.1 {
        let (winner, points) = victory::verdict(cx.state());
        cx.emit(Event::Over { winner, points });
    } else {
        cx.emit(Event::Turn { turn });
    }
    Ok(())
}

/// 12.0 Whether a unit may try: worse than Good, next to no enemy, and not kept from it.
fn may(s: &State, unit: &str) -> bool {
    let kept = s.side(unit).and_then(|side| s.wishes.get(side)).is_some_and(|wishes| wishes.keep.contains(unit));
    let level = s.units.get(unit).map_or(Level::Good, |u| u.level);
    !kept && level > best(s, unit) && s.enemy_of(unit) > 1
}

/// 11.1.1, 9.2.4, 12.2 The best level that a unit can have: who has routed, or is at Breakpoint, is Shaken at best.
fn best(s: &State, unit: &str) -> Level {
    if s.is(unit, |u| u.ran) || s.is_broken(unit) { Level::Shaken } else { Level::Good }
}

/// 12.1 The parts of a rally: those of a Morale Check, for who runs 2 in the place of his level; 13.3 of fatigue the greater.
fn parts(s: &State, unit: &str) -> Sum {
    let routed = s.routs(unit);
    let m = &s.board.charts.morale;
    let mut sum = morale::parts(s, unit, false);
    if routed {
        // Who runs is Disordered.
        let array =
            if s.is_arm(unit, Arm::Cav) { super::tables::Array::CavDisorder } else { super::tables::Array::Disorder };
        sum.add("disorder", row(&m.forms, array));
        sum.add("Routed", m.rally_routed);
    }
    let weary = s.weary(unit);
    sum.add("fatigue at rally", weary.rally.max(weary.morale) - weary.morale);
    sum
}

/// 12.1, 12.2 Each stack that is Shaken or Unsteady tries by its top unit, and all of it are better by it; who runs tries by
/// himself, and stays Disordered.
fn rally(cx: &mut Hand<'_>) {
    let hexes: BTreeSet<Hex> = cx.state().standing().map(|(.., pose)| pose.head).collect();
    for hex in hexes {
        let s = cx.state();
        let stack: Vec<String> =
            s.stack(hex).into_iter().filter(|id| !s.is_arm(id, Arm::Art) && s.hex(id) == Some(hex)).collect();
        let (runs, firm): (Vec<String>, Vec<String>) = stack.into_iter().partition(|id| s.routs(id));
        for unit in runs.iter().chain(firm.first()) {
            if may(cx.state(), unit) {
                attempt(cx, unit, &firm);
            }
        }
        if !runs.is_empty() {
            // 9.1.1 Who runs no more is of the stack again.
            stacking::even(cx, hex);
        }
    }
}

fn attempt(cx: &mut Hand<'_>, unit: &str, firm: &[String]) {
    let s = cx.state();
    let Some((u, kind, pose)) = s.on(unit) else { return };
    let (level, need) = (u.level, kind.morale);
    let sum = parts(s, unit);
    let die = die(cx, Die::Rally, unit);
    let passed = die + sum.total() <= need;
    cx.emit(Event::Checked { unit: unit.to_owned(), why: "rally".to_owned(), die, sum, need, passed });
    if !passed {
        return;
    }
    if level == Level::Rout {
        cx.emit(Event::Level { unit: unit.to_owned(), level: level.up() });
        // 12.2, D-43, H.6 It faces as it likes: the nearest enemy whom its side sees, unless it has no room so (2.3).
        let s = cx.state();
        if let Some(to) = nearest(s, unit).first().copied() {
            let turned = super::pose::Pose { hour: Hour::of(toward(pose.head, to)), ..pose };
            let side = s.side(unit).cloned().unwrap_or_default();
            let pose = if s.no_room(&turned, &side).is_none() { turned } else { pose };
            cx.emit(Event::Moved { units: vec![unit.to_owned()], pose, cost: 0, how: How::Amend });
        }
        return;
    }
    // 9.1.1 All of a stack are at one level: who can be no better holds the others back.
    let held = firm.iter().map(|unit| best(cx.state(), unit)).max().unwrap_or_default();
    let to = level.up().max(held);
    for unit in firm {
        if cx.state().is(unit, |u| u.level > to) {
            cx.emit(Event::Level { unit: unit.clone(), level: to });
        }
    }
}

/// 12.4, 9.2.4 Who still runs loses an SP, and goes back one hex.
fn rout_loss(cx: &mut Hand<'_>) -> Play<()> {
    let runs: Vec<String> =
        cx.state().standing().filter(|(_, u, _)| u.level == Level::Rout).map(|(id, ..)| id.clone()).collect();
    for unit in runs {
        morale::bleed(cx, &unit, 1);
        if cx.state().pose(&unit).is_some() {
            let from = nearest(cx.state(), &unit);
            retire::back(cx, &unit, 1, &from)?;
        }
    }
    Ok(())
}

/// 8.4.5, 12.3 Blown horse with a Recovery marker is less so by one.
fn reform(cx: &mut Hand<'_>) {
    let resting = cx.state().standing().filter(|(_, u, _)| u.blown > 0 && u.recovering);
    let resting: Vec<(String, u8)> = resting.map(|(id, u, _)| (id.clone(), u.blown - 1)).collect();
    resting.into_iter().for_each(|(unit, level)| cx.emit(Event::Blown { unit, level }));
}

/// 13.1, 13.2, R-39 What a division's fatigue becomes: one more where its LIM was drawn, but for strategic movement alone, or
/// where it fought; one less where neither was so, it was not picked in the Non-LIM Phase, and no enemy is within two hexes.
fn change(s: &State, division: &str) -> i32 {
    let Some(c) = s.commands.get(division).filter(|_| pool::tires(s, division)) else { return 0 };
    let marched = c.marched && !c.worked;
    if c.fought || (c.drawn && !marched) {
        return i32::from(c.fatigue < TIRED);
    }
    let near = s.units_of(division).iter().any(|unit| s.enemy_of(unit) <= 2);
    let rests = !c.drawn && !c.picked && !near;
    -i32::from(rests && c.fatigue > 0)
}

/// 13.0, 13.3 The Fatigue Segment; what a level does at once, when it is reached from below: 9.2.3 who becomes Unsteady by it
/// goes back.
fn fatigue(cx: &mut Hand<'_>) -> Play<()> {
    let divisions: Vec<String> =
        cx.state().commands.iter().filter(|(_, c)| !c.waits).map(|(id, _)| id.clone()).collect();
    for division in divisions {
        let by = change(cx.state(), &division);
        let Some(level) = cx.state().commands.get(&division).map(|c| c.fatigue + by).filter(|_| by != 0) else {
            continue;
        };
        cx.emit(Event::Tired { division: division.clone(), level });
        let Some(at_once) = cx.state().board.charts.weary(level).immediate.filter(|_| by > 0) else { continue };
        for unit in cx.state().units_of(&division) {
            let s = cx.state();
            let Some(u) = s.units.get(&unit).filter(|_| !s.is_arm(&unit, Arm::Art)) else { continue };
            let to = match at_once {
                Immediate::Shaken => u.level.max(Level::Shaken),
                Immediate::OneLevel if u.level < Level::Unsteady => u.level.down(1),
                Immediate::OneLevel => u.level,
            };
            if to >= Level::Unsteady && to != u.level {
                let from = nearest(s, &unit);
                morale::fall(cx, vec![Fall { unit, level: to }], &from)?;
            } else if to != u.level {
                cx.emit(Event::Level { unit, level: to });
            }
        }
    }
    Ok(())
}

/// H.6 The enemy from whom somebody goes back in the Rally Phase, or to whom he turns: the nearest whom his side sees.
fn nearest(s: &State, unit: &str) -> Vec<Hex> {
    let (Some(hex), Some(side)) = (s.hex(unit), s.side(unit)) else { return Vec::new() };
    let enemies = eyes::enemies(s, side).map(|(_, pose)| pose.head);
    enemies.min_by_key(|at| (at.distance(hex), *at)).into_iter().collect()
}
