//! Forgeries of a bundle of dice protocol 2: each line of its own kinds changed, left out, doubled and moved, and found by us
//! and by a third party's script; where only we can find it, that is said.

use crate::gateway::bench::{Bench, CONFIG, TOYS, new_game};
use crate::gateway::whole::line;
use crate::toys::Whim;
use estafette::audit::bundle::{Asker, bundle};
use estafette::audit::verify::{Verdict, verify};
use estafette::audit::{Line, write};
use estafette::gateway::{NewGame, table};
use estafette::store::GameState;
use estafette::terms;

const GAME: &str = "toy-7";
/// A published round, and a second from which on its hour of waiting leads to it.
const BEFORE: &str = "2023-08-23T14:59:24Z";
const ROUND: &str = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";

/// How a game is played.
#[derive(Clone, Copy)]
pub struct Way {
    /// From when on, and the round that comes after an hour.
    pub beacon: Option<(&'static str, u32, &'static str)>,
    /// The words of the second seat.
    pub words: &'static str,
    /// Whether the first seat asks for something before it writes.
    pub asks: bool,
    pub master: Option<[u8; 32]>,
}

pub const WITH_ROUND: Way =
    Way { beacon: Some((BEFORE, 1000, ROUND)), words: "Gott erhalte Franz", asks: false, master: None };

/// The bundle of a finished game with a beacon or without; play has gone back once in the second.
pub fn finished(beacon: bool) -> Vec<Line> {
    let way = Way { beacon: WITH_ROUND.beacon.filter(|_| beacon), ..WITH_ROUND };
    played(&way).0
}

/// The same, with the mails of the first seat.
pub fn played(way: &Way) -> (Vec<Line>, Vec<Vec<u8>>) {
    let beacon = way.beacon.is_some();
    let mut bench = Bench::at(CONFIG, way.beacon.map_or(BEFORE, |beacon| beacon.0));
    let terms = terms::read("o.yaml", if beacon { "beacon: quicknet\n" } else { "beacon: none\n" }).unwrap();
    let new = NewGame { master: way.master, ..new_game(GAME, "toy-fellows", true) };
    bench.office.new_game_on(&new, Some(&terms)).unwrap();
    bench.pass();
    bench.reply("french", "SIGNON\nNONCE Vive l'Empereur\n");
    bench.reply("coalition", &format!("SIGNON\nNONCE {}\n", way.words));
    if let Some((_, round, signature)) = way.beacon {
        bench.advance(1);
        bench.reply("french", &format!("BEACON {round} {signature}\n"));
    }
    if way.asks {
        bench.reply("french", "DEADLINE\n");
    }
    ended(bench, (!beacon).then_some(4))
}

/// A finished game of dice protocol 1, with the letters to the first seat.
pub fn one(master: [u8; 32]) -> (Vec<Line>, Vec<Vec<u8>>) {
    let mut bench = Bench::at(CONFIG, BEFORE);
    let terms = terms::read("o.yaml", "deadline: 48h\n").unwrap();
    let new = NewGame { master: Some(master), ..new_game(GAME, "toy-fellows", true) };
    bench.office.new_game_by(&new, Some(&terms), 1).unwrap();
    bench.pass();
    bench.reply("french", "SIGNON\nNONCE Vive l'Empereur\n");
    bench.reply("coalition", "SIGNON\nNONCE Gott erhalte Franz\n");
    ended(bench, Some(4))
}

/// Plays a game to its end; it goes back once before the mail of that number.
pub fn ended(mut bench: Bench, rewind: Option<u32>) -> (Vec<Line>, Vec<Vec<u8>>) {
    let mut whim = Whim(40);
    for n in 0..400 {
        if bench.office.store.game(GAME).unwrap().unwrap().state == GameState::Over {
            let row = bench.office.store.game(GAME).unwrap().unwrap();
            let hosted = table::open(TOYS, &bench.office.store, &row).unwrap();
            let whole = bundle(&bench.office.store, &row, hosted.as_ref(), &Asker::Public).unwrap();
            let found = verify(&whole, TOYS);
            assert_eq!(found.verdict, Verdict::Agrees, "{found:?}");
            let out = bench.out();
            return (
                whole,
                crate::gateway::bench::to(&out, "french").into_iter().map(|mail| mail.raw.clone()).collect(),
            );
        }
        if rewind == Some(n) {
            bench.reply("umpire", "REWIND 2 REASON a wrong road\n");
        }
        let (seat, body) = line(&bench, &mut whim);
        bench.reply(&seat, &body);
    }
    panic!("the game does not end");
}

