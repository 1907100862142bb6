//! The sheet: numbers that stay, END that waits for what is not taken, lines that wait while it does, in both tempos.

mod back;
mod recall;
mod words;

use crate::rehearse::driver::files;
use crate::toys::{Table, examples, great, open};
use estafette::dice::Secrets;
use estafette::host::hosted::Hosted;
use estafette::host::paper::Paper;
use estafette::host::sheet::{Edit, Edited, Ending};
use estafette::host::{Batch, Input, Tempo};
use estafette::rules::austerlitz1805::Austerlitz;
use estafette::rules::campaigns::Campaigns;

/// What a line of a test is to the sheet.
fn edit(text: &str) -> Edit {
    let line = |no: &str| no.parse().unwrap();
    match text.split_whitespace().collect::<Vec<_>>().as_slice() {
        ["END"] => Edit::End(Ending::Counted),
        ["END", "ANYWAY"] => Edit::End(Ending::Anyway),
        ["END", "IF", "ALL", "DONE"] => Edit::End(Ending::IfAllDone),
        ["UNDO"] => Edit::DropAll,
        ["UNDO", "END"] => Edit::UndoEnd,
        ["UNDO", numbers @ ..] => Edit::Drop(numbers.iter().map(|no| line(no)).collect()),
        ["REVISE"] => Edit::Replace,
        [no, "=", rest @ ..] => Edit::Rewrite { line: line(no), text: rest.join(" ") },
        _ => Edit::Add,
    }
}

/// A mail of a seat, its lines numbered on as the post office numbers them.
fn sends(table: &mut Table, seat: &str, lines: &[&str]) -> Batch {
    let base = table.game.sheet(&seat.into()).body().as_ref().map_or(0, |sheet| sheet.top);
    let edits = (base + 1..).zip(lines).map(|(no, text)| Edited { no, text: (*text).to_owned(), edit: edit(text) });
    let mail = format!("s{}", table.batches.len());
    table.take(Input::Sheet { seat: seat.into(), edits: edits.collect(), mail, came: None })
}

/// Number and word of each answer that a batch gives a seat.
fn words(batch: &Batch, seat: &str) -> Vec<(u32, &'static str)> {
    let answers = batch.letters.iter().filter(|letter| letter.seat.0 == seat).flat_map(|l| &l.sections.body().answers);
    let word = |a: &estafette::host::Answered| match (&a.outcome, &a.verdict) {
        (Some(outcome), _) => outcome.word(),
        (None, Some(verdict)) => verdict.word(),
        (None, None) => "TAKEN",
    };
    answers.map(|a| (a.no, word(a))).collect()
}

/// The reasons of the answers that a batch gives a seat.
fn said(batch: &Batch, seat: &str) -> String {
    let letters = batch.letters.iter().filter(|letter| letter.seat.0 == seat);
    letters.map(|l| format!("{:?}", l.sections.body().answers)).collect()
}

/// Whether play has gone on.
fn played(batch: &Batch) -> bool {
    batch.entries.iter().any(|entry| entry.kind != "input")
}

/// A great game whose first sheet is open, secret: both seats write.
fn secret() -> Table {
    Table::begun(open::<great::Gb>("", Tempo::Live, 1, None))
}

/// A great game that has come to the sheet of one seat, who can move units of its division; gives both seats, and a
/// unit that may move.
fn acting(tempo: Tempo) -> (Table, String, String, &'static str) {
    for seed in 1..60 {
        let mut table = Table::begun(open::<great::Gb>("", tempo, seed, None));
        for _ in 0..20 {
            let Some(due) = table.game.dues().first().cloned() else { break };
            let key = table.game.stage().map(|stage| stage.key).unwrap_or_default();
            let seat = due.seat.0.clone();
            match &due.prompt {
                Some(ask) => drop(table.mail(&seat, &[&ask.default.clone()], false)),
                None if key.ends_with("open") => drop(sends(&mut table, &seat, &["END"])),
                None => {
                    let unit = match key.rsplit('/').next().unwrap() {
                        "RA" => "Ironbark",
                        "RB" => "Kestrel",
                        "BA" => "Larkspur",
                        _ => "Nettle",
                    };
                    let other = if seat == "red" { "blue" } else { "red" };
                    return (table, seat.clone(), other.to_owned(), unit);
                }
            }
        }
    }
    panic!("no seed acts");
}

