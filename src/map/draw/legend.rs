//! What the marks of a drawing mean: below a drawing those that stand in it, and all of them on a page of their own.

use super::{Chart, Window, lattice, theatre};
use crate::hex::{Dir, Hexside};
use crate::map::{Crop, Ground, River, Road};
use std::collections::BTreeSet;

/// The legend below close-ups: the marks that stand in one of the windows, as few lines as the page allows.
pub fn lattice_legend(chart: &Chart, windows: &[Window], page: usize) -> Vec<String> {
    let mut said: BTreeSet<(usize, &'static str)> = BTreeSet::new();
    for window in windows {
        for hex in window.hexes(chart.map) {
            let ground = match chart.map.ground.get(&hex) {
                None => None,
                Some(Ground::Clear) => chart.map.crops.get(&hex).map(|crop| match crop {
                    Crop::Oats => (15, "o oats"),
                    Crop::Wheat => (16, "w wheat"),
                    Crop::Potatoes => (17, "p potatoes"),
                }),
                Some(Ground::Hill) => Some((10, "^ hill")),
                Some(Ground::Woods) => Some((11, "% woods")),
                Some(Ground::Swamp) => Some((12, "\" marsh")),
                Some(Ground::Mountain) => Some((13, "M mountain")),
                Some(Ground::Lake) => Some((14, "- lake")),
            };
            said.extend(ground.filter(|_| !chart.occupied(hex)));
            said.extend(lattice::flag(chart, hex).and_then(|flag| match flag {
                '+' => Some((20, "+ more than one")),
                'v' => Some((21, "v vedette too")),
                'z' => Some((22, "z next to an enemy")),
                '!' => Some((23, "! yours, next to an enemy")),
                _ => None,
            }));
            for side in [Dir::S, Dir::NE, Dir::SE].map(|dir| (hex.neighbour(dir), Hexside::new(hex, dir))) {
                if window.contains(side.0) && chart.map.contains(side.0) {
                    said.extend(marks(chart, side.1));
                }
            }
        }
    }
    pack(said.into_iter().map(|(_, words)| words), page)
}

/// The legend below a brick: roads, rivers and bridges that stand in the window.
pub fn brick_legend(chart: &Chart, window: Window, page: usize) -> Vec<String> {
    let hexes = window.hexes(chart.map);
    let sides = hexes.iter().flat_map(|h| [Dir::S, Dir::NE, Dir::SE].map(|d| (h.neighbour(d), Hexside::new(*h, d))));
    let inside = sides.filter(|(other, _)| window.contains(*other) && chart.map.contains(*other));
    let said: BTreeSet<(usize, &'static str)> = inside.flat_map(|(_, side)| marks(chart, side)).collect();
    pack(said.into_iter().map(|(_, words)| words), page)
}

/// What is drawn for a hexside.
fn marks(chart: &Chart, side: Hexside) -> Vec<(usize, &'static str)> {
    let (road, river) = (chart.map.roads.get(&side).copied(), chart.map.rivers.get(&side).copied());
    let mut found = Vec::new();
    found.extend(road.map(|class| match class {
        Road::Primary => (0, r"|| // \\ primary road"),
        Road::Secondary => (1, r"| / \ secondary road"),
    }));
    found.extend(river.map(|class| match class {
        River::Primary => (2, "& primary river"),
        River::Secondary => (3, "~ secondary river"),
        River::Ford => (7, "% primary river, ford"),
        River::Lake => (8, "^ lake shore"),
    }));
    found.extend(match lattice::link(chart, side).bridge {
        Some('#') => Some((4, "# bridge")),
        Some('+') => Some((5, "+ bridge, secondary road")),
        Some('x') => Some((6, "x bridge down")),
        Some('=') => Some((9, "= pontoon, trestle")),
        _ => None,
    });
    found.extend(chart.redoubts.get(&side).map(|finished| match finished {
        true => (15, "* redoubt hexside"),
        false => (16, ": redoubt begun"),
    }));
    found
}

/// The legend below the theatre sheet: the marks that stand in the window.
pub fn theatre_legend(chart: &Chart, window: Window, page: usize) -> Vec<String> {
    let marks = theatre::marks(chart, window);
    let words = [
        ("=", "= primary road"),
        ("#", "# your line of communication"),
        ("~", "~ river"),
        ("@", "@ city"),
        ("O", "O depot"),
        ("o", "o town"),
        ("*", "* your center"),
        ("A", "A.. yours"),
        ("v", "v your vedette"),
        ("1", "1-9 enemy counters"),
        ("?", "? enemy last seen"),
        (":", ": never in view"),
    ];
    pack(words.into_iter().filter(|(mark, _)| marks.contains(mark)).map(|(_, words)| words), page)
}

/// Entries in lines of the page's width, with the margin of all drawings.
fn pack(entries: impl Iterator<Item = &'static str>, page: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for entry in entries {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 3 + entry.chars().count() <= page => {
                line.push_str("   ");
                line.push_str(entry);
            }
            _ => lines.push(format!("  {entry}")),
        }
    }
    lines
}

/// The long legend of both maps, for the first mails of a game and on request.
pub fn long_legend() -> Vec<String> {
    lines(&[
        r"CLOSE-UP",
        r"2347        a hex: column 23 from the west, row 47 from the north",
        r"|| // \\    primary road, from id to id     | / \   secondary road",
        r"&           primary river, on the hexside   ~       secondary river",
        r"#  +  x  =  bridge of a primary road, of a secondary road, bridge down,",
        r"            pontoon or trestle",
        r"*  :        redoubt hexside, of one that is finished, that is begun",
        "above the id, the ground: ^ hill  % woods  \" marsh  M mountain  - lake,",
        r"            nothing clear;  or what stands there:",
        r"LAN         own force, code as in the Display    v4   own vedette",
        r"E6          enemy counter, as in the enemy table",
        r"e62         the same, last seen 2 turns ago (9: nine or more)",
        r"in the fourth place above the id:",
        r"+ more than one counter      v own vedette here too",
        r"z next to an enemy counter not known to be a vedette",
        r"! own force in such a hex, or in one with an enemy",
        r"THEATRE     one character a column, one line for two rows; the number",
        r"            at the left is the first of the two",
        r"=  #        primary road, the same where your communications run",
        r"~           primary river",
        r"@  O  o  *  city, depot town, town, your center",
        r"A-Z  v      own force, letter as in the Display; own vedette alone",
        r"1-9         number of enemy counters in the two hexes (9: or more)",
        r"?  :        enemy last seen here earlier; never in view",
    ])
}

/// Lines with the margin of all drawings.
fn lines(text: &[&str]) -> Vec<String> {
    text.iter().map(|l| format!("  {l}")).collect()
}
