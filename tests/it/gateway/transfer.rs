//! Nobody's seat can be taken: every change of hands, tried by who has one of the seat's mails and no mailbox, by who reads
//! one of its two mailboxes, and by who stands in.

use super::bench::{Bench, CONFIG, Mail, code, new_game, to};
use estafette::store::InboxState;
use estafette::terms;

const THIEF: &str = "thief@example.net";
const FRENCH: &str = "french@example.org";

/// A begun game of two; its French seat has two addresses if `two`.
fn begun(two: bool) -> Bench {
    let mut bench = Bench::with_config(&format!("{CONFIG}operator = \"root@example.org\"\n"));
    let mut game = new_game("toy-7", "toy-fellows", true);
    if two {
        game.seats[0].1.push("marshal@example.net".to_owned());
    }
    let options = terms::read("game.yaml", "deadline: 48h\nlate: stand-in\nreminder: 0\n").unwrap();
    bench.office.new_game_on(&game, Some(&options)).unwrap();
    bench.pass();
    for seat in ["french", "coalition"] {
        bench.reply(seat, "SIGNON\n");
    }
    bench
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn addresses(bench: &Bench, seat: &str) -> Vec<String> {
    bench.office.store.seat("toy-7", seat).unwrap().unwrap().addresses
}

fn at<'m>(mails: &'m [Mail], address: &str) -> Vec<&'m Mail> {
    mails.iter().filter(|mail| mail.to == address).collect()
}

fn inputs(bench: &Bench, word: &str) -> usize {
    let log = bench.office.store.log_of_kind("toy-7", "input", 1).unwrap();
    log.iter().filter(|entry| entry.body.contains(word)).count()
}

/// The seat on move gets a stand-in, who writes for it from now on; gives the seat.
fn stood_in(bench: &mut Bench, by: &str) -> String {
    let seat = bench.office.store.dues("toy-7").unwrap()[0].seat.clone();
    bench.reply(&seat, &format!("STANDIN {by}"));
    bench.confirm(&format!("{seat}@example.org"));
    bench.confirm(by);
    bench.advance(49);
    bench.pass();
    assert_eq!(bench.office.store.stand_in("toy-7", &seat).unwrap().unwrap().address, by);
    seat
}

#[test]
fn with_one_mail_of_a_seat_and_its_forged_sender_nothing_of_it_is_gained() {
    let mut bench = begun(true);
    let captured = bench.last_to(FRENCH).subject;
    for line in [
        "RESIGN",
        "ADDRESS thief@example.net",
        "ADDRESS ADD thief@example.net",
        "ADDRESS DROP marshal@example.net",
        "STANDIN thief@example.net",
        "ABSENT 2 Jan 9 Jan STANDIN thief@example.net",
    ] {
        bench.post(FRENCH, &captured, &format!("{line}\n"));
        let mails = bench.pass();
        assert!(at(&mails, THIEF).is_empty(), "{line}: {mails:?}");
        for own in [FRENCH, "marshal@example.net"] {
            let told = at(&mails, own);
            assert!(told.len() == 1 && told[0].text.contains("nothing is done yet"), "{line}: {mails:?}");
        }
        // Nobody but the two mailboxes was sent the code, and what is not it is nothing.
        bench.post(FRENCH, &captured, "CONFIRM aaaaa-aaaaa-aaaaa-aaaaa-aaaaa-a\n");
        bench.post(THIEF, &captured, "CONFIRM aaaaa-aaaaa-aaaaa-aaaaa-aaaaa-b\n");
        assert!(at(&bench.pass(), THIEF).iter().all(|mail| !mail.text.contains("toy-7")));
        bench.office.store.act(|act| act.forget_answers_before("9")).unwrap();
    }
    for _ in 0..8 {
        bench.advance(25);
        assert!(at(&bench.pass(), THIEF).iter().all(|mail| !mail.text.contains("toy-7")));
    }
    assert_eq!(addresses(&bench, "french"), [FRENCH, "marshal@example.net"]);
    assert_eq!(inputs(&bench, "resign"), 0);
    assert_eq!(bench.office.store.desk("toy-7", "french", "stand-in").unwrap(), None);
}

