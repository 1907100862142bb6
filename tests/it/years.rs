//! The eight campaigns: maps drawn from tables of real places, ground checked against what is known of the country, and
//! one whole game of each between the program's own players, adjudicated again.

use crate::scenario::{board, files};
use crate::whole;
use estafette::games::{self, GAMES};
use estafette::hex::{Hex, Hexside};
use estafette::map::{Ground, HexMap, River, Settlement};
use estafette::simulate::{self, Chain, Played};
use estafette::store::Tempo;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// The small campaigns, one for each year but 1805.
pub const SMALL: [&str; 7] = [
    "1792-valmy.yaml",
    "1796-castiglione.yaml",
    "1800-marengo.yaml",
    "1807-eylau.yaml",
    "1809-eggmuehl.yaml",
    "1814-champagne.yaml",
    "1815-waterloo.yaml",
];

/// How far towns lie apart as the crow flies, in km, from general knowledge: checked apart from the tables of the maps.
const KM: [(&str, &str, &str, f64); 42] = [
    ("1792", "Verdun", "Châlons", 78.0),
    ("1792", "Châlons", "Sainte-Menehould", 41.0),
    ("1792", "Valmy", "Grandpré", 30.0),
    ("1792", "Verdun", "Dun", 29.0),
    ("1792", "Vitry", "Châlons", 31.0),
    ("1796", "Mantova", "Verona", 36.0),
    ("1796", "Peschiera", "Mantova", 33.0),
    ("1796", "Brescia", "Mantova", 62.0),
    ("1796", "Castiglione", "Brescia", 27.0),
    ("1796", "Rivoli", "Verona", 21.0),
    ("1796", "Verona", "Legnago", 37.0),
    ("1800", "Alessandria", "Tortona", 20.0),
    ("1800", "Alessandria", "Genova", 61.0),
    ("1800", "Pavia", "Piacenza", 46.0),
    ("1800", "Tortona", "Voghera", 15.0),
    ("1800", "Novi", "Genova", 40.0),
    ("1800", "Casale", "Alessandria", 28.0),
    ("1807", "Königsberg", "Eylau", 37.0),
    ("1807", "Eylau", "Friedland", 26.0),
    ("1807", "Heilsberg", "Bartenstein", 20.0),
    ("1807", "Allenstein", "Guttstadt", 24.0),
    ("1807", "Königsberg", "Allenstein", 104.0),
    ("1809", "Regensburg", "Landshut", 53.0),
    ("1809", "Ingolstadt", "Regensburg", 57.0),
    ("1809", "Abensberg", "Landshut", 38.0),
    ("1809", "Eggmühl", "Regensburg", 20.0),
    ("1809", "Straubing", "Regensburg", 38.0),
    ("1809", "Freising", "Landshut", 34.0),
    ("1814", "Troyes", "Châlons", 77.0),
    ("1814", "Montmirail", "Vertus", 34.0),
    ("1814", "Châlons", "Vitry", 31.0),
    ("1814", "Nogent", "Troyes", 47.0),
    ("1814", "Brienne", "Troyes", 35.0),
    ("1814", "Château-Thierry", "Épernay", 40.0),
    ("1815", "Bruxelles", "Charleroi", 48.0),
    ("1815", "Bruxelles", "Namur", 56.0),
    ("1815", "Waterloo", "Bruxelles", 17.0),
    ("1815", "Ligny", "Charleroi", 14.0),
    ("1815", "Namur", "Wavre", 33.0),
    ("1815", "Mons", "Bruxelles", 53.0),
    ("1815", "Quatre-Bras", "Nivelles", 9.0),
    ("1815", "Wavre", "Louvain", 19.0),
];

/// Great rivers that the shortest way by road between two towns must cross, each named with its bridges on the way.
const CROSSED: [(&str, &str, &str, usize); 32] = [
    ("1792", "Verdun", "Étain road (edge)", 1), // Meuse
    ("1792", "Verdun", "Clermont", 0),
    ("1792", "Châlons", "Vitry", 0),              // both on the right bank of the Marne
    ("1792", "Châlons", "Troyes road (edge)", 1), // Marne
    ("1796", "Verona", "Dolcè", 1),               // Adige
    ("1796", "Verona", "Rivoli", 0),
    ("1796", "Verona", "Caldiero", 1),               // Adige
    ("1796", "Goito", "Marmirolo", 1),               // Mincio
    ("1796", "Mantova", "Cittadella", 1),            // the lakes
    ("1796", "Borgoforte", "Modena road (edge)", 1), // Po
    ("1800", "Alessandria", "Marengo", 1),           // Bormida
    ("1800", "Pavia", "Stradella", 1),               // Po
    ("1800", "Casale", "Valenza", 0),
    ("1800", "Valenza", "Lomello", 1),           // Po
    ("1800", "Piacenza", "Casalpusterlengo", 1), // Po
    ("1800", "Novi", "Genova", 0),
    ("1807", "Königsberg", "Brandenburg", 1), // Pregel
    ("1807", "Friedland", "Domnau", 0),
    ("1807", "Heilsberg", "Bischofstein", 1), // Alle
    ("1809", "Regensburg", "Stadtamhof", 1),  // Danube
    ("1809", "Regensburg", "Landshut", 1),    // Isar
    ("1809", "Freising", "Moosburg", 0),
    ("1809", "Ingolstadt", "Vohburg", 1), // Danube
    ("1809", "Straubing", "Regensburg", 0),
    ("1814", "Château-Thierry", "Montmirail", 1), // Marne
    ("1814", "Châlons", "Vertus", 1),             // Marne
    ("1814", "Brienne", "Troyes", 2),             // Aube, Seine
    ("1814", "Arcis", "Sommesous", 1),            // Aube
    ("1814", "Nogent", "Villenauxe", 1),          // Seine
    ("1815", "Charleroi", "Quatre-Bras", 0),
    ("1815", "Philippeville", "Charleroi", 1),  // Sambre
    ("1815", "Namur", "Dinant road (edge)", 1), // Meuse
];

