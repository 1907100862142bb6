//! The pictures with which games open, as they were agreed upon: a change here is a change of what players see. They lie in
//! `tests/plates`; `UPDATE=1` writes them.

use super::fellows::kept;
use estafette::fog::SeatId;
use estafette::games::{self, GAMES};
use estafette::host::Input;
use estafette::{scenario, simulate};
use std::path::Path;

/// Ruleset, scenario, seat, what is drawn, and the file.
const PLATES: [(&str, &str, &str, Option<&str>, &str); 12] = [
    ("campaigns", "teaching", "french", None, "campaigns-teaching-french"),
    ("campaigns", "1805-moravia", "coalition", Some("2045"), "campaigns-moravia-coalition-near"),
    ("brave_fellows", "durenstein", "french", None, "fellows-french"),
    ("brave_fellows", "durenstein", "french", Some("2014"), "fellows-french-near"),
    ("brave_fellows", "durenstein-fog", "french", None, "fellows-fog-french"),
    ("brave_fellows", "durenstein-masked", "french", None, "fellows-masked-french"),
    ("brave_fellows", "durenstein-fog", "coalition", Some("2513"), "fellows-fog-coalition-near"),
    ("brave_fellows", "durenstein-masked", "french", Some("2014"), "fellows-masked-french-near"),
    ("brave_fellows", "teaching", "coalition", Some("1715"), "fellows-teaching-coalition-near"),
    ("austerlitz1805", "1805-austerlitz", "french", None, "austerlitz-fog-french"),
    ("austerlitz1805", "fog-teaching", "allied", None, "austerlitz-fog-teaching-allied"),
    ("austerlitz1805", "teaching", "french", Some("Pratzen"), "austerlitz-teaching-french-near"),
];

#[test]
fn games_open_with_the_pictures_agreed_upon() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut wrong = Vec::new();
    for (ruleset, name, seat, area, file) in PLATES {
        let entry = games::find(GAMES, ruleset).unwrap();
        let files = scenario::files(&root.join(format!("scenarios/{ruleset}/{name}.yaml"))).unwrap();
        let mut game = simulate::open(entry, &files, 1).unwrap();
        game.take(Input::Begin).unwrap_or_else(|broken| panic!("{}", broken.why));
        let svg = game.plate(&SeatId::from(seat), area).into_parts().1.unwrap().unwrap();
        kept(file, &svg);
        let path = root.join(format!("tests/plates/{file}.svg"));
        if std::env::var("UPDATE").is_ok() {
            std::fs::write(&path, &svg).unwrap();
        }
        let agreed = std::fs::read_to_string(&path).unwrap_or_default();
        let lines = || svg.lines().zip(agreed.lines()).enumerate().filter(|(_, (a, b))| a != b);
        if svg != agreed {
            let first = lines()
                .next()
                .map_or_else(|| "its length".to_owned(), |(n, (a, b))| format!("line {}\n{b}\n{a}", n + 1));
            wrong.push(format!("{file}: {} lines differ, the first: {first}", lines().count()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
