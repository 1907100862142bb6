//! CHECK as a rehearsal: an order tried on the table as its writer sees it, and what he should know (4-17).
//!
//! `imagine` makes a position of a view; there the rules move the own units. The enemy stands: he fires at nobody, forms no
//! square and turns no chit up, since a plan can count on none of it. `words` says what comes of it, `plan` what a whole
//! sheet leaves undone.

mod imagine;
mod plan;
mod words;

pub use plan::warnings;

use super::fogsheet::FogOrder;
use super::hands::sum;
use super::order::Order;
use super::state::At;
use super::view::View;
use super::{Austerlitz, check, close, fog};
use crate::fog::SideId;
use crate::orders::Fault;
use crate::rules::Outcome;
use crate::rules::cx::trial::{Faces, Trial, trial};
use crate::rules::rehearsal::Rehearsed;

/// No roll of this game is tried face by face: a plan is made for dice in the middle.
const NO_ROLL: &str = "";
/// The face of the other rolls does not matter.
const MIDDLE: u32 = 3;

/// How much is to be said of an order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Words {
    /// Nothing.
    None,
    /// What its writer should know.
    Warnings,
    /// What it comes to, too.
    All,
}

/// What an order comes to, and the view that it most likely leaves.
///
/// # Errors
/// Why nothing could make it legal.
pub fn rehearse(v: &View, order: &Order) -> Result<Rehearsed<View>, Fault> {
    tried(v, order, Words::All)
}

/// The same with the warnings alone.
///
/// # Errors
/// As there.
pub fn warned(v: &View, order: &Order) -> Result<Rehearsed<View>, Fault> {
    tried(v, order, Words::Warnings)
}

/// The same without a word.
///
/// # Errors
/// As there.
pub fn foresee(v: &View, order: &Order) -> Result<Rehearsed<View>, Fault> {
    tried(v, order, Words::None)
}

fn tried(v: &View, order: &Order, words: Words) -> Result<Rehearsed<View>, Fault> {
    if let Order::Each(orders) = order {
        return each(v, orders, words);
    }
    let plain = |said| Rehearsed { said, warnings: Vec::new(), after: v.clone(), others: Vec::new() };
    let Some(side) = v.side.as_ref() else { return check::check(v, order).map(plain) };
    match &v.at {
        At::Own(phasing) if phasing == side => {}
        At::Fog | At::Deploy => return sealed(v, side, order),
        At::Own(_) | At::Dawn | At::Rally(_) | At::Musketry(_) | At::Close(_) | At::Over => {
            return check::check(v, order).map(plain);
        }
    }
    let cup = Faces { of: NO_ROLL, face: MIDDLE };
    let base = imagine::position(v, side);
    let Trial { view, events: _, outcome } =
        trial::<Austerlitz>(base, side, &cup, |cx| imagine::act(cx, side, order.clone()));
    let after = imagine::unlearnt(v, side, view);
    if let Outcome::Refused { why, rule, copy } = outcome {
        return Err(Fault::Refused { why, rule, copy });
    }
    let mut said = Vec::new();
    if words == Words::All {
        // What the order was read for is said of the position before it.
        said = check::check(v, order).unwrap_or_default();
        said.extend(fight(&after, order));
    }
    let warnings = if words >= Words::Warnings { words::warnings(v, &after, order, &outcome) } else { Vec::new() };
    Ok(Rehearsed { said, warnings, after, others: Vec::new() })
}

/// 13.4, 13.13 Who of several attackers leads, and what each side adds to its die as things stand.
fn fight(after: &View, order: &Order) -> Vec<String> {
    let (on, several) = match order {
        Order::Attack(onset) => (&onset.on, onset.by.len() > 1),
        Order::Charge(_, on) => (on, false),
        _ => return Vec::new(),
    };
    let t = &after.table;
    let Some(fight) = t.fight_on(on).filter(|fight| !fight.old) else { return Vec::new() };
    let leads = several.then(|| format!("{} leads; behind another one's name LEAD gives it to him", fight.lead));
    let sums = (sum(&close::attack_mods(t, fight)), sum(&close::defence_mods(t, fight)));
    let odds = format!("before fire and dice {} adds {:+} to its die, {on} {:+}", fight.lead, sums.0, sums.1);
    leads.into_iter().chain([odds]).collect()
}

/// A line for several units: each acts on what those before it leave.
fn each(v: &View, orders: &[Order], words: Words) -> Result<Rehearsed<View>, Fault> {
    let mut whole = Rehearsed { said: Vec::new(), warnings: Vec::new(), after: v.clone(), others: Vec::new() };
    for order in orders {
        let one = tried(&whole.after, order, words)?;
        whole.said.extend(one.said);
        whole.warnings.extend(one.warnings);
        whole.after = one.after;
    }
    Ok(whole)
}

/// 16.4.2.3, 18.1.2 A line of a sealed sheet: what it puts into boxes and areas lies there for the lines below.
fn sealed(v: &View, side: &SideId, order: &Order) -> Result<Rehearsed<View>, Fault> {
    let mut after = v.clone();
    match order {
        Order::Fog(FogOrder::Strat(corps, area)) if v.at == At::Deploy => {
            let base = imagine::position(v, side);
            fog::may_deploy(&base.state, side, corps, area)?;
            after.own.corps.insert(corps.clone(), area.clone());
        }
        _ if v.at == At::Deploy => {
            return Err(Fault::refused("this sheet deploys corps: STRAT corps TO area", "18.1.2"));
        }
        Order::Fog(FogOrder::Strat(corps, area)) => {
            fog::may_strat(&v.table, &v.own, side, corps, area)?;
            imagine::column(&mut after, side, corps, area)?;
        }
        Order::Fog(FogOrder::Chit { number, units, at }) => {
            check::check(v, order)?;
            imagine::chit(&mut after, side, *number, units, *at);
        }
        _ => {
            let why = "that belongs into a player-turn; this sheet has STRAT, CHIT and DECOY";
            return Err(Fault::refused(why, "16.4.2.3"));
        }
    }
    let said = check::check(v, order).unwrap_or_default();
    Ok(Rehearsed { said, warnings: Vec::new(), after, others: Vec::new() })
}
