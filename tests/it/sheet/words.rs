//! The same at the post office: what players write, and what they read.

use crate::gateway::bench::{Bench, Mail, TOYS, campaign, new_game, teaching, to};
use estafette::fog::SeatId;
use estafette::games;
use estafette::gateway::commands::{Command, What, split, split_for};
use estafette::gateway::sheet::SheetWord;
use estafette::gateway::{NewGame, table};
use estafette::host::paper::SheetState;
use estafette::scenario;
use estafette::store::Tempo;
use std::path::Path;

/// A sealed toy: its first sheet is open to both.
fn sealed(ruleset: &str) -> Bench {
    let mut bench = Bench::new();
    bench.office.new_game(&NewGame { tempo: Tempo::Sealed, ..new_game("g", ruleset, true) }).unwrap();
    bench.pass();
    bench.reply("red", "SIGNON\nNONCE a");
    bench.reply("blue", "SIGNON\nNONCE b");
    bench
}

fn sheet(bench: &Bench, game: &str, seat: &str) -> SheetState {
    let row = bench.office.store.game(game).unwrap().unwrap();
    let game = table::open(bench.office.entries(), &bench.office.store, &row).unwrap();
    game.sheet(&SeatId::from(seat)).into_parts().1.unwrap_or_default()
}

/// The one answer to a mail.
fn answer(bench: &mut Bench, seat: &str, body: &str) -> Mail {
    let out = bench.reply(seat, body);
    (*to(&out, seat).first().unwrap_or_else(|| panic!("no answer: {out:?}"))).clone()
}

#[test]
fn a_held_end_says_what_to_correct_and_how() {
    let mut bench = sealed("toy-great");
    let mail = answer(&mut bench, "red", "STANCE BOLD\nMOVE Ironbrk 5\nEND\n");
    assert!(mail.subject.contains("END not counted, 1 line to correct"), "{}", mail.subject);
    for wanted in
        ["NOT TAKEN", "2A MOVE Ironbark 5", "NOT COUNTED line 2 is not taken.", "YES 2", "END ANYWAY", "line 1"]
    {
        assert!(mail.text.contains(wanted), "{wanted}: {}", mail.text);
    }
    let flat = mail.text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("Put right line 2, or take it out by UNDO 2, and send END."), "{flat}");
    assert!(!mail.text.contains("MOVE nobody 3"), "what would not be taken is suggested: {}", mail.text);
    let mail = answer(&mut bench, "red", "YES 2\nEND\n");
    assert!(mail.text.contains("Your sheet is sealed: 2 lines."), "{}", mail.text);
    let state = sheet(&bench, "g", "red");
    assert_eq!(state.lines, [(1, "STANCE BOLD".to_owned()), (2, "MOVE Ironbark 5".to_owned())]);
    assert!(state.ended);
}

#[test]
fn yes_means_the_suggestions_of_the_mail_that_is_answered() {
    let mut bench = sealed("toy-great");
    let first = answer(&mut bench, "red", "MOVE Ironbrk 5\nEND\n");
    answer(&mut bench, "red", "1 = MOVE Kestrl 5\n");
    bench.post("red@example.org", &format!("Re: {}", first.subject), "YES 1\nEND\n");
    let out = bench.pass();
    let text = &to(&out, "red")[0].text;
    assert!(text.contains("NOT TAKEN the suggestions of mail") && text.contains("NOT COUNTED"), "{text}");
    assert_eq!(sheet(&bench, "g", "red").faulty[0].1, "MOVE Kestrl 5");
    answer(&mut bench, "red", "YES 1B\n");
    assert_eq!(sheet(&bench, "g", "red").faulty.len(), 1, "there is no 1B");
    answer(&mut bench, "red", "YES ALL\n");
    assert_eq!(sheet(&bench, "g", "red").lines, [(1, "MOVE Kestrel 5".to_owned())]);
    // A suggestion may be END itself.
    let mail = answer(&mut bench, "red", "pass\n");
    assert!(mail.text.contains("is read as END") && !mail.text.contains("Did you mean"), "{}", mail.text);
    let no = sheet(&bench, "g", "red").faulty[0].0;
    answer(&mut bench, "red", &format!("YES {no}\n"));
    assert!(sheet(&bench, "g", "red").ended);
}

