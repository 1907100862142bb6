//! Pictures of `austerlitz1805`: what stands in one stands in the tables of the same seat, and the other way round.

use super::fellows::kept;
use super::random::Numbers;
use super::rows;
use estafette::fog::SeatId;
use estafette::games::{self, GAMES};
use estafette::host::paper::{Drawing, Format};
use estafette::host::{Game, Input};
use estafette::mail::raster;
use estafette::{scenario, simulate};
use std::collections::BTreeSet;
use std::path::Path;

/// Pictures that are compared.
const WANTED: usize = 240;
/// Of one game.
const EACH: usize = 60;

/// The part of the field that a picture shows: west, south, east, north.
struct Frame([i32; 4]);

impl Frame {
    fn of(root: roxmltree::Node<'_, '_>) -> Frame {
        let numbers: Vec<i32> =
            root.attribute("viewBox").unwrap().split(' ').map(|number| number.parse().unwrap()).collect();
        Frame([numbers[0], -(numbers[1] + numbers[3]), numbers[0] + numbers[2], -numbers[1]])
    }

    fn shows(&self, at: &str) -> bool {
        let (x, y) = at.split_once(',').unwrap();
        let (x, y): (i32, i32) = (x.parse().unwrap(), y.parse().unwrap());
        let Frame([west, south, east, north]) = *self;
        (west..east).contains(&x) && (south..north).contains(&y)
    }
}

/// Reads a picture back: each fact as a line.
fn drawn(svg: &str) -> (BTreeSet<String>, Frame) {
    let read = roxmltree::Document::parse(svg).unwrap();
    let mut told = BTreeSet::new();
    for node in read.descendants().filter(|n| n.is_element()) {
        let said = |key: &str| node.attribute(key).unwrap_or_default();
        let side = said("data-side");
        let fact = if let Some(id) = node.attribute("data-unit") {
            let [arm, form, at] = ["data-arm", "data-form", "data-at"].map(said);
            format!("unit {id} {side} {arm} {form} {} {at} {}", said("data-facing"), said("data-state"))
        } else if let Some(hq) = node.attribute("data-hq") {
            format!("HQ {hq} {side} with {}", said("data-with"))
        } else if let Some(chit) = node.attribute("data-chit") {
            let boxed = node.attribute("data-box").map_or_else(String::new, |n| format!(" box {n}"));
            let decoy = if said("data-decoy") == "1" { " decoy" } else { "" };
            format!("chit {chit} {side} {}{boxed}{decoy}", said("data-at"))
        } else if let Some(place) = node.attribute("data-held") {
            format!("place {place} {side} {}", said("data-vp"))
        } else if let Some(corps) = node.attribute("data-corps") {
            format!("corps {corps} in {}", said("data-area"))
        } else {
            continue;
        };
        assert!(told.insert(fact.clone()), "{fact} twice");
    }
    (told, Frame::of(read.root_element()))
}

/// The state of a unit as the map has it, from the words of its row.
fn state(words: &[&str]) -> String {
    let said = words.join(" ");
    let mood = ["S", "D", "R"].into_iter().find(|mood| said.split(", ").any(|part| part == *mood)).unwrap_or("");
    let signs = [("1 step", "1"), ("in combat", "!"), ("no crew", "x"), ("no ammo", "e")];
    let signs: String = signs.into_iter().filter(|(word, _)| said.contains(word)).map(|(_, sign)| sign).collect();
    format!("{mood}{signs}")
}

/// A row of a unit, or of the leader who is with one.
fn unit(row: &str, side: &str, frame: &Frame) -> Option<String> {
    let words: Vec<&str> = row.split_whitespace().collect();
    let arm = words.iter().position(|word| ["inf", "cav", "art", "HQ"].contains(word))?;
    let (before, after) = (words.get(..arm)?, words.get(arm + 1..)?);
    if after.first() == Some(&"with") {
        let end = after.iter().position(|word| word.starts_with("-/-/"))?;
        return Some(format!("HQ {} {side} with {}", before.join(" "), after[1..end].join(" ")));
    }
    // Before the name stands its label, or the name itself.
    let half = before.len() / 2;
    let name = if before[..half] == before[half..] { &before[half..] } else { &before[1..] };
    let [form, _, facing, at, _, rest @ ..] = after else { return None };
    let known = format!("unit {} {side} {} {form} {facing} {at} {}", name.join(" "), words[arm], state(rest));
    frame.shows(at).then_some(known)
}

