//! A restore from a backup gives nothing away twice: no number, no name of a mail, no tag, no die; and nothing is lost in
//! silence.

#[cfg(feature = "failpoints")]
mod kills;
mod other;
#[cfg(feature = "failpoints")]
mod transports;

use crate::gateway::bench::{Bench, Mail, START, TOYS, copied, to};
use crate::gateway::whole::line;
use crate::packed;
use crate::toys::Whim;
use estafette::audit::Line;
use estafette::audit::bundle::{Asker, bundle};
use estafette::audit::verify::{Verdict, verify};
use estafette::clock::Clock;
use estafette::games::GAMES;
use estafette::gateway::{Office, UmpireDoes, restore, table};
use estafette::store::{GameState, Store, office_of};
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const GAME: &str = "toy-7";

/// The text of a mail, however its lines are broken.
fn flat(mail: &Mail) -> String {
    mail.text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_over(bench: &Bench) -> bool {
    bench.office.store.game(GAME).unwrap().unwrap().state == GameState::Over
}

/// Somebody who owes something writes it.
fn step(bench: &mut Bench, whim: &mut Whim) -> String {
    let (seat, body) = line(bench, whim);
    bench.reply(&seat, &body);
    seat
}

fn clock() -> Clock {
    Clock::from_text("2026-01-05T00:00:00Z").unwrap()
}

/// The folder of a bench whose post office is shut.
fn closed(bench: Bench) -> TempDir {
    let Bench { dir, office, .. } = bench;
    drop(office);
    dir
}

/// The post office of a bench after a restore from that file.
fn restored(bench: Bench, file: &Path) -> Bench {
    let dir = closed(bench);
    let done = restore(dir.path(), file, false, TOYS, clock()).unwrap();
    assert_eq!(done.games.len(), 1, "{done:?}");
    assert!(done.before.is_some_and(|before| before.join("estafette.db").exists()));
    Bench::served_by(dir, clock())
}

/// Whoever reads all mails ever sent finds no name, no tag and no number of a seat on two different letters.
fn nothing_came_twice(out: &[Mail]) {
    let (mut by_id, mut by_tag, mut by_number) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for mail in out {
        let raw = by_id.entry(mail.id.clone()).or_insert_with(|| mail.raw.clone());
        assert_eq!(*raw, mail.raw, "two contents under {}", mail.id);
        if let Some(tag) = mail.tag() {
            assert_eq!(*by_tag.entry(tag.secret).or_insert_with(|| mail.id.clone()), mail.id, "{mail:?}");
        }
        let number = mail.text.split("estafette mail ").nth(1).and_then(|rest| rest.split(' ').next());
        let number: u32 = number.unwrap_or_else(|| panic!("{mail:?}")).parse().unwrap();
        if number > 0 {
            let at = (mail.to.clone(), number);
            assert_eq!(*by_number.entry(at).or_insert_with(|| mail.id.clone()), mail.id, "{mail:?}");
        }
    }
}

fn lines(bench: &Bench) -> Vec<Line> {
    let row = bench.office.store.game(GAME).unwrap().unwrap();
    let hosted = table::open(TOYS, &bench.office.store, &row).unwrap();
    bundle(&bench.office.store, &row, hosted.as_ref(), &Asker::All).unwrap()
}

/// The slots in which dice were rolled.
fn slots(bench: &Bench) -> Vec<u32> {
    let row = bench.office.store.game(GAME).unwrap().unwrap();
    let hosted = table::open(TOYS, &bench.office.store, &row).unwrap();
    hosted.rolls(None).into_iter().map(|(slot, _)| slot).collect()
}

/// A game that is copied at some time, goes on, and is restored; then it is played to its end.
fn copied_lost_and_restored(ruleset: &str, seed: u64) {
    let mut whim = Whim(seed);
    // Games of both dice protocols.
    let mut bench =
        if seed.is_multiple_of(2) { Bench::begun(GAME, ruleset).0 } else { Bench::begun_by_one(GAME, ruleset) };
    let files = tempfile::tempdir().unwrap();
    for _ in 0..whim.below(6) {
        step(&mut bench, &mut whim);
    }
    if is_over(&bench) {
        return;
    }
    let file = files.path().join("copy.db");
    bench.office.store.backup(&file, START).unwrap();
    let before = bench.office.store.mails_ever().unwrap();
    let mut wrote = Vec::new();
    for _ in 0..1 + whim.below(6) {
        if !is_over(&bench) {
            wrote.push(step(&mut bench, &mut whim));
        }
    }
    let lost = slots(&bench);
    let greatest = lost.iter().copied().max().unwrap_or(0);
    let mut bench = restored(bench, &file);
    let known = slots(&bench).len();
    let mails = bench.pass();
    for seat in crate::gateway::bench::seats(ruleset) {
        let told = to(&mails, seat).into_iter().filter(|mail| flat(mail).contains("was restored on")).count();
        assert_eq!(told, 1, "{seat}: {mails:#?}");
    }
    // What was written meanwhile is asked back, and nothing of it is carried out.
    for seat in &wrote {
        let back = |mail: &&&Mail| {
            ["belongs to the time that was lost", "which you had before"].iter().any(|why| flat(mail).contains(why))
        };
        assert!(to(&mails, seat).iter().any(|mail| back(&mail)), "{seat}: {mails:#?}");
    }
    assert_eq!(slots(&bench).len(), known, "nothing is rolled before somebody writes");
    for n in 1..400 {
        if is_over(&bench) {
            break;
        }
        // More mails in an hour than a seat may send would not be read.
        bench.advance(i64::from(n % 10 == 0));
        step(&mut bench, &mut whim);
    }
    assert!(is_over(&bench));
    assert!(slots(&bench).iter().skip(known).all(|slot| *slot > greatest), "a slot is rolled in twice");
    nothing_came_twice(&bench.out());
    assert!(bench.office.store.mails_ever().unwrap() > before);
    assert_eq!(bench.office.store.integrity().unwrap(), Vec::<String>::new());
    let whole = lines(&bench);
    let found = verify(&whole, TOYS);
    assert_eq!((found.faults.clone(), found.verdict), (Vec::new(), Verdict::Agrees), "{found:?}");
    let kept = files.path().join("bundle.jsonl");
    fs::write(&kept, estafette::audit::write(&whole)).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/audit/verify.py");
    let said = Command::new("python3").arg(script).arg(&kept).output().unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stdout));
}

