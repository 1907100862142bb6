//! Orders of set-up, and of vedettes that come and go in the Organization Segment (¶24, 135, 158, 368).

use crate::rules::campaigns::board::LeaderId;

/// An order of this chapter. The verb VEDETTE is read with the marches, since most of its forms are marches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// `VEDETTE PLACE WITH leader n`.
    Place {
        /// With whom.
        leader: LeaderId,
        /// How many.
        count: u32,
        /// Whether they are those of the Fog (¶159).
        fog: bool,
    },
    /// `VEDETTE POOL n`.
    Pool {
        /// Which.
        n: u32,
    },
}
