//! The museum: games that released programs played. They read, fold, audit and go on, whatever has changed since.
//!
//! `tests/museum/make.py` says what each exhibit is; those of dice protocol 2 have a folder of their own. Nothing in the museum is ever changed.

use crate::gateway::bench::{TOYS, copied};
use estafette::audit::bundle::{Asker, bundle};
use estafette::audit::verify::{Findings, Verdict, verify};
use estafette::audit::{self, Line};
use estafette::clock::Clock;
use estafette::demo::{Player, Troupe};
use estafette::games::{self, Entry, GAMES, Stored};
use estafette::gateway::{Office, game_of, table};
use estafette::host::hosted::Kept;
use estafette::host::{Game, Tempo};
use estafette::store::{self, FIRST_PREV, GameState, Store, entry_hash};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The game of every exhibit.
const GAME: &str = "museum-1";

/// What is expected of a bundle.
struct Expected {
    name: String,
    running: bool,
    rolls: u32,
    entries: u32,
    replayed: Option<u64>,
    script: String,
    /// Rules that were corrected since play a part of it otherwise; it stands in `otherwise.txt`.
    otherwise: bool,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder for each release.
fn releases() -> Vec<PathBuf> {
    let all = std::fs::read_dir(root().join("tests/museum")).unwrap().map(|entry| entry.unwrap().path());
    let mut folders: Vec<PathBuf> = all.filter(|path| path.join("verdicts.tsv").is_file()).collect();
    folders.sort();
    folders
}

fn verdicts(release: &Path) -> Vec<Expected> {
    let text = std::fs::read_to_string(release.join("verdicts.tsv")).unwrap();
    let otherwise = std::fs::read_to_string(release.join("otherwise.txt")).unwrap_or_default();
    let read = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [name, word, rolls, entries, replayed, script] = cells.as_slice() else { panic!("{line}") };
        assert!(matches!(*word, "agrees" | "running"), "{line}");
        Expected {
            name: (*name).to_owned(),
            running: *word == "running",
            rolls: rolls.parse().unwrap(),
            entries: entries.parse().unwrap(),
            replayed: replayed.parse().ok(),
            script: (*script).to_owned(),
            otherwise: otherwise.lines().any(|other| other == *name),
        }
    };
    text.lines().map(read).collect()
}

fn lines(release: &Path, name: &str) -> Vec<Line> {
    audit::read(&std::fs::read_to_string(release.join(format!("{name}.jsonl"))).unwrap()).unwrap()
}

/// The finished games of all releases.
fn finished() -> impl Iterator<Item = (String, Vec<Line>)> {
    releases().into_iter().flat_map(|release| {
        let whole = verdicts(&release).into_iter().filter(|verdict| !verdict.running);
        whole.map(|verdict| (verdict.name.clone(), lines(&release, &verdict.name))).collect::<Vec<_>>()
    })
}

/// The post offices of all releases.
fn offices() -> Vec<PathBuf> {
    let inside = |release: PathBuf| std::fs::read_dir(release).unwrap().map(|entry| entry.unwrap().path());
    let mut offices: Vec<PathBuf> =
        releases().into_iter().flat_map(inside).filter(|path| path.join("estafette.db").is_file()).collect();
    offices.sort();
    offices
}

#[test]
fn every_bundle_reads_and_audits_with_the_verdict_beside_it() {
    let (mut all, mut protocols) = (0, BTreeSet::new());
    let (mut otherwise, mut again) = (0, 0);
    for release in releases() {
        let verdicts = verdicts(&release);
        let files = std::fs::read_dir(&release)
            .unwrap()
            .filter(|f| f.as_ref().unwrap().path().extension().is_some_and(|e| e == "jsonl"));
        assert_eq!(files.count(), verdicts.len(), "a bundle without a verdict, or the other way round");
        all += verdicts.len();
        for verdict in verdicts {
            let name = &verdict.name;
            let lines = lines(&release, name);
            let game =
                lines.iter().find_map(|line| if let Line::Game(game) = line { Some(game) } else { None }).unwrap();
            protocols.insert((game.ruleset.clone(), game.protocol, verdict.running));
            let found = verify(&lines, GAMES);
            assert_eq!(found.faults, Vec::<String>::new(), "{name}");
            assert_eq!((found.rolls, found.entries), (verdict.rolls, verdict.entries), "{name}");
            if verdict.otherwise {
                // Neither right nor wrong: the program that played it must be asked.
                assert_eq!((found.replayed, found.verdict), (None, Verdict::NotVerified), "{name}");
                let why = found.not_replayed.unwrap_or_default();
                let played = ["(version 1)", "(version 3, "];
                assert!(why.starts_with("up to entry ") && played.iter().any(|v| why.contains(v)), "{name}: {why}");
                again += u32::from(why.contains("it comes out the same again"));
                otherwise += 1;
                continue;
            }
            assert_eq!((found.replayed, &found.not_replayed), (verdict.replayed, &None), "{name}");
            assert_eq!(found.verdict, if verdict.running { Verdict::Open } else { Verdict::Agrees }, "{name}");
        }
    }
    println!("{otherwise} bundles come out otherwise somewhere, {again} of them the same again behind it");
    assert!(all >= 20 && again > 0, "{all}, {again} of {otherwise}");
    assert_eq!(protocols.len(), 8, "both rulesets by both protocols, finished and running: {protocols:?}");
}

