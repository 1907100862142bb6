//! The program's own words, as they come back: copied with what stands beside them, with stops, between courtesies; and what
//! holds an END, and what does not. In all four games.

use super::{said, sends, words};
use crate::gateway::bench::{Bench, Mail, new_game, teaching, to};
use crate::rehearse::driver::files;
use crate::toys::Table;
use estafette::fog::SeatId;
use estafette::gateway::NewGame;
use estafette::gateway::commands::{Command, What, split_of};
use estafette::gateway::sheet::SheetWord;
use estafette::host::Game;
use estafette::store::Tempo;
use estafette::{games, simulate};

/// Each game, with a scenario and its seat that writes first.
const GAMES: [(&str, &str); 4] = [
    ("campaigns", "teaching.yaml"),
    ("austerlitz1805", "teaching.yaml"),
    ("brave_fellows", "teaching.yaml"),
    ("great_battles", "hill.yaml"),
];

fn open(ruleset: &str, file: &str) -> Box<dyn Game> {
    simulate::open(games::find(games::GAMES, ruleset).unwrap(), &files(ruleset, file), 1).unwrap()
}

/// A game that has begun, and the seat from which a sheet is due.
fn begun((ruleset, file): (&str, &str)) -> (Table, String) {
    let table = Table::begun(open(ruleset, file));
    let due = table.game.dues().into_iter().find(|due| due.prompt.is_none()).unwrap();
    (table, due.seat.0)
}

fn read(game: &dyn Game, line: &str) -> Vec<What> {
    let seat = game.seats()[0].0.clone();
    split_of(&[line.to_owned()], game, &seat).into_iter().map(|item| item.what).collect()
}

fn word(word: SheetWord) -> What {
    What::General(Ok(Command::Sheet(word)))
}

#[test]
fn what_a_mail_says_to_send_is_taken_as_it_is_copied() {
    let end = || What::General(Ok(Command::End));
    let yes = |keys: &[u32]| word(SheetWord::Yes(keys.iter().map(|no| (*no, None)).collect()));
    let undo = |lines: &[u32]| word(SheetWord::Undo(lines.to_vec()));
    let rows: [(&str, Vec<What>); 18] = [
        ("ok end", vec![end()]),
        ("OK, end.", vec![end()]),
        ("and now please END", vec![end()]),
        ("END now, thanks", vec![end()]),
        ("- END", vec![end()]),
        ("4 END", vec![end()]),
        ("4A END", vec![end()]),
        ("END when you are done.", vec![end()]),
        ("Yes 3. end.", vec![yes(&[3]), end()]),
        ("Yes 3.", vec![yes(&[3])]),
        ("yes 3, please", vec![yes(&[3])]),
        ("6 YES 3 5", vec![yes(&[3, 5])]),
        ("Undo line 4, then end.", vec![undo(&[4]), end()]),
        ("UNDO 5 takes it out.", vec![undo(&[5])]),
        ("YES 2  and  UNDO 7  and  END    to take 2A, drop line 7, and end,", vec![yes(&[2]), undo(&[7]), end()]),
        ("Answer  YES 1 2  and  END    to take 1A and 2A and end,", vec![yes(&[1, 2]), end()]),
        ("END    to take 1A and 2A and end,", vec![end()]),
        ("or  END ANYWAY    to end without lines 3 and 5.", vec![word(SheetWord::EndAnyway)]),
    ];
    for (ruleset, file) in GAMES {
        let game = open(ruleset, file);
        for (line, wanted) in &rows {
            assert_eq!(read(&*game, line), *wanted, "{ruleset}: {line}");
        }
        for line in
            ["YES and no", "Good, yes", "please undo that", "END of the world", "OK we march on and end it there"]
        {
            let found = read(&*game, line);
            let plain = |what: &What| matches!(what, What::Order | What::General(Err(_)));
            assert!(found.len() == 1 && found.iter().all(plain), "{ruleset}: {line}: {found:?}");
        }
        // What only holds the place of a line is no line.
        let found = read(&*game, "Answer  3 = the line put right  and  END,");
        assert!(matches!(found.as_slice(), [What::General(Err(_))]), "{ruleset}: {found:?}");
        for line in ["OK that's all", "That’s all, thanks!", "no more orders", "ok done"] {
            assert_eq!(read(&*game, line), [word(SheetWord::NearlyEnd)], "{ruleset}: {line}");
        }
        assert_eq!(read(&*game, "That's all I know of war"), [What::Order], "{ruleset}");
    }
}

