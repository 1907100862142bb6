//! The map file made ground, and its checks (¶10-11).

use super::desk::Desk;
use super::raw::{self, Class, PlaceKind, Water};
use crate::hex::{Hex, Hexside};
use crate::map::{Crop, Ground, HexMap, Place, River, Road, Settlement};
use crate::yaml::At;

/// Makes the map; what has a flaw is left out. `crest_hexes`: crests are hexes, not hexsides (¶215).
pub(super) fn map(raw: &raw::Map, crest_hexes: bool, desk: &mut Desk) -> HexMap {
    let mut map = HexMap::new(raw.columns.value, raw.rows);
    if !(1..=99).contains(&map.columns) || !(1..=99).contains(&map.rows) {
        desk.flaw(&raw.columns, "Columns and rows must lie from 1 to 99.", "Hex ids have two digits for each.");
        return map;
    }
    rows(raw, &mut map, desk);
    crests(raw, &mut map, crest_hexes, desk);
    crops(raw, &mut map, desk);
    for place in &raw.places {
        add_place(place, &mut map, desk);
    }
    for road in &raw.roads {
        add_road(&road.value, &mut map, desk);
    }
    for river in &raw.rivers {
        add_river(&river.value, &mut map, desk);
    }
    bridges(raw, &mut map, desk);
    map.finished()
}

fn rows(raw: &raw::Map, map: &mut HexMap, desk: &mut Desk) {
    for row in 1..=map.rows {
        let key = format!("{row:02}");
        let Some(line) = raw.ground.value.get(&key) else {
            desk.flaw(&raw.ground, format!("The ground of row {key} is missing."), "Add the row under ground.");
            continue;
        };
        let letters = line.value.chars().count();
        if letters != usize::try_from(map.columns).unwrap_or(0) {
            let message = format!("Row {key} has {letters} letters, and the map has {} columns.", map.columns);
            desk.flaw(line, message, "Write one letter a column.");
        }
        for (col, letter) in (1..=map.columns).zip(line.value.chars()) {
            if ground(letter).is_none() {
                let message = format!("Row {key}, column {col:02}: \"{letter}\" is no ground.");
                desk.flaw(line, message, "The letters are . w h m s l c C.");
            }
            let hex = Hex::new(col, row);
            map.ground.insert(hex, ground(letter).unwrap_or(Ground::Clear));
            if matches!(letter, 'c' | 'C') {
                map.crest_hexes.insert(hex);
            }
            if letter == 'C' {
                map.wooded.insert(hex);
            }
        }
    }
    let rows = usize::try_from(map.rows).unwrap_or(0);
    if raw.ground.value.len() > rows {
        desk.flaw(&raw.ground, format!("There are more than {rows} rows of ground."), "Take the others out.");
    }
}

/// ¶215 Crests: hexsides, or hexes where the title has them so; never both.
fn crests(raw: &raw::Map, map: &mut HexMap, hexes: bool, desk: &mut Desk) {
    if let Some(hex) = map.crest_hexes.first().filter(|_| !hexes) {
        let message = format!("{hex} is a crest, and in this title crests are hexsides (¶215).");
        if let Some(line) = raw.ground.value.get(&format!("{:02}", hex.row)) {
            desk.flaw(line, message, "Name its hexsides under crests, and write its ground.");
        }
    }
    for crest in &raw.crests {
        if hexes {
            desk.flaw(crest, "In this title crests are hexes (¶215).", "Write c or C in the ground instead.");
        }
        if let Some(side) = hexside(&crest.value, crest, map, desk) {
            map.crests.insert(side);
        }
    }
}

/// ¶275 The regions of crops, where the map has them: every hex lies in one.
fn crops(raw: &raw::Map, map: &mut HexMap, desk: &mut Desk) {
    let Some(crops) = &raw.crops else { return };
    for row in 1..=map.rows {
        let key = format!("{row:02}");
        let Some(line) = crops.value.get(&key) else {
            desk.flaw(crops, format!("The crops of row {key} are missing."), "Add the row under crops.");
            continue;
        };
        let letters = line.value.chars().count();
        if letters != usize::try_from(map.columns).unwrap_or(0) {
            let message =
                format!("Row {key} of the crops has {letters} letters, and the map has {} columns.", map.columns);
            desk.flaw(line, message, "Write one letter a column.");
        }
        for (col, letter) in (1..=map.columns).zip(line.value.chars()) {
            let Some(crop) = crop(letter) else {
                let message = format!("Row {key}, column {col:02}: \"{letter}\" is no crop.");
                desk.flaw(line, message, "The letters are o oats, w wheat, p potatoes.");
                continue;
            };
            map.crops.insert(Hex::new(col, row), crop);
        }
    }
    if crops.value.len() > usize::try_from(map.rows).unwrap_or(0) {
        let message = format!("There are more than {} rows of crops.", map.rows);
        desk.flaw(crops, message, "Take the others out.");
    }
}

fn crop(letter: char) -> Option<Crop> {
    Some(match letter {
        'o' => Crop::Oats,
        'w' => Crop::Wheat,
        'p' => Crop::Potatoes,
        _ => return None,
    })
}

