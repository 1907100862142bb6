//! 9.2-9.5 What holds commands and units back, what sets them free, and what a step does besides.

use super::board::{COALITION, FRENCH, other};
use super::event::Event;
use super::fatigue::At;
use super::state::{Freed, State};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::orders::{Fault, deny};

/// 9.3.1, 9.4.1 Where the squadron stands that may act from the start.
const FIRST_SQUADRON: Hex = Hex::new(19, 14);
/// 9.4.3a The column of hexes that releases the rest of Gazan's division.
const RELEASE_COLUMN: i16 = 18;
/// 9.4.2b From this turn a leader at hand releases the Elite battalion.
const ELITE_TURN: u32 = 6;
/// 9.4.3b On this turn the rest of Gazan's division is free.
const GAZAN_TURN: u32 = 4;

/// 9.2.6, 9.2.7 How near the French come to a hex of a column that is set free by it.
const NEAR: u32 = 3;
/// 9.5.3 How near Column II and the first French come to each other.
const NEAR_LINE: u32 = 4;

/// Whether a unit belongs to a column.
pub(super) fn of_column(s: &State, unit: &str, column: &str) -> bool {
    s.kind(unit).is_some_and(|kind| kind.formation.iter().any(|f| f == column))
}

/// 9.5.1 Whether a unit is one of the French who are there at the start.
fn at_start(s: &State, unit: &str) -> bool {
    s.kind(unit).is_some_and(|kind| kind.side.0 == FRENCH && kind.formation.first().is_some_and(|f| f == "Gazan"))
}

/// 9.1.4, 9.2.6, 9.4.1, 9.4.3 Whether a leader may be activated yet; 9.2.7 Kutusov by Column VI too, which is directly under
/// him.
pub fn free(s: &State, leader: &str) -> bool {
    let Some(chief) = s.chief(leader) else { return false };
    let first = ["Mortier", "Gazan", "Campana"].contains(&leader);
    match (chief.side.0.as_str(), chief.column.as_deref()) {
        (FRENCH, _) => !first || s.free.contains(&Freed::Gazan),
        (_, Some("V")) => s.free.contains(&Freed::V),
        (_, None) => s.free.contains(&Freed::V) || s.free.contains(&Freed::VI),
        (_, Some(_)) => true,
    }
}

/// 9.1.4, 9.2.6, 9.4.1, 9.4.3 Whether a unit may not be activated yet, by whomever; the paragraph.
pub fn held(s: &State, unit: &str) -> Option<&'static str> {
    let first = s.board.setup.iter().any(|(hex, piece)| *hex == FIRST_SQUADRON && piece == unit);
    let light = s.kind(unit).is_some_and(|kind| kind.regiment == "4L");
    if at_start(s, unit) && !first && !light && !s.free.contains(&Freed::Gazan) {
        Some("9.4.1")
    } else if of_column(s, unit, "V") && !s.free.contains(&Freed::V) {
        Some("9.1.4")
    } else {
        None
    }
}

/// 8.4.1, 9.2.5, 9.2.7, 9.4.2, 9.5.1, 11.3 Whether a unit may go from one hex to another where the ground allows it, be it by a
/// move, a charge of whatever kind, or an advance.
///
/// # Errors
/// Why not.
pub(super) fn tied(s: &State, unit: &str, to: Hex) -> Result<(), Fault> {
    tied_from(s, unit, s.hex(unit), to)
}

