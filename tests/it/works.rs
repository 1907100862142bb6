//! Trestles and redoubts: what CHECK says of them before they are built, and how both stand in a side's report and maps.

use crate::scenario::files;
use estafette::fog::{SideId, Viewer, see};
use estafette::hex::{Hex, Hexside};
use estafette::map::draw::{Chart, Window, brick, brick_legend, lattice, lattice_legend};
use estafette::orders;
use estafette::rules::Ruleset;
use estafette::rules::campaigns::Campaigns;
use estafette::rules::campaigns::tables::Span;
use estafette::rules::campaigns::view::View;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What the French know of a position.
fn french(scenario: &str, before: Value) -> View {
    let base = Campaigns::arrange(&files(scenario), before).unwrap();
    let side = SideId("french".to_owned());
    let mind = base.minds.iter().find(|(s, _)| *s == side).map(|(_, m)| m).unwrap();
    see::<Campaigns>(&base.state, mind, Viewer::Side(side)).into_parts().1
}

/// What CHECK says of a line.
fn check(v: &View, line: &str) -> Vec<String> {
    let order = orders::bind(Campaigns::verbs(), v, &orders::line(1, line)).unwrap();
    Campaigns::check(v, &order).unwrap()
}

#[test]
fn check_says_what_a_redoubt_takes_and_gives() {
    let before = json!({"bare": true, "at": "own french", "sides": {"french": {
        "redoubts": {"0303": "0304 left 1"},
        "leaders": {"lannes": {"hex": "0404", "units": {"gardes": 12}}, "gazan": {"hex": "0303", "units": {"beurnonville": 12}}},
    }}});
    let v = french("../../tests/boards/1807.yaml", before.clone());
    let said = check(&v, "REDOUBT BEGIN 0404 TOWARD 0504 0505");
    let begun = [
        "redoubt        0404 toward 0504 and 0505",
        "dug            in the Consolidation Segment, turn 1 of 3 [¶60, 295, house]",
        "               if the force does not move; the marker lies in open sight [¶295]",
        "defence        10 SP are doubled against attacks over its hexsides alone [¶216, 360]",
    ];
    assert_eq!(said, begun);
    let said = check(&v, "REDOUBT CONTINUE 0303");
    assert_eq!(
        said[1],
        "dug            in the Consolidation Segment, turn 3 of 3; it is finished then [¶60, 295, house]"
    );
    // 1809 doubles nobody in it.
    let v = french("../../tests/boards/1809.yaml", before);
    assert_eq!(check(&v, "REDOUBT BEGIN 0404 TOWARD 0504 0505"), begun[..3]);
}

#[test]
fn check_says_what_work_on_bridges_and_trestles_takes() {
    let v = french(
        "../../tests/boards/1809-river.yaml",
        json!({"bare": true, "at": "own french", "sides": {"french": {"ap": 5, "leaders": {
            "lannes": {"hex": "0504", "units": {"suchet": 7}}, "gazan": {"hex": "0605", "units": {"gazan_div": 5}},
        }}}}),
    );
    let said = check(&v, "FORCE Lannes COMMAND MARCH 0504 0604 TRESTLE BUILD 0604/0704");
    assert!(
        said.contains(&"work           TRESTLE BUILD 0604/0704, 4 MP of 4; no march [¶251]".to_owned()),
        "{said:#?}"
    );
    assert!(said.contains(&"               done in the Bridge Segment; the enemy is told now [¶61]".to_owned()));
    let said = check(&v, "FORCE Gazan COMMAND BRIDGE DAMAGE 0605/0705");
    assert!(
        said.contains(&"work           BRIDGE DAMAGE 0605/0705, 4 MP of 5; no march [¶251]".to_owned()),
        "{said:#?}"
    );
}

#[test]
fn the_bridging_summary_of_1809_has_its_great_river_and_its_trestles() {
    let table = crate::scenario::board("1809-eggmuehl.yaml").tables.bridging;
    let spans = [Span::Secondary, Span::Primary, Span::Great];
    assert_eq!(spans.map(|span| table.damage(span)), [1, 3, 4]);
    assert_eq!(spans.map(|span| table.repair(span, true)), [2, 5, 5], "P-BRG-2");
    assert_eq!(spans.map(|span| table.deploy(span)), [3, 3, 4]);
    let trestle = table.trestle.unwrap();
    assert_eq!((trestle.build, trestle.repair, trestle.damage, trestle.destroy), (4, 2, 2, 3));
    assert!(crate::scenario::board("1807-eylau.yaml").tables.bridging.trestle.is_none());
}

#[test]
fn spans_and_redoubts_are_drawn_on_their_hexsides_with_a_legend() {
    let v = french("teaching.yaml", json!({"bare": true, "at": "own french"}));
    let map = &v.board.map;
    let window = Window::around(map, Hex::parse("0604").unwrap(), 9, 76);
    let side = |text: &str| Hexside::parse(text).unwrap();
    let drawn = |chart: &Chart<'_>| (lattice(chart, window).concat(), lattice_legend(chart, &[window], 76).concat());
    let bricks = |chart: &Chart<'_>| (brick(chart, window).concat(), brick_legend(chart, window, 76).concat());
    let count = |text: &str, mark: char| text.matches(mark).count();
    let bare = Chart::new(map);
    for text in ["0604NE", "0604SE"] {
        let set = BTreeSet::from([side(text)]);
        let mut spanned = Chart::new(map);
        spanned.bridging(&BTreeSet::new(), [], &set);
        let mut down = Chart::new(map);
        down.bridging(&set, [], &set);
        let mut dug = Chart::new(map);
        dug.fronts([(&set, true)]);
        let mut begun = Chart::new(map);
        begun.fronts([(&set, false)]);
        let marks = [
            (&spanned, '=', "= pontoon, trestle"),
            (&down, 'x', "x bridge down"),
            (&dug, '*', "* redoubt hexside"),
            (&begun, ':', ": redoubt begun"),
        ];
        for (chart, mark, words) in marks {
            for (with, without) in [(drawn(chart), drawn(&bare)), (bricks(chart), bricks(&bare))] {
                assert_eq!(count(&with.0, mark), count(&without.0, mark) + 1, "{text} {mark}");
                assert!(with.1.contains(words) && !without.1.contains(words), "{}", with.1);
            }
        }
    }
}
