//! The same for every rule case of `brave_fellows`, each played in fog and masked whatever it is written for: as it is, and with
//! all changed that one side may not know. All verbs and all kinds of events are met, or the test fails.

use super::twins::{Reached, Reader, declared};
use estafette::cases;
use estafette::fog::SideId;
use estafette::rules::Ruleset;
use estafette::rules::brave_fellows::BraveFellows;
use estafette::rules::brave_fellows::view::View;
use estafette::scenario;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

const NOISES: u64 = 3;
/// Kinds of events that no case reaches: what an umpire puts right stands in `fellows::amended`.
const BEFORE: [&str; 1] = ["Amended"];

const READER: Reader<BraveFellows> = Reader { look, kind, choice };

fn look(v: &View) -> String {
    let s = &v.state;
    let table = (&s.at, s.segment, s.turn, s.nth, s.passes, &s.units, &s.leaders, &s.strangers);
    let known = (&s.towns, &s.free, &s.came, s.second, &s.placing, &s.rear, s.crossed, s.strong);
    let marks = (&s.crowds, &s.entered, &s.salvos, &s.won, &s.stalled, &s.wishes, &s.losses, &s.over);
    format!("{table:?} {known:?} {marks:?} {:?} {:?} {:?}", s.level_die, v.ghosts, v.near)
}

/// Where one's own go who run or go back (DB.2).
fn choice(told: &str, _: &SideId) -> Option<(String, String)> {
    let (event, _) = told.strip_prefix("Seen { told: Some(")?.split_once("), spots: [")?;
    let (who, _) = event.strip_prefix("Went { unit: \"")?.split_once('"')?;
    let foe = who.strip_prefix('E').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let goes = ["how: \"rout\"", "how: \"retreat\""].iter().any(|how| event.contains(how));
    (goes && !foe).then(|| (who.to_owned(), event.to_owned()))
}

fn kind(body: &str) -> String {
    body.chars().take_while(char::is_ascii_alphanumeric).collect()
}

#[test]
fn no_case_of_brave_fellows_answers_a_side_by_what_it_may_not_know() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut reached = Reached::default();
    let mut leaks = Vec::new();
    for path in cases::files(&root.join("tests/cases/brave_fellows")).unwrap() {
        let file = cases::read(&path).unwrap();
        for case in &file.cases {
            let scenario = case.scenario.as_ref().unwrap_or(&file.scenario);
            let files = scenario::files(&root.join(scenario)).unwrap();
            for sight in ["fog", "masked"] {
                let mut before = serde_json::to_value(&case.before).unwrap();
                // DB.9 Masked play alone has dummies.
                if sight == "fog" && before.to_string().contains("DUMMY-") {
                    continue;
                }
                before["sight"] = Value::from(sight);
                let base = BraveFellows::arrange(&files, before).unwrap();
                let scrambled = |side: &SideId, noise| BraveFellows::scramble(&base.state, &base.minds, side, noise);
                let worlds = |side: &SideId| (0..NOISES).map(|noise| scrambled(side, noise)).collect();
                let named = format!("{}, {sight}", case.id);
                leaks.extend(reached.twins(&READER, &base, (case, &named), worlds, |state| *state != base.state));
            }
        }
    }
    assert!(leaks.is_empty(), "{} leaks\n{}", leaks.len(), leaks.join("\n"));
    let Reached { pairs, changed, same, events, verbs } = &reached;
    println!("{pairs} pairs, {changed} changed, {same} things heard the same");
    assert!(changed * 2 > *pairs, "{changed} of {pairs} were another game");
    let all: BTreeSet<String> = BraveFellows::verbs().iter().map(|v| v.word.to_owned()).collect();
    let missed: Vec<_> = all.difference(verbs).collect();
    assert!(missed.is_empty(), "verbs that no case reaches: {missed:?}");
    let missed: Vec<_> =
        declared(include_str!("../../../src/rules/brave_fellows/event.rs")).difference(events).cloned().collect();
    assert_eq!(missed, BEFORE, "kinds of events that were not reached, and those that cannot be");
}
