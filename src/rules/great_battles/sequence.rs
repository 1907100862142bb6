//! 4.6 The sequence of an activation: which of the lines that wait goes next, and which takes the place of another.

use super::order::{self, Order, Wish};
use super::state::{State, Step};

/// 4.5, 4.6.1, 4.5.2.1, 4.5.2.2, 8.3.1 Which of the orders of a sheet goes next: a division tries before its units do
/// anything, movement goes before combat, and the fire of a division before its melees; who moves now, and then his division,
/// moves on before others do; else they go as they are written.
pub(super) fn next(s: &State, orders: &[Order]) -> usize {
    let fights = |order: &Order| fires(order) || melees(order) || matches!(order, Order::Combat { .. });
    let division = |order: &Order| order::units_of(order).first().map(|unit| s.division(unit).to_owned());
    let first = orders.first();
    let mut at = 0;
    if first.is_some_and(fights) {
        let fire = |order: &Order| fires(order) && division(order) == first.and_then(division);
        let earlier = if first.is_some_and(melees) { orders.iter().position(fire) } else { None };
        at = orders.iter().position(moves).or(earlier).unwrap_or(0);
    }
    let of = orders.get(at).filter(|order| !matches!(order, Order::Activate { .. })).and_then(division);
    let tries = |order: &Order| matches!(order, Order::Activate { division, .. } if Some(division) == of.as_ref());
    let waits = s.acting.as_ref().is_some_and(|acting| of.as_ref().is_some_and(|of| acting.todo.contains(of)));
    let at = if waits { orders.iter().position(tries).unwrap_or(at) } else { at };
    let wanted = orders.get(at).filter(|order| moves(order));
    wanted.and_then(|wanted| goes_on(s, wanted, orders)).unwrap_or(at)
}

/// 4.6.1, 4.5.2.1 The order by which those go on who move now, or else their division, where another order would end that.
fn goes_on(s: &State, wanted: &Order, orders: &[Order]) -> Option<usize> {
    let acting = s.acting.as_ref().filter(|acting| acting.step == Step::Movement)?;
    let own = |order: &Order| {
        let units = order::units_of(order);
        moves(order) && !units.is_empty() && units.iter().all(|unit| acting.mover.contains(unit))
    };
    let of_division = |order: &Order| {
        let unit = order::units_of(order).first().filter(|_| moves(order));
        unit.is_some_and(|unit| acting.division.as_deref() == Some(s.division(unit)))
    };
    if own(wanted) {
        return None;
    }
    let first = orders.iter().position(own);
    let next = || orders.iter().position(of_division).filter(|_| !of_division(wanted));
    first.or_else(next)
}

/// 4.2, 4.4, 4.5.1, 5.4, 8.1.1, 8.3.1, 14.1, 14.2 Whether a later order can only be meant instead of an earlier one that waits:
/// one Command Change is tried in a turn, reinforcements come or wait, and one list of LIMs begins; a division tries once, a
/// leader rides once, and a unit comes on, fires and attacks once. Steps and changes of formation add up, and so do 3.0, 12.0
/// LIMs that are taken back and units that do not rally; 3.0 who is picked is picked one after the other.
pub(super) fn replaces(later: &Order, earlier: &Order) -> bool {
    match (later, earlier) {
        (Order::Wish(later), Order::Wish(earlier)) => {
            let once = !matches!(later, Wish::Remove { .. } | Wish::Keep { .. });
            once && std::mem::discriminant(later) == std::mem::discriminant(earlier)
        }
        (Order::Activate { division: later, .. }, Order::Activate { division: earlier, .. })
        | (Order::Lead { leader: later, .. }, Order::Lead { leader: earlier, .. }) => later == earlier,
        (Order::Enter { units: later, .. }, Order::Enter { units: earlier, .. }) => {
            later.len() == earlier.len() && later.iter().all(|unit| earlier.contains(unit))
        }
        _ => {
            let alike = (fires(later) && fires(earlier)) || (melees(later) && melees(earlier));
            alike && order::units_of(later) == order::units_of(earlier)
        }
    }
}

/// Whether an order belongs to the movement of an activation.
fn moves(order: &Order) -> bool {
    matches!(
        order,
        Order::Activate { .. }
            | Order::Move { .. }
            | Order::Form { .. }
            | Order::Spread { .. }
            | Order::Top { .. }
            | Order::Enter { .. }
            | Order::Exit { .. }
    )
}

fn fires(order: &Order) -> bool {
    matches!(order, Order::Fire { .. })
}

fn melees(order: &Order) -> bool {
    matches!(order, Order::Attack { .. } | Order::Charge { .. })
}