#[test]
fn check_rehearses_and_send_gives_its_lines() {
    let mut bench = sealed("toy-great");
    answer(&mut bench, "red", "MOVE Ironbark 6\n");
    let mail = answer(&mut bench, "red", "CHECK SHEET\nMOVE Ironbark 10\nMOVE Juniper 3\n");
    for wanted in ["TAKEN    costs nothing", "ends at p10", "TAKEN, WARNING", "W1 no orders: Kestrel", "SEND gives"] {
        assert!(mail.text.contains(wanted), "{wanted}: {}", mail.text);
    }
    assert_eq!(sheet(&bench, "g", "red").lines.len(), 1);
    answer(&mut bench, "red", "SEND\nEND\n");
    let state = sheet(&bench, "g", "red");
    assert!(state.ended && state.lines.len() == 3, "{state:?}");
    let mail = answer(&mut bench, "red", "REVISE\n");
    assert!(mail.text.contains("  MOVE Juniper 3\n") && mail.text.contains("  REVISE\n"), "{}", mail.text);
    assert!(sheet(&bench, "g", "red").ended, "REVISE alone only asks");
    answer(&mut bench, "red", "REVISE\nMOVE Kestrel 3\nEND\n");
    assert_eq!(sheet(&bench, "g", "red").lines.len(), 1);
    // A CHECK of what waits has no lines of its own to send, and SEND is answered all the same.
    answer(&mut bench, "red", "CHECK SHEET\n");
    let mail = answer(&mut bench, "red", "SEND\n");
    assert!(mail.text.contains("your last CHECK had no order below it"), "{}", mail.text);
}

#[test]
fn thanks_get_no_lecture() {
    let mut bench = sealed("toy-great");
    let mail = answer(&mut bench, "red", "Thanks for the game so far\n");
    assert!(mail.text.contains("PASSED OVER no order in it."), "{}", mail.text);
    assert!(!mail.text.contains("UNCLEAR") && !mail.text.contains("one order a line"), "{}", mail.text);
}

#[test]
fn words_about_the_sheet_are_read_beside_orders() {
    let read = |line: &str| split(&[line.to_owned()], &|word| word == "2346", false).remove(0).what;
    let word = |word| What::General(Ok(Command::Sheet(word)));
    assert_eq!(read("END ANYWAY"), word(SheetWord::EndAnyway));
    assert_eq!(read("END ANYWAY, thanks"), word(SheetWord::EndAnyway));
    assert_eq!(read("END, thank you!"), What::General(Ok(Command::End)));
    assert!(matches!(read("END of turn, thanks"), What::General(Err(_))));
    assert_eq!(read("end if all done"), word(SheetWord::EndIfAllDone));
    assert_eq!(read("YES 2"), word(SheetWord::Yes(vec![(2, None)])));
    assert_eq!(read("yes 2b, 3"), word(SheetWord::Yes(vec![(2, Some('B')), (3, None)])));
    assert_eq!(read("YES ALL"), word(SheetWord::YesAll));
    assert_eq!(read("YES"), What::Order, "it answers a question");
    for said in ["YES2B", "Yes to 2B", "yes for 2b.", "OK 2B", "take line 2b"] {
        assert_eq!(read(said), word(SheetWord::Yes(vec![(2, Some('B'))])), "{said}");
    }
    for said in ["CANCEL 3", "delete line 3", "remove 3"] {
        assert_eq!(read(said), word(SheetWord::Undo(vec![3])), "{said}");
    }
    assert_eq!(read("take 3 battalions"), What::Order);
    for said in ["sign on", "SIGN-ON"] {
        assert_eq!(read(said), What::General(Ok(Command::Signon)), "{said}");
    }
    assert_eq!(read("UNDO 2 3"), word(SheetWord::Undo(vec![2, 3])));
    assert_eq!(read("UNDO END"), word(SheetWord::UndoEnd));
    assert_eq!(read("12 = FORCE Lannes HOLD"), word(SheetWord::Rewrite(12, "FORCE Lannes HOLD".to_owned())));
    assert_eq!(read("2=HOLD"), word(SheetWord::Rewrite(2, "HOLD".to_owned())));
    assert!(matches!(read("END OF IT"), What::General(Err(_))));
    assert!(matches!(read("UNDO that"), What::General(Err(_))));
    let lines = ["3 = FORCE Lannes MARCH 2345".to_owned(), "2346 2347".to_owned()];
    let items = split(&lines, &|word| word == "2346", false);
    let whole = "FORCE Lannes MARCH 2345 2346 2347".to_owned();
    assert_eq!((items.len(), &items[0].what), (1, &word(SheetWord::Rewrite(3, whole))));
    let copied = split_for(&["4A FORCE Lannes HOLD".to_owned()], &|_| false, &|word| word == "FORCE", false);
    assert_eq!(copied[0].what, word(SheetWord::Rewrite(4, "FORCE Lannes HOLD".to_owned())));
}

