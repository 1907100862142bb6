//! Random ground and pieces, the same in every run.

use super::hex;
use estafette::hex::{Dir, Hex, Hexside};
use estafette::map::draw::{Chart, OwnToken, Window};
use estafette::map::{Ground, HexMap, Place, River, Road, Settlement};

/// A small generator of numbers.
pub struct Numbers(pub u64);

impl Numbers {
    /// A number below `end`.
    pub fn below(&mut self, end: i16) -> i16 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i16::try_from((self.0 >> 33) % u64::try_from(end).unwrap()).unwrap()
    }
}

/// Open country.
pub fn blank(columns: i16, rows: i16) -> HexMap {
    let mut map = HexMap::new(columns, rows);
    for col in 1..=columns {
        map.ground.extend((1..=rows).map(|row| (Hex::new(col, row), Ground::Clear)));
    }
    map
}

/// Puts a town with a depot on a map.
pub fn name(map: &mut HexMap, at: &str, name: &str) {
    let (hex, settlement) = (hex(at), Settlement::DepotTown);
    map.settlements.insert(hex, settlement);
    map.places.insert(hex, Place { hex, name: name.to_owned(), settlement: Some(settlement) });
}

/// A map of any ground, crowded with roads, rivers, bridges (some missing) and names.
pub fn crowded(numbers: &mut Numbers) -> HexMap {
    const GROUNDS: [Ground; 6] =
        [Ground::Clear, Ground::Woods, Ground::Hill, Ground::Mountain, Ground::Swamp, Ground::Lake];
    const NAMES: [&str; 6] = ["Xanten", "Zvz", "Gross-Meseritsch", "Ober-Mmmmmm", "St. Pölten", "Vvvvvvvvzz"];
    let mut map = blank(24, 24);
    let hexes: Vec<Hex> = map.ground.keys().copied().collect();
    for hex in hexes {
        if numbers.below(2) == 0 {
            map.ground.insert(hex, GROUNDS[usize::try_from(numbers.below(6)).unwrap()]);
        }
        if numbers.below(5) == 0 {
            name(&mut map, &hex.to_string(), NAMES[usize::try_from(numbers.below(6)).unwrap()]);
        }
        for side in [Dir::N, Dir::NE, Dir::SE].map(|d| Hexside::new(hex, d)) {
            let (a, b) = side.hexes();
            if !map.contains(a) || !map.contains(b) {
                continue;
            }
            let (road, river, bridged) = (numbers.below(6), numbers.below(6), numbers.below(4) > 0);
            if road < 2 {
                map.roads.insert(side, if road == 0 { Road::Primary } else { Road::Secondary });
            }
            if river < 2 {
                map.rivers.insert(side, if river == 0 { River::Primary } else { River::Secondary });
            }
            if road < 2 && river < 2 && bridged {
                map.bridges.insert(side);
            }
        }
    }
    map
}

/// Pieces of both sides, flags and bridges that are down, all over a window.
pub fn pieces<'a>(map: &'a HexMap, window: Window, numbers: &mut Numbers) -> Chart<'a> {
    const CODES: [&str; 6] = ["LAN", "MC1", "MUR", "ELC", "MMA", "ZZV"];
    let mut chart = Chart::new(map);
    chart.damaged = map.bridges.iter().filter(|_| numbers.below(6) == 0).copied().collect();
    for hex in window.hexes(map) {
        let some = |numbers: &mut Numbers, from: i16| {
            let count = if numbers.below(3) == 0 { 2 } else { 1 };
            (0..count).map(|i| u32::try_from(from + i + numbers.below(40)).unwrap()).collect::<Vec<u32>>()
        };
        match numbers.below(12) {
            0 => {
                let code = CODES[usize::try_from(numbers.below(6)).unwrap()].to_owned();
                chart.own.insert(hex, OwnToken { code, letter: 'A', more: numbers.below(3) == 0 });
                if numbers.below(3) == 0 {
                    chart.own_vedettes.insert(hex, some(numbers, 1));
                }
                if numbers.below(9) == 0 {
                    chart.enemy.insert(hex, some(numbers, 1));
                }
            }
            1 => {
                chart.own_vedettes.insert(hex, some(numbers, 1));
            }
            2 => {
                chart.enemy.insert(hex, some(numbers, 1));
            }
            _ => {}
        }
        if numbers.below(5) == 0 {
            chart.zones.insert(hex);
        }
    }
    chart
}
