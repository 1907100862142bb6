//! Lines as beginners write them, over some positions: what is offered keeps the units, the hex and the side of it.

use super::{fight, view};
use crate::tactical::lines_come_to;
use estafette::fog::{Viewer, see};
use estafette::host::paper::Paper;
use estafette::rules::brave_fellows::BraveFellows;
use estafette::rules::brave_fellows::view::View;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const LINES: &str = include_str!("meant.tsv");

/// The positions of the table.
fn positions() -> BTreeMap<&'static str, View> {
    let on = |before: Value, side: &str| view(&super::base(before), side);
    let foes = json!({"APS-1": {"at": "1815", "face": "SW"}, "APS-2": {"at": "1815", "face": "SW"}, "SMO-1": {"at": "1816", "face": "N"}});
    let with = |mut units: Value| {
        let own = units.as_object_mut().unwrap();
        foes.as_object().unwrap().iter().for_each(|(id, unit)| _ = own.insert(id.clone(), unit.clone()));
        units
    };
    let ridge = json!({
        "at": "french", "segment": "movement", "clear": true, "free": ["gazan", "line"], "dead": ["4L-3"],
        "units": with(json!({
            "4L-1": {"at": "1716", "face": "NE", "active": true},
            "4L-2": {"at": "1716", "face": "NE", "active": true, "mood": "fatigued"},
            "100-1": {"at": "1418", "face": "N"}, "100-2": {"at": "1617", "face": "N", "active": true},
            "103-1": {"at": "1715", "face": "SE", "active": true}, "GA-1": {"at": "1517", "face": "SW", "active": true},
            "103-2": {"at": "1715", "face": "SE", "active": true, "mood": "routed"},
            "DR-1": {"at": "1819", "face": "N", "active": true},
        })),
        "leaders": {"Gaindorge": "1716"}, "turned": ["Gaindorge"],
    });
    let call = json!({
        "at": "french", "segment": "activation", "clear": true, "free": ["gazan", "line"],
        "units": with(json!({
            "4L-1": {"at": "1716", "face": "NE"}, "4L-2": {"at": "1716", "face": "NE"}, "100-1": {"at": "1418", "face": "N"},
            "100-2": {"at": "1617", "face": "N"}, "GA-1": {"at": "1418", "face": "N"},
        })),
        "leaders": {"Gaindorge": "1716", "Campana": "1617", "Gazan": "1418"},
    });
    let column = |sight: &str| {
        json!({
            "at": "coalition", "segment": "movement", "clear": true, "sight": sight,
            "units": {
                "SMO-1": {"at": "1816", "face": "N", "active": true}, "SMO-2": {"at": "1816", "face": "N", "active": true},
                "8J-1": {"at": "1817", "face": "N", "active": true}, "CA1-1": {"at": "1817", "face": "N", "active": true},
                "4L-1": {"at": "1815", "face": "S"}, "4L-2": {"at": "1815", "face": "S"},
            },
            "leaders": {"Miloradovich": "1816"}, "turned": ["Miloradovich"],
        })
    };
    let orphan = json!({
        "at": "coalition", "segment": "activation", "clear": true, "killed": ["Miloradovich"],
        "units": {
            "APS-1": {"at": "2114", "face": "S"}, "APS-2": {"at": "2113", "face": "S"}, "APS-3": {"at": "2112", "face": "S"},
            "SMO-1": {"at": "2213", "face": "S"}, "4L-1": {"at": "1716", "face": "N"},
        },
    });
    let rear = json!({
        "at": "french", "segment": "movement", "clear": true, "free": ["gazan", "line"],
        "units": with(json!({"100-2": {"at": "1617", "face": "N", "active": true}, "4L-1": {"at": "1716", "face": "NE"}})),
        "leaders": {"Campana": "1617", "Gaindorge": "1716"}, "turned": ["Campana"],
    });
    let fog = super::base(column("fog"));
    let fog = see::<BraveFellows>(&fog.state, &fog.minds[1].1, Viewer::Side("coalition".into())).into_parts().1;
    BTreeMap::from([
        ("fight", view(&fight(), "french")),
        ("ridge", on(ridge, "french")),
        ("call", on(call, "french")),
        ("column", on(column("open"), "coalition")),
        ("fog", fog),
        ("orphan", on(orphan, "coalition")),
        ("rear", on(rear, "french")),
    ])
}

#[test]
fn offers_keep_the_units_the_hex_and_the_side_that_were_written() {
    lines_come_to::<BraveFellows>(LINES, &positions(), 45);
}

#[test]
fn a_command_without_its_leader_is_named_with_the_unit_that_brings_most() {
    let v = &positions()["orphan"];
    let line = "ACTIVATE Miloradovich VIA APS-2".to_owned();
    assert!(BraveFellows::offers(v).contains(&line), "{:?}", BraveFellows::offers(v));
}
