//! The paper of `great_battles`: head, story, units, field; written from a view and what was told, never from truth.

mod help;
mod layout;
mod map;
mod offers;
mod opening;
mod plate;
pub mod seat;
mod steps;
mod story;
mod tables;
mod units;

use crate::fog::SideId;
use crate::host::film::{Ground, Mark};
use crate::host::paper::{Format, Opening, Page, Paper, SeatData, Sections, Topic};
use crate::orders::Fault;
use crate::report::field::plate::marks;
use crate::report::field::plate::show::{self, Wanted};
use crate::report::field::roster::{BOTH, Roster};
use crate::rules::Ask;
use crate::rules::great_battles::board::{ALLIED, FRENCH};
use crate::rules::great_battles::eyes::{veiled, visibility};
use crate::rules::great_battles::state::{Acting, At, Step};
use crate::rules::great_battles::view::View;
use crate::rules::great_battles::{GreatBattles, Sighting, solo};
use crate::rules::great_battles::{reach, reinforce};
use crate::rules::tactical::lodge;
use crate::text;

/// 3.0 The first turn is at seven, and each is 20 minutes.
const BEGINS: u32 = 7 * 60;
const MINUTES: u32 = 20;

/// A side as a page is headed; the umpire's is of both.
fn name(side: &SideId) -> &'static str {
    match side.0.as_str() {
        FRENCH => "French",
        ALLIED => "Allied",
        _ => BOTH,
    }
}

