//! ¶152 A force's move: activation, movement, attrition; then the work on bridges and the stack it ends in.

use super::activation;
use super::attrition::{self, Length};
use super::bridge;
use super::clause::{self, Act, Moment, Now};
use super::column::Column;
use super::event::Event;
use super::forage;
use super::order::{ForceOrder, How};
use super::stack;
use super::told::{Closed, Ended, Rolled};
use super::walk::{self, Marcher};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::Play;
use crate::rules::campaigns::board::Halves;
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::play::failed;
use crate::rules::campaigns::{Campaigns, flow};
use crate::rules::cx::Cx;

/// Carries out an order to a force.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn carry_out(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &ForceOrder) -> Play<()> {
    let Some((mut m, from)) = set_out(cx, side, order) else { return Ok(()) };
    // ¶264, X-84: size and column are those of the moment at which it sets out, its own command paid.
    let toll = {
        let Some(sit) = cx.state().situation(side) else { return Ok(()) };
        attrition::toll(&sit, &cx.state().phase, &order.leader, from, attrition::siege(cx.state(), from))
    };
    let early = order.mode.filter(|mode| mode.first);
    let mut unfinished = early.and_then(|mode| forage::change(cx, side, &order.leader, &mut m.column, mode.forage));
    let ended = walk::walk(cx, &mut m)?;
    let to = cx.state().pieces(side).and_then(|p| p.hex(&order.leader)).unwrap_or(from);
    let length = length(&m, order.how);
    if m.moved {
        let piece = Piece::Leader(order.leader.clone());
        let mp = m.column.march();
        cx.emit(Event::Marched { side: side.clone(), piece, from, to, mp, ended }.into());
    }
    if let Some(mode) = order.mode.filter(|mode| !mode.first) {
        unfinished = forage::change(cx, side, &order.leader, &mut m.column, mode.forage);
    }
    let unfinished = bridge::works(cx, side, order, &mut m, to).or(unfinished);
    if m.moved {
        attrition::settle(cx, side, &order.leader, &toll, length);
        stack::retire_idle(cx, side);
        stack::settle(cx, side, to);
    }
    flow::settle_faces(cx);
    if let Some((why, rule)) = unfinished {
        cx.outcome(failed(&why, rule));
    } else if !m.moved && !order.path.is_empty() {
        let (why, rule) = stayed(ended);
        cx.outcome(failed(&why, rule));
    }
    Ok(())
}

/// ¶186, 264 What the march counts for attrition.
fn length(m: &Marcher, how: How) -> Length {
    let extra = if matches!(how, How::Command(Some(_)) | How::Free(Some(_))) { m.column.extra() } else { Halves(0) };
    Length { march: m.column.march() - extra, extra, forced: how == How::Forced }
}

/// ¶152 Step 1: activation. The column that may march, and the hex it sets out from; `None` where it may not, with the
/// line's outcome told.
fn set_out(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &ForceOrder) -> Option<(Marcher, Hex)> {
    let (mut column, from) = {
        let own = cx.state().pieces(side)?;
        (Column::of(&cx.state().board, own, &own.force(&order.leader)), own.hex(&order.leader)?)
    };
    let by_road = walk::on_road(cx, from);
    let mut path = order.path.clone();
    match order.how {
        How::Command(extended) => {
            if !commanded(cx, side, order, from) {
                return None;
            }
            column.extend(extended.unwrap_or(Halves(0)));
        }
        How::Free(extended) => {
            if let Some(extra) = extended {
                let (side, leader) = (side.clone(), order.leader.clone());
                cx.emit(Event::Commanded { side, leader, ap: 1, extended: extra }.into());
            }
            column.extend(extended.unwrap_or(Halves(0)));
        }
        How::Initiative | How::Forced => {
            let (die, rolled) = activation::roll(cx, side, &order.leader, order.how == How::Forced);
            match rolled {
                Rolled::Full => {}
                Rolled::Less => column.less_one(),
                Rolled::One => column.only_one(),
                Rolled::Nothing => {
                    cx.outcome(failed(&format!("initiative failed on a {die}: the force does not move"), "¶194"));
                    return None;
                }
            }
            let now = Now { moment: Moment::Roll(rolled), left: column.left() };
            match clause::act_for(&cx.view(side), &order.branches, &now) {
                Some(Act::Stop) => path.clear(),
                Some(Act::March(other)) => path = other.into_iter().skip_while(|h| *h == from).collect(),
                _ => {}
            }
        }
        How::Hold => return None,
    }
    let mut m = Marcher::new(side, Piece::Leader(order.leader.clone()), column, &path, by_road);
    m.forced = order.how == How::Forced;
    m.branches.clone_from(&order.branches);
    m.drops.clone_from(&order.drops);
    Some((m, from))
}

/// ¶85-86, 171-172, 185 Pays a Movement Command, if a dispatch reaches the force past the enemy as he really stands.
fn commanded(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &ForceOrder, from: Hex) -> bool {
    let reached = {
        let Some(sit) = cx.state().situation(side) else { return false };
        let center: Vec<Hex> = sit.own.army.center.into_iter().collect();
        sit.dispatch(&center).contains_key(&from)
    };
    if !reached {
        cx.outcome(failed(
            "no dispatch reaches him: the enemy is said to close every way. Nothing was spent",
            "¶85-86",
        ));
        return false;
    }
    let extended = match order.how {
        How::Command(Some(extra)) => extra,
        _ => Halves(0),
    };
    let ap = if extended > Halves(0) { 2 } else { 1 };
    cx.emit(Event::Commanded { side: side.clone(), leader: order.leader.clone(), ap, extended }.into());
    true
}

/// Why a force that was activated did not move, from what its owner knows.
pub fn stayed(ended: Ended) -> (String, &'static str) {
    match ended {
        Ended::Spent { next } => (format!("the MP do not suffice for {next}; the force stays"), "¶193, 202, 238"),
        Ended::Blocked { next, by } => closed(next, by),
        Ended::Ordered | Ended::Arrived => ("the force stays, as its order says".to_owned(), "¶148"),
        Ended::Zone | Ended::RepulseFailed => ("the force stays in the enemy's zone of control".to_owned(), "¶236"),
    }
}

/// Why a way is closed, from what its owner knows.
pub fn closed(next: Hex, by: Closed) -> (String, &'static str) {
    match by {
        Closed::Enemy => (format!("an enemy counter stands in {next}"), "¶223"),
        Closed::Zones => (format!("{next} lies in an enemy zone of control, and so does the hex it leaves"), "¶238"),
        Closed::Forced => (format!("a Forced March may not enter the enemy zone of control in {next}"), "¶297"),
        Closed::Siege => ("a besieged citadel is neither left nor entered".to_owned(), "¶217"),
        Closed::Ground => (format!("{next} cannot be entered from there"), "¶212, 214"),
    }
}
