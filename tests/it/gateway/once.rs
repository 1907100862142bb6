//! Each pass is a process of its own, as cron starts them: none remembers more than the database does.

use super::bench::{Bench, Mail, to};
use super::faults::{cli, served};
use estafette::clock::Clock;
use jiff::SignedDuration;
use tempfile::TempDir;

/// One pass at that time; the folder, and the mails that it sent.
fn pass(dir: TempDir, at: &str) -> (TempDir, Vec<Mail>) {
    let mut bench = Bench::served_by(dir, Clock::from_text(at).unwrap());
    let mails = bench.pass();
    (bench.dir, mails)
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
