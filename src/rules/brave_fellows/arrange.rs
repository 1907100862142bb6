//! 9 The set-up; and positions for rule cases.

use super::board::{Board, COALITION, FRENCH};
use super::event::{self, Event};
use super::state::{At, Mood, Segment, State, Unit};
use super::{BraveFellows, Intel};
use crate::fog::SideId;
use crate::hex::{Dir, Hex};
use crate::rules::Files;
use crate::rules::cx::{Base, Counts};
use serde::Deserialize;
use std::collections::BTreeMap;

/// 9.0, 9.1, 9.3 What stands where, who controls what, and who has been activated on the first turn.
pub fn setup(board: &Board) -> Vec<Event> {
    let mut events = Vec::new();
    for (hex, piece) in &board.setup {
        let french = board.kinds.get(piece).is_some_and(|kind| kind.side.0 == FRENCH);
        let facing = if french { Dir::NE } else { Dir::SW };
        events.push(Event::Placed { piece: piece.clone(), hex: *hex, facing });
    }
    for place in board.field.places.keys() {
        let side = if board.french_places.contains(place) { FRENCH } else { COALITION };
        events.push(Event::Town { place: place.clone(), side: side.into() });
    }
    let light: Vec<String> = board.kinds.iter().filter(|(_, k)| k.regiment == "4L").map(|(id, _)| id.clone()).collect();
    let first = Event::Activated { side: FRENCH.into(), leaders: vec!["Gaindorge".to_owned()], units: light };
    events.push(first);
    events
}

/// A unit of a case: `1010 N`, and how it is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Piece {
    at: Hex,
    #[serde(default)]
    face: Option<Dir>,
    #[serde(default)]
    mood: Option<Mood>,
    #[serde(default)]
    active: bool,
    #[serde(default)]
    used: bool,
}

/// The position of a case: nothing on the map but what it names.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Before {
    /// The set-up of the scenario instead.
    setup: bool,
    turn: Option<u32>,
    /// The side whose impulse it is; `initiative` and `recovery` besides.
    at: Option<String>,
    segment: Option<Segment>,
    units: BTreeMap<String, Piece>,
    leaders: BTreeMap<String, Hex>,
    /// Leaders on their activated side.
    turned: Vec<String>,
    towns: BTreeMap<String, SideId>,
    free: Vec<String>,
    losses: Vec<String>,
    passes: u32,
    /// A field of clear ground instead of the scenario's.
    clear: bool,
}

/// The position of a case.
///
/// # Errors
/// What it names and the scenario lacks.
pub fn arrange(files: &Files, before: serde_json::Value) -> Result<Base<BraveFellows>, String> {
    let before: Before = serde_json::from_value(before).map_err(|e| e.to_string())?;
    let mut board = Board::read(files).map_err(|flaws| flaws.join("\n"))?;
    if before.clear {
        board.field.cells.values_mut().for_each(|cell| (cell.ground, cell.level) = ("clear".to_owned(), 0));
        board.field.roads.clear();
        board.field.heights.clear();
    }
    let mut s = State::empty(board);
    if before.setup {
        let board = s.board.clone();
        setup(&board).iter().for_each(|event| event::apply(&mut s, event));
        s.units.values_mut().for_each(|unit| unit.active = false);
        s.leaders.values_mut().for_each(|leader| leader.active = false);
    }
    s.turn = before.turn.unwrap_or(s.turn);
    s.at = match before.at.as_deref() {
        None | Some("initiative") => At::Initiative,
        Some("recovery") => At::Recovery,
        Some(side) => At::Impulse(side.into()),
    };
    s.segment = before.segment.unwrap_or(s.segment);
    for (id, piece) in before.units {
        if s.kind(&id).is_none() {
            return Err(format!("there is no unit {id}"));
        }
        let mut unit = Unit::at(piece.at, piece.face.unwrap_or(Dir::N));
        unit.mood = piece.mood.unwrap_or(Mood::Fresh);
        (unit.active, unit.used) = (piece.active, piece.active || piece.used);
        unit.start = piece.active.then_some(piece.at);
        s.units.insert(id, unit);
    }
    for (name, hex) in before.leaders {
        if s.chief(&name).is_none() {
            return Err(format!("there is no leader {name}"));
        }
        s.leaders.entry(name).or_default().hex = Some(hex);
    }
    for name in before.turned {
        let leader = s.leaders.entry(name).or_default();
        (leader.used, leader.active) = (true, true);
    }
    s.towns.extend(before.towns);
    s.free.extend(before.free);
    s.losses.extend(before.losses);
    s.passes = before.passes;
    let minds = [FRENCH, COALITION].map(|side| (side.into(), Intel {})).to_vec();
    Ok(Base { state: s, minds, counts: Counts::default() })
}
