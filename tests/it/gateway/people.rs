//! The people of a game: games that form by mail, waiting lists, seats that change hands, observers.

use super::bench::{Bench, Mail, new_game, to};
use super::clockwork::explained;
use estafette::gateway::NewGame;
use estafette::store::GameState;
use estafette::terms;

/// An open toy game, its coalition seat vacant; with an umpire or without.
fn open_game(options: &str, umpire: bool) -> Bench {
    let mut bench = Bench::new();
    let terms = terms::read("game.yaml", &format!("open: true\n{options}")).unwrap();
    let seats = vec![("french".to_owned(), vec!["french@example.org".to_owned()])];
    let game = NewGame { seats, ..new_game("toy-7", "toy-fellows", umpire) };
    bench.office.new_game_on(&game, Some(&terms)).unwrap();
    bench.pass();
    bench
}

/// What a stranger gets for a mail of his, once he has confirmed that it was his.
fn asks(bench: &mut Bench, who: &str, body: &str) -> Vec<Mail> {
    let address = format!("{who}@example.org");
    bench.post(&address, "games", body);
    let mails = bench.pass();
    if !mails.iter().any(|mail| mail.to == address && mail.text.contains("CONFIRM ")) {
        return mails;
    }
    assert!(mails.iter().all(|mail| mail.to == address && !mail.text.contains(body)), "{mails:#?}");
    bench.confirm(&address)
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn state(bench: &Bench) -> GameState {
    bench.office.store.game("toy-7").unwrap().unwrap().state
}

#[test]
fn a_game_forms_by_mail_from_list_to_the_first_report() {
    let mut bench = open_game("deadline: 48h\n", true);
    let mails = asks(&mut bench, "kutuzov", "LIST");
    let text = flat(&to(&mails, "kutuzov")[0].text);
    for wanted in ["toy-7: A toy", "It forms; free seats: coalition", "48 h", "SIGNON toy-7"] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    let mails = asks(&mut bench, "kutuzov", "SIGNON toy-7 coalition");
    let got = to(&mails, "kutuzov");
    assert_eq!(got.len(), 1, "{mails:#?}");
    assert!(got.iter().any(|mail| mail.text.contains("commitments") && bench.is_of(mail, "toy-7", "coalition")));
    assert!(to(&mails, "french")[0].text.contains("another person"), "{mails:#?}");
    explained(&bench.office.store, "toy-7");
    // Only his answer with the tag shows that the address is his.
    assert_eq!(state(&bench), GameState::Forming);
    bench.reply("french", "SIGNON");
    let subject = got.iter().find(|mail| bench.is_in(mail, "toy-7")).unwrap().subject.clone();
    bench.post("kutuzov@example.org", &format!("Re: {subject}"), "SIGNON\n");
    let mails = bench.pass();
    assert_eq!(state(&bench), GameState::Playing);
    assert!(to(&mails, "kutuzov").iter().any(|mail| mail.subject.contains("the game begins")), "{mails:#?}");
}

#[test]
fn who_finds_no_seat_waits_and_gets_the_one_that_another_does_not_take() {
    let mut bench = open_game("deadline: 48h\nreminder: 0\n", true);
    bench.reply("french", "SIGNON");
    asks(&mut bench, "kutuzov", "SIGNON toy-7");
    let mails = asks(&mut bench, "bagration", "SIGNON toy-7 coalition french");
    assert!(flat(&to(&mails, "bagration")[0].text).contains("waiting list, place 1"), "{mails:#?}");
    let mails = asks(&mut bench, "dolgorukov", "SIGNON toy-7");
    assert!(flat(&to(&mails, "dolgorukov")[0].text).contains("place 2"), "{mails:#?}");
    bench.advance(49);
    let mails = bench.pass();
    let opened = to(&mails, "bagration");
    assert!(opened.len() == 1 && bench.is_of(opened[0], "toy-7", "coalition"), "{mails:#?}");
    explained(&bench.office.store, "toy-7");
    // Who had the seat has it no more.
    let mails = bench.reply("kutuzov", "SIGNON\n");
    assert!(!mails.iter().any(|mail| mail.text.contains("you have signed on")), "{mails:#?}");
    bench.reply("bagration", "SIGNON\n");
    assert_eq!(state(&bench), GameState::Playing);
}

#[test]
fn what_is_wrong_with_a_wish_is_answered_with_what_would_be_right() {
    let mut bench = open_game("deadline: 48h\n", true);
    for (body, wanted) in [
        ("SIGNON toy-8", "toy-7: A toy"),
        ("SIGNON toy-7 prussian", "the seats are french and coalition"),
        ("OBSERVE toy-7", "has no observers"),
    ] {
        let mails = asks(&mut bench, "kutuzov", body);
        let text = flat(&to(&mails, "kutuzov")[0].text);
        assert!(text.contains(wanted), "{body}: {text}");
    }
    // Who has a seat is pointed to it.
    let mails = asks(&mut bench, "french", "SIGNON toy-7");
    assert!(flat(&to(&mails, "french")[0].text).contains("You have the seat french"), "{mails:#?}");
}

#[test]
fn only_open_games_are_ever_named_to_strangers() {
    let mut bench = open_game("deadline: 48h\n", true);
    bench.new_game("secret-1", "toy-great", true);
    bench.pass();
    let mails = asks(&mut bench, "kutuzov", "LIST\nSIGNON secret-1");
    let mails = [mails, asks(&mut bench, "kutuzov", "SIGNON secret-1 red")].concat();
    for mail in to(&mails, "kutuzov") {
        let said = flat(&mail.text);
        assert!(!said.contains("toy-great") && !said.contains("secret"), "{said}");
    }
    // Where no game is open, LIST is a stranger's mail like any other.
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let mails = asks(&mut bench, "kutuzov", "LIST");
    let listed = to(&mails, "kutuzov")[0].text.clone();
    let mails = asks(&mut bench, "miloradovich", "hello");
    assert_eq!(to(&mails, "miloradovich")[0].text, listed);
}

#[test]
fn a_host_may_ask_for_an_invitation_or_for_punctuality() {
    let mut bench = open_game("deadline: 48h\ninvited: [kutuzov@example.org]\n", true);
    let mails = asks(&mut bench, "bagration", "SIGNON toy-7");
    assert!(flat(&to(&mails, "bagration")[0].text).contains("has invited"), "{mails:#?}");
    assert_eq!(to(&asks(&mut bench, "kutuzov", "SIGNON toy-7"), "kutuzov").len(), 1);

    let mut bench = open_game("deadline: 48h\npunctual: 80\n", true);
    bench
        .office
        .store
        .act(|act| {
            for n in 0..10 {
                act.count_deadline("bagration@example.org", n % 2 == 0)?;
                act.count_deadline("kutuzov@example.org", n != 0)?;
            }
            Ok(())
        })
        .unwrap();
    let mails = asks(&mut bench, "bagration", "SIGNON toy-7");
    assert!(flat(&to(&mails, "bagration")[0].text).contains("kept 80 of a hundred deadlines; you have kept 50"));
    assert_eq!(to(&asks(&mut bench, "kutuzov", "SIGNON toy-7"), "kutuzov").len(), 1, "90 of a hundred");
}

#[test]
fn punctuality_counts_the_sheets_that_all_knew_of_and_no_questions() {
    let mut bench = Bench::begun("toy-7", "toy-fellows").0;
    let seat = |bench: &Bench| bench.office.store.dues("toy-7").unwrap()[0].clone();
    let record = |bench: &Bench, seat: &str| {
        let kept = bench.office.store.punctuality(&format!("{seat}@example.org")).unwrap();
        (kept.met, kept.missed)
    };
    let asked = seat(&bench);
    assert!(asked.address.starts_with("ask/"));
    bench.reply(&asked.seat, "FIRST YES");
    assert_eq!(record(&bench, &asked.seat), (0, 0));
    let due = seat(&bench);
    assert!(due.address.starts_with("sheet/"));
    bench.reply(&due.seat, "PASS\nEND");
    assert_eq!(record(&bench, &due.seat), (1, 0));
    let due = seat(&bench);
    let before = record(&bench, &due.seat);
    bench.advance(49);
    bench.pass();
    let missed = u32::from(due.address.starts_with("sheet/"));
    assert_eq!(record(&bench, &due.seat), (before.0, before.1 + missed));
}

#[test]
fn the_umpire_gives_a_seat_to_another_who_learns_all_that_his_side_may_know() {
    let (mut bench, _) = Bench::begun("toy-7", "toy-fellows");
    let mover = bench.office.store.dues("toy-7").unwrap()[0].seat.clone();
    let other = if mover == "french" { "coalition" } else { "french" };
    let old_tag = bench.last_to(&format!("{mover}@example.org")).subject;
    bench.advance(40);
    let mails = bench.reply("umpire", &format!("REPLACE {mover} {other}@example.org"));
    assert!(flat(&to(&mails, "umpire")[0].text).contains("ALLOW"), "{mails:#?}");
    let mails = bench.reply("umpire", &format!("REPLACE {mover} nobody\nREPLACE frensh ney@example.org"));
    let text = flat(&to(&mails, "umpire")[0].text);
    assert!(text.contains("a mail address") && text.contains("Did you mean french?"), "{text}");
    bench.reply("umpire", &format!("REPLACE {mover} ney@example.org"));
    let mails = bench.confirm("umpire@example.org");
    assert!(to(&mails, &mover)[0].text.contains("offers your seat"), "{mails:#?}");
    assert!(!to(&mails, "ney")[0].text.contains("HISTORY"), "{mails:#?}");
    let mails = bench.confirm("ney@example.org");
    let packet = to(&mails, "ney");
    assert_eq!(packet.len(), 1, "{mails:#?}");
    for wanted in ["is yours", "WHERE YOU STAND", "HISTORY", "DOCTRINE", "ORDERS"] {
        assert!(packet[0].text.contains(wanted), "{wanted}: {}", packet[0].text);
    }
    assert!(to(&mails, &mover).len() == 1 && to(&mails, &mover)[0].text.contains("TAKE BACK"), "{mails:#?}");
    assert!(flat(&to(&mails, other)[0].text).contains("played by another person"), "{mails:#?}");
    // He has the whole time, and his orders count; those of the one before no more.
    let due = bench.office.store.dues("toy-7").unwrap();
    assert_eq!(due[0].due_at.as_deref(), Some("2026-01-04T16:00:00Z"));
    bench.post(&format!("{mover}@example.org"), &old_tag, "FIRST YES\n");
    bench.pass();
    assert_eq!(bench.office.store.dues("toy-7").unwrap(), due);
    bench.reply("ney", "FIRST NO");
    assert_ne!(bench.office.store.dues("toy-7").unwrap(), due);
    explained(&bench.office.store, "toy-7");
}

#[test]
fn who_asks_in_the_same_words_on_another_day_is_answered_again() {
    let mut bench = open_game("deadline: 48h\n", true);
    for day in 0..3 {
        let mails = asks(&mut bench, "kutuzov", "LIST");
        assert!(to(&mails, "kutuzov").iter().any(|mail| mail.text.contains("toy-7")), "day {day}: {mails:#?}");
        bench.advance(25);
    }
}

#[test]
fn a_seat_that_was_resigned_is_taken_over_and_asked_again() {
    for umpire in [false, true] {
        let mut bench = open_game("deadline: 48h\nreminder: 0\n", umpire);
        asks(&mut bench, "kutuzov", "SIGNON toy-7");
        bench.reply("french", "SIGNON");
        bench.reply("kutuzov", "SIGNON");
        assert_eq!(state(&bench), GameState::Playing);
        let mover = bench.office.store.dues("toy-7").unwrap()[0].seat.clone();
        let writer = if mover == "french" { "french" } else { "kutuzov" };
        let asked = bench.reply(writer, "RESIGN");
        let code = asked[0].text.split("CONFIRM ").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap();
        bench.reply(writer, &format!("CONFIRM {code}"));
        let mails = asks(&mut bench, "bagration", "LIST");
        let text = flat(&to(&mails, "bagration")[0].text);
        assert!(text.contains(&format!("is under way; free seats: {mover}")), "{text}");
        let other = if writer == "french" { "kutuzov" } else { "french" };
        let mails = asks(&mut bench, other, &format!("TAKEOVER toy-7 {mover}"));
        assert!(flat(&to(&mails, other)[0].text).contains("You have the seat"), "one seat a person: {mails:#?}");
        let mails = asks(&mut bench, "bagration", &format!("TAKEOVER toy-7 {mover}"));
        if umpire {
            assert!(to(&mails, "umpire")[0].text.contains("bagration@example.org asks"), "{mails:#?}");
            assert!(!mails.iter().any(|mail| mail.text.contains("WHERE YOU STAND")), "{mails:#?}");
            bench.reply("umpire", &format!("REPLACE {mover} bagration@example.org"));
            bench.confirm("umpire@example.org");
            bench.confirm("bagration@example.org");
        } else {
            assert!(to(&mails, writer)[0].text.contains("asks for your seat"), "{mails:#?}");
            bench.advance(47);
            bench.pass();
            assert!(!bench.last_to("bagration@example.org").text.contains("WHERE YOU STAND"));
            bench.advance(2);
            bench.pass();
        }
        // The other seat's time may be up as well, so that play goes on at once.
        let packet = |mail: &Mail| mail.to == "bagration@example.org" && mail.text.contains("WHERE YOU STAND");
        assert!(bench.out().iter().any(packet), "{:#?}", bench.out());
        let before = bench.office.store.dues("toy-7").unwrap();
        assert!(!before.is_empty());
        explained(&bench.office.store, "toy-7");
    }
}

#[test]
fn an_observer_of_everything_gets_it_when_it_is_old() {
    let mut bench = Bench::new();
    let terms = terms::read("game.yaml", "open: true\nobservers: all after 14 days\ndeadline: 48h\n").unwrap();
    bench.office.new_game_on(&new_game("toy-7", "toy-fellows", true), Some(&terms)).unwrap();
    bench.pass();
    asks(&mut bench, "clausewitz", "OBSERVE toy-7");
    bench.reply("french", "SIGNON");
    bench.reply("coalition", "SIGNON");
    let before = to(&bench.out(), "clausewitz").len();
    bench.advance(13 * 24);
    let mails = bench.pass();
    assert!(to(&mails, "clausewitz").is_empty(), "{mails:#?}");
    bench.advance(25);
    let mails = bench.pass();
    let told = to(&mails, "clausewitz");
    assert!(!told.is_empty() && told[0].text.contains("14 days before"), "{mails:#?}");
    assert_eq!(before, 2, "what he confirmed, and the page of what is public when he came");
}

#[test]
fn an_observer_gets_what_is_public_and_nothing_else() {
    let mut bench = Bench::new();
    let terms = terms::read("game.yaml", "open: true\nobservers: public\ndeadline: 48h\nreminder: 0\n").unwrap();
    bench.office.new_game_on(&new_game("toy-7", "toy-fellows", true), Some(&terms)).unwrap();
    bench.pass();
    asks(&mut bench, "clausewitz", "OBSERVE toy-7");
    bench.reply("french", "SIGNON\nNONCE canary of the french");
    bench.reply("coalition", "SIGNON\nNONCE canary of the coalition");
    bench.reply("french", "PRESS TO all\na canary for those who play\nEND PRESS");
    // HISTORY tells him the stages and the public dice, and nothing of what was written or done.
    let mails = bench.reply("clausewitz", "HISTORY");
    let history = &to(&mails, "clausewitz")[0].text;
    assert!(history.contains("HISTORY") && history.contains("  stage "), "{history}");
    assert!(!history.contains("Oriole") && !history.contains("Lark"), "{history}");
    for _ in 0..8 {
        bench.advance(49);
        bench.pass();
    }
    let mails = bench.out();
    let seen: Vec<&Mail> = mails.iter().filter(|mail| bench.is_of(mail, "toy-7", "observer-1")).collect();
    assert!(seen.len() > 3 && seen.iter().all(|mail| mail.to == "clausewitz@example.org"), "{}", seen.len());
    let own: Vec<String> = ["french", "coalition"]
        .iter()
        .flat_map(|seat| to(&mails, seat))
        .flat_map(|mail| mail.text.lines().map(str::trim).map(str::to_owned).collect::<Vec<_>>())
        .filter(|line| line.contains("Oriole") || line.contains("Lark"))
        .collect();
    assert!(!own.is_empty());
    for mail in &seen {
        assert!(
            !mail.text.contains("canary") && !own.iter().any(|line| mail.text.contains(line.as_str())),
            "{mail:#?}"
        );
    }
    // Everybody who looks on sees the same.
    let mails = bench.reply("clausewitz", "HISTORY");
    assert!(to(&mails, "clausewitz")[0].text.contains("THE WHOLE GAME"), "when it is over, all is shown");
    let mails = bench.reply("clausewitz", "RESIGN");
    assert!(to(&mails, "clausewitz")[0].text.contains("no more"), "{mails:#?}");
    bench.advance(49);
    assert!(to(&bench.pass(), "clausewitz").is_empty());
}

#[test]
fn wrong_codes_that_anybody_can_write_keep_nobody_out() {
    let mut bench = open_game("deadline: 48h\n", true);
    bench.post("bob@b.example", "games", "SIGNON toy-7 coalition");
    assert!(bench.pass()[0].text.contains("CONFIRM "));
    for n in 2..8 {
        bench.post("bob@b.example", "x", &format!("CONFIRM aaaaa-bbbbb-ccccc-ddddd-fffff-{n}"));
        bench.pass();
    }
    let mails = bench.confirm("bob@b.example");
    assert!(mails.iter().any(|mail| bench.is_of(mail, "toy-7", "coalition")), "{mails:#?}");
}
