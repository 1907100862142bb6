//! A campaign outlives the program that began it: the chain says who played what, a corrected rule is told to all, and an
//! audit knows what it can say of another program's play.

use crate::gateway::bench::{Bench, CONFIG, Mail, TOYS, new_game, teaching, to};
use crate::gateway::notices::{BEFORE_1000, BEFORE_657413, ROUND_1000, ROUND_657413};
use crate::gateway::whole::{play, play_by_one};
use crate::museum::forged;
use crate::packed;
use crate::toys::mended::{AS_WAS, MENDED, Mended};
use estafette::audit::Line;
use estafette::audit::bundle::{Asker, bundle};
use estafette::audit::verify::{Verdict, verify};
use estafette::games::{Entry, Stored, entry};
use estafette::gateway::{NewGame, Office, UmpireDoes, foresee, table};
use estafette::rules::campaigns::Campaigns;
use estafette::rules::lift::{Lift, lift};
use estafette::rules::{Change, Ruleset};
use estafette::store::GameState;
use estafette::{terms, yaml};
use rusqlite::Connection;
use serde_json::Value;

const GAME: &str = "toy-7";

/// The version of this program's rules.
const OWN: u32 = <Campaigns as Ruleset>::VERSION;

/// The next program: it reads one paragraph otherwise, and another one has been so since the first.
static NEXT: &[Entry] = &[Entry {
    version: OWN + 1,
    rules: "feed",
    changes: &[
        Change { version: OWN, rule: "¶1", text: "as it was." },
        Change { version: OWN + 1, rule: "¶2", text: "a march is one hex longer." },
    ],
    ..entry::<Campaigns>()
}];

fn lines(bench: &Bench) -> Vec<Line> {
    let row = bench.office.store.game(GAME).unwrap().unwrap();
    let hosted = table::open(TOYS, &bench.office.store, &row).unwrap();
    bundle(&bench.office.store, &row, hosted.as_ref(), &Asker::All).unwrap()
}

/// Who has played, as the chain says it: version and digest.
fn programs(bench: &Bench) -> Vec<(u32, String)> {
    let entries = bench.office.store.log_of_kind("strem-1", "post.program", 1).unwrap();
    let read = |entry: estafette::store::LogEntry| {
        let body: Value = serde_json::from_str(&entry.body).unwrap();
        (u32::try_from(body["version"].as_u64().unwrap()).unwrap(), body["rules"].as_str().unwrap().to_owned())
    };
    entries.into_iter().map(read).collect()
}

/// The same post office, served by another program.
fn under(bench: Bench, entries: &'static [Entry]) -> Bench {
    let Bench { dir, mut office, .. } = bench;
    let clock = *office.clock_mut();
    drop(office);
    let mut served = Bench::served_by(dir, clock);
    let office = Office::with_clock(served.dir.path(), TOYS, false, clock).unwrap();
    served.office = office;
    served.office = Office::with_clock(served.dir.path(), entries, true, clock).unwrap();
    served
}

#[test]
fn a_chain_says_once_and_before_its_first_input_who_plays() {
    let whole = lines(&play("toy-fellows", 1));
    let kinds: Vec<&str> = whole
        .iter()
        .filter_map(|l| if let Line::Event { entry, .. } = l { Some(entry.as_str()) } else { None })
        .collect();
    let at = |kind: &str| kinds.iter().position(|k| *k == kind).unwrap();
    assert!(at("post.program") < at("input"), "{kinds:?}");
    assert_eq!(kinds.iter().filter(|kind| **kind == "post.program").count(), 1);
    assert_eq!(verify(&whole, TOYS).verdict, Verdict::Agrees);
}

#[test]
fn the_digest_of_a_rulesets_sources_is_its_own() {
    let digests: Vec<&str> = estafette::games::GAMES.iter().map(|entry| entry.rules).collect();
    assert!(digests.iter().all(|digest| digest.len() == 64), "{digests:?}");
    assert_ne!(digests[0], digests[1]);
}

