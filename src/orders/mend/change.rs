//! What a change of a line costs, and the choice of the cheapest lines.

use super::hear::Heard;
use crate::orders::fold;

/// A keyword that was missing.
pub const KEYWORD: u32 = 1;
/// Words in another order.
pub const ORDER: u32 = 1;
/// By what a piece moves.
pub const MODE: u32 = 2;
/// Another place.
pub const PLACE: u32 = 3;
/// Another verb.
pub const VERB: u32 = 4;
/// What costs more is not offered.
const COST_MAX: u32 = 8;
/// Lines offered at most.
const LINES_MAX: usize = 3;
/// Lines that are tried at most; each is read and rehearsed.
const TRIED_MAX: usize = 24;

/// A line that might have been meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The line.
    pub line: String,
    /// What it changes.
    pub cost: u32,
}

/// Keywords of a line that its writer has not written, beside those that he has said in other words.
pub fn missing(line: &str, written: &[Heard], otherwise: &[&str]) -> u32 {
    let keyword = |word: &&str| word.len() > 1 && word.bytes().all(|b| b.is_ascii_uppercase());
    let said = |word: &&str| otherwise.contains(word) || written.iter().any(|w| w.fold == fold(word));
    let count = line.split_whitespace().filter(keyword).filter(|word| !said(word)).count();
    u32::try_from(count).unwrap_or(u32::MAX).saturating_mul(KEYWORD)
}

/// The cheapest of the lines that `takes` takes; all of equal cost, at most three.
pub fn cheapest(mut choices: Vec<Choice>, takes: impl Fn(&str) -> bool) -> Vec<String> {
    choices.retain(|c| c.cost <= COST_MAX);
    choices.sort_by_key(|c| c.cost);
    let mut found: Vec<String> = Vec::new();
    let mut least = None;
    for choice in choices.into_iter().take(TRIED_MAX) {
        if least.is_some_and(|least| choice.cost > least) || found.len() >= LINES_MAX {
            break;
        }
        if !found.contains(&choice.line) && takes(&choice.line) {
            least = Some(choice.cost);
            found.push(choice.line);
        }
    }
    found
}