fn map_of(year: &str) -> HexMap {
    board(SMALL.iter().find(|name| name.starts_with(year)).unwrap()).map
}

fn named(map: &HexMap, name: &str) -> Hex {
    map.places.values().find(|place| place.name == name).unwrap_or_else(|| panic!("no {name}")).hex
}

/// Centre of a hex in km east and south of the first one; even columns lie half a hex further south.
fn centre(hex: Hex) -> (f64, f64) {
    let (col, row) = (f64::from(hex.col - 1), f64::from(hex.row - 1));
    let half = if hex.col % 2 == 0 { 0.5 } else { 0.0 };
    (col * 3.2 * 0.75_f64.sqrt(), (row + half) * 3.2)
}

/// Hexes of the shortest way by road, the first in order of equals.
fn by_road(map: &HexMap, from: Hex, to: Hex) -> Option<Vec<Hex>> {
    let mut before: BTreeMap<Hex, Hex> = BTreeMap::from([(from, from)]);
    let mut ring = vec![from];
    while !ring.is_empty() && !before.contains_key(&to) {
        let mut next = Vec::new();
        for here in ring {
            for hex in map.neighbours(here).into_iter().filter(|n| map.road(here, *n).is_some()) {
                before.entry(hex).or_insert_with(|| {
                    next.push(hex);
                    here
                });
            }
        }
        ring = next;
    }
    let mut way = vec![to];
    while *way.last()? != from {
        way.push(*before.get(way.last()?)?);
    }
    Some(way)
}

/// Whether two hexsides meet in a corner.
fn meet(a: Hexside, b: Hexside) -> bool {
    let (a, b) = (a.hexes(), b.hexes());
    let shared = [a.0, a.1].into_iter().find(|hex| *hex == b.0 || *hex == b.1);
    let other = |pair: (Hex, Hex), hex: Hex| if pair.0 == hex { pair.1 } else { pair.0 };
    shared.is_some_and(|hex| other(a, hex).adjacent(other(b, hex)))
}

/// Plays one game to its end, and then every input of its chain again.
fn played(name: &str, number: u64) -> (Played, Chain) {
    let mut game = simulate::open(games::find(GAMES, "campaigns").unwrap(), &files(name), number).unwrap();
    let (played, chain) =
        simulate::play(game.as_mut(), number, |_, _| Ok(())).unwrap_or_else(|stuck| panic!("{name}: {stuck:?}"));
    let played = simulate::again(game.as_ref(), number)((played, chain.clone()));
    (played.unwrap_or_else(|stuck| panic!("{name}: {stuck:?}")), chain)
}

#[test]
fn the_maps_are_what_their_tables_give() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/maps/maps.py");
    let out = Command::new("python3").arg(script).arg("--check").output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
}

#[test]
fn towns_lie_as_far_apart_as_in_the_country() {
    for (year, from, to, km) in KM {
        let map = map_of(year);
        let (a, b) = (centre(named(&map, from)), centre(named(&map, to)));
        let drawn = (a.0 - b.0).hypot(a.1 - b.1);
        assert!((drawn - km).abs() <= 4.0, "{year}: {from} to {to} is {drawn:.1} km on the map, {km} in the country");
    }
}

#[test]
fn roads_cross_the_rivers_that_they_must() {
    for (year, from, to, count) in CROSSED {
        let map = map_of(year);
        let way =
            by_road(&map, named(&map, from), named(&map, to)).unwrap_or_else(|| panic!("{from}: no road to {to}"));
        let steps = || way.iter().zip(way.iter().skip(1));
        let great = steps().filter(|(a, b)| map.river(**a, **b).is_some_and(|r| r != River::Secondary)).count();
        assert_eq!(great, count, "{year}: {from} to {to}: {way:?}");
        let bare = steps().filter(|(a, b)| map.river(**a, **b).is_some() && !map.bridge(**a, **b)).count();
        assert_eq!(bare, 0, "{year}: {from} to {to} has a river without a bridge");
    }
}

