//! How strong things are, known or guessed, in SP.

use super::Mind;
use crate::hex::Hex;
use crate::rules::campaigns::intel::Ident;
use crate::rules::campaigns::view::Counter;

/// The first counter of a pile that was never shown is guessed at this many SP.
const UNKNOWN_FIRST: i32 = 7;
/// Each further one of it.
const UNKNOWN_MORE: i32 = 3;
/// A leader whose strength was never stated.
const LEADER: i32 = 8;

impl Mind<'_> {
    /// Own SP within so many hexes.
    pub fn own_near(&self, hex: Hex, hexes: u32) -> i32 {
        self.v.own.occupied().into_iter().filter(|h| h.distance(hex) <= hexes).map(|h| self.v.own.sp_at(h)).sum()
    }

    /// Enemy SP in a hex, as guessed.
    pub fn foe_at(&self, hex: Hex) -> i32 {
        let mut hidden = 0;
        let mut sp = 0;
        for counter in self.v.enemy.values().filter(|c| c.hex == hex) {
            match known(counter) {
                Some(known) => sp += known,
                None => {
                    sp += if hidden == 0 { UNKNOWN_FIRST } else { UNKNOWN_MORE };
                    hidden += 1;
                }
            }
        }
        sp
    }

    /// Enemy SP within so many hexes, as guessed.
    pub fn foe_near(&self, hex: Hex, hexes: u32) -> i32 {
        self.foes().into_iter().filter(|h| h.distance(hex) <= hexes).map(|h| self.foe_at(h)).sum()
    }

    /// Hexes with enemy counters, in order.
    pub fn foes(&self) -> Vec<Hex> {
        let mut hexes: Vec<Hex> = self.v.enemy.values().map(|c| c.hex).collect();
        hexes.sort();
        hexes.dedup();
        hexes
    }

    /// Distance to the nearest enemy counter; very far where there is none.
    pub fn far(&self, hex: Hex) -> u32 {
        self.foes().into_iter().map(|f| f.distance(hex)).min().unwrap_or(99)
    }
}

/// What a counter was shown to be worth; a leader whose strength was never stated counts as an average one.
fn known(counter: &Counter) -> Option<i32> {
    let leader = |counter: &Counter| {
        let tie = counter.tie.as_ref().filter(|tie| tie.of == 1)?;
        matches!(tie.ident, Ident::Leader(_)).then_some(LEADER)
    };
    counter.stated().or_else(|| leader(counter))
}