/// A row of a chit, own or the enemy's.
fn chit(row: &str, side: &str, frame: &Frame) -> Option<String> {
    let (head, rest) = row.split_once(" at ")?;
    let mut parts = rest.split(", ");
    let at = parts.next()?;
    if at.split(',').any(|n| n.parse::<i32>().is_err()) || !frame.shows(at) {
        return None;
    }
    let Some((number, id)) = head.strip_prefix('+').and_then(|head| head.split_once(" (")) else {
        return Some(format!("chit {head} {side} {at}"));
    };
    let decoy = if row.ends_with("it is a decoy") { " decoy" } else { "" };
    Some(format!("chit {} {side} {at} box {number}{decoy}", id.trim_end_matches(')')))
}

/// Reads the tables of a seat, as far as a frame shows them.
fn written(own: &[String], enemy: &[String], me: &str, frame: &Frame, places: &BTreeSet<String>) -> BTreeSet<String> {
    let mut told = BTreeSet::new();
    let sides = [("own", own), ("enemy", enemy)];
    for (side, row) in sides.into_iter().flat_map(|(side, lines)| rows(lines).into_iter().map(move |row| (side, row))) {
        told.extend(unit(&row, side, frame));
        told.extend(chit(&row, side, frame));
        if let Some((holder, list)) = row.split_once(" VP: ").filter(|_| side == "own") {
            let holder = if holder.starts_with(me) { "own" } else { "enemy" };
            let held = list.trim_end_matches('.').split(", ").filter_map(|place| place.rsplit_once(' '));
            let held = held.filter(|(place, _)| places.contains(*place));
            told.extend(held.map(|(place, vp)| format!("place {place} {holder} {vp}")));
        }
        if let Some((corps, area)) = row.split_once(" in ").filter(|_| row.contains(": ")) {
            let code = area.split(' ').next().unwrap();
            let is_code =
                code.len() == 2 && code.starts_with(['F', 'A']) && code.ends_with(|c: char| c.is_ascii_digit());
            told.extend(is_code.then(|| format!("corps {corps} in {code}")));
        }
    }
    told
}

/// A leader stands where his unit stands: of those who are with a unit the picture shows whose unit it shows.
fn seen(told: BTreeSet<String>, drawn: &BTreeSet<String>) -> BTreeSet<String> {
    let units = || drawn.iter().filter_map(|fact| fact.strip_prefix("unit "));
    let here = |fact: &String| {
        let with = fact.strip_prefix("HQ ").and_then(|rest| rest.split_once(" with ")).map(|(_, unit)| unit);
        with.is_none_or(|unit| {
            units().any(|rest| rest.starts_with(&format!("{unit} own ")) || rest.starts_with(&format!("{unit} enemy ")))
        })
    };
    told.into_iter().filter(here).collect()
}

fn files(name: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/austerlitz1805").join(name);
    scenario::files(&path).unwrap()
}

/// Plays a game between the program's own players as long as the position is wanted.
fn watch(name: &str, number: u64, mut look: impl FnMut(&dyn Game, &SeatId) -> bool) {
    let entry = games::find(GAMES, "austerlitz1805").unwrap();
    let mut game = simulate::open(entry, &files(name), number).unwrap();
    let mut input = Input::Begin;
    for mail in 1..5_000 {
        let batch = game.take(input.clone()).unwrap_or_else(|broken| panic!("{}", broken.why));
        if !game.seats().iter().all(|(seat, _)| look(game.as_ref(), seat)) {
            return;
        }
        let Some(due) = batch.dues.first().filter(|_| !batch.over) else { return };
        input = simulate::mail_of(game.as_ref(), &due.seat, number, mail);
    }
    panic!("it does not end");
}

