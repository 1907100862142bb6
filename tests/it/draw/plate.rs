//! The drawn map: each fact of the chart stands in it, nothing else does, and its letters can be read.

use super::random::Numbers;
use super::{ground, hex, random};
use estafette::hex::{Dir, Hex, Hexside};
use estafette::ink;
use estafette::map::HexMap;
use estafette::map::draw::plate::{palette, plate};
use estafette::map::draw::{Chart, Ghost, OwnToken, Window};
use std::collections::BTreeSet;

/// What a picture tells, each fact as its attribute and its value.
fn facts(svg: &str) -> BTreeSet<String> {
    let read = roxmltree::Document::parse(svg).unwrap();
    let mut facts = BTreeSet::new();
    for node in read.descendants().filter(|n| n.is_element()) {
        let mut said: Vec<String> = node
            .attributes()
            .filter(|a| {
                a.name().starts_with("data-") && !["data-id", "data-settlement", "data-place"].contains(&a.name())
            })
            .map(|a| format!("{}={}", a.name(), a.value()))
            .collect();
        if !said.is_empty() {
            said.sort();
            facts.insert(said.join(" "));
        }
    }
    facts
}

/// The same of the chart itself.
fn told(chart: &Chart<'_>, window: Window) -> BTreeSet<String> {
    let mut facts = BTreeSet::new();
    let here = |hex: &Hex| window.contains(*hex);
    let shows = |side: &Hexside| here(&side.hexes().0) || here(&side.hexes().1);
    for (at, token) in chart.own.iter().filter(|(at, _)| here(at)) {
        let more = if token.more { "data-more=1 " } else { "" };
        let sp = chart.strength.get(at).map_or_else(String::new, |sp| format!(" data-sp={sp}"));
        facts.insert(format!("data-hex={at} {more}data-own={}{sp}", token.code));
    }
    for (at, numbers) in chart.own_vedettes.iter().filter(|(at, _)| here(at)) {
        facts.extend(numbers.iter().map(|n| format!("data-hex={at} data-vedette=v{n}")));
    }
    for (at, numbers) in chart.enemy.iter().filter(|(at, _)| here(at)) {
        facts.extend(numbers.iter().map(|n| format!("data-enemy=E{n} data-hex={at}")));
    }
    for (at, ghosts) in chart.ghosts.iter().filter(|(at, _)| here(at)) {
        facts.extend(ghosts.iter().map(|g| format!("data-age={} data-ghost=E{} data-hex={at}", g.age, g.number)));
    }
    facts.extend(chart.zones.iter().filter(|at| here(at)).map(|at| format!("data-zone={at}")));
    facts.extend(chart.centers.iter().filter(|at| here(at)).map(|at| format!("data-center={at}")));
    facts.extend(chart.loc.iter().filter(|side| shows(side)).map(|side| format!("data-loc={side}")));
    facts.extend(chart.damaged.iter().filter(|side| shows(side)).map(|side| format!("data-damaged={side}")));
    facts.extend(chart.redoubts.keys().filter(|side| shows(side)).map(|side| format!("data-redoubt={side}")));
    let printed = &chart.map.bridges;
    facts.extend(printed.iter().filter(|side| shows(side)).map(|side| format!("data-bridge={side}")));
    let laid = chart.spans.union(&chart.damaged).filter(|side| !printed.contains(side) && shows(side));
    facts.extend(laid.map(|side| format!("data-span={side}")));
    facts
}

