//! 9 The set-up; and positions for rule cases.

use super::board::{Board, COALITION, FRENCH, Force, Sight, Switch};
use super::event::{self, Event};
use super::state::{At, BATTERY, Fate, Freed, Mood, Segment, State, Unit};
use super::{BraveFellows, told};
use crate::fog::SideId;
use crate::hex::{Dir, Hex};
use crate::rules::Files;
use crate::rules::cx::{Base, Counts};
use crate::rules::tactical::table::minds;
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
        let side = if board.printed.french_control_at_start.contains(place) { FRENCH } else { COALITION };
        events.push(Event::Town { place: place.clone(), side: side.into() });
    }
    for (hex, sides) in &board.printed.grand_battery {
        // 8.2.1
        let facing = sides.first().copied().unwrap_or(Dir::S);
        events.push(Event::Placed { piece: format!("{BATTERY}-{hex}"), hex: *hex, facing });
    }
    events.extend(board.scenario.free.iter().map(|what| Event::Released { what: *what }));
    if board.scenario.ready {
        return events;
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
    /// 4.2.3 With a Charged marker.
    #[serde(default)]
    charged: bool,
    /// 11.2
    #[serde(default)]
    low: bool,
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
    free: Vec<Freed>,
    /// 5 Forces that have come.
    came: Vec<Force>,
    /// 5.2.1 Pieces that wait off the map, and the hex by which they come.
    waits: BTreeMap<String, Hex>,
    /// 9.2.5 The Rear Guard.
    rear: Vec<String>,
    /// 9.5.2 The turn in which Column II crossed the light blue line.
    crossed: Option<u32>,
    /// 5.3.1 Eliminated units.
    dead: Vec<String>,
    /// 5.3 Surrendered units.
    surrendered: Vec<String>,
    /// 6.1.10, 6.5.2b Leaders who are killed or captured.
    killed: Vec<String>,
    /// 6.5.2a Wounded leaders, with the turn in which they come back.
    wounded: BTreeMap<String, u32>,
    /// 4.1.10 Hexes that were over-stacked before.
    crowds: Vec<Hex>,
    /// 11 Options.
    options: Vec<Switch>,
    /// DB.1 What is hidden.
    sight: Sight,
    /// 12.0 Sides that the house leads.
    solo: Vec<SideId>,
    losses: Vec<String>,
    passes: u32,
    /// A field of clear ground instead of the scenario's.
    clear: bool,
    /// 6.2.3b Hexes that lie on another level than the scenario's.
    levels: BTreeMap<Hex, i8>,
}

/// The position of a case.
///
/// # Errors
/// What it names and the scenario lacks.
pub fn arrange(files: &Files, before: serde_json::Value) -> Result<Base<BraveFellows>, String> {
    let before: Before = serde_json::from_value(before).map_err(|e| e.to_string())?;
    let mut board = Board::read(files).map_err(|flaws| flaws.join("\n"))?;
    if before.clear {
        board.field.flatten();
        board.field.heights.clear();
    }
    board.field.raise(&before.levels)?;
    board.scenario.options.extend(before.options.iter().copied());
    board.hide(before.sight);
    board.scenario.solo.extend(before.solo.iter().cloned());
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
        Some("reinforcement") => At::Reinforcement,
        Some("regroup") => At::Regroup,
        Some("setup/coalition") => At::Setup(COALITION.into()),
        Some("setup/french") => At::Setup(FRENCH.into()),
        Some(side) => At::Impulse(side.into()),
    };
    s.segment = before.segment.unwrap_or(s.segment);
    stand(&mut s, &before)?;
    rest(&mut s, before)?;
    super::eyes::mark(&mut s);
    let nothing = State { seen: BTreeMap::new(), ..s.clone() };
    let minds = minds(&s, &s.towns, |mind, side| {
        let told = told::sight_of(&nothing, &Event::Regrouping, &s, mind, side);
        told.iter().for_each(|told| told::recall(mind, told));
    });
    Ok(Base { state: s, minds, counts: Counts::default() })
}

/// Units and leaders on the map.
fn stand(s: &mut State, before: &Before) -> Result<(), String> {
    for (id, piece) in &before.units {
        if s.kind(id).is_none() {
            return Err(format!("there is no unit {id}"));
        }
        let mut unit = Unit::at(piece.at, piece.face.unwrap_or(Dir::N));
        unit.mood = piece.mood.unwrap_or(Mood::Fresh);
        (unit.active, unit.used) = (piece.active, piece.active || piece.used);
        unit.start = piece.active.then_some(piece.at);
        (unit.charged, unit.low) = (piece.charged, piece.low);
        s.units.insert(id.clone(), unit);
    }
    for (name, hex) in &before.leaders {
        if s.chief(name).is_none() {
            return Err(format!("there is no leader {name}"));
        }
        s.leaders.entry(name.clone()).or_default().hex = Some(*hex);
    }
    for name in &before.turned {
        let leader = s.leaders.entry(name.clone()).or_default();
        (leader.used, leader.active) = (true, s.at != At::Initiative);
    }
    Ok(())
}

/// What is off the map, and what is known of the game so far.
fn rest(s: &mut State, before: Before) -> Result<(), String> {
    for (piece, by) in before.waits {
        if s.kind(&piece).is_none() && s.chief(&piece).is_none() {
            return Err(format!("there is no {piece}"));
        }
        event::apply(s, &Event::Waits { piece, by });
    }
    let gone = before.dead.iter().map(|id| (id, Fate::Eliminated));
    for (id, fate) in gone.chain(before.surrendered.iter().map(|id| (id, Fate::Surrendered))) {
        let mut unit = Unit::at(Hex::new(1, 1), Dir::N);
        (unit.hex, unit.gone) = (None, Some(fate));
        s.units.insert(id.clone(), unit);
    }
    for name in before.killed {
        s.leaders.entry(name).or_default().lost = true;
    }
    for (name, turn) in before.wounded {
        s.leaders.entry(name).or_default().until = Some(turn);
    }
    s.came.extend(before.came);
    s.rear.extend(before.rear);
    s.crossed = before.crossed;
    s.crowds.extend(before.crowds);
    s.towns.extend(before.towns);
    s.free.extend(before.free);
    s.losses.extend(before.losses);
    s.passes = before.passes;
    Ok(())
}
