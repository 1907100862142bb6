//! Pictures of `brave_fellows`: what stands in one stands in the tables of the same seat, and the other way round.

use super::random::Numbers;
use super::rows;
use estafette::fog::SeatId;
use estafette::games::{self, GAMES};
use estafette::hex::Hex;
use estafette::host::paper::Format;
use estafette::host::{Game, Input};
use estafette::mail::raster;
use estafette::map::draw::plate::geometry::centre;
use estafette::{scenario, simulate};
use std::collections::BTreeSet;
use std::path::Path;

/// Pictures that are compared.
const WANTED: usize = 240;
/// Of one game.
const EACH: usize = 48;

/// What is known of a counter: its side, where it is, how it faces and how it is, by words; what is not known is a stroke.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Known {
    pub name: String,
    pub own: bool,
    pub hex: String,
    pub facing: String,
    pub mood: String,
    pub acts: bool,
}

/// What one picture or one pair of tables tells.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Told {
    pub counters: BTreeSet<Known>,
    /// Guns printed on the map, leaders, and enemies out of sight with their turns.
    pub others: BTreeSet<String>,
}

/// The part of the field that a picture shows.
pub struct Frame {
    corner: (i32, i32),
    far: (i32, i32),
}

impl Frame {
    fn of(root: roxmltree::Node<'_, '_>) -> Frame {
        let numbers: Vec<i32> =
            root.attribute("viewBox").unwrap().split(' ').map(|number| number.parse().unwrap()).collect();
        Frame { corner: (numbers[0], numbers[1]), far: (numbers[0] + numbers[2], numbers[1] + numbers[3]) }
    }

    fn shows(&self, hex: &str) -> bool {
        let (x, y) = centre(Hex::parse(hex).unwrap());
        // The half row above and below is not of the picture.
        (self.corner.0..self.far.0).contains(&x) && (self.corner.1 + 100..self.far.1 - 100).contains(&y)
    }
}

/// Reads a picture back.
pub fn drawn(svg: &str) -> (Told, Frame) {
    let read = roxmltree::Document::parse(svg).unwrap();
    let mut told = Told::default();
    for node in read.descendants().filter(|n| n.is_element()) {
        let said = |key: &str| node.attribute(key).unwrap_or_default().to_owned();
        let own = said("data-side") == "own";
        if let Some(name) = node.attribute("data-unit") {
            let known = Known {
                name: name.to_owned(),
                own,
                hex: said("data-hex"),
                facing: said("data-facing"),
                mood: said("data-mood"),
                acts: said("data-acts") == "1",
            };
            assert!(told.counters.insert(known), "{name} twice");
        }
        if let Some(name) = node.attribute("data-battery") {
            told.others.insert(format!("{name} {}", said("data-hex")));
        }
        if let Some(name) = node.attribute("data-leader") {
            told.others.insert(format!("{name} {own} {}", said("data-hex")));
        }
        if let Some(name) = node.attribute("data-ghost") {
            told.others.insert(format!("{name} {} {} {}", said("data-hex"), said("data-arm"), said("data-turn")));
        }
    }
    (told, Frame::of(read.root_element()))
}

/// What begins the facts behind the names of a row.
const FACTS: [&str; 7] = ["FV", "guns", "a", "foot", "horse", "counter", "("];

