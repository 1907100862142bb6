//! IV. Morale and victory (¶67, 395-397, 411-416).

use super::Campaigns;
use super::flow::event::Event;
use super::sequence::{Victory, VictoryReason};
use super::state::State;
use crate::fog::SideId;
use crate::rules::Play;
use crate::rules::cx::Cx;
use std::collections::BTreeMap;

/// ¶67 The Morale Phase of a player-turn.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn morale_phase(_cx: &mut Cx<'_, Campaigns>, _side: &SideId) -> Play<()> {
    Ok(())
}

/// ¶416 The last turn has been played: the objectives decide.
pub fn last_turn(cx: &mut Cx<'_, Campaigns>) {
    let points = points(cx.state());
    let best = points.values().max().copied().unwrap_or(0);
    let leading: Vec<&String> = points.iter().filter(|(_, p)| **p == best).map(|(s, _)| s).collect();
    let winner = match leading.as_slice() {
        [only] => Some(SideId((*only).clone())),
        _ => None,
    };
    cx.emit(Event::Over { victory: Victory { winner, reason: VictoryReason::LastTurn, points } }.into());
}

/// Points of the objectives that each side holds now (¶415; house values).
pub fn points(s: &State) -> BTreeMap<String, i32> {
    let mut points: BTreeMap<String, i32> = s.order_of_sides().into_iter().map(|side| (side.0, 0)).collect();
    for objective in &s.board.objectives {
        let Some(holder) = s.control.get(&objective.hex) else { continue };
        if super::flow::setup::first_holder(&s.board, objective).as_ref() == Some(holder) {
            continue;
        }
        let worth = objective.points.get(holder).copied().unwrap_or(0);
        *points.entry(holder.0.clone()).or_default() += worth;
    }
    points
}
