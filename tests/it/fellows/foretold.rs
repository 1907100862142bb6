//! What CHECK foretells of fire, charges and melees, what is offered with its warnings, and what letters say of it afterwards.

use super::{base, fight, files, mended, view};
use estafette::fog::{SeatId, Viewer, see};
use estafette::games::{self, GAMES};
use estafette::host::Input;
use estafette::host::paper::{Format, Paper};
use estafette::host::sheet::Verdict;
use estafette::orders;
use estafette::rules::brave_fellows::BraveFellows;
use estafette::rules::brave_fellows::event::Event;
use estafette::rules::brave_fellows::state::Mood;
use estafette::rules::brave_fellows::told::Sighting;
use estafette::rules::brave_fellows::view::View;
use estafette::rules::rehearsal::Plan;
use estafette::simulate;
use serde_json::{Value, json};

/// One battalion before another that faces it.
fn duel() -> Value {
    json!({"at": "french", "turn": 4, "clear": true, "segment": "movement", "turned": ["Campana"],
        "free": ["gazan", "line"], "leaders": {"Campana": "1011"},
        "units": {"100-1": {"at": "1010", "face": "N", "active": true}, "APS-1": {"at": "1009", "face": "S"}}})
}

/// What is said of some lines, one below the other.
fn said(v: View, lines: &[&str]) -> Vec<String> {
    let mut plan = Plan::<BraveFellows>::new(v);
    let mut tried = |line: &&str| plan.line(&orders::line(1, line)).unwrap_or_else(|fault| panic!("{line}: {fault}"));
    lines.iter().map(|line| tried(line).said.join(" ")).collect()
}

#[test]
fn who_fires_in_defence_is_said_before_ones_own_fire_and_melee() {
    for line in ["FIRE 100-1 AT 1009", "MELEE 100-1 AT 1009"] {
        let found = said(view(&base(duel()), "french"), &[line]).join(" ");
        assert!(found.contains("before it APS-1 fires at 1010 in defence: FF 3, column"), "{line}: {found}");
    }
    // Who looks away does not, and who has moved on is not fired at again.
    let mut away = duel();
    away["units"]["APS-1"]["face"] = json!("N");
    let found = said(view(&base(away), "french"), &["FIRE 100-1 AT 1009"]).join(" ");
    assert!(!found.contains("in defence"), "{found}");
}

#[test]
fn the_odds_are_said_with_good_checks_too_and_what_an_emptied_hex_needs() {
    let found = said(view(&base(duel()), "french"), &["FIRE 100-1 AT 1009", "MELEE 100-1 AT 1009"]);
    let melee = found.last().unwrap();
    assert!(melee.contains("a check below half of FV doubles MF: 100-1 in "), "{melee}");
    assert!(melee.contains("won is a D result, lost an A"), "{melee}");
    let cure = "if a line above empties 1009 this one is refused: ADVANCE 100-1 INTO 1009 goes in. [6.3.9]";
    assert!(melee.contains(cure), "{melee}");
    let alone = said(view(&base(duel()), "french"), &["MELEE 100-1 AT 1009"]).join(" ");
    assert!(!alone.contains("is refused"), "{alone}");
}

#[test]
fn the_fv_of_a_tag_is_not_told_by_a_forecast() {
    let open = said(view(&fight(), "french"), &["CHARGE DR-1 AT 0610"]).join(" ");
    assert!(open.contains(" stands in ") && open.contains("[6.2.11i]"), "{open}");
    let before = json!({"at": "french", "turn": 4, "clear": true, "segment": "movement", "sight": "fog",
        "free": ["gazan", "line"], "turned": ["Gazan"], "leaders": {"Gazan": "1011", "Miloradovich": "1006"},
        "units": {"DR-1": {"at": "1010", "face": "N", "active": true}, "APS-1": {"at": "1006", "face": "S"}}});
    let fog = base(before);
    let v = see::<BraveFellows>(&fog.state, &fog.minds[0].1, Viewer::Side("french".into())).into_parts().1;
    let found = said(v, &["CHARGE DR-1 AT 1006"]).join(" ");
    assert!(found.contains("is not known: its FV is hidden") && !found.contains("stands in"), "{found}");
}

