//! The mails of `austerlitz1805` say what is new: their length, what of them was read before, their columns, and that
//! every paragraph that they cite is answered.

use estafette::clock::Clock;
use estafette::demo::{self, Mail, Player, Troupe};
use estafette::games::{self, GAMES};
use estafette::gateway::{NewGame, Office};
use estafette::store::Tempo;
use estafette::{scenario, simulate};
use std::collections::BTreeSet;
use std::path::Path;

const HOUSE: &str = "post@estafette.example";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The mails of the first part of a game between the house's own players; each may begin with a word of his own.
fn played(scenario: &str, tempo: Tempo, mails_max: u32, format: &str) -> Vec<Mail> {
    let dir = tempfile::tempdir().unwrap();
    demo::furnish(dir.path(), HOUSE).unwrap();
    let clock = Clock::from_text("2026-01-01T00:00:00Z").unwrap();
    let mut office = Office::with_clock(dir.path(), GAMES, true, clock).unwrap();
    let seats = [("french", "ney@example.org"), ("allied", "weyrother@example.org")];
    let files = scenario::files(&root().join("scenarios/austerlitz1805").join(scenario)).unwrap();
    let new = NewGame {
        id: "short-1".to_owned(),
        files,
        seats: seats.iter().map(|(s, a)| ((*s).to_owned(), vec![(*a).to_owned()])).collect(),
        umpire: None,
        tempo,
        deadline_hours: Some(48),
        master: Some([11; 32]),
    };
    office.new_game(&new).unwrap();
    let says: &'static str = Box::leak(format!("SIGNON\nFORMAT {format}\nNONCE of my own\n").into_boxed_str());
    let scenes = || vec![demo::Scene { when: &["SIGNON"], says }];
    let players = seats.iter().map(|(s, a)| Player::new(s, a, scenes())).collect();
    let mut mails = Vec::new();
    let mut keep = |mail: &Mail| {
        mails.push(mail.clone());
        Ok(())
    };
    Troupe::new(&mut office, "short-1", players).unwrap().play(mails_max, &mut keep).unwrap();
    if let Ok(path) = std::env::var("DUMP") {
        let all: Vec<String> = mails.iter().map(|m| format!("<<< {} > {}: {}\n{}\n", m.from, m.to, m.subject, m.text)).collect();
        std::fs::write(format!("{path}/{scenario}-{format}.txt"), all.join("\n")).unwrap();
    }
    mails
}

/// Whether a mail is one that goes to every seat when a stage ends.
fn of_stage(mail: &Mail) -> bool {
    mail.from == HOUSE && mail.text.contains("CHANGED SINCE YOUR LAST REPORT")
}

/// Lengths of the stage mails, in order of length, and the lines not blank with how many stood in the mail before.
fn measure(mails: &[Mail]) -> (Vec<usize>, usize, usize) {
    let (mut lengths, mut lines, mut again) = (Vec::new(), 0, 0);
    let seats: BTreeSet<&str> = mails.iter().filter(|m| of_stage(m)).map(|m| m.to.as_str()).collect();
    for seat in seats {
        let mut before: BTreeSet<&str> = BTreeSet::new();
        for mail in mails.iter().filter(|m| of_stage(m) && m.to == seat) {
            let now: Vec<&str> = mail.text.lines().filter(|l| !l.trim().is_empty()).collect();
            let first = before.is_empty();
            lengths.push(mail.text.lines().count());
            if !first {
                lines += now.len();
                again += now.iter().filter(|l| before.contains(*l)).count();
            }
            before = now.into_iter().collect();
        }
    }
    lengths.sort_unstable();
    (lengths, lines, again)
}

fn at(lengths: &[usize], percent: usize) -> usize {
    lengths[(lengths.len() * percent / 100).min(lengths.len() - 1)]
}

fn said(name: &str, (lengths, lines, again): &(Vec<usize>, usize, usize)) {
    let (middle, most) = (at(lengths, 50), at(lengths, 90));
    let longest = lengths.iter().max().unwrap();
    println!("{name}: {} mails, median {middle}, 90 % {most}, longest {longest}; {again} of {lines} again", lengths.len());
}

#[test]
fn the_teaching_game_in_fog_is_told_in_short_mails() {
    let mails = played("fog-teaching.yaml", Tempo::Live, 1000, "76");
    let found = measure(&mails);
    said("fog teaching", &found);
    let (lengths, lines, again) = found;
    assert!(lengths.len() > 20, "{lengths:?}");
    assert!(at(&lengths, 50) <= 60 && at(&lengths, 90) <= 80 && at(&lengths, 100) <= 150, "{lengths:?}");
    assert!(again * 100 <= lines * 15, "{again} of {lines} lines were read before");
    fits(&mails, 76);
}

