//! The clock of a game: terms of its own, grace, pauses, policies for missing orders, outages, clocks that jump.

use super::bench::{Bench, CONFIG, Mail, START, TOYS, new_game, to};
use estafette::clock::Clock;
use estafette::gateway::{accept_clock, clock_said};
use estafette::store::{Due, Store};
use estafette::terms;
use jiff::SignedDuration;
use std::collections::BTreeMap;

/// A toy game on terms of its own, both seats signed on.
pub fn begun_on(options: &str) -> Bench {
    begun_of("toy-fellows", options)
}

fn begun_of(ruleset: &str, options: &str) -> Bench {
    let mut bench = Bench::new();
    let terms = terms::read("game.yaml", options).unwrap();
    bench.office.new_game_on(&new_game("toy-7", ruleset, true), Some(&terms)).unwrap();
    bench.pass();
    for seat in super::bench::seats(ruleset) {
        bench.reply(seat, "SIGNON\n");
    }
    bench
}

fn dues(bench: &Bench) -> Vec<Due> {
    bench.office.store.dues("toy-7").unwrap()
}

fn mover(bench: &Bench) -> String {
    dues(bench)[0].seat.clone()
}

fn other(seat: &str) -> &'static str {
    if seat == "french" { "coalition" } else { "french" }
}

fn due(bench: &Bench) -> String {
    dues(bench)[0].due_at.clone().unwrap()
}

/// What the record says is due: each deadline by its last entry.
pub fn by_record(store: &Store, game: &str) -> BTreeMap<(String, String), Option<String>> {
    let mut due = BTreeMap::new();
    for entry in store.log_of_kind(game, "post.due", 1).unwrap() {
        let body: serde_json::Value = serde_json::from_str(&entry.body).unwrap();
        let text = |key: &str| body[key].as_str().map(str::to_owned);
        let key = (text("seat").unwrap(), text("address").unwrap());
        if body["done"] == true {
            assert!(due.remove(&key).is_some(), "{body} was never due");
        } else {
            assert_eq!(due.insert(key, text("at")).flatten(), text("was"), "{body}");
            assert!(!text("why").unwrap().is_empty(), "{body} has no reason");
        }
    }
    due
}

/// Whether every deadline is what its record makes it.
pub fn explained(store: &Store, game: &str) {
    let kept: BTreeMap<_, _> =
        store.dues(game).unwrap().into_iter().map(|due| ((due.seat, due.address), due.due_at)).collect();
    assert_eq!(by_record(store, game), kept, "{game}");
}

#[test]
fn a_game_s_own_terms_rule_its_deadlines_and_its_letters_tell_them_in_its_zone() {
    let bench = begun_on("zone: Europe/Paris\ndeadline: evening 20:00 least 24h\n");
    // From 01:00 in Paris a day and more: the next evening but one.
    assert_eq!(due(&bench), "2026-01-02T19:00:00Z");
    let text = bench.last_to(&format!("{}@example.org", mover(&bench))).text;
    assert!(text.contains("by Fri 2 Jan 20:00 CET"), "{text}");
    explained(&bench.office.store, "toy-7");
}

#[test]
fn the_opening_mail_and_deadline_tell_the_terms() {
    let mut bench = begun_on("zone: Europe/Paris\ndeadline: 3 days\ngrace: 6h\nlate: wait\ndays: [Mon, Fri]\n");
    let opening = bench.out().into_iter().find(|mail| mail.to == "french@example.org").unwrap();
    let mails = bench.reply("french", "DEADLINE");
    for text in [&opening.text, &to(&mails, "french")[0].text] {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for wanted in ["72 h", "Mon and Fri only", "for 6 h after", "Play waits"] {
            assert!(text.contains(wanted), "{wanted}: {text}");
        }
    }
}

