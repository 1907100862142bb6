//! Whole battles between the house's own players, from the fog of the first turn on.

use super::takers;
use estafette::scenario;
use std::path::Path;

/// One battle in the test command, more by `FIELD_BATTLES`, from the number `FIELD_FIRST` on: each comes to its end, every
/// event of it walked as in the small games.
#[test]
fn a_whole_battle_comes_to_its_end_and_nothing_happens_that_cannot() {
    let asked = |what: &str| std::env::var(what).ok().and_then(|number| number.parse().ok());
    let (battles, first): (u64, u64) = (asked("FIELD_BATTLES").unwrap_or(1), asked("FIELD_FIRST").unwrap_or(1));
    let entry = estafette::games::find(estafette::games::GAMES, "austerlitz1805").unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/austerlitz1805/1805-austerlitz-solo.yaml");
    let files = scenario::files(&path).unwrap();
    for number in first..first + battles {
        let mut game = estafette::simulate::open(entry, &files, number).unwrap();
        let (played, chain) = estafette::simulate::play(game.as_mut(), number, |_, _| Ok(())).unwrap();
        game.walk().unwrap_or_else(|flaw| panic!("battle {number}: {}", flaw.why));
        let taken = takers::taken(&files, &chain).unwrap_or_else(|why| panic!("battle {number}: {why}"));
        println!("battle {number}: {} lines, {taken} places taken", played.lines.values().sum::<u32>());
        assert!(played.tally.winner.is_some(), "battle {number} has not ended");
    }
}
