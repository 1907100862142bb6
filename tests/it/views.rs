//! The seat's view as data: of every game, on many of its sheets, it is what `estafette schema seat-view` says.

use crate::gateway::bench::TOYS;
use crate::rehearse::driver::{Table, files};
use estafette::host::paper::Paper;
use estafette::letter::sheet::{SCHEMA, SeatView};
use estafette::rules::austerlitz1805::Austerlitz;
use estafette::rules::brave_fellows::BraveFellows;
use estafette::rules::campaigns::Campaigns;
use estafette::rules::great_battles::GreatBattles;
use serde_json::Value;
use std::ffi::OsString;

fn schema() -> Value {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = ["estafette", "schema", "seat-view"].map(OsString::from);
    assert_eq!(estafette::cli::run(args, TOYS, &mut out, &mut err), 0);
    serde_json::from_slice(&out).unwrap()
}

/// Why a value is not what a schema says; as much of the language as our schemas speak.
fn unfit(root: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    if let Some(path) = schema["$ref"].as_str() {
        let named = root.pointer(path.trim_start_matches('#')).unwrap_or_else(|| panic!("{path} is nowhere"));
        return unfit(root, named, value, at);
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(all) = schema[choice].as_array() {
            let whys: Vec<String> = all.iter().map_while(|one| unfit(root, one, value, at)).collect();
            return (whys.len() == all.len()).then(|| whys.join(" | "));
        }
    }
    if let Some(only) = schema.get("const") {
        return (only != value).then(|| format!("{at}: {value} is not {only}"));
    }
    if let Some(all) = schema["enum"].as_array() {
        return (!all.contains(value)).then(|| format!("{at}: {value} is none of them"));
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let kinds = &schema["type"];
    if kinds != kind && !kinds.as_array().is_some_and(|all| all.iter().any(|one| one == kind)) {
        return Some(format!("{at}: {kind} for {kinds}"));
    }
    match value {
        Value::Array(all) => {
            let most = schema["maxItems"].as_u64().is_some_and(|most| all.len() as u64 > most);
            if most {
                return Some(format!("{at}: too many"));
            }
            (0..).zip(all).find_map(|(n, one): (usize, _)| unfit(root, &schema["items"], one, &format!("{at}/{n}")))
        }
        Value::Object(all) => {
            let known = schema["properties"].as_object();
            let lacking = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
            if let Some(key) = lacking.into_iter().find(|key| !all.contains_key(*key)) {
                return Some(format!("{at}: no {key}"));
            }
            all.iter().find_map(|(key, one)| {
                let at = format!("{at}/{key}");
                match known.and_then(|known| known.get(key)).or(schema.get("additionalProperties")) {
                    Some(Value::Bool(true)) => None,
                    Some(inner) => unfit(root, inner, one, &at),
                    None => Some(format!("{at} is in no schema")),
                }
            })
        }
        _ => None,
    }
}

/// Plays a scenario by the program's own players, and looks at the views of both seats on every sheet; how many were seen.
fn seen<R: Paper>(scenario: &str, sheets: u64) -> usize {
    let root = schema();
    let mut table = Table::<R>::open(&files(R::NAME, scenario), 3);
    let mut count = 0;
    for noise in 0..sheets {
        table.answer(|ask| ask.default.clone());
        if table.over() {
            break;
        }
        for side in R::sides(&table.base.state) {
            let data = R::seat_data(&table.view(&side.0)).unwrap();
            let view = SeatView { schema: SCHEMA.to_owned(), board: data.board, ..SeatView::default() };
            let value = serde_json::to_value(&view).unwrap();
            assert_eq!(unfit(&root, &root, &value, ""), None, "{scenario}, sheet {noise}, {side:?}");
            assert!(data.svg.contains("id=\"over\"") && data.script.contains("const part"), "{scenario}");
            count += 1;
        }
        table.by_bot(noise);
    }
    count
}

#[test]
fn the_view_of_a_seat_is_what_its_schema_says() {
    let mut count = seen::<Campaigns>("teaching.yaml", 6);
    for scenario in ["durenstein.yaml", "durenstein-fog.yaml", "durenstein-masked.yaml", "teaching.yaml"] {
        count += seen::<BraveFellows>(scenario, 12);
    }
    for scenario in ["telnitz.yaml", "telnitz-masked.yaml", "hill.yaml", "hill-fog.yaml"] {
        count += seen::<GreatBattles>(scenario, 12);
    }
    for scenario in ["teaching.yaml", "fog-teaching.yaml"] {
        count += seen::<Austerlitz>(scenario, 8);
    }
    count += seen::<Austerlitz>("1805-austerlitz.yaml", 2);
    assert!(count > 180, "{count}");
    // What is not as it should be is found.
    let root = schema();
    let board = serde_json::json!({"stage": "wait", "secret": 1});
    let view = SeatView { board, ..SeatView::default() };
    assert!(unfit(&root, &root, &serde_json::to_value(&view).unwrap(), "").is_some());
}
