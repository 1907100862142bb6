//! The umpire's page: both sides' pieces as they are.

use super::forces;
use super::pen::{Pen, tags, unglued};
use super::roster::{self, Head};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::map::draw::{Chart, OwnToken};
use crate::rules::campaigns::pieces::{Pieces, Vedette};
use crate::rules::campaigns::view::View;
use crate::text::{Column, Table};
use std::collections::BTreeMap;

/// Columns for what the other side sees.
const SEEN_AS: usize = 20;

/// Both sides' pieces by hex, and as what the other side sees them; ready lines.
pub fn pieces(pen: &Pen<'_>, sees: &[(SideId, View)]) -> Vec<String> {
    let columns = [Column::left().wide(4), Column::right().wide(3), Column::left().wide(SEEN_AS), Column::left()];
    let table = Table::new(&columns, pen.width()).gap(2);
    let mut lines = Vec::new();
    for side in sides(pen) {
        let other = sees.iter().find(|(s, _)| *s != side.side).map(|(_, view)| view);
        let mut cells = vec![["hex", "SP", "the enemy sees", "true content"].map(str::to_owned).to_vec()];
        for (hex, (sp, content)) in contents(pen, side) {
            let seen = other.map_or_else(String::new, |view| seen_as(pen, view, hex));
            cells.push(vec![hex.to_string(), sp.to_string(), seen, content.join(", ")]);
        }
        lines.push(format!("  {}", pen.side(&side.side)));
        lines.extend(table.lines(&cells));
    }
    unglued(lines)
}

/// What a side sees in a hex: its own numbers of the counters, and those it can name.
fn seen_as(pen: &Pen<'_>, view: &View, hex: Hex) -> String {
    let here: Vec<_> = view.enemy.iter().filter(|(_, counter)| counter.hex == hex).collect();
    let hidden: Vec<u32> = here.iter().filter(|(_, c)| c.tie.is_none()).map(|(n, _)| **n).collect();
    let mut said = tags(&hidden);
    for (n, counter) in here {
        let Some(tie) = &counter.tie else { continue };
        let name = pen.ident_short(&tie.ident);
        let sure = if tie.of <= 1 { String::new() } else { format!(" 1 of {}", tie.of) };
        said.push(format!("E{n} {name}{sure}"));
    }
    if said.is_empty() { "-".to_owned() } else { said.join(" ") }
}

/// Both sides in the scenario's order.
fn sides<'a>(pen: &Pen<'a>) -> Vec<&'a Pieces> {
    let truth = pen.v.truth.as_ref();
    pen.v.board.sides.iter().filter_map(|s| truth?.get(&s.id)).collect()
}

/// What stands in each hex of a side: SP, and counters with their units.
fn contents(pen: &Pen<'_>, side: &Pieces) -> BTreeMap<Hex, (i32, Vec<String>)> {
    let mut found: BTreeMap<Hex, (i32, Vec<String>)> = BTreeMap::new();
    for row in roster::rows(&pen.v.board, side) {
        let sp = row.sp;
        let said = match &row.head {
            Head::Leader(id) => {
                let mut said = format!("{} {sp}", pen.leader_short(id));
                let members = std::iter::once(id).chain(&row.under);
                let units: Vec<String> = members.flat_map(|l| forces::track(pen, side, l)).collect();
                let with: Vec<String> = row.under.iter().map(|l| pen.leader_short(l)).collect();
                if !with.is_empty() {
                    said.push_str(&format!(" with {}", with.join(" ")));
                }
                if !units.is_empty() {
                    said.push_str(&format!(" ({})", units.join(" ")));
                }
                said
            }
            Head::Garrison(_) => format!("garrison {sp}"),
        };
        let cell = found.entry(row.hex).or_default();
        cell.0 += sp;
        cell.1.push(said);
    }
    for (n, vedette) in &side.vedettes {
        if let Vedette::At(hex) = vedette {
            found.entry(*hex).or_default().1.push(format!("v{n}"));
        }
    }
    found
}

/// Stocks of both sides, ready lines; each side's line of communication as it reads it itself.
pub fn stocks(pen: &Pen<'_>, sees: &[(SideId, View)]) -> Vec<String> {
    let mut lines = Vec::new();
    for side in sides(pen) {
        let pool = side.vedettes.values().filter(|v| **v == Vedette::Pool).count();
        let army = &side.army;
        let center = army.center.map_or_else(|| "off the map".to_owned(), |h| pen.at(h));
        let own = sees.iter().find(|(of, _)| *of == side.side).map(|(_, view)| Pen::new(view, pen.format));
        let loc = own.map_or_else(|| "no LOC".to_owned(), |own| forces::line(&own, &own.v.own.army));
        let said = format!(
            "AP {}, center {center}, {loc}, vedettes {} of {} in the pool, lost {} SP",
            army.ap,
            pool,
            side.vedettes.len(),
            army.lost
        );
        lines.extend(crate::text::wrap(&said, pen.width(), &format!("  {:<15}", pen.side(&side.side)), 17));
    }
    lines
}

/// The map as it is: the First Player's pieces as own, the counters of the other side numbered by hex.
pub fn chart<'a>(pen: &Pen<'a>) -> Chart<'a> {
    let mut chart = Chart::new(&pen.v.board.map);
    chart.bridging(&pen.v.damaged, pen.v.pontoons.keys().copied(), &pen.v.trestles);
    let redoubts = sides(pen).into_iter().flat_map(|side| side.redoubts.values());
    chart.fronts(redoubts.map(|r| (&r.faces, r.finished())));
    let mut both = sides(pen).into_iter();
    if let Some(side) = both.next() {
        for row in roster::rows(&pen.v.board, side) {
            let code = match &row.head {
                Head::Leader(id) => pen.code(id),
                Head::Garrison(_) => "GAR".to_owned(),
            };
            let token = OwnToken { code, letter: row.letter, more: false };
            chart.own.entry(row.hex).and_modify(|t| t.more = true).or_insert(token);
        }
        for (n, vedette) in &side.vedettes {
            if let Vedette::At(hex) = vedette {
                chart.own_vedettes.entry(*hex).or_default().push(*n);
            }
        }
    }
    let mut number = 0;
    for side in both {
        for hex in side.occupied() {
            for _ in side.counters_at(hex) {
                number += 1;
                chart.enemy.entry(hex).or_default().push(number);
            }
        }
    }
    chart
}
