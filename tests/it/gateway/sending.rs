//! Mails go out by a server: at least once, each for itself, never faster than the provider allows.

use super::bench::{Bench, START, campaign, parsed, teaching};
use crate::servers::smtp::FakeSmtp;
use estafette::gateway::Way;
use estafette::store::{OutboxMail, OutboxState};
use jiff::SignedDuration;
use std::process::Command;

fn config(port: u16, more: &str) -> String {
    format!(
        "address = \"post@example.org\"\ntransport = \"smtp\"\n[smtp]\nhost = \"127.0.0.1\"\nport = {port}\n\
         security = \"none\"\n{more}"
    )
}

/// A post office with the opening mails of a game ready for the server.
fn office(server: &FakeSmtp, more: &str) -> Bench {
    let mut bench = Bench::with_config(&config(server.port, more));
    bench.new_game("toy-7", "toy-fellows", true);
    bench
}

fn outbox(bench: &Bench, seat: &str) -> Vec<OutboxMail> {
    bench.office.store.outbox_of_seat("toy-7", seat).unwrap()
}

fn minutes(bench: &mut Bench, minutes: i64) {
    bench.office.clock_mut().advance(SignedDuration::from_mins(minutes));
}

#[test]
fn every_mail_is_handed_over_as_it_stands_in_the_outbox() {
    let server = FakeSmtp::start();
    let mut bench = office(&server, "user = \"post\"\npassword_command = \"echo hush\"\n");
    let pass = bench.office.pass().unwrap();
    assert_eq!((pass.sent, pass.unsent), (3, 0));
    let taken = server.taken();
    for (seat, taken) in ["french", "coalition", "umpire"].iter().zip(&taken) {
        let kept = &outbox(&bench, seat)[0];
        assert_eq!((taken.from.as_str(), taken.to.as_str()), ("post@example.org", kept.recipient.as_str()));
        let end = [&kept.raw[..], b"\r\n"].concat();
        assert!(taken.raw == kept.raw || taken.raw == end);
        assert_eq!(kept.state, OutboxState::Sent);
    }
    let said = server.said();
    assert_eq!(said.iter().filter(|line| *line == "CONNECT").count(), 1, "one line for all: {said:?}");
    let plain = data_encoding::BASE64.encode(b"\0post\0hush");
    assert!(said.contains(&format!("AUTH PLAIN {plain}")), "{said:?}");
    assert_eq!(bench.office.pass().unwrap().sent, 0);
}

#[test]
fn a_token_is_asked_of_its_command_and_given_as_xoauth2() {
    let server = FakeSmtp::start();
    let mut bench = office(&server, "user = \"post\"\ntoken_command = \"echo token-1; echo noise\"\n");
    assert_eq!(bench.office.pass().unwrap().sent, 3);
    let token = data_encoding::BASE64.encode(b"user=post\x01auth=Bearer token-1\x01\x01");
    assert!(server.said().contains(&format!("AUTH XOAUTH2 {token}")), "{:?}", server.said());
}

#[test]
fn a_seat_that_cannot_be_reached_delays_no_other_and_gets_the_same_mail_later() {
    let server = FakeSmtp::start();
    server.fault("RCPT TO:<french@", "450 4.2.1 not now", 2);
    let mut bench = office(&server, "");
    let pass = bench.office.pass().unwrap();
    assert_eq!((pass.sent, pass.unsent), (2, 1));
    let kept = outbox(&bench, "french").remove(0);
    assert_eq!((kept.tries, kept.next_try.as_deref()), (1, Some("2026-01-01T00:01:00Z")));
    assert!(kept.fault.unwrap().contains("4.2.1 not now"));
    assert_eq!(bench.office.pass().unwrap().sent, 0);
    minutes(&mut bench, 1);
    assert_eq!(bench.office.pass().unwrap().unsent, 1);
    minutes(&mut bench, 1);
    assert_eq!(bench.office.pass().unwrap().unsent, 0, "the wait is two minutes now");
    minutes(&mut bench, 1);
    assert_eq!(bench.office.pass().unwrap().sent, 1);
    let id = format!("<{}>", kept.message_id);
    let last = server.taken().pop().unwrap();
    assert!(last.to == "french@example.org" && String::from_utf8_lossy(&last.raw).contains(&id));
}

