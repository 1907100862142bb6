//! 6.5 What happens to leaders.

use super::event::Event;
use super::fatigue::{self, At, Why};
use super::{eyes, victory};
use crate::hex::Hex;
use crate::rules::tactical::sum::Sum;

/// 6.5.1, 6.5.2 A leader's dice: a 6, then 5 wounds him for two d6 of turns and 6 kills him. 10.1 Where a commander is lost
/// already the game is over, and nobody rolls.
pub(super) fn risk(cx: &mut At<'_>, leader: &str) {
    if victory::automatic(cx.state()).is_some() {
        return;
    }
    let Some(hex) = cx.state().leaders.get(leader).and_then(|l| l.hex) else { return };
    let label = eyes::of_unit(cx, "leader", leader);
    let first = cx.d6(&label);
    let mut dice = vec![first];
    if first == 6 {
        dice.push(cx.d6(&label));
    }
    let second = dice.get(1).copied();
    cx.emit(Event::Risked { leader: leader.to_owned(), dice });
    match second {
        Some(5) => {
            let turns: u32 = cx.roll(&label.step("turns"), 2, 6).iter().sum();
            let until = cx.state().turn + turns;
            cx.emit(Event::Hurt { leader: leader.to_owned(), until: Some(until) });
        }
        Some(6) => {
            cx.emit(Event::Hurt { leader: leader.to_owned(), until: None });
            mourn(cx, leader, hex, true);
        }
        _ => {}
    }
}

/// 6.5.3, 6.5.4 The units that obeyed him check: those next to the hex, and in it where he was killed.
pub(super) fn mourn(cx: &mut At<'_>, leader: &str, hex: Hex, in_hex_too: bool) {
    let s = cx.state();
    let near = |at: Hex| at.adjacent(hex) || (in_hex_too && at == hex);
    let units = s.standing().filter(|(id, _, at)| near(*at) && s.obeys(id, leader));
    let units: Vec<String> = units.map(|(id, _, _)| id.clone()).collect();
    for unit in units {
        fatigue::endure(cx, &unit, Why::LeaderLoss, Sum::default());
    }
}