/// The teaching game of real rules, begun.
fn real<R: Paper>(ruleset: &str, tempo: Tempo) -> Table {
    let dice = Secrets::One { master: [3; 32], salt: [7; 32] };
    let files = files(ruleset, "teaching.yaml");
    Table::begun(Box::new(Hosted::<R>::open(files, "strem", dice, tempo, None).unwrap()))
}

/// Where a unit of a seat stands by its forces.
fn forces(table: &Table, seat: &str) -> Vec<String> {
    table.game.report(&seat.into(), None).body().forces.clone()
}

fn stage(table: &Table) -> String {
    table.game.stage().unwrap().key
}

/// Answers what the lines of a sheet ask; then the stage is another.
fn comes_out(table: &mut Table, before: &str) {
    for _ in 0..20 {
        let Some(due) = table.game.dues().into_iter().find(|due| due.prompt.is_some()) else { break };
        let answer = due.prompt.unwrap().default;
        table.mail(&due.seat.0, &[&answer], false);
    }
    assert_ne!(stage(table), before, "it closes when its lines have come out");
}

#[test]
fn a_seat_that_is_not_on_move_is_told_so_and_nothing_waits() {
    for tempo in [Tempo::Live, Tempo::Sealed] {
        let (mut table, _, other, _) = acting(tempo);
        let before = stage(&table);
        for lines in [&["MOVE Ironbark 3", "MOVE Nettle 4"][..], &["END"], &["END ANYWAY"], &["UNDO 1"]] {
            let batch = sends(&mut table, &other, lines);
            assert!(words(&batch, &other).iter().all(|(_, word)| *word == "NOT TAKEN"), "{:?}", words(&batch, &other));
            assert!(!played(&batch), "{tempo:?}");
        }
        assert_eq!(stage(&table), before);
        // It has had a sheet, and that is closed.
        assert!(said(&sends(&mut table, &other, &["END"]), &other).contains("1/open is closed"));
    }
}

#[test]
fn live_a_mail_without_end_is_carried_out_and_its_fault_waits() {
    let (mut table, seat, _, unit) = acting(Tempo::Live);
    let (good, bad) = (format!("MOVE {unit} 5"), format!("MOVE {unit}x 5 6"));
    let batch = sends(&mut table, &seat, &[&bad, &good]);
    assert!(played(&batch));
    assert_eq!(words(&batch, &seat)[0], (1, "NOT TAKEN"));
    let sheet = table.game.sheet(&seat.as_str().into()).into_parts().1.unwrap();
    assert_eq!((sheet.faulty.len(), sheet.lines.len(), sheet.top, sheet.held), (1, 0, 2, false));
    // The fault holds a later END, which the corrected line frees.
    let batch = sends(&mut table, &seat, &["END"]);
    assert_eq!(words(&batch, &seat), [(1, "NOT TAKEN"), (3, "NOT COUNTED")]);
    assert!(!played(&batch));
    let batch = sends(&mut table, &seat, &["UNDO 1", "END"]);
    assert!(played(&batch) && batch.entries.iter().any(|e| e.kind == "rest"), "{:?}", words(&batch, &seat));
}

#[test]
fn a_mail_with_an_end_that_does_not_count_throws_no_die_in_either_tempo() {
    for tempo in [Tempo::Live, Tempo::Sealed] {
        let (mut table, seat, other, unit) = acting(tempo);
        let before = (stage(&table), forces(&table, &seat));
        let batch = sends(&mut table, &seat, &[&format!("MOVE {unit} 6"), "MOVE Ironbrk 5 now", "END"]);
        assert_eq!(words(&batch, &seat), [(1, "TAKEN"), (2, "NOT TAKEN"), (3, "NOT COUNTED")]);
        assert!(!played(&batch) && batch.letters.iter().all(|letter| letter.seat.0 != other));
        assert_eq!(before, (stage(&table), forces(&table, &seat)));
        // Good lines wait too, and a second END is tried again.
        let batch = sends(&mut table, &seat, &[&format!("MOVE {unit} 7")]);
        assert_eq!(words(&batch, &seat).first(), Some(&(2, "NOT TAKEN")));
        assert!(!played(&batch));
        let batch = sends(&mut table, &seat, &["END"]);
        assert!(!played(&batch) && words(&batch, &seat).contains(&(5, "NOT COUNTED")));
        // END ANYWAY drops what is not taken, names it, and carries out the rest.
        let batch = sends(&mut table, &seat, &["END ANYWAY"]);
        assert!(
            played(&batch) && said(&batch, &seat).contains("dropped: 2 MOVE Ironbrk 5 now"),
            "{}",
            said(&batch, &seat)
        );
        let given: Vec<&str> = batch.entries.iter().filter(|e| e.kind == "given").map(|e| e.body.as_str()).collect();
        assert!(
            given.len() >= 2 && given[0].contains(&format!("MOVE {unit} 6")) && given[1].contains("7"),
            "{given:?}"
        );
    }
}