#[test]
fn what_fails_for_two_days_is_given_up_and_the_umpire_told() {
    let server = FakeSmtp::start();
    server.fault("RCPT TO:<french@", "452 4.2.2 mailbox full", usize::MAX);
    let mut bench = office(&server, "");
    let mut waited = 0;
    while outbox(&bench, "french")[0].state != OutboxState::Failed {
        bench.office.pass().unwrap();
        minutes(&mut bench, 30);
        waited += 30;
        assert!(waited < 4 * 1440);
    }
    assert!(waited > 2 * 1440, "given up after {waited} minutes");
    bench.office.pass().unwrap();
    let told = server.taken().into_iter().filter(|mail| mail.to == "umpire@example.org");
    assert_eq!(told.filter(|m| String::from_utf8_lossy(&m.raw).contains("was given up")).count(), 1);
}

#[test]
fn what_is_refused_for_good_is_given_up_at_once_and_the_umpire_told() {
    for step in ["RCPT TO:<french@", "END OF DATA to french@"] {
        let server = FakeSmtp::start();
        server.fault(step, "550 5.1.1 nobody here", 1);
        let mut bench = office(&server, "");
        bench.office.pass().unwrap();
        bench.office.pass().unwrap();
        let kept = outbox(&bench, "french").remove(0);
        assert_eq!(kept.state, OutboxState::Failed, "{step}");
        let taken = server.taken();
        let told = taken.last().unwrap();
        assert!(
            told.to == "umpire@example.org" && String::from_utf8_lossy(&told.raw).contains("was given up"),
            "{step}"
        );
    }
}

#[test]
fn a_server_that_is_away_costs_no_mail_a_try() {
    let faults = [
        ("CONNECT", "421 4.3.2 not today"),
        ("CONNECT", ""),
        ("EHLO", "gibberish without end"),
        ("AUTH", "535 5.7.8 wrong password"),
        ("MAIL", "530 5.7.0 log in first"),
        ("MAIL", "553 5.7.1 not your address"),
        ("RCPT", "550 5.4.5 daily quota exceeded"),
    ];
    for (step, said) in faults {
        let server = FakeSmtp::start();
        server.fault(step, said, 1);
        let mut bench = office(&server, "user = \"post\"\npassword = \"hush\"\n");
        let pass = bench.office.pass().unwrap();
        assert_eq!((pass.sent, pass.unsent), (0, 1), "{step} {said}");
        let away = bench.office.away(Way::Out).unwrap().unwrap();
        assert!(away.why.contains("127.0.0.1") && !away.why.contains("hush"), "{away:?}");
        assert_eq!(outbox(&bench, "french")[0].tries, 0, "{step} {said}");
        let lines = server.said().len();
        bench.office.pass().unwrap();
        assert_eq!(server.said().len(), lines, "it is left alone for a while");
        minutes(&mut bench, 1);
        assert_eq!(bench.office.pass().unwrap().sent, 3, "{step} {said}");
        assert_eq!(bench.office.away(Way::Out).unwrap(), None);
    }
}

/// How long a server is left alone after each of ten tries in a row, in seconds, where the clock shows this fraction.
fn waits(milliseconds: i64) -> Vec<i64> {
    let server = FakeSmtp::start();
    server.fault("CONNECT", "421 4.3.2 not today", 99);
    let mut bench = office(&server, "");
    bench.office.clock_mut().advance(SignedDuration::from_millis(milliseconds));
    let mut waits = Vec::new();
    for _ in 0..10 {
        bench.office.pass().unwrap();
        let away = bench.office.away(Way::Out).unwrap().unwrap();
        let now = bench.office.clock_mut().now();
        let next: jiff::Timestamp = away.next.parse().unwrap();
        waits.push(next.as_second() - now.as_second());
        bench.office.clock_mut().advance(SignedDuration::from_secs(waits.last().unwrap() + 1));
    }
    waits
}