#[test]
fn a_third_partys_script_says_of_every_bundle_what_stands_beside_it() {
    for release in releases() {
        for verdict in verdicts(&release) {
            let path = release.join(format!("{}.jsonl", verdict.name));
            let done = Command::new("python3").arg(root().join("tests/audit/verify.py")).arg(path).output().unwrap();
            let said = String::from_utf8_lossy(&done.stdout).trim().to_owned();
            // A game that is on agrees as far as it is open.
            let code = if verdict.running { 4 } else { 0 };
            // Below its verdict it says what it checked, and what not.
            let (said, scope) = said.rsplit_once('\n').unwrap();
            assert!(scope.starts_with("Checked: ") && scope.contains(" Not checked: "), "{}: {scope}", verdict.name);
            assert_eq!((done.status.code(), said), (Some(code), verdict.script.as_str()), "{}", verdict.name);
        }
    }
}

/// The chain of a bundle with other bodies, its hashes made anew.
pub fn forged(lines: &mut [Line], mut change: impl FnMut(&str, &mut Value)) {
    let mut before = FIRST_PREV.to_owned();
    for line in lines {
        let Line::Event { prev, hash, slot, entry, body, .. } = line else { continue };
        let mut value: Value = serde_json::from_str(body).unwrap();
        change(entry, &mut value);
        *body = value.to_string();
        prev.clone_from(&before);
        *hash = entry_hash(prev, *slot, entry, body);
        before.clone_from(hash);
    }
}

/// The inside of an outcome that has one, such as `{"why": …, "rule": …}`.
fn inside(outcome: &mut Value) -> Option<&mut serde_json::Map<String, Value>> {
    outcome.as_object_mut()?.values_mut().next()?.as_object_mut()
}

/// Puts every answer of a chain otherwise; how many had words.
fn reworded(entry: &str, body: &mut Value) -> u32 {
    if entry != "line" {
        return 0;
    }
    let Some(fields) = inside(&mut body["outcome"]) else { return 0 };
    let mut changed = 0;
    if let Some(Value::String(why)) = fields.get_mut("why") {
        *why = why.replacen(' ', " indeed ", 1) + "!";
        changed += 1;
    }
    if let Some(copy) = fields.get_mut("copy") {
        *copy = Value::String("HOLD EVERYTHING".to_owned());
    }
    changed
}

/// Another word over an answer, or another paragraph under it, is a difference; whose, the older program says. How many
/// answers of a game could be put so.
fn answered_otherwise(name: &str, whole: &[Line], entries: &'static [Entry], told: Verdict) -> u32 {
    let untouched = verify(whole, entries);
    let mut refused = 0;
    for (field, to) in [(None, "failed"), (Some("rule"), "¶999")] {
        let mut other = whole.to_vec();
        let mut done = false;
        forged(&mut other, |entry, body| {
            if entry != "line" || done {
                return;
            }
            match (field, body["outcome"].get("refused").cloned()) {
                (Some(field), Some(mut fields)) => {
                    fields[field] = to.into();
                    body["outcome"] = serde_json::json!({"refused": fields});
                }
                (None, Some(fields)) => {
                    body["outcome"] = serde_json::json!({to: {"why": fields["why"], "rule": fields["rule"]}});
                }
                // What was done failed.
                (None, None) => body["outcome"] = serde_json::json!({to: {"why": "no", "rule": "1"}}),
                (Some(_), None) => return,
            }
            done = true;
        });
        refused += u32::from(done);
        let found = verify(&other, entries);
        let expected = if done { told } else { untouched.verdict };
        assert_eq!((found.replayed.is_none(), found.verdict), (done, expected), "{name}: {to}");
        // The audit goes on behind it, and names who played what comes out otherwise.
        if done && expected == Verdict::NotVerified {
            let why = found.not_replayed.unwrap();
            assert!(
                why.contains(" played, and this program") && why.contains("it comes out the same again, "),
                "{name}: {why}"
            );
        }
    }
    refused
}

