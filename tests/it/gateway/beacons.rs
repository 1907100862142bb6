//! Values of the dice that are none: a round of another notice, a signature that does not verify, and what was announced
//! otherwise than it was entered.

use super::bench::{Bench, CONFIG, Mail, TOYS, new_game, to};
use super::notices::{BEFORE_1000, ROUND_1000, ROUND_657413};
use super::whole::line;
use crate::toys::Whim;
use estafette::audit::bundle::{Asker, bundle};
use estafette::audit::verify::{Verdict, verify};
use estafette::gateway::table;
use estafette::store::GameState;
use estafette::terms;

const GAME: &str = "toy-7";

/// A game with a source of values whose seats have signed on.
fn begun(config: &str, beacon: &str, start: &str) -> Bench {
    let mut bench = Bench::at(config, start);
    let terms = terms::read("options.yaml", &format!("deadline: 48h\nbeacon: {beacon}\n")).unwrap();
    bench.office.new_game_on(&new_game(GAME, "toy-fellows", true), Some(&terms)).unwrap();
    bench.pass();
    bench.reply("french", "SIGNON\nNONCE Vive l'Empereur\n");
    bench.reply("coalition", "SIGNON\nNONCE Gott erhalte Franz\n");
    bench
}

fn flat(mail: &Mail) -> String {
    mail.text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How many mails to a seat say something.
fn said(mails: &[Mail], seat: &str, words: &str) -> usize {
    to(mails, seat).into_iter().filter(|mail| flat(mail).contains(words)).count()
}

fn row(bench: &Bench) -> estafette::store::Game {
    bench.office.store.game(GAME).unwrap().unwrap()
}

/// Plays to the end; the audit agrees.
fn ends_well(mut bench: Bench) {
    let mut whim = Whim(5);
    for _ in 0..400 {
        if row(&bench).state == GameState::Over {
            let hosted = table::open(TOYS, &bench.office.store, &row(&bench)).unwrap();
            let whole = bundle(&bench.office.store, &row(&bench), hosted.as_ref(), &Asker::Public).unwrap();
            let found = verify(&whole, TOYS);
            assert_eq!((found.verdict, &found.faults), (Verdict::Agrees, &Vec::new()), "{found:?}");
            return;
        }
        let (seat, body) = line(&bench, &mut whim);
        bench.reply(&seat, &body);
    }
    panic!("the game does not end");
}

#[test]
fn a_round_that_is_none_is_refused_and_all_are_told_once_by_whom() {
    const TOLD: &str = "brought a round of the beacon that was refused";
    let mut bench = begun(CONFIG, "quicknet", BEFORE_1000);
    bench.advance(1);
    for (n, wrong) in [format!("1000 {ROUND_657413}"), format!("657413 {ROUND_657413}")].into_iter().enumerate() {
        let mails = bench.reply("french", &format!("BEACON {wrong}\n"));
        assert_eq!(said(&mails, "french", "REFUSED"), 1, "{mails:#?}");
        for seat in ["coalition", "umpire"] {
            // Who sends a thousand of them fills nobody's mailbox.
            assert_eq!(said(&mails, seat, &format!("french {TOLD}")), usize::from(n == 0), "{seat}: {mails:#?}");
        }
    }
    let mails = bench.reply("coalition", &format!("BEACON 999 {ROUND_1000}\n"));
    assert_eq!(said(&mails, "french", &format!("coalition {TOLD}")), 1, "{mails:#?}");
    let mails = bench.reply("umpire", &format!("BEACON 1000 {ROUND_657413}\n"));
    assert_eq!(said(&mails, "french", &format!("the umpire or the operator {TOLD}")), 1, "{mails:#?}");
    // What cannot be read is a slip, and no round.
    let mails = bench.reply("coalition", "BEACON 1000 abc\n");
    assert_eq!(to(&mails, "french").len(), 0, "{mails:#?}");
    assert_eq!(row(&bench).state, GameState::Forming);
    bench.reply("french", &format!("BEACON 1000 {ROUND_1000}\n"));
    assert_eq!(row(&bench).state, GameState::Playing);
    ends_well(bench);
}

#[test]
fn a_wrong_round_that_the_post_office_itself_has_fetched_is_told_to_all_too() {
    let config = format!("{CONFIG}beacon_command = \"cat round.txt\"\n");
    let mut bench = begun(&config, "quicknet", BEFORE_1000);
    std::fs::write(bench.dir.path().join("round.txt"), ROUND_657413).unwrap();
    bench.advance(1);
    let mails = bench.pass();
    for seat in ["french", "coalition", "umpire"] {
        assert_eq!(said(&mails, seat, "the post office's own command brought a round"), 1, "{seat}: {mails:#?}");
    }
    bench.advance(1);
    assert_eq!(bench.pass(), []);
    std::fs::write(bench.dir.path().join("round.txt"), ROUND_1000).unwrap();
    bench.advance(1);
    bench.pass();
    assert_eq!(row(&bench).state, GameState::Playing);
}

#[test]
fn a_seat_that_contradicts_what_was_announced_holds_the_game_for_the_umpire() {
    let mut bench = begun(CONFIG, "value the numbers of 7 December", "2026-01-01T00:00:00Z");
    let mails = bench.reply("french", "BEACON WRONG 1 2 3\n");
    assert_eq!(said(&mails, "french", "nothing was announced"), 1, "{mails:#?}");
    bench.reply("umpire", "BEACON 3 14 15 26 35 50\n");
    assert_eq!(row(&bench).state, GameState::Playing);
    let mails = bench.reply("french", "BEACON WRONG 03, 14, 15, 26, 35, 50\n");
    assert_eq!(said(&mails, "french", "is what was mixed in"), 1, "{mails:#?}");
    let mails = bench.reply("french", "BEACON WRONG --\n");
    assert_eq!(said(&mails, "french", "write BEACON WRONG"), 1, "{mails:#?}");
    assert!(!row(&bench).held);
    let mails = bench.reply("french", "BEACON WRONG 03, 14, 15, 26, 35, 49\n");
    for seat in ["french", "coalition", "umpire"] {
        let words = "french says that \"3 14 15 26 35 49\" was announced; mixed into the dice is \"3 14 15 26 35 50\"";
        assert_eq!(said(&mails, seat, words), 1, "{seat}: {mails:#?}");
    }
    assert!(row(&bench).held);
    bench.reply("umpire", "RELEASE\n");
    assert!(!row(&bench).held);
    let mails = bench.reply("french", "BEACON WRONG 7 7 7\n");
    assert_eq!(said(&mails, "french", "contradicted it already"), 1, "{mails:#?}");
    assert_eq!(said(&mails, "coalition", "7 7 7"), 0, "{mails:#?}");
    assert!(!row(&bench).held);
    // The other seat may say it, too, but no later than a day after.
    bench.office.clock_mut().jump(jiff::SignedDuration::from_hours(25));
    let mails = bench.reply("coalition", "BEACON WRONG 1 2 3\n");
    assert_eq!(said(&mails, "coalition", "could be contradicted until"), 1, "{mails:#?}");
    assert!(!row(&bench).held);
    ends_well(bench);
}

/// Who opened a hash after the round could compute first whether to open it at all.
#[test]
fn in_a_game_with_a_beacon_no_hash_is_taken() {
    let mut bench = Bench::at(CONFIG, BEFORE_1000);
    let terms = terms::read("options.yaml", "deadline: 48h\nbeacon: quicknet\n").unwrap();
    bench.office.new_game_on(&new_game(GAME, "toy-fellows", true), Some(&terms)).unwrap();
    bench.pass();
    let mails = bench.reply("french", &format!("SIGNON\nNONCE-HASH {}\n", "ab".repeat(32)));
    assert_eq!(said(&mails, "french", "this game has a beacon"), 1, "{mails:#?}");
    assert!(bench.office.store.nonces(GAME, 0).unwrap().iter().all(|given| !given.hashed));
}
