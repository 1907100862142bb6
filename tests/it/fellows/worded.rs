//! What a newcomer reads and writes: labels of the map, leaders as targets, over-stacks, charges, towns, and why a line is not
//! taken.

use super::{base, fight, mended, view};
use estafette::hex::{Dir, Hex};
use estafette::host::paper::{Format, Paper};
use estafette::orders;
use estafette::rules::Ruleset;
use estafette::rules::brave_fellows::BraveFellows;
use estafette::rules::brave_fellows::event::Event;
use estafette::rules::brave_fellows::told::Sighting;
use estafette::rules::brave_fellows::view::View;
use estafette::rules::rehearsal::Plan;
use serde_json::json;

/// What a plan warns of.
fn warned(plan: &Plan<BraveFellows>) -> String {
    plan.warnings().into_iter().map(|warning| format!("{} [{}]\n", warning.text, warning.rule)).collect()
}

/// Three regiments' battalions, two of the enemy's and one alone.
fn stacks() -> View {
    let before = json!({
        "at": "coalition", "segment": "movement", "clear": true,
        "units": {
            "APS-1": {"at": "1816", "face": "N", "active": true}, "APS-2": {"at": "1615", "face": "N", "active": true},
            "APS-3": {"at": "1816", "face": "N", "active": true}, "SMO-1": {"at": "1616", "face": "S", "active": true},
            "4L-1": {"at": "1815", "face": "S"}, "4L-2": {"at": "1815", "face": "S"},
            "100-1": {"at": "1815", "face": "S", "mood": "fatigued"}, "103-1": {"at": "2015", "face": "S"},
            "103-2": {"at": "2015", "face": "S"},
        },
        "leaders": {"Miloradovich": "1816"}, "turned": ["Miloradovich"],
    });
    view(&base(before), "coalition")
}

#[test]
fn a_number_behind_a_name_of_the_map_is_always_a_unit() {
    let drawn = BraveFellows::map(&stacks(), Some("1816"), Format::default()).unwrap().join("\n");
    for label in ["2APS", "2x3c", "1c+f"] {
        assert!(drawn.contains(label), "{label}\n{drawn}");
    }
    for label in ["APS2", "4l 2", "3c 2"] {
        assert!(!drawn.contains(label), "{label}\n{drawn}");
    }
}

#[test]
fn a_label_that_may_be_a_stack_or_a_unit_is_not_taken_for_either() {
    let v = stacks();
    let found = mended(&v, "FACE APS2 S");
    assert!(!found.same && found.why.contains("\"APS2\" may be more than one"), "{found:?}");
    assert_eq!(found.lines, ["FACE APS-2 S", "FACE APS-1 APS-3 S"]);
    // As it is printed now.
    assert_eq!(mended(&v, "FACE 2APS S").lines, ["FACE APS-1 APS-3 S"]);
    for label in ["1cf", "1c+f", "1c+"] {
        assert_eq!(mended(&v, &format!("MELEE APS-1 AT {label}")).lines, ["MELEE APS-1 AT 1815"], "{label}");
    }
}

#[test]
fn a_leader_who_stands_alone_is_named_as_prey_and_a_move_takes_him() {
    let mut before = json!({
        "at": "coalition", "segment": "movement", "clear": true,
        "units": {
            "APS-1": {"at": "1616", "face": "S", "active": true}, "4L-1": {"at": "1716", "face": "N"},
        },
        "leaders": {"Miloradovich": "1616", "Campana": "1617"}, "turned": ["Miloradovich"],
    });
    let v = view(&base(before.clone()), "coalition");
    for line in ["MELEE APS-1 AT Campana", "FIRE APS-1 AT Campana", "CAPTURE Campana", "MOVE APS-1 TO Campana"] {
        let found = mended(&v, line);
        assert_eq!(found.lines, ["MOVE APS-1 1617"], "{line}: {found:?}");
        assert_eq!((found.why.contains("Campana stands alone in 1617"), found.rule.as_str()), (true, "6.2.8, 6.5.4"));
    }
    let mut plan = Plan::<BraveFellows>::new(v);
    let said = plan.line(&orders::line(1, "MOVE APS-1 1617")).unwrap().said.join(" ");
    assert!(said.contains("facing S") && said.contains("takes Campana."), "{said}");
    // Who is not seen is no place, and nobody else is offered in his stead.
    before["sight"] = json!("fog");
    before["leaders"]["Campana"] = json!("0715");
    let base = base(before);
    let viewer = estafette::fog::Viewer::Side("coalition".into());
    let v = estafette::fog::see::<BraveFellows>(&base.state, &base.minds[1].1, viewer).into_parts().1;
    let found = mended(&v, "MELEE APS-1 AT Campana");
    assert!(found.lines.is_empty() && found.why.contains("Campana is not in sight"), "{found:?}");
}

