//! What a letter offers harms nobody who copies it, one slip does not cost the lines below it, and who asks how he stands is
//! told.

use super::{files, play};
use crate::rehearse::driver::Table;
use estafette::fog::SeatId;
use estafette::games::{self, GAMES};
use estafette::host::paper::{Format, Paper};
use estafette::host::sheet::{Edit, Edited, Ending, Verdict};
use estafette::host::{Answered, Game, Input};
use estafette::orders;
use estafette::rules::Ruleset;
use estafette::rules::brave_fellows::state::{At, Segment};
use estafette::rules::brave_fellows::view::View;
use estafette::rules::brave_fellows::{BraveFellows, solo, standing};
use estafette::rules::rehearsal::{Caution, Plan};
use estafette::simulate;
use serde_json::{Value, json};

/// A position on the field of Dürenstein.
fn at(before: Value) -> View {
    let base = BraveFellows::arrange(&files("durenstein.yaml"), before).unwrap();
    let side = match &base.state.at {
        At::Impulse(side) => side.0.clone(),
        other => panic!("{other:?}"),
    };
    Table::<BraveFellows>::at(base, 1).view(&side)
}

/// The plan that some lines make; each has to be taken.
fn planned(v: &View, lines: &[String]) -> Plan<BraveFellows> {
    let mut plan = Plan::new(v.clone());
    for line in lines {
        plan.line(&orders::line(1, line)).unwrap_or_else(|fault| panic!("{line}: {fault}"));
    }
    plan
}

/// One battalion in Unterloiben with its leader, one beside it, an enemy three hexes off.
fn home() -> Value {
    json!({"at": "french", "turn": 4, "free": ["gazan", "line"], "segment": "movement", "turned": ["Campana"],
        "units": {"103-1": {"at": "1418", "face": "N", "active": true}, "APS-1": {"at": "1814", "face": "S"}},
        "leaders": {"Campana": "1418", "Miloradovich": "1814"}, "towns": {"Unterloiben": "french"}})
}

#[test]
fn who_leaves_a_town_or_his_leader_is_warned() {
    let v = at(home());
    let kinds = |lines: &[&str]| -> Vec<Caution> {
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        planned(&v, &lines).warnings().into_iter().map(|warning| warning.kind).collect()
    };
    assert_eq!(kinds(&["MOVE 103-1 1417"]), [Caution::Objective, Caution::Alone]);
    assert_eq!(kinds(&["MOVE 103-1 1417", "LEADER Campana TO 1417"]), [Caution::Objective]);
    assert_eq!(kinds(&["FACE 103-1 NE"]), []);
    // Nobody is near who could take him.
    let mut far = home();
    far["units"]["APS-1"]["at"] = json!("2610");
    far["leaders"]["Miloradovich"] = json!("2610");
    let plan = planned(&at(far), &["MOVE 103-1 1417".to_owned()]);
    assert_eq!(plan.warnings().into_iter().map(|w| w.kind).collect::<Vec<_>>(), [Caution::Objective]);
}

#[test]
fn an_activation_in_which_nobody_follows_is_warned_of_and_not_offered() {
    let mut lonely = home();
    lonely["segment"] = json!("activation");
    lonely["turned"] = json!([]);
    lonely["leaders"]["Gazan"] = json!("1119");
    lonely["units"]["103-1"]["active"] = json!(false);
    let v = at(lonely);
    assert_eq!(standing::callable(&v), ["Campana"]);
    let mut plan = Plan::<BraveFellows>::new(v);
    let done = plan.line(&orders::line(1, "ACTIVATE Gazan")).unwrap();
    assert_eq!(done.warnings.iter().map(|w| w.kind).collect::<Vec<_>>(), [Caution::NoEffect], "{:?}", done.said);
}

