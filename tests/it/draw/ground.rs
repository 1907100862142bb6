//! The real ground of Moravia, read with no more than the drawings need.

use estafette::hex::{Hex, Hexside};
use estafette::map::{Ground, HexMap, Place, River, Road, Settlement};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Raw {
    columns: i16,
    rows: i16,
    ground: BTreeMap<String, String>,
    places: Vec<RawPlace>,
    roads: Vec<RawRoad>,
    rivers: Vec<RawRiver>,
    bridges: Vec<String>,
}

#[derive(Deserialize)]
struct RawPlace {
    hex: String,
    name: String,
    kind: String,
}

#[derive(Deserialize)]
struct RawRoad {
    class: String,
    hexes: String,
}

#[derive(Deserialize)]
struct RawRiver {
    class: String,
    hexsides: String,
}

/// Reads the map file.
pub fn moravia() -> HexMap {
    let text = std::fs::read_to_string("scenarios/campaigns/maps/moravia.yaml").unwrap();
    let raw: Raw = serde_yaml::from_str(&text).unwrap();
    let mut map = HexMap { columns: raw.columns, rows: raw.rows, ..HexMap::default() };
    for (row, letters) in &raw.ground {
        for (col, letter) in (1..).zip(letters.chars()) {
            map.ground.insert(Hex::new(col, row.parse().unwrap()), ground(letter));
        }
    }
    for place in raw.places {
        let hex = Hex::parse(&place.hex).unwrap();
        let settlement = settlement(&place.kind);
        if let Some(settlement) = settlement {
            map.settlements.insert(hex, settlement);
        }
        map.places.insert(hex, Place { hex, name: place.name, settlement });
    }
    for road in raw.roads {
        let class = if road.class == "primary" { Road::Primary } else { Road::Secondary };
        let hexes: Vec<Hex> = road.hexes.split_whitespace().map(|h| Hex::parse(h).unwrap()).collect();
        for pair in hexes.windows(2) {
            let now = map.roads.entry(Hexside::between(pair[0], pair[1]).unwrap()).or_insert(class);
            *now = class.max(*now);
        }
    }
    for river in raw.rivers {
        let class = if river.class == "primary" { River::Primary } else { River::Secondary };
        for side in river.hexsides.split_whitespace() {
            map.rivers.insert(Hexside::parse(side).unwrap(), class);
        }
    }
    map.bridges = raw.bridges.iter().map(|s| Hexside::parse(s).unwrap()).collect();
    map
}

fn ground(letter: char) -> Ground {
    match letter {
        'w' => Ground::Woods,
        'h' => Ground::Hill,
        'm' => Ground::Mountain,
        's' => Ground::Swamp,
        'l' => Ground::Lake,
        _ => Ground::Clear,
    }
}

fn settlement(kind: &str) -> Option<Settlement> {
    Some(match kind {
        "village" => Settlement::Village,
        "town" => Settlement::Town,
        "depot_town" => Settlement::DepotTown,
        "city" => Settlement::City,
        "citadel" => Settlement::Citadel,
        _ => return None,
    })
}
