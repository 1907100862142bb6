//! Deadlines by their calendar: hours, evenings, days of the week, holidays, both changes of summer time; options read.

use estafette::terms::calendar::{Calendar, after};
use estafette::terms::{Late, Observers, Terms, Time, read, spoken, zone};
use jiff::civil::date;
use jiff::{SignedDuration, Timestamp};

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn paris() -> Calendar {
    Calendar { zone: "Europe/Paris".to_owned(), ..Calendar::default() }
}

fn evening(hour: i8, minute: i8, least: u32) -> Time {
    Time::Evening { hour, minute, least }
}

#[test]
fn an_evening_stays_at_its_hour_across_both_changes_of_summer_time() {
    // The clocks of Paris go on at 01:00 UTC of 29 March 2026 and back at 01:00 UTC of 25 October.
    for (now, due) in [
        ("2026-03-27T19:30:00Z", "2026-03-28T19:00:00Z"),
        ("2026-03-28T19:30:00Z", "2026-03-29T18:00:00Z"),
        ("2026-10-23T18:30:00Z", "2026-10-24T18:00:00Z"),
        ("2026-10-24T18:30:00Z", "2026-10-25T19:00:00Z"),
    ] {
        assert_eq!(paris().due(at(now), &evening(20, 0, 12), &[]), Some(at(due)), "{now}");
    }
}

#[test]
fn hours_are_hours_whatever_the_clocks_do() {
    for now in ["2026-03-28T12:00:00Z", "2026-10-24T12:00:00Z"] {
        let due = paris().due(at(now), &Time::Hours(48), &[]).unwrap();
        assert_eq!(due.duration_since(at(now)), SignedDuration::from_hours(48));
    }
}

#[test]
fn an_hour_that_is_left_out_is_the_one_the_clocks_show_then_and_one_that_comes_twice_is_the_second() {
    let half_past_two = evening(2, 30, 1);
    assert_eq!(paris().due(at("2026-03-28T20:00:00Z"), &half_past_two, &[]), Some(at("2026-03-29T01:30:00Z")));
    assert_eq!(paris().due(at("2026-10-24T20:00:00Z"), &half_past_two, &[]), Some(at("2026-10-25T01:30:00Z")));
}

#[test]
fn deadlines_fall_on_days_of_the_calendar_only() {
    let fridays = Calendar { days: vec!["Fri".to_owned()], ..Calendar::default() };
    assert_eq!(fridays.due(at("2026-01-05T12:00:00Z"), &Time::Hours(48), &[]), Some(at("2026-01-09T12:00:00Z")));
    // The same wall time on Monday, though the clocks were put forward between.
    let mondays = Calendar { days: vec!["Mon".to_owned()], ..paris() };
    assert_eq!(mondays.due(at("2026-03-27T12:00:00Z"), &Time::Hours(24), &[]), Some(at("2026-03-30T11:00:00Z")));
    let christmas = Calendar { holidays: vec![(date(2026, 12, 24), date(2027, 1, 2))], ..paris() };
    assert_eq!(christmas.due(at("2026-12-23T20:00:00Z"), &evening(20, 0, 12), &[]), Some(at("2027-01-03T19:00:00Z")));
}

#[test]
fn no_deadline_falls_while_its_seat_is_away() {
    let away = [(at("2026-01-02T00:00:00Z"), at("2026-01-12T00:00:00Z"))];
    assert_eq!(after(at("2026-01-01T00:00:00Z"), SignedDuration::from_hours(48), &away), at("2026-01-13T00:00:00Z"));
    let due = Calendar::default().due(at("2026-01-01T21:00:00Z"), &evening(20, 0, 2), &away);
    assert_eq!(due, Some(at("2026-01-12T20:00:00Z")));
}

#[test]
fn all_year_in_every_zone_an_evening_gives_at_least_its_hours_and_less_than_a_day_more() {
    let mut tried = 0;
    for name in
        ["Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Casablanca", "UTC"]
    {
        let calendar = Calendar { zone: name.to_owned(), ..Calendar::default() };
        let mut now = at("2026-01-01T00:00:00Z");
        while now < at("2027-01-01T00:00:00Z") {
            for (hour, least) in [(20, 12), (2, 1), (0, 36)] {
                let due = calendar.due(now, &evening(hour, 0, least), &[]).unwrap();
                let given = due.duration_since(now).as_mins();
                let least = i64::from(least) * 60;
                assert!((least..least + 25 * 60 + 60).contains(&given), "{name} {now} {hour}: {given} minutes");
                let wall = due.to_zoned(calendar.tz());
                assert!(wall.hour() == hour || (hour == 2 && wall.hour() == 3), "{name} {now}: {wall}");
                tried += 1;
            }
            now = now.checked_add(SignedDuration::from_hours(7)).unwrap();
        }
    }
    assert!(tried > 20_000);
}

#[test]
fn a_time_that_people_write_is_read_or_answered_with_the_nearest_that_is_right() {
    let (now, zone) = (at("2026-03-01T00:00:00Z"), zone::zone("Europe/Paris").unwrap());
    for (text, wanted) in [
        ("2026-03-28 20:00", "2026-03-28T19:00:00Z"),
        ("29 Mar 20:00", "2026-03-29T18:00:00Z"),
        ("29 March 20:00 America/New_York", "2026-03-30T00:00:00Z"),
        ("Feb 28 9h", "2027-02-28T08:00:00Z"),
        ("5 Apr 20:00 utc", "2026-04-05T20:00:00Z"),
    ] {
        assert_eq!(spoken::instant(text, now, &zone), Ok(at(wanted)), "{text}");
    }
    for (text, wanted) in [
        ("29 Mar 02:30", "Write 2026-03-29 03:30."),
        ("2026-02-31 20:00", "there is no day \"2026-02-31\""),
        ("29 Mar 25:00", "write it as 20:00"),
        ("29 Mar", "the hour is missing"),
        ("29 Mar 20:00 Europe/Pariss", "write Europe/Paris."),
        ("2026-02-01 20:00", "is over"),
        ("tomorrow", "\"tomorrow\" is no day"),
    ] {
        let said = spoken::instant(text, now, &zone).unwrap_err();
        assert!(said.contains(wanted), "{text}: {said}");
    }
}

