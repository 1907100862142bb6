//! Bundles: what they hold for whom, and that every change of one is found, by us and by a third party's script.

mod alarms;
#[cfg(feature = "failpoints")]
mod aside;
mod beacon;
mod causes;
mod cheat;
mod dues;
mod forged;
mod forger;
mod forgeries;
mod games;
mod guess;
mod mutants;
mod two;
mod verdicts;

use crate::gateway::bench::{Bench, TOYS};
use crate::gateway::whole::{play, play_by_one};
use estafette::audit::bundle::{Asker, bundle};
use estafette::audit::verify::{Findings, Verdict, verify};
use estafette::audit::{Line, read, write};
use estafette::gateway::table;
use std::path::Path;
use std::process::Command;

fn lines(bench: &Bench, asker: &Asker) -> Vec<Line> {
    let row = bench.office.store.game("toy-7").unwrap().unwrap();
    let hosted = table::open(TOYS, &bench.office.store, &row).unwrap();
    bundle(&bench.office.store, &row, hosted.as_ref(), asker).unwrap()
}

fn french() -> Asker {
    Asker::Seat { seat: "french".into(), side: "french".into() }
}

/// Python's verdict on a bundle: its exit code and what it said.
fn script(lines: &[Line]) -> (i32, String) {
    script_of(&write(lines))
}

/// The same of a bundle's text.
pub fn script_of(text: &str) -> (i32, String) {
    script_with(text, &[])
}

/// The same with more arguments.
fn script_with(text: &str, more: &[&str]) -> (i32, String) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("bundle.jsonl");
    std::fs::write(&path, text).unwrap();
    let verifier = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/audit/verify.py");
    let done = Command::new("python3").arg(verifier).arg(&path).args(more).output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    (done.status.code().unwrap(), said)
}

fn faults(lines: &[Line]) -> Vec<String> {
    verify(lines, TOYS).faults
}

#[test]
fn a_bundle_reads_back_as_it_was_written_with_its_kind_first() {
    let bench = play("toy-fellows", 1);
    let whole = lines(&bench, &Asker::Public);
    let text = write(&whole);
    assert!(text.lines().all(|line| line.starts_with("{\"kind\":\"")));
    assert_eq!(read(&text).unwrap(), whole);
    assert!(read("{\"kind\":\"root\"}").unwrap_err().starts_with("line 1: "));
}

/// The verdict on a bundle with one thing changed in its game line.
fn judged(mut lines: Vec<Line>, change: impl Fn(&mut estafette::audit::GameLine)) -> Findings {
    let Line::Game(game) = &mut lines[0] else { panic!("no game") };
    change(game);
    verify(&lines, TOYS)
}

#[test]
fn nothing_agrees_that_was_not_played_again() {
    let whole = lines(&play_by_one("toy-fellows", 1), &Asker::Public);
    assert_eq!(judged(whole.clone(), |_| ()).verdict, Verdict::Agrees);
    assert_eq!(judged(whole.clone(), |game| game.ruleset = "chess".to_owned()).verdict, Verdict::Differs);
    // A program that does not play its ruleset.
    let found = verify(&whole, &[]);
    assert_eq!((found.verdict, found.faults.len()), (Verdict::NotVerified, 0), "{found:?}");
    let found = judged(whole.clone(), |game| game.master = None);
    assert_eq!((found.verdict, found.faults.len()), (Verdict::NotVerified, 0), "{found:?}");
    assert_eq!(judged(whole, |game| game.salt = Some("0".repeat(64))).verdict, Verdict::Differs);
    let (bench, _) = Bench::begun("toy-7", "toy-fellows");
    for asker in [Asker::Public, french(), Asker::All] {
        assert_eq!(judged(lines(&bench, &asker), |_| ()).verdict, Verdict::Open, "{asker:?}");
    }
}

#[test]
fn the_digest_of_the_scenario_stands_in_no_bundle_and_no_mail_of_a_game_that_is_on() {
    let (bench, _) = Bench::begun("toy-7", "toy-fellows");
    let digest = bench.office.store.game("toy-7").unwrap().unwrap().scenario_digest;
    for asker in [Asker::Public, french()] {
        let Line::Game(game) = &lines(&bench, &asker)[0] else { panic!("no game") };
        assert_eq!(game.scenario, "", "a player could test guesses of the hidden set-up by it");
        assert!(!write(&lines(&bench, &asker)).contains(&digest));
    }
    assert!(bench.out().iter().all(|mail| !String::from_utf8_lossy(&mail.raw).contains(&digest)));
    let whole = play("toy-fellows", 1);
    let digest = whole.office.store.game("toy-7").unwrap().unwrap().scenario_digest;
    let Line::Game(game) = &lines(&whole, &Asker::Public)[0] else { panic!("no game") };
    assert_eq!(game.scenario, digest);
}