#[test]
fn what_is_offered_makes_one_plan_that_gives_up_no_town_and_leaves_no_leader_alone() {
    let (mut fights, mut rides, mut seen) = (0, 0, 0);
    let entry = games::find(GAMES, "brave_fellows").unwrap();
    for name in ["teaching.yaml", "teaching-fog.yaml"] {
        for number in 1..=2 {
            let mut game = simulate::open(entry, &files(name), number).unwrap();
            let mut table = Input::Begin;
            for mail in 1..5_000 {
                let batch = game.take(table.clone()).unwrap_or_else(|broken| panic!("{}", broken.why));
                for letter in &batch.letters {
                    let offers = &letter.sections.body().offers;
                    if offers.is_empty() {
                        continue;
                    }
                    let lines: Vec<(u32, String)> = (1..).zip(offers.iter().cloned()).collect();
                    let told = game.rehearse(&letter.seat, &lines, false);
                    let told = told.body();
                    let taken = |a: &Answered| matches!(a.verdict, Some(Verdict::Taken { .. }));
                    assert!(told.answers.iter().all(taken), "{offers:?}: {:?}", told.answers);
                    let harm = |(_, rule): &&(String, String)| ["10.2.2", "6.5.4"].contains(&rule.as_str());
                    assert_eq!(told.warnings.iter().find(harm), None, "{name} {number}: {offers:?}");
                    fights += offers.iter().filter(|l| l.starts_with("FIRE ") || l.starts_with("MELEE ")).count();
                    rides += offers.iter().filter(|l| l.starts_with("LEADER ")).count();
                    seen += 1;
                    let calls = offers.iter().filter(|l| l.starts_with("ACTIVATE ")).count();
                    assert!(calls <= 1, "one leader acts in an impulse: {offers:?}");
                }
                let Some(due) = batch.dues.first().filter(|_| !batch.over) else { break };
                table = simulate::mail_of(game.as_ref(), &due.seat, number, mail);
            }
        }
    }
    assert!(seen > 20 && fights > 5 && rides > 2, "{seen} letters, {fights} fires and melees, {rides} rides");
}

/// The teaching game at the first sheet of the Coalition.
fn opened() -> (Box<dyn Game>, SeatId, Vec<String>) {
    let entry = games::find(GAMES, "brave_fellows").unwrap();
    let mut game = simulate::open(entry, &files("teaching.yaml"), 1).unwrap();
    let batch = game.take(Input::Begin).unwrap_or_else(|broken| panic!("{}", broken.why));
    let seat = batch.dues.first().unwrap().seat.clone();
    let letters = batch.letters.iter().find(|letter| letter.seat == seat).unwrap();
    let offers = letters.sections.body().offers.clone();
    (game, seat, offers)
}

#[test]
fn one_slip_in_the_activation_does_not_cost_the_lines_below_it() {
    let (game, seat, offers) = opened();
    let (call, moves): (Vec<String>, Vec<String>) = offers.into_iter().partition(|line| line.starts_with("ACTIVATE "));
    let slip = call.first().unwrap().replacen("ACTIVATE Milo", "ACTIVATE Mlo", 1);
    let moves: Vec<String> = moves.into_iter().filter(|line| line.starts_with("MOVE ")).collect();
    assert!(slip.starts_with("ACTIVATE Mlo") && !moves.is_empty(), "{slip} {moves:?}");
    let lines: Vec<(u32, String)> = (1..).zip(std::iter::once(slip).chain(moves.clone())).collect();
    let told = game.rehearse(&seat, &lines, false);
    let verdicts: Vec<&Verdict> = told.body().answers.iter().filter_map(|answer| answer.verdict.as_ref()).collect();
    let [Verdict::NotTaken(mended), waits @ ..] = verdicts.as_slice() else { panic!("{verdicts:?}") };
    assert_eq!(mended.lines, call);
    assert_eq!(waits.len(), moves.len(), "{verdicts:?}");
    for verdict in waits {
        assert!(matches!(verdict, Verdict::Waits { above, .. } if *above == [1]), "{verdict:?}");
    }
}

