//! 16, 16.1 Fog: visibility, and the beginning of a turn in fog.
//!
//! `boxes` fills chits and lays them on the map, `march` moves them, `uncover` turns them over, `deploy`
//! finds room for what they held, `again` hides units anew.

pub mod again;
pub mod boxes;
pub mod deploy;
pub mod march;
pub mod uncover;

use super::board::UnitId;
use super::event::{Fact, Secret};
use super::fogsheet::FogOrder;
use super::hands::{Hand, table, tell};
use super::mist::Quota;
use super::order::Order;
use super::solo;
use super::state::{At, Hidden, State};
use super::strategic::{self, Column, Flow, Strategic};
use crate::dice::Label;
use crate::fog::{SeatId, SideId};
use crate::orders::Fault;
use crate::rules::{Outcome, Play};
use boxes::Deal;
use std::collections::BTreeSet;

/// 4.2, 16.2-16.3.1 The fog stays, lifts by a step, or is rolled for; says whether it has just begun to lift.
pub fn roll(cx: &mut Hand<'_>) -> bool {
    let t = table(cx);
    let Some(now) = t.sight else { return false };
    let fog = t.board.tables.fog.clone();
    let turn = t.turn;
    let (thick, one, two) = fog.sight;
    let (die, sight) = if now == two {
        (None, None)
    } else if now == one {
        (None, Some(two))
    } else if turn <= fog.turns {
        (None, Some(thick))
    } else if turn >= fog.automatic {
        (None, Some(one))
    } else {
        let die = cx.d6(&Label::public("fog"));
        (Some(die), Some(if die >= fog.lifts { one } else { thick }))
    };
    if sight != Some(now) || die.is_some() {
        tell(cx, Fact::Fog { die, sight });
    }
    now == thick && sight == Some(one)
}

/// 18.1, 18.1.2.2 What a game in fog, historical or free, begins with: each corps where the strategic maps print it.
pub fn opening(strategic: &Strategic, flow: Flow) -> Vec<super::event::Event> {
    let mut events = Vec::new();
    for (side, starts) in &strategic.starts {
        for (corps, area) in starts {
            let (side, corps, area) = (side.clone(), corps.clone(), area.clone());
            events.push(Secret::Corps { side, corps, area }.into());
        }
    }
    let at = if flow == Flow::Free { At::Deploy } else { At::Dawn };
    events.push(Fact::Stage { at }.into());
    events
}

/// The seats of both sides, who write their sealed sheets at the same time; 22.2 none for a side that the solo rules lead.
pub fn both(s: &State) -> Vec<SeatId> {
    let board = &s.table.board;
    board.sides.iter().filter(|side| !board.solo.contains(&side.id)).map(|side| SeatId(side.id.0.clone())).collect()
}

/// 4.2, 16.3, 16.4.2.2 The fog of the turn, and what each side may do in it; A-45: while it lifts no new chits but those of
///
pub fn dawn(cx: &mut Hand<'_>) -> Play<()> {
    let lifts = roll(cx);
    let Some(range) = table(cx).sight else {
        uncover::everything(cx)?;
        uncover::muster(cx);
        return rally(cx);
    };
    uncover::detect(cx, None)?;
    let fog = table(cx).board.tables.fog.clone();
    if lifts {
        // on the turn of this result every corps left on the strategic maps is put into chits.
        for side in sides(cx) {
            let quota = Quota { chits: fog.boxes.into(), columns: Some(0) };
            cx.emit(Secret::Quota { side, quota, die: None }.into());
        }
    } else if range == fog.sight.0 {
        sides(cx).iter().for_each(|side| quota(cx, side));
    } else {
        return rally(cx);
    }
    tell(cx, Fact::Stage { at: At::Fog });
    Ok(())
}

