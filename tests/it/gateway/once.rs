//! Each pass is a process of its own, as cron starts them: none remembers more than the database does.

use super::bench::{Bench, CONFIG, Mail, to};
use super::faults::{cli, served};
use estafette::clock::Clock;
use jiff::SignedDuration;
use std::fs;
use tempfile::TempDir;

/// One pass at that time; the folder, and the mails that it sent.
fn pass(dir: TempDir, at: &str) -> (TempDir, Vec<Mail>) {
    let mut bench = Bench::served_by(dir, Clock::from_text(at).unwrap());
    let mails = bench.pass();
    (bench.dir, mails)
}

/// A post office with a game, that nobody serves.
fn shut() -> TempDir {
    let Bench { dir, office, .. } = served(48);
    drop(office);
    dir
}

#[test]
fn a_machine_that_was_started_with_its_clock_behind_goes_on_when_the_clock_is_right() {
    let Bench { dir, office, .. } = served(48);
    drop(office);
    let pass = |dir: TempDir, at: &str| {
        let mut bench = Bench::served_by(dir, Clock::from_text(at).unwrap());
        let mails = bench.pass();
        (bench.dir, mails)
    };
    let (dir, _) = pass(dir, "2026-01-01T05:00:00Z");
    let (dir, mails) = pass(dir, "2026-01-01T02:00:00Z");
    assert!(mails.iter().any(|mail| mail.to == "op@example.org" && mail.subject.contains("jumped")), "{mails:#?}");
    for (args, said) in [(["doctor"], "stopped for its clock"), (["status"], "stopped for its clock")] {
        let (code, out, _) = cli(dir.path(), &args);
        assert!(out.contains(said) && (code == 1 || args == ["status"]), "{args:?}: {code} {out}");
    }
    let (dir, mails) = pass(dir, "2026-01-01T04:59:00Z");
    assert_eq!(mails, [], "it is behind still");
    let (dir, mails) = pass(dir, "2026-01-01T15:00:00Z");
    assert!(mails.iter().any(|mail| mail.to == "op@example.org" && mail.text.contains("right again")), "{mails:#?}");
    assert!(
        to(&mails, "french")[0].text.contains("The post office was closed"),
        "the outage is given back: {mails:#?}"
    );
    assert!(!cli(dir.path(), &["status"]).1.contains("stopped"));
    // A clock that had jumped ahead is right where it no longer shows that time.
    let mut bench = Bench::served_by(dir, Clock::from_text("2026-01-01T15:00:00Z").unwrap());
    bench.pass();
    bench.office.clock_mut().jump(SignedDuration::from_hours(100));
    assert!(bench.pass().iter().any(|mail| mail.subject.contains("jumped")));
    let Bench { dir, office, .. } = bench;
    drop(office);
    let (dir, mails) = pass(dir, "2026-01-05T20:00:00Z");
    assert_eq!(mails, [], "nobody knows whether that is the time");
    let (_, mails) = pass(dir, "2026-01-01T16:00:00Z");
    assert!(mails.iter().any(|mail| mail.text.contains("right again")), "{mails:#?}");
}

#[test]
fn a_nightly_copy_that_cannot_be_made_is_told_once() {
    for named in ["copies", "copies/estafette-2026-01-02.db"] {
        let mut dir = shut();
        let config = format!("{CONFIG}operator = \"op@example.org\"\n[backup]\nfolder = \"copies\"\n");
        fs::write(dir.path().join("config.toml"), config).unwrap();
        // A folder stands where a copy is to be, or a file where its folder is to be.
        let bad = dir.path().join(named);
        if named.contains('/') {
            fs::create_dir_all(&bad).unwrap();
        } else {
            fs::write(&bad, "").unwrap();
        }
        let mut told = Vec::new();
        for at in ["2026-01-02T00:00:00Z", "2026-01-02T04:00:00Z", "2026-01-02T08:00:00Z"] {
            let (again, mails) = pass(dir, at);
            told.extend(mails.into_iter().filter(|mail| mail.to == "op@example.org"));
            dir = again;
            assert!(cli(dir.path(), &["status"]).1.contains("the nightly backup"), "{named} {at}");
            let (code, out, _) = cli(dir.path(), &["doctor"]);
            assert!(code == 1 && out.contains("the nightly backup"), "{named} {at}: {out}");
        }
        assert!(told.len() == 1 && told[0].text.contains("the nightly backup"), "{named}: {told:#?}");
        if bad.is_dir() { fs::remove_dir(&bad) } else { fs::remove_file(&bad) }.unwrap();
        let (dir, _) = pass(dir, "2026-01-02T12:00:00Z");
        assert!(!cli(dir.path(), &["status"]).1.contains("nightly"), "{named}");
        assert!(dir.path().join("copies/estafette-2026-01-02.db").is_file(), "{named}");
    }
}

#[test]
fn a_count_that_cannot_be_written_is_told() {
    let dir = shut();
    let (dir, _) = pass(dir, "2026-01-01T01:00:00Z");
    let new = dir.path().join("estafette.count.new");
    fs::create_dir(&new).unwrap();
    let (dir, mails) = pass(dir, "2026-01-01T02:00:00Z");
    let told = |mail: &&Mail| mail.to == "op@example.org" && mail.text.contains("the count of mails");
    assert_eq!(mails.iter().filter(told).count(), 1, "{mails:#?}");
    assert!(cli(dir.path(), &["status"]).1.contains("the count of mails"));
    assert!(cli(dir.path(), &["doctor"]).1.contains("estafette.count.new: a folder stands"));
}
