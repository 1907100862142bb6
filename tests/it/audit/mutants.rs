//! Every kind of entry of a chain, left out, doubled, moved and changed field by field by one who holds the master: who makes
//! all hashes, seals and lines of the bundle anew. What neither the audit nor the script finds is named here, with the reason.
//!
//! A part is tried: one of 31, and with `MUTANTS=n` one of n.

use super::forger::{Exhibit, body_of, entry_is, kind, refit};
use super::forgeries::scripts;
use crate::gateway::bench::{Bench, CONFIG, TOYS, new_game};
use crate::gateway::whole::line;
use crate::toys::Whim;
use estafette::audit::Line;
use estafette::audit::bundle::{Asker, bundle};
use estafette::audit::mails::witness;
use estafette::audit::verify::{Verdict, verify};
use estafette::dice::two::hash_of_words;
use estafette::gateway::{NewGame, table};
use estafette::store::GameState;
use estafette::terms;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const GAME: &str = "toy-7";
const MASTER: [u8; 32] = [9; 32];

/// What passes with the audit and the script, and why that is so: a kind and what is done to it.
const HARMLESS: &[(&str, &str, &str)] = &[
    ("post.absent", "left out", "days on which nothing was due; the answer to ABSENT says them, and a mailbox has it"),
    ("post.absent", "twice", "the second says again what the first has said, and moves nothing"),
    ("post.absent", "behind the next", LETTER),
    ("post.due", "at changed", "by a second: when an act was done is known to the second of its neighbours alone"),
    ("post.due", "behind the next", "two entries of one act, between which nobody was told anything"),
    ("post.ledger", "at changed", "by a second, as above"),
    ("post.ledger", "behind the next", LETTER),
    (
        "post.ledger",
        "left out",
        "a look or an order: the reports count them, and a mailbox has those and the last letter",
    ),
    ("post.ledger", "twice", "a look or an order more, as above"),
    ("post.mail", "twice", "one more copy of the same letter, under its own name and seal"),
    ("post.mail", "behind the next", "two letters of one act, each with its own number; the seals have their order"),
    ("post.mail", "paper changed", "no audit makes the words of letters again; a mailbox has them"),
    ("post.mail", "sha256 changed", "of a letter that went out: the bundle has no bytes of it, and a mailbox has them"),
    ("post.notice", "behind the next", LETTER),
    ("post.pause", "behind the next", LETTER),
    ("post.program", "behind the next", "two entries of one act, before anybody was told anything"),
    ("post.program", "program changed", "a name beside the digest of the rules, which is compared with the terms"),
    ("post.program", "rules changed", "its master was given, so its terms name no rules; every other game's do"),
    ("post.program", "schema changed", "how many steps the database had; no rule and no die hangs on it"),
    ("post.words", "behind the next", LETTER),
    ("rest", "behind the next", "the next is an entry of the post office in the same act"),
    ("roll", "behind the next", "it is of the next slot, and the seeds of the one before are told in the same act"),
];

/// Why it tells nothing where an entry stands behind the letter that tells of it.
const LETTER: &str = "the next is a letter of the same act; its seal keeps its place, and a mailbox has it";

fn words(seat: &str, time: &str) -> String {
    format!("the secret words of {seat}, {time}")
}

/// Each seat gives a hash, and then its words.
fn hashes(bench: &mut Bench, time: &str, sign: &str) {
    for seat in ["french", "coalition"] {
        bench.reply(seat, &format!("{sign}NONCE-HASH {}\n", hash_of_words(&words(seat, time))));
    }
    for seat in ["french", "coalition"] {
        bench.reply(seat, &format!("NONCE {}\n", words(seat, time)));
    }
}

/// A finished game in which as much as may be has happened: hashes, a rewind, an umpire who does all he can.
fn exhibit() -> Exhibit {
    let mut bench = Bench::at(CONFIG, "2026-01-01T00:00:00Z");
    let agreed = terms::read("o.yaml", "deadline: 48h\nzone: Europe/Paris\n").unwrap();
    let new = NewGame { master: Some(MASTER), ..new_game(GAME, "toy-fellows", true) };
    bench.office.new_game_on(&new, Some(&agreed)).unwrap();
    bench.pass();
    hashes(&mut bench, "before the game", "SIGNON\n");
    let said = [
        ("umpire", "EXTEND ALL 5", 1),
        ("umpire", "OPTION press none", 1),
        ("umpire", "HOLD", 1),
        ("french", "REPORT", 1),
        ("umpire", "SHOW HELD", 1),
        ("umpire", "RELEASE", 1),
        ("umpire", "PAUSE", 1),
        ("umpire", "RESUME", 1),
        ("umpire", "SHOW french", 1),
        ("umpire", "RULING ¶242 TO french\nA repulse.\nEND RULING", 1),
        ("french", "ABSENT 20 Jan 22 Jan", 1),
        ("umpire", "FIAT weather 2 REASON agreed by both", 1),
        ("umpire", "PROCEED french", 1),
    ];
    let mut whim = Whim(40);
    for n in 0..400_usize {
        if bench.office.store.game(GAME).unwrap().unwrap().state == GameState::Over {
            break;
        }
        if let Some((seat, text, hours)) = n.checked_sub(2).and_then(|n| said.get(n)) {
            bench.reply(seat, &format!("{text}\n"));
            bench.advance(*hours);
        }
        if n == 17 {
            bench.reply("umpire", "REWIND 2 REASON a wrong road\n");
            hashes(&mut bench, "after a rewind", "");
        }
        let (seat, body) = line(&bench, &mut whim);
        bench.reply(&seat, &body);
    }
    let row = bench.office.store.game(GAME).unwrap().unwrap();
    assert_eq!(row.state, GameState::Over);
    let hosted = table::open(TOYS, &bench.office.store, &row).unwrap();
    let lines = bundle(&bench.office.store, &row, hosted.as_ref(), &Asker::Public).unwrap();
    let mut mailbox: Vec<Vec<u8>> =
        crate::gateway::bench::to(&bench.out(), "french").into_iter().map(|m| m.raw.clone()).collect();
    mailbox.extend(super::games::sent(&lines, "french"));
    Exhibit { name: "a toy of all kinds", lines, mailbox, master: MASTER, two: true }
}