/// Reads the tables of a seat, as far as a frame shows them.
fn written(own: &[String], enemy: &[String], frame: &Frame) -> Told {
    let (mut told, mut above) = (Told::default(), String::new());
    for (own, row) in
        rows(own).into_iter().map(|row| (true, row)).chain(rows(enemy).into_iter().map(|row| (false, row)))
    {
        let row = row.strip_suffix("as above").map_or_else(|| row.clone(), |head| format!("{head}{above}"));
        let facts = row.split_whitespace().skip_while(|word| !FACTS.contains(&word.trim_end_matches(',')));
        above = facts.collect::<Vec<_>>().join(" ");
        if let Some(leaders) = row.strip_prefix("Leaders: ") {
            for leader in leaders.trim_end_matches('.').split(", ") {
                let words: Vec<&str> = leader.split_whitespace().collect();
                let place = words.iter().position(|word| Hex::parse(word).is_some());
                // Who waits off the map stands nowhere.
                let Some(at) = place.filter(|_| !leader.contains(" waits ")) else { continue };
                let end =
                    leader.find(" has acted").or_else(|| leader.find(" may not")).or_else(|| leader.find(words[at]));
                if frame.shows(words[at]) {
                    told.others.insert(format!("{} {own} {}", leader[..end.unwrap()].trim(), words[at]));
                }
            }
            continue;
        }
        let words: Vec<&str> = row.split_whitespace().collect();
        let Some(hex) = words.first().filter(|word| Hex::parse(word).is_some() && frame.shows(word)) else { continue };
        if let Some((seen, turn)) = row.split_once(", last seen on turn ") {
            let words: Vec<&str> = seen.split([' ', ',']).filter(|word| !word.is_empty()).collect();
            told.others.insert(format!("{} {hex} {} {turn}", words[1], words[2]));
            continue;
        }
        let facing = words.get(1).filter(|word| ["N", "NE", "SE", "S", "SW", "NW"].contains(word));
        let names = words.iter().skip(1 + usize::from(facing.is_some()));
        let names = names
            .take_while(|word| !FACTS.iter().any(|fact| word.trim_end_matches(',') == *fact || word.starts_with('(')));
        // What somebody is worth when fresh says nothing of how he is.
        let known = row.replace("when fresh", "");
        let mood = ["fresh", "tired", "routed"]
            .into_iter()
            .find(|mood| known.split_whitespace().any(|w| w.trim_end_matches(',') == *mood));
        for name in names {
            if row.contains("guns by hexside") {
                told.others.insert(format!("{name} {hex}"));
                continue;
            }
            told.counters.insert(Known {
                name: (*name).to_owned(),
                own,
                hex: (*hex).to_owned(),
                facing: facing.map_or("-", |facing| facing).to_owned(),
                mood: mood.unwrap_or("-").to_owned(),
                acts: row.contains(", acts"),
            });
        }
    }
    told
}

/// Plays a game between the program's own players and looks at each position.
pub fn watch(ruleset: &str, name: &str, number: u64, mut look: impl FnMut(&dyn Game, &SeatId)) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(ruleset).join(name);
    let entry = games::find(GAMES, ruleset).unwrap();
    let mut game = simulate::open(entry, &scenario::files(&path).unwrap(), number).unwrap();
    let mut input = Input::Begin;
    for mail in 1..5_000 {
        let batch = game.take(input.clone()).unwrap_or_else(|broken| panic!("{}", broken.why));
        for (seat, _) in game.seats() {
            look(game.as_ref(), &seat);
        }
        let Some(due) = batch.dues.first().filter(|_| !batch.over) else { return };
        input = simulate::mail_of(game.as_ref(), &due.seat, number, mail);
    }
    panic!("it does not end");
}

/// Keeps a picture to be looked at, in the folder that `PLATES` names.
pub fn kept(name: &str, svg: &str) {
    if let Ok(folder) = std::env::var("PLATES") {
        std::fs::write(format!("{folder}/{name}.svg"), svg).unwrap();
        std::fs::write(format!("{folder}/{name}.png"), raster::picture(svg).unwrap().png).unwrap();
    }
}

/// The Elite battalion in its Strong Point faces all round; its row names a hexside.
fn same(mut told: Told, written: &Told) -> Told {
    let round: Vec<Known> = told.counters.iter().filter(|known| known.facing == "round").cloned().collect();
    for known in round {
        told.counters.remove(&known);
        let row = written.counters.iter().find(|row| row.name == known.name);
        let facing = row.map_or_else(String::new, |row| row.facing.clone());
        told.counters.insert(Known { facing, ..known });
    }
    told
}

