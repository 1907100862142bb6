//! What lies in the wrong place: copies of another post office, its log, copies that were broken off, and one copy that is put
//! in place twice while nothing is left of the time between.

use super::{GAME, clock, closed, flat, nothing_came_twice, restored, step};
use crate::gateway::bench::{Bench, START, TOYS, to};
use crate::toys::Whim;
use estafette::gateway::{Office, restore};
use estafette::store::Store;
use std::fs;
use std::path::Path;

/// A copy of a post office in which no game was ever made.
fn empty_copy(to: &Path) {
    Bench::new().office.store.backup(to, START).unwrap();
}

#[test]
fn a_copy_of_another_post_office_takes_no_place_though_it_holds_no_game() {
    let dir = closed(Bench::begun(GAME, "toy-fellows").0);
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join("other.db");
    empty_copy(&file);
    let said = restore(dir.path(), &file, false, TOYS, clock()).unwrap_err().to_string();
    assert!(said.contains("another post office"), "{said}");
    // Where no game was made yet, a post office moves in from elsewhere.
    let new = closed(Bench::new());
    let moved = files.path().join("moved.db");
    Bench::begun(GAME, "toy-fellows").0.office.store.backup(&moved, START).unwrap();
    restore(new.path(), &moved, false, TOYS, clock()).unwrap();
}

#[test]
fn which_post_office_it_is_outlives_its_database() {
    let dir = closed(Bench::begun(GAME, "toy-fellows").0);
    let mut bench = Bench::served_by(dir, clock());
    bench.pass();
    let files = tempfile::tempdir().unwrap();
    let (own, other) = (files.path().join("own.db"), files.path().join("other.db"));
    bench.office.store.backup(&own, START).unwrap();
    Bench::begun(GAME, "toy-fellows").0.office.store.backup(&other, START).unwrap();
    let dir = closed(bench);
    for name in ["estafette.db-wal", "estafette.db-shm"] {
        let _ = fs::remove_file(dir.path().join(name));
    }
    fs::write(dir.path().join("estafette.db"), "").unwrap();
    let said = restore(dir.path(), &other, false, TOYS, clock()).unwrap_err().to_string();
    assert!(said.contains("another post office"), "{said}");
    restore(dir.path(), &own, false, TOYS, clock()).unwrap();
    // What is put in its place by hand, or played in from a log of another one's, is not served.
    fs::copy(&other, dir.path().join("estafette.db")).unwrap();
    let Err(error) = Office::with_clock(dir.path(), TOYS, true, clock()) else { panic!("it is served") };
    assert!(error.to_string().contains("of another post office, or its log is"), "{error}");
}

#[test]
fn one_copy_put_in_place_twice_gives_no_number_twice_though_the_database_between_is_lost() {
    let (mut bench, _) = Bench::begun(GAME, "toy-fellows");
    let mut whim = Whim(3);
    step(&mut bench, &mut whim);
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join("copy.db");
    bench.office.store.backup(&file, START).unwrap();
    step(&mut bench, &mut whim);
    let mut bench = restored(bench, &file);
    bench.pass();
    for _ in 0..2 {
        step(&mut bench, &mut whim);
    }
    let between = ["french", "coalition"].map(|seat| (seat, bench.last_of(GAME, seat).subject));
    let dir = closed(bench);
    for name in ["estafette.db", "estafette.db-wal", "estafette.db-shm"] {
        let _ = fs::remove_file(dir.path().join(name));
    }
    restore(dir.path(), &file, false, TOYS, clock()).unwrap();
    let mut bench = Bench::served_by(dir, clock());
    bench.pass();
    nothing_came_twice(&bench.out());
    // Answers to letters of the time between are known, and no stranger's.
    for (seat, subject) in between {
        bench.post(&format!("{seat}@example.org"), &format!("Re: {subject}"), "HISTORY");
        let mails = bench.pass();
        let lost = |mail: &&&crate::gateway::bench::Mail| flat(mail).contains("belongs to the time that was lost");
        assert_eq!(to(&mails, seat).iter().filter(lost).count(), 1, "{seat}: {mails:#?}");
    }
    for _ in 0..3 {
        step(&mut bench, &mut whim);
    }
    nothing_came_twice(&bench.out());
}