/// Another value of the same kind.
fn altered(value: &mut Value) {
    match value {
        Value::Null => *value = "x".into(),
        Value::Bool(is) => *is = !*is,
        Value::Number(n) => *value = (n.as_i64().unwrap_or(0) + 1).into(),
        Value::String(text) => {
            if let Ok(at) = text.parse::<jiff::Timestamp>() {
                *text = estafette::gateway::when::kept(at + jiff::SignedDuration::from_secs(1));
            } else if text.len() >= 32 && text.bytes().take(32).all(|b| b.is_ascii_hexdigit()) {
                text.replace_range(..1, if text.starts_with('0') { "1" } else { "0" });
            } else {
                text.push('x');
            }
        }
        Value::Array(list) => match list.pop() {
            None => list.push("x".into()),
            Some(last) if list.is_empty() && last.is_object() => list.push(Value::Null),
            Some(_) => {}
        },
        Value::Object(map) => match map.values_mut().next() {
            Some(first) => altered(first),
            None => drop(map.insert("x".to_owned(), 1.into())),
        },
    }
}

/// The lines of the bundle that say what the chain says, made anew from it.
fn fitted(mut lines: Vec<Line>, x: &Exhibit) -> Vec<Line> {
    let (mut rolls, mut named): (Vec<Line>, Vec<[String; 4]>) = (Vec::new(), Vec::new());
    let mut kept: BTreeMap<(u64, &str), String> = BTreeMap::new();
    let mut words: BTreeMap<(u64, String), String> = BTreeMap::new();
    for line in &lines {
        let Line::Event { slot, entry, body, .. } = line else { continue };
        let value: Value = serde_json::from_str(body).unwrap();
        let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let no = value["no"].as_u64().unwrap_or(u64::MAX);
        match entry.as_str() {
            "roll" => {
                let Ok(roll) = serde_json::from_str::<estafette::dice::Roll>(body) else { continue };
                let scope = roll.scope.text().to_owned();
                let (slot, label, dice) = (*slot, roll.label, roll.dice);
                rolls.push(Line::Roll { slot, scope, label, n: roll.n, sides: roll.sides, dice, fiat: roll.fiat });
            }
            "post.mail" | "post.withdrawn" => {
                let mail = ["direction", "seat", "message_id", "sha256"].map(text);
                match entry.as_str() {
                    "post.mail" if !named.contains(&mail) => named.push(mail),
                    "post.withdrawn" => named.retain(|own| *own != mail),
                    _ => {}
                }
            }
            "post.notice" => drop(kept.insert((no, "text"), text("text"))),
            "post.value" => drop(kept.insert((no, "value"), text("value"))),
            "post.salt" => drop(kept.insert((no, "salt"), text("salt"))),
            "post.words" => drop(words.insert((no, text("seat")), text("words"))),
            _ => {}
        }
    }
    let raws: BTreeMap<String, Option<String>> = x
        .lines
        .iter()
        .filter_map(|line| match line {
            Line::Mail { message_id, raw, .. } => Some((message_id.clone(), raw.clone())),
            _ => None,
        })
        .collect();
    let mail = |[direction, seat, message_id, sha256]: [String; 4]| {
        let raw = raws.get(&message_id).cloned().flatten();
        Line::Mail { direction, seat, message_id, sha256, raw }
    };
    for (which, made) in [("roll", rolls), ("mail", named.into_iter().map(mail).collect())] {
        let Some(at) = lines.iter().position(|line| kind(line) == which) else { continue };
        lines.retain(|line| kind(line) != which);
        lines.splice(at..at, made);
    }
    for line in &mut lines {
        let Line::Notice { no, text, value, salt, words: own, .. } = line else { continue };
        let of = |name| kept.get(&(u64::from(*no), name)).cloned();
        (*text, *value, *salt) = (of("text"), of("value"), of("salt"));
        for (seat, said) in own {
            if let Some(words) = words.get(&(u64::from(*no), seat.clone())) {
                said.clone_from(words);
            }
        }
    }
    lines
}

