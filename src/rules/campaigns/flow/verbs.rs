//! The verbs of this chapter. Set-up and vedettes (¶24, 135).

use crate::orders::{Args, Fault, Verb};
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::flow::order::Order;
use crate::rules::campaigns::organization::{fog, vedettes};
use crate::rules::campaigns::sequence::{At, Segment};
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::words;

/// Verbs of this chapter: none of its own.
pub fn verbs() -> Vec<Verb<View, crate::rules::campaigns::order::Order>> {
    Vec::new()
}

/// The segment of sheet A that an order belongs to.
pub fn segment(order: &Order) -> Option<Segment> {
    match order {
        Order::Place { fog: true, .. } => Some(Segment::Reinforcements),
        Order::Place { .. } | Order::Pool { .. } => Some(Segment::Organization),
    }
}

/// Reads what follows `VEDETTE PLACE` or `VEDETTE POOL`.
///
/// # Errors
/// The fault of the line.
pub fn read_vedette(v: &View, args: &mut Args<'_>, pool: bool) -> Result<Order, Fault> {
    if pool {
        let n = words::vedette(v, args)?;
        return Ok(Order::Pool { n });
    }
    args.key("WITH");
    let leader = words::leader(v, args)?;
    let count = if args.done() { 1 } else { args.number("how many, 1 or 2")? };
    if !(1..=2).contains(&count) {
        return Err(Fault::refused("at most two vedettes may be placed with a force leader", "¶24"));
    }
    let count = count.unsigned_abs();
    let fog = may_place(v, &leader, count)?;
    Ok(Order::Place { leader, count, fog })
}

/// `VEDETTE PLACE` and `VEDETTE POOL` lines that would be taken now.
pub fn vedette_examples(v: &View) -> Vec<String> {
    let open = v.own.on_map().map(|(leader, _)| leader).find(|leader| may_place(v, leader, 1).is_ok());
    let mut lines: Vec<String> =
        open.map(|l| format!("VEDETTE PLACE WITH {} 1", words::order_name(v, l))).into_iter().collect();
    let crowded = v.own.occupied().into_iter().find_map(|hex| v.own.vedettes_at(hex).get(1).copied());
    lines.extend(crowded.map(|n| format!("VEDETTE POOL {n}")));
    lines
}

fn crowded(v: &View) -> Fault {
    let most = vedettes::per_force(v);
    let count = match most {
        1 => "one vedette".to_owned(),
        2 => "two vedettes".to_owned(),
        n => format!("{n} vedettes"),
    };
    Fault::refused(format!("at most {count} may be placed with a force leader"), "¶24, 158")
}

/// ¶24, 158-159 Vedettes come with a force leader in the set-up, and later only with a force created this turn, or in Fog;
/// whether they are those of the Fog.
pub fn may_place(v: &View, leader: &LeaderId, count: u32) -> Result<bool, Fault> {
    let Some(hex) = v.own.hex(leader) else {
        return Err(Fault::refused("that leader is not on the map", "¶24"));
    };
    if v.own.unemployed(leader) {
        return Err(Fault::refused("vedettes come with forces, not with a leader alone", "¶24"));
    }
    let free = vedettes::in_pool(&v.own).len();
    if free < usize::try_from(count).unwrap_or(usize::MAX) {
        return Err(Fault::refused(format!("the pool holds {free} vedettes"), "¶24"));
    }
    if v.at == At::Setup {
        let leaders = v.own.leaders_at(hex).into_iter().filter(|l| !v.own.unemployed(l)).count();
        let after = v.own.vedettes_at(hex).len() + usize::try_from(count).unwrap_or(usize::MAX);
        let most = usize::try_from(vedettes::per_force(v)).unwrap_or(0) * leaders;
        return if after <= most { Ok(false) } else { Err(crowded(v)) };
    }
    match v.phase.created.get(leader) {
        Some(placed) if placed + count <= vedettes::per_force(v) => Ok(false),
        Some(_) => Err(crowded(v)),
        None if fog::room(v) >= count => Ok(true),
        None if fog::room(v) > 0 => Err(Fault::refused("in Fog two vedettes more may be in play", "¶159")),
        None => Err(Fault::refused("vedettes come out of the pool only with a new force", "¶158")),
    }
}
