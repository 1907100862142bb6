//! Questions and answers, by chapter.

use crate::rules::campaigns::admin;
use crate::rules::campaigns::march::question;

/// A question, by chapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prompt {
    /// In the Administrative Segment.
    Admin(admin::prompt::Prompt),
    /// During movement.
    March(question::Prompt),
    /// During combat.
    Combat(crate::rules::campaigns::combat::question::Prompt),
}

/// An answer, by chapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// In the Administrative Segment.
    Admin(admin::prompt::Answer),
    /// During movement.
    March(question::Answer),
    /// During combat.
    Combat(crate::rules::campaigns::combat::question::Answer),
}
