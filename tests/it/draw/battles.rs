//! Pictures, tables and views as data of `great_battles`: what stands in one of a seat stands in the others.

use super::fellows::{drawn, watch};
use super::rows;
use serde_json::Value;
use std::collections::BTreeSet;

/// Positions that are compared.
const WANTED: usize = 100;
/// Of one game.
const EACH: usize = 25;

/// Who stands where: the name, whether he is one's own, the hex and how he faces.
type Stands = BTreeSet<(String, bool, String, String)>;

/// The hour that a picture shows, by the hexside or the corner; nothing where all sides are alike.
fn hour(facing: &str) -> String {
    const SIDES: [&str; 6] = ["N", "NE", "SE", "S", "SW", "NW"];
    let side = |word: &str| SIDES.iter().position(|side| *side == word);
    let hour = match facing.split_once(' ') {
        Some((first, _)) => side(first).map(|n| 2 * n + 1),
        None => side(facing).map(|n| if n == 0 { 12 } else { 2 * n }),
    };
    hour.map_or_else(String::new, |hour| hour.to_string())
}

/// What a view as data holds.
fn held(board: &Value) -> (Stands, BTreeSet<String>) {
    let word = |piece: &Value, key: &str| piece[key].as_str().unwrap_or_default().to_owned();
    let (mut stands, mut others) = (BTreeSet::new(), BTreeSet::new());
    for own in board["own"].as_array().unwrap() {
        // Who waits off the map is on no picture.
        if word(own, "hex").is_empty() {
            continue;
        }
        if own["kind"] == "leader" {
            others.insert(format!("{} true {}", word(own, "id"), word(own, "hex")));
            continue;
        }
        let round = ["skirmish", "square"].contains(&word(own, "form").as_str()) || own["runs"] == true;
        let hour = if round { String::new() } else { own["hour"].to_string() };
        stands.insert((word(own, "id"), true, word(own, "hex"), hour));
    }
    for foe in board["enemy"].as_array().unwrap() {
        let (id, hex) = (word(foe, "id"), word(foe, "hex"));
        if foe["leader"] == true {
            others.insert(format!("{id} false {hex}"));
        } else if foe["last"].is_number() {
            let arm = word(foe, "what").split([' ', ',']).next().unwrap().to_owned();
            others.insert(format!("{id} {hex} {arm} {}", foe["last"]));
        } else {
            stands.insert((id, false, hex, foe.get("hour").map_or_else(String::new, Value::to_string)));
        }
    }
    (stands, others)
}

/// What the tables hold of units.
fn written(own: &[String], enemy: &[String]) -> Stands {
    let mut found = BTreeSet::new();
    for (own, row) in
        rows(own).into_iter().map(|row| (true, row)).chain(rows(enemy).into_iter().map(|row| (false, row)))
    {
        let words: Vec<&str> = row.split_whitespace().collect();
        let hex = words.first().filter(|word| word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit()));
        let Some(hex) = hex.filter(|_| !row.contains(", last seen on turn ")) else { continue };
        let faces = words.get(1).filter(|word| word.len() < 3 && word.parse::<u8>().is_ok());
        let names = words.iter().skip(1 + usize::from(faces.is_some()));
        let facts =
            ["column", "line", "skirmish", "square", "disorder", "limbered", "unlimbered", "foot", "horse", "guns"];
        let names = names.take_while(|word| !facts.contains(&word.trim_end_matches(',')) && !word.starts_with('('));
        // `AS14-2, top`: it lies on top of others.
        for name in names.map(|name| name.trim_end_matches(',')).filter(|name| *name != "top") {
            let faces = faces.map_or_else(String::new, |faces| (*faces).to_owned());
            found.insert(((*name).to_owned(), own, (*hex).to_owned(), faces));
        }
    }
    found
}

#[test]
fn a_picture_the_tables_and_the_view_of_a_seat_hold_the_same() {
    let (mut positions, mut units, mut ghosts) = (0, 0, 0);
    for (number, name) in
        (1..).zip(["telnitz.yaml", "telnitz-masked.yaml", "hill-fog.yaml", "hill.yaml"].iter().cycle())
    {
        if positions >= WANTED {
            break;
        }
        let (before, mut stops) = (positions, 0);
        watch("great_battles", name, number, |game, seat| {
            stops += 1;
            if stops % 7 != 0 || positions - before >= EACH {
                return;
            }
            let report = game.report(seat, None).into_parts().1;
            let svg = game.plate(seat, None).into_parts().1.unwrap().unwrap();
            let data = game.seat_data(seat).into_parts().1.unwrap();
            let (told, _) = drawn(&svg);
            let drawn: Stands =
                told.counters.iter().map(|c| (c.name.clone(), c.own, c.hex.clone(), hour(&c.facing))).collect();
            let text = written(&report.forces, &report.enemy);
            assert_eq!(drawn, text, "{name} {number}, {seat}");
            let (stands, others) = held(&data.board);
            assert_eq!(drawn, stands, "{name} {number}, {seat}");
            assert_eq!(told.others, others, "{name} {number}, {seat}");
            // What is known of an enemy stands in the view in the words of the tables.
            let said = |lines: &[String]| rows(lines).join("\n").split_whitespace().collect::<Vec<_>>().join(" ");
            let said = said(&report.enemy);
            for foe in data.board["enemy"].as_array().unwrap().iter().filter(|foe| foe["last"].is_null()) {
                let what = foe["what"].as_str().unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
                assert!(foe["leader"] == true || said.contains(&what), "{what}\n{said}");
            }
            positions += 1;
            units += drawn.len();
            ghosts += others.iter().filter(|said| said.starts_with('e')).count();
        });
    }
    println!("{positions} positions, {units} units, {ghosts} ghosts");
    assert!(positions >= WANTED && units > 2_000 && ghosts > 20, "{positions} {units} {ghosts}");
}