#[test]
fn an_enemy_far_off_is_not_told_as_fresh() {
    let before = json!({"at": "coalition", "turn": 4, "clear": true, "segment": "movement", "sight": "fog",
        "turned": ["Miloradovich"], "leaders": {"Miloradovich": "1005"},
        "units": {"4L-1": {"at": "1010", "face": "N"}, "APS-1": {"at": "1005", "face": "S", "active": true}}});
    let fog = base(before);
    let v = see::<BraveFellows>(&fog.state, &fog.minds[1].1, Viewer::Side("coalition".into())).into_parts().1;
    let (board, _) = estafette::report::brave_fellows::seat::board(&v);
    let foe = &board.enemy.first().unwrap().what;
    assert!(foe.contains("too far to see how it is") && !foe.contains("fresh,"), "{foe}");
}

#[test]
fn a_march_or_a_ride_that_is_too_far_is_offered_as_near_as_it_comes() {
    let mut before = duel();
    before["units"]["APS-1"]["at"] = json!("2610");
    before["units"]["100-1"]["at"] = json!("1616");
    before["leaders"]["Campana"] = json!("1616");
    let v = view(&base(before), "french");
    let march = mended(&v, "100-1 to Dürenstein");
    assert!(march.why.contains("100-1 does not reach 0715 in this impulse; it comes as far as "), "{march:?}");
    assert!(matches!(march.lines.as_slice(), [line] if line.starts_with("MOVE 100-1 ")), "{march:?}");
    let ride = mended(&v, "Campana to 0109");
    assert!(ride.why.contains("0109 is too far for Campana: "), "{ride:?}");
    assert!(matches!(ride.lines.as_slice(), [line] if line.starts_with("LEADER Campana TO ")), "{ride:?}");
}

#[test]
fn a_leader_goes_where_most_of_those_stand_whom_he_follows() {
    let before = json!({"at": "coalition", "segment": "movement", "clear": true, "turned": ["Miloradovich"],
        "leaders": {"Miloradovich": "2013"},
        "units": {"APS-1": {"at": "2114", "face": "S", "active": true}, "APS-2": {"at": "2113", "face": "S", "active": true},
            "APS-3": {"at": "2113", "face": "S", "active": true}, "4L-1": {"at": "1616", "face": "N"}}});
    let found = mended(&view(&base(before), "coalition"), "LEADER Miloradovich FOLLOW APS");
    assert_eq!(found.lines, ["LEADER Miloradovich TO 2113", "LEADER Miloradovich TO 2114"], "{found:?}");
}

#[test]
fn a_doctrine_that_forbids_is_answered_with_the_value_that_does_and_a_lodged_sheet_is_read() {
    let entry = games::find(GAMES, "brave_fellows").unwrap();
    let mut game = simulate::open(entry, &files("teaching.yaml"), 1).unwrap();
    game.take(Input::Begin).unwrap_or_else(|broken| panic!("{}", broken.why));
    let seat: SeatId = "french".into();
    for (words, example) in [("FIRE NO", "DOCTRINE FIRE HOLD."), ("COUNTER NEVER", "DOCTRINE COUNTER NO.")] {
        let fault = game.doctrine_line(&seat, words).unwrap_err();
        assert!(fault.contains(&format!("for example {example}")), "{fault}");
    }
    let lodge = |words: &str| {
        let (key, value) = game.doctrine_line(&seat, words).unwrap();
        game.doctrine_said(&seat, &key, &value).body().join(" ")
    };
    let odd = lodge("LODGE MOVE 100-9 1715 FOR Campana");
    assert!(odd.contains("line 1, MOVE 100-9 1715, cannot be read") && odd.contains("100-9"), "{odd}");
    assert_eq!(lodge("LODGE PASS"), "");
    assert_eq!(lodge("LODGE NONE FOR Campana"), "");
}

#[test]
fn the_set_up_says_where_each_may_be_put() {
    let entry = games::find(GAMES, "brave_fellows").unwrap();
    let mut game = simulate::open(entry, &files("durenstein.yaml"), 1).unwrap();
    let batch = game.take(Input::Begin).unwrap_or_else(|broken| panic!("{}", broken.why));
    let letter = batch.letters.iter().find(|letter| letter.seat.0 == "coalition").unwrap();
    let forces = letter.sections.body().forces.join(" ");
    assert!(forces.contains("May be put in 2411 2412 2511 2512 2513: ") && forces.contains("NOV-1"), "{forces}");
    let lines = vec![(1, "PUT NOV-1 AT 2411".to_owned())];
    let told = game.rehearse(&letter.seat, &lines, false);
    let Some(Verdict::NotTaken(mended)) = &told.body().answers[0].verdict else { panic!("{:?}", told.body().answers) };
    assert!(mended.why.contains("NOV-1 may not be put in 2411; there is room in "), "{mended:?}");
}