/// RESTORES=200 tries as many pairs of a backup and a loss.
#[test]
fn a_restored_post_office_gives_nothing_away_twice_and_loses_nothing_in_silence() {
    let count: u64 = std::env::var("RESTORES").map_or(9, |n| n.parse().unwrap());
    for seed in 0..count {
        let ruleset = ["toy-fellows", "toy-great", "toy-austerlitz"][usize::try_from(seed % 3).unwrap()];
        copied_lost_and_restored(ruleset, seed);
    }
}

#[test]
fn two_restores_of_one_copy_roll_other_dice_and_number_mails_on() {
    let (bench, _) = Bench::begun(GAME, "toy-fellows");
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join("copy.db");
    bench.office.store.backup(&file, START).unwrap();
    let roots: Vec<String> = (0..2)
        .scan(Some(bench), |bench, n| {
            let mut again = restored(bench.take()?, &file);
            again.pass();
            step(&mut again, &mut Whim(n));
            nothing_came_twice(&again.out());
            let roots = lines(&again)
                .into_iter()
                .filter_map(|l| if let Line::Root { root, .. } = l { Some(root) } else { None });
            let root = roots.collect::<Vec<_>>().pop()?;
            *bench = Some(again);
            Some(root)
        })
        .collect();
    assert_eq!(roots.len(), 2);
    assert_ne!(roots[0], roots[1]);
}

