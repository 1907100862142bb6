//! The one question of I.a: whether a side's forces cut an enemy line that passes them (¶85).

use crate::orders::{Args, Fault, Line};
use crate::rules::Ask;
use crate::rules::campaigns::view::View;
use crate::rules::journal::Book;

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prompt {
    /// ¶85 Whether to block the enemy's line of communication and dispatches. Asked in every packet, blocked or not, so
    /// that the question itself says nothing.
    Block,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Whether the line is cut where it can be.
    Block(bool),
}

/// Its place in the journal.
pub fn address(p: &Prompt) -> String {
    match p {
        Prompt::Block => "block".to_owned(),
    }
}

/// The question as its seat reads it.
pub fn ask(_v: &View, p: &Prompt) -> Ask {
    match p {
        Prompt::Block => Ask {
            question: "Do your forces cut the enemy's line of communication where it passes them?".to_owned(),
            rule: "¶85".to_owned(),
            answers: vec!["BLOCK ALWAYS".to_owned(), "BLOCK NEVER".to_owned()],
            default: "BLOCK ALWAYS".to_owned(),
        },
    }
}

/// Reads an answer.
///
/// # Errors
/// The fault of the line.
pub fn read(_v: &View, p: &Prompt, line: &Line) -> Result<Answer, Fault> {
    match p {
        Prompt::Block => {
            let mut args = Args::new(line, 0);
            args.key("BLOCK");
            let word = args.one_of("ALWAYS or NEVER", &["ALWAYS", "NEVER"])?;
            Ok(Answer::Block(word == "ALWAYS"))
        }
    }
}

/// The doctrine's answer; this question never stops play.
pub fn doctrine(_v: &View, p: &Prompt, book: &Book) -> Option<String> {
    match p {
        Prompt::Block => {
            let never = book.get("BLOCK").is_some_and(|v| v.trim().eq_ignore_ascii_case("NEVER"));
            Some(if never { "BLOCK NEVER" } else { "BLOCK ALWAYS" }.to_owned())
        }
    }
}