/// A way to forge an entry of a chain, with what it is called and where it was done.
type Mutant = (String, String, Vec<Line>);

/// Of the forgeries of one entry those whose turn it is: one of so many.
fn mutants(x: &Exhibit, at: usize, (turn, each): (&mut usize, usize)) -> Vec<Mutant> {
    let (entry, body) = match &x.lines[at] {
        Line::Event { entry, .. } => (entry.clone(), body_of(&x.lines[at])),
        _ => panic!("no entry"),
    };
    let place = format!("{body} before {}", x.lines.get(at + 1).map(body_of).unwrap_or_default());
    let mut made: Vec<Mutant> = Vec::new();
    let mut make = |what: &str, change: &dyn Fn(&mut Vec<Line>)| {
        *turn += 1;
        if *turn % each != 0 {
            return;
        }
        let mut lines = x.lines.clone();
        change(&mut lines);
        if lines == x.lines {
            return;
        }
        let mut lines = fitted(lines, x);
        refit(&mut lines, x);
        made.push((format!("{entry} {what}"), place.clone(), lines));
    };
    make("left out", &|lines| drop(lines.remove(at)));
    make("twice", &|lines| lines.insert(at, lines[at].clone()));
    if x.lines.get(at + 1).is_some_and(|next| kind(next) == "event") {
        make("behind the next", &|lines| lines.swap(at, at + 1));
    }
    make("slot", &|lines| {
        if let Line::Event { slot, .. } = &mut lines[at] {
            *slot += 1;
        }
    });
    for field in body.as_object().into_iter().flatten().map(|(field, _)| field) {
        // Made anew whatever it says.
        if field == "seal" {
            continue;
        }
        let with = |lines: &mut Vec<Line>, change: &dyn Fn(&mut Value)| {
            let mut value = body.clone();
            change(&mut value);
            if let Line::Event { body, .. } = &mut lines[at] {
                *body = value.to_string();
            }
        };
        make(&format!("{field} changed"), &|lines| with(lines, &|value| altered(&mut value[field])));
        // Without these a letter cannot be sealed, and that is a fault of its own.
        if !matches!(field.as_str(), "paper" | "number" | "seat") {
            make(&format!("{field} left out"), &|lines| {
                with(lines, &|value| _ = value.as_object_mut().unwrap().remove(field));
            });
        }
    }
    made
}

#[test]
fn whatever_is_changed_of_a_chain_is_found_or_named_here() {
    let x = exhibit();
    let played = super::games::Played { lines: x.lines.clone(), mailbox: x.mailbox.clone(), master: x.master };
    super::alarms::quiet_by(x.name, &played, TOYS);
    // The forger's tools by themselves change nothing but the order of the mails' lines.
    let mut same = fitted(x.lines.clone(), &x);
    refit(&mut same, &x);
    assert_eq!((verify(&same, TOYS).verdict, scripts(&[same])), (Verdict::Agrees, vec![0]));
    let each: usize = std::env::var("MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(31);
    let mut turn = 0;
    let kinds: BTreeSet<String> = x
        .lines
        .iter()
        .filter_map(|line| match line {
            Line::Event { entry, .. } => Some(entry.clone()),
            _ => None,
        })
        .collect();
    let mut tried: Vec<Mutant> = Vec::new();
    for entry in &kinds {
        let places = x.entries(entry);
        let step = places.len().div_ceil(4).max(1);
        let some: BTreeSet<usize> = places.iter().copied().step_by(step).chain(places.last().copied()).collect();
        for at in some {
            assert!(entry_is(&x.lines[at], entry));
            tried.extend(mutants(&x, at, (&mut turn, each)));
        }
    }
    let bundles: Vec<Vec<Line>> = tried.iter().map(|(_, _, lines)| lines.clone()).collect();
    let (mut audit, mut script, mut mailbox) = (0, 0, 0);
    let mut passed: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    let named = |what: &String| HARMLESS.iter().any(|(entry, how, _)| *what == format!("{entry} {how}"));
    for ((what, place, lines), code) in tried.iter().zip(scripts(&bundles)) {
        let agrees = verify(lines, TOYS).verdict == Verdict::Agrees;
        let seen = !witness(lines, &x.mailbox).faults.is_empty();
        audit += u32::from(!agrees);
        script += u32::from(code != 0);
        mailbox += u32::from(seen);
        if agrees && code == 0 {
            let count = passed.entry(what.clone()).or_default();
            *count = (count.0 + 1, count.1 + u32::from(seen));
            if !named(what) {
                println!("  {what}: {place}");
            }
        }
    }
    println!(
        "{} forgeries of {} kinds: found by audit {audit}, script {script}, mailbox {mailbox}; {} pass with both",
        tried.len(),
        kinds.len(),
        passed.values().map(|count| count.0).sum::<u32>()
    );
    for (what, (count, seen)) in &passed {
        println!("  passes: {what}: {count}, of which a mailbox finds {seen}");
    }
    let unnamed: Vec<&String> = passed.keys().filter(|what| !named(what)).collect();
    assert_eq!(unnamed, Vec::<&String>::new());
}
