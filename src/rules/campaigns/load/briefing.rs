//! What the opening mail says to each side, and that it is true: first orders are legal, points can be scored.

use super::desk::Desk;
use super::raw;
use crate::fog::{SideId, Viewer, see};
use crate::orders;
use crate::rules::Ruleset;
use crate::rules::campaigns::board::{Board, Briefing};
use crate::rules::campaigns::flow::{self, order::Order as Flow};
use crate::rules::campaigns::pieces::{Pieces, Vedette};
use crate::rules::campaigns::sequence::At as Play;
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::{Campaigns, Order};
use crate::yaml::At;
use std::collections::BTreeMap;

/// The texts by side.
pub(super) fn texts(scenario: &raw::Scenario) -> BTreeMap<SideId, Briefing> {
    let one = |raw: &raw::Briefing| Briefing {
        situation: raw.situation.trim().to_owned(),
        setup: raw.setup.iter().map(|line| line.value.clone()).collect(),
        first: raw.first_orders.iter().map(|o| (o.line.value.clone(), o.why.clone())).collect(),
        cautions: raw.cautions.clone(),
    };
    scenario.briefing.iter().map(|(side, at)| (SideId(side.clone()), one(&at.value))).collect()
}

/// Notes sides that there are not, points that can never score, and, on a sound board, lines that are not legal.
pub(super) fn check(scenario: &raw::Scenario, board: &Board, sound: bool, desk: &mut Desk) {
    // Games that are under way keep the scenario that they began with, and it loads as it did.
    if scenario.briefing.is_empty() {
        return;
    }
    let known = &scenario.sides.value;
    for (side, at) in scenario.briefing.iter().filter(|(side, _)| !known.contains_key(*side)) {
        desk.unknown(at, "side", side, known.keys().map(String::as_str));
    }
    for at in &scenario.objectives {
        let found = board.objectives.iter().find(|o| o.hex.to_string() == at.value.hex.value);
        let Some((place, side)) = found.and_then(|o| Some((o, flow::setup::first_holder(board, o)?))) else { continue };
        let worth = place.points.get(&side).copied().unwrap_or(0);
        if worth != 0 {
            let message =
                format!("{} gives {worth} to {side}, who holds it at the start and can never score it.", place.name);
            desk.flaw(at, message, "Points are for capture (¶415); take them out.");
        }
    }
    if !sound {
        return;
    }
    let (mut state, events) = flow::setup::open(board.clone());
    for event in &events {
        Campaigns::apply(&mut state, event);
    }
    for (side, at) in &scenario.briefing {
        lines(&state, &SideId(side.clone()), &at.value, desk);
    }
}

/// Notes what of a side's lines would not be taken, each in its own stage.
fn lines(state: &State, side: &SideId, briefing: &raw::Briefing, desk: &mut Desk) {
    let mut state = state.clone();
    for line in &briefing.setup {
        if let Some(Order::Flow(Flow::Place { leader, count, .. })) = legal(&state, side, line, desk)
            && let Some(own) = state.sides.get_mut(side)
            && let Some(hex) = own.hex(&leader)
        {
            place(own, hex, count);
        }
    }
    state.turn = state.board.turns.0;
    state.at = Play::Own(side.clone());
    let view = seen(&state, side);
    let army = &view.own.army;
    // ¶80: traced before the first order.
    let loc = army.source.zip(army.center).and_then(|(source, center)| view.situation().loc(source, center));
    if let Some(own) = state.sides.get_mut(side) {
        own.army.loc = loc;
    }
    for order in &briefing.first_orders {
        legal(&state, side, &order.line, desk);
    }
}

/// Puts vedettes of the pool into a hex.
fn place(own: &mut Pieces, hex: crate::hex::Hex, count: u32) {
    let pool = own.vedettes.values_mut().filter(|vedette| **vedette == Vedette::Pool);
    for vedette in pool.take(usize::try_from(count).unwrap_or(0)) {
        *vedette = Vedette::At(hex);
    }
}

/// What a side knows before it has seen anything of the other.
fn seen(state: &State, side: &SideId) -> View {
    see::<Campaigns>(state, &Default::default(), Viewer::Side(side.clone())).into_parts().1
}

/// The order of a line, if it is legal.
fn legal(state: &State, side: &SideId, line: &At<String>, desk: &mut Desk) -> Option<Order> {
    let view = seen(state, side);
    let read = orders::bind(Campaigns::verbs(), &view, &orders::line(1, &line.value));
    match read.and_then(|order| Campaigns::check(&view, &order).map(|_| order)) {
        Ok(order) => Some(order),
        Err(fault) => {
            let message = format!("\"{}\" is not legal at the start: {fault}", line.value);
            desk.flaw(line, message, "Write an order that works as it stands.");
            None
        }
    }
}
