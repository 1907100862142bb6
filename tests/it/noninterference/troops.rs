//! The same for every rule case of `brave_fellows`, each played in fog and masked whatever it is written for: as it is, and with
//! all changed that one side may not know. All verbs and all kinds of events are met, or the test fails.

use super::twins::{Reader, leak, run};
use estafette::cases::{self, Case};
use estafette::rules::Ruleset;
use estafette::rules::brave_fellows::BraveFellows;
use estafette::rules::brave_fellows::view::View;
use estafette::rules::cx::Base;
use estafette::scenario;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

const NOISES: u64 = 3;
/// Kinds of events that no case reaches: what a case begins behind.
const BEFORE: [&str; 0] = [];

const READER: Reader<BraveFellows> = Reader { look, kind };

fn look(v: &View) -> String {
    let s = &v.state;
    let table = (&s.at, s.segment, s.turn, s.nth, s.passes, &s.units, &s.leaders, &s.strangers);
    let known = (&s.towns, &s.free, &s.came, s.second, &s.placing, &s.rear, s.crossed, s.strong);
    let marks = (&s.crowds, &s.entered, &s.salvos, &s.won, &s.stalled, &s.wishes, &s.losses, &s.over);
    format!("{table:?} {known:?} {marks:?} {:?} {:?} {:?}", s.level_die, v.ghosts, v.near)
}

fn kind(body: &str) -> String {
    body.chars().take_while(char::is_ascii_alphanumeric).collect()
}

#[derive(Default)]
struct Reached {
    events: BTreeSet<String>,
    verbs: BTreeSet<String>,
    pairs: u32,
    changed: u32,
    /// What was heard the same in both games.
    same: usize,
}

/// Plays a case with all changed that a side may not know; what it hears otherwise, if that is an answer.
fn twins(path: &Path, case: &Case, sight: &str, reached: &mut Reached) -> Vec<String> {
    let files = scenario::files(path).unwrap();
    let mut before = serde_json::to_value(&case.before).unwrap();
    before["sight"] = Value::from(sight);
    let base = BraveFellows::arrange(&files, before).unwrap();
    let mut leaks = Vec::new();
    for side in BraveFellows::sides(&base.state) {
        let (heard, kinds) = run(&READER, base.clone(), case, &side);
        for noise in 0..NOISES {
            let state = BraveFellows::scramble(&base.state, &base.minds, &side, noise);
            reached.pairs += 1;
            reached.changed += u32::from(state != base.state);
            let (other, _) = run(&READER, Base { state, ..base.clone() }, case, &side);
            let same = heard.iter().zip(&other).take_while(|(a, b)| a == b).count();
            reached.same += same;
            reached.events.extend(kinds.iter().filter(|(at, _)| *at <= same).map(|(_, kind)| kind.clone()));
            if let Some(odd) = leak(&heard, &other, same) {
                leaks.push(format!("{}, {sight}: {side}, noise {noise}:{odd}", case.id));
                break;
            }
        }
    }
    for said in &case.say {
        let verb = said.split_once(": ").and_then(|(_, text)| text.split_whitespace().next());
        reached.verbs.extend(verb.map(str::to_owned));
    }
    leaks
}

/// Kinds of events as they are declared.
fn declared() -> BTreeSet<String> {
    let text = include_str!("../../../src/rules/brave_fellows/event.rs");
    let body = text.split_once("pub enum Event {").unwrap().1.split_once("\n}").unwrap().0;
    let lines = body.lines().filter(|l| l.starts_with("    ") && !l.starts_with("     "));
    lines.map(|line| kind(line.trim())).filter(|name| !name.is_empty()).collect()
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
            for sight in ["fog", "masked"] {
                leaks.extend(twins(&root.join(scenario), case, sight, &mut reached));
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
    let missed: Vec<_> = declared().difference(events).cloned().collect();
    assert_eq!(missed, BEFORE, "kinds of events that were not reached, and those that cannot be");
}
