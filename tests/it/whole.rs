//! Whole games by mail between the program's own players, through the daemon's passes, and their audit by others.

use estafette::audit;
use estafette::audit::bundle::{Asker, bundle};
use estafette::audit::verify::verify;
use estafette::clock::Clock;
use estafette::demo::{self, Mail, Player, Troupe};
use estafette::games::GAMES;
use estafette::gateway::{NewGame, Office, game_of, table};
use estafette::host::paper::Paper;
use estafette::rules::campaigns::Campaigns;
use estafette::scenario;
use estafette::store::{GameState, Tempo};
use std::path::Path;
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Plays a scenario to its end by mail; gives all mails and the audit bundle.
pub fn by_mail(dir: &Path, (ruleset, scenario): (&str, &str), tempo: Tempo) -> (Vec<Mail>, String) {
    demo::furnish(dir, "post@estafette.example").unwrap();
    let clock = Clock::from_text("2026-01-01T00:00:00Z").unwrap();
    let mut office = Office::with_clock(dir, GAMES, true, clock).unwrap();
    let other = if ["austerlitz1805", "great_battles"].contains(&ruleset) { "allied" } else { "coalition" };
    let seats = [("french", "ney@example.org"), (other, "weyrother@example.org")];
    let files = scenario::files(&root().join("scenarios").join(ruleset).join(scenario)).unwrap();
    // A side that the rules lead has no seat.
    let entry = estafette::games::find(GAMES, ruleset).unwrap();
    let seated = estafette::simulate::open(entry, &files, 1).unwrap().seats();
    let seats: Vec<_> = seats.into_iter().filter(|(s, _)| seated.iter().any(|(id, _)| id.0 == *s)).collect();
    let new = NewGame {
        id: "whole-1".to_owned(),
        files,
        seats: seats.iter().map(|(s, a)| ((*s).to_owned(), vec![(*a).to_owned()])).collect(),
        umpire: None,
        tempo,
        deadline_hours: Some(48),
        master: Some([11; 32]),
    };
    office.new_game(&new).unwrap();
    let players = seats.iter().map(|(s, a)| Player::new(s, a, Vec::new())).collect();
    let mut mails = Vec::new();
    Troupe::new(&mut office, "whole-1", players)
        .unwrap()
        .play(1000, &mut |mail| {
            mails.push(mail.clone());
            Ok(())
        })
        .unwrap();
    let row = game_of(&office.store, "whole-1").unwrap();
    assert_eq!(row.state, GameState::Over, "the game came to no end in {} mails", mails.len());
    let game = table::open(GAMES, &office.store, &row).unwrap();
    let lines = bundle(&office.store, &row, game.as_ref(), &Asker::All).unwrap();
    let findings = verify(&lines, GAMES);
    assert_eq!(findings.faults, Vec::<String>::new());
    assert!(findings.replayed.is_some_and(|entries| entries > 100), "{:?}", findings.not_replayed);
    assert!(findings.rolls > 0, "a game without dice proves nothing");
    (mails, audit::write(&lines))
}

/// No line of a report is wider than its page, and none ends in a blank.
pub fn well_formed(mails: &[Mail]) {
    for mail in mails.iter().filter(|m| m.from == "post@estafette.example") {
        for line in mail.text.lines() {
            assert!(line.chars().count() <= 76, "{}: {line}", mail.subject);
            assert_eq!(line.trim_end(), line, "{}", mail.subject);
            assert!(!line.contains("is not 76, 40"), "an order was taken for FORMAT: {}", mail.text);
        }
    }
}

/// What one seat wrote and read in a game, in order: subject and text, without what differs from game to game.
fn transcript(mails: &[Mail], address: &str) -> String {
    let mut text = String::new();
    for mail in mails.iter().filter(|m| m.from == address || m.to == address) {
        let who = if mail.from == address { ">" } else { "<" };
        let subject = mail.subject.rsplit_once(" [").unwrap().0;
        text.push_str(&format!("{who}{who}{who} {subject}\n\n{}\n\n", mail.text.trim_end()));
    }
    text
}

/// Compares with a file under `tests/games/`; `GOLDEN=1` writes it anew.
pub fn golden(name: &str, text: &str) {
    // A seal is over the chain, which names the program that was built.
    let sealed = |line: &str| if line.starts_with("seal ") { "seal ...\n".to_owned() } else { format!("{line}\n") };
    let text = &text.lines().map(sealed).collect::<String>();
    let path = root().join("tests/games").join(name);
    if std::env::var("GOLDEN").is_ok() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    let line = kept.lines().zip(text.lines()).position(|(a, b)| a != b);
    if let Some(at) = line {
        let near = |text: &str| text.lines().skip(at.saturating_sub(3)).take(7).collect::<Vec<_>>().join("\n");
        panic!("{name} differs from line {}:\n--- kept\n{}\n--- now\n{}", at + 1, near(&kept), near(text));
    }
    assert_eq!(kept.lines().count(), text.lines().count(), "{name} has another length");
}

