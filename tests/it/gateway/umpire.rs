//! The umpire's desk: every verb by mail and at the console, the ledger, and what a side may know of both.

use super::bench::{Bench, Mail, TOYS, campaign, new_game, teaching, to};
use estafette::audit::{bundle, verify};
use estafette::gateway::{NewGame, table};
use estafette::mail::seal::seal_of;
use estafette::store::{GameState, OutboxState};

const GAME: &str = "strem-1";

/// The teaching game, begun.
fn begun() -> Bench {
    let mut bench = Bench::with_campaign(&teaching());
    bench.reply("french", "SIGNON\nNONCE one\nEND");
    bench.reply("coalition", "SIGNON\nNONCE two\nEND");
    assert_eq!(bench.office.store.game(GAME).unwrap().unwrap().state, GameState::Playing);
    bench
}

/// The umpire's answer to a mail of his.
fn ask(bench: &mut Bench, body: &str) -> String {
    let mails = bench.reply("umpire", body);
    let answers: Vec<String> = mails
        .iter()
        .filter(|m| m.to == "umpire@example.org" && m.subject.contains("commands answered"))
        .map(|m| m.text.clone())
        .collect();
    assert_eq!(answers.len(), 1, "{mails:#?}");
    answers.into_iter().next().unwrap()
}

fn ledger(bench: &Bench) -> Vec<serde_json::Value> {
    let log = bench.office.store.log_of_kind(GAME, "post.ledger", 1).unwrap();
    log.iter().map(|e| serde_json::from_str(&e.body).unwrap()).collect()
}

/// The audit of all that there is, with the game played again although it is not over.
fn audited(bench: &Bench) -> verify::Findings {
    let row = bench.office.store.game(GAME).unwrap().unwrap();
    let hosted = table::open(TOYS, &bench.office.store, &row).unwrap();
    let lines = bundle::bundle(&bench.office.store, &row, hosted.as_ref(), &bundle::Asker::All).unwrap();
    bench.office.store.verify_log(GAME).unwrap();
    let found = verify::verify(&lines, TOYS);
    assert_eq!(found.faults, Vec::<String>::new());
    assert!(found.replayed.is_some(), "{found:?}");
    found
}

/// What stands in the game now, by hex, in the umpire's rows.
fn rows(bench: &Bench) -> String {
    let row = bench.office.store.game(GAME).unwrap().unwrap();
    format!("{:?}", table::rebuilt_rows(TOYS, &bench.office.store, &row).unwrap())
}

