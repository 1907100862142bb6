//! Doctrine for single units, several seats of a side, and what an umpire puts right.

use super::{files, mail, opened};
use estafette::fog::{SeatId, SideId};
use estafette::host::{Act, Input};
use estafette::rules::Ruleset;
use estafette::rules::austerlitz1805::Austerlitz;
use estafette::rules::cx::Base;
use estafette::{games, orders, scenario, simulate};
use serde_json::{Value, json};

const STAFF: &str = "kind: staff
seats:
- {seat: soult, side: french, commands: [Soult]}
- {seat: napoleon, side: french, commander: true}
- {seat: kollowrat, side: allied, commands: [Kollowrat]}
- {seat: kutusov, side: allied, commander: true}
";

fn umpire(act: Act) -> Input {
    Input::Umpire { by: "umpire".into(), act, reason: "as agreed".to_owned() }
}

fn amend(side: &str, text: &str) -> Act {
    Act::Amend { side: SideId::from(side), text: text.to_owned() }
}

#[test]
fn a_doctrine_for_a_unit_goes_before_that_of_its_corps_and_its_side() {
    let game = opened(1);
    let read = |line: &str| game.doctrine_line(&"french".into(), line);
    let (key, value) = read("square no for vandamme/1").unwrap();
    assert_eq!((key.as_str(), value.as_str()), ("SQUARE FOR Vandamme/1", "NO"));
    assert_eq!(read("ADVANCE FULL FOR cavalry").unwrap().0, "ADVANCE FOR CAVALRY");
    assert_eq!(read("GUNS HOLD FOR IV").unwrap().0, "GUNS FOR IV");
    assert_eq!(read("SQUARE NO").unwrap().0, "SQUARE");
    assert!(read("SQUARE NO FOR Vandame/1").unwrap_err().contains("Did you mean Vandamme/1?"));
    assert!(
        read("SQUARE NO FOR Miloradovitc").unwrap_err().ends_with("DOCTRINE can be set for."),
        "of the enemy's units it tells nothing"
    );
    assert!(read("SQUARE PERHAPS FOR Vandamme/1").unwrap_err().contains("takes YES, LIKELY, NO or ASK"));
    let mut game = opened(1);
    game.take(Input::Begin).unwrap();
    let seat = SeatId::from("french");
    for (key, value) in [("GUNS", "ROUND"), ("GUNS FOR IV", "HOLD"), ("GUNS FOR IV horse", "CANISTER")] {
        let (key, value) = (key.to_owned(), value.to_owned());
        game.take(Input::Doctrine { seat: seat.clone(), key, value, mail: "<1>".to_owned() }).unwrap();
    }
    let listed = game.doctrine(&seat).into_parts().1.join("\n");
    for line in ["GUNS ROUND   of", "  GUNS HOLD FOR IV\n", "  GUNS CANISTER FOR IV horse"] {
        assert!(listed.contains(line), "{line} in {listed}");
    }
}

#[test]
fn each_seat_of_a_side_writes_for_its_own_corps() {
    let staffed = scenario::with_file(files(), "staff.yaml", STAFF.to_owned());
    let entry = games::find(games::GAMES, "austerlitz1805").unwrap();
    let mut game = simulate::open(entry, &staffed, 1).unwrap();
    game.take(Input::Begin).unwrap();
    let seats: Vec<String> = game.seats().into_iter().map(|(seat, _)| seat.0).collect();
    assert_eq!(seats, ["kollowrat", "kutusov", "soult", "napoleon"]);
    for seat in ["kollowrat", "kutusov"] {
        mail(game.as_mut(), seat, &[], true);
    }
    let check = |seat: &str, line: &str| {
        format!("{:?}", game.check(&seat.into(), &[(1, line.to_owned())]).into_parts().1[0].outcome)
    };
    assert_eq!(check("soult", "MOVE Vandamme/2 1UM"), "None");
    assert_eq!(check("napoleon", "MOVE Vandamme/2 1UM"), "None");
    // Somebody else's corps.
    let own = "MOVE Repninsky 1UM";
    assert!(check("soult", own).contains("Unclear"), "{}", check("soult", own));
    // Both write; nothing goes on until both have said END.
    mail(game.as_mut(), "soult", &["MOVE Vandamme/2 1UM"], true);
    assert!(game.stage().unwrap().key.contains("french/move"));
    mail(game.as_mut(), "napoleon", &[], true);
    assert!(!game.stage().unwrap().key.contains("french/move"));
}

