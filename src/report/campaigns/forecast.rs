//! The forecast: odds of moving and mean losses, from own knowledge and the charts alone (¶192-194, 262-270, 297).

use super::pen::Pen;
use super::roster::{self, Head};
use crate::hex::Hex;
use crate::rules::campaigns::armies;
use crate::rules::campaigns::board::{ArmyId, Halves, LeaderId};
use crate::rules::campaigns::march::activation;
use crate::rules::campaigns::march::attrition::{self, Length, Toll};
use crate::rules::campaigns::march::told::Rolled;
use crate::rules::campaigns::sequence::At;
use crate::rules::campaigns::tables::{AttritionColumn, Provenance};
use crate::rules::campaigns::view::View;
use crate::text::{Column, Table};
use std::collections::BTreeSet;

/// Hexes that can trace supply.
type Supplied = BTreeSet<Hex>;

/// More forces than these stand two in a row.
const ROWS_MOST: usize = 6;
/// Marches that the table forecasts, in MP.
const MARCHES: [i32; 3] = [1, 3, 5];
/// Marches of a Forced March that it forecasts, in MP (¶297).
const FORCED: [i32; 3] = [1, 2, 3];

/// Forecast of every force with units, ready lines; none at set-up and when the game is over.
pub fn lines(pen: &Pen<'_>) -> Vec<String> {
    if pen.v.at == At::Over {
        return Vec::new();
    }
    let forced = forced(pen);
    let marches = if forced { FORCED } else { MARCHES };
    let rows = roster::rows(&pen.v.board, &pen.v.own);
    let leaders = rows.iter().filter_map(|row| match &row.head {
        Head::Leader(id) if !pen.v.own.unemployed(id) => Some((id, row.hex)),
        Head::Leader(_) | Head::Garrison(_) => None,
    });
    let supplied = supplied(pen);
    let leaders: Vec<(&LeaderId, Hex)> = leaders.collect();
    let page = if pen.format.narrow {
        Page::Phone
    } else if leaders.len() > ROWS_MOST {
        Page::Abreast
    } else {
        Page::Plain
    };
    let rows: Vec<Vec<String>> =
        leaders.into_iter().map(|force| row(pen, force, &supplied, &marches, forced, page)).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let cut_off = rows.iter().any(|c| c.first().is_some_and(|name| name.ends_with('!')));
    let mut lines = introduction(pen, forced);
    lines.extend(table(pen, heading(&marches, page), rows, page));
    if cut_off {
        lines.push(pen.plain("  ! without supply: column zero [¶263]"));
    }
    lines
}

/// How the table is laid out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Page {
    /// A row for each force, with its name.
    Plain,
    /// Two forces in a row, by their codes.
    Abreast,
    /// A row for each force, by its code.
    Phone,
}

fn table(pen: &Pen<'_>, heading: Vec<String>, rows: Vec<Vec<String>>, page: Page) -> Vec<String> {
    let mut columns = vec![Column::left().wide(if page == Page::Plain { 16 } else { 4 })];
    columns.extend([Column::right(); 7]);
    if page != Page::Abreast {
        let cells: Vec<Vec<String>> = std::iter::once(heading).chain(rows).collect();
        return Table::new(&columns, pen.width()).gap(if page == Page::Phone { 1 } else { 3 }).lines(&cells);
    }
    let half = rows.len().div_ceil(2);
    let (left, right) = rows.split_at_checked(half).unwrap_or((&rows, &[]));
    let mut cells = vec![[heading.clone(), heading].concat()];
    for (n, row) in left.iter().enumerate() {
        cells.push([row.clone(), right.get(n).cloned().unwrap_or_default()].concat());
    }
    Table::new(&[columns.clone(), columns].concat(), pen.width()).gap(1).lines(&cells)
}

/// What the columns mean.
fn introduction(pen: &Pen<'_>, forced: bool) -> Vec<String> {
    let what = if forced { "Forced March (¶297)" } else { "next initiative march (¶192)" };
    let ap = pen.v.own.army.ap;
    let column = attrition::served(&pen.v.board, &pen.v.own, pen.v.turn);
    let label = pen.v.board.tables.attrition.label(column);
    let house = match pen.v.board.tables.sources.get("march_attrition").map(|s| s.provenance) {
        Some(Provenance::House) => ", house table",
        Some(Provenance::Owner) | None => "",
    };
    let said = format!(
        "{what}, AP {ap} (attrition column {label}), {}, no enemy ZOC left.  Odds of full MP, one MP less, one MP, \
         none; then mean SP lost at so many MP{house}",
        pen.v.weather
    );
    crate::text::wrap(&pen.plain(&said), pen.width(), "  ", 2)
}

fn heading(marches: &[i32], page: Page) -> Vec<String> {
    let odds = if page == Page::Abreast { ["", "all", "-1", "1", "0"] } else { ["", "full", "less", "one", "none"] };
    let mut cells: Vec<String> = odds.map(str::to_owned).to_vec();
    cells.extend(marches.iter().map(|mp| if page == Page::Plain { format!("{mp} MP") } else { format!("{mp}MP") }));
    cells
}

