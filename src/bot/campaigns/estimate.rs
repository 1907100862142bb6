//! How strong things are, known or guessed, in SP.
//!
//! What the enemy set out with is printed: garrisons are thought to be where the scenario puts them, and what else was not
//! shown is spread over the counters that were not shown.

use super::Mind;
use crate::hex::Hex;
use crate::rules::campaigns::board::{LeaderId, SetupForce};
use crate::rules::campaigns::intel::Ident;
use crate::rules::campaigns::view::{Counter, View};
use std::collections::BTreeMap;

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

/// Enemy SP by hex, as guessed, for each hex with a counter, in order: what was shown; else, where the scenario puts a
/// garrison, that garrison, for it stays; else what is left, in equal parts.
pub fn foes(v: &View) -> Vec<(Hex, i32)> {
    let mut found: BTreeMap<Hex, i32> = BTreeMap::new();
    let mut hidden: BTreeMap<Hex, i32> = BTreeMap::new();
    for counter in v.enemy.values() {
        let sp = known(v, counter);
        *found.entry(counter.hex).or_default() += sp.unwrap_or(0);
        *hidden.entry(counter.hex).or_default() += i32::from(sp.is_none());
    }
    let mut left = printed(v) - found.values().sum::<i32>();
    hidden.retain(|_, counters| *counters > 0);
    for (hex, sp) in garrisons(v) {
        if found.get(&hex) == Some(&0) && hidden.remove(&hex).is_some() {
            found.insert(hex, sp);
            left -= sp;
        }
    }
    let guess = (left / hidden.values().sum::<i32>().max(1)).clamp(GUESS.0, GUESS.1);
    for (hex, counters) in hidden {
        *found.entry(hex).or_default() += guess * counters;
    }
    found.into_iter().collect()
}

/// ¶417 SP of the enemy as the scenario prints them, with the reinforcements that may have come.
fn printed(v: &View) -> i32 {
    let side = v.side_id();
    let later = v.board.reinforcements.iter().filter(|force| force.side != side && force.turn <= v.turn);
    set_up(v).map(|force| &force.units).chain(later.map(|force| &force.units)).flat_map(|units| units.values()).sum()
}

/// ¶417 What the scenario puts on the map for the enemy.
fn set_up(v: &View) -> impl Iterator<Item = &SetupForce> {
    let side = v.side_id();
    v.board.setup.iter().filter(move |(id, _)| **id != side).flat_map(|(_, setup)| &setup.forces)
}

/// The garrisons among it, with their SP, where no leader stands who could take them along.
fn garrisons(v: &View) -> BTreeMap<Hex, i32> {
    let mut found = BTreeMap::new();
    for force in set_up(v) {
        *found.entry(force.hex).or_default() += force.units.values().sum::<i32>();
    }
    found.retain(|hex, _| !set_up(v).any(|force| force.hex == *hex && force.leader.is_some()));
    found
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
