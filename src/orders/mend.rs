//! What a line that gives no order was meant to be: a greeting, a question, or an order with a slip in it.
//!
//! A ruleset answers from the writer's own view, the public map and general words, so that an answer tells nothing.

pub mod change;
pub mod hear;
pub mod lexicon;
pub mod respell;

use super::Fault;
use std::ops::RangeInclusive;

/// Letters by which lines are named that are offered for one.
pub const LETTERS: RangeInclusive<char> = 'A'..='I';
/// Lines that may be offered for one: one a letter.
pub const OFFERED_MAX: usize = (*LETTERS.end() as usize) - (*LETTERS.start() as usize) + 1;

/// What somebody meant by a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// No order in it: a greeting, a signature, prose without a verb, an own piece or a place.
    Nothing,
    /// A question, answered by what its topic shows.
    Question(Topic),
    /// An order with something wrong in it.
    Attempt(Mended),
}

/// What a question asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Topic {
    /// How the game is won, and how it stands.
    Win,
    /// What can be written now.
    Help,
    /// What a paragraph says.
    Rule(String),
    /// Lines that the ruleset answers itself, such as where supply stands.
    Told(Vec<String>),
}

/// An order that cannot be taken, and what would be.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Mended {
    /// The reason, one sentence of at most two lines, with the smallest wrong words quoted.
    pub why: String,
    /// The paragraph that it rests on, such as `¶168`; empty where it rests on none.
    pub rule: String,
    /// Lines that are taken as they stand, of the same verb and piece; the cheapest change alone unless others cost
    /// the same.
    pub lines: Vec<String>,
    /// What to know before one of them is sent.
    pub note: Option<String>,
    /// Whether the one line offered says what was written, only without stray signs, or with a place by its name on the
    /// map and not by that in another language: it may be taken without asking.
    pub same: bool,
}

impl From<&Fault> for Mended {
    fn from(fault: &Fault) -> Mended {
        let rule = match fault {
            Fault::Refused { rule, .. } | Fault::NotYet { rule, .. } => rule.clone(),
            Fault::Unclear { .. } => String::new(),
        };
        Mended {
            why: fault.why(),
            rule,
            lines: fault.copy().map(str::to_owned).into_iter().collect(),
            note: None,
            same: false,
        }
    }
}

impl Mended {
    /// Whether the line says END in other words: that, and nothing else, is offered for it.
    pub fn is_end(&self) -> bool {
        is_end(&self.lines)
    }
}

/// Whether END, the one general command that a repair may name, is all that is offered.
pub fn is_end(lines: &[String]) -> bool {
    matches!(lines, [line] if super::fold(line.trim()) == "end")
}

/// A line behind the sign of a list, `1. MOVE …`, `2) MOVE …`, `- MOVE …`, and whether the sign is a bare number, as in
/// `3 MOVE …`; none where no sign stands before a word.
pub fn listed(text: &str) -> Option<(&str, bool)> {
    let text = text.trim_start();
    let (sign, rest) = text.split_once(char::is_whitespace)?;
    let digits = sign.trim_end_matches(['.', ')', ':']);
    let number = (1..=3).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    let bullet = ["-", "*", "+", "•", "–", "—"].contains(&sign);
    let rest = rest.trim_start();
    ((number || bullet) && !rest.is_empty()).then_some((rest, number && digits == sign))
}