#[test]
fn a_look_is_shown_entered_and_counted_for_the_side_it_touches() {
    let mut bench = begun();
    let text = ask(&mut bench, "SHOW french\nWHO-KNOWS Lannes\nWHO-KNOWS nobody\nSHOW LEDGER");
    for wanted in ["WHAT FRENCH SEES", "YOUR FORCES", "WHO KNOWS Lannes", "is not a leader", "LEDGER"] {
        assert!(text.contains(wanted), "{wanted} in {text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 76), "{text}");
    let looks: Vec<_> = ledger(&bench).into_iter().filter(|e| e["class"] == "look").collect();
    assert_eq!(looks.len(), 2, "{looks:#?}");
    assert_eq!(looks[0]["touches"], serde_json::json!(["french"]));
    assert_eq!(looks[1]["touches"], serde_json::json!(["french", "coalition"]));
    // The next report to all counts them: two touch the French, one the Coalition.
    let mover = bench.office.store.dues(GAME).unwrap().remove(0).seat;
    let mails = bench.reply(&mover, "END");
    let said = |seat: &str| {
        let reports: Vec<&Mail> = to(&mails, seat).into_iter().filter(|m| m.text.contains("ledger touches")).collect();
        reports.last().unwrap().text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(said("french").contains("touches your side in 2 entries (2 looks, 0 rulings, 0 changes)"), "{mails:#?}");
    assert!(said("coalition").contains("touches your side in 1 entry (1 look, 0 rulings, 0 changes)"), "{mails:#?}");
    audited(&bench);
}

#[test]
fn looking_at_one_side_changes_no_byte_of_the_others_mail() {
    let run = |look: &str| {
        let mut bench = begun();
        ask(&mut bench, look);
        let mut mails = Vec::new();
        for _ in 0..4 {
            let mover = bench.office.store.dues(GAME).unwrap().remove(0).seat;
            mails.extend(bench.reply(&mover, "END"));
        }
        let bare = |m: &Mail| String::from_utf8_lossy(&m.raw).replace(seal_of(&m.text).unwrap(), "");
        to(&mails, "coalition").into_iter().map(bare).collect::<Vec<_>>()
    };
    let without = run("DEADLINE");
    assert_eq!(run("SHOW french"), without);
    assert_eq!(run("RULING 242 TO french\nNo.\nEND RULING"), without);
    assert_eq!(run("AMEND french STRENGTH Suchet 3 REASON a count"), without);
    // Another count proves that the comparison can fail.
    assert_ne!(run("SHOW coalition"), without);
}

#[test]
fn a_ruling_goes_with_its_paragraph_to_whom_it_concerns_and_to_nobody_else() {
    let mut bench = begun();
    let mails = bench.reply("umpire", "RULING ¶242 TO coalition\nA repulse needs contact.\nEND RULING");
    let told = to(&mails, "coalition");
    assert!(told[0].text.contains("The umpire rules, on ¶242") && told[0].text.contains("A repulse needs contact."));
    assert!(to(&mails, "french").is_empty(), "{mails:#?}");
    let text = ask(&mut bench, "RULING 242 TO nobody\nx\nEND RULING\nRULING 242\nx\nEND RULING\nREMIND all");
    assert!(text.contains("there is no playing seat \"nobody\"") && text.contains("UNCLEAR"), "{text}");
    let entries = ledger(&bench);
    assert!(entries.iter().any(|e| e["class"] == "ruling" && e["touches"] == serde_json::json!(["coalition"])));
}

#[test]
fn an_amendment_is_an_event_told_to_its_side_and_plays_again() {
    let mut bench = begun();
    let text = ask(&mut bench, "AMEND french AP 3 REASON the packet, as agreed, was lost");
    assert!(text.contains("DONE"), "{text}");
    let mails = bench.out();
    let notice = to(&mails, "french").into_iter().rfind(|m| m.subject.contains("amended something")).unwrap();
    assert!(notice.text.contains("the packet, as agreed, was lost"), "{}", notice.text);
    let entry = ledger(&bench).into_iter().rfind(|e| e["class"] == "change").unwrap();
    assert_eq!((&entry["touches"], &entry["input"]), (&serde_json::json!(["french"]), &serde_json::json!(true)));
    let text = ask(&mut bench, "REPORT");
    assert!(text.contains("THE TRUTH"), "{text}");
    assert!(rows(&bench).contains("Text(\"ap\")), (\"hex\", Null), (\"facts\", Text(\"3\"))"), "{}", rows(&bench));
    let found = audited(&bench);
    assert!(found.ledger.iter().any(|line| line.contains("AMEND french AP 3")), "{:#?}", found.ledger);
    // Opened again from its chain, it is the same game.
    let before = rows(&bench);
    let mut bench = bench.reopened();
    assert_eq!(rows(&bench), before);
    let mover = bench.office.store.dues(GAME).unwrap().remove(0).seat;
    assert!(!bench.reply(&mover, "END").is_empty());
    audited(&bench);
}

#[test]
fn what_cannot_be_is_refused_with_its_reason_and_changes_nothing() {
    let mut bench = begun();
    let (rows_before, end) = (rows(&bench), bench.office.store.log_head(GAME).unwrap().seq);
    let body = "AMEND french STRENGTH Suchet 99 REASON x\nAMEND french AP -1 REASON x\nAMEND french PLACE Lannes AT 9999 \
                REASON x\nAMEND french PLACE Lannes AT 1005 REASON x\nAMEND french PLACE Oudinot AT 0405 REASON x\nAMEND prussian AP 1 REASON x\nAMEND french AP 2\n\
                AMEND french GLORY 3 REASON x\nREWIND 99 REASON x\nFIAT weather 5\nJUDGE 5\nREWIND x REASON y";
    let text = ask(&mut bench, body);
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for wanted in [
        "it holds 0 to",
        "-1 AP; its track goes from",
        "9999 is off the map",
        "1005 would hold pieces of both sides",
        "he stands on another's portrait",
        "there is no side \"prussian\"",
        "REASON and your words",
        "there is no rest point 99",
        "no combat waits",
    ] {
        assert!(flat.contains(wanted), "{wanted} in {text}");
    }
    assert!(!text.contains("DONE"), "{text}");
    assert_eq!(rows(&bench), rows_before);
    let kinds: Vec<String> = bench.office.store.log(GAME, end + 1).unwrap().into_iter().map(|e| e.kind).collect();
    assert_eq!(kinds, ["post.mail", "post.mail"], "the umpire's mail and its answer");
}

#[test]
fn a_die_by_fiat_is_marked_for_ever_and_the_rest_of_the_dice_are_as_they_were() {
    let mut plain = begun();
    let mut bench = begun();
    let text = ask(&mut bench, "FIAT weather 2 REASON a dry autumn");
    assert!(text.contains("DONE"), "{text}");
    for bench in [&mut plain, &mut bench] {
        for _ in 0..12 {
            let Some(due) = bench.office.store.dues(GAME).unwrap().into_iter().next() else { break };
            bench.reply(&due.seat, "END");
        }
    }
    let weather = |bench: &Bench| -> Vec<(u32, serde_json::Value)> {
        let log = bench.office.store.log_of_kind(GAME, "roll", 1).unwrap();
        let rolls = log.iter().map(|e| (e.slot, serde_json::from_str::<serde_json::Value>(&e.body).unwrap()));
        rolls.filter(|(_, roll)| roll["label"] == "weather").collect()
    };
    // The fiat is of the slot in which it was said; the teaching game's first weather had been rolled before.
    let fixed: Vec<_> = weather(&bench).into_iter().filter(|(_, roll)| roll["fiat"] == true).collect();
    let found = audited(&bench);
    assert_eq!(usize::try_from(found.fiats).unwrap(), fixed.len());
    let text = ask(&mut bench, "FIAT weather 6 REASON rain");
    assert!(text.contains("weather"), "{text}");
    assert!(weather(&plain).iter().all(|(_, roll)| roll.get("fiat").is_none()));
}

#[test]
fn a_rewind_goes_back_plays_on_in_a_spare_slot_and_tells_all() {
    let mut bench = Bench::new();
    bench.office.new_game_by(&campaign(&teaching()), None, 1).unwrap();
    bench.pass();
    bench.reply("french", "SIGNON\nNONCE one\nEND");
    bench.reply("coalition", "SIGNON\nNONCE two\nEND");
    goes_back(bench, 1);
}

#[test]
fn a_rewind_goes_back_plays_on_in_slots_of_its_own_notice_and_tells_all() {
    goes_back(begun(), 0);
}

fn goes_back(mut bench: Bench, spare: u32) {
    let first = ask(&mut bench, "REWIND");
    assert!(first.contains("REST POINTS"), "{first}");
    let before = rows(&bench);
    let number: usize = first
        .lines()
        .filter_map(|line| line.split_whitespace().next()?.parse::<usize>().ok())
        .filter(|n| first.contains(&format!("{n}  turn ")))
        .max()
        .unwrap();
    for _ in 0..3 {
        let mover = bench.office.store.dues(GAME).unwrap().remove(0).seat;
        bench.reply(&mover, "END");
    }
    assert_ne!(rows(&bench), "", "played on");
    let mails = bench.reply("umpire", &format!("REWIND {number} REASON a wrong road was read"));
    for seat in ["french", "coalition"] {
        let told = to(&mails, seat);
        let flat = told[0].text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains("has taken play back to") && flat.contains("a wrong road was read"), "{mails:#?}");
        assert_eq!(told.len(), 1);
    }
    assert_eq!(rows(&bench), before);
    let last = bench.office.store.log(GAME, 1).unwrap().pop().unwrap();
    assert!(last.slot > 2, "a spare slot: {last:?}");
    assert_eq!(bench.office.store.game(GAME).unwrap().unwrap().spare_used, spare);
    audited(&bench);
    let mut bench = bench.reopened();
    assert_eq!(rows(&bench), before);
    // The game plays on to its end, and no slot is rolled in twice with one label.
    for _ in 0..60 {
        let Some(due) = bench.office.store.dues(GAME).unwrap().into_iter().next() else { break };
        bench.reply(&due.seat, "END");
    }
    assert_eq!(bench.office.store.game(GAME).unwrap().unwrap().state, GameState::Over);
    let mut keys = std::collections::BTreeSet::new();
    for roll in bench.office.store.log_of_kind(GAME, "roll", 1).unwrap() {
        let body: serde_json::Value = serde_json::from_str(&roll.body).unwrap();
        assert!(keys.insert(format!("{} {} {} {}", roll.slot, body["scope"], body["label"], body["n"])), "{roll:?}");
    }
    let found = audited(&bench);
    assert!(found.ledger.iter().any(|line| line.contains("REWIND")), "{:#?}", found.ledger);
    assert!(found.rolls_open == 0, "{found:?}");
}

#[test]
fn under_hold_the_umpire_reads_the_letters_first_and_what_he_rewinds_is_never_sent() {
    let mut bench = begun();
    ask(&mut bench, "HOLD");
    let list = ask(&mut bench, "REWIND");
    let number = list.lines().filter(|l| l.contains("  turn ")).count();
    let mover = bench.office.store.dues(GAME).unwrap().remove(0).seat;
    let mails = bench.reply(&mover, "END");
    assert!(to(&mails, &mover).iter().all(|m| m.subject.contains("your mail is taken")), "{mails:#?}");
    assert!(to(&mails, "umpire").iter().any(|m| m.subject.contains("THE TRUTH")), "{mails:#?}");
    let shown = ask(&mut bench, "SHOW HELD");
    assert!(shown.contains("HELD: mail") && shown.contains("CHANGED SINCE YOUR LAST REPORT"), "{shown}");
    let text = ask(&mut bench, &format!("REWIND {number} REASON the orders crossed"));
    // The words may stand on two lines.
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat(&text).contains("2 held letters were withdrawn"), "{text}");
    let held = bench.office.store.outbox_of_seat(GAME, "french").unwrap();
    assert!(held.iter().any(|m| m.state == OutboxState::Held));
    let mails = bench.reply("umpire", "RELEASE");
    for seat in ["french", "coalition"] {
        let told = to(&mails, seat);
        assert!(flat(&told[0].text).contains("was withdrawn by the umpire"), "{mails:#?}");
        assert!(flat(&told.last().unwrap().text).contains("taken play back"), "{mails:#?}");
        let numbers: Vec<u32> = to(&bench.out(), seat)
            .iter()
            .map(|m| m.text.lines().next().unwrap().split_whitespace().nth(3).unwrap().parse().unwrap())
            .collect();
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (1..=u32::try_from(numbers.len()).unwrap()).collect::<Vec<_>>(), "no gap");
    }
    let found = audited(&bench);
    for act in ["HOLD", "REWIND", "RELEASE", "SHOW HELD"] {
        assert!(found.ledger.iter().any(|line| line.contains(act)), "{act} in {:#?}", found.ledger);
    }
}

