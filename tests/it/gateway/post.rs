//! Passes of the post office, from sign-on to the last report.

use super::bench::{Bench, Mail, to, unsaid};
use estafette::gateway::UmpireDoes;
use estafette::store::{GameState, InboxState};

#[test]
fn the_opening_mail_carries_the_seal_and_the_same_commitments_for_all() {
    let bench = Bench::with_game("toy-7", "toy-fellows");
    let mails = bench.out();
    assert_eq!(
        mails.iter().map(|m| m.to.as_str()).collect::<Vec<_>>(),
        ["french@example.org", "coalition@example.org", "umpire@example.org"]
    );
    let attached = |mail: &Mail| {
        let parsed = mail_parser::MessageParser::new().parse(&mail.raw).unwrap();
        let text = |n| String::from_utf8(parsed.attachment(n).unwrap().contents().to_vec()).unwrap();
        (text(0), text(1))
    };
    assert_eq!(attached(&mails[0]), attached(&mails[1]));
    let (list, terms) = attached(&mails[0]);
    // Two turns, slot 0 and one for a game whose last turn is over, four scopes each.
    assert_eq!(list.lines().count(), 4 * 4);
    let root = data_encoding::HEXLOWER.encode(&estafette::dice::two::root(&terms, &list));
    for mail in &mails[..2] {
        let tag = mail.tag().unwrap().to_string();
        assert_eq!(mail.subject, format!("A toy: sign on, due Sat 00:00 - toy-7 {tag}"));
        for wanted in [root.as_str(), "\n  SIGNON\n", "NONCE any words of your own", "+----+", "mail 1"] {
            assert!(mail.text.contains(wanted), "{wanted} in {}", mail.text);
        }
    }
    assert_ne!(mails[0].subject, mails[1].subject);
}

#[test]
fn the_game_begins_when_the_last_seat_has_signed_on_and_then_takes_what_waited() {
    let mut bench = Bench::with_game("toy-7", "toy-fellows");
    let first = bench.reply("french", "signon\nnonce Vive l'Empereur\nGO Oriole 2\nFORMAT 40");
    assert_eq!(first.len(), 1, "{first:#?}");
    let text = &first[0].text;
    assert!(text.contains("you have signed on") && text.contains("TAKEN"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 40), "{text}");
    assert_eq!(bench.office.store.game("toy-7").unwrap().unwrap().state, GameState::Forming);
    let second = bench.reply("coalition", "SIGNON\nNONCE Gott erhalte Franz");
    assert_eq!(bench.office.store.game("toy-7").unwrap().unwrap().state, GameState::Playing);
    assert!(to(&second, "coalition")[0].text.contains("you have signed on"));
    // The beginning to both, and the answer to the French line that waited.
    assert!(to(&second, "french").iter().any(|m| m.subject.contains("the game begins")), "{second:#?}");
    assert!(to(&second, "french").iter().any(|m| m.text.contains("GO Oriole 2")), "{second:#?}");
    let seats = bench.office.store.seats("toy-7").unwrap();
    assert_eq!(seats[0].nonce.as_deref(), Some("Vive l'Empereur"));
    let words = ["french", "coalition"].into_iter().zip(["Vive l'Empereur", "Gott erhalte Franz"]);
    let words: Vec<(String, String)> = words.map(|(seat, words)| (seat.to_owned(), words.to_owned())).collect();
    let notice = bench.office.store.notices("toy-7").unwrap().remove(0).text.unwrap();
    let salt = estafette::dice::hex(&estafette::dice::two::salt(&notice, &words, b""));
    let entry = bench.office.store.log_of_kind("toy-7", "post.salt", 1).unwrap().remove(0);
    assert!(entry.body.contains(&salt));
    // A game that began by dice protocol 1 has the salt of that one.
    let old = Bench::begun_by_one("toy-7", "toy-fellows");
    let salt = estafette::audit::salt_of(&old.office.store.seats("toy-7").unwrap());
    let entry = old.office.store.log_of_kind("toy-7", "post.salt", 1).unwrap().remove(0);
    assert!(entry.body.contains(&estafette::dice::hex(&salt)));
}

#[test]
fn who_gives_no_nonce_gives_his_message_id_and_who_never_writes_gives_nothing() {
    let mut bench = Bench::with_game("toy-7", "toy-fellows");
    bench.reply("french", "SIGNON");
    bench.advance(49);
    let mails = bench.pass();
    assert!(mails.iter().any(|m| m.subject.contains("the game begins")), "{mails:#?}");
    let nonces: Vec<_> = bench.office.store.seats("toy-7").unwrap().into_iter().map(|s| s.nonce).collect();
    assert_eq!(nonces[..2], [Some("m1@players.example".to_owned()), Some(String::new())]);
}

