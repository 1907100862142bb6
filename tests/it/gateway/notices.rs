//! Dice protocol 2 by mail: terms and notices, words whose hash came first, rounds of the beacon, announced values; play
//! that goes back, and a post office that was restored.

use super::bench::{Bench, CONFIG, Mail, TOYS, new_game, to};
use super::whole::line;
use crate::toys::Whim;
use estafette::audit::bundle::{Asker, bundle};
use estafette::audit::verify::{Findings, Verdict, verify};
use estafette::audit::{Line, write};
use estafette::dice::two::{self, Notice, Source};
use estafette::dice::{Scope, hex};
use estafette::gateway::{NewGame, table};
use estafette::mail::seal;
use estafette::store::GameState;
use estafette::terms;
use mail_parser::MimeHeaders;

const GAME: &str = "toy-7";
/// A second whose first round after an hour is 1000, and that round's signature.
pub const BEFORE_1000: &str = "2023-08-23T14:59:24Z";
pub const ROUND_1000: &str =
    "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";
/// The same of round 657413.
pub const BEFORE_657413: &str = "2023-09-15T10:00:03Z";
pub const ROUND_657413: &str =
    "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b";

/// A post office with a game of protocol 2, its opening mails sent.
fn made(beacon: &str, start: &str) -> Bench {
    let mut bench = Bench::at(CONFIG, start);
    let terms = terms::read("options.yaml", &format!("deadline: 48h\nbeacon: {beacon}\n")).unwrap();
    let new = NewGame { master: None, ..new_game(GAME, "toy-fellows", true) };
    bench.office.new_game_on(&new, Some(&terms)).unwrap();
    bench.pass();
    bench
}

fn signed_on(mut bench: Bench) -> (Bench, Vec<Mail>) {
    bench.reply("french", "SIGNON\nNONCE Vive l'Empereur\n");
    let mails = bench.reply("coalition", "SIGNON\nNONCE Gott erhalte Franz\n");
    (bench, mails)
}

fn state(bench: &Bench) -> GameState {
    bench.office.store.game(GAME).unwrap().unwrap().state
}

/// The file of a mail.
fn file(mail: &Mail, name: &str) -> Option<String> {
    let parsed = mail_parser::MessageParser::new().parse(&mail.raw).unwrap();
    let part = parsed.attachments().find(|part| part.attachment_name() == Some(name))?;
    Some(String::from_utf8(part.contents().to_vec()).unwrap())
}

/// The last notice as the mails of a seat have it.
fn noticed(bench: &Bench, seat: &str) -> Notice {
    let out = bench.out();
    let texts: Vec<String> = to(&out, seat).into_iter().filter_map(|mail| file(mail, "notice.txt")).collect();
    Notice::read(texts.last().expect("a notice")).unwrap()
}

fn lines(bench: &Bench, asker: &Asker) -> Vec<Line> {
    let row = bench.office.store.game(GAME).unwrap().unwrap();
    let hosted = table::open(TOYS, &bench.office.store, &row).unwrap();
    bundle(&bench.office.store, &row, hosted.as_ref(), asker).unwrap()
}

/// Plays to the end by whim.
fn ended(mut bench: Bench, seed: u64) -> Bench {
    let mut whim = Whim(seed);
    for n in 0..400 {
        if state(&bench) == GameState::Over {
            return bench;
        }
        if n % 5 == 2 {
            bench = bench.reopened();
        }
        let (seat, body) = line(&bench, &mut whim);
        // What was mailed in a lost time lies in the folder too.
        bench.reply_by(&seat, &body);
        bench.pass();
    }
    panic!("the game does not end: {:?}", bench.out().last());
}

/// The audit of a finished game by us and by a third party's script.
fn agrees(bench: &Bench) -> Findings {
    let whole = lines(bench, &Asker::Public);
    let found = verify(&whole, TOYS);
    assert_eq!(found.faults, Vec::<String>::new());
    assert_eq!((found.verdict, found.rolls_open), (Verdict::Agrees, 0), "{found:?}");
    let (code, said) = crate::audit::script_of(&write(&whole));
    // Without `py_ecc` it checks no signature, and then it must not say that all is well.
    assert_eq!(code, if said.contains("is not checked") { 4 } else { 0 }, "{said}");
    assert!(said.contains(" 0 faults"), "{said}");
    found
}