#[test]
fn the_whole_battle_is_told_in_short_mails() {
    let mails = played("1805-austerlitz.yaml", Tempo::Live, 44, "76");
    let found = measure(&mails);
    said("whole battle", &found);
    let (lengths, lines, again) = found;
    assert!(lengths.len() > 20, "{lengths:?}");
    assert!(at(&lengths, 50) <= 60 && at(&lengths, 90) <= 80, "{lengths:?}");
    assert!(again * 100 <= lines * 15, "{again} of {lines} lines were read before");
    for mail in mails.iter().filter(|m| of_stage(m)) {
        let most = if mail.text.contains("The fog lifts") { 200 } else { 150 };
        assert!(mail.text.lines().count() <= most, "{}:\n{}", mail.subject, mail.text);
    }
    fits(&mails, 76);
}

#[test]
fn a_phone_reads_the_same_game_in_forty_columns() {
    let mails = played("fog-teaching.yaml", Tempo::Live, 30, "40");
    let found = measure(&mails);
    said("phone", &found);
    assert!(found.0.len() > 10, "{:?}", found.0);
    let signed = mails.iter().position(of_stage).unwrap();
    fits(&mails[signed..], 40);
    assert!(mails.iter().filter(|m| of_stage(m)).all(|m| !m.text.contains("\nMAP ")), "a map on a phone");
}

/// No line of a mail of the house is wider than its page.
fn fits(mails: &[Mail], columns: usize) {
    for mail in mails.iter().filter(|m| m.from == HOUSE) {
        for line in mail.text.lines() {
            assert!(line.chars().count() <= columns, "{}: {line}\n{}", mail.subject, mail.text);
        }
    }
}

#[test]
fn every_row_of_the_index_is_answered_by_rules() {
    let files = scenario::files(&root().join("scenarios/austerlitz1805/teaching.yaml")).unwrap();
    let game = simulate::open(games::find(GAMES, "austerlitz1805").unwrap(), &files, 1).unwrap();
    let index = std::fs::read_to_string(root().join("tests/rules/austerlitz1805.tsv")).unwrap();
    let mut rows = 0;
    for row in index.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        let (section, statement) = (columns[1], columns[3]);
        let word = section.split([' ', ',']).next().unwrap();
        assert!(game.rule(word).iter().any(|line| line == statement), "RULES {word}: {statement}");
        rows += 1;
    }
    assert_eq!(rows, 499);
    for (asked, wanted) in [("16.4", "corps"), ("13.1", "Movement phase"), ("¶9.1", "d6 of HD"), ("16", "See also 16.")] {
        assert!(game.rule(asked).iter().any(|line| line.contains(wanted)), "{asked}: {:?}", game.rule(asked));
    }
    for unknown in ["", "99", "16.4.99", "of", "."] {
        assert_eq!(game.rule(unknown), Vec::<String>::new(), "{unknown}");
    }
}

/// Paragraphs in square brackets: `[9.1, 12.4]`, `[17.1.2-17.1.4]`.
fn cited(text: &str) -> BTreeSet<String> {
    let inside = text.split('[').skip(1).filter_map(|rest| rest.split_once(']')).map(|(inside, _)| inside.to_owned());
    let numbers = inside.flat_map(|words| {
        let split = words.split([',', ' ', '-', '\n']).map(str::to_owned);
        split.filter(|word| word.chars().all(|c| c.is_ascii_digit() || c == '.')).collect::<Vec<_>>()
    });
    numbers.filter(|number| !number.is_empty()).collect()
}

#[test]
fn every_paragraph_that_a_mail_cites_is_answered() {
    let files = scenario::files(&root().join("scenarios/austerlitz1805/teaching.yaml")).unwrap();
    let game = simulate::open(games::find(GAMES, "austerlitz1805").unwrap(), &files, 1).unwrap();
    let mut all = BTreeSet::new();
    for (scenario, most) in [("fog-teaching.yaml", 1000), ("teaching.yaml", 1000)] {
        let mails = played(scenario, Tempo::Live, most, "76");
        all.extend(mails.iter().filter(|m| m.from == HOUSE).flat_map(|m| cited(&m.text)));
    }
    assert!(all.len() > 20, "{all:?}");
    for paragraph in all {
        assert!(!game.rule(&paragraph).is_empty(), "nothing under {paragraph}");
    }
}