#[test]
fn a_picture_tells_what_its_chart_holds_and_nothing_else() {
    let mut numbers = Numbers(0x0b51_1805);
    let mut spoken = 0;
    for _ in 0..60 {
        let map = random::crowded(&mut numbers);
        let (west, north) = (1 + numbers.below(12), 1 + numbers.below(12));
        let window = Window { west, east: west + 3 + numbers.below(12), north, south: north + 3 + numbers.below(9) };
        let mut chart = random::pieces(&map, window, &mut numbers);
        let hexes = window.hexes(&map);
        chart.strength = chart.own.keys().map(|at| (*at, i32::from(1 + numbers.below(30)))).collect();
        chart.ghosts.insert(hexes[0], vec![Ghost { number: 77, age: 3 }]);
        chart.centers.push(hexes[1]);
        chart.loc.push(Hexside::new(hexes[1], Dir::SE));
        chart.spans.insert(Hexside::new(hexes[2], Dir::NE));
        chart.redoubts.insert(Hexside::new(hexes[3], Dir::N), false);
        let told = told(&chart, window);
        assert_eq!(facts(&plate(&chart, window, "a map")), told);
        spoken += told.len();
    }
    assert!(spoken > 2_000, "only {spoken} facts were compared");
}

#[test]
fn names_stand_near_their_places_and_meet_no_block() {
    let map = ground::moravia();
    let mut chart = Chart::new(&map);
    chart.own.insert(hex("2549"), OwnToken { code: "MUR".to_owned(), letter: 'B', more: true });
    let window = Window::around(&map, hex("2549"), 9, 76);
    let svg = plate(&chart, window, "round Murat");
    let read = roxmltree::Document::parse(&svg).unwrap();
    let mut boxes: Vec<(i32, i32, i32, i32)> = Vec::new();
    for node in read.descendants().filter(|n| n.attribute("data-place").is_some()) {
        let number = |name: &str| node.attribute(name).unwrap().parse::<i32>().unwrap();
        let letters = i32::try_from(node.text().unwrap().chars().count()).unwrap();
        let (x, y, size) = (number("x"), number("y"), number("font-size"));
        boxes.push((x, y - size * 4 / 5, x + letters * size * 52 / 100, y + size / 5));
    }
    assert_eq!(boxes.len(), map.places.keys().filter(|at| window.contains(**at)).count());
    for (i, a) in boxes.iter().enumerate() {
        for b in &boxes[i + 1..] {
            assert!(a.0 >= b.2 || b.0 >= a.2 || a.1 >= b.3 || b.1 >= a.3, "{a:?} meets {b:?}");
        }
    }
}

#[test]
fn counters_on_each_other_show_the_numbers_of_all() {
    let map = random::blank(8, 6);
    let mut chart = Chart::new(&map);
    chart.enemy.insert(hex("0404"), vec![3, 4, 11]);
    chart.titles.insert(4, "Kutuzov 9".to_owned());
    let svg = plate(&chart, Window::whole(&map), "a map");
    let read = roxmltree::Document::parse(&svg).unwrap();
    let words: Vec<&str> = read.descendants().filter(|n| n.has_tag_name("text")).filter_map(|n| n.text()).collect();
    assert!(words.contains(&"E3 E4 E11") && words.contains(&"Kutuzov 9"), "{words:?}");
    // Of many they stand in short, or nobody could read them.
    chart.enemy.insert(hex("0404"), vec![3, 8, 9, 10, 11, 14]);
    let svg = plate(&chart, Window::whole(&map), "a map");
    let read = roxmltree::Document::parse(&svg).unwrap();
    let words: Vec<&str> = read.descendants().filter(|n| n.has_tag_name("text")).filter_map(|n| n.text()).collect();
    assert!(words.contains(&"E3 8-11 14"), "{words:?}");
}