#[test]
fn every_line_of_a_mail_is_answered_in_order_in_one_mail() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let winner = mover(&bench);
    bench.reply(&winner, "FIRST YES");
    let mover = mover(&bench);
    let body =
        "HISTORY\nPlease gallop\nMAP\nGO Oriole 99\nABSENT\nHOLD\nRESIGN\nDEADLINE\nORDERS\nCHECK\nPASS\nDOCTRINE";
    let mails = bench.reply(&mover, body);
    let answers = to(&mails, &mover);
    assert_eq!(answers.len(), 1, "{mails:#?}");
    let text = &answers[0].text;
    let mut at = 0;
    for line in body.lines().take(10) {
        // What only asks has no number; in its own words stands what is an order.
        let numbered = ["Please gallop", "GO Oriole 99", "HOLD"].contains(&line);
        let wanted = if numbered { format!("  {line}\n") } else { format!("\n  -  {line}\n") };
        let place = text[at..].find(&wanted).unwrap_or_else(|| panic!("{wanted:?} after {at} in {text}"));
        at += place + wanted.len();
    }
    for wanted in ["HISTORY\n", "ORDERS\n", "CHECK\n", "NOT TAKEN", "You have booked 0 of 30 days", "CONFIRM ", "TAKEN"]
    {
        assert!(text.contains(wanted), "{wanted} in {text}");
    }
}

/// The seat that something is due from.
fn mover(bench: &Bench) -> String {
    bench.office.store.dues("toy-7").unwrap().remove(0).seat
}

#[test]
fn the_same_mail_twice_is_acted_on_once() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let mover = mover(&bench);
    let from = format!("{mover}@example.org");
    let raw = super::bench::written(&from, &bench.last_to(&from).subject, "HISTORY\n", 77);
    bench.deliver(raw.as_bytes());
    bench.deliver(raw.as_bytes());
    assert_eq!(bench.pass().len(), 1);
    bench.deliver(raw.as_bytes());
    assert_eq!(bench.pass().len(), 0);
}

#[test]
fn numbers_run_on_without_a_gap_and_threads_hang_together() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    bench.reply("french", "HISTORY");
    bench.reply("french", "MAP");
    for seat in ["french", "coalition", "umpire"] {
        let out = bench.out();
        let numbers: Vec<String> = to(&out, seat)
            .iter()
            .map(|m| {
                m.text.lines().next().unwrap().trim_start_matches("=== estafette mail ").trim_end_matches(" ===").into()
            })
            .collect();
        let wanted: Vec<String> = (1..=numbers.len()).map(|n| n.to_string()).collect();
        assert_eq!(numbers, wanted, "{seat}");
    }
    let last = bench.last_to("french@example.org");
    let head = String::from_utf8_lossy(&last.raw).into_owned();
    assert!(head.contains("In-Reply-To: <m4@players.example>"), "{head}");
    assert!(head.contains("Auto-Submitted: auto-generated"), "{head}");
}

#[test]
fn tag_and_address_must_both_be_good_and_strangers_get_one_word_a_day() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let tag = bench.last_to("french@example.org").subject;
    let wrong = [
        ("eve@example.org", tag.as_str()),
        ("eve@example.org", "hello"),
        ("french@example.org", "no tag"),
        ("coalition@example.org", tag.as_str()),
    ];
    for (from, subject) in wrong {
        bench.post(from, subject, "RESIGN YES\n");
    }
    let mut mails = bench.pass();
    // The seat whose tag came from elsewhere is asked at its own address, about each.
    let asked = |mail: &Mail| bench.is_of(mail, "toy-7", "french") && mail.subject.contains("is held back");
    assert_eq!(
        mails.iter().filter(|mail| asked(mail)).map(|m| m.to.as_str()).collect::<Vec<_>>(),
        ["french@example.org"; 2]
    );
    mails.retain(|mail| !asked(mail));
    let told: Vec<&str> = mails.iter().map(|m| m.to.as_str()).collect();
    assert_eq!(told, ["eve@example.org", "french@example.org", "coalition@example.org"]);
    for mail in &mails {
        for secret in ["toy-7", "french", "coalition", "fellows"] {
            assert!(!mail.text.contains(secret) && !mail.subject.contains(secret), "{secret} in {mail:#?}");
        }
    }
    assert_eq!(mails[0].text, mails[1].text);
    bench.advance(24);
    bench.post("eve@example.org", "hello", "hello\n");
    assert_eq!(to(&bench.pass(), "eve").len(), 1);
}

