//! Forgeries that a red team made of a finished bundle: each is found, by us, and by a third party's script where it can.

use super::{die, french, lines, script};
use crate::gateway::bench::{Bench, CONFIG, TOYS};
use crate::gateway::whole::{play, play_by_one};
use estafette::audit::bundle::Asker;
use estafette::audit::verify::{Findings, Verdict, verify};
use estafette::audit::{GameLine, Line, read, write};

/// A finished game's bundle, by dice protocol 1; `two.rs` has those of protocol 2.
fn finished() -> Vec<Line> {
    let whole = lines(&play_by_one("toy-fellows", 1), &Asker::Public);
    assert_eq!(verify(&whole, TOYS).verdict, Verdict::Agrees);
    whole
}

/// A mail that nobody wrote, with the digest of its bytes.
fn invented(seat: &str) -> Line {
    Line::Mail {
        direction: "in".to_owned(),
        seat: seat.to_owned(),
        message_id: "forged@x".to_owned(),
        sha256: "fc77c727ec299b9ccf083cdff8f652d0d33d6923b0f996758913e68e1c308500".to_owned(),
        raw: Some("RnJvbTogd2V5QGV4YW1wbGUubmV0ClN1YmplY3Q6IHgKCkkgY2hlYXQK".to_owned()),
    }
}

fn game(lines: &mut [Line]) -> &mut GameLine {
    let Line::Game(game) = &mut lines[0] else { panic!("no game") };
    game
}

/// Both verdicts on a forgery.
fn found(what: &str, forged: &[Line]) {
    let findings: Findings = verify(forged, TOYS);
    assert_eq!(findings.verdict, Verdict::Differs, "{what}: {findings:?}");
    let (code, said) = script(forged);
    assert_eq!(code, 1, "{what}: {said}");
    assert!(!said.contains(" 0 faults"), "{what}: {said}");
}

#[test]
fn every_mail_of_a_bundle_is_named_by_the_chain_once_with_its_seat_name_and_digest() {
    let whole = finished();
    let at = whole.iter().rposition(|l| matches!(l, Line::Mail { direction, .. } if direction == "in")).unwrap();
    let changed = |change: &dyn Fn(&mut String, &mut String)| {
        let mut copy = whole[at].clone();
        let Line::Mail { seat, message_id, .. } = &mut copy else { panic!("no mail") };
        change(seat, message_id);
        copy
    };
    let other = |seat: &mut String| *seat = if *seat == "french" { "coalition".into() } else { "french".into() };
    let more = [
        ("an invented mail", invented("coalition")),
        ("a mail of a seat that is none", invented("prussian")),
        ("a mail under another name", changed(&|_, id| id.insert(0, 'x'))),
        ("a mail of the other seat", changed(&|seat, _| other(seat))),
        ("a mail twice", whole[at].clone()),
    ];
    for (what, line) in more {
        let mut forged = whole.clone();
        forged.insert(at, line);
        found(what, &forged);
    }
    let mut forged = whole.clone();
    forged[at] = changed(&|seat, _| other(seat));
    found("a mail given to the other seat", &forged);
    let mut forged = whole;
    let Line::Mail { direction, .. } = &mut forged[at] else { panic!("no mail") };
    *direction = "out".to_owned();
    found("a mail that came told as one that went", &forged);
}

/// What was put aside unread has done nothing: no bundle names it, and the chain does not either.
#[test]
fn a_mail_of_a_flood_stands_in_no_bundle() {
    let mut bench = Bench::with_config(&format!("{CONFIG}[limits]\nmails_per_hour_max = 3\n"));
    bench.new_game("toy-7", "toy-fellows", false);
    bench.pass();
    for seat in ["french", "coalition"] {
        bench.reply(seat, "SIGNON\nNONCE x\n");
    }
    for _ in 0..4 {
        bench.reply("french", "DEADLINE\n");
    }
    assert!(bench.office.store.inbox_ids_of_game("toy-7").unwrap().len() > 5);
    let whole = lines(&bench, &Asker::All);
    let found = verify(&whole, TOYS);
    assert_eq!((found.faults, found.mails_in), (Vec::new(), 4), "three of french, one of coalition");
    let own = lines(&bench, &french());
    assert_eq!(verify(&own, TOYS).mails_in, 3);
}

