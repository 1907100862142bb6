//! What is offered: lines of a letter for who comes on and who changes his formation, a line by the names that the map prints,
//! and, where a way does not reach, the line that comes nearest.

use crate::positions::seen;
use estafette::hex::Hex;
use estafette::host::paper::{Format, Page, Paper};
use estafette::orders::mend::{Meaning, Mended};
use estafette::orders::{self, Fault};
use estafette::rules::Ruleset;
use estafette::rules::great_battles::GreatBattles;
use estafette::rules::great_battles::order::Order;
use estafette::rules::great_battles::view::{View, codes};
use estafette::rules::rehearsal::Plan;
use serde_json::{Value, json};

/// A position on the clear field of Telnitz as the French see it.
fn on(mut before: Value) -> View {
    before["clear"] = json!(true);
    let base = GreatBattles::arrange(&super::files("telnitz.yaml"), before).unwrap();
    seen::<GreatBattles>(&base, &"french".into())
}

fn fery(units: Value) -> View {
    let acts = json!({"side": "french", "lim": "FERY", "modes": {"FERY": "full"}});
    on(json!({"acts": acts, "leaders": {"FERY": "1010"}, "units": units}))
}

fn read(v: &View, text: &str) -> Result<Order, Fault> {
    orders::read(GreatBattles::verbs(), v, &orders::line(1, text))
}

/// The view behind some lines, each of which has to be taken.
fn behind(v: &View, lines: &[String]) -> View {
    let mut plan = Plan::<GreatBattles>::new(v.clone());
    for line in lines.iter().filter(|line| *line != "END") {
        plan.line(&orders::line(1, line)).unwrap_or_else(|fault| panic!("{line}: {fault}"));
    }
    plan.now().clone()
}

/// What is said of a line that is not taken.
fn mended(v: &View, text: &str) -> Mended {
    let line = orders::line(1, text);
    let tried = read(v, text).and_then(|order| GreatBattles::rehearse(v, &order).map(|_| ()));
    let fault = tried.expect_err(text);
    match GreatBattles::meant(v, &line, &fault) {
        Meaning::Attempt(mended) => mended,
        other => panic!("{text}: {other:?}"),
    }
}

/// gbnw-14.1-b, gbnw-6.3-1: the letter names who comes on, each on a line that is taken behind those above it.
#[test]
fn a_letter_offers_who_comes_on() {
    let acts = json!({"side": "french", "lim": "x", "reinforcement": true, "todo": ["HEUDELET"]});
    let v = on(json!({"turn": 4, "divisions": {"HEUDELET": {"waits": true}}, "units": {}, "acts": acts}));
    let offers = GreatBattles::offers(&v);
    let enters: Vec<&String> = offers.iter().filter(|line| line.starts_with("ENTER ")).collect();
    assert!(enters.len() > 1, "{offers:?}");
    let after = behind(&v, &offers);
    let come = after.state.standing().filter(|(id, ..)| after.state.division(id) == "HEUDELET").count();
    assert_eq!(come, enters.len(), "{offers:?}");
    // A slip in the name of one is read as his.
    let called = behind(&v, &["ACTIVATE HEUDELET STRATEGIC".to_owned()]);
    let said = mended(&called, "ENTER F1081");
    assert_eq!(said.lines, ["ENTER F108-1"], "{said:?}");
    for line in ["ENTER ALL", "ENTER HEUDELET"] {
        let said = mended(&called, line);
        assert!(said.lines.len() > 1 && said.lines.iter().all(|line| line.starts_with("ENTER F")), "{line}: {said:?}");
        behind(&called, &said.lines);
    }
}

#[test]
fn a_letter_offers_a_change_of_formation_before_the_enemy() {
    let v = fery(json!({
        "F3-1": {"at": "1923", "form": "column", "face": 4}, "AS14-1": {"at": "2224", "form": "column", "face": 10},
    }));
    let offers = GreatBattles::offers(&v);
    assert!(offers.iter().any(|line| line.starts_with("FORM F3-1 LINE AT ")), "{offers:?}");
    behind(&v, &offers);
}

