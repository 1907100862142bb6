//! What bad input gets: an answer by name, rule and the nearest legal choice, from the seat's own paper.

use super::{mail, opened, root};
use estafette::host::sheet::{Edit, Edited, Verdict};
use estafette::host::{Answered, Game, Input};
use estafette::rules::Outcome;
use estafette::{games, scenario, simulate};

/// The fog scenario at its first sealed sheet.
fn in_fog() -> Box<dyn Game> {
    let files = scenario::files(&root().join("scenarios/austerlitz1805/fog-teaching.yaml")).unwrap();
    let mut game = simulate::open(games::find(games::GAMES, "austerlitz1805").unwrap(), &files, 1).unwrap();
    game.take(Input::Begin).unwrap();
    game
}

fn check(game: &dyn Game, seat: &str, line: &str) -> Answered {
    let answered = game.check(&seat.into(), &[(1, line.to_owned())]).into_parts().1;
    answered.into_iter().next().unwrap()
}

/// The reason, the rule and the line to copy of a refusal.
fn refused(game: &dyn Game, seat: &str, line: &str) -> (String, String, Option<String>) {
    match check(game, seat, line).outcome {
        Some(Outcome::Refused { why, rule, copy }) => (why, rule, copy),
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn a_chit_overfilled_is_told_whom_to_leave_out() {
    let game = in_fog();
    for (line, out) in [
        ("CHIT 1 = Vandamme/1, Vandamme/2 PLACE 12900,17200", "leave Vandamme/2 out"),
        ("CHIT 1 = Margaron, IV dragoons/1, Vandamme/1 PLACE 12900,17200", "leave IV dragoons/1 out"),
        ("CHIT 1 = Vandamme/1, IV foot/1, IV foot/2 PLACE 12900,17200", "leave IV foot/2 out"),
    ] {
        let (why, rule, _) = refused(game.as_ref(), "french", line);
        assert!(why.contains(out) && rule == "16.4.2.1", "{line}: {why} [{rule}]");
    }
}

#[test]
fn a_decoy_with_units_and_a_chit_without_get_the_line_that_was_meant() {
    let game = in_fog();
    for (line, meant) in [
        ("DECOY 2 = Vandamme/1, Soult PLACE 12900,17200", "CHIT 2 = Vandamme/1, Soult PLACE 12900,17200"),
        ("CHIT 3 PLACE 12900,17200", "DECOY 3 PLACE 12900,17200"),
    ] {
        let (_, rule, copy) = refused(game.as_ref(), "french", line);
        assert_eq!((rule.as_str(), copy.as_deref()), ("16.4.2.1", Some(meant)), "{line}");
        assert_eq!(check(game.as_ref(), "french", meant).outcome, None);
    }
}

#[test]
fn a_place_that_is_not_legal_gets_the_nearest_that_is() {
    let game = in_fog();
    // In another corps' area; on the striped zone; beyond the map.
    for (seat, line, rule) in [
        ("french", "CHIT 4 = Vandamme/1 PLACE 15300,14450", "16.4.2.4"),
        ("allied", "CHIT 4 = Muller PLACE 14000,16000", "16.4.2.4"),
        ("allied", "DECOY 4 PLACE 14000,16000", "16.4.2.4"),
    ] {
        let (why, named, copy) = refused(game.as_ref(), seat, line);
        assert_eq!(named, rule, "{line}: {why}");
        let copy = copy.unwrap_or_else(|| panic!("{line}: {why}"));
        assert_eq!(check(game.as_ref(), seat, &copy).outcome, None, "{copy}");
    }
    let (why, rule, _) = refused(game.as_ref(), "french", "DECOY 5 PLACE 27000,15000");
    assert_eq!(rule, "3.1");
    assert!(why.contains("off the map") && why.contains("26000,15000"), "{why}");
    let (why, rule, _) = refused(game.as_ref(), "french", "CHIT 19 = Vandamme/1 PLACE 12900,17200");
    assert!(why.contains("1 to 18") && rule == "16.4.2", "{why}");
}

#[test]
fn a_name_nearly_right_is_answered_with_the_right_one() {
    let game = in_fog();
    let Some(Outcome::Unclear { why, .. }) =
        check(game.as_ref(), "french", "CHIT 6 = Vandam/1 PLACE Puntowitz").outcome
    else {
        panic!("understood");
    };
    assert!(why.contains("Vandamme/1"), "{why}");
}

/// 16.4.2.5: what the other side lays on the same sealed sheets nobody can know: CHECK calls it legal, and it is carried
/// out as far as the rulebook lets it.
#[test]
fn a_chit_beside_one_that_is_laid_unseen_is_legal_beforehand_and_lies_as_near_as_it_may() {
    let mut game = in_fog();
    let line = "DECOY 1 PLACE 13000,14200";
    assert_eq!(check(game.as_ref(), "french", line).outcome, None);
    mail(game.as_mut(), "french", &[line], true);
    // The Allies, who move first, lay theirs nearer than 3 UM; theirs stands.
    assert_eq!(check(game.as_ref(), "allied", "DECOY 1 PLACE 13500,13000").outcome, None);
    mail(game.as_mut(), "allied", &["DECOY 1 PLACE 13500,13000"], true);
    let told = format!("{:?}", game.history(&"french".into(), None).into_parts().1);
    assert!(told.contains("AC1 at 13500,13000"), "{told}");
    assert!(told.contains("FC1 at") && !told.contains("FC1 at 13000,14200"), "{told}");
}

/// 16.4.2.4: an order at a chit is answered the same whether it holds troops or nothing.
#[test]
fn a_move_at_a_chit_is_answered_the_same_whatever_it_holds() {
    let said = |filled: &str| {
        let mut game = in_fog();
        mail(game.as_mut(), "allied", &[filled], true);
        mail(game.as_mut(), "french", &["CHIT 1 = Vandamme/1 PLACE 13500,17500"], true);
        mail(game.as_mut(), "allied", &[], true);
        let answered = check(game.as_ref(), "french", "MARCH 1 TOWARD AC1 2UM");
        (answered.outcome.is_none(), answered.notes)
    };
    let (legal, notes) = said("DECOY 1 PLACE 17000,12500");
    assert!(legal && !notes.is_empty());
    assert_eq!(said("CHIT 1 = Muller, III/1 PLACE 17000,12500"), (legal, notes));
}

#[test]
fn units_that_do_not_fit_are_told_who_is_in_the_way_and_how_far_they_get() {
    let mut game = opened(1);
    game.take(Input::Begin).unwrap();
    mail(game.as_mut(), "allied", &[], true);
    for (line, words, rule) in [
        ("MOVE Vandamme/2 5UM", "Vandamme/2 has 2 UM left, not 5", "6.2"),
        ("ATTACK Vandamme/2 AT IV Austrian/1", "UM short of IV Austrian/1 with 2 UM", "6.2"),
        ("ATTACK St Hilaire/2 AT IV Austrian/1", "UM short of IV Austrian/1 with 2 UM", "6.2"),
        ("MOVE IV foot/1 TOWARD 30000,1000", "off the map", "3.1"),
        ("FORM Margaron SQUARE", "can't be square", "5.2"),
        ("SUPPORT Vandamme/1 AT Uvarov", "nobody of yours attacks Uvarov, so there is nothing to support", "13.13"),
    ] {
        let (why, named, _) = refused(game.as_ref(), "french", line);
        assert!(why.contains(words) && named == rule, "{line}: {why} [{named}]");
    }
    // Something in the way is seen by CHECK and told by how far it gets.
    let notes = check(game.as_ref(), "french", "MOVE IV foot/1 TOWARD Vandamme/2 2UM").notes.join(" ");
    assert!(
        notes.contains("would end at") && notes.contains("it goes no farther: Vandamme/2 is in the way"),
        "{notes}"
    );
    let notes = check(game.as_ref(), "french", "FOLLOW Vandamme/2 AFTER Margaron 0.5UM").notes.join(" ");
    assert!(notes.contains("would end at") && !notes.contains("in the way"), "{notes}");
    let notes = check(game.as_ref(), "french", "MOVE Vandamme/3 TOWARD NE 2UM").notes.join(" ");
    assert!(notes.contains("facing NE 045"), "{notes}");
    let same = check(game.as_ref(), "french", "MOVE Vandamme/3 BEARING 045 2UM").notes.join(" ");
    assert_eq!(same, notes);
}

#[test]
fn a_unit_that_is_not_on_the_field_is_answered_with_where_it_is() {
    let mut game = in_fog();
    mail(game.as_mut(), "allied", &[], true);
    mail(game.as_mut(), "french", &["CHIT 2 = Vandamme/1, IV foot/1 PLACE 12900,17200"], true);
    mail(game.as_mut(), "allied", &[], true);
    for (line, words) in [
        ("MOVE IV foot/1 1UM", "IV foot/1 is in your chit 2; MARCH 2 moves it, DEPLOY 2 turns it over"),
        ("MOVE St Hilaire/1 1UM", "St Hilaire/1 is on your strategic map"),
        ("VOLLEY Vandamme/1 AT Repninsky", "Vandamme/1 is in your chit 2"),
    ] {
        let (why, _, _) = refused(game.as_ref(), "french", line);
        assert!(why.contains(words), "{line}: {why}");
    }
}

/// 6.5: the clause FACE has a way behind it, and FACE with a unit begins an order.
#[test]
fn face_with_a_unit_begins_a_line_and_with_a_way_goes_on_with_the_one_above() {
    let mut game = opened(1);
    game.take(Input::Begin).unwrap();
    mail(game.as_mut(), "allied", &[], true);
    let joins = |above: &str, line: &str| game.continues("FACE") && game.joins(&"french".into(), above, line);
    let above = "MOVE Vandamme/1 TOWARD Pratzen 1UM";
    for own in ["FACE Vandamme/2 E", "Face Vandamme/3 SW", "FACE 4K E"] {
        assert!(!joins(above, own) && !joins("Turn 4D west", own), "{own}");
    }
    for clause in ["FACE E", "FACE 090", "FACE >Pratzen"] {
        assert!(joins(above, clause), "{clause}");
    }
    let turned = check(game.as_ref(), "french", "FACE Vandamme/2 E").verdict;
    assert!(matches!(&turned, Some(Verdict::NotTaken(m)) if m.lines == ["TURN Vandamme/2 E"]), "{turned:?}");
}

/// 4.3: while nothing is carried out no step is over; a line stands only below one of a later step.
#[test]
fn a_line_below_one_of_a_later_step_is_told_above_which_it_belongs() {
    let mut game = opened(1);
    game.take(Input::Begin).unwrap();
    // A battery's own line is overtaken by none of its own.
    let lines =
        ["FORM IV Russian/1 LIMBER", "MOVE Caramelli TOWARD Vinohrady 1UM", "BOMBARD IV Russian/1 AT St Hilaire/1"];
    let late = |verdict: &Option<Verdict>| match verdict {
        Some(Verdict::NotTaken(m)) => (m.why.clone(), m.rule.clone(), m.lines.clone()),
        other => panic!("{other:?}"),
    };
    let wanted = |no: u32| {
        (format!("put it above line {no}, with which a later part of the turn begins."), "4".to_owned(), Vec::new())
    };
    let numbered: Vec<(u32, String)> = (4..).zip(lines.iter().map(ToString::to_string)).collect();
    let answered = game.check(&"allied".into(), &numbered).into_parts().1;
    assert_eq!(late(&answered[2].verdict), wanted(4), "{answered:?}");
    let edits: Vec<Edited> =
        (1..).zip(lines).map(|(no, text)| Edited { no, text: text.to_owned(), edit: Edit::Add }).collect();
    // What is carried out is over, and nothing above it helps.
    let mail = |edits: Vec<Edited>| Input::Sheet { seat: "allied".into(), edits, mail: "a".to_owned(), came: None };
    let batch = game.take(mail(edits)).unwrap();
    let answers = batch.letters.iter().flat_map(|l| &l.sections.body().answers).collect::<Vec<_>>();
    let third = answers.iter().find(|a| a.no == 3).unwrap();
    assert_eq!(late(&third.verdict), wanted(1), "{third:?}");
    let again = check(game.as_ref(), "allied", lines[2]);
    assert!(format!("{again:?}").contains("that step of the turn is over"), "{again:?}");
}

/// 4.3-4.6: a line of an earlier part of the turn is carried out before those of later parts, wherever it stands.
#[test]
fn a_sheet_is_carried_out_by_the_parts_of_the_turn() {
    let mut game = opened(1);
    game.take(Input::Begin).unwrap();
    let lines = ["FORM Rotermund LINE", "MOVE Caramelli TOWARD Vinohrady 1UM", "BOMBARD IV Russian/1 AT St Hilaire/1"];
    let numbered: Vec<(u32, String)> = (4..).zip(lines.iter().map(ToString::to_string)).collect();
    let answered = game.check(&"allied".into(), &numbered).into_parts().1;
    let taken = |no: u32| answered.iter().any(|a| a.no == no && matches!(a.verdict, Some(Verdict::Taken { .. })));
    assert!((4..=6).all(taken), "{answered:?}");
    let edits: Vec<Edited> =
        (1..).zip(lines).map(|(no, text)| Edited { no, text: text.to_owned(), edit: Edit::Add }).collect();
    let mail = Input::Sheet { seat: "allied".into(), edits, mail: "a".to_owned(), came: None };
    let batch = game.take(mail).unwrap();
    let answers = batch.letters.iter().flat_map(|l| &l.sections.body().answers).collect::<Vec<_>>();
    let third = answers.iter().find(|a| a.no == 3).unwrap();
    assert_eq!(third.outcome, Some(Outcome::Done), "{third:?}");
}