#[test]
fn a_corrected_rule_is_told_to_all_once_and_holds_from_a_rest_point_on() {
    let mut bench = Bench::with_campaign(&teaching());
    bench.reply("french", "SIGNON\nNONCE one\nEND");
    bench.reply("coalition", "SIGNON\nNONCE two\nEND");
    let own = entry::<Campaigns>().rules.to_owned();
    assert_eq!(programs(&bench), [(OWN, own.clone())]);
    let told = |mails: &[Mail]| {
        ["french", "coalition"].map(|seat| to(mails, seat).iter().filter(|m| m.text.contains("¶2 is read")).count())
    };
    let mut bench = under(bench, NEXT);
    let mails = bench.pass();
    assert_eq!(told(&mails), [1, 1], "{mails:#?}");
    assert!(mails.iter().all(|mail| !mail.text.contains("¶1")), "what was so from the beginning is no news");
    assert_eq!(programs(&bench), [(OWN, own), (OWN + 1, "feed".to_owned())]);
    assert_eq!(told(&bench.pass()), [0, 0]);
    // A program that changes no rule enters itself, and writes nobody.
    let mut bench = under(bench, TOYS);
    assert_eq!(bench.pass(), []);
    assert_eq!(programs(&bench).len(), 3);
}

#[test]
fn what_another_program_played_otherwise_is_not_verified_and_what_this_one_did_is_a_difference() {
    let whole = lines(&play_by_one("toy-fellows", 1));
    let otherwise = |program: Option<(&str, u64)>| {
        let mut lines = whole.clone();
        let mut done = false;
        forged(&mut lines, |entry, body| {
            if let (Some((rules, version)), "post.program") = (program, entry) {
                body["rules"] = rules.into();
                body["version"] = version.into();
            }
            if let (Some((_, version)), "rest") = (program, entry) {
                body["version"] = version.into();
            }
            if entry == "line" && !done {
                body["outcome"] = serde_json::json!("not_reached");
                done = true;
            }
        });
        assert!(done);
        verify(&lines, TOYS)
    };
    let own = otherwise(None);
    assert_eq!((own.verdict, own.replayed), (Verdict::Differs, None), "{own:?}");
    assert!(own.faults[0].contains("comes out otherwise"), "{own:?}");
    // The same version from other sources, and another version.
    for other in [("beef", 1), ("", 2)] {
        let found = otherwise(Some(other));
        assert_eq!((found.verdict, found.faults.len()), (Verdict::NotVerified, 0), "{found:?}");
        let why = found.not_replayed.unwrap();
        assert!(why.starts_with("up to entry ") && why.contains("estafette 0.1.0 (version"), "{why}");
    }
    // A leg that an older version ended than the one before it.
    let mut lines = whole.clone();
    let mut rests = 0;
    forged(&mut lines, |entry, body| {
        if entry == "rest" {
            rests += 1;
            body["version"] = if rests == 2 { 0 } else { 1 }.into();
        }
    });
    let found = verify(&lines, TOYS);
    assert!(found.faults.iter().any(|fault| fault.contains("version 0 played")), "{found:?}");
    // Whoever played it: what comes out the same agrees.
    let mut lines = whole.clone();
    forged(&mut lines, |entry, body| {
        if entry == "post.program" {
            body["rules"] = "beef".into();
        }
    });
    assert_eq!(verify(&lines, TOYS).verdict, Verdict::Agrees);
}

/// What a part that another program played otherwise hides stands behind it, and is looked at all the same.
#[test]
fn an_audit_goes_on_behind_a_part_that_comes_out_otherwise_and_names_each() {
    let whole = lines(&play_by_one("toy-fellows", 1));
    let outcomes = |wanted: &[u32]| {
        let (mut lines, mut seen) = (whole.clone(), 0);
        forged(&mut lines, |entry, body| {
            if entry == "post.program" {
                body["rules"] = "beef".into();
            }
            if entry == "line" {
                seen += 1;
                if wanted.contains(&seen) {
                    body["outcome"] = serde_json::json!("not_reached");
                }
            }
        });
        let found = verify(&lines, TOYS);
        assert_eq!((found.verdict, found.faults.len()), (Verdict::NotVerified, 0), "{found:?}");
        found.not_replayed.unwrap()
    };
    let again = |why: &str| why.matches("it comes out the same again, ").count();
    let (one, two) = (outcomes(&[1]), outcomes(&[1, 6]));
    assert!(one.starts_with("up to entry ") && one.ends_with(" entries") && again(&one) == 1, "{one}");
    assert!(again(&two) == 2 && two.matches("estafette 0.1.0 (version").count() == 2, "{two}");
}