#[test]
fn answers_to_mails_of_a_restore_that_the_copy_does_not_know_of_are_asked_back() {
    let (bench, _) = Bench::begun(GAME, "toy-fellows");
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join("copy.db");
    bench.office.store.backup(&file, START).unwrap();
    let mut bench = restored(bench, &file);
    bench.pass();
    let mut whim = Whim(3);
    let wrote = step(&mut bench, &mut whim);
    let between = ["french", "coalition"].map(|seat| (seat, bench.last_of(GAME, seat).subject));
    // What restores gave out stands there too; here the databases that were moved aside are all that is left.
    fs::remove_file(bench.dir.path().join("estafette.restores")).unwrap();
    let mut bench = restored(bench, &file);
    let mails = bench.pass();
    let lost = |mail: &&&Mail| flat(mail).contains("belongs to the time that was lost");
    assert_eq!(to(&mails, &wrote).iter().filter(lost).count(), 1, "what was written is asked back: {mails:#?}");
    for (seat, subject) in between {
        bench.post(&format!("{seat}@example.org"), &format!("Re: {subject}"), "HISTORY");
        let mails = bench.pass();
        assert_eq!(to(&mails, seat).iter().filter(lost).count(), 1, "{seat}: {mails:#?}");
        assert!(to(&mails, seat).iter().any(|mail| flat(mail).contains("It says: > HISTORY")), "{seat}: {mails:#?}");
    }
    nothing_came_twice(&bench.out());
}

/// Numbers that may have gone out since a copy are given up by the hundred, however near a thousand the copy is; and all
/// that are known of, whatever the copy says.
#[test]
fn at_least_five_hundred_numbers_are_given_up() {
    let (bench, _) = Bench::begun(GAME, "toy-fellows");
    let seat = bench.office.store.seats(GAME).unwrap().into_iter().find(|seat| seat.seat == "french").unwrap();
    let lose = |known: u32| bench.office.store.act(|act| act.lose_numbers(GAME, "french", known)).unwrap();
    let (first, last) = lose(0);
    assert_eq!((first, last), (seat.mails_sent + 1, 1000));
    assert_eq!(lose(0), (1001, 2000));
    assert_eq!(lose(2400), (2001, 3000));
    assert_eq!(lose(3501), (3001, 5000));
}