/// 16.4.2.2, A-22, A-23 New chits of a side, and how many columns may try to move; the Allied numbers are rolled, and
/// only they see the die.
fn quota(cx: &mut Hand<'_>, side: &SideId) {
    let t = table(cx);
    let fog = t.board.tables.fog.clone();
    let Some(new) = fog.chits.get(&side.0).copied() else { return };
    let (quota, die) = match new.later {
        _ if t.turn == t.board.turns.0 => (Quota { chits: new.first, columns: None }, None),
        Some(later) => (Quota { chits: later, columns: None }, None),
        None => {
            let die = cx.d6(&Label::of_side("columns", side));
            let at = usize::try_from(die - 1).unwrap_or(0);
            let (chits, columns) = fog.rolled.get(at).copied().unwrap_or((0, 0));
            (Quota { chits, columns: Some(columns) }, Some(die))
        }
    };
    cx.emit(Secret::Quota { side: side.clone(), quota, die }.into());
}

fn sides(cx: &Hand<'_>) -> Vec<SideId> {
    table(cx).board.sides.iter().map(|s| s.id.clone()).collect()
}

/// 4.3 After the fog the first side's Rally.
fn rally(cx: &mut Hand<'_>) -> Play<()> {
    if let Some(first) = sides(cx).into_iter().next() {
        tell(cx, Fact::Stage { at: At::Rally(first) });
    }
    Ok(())
}

/// What a side keeps to itself.
pub fn hidden<'c>(cx: &'c Hand<'_>, side: &SideId) -> &'c Hidden {
    static NOTHING: std::sync::LazyLock<Hidden> = std::sync::LazyLock::new(Hidden::default);
    cx.state().hidden.get(side).unwrap_or(&NOTHING)
}

/// 18.1.2, 18.2 The sealed sheets before a free game: each side deploys its corps in its own areas.
pub fn deploy(cx: &mut Hand<'_>) -> Play<()> {
    let (seats, key) = (both(cx.state()), "0/deploy");
    cx.sheets(&seats, key)?;
    while let Some((seat, order)) = cx.order(&seats, key)? {
        let side = SideId(seat.0.clone());
        match order {
            Order::Fog(FogOrder::Strat(corps, area)) => match may_deploy(cx.state(), &side, &corps, &area) {
                Ok(()) => cx.emit(Secret::Corps { side, corps, area }.into()),
                Err(fault) => cx.outcome(fault.into()),
            },
            _ => cx.outcome(Fault::refused("this sheet deploys corps: STRAT corps TO area", "18.1.2").into()),
        }
    }
    tell(cx, Fact::Stage { at: At::Dawn });
    Ok(())
}

/// 18.1.2 Whether a corps may begin in an area.
pub fn may_deploy(s: &State, side: &SideId, corps: &str, area: &str) -> Result<(), Fault> {
    let known = s.hidden.get(side).is_some_and(|h| h.corps.contains_key(corps));
    let own = s.table.board.zone(area).is_some_and(|z| z.side == *side);
    match (known, own) {
        (true, true) => Ok(()),
        (false, _) => Err(Fault::refused(format!("{corps} is no corps of yours"), "18.1.2")),
        (_, false) => Err(Fault::refused(format!("{area} is not on your side of the dashed line"), "16.4.1.3")),
    }
}

/// 16.4.2.3 The sealed sheets of a fog turn: carried out side by side when both have said END.
pub fn sheets(cx: &mut Hand<'_>, key: &str) -> Play<()> {
    let seats = both(cx.state());
    cx.sheets(&seats, key)?;
    let mut deal = Deal::default();
    let mut tried: BTreeSet<(SideId, String)> = BTreeSet::new();
    for side in by_turns(cx) {
        if solo::drive::leads(cx, &side) {
            solo::drive::sealed(cx, &side, |cx, order| by_line(cx, &side, order, &mut deal, &mut tried));
            continue;
        }
        let seat = cx.seat_of(&side);
        while let Some((_, order)) = cx.order(std::slice::from_ref(&seat), key)? {
            by_line(cx, &side, order, &mut deal, &mut tried);
        }
    }
    // what has found no chit when the fog lifts gets one, as far as the boxes go.
    let thick = table(cx).board.tables.fog.sight.0;
    if table(cx).sight != Some(thick) {
        by_turns(cx).iter().for_each(|side| deal.rest(cx, side));
    }
    deal.lay(cx);
    rally(cx)
}

