//! 4.1.7-4.1.11 Over-stacks: when they are tested, and what has to become of them.

use super::bounds;
use super::event::{self, Event};
use super::fatigue::{self, At, Why};
use super::march;
use super::state::State;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::tactical::sum::Sum;

/// 4.1.9 Every unit of a stack that has become more than may be there checks at once.
/// House: who comes into an over-stack makes no new one, and checks nothing: 4.1.9 has the check "when the over-stack occurs".
pub(super) fn press(cx: &mut At<'_>, hex: Hex, side: &SideId) {
    if !cx.state().crowded(hex, side) || cx.state().crowds.contains(&hex) {
        return;
    }
    cx.emit(Event::Crowd { hex, over: true });
    check_all(cx, hex, side);
}

fn check_all(cx: &mut At<'_>, hex: Hex, side: &SideId) {
    for unit in cx.state().stack(hex, side) {
        if cx.state().is(&unit, |u| u.hex == Some(hex)) && !cx.state().is_battery(&unit) {
            fatigue::endure(cx, &unit, Why::OverStack, Sum::default());
        }
    }
}

/// 4.1.7, 4.1.9 When movement is over, stacks that are too high check; 4.1.10 one that was so before, and whose units could
/// move, is thinned out.
pub(super) fn settle(cx: &mut At<'_>, side: &SideId) {
    let mut hexes: Vec<Hex> = cx.state().standing().filter(|(_, unit, _)| unit.active).map(|(_, _, hex)| hex).collect();
    hexes.sort_unstable();
    hexes.dedup();
    for hex in hexes {
        if cx.state().crowds.contains(&hex) {
            thin_out(cx, hex, side);
        } else {
            press(cx, hex, side);
        }
    }
}

/// 4.1.10 Units that can still move step out of an over-stack to the next hex with room, the last named first; 6.2.3d by the
/// die for the levels, though nobody was ordered to move.
fn thin_out(cx: &mut At<'_>, hex: Hex, side: &SideId) {
    if cx.state().crowded(hex, side) {
        march::climb(cx, side);
    }
    for unit in cx.state().stack(hex, side).into_iter().rev() {
        if !cx.state().crowded(hex, side) {
            return;
        }
        if let Some((to, cost, level)) = way_out(cx.state(), &unit, hex, side) {
            let step = out(cx.state(), &unit, (to, cost, level));
            cx.emit(step);
            bounds::moved(cx, &unit, hex, to);
            march::enter(cx, side, to);
        }
    }
}

/// 4.1.10 The step of a unit out of an over-stack.
fn out(s: &State, unit: &str, (to, cost, level): (Hex, i32, i8)) -> Event {
    let facing = s.units.get(unit).map_or(crate::hex::Dir::N, |u| u.facing);
    Event::Stepped { unit: unit.to_owned(), to, facing, cost, level, with: Vec::new(), pressed: true }
}

/// 4.1.10 The steps out of a side's over-stacks that would come when movement is over, on a table of one's own.
pub(super) fn leaving(s: &State, side: &SideId) -> Vec<Event> {
    if s.crowds.is_empty() {
        return Vec::new();
    }
    let (mut s, mut found) = (s.clone(), Vec::new());
    let acting: std::collections::BTreeSet<Hex> =
        s.standing().filter(|(id, u, _)| u.active && s.is_of(id, side)).map(|(.., hex)| hex).collect();
    for hex in acting.into_iter().filter(|hex| s.crowds.contains(hex)).collect::<Vec<_>>() {
        for unit in s.stack(hex, side).into_iter().rev() {
            if !s.crowded(hex, side) {
                break;
            }
            if let Some(way) = way_out(&s, &unit, hex, side) {
                let step = out(&s, &unit, way);
                event::apply(&mut s, &step);
                found.push(step);
            }
        }
    }
    found
}

fn way_out(s: &State, unit: &str, hex: Hex, side: &SideId) -> Option<(Hex, i32, i8)> {
    let u = s.units.get(unit).filter(|u| u.active && !u.halted)?;
    let left = s.ma(unit) - u.spent;
    let one = [unit.to_owned()];
    let ways = hex.neighbours().into_iter().filter_map(|to| {
        let step = march::step(s, unit, hex, to, u.climbed).ok()?;
        let known = step.chart == 0 || s.level_die.is_some();
        if step.cost > left || !known {
            return None;
        }
        let room = !s.crowded_with(to, side, &one) && bounds::tied(s, unit, to).is_ok();
        room.then_some((s.in_enemy_front(to, side), to, step))
    });
    ways.min_by_key(|(front, to, step)| (*front, step.cost, *to)).map(|(_, to, step)| (to, step.cost, step.chart))
}

/// 4.1.10 Hexes whose over-stack is none any more.
pub(super) fn ended(s: &State) -> Vec<Event> {
    let over = |hex: &Hex| s.sides().iter().any(|side| s.crowded(*hex, side));
    s.crowds.iter().copied().filter(|hex| !over(hex)).map(|hex| Event::Crowd { hex, over: false }).collect()
}

/// 4.1.9 What is remembered of an over-stack goes with it, whoever's impulse it is: the next one in its hex is a new one.
pub(super) fn forget(cx: &mut At<'_>) {
    for event in ended(cx.state()) {
        cx.emit(event);
    }
}

/// 4.1.11 Over-stacks that are still there when the Activation Phase is over check again.
pub(super) fn endure(cx: &mut At<'_>) {
    for hex in cx.state().crowds.clone() {
        for side in cx.state().sides() {
            if cx.state().crowded(hex, &side) {
                check_all(cx, hex, &side);
            }
        }
    }
}
