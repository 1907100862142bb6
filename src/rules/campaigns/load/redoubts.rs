//! ¶216, 295 Redoubts that lie on the map at the start.

use super::desk::Desk;
use super::raw;
use crate::fog::SideId;
use crate::hex::{Hex, Hexside};
use crate::map::HexMap;
use crate::rules::campaigns::exceptions::RedoubtRules;
use crate::rules::campaigns::redoubts::Redoubt;
use std::collections::{BTreeMap, BTreeSet};

/// Redoubts by side; what is wrong with one is a flaw at its line.
pub(super) fn read(
    scenario: &raw::Scenario,
    rules: Option<&RedoubtRules>,
    map: &HexMap,
    desk: &mut Desk,
) -> BTreeMap<SideId, BTreeMap<Hex, Redoubt>> {
    let mut found: BTreeMap<SideId, BTreeMap<Hex, Redoubt>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for at in &scenario.redoubts {
        let raw = &at.value;
        let Some(rules) = rules else {
            desk.flaw(at, "The title has no redoubts (¶295).", "Take the redoubt out, or add exceptions.redoubts.");
            continue;
        };
        let sides = &scenario.sides.value;
        if !sides.contains_key(&raw.side.value) {
            desk.unknown(&raw.side, "side", &raw.side.value, sides.keys().map(String::as_str));
        }
        let Some(hex) = desk.hex(&raw.hex, map) else { continue };
        if !seen.insert(hex) {
            desk.flaw(at, format!("A redoubt at {hex} is named twice."), "Take one of the two out.");
        }
        if raw.turns_left >= rules.turns {
            let message = format!("{} turns of digging are left of {} (¶295).", raw.turns_left, rules.turns);
            desk.flaw(at, message, "Write fewer: the first turn of digging puts the marker down.");
        }
        let mut faces = BTreeSet::new();
        for near in &raw.toward {
            let Some(other) = desk.hex(near, map) else { continue };
            match Hexside::between(hex, other) {
                Some(face) => _ = faces.insert(face),
                None => desk.flaw(near, format!("{other} is not beside {hex}."), "Name a hex beside it."),
            }
        }
        if !(1..=usize::try_from(rules.hexsides).unwrap_or(usize::MAX)).contains(&faces.len()) {
            let message = format!("The redoubt at {hex} has {} hexsides (¶295).", faces.len());
            desk.flaw(at, message, format!("Name 1 to {} hexes that it fronts.", rules.hexsides));
        }
        let redoubt = Redoubt { faces, left: raw.turns_left };
        found.entry(SideId(raw.side.value.clone())).or_default().insert(hex, redoubt);
    }
    found
}