#[test]
fn zones_are_known_by_their_names_and_a_wrong_one_gets_the_nearest() {
    assert_eq!(zone::name("europe/paris").unwrap(), "Europe/Paris");
    assert_eq!(zone::name("utc").unwrap(), "UTC");
    for (said, wanted) in [
        ("Paris", "Europe/Paris"),
        ("new york", "America/New_York"),
        ("Europe/Brusels", "Europe/Brussels"),
        ("Viena", "Europe/Vienna"),
    ] {
        let why = zone::name(said).unwrap_err();
        assert!(why.contains(&format!("write {wanted}")), "{said}: {why}");
    }
}

#[test]
fn options_say_all_that_a_host_decides() {
    let text = "zone: Europe/Paris\ndeadline: evening 20:00, least 24h\nstages:\n  A: 3 days\n  question: 24h\n  signon: 7d\n\
                days: [Mon, wednesday, Fri]\nholidays: [2026-12-24 to 2027-01-02, 2026-05-01]\ngrace: 6h\nreminder: 12h\n\
                recall: 10m\nabsence: {days: 30, periods: 3}\nlate: stand-in\nbrake: 4\nopen: true\npunctual: 80\n\
                invited: [Ney@example.org]\nobservers: public\n";
    let terms = read("game.yaml", text).unwrap();
    assert_eq!(terms.deadline, Some(evening(20, 0, 24)));
    assert_eq!(terms.time_of("sheet/3/french/A/french", false), Time::Hours(72));
    assert_eq!(terms.time_of("ask/contact/murat", false), Time::Hours(24));
    assert_eq!(terms.time_of("signon", false), Time::Hours(168));
    assert_eq!(terms.time_of("sheet/3/french/B/french", false), evening(20, 0, 24));
    assert_eq!(terms.calendar.days, ["Mon", "Wed", "Fri"]);
    assert_eq!(terms.calendar.holidays[1], (date(2026, 5, 1), date(2026, 5, 1)));
    assert_eq!(terms.recall, Some(10));
    assert_eq!((terms.grace, terms.late, terms.brake_of(2)), (6, Late::StandIn, 4));
    assert_eq!((terms.open, terms.punctual, terms.observers), (true, Some(80), Observers::Public));
    assert_eq!(terms.invited, ["ney@example.org"]);
    for (said, minutes) in [("1h", Some(60)), ("5 min", Some(5)), ("none", None), ("0m", None)] {
        assert_eq!(read("game.yaml", &format!("recall: {said}\n")).unwrap().recall, minutes, "{said}");
    }
    assert_eq!(Terms::default().brake_of(2), 3);
    assert_eq!(Terms::default().brake_of(12), 7);
    // What was agreed is kept as JSON.
    let kept = serde_json::to_string(&terms).unwrap();
    assert_eq!(serde_json::from_str::<Terms>(&kept).unwrap(), terms);
}

#[test]
fn every_flaw_of_options_has_its_line_and_the_nearest_form_that_is_right() {
    for (text, line, wanted) in [
        ("zone: Europe/Pariss\n", 1, "Write Europe/Paris."),
        ("zone: Paris\n", 1, "Write Europe/Paris."),
        ("grace: 6h\ndays: [Mon, Tuseday]\n", 2, "Write Tue."),
        ("deadline: fortnight\n", 1, "Write 48h, 2 days, none, or evening 20:00 least 24h."),
        ("deadline: 2m\n", 1, "this time counts in whole hours. Write 1h."),
        ("stages:\n  question: 90 min\n", 2, "Write 2h."),
        ("deadline: evening 25:00\n", 1, "Write it as 20:00."),
        ("deadline: evening 20:00 soon\n", 1, "Write evening 20:00 least 24h."),
        ("deadline: 9999h\n", 1, "at most 8784h"),
        ("stages:\n  questoin: 3h\n", 2, "write question"),
        ("late: robot\n", 1, "one of doctrine"),
        ("late: standin\n", 1, "Write stand-in: one of"),
        ("holidays: [2026-02-30]\n", 1, "There is no day \"2026-02-30\""),
        ("holidays: [24 Dec]\n", 1, "has no year"),
        ("days: [Mon]\nholidays: [2026-01-01 to 2099-12-31]\n", 2, "from 2026-01-01 on no day is left"),
        ("holidays: [2026-12-24 to 2026-12-02]\n", 1, "lies before"),
        ("recall: 10\n", 1, "Write 10m, 1h, or none."),
        ("recall: 2 days\n", 1, "Write 10m, 1h, or none."),
        ("recall: 25h\n", 1, "Write at most 24h."),
        ("brake: 0\n", 1, "Write 1 or more."),
        ("punctual: 101\n", 1, "Write 0 to 100."),
        ("invited: [ney]\n", 1, "name@example.org"),
        ("observers: some\n", 1, "one of none, public"),
        ("observers: all\n", 1, "Write all after 14 days."),
        ("grace: 6h\ndedline: 3h\n", 2, "dedline"),
    ] {
        let flaw = read("game.yaml", text).unwrap_err();
        let said = flaw.to_string();
        assert!(flaw.line == line && said.to_lowercase().contains(&wanted.to_lowercase()), "{text}: {said}");
    }
}