#[test]
fn a_picture_tells_what_the_tables_of_its_seat_tell_and_nothing_else() {
    let games = [
        "durenstein.yaml",
        "durenstein-fog.yaml",
        "durenstein-masked.yaml",
        "durenstein-day-fog.yaml",
        "durenstein-day-masked.yaml",
        "teaching.yaml",
        "teaching-fog.yaml",
    ];
    let (mut pictures, mut counters, mut ghosts, mut unseen, mut slow) = (0, 0, 0, 0, 0);
    let mut numbers = Numbers(0x1805);
    for (number, name) in (1..).zip(games.into_iter().cycle()) {
        if pictures >= WANTED {
            break;
        }
        let (before, mut stops) = (pictures, 0);
        watch("brave_fellows", name, number, |game, seat| {
            stops += 1;
            // Early and late positions alike.
            if stops % 5 != 0 || pictures - before >= EACH {
                return;
            }
            let report = game.report(seat, None).into_parts().1;
            let hex = format!("{:02}{:02}", 1 + numbers.below(34), 1 + numbers.below(20));
            for area in [None, Some(hex.as_str())] {
                let began = std::time::Instant::now();
                let Ok(svg) = game.plate(seat, area).into_parts().1.unwrap() else { continue };
                slow = slow.max(began.elapsed().as_millis());
                let (told, frame) = drawn(&svg);
                let table = written(&report.forces, &report.enemy, &frame);
                let told = same(told, &table);
                if told != table {
                    println!("{:#?}\n{:#?}", report.forces, report.enemy);
                }
                let (a, b) = (&told.counters, &table.counters);
                let odd: Vec<_> = a.symmetric_difference(b).collect();
                assert!(odd.is_empty(), "{name} {number}, {seat}, {area:?}: {odd:#?}");
                let odd: Vec<_> = told.others.symmetric_difference(&table.others).collect();
                assert!(odd.is_empty(), "{name} {number}, {seat}, {area:?}: {odd:#?}");
                pictures += 1;
                counters += a.len();
                unseen += a.iter().filter(|known| known.mood == "-").count();
                ghosts += told.others.iter().filter(|said| said.starts_with('e')).count();
                kept(&format!("{name}-{number}-{seat}-{stops}{}", area.map_or("", |_| "-near")), &svg);
            }
        });
    }
    println!("{pictures} pictures, {counters} counters, {unseen} seen badly, {ghosts} ghosts; {slow} ms at most");
    assert!(pictures >= WANTED && counters > 3_000 && ghosts > 50 && unseen > 100, "{counters} {ghosts} {unseen}");
}

/// A page of HTML with pictures shows them in place of drawings in characters; the letter in text is what it was.
#[test]
fn letters_carry_close_ups_on_move_and_the_whole_field_once_a_turn() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/brave_fellows/teaching-fog.yaml");
    let files = scenario::files(&path).unwrap();
    let entry = games::find(GAMES, "brave_fellows").unwrap();
    let mut bare = simulate::open(entry, &files, 3).unwrap();
    let mut game = simulate::open(entry, &files, 3).unwrap();
    for (seat, _) in game.seats() {
        game.form(&seat, Format { plates: true, ..Format::default() });
    }
    let mut input = Input::Begin;
    let (mut near, mut whole, mut most, mut slow) = (0, BTreeSet::new(), 0, 0);
    for mail in 1..5_000 {
        let (batch, plain) = (game.take(input.clone()).unwrap(), bare.take(input.clone()).unwrap());
        assert_eq!(batch.letters.len(), plain.letters.len());
        for (letter, plain) in batch.letters.iter().zip(&plain.letters) {
            let (page, plain) = (letter.sections.body(), plain.sections.body());
            assert!(plain.plates.is_empty());
            let lines = |maps: &[estafette::host::paper::Drawing]| {
                maps.iter().map(|map| (map.title.clone(), map.lines.clone())).collect::<Vec<_>>()
            };
            assert_eq!(lines(&page.maps), lines(&plain.maps));
            near += page.plates.iter().filter(|plate| !plate.theatre).count();
            for plate in page.plates.iter().filter(|plate| plate.theatre) {
                assert!(whole.insert((letter.seat.clone(), letter.turn)) || batch.over, "{} twice", plate.title);
            }
            for (n, plate) in page.plates.iter().enumerate() {
                let began = std::time::Instant::now();
                let png = raster::picture(&plate.svg).unwrap().png.len();
                (most, slow) = (most.max(png), slow.max(began.elapsed().as_millis()));
                assert!(png <= 160_000, "{png} bytes");
                kept(&format!("letter-{}-{mail}-{n}", letter.seat), &plate.svg);
                assert!(plate.said.contains("Own: ") && plate.svg.len() < 400_000, "{}", plate.svg.len());
            }
        }
        let Some(due) = batch.dues.first().filter(|_| !batch.over) else { break };
        input = simulate::mail_of(game.as_ref(), &due.seat, 3, mail);
    }
    println!("{most} bytes at most, {slow} ms");
    assert!(near > 8 && whole.len() > 6, "{near} close-ups, {} of the whole field", whole.len());
}
