//! A sentence that begins with the word of a command is no command: nothing of it is done, whoever writes it.

use super::bench::{Bench, teaching, to};
use super::commands::{general, umpire};
use estafette::gateway::commands::{UMPIRE_WORDS, WORDS, split_of};
use estafette::gateway::table;
use estafette::store::OutboxState;

const GAME: &str = "strem-1";

/// How sentences go on.
const TAILS: &[&str] = &[
    "my regards to the French",
    "cavalry to scout 0605",
    "with Outlook for Android",
    "on, I want to think about it.",
    "of the new rules is next week",
    "with care, please",
    "mate soon, my friend!",
    "myself to a draw",
    "4 of you were right",
    "all of it, please",
    "french cheese is the best",
    "turn 2 was fun",
];

fn begun() -> Bench {
    let mut bench = Bench::with_campaign(&teaching());
    bench.reply("french", "SIGNON\nNONCE one\nEND");
    bench.reply("coalition", "SIGNON\nNONCE two\nEND");
    bench
}

/// Whether a mail brings a code to be answered: the example in a fault is none that was made.
fn holds_code(text: &str) -> bool {
    let code = |line: &str| line.trim().strip_prefix("CONFIRM ").is_some_and(|code| code.len() > 12);
    text.lines().any(|line| code(line) && !line.contains("k3x9q-2m4w7"))
}

/// All that a command could change, of play and of the desks.
fn standing(bench: &Bench) -> String {
    let row = bench.office.store.game(GAME).unwrap().unwrap();
    let log = bench.office.store.log(GAME, 1).unwrap();
    let facts: Vec<_> = log.iter().filter(|e| !["post.mail", "input"].contains(&e.kind.as_str())).collect();
    let addresses: Vec<_> =
        bench.office.store.seats(GAME).unwrap().into_iter().map(|s| (s.addresses, s.format)).collect();
    let game = table::open(bench.office.entries(), &bench.office.store, &row).unwrap();
    let mut sheets = Vec::new();
    for (seat, _) in game.seats() {
        let sheet = game.sheet(&seat).into_parts().1;
        sheets.push(sheet.map(|sheet| (sheet.lines, sheet.ended, sheet.held)));
    }
    format!("{:?} {} {facts:?} {addresses:?} {sheets:?}", row.state, row.held)
}

#[test]
fn a_sentence_that_begins_with_a_command_word_does_nothing() {
    let mut bench = begun();
    // A CHECK lies ready for whoever says SEND.
    bench.reply("french", "CHECK\nFORCE Lannes HOLD\n");
    let before = standing(&bench);
    let words: Vec<&str> = WORDS.iter().chain(UMPIRE_WORDS).copied().filter(|word| *word != "CHECK").collect();
    for tail in TAILS {
        // Few lines a mail, so that none is above what a mail may hold; CHECK last, since all below it is tried.
        for some in words.chunks(12) {
            let body: String = some.iter().map(|word| format!("{word} {tail}\n")).collect();
            let out = bench.reply("french", &body);
            assert_eq!(standing(&bench), before, "{body}{out:?}");
            assert!(!out.iter().any(|mail| holds_code(&mail.text)), "a code was made: {out:?}");
            assert!(to(&out, "coalition").is_empty(), "{out:?}");
        }
        let mails = bench.reply("french", &format!("Check {tail}\nHISTORY\n"));
        assert!(mails[0].text.contains("HISTORY"), "{tail} swallows what stands below it: {mails:?}");
        bench.reply("french", "UNDO");
    }
}

