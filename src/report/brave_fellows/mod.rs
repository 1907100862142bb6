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
use crate::host::paper::Topic;
use crate::report::field::paper::Battle;
use crate::report::field::plate::Scene;
use crate::report::field::roster::{BOTH, Roster};
use crate::rules::Ask;
use crate::rules::brave_fellows::board::{COALITION, FRENCH};
use crate::rules::brave_fellows::state::{At, Segment};
use crate::rules::brave_fellows::told::Sighting;
use crate::rules::brave_fellows::view::View;
use crate::rules::brave_fellows::{BraveFellows, solo, standing};
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

/// The hour of the turn, and whether it is night.
fn hour(v: &View) -> String {
    let hour = match v.state.turn + BEFORE_DAWN {
        12 => "noon".to_owned(),
        hour if hour < 12 => format!("{hour} AM"),
        hour => format!("{} PM", hour - 12),
    };
    let night = if v.state.board.night(v.state.turn) { "   night" } else { "" };
    format!("{hour}{night}")
}

fn now(v: &View) -> [String; 3] {
    let mine = |side: &SideId| *side == v.side;
    let said = match &v.state.at {
        At::Setup(side) if mine(side) => ["your set-up", "the game begins", "what stands, stays"],
        At::Setup(_) => ["the other side sets up", "your set-up, or the first turn", "nothing"],
        At::Reinforcement | At::Regroup | At::Initiative => ["reinforcements", "the impulses", "nothing"],
        At::Muster(_) => ["a column musters", "the impulses", "it stands where it stands"],
        At::Impulse(side) if mine(side) && v.state.segment == Segment::Activation => {
            return [call(v), "the other side's impulse".to_owned(), "PASS".to_owned()];
        }
        At::Impulse(side) if mine(side) => {
            ["your impulse goes on: moves and charges, FIRE, MELEE, END", "the other side's impulse", "END"]
        }
        At::Impulse(_) => ["the other side's impulse", "your impulse", "nothing"],
        At::Recovery => ["the recovery", "the next turn", "nothing"],
        At::Over => ["the game is over", "", ""],
    };
    said.map(str::to_owned)
}

/// What an impulse begins with: whom the seat may activate, each alone or with others.
fn call(v: &View) -> String {
    let names = standing::callable(v);
    match names.as_slice() {
        [] => "your impulse: ACTIVATE a leader, or PASS".to_owned(),
        names => format!("your impulse: ACTIVATE {}, or PASS", text::or_list(names)),
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

impl Battle for BraveFellows {
    const INDEX: &'static str = include_str!("../../../tests/rules/brave_fellows.tsv");
    const TOPICS: &'static [Topic] = help::TOPICS;
    const SCRIPT: &'static str = seat::SCRIPT;
    const TIRED: &'static str = "tired";
    const CAUTIONS: &'static [&'static str] = opening::CAUTIONS;
    type Board = seat::Board;

    fn turns(v: &View) -> (u32, u32) {
        (v.state.turn, v.state.board.scenario.turns.1)
    }

    fn reader(v: &View) -> &'static str {
        name(&v.side)
    }

    fn hour(v: &View) -> String {
        hour(v)
    }

    fn now(v: &View) -> [String; 3] {
        now(v)
    }

    fn result(v: &View) -> Option<String> {
        let (winner, level) = v.state.over.as_ref()?;
        Some(match winner {
            Some(side) if *side == v.side => format!("you have won ({level})"),
            Some(side) => format!("the {} have won ({level})", name(side)),
            None => "a draw".to_owned(),
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

    fn acts(v: &View) -> bool {
        v.state.segment > Segment::Activation
    }

    fn roster(v: &View, width: usize) -> Roster<'_> {
        units::roster(v, width)
    }

    fn forces(v: &View, own: bool, whole: bool, roster: &Roster<'_>) -> Vec<String> {
        if whole { units::all(v, own, roster) } else { units::short(v, own, roster) }
    }

    fn legend(v: &View) -> Vec<String> {
        map::legend(v)
    }

    fn beneath(v: &View) -> Option<String> {
        standing::holders(v)
    }

    fn scene(v: &View) -> Scene<'_> {
        plate::scene(v)
    }

    fn board(v: &View) -> (seat::Board, String) {
        seat::board(v)
    }

    fn plays(v: &View, asks: &[Ask], noise: u64) -> Vec<String> {
        solo::lines(v, asks, noise)
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
