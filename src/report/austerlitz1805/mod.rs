//! The paper of `austerlitz1805`: head, story, units, field map; written from a view and what was told, never from truth.

mod chits;
mod field;
mod offers;
mod story;
mod units;

use crate::host::paper::{Drawing, Format, Page, Paper, Sections};
use crate::orders::Fault;
use crate::rules::Ask;
use crate::rules::austerlitz1805::board::SideSpec;
use crate::rules::austerlitz1805::event::Sighting;
use crate::rules::austerlitz1805::state::At;
use crate::rules::austerlitz1805::table::um;
use crate::rules::austerlitz1805::view::View;
use crate::rules::austerlitz1805::{Austerlitz, victory};
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
            enemy: units::enemy(v, width, page.whole).into_iter().chain(chits::enemy(v, width)).collect(),
            maps: maps(v, width),
            ..Sections::default()
        }
    }

    fn map(view: &View, area: Option<&str>, format: Format) -> Result<Vec<String>, Fault> {
        let width = if format.narrow { text::WIDTH_PHONE } else { text::WIDTH };
        let Drawing { title, lines, theatre: _ } = match area {
            None if field::bare(view) => field::strategic(view, width),
            None => field::whole(view, width),
            Some(area) if area.eq_ignore_ascii_case("strategic") => field::strategic(view, width),
            Some(area) => field::around(view, area, width)?,
        };
        Ok(std::iter::once(title).chain(lines).collect())
    }

    fn bot(view: &View, asks: &[Ask], noise: u64) -> Vec<String> {
        crate::bot::austerlitz1805::lines(view, asks, noise)
    }

    fn offers(view: &View) -> Vec<String> {
        offers::lines(view)
    }

    fn history(_: &View, turn: u32, told: &[Sighting]) -> Vec<String> {
        let said = told.iter().filter_map(story::line);
        std::iter::once(format!("Turn {turn}")).chain(said.map(|s| format!("  {s}"))).collect()
    }
}

/// The field, and while corps move in the fog the strategic map; before the game begins nothing stands on either.
fn maps(v: &View, width: usize) -> Vec<Drawing> {
    let mut maps = Vec::new();
    if matches!(v.at, At::Fog | At::Deploy) && v.side.is_some() {
        maps.push(field::strategic(v, width));
    }
    if !field::bare(v) {
        maps.push(field::whole(v, width));
    }
    maps
}

/// The viewer's units and plans; for the umpire the plans of every side, since all units stand together.
fn forces(page: &Page<'_, Austerlitz>, width: usize) -> Vec<String> {
    let v = page.view;
    let mut lines = places(v, width);
    lines.extend(units::own(v, width, page.whole));
    lines.extend(units::plans(&v.own, width));
    lines.extend(chits::own(&v.table, &v.own, &v.me(), width));
    for (side, sees) in page.sees {
        let mut plans = units::plans(&sees.own, width);
        plans.extend(chits::own(&v.table, &sees.own, side, width));
        if !plans.is_empty() {
            let name = v.table.board.side(side).map_or(side.0.as_str(), |s| s.name.as_str());
            lines.push(format!("{name}, what it keeps to itself:"));
            lines.extend(plans);
        }
    }
    lines
}

fn head(v: &View) -> String {
    let t = &v.table;
    let name = v.side.as_ref().and_then(|s| t.board.side(s)).map_or("Umpire", |s| s.name.as_str());
    let hour = (t.board.first_hour + t.turn.saturating_sub(1)) % 24;
    let sky = t.sight.map_or("clear".to_owned(), |s| format!("fog, sight {} UM", um(s)));
    format!("{name}   turn {} of {}   {hour}:00   {sky}", t.turn, t.board.turns.1)
}

/// 17.1.1 Points of both sides, and the places that each holds.
fn places(v: &View, width: usize) -> Vec<String> {
    let t = &v.table;
    let of = |side: &SideSpec| {
        let held = t.board.places.iter().filter(|p| p.vp > 0 && t.control.get(&p.name) == Some(&side.id));
        let names: Vec<String> = held.map(|p| format!("{} {}", p.name, p.vp)).collect();
        let names = if names.is_empty() { "no place".to_owned() } else { names.join(", ") };
        // 22.1: who plays against the house is told so.
        let solo = if t.board.solo.contains(&side.id) { ", led by the solo rules," } else { "" };
        format!("{}{solo} {} VP: {names}.", side.name, victory::points(t, &side.id))
    };
    t.board.sides.iter().flat_map(|side| text::wrap(&of(side), width, "", 4)).collect()
}

/// Who moves now, what comes next, what silence does.
fn stage(v: &View) -> (String, String, String) {
    let name = |side| v.table.board.side(side).map_or("", |s| s.name.as_str());
    match &v.at {
        At::Over => ("the game is over".to_owned(), String::new(), String::new()),
        At::Fog => (
            "the sealed sheet of the fog".to_owned(),
            "STRAT, CHIT, DECOY; the chits come down, then the player-turns".to_owned(),
            "corps without orders stay, and no chit comes down".to_owned(),
        ),
        At::Deploy => (
            "the sealed set-up".to_owned(),
            "STRAT corps TO area, on your side of the dashed line; then the first fog turn".to_owned(),
            "corps without orders begin where the map prints them".to_owned(),
        ),
        At::Dawn => ("the fog".to_owned(), String::new(), String::new()),
        At::Own(side) if v.my_sheet() && v.table.board.flow.is_some() && v.table.sight.is_some() => (
            "your player-turn".to_owned(),
            "in this order HIDE, DISENGAGE, BOMBARD, CHARGE, then MARCH, moves, attacks; then musketry, close combat"
                .to_owned(),
            format!("chits and units of {} without orders stay; routed ones flee on", name(side)),
        ),
        At::Own(side) if v.my_sheet() => (
            "your player-turn".to_owned(),
            "in this order DISENGAGE, BOMBARD, CHARGE, then moves and attacks; then musketry, close combat".to_owned(),
            format!("units of {} without orders stay; routed ones flee on", name(side)),
        ),
        At::Own(side) | At::Rally(side) | At::Musketry(side) | At::Close(side) => (
            format!("{} player-turn", name(side)),
            "your player-turn".to_owned(),
            "your doctrine answers for you".to_owned(),
        ),
    }
}
