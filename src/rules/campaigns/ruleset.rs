//! The ruleset's name, for whoever plays by it; what it answers stands in `mod`, above all chapters.

use crate::rules::Outcome;

/// The ruleset.
pub struct Campaigns;

/// An order allowed that did not succeed.
pub fn failed(why: &str, rule: &str) -> Outcome {
    Outcome::Failed { why: why.to_owned(), rule: rule.to_owned() }
}