/// Three battalions of two regiments in one hex before an enemy.
fn crowd() -> View {
    let before = json!({
        "at": "french", "turn": 4, "clear": true, "segment": "movement", "turned": ["Campana"], "crowds": ["1010"],
        "free": ["gazan", "line"], "leaders": {"Campana": "1011"},
        "units": {
            "100-1": {"at": "1010", "face": "N", "active": true}, "100-2": {"at": "1010", "face": "N", "active": true},
            "103-1": {"at": "1010", "face": "N", "active": true}, "APS-1": {"at": "1009", "face": "S"},
        },
    });
    view(&base(before), "french")
}

#[test]
fn check_says_who_leaves_an_over_stack_and_counts_the_fight_without_him() {
    let mut plan = Plan::<BraveFellows>::new(crowd());
    plan.line(&orders::line(1, "FACE 100-1 NE")).unwrap();
    let said = warned(&plan);
    assert!(said.contains("1010 is over-stacked: 103-1 goes to 0911 when movement ends") && said.contains("[4.1.10]"));
    let mut plan = Plan::<BraveFellows>::new(crowd());
    let said = plan.line(&orders::line(1, "FIRE 100-1 100-2 103-1 AT 1009")).unwrap().said.join(" ");
    assert!(said.contains("103-1 leaves the crowded hex 1010 for 0911"), "{said}");
    assert!(said.contains("counted without 103-1.") && said.contains("FF 8"), "{said}");
}

#[test]
fn the_report_says_why_somebody_left_an_over_stack_and_how_others_face() {
    let step = |pressed: bool| {
        let to = Hex::parse("0911").unwrap();
        let (unit, with) = ("103-1".to_owned(), Vec::new());
        Sighting::Open(Event::Stepped { unit, to, facing: Dir::SW, cost: 1, level: 0, with, pressed })
    };
    let said = |pressed: bool| BraveFellows::history(&crowd(), 4, &[step(pressed)]).join("\n");
    assert!(said(true).contains("103-1 to 0911 (leaves the crowded hex). [4.1.10]"), "{}", said(true));
    assert!(said(false).contains("103-1 went by 0911, facing SW. [6.2]"), "{}", said(false));
}

#[test]
fn a_charge_without_a_melee_is_warned_of_and_offered_with_one() {
    let mut plan = Plan::<BraveFellows>::new(view(&fight(), "french"));
    plan.line(&orders::line(1, "CHARGE DR-1 AT 0610")).unwrap();
    assert!(warned(&plan).contains("no MELEE line follows: DR-1 tires and does not fight"), "{}", warned(&plan));
    plan.line(&orders::line(2, "MELEE DR-1 AT 0610")).unwrap();
    assert!(!warned(&plan).contains("no MELEE line follows"), "{}", warned(&plan));
    let before = json!({
        "at": "french", "turn": 4, "clear": true, "segment": "movement", "free": ["gazan", "line"], "turned": ["Gazan"],
        "leaders": {"Gazan": "1011"},
        "units": {"DR-1": {"at": "1010", "face": "N", "active": true}, "CA1-1": {"at": "1006", "face": "S"}},
    });
    let offers = BraveFellows::offers(&view(&base(before), "french"));
    let place = |line: &str| offers.iter().position(|offer| offer == line);
    let (charge, melee) = (place("CHARGE DR-1 AT 1006"), place("MELEE DR-1 AT 1006"));
    assert!(charge.is_some() && melee > charge, "{offers:?}");
}