#[test]
fn become_enters_lines_for_a_seat_and_that_seat_is_told() {
    let mut bench = begun();
    let mover = bench.office.store.dues(GAME).unwrap().remove(0).seat;
    let other = if mover == "french" { "coalition" } else { "french" };
    let mails = bench.reply("umpire", &format!("BECOME {mover} REASON he is in hospital\nEND\nEND BECOME"));
    assert!(to(&mails, &mover).is_empty(), "nothing before it is confirmed: {mails:#?}");
    let mails = bench.confirm("umpire@example.org");
    let flat = |m: &Mail| m.text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        to(&mails, &mover)
            .iter()
            .any(|m| flat(m).contains("The umpire wrote") && flat(m).contains("he is in hospital")),
        "{mails:#?}"
    );
    assert!(!to(&mails, other).iter().any(|m| flat(m).contains("hospital")), "{mails:#?}");
    assert_ne!(bench.office.store.dues(GAME).unwrap().remove(0).seat, mover);
    let text =
        ask(&mut bench, &format!("BECOME {mover} REASON x\nEND\nEND BECOME\nBECOME {other} REASON x\nEND BECOME"));
    assert!(text.contains("no line of an order"), "{text}");
    let mails = bench.confirm("umpire@example.org");
    assert!(flat(to(&mails, "umpire")[0]).contains("nothing is due from that seat"), "{mails:#?}");
    audited(&bench);
}

