//! 6.1 Whom the player activates, and what it wants back before that.

use super::super::board::FRENCH;
use super::super::command;
use super::super::order::{Call, Order, may};
use super::super::state::{Mood, Wish};
use super::super::view::View;
use super::nearest;
use crate::hex::Hex;
use crate::noise::Noise;
use std::collections::BTreeSet;

/// The leader nearest to the enemy of those who may act, with all under him who are near enough; none left is a pass.
pub(super) fn activation(v: &View, noise: &mut Noise) -> Vec<String> {
    let s = &v.state;
    let place = |name: &String| s.leaders.get(name).and_then(|l| l.hex.or(l.waits));
    let far = |name: &String| place(name).and_then(|hex| nearest(s, &v.side, hex)).map_or(u32::MAX, |(far, _)| far);
    let own = s.leaders.keys().filter(|name| s.leads(name, &v.side));
    let call = |leaders: Vec<String>| Call { leaders, ..Call::default() };
    let is_able = |leaders: Vec<String>| may(s, &Order::Activate(call(leaders))).is_ok();
    let mut able: Vec<String> = own.clone().filter(|name| is_able(vec![(*name).clone()])).cloned().collect();
    able.sort_by_key(|name| (far(name), name.clone()));
    let Some(first) = able.first().cloned() else {
        let line = own.filter_map(|name| alone(v, name)).next();
        return wishes(v, line.map_or_else(|| vec!["PASS".to_owned(), "END".to_owned()], |line| vec![line]));
    };
    let mut with = vec![first];
    for name in able.iter().skip(1) {
        with.push(name.clone());
        // A leader who can act for himself is left for another impulse as often as not.
        if noise.one_in(2) || !is_able(with.clone()) {
            with.pop();
        }
    }
    for name in own.filter(|name| !able.contains(name)) {
        with.push(name.clone());
        if !is_able(with.clone()) {
            with.pop();
        }
    }
    let mut line = match with.as_slice() {
        [only] => format!("ACTIVATE {only}"),
        [first, rest @ ..] => format!("ACTIVATE {first} WITH {}", rest.join(" ")),
        [] => "PASS".to_owned(),
    };
    let test = strays(v, &call(with));
    if !test.is_empty() {
        line = format!("{line} TEST {}", test.join(" "));
    }
    wishes(v, vec![line])
}

/// 6.1.7 Fresh units of the command that are out of its reach: they lose nothing by a check.
fn strays(v: &View, call: &Call) -> Vec<String> {
    let s = &v.state;
    let near: BTreeSet<String> = command::followers_with(s, &v.side, call).into_iter().collect();
    let fresh = s.standing().filter(|(id, u, _)| u.mood == Mood::Fresh && s.is_of(id, &v.side) && !near.contains(*id));
    let with = |unit: &String| Call { test: vec![unit.clone()], ..call.clone() };
    fresh.map(|(id, ..)| id.clone()).filter(|id| may(s, &Order::Activate(with(id))).is_ok()).collect()
}

/// 6.1.10a The command of a leader who is gone, by the unit that has most of it around.
pub(in super::super) fn alone(v: &View, leader: &str) -> Option<String> {
    let s = &v.state;
    let call = |unit: &str| Call { leaders: vec![leader.to_owned()], via: Some(unit.to_owned()), ..Call::default() };
    let able = s.standing().filter(|(id, ..)| s.is_of(id, &v.side) && may(s, &Order::Activate(call(id))).is_ok());
    let led = |unit: &str| command::followers_with(s, &v.side, &call(unit)).len();
    let best = able
        .map(|(id, ..)| (led(id), id))
        .filter(|(led, _)| *led > 0)
        .max_by_key(|(led, id)| (*led, std::cmp::Reverse(*id)));
    best.map(|(_, id)| format!("ACTIVATE {leader} VIA {id}"))
}

/// Before anything else: whom the side would like back.
fn wishes(v: &View, lines: Vec<String>) -> Vec<String> {
    let s = &v.state;
    let asked = s.wishes.contains_key(&v.side);
    let dead = s.units.iter().find(|(id, u)| {
        let order = Order::Wish(Wish::Regroup { unit: (*id).clone(), at: Hex::new(1, 1) });
        u.gone.is_some() && s.is_of(id, &v.side) && may(s, &order).is_ok()
    });
    let chief = s.leaders.iter().find(|(name, l)| {
        l.hex.is_some() && s.chief(name).is_some_and(|chief| chief.side == v.side && chief.of.is_none())
    });
    // 8.3.2 Six battalions are missed more than one is worth.
    if v.side.0 == FRENCH && !asked && may(s, &Order::Wish(Wish::Disband)).is_ok() {
        return std::iter::once("DISBAND".to_owned()).chain(lines).collect();
    }
    match dead.zip(chief.and_then(|(_, l)| l.hex)) {
        Some(((unit, _), hex)) if !asked => std::iter::once(format!("REGROUP {unit} AT {hex}")).chain(lines).collect(),
        _ => lines,
    }
}
