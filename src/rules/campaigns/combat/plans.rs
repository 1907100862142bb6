//! What an order of this chapter comes to.

use crate::hex::Hex;

/// An order of this chapter: clauses for hexes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Hex and the clauses added to its plan.
    pub plans: Vec<(Hex, Vec<String>)>,
}