#[test]
fn a_server_that_stays_away_is_tried_less_and_less_often_and_not_by_all_in_one_second() {
    let least = [5, 10, 20, 40, 80, 160, 320, 640, 900, 900];
    assert_eq!(waits(0), least);
    let other = waits(731);
    assert_ne!(other, least, "another post office, whose clock shows another fraction, waits otherwise");
    for (wait, least) in other.iter().zip(least) {
        assert!((least..=least + least / 4).contains(wait), "{other:?}");
    }
}

#[test]
fn a_lost_answer_makes_a_second_copy_under_the_same_message_id() {
    let server = FakeSmtp::start();
    let mut bench = office(&server, "");
    // The mail is taken, and the line breaks before the server can say so.
    server.fault("TAKEN french@", "", 1);
    let pass = bench.office.pass().unwrap();
    assert_eq!((pass.sent, pass.unsent), (2, 1));
    minutes(&mut bench, 2);
    assert_eq!(bench.office.pass().unwrap().sent, 1);
    let id = format!("<{}>", outbox(&bench, "french")[0].message_id);
    let copies: Vec<_> = server.taken().into_iter().filter(|mail| mail.to == "french@example.org").collect();
    assert_eq!(copies.len(), 2);
    assert!(copies[0] == copies[1] && String::from_utf8_lossy(&copies[0].raw).contains(&id));
}

#[test]
fn a_quota_holds_mails_back_and_loses_none() {
    let server = FakeSmtp::start();
    let mut bench = office(&server, "mails_per_hour_max = 2\n");
    assert_eq!(bench.office.pass().unwrap().sent, 2);
    assert_eq!(bench.office.pass().unwrap().sent, 0);
    bench.advance(1);
    assert_eq!(bench.office.pass().unwrap().sent, 1);
    assert_eq!(server.taken().len(), 3);
}

#[test]
fn a_password_command_that_fails_says_so_and_shows_nothing() {
    let server = FakeSmtp::start();
    let mut bench = office(&server, "user = \"post\"\npassword_command = \"echo hush >&2; exit 3\"\n");
    assert_eq!(bench.office.pass().unwrap().sent, 0);
    let away = bench.office.away(Way::Out).unwrap().unwrap();
    assert!(away.why.contains("password_command: it fails") && !away.why.contains("hush"), "{away:?}");
}

#[test]
fn a_mail_is_sent_again_by_its_number_byte_for_byte() {
    let server = FakeSmtp::start();
    let mut bench = office(&server, "");
    bench.office.pass().unwrap();
    bench.reply_by("french", "SIGNON\nRESEND 1\nREPORT 99\nRESEND\n");
    bench.office.pass().unwrap();
    let to_french: Vec<_> = server.taken().into_iter().filter(|mail| mail.to == "french@example.org").collect();
    assert_eq!(to_french.iter().filter(|mail| **mail == to_french[0]).count(), 2, "the opening mail, twice");
    let answer = super::bench::parsed(outbox(&bench, "french").pop().unwrap().raw).text;
    for wanted in ["mail 1 goes out again", "you have no mail 99", "UNCLEAR"] {
        assert!(answer.contains(wanted), "{wanted} in {answer}");
    }
}

#[test]
fn each_mail_carries_its_envelope_id_where_the_server_tells_of_delivery() {
    for tells in [true, false] {
        let server = FakeSmtp::start();
        if tells {
            server.fault("EHLO", "250-fake\r\n250-DSN\r\n250-8BITMIME\r\n250 SIZE", usize::MAX);
        }
        let mut bench = office(&server, "");
        assert_eq!(bench.office.pass().unwrap().sent, 3);
        let said = server.said();
        let kept = outbox(&bench, "french").remove(0);
        let id = kept.message_id.split('@').next().unwrap();
        let with = said.iter().find(|line| line.starts_with("MAIL FROM") && line.contains(&format!("ENVID={id}")));
        assert_eq!(with.is_some_and(|line| line.contains("RET=HDRS")), tells, "{said:?}");
        assert_eq!(said.contains(&"RCPT TO:<french@example.org> NOTIFY=FAILURE".to_owned()), tells, "{said:?}");
        assert_eq!(said.contains(&"RCPT TO:<french@example.org>".to_owned()), !tells, "{said:?}");
    }
}

