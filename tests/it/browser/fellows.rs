//! The order sheet of `brave_fellows`: an impulse clicked through as a player would.

use super::driven::{Driven, PHONE, SCREENS};
use super::laid::{
    Verbs, acting, board, comes_back, far, half_written, in_sight, laid, marked, page, place, press, row, said, sound,
    strings, tabbed, taken, write, written,
};
use crate::rehearse::driver::{Noise, Table, files};
use estafette::letter::sheet::{self, Sheet};
use estafette::orders;
use estafette::rules::brave_fellows::BraveFellows;
use estafette::rules::brave_fellows::view::View;
use estafette::rules::rehearsal::Plan;
use estafette::rules::{Outcome, Ruleset as _};
use serde_json::Value;

/// Ways and lines that are compared with CHECK.
const WAYS: usize = 200;
/// Pieces of a sheet that are tried.
const PIECES: usize = 8;

type Fellows = Table<BraveFellows>;

/// A game on its first sheet of some stage after so many sheets: the table, whose sheet it is, and its address.
fn begun(scenario: &str, seed: u8, (stage, after): (&str, u64)) -> (Fellows, String, String) {
    let mut table = Table::<BraveFellows>::open(&files("brave_fellows", scenario), seed);
    for noise in 0..60 {
        table.answer(|ask| ask.default.clone());
        let (seat, address) = table.sheet().unwrap();
        let board = laid(&table, &seat.0).view.board;
        let calls = board["calls"].as_array().unwrap().iter().any(|call| call["units"] != serde_json::json!([]));
        if board["stage"] == stage && noise >= after && (calls || stage == "setup") {
            return (table, seat.0, address);
        }
        table.by_bot(noise);
    }
    panic!("{scenario}: no sheet of {stage}");
}

#[test]
fn it_opens_on_a_desk_and_on_a_phone_and_is_no_larger_than_a_sheet_may_be() {
    for (scenario, after) in [("durenstein.yaml", 9), ("durenstein-masked.yaml", 7), ("teaching-fog.yaml", 2)] {
        let (table, seat, _) = begun(scenario, 5, ("activation", after));
        let page = page(&table, &seat);
        assert!(page.len() < 400_000, "{scenario}: {}", page.len());
        for screen in SCREENS {
            let driven = Driven::open(&page, screen);
            driven.ask("sheet.choose(JSON.parse(document.getElementById('view').textContent).board.calls[0].leader)");
            sound(&driven, scenario, screen);
            let own = board(&driven)["own"].as_array().unwrap().last().unwrap()["id"].as_str().unwrap().to_owned();
            let (move_, fire, face) =
                (format!("MOVE {own} 0101 9999 FACE"), format!("FIRE {own} AT"), format!("FACE {own} UP"));
            half_written(
                &driven,
                &[
                    "MOVE",
                    "MOVE nobody 1212",
                    &move_,
                    "FIRE",
                    &fire,
                    "MELEE 4L AT 12",
                    "ACTIVATE",
                    "ACTIVATE nobody WITH",
                    "ENTER x",
                    "LEADER",
                    "CHARGE",
                    &face,
                    "PUT x AT 0101",
                    "  ",
                    "end",
                    "# a remark",
                ],
            );
            tabbed(&driven, 24);
        }
    }
}

/// What the sheet of a set-up would write.
fn set_up(scenario: &str, seed: u8, noise: &mut Noise, other: &mut Verbs) {
    let (table, seat, _) = begun(scenario, seed, ("setup", 0));
    let driven = Driven::open(&page(&table, &seat), SCREENS[0]);
    let mut plan = Plan::<BraveFellows>::new(table.view(&seat));
    for own in board(&driven)["own"].as_array().unwrap() {
        let lines = strings(&driven, &format!("sheet.lines({})", own["id"]));
        for _ in 0..2 {
            noise.pick(&lines).into_iter().for_each(|line| taken(&mut plan, line, other));
        }
    }
}

