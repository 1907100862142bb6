//! The command line: what it does, what it prints, and its exit codes.

use crate::gateway::bench::TOYS;
use crate::packed;
use serde_json::Value;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A post office made by the command line alone.
struct Desk {
    dir: TempDir,
}

/// What one command gave.
#[derive(Debug)]
struct Said {
    code: u8,
    out: String,
    err: String,
}

impl Desk {
    fn new() -> Desk {
        let desk = Desk { dir: tempfile::tempdir().unwrap() };
        assert_eq!(desk.run(&["init"]).code, 0);
        fs::write(desk.path("toy.yaml"), "ruleset: toy-fellows\nid: toy\ntitle: A toy\n").unwrap();
        desk
    }

    fn with_game() -> Desk {
        let desk = Desk::new();
        let said = desk.new_game("toy-7", &[]);
        assert_eq!(said.code, 0, "{said:?}");
        assert_eq!(desk.run(&["serve", "--once"]).code, 0);
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Runs a command on this post office; `--dir` is put behind the command's name.
    fn run(&self, args: &[&str]) -> Said {
        let dir = self.dir.path().to_string_lossy().into_owned();
        let mut all = vec![args[0], "--dir", &dir];
        all.extend(&args[1..]);
        run(&all)
    }

    fn new_game(&self, id: &str, more: &[&str]) -> Said {
        let scenario = self.path("toy.yaml").to_string_lossy().into_owned();
        let mut args = vec!["new", "--game", id, "--scenario", &scenario, "--umpire", "u@example.org"];
        args.extend(["--seat", "french=f@example.org", "--seat", "coalition=C@Example.org", "--deadline", "48h"]);
        args.extend(more);
        self.run(&args)
    }

    fn mails_out(&self) -> usize {
        fs::read_dir(self.path("mail/out/new")).unwrap().count()
    }
}

fn run(args: &[&str]) -> Said {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = std::iter::once("estafette").chain(args.iter().copied()).map(OsString::from);
    let code = estafette::cli::run(args, TOYS, &mut out, &mut err);
    Said { code, out: String::from_utf8(out).unwrap(), err: String::from_utf8(err).unwrap() }
}

fn json(said: &Said) -> Value {
    serde_json::from_str(&said.out).unwrap_or_else(|why| panic!("{why}: {said:?}"))
}

#[test]
fn a_post_office_is_made_once_and_kept_private() {
    let desk = Desk::new();
    fs::write(desk.path("config.toml"), "address = \"mine@example.org\"\n").unwrap();
    assert_eq!(desk.run(&["init"]).code, 0);
    assert_eq!(fs::read_to_string(desk.path("config.toml")).unwrap(), "address = \"mine@example.org\"\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(desk.path("estafette.db")).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0);
    }
}

#[test]
fn a_game_is_made_and_its_opening_mails_go_out() {
    let desk = Desk::with_game();
    assert_eq!(desk.mails_out(), 3);
    let facts = json(&desk.run(&["status", "--json"]));
    assert_eq!((facts[0]["game"].as_str(), facts[0]["state"].as_str()), (Some("toy-7"), Some("forming")));
    assert_eq!(facts[0]["due"][0]["seat"], "coalition");
    let plain = desk.run(&["status", "toy-7"]);
    assert!(plain.out.contains("toy-7   toy-fellows   forming"), "{plain:?}");
}

#[test]
fn what_a_game_cannot_be_made_from_is_named_with_its_cure() {
    let desk = Desk::with_game();
    let cases: [(&str, &[&str], &str); 6] = [
        ("toy-7", &[], "there is a game \"toy-7\" already"),
        ("Toy 8", &[], "cannot be a game's id"),
        ("toy-8", &["--seat", "prussia=p@example.org"], "no seat \"prussia\"; its seats are french, coalition"),
        ("toy-8", &["--seat", "french=nobody"], "\"nobody\" is not a mail address"),
        ("toy-8", &["--master-hex", "12"], "64 hexadecimal digits"),
        ("toy-8", &["--tempo", "slow"], "slow"),
    ];
    for (id, more, wanted) in cases {
        let said = desk.new_game(id, more);
        assert!(said.code == 2 && said.err.contains(wanted), "{wanted}: {said:?}");
    }
    let lacking = desk.run(&["new", "--game", "toy-8", "--scenario", &desk.path("toy.yaml").to_string_lossy()]);
    let wanted = "the seats french and coalition have no address; give it with --seat french=name@example.org --seat \
                  coalition=name@example.org.";
    assert!(lacking.code == 2 && lacking.err.contains(wanted), "{lacking:?}");
    let lacking = desk.run(&["new", "--game", "toy-8", "--scenario", "1805-morawia"]);
    assert!(lacking.code == 2 && lacking.err.contains("Did you mean 1805-moravia?"), "{lacking:?}");
    fs::write(desk.path("toy.yaml"), "ruleset: chess\nid: toy\ntitle: A toy\n").unwrap();
    let said = desk.new_game("toy-8", &[]);
    assert!(said.code == 2 && said.err.contains("toy-great, toy-fellows, toy-austerlitz"), "{said:?}");
    fs::remove_file(desk.path("toy.yaml")).unwrap();
    let said = desk.new_game("toy-8", &[]);
    assert!(said.code == 3 && said.err.contains("toy.yaml"), "{said:?}");
    assert_eq!(json(&desk.run(&["status", "--json"])).as_array().map(Vec::len), Some(1), "no game was made");
}

#[test]
fn exit_codes_say_usage_and_disk_apart() {
    assert_eq!(run(&["--help"]).code, 0);
    assert_eq!(run(&["gallop"]).code, 2);
    let nowhere = run(&["status", "--dir", "/nonexistent/office"]);
    assert!(nowhere.code == 3 && nowhere.err.contains("estafette init"), "{nowhere:?}");
    let desk = Desk::with_game();
    let said = desk.run(&["status", "toy-8"]);
    assert!(said.code == 2 && said.err.contains("Did you mean toy-7?"), "{said:?}");
    fs::write(desk.path("config.toml"), "addres = 1\n").unwrap();
    let said = desk.run(&["serve", "--once"]);
    assert!(said.code == 2 && said.err.contains("config.toml:1"), "{said:?}");
}

/// Puts answers to the opening mails into the box and serves them.
fn begin(desk: &Desk) {
    for seat in ["french", "coalition"] {
        let from = if seat == "french" { "f@example.org" } else { "c@example.org" };
        let tag = opening_tag(desk, from);
        let raw = format!("From: {from}\r\nSubject: {tag}\r\nMessage-ID: <{seat}@x>\r\n\r\nSIGNON\r\n");
        fs::write(desk.path("mail/in/new").join(seat), raw).unwrap();
    }
    assert_eq!(desk.run(&["serve", "--once"]).code, 0);
}

fn opening_tag(desk: &Desk, address: &str) -> String {
    let folder = fs::read_dir(desk.path("mail/out/new")).unwrap();
    let heads = folder.map(|entry| String::from_utf8_lossy(&fs::read(entry.unwrap().path()).unwrap()).into_owned());
    let tags = heads.filter(|raw| raw.lines().any(|line| line.starts_with("To: ") && line.contains(address)));
    let tags = tags.filter_map(|raw| {
        let subject = raw.lines().find(|line| line.starts_with("Subject: "))?;
        Some(subject[subject.rfind('[')?..].to_owned())
    });
    tags.min().unwrap()
}

#[test]
fn a_seat_s_papers_are_shown_on_the_spot() {
    let desk = Desk::with_game();
    begin(&desk);
    let facts = json(&desk.run(&["status", "toy-7", "--json"]));
    assert_eq!(facts[0]["state"], "playing");
    for (verb, key) in [("map", "map"), ("history", "history"), ("orders", "orders")] {
        let said = desk.run(&[verb, "toy-7", "--seat", "french", "--json"]);
        assert!(said.code == 0 && json(&said)[key].is_array(), "{said:?}");
        assert!(!desk.run(&[verb, "toy-7", "--seat", "french"]).out.is_empty());
    }
    let report = desk.run(&["report", "toy-7", "--seat", "french"]);
    assert!(report.code == 0 && report.out.contains("YOUR FORCES"), "{report:?}");
    let truth = desk.run(&["report", "toy-7", "--seat", "umpire"]);
    assert_eq!(truth.code, 0, "{truth:?}");
    let ledger = desk.run(&["umpire", "toy-7", "show", "ledger"]);
    assert!(ledger.out.contains("(at the console)") && ledger.out.contains("REPORT"), "{ledger:?}");
    let other = desk.run(&["report", "toy-7", "--seat", "umpire-2"]);
    assert!(other.code != 0 && other.err.contains("no umpire \"umpire-2\""), "{other:?}");
    // A toy draws no map, so there is nothing to play it on; while it is played, all of it is nobody's.
    let file = desk.path("page.html").to_string_lossy().into_owned();
    for (args, code, wanted) in [
        (&["replay", "toy-7", "--out", &file][..], 2, "--seat french shows what that seat was told so far"),
        (&["replay", "toy-7", "--seat", "prussia", "--out", &file], 2, "its seats are french, coalition"),
        (&["replay", "toy-7", "--seat", "french", "--out", &file], 1, "draws no map"),
        (&["desk", "toy-7", "--out", &file], 1, "draws no map"),
    ] {
        let said = desk.run(args);
        assert!(said.code == code && said.err.contains(wanted), "{args:?}: {said:?}");
    }
    let said = desk.run(&["map", "toy-7", "--seat", "prussia"]);
    assert!(said.code == 2 && said.err.contains("its seats are french, coalition"), "{said:?}");
}

#[test]
fn check_finds_what_is_wrong_and_does_nothing() {
    let desk = Desk::with_game();
    begin(&desk);
    let before = json(&desk.run(&["status", "--json"]));
    let seat = before[0]["due"][0]["seat"].as_str().unwrap().to_owned();
    let (good, bad) = (desk.path("good.txt"), desk.path("bad.txt"));
    fs::write(&good, "FIRST YES\n").unwrap();
    fs::write(&bad, "FIRST YES\nPlease gallop\n").unwrap();
    let check = |file: &Path, json: &[&str]| {
        let file = file.to_string_lossy().into_owned();
        desk.run(&[&["check", "toy-7", "--seat", seat.as_str(), file.as_str()], json].concat())
    };
    assert_eq!(check(&good, &[]).code, 0);
    let said = check(&bad, &["--json"]);
    assert_eq!((said.code, json(&said)[1]["word"].as_str()), (1, Some("UNCLEAR")), "{said:?}");
    assert_eq!(check(Path::new("/nonexistent/orders"), &[]).code, 3);
    assert_eq!(json(&desk.run(&["status", "--json"])), before);
}

#[test]
fn audit_agrees_exports_and_finds_a_tampered_bundle() {
    let desk = Desk::with_game();
    begin(&desk);
    let said = desk.run(&["audit", "toy-7"]);
    assert!(said.code == 4 && said.out.contains("OPEN: it agrees as far as it is open"), "{said:?}");
    let file = desk.path("bundle.jsonl").to_string_lossy().into_owned();
    assert_eq!(desk.run(&["audit", "toy-7", "--export", &file, "--seat", "french"]).code, 0);
    let text = fs::read_to_string(&file).unwrap();
    assert!(!text.contains("\"kind\":\"event\"") && !text.contains("master"));
    let good = json(&run(&["audit", "--bundle", &file, "--json"]));
    assert_eq!((good["game"].as_str(), good["faults"].as_array().map(Vec::len)), (Some("toy-7"), Some(0)));
    fs::write(&file, text.replacen("\"commit\":\"", "\"commit\":\"0", 1)).unwrap();
    let said = run(&["audit", "--bundle", &file]);
    assert!(said.code == 1 && said.out.contains("FAULT"), "{said:?}");
    fs::write(&file, "no bundle\n").unwrap();
    assert_eq!(run(&["audit", "--bundle", &file]).code, 1);
    assert_eq!(run(&["audit", "--bundle", "/nonexistent/bundle"]).code, 3);
    assert_eq!(run(&["audit"]).code, 2);
}

#[test]
fn the_umpire_s_verbs_work_or_say_not_yet_by_name() {
    let desk = Desk::with_game();
    begin(&desk);
    for (args, wanted) in [
        (&["hold"][..], "the game is held"),
        (&["release"], "the game goes on"),
        (&["extend", "all", "24h"], "all has until"),
        (&["message", "french", "well", "done"], "sent."),
        (&["remind", "all"], "reminded"),
        (&["ruling", "242", "all", "no"], "told to"),
        (&["show", "french"], "WHAT FRENCH SEES"),
        (&["show", "ledger"], "RULING ¶242"),
        (&["rewind"], "REST POINTS"),
        (&["option", "press", "grey"], "press is grey"),
        (&["pause", "1", "Mar", "2030", "20:00"], "stands still, until"),
        (&["resume"], "the clock runs again"),
        (&["until", "all", "1", "Mar", "2030", "20:00"], "all has until"),
        (&["replace", "french", "soult@example.org"], "has the seat french"),
        (&["show", "ledger"], "REPLACE french"),
        (&["proceed"], "answered by the defaults"),
    ] {
        let said = desk.run(&[&["umpire", "toy-7"], args].concat());
        assert!(said.code == 0 && said.out.contains(wanted), "{wanted}: {said:?}");
    }
    for (args, wanted) in [
        (&["replace", "french", "soult"][..], "UNCLEAR"),
        (&["amend", "french", "AP", "1", "REASON", "x"], "not built yet"),
        (&["rewind", "99", "REASON", "x"], "no rest point 99"),
        (&["judge", "5"], "no combat waits"),
        (&["option", "couriers", "on"], "new --staff"),
    ] {
        let said = desk.run(&[&["umpire", "toy-7"], args].concat());
        assert!(said.code == 2 && said.err.contains(wanted), "{said:?}");
    }
    assert_eq!(desk.run(&["umpire", "toy-7", "message", "prussia", "x"]).code, 2);
}

#[test]
fn the_doctor_finds_a_changed_chain_and_makes_the_rows_again() {
    let desk = Desk::with_game();
    begin(&desk);
    let said = desk.run(&["doctor"]);
    assert!(said.code == 0 && said.out.contains("all is well"), "{said:?}");
    let db = rusqlite::Connection::open(desk.path("estafette.db")).unwrap();
    let rows = || -> Vec<(String, String)> {
        let mut found = db.prepare("SELECT board, facts FROM board_rows ORDER BY board, facts").unwrap();
        let rows = found.query_map((), |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let before = rows();
    assert!(!before.is_empty());
    db.execute("UPDATE board_rows SET facts = 'gone'", ()).unwrap();
    assert_eq!(desk.run(&["doctor", "--rebuild"]).code, 0);
    assert_eq!(rows(), before);
    packed::unguarded(&db);
    packed::change(&db, "toy-7", 2, |entry| entry.body.push(' '));
    let said = desk.run(&["doctor", "--json"]);
    let told = format!("entry {}: was changed", packed::place(&db, "toy-7", 2));
    assert!(said.code == 1 && said.out.contains(&told), "{said:?}");
}

#[test]
fn schemas_are_json_and_a_scenario_that_is_not_there_is_named() {
    for what in ["scenario", "config", "case", "seat-view"] {
        let said = run(&["schema", what]);
        assert!(said.code == 0 && json(&said)["$schema"].is_string(), "{what} {said:?}");
    }
    let said = run(&["simulate", "/nonexistent/scenario.yaml"]);
    assert!(said.code == 3 && said.err.contains("/nonexistent/scenario.yaml"), "{said:?}");
    assert_eq!(run(&["schema", "novel"]).code, 2);
}

#[test]
fn a_template_of_the_post_office_is_used_and_a_bad_one_refused_by_line() {
    let desk = Desk::new();
    fs::create_dir(desk.path("templates")).unwrap();
    fs::write(desk.path("templates/opening.txt"), "Subject: Hear ye\n{{ mark }}\nsign on\n{{ end }}\n").unwrap();
    assert_eq!(desk.new_game("toy-7", &[]).code, 0);
    desk.run(&["serve", "--once"]);
    let folder = fs::read_dir(desk.path("mail/out/new")).unwrap();
    let heads = folder.map(|entry| String::from_utf8_lossy(&fs::read(entry.unwrap().path()).unwrap()).into_owned());
    assert_eq!(heads.filter(|raw| raw.contains("Subject: Hear ye")).count(), 2);
    fs::write(desk.path("templates/opening.txt"), "Subject: x\n{{ fores }}\n").unwrap();
    let said = desk.run(&["serve", "--once"]);
    assert!(said.code == 2 && said.err.contains("templates/opening.txt:2"), "{said:?}");
}

#[test]
fn a_second_daemon_is_kept_out() {
    let desk = Desk::with_game();
    let _first =
        estafette::gateway::Office::with_clock(desk.dir.path(), TOYS, true, estafette::clock::Clock::system()).unwrap();
    let said = desk.run(&["serve", "--once"]);
    assert!(said.code == 3 && said.err.contains("another estafette serves"), "{said:?}");
    assert_eq!(desk.run(&["status"]).code, 0);
}

#[test]
fn a_reader_who_has_read_enough_ends_the_program_quietly() {
    let program = env!("CARGO_BIN_EXE_estafette");
    let mut child = Command::new(program)
        .args(["schema", "scenario"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let done = child.wait_with_output().unwrap();
    assert_eq!((done.status.code(), String::from_utf8_lossy(&done.stderr).as_ref()), (Some(0), ""));
}

/// The teaching scenario in a folder of its own, with one passage changed.
fn scenario(desk: &Desk, from: &str, to: &str) -> String {
    for (path, text) in crate::gateway::bench::teaching() {
        let text = if path == "teaching.yaml" { text.replace(from, to) } else { text };
        let file = desk.path("scenario").join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    desk.path("scenario/teaching.yaml").to_string_lossy().into_owned()
}

#[test]
fn a_scenario_with_an_error_is_told_with_file_line_and_cure_and_no_game_is_made() {
    let desk = Desk::new();
    let cases = [
        (
            "hex: \"0407\", units",
            "hex: \"9907\", units",
            "teaching.yaml:52:28: Hex 9907 is off the map. Columns run from",
        ),
        ("leader: gazan", "leader: gasan", "teaching.yaml:52:"),
        ("last_turn: 3", "last_turn: three", "teaching.yaml:27:"),
        ("- maps/teaching.yaml", "- maps/nowhere.yaml", "teaching.yaml:10:3: \"maps/nowhere.yaml\" cannot be read"),
        ("ruleset: campaigns", "ruleset: [", "teaching.yaml:"),
    ];
    for (from, to, wanted) in cases {
        let file = scenario(&desk, from, to);
        let seats = ["--seat", "french=f@example.org", "--seat", "coalition=c@example.org"];
        let said = desk.run(&[&["new", "--game", "g-1", "--scenario", file.as_str()], &seats[..]].concat());
        assert!(said.code == 1 && said.err.contains(wanted), "{wanted}: {said:?}");
        assert!(said.err.trim_end().ends_with(['.', '?']) && said.err.contains(". "), "no cure: {said:?}");
        let said = run(&["simulate", &file]);
        assert!(said.code == 1 && said.err.contains(wanted), "{wanted}: {said:?}");
    }
    assert_eq!(json(&desk.run(&["status", "--json"])), serde_json::json!([]));
    assert_eq!(desk.mails_out(), 0);
}

#[test]
fn a_database_of_a_newer_program_is_refused_by_every_command_and_left_alone() {
    let desk = Desk::with_game();
    let path = desk.path("estafette.db");
    let newer = |db: &rusqlite::Connection| db.pragma_update(None, "user_version", 9_999).unwrap();
    newer(&rusqlite::Connection::open(&path).unwrap());
    let before = fs::read(&path).unwrap();
    let game = "toy-7";
    let commands: [&[&str]; 12] = [
        &["serve", "--once"],
        &["status"],
        &["report", game, "--seat", "french"],
        &["map", game, "--seat", "french"],
        &["history", game, "--seat", "french"],
        &["orders", game, "--seat", "french"],
        &["check", game, "--seat", "french", "-"],
        &["audit", game],
        &["umpire", game, "hold"],
        &["doctor"],
        &["doctor", "--rebuild"],
        &["init"],
    ];
    for command in commands {
        let said = desk.run(command);
        let wanted = "written by a newer estafette (schema 9999; this one knows up to";
        assert!(said.code == 3 && said.err.contains(wanted), "{command:?}: {said:?}");
    }
    assert_eq!(desk.new_game("toy-8", &[]).code, 3);
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn every_command_that_prints_facts_prints_them_as_json() {
    let desk = Desk::with_game();
    begin(&desk);
    let bundle = desk.path("b.jsonl").to_string_lossy().into_owned();
    let orders = desk.path("o.txt").to_string_lossy().into_owned();
    fs::write(&orders, "FIRST YES\n").unwrap();
    let commands: [(&[&str], &str); 12] = [
        (&["init"], "dir"),
        (&["serve", "--once"], "fetched"),
        (&["status"], "/0/game"),
        (&["report", "toy-7", "--seat", "french"], "head"),
        (&["report", "toy-7", "--seat", "umpire"], "forces"),
        (&["map", "toy-7", "--seat", "french"], "map"),
        (&["history", "toy-7", "--seat", "french"], "history"),
        (&["orders", "toy-7", "--seat", "french"], "orders"),
        (&["check", "toy-7", "--seat", "french", &orders], "/0/word"),
        (&["audit", "toy-7"], "faults"),
        (&["audit", "toy-7", "--export", &bundle], "lines"),
        (&["umpire", "toy-7", "hold"], "done"),
    ];
    for (command, key) in commands {
        let said = desk.run(&[command, &["--json"]].concat());
        let pointer = if key.starts_with('/') { key.to_owned() } else { format!("/{key}") };
        assert!(json(&said).pointer(&pointer).is_some(), "{command:?}: {said:?}");
        // 4: the audit of a game that is on is open.
        assert!(matches!(said.code, 0 | 1 | 4) && said.err.is_empty(), "{command:?}: {said:?}");
    }
}

#[test]
fn help_is_asked_for_and_mistakes_are_usage() {
    for command in [
        "demo",
        "init",
        "new",
        "serve",
        "status",
        "report",
        "sheet",
        "replay",
        "desk",
        "map",
        "history",
        "orders",
        "check",
        "audit",
        "umpire",
        "case",
        "simulate",
        "doctor",
        "schema",
        "tutorial",
        "scenarios",
        "completions",
        "man",
        "handbook",
        "where",
    ] {
        let said = run(&[command, "--help"]);
        assert!(said.code == 0 && said.out.contains("Usage: ") && said.err.is_empty(), "{command}: {said:?}");
        let said = run(&[command, "--gallop"]);
        assert!(said.code == 2 && said.err.contains("--gallop") && said.out.is_empty(), "{command}: {said:?}");
    }
    for wrong in [
        &["new", "--game", "x"][..],
        &["new", "--game", "x", "--scenario", "y", "--deadline", "0"],
        &["new", "--game", "x", "--scenario", "y", "--seat", "french"],
        &["report", "toy-7"],
        &["audit", "--bundle", "x", "--export", "y"],
        &["audit", "toy-7", "--seat", "french"],
        &["umpire", "toy-7"],
        &["case"],
        &["case", "x", "--missing"],
        &["simulate"],
        &["where"],
        &["where", "¶107", "--all"],
        &["where", "¶999"],
        &["where", "--all", "--game", "chess"],
    ] {
        assert_eq!(run(wrong).code, 2, "{wrong:?}");
    }
    assert_eq!(run(&["doctor", "--dir", "/nonexistent/office"]).code, 3);
    assert_eq!(run(&["case", "/nonexistent/case.yaml"]).code, 1);
}

#[test]
fn a_hundred_games_stand_on_one_screen_and_whole_as_json() {
    let desk = Desk::new();
    for n in 0..100 {
        let said = desk.new_game(&format!("toy-{n:03}"), &[]);
        assert_eq!(said.code, 0, "{said:?}");
    }
    assert_eq!(desk.run(&["umpire", "toy-042", "hold"]).code, 0);
    let said = desk.run(&["status"]);
    let lines: Vec<&str> = said.out.lines().collect();
    assert!(lines.len() <= 40 && lines.iter().all(|line| line.chars().count() <= 78), "{}", said.out);
    assert!(lines[0].starts_with("100 games: 100 forming") && said.out.contains("1 held"), "{}", said.out);
    assert!(lines.iter().any(|line| line.contains("toy-042") && line.contains("HELD")), "{}", said.out);
    for n in (0..100).filter(|n| *n != 42) {
        assert!(said.out.contains(&format!("toy-{n:03}")), "{n}: {}", said.out);
    }
    let facts = json(&desk.run(&["status", "--json"]));
    let held: Vec<&str> =
        facts.as_array().unwrap().iter().filter(|f| f["held"] == true).filter_map(|f| f["game"].as_str()).collect();
    assert_eq!((facts.as_array().unwrap().len(), held), (100, vec!["toy-042"]));
}

/// The rules of a ruleset with no function that cites them, how many rules it has, and those with no case.
fn uncited(ruleset: &str) -> (Vec<String>, usize, Vec<String>) {
    let facts = json(&run(&["where", "--all", "--game", ruleset, "--json"]));
    let rules = facts.as_array().unwrap();
    let lacking = |what: &str| {
        let lacking = rules.iter().filter(|rule| rule[what] == 0);
        lacking.map(|rule| rule["rule"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    (lacking("functions"), rules.len(), lacking("cases"))
}

#[test]
fn every_paragraph_leads_to_its_function_and_its_case() {
    assert_eq!(uncited("campaigns"), (vec![], 415, vec![]));
    // What is not cited yet; may only shrink, and what is cited leaves the list.
    let listed = include_str!("../rules/austerlitz1805-uncited.txt");
    let listed: Vec<&str> = listed.lines().filter(|line| !line.starts_with('#')).collect();
    let (functions, _, cases) = uncited("austerlitz1805");
    assert_eq!((functions, cases), (listed.iter().map(|key| (*key).to_owned()).collect(), vec![]));
}

#[test]
fn a_rule_is_found_by_its_number() {
    let said = run(&["where", "¶408"]);
    assert!(said.code == 0 && said.out.starts_with("campaigns 408\n  obeyed by\n    src/rules/campaigns/"), "{said:?}");
    assert!(said.out.contains("  proven by\n    tests/cases/campaigns/"), "{said:?}");
    // What is named stands where it is said to stand.
    let facts = json(&run(&["where", "12.7.2", "--game", "austerlitz1805", "--json"]));
    let function = &facts[0]["functions"][0];
    let (file, line) = function["place"].as_str().unwrap().split_once(':').unwrap();
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    let line = text.lines().nth(line.parse::<usize>().unwrap() - 1).unwrap();
    assert!(line.contains(function["name"].as_str().unwrap()), "{line}: {function}");
    assert!(text.contains("/// 12.7.2 "), "{file}");
}

#[test]
fn long_work_shows_how_far_it_is_on_a_terminal_and_nothing_where_nobody_looks() {
    let scenario = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/brave_fellows/teaching.yaml");
    let program = env!("CARGO_BIN_EXE_estafette");
    let piped = Command::new(program).args(["simulate", scenario, "--games", "2"]).output().unwrap();
    assert!(piped.status.success() && piped.stderr.is_empty(), "{}", String::from_utf8_lossy(&piped.stderr));
    // `script` gives it a terminal, and writes down all that is shown there.
    let line = format!("'{program}' simulate '{scenario}' --games 2");
    let seen = Command::new("script").args(["-qec", &line, "/dev/null"]).env("TERM", "xterm").output().unwrap();
    let seen = String::from_utf8_lossy(&seen.stdout);
    assert!(seen.contains(" of 2 games"), "{seen}");
    // The result is the same, and the bar is gone before it.
    let said = String::from_utf8_lossy(&piped.stdout);
    let first = said.lines().next().unwrap();
    assert!(seen.rfind(" of 2 games") < seen.find(first), "{seen}");
}
