//! Lines that ORDERS shows of each verb, made of the seat's own units.

use super::alternate;
use super::board::{Arm, UnitId};
use super::table::{Formation, Mood, Unit};
use super::view::View;
use super::{guns, muskets};

/// The first own unit of an arm that could act.
fn first(v: &View, arm: Option<Arm>) -> Option<UnitId> {
    let me = v.me();
    let able = |(id, u): &(&UnitId, &Unit)| {
        u.mood == Mood::Fit && arm.is_none_or(|a| v.table.arm(id) == a) && u.form != Formation::Unlimbered
    };
    v.table.of_side(&me).find(able).map(|(id, _)| id.clone())
}

/// A line of a verb for a unit that could act.
pub fn eg(v: &View, verb: &str, rest: &str) -> Vec<String> {
    let unit = first(v, Some(Arm::Infantry)).or_else(|| first(v, None));
    unit.into_iter().map(|u| format!("{verb} {u} {rest}").trim_end().to_owned()).collect()
}

/// MOVE toward the nearest enemy, and straight ahead.
pub fn eg_move(v: &View) -> Vec<String> {
    let Some(unit) = first(v, Some(Arm::Infantry)).or_else(|| first(v, None)) else { return Vec::new() };
    let enemy = v.table.enemies_by_gap(&unit).into_iter().next();
    let place = enemy.map_or_else(|| "N".to_owned(), |e| e.0);
    vec![format!("MOVE {unit} TOWARD {place} 1UM"), format!("MOVE {unit} 1UM")]
}

/// FORM into what a unit is not.
pub fn eg_form(v: &View) -> Vec<String> {
    let Some(unit) = first(v, Some(Arm::Infantry)) else { return Vec::new() };
    let line = v.table.unit(&unit).is_some_and(|u| u.form == Formation::Line);
    vec![format!("FORM {unit} {}", if line { "COLUMN" } else { "LINE" })]
}

/// ATTACH an HQ.
pub fn eg_attach(v: &View) -> Vec<String> {
    let me = v.me();
    let hq = v.table.units.iter().find(|(id, u)| u.side == me && v.table.arm(id) == Arm::Hq).map(|(id, _)| id);
    hq.zip(first(v, Some(Arm::Infantry))).map(|(hq, unit)| format!("ATTACH {hq} TO {unit}")).into_iter().collect()
}

/// HOLD a battery.
pub fn eg_hold(v: &View) -> Vec<String> {
    let me = v.me();
    let guns = v.table.of_side(&me).find(|(id, _)| v.table.arm(id) == Arm::Artillery);
    guns.map(|(id, _)| format!("HOLD {id}")).into_iter().collect()
}

/// A verb at the nearest enemy, by a unit of an arm.
pub fn eg_foe(v: &View, verb: &str, arm: Arm) -> Vec<String> {
    let me = v.me();
    let own = v.table.of_side(&me).find(|(id, _)| v.table.arm(id) == arm).map(|(id, _)| id.clone());
    let Some(own) = own else { return Vec::new() };
    let enemy = v.table.enemies_by_gap(&own).into_iter().next();
    enemy.map(|e| format!("{verb} {own} AT {e}")).into_iter().collect()
}

/// BOMBARD at whom a battery may fire at; where none may, at the nearest, to show the form.
pub fn eg_guns(v: &View) -> Vec<String> {
    let me = v.me();
    let ready = v.table.of_side(&me).map(|(id, _)| id).filter(|id| guns::ready(&v.table, id).is_ok());
    let line = |id: &UnitId| guns::targets(&v.table, id).first().map(|(enemy, _)| format!("BOMBARD {id} AT {enemy}"));
    let found: Vec<String> = ready.into_iter().find_map(line).into_iter().collect();
    if found.is_empty() { eg_foe(v, "BOMBARD", Arm::Artillery) } else { found }
}

/// VOLLEY at whom a unit may fire at; where none may, at the nearest, to show the form.
pub fn eg_volley(v: &View) -> Vec<String> {
    let me = v.me();
    let able = v.table.of_side(&me).map(|(id, _)| id).filter(|id| muskets::able(&v.table, id));
    let line =
        |id: &UnitId| muskets::static_targets(&v.table, id).first().map(|enemy| format!("VOLLEY {id} AT {enemy}"));
    let found: Vec<String> = able.into_iter().find_map(line).into_iter().collect();
    if found.is_empty() { eg_foe(v, "VOLLEY", Arm::Infantry) } else { found }
}

/// DISENGAGE under a condition.
pub fn eg_if(v: &View) -> Vec<String> {
    let me = v.me();
    let fighting = v.table.combats.iter().flat_map(|c| [&c.on, &c.lead]).find(|u| v.table.side(u) == me);
    fighting.map(|u| format!("IF {u} S DISENGAGE {u}")).into_iter().collect()
}

/// RETURN beside where a unit went off.
pub fn eg_return(v: &View) -> Vec<String> {
    let me = v.me();
    let line = |id: &UnitId| Some(format!("RETURN {id} AT {}", alternate::beside(&v.table, id)?.at));
    v.table.away.keys().filter(|id| v.table.side(id) == me).find_map(line).into_iter().collect()
}
