//! The fifteen questions put to every ruleset and its host, answered over three toys, and over `campaigns` where a whole
//! game can be asked.
//!
//! Each test is named for its question; `h…` tests are about the host's own promises.

mod answers;
mod campaigns;
mod host;
mod source;
mod upgrade;

use crate::toys::{Opener, TOYS, Table, Whim};
use estafette::host::{Input, Letter, Tempo};
use estafette::rules::Due;

const TEMPOS: [Tempo; 2] = [Tempo::Live, Tempo::Sealed];

/// Every toy in both tempos, over some seeds.
fn every(seeds: std::ops::RangeInclusive<u8>, mut put: impl FnMut(&str, Opener, Tempo, u8)) {
    for (name, open) in TOYS {
        for tempo in TEMPOS {
            for seed in seeds.clone() {
                put(&format!("{name} {tempo:?} {seed}"), open, tempo, seed);
            }
        }
    }
}

/// The lines that a letter answers for good.
fn settled(letter: &Letter) -> impl Iterator<Item = (u32, String)> {
    let answers = &letter.sections.body().answers;
    answers.iter().filter(|a| a.outcome.is_some()).map(|a| (a.no, a.text.clone()))
}

/// A game in which a seat is asked something, with the seed that came to it.
struct Asked {
    table: Table,
    due: Due,
    seed: u8,
}

/// Plays whimsically until a seat is asked something at such an address.
fn until_asked(open: Opener, part: &str) -> Asked {
    for seed in 1..=60 {
        let mut table = Table::begun(open(Tempo::Live, seed, None));
        let mut whim = Whim(u64::from(seed));
        for _ in 0..200 {
            if let Some(due) = table.game.dues().into_iter().find(|d| d.prompt.is_some() && d.address.contains(part)) {
                return Asked { table, due, seed };
            }
            if table.game.dues().is_empty() {
                break;
            }
            let input = table.whim(&mut whim);
            table.take(input);
        }
    }
    panic!("no seed comes to {part}");
}

/// Records of the longest leg of a game.
fn longest_leg(table: &Table) -> u32 {
    let (mut leg, mut longest) = (0, 0);
    for (_, kind, _) in &table.entries {
        leg = match kind.as_str() {
            "rest" => 0,
            "event" | "roll" | "line" => leg + 1,
            _ => leg,
        };
        longest = longest.max(leg);
    }
    longest
}

/// Plays the same inputs live and sealed; all must come out the same.
fn live_is_sealed(name: &str, [mut live, mut sealed]: [Table; 2], mut next: impl FnMut(&mut Table) -> Input) {
    while !live.game.dues().is_empty() {
        let input = next(&mut live);
        live.take(input.clone());
        sealed.take(input);
        assert_eq!(live.game.dues(), sealed.game.dues(), "{name}");
    }
    assert_eq!(facts(&live), facts(&sealed), "{name}");
    assert_eq!(live.of_kind("line"), sealed.of_kind("line"), "{name}");
}

/// Entries of some kinds, in order, without what tells mails apart.
fn facts(table: &Table) -> Vec<String> {
    let kinds = ["event", "sight", "roll"];
    table
        .entries
        .iter()
        .filter(|(_, k, _)| kinds.contains(&k.as_str()))
        .map(|(s, k, b)| format!("{s} {k} {b}"))
        .collect()
}

#[test]
fn q15_three_other_stage_graphs_play_to_their_end() {
    every(1..=12, |name, open, tempo, seed| {
        let mut table = Table::begun(open(tempo, seed, None));
        table.play_out(&mut Whim(u64::from(seed)), 600, |_| {});
        assert_eq!(table.game.replay(&table.entries), Ok(table.entries.len() as u64), "{name}");
        assert!(table.game.dues().is_empty(), "{name}");
    });
}

#[test]
fn q02_a_leg_is_short() {
    let mut longest = 0;
    every(1..=6, |_, open, tempo, seed| {
        let mut table = Table::begun(open(tempo, seed, None));
        table.play_out(&mut Whim(u64::from(seed)), 600, |_| {});
        longest = longest.max(longest_leg(&table));
    });
    // One order line with all that it sets in motion; a sealed sheet of the opening is one leg as well.
    assert!((8..=40).contains(&longest), "{longest} records");
}
