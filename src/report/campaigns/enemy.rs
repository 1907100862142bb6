//! The enemy as known: every counter in open sight, and what was learnt of it, with its age (¶30-33).

use super::pen::{Pen, tags};
use super::seat::Foe;
use crate::hex::Hex;
use crate::rules::campaigns::intel::{Ident, Tie};
use crate::rules::campaigns::view::Counter;
use crate::text::{self, Column, Table, plural};
use std::collections::BTreeMap;

/// The column that says what a counter is.
const WHAT: usize = 26;

/// Where this letter tells that a counter was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learnt {
    /// In a line of the story.
    Line(usize),
    /// On the page of a battle.
    Battle(usize),
}

/// Where this letter tells that counters were shown, by tag.
pub type Shown = BTreeMap<u32, Learnt>;

/// One row: counters of a hex of which the same is known.
struct Row {
    tags: Vec<u32>,
    hex: Hex,
    what: String,
    tie: Option<Tie>,
}

/// Known enemy, ready lines.
pub fn lines(pen: &Pen<'_>, shown: &Shown) -> Vec<String> {
    let rows = rows(pen);
    let mut lines = Vec::new();
    if !rows.is_empty() {
        let explain = match pen.v.seen.is_empty() {
            true => "positions are current; age counts turns since the counter was identified",
            false => {
                "positions are current, or of the turn behind them; age counts turns since the counter was identified"
            }
        };
        lines.extend(text::wrap(explain, pen.width(), "  ", 2));
        lines.extend(if pen.format.narrow { phone(pen, &rows) } else { table(pen, &rows, shown) });
    }
    let markers = [("Center", &pen.v.enemy_centers), ("Source", &pen.v.enemy_sources)];
    let said: Vec<String> = markers
        .iter()
        .flat_map(|(word, hexes)| hexes.iter().flatten().map(move |hex| format!("{word} {}", pen.at(*hex))))
        .collect();
    if !said.is_empty() {
        lines.extend(text::wrap(&format!("{}, in open sight", said.join(", ")), pen.width(), "  ", 4));
    }
    lines
}

/// The same as data.
pub fn data(pen: &Pen<'_>) -> Vec<Foe> {
    let foe = |row: &Row, tag: &u32| Foe {
        id: format!("E{tag}"),
        hex: row.hex.to_string(),
        what: row.what.clone(),
        sp: row.tie.as_ref().and_then(|tie| tie.sp).map(|_| strength(pen, row.tie.as_ref())),
        sure: sure(row.tie.as_ref()),
    };
    rows(pen).iter().flat_map(|row| row.tags.iter().map(|tag| foe(row, tag)).collect::<Vec<_>>()).collect()
}

/// The rows, by hex: in each the counters never shown together, then the others.
fn rows(pen: &Pen<'_>) -> Vec<Row> {
    let mut hexes: BTreeMap<Hex, Vec<(u32, &Counter)>> = BTreeMap::new();
    for (n, counter) in &pen.v.enemy {
        hexes.entry(counter.hex).or_default().push((*n, counter));
    }
    let mut rows = Vec::new();
    for (hex, counters) in hexes {
        let (hidden, known): (Vec<_>, Vec<_>) = counters.iter().partition(|(_, c)| c.tie.is_none());
        let unknown: Vec<u32> = hidden.iter().map(|(n, _)| *n).collect();
        let others: Vec<u32> = known.iter().map(|(n, _)| *n).collect();
        if !unknown.is_empty() {
            let what = pile(unknown.len(), &others, place_of(pen, hex));
            rows.push(Row { tags: unknown, hex, what, tie: None });
        }
        for (n, counter) in known {
            if let Some(tie) = &counter.tie {
                let what = named(pen, counter, tie);
                rows.push(Row { tags: vec![n], hex, what, tie: Some(tie.clone()) });
            }
        }
    }
    rows.sort_by_key(|r| r.tags.first().copied());
    rows
}

/// A row's hex; behind it the turn on which its counters were last seen there, where they are out of sight now, as one
/// of several seats may have them that know only their own: `0903 t1`.
fn place(pen: &Pen<'_>, row: &Row) -> String {
    let last = row.tags.iter().filter_map(|tag| pen.v.seen.get(tag)).max();
    last.map_or_else(|| row.hex.to_string(), |turn| format!("{} t{turn}", row.hex))
}

/// What counters never shown are: alone, in a pile, with others.
fn pile(n: usize, others: &[u32], place: Option<String>) -> String {
    let said = if n > 1 { format!("{n} not shown") } else { "not shown".to_owned() };
    let with = if others.is_empty() { None } else { Some(format!("{said}, with {}", tags(others).join(" "))) };
    let said = with.unwrap_or(said);
    match place.map(|place| format!("{said}, {place}")) {
        Some(whole) if text::width(&whole) <= WHAT => whole,
        Some(_) | None => said,
    }
}

/// The town a counter stands in.
fn place_of(pen: &Pen<'_>, hex: Hex) -> Option<String> {
    let built = pen.v.board.map.settlements.contains_key(&hex);
    pen.place(hex).filter(|_| built)
}