/// Every verb of a ruleset, each in a line of its own, as a stranger to the game would try it.
fn verbs(ruleset: &str, file: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(ruleset).join(file);
    let files = scenario::files(&path).unwrap();
    let game = estafette::simulate::open(games::find(games::GAMES, ruleset).unwrap(), &files, 1).unwrap();
    let seat = game.seats()[0].0.clone();
    let lines = game.examples(&seat).into_parts().1;
    let heads: Vec<String> = lines.into_iter().filter(|line| !line.starts_with("  ")).collect();
    let words = heads.iter().map(|line| line.split_whitespace().next().unwrap().to_owned()).collect::<Vec<_>>();
    for word in &words {
        let line = [format!("{word} something 1")];
        let items = split_for(&line, &|word| game.continues(word), &|word| game.is_verb(word), false);
        assert_eq!(items.len(), 1, "{word}");
        assert_eq!(items[0].what, What::Order, "{ruleset}: {word} is swallowed");
    }
    words
}

#[test]
fn every_verb_of_every_ruleset_can_be_given_by_mail() {
    let austerlitz = verbs("austerlitz1805", "teaching.yaml");
    assert!(austerlitz.len() > 10 && austerlitz.contains(&"HOLD".to_owned()), "{austerlitz:?}");
    let words = verbs("campaigns", "teaching.yaml");
    assert!(words.len() > 20 && words.contains(&"REPLACE".to_owned()), "{words:?}");
    let mut bench = Bench::new();
    assert!(TOYS.iter().any(|entry| entry.name == "campaigns"));
    bench.office.new_game(&NewGame { tempo: Tempo::Sealed, ..campaign(&teaching()) }).unwrap();
    bench.pass();
    bench.reply("french", "SIGNON\nNONCE a");
    bench.reply("coalition", "SIGNON\nNONCE b");
    let seat = bench.office.store.dues("strem-1").unwrap()[0].seat.clone();
    let body: String = words.iter().map(|word| format!("{word} something 1\n")).collect();
    let mail = answer(&mut bench, &seat, &body);
    assert!(!mail.text.contains("only the umpire"), "{}", mail.text);
    let state = sheet(&bench, "strem-1", &seat);
    assert_eq!(state.lines.len() + state.faulty.len(), words.len(), "{}", mail.text);
    // What is the umpire's alone stays his.
    let mail = answer(&mut bench, &seat, "FIAT contact = 6\n");
    assert!(mail.text.contains("only the umpire of a game may say that"), "{}", mail.text);
}

#[test]
fn a_slip_in_a_campaign_costs_no_march() {
    let mut bench = Bench::with_campaign(&teaching());
    bench.reply("french", "SIGNON\nNONCE a\nEND");
    bench.reply("coalition", "SIGNON\nNONCE b\nEND");
    assert_eq!(bench.office.store.dues("strem-1").unwrap()[0].seat, "french");
    let facts = |bench: &Bench| {
        let log = bench.office.store.log("strem-1", 1).unwrap();
        log.iter().filter(|e| ["roll", "event", "line", "given", "rest"].contains(&e.kind.as_str())).count()
    };
    let before = facts(&bench);
    let mail = answer(&mut bench, "french", "FORCE Lannes HOLD\nFORCE Gazzan HOLD\nEND\n");
    assert!(mail.subject.contains("END not counted, 1 line to correct"), "{mail:?}");
    // The same force again: the later order takes the place of the one that waits.
    let mail = answer(&mut bench, "french", "FORCE Lannes HOLD\n");
    assert!(mail.text.contains("REPLACES 1."), "{mail:?}");
    assert_eq!(sheet(&bench, "strem-1", "french").lines, [(4, "FORCE Lannes HOLD".to_owned())]);
    assert_eq!(facts(&bench), before, "nothing was carried out, and no die was thrown");
    let mail = answer(&mut bench, "french", "END ANYWAY\n");
    assert!(mail.text.contains("dropped: 2 FORCE Gazzan HOLD"), "{mail:?}");
    assert!(facts(&bench) > before);
}