#[test]
fn a_sentence_of_the_umpire_does_nothing_and_he_is_told_the_form() {
    let mut bench = begun();
    let before = standing(&bench);
    for tail in TAILS.iter().filter(|tail| !tail.starts_with("all")) {
        // As many mails as he may send in a day, and no more.
        let words: Vec<&str> = UMPIRE_WORDS.iter().chain(WORDS).copied().collect();
        for some in words.chunks(12) {
            let body: String = some.iter().map(|word| format!("{word} {tail}\n")).collect();
            let out = bench.reply("umpire", &body);
            assert!(!out.is_empty(), "not read: {body}");
            assert_eq!(standing(&bench), before, "{body}{out:?}");
            assert!(!out.iter().any(|mail| holds_code(&mail.text)), "a code was made: {out:?}");
        }
    }
    let out = bench.reply("umpire", "Hold on, I want to think about it.\n");
    let said: Vec<&str> = out[0].text.split_whitespace().collect();
    assert!(said.join(" ").contains("where HOLD should stand alone"), "{out:?}");
    let ready = bench.office.store.outbox_of_seat(GAME, "french").unwrap();
    assert!(ready.iter().all(|mail| mail.state != OutboxState::Held), "{ready:?}");
}

#[test]
fn every_form_that_the_handbook_and_help_name_is_a_command() {
    let player = [
        "SIGNON",
        "NONCE any words of your own",
        "ORDERS",
        "HELP",
        "HELP WIN",
        "CHECK",
        "CHECK SHEET",
        "SEND",
        "REVISE",
        "YES 2",
        "YES 2B",
        "YES ALL",
        "UNDO",
        "UNDO 2",
        "UNDO END",
        "END",
        "END ANYWAY",
        "END IF ALL DONE",
        "REPORT",
        "REPORT TURN 2",
        "REPORT FULL",
        "REPORT 15",
        "FULL",
        "UNITS",
        "ENEMY",
        "DICE",
        "KEY",
        "MAP",
        "MAP 0605",
        "HISTORY",
        "HISTORY 2",
        "SUMMARY",
        "WHY 4",
        "RULES 242",
        "DEADLINE",
        "VICTORY",
        "ABSENT 20 Dec 3 Jan",
        "ABSENT OFF",
        "STANDIN grouchy@example.org",
        "STANDIN OFF",
        "FORMAT 40",
        "FORMAT BOTH",
        "ADDRESS",
        "ADDRESS ADD ney@example.org",
        "RESEND 15",
        "DOCTRINE",
        "RESIGN",
        "AUDIT",
        "CONFIRM k3x9q-2m4w7",
        "TAKE BACK k3x9q",
    ];
    for line in player {
        assert!(general(line).is_ok(), "{line}: {:?}", general(line));
    }
    let umpires = [
        "HOLD",
        "RELEASE",
        "PAUSE",
        "PAUSE UNTIL 29 Mar 20:00",
        "RESUME",
        "EXTEND french 24",
        "EXTEND french 24h",
        "EXTEND ALL 24",
        "EXTEND coalition TO 29 Mar 20:00",
        "REMIND french",
        "DEADLINE",
        "REPORT",
        "SHOW french",
        "WHO-KNOWS Lannes",
        "WHO-KNOWS french VEDETTE 1",
        "SHOW HELD",
        "SHOW LEDGER",
        "HISTORY",
        "SUMMARY",
        "AMEND french PLACE Lannes AT 0405 REASON why",
        "REWIND",
        "REWIND 12 REASON why",
        "FIAT battle 5 REASON why",
        "JUDGE 5",
        "JUDGE TABLES",
        "REPLACE french ney@example.org",
        "REPLACE french ney@example.org ALLOW",
        "OPTION",
        "OPTION press grey",
        "FORMAT 40",
        "ADDRESS",
        "RESEND 15",
        "AUDIT",
        "RULING ¶242 TO all\nNo.\nEND RULING",
        "BECOME french REASON why\nEND\nEND BECOME",
        "MESSAGE TO all\nGood day.\nEND MESSAGE",
    ];
    for line in umpires {
        assert!(umpire(line).is_ok(), "{line}: {:?}", umpire(line));
    }
}

#[test]
fn send_is_listed_in_the_answer_with_the_lines_that_it_brought() {
    let mut bench = begun();
    bench.reply("french", "CHECK\nFORCE Lannes HOLD\nEND\n");
    let mails = bench.reply("french", "SEND\n");
    let text = &to(&mails, "french")[0].text;
    assert!(text.contains("SEND") && text.contains("your last CHECK is sent as line"), "{text}");
}

