//! Questions to the side that is not on move, and the standing answers to them.

use super::event::Event;
use super::fatigue::At;
use super::state::State;
use super::view::View;
use crate::fog::SideId;
use crate::orders::{Args, Fault, Line};
use crate::rules::journal::Book;
use crate::rules::{Ask, Key, Play};

/// What is asked; the answer is yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// 3.0 Whether the side with the initiative goes first.
    First,
    /// 6.2.12 Whether horse charges to meet the charge against it.
    Counter,
    /// 6.2.13 Whether horse charges into a charge against another.
    React,
    /// 6.3.5 Whether a leader alone fires, and goes back.
    LeaderFire,
}

/// A question.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// What is asked.
    pub what: What,
    /// The piece that it is about; none where it is about the side.
    pub piece: String,
    /// The enemy that it is about.
    pub against: String,
}

/// Keys of the doctrine.
pub const KEYS: &[Key] = &[
    Key {
        word: "FIRST",
        values: "YES, NO or ASK",
        default: "YES",
        about: "whether you go first where you have the initiative",
        rule: "3.0",
        valid: |v| ["YES", "NO", "ASK"].contains(&v),
    },
    Key {
        word: "COUNTER",
        values: "IF-STRONGER, YES, NO or ASK",
        default: "IF-STRONGER",
        about: "whether your horse charges to meet a charge against it; unless you say otherwise, where it is no weaker",
        rule: "6.2.12",
        valid: |v| ["IF-STRONGER", "YES", "NO", "ASK"].contains(&v),
    },
    Key {
        word: "REACT",
        values: "IF-STRONGER, YES, NO or ASK",
        default: "IF-STRONGER",
        about: "whether your horse charges into a charge against others",
        rule: "6.2.13",
        valid: |v| ["IF-STRONGER", "YES", "NO", "ASK"].contains(&v),
    },
    Key {
        word: "LEADERFIRE",
        values: "NO, YES or ASK",
        default: "NO",
        about: "whether a leader alone fires at who comes next to him, and then goes back two hexes",
        rule: "6.3.5",
        valid: |v| ["NO", "YES", "ASK"].contains(&v),
    },
];

fn word(what: What) -> &'static str {
    match what {
        What::First => "FIRST",
        What::Counter => "COUNTER",
        What::React => "REACT",
        What::LeaderFire => "LEADERFIRE",
    }
}

fn rule(what: What) -> &'static str {
    match what {
        What::First => "3.0",
        What::Counter => "6.2.12",
        What::React => "6.2.13",
        What::LeaderFire => "6.3.5",
    }
}

/// A prompt's place in the journal.
pub fn address(p: &Prompt) -> String {
    format!("{}/{}", word(p.what).to_lowercase(), p.piece)
}

fn spoken(yes: bool) -> String {
    if yes { "YES" } else { "NO" }.to_owned()
}

fn stronger(s: &State, p: &Prompt) -> bool {
    s.mf(&p.piece) >= s.mf(&p.against)
}

fn default(s: &State, p: &Prompt) -> bool {
    match p.what {
        What::First => true,
        What::Counter | What::React => stronger(s, p),
        What::LeaderFire => false,
    }
}

/// A prompt as its seat reads it.
pub fn ask(v: &View, p: &Prompt) -> Ask {
    let Prompt { what, piece, against } = p;
    let question = match what {
        What::First => "You have the initiative. Do you go first?".to_owned(),
        What::Counter => format!("{against} charges {piece}. Does {piece} charge to meet it?"),
        What::React => format!("{against} charges past {piece}. Does {piece} charge into it?"),
        What::LeaderFire => format!("{against} stands next to {piece}, who is alone. Does he fire, and go back?"),
    };
    let answers = vec!["YES".to_owned(), "NO".to_owned()];
    Ask { question, rule: rule(*what).to_owned(), answers, default: spoken(default(&v.state, p)) }
}

/// Reads yes or no.
///
/// # Errors
/// The line is neither.
pub fn read(l: &Line) -> Result<bool, Fault> {
    Ok(Args::new(l, 0).one_of("YES or NO", &["YES", "NO"])? == "YES")
}

/// The doctrine's answer; none where the seat wants to be asked.
pub fn doctrine(v: &View, p: &Prompt, book: &Book) -> Option<String> {
    match book.get(word(p.what)) {
        Some("ASK") => None,
        Some("YES") => Some(spoken(true)),
        Some("NO") => Some(spoken(false)),
        Some("IF-STRONGER") => Some(spoken(stronger(&v.state, p))),
        _ => Some(spoken(default(&v.state, p))),
    }
}

/// Asks a side.
pub(super) fn side(cx: &mut At<'_>, side: &SideId, what: What, piece: &str, against: &str) -> Play<bool> {
    let against = &super::eyes::name(cx.state(), side, against).unwrap_or_default();
    if cx.state().board.solo.contains(side) {
        // 12.0 The house answers as a seat does that has said nothing.
        let prompt = Prompt { what, piece: piece.to_owned(), against: against.clone() };
        return Ok(default(&cx.view(side).state, &prompt));
    }
    let seat = cx.seat_of(side);
    cx.ask(&seat, Prompt { what, piece: piece.to_owned(), against: against.clone() })
}

/// 3.0 The side that has the initiative says who has the first impulse.
pub(super) fn first(cx: &mut At<'_>, winner: &SideId) -> Play<()> {
    let goes = side(cx, winner, What::First, "", "")?;
    let first = if goes { winner.clone() } else { super::board::other(winner) };
    cx.emit(Event::First { side: first });
    Ok(())
}
