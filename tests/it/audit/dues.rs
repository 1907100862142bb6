//! Deadlines that were put off: each is derived again from what put it off, and a changed one is found.

use super::forger::{Exhibit, Forged, body_of, entry_is};
use crate::gateway::bench::{Bench, CONFIG, TOYS, new_game};
use estafette::audit::Line;
use estafette::audit::mails::witness;
use estafette::audit::verify::{Verdict, verify};
use estafette::clock::Clock;
use estafette::terms;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

const START: &str = "2026-01-01T00:00:00Z";
/// How the reasons begin: of each there is one in the game below.
const REASONS: [&str; 6] = [
    "the umpire gave 5 h",
    "the umpire gave time until",
    "the game was held",
    "the game was paused",
    "the post office was closed",
    "",
];

/// A finished game whose umpire gave time, held it and stopped its clock, whose seats were away, and whose post office was
/// closed for days.
fn exhibit() -> Exhibit {
    let master = [9; 32];
    let mut bench = Bench::at(CONFIG, START);
    let terms = terms::read("o.yaml", "deadline: 48h\nzone: Europe/Paris\n").unwrap();
    let new = estafette::gateway::NewGame { master: Some(master), ..new_game("toy-7", "toy-fellows", true) };
    bench.office.new_game_on(&new, Some(&terms)).unwrap();
    bench.pass();
    bench.reply("french", "ABSENT 20 Jan 22 Jan\nSIGNON\nNONCE Vive l'Empereur\n");
    bench.reply("coalition", "SIGNON\nNONCE Gott erhalte Franz\n");
    for (body, hours) in [("EXTEND ALL 5", 1), ("HOLD", 3), ("RELEASE", 1), ("PAUSE", 2), ("RESUME", 1)] {
        bench.reply("umpire", &format!("{body}\n"));
        bench.advance(hours);
    }
    for seat in ["french", "coalition"] {
        bench.reply(seat, "ABSENT 2 Jan 4 Jan\n");
        bench.advance(1);
    }
    bench.reply("umpire", "EXTEND ALL UNTIL 9 Jan 20:00\n");
    // Its daemon stands still for days.
    for from in ["2026-01-01T12:00:00Z", "2026-01-05T00:00:00Z"] {
        let Bench { dir, office, .. } = bench;
        drop(office);
        bench = Bench::served_by(dir, Clock::from_text(from).unwrap());
        bench.pass();
    }
    // So that a seat may be away while the game is held.
    bench.reply("umpire", "HOLD\n");
    bench.advance(2);
    bench.reply("french", "ABSENT OFF\n");
    bench.advance(2);
    bench.reply("umpire", "RELEASE\n");
    let (lines, mut mailbox) = super::two::ended(bench, Some(4));
    mailbox.extend(super::games::sent(&lines, "french"));
    Exhibit { name: "a toy whose deadlines were put off", lines, mailbox, master, two: true }
}

/// The places of the deadlines that were put off for a reason; for none, of those of an absence.
fn put_off(x: &Exhibit, reason: &str) -> Vec<usize> {
    let is = |line: &Line| {
        let body = body_of(line);
        let why = body["why"].as_str().unwrap_or_default();
        let fits = if reason.is_empty() { why.contains(" is away: ") } else { why.starts_with(reason) };
        entry_is(line, "post.due") && body["was"].is_string() && fits
    };
    (0..x.lines.len()).filter(|at| is(&x.lines[*at])).collect()
}

/// A deadline moved by some time, and what was made of it later by as much.
fn moved(x: &Exhibit, at: usize, by: SignedDuration) -> Forged {
    let of = body_of(&x.lines[at]);
    let moved = |value: &mut Value| {
        if let Some(at) = value.as_str().map(|at| at.parse::<Timestamp>().unwrap()) {
            *value = estafette::gateway::when::kept(at.checked_add(by).unwrap()).into();
        }
    };
    x.fit(|lines| {
        for (n, line) in lines.iter_mut().enumerate().skip(at) {
            let mut body = if entry_is(line, "post.due") { body_of(line) } else { continue };
            if body["seat"] != of["seat"] || body["address"] != of["address"] {
                continue;
            }
            if body["done"] == true {
                break;
            }
            if n > at {
                moved(&mut body["was"]);
            }
            moved(&mut body["at"]);
            let Line::Event { body: kept, .. } = line else { continue };
            *kept = body.to_string();
        }
    })
}

