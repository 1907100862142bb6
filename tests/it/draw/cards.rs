//! Pieces of a picture lie on no other and inside its frame; its letters can be read on a phone; its key names what it shows.

use super::fellows::kept;
use super::random::Numbers;
use super::{ground, hex, moravia};
use estafette::fog::SeatId;
use estafette::games::{self, GAMES};
use estafette::host::Input;
use estafette::ink::{self, Card};
use estafette::map::draw::plate::plate;
use estafette::map::draw::{Window, plate_window, theatre_window};
use estafette::{scenario, simulate};
use std::path::Path;

type Area = (i32, i32, i32, i32);

fn meet(a: Area, b: Area) -> bool {
    a.0 < b.2 && b.0 < a.2 && a.1 < b.3 && b.1 < a.3
}

fn around(at: (i32, i32), size: (i32, i32)) -> Area {
    (at.0 - size.0 / 2, at.1 - size.1 / 2, at.0 + size.0 / 2, at.1 + size.1 / 2)
}

#[test]
fn cards_lie_beside_each_other_and_on_the_sheet() {
    let mut numbers = Numbers(0x05ea_1805);
    let (corner, size) = ((-500, 200), (9000, 7000));
    let mut moved = 0;
    for _ in 0..40 {
        let mut any = |most: i16| i32::from(numbers.below(most));
        // Half of them in a throng, some over the edge.
        let cards: Vec<Card> = (0..24)
            .map(|n| {
                let home =
                    if n % 2 == 0 { (3000 + any(900), 3000 + any(900)) } else { (any(9000) - 500, any(7000) + 200) };
                Card { home, size: (200 + any(500), 150 + any(200)) }
            })
            .collect();
        let places = ink::spread(&cards, (corner, size), 10);
        assert_eq!(places, ink::spread(&cards, (corner, size), 10));
        let areas: Vec<Area> = places.iter().zip(&cards).map(|(at, card)| around(*at, card.size)).collect();
        for (n, area) in areas.iter().enumerate() {
            assert!(area.0 >= corner.0 && area.1 >= corner.1, "{area:?}");
            assert!(area.2 <= corner.0 + size.0 && area.3 <= corner.1 + size.1, "{area:?}");
            assert!(areas[n + 1..].iter().all(|other| !meet(*area, *other)), "{area:?} lies on another");
        }
        moved += places.iter().zip(&cards).filter(|(at, card)| ink::tie(**at, card.size, card.home).is_some()).count();
    }
    assert!(moved > 100, "only {moved} had to give way");
}

/// The blocks of a picture of a map: of each group the box round all that it draws but letters.
fn blocks(svg: &str) -> Vec<(String, Area)> {
    let read = roxmltree::Document::parse(svg).unwrap();
    let data = ["data-own", "data-enemy", "data-ghost", "data-vedette"];
    let groups = read.descendants().filter(|n| n.has_tag_name("g"));
    let mut found = Vec::new();
    for group in groups {
        let Some(name) = data.iter().find_map(|key| group.attribute(*key)) else { continue };
        let hex = group.attribute("data-hex").unwrap();
        let rects = group.children().filter(|n| n.has_tag_name("rect")).map(|n| {
            let [x, y, w, h] =
                ["x", "y", "width", "height"].map(|key| n.attribute(key).unwrap().parse::<i32>().unwrap());
            (x, y, x + w, y + h)
        });
        let flag =
            group.children().filter(|n| n.has_tag_name("path") && n.attribute("fill") != Some("none")).map(|n| {
                let d = n.attribute("d").unwrap().trim_start_matches('M').replace('l', " ").replace('-', " -");
                let n: Vec<i32> = d.split(' ').filter_map(|n| n.trim_end_matches('z').parse().ok()).collect();
                (n[0], n[1], n[0] + n[2], n[1] + 10)
            });
        found.extend(rects.chain(flag).map(|area| (format!("{name} {hex}"), area)));
    }
    found
}