#[test]
fn with_one_mail_of_the_umpire_no_seat_is_given_away_and_none_is_written_for() {
    let mut bench = begun(false);
    let captured = bench.last_to("umpire@example.org").subject;
    let seat = bench.office.store.dues("toy-7").unwrap()[0].seat.clone();
    let before = bench.office.store.dues("toy-7").unwrap();
    for body in [format!("REPLACE {seat} {THIEF}"), format!("BECOME {seat} REASON x\nFIRST NO\nEND\nEND BECOME")] {
        bench.post("umpire@example.org", &captured, &body);
        let mails = bench.pass();
        assert_eq!(mails.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(), ["umpire@example.org"], "{mails:?}");
        assert!(mails[0].text.contains("nothing is done yet"), "{mails:?}");
    }
    assert_eq!(addresses(&bench, &seat), [format!("{seat}@example.org")]);
    assert_eq!(bench.office.store.dues("toy-7").unwrap(), before);
    // The console is its operator's, who holds the database.
    let replace = estafette::gateway::TimeCommand::Replace { seat: seat.clone(), address: THIEF.into(), allow: false };
    bench.office.umpire("toy-7", &estafette::gateway::UmpireDoes::Time(replace)).unwrap();
    assert_eq!(addresses(&bench, &seat), [THIEF]);
    // Whoever had the seat hears of it at once, and the umpire hears that he objects.
    let mails = bench.pass();
    assert!(to(&mails, &seat)[0].text.contains("TAKE BACK"), "{mails:?}");
    let mails = bench.bring(&format!("{seat}@example.org"), "TAKE BACK");
    assert!(flat(&to(&mails, "umpire")[0].text).contains("objects"), "{mails:?}");
    assert_eq!(addresses(&bench, &seat), [THIEF], "the umpire decides");
}

#[test]
fn who_reads_one_of_two_addresses_can_bury_nothing_and_all_is_taken_back() {
    let mut bench = begun(true);
    let captured = bench.last_to("marshal@example.net").subject;
    bench.post("marshal@example.net", &captured, "ADDRESS thief@example.net\n");
    assert_eq!(at(&bench.pass(), FRENCH).len(), 1, "the attempt is told");
    bench.confirm("marshal@example.net");
    let mails = bench.confirm(THIEF);
    assert_eq!(addresses(&bench, "french"), [THIEF]);
    assert!(at(&mails, FRENCH)[0].text.contains("TAKE BACK"), "in the same pass: {mails:?}");
    // More changes on top of it do not hide it.
    let subject = bench.last_to(THIEF).subject;
    let thiefs = |bench: &Bench| {
        bench.out().into_iter().rfind(|mail| mail.to == THIEF && bench.is_in(mail, "toy-7")).unwrap().subject
    };
    let tag = thiefs(&bench);
    bench.post(THIEF, &tag, "ADDRESS ADD second@example.net\n");
    bench.pass();
    bench.confirm(THIEF);
    bench.confirm("second@example.net");
    assert_eq!(addresses(&bench, "french"), ["second@example.net", THIEF]);
    let tag = thiefs(&bench);
    let mails = bench.bring(FRENCH, "TAKE BACK");
    assert_eq!(addresses(&bench, "french"), [FRENCH, "marshal@example.net"]);
    assert!(to(&mails, "umpire")[0].text.contains("taken back"), "the umpire hears of a quarrel: {mails:?}");
    // Once; and the mails that the thief had are good for nothing, under whatever name.
    let again = bench.bring(FRENCH, "TAKE BACK");
    assert!(again.iter().all(|mail| !mail.text.contains("as they were")), "{again:?}");
    let before = bench.office.store.log_head("toy-7").unwrap();
    for from in [THIEF, FRENCH] {
        for subject in [&tag, &subject] {
            bench.post(from, subject, "DOCTRINE\nADDRESS\n");
        }
    }
    let mails = bench.pass();
    assert!(mails.iter().all(|mail| !mail.text.contains("toy-7")), "{mails:?}");
    assert_eq!(bench.office.store.log_head("toy-7").unwrap(), before);
}

