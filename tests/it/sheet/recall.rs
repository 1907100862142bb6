//! Option `recall`: an END that counts takes effect later, so that UNDO END takes it back (S11 of the sheet).

use super::{acting, comes_out, edit, forces, played, real, said, secret, sends, stage, words};
use crate::toys::{Table, great, open};
use estafette::fog::SeatId;
use estafette::host::paper::SheetState;
use estafette::host::sheet::{Edit, Edited};
use estafette::host::{Act, Batch, Input, Letter, Tempo};
use estafette::rules::campaigns::Campaigns;

/// A mail of a seat in a game with a recall.
fn later(table: &mut Table, seat: &str, lines: &[&str]) -> Batch {
    let base = table.game.sheet(&seat.into()).body().as_ref().map_or(0, |sheet| sheet.top);
    let edited = |(no, text): (u32, &&str)| {
        let edit = match edit(text) {
            Edit::End(ending) => Edit::Later(ending),
            other => other,
        };
        Edited { no, text: (*text).to_owned(), edit }
    };
    let edits = (base + 1..).zip(lines).map(edited).collect();
    let mail = format!("s{}", table.batches.len());
    table.take(Input::Sheet { seat: seat.into(), edits, mail, came: None })
}

/// The time of a seat's END has come.
fn call(table: &mut Table, seat: &str) -> Batch {
    let no = table.game.called(&seat.into()).unwrap_or(0);
    let edits = vec![Edited { no, text: "END".to_owned(), edit: Edit::Call }];
    table.take(Input::Sheet { seat: seat.into(), edits, mail: format!("recall/{no}"), came: None })
}

fn sheet(table: &Table, seat: &str) -> SheetState {
    table.game.sheet(&seat.into()).into_parts().1.unwrap_or_default()
}

/// All that came of a batch but the mails that set it off: the chain without its inputs, and the lines by number.
fn facts(batch: &Batch) -> Vec<(u32, &'static str, String)> {
    let told = batch.entries.iter().filter(|entry| entry.kind != "input");
    told.map(|entry| (entry.slot, entry.kind, entry.body.clone())).collect()
}

fn letters_but(batch: &Batch, seat: &str) -> Vec<Letter> {
    batch.letters.iter().filter(|letter| letter.seat.0 != seat).cloned().collect()
}

#[test]
fn until_its_time_nothing_is_carried_out_and_then_all_is() {
    for tempo in [Tempo::Live, Tempo::Sealed] {
        let (mut table, seat, other, unit) = acting(tempo);
        let before = (stage(&table), forces(&table, &seat));
        let batch = later(&mut table, &seat, &[&format!("MOVE {unit} 6"), "END"]);
        assert_eq!(words(&batch, &seat), [(1, "TAKEN"), (2, "DONE")]);
        assert!(!played(&batch) && batch.letters.iter().all(|letter| letter.seat.0 == seat), "{tempo:?}");
        assert_eq!(before, (stage(&table), forces(&table, &seat)));
        assert!(table.game.dues().iter().any(|due| due.seat.0 == seat), "its sheet is due as before");
        let state = sheet(&table, &seat);
        assert_eq!((state.ended, state.held, state.call, state.lines.len()), (true, false, Some(2), 1));
        assert_eq!(table.game.called(&other.as_str().into()), None);
        let batch = call(&mut table, &seat);
        assert!(played(&batch) && batch.entries.iter().any(|e| e.kind == "given" && e.body.contains(unit)));
        assert_eq!(table.game.called(&seat.as_str().into()), None);
    }
}

#[test]
fn undo_end_catches_it_and_what_waits_waits_for_the_next_end() {
    let (mut table, seat, _, unit) = acting(Tempo::Live);
    later(&mut table, &seat, &[&format!("MOVE {unit} 6"), "END"]);
    let batch = later(&mut table, &seat, &["UNDO END"]);
    assert_eq!(words(&batch, &seat), [(3, "DONE")]);
    assert!(said(&batch, &seat).contains("your END is withdrawn"));
    let state = sheet(&table, &seat);
    assert_eq!((state.ended, state.held, state.call, state.lines.len()), (false, true, None, 1));
    assert!(!played(&call(&mut table, &seat)), "its time comes to nothing");
    // A line behind it is not carried out before it.
    let batch = later(&mut table, &seat, &[&format!("MOVE {unit} 7")]);
    assert!(!played(&batch));
    assert_eq!(sheet(&table, &seat).lines.len(), 2);
    assert!(!played(&later(&mut table, &seat, &["END"])));
    let given: Vec<String> =
        call(&mut table, &seat).entries.into_iter().filter(|e| e.kind == "given").map(|e| e.body).collect();
    assert!(given[0].contains(&format!("MOVE {unit} 6")) && given[1].contains(&format!("MOVE {unit} 7")), "{given:?}");
}

