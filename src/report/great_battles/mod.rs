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
use crate::host::paper::Topic;
use crate::report::field::paper::Battle;
use crate::report::field::plate::Scene;
use crate::report::field::roster::{BOTH, Roster};
use crate::rules::Ask;
use crate::rules::great_battles::board::{ALLIED, FRENCH};
use crate::rules::great_battles::eyes::{veiled, visibility};
use crate::rules::great_battles::state::{Acting, At, Lim, Step};
use crate::rules::great_battles::view::View;
use crate::rules::great_battles::{GreatBattles, Sighting, solo};
use crate::rules::great_battles::{reach, reinforce};
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

/// The time of the turn, and the mist, but where all counters lie open: there it hides none.
fn clock(v: &View) -> String {
    let minutes = BEGINS + MINUTES * v.state.turn.saturating_sub(1);
    let mist = visibility(&v.state).filter(|_| veiled(&v.state));
    let mist = mist.map_or_else(String::new, |mist| format!("   mist, sight {}", mist.hexes));
    format!("{:02}:{:02}{mist}", minutes / 60, minutes % 60)
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

fn now(v: &View) -> [String; 3] {
    let s = &v.state;
    let mine = s.acting.as_ref().filter(|acting| acting.side == v.side);
    let (now, next, if_not) = match (&s.at, mine) {
        (At::Open, _) => (opens(v), "the draws", "nothing is changed"),
        (At::Others(_), None) if my_sheet(v) => {
            ("you may PICK a division without a LIM, or a unit".to_owned(), "the other side's pick", "you pick nobody")
        }
        (_, Some(acting)) => {
            let who = match acting.todo.as_slice() {
                [] => String::new(),
                [only] => format!(": ACTIVATE {only}"),
                // 4.7 To one of them a breakdown gives an attempt.
                several if matches!(acting.lim, Lim::Extra(_)) => {
                    format!(": one of {} may try, ACTIVATE and its name", text::or_list(several))
                }
                // Not one of them: all may try, and who does not try does nothing.
                several => format!(": each of {} may try, ACTIVATE and its name", text::and_list(several)),
            };
            let next = if matches!(s.at, At::Others(_)) { "the next pick" } else { "the next draw" };
            match acting.step {
                Step::Attempt => (format!("your command acts{who}"), next, "it stays, and fires nowhere"),
                Step::Movement => {
                    let more = if who.is_empty() { who } else { format!("; or{}", who.trim_start_matches(':')) };
                    (format!("{} moves, then fires and attacks{more}", actor(acting)), next, "it stays")
                }
                Step::Fire => (format!("{} fires, then attacks", actor(acting)), next, "END"),
                Step::Melee => (format!("{} attacks", actor(acting)), next, "END"),
            }
        }
        (At::Others(_), None) => {
            ("the other side picks, when all LIMs are drawn".to_owned(), "the next pick", "nothing")
        }
        (At::Act, None) => ("a command of the enemy's acts".to_owned(), "the next draw", "nothing"),
        (At::Change | At::Initiative, _) => ("the dice of the opening".to_owned(), "the draws", "nothing"),
        (At::Close, _) => ("the rally".to_owned(), "the next turn", "nothing"),
        (At::Over, _) => ("the game is over".to_owned(), "", ""),
    };
    [now, next.to_owned(), if_not.to_owned()]
}

impl Battle for GreatBattles {
    // All units of a division have a line each.
    const SUGGESTED: usize = crate::orders::mend::OFFERED_MAX;
    const TOGETHER: bool = true;
    const INDEX: &'static str = include_str!("../../../tests/rules/great_battles.tsv");
    const TOPICS: &'static [Topic] = help::TOPICS;
    const SCRIPT: &'static str = seat::SCRIPT;
    const TIRED: &'static str = "Shaken or Unsteady";
    const CAUTIONS: &'static [&'static str] = opening::CAUTIONS;
    type Board = seat::Board;

    fn turns(v: &View) -> (u32, u32) {
        (v.state.turn, v.state.board.scenario.turns.1)
    }

    fn reader(v: &View) -> &'static str {
        name(&v.side)
    }

    fn hour(v: &View) -> String {
        clock(v)
    }

    fn now(v: &View) -> [String; 3] {
        now(v)
    }

    fn result(v: &View) -> Option<String> {
        let (winner, points) = v.state.over.as_ref()?;
        let held = opening::held(v);
        let held = if held.is_empty() { held } else { format!("; {held}") };
        Some(match winner {
            Some(side) if *side == v.side => format!("you have won (Allied points less French: {points}{held})"),
            Some(side) => format!("the {} side has won (Allied points less French: {points}{held})", name(side)),
            None => format!("a draw (Allied points less French: {points}{held})"),
        })
    }

    fn score(v: &View) -> String {
        opening::score(v)
    }

    fn won(v: &View) -> Vec<String> {
        opening::victory(v)
    }

    fn story(v: &View, told: &[Sighting]) -> (Vec<String>, Vec<Option<usize>>) {
        story::write(v, told)
    }

    fn sum_up(turn: u32, told: &[Sighting]) -> String {
        story::summary(turn, told)
    }

    fn is_open(v: &View) -> bool {
        my_sheet(v)
    }

    fn marches(v: &View) -> bool {
        my_sheet(v) && v.state.at != At::Open
    }

    fn acts(v: &View) -> bool {
        v.state.units.values().any(|u| u.going.ready)
    }

    fn roster(v: &View, width: usize) -> Roster<'_> {
        units::roster(v, width)
    }

    fn call(v: &View, roster: &mut Roster<'_>) {
        units::called(v, roster);
    }

    fn forces(v: &View, own: bool, whole: bool, roster: &Roster<'_>) -> Vec<String> {
        if whole { units::all(v, own, roster) } else { units::short(v, own, roster) }
    }

    fn legend(v: &View) -> Vec<String> {
        map::legend(v)
    }

    fn scene(v: &View) -> Scene<'_> {
        plate::scene(v)
    }

    fn board(v: &View) -> (seat::Board, String) {
        layout::board(v)
    }

    fn plays(v: &View, asks: &[Ask], _: u64) -> Vec<String> {
        solo::lines(v, asks, usize::MAX)
    }

    fn offered(v: &View) -> Vec<String> {
        offers::offers(v)
    }

    fn what(v: &View) -> Vec<String> {
        opening::what(v)
    }

    fn briefing(v: &View) -> Option<&String> {
        v.state.board.scenario.briefings.get(&v.side)
    }

    fn count(v: &View) -> String {
        opening::count(v)
    }

    fn first(v: &View) -> Vec<(String, String)> {
        opening::first(v)
    }
}