/// What a counter is taken for, short enough for a block on a drawn map: `Kutuzov 9`, `MGC 1?` where it is one of several;
/// none while nothing is known of it.
pub fn title(pen: &Pen<'_>, counter: &Counter) -> Option<String> {
    let tie = counter.tie.as_ref()?;
    let name = pen.ident_short(&tie.ident);
    let sp = counter.stated().filter(|_| matches!(tie.ident, Ident::Leader(_)));
    Some(match (tie.of <= 1, sp) {
        (false, _) => format!("{name}?"),
        (true, Some(sp)) => format!("{name} {sp}"),
        (true, None) => name,
    })
}

/// What a counter was shown to be, and whether it still shows it.
fn named(pen: &Pen<'_>, counter: &Counter, tie: &Tie) -> String {
    let name = match &tie.ident {
        Ident::Leader(id) => pen.leader_short(id),
        Ident::Vedette | Ident::Garrison => pen.ident(&tie.ident),
    };
    match (&tie.ident, counter.face_up, tie.of) {
        (Ident::Garrison, true, _) => match place_of(pen, counter.hex) {
            Some(place) => format!("{name}, {place}"),
            None => name,
        },
        (_, true, _) => format!("{name}, face up"),
        (_, false, 1) => format!("{name}, face down"),
        (_, false, _) => format!("{name}?, face down"),
    }
}

/// Age of a name in turns.
fn age(pen: &Pen<'_>, tie: &Tie) -> String {
    pen.v.turn.saturating_sub(tie.turn).to_string()
}

/// Strength as stated; with its turn where that is not this one: `9 t3`.
fn strength(pen: &Pen<'_>, tie: Option<&Tie>) -> String {
    match tie.and_then(|t| t.sp) {
        None => "-".to_owned(),
        Some((sp, turn)) if turn == pen.v.turn => sp.to_string(),
        Some((sp, turn)) => format!("{sp} t{turn}"),
    }
}

/// One of three words.
fn sure(tie: Option<&Tie>) -> String {
    match tie {
        None => "none".to_owned(),
        Some(tie) if tie.of <= 1 => "sure".to_owned(),
        Some(tie) => format!("1 of {}", tie.of),
    }
}

/// The table of 76 columns.
fn table(pen: &Pen<'_>, rows: &[Row], shown: &Shown) -> Vec<String> {
    // A turn stands behind the hex of a counter out of sight.
    let aged = if pen.v.seen.is_empty() { 0 } else { 4 };
    let columns = [
        Column::left(),
        Column::left().wide(4 + aged),
        Column::left().wide(WHAT - aged),
        Column::left(),
        Column::left(),
        Column::right(),
        Column::left(),
    ];
    let mut cells = vec![["id", "hex", "what it is", "SP", "learnt", "age", "sure"].map(str::to_owned).to_vec()];
    for row in rows {
        let tie = row.tie.as_ref();
        let learnt = match (tie, row.tags.first().and_then(|n| shown.get(n))) {
            (None, _) => "-".to_owned(),
            (Some(_), Some(Learnt::Line(n))) => format!("line {n}"),
            (Some(_), Some(Learnt::Battle(n))) => format!("battle {n}"),
            (Some(tie), None) => format!("turn {}", tie.turn),
        };
        let aged = tie.map_or_else(|| "-".to_owned(), |t| age(pen, t));
        let mut ids = chunks(&tags(&row.tags), 11).into_iter();
        let first = ids.next().unwrap_or_default();
        cells.push(vec![first, place(pen, row), row.what.clone(), strength(pen, tie), learnt, aged, sure(tie)]);
        cells.extend(ids.map(|more| vec![more, place(pen, row), "the same pile".to_owned()]));
    }
    Table::new(&columns, pen.width()).lines(&cells)
}

/// The list of 40 columns: a counter or pile a line, more below.
fn phone(pen: &Pen<'_>, rows: &[Row]) -> Vec<String> {
    let mut lines = Vec::new();
    for row in rows {
        let tie = row.tie.as_ref();
        let mut said = format!("{} {} {}", tags(&row.tags).join(" "), place(pen, row), row.what);
        if let Some(t) = tie {
            let sp = strength(pen, tie);
            if sp != "-" {
                said.push_str(&format!(", {sp} SP"));
            }
            said.push_str(&format!(
                ", {}, age {}",
                sure(tie),
                plural(i64::from(pen.v.turn.saturating_sub(t.turn)), "turn", "turns")
            ));
        }
        lines.extend(text::wrap(&said, pen.width(), "  ", 5));
    }
    lines
}

/// Words joined into pieces of at most so many characters.
fn chunks(words: &[String], most: usize) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in words {
        match found.last_mut() {
            Some(last) if text::width(last) + 1 + text::width(word) <= most => {
                last.push(' ');
                last.push_str(word);
            }
            _ => found.push(word.clone()),
        }
    }
    found
}
