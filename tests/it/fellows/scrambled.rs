//! Another game that looks the same to one side: what it must keep, and what it must change.

use super::{base, view};
use estafette::fog::SideId;
use estafette::rules::Ruleset;
use estafette::rules::brave_fellows::BraveFellows;
use estafette::rules::brave_fellows::state::State;
use serde_json::json;

/// Other games, for the French.
fn others(before: serde_json::Value) -> (State, Vec<State>) {
    let base = base(before);
    let keep: SideId = "french".into();
    let others = (0..12).map(|noise| BraveFellows::scramble(&base.state, &base.minds, &keep, noise)).collect();
    (base.state, others)
}

#[test]
fn who_is_not_seen_stands_elsewhere_and_the_sides_own_stand_where_they_stood() {
    let before = json!({
        "at": "french", "turn": 2, "clear": true, "sight": "fog",
        "units": {"EL-1": {"at": "1016", "face": "N"}, "100-1": {"at": "1116", "face": "N"}, "APS-1": {"at": "1002", "face": "S"}},
        "leaders": {"Campana": "1116", "Miloradovich": "1002"},
    });
    assert!(view(&base(before.clone()), "french").state.strangers.is_empty());
    let (truth, others) = others(before);
    assert!(others.iter().any(|other| other.units["APS-1"].hex != truth.units["APS-1"].hex), "nobody moved");
    for other in &others {
        for own in ["EL-1", "100-1"] {
            assert_eq!(other.units[own], truth.units[own]);
        }
        assert_eq!(other.leaders["Campana"], truth.leaders["Campana"]);
    }
}

#[test]
fn of_two_who_look_alike_either_may_be_the_one() {
    let before = json!({
        "at": "french", "turn": 2, "clear": true, "sight": "fog",
        "units": {
            "100-1": {"at": "1116", "face": "N"},
            "APS-1": {"at": "1112", "face": "S", "used": true}, "APS-2": {"at": "1112", "face": "S"},
        },
        "leaders": {"Campana": "1116"},
    });
    assert_eq!(view(&base(before.clone()), "french").state.strangers.len(), 2);
    let (truth, others) = others(before);
    assert!(truth.units["APS-1"].used && !truth.units["APS-2"].used);
    assert!(others.iter().any(|other| !other.units["APS-1"].used && other.units["APS-2"].used), "no two changed names");
}