fn ground(letter: char) -> Option<Ground> {
    Some(match letter {
        '.' => Ground::Clear,
        'w' => Ground::Woods,
        'h' => Ground::Hill,
        // ¶215, 356: a crest hex is a mountain.
        'm' | 'c' | 'C' => Ground::Mountain,
        's' => Ground::Swamp,
        'l' => Ground::Lake,
        _ => return None,
    })
}

fn add_place(place: &At<raw::Place>, map: &mut HexMap, desk: &mut Desk) {
    let raw = &place.value;
    let Some(hex) = desk.hex(&raw.hex, map) else { return };
    let settlement = match raw.kind {
        PlaceKind::Point => None,
        PlaceKind::Village => Some(Settlement::Village),
        PlaceKind::Town => Some(Settlement::Town),
        PlaceKind::DepotTown => Some(Settlement::DepotTown),
        PlaceKind::Center => Some(Settlement::Center),
        PlaceKind::PrimaryTown => Some(Settlement::PrimaryTown),
        PlaceKind::City => Some(Settlement::City),
        PlaceKind::Capital => Some(Settlement::Capital),
        PlaceKind::FortifiedTown => Some(Settlement::FortifiedTown),
        PlaceKind::Citadel => Some(Settlement::Citadel),
    };
    if let Some(other) = map.places.get(&hex) {
        let message = format!("{} stands in {hex}, where {} is already.", raw.name, other.name);
        desk.flaw(&raw.hex, message, "A hex bears one name.");
        return;
    }
    map.places.insert(hex, Place { hex, name: raw.name.clone(), settlement });
    if let Some(settlement) = settlement {
        map.settlements.insert(hex, settlement);
    }
}

fn add_road(raw: &raw::RoadLine, map: &mut HexMap, desk: &mut Desk) {
    let class = match raw.class {
        Class::Primary => Road::Primary,
        Class::Secondary => Road::Secondary,
    };
    let mut last: Option<Hex> = None;
    for word in raw.hexes.value.split_whitespace() {
        let at = At { value: word.to_owned(), line: raw.hexes.line, column: raw.hexes.column };
        let Some(hex) = desk.hex(&at, map) else {
            last = None;
            continue;
        };
        if let Some(from) = last {
            match Hexside::between(from, hex) {
                Some(side) => {
                    let road = map.roads.entry(side).or_insert(class);
                    *road = class.max(*road);
                }
                None => desk.flaw(
                    &raw.hexes,
                    format!("Road {}: {from} and {hex} are not adjacent.", raw.name),
                    "Name every hex that the road passes.",
                ),
            }
        }
        last = Some(hex);
    }
}

fn add_river(raw: &raw::RiverLine, map: &mut HexMap, desk: &mut Desk) {
    let class = match raw.class {
        Water::Primary => River::Primary,
        Water::Secondary => River::Secondary,
        Water::Ford => River::Ford,
        Water::Lake => River::Lake,
    };
    for word in raw.hexsides.value.split_whitespace() {
        let Some(side) = hexside(word, &raw.hexsides, map, desk) else { continue };
        if map.rivers.insert(side, class).is_some() {
            let message = format!("River {}: hexside {side} is named twice.", raw.name);
            desk.flaw(&raw.hexsides, message, "Take one of the two out.");
        }
    }
}

fn bridges(raw: &raw::Map, map: &mut HexMap, desk: &mut Desk) {
    for bridge in &raw.bridges {
        let Some(side) = hexside(&bridge.value, bridge, map, desk) else { continue };
        if !map.rivers.contains_key(&side) {
            desk.flaw(
                bridge,
                format!("There is no river under the bridge at {side}."),
                "Take it out, or draw the river.",
            );
        }
        if !map.roads.contains_key(&side) {
            desk.flaw(
                bridge,
                format!("There is no road over the bridge at {side}."),
                "Take it out, or lead a road over it.",
            );
        }
        if !map.bridges.insert(side) {
            desk.flaw(bridge, format!("The bridge at {side} is named twice."), "Take one of the two out.");
        }
    }
    for road in &raw.roads {
        let hexes: Vec<Hex> = road.value.hexes.value.split_whitespace().filter_map(Hex::parse).collect();
        for side in hexes.iter().zip(hexes.iter().skip(1)).filter_map(|(a, b)| Hexside::between(*a, *b)) {
            if map.rivers.contains_key(&side) && !map.bridges.contains(&side) {
                let message = format!("Road {} crosses a river at {side} without a bridge.", road.value.name);
                desk.flaw(&road.value.hexes, message, format!("Add \"{side}\" to bridges."));
            }
        }
    }
}

/// Reads a hexside whose two hexes must be on the map.
pub(super) fn hexside<T>(text: &str, at: &At<T>, map: &HexMap, desk: &mut Desk) -> Option<Hexside> {
    let Some(side) = Hexside::parse(text) else {
        let cure = "Write a hex and N, NE or SE, such as \"0950NE\".";
        desk.flaw(at, format!("\"{text}\" is not a hexside."), cure);
        return None;
    };
    let (a, b) = side.hexes();
    if !map.contains(a) || !map.contains(b) {
        desk.flaw(at, format!("Hexside {side} is off the map."), "Both hexes beside it must be on the map.");
        return None;
    }
    Some(side)
}
