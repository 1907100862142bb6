//! What CHECK says beforehand: what a wish comes to, who would be Disordered, what END takes away, what an attack meets.

use crate::positions::seen;
use estafette::orders;
use estafette::orders::mend::Meaning;
use estafette::rules::Ruleset;
use estafette::rules::great_battles::GreatBattles;
use estafette::rules::great_battles::view::View;
use estafette::rules::rehearsal::Plan;
use serde_json::{Value, json};

fn on(mut before: Value) -> View {
    before["clear"] = json!(true);
    let base = GreatBattles::arrange(&super::files("telnitz.yaml"), before).unwrap();
    seen::<GreatBattles>(&base, &"french".into())
}

fn fery(units: Value, how: &str) -> View {
    let acts = json!({"side": "french", "lim": "FERY", "modes": {"FERY": how}});
    on(json!({"acts": acts, "leaders": {"FERY": "1010"}, "units": units}))
}

/// What is said of the last of some lines, and of what it warns.
fn told(v: &View, lines: &[&str]) -> (String, String) {
    let mut plan = Plan::<GreatBattles>::new(v.clone());
    let all =
        lines.iter().map(|line| plan.line(&orders::line(1, line)).unwrap_or_else(|fault| panic!("{line}: {fault}")));
    let last = all.last().unwrap();
    let warned: Vec<String> = last.warnings.into_iter().map(|warning| warning.text).collect();
    (last.said.join(" "), warned.join("; "))
}

/// What is said of a whole plan.
fn of_all(v: &View, lines: &[&str]) -> String {
    let mut plan = Plan::<GreatBattles>::new(v.clone());
    for line in lines {
        plan.line(&orders::line(1, line)).unwrap_or_else(|fault| panic!("{line}: {fault}"));
    }
    plan.warnings().into_iter().map(|warning| warning.text).collect::<Vec<_>>().join("; ")
}

/// 4.2, 4.4, 14.2: who cannot begin, or does not come, is said; the LIMs of a Command Change are an order of preference.
#[test]
fn a_wish_that_changes_nothing_is_warned_of() {
    let leaders = json!({"DAVOUT": "1120", "LEGRAND": "1718", "FERY": "2124", "MARGARON": "1520"});
    let v = on(json!({"at": "open", "turn": 2, "units": {}, "leaders": leaders, "pool": ["FERY"]}));
    assert!(told(&v, &["INITIATIVE MARGARON FERY"]).1.contains("no LIM in the pool"));
    assert_eq!(told(&v, &["INITIATIVE FERY"]).1, "");
    assert_eq!(told(&v, &["CHANGE BY DAVOUT ADD MARGARON", "INITIATIVE MARGARON"]).1, "");
    assert!(told(&v, &["REINFORCE YES"]).1.contains("it changes nothing"));
    let said = told(&v, &["CHANGE BY DAVOUT ADD IV MARGARON"]).0;
    assert!(said.contains("IV, MARGARON, the first before the others") && said.contains("go out: FERY"), "{said}");
}

/// 5.1.4, 6.3.2, 5.1: friends whom somebody goes through, a step back, and two lines that send a unit to one hex.
#[test]
fn a_march_warns_of_what_its_writer_may_not_want() {
    let v = fery(
        json!({
            "F3-1": {"at": "1010", "form": "column", "face": 4}, "F3-2": {"at": "1111", "form": "line", "face": 3},
            "F3-3": {"at": "1111", "form": "line", "face": 3},
        }),
        "full",
    );
    assert!(told(&v, &["MOVE F3-1 F F"]).1.contains("Disordered by the passage"));
    let v = fery(json!({"F3-1": {"at": "1010", "form": "column", "face": 4}}), "full");
    let (said, warned) = told(&v, &["MOVE F3-1 B"]);
    assert!(!said.contains("lies behind") && warned.is_empty(), "{said}");
    let behind = v.state.pose("F3-1").unwrap().hour.on(6).dir();
    let hex = v.state.hex("F3-1").unwrap().neighbour(behind);
    assert!(told(&v, &[&format!("MOVE F3-1 {hex}")]).0.contains(&format!("{hex} lies behind: a step back")));
    let twice =
        of_all(&v, &["MOVE F3-1 1111", &format!("MOVE F3-1 {}", v.state.hex("F3-1").unwrap()), "MOVE F3-1 1111"]);
    assert!(twice.contains("F3-1 goes to 1111 twice"), "{twice}");
}

/// 5.2.1: who marches strategically and could go on loses the marker with END.
#[test]
fn strategic_movement_that_is_lost_is_warned_of() {
    let v = fery(json!({"F3-1": {"at": "1010", "form": "column", "face": 4}}), "strategic");
    let warned = of_all(&v, &["MOVE F3-1 F"]);
    assert!(warned.contains("FERY loses its strategic movement") && warned.contains("F3-1 could go on"), "{warned}");
}

