//! Lines of one sheet, in whatever order they are written: carried out in the order in which they are checked.

use super::files;
use estafette::games::{self, GAMES};
use estafette::host::sheet::{Edit, Edited, Ending};
use estafette::host::{Batch, Game, Input};
use estafette::simulate;

/// A game that has come to the first activation of the French, before their division has tried.
fn begun(number: u64) -> Box<dyn Game> {
    let entry = games::find(GAMES, "great_battles").unwrap();
    let mut game = simulate::open(entry, &files("hill.yaml"), number).unwrap();
    game.take(Input::Begin).unwrap();
    for mail in 0..9 {
        let due = game.dues().remove(0);
        if due.seat.0 == "french" && due.address.contains("/act/") {
            break;
        }
        let mail = format!("m{mail}");
        game.take(Input::Orders { seat: due.seat, lines: Vec::new(), end: true, mail }).unwrap();
    }
    game
}

/// A mail of the French.
fn sends(game: &mut dyn Game, lines: &[&str]) -> Batch {
    let top = game.sheet(&"french".into()).body().as_ref().map_or(0, |sheet| sheet.top);
    let edit = |text: &str| match text.split_once(" = ") {
        _ if text == "END" => Edit::End(Ending::Counted),
        Some((no, text)) => Edit::Rewrite { line: no.parse().unwrap(), text: text.to_owned() },
        None => Edit::Add,
    };
    let edits = (top + 1..).zip(lines).map(|(no, text)| Edited { no, text: (*text).to_owned(), edit: edit(text) });
    let mail = format!("s{top}");
    game.take(Input::Sheet { seat: "french".into(), edits: edits.collect(), mail, came: None }).unwrap()
}

/// Each line of an answer with the word of what became of it.
fn words(batch: &Batch) -> Vec<(String, &'static str)> {
    let answers = batch.letters.iter().filter(|letter| letter.seat.0 == "french");
    let answers = answers.flat_map(|letter| &letter.sections.body().answers);
    let word = |a: &estafette::host::Answered| match (&a.outcome, &a.verdict) {
        (Some(outcome), _) => outcome.word(),
        (None, Some(verdict)) => verdict.word(),
        (None, None) => "TAKEN",
    };
    answers.map(|a| (a.text.clone(), word(a))).collect()
}

/// COMBAT ends the movement: written above it, it takes no march from anybody.
const TURNED: [&str; 3] = ["COMBAT FERY", "MOVE F3-2 F", "ACTIVATE FERY LIMITED"];

fn all_done(said: &[(String, &str)]) {
    let done = |line: &str| said.iter().any(|(text, word)| text == line && *word == "DONE");
    assert!(TURNED.iter().all(|line| done(line)), "{said:#?}");
}

#[test]
fn lines_of_one_mail_are_carried_out_in_the_order_of_the_activation() {
    for end in [&[][..], &["END"][..]] {
        let mut game = begun(3);
        let lines: Vec<&str> = TURNED.iter().chain(end).copied().collect();
        all_done(&words(&sends(game.as_mut(), &lines)));
    }
}

#[test]
fn a_line_that_was_put_right_is_carried_out_before_those_that_waited_for_it() {
    let mut game = begun(3);
    let first = words(&sends(game.as_mut(), &["ACTIVATE FERY LIMITED", "COMBAT FERY", "MOVE F3-2 3030"]));
    let word = |line: &str| first.iter().find(|(text, _)| text == line).map(|(_, word)| *word);
    assert_eq!(word("ACTIVATE FERY LIMITED"), Some("DONE"), "{first:#?}");
    assert_eq!(word("COMBAT FERY"), Some("TAKEN"), "it waits: {first:#?}");
    let then = words(&sends(game.as_mut(), &["3 = MOVE F3-2 F", "END"]));
    all_done(&[first, then].concat());
}

#[test]
fn a_slip_has_its_place_by_what_is_read_in_it() {
    let mut game = begun(3);
    let said = words(&sends(game.as_mut(), &["ACTIVATE FERY LIMITED", "COMBAT FERY", "F3-2 MOVE F"]));
    let taken = said.iter().any(|(text, word)| text == "MOVE F3-2 F" && *word == "DONE");
    let waits = said.iter().any(|(text, word)| text == "COMBAT FERY" && *word == "TAKEN");
    assert!(taken || waits, "{said:#?}");
}

/// The line is put right, and what is below it waits for that: one fault with its cure.
#[test]
fn a_slip_in_the_call_of_a_division_is_one_fault_and_what_is_below_it_waits() {
    for slip in ["ACTIVATE FREY LIMITED", "ACTIVATE Xyzzy LIMITED"] {
        let mut game = begun(3);
        let first = words(&sends(game.as_mut(), &[slip, "MOVE F3-2 F", "COMBAT FERY", "END"]));
        let word = |line: &str| first.iter().find(|(text, _)| text == line).map(|(_, word)| *word);
        assert_eq!(word(slip), Some("NOT TAKEN"), "{first:#?}");
        assert_eq!(first.iter().filter(|(_, word)| *word == "NOT TAKEN").count(), 1, "{first:#?}");
        for line in ["MOVE F3-2 F", "COMBAT FERY"] {
            assert_eq!(word(line), Some("WAITS"), "{first:#?}");
        }
        assert_eq!(word("END"), Some("NOT COUNTED"), "{first:#?}");
        let then = words(&sends(game.as_mut(), &["1 = ACTIVATE FERY LIMITED", "END"]));
        all_done(&[first, then].concat());
    }
    // Without END too they are carried out with the line for which they have waited.
    let mut game = begun(3);
    let first = words(&sends(game.as_mut(), &["ACTIVATE FREY LIMITED", "MOVE F3-2 F", "COMBAT FERY"]));
    let then = words(&sends(game.as_mut(), &["1 = ACTIVATE FERY LIMITED"]));
    all_done(&[first, then].concat());
}

#[test]
fn a_division_that_is_called_twice_is_called_as_the_later_line_says() {
    let mut game = begun(3);
    let said = words(&sends(game.as_mut(), &["ACTIVATE FERY FULL", "ACTIVATE FERY LIMITED"]));
    assert_eq!(said, [("ACTIVATE FERY LIMITED".to_owned(), "DONE")], "{said:#?}");
}

#[test]
fn end_names_who_is_left_out() {
    let mut game = begun(3);
    let batch = sends(game.as_mut(), &["END"]);
    let said = format!("{:?}", batch.letters.iter().map(|l| l.sections.body().answers.clone()).collect::<Vec<_>>());
    assert!(said.contains("Could still try: FERY"), "{said}");
}