#[test]
fn a_held_sheet_is_carried_out_at_the_deadline_without_its_faults() {
    for tempo in [Tempo::Live, Tempo::Sealed] {
        let (mut table, seat, _, unit) = acting(tempo);
        let before = stage(&table);
        sends(&mut table, &seat, &[&format!("MOVE {unit} 6"), "MOVE Ironbrk 5 now", "END"]);
        let batch = table.take(Input::Deadline);
        let lines: Vec<&str> = batch.entries.iter().filter(|e| e.kind == "given").map(|e| e.body.as_str()).collect();
        assert!(lines.iter().any(|l| l.contains(&format!("MOVE {unit} 6"))), "{tempo:?} {lines:?}");
        assert!(!lines.iter().any(|line| line.contains("Ironbrk")), "{lines:?}");
        assert!(!table.game.dues().is_empty() && (stage(&table) != before || table.game.dues()[0].prompt.is_some()));
    }
}

#[test]
fn sealed_lines_add_up_and_only_revise_replaces_them() {
    let mut table = secret();
    assert_eq!(words(&sends(&mut table, "red", &["STANCE BOLT"]), "red"), [(1, "NOT TAKEN")]);
    assert_eq!(words(&sends(&mut table, "red", &["MOVE Ironbark 3"]), "red"), [(1, "NOT TAKEN"), (2, "TAKEN")]);
    // A second stance takes the place of the first; the same line twice is one.
    sends(&mut table, "red", &["STANCE BOLD"]);
    let batch = sends(&mut table, "red", &["STANCE CAUTIOUS", "stance cautious"]);
    assert!(said(&batch, "red").contains("REPLACES 3."), "{}", said(&batch, "red"));
    assert!(words(&batch, "red").contains(&(5, "PASSED OVER")));
    let sheet = table.game.sheet(&"red".into()).into_parts().1.unwrap();
    assert_eq!(sheet.lines, [(2, "MOVE Ironbark 3".to_owned()), (4, "STANCE CAUTIOUS".to_owned())]);
    sends(&mut table, "red", &["REVISE", "MOVE Kestrel 2"]);
    let sheet = table.game.sheet(&"red".into()).into_parts().1.unwrap();
    assert_eq!(sheet.lines, [(7, "MOVE Kestrel 2".to_owned())]);
}

#[test]
fn what_is_sealed_can_be_revised_until_the_other_side_is_in() {
    let mut table = secret();
    assert_eq!(words(&sends(&mut table, "red", &["STANCE BOLD", "END"]), "red"), [(1, "TAKEN"), (2, "DONE")]);
    let sheet = |table: &Table| table.game.sheet(&"red".into()).into_parts().1.unwrap();
    assert!(sheet(&table).ended);
    // END counts already; a question changes nothing.
    sends(&mut table, "red", &["END"]);
    let batch = sends(&mut table, "red", &["who am I", "thanks"]);
    assert_eq!(words(&batch, "red"), [(4, "ANSWERED"), (5, "PASSED OVER")]);
    assert!(sheet(&table).ended);
    // A good line withdraws END, a line that is not taken holds it as well.
    sends(&mut table, "red", &["MOVE Ironbark 3"]);
    assert!(!sheet(&table).ended && !sheet(&table).held);
    sends(&mut table, "red", &["END"]);
    sends(&mut table, "red", &["MOVE Ironbrk 3"]);
    assert!(!sheet(&table).ended && sheet(&table).held);
    sends(&mut table, "red", &["8 = MOVE Ironbark 4", "END"]);
    assert!(sheet(&table).ended, "{:?}", sheet(&table));
    assert_eq!(words(&sends(&mut table, "red", &["UNDO END"]), "red"), [(11, "DONE")]);
    assert!(!sheet(&table).ended && sheet(&table).lines.len() == 3);
    sends(&mut table, "red", &["UNDO", "MOVE Kestrel 3", "END"]);
    let batch = sends(&mut table, "blue", &["END"]);
    let given: Vec<&str> = batch.entries.iter().filter(|e| e.kind == "given").map(|e| e.body.as_str()).collect();
    assert!(given.len() == 1 && given[0].contains("MOVE Kestrel 3"), "{given:?}");
}