#[test]
fn in_grace_orders_still_count_and_all_are_told_the_same_once() {
    let mut bench = begun_on("deadline: 48h\ngrace: 6h\nreminder: 0\n");
    bench.reply(&mover(&bench), "FIRST YES");
    let mover = mover(&bench);
    let until = due(&bench);
    bench.advance(49);
    let mails = bench.pass();
    let told: Vec<&Mail> = mails.iter().filter(|mail| mail.subject.contains("time of this stage is up")).collect();
    assert_eq!((told.len(), mails.len()), (2, 2), "{mails:#?}");
    let body = |mail: &Mail| {
        let lines = mail.text.lines().skip(2).filter(|line| !line.contains("mail "));
        lines.take_while(|line| !line.trim_start().starts_with("Due")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(body(told[0]), body(told[1]), "the same to both but for what each owes");
    assert_eq!(bench.pass(), []);
    assert_eq!(due(&bench), until, "the deadline stands");
    let mails = bench.reply(&mover, "PASS\nEND");
    assert!(to(&mails, &mover)[0].text.contains("DONE"), "{mails:#?}");
}

#[test]
fn after_grace_the_policy_acts() {
    let mut bench = begun_on("deadline: 48h\ngrace: 6h\n");
    let before = dues(&bench);
    bench.advance(53);
    bench.pass();
    assert_eq!(dues(&bench), before);
    bench.advance(1);
    bench.pass();
    assert_ne!(dues(&bench), before);
    explained(&bench.office.store, "toy-7");
}

#[test]
fn each_order_mail_is_answered_with_the_time_at_which_it_came() {
    let mut bench = begun_on("zone: Europe/Paris\ndeadline: 48h\n");
    bench.advance(5);
    let mails = bench.reply(&mover(&bench), "HISTORY");
    assert!(mails[0].text.contains("Received Thu 1 Jan 06:00:00 CET."), "{}", mails[0].text);
}

#[test]
fn what_comes_in_the_last_second_counts_and_what_comes_after_it_does_not() {
    for (late, taken) in [(0, true), (2, false)] {
        let mut bench = begun_on("deadline: 48h\nreminder: 0\n");
        let mover = mover(&bench);
        // The look before the last leaves no doubt when the mail came.
        bench.advance(48);
        bench.office.clock_mut().advance(SignedDuration::from_secs(late - 1));
        let subject = bench.last_to(&format!("{mover}@example.org")).subject;
        bench.office.take_in().unwrap();
        bench.office.clock_mut().advance(SignedDuration::from_secs(1));
        bench.post(&format!("{mover}@example.org"), &format!("Re: {subject}"), "FIRST NO\n");
        let mails = bench.pass();
        let answer = to(&mails, &mover).into_iter().find(|mail| mail.text.contains("FIRST NO")).unwrap().text.clone();
        let acted = bench.office.store.log_of_kind("toy-7", "input", 1).unwrap();
        let deadline = acted.iter().any(|entry| entry.body.contains("\"deadline\""));
        assert_eq!(deadline, !taken, "{late}: {answer}");
    }
}

#[test]
fn a_paused_game_s_clock_stands_and_its_time_is_given_back() {
    let mut bench = begun_on("deadline: 48h\nreminder: 0\n");
    bench.advance(24);
    let mails = bench.reply("umpire", "PAUSE");
    assert_eq!((to(&mails, "french").len(), to(&mails, "coalition").len()), (1, 1), "{mails:#?}");
    assert!(mails.iter().any(|mail| mail.subject.contains("the game is paused")));
    bench.advance(24 * 30);
    assert_eq!(bench.pass(), [], "a month later nothing has happened");
    // Mails are answered meanwhile, and a second pause or a pause without sense changes nothing.
    let mails = bench.reply(&mover(&bench), "DEADLINE");
    assert!(mails[0].text.contains("its clock stands still"), "{mails:#?}");
    let mails = bench.reply("umpire", "PAUSE\nRESUME");
    let text = &to(&mails, "umpire")[0].text;
    assert!(mails.iter().any(|mail| mail.text.contains("paused already")), "{text}");
    assert_eq!(due(&bench), "2026-02-02T00:00:00Z", "a day was left, and is");
    explained(&bench.office.store, "toy-7");
    let mails = bench.reply("umpire", "RESUME");
    assert!(to(&mails, "umpire")[0].text.contains("not paused"), "{mails:#?}");
}

#[test]
fn a_pause_until_a_day_ends_by_itself_and_a_time_that_is_not_there_is_answered_with_the_nearest() {
    let mut bench = begun_on("zone: Europe/Paris\ndeadline: 48h\nreminder: 0\n");
    for (line, wanted) in [
        ("PAUSE UNTIL 29 Mar 02:30", "Write 2026-03-29 03:30."),
        ("PAUSE UNTIL 2025-03-29 20:00", "is over"),
        ("PAUSE UNTIL 29 Mar 20:00 Europe/Viena", "write Europe/Vienna"),
        ("EXTEND all TO 29 Mar 02:30", "Write 2026-03-29 03:30."),
    ] {
        let mails = bench.reply("umpire", line);
        let text = to(&mails, "umpire")[0].text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(wanted), "{line}: {text}");
    }
    bench.reply("umpire", "PAUSE UNTIL 29 Mar 03:30");
    bench.advance(24 * 87);
    assert_eq!(bench.pass(), []);
    // 01:30 UTC: half past three in Paris, where an hour has just been left out.
    bench.office.clock_mut().advance(SignedDuration::from_mins(90));
    let mails = bench.pass();
    assert!(mails.iter().any(|mail| mail.subject.contains("the game goes on")), "{mails:#?}");
    assert_eq!(due(&bench), "2026-03-31T01:30:00Z");
}

#[test]
fn the_umpire_moves_a_deadline_to_an_hour_and_the_seat_is_told() {
    let mut bench = begun_on("zone: Europe/Paris\ndeadline: 48h\n");
    let mover = mover(&bench);
    let mails = bench.reply("umpire", &format!("EXTEND {mover} TO 9 Jan 20:00"));
    assert_eq!(due(&bench), "2026-01-09T19:00:00Z");
    let told = to(&mails, &mover);
    assert!(told[0].text.contains("by Fri 9 Jan 20:00 CET"), "{mails:#?}");
    assert_eq!(to(&mails, other(&mover)), Vec::<&Mail>::new(), "the others are not told");
    explained(&bench.office.store, "toy-7");
}

#[test]
fn a_deadline_that_the_umpire_brings_nearer_is_not_told_as_more_time() {
    let mut bench = begun_on("zone: Europe/Paris\ndeadline: 480h\n");
    let mover = mover(&bench);
    for (at, topic, said) in
        [("9 Jan 20:00", "less time", "it is EARLIER now"), ("12 Jan 20:00", "more time", "it is later now")]
    {
        let mails = bench.reply("umpire", &format!("EXTEND {mover} TO {at}"));
        let told = to(&mails, &mover);
        assert!(told[0].subject.contains(topic) && told[0].text.contains(said), "{at}: {mails:#?}");
    }
}

#[test]
fn before_the_game_begins_proceed_says_who_is_to_sign_on() {
    let mut bench = Bench::with_game("toy-7", "toy-fellows");
    let mails = bench.reply("umpire", "PROCEED french");
    let text = to(&mails, "umpire")[0].text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("the game has not begun") && text.contains("french: to sign on"), "{text}");
    assert!(!text.contains("nothing is due"), "{text}");
}