#[test]
fn machines_are_never_answered_and_a_bounce_tells_the_umpire() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let last = bench.last_to("french@example.org");
    let raw = super::bench::written("french@example.org", &last.subject, "I am away.\n", 50);
    bench.deliver(raw.replace("\r\nTo:", "\r\nAuto-Submitted: auto-replied\r\nTo:").as_bytes());
    assert_eq!(bench.pass(), []);
    let bounce = format!(
        "Return-Path: <>\r\nFrom: MAILER-DAEMON@example.org\r\nTo: post@example.org\r\nSubject: failed\r\n\
         Message-ID: <b1@example.net>\r\n\r\nYour mail <{}> could not be delivered.\r\n",
        last.id
    );
    bench.deliver(bounce.as_bytes());
    assert_eq!(bench.pass(), [], "one may be a passing trouble");
    bench.deliver(bounce.replace("<b1@", "<b2@").as_bytes());
    let mails = bench.pass();
    assert_eq!(mails.len(), 1, "{mails:#?}");
    assert_eq!(mails[0].to, "umpire@example.org");
    assert!(mails[0].text.contains("to french came back from french@example.org"), "{}", mails[0].text);
}

#[test]
fn a_mail_that_cannot_be_read_is_put_aside_and_its_seat_told_why() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let subject = bench.last_to("french@example.org").subject;
    bench.post("french@example.org", &subject, "\n\n");
    let mails = bench.pass();
    assert_eq!(mails.len(), 1);
    assert!(mails[0].text.contains("The mail is empty") && mails[0].text.contains("Nothing was done"), "{mails:#?}");
    let kept = bench.office.store.last_from_seat("toy-7", "french").unwrap().unwrap();
    assert_eq!(kept.state, InboxState::Quarantined);
}

#[test]
fn when_the_time_is_up_defaults_answer_and_all_are_told() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    bench.advance(47);
    assert_eq!(bench.pass(), []);
    let before = bench.office.store.dues("toy-7").unwrap();
    bench.advance(2);
    let mails = bench.pass();
    assert_eq!((to(&mails, "french").len(), to(&mails, "coalition").len(), to(&mails, "umpire").len()), (1, 1, 1));
    assert_ne!(bench.office.store.dues("toy-7").unwrap(), before);
    assert_eq!(bench.pass(), []);
}

#[test]
fn an_extension_puts_the_time_off() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let mails = bench.reply("umpire", "EXTEND all 24\nEXTEND nobody 3\nSHOW french\nGO Oriole 3");
    let text = &to(&mails, "umpire")[0].text;
    for wanted in [
        "all has until Sun 4 Jan 00:00 UTC",
        "nothing with a deadline is due from \"nobody\"",
        "WHAT FRENCH SEES",
        "UNCLEAR",
    ] {
        assert!(text.contains(wanted), "{wanted} in {text}");
    }
    bench.advance(50);
    assert_eq!(bench.pass(), []);
    bench.advance(23);
    assert!(!bench.pass().is_empty());
}

#[test]
fn a_held_game_takes_mails_and_sends_no_letters_until_it_is_released() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let mover = mover(&bench);
    bench.reply("umpire", "HOLD");
    let mails = bench.reply(&mover, "HISTORY");
    assert_eq!(mails.len(), 1, "{mails:#?}");
    assert!(mails[0].text.contains("the umpire holds the game"), "{}", mails[0].text);
    assert!(!mails[0].text.contains("HISTORY"), "{}", mails[0].text);
    bench.advance(100);
    assert_eq!(bench.pass(), [], "a held game's time stands still");
    let mails = bench.reply("umpire", "RELEASE");
    assert!(to(&mails, &mover)[0].text.contains("HISTORY"), "{mails:#?}");
    assert_eq!((to(&mails, &mover).len(), mails.len()), (1, 2), "the time held is given back: {mails:#?}");
    bench.advance(47);
    assert_eq!(bench.pass(), []);
    bench.advance(2);
    assert!(!bench.pass().is_empty());
}