/// What a sheet would write for those who wait off the map: everybody passes until somebody does.
fn come_on(other: &mut Verbs) {
    let mut table = Table::<BraveFellows>::open(&files("brave_fellows", "durenstein.yaml"), 5);
    for _ in 0..120 {
        table.answer(|ask| ask.default.clone());
        let (seat, address) = table.sheet().unwrap();
        let view = laid(&table, &seat.0).view;
        let waits = |own: &Value| own.get("doors").is_some() && own.get("table").is_some();
        if !view.board["own"].as_array().unwrap().iter().any(waits) {
            table.end(&address);
            continue;
        }
        let driven = Driven::open(&page(&table, &seat.0), SCREENS[0]);
        for call in view.board["calls"].as_array().unwrap() {
            let call = call["line"].as_str().unwrap();
            write(&driven, &[call.to_owned()]);
            let mut plan = Plan::<BraveFellows>::new(table.view(&seat.0));
            plan.line(&orders::line(1, call)).unwrap();
            for id in acting(&driven) {
                let lines = strings(&driven, &format!("sheet.lines({id:?})"));
                lines.iter().for_each(|line| taken(&mut plan, line, other));
            }
        }
        return;
    }
    panic!("nobody waits off the map");
}

/// Brings pieces next to an enemy, each by itself, and tries what can be done there; how many were brought.
fn beside(view: &View, driven: &Driven, call: &str, (all, other): (&[String], &mut Verbs)) -> u32 {
    let mut struck = 0;
    for id in all {
        let near = format!(
            "(() => {{ const B = JSON.parse(document.getElementById('view').textContent).board, foes = new Set(B.enemy.filter((f) => !f.last).map((f) => f.hex)); for (const [to, way] of sheet.reach({id:?})) for (const at of foes) if (B.aims[at]?.[to]?.includes('1')) return [way.join(' '), ['N', 'NE', 'SE', 'S', 'SW', 'NW'][B.aims[at][to].indexOf('1')]]; }})()"
        );
        let found = driven.ask(&near);
        let (Some(way), Some(faces)) = (found[0].as_str(), found[1].as_str()) else { continue };
        let march = format!("MOVE {id} {way} FACE {faces}");
        let mut plan = Plan::<BraveFellows>::new(view.clone());
        for line in [call, &march] {
            plan.line(&orders::line(1, line)).unwrap_or_else(|why| panic!("{line}: {why}"));
        }
        write(driven, &[call.to_owned(), march.clone()]);
        assert_eq!(driven.ask("sheet.good()[1][1]"), true, "{march}");
        let lines: Vec<String> = serde_json::from_value(driven.ask(&format!("sheet.lines({id:?})"))).unwrap();
        lines.iter().for_each(|line| taken(&mut plan, line, other));
        struck += 1;
    }
    write(driven, &[call.to_owned()]);
    struck
}

/// Ways of a whole stack: CHECK brings all of it there, for as much as the sheet says; how many were tried.
fn together(driven: &Driven, plan: &mut Plan<BraveFellows>, id: &str, noise: &mut Noise) -> u32 {
    let found = driven.ask(&format!("sheet.stack({id:?})"));
    let ids: Vec<String> = serde_json::from_value(found[0].clone()).unwrap();
    let Some(way) = noise.pick(found[1].as_array().unwrap()).filter(|_| ids.len() > 1) else { return 0 };
    let hexes: Vec<&str> = way[1].as_array().unwrap().iter().map(|hex| hex.as_str().unwrap()).collect();
    let line = format!("MOVE {} {}", ids.join(" "), hexes.join(" "));
    let after = plan.aside(&orders::line(1, &line)).unwrap_or_else(|why| panic!("{line}: {why}")).after;
    let units = || ids.iter().map(|id| &after.state.units[id]);
    assert!(units().all(|unit| unit.hex.unwrap().to_string() == way[0].as_str().unwrap()), "{line}");
    assert_eq!(units().map(|unit| i64::from(unit.spent)).max(), way[2].as_i64(), "{line}");
    1
}