#[test]
fn a_copy_that_was_broken_off_keeps_no_later_one_from_its_name_and_a_whole_one_lies_alone() {
    let (bench, _) = Bench::begun(GAME, "toy-fellows");
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join("copy.db");
    // As a process that is killed leaves it.
    fs::write(files.path().join("copy.db.half"), "half of it").unwrap();
    fs::write(files.path().join("copy.db.half-journal"), "a journal").unwrap();
    bench.office.store.backup(&file, START).unwrap();
    let names = || {
        let mut names: Vec<String> =
            fs::read_dir(files.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(names(), ["copy.db"]);
    // Not in the write-ahead mode, which would have its reader lay files beside it.
    assert_eq!(fs::read(&file).unwrap()[18..20], [1, 1]);
    assert!(bench.office.store.backup(&file, START).is_err(), "what is there is never written over");
    let dir = closed(bench);
    restore(dir.path(), &file, false, TOYS, clock()).unwrap();
    assert_eq!(names(), ["copy.db"]);
    assert_eq!(Store::open(&dir.path().join("estafette.db")).unwrap().integrity().unwrap(), Vec::<String>::new());
}

/// Days may have been lost: of every mail in them its writer is asked.
#[test]
fn all_lost_mails_of_a_seat_are_asked_about_however_many_they_are() {
    let (mut bench, _) = Bench::begun(GAME, "toy-fellows");
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join("copy.db");
    bench.office.store.backup(&file, START).unwrap();
    for n in 0..8 {
        bench.reply("french", &format!("PRESS TO coalition\nletter {n}\nEND PRESS"));
    }
    let mut bench = restored(bench, &file);
    let mails = bench.pass();
    let asks = |mail: &&&crate::gateway::bench::Mail| flat(mail).contains("answer this mail with the line CONFIRM ");
    assert_eq!(to(&mails, "french").iter().filter(asks).count(), 8, "{mails:#?}");
    // Each is carried out at its own word.
    let codes: Vec<_> = to(&mails, "french").into_iter().filter(|mail| asks(&mail)).cloned().collect();
    for mail in codes {
        let word = format!("CONFIRM {}", crate::gateway::bench::code(&mail, "CONFIRM"));
        bench.advance(1);
        bench.post("french@example.org", &format!("Re: {}", mail.subject), &word);
        bench.pass();
    }
    let out = bench.out();
    for n in 0..8 {
        let has = |mail: &&&crate::gateway::bench::Mail| flat(mail).contains(&format!("letter {n}"));
        assert!(to(&out, "coalition").iter().any(|mail| has(&mail)), "letter {n}");
    }
}

/// Nobody knows since when mails are lost where the copy was made by a clock that was wrong.
#[test]
fn a_copy_of_a_time_to_come_loses_no_mail_in_silence_and_games_that_it_lacks_are_named() {
    let (mut bench, _) = Bench::begun(GAME, "toy-fellows");
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join("copy.db");
    bench.office.store.backup(&file, "2099-01-01T00:00:00Z").unwrap();
    bench.reply("french", "HISTORY");
    bench.new_game("toy-8", "toy-great", false);
    let dir = closed(bench);
    let done = restore(dir.path(), &file, false, TOYS, clock()).unwrap();
    assert!(done.games.iter().any(|game| game.starts_with("toy-8: was made after the copy")), "{done:?}");
    let mut bench = Bench::served_by(dir, clock());
    let mails = bench.pass();
    let asks = |mail: &&&crate::gateway::bench::Mail| flat(mail).contains("answer this mail with the line CONFIRM ");
    assert_eq!(to(&mails, "french").iter().filter(asks).count(), 1, "{mails:#?}");
}

#[test]
fn a_clock_that_jumps_deletes_no_copy_and_makes_none() {
    let config = format!("{}\n[backup]\nfolder = \"copies\"\nkeep_days = 3\n", crate::gateway::bench::CONFIG);
    let mut bench = Bench::served(closed(Bench::with_config(&config)));
    for _ in 0..3 {
        bench.pass();
        bench.advance(24);
    }
    let before = super::copies(&bench);
    assert_eq!(before.len(), 3);
    bench.office.clock_mut().jump(jiff::SignedDuration::from_hours(24 * 400));
    bench.pass();
    assert_eq!(super::copies(&bench), before);
    // One of a day to come, made by a clock that was wrong from the start, is the newest of nothing.
    bench.office.clock_mut().jump(jiff::SignedDuration::from_hours(-24 * 400));
    fs::copy(bench.dir.path().join("copies").join(&before[0]), bench.dir.path().join("copies/estafette-2027-12-30.db"))
        .unwrap();
    assert!(bench.office.backups().is_err_and(|why| why.contains("of a day to come")));
}

/// Nothing is left of the lost time: neither a database nor a word of what was given out.
#[test]
fn where_nothing_is_left_answers_are_known_and_no_name_of_a_mail_comes_twice() {
    let (mut bench, _) = Bench::begun(GAME, "toy-fellows");
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join("copy.db");
    bench.office.store.backup(&file, START).unwrap();
    let mut whim = Whim(3);
    step(&mut bench, &mut whim);
    let lost = bench.last_of(GAME, "french").subject;
    let mut names = std::collections::BTreeMap::new();
    let mut dir = closed(bench);
    for n in 0..2 {
        for entry in fs::read_dir(dir.path()).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && name.starts_with("before-restore") {
                fs::remove_dir_all(path).unwrap();
            } else if name.starts_with("estafette.") {
                fs::remove_file(path).unwrap();
            }
        }
        restore(dir.path(), &file, false, TOYS, clock()).unwrap();
        let mut bench = Bench::served_by(dir, clock());
        bench.pass();
        if n == 0 {
            bench.post("french@example.org", &format!("Re: {lost}"), "HISTORY");
            let mails = bench.pass();
            assert!(to(&mails, "french").iter().any(|mail| flat(mail).contains("time that was lost")), "{mails:#?}");
        }
        step(&mut bench, &mut Whim(n));
        for mail in bench.out() {
            assert_eq!(*names.entry(mail.id.clone()).or_insert_with(|| mail.raw.clone()), mail.raw, "{mail:?}");
        }
        bench.count_from(2000);
        dir = closed(bench);
    }
}
