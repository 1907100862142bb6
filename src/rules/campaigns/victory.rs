//! IV. Morale and victory (¶67, 310, 395-397, 411-416).

use super::board::{Board, LeaderId};
use super::flow::event::Partly;
use super::flow::told::{Cause, Open};
use super::sequence::{Victory, VictoryReason};
use super::state::State;
use super::telling::Event as Lists;
use super::{Campaigns, combat, flow, organization};
use crate::dice::Label;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::cx::Cx;
use crate::rules::{Play, Tally};
use std::collections::BTreeMap;

/// ¶67, 397, 411-415 The Morale Phase of a player-turn: the Guard's defeat, citadels that surrender, political features,
/// the end of the morale track.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn morale_phase(cx: &mut Cx<'_, Campaigns>, _side: &SideId) -> Play<()> {
    combat::siege::lift(cx);
    guard(cx)?;
    surrenders(cx)?;
    features(cx)?;
    if cx.state().over.is_none() {
        limit(cx);
    }
    Ok(())
}

/// ¶397: the Guard was committed and failed: one space, once a turn at most.
fn guard(cx: &mut Cx<'_, Campaigns>) -> Play<()> {
    let s = cx.state();
    let lost = s.battles.iter().filter(|b| b.turn == s.turn && b.guard_lost).count();
    if lost > 0 && !s.battles.iter().any(|b| b.turn == s.turn && b.guard_counted) {
        let hex = s.battles.iter().find(|b| b.turn == s.turn && b.guard_lost).map(combat::Battle::name);
        cx.emit(combat::event::Quiet::GuardCounted.into());
        combat::morale::shift(cx, (0, hex.unwrap_or(Hex::new(1, 1))), combat::told::Shift::Guard, -1)?;
    }
    Ok(())
}

/// ¶413-414: a besieged citadel with too few SP surrenders: all its SP go, its leaders have the honours of
/// war and are available as replacement leaders, and the besieger may enter.
fn surrenders(cx: &mut Cx<'_, Campaigns>) -> Play<()> {
    let sieges: Vec<Hex> = cx.state().sieges.iter().copied().collect();
    for hex in sieges {
        let s = cx.state();
        let least = s.board.tables.citadels.surrenders_at(hex);
        // ¶413: two fortresses that are one hold out together.
        let twin = s.board.special.twins.get(&hex).copied();
        let weak = s.order_of_sides().into_iter().find(|side| {
            let together = |p: &super::pieces::Pieces| p.sp_at(hex) + twin.map_or(0, |t| p.sp_at(t));
            s.pieces(side).is_some_and(|p| p.occupied_by_force(hex) && together(p) <= least)
                && combat::siege::besieger(s, side, hex)
        });
        if let Some(side) = weak {
            surrender(cx, &side, hex);
            combat::siege::enter(cx, &side, hex)?;
        }
    }
    Ok(())
}

fn surrender(cx: &mut Cx<'_, Campaigns>, side: &SideId, hex: Hex) {
    let Some(own) = cx.state().pieces(side) else { return };
    let sp = own.sp_at(hex);
    let leaders: Vec<_> = own.leaders_at(hex).into_iter().flat_map(|l| own.force(l)).collect();
    let mut units: Vec<_> = own.units_of(&leaders).into_iter().map(|(id, u)| (id.clone(), u.sp)).collect();
    units.extend(own.garrisons_at(hex).into_iter().map(|(id, u)| (id.clone(), u.sp)));
    cx.emit(combat::told::Open::Surrendered { hex, side: side.clone(), sp }.into());
    flow::lose(cx, side, units, Cause::Surrender);
    for leader in leaders.into_iter().rev() {
        released(cx, side, leader);
    }
    let vedettes = cx.state().pieces(side).map(|p| p.vedettes_at(hex)).unwrap_or_default();
    for n in vedettes {
        flow::vedette_off(cx, side, n, None);
    }
}

/// ¶414 A leader goes with the honours of war: a replacement leader at once, or from the month that two dice name; a Major
/// General is in his box again (¶43).
fn released(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: LeaderId) {
    let s = cx.state();
    let general = s.board.leaders.get(&leader).is_some_and(|spec| spec.major_general.is_some());
    let Some(own) = s.pieces(side).filter(|_| s.board.tables.citadels.by_month() && !general) else {
        cx.emit(organization::event::Partly::Retired { leader }.of(side).into());
        return;
    };
    let label = Label::own("honours", &own.leader_named(&leader));
    let dice = cx.roll(&label, 2, 6);
    let (a, b) = (dice.first().copied().unwrap_or(1), dice.get(1).copied().unwrap_or(1));
    let s = cx.state();
    let from = s.board.special.month_after(s.turn, s.board.tables.citadels.honours(a + b));
    cx.emit(organization::event::Partly::Honoured { leader, dice: (a, b), from }.of(side).into());
}

/// ¶415 (house: the objectives of the scenario): who has a force or garrison in a place at the end of a player-turn, with
/// no enemy force in it, holds it.
fn features(cx: &mut Cx<'_, Campaigns>) -> Play<()> {
    let places: Vec<Hex> = cx.state().board.objectives.iter().map(|o| o.hex).collect();
    for hex in places {
        let s = cx.state();
        let there: Vec<SideId> = s
            .order_of_sides()
            .into_iter()
            .filter(|side| s.pieces(side).is_some_and(|p| p.occupied_by_force(hex)))
            .collect();
        if let [only] = there.as_slice()
            && s.control.get(&hex) != Some(only)
        {
            cx.emit(Open::Control { hex, side: only.clone() }.into());
        }
    }
    for (hex, by) in captured(cx.state()) {
        combat::morale::shift(cx, (0, hex), combat::told::Shift::Feature(hex), by)?;
    }
    Ok(())
}

