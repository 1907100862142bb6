//! 9.1, 9.2.3, 9.2.4, 9.3 Where pieces may be set up and deployed.

use super::arrive::REAR_GUARD;
use super::board::{Arm, COALITION, FRENCH, Force};
use super::event::Event;
use super::fatigue::At;
use super::state::{At as When, State};
use crate::fog::SideId;
use crate::hex::{Dir, Hex};
use crate::orders::{Fault, deny};
use std::collections::{BTreeMap, BTreeSet};

/// 9.1.3 The westernmost column of hexes of Column V.
const FIFTH_WEST: i16 = 28;
/// 9.1.3, 9.2.3, 9.2.4 How far from its number a column is set up.
const NEAR: i16 = 2;

/// The name by which a piece belongs together with others: its column, or its regiment where it is French.
fn group(s: &State, piece: &str) -> Option<String> {
    match (s.kind(piece), s.chief(piece)) {
        (Some(kind), _) if kind.side.0 == FRENCH => Some(match kind.regiment.as_str() {
            "GA" | "GH" => "100".to_owned(),
            // DB.9 The dummy goes with it.
            _ if s.is_dummy(piece) => "100".to_owned(),
            regiment => regiment.to_owned(),
        }),
        (Some(kind), _) => kind.formation.first().cloned(),
        (None, Some(chief)) => chief.column.clone().or(match piece {
            "Kutusov" => Some("V".to_owned()),
            "Gaindorge" => Some("4L".to_owned()),
            "Campana" => Some("100".to_owned()),
            "Mortier" | "Gazan" => Some("staff".to_owned()),
            _ => None,
        }),
        (None, None) => None,
    }
}

/// 9.2.3 Level 1 and towns; 9.2.4 Level 2; within two hexes of the column's number, the nearest first.
fn ground_of(s: &State, column: &str) -> Vec<Hex> {
    let marker = s.board.printed.column_markers.get(column).and_then(|hexes| hexes.first()).copied();
    let town = |hex: &Hex| s.board.field.ground(*hex) == Some("town");
    let fit = |hex: &Hex| match column {
        "II" => s.board.field.level(*hex) == 1 || town(hex),
        "III" => s.board.field.level(*hex) == 2,
        _ => hex.col >= FIFTH_WEST && s.board.ground(*hex).is_some_and(|g| g.cost(Some(Arm::Inf)).is_some()),
    };
    let Some(marker) = marker else { return Vec::new() };
    let on = |hex: &Hex| s.board.field.cells.contains_key(hex);
    let mut found: Vec<Hex> = marker.within(NEAR).into_iter().filter(|hex| on(hex) && fit(hex)).collect();
    found.sort_by_key(|hex| (hex.distance(marker), *hex));
    found
}

/// 9.1.2, 9.1.3, 9.2.3, 9.2.4, 9.3.1 The hexes in which a piece may be put in this stage; none where it is not its turn.
pub fn area(s: &State, piece: &str) -> BTreeSet<Hex> {
    let Some(own_group) = group(s, piece) else { return BTreeSet::new() };
    let hexes: Vec<Hex> = match (&s.at, own_group.as_str()) {
        (When::Setup(side), "I") if side.0 == COALITION => {
            s.board.printed.column_markers.get("I").cloned().unwrap_or_default()
        }
        (When::Setup(side), "V") if side.0 == COALITION => ground_of(s, "V"),
        // 9.3.1 Single squadrons have a hex each.
        (When::Setup(side), "DR") if side.0 == FRENCH => {
            s.board.setup.iter().filter(|(_, other)| other == piece).map(|(hex, _)| *hex).collect()
        }
        (When::Setup(side), group_name) if side.0 == FRENCH => {
            let own = s.board.setup.iter().filter(|(_, other)| group(s, other).as_deref() == Some(group_name));
            own.map(|(hex, _)| *hex).collect()
        }
        (When::Muster(force), column) if force.name() == column => ground_of(s, column),
        _ => Vec::new(),
    };
    hexes.into_iter().collect()
}

/// 9.1-9.3 Whether pieces may be put in a hex.
///
/// # Errors
/// Why not.
pub fn may(s: &State, pieces: &[String], at: Hex) -> Result<(), Fault> {
    let rule = match (&s.at, pieces.first().and_then(|piece| group(s, piece)).as_deref()) {
        (When::Setup(side), _) if side.0 == FRENCH => "9.3.1",
        (When::Setup(_), Some("V")) => "9.1.3",
        (When::Setup(_), _) => "9.1.2",
        (When::Muster(Force::III), _) => "9.2.4",
        _ => "9.2.3",
    };
    match pieces.iter().find(|piece| !area(s, piece).contains(&at)) {
        Some(piece) => Err(Fault::refused(format!("{piece} may not be put in {at}"), rule)),
        None if at.row > s.board.printed.rear_guard_rows.1 && pieces.iter().any(|piece| s.rear.contains(piece)) => {
            Err(Fault::refused(format!("the Rear Guard stays in rows 01 to 06, and {at} lies outside"), "9.2.5"))
        }
        None if pieces.iter().filter_map(|id| s.kind(id)).any(|kind| s.held_against(at, &kind.side)) => {
            Err(Fault::refused(format!("an enemy stands in {at}"), "6.2.8"))
        }
        None if room(s, pieces, at) => Ok(()),
        None => Err(Fault::refused(format!("there is no room for them in {at}"), "4.1.1")),
    }
}

