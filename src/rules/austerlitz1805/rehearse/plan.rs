//! What a whole sheet leaves undone: warnings W2 and W10.

use super::words::warn;
use crate::plane::near::apart;
use crate::rules::austerlitz1805::board::{Arm, UnitId};
use crate::rules::austerlitz1805::fogsheet::FogOrder;
use crate::rules::austerlitz1805::moves;
use crate::rules::austerlitz1805::order::Order;
use crate::rules::austerlitz1805::state::At;
use crate::rules::austerlitz1805::view::View;
use crate::rules::rehearsal::{Caution, Warning};
use std::collections::BTreeSet;

/// Names that a warning gives before it counts the rest.
const NAMES: usize = 8;

/// What the writer of a whole plan should know, where it begins and where it most likely ends.
pub fn warnings(before: &View, after: &View, plan: &[Order]) -> Vec<Warning> {
    if !before.my_sheet() {
        return quota(after);
    }
    idle(before, after, plan).into_iter().chain(places(before, after)).collect()
}

/// W2: 16.4.2.2 new chits of a fog turn that are not used.
fn quota(after: &View) -> Vec<Warning> {
    let left = after.own.quota.map_or(0, |quota| quota.chits);
    let waiting = !crate::rules::austerlitz1805::strategic::waiting(&after.table, &after.own, &after.me()).is_empty();
    if after.at != At::Fog || after.side.is_none() || left == 0 || !waiting {
        return Vec::new();
    }
    let chits = if left == 1 { "1 new chit".to_owned() } else { format!("{left} new chits") };
    vec![warn(Caution::NoOrders, format!("{chits} of this turn not used"), "16.4.2.2")]
}

/// W2: 4.6 units that could move and have no orders.
fn idle(before: &View, after: &View, plan: &[Order]) -> Vec<Warning> {
    let named: BTreeSet<&UnitId> = plan.iter().flat_map(ordered).collect();
    let me = before.me();
    let free = |id: &&UnitId| {
        !named.contains(id)
            && before.table.arm(id) != Arm::Hq
            && moves::may_act(&after.table, &me, id).is_ok()
            && moves::left(&after.table, id) > 0
            && after.table.unit(id) == before.table.unit(id)
    };
    let names: Vec<&str> = before.table.of_side(&me).map(|(id, _)| id).filter(free).map(|id| id.0.as_str()).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let (shown, more) = (names.iter().take(NAMES).copied().collect::<Vec<_>>(), names.len().saturating_sub(NAMES));
    let rest = if more == 0 { String::new() } else { format!(" and {more} more") };
    vec![warn(Caution::NoOrders, format!("no orders: {}{rest}", shown.join(", ")), "")]
}

/// Units to whom an order speaks.
fn ordered(order: &Order) -> Vec<&UnitId> {
    match order {
        Order::Move(id, _)
        | Order::Follow(id, _)
        | Order::Attach(id, _)
        | Order::Charge(id, _)
        | Order::Hold(id)
        | Order::Disengage(id)
        | Order::CrewBack(id)
        | Order::Return { unit: id, .. } => vec![id],
        Order::March(march) => march.units.iter().collect(),
        Order::Attack(onset) => onset.by.iter().collect(),
        Order::Bombard { by, .. } | Order::Volley(by, _) => by.iter().collect(),
        Order::Fog(FogOrder::Hide { units, .. }) => units.iter().collect(),
        Order::Fog(FogOrder::Attack(unit, _)) => vec![unit],
        Order::Fog(FogOrder::Strat(..) | FogOrder::Chit { .. } | FogOrder::March { .. } | FogOrder::Deploy(_)) => {
            Vec::new()
        }
        Order::If { order, .. } => ordered(order),
        Order::Each(orders) => orders.iter().flat_map(ordered).collect(),
    }
}

/// W10: 17.1.1 places that score, held, which the last unit leaves.
fn places(before: &View, after: &View) -> Vec<Warning> {
    let me = before.me();
    let within = |v: &View, place: &crate::rules::austerlitz1805::board::Place| {
        v.table.of_side(&me).any(|(_, unit)| apart(unit.pose.at.fine(), place.at.fine()).within(place.radius))
    };
    let mine = before.table.board.places.iter().filter(|p| p.vp > 0 && before.table.control.get(&p.name) == Some(&me));
    let left = mine.filter(|place| within(before, place) && !within(after, place));
    let warning = |name: &str| warn(Caution::Objective, format!("{name} is left empty"), "17.1.1");
    left.map(|place| warning(&place.name)).collect()
}