#[test]
fn press_reaches_its_seat_and_nothing_in_it_can_pass_for_ours() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let mails = bench
        .reply("french", "PRESS TO coalition\nYou are beaten.\n* === end of estafette mail ===\nRESIGN YES\nEND PRESS");
    let press = *to(&mails, "coalition").first().unwrap_or_else(|| panic!("{mails:#?}"));
    assert!(press.text.contains("PRESS from french") && press.text.contains("  You are beaten."), "{}", press.text);
    assert_eq!(estafette::mail::script::order_lines(&press.text), Vec::<String>::new());
    let mails = bench.reply("french", "PRESS TO coalitoin\nx\nEND PRESS");
    assert!(to(&mails, "french")[0].text.contains("Did you mean coalition?"), "{mails:#?}");
}

#[test]
fn a_broken_game_is_set_aside_and_no_other_is_touched() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    bench.new_game("toy-8", "toy-great", true);
    bench.pass();
    let mut bench = bench.reopened();
    let open = bench.office.store.open_leg("toy-7").unwrap().unwrap();
    bench.office.store.act(|act| act.set_open_leg("toy-7", Some("{}"))).unwrap();
    let subject = bench.last_of("toy-7", "french").subject;
    bench.post("french@example.org", &subject, "HISTORY");
    bench.post("french@example.org", &subject, "MAP");
    let mails = bench.pass();
    assert_eq!(mails.len(), 1, "{mails:#?}");
    assert!(mails[0].to == "umpire@example.org" && mails[0].text.contains("is set aside"), "{mails:#?}");
    assert_eq!(bench.office.store.game("toy-7").unwrap().unwrap().state, GameState::Corrupt);
    assert_eq!(bench.office.store.game("toy-8").unwrap().unwrap().state, GameState::Forming);
    let subject = bench.last_of("toy-8", "red").subject;
    bench.post("red@example.org", &subject, "SIGNON");
    assert_eq!(bench.pass().len(), 1);
    // Mended and released, it reads what came meanwhile.
    assert!(bench.office.umpire("toy-7", &UmpireDoes::Release).is_err());
    bench.office.store.act(|act| act.set_open_leg("toy-7", Some(&open))).unwrap();
    bench.office.umpire("toy-7", &UmpireDoes::Release).unwrap();
    let mails = bench.pass();
    assert_eq!(to(&mails, "french").len(), 2, "{mails:#?}");
    assert_eq!(bench.office.store.game("toy-7").unwrap().unwrap().state, GameState::Playing);
}

#[test]
fn forms_are_kept_per_seat() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let mails = bench.reply("french", "FORMAT BOTH ASCII\nMAP");
    let raw = String::from_utf8_lossy(&mails[0].raw).into_owned();
    assert!(raw.contains("multipart/alternative"), "{raw}");
    let parsed = mail_parser::MessageParser::new().parse(&mails[0].raw).unwrap();
    let html = parsed.html_bodies().next().unwrap().text_contents().unwrap().to_owned();
    assert!(html.contains("<pre style=") && html.is_ascii(), "{html}");
    let plain = parsed.text_bodies().next().unwrap().text_contents().unwrap();
    // The seal is over the plain words, and stands under them alone.
    let mut unsaid = unsaid(plain, &html);
    unsaid.retain(|line| !line.starts_with("seal "));
    assert_eq!(unsaid, Vec::<String>::new(), "{html}");
}

#[test]
fn the_same_secrets_clock_and_mails_give_the_same_bytes() {
    let run = || {
        let (mut bench, _) = Bench::begun("toy-7", "toy-great");
        bench.reply("red", "ORDERS\nMAP\nEND");
        bench.advance(60);
        bench.pass();
        let log = bench.office.store.log("toy-7", 1).unwrap();
        (bench.out().into_iter().map(|mail| mail.raw).collect::<Vec<_>>(), log)
    };
    assert_eq!(run(), run());
}

#[test]
fn who_only_asks_too_often_in_an_hour_gets_no_more_answers_and_orders_always_do() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let mover = mover(&bench);
    let mut own = Vec::new();
    for _ in 0..70 {
        own.extend(to(&bench.reply(&mover, "DEADLINE\n"), &mover).into_iter().cloned());
    }
    // The sign-on counts too, and the last mail says that no more are answered.
    assert_eq!(own.len(), 60);
    assert!(own[59].text.contains("You have had 60 answers in this hour") && !own[58].text.contains("in this hour"));
    assert_eq!(to(&bench.reply(&mover, "FIRST YES"), &mover).len(), 1);
    bench.advance(1);
    assert_eq!(to(&bench.reply(&mover, "DEADLINE"), &mover).len(), 1);
}
