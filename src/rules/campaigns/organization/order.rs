//! Orders of this chapter. I.b Organization: replacements, leaders, units between tracks, garrisons (¶108-146).

use crate::orders::Verb;
use crate::rules::campaigns::view::View;

/// An order of this chapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {}

/// Verbs of this chapter.
pub fn verbs() -> Vec<Verb<View, super::super::Order>> {
    Vec::new()
}

/// What CHECK says of an order.
pub fn check(_v: &View, order: &Order) -> Vec<String> {
    match *order {}
}