#[test]
fn who_commands_another_corps_is_asked_for_it() {
    let staff = "kind: staff\ncommander_orders: own\nseats:\n- {seat: davout, side: french, commands: [Davout]}\n- {seat: \
                 napoleon, side: french, commander: true}\n";
    let files = scenario::files(&super::root().join("scenarios/austerlitz1805/fog-teaching.yaml")).unwrap();
    let staffed = scenario::with_file(files, "staff.yaml", staff.to_owned());
    let entry = games::find(games::GAMES, "austerlitz1805").unwrap();
    let mut game = simulate::open(entry, &staffed, 1).unwrap();
    game.take(Input::Begin).unwrap();
    let check = |seat: &str, line: &str| {
        format!("{:?}", game.check(&seat.into(), &[(1, line.to_owned())]).into_parts().1[0].outcome)
    };
    assert_eq!(check("davout", "STRAT III TO F5"), "None");
    for (seat, line) in [("davout", "STRAT IV TO F5"), ("davout", "CHIT 1 = Vandamme/1 PLACE 12900,17200")] {
        assert!(check(seat, line).contains("is commanded by napoleon"), "{line}: {}", check(seat, line));
    }
    assert!(check("napoleon", "STRAT III TO F5").contains("Davout is commanded by davout"));
}

#[test]
fn an_umpire_puts_units_right_and_nothing_that_cannot_be() {
    let mut game = opened(1);
    game.take(Input::Begin).unwrap();
    for (side, text, shown) in [
        ("french", "PLACE Margaron AT 14000,12000 FACE S FORM COLUMN", "column     S  180  14000,12000"),
        ("french", "MORALE St Hilaire/1 D", "13300,15300  6/3/8  D"),
        ("french", "STEPS Vandamme/2 1", "5/2/9  1 step"),
        ("allied", "FORM Repninsky LINE", "Repninsky       inf line"),
        ("allied", "CONTROL Puntowitz", "Puntowitz 1"),
        ("allied", "REMOVE Uvarov", "Lost by the enemy: Uvarov"),
        ("allied", "PLACE Uvarov AT 17400,18200 FACE W", "W  270  17400,18200"),
    ] {
        game.may(&amend(side, text)).unwrap_or_else(|fault| panic!("{text}: {fault}"));
        let batch = game.take(umpire(amend(side, text))).unwrap();
        // It lies open: both sides are told.
        assert_eq!(batch.entries.iter().filter(|e| e.kind == "sight").count(), 2, "{text}");
        let paper = game.truth().into_parts().1;
        let lines: Vec<String> = paper.forces.iter().chain(&paper.enemy).cloned().collect();
        assert!(lines.iter().any(|line| line.contains(shown)), "{text}: {lines:#?}");
    }
    for (side, text, wanted) in [
        ("french", "PLACE Margaron AT Vandamme/1", "would overlap"),
        ("french", "PLACE Margaron AT 99999,1", "off the map"),
        ("french", "STEPS Vandamme/2 3", "1 to 2 steps"),
        ("french", "FORM Margaron SQUARE", "can't be square"),
        ("french", "PLACE Soult AT 9000,9000", "PLACE that unit"),
        ("french", "MORALE Repninsky D", "is not one of your units"),
        ("french", "WEATHER Rain", "what is amended"),
    ] {
        let fault = game.may(&amend(side, text)).unwrap_err().to_string();
        assert!(fault.contains(wanted), "{text}: {fault}");
    }
    assert!(game.who_knows("Margaron").unwrap()[0].contains("all of it lies open"));
}

