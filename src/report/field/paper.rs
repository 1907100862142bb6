//! The paper of a battle on hexes: what its letters hold in the same way whatever the game, made of what a game says of a view.

use super::plate::Scene;
use super::plate::marks;
use super::plate::show::{self, Shown, Wanted};
use super::roster::Roster;
use crate::host::film::{Ground, Mark};
use crate::host::paper::{Format, Opening, Page, Paper, SeatData, Sections, Topic};
use crate::orders::Fault;
use crate::report::index;
use crate::rules::tactical::lodge;
use crate::rules::{Ask, Ruleset};
use crate::text;
use serde::Serialize;

/// A battle on hexes, as its seats read of it: all from the view.
pub trait Battle: Ruleset {
    /// Suggestions for one line, at most.
    const SUGGESTED: usize = 3;
    /// Whether the lines that are offered work together in their order.
    const TOGETHER: bool = false;
    /// The index of its rules.
    const INDEX: &'static str;
    /// What HELP explains.
    const TOPICS: &'static [Topic];
    /// What its order sheet does.
    const SCRIPT: &'static str;
    /// What it calls counters that are drawn as tired.
    const TIRED: &'static str;
    /// What a newcomer gets wrong.
    const CAUTIONS: &'static [&'static str];
    /// A seat's view as data.
    type Board: Serialize;

    /// The turn, and the last one.
    fn turns(v: &Self::View) -> (u32, u32);
    /// Who reads, as a page is headed.
    fn reader(v: &Self::View) -> &'static str;
    /// The hour, and what hides the field.
    fn hour(v: &Self::View) -> String;
    /// Who moves now, what comes next, and what happens if the seat sends nothing.
    fn now(v: &Self::View) -> [String; 3];
    /// How the game ended; none while it goes on.
    fn result(v: &Self::View) -> Option<String>;
    /// How it stands, in one line.
    fn score(v: &Self::View) -> String;
    /// How it is won, and how it stands.
    fn won(v: &Self::View) -> Vec<String>;
    /// What happened, and for each thing told its paragraph.
    fn story(v: &Self::View, told: &[Self::Sighting]) -> (Vec<String>, Vec<Option<usize>>);
    /// One line on a turn.
    fn sum_up(turn: u32, told: &[Self::Sighting]) -> String;
    /// Whether the seat's sheet is open.
    fn is_open(v: &Self::View) -> bool;
    /// Whether it writes marches now, for which nobody does without a map.
    fn marches(v: &Self::View) -> bool {
        let _ = v;
        false
    }
    /// Whether somebody of the seat's acts: the close-up lies round those alone.
    fn acts(v: &Self::View) -> bool;
    /// All that a seat sees on the map.
    fn roster(v: &Self::View, width: usize) -> Roster<'_>;
    /// Marks those that may act once they are called.
    fn call(v: &Self::View, roster: &mut Roster<'_>) {
        let (_, _) = (v, roster);
    }
    /// The pieces of a side, all or in few lines.
    fn forces(v: &Self::View, own: bool, whole: bool, roster: &Roster<'_>) -> Vec<String>;
    /// What the characters of a map mean.
    fn legend(v: &Self::View) -> Vec<String>;
    /// What stands below a map of the whole field.
    fn beneath(v: &Self::View) -> Option<String> {
        let _ = v;
        None
    }
    /// What a view holds of the field.
    fn scene(v: &Self::View) -> Scene<'_>;
    /// The view as data, and its drawing.
    fn board(v: &Self::View) -> (Self::Board, String);
    /// What the program's own player would write.
    fn plays(v: &Self::View, asks: &[Ask], noise: u64) -> Vec<String>;
    /// Lines that the seat could send now.
    fn offered(v: &Self::View) -> Vec<String>;
    /// What the seat commands, against whom, and what a turn asks of it.
    fn what(v: &Self::View) -> Vec<String>;
    /// What the scenario says to the seat.
    fn briefing(v: &Self::View) -> Option<&String>;
    /// How many it commands, in words.
    fn count(v: &Self::View) -> String;
    /// First orders, each with what it is for.
    fn first(v: &Self::View) -> Vec<(String, String)>;
}

/// How wide a page is.
fn width(format: Format) -> usize {
    if format.narrow { text::WIDTH_PHONE } else { text::WIDTH }
}

/// What is drawn of a view.
fn shown<B: Battle>(v: &B::View) -> Shown<'_> {
    let (turn, _) = B::turns(v);
    Shown { scene: B::scene(v), roster: B::roster(v, text::WIDTH), tired: B::TIRED, acts: B::acts(v), turn }
}

