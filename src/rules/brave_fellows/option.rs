//! 11 Options that are not reinforcements: ammunition, impetus.

use super::board::{Arm, COALITION, FRENCH, Switch};
use super::event::Event;
use super::eyes;
use super::fatigue::{At, Named};
use super::state::{Mood, State};
use std::collections::BTreeMap;

/// 11.3 The highest result with which a column keeps its impetus.
const IMPETUS: i32 = 3;

/// 11.2 A French fire without guns whose die is a 1 leaves its first unit low on ammunition.
pub(super) fn run_short(cx: &mut At<'_>, by: &[String], die: i32) {
    let s = cx.state();
    let foot = |id: &String| s.kind(id).is_some_and(|kind| kind.side.0 == FRENCH && kind.arm != Arm::Art);
    let short = s.plays(Switch::Ammunition) && die == 1 && by.iter().all(foot);
    if let Some(unit) = by.first().filter(|_| short).cloned() {
        cx.emit(Event::Short { unit, low: true });
    }
}

/// 11.2 A unit that was activated and has neither moved nor fired nor fought has filled its pouches.
pub(super) fn supply(cx: &mut At<'_>) {
    let filled = cx.state().standing().filter(|(_, u, _)| u.low && u.active && !u.busy);
    for unit in filled.map(|(id, ..)| id.clone()).collect::<Vec<_>>() {
        cx.emit(Event::Short { unit, low: false });
    }
}

/// Columns with the number of their units, and of those that are gone, routed or fatigued.
fn columns(s: &State) -> BTreeMap<String, (usize, usize)> {
    let mut found: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (id, u) in s.units.iter().filter(|(id, u)| u.waits.is_none() && !s.is_dummy(id)) {
        let Some(kind) = s.kind(id).filter(|kind| kind.side.0 != FRENCH) else { continue };
        if let Some(column) = kind.formation.first() {
            let (all, bad) = found.entry(column.clone()).or_default();
            *all += 1;
            *bad += usize::from(u.gone.is_some() || u.mood != Mood::Fresh);
        }
    }
    found
}

/// 11.3 When recovery is over each column of which more than half is gone, routed or fatigued rolls, less its leader's CV; a
/// result above 3 costs it its impetus for the next turn.
pub(super) fn impetus(cx: &mut At<'_>) {
    if !cx.state().plays(Switch::Impetus) {
        return;
    }
    let mut stalled = Vec::new();
    for (column, (all, bad)) in columns(cx.state()) {
        if 2 * bad <= all {
            continue;
        }
        let label = eyes::of_side(cx, "impetus", &COALITION.into()).at(&Named(&column));
        let die = cx.d6(&label);
        let s = cx.state();
        let of = |name: &String| s.chief(name).filter(|chief| chief.column.as_ref() == Some(&column)).map(|c| c.cv);
        let led = s.leaders.iter().filter(|(_, l)| l.hex.is_some()).filter_map(|(name, _)| of(name)).max();
        if die - led.unwrap_or(0) > IMPETUS {
            stalled.push(column);
        }
    }
    cx.emit(Event::Stalled { columns: stalled });
}