#[test]
fn counters_of_a_map_lie_on_no_other_and_inside_the_frame() {
    let map = ground::moravia();
    for (name, mut chart) in [("french", moravia::french(&map)), ("coalition", moravia::coalition(&map))] {
        let hexes: Vec<_> = chart.own.keys().copied().collect();
        for at in hexes {
            let code = chart.own[&at].code.clone();
            let stack = if chart.own[&at].more { vec![(code, 18), ("SOU".to_owned(), 9)] } else { vec![(code, 18)] };
            chart.strength.insert(at, stack.iter().map(|(_, sp)| sp).sum());
            chart.stacks.insert(at, stack);
        }
        for (what, window) in [
            ("theatre", plate_window(&chart, false, 76)),
            ("near", Window::around(&map, hex("2345"), 9, 76)),
            ("edge", Window::around(&map, hex("6610"), 9, 76)),
        ] {
            let svg = plate(&chart, window, "a map");
            kept(&format!("cards-{name}-{what}"), &svg);
            let blocks = blocks(&svg);
            let view: Vec<i32> = svg
                .split("viewBox=\"")
                .nth(1)
                .unwrap()
                .split('"')
                .next()
                .unwrap()
                .split(' ')
                .map(|n| n.parse().unwrap())
                .collect();
            for (n, (who, area)) in blocks.iter().enumerate() {
                let inside = area.0 >= view[0]
                    && area.1 >= view[1]
                    && area.2 <= view[0] + view[2]
                    && area.3 <= view[1] + view[3];
                assert!(inside, "{who} of {name} {what} is cut off");
                let same = |other: &str| who.rsplit(' ').next() == other.rsplit(' ').next();
                let under = blocks[n + 1..].iter().find(|(other, area2)| meet(*area, *area2) && !same(other));
                assert!(under.is_none(), "{who} lies on {under:?} in {name} {what}");
            }
            if (name, what) == ("french", "near") {
                // Of several forces in a hex the first with its own strength, how many more, and the sum.
                let said = ["data-stack=\"MUR 18, SOU 9: 27 in all\"", ">MUR 18</text>", ">+1: 27</text>"];
                assert!(said.iter().all(|said| svg.contains(said)), "{svg}");
            }
            assert!(what == "edge" || blocks.len() > 6, "{} blocks in {name} {what}", blocks.len());
        }
    }
}

#[test]
fn a_drawn_theatre_holds_all_that_is_known() {
    let map = ground::moravia();
    let mut chart = moravia::french(&map);
    chart.centers.push(hex("2234"));
    let (sheet, drawn) = (theatre_window(&chart, false, 76), plate_window(&chart, false, 76));
    assert!(!sheet.contains(hex("5309")));
    let pieces = chart.own.keys().chain(chart.enemy.keys()).chain(chart.own_vedettes.keys()).chain(&chart.centers);
    for at in pieces {
        assert!(drawn.contains(*at), "{at}");
    }
}

/// The height in pixels of letters on a phone 360 pixels wide, of which a mail program leaves 344 to a picture.
fn smallest(svg: &str) -> (f64, String) {
    let read = roxmltree::Document::parse(svg).unwrap();
    let view = read.root_element().attribute("viewBox").unwrap();
    let wide: f64 = view.split(' ').nth(2).unwrap().parse().unwrap();
    let words = read.descendants().filter(|n| n.has_tag_name("text"));
    let sizes = words.filter_map(|n| {
        let size: f64 = n.attribute("font-size")?.parse().ok()?;
        Some((size * 344.0 / wide, n.text().unwrap_or_default().to_owned()))
    });
    sizes.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((99.0, String::new()))
}

#[test]
fn letters_of_all_pictures_can_be_read_on_a_phone() {
    let games = [
        ("campaigns", "1805-moravia", "2045"),
        ("brave_fellows", "durenstein", "2014"),
        ("brave_fellows", "durenstein-masked", "2014"),
        ("brave_fellows", "durenstein-fog", "2513"),
        ("great_battles", "hill", "2424"),
        ("austerlitz1805", "teaching", "Pratzen"),
        ("austerlitz1805", "1805-austerlitz", "Pratzen"),
    ];
    for (ruleset, name, area) in games {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let entry = games::find(GAMES, ruleset).unwrap();
        let files = scenario::files(&root.join(format!("scenarios/{ruleset}/{name}.yaml"))).unwrap();
        let mut game = simulate::open(entry, &files, 1).unwrap();
        let mut input = Input::Begin;
        for mail in 1..14 {
            let batch = game.take(input).unwrap_or_else(|broken| panic!("{}", broken.why));
            for seat in game.seats().into_iter().map(|(seat, _)| seat).collect::<Vec<SeatId>>() {
                for area in [None, Some(area)] {
                    let svg = game.plate(&seat, area).into_parts().1.unwrap().unwrap();
                    let (high, said) = smallest(&svg);
                    assert!(high >= 8.99, "{said} is {high:.1} pixels high: {name} {seat} {area:?}");
                    if mail > 9 {
                        kept(&format!("phone-{name}-{seat}-{mail}{}", area.map_or("", |_| "-near")), &svg);
                    }
                }
            }
            let Some(due) = batch.dues.first().filter(|_| !batch.over) else { break };
            input = simulate::mail_of(game.as_ref(), &due.seat, 1, mail);
        }
    }
}