/// The next program, which orders otherwise: another version and no word of why.
#[test]
fn an_upgrade_is_foreseen_on_a_copy_and_the_database_is_copied_first() {
    let mut bench = Bench::with_campaign(&teaching());
    bench.reply("french", "SIGNON\nNONCE one\nEND");
    bench.reply("coalition", "SIGNON\nNONCE two\nEND");
    let bench = under(bench, TOYS);
    let dir = bench.dir.path();
    let copies = || -> usize {
        let names = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.starts_with("before-upgrade-") || name.contains(".db.upgrade")).count()
    };
    let before = copies();
    let found = foresee(dir, NEXT, &mut |_, _| {}).unwrap();
    assert!(found.iter().all(|game| game.goes_on && game.said.contains("comes out the same")), "{found:?}");
    assert!(found[0].said.contains("¶2") && !found[0].said.contains("¶1"), "{found:?}");
    assert_eq!(copies(), before, "looking leaves nothing behind");
    assert_eq!(programs(&bench).len(), 1, "and changes nothing");
    let mut bench = bench;
    bench.office.clock_mut().advance(jiff::SignedDuration::from_hours(1));
    let bench = under(bench, NEXT);
    let names = std::fs::read_dir(bench.dir.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let copy = names.filter(|name| name.starts_with("before-upgrade-")).max().unwrap();
    let kept = estafette::store::Store::open(&bench.dir.path().join(copy)).unwrap();
    assert_eq!(kept.log_of_kind("strem-1", "post.program", 1).unwrap().len(), 1);
}

#[test]
fn who_begins_a_post_office_has_no_other_program_before_him() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("post");
    let cli = |args: &[&str]| {
        let at = ["--dir", dir.to_str().unwrap()];
        let args = ["estafette"].iter().chain(args).chain(&at).map(Into::into);
        let code = estafette::cli::run(args, TOYS, &mut std::io::sink(), &mut std::io::sink());
        assert_eq!(code, 0);
    };
    cli(&["init"]);
    let seats = ["french=a@example.org", "coalition=b@example.org"];
    cli(&["new", "--game", "g1", "--scenario", "teaching", "--seat", seats[0], "--seat", seats[1]]);
    cli(&["serve", "--once"]);
    let names = std::fs::read_dir(&dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.filter(|name| name.starts_with("before-upgrade-")).count(), 0);
}

#[test]
fn a_game_whose_open_order_comes_out_otherwise_is_named_with_the_cure() {
    let (mut bench, _) = Bench::begun(GAME, "toy-fellows");
    bench.reply("french", "GO Quartz 11");
    let row = bench.office.store.game(GAME).unwrap().unwrap();
    bench.office.store.act(|act| act.set_open_leg(&row.id, Some("{}"))).unwrap();
    let found = foresee(bench.dir.path(), TOYS, &mut |_, _| {}).unwrap();
    assert!(
        !found[0].goes_on && found[0].said.contains("cannot go on") && found[0].said.contains("REWIND"),
        "{found:?}"
    );
}

#[test]
fn a_game_whose_scenario_is_damaged_gets_a_backup_as_its_cure() {
    let mut bench = Bench::with_campaign(&teaching());
    bench.reply("french", "SIGNON\nNONCE Vive l'Empereur\nEND");
    let sql = "PRAGMA foreign_keys = 0; DELETE FROM scenarios";
    rusqlite::Connection::open(bench.office.store.path()).unwrap().execute_batch(sql).unwrap();
    let found = foresee(bench.dir.path(), TOYS, &mut |_, _| {}).unwrap();
    let said = &found[0].said;
    assert!(!found[0].goes_on && said.contains("restore a backup") && !said.contains("older program"), "{said}");
    assert!(!said.contains(".."), "{said}");
}

/// What is done to a file.
type Damage = fn(&Connection);