#[test]
fn a_line_that_means_end_holds_no_end() {
    for game in GAMES {
        for together in [true, false] {
            let (mut table, seat) = begun(game);
            let id = SeatId(seat.clone());
            let batch = if together {
                sends(&mut table, &seat, &["finished", "END"])
            } else {
                let first = sends(&mut table, &seat, &["finished"]);
                assert_eq!(words(&first, &seat), [(1, "NOT TAKEN")], "{game:?}: {}", said(&first, &seat));
                let faulty = table.game.sheet(&id).into_parts().1.unwrap().faulty;
                assert_eq!(faulty[0].2, ["END"], "{game:?}");
                sends(&mut table, &seat, &["END"])
            };
            let all = words(&batch, &seat);
            assert!(!all.iter().any(|(_, word)| ["NOT TAKEN", "NOT COUNTED"].contains(word)), "{game:?}: {all:?}");
            let open = table.game.sheet(&id).into_parts().1;
            assert!(open.is_none_or(|sheet| sheet.ended || sheet.top == 0), "{game:?}: {all:?}");
        }
    }
}

#[test]
fn numbers_that_are_gone_leave_the_others_and_hold_no_end() {
    let mut table = super::secret();
    sends(&mut table, "red", &["STANCE BOLD", "MOVE Ironbrk 5"]);
    let batch = sends(&mut table, "red", &["UNDO 2 7"]);
    assert!(words(&batch, "red").contains(&(3, "DONE")), "{:?}", words(&batch, "red"));
    assert!(said(&batch, "red").contains("line 2 is taken back; no line 7 of yours waits"), "{}", said(&batch, "red"));
    let state = |table: &Table| table.game.sheet(&"red".into()).into_parts().1.unwrap();
    assert!(state(&table).faulty.is_empty() && state(&table).lines.len() == 1);
    let batch = sends(&mut table, "red", &["UNDO 2", "END"]);
    assert!(words(&batch, "red").contains(&(4, "PASSED OVER")), "{:?}", words(&batch, "red"));
    assert!(state(&table).ended && state(&table).lines.len() == 1);
}

#[test]
fn the_same_line_of_another_mail_counts_once() {
    for game in GAMES {
        let (mut table, seat) = begun(game);
        let id = SeatId(seat.clone());
        let own = table.game.bot(&id, 1).into_parts().1;
        let Some(line) = own.iter().find(|line| *line != "END") else { continue };
        // END is held by a slip, so that the line waits in every tempo.
        let slip = format!("{} Xyzzy 99", line.split(' ').next().unwrap());
        sends(&mut table, &seat, &[line, &slip, "END"]);
        let once = table.game.sheet(&id).into_parts().1.unwrap();
        let batch = sends(&mut table, &seat, &[line, &slip, "END"]);
        let twice = table.game.sheet(&id).into_parts().1.unwrap();
        let count = |sheet: &estafette::host::paper::SheetState| (sheet.lines.len(), sheet.faulty.len());
        assert_eq!(count(&once), count(&twice), "{game:?}: {line}: {}", said(&batch, &seat));
    }
}

/// A sealed toy: its first sheet is open to both.
fn sealed() -> Bench {
    let mut bench = Bench::new();
    bench.office.new_game(&NewGame { tempo: Tempo::Sealed, ..new_game("g", "toy-great", true) }).unwrap();
    bench.pass();
    bench.reply("red", "SIGNON\nNONCE a");
    bench.reply("blue", "SIGNON\nNONCE b");
    bench
}

