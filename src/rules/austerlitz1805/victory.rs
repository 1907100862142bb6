//! 17 Victory.

use super::board::{Arm, UnitId};
use super::event::{Event, Fact, Victory, Won};
use super::hands::{Hand, table, tell};
use super::state::{At, State};
use super::table::Table;
use crate::fog::SideId;
use crate::rules::Tally;

/// Allied brigades whose loss lets the French win at once (17.1.3).
pub const BRIGADES: usize = 7;
/// 17.1.2, 17.1.3 Turns in a row.
const TURNS: u32 = 2;

/// 17.1.1.1, 17.1.1.2 Points of a side: places it controls, batteries and HQs of the enemy eliminated.
pub fn points(t: &Table, side: &SideId) -> i32 {
    let held = t.board.places.iter().filter(|p| p.vp > 0 && t.control.get(&p.name) == Some(side)).map(|p| p.vp);
    let taken = |id: &&UnitId| t.side(id) != *side && matches!(t.arm(id), Arm::Artillery | Arm::Hq);
    held.sum::<i32>() + i32::try_from(t.lost.iter().filter(taken).count()).unwrap_or(0)
}

fn win(cx: &mut Hand<'_>, side: SideId, why: Won) {
    let t = table(cx);
    let points = t.board.sides.iter().map(|s| (s.id.clone(), points(t, &s.id))).collect();
    tell(cx, Fact::Over { victory: Victory { side, why, points } });
}

/// 17.1.4 Napoleon eliminated: the French lose at once. Says whether the game is over.
pub fn at_once(cx: &mut Hand<'_>) -> bool {
    if cx.state().at == At::Over {
        return true;
    }
    let t = table(cx);
    let Some(napoleon) = t.lost.iter().find(|id| id.0 == "Napoleon") else { return false };
    let winner = t.board.enemy(&t.side(napoleon));
    win(cx, winner, Won::Napoleon);
    true
}

/// 17.1.2, 17.1.3, 17.1.1.3 After a turn: all targets held for two turns, or the last turn is over.
pub fn after_turn(cx: &mut Hand<'_>) -> bool {
    let t = table(cx);
    let targets = t.board.places.iter().filter(|p| p.vp > 0);
    let holder = |side: &SideId| targets.clone().all(|p| t.control.get(&p.name) == Some(side));
    let all = t.board.sides.iter().find(|s| targets.clone().count() > 0 && holder(&s.id)).map(|s| s.id.clone());
    let before = cx.state().all_targets.clone();
    let turns = match (&all, &before) {
        (Some(now), Some((then, turns))) if now == then => turns + 1,
        (Some(_), _) => 1,
        (None, _) => 0,
    };
    if all.is_some() || before.is_some() {
        tell(cx, Fact::Targets { side: all.clone(), turns });
    }
    if let Some(side) = all.filter(|_| turns >= TURNS)
        && enough_brigades(table(cx), &side)
    {
        let why = if ties(table(cx), &side) { Won::TargetsAlone } else { Won::TargetsAndBrigades };
        win(cx, side, why);
        return true;
    }
    let t = table(cx);
    if t.turn < t.board.turns.1 {
        return false;
    }
    last_turn(cx);
    true
}

fn ties(t: &Table, side: &SideId) -> bool {
    t.board.side(side).is_some_and(|s| s.wins_ties)
}

/// 17.1.3 The French need seven Allied brigades of foot or horse as well; the Allies need nothing more (17.1.2).
fn enough_brigades(t: &Table, side: &SideId) -> bool {
    let brigade = |id: &&UnitId| t.side(id) != *side && matches!(t.arm(id), Arm::Infantry | Arm::Cavalry);
    ties(t, side) || t.lost.iter().filter(brigade).count() >= BRIGADES
}

/// 17.1.1.3 The most points win; ties go to the Allies.
fn last_turn(cx: &mut Hand<'_>) {
    let t = table(cx);
    let mut sides: Vec<(i32, bool, SideId)> =
        t.board.sides.iter().map(|s| (points(t, &s.id), s.wins_ties, s.id.clone())).collect();
    sides.sort();
    let Some((most, _, winner)) = sides.pop() else { return };
    let tie = sides.first().is_some_and(|s| s.0 == most);
    win(cx, winner, if tie { Won::EqualPoints } else { Won::MorePoints });
}

/// 16.2-16.3, 17 Who has won, and how many turns began in the fog.
pub fn lost(s: &State, side: &SideId) -> i32 {
    let t = &s.table;
    let two = |id: &UnitId| matches!(t.arm(id), Arm::Infantry | Arm::Cavalry);
    let gone = t.lost.iter().filter(|id| t.side(id) == *side).map(|id| if two(id) { 2 } else { 1 });
    let worn = t.units.iter().filter(|(id, unit)| unit.side == *side && two(id) && unit.steps == 1).map(|_| 1);
    gone.chain(worn).sum()
}

/// Who has won, and what a run of many games is summed up by.
pub fn tally(s: &State, events: &[Event]) -> Tally {
    let board = &s.table.board;
    let winner = s.over.as_ref().and_then(|over| board.side(&over.side)).map(|side| side.name.clone());
    let (mut fog, mut turns, mut sight) = (0, 1, s.table.board.turns.0 <= board.tables.fog.turns);
    for event in events {
        match event {
            Event::Open(Fact::Fog { sight: now, .. }) => sight = now.is_some(),
            // A turn's own fog roll follows at its dawn.
            Event::Open(Fact::Stage { at: At::Rally(side) }) if board.sides.first().is_some_and(|s| s.id == *side) => {
                fog += u32::from(sight);
            }
            Event::Open(Fact::Turn { .. }) => turns += 1,
            _ => {}
        }
    }
    let counts = vec![("turns".to_owned(), turns), ("turns in fog".to_owned(), fog)];
    Tally { winner, counts, ..Tally::default() }
}
