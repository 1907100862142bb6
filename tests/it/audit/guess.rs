//! Nothing in the bundle of a game that is on lets anybody test a guess of what is hidden in its set-up.

use crate::gateway::bench::{Bench, TOYS, campaign, teaching};
use estafette::audit::Line;
use estafette::audit::bundle::{Asker, bundle};
use estafette::gateway::{game_of, table};
use estafette::terms;
use serde_json::Value;

const GAME: &str = "strem-1";

/// The bundles of a game that the French may have, before it begins and behind its beginning.
fn bundles(files: &[(String, String)]) -> Vec<Vec<Line>> {
    let mut bench = Bench::new();
    let agreed = terms::read("o.yaml", "beacon: none\n").unwrap();
    bench.office.new_game_on(&campaign(files), Some(&agreed)).unwrap();
    bench.pass();
    let mut all = Vec::new();
    for (seat, words) in [("french", "Vive l'Empereur"), ("coalition", "Gott erhalte Franz")] {
        bench.reply(seat, &format!("SIGNON\nNONCE {words}\n"));
        let row = game_of(&bench.office.store, GAME).unwrap();
        let game = table::open(TOYS, &bench.office.store, &row).unwrap();
        for asker in [Asker::Public, Asker::Seat { seat: "french".into(), side: "french".into() }] {
            all.push(bundle(&bench.office.store, &row, game.as_ref(), &asker).unwrap());
        }
    }
    all
}

/// A line with all taken out that a key makes which nobody has: the scenario's seal, the root, what follows from it, and the
/// digests of the letters that name it.
fn bare(line: &Line) -> Value {
    let mut line = serde_json::to_value(line).unwrap();
    let text = |text: &str| {
        let keyed = |line: &&str| !line.starts_with("scenario ") && !line.starts_with("root ");
        text.lines().filter(keyed).collect::<Vec<_>>().join("\n")
    };
    let cut = line["text"].as_str().map(text);
    let fields = line.as_object_mut().unwrap();
    if let Some(cut) = cut {
        fields.insert("text".to_owned(), cut.into());
    }
    let kind = fields["kind"].as_str().unwrap().to_owned();
    match kind.as_str() {
        // The salt is over the notice's text, and the dice are thrown with it.
        "notice" => _ = fields.remove("salt"),
        "roll" => _ = fields.remove("dice"),
        "root" => _ = fields.remove("root"),
        "mail" if fields["direction"] == "out" => _ = fields.remove("sha256"),
        _ => {}
    }
    line
}

#[test]
fn two_games_that_differ_in_their_hidden_set_up_have_bundles_that_differ_in_keyed_values_alone() {
    let files = teaching();
    let mut other = files.clone();
    let mut changed = 0;
    for (_, text) in &mut other {
        for (from, to) in [("bagr_inf: 5", "bagr_inf: 4"), ("dokh: 5", "dokh: 4")] {
            changed += usize::from(text.contains(from));
            *text = text.replace(from, to);
        }
    }
    assert_eq!(changed, 2);
    let (one, two) = (bundles(&files), bundles(&other));
    assert!(one.iter().zip(&two).all(|(one, two)| one != two), "the seal of the scenario stands in each");
    for (one, two) in one.iter().zip(&two) {
        let [one, two] = [one, two].map(|lines| lines.iter().map(bare).collect::<Vec<_>>());
        assert_eq!(one, two);
    }
    // What is there of the set-up is sealed: no digest of its files, and no text of them.
    for lines in one {
        let text = estafette::audit::write(&lines);
        assert!(!text.contains(&estafette::scenario::digest(&files)) && !text.contains("bagr_inf"), "{text}");
    }
}
