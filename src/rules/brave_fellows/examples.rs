//! Lines that bind now, made of the seat's own pieces, for ORDERS and HELP.

use super::march;
use super::order::{Order, may};
use super::place;
use super::reach::foes;
use super::standing;
use super::state::{At, Segment, State, Unit, Wish};
use super::view::View;
use crate::hex::{Dir, Hex};
use crate::rules::tactical::facing;
use std::collections::BTreeSet;

/// So many examples of a verb.
const MOST: usize = 2;
/// So many leaders on the map.
const CALLS: usize = 3;
/// Guns reach so far, and charges begin so far away.
const FAR: i16 = 8;

fn acting(v: &View) -> impl Iterator<Item = (&String, &Unit, Hex)> {
    v.state.standing().filter(|(id, u, _)| u.active && v.state.is_of(id, &v.side))
}

/// How a unit would face in a hex: the nearest enemy who is seen, or was; as it faces where nobody was.
fn toward(v: &View, unit: &str, at: Hex) -> Dir {
    let last = || v.ghosts.iter().map(|(_, contact)| contact.face.hex);
    let near = |hexes: BTreeSet<Hex>| hexes.into_iter().filter(|hex| *hex != at).min_by_key(|hex| at.distance(*hex));
    let foe = near(foes(&v.state, &v.side)).or_else(|| near(last().collect()));
    let faces = v.state.units.get(unit).map_or(Dir::N, |u| u.facing);
    foe.map_or(faces, |foe| facing::toward(at, foe))
}

fn found(s: &State, lines: impl Iterator<Item = (Order, String)>) -> Vec<String> {
    lines.filter(|(order, _)| may(s, order).is_ok()).map(|(_, line)| line).take(MOST).collect()
}

/// One example for each acting unit and enemy hex that an order of this kind is allowed for.
fn at_enemies(v: &View, order: fn(&str, Hex) -> Order, word: &str) -> Vec<String> {
    let enemies = foes(&v.state, &v.side);
    let near = |hex: Hex| enemies.iter().copied().filter(move |at| hex.distance(*at) <= u32::from(FAR.unsigned_abs()));
    let pairs = acting(v).flat_map(|(id, _, hex)| near(hex).map(move |at| (id, at)));
    found(&v.state, pairs.map(|(id, at)| (order(id, at), format!("{word} {id} AT {at}"))))
}

/// 6.1 Leaders who may be activated; 6.1.10a and those who are gone, by way of the unit that brings most.
pub(super) fn calls(v: &View) -> Vec<String> {
    if v.state.segment != Segment::Activation || !matches!(v.state.at, At::Impulse(_)) {
        return Vec::new();
    }
    standing::callable(v).into_iter().map(|call| format!("ACTIVATE {call}")).take(CALLS).collect()
}

pub(super) fn moves(v: &View) -> Vec<String> {
    let pairs = acting(v).flat_map(|(id, _, hex)| hex.neighbours().into_iter().map(move |to| (id, to)));
    let order = |id: &str, to: Hex| Order::Move { units: vec![id.to_owned()], path: vec![to], face: None };
    found(&v.state, pairs.map(|(id, to)| (order(id, to), format!("MOVE {id} {to} FACE {}", toward(v, id, to).name()))))
}

pub(super) fn faces(v: &View) -> Vec<String> {
    let order = |id: &str, face: Dir| Order::Face { units: vec![id.to_owned()], face };
    let turned = acting(v).map(|(id, _, hex)| (id, toward(v, id, hex)));
    found(&v.state, turned.map(|(id, face)| (order(id, face), format!("FACE {id} {}", face.name()))))
}

pub(super) fn leads(v: &View) -> Vec<String> {
    let s = &v.state;
    let own = |name: &str| s.leads(name, &v.side);
    let riders = s.leaders.iter().filter(|(name, l)| l.active && !l.rode && own(name));
    let lines = riders.filter_map(|(name, l)| {
        let from = l.hex?;
        let to = march::rides(s, &v.side, from, 1).into_keys().find(|to| *to != from)?;
        Some(format!("LEADER {name} TO {to}"))
    });
    lines.take(MOST).collect()
}

pub(super) fn fires(v: &View) -> Vec<String> {
    at_enemies(v, |id, at| Order::Fire { units: vec![id.to_owned()], at }, "FIRE")
}

pub(super) fn melees(v: &View) -> Vec<String> {
    at_enemies(v, |id, at| Order::Melee { units: vec![id.to_owned()], at, first: Vec::new() }, "MELEE")
}

pub(super) fn charges(v: &View) -> Vec<String> {
    at_enemies(v, |id, at| Order::Charge { unit: id.to_owned(), at }, "CHARGE")
}

pub(super) fn advances(v: &View) -> Vec<String> {
    let Some(won) = &v.state.won else { return Vec::new() };
    let order = |id: &str| Order::Advance { units: vec![id.to_owned()], into: won.at };
    found(&v.state, won.by.iter().map(|id| (order(id), format!("ADVANCE {id} INTO {}", won.at))))
}

pub(super) fn enters(v: &View) -> Vec<String> {
    let waiting = v.state.units.iter().filter(|(id, u)| u.waits.is_some() && v.state.is_of(id, &v.side));
    let order = |id: &str| Order::Enter { pieces: vec![id.to_owned()], at: None };
    found(&v.state, waiting.map(|(id, _)| (order(id), format!("ENTER {id}"))))
}

pub(super) fn puts(v: &View) -> Vec<String> {
    let own = v.state.standing().filter(|(id, ..)| v.state.is_of(id, &v.side));
    let first = own.filter_map(|(id, ..)| Some((id, place::area(&v.state, id).first().copied()?)));
    let order = |id: &str, at: Hex| Order::Put { pieces: vec![id.to_owned()], at, face: None };
    let line = |id: &str, at: Hex| format!("PUT {id} AT {at} FACE {}", toward(v, id, at).name());
    found(&v.state, first.map(|(id, at)| (order(id, at), line(id, at))))
}

pub(super) fn guards(v: &View) -> Vec<String> {
    let units: Vec<String> = v.state.rear.iter().cloned().collect();
    let line = format!("REARGUARD {}", units.join(" "));
    if units.is_empty() { Vec::new() } else { found(&v.state, std::iter::once((Order::Guard { units }, line))) }
}

pub(super) fn regroups(v: &View) -> Vec<String> {
    let s = &v.state;
    let own = |name: &str| s.leads(name, &v.side);
    let Some(at) = s.leaders.iter().filter(|(name, _)| own(name)).find_map(|(_, l)| l.hex) else { return Vec::new() };
    let dead = s.units.iter().filter(|(id, u)| u.gone.is_some() && s.is_of(id, &v.side));
    let order = |id: &str| Order::Wish(Wish::Regroup { unit: id.to_owned(), at });
    found(s, dead.map(|(id, _)| (order(id), format!("REGROUP {id} AT {at}"))))
}

pub(super) fn losses(v: &View) -> Vec<String> {
    acting(v).take(1).map(|(id, ..)| format!("LOSS {id}")).collect()
}

pub(super) fn disbands(v: &View) -> Vec<String> {
    let french = v.side.0 == super::board::FRENCH;
    let lines = french.then(|| (Order::Wish(Wish::Disband), "DISBAND".to_owned()));
    found(&v.state, lines.into_iter())
}