#[test]
fn no_line_that_a_click_writes_is_refused_and_its_sums_are_those_of_check() {
    let (mut ways, mut struck, mut stacks, mut other, mut noise) = (0, 0, 0, Verbs::default(), Noise(3));
    for (scenario, seed, after) in [
        ("durenstein.yaml", 5, 4),
        ("durenstein.yaml", 9, 14),
        ("durenstein.yaml", 2, 30),
        ("durenstein-fog.yaml", 6, 12),
        ("durenstein-masked.yaml", 7, 20),
        ("durenstein-day.yaml", 8, 18),
        ("teaching.yaml", 4, 3),
        ("teaching.yaml", 6, 8),
        ("teaching.yaml", 7, 14),
    ] {
        let (table, seat, _) = begun(scenario, seed, ("activation", after));
        let (view, driven) = (table.view(&seat), Driven::open(&page(&table, &seat), SCREENS[0]));
        let calls = board(&driven)["calls"].clone();
        for call in calls.as_array().unwrap() {
            let line = call["line"].as_str().unwrap().to_owned();
            write(&driven, std::slice::from_ref(&line));
            assert_eq!(driven.ask("sheet.good()[0][1]"), true, "{line}");
            let mut plan = Plan::<BraveFellows>::new(view.clone());
            plan.line(&orders::line(1, &line)).unwrap_or_else(|why| panic!("{scenario}: {line}: {why}"));
            let mut all = acting(&driven);
            struck += beside(&view, &driven, &line, (&all, &mut other));
            while all.len() > PIECES {
                all.remove(noise.below(all.len()));
            }
            for id in all {
                let reach = driven.ask(&format!("sheet.reach({id:?})"));
                stacks += together(&driven, &mut plan, &id, &mut noise);
                let lines: Vec<String> = serde_json::from_value(driven.ask(&format!("sheet.lines({id:?})"))).unwrap();
                for line in lines.iter().filter(|line| !line.starts_with("LEADER") || noise.below(4) == 0) {
                    taken(&mut plan, line, &mut other);
                }
                for _ in 0..3 {
                    let Some(found) = noise.pick(reach.as_array().unwrap()) else { break };
                    let way: Vec<&str> = found[1].as_array().unwrap().iter().map(|hex| hex.as_str().unwrap()).collect();
                    let line = format!("MOVE {id} {}", way.join(" "));
                    let tried = plan.aside(&orders::line(1, &line));
                    let after = tried.unwrap_or_else(|why| panic!("{scenario}: {line}: {why}")).after;
                    let unit = &after.state.units[&id];
                    assert_eq!(unit.hex.unwrap().to_string(), found[0].as_str().unwrap(), "{scenario}: {line}");
                    let before = plan.now().state.units[&id].spent;
                    assert_eq!(i64::from(unit.spent - before), found[2].as_i64().unwrap(), "{scenario}: {line}");
                    ways += 1;
                }
            }
        }
    }
    for (scenario, seed) in [("durenstein.yaml", 3), ("durenstein-masked.yaml", 4)] {
        set_up(scenario, seed, &mut noise, &mut other);
    }
    come_on(&mut other);
    println!("{ways} ways, {stacks} of stacks, {struck} beside an enemy, {other:?}");
    assert!(ways >= WAYS, "{ways} ways only");
    assert!(struck > 10 && stacks > 20, "{struck}, {stacks}");
    other.all(&["FIRE", "MELEE", "LEADER", "FACE", "LOSS", "ENTER", "PUT"]);
}