/// A copy that an older program made does not say which post office it is of.
#[test]
fn a_copy_of_before_offices_had_names_is_taken_and_the_name_stays() {
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/museum/0.1.0/campaigns-db-own");
    let dir = copied(&old);
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join("copy.db");
    fs::copy(old.join("estafette.db"), &file).unwrap();
    let name = || office_of(&dir.path().join("estafette.db")).unwrap();
    assert_eq!(office_of(&file).unwrap(), None);
    let before = fs::read(&file).unwrap();
    drop(Office::with_clock(dir.path(), GAMES, true, clock()).unwrap());
    let own = name();
    assert!(own.is_some());
    restore(dir.path(), &file, false, GAMES, clock()).unwrap();
    assert_eq!(name(), own);
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn a_game_whose_beginning_was_lost_begins_with_other_dice() {
    let mut bench = Bench::with_game(GAME, "toy-fellows");
    bench.reply("french", "SIGNON\nNONCE one");
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join("copy.db");
    bench.office.store.backup(&file, START).unwrap();
    bench.reply("coalition", "SIGNON\nNONCE two");
    let committed = bench.office.store.notices(GAME).unwrap()[0].slots.1;
    let mut bench = restored(bench, &file);
    let mails = bench.pass();
    assert!(to(&mails, "french").iter().any(|mail| flat(mail).contains("Sign-on goes on")), "{mails:#?}");
    bench.reply("coalition", "SIGNON\nNONCE two");
    let mut whim = Whim(4);
    while !is_over(&bench) {
        step(&mut bench, &mut whim);
    }
    let first = slots(&bench).into_iter().min();
    assert!(first.is_some_and(|slot| slot > committed), "{first:?}, and {committed} were committed before");
    assert_eq!(verify(&lines(&bench), TOYS).verdict, Verdict::Agrees);
}

#[test]
fn what_is_no_good_backup_is_refused_and_nothing_is_touched() {
    let (bench, _) = Bench::begun(GAME, "toy-fellows");
    let files = tempfile::tempdir().unwrap();
    let path = |name: &str| files.path().join(name);
    bench.office.store.backup(&path("good.db"), START).unwrap();
    let good = fs::read(path("good.db")).unwrap();
    fs::write(path("empty.db"), b"").unwrap();
    fs::write(path("text.db"), b"this is a letter to my aunt, and no database at all").unwrap();
    let mut torn = good.clone();
    torn[4096 * 6..4096 * 9].fill(0x5a);
    fs::write(path("torn.db"), torn).unwrap();
    fs::write(path("newer.db"), &good).unwrap();
    Connection::open(path("newer.db")).unwrap().pragma_update(None, "user_version", 999).unwrap();
    let other = Bench::begun(GAME, "toy-fellows").0;
    other.office.store.backup(&path("other.db"), START).unwrap();
    let Bench { dir, office, .. } = bench;
    let serving = Office::with_clock(dir.path(), TOYS, true, clock()).unwrap();
    let said = |file: &Path, adopt: bool| restore(dir.path(), file, adopt, TOYS, clock()).unwrap_err().to_string();
    assert!(said(&path("good.db"), false).contains("stop it first"));
    drop((office, serving));
    let names = || -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let (before, there) = (fs::read(dir.path().join("estafette.db")).unwrap(), names());
    for (name, why) in [
        ("empty.db", "empty"),
        ("text.db", "not a database"),
        ("torn.db", ""),
        ("newer.db", "newer"),
        ("other.db", "another post office"),
        ("none.db", "No such file"),
    ] {
        let said = said(&path(name), false);
        assert!(said.contains(why) && said.contains(name), "{name}: {said}");
        let both = ["schema 999".to_owned(), format!("knows up to {}", estafette::store::STEPS.len())];
        assert!(name != "newer.db" || both.iter().all(|version| said.contains(version)), "{said}");
        assert_eq!(names(), there, "{name}");
        assert_eq!(fs::read(dir.path().join("estafette.db")).unwrap(), before, "{name}");
    }
    let itself = dir.path().join("estafette.db");
    assert!(said(&itself, false).contains("itself"));
    assert!(restore(dir.path(), &path("other.db"), true, TOYS, clock()).is_ok(), "--adopt takes it");
}

#[test]
fn an_older_copy_put_in_place_by_hand_is_noticed() {
    let (mut bench, _) = Bench::begun(GAME, "toy-fellows");
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join("copy.db");
    bench.office.store.backup(&file, START).unwrap();
    let mut bench = {
        step(&mut bench, &mut Whim(1));
        let dir = closed(bench);
        Bench::served_by(dir, Clock::from_text(START).unwrap())
    };
    bench.pass();
    let dir = closed(bench);
    for beside in ["estafette.db-wal", "estafette.db-shm"] {
        let _ = fs::remove_file(dir.path().join(beside));
    }
    fs::copy(&file, dir.path().join("estafette.db")).unwrap();
    let Err(error) = Office::with_clock(dir.path(), TOYS, true, clock()) else { panic!("it is served") };
    assert!(error.to_string().contains("older copy") && error.to_string().contains("estafette restore"), "{error}");
    restore(dir.path(), &file, false, TOYS, clock()).unwrap();
    Bench::served_by(dir, clock()).pass();
}

#[test]
fn a_count_that_cannot_be_read_or_is_lost_stops_the_daemon_until_the_operator_says_what_the_database_is() {
    for (n, text) in [Some("garbage"), Some(""), Some("-5\n"), None].into_iter().enumerate() {
        let (bench, _) = Bench::begun(GAME, "toy-fellows");
        let files = tempfile::tempdir().unwrap();
        let file = files.path().join("copy.db");
        let dir = closed(bench);
        let mut bench = Bench::served_by(dir, Clock::from_text(START).unwrap());
        bench.pass();
        bench.office.store.backup(&file, START).unwrap();
        let dir = closed(bench);
        let count = dir.path().join("estafette.count");
        match text {
            Some(text) => fs::write(&count, text).unwrap(),
            None => fs::remove_file(&count).unwrap(),
        }
        let said = || Office::with_clock(dir.path(), TOYS, true, clock()).err().map(|error| error.to_string());
        let why = said().unwrap_or_else(|| panic!("{text:?}: it is served"));
        assert!(why.contains("estafette restore") && why.contains("--newest"), "{text:?}: {why}");
        let (code, out, _) = crate::gateway::faults::cli(dir.path(), &["doctor"]);
        assert!(code == 1 && out.contains("estafette.count"), "{text:?}: {out}");
        if n % 2 == 0 {
            assert_eq!(crate::gateway::faults::cli(dir.path(), &["doctor", "--newest"]).0, 0, "{text:?}");
        } else {
            restore(dir.path(), &file, false, TOYS, clock()).unwrap();
        }
        assert_eq!(said(), None, "{text:?}");
        let kept: i64 = fs::read_to_string(&count).unwrap().lines().next().unwrap().parse().unwrap();
        assert!(kept > 0);
        // An older copy does not become the newest by being called so.
        fs::write(&count, "9999").unwrap();
        assert_ne!(crate::gateway::faults::cli(dir.path(), &["doctor", "--newest"]).0, 0, "{text:?}");
    }
}

#[test]
fn a_restore_that_cannot_end_does_not_begin() {
    let (bench, _) = Bench::begun(GAME, "toy-fellows");
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join("copy.db");
    bench.office.store.backup(&file, START).unwrap();
    let dir = closed(bench);
    let said = |file: &Path| restore(dir.path(), file, false, TOYS, clock()).unwrap_err().to_string();
    assert!(said(files.path()).contains("it is no file"));
    fs::create_dir(dir.path().join("estafette.count")).unwrap();
    assert!(said(&file).contains("estafette.count: a folder stands"));
    assert!(dir.path().join("estafette.db").is_file());
    assert!(!dir.path().join("estafette.restoring").exists());
}

#[test]
fn an_answer_to_the_newest_mail_that_the_copy_knows_is_said_to_be_of_before_the_restore() {
    let (bench, _) = Bench::begun(GAME, "toy-fellows");
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join("copy.db");
    bench.office.store.backup(&file, START).unwrap();
    let subject = bench.last_of(GAME, "french").subject;
    let mut bench = restored(bench, &file);
    bench.pass();
    bench.post("french@example.org", &format!("Re: {subject}"), "HISTORY");
    let mails = bench.pass();
    let said = flat(to(&mails, "french")[0]);
    assert!(
        said.contains("which you had before the post office was restored") && !said.contains("not among"),
        "{said}"
    );
}

#[test]
fn a_restore_that_was_broken_off_is_finished_by_running_it_again() {
    let (mut bench, _) = Bench::begun(GAME, "toy-fellows");
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join("copy.db");
    bench.office.store.backup(&file, START).unwrap();
    step(&mut bench, &mut Whim(2));
    let dir = closed(bench);
    // As it lies when the machine stops behind the first of the two renames.
    fs::write(dir.path().join("estafette.restoring"), file.display().to_string()).unwrap();
    fs::create_dir(dir.path().join("before-restore-2026-01-05T000000Z")).unwrap();
    fs::rename(dir.path().join("estafette.db"), dir.path().join("before-restore-2026-01-05T000000Z/estafette.db"))
        .unwrap();
    let Err(error) = Office::with_clock(dir.path(), TOYS, true, clock()) else { panic!("it is served") };
    assert!(error.to_string().contains("run it again"), "{error}");
    restore(dir.path(), &file, false, TOYS, clock()).unwrap();
    let mut bench = Bench::served_by(dir, clock());
    bench.pass();
    assert_eq!(bench.office.store.integrity().unwrap(), Vec::<String>::new());
    assert!(Store::open(&bench.dir.path().join("before-restore-2026-01-05T000000Z/estafette.db")).is_ok());
}

#[test]
fn the_daemon_makes_a_copy_a_day_and_keeps_as_many_as_it_is_told() {
    let config = format!("{}\n[backup]\nfolder = \"copies\"\nkeep_days = 3\n", crate::gateway::bench::CONFIG);
    let Bench { dir, office, .. } = Bench::with_config(&config);
    assert!(office.backups().is_err_and(|why| why.contains("holds none")));
    drop(office);
    let mut bench = Bench::served(dir);
    for _ in 0..6 {
        bench.pass();
        bench.pass();
        bench.advance(24);
    }
    let expected: Vec<String> = (3..=6).map(|day| format!("estafette-2026-01-0{day}.db")).collect();
    assert_eq!(copies(&bench), expected);
    assert!(bench.office.backups().is_ok_and(|said| said.contains("2026-01-06")));
    bench.advance(72);
    assert!(bench.office.backups().is_err_and(|why| why.contains("days old")));
    assert!(
        Store::open(&bench.dir.path().join("copies/estafette-2026-01-06.db")).unwrap().copied_at().unwrap().is_some()
    );
}

/// Writes into a copy as no program of ours does.
fn spoilt(file: &Path, spoil: impl FnOnce(&Connection)) {
    let rows = Connection::open(file).unwrap();
    rows.pragma_update(None, "foreign_keys", false).unwrap();
    let triggers: Vec<(String, String)> = {
        let mut found = rows.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").unwrap();
        found.query_map((), |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect()
    };
    let without = |change: &str| triggers.iter().map(|(name, _)| change.replace("{}", name)).collect::<String>();
    rows.execute_batch(&without("DROP TRIGGER {};")).unwrap();
    spoil(&rows);
    for (_, trigger) in &triggers {
        rows.execute_batch(trigger).unwrap();
    }
}

fn sql(rows: &Connection, sql: &str) {
    assert_eq!(rows.execute(sql, ()).unwrap(), 1, "{sql}");
}

/// Faults of one game's rows; the first three keep it from being opened.
const SPOILT: [fn(&Connection); 5] = [
    |rows| packed::change(rows, "toy-2", 4, |entry| entry.body = entry.body.replace('a', "b")),
    |rows| sql(rows, "DELETE FROM log_heads WHERE game = 'toy-2'"),
    |rows| {
        let last = "SELECT max(seq_from) FROM segments WHERE game = 'toy-2'";
        sql(rows, &format!("DELETE FROM segments WHERE game = 'toy-2' AND seq_from = ({last})"));
    },
    |rows| sql(rows, "UPDATE games SET scenario_digest = 'x' WHERE id = 'toy-2'"),
    |rows| sql(rows, "UPDATE seats SET mails_sent = mails_sent + 7 WHERE game = 'toy-2' AND seat = 'french'"),
];

/// Two games that have begun, in a post office with an operator that the daemon serves.
fn two_games(config: &str) -> Bench {
    let mut bench =
        Bench::with_config(&format!("{}operator = \"op@example.org\"\n{config}", crate::gateway::bench::CONFIG));
    for id in ["toy-1", "toy-2"] {
        bench.new_game(id, "toy-fellows", true);
    }
    bench.pass();
    for id in ["toy-1", "toy-2"] {
        for seat in ["french", "coalition"] {
            let subject = bench.last_of(id, seat).subject;
            bench.post(&format!("{seat}@example.org"), &subject, "SIGNON\nNONCE x");
        }
    }
    bench.pass();
    let clock = *bench.office.clock_mut();
    Bench::served_by(closed(bench), clock)
}

#[test]
fn a_fault_of_one_game_in_a_copy_stops_that_game_alone() {
    for (n, spoil) in SPOILT.into_iter().enumerate() {
        let bench = two_games("");
        let files = tempfile::tempdir().unwrap();
        let file = files.path().join("copy.db");
        bench.office.store.backup(&file, START).unwrap();
        spoilt(&file, spoil);
        let dir = closed(bench);
        let done = restore(dir.path(), &file, false, TOYS, clock()).unwrap();
        assert!(done.faults.iter().any(|fault| fault.contains("toy-2")), "{n}: {done:?}");
        assert!(done.games[0].starts_with("toy-1: goes on from"), "{n}: {done:?}");
        assert_eq!(done.games[1].contains("set aside"), n < 3, "{n}: {done:?}");
        let mut bench = Bench::served_by(dir, clock());
        let mails = bench.pass();
        let state = |game: &str| bench.office.store.game(game).unwrap().unwrap().state;
        assert_eq!((state("toy-1"), state("toy-2") == GameState::Corrupt), (GameState::Playing, n < 3), "{n}");
        let told = mails.iter().find(|mail| mail.to == "op@example.org" && mail.subject.contains("restored"));
        assert!(told.is_some_and(|mail| flat(mail).contains("The copy is damaged: ")), "{n}: {mails:#?}");
        let seats: Vec<_> = mails.iter().filter(|mail| bench.is_of(mail, "toy-1", "french")).collect();
        assert!(seats.len() == 1 && flat(seats[0]).contains("was restored on"), "{n}: {mails:#?}");
        // Of another game's trouble nobody else reads.
        assert!(!flat(seats[0]).contains("damaged") && !flat(seats[0]).contains("toy-2"), "{n}");
        for mail in &mails {
            assert!(mail.to == "op@example.org" || flat(mail).contains("estafette mail 100"), "{n}: {mail:?}");
        }
    }
}

#[test]
fn what_was_set_aside_in_the_copy_stays_so_and_its_umpire_is_told() {
    let mut bench = two_games("");
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join("copy.db");
    spoilt(bench.office.store.path(), SPOILT[0]);
    let clock_now = *bench.office.clock_mut();
    let mut bench = Bench::served_by(closed(bench), clock_now);
    let subject = bench.last_of("toy-2", "french").subject;
    bench.post("french@example.org", &subject, "HISTORY");
    bench.pass();
    assert_eq!(bench.office.store.game("toy-2").unwrap().unwrap().state, GameState::Corrupt);
    bench.office.store.backup(&file, START).unwrap();
    let dir = closed(bench);
    let done = restore(dir.path(), &file, false, TOYS, clock()).unwrap();
    assert!(done.games[1].contains("is set aside, as it was"), "{done:?}");
    let mails = Bench::served_by(dir, clock()).pass();
    let told = |mail: &&Mail| mail.to == "umpire@example.org" && flat(mail).contains("toy-2 was set aside in it");
    assert_eq!(mails.iter().filter(told).count(), 1, "{mails:#?}");
    let mails: Vec<Mail> = mails.into_iter().filter(|mail| flat(mail).contains("toy-2")).collect();
    nothing_came_twice(&mails);
}

#[test]
fn a_game_set_aside_by_a_restore_rolls_other_dice_when_it_goes_on() {
    let bench = two_games("");
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join("copy.db");
    bench.office.store.backup(&file, START).unwrap();
    let body = packed::log(&Connection::open(&file).unwrap(), "toy-2")[3].body.clone();
    spoilt(&file, SPOILT[0]);
    let dir = closed(bench);
    restore(dir.path(), &file, false, TOYS, clock()).unwrap();
    let mut bench = Bench::served_by(dir, clock());
    bench.pass();
    let db = bench.office.store.path().to_owned();
    let dir = closed(bench);
    spoilt(&db, |rows| packed::change(rows, "toy-2", 4, |entry| entry.body = body));
    let mut bench = Bench::served_by(dir, clock());
    assert_eq!(bench.office.store.log_of_kind("toy-2", "post.restored", 1).unwrap(), []);
    bench.office.umpire("toy-2", &UmpireDoes::Release).unwrap();
    let mails = bench.pass();
    assert_eq!(bench.office.store.log_of_kind("toy-2", "post.restored", 1).unwrap().len(), 1);
    for seat in ["french", "coalition"] {
        let told =
            mails.iter().filter(|mail| bench.is_of(mail, "toy-2", seat) && flat(mail).contains("was restored on"));
        assert_eq!(told.count(), 1, "{seat}: {mails:#?}");
    }
    bench.office.umpire("toy-2", &UmpireDoes::Hold).unwrap();
    bench.office.umpire("toy-2", &UmpireDoes::Release).unwrap();
    assert_eq!(bench.office.store.log_of_kind("toy-2", "post.restored", 1).unwrap().len(), 1, "it hears of it once");
    assert_eq!(bench.office.store.integrity().unwrap(), Vec::<String>::new());
}

/// The nightly copies of a bench, by name.
fn copies(bench: &Bench) -> Vec<String> {
    let found = fs::read_dir(bench.dir.path().join("copies")).unwrap();
    let mut names: Vec<String> = found.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_newest_whole_copy_is_never_deleted_and_the_operator_is_told_once_that_copies_are_not_whole() {
    for remembered in [true, false] {
        let mut bench = two_games("[backup]\nfolder = \"copies\"\nkeep_days = 3\n");
        bench.pass();
        bench.advance(24);
        bench.pass();
        assert_eq!(bench.office.ailing(), []);
        let clock_now = *bench.office.clock_mut();
        let db = bench.office.store.path().to_owned();
        let dir = closed(bench);
        spoilt(&db, SPOILT[0]);
        if !remembered {
            Connection::open(&db).unwrap().execute("DELETE FROM marks WHERE key LIKE 'copies/%'", ()).unwrap();
        }
        let mut bench = Bench::served_by(dir, clock_now);
        let before = bench.out().len();
        for _ in 0..6 {
            bench.advance(24);
            bench.pass();
            bench.pass();
        }
        let days = [2, 5, 6, 7, 8];
        assert_eq!(copies(&bench), days.map(|day| format!("estafette-2026-01-0{day}.db")), "{remembered}");
        let said =
            |mail: &&Mail| mail.to == "op@example.org" && flat(mail).contains("copies are not whole: log of toy-2");
        let out = bench.out();
        let told: Vec<&Mail> = out[before..].iter().filter(said).collect();
        assert!(told.len() == 1 && flat(told[0]).contains("estafette-2026-01-02.db, is kept"), "{told:#?}");
        assert!(bench.office.backups().is_err_and(|why| why.contains("not whole: log of toy-2")));
        assert!(bench.office.ailing().iter().any(|ailing| ailing.why.contains("not whole")));
        // The cure: as soon as a copy is whole again, all is as ever.
        let clock_now = *bench.office.clock_mut();
        let dir = closed(bench);
        let whole = dir.path().join("copies/estafette-2026-01-02.db");
        restore(dir.path(), &whole, false, TOYS, clock_now).unwrap();
        let mut bench = Bench::served_by(dir, clock_now);
        bench.advance(24);
        bench.pass();
        bench.pass();
        assert_eq!(bench.office.ailing(), []);
        assert!(bench.office.backups().is_ok());
        assert!(!copies(&bench).contains(&"estafette-2026-01-02.db".to_owned()), "its term is over");
    }
}