#[test]
fn an_end_below_check_is_answered() {
    let mut bench = begun();
    let mails = bench.reply("french", "CHECK\nFORCE Lannes HOLD\nEND\n");
    let text = &to(&mails, "french")[0].text;
    assert!(text.contains("below CHECK it is not carried out"), "{text}");
}

#[test]
fn proceed_says_first_whose_sheet_it_would_end_and_tells_its_player() {
    let mut bench = begun();
    let due = bench.office.store.dues(GAME).unwrap();
    let (seat, before) = (due[0].seat.clone(), standing(&bench));
    let mails = bench.reply("umpire", "PROCEED\n");
    let said = mails[0].text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(&format!("it ends what is due from {seat} for")), "{said}");
    assert!(said.contains(&format!("write PROCEED {seat}.")), "{said}");
    let other = if seat == "french" { "coalition" } else { "french" };
    for odd in ["with care, please", "nobody", other] {
        bench.reply("umpire", &format!("PROCEED {odd}\n"));
    }
    assert_eq!(standing(&bench), before, "nothing was ended");
    let mails = bench.reply("umpire", &format!("PROCEED {seat}\n"));
    assert_ne!(bench.office.store.dues(GAME).unwrap(), due);
    let told = |seat: &str| to(&mails, seat).iter().any(|m| m.text.contains("The umpire ended what was due from you"));
    assert!(told(&seat) && !told(other), "{mails:?}");
}

/// The lines of a mail of the French as they are read.
fn read(bench: &Bench, body: &str) -> Vec<String> {
    let row = bench.office.store.game(GAME).unwrap().unwrap();
    let game = table::open(bench.office.entries(), &bench.office.store, &row).unwrap();
    let script: Vec<String> = body.lines().map(str::to_owned).collect();
    split_of(&script, game.as_ref(), &"french".into()).into_iter().map(|item| item.text).collect()
}

#[test]
fn a_line_with_its_own_verb_and_leader_is_not_joined_to_the_one_above_it() {
    let bench = begun();
    for (above, below) in [
        ("FORCE Suchet HOLD", "march Lannes to 0405"),
        ("FORCE Suchet HODL", "march Lannes to 0405"),
        ("FORCE Suchet INITIATIVE MARCH 0405", "march Lannes to 0405"),
        ("FORCE Gazan INITIATIVE MARCH 0406", "with best regards"),
        ("FORCE Suchet INITIATIVE MARCH 0405", "then march Lannes to 0405"),
    ] {
        assert_eq!(read(&bench, &format!("{above}\n{below}")), [above, below]);
        assert_eq!(read(&bench, &format!("2 = {above}\n{below}")), [format!("2 = {above}"), below.to_owned()]);
    }
    // What a mail program has broken is one order still.
    for (above, below) in [
        ("FORCE Suchet INITIATIVE", "MARCH ROAD TO 0405"),
        ("FORCE Suchet INITIATIVE MARCH 0405", "0406 0407"),
        ("FORCE Suchet INITIATIVE MARCH 0405 IF CONTACT REPULSE", "ELSE STOP"),
    ] {
        assert_eq!(read(&bench, &format!("{above}\n{below}")), [format!("{above} {below}")]);
    }
}

#[test]
fn a_letter_to_the_umpire_is_never_held() {
    let mut bench = begun();
    bench.reply("umpire", "HOLD\n");
    let mails =
        bench.reply("french", "PRESS TO umpire\nHe cheats.\nEND PRESS\nPRESS TO coalition\nYou cheat.\nEND PRESS\n");
    assert!(to(&mails, "umpire").iter().any(|mail| mail.text.contains("He cheats.")), "{mails:?}");
    assert!(!mails.iter().any(|mail| mail.text.contains("You cheat.")), "{mails:?}");
    // Nor one that had not gone out when he said HOLD.
    bench.reply("umpire", "RELEASE\n");
    bench.post(
        "french@example.org",
        &bench.last_to("french@example.org").subject,
        "PRESS TO umpire\nAgain.\nEND PRESS\n",
    );
    bench.office.take_in().unwrap();
    bench.post("umpire@example.org", &bench.last_to("umpire@example.org").subject, "HOLD\n");
    bench.office.take_in().unwrap();
    let mails = bench.pass();
    assert!(mails.iter().any(|mail| mail.text.contains("Again.")), "{mails:?}");
}