#[test]
fn each_map_is_one_country() {
    for name in SMALL {
        let map = board(name).map;
        let depot = |s: &Settlement| matches!(s, Settlement::DepotTown | Settlement::City | Settlement::Citadel);
        let hub = map.settlements.iter().find(|(_, s)| depot(s)).map(|(hex, _)| *hex).unwrap();
        for hex in map.settlements.iter().filter(|(_, s)| depot(s)).map(|(hex, _)| *hex) {
            assert!(by_road(&map, hub, hex).is_some(), "{name}: no road from {hub} to {hex}");
        }
        for side in map.roads.keys() {
            let (a, b) = side.hexes();
            assert!(by_road(&map, hub, a).is_some(), "{name}: the road at {side} hangs in the air");
            for hex in [a, b] {
                assert_ne!(map.ground_of(hex), Some(Ground::Lake), "{name}: a road in the lake at {hex}");
            }
        }
        // Every stretch of river runs on, or off the map: no hexside of one stands alone.
        for side in map.rivers.keys() {
            let (a, b) = side.hexes();
            let on = map.rivers.keys().any(|other| other != side && meet(*side, *other));
            assert!(on || map.at_edge(a) || map.at_edge(b), "{name}: one hexside of river at {side}");
        }
        assert!((700..=1300).contains(&map.ground.len()), "{name}: {} hexes", map.ground.len());
    }
}

/// The remark after a hex in a scenario or table is the place that the map has there.
#[test]
fn places_named_in_remarks_stand_where_they_are_said_to() {
    let mut seen = 0;
    for name in SMALL {
        let map = board(name).map;
        let all = files(name);
        let text = &all.iter().find(|(path, _)| path == name).unwrap().1;
        for line in text.lines().filter(|line| line.trim_start().starts_with("- {") && line.contains("hex: \"")) {
            let hex = Hex::parse(&line.split("hex: \"").nth(1).unwrap()[..4]).unwrap();
            let remark = line.rsplit_once("}  # ").map(|(_, remark)| remark.split(':').next().unwrap());
            let told = line.split("name: \"").nth(1).and_then(|rest| rest.split('"').next());
            let Some(told) = told.or(remark) else { continue };
            match told.split_once(" of ").filter(|(dir, _)| dir.len() <= 2) {
                Some((dir, town)) => {
                    let dir = estafette::hex::Dir::parse(dir).unwrap();
                    assert_eq!(named(&map, town).neighbour(dir), hex, "{name}: {line}");
                }
                None => assert_eq!(named(&map, told), hex, "{name}: {line}"),
            }
            seen += 1;
        }
    }
    assert!(seen > 200, "{seen} remarks");
}

/// Eight games, one of each year, come to their end and come out the same again; in each, what its title does its own way
/// is seen to happen.
#[test]
fn each_year_is_played_to_its_end_by_its_own_rules() {
    // Kinds of event that no other title's exceptions bring about, and part of what is written of one.
    let own: [(&str, &str); 8] = [
        ("1792-valmy.yaml", r#""kind":"ap_lost","side":"french""#), // ¶96: what is not used is lost
        ("1796-castiglione.yaml", r#""kind":"worn""#),              // ¶268: losses by fifths
        ("1800-marengo.yaml", r#""kind":"worn""#),
        ("1805-moravia-nov30.yaml", r#""kind":"turn""#),
        ("1807-eylau.yaml", r#""kind":"leader_gone","side":"coalition","leader":"buxhowden""#), // ¶164
        ("1809-eggmuehl.yaml", r#""kind":"points","side":"french","nationality":"French Guard""#), // ¶109
        ("1814-champagne.yaml", r#""leader":"winzingerode""#),                                  // ¶109, 169
        ("1815-waterloo.yaml", r#""kind":"ap_lost","side":"coalition""#),                       // ¶96
    ];
    for (name, mark) in own {
        let (game, chain) = played(name, 1);
        assert!(game.ending.contains("The game is over"), "{name}: {}", game.ending);
        let seen = chain.iter().any(|(_, kind, body)| kind == "event" && body.contains(mark));
        assert!(seen, "{name}: no event with {mark}");
        let turns = chain.iter().filter(|(_, kind, body)| kind == "event" && body.contains(r#""kind":"turn""#)).count();
        let (first, last) = board(name).turns;
        println!("{name}: {turns} turns of {}; {} mails; {}", last + 1 - first, game.mails, game.ending);
    }
}

/// By mail, through the daemon's own passes: every die made again from the seeds, the whole game adjudicated again. One year
/// by default; all of them with `YEARS=all`.
#[test]
fn a_year_is_played_by_mail_and_its_audit_agrees() {
    let all = std::env::var("YEARS").is_ok_and(|years| years == "all");
    for name in SMALL.into_iter().filter(|name| all || name.starts_with("1800")) {
        let dir = tempfile::tempdir().unwrap();
        let (mails, _) = whole::by_mail(dir.path(), ("campaigns", name), Tempo::Sealed);
        whole::well_formed(&mails);
        whole::in_budget(&mails);
    }
}
