//! A game in a line a turn: places taken, units lost.

use super::words::named;
use crate::fog::SideId;
use crate::report::austerlitz1805::pen::full;
use crate::rules::austerlitz1805::board::UnitId;
use crate::rules::austerlitz1805::event::{Fact, Sighting};
use crate::rules::austerlitz1805::view::View;
use std::collections::BTreeMap;

/// Units lost in one turn that are named; of more, their number stands.
const NAMED: usize = 4;

/// 17.1.1.6, 12.3 One turn: who took what, and whom each side lost.
pub fn summary(v: &View, turn: u32, told: &[Sighting]) -> String {
    let mut taken: BTreeMap<&str, &SideId> = BTreeMap::new();
    let mut lost: BTreeMap<SideId, Vec<&UnitId>> = BTreeMap::new();
    let mut said = Vec::new();
    for sighting in told {
        match sighting {
            Sighting::Open(Fact::Control { place, side }) => _ = taken.insert(place, side),
            Sighting::Open(Fact::Gone { unit, .. }) => lost.entry(v.table.side(unit)).or_default().push(unit),
            Sighting::Open(Fact::Fog { sight: None, .. }) => said.push("the fog lifts".to_owned()),
            _ => {}
        }
    }
    said.extend(taken.iter().map(|(place, side)| format!("{place} to the {}", named(side))));
    for (side, units) in &lost {
        let names: Vec<String> = units.iter().map(|unit| full(&v.table, unit)).collect();
        let whom = if names.len() > NAMED { format!("{} units", names.len()) } else { names.join(", ") };
        said.push(format!("{} loses {whom}", named(side)));
    }
    let said = if said.is_empty() { "no change".to_owned() } else { said.join("; ") };
    format!("Turn {turn}: {said}")
}