#[test]
fn an_end_beside_signon_ends_the_set_up_at_most() {
    let dues = |end: &str| {
        let mut bench = Bench::with_game("g", "toy-fellows");
        let out = bench.reply("french", &format!("SIGNON\nNONCE a\n{end}"));
        let text = to(&out, "french")[0].text.clone();
        bench.reply("coalition", &format!("SIGNON\nNONCE b\n{end}"));
        (bench.office.store.dues("g").unwrap(), text)
    };
    let (plain, _) = dues("");
    let (ended, text) = dues("END\n");
    let place = |dues: &[estafette::store::Due]| {
        dues.iter().map(|due| (due.seat.clone(), due.address.clone())).collect::<Vec<_>>()
    };
    assert!(!plain.is_empty());
    assert_eq!(place(&ended), place(&plain), "a sheet was closed that nobody had been shown");
    assert!(text.contains("PASSED OVER") && text.contains("no set-up to end"), "{text}");
}

#[test]
fn a_slip_beside_signon_is_answered_at_once_and_holds_the_end() {
    let mut bench = Bench::with_campaign(&teaching());
    let out = bench.reply("french", "SIGNON\nNONCE a\nFORCE Nobody HOLD\nEND\n");
    let text = to(&out, "french")[0].text.clone();
    assert!(text.contains("NOT TAKEN") && text.contains("NOT COUNTED"), "{text}");
    bench.reply("coalition", "SIGNON\nNONCE b\nEND\n");
    let open = |bench: &Bench| bench.office.store.dues(GAME).unwrap();
    assert!(open(&bench).iter().any(|due| due.seat == "french"), "the set-up waits for him: {:?}", open(&bench));
    let row = bench.office.store.game(GAME).unwrap().unwrap();
    let game = table::open(bench.office.entries(), &bench.office.store, &row).unwrap();
    let sheet = game.sheet(&"french".into()).into_parts().1.unwrap();
    assert!(!sheet.ended && sheet.faulty.is_empty() && sheet.lines.is_empty(), "{sheet:?}");
}

#[test]
fn the_subject_of_a_report_names_the_turn_that_it_tells_of() {
    let bench = begun();
    let mut seen = 0;
    for mail in bench.out() {
        let turn = |text: &str, mark: &str| -> Option<u32> {
            text.split(mark).nth(1)?.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
        };
        let head = mail.text.lines().nth(1).unwrap_or_default().to_owned();
        if let (Some(subject), Some(head)) = (turn(&mail.subject, "Turn "), turn(&head, "   turn ")) {
            assert_eq!(subject, head, "{mail:?}");
            seen += 1;
        }
    }
    assert!(seen > 1, "{:?}", bench.out());
}

#[test]
fn a_closed_sheet_says_so_and_an_empty_one_too() {
    let mut bench = begun();
    let mover = bench.office.store.dues(GAME).unwrap().remove(0).seat;
    let other = if mover == "french" { "coalition" } else { "french" };
    for body in ["UNDO\n", "REVISE\n", "REVISE\nFORCE Lannes HOLD\n"] {
        let text = bench.reply(other, body).remove(0).text;
        assert!(text.contains("NOT TAKEN"), "{body}: {text}");
        assert!(text.contains("is closed") || text.contains("no sheet of yours is open"), "{body}: {text}");
    }
    bench.reply(&mover, "FORCE Nobody HOLD\n");
    let text = bench.reply(&mover, "UNDO\n").remove(0).text;
    assert!(text.contains("taken back; your sheet") && !text.contains("your END"), "{text}");
    let text = bench.reply(&mover, "REVISE\n").remove(0).text;
    assert!(text.contains("no line waits in your sheet"), "{text}");
}