#[test]
fn of_changes_by_who_keeps_an_address_the_first_is_taken_back() {
    let mut bench = begun(true);
    for new in ["second@example.net", "third@example.net"] {
        let tag = bench.out().into_iter().rfind(|m| m.to == FRENCH && bench.is_in(m, "toy-7")).unwrap().subject;
        bench.post(FRENCH, &tag, &format!("ADDRESS ADD {new}\n"));
        bench.pass();
        bench.confirm("marshal@example.net");
        bench.confirm(new);
    }
    assert_eq!(addresses(&bench, "french").len(), 4);
    bench.bring(FRENCH, "TAKE BACK");
    assert_eq!(addresses(&bench, "french"), [FRENCH, "marshal@example.net"]);
}

#[test]
fn a_stand_in_writes_for_the_seat_and_can_do_nothing_else_with_it() {
    let mut bench = begun(false);
    let seat = stood_in(&mut bench, THIEF);
    let own = format!("{seat}@example.org");
    let owners = addresses(&bench, &seat);
    let last = bench.last_to(THIEF);
    let owners_last = bench.last_to(&own);
    assert_eq!(last.text, owners_last.text, "all copies");
    assert_ne!(last.subject, owners_last.subject, "his tag is his own");
    for line in [
        "RESIGN",
        "RESIGN YES",
        "ADDRESS",
        "ADDRESS thief@example.net",
        "ADDRESS ADD second@example.net",
        "ADDRESS DROP french@example.org",
        "ADDRESS DROP coalition@example.org",
        "STANDIN second@example.net",
        "ABSENT OFF",
        "ABSENT 20 Jan 25 Jan",
        "ABSENT 20 Jan 25 Jan STANDIN second@example.net",
        "CONFIRM aaaaa-aaaaa-aaaaa-aaaaa-aaaaa-a",
        "TAKE BACK aaaaa-aaaaa-aaaaa-aaaaa-aaaaa-a",
        "RESEND 1",
        "RESEND 2",
        "RESEND 3",
        "HOLD",
        "REPLACE french thief@example.net",
    ] {
        bench.post(THIEF, &last.subject, &format!("{line}\n"));
        let mails = bench.pass();
        let said = &at(&mails, THIEF)[0].text;
        assert!(said.contains("REFUSED") && !said.contains("CONFIRM k"), "{line}: {said}");
        assert!(!said.contains("answer this mail with"), "{line}: {said}");
        assert_eq!(at(&mails, &own).len(), at(&mails, THIEF).len(), "{line}: the owner sees it too: {mails:?}");
    }
    assert_eq!((addresses(&bench, &seat), inputs(&bench, "resign")), (owners, 0));
    // In the owner's name his tag is none.
    bench.post(&own, &last.subject, "FORMAT 40\n");
    let mails = bench.pass();
    assert!(at(&mails, &own).iter().any(|mail| mail.subject.contains("is held back")), "{mails:?}");
    assert!(at(&mails, THIEF).is_empty(), "what is asked of the owner he alone reads: {mails:?}");
    assert!(bench.office.store.stand_in("toy-7", &seat).unwrap().is_some());
    // He writes orders, and one word of the owner ends it at once.
    let before = bench.office.store.dues("toy-7").unwrap();
    bench.post(&own, &owners_last.subject, "DEADLINE\n");
    let mails = bench.pass();
    assert_eq!(bench.office.store.stand_in("toy-7", &seat).unwrap(), None);
    assert!(at(&mails, THIEF)[0].text.contains("stand in no more") && at(&mails, THIEF).len() == 1, "{mails:?}");
    bench.post(THIEF, &last.subject, "FIRST NO\n");
    let mails = bench.pass();
    assert!(at(&mails, THIEF).iter().all(|mail| !mail.text.contains("toy-7")), "{mails:?}");
    assert_eq!(bench.office.store.dues("toy-7").unwrap(), before);
}

