//! The host's own promises: who is told what, and when.

use super::{Asked, every, until_asked};
use crate::toys::{TOYS, Table, Whim, mail};
use estafette::fog::SeatId;
use estafette::host::{Answered, Batch, Input, Letter, Occasion, Tempo};
use estafette::rules::Outcome;

fn to<'b>(batch: &'b Batch, seat: &str) -> Vec<&'b Letter> {
    batch.letters.iter().filter(|letter| letter.seat.0 == seat).collect()
}

fn answers(letter: &Letter) -> &[Answered] {
    &letter.sections.body().answers
}

#[test]
fn h10_the_opening_goes_to_all_and_nothing_is_read_before_it() {
    let mut table = Table::new(TOYS[0].1(Tempo::Live, 1, None));
    let early = table.mail("red", &["STANCE BOLD"], true);
    let refused = &answers(to(&early, "red")[0])[0];
    assert!(matches!(&refused.outcome, Some(Outcome::Refused { why, .. }) if why.contains("has not begun")));
    let batch = table.take(Input::Begin);
    let heads: Vec<(&str, Occasion)> = batch.letters.iter().map(|l| (l.seat.0.as_str(), l.occasion)).collect();
    assert_eq!(heads, [("red", Occasion::Opening), ("blue", Occasion::Opening)]);
    assert_eq!(batch.dues.len(), 2);
    assert_eq!(batch.slots_closed, [0]);
    assert!(batch.rows.is_some_and(|rows| rows.len() == 1));
    assert!(table.take(Input::Begin).letters.is_empty(), "a game begins once");
}

#[test]
fn h10_answers_stand_in_the_order_written_though_a_line_is_written_twice() {
    let mut table = Table::begun(TOYS[0].1(Tempo::Sealed, 1, None));
    let batch = table.mail("red", &["STANCE BOLD", "MOVE nobody 5", "STANCE BOLD"], false);
    let numbers: Vec<u32> = answers(to(&batch, "red")[0]).iter().map(|answer| answer.no).collect();
    assert_eq!(numbers, [1, 2, 3]);
}

#[test]
fn h11_each_order_mail_gets_one_letter_and_each_stage_one_report_to_all() {
    every(1..=5, |name, open, tempo, seed| {
        let mut table = Table::begun(open(tempo, seed, None));
        let mut stage = table.game.stage().map(|stage| stage.key);
        let seats: Vec<SeatId> = table.game.seats().into_iter().map(|(seat, _)| seat).collect();
        table.play_out(&mut Whim(u64::from(seed)), 600, |table| {
            let (input, batch) = table.batches.last().unwrap();
            let now = table.game.stage().map(|stage| stage.key);
            let to: Vec<SeatId> = batch.letters.iter().map(|letter| letter.seat.clone()).collect();
            if now == stage {
                let Input::Orders { seat, .. } = input else { panic!() };
                assert_eq!(to.iter().filter(|s| *s == seat).count(), 1, "{name}");
                assert!(batch.letters.iter().all(|l| l.occasion != Occasion::StageReport), "{name}");
            } else {
                let why = if batch.over { Occasion::GameOver } else { Occasion::StageReport };
                assert_eq!(to, seats, "{name}");
                assert!(batch.letters.iter().all(|letter| letter.occasion == why), "{name}");
            }
            stage = now;
        });
    });
}

#[test]
fn h11_what_an_answer_points_at_stands_in_its_own_letter() {
    let mut pointed = 0;
    every(1..=5, |name, open, tempo, seed| {
        let mut table = Table::begun(open(tempo, seed, None));
        table.play_out(&mut Whim(u64::from(seed)), 600, |table| {
            for letter in &table.batches.last().unwrap().1.letters {
                let told = letter.sections.body().story.len();
                for (first, last) in answers(letter).iter().filter_map(|answer| answer.lines) {
                    assert!(
                        1 <= first && first <= last && last as usize <= told,
                        "{name}: {first} to {last} of {told}"
                    );
                    pointed += 1;
                }
            }
        });
    });
    assert!(pointed > 50, "{pointed} answers point at a line");
}

