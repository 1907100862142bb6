//! The charts as data.

/// All charts of one title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {}