/// 8.4.1, 9.2.5, 9.2.7, 9.4.2, 9.5.1, 11.3 The same for a step from any hex of a way. 9.2.5 Who was driven out of the rows of
/// the Rear Guard comes back by steps of which each leads nearer.
/// House: 9.2.5 lets them "only operate" there. Without a way back whom combat has driven out would never act again.
///
/// # Errors
/// Why not.
pub(super) fn tied_from(s: &State, unit: &str, from: Option<Hex>, to: Hex) -> Result<(), Fault> {
    let reserved = super::march::is_reserved(s, unit, to);
    deny(reserved, "only the Elite battalion goes into the Strong Point", "8.4.1")?;
    let elite = s.in_strong_point(unit) && !s.free.contains(&Freed::Elite);
    deny(elite, format_args!("{unit} is bound to its Strong Point"), "9.4.2")?;
    deny(of_column(s, unit, "VI"), format_args!("{unit} does not move"), "9.2.7")?;
    let back = from.is_some_and(|from| from.row > to.row);
    let rear = s.rear.contains(unit) && to.row > s.board.printed.rear_guard_rows.1 && !back;
    deny(rear, format_args!("{unit} is of the Rear Guard, and stays in rows 01 to 06"), "9.2.5")?;
    let stalled = stalled(s, unit) && s.kind(unit).is_some_and(|kind| s.in_enemy_front(to, &kind.side));
    deny(stalled, format_args!("the column of {unit} has lost its impetus"), "11.3")?;
    let north = at_start(s, unit) && crosses(s, from, to) && !s.free.contains(&Freed::Line);
    deny(north, format_args!("{unit} does not go north of the dark blue line yet"), "9.5.1")
}

/// 9.5.1 Whether a way goes north over the dark blue line.
fn crosses(s: &State, from: Option<Hex>, to: Hex) -> bool {
    s.board.north_of_line(to) && !from.is_some_and(|from| s.board.north_of_line(from))
}

/// 11.3 Whether a unit's column has lost its impetus.
pub(super) fn stalled(s: &State, unit: &str) -> bool {
    s.stalled.iter().any(|column| of_column(s, unit, column))
}

/// 9.5.1 Whether a leader may not go there yet.
pub(super) fn tied_leader(s: &State, leader: &str, to: Hex) -> bool {
    let first = ["Mortier", "Gazan", "Gaindorge", "Campana"].contains(&leader);
    let from = s.leaders.get(leader).and_then(|l| l.hex);
    first && crosses(s, from, to) && !s.free.contains(&Freed::Line)
}

/// 8.4.4 A step out of the Strong Point ends it; 9.4.2a one next to it frees the Elite battalion; 9.5.2 the first step of
/// Column II over the light blue line is remembered; 4.1.10 an over-stack that it leaves may be none any more; 9.2.6, 9.2.7,
/// 9.4.3a, 9.5.3 whom it sets free is free at once.
pub(super) fn moved(cx: &mut At<'_>, unit: &str, from: Hex, to: Hex) {
    super::stacks::forget(cx);
    if cx.state().is_dummy(unit) {
        return;
    }
    let s = cx.state();
    let point = s.board.printed.strong_point;
    let elite = s.is_elite(unit);
    if s.strong && elite && from == point && to != point {
        cx.emit(Event::Razed { hex: point });
    }
    let s = cx.state();
    let beside = s.is_of(unit, &COALITION.into()) && to.adjacent(point);
    if beside && s.strong && s.standing().any(|(id, ..)| s.in_strong_point(id)) {
        set_free(cx, Freed::Elite);
    }
    let s = cx.state();
    if s.crossed.is_none() && of_column(s, unit, "II") && s.board.field.crosses("light_blue", from, to) {
        cx.emit(Event::Crossed { turn: s.turn });
    }
    passed(cx, unit, to);
}

/// 9.2.6, 9.2.7, 9.4.3a, 9.5.3 What the step of a unit sets free, though it goes on from there.
fn passed(cx: &mut At<'_>, unit: &str, to: Hex) {
    let s = cx.state();
    let french = s.is_of(unit, &FRENCH.into());
    let near = |hex: Hex, far: u32| hex.distance(to) <= far;
    let (first, second) = (at_start(s, unit), of_column(s, unit, "II"));
    let fifth = french && posts(s).into_iter().any(|hex| near(hex, NEAR));
    let west = s.turn < GAZAN_TURN && of_column(s, unit, "I") && to.col <= RELEASE_COLUMN;
    let line = s
        .standing()
        .any(|(id, _, hex)| near(hex, NEAR_LINE) && ((first && of_column(s, id, "II")) || (second && at_start(s, id))));
    let sixth = french && near(s.board.sixth, NEAR) && !s.free.contains(&Freed::VI);
    set_all_free(cx, [(Freed::V, fifth), (Freed::Gazan, west), (Freed::Line, line)], sixth);
}