/// A program that puts its refusals otherwise finds nothing wrong with a game: the words are in the letters, and no fact.
#[test]
fn a_sentence_put_otherwise_is_no_difference_and_another_outcome_is_one() {
    let mut changed = 0;
    let mut refused = 0;
    // Under dice protocol 2 no chain ever held words, and its seals are over the chain as it is.
    let of_one = |whole: &[Line]| matches!(whole.first(), Some(Line::Game(game)) if game.protocol == 1);
    for (name, whole) in finished().filter(|(_, whole)| of_one(whole)) {
        let untouched = verify(&whole, GAMES);
        let mut other = whole.clone();
        forged(&mut other, |entry, body| changed += reworded(entry, body));
        let found = verify(&other, GAMES);
        assert_eq!((&found.faults, found.replayed), (&untouched.faults, untouched.replayed), "{name}");
        // What this program plays otherwise anyway tells nothing.
        if refused > 2 || untouched.replayed.is_none() {
            continue;
        }
        refused += answered_otherwise(&name, &whole, GAMES, Verdict::NotVerified);
    }
    // Of games played now nothing comes out otherwise, whatever has become of the rules since the museum's were.
    for (ruleset, seed) in [("toy-fellows", 1), ("toy-great", 2), ("toy-austerlitz", 3)] {
        let bench = crate::gateway::whole::play(ruleset, seed);
        let row = bench.office.store.game("toy-7").unwrap().unwrap();
        let hosted = table::open(TOYS, &bench.office.store, &row).unwrap();
        let whole = bundle(&bench.office.store, &row, hosted.as_ref(), &Asker::All).unwrap();
        refused += answered_otherwise(ruleset, &whole, TOYS, Verdict::Differs);
    }
    assert!(changed > 200 && refused > 2, "{changed} answers put otherwise, {refused} changed");
}

/// A game of a post office, opened from what is kept of it, with other bodies in its chain.
pub fn opened(dir: &Path, game: &str, mut change: impl FnMut(&str, &mut Value)) -> Result<Box<dyn Game>, Vec<String>> {
    let store = Store::open(&dir.join("estafette.db")).unwrap();
    let row = game_of(&store, game).unwrap();
    let files = store.scenario(&row.scenario_digest).unwrap().into_iter().map(|file| (file.path, file.text)).collect();
    let changed = |entry: store::LogEntry| {
        let mut value: Value = serde_json::from_str(&entry.body).unwrap();
        change(&entry.kind, &mut value);
        (entry.slot, entry.kind, value.to_string())
    };
    let entries = store.log(game, 1).unwrap().into_iter().map(changed).collect();
    let open = store.open_leg(game).unwrap();
    let tempo = if row.tempo == store::Tempo::Live { Tempo::Live } else { Tempo::Sealed };
    let kept = open.map(|open| Kept { snapshot: None, entries, open });
    let secrets = audit::secrets_of(&store, &row).unwrap();
    let stored = Stored { game: row.id, files, secrets, tempo, kept };
    (games::find(GAMES, &row.ruleset).unwrap().open)(stored)
}

#[test]
fn an_open_leg_goes_on_under_a_program_that_puts_its_refusals_otherwise() {
    let (mut changed, mut behind) = (0, 0);
    for office in offices() {
        let dir = copied(&office);
        let mut open = 0;
        let game = opened(dir.path(), GAME, |entry, body| {
            open = if entry == "rest" { 0 } else { open + reworded(entry, body) };
            changed += u32::from(entry == "line");
        });
        game.unwrap_or_else(|flaws| panic!("{}: {flaws:?}", office.display()));
        behind += open;
    }
    assert!(changed > 20 && behind > 0, "{changed} lines, {behind} answers behind the last rest point");
}

/// The log of a post office of a release, an entry a row, as any tool reads it.
fn old_log(dir: &Path) -> Vec<store::LogEntry> {
    let db = rusqlite::Connection::open(dir.join("estafette.db")).unwrap();
    let sql = "SELECT seq, prev, hash, slot, kind, body FROM log WHERE game = ?1 ORDER BY seq";
    let mut all = db.prepare(sql).unwrap();
    let entry = |row: &rusqlite::Row<'_>| {
        Ok(store::LogEntry {
            seq: row.get(0)?,
            prev: row.get(1)?,
            hash: row.get(2)?,
            slot: row.get(3)?,
            kind: row.get(4)?,
            body: row.get(5)?,
        })
    };
    all.query_map([GAME], entry).unwrap().map(Result::unwrap).collect()
}