#[test]
fn a_third_party_makes_every_die_again_and_finds_a_changed_one() {
    let bench = play_by_one("toy-fellows", 1);
    let whole = lines(&bench, &Asker::Public);
    let rolls = whole.iter().filter(|line| matches!(line, Line::Roll { .. })).count();
    assert!(rolls > 1);
    let (code, said) = script(&whole);
    assert!(code == 0 && said.starts_with(&format!("{rolls} of {rolls} rolls made again, 0 faults\n")), "{said}");
    // 0 says no more than what was checked.
    assert!(said.trim().lines().last().unwrap().contains("Not checked: what orders came to by the rules"), "{said}");
    for tamper in [die, seed, commitment, nonce] {
        let mut changed = whole.clone();
        assert!(changed.iter_mut().any(tamper));
        let (code, said) = script(&changed);
        assert_eq!(code, 1, "{said}");
    }
}

/// JSON that another reader would take for something else is of no use as a proof.
#[test]
fn what_one_reader_takes_for_a_number_and_another_does_not_is_refused_by_both() {
    let text = write(&lines(&play_by_one("toy-fellows", 1), &Asker::Public));
    assert_eq!(script_of(&text).0, 0);
    assert!(read(&text).is_ok());
    let at = text.find("{\"kind\":\"roll\"").unwrap();
    let (before, roll) = text.split_at(at);
    assert!(roll.lines().next().unwrap().contains("\"n\":0"), "{roll}");
    for odd in ["\"n\":false", "\"n\":0.0", "\"n\":1,\"n\":0", "\"n\":NaN", "\"n\":\"0\""] {
        let forged = format!("{before}{}", roll.replacen("\"n\":0", odd, 1));
        let (code, said) = script_of(&forged);
        assert!(code == 1, "{odd}: {said}");
        assert!(read(&forged).is_err(), "{odd}");
    }
}

fn die(line: &mut Line) -> bool {
    let Line::Roll { dice, sides, .. } = line else { return false };
    dice[0] = dice[0] % *sides + 1;
    true
}

fn seed(line: &mut Line) -> bool {
    let Line::Seed { seed, .. } = line else { return false };
    *seed = seed.chars().rev().collect();
    true
}

fn commitment(line: &mut Line) -> bool {
    let Line::Commit { commit, .. } = line else { return false };
    *commit = commit.chars().rev().collect();
    true
}

fn nonce(line: &mut Line) -> bool {
    let Line::Nonce { nonce, .. } = line else { return false };
    nonce.push('!');
    true
}

/// Changes a line, if it is one of its kind.
type Tamper = fn(&mut Line) -> bool;

