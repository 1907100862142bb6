//! 11.3 Points, and who wins: the scenario's.

use super::board::{ALLIED, Arm, FRENCH, other};
use super::event::Event;
use super::hand::Hand;
use super::march;
use super::state::{Level, State};
use crate::fog::SideId;
use crate::orders::{Fault, deny};

/// Who holds a place anew.
fn taker(s: &State, place: &str) -> Option<SideId> {
    s.sides().into_iter().find(|side| is_held(s, place, side, |_| true))
}

/// 11.3, H.7 Whether a side holds a place by the units of which somebody knows: its unrouted foot is in more than half of the
/// hexes.
pub fn is_held(s: &State, place: &str, side: &SideId, known: impl Fn(&String) -> bool) -> bool {
    let Some(hexes) = s.board.ground.field.places.get(place) else { return false };
    let foot = |id: &String| s.is_of(id, side) && s.is_arm(id, Arm::Inf) && !s.is(id, |u| u.level == Level::Rout);
    let held = hexes.iter().filter(|hex| s.stack(**hex).iter().any(|id| foot(id) && known(id))).count();
    2 * held > hexes.len()
}

/// Places change hands.
pub(super) fn hold(cx: &mut Hand<'_>) {
    let places: Vec<String> = cx.state().board.scenario.victory.places.keys().cloned().collect();
    for place in places {
        if let Some(side) = taker(cx.state(), &place).filter(|side| cx.state().places.get(&place) != Some(side)) {
            cx.emit(Event::Holds { place, side });
        }
    }
}

/// 11.2, 11.3 The points of a side.
pub fn points(s: &State, side: &SideId) -> i32 {
    let v = &s.board.scenario.victory;
    let held = |(place, points): (&String, &i32)| {
        let scores = v.scores_for == *side && s.places.get(place) == Some(side);
        if scores { *points } else { 0 }
    };
    let enemy = other(side);
    let places: i32 = v.places.iter().map(held).sum();
    let broken = s.board.divisions.keys().filter(|id| s.board.side_of(id) == Some(&enemy) && s.is_division_broken(id));
    let corps = s.board.corps.iter().filter(|(id, corps)| corps.side == enemy && s.is_corps_broken(id));
    let exits = v.exits.as_ref().filter(|exits| exits.side == *side).map_or(0, |exits| s.exited / exits.per.max(1));
    let count = |n: usize| i32::try_from(n).unwrap_or_default();
    places + v.division * count(broken.count()) + v.corps * count(corps.count()) + exits
}

/// Whether a unit may leave the map by its edge: one of the side that has points for it, in the column of hexes there, with a
/// point of movement left.
///
/// # Errors
/// Why not.
pub fn may_exit(s: &State, unit: &str) -> Result<(), Fault> {
    march::may_move(s, std::slice::from_ref(&unit.to_owned()))?;
    let exits = s.board.scenario.victory.exits.as_ref().filter(|exits| s.is_of(unit, &exits.side));
    let Some(exits) = exits else { return Err(Fault::refused("nobody of yours leaves the map", "11.3")) };
    let there = s.hex(unit).is_some_and(|hex| hex.col == exits.column);
    deny(!there, format_args!("{unit} is not at that edge"), "11.3")?;
    deny(s.is(unit, |u| u.going.spent >= u.going.ma), format_args!("{unit} has no MP left"), "5.1")
}

/// The winner by the scenario's margins, and the points of the Allies over those of the French.
pub fn verdict(s: &State) -> (Option<SideId>, i32) {
    let v = &s.board.scenario.victory;
    let margin = points(s, &ALLIED.into()) - points(s, &FRENCH.into());
    let winner = if margin >= v.allied_margin {
        Some(SideId::from(ALLIED))
    } else {
        (margin <= v.french_margin).then(|| SideId::from(FRENCH))
    };
    (winner, margin)
}
