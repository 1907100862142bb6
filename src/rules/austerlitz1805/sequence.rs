//! 13.1, 6.9 The sequence of a sheet's movements, which the rules leave to the player: who is in nobody's way goes first.

use super::board::UnitId;
use super::moves;
use super::moves::group::{self, March};
use super::order::Order;
use super::view::View;

/// Which of the lines that wait is carried out next. HQs ride first; then the first line that no own unit stops; then one
/// whose way is barred by an own unit that has no line, and so for good; where each waits for another, the one that goes
/// farthest. Only movements pass each other: an attack, a condition, whoever follows another, or another line of the same
/// unit is overtaken by none.
pub fn next(v: &View, orders: &[Order]) -> usize {
    let movers = movers(orders);
    if movers.len() < 2 {
        return 0;
    }
    let (t, me) = (&v.table, v.me());
    let rides = |order: &Order| match order {
        Order::Attach(hq, to) => moves::carry::may_attach(t, &me, hq, to).is_ok(),
        _ => false,
    };
    if let Some((at, _)) = movers.iter().find(|(_, order)| rides(order)) {
        return *at;
    }
    let waits = |unit: &UnitId| movers.iter().any(|(_, order)| named(order).contains(&unit));
    let (mut barred, mut best): (Option<usize>, Option<(i32, usize)>) = (None, None);
    for (at, order) in &movers {
        let Order::Move(unit, mv) = order else { continue };
        let Ok(found) = moves::trace(t, &me, unit, mv) else { return *at };
        match group::stopper(&found).filter(|other| *other != unit && t.side(other) == me) {
            None => return *at,
            Some(other) if waits(other) => {
                let far = found.far();
                if best.is_none_or(|(most, _)| far > most) {
                    best = Some((far, *at));
                }
            }
            Some(_) => _ = barred.get_or_insert(*at),
        }
    }
    let farthest = best.map(|(_, at)| at);
    barred.or(farthest).unwrap_or_else(|| movers.first().map_or(0, |(at, _)| *at))
}

/// Movements from the head of the sheet on, the first of each unit.
fn movers(orders: &[Order]) -> Vec<(usize, &Order)> {
    let moves = |(_, order): &(usize, &Order)| matches!(order, Order::Move(..) | Order::March(_) | Order::Attach(..));
    let mut found: Vec<(usize, &Order)> = Vec::new();
    let mut seen: Vec<&UnitId> = Vec::new();
    for (at, order) in orders.iter().enumerate().take_while(moves) {
        let names = named(order);
        if !names.iter().any(|unit| seen.contains(unit)) {
            found.push((at, order));
        }
        seen.extend(names);
    }
    found
}

/// Whom a movement is about.
fn named(order: &Order) -> Vec<&UnitId> {
    match order {
        Order::Move(unit, _) => vec![unit],
        Order::March(March { units, .. }) => units.iter().collect(),
        // Its unit moves after it, and takes it along.
        Order::Attach(hq, _) => vec![hq],
        _ => Vec::new(),
    }
}