/// Letters that come again and again keep to 150 lines; one is longer only where it has one map left: answers
/// and events are never left out. Gives the lines of each.
pub fn in_budget(mails: &[Mail]) -> Vec<usize> {
    let mut lengths = Vec::new();
    for mail in mails.iter().filter(|m| m.from == "post@estafette.example" && m.subject.starts_with("Turn ")) {
        let lines = mail.text.lines().count();
        assert!(lines <= 150 || !mail.text.contains("\nMAP 2 "), "{} lines: {}", lines, mail.text);
        lengths.push(lines);
    }
    lengths
}

/// The mails of a seat are short, begin with what is new, and repeat little of the one before. Gives the lines of each.
pub fn brief(mails: &[Mail], seat: &str) -> Vec<usize> {
    let reports = mails.iter().filter(|m| m.to == seat && m.text.contains("CHANGED SINCE YOUR LAST REPORT"));
    let (mut lengths, mut last) = (Vec::new(), Vec::new());
    let (mut lines, mut again) = (0, 0);
    for mail in reports {
        let said: Vec<&str> = mail.text.lines().filter(|line| !line.trim().is_empty()).collect();
        lines += said.len();
        again += said.iter().filter(|line| last.contains(*line)).count();
        lengths.push(mail.text.lines().count());
        last = said;
    }
    assert!(again * 100 <= lines * 15, "{seat}: {again} of {lines} lines stood in the mail before");
    lengths
}

/// Median, that of nine in ten, and the longest.
pub fn spread(mut lengths: Vec<usize>) -> (usize, usize, usize) {
    lengths.sort_unstable();
    (lengths[lengths.len() / 2], lengths[lengths.len() * 9 / 10], lengths[lengths.len() - 1])
}

/// Every paragraph that a mail cites is answered by RULES.
pub fn cites_what_is_known(mails: &[Mail], known: impl Fn(&str) -> bool) -> usize {
    let mut cited = std::collections::BTreeSet::new();
    for text in mails.iter().filter(|m| m.from == "post@estafette.example").map(|m| &m.text) {
        for bracket in text.split('¶').skip(1).map(|rest| rest.split([']', ')']).next().unwrap()) {
            for number in bracket.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty()) {
                let ends: Vec<u32> = number.split('-').map_while(|end| end.split('.').next()?.parse().ok()).collect();
                match ends.as_slice() {
                    [] => break,
                    [one] => cited.extend([*one]),
                    [from, to, ..] => cited.extend(*from..=*to),
                }
            }
        }
    }
    for number in &cited {
        assert!(known(&number.to_string()), "nothing is known of ¶{number}");
    }
    cited.len()
}

fn a_third_party_agrees(dir: &Path, bundle: &str) {
    let path = dir.join("bundle.jsonl");
    std::fs::write(&path, bundle).unwrap();
    let script = root().join("tests/audit/verify.py");
    let out = Command::new("python3").arg(script).arg(&path).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stdout));
}

#[test]
fn the_teaching_game_is_played_to_its_end_by_mail_in_both_tempos() {
    for tempo in [Tempo::Live, Tempo::Sealed] {
        let dir = tempfile::tempdir().unwrap();
        let (mails, bundle) = by_mail(dir.path(), ("campaigns", "teaching.yaml"), tempo);
        well_formed(&mails);
        a_third_party_agrees(dir.path(), &bundle);
    }
}

#[test]
fn moravia_is_played_to_its_end_by_mail_and_audited_by_a_third_party() {
    let dir = tempfile::tempdir().unwrap();
    let (mails, bundle) = by_mail(dir.path(), ("campaigns", "1805-moravia.yaml"), Tempo::Live);
    well_formed(&mails);
    let lengths: Vec<usize> =
        ["ney@example.org", "weyrother@example.org"].into_iter().flat_map(|seat| brief(&mails, seat)).collect();
    assert!(lengths.len() > 100, "{lengths:?}");
    let (middle, most, longest) = spread(lengths);
    println!("stage mails of Moravia: median {middle}, nine of ten {most}, longest {longest}");
    assert!(middle <= 60 && most <= 80 && longest <= 150, "{middle}, {most}, {longest}");
    let cited = cites_what_is_known(&mails, |number| !<Campaigns as Paper>::rule(number).is_empty());
    assert!(cited > 30, "{cited} paragraphs");
    for opening in mails.iter().filter(|m| m.text.contains("TO BEGIN, answer this mail")) {
        assert!(opening.text.contains("\nHOW YOU WIN\n"), "{}", opening.text);
    }
    assert!(mails.iter().any(|m| m.text.contains("turn 10 of 10") || m.text.contains("morale")), "it ended too early");
    golden("moravia/french.txt", &transcript(&mails, "ney@example.org"));
    golden("moravia/coalition.txt", &transcript(&mails, "weyrother@example.org"));
    a_third_party_agrees(dir.path(), &bundle);
}

