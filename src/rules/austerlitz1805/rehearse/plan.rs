//! What a whole sheet leaves undone: warnings W2 and W10.

use super::words::warn;
use crate::plane::near::apart;
use crate::rules::austerlitz1805::board::{Arm, UnitId};
use crate::rules::austerlitz1805::fogsheet::FogOrder;
use crate::rules::austerlitz1805::moves;
use crate::rules::austerlitz1805::order::{self, Order};
use crate::rules::austerlitz1805::state::At;
use crate::rules::austerlitz1805::view::View;
use crate::rules::rehearsal::{Caution, Warning};
use std::collections::BTreeSet;

/// Names that a warning gives before it counts the rest.
const NAMES: usize = 8;

/// What the writer of a whole plan should know, where it begins and where it most likely ends.
pub fn warnings(before: &View, after: &View, plan: &[Order]) -> Vec<Warning> {
    if !before.my_sheet() {
        return left_behind(before, plan).into_iter().chain(quota(after)).collect();
    }
    idle(before, after, plan).into_iter().chain(places(before, after)).collect()
}

/// 16.4.2.4 Chits of corps that may have gone to another area by then, since they roll for it in a line above.
fn left_behind(before: &View, plan: &[Order]) -> Vec<Warning> {
    let t = &before.table;
    if before.at != At::Fog || !crate::rules::austerlitz1805::strategic::rolls(t, &before.me()) {
        return Vec::new();
    }
    let (mut gone, mut found): (Vec<(&String, &String)>, Vec<Warning>) = (Vec::new(), Vec::new());
    for order in plan {
        match order {
            Order::Fog(FogOrder::Strat(corps, to)) if before.own.corps.get(corps) != Some(to) => gone.push((corps, to)),
            Order::Fog(FogOrder::Chit { number, units, .. }) => {
                let corps = |unit: &UnitId| t.board.group(unit);
                let Some((corps, to)) = gone.iter().find(|(c, _)| units.iter().any(|u| corps(u) == **c)) else {
                    continue;
                };
                let text =
                    format!("chit {number} stands below STRAT {corps}: if {corps} gets to {to}, it is not taken");
                found.push(warn(Caution::NoEffect, text, "16.4.2.4"));
            }
            _ => {}
        }
    }
    found
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
    let named: BTreeSet<&UnitId> = plan.iter().flat_map(order::units).collect();
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
