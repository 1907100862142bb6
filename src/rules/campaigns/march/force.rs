//! ¶152 A force's move: activation, movement, attrition; then the work on bridges and the stack it ends in.

use super::attrition::Length;
use super::clause::{Act, Moment, Now};
use super::column::Column;
use super::event::Partly;
use super::marcher::{Marcher, Unfinished};
use super::order::{ForceOrder, How};
use super::plotted::{give_up, under_way};
use super::told::{Closed, Ended, Own, Rolled};
use super::{activation, attrition, bridge, clause, forage, force, offmap, parts, plotted, stack, train, walk};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::Play;
use crate::rules::campaigns::board::{Halves, LeaderId};
use crate::rules::campaigns::pieces::{AdminMarch, Piece};
use crate::rules::campaigns::ruleset::failed;
use crate::rules::campaigns::{Campaigns, armies, flow, retreat};
use crate::rules::cx::Cx;

/// A force that has been activated and sets out.
struct Party {
    /// The force leader with those in his hex.
    chief: Marcher,
    /// Those in hexes beside him (¶225).
    parts: Vec<Marcher>,
    /// The hex that he sets out from.
    from: Hex,
}

/// Carries out an order to a force.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn carry_out(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &ForceOrder) -> Play<()> {
    let Some(Party { chief: mut m, mut parts, from }) = set_out(cx, side, order) else { return Ok(()) };
    // ¶264, X-84: size and column are those of the moment at which it sets out, its own command paid.
    let toll = {
        let Some(sit) = cx.state().situation(side) else { return Ok(()) };
        let members = parts::members(sit.own, order);
        attrition::toll(&sit, &cx.state().phase, &members, from, attrition::siege(cx.state(), from))
    };
    let mut unfinished = change_mode(cx, side, order, &mut m, &mut parts, true);
    let ended = walk::walk(cx, &mut m)?;
    let to = cx.state().pieces(side).and_then(|p| p.hex(&order.leader)).unwrap_or(from);
    train::work(cx, &mut m, to, true);
    if m.moved {
        cx.emit(m.marched(to, ended));
    }
    unfinished = unfinished.or(change_mode(cx, side, order, &mut m, &mut parts, false));
    let ends: Vec<Piece> = parts.iter().map(|p| p.piece.clone()).collect();
    let (parts_moved, lost_touch) = parts::march(cx, order, parts, to)?;
    unfinished = bridge::works(cx, side, order, &mut m, to).or(m.unfinished.take()).or(unfinished).or(lost_touch);
    let moved = m.moved || parts_moved;
    if moved || offmap::rolls(cx, side, order) {
        attrition::settle(cx, side, &order.leader, &toll, length(&m, order.how));
        stack::retire_idle(cx, side);
        retreat::settle(cx, side, to);
        for piece in ends {
            if let Some(hex) = cx.state().pieces(side).and_then(|p| p.piece_hex(&piece)) {
                retreat::settle(cx, side, hex);
            }
        }
    }
    offmap::leave(cx, side, order, &m.column, from);
    if order.how == How::Plotted {
        plotted::settle(cx, side, &order.leader, m.path.iter().copied().collect());
    }
    flow::settle_faces(cx);
    if let Some((why, rule)) = unfinished {
        cx.outcome(failed(&why, rule));
    } else if !moved && !order.path.is_empty() {
        let (why, rule) = stayed(ended);
        cx.outcome(failed(&why, rule));
    }
    Ok(())
}

/// ¶278 A change of mode before or after the march, of the whole force.
fn change_mode(
    cx: &mut Cx<'_, Campaigns>,
    side: &SideId,
    order: &ForceOrder,
    m: &mut Marcher,
    parts: &mut [Marcher],
    first: bool,
) -> Option<Unfinished> {
    let mode = order.mode.filter(|mode| mode.first == first)?;
    let mut unfinished = forage::change(cx, side, &order.leader, &mut m.column, mode.forage);
    for (marcher, part) in parts.iter_mut().zip(&order.with) {
        unfinished = unfinished.or(forage::change(cx, side, &part.leader, &mut marcher.column, mode.forage));
    }
    unfinished
}

/// ¶186, 264 What the march counts for attrition.
fn length(m: &Marcher, how: How) -> Length {
    let extra = if how.extra() > Halves(0) { m.column.extra() } else { Halves(0) };
    Length { march: m.column.march() - extra, extra, forced: how == How::Forced, ridden: m.column.ridden() }
}