/// ¶67, 411, 415 Places captured and still held, with the spaces that they move the marker, plus toward the French; the
/// values are the scenario's. A side that has had its spaces for a place has them again once the other has had its own.
fn captured(s: &State) -> Vec<(Hex, i32)> {
    let mut found = Vec::new();
    for place in &s.board.objectives {
        let Some(holder) = s.control.get(&place.hex) else { continue };
        let first = flow::setup::first_holder(&s.board, place);
        let spaces = place.morale.get(holder).copied().unwrap_or(0);
        if spaces != 0 && s.credited.get(&place.hex).or(first.as_ref()) != Some(holder) {
            let french = s.board.side(holder).is_some_and(|spec| spec.french);
            found.push((place.hex, if french { spaces } else { -spaces }));
        }
    }
    found
}

/// ¶8, 412: the morale track has come to its end; where each side has one, a side whose own has come to its lower end has
/// lost, and if both have, nobody has won.
fn limit(cx: &mut Cx<'_, Campaigns>) {
    let s = cx.state();
    let broken: Vec<&SideId> =
        s.tracks.iter().filter(|(_, level)| s.board.tables.morale.broken(**level)).map(|(side, _)| side).collect();
    if let Some(loser) = broken.first() {
        let winner = if broken.len() == 1 { Some(s.enemy(loser)) } else { None };
        over(cx, winner, VictoryReason::Morale);
        return;
    }
    // A single marker never moves where there are two.
    let limit = s.board.tables.morale.limit();
    if s.morale.abs() < limit {
        return;
    }
    let french = s.morale > 0;
    let winner = s.board.sides.iter().find(|spec| spec.french == french).map(|spec| spec.id.clone());
    over(cx, winner, VictoryReason::Morale);
}

/// ¶416 The last turn has been played: the objectives decide. Who holds the points that win, and more than the other, has
/// won; else it is a draw, or by the house a side of the scenario has held out.
pub fn last_turn(cx: &mut Cx<'_, Campaigns>) {
    let points = points(cx.state());
    let least = cx.state().board.policies.strategic_points;
    let best = points.values().max().copied().unwrap_or(0);
    let leading: Vec<&String> = points.iter().filter(|(_, p)| **p == best).map(|(s, _)| s).collect();
    let winner = match leading.as_slice() {
        [only] if best >= least => Some(SideId((*only).clone())),
        _ => cx.state().board.policies.holds_out.clone(),
    };
    over(cx, winner, VictoryReason::LastTurn);
}

/// The game is over, with the points as they stand.
pub fn over(cx: &mut Cx<'_, Campaigns>, winner: Option<SideId>, reason: VictoryReason) {
    let victory = Victory { winner, reason, points: points(cx.state()) };
    cx.emit(Open::Over { victory }.into());
}

/// Points of the objectives that each side holds now (¶415; house values).
pub fn points(s: &State) -> BTreeMap<String, i32> {
    held(&s.board, &s.control)
}

/// ¶415 Points by who holds what; whoever had a place at the start has none for it.
pub fn held(board: &Board, control: &BTreeMap<Hex, SideId>) -> BTreeMap<String, i32> {
    let mut points: BTreeMap<String, i32> = board.sides.iter().map(|side| (side.id.0.clone(), 0)).collect();
    for objective in &board.objectives {
        let Some(holder) = control.get(&objective.hex) else { continue };
        if flow::setup::first_holder(board, objective).as_ref() == Some(holder) {
            continue;
        }
        let worth = objective.points.get(holder).copied().unwrap_or(0);
        *points.entry(holder.0.clone()).or_default() += worth;
    }
    points
}

/// What a game is counted by: its winner, turns, losses and battles, and where morale ends (¶395, 411).
pub fn tally(s: &State, events: &[super::event::Event]) -> Tally {
    use super::event::Event as Any;
    let name = |side: &SideId| s.board.side(side).map_or_else(|| side.to_string(), |spec| spec.name.clone());
    let winner = s.over.as_ref().and_then(|over| over.winner.as_ref()).map(name);
    let (mut battles, mut bled) = (0, 0);
    for event in events {
        match event {
            Any::Combat(Lists::Open(combat::told::Open::Ended { .. })) => battles += 1,
            Any::Flow(Lists::Partly(Partly::Lost { sp, cause, .. })) => {
                let fought = !matches!(cause, Cause::Attrition);
                bled += if fought { sp.unsigned_abs() } else { 0 };
            }
            _ => {}
        }
    }
    let mut counts = vec![("turns".to_owned(), s.turn), ("battles".to_owned(), battles)];
    for side in s.order_of_sides() {
        let lost = s.pieces(&side).map_or(0, |pieces| pieces.army.lost.unsigned_abs());
        counts.push((format!("SP lost by {}", name(&side)), lost));
    }
    // An average of numbers below nothing would not be one: each half has its own.
    let of =
        |french: bool| s.board.sides.iter().find(|spec| spec.french == french).map_or(0, |spec| s.morale_of(&spec.id));
    let lead = if s.tracks.is_empty() { s.morale } else { of(true) - of(false) };
    for (who, spaces) in [("France", lead), ("the other side", -lead)] {
        counts.push((format!("morale for {who} at the end"), spaces.max(0).unsigned_abs()));
    }
    Tally { winner, counts, ratios: vec![("SP lost in a battle, both sides".to_owned(), bled, battles)] }
}