/// Faults of the rows of one game of three.
const DAMAGED: [(&str, Damage); 11] = [
    ("a leg", |rows| sql(rows, "UPDATE open_leg SET body = '{' WHERE game = 'toy-2'")),
    ("an entry", |rows| {
        packed::unguarded(rows);
        packed::change(rows, "toy-2", 4, |entry| entry.body = "x".to_owned());
    }),
    ("a segment", |rows| {
        packed::unguarded(rows);
        sql(rows, "UPDATE segments SET body = x'00' WHERE game = 'toy-2' AND seq_from = 1");
    }),
    ("where its log ends", |rows| sql(rows, "DELETE FROM log_heads WHERE game = 'toy-2'")),
    ("a count", |rows| sql(rows, "UPDATE seats SET mails_sent = 99999999999 WHERE game = 'toy-2'")),
    ("a word", |rows| {
        sql(rows, "PRAGMA ignore_check_constraints = 1; UPDATE games SET tempo = 'odd' WHERE id = 'toy-2'");
    }),
    ("its seats", |rows| sql(rows, "PRAGMA foreign_keys = 0; DELETE FROM seats WHERE game = 'toy-2'")),
    ("its notices", |rows| sql(rows, "DELETE FROM notices WHERE game = 'toy-2'")),
    ("a salt", |rows| sql(rows, "UPDATE notices SET salt = NULL WHERE game = 'toy-2'")),
    ("its nonces", |rows| sql(rows, "DELETE FROM nonces WHERE game = 'toy-2'")),
    ("its epoch", |rows| sql(rows, "UPDATE games SET epoch = 'odd' WHERE id = 'toy-2'")),
];

fn sql(rows: &Connection, sql: &str) {
    rows.execute_batch(sql).unwrap();
}

#[test]
fn a_game_whose_rows_are_damaged_keeps_nothing_from_being_said_of_the_others() {
    for (what, damage) in DAMAGED {
        let mut bench = Bench::new();
        for game in ["toy-1", "toy-2", "toy-3"] {
            bench.new_game(game, "toy-fellows", true);
        }
        for game in ["toy-1", "toy-2", "toy-3"] {
            bench.pass();
            for seat in ["french", "coalition"] {
                let subject = bench.last_of(game, seat).subject;
                bench.post(&format!("{seat}@example.org"), &subject, "SIGNON\nNONCE x");
            }
        }
        bench.pass();
        damage(&Connection::open(bench.office.store.path()).unwrap());
        let found = foresee(bench.dir.path(), TOYS, &mut |_, _| {}).unwrap();
        let goes_on: Vec<bool> = found.iter().map(|game| game.goes_on).collect();
        assert_eq!(goes_on, [true, false, true], "{what}: {found:?}");
        assert!(
            found[1].said.starts_with("cannot go on: ") && !found[1].said.contains(".upgrade"),
            "{what}: {found:?}"
        );
    }
}

/// The game of one man who marches, and the next program of it, in which a march is shorter.
static SHORTER: [&[Entry]; 2] = [&[entry::<Mended<AS_WAS>>()], &[Entry { rules: "feed", ..entry::<Mended<MENDED>>() }]];

/// A game of it with an order half carried out, under the older program; under protocol 2 where it has a beacon.
fn half_way(beacon: Option<&str>) -> Bench {
    let mut bench = under(Bench::at(CONFIG, BEFORE_1000), SHORTER[0]);
    let seats = vec![("a".to_owned(), vec!["a@example.org".to_owned()])];
    let master = if beacon.is_some() { None } else { Some([5; 32]) };
    let new = NewGame { seats, master, ..new_game(GAME, "toy-mended", true) };
    match beacon {
        None => bench.office.new_game(&new).unwrap(),
        Some(beacon) => {
            let terms = terms::read("options.yaml", &format!("deadline: 48h\nbeacon: {beacon}\n")).unwrap();
            bench.office.new_game_on(&new, Some(&terms)).unwrap();
        }
    }
    bench.pass();
    bench.reply("a", "SIGNON\nNONCE of a player");
    if beacon == Some("quicknet") {
        bench.advance(1);
        bench.reply("a", &format!("BEACON 1000 {ROUND_1000}"));
    }
    bench.reply("a", "ON");
    assert_eq!(state(&bench), GameState::Playing);
    assert_eq!(marches(&bench), [5, 5, 5]);
    bench
}

fn state(bench: &Bench) -> GameState {
    bench.office.store.game(GAME).unwrap().unwrap().state
}

/// How far each march of the chain went, those that were taken back among them.
fn marches(bench: &Bench) -> Vec<u64> {
    let events = bench.office.store.log_of_kind(GAME, "event", 1).unwrap();
    let far =
        |entry: estafette::store::LogEntry| serde_json::from_str::<Value>(&entry.body).unwrap()["Marched"].as_u64();
    events.into_iter().filter_map(far).collect()
}