#[test]
fn a_plain_game_begins_at_once_and_its_notice_comes_with_the_first_report() {
    let bench = made("none", "2026-01-01T00:00:00Z");
    let opening = to(&bench.out(), "french")[0].clone();
    let (terms, list) = (file(&opening, "terms.txt").unwrap(), file(&opening, "commitments.txt").unwrap());
    assert!(terms.starts_with("estafette 2\ngame toy-7\nruleset toy-fellows "), "{terms}");
    assert!(list.lines().any(|line| line.starts_with("0 hidden ")), "{list}");
    let root = hex(&two::root(&terms, &list));
    assert!(opening.text.replace(['\n', ' '], "").contains(&root), "{}", opening.text);
    assert!(opening.text.contains("no player alone can choose a die"), "{}", opening.text);
    let (bench, mails) = signed_on(bench);
    assert_eq!(state(&bench), GameState::Playing);
    let first = to(&mails, "french").into_iter().find(|mail| file(mail, "notice.txt").is_some()).unwrap();
    assert!(first.subject.contains("the game begins"), "{}", first.subject);
    let notice = noticed(&bench, "french");
    assert_eq!((notice.no, hex(&notice.root), &notice.source), (0, root, &Source::None));
    assert_eq!(notice, noticed(&bench, "coalition"));
    let found = agrees(&ended(bench, 3));
    assert!(found.rolls > 0, "{found:?}");
}

#[test]
fn hidden_seeds_and_the_scenario_stand_in_no_bundle_and_no_mail_of_a_game_that_is_on() {
    let (mut bench, _) = signed_on(made("none", "2026-01-01T00:00:00Z"));
    let mut whim = Whim(5);
    for _ in 0..6 {
        let (seat, body) = line(&bench, &mut whim);
        bench.reply(&seat, &body);
    }
    assert_eq!(state(&bench), GameState::Playing);
    let notices = bench.office.store.notices(GAME).unwrap();
    let closed = bench.office.store.log_of_kind(GAME, "post.seed", 1).unwrap();
    assert!(!closed.is_empty(), "no slot has closed");
    let hidden: Vec<String> =
        (0..=notices[0].slots.1).map(|slot| hex(&two::seed(&notices[0].master, GAME, slot, "hidden"))).collect();
    let digest = bench.office.store.game(GAME).unwrap().unwrap().scenario_digest;
    for asker in [Asker::Public, Asker::Seat { seat: "french".into(), side: "french".into() }] {
        let told = lines(&bench, &asker);
        let text = write(&told);
        assert!(hidden.iter().all(|seed| !text.contains(seed)) && !text.contains(&digest), "{asker:?}");
        assert_eq!(verify(&told, TOYS).verdict, Verdict::Open, "{asker:?}");
        assert!(told.iter().any(|line| matches!(line, Line::Seed { .. })));
    }
    for mail in bench.out() {
        let text = String::from_utf8_lossy(&mail.raw).into_owned();
        assert!(hidden.iter().all(|seed| !text.contains(seed)), "{}", mail.subject);
    }
    assert!(closed.iter().all(|entry| !entry.body.contains(Scope::Hidden.text())));
}

