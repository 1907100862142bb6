//! The second game of the house from end to end: a scenario opened, played, reported, checked, drawn.

mod bad;
mod desk;
mod page;

use estafette::cases::{self, coverage};
use estafette::fog::{SeatId, SideId, Viewer, see};
use estafette::host::paper::Format;
use estafette::host::{Game, Input};
use estafette::plane::Heading;
use estafette::rules::austerlitz1805::board::UnitId;
use estafette::rules::austerlitz1805::table::wind;
use estafette::rules::austerlitz1805::view::View;
use estafette::rules::austerlitz1805::{Austerlitz, Intel};
use estafette::rules::rehearsal::Plan;
use estafette::rules::{Outcome, Ruleset};
use estafette::{games, orders, scenario, simulate};
use std::collections::BTreeMap;
use std::path::Path;

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn files() -> Vec<(String, String)> {
    scenario::files(&root().join("scenarios/austerlitz1805/teaching.yaml")).unwrap()
}

pub fn opened(number: u64) -> Box<dyn Game> {
    simulate::open(games::find(games::GAMES, "austerlitz1805").unwrap(), &files(), number).unwrap()
}

pub fn mail(game: &mut dyn Game, seat: &str, lines: &[&str], end: bool) {
    let lines = (1u32..).zip(lines.iter().map(ToString::to_string)).collect();
    game.take(Input::Orders { seat: seat.into(), lines, end, mail: format!("<{seat}>") }).unwrap();
}

#[test]
fn a_whole_game_comes_to_its_end() {
    for number in 1..=3 {
        let mut game = opened(number);
        let (played, _) = simulate::play(game.as_mut(), number, |_, _| Ok(())).unwrap();
        assert!(played.ending.contains("have won"), "{played:?}");
    }
}

