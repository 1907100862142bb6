//! Every rule case under tests/cases, and the pairing of cases with the rule index.

use estafette::cases::coverage;
use estafette::cases::cuts::{self, Kind};
use estafette::cases::{self, Case};
use std::collections::BTreeMap;
use std::path::Path;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_case_comes_out_as_it_says() {
    let paths = cases::files(&root().join("tests/cases")).unwrap();
    let rewrite = std::env::var("UPDATE").is_ok();
    let only = std::env::var("CASE").ok().filter(|id| !id.is_empty());
    assert!(!rewrite || only.is_some(), "UPDATE writes one case at a time: name it with CASE");
    let verdict = cases::run(root(), &paths, only.as_deref(), rewrite);
    let failures: Vec<String> = verdict.failures.iter().map(ToString::to_string).collect();
    assert!(verdict.run > 0, "no case was run");
    assert!(failures.is_empty(), "{} of {} cases fail\n\n{}", failures.len(), verdict.run, failures.join("\n\n"));
    assert_eq!(verdict.updated, 0, "{} expectations were written anew; check them and run again", verdict.updated);
}

#[test]
fn case_ids_are_unique_and_every_row_named_is_in_the_index() {
    let mut seen = std::collections::BTreeSet::new();
    for path in cases::files(&root().join("tests/cases")).unwrap() {
        for case in cases::read(&path).unwrap().cases {
            assert!(seen.insert(case.id.clone()), "{} stands twice", case.id);
        }
    }
    let rules = coverage::index(&root().join("tests/rules/campaigns.tsv")).unwrap();
    let found = coverage::coverage(&rules, &root().join("tests/cases/campaigns"), BTreeMap::new()).unwrap();
    assert!(found.unknown.is_empty(), "{:?}", found.unknown);
    assert!(found.idle.is_empty(), "cases that prove no row: {:?}", found.idle);
}

fn each_row_has_a_case_or_is_said_to_have_none_yet(ruleset: &str) {
    let index = root().join(format!("tests/rules/{ruleset}.tsv"));
    let rules = coverage::index(&index).unwrap();
    let tested = coverage::by_test(&index).unwrap();
    let found = coverage::coverage(&rules, &root().join("tests/cases").join(ruleset), tested).unwrap();
    assert!(found.unknown.is_empty(), "{:?}", found.unknown);
    assert!(found.idle.is_empty(), "cases that prove no row: {:?}", found.idle);
    let said = std::fs::read_to_string(root().join(format!("tests/rules/{ruleset}-not-yet.txt"))).unwrap();
    let mut lines = said.lines();
    let missing: Vec<&str> = found.missing.iter().map(|rule| rule.id.as_str()).collect();
    let head = format!("NOT YET: {} of {} rows of {ruleset} have no case.", missing.len(), rules.len());
    assert_eq!(lines.next(), Some(head.as_str()));
    assert_eq!(lines.collect::<Vec<_>>(), missing);
}

#[test]
fn of_brave_fellows_each_row_has_a_case_or_is_said_to_have_none_yet() {
    each_row_has_a_case_or_is_said_to_have_none_yet("brave_fellows");
}

#[test]
fn of_great_battles_each_row_has_a_case_or_is_said_to_have_none_yet() {
    each_row_has_a_case_or_is_said_to_have_none_yet("great_battles");
}

#[test]
fn a_row_that_a_test_proves_names_one_that_is_there() {
    for (ruleset, head) in [("brave_fellows", "tbf-"), ("great_battles", "gbnw-")] {
        let tested = coverage::by_test(&root().join(format!("tests/rules/{ruleset}.tsv"))).unwrap();
        assert!(!tested.is_empty());
        for (row, test) in tested {
            let (file, name) = test.split_once("::").unwrap_or_else(|| panic!("{row}: {test}"));
            let text = std::fs::read_to_string(root().join("tests/it").join(file)).unwrap();
            assert!(text.contains(&format!("#[test]\nfn {name}() {{")), "{row}: {file} has no test {name}");
            assert!(text.contains(row.trim_start_matches(head)), "{row}: {file} does not name it");
        }
    }
}

/// Wishes that stand in a case though it comes out the same without them, each with its reason; may only shrink.
const CONTROLS_MAX: u32 = 34;