#[test]
fn a_hash_is_opened_by_its_own_words_before_the_first_die() {
    let mut bench = made("none", "2026-01-01T00:00:00Z");
    let words = "sixteen random letters: qzvkwmpt";
    let hash = two::hash_of_words(words);
    let mails = bench.reply("french", &format!("SIGNON\nNONCE-HASH {}\n", hash.to_uppercase()));
    assert!(to(&mails, "french")[0].text.contains("you are asked for the words"), "{mails:?}");
    // Whoever copies a hash could open it with the same words.
    let mails = bench.reply("coalition", &format!("SIGNON\nNONCE-HASH {hash}\n"));
    assert!(to(&mails, "coalition")[0].text.contains("another seat gave this very hash"), "{mails:?}");
    let mails = bench.reply("coalition", "SIGNON\nNONCE-HASH abc\n");
    assert!(to(&mails, "coalition")[0].text.contains("sha256sum"), "{mails:?}");
    // A NONCE-HASH that is none: the seat has signed on without one.
    assert_eq!(state(&bench), GameState::Forming);
    let notice = noticed(&bench, "coalition");
    assert!(notice.to_string().contains(&format!("nonce french hash {hash}\n")), "{notice}");
    let mails = bench.reply("french", "NONCE sixteen random letters: QZVKWMPT\n");
    assert!(to(&mails, "french")[0].text.contains("not the words of your hash"), "{mails:?}");
    let mails = bench.reply("coalition", &format!("NONCE {words}\n"));
    assert!(!to(&mails, "coalition")[0].text.contains("DONE"), "{mails:?}");
    assert_eq!(state(&bench), GameState::Forming);
    assert_eq!(bench.office.store.notices(GAME).unwrap()[0].salt, None);
    bench = bench.reopened();
    let mails = bench.reply("french", &format!("NONCE   {words}  \n"));
    let answer = to(&mails, "french")[0].text.clone();
    assert!(answer.contains("DONE") && !answer.contains("REFUSED"), "{answer}");
    assert_eq!(state(&bench), GameState::Playing);
    agrees(&ended(bench, 4));
}

#[test]
fn who_does_not_open_his_hash_gives_nothing_and_all_see_it() {
    let mut bench = made("none", "2026-01-01T00:00:00Z");
    bench.reply("french", &format!("SIGNON\nNONCE-HASH {}\n", two::hash_of_words("the first sixteen letters")));
    bench.reply("coalition", &format!("SIGNON\nNONCE-HASH {}\n", two::hash_of_words("the other sixteen letters")));
    bench.reply("coalition", "NONCE the other sixteen letters\n");
    assert_eq!(state(&bench), GameState::Forming);
    bench.advance(49);
    let mails = bench.pass();
    assert!(to(&mails, "coalition").iter().any(|m| m.text.contains("french did not send")), "{mails:?}");
    // The others' words are known now: they give new ones.
    assert!(to(&mails, "coalition").iter().any(|m| m.text.contains("Send NONCE-HASH")), "{mails:?}");
    bench.reply("coalition", &format!("NONCE-HASH {}\n", two::hash_of_words("quite other sixteen letters")));
    let notice = noticed(&bench, "french");
    assert_eq!((notice.no, notice.why.as_str()), (1, "again"));
    assert!(notice.to_string().contains("nonce french none -\n"), "{notice}");
    assert_eq!(notice.slots.0, noticed_first(&bench).slots.1 + 1);
    bench.reply("coalition", "NONCE quite other sixteen letters\n");
    assert_eq!(state(&bench), GameState::Playing);
    agrees(&ended(bench, 6));
}

#[test]
fn who_gives_no_new_hash_keeps_no_game_from_beginning() {
    let mut bench = made("none", "2026-01-01T00:00:00Z");
    bench.reply("french", &format!("SIGNON\nNONCE-HASH {}\n", two::hash_of_words("the first sixteen letters")));
    bench.reply("coalition", &format!("SIGNON\nNONCE-HASH {}\n", two::hash_of_words("the other sixteen letters")));
    bench.reply("coalition", "NONCE the other sixteen letters\n");
    bench.advance(49);
    let mails = bench.pass();
    // Whoever was left out is asked for nothing any more.
    assert!(to(&mails, "french").iter().all(|m| !m.text.contains("Send NONCE-HASH")), "{mails:?}");
    assert_eq!(state(&bench), GameState::Forming);
    bench.advance(49);
    let mails = bench.pass();
    assert!(to(&mails, "french").iter().any(|m| m.text.contains("coalition did not send")), "{mails:?}");
    assert_eq!(state(&bench), GameState::Playing);
    let notice = noticed(&bench, "french").to_string();
    assert!(notice.contains("nonce french none -\nnonce coalition none -\n"), "{notice}");
    // Nothing is waited for; all are told all the same that dice were thrown away.
    for seat in ["french", "coalition"] {
        let told = |mail: &Mail| mail.text.split_whitespace().collect::<Vec<_>>().join(" ").contains("(\"why again\")");
        assert!(to(&mails, seat).into_iter().any(told), "{seat}: {mails:?}");
    }
    // Who did not open his hash is not rid of it: at a rewind he is asked again.
    let last = some(&mut bench, 3);
    let mails = bench.reply("umpire", &format!("REWIND {last} REASON the orders crossed\n"));
    for seat in ["french", "coalition"] {
        assert!(to(&mails, seat).iter().any(|m| m.text.contains("Send NONCE-HASH")), "{seat}: {mails:?}");
    }
}