#[test]
fn hostile_names_are_text() {
    let mut map = random::blank(8, 6);
    random::name(&mut map, "0202", "</text><script>\"'&\u{202e}x");
    let mut chart = Chart::new(&map);
    chart.enemy.insert(hex("0404"), vec![1]);
    chart.titles.insert(1, "<b onload='x'>\u{0007}".to_owned());
    let svg = plate(&chart, Window::whole(&map), "<title>&\u{2066}");
    let read = roxmltree::Document::parse(&svg).unwrap();
    let kinds: BTreeSet<&str> = read.descendants().filter(|n| n.is_element()).map(|n| n.tag_name().name()).collect();
    assert_eq!(kinds, BTreeSet::from(["svg", "title", "g", "rect", "path", "text"]));
    let words: Vec<&str> = read.descendants().filter_map(|n| n.is_element().then(|| n.text())?).collect();
    assert!(words.contains(&"</text><script>\"'&x"), "{words:?}");
    assert!(words.contains(&"<b onload='x'>") && words.contains(&"<title>&"), "{words:?}");
}

#[test]
fn the_same_chart_gives_the_same_bytes() {
    let map: HexMap = ground::moravia();
    let chart = Chart::new(&map);
    let whole = plate(&chart, Window::whole(&map), "all");
    assert_eq!(whole, plate(&chart, Window::whole(&map), "all"));
    // A theatre is for a mail: it must stay small enough for one.
    assert!(whole.len() < 400_000, "{} bytes", whole.len());
}

#[test]
fn what_is_written_can_be_read() {
    let on_paper = [palette::INK, palette::ID, palette::TOWN, palette::OWN, palette::ENEMY];
    let pairs = on_paper
        .iter()
        .map(|ink| (*ink, palette::PAPER))
        .chain([palette::HILL, palette::MOUNTAIN, palette::WOOD, palette::ZONE].map(|ground| (palette::INK, ground)))
        .chain([palette::PEAK, palette::VINES, palette::MARGIN].map(|ground| (palette::INK, ground)))
        .chain([(palette::MARK, palette::PAPER), (palette::ID, palette::VINES)])
        .chain([(palette::ON_OWN, palette::OWN), (palette::ENEMY, palette::ON_ENEMY), (palette::ID, palette::HILL)]);
    for (ink, ground) in pairs {
        let ratio = contrast(ink, ground);
        assert!(ratio >= 4.5, "{ink} on {ground}: {ratio:.1}");
    }
}

/// The ratio of contrast of two colours, by WCAG 2.
fn contrast(a: &str, b: &str) -> f64 {
    let light = |colour: &str| {
        let part = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    };
    let (a, b) = (light(a), light(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn borders_keep_their_direction_and_strokes_stand_beside_them() {
    // Two hexes side by side, seen as clockwise borders: their common side is no border.
    let edges =
        [((0, 0), (4, 0)), ((4, 0), (4, 4)), ((4, 4), (0, 4)), ((0, 4), (0, 0)), ((9, 9), (9, 8)), ((9, 8), (9, 9))];
    let loops = ink::loops(&edges);
    assert_eq!(loops, [vec![(0, 0), (4, 0), (4, 4), (0, 4), (0, 0)], vec![(9, 8), (9, 9), (9, 8)]]);
    let line = [(0, 0), (100, 0), (100, 60)];
    let walked = ink::walk(&line, 40);
    assert_eq!(walked.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [(20, 0), (60, 0), (100, 0), (100, 40)]);
    // To the left of a way east lies the north, which is up.
    assert_eq!(ink::aside((50, 50), (10, 0), 7, 3), (53, 43));
    assert_eq!(ink::aside((50, 50), (0, -10), 7, 3), (43, 47));
}

#[test]
fn lines_are_joined_whatever_their_order() {
    let edges =
        [((0, 0), (1, 0)), ((2, 0), (1, 0)), ((2, 0), (2, 1)), ((5, 5), (6, 6)), ((6, 6), (5, 7)), ((5, 7), (5, 5))];
    let mut turned = edges.map(|(a, b)| (b, a));
    turned.reverse();
    let chains = ink::chains(&edges);
    assert_eq!(chains, ink::chains(&turned));
    assert_eq!(chains, [vec![(0, 0), (1, 0), (2, 0), (2, 1)], vec![(5, 5), (5, 7), (6, 6), (5, 5)]]);
}
