//! 5.2 Units that come on from the edge of the map.

use super::bounds;
use super::event::Event;
use super::fatigue::At;
use super::state::State;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::orders::{Fault, deny};
use crate::rules::tactical::table::Table;

/// The hex by which the first of some pieces comes on.
fn door(s: &State, pieces: &[String]) -> Option<Hex> {
    let of = |piece: &String| {
        s.units.get(piece).and_then(|u| u.waits).or_else(|| s.leaders.get(piece).and_then(|l| l.waits))
    };
    pieces.first().and_then(of)
}

/// 5.2.4, 9.6.4 What the next stack pays that comes on by a hex: one point more than the one before.
pub(super) fn price(s: &State, at: Hex) -> i32 {
    s.entered.get(&at).copied().unwrap_or(0) + 1
}

/// 5.2.1-5.2.4, 9.6.4 Whether pieces may come on as one stack: activated, by their hex or one next to it, within the limits
/// of stacks and of their allowances.
///
/// # Errors
/// Why not.
pub fn may(s: &State, pieces: &[String], at: Option<Hex>) -> Result<Hex, Fault> {
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let Some(door) = door(s, pieces) else { return refused("they do not wait off the map".to_owned(), "5.2.1") };
    let at = at.unwrap_or(door);
    deny(at.distance(door) > 1, format_args!("they come on by {door} or a hex next to it"), "9.6.4")?;
    let mut side: SideId = "".into();
    for piece in pieces {
        let unit = s.units.get(piece).filter(|u| u.waits.is_some());
        let leader = s.leaders.get(piece).filter(|l| l.waits.is_some());
        let acts = unit.map_or_else(|| leader.is_some_and(|l| l.active), |u| u.active);
        deny(!acts, format_args!("{piece} is not activated, or does not wait off the map"), "5.2.1")?;
        let tried = unit.is_some_and(|u| u.done) || leader.is_some_and(|l| l.rode);
        deny(tried, format_args!("{piece} has tried to come on, and stays outside in this impulse"), "DB.4")?;
        let price = price(s, at);
        deny(unit.is_some() && s.ma(piece) < price, format_args!("{piece} would have to pay {price} MP"), "5.2.4")?;
        let arm = s.kind(piece).map(|kind| kind.arm);
        deny(!s.board.carries(at, arm), format_args!("{piece} cannot go into {at}"), "6.2.3a")?;
        side = s.owner(piece).cloned().unwrap_or(side);
    }
    let units: Vec<String> = pieces.iter().filter(|piece| s.kind(piece).is_some()).cloned().collect();
    deny(s.held_against(at, &side), format_args!("an enemy stands in {at}"), "6.2.8")?;
    deny(s.crowded_with(at, &side, &units), format_args!("there is no room for them in {at}"), "5.2.3")?;
    Ok(at)
}

/// 5.2 A stack comes on.
pub(super) fn enter(cx: &mut At<'_>, side: &SideId, pieces: &[String], at: Option<Hex>) {
    let Some(at) = cx.allowed(may(cx.state(), pieces, at)) else { return };
    super::march::begin(cx, pieces);
    let cost = price(cx.state(), at);
    cx.emit(Event::Entered { pieces: pieces.to_vec(), at, cost });
    bounds::hold(cx, side, at);
    bounds::capture(cx, side, at);
    super::march::halt_in_front(cx, side, pieces, at);
}