#[test]
fn the_owner_s_word_ends_a_stand_in_of_his_days_away_until_they_are_over() {
    let mut bench = begun(false);
    let seat = bench.office.store.dues("toy-7").unwrap()[0].seat.clone();
    bench.reply(&seat, &format!("ABSENT 1 Jan 8 Jan STANDIN {THIEF}"));
    bench.confirm(&format!("{seat}@example.org"));
    bench.confirm(THIEF);
    bench.pass();
    assert!(bench.office.store.stand_in("toy-7", &seat).unwrap().is_some());
    bench.reply(&seat, "DEADLINE");
    for _ in 0..3 {
        bench.advance(3);
        bench.pass();
        assert_eq!(bench.office.store.stand_in("toy-7", &seat).unwrap(), None, "he does not come again by himself");
    }
}

#[test]
fn who_asks_for_a_stand_in_does_not_learn_who_plays_here() {
    let run = |by: &str| {
        let mut bench = begun(false);
        let seat = bench.office.store.dues("toy-7").unwrap()[0].seat.clone();
        let other = if seat == "french" { "coalition@example.org" } else { FRENCH };
        let by = if by.is_empty() { other } else { by };
        let own = format!("{seat}@example.org");
        let mut mails = bench.reply(&seat, &format!("STANDIN {by}"));
        mails.extend(bench.confirm(&own));
        let plain = |mails: &[Mail]| -> Vec<String> {
            let own_words = |line: &&str| !line.contains("CONFIRM ") && !line.starts_with("seal ");
            let lines = |mail: &&Mail| mail.text.lines().filter(own_words).collect::<Vec<_>>().join("\n");
            at(mails, &own).iter().map(lines).map(|text| flat(&text.replace(by, "him"))).collect()
        };
        let asked = plain(&mails);
        let refused = bench.confirm(by);
        (asked, plain(&refused), flat(&refused.iter().map(|m| format!("{} {}", m.to, m.text)).collect::<String>()))
    };
    let (one, _, _) = run("grouchy@example.org");
    let (two, told, all) = run("");
    assert_eq!(one, two, "the same answers in number and words");
    assert!(told.is_empty(), "the refusal is not for who asked: {told:?}");
    assert!(all.contains("a hand in another seat") && all.contains("umpire@example.org"), "{all}");
}

#[test]
fn wrong_codes_in_a_seats_name_are_told_and_lock_nobody_out() {
    let mut bench = begun(true);
    bench.reply("french", "ADDRESS DROP marshal@example.net");
    bench.confirm(FRENCH);
    bench.reply("french", "RESIGN");
    let mail = bench.last_to(FRENCH);
    let right = code(&mail, "CONFIRM");
    let bare = right.replace('-', "");
    assert!(bare.len() == 26 && bare.bytes().all(|b| b.is_ascii_lowercase() || (b'2'..=b'7').contains(&b)), "{right}");
    let mut told = Vec::new();
    for n in 0..7 {
        bench.post(FRENCH, &mail.subject, &format!("CONFIRM aaaaa-aaaaa-aaaaa-aaaaa-aaaaa-{n}\n"));
        told.extend(bench.pass());
    }
    let warned = |address: &str| at(&told, address).iter().filter(|m| m.subject.contains("wrong codes")).count();
    assert_eq!((warned(FRENCH), warned("root@example.org")), (1, 1), "{told:?}");
    assert_eq!(inputs(&bench, "resign"), 0);
    bench.bring("marshal@example.net", "TAKE BACK");
    assert_eq!(addresses(&bench, "french"), [FRENCH, "marshal@example.net"]);
    // What was taken back took all that waited with it.
    let said = bench.reply("french", &format!("CONFIRM {right}"));
    assert!(said[0].text.contains("nothing of yours") && inputs(&bench, "resign") == 0, "{said:?}");
    bench.reply("french", "RESIGN");
    bench.reply("french", "RESIGN");
    let codes: Vec<String> = bench
        .out()
        .iter()
        .filter(|m| m.to == FRENCH && m.text.contains("CONFIRM "))
        .map(|m| code(m, "CONFIRM"))
        .collect();
    let [.., first, second] = codes.as_slice() else { panic!("{codes:?}") };
    let said = bench.reply("french", &format!("CONFIRM {first}"));
    assert!(
        said[0].text.contains("nothing of yours") && inputs(&bench, "resign") == 0,
        "the newer replaces it: {said:?}"
    );
    bench.reply("french", &format!("CONFIRM {second}"));
    assert_eq!(inputs(&bench, "resign"), 1);
    // And a resignation too is taken back.
    let mails = bench.bring("marshal@example.net", "TAKE BACK");
    assert!(at(&mails, FRENCH).iter().any(|m| m.text.contains("You have not resigned")), "{mails:?}");
    assert_eq!(bench.office.store.desk("toy-7", "french", "resigned").unwrap(), None);
}

