//! A game that has gone back: opened again, it stands where it stood.

use super::bench::{Bench, campaign, teaching};

const GAME: &str = "strem-1";

/// By dice protocol 1: a rewind by the second draws new secrets each time, and two games of it differ in their dice.
fn begun() -> Bench {
    let mut bench = Bench::new();
    bench.office.new_game_by(&campaign(&teaching()), None, 1).unwrap();
    bench.pass();
    bench.reply("french", "SIGNON\nNONCE one\nEND");
    bench.reply("coalition", "SIGNON\nNONCE two\nEND");
    bench
}

/// All mails of a game that goes back and is opened again before each mail, or stays open.
fn gone_back(reopen: bool) -> Vec<(String, String, String)> {
    let mut bench = begun();
    let first = bench.office.store.dues(GAME).unwrap().remove(0).seat;
    let list = bench.reply("umpire", "REWIND\n").remove(0).text;
    let last = list.lines().filter_map(|line| line.trim().split(' ').next()?.parse::<usize>().ok()).max().unwrap();
    bench.reply("umpire", &format!("REWIND {last} REASON the orders crossed\n"));
    let mut all = Vec::new();
    for body in ["FORCE Nobody HOLD\nEND\n", "DEADLINE\n", "END ANYWAY\n"] {
        if reopen {
            bench = bench.reopened();
        }
        let mails = bench.reply(&first, body);
        if body.contains("Nobody") {
            assert!(mails.iter().all(|mail| mail.to == format!("{first}@example.org")), "others hear of it: {mails:?}");
            assert!(mails[0].subject.contains("END not counted, 1 line to correct"), "{mails:?}");
            assert!(mails[0].text.contains("END ANYWAY"), "{mails:?}");
        }
        all.extend(mails.into_iter().map(|mail| (mail.to, mail.subject, mail.text)));
    }
    all
}

#[test]
fn after_a_rewind_a_slip_is_its_writers_alone_also_when_the_game_is_opened_again() {
    let stays = gone_back(false);
    assert_eq!(gone_back(true), stays);
}