/// 8.2.1, H.2: guns alone make no check, and of who is seen from afar it is told how strong he looks.
#[test]
fn an_attack_tells_guns_alone_and_no_more_than_is_seen() {
    let v = fery(
        json!({"F3-1": {"at": "1010", "form": "column", "face": 4}, "AA1": {"at": "1111", "form": "unlimbered", "face": 9}}),
        "full",
    );
    let front = v.state.front("F3-1").into_iter().next().unwrap();
    let v = fery(
        json!({"F3-1": {"at": "1010", "form": "column", "face": 4}, "AA1": {"at": front.to_string(), "form": "unlimbered", "face": 9}}),
        "full",
    );
    let said = told(&v, &[&format!("BAYONET F3-1 AT {front}")]).0;
    assert!(said.contains("guns alone") && !said.contains("AA1 stands in"), "{said}");
}

/// 3.0: a pick is told when it comes, and a second one what is next.
#[test]
fn a_pick_out_of_its_time_is_told_when_it_comes() {
    let v = fery(json!({"F3-1": {"at": "1010", "form": "column", "face": 4}}), "full");
    let read = |text: &str| orders::read(GreatBattles::verbs(), &v, &orders::line(1, text));
    let fault = GreatBattles::rehearse(&v, &read("PICK F3-1").unwrap()).map(|_| ()).unwrap_err();
    assert!(fault.why().contains("when all LIMs are drawn"), "{}", fault.why());
}

/// 4.5: a line with a tag that stands above ACTIVATE is offered with the hex, and a slip in one is told besides.
#[test]
fn a_line_above_activate_is_put_right() {
    let acts = json!({"side": "french", "lim": "FERY", "step": "attempt", "todo": ["FERY"], "modes": {}});
    let units = json!({
        "F3-1": {"at": "1010", "form": "column", "face": 4}, "AS14-1": {"at": "1112", "form": "column", "face": 10},
    });
    let visibility = json!([{"turns": [1, 12], "hexes": 9, "mist_top_level": 9}]);
    let v = on(json!({
        "sight": "fog", "visibility": visibility, "acts": acts, "units": units, "leaders": {"FERY": "1010"},
    }));
    let mended = |text: &str| {
        let line = orders::line(1, text);
        let tried = orders::read(GreatBattles::verbs(), &v, &line);
        let fault = tried.and_then(|order| GreatBattles::rehearse(&v, &order).map(|_| ())).expect_err(text);
        match GreatBattles::meant(&v, &line, &fault) {
            Meaning::Attempt(mended) => mended,
            other => panic!("{text}: {other:?}"),
        }
    };
    let said = mended("BAYONET F3-1 AT E1");
    assert_eq!(said.lines, ["BAYONET F3-1 AT 1112"], "{said:?}");
    let said = mended("FORM F3-1 LNIE");
    assert_eq!(said.lines, ["FORM F3-1 LINE"], "{said:?}");
    assert!(said.why.starts_with("activate FERY first; and then: "), "{said:?}");
}

/// 4.5, 6.3.8: a lodged line names a hex, and foot guns do not fire when they have just been unlimbered.
#[test]
fn a_line_that_can_never_be_taken_is_not_lodged() {
    let v = on(json!({"units": {}}));
    let why = |value: &str| GreatBattles::unset(&v.state, value).unwrap_or_default();
    assert!(why("ACTIVATE FERY FULL THEN FIRE FA1 AT E3").contains("names the hex"));
    assert!(why("FORM FA1 UNLIMBER THEN FIRE FA1 AT 2424").contains("foot guns"));
    assert_eq!(why("FORM FHA1 UNLIMBER THEN FIRE FHA1 AT 2424"), "");
    assert_eq!(why("ACTIVATE FERY LIMITED THEN FIRE FA1"), "");
    for value in ["NONE", "PASS", "MOVE FH8 F"] {
        let set = |key: &str| GreatBattles::ill_set(&v.state, key, value);
        assert!(set("LODGE").is_some_and(|why| why.contains(" FOR and the name")), "{value}");
        assert_eq!((set("LODGE FOR FERY"), set("SQUARE")), (None, None), "{value}");
    }
}

/// H.2: who is in sight when a turn begins is seen in it, though nothing new is seen of him.
#[test]
fn an_enemy_in_sight_is_last_seen_in_the_turn_in_which_he_goes() {
    use estafette::rules::great_battles::Sighting;
    use estafette::rules::great_battles::event::Event;
    use estafette::rules::tactical::tags::{Face, Intel, Spot};
    let face = Face { hex: estafette::hex::Hex::parse("1010").unwrap(), arm: "foot".to_owned(), regiment: None };
    let hears = |mind: &mut Intel, told: Option<Event>, spots: Vec<Spot>| {
        GreatBattles::recall(mind, &Sighting::Seen { told, spots });
    };
    let mut mind = Intel::default();
    hears(&mut mind, None, vec![Spot::Seen { tag: 1, face, turn: 1, fresh: true }]);
    hears(&mut mind, Some(Event::Turn { turn: 2 }), Vec::new());
    hears(&mut mind, None, vec![Spot::Lost { tag: 1 }]);
    assert_eq!(mind.last_seen().first().map(|(_, contact)| contact.turn), Some(2));
    hears(&mut mind, Some(Event::Turn { turn: 3 }), Vec::new());
    assert_eq!(mind.last_seen().first().map(|(_, contact)| contact.turn), Some(2));
}
