//! The paper of `austerlitz1805`: head, story, units, field map; written from a view and what was told, never from truth.

mod chits;
mod field;
mod help;
mod offers;
mod opening;
mod pen;
mod plate;
pub mod seat;
mod short;
mod story;
mod units;

use crate::host::film::{Ground, Mark};
use crate::host::paper::{Drawing, Format, Opening, Page, Paper, SeatData, Sections, Topic};
use crate::orders::Fault;
use crate::rules::Ask;
use crate::rules::austerlitz1805::board::SideSpec;
use crate::rules::austerlitz1805::event::Sighting;
use crate::rules::austerlitz1805::state::At;
use crate::rules::austerlitz1805::table::um;
use crate::rules::austerlitz1805::view::View;
use crate::rules::austerlitz1805::{Austerlitz, victory};
use crate::text;

/// What a stage mail shows of the field: all in few lines where the reader's sheet is open, and in a first letter; else
/// what has changed.
fn news(page: &Page<'_, Austerlitz>, sections: &mut Sections) {
    let (v, before, narrow) = (page.view, page.before, page.format.narrow);
    let sealed = matches!(v.at, At::Fog | At::Deploy) && v.side.is_some();
    if let Some(before) = before {
        sections.changed = short::changed(v, before, narrow);
    }
    if v.my_sheet() || sealed || before.is_none() {
        (sections.forces_title, sections.forces) = short::own(v, before, narrow);
        (sections.enemy_title, sections.enemy) = short::foe(v, before, narrow);
    }
    if v.my_sheet() && !narrow {
        let clears = before.is_none_or(|b| b.table.sight.is_some()) && v.table.sight.is_none();
        let whole = clears && v.table.board.flow.is_some();
        sections.maps.extend(if whole { Some(field::whole(v, text::WIDTH)) } else { field::close(v, text::WIDTH) });
    }
}

impl Paper for Austerlitz {
    fn sections(page: &Page<'_, Austerlitz>) -> Sections {
        let v = page.view;
        let width = if page.format.narrow { text::WIDTH_PHONE } else { text::WIDTH };
        let (now, next, if_not) = stage(v);
        let (story, told_in) = story::write(v, page.told);
        let mut sections = Sections { head: head(v), now, next, if_not, story, told_in, ..Sections::default() };
        if page.whole || v.side.is_none() {
            sections.forces = forces(page, width);
            sections.enemy = units::enemy(v, width).into_iter().chain(chits::enemy(v, width)).collect();
            sections.maps = maps(v, width);
        } else {
            news(page, &mut sections);
        }
        if page.format.plates {
            let news = v.my_sheet() || !sections.changed.is_empty();
            plate::add(page, news, &mut sections);
        }
        sections.score = short::score(v, page.format.narrow);
        sections.result = result(v);
        sections
    }

    fn map(view: &View, area: Option<&str>, format: Format) -> Result<Vec<String>, Fault> {
        let width = if format.narrow { text::WIDTH_PHONE } else { text::WIDTH };
        let named = |word: &str| area.is_some_and(|area| area.eq_ignore_ascii_case(word));
        if named("KEY") {
            return Ok(field::key(view, width));
        }
        let Drawing { title, lines, .. } = match area {
            None if field::bare(view) => field::strategic(view, width),
            None => field::whole(view, width),
            Some(_) if named("strategic") || named("strat") => field::strategic(view, width),
            Some(area) => field::around(view, area, width)?,
        };
        Ok(std::iter::once(title).chain(lines).collect())
    }

    fn plate(view: &View, area: Option<&str>) -> Option<Result<String, Fault>> {
        Some(plate::area(view, area))
    }

    fn ground(view: &View) -> Option<Ground> {
        Some(plate::marks::ground(view))
    }

    fn marks(view: &View) -> Vec<Mark> {
        plate::marks::marks(view)
    }

    fn seat_data(view: &View) -> Option<SeatData> {
        let (board, svg) = seat::board(view);
        Some(SeatData { board: serde_json::to_value(board).unwrap_or_default(), svg, script: seat::SCRIPT })
    }

    fn bot(view: &View, asks: &[Ask], noise: u64) -> Vec<String> {
        crate::bot::austerlitz1805::lines(view, asks, noise)
    }