/// What a stage mail shows: all in few lines where the reader's sheet is open and in a first letter, else what has changed.
fn news<B: Battle>(page: &Page<'_, B>, roster: &Roster<'_>, sections: &mut Sections) {
    let (v, before) = (page.view, page.before);
    if B::is_open(v) || before.is_none() {
        sections.forces = B::forces(v, true, false, roster);
        sections.enemy = B::forces(v, false, false, roster);
        if B::marches(v) || roster.width == text::WIDTH && (roster.in_touch() || before.is_none()) {
            sections.maps.extend(roster.close(B::acts(v)));
        }
    }
    if let Some(before) = before {
        sections.changed = roster.changed(&B::roster(before, roster.width));
    }
}

/// The first sentence of an opening mail; `house` where the program leads the enemy.
pub fn against(own: &str, enemy: &str, house: bool) -> String {
    let house = if house { ", whom the program leads" } else { "" };
    format!("You command the {own} side against the {enemy}{house}, by mail.")
}

impl<B: Battle> Paper for B {
    const SUGGESTIONS_MAX: usize = B::SUGGESTED;

    fn sections(page: &Page<'_, B>) -> Sections {
        let v = page.view;
        let [now, next, if_not] = B::now(v);
        let (story, told_in) = B::story(v, page.told);
        let (turn, last) = B::turns(v);
        let mut sections = Sections {
            head: format!("{}   turn {turn} of {last}   {}", B::reader(v), B::hour(v)),
            now,
            next,
            if_not,
            score: B::score(v),
            result: B::result(v),
            story,
            told_in,
            together: B::TOGETHER,
            ..Sections::default()
        };
        let mut roster = B::roster(v, width(page.format));
        if page.whole {
            sections.forces = B::forces(v, true, true, &roster);
            sections.enemy = B::forces(v, false, true, &roster);
            sections.maps = roster.close(B::acts(v)).into_iter().chain([roster.whole()]).collect();
        } else {
            B::call(v, &mut roster);
            news(page, &roster, &mut sections);
        }
        if page.format.plates {
            let before = page.before.map(|before| B::turns(before).0);
            show::add(&shown::<B>(v), Wanted { whole: page.whole, open: B::is_open(v), before }, &mut sections);
        }
        sections
    }

    fn map(v: &B::View, area: Option<&str>, format: Format) -> Result<Vec<String>, Fault> {
        let width = width(format);
        let mut lines = B::roster(v, width).area(area, || B::legend(v))?;
        if area.is_none() {
            lines.extend(B::beneath(v).iter().flat_map(|line| text::wrap(line, width, "", 2)));
        }
        Ok(lines)
    }

    fn plate(v: &B::View, area: Option<&str>) -> Option<Result<String, Fault>> {
        Some(show::area(&shown::<B>(v), area))
    }

    fn ground(v: &B::View) -> Option<Ground> {
        Some(marks::ground(&B::scene(v)))
    }

    fn marks(v: &B::View) -> Vec<Mark> {
        marks::marks(&B::scene(v))
    }

    fn seat_data(v: &B::View) -> Option<SeatData> {
        let (board, svg) = B::board(v);
        Some(SeatData { board: serde_json::to_value(board).unwrap_or_default(), svg, script: B::SCRIPT })
    }

    fn bot(v: &B::View, asks: &[Ask], noise: u64) -> Vec<String> {
        B::plays(v, asks, noise)
    }

    fn offers(v: &B::View) -> Vec<String> {
        B::offered(v)
    }

    fn lodges() -> Option<&'static str> {
        Some(lodge::KEY)
    }

    fn rule(paragraph: &str) -> Vec<String> {
        index::lines(B::INDEX, paragraph)
    }

    fn topics() -> &'static [Topic] {
        B::TOPICS
    }

    fn victory(v: &B::View) -> Vec<String> {
        B::won(v)
    }

    fn opening(v: &B::View, _: Format) -> Opening {
        let briefing = B::briefing(v).map(String::as_str).unwrap_or_default();
        let situation = briefing.split('\n').map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned);
        let end = ("END".to_owned(), "ends the sheet that is open".to_owned());
        Opening {
            what: B::what(v),
            situation: situation.collect(),
            // The rows stand once, under the forces of the same letter.
            command: vec![B::count(v)],
            first: B::first(v).into_iter().chain([end]).collect(),
            cautions: B::CAUTIONS.iter().map(|line| (*line).to_owned()).collect(),
        }
    }

    fn summary(_: &B::View, turn: u32, told: &[B::Sighting]) -> String {
        B::sum_up(turn, told)
    }

    fn history(v: &B::View, turn: u32, told: &[B::Sighting]) -> Vec<String> {
        let (said, _) = B::story(v, told);
        std::iter::once(format!("Turn {turn}")).chain(said.into_iter().map(|s| format!("  {s}"))).collect()
    }
}
