//! Hostile mails by a generator: every header and every argument of every command filled with odd values, from strangers,
//! seats, captured tags, umpires and machines, in encodings of all kinds and up to every limit of size.
//!
//! HOSTILE=100000 makes the long run; HOSTILE_SEED another one; HOSTILE_TELL says what each mail cost.

mod bombs;
mod leaks;
mod pool;
mod process;
mod raw;
mod run;
mod strict;
mod words;
mod world;

use run::{Plan, Who, run};

fn number(variable: &str, usual: usize) -> usize {
    std::env::var(variable).ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

#[test]
fn hostile_mails_harm_nobody_but_their_sender() {
    let seed = u64::try_from(number("HOSTILE_SEED", 1)).unwrap();
    let plan =
        Plan { seed, mails: number("HOSTILE", 1000), bomb_in: number("HOSTILE_BOMB_IN", 120), round: 25, reopen: 0 };
    let ran = run(plan);
    println!("{:?}, answered {:?}, the slowest {:?}", ran.by_who, ran.answered, ran.slowest);
    assert!(ran.findings.is_empty(), "{}", ran.findings.said());
    assert_eq!(ran.world.store().integrity().unwrap(), Vec::<String>::new());
    for game in ran.world.store().games().unwrap() {
        ran.world.store().verify_log(&game.id).unwrap();
    }
    // A run in which nobody is heard proves nothing.
    for who in [Who::Seat, Who::Captured, Who::Umpire, Who::Observer] {
        let (all, answered) = (ran.by_who[&who], ran.answered[&who]);
        assert!(answered * 2 > all, "{who:?}: {answered} of {all} answered");
    }
}

#[test]
fn the_same_hostile_mails_come_to_the_same_whenever_the_office_is_opened_again() {
    let plan = Plan { seed: 2, mails: number("HOSTILE", 1200) / 8, bomb_in: usize::MAX, round: 20, reopen: 0 };
    let (once, often) = (run(plan), run(Plan { reopen: 7, ..plan }));
    let differs = once.letters.iter().zip(&often.letters).position(|(a, b)| a != b);
    assert!(
        differs.is_none(),
        "letter {differs:?}: {:?} became {:?}",
        once.letters[differs.unwrap()],
        often.letters[differs.unwrap()]
    );
    assert_eq!(once.letters.len(), often.letters.len());
    let (one, two) = (once.world.fingerprint(), often.world.fingerprint());
    let odd = one.iter().zip(&two).find(|(a, b)| a != b);
    assert!(odd.is_none() && one.len() == two.len(), "{odd:?}");
    assert!(one.len() > 100, "{} rows", one.len());
}
