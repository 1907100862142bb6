//! Orders of this chapter. II and III.a Movement: reinforcements, commands, initiative, marches, zones, repulse, bridges, attrition, Forced March (¶147-297).

use crate::orders::Verb;
use crate::rules::campaigns::sequence::Segment;
use crate::rules::campaigns::view::View;

/// An order of this chapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {}

/// Verbs of this chapter.
pub fn verbs() -> Vec<Verb<View, super::super::Order>> {
    Vec::new()
}

/// The segment of sheet A that an order belongs to.
pub fn segment(order: &Order) -> Option<Segment> {
    match *order {}
}

/// What CHECK says of an order.
pub fn check(_v: &View, order: &Order) -> Vec<String> {
    match *order {}
}