#[test]
fn a_picture_tells_what_the_tables_of_its_seat_tell_and_nothing_else() {
    let games = ["teaching.yaml", "fog-teaching.yaml", "1805-austerlitz.yaml", "fog-teaching.yaml"];
    let (mut pictures, mut facts, mut chits, mut decoys, mut marked, mut slow) = (0, 0, 0, 0, 0, 0);
    let mut numbers = Numbers(0x1805);
    for (number, name) in (1..).zip(games.into_iter().cycle()) {
        if pictures >= WANTED {
            break;
        }
        let before = pictures;
        watch(name, number, |game, seat| {
            let report = game.report(seat, None).into_parts().1;
            let me = report.head.split_whitespace().next().unwrap().to_owned();
            let place = format!("{},{}", 1000 + 100 * numbers.below(240), 1000 + 100 * numbers.below(260));
            for area in [None, Some(place.as_str())] {
                let began = std::time::Instant::now();
                let svg = game.plate(seat, area).into_parts().1.unwrap().unwrap();
                slow = slow.max(began.elapsed().as_millis());
                let (told, frame) = drawn(&svg);
                let places = told.iter().filter_map(|fact| fact.strip_prefix("place "));
                let places = places.map(|rest| rest.split(' ').next().unwrap().to_owned()).collect();
                let table = seen(written(&report.forces, &report.enemy, &me, &frame, &places), &told);
                // Areas are shown whole or in part; their corps stand under their names.
                let corps = |fact: &&String| area.is_none() || !fact.starts_with("corps ");
                let odd: Vec<_> = told.symmetric_difference(&table).filter(corps).collect();
                assert!(odd.is_empty(), "{name} {number}, {seat}, {area:?}: {odd:#?}");
                pictures += 1;
                facts += told.len();
                chits += told.iter().filter(|fact| fact.starts_with("chit ")).count();
                decoys += told.iter().filter(|fact| fact.ends_with(" decoy")).count();
                marked += told.iter().filter(|fact| fact.starts_with("unit ") && !fact.ends_with(' ')).count();
                kept(&format!("{name}-{number}-{seat}-{pictures}{}", area.map_or("", |_| "-near")), &svg);
            }
            pictures - before < EACH
        });
    }
    println!("{pictures} pictures, {facts} facts, {chits} chits, {decoys} decoys, {marked} marked; {slow} ms at most");
    assert!(facts > 3_000 && chits > 500 && decoys > 50 && marked > 100, "{facts} {chits} {decoys} {marked}");
}

#[test]
fn letters_carry_the_fighting_on_move_and_the_whole_field_once_a_turn() {
    let entry = games::find(GAMES, "austerlitz1805").unwrap();
    for name in ["teaching.yaml", "fog-teaching.yaml"] {
        let mut bare = simulate::open(entry, &files(name), 3).unwrap();
        let mut game = simulate::open(entry, &files(name), 3).unwrap();
        for (seat, _) in game.seats() {
            game.form(&seat, Format { plates: true, ..Format::default() });
        }
        let mut input = Input::Begin;
        let (mut near, mut whole, mut most, mut slow) = (0, BTreeSet::new(), 0, 0);
        for mail in 1..40 {
            let (batch, plain) = (game.take(input.clone()).unwrap(), bare.take(input.clone()).unwrap());
            assert_eq!(batch.letters.len(), plain.letters.len());
            for (letter, plain) in batch.letters.iter().zip(&plain.letters) {
                let (page, plain) = (letter.sections.body(), plain.sections.body());
                assert!(plain.plates.is_empty());
                let lines = |maps: &[Drawing]| {
                    maps.iter().map(|map| (map.title.clone(), map.lines.clone())).collect::<Vec<_>>()
                };
                assert_eq!(lines(&page.maps), lines(&plain.maps));
                near += page.plates.iter().filter(|plate| !plate.theatre).count();
                for (n, plate) in page.plates.iter().enumerate() {
                    let fresh = !plate.theatre || whole.insert((letter.seat.clone(), letter.turn)) || batch.over;
                    assert!(fresh, "{} twice", plate.title);
                    let began = std::time::Instant::now();
                    let png = raster::picture(&plate.svg).unwrap().png.len();
                    (most, slow) = (most.max(png), slow.max(began.elapsed().as_millis()));
                    assert!(png <= 160_000 && plate.said.contains("Own: "), "{png} bytes");
                    kept(&format!("letter-{name}-{}-{mail}-{n}", letter.seat), &plate.svg);
                }
            }
            let Some(due) = batch.dues.first().filter(|_| !batch.over) else { break };
            input = simulate::mail_of(game.as_ref(), &due.seat, 3, mail);
        }
        println!("{name}: {near} close-ups, {} whole, {most} bytes at most, {slow} ms", whole.len());
        assert!(near > 2 && whole.len() > 3, "{near} close-ups, {} of the whole field", whole.len());
    }
}
