//! I.a Administration: supply sources, lines of communication, dispatch, Administrative Points (¶72-107).
//!
//! What happens of itself comes in [`packet`], in the order of ¶53; what a player chooses comes on his sheet A, and what
//! he left out is settled when the sheet ends ([`close_sheet`]).

pub mod block;
mod center;
pub(in crate::rules::campaigns) mod event;
pub(in crate::rules::campaigns) mod line;
pub mod order;
pub mod prompt;
mod roads;
mod source;
pub mod told;
pub mod verbs;

use super::board::GUARD;
use super::pieces::Army;
use super::situation::Situation;
use super::state::State;
use super::{Campaigns, armies, organization};
use crate::dice::Label;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::Play;
use crate::rules::campaigns::admin::block::block;
use crate::rules::campaigns::idle::Idle;
use crate::rules::cx::Cx;
use event::Quiet;
use std::collections::BTreeMap;
use told::Own;

/// ¶75, 79, 101 Whether a hex is held by a side and free of the enemy's counters and zones.
pub fn held(situation: &Situation<'_>, control: &BTreeMap<Hex, SideId>, hex: Hex) -> bool {
    source::free(situation, control, hex)
}

impl Idle {
    /// The reason as a clause, and its paragraph.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Idle::OffMap => ("the Center of Operations is not on the map", "¶92"),
            Idle::Moved => ("the Center of Operations moved last turn", "¶181"),
            Idle::SourceChanging => ("the supply source is being changed", "¶103"),
            Idle::NoSource => ("the supply source is captured", "¶105"),
            Idle::NoLine => ("the Center of Operations has no line of communication", "¶92"),
            Idle::Occupied => ("an enemy counter stands in the place that serves as the center", "¶92"),
        }
    }
}

impl Army {
    /// ¶92, 103, 105 Why the center is inactive; `None` while it is active.
    pub fn idle(&self) -> Option<Idle> {
        if self.anchor.is_some() {
            None
        } else if self.source.is_none() {
            Some(Idle::NoSource)
        } else if self.source_moving.is_some() {
            Some(Idle::SourceChanging)
        } else if self.center.is_none() {
            Some(Idle::OffMap)
        } else if self.center_moved {
            Some(Idle::Moved)
        } else if self.loc.is_none() {
            Some(Idle::NoLine)
        } else {
            None
        }
    }
}

/// ¶53, 72-107 What happens of itself at the start of a player-turn.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn packet(cx: &mut Cx<'_, Campaigns>, side: &SideId) -> Play<()> {
    let block = block(cx, side)?;
    // ¶94: an army may go by the line of another one, so all are traced before any draws on its own.
    armies::each(cx, side, |cx| {
        line::trace(cx, side, block);
        Ok(())
    })?;
    armies::each(cx, side, |cx| {
        line::by_friend(cx, side, block);
        income(cx, side);
        if source::finish(cx, side) {
            line::trace(cx, side, block);
        }
        prizes(cx, side);
        Ok(())
    })?;
    points(cx, side);
    line::vedettes(cx, side, block);
    Ok(())
}

/// ¶96, 99, 168 Two dice on the AP Pool by the effective length of the line; one more while the army commander is with
/// his center. An army with an inactive center receives nothing.
fn income(cx: &mut Cx<'_, Campaigns>, side: &SideId) {
    if flat_income(cx, side) {
        return;
    }
    let state = cx.state();
    let board = state.board.clone();
    let Some(pieces) = state.pieces(side) else { return };
    let army = &pieces.army;
    if army.idle().is_some() || none_this_turn(state, side) {
        return;
    }
    let Some(length) = army.loc.as_ref().map(|l| l.effective) else { return };
    // ¶75: the line from some sources draws on a worse column.
    let worse = army.source.is_some_and(|s| board.policies.worse_sources.contains(&s));
    // ¶98-99: each army rolls for itself, and its own commander counts.
    let commander = pieces.commander(&board).and_then(|c| pieces.hex(&c)).is_some_and(|h| Some(h) == army.center);
    // ¶100: what the track cannot hold is lost.
    let room = board.side(side).and_then(|s| s.ap_max).map(|most| (most - army.ap).max(0));
    let label = match &army.name {
        Some(name) => Label::own("ap", &pieces.of_army(name)),
        None => Label::of_side("ap", side),
    };
    let army = army.name.clone();
    // ¶96: morale shifts the column.
    let morale = board.tables.morale.ap_columns(side, state.morale_of(side));
    let right = usize::try_from(morale).unwrap_or(0) + if worse { board.tables.ap.worse_source() } else { 0 };
    let left = usize::try_from(-morale).unwrap_or(0);
    let dice = cx.roll(&label, 2, 6);
    let sum = i32::try_from(dice.iter().sum::<u32>()).unwrap_or(2);
    let Some(points) = board.tables.ap.shifted(length, sum, right, left) else { return };
    let points = points + if commander { board.tables.ap.commander_bonus() } else { 0 };
    let points = room.map_or(points, |room| points.min(room));
    let side = side.clone();
    cx.emit(Own::Income { army, dice, commander, points }.of(&side).into());
}