#[test]
fn without_one_of_its_wishes_a_case_fails() {
    let mut explained = 0;
    for ruleset in ["campaigns", "austerlitz1805"] {
        let found = cuts::survey(root(), &root().join("tests/cases").join(ruleset)).unwrap();
        let failures: Vec<String> = found.failures.iter().map(ToString::to_string).collect();
        assert!(failures.is_empty(), "{} cuts\n\n{}", failures.len(), failures.join("\n"));
        assert!(found.tried.values().sum::<u32>() > 0, "{ruleset}: nothing was cut");
        assert_eq!(found.explained(Kind::Plan), 0, "{ruleset}: a clause of a plan changes nothing");
        explained += found.explained.values().sum::<u32>();
    }
    assert!(explained <= CONTROLS_MAX, "{explained} wishes change nothing; {CONTROLS_MAX} may stand");
}

#[test]
fn a_wish_that_changes_nothing_is_found_out() {
    let case: Case = serde_json::from_value(serde_json::json!({
        "id": "x", "title": "", "rows": [],
        "before": {"options": {"reserves": true}, "sides": {"french": {"plans": {"0405": ["TYPE PITCHED", "PURSUE NO"]}}}},
        "doctrine": {"french": {"PURSUE": "NO"}},
    }))
    .unwrap();
    let cuts = cuts::cuts(&case);
    let names: Vec<&str> = cuts.iter().map(|cut| cut.name.as_str()).collect();
    let all =
        ["doctrine french PURSUE", "option reserves", "plan french 0405: TYPE PITCHED", "plan french 0405: PURSUE NO"];
    assert_eq!(names, all);
    for (n, cut) in cuts.iter().enumerate() {
        let left: Vec<String> = cuts::cuts(&cuts::without(&case, cut)).into_iter().map(|cut| cut.name).collect();
        let rest: Vec<&str> = all.iter().enumerate().filter(|(at, _)| *at != n).map(|(_, name)| *name).collect();
        assert_eq!(left, rest);
    }
}

#[test]
fn a_case_refuses_a_doctrine_that_it_cannot_read() {
    let folder = tempfile::tempdir().unwrap();
    let failure = |doctrine: &str| {
        let path = folder.path().join("case.yaml");
        let text = format!(
            "ruleset: campaigns\nabout: x\nscenario: scenarios/campaigns/teaching.yaml\ncases:\n  - id: x\n    title: x\n    \
             rows: []\n    before: {{bare: true, at: own french}}\n    doctrine: {doctrine}\n    say: []\n    expect: \"\"\n"
        );
        std::fs::write(&path, text).unwrap();
        let verdict = cases::run(root(), &[path], None, false);
        verdict.failures.iter().map(ToString::to_string).collect::<String>()
    };
    assert!(failure("{french: {OVERIDE: \"NO\"}}").contains("\"OVERIDE\" is no key of the doctrine"));
    assert!(failure("{french: {TYPE: PITCHT}}").contains("TYPE takes AUTO, PURSUIT, PITCHED or ASK"));
    assert!(failure("{frnch: {TYPE: PITCHED}}").contains("\"frnch\" is no seat of this game"));
    assert!(!failure("{french: {TYPE: PITCHED}}").contains("doctrine"));
}

/// ¶5: Gérard fights in 1914 while Oudinot takes Troyes, 2130, so that morale is asked about; both in one turn.
#[test]
fn the_question_about_a_captured_place_is_not_answered_by_naming_a_battle() {
    let text = r#"
ruleset: campaigns
about: x
scenario: scenarios/campaigns/1814-champagne.yaml
cases:
  - id: x
    title: x
    rows: []
    before:
      bare: true
      turn: 3
      at: designate french
      weather: Fair
      options: {reserves: false}
      control: {"2130": coalition}
      sides:
        french: {leaders: {oudinot: {hex: "2130", units: {leval: 5}}, gerard: {hex: "1814", units: {dufour: 30}}}}
        coalition: {leaders: {olsufiev: {hex: "1914", units: {s_olsufiev: 2}}}}
    doctrine: {french: {TYPE: PURSUIT, MORALE: ASK}, coalition: {TYPE: PITCHED}}
    dice: {public crt/1914 0: [2]}
    legs: 4
    say:
      - "french: ATTACK 1914 WITH Gerard PURSUE NO"
      - "french: END"
      - "french: BATTLE 1914 MORALE OWN"
    expect: ""
"#;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("case.yaml");
    std::fs::write(&path, text).unwrap();
    let verdict = cases::run(root(), &[path], None, false);
    let said: String = verdict.failures.iter().map(ToString::to_string).collect();
    assert!(said.contains("BATTLE 1914 MORALE OWN: the question is about 2130"), "{said}");
}