#[test]
fn austerlitz_is_played_to_its_end_by_mail_in_the_open_and_in_the_fog() {
    for (scenario, tempo) in [("teaching.yaml", Tempo::Sealed), ("fog-teaching.yaml", Tempo::Live)] {
        let dir = tempfile::tempdir().unwrap();
        let (mails, bundle) = by_mail(dir.path(), ("austerlitz1805", scenario), tempo);
        well_formed(&mails);
        let fog = scenario == "fog-teaching.yaml";
        for (word, wanted) in [("is uncovered", fog), ("new chits in this turn", fog), ("morale ", true)] {
            assert_eq!(mails.iter().any(|m| m.text.contains(word)), wanted, "{scenario}: {word}");
        }
        a_third_party_agrees(dir.path(), &bundle);
    }
}

#[test]
fn the_whole_battle_of_austerlitz_is_played_to_its_end_by_mail() {
    let dir = tempfile::tempdir().unwrap();
    let (mails, bundle) = by_mail(dir.path(), ("austerlitz1805", "1805-austerlitz.yaml"), Tempo::Live);
    well_formed(&mails);
    let letters = mails.iter().filter(|m| m.from == "post@estafette.example" && m.subject.starts_with("Turn "));
    let mut lengths: Vec<(usize, &str)> = letters.map(|m| (m.text.lines().count(), m.text.as_str())).collect();
    lengths.sort_unstable();
    let (middle, longest) = (lengths[lengths.len() / 2].0, lengths[lengths.len() - 1]);
    assert!(lengths.len() > 20 && middle <= 210 && longest.0 <= 450, "{middle}, {}:\n{}", longest.0, longest.1);
    for word in ["is uncovered", "new chits in this turn", "The fog lifts", "morale ", "turn 12 of 12"] {
        assert!(mails.iter().any(|m| m.text.contains(word)), "{word}");
    }
    a_third_party_agrees(dir.path(), &bundle);
}

#[test]
fn austerlitz_is_played_by_one_against_the_solo_rules_from_either_side() {
    for (scenario, enemy) in [("fog-teaching-as-french.yaml", "Allied"), ("fog-teaching-as-allied.yaml", "French")] {
        let dir = tempfile::tempdir().unwrap();
        let (mails, bundle) = by_mail(dir.path(), ("austerlitz1805", scenario), Tempo::Live);
        well_formed(&mails);
        let placed = format!("New chits, {enemy}");
        for word in ["is uncovered", "new chits in this turn", &placed, "turn 8 of 8"] {
            assert!(mails.iter().any(|m| m.text.contains(word) || m.subject.contains(word)), "{scenario}: {word}");
        }
        let people: std::collections::BTreeSet<&str> = mails.iter().map(|m| m.to.as_str()).collect();
        assert_eq!(people.len(), 2, "{people:?}");
        a_third_party_agrees(dir.path(), &bundle);
    }
}

#[test]
fn the_loibens_are_fought_for_in_fog_by_mail_and_audited_by_a_third_party() {
    let dir = tempfile::tempdir().unwrap();
    let (mails, bundle) = by_mail(dir.path(), ("brave_fellows", "teaching-fog.yaml"), Tempo::Live);
    well_formed(&mails);
    for word in ["comes in sight at", "is out of sight", "HOW YOU WIN", "turn 4 of 4"] {
        assert!(mails.iter().any(|m| m.text.contains(word)), "{word}");
    }
    golden("loibens/french.txt", &transcript(&mails, "ney@example.org"));
    golden("loibens/coalition.txt", &transcript(&mails, "weyrother@example.org"));
    a_third_party_agrees(dir.path(), &bundle);
}

#[test]
fn the_hill_before_telnitz_is_fought_for_in_fog_by_mail_and_audited_by_a_third_party() {
    let dir = tempfile::tempdir().unwrap();
    let (mails, bundle) = by_mail(dir.path(), ("great_battles", "hill-fog.yaml"), Tempo::Live);
    well_formed(&mails);
    for word in ["comes in sight at", "is out of sight", "HOW YOU WIN", "turn 4 of 4", "a command acts"] {
        assert!(mails.iter().any(|m| m.text.contains(word)), "{word}");
    }
    golden("telnitz/french.txt", &transcript(&mails, "ney@example.org"));
    golden("telnitz/allied.txt", &transcript(&mails, "weyrother@example.org"));
    a_third_party_agrees(dir.path(), &bundle);
}