/// A unit may be written as the map prints it, with the sign of how it stands or without.
#[test]
fn a_line_may_name_a_unit_as_the_map_prints_it() {
    let v = fery(json!({
        "F3-1": {"at": "1010", "form": "column", "face": 4}, "F3-2": {"at": "1012", "form": "column", "face": 4},
        "F26-1": {"at": "1014", "form": "column", "face": 4}, "FA1": {"at": "1016", "form": "limbered", "face": 4},
    }));
    let codes = codes(&v);
    let mut printed = 0;
    for id in ["F3-1", "F3-2", "F26-1", "FA1"] {
        let wanted = format!("MOVE {id} 1111");
        let code = &codes[id];
        for name in [code.clone(), format!("{code}c"), code.to_lowercase()] {
            let line = format!("MOVE {name} 1111");
            assert_eq!(read(&v, &line), read(&v, &wanted), "{line}");
            printed += u32::from(name != id);
        }
    }
    assert!(printed > 8, "{codes:?}");
    assert!(read(&v, &format!("MOVE {} 1111", codes["F3-1"])).is_ok());
}

/// Whether what is offered for a march that does not reach is one line of the same unit that comes nearer.
fn comes_nearer(v: &View, line: &str, to: &str, why: &str) {
    let said = mended(v, line);
    assert!(said.why.contains(why), "{line}: {said:?}");
    let [offered] = said.lines.as_slice() else { panic!("{line}: {said:?}") };
    assert!(offered.starts_with("MOVE F3-1 ") && !said.same, "{line}: {said:?}");
    let (to, after) = (Hex::parse(to).unwrap(), behind(v, std::slice::from_ref(offered)));
    let far = |v: &View| v.state.hex("F3-1").unwrap().distance(to);
    assert!(far(&after) < far(v), "{line}: {offered}");
}

#[test]
fn a_march_that_does_not_reach_is_answered_with_the_way_that_comes_nearest() {
    let v = fery(json!({
        "F3-1": {"at": "1010", "form": "column", "face": 4}, "FA1": {"at": "1210", "form": "unlimbered", "face": 3},
        "AS14-1": {"at": "3030", "form": "column", "face": 10},
    }));
    let reach = "does not reach 3010";
    for line in ["MOVE F3-1 3010", "MOVE F3-1 TO 3010", "F3-1 to 3010", "MOVE F3-1 1111 3010", "MVOE F3-1 3010"] {
        comes_nearer(&v, line, "3010", reach);
    }
    comes_nearer(&v, "MOVE F3-1 3010 STOP IF SEEN HORSE", "3010", reach);
    comes_nearer(&v, "MOVE F3-1 3030", "3030", "an enemy stands in 3030");
    // Guns that are unlimbered go nowhere before they are limbered.
    let said = mended(&v, "MOVE FA1 1910");
    assert_eq!(said.lines, ["FORM FA1 LIMBER"], "{said:?}");
    let note = said.note.clone().unwrap_or_default();
    assert!(note.contains("first of two lines: MOVE FA1 ") || note.contains("all in this activation"), "{said:?}");
    assert!(said.why.contains("does not move"), "{said:?}");
    // A leader who does not reach a hex rides as near as he comes.
    let said = mended(&v, "LEADER FERY TO 3010");
    assert!(said.lines.len() == 1 && said.lines[0].starts_with("LEADER FERY TO "), "{said:?}");
    behind(&v, &said.lines);
}

/// A leader with a word for his men is no leader who rides alone: his units have a line each, and it is said how many come.
#[test]
fn a_division_that_is_named_by_its_leader_has_a_line_for_each_stack() {
    let v = fery(json!({
        "F3-1": {"at": "1010", "form": "column", "face": 4}, "F3-2": {"at": "1012", "form": "column", "face": 4},
        "F3-3": {"at": "1014", "form": "column", "face": 4},
    }));
    for who in ["FERY DIVISION", "FERY'S DIVISION", "FERY AND HIS MEN", "DIVISION FERY"] {
        let said = mended(&v, &format!("MOVE {who} 1212"));
        assert!(!said.same && !said.lines.is_empty(), "{who}: {said:?}");
        assert!(said.lines.iter().all(|line| line.starts_with("MOVE F3-")), "{who}: {said:?}");
        assert!(said.note.as_ref().is_some_and(|note| note.contains(" of 3 units come")), "{who}: {said:?}");
        behind(&v, &said.lines);
    }
    assert_eq!(mended(&v, "MOVE FERY 1111").lines, ["LEADER FERY TO 1111"]);
}

