//! ¶216, 234, 295, 360 Redoubts of 1807 and 1809: fortifications against those who come over their hexsides alone.
//!
//! How they are dug stands in the exclusive rules, which the consolidated rules only name. House, beside the title's own
//! policy: a redoubt fronts one hexside or some that lie one beside the other; it is a marker in open sight, begun or
//! finished; it is of use to the side that dug it, and the first enemy force in its hex levels it; it is a fortification
//! in an attack, in the reckoning of zones and for stacking, but neither depot nor refuge of a retreat.

use crate::hex::{Hex, Hexside};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A redoubt, begun or finished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Redoubt {
    /// Its hexsides.
    pub faces: BTreeSet<Hexside>,
    /// Player-turns of digging that it still takes; none once it is finished.
    pub left: u32,
}

impl Redoubt {
    /// Whether it is finished.
    pub fn finished(&self) -> bool {
        self.left == 0
    }

    /// The hexes before it, seen from its own.
    pub fn front(&self, hex: Hex) -> Vec<Hex> {
        let before = |face: &Hexside| {
            let (a, b) = face.hexes();
            if a == hex { b } else { a }
        };
        self.faces.iter().map(before).collect()
    }
}