/// 16.4.2.3, 16.4.2.5 The sheets come down at the same time: of two chits too near each other the one of the side stands that
/// moves first in odd turns, and the other side's in even ones.
fn by_turns(cx: &Hand<'_>) -> Vec<SideId> {
    let mut sides = sides(cx);
    if table(cx).turn.is_multiple_of(2) {
        sides.reverse();
    }
    sides
}

/// 16.4.2.3 One line of a sealed sheet.
fn by_line(cx: &mut Hand<'_>, side: &SideId, order: Order, deal: &mut Deal, tried: &mut BTreeSet<(SideId, String)>) {
    match order {
        Order::Fog(FogOrder::Strat(corps, to)) => strat(cx, side, corps, to, tried),
        Order::Fog(FogOrder::Chit { number, units, at }) => deal.take(cx, side, number, units, at),
        _ => {
            let why = "that belongs into a player-turn; this sheet has STRAT, CHIT and DECOY";
            cx.outcome(Fault::refused(why, "16.4.2.3").into());
        }
    }
}

/// 16.4.1-16.4.1.5 A corps moves to a neighbouring area; the Allied one rolls for it, and nobody else sees the die.
fn strat(cx: &mut Hand<'_>, side: &SideId, corps: String, to: String, tried: &mut BTreeSet<(SideId, String)>) {
    let (t, own) = (table(cx), hidden(cx, side));
    if let Err(fault) = may_strat(t, own, side, &corps, &to) {
        return cx.outcome(fault.into());
    }
    let rolls = strategic::rolls(t, side);
    let need = strategic::needs(t, own, side, &to);
    let columns = own.quota.and_then(|q| q.columns);
    let done = tried.iter().filter(|(s, _)| s == side).count();
    if columns.is_some_and(|most| u32::try_from(done).unwrap_or(0) >= most) {
        let why = format!("{} columns may try to move in this turn, and have", columns.unwrap_or(0));
        return cx.outcome(Fault::refused(why, "16.4.2.2").into());
    }
    if !tried.insert((side.clone(), corps.clone())) {
        let why = format!("{corps} has moved or tried to in this turn");
        return cx.outcome(Fault::refused(why, "16.4.1").into());
    }
    if rolls {
        let die = cx.d6(&Label::own("column", &Column { side, name: &corps }));
        cx.emit(Secret::Column { side: side.clone(), corps: corps.clone(), area: to.clone(), need, die }.into());
        if die < need {
            let why = format!("{corps} does not get away: die {die}, needs {need}");
            return cx.outcome(Outcome::Failed { why, rule: "16.4.1.5".to_owned() });
        }
    }
    cx.emit(Secret::Corps { side: side.clone(), corps, area: to }.into());
}

/// 16.4.1, A-21 Whether a corps may move now: not when the strategic maps are being closed.
///
/// # Errors
/// Why not.
pub fn may_strat(t: &super::table::Table, own: &Hidden, side: &SideId, corps: &str, to: &str) -> Result<(), Fault> {
    if t.sight != Some(t.board.tables.fog.sight.0) {
        return Err(Fault::refused(
            "the fog lifts, and the strategic maps are closed: put the corps into chits",
            "16.3",
        ));
    }
    strategic::may_move(t, own, side, corps, to)
}

/// 16.4.1.6 The assault has begun when brigades of every named division stand open in the named areas.
pub fn assault(cx: &mut Hand<'_>) {
    let t = table(cx);
    let Some(striped) = t.board.strategic.striped.as_ref().filter(|_| t.board.flow.is_some() && !t.mist.assault) else {
        return;
    };
    let inside = |at| t.board.zones_at(at).any(|z| striped.zones.contains(&z.id));
    let stands = |division: &String| {
        let of = |id: &UnitId| id.0.split_once('/').is_some_and(|(d, _)| d == division);
        t.standing().any(|(id, u)| of(id) && u.side != striped.side && inside(u.pose.at))
    };
    if striped.divisions.iter().all(stands) {
        tell(cx, Fact::Assault);
    }
}
