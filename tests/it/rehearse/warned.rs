//! Each warning has a position in which it is given, and the same line in one where it is not.

use super::driver::{Table, files, tried};
use estafette::fog::{Fogged, SideId, Viewer, see};
use estafette::hex::Hex;
use estafette::host::paper::Paper;
use estafette::orders;
use estafette::rules::austerlitz1805::Austerlitz;
use estafette::rules::campaigns::Campaigns;
use estafette::rules::campaigns::pieces::Loc;
use estafette::rules::rehearsal::{Caution, Plan, Warning};
use serde_json::{Value, json};

/// What a side sees of a position.
pub fn position<R: Paper>(scenario: &str, side: &str, before: Value) -> R::View {
    let base = R::arrange(&files(R::NAME, scenario), before).unwrap();
    let side = SideId::from(side);
    let mind = base.minds.iter().find(|(s, _)| *s == side).map(|(_, mind)| mind.clone()).unwrap_or_default();
    see::<R>(&base.state, &mind, Viewer::Side(side)).into_parts().1
}

type CampaignsView = <Campaigns as Fogged>::View;
type AusterlitzView = <Austerlitz as Fogged>::View;

/// A French position on the Strem: leaders with hex and units, and where the enemy stands.
fn strem(french: Value, coalition: Value, more: Value) -> CampaignsView {
    let mut before = json!({"bare": true, "at": "own french", "sides": {
        "french": {"ap": 5, "leaders": french}, "coalition": {"leaders": coalition}}});
    for (key, value) in more.as_object().unwrap() {
        if key == "french" {
            for (key, value) in value.as_object().unwrap() {
                before["sides"]["french"][key] = value.clone();
            }
        } else {
            before[key] = value.clone();
        }
    }
    position::<Campaigns>("teaching.yaml", "french", before)
}

fn lannes(hex: &str) -> Value {
    json!({"lannes": {"hex": hex, "units": {"suchet": 7}}})
}

fn bagration(hex: &str) -> Value {
    json!({"bagration": {"hex": hex, "units": {"bagr_inf": 5}}})
}

/// The warnings of a line by itself, and of the sheet that is that line alone.
fn warned<R: Paper>(view: &R::View, line: &str) -> Vec<Warning> {
    let (order, found) = tried::<R>(view, line).unwrap_or_else(|fault| panic!("{line}: {fault}"));
    found.warnings.into_iter().chain(R::warnings(view, &found.after, &[order])).collect()
}

fn text<R: Paper>(view: &R::View, line: &str, kind: Caution) -> Option<String> {
    warned::<R>(view, line).into_iter().find(|warning| warning.kind == kind).map(|warning| warning.text)
}

/// Whether a line is warned of in one position and not in another.
fn differs(kind: Caution, line: &str, (with, without): (&CampaignsView, &CampaignsView), said: &str) {
    let (yes, no) = (text::<Campaigns>(with, line, kind), text::<Campaigns>(without, line, kind));
    assert_eq!((yes.as_deref(), no), (Some(said), None), "{line}: {:?}", warned::<Campaigns>(with, line));
}

#[test]
fn w1_a_march_next_to_the_enemy_must_be_followed_by_an_attack() {
    let with = strem(lannes("0705"), bagration("0905"), json!({}));
    let without = strem(lannes("0705"), bagration("1005"), json!({}));
    let line = "FORCE Lannes INITIATIVE MARCH 0705 0805";
    differs(Caution::MustAttack, line, (&with, &without), "you must attack E1 at 0905 on sheet B");
}

#[test]
fn w2_who_has_no_orders_is_named() {
    let two =
        json!({"lannes": {"hex": "0205", "units": {"suchet": 7}}, "gazan": {"hex": "0407", "units": {"gazan_div": 5}}});
    let (with, without) =
        (strem(two, bagration("1005"), json!({})), strem(lannes("0205"), bagration("1005"), json!({})));
    differs(Caution::NoOrders, "FORCE Lannes INITIATIVE MARCH 0205 0305", (&with, &without), "no orders: GAZ");
    assert_eq!(text::<Campaigns>(&with, "FORCE ALL HOLD", Caution::NoOrders), None);
    let mut plan = Plan::<Campaigns>::new(with);
    for line in ["FORCE Lannes INITIATIVE MARCH 0205 0305", "FORCE Gazan HOLD"] {
        plan.line(&orders::line(1, line)).unwrap();
    }
    assert_eq!(plan.warnings(), []);
}