#[test]
fn what_is_said_to_take_the_suggestions_and_end_does_so() {
    let mut bench = sealed("toy-great");
    let mail = answer(&mut bench, "red", "MOVE Ironbrk 5\nMOVE Kestrl 5\nEND\n");
    assert!(mail.text.contains("Answer  YES 1 2  and  END    to take 1A and 2A and end,"), "{}", mail.text);
    answer(&mut bench, "red", "YES 1 2\nEND\n");
    assert!(sheet(&bench, "g", "red").ended);
}

#[test]
fn words_that_a_mail_joins_by_and_are_taken_in_one_line() {
    let mut bench = sealed("toy-great");
    let mail = answer(&mut bench, "red", "MOVE Ironbrk 5\nMOVE nobody 3\nMOVE Kestrl 5\nEND\n");
    let offered = mail.text.lines().find_map(|line| line.trim().strip_prefix("Answer  ")).unwrap();
    let offered = offered.split("    to take").next().unwrap().to_owned();
    assert_eq!(offered, "YES 1 3  and  UNDO 2  and  END");
    answer(&mut bench, "red", &format!("{offered}\n"));
    let state = sheet(&bench, "g", "red");
    assert!(state.ended, "{state:?}");
    assert_eq!(state.lines, [(1, "MOVE Ironbark 5".to_owned()), (3, "MOVE Kestrel 5".to_owned())]);
    let read = |line: &str| split(&[line.to_owned()], &|_| false, false).into_iter().map(|item| item.what);
    let word = |word| What::General(Ok(Command::Sheet(word)));
    assert_eq!(read("YES 5 and 9").collect::<Vec<_>>(), [word(SheetWord::Yes(vec![(5, None), (9, None)]))]);
    assert_eq!(read("yes 5a AND send").count(), 2);
    let end = What::General(Ok(Command::End));
    let keys = vec![(2, None), (3, Some('B'))];
    assert_eq!(read("YES 2 3B END").collect::<Vec<_>>(), [word(SheetWord::Yes(keys.clone())), end.clone()]);
    assert_eq!(read("YES 2, 3B, END").collect::<Vec<_>>(), [word(SheetWord::Yes(keys)), end]);
    assert_eq!(read("UNDO END").collect::<Vec<_>>(), [word(SheetWord::UndoEnd)]);
    assert_eq!(read("END and thanks for the game").count(), 1, "a sentence is one line");
    assert_eq!(read("YES and no").count(), 1);
}

#[test]
fn two_suggestions_for_one_line_stand_beside_each_other() {
    for yes in ["YES 1A\nYES 1B\n", "YES 1A 1B\n"] {
        let mut bench = sealed("toy-great");
        let mail = answer(&mut bench, "red", "MOVE both 5\n");
        assert!(mail.text.contains("1A MOVE Ironbark 5") && mail.text.contains("1B MOVE Kestrel 5"), "{}", mail.text);
        let mail = answer(&mut bench, "red", yes);
        assert!(mail.text.contains("it stands beside the other as line"), "{yes}: {}", mail.text);
        let texts: Vec<String> = sheet(&bench, "g", "red").lines.into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["MOVE Ironbark 5", "MOVE Kestrel 5"], "{yes}");
    }
}

#[test]
fn end_anyway_drops_with_its_reason_and_no_stale_yes_holds_it() {
    let mut bench = sealed("toy-great");
    let mail = answer(&mut bench, "red", "MOVE Ironbrk 5\nEND\n");
    assert!(mail.text.contains("UNDO 1"), "the cure: {}", mail.text);
    let mail = answer(&mut bench, "red", "STANCE BOLD\nMOVE Kestrl 5\nYES 99\nEND ANYWAY\n");
    let text = mail.text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("dropped: 1 MOVE Ironbrk 5 (") && text.contains("MOVE Kestrl 5 ("), "{}", mail.text);
    let state = sheet(&bench, "g", "red");
    assert!(state.ended && state.lines.len() == 1, "{state:?}");
}

