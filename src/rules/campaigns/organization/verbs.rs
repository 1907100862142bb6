//! The verbs of this chapter. I.b Organization Segment (¶108-146).

use crate::orders::Verb;
use crate::rules::campaigns::march::enter;
use crate::rules::campaigns::organization::order::Order;
use crate::rules::campaigns::organization::{allot, forces, garrison, paris, pool, regiment, tracks};
use crate::rules::campaigns::sequence::Segment;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::words;

/// Verbs of this chapter.
pub fn verbs() -> Vec<Verb<View, crate::rules::campaigns::order::Order>> {
    let mut verbs = tracks::verbs();
    verbs.extend(forces::verbs());
    verbs.extend(pool::verbs());
    verbs.extend(garrison::verbs());
    verbs.extend(regiment::verbs());
    verbs.extend(enter::verbs());
    verbs.extend(allot::verbs());
    verbs.extend(paris::verbs());
    verbs
}

/// The segment of sheet A that an order belongs to.
pub fn segment(order: &Order) -> Segment {
    match order {
        Order::Enter(_) | Order::Assign { .. } | Order::Delay { .. } => Segment::Reinforcements,
        Order::Replace { .. }
        | Order::ParisReplace { .. }
        | Order::ParisReturn { .. }
        | Order::Unit { .. }
        | Order::Strength { .. }
        | Order::Detach { .. }
        | Order::Attach { .. }
        | Order::Raise { .. }
        | Order::Retire { .. }
        | Order::Garrison { .. }
        | Order::Absorb { .. }
        | Order::Convert { .. }
        | Order::Draw { .. }
        | Order::Form { .. }
        | Order::Dissolve { .. } => Segment::Organization,
    }
}

/// What CHECK says of an order.
pub fn check(v: &View, order: &Order) -> Vec<String> {
    match order {
        Order::Replace { .. } | Order::ParisReplace { .. } => {
            vec!["the unit is immobile until your next Organization Segment (¶114)".to_owned()]
        }
        Order::Detach { .. } => vec!["one of the two forces must leave the hex this turn (¶140)".to_owned()],
        Order::Enter(order) => enter::check(v, order),
        Order::Unit { .. }
        | Order::Strength { .. }
        | Order::Attach { .. }
        | Order::Raise { .. }
        | Order::Retire { .. }
        | Order::Garrison { .. }
        | Order::Absorb { .. }
        | Order::Convert { .. }
        | Order::Form { .. }
        | Order::Dissolve { .. }
        | Order::Assign { .. }
        | Order::ParisReturn { .. }
        | Order::Delay { .. } => Vec::new(),
        Order::Draw { leader, .. } => {
            let him = words::order_name(v, leader);
            vec![format!("it counts as a reinforcement this turn: FORCE {him} FREE MARCH … costs no AP (¶115)")]
        }
    }
}