fn row(
    pen: &Pen<'_>,
    (id, hex): (&LeaderId, Hex),
    supplied: &Supplied,
    marches: &[i32],
    forced: bool,
    page: Page,
) -> Vec<String> {
    let toll = toll(pen, id, hex, supplied);
    let mut name = if page == Page::Plain { pen.leader_short(id) } else { pen.code(id) };
    if toll.column == AttritionColumn::Zero {
        name.push('!');
    }
    let mut cells = vec![name];
    cells.extend(odds(pen.v.own.initiative(&pen.v.board, id)).map(sixths));
    cells.extend(marches.iter().map(|&mp| hundredths(loss(pen, &toll, Halves::whole(mp), forced))));
    cells
}

/// Whether what comes next for the reader is a Forced March.
fn forced(pen: &Pen<'_>) -> bool {
    match &pen.v.at {
        At::Reaction(phasing) | At::CloseMove(phasing) | At::Own(phasing) | At::Packet(phasing) => !pen.mine(phasing),
        At::Setup | At::Weather | At::Designate(_) | At::Round(..) | At::Close(_) | At::Over => false,
    }
}

/// ¶192-194 Of six dice: all MP, one MP less, one MP, none.
fn odds(initiative: i32) -> [i32; 4] {
    let mut found = [0; 4];
    for die in 1..=6 {
        let at = match activation::rolled(initiative, die) {
            Rolled::Full => 0,
            Rolled::Less => 1,
            Rolled::One => 2,
            Rolled::Nothing => 3,
        };
        if let Some(n) = found.get_mut(at) {
            *n += 1;
        }
    }
    found
}

/// A number of sixths: `1/2`, `-` for none.
fn sixths(n: i32) -> String {
    match n {
        0 => "-".to_owned(),
        2 => "1/3".to_owned(),
        3 => "1/2".to_owned(),
        4 => "2/3".to_owned(),
        6 => "1".to_owned(),
        n => format!("{n}/6"),
    }
}

/// ¶72, 91, 177, 263 Hexes with own leaders that can trace supply.
fn supplied(pen: &Pen<'_>) -> Supplied {
    let v = pen.v;
    let mut found = supplied_at(v, |_| true);
    let apart: Vec<&ArmyId> = v.own.others.keys().collect();
    if !apart.is_empty() {
        let of = |army: Option<&ArmyId>, l: &LeaderId| v.own.army_of(&v.board, l).as_ref() == army;
        found = supplied_at(v, |l| of(v.own.army.name.as_ref(), l));
        for army in apart {
            found.extend(supplied_at(&armies::at_desk(v, army), |l| of(Some(army), l)));
        }
    }
    found
}

/// The same of some leaders, by the army at the desk.
fn supplied_at(v: &View, his: impl Fn(&LeaderId) -> bool) -> Supplied {
    let sit = v.situation();
    let mut army = v.own.army.clone();
    if let Some(from) = v.phase.center_from {
        army.center = Some(from);
    }
    let on_map = || v.own.on_map().filter(|(l, _)| his(l)).map(|(_, hex)| hex);
    if army.anchor.is_some() {
        return on_map().collect();
    }
    if army.source.is_none() || army.source_moving.is_some() {
        return Supplied::new();
    }
    let near = sit.dispatch(&sit.supply_points(&army));
    on_map().filter(|hex| near.contains(*hex)).collect()
}

/// What a force will roll for where it stands.
fn toll(pen: &Pen<'_>, id: &LeaderId, hex: Hex, supplied: &Supplied) -> Toll {
    let v = pen.v;
    let siege = v.sieges.contains(&hex).then(|| attrition::citadel(&v.board, &v.own, hex, v.turn));
    let served = siege.is_none() && supplied.contains(&hex);
    let column = if served {
        attrition::served(&v.board, &v.own.at_desk_of(&v.board, id), v.turn)
    } else {
        AttritionColumn::Zero
    };
    let units = attrition::sufferers(&v.board, &v.own, &v.own.force(id));
    let sp = units.iter().filter_map(|unit| v.own.units.get(unit)).map(|u| u.sp).sum();
    let members = v.own.force(id);
    let (standing, ridden) = attrition::standing(&v.situation(), &members);
    let pace = attrition::pace(&v.board, &v.own, &members, siege.is_some());
    Toll { column, units, sp, modifier: standing + siege.unwrap_or(0), pace, ridden }
}

/// SP lost over all six dice of a march (¶262-270); a sixth of it is the mean.
fn loss(pen: &Pen<'_>, toll: &Toll, march: Halves, forced: bool) -> i32 {
    let board = &pen.v.board;
    let modifier = attrition::modifier(board, toll, Length { march, forced, ..Length::default() });
    (1..=6).map(|die| board.tables.attrition.loss(&toll.pace, toll.column, toll.sp, march, die + modifier)).sum()
}

/// A sixth of a sum with two places, rounded half up: 7 as `1.17`.
fn hundredths(six: i32) -> String {
    let n = (six * 100 + 3) / 6;
    format!("{}.{:02}", n / 100, n % 100)
}