#[test]
fn the_code_of_one_seat_or_address_is_nothing_from_another() {
    let mut bench = begun(false);
    bench.reply("french", "ADDRESS ADD marshal@example.net");
    let owners = code(&bench.last_to(FRENCH), "CONFIRM");
    let refused = bench.reply("coalition", &format!("CONFIRM {owners}"));
    assert!(to(&refused, "coalition")[0].text.contains("nothing of yours waits"), "{refused:?}");
    bench.confirm(FRENCH);
    let his = code(&bench.last_to("marshal@example.net"), "CONFIRM");
    for from in [THIEF, FRENCH] {
        bench.post(from, "Re: x", &format!("CONFIRM {his}\n"));
        bench.pass();
    }
    assert_eq!(addresses(&bench, "french"), [FRENCH], "from no other address");
    let said = bench.reply("french", &format!("CONFIRM {his}"));
    assert!(to(&said, "french")[0].text.contains("nothing of yours waits"), "{said:?}");
    bench.confirm("marshal@example.net");
    assert_eq!(addresses(&bench, "french"), [FRENCH, "marshal@example.net"]);
    bench.confirm("marshal@example.net");
    assert_eq!(addresses(&bench, "french").len(), 2, "once");
}

#[test]
fn a_seat_asked_for_stays_with_its_player_if_he_writes_within_two_days() {
    let mut bench = Bench::new();
    let options = terms::read("game.yaml", "open: true\ndeadline: 200h\nreminder: 0\n").unwrap();
    bench.office.new_game_on(&new_game("toy-7", "toy-fellows", false), Some(&options)).unwrap();
    bench.pass();
    for seat in ["french", "coalition"] {
        bench.reply(seat, "SIGNON\n");
    }
    bench.reply("french", "RESIGN");
    bench.confirm(FRENCH);
    bench.post(THIEF, "games", "TAKEOVER toy-7 french\n");
    let mails = bench.pass();
    assert_eq!(mails.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(), [THIEF], "first he confirms: {mails:?}");
    let mails = bench.confirm(THIEF);
    assert!(at(&mails, FRENCH)[0].text.contains("asks for your seat"), "{mails:?}");
    bench.advance(47);
    bench.pass();
    assert_eq!(addresses(&bench, "french"), [FRENCH]);
    let mails = bench.reply("french", "REPORT");
    assert!(at(&mails, THIEF)[0].text.contains("not free"), "{mails:?}");
    bench.advance(49);
    bench.pass();
    assert_eq!(addresses(&bench, "french"), [FRENCH]);
}

/// A post office with an open game that all may look on at.
fn open_house(limits: &str) -> Bench {
    let mut bench = Bench::with_config(&format!("{CONFIG}{limits}"));
    let options = terms::read("game.yaml", "open: true\nobservers: public\ndeadline: 48h\nreminder: 0\n").unwrap();
    bench.office.new_game_on(&new_game("toy-7", "toy-fellows", true), Some(&options)).unwrap();
    bench.pass();
    bench
}

