//! A game that was taken back goes on as any other, also when it is opened anew in the middle of an order.

use super::bench::{Bench, to};
use super::whole::line;
use crate::toys::Whim;
use estafette::store::GameState;

const GAME: &str = "toy-7";

fn taken_back(ruleset: &str, whim: &mut Whim) -> Bench {
    let (mut bench, _) = Bench::begun(GAME, ruleset);
    for _ in 0..4 {
        let (seat, body) = line(&bench, whim);
        bench.reply(&seat, &body);
    }
    let said = bench.office.umpire_says(GAME, "umpire", &["REWIND 1 REASON a trial".to_owned()]).unwrap();
    assert_eq!(said.answers[0].word, "DONE", "{said:?}");
    bench.pass();
    bench
}

#[test]
fn a_game_that_was_taken_back_is_opened_in_the_middle_of_an_order() {
    for seed in 0..4 {
        let mut whim = Whim(seed);
        let mut bench = taken_back("toy-great", &mut whim);
        for n in 1..400 {
            if bench.office.store.game(GAME).unwrap().unwrap().state == GameState::Over {
                break;
            }
            // More mails in an hour than a seat may send would not be read.
            bench.advance(i64::from(n % 10 == 0));
            // What is due is read from the game opened anew.
            let (seat, body) = line(&bench, &mut whim);
            bench = bench.reopened();
            bench.reply(&seat, &body);
        }
        assert_eq!(bench.office.store.game(GAME).unwrap().unwrap().state, GameState::Over, "{seed}");
    }
}

#[test]
fn after_a_rewind_and_a_restart_a_mail_is_answered_to_its_writer_alone() {
    let mut bench = taken_back("toy-fellows", &mut Whim(1)).reopened();
    let seat = bench.office.store.dues(GAME).unwrap()[0].seat.clone();
    let other = super::bench::seats("toy-fellows").into_iter().find(|other| *other != seat).unwrap();
    let mails = bench.reply(&seat, "GO Nowhere 999\nEND");
    assert_eq!((to(&mails, &seat).len(), to(&mails, other).len()), (1, 0), "{mails:#?}");
}
