//! What a stage mail says of the map: the score, own forces and enemy in few lines, and what has changed since the
//! reader's last letter. Nothing here depends on more than the two views.

use super::forces;
use super::pen::{Pen, tags};
use super::roster::{self, Head, Row};
use crate::hex::Hex;
use crate::rules::campaigns::intel::{Ident, Tie};
use crate::rules::campaigns::pieces::Vedette;
use crate::rules::campaigns::sequence::At;
use crate::rules::campaigns::victory;
use crate::rules::campaigns::view::Counter;
use crate::text::{self, plural};
use std::collections::BTreeMap;

/// Characters of one cell; a longer cell takes the room of two.
const CELL: (usize, usize) = (25, 18);
/// Blanks between cells at least.
const GAP: usize = 2;

/// ¶96, 168, 411, 416 How the game stands, in one line.
pub fn score(pen: &Pen<'_>) -> String {
    let v = pen.v;
    if v.side.is_none() || v.at == At::Over {
        return String::new();
    }
    let held = victory::held(&v.board, &v.control);
    let points = |mine: bool| -> i32 {
        let of = |s: &&crate::rules::campaigns::board::SideSpec| pen.mine(&s.id) == mine;
        v.board.sides.iter().filter(of).filter_map(|s| held.get(&s.id.0)).sum()
    };
    let mut said = vec![morale(pen), format!("points {} to {}", points(true), points(false))];
    if v.own.army.lost > 0 {
        said.push(format!("{} SP lost", v.own.army.lost));
    }
    let ap: Vec<String> = v.own.armies().map(|army| army.ap.to_string()).collect();
    said.push(format!("AP {}", ap.join(" and ")));
    let barred = v.board.policies.no_command_turns.get(&v.own.side).is_some_and(|turns| turns.contains(&v.turn));
    if barred {
        said.push("no commands (¶168)".to_owned());
    }
    said.join(", ")
}

/// ¶5, 411 Where morale stands, as the reader reads it.
pub fn morale(pen: &Pen<'_>) -> String {
    let (v, limit) = (pen.v, pen.v.board.policies.morale_limit);
    if !v.tracks.is_empty() {
        let whose = |side: &crate::fog::SideId| if pen.mine(side) { "yours" } else { "theirs" };
        let both: Vec<String> = v.tracks.iter().map(|(side, level)| format!("{} {level}", whose(side))).collect();
        return format!("morale {} (-{limit} loses)", both.join(", "));
    }
    let french = v.side.as_ref().and_then(|side| v.board.side(side)).is_some_and(|side| side.french);
    let mine = if french { v.morale } else { -v.morale };
    match mine.signum() {
        0 => format!("morale 0 of {limit}"),
        1 => format!("morale {mine} of {limit} for you"),
        _ => format!("morale {} of {limit} for them", -mine),
    }
}

/// Own forces in few lines, and what stands beside their heading.
pub fn own(pen: &Pen<'_>, before: Option<&Pen<'_>>) -> (String, Vec<String>) {
    let rows = roster::rows(&pen.v.board, &pen.v.own);
    let total: i32 = rows.iter().map(|r| r.sp).sum();
    let same = before.is_some_and(|b| alike(b, pen) || standings(b) == standings(pen));
    let count = plural(i64::try_from(rows.len()).unwrap_or(0), "force", "forces");
    let title = format!("{}{count}, {total} SP (UNITS lists them)", if same { "unchanged: " } else { "" });
    let mut hexes: Vec<(Hex, Vec<&Row>)> = Vec::new();
    for row in &rows {
        match hexes.iter_mut().find(|(hex, _)| *hex == row.hex) {
            Some((_, here)) => here.push(row),
            None => hexes.push((row.hex, vec![row])),
        }
    }
    let mut cells = Vec::new();
    for (_, here) in hexes {
        for (n, row) in here.into_iter().enumerate() {
            cells.push(force(pen, row, n == 0));
        }
    }
    let mut lines = packed(pen, cells);
    lines.extend(afield(pen));
    lines.extend(forces::soon(pen));
    (title, lines)
}

/// A force: code, hex, place, SP.
fn force(pen: &Pen<'_>, row: &Row, place: bool) -> String {
    let sp = row.sp;
    let (who, more) = match &row.head {
        Head::Leader(id) => (pen.code(id), forces::mode(pen, id)),
        Head::Garrison(_) => ("garrison".to_owned(), String::new()),
    };
    let named = pen.place(row.hex).filter(|_| place);
    let at = named.map_or_else(|| row.hex.to_string(), |place| format!("{} {place}", row.hex));
    format!("{who} {at} {sp}{more}")
}

/// Vedettes, their pool and the centers, in one paragraph.
fn afield(pen: &Pen<'_>) -> Vec<String> {
    let mut words = Vec::new();
    let mut pool = 0;
    for (n, vedette) in &pen.v.own.vedettes {
        match vedette {
            Vedette::Pool => pool += 1,
            Vedette::Portrait(id) => words.push(format!("v{n} with {}", pen.code(id))),
            Vedette::At(hex) => words.push(format!("v{n} {hex}")),
        }
    }
    words.push(format!("pool {pool}"));
    let said = format!("vedettes {}; {}", words.join(", "), centers(pen));
    text::wrap(&said, pen.width(), "  ", 4)
}

