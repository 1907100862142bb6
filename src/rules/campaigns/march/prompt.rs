//! Questions of this chapter. II and III.a Movement: reinforcements, commands, initiative, marches, zones, repulse, bridges, attrition, Forced March (¶147-297).

use crate::orders::{Fault, Line};
use crate::rules::Ask;
use crate::rules::campaigns::view::View;
use crate::rules::journal::Book;

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prompt {}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {}

/// Its place in the journal: own names and public words only.
pub fn address(p: &Prompt) -> String {
    match *p {}
}

/// The question as its seat reads it.
pub fn ask(_v: &View, p: &Prompt) -> Ask {
    match *p {}
}

/// Reads an answer.
///
/// # Errors
/// The fault of the line.
pub fn read(_v: &View, p: &Prompt, _line: &Line) -> Result<Answer, Fault> {
    match *p {}
}

/// The doctrine's answer; `None` where the seat wants to be asked.
pub fn doctrine(_v: &View, p: &Prompt, _book: &Book) -> Option<String> {
    match *p {}
}