/// 9.2.6, 9.2.7, 9.4.3, 9.5.3 Sets free what is so; Column VI appears with its own.
fn set_all_free(cx: &mut At<'_>, found: [(Freed, bool); 3], sixth: bool) {
    found.into_iter().filter(|(_, free)| *free).for_each(|(what, _)| set_free(cx, what));
    if sixth {
        super::arrive::sixth(cx);
    }
}

/// 9.2.6 The hexes in which Column V was set up, also those that its units have left or died in.
fn posts(s: &State) -> Vec<Hex> {
    let fifth = s.units.iter().filter(|(id, _)| of_column(s, id, "V"));
    fifth.filter_map(|(id, u)| s.posts.get(id).copied().or(u.hex)).collect()
}

pub(super) fn set_free(cx: &mut At<'_>, what: Freed) {
    if !cx.state().free.contains(&what) {
        cx.emit(Event::Released { what });
    }
}

/// 9.2.6, 9.4.3, 9.5.3 Commands that the enemy's coming, or the fourth turn, sets free; 9.2.7 Column VI appears.
pub(super) fn release(cx: &mut At<'_>) {
    let s = cx.state();
    let french: SideId = FRENCH.into();
    let fifth = posts(s);
    let near = |at: Hex, far: u32| s.standing().any(|(id, _, hex)| s.is_of(id, &french) && at.distance(hex) <= far);
    let first_west = s.standing().any(|(id, _, hex)| of_column(s, id, "I") && hex.col <= RELEASE_COLUMN);
    let second = || s.standing().filter(|(id, ..)| of_column(s, id, "II")).map(|(.., hex)| hex);
    let seen = s.standing().any(|(id, _, hex)| at_start(s, id) && second().any(|at| at.distance(hex) <= NEAR_LINE));
    let come = s.standing().any(|(id, ..)| of_column(s, id, "Dupont"));
    let sixth = !s.free.contains(&Freed::VI) && near(s.board.sixth, NEAR);
    let found = [
        (Freed::V, fifth.iter().any(|at| near(*at, NEAR))),
        (Freed::Gazan, s.turn >= GAZAN_TURN || first_west),
        (Freed::Line, seen || come),
    ];
    set_all_free(cx, found, sixth);
}

/// 9.4.2b Between impulses a leader in or next to the Strong Point frees the Elite battalion, from the sixth turn on.
pub(super) fn release_elite(cx: &mut At<'_>) {
    let s = cx.state();
    let near = |name: &str| {
        s.leaders.get(name).and_then(|l| l.hex).is_some_and(|hex| hex.distance(s.board.printed.strong_point) <= 1)
    };
    let inside = s.standing().any(|(id, ..)| s.in_strong_point(id));
    if inside && s.turn >= ELITE_TURN && (near("Mortier") || near("Gazan")) {
        set_free(cx, Freed::Elite);
    }
}

/// 6.6.1 Who comes into a town controls it.
pub(super) fn hold(cx: &mut At<'_>, side: &SideId, hex: Hex) {
    let place = cx.state().board.field.place(hex).map(str::to_owned);
    if let Some(place) = place.filter(|place| cx.state().towns.get(place) != Some(side)) {
        cx.emit(Event::Town { place, side: side.clone() });
    }
}

/// 6.2.8, 6.5.4 A leader alone in a hex that an enemy enters is taken.
pub(super) fn capture(cx: &mut At<'_>, side: &SideId, hex: Hex) {
    let enemy = other(side);
    for leader in cx.state().leaders_at(hex, &enemy) {
        cx.emit(Event::Hurt { leader: leader.clone(), until: None });
        super::leader::mourn(cx, &leader, hex, false);
    }
}