#[test]
fn an_audit_says_how_many_mails_had_their_bytes() {
    let mut whole = finished();
    let before = verify(&whole, TOYS);
    assert!(before.mails == before.mails_in && before.mails > 3 && before.mails_out > 3, "{before:?}");
    for line in &mut whole {
        if let Line::Mail { raw, .. } = line {
            *raw = None;
        }
    }
    let found = verify(&whole, TOYS);
    // Whether the orders are those of the mails, nobody can tell.
    assert_eq!((found.mails, found.mails_in, found.verdict), (0, before.mails_in, Verdict::NotVerified));
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("bundle.jsonl");
    std::fs::write(&path, write(&whole)).unwrap();
    let mut said = Vec::new();
    let args = ["estafette", "audit", "--bundle", path.to_str().unwrap()].map(Into::into);
    assert_eq!(estafette::cli::run(args, TOYS, &mut said, &mut std::io::sink()), 4);
    let said = String::from_utf8(said).unwrap();
    assert!(said.contains(&format!("  0 of {} mails that came in", before.mails_in)), "{said}");
}

#[test]
fn what_the_game_line_says_is_what_the_chain_and_the_scenario_say() {
    let whole = finished();
    type Change = (&'static str, fn(&mut GameLine), bool);
    let changes: [Change; 9] = [
        ("the engine version", |game| game.engine = "99".to_owned(), true),
        ("an earlier engine version", |game| game.engine = "0".to_owned(), true),
        ("the ruleset", |game| game.ruleset = "toy-great".to_owned(), true),
        ("the tempo", |game| game.tempo = if game.tempo == "live" { "sealed".into() } else { "live".into() }, true),
        ("the scenario's digest", |game| game.scenario = "0".repeat(64), true),
        ("the salt left out", |game| game.salt = None, true),
        ("the master left out", |game| game.master = None, false),
        ("a side too many", |game| game.sides.push("prussian".to_owned()), true),
        // Only the rules know it.
        ("the sides swapped", |game| game.sides.reverse(), false),
    ];
    for (what, change, by_script) in changes {
        let mut forged = whole.clone();
        change(game(&mut forged));
        let verdict = verify(&forged, TOYS).verdict;
        let master = game(&mut forged).master.is_some();
        assert_eq!(verdict, if master { Verdict::Differs } else { Verdict::NotVerified }, "{what}");
        let (code, said) = script(&forged);
        assert_eq!(code, i32::from(by_script || !master), "{what}: {said}");
    }
    let mut forged = whole.clone();
    game(&mut forged).seats.reverse();
    found("the seats swapped", &forged);
}

#[test]
fn a_line_with_a_field_that_nobody_knows_is_refused() {
    let text = write(&finished());
    for kind in ["game", "commit", "root", "nonce", "seed", "roll", "mail", "event"] {
        let from = format!("{{\"kind\":\"{kind}\",");
        let changed = text.replacen(&from, &format!("{from}\"surprise\":1,"), 1);
        assert_ne!(changed, text, "{kind}");
        assert!(read(&changed).unwrap_err().contains("surprise"), "{kind}");
        let (code, said) = super::script_of(&changed);
        assert_eq!(code, 1, "{kind}: {said}");
    }
    let (code, said) = super::script_of(&(text + "{\"kind\":\"surprise\"}\n"));
    assert_eq!(code, 1, "{said}");
}

#[test]
fn false_dice_are_found_however_what_would_show_them_is_put_away() {
    let whole = finished();
    let rolls: Vec<usize> =
        whole.iter().enumerate().filter(|(_, line)| matches!(line, Line::Roll { .. })).map(|(at, _)| at).collect();
    let [first, second, ..] = rolls[..] else { panic!("two rolls") };
    let with = |change: &dyn Fn(&mut Vec<Line>)| {
        let mut forged = whole.clone();
        change(&mut forged);
        forged
    };
    found("all seeds dropped", &with(&|lines| lines.retain(|line| !matches!(line, Line::Seed { .. }))));
    found(
        "all seeds dropped, and dice of one",
        &with(&|lines| {
            lines.retain(|line| !matches!(line, Line::Seed { .. }));
            for line in lines {
                if let Line::Roll { dice, .. } = line {
                    dice.fill(1);
                }
            }
        }),
    );
    found(
        "a die changed by a fiat that nobody said",
        &with(&|lines| {
            die(&mut lines[first]);
            let Line::Roll { fiat, .. } = &mut lines[first] else { panic!("no roll") };
            *fiat = true;
        }),
    );
    found("a roll dropped", &with(&|lines| drop(lines.remove(first))));
    found("a roll twice", &with(&|lines| lines.insert(first, whole[first].clone())));
    found("two rolls swapped", &with(&|lines| lines.swap(first, second)));
    let nonce = whole.iter().position(|line| matches!(line, Line::Nonce { .. })).unwrap();
    let of = |seat: &str| Line::Nonce { seat: seat.to_owned(), nonce: "other words".to_owned() };
    let Line::Nonce { seat, .. } = &whole[nonce] else { panic!("no nonce") };
    found("a second nonce", &with(&|lines| lines.insert(nonce, of(seat))));
    found("a nonce of a seat that is none", &with(&|lines| lines.insert(nonce, of("prussian"))));
    found("another master", &with(&|lines| game(lines).master = Some("0f".repeat(32))));
    let seed = whole.iter().position(|line| matches!(line, Line::Seed { .. })).unwrap();
    found("a seed twice", &with(&|lines| lines.insert(seed, whole[seed].clone())));
    found("one seed dropped", &with(&|lines| drop(lines.remove(seed))));
    found("the chain dropped", &with(&|lines| lines.retain(|line| !matches!(line, Line::Event { .. }))));
    // While a game is on there is no chain, and a roll stands once all the same.
    let (bench, _) = Bench::begun("toy-7", "toy-fellows");
    let mut open = lines(&bench, &french());
    let roll = open.iter().find(|line| matches!(line, Line::Roll { .. })).unwrap().clone();
    open.push(roll);
    found("a roll twice while the game is on", &open);
}

#[test]
fn an_audit_prints_the_root_to_compare_with_the_opening_mail_and_the_head_of_the_chain() {
    let bench = play("toy-fellows", 1);
    let whole = lines(&bench, &Asker::Public);
    let root =
        whole.iter().find_map(|line| if let Line::Root { root, .. } = line { Some(root) } else { None }).unwrap();
    assert!(bench.out()[0].text.contains(root.as_str()), "the opening mail has it: {}", bench.out()[0].text);
    let head = bench.office.store.log_head("toy-7").unwrap().hash;
    let dir = bench.dir.path().to_str().unwrap();
    let run = |more: &[&str]| {
        let mut said = Vec::new();
        let args =
            ["estafette", "audit", "--dir", dir, "toy-7"].into_iter().chain(more.iter().copied()).map(Into::into);
        assert_eq!(estafette::cli::run(args, TOYS, &mut said, &mut std::io::sink()), 0);
        String::from_utf8(said).unwrap()
    };
    let said = run(&[]);
    assert!(said.contains(&format!("root {root},\n    to be compared with your opening mail")), "{said}");
    assert!(said.contains(&format!("head {head}")), "{said}");
    let json: serde_json::Value = serde_json::from_str(&run(&["--json"])).unwrap();
    assert_eq!((&json["roots"][0], &json["head"]), (&root.as_str().into(), &head.as_str().into()), "{json}");
    let (code, said) = super::script_with(&write(&whole), &["--head"]);
    assert!(code == 0 && said.contains(&format!("root {root}: compare")) && said.contains(&head), "{said}");
}
