//! Reinforcements that are left off the map when their division comes on.

use super::files;
use crate::positions::seen;
use estafette::orders;
use estafette::rules::Ruleset;
use estafette::rules::great_battles::GreatBattles;
use estafette::rules::rehearsal::Plan;
use serde_json::json;

/// gbnw-14.3-d, gbnw-14.2-a: a division that keeps its marker has its own LIM, and one of its units has not come; an enemy is
/// within three hexes of where it comes on.
#[test]
fn who_was_left_off_a_division_under_the_marker_comes_on_in_regular_movement_beside_the_enemy() {
    let before = json!({
        "clear": true,
        "turn": 5,
        "pool": ["HEUDELET"],
        "divisions": {"HEUDELET": {"arriving": true, "strategic": true}},
        "acts": {"side": "french", "lim": "x", "reinforcement": true, "todo": ["HEUDELET"]},
        "leaders": {"HEUDELET": "1026"},
        "units": {
            "F108-1": {"at": "1026", "form": "column", "face": 2},
            "AS14-1": {"at": "0325", "form": "column", "face": 2},
        },
    });
    let mut base = GreatBattles::arrange(&files("telnitz.yaml"), before).unwrap();
    base.state.units.entry("F108-2".to_owned()).or_default();
    let mut plan = Plan::<GreatBattles>::new(seen::<GreatBattles>(&base, &"french".into()));
    let mut said = |line: &str| match plan.line(&orders::line(1, line)) {
        Ok(_) => (String::new(), plan.now().state.commands["HEUDELET"].strategic),
        Err(fault) => (fault.why(), plan.now().state.commands["HEUDELET"].strategic),
    };
    let (why, _) = said("ACTIVATE HEUDELET FULL");
    assert!(why.contains("ACTIVATE it STRATEGIC"), "{why}");
    assert_eq!(said("ACTIVATE HEUDELET STRATEGIC"), (String::new(), true));
    let (why, _) = said("ENTER F108-2");
    assert!(why.contains("come on in regular movement"), "{why}");
    // The marker comes off with the movement for which it stands.
    assert_eq!(said("ACTIVATE HEUDELET FULL"), (String::new(), false));
    assert_eq!(said("ENTER F108-2"), (String::new(), false));
}
