//! 8.2 The Grand Battery of the Coalition: guns that stand in three hexes of the map and fire by hexsides.

use super::board::{Arm, COALITION, FRENCH};
use super::event::Event;
use super::fatigue::{self, At};
use super::state::{Fate, Mood, State};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::orders::{Fault, deny};
use crate::rules::tactical::sight;

/// 8.2.3 The hex beyond the hexside through which guns fire at a target: the one that the line passes first.
pub(super) fn side_to(s: &State, unit: &str, at: Hex) -> Option<Hex> {
    let hex = s.hex(unit)?;
    let line = sight::under(hex, at);
    let first = match line.first() {
        Some(under) => vec![Some(under.hex), under.other],
        None => vec![Some(at)],
    };
    let sides: Vec<Hex> = s.gun_sides(unit)?.iter().map(|dir| hex.neighbour(*dir)).collect();
    first.into_iter().flatten().find(|hex| sides.contains(hex))
}

/// 8.2.3 Guns of a Grand Battery hex that fire have fired through their hexside in this turn.
pub(super) fn spend(cx: &mut At<'_>, units: &[String], at: Hex) {
    for unit in units.iter().filter(|unit| cx.state().is_battery(unit)).cloned().collect::<Vec<_>>() {
        if let Some(side) = side_to(cx.state(), &unit, at) {
            cx.emit(Event::Salvo { unit, side });
        }
    }
}

/// 8.2.3 Whether the guns of a hex may fire: through a hexside with guns, once in a turn by each, in an impulse of Kutusov or
/// of a unit that stands in their hex.
///
/// # Errors
/// Why not.
pub fn may(s: &State, unit: &str, at: Hex) -> Result<(), Fault> {
    let hex = s.hex(unit);
    let side = side_to(s, unit, at);
    let side = side.ok_or_else(|| Fault::refused(format!("no gun of {unit} points at {at}"), "8.2.3"))?;
    let fired = s.salvos.contains(&(unit.to_owned(), side));
    deny(fired, format_args!("these guns of {unit} have fired in this turn"), "8.2.3")?;
    let chief = s.leaders.get("Kutusov").is_some_and(|leader| leader.active);
    let crew = s.standing().any(|(id, u, at)| u.active && Some(at) == hex && !s.is_battery(id));
    deny(!(chief || crew), format_args!("neither Kutusov nor a unit in their hex is activated for {unit}"), "8.2.3")
}

/// 8.2.6 After a fire whose result sends back all who stand there.
pub(super) fn give_up_after(cx: &mut At<'_>, at: Hex, by: &[String], result: &str) {
    if result == "R" {
        give_up(cx, at, by);
    }
}

/// 8.2.6 Guns that were to go back and cannot are lost where the French can come into their hex.
pub(super) fn give_up(cx: &mut At<'_>, at: Hex, by: &[String]) {
    let s = cx.state();
    let coalition: SideId = COALITION.into();
    let french: SideId = FRENCH.into();
    let stack = s.stack(at, &coalition);
    let [only] = stack.as_slice() else { return };
    let only = only.clone();
    let foe = |id: &String, u: &super::state::Unit, hex: Hex| {
        let foot = s.kind(id).is_some_and(|kind| kind.arm != Arm::Art);
        let able = s.is_of(id, &french) && u.active && foot && u.mood != Mood::Routed && hex.adjacent(at);
        // 6.3.9, 6.4.9 Who fired at the hex, or attacked it, can go into it.
        able && by.contains(id)
    };
    if s.is_battery(&only) && s.standing().any(|(id, u, hex)| foe(id, u, hex)) {
        fatigue::fall(cx, &only, Fate::Eliminated);
    }
}