#[test]
fn by_the_policy_wait_play_waits_and_the_late_hear_of_it_once_a_day() {
    let mut bench = begun_on("deadline: 48h\nlate: wait\nreminder: 0\n");
    let mover = mover(&bench);
    let before = dues(&bench);
    bench.advance(49);
    for _ in 0..3 {
        let mails = bench.pass();
        assert_eq!(to(&mails, &mover).len(), 1, "{mails:#?}");
        assert_eq!(to(&mails, other(&mover)).len(), 0, "{mails:#?}");
        assert_eq!(bench.pass(), []);
        bench.advance(24);
    }
    assert_eq!(dues(&bench), before);
    bench.reply(&mover, "FIRST NO");
    assert_ne!(dues(&bench), before);
}

#[test]
fn by_the_policy_umpire_play_stops_and_he_is_asked_once() {
    let mut bench = begun_on("deadline: 48h\nlate: umpire\nreminder: 0\n");
    let before = dues(&bench);
    bench.advance(49);
    let mails = bench.pass();
    assert_eq!((mails.len(), to(&mails, "umpire").len()), (1, 1), "{mails:#?}");
    assert!(mails[0].text.contains("PROCEED"), "{}", mails[0].text);
    bench.advance(24 * 21);
    assert_eq!(bench.pass(), [], "three weeks on holiday");
    assert_eq!(dues(&bench), before);
    bench.reply("umpire", "PROCEED ALL");
    assert_ne!(dues(&bench), before);
    explained(&bench.office.store, "toy-7");
}

#[test]
fn too_many_missing_at_once_stop_the_game() {
    let mut bench = begun_on("deadline: 48h\nbrake: 1\nreminder: 0\n");
    let before = dues(&bench);
    bench.advance(49);
    let mails = bench.pass();
    assert!(mails.len() == 1 && mails[0].text.contains("missing at once"), "{mails:#?}");
    assert_eq!(dues(&bench), before);
    // Given time, the same silence stops it again.
    bench.reply("umpire", "EXTEND all 24");
    bench.advance(48);
    assert_eq!(to(&bench.pass(), "umpire").len(), 1);
}

