//! A restore that is killed at any of its passages is finished by running it again.

use super::{clock, closed, flat, nothing_came_twice, two_games};
use crate::gateway::bench::{Bench, Mail, START, TOYS, copied};
use crate::kill::with_room;
use estafette::gateway::Office;
use estafette::store::Store;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

const DIR: &str = "ESTAFETTE_RESTORE_DIR";
const FILE: &str = "ESTAFETTE_RESTORE_FILE";

/// Not a test of its own: what the other starts as another process, `estafette restore` with the toys.
#[test]
fn child() {
    let (Some(dir), Some(file)) = (std::env::var_os(DIR), std::env::var_os(FILE)) else { return };
    let args = ["estafette", "restore", "--dir"].map(OsString::from).into_iter().chain([dir, file]);
    let code = estafette::cli::run(args, TOYS, &mut std::io::sink(), &mut std::io::stderr());
    std::process::exit(i32::from(code));
}

fn run(dir: &Path, file: &Path, env: (&str, &str)) -> Output {
    run_by(Command::new(std::env::current_exe().unwrap()), dir, file, env)
}

fn run_by(mut command: Command, dir: &Path, file: &Path, env: (&str, &str)) -> Output {
    command.args(["--exact", "restore::kills::child", "--nocapture"]);
    command.env_remove("ESTAFETTE_FAIL").env_remove("ESTAFETTE_FAIL_COUNT");
    command.env(DIR, dir).env(FILE, file).env("ESTAFETTE_CLOCK", "2026-01-05T00:00:00Z").env(env.0, env.1);
    command.output().unwrap()
}

/// A post office with two games of which a copy was made, and mails that came in after it; and the copy.
fn office() -> (TempDir, TempDir, PathBuf) {
    let mut bench = two_games("");
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join("copy.db");
    bench.office.store.backup(&file, START).unwrap();
    for (game, seat) in [("toy-1", "french"), ("toy-2", "coalition")] {
        let subject = bench.last_of(game, seat).subject;
        bench.post(&format!("{seat}@example.org"), &format!("Re: {subject}"), "HISTORY");
        bench.pass();
    }
    (closed(bench), files, file)
}

/// What is so after a restore that was broken off and run again.
fn finished(dir: TempDir, before: i64, what: &str) {
    assert!(!dir.path().join("estafette.restoring").exists(), "{what}");
    assert!(!dir.path().join("estafette.db.restoring").exists(), "{what}");
    let asides = std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().path());
    let mut asides: Vec<PathBuf> = asides.filter(|path| path.join("estafette.db").is_file()).collect();
    asides.sort();
    // Nothing is deleted: the database of before lies in the first folder, with all that it held.
    assert_eq!(Store::open(&asides[0].join("estafette.db")).unwrap().mails_ever().unwrap(), before, "{what}");
    let mut bench = Bench::served_by(dir, clock());
    let mails = bench.pass();
    let told = |game: &str, seat: &str| {
        mails.iter().filter(|mail| bench.is_of(mail, game, seat) && flat(mail).contains("was restored on")).count()
    };
    for game in ["toy-1", "toy-2"] {
        for seat in ["french", "coalition"] {
            assert_eq!(told(game, seat), 1, "{what}: {game}, {seat}");
        }
        assert_eq!(bench.office.store.log_of_kind(game, "post.restored", 1).unwrap().len(), 1, "{what}");
        bench.office.store.verify_log(game).unwrap();
    }
    let back = |mail: &&Mail| {
        ["belongs to the time that was lost", "which you had before"].iter().any(|why| flat(mail).contains(why))
    };
    assert_eq!(mails.iter().filter(back).count(), 2, "{what}: what came in since is asked back");
    assert_eq!(bench.office.store.integrity().unwrap(), Vec::<String>::new(), "{what}");
    // No name stands over two letters, whoever wrote them.
    let mut by_id: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for mail in bench.out() {
        assert_eq!(*by_id.entry(mail.id.clone()).or_insert_with(|| mail.raw.clone()), mail.raw, "{what}");
    }
    let mut of_one: Vec<Mail> = bench.out();
    of_one.retain(|mail| bench.is_of(mail, "toy-1", "french"));
    nothing_came_twice(&of_one);
}

