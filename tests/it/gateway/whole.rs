//! Whole games by mail: every mail answered once, the end audited, and nothing told that may not be.

use super::bench::{Bench, Mail, to};
use crate::toys::Whim;
use estafette::audit::bundle::{Asker, bundle};
use estafette::audit::verify::verify;
use estafette::gateway::table;
use estafette::store::GameState;
use mail_parser::MimeHeaders;

/// Somebody who owes something, and what he could send: read off the store for speed.
pub fn line(bench: &Bench, whim: &mut Whim) -> (String, String) {
    let row = bench.office.store.game("toy-7").unwrap().unwrap();
    let hosted = table::open(bench.office.entries(), &bench.office.store, &row).unwrap();
    let dues = hosted.dues();
    let due = &dues[whim.below(dues.len())];
    let pick = |lines: &[String], whim: &mut Whim| lines[whim.below(lines.len())].clone();
    let body = match &due.prompt {
        Some(ask) => pick(&ask.answers, whim),
        None => {
            let examples = crate::toys::examples(hosted.as_ref(), &due.seat);
            let end = if whim.below(2) == 0 { "\nEND" } else { "" };
            if examples.is_empty() { "END".to_owned() } else { format!("{}{end}", pick(&examples, whim)) }
        }
    };
    (due.seat.0.clone(), body)
}

/// A whole game by mail between two players of whim.
pub fn play(ruleset: &str, seed: u64) -> Bench {
    played(Bench::begun("toy-7", ruleset).0, seed)
}

/// The same by dice protocol 1, by which games of before go on.
pub fn play_by_one(ruleset: &str, seed: u64) -> Bench {
    played(Bench::begun_by_one("toy-7", ruleset), seed)
}

fn played(mut bench: Bench, seed: u64) -> Bench {
    let mut whim = Whim(seed);
    for n in 0..400 {
        if bench.office.store.game("toy-7").unwrap().unwrap().state == GameState::Over {
            return bench;
        }
        if n % 7 == 3 {
            bench = bench.reopened();
        }
        let (seat, body) = line(&bench, &mut whim);
        let mails = bench.reply(&seat, &body);
        assert_eq!(to(&mails, &seat).len(), 1, "one mail, one answer: {body}\n{mails:#?}");
        // The line itself, or its number among those that need no reason.
        let text = &to(&mails, &seat)[0].text;
        assert!(text.contains(body.lines().next().unwrap()) || text.contains("\n  DONE     "), "{body}\n{mails:#?}");
    }
    panic!("the game does not end");
}

#[test]
fn whole_games_by_mail_end_and_their_audit_agrees() {
    let mut rolls = 0;
    for (ruleset, seed) in [("toy-fellows", 1), ("toy-great", 2), ("toy-austerlitz", 3)] {
        let bench = play(ruleset, seed);
        let row = bench.office.store.game("toy-7").unwrap().unwrap();
        let hosted = table::open(bench.office.entries(), &bench.office.store, &row).unwrap();
        let lines = bundle(&bench.office.store, &row, hosted.as_ref(), &Asker::Public).unwrap();
        let found = verify(&lines, bench.office.entries());
        assert_eq!(found.faults, Vec::<String>::new(), "{ruleset}");
        assert!(found.replayed.is_some_and(|n| n > 10), "{ruleset} {found:?}");
        assert_eq!(found.rolls_open, 0, "{ruleset} {found:?}");
        rolls += found.rolls;
        let out = bench.out();
        for seat in super::bench::seats(ruleset) {
            let last = to(&out, seat).pop().unwrap().clone();
            assert!(last.subject.starts_with("The game is over"), "{}", last.subject);
            assert!(last.text.contains(&estafette::dice::hex(&row.master)), "{}", last.text);
        }
        assert_eq!(bench.office.store.integrity().unwrap(), Vec::<String>::new());
    }
    assert!(rolls > 10, "{rolls}");
}

/// The files of a mail that hold the seeds of a turn.
fn attached(raw: &[u8]) -> Vec<String> {
    let parsed = mail_parser::MessageParser::new().parse(raw).unwrap();
    let seeds = parsed.attachments().filter(|part| part.attachment_name() == Some("seeds.txt"));
    seeds.map(|part| String::from_utf8(part.contents().to_vec()).unwrap()).collect()
}

#[test]
fn each_closed_slot_shows_its_public_seed_to_all_and_each_side_its_own() {
    shows_seeds(&play_by_one("toy-fellows", 5), &|master, scope| {
        estafette::dice::Master::from_bytes(*master).seed("toy-7", 1, &estafette::dice::Scope::parse(scope))
    });
    shows_seeds(&play("toy-fellows", 5), &|master, scope| estafette::dice::two::seed(master, "toy-7", 1, scope));
}

fn shows_seeds(bench: &Bench, seed: &dyn Fn(&[u8; 32], &str) -> [u8; 32]) {
    let out = bench.out();
    let master = bench.office.store.game("toy-7").unwrap().unwrap().master;
    for (seat, other) in [("french", "coalition"), ("coalition", "french")] {
        let texts: String = to(&out, seat).iter().flat_map(|m| attached(&m.raw)).collect();
        for scope in ["public", seat, other] {
            let seed = estafette::dice::hex(&seed(&master, scope));
            assert_eq!(texts.contains(&seed), scope != other, "{seat} {scope}");
        }
    }
}

#[test]
fn two_games_that_are_equal_to_one_side_give_it_equal_mails() {
    // The coalition does different things out of French sight; nothing of it may show, in any byte, number or id.
    // A game by dice protocol 2 has seals, which are equal in no two games: `notices` compares those but for their line.
    let run = |hidden: &str| -> (Vec<Mail>, Vec<Mail>) {
        let mut bench = Bench::begun_by_one("toy-7", "toy-fellows");
        for body in [hidden, "END"] {
            for _ in 0..3 {
                let dues = bench.office.store.dues("toy-7").unwrap();
                let Some(due) = dues.first() else { break };
                let (seat, ask) = (due.seat.clone(), due.address.starts_with("ask/"));
                let said = if ask {
                    "FIRST YES"
                } else if seat == "coalition" {
                    body
                } else {
                    "PASS"
                };
                bench.reply(&seat, said);
            }
        }
        let out = bench.out();
        (to(&out, "french").into_iter().cloned().collect(), to(&out, "coalition").into_iter().cloned().collect())
    };
    let (one, theirs_one) = run("GO Quartz 11\nHISTORY");
    let (two, theirs_two) = run("GO Rowan 12\nMAP");
    assert_ne!(theirs_one, theirs_two, "the runs must differ for the test to mean anything");
    assert_eq!(one, two);
}