/// One mail of a sheet.
fn mail(seat: &SeatId, lines: &[(u32, &str, Edit)]) -> Input {
    let edit = |(no, text, edit): &(u32, &str, Edit)| Edited { no: *no, text: (*text).to_owned(), edit: edit.clone() };
    Input::Sheet { seat: seat.clone(), edits: lines.iter().map(edit).collect(), mail: format!("{lines:?}"), came: None }
}

/// A sheet whose letter offers a leader, a move and a fire that does not need the move.
fn fires(number: u64) -> Option<(Box<dyn Game>, SeatId, Vec<String>)> {
    let entry = games::find(GAMES, "brave_fellows").unwrap();
    let mut game = simulate::open(entry, &files("teaching.yaml"), number).unwrap();
    let mut input = Input::Begin;
    for mail in 1..5_000 {
        let batch = game.take(input.clone()).unwrap_or_else(|broken| panic!("{}", broken.why));
        let due = batch.dues.first().filter(|_| !batch.over)?.clone();
        input = simulate::mail_of(game.as_ref(), &due.seat, number, mail);
        let Some(letter) = batch.letters.iter().find(|letter| letter.seat == due.seat) else { continue };
        let offers = letter.sections.body().offers.clone();
        let far = |line: &str| !line.starts_with("MOVE ") || (line.contains(" FACE ") && line.split(' ').count() > 6);
        let first = |verb: &str| offers.iter().find(|line| line.starts_with(verb) && far(line)).cloned();
        let found: Option<Vec<String>> = ["ACTIVATE ", "MOVE ", "FIRE "].map(first).into_iter().collect();
        let Some(found) = found else { continue };
        let lines = [(1, found[0].clone()), (2, found[2].clone())];
        let told = game.rehearse(&due.seat, &lines, false);
        if told.body().answers.iter().all(|a| matches!(a.verdict, Some(Verdict::Taken { .. }))) {
            return Some((game, due.seat, found));
        }
    }
    None
}

#[test]
fn fire_below_a_move_with_a_slip_waits_for_it() {
    let (mut game, seat, offers) = (1..=9).find_map(fires).unwrap();
    let line = |verb: &str| offers.iter().find(|line| line.starts_with(verb)).unwrap().as_str();
    // Only where it is to end.
    let (way, _) = line("MOVE ").split_once(" FACE ").unwrap();
    let words: Vec<&str> = way.split(' ').collect();
    let slip = format!("MOVE {} {}", words[1], words[words.len() - 1]);
    assert_ne!(slip, line("MOVE "));
    let lines = [(1, line("ACTIVATE "), Edit::Add), (2, slip.as_str(), Edit::Add), (3, line("FIRE "), Edit::Add)];
    let batch = game.take(mail(&seat, &lines)).unwrap_or_else(|broken| panic!("{}", broken.why));
    let fires = |entries: &[estafette::host::Entry]| entries.iter().filter(|e| e.body.contains("fire/")).count();
    let answers = batch.letters.iter().find(|letter| letter.seat == seat).map(|l| format!("{:?}", l.sections.body()));
    let answers = answers.unwrap();
    assert!(answers.contains("waits for END: line 2 is not taken, and has its place before it."), "{answers}");
    assert_eq!(fires(&batch.entries), 0, "{answers}");
    let sheet = game.sheet(&seat).into_parts().1.unwrap();
    assert_eq!(sheet.lines, [(3, line("FIRE ").to_owned())]);
    // Put right, and ended: the move first, and then the fire.
    let right = Edit::Rewrite { line: 2, text: line("MOVE ").to_owned() };
    let lines = [(4, "2 = MOVE", right), (5, "END", Edit::End(Ending::Counted))];
    let batch = game.take(mail(&seat, &lines)).unwrap_or_else(|broken| panic!("{}", broken.why));
    let kinds: Vec<&str> = batch
        .entries
        .iter()
        .filter_map(|e| ["\"stepped\"", "\"fired\""].into_iter().find(|kind| e.body.contains(kind)))
        .collect();
    let first = kinds.iter().position(|kind| *kind == "\"fired\"");
    assert!(kinds.first() == Some(&"\"stepped\"") && first.is_some(), "{kinds:?}");
}

