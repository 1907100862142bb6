//! 6.3 Fire.

use super::board::{Arm, Kind};
use super::event::Event;
use super::fatigue::{self, At, Why};
use super::state::{Fate, Mood, State};
use super::{board, flee, leader};
use crate::dice::Label;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::orders::Fault;
use crate::rules::tactical::sum::{Sum, half_up};
use crate::rules::tactical::{facing, sight};
use std::collections::BTreeMap;

/// 6.3.7a The reach of guns.
const REACH: u32 = 4;

/// 4.4.1-4.4.5 Whether guns see a hex: what lies between is open ground with no enemy on it; friends do not matter.
pub fn sees(s: &State, side: &SideId, from: Hex, to: Hex) -> bool {
    let blocks = |hex: Hex| s.board.ground(hex).is_none_or(|g| g.blocks_los) || s.held_against(hex, side);
    sight::open(from, to, true, blocks)
}

/// 6.3.2-6.3.7 Whether an active unit may fire at a hex.
///
/// # Errors
/// Why not.
pub fn may(s: &State, unit: &str, at: Hex) -> Result<(), Fault> {
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let (Some(u), Some(kind)) = (s.units.get(unit), s.kind(unit)) else {
        return refused(format!("there is no {unit}"), "2.3");
    };
    let Some(hex) = u.hex else { return refused(format!("{unit} is not on the map"), "6.3") };
    let guns = kind.arm == Arm::Art;
    if kind.arm == Arm::Cav {
        return refused(format!("{unit} is horse, and horse does not fire"), "6.3.6");
    }
    if !u.active {
        return refused(format!("{unit} is not activated"), "6.3.2");
    }
    if u.mood != Mood::Fresh {
        return refused(format!("{unit} is tired, and fires in defence alone"), "4.2.4");
    }
    if u.fired {
        return refused(format!("{unit} has fired"), "6.3.4");
    }
    if !s.held_against(at, &kind.side) {
        return refused(format!("no enemy stands in {at}"), "6.3.3");
    }
    let far = hex.distance(at);
    if far > if guns { REACH } else { 1 } {
        return refused(format!("{at} is {far} hexes away"), if guns { "6.3.7" } else { "6.3.3" });
    }
    let ahead = s.front(unit).contains(&at) || (far > 1 && facing::in_arc(hex, u.facing, at));
    if !ahead {
        return refused(format!("{at} is not in front of {unit}"), "6.3.3");
    }
    if far > 1 && !kind.howitzer && !sees(s, &kind.side, hex, at) {
        return refused(format!("{unit} does not see {at}"), "6.3.7");
    }
    Ok(())
}

/// 6.3.7c, 6.3.7d What a unit adds at a distance: guns at 4 hexes half, howitzers at 3 and 4, fractions up.
fn adds(s: &State, unit: &str, kind: &Kind, far: u32) -> i32 {
    let half = far >= if kind.howitzer { 3 } else { 4 };
    if half { half_up(s.ff(unit)) } else { s.ff(unit) }
}

/// 6.3.8c What changes the die of a fire.
fn modifiers(s: &State, by: &[String], at: Hex, enemy: &SideId) -> Sum {
    let mut sum = Sum::default();
    let targets = s.stack(at, enemy);
    let adjacent = |id: &&String| s.units.get(*id).and_then(|u| u.hex).is_some_and(|hex| hex.adjacent(at));
    let tired = by.iter().any(|id| s.units.get(id).is_some_and(|u| u.mood != Mood::Fresh));
    // 4.2.4c, 4.3.3
    sum.when(tired, "tired", -2);
    let guns = |id: &String| s.kind(id).is_some_and(|kind| kind.arm == Arm::Art);
    // 6.3.6 (second)
    sum.when(by.iter().filter(adjacent).any(guns), "point blank", 1);
    sum.when(targets.len() >= 3, "crowd", 1);
    let beside = by.iter().filter(adjacent).any(|id| outflanks(s, id, &targets));
    sum.when(beside, "flank", 1);
    // 8.4.3
    let strong = targets.iter().any(|id| s.in_strong_point(id));
    let ground = s.board.ground(at).map_or(0, |g| g.fire_drm);
    sum.add(if strong { "Strong Point" } else { "ground" }, if strong { s.board.strong_effects().0 } else { ground });
    sum
}

/// 6.4.4 Whether a unit stands outside the fronts of those who have one: who has no front has no flank either.
pub(super) fn outflanks(s: &State, unit: &str, targets: &[String]) -> bool {
    let Some(hex) = s.units.get(unit).and_then(|u| u.hex) else { return false };
    let fronts: Vec<Vec<Hex>> = targets.iter().map(|id| s.front(id)).filter(|front| !front.is_empty()).collect();
    !fronts.is_empty() && fronts.iter().all(|front| !front.contains(&hex))
}

/// 8.1.1 Night shifts fire one column to the left at adjacent hexes and two at range.
fn night(s: &State, far: u32) -> i32 {
    match (s.board.night(s.turn), far) {
        (false, _) => 0,
        (true, 0 | 1) => -1,
        (true, _) => -2,
    }
}

