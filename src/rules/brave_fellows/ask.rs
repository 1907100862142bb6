//! Questions to the side that is not on move, and the standing answers to them.

use super::command::under;
use super::event::Event;
use super::eyes;
use super::fatigue::At;
use super::lodge::{self, LODGE};
use super::state::State;
use super::view::View;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::orders::{Args, Fault, Line};
use crate::rules::journal::Book;
use crate::rules::tactical::lodge::Sheet;
use crate::rules::{Ask, Key, Play};
use std::collections::BTreeMap;

/// What is asked; the answer is yes or no, but for what is lodged.
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
    /// 6.3.7 Whether those who may fire at a hex in defence do.
    Fire,
    /// 6.1 What is lodged for an impulse; nobody is asked.
    Lodged,
    /// 9.2.3-9.2.5 What is lodged for a column that musters in fog; nobody is asked.
    Muster,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Yes or no.
    Plain(bool),
    /// A lodged sheet, if there is one.
    Lodged(Option<Sheet>),
}

/// A question.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// What is asked.
    pub what: What,
    /// The piece that it is about, or the hex; none where it is about the side.
    pub piece: String,
    /// The enemy that it is about, or those who would fire.
    pub against: String,
    /// DB.4 A pause would tell the other side, or this one, of somebody unseen: nobody is asked.
    pub closed: bool,
}

/// Keys of the doctrine.
pub const KEYS: &[Key] = &[
    Key::words("FIRST", &["YES", "NO", "ASK"], "whether you go first where you have the initiative", "3.0"),
    Key::words(
        "COUNTER",
        &["IF-STRONGER", "YES", "NO", "ASK"],
        "whether your horse charges to meet a charge against it; unless you say otherwise, where it is no weaker",
        "6.2.12",
    ),
    Key::words(
        "REACT",
        &["IF-STRONGER", "YES", "NO", "ASK"],
        "whether your horse charges into a charge against others",
        "6.2.13",
    ),
    Key::words(
        "FIRE",
        &["ALL", "CHARGERS", "HOLD", "ASK"],
        "whether your units fire at who has come next to them: all, at horse that has charged alone, or nobody",
        "6.3.7",
    ),
    Key::words(
        "LEADERFIRE",
        &["NO", "YES", "ASK"],
        "whether a leader alone fires at who comes next to him, and then goes back two hexes",
        "6.3.5",
    ),
    Key {
        word: lodge::KEY,
        values: &["NONE", "PASS", "[TURN n] lines with THEN between them, FOR a leader or a column"],
        default: "NONE",
        about: "a sheet that is taken in each turn without a mail, in your first impulse in which its leader may act and has \
                men to follow him, until you take it back by NONE; it is tried when its time comes, and not before; in fog, \
                the one by which a column that musters is deployed",
        rule: "6.1, 9.2.3",
        valid: |v| LODGE.is_valid(v),
    },
];

/// The key of a question, and its paragraph.
fn named(what: What) -> (&'static str, &'static str) {
    match what {
        What::First => ("FIRST", "3.0"),
        What::Counter => ("COUNTER", "6.2.12"),
        What::React => ("REACT", "6.2.13"),
        What::LeaderFire => ("LEADERFIRE", "6.3.5"),
        What::Fire => ("FIRE", "6.3.7"),
        What::Lodged => ("LODGED", "6.1"),
        What::Muster => ("MUSTER", "9.2.3"),
    }
}

/// A prompt's place in the journal.
pub fn address(p: &Prompt) -> String {
    format!("{}/{}", named(p.what).0.to_lowercase(), p.piece)
}

fn spoken(yes: bool) -> String {
    if yes { "YES" } else { "NO" }.to_owned()
}

fn stronger(s: &State, p: &Prompt) -> bool {
    s.mf(&p.piece) >= s.mf(&p.against)
}

fn default(s: &State, p: &Prompt) -> bool {
    match p.what {
        What::First | What::Fire => true,
        What::Counter | What::React => stronger(s, p),
        What::LeaderFire | What::Lodged | What::Muster => false,
    }
}

/// A prompt as its seat reads it.
pub fn ask(v: &View, p: &Prompt) -> Ask {
    let Prompt { what, piece, against, .. } = p;
    let question = match what {
        What::First => "You have the initiative. Do you go first?".to_owned(),
        What::Counter => format!("{against} charges {piece}. Does {piece} charge to meet it?"),
        What::React => format!("{against} charges past {piece}. Does {piece} charge into it?"),
        What::LeaderFire => format!("{against} stands next to {piece}, who is alone. Does he fire, and go back?"),
        What::Fire => format!("The enemy acts next to you in {piece}. Fire at him with {against}?"),
        What::Lodged | What::Muster => "Which sheet that you have lodged is taken?".to_owned(),
    };
    let (answers, default) = match what {
        What::Lodged | What::Muster => (vec!["NONE".to_owned()], "NONE".to_owned()),
        _ => (vec!["YES".to_owned(), "NO".to_owned()], spoken(default(&v.state, p))),
    };
    Ask { question, rule: named(*what).1.to_owned(), answers, default }
}

