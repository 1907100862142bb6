//! The paper of `brave_fellows`, as far as it is built: head, story, own forces, the enemy.

mod story;

use crate::fog::SideId;
use crate::host::paper::{Format, Page, Paper, Sections};
use crate::orders::Fault;
use crate::rules::brave_fellows::BraveFellows;
use crate::rules::brave_fellows::board::{COALITION, FRENCH};
use crate::rules::brave_fellows::event::Event;
use crate::rules::brave_fellows::state::{At, Mood, State, Unit};
use crate::rules::brave_fellows::victory::equivalents;
use crate::rules::brave_fellows::view::View;
use crate::rules::{Ask, Ruleset};

/// 3.0 The hour of the first turn is 7: hour = 6 + turn.
const BEFORE_DAWN: u32 = 6;

fn name(side: &SideId) -> &'static str {
    if side.0 == FRENCH { "French" } else { "Coalition" }
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
        At::Impulse(side) if mine(side) => ("your impulse", "the other side's impulse", "PASS"),
        At::Impulse(_) => ("the other side's impulse", "your impulse", "nothing"),
        At::Recovery => ("the recovery", "the next turn", "nothing"),
        At::Over => ("the game is over", "", ""),
    };
    (said.0.to_owned(), said.1.to_owned(), said.2.to_owned())
}

fn state_of(s: &State, id: &str, u: &Unit) -> String {
    let mood = match u.mood {
        Mood::Fresh => "fresh",
        Mood::Fatigued => "fatigued",
        Mood::Routed => "routed",
    };
    let marks = [(u.used, ", activated"), (u.charged, ", charged"), (u.low, ", low on ammunition")];
    let marks: String = marks.into_iter().filter(|(is_so, _)| *is_so).map(|(_, word)| word).collect();
    format!("FV {} FF {} MF {} MA {}  {mood}{marks}", s.fv(id), s.ff(id), s.mf(id), s.ma(id))
}

fn forces(v: &View, own: bool) -> Vec<String> {
    let s = &v.state;
    let of_side = |side: &SideId| (*side == v.side) == own;
    let leaders = s.leaders.iter().filter(|(name, _)| s.chief(name).is_some_and(|chief| of_side(&chief.side)));
    let placed = leaders.filter_map(|(name, l)| Some((name, l.hex?, l.used)));
    let mut lines: Vec<String> =
        placed.map(|(name, hex, used)| format!("{name:<13} {hex}{}", if used { "  activated" } else { "" })).collect();
    let units = s.standing().filter(|(id, ..)| s.kind(id).is_some_and(|kind| of_side(&kind.side)));
    lines.extend(units.map(|(id, u, hex)| format!("  {id:<11} {hex} {:<2}  {}", u.facing.name(), state_of(s, id, u))));
    lines
}

impl Paper for BraveFellows {
    fn sections(page: &Page<'_, BraveFellows>) -> Sections {
        let v = page.view;
        let s = &v.state;
        let (now, next, if_not) = now(v);
        let said: Vec<(usize, String)> =
            page.told.iter().enumerate().filter_map(|(at, event)| Some((at, story::line(event)?))).collect();
        let mut told_in = vec![None; page.told.len()];
        for (n, (at, _)) in said.iter().enumerate() {
            if let Some(place) = told_in.get_mut(*at) {
                *place = Some(n + 1);
            }
        }
        let (gazan, all) = equivalents(s);
        let last = s.board.turns.1;
        let result = s.over.as_ref().map(|(winner, level)| match winner {
            Some(side) if *side == v.side => format!("you have won ({level})"),
            Some(side) => format!("the {} has won ({level})", name(side)),
            None => "a draw".to_owned(),
        });
        Sections {
            head: format!("{}   turn {} of {last}   {}", name(&v.side), s.turn, hour(s.turn)),
            now,
            next,
            if_not,
            score: format!("French losses: {gazan} of Gazan's division, {all} in all"),
            result,
            full: page.whole,
            story: said.into_iter().map(|(_, line)| line).collect(),
            told_in,
            forces: forces(v, true),
            enemy: forces(v, false),
            ..Sections::default()
        }
    }

    fn map(_: &View, _: Option<&str>, _: Format) -> Result<Vec<String>, Fault> {
        Err(Fault::not_yet("MAP", "this game"))
    }

    fn bot(view: &View, asks: &[Ask], noise: u64) -> Vec<String> {
        crate::bot::brave_fellows::lines(view, asks, noise)
    }

    fn offers(v: &View) -> Vec<String> {
        let mine = match &v.state.at {
            At::Setup(side) | At::Impulse(side) => *side == v.side,
            At::Muster(_) => v.side.0 == COALITION,
            At::Reinforcement | At::Regroup | At::Initiative | At::Recovery | At::Over => false,
        };
        let examples = BraveFellows::verbs().iter().flat_map(|verb| (verb.examples)(v));
        if mine { examples.collect() } else { Vec::new() }
    }

    fn victory(_: &View) -> Vec<String> {
        vec![
            "French: hold Durenstein with two battalions and each Loiben with one, and the road west is free"
                .to_owned(),
            "(Strategic); Durenstein and Oberloiben with one each, and the road from there (Tactical). [10.2.2]"
                .to_owned(),
            "Coalition: 10 battalions of Gazan's division or 16 in all (Strategic), 6 or 9 (Tactical). [10.2.4]"
                .to_owned(),
        ]
    }

    fn history(_: &View, turn: u32, told: &[Event]) -> Vec<String> {
        let said = told.iter().filter_map(story::line);
        std::iter::once(format!("Turn {turn}")).chain(said.map(|s| format!("  {s}"))).collect()
    }
}
