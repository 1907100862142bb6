//! What the map prints for those who stand together, as somebody may copy it into a line.

use super::super::board::Arm;
use super::super::state::{Mood, State};
use super::super::view::{View, code};
use crate::hex::Hex;
use crate::orders::mend::hear::Vocabulary;
use crate::rules::tactical::meant::Thing;
use crate::rules::tactical::words::{among, label};
use std::collections::{BTreeMap, BTreeSet};

/// The labels of a hex: its count before the name or behind it, as it was printed once; f where one is tired, r where one runs.
fn printed(s: &State, ids: &[&String]) -> Vec<String> {
    // Somebody is shown before nobody.
    let shown = ids.iter().find(|id| !s.is_dummy(id)).or(ids.first());
    let Some(name) = shown.and_then(|id| s.kind(id)).map(code) else { return Vec::new() };
    let mixed = ids.iter().filter_map(|id| s.kind(id)).map(code).any(|other| other != name);
    let is = |mood: Mood| ids.iter().any(|id| s.is(id, |u| u.mood == mood));
    let mut labels = Vec::new();
    if ids.len() > 1 {
        labels.extend([label(&name, ids.len()), format!("{name}{}", ids.len())]);
    }
    if mixed {
        let short = among(&name);
        let signs = [(Mood::Routed, "r"), (Mood::Fatigued, "f")].into_iter().filter(|(mood, _)| is(*mood));
        labels.extend(signs.map(|(_, sign)| format!("{short}{sign}")).chain([short.clone()]));
    }
    for (mood, sign) in [(Mood::Routed, "r"), (Mood::Fatigued, "f")] {
        labels.extend(is(mood).then(|| format!("{name}{sign}")));
    }
    labels
}

/// Adds the labels of all stacks; `foes` are the names of enemies that are known already, each with their hexes.
pub(super) fn names(v: &View, foes: &BTreeMap<String, BTreeSet<Hex>>, known: &mut Vocabulary<Thing<Arm>>) {
    let s = &v.state;
    let mut stacks: BTreeMap<Hex, Vec<&String>> = BTreeMap::new();
    for (id, _, hex) in s.counters().filter(|(id, ..)| !s.is_battery(id)) {
        stacks.entry(hex).or_default().push(id);
    }
    for (hex, ids) in &stacks {
        let own = ids.first().is_some_and(|id| s.is_of(id, &v.side));
        let units: Vec<String> = ids.iter().filter(|_| own).map(|id| (*id).clone()).collect();
        for label in printed(s, ids) {
            // The unit of that name stands there as well: it is one place.
            let there = foes.get(&label).is_some_and(|hexes| hexes.iter().eq([hex]));
            if !there {
                known.name(&label, Thing::Stack(*hex, units.clone()));
            }
        }
    }
}