/// 7.2 Who lies on top of a stack stands first among the forces, and is marked; each division names its units.
#[test]
fn forces_name_who_is_on_top_and_of_which_division_a_unit_is() {
    let v = fery(json!({
        "F3-1": {"at": "1010", "form": "column", "face": 4}, "F3-2": {"at": "1010", "form": "column", "face": 4},
    }));
    let page = Page { view: &v, before: None, told: &[], format: Format::default(), whole: true, sees: &[] };
    let forces = GreatBattles::sections(&page).forces.join("\n");
    let [top, under] =
        ["F3-1, top", "F3-2  "].map(|said| forces.find(said).unwrap_or_else(|| panic!("{said}: {forces}")));
    assert!(top < under, "{forces}");
    let flat = forces.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("; corps IV; units F3-1 F3-2."), "{flat}");
}

/// 4.5.2: END is offered only where nobody else may still act; what is offered names all who may move.
#[test]
fn end_is_offered_only_where_nobody_else_may_act() {
    let units = json!({
        "F3-1": {"at": "1010", "form": "column", "face": 4}, "F3-2": {"at": "1012", "form": "column", "face": 4},
        "F3-3": {"at": "1014", "form": "column", "face": 4}, "FPO": {"at": "1016", "form": "column", "face": 4},
        "F26-1": {"at": "1110", "form": "column", "face": 4}, "AS14-1": {"at": "2424", "form": "column", "face": 10},
    });
    let leaders = json!({"FERY": "1012", "MERLE": "1110"});
    let acts = json!({"side": "french", "lim": "IV", "step": "attempt", "todo": ["FERY", "MERLE"], "modes": {}});
    let corps = on(json!({"acts": acts, "units": units, "leaders": leaders}));
    let offers = GreatBattles::offers(&corps);
    assert!(offers.len() > 1 && !offers.contains(&"END".to_owned()), "{offers:?}");
    behind(&corps, &offers);
    let open = on(json!({"at": "open", "turn": 2, "units": units, "leaders": leaders, "pool": ["FERY"]}));
    let offers = GreatBattles::offers(&open);
    assert_eq!(offers.last().map(String::as_str), Some("END"), "{offers:?}");
}

/// 3.0: no pick is offered by which nobody does anything.
#[test]
fn no_pick_is_offered_without_a_deed() {
    let units = json!({
        "F3-1": {"at": "1010", "form": "column", "face": 4}, "AS14-1": {"at": "2424", "form": "column", "face": 10},
    });
    let v = on(json!({"at": "french", "turn": 2, "units": units, "leaders": {"FERY": "1010"}}));
    let offers = GreatBattles::offers(&v);
    let deeds = offers.iter().filter(|line| !["PICK", "ACTIVATE", "END"].contains(&line.split(' ').next().unwrap()));
    assert!(offers.is_empty() || deeds.count() > 0, "{offers:?}");
    assert!(offers.is_empty() || offers[0].starts_with("PICK "), "{offers:?}");
    assert_eq!(mended(&v, "ACTIVATE FERY").lines, ["PICK FERY"]);
}

/// 14.1, 5.4: with the first stack its leader comes on, and may be offered to ride along.
#[test]
fn a_leader_comes_on_with_the_first_stack_of_a_plan() {
    let acts = json!({"side": "french", "lim": "x", "reinforcement": true, "todo": ["HEUDELET"]});
    let v = on(json!({"turn": 4, "divisions": {"HEUDELET": {"waits": true}}, "units": {}, "acts": acts}));
    let after = behind(&v, &["ACTIVATE HEUDELET STRATEGIC".to_owned(), "ENTER F108-1".to_owned()]);
    assert!(after.state.leaders["HEUDELET"].hex.is_some());
}