#[test]
fn why_a_unit_does_not_act_is_said_with_the_line_that_brings_it() {
    let before = |mood: &str| {
        json!({
            "at": "french", "turn": 4, "clear": true, "segment": "movement", "free": ["gazan", "line"],
            "turned": ["Gaindorge"], "leaders": {"Gaindorge": "1010", "Campana": "1310"},
            "units": {
                "4L-1": {"at": "1010", "active": true, "mood": mood}, "4L-2": {"at": "1014"},
                "4L-3": {"at": "1011", "used": true},
                "100-1": {"at": "1210"}, "DR-1": {"at": "1110", "active": true}, "GA-1": {"at": "1112", "active": true},
            },
        })
    };
    let v = view(&base(before("routed")), "french");
    for (line, why) in [
        ("MOVE 4L-1 1009", "4L-1 runs, and obeys nobody"),
        ("MOVE 4L-2 1015", "it is 4 hexes from Gaindorge, who reaches 2; write ACTIVATE Gaindorge TEST 4L-2"),
        ("MOVE 4L-3 1012", "it has acted in this turn"),
        ("MOVE 100-1 1211", "write ACTIVATE Gaindorge EXTRA 100-1 or ACTIVATE Campana"),
        ("MOVE GA-1 1111 1110", "horse and guns do not stand together in 1110"),
        ("MOVE DR-1 1109 IF ODDS >= 2-1", "a line has no condition"),
    ] {
        let found = mended(&v, line);
        assert!(found.why.contains(why), "{line}: {found:?}");
    }
    assert_eq!(mended(&v, "MOVE DR-1 1109 IF ODDS >= 2-1").lines, ["MOVE DR-1 1109"]);
}

#[test]
fn who_holds_the_towns_stands_in_victory_units_and_map() {
    let before = json!({
        "at": "french", "segment": "movement", "turned": ["Gaindorge"], "towns": {"Unterloiben": "coalition"},
        "units": {"4L-1": {"at": "1716", "face": "N", "active": true}}, "leaders": {"Gaindorge": "1716"},
    });
    let v = view(&base(before), "french");
    let said = [BraveFellows::victory(&v), BraveFellows::map(&v, None, Format::default()).unwrap()];
    for lines in said {
        assert!(lines.join(" ").contains("Unterloiben Coalition"), "{lines:#?}");
    }
}

#[test]
fn examples_face_the_enemy_and_help_explains_every_word_of_a_call() {
    let before = json!({
        "at": "french", "turn": 4, "clear": true, "segment": "movement", "free": ["gazan", "line"],
        "turned": ["Gaindorge"], "leaders": {"Gaindorge": "1010"},
        "units": {"4L-1": {"at": "1010", "face": "N", "active": true}, "APS-1": {"at": "1014", "face": "N"}},
    });
    let v = view(&base(before), "french");
    let faces = BraveFellows::verbs().iter().find(|verb| verb.word == "FACE").unwrap();
    assert_eq!((faces.examples)(&v), ["FACE 4L-1 S"]);
    for word in ["ACTIVATE", "CHARGE", "EXTRA", "TEST", "WITH", "TIRED", "STACK", "VALUES"] {
        let topic = BraveFellows::topics().iter().find(|topic| topic.word == word);
        let says = |text: &str| text.to_uppercase().contains(word) || word == "VALUES";
        assert!(topic.is_some_and(|topic| says(topic.text)), "{word}");
    }
}

#[test]
fn the_end_is_told_with_its_reason() {
    let over = || Sighting::Open(Event::Over { winner: Some("coalition".into()), level: "strategic".to_owned() });
    let at = |killed: &[&str]| {
        let before = json!({"at": "french", "clear": true, "killed": killed, "units": {"4L-1": {"at": "1010"}}});
        BraveFellows::history(&view(&base(before), "french"), 13, &[over()]).join("\n")
    };
    let (lost, late) = (at(&["Mortier"]), at(&[]));
    assert!(lost.contains("The Coalition win (strategic): Mortier is lost. [10.1]"), "{lost}");
    assert!(late.contains("the last turn is over; French none, Coalition none. French losses 0 of Gazan's"), "{late}");
}