fn answer(bench: &mut Bench, body: &str) -> Mail {
    let out = bench.reply("red", body);
    (*to(&out, "red").first().unwrap_or_else(|| panic!("no answer: {out:?}"))).clone()
}

/// The numbers before the lines that a mail answers.
fn numbers(mail: &Mail) -> Vec<(String, String)> {
    let head = |line: &str| {
        let (number, rest) = line.get(..5)?.trim().split_once(' ').map_or((line.get(..5)?.trim(), ""), |parts| parts);
        let is = number == "-" || number.parse::<u32>().is_ok();
        (is && rest.is_empty()).then(|| (number.to_owned(), line.get(5..).unwrap_or_default().to_owned()))
    };
    mail.text.lines().skip(2).take_while(|line| !line.trim_start().starts_with("Your sheet")).filter_map(head).collect()
}

#[test]
fn no_number_of_a_sheet_comes_twice_and_no_line_is_answered_twice() {
    let mut bench = sealed();
    let mut seen: Vec<String> = Vec::new();
    for body in ["MOVE Ironbrk 5\nMAP\n", "HISTORY\n", "pass\nHELP\n", "DEADLINE\nSTANCE BOLD\nMAP\n", "YES 1 3\n"] {
        let mail = answer(&mut bench, body);
        let own: Vec<(String, String)> =
            numbers(&mail).into_iter().filter(|(_, line)| body.lines().any(|l| line.ends_with(l))).collect();
        assert_eq!(own.len(), body.lines().count(), "{body}: {}", mail.text);
        for (number, line) in own {
            let asks = ["MAP", "HISTORY", "HELP", "DEADLINE"].iter().any(|word| line.ends_with(word));
            assert_eq!(number == "-", asks, "{line}: {}", mail.text);
            assert!(asks || !seen.contains(&number), "{number} twice: {}", mail.text);
            seen.push(number);
        }
    }
}

#[test]
fn an_open_sheet_says_that_end_closes_it_and_lists_it_among_the_orders_that_work() {
    let mut bench = sealed();
    let mail = answer(&mut bench, "MOVE Ironbark 5\n");
    assert!(mail.text.contains("Your sheet is open: 1 line waits.  Send END when you are done."), "{}", mail.text);
    let mail = answer(&mut bench, "MOVE Nobody 5\npass\n");
    let flat = mail.text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("line 2 is not taken, and END waits for that: UNDO 2 takes it out."), "{}", mail.text);
    let mut bench = Bench::with_campaign(&teaching());
    bench.reply("french", "SIGNON\nEND");
    bench.reply("coalition", "SIGNON\nEND");
    let out = bench.out();
    let open = out.iter().rfind(|mail| mail.text.contains("\nORDERS THAT WORK NOW\n")).unwrap();
    let listed = open.text.split("\nORDERS THAT WORK NOW\n").nth(1).unwrap().split("\n\n").next().unwrap();
    assert_eq!(listed.lines().last(), Some("  END"), "{}", open.text);
}

#[test]
fn a_plain_question_is_answered_with_what_is_asked() {
    for game in GAMES {
        let (mut table, seat) = begun(game);
        let id = SeatId(seat.clone());
        let report = table.game.report(&id, None).into_parts().1;
        let mut asked = |line: &str| {
            let batch = sends(&mut table, &seat, &[line]);
            assert_eq!(words(&batch, &seat).last().unwrap().1, "ANSWERED", "{game:?}: {line}: {}", said(&batch, &seat));
            said(&batch, &seat)
        };
        let turns = asked("How many turns are there?");
        assert!(turns.contains(report.head.split("   ").nth(1).unwrap()), "{game:?}: {turns}");
        for line in ["How many turns?", "What did I lose?", "What is END?", "Where is Wellington?"] {
            let told = asked(line);
            assert!(!told.contains("HELP says what you can write"), "{game:?}: {line}: {told}");
        }
    }
    let (mut table, seat) = begun(GAMES[3]);
    let told = said(&sends(&mut table, &seat, &["what is a LIM?"]), &seat);
    assert!(told.contains("Each division has a marker, its LIM."), "{told}");
}
