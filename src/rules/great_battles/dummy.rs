//! H.12 Dummies: counters of masked play that are nobody. They march, and vanish before a face would be seen.

use super::board::other;
use super::event::Event;
use super::eyes::{self, Look};
use super::hand::Hand;
use super::order::Order;
use super::pose::Form;
use super::state::{State, Step};
use super::{charge, command};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::orders::Fault;
use crate::rules::tactical::table::somebody;
use crate::rules::{Outcome, Play};

/// H.12 A dummy comes on in Column, marches, may lie on top of a stack, and does nothing else.
///
/// # Errors
/// Which of the units that an order names may not.
pub fn may(s: &State, order: &Order, units: &[String]) -> Result<(), Fault> {
    let marches = matches!(order, Order::Move { .. } | Order::Top { .. } | Order::Enter { form: Form::Column, .. });
    if marches { Ok(()) } else { somebody(s, units, "H.12") }
}

/// H.12 Dummies whose faces an enemy would see vanish.
pub(super) fn unmask(cx: &mut Hand<'_>) {
    let s = cx.state();
    if !s.counters().any(|(id, ..)| s.is_dummy(id)) {
        return;
    }
    let mut found: Vec<String> = Vec::new();
    for side in s.sides() {
        let look = Look::feared(s, &side);
        let theirs =
            s.counters().filter(|(id, _, pose)| s.is_dummy(id) && !s.is_of(id, &side) && look.knows(pose.head));
        found.extend(theirs.map(|(id, ..)| id.clone()));
    }
    found.into_iter().for_each(|unit| cx.emit(Event::Vanished { unit, struck: false }));
}

/// H.12 The dummies in a hex.
pub(super) fn lying(s: &State, at: Hex) -> Vec<String> {
    let here = s.counters().filter(|(id, _, pose)| s.is_dummy(id) && pose.head == at);
    here.map(|(id, ..)| id.clone()).collect()
}

/// H.12 Whether a counter is a dummy, and an enemy, as far as is known, would see that where it stands.
pub(super) fn is_seen(s: &State, unit: &str) -> bool {
    let place = s.is_dummy(unit).then(|| s.pose(unit).zip(s.side(unit))).flatten();
    place.is_some_and(|(pose, side)| Look::feared(s, &other(side)).knows(pose.head))
}

/// H.12 After a step: whether units of those who made it are gone, for they were dummies.
pub(super) fn are_gone(cx: &mut Hand<'_>, units: &[String]) -> bool {
    unmask(cx);
    let gone = units.iter().any(|unit| !cx.state().units.contains_key(unit));
    if gone {
        let why = "an enemy saw that it is a dummy".to_owned();
        cx.outcome(Outcome::Failed { why, rule: "H.12".to_owned() });
    }
    gone
}

/// The hex at which an order fires or attacks.
fn at(s: &State, order: &Order) -> Option<Hex> {
    match order {
        Order::Fire { unit, at } => super::fire::may(s, unit, *at).ok(),
        Order::Attack { at, .. } | Order::Charge { at, .. } => Some(*at),
        _ => None,
    }
}

/// H.12 Whether a side fires at a dummy, or attacks one, where nobody else stands: the dummy vanishes, and the shot or the
/// charge is spent. One that lies in a stack vanishes too.
pub(super) fn is_struck(cx: &mut Hand<'_>, side: &SideId, order: &Order) -> Play<bool> {
    if !eyes::masked(cx.state()) {
        return Ok(false);
    }
    let enemy = other(side);
    let Some(at) = at(&cx.view(side).state, order) else { return Ok(false) };
    let s = cx.state();
    let struck: Vec<String> = lying(s, at).into_iter().filter(|id| s.is_of(id, &enemy)).collect();
    let alone = s.stack_of(at, &enemy).is_empty();
    let spent = match order {
        _ if struck.is_empty() => return Ok(false),
        Order::Fire { unit, .. } if alone => {
            let division = s.division(unit).to_owned();
            command::combat(cx, &division, Step::Fire)?;
            cx.emit(Event::Wasted { unit: unit.clone() });
            "; the shot is spent"
        }
        Order::Charge { unit, at, via } if alone => {
            let path = charge::may(&cx.view(side).state, unit, *at, via).unwrap_or_default();
            charge::charge(cx, unit, *at, path)?;
            "; the charge is spent"
        }
        _ => "",
    };
    let left = struck.into_iter().filter(|id| cx.state().units.contains_key(id));
    left.collect::<Vec<String>>().into_iter().for_each(|unit| cx.emit(Event::Vanished { unit, struck: true }));
    if !alone {
        return Ok(false);
    }
    cx.outcome(Outcome::Failed { why: format!("a dummy stood there{spent}"), rule: "H.12".to_owned() });
    Ok(true)
}