/// On a phone: buttons in sight, marks beside lines that nobody can read, why a hex is not come to, and lines that stay.
#[test]
fn a_phone_shows_what_can_be_done_and_says_why_not() {
    let (table, seat, _) = begun("teaching.yaml", 6, ("activation", 3));
    let (first, other) = (page(&table, &seat), begun("teaching.yaml", 6, ("activation", 6)));
    let driven = Driven::open(&first, PHONE);
    let call =
        board(&driven)["calls"].as_array().unwrap().iter().find(|c| c["units"] != serde_json::json!([])).cloned();
    let call = call.unwrap();
    driven.ask(&format!("sheet.choose({})", call["leader"]));
    assert_eq!(in_sight(&driven), serde_json::json!([]));
    press(&driven, &format!("Activate {}", call["leader"].as_str().unwrap()));
    let id = acting(&driven).into_iter().find(|id| driven.ask(&format!("sheet.reach({id:?}).length")) != 0).unwrap();
    driven.ask(&format!("sheet.choose({id:?})"));
    assert_eq!(in_sight(&driven), serde_json::json!([]));
    // Hexes that it does not come to, whatever lies there: never without a reason.
    let found = driven.ask(&format!("sheet.whys({id:?})"));
    let whys: Vec<String> = serde_json::from_value(found).unwrap();
    assert!(whys.len() > 20 && whys.iter().all(|why| !why.contains(" or no way")), "{whys:?}");
    for part in [" MP, and ", ": farther than ", " stands there"] {
        assert!(whys.iter().any(|why| why.contains(part)), "{part}: {whys:?}");
    }
    let lines =
        [call["line"].as_str().unwrap().to_owned(), format!("MOVE {id} 0101"), "NONSENSE".to_owned(), "END".to_owned()];
    write(&driven, &lines);
    assert_eq!(marked(&driven), [2, 3]);
    assert!(!said(&driven).contains("undefined"), "{}", said(&driven));
    comes_back(&driven, &first, &page(&other.0, &other.1), &lines[0]);
    // A set-up is no impulse.
    let (table, seat, _) = begun("durenstein.yaml", 3, ("setup", 0));
    driven.again(&page(&table, &seat));
    let keys = driven.ask("document.getElementById('keys').textContent");
    assert!(
        keys.as_str().unwrap().contains("where it is put") && !keys.as_str().unwrap().contains("activate"),
        "{keys}"
    );
}

/// A whole impulse by clicks: a leader is activated, a regiment goes together and faces, others fire and attack; what is
/// written is what was clicked, and the game does it.
#[test]
fn an_impulse_that_is_clicked_is_the_impulse_that_is_carried_out() {
    for screen in SCREENS {
        let (mut table, seat, address) = begun("teaching.yaml", 6, ("activation", 3));
        let driven = Driven::open(&page(&table, &seat), screen);
        let call = driven
            .ask("JSON.parse(document.getElementById('view').textContent).board.calls.find((c) => c.units.length)");
        let leader = call["leader"].as_str().unwrap();
        row(&driven, leader);
        press(&driven, &format!("Activate {leader}"));
        assert_eq!(written(&driven), [call["line"].as_str().unwrap()]);
        // Somebody of his men goes as far as the window shows, by a click on the last hex, and turns.
        let can = |id: &String| id != leader && driven.ask(&format!("sheet.reach({id:?}).length")) != 0;
        let id = acting(&driven).into_iter().find(can).unwrap();
        row(&driven, &id);
        let (far, at) = far(&driven, &id);
        let to = far[0].as_str().unwrap();
        driven.click_at(at.0, at.1);
        let way: Vec<&str> = far[1].as_array().unwrap().iter().map(|hex| hex.as_str().unwrap()).collect();
        assert_eq!(written(&driven)[1], format!("MOVE {id} {}", way.join(" ")));
        press(&driven, "Face SE");
        assert_eq!(written(&driven)[1], format!("MOVE {id} {} FACE SE", way.join(" ")));
        // Back and forth.
        press(&driven, "One back");
        assert_eq!(written(&driven).len(), if way.len() > 1 { 2 } else { 1 });
        driven.click("document.getElementById('undo')");
        driven.click("document.getElementById('end')");
        let lines = written(&driven);
        assert_eq!(lines.last().unwrap(), "END");
        assert_eq!(driven.ask("sheet.good().every(([, good]) => good !== false)"), true, "{lines:?}");
        for line in lines.iter().filter(|line| *line != "END") {
            let came = table.line(&address, line).unwrap();
            assert!(
                !matches!(came, Outcome::Refused { .. } | Outcome::Unclear { .. } | Outcome::NotYet { .. }),
                "{line}: {came:?}"
            );
        }
        let unit = &table.view(&seat).state.units[&id];
        assert!(unit.hex.unwrap().to_string() == to && unit.facing.name() == "SE", "{screen:?}: {unit:?}");
        assert_eq!(driven.complaints(), Vec::<String>::new());
    }
}