#[test]
fn the_house_s_own_player_writes_for_the_missing_and_the_game_re_adjudicates() {
    let mut bench = begun_on("deadline: 24h\nlate: bot\nreminder: 0\n");
    for _ in 0..60 {
        bench.advance(25);
        bench.pass();
    }
    let row = bench.office.store.game("toy-7").unwrap().unwrap();
    assert_eq!(row.state, estafette::store::GameState::Over);
    assert!(!bench.office.store.log_of_kind("toy-7", "post.house", 1).unwrap().is_empty());
    explained(&bench.office.store, "toy-7");
    let game = estafette::gateway::table::open(TOYS, &bench.office.store, &row).unwrap();
    let log = bench.office.store.log("toy-7", 1).unwrap();
    let entries: Vec<_> = log.into_iter().map(|e| (e.slot, e.kind, e.body)).collect();
    game.replay(&entries).unwrap();
}

#[test]
fn by_proceed_the_house_s_own_player_writes_where_the_terms_call_it() {
    let mut bench = begun_on("deadline: 480h\nlate: bot\nreminder: 0\n");
    for _ in 0..2 {
        let before = dues(&bench);
        let mails = bench.reply("umpire", "PROCEED ALL");
        assert_ne!(dues(&bench), before, "{mails:#?}");
    }
    let house = bench.office.store.log_of_kind("toy-7", "post.house", 1).unwrap();
    assert!(!house.is_empty(), "nobody's time was up, and the own player wrote all the same");
    explained(&bench.office.store, "toy-7");
    // Where the terms call nobody, the defaults play alone.
    let mut bench = begun_on("deadline: 480h\nreminder: 0\n");
    bench.reply("umpire", "PROCEED ALL");
    assert!(bench.office.store.log_of_kind("toy-7", "post.house", 1).unwrap().is_empty());
}

#[test]
fn a_stand_in_that_was_named_is_asked_when_the_seat_is_late_and_his_orders_count() {
    let mut bench = begun_on("deadline: 48h\nlate: stand-in\nreminder: 0\n");
    let mover = mover(&bench);
    let own = format!("{mover}@example.org");
    let mails = bench.reply(&mover, &format!("STANDIN nobody\nSTANDIN {own}"));
    assert_eq!(to(&mails, &mover)[0].text.matches("REFUSED").count(), 2, "{mails:#?}");
    bench.reply(&mover, "STANDIN grouchy@example.org");
    let asked = bench.confirm(&own);
    assert!(!to(&asked, "grouchy")[0].text.contains("HISTORY"), "nothing of the game before he agrees: {asked:#?}");
    bench.confirm("grouchy@example.org");
    bench.advance(49);
    let mails = bench.pass();
    let readers: Vec<&str> = mails.iter().map(|mail| mail.to.as_str()).collect();
    assert_eq!(readers, [own.as_str(), "grouchy@example.org"], "the owner sees what his stand-in sees: {mails:#?}");
    for wanted in ["stands in for the seat", "HISTORY", "DOCTRINE", "WHERE YOU STAND"] {
        assert!(mails[0].text.contains(wanted), "{wanted}: {}", mails[0].text);
    }
    assert_eq!(due(&bench), "2026-01-05T01:00:00Z", "the whole time again");
    // He plays the seat, and cannot give it away.
    for line in ["RESIGN", "ADDRESS grouchy@example.net"] {
        let mails = bench.reply("grouchy", line);
        let text = &to(&mails, "grouchy")[0].text;
        assert!(text.contains("REFUSED") && !text.contains("CONFIRM"), "{line}: {text}");
    }
    let before = dues(&bench);
    bench.reply("grouchy", "FIRST NO");
    assert_ne!(dues(&bench), before);
    explained(&bench.office.store, "toy-7");
}

