//! ¶56, 154-163 A reinforcement comes onto the map: its first hex, its vedettes, the rest of its march, its attrition.

use super::attrition::Length;
use super::column::Column;
use super::enter::{due, earlier, first_cost, may_enter, other_phase, vedettes_with, waiting};
use super::force::stayed;
use super::marcher::Marcher;
use super::told::{Ended, Own};
use super::{arrival, attrition, center, contact, repulse, stack, vedette, walk};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::Play;
use crate::rules::campaigns::board::{Halves, LeaderId, Reinforcement, UnitId};
use crate::rules::campaigns::flow::told::Cause;
use crate::rules::campaigns::organization::order::Enter;
use crate::rules::campaigns::organization::vedettes::in_pool;
use crate::rules::campaigns::pieces::{Piece, Place};
use crate::rules::campaigns::ruleset::failed;
use crate::rules::campaigns::situation::StepCost;
use crate::rules::campaigns::stands::Firm;
use crate::rules::campaigns::{Campaigns, flow, organization, retreat};
use crate::rules::cx::Cx;

/// ¶154-158 Brings a reinforcement in, by its free Movement Command.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn carry_out(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &Enter) -> Play<()> {
    let view = cx.view(side);
    let (Some(track), Some(hex)) = (due(&view, &order.leader), order.path.first().copied()) else { return Ok(()) };
    let Some(cost) = first_cost(&view.situation(), &track, hex, earlier(&view, hex)) else { return Ok(()) };
    let (leader, units) = (track.leader.clone(), track.units.clone());
    let troops = !units.is_empty();
    // ¶376: a force that retreated off the map has its troops.
    cx.emit(match view.own.leaders.get(&leader).map(|l| l.place) {
        Some(Place::Off(_)) => organization::event::Partly::Reentered { leader, hex }.of(side).into(),
        _ => organization::event::Partly::Entered { leader, hex, units }.of(side).into(),
    });
    for n in in_pool(&view.own).into_iter().take(usize::try_from(order.vedettes).unwrap_or(0)) {
        cx.emit(organization::event::Partly::VedetteBack { n, hex, with: None }.of(side).into());
    }
    if troops {
        return march(cx, side, order, hex, cost);
    }
    ride(cx, side, order, hex, cost);
    Ok(())
}

/// ¶40 A leader without troops rides on with what the first hex has left him.
fn ride(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &Enter, hex: Hex, cost: StepCost) {
    let path: Vec<Hex> = {
        let Some(sit) = cx.state().situation(side) else { return };
        let most = Halves::whole(sit.board.tables.terrain.allowances.unemployed_leader);
        let (mut spent, mut at) = (cost.horse, hex);
        let affordable = |next: &&Hex| {
            let Some(step) = sit.step(at, **next, true) else { return false };
            spent = spent + step.horse;
            at = **next;
            spent <= most
        };
        order.path.iter().skip(1).take_while(affordable).copied().collect()
    };
    if !path.is_empty() {
        vedette::ride(cx, side, &order.leader, &path);
    }
    flow::settle_faces(cx);
    if path.len() + 1 < order.path.len() {
        cx.outcome(failed("nine MP take him no further", "¶40"));
    }
}

