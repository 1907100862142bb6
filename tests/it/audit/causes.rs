//! What the post office writes of its own has its cause in the chain, and what a mail asks for has come of it.

use super::forger::{Exhibit, Forged, body_of, entry_is};
use super::games::{CAMPAIGN, Setting, play};
use crate::gateway::bench::{Bench, CONFIG, TOYS, new_game};
use estafette::audit::Line;
use estafette::audit::verify::{Verdict, verify};
use estafette::games::{Entry, GAMES};
use estafette::terms;
use serde_json::{Value, json};

/// A finished game whose umpire held it, stopped its clock, looked, chose and ruled by mail, and whose seats were away.
fn exhibit() -> Exhibit {
    let master = [9; 32];
    let mut bench = Bench::at(CONFIG, "2026-01-01T00:00:00Z");
    let terms = terms::read("o.yaml", "deadline: 48h\n").unwrap();
    let new = estafette::gateway::NewGame { master: Some(master), ..new_game("toy-7", "toy-fellows", true) };
    bench.office.new_game_on(&new, Some(&terms)).unwrap();
    bench.pass();
    bench.reply("french", "SIGNON\nNONCE Vive l'Empereur\n");
    bench.reply("coalition", "SIGNON\nNONCE Gott erhalte Franz\n");
    for body in [
        "EXTEND ALL 5",
        "HOLD\nRELEASE",
        "PAUSE",
        "RESUME",
        "SHOW french\nMAP\nHISTORY",
        "OPTION press none",
        // What the ledger calls otherwise than he does.
        "MAP\nSUMM",
        "REM french\nREM coalition",
        "RULING ¶242 TO all\nA repulse.\nEND RULING",
    ] {
        bench.reply("umpire", &format!("{body}\n"));
        bench.advance(1);
    }
    bench.reply("french", "ABSENT 20 Jan 22 Jan\n");
    bench.reply("coalition", "ABSENT 20 Jan\n");
    bench.reply("umpire", "PROCEED ALL\n");
    let (lines, mut mailbox) = super::two::ended(bench, Some(4));
    mailbox.extend(super::games::sent(&lines, "french"));
    Exhibit { name: "a toy with a busy umpire", lines, mailbox, master, two: true }
}

/// What an audit says of a forgery: it differs, and one of its faults has such words.
fn found(what: &str, forged: Forged, entries: &'static [Entry], words: &str) {
    let found = verify(&forged.unwrap_or_else(|| panic!("{what}: nothing is changed")), entries);
    assert_eq!(found.verdict, Verdict::Differs, "{what}");
    assert!(found.faults.iter().any(|fault| fault.contains(words)), "{what}: {:?}", found.faults);
}

/// An entry put in behind the answer to the last mail before the game's end.
fn put_in(x: &Exhibit, kind: &str, value: &Value) -> Forged {
    let over = x.entries("post.over")[0];
    let incoming = |line: &Line| entry_is(line, "post.mail") && body_of(line)["direction"] == "in";
    let at = (0..over).rfind(|at| incoming(&x.lines[*at]))?;
    x.fit(|lines| {
        let mut line = lines[at - 1].clone();
        let Line::Event { entry, body, .. } = &mut line else { return };
        (*entry, *body) = (kind.to_owned(), value.to_string());
        lines.insert(at, line);
    })
}

