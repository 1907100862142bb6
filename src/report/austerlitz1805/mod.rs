//! The paper of `austerlitz1805`: head, story, units, field map; written from a view and what was told, never from truth.

mod field;
mod story;
mod units;

use crate::host::paper::{Drawing, Format, Page, Paper, Sections};
use crate::orders::Fault;
use crate::rules::austerlitz1805::event::Sighting;
use crate::rules::austerlitz1805::state::At;
use crate::rules::austerlitz1805::table::um;
use crate::rules::austerlitz1805::view::View;
use crate::rules::austerlitz1805::{Austerlitz, victory};
use crate::rules::{Ask, Ruleset};
use crate::text;

impl Paper for Austerlitz {
    fn sections(page: &Page<'_, Austerlitz>) -> Sections {
        let v = page.view;
        let width = if page.format.narrow { text::WIDTH_PHONE } else { text::WIDTH };
        let (now, next, if_not) = stage(v);
        let (paragraphs, told_in) = story::write(v, page.told);
        Sections {
            head: head(v),
            now,
            next,
            if_not,
            story: paragraphs,
            told_in,
            forces: forces(page, width),
            enemy: units::enemy(v, width),
            // Before the game begins nothing stands on the field.
            maps: if v.table.units.is_empty() { Vec::new() } else { vec![field::whole(v, width)] },
            ..Sections::default()
        }
    }

    fn map(view: &View, area: Option<&str>, format: Format) -> Result<Vec<String>, Fault> {
        let width = if format.narrow { text::WIDTH_PHONE } else { text::WIDTH };
        let Drawing { title, lines, theatre: _ } = match area {
            None => field::whole(view, width),
            Some(area) => field::around(view, area, width)?,
        };
        Ok(std::iter::once(title).chain(lines).collect())
    }

    fn bot(view: &View, asks: &[Ask], _: u64) -> Vec<String> {
        let _ = view;
        asks.iter().map(|ask| ask.default.clone()).chain(["END".to_owned()]).collect()
    }

    fn offers(view: &View) -> Vec<String> {
        if !view.my_sheet() {
            return Vec::new();
        }
        Austerlitz::verbs().iter().flat_map(|verb| (verb.examples)(view)).take(12).collect()
    }

    fn history(_: &View, turn: u32, told: &[Sighting]) -> Vec<String> {
        let said = told.iter().filter_map(story::line);
        std::iter::once(format!("Turn {turn}")).chain(said.map(|s| format!("  {s}"))).collect()
    }
}

/// The viewer's units and plans; for the umpire the plans of every side, since all units stand together.
fn forces(page: &Page<'_, Austerlitz>, width: usize) -> Vec<String> {
    let v = page.view;
    let mut lines = units::own(v, width);
    lines.extend(units::plans(&v.own, width));
    for (side, sees) in page.sees {
        let plans = units::plans(&sees.own, width);
        if !plans.is_empty() {
            let name = v.table.board.side(side).map_or(side.0.as_str(), |s| s.name.as_str());
            lines.push(format!("{name} plans:"));
            lines.extend(plans);
        }
    }
    lines
}

fn head(v: &View) -> String {
    let t = &v.table;
    let name = v.side.as_ref().and_then(|s| t.board.side(s)).map_or("Umpire", |s| s.name.as_str());
    let hour = (t.board.first_hour + t.turn.saturating_sub(1)) % 24;
    let points: Vec<String> =
        t.board.sides.iter().map(|s| format!("{} {} VP", s.name, victory::points(t, &s.id))).collect();
    let sky = t.sight.map_or("clear".to_owned(), |s| format!("fog, sight {} UM", um(s)));
    format!("{name}   turn {} of {}   {hour}:00   {sky}   {}", t.turn, t.board.turns.1, points.join(", "))
}

/// Who moves now, what comes next, what silence does.
fn stage(v: &View) -> (String, String, String) {
    let name = |side| v.table.board.side(side).map_or("", |s| s.name.as_str());
    match &v.at {
        At::Over => ("the game is over".to_owned(), String::new(), String::new()),
        At::Own(side) if v.my_sheet() => (
            "your player-turn: DISENGAGE, BOMBARD, CHARGE, then moves and attacks".to_owned(),
            "musketry of both sides, then close combat".to_owned(),
            format!("units of {} without orders stay; routed ones flee on", name(side)),
        ),
        At::Own(side) | At::Rally(side) | At::Musketry(side) | At::Close(side) => (
            format!("{} player-turn", name(side)),
            "your player-turn".to_owned(),
            "your doctrine answers for you".to_owned(),
        ),
    }
}