/// A deadline that was not put off, though all others were.
fn left(x: &Exhibit, at: usize) -> Forged {
    let of = body_of(&x.lines[at]);
    x.fit(|lines| {
        lines.remove(at);
        let next = lines.iter_mut().skip(at).find(|line| {
            let body = body_of(line);
            entry_is(line, "post.due") && body["seat"] == of["seat"] && body["address"] == of["address"]
        });
        if let Some(Line::Event { body, .. }) = next {
            let mut value: Value = serde_json::from_str(body).unwrap();
            if value["was"].is_string() {
                value["was"] = of["was"].clone();
                *body = value.to_string();
            }
        }
    })
}

/// What an audit finds of the deadlines in a forgery.
fn found(what: &str, forged: Forged) {
    let found = verify(&forged.unwrap_or_else(|| panic!("{what}: nothing is changed")), TOYS);
    assert_eq!(found.verdict, Verdict::Differs, "{what}");
    let words = ["than the terms", "that is none", "not put off by it"];
    assert!(
        found.faults.iter().any(|fault| words.iter().any(|word| fault.contains(word))),
        "{what}: {:?}",
        found.faults
    );
}

#[test]
fn a_deadline_that_was_put_off_is_derived_again_and_another_is_found() {
    let x = exhibit();
    let (lines, mailbox) = (x.lines.clone(), x.mailbox.clone());
    super::alarms::quiet_by(x.name, &super::games::Played { lines, mailbox, master: x.master }, TOYS);
    let hour = SignedDuration::from_hours(1);
    for reason in REASONS {
        let places = put_off(&x, reason);
        assert!(!places.is_empty(), "nothing is put off because {reason}");
        for at in places {
            let what = format!("{reason}, entry {at}");
            found(&format!("{what}: an hour later"), moved(&x, at, hour));
            found(&format!("{what}: an hour earlier"), moved(&x, at, hour.saturating_mul(-1)));
            if !reason.is_empty() {
                found(&format!("{what}: left alone"), left(&x, at));
            }
            let other = x.body(at, |body| body["why"] = "the umpire gave 6 h".into());
            found(&format!("{what}: another reason"), other);
        }
    }
    for (kind, field, value) in [
        ("post.extend", "why", "the umpire gave 4 h"),
        ("post.extend", "seat", "prussian"),
        ("post.hold", "at", "2026-01-01T01:30:00Z"),
        ("post.resume", "at", "2026-01-01T09:00:00Z"),
        ("post.outage", "from", "2026-01-03T00:00:00Z"),
        ("post.absent", "days", "2026-01-02/2026-01-09"),
    ] {
        // An absence that moved nothing is only in the seals.
        let first = if kind == "post.absent" { put_off(&x, "")[0] } else { x.lines.len() };
        let at = match kind {
            "post.absent" => x.entries(kind).into_iter().rfind(|at| *at < first).unwrap(),
            _ => x.entries(kind)[0],
        };
        found(&format!("another {field} of {kind}"), x.body(at, |body| body[field] = value.into()));
    }
}

/// Where everything is made to fit, the mail of the umpire and its ledger too, the seals show it.
#[test]
fn an_extension_that_was_made_up_whole_is_found_by_a_mailbox() {
    let x = exhibit();
    let (one, six) = ("the umpire gave 5 h", "the umpire gave 6 h");
    let mut forged = moved(&x, put_off(&x, one)[0], SignedDuration::from_hours(1)).unwrap();
    for line in &mut forged {
        if let Line::Event { body, .. } = line {
            *body = body.replace(one, six).replace("EXTEND ALL 5", "EXTEND ALL 6");
        }
    }
    super::forger::refit(&mut forged, &x);
    assert!(!witness(&forged, &x.mailbox).faults.is_empty());
}