#[test]
fn h12_a_question_to_the_other_side_is_invisible() {
    let Asked { mut table, due, .. } = until_asked(TOYS[0].1, "reaction/");
    let batch = table.batches.last().unwrap().1.clone();
    let asked = due.seat.0.clone();
    let mover = if asked == "red" { "blue" } else { "red" };
    let question = to(&batch, &asked);
    assert_eq!(question[0].occasion, Occasion::Question);
    assert_eq!(question[0].sections.body().asks, [due.prompt.clone().unwrap()]);
    let receipt = to(&batch, mover);
    assert_eq!(receipt[0].occasion, Occasion::Answer);
    assert!(answers(receipt[0]).iter().all(|a| a.outcome.is_none()), "his lines are taken, and no more is said");
    assert!(receipt[0].sections.body().story.is_empty());
    assert!(table.game.on_move(&SeatId::from(mover)), "he may write on");
    let offers = table.game.report(&SeatId::from(mover), None).body().offers.clone();
    assert_eq!(offers, ["STANCE BOLD"], "a report offers what it would if nobody were asked");
    assert!(table.game.report(&due.seat, None).body().offers.is_empty(), "who is asked has no sheet open");
    let before = format!("{:?}", table.game.report(&SeatId::from(mover), Some(0)));
    let again = table.mail(mover, &[], false);
    assert_eq!(to(&again, mover).len(), 1);
    assert_eq!(before, format!("{:?}", table.game.report(&SeatId::from(mover), Some(0))));
    // The answer lets play go on; the mover hears at last what became of his lines, unless another question follows.
    let lines = ["CHARGE NO"; 1];
    let mut batch = table.mail(&asked, &lines, false);
    while let Some(due) = table.game.dues().into_iter().find(|due| due.prompt.is_some()) {
        let default = due.prompt.unwrap().default;
        batch = table.mail(&due.seat.0, &[&default], false);
    }
    let told = to(&batch, mover);
    assert_eq!(told.len(), 1);
    assert!(answers(told[0]).iter().all(|a| a.outcome.is_some()));
    assert!(!told[0].sections.body().story.is_empty());
    assert!(answers(told[0]).iter().any(|a| a.lines.is_some()), "a line points at what it caused");
}

#[test]
fn h13_who_is_not_on_move_is_told_so_and_nothing_else() {
    let Asked { mut table, due, .. } = until_asked(TOYS[0].1, "reaction/");
    let asked = due.seat.0.clone();
    let batch = table.mail(&asked, &["CHARGE MAYBE", "CHARGE NO", "CHARGE NO", "MOVE Mistral 3"], true);
    let told = answers(to(&batch, &asked)[0]);
    assert!(matches!(&told[0].outcome, Some(Outcome::Unclear { why, .. }) if why.contains("MAYBE")), "{told:?}");
    assert_eq!(told[1].outcome, Some(Outcome::Done));
    let off = |a: &Answered| {
        let Some(Outcome::Refused { why, .. }) = &a.outcome else { return false };
        why == "it is not your turn to order; a report says when it is"
    };
    assert!(off(&told[3]), "{told:?}");
}