fn text_to(mails: &[Mail], seat: &str) -> String {
    let texts: Vec<String> = to(mails, seat).iter().map(|mail| mail.text.clone()).collect();
    texts.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The game is set aside by the next program, which says the cure; RELEASE is refused until an umpire takes the order back.
fn set_aside(bench: Bench) -> (Bench, String) {
    let mut bench = under(bench, SHORTER[1]);
    bench.count_from(2000);
    let found = foresee(bench.dir.path(), SHORTER[1], &mut |_, _| {}).unwrap();
    assert!(!found[0].goes_on && found[0].said.contains("until a has answered"), "{found:?}");
    let mails = bench.pass();
    assert_eq!(state(&bench), GameState::Corrupt);
    let said = text_to(&mails, "umpire");
    assert!(
        said.contains("comes out otherwise under this program") && said.contains("let the older program"),
        "{said}"
    );
    let rest = said.split("REWIND ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    let refused = bench.office.umpire(GAME, &UmpireDoes::Release).unwrap_err().to_string();
    assert!(refused.contains(&format!("REWIND {rest} takes play back")), "{refused}");
    let said = text_to(&bench.reply("umpire", "RELEASE"), "umpire");
    assert!(said.contains("REFUSED") && said.contains("comes out otherwise under this program"), "{said}");
    assert_eq!(state(&bench), GameState::Corrupt);
    (bench, rest)
}

/// The game goes on by the next program's rules to its end, and neither program's audit calls the other's part wrong.
fn goes_on_to_its_end(mut bench: Bench) {
    assert_eq!((state(&bench), marches(&bench)), (GameState::Playing, vec![5, 5, 5, 3]));
    bench.reply("a", "ON");
    assert_eq!(marches(&bench), [5, 5, 5, 3, 3, 3]);
    bench.reply("a", "HALT");
    assert_eq!(state(&bench), GameState::Over);
    bench.office.store.verify_log(GAME).unwrap();
    let row = bench.office.store.game(GAME).unwrap().unwrap();
    let hosted = table::open(SHORTER[1], &bench.office.store, &row).unwrap();
    let lines = bundle(&bench.office.store, &row, hosted.as_ref(), &Asker::All).unwrap();
    let at = |entry: &str, n: usize| {
        let all = lines.iter().filter_map(|line| match line {
            Line::Event { seq, entry: kind, .. } if kind == entry => Some(*seq),
            _ => None,
        });
        all.collect::<Vec<u32>>()[n]
    };
    // Each finds the first entry at which the other one played, and names it; none calls it a fault.
    let differ = [(at("event", 3), "rules feed"), (at("event", 0), "(version 1")];
    for (entries, (seq, other)) in SHORTER.into_iter().zip(differ) {
        let found = verify(&lines, entries);
        assert_eq!((&found.faults, found.verdict), (&Vec::new(), Verdict::NotVerified), "{found:?}");
        let why = found.not_replayed.unwrap_or_default();
        assert!(why.starts_with(&format!("up to entry {} it comes out the same", seq - 1)), "{seq}: {why}");
        assert!(why.contains(other) && why.contains("and is kept as slot"), "{why}");
    }
}

#[test]
fn an_open_order_that_comes_out_otherwise_is_taken_back_by_the_umpire_and_play_goes_on() {
    for beacon in [None, Some("none")] {
        let (mut bench, rest) = set_aside(half_way(beacon));
        let said = text_to(&bench.reply("umpire", &format!("REWIND {rest} REASON the march is shorter now")), "umpire");
        assert!(said.contains("DONE"), "{said}");
        goes_on_to_its_end(bench);
    }
}

#[test]
fn under_a_beacon_such_an_order_is_taken_back_when_its_round_is_there() {
    let (mut bench, rest) = set_aside(half_way(Some("quicknet")));
    let gap = BEFORE_657413.parse::<jiff::Timestamp>().unwrap() - bench.office.clock_mut().now();
    bench.office.clock_mut().advance(gap.try_into().unwrap());
    let said = text_to(&bench.reply("umpire", &format!("REWIND {rest} REASON the march is shorter now")), "umpire");
    assert!(said.contains("a notice went to all seats"), "{said}");
    // Nothing is played while the dice are waited for, and the game is not set aside again.
    assert_eq!((state(&bench), marches(&bench)), (GameState::Playing, vec![5, 5, 5]));
    bench.reply("a", "ON");
    assert_eq!((state(&bench), marches(&bench)), (GameState::Playing, vec![5, 5, 5]));
    bench.advance(1);
    bench.reply("a", &format!("BEACON 657413 {ROUND_657413}"));
    goes_on_to_its_end(bench);
}

#[test]
fn files_of_an_older_form_are_lifted_step_by_step_and_a_newer_one_is_refused_with_both_numbers() {
    let word = |from: &'static str, to: &'static str| {
        move |files: Vec<(String, String)>| -> Vec<(String, String)> {
            files.into_iter().map(|(path, text)| (path, text.replace(from, to))).collect()
        }
    };
    fn second(files: Vec<(String, String)>) -> Vec<(String, String)> {
        files.into_iter().map(|(path, text)| (path, text.replace("infantry: 1", "foot: 1"))).collect()
    }
    fn third(files: Vec<(String, String)>) -> Vec<(String, String)> {
        files.into_iter().map(|(path, text)| (path, text.replace("foot: 1", "foot: 10"))).collect()
    }
    let steps: [Lift; 2] = [second, third];
    let scenario = |form: &str| {
        let head = format!("kind: scenario\nruleset: toy\n{form}title: x\n");
        vec![("a.yaml".to_owned(), head), ("b.yaml".to_owned(), "infantry: 1\n".to_owned())]
    };
    let lifted = lift(&steps, &scenario("")).unwrap();
    assert_eq!((yaml::label(&lifted[0].1, "schema"), lifted[1].1.as_str()), (Some("3"), "foot: 10\n"));
    // The lines before it stand where they stood, and what is lifted is not lifted again.
    assert!(lifted[0].1.starts_with("kind: scenario\nruleset: toy\ntitle: x\n"));
    assert_eq!(lift(&steps, &lifted).unwrap(), lifted);
    let of_second = word("infantry", "foot")(scenario("schema: 2\n"));
    let lifted = lift(&steps, &of_second).unwrap();
    assert_eq!(lifted[0].1, "kind: scenario\nruleset: toy\nschema: 3\ntitle: x\n");
    assert_eq!(lifted[1].1, "foot: 10\n");
    // What is of today stays byte for byte.
    assert_eq!(lift(&[], &scenario("")).unwrap(), scenario(""));
    assert_eq!(lift(&steps, &scenario("schema: 3\n")).unwrap(), scenario("schema: 3\n"));
    let refused = lift(&steps, &scenario("schema: 7\n")).unwrap_err();
    assert!(refused[0].starts_with("a.yaml:3: ") && refused[0].contains("form 7") && refused[0].contains("1 to 3"));
    for word in ["0", "-1", "new"] {
        let refused = lift(&steps, &scenario(&format!("schema: {word}\n"))).unwrap_err();
        assert!(refused[0].contains(&format!("\"{word}\" is no form")), "{refused:?}");
    }
}

#[test]
fn a_scenario_of_a_newer_form_is_no_game_of_this_program() {
    let mut files = teaching();
    let at = files.iter().position(|(_, text)| text.contains("kind: scenario")).unwrap();
    let open = |files: &[(String, String)]| {
        let secrets = estafette::dice::Secrets::One { master: [1; 32], salt: [7; 32] };
        let tempo = estafette::host::Tempo::Live;
        let stored = Stored { game: "g".to_owned(), files: files.to_vec(), secrets, tempo, kept: None };
        (estafette::games::find(estafette::games::GAMES, "campaigns").unwrap().open)(stored).map(drop)
    };
    let form =
        |text: &str, form: u32| text.replace("ruleset: campaigns\n", &format!("ruleset: campaigns\nschema: {form}\n"));
    let text = files[at].1.clone();
    files[at].1 = form(&text, 1);
    assert_eq!(open(&files), Ok(()));
    files[at].1 = form(&text, 2);
    let flaws = open(&files).unwrap_err();
    assert!(flaws[0].contains("form 2") && flaws[0].contains("forms 1 to 1"), "{flaws:?}");
}