/// A fight by clicks: men of a leader go up to the enemy and turn to him, fire and attack; CHECK takes the plan as it is
/// written, line by line.
#[test]
fn a_fight_that_is_clicked_is_a_plan_that_check_takes() {
    let (mut fires, mut melees) = (0, 0);
    for (scenario, seed, after) in
        [("teaching.yaml", 7, 14), ("teaching.yaml", 6, 8), ("durenstein.yaml", 5, 4), ("teaching.yaml", 4, 3)]
    {
        let (table, seat, _) = begun(scenario, seed, ("activation", after));
        let (view, driven) = (table.view(&seat), Driven::open(&page(&table, &seat), SCREENS[0]));
        let calls = board(&driven)["calls"].clone();
        for call in calls.as_array().unwrap() {
            write(&driven, &[]);
            driven.ask("sheet.choose(null)");
            let leader = call["leader"].as_str().unwrap();
            row(&driven, leader);
            press(&driven, &format!("Activate {leader}"));
            for id in acting(&driven) {
                let Some((to, faces, at)) = near(&driven, &id) else { continue };
                row(&driven, &id);
                driven.click("document.getElementById('whole')");
                let Some(place) = place(&driven, &to) else { continue };
                driven.click_at(place.0, place.1);
                press(&driven, &format!("Face {faces}"));
                for (words, count) in [(format!("Fire at {at}"), &mut fires), (format!("Melee {at}"), &mut melees)] {
                    let has = format!(
                        "[...document.querySelectorAll('.acts button')].some((b) => b.textContent === {words:?})"
                    );
                    if driven.ask(&has) == true {
                        press(&driven, &words);
                        *count += 1;
                    }
                }
            }
            let mut plan = Plan::<BraveFellows>::new(view.clone());
            let lines = written(&driven);
            let good = driven.ask("sheet.good()");
            for (line, good) in lines.iter().zip(good.as_array().unwrap()) {
                let tried = plan.line(&orders::line(1, line));
                assert!(good[1] == true && tried.is_ok(), "{scenario}: {line}: {good} {:?} in {lines:?}", tried.err());
            }
        }
        assert_eq!(driven.complaints(), Vec::<String>::new());
    }
    assert!(fires > 3 && melees > 3, "{fires} fires, {melees} melees");
}

/// A hex next to an enemy to which a piece can go, how it faces him there, and his hex.
fn near(driven: &Driven, id: &str) -> Option<(String, String, String)> {
    let found = driven.ask(&format!(
        "(() => {{ const B = JSON.parse(document.getElementById('view').textContent).board; for (const [to] of sheet.reach({id:?})) for (const at in B.aims) if (B.aims[at][to]?.includes('1')) return [to, ['N', 'NE', 'SE', 'S', 'SW', 'NW'][B.aims[at][to].indexOf('1')], at]; }})()"
    ));
    serde_json::from_value(found).ok()
}