fn clock(turn: u32) -> String {
    let minutes = BEGINS + MINUTES * turn.saturating_sub(1);
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

/// Whether the seat's sheet is open.
fn my_sheet(v: &View) -> bool {
    match &v.state.at {
        At::Open => !v.side.0.is_empty(),
        At::Others(side) => *side == v.side,
        At::Act => v.state.acting.as_ref().is_some_and(|acting| acting.side == v.side),
        At::Change | At::Initiative | At::Close | At::Over => false,
    }
}

/// Which division of a seat's own acts, and how.
fn actor(acting: &Acting) -> String {
    let of = acting.division.as_ref().and_then(|id| Some((id, acting.modes.get(id)?)));
    of.map_or("your command".to_owned(), |(id, how)| format!("{id} ({})", how.word().to_lowercase()))
}

/// What can be written while the turn opens.
fn opens(v: &View) -> String {
    let reinforce = !reinforce::due(&v.state, &v.side).is_empty();
    let can = [(!reach::additions(v).is_empty(), "CHANGE"), (true, "INITIATIVE"), (reinforce, "REINFORCE")];
    let can: Vec<&str> = can.into_iter().filter(|(may, _)| *may).map(|(_, verb)| verb).collect();
    format!("the turn opens: {}, in secret", can.join(", "))
}

fn now(v: &View) -> (String, &'static str, &'static str) {
    let s = &v.state;
    let mine = s.acting.as_ref().filter(|acting| acting.side == v.side);
    let said = match (&s.at, mine) {
        (At::Open, _) => return (opens(v), "the draws", "nothing is changed"),
        (At::Others(_), None) if my_sheet(v) => {
            ("you may PICK a division without a LIM, or a unit", "the other side's pick", "you pick nobody")
        }
        (_, Some(acting)) => {
            let who = match acting.todo.as_slice() {
                [] => String::new(),
                [only] => format!(": ACTIVATE {only}"),
                // Not one of them: all may try, and who does not try does nothing.
                several => format!(": each of {} may try, ACTIVATE and its name", text::and_list(several)),
            };
            return match acting.step {
                Step::Attempt => (format!("your command acts{who}"), "the next draw", "it stays, and fires nowhere"),
                Step::Movement => {
                    let more = if who.is_empty() { who } else { format!("; or{}", who.trim_start_matches(':')) };
                    (format!("{} moves, then fires and attacks{more}", actor(acting)), "the next draw", "it stays")
                }
                Step::Fire => (format!("{} fires, then attacks", actor(acting)), "the next draw", "END"),
                Step::Melee => (format!("{} attacks", actor(acting)), "the next draw", "END"),
            };
        }
        (At::Act | At::Others(_), None) => ("a command of the enemy's acts", "the next draw", "nothing"),
        (At::Change | At::Initiative, _) => ("the dice of the opening", "the draws", "nothing"),
        (At::Close, _) => ("the rally", "the next turn", "nothing"),
        (At::Over, _) => ("the game is over", "", ""),
    };
    (said.0.to_owned(), said.1, said.2)
}

/// What a stage mail shows: all in few lines where the reader's sheet is open and in a first letter, else what has changed.
fn news(page: &Page<'_, GreatBattles>, roster: &Roster<'_>, sections: &mut Sections) {
    let (v, before) = (page.view, page.before);
    if my_sheet(v) || before.is_none() {
        sections.forces = units::short(v, true, roster);
        sections.enemy = units::short(v, false, roster);
        // Nobody marches without a map.
        let acts = my_sheet(v) && v.state.at != At::Open;
        if acts || roster.width == text::WIDTH && (roster.in_touch() || before.is_none()) {
            sections.maps.extend(map::close(v, roster));
        }
    }
    if let Some(before) = before {
        sections.changed = roster.changed(&units::roster(before, roster.width));
    }
}

impl Paper for GreatBattles {
    // All units of a division have a line each.
    const SUGGESTIONS_MAX: usize = crate::rules::great_battles::OFFERED_MAX;

    fn sections(page: &Page<'_, GreatBattles>) -> Sections {
        let v = page.view;
        let s = &v.state;
        let width = if page.format.narrow { text::WIDTH_PHONE } else { text::WIDTH };
        let (now, next, if_not) = now(v);
        let (story, told_in) = story::write(v, page.told);
        let last = s.board.scenario.turns.1;
        let result = s.over.as_ref().map(|(winner, points)| match winner {
            Some(side) if *side == v.side => format!("you have won (Allied points less French: {points})"),
            Some(side) => format!("the {} side has won (Allied points less French: {points})", name(side)),
            None => format!("a draw (Allied points less French: {points})"),
        });
        // Where all counters lie open, no mist hides one.
        let mist = visibility(s).filter(|_| veiled(s));
        let mist = mist.map_or_else(String::new, |mist| format!("   mist, sight {}", mist.hexes));
        let mut sections = Sections {
            head: format!("{}   turn {} of {last}   {}{mist}", name(&v.side), s.turn, clock(s.turn)),
            now,
            next: next.to_owned(),
            if_not: if_not.to_owned(),
            score: opening::score(v),
            result,
            story,
            told_in,
            together: true,
            ..Sections::default()
        };
        let mut roster = units::roster(v, width);
        if page.whole {
            sections.forces = units::all(v, true, &roster);
            sections.enemy = units::all(v, false, &roster);
            sections.maps = map::maps(v, &roster);
        } else {
            units::called(v, &mut roster);
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
        let (board, svg) = layout::board(view);
        Some(SeatData { board: serde_json::to_value(board).unwrap_or_default(), svg, script: seat::SCRIPT })
    }

    fn bot(view: &View, asks: &[Ask], _: u64) -> Vec<String> {
        solo::lines(view, asks, usize::MAX)
    }

    fn offers(v: &View) -> Vec<String> {
        offers::offers(v)
    }

    fn lodges() -> Option<&'static str> {
        Some(lodge::KEY)
    }

    fn rule(paragraph: &str) -> Vec<String> {
        crate::report::index::lines(include_str!("../../../tests/rules/great_battles.tsv"), paragraph)
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

    fn summary(_: &View, turn: u32, told: &[Sighting]) -> String {
        story::summary(turn, told)
    }

    fn history(v: &View, turn: u32, told: &[Sighting]) -> Vec<String> {
        let (said, _) = story::write(v, told);
        std::iter::once(format!("Turn {turn}")).chain(said.into_iter().map(|s| format!("  {s}"))).collect()
    }
}
