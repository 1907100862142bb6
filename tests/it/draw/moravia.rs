//! The agreed pages, on the real ground of Moravia.

use super::random::Numbers;
use super::round_trip::{assert_fits, round_trip, window};
use super::{golden, ground, hex, random};
use crate::draw::read_back::read_back;
use estafette::hex::{Hex, Hexside};
use estafette::map::draw::{
    Chart, OwnToken, Window, lattice, lattice_windows, strip, strip_phone, theatre, theatre_window,
};
use estafette::map::{HexMap, Road};
use std::collections::BTreeMap;

/// The pieces of the French side after its movement of turn 1 in the study's mock-up.
pub fn french(map: &HexMap) -> Chart<'_> {
    let mut chart = Chart::new(map);
    let own = [
        ("3056", "NAP", 'A', false),
        ("2549", "MUR", 'B', true),
        ("2447", "SOU", 'C', false),
        ("2345", "LAN", 'D', false),
        ("2347", "OUD", 'E', false),
        ("3450", "MC2", 'G', true),
        ("0950", "BER", 'I', true),
    ];
    for (at, code, letter, more) in own {
        chart.own.insert(hex(at), OwnToken { code: code.to_owned(), letter, more });
    }
    for (at, n) in [("2650", 1), ("2347", 2), ("2549", 3), ("3548", 4), ("0950", 5), ("3056", 6)] {
        chart.own_vedettes.insert(hex(at), vec![n]);
    }
    for (at, numbers) in
        [("1644", &[1][..]), ("1943", &[2, 3]), ("2243", &[4, 5, 6]), ("3622", &[7]), ("3647", &[8]), ("5309", &[9])]
    {
        chart.enemy.insert(hex(at), numbers.to_vec());
        chart.zones.extend(hex(at).neighbours());
    }
    chart.centers.push(hex("3056"));
    chart
}

/// The pieces of the Coalition in the same minute.
pub fn coalition(map: &HexMap) -> Chart<'_> {
    let mut chart = Chart::new(map);
    let own = [
        ("1943", "KUT", 'A', true),
        ("1644", "MIL", 'B', false),
        ("2243", "BAG", 'C', true),
        ("3647", "LIE", 'E', false),
        ("5309", "GAR", 'F', false),
        ("3622", "GAR", 'G', false),
    ];
    for (at, code, letter, more) in own {
        chart.own.insert(hex(at), OwnToken { code: code.to_owned(), letter, more });
    }
    chart.own_vedettes.insert(hex("1943"), vec![1]);
    chart.own_vedettes.insert(hex("2243"), vec![2]);
    for (at, numbers) in [
        ("0950", &[1, 2, 3][..]),
        ("2347", &[4, 5]),
        ("2549", &[6, 7, 9]),
        ("2345", &[8]),
        ("2447", &[10]),
        ("2650", &[11]),
        ("3450", &[12, 16]),
        ("3056", &[13, 14]),
        ("3548", &[15]),
    ] {
        chart.enemy.insert(hex(at), numbers.to_vec());
        if at != "3548" {
            chart.zones.extend(hex(at).neighbours());
        }
    }
    chart.centers.push(hex("2234"));
    chart.loc = loc(map, hex("2234"), hex("6610"));
    chart
}

/// A shortest way over primary roads, by hexsides.
fn loc(map: &HexMap, from: Hex, to: Hex) -> Vec<Hexside> {
    let mut before = BTreeMap::from([(to, to)]);
    let mut ring = vec![to];
    while !ring.is_empty() {
        let mut next = Vec::new();
        for here in ring {
            for there in map.neighbours(here) {
                if map.road(here, there) == Some(Road::Primary) && !before.contains_key(&there) {
                    before.insert(there, here);
                    next.push(there);
                }
            }
        }
        ring = next;
    }
    let mut sides = Vec::new();
    let mut here = from;
    while here != to {
        sides.push(Hexside::between(here, before[&here]).unwrap());
        here = before[&here];
    }
    sides
}

/// A golden page as lines.
fn golden(page: &str) -> Vec<&str> {
    page.lines().skip(1).collect()
}

/// A march with half an MP for each hex.
fn march(hexes: &str) -> Vec<(Hex, u32)> {
    hexes.split(' ').map(hex).zip(0..).collect()
}