/// Turns that take each other back are left out of the line that is offered.
#[test]
fn a_way_is_offered_without_turns_to_and_fro() {
    let v = fery(json!({"F3-1": {"at": "1010", "form": "column", "face": 4}}));
    assert_eq!(mended(&v, "MOVE F3-1 R 1111 1112").lines, ["MOVE F3-1 1111 R 1112"]);
}

/// Nobody is offered to march out of a place that counts before an enemy who can come.
#[test]
fn nobody_is_offered_to_leave_a_place_that_counts_before_the_enemy() {
    let v = fery(json!({
        "F3-1": {"at": "1923", "form": "column", "face": 4}, "F3-2": {"at": "1923", "form": "column", "face": 4},
        "AS14-1": {"at": "2424", "form": "column", "face": 10},
    }));
    let hexes = &v.state.board.ground.field.places["Telnitz"];
    let after = behind(&v, &GreatBattles::offers(&v));
    for unit in ["F3-1", "F3-2"] {
        assert!(hexes.contains(&after.state.hex(unit).unwrap()), "{unit}: {:?}", GreatBattles::offers(&v));
    }
}

#[test]
fn an_activation_that_names_nobody_is_that_of_the_only_one_who_may_try() {
    let call = |todo: Value| {
        let acts = json!({"side": "french", "lim": "IV", "step": "attempt", "todo": todo, "modes": {}});
        let units = json!({
            "F3-1": {"at": "1010", "form": "column", "face": 4}, "F26-1": {"at": "1014", "form": "column", "face": 4},
        });
        on(json!({"acts": acts, "units": units, "leaders": {"FERY": "1010", "MERLE": "1014"}}))
    };
    for (how, offered) in [("", "ACTIVATE FERY FULL"), (" LIMITED", "ACTIVATE FERY LIMITED")] {
        let line = &format!("ACTIVATE Xyzzy{how}");
        assert_eq!(mended(&call(json!(["FERY"])), line).lines, [offered], "{line}");
        assert_eq!(mended(&call(json!(["FERY", "MERLE"])), line).lines, Vec::<String>::new(), "{line}");
    }
}

#[test]
fn a_later_line_takes_the_place_of_one_that_can_only_be_meant_instead() {
    let v = fery(json!({
        "F3-1": {"at": "1010", "form": "column", "face": 4}, "F3-2": {"at": "1012", "form": "column", "face": 4},
        "FA1": {"at": "1210", "form": "unlimbered", "face": 3},
    }));
    let replaces = |earlier: &str, later: &str| {
        let order = |text: &str| read(&v, text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
        GreatBattles::replaces(&v, &order(later), &order(earlier))
    };
    for (earlier, later) in [
        ("CHANGE NONE", "CHANGE BY FERY ADD MERLE"),
        ("INITIATIVE FERY", "INITIATIVE MARGARON FERY"),
        ("REINFORCE YES", "REINFORCE NO"),
        ("ACTIVATE FERY FULL", "ACTIVATE FERY LIMITED"),
        ("LEADER FERY TO 1011", "LEADER FERY TO 1012"),
        ("FIRE FA1 AT 1505", "FIRE FA1 AT 1506"),
        ("BAYONET F3-1 AT 1111", "ASSAULT F3-1 AT 1110"),
        ("ENTER F108-1 F108-2", "ENTER F108-2 F108-1 FORM LINE"),
    ] {
        assert!(replaces(earlier, later), "{earlier}, {later}");
    }
    // gbnw-3.0-11: any LIMs of one's own are taken back, by one line or by several.
    for (earlier, later) in [
        ("PICK FERY", "PICK F3-1"),
        ("REMOVE FERY", "REMOVE MERLE"),
        ("KEEP F3-1", "KEEP F3-2"),
        ("ACTIVATE FERY FULL", "ACTIVATE MERLE FULL"),
        ("MOVE F3-1 F", "MOVE F3-1 L"),
        ("FORM F3-1 LINE", "FORM F3-1 COLUMN"),
        ("FIRE FA1 AT 1505", "FIRE F3-1 AT 1505"),
        ("FIRE F3-1 AT 1111", "BAYONET F3-1 AT 1111"),
        ("ENTER F108-1 F108-2", "ENTER F108-1"),
    ] {
        assert!(!replaces(earlier, later), "{earlier}, {later}");
    }
}