fn noticed_first(bench: &Bench) -> Notice {
    Notice::read(bench.office.store.notices(GAME).unwrap()[0].text.as_ref().unwrap()).unwrap()
}

#[test]
fn a_game_with_a_beacon_waits_for_a_round_that_does_not_exist_yet() {
    let (mut bench, mails) = signed_on(made("quicknet", BEFORE_1000));
    assert_eq!(state(&bench), GameState::Forming);
    assert_eq!(noticed(&bench, "french").source, Source::Quicknet(1000));
    assert!(to(&mails, "french").iter().any(|m| m.text.contains("BEACON 1000")), "{mails:?}");
    let says = |bench: &mut Bench, seat: &str, body: &str, wanted: &str| {
        let mails = bench.reply(seat, body);
        let text = to(&mails, seat)[0].text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(wanted), "{wanted}: {text}");
    };
    says(&mut bench, "french", &format!("BEACON 1000 {ROUND_1000}\n"), "does not exist yet");
    bench.advance(1);
    says(&mut bench, "french", &format!("BEACON 1000 {ROUND_657413}\n"), "not the signature of this round");
    says(&mut bench, "french", &format!("BEACON 657413 {ROUND_657413}\n"), "waits for round 1000");
    says(&mut bench, "french", "BEACON 1000 abc\n", "96 hexadecimal digits");
    says(&mut bench, "french", "BEACON\n", "write BEACON 1000");
    let mails = bench.reply("umpire", "BEACON AGAIN REASON we do not like it\n");
    let umpire: Vec<&Mail> = mails.iter().filter(|m| m.to == "umpire@example.org").collect();
    assert!(umpire[0].text.contains("all have until"), "{mails:?}");
    assert_eq!(state(&bench), GameState::Forming);
    bench = bench.reopened();
    bench.reply("coalition", &format!("BEACON 1000 {ROUND_1000}\n"));
    assert_eq!(state(&bench), GameState::Playing);
    let mut bundle = lines(&bench, &Asker::Public);
    assert_eq!(verify(&bundle, TOYS).verdict, Verdict::Open);
    // Another round's signature, with all else made to fit as far as it can be.
    for line in &mut bundle {
        if let Line::Notice { value, .. } = line {
            *value = Some(ROUND_657413.to_owned());
        }
    }
    let found = verify(&bundle, TOYS);
    assert!(found.faults.iter().any(|fault| fault.contains("not the signature")), "{found:?}");
    agrees(&ended(bench, 7));
}

#[test]
fn the_post_office_fetches_a_round_by_a_command_of_its_operators() {
    let config = format!("{CONFIG}beacon_command = \"cat round-{{round}}.json\"\n");
    let mut bench = Bench::at(&config, BEFORE_1000);
    let terms = terms::read("options.yaml", "deadline: 48h\nbeacon: quicknet 1h\n").unwrap();
    bench.office.new_game_on(&new_game(GAME, "toy-fellows", true), Some(&terms)).unwrap();
    bench.pass();
    let (mut bench, mails) = signed_on(bench);
    assert!(to(&mails, "french").iter().any(|m| m.text.contains("The post office fetches it")), "{mails:?}");
    let lay = |bench: &Bench, text: &str| std::fs::write(bench.dir.path().join("round-1000.json"), text).unwrap();
    lay(&bench, &format!("{{\"round\":1000,\"signature\":\"{ROUND_1000}\"}}\n"));
    bench.pass();
    assert_eq!(state(&bench), GameState::Forming, "the round does not exist yet");
    lay(&bench, &format!("{ROUND_657413}\n"));
    bench.advance(1);
    bench.pass();
    assert_eq!(state(&bench), GameState::Forming, "it is the signature of another round");
    lay(&bench, &format!("{ROUND_1000}\n"));
    bench.pass();
    assert_eq!(state(&bench), GameState::Forming, "it is asked again after ten minutes");
    bench.office.clock_mut().advance(jiff::SignedDuration::from_mins(10));
    bench.pass();
    assert_eq!(state(&bench), GameState::Playing);
}

