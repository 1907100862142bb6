//! What is set aside without its game being opened stands in the chain where play stands, and no audit calls it a forgery.

use crate::gateway::bench::{Bench, TOYS, written};
use crate::gateway::whole::line;
use crate::kill::{START, command};
use crate::toys::Whim;
use estafette::clock::Clock;
use rusqlite::Connection;

/// A game in which dice have fallen.
fn begun() -> Bench {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let mut whim = Whim(40);
    while slot(&bench) == 0 {
        let (seat, body) = line(&bench, &mut whim);
        bench.reply(&seat, &body);
    }
    bench
}

fn slot(bench: &Bench) -> u32 {
    bench.office.store.last_slot("toy-7").unwrap().unwrap()
}

/// Plays it to its end; both verifiers agree.
fn ends_well(bench: Bench) {
    let (lines, mut mailbox) = super::two::ended(bench, None);
    mailbox.extend(super::games::sent(&lines, "french"));
    let played = super::games::Played { lines, mailbox, master: [0; 32] };
    super::alarms::quiet_by("set aside", &played, TOYS);
}

#[test]
fn a_mail_that_ends_the_process_twice_is_no_fault_of_the_chain() {
    let bench = begun();
    let now = slot(&bench);
    let subject = bench.last_of("toy-7", "french").subject;
    let Bench { dir, office, .. } = bench;
    drop(office);
    let mut maildir = estafette::mail::maildir::Maildir::open(&dir.path().join("mail")).unwrap();
    let raw = written("french@example.org", &format!("Re: {subject}"), "DEADLINE", 500);
    maildir.deliver(raw.as_bytes()).unwrap();
    for _ in 0..2 {
        assert!(!command(dir.path(), START).env("ESTAFETTE_FAIL", "gateway/act:1").output().unwrap().status.success());
    }
    let mut bench = Bench::served_by(dir, Clock::from_text(START).unwrap());
    let mails = bench.pass();
    assert!(mails.iter().any(|mail| mail.text.contains("A mail of yours is set aside")), "{mails:#?}");
    assert_eq!(slot(&bench), now);
    ends_well(bench);
}

#[test]
fn a_game_that_was_set_aside_and_mended_agrees() {
    let mut bench = begun();
    let now = slot(&bench);
    let rows = Connection::open(bench.dir.path().join("estafette.db")).unwrap();
    let body: String = rows.query_row("SELECT body FROM open_leg WHERE game = 'toy-7'", (), |row| row.get(0)).unwrap();
    rows.execute("UPDATE open_leg SET body = body || ' ' WHERE game = 'toy-7'", ()).unwrap();
    bench = bench.reopened();
    let mails = bench.reply("french", "DEADLINE\n");
    assert!(mails.iter().any(|mail| mail.text.contains("is set aside")), "{mails:#?}");
    assert_eq!(slot(&bench), now);
    rows.execute("UPDATE open_leg SET body = ?1 WHERE game = 'toy-7'", [body]).unwrap();
    bench.office.mend("toy-7").unwrap();
    bench.office.umpire_says("toy-7", "umpire", &["RELEASE".to_owned()]).unwrap();
    bench.pass();
    ends_well(bench);
}

#[test]
fn words_of_a_sheet_that_share_a_line_are_the_same_to_the_audit_as_to_the_game() {
    for (n, last) in
        ["UNDO 1 and END", "UNDO 1 END", "UNDO 1\nand END", "UNDO 1 and END ANYWAY", "UNDO 1\nEnd!"].iter().enumerate()
    {
        let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
        let mut whim = Whim(41 + u64::try_from(n).unwrap());
        let seat = loop {
            let sheet =
                bench.office.store.dues("toy-7").unwrap().into_iter().find(|due| due.address.starts_with("sheet/"));
            match sheet {
                Some(due) => break due.seat,
                None => {
                    let (seat, body) = line(&bench, &mut whim);
                    bench.reply(&seat, &body);
                }
            }
        };
        let before = bench.office.store.dues("toy-7").unwrap();
        bench.reply(&seat, "GO Nowhere 999\nEND");
        assert_eq!(bench.office.store.dues("toy-7").unwrap().len(), before.len(), "a slip holds the END");
        let out = bench.reply(&seat, last);
        let text = &crate::gateway::bench::to(&out, &seat)[0].text;
        assert!(!text.contains("NOT COUNTED") && !text.contains("UNCLEAR"), "{last}: {text}");
        ends_well(bench);
    }
}
