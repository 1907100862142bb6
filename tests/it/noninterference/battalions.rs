//! The same for `great_battles`: every rule case played in fog and masked, and games between the program's players. Units out of
//! sight stand elsewhere and have lost otherwise, morale and fatigue, pools and wishes of the other side are changed.

use super::twins::{Reached, Reader, declared};
use super::{Board, TOUCHING, is_hex, run, wanted};
use estafette::cases;
use estafette::fog::{SeatId, SideId};
use estafette::host::Game;
use estafette::rules::Ruleset;
use estafette::rules::great_battles::GreatBattles;
use estafette::rules::great_battles::view::View;
use estafette::scenario;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

const NOISES: u64 = 3;
/// What sets a board up: a case begins behind it, and nobody is told anything before.
const SET_UP: [&str; 2] = ["Stands", "Waits"];

const READER: Reader<GreatBattles> = Reader { look, kind, choice };

fn look(v: &View) -> String {
    let s = &v.state;
    let table = (&s.at, s.turn, s.nth, &s.units, &s.leaders, &s.commands, &s.strangers);
    let known = (&s.pool, &s.cup, &s.first, &s.acting, &s.extras, &s.wishes, &s.places);
    let rest = (s.exited, &s.routs, &s.shown, &s.seen, &s.tags, &s.over, &v.ghosts, &v.blurred);
    format!("{table:?} {known:?} {rest:?}")
}

/// With which command the turn begins, and where one's own go who run, go back or step aside (H.6).
fn choice(told: &str, side: &SideId) -> Option<(String, String)> {
    let (event, _) = told.strip_prefix("Seen { told: Some(")?.split_once("), spots: [")?;
    let opens = event.starts_with("Drawn {") && event.contains(&format!("{side:?}"));
    let goes = ["how: Rout", "how: Retreat", "how: React", "how: Amend"].iter().any(|how| event.contains(how));
    let (who, _) = event.split_once(", pose: ").unwrap_or(("Drawn", ""));
    let own = !who.split_once("[\"E").is_some_and(|(_, rest)| rest.starts_with(|c: char| c.is_ascii_digit()));
    (opens || event.starts_with("Moved {") && goes && own).then(|| (who.to_owned(), event.to_owned()))
}

fn kind(body: &str) -> String {
    body.chars().take_while(char::is_ascii_alphanumeric).collect()
}

#[test]
fn no_case_of_great_battles_answers_a_side_by_what_it_may_not_know() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut reached = Reached::default();
    let mut leaks = Vec::new();
    for path in cases::files(&root.join("tests/cases/great_battles")).unwrap() {
        let file = cases::read(&path).unwrap();
        for case in &file.cases {
            let scenario = case.scenario.as_ref().unwrap_or(&file.scenario);
            let files = scenario::files(&root.join(scenario)).unwrap();
            for sight in ["fog", "masked"] {
                let mut before = serde_json::to_value(&case.before).unwrap();
                // H.12 Masked play alone has dummies.
                if sight == "fog" && before.to_string().contains("DUMMY-") {
                    continue;
                }
                before["sight"] = Value::from(sight);
                let base = GreatBattles::arrange(&files, before).unwrap();
                let scrambled = |side: &SideId, noise| GreatBattles::scramble(&base.state, &base.minds, side, noise);
                let worlds = |side: &SideId| (0..NOISES).map(|noise| scrambled(side, noise)).collect();
                let named = format!("{}, {sight}", case.id);
                leaks.extend(reached.twins(&READER, &base, (case, &named), worlds, |state| *state != base.state));
            }
        }
    }
    let Reached { pairs, changed, same, events, verbs } = &reached;
    println!("{pairs} pairs, {changed} changed, {same} things heard the same");
    assert!(leaks.is_empty(), "{} leaks\n{}", leaks.len(), leaks.join("\n"));
    assert!(changed * 2 > *pairs, "{changed} of {pairs} were another game");
    let all: BTreeSet<String> = GreatBattles::verbs().iter().map(|v| v.word.to_owned()).collect();
    let missed: Vec<_> = all.difference(verbs).collect();
    assert!(missed.is_empty(), "verbs that no case reaches: {missed:?}");
    let missed: Vec<_> =
        declared(include_str!("../../../src/rules/great_battles/event.rs")).difference(events).cloned().collect();
    assert_eq!(missed, SET_UP, "kinds of events that were not reached, and those that cannot be");
}

/// Lines that touch what the enemy hides: into and at hexes beside and beyond those that are seen, with every verb that takes
/// one, and nonsense.
fn probes(game: &dyn Game, seat: &SeatId, noise: u64) -> Vec<(u32, String)> {
    let (_, examples) = game.examples(seat).into_parts();
    let mut lines: Vec<String> =
        examples.into_iter().filter(|l| l.starts_with("  ")).map(|l| l.trim().to_owned()).collect();
    let report = game.report(seat, None).into_parts().1;
    let hexes: BTreeSet<&str> = report.enemy.iter().flat_map(|line| line.split_whitespace()).filter(is_hex).collect();
    let name =
        |word: &&str| word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-');
    let own: BTreeSet<&str> = report.forces.iter().flat_map(|line| line.split_whitespace()).filter(name).collect();
    let mut touching = Vec::new();
    for hex in hexes {
        for unit in &own {
            for verb in ["FIRE", "BAYONET", "ASSAULT", "CHARGE"] {
                touching.push(format!("{verb} {unit} AT {hex}"));
            }
            touching.push(format!("MOVE {unit} {hex}"));
        }
    }
    let random = |n: u64, most: u64| 1 + (noise >> n) % most;
    for unit in &own {
        let (col, row) = (random(3, 40), random(11, 34));
        touching.push(format!("MOVE {unit} {col:02}{row:02}"));
        touching.push(format!("MOVE {unit} F F F F F F F F F"));
        touching.push(format!("FIRE {unit}"));
        touching.push(format!("EXIT {unit}"));
        touching.push(format!("ENTER {unit}"));
        touching.push(format!("FORM {unit} LINE"));
        touching.push(format!("PICK {unit}"));
    }
    let step = touching.len().div_ceil(TOUCHING).max(1);
    lines.extend(touching.into_iter().skip(usize::try_from(noise >> 33).unwrap() % step).step_by(step));
    for division in ["FERY", "MERLE", "HEUDELET", "CARNEVILLE", "LEWIS", "OLSUFIEV"] {
        for how in ["FULL", "LIMITED", "STRATEGIC"] {
            lines.push(format!("ACTIVATE {division} {how}"));
        }
        lines.push(format!("PICK {division}"));
        lines.push(format!("LEADER {division} TO {:02}{:02}", random(5, 40), random(17, 34)));
    }
    lines.push("CHANGE BY DAVOUT ADD III IV MARGARON".to_owned());
    lines.push("CHANGE BY BUXHOWDEN ADD C1 C2 AVG".to_owned());
    let (_, bot) = game.bot(seat, 7).into_parts();
    lines.extend(bot);
    lines.push("MOVE nobody 9999".to_owned());
    (1u32..).zip(lines).collect()
}

#[test]
fn what_no_battalion_sees_changes_no_byte_of_a_mail() {
    let plan = |number: u64| {
        let name = match number % 4 {
            0 => "telnitz-fog.yaml",
            1 => "hill-masked.yaml",
            2 => "telnitz-masked.yaml",
            _ => "hill-fog.yaml",
        };
        (Board { ruleset: "great_battles", name, probes }, 100)
    };
    run(wanted(240), plan).draws(8);
}
