//! II and III.a Movement: reinforcements, commands, initiative, marches, zones, repulse, bridges, attrition, Forced
//! March (¶147-297).
//!
//! `order`, `verbs`, `read`, `path`, `clause` and `allowed` hold what a seat may write, by its view; `question` and
//! `prompt` what it is asked; `marcher` who is on the march, `force` a force's move,
//! `parts` those who march beside it, `plotted` its Administrative March, `train` its bridge train and pontoons,
//! `activation` its initiative, `walk` and `step` its way, `contact` and `repulse` the enemy on it, `column` its pace,
//! `attrition` its losses; `assign` who forages what, `redoubt` what it digs; `vedette`, `center`, `bridge` and `stack` the rest of the chapter.

pub(crate) mod activation;
pub(in crate::rules::campaigns) mod allowed;
pub(in crate::rules::campaigns) mod arrival;
mod assign;
pub(crate) mod attrition;
mod bridge;
pub(in crate::rules::campaigns) mod center;
pub(in crate::rules::campaigns) mod check;
pub mod clause;
pub mod column;
mod contact;
pub mod enter;
pub(in crate::rules::campaigns) mod event;
mod fixing;
mod forage;
mod force;
pub(in crate::rules::campaigns) mod losses;
pub mod marcher;
mod offmap;
pub mod order;
mod parts;
mod path;
mod patrol;
mod plotted;
pub mod prompt;
pub mod question;
mod read;
mod redoubt;
pub(in crate::rules::campaigns) mod repulse;
pub(in crate::rules::campaigns) mod stack;
pub(in crate::rules::campaigns) mod step;
pub mod told;
pub(in crate::rules::campaigns) mod train;
mod vedette;
pub mod verbs;
mod walk;
pub mod ways;

use super::sequence::{At, Segment};
use super::{Campaigns, flow};
use crate::fog::SideId;
use crate::rules::Play;
use crate::rules::campaigns::retreat;
use crate::rules::campaigns::ruleset::failed;
use crate::rules::cx::Cx;
use clause::{Now, truth};
use order::{How, Order};
use told::Own;

/// Carries out an order of sheet A or R.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn carry_out(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &Order) -> Play<()> {
    match order {
        Order::Force(force) if force.how == How::Hold => Ok(()),
        Order::Force(force) => force::carry_out(cx, side, force),
        Order::HoldAll | Order::CenterHold => Ok(()),
        Order::Vedette { n, path, branches } => {
            movement_begins(cx, side);
            vedette::march(cx, side, *n, path, branches)
        }
        Order::Leader { leader, path } => {
            movement_begins(cx, side);
            vedette::ride(cx, side, leader, path);
            Ok(())
        }
        Order::Center { path } => {
            center::march(cx, side, path);
            Ok(())
        }
        Order::CenterRiver { to } => {
            center::boat(cx, side, *to);
            Ok(())
        }
        Order::Back { leader } => {
            offmap::turn_back(cx, side, leader);
            Ok(())
        }
        Order::Floor { ap } => {
            cx.emit(Own::Floor { ap: *ap }.of(side).into());
            Ok(())
        }
        Order::Assign { hexes, leader } => {
            assign::carry_out(cx, side, hexes, leader);
            Ok(())
        }
        Order::Redoubt { hex, dig } => {
            redoubt::carry_out(cx, side, *hex, dig);
            Ok(())
        }
        Order::StartMode { leader, forage } => {
            cx.emit(Own::Mode { leader: leader.clone(), forage: *forage }.of(side).into());
            Ok(())
        }
        Order::If { cond, order } => {
            let view = cx.view(side);
            if cond.holds(|test| truth(&view, &Now::at_rest(), test)) {
                return carry_out(cx, side, order);
            }
            cx.outcome(failed("its condition is not met by what you know; nothing was done", ""));
            Ok(())
        }
    }
}

/// ¶50 Once a counter moves, the Command Phase is over.
fn movement_begins(cx: &mut Cx<'_, Campaigns>, side: &SideId) {
    let early = cx.state().phase.segment < Segment::Reinforcements;
    if early && matches!(cx.state().at, At::Own(_)) {
        cx.emit(flow::event::Quiet::Segment { side: side.clone(), segment: Segment::Reinforcements }.into());
    }
}

/// ¶59-61 II.d Stationary attrition, II.e Consolidation, II.f Bridges.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn close(cx: &mut Cx<'_, Campaigns>, side: &SideId) -> Play<()> {
    force::carry_on(cx, side)?;
    attrition::stationary(cx, side);
    stack::retire_idle(cx, side);
    retreat::consolidate(cx, side);
    center::settle(cx, side);
    redoubt::dig(cx, side);
    bridge::segment(cx);
    flow::settle_faces(cx);
    Ok(())
}

/// What closes the Forced March Segment of a side (¶64): leaders no longer next to the enemy are turned down (¶32).
///
/// # Errors
/// A stop, where an answer is missing.
pub fn close_reaction(cx: &mut Cx<'_, Campaigns>, _side: &SideId) -> Play<()> {
    flow::settle_faces(cx);
    Ok(())
}

/// ¶66, 294 Consolidation of both sides.
pub fn consolidate(cx: &mut Cx<'_, Campaigns>) {
    for side in cx.state().order_of_sides() {
        stack::retire_idle(cx, &side);
        retreat::consolidate(cx, &side);
    }
    flow::settle_faces(cx);
}
