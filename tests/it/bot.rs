//! The house's player of `campaigns`: it reads a view and writes lines that are understood.

use crate::report::{begun, play};
use estafette::fog::SeatId;
use estafette::host::Game;

#[test]
fn a_view_and_a_noise_give_one_sheet() {
    let game = begun("1805-moravia.yaml");
    let sheet = |noise| game.bot(&SeatId::from("french"), noise).body().clone();
    assert_eq!(sheet(3), sheet(3));
    assert!((0..6).any(|n| sheet(n) != sheet(3)));
    assert_eq!(sheet(3).last().map(String::as_str), Some("END"));
}

#[test]
fn the_houses_players_write_what_is_understood_and_mostly_allowed() {
    let mut words: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    play("teaching.yaml", |_, batch| {
        for answered in batch.letters.iter().flat_map(|l| &l.sections.body().answers) {
            if let Some(outcome) = &answered.outcome {
                *words.entry(outcome.word()).or_default() += 1;
            }
        }
    });
    let count = |word| words.get(word).copied().unwrap_or(0);
    assert_eq!((count("UNCLEAR"), count("NOT YET")), (0, 0), "{words:?}");
    assert!(count("DONE") > 20 && count("REFUSED") * 20 <= count("DONE"), "{words:?}");
}
