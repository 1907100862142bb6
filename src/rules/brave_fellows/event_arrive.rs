//! How the events of set-up and reinforcement change the truth, and those that mark hexes and columns.

use super::board::{Force, other};
use super::event::{Event, change};
use super::state::{At, State, Unit, Wish};
use crate::hex::{Dir, Hex};

/// Changes the truth; holds no rules.
pub(super) fn apply(s: &mut State, e: &Event) {
    match e {
        Event::Ready { side } => {
            let first = side.0 == super::board::COALITION;
            s.at = if first { At::Setup(other(side)) } else { At::Initiative };
        }
        Event::Came { force } => {
            s.came.insert(*force);
            if matches!(force, Force::II | Force::III) {
                s.placing.push(*force);
            }
        }
        Event::Waits { piece, by } => waits(s, piece, *by),
        Event::Follows { turn } => s.second = Some(*turn),
        Event::Deploying { force } => s.at = At::Muster(*force),
        Event::Deployed { force } => s.placing.retain(|other| other != force),
        Event::RearGuard { units } => s.rear = units.iter().cloned().collect(),
        Event::Regrouping => s.at = At::Regroup,
        Event::Returned { unit, hex } => {
            let facing = s.units.get(unit).map_or(Dir::N, |u| u.facing);
            s.units.insert(unit.clone(), Unit::at(*hex, facing));
        }
        Event::Regrouped => {
            s.wishes.values_mut().for_each(|own| own.retain(Wish::lasts));
            s.wishes.retain(|_, own| !own.is_empty());
            s.at = At::Initiative;
        }
        Event::Disbanded { unit } => drop(s.units.remove(unit)),
        Event::Wished { side, wish } => {
            let own = s.wishes.entry(side.clone()).or_default();
            // The last word of a kind counts.
            own.retain(|old| !wish.replaces(old));
            own.push(wish.clone());
        }
        Event::Back { leader, hex } => {
            let back = s.leaders.entry(leader.clone()).or_default();
            (back.hex, back.until) = (Some(*hex), None);
        }
        Event::Crowd { hex, over: true } => _ = s.crowds.insert(*hex),
        Event::Crowd { hex, over: false } => _ = s.crowds.remove(hex),
        Event::Salvo { unit, side } => _ = s.salvos.insert((unit.clone(), *side)),
        Event::Short { unit, low } => change(s, unit, |u| u.low = *low),
        Event::Stalled { columns } => s.stalled = columns.iter().cloned().collect(),
        Event::Entered { pieces, at, cost } => entered(s, pieces, *at, *cost),
        // What `event` does itself.
        Event::Placed { .. }
        | Event::Razed { .. }
        | Event::Crossed { .. }
        | Event::Town { .. }
        | Event::Released { .. }
        | Event::First { .. }
        | Event::Activated { .. }
        | Event::Idle { .. }
        | Event::Began { .. }
        | Event::Climbs { .. }
        | Event::Stepped { .. }
        | Event::Wasted { .. }
        | Event::Vanished { .. }
        | Event::Turned { .. }
        | Event::Halted { .. }
        | Event::Finished { .. }
        | Event::Balked { .. }
        | Event::Charged { .. }
        | Event::Stood { .. }
        | Event::Ran { .. }
        | Event::Met { .. }
        | Event::Spent { .. }
        | Event::Rode { .. }
        | Event::Followed { .. }
        | Event::Checked { .. }
        | Event::Risked { .. }
        | Event::Became { .. }
        | Event::Fell { .. }
        | Event::Fired { .. }
        | Event::Fought { .. }
        | Event::Refused { .. }
        | Event::Went { .. }
        | Event::Hurt { .. }
        | Event::Taken { .. }
        | Event::Missed { .. }
        | Event::Amended { .. }
        | Event::Passed { .. }
        | Event::Ended { .. }
        | Event::Recovering
        | Event::Turn { .. }
        | Event::Over { .. } => {}
    }
}

fn waits(s: &mut State, piece: &str, by: Hex) {
    if s.board.chiefs.contains_key(piece) {
        s.leaders.entry(piece.to_owned()).or_default().waits = Some(by);
    } else {
        let mut unit = Unit::at(by, Dir::SE);
        (unit.hex, unit.waits) = (None, Some(by));
        s.units.insert(piece.to_owned(), unit);
    }
}

fn entered(s: &mut State, pieces: &[String], at: Hex, cost: i32) {
    *s.entered.entry(at).or_default() += 1;
    for piece in pieces {
        if let Some(leader) = s.leaders.get_mut(piece) {
            (leader.hex, leader.waits) = (Some(at), None);
        }
        change(s, piece, |u| {
            (u.hex, u.waits, u.start, u.spent, u.busy) = (Some(at), None, Some(at), cost, true);
        });
    }
}
