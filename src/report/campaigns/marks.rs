//! Where all stand as a side knows it, for a film of the game.

use super::enemy;
use super::pen::Pen;
use super::roster::{self, Head};
use crate::hex::Hex;
use crate::host::film::{Ground, Look, Mark, Shape};
use crate::map::draw::plate::geometry::centre;
use crate::map::draw::{Chart, Window, plate};
use crate::rules::campaigns::intel::Ident;
use crate::rules::campaigns::pieces::Vedette;

/// The width of a counter: a hex from column to column, nearly.
const COUNTER: i32 = 260;

/// The whole map without pieces.
pub fn ground(pen: &Pen<'_>) -> Ground {
    let map = &pen.v.board.map;
    Ground { svg: plate::bare(&Chart::new(map), Window::whole(map)), counter: COUNTER }
}

/// Own forces, vedettes and centers; the enemy's counters in sight, or where they were last seen.
pub fn marks(pen: &Pen<'_>) -> Vec<Mark> {
    let v = pen.v;
    let mut marks = Vec::new();
    for row in roster::rows(&v.board, &v.own) {
        let (key, label, name) = match &row.head {
            Head::Leader(id) => (id.to_string(), pen.code(id), pen.leader(id)),
            Head::Garrison(id) => (id.to_string(), "gar".to_owned(), pen.garrison(id)),
        };
        let sp = row.sp;
        let said = format!("{name}, {sp} SP, {}", at(pen, row.hex));
        marks.push(Mark {
            below: sp.to_string(),
            ..Mark::plain(key, Shape::Block, Look::Own, centre(row.hex), label, said)
        });
    }
    for (n, vedette) in &v.own.vedettes {
        let Vedette::At(hex) = vedette else { continue };
        let said = format!("vedette {n}, {}", at(pen, *hex));
        let key = format!("vedette {n}");
        marks.push(Mark::plain(key, Shape::Pennon, Look::Own, centre(*hex), format!("v{n}"), said));
    }
    for (n, hex) in (0..).zip(v.own.armies().filter_map(|army| army.center)) {
        let said = format!("center of operations, {}", at(pen, hex));
        marks.push(Mark::plain(format!("center {n}"), Shape::Center, Look::Own, centre(hex), String::new(), said));
    }
    for (n, counter) in &v.enemy {
        let seen = v.seen.get(n);
        let look = if seen.is_some() { Look::Gone } else { Look::Foe };
        let shape = match counter.tie.as_ref().map(|tie| &tie.ident) {
            Some(Ident::Vedette) => Shape::Pennon,
            Some(Ident::Leader(_) | Ident::Garrison) | None => Shape::Block,
        };
        let title = enemy::title(pen, counter);
        let known = title.clone().unwrap_or_else(|| "not shown yet".to_owned());
        let last = seen.map_or_else(String::new, |turn| format!(", last seen on turn {turn}"));
        let said = format!("E{n}: {known}, {}{last}", at(pen, counter.hex));
        let below = title.unwrap_or_default();
        marks.push(Mark {
            below,
            ..Mark::plain(format!("E{n}"), shape, look, centre(counter.hex), format!("E{n}"), said)
        });
    }
    marks
}

fn at(pen: &Pen<'_>, hex: Hex) -> String {
    pen.place(hex).map_or_else(|| hex.to_string(), |place| format!("{hex} {place}"))
}
