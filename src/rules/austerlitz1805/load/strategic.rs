//! 16.4.1 The strategic maps of a scenario.

use super::raw;
use crate::fog::SideId;
use crate::plane::Spot;
use crate::rules::austerlitz1805::board::UnitSpec;
use crate::rules::austerlitz1805::strategic::{Strategic, Striped, Zone};
use crate::yaml::Flaw;

fn rect((x1, y1, x2, y2): (i32, i32, i32, i32)) -> (Spot, Spot) {
    (Spot::new(x1.min(x2), y1.min(y2)), Spot::new(x1.max(x2), y1.max(y2)))
}

/// The areas, the first places of corps, the striped zone.
pub fn strategic(file: &str, map: &raw::Map, flaws: &mut Vec<Flaw>) -> Strategic {
    let raw = &map.strategic;
    let mut zones: Vec<Zone> = Vec::new();
    for (id, zone) in &raw.areas {
        let side = SideId(zone.side.clone());
        zones.push(Zone { id: id.clone(), name: zone.name.clone(), side, rect: rect(zone.rect) });
    }
    for (side, starts) in &raw.starts {
        for (corps, zone) in starts {
            if !zones.iter().any(|z| z.id == zone.value && z.side.0 == *side) {
                let message = format!("{corps} starts in \"{}\", which is no area of {side}.", zone.value);
                flaws.push(Flaw::at(file, zone, message, "Name an area of its own side (16.4.1.2)."));
            }
        }
    }
    let starts = raw.starts.iter().map(|(side, starts)| {
        let starts = starts.iter().map(|(corps, zone)| (corps.clone(), zone.value.clone())).collect();
        (SideId(side.clone()), starts)
    });
    let striped = raw.striped.as_ref().map(|s| Striped {
        side: SideId(s.side.clone()),
        rect: rect(s.rect),
        divisions: s.divisions.clone(),
        zones: s.areas.clone(),
    });
    Strategic { zones, starts: starts.collect(), striped }
}

/// Every unit of a game in fog starts somewhere.
pub fn placed(file: &str, strategic: &Strategic, units: &[&UnitSpec], flaws: &mut Vec<Flaw>) {
    if strategic.zones.is_empty() {
        flaws.push(Flaw::whole(file, "The map has no strategic areas (16.4.1).", "Add them, or leave fog out."));
        return;
    }
    for unit in units {
        let starts = strategic.starts.get(&unit.side);
        let division = unit.id.0.split_once('/').map_or("", |(d, _)| d);
        if !starts.is_some_and(|s| s.contains_key(&unit.corps) || s.contains_key(division)) {
            let message = format!("{} of {} starts nowhere on the strategic map.", unit.id, unit.corps);
            flaws.push(Flaw::whole(file, message, "Name its corps under strategic: starts."));
        }
    }
}