#[test]
fn moves_below_fire_are_judged_as_they_will_be_carried_out() {
    let v = at(json!({"at": "french", "turn": 4, "clear": true, "free": ["gazan", "line"],
        "units": {"4L-1": {"at": "1010", "face": "N"}, "100-1": {"at": "1011", "face": "N"}, "APS-1": {"at": "1009", "face": "N"}},
        "leaders": {"Campana": "1011", "Gaindorge": "1010", "Miloradovich": "1005"}}));
    let read = |line: &str| orders::read(BraveFellows::verbs(), &v, &orders::line(1, line)).unwrap();
    let plan = ["MELEE 4L-1 AT 1009", "FIRE 4L-1 AT 1009", "MOVE 4L-1 1110", "ACTIVATE Gaindorge", "LOSS 4L-1"];
    let mut waiting: Vec<&str> = plan.to_vec();
    let (mut done, mut now) = (Vec::new(), v.clone());
    while !waiting.is_empty() {
        let book = estafette::rules::journal::Book::default();
        let next = BraveFellows::next(&now, &book, &mut waiting.iter().map(|line| read(line))).unwrap_or(0);
        let line = waiting.remove(next);
        now.state.segment = match line.split(' ').next() {
            Some("ACTIVATE") => Segment::Movement,
            Some("FIRE") => Segment::Fire,
            _ => now.state.segment,
        };
        done.push(line);
    }
    assert_eq!(done, [plan[3], plan[2], plan[4], plan[1], plan[0]]);
    // A second call comes in time in the next impulse, and is told so.
    let mut plan = planned(&v, &["ACTIVATE Gaindorge".to_owned()]);
    let fault = plan.line(&orders::line(2, "ACTIVATE Campana")).err().unwrap().to_string();
    assert!(fault.contains("in your next impulse, or WITH the first"), "{fault}");
}

#[test]
fn who_waits_for_whom_and_what_stands_in_the_towns_is_said() {
    let v = at(home());
    let said = BraveFellows::victory(&v).join("\n");
    assert!(said.contains("Durenstein 0 of 2, Oberloiben 0 of 1, Unterloiben 1 of 1"), "{said}");
    assert!(said.contains("It is your impulse, and it goes on."), "{said}");
    let mut told = 0;
    play("teaching-fog.yaml", 1, Format::default(), |game, _, batch| {
        if batch.over {
            return;
        }
        let said = game.victory(&SeatId::from("coalition"));
        told += usize::from(said.body().iter().any(|line| line.contains("It is the other side's impulse")));
    });
    assert!(told > 3, "{told}");
}

/// 6.2.6 Whoever moves after another ends the other's movement: the program's player turns who is under way first, and asks
/// nothing of who has finished.
#[test]
fn the_program_turns_who_is_under_way_before_another_moves() {
    let lines = |done: bool| {
        let mut before = home();
        before["units"]["100-1"] = json!({"at": "1616", "face": "S", "active": true});
        before["units"]["103-1"] = json!({"at": "0715", "face": "N", "active": true});
        let mut v = at(before);
        v.state.level_die = Some(1);
        let begun = v.state.units.get_mut("103-1").unwrap();
        (begun.spent, begun.done) = (1, done);
        solo::lines(&v, &[], 1)
    };
    let first = |lines: &[String], name: &str| lines.iter().position(|line| line.contains(name));
    let under_way = lines(false);
    let (own, other) = (first(&under_way, "FACE 103-1 "), first(&under_way, " 100-1 "));
    assert!(own.is_some() && other.is_some() && own < other, "{under_way:?}");
    let finished = lines(true);
    assert!(first(&finished, " 103-1 ").is_none() && first(&finished, " 100-1 ").is_some(), "{finished:?}");
}
