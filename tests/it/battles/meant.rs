//! Lines as beginners write them, over some positions: what is offered keeps the units, the hex and the verb of it.

use crate::positions::seen;
use crate::tactical::lines_come_to;
use estafette::orders;
use estafette::rules::Ruleset;
use estafette::rules::great_battles::GreatBattles;
use estafette::rules::great_battles::view::View;
use estafette::rules::rehearsal::{Caution, Plan};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const LINES: &str = include_str!("meant.tsv");

/// A position as a side sees it.
fn on(before: Value, side: &str) -> View {
    let base = GreatBattles::arrange(&super::files("telnitz.yaml"), before).unwrap();
    seen::<GreatBattles>(&base, &side.into())
}

/// A turn that opens, in which reinforcements are due.
fn opening() -> Value {
    let units = json!({
        "F3-1": {"at": "2424", "form": "line", "face": 3}, "FH8": {"at": "1520", "form": "column", "face": 4},
    });
    let leaders = json!({"DAVOUT": "1120", "LEGRAND": "1718", "FERY": "2124", "MARGARON": "1520"});
    json!({
        "clear": true, "at": "open", "turn": 2, "units": units, "leaders": leaders, "pool": ["FERY"],
        "divisions": {"MERLE": {"waits": true}},
    })
}

fn positions() -> BTreeMap<&'static str, View> {
    let clear = json!([{"turns": [1, 12], "hexes": 9, "mist_top_level": 9}]);
    let units = json!({
        "AS15-1": {"at": "3022", "form": "column", "face": 8}, "AS15-2": {"at": "3123", "form": "column", "face": 8},
        "AA1": {"at": "3122", "form": "limbered", "face": 8}, "ABR7": {"at": "3124", "form": "column", "face": 8},
        "F3-1": {"at": "2524", "form": "line", "face": 3}, "FA1": {"at": "2422", "form": "unlimbered", "face": 3},
        "DUMMY-CARNEVILLE": {"at": "3222", "form": "column", "face": 8},
    });
    let acts = |modes: Value| json!({"side": "allied", "lim": "CARNEVILLE", "modes": modes});
    let before = |acts: Value, units: &Value| {
        json!({
            "clear": true, "sight": "masked", "visibility": clear.clone(), "acts": acts, "units": units,
            "leaders": {"CARNEVILLE": "3123"},
        })
    };
    let close = json!({
        "AS14-1": {"at": "1604", "form": "column", "face": 8}, "AA1": {"at": "1507", "form": "unlimbered", "face": 11},
        "F3-1": {"at": "1505", "form": "line", "face": 3}, "F3-2": {"at": "1304", "form": "line", "face": 3},
    });
    BTreeMap::from([
        ("march", on(before(acts(json!({"CARNEVILLE": "full"})), &units), "allied")),
        ("fight", on(before(acts(json!({"CARNEVILLE": "full"})), &close), "allied")),
        (
            "call",
            on(
                before(
                    json!({"side": "allied", "lim": "AVG", "step": "attempt", "todo": ["CARNEVILLE", "STUTTERHEIM"], "modes": {}}),
                    &units,
                ),
                "allied",
            ),
        ),
        ("open", on(opening(), "french")),
    ])
}

#[test]
fn offers_keep_the_units_the_hex_and_the_verb_that_were_written() {
    lines_come_to::<GreatBattles>(LINES, &positions(), 25);
}

/// 4.5.2.1: who has not moved when the next division tries moves no more.
#[test]
fn before_the_next_division_tries_those_are_named_who_have_not_moved() {
    let acts = json!({"side": "french", "lim": "IV", "modes": {"FERY": "full"}, "todo": ["MERLE"], "step": "movement"});
    let units = json!({
        "F3-2": {"at": "1010", "form": "column", "face": 2}, "FA2": {"at": "1111", "form": "limbered", "face": 12},
    });
    let view = on(json!({"clear": true, "acts": acts, "leaders": {"MERLE": "1012"}, "units": units}), "french");
    let warned = |lines: &[&str]| {
        let mut plan = Plan::<GreatBattles>::new(view.clone());
        let mut said: Vec<_> = lines.iter().map(|line| plan.line(&orders::line(1, line)).unwrap()).collect();
        let warnings = said.pop().unwrap().warnings.into_iter();
        warnings.filter(|warning| warning.kind == Caution::NoOrders).map(|warning| warning.text).collect::<Vec<_>>()
    };
    let still = warned(&["ACTIVATE MERLE LIMITED"]);
    assert_eq!(still, ["the movement of FERY is over then: F3-2 have not moved"]);
    assert_eq!(warned(&["MOVE F3-2 F", "ACTIVATE MERLE LIMITED"]), Vec::<String>::new());
}