#[test]
fn every_change_of_a_bundle_is_found() {
    let bench = play_by_one("toy-great", 2);
    let whole = lines(&bench, &Asker::Public);
    let found = verify(&whole, TOYS);
    assert_eq!((found.faults.len(), found.rolls_open, found.not_replayed.as_ref()), (0, 0, None), "{found:?}");
    assert!(found.replayed.is_some());
    let tampers: [(&str, Tamper); 10] = [
        ("a die", die),
        ("a seed", seed),
        ("a commitment", commitment),
        ("a nonce", nonce),
        ("the root", |line| {
            if let Line::Root { root, .. } = line {
                root.replace_range(..1, "x");
                true
            } else {
                false
            }
        }),
        ("an entry's body", |line| match line {
            Line::Event { body, entry, .. } if entry == "event" => {
                body.push(' ');
                true
            }
            _ => false,
        }),
        ("a mail's bytes", |line| match line {
            Line::Mail { raw: Some(raw), .. } => {
                raw.replace_range(..4, "AAAA");
                true
            }
            _ => false,
        }),
        ("a mail's digest", |line| match line {
            Line::Mail { sha256, raw: None, .. } => {
                sha256.replace_range(..4, "0000");
                true
            }
            _ => false,
        }),
        ("the master", |line| match line {
            Line::Game(game) => {
                game.master = Some("0f".repeat(32));
                true
            }
            _ => false,
        }),
        ("a scenario file", |line| match line {
            Line::Game(game) => {
                game.files[0].1.push_str("# mended\n");
                true
            }
            _ => false,
        }),
    ];
    for (what, tamper) in tampers {
        let mut changed = whole.clone();
        assert!(changed.iter_mut().any(tamper), "{what}");
        assert_ne!(faults(&changed), Vec::<String>::new(), "{what}");
    }
    // Whatever is left out is missed.
    type Drop = (&'static str, fn(&Line) -> bool);
    let drops: [Drop; 7] = [
        ("a letter", |l| matches!(l, Line::Mail { direction, .. } if direction == "out")),
        ("an order mail", |l| matches!(l, Line::Mail { direction, .. } if direction == "in")),
        ("a roll", |l| matches!(l, Line::Roll { .. })),
        ("a commitment", |l| matches!(l, Line::Commit { .. })),
        ("a nonce", |l| matches!(l, Line::Nonce { .. })),
        ("the root", |l| matches!(l, Line::Root { .. })),
        ("the last entry", |l| matches!(l, Line::Event { .. })),
    ];
    for (what, kind) in drops {
        let mut less = whole.clone();
        less.remove(less.iter().rposition(kind).unwrap());
        assert_ne!(faults(&less), Vec::<String>::new(), "without {what}");
    }
    // An order mail under a digest of its own, and a letter told twice.
    let mut other = whole.clone();
    let raw = b"From: red@example.org\r\n\r\nEND\r\n";
    let mail = other.iter_mut().find_map(|l| match l {
        Line::Mail { raw: Some(raw), sha256, .. } => Some((raw, sha256)),
        _ => None,
    });
    let (kept, digest) = mail.unwrap();
    *kept = data_encoding::BASE64.encode(raw);
    *digest = estafette::dice::hex(&<sha2::Sha256 as sha2::Digest>::digest(raw));
    assert_ne!(faults(&other), Vec::<String>::new(), "another mail for an order mail");
    let letter = whole.iter().find(|l| matches!(l, Line::Mail { direction, .. } if direction == "out")).unwrap();
    assert_ne!(faults(&[&whole[..], std::slice::from_ref(letter)].concat()), Vec::<String>::new(), "a letter twice");
    let dropped: Vec<Line> = whole.iter().filter(|l| !matches!(l, Line::Event { seq: 9, .. })).cloned().collect();
    assert_ne!(faults(&dropped), Vec::<String>::new());
}

#[test]
fn a_chain_forged_whole_is_found_when_the_game_is_played_again() {
    let bench = play_by_one("toy-great", 2);
    let mut whole = lines(&bench, &Asker::Public);
    // Somebody changes what was told once and makes all hashes anew.
    let mut changed = false;
    let mut before = estafette::store::FIRST_PREV.to_owned();
    for line in &mut whole {
        let Line::Event { prev, hash, slot, entry, body, .. } = line else { continue };
        if !changed && entry == "sight" && body.contains(":1") {
            *body = body.replacen(":1", ":2", 1);
            changed = true;
        }
        prev.clone_from(&before);
        *hash = estafette::store::entry_hash(prev, *slot, entry, body);
        before.clone_from(hash);
    }
    assert!(changed);
    let found: Findings = verify(&whole, TOYS);
    assert!(found.faults.len() == 1 && found.faults[0].starts_with("the game comes out otherwise"), "{found:?}");
}

#[test]
fn during_a_game_a_bundle_holds_what_its_asker_may_see() {
    may_see(Bench::begun_by_one("toy-7", "toy-fellows"), "\"kind\":\"nonce\",\"seat\":\"coalition\"");
    may_see(Bench::begun("toy-7", "toy-fellows").0, "[\"coalition\",\"Gott erhalte Franz\"]");
}

fn may_see(mut bench: Bench, given: &str) {
    bench.reply("coalition", "HISTORY");
    let text = write(&lines(&bench, &french()));
    for secret in ["\"master\"", "\"kind\":\"event\"", "\"seat\":\"coalition\",\"message_id\""] {
        assert!(!text.contains(secret), "{secret}");
    }
    assert!(text.contains("\"seat\":\"french\",\"message_id\""));
    let seeds: Vec<&str> = text.lines().filter(|line| line.starts_with("{\"kind\":\"seed\"")).collect();
    assert_eq!(seeds.len(), 2, "slot 0 has closed: {seeds:?}");
    for (seed, scope) in seeds.iter().zip(["public", "french"]) {
        assert!(seed.contains(&format!("\"slot\":0,\"scope\":\"{scope}\"")), "{seed}");
    }
    assert!(text.contains(given), "the salt can be made again: {text}");
    let found = verify(&lines(&bench, &french()), TOYS);
    assert_eq!(found.faults, Vec::<String>::new());
    assert_eq!(found.rolls, 0);
    assert!(found.rolls_open > 0, "{found:?}");
    // The umpire has everything, and it agrees while the game is on.
    let found = verify(&lines(&bench, &Asker::All), TOYS);
    assert_eq!((found.faults, found.rolls_open), (Vec::new(), 0));
    assert!(found.replayed.is_some());
}

#[test]
fn audit_by_mail_sends_the_bundle_that_the_seat_may_have() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let mails = bench.reply("french", "AUDIT");
    assert!(mails[0].text.contains("see the attached toy-7-audit.jsonl"), "{:?}", mails[0]);
    let parsed = mail_parser::MessageParser::new().parse(&mails[0].raw).unwrap();
    let attached = String::from_utf8(parsed.attachment(0).unwrap().contents().to_vec()).unwrap();
    // The answer itself is not in it yet: it was written after.
    let now = lines(&bench, &french());
    let sent = read(&attached.replace("\r\n", "\n")).unwrap();
    assert_eq!(sent[..], now[..now.len() - 1]);
}