#[test]
fn w3_a_stack_without_a_common_leader_is_displaced_and_one_with_him_joined() {
    let two = |oudinot: &str| {
        json!({"gazan": {"hex": "0405", "units": {"gazan_div": 5}}, "oudinot": {"hex": oudinot, "units": {"grenadiers": 4}},
               "lannes": {"hex": "0205", "units": {"suchet": 7}}})
    };
    let with = strem(two("0405"), bagration("1005"), json!({}));
    let without = strem(two("0406"), bagration("1005"), json!({}));
    let said = "GAZ and OUD share 0405 without a common leader: OUD is displaced";
    differs(Caution::Stack, "FORCE Lannes HOLD", (&with, &without), said);
    let said = "LAN and OUD end in 0205 and become one force under LAN";
    let line = "FORCE Oudinot INITIATIVE MARCH 0305 0205";
    let (near, far) =
        (strem(two("0305"), bagration("1005"), json!({})), strem(lannes("0205"), bagration("1005"), json!({})));
    assert_eq!(text::<Campaigns>(&near, line, Caution::Stack).as_deref(), Some(said));
    assert_eq!(text::<Campaigns>(&far, "FORCE Lannes HOLD", Caution::Stack), None);
    let crowd = json!({"lannes": {"hex": "0405", "units": {"suchet": 60}}});
    let said = text::<Campaigns>(&strem(crowd, bagration("1005"), json!({})), "FORCE Lannes HOLD", Caution::Stack);
    assert!(said.is_some_and(|said| said.starts_with("0405 holds ") && said.ends_with("LAN is displaced")));
}

#[test]
fn w4_a_road_far_round_is_not_taken_without_anyway() {
    let broken = json!({"damaged": ["0605NE"]});
    let (with, without) =
        (strem(lannes("0605"), bagration("1005"), broken), strem(lannes("0605"), json!({}), json!({})));
    let line = "FORCE Lannes INITIATIVE MARCH ROAD TO Steinbrück IF CONTACT STOP";
    let fault = tried::<Campaigns>(&with, line).err().unwrap();
    assert!(fault.to_string().starts_with("Steinbrück: 1 hex, "), "{fault}");
    let copy = fault.copy().unwrap();
    assert_eq!(copy, "FORCE Lannes INITIATIVE MARCH ROAD TO Steinbrück ANYWAY IF CONTACT STOP");
    let said = text::<Campaigns>(&with, copy, Caution::Detour).unwrap();
    assert!(said.contains("MP by road past E1"), "{said}");
    assert_eq!(text::<Campaigns>(&without, line, Caution::Detour), None);
}

#[test]
fn w5_a_place_beyond_the_best_roll_is_so_many_turns_away() {
    let (with, without) = (strem(lannes("0205"), json!({}), json!({})), strem(lannes("0505"), json!({}), json!({})));
    let line = "FORCE Lannes INITIATIVE MARCH ROAD TO 0907";
    differs(Caution::Reach, line, (&with, &without), "0907: this turn to 1006 at most, 2 turns in all");
}

/// ¶238 Who starts next to the enemy gets two MP less far.
#[test]
fn w5_what_leaving_an_enemy_zone_costs_counts() {
    let (with, without) = ["0705", "1005"].map(|foe| strem(lannes("0605"), bagration(foe), json!({}))).into();
    let line = "FORCE Lannes INITIATIVE MARCH ROAD TO 0307";
    differs(Caution::Reach, line, (&with, &without), "0307: this turn to 0206 at most, 2 turns in all");
    let ends = [&with, &without].map(|view| tried::<Campaigns>(view, line).unwrap().1.said[0].clone());
    assert!(ends[0].starts_with("0206, 5 of 5 MP") && ends[1].starts_with("0307, 4 of 5 MP"), "{ends:?}");
}