/// A charge is offered where the unit faces it from where it stands, and nowhere else; CHECK takes it.
#[test]
fn a_charge_is_offered_where_it_may_be_ridden() {
    let base = BraveFellows::arrange(
        &files("brave_fellows", "durenstein.yaml"),
        serde_json::json!({
            "at": "french", "turn": 7, "clear": true, "segment": "movement", "turned": ["Dupont"],
            "leaders": {"Dupont": "2010"},
            "units": {"GB-2713": {"at": "2713"}, "1H-1": {"at": "2717", "face": "N", "active": true},
                "1H-2": {"at": "2917", "face": "N", "active": true}},
        }),
    );
    let table = Table::<BraveFellows>::at(base.unwrap(), 1);
    let driven = Driven::open(&page(&table, "french"), SCREENS[0]);
    let offered =
        |id: &str| strings(&driven, &format!("sheet.lines({id:?}).filter((line) => line.startsWith('CHARGE'))"));
    assert_eq!(offered("1H-1"), ["CHARGE 1H-1 AT 2713"]);
    assert_eq!(offered("1H-2"), Vec::<String>::new());
    row(&driven, "1H-1");
    press(&driven, "Charge 2713");
    let lines = written(&driven);
    assert_eq!(lines, ["CHARGE 1H-1 AT 2713"]);
    let mut plan = Plan::<BraveFellows>::new(table.view("french"));
    assert!(plan.line(&orders::line(1, &lines[0])).is_ok());
    // Next to the target it may attack; and it neither moves nor fires.
    assert!(strings(&driven, "sheet.lines('1H-1')").contains(&"MELEE 1H-1 AT 2713".to_owned()));
    press(&driven, "Charge 2713");
    press(&driven, "Face SE");
    assert_eq!(written(&driven), ["FACE 1H-1 SE"]);
    assert_eq!(offered("1H-1"), Vec::<String>::new());
    assert_eq!(driven.complaints(), Vec::<String>::new());
}

/// By keys alone: a leader is activated, a man of his chosen, moved and turned, and taken back.
#[test]
fn an_impulse_can_be_written_by_keys() {
    let (table, seat, _) = begun("teaching.yaml", 6, ("activation", 3));
    let driven = Driven::open(&page(&table, &seat), SCREENS[1]);
    driven.ask("document.getElementById('map').focus()");
    driven.key("n");
    driven.ask("document.querySelector('.acts button').focus()");
    driven.key("Enter");
    assert!(written(&driven)[0].starts_with("ACTIVATE "), "{:?}", written(&driven));
    assert_eq!(driven.ask("document.activeElement.textContent.startsWith('Activate')"), true, "the focus stays");
    driven.ask("document.getElementById('map').focus()");
    let mut moved = false;
    for _ in 0..30 {
        driven.key("n");
        for key in ["w", "e", "d", "s", "a", "q"] {
            driven.key(key);
        }
        driven.key("3");
        moved = written(&driven).iter().any(|line| line.starts_with("MOVE ") && line.ends_with(" FACE SE"));
        if moved {
            break;
        }
    }
    assert!(moved, "{:?}", written(&driven));
    for _ in 0..8 {
        driven.key("Backspace");
    }
    assert!(written(&driven).iter().all(|line| !line.starts_with("MOVE ")), "{:?}", written(&driven));
}

#[test]
fn what_players_wrote_is_text_whatever_stands_in_it() {
    let (table, seat, _) = begun("teaching.yaml", 6, ("activation", 3));
    let Sheet { mut view, map, script } = laid(&table, &seat);
    let hostile = "</script><img src=x onerror=alert(1)><script>alert(2)</script>\"'\u{2028}\u{202e}&{{ game }}";
    (view.game, view.when, view.told) = (hostile.to_owned(), hostile.to_owned(), vec![hostile.to_owned()]);
    view.board["own"][0]["facts"] = hostile.into();
    view.board["own"][0]["id"] = hostile.into();
    view.board["enemy"][0]["what"] = hostile.into();
    view.board["calls"][0]["leader"] = hostile.into();
    let driven = Driven::open(&sheet::page(&Sheet { view, map, script }).unwrap(), SCREENS[0]);
    driven.click("document.querySelector('#own .row')");
    assert_eq!(driven.complaints(), Vec::<String>::new());
    assert_eq!(driven.ask("document.querySelectorAll('img').length"), 0);
    assert_eq!(driven.ask("document.querySelector('#told li').textContent"), hostile);
    assert_eq!(driven.ask("document.scripts.length"), 2);
}