#[test]
fn no_answer_tells_which_enemy_units_the_fog_hides() {
    let fog = scenario::files(&super::root().join("scenarios/austerlitz1805/fog-teaching.yaml")).unwrap();
    let mut game = simulate::open(games::find(games::GAMES, "austerlitz1805").unwrap(), &fog, 1).unwrap();
    game.take(Input::Begin).unwrap();
    let seat = SeatId::from("french");
    let said = |line: &str, name: &str| {
        let line = line.replace("NAME", name);
        format!("{:?}", game.check(&seat, &[(1, line)]).into_parts().1).replace(name, "NAME")
    };
    // One that takes part, rightly and wrongly spelt, its corps and its label; and a word that is nothing.
    for line in [
        "CHIT 1 = NAME PLACE Pratzen",
        "MOVE NAME TOWARD Pratzen",
        "ATTACK Vandamme/1 AT NAME",
        "MOVE Vandamme/1 TOWARD NAME",
        "IF Vandamme/1 WITHIN 2UM OF NAME MOVE Vandamme/1 TOWARD Pratzen",
        "IF NAME SHAKEN MOVE Vandamme/1 TOWARD Pratzen",
    ] {
        let nothing = said(line, "Wurmberg");
        for name in ["Selekhov", "Selekhow", "Kienmayer", "Kienmeyer"] {
            assert_eq!(said(line, name), nothing, "{line}: {name}");
        }
    }
    let doctrine = |name: &str| game.doctrine_line(&seat, &format!("SQUARE NO FOR {name}")).unwrap_err();
    assert_eq!(doctrine("Selekhow").replace("Selekhow", "NAME"), doctrine("Wurmberg").replace("Wurmberg", "NAME"));
}

#[test]
fn what_is_amended_on_a_strategic_map_is_told_to_its_own_side_alone() {
    let fog = scenario::files(&super::root().join("scenarios/austerlitz1805/fog-teaching.yaml")).unwrap();
    let mut game = simulate::open(games::find(games::GAMES, "austerlitz1805").unwrap(), &fog, 1).unwrap();
    game.take(Input::Begin).unwrap();
    let batch = game.take(umpire(amend("french", "CORPS III TO F7"))).unwrap();
    let told: Vec<&String> = batch.entries.iter().filter(|e| e.kind == "sight").map(|e| &e.body).collect();
    assert!(told.len() == 1 && told[0].contains("\"side\":\"french\"") && told[0].contains("F7"), "{told:?}");
    let known = game.who_knows("Davout").unwrap().join(" ");
    assert!(known.contains("with III in F7") && known.contains("allied: knows nothing of it"), "{known}");
    let fault = game.may(&amend("french", "PLACE Davout AT 9000,9000")).unwrap_err().to_string();
    assert!(fault.contains("is in the fog"), "{fault}");
}

/// A position in the player-turn of the French, in a game that began in fog.
fn in_fog(chits: &Value, units: &Value) -> Base<Austerlitz> {
    let files = scenario::files(&super::root().join("scenarios/austerlitz1805/fog-teaching.yaml")).unwrap();
    let before = json!({"bare": true, "at": "own french", "chits": chits, "units": units});
    Austerlitz::arrange(&files, before).unwrap()
}

/// 16.4.2
#[test]
fn who_knows_names_the_box_that_holds_the_unit() {
    let chits = json!({
        "FC1": {"side": "french", "number": 3, "at": "9000,9000", "units": ["Vandamme/1"]},
        "FC2": {"side": "french", "number": 4, "at": "9000,16000", "units": ["Margaron"]}});
    let base = in_fog(&chits, &json!({}));
    for (unit, holds) in [("Vandamme/1", "its box 3 holds Vandamme/1,"), ("Margaron", "its box 4 holds Margaron,")] {
        let known = Austerlitz::who_knows(&base.state, &base.minds, unit).unwrap();
        assert!(known[0].contains(holds), "{unit}: {known:?}");
    }
}

/// 16.4.1: only those who wait on the strategic map are not put on the field.
#[test]
fn a_unit_on_the_field_is_placed_while_others_wait_in_the_fog() {
    let base = in_fog(&json!({}), &json!({"Vandamme/1": {"at": "9000,9000@E"}}));
    let amend = |text: &str| {
        Austerlitz::amend(&base.state, &base.minds, &SideId::from("french"), &orders::line(1, text))
            .map(|events| events.len())
            .map_err(|fault| fault.to_string())
    };
    assert_eq!(amend("PLACE Vandamme/1 AT 9100,9000"), Ok(1));
    let waits = amend("PLACE Vandamme/2 AT 9100,12000").unwrap_err();
    assert!(waits.contains("Vandamme/2 is in the fog"), "{waits}");
}