#[test]
fn a_mail_edits_the_waiting_sheet_and_withdraws_its_end() {
    let mails: [(&[&str], usize, bool); 5] = [
        (&["MOVE Ironbark 2"], 2, false),
        (&["MOVE nobody 2"], 1, true),
        (&["1 = MOVE Ironbark 3"], 1, false),
        (&["REVISE", "MOVE Kestrel 2"], 1, false),
        (&["MOVE Ironbark 2", "UNDO 1"], 1, false),
    ];
    for tempo in [Tempo::Live, Tempo::Sealed] {
        for (lines, waits, faulty) in mails {
            let (mut table, seat, _, unit) = acting(tempo);
            later(&mut table, &seat, &[&format!("MOVE {unit} 6"), "END"]);
            // What holds no order changes nothing.
            let batch = later(&mut table, &seat, &["thanks", "END"]);
            assert!(said(&batch, &seat).contains("it counts already"), "{}", said(&batch, &seat));
            assert_eq!(sheet(&table, &seat).call, Some(2), "its time does not begin anew");
            let lines: Vec<String> =
                lines.iter().map(|l| l.replace("Ironbark", unit).replace("Kestrel", unit)).collect();
            let batch = later(&mut table, &seat, &lines.iter().map(String::as_str).collect::<Vec<_>>());
            assert!(!played(&batch), "{lines:?}");
            let state = sheet(&table, &seat);
            assert_eq!((state.ended, state.call, state.lines.len()), (false, None, waits), "{lines:?} {state:?}");
            assert_eq!(state.faulty.len(), usize::from(faulty), "{lines:?}");
            assert_eq!(state.held, faulty || tempo == Tempo::Live, "{lines:?}");
            assert!(!played(&call(&mut table, &seat)));
            // END again, and its time begins anew.
            let batch = later(&mut table, &seat, &["END ANYWAY"]);
            assert!(!played(&batch) && state.top < sheet(&table, &seat).call.unwrap());
            assert!(played(&call(&mut table, &seat)), "{tempo:?} {lines:?}");
        }
    }
}

#[test]
fn undo_takes_back_lines_and_end_and_a_line_is_then_carried_out_at_once() {
    let (mut table, seat, _, unit) = acting(Tempo::Live);
    later(&mut table, &seat, &[&format!("MOVE {unit} 6"), "END"]);
    let batch = later(&mut table, &seat, &["UNDO"]);
    assert!(said(&batch, &seat).contains("and your END with them"), "{}", said(&batch, &seat));
    let state = sheet(&table, &seat);
    assert!(!state.held && !state.ended && state.lines.is_empty(), "{state:?}");
    assert!(played(&later(&mut table, &seat, &[&format!("MOVE {unit} 5")])));
}

#[test]
fn end_that_is_not_counted_has_no_time_and_end_anyway_has() {
    let (mut table, seat, _, unit) = acting(Tempo::Live);
    let batch = later(&mut table, &seat, &[&format!("MOVE {unit} 6"), "MOVE Ironbrk 5 now", "END"]);
    assert_eq!(words(&batch, &seat), [(1, "TAKEN"), (2, "NOT TAKEN"), (3, "NOT COUNTED")]);
    assert_eq!(table.game.called(&seat.as_str().into()), None);
    let batch = later(&mut table, &seat, &["END ANYWAY"]);
    assert!(!played(&batch) && said(&batch, &seat).contains("dropped: 2 MOVE Ironbrk 5 now"));
    let state = sheet(&table, &seat);
    assert_eq!((state.call, state.lines.len(), state.faulty.len()), (Some(4), 1, 0));
    assert!(played(&call(&mut table, &seat)));
}

#[test]
fn end_if_all_done_looks_when_its_time_has_come() {
    let (mut table, seat, _, unit) = acting(Tempo::Live);
    let before = stage(&table);
    let batch = later(&mut table, &seat, &[&format!("MOVE {unit} 5"), "END IF ALL DONE"]);
    assert!(!played(&batch));
    assert_eq!(sheet(&table, &seat).call, Some(2));
    // END alone is another END, whose time begins anew; the same twice is one.
    later(&mut table, &seat, &["END"]);
    assert_eq!(sheet(&table, &seat).call, Some(3));
    later(&mut table, &seat, &["END IF ALL DONE"]);
    assert_eq!(sheet(&table, &seat).call, Some(4));
    later(&mut table, &seat, &["END IF ALL DONE"]);
    assert_eq!(sheet(&table, &seat).call, Some(4));
    assert!(played(&call(&mut table, &seat)));
    comes_out(&mut table, &before);
}