#[test]
fn check_says_where_a_unit_would_end_and_a_move_ends_there() {
    let mut game = opened(1);
    game.take(Input::Begin).unwrap();
    mail(game.as_mut(), "allied", &[], true);
    let order = "MOVE St Hilaire/1 TOWARD Pratzen 2UM FACE E".to_owned();
    let checked = game.check(&"french".into(), &[(1, order.clone())]).into_parts().1;
    let said = format!("{:?}", checked);
    let at = said.split("would end at ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    mail(game.as_mut(), "french", &[&order], false);
    let report = game.report(&"french".into(), None).into_parts().1;
    let line = report.forces.iter().find(|l| l.contains("St Hilaire/1")).unwrap();
    assert!(line.contains(&at), "{at} in {line}");
    assert!(line.contains("E  090"), "{line}");
}

/// A position with nobody but who is named, as the French see it in their player-turn.
fn french_view(units: &serde_json::Value) -> View {
    let before = serde_json::json!({"bare": true, "at": "own french", "units": units});
    let base = Austerlitz::arrange(&files(), before).unwrap();
    see::<Austerlitz>(&base.state, &Intel::default(), Viewer::Side("french".into())).into_parts().1
}

/// 13.13 CHECK rehearses them as they will be carried out: each line leaves room to the one below it.
#[test]
fn check_plans_two_lines_on_one_enemy_together() {
    let view = french_view(&serde_json::json!({
        "Vandamme/1": {"at": "2900,9000@N", "form": "column"},
        "Vandamme/2": {"at": "3500,9000@N", "form": "column"},
        "Repninsky": {"at": "3000,10000@S"},
    }));
    let lines = ["ATTACK Vandamme/1 AT Repninsky", "ATTACK Vandamme/2 AT Repninsky"];
    let ends = |together: bool| {
        let mut plan = Plan::<Austerlitz>::new(view.clone());
        if together {
            plan.expect(lines.into_iter());
        }
        lines.iter().for_each(|line| _ = plan.line(&orders::line(1, line)).unwrap());
        let at = |unit: &str| plan.now().table.unit(&UnitId(unit.to_owned())).unwrap().pose.at.x;
        (at("Vandamme/1"), at("Vandamme/2"))
    };
    assert_eq!(ends(true), (2750, 3250));
    assert_ne!(ends(false), ends(true));
}

/// 13.1 Several who name ELSE NEAR: where nobody reaches the enemy each goes near him, and where one does the others stay.
#[test]
fn check_says_of_each_of_several_that_it_goes_near_only_where_nobody_reaches_the_enemy() {
    let said = |x: i32, y: i32| {
        let view = french_view(&serde_json::json!({
            "Vandamme/1": {"at": format!("{x},{y}@N"), "form": "column"},
            "Vandamme/2": {"at": "4500,6500@N", "form": "column"},
            "Repninsky": {"at": "3000,10000@S"},
        }));
        let line = orders::line(1, "ATTACK Vandamme/1 AND Vandamme/2 AT Repninsky ELSE NEAR");
        let order = orders::bind(Austerlitz::verbs(), &view, &line).unwrap();
        Austerlitz::rehearse(&view, &order).unwrap().said.join("\n")
    };
    let far = said(3000, 7000);
    assert_eq!(far.matches("it goes near instead").count(), 2, "{far}");
    let one = said(3000, 9000);
    assert!(one.contains("Vandamme/1 would end") && !one.contains("near instead"), "{one}");
}

#[test]
fn check_refuses_what_the_rules_would() {
    let files = scenario::files(&root().join("scenarios/austerlitz1805/fog-teaching.yaml")).unwrap();
    let mut game = simulate::open(games::find(games::GAMES, "austerlitz1805").unwrap(), &files, 1).unwrap();
    game.take(Input::Begin).unwrap();
    let lines = ["STRAT III TO F5", "STRAT IV TO A5", "DECOY 40 PLACE Pratzen"];
    let lines: Vec<(u32, String)> = (1..).zip(lines.map(str::to_owned)).collect();
    let checked = game.check(&"french".into(), &lines).into_parts().1;
    assert_eq!((&checked[0].outcome, checked[0].notes.as_slice()), (&None, &["III would move to F5".to_owned()][..]));
    for (answered, rule) in checked[1..].iter().zip(["16.4.1.3", "16.4.2"]) {
        let Some(Outcome::Refused { rule: named, .. }) = &answered.outcome else { panic!("{answered:?}") };
        assert_eq!((named.as_str(), answered.notes.len()), (rule, 0), "{answered:?}");
    }
}

#[test]
fn every_page_fits_its_columns() {
    let mut game = opened(1);
    game.take(Input::Begin).unwrap();
    for seat in ["allied", "french"] {
        let report = game.report(&seat.into(), None).into_parts().1;
        let mut lines = report.forces.clone();
        lines.extend(report.enemy.clone());
        lines.extend(report.maps.iter().flat_map(|m| m.lines.clone()));
        lines.extend(game.map(&seat.into(), Some("Pratzen"), Format::default()).into_parts().1);
        assert!(lines.len() > 60, "{seat}: {} lines", lines.len());
        for line in lines {
            assert!(line.chars().count() <= 76, "{seat}: {line}");
        }
    }
}

#[test]
fn what_the_enemy_plans_shows_nowhere() {
    let mut game = opened(1);
    game.take(Input::Begin).unwrap();
    mail(game.as_mut(), "allied", &["BOMBARD IV Russian/1 AT Margaron ROUND DEF", "HOLD IV Austrian/1"], true);
    let (seat, side) = (SeatId::from("french"), SideId::from("french"));
    let asked = [(1, "MOVE Vandamme/2 2UM".to_owned()), (2, "ATTACK Margaron AT IV Russian/1".to_owned())];
    let paper = |g: &dyn Game| {
        let report = g.report(&seat, Some(0)).into_parts().1;
        format!("{report:?} {:?} {:?}", g.check(&seat, &asked).into_parts().1, g.examples(&seat).into_parts().1)
    };
    let said = paper(game.as_ref());
    assert!(!said.contains("will fire"), "a plan shows");
    let umpires = format!("{:?}", game.truth().into_parts().1.forces);
    assert!(umpires.contains("will fire"), "the umpire is not told of the plan: {umpires}");
    let mut changed = 0;
    for noise in 0..20 {
        let other = game.scrambled(&side, noise);
        changed += u32::from(other.truth() != game.truth());
        assert_eq!(paper(other.as_ref()), said, "noise {noise}");
    }
    assert!(changed > 0, "nothing was changed");
}

#[test]
fn flaws_of_a_scenario_name_file_line_and_cure() {
    let wrong = |from: &str, to: &str, wanted: &str| {
        let change = |(path, text): (String, String)| (path, text.replacen(from, to, 1));
        let files: Vec<_> = files().into_iter().map(change).collect();
        let entry = games::find(games::GAMES, "austerlitz1805").unwrap();
        let flaws = simulate::open(entry, &files, 1).err().expect("a flaw").join("\n");
        assert!(flaws.contains(wanted), "{flaws}");
    };
    wrong("unit: Repninsky", "unit: Repninski", "teaching.yaml:20:");
    wrong("unit: Repninsky", "unit: Repninski", "Did you mean Repninsky?");
    wrong("face: SW, form: line", "face: WS, form: line", "\"WS\" is no way to face.");
    wrong("at: \"17400,18200\"", "at: \"16600,19000\"", "overlap (7.1)");
    wrong("[[4000, 13500], [8200, 13000]", "[[4000, 13500], [6000, 15000], [8200, 13000]", "points inward");
}

/// 3.1: the edge belongs to the map.
#[test]
fn a_place_may_lie_on_the_edge_of_the_map_and_not_beyond_it() {
    let flaws = |at: &str| {
        let (stands, moved) = ("Zuran: {at: [11350, 21150]}", format!("Zuran: {{at: {at}}}"));
        let change = |(path, text): (String, String)| (path, text.replacen(stands, &moved, 1));
        let files: Vec<_> = files().into_iter().map(change).collect();
        assert!(files.iter().any(|(_, text)| text.contains(&moved)));
        Austerlitz::open(&files).err().unwrap_or_default()
    };
    for edge in ["[0, 21150]", "[11350, 0]"] {
        assert_eq!(flaws(edge), Vec::<String>::new(), "{edge}");
    }
    for beyond in ["[-1, 21150]", "[11350, -1]"] {
        let said = flaws(beyond);
        assert!(said.len() == 1 && said[0].contains("The place Zuran is off the map."), "{beyond}: {said:?}");
    }
}

#[test]
fn a_heading_has_the_name_of_the_nearest_wind() {
    for (degrees, name) in
        [(0, "N"), (22, "N"), (23, "NE"), (67, "NE"), (68, "E"), (292, "W"), (293, "NW"), (337, "NW"), (338, "N")]
    {
        assert_eq!(wind(Heading::new(degrees)), name, "{degrees}");
    }
}

/// 12.3
#[test]
fn a_brigade_is_two_steps_to_lose_and_a_battery_one() {
    let lost = |steps: u8, gone: &[&str]| {
        let units = serde_json::json!({
            "Vandamme/1": {"at": "2900,9000@N", "steps": steps}, "IV foot/1": {"at": "6900,9000@N"}});
        let before = serde_json::json!({"bare": true, "at": "own french", "units": units, "lost": gone});
        let base = Austerlitz::arrange(&files(), before).unwrap();
        Austerlitz::lost(&base.state, &"french".into())
    };
    assert_eq!(lost(2, &[]), 0);
    assert_eq!(lost(1, &[]), 1, "a brigade weakened; of one that is whole nothing is lost, nor of a battery");
    assert_eq!(lost(2, &["Vandamme/2"]), 2);
    assert_eq!(lost(2, &["IV foot/2"]), 1);
    assert_eq!(lost(2, &["Repninsky"]), 0, "the enemy's");
}

#[test]
fn rows_named_by_cases_are_in_the_index() {
    let rules = coverage::index(&root().join("tests/rules/austerlitz1805.tsv")).unwrap();
    assert_eq!(rules.len(), 499);
    let found = coverage::coverage(&rules, &root().join("tests/cases/austerlitz1805"), BTreeMap::new()).unwrap();
    assert!(found.unknown.is_empty(), "{:?}", found.unknown);
    assert!(found.idle.is_empty(), "cases that prove no row: {:?}", found.idle);
    assert!(!cases::files(&root().join("tests/cases/austerlitz1805")).unwrap().is_empty());
}
