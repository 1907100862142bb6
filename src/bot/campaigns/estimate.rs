//! How strong things are, known or guessed, in SP.
//!
//! What the enemy set out with is printed; what was not shown of it is spread over the counters that were not shown.

use super::Mind;
use crate::hex::Hex;
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::intel::Ident;
use crate::rules::campaigns::view::{Counter, View};

/// A counter that was never shown is guessed at no less and no more.
const GUESS: (i32, i32) = (2, 12);

impl Mind<'_> {
    /// Own SP within so many hexes.
    pub fn own_near(&self, hex: Hex, hexes: u32) -> i32 {
        self.masses.iter().filter(|(h, _)| h.distance(hex) <= hexes).map(|(_, sp)| sp).sum()
    }

    /// Enemy SP in a hex, as guessed.
    pub fn foe_at(&self, hex: Hex) -> i32 {
        self.foes.iter().find(|(h, _)| *h == hex).map_or(0, |(_, sp)| *sp)
    }

    /// Enemy SP within so many hexes, as guessed.
    pub fn foe_near(&self, hex: Hex, hexes: u32) -> i32 {
        self.foes.iter().filter(|(h, _)| h.distance(hex) <= hexes).map(|(_, sp)| sp).sum()
    }

    /// Distance to the nearest enemy counter that may be a force; very far where there is none.
    pub fn far(&self, hex: Hex) -> u32 {
        self.foes.iter().filter(|(_, sp)| *sp > 0).map(|(f, _)| f.distance(hex)).min().unwrap_or(99)
    }
}

/// Own SP by hex.
pub fn masses(v: &View) -> Vec<(Hex, i32)> {
    v.own.occupied().into_iter().map(|hex| (hex, v.own.sp_at(hex))).collect()
}

/// Enemy SP by hex, as guessed, for each hex with a counter, in order.
pub fn foes(v: &View) -> Vec<(Hex, i32)> {
    let shown: i32 = v.enemy.values().filter_map(|counter| known(v, counter)).sum();
    let hidden = v.enemy.values().filter(|counter| known(v, counter).is_none()).count();
    let hidden = i32::try_from(hidden).unwrap_or(i32::MAX).max(1);
    let guess = ((printed(v) - shown) / hidden).clamp(GUESS.0, GUESS.1);
    let mut found: std::collections::BTreeMap<Hex, i32> = std::collections::BTreeMap::new();
    for counter in v.enemy.values() {
        *found.entry(counter.hex).or_default() += known(v, counter).unwrap_or(guess);
    }
    found.into_iter().collect()
}

/// ¶417 SP of the enemy as the scenario prints them, with the reinforcements that may have come.
fn printed(v: &View) -> i32 {
    let side = v.side_id();
    let setups = v.board.setup.iter().filter(|(id, _)| **id != side).flat_map(|(_, setup)| &setup.forces);
    let later = v.board.reinforcements.iter().filter(|force| force.side != side && force.turn <= v.turn);
    setups.map(|force| &force.units).chain(later.map(|force| &force.units)).flat_map(|units| units.values()).sum()
}

/// What a counter was shown to be worth; a leader whose strength was never stated has what he set out with.
fn known(v: &View, counter: &Counter) -> Option<i32> {
    counter.stated().or_else(|| {
        let tie = counter.tie.as_ref().filter(|tie| tie.of == 1)?;
        if let Ident::Leader(leader) = &tie.ident { set_out(v, leader) } else { None }
    })
}

/// SP that a leader and those under him set out with; `None` where they had none.
fn set_out(v: &View, leader: &LeaderId) -> Option<i32> {
    let forces = v.board.setup.values().flat_map(|setup| &setup.forces);
    let his = forces.filter(|f| f.leader.as_ref() == Some(leader) || f.under.as_ref() == Some(leader));
    let later = v.board.reinforcements.iter().filter(|force| force.leader == *leader);
    let units = his.map(|force| &force.units).chain(later.map(|force| &force.units));
    let sp: i32 = units.flat_map(|units| units.values()).sum();
    (sp > 0).then_some(sp)
}