#[test]
fn two_umpires_at_once_the_second_is_told_what_the_first_did() {
    let mut bench = Bench::new();
    let game = NewGame { umpire: Some("umpire@example.org,second@example.org".to_owned()), ..campaign(&teaching()) };
    bench.office.new_game(&game).unwrap();
    bench.pass();
    bench.reply("french", "SIGNON\nEND");
    bench.reply("coalition", "SIGNON\nEND");
    let subject = bench.last_to("second@example.org").subject;
    let mails = bench.reply("umpire", "AMEND french AP 3 REASON first");
    assert!(to(&mails, "second")[0].text.contains("AMEND french AP 3"), "{mails:#?}");
    // The second's mail crossed it.
    bench.post("second@example.org", &subject, "AMEND french AP 1 REASON second\n");
    let mails = bench.pass();
    let answer = &to(&mails, "second")[0].text;
    let flat = answer.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        flat.contains("REFUSED") && flat.contains("another umpire was first") && flat.contains("AMEND french AP 3")
    );
    // In answer to that, it is done, and the first is told.
    let mails = bench.reply("second", "AMEND french AP 1 REASON second");
    assert!(to(&mails, "second")[0].text.contains("DONE"), "{mails:#?}");
    assert!(to(&mails, "umpire").iter().any(|m| m.text.contains("AMEND french AP 1")), "{mails:#?}");
    audited(&bench);
}