#[test]
fn a_whole_game_of_a_release_is_packed_and_keeps_every_entry_and_every_hash() {
    let (mut packed, mut bytes, mut size) = (0, 0, 0);
    for office in offices() {
        let name = office.display();
        let dir = copied(&office);
        let before = old_log(dir.path());
        let store = Store::open(&dir.path().join("estafette.db")).unwrap();
        assert_eq!(store.checked_log(GAME).unwrap(), before, "{name}");
        let kinds: BTreeSet<&str> = before.iter().map(|entry| entry.kind.as_str()).collect();
        for kind in kinds {
            let of_kind: Vec<store::LogEntry> = before.iter().filter(|entry| entry.kind == kind).cloned().collect();
            assert_eq!(store.log_of_kind(GAME, kind, 1).unwrap(), of_kind, "{name}: {kind}");
        }
        let db = rusqlite::Connection::open(dir.path().join("estafette.db")).unwrap();
        let sql = "SELECT count(*), sum(length(body)), sum(size) FROM segments";
        let (rows, kept, whole): (u32, u32, u32) =
            db.query_row(sql, (), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
        assert_eq!(rows as usize, before.len().div_ceil(128), "{name}");
        packed += before.len();
        bytes += kept;
        size += whole;
    }
    println!("{packed} entries of {size} bytes in {bytes}");
    assert!(packed > 2000 && bytes * 4 < size, "{packed} entries of {size} bytes in {bytes}");
}

/// A post office of a release, opened by this program, its unread mails read, its game played to the end by mail.
#[test]
fn every_post_office_opens_goes_on_by_mail_and_ends_and_its_audit_agrees() {
    let mut rulesets = BTreeSet::new();
    for office in offices() {
        let name = office.file_name().unwrap().to_string_lossy().into_owned();
        let dir = copied(&office);
        let clock = Clock::from_text(&std::fs::read_to_string(office.join("clock.txt")).unwrap()).unwrap();
        let mut office = Office::with_clock(dir.path(), GAMES, true, clock).unwrap();
        let begun = office.store.log(GAME, 1).unwrap().len();
        let seats = office.store.seats(GAME).unwrap().into_iter().filter(|seat| seat.side.is_some());
        let players = seats.map(|seat| Player::new(&seat.seat, &format!("{}@example.org", seat.seat), Vec::new()));
        let players = players.collect();
        let mut answered = 0;
        let mut told = BTreeSet::new();
        Troupe::new(&mut office, GAME, players)
            .unwrap()
            .play(600, &mut |mail| {
                answered += u32::from(mail.from == "post@example.org");
                if mail.text.contains("is read otherwise") {
                    told.insert(mail.to.clone());
                }
                Ok(())
            })
            .unwrap_or_else(|why| panic!("{name}: {why}"));
        let row = game_of(&office.store, GAME).unwrap();
        assert_eq!((row.state, answered > 6), (GameState::Over, true), "{name}: {answered} letters");
        let game = table::open(GAMES, &office.store, &row).unwrap();
        let lines = bundle(&office.store, &row, game.as_ref(), &Asker::All).unwrap();
        let Findings { faults, replayed, entries, verdict, .. } = verify(&lines, GAMES);
        assert_eq!(faults, Vec::<String>::new(), "{name}");
        assert!(usize::try_from(entries).unwrap() > begun, "{name}: {entries}");
        // A rule that was corrected since holds from a rest point on, and every seat is told; what was played before it
        // comes out otherwise now.
        let changed = games::find(GAMES, &row.ruleset).unwrap().changes.len();
        let seats = office.store.seats(GAME).unwrap().into_iter().filter(|seat| seat.side.is_some());
        let mut seats = seats.map(|seat| format!("{}@example.org", seat.seat));
        assert!(seats.all(|seat| told.contains(&seat) == (changed > 0)), "{name}: {told:?}");
        let verdicts = if changed > 0 { [Verdict::NotVerified, Verdict::Agrees] } else { [Verdict::Agrees; 2] };
        assert!(verdicts.contains(&verdict), "{name}: {verdict:?}");
        assert_eq!(replayed.is_some(), verdict == Verdict::Agrees, "{name}: {replayed:?}");
        office.store.verify_log(GAME).unwrap();
        assert_eq!(office.store.integrity().unwrap(), Vec::<String>::new(), "{name}");
        // What this program has written holds the outcome and no words.
        let written = office.store.log(GAME, u32::try_from(begun).unwrap() + 1).unwrap();
        for line in written.iter().filter(|entry| entry.kind == "line") {
            assert!(!line.body.contains("\"why\"") && !line.body.contains("\"copy\""), "{name}: {}", line.body);
        }
        rulesets.insert(row.ruleset);
    }
    assert_eq!(rulesets.into_iter().collect::<Vec<_>>(), ["austerlitz1805", "campaigns"]);
}

/// All texts in a value.
fn texts(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::String(text) => into.push(text.clone()),
        Value::Array(list) => list.iter().for_each(|value| texts(value, into)),
        Value::Object(map) => map.iter().for_each(|(key, value)| {
            into.push(key.clone());
            texts(value, into);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Names that the rules of Austerlitz have for modifiers and for ways to win; chains of the first release hold them so.
const TERMS: [&str; 9] = [
    "static fire",
    "line or square",
    "own, charging",
    "second fire",
    "more points after the last turn [17.1.1]",
    "equal points after the last turn [17.1.1.3]",
    "all targets held for two turns [17.1.2]",
    "all targets held for two turns [17.1.3]",
    "Napoleon is taken or dead [17.1.4]",
];

/// Facts are names and numbers. Where words stand in an event or in what was told of it, they are a name of the
/// scenario's files or of the rules, or what a person wrote: what this program says of a fact, it says in letters alone.
#[test]
fn no_event_and_no_sighting_holds_a_sentence() {
    let mut looked = BTreeMap::<String, usize>::new();
    for (name, whole) in finished() {
        let mut known = String::new();
        for line in &whole {
            match line {
                Line::Game(game) => game.files.iter().for_each(|(_, text)| known.push_str(text)),
                Line::Event { entry, body, .. } if entry == "input" => {
                    let mut wrote = Vec::new();
                    texts(&serde_json::from_str(body).unwrap(), &mut wrote);
                    known.push_str(&wrote.join("\n"));
                }
                _ => {}
            }
        }
        for line in &whole {
            let Line::Event { entry, body, .. } = line else { continue };
            if !matches!(entry.as_str(), "event" | "sight") {
                continue;
            }
            let mut said = Vec::new();
            texts(&serde_json::from_str(body).unwrap(), &mut said);
            for text in said {
                let words = text.split_whitespace().count() > 1;
                let known = known.contains(&text) || TERMS.contains(&text.as_str());
                assert!(!words || known, "{name}: {entry} says \"{text}\"");
                *looked.entry(entry.clone()).or_default() += 1;
            }
        }
    }
    assert!(looked.values().all(|texts| *texts > 10_000) && looked.len() == 2, "{looked:?}");
}

/// A file that is no bundle, or a damaged one: which line, what is wrong, exit 1.
#[test]
fn what_is_no_bundle_or_a_damaged_one_is_refused_by_its_line() {
    let name = "campaigns-running-french.jsonl";
    let good = std::fs::read(root().join("tests/museum/0.1.0").join(name)).unwrap();
    let third = good.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).nth(1).unwrap();
    let spoilt = |bytes: &[u8]| [&good[..third], bytes, &good[third..]].concat();
    let folder = tempfile::tempdir().unwrap();
    for (bytes, line, why) in [
        (spoilt(b"{\"kind\":\"roll\"}\n"), 3, "missing field"),
        (spoilt(b"{\"kind\":\"sonnet\"}\n"), 3, "unknown variant `sonnet`"),
        (spoilt(b"\xff\xfe\n"), 3, "no text"),
        (good[..good.len() - 40].to_vec(), good.iter().filter(|byte| **byte == b'\n').count(), "EOF"),
        (b"SQLite format 3\0".to_vec(), 1, "expected value"),
        (b"Dear aunt,\n".to_vec(), 1, "expected"),
    ] {
        let file = folder.path().join("bundle.jsonl");
        std::fs::write(&file, bytes).unwrap();
        let mut said = Vec::new();
        let args = ["estafette", "audit", "--bundle", file.to_str().unwrap()].map(Into::into);
        let code = estafette::cli::run(args, GAMES, &mut std::io::sink(), &mut said);
        let said = String::from_utf8(said).unwrap();
        assert_eq!(code, 1, "{said}");
        assert!(said.contains(&format!("bundle.jsonl: line {line}: ")) && said.contains(why), "{line} {why}: {said}");
    }
}
