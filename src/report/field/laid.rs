//! A field as an order sheet has it: the part of it that is shown, its drawing, and the places there.

use super::Window;
use super::plate::{Scene, holds, sheet};
use super::roster::Roster;
use crate::hex::Hex;
use crate::report::sheet::Sheet;
use std::collections::{BTreeMap, BTreeSet};

/// Hexes round pieces that the sheet still shows.
const MARGIN: i16 = 3;
/// An enemy within so many hexes of an own piece is shown.
const CONCERNS: u32 = 12;

/// The part of a field that holds own pieces, and enemies near them, with a margin.
pub fn part(roster: &Roster<'_>, own: &BTreeSet<Hex>, foes: impl Iterator<Item = Hex>) -> Window {
    let last = roster.field.last();
    let ghosts = roster.ghosts.iter().map(|(_, hex)| *hex);
    window(last, own, foes.chain(ghosts), roster.middle(false).unwrap_or(last))
}

/// The part of a field, whose last hex is given, that holds own pieces, and of others those near them, with a margin; round a
/// hex where nobody is.
pub fn window(last: Hex, own: &BTreeSet<Hex>, others: impl Iterator<Item = Hex>, middle: Hex) -> Window {
    let near = |hex: &Hex| own.iter().any(|at| at.distance(*hex) <= CONCERNS);
    let all: Vec<Hex> = others.filter(near).chain(own.iter().copied()).collect();
    let bounds = |of: fn(&Hex) -> i16, most: i16| {
        let least = all.iter().map(of).min().unwrap_or(of(&middle)) - MARGIN;
        let end = all.iter().map(of).max().unwrap_or(of(&middle)) + MARGIN;
        (least.max(1), end.min(most))
    };
    let ((west, east), (north, south)) = (bounds(|h| h.col, last.col), bounds(|h| h.row, last.row));
    Window { first: Hex::new(west, north), columns: east - west + 1, rows: south - north + 1 }
}

/// What a sheet shows of a field.
pub struct Laid {
    /// The map.
    pub map: Sheet,
    /// Named places.
    pub places: BTreeMap<String, String>,
    /// The drawing.
    pub svg: String,
}

/// Lays out a window of a field.
pub fn lay(scene: &Scene<'_>, window: Window) -> Laid {
    let (svg, view) = sheet(scene, window);
    let places = scene.field.places.iter().flat_map(|(name, hexes)| hexes.iter().map(move |hex| (*hex, name)));
    let places =
        places.filter(|(hex, _)| holds(window, *hex)).map(|(hex, name)| (hex.to_string(), super::worded(name)));
    let first = window.first;
    let (columns, rows) = ([first.col, first.col + window.columns - 1], [first.row, first.row + window.rows - 1]);
    Laid { map: Sheet::new(columns, rows, view), places: places.collect(), svg }
}

/// Hexes as they are written.
pub fn words<'h>(hexes: impl IntoIterator<Item = &'h Hex>) -> Vec<String> {
    hexes.into_iter().map(Hex::to_string).collect()
}
