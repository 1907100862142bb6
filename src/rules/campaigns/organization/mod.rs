//! I.b Organization: replacements, leaders, units between tracks, garrisons (¶108-146).
//!
//! All of it concerns a side's own pieces, which its view holds exact; so an order that can be read is legal, and
//! carrying it out only says what happened.

mod allot;
pub(in crate::rules::campaigns) mod event;
pub(in crate::rules::campaigns) mod fog;
mod forces;
mod garrison;
pub mod order;
pub(in crate::rules::campaigns) mod paris;
mod pool;
mod regiment;
pub(in crate::rules::campaigns) mod span;
pub mod told;
mod tracks;
pub(in crate::rules::campaigns) mod vedettes;
pub mod verbs;

use super::Campaigns;
use super::march::arrival;
use crate::fog::SideId;
use crate::rules::Play;
use crate::rules::cx::Cx;
use event::{Partly, Quiet};
use order::Order;
use told::Own;

/// ¶87, 114, 368 What the Organization Segment begins with: replaced units may move again, vedettes return.
pub fn open(cx: &mut Cx<'_, Campaigns>, side: &SideId) {
    if cx.state().pieces(side).is_some_and(|p| p.units.values().any(|u| u.immobile)) {
        cx.emit(Quiet::Mobile.of(side).into());
    }
    vedettes::back(cx, side);
    forces::leaders_back(cx, side);
}

/// ¶56, 164 II.a.4: leaders whose time has come are lifted off, and a spare leader takes over what is left to them.
pub fn withdraw(cx: &mut Cx<'_, Campaigns>, side: &SideId) {
    let board = cx.state().board.clone();
    // ¶113: a commander whose successor has come leaves, unless he is besieged.
    if let (Some(heir), Some(own)) = (board.special.successor.get(side), cx.state().pieces(side)) {
        let besieged = own.hex(&heir.first).is_some_and(|hex| cx.state().sieges.contains(&hex));
        if own.hex(&heir.first).is_some() && own.hex(&heir.then).is_some() && !besieged {
            forces::withdraw(cx, side, &heir.first);
        }
    }
    for (turn, leader) in &board.special.withdrawals {
        let mine = board.leaders.get(leader).is_some_and(|l| l.side == *side);
        if mine && *turn <= cx.state().turn {
            forces::withdraw(cx, side, leader);
        }
    }
}

/// Carries out an order of the Organization or the Reinforcement Segment.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn carry_out(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &Order) -> Play<()> {
    match order {
        Order::Replace { unit, sp } => pool::replace(cx, side, unit, *sp),
        Order::Unit { unit, leader } => tracks::assign(cx, side, unit, leader),
        Order::Strength { sp, from, to } => tracks::shift(cx, side, from, to, *sp),
        Order::Detach { leader } => cx.emit(Partly::Detached { leader: leader.clone() }.of(side).into()),
        Order::Attach { leader, to } => forces::attach(cx, side, leader, to),
        Order::Raise { leader, hex, units, under } => forces::raise(cx, side, leader, *hex, units, under.as_ref()),
        Order::Retire { leader, into } => forces::retire(cx, side, leader, into),
        Order::Garrison { garrison, hex, from } => garrison::create(cx, side, garrison, *hex, from),
        Order::Absorb { garrison, into } => garrison::absorb(cx, side, garrison, into),
        Order::Convert { garrison, regiment, leader } => garrison::convert(cx, side, garrison, regiment, leader),
        Order::Draw { regiment, leader, hex, sp } => regiment::draw(cx, side, regiment, leader, *hex, *sp),
        Order::Form { regiment, from, sp, leader, hex } => {
            regiment::form(cx, side, regiment, from, *sp, (leader, *hex));
        }
        Order::Dissolve { regiment, into } => regiment::dissolve(cx, side, regiment, into),
        Order::Enter(order) => return arrival::carry_out(cx, side, order),
        Order::ParisReplace { from, unit } => paris::draw(cx, side, from, unit),
        Order::ParisReturn { leader } => paris::go_back(cx, side, leader),
        Order::Assign { leader, army } => allot::assign(cx, side, leader, army),
        Order::Delay { leader } => cx.emit(Own::Delayed { leader: leader.clone() }.of(side).into()),
    }
    Ok(())
}

/// What the sheet left open: reinforcements without an order enter, surplus vedettes go to the pool (¶135, 154).
///
/// # Errors
/// A stop, where an answer is missing.
pub fn close_sheet(cx: &mut Cx<'_, Campaigns>, side: &SideId) -> Play<()> {
    arrival::by_default(cx, side)?;
    withdraw(cx, side);
    vedettes::surplus(cx, side);
    Ok(())
}