/// ¶152, 156-157, 160 The march of a force: it has paid for its first hex, and meets the enemy there as anywhere.
fn march(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &Enter, hex: Hex, cost: StepCost) -> Play<()> {
    let leader = order.leader.clone();
    if let Some(extended) = order.extended {
        cx.emit(Own::Commanded { leader: leader.clone(), ap: 1, extended }.of(side).into());
    }
    let (mut m, toll) = {
        let s = cx.state();
        let Some(sit) = s.situation(side) else { return Ok(()) };
        let mut column = Column::of(&s.board, sit.own, &sit.own.force(&leader));
        column.extend(order.extended.unwrap_or(Halves(0)));
        column.pay(cost);
        let path = order.path.get(1..).unwrap_or_default();
        let by_road = cx.state().board.map.on_road(hex);
        let toll = attrition::toll(&sit, &s.phase, &sit.own.force(&leader), hex, attrition::siege(s, hex));
        (Marcher::new(side, Piece::Leader(leader.clone()), column, path, by_road, hex), toll)
    };
    m.branches.clone_from(&order.branches);
    let met = match into_the_enemy(cx, &m, hex)? {
        Some(failed) => Some(failed),
        None => {
            center::arrived(cx, side, hex);
            first_contact(cx, &mut m, hex)?
        }
    };
    let ended = match met {
        Some(ended) => ended,
        None => walk::walk(cx, &mut m)?,
    };
    if ended == Ended::RepulseFailed && !m.moved {
        eliminate(cx, side, &leader);
        flow::settle_faces(cx);
        cx.outcome(failed("its repulse in the first hex failed; the force is eliminated", "¶163"));
        return Ok(());
    }
    let to = cx.state().pieces(side).and_then(|p| p.hex(&leader)).unwrap_or(hex);
    cx.emit(m.marched(to, ended));
    let extra = if order.extended.is_some() { m.column.extra() } else { Halves(0) };
    let length = Length { march: m.column.march() - extra, extra, ..Length::default() };
    attrition::settle(cx, side, &leader, &toll, length);
    stack::retire_idle(cx, side);
    retreat::settle(cx, side, to);
    flow::settle_faces(cx);
    if !m.moved && order.path.len() > 1 {
        let (why, rule) = stayed(ended);
        cx.outcome(failed(&why, rule));
    }
    Ok(())
}

/// ¶163 Into a hex with enemy counters a reinforcement comes by a repulse of them, which its order has declared; `Some` if
/// it fails.
fn into_the_enemy(cx: &mut Cx<'_, Campaigns>, m: &Marcher, hex: Hex) -> Play<Option<Ended>> {
    let occupied = cx.view(&m.side).situation().enemy.contains_key(&hex);
    Ok((occupied && !repulse::attempt(cx, m, hex, &[hex])?).then_some(Ended::RepulseFailed))
}

/// ¶163, 236-250 What the force meets in the hex where it enters.
fn first_contact(cx: &mut Cx<'_, Campaigns>, m: &mut Marcher, hex: Hex) -> Play<Option<Ended>> {
    let met = contact::met(cx, m, hex);
    if met.is_empty() {
        return Ok(None);
    }
    let declared = contact::declare(cx, m, hex, &met)?;
    contact::meet(cx, m, hex, &met, declared)
}

/// ¶163 A reinforcement whose first repulse fails is gone for good.
fn eliminate(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId) {
    let units: Vec<(UnitId, i32)> = match cx.state().pieces(side) {
        Some(p) => p.units_of(&p.force(leader)).into_iter().map(|(id, u)| (id.clone(), u.sp)).collect(),
        None => Vec::new(),
    };
    flow::lose(cx, side, units, Cause::Surrender);
    let (side, leader) = (side.clone(), leader.clone());
    cx.emit(flow::event::Partly::LeaderGone { side, leader, until: None, demoted: false }.into());
}

/// ¶154, 161 (D-30) Reinforcements without an order enter at the end of the sheet and stop in the entry hex, if no enemy
/// counter stands in it and none that may be a force controls it; the others wait.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn by_default(cx: &mut Cx<'_, Campaigns>, side: &SideId) -> Play<()> {
    let tracks: Vec<Reinforcement> = waiting(&cx.view(side));
    for track in tracks {
        let view = cx.view(side);
        if view.phase.delayed.contains(&track.leader) || other_phase(&view, &track.leader).is_some() {
            continue;
        }
        let controlled = view.situation().zones_on(track.hex).iter().any(|(_, firm)| *firm != Firm::No);
        let leader = track.leader.clone();
        if controlled || may_enter(&view, &track, track.hex, false).is_err() {
            cx.emit(organization::told::Own::Delayed { leader }.of(side).into());
            continue;
        }
        let vedettes = vedettes_with(&view, &track, None).unwrap_or(0);
        let path = vec![track.hex];
        arrival::carry_out(cx, side, &Enter { leader, path, extended: None, vedettes, branches: Vec::new() })?;
    }
    Ok(())
}