#[test]
fn w6_whom_no_dispatch_reaches_any_more_is_named() {
    let near = json!({"limits": {"dispatch_mp": 2}});
    let (with, without) = (strem(lannes("0305"), json!({}), near), strem(lannes("0305"), json!({}), json!({})));
    let said = "out of dispatch distance: LAN; no commands reach them";
    differs(Caution::Command, "FORCE Lannes INITIATIVE MARCH ROAD TO 0605", (&with, &without), said);
}

#[test]
fn w7_a_center_that_moves_or_may_flee_is_inactive() {
    let with = strem(lannes("0105"), json!({}), json!({}));
    assert_eq!(
        text::<Campaigns>(&with, "CENTER MARCH 0205 0305", Caution::Center).unwrap(),
        "the center is inactive on turn 2"
    );
    let (near, far) =
        (strem(lannes("0105"), bagration("0405"), json!({})), strem(lannes("0105"), bagration("0905"), json!({})));
    differs(Caution::Center, "FORCE Lannes HOLD", (&near, &far), "the center at 0205 may have to flee from E1");
}

#[test]
fn w8_a_line_left_to_the_enemy_is_named() {
    let line_of = |foe: &str| {
        let mut view = strem(lannes("0305"), bagration(foe), json!({}));
        let path = ["0105", "0205", "0305", "0405"].map(|hex| Hex::parse(hex).unwrap()).to_vec();
        view.own.army.loc = Some(Loc { path, depots: 0, effective: 3 });
        view
    };
    let line = "FORCE Lannes INITIATIVE MARCH 0305 0205";
    differs(Caution::Communications, line, (&line_of("0304"), &line_of("0904")), "E1 may cut your LOC at 0305");
}

#[test]
fn w9_a_mean_loss_of_more_than_one_is_named() {
    let many = json!({"lannes": {"hex": "0205", "units": {"suchet": 8, "grenadiers": 6, "gazan_div": 6}}});
    let poor = json!({"french": {"ap": 1}, "weather": "Rain"});
    let (with, without) = (strem(many.clone(), json!({}), poor), strem(lannes("0205"), json!({}), json!({})));
    let line = "FORCE Lannes COMMAND MARCH ROAD TO 1105";
    let said = text::<Campaigns>(&with, line, Caution::Attrition).unwrap_or_default();
    assert!(said.contains("SP lost on average at "), "{said}: {:?}", warned::<Campaigns>(&with, line));
    assert_eq!(text::<Campaigns>(&without, "FORCE Lannes INITIATIVE MARCH 0205 0305", Caution::Attrition), None);
}

#[test]
fn w10_a_place_that_scores_is_not_left_empty_without_a_word() {
    let held = json!({"control": {"0705": "french"}});
    let (with, without) = (strem(lannes("0705"), json!({}), held.clone()), strem(lannes("0805"), json!({}), held));
    differs(
        Caution::Objective,
        "FORCE Lannes INITIATIVE MARCH ROAD TO 0605",
        (&with, &without),
        "Steinbrück is left empty",
    );
}

#[test]
fn w11_w12_a_way_into_the_enemy_comes_to_nothing_or_stops_before_him() {
    let (at, near) =
        (strem(lannes("0805"), bagration("0905"), json!({})), strem(lannes("0705"), bagration("0905"), json!({})));
    let line = "FORCE Lannes INITIATIVE MARCH ROAD TO 0905";
    assert!(text::<Campaigns>(&at, line, Caution::NoEffect).is_some(), "{:?}", warned::<Campaigns>(&at, line));
    assert_eq!(text::<Campaigns>(&near, line, Caution::NoEffect), None);
    assert_eq!(text::<Campaigns>(&near, line, Caution::Enemy).unwrap(), "E1 is in 0905: he stops at 0805");
    let free = strem(lannes("0705"), json!({}), json!({}));
    assert_eq!(text::<Campaigns>(&free, line, Caution::Enemy), None);
}