/// A line's kind, as bundles write it.
fn kind(line: &Line) -> String {
    let json = serde_json::to_value(line).unwrap();
    json["kind"].as_str().unwrap().to_owned()
}

/// Both verdicts on a forgery: what our audit finds, and whether the script finds it too.
fn found(what: &str, forged: &[Line], by_script: bool) {
    let findings = verify(forged, TOYS);
    assert_ne!(findings.verdict, Verdict::Agrees, "{what}");
    assert_eq!(findings.verdict, Verdict::Differs, "{what}: {findings:?}");
    let (code, said) = super::script_of(&write(forged));
    assert_eq!(code, i32::from(by_script), "{what}: {said}");
}

/// The places of all lines of a kind.
fn places(lines: &[Line], wanted: &str) -> Vec<usize> {
    lines.iter().enumerate().filter(|(_, line)| kind(line) == wanted).map(|(at, _)| at).collect()
}

#[test]
fn no_line_can_be_left_out_or_doubled() {
    for beacon in [true, false] {
        let whole = finished(beacon);
        let mut kinds: Vec<String> = whole.iter().map(kind).collect();
        kinds.sort();
        kinds.dedup();
        assert_eq!(kinds, ["commit", "event", "game", "mail", "notice", "roll", "root", "seed", "terms"]);
        for kind in kinds {
            for at in [places(&whole, &kind)[0], *places(&whole, &kind).last().unwrap()] {
                // Without its game a bundle is none: the script does not read it.
                if kind != "game" {
                    let mut less = whole.clone();
                    less.remove(at);
                    found(&format!("a {kind} left out"), &less, true);
                }
                let mut more = whole.clone();
                more.insert(at, whole[at].clone());
                found(&format!("a {kind} twice"), &more, true);
            }
            if kind != "game" {
                let none: Vec<Line> = whole.iter().filter(|line| self::kind(line) != kind).cloned().collect();
                // Rolls, mails and seeds stand in the chain, too, whose events only we need.
                found(&format!("all lines of kind {kind} left out"), &none, true);
            }
        }
    }
}

/// Changes the notices of a bundle, or the last of them.
fn with_notice(whole: &[Line], change: impl Fn(&mut Line)) -> Vec<Line> {
    let mut forged = whole.to_vec();
    let at = *places(whole, "notice").last().unwrap();
    change(&mut forged[at]);
    forged
}