#[test]
fn what_becomes_of_a_leader_and_of_who_rallies_is_told() {
    let v = view(&base(duel()), "french");
    let told = |events: Vec<Event>| {
        let told: Vec<Sighting> = events.into_iter().map(Sighting::Open).collect();
        BraveFellows::history(&v, 4, &told).join("\n")
    };
    let risked = |dice: &[i32]| told(vec![Event::Risked { leader: "Campana".to_owned(), dice: dice.to_vec() }]);
    assert!(risked(&[6, 2]).contains("Campana die 6, 2: unhurt."), "{}", risked(&[6, 2]));
    assert!(risked(&[3]).contains("Campana die 3: unhurt."), "{}", risked(&[3]));
    let tired = || Event::Became { unit: "APS-1".to_owned(), mood: Mood::Fatigued };
    assert!(told(vec![Event::Recovering, tired()]).contains("APS-1 rallied, and fatigued now."));
    assert!(told(vec![tired()]).contains("APS-1 now fatigued."));
}

#[test]
fn the_key_spells_the_values_out() {
    let key = BraveFellows::map(&view(&base(duel()), "french"), Some("KEY"), Format::default()).unwrap().join("\n");
    for value in
        ["FV  Fatigue Value", "FF  Firepower Factor", "MF  Melee Factor", "MA  Movement Allowance", "CV  Command Value"]
    {
        assert!(key.contains(value), "{value}\n{key}");
    }
    assert!(!BraveFellows::rule("2.3").join(" ").contains("See also 2.3,"), "{:?}", BraveFellows::rule("2.3"));
}

/// The first sheet of the teaching game, with a slip in the call: what is offered for each line.
#[test]
fn what_is_offered_is_heard_behind_the_offers_above_it_and_carries_its_warning() {
    let entry = games::find(GAMES, "brave_fellows").unwrap();
    let mut game = simulate::open(entry, &files("teaching.yaml"), 1).unwrap();
    let batch = game.take(Input::Begin).unwrap_or_else(|broken| panic!("{}", broken.why));
    let seat = batch.dues.first().unwrap().seat.clone();
    let lines = ["ACTIVATE Mloradovich", "APS to 2015", "SMO to 2015", "Miloradovich goes with APS", "8J-1 to 0109"];
    let lines: Vec<(u32, String)> = (1..).zip(lines.map(str::to_owned)).collect();
    let told = game.rehearse(&seat, &lines, false);
    let of = |no: u32| match told.body().answers.iter().find(|answer| answer.no == no).and_then(|a| a.verdict.as_ref())
    {
        Some(Verdict::NotTaken(mended)) => mended.clone(),
        other => panic!("{no}: {other:?}"),
    };
    assert_eq!(of(1).lines, ["ACTIVATE Miloradovich"]);
    assert!(of(2).lines[0].starts_with("MOVE APS-1 APS-2 APS-3 ") && of(2).lines[0].ends_with(" 2015"), "{:?}", of(2));
    let crowd = of(3);
    assert!(crowd.lines[0].starts_with("MOVE SMO-1 SMO-2 ") && crowd.lines[0].ends_with(" 2015"), "{crowd:?}");
    assert!(crowd.note.as_ref().is_some_and(|note| note.contains("3A: more stand there than may")), "{crowd:?}");
    assert_eq!(of(4).lines[0], "LEADER Miloradovich TO 2015", "{:?}", of(4));
    let far = of(5);
    assert!(far.why.contains("8J-1 does not reach 0109 in this impulse"), "{far:?}");
    assert!(far.note.as_ref().is_some_and(|note| note.contains("5A can be taken when lines 1, 2, 3 and 4")), "{far:?}");
}

/// 8.4.1 The reason is the Strong Point, and not the way.
#[test]
fn why_a_unit_does_not_go_into_the_next_hex_is_the_rule_that_bars_it() {
    let before = json!({"at": "french", "turn": 4, "clear": true, "segment": "movement", "turned": ["Gaindorge"],
        "free": ["gazan", "line"], "leaders": {"Gaindorge": "1915"}, "units": {
            "4L-1": {"at": "1915", "face": "NE", "active": true}, "EL-1": {"at": "1815", "face": "NE"}}});
    let v = view(&base(before), "french");
    let found = mended(&v, "4L-1 to 1815");
    let strong = v.state.strong;
    assert!(!strong || found.why.contains("only the Elite battalion goes into the Strong Point"), "{found:?}");
}