#[test]
fn a_round_that_cannot_be_had_is_given_up_after_a_day_and_all_are_told() {
    let (mut bench, _) = signed_on(made("quicknet", BEFORE_1000));
    bench.office.clock_mut().jump(jiff::SignedDuration::from_hours(26));
    let mails = bench.reply("umpire", "BEACON AGAIN REASON the network is silent\n");
    assert!(to(&mails, "french").iter().any(|m| m.text.contains("the network is silent")), "{mails:?}");
    let notice = noticed(&bench, "coalition");
    assert_eq!((notice.no, notice.why.as_str()), (1, "again"));
    assert_ne!(notice.source, Source::Quicknet(1000));
    assert_eq!(notice.nonces, noticed_first(&bench).nonces);
    let mails = bench.reply("french", &format!("BEACON 1000 {ROUND_1000}\n"));
    assert!(to(&mails, "french")[0].text.contains("and for no other"), "{mails:?}");
    assert_eq!(state(&bench), GameState::Forming);
}

#[test]
fn what_is_announced_is_entered_by_the_umpire_alone() {
    let (mut bench, mails) = signed_on(made("value the numbers of 7 December", "2026-01-01T00:00:00Z"));
    assert!(to(&mails, "french").iter().any(|m| m.text.contains("the numbers of 7 December")), "{mails:?}");
    let mails = bench.reply("french", "BEACON 3 14 15 26 35 49\n");
    assert!(to(&mails, "french")[0].text.contains("by the umpire or the operator"), "{mails:?}");
    assert_eq!(state(&bench), GameState::Forming);
    let mails = bench.reply("umpire", "BEACON 03,  14 - 15, 26; 35 / 049.\n");
    assert_eq!(state(&bench), GameState::Playing);
    // All compare the one form in which it was mixed in, however it was entered.
    for seat in ["french", "coalition"] {
        assert!(
            to(&mails, seat).iter().any(|m| m.text.contains("mixed into the dice as \"3 14 15 26 35 49\"")),
            "{seat}"
        );
    }
    assert_eq!(bench.office.store.notices(GAME).unwrap()[0].value.as_deref(), Some(&b"3 14 15 26 35 49"[..]));
    agrees(&ended(bench, 8));
}

#[test]
fn what_is_announced_has_one_form() {
    let spelt = [
        "Rot 4, 8",
        " rot 04 08",
        "ROT  4 8.",
        "rot-4-8",
        "\u{201e}Rot\u{201c} 4/8",
        "rot 4\t8",
        "rOT: 004; 8",
        "rot 4 8",
    ];
    for said in spelt {
        assert_eq!(two::announced(said), "rot 4 8", "{said}");
    }
    assert_eq!((two::announced(" -- "), two::announced("00")), (String::new(), "0".to_owned()));
    for odd in ["\u{130}stanbul \u{3a3}", "a\u{301}B", "0a 00a"] {
        assert_eq!(two::announced(&two::announced(odd)), two::announced(odd), "{odd}");
    }
}

/// Plays some mails, and gives the last rest point.
fn some(bench: &mut Bench, seed: u64) -> usize {
    let mut whim = Whim(seed);
    for _ in 0..5 {
        let (seat, body) = line(bench, &mut whim);
        bench.reply(&seat, &body);
    }
    let list = bench.reply("umpire", "REWIND\n").remove(0).text;
    let numbers = list.lines().filter_map(|line| line.trim().split(' ').next()?.parse::<usize>().ok());
    numbers.max().unwrap()
}

