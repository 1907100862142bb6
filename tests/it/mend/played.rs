//! Lines of newcomers in the middle of games between the program's own players, and in every scenario: what is offered is
//! taken as it stands, and is about the piece that the line names.

use super::{base, called, legal, meant};
use estafette::dice::{Cup, Scope};
use estafette::fog::{SideId, Viewer, see};
use estafette::host::paper::Paper;
use estafette::rules::Ruleset;
use estafette::rules::austerlitz1805::Austerlitz;
use estafette::rules::campaigns::Campaigns;
use estafette::rules::cx::{Base, End, decide};
use estafette::rules::journal::{By, Desk, Given, Journal};
use serde_json::json;
use std::path::Path;

/// Open sheets at which lines are tried in one game.
const SHEETS: usize = 10;
const LEGS_MAX: usize = 400;

/// Dice that follow from the name of their roll.
struct Named;

impl Cup for Named {
    fn draw(&self, scope: &Scope, label: &str, n: u32, count: u32, sides: u32) -> Option<Vec<u32>> {
        let key = format!("{scope:?} {label} {n}");
        let made = |die: u32| {
            let mixed = key.bytes().fold(0x811c_9dc5 ^ die, |x, b| (x ^ u32::from(b)).wrapping_mul(0x0100_0193));
            (mixed >> 8) % sides + 1
        };
        Some((0..count).map(made).collect())
    }
}

/// Plays between bots and looks at each open sheet.
fn play<R: Ruleset + Paper>(mut base: Base<R>, mut look: impl FnMut(&R::View)) -> usize {
    let (mut journal, desk, mut known, mut sheets) = (Journal::default(), Desk::default(), Vec::new(), 0);
    for _ in 0..LEGS_MAX {
        if R::stage(&base.state).is_none() || sheets >= SHEETS {
            break;
        }
        let leg = decide::<R>(&base, &journal, &desk, &Named, &known).unwrap();
        journal = leg.journal;
        let End::Stop(dues) = leg.end else {
            base = leg.after;
            known.clear();
            continue;
        };
        known = leg.records;
        for due in dues {
            let side = R::seats(&leg.after.state).into_iter().find(|(seat, _)| *seat == due.seat).unwrap().1;
            let mind = leg.after.minds.iter().find(|(s, _)| *s == side).map(|(_, m)| m).unwrap();
            let view = see::<R>(&leg.after.state, mind, Viewer::Side(side)).into_parts().1;
            let asks: Vec<_> = due.prompt.iter().cloned().collect();
            if asks.is_empty() {
                sheets += 1;
                look(&view);
            }
            let lines = R::bot(&view, &asks, 5);
            for (no, text) in (1..).zip(lines.iter().take_while(|line| *line != "END")) {
                let given = Given::new(text.clone(), no, By::Seat("bot".to_owned()));
                journal.lines.entry(due.address.clone()).or_default().push(given);
            }
            if asks.is_empty() {
                journal.ended.insert(due.address);
            }
        }
    }
    sheets
}

/// What was wrong, and how many lines were offered.
#[derive(Default)]
struct Found {
    offered: u32,
    tried: u32,
    wrong: Vec<String>,
}

/// Sentences about a piece; `names` are the ways in which an order writes it, the first one as the line has it.
fn sentences<R: Ruleset>(v: &R::View, names: &[String], places: &[String], found: &mut Found) {
    let name = &names[0];
    let mut lines =
        vec![format!("{name} stays where it is"), format!("{name} bleibt"), format!("Please let {name} attack!")];
    for place in places {
        lines.push(format!("{name} marches to {place}"));
        lines.push(format!("{name} se retire sur {place}"));
        lines.push(format!("FORCE {name} ATTACK {place}"));
        lines.push(format!("MOVE {name} TOWRD {place}"));
    }
    for line in lines {
        let (_, offered) = called(&meant::<R>(v, &line));
        found.tried += 1;
        for suggestion in offered {
            found.offered += 1;
            let about = names.iter().any(|name| suggestion.contains(name.as_str()));
            if !about || !legal::<R>(v, &suggestion) {
                found.wrong.push(format!("{line}\n   {suggestion}"));
            }
        }
    }
}

/// Own leaders of Moravia's kind: by printed name, and by code where they have one.
fn of_campaigns(v: &<Campaigns as estafette::fog::Fogged>::View, found: &mut Found) {
    let places: Vec<String> = v.board.map.places.values().map(|p| p.name.clone()).collect();
    let leaders: Vec<_> = v.own.on_map().map(|(id, _)| id.clone()).collect();
    for (n, id) in leaders.iter().enumerate().take(2) {
        let spec = &v.board.leaders[id];
        let near = [places[(n * 13 + 8) % places.len()].clone()];
        sentences::<Campaigns>(v, &[spec.name.clone(), spec.code.clone()], &near, found);
    }
}

/// Own units on the field of Austerlitz.
fn of_austerlitz(v: &<Austerlitz as estafette::fog::Fogged>::View, found: &mut Found) {
    let me = v.me();
    let places: Vec<String> = v.table.board.places.iter().map(|p| p.name.clone()).collect();
    let units: Vec<String> = v.table.of_side(&me).map(|(id, _)| id.0.clone()).collect();
    for (n, id) in units.iter().enumerate().step_by(units.len() / 3 + 1) {
        let near = [places[(n * 7 + 3) % places.len()].clone()];
        sentences::<Austerlitz>(v, std::slice::from_ref(id), &near, found);
    }
}

fn judged(found: &Found, least: u32) {
    let (offered, tried) = (found.offered, found.tried);
    assert_eq!(found.wrong.join("\n"), "", "{offered} lines offered for {tried}");
    assert!(offered >= least, "only {offered} lines offered for {tried}");
}

#[test]
fn in_games_between_bots_a_sentence_moves_its_own_piece() {
    let mut found = Found::default();
    let moravia = base::<Campaigns>("campaigns/1805-moravia.yaml", json!({"at": "setup"}));
    assert!(play::<Campaigns>(moravia, |v| of_campaigns(v, &mut found)) >= 10);
    let pratzen = base::<Austerlitz>("austerlitz1805/teaching.yaml", json!({}));
    assert!(play::<Austerlitz>(pratzen, |v| of_austerlitz(v, &mut found)) >= 10);
    let fog = base::<Austerlitz>("austerlitz1805/fog-teaching.yaml", json!({}));
    assert!(play::<Austerlitz>(fog, |v| of_austerlitz(v, &mut found)) >= 4);
    judged(&found, 100);
}

#[test]
fn in_every_scenario_a_sentence_moves_its_own_piece() {
    let mut found = Found::default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/campaigns");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".yaml"))
        .collect();
    names.sort();
    assert!(names.len() >= 9, "{names:?}");
    for name in names {
        let file = format!("campaigns/{name}");
        let sides = Campaigns::sides(&base::<Campaigns>(&file, json!({})).state);
        for SideId(side) in sides {
            let base = base::<Campaigns>(&file, json!({"at": format!("own {side}"), "segment": "initiative"}));
            of_campaigns(&super::view(&base, &side), &mut found);
        }
    }
    judged(&found, 150);
}
