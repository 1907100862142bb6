//! A finished close-up, read back, gives exactly what the side's view holds in that window; and it fits the page.

use super::hex;
use super::random::{self, Numbers};
use super::read_back::{Drawn, read_back};
use estafette::hex::{Hex, Hexside};
use estafette::map::HexMap;
use estafette::map::draw::{Chart, Window, lattice, lattice_legend, long_legend, theatre_legend};

/// What must be read in a window: said a second time, and without drawing.
fn expected(chart: &Chart, window: Window) -> Drawn {
    let inside = |s: &Hexside| window.contains(s.hexes().0) && window.contains(s.hexes().1);
    let mut all = Drawn::default();
    for (&side, &river) in chart.map.rivers.iter().filter(|(s, _)| inside(s)) {
        all.rivers.insert(side, river);
    }
    for (&side, &road) in chart.map.roads.iter().filter(|(s, _)| inside(s)) {
        let whole = chart.map.bridges.contains(&side);
        let down = chart.damaged.contains(&side);
        let (a, b) = side.hexes();
        let lost = a.col != b.col && chart.map.rivers.contains_key(&side) && (down || !whole);
        all.roads.insert(side, (!lost).then_some(road));
        if whole || down {
            all.bridges.insert(side, down);
        }
    }
    for here in window.hexes(chart.map) {
        let lowest = |all: Option<&Vec<u32>>| all.map(|v| (v.len(), *v.iter().min().unwrap()));
        let (own, vedette) = (chart.own.get(&here), lowest(chart.own_vedettes.get(&here)));
        let (enemy, zone) = (lowest(chart.enemy.get(&here)), chart.zones.contains(&here));
        let (token, flag) = match (own, vedette, enemy) {
            (Some(own), _, Some(_)) => (own.code.clone(), '!'),
            (Some(own), _, None) if zone => (own.code.clone(), '!'),
            (Some(own), _, None) if own.more => (own.code.clone(), '+'),
            (Some(own), Some(_), None) => (own.code.clone(), 'v'),
            (Some(own), None, None) => (own.code.clone(), ' '),
            (None, Some((count, n)), _) => (format!("v{n}"), if count > 1 { '+' } else { ' ' }),
            (None, None, Some((count, n))) => (format!("E{n}"), if count > 1 { '+' } else { ' ' }),
            (None, None, None) => (String::new(), ' '),
        };
        if !token.is_empty() {
            all.tokens.insert(here, token);
        }
        match flag {
            ' ' if zone => all.flags.insert(here, 'z'),
            ' ' => None,
            other => all.flags.insert(here, other),
        };
    }
    all
}

/// A random window of twelve (or six) columns and 5 to 11 rows.
pub fn window(map: &HexMap, columns: i16, numbers: &mut Numbers) -> Window {
    let rows = 5 + numbers.below(7);
    let west = 1 + 2 * numbers.below((map.columns - columns) / 2 + 1);
    let north = 1 + numbers.below(map.rows - rows + 1);
    Window { west, east: west + columns - 1, north, south: north + rows - 1 }
}

/// All that stands in digits of four is an id of the window, and each is there once.
fn assert_ids(lines: &[String], map: &HexMap, window: Window) {
    let words = lines.iter().flat_map(|l| l.split(|c: char| !c.is_ascii_digit())).filter(|w| w.len() == 4);
    let mut ids: Vec<Hex> = words.map(hex).collect();
    ids.sort_unstable();
    assert_eq!(ids, window.hexes(map));
}

/// Every line is ASCII, begins with two blanks, ends in none, and fits the page.
pub fn assert_fits(lines: &[String], page: usize) {
    for line in lines {
        assert!(line.is_ascii() && line.len() <= page && !line.ends_with(' '), "{line:?}");
        assert!(line.is_empty() || line.starts_with("  "), "{line:?}");
    }
}

/// Draws and reads back random windows; gives the number of links read.
pub fn round_trip(map: &HexMap, columns: i16, times: u32, numbers: &mut Numbers) -> usize {
    let mut links = 0;
    for _ in 0..times {
        let window = window(map, columns, numbers);
        let chart = random::pieces(map, window, numbers);
        let lines = lattice(&chart, window);
        assert_fits(&lines, if columns == 12 { 76 } else { 40 });
        assert_ids(&lines, map, window);
        let read = read_back(&lines, window);
        assert_eq!(read, expected(&chart, window), "{window:?}\n{}", lines.join("\n"));
        links += read.roads.len() + read.rivers.len();
    }
    links
}

#[test]
fn windows_of_crowded_ground_read_back() {
    for seed in 0..40 {
        let mut numbers = Numbers(seed);
        let map = random::crowded(&mut numbers);
        assert!(round_trip(&map, 12, 4, &mut numbers) > 100);
        assert!(round_trip(&map, 6, 4, &mut numbers) > 50);
    }
}

#[test]
fn legends_fit_the_page_and_name_only_what_is_drawn() {
    assert_fits(&long_legend(), 76);
    let mut numbers = Numbers(7);
    let map = random::crowded(&mut numbers);
    let chart = Chart::new(&map);
    let whole = Window::whole(&map);
    for page in [76, 40] {
        assert_fits(&lattice_legend(&chart, &[whole], page), page);
        assert_fits(&theatre_legend(&chart, whole, page), page);
    }
    let legend = lattice_legend(&chart, &[whole], 76).join(" ");
    assert!(legend.contains("primary road") && legend.contains("woods"), "{legend}");
    // No piece stands there, so no mark of one is explained.
    assert!(!legend.contains("more than one") && !legend.contains("next to an enemy"), "{legend}");
    let mut bare = map.clone();
    bare.roads.clear();
    let legend = lattice_legend(&Chart::new(&bare), &[whole], 76).join(" ");
    assert!(!legend.contains("road") && !legend.contains("bridge"), "{legend}");
    assert!(!theatre_legend(&Chart::new(&bare), whole, 76).join(" ").contains("road"));
}