#[test]
fn a_notice_its_words_value_salt_and_master_are_fixed() {
    type Change = (&'static str, fn(&mut Line));
    let all: [Change; 9] = [
        ("another number", |line| {
            let Line::Notice { no, .. } = line else { return };
            *no += 1;
        }),
        ("another time", |line| {
            let Line::Notice { text: Some(text), .. } = line else { return };
            *text = text.replace("at 2023", "at 2022");
        }),
        ("no text", |line| {
            let Line::Notice { text, .. } = line else { return };
            *text = None;
        }),
        ("another salt", |line| {
            let Line::Notice { salt, .. } = line else { return };
            *salt = Some("0".repeat(64));
        }),
        ("no salt", |line| {
            let Line::Notice { salt, .. } = line else { return };
            *salt = None;
        }),
        ("another master", |line| {
            let Line::Notice { master, .. } = line else { return };
            *master = Some("1".repeat(64));
        }),
        ("no master", |line| {
            let Line::Notice { master, .. } = line else { return };
            *master = None;
        }),
        ("a value more or another", |line| {
            let Line::Notice { value, .. } = line else { return };
            *value = Some("00".to_owned());
        }),
        ("words of a seat that is none", |line| {
            let Line::Notice { words, .. } = line else { return };
            words.push(("prussian".to_owned(), "x".to_owned()));
        }),
    ];
    let beacon: [Change; 5] = [
        ("words changed", |line| {
            let Line::Notice { words, .. } = line else { return };
            words[0].1.push('!');
        }),
        ("words swapped", |line| {
            let Line::Notice { words, .. } = line else { return };
            let first = words[0].1.clone();
            words[0].1 = std::mem::replace(&mut words[1].1, first);
        }),
        ("words left out", |line| {
            let Line::Notice { words, .. } = line else { return };
            words.clear();
        }),
        ("no value", |line| {
            let Line::Notice { value, .. } = line else { return };
            *value = None;
        }),
        ("another round", |line| {
            let Line::Notice { text: Some(text), .. } = line else { return };
            *text = text.replace("quicknet 1000", "quicknet 1001");
        }),
    ];
    for whole in [finished(true), finished(false)] {
        for (what, change) in all {
            found(what, &with_notice(&whole, change), true);
        }
    }
    let whole = finished(true);
    for (what, change) in beacon {
        found(what, &with_notice(&whole, change), true);
    }
}

#[test]
fn terms_and_game_line_are_bound_into_the_root() {
    let whole = finished(false);
    let at = places(&whole, "terms")[0];
    for (what, from, to) in [
        ("tempo", "tempo live", "tempo sealed"),
        ("rules", "rules ", "rules f"),
        ("slots", "slots 3", "slots 4"),
        ("beacon", "beacon none", "beacon quicknet 3600"),
        ("seat", "seat french french", "seat french coalition"),
        ("game", "game toy-7", "game toy-8"),
    ] {
        let mut forged = whole.clone();
        let Line::Terms { text } = &mut forged[at] else { panic!("no terms") };
        assert!(text.contains(from), "{what}: {text}");
        *text = text.replacen(from, to, 1);
        found(&format!("the terms' {what}"), &forged, true);
    }
    for protocol in [1, 3] {
        let mut forged = whole.clone();
        let Line::Game(game) = &mut forged[0] else { panic!("no game") };
        game.protocol = protocol;
        found(&format!("protocol {protocol}"), &forged, true);
    }
    for master in [None, Some("0".repeat(64))] {
        let mut forged = whole.clone();
        let Line::Game(game) = &mut forged[0] else { panic!("no game") };
        game.files[0].1.push_str("# x\n");
        game.master = master;
        found("a file of the scenario", &forged, true);
    }
}

#[test]
fn the_second_notice_with_its_slots_cannot_be_made_to_disappear() {
    let whole = finished(false);
    let (notices, roots) = (places(&whole, "notice"), places(&whole, "root"));
    assert_eq!((notices.len(), roots.len()), (2, 2));
    let Line::Root { from, .. } = &whole[roots[1]] else { panic!("no root") };
    let mut forged = whole.clone();
    forged.retain(|line| match line {
        Line::Notice { no, .. } => *no == 0,
        Line::Root { from: own, .. } => own < from,
        Line::Commit { slot, .. } | Line::Seed { slot, .. } | Line::Roll { slot, .. } => slot < from,
        _ => true,
    });
    found("the second notice with its slots", &forged, true);
    let mut forged = whole.clone();
    let first = whole[notices[0]].clone();
    let Line::Notice { master: Some(first), .. } = first else { panic!("no master") };
    let Line::Notice { master, .. } = &mut forged[notices[1]] else { panic!("no notice") };
    *master = Some(first);
    found("the first master twice", &forged, true);
}

#[test]
fn the_first_program_is_the_one_that_the_terms_name() {
    let whole = finished(false);
    let x = super::forger::Exhibit {
        name: "a game whose secrets nobody fixed",
        master: match &whole[places(&whole, "notice")[0]] {
            Line::Notice { master: Some(master), .. } => {
                data_encoding::HEXLOWER.decode(master.as_bytes()).unwrap().try_into().unwrap()
            }
            other => panic!("{other:?}"),
        },
        lines: whole,
        mailbox: Vec::new(),
        two: true,
    };
    let forged = x.entry("post.program", super::forger::Which::First, |body| body["rules"] = "00".repeat(32).into());
    found("the rules of the program", &forged.unwrap(), true);
}