#[test]
fn an_entry_without_a_cause_is_found() {
    let x = exhibit();
    let (lines, mailbox) = (x.lines.clone(), x.mailbox.clone());
    super::alarms::quiet_by(x.name, &super::games::Played { lines, mailbox, master: x.master }, TOYS);
    let away = "2026-01-20/2026-01-23";
    for (kind, body) in [
        ("post.replace", json!({"seat": "french", "address": "other@example.org", "by": "the umpire"})),
        ("post.replace", json!({"seat": "french", "address": "other@example.org", "by": "takeover"})),
        ("post.vacant", json!({"seat": "french"})),
        ("post.address", json!({"seat": "french"})),
        ("post.address", json!({"seat": "french", "back": true})),
        ("post.stand-in", json!({"seat": "french", "by": "other@example.org", "why": "the seat was late"})),
        ("post.stand-in", json!({"seat": "french", "by": null, "why": "the days are over"})),
        ("post.house", json!({"seat": "french", "why": "its orders are missing"})),
        ("post.option", json!({"key": "press", "value": "grey"})),
        ("post.observer", json!({"seat": "observer-1"})),
        ("post.extend", json!({"seat": "french", "why": "the umpire gave 5 h"})),
        ("post.asked", json!({"why": "french has not answered in time"})),
        ("post.corrupt", json!({"why": "a fault"})),
        ("post.absent", json!({"seat": "french", "days": away})),
        ("post.epoch", json!({"epoch": "0123456789abcdef", "backup_at": "2026-01-01T00:00:00Z", "mails": {}})),
        ("post.release", json!({"at": "2026-01-01T12:00:00Z"})),
    ] {
        let named = if kind == "post.corrupt" { "set aside" } else { kind };
        found(&format!("{kind} {body}"), put_in(&x, kind, &body), TOYS, named);
    }
    // A cause that is left out.
    let ledger = |text: &str| {
        let at = (0..x.lines.len())
            .find(|at| entry_is(&x.lines[*at], "post.ledger") && body_of(&x.lines[*at])["text"] == text);
        let at = at.unwrap_or_else(|| panic!("no {text} in the ledger"));
        x.fit(|lines| _ = lines.remove(at))
    };
    for (text, kind) in [
        ("EXTEND ALL 5", "post.extend"),
        ("HOLD", "post.hold"),
        ("RELEASE", "post.release"),
        ("PAUSE", "post.pause"),
        ("RESUME", "post.resume"),
        ("OPTION press none", "post.option"),
        ("PROCEED ALL", "post.proceed"),
    ] {
        found(text, ledger(text), TOYS, kind);
    }
    for text in
        ["HOLD", "RELEASE", "PAUSE", "RESUME", "SHOW french", "REPORT", "HISTORY", "EXTEND ALL 5", "PROCEED ALL"]
    {
        found(text, ledger(text), TOYS, "should stand in the ledger");
    }
    let ruling = |l: &Line| entry_is(l, "post.ledger") && body_of(l)["class"] == "ruling";
    let at = x.lines.iter().position(ruling).unwrap();
    found("a ruling", x.fit(|lines| _ = lines.remove(at)), TOYS, "RULING ¶242 TO");
    let at = (0..x.lines.len()).find(|at| body_of(&x.lines[*at])["text"] == "REPORT").unwrap();
    found("whom a look touches", x.body(at, |body| body["touches"] = json!(["french"])), TOYS, "it shows more");
    let at = x.entries("post.absent")[0];
    found("other days", x.body(at, |body| body["days"] = away.into()), TOYS, "post.absent");
    let listed =
        x.with(|lines| lines.insert(1, Line::Nonce { seat: "french".into(), nonce: "Vive l'Empereur".into() }));
    found("a line of a nonce", listed, TOYS, "lines of its own");
    let first = x.entries("post.game")[0];
    let invented = x.body(first, |body| body["seats"].as_array_mut().unwrap().push("umpire-2".into()));
    found("an umpire who never was", invented, TOYS, "never had a letter");
}