#[test]
fn play_goes_back_with_secrets_that_nobody_had_before() {
    let (mut bench, _) = signed_on(made("none", "2026-01-01T00:00:00Z"));
    for round in 0..3 {
        let last = some(&mut bench, 10 + round);
        let before = bench.office.store.notices(GAME).unwrap();
        bench.reply("umpire", &format!("REWIND {last} REASON the orders crossed\n"));
        let after = bench.office.store.notices(GAME).unwrap();
        assert_eq!(after.len(), before.len() + 1);
        let (old, new) = (before.last().unwrap(), after.last().unwrap());
        assert_eq!((new.slots.0, new.why.as_str()), (old.slots.1 + 1, "rewind"));
        assert_ne!(new.master, old.master);
        // The words of sign-on enter each later salt, and what that does not come to is said.
        let written = noticed(&bench, "french").to_string();
        for words in ["Vive l'Empereur", "Gott erhalte Franz"] {
            assert!(written.contains(&format!(" open {}\n", two::hash_of_words(words))), "{written}");
        }
        let out = bench.out();
        let report = to(&out, "french").into_iter().rfind(|m| file(m, "notice.txt").is_some()).unwrap();
        assert!(report.text.contains("could choose them"), "{}", report.text);
        bench = bench.reopened();
    }
    let found = agrees(&ended(bench, 12));
    assert!(found.roots.len() == 4 && found.rolls > 0, "{found:?}");
}

#[test]
fn with_a_beacon_play_goes_back_when_the_next_round_is_there() {
    let (mut bench, _) = signed_on(made("quicknet", BEFORE_1000));
    bench.advance(1);
    bench.reply("coalition", &format!("BEACON {ROUND_1000}\n"));
    // Years may lie between two mails.
    let gap = BEFORE_657413.parse::<jiff::Timestamp>().unwrap() - bench.office.clock_mut().now();
    bench.office.clock_mut().advance(gap.try_into().unwrap());
    let last = some(&mut bench, 20);
    let turn = |bench: &Bench| {
        let row = bench.office.store.game(GAME).unwrap().unwrap();
        table::open(TOYS, &bench.office.store, &row).unwrap().slot()
    };
    let slot = turn(&bench);
    bench.reply("umpire", &format!("REWIND {last} REASON the orders crossed\n"));
    assert_eq!(noticed(&bench, "french").source, Source::Quicknet(657_413));
    assert_eq!(turn(&bench), slot, "nothing is done before the round");
    // No line is taken meanwhile, and nothing is done by an umpire or a deadline.
    let (seat, body) = line(&bench, &mut Whim(1));
    let mails = bench.reply(&seat, &body);
    assert!(to(&mails, &seat)[0].text.contains("NOT TAKEN"), "{mails:?}");
    let mails = bench.reply("umpire", "REWIND 1 REASON once more\n");
    assert!(mails[0].text.contains("waits for new dice already"), "{mails:?}");
    bench.advance(1);
    bench.reply("french", &format!("BEACON 657413 {ROUND_657413}\n"));
    assert_ne!(turn(&bench), slot);
    let found = agrees(&ended(bench, 21));
    assert_eq!(found.roots.len(), 2, "{found:?}");
}

#[test]
fn a_game_that_was_restored_while_it_formed_begins_with_other_dice() {
    let mut bench = made("none", "2026-01-01T00:00:00Z");
    bench.reply("french", "SIGNON\nNONCE Vive l'Empereur\n");
    let copy = bench.dir.path().join("copy.db");
    bench.office.store.backup(&copy, "2026-01-01T00:00:00Z").unwrap();
    bench.reply("coalition", "SIGNON\nNONCE Gott erhalte Franz\n");
    assert_eq!(state(&bench), GameState::Playing);
    let Bench { dir, mut office, .. } = bench;
    let now = *office.clock_mut();
    drop(office);
    estafette::gateway::restore(dir.path(), &copy, false, TOYS, now).unwrap();
    let mut bench = Bench::served_by(dir, now);
    bench.advance(1);
    let mails = bench.pass();
    let root = hex(&two::root(
        &file(to(&bench.out(), "french")[0], "terms.txt").unwrap(),
        &two::list(&two::commitments(
            &bench.office.store.notices(GAME).unwrap()[1].master,
            GAME,
            4..=7,
            &["french".into(), "coalition".into()],
        )),
    ));
    assert!(to(&mails, "french").iter().any(|mail| mail.text.contains(&root)), "{root}: {mails:?}");
    bench.reply_by("coalition", "SIGNON\nNONCE Gott erhalte Franz\n");
    bench.pass();
    assert_eq!(state(&bench), GameState::Playing);
    let notices = bench.office.store.notices(GAME).unwrap();
    assert_eq!((notices.len(), notices[1].slots, notices[0].salt), (2, (4, 7), None));
    agrees(&ended(bench, 33));
}