#[test]
fn close_up_of_the_french_as_agreed() {
    let map = ground::moravia();
    let drawn = lattice(&french(&map), Window { west: 17, east: 28, north: 43, south: 50 });
    assert_eq!(drawn, golden(golden::ROUND_LANNES));
}

#[test]
fn close_up_of_the_coalition_as_agreed() {
    let map = ground::moravia();
    let drawn = lattice(&coalition(&map), Window { west: 15, east: 26, north: 43, south: 47 });
    assert_eq!(drawn, golden(golden::ROUND_BAGRATION));
}

#[test]
fn close_up_for_a_phone_as_agreed() {
    let map = ground::moravia();
    let drawn = lattice(&french(&map), Window { west: 21, east: 26, north: 42, south: 46 });
    assert_eq!(drawn, golden(golden::ROUND_LANNES_PHONE));
    assert!(drawn.iter().all(|l| l.len() <= 40));
}

#[test]
fn a_strip_tells_every_hex_with_its_sum_and_marks() {
    let map = ground::moravia();
    let chart = french(&map);
    let path = march("2345 2244 2243 2242 2241 2240 2239 2238 2237 2236 2235 2234");
    assert_eq!(
        strip(&chart, &path, 10),
        [
            "  2345 0 Hollabrunn | 2244 0.5 bz | 2243 1 E4 E5 E6 Schöngrabern",
            "  2242 1.5 z | 2241 2 Guntersdorf | 2240 2.5 | 2239 3 b Jetzelsdorf",
            "  2238 3.5 | 2237 4 | 2236 4.5 | 2235 5 <5> | 2234 5.5 b Znaim",
        ]
    );
    assert_eq!(
        strip_phone(&chart, &path, 10),
        [
            "  2244 0.5 bridge z",
            "  2243 1   Schöngrabern E4 E5 E6",
            "  2242 1.5 z",
            "  2241 2   Guntersdorf",
            "  2240 2.5",
            "  2239 3   bridge Jetzelsdorf",
            "  2238 3.5",
            "  2237 4",
            "  2236 4.5",
            "  2235 5   <- 5 MP",
            "  2234 5.5 bridge Znaim",
        ]
    );
}

#[test]
fn a_strip_names_a_bridge_that_is_down_and_ground_under_a_piece() {
    let map = ground::moravia();
    let mut chart = french(&map);
    chart.damaged.insert(Hexside::parse("0950NE").unwrap());
    chart.enemy.insert(hex("2847"), vec![12]);
    assert_eq!(strip(&chart, &march("0950 1049"), 1), ["  0950 0 Mautern | 1049 0.5 x <0.5> Krems"]);
    let path = [(hex("2748"), 0), (hex("2847"), 4)];
    assert_eq!(strip(&chart, &path, 8), ["  2748 0 | 2847 2 E12 woods <4>"]);
    assert_eq!(strip_phone(&chart, &march("0950 1049"), 1), ["  1049 0.5 bridge down Krems <- 0.5 MP"]);
}

#[test]
fn the_theatre_shows_all_pieces_towns_and_names_in_place() {
    let map = ground::moravia();
    let chart = coalition(&map);
    let drawn = theatre(&chart, Window::whole(&map));
    assert_eq!(drawn.len(), 34);
    assert_eq!(drawn[0], "     ....5....1....5....2....5....3....5....4....5....5....5....6....5.");
    let at = |h: &str| {
        let hex = hex(h);
        let line = usize::try_from((hex.row - 1) / 2 + 1).unwrap();
        drawn[line].chars().nth(usize::try_from(hex.col).unwrap() + 4).unwrap_or(' ')
    };
    let pieces = [("1943", 'A'), ("1644", 'B'), ("2243", 'C'), ("3647", 'E'), ("0950", '3'), ("2345", '1')];
    for (place, mark) in pieces.into_iter().chain([("5058", '@'), ("2234", '*'), ("1015", 'O'), ("4324", 'o')]) {
        assert_eq!(at(place), mark, "{place}");
    }
    // The line of communication is drawn over its roads from hex to hex.
    for place in ["2334", "3031", "3529", "3626", "4123", "5012", "6410"] {
        let hex = hex(place);
        let near = chart.map.neighbours(hex).into_iter().chain([hex]).map(|h| at(&h.to_string()));
        assert!(near.into_iter().any(|c| c == '#'), "{place}");
    }
    for name in ["Wien", "Brue", "Olmuetz", "Pressburg", "Iglau", "D-Brod", "St Poelten", "Goeding"] {
        assert!(drawn.iter().any(|l| l.contains(name)), "{name}");
    }
}

