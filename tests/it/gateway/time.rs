//! Absences, reminders, silence.

use super::bench::{Bench, Mail};
use estafette::clock::Clock;
use estafette::gateway::Office;

fn to<'a>(mails: &'a [Mail], seat: &str) -> Vec<&'a Mail> {
    mails.iter().filter(|mail| mail.to == format!("{seat}@example.org")).collect()
}

/// The seat on move in a game that has just begun, and the other.
fn movers(bench: &Bench) -> (String, &'static str) {
    let dues = bench.office.store.dues("toy-7").unwrap();
    let mover = dues[0].seat.clone();
    let other = if mover == "french" { "coalition" } else { "french" };
    (mover, other)
}

fn due(bench: &Bench, seat: &str) -> String {
    let dues = bench.office.store.dues("toy-7").unwrap();
    dues.into_iter().find(|d| d.seat == seat).unwrap().due_at.unwrap()
}

/// The same post office with another line in its settings.
fn with_setting(bench: Bench, line: &str) -> Bench {
    let path = bench.dir.path().join("config.toml");
    std::fs::write(path, format!("address = \"post@example.org\"\n{line}\n")).unwrap();
    bench.reopened()
}

#[test]
fn days_away_do_not_count() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let (mover, other) = movers(&bench);
    assert_eq!(due(&bench, &mover), "2026-01-03T00:00:00Z");
    // One day is left when the absence begins, and so it is when it is over.
    let mails = bench.reply(&mover, "ABSENT 2 Jan 11 Jan");
    let text = &to(&mails, &mover)[0].text;
    assert!(text.contains("you are away Fri 2 Jan 2026 to Sun 11 Jan 2026, 10 days"), "{text}");
    assert_eq!(due(&bench, &mover), "2026-01-13T00:00:00Z");
    // All may know it, and nobody's time but his own stands still.
    let mails = bench.reply(other, "DEADLINE");
    assert!(to(&mails, other)[0].text.contains(&format!("{mover} is away Fri 2 Jan 2026")), "{mails:#?}");
    bench.advance(24 * 12 - 1);
    assert_eq!(bench.pass(), []);
    bench.advance(2);
    assert!(!bench.pass().is_empty());
}

#[test]
fn an_absence_taken_back_gives_no_time() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let (mover, _) = movers(&bench);
    bench.reply(&mover, "ABSENT 2026-01-02 2026-01-11");
    bench.advance(24 * 4);
    // In the middle of it: one day was left when it began.
    let mails = bench.reply(&mover, "ABSENT OFF");
    assert!(to(&mails, &mover)[0].text.contains("your time runs again"), "{mails:#?}");
    assert_eq!(due(&bench, &mover), "2026-01-06T00:00:00Z");
}

#[test]
fn an_absence_is_refused_by_what_is_wrong_with_it() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let (mover, _) = movers(&bench);
    let before = due(&bench, &mover);
    for (line, wanted) in [
        ("ABSENT 31 Feb", "there is no day 31"),
        ("ABSENT 2026-13-01", "there is no day"),
        ("ABSENT 2025-12-01 2025-12-20", "those days are over"),
        ("ABSENT 2026-01-20 2026-01-10", "lies before"),
        ("ABSENT 1 Mar 30 Jun", "you have 30 of 30 left"),
        ("ABSENT tomorrow", "is no day"),
        ("ABSENT 3 Mar 4 Mar 5 Mar", "is left over"),
    ] {
        let mails = bench.reply(&mover, line);
        let text = to(&mails, &mover)[0].text.replace("\n     ", " ");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(wanted), "{line}: {text}");
        assert_eq!(due(&bench, &mover), before, "{line}");
    }
    bench.reply(&mover, "ABSENT 5 Mar 9 Mar");
    let mails = bench.reply(&mover, "ABSENT 9 Mar 12 Mar\nABSENT");
    let text = &to(&mails, &mover)[0].text;
    assert!(text.contains("already") && text.contains("You have booked 5 of 30 days"), "{text}");
}

#[test]
fn what_falls_due_during_an_absence_waits_for_its_end() {
    let (bench, _) = Bench::begun("toy-7", "toy-fellows");
    let mut bench = with_setting(bench, "reminder_hours = 0\nabsent_days = 5");
    let (mover, other) = movers(&bench);
    bench.reply(other, "ABSENT 2 Jan 6 Jan");
    bench.reply(&mover, "FIRST NO");
    let dues = bench.office.store.dues("toy-7").unwrap();
    let at = dues.iter().find(|d| d.seat == other).map(|d| d.due_at.clone().unwrap());
    // 48 hours of its own time: one on the first of January, the other on the seventh.
    assert_eq!(at.as_deref(), Some("2026-01-08T00:00:00Z"), "{dues:#?}");
}

#[test]
fn the_late_are_reminded_once_and_nobody_else_is_told() {
    let (bench, _) = Bench::begun("toy-7", "toy-fellows");
    let mut bench = with_setting(bench, "reminder_hours = 12");
    let (mover, _) = movers(&bench);
    bench.advance(35);
    assert_eq!(bench.pass(), []);
    bench.advance(2);
    let mails = bench.pass();
    assert_eq!((mails.len(), to(&mails, &mover).len()), (1, 1), "{mails:#?}");
    assert!(mails[0].subject.contains("reminder: "), "{}", mails[0].subject);
    assert!(mails[0].text.contains("Sat 3 Jan 00:00 UTC"), "{}", mails[0].text);
    assert_eq!(bench.pass(), []);
    let mut bench = bench.reopened();
    assert_eq!(bench.pass(), [], "also after a restart");
    bench.advance(12);
    assert!(!bench.pass().iter().any(|mail| mail.subject.contains("reminder: ")));
}

#[test]
fn a_short_stage_is_not_reminded_of_at_its_beginning() {
    let mut bench = Bench::new();
    let mut game = super::bench::new_game("toy-7", "toy-fellows", true);
    game.deadline_hours = Some(8);
    bench.office.new_game(&game).unwrap();
    bench.pass();
    let mut bench = with_setting(bench, "reminder_hours = 12");
    bench.advance(5);
    assert_eq!(bench.pass(), [], "three hours are left, more than a quarter");
    bench.advance(2);
    assert_eq!(bench.pass().len(), 2, "both seats have not signed on");
}

#[test]
fn the_umpire_hears_of_a_seat_that_stays_silent() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let mut told = Vec::new();
    for _ in 0..6 {
        bench.advance(49);
        told.extend(bench.pass().into_iter().filter(|mail| mail.subject.contains("is silent")));
    }
    assert!(!told.is_empty() && told.iter().all(|mail| mail.to == "umpire@example.org"), "{told:#?}");
    assert!(told[0].text.contains("2 deadlines in a row"), "{}", told[0].text);
}

#[test]
fn a_word_from_the_seat_begins_the_count_anew() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    for _ in 0..6 {
        bench.advance(49);
        let mails = bench.pass();
        assert!(!mails.iter().any(|mail| mail.subject.contains("is silent")), "{mails:#?}");
        for seat in ["french", "coalition"] {
            bench.reply(seat, "DEADLINE");
        }
    }
}

#[test]
fn the_office_opens_with_settings_of_before() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("config.toml"), "address = \"post@example.org\"\n").unwrap();
    estafette::store::Store::create(&dir.path().join("estafette.db")).unwrap();
    let clock = Clock::from_text(super::bench::START).unwrap();
    let office = Office::with_clock(dir.path(), super::bench::TOYS, false, clock).unwrap();
    assert_eq!((office.config().absent_days, office.config().reminder_hours), (30, 12));
}