/// ¶80-85 The own centers with the length of their lines of communication.
fn centers(pen: &Pen<'_>) -> String {
    let one = |army: &crate::rules::campaigns::pieces::Army| match army.center {
        None => "center off the map".to_owned(),
        Some(hex) => {
            let loc = match &army.loc {
                Some(loc) => {
                    format!(", LOC {} of {}", loc.effective.max(0), pen.v.board.policies.max_loc(&pen.v.own.side))
                }
                None => String::new(),
            };
            format!("center {}{loc}", pen.at(hex))
        }
    };
    pen.v.own.armies().map(one).collect::<Vec<_>>().join("; ")
}

/// Whether nothing of one's own has changed.
fn alike(a: &Pen<'_>, b: &Pen<'_>) -> bool {
    a.v.own == b.v.own && a.v.old == b.v.old
}

/// What the forces of a side are compared by: who stands where with what.
fn standings(pen: &Pen<'_>) -> BTreeMap<String, (Hex, i32, String)> {
    let rows = roster::rows(&pen.v.board, &pen.v.own);
    let mut found = BTreeMap::new();
    for row in rows {
        let sp = row.sp;
        let (key, mode) = match &row.head {
            Head::Leader(id) => (id.0.clone(), forces::mode(pen, id)),
            Head::Garrison(id) => (format!("garrison {}", id.0), String::new()),
        };
        found.insert(key, (row.hex, sp, mode));
    }
    found
}

/// The enemy in few lines, and what stands beside the heading.
pub fn foe(pen: &Pen<'_>) -> (String, Vec<String>) {
    let mut hexes: BTreeMap<Hex, Vec<u32>> = BTreeMap::new();
    for (n, counter) in &pen.v.enemy {
        hexes.entry(counter.hex).or_default().push(*n);
    }
    let known = pen.v.enemy.values().filter(|c| c.tie.is_some()).count();
    let stacks = plural(i64::try_from(hexes.len()).unwrap_or(0), "stack", "stacks");
    let title = format!("{stacks}, {} counters, {known} identified (ENEMY lists them)", pen.v.enemy.len());
    let cells: Vec<String> = hexes.iter().map(|(hex, here)| stack(pen, *hex, here)).collect();
    let mut lines = packed(pen, cells);
    let marks = markers(pen);
    if !marks.is_empty() {
        lines.extend(text::wrap(&marks.join("; "), pen.width(), "  ", 4));
    }
    if pen.v.enemy.is_empty() {
        return ("no counters seen".to_owned(), lines);
    }
    (title, lines)
}

/// The enemy's centers and sources, which stand in open sight.
fn markers(pen: &Pen<'_>) -> Vec<String> {
    let kinds = [("their center", &pen.v.enemy_centers), ("their source", &pen.v.enemy_sources)];
    let said = |(word, hexes): (&str, &Vec<Option<Hex>>)| {
        hexes.iter().flatten().map(|hex| format!("{word} {}", pen.at(*hex))).collect::<Vec<_>>()
    };
    kinds.into_iter().flat_map(said).collect()
}

/// The counters of one hex: `1644 Maissau E1 Miloradovich 12 SP, E2`.
fn stack(pen: &Pen<'_>, hex: Hex, here: &[u32]) -> String {
    let (known, hidden): (Vec<u32>, Vec<u32>) =
        here.iter().partition(|n| pen.v.enemy.get(n).is_some_and(|c| c.tie.is_some()));
    let mut parts: Vec<String> = known.iter().filter_map(|n| Some(named(pen, *n, pen.v.enemy.get(n)?))).collect();
    if !hidden.is_empty() {
        parts.push(tags(&hidden).join(" "));
    }
    let seen = here.iter().filter_map(|n| pen.v.seen.get(n)).max().map_or_else(String::new, |t| format!(" (turn {t})"));
    format!("{} {}{seen}", pen.at(hex), parts.join(", "))
}

/// An identified counter: `E1 Miloradovich 12`, with the turn of what is not of this one.
fn named(pen: &Pen<'_>, n: u32, counter: &Counter) -> String {
    let Some(tie) = &counter.tie else { return format!("E{n}") };
    let name = match &tie.ident {
        Ident::Leader(id) => pen.leader_short(id),
        Ident::Vedette => "vedette".to_owned(),
        Ident::Garrison => "garrison".to_owned(),
    };
    let doubt = if tie.of > 1 && !counter.face_up { "?" } else { "" };
    let sp = tie.sp.map_or_else(String::new, |(sp, turn)| format!(" {sp} SP{}", aged(pen, turn)));
    let old = if tie.sp.is_none() { aged(pen, tie.turn) } else { String::new() };
    format!("E{n} {name}{doubt}{sp}{old}")
}