/// ¶96 The points of a title without an AP Pool: one for each active source, or a fixed number; whether it is one.
fn flat_income(cx: &mut Cx<'_, Campaigns>, side: &SideId) -> bool {
    let (state, rules) = (cx.state(), &cx.state().board.exceptions.administration);
    let army = state.pieces(side).and_then(|p| p.army.name.as_ref());
    let condition = || state.board.special.condition(side, state.turn);
    let inactive = || state.situation(side).is_none_or(|t| t.idle().is_some());
    let points = match rules.fixed(side, army) {
        Some(_) if state.situation(side).is_some_and(|t| t.idle() == Some(Idle::Occupied)) => 0,
        Some(points) => points,
        // ¶96: points of each Fortnight, less the Army Condition; none from a source.
        None if rules.fortnight_ap.contains_key(&side.0) => match rules.fortnight_ap.get(&side.0) {
            Some(most) if state.board.special.fortnights.contains_key(&state.turn) && !inactive() => most - condition(),
            _ => 0,
        },
        None if rules.sources_are_centers => {
            let open = state.situation(side).map_or(0, |t| t.active_sources().len());
            i32::try_from(open).unwrap_or(0)
        }
        None => return false,
    };
    if points > 0 {
        let (side, army) = (side.clone(), army.cloned());
        cx.emit(Own::Income { army, dice: Vec::new(), commander: false, points }.of(&side).into());
    }
    true
}

/// ¶96 Places that bring points the first time that a unit stands there in dispatch of the active center.
fn prizes(cx: &mut Cx<'_, Campaigns>, side: &SideId) {
    let board = cx.state().board.clone();
    for (hex, _, points) in board.special.prizes.iter().filter(|(_, whose, _)| whose == side) {
        let Some(truth) = cx.state().situation(side) else { return };
        let own = truth.own;
        let due = !own.army.prizes.contains(hex) && own.occupied_by_force(*hex);
        if due && truth.idle().is_none() && truth.hears_the_center(*hex) {
            cx.emit(Own::Prize { hex: *hex, points: *points }.of(side).into());
        }
    }
}

/// ¶96 Points of a title that stores none are lost with the turn.
fn unused(cx: &mut Cx<'_, Campaigns>, side: &SideId) {
    let rules = &cx.state().board.exceptions.administration;
    let army = cx.state().pieces(side).and_then(|p| p.army.name.as_ref());
    let flat = rules.sources_are_centers || rules.fixed(side, army).is_some();
    let points = cx.state().pieces(side).map_or(0, |p| p.army.ap);
    if flat && points > 0 {
        cx.emit(Own::ApLost { points }.of(side).into());
    }
}

/// ¶109 Guard points that were not spent in the turn they came are ordinary ones from now on.
fn guard_points(cx: &mut Cx<'_, Campaigns>, side: &SideId) {
    if !cx.state().board.exceptions.organization.guard_points_pass {
        return;
    }
    let Some(pieces) = cx.state().pieces(side) else { return };
    let guard = pieces.army.pool.iter().filter(|((nation, _), n)| nation.ends_with(GUARD) && **n > 0);
    let guard: Vec<_> = guard.map(|((nation, arm), n)| (nation.clone(), *arm, *n)).collect();
    for (nationality, arm, points) in guard {
        let plain = nationality.trim_end_matches(GUARD).to_owned();
        cx.emit(Own::Forfeited { nationality, arm, points }.of(side).into());
        let points = BTreeMap::from([(arm, points)]);
        cx.emit(Own::Points { nationality: plain, points }.of(side).into());
    }
}

/// ¶96 (1805) The turns on which a side draws nothing.
fn none_this_turn(s: &State, side: &SideId) -> bool {
    s.board.policies.no_ap_turns.get(side).is_some_and(|turns| turns.contains(&s.turn))
}

/// ¶108-110 Replacement Points of this turn come to the pool.
fn points(cx: &mut Cx<'_, Campaigns>, side: &SideId) {
    let board = cx.state().board.clone();
    let turn = cx.state().turn;
    let delayed = cx.state().pieces(side).filter(|own| organization::paris::of(&board.special, own).is_some());
    let (after, until) = match delayed.map(|own| (own.army.points_of, turn.saturating_sub(own.army.pool_delay))) {
        Some((come, until)) if until <= come => return,
        Some((come, until)) => {
            cx.emit(Quiet::PointsOf { side: side.clone(), turn: until }.into());
            (come, until)
        }
        None => (turn.saturating_sub(1), turn),
    };
    let come = |turn: u32| after < turn && turn <= until;
    for due in board.replacements.iter().filter(|r| come(r.turn) && r.side == *side) {
        let (side, nationality, points) = (side.clone(), due.nationality.clone(), due.points.clone());
        cx.emit(Own::Points { nationality, points }.of(&side).into());
    }
}

/// Carries out an order of the Administrative Segment.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn carry_out(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &order::Order) -> Play<()> {
    match order {
        order::Order::Source(order) => source::carry_out(cx, side, order),
        order::Order::Center(order) => center::carry_out(cx, side, order),
        order::Order::Flee(toward) => {
            cx.emit(Own::Flight { toward: *toward }.of(side).into());
            Ok(())
        }
    }
}

/// What the sheet left open: a captured source is placed again, a waiting center returns (¶79, 106, 184).
///
/// # Errors
/// A stop, where an answer is missing.
pub fn close_sheet(cx: &mut Cx<'_, Campaigns>, side: &SideId) -> Play<()> {
    armies::each(cx, side, |cx| {
        source::by_default(cx, side)?;
        center::by_default(cx, side)
    })?;
    forfeit(cx, side);
    guard_points(cx, side);
    unused(cx, side);
    Ok(())
}

/// ¶20, 110 Replacement Points of an arm without a marker are spent in the turn they come, or lost.
fn forfeit(cx: &mut Cx<'_, Campaigns>, side: &SideId) {
    let state = cx.state();
    let (Some(spec), Some(pieces)) = (state.board.side(side), state.pieces(side)) else { return };
    let loose = pieces.army.pool.iter().filter(|((_, arm), _)| !spec.pool_markers.contains(arm));
    let loose: Vec<_> = loose.map(|((nationality, arm), points)| (nationality.clone(), *arm, *points)).collect();
    for (nationality, arm, points) in loose {
        cx.emit(Own::Forfeited { nationality, arm, points }.of(side).into());
    }
}