/// 6.3.8 All who fire at a hex fire together.
pub(super) fn volley(cx: &mut At<'_>, by: &[String], at: Hex, enemy: &SideId) {
    let s = cx.state();
    let far = |id: &String| s.units.get(id).and_then(|u| u.hex).map_or(0, |hex| hex.distance(at));
    let strength: i32 = by.iter().filter_map(|id| s.kind(id).map(|kind| adds(s, id, kind, far(id)))).sum();
    // Who fires together fires at the column of the farthest.
    let shift = night(s, by.iter().map(far).max().unwrap_or(1));
    let column = s.board.fire_column(strength).and_then(|column| s.board.fire().shifted(column, shift));
    let sum = modifiers(s, by, at, enemy);
    let shells = by.iter().any(|id| s.kind(id).is_some_and(|kind| kind.howitzer));
    let die = ten(cx, "fire", at);
    let board = cx.state().board.clone();
    let missed = shells && die == 1;
    let result = column.filter(|_| !missed).map_or("-", |column| board.fire().result(column, die + sum.total()));
    let name = column.and_then(|column| board.fire().columns.get(column)).map_or("none", String::as_str);
    cx.emit(Event::Fired {
        at,
        by: by.to_vec(),
        strength,
        column: name.to_owned(),
        die,
        sum,
        result: result.to_owned(),
    });
    suffer(cx, at, enemy, result);
}

/// 2.0 One d10.
pub(super) fn ten(cx: &mut At<'_>, purpose: &'static str, at: Hex) -> i32 {
    let dice = cx.roll(&Label::public(purpose).at(&at), 1, 10);
    dice.first().copied().and_then(|die| i32::try_from(die).ok()).unwrap_or(1)
}

/// The unit of a hex that is spent first: the one with the least melee factor.
pub(super) fn weakest(s: &State, units: &[String]) -> Option<String> {
    units.iter().min_by_key(|id| (s.mf(id), (*id).clone())).cloned()
}

/// 6.3.8f What a result does to the units in the hex; 6.3.10 a leader where one dies is rolled for.
fn suffer(cx: &mut At<'_>, at: Hex, enemy: &SideId, result: &str) {
    let units = cx.state().stack(at, enemy);
    let first = weakest(cx.state(), &units);
    let (worse, dead, harder) = match result {
        "C" => (false, false, 0),
        "C1" => (false, false, 1),
        "C2" => (false, false, 2),
        "F" => (true, false, 1),
        "X" => (false, true, 2),
        "R" => return all_back(cx, &units),
        _ => return,
    };
    let leaders = cx.state().leaders_at(at, enemy);
    let struck = first.filter(|_| worse || dead);
    if let Some(unit) = &struck {
        if dead {
            fatigue::fall(cx, unit, Fate::Eliminated);
        } else {
            fatigue::worsen(cx, unit);
        }
    }
    for unit in units.iter().filter(|unit| struck.as_ref() != Some(unit)) {
        if cx.state().units.get(unit).is_some_and(|u| u.hex == Some(at)) {
            let mut sum = Sum::default();
            sum.add("result", harder);
            fatigue::endure(cx, unit, Why::UnderFire, sum);
        }
    }
    for leader in leaders.iter().filter(|_| dead) {
        leader::risk(cx, leader);
    }
}

/// The result R: all are worse, and who did not rout goes back one hex.
fn all_back(cx: &mut At<'_>, units: &[String]) {
    for unit in units {
        fatigue::worsen(cx, unit);
    }
    for unit in units {
        flee::retreat(cx, unit, 1);
    }
}

/// 6.3.1, 6.3.6 (second) The inactive side fires at the active units next to it: all who may, each at the fullest hex
/// before it; 4.2.4c a tired unit fires to any side.
pub(super) fn defend(cx: &mut At<'_>, side: &SideId) {
    let s = cx.state();
    let mut counts: BTreeMap<Hex, usize> = BTreeMap::new();
    for (_, _, hex) in s.standing().filter(|(id, unit, _)| unit.active && s.is_of(id, side)) {
        *counts.entry(hex).or_default() += 1;
    }
    let mut volleys: BTreeMap<Hex, Vec<String>> = BTreeMap::new();
    for (id, unit, hex) in s.standing().filter(|(id, _, _)| !s.is_of(id, side) && s.ff(id) > 0) {
        let reached: Vec<Hex> = if unit.mood == Mood::Fatigued { hex.neighbours().to_vec() } else { s.front(id) };
        let targets = reached.into_iter().filter_map(|hex| counts.get(&hex).map(|n| (*n, hex)));
        if let Some((_, target)) = targets.max_by_key(|(n, hex)| (*n, std::cmp::Reverse(*hex))) {
            volleys.entry(target).or_default().push(id.clone());
        }
    }
    for (at, by) in volleys {
        let by: Vec<String> = by.into_iter().filter(|id| cx.state().ff(id) > 0).collect();
        if !by.is_empty() && !cx.state().stack(at, side).is_empty() {
            volley(cx, &by, at, side);
        }
    }
}

/// 6.3.2 The active side fires.
pub(super) fn attack(cx: &mut At<'_>, side: &SideId, units: &[String], at: Hex) {
    for unit in units {
        if let Err(fault) = may(cx.state(), unit, at) {
            cx.outcome(fault.into());
            return;
        }
    }
    volley(cx, units, at, &board::other(side));
}