#[test]
fn end_counts_over_warnings_greetings_and_questions() {
    let mut table = secret();
    let batch = sends(&mut table, "red", &["hello", "who am I", "MOVE Ironbark 2", "END"]);
    let expected = [(1, "PASSED OVER"), (2, "ANSWERED"), (3, "TAKEN, WARNING"), (4, "DONE")];
    assert_eq!(words(&batch, "red"), expected);
    assert!(table.game.sheet(&"red".into()).body().as_ref().unwrap().ended);
}

#[test]
fn lines_are_judged_on_the_board_that_those_above_them_leave() {
    let mut table = secret();
    let batch = sends(&mut table, "red", &["MOVE Ironbark 6", "MOVE Ironbark 10"]);
    let told = said(&batch, "red");
    assert!(told.contains("ends at p06") && told.contains("ends at p10"), "{told}");
    let again = sends(&mut table, "red", &["UNDO 1"]);
    let state = table.game.sheet(&"red".into()).into_parts().1.unwrap();
    assert_eq!(state.lines.len(), 1);
    assert!(!played(&again));
    let lines = [(9, "MOVE Ironbark 12".to_owned())];
    let alone = table.game.rehearse(&"red".into(), &lines, false).into_parts().1;
    let behind = table.game.rehearse(&"red".into(), &lines, true).into_parts().1;
    assert!(alone.answers[0].notes.contains(&"ends at p06".to_owned()), "{alone:?}");
    assert!(behind.answers[1].notes.contains(&"ends at p10".to_owned()), "{behind:?}");
    assert_eq!(behind.warnings.len(), 2, "the two that have no orders");
}

#[test]
fn a_wrong_number_is_not_taken_and_holds_the_end_of_its_mail() {
    let mut table = secret();
    let batch = sends(&mut table, "red", &["STANCE BOLD", "7 = MOVE Ironbark 3", "END"]);
    assert_eq!(words(&batch, "red"), [(1, "TAKEN"), (2, "NOT TAKEN"), (3, "NOT COUNTED")]);
    assert!(!table.game.sheet(&"red".into()).body().as_ref().unwrap().ended);
}

#[test]
fn end_if_all_done_closes_live_only_when_every_line_was_carried_out() {
    let (mut table, seat, _, unit) = acting(Tempo::Live);
    let other = if unit == "Ironbark" { "Kestrel" } else { "Ironbark" };
    let before = stage(&table);
    // A stance is taken by the sheet of no activation.
    let batch = sends(&mut table, &seat, &[&format!("MOVE {unit} 5"), "MOVE nobody 5", "END IF ALL DONE"]);
    assert!(!played(&batch) && words(&batch, &seat).contains(&(3, "NOT COUNTED")), "{other}");
    let batch = sends(&mut table, &seat, &["UNDO 2", "END IF ALL DONE"]);
    let asked = table.game.dues().iter().any(|due| due.prompt.is_some());
    assert!(played(&batch) && (asked || stage(&table) != before), "{:?}", words(&batch, &seat));
    comes_out(&mut table, &before);
}

#[test]
fn the_game_is_over_says_so_to_end() {
    let (mut table, ..) = acting(Tempo::Live);
    while !table.batches.last().unwrap().1.over {
        table.take(Input::Deadline);
    }
    let batch = sends(&mut table, "red", &["END"]);
    assert_eq!(words(&batch, "red"), [(1, "NOT TAKEN")]);
    assert!(said(&batch, "red").contains("the game is over."));
}