/// D2: a line sees the board that those above leave, and an attack after a march has odds.
#[test]
fn a_march_makes_room_and_an_attack_after_it_has_odds() {
    let leaders = json!({"oudinot": {"hex": "0505", "units": {"grenadiers": 5}}, "gazan": {"hex": "0305", "units": {"gazan_div": 5}}});
    let view = strem(leaders, bagration("0705"), json!({}));
    let soult = "FORCE Gazan INITIATIVE MARCH ROAD TO 0505";
    let attack = "ATTACK 0705 WITH Oudinot";
    for line in [soult, attack] {
        assert!(tried::<Campaigns>(&view, line).is_err(), "{line} is legal as things stand");
    }
    let mut plan = Plan::<Campaigns>::new(view);
    let oudinot = plan.line(&orders::line(1, "FORCE Oudinot INITIATIVE MARCH ROAD TO 0605")).unwrap();
    assert_eq!(oudinot.said[0], "0605, 0.5 of 5 MP, on any roll.", "{:?}", oudinot.said);
    let gazan = plan.line(&orders::line(2, soult)).unwrap();
    assert!(gazan.said[0].starts_with("0505, 1 of 5 MP"), "{:?}", gazan.said);
    assert!(plan.line(&orders::line(3, "FORCE Oudinot INITIATIVE MARCH 0605 0505")).is_err(), "he has had his move");
    let odds = plan.line(&orders::line(4, attack)).unwrap();
    assert_eq!(odds.said[0], "for sheet B, if E1 are still there.");
    assert_eq!(odds.said[1], "5 SP in line, nothing in reserve; your marker Pursuit:");
    let against = sound(&odds.said[2..]);
    let [(_, won, _), .., (_, last, lost)] = against[..] else { panic!("{against:?}") };
    assert!(won >= last && last <= 10 && lost >= 90, "{:?}", odds.said);
}

/// Reads lines of odds: SP, how often they leave, how often you do. Each line counts no play twice, and the stronger the
/// enemy the seldomer he leaves, within chance.
fn sound(lines: &[String]) -> Vec<(u32, u32, u32)> {
    let read = |line: &String| {
        let words: Vec<&str> = line.split([' ', ',', ';']).filter(|word| !word.is_empty()).collect();
        let after = |before: &[&str]| {
            let at = words.windows(before.len()).position(|found| found == before)?;
            words.get(at + before.len())?.parse::<u32>().ok()
        };
        Some((after(&["against"])?, after(&["they", "leave"])?, after(&["you"])?))
    };
    let found: Vec<_> = lines.iter().map(|line| read(line).unwrap_or_else(|| panic!("{line}"))).collect();
    assert_eq!(found.iter().map(|(sp, ..)| *sp).collect::<Vec<_>>(), [5, 10, 20], "{lines:?}");
    assert!(found.iter().all(|(_, won, lost)| won + lost <= 100), "{lines:?}");
    assert!(found.windows(2).all(|pair| pair[1].1 <= pair[0].1 + 20), "{lines:?}");
    found
}

/// A position before the Pratzen.
fn field(units: Value) -> AusterlitzView {
    position::<Austerlitz>("teaching.yaml", "french", json!({"bare": true, "at": "own french", "units": units}))
}

#[test]
fn austerlitz_w2_w10_who_has_no_orders_and_what_is_left_empty() {
    let view = field(
        json!({"Vandamme/1": {"at": "3000,9000@E", "form": "column"}, "Vandamme/2": {"at": "3000,11000@E", "form": "column"},
                            "Uvarov": {"at": "20000,9000@S"}}),
    );
    assert_eq!(text::<Austerlitz>(&view, "MOVE Vandamme/1 1UM", Caution::NoOrders).unwrap(), "no orders: Vandamme/2");
    let place = view.table.board.places.iter().find(|place| place.vp > 0).unwrap().clone();
    let at = |x: i32| format!("{x},{}@E", place.at.y);
    let held = |x: i32| {
        let before = json!({"bare": true, "at": "own french", "control": {place.name.clone(): "french"},
                            "units": {"Vandamme/1": {"at": at(x), "form": "column"}}});
        position::<Austerlitz>("teaching.yaml", "french", before)
    };
    let (on, off) = (held(place.at.x + place.radius - 50), held(place.at.x + place.radius + 600));
    let said = text::<Austerlitz>(&on, "MOVE Vandamme/1 2UM", Caution::Objective);
    assert_eq!(
        said,
        Some(format!("{} is left empty", place.name)),
        "{:?}",
        warned::<Austerlitz>(&on, "MOVE Vandamme/1 2UM")
    );
    assert_eq!(text::<Austerlitz>(&off, "MOVE Vandamme/1 2UM", Caution::Objective), None);
}