/// KILLS=91 kills at so many passages, spread over all there are, and at the first one of each name.
#[test]
fn killed_at_any_passage_a_restore_is_finished_by_running_it_again() {
    let wanted: usize = std::env::var("KILLS").map_or(8, |n| n.parse().unwrap());
    let (office, _files, file) = office();
    let before = Store::open(&office.path().join("estafette.db")).unwrap().mails_ever().unwrap();
    let whole = copied(office.path());
    let count = whole.path().join("passed.txt");
    let done = run(whole.path(), &file, ("ESTAFETTE_FAIL_COUNT", count.to_str().unwrap()));
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let passed: Vec<String> = std::fs::read_to_string(&count).unwrap().lines().map(str::to_owned).collect();
    finished(whole, before, "not killed");
    // At the first passage of each name; and at so many more. The secrets of an epoch are drawn, and on them hangs whether a
    // few passages more or less are there: the last ones are reached by name alone.
    let names: BTreeSet<&String> = passed.iter().collect();
    for place in ["restore/checked", "restore/marked", "restore/moved", "restore/placed", "restore/done", "mail/again"]
    {
        assert!(names.iter().any(|name| *name == place), "{place} is not passed");
    }
    let step = (passed.len() / wanted.max(1)).max(1);
    let spread = (step..passed.len().saturating_sub(50)).step_by(step).map(|n| format!("*:{n}"));
    let plans: Vec<String> = names.into_iter().map(|name| format!("{name}:1")).chain(spread).collect();
    for plan in &plans {
        let what = format!("killed at {plan}");
        let dir = copied(office.path());
        let done = run(dir.path(), &file, ("ESTAFETTE_FAIL", plan));
        assert!(!done.status.success(), "{what}: it was to be killed");
        // Nobody serves what is half done.
        if dir.path().join("estafette.restoring").exists() {
            let Err(error) = Office::with_clock(dir.path(), TOYS, true, clock()) else {
                panic!("{what}: it is served")
            };
            assert!(error.to_string().contains("run it again"), "{what}: {error}");
        }
        let again = run(dir.path(), &file, ("ESTAFETTE_NOTHING", ""));
        assert!(again.status.success(), "{what}: {}", String::from_utf8_lossy(&again.stderr));
        finished(dir, before, &what);
    }
    println!("killed at {} of {} passages, each finished by a second run", plans.len(), passed.len());
}

#[cfg(unix)]
#[test]
fn a_restore_that_a_full_disk_breaks_off_says_its_cure_and_where_the_old_database_lies() {
    let (office, _files, file) = office();
    let before = Store::open(&office.path().join("estafette.db")).unwrap().mails_ever().unwrap();
    let least = std::fs::metadata(&file).unwrap().len() / 512;
    let mut broken_off = 0;
    // The copy has room, and what is written into it then has not.
    for blocks in (0..8).map(|n| least + n * 12) {
        let what = format!("room for {blocks} blocks");
        let dir = copied(office.path());
        let done = run_by(with_room(blocks), dir.path(), &file, ("ESTAFETTE_NOTHING", ""));
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        if done.status.success() {
            continue;
        }
        if dir.path().join("estafette.restoring").exists() && dir.path().join("estafette.db").exists() {
            for words in
                ["make room on the disk", "run it again: estafette restore --dir", "What was there before lies in"]
            {
                assert!(said.contains(words), "{what}: {said}");
            }
            broken_off += 1;
        }
        let again = run(dir.path(), &file, ("ESTAFETTE_NOTHING", ""));
        assert!(again.status.success(), "{what}: {}", String::from_utf8_lossy(&again.stderr));
        finished(dir, before, &what);
    }
    assert!(broken_off > 1, "{broken_off} of 8");
}