#[test]
fn a_stand_in_for_days_away_gets_the_mail_then_and_no_more_afterwards() {
    let mut bench = begun_on("deadline: 48h\nabsence: {days: 20, periods: 2}\nreminder: 0\n");
    let mover = mover(&bench);
    let own = format!("{mover}@example.org");
    bench.reply(&mover, "ABSENT 2 Jan 4 Jan STANDIN grouchy@example.org");
    bench.confirm(&own);
    let told = bench.confirm("grouchy@example.org");
    let mails = bench.reply(&mover, "ABSENT 3 Feb\nABSENT 5 Feb");
    let text = [told, mails].concat().iter().map(|mail| mail.text.clone()).collect::<String>();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("Your time runs on") && text.contains("you have 2 absences booked"), "{text}");
    assert_eq!(due(&bench), "2026-01-03T00:00:00Z", "his time runs on");
    bench.advance(25);
    let mails = bench.pass();
    let readers: Vec<&str> = mails.iter().map(|mail| mail.to.as_str()).collect();
    assert_eq!(readers, [own.as_str(), "grouchy@example.org"], "{mails:#?}");
    let tag = bench.last_to("grouchy@example.org").subject;
    let before = dues(&bench);
    bench.reply("grouchy", "FIRST NO");
    assert_ne!(dues(&bench), before);
    bench.advance(24 * 4);
    let mails = bench.pass();
    assert!(mails.iter().any(|mail| mail.to == format!("{mover}@example.org") && mail.text.contains("days are over")));
    bench.post("grouchy@example.org", &tag, "HISTORY\n");
    let mails = bench.pass();
    assert!(!mails.iter().any(|mail| mail.to == "grouchy@example.org" && mail.text.contains("toy")), "{mails:#?}");
}

#[test]
fn of_two_absences_next_to_each_other_each_has_its_own_stand_in() {
    let mut bench = begun_on("deadline: 48h\nabsence: {days: 20, periods: 2}\nreminder: 0\n");
    let mover = mover(&bench);
    let own = format!("{mover}@example.org");
    for (days, by) in [("2 Jan 3 Jan", "grouchy@example.org"), ("4 Jan 6 Jan", "davout@example.org")] {
        bench.reply(&mover, &format!("ABSENT {days} STANDIN {by}"));
        bench.confirm(&own);
        bench.confirm(by);
    }
    let acting = |bench: &Bench| bench.office.store.stand_in("toy-7", &mover).unwrap().map(|acting| acting.address);
    bench.advance(25);
    bench.pass();
    assert_eq!(acting(&bench).as_deref(), Some("grouchy@example.org"));
    bench.advance(24 * 2);
    let mails = bench.pass();
    assert_eq!(acting(&bench).as_deref(), Some("davout@example.org"), "{mails:#?}");
    let said = |by: &str, words: &str| mails.iter().any(|mail| mail.to == by && mail.text.contains(words));
    assert!(said("grouchy@example.org", "You stand in no more"), "{mails:#?}");
    assert!(said("davout@example.org", "stands in for the seat"), "{mails:#?}");
    assert!(!said(&own, "days are over"), "he is still away: {mails:#?}");
    bench.advance(24 * 3);
    bench.pass();
    assert_eq!(acting(&bench), None);
    explained(&bench.office.store, "toy-7");
}

fn served(bench: Bench) -> Bench {
    let Bench { dir, .. } = bench.reopened();
    Bench::served(dir)
}

#[test]
fn an_outage_lengthens_every_open_deadline_once_and_says_so() {
    let mut bench = served(begun_on("deadline: 48h\nreminder: 0\n"));
    bench.pass();
    let before = due(&bench);
    assert_eq!(before, "2026-01-03T00:00:00Z");
    bench.advance(5);
    // Down for four days.
    let mut bench = served(bench);
    bench.office.clock_mut().advance(SignedDuration::from_hours(5 + 96));
    let mails = bench.pass();
    assert!(["french", "coalition"].iter().all(|seat| to(&mails, seat)[0].text.contains("The post office was closed")));
    assert_eq!(due(&bench), "2026-01-07T05:00:00Z", "as long as nothing was written down");
    explained(&bench.office.store, "toy-7");
    assert_eq!(bench.pass(), []);
}

#[test]
fn a_short_stop_is_no_outage() {
    let mut bench = served(begun_on("deadline: 48h\nreminder: 0\n"));
    bench.pass();
    let mut bench = served(bench);
    bench.office.clock_mut().advance(SignedDuration::from_hours(5));
    assert_eq!(bench.pass(), []);
    assert_eq!(due(&bench), "2026-01-03T00:00:00Z");
}