#[test]
fn after_a_restore_no_seed_is_used_that_anybody_has_seen() {
    let (mut bench, _) = signed_on(made("none", "2026-01-01T00:00:00Z"));
    some(&mut bench, 30);
    let copy = bench.dir.path().join("copy.db");
    bench.office.store.backup(&copy, "2026-01-01T00:00:00Z").unwrap();
    some(&mut bench, 31);
    let Bench { dir, mut office, .. } = bench;
    let now = *office.clock_mut();
    drop(office);
    let done = estafette::gateway::restore(dir.path(), &copy, false, TOYS, now).unwrap();
    assert!(done.games[0].contains("goes on from"), "{done:?}");
    let mut bench = Bench::served_by(dir, now);
    bench.advance(1);
    bench.pass();
    let notices = bench.office.store.notices(GAME).unwrap();
    assert_eq!(notices.len(), 2);
    assert_eq!((notices[1].why.as_str(), notices[1].slots.0), ("restore", notices[0].slots.1 + 1));
    let found = agrees(&ended(bench, 32));
    assert_eq!(found.roots.len(), 2, "{found:?}");
}

/// The coalition does different things out of French sight: nothing of it shows in any byte but those of the seal, which is
/// over all that has happened, by a key that no seat has.
#[test]
fn two_games_that_are_equal_to_one_side_give_it_equal_mails_but_for_the_seal() {
    let run = |hidden: &str| -> Vec<Mail> {
        let mut bench = Bench::at(CONFIG, "2026-01-01T00:00:00Z");
        let terms = terms::read("options.yaml", "deadline: 48h\nbeacon: none\n").unwrap();
        bench.office.new_game_on(&new_game(GAME, "toy-fellows", true), Some(&terms)).unwrap();
        bench.pass();
        let (mut bench, _) = signed_on(bench);
        for body in [hidden, "END"] {
            for _ in 0..3 {
                let dues = bench.office.store.dues(GAME).unwrap();
                let Some(due) = dues.first() else { break };
                let (seat, ask) = (due.seat.clone(), due.address.starts_with("ask/"));
                let said = match seat.as_str() {
                    _ if ask => "FIRST YES",
                    "coalition" => body,
                    _ => "PASS",
                };
                bench.reply(&seat, said);
            }
        }
        to(&bench.out(), "french").into_iter().cloned().collect()
    };
    let (one, two) = (run("GO Quartz 11\nHISTORY"), run("GO Rowan 12\nMAP"));
    let sealed = |mail: &Mail| seal::seal_of(&mail.text).unwrap().to_owned();
    let bare = |mail: &Mail| String::from_utf8_lossy(&mail.raw).replace(&sealed(mail), "");
    assert!(one.iter().map(bare).eq(two.iter().map(bare)));
    let (mut first, mut second) = (one.iter().map(sealed), two.iter().map(sealed));
    assert!(first.any(|seal| !second.any(|other| other == seal)), "the runs must differ for the test to mean anything");
    // Its line is one of every mail, straight above the end mark, and no wider than a telephone's.
    for mail in &one {
        let lines: Vec<&str> = mail.text.lines().collect();
        let at = lines.iter().position(|line| line.starts_with("seal ")).unwrap();
        assert!(lines[at].len() == 37 && lines[at + 1] == "=== end of estafette mail ===", "{}", mail.text);
    }
}