/// Reads yes or no, or a lodged sheet.
///
/// # Errors
/// The line is neither.
pub fn read(p: &Prompt, l: &Line) -> Result<Answer, Fault> {
    if matches!(p.what, What::Lodged | What::Muster) {
        return Ok(Answer::Lodged(LODGE.sheet(&l.source)));
    }
    Ok(Answer::Plain(Args::new(l, 0).one_of("YES or NO", &["YES", "NO"])? == "YES"))
}

/// The doctrine's answer; none where the seat wants to be asked.
pub fn doctrine(v: &View, p: &Prompt, book: &Book) -> Option<String> {
    match p.what {
        What::Lodged => return Some(lodge::next(v, book)),
        What::Muster => return Some(lodge::column(&p.piece, book)),
        _ => {}
    }
    let unit: &str = if p.what == What::Fire { p.against.split(' ').next().unwrap_or_default() } else { &p.piece };
    match book.get_for(named(p.what).0, &above(&v.state, unit)) {
        Some("ASK") if !p.closed => None,
        Some("YES" | "ALL") => Some(spoken(true)),
        Some("NO" | "HOLD") => Some(spoken(false)),
        Some("CHARGERS") => Some(spoken(charged(v, &p.piece))),
        Some("IF-STRONGER") => Some(spoken(stronger(&v.state, p))),
        _ => Some(spoken(default(&v.state, p))),
    }
}

/// Whom a standing answer about a unit may be for: the leader directly over it, then those above him.
pub(super) fn above(s: &State, unit: &str) -> Vec<String> {
    let all: Vec<&String> = s.board.succession.iter().rev().filter(|name| s.obeys(unit, name)).collect();
    let (own, others): (Vec<&String>, Vec<&String>) = all.into_iter().partition(|name| under(s, unit, name));
    own.into_iter().chain(others).cloned().collect()
}

/// 4.2.3 Whether a hex holds an enemy with a Charged marker.
fn charged(v: &View, hex: &str) -> bool {
    let s = &v.state;
    s.enemies(&v.side).any(|(_, u, at)| u.charged && at.to_string() == hex)
}

/// 6.3.7 Which of its units a side lets fire at a hex next to them; asked for the men of each leader together.
pub(super) fn fire(cx: &mut At<'_>, side: &SideId, by: &[String], at: Hex) -> Play<Vec<String>> {
    let mut commands: BTreeMap<Option<String>, Vec<String>> = BTreeMap::new();
    for unit in by {
        let leader = above(cx.state(), unit).into_iter().next();
        commands.entry(leader).or_default().push(unit.clone());
    }
    let mut found = Vec::new();
    for units in commands.into_values() {
        if put(cx, side, Prompt { what: What::Fire, piece: at.to_string(), against: units.join(" "), closed: false })? {
            found.extend(units);
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// Asks a side. DB.4 Where the other does not see the piece, or the side not the enemy, a pause would tell of it: nobody is
/// asked, and a standing answer of ASK counts as none.
pub(super) fn side(cx: &mut At<'_>, side: &SideId, what: What, piece: &str, against: &str) -> Play<bool> {
    let s = cx.state();
    let enemy = super::board::other(side);
    let names = eyes::name(s, side, against);
    let leader = s.leaders.get(piece).and_then(|l| l.hex);
    let seen = match leader {
        Some(hex) => eyes::meets(s, &enemy, hex),
        None => piece.is_empty() || eyes::name(s, &enemy, piece).is_some(),
    };
    let open = seen && (against.is_empty() || names.is_some());
    let closed = !open && matches!(what, What::React | What::LeaderFire);
    put(cx, side, Prompt { what, piece: piece.to_owned(), against: names.unwrap_or_default(), closed })
}

fn put(cx: &mut At<'_>, side: &SideId, prompt: Prompt) -> Play<bool> {
    if cx.state().board.scenario.solo.contains(side) {
        // 12.0 The house answers as a seat does that has said nothing.
        return Ok(default(&cx.view(side).state, &prompt));
    }
    let seat = cx.seat_of(side);
    Ok(cx.ask(&seat, prompt)? == Answer::Plain(true))
}

/// 6.1, 9.2.3 The sheet that a side has lodged for this impulse, or for a column.
pub(super) fn lodged(cx: &mut At<'_>, side: &SideId, what: What, column: &str) -> Play<Option<Sheet>> {
    if cx.state().board.scenario.solo.contains(side) {
        return Ok(None);
    }
    let seat = cx.seat_of(side);
    let answer = cx.ask(&seat, Prompt { what, piece: column.to_owned(), against: String::new(), closed: false })?;
    Ok(if let Answer::Lodged(sheet) = answer { sheet } else { None })
}

/// 3.0 The side that has the initiative says who has the first impulse.
pub(super) fn first(cx: &mut At<'_>, winner: &SideId) -> Play<()> {
    let goes = side(cx, winner, What::First, "", "")?;
    let first = if goes { winner.clone() } else { super::board::other(winner) };
    cx.emit(Event::First { side: first });
    Ok(())
}
