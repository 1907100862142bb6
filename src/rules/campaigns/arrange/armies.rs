//! The armies of a side in a position (¶93).

use super::hex;
use crate::fog::SideId;
use crate::rules::campaigns::board::{ArmyId, LeaderId};
use crate::rules::campaigns::pieces::{Abroad, Army};
use crate::rules::campaigns::state::State;
use serde::Deserialize;

/// One of several armies of a side. What is not named stays as the scenario has it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ArmyBefore {
    ap: Option<i32>,
    source: Option<String>,
    source_captured: bool,
    source_moving: Option<String>,
    center: Option<String>,
    center_off: bool,
    center_moved: bool,
    via: bool,
}

/// Places one army of a side, whichever is at the desk.
pub(super) fn place(state: &mut State, side: &SideId, name: &str, wanted: &ArmyBefore) -> Result<(), String> {
    let id = ArmyId(name.to_owned());
    let pieces = state.pieces_mut(side).ok_or(format!("no side {side}"))?;
    pieces.army_named(&id).ok_or(format!("{side} has no army {name}"))?;
    let desk = pieces.army.name.clone();
    pieces.turn_to(&id);
    let army = &mut pieces.army;
    army.ap = wanted.ap.unwrap_or(army.ap);
    if let Some(text) = &wanted.source {
        army.source = Some(hex(text)?);
    }
    army.source = army.source.filter(|_| !wanted.source_captured);
    army.source_moving = wanted.source_moving.as_deref().map(hex).transpose()?;
    if let Some(text) = &wanted.center {
        army.center = Some(hex(text)?);
    }
    army.center = army.center.filter(|_| !wanted.center_off);
    army.center_moved = wanted.center_moved;
    army.via = wanted.via;
    if let Some(desk) = desk {
        pieces.turn_to(&desk);
    }
    Ok(())
}

/// Traces the line of each army of a side.
pub(super) fn trace(state: &mut State, side: &SideId) {
    let armies = super::super::armies::of_side(state, side);
    let desk = state.pieces(side).and_then(|p| p.army.name.clone());
    let desks = if armies.is_empty() { vec![None] } else { armies.into_iter().chain(desk).map(Some).collect() };
    for army in desks {
        if let Some((p, army)) = state.pieces_mut(side).zip(army) {
            p.turn_to(&army);
        }
        let loc = state.situation(side).and_then(|s| {
            let army = &s.own.army;
            s.loc(army.source?, army.center?)
        });
        if let Some(p) = state.pieces_mut(side) {
            p.army.loc = loc;
        }
    }
}

/// The army whose phase it is.
pub(super) fn phase(state: &mut State, name: &str) -> Result<(), String> {
    let army = ArmyId(name.to_owned());
    let side = state.sides.iter().find(|(_, p)| p.army_named(&army).is_some()).map(|(side, _)| side.clone());
    let side = side.ok_or(format!("no army {name}"))?;
    state.phase.army = Some(army.clone());
    state.turn_desk(&side, &army);
    Ok(())
}

/// A march off the map: the exit, the turn on which it began, that of the return, and the hex of it if it is one only.
pub(super) fn abroad((leader, text): (&String, &String)) -> Result<(LeaderId, Abroad), String> {
    let words: Vec<&str> = text.split(' ').collect();
    let turn = |text: &str| text.parse().map_err(|_| format!("abroad \"{text}\": no turn"));
    match words.as_slice() {
        [exit, since, until, rest @ ..] => {
            let to = rest.first().map(|text| hex(text)).transpose()?;
            let abroad = Abroad { exit: hex(exit)?, since: turn(since)?, turn: turn(until)?, to };
            Ok((LeaderId(leader.clone()), abroad))
        }
        _ => Err(format!("abroad \"{text}\": an exit and two turns")),
    }
}

/// What has become of the pool and of the Paris Garrison (¶127-128).
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ParisBefore {
    returned: bool,
    drawn: Option<u32>,
    delay: u32,
    closed_until: u32,
    points_of: u32,
}

impl ParisBefore {
    pub(super) fn place(&self, army: &mut Army) {
        army.paris_returned = self.returned;
        army.paris_drawn = self.drawn;
        army.pool_delay = self.delay;
        army.pool_closed_until = self.closed_until;
        army.points_of = self.points_of;
    }
}