#[test]
fn a_clock_that_jumps_stops_the_post_office_until_the_operator_says_that_it_is_right() {
    for hours in [30 * 24, -48] {
        let config = format!("{CONFIG}operator = \"op@example.org\"\n");
        let bench = begun_on("deadline: 48h\nreminder: 0\n");
        std::fs::write(bench.dir.path().join("config.toml"), config).unwrap();
        let mut bench = served(bench);
        bench.pass();
        bench.advance(1);
        bench.pass();
        let before = (dues(&bench), bench.office.store.log_head("toy-7").unwrap());
        bench.office.clock_mut().jump(SignedDuration::from_hours(hours));
        let subject = bench.last_to("french@example.org").subject;
        bench.post("french@example.org", &subject, "HISTORY\n");
        let mails = bench.pass();
        assert_eq!(mails.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(), ["op@example.org"], "{mails:#?}");
        assert!(mails[0].text.contains("--right"), "{}", mails[0].text);
        assert_eq!(bench.pass(), []);
        assert_eq!((dues(&bench), bench.office.store.log_head("toy-7").unwrap()), before, "nothing was done");
        let clock = *bench.office.clock_mut();
        assert!(clock_said(bench.dir.path(), clock.now()).unwrap().contains("has stopped"));
        // Also after a restart, until he says so.
        let Bench { dir, .. } = bench.reopened();
        let mut bench = Bench::served_by(dir, clock);
        assert_eq!(bench.pass(), []);
        accept_clock(bench.dir.path(), clock.now()).unwrap();
        let mails = bench.pass();
        assert!(
            mails.iter().any(|mail| mail.to == "french@example.org" && mail.text.contains("HISTORY")),
            "{mails:#?}"
        );
        assert!(
            !bench.office.store.log_of_kind("toy-7", "input", 1).unwrap().iter().any(|e| e.body.contains("deadline"))
        );
    }
}

#[test]
fn a_game_on_the_umpire_s_policy_needs_an_umpire() {
    let mut bench = Bench::new();
    let terms = terms::read("game.yaml", "late: umpire\n").unwrap();
    let why = bench.office.new_game_on(&new_game("toy-7", "toy-fellows", false), Some(&terms)).unwrap_err().to_string();
    assert!(why.contains("--umpire"), "{why}");
}

#[test]
fn every_deadline_of_a_game_is_explained_by_its_record() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    explained(&bench.office.store, "toy-7");
    for step in 0..12 {
        let seat = mover(&bench);
        match step % 4 {
            0 => bench.reply(&seat, "ABSENT 3 Mar 9 Mar\nFIRST NO\nPASS\nEND"),
            1 => bench.reply("umpire", "EXTEND all 5"),
            2 => bench.reply("umpire", "HOLD\nRELEASE"),
            _ => {
                bench.advance(60);
                bench.pass()
            }
        };
        explained(&bench.office.store, "toy-7");
        if dues(&bench).is_empty() {
            break;
        }
    }
}

#[test]
fn the_clock_of_the_office_can_be_told_from_time_that_passes() {
    let mut clock = Clock::from_text(START).unwrap();
    let (wall, steady) = (clock.now(), clock.steady());
    clock.advance(SignedDuration::from_hours(3));
    assert_eq!(clock.now().duration_since(wall), clock.steady().saturating_sub(steady));
    clock.jump(SignedDuration::from_hours(-5));
    assert_eq!(clock.now().duration_since(wall), SignedDuration::from_hours(-2));
    assert_eq!(clock.steady().saturating_sub(steady), SignedDuration::from_hours(3));
}

#[test]
fn no_mail_that_is_read_when_the_time_is_up_puts_it_off() {
    for writer in 0..2 {
        let mut bench = begun_on("deadline: 48h\n");
        let (seat, at) = (mover(&bench), due(&bench));
        let at: jiff::Timestamp = at.parse().unwrap();
        let minute = SignedDuration::from_mins(1);
        let early = at.duration_since(bench.office.clock_mut().now()) - minute;
        bench.office.clock_mut().advance(early);
        bench.pass();
        // It comes in time, and is found when the time is up.
        let from = if writer == 0 { seat.as_str() } else { other(&seat) };
        bench.reply_by(from, "PRESS TO umpire\nI am late.\nEND PRESS");
        bench.office.clock_mut().advance(minute + minute);
        bench.pass();
        let why: Vec<String> = bench
            .office
            .store
            .log_of_kind("toy-7", "post.due", 1)
            .unwrap()
            .into_iter()
            .map(|entry| entry.body)
            .filter(|body| body.contains("again due after a question"))
            .collect();
        assert!(why.is_empty(), "{why:?}");
        let kept = dues(&bench).into_iter().any(|due| due.seat == seat && due.due_at == Some(at.to_string()));
        let said = bench.office.store.log_of_kind("toy-7", "input", 1).unwrap();
        let late = said.iter().filter(|entry| entry.body.contains("\"kind\":\"deadline\"")).count();
        assert!(!kept && late == 1, "{writer}: its time was up: {:?}", dues(&bench));
    }
}