#[test]
fn austerlitz_w11_w12_a_move_that_comes_to_nothing_or_to_an_enemy() {
    let open = field(json!({"Vandamme/1": {"at": "3000,9000@N", "form": "column"}, "Uvarov": {"at": "3000,11000@S"}}));
    let line = "MOVE Vandamme/1 TOWARD Uvarov 2UM";
    let said = text::<Austerlitz>(&open, line, Caution::Enemy);
    assert!(
        said.as_ref().is_some_and(|said| said.starts_with("Vandamme/1 stops before Uvarov")),
        "{:?}",
        warned::<Austerlitz>(&open, line)
    );
    assert_eq!(text::<Austerlitz>(&open, "MOVE Vandamme/1 TOWARD Uvarov 0.5UM", Caution::Enemy), None);
    // D4: it is legal and does little, since a friend stands right before it.
    let behind = field(json!({
        "Vandamme/1": {"at": "3000,9000@N", "form": "column"}, "Vandamme/2": {"at": "3000,9900@N", "form": "line"}}));
    let line = "MOVE Vandamme/1 2UM";
    let said = text::<Austerlitz>(&behind, line, Caution::NoEffect);
    let stopped =
        |said: &String| said.starts_with("Vandamme/1 goes ") && said.ends_with(" UM only: Vandamme/2 is in the way");
    assert!(said.as_ref().is_some_and(stopped), "{said:?} {:?}", warned::<Austerlitz>(&behind, line));
    let allied = position::<Austerlitz>("teaching.yaml", "allied", json!({"at": "own allied"}));
    assert_eq!(text::<Austerlitz>(&allied, "MOVE Repninsky TOWARD Pratzen 1UM", Caution::NoEffect), None);
}

#[test]
fn austerlitz_w13_fire_that_would_not_reach_and_a_charge_that_comes_short() {
    let units = |x: i32| {
        json!({"Vandamme/1": {"at": "3000,9000@E", "form": "line"}, "IV foot/1": {"at": "3000,10000@E", "form": "unlimbered"},
                                "Margaron": {"at": "3000,11000@E", "form": "line"}, "Uvarov": {"at": format!("{x},9000@W")}})
    };
    let (near, far) = (field(units(3400)), field(units(12_000)));
    let said = text::<Austerlitz>(&far, "VOLLEY Vandamme/1 AT Uvarov", Caution::Short).unwrap();
    assert!(said.contains("muskets reach 0.5 UM"), "{said}");
    assert_eq!(text::<Austerlitz>(&near, "VOLLEY Vandamme/1 AT Uvarov", Caution::Short), None);
    assert!(text::<Austerlitz>(&far, "BOMBARD IV foot/1 AT Uvarov DEF", Caution::Short).is_some());
    assert_eq!(text::<Austerlitz>(&near, "BOMBARD IV foot/1 AT Uvarov DEF", Caution::Short), None);
    let short = tried::<Austerlitz>(&far, "CHARGE Margaron AT Uvarov").err().unwrap();
    assert!(short.to_string().contains("short"), "{short}");
}