#[test]
fn a_fiat_on_a_roll_of_the_stage_holds_and_one_that_went_by_says_so() {
    let mut bench = begun();
    let said = bench.reply("umpire", "FIAT french initiative/lannes/move 1 REASON as agreed\n").remove(0).text;
    assert!(said.contains("DONE"), "{said}");
    let said = bench.reply("umpire", "FIAT weather 6 REASON a storm\n").remove(0).text;
    let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("rolled 1 time in this slot already") || flat.contains("has had that name yet"), "{said}");
    bench.reply("french", "FORCE Lannes INITIATIVE MARCH ROAD TO 0505\n");
    let log = bench.office.store.log_of_kind(GAME, "roll", 1).unwrap();
    let thrown = log.iter().find(|e| e.body.contains("initiative/lannes/move"));
    assert!(thrown.is_some_and(|e| e.body.contains("\"fiat\":true")), "{log:?}");
}

#[test]
fn a_chapter_by_mail_is_filled_to_its_width() {
    let mut bench = begun();
    let text = bench.reply("french", "HELP player\n").remove(0).text;
    let lines: Vec<&str> = text.lines().collect();
    // A line broken twice leaves a word or two alone in the middle of a paragraph.
    let stumps = lines.windows(3).filter(|three| {
        let flows = |line: &str| line.starts_with("  ") && !line.starts_with("   ") && !line.starts_with("  |");
        three.iter().all(|line| flows(line)) && three[0].len() > 60 && three[1].len() < 24 && three[2].len() > 60
    });
    assert_eq!(stumps.count(), 0, "{text}");
    assert!(lines.iter().all(|line| line.chars().count() <= 76), "{text}");
}

/// An answer above what it quotes, whose program has wrapped the quoted lines: what was broken off is no order, and holds
/// no END.
#[test]
fn the_tails_of_a_wrapped_quotation_hold_no_end() {
    let other = "> The third corps of the army stands on both banks of the river at the";
    let broken = "> Where a line of yours ends next to a counter of theirs, you must";
    for end in ["END\n", ""] {
        let mut bench = begun();
        let row = |bench: &Bench| bench.office.store.dues(GAME).unwrap()[0].clone();
        let sheet = row(&bench);
        let body = format!("FORCE Lannes HOLD\n{end}\n{other}\n{broken}\nattack E7\n{other}\n");
        let mails = bench.reply(&sheet.seat, &body);
        let text = to(&mails, &sheet.seat)[0].text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("PASSED OVER it looks like the end of the quoted line above it."), "{text}");
        assert!(!text.contains("NOT TAKEN") && !text.contains("REFUSED") && !text.contains("NOT COUNTED"), "{text}");
        assert_eq!(row(&bench).address != sheet.address, !end.is_empty(), "{text}");
    }
}

#[test]
fn a_word_that_is_nearly_end_holds_the_sheet_and_carries_nothing_out() {
    for slip in ["EDN", "EN", "Ende", "ENDD."] {
        let mut bench = begun();
        let game = |bench: &Bench| {
            let row = bench.office.store.game(GAME).unwrap().unwrap();
            table::open(bench.office.entries(), &bench.office.store, &row).unwrap()
        };
        let seat = bench.office.store.dues(GAME).unwrap()[0].seat.clone();
        let id = estafette::fog::SeatId(seat.clone());
        let own = game(&bench).bot(&id, 1).into_parts().1;
        let order = own.iter().find(|line| *line != "END").unwrap();
        let rolls = game(&bench).rolls(None).len();
        let out = bench.reply(&seat, &format!("{order}\n{slip}\n"));
        let text = &to(&out, &seat)[0].text;
        assert!(text.contains("NOT COUNTED") && text.contains("is read as END"), "{text}");
        let sheet = game(&bench).sheet(&id).into_parts().1.unwrap();
        assert_eq!((sheet.lines.len(), sheet.held, sheet.ended), (1, true, false), "{slip}: {sheet:?}");
        assert_eq!(game(&bench).rolls(None).len(), rolls, "{slip}: nothing is rolled");
        let out = bench.reply(&seat, "End.\nEd\n");
        let text = &to(&out, &seat)[0].text;
        assert!(text.contains("DONE") && !text.contains("NOT COUNTED"), "{slip}: {text}");
    }
}
