//! The paper of `brave_fellows`: head, story, units, field; written from a view and what was told, never from truth.

mod help;
mod map;
mod offers;
mod opening;
mod plate;
pub mod seat;
mod steps;
mod story;
mod units;

use crate::fog::SideId;
use crate::host::film::{Ground, Mark};
use crate::host::paper::{Format, Opening, Page, Paper, SeatData, Sections, Topic};
use crate::orders::Fault;
use crate::report::field::plate::marks;
use crate::report::field::plate::show::{self, Wanted};
use crate::report::field::roster::{BOTH, Roster};
use crate::rules::Ask;
use crate::rules::brave_fellows::board::{COALITION, FRENCH};
use crate::rules::brave_fellows::state::{At, Segment};
use crate::rules::brave_fellows::told::Sighting;
use crate::rules::brave_fellows::view::View;
use crate::rules::brave_fellows::{BraveFellows, solo, standing};
use crate::rules::tactical::lodge;
use crate::text;

/// 3.0 The hour of the first turn is 7: hour = 6 + turn.
const BEFORE_DAWN: u32 = 6;

/// A side as a page is headed; the umpire's is of both.
fn name(side: &SideId) -> &'static str {
    match side.0.as_str() {
        FRENCH => "French",
        COALITION => "Coalition",
        _ => BOTH,
    }
}

fn hour(turn: u32) -> String {
    match turn + BEFORE_DAWN {
        12 => "noon".to_owned(),
        hour if hour < 12 => format!("{hour} AM"),
        hour => format!("{} PM", hour - 12),
    }
}

fn now(v: &View) -> (String, String, String) {
    let mine = |side: &SideId| *side == v.side;
    let said = match &v.state.at {
        At::Setup(side) if mine(side) => ("your set-up", "the game begins", "what stands, stays"),
        At::Setup(_) => ("the other side sets up", "your set-up, or the first turn", "nothing"),
        At::Reinforcement | At::Regroup | At::Initiative => ("reinforcements", "the impulses", "nothing"),
        At::Muster(_) => ("a column musters", "the impulses", "it stands where it stands"),
        At::Impulse(side) if mine(side) && v.state.segment == Segment::Activation => {
            return (call(v), "the other side's impulse".to_owned(), "PASS".to_owned());
        }
        At::Impulse(side) if mine(side) => {
            ("your impulse goes on: moves and charges, FIRE, MELEE, END", "the other side's impulse", "END")
        }
        At::Impulse(_) => ("the other side's impulse", "your impulse", "nothing"),
        At::Recovery => ("the recovery", "the next turn", "nothing"),
        At::Over => ("the game is over", "", ""),
    };
    (said.0.to_owned(), said.1.to_owned(), said.2.to_owned())
}

/// What an impulse begins with: whom the seat may activate, each alone or with others.
fn call(v: &View) -> String {
    let names = standing::callable(v);
    match names.as_slice() {
        [] => "your impulse: ACTIVATE a leader, or PASS".to_owned(),
        names => format!("your impulse: ACTIVATE {}, or PASS", text::or_list(names)),
    }
}

/// What a stage mail shows: all in few lines where the reader's sheet is open and in a first letter, else what has changed.
fn news(page: &Page<'_, BraveFellows>, roster: &Roster<'_>, sections: &mut Sections) {
    let (v, before) = (page.view, page.before);
    if my_sheet(v) || before.is_none() {
        sections.forces = units::short(v, true, roster);
        sections.enemy = units::short(v, false, roster);
        if roster.width == text::WIDTH && (roster.in_touch() || before.is_none()) {
            sections.maps.extend(map::close(v, roster));
        }
    }
    if let Some(before) = before {
        sections.changed = roster.changed(&units::roster(before, roster.width));
    }
}

/// Whether the seat's sheet is open.
fn my_sheet(v: &View) -> bool {
    match &v.state.at {
        At::Setup(side) | At::Impulse(side) => *side == v.side,
        At::Muster(_) => v.side.0 == COALITION,
        At::Reinforcement | At::Regroup | At::Initiative | At::Recovery | At::Over => false,
    }
}

impl Paper for BraveFellows {
    fn sections(page: &Page<'_, BraveFellows>) -> Sections {
        let v = page.view;
        let s = &v.state;
        let width = if page.format.narrow { text::WIDTH_PHONE } else { text::WIDTH };
        let (now, next, if_not) = now(v);
        let (story, told_in) = story::write(v, page.told);
        let last = s.board.scenario.turns.1;
        let result = s.over.as_ref().map(|(winner, level)| match winner {
            Some(side) if *side == v.side => format!("you have won ({level})"),
            Some(side) => format!("the {} have won ({level})", name(side)),
            None => "a draw".to_owned(),
        });
        let night = if s.board.night(s.turn) { "   night" } else { "" };
        let mut sections = Sections {
            head: format!("{}   turn {} of {last}   {}{night}", name(&v.side), s.turn, hour(s.turn)),
            now,
            next,
            if_not,
            score: opening::score(v),
            result,
            story,
            told_in,
            ..Sections::default()
        };
        let roster = units::roster(v, width);
        if page.whole {
            sections.forces = units::all(v, true, &roster);
            sections.enemy = units::all(v, false, &roster);
            sections.maps = map::maps(v, &roster);
        } else {
            news(page, &roster, &mut sections);
        }
        if page.format.plates {
            let before = page.before.map(|before| before.state.turn);
            show::add(&plate::shown(v), Wanted { whole: page.whole, open: my_sheet(v), before }, &mut sections);
        }
        sections
    }

    fn map(v: &View, area: Option<&str>, format: Format) -> Result<Vec<String>, Fault> {
        map::area(v, area, if format.narrow { text::WIDTH_PHONE } else { text::WIDTH })
    }

    fn plate(v: &View, area: Option<&str>) -> Option<Result<String, Fault>> {
        Some(show::area(&plate::shown(v), area))
    }

    fn ground(view: &View) -> Option<Ground> {
        Some(marks::ground(&plate::scene(view)))
    }

    fn marks(view: &View) -> Vec<Mark> {
        marks::marks(&plate::scene(view))
    }

    fn seat_data(view: &View) -> Option<SeatData> {
        let (board, svg) = seat::board(view);
        Some(SeatData { board: serde_json::to_value(board).unwrap_or_default(), svg, script: seat::SCRIPT })
    }

    fn bot(view: &View, asks: &[Ask], noise: u64) -> Vec<String> {
        solo::lines(view, asks, noise)
    }

    fn offers(v: &View) -> Vec<String> {
        offers::offers(v)
    }

    fn lodges() -> Option<&'static str> {
        Some(lodge::KEY)
    }

    fn rule(paragraph: &str) -> Vec<String> {
        crate::report::index::lines(include_str!("../../../tests/rules/brave_fellows.tsv"), paragraph)
    }

    fn topics() -> &'static [Topic] {
        help::TOPICS
    }

    fn victory(v: &View) -> Vec<String> {
        opening::victory(v)
    }

    fn opening(v: &View, _: Format) -> Opening {
        opening::opening(v)
    }

    fn summary(v: &View, turn: u32, told: &[Sighting]) -> String {
        story::summary(v, turn, told)
    }

    fn history(v: &View, turn: u32, told: &[Sighting]) -> Vec<String> {
        let (said, _) = story::write(v, told);
        std::iter::once(format!("Turn {turn}")).chain(said.into_iter().map(|s| format!("  {s}"))).collect()
    }
}