#[test]
fn a_no_of_any_kind_at_any_step_loses_no_mail_and_duplicates_are_equal() {
    let steps =
        ["CONNECT", "EHLO", "AUTH", "MAIL", "RCPT TO:<french@", "DATA", "END OF DATA to french@", "TAKEN french@"];
    let answers =
        ["421 4.3.2 closing", "451 4.3.0 later", "452 4.2.2 full", "550 5.1.1 no", "554 5.7.1 policy", "x\x00\x7f", ""];
    let mut given_up = 0;
    for step in steps {
        for answer in answers {
            let server = FakeSmtp::start();
            server.fault(step, answer, 1);
            let mut bench = office(&server, "user = \"post\"\npassword = \"hush\"\n");
            for _ in 0..6 {
                bench.office.pass().unwrap();
                minutes(&mut bench, 20);
            }
            let taken = server.taken();
            let copies = |to: &str| taken.iter().filter(|mail| mail.to == to).collect::<Vec<_>>();
            let state = outbox(&bench, "french")[0].state;
            let umpire = copies("umpire@example.org");
            let told = umpire.iter().any(|mail| String::from_utf8_lossy(&mail.raw).contains("was given up"));
            if state == OutboxState::Failed {
                given_up += 1;
                assert!(told && copies("french@example.org").is_empty(), "{step} {answer}");
            } else {
                let copies = copies("french@example.org");
                assert!(state == OutboxState::Sent && !copies.is_empty() && !told, "{step} {answer}: {state:?}");
                assert!(copies.iter().all(|copy| copy.raw == copies[0].raw), "{step} {answer}");
            }
            assert_eq!(copies("coalition@example.org").len(), 1, "{step} {answer}");
        }
    }
    // RCPT, DATA and its end, each refused for good in two ways.
    assert_eq!(given_up, 6);
}

#[test]
fn what_is_logged_holds_no_password_no_tag_and_no_order() {
    let server = FakeSmtp::start();
    server.fault("RCPT TO:<coalition@", "550 5.1.1 nobody", usize::MAX);
    let account = config(server.port, "user = \"post\"\npassword_command = \"echo hush\"\n");
    let mut bench = Bench::with_config(&account);
    bench.office.new_game(&campaign(&teaching())).unwrap();
    let opening = bench.office.store.outbox_of_seat("strem-1", "french").unwrap().remove(0);
    let opening = parsed(opening.raw);
    let tag = opening.tag().unwrap().to_string();
    let (subject, secret) = (opening.subject, tag.trim_matches(['[', ']']));
    bench.reply_by("french", "SIGNON\n");
    bench.reply_by("coalition", "SIGNON\n");
    bench.reply_by("french", "FORCE Lannes COMMAND MARCH 0305 0405\nEND\n");
    bench.post("eve@example.org", &subject, "FORCE Lannes HALT\n");
    bench.post("french@example.org", &subject, "\n");
    let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
    command.args(["serve", "--once", "--dir"]).arg(bench.dir.path());
    let done = command.env("ESTAFETTE_LOG", "info").env("ESTAFETTE_CLOCK", START).output().unwrap();
    let said = String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned();
    assert!(done.status.success() && said.contains("was given up"), "{said}");
    let plain = data_encoding::BASE64.encode(b"\0post\0hush");
    for hidden in ["hush", secret, plain.as_str(), "Lannes", "MARCH"] {
        assert!(!said.contains(hidden), "{hidden} in {said}");
    }
    let moved = bench.office.store.log("strem-1", 1).unwrap().iter().any(|entry| entry.body.contains("Lannes"));
    assert!(moved, "the orders were read");
}