/// 4.1 Whether pieces find room in a hex; those that change places do.
fn room(s: &State, pieces: &[String], at: Hex) -> bool {
    let units: Vec<String> = pieces.iter().filter(|piece| s.kind(piece).is_some()).cloned().collect();
    let side = units.first().and_then(|id| s.kind(id)).map(|kind| kind.side.clone());
    pieces.iter().any(|piece| fixed_group(s, piece)) || !side.is_some_and(|side| s.crowded_with(at, &side, &units))
}

/// What pieces that are put in a hex make happen; 9.3.1 of the 100th and its batteries one each stands in a hex, so that two
/// change places.
pub(super) fn placed(s: &State, side: &SideId, pieces: &[String], at: Hex, face: Option<Dir>) -> Vec<Event> {
    let mut events = Vec::new();
    for piece in pieces {
        let facing = face.or(s.units.get(piece).map(|u| u.facing)).unwrap_or(Dir::N);
        let from = s.hex(piece);
        let arm = s.kind(piece).map(|kind| kind.arm);
        let there = s.stack(at, side).into_iter().find(|id| s.kind(id).map(|kind| kind.arm) == arm && id != piece);
        if let Some((other, hex)) = there.zip(from).filter(|_| fixed_group(s, piece)) {
            let facing = s.units.get(&other).map_or(Dir::N, |u| u.facing);
            events.push(Event::Placed { piece: other, hex, facing });
        }
        events.push(Event::Placed { piece: piece.clone(), hex: at, facing });
    }
    events
}

/// Puts pieces in a hex, 4.1 within the limits.
/// 6.2.8, DB.4 where an enemy whom nobody saw stands there, in the nearest hex that is free.
pub(super) fn put(cx: &mut At<'_>, side: &SideId, pieces: &[String], at: Hex, face: Option<Dir>) {
    let Some(()) = cx.allowed(may(&cx.view(side).state, pieces, at)) else { return };
    let s = cx.state();
    let mut hexes: Vec<Hex> = pieces.first().map(|piece| area(s, piece)).into_iter().flatten().collect();
    hexes.sort_by_key(|hex| (hex.distance(at), *hex));
    let Some(at) = hexes.into_iter().find(|hex| may(s, pieces, *hex).is_ok()) else {
        return cx.outcome(super::play::unseen(format!("there is no room for them in or near {at}")));
    };
    for event in placed(cx.state(), side, pieces, at, face) {
        cx.emit(event);
    }
}

fn fixed_group(s: &State, piece: &str) -> bool {
    s.kind(piece).is_some()
        && !s.is_dummy(piece)
        && group(s, piece).as_deref() == Some("100")
        && matches!(s.at, When::Setup(_))
}

/// 9.2.3, 9.2.4 A column that musters: each regiment in a hex, from its number outward, its leaders with the first ones.
pub(super) fn deploy(cx: &mut At<'_>, force: Force, units: &[String], leaders: &[String]) {
    let s = cx.state();
    let side: SideId = COALITION.into();
    let mut regiments: BTreeMap<(bool, String), Vec<String>> = BTreeMap::new();
    for unit in units {
        let regiment = s.kind(unit).map(|kind| kind.regiment.clone()).unwrap_or_default();
        regiments.entry((s.is_dummy(unit), regiment)).or_default().push(unit.clone());
    }
    let free: Vec<Hex> = ground_of(s, force.name()).into_iter().filter(|hex| !s.held_against(*hex, &side)).collect();
    let mut hexes: Vec<Hex> = free.iter().copied().filter(|hex| s.stack(*hex, &side).is_empty()).collect();
    let mut pairs: Vec<(Vec<String>, Hex)> = Vec::new();
    for units in regiments.into_values() {
        // 9.2.5 Regiments of the Rear Guard stand where it may operate.
        let rear = units.iter().any(|unit| REAR_GUARD.contains(&unit.as_str()));
        let next = hexes.iter().position(|hex| !rear || hex.row <= s.board.printed.rear_guard_rows.1);
        pairs.extend(next.map(|at| (units, hexes.remove(at))));
    }
    for (units, hex) in &pairs {
        for piece in units {
            cx.emit(Event::Placed { piece: piece.clone(), hex: *hex, facing: Dir::S });
        }
    }
    for (leader, (_, hex)) in leaders.iter().zip(&pairs) {
        cx.emit(Event::Placed { piece: leader.clone(), hex: *hex, facing: Dir::S });
    }
}

/// 9.2.5 Whether units may be named as the Rear Guard: of Column II, and only while it is deployed.
///
/// # Errors
/// Why not.
pub fn may_guard(s: &State, units: &[String]) -> Result<(), Fault> {
    deny(s.at != When::Muster(Force::II), "the Rear Guard is named when Column II musters", "9.2.5")?;
    for unit in units {
        let own = super::bounds::of_column(s, unit, "II");
        deny(!own, format_args!("{unit} is not of Column II"), "9.2.5")?;
    }
    for unit in units {
        let out = s.hex(unit).is_some_and(|hex| hex.row > s.board.printed.rear_guard_rows.1);
        deny(out, format_args!("{unit} does not stand in rows 01 to 06: PUT it there first"), "9.2.5")?;
    }
    Ok(())
}
