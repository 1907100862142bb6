//! Lines that a newcomer wrote, each with the lines that may be offered for it: never another piece, never another verb that
//! only happens to be allowed; where nothing fits, the true reason.

use super::{ViewOf, called, meant};
use crate::rehearse::driver::{Table, files};
use crate::rehearse::warned::position;
use estafette::host::paper::{Format, Page, Paper};
use estafette::orders;
use estafette::orders::mend::{Meaning, Topic};
use estafette::rules::Ruleset;
use estafette::rules::austerlitz1805::Austerlitz;
use estafette::rules::austerlitz1805::event::{Fact, Sighting};
use estafette::rules::campaigns::Campaigns;
use estafette::rules::campaigns::board::LeaderId;
use estafette::rules::campaigns::intel::{Ident, Tie};
use serde_json::{Value, json};

/// The line, the lines that are offered for it, and words of the reason; `-` for a line that holds no order.
type Row = (&'static str, &'static [&'static str], &'static str);

fn read<R: Ruleset>(view: &ViewOf<R>, rows: &[Row]) -> String {
    let mut wrong = Vec::new();
    for (line, wanted, reason) in rows {
        let meaning = meant::<R>(view, line);
        let (word, lines) = called(&meaning);
        let why = match &meaning {
            Some(Meaning::Attempt(mended)) => format!("{} [{}]", mended.why, mended.rule),
            _ => String::new(),
        };
        let passed = *reason == "-" && word == "PASSED OVER";
        if !passed && (lines != *wanted || *reason == "-" || !why.contains(reason)) {
            wrong.push(format!("{line}\n   wanted {wanted:?} {reason}\n   got    {word} {lines:?} {why}"));
        }
    }
    wrong.join("\n")
}

fn strem(before: Value) -> ViewOf<Campaigns> {
    position::<Campaigns>("teaching.yaml", "french", before)
}

#[test]
fn on_sheet_a_no_other_piece_and_no_other_verb_is_offered() {
    let coalition = json!({"at": "own coalition", "sides": {"coalition": {"vedettes": {"1": "0704"}}}});
    let view = position::<Campaigns>("teaching.yaml", "coalition", coalition);
    let rows: [Row; 3] = [
        ("Umpire, my cavalry should not be with Kutuzov, please look.", &[], "-"),
        ("My cavalry should not be with Kutuzov, please look at it", &[], "-"),
        ("vedette one march 0705", &["VEDETTE 1 MARCH ROAD TO Steinbrück"], ""),
    ];
    assert_eq!(read::<Campaigns>(&view, &rows), "");
    let rows: [Row; 4] = [
        ("burn the bridge at Steinbrück", &[], "no force of yours stands at that bridge"),
        ("blow up the bridge", &[], "no force of yours stands at that bridge"),
        ("blow up the bridge 0605-0705", &[], "no force of yours stands at that bridge"),
        ("FORCE Lannes HOLD BRIDGE DAMAGE 0605/0705", &[], ""),
    ];
    assert_eq!(read::<Campaigns>(&strem(json!({"at": "own french"})), &rows), "");
}

#[test]
fn on_sheet_a_an_attack_is_put_off_and_a_march_from_somewhere_is_asked_where_to() {
    let rows: [Row; 2] = [
        (
            "FORCE Lannes ATTACK 2345",
            &["FORCE Lannes INITIATIVE MARCH ROAD TO 2346"],
            "this is sheet A, movement.  Bring a force next to it first. [¶301]",
        ),
        (
            "Lannes marches from Stockerau",
            &["FORCE Lannes INITIATIVE MARCH ROAD TO Sierndorf", "FORCE Lannes INITIATIVE MARCH ROAD TO Korneuburg"],
            "where to?",
        ),
    ];
    assert_eq!(read::<Campaigns>(&super::french("A"), &rows), "");
}

#[test]
fn who_marches_may_stand_behind_with_and_the_beginning_of_a_place_may_be_that_of_a_unit_too() {
    let rows: [Row; 2] = [
        ("advance with Davout to Floridsdorf", &["FORCE Davout INITIATIVE MARCH ROAD TO Floridsdorf"], ""),
        // Drouet is a unit; nobody goes to a unit.
        ("Mortier to Dro", &["FORCE Mortier INITIATIVE MARCH ROAD TO St Pölten"], "Drosendorf 1033 is out of reach"),
    ];
    let before = json!({"turn": 1, "at": "own french", "segment": "initiative"});
    assert_eq!(read::<Campaigns>(&position::<Campaigns>("1805-moravia.yaml", "french", before), &rows), "");
}

#[test]
fn a_leader_of_the_other_side_who_was_shown_is_known_by_his_name() {
    let mut view = strem(json!({"at": "own french"}));
    let (tag, counter) = view.enemy.iter_mut().next().unwrap();
    let (ident, among) = (Ident::Leader(LeaderId("bagration".to_owned())), [*tag].into());
    counter.tie = Some(Tie { ident, turn: 1, of: 1, sp: None, among });
    let rows: [Row; 2] = [
        ("Bagration to Steinbrück", &[], "no leader of yours is called Bagration"),
        ("Lannes attacks Bagration", &[], "an attack names a hex, not Bagration. [¶301]"),
    ];
    assert_eq!(read::<Campaigns>(&view, &rows), "");
}

/// ¶168: a request stays an order behind its question mark, and a command that cannot be given says so.
#[test]
fn on_sheet_a_a_polite_question_is_an_order_and_a_refused_command_has_its_own_reason() {
    const BY_ROAD: [&str; 1] = ["FORCE Lannes INITIATIVE MARCH ROAD TO Sierndorf"];
    let rows: [Row; 2] = [
        ("Please march Lannes to Sierndorf?", &BY_ROAD, "INITIATIVE is assumed"),
        ("FORCE Lannes COMMAND MARCH ROAD TO Sierndorf", &BY_ROAD, "no command may be given on the turn of"),
    ];
    assert_eq!(read::<Campaigns>(&super::french("A"), &rows), "");
}

#[test]
fn on_sheet_b_an_attack_is_by_all_who_are_named_and_none_is_declined() {
    let lone =
        strem(json!({"at": "designate french", "sides": {"french": {"leaders": {"mg_cav_f1": {"hex": "0605"}}}}}));
    const PURSUIT: [&str; 1] = ["BATTLE 0705 TYPE PURSUIT RESERVE NONE"];
    let rows: [Row; 5] = [
        ("BATTLE 0705 TYPE PITCHED ROUNDS 2 THEN PURSUIT", &PURSUIT, "bridge of a primary river"),
        ("attack steinbruck with MC1 and Lannes", &[], "[¶143-144]"),
        ("Lannes attacks Steinbrück", &[], "[¶305]"),
        ("MC1 attacks Steinbrück", &["ATTACK 0705 WITH MC1"], ""),
        ("do not attack", &["DECLINE 0705"], "[¶235]"),
    ];
    assert_eq!(read::<Campaigns>(&lone, &rows), "");
    let both = strem(json!({"at": "designate french", "sides": {"french": {"leaders": {
        "lannes": {"hex": "0605"}, "oudinot": {"hex": "0605"}, "gazan": {"hex": "0605"}}}}}));
    let rows: [Row; 1] =
        [("attack steinbruck with Lannes and Gazan", &["ATTACK 0705 WITH Lannes, Gazan"], "ATTACK hex WITH leader")];
    assert_eq!(read::<Campaigns>(&both, &rows), "");
}

#[test]
fn before_the_pratzen_labels_are_names_and_nothing_harmless_is_offered_instead() {
    let view = super::allied();
    let label = |name: &str| {
        let (id, _) = view.table.units.iter().find(|(id, _)| id.0 == name).unwrap();
        view.table.label(id).to_owned()
    };
    let (mine, foe) = (label("Repninsky"), label("St Hilaire/2"));
    assert_ne!(mine, "Repninsky");
    let by = |line: &str| match meant::<Austerlitz>(&view, line) {
        Some(Meaning::Attempt(mended)) => (mended.why, mended.lines),
        other => panic!("{line}: {other:?}"),
    };
    // By its label a unit gets the answer that it gets by its name.
    assert_eq!(by(&format!("ATTACK {mine} AT {foe}")), by("ATTACK Repninsky AT St Hilaire/2"));
    assert_eq!(by(&format!("FORM {mine} SQARE")), by("FORM Repninsky SQARE"));
    let rows: [Row; 3] = [
        ("Uvarov attack 4K", &["ATTACK Uvarov AT Margaron"], ""),
        ("Uvarov attack", &[], ""),
        ("form repninsky square", &[], "clear terrain"),
    ];
    let wrong = read::<Austerlitz>(&view, &rows);
    assert_eq!(wrong, "");
}

#[test]
fn what_the_fog_refuses_has_its_true_reason_and_a_cure() {
    let table = Table::<Austerlitz>::open(&files("austerlitz1805", "fog-teaching.yaml"), 1);
    let view = table.view("french");
    let why = |line: &str| match meant::<Austerlitz>(&view, line) {
        Some(Meaning::Attempt(mended)) => (mended.why, mended.lines),
        other => panic!("{line}: {other:?}"),
    };
    let cured = |line: &str, reason: &str| {
        let (said, lines) = why(line);
        assert!(said.contains(reason), "{line}: {said} {lines:?}");
        assert!(!said.contains("\"to\""), "{line}: {said}");
        assert_eq!(lines.len(), 1, "{line}: {said} {lines:?}");
        assert!(super::legal::<Austerlitz>(&view, &lines[0]), "{line}: {lines:?}");
        lines[0].clone()
    };
    let moved = cured("CHIT 1 = Vandamme/1 PLACE 5000,9000", "Vandamme/1 is with IV");
    assert!(moved.starts_with("CHIT 1 = Vandamme/1 PLACE "), "{moved}");
    let fewer = cured("CHIT 1 = Vandamme/1, Vandamme/2 PLACE 11500,16500", "one infantry unit; leave Vandamme/2 out");
    assert_eq!(fewer, "CHIT 1 = Vandamme/1 PLACE 11500,16500");
    let spelt = cured("CHIT 1 = Vandame/1 PLACE 11500,16500", "");
    assert_eq!(spelt, "CHIT 1 = Vandamme/1 PLACE 11500,16500");
    // Another unit is never meant by one that is not on the field, and no number is another corps.
    let (said, lines) = why("ATTACK Vandamme/1 AT III/1");
    assert!(lines.is_empty(), "{said} {lines:?}");
    let (said, lines) = why("STRAT 9 TO F6");
    assert!(lines.is_empty() && said.contains("\"9\""), "{said} {lines:?}");
    assert_eq!(meant::<Austerlitz>(&view, "STRAT 3 TO F6"), None);
}

#[test]
fn several_units_of_one_line_are_mended_together_and_nothing_of_the_wish_is_lost() {
    let view = super::allied();
    let first = |line: &str| match meant::<Austerlitz>(&view, line) {
        Some(Meaning::Attempt(mended)) => mended.lines.first().cloned().unwrap_or_default(),
        other => panic!("{line}: {other:?}"),
    };
    let both = first("Move Repninsky and Rotermund 1 UM to Pratzen");
    assert_eq!(both, "MOVE Repninsky AND Rotermund TOWARD Pratzen 1UM");
    assert!(super::legal::<Austerlitz>(&view, &both));
    assert_eq!(first("Kollowrat goes with Repninsky"), "ATTACH Kollowrat TO Repninsky");
}

#[test]
fn an_area_of_the_strategic_maps_is_drawn() {
    let table = Table::<Austerlitz>::open(&files("austerlitz1805", "fog-teaching.yaml"), 1);
    let view = table.view("french");
    let drawn = |area: &str| Austerlitz::map(&view, Some(area), Format::default());
    for area in ["A5", "f3"] {
        let lines = drawn(area).unwrap_or_else(|fault| panic!("{area}: {fault}"));
        assert!(lines[0].starts_with("Area ") && lines.len() > 10, "{lines:?}");
    }
    assert!(drawn("Z9").is_err());
}

#[test]
fn what_the_fog_offers_can_be_sent_together() {
    for side in ["french", "allied"] {
        let table = Table::<Austerlitz>::open(&files("austerlitz1805", "fog-teaching.yaml"), 1);
        let view = table.view(side);
        let lines = Austerlitz::offers(&view);
        let boxes: Vec<&str> =
            lines.iter().filter(|l| !l.starts_with("STRAT")).filter_map(|l| l.split(' ').nth(1)).collect();
        let places: Vec<&str> = lines.iter().filter_map(|l| l.split(" PLACE ").nth(1)).collect();
        let apart = |list: &[&str]| list.iter().collect::<std::collections::BTreeSet<_>>().len() == list.len();
        assert!(apart(&boxes) && apart(&places), "{lines:?}");
    }
}

/// What the stage says of a fog turn to the French.
fn stage(turn: u32, sight: i32) -> (String, String, String) {
    let before = json!({"turn": turn, "at": "fog", "sight": sight});
    let base = super::base::<Austerlitz>("austerlitz1805/fog-teaching.yaml", before);
    let view = super::view(&base, "french");
    let told = [Sighting::Open(Fact::Fog { die: Some(4), sight: Some(sight) })];
    let page = Page::<Austerlitz> {
        view: &view,
        before: None,
        told: &told,
        format: Format::default(),
        whole: false,
        sees: &[],
    };
    let sections = Austerlitz::sections(&page);
    (sections.now, sections.if_not, sections.story.join(" "))
}

#[test]
fn that_the_fog_lifts_is_said_before_and_when_it_does() {
    let (now, quiet, stays) = stage(1, 500);
    assert!(
        now.contains("strategic moves") && !quiet.contains("next turn") && stays.contains("The fog stays"),
        "{quiet}"
    );
    let (_, may, _) = stage(4, 500);
    assert!(may.contains("next turn the fog lifts on ") && may.contains("must come down"), "{may}");
    let (_, will, _) = stage(6, 500);
    assert!(will.contains("next turn the fog lifts: "), "{will}");
    let (now, if_not, story) = stage(5, 1000);
    assert!(now.contains("the fog lifts, and no corps moves") && !now.contains("strategic moves"), "{now}");
    assert!(if_not.contains("comes down in its area") && !if_not.contains("stay"), "{if_not}");
    assert!(story.contains("The fog begins to lift (die 4)") && story.contains("strategic maps close"), "{story}");
}

/// 16.4.2.1, 16.4.2.4: a line that is offered changes nothing of which its reason says nothing.
#[test]
fn a_line_that_is_offered_changes_nothing_but_what_its_reason_says() {
    let table = Table::<Austerlitz>::open(&files("austerlitz1805", "fog-teaching.yaml"), 1);
    let view = table.view("french");
    let why = |line: &str| match meant::<Austerlitz>(&view, line) {
        Some(Meaning::Attempt(mended)) => (mended.why, mended.lines),
        other => panic!("{line}: {other:?}"),
    };
    let rows: [(&str, &[&str], &str); 6] = [
        (
            "CHIT 1 = Vandame/1, Vandamme/2, Soult PLACE 11500,16500",
            &["\"Vandame/1\" is read as Vandamme/1", "leave Vandamme/2 out"],
            "CHIT 1 = Vandamme/1, Soult PLACE 11500,16500",
        ),
        (
            "CHIT 3 = Soult, Vandamme/1, IV foot/1, IV foot/2 PLACE 11500,16500",
            &["leave IV foot/2 out"],
            "CHIT 3 = Soult, Vandamme/1, IV foot/1 PLACE 11500,16500",
        ),
        (
            "CHIT 3 = Vandamme/1, Vandamme/2, IV foot/1, IV foot/2 PLACE 11500,16500",
            &["leave Vandamme/2 out", "leave IV foot/2 out"],
            "CHIT 3 = Vandamme/1, IV foot/1 PLACE 11500,16500",
        ),
        (
            "CHIT 1 = Vandamme/1 PLACE Pratzn",
            &["\"Pratzn\" is read as Pratzen", "Vandamme/1 is with IV", "the nearest place for it is ", " UM off"],
            "CHIT 1 = Vandamme/1 PLACE ",
        ),
        (
            "DECOY 11 PLAC Pratzen",
            &["\"PLAC\" is read as PLACE", "no corps of yours stands in ", " UM off"],
            "DECOY 11 PLACE ",
        ),
        (
            "CHIT 19 = Vandame/1, Vandamme/2 PLACE Pratzen",
            &["\"Vandame/1\" is read as", "1 to 18", "leave Vandamme/2 out", "nearest place for it is "],
            "CHIT 1 = Vandamme/1 PLACE ",
        ),
    ];
    for (line, reasons, wanted) in rows {
        let (said, lines) = why(line);
        let whole = reasons.iter().all(|reason| said.contains(reason));
        assert!(whole && lines.len() == 1 && lines[0].starts_with(wanted), "{line}: {said} {lines:?}");
        assert!(super::legal::<Austerlitz>(&view, &lines[0]), "{line}: {lines:?}");
        let moved = said.contains("UM off");
        assert_eq!(lines[0].ends_with(" PLACE 11500,16500"), !moved, "{line}: {said} {lines:?}");
    }
}

/// 6.4: the mails' name of a corps is the corps, and silently no unit whose name only begins with it.
#[test]
fn the_name_of_a_corps_is_the_corps_and_silently_no_unit() {
    let view = super::allied();
    let fields = fields();
    let rows: [Row; 5] = [
        ("MOVE IV TOWARD Pratzen 1UM", &["MOVE CORPS IV TOWARD Pratzen 1UM"], "IV is a corps"),
        ("MOVE IV corps TOWARD Pratzen 1UM", &["MOVE CORPS IV TOWARD Pratzen 1UM"], "IV is a corps"),
        ("MOVE CORPS 4 TOWARDS Pratzen 1UM", &["MOVE CORPS IV TOWARD Pratzen 1UM"], "IV is a corps"),
        ("IV to Pratzen", &["MOVE CORPS IV TOWARD Pratzen"], "IV is a corps"),
        ("TURN IV NE", &["TURN CORPS IV NE"], "IV is a corps: with CORPS before its name"),
    ];
    assert_eq!(read::<Austerlitz>(&view, &rows), "");
    let to = "TOWARD Pratzen 1UM";
    assert!(meant::<Austerlitz>(&fields, &format!("MOVE Guard Hussars {to}")).is_none());
    let both = [format!("MOVE CORPS Guard {to}"), format!("MOVE Guard Hussars {to}")];
    for (line, wanted) in
        [(format!("MOVE Guard {to}"), both.as_slice()), (format!("MOVE the Guard corps {to}"), &both[..1])]
    {
        let meaning = meant::<Austerlitz>(&fields, &line);
        assert_eq!(called(&meaning), ("NOT TAKEN", wanted.to_vec()), "{line}: {meaning:?}");
    }
    let table = Table::<Austerlitz>::open(&files("austerlitz1805", "fog-teaching.yaml"), 1);
    let sealed = table.view("french");
    let strat = called(&meant::<Austerlitz>(&sealed, "MOVE IV TO A5")).1;
    let legal = super::legal::<Austerlitz>(&sealed, "STRAT IV TO A5");
    assert_eq!(strat, if legal { vec!["STRAT IV TO A5".to_owned()] } else { Vec::new() });
    let zones = sealed.table.board.strategic.zones.iter().map(|zone| zone.id.clone());
    let open: Vec<String> =
        zones.filter(|z| super::legal::<Austerlitz>(&sealed, &format!("STRAT IV TO {z}"))).collect();
    assert!(!open.is_empty());
    for zone in open {
        let offered = called(&meant::<Austerlitz>(&sealed, &format!("MOVE IV TO {zone}"))).1;
        assert_eq!(offered, [format!("STRAT IV TO {zone}")]);
    }
}

/// The Allies with their Guard on the field.
fn fields() -> ViewOf<Austerlitz> {
    let unit = |x: i32| json!({"at": format!("{x},12000@W"), "form": "line"});
    let units = json!({"Guard Hussars": unit(20000), "Horse Guard": unit(22000)});
    position::<Austerlitz>("teaching.yaml", "allied", json!({"at": "own allied", "units": units}))
}

/// Whatever name the mails print is read, and the minus of an offset is not guessed at.
#[test]
fn a_name_that_is_cut_in_a_table_is_read_and_an_offset_goes_no_other_way() {
    let view = super::allied();
    let label = |name: &str| {
        let (id, _) = view.table.units.iter().find(|(id, _)| id.0 == name).unwrap();
        view.table.label(id).to_owned()
    };
    let (name, cut) = ("IV Austrian/1", "IV Austria/1");
    for line in [
        format!("FORM {cut} LIMBER"),
        format!("FORM {} {cut} LIMBER", label(name)),
        format!("FORM {} {name} LIMBER", label(name)),
    ] {
        assert_eq!(meant::<Austerlitz>(&view, &line), None, "{line}");
    }
    for (line, wanted) in [
        ("MOVE Repninsky TOWARD Pratzen-500S 1UM", ["Pratzen+500S", "Pratzen+500N"]),
        ("MOVE Repninsky TOWARD Pratzen-500e 1UM", ["Pratzen+500E", "Pratzen+500W"]),
    ] {
        let lines = called(&meant::<Austerlitz>(&view, line)).1;
        let wanted = wanted.map(|place| format!("MOVE Repninsky TOWARD {place} 1UM"));
        assert_eq!(lines, wanted, "{line}");
    }
    let taken = |place: &str| meant::<Austerlitz>(&view, &format!("MOVE Repninsky TOWARD {place} 1UM")).is_none();
    assert!(taken("Pratzen+500S+200E") && !taken("Pratzen+500S-200E"));
}

/// 16.4.2: chits in the words of somebody who has read the report and no form.
#[test]
fn a_chit_is_moved_and_turned_over_in_a_newcomers_words() {
    let chit =
        |number: u8, at: &str, units: &[&str]| json!({"side": "french", "number": number, "at": at, "units": units});
    let mut chits = json!({"FC1": chit(1, "12900,17200", &["Vandamme/1"]), "FC2": chit(3, "11500,16500", &[])});
    chits["AC1"] = json!({"side": "allied", "number": 2, "at": "22750,17250", "units": []});
    let view = position::<Austerlitz>("fog-teaching.yaml", "french", json!({"at": "own french", "chits": chits}));
    let rows: [Row; 11] = [
        ("March +1 towards Puntowitz 1.5 UM", &["MARCH 1 TOWARD Puntowitz 1.5UM"], "[16.4.2.6]"),
        ("march chit 3 TOWARD Puntowitz 1UM", &["MARCH 3 TOWARD Puntowitz 1UM"], "[16.4.2.6]"),
        ("march chit 1 to Puntowitz", &["MARCH 1 TOWARD Puntowitz"], "[16.4.2.6]"),
        ("move +3 to Puntowitz 1UM", &["MARCH 3 TOWARD Puntowitz 1UM"], "[16.4.2.6]"),
        ("TURN 1 NE", &[], ""),
        ("March all towards Puntowitz", &[], "one line a chit: MARCH 1 TOWARD place 2UM"),
        ("UNCOVER 1", &["DEPLOY 1"], "[16.4.2.8]"),
        ("Reveal chit 1", &["DEPLOY 1"], "[16.4.2.8]"),
        ("deploy chit 3", &["DEPLOY 3"], "[16.4.2.8]"),
        ("UNCOVER 6", &[], "you have no chit 6 on the map [16.4.2.8]"),
        ("ATTACK 1 AT AC1", &["MARCH 1 TOWARD AC1"], "a chit does not attack"),
    ];
    assert_eq!(read::<Austerlitz>(&view, &rows), "");
    let table = Table::<Austerlitz>::open(&files("austerlitz1805", "fog-teaching.yaml"), 1);
    let sealed = table.view("french");
    let area = sealed.own.corps["IV"].clone();
    for line in [format!("CHIT 1 = Vandamme/1 PLACE {area}"), format!("DECOY 2 PLACE {area}")] {
        let meaning = meant::<Austerlitz>(&sealed, &line);
        let Some(Meaning::Attempt(mended)) = &meaning else { panic!("{line}: {meaning:?}") };
        let head = line.rsplit_once(' ').unwrap().0;
        assert!(mended.why.contains(&format!("{area} is an area")), "{line}: {mended:?}");
        assert!(mended.lines.len() == 1 && mended.lines[0].starts_with(head), "{line}: {mended:?}");
        let place = mended.lines[0].rsplit(' ').next().unwrap();
        assert!(mended.why.contains(place), "{line}: {mended:?}");
    }
}

/// What an order of movement is offered as says all words that it reads otherwise, the way that it cuts, whom it leaves out.
#[test]
fn a_move_that_is_offered_names_each_word_and_the_way_that_it_cuts() {
    let view = super::allied();
    let rows: [(&str, &[&str], &[&str]); 5] = [
        (
            "MOVE Repninksy TOWARD Pratzn 1UM",
            &["MOVE Repninsky TOWARD Pratzen 1UM"],
            &["\"Repninksy\" is read as Repninsky", "\"Pratzn\" is read as Pratzen"],
        ),
        (
            "MOVE Repninksy TOWARD Pratzen 5UM",
            &["MOVE Repninsky TOWARD Pratzen 2UM"],
            &["\"Repninksy\" is read as Repninsky", "5 UM is not possible"],
        ),
        ("MOVE Repninsky TOWARD Xyzzyq 1UM", &[], &["\"Xyzzyq\" is not a place"]),
        ("Repninsky quicklish to Pratzen", &["MOVE Repninsky TOWARD Pratzen 2UM"], &["quicklish is left out"]),
        ("Repninsky marches to Pratzen by Krug", &["MOVE Repninsky TOWARD Krug 2UM"], &["Pratzen is left out"]),
    ];
    for (line, wanted, reasons) in rows {
        let meaning = meant::<Austerlitz>(&view, line);
        let Some(Meaning::Attempt(mended)) = &meaning else { panic!("{line}: {meaning:?}") };
        assert_eq!(mended.lines, wanted, "{line}");
        assert!(reasons.iter().all(|reason| mended.why.contains(reason)), "{line}: {}", mended.why);
    }
}

#[test]
fn a_chit_is_put_down_in_free_words() {
    let table = Table::<Austerlitz>::open(&files("austerlitz1805", "fog-teaching.yaml"), 1);
    let rows: [Row; 5] = [
        (
            "Put Vandamme/1 at 11500,16500 as chit 1",
            &["CHIT 1 = Vandamme/1 PLACE 11500,16500"],
            "a chit is CHIT number",
        ),
        ("chit 4 = Vandamme/1 at 11500,16500", &["CHIT 4 = Vandamme/1 PLACE 11500,16500"], ""),
        ("Decoy at 11500,16500", &["DECOY 1 PLACE 11500,16500"], "a decoy is DECOY number"),
        ("Chit 3 is a decoy at 11500,16500", &["DECOY 3 PLACE 11500,16500"], ""),
        // Which units it holds is not guessed.
        ("Put a chit at 11500,16500", &[], ""),
    ];
    assert_eq!(read::<Austerlitz>(&table.view("french"), &rows), "");
    let told = |line: &str| match meant::<Austerlitz>(&table.view("french"), line) {
        Some(Meaning::Question(Topic::Told(lines))) => lines.join(" "),
        other => panic!("{line}: {other:?}"),
    };
    assert!(told("When does the fog lift?").contains("[16.2]"));
    assert!(told("What is a decoy?").contains("DECOY 4 PLACE"));
    assert!(told("Where is the striped zone?").contains("[16.4.1.6]"));
    assert!(told("What did I lose?").starts_with("Lost by you: nobody."));
    assert!(told("Vandamme/1 stays").contains("stays on the strategic map"));
}

#[test]
fn who_supports_a_friend_stands_by_his_enemy_and_nobody_is_sent_where_he_is_barred() {
    let column = |at: &str| json!({"at": at, "form": "column"});
    let stand = |rear: &str, fights: Value| {
        position::<Austerlitz>(
            "teaching.yaml",
            "french",
            json!({"bare": true, "at": "own french", "units": {
            "Vandamme/1": column("2500,9000@N"), "Vandamme/2": column(rear), "Repninsky": column("3000,9385@S")},
            "combats": fights}),
        )
    };
    let offered = |view: &ViewOf<Austerlitz>, line: &str| match meant::<Austerlitz>(view, line) {
        Some(Meaning::Attempt(mended)) => mended.lines,
        other => panic!("{line}: {other:?}"),
    };
    // Nobody attacks yet: to go to the friend is no support.
    let none = Vec::<String>::new();
    assert_eq!(offered(&stand("3500,8500@N", json!([])), "Vandamme/2 supports Vandamme/1"), none);
    let fights = json!([{"by": "french", "on": "Repninsky", "lead": "Vandamme/1", "support": [], "charge": false,
        "old": false, "face": "front", "bonus": 0}]);
    let support = offered(&stand("3500,8500@N", fights), "Vandamme/2 supports Vandamme/1");
    assert_eq!(support, ["SUPPORT Vandamme/2 AT Repninsky"]);
    // The friend before him bars a march as he bars the attack.
    let barred = position::<Austerlitz>(
        "teaching.yaml",
        "french",
        json!({"bare": true, "at": "own french", "units": {
        "Vandamme/1": {"at": "3000,9000@N"}, "Vandamme/2": column("3000,8500@N"), "Repninsky": column("3000,10400@S")}}),
    );
    for line in offered(&barred, "Vandamme/2 attacks Repninsky") {
        let order = orders::bind(Austerlitz::verbs(), &barred, &orders::line(1, &line)).unwrap();
        let warnings = Austerlitz::rehearse(&barred, &order).unwrap().warnings;
        assert!(warnings.is_empty(), "{line}: {warnings:?}");
    }
}

#[test]
fn the_second_wish_of_a_line_is_not_dropped_without_a_word() {
    let view = position::<Austerlitz>(
        "teaching.yaml",
        "french",
        json!({"bare": true, "at": "own french", "units": {
        "Vandamme/1": {"at": "3000,9000@E", "form": "column"}, "Repninsky": {"at": "15000,9000@W"}}}),
    );
    let by = |line: &str| match meant::<Austerlitz>(&view, line) {
        Some(Meaning::Attempt(mended)) => (mended.lines, mended.why),
        other => panic!("{line}: {other:?}"),
    };
    let (lines, why) = by("Vandamme/1 marches 1 UM to 8000,9000, then line");
    assert!(lines[0].starts_with("MOVE Vandamme/1 TOWARD 8000,9000"), "{lines:?}");
    assert!(why.contains("LINE is left out"), "{why}");
    let (lines, _) = by("Vandamme/1 marches 1 UM to 8000,9000 and faces NE");
    assert!(lines[0].ends_with("FACE NE"), "{lines:?}");
}