#[test]
fn a_game_with_sheets_plays_again_from_its_chain_and_opens_where_it_stands() {
    for tempo in [Tempo::Live, Tempo::Sealed] {
        let (mut table, seat, _, unit) = acting(tempo);
        sends(&mut table, &seat, &[&format!("MOVE {unit} 6"), "MOVE Ironbrk 5", "END"]);
        let state = table.game.sheet(&seat.as_str().into()).into_parts().1;
        let seed = (1..60).find(|seed| {
            let again = open::<great::Gb>("", tempo, *seed, None);
            again.replay(&table.entries).is_ok()
        });
        let seed = seed.expect("one of the seeds made this chain");
        let mut again = Table::new(open::<great::Gb>("", tempo, seed, Some(table.kept())));
        assert_eq!(again.game.sheet(&seat.as_str().into()).into_parts().1, state);
        let (one, two) = (sends(&mut table, &seat, &["END ANYWAY"]), sends(&mut again, &seat, &["END ANYWAY"]));
        let bodies = |batch: &Batch| -> Vec<(&'static str, String)> {
            batch.entries.iter().filter(|e| e.kind != "input").map(|e| (e.kind, e.body.clone())).collect()
        };
        assert_eq!(bodies(&one).len(), bodies(&two).len());
        assert!(bodies(&one).iter().zip(bodies(&two)).all(|(a, b)| a.0 == b.0), "{one:?}");
        table.game.replay(&table.entries).unwrap();
    }
}

#[test]
fn an_old_orders_input_still_replaces_a_sealed_sheet() {
    let mut table = secret();
    sends(&mut table, "red", &["STANCE BOLD", "MOVE Ironbark 3"]);
    table.mail("red", &["MOVE Kestrel 2"], false);
    let sheet = table.game.sheet(&"red".into()).into_parts().1.unwrap();
    assert_eq!(sheet.lines, [(1, "MOVE Kestrel 2".to_owned())]);
    let batch = sends(&mut table, "red", &["MOVE Ironbark 3"]);
    assert!(!matches!(said(&batch, "red").as_str(), ""));
    assert_eq!(table.game.waiting(&"red".into()), 2);
}

#[test]
fn end_anyway_drops_no_line_that_was_taken_before_its_writer_is_told() {
    let mut table = secret();
    sends(&mut table, "red", &["MOVE Kestrel 4", "MOVE Kestrel 12"]);
    let state = table.game.sheet(&"red".into()).into_parts().1.unwrap();
    assert_eq!(state.lines.len(), 2, "{state:?}");
    let batch = sends(&mut table, "red", &["UNDO 1", "END ANYWAY"]);
    assert!(said(&batch, "red").contains("was TAKEN before"), "{}", said(&batch, "red"));
    let state = table.game.sheet(&"red".into()).into_parts().1.unwrap();
    assert!(!state.ended && state.faulty.len() == 1, "{state:?}");
    let batch = sends(&mut table, "red", &["END ANYWAY"]);
    assert!(said(&batch, "red").contains("dropped: 2 MOVE Kestrel 12 ("), "{}", said(&batch, "red"));
    assert!(table.game.sheet(&"red".into()).into_parts().1.is_none_or(|state| state.ended));
}

#[test]
fn no_stage_of_either_ruleset_closes_after_a_fault_in_either_tempo() {
    for tempo in [Tempo::Live, Tempo::Sealed] {
        let tables = [real::<Campaigns>("campaigns", tempo), real::<Austerlitz>("austerlitz1805", tempo)];
        for mut table in tables {
            let mut held = 0;
            for _ in 0..12 {
                let Some(due) = table.game.dues().first().cloned() else { break };
                let seat = due.seat.0.clone();
                if let Some(ask) = &due.prompt {
                    table.mail(&seat, &[&ask.default], false);
                    continue;
                }
                // A good line and one with a slip, of those that the mails themselves show.
                let Some(good) = examples(&*table.game, &due.seat).into_iter().next() else {
                    sends(&mut table, &seat, &["END"]);
                    continue;
                };
                let slip = format!("{good} qqqq 99");
                let before = (stage(&table), table.of_kind("roll").len());
                for end in ["END", "END IF ALL DONE"] {
                    let batch = sends(&mut table, &seat, &[&slip, end]);
                    let answers = words(&batch, &seat);
                    assert!(answers.iter().any(|(_, word)| *word == "NOT COUNTED"), "{slip}: {answers:?}");
                    assert!(!played(&batch), "{tempo:?} {slip}");
                }
                assert_eq!((stage(&table), table.of_kind("roll").len()), before);
                held += 1;
                if held == 3 {
                    break;
                }
                sends(&mut table, &seat, &["UNDO", "END"]);
            }
            assert!(held >= 3, "{tempo:?}: {held} sheets");
        }
    }
}