#[test]
fn a_deadline_a_resignation_and_the_umpire_s_end_come_before_its_time() {
    let one = |input: &dyn Fn(&str) -> Input| {
        let (mut table, seat, _, unit) = acting(Tempo::Live);
        later(&mut table, &seat, &[&format!("MOVE {unit} 6"), "END"]);
        let batch = table.take(input(&seat));
        let given: Vec<&str> = batch.entries.iter().filter(|e| e.kind == "given").map(|e| e.body.as_str()).collect();
        assert!(given.first().is_some_and(|line| line.contains(&format!("MOVE {unit} 6"))), "{given:?}");
        assert_eq!(table.game.called(&seat.as_str().into()), None);
    };
    one(&|_| Input::Deadline);
    one(&|seat| Input::Resign { seat: seat.into(), mail: "m".to_owned() });
    one(&|seat| {
        let act = Act::Become { seat: seat.into(), lines: Vec::new(), end: true, mail: "m".to_owned() };
        Input::Umpire { by: "umpire".into(), act, reason: "he asked".to_owned() }
    });
}

#[test]
fn sealed_the_other_side_waits_for_its_time_as_for_an_end() {
    let mut table = secret();
    later(&mut table, "red", &["STANCE BOLD", "END"]);
    assert!(!played(&later(&mut table, "blue", &["END"])));
    assert!(!played(&call(&mut table, "blue")), "the other END waits still");
    later(&mut table, "red", &["UNDO END", "MOVE Kestrel 3", "END"]);
    let batch = call(&mut table, "red");
    let given: Vec<&str> = batch.entries.iter().filter(|e| e.kind == "given").map(|e| e.body.as_str()).collect();
    assert!(given.len() == 2 && given[1].contains("MOVE Kestrel 3"), "{given:?}");
}

#[test]
fn a_waiting_end_stays_over_a_restart_and_plays_again_from_its_chain() {
    for tempo in [Tempo::Live, Tempo::Sealed] {
        let (mut table, seat, _, unit) = acting(tempo);
        later(&mut table, &seat, &[&format!("MOVE {unit} 6"), "END"]);
        let opens = |seed: &u8| open::<great::Gb>("", tempo, *seed, None).replay(&table.entries).is_ok();
        let seed = (1..60).find(opens).expect("one of the seeds made this chain");
        let mut again = Table::new(open::<great::Gb>("", tempo, seed, Some(table.kept())));
        assert_eq!(sheet(&again, &seat), sheet(&table, &seat));
        assert_eq!(facts(&call(&mut again, &seat)), facts(&call(&mut table, &seat)));
        table.game.replay(&table.entries).unwrap();
    }
}

/// A game of the real rules.
fn campaign(tempo: Tempo) -> Table {
    real::<Campaigns>("campaigns", tempo)
}

/// Two games between the program's own players, whose ENDs take effect at once in one, and in the other later, some of
/// them after UNDO END: the chain but for its inputs, and all that the other side gets, are the same.
#[test]
fn an_end_with_a_recall_comes_out_as_one_that_came_later() {
    let toy = |tempo| Table::begun(open::<great::Gb>("", tempo, 5, None));
    for tempo in [Tempo::Live, Tempo::Sealed] {
        for (mut one, mut two) in [(campaign(tempo), campaign(tempo)), (toy(tempo), toy(tempo))] {
            let mut compared = 0;
            for noise in 0..9 {
                let Some(due) = one.game.dues().first().cloned() else { break };
                let seat = due.seat.0.clone();
                let lines = one.game.bot(&SeatId(seat.clone()), noise).into_parts().1;
                let lines: Vec<&str> = lines.iter().map(String::as_str).filter(|line| *line != "END").collect();
                if due.prompt.is_some() {
                    let (a, b) = (one.mail(&seat, &lines[..1], false), two.mail(&seat, &lines[..1], false));
                    assert_eq!(facts(&a), facts(&b));
                    continue;
                }
                let orders = [&lines[..], &["END ANYWAY"]].concat();
                let a = sends(&mut one, &seat, &orders);
                let waits = later(&mut two, &seat, &orders);
                assert!(!played(&waits) && letters_but(&waits, &seat).is_empty(), "{waits:?}");
                if noise % 2 == 1 {
                    later(&mut two, &seat, &["UNDO END"]);
                    let again = later(&mut two, &seat, &["END"]);
                    assert!(!played(&again) && letters_but(&again, &seat).is_empty(), "{again:?}");
                }
                let b = call(&mut two, &seat);
                // Whose mail brought a line is the same, where it was not written anew.
                let plain = |batch: &Batch| -> Vec<(u32, &'static str, String)> {
                    facts(batch).into_iter().filter(|(_, kind, _)| *kind != "given").collect()
                };
                assert_eq!(plain(&a), plain(&b), "{tempo:?} {seat} {lines:?}");
                assert_eq!(letters_but(&a, &seat), letters_but(&b, &seat));
                assert_eq!(one.game.dues(), two.game.dues());
                compared += 1;
            }
            assert!(compared >= 4, "{tempo:?}: {compared}");
        }
    }
}