#[test]
fn an_umpire_who_plays_sees_what_his_side_sees_and_leaves_the_rest_to_another() {
    let (mut bench, _, umpire) = Bench::with_playing_umpire();
    // No page of the truth has come to him; it has to the other.
    let pages: Vec<String> =
        bench.out().into_iter().filter(|m| m.subject.contains("THE TRUTH")).map(|m| m.to).collect();
    assert!(!pages.is_empty() && pages.iter().all(|to| to == "second@example.org"), "{pages:?}");
    let body = "SHOW coalition\nWHO-KNOWS Lannes\nREPORT\nAMEND coalition AP 1 REASON x\nREWIND\nSHOW LEDGER\nSHOW HELD\n\
                FIAT weather 5 REASON x\nREPLACE coalition french@example.org ALLOW\nSHOW french\nHOLD\nRELEASE";
    bench.post("french@example.org", &umpire, body);
    let mails = bench.pass();
    let answer = &mails.iter().find(|m| m.subject.contains("commands answered")).unwrap().text;
    assert_eq!(answer.matches("REFUSED").count(), 9, "{answer}");
    assert!(answer.contains("WHAT FRENCH SEES") && !answer.contains("WHAT COALITION SEES"), "{answer}");
    assert!(answer.contains("left to another umpire") && answer.contains("the game is held"), "{answer}");
}

#[test]
fn what_is_done_to_clock_and_people_stands_in_the_ledger_without_an_address() {
    let mut bench = begun();
    let text = ask(&mut bench, "PAUSE\nRESUME\nREPLACE french soult@example.org\nREPLACE prussia x@example.org");
    assert_eq!((text.matches("DONE").count(), text.matches("REFUSED").count()), (2, 1), "{text}");
    bench.confirm("umpire@example.org");
    let entries = ledger(&bench);
    let said: Vec<&str> = entries.iter().filter(|e| e["class"] == "order").filter_map(|e| e["text"].as_str()).collect();
    assert_eq!(said, ["PAUSE", "RESUME", "REPLACE french"]);
    audited(&bench);
}

#[test]
fn the_console_and_the_mail_are_one_path() {
    let mut bench = begun();
    let words = |bench: &mut Bench, line: &str| {
        let said = bench.office.umpire_says(GAME, "umpire", &[line.to_owned()]).unwrap();
        said.answers[0].why.clone()
    };
    for line in ["SHOW prussia", "AMEND french STRENGTH Suchet 99 REASON x", "REWIND 99 REASON x", "OPTION glory on"] {
        let by_console = words(&mut bench, line);
        let by_mail = ask(&mut bench, line).split_whitespace().collect::<Vec<_>>().join(" ");
        let by_console = by_console.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(by_mail.contains(&by_console), "{by_console} in {by_mail}");
    }
    words(&mut bench, "AMEND french AP 4 REASON at the table");
    let entry = ledger(&bench).into_iter().rfind(|e| e["class"] == "change").unwrap();
    assert_eq!(entry["by"], "umpire (at the console)");
    bench.pass();
    audited(&bench);
}

#[test]
fn a_rewind_into_a_turn_whose_seeds_were_shown_is_refused_where_that_is_the_rule() {
    let mut bench = begun();
    ask(&mut bench, "OPTION rewind open");
    let list = ask(&mut bench, "REWIND");
    let number = list.lines().filter(|l| l.contains("  turn 1")).count();
    let turn = |bench: &Bench| {
        let row = bench.office.store.game(GAME).unwrap().unwrap();
        table::open(TOYS, &bench.office.store, &row).unwrap().turn()
    };
    while turn(&bench) == 1 {
        let mover = bench.office.store.dues(GAME).unwrap().remove(0).seat;
        bench.reply(&mover, "END");
    }
    let text = ask(&mut bench, &format!("REWIND {number} REASON x"));
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("REFUSED") && flat.contains("the seeds of turn 1 were shown"), "{text}");
    ask(&mut bench, "OPTION rewind any");
    assert!(ask(&mut bench, &format!("REWIND {number} REASON x")).contains("DONE"));
    assert_eq!(turn(&bench), 1);
    audited(&bench);
}