/// ¶152 Step 1: activation. The force that may march; `None` where it may not, with the line's outcome told.
fn set_out(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &ForceOrder) -> Option<Party> {
    let (mut column, from) = {
        let own = cx.state().pieces(side)?;
        (Column::of(&cx.state().board, own, &own.force(&order.leader)), own.hex(&order.leader)?)
    };
    let rolled = activate(cx, side, order, from)?;
    let mut path = order.path.clone();
    // ¶432-433: before the first turn all march the same few MP at most.
    let pre_game = cx.state().board.exceptions.marches.pre_game_mp.filter(|_| cx.state().before_first_turn());
    let fit = |column: &mut Column| {
        match rolled {
            Rolled::Full | Rolled::Nothing => column.extend(order.how.extra()),
            Rolled::Less => column.less_one(),
            Rolled::One => column.only_one(),
        }
        if let Some(mp) = pre_game {
            column.at_most(Halves::whole(mp));
        }
    };
    fit(&mut column);
    let mut parts = parts::marchers(cx, side, order, fit);
    if matches!(order.how, How::Initiative | How::Forced) {
        let now = Now { moment: Moment::Roll(rolled), left: column.left() };
        match clause::act_for(&cx.view(side), &order.branches, &now) {
            Some(Act::Stop) => {
                path.clear();
                parts.iter_mut().for_each(|part| part.path.clear());
            }
            Some(Act::March(other)) => path = other.into_iter().skip_while(|h| *h == from).collect(),
            _ => {}
        }
    }
    let by_road = cx.state().board.map.on_road(from);
    let mut m = Marcher::new(side, Piece::Leader(order.leader.clone()), column, &path, by_road, from);
    m.forced = order.how == How::Forced;
    m.plotted = order.how == How::Plotted;
    m.branches.clone_from(&order.branches);
    let his = cx.state().pieces(side).map(|own| own.force(&order.leader)).unwrap_or_default();
    m.drops = order.drops.iter().filter(|(l, _)| his.contains(l)).cloned().collect();
    m.trains.clone_from(&order.trains);
    Some(Party { chief: m, parts, from })
}

/// ¶152, 228 Pays for the command or rolls the initiative; `None` where the force does not move, with the outcome told.
fn activate(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &ForceOrder, from: Hex) -> Option<Rolled> {
    if order.how != How::Plotted {
        plotted::give_up(cx, side, &order.leader);
    }
    let rolled = match order.how {
        How::Command(_) => {
            if !commanded(cx, side, order, from) {
                return None;
            }
            together(cx, side, order);
            Rolled::Full
        }
        How::Plotted => {
            if !plotted::begin(cx, side, order) && !commanded(cx, side, order, from) {
                return None;
            }
            let (side, leader) = (side.clone(), order.leader.clone());
            cx.emit(Partly::Plotted { side, leader, rest: order.path.clone() }.into());
            Rolled::Full
        }
        How::Free(extended) => {
            if let Some(extra) = extended {
                let leader = order.leader.clone();
                cx.emit(Own::Commanded { leader, ap: 1, extended: extra }.of(side).into());
            }
            together(cx, side, order);
            Rolled::Full
        }
        How::Initiative | How::Forced => {
            let (die, rolled) = activation::roll(cx, side, &parts::heads(order), order.how == How::Forced);
            together(cx, side, order);
            if rolled == Rolled::Nothing {
                cx.outcome(failed(&format!("initiative failed on a {die}: the force does not move"), "¶194"));
                return None;
            }
            rolled
        }
        How::Hold => return None,
    };
    Some(rolled)
}

/// ¶225, 228 Those who march with their force leader have had their move with his.
fn together(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &ForceOrder) {
    let parts: Vec<LeaderId> = order.with.iter().map(|part| part.leader.clone()).collect();
    if !parts.is_empty() {
        cx.emit(Own::Together { leader: order.leader.clone(), parts }.of(side).into());
    }
}

/// ¶85-86, 171-172, 185 Pays a Movement Command, if a dispatch reaches the force past the enemy as he really stands.
fn commanded(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &ForceOrder, from: Hex) -> bool {
    if !cx.state().situation(side).is_some_and(|sit| sit.hears_the_center(from)) {
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
    cx.emit(Own::Commanded { leader: order.leader.clone(), ap, extended }.of(side).into());
    true
}

/// Why a force that was activated did not move, from what its owner knows.
pub fn stayed(ended: Ended) -> (String, &'static str) {
    match ended {
        Ended::Spent { next } => (format!("the MP do not suffice for {next}; the force stays"), "¶193, 202, 238"),
        Ended::Blocked { next, by } => closed(next, by),
        Ended::Ordered | Ended::Arrived => ("the force stays, as its order says".to_owned(), "¶148"),
        Ended::Watched => ("an enemy counter is too near".to_owned(), "¶188"),
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
        Closed::Pontoon => ("another force has crossed that pontoon in this phase".to_owned(), "¶214"),
        Closed::Ground => (format!("{next} cannot be entered from there"), "¶212, 214"),
    }
}

/// ¶188-189 At the end of a Movement Phase whoever is on his way and has had no order goes on by the path as written; a
/// march that something has ended is struck out.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn carry_on(cx: &mut Cx<'_, Campaigns>, side: &SideId) -> Play<()> {
    let view = cx.view(side);
    let begun: Vec<AdminMarch> = view.own.army.admin_marches.values().filter(|m| m.turn < view.turn).cloned().collect();
    for march in begun {
        let leader = march.leader.clone();
        let board = &cx.state().board;
        let own = cx.state().pieces(side);
        // ¶151: he goes on in the phase of his own army, and by its points.
        if own.is_some_and(|own| !own.of_phase(board, cx.state().phase.army.as_ref(), &leader)) {
            continue;
        }
        let army = own.and_then(|own| own.army_of(board, &leader));
        if under_way(&cx.view(side), &leader).is_none() {
            give_up(cx, side, &leader);
            continue;
        }
        let order = ForceOrder { path: march.rest, ..ForceOrder::bare(leader, How::Plotted) };
        match army {
            Some(army) => armies::with(cx, side, &army, |cx| force::carry_out(cx, side, &order))?,
            None => force::carry_out(cx, side, &order)?,
        }
    }
    Ok(())
}