#[test]
fn several_yes_of_one_mail_are_rehearsed_together() {
    // From where Kestrel stands it comes to 12 only from 4.
    let slips = "MOVE Kestrl 4\nMOVE Kestrl 12\nEND\n";
    for yes in ["YES 1\nYES 2\nEND\n", "YES 2\nYES 1\nEND\n", "YES 1 2\nEND\n", "YES ALL\nEND\n"] {
        let mut bench = sealed("toy-great");
        let mail = answer(&mut bench, "red", slips);
        for wanted in ["1A MOVE Kestrel 4", "2A MOVE Kestrel 12", "2A can be taken when line 1 is put right: YES 1 2."]
        {
            assert!(mail.text.contains(wanted), "{wanted}: {}", mail.text);
        }
        assert!(mail.text.contains("Answer  YES 1 2  and  END    to take 1A and 2A and end,"), "{}", mail.text);
        answer(&mut bench, "red", yes);
        let state = sheet(&bench, "g", "red");
        assert_eq!(state.lines, [(1, "MOVE Kestrel 4".to_owned()), (2, "MOVE Kestrel 12".to_owned())], "{yes}");
        assert!(state.ended, "{yes}");
    }
    // Alone the second waits for the first.
    let mut bench = sealed("toy-great");
    answer(&mut bench, "red", slips);
    let mail = answer(&mut bench, "red", "YES 2\nEND\n");
    let state = sheet(&bench, "g", "red");
    assert!(state.held && state.waits == [2] && state.faulty.len() == 1, "{state:?}");
    let words = mail.text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("line 1 is not taken, and line 2 waits for it."), "{}", mail.text);
    // A line without a slip of its own waits for the one above it, is no fault, and needs no answer.
    let mut bench = sealed("toy-great");
    let mail = answer(&mut bench, "red", "MOVE Kestrl 4\nMOVE Kestrel 12\nEND\n");
    let words = mail.text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("Answer YES 1 and END to take 1A and end,"), "{}", mail.text);
    assert!(words.contains("2 MOVE Kestrel 12 WAITS for line 1."), "{}", mail.text);
    assert!(words.contains("Line 2 waits for what is not taken, and is dropped with it."), "{}", mail.text);
    assert_eq!(words.matches("NOT TAKEN").count(), 1, "{}", mail.text);
    answer(&mut bench, "red", "YES 1\nEND\n");
    let state = sheet(&bench, "g", "red");
    assert!(state.ended && state.lines.len() == 2 && state.waits.is_empty(), "{state:?}");
    // Without that line it is a fault of its own, and END ANYWAY drops both.
    let mut bench = sealed("toy-great");
    answer(&mut bench, "red", "MOVE Kestrl 4\nMOVE Kestrel 12\nEND\n");
    answer(&mut bench, "red", "UNDO 1\n");
    assert_eq!(sheet(&bench, "g", "red").faulty.len(), 1);
    let mut bench = sealed("toy-great");
    answer(&mut bench, "red", "MOVE Kestrl 4\nMOVE Kestrel 12\nEND\n");
    answer(&mut bench, "red", "END ANYWAY\n");
    let state = sheet(&bench, "g", "red");
    assert!(state.ended && state.lines.is_empty() && state.faulty.is_empty(), "{state:?}");
}

#[test]
fn yes_beside_send_takes_what_check_offers() {
    let mut bench = sealed("toy-great");
    let mail = answer(&mut bench, "red", "CHECK\nMOVE Kestrl 5\nMOVE Juniper 3\n");
    let words: Vec<&str> = mail.text.split_whitespace().collect();
    assert!(words.join(" ").contains("YES ALL above SEND"), "{}", mail.text);
    // Nothing has been sent, so that there is nothing to change.
    let mail = answer(&mut bench, "red", "YES ALL\n");
    assert!(mail.text.contains("nothing of your CHECK is sent yet"), "{}", mail.text);
    assert!(sheet(&bench, "g", "red").lines.is_empty());
    answer(&mut bench, "red", "CHECK\nMOVE Kestrl 5\nMOVE Juniper 3\n");
    answer(&mut bench, "red", "SEND\nYES ALL\n");
    let state = sheet(&bench, "g", "red");
    let texts: Vec<&str> = state.lines.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, ["MOVE Kestrel 5", "MOVE Juniper 3"], "{state:?}");
    assert!(state.faulty.is_empty(), "{state:?}");
}