#[test]
fn the_front_as_agreed() {
    let map = ground::moravia();
    let drawn = theatre(&french(&map), Window { west: 1, east: 46, north: 43, south: 58 });
    assert_eq!(
        drawn,
        [
            "     ....5....1....5....2....5....3....5....4....5.",
            "  43                1  2= 3             o=       ~~",
            "  45               =====  =D            =   o   ~~~",
            "  47           o ===       EC  Stocker v1      ~~~",
            "  49      ~~~IO==~~~~~~     =Bv       G=      ~~~",
            "  51    ~~~  ==Krems ~~~~~o~~~===o~ ===       ~~~",
            "  53    ~~    ==o                o===           ~~",
            "  55 ~O~Melk  O===============WienAO~Floridsdorf ~~",
            "  57 ==========St Poelten     =======~~          ~~",
        ]
    );
}

#[test]
fn windows_hold_what_matters() {
    let map = ground::moravia();
    let chart = french(&map);
    let front = theatre_window(&chart, false, 76);
    assert!(["0950", "3548", "3647", "1644", "3056"].into_iter().all(|h| front.contains(hex(h))));
    assert!(!front.contains(hex("3622")) && !front.contains(hex("5309")));
    assert!(front.columns() >= 40 && front.rows() >= 24 && front.north % 2 == 1 && front.south % 2 == 0);
    assert_eq!(theatre_window(&chart, true, 76), Window::whole(&map));
    assert_eq!(theatre_window(&chart, true, 40).columns(), 35);

    let close = lattice_windows(&chart, 76);
    assert_eq!(close.iter().map(|c| c.center).collect::<Vec<_>>(), [hex("2345"), hex("3450")]);
    assert_eq!(close[0].group, [hex("2345"), hex("2347")]);
    for close in close.iter().chain(&lattice_windows(&chart, 40)) {
        let w = close.window;
        assert!(w.west % 2 == 1 && (5..=11).contains(&w.rows()), "{w:?}");
        assert!(close.group.iter().all(|&h| w.contains(h)), "{close:?}");
    }
    assert_eq!(close[0].window.columns(), 12);
    assert!(close[0].window.contains(hex("2243")) && close[1].window.contains(hex("3647")));
    assert_eq!(lattice_windows(&chart, 40)[0].window.columns(), 6);
    assert!(lattice_windows(&Chart::new(&map), 76).is_empty());
}

#[test]
fn a_window_asked_for_at_the_edge_stays_on_the_map() {
    let map = ground::moravia();
    for corner in ["0101", "6601", "0166", "6666", "3450"] {
        let window = Window::around(&map, hex(corner), 7, 76);
        assert!(window.contains(hex(corner)), "{corner}");
        assert_eq!((window.columns(), window.rows(), window.west % 2), (12, 7, 1), "{corner}");
        assert_eq!(window.hexes(&map).len(), 84, "{corner}");
    }
}

#[test]
fn five_hundred_windows_of_moravia_read_back() {
    let map = ground::moravia();
    let mut numbers = Numbers(1805);
    assert!(round_trip(&map, 12, 500, &mut numbers) > 10_000);
    assert!(round_trip(&map, 6, 200, &mut numbers) > 2_000);
}

#[test]
fn a_reader_sees_when_a_stroke_is_missing() {
    let map = ground::moravia();
    let window = Window { west: 17, east: 28, north: 43, south: 50 };
    let lines = lattice(&Chart::new(&map), window);
    let spoilt: Vec<String> = lines.iter().map(|l| l.replacen("||", "| ", 1)).collect();
    assert_ne!(read_back(&lines, window), read_back(&spoilt, window));
}

#[test]
fn theatres_fit_the_page() {
    let mut numbers = Numbers(7);
    let map = ground::moravia();
    for _ in 0..50 {
        let window = window(&map, 12, &mut numbers);
        let chart = random::pieces(&map, window, &mut numbers);
        let all = theatre(&chart, Window::whole(&map));
        assert_fits(&all, 76);
        let phone = estafette::map::draw::theatre_window(&chart, false, 40);
        assert_fits(&theatre(&chart, phone), 40);
        let counted: usize = chart.own.len() + chart.own_vedettes.len();
        assert!(counted == 0 || all.iter().skip(1).any(|l| l.contains(['A', 'v'])));
    }
}