fn observers(bench: &Bench) -> usize {
    let seats = bench.office.store.seats("toy-7").unwrap();
    seats.iter().filter(|row| row.seat.starts_with("observer-") && !row.addresses.is_empty()).count()
}

#[test]
fn three_hundred_forged_wishes_make_no_observer_and_few_mails() {
    let mut bench = open_house("");
    for n in 0..300 {
        let word = ["OBSERVE toy-7", "SIGNON toy-7 buy-now", "LIST", "hello buy-now"][n % 4];
        bench.post(&format!("victim@host{n}.example"), "buy-now", &format!("{word}\nbuy-now\n"));
    }
    let mails = bench.pass();
    assert_eq!((mails.len(), observers(&bench)), (50, 0));
    assert!(mails.iter().all(|mail| !mail.text.contains("buy-now") && !mail.subject.contains("buy-now")));
    // A new day, one domain.
    bench.advance(24);
    for n in 0..60 {
        bench.post(&format!("victim{n}@one.example"), "x", "OBSERVE toy-7\n");
    }
    assert_eq!(at_domain(&bench.pass(), "one.example"), 20);
    // A second wish of one address is passed over while the first waits.
    bench.advance(24);
    for word in ["OBSERVE toy-7", "SIGNON toy-7", "OBSERVE toy-7"] {
        bench.post("one@two.example", "x", &format!("{word}\n"));
    }
    assert_eq!(at_domain(&bench.pass(), "two.example"), 1);
    assert_eq!(observers(&bench), 0);
    bench.confirm("one@two.example");
    assert_eq!(observers(&bench), 1, "the first was to look on");
}

fn at_domain(mails: &[Mail], domain: &str) -> usize {
    mails.iter().filter(|mail| mail.to.ends_with(&format!("@{domain}"))).count()
}

#[test]
fn so_many_look_on_and_no_more_and_an_old_wish_is_good_no_more() {
    let mut bench = open_house("[limits]\nobservers_per_game_max = 1\n");
    for name in ["one@a.example", "two@b.example"] {
        bench.post(name, "x", "OBSERVE toy-7\n");
        bench.pass();
        bench.confirm(name);
    }
    assert_eq!(observers(&bench), 1);
    assert!(bench.last_to("two@b.example").text.contains("As many look on"));
    bench.post("three@c.example", "x", "SIGNON toy-7\n");
    bench.pass();
    bench.advance(24 * 8);
    let mails = bench.confirm("three@c.example");
    assert!(at(&mails, "three@c.example")[0].text.contains("good for 7 days"), "{mails:?}");
    assert!(bench.office.store.waiting_for("toy-7").unwrap().is_empty());
}

#[test]
fn a_flood_of_mails_in_a_seat_s_name_asks_it_three_times_and_keeps_twenty() {
    let mut bench = begun(false);
    let captured = bench.last_to(FRENCH).subject;
    for n in 0..30 {
        bench.post(&format!("eve{n}@evil.example"), &captured, "RESIGN\n");
    }
    let mails = bench.pass();
    assert_eq!(at(&mails, FRENCH).len(), 3, "{mails:?}");
    let kept = bench.office.store.inbox_of_game("toy-7").unwrap();
    assert!(kept.iter().all(|mail| mail.state == InboxState::Done));
    let quarantined = (1..200).filter_map(|id| bench.office.store.inbox(id).unwrap());
    assert_eq!(quarantined.filter(|mail| mail.state == InboxState::Quarantined).count(), 20);
    // Of those asked about, the last two wait.
    let codes: Vec<String> = at(&mails, FRENCH).iter().map(|mail| code(mail, "CONFIRM")).collect();
    let good = codes.iter().filter(|code| {
        let mails = bench.reply("french", &format!("CONFIRM {code}"));
        mails.iter().any(|mail| mail.text.contains("is carried out now"))
    });
    assert_eq!(good.count(), 2);
}