fn aged(pen: &Pen<'_>, turn: u32) -> String {
    if turn == pen.v.turn { String::new() } else { format!(" t{turn}") }
}

/// What stands otherwise than the reader's last letter showed: own forces, vedettes, enemy; ready lines.
pub fn changed(pen: &Pen<'_>, before: &Pen<'_>) -> Vec<String> {
    let mut lines = own_changes(pen, before);
    let (old, new) = (&before.v.enemy, &pen.v.enemy);
    let mut hexes: BTreeMap<Hex, Vec<u32>> = BTreeMap::new();
    for (n, counter) in new.iter().filter(|(n, c)| old.get(*n).is_none_or(|o| looks(o) != looks(c))) {
        hexes.entry(counter.hex).or_default().push(*n);
    }
    let cells: Vec<String> = hexes.iter().map(|(hex, here)| stack(pen, *hex, here)).collect();
    lines.extend(packed(pen, cells));
    let mut said = Vec::new();
    let gone: Vec<u32> = old.keys().filter(|n| !new.contains_key(*n)).copied().collect();
    if !gone.is_empty() {
        said.push(format!("out of sight {}", tags(&gone).join(" ")));
    }
    let marks = markers(before);
    said.extend(markers(pen).into_iter().filter(|mark| !marks.contains(mark)));
    if !said.is_empty() {
        lines.extend(text::wrap(&said.join("; "), pen.width(), "  ", 4));
    }
    lines
}

/// What of a counter is worth a row of its own when it changes.
fn looks(counter: &Counter) -> (Hex, Option<&Tie>) {
    (counter.hex, counter.tie.as_ref())
}

fn own_changes(pen: &Pen<'_>, before: &Pen<'_>) -> Vec<String> {
    if alike(before, pen) {
        return Vec::new();
    }
    let (old, new) = (standings(before), standings(pen));
    let rows = roster::rows(&pen.v.board, &pen.v.own);
    let key = |row: &Row| match &row.head {
        Head::Leader(id) => id.0.clone(),
        Head::Garrison(id) => format!("garrison {}", id.0),
    };
    let moved = rows.iter().filter(|row| old.get(&key(row)) != new.get(&key(row)));
    let cells: Vec<String> = moved.map(|row| force(pen, row, true)).collect();
    let mut lines = packed(pen, cells);
    let gone: Vec<String> = roster::rows(&before.v.board, &before.v.own)
        .iter()
        .filter(|row| !new.contains_key(&key(row)))
        .map(|row| match &row.head {
            Head::Leader(id) => pen.code(id),
            Head::Garrison(_) => format!("the garrison at {}", row.hex),
        })
        .collect();
    let mut said = Vec::new();
    if !gone.is_empty() {
        said.push(format!("no longer a force: {}", gone.join(" ")));
    }
    said.extend(vedettes(pen, before));
    let (now, then) = (centers(pen), centers(before));
    if now != then {
        said.push(now);
    }
    if !said.is_empty() {
        lines.extend(text::wrap(&said.join("; "), pen.width(), "  ", 4));
    }
    lines
}

/// Vedettes that stand elsewhere than they did, and the pool where it has changed.
fn vedettes(pen: &Pen<'_>, before: &Pen<'_>) -> Option<String> {
    let moved = pen.v.own.vedettes.iter().filter(|(n, v)| before.v.own.vedettes.get(*n) != Some(v));
    let mut words: Vec<String> = moved
        .filter_map(|(n, vedette)| match vedette {
            Vedette::At(hex) => Some(format!("v{n} {hex}")),
            Vedette::Portrait(id) => Some(format!("v{n} with {}", pen.code(id))),
            Vedette::Pool => None,
        })
        .collect();
    let pool = |pen: &Pen<'_>| pen.v.own.vedettes.values().filter(|v| **v == Vedette::Pool).count();
    if pool(pen) != pool(before) {
        words.push(format!("pool {}", pool(pen)));
    }
    (!words.is_empty()).then(|| words.join(", "))
}

/// Cells side by side, as many a line as the page holds.
fn packed(pen: &Pen<'_>, cells: Vec<String>) -> Vec<String> {
    columns(pen, cells, if pen.format.narrow { CELL.1 } else { CELL.0 })
}

/// Cells side by side in columns of a width; a longer one takes the room of two.
pub fn columns(pen: &Pen<'_>, cells: Vec<String>, cell: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for said in cells {
        let wide = text::width(&said);
        let start = lines.last().map(|line| {
            let used = text::width(line) - 2;
            (used + GAP).div_ceil(cell) * cell + 2
        });
        match (lines.last_mut(), start) {
            (Some(line), Some(start)) if start + wide <= pen.width() => {
                let blanks = start - text::width(line);
                line.push_str(&" ".repeat(blanks));
                line.push_str(&said);
            }
            _ => lines.extend(text::wrap(&said, pen.width(), "  ", 6)),
        }
    }
    lines
}
