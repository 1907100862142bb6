//! Orders of set-up, and of vedettes that come and go in the Organization Segment (¶24, 135, 158, 368).

use crate::orders::{Args, Fault, Verb};
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::sequence::Segment;
use crate::rules::campaigns::view::View;

/// An order of this chapter. The verb VEDETTE is read with the marches, since most of its forms are marches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// `VEDETTE PLACE WITH leader n`.
    Place {
        /// With whom.
        leader: LeaderId,
        /// How many.
        count: u32,
    },
    /// `VEDETTE POOL n`.
    Pool {
        /// Which.
        n: u32,
    },
}

/// Verbs of this chapter: none of its own.
pub fn verbs() -> Vec<Verb<View, super::super::Order>> {
    Vec::new()
}

/// The segment of sheet A that an order belongs to.
pub fn segment(order: &Order) -> Option<Segment> {
    match order {
        Order::Place { .. } | Order::Pool { .. } => Some(Segment::Organization),
    }
}

/// Reads what follows `VEDETTE PLACE` or `VEDETTE POOL`.
///
/// # Errors
/// The fault of the line.
pub fn read_vedette(v: &View, args: &mut Args<'_>, pool: bool) -> Result<Order, Fault> {
    if pool {
        let n = crate::rules::campaigns::words::vedette(v, args)?;
        return Ok(Order::Pool { n });
    }
    args.key("WITH");
    let leader = crate::rules::campaigns::words::leader(v, args)?;
    let count = if args.done() { 1 } else { args.number("how many, 1 or 2")? };
    if !(1..=2).contains(&count) {
        return Err(Fault::refused("at most two vedettes may be placed with a force leader", "¶24"));
    }
    Ok(Order::Place { leader, count: count.unsigned_abs() })
}