#[test]
fn undo_beside_send_counts_as_the_check_counted() {
    let mut bench = sealed("toy-great");
    let mail = answer(&mut bench, "red", "CHECK\nMOVE Ironbark 6\nMOVE Kestrel 5\nMOVE Juniper 3\n");
    let numbered = mail.text.lines().find(|line| line.contains("MOVE Kestrel 5")).unwrap().trim();
    let no: u32 = numbered.split_whitespace().next().unwrap().parse().unwrap();
    let mail = answer(&mut bench, "red", &format!("SEND\nUNDO {no}\n"));
    assert!(mail.text.contains(&format!("left out of your CHECK: {no} MOVE Kestrel 5.")), "{}", mail.text);
    let state = sheet(&bench, "g", "red");
    let texts: Vec<&str> = state.lines.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, ["MOVE Ironbark 6", "MOVE Juniper 3"], "{state:?}");
    // Alone UNDO counts as the sheet does, and names what it takes.
    let first = state.lines[0].0;
    let mail = answer(&mut bench, "red", &format!("UNDO {first}\n"));
    assert!(mail.text.contains(&format!("1 line is taken back: {first} MOVE Ironbark 6.")), "{}", mail.text);
}

#[test]
fn end_alone_behind_a_check_asks_whether_its_lines_were_meant() {
    let mut bench = sealed("toy-great");
    answer(&mut bench, "red", "CHECK\nMOVE Ironbark 6\nMOVE Kestrel 5\n");
    let mail = answer(&mut bench, "red", "END\n");
    assert!(mail.text.contains("NOT COUNTED the lines of your CHECK are not sent"), "{}", mail.text);
    assert!(mail.subject.contains("END not counted"), "{mail:?}");
    assert!(!sheet(&bench, "g", "red").ended);
    // Whoever says it again means it; and SEND beside it sends the lines.
    answer(&mut bench, "red", "SEND\nEND\n");
    let state = sheet(&bench, "g", "red");
    assert!(state.ended && state.lines.len() == 2, "{state:?}");
    let mut bench = sealed("toy-great");
    answer(&mut bench, "red", "CHECK\nMOVE Ironbark 6\n");
    answer(&mut bench, "red", "END\n");
    answer(&mut bench, "red", "END\n");
    assert!(sheet(&bench, "g", "red").ended);
    // Where a line waits, END ends what was sent.
    let mut bench = sealed("toy-great");
    answer(&mut bench, "red", "MOVE Ironbark 6\n");
    answer(&mut bench, "red", "CHECK\nMOVE Kestrel 5\n");
    answer(&mut bench, "red", "END\n");
    assert!(sheet(&bench, "g", "red").ended);
}

#[test]
fn a_standing_answer_that_is_not_taken_holds_end() {
    let mut bench = Bench::with_campaign(&teaching());
    bench.reply("french", "SIGNON\nNONCE a\nEND");
    bench.reply("coalition", "SIGNON\nNONCE b\nEND");
    let mail = answer(&mut bench, "french", "FORCE Lannes HOLD\nDOCTRINE WITHDRAWW NEVER\nEND\n");
    assert!(mail.text.contains("UNCLEAR") && mail.text.contains("Your END is not counted"), "{}", mail.text);
    assert_eq!(sheet(&bench, "strem-1", "french").lines.len(), 1);
}

#[test]
fn a_signature_below_end_is_no_order_that_came_to_nothing() {
    let mut bench = sealed("toy-great");
    let mail = answer(&mut bench, "red", "MOVE Ironbark 6\nEND\nThanks and good luck\n");
    assert!(!mail.text.contains("below END"), "{}", mail.text);
    assert!(sheet(&bench, "g", "red").ended);
    let mail = answer(&mut bench, "red", "UNDO END\nEND\nMOVE Juniper 3\n");
    assert!(mail.text.contains("it stands below END"), "{}", mail.text);
}