/// A letter is told once, and withdrawn only where play goes back.
#[test]
fn a_letter_that_is_doubled_or_withdrawn_for_nothing_is_found() {
    let x = exhibit();
    let letters = |x: &Exhibit| -> Vec<usize> {
        let out =
            |l: &Line| entry_is(l, "post.mail") && body_of(l)["direction"] == "out" && body_of(l)["seat"] == "french";
        (0..x.lines.len()).filter(|at| out(&x.lines[*at])).collect()
    };
    let at = letters(&x)[3];
    let insert = |kind: &str, change: fn(&mut Value)| {
        x.fit(|lines| {
            let mut line = lines[at].clone();
            let Line::Event { entry, body, .. } = &mut line else { return };
            let mut value: Value = serde_json::from_str(body).unwrap();
            change(&mut value);
            (*entry, *body) = (kind.to_owned(), value.to_string());
            lines.insert(at + 1, line);
        })
    };
    let other = |body: &mut Value| body["message_id"] = "00112233445566778899aabbccddeeff@example.org".into();
    found("twice under another name", insert("post.mail", other), TOYS, "more often");
    let withdrawn = |body: &mut Value| {
        let body = body.as_object_mut().unwrap();
        ["paper", "seal"].iter().for_each(|field| _ = body.remove(*field));
    };
    found("withdrawn for nothing", insert("post.withdrawn", withdrawn), TOYS, "only where play goes back");
}

/// An END takes effect so long after it came as the terms say.
#[test]
fn another_time_of_an_end_is_found() {
    let (lines, master) = super::alarms::so_far(&super::alarms::taken_back());
    let x = Exhibit { name: "ENDs taken back", lines, mailbox: Vec::new(), master, two: true };
    for at in x.entries("post.recall") {
        let later = |body: &mut Value| body["at"] = "2031-01-01T23:59:00Z".into();
        found("another time of an END", x.body(at, later), TOYS, "post.recall");
    }
}

const HELD: &[(u32, &str)] = &[
    (8, "HOLD"),
    (8, "REWIND 3 REASON a wrong road"),
    (8, "RELEASE"),
    (12, "silent"),
    (14, "silent"),
    (16, "silent"),
    (18, "silent"),
];

/// What the program's own player gave is asked again; a letter that play took back is withdrawn.
#[test]
fn what_the_programs_own_player_gave_and_what_was_withdrawn_are_derived() {
    let setting = Setting { two: true, short: true, options: "late: bot\n", acts: HELD, ..CAMPAIGN };
    let played = play(&setting);
    super::alarms::quiet("held and late", &played);
    let x = Exhibit { name: "held", lines: played.lines, mailbox: played.mailbox, master: played.master, two: true };
    for at in x.entries("post.withdrawn") {
        found("a withdrawal left out", x.fit(|lines| _ = lines.remove(at)), GAMES, "post.mail");
    }
    let house = x.entries("post.house");
    assert!(!house.is_empty(), "the program's player was never called");
    let given = |body: &Value| body["lines"].as_array().is_some_and(|lines| !lines.is_empty());
    let at = house.iter().map(|at| at + 1).find(|at| given(&body_of(&x.lines[*at]))).unwrap();
    let Line::Event { body, .. } = &x.lines[at] else { panic!("no entry") };
    let seat = body_of(&x.lines[at])["seat"].as_str().unwrap().to_owned();
    println!("{seat}: {body}");
    let number = body_of(&x.lines[at])["mail"].as_str().unwrap().to_owned();
    // The same order with a wider gap plays alike; the program's own player never writes it so.
    let text = body_of(&x.lines[at])["lines"][0][1].as_str().unwrap().to_owned();
    let respelt = x.fit(|lines| {
        for line in &mut lines[at..] {
            let Line::Event { body, .. } = line else { continue };
            // What a plan of battle keeps of its line begins behind the hex.
            *body = body.replace(&text, &text.replacen(' ', "  ", 1));
        }
    });
    let other_lines = verify(&respelt.unwrap(), GAMES);
    let own = |why: &String| why.contains("the program's own player gives other lines");
    assert!(other_lines.unproved.iter().any(own), "{:?} {:?}", other_lines.faults, other_lines.unproved);
    let other = x.body(at, |body| body["mail"] = "house/999".into());
    found(&format!("{number} as another's"), other, GAMES, "post.house");
}
