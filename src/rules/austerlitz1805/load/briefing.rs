//! What the opening mail says to each side, and that its first orders are legal.

use super::raw;
use crate::fog::{SideId, Viewer};
use crate::orders::{bind, line};
use crate::rules::austerlitz1805::board::{Board, Briefing};
use crate::rules::austerlitz1805::mist::Quota;
use crate::rules::austerlitz1805::project::project;
use crate::rules::austerlitz1805::state::{At, State};
use crate::rules::austerlitz1805::{check, event, opened, order};
use crate::yaml::Flaw;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The texts by side.
pub fn texts(scenario: &raw::Scenario) -> BTreeMap<SideId, Briefing> {
    let one = |raw: &raw::Briefing| Briefing {
        situation: raw.situation.trim().to_owned(),
        first: raw.first_orders.iter().map(|o| (o.line.value.clone(), o.why.clone())).collect(),
        cautions: raw.cautions.clone(),
    };
    scenario.briefing.iter().map(|(side, at)| (SideId(side.clone()), one(&at.value))).collect()
}

/// 18 The board again, after its first orders were read on the set-up.
pub fn checked(file: &str, scenario: &raw::Scenario, board: Board, flaws: &mut Vec<Flaw>) -> Option<Board> {
    for (side, at) in &scenario.briefing {
        if board.side(&SideId(side.clone())).is_none() {
            let message = format!("There is no side \"{side}\" to brief.");
            flaws.push(Flaw::at(file, at, message, "Name a side of the scenario."));
        }
    }
    if scenario.briefing.is_empty() || !flaws.is_empty() {
        return Some(board);
    }
    let (mut state, events) = opened(board);
    events.iter().for_each(|e| event::apply(&mut state, e));
    for (side, at) in &scenario.briefing {
        let side = SideId(side.clone());
        for order in &at.value.first_orders {
            lines(file, &mut state, &side, order, flaws);
        }
    }
    let State { table, .. } = state;
    Arc::into_inner(table.board)
}

/// Notes a line that would not be taken on its side's first sheet.
fn lines(file: &str, state: &mut State, side: &SideId, first: &raw::FirstOrder, flaws: &mut Vec<Flaw>) {
    state.at = if state.table.board.flow.is_some() { At::Fog } else { At::Own(side.clone()) };
    // 16.4.2.2: what the first fog turn allows is printed.
    let chits = state.table.board.tables.fog.chits.get(&side.0).map_or(0, |new| new.first);
    if let Some(hidden) = state.hidden.get_mut(side) {
        hidden.quota = Some(Quota { chits, columns: None });
    }
    let view = project(state, &Viewer::Side(side.clone()));
    let read = bind(&order::verbs(), &view, &line(1, &first.line.value));
    if let Err(fault) = read.and_then(|order| check::check(&view, &order)) {
        let message = format!("\"{}\" is not legal at the start: {fault}", first.line.value);
        flaws.push(Flaw::at(file, &first.line, message, "Write an order that works as it stands."));
    }
}
