//! A restore from a backup gives nothing away twice: no number, no name of a mail, no tag, no die; and nothing is lost in
//! silence.

use crate::gateway::bench::{Bench, Mail, START, TOYS, copied, to};
use crate::gateway::whole::line;
use crate::toys::Whim;
use estafette::audit::Line;
use estafette::audit::bundle::{Asker, bundle};
use estafette::audit::verify::{Verdict, verify};
use estafette::clock::Clock;
use estafette::games::GAMES;
use estafette::gateway::{Office, restore, table};
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
    let (mut bench, _) = Bench::begun(GAME, ruleset);
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
            ["belongs to the time that was lost", "not among"].iter().any(|why| flat(mail).contains(why))
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
            let entries = again.office.store.log_of_kind(GAME, "post.restored", 1).unwrap();
            *bench = Some(again);
            let body: serde_json::Value = serde_json::from_str(&entries.last()?.body).unwrap();
            Some(body["root"].as_str()?.to_owned())
        })
        .collect();
    assert_eq!(roots.len(), 2);
    assert_ne!(roots[0], roots[1]);
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
    let lost = bench.office.store.log_of_kind(GAME, "roll", 1).unwrap().len();
    let mut bench = restored(bench, &file);
    let mails = bench.pass();
    assert!(to(&mails, "french").iter().any(|mail| flat(mail).contains("Sign-on goes on")), "{mails:#?}");
    bench.reply("coalition", "SIGNON\nNONCE two");
    let mut whim = Whim(4);
    while !is_over(&bench) {
        step(&mut bench, &mut whim);
    }
    let first = slots(&bench).into_iter().min();
    assert!(first.is_some_and(|slot| slot > 16), "{first:?} (lost {lost})");
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
    fs::write(path("broken.db"), &good).unwrap();
    let chain = Connection::open(path("broken.db")).unwrap();
    let triggers: Vec<String> = {
        let mut found =
            chain.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'log'").unwrap();
        found.query_map((), |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    assert!(!triggers.is_empty());
    for trigger in triggers {
        chain.execute_batch(&format!("DROP TRIGGER {trigger}")).unwrap();
    }
    chain.execute("UPDATE log SET body = replace(body, 'a', 'b') WHERE seq = 4", ()).unwrap();
    drop(chain);
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
        ("broken.db", "damaged"),
        ("other.db", "another post office"),
        ("none.db", "No such file"),
    ] {
        let said = said(&path(name), false);
        assert!(said.contains(why) && said.contains(name), "{name}: {said}");
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
    let copies = |bench: &Bench| -> Vec<String> {
        let found = fs::read_dir(bench.dir.path().join("copies")).unwrap();
        let mut names: Vec<String> = found.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
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