    fn offers(view: &View) -> Vec<String> {
        offers::lines(view)
    }

    fn victory(view: &View) -> Vec<String> {
        opening::victory(view)
    }

    fn opening(view: &View, format: Format) -> Opening {
        opening::opening(view, format.narrow)
    }

    fn rule(paragraph: &str) -> Vec<String> {
        crate::report::index::lines(include_str!("../../../tests/rules/austerlitz1805.tsv"), paragraph)
    }

    fn topics() -> &'static [Topic] {
        help::TOPICS
    }

    fn summary(view: &View, turn: u32, told: &[Sighting]) -> String {
        story::summary(view, turn, told)
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
    lines.extend(units::own(v, width));
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
        // 22.1: who plays against the solo rules reads so.
        let solo = if t.board.solo.contains(&side.id) { ", led by the solo rules," } else { "" };
        format!("{}{solo} {} VP: {names}.", side.name, victory::points(t, &side.id))
    };
    t.board.sides.iter().flat_map(|side| text::wrap(&of(side), width, "", 4)).collect()
}

/// 17.1 How the game ended for the reader.
fn result(v: &View) -> Option<String> {
    let over = v.over.as_ref().filter(|_| v.at == At::Over)?;
    let who = match &v.side {
        Some(me) if *me == over.side => "you have won".to_owned(),
        Some(_) => "you have lost".to_owned(),
        None => format!("won by {}", v.table.board.side(&over.side).map_or("", |s| s.name.as_str())),
    };
    let points: Vec<String> =
        v.table.board.sides.iter().map(|s| format!("{} {}", s.name, victory::points(&v.table, &s.id))).collect();
    Some(format!("{who}, {}", points.join(", ")))
}

/// 16.3, A-21 Whether the fog has begun to lift, so that the strategic maps close.
fn lifting(v: &View) -> bool {
    v.table.sight != Some(v.table.board.tables.fog.sight.0)
}

/// 16.2-16.3.1, A-21 What the next turn may do to the strategic maps; nothing while the fog is sure to stay.
fn outlook(v: &View) -> String {
    let fog = &v.table.board.tables.fog;
    let next = v.table.turn + 1;
    let down = "all that is then on the strategic map must come down in its area";
    if next >= fog.automatic {
        format!("; next turn the fog lifts: {down}")
    } else if next > fog.turns {
        format!("; next turn the fog lifts on {} or more of a die: {down}", fog.lifts)
    } else {
        String::new()
    }
}

/// Who moves now, what comes next, what silence does.
fn stage(v: &View) -> (String, String, String) {
    let name = |side| v.table.board.side(side).map_or("", |s| s.name.as_str());
    match &v.at {
        At::Over => ("the game is over".to_owned(), String::new(), String::new()),
        At::Fog if lifting(v) => (
            "sealed sheet of both sides: chits and decoys; the fog lifts, and no corps moves any more".to_owned(),
            "the player-turns".to_owned(),
            "all that is on the strategic map comes down in its area, in chits that the program fills".to_owned(),
        ),
        At::Fog => (
            "sealed sheet of both sides: strategic moves, chits, decoys".to_owned(),
            "the player-turns".to_owned(),
            format!("corps stay and no chit comes down{}", outlook(v)),
        ),
        At::Deploy => (
            "the sealed set-up".to_owned(),
            "STRAT corps TO area, on your side of the dashed line; then the first fog turn".to_owned(),
            "corps without orders begin where the map prints them".to_owned(),
        ),
        At::Dawn => ("the fog".to_owned(), String::new(), String::new()),
        At::Own(side) if v.my_sheet() && v.table.board.flow.is_some() && v.table.sight.is_some() => (
            "your player-turn".to_owned(),
            "musketry and close combat".to_owned(),
            "your chits and units hold; routed units keep fleeing".to_owned(),
        ),
        At::Own(side) if v.my_sheet() => (
            "your player-turn".to_owned(),
            "musketry and close combat".to_owned(),
            "your units hold; routed units keep fleeing".to_owned(),
        ),
        At::Own(side) | At::Rally(side) | At::Musketry(side) | At::Close(side) => (
            format!("{} player-turn", name(side)),
            "your player-turn".to_owned(),
            "your doctrine answers for you".to_owned(),
        ),
    }
}