#[test]
fn h14_the_last_version_of_a_sealed_sheet_counts_unless_it_says_nothing() {
    let mut table = Table::begun(TOYS[0].1(Tempo::Sealed, 1, None));
    table.mail("red", &["STANCE BOLD", "STANCE BOLD"], false);
    table.mail("red", &["STANCE CAUTIOUS"], false);
    let muddled = table.mail("red", &["STANDS BALD"], false);
    assert!(matches!(answers(to(&muddled, "red")[0])[0].outcome, Some(Outcome::Unclear { .. })));
    table.mail("red", &[], true);
    assert_eq!(table.game.dues().len(), 1, "red has ended");
    let batch = table.mail("blue", &["STANCE BOLD"], true);
    let stances: Vec<&str> =
        batch.entries.iter().filter(|e| e.body.starts_with("{\"kind\":\"stance\"")).map(|e| e.body.as_str()).collect();
    assert_eq!(
        stances,
        [r#"{"kind":"stance","side":"red","word":"CAUTIOUS"}"#, r#"{"kind":"stance","side":"blue","word":"BOLD"}"#]
    );
    let told = answers(to(&batch, "red")[0]);
    assert_eq!(told.len(), 1, "what was replaced is not answered again: {told:?}");
    assert_eq!(told[0].outcome, Some(Outcome::Done));
}

#[test]
fn h17_undo_takes_back_what_only_waits() {
    let seat = |name: &str| SeatId(name.to_owned());
    let mut table = Table::begun(TOYS[0].1(Tempo::Sealed, 1, None));
    table.mail("red", &["STANCE BOLD"], true);
    assert_eq!((table.game.waiting(&seat("red")), table.game.waiting(&seat("blue"))), (2, 0));
    table.take(Input::Undo { seat: seat("red"), mail: "u".into() });
    assert_eq!((table.game.waiting(&seat("red")), table.game.dues().len()), (0, 2), "red is on move again");
    table.mail("red", &["STANCE CAUTIOUS"], true);
    let batch = table.mail("blue", &["STANCE BOLD"], true);
    let stances = batch.entries.iter().filter(|e| e.body.starts_with("{\"kind\":\"stance\""));
    assert_eq!(
        stances.filter(|e| e.body.contains("red")).map(|e| e.body.contains("CAUTIOUS")).collect::<Vec<_>>(),
        [true]
    );
    // What was carried out stays.
    assert_eq!(table.game.waiting(&seat("red")), 0);
}

#[test]
fn h15_a_sealed_receipt_says_what_is_wrong_at_first_sight() {
    let mut table = Table::begun(TOYS[0].1(Tempo::Sealed, 1, None));
    let batch = table.mail("red", &["STANCE BOLT", "STANCE BOLD"], false);
    let told = answers(to(&batch, "red")[0]);
    assert!(matches!(&told[0].outcome, Some(Outcome::Unclear { why, .. }) if why.contains("BOLD")), "{told:?}");
    assert_eq!(told[1].outcome, None);
}

#[test]
fn h16_check_does_nothing_and_says_what_it_would_cost() {
    let Asked { table, due, .. } = until_asked(TOYS[0].1, "reaction/");
    let kept = table.kept();
    let lines = [(1, "CHARGE YES".to_owned()), (2, "MOVE".to_owned()), (3, "CHARGE EH".to_owned())];
    let (_, told) = table.game.check(&due.seat, &lines).into_parts();
    assert_eq!(told[0].notes, ["answers the open question."]);
    assert!(matches!(told[2].outcome, Some(Outcome::Unclear { .. })));
    assert_eq!(kept, table.kept());
    let mut table = Table::begun(TOYS[1].1(Tempo::Live, 3, None));
    let due = table.game.dues().remove(0);
    table.mail(&due.seat.0, &["FIRST YES"], false);
    let line = crate::toys::examples(&*table.game, &due.seat).into_iter().find(|l| l.starts_with("GO")).unwrap();
    let (_, told) = table.game.check(&due.seat, &[(1, line)]).into_parts();
    assert!(told[0].notes[0].contains("would go to"), "{told:?}");
    assert_eq!(told[0].outcome, None);
}

#[test]
fn h17_every_example_binds_where_it_is_given() {
    let mut bound = 0;
    every(1..=4, |name, open, tempo, seed| {
        let mut table = Table::begun(open(tempo, seed, None));
        table.play_out(&mut Whim(u64::from(seed)), 600, |table| {
            for due in table.game.dues() {
                let asked = table.game.dues().iter().any(|d| d.seat == due.seat && d.prompt.is_some());
                let lines: Vec<(u32, String)> =
                    crate::toys::examples(&*table.game, &due.seat).into_iter().map(|l| (1, l)).collect();
                for told in table.game.check(&due.seat, &lines).into_parts().1.into_iter().filter(|_| !asked) {
                    assert_eq!(told.outcome, None, "{name}: {}", told.text);
                    bound += 1;
                }
            }
        });
    });
    assert!(bound > 1_000, "{bound}");
}

#[test]
fn h18_a_chain_that_was_changed_is_found_at_its_first_difference() {
    let mut table = Table::begun(TOYS[1].1(Tempo::Live, 2, None));
    table.play_out(&mut Whim(2), 600, |_| {});
    let at = table.entries.iter().rposition(|(_, kind, _)| kind == "event").unwrap();
    let mut changed = table.entries.clone();
    changed[at].2 = changed[at].2.replace("kind", "kine");
    let why = table.game.replay(&changed).unwrap_err().why;
    assert!(why.starts_with(&format!("entry {} comes out as", at + 1)), "{why}");
    let mut shorter = table.entries.clone();
    shorter.pop();
    assert!(table.game.replay(&shorter).unwrap_err().why.contains("is not kept"));
    let mut foreign = table.entries.clone();
    foreign.insert(3, (1, "press".to_owned(), "{}".to_owned()));
    assert!(table.game.replay(&foreign).is_ok(), "the envelope's own entries are passed over");
}

#[test]
fn h19_doctrine_lines_are_read_and_listed_with_what_is_in_force() {
    let mut table = Table::begun(TOYS[0].1(Tempo::Live, 1, None));
    assert_eq!(table.game.doctrine_line(&"red".into(), "reaction yes"), Ok(("REACTION".to_owned(), "YES".to_owned())));
    assert!(table.game.doctrine_line(&"red".into(), "reacton yes").unwrap_err().contains("Did you mean REACTION?"));
    assert!(table.game.doctrine_line(&"red".into(), "reaction perhaps").unwrap_err().contains("ASK, YES or NO"));
    let (key, value) = table.game.doctrine_line(&"red".into(), "reaction yes").unwrap();
    let batch = table.take(Input::Doctrine { seat: "red".into(), key, value, mail: "d".into() });
    assert!(batch.letters.is_empty(), "nothing has come to pass");
    let (_, lines) = table.game.doctrine(&"red".into()).into_parts();
    assert!(lines[0].starts_with("REACTION YES "), "{lines:?}");
    let (_, lines) = table.game.doctrine(&"blue".into()).into_parts();
    assert!(lines[0].starts_with("REACTION ASK "), "{lines:?}");
}

#[test]
fn h20_slots_close_one_by_one_and_the_last_with_the_game() {
    every(1..=3, |name, open, tempo, seed| {
        let mut table = Table::begun(open(tempo, seed, None));
        table.play_out(&mut Whim(u64::from(seed)), 600, |_| {});
        let closed: Vec<u32> = table.batches.iter().flat_map(|(_, b)| b.slots_closed.clone()).collect();
        let expected: Vec<u32> = (0..=*closed.last().unwrap()).collect();
        assert_eq!(closed, expected, "{name}");
        assert_eq!(table.game.slot(), *closed.last().unwrap(), "{name}");
        let slots: Vec<u32> = table.entries.iter().map(|(slot, ..)| *slot).collect();
        assert!(slots.is_sorted(), "{name}");
    });
}

#[test]
fn h21_after_the_end_nothing_is_taken_and_no_letter_but_the_answer_goes_out() {
    let mut table = Table::begun(TOYS[0].1(Tempo::Live, 4, None));
    table.play_out(&mut Whim(4), 600, |_| {});
    let batch = table.take(mail("red", &["MOVE Ironbark 3"], true, "late"));
    assert_eq!(batch.letters.len(), 1);
    assert_eq!(batch.letters[0].occasion, Occasion::Answer);
    let told = &answers(&batch.letters[0])[0];
    assert!(matches!(&told.outcome, Some(Outcome::Refused { why, .. }) if why == "the game is over"));
    assert!(table.game.stage().is_none());
}

/// Lines that come while the rules wait for the other side must not slip before what is fact in the open leg.
#[test]
fn h22_lines_that_come_during_a_question_are_carried_out_after_it() {
    let Asked { mut table, due, seed } = until_asked(TOYS[3].1, "reaction/");
    let mover = if due.seat.0.starts_with("red") { ["blue", "blue2"] } else { ["red", "red2"] };
    for seat in mover {
        let unit = if mover[0] == "red" { "Kestrel" } else { "Nettle" };
        let line = format!("MOVE {unit} 5");
        let batch = table.mail(seat, &[&line], true);
        assert_eq!(to(&batch, seat).len(), 1);
        assert_eq!(answers(to(&batch, seat)[0]).last().unwrap().outcome, None, "it is taken");
        let late = table.mail(seat, &[&line], false);
        assert!(
            matches!(answers(to(&late, seat)[0]).last().unwrap().outcome, Some(Outcome::Refused { .. })),
            "END stood"
        );
    }
    let mut again = TOYS[3].1(Tempo::Live, seed, Some(table.kept()));
    assert_eq!(again.dues(), table.game.dues());
    let answer = mail(&due.seat.0, &["CHARGE NO"], false, "answer");
    assert_eq!(again.take(answer.clone()), table.game.take(answer));
}