/// The plan of the study's example, on the first turn of Moravia: what was refused is taken, and one attack has odds.
#[test]
fn the_example_of_moravia_is_taken_line_by_line() {
    let mut table = Table::<Campaigns>::open(&files("campaigns", "1805-moravia.yaml"), 7);
    for sheet in 0..4 {
        table.answer(|ask| ask.default.clone());
        if table.stage().ends_with("/french/A") {
            break;
        }
        table.by_bot(sheet);
    }
    let view = table.view("french");
    let lines = [
        "FORCE Oudinot INITIATIVE MARCH ROAD TO 2346 IF CONTACT REPULSE ELSE STOP",
        "FORCE Soult INITIATIVE MARCH ROAD TO Goellersdorf",
        "FORCE MC1 INITIATIVE MARCH ROAD TO 2347",
        "ATTACK 2345 WITH Oudinot",
        "FORCE Mortier INITIATIVE MARCH ROAD TO Krems",
        "FORCE Murat INITIATIVE MARCH ROAD TO Hollabrunn",
    ];
    for refused in [1, 3] {
        assert!(tried::<Campaigns>(&view, lines[refused]).is_err(), "{}", lines[refused]);
    }
    let mut plan = Plan::<Campaigns>::new(view);
    let found = lines.map(|line| plan.line(&orders::line(1, line)));
    for (line, found) in lines.iter().zip(&found) {
        match found {
            Ok(found) => println!("{line}\n    TAKEN {:?}\n    {:?}", found.said, found.warnings),
            Err(fault) => println!("{line}\n    NOT TAKEN {fault}"),
        }
    }
    println!("{:?}", plan.warnings());
    let said = |n: usize| found[n].as_ref().unwrap().said.clone();
    assert!(said(0)[0].starts_with("2346, 0.5 of 5 MP"), "{:?}", said(0));
    assert!(said(0)[1].starts_with("Contact there with E7 E8: 6 SP repulse at most 0.5 SP"), "{:?}", said(0));
    assert!(said(1)[0].starts_with("2347, 2.5 of 5 MP, on "), "{:?}", said(1));
    assert_eq!(said(3)[0], "for sheet B, if E7 E8 are still there.");
    assert!(said(3)[1].starts_with("6 SP in line, "), "{:?}", said(3));
    let against = sound(&said(3)[2..]);
    assert!(matches!(against[2], (20, 0..=10, 90..)), "{:?}", said(3));
    let krems = found[4].as_ref().err().unwrap();
    assert!(
        krems.to_string().starts_with("Krems: 1 hex, ") && krems.copy().unwrap().ends_with("Krems ANYWAY"),
        "{krems}"
    );
    let kinds = |n: usize| found[n].as_ref().unwrap().warnings.iter().map(|w| w.kind).collect::<Vec<_>>();
    assert!(kinds(0).contains(&Caution::MustAttack), "{:?}", kinds(0));
    assert!(kinds(5).contains(&Caution::Enemy), "{:?}", kinds(5));
    let texts: Vec<String> = plan.warnings().into_iter().map(|warning| warning.text).collect();
    assert!(texts.iter().any(|text| text.starts_with("no orders: ")), "{texts:?}");
    assert!(
        texts.iter().any(|text| text == "BER and MOR share 0950 without a common leader: MOR is displaced"),
        "{texts:?}"
    );
}

/// ¶241, 281 What a repulse could drive off is said by the rule's odds: foragers need nine to one, the others seven.
#[test]
fn a_repulse_is_promised_by_the_odds_that_it_needs() {
    let said = |forage: bool| {
        let lannes = json!({"lannes": {"hex": "0205", "forage": forage, "units": {"suchet": 8}}});
        let view = strem(lannes, bagration("0405"), json!({}));
        let line = "FORCE Lannes INITIATIVE MARCH 0205 0305 IF CONTACT REPULSE ELSE STOP";
        let (_, found) = tried::<Campaigns>(&view, line).unwrap();
        found.said.into_iter().find(|said| said.starts_with("Contact there")).unwrap()
    };
    assert!(said(false).contains("8 SP repulse at most 1 SP"), "{}", said(false));
    assert!(said(true).contains("8 SP repulse at most 0.5 SP"), "{}", said(true));
}

/// 9.3 Canister strikes whomever it touches: who asks for it with his own men in the template is told whom.
#[test]
fn austerlitz_canister_into_the_own_line_is_warned_of() {
    let beside = |x: &str| {
        field(json!({"IV foot/1": {"at": "3000,9000@N"}, "Repninsky": {"at": "3000,10700@S", "form": "column"},
                     "Vandamme/1": {"at": format!("{x},10300@N"), "form": "column"}}))
    };
    let line = "BOMBARD IV foot/1 AT Repninsky CANISTER";
    let said = "canister of IV foot/1 at Repninsky touches your own Vandamme/1";
    assert_eq!(text::<Austerlitz>(&beside("3500"), line, Caution::Own).unwrap(), said);
    assert_eq!(text::<Austerlitz>(&beside("5000"), line, Caution::Own), None);
    // Unasked it fires round shot, and there is nothing to be warned of.
    assert_eq!(text::<Austerlitz>(&beside("3500"), "BOMBARD IV foot/1 AT Repninsky", Caution::Own), None);
}