#[test]
fn press_follows_the_options_of_the_game_and_never_carries_a_tag() {
    let mut bench = Bench::new();
    bench.office.new_game(&new_game("toy-7", "toy-fellows", true)).unwrap();
    bench.pass();
    bench.reply("french", "SIGNON");
    bench.reply("coalition", "SIGNON");
    let last = bench.last_to("french@example.org");
    let (tag, secret) = (last.subject.clone(), last.secret());
    let body = format!("PRESS TO coalition\n> {tag}\nsecret {}\nEND PRESS", secret.to_uppercase());
    let mails = bench.reply("french", &body);
    let text = to(&mails, "coalition")[0].text.to_lowercase();
    assert!(!text.contains(&secret) && text.contains("secret ..."), "{text}");
    let mails = bench.reply("umpire", "OPTION press grey\nOPTION postal on");
    assert!(to(&mails, "french").len() == 2 && to(&mails, "coalition").len() == 2, "{mails:#?}");
    // Grey and postal: it waits for the report to all, unsigned.
    let mails = bench.reply("french", "PRESS TO coalition\nI come tonight.\nEND PRESS\nPRESS TO all\n\nEND PRESS");
    assert!(to(&mails, "coalition").is_empty(), "{mails:#?}");
    assert!(to(&mails, "french")[0].text.contains("it has no line"), "{mails:#?}");
    bench.advance(60);
    let mails = bench.pass();
    let press = to(&mails, "coalition").into_iter().find(|m| m.text.contains("I come tonight.")).unwrap();
    assert!(press.text.contains("PRESS from an unsigned hand"), "{}", press.text);
    bench.reply("umpire", "OPTION press none");
    let mails = bench.reply("french", "PRESS TO coalition\nx\nEND PRESS\nPRESS TO umpire\ny\nEND PRESS");
    let text = &to(&mails, "french")[0].text;
    assert!(text.contains("without press") && text.contains("DONE"), "{text}");
    assert!(to(&mails, "umpire").iter().any(|m| m.text.contains("PRESS from french")), "{mails:#?}");
}

#[test]
fn when_it_is_over_all_is_shown() {
    let mut bench = begun();
    ask(&mut bench, "SHOW french\nAMEND coalition AP 2 REASON a miscount");
    for _ in 0..60 {
        let Some(due) = bench.office.store.dues(GAME).unwrap().into_iter().next() else { break };
        if due.seat == "french" {
            let summary = bench.reply("french", "SUMMARY");
            assert!(summary[0].text.contains("SUMMARY") && summary[0].text.contains("you lost"), "{summary:#?}");
        }
        bench.reply(&due.seat, "END");
    }
    assert_eq!(bench.office.store.game(GAME).unwrap().unwrap().state, GameState::Over);
    for seat in ["french", "coalition"] {
        let last = bench.out().into_iter().rfind(|m| bench.is_of(m, GAME, seat) && m.subject.contains("over"));
        let parsed = mail_parser::MessageParser::new().parse(&last.unwrap().raw).unwrap().into_owned();
        let text = String::from_utf8(parsed.attachment(0).unwrap().contents().to_vec()).unwrap();
        for wanted in [
            "WHAT EACH SIDE KNEW",
            "enemy pieces it named",
            "LUCK OF THE DICE",
            "EVERY ORDER",
            "THE UMPIRE'S LEDGER",
            "SHOW french",
            "AMEND coalition AP 2",
            "a miscount",
            "MASTER AND SEEDS",
        ] {
            assert!(text.contains(wanted), "{wanted} in {text}");
        }
    }
    let mails = bench.reply("french", "SUMMARY\nHISTORY");
    assert!(to(&mails, "french")[0].text.contains("SUMMARY"), "{mails:#?}");
    let text = ask(&mut bench, "REWIND 3 REASON too late\nAMEND french AP 1 REASON too late");
    assert!(!text.contains("DONE"), "{text}");
}
