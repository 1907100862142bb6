//! Chits and the strategic map in words: one's own by what they hold, the enemy's by where they lie.

use super::story::held;
use crate::fog::SideId;
use crate::rules::austerlitz1805::state::Hidden;
use crate::rules::austerlitz1805::strategic::waiting;
use crate::rules::austerlitz1805::table::Table;
use crate::rules::austerlitz1805::view::View;
use crate::text;
use std::collections::BTreeMap;

/// 16.4 A side's boxes and its strategic map.
pub fn own(t: &Table, own: &Hidden, side: &SideId, width: usize) -> Vec<String> {
    if t.board.flow.is_none() {
        return Vec::new();
    }
    let mut lines = Vec::new();
    for (number, boxed) in &own.boxes {
        let Some(chit) = t.chit(&boxed.chit) else { continue };
        let (at, place) = (chit.at, t.near_place(chit.at));
        lines.push(format!("+{number} ({}) at {at}, {place}: {}", boxed.chit, held(&boxed.units)));
    }
    if !lines.is_empty() {
        lines.insert(0, "Your chits: box, name on the map, place, what it holds.".to_owned());
        let left = t.board.tables.fog.decoys.saturating_sub(own.decoys_spent);
        let out = own.boxes.values().filter(|b| b.units.is_empty()).count();
        lines.push(format!("Decoys left to put down: {}.", left.saturating_sub(out)));
    }
    let mut corps: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (unit, name) in waiting(t, own, side) {
        corps.entry(name).or_default().push(unit.0);
    }
    if !corps.is_empty() {
        lines.push("On your strategic map:".to_owned());
    }
    for (name, units) in corps {
        let area = own.corps.get(&name).and_then(|z| t.board.zone(z));
        let area = area.map_or(String::new(), |z| format!("{} {}", z.id, z.name));
        lines.push(format!("{name} in {area}: {}", units.join(", ")));
    }
    lines.iter().flat_map(|line| text::wrap(line, width, "", 4)).collect()
}

/// 16.4.2.4 Enemy chits as they lie on the map.
pub fn enemy(v: &View, width: usize) -> Vec<String> {
    let me = v.me();
    let chits = v.table.mist.chits.iter().filter(|(_, c)| c.side != me);
    let mut lines: Vec<String> =
        chits.map(|(id, c)| format!("{id} at {}, {}", c.at, v.table.near_place(c.at))).collect();
    if !lines.is_empty() {
        lines.insert(0, "Enemy chits: each may hold units or be a decoy.".to_owned());
    }
    lines.iter().flat_map(|line| text::wrap(line, width, "", 4)).collect()
}
