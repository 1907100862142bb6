//! Warnings of one line: W1, W5, W11, W12, W13.

use crate::plane::near::apart;
use crate::rules::Outcome;
use crate::rules::austerlitz1805::board::UnitId;
use crate::rules::austerlitz1805::guns;
use crate::rules::austerlitz1805::moves::{self, Halt, Move};
use crate::rules::austerlitz1805::muskets;
use crate::rules::austerlitz1805::order::Order;
use crate::rules::austerlitz1805::table::um;
use crate::rules::austerlitz1805::view::View;
use crate::rules::rehearsal::{Caution, Warning};

/// A warning.
pub fn warn(kind: Caution, text: impl Into<String>, rule: &str) -> Warning {
    Warning { kind, text: text.into(), rule: rule.to_owned() }
}

/// What the writer of one line should know.
pub fn warnings(v: &View, after: &View, order: &Order, outcome: &Outcome) -> Vec<Warning> {
    let mut found = match order {
        Order::If { order, .. } => return warnings(v, after, order, outcome),
        Order::Move(id, mv) => moved(v, after, id, mv).into_iter().chain(reach(v, id, mv)).collect(),
        Order::Bombard { by, at, canister, defence } => {
            let later = by.iter().filter(|_| *defence).filter_map(|gun| later(v, gun, at, *canister));
            later.chain(by.iter().filter(|_| *canister == Some(true)).filter_map(|gun| touched(v, gun, at))).collect()
        }
        Order::Volley(by, on) => by.iter().filter_map(|unit| volley(v, unit, on)).collect(),
        _ => Vec::new(),
    };
    // Of several who march or attack, those who do not come are named.
    let several = matches!(order, Order::March(_)) || matches!(order, Order::Attack(onset) if onset.by.len() > 1);
    if let (true, Outcome::Failed { why, rule }) = (found.is_empty() && (several || same(v, after)), outcome) {
        found.push(warn(Caution::NoEffect, why.as_str(), rule));
    }
    found
}

/// Whether nothing of one's own has changed.
fn same(v: &View, after: &View) -> bool {
    v.table.units == after.table.units && v.own == after.own && v.table.mist.chits == after.table.mist.chits
}

/// W11, W12: a move that comes to nothing or only turns, and one that an enemy ends.
fn moved(v: &View, after: &View, id: &UnitId, mv: &Move) -> Vec<Warning> {
    let Ok(trace) = moves::trace(&v.table, &v.me(), id, mv) else { return Vec::new() };
    let Some(halt) = &trace.halt else { return Vec::new() };
    let (why, rule) = moves::halt_words(halt);
    let pose = |v: &View| v.table.unit(id).map(|unit| unit.pose);
    let (from, to) = (pose(v), pose(after));
    let mut found = Vec::new();
    if let Halt::Enemy(enemy) | Halt::Unit(enemy) = halt
        && v.table.side(enemy) != v.me()
    {
        found.push(warn(Caution::Enemy, format!("{id} stops before {enemy}: {why}"), rule));
    }
    if let Halt::Chit(chit, _) = halt {
        found.push(warn(Caution::Enemy, format!("{id} comes near {chit}: {why}"), rule));
    }
    if from == to {
        found.push(warn(Caution::NoEffect, format!("{id} stays: {why}"), rule));
    } else if from.map(|p| p.at) == to.map(|p| p.at) {
        found.push(warn(Caution::NoEffect, format!("{id} only turns: {why}"), rule));
    } else if found.is_empty() && trace.far() * 2 < moves::asked(&v.table, id, mv) {
        found.push(warn(Caution::NoEffect, format!("{id} goes {} UM only: {why}", um(trace.far())), rule));
    }
    found
}

/// W5: 6.4 a goal that is farther than the unit may go in this turn.
fn reach(v: &View, id: &UnitId, mv: &Move) -> Option<Warning> {
    let (Move::Toward { goal, units: None, .. } | Move::Round { goal, units: None }) = mv else { return None };
    let left = moves::left(&v.table, id);
    let far = apart(v.table.front(id), goal.fine()).units();
    if left <= 0 || far <= left {
        return None;
    }
    let turns = (far + left - 1) / left;
    let text = format!("{id}: {} UM off, this turn {} UM at most, {turns} turns or more", um(far), um(left));
    Some(warn(Caution::Reach, text, "6.4"))
}

/// W13: 4.4, 9.2-9.8 a battery that is to fire in the enemy's turn and could not as things stand.
fn later(v: &View, gun: &UnitId, at: &UnitId, canister: Option<bool>) -> Option<Warning> {
    let fault = match canister {
        Some(canister) => guns::aim(&v.table, gun, at, canister).err(),
        None => guns::aim(&v.table, gun, at, true)
            .map(|_| ())
            .or_else(|_| guns::aim(&v.table, gun, at, false).map(|_| ()))
            .err(),
    };
    let fault = guns::ready(&v.table, gun).err().or(fault)?;
    Some(warn(Caution::Short, fault.to_string(), ""))
}

/// 9.3 Friends whom canister strikes as well.
fn touched(v: &View, gun: &UnitId, at: &UnitId) -> Option<Warning> {
    let friends = guns::friends_touched(&v.table, gun, at);
    let names: Vec<String> = friends.iter().map(ToString::to_string).collect();
    let text = format!("canister of {gun} at {at} touches your own {}", names.join(", "));
    (!friends.is_empty()).then(|| warn(Caution::Own, text, "9.3"))
}

/// W13: 10.4 muskets out of range or arc as things stand.
fn volley(v: &View, unit: &UnitId, on: &UnitId) -> Option<Warning> {
    let t = &v.table;
    let most = t.board.tables.ranges.musketry;
    let gap = t.gap(unit, on);
    if !gap.within(most) {
        let text = format!("{on} is {} UM from {unit}; muskets reach {} UM", um(gap.units()), um(most));
        return Some(warn(Caution::Short, text, "10.4"));
    }
    (!muskets::in_arc(t, unit, &t.shape(on)))
        .then(|| warn(Caution::Short, format!("{on} is not before {unit} as it stands"), "10.4"))
}
