//! The field of a battle on hexes in plain characters: a close-up whose every cell can be read back, and all of it at one
//! character a hex.
//!
//! ```text
//! 2x4L/   2-9 for so many fresh units, then the token; behind it f where one is tired, r where one runs; a road to NE
//! 2014*   the hex; * where a leader is
//! v1NE\   ground, level, facing; a road to SE
//!  |      a road to S; before it, and behind the other roads, the sign of what runs along the hexside
//! ```

pub mod laid;
pub mod paper;
pub mod plate;
pub mod roster;
pub mod story;

use crate::hex::{Dir, Hex, Hexside};
use crate::rules::tactical::field::Field;
use std::collections::BTreeMap;

/// Columns of characters from one column of hexes to the next.
const ACROSS: usize = 6;
/// Lines from one hex to the next below it.
const DOWN: usize = 4;

/// A place as it is read; it may be written so as well.
pub fn worded(place: &str) -> String {
    place.replace('_', " ")
}

/// What stands in a hex.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Who, in at most three characters, or four where nothing is to be said of them; empty for nobody.
    pub token: String,
    /// How they are: one character.
    pub state: char,
    /// How they face: at most two characters.
    pub facing: String,
    /// Whether a leader is there.
    pub leader: bool,
}

/// A field with all that is drawn on it.
pub struct Chart<'a> {
    /// The ground.
    pub field: &'a Field,
    /// The letter of a kind of ground; a blank is not drawn, none is off the field.
    pub glyph: fn(&str) -> Option<char>,
    /// Hexsides along which something runs, and its sign.
    pub edges: BTreeMap<Hexside, char>,
    /// What stands where.
    pub marks: BTreeMap<Hex, Mark>,
}

/// A part of the field: its first hex, and columns and rows of hexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The hex in the upper left corner.
    pub first: Hex,
    /// Columns of hexes.
    pub columns: i16,
    /// Rows of hexes.
    pub rows: i16,
}

impl Window {
    /// A window round a hex, as wide as a page of so many characters, that does not reach over the edges of a field.
    pub fn round(field: &Field, middle: Hex, rows: i16, page: usize) -> Window {
        let last = field.last();
        let columns = i16::try_from((page + 1) / ACROSS).unwrap_or(i16::MAX).min(last.col);
        let rows = rows.min(last.row);
        let begin = |at: i16, many: i16, last: i16| (at - many / 2).clamp(1, (last - many + 1).max(1));
        let first = Hex::new(begin(middle.col, columns, last.col), begin(middle.row, rows, last.row));
        Window { first, columns, rows }
    }

    /// Its hexes, column by column.
    pub fn hexes(self) -> impl Iterator<Item = Hex> {
        let Window { first, columns, rows } = self;
        (0..columns).flat_map(move |col| (0..rows).map(move |row| Hex::new(first.col + col, first.row + row)))
    }

    /// Where the cell of one of its hexes begins: line and character.
    pub fn corner(self, hex: Hex) -> (usize, usize) {
        let at = |n: i16| usize::try_from(n).unwrap_or_default();
        let half = if hex.col % 2 == 0 { DOWN / 2 } else { 0 };
        (at(hex.row - self.first.row) * DOWN + half, at(hex.col - self.first.col) * ACROSS)
    }
}

/// A page of characters.
struct Sheet(Vec<Vec<char>>);

impl Sheet {
    fn put(&mut self, line: usize, at: usize, text: &str) {
        for (n, c) in text.chars().enumerate() {
            if let Some(place) = self.0.get_mut(line).and_then(|line| line.get_mut(at + n)) {
                *place = c;
            }
        }
    }

    fn lines(self) -> Vec<String> {
        self.0.into_iter().map(|line| line.into_iter().collect::<String>().trim_end().to_owned()).collect()
    }
}

/// The close-up of a window.
pub fn close(chart: &Chart<'_>, window: Window) -> Vec<String> {
    let size = |n: i16| usize::try_from(n).unwrap_or_default();
    let (wide, high) = (size(window.columns) * ACROSS, size(window.rows) * DOWN + DOWN / 2);
    let mut sheet = Sheet(vec![vec![' '; wide]; high]);
    for hex in window.hexes() {
        let Some(ground) = chart.field.ground(hex).and_then(chart.glyph) else { continue };
        let (line, at) = window.corner(hex);
        let mark = chart.marks.get(&hex).cloned().unwrap_or_default();
        if !mark.token.is_empty() {
            // A tag of four characters leaves no room for more.
            let state = if mark.token.chars().count() > 3 { String::new() } else { mark.state.to_string() };
            sheet.put(line, at, &format!("{:3}{state}", mark.token));
        }
        let star = if mark.leader { "*" } else { "" };
        sheet.put(line + 1, at, &format!("{hex}{star}"));
        let level = match chart.field.level(hex) {
            0 => " ".to_owned(),
            level => level.to_string(),
        };
        sheet.put(line + 2, at, &format!("{ground}{level}{}", mark.facing));
        for (dir, down, right, sign) in [(Dir::NE, 0, 4, "/"), (Dir::SE, 2, 4, "\\"), (Dir::S, 3, 1, "|")] {
            if chart.field.joined(hex, hex.neighbour(dir)) {
                sheet.put(line + down, at + right, sign);
            }
            // Beside the road, where there is one.
            let sign = Hexside::between(hex, hex.neighbour(dir)).and_then(|side| chart.edges.get(&side));
            sign.into_iter()
                .for_each(|sign| sheet.put(line + down, if right == 1 { at } else { at + 5 }, &sign.to_string()));
        }
    }
    let mut lines = sheet.lines();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// The whole field, a character a hex: who stands there, or the ground, or the level above nought. Columns of even numbers
/// lie half a hex lower.
pub fn whole(chart: &Chart<'_>, sign: impl Fn(Hex) -> Option<char>) -> Vec<String> {
    let last = chart.field.last();
    let head =
        |of: fn(i16) -> i16| (1..=last.col).map(|col| char::from(b'0' + of(col).to_le_bytes()[0])).collect::<String>();
    let mut lines = vec![format!("   {}", head(|col| col / 10)), format!("   {}", head(|col| col % 10))];
    for row in 1..=last.row {
        let cell = |col: i16| {
            let hex = Hex::new(col, row);
            let Some(ground) = chart.field.ground(hex).and_then(chart.glyph) else { return ' ' };
            sign(hex).unwrap_or(match chart.field.level(hex) {
                level @ 1..=9 => char::from(b'0' + level.to_le_bytes()[0]),
                _ if ground == ' ' => '.',
                _ => ground,
            })
        };
        let drawn: String = (1..=last.col).map(cell).collect();
        lines.push(format!("{row:02} {}", drawn.trim_end()));
    }
    lines
}
