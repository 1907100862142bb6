//! The order sheet of `austerlitz1805`: blocks dragged and turned, chits, the strategic map.

use super::driven::{Driven, PHONE, SCREENS};
use super::laid::{
    Verbs, comes_back, half_written, in_sight, laid, marked, page, press, row, said, sound, tabbed, write, written,
};
use crate::rehearse::driver::{Noise, Table, files, tried};
use estafette::letter::sheet::{self, Sheet};
use estafette::rules::Outcome;
use estafette::rules::austerlitz1805::board::UnitId;
use estafette::rules::austerlitz1805::{Austerlitz, moves};
use serde_json::Value;

/// Ways that are compared with CHECK.
const WAYS: u32 = 200;
/// Lines of a sheet that are tried.
const LINES: usize = 400;

/// A game on a sheet of a stage after so many sheets: the table, whose sheet it is, and its address.
fn begun(scenario: &str, seed: u8, (stage, after): (&str, u64)) -> (Table<Austerlitz>, String, String) {
    let mut table = Table::<Austerlitz>::open(&files("austerlitz1805", scenario), seed);
    for noise in 0..60 {
        table.answer(|ask| ask.default.clone());
        let (seat, address) = table.sheet().unwrap();
        if noise >= after && laid(&table, &seat.0).view.board["stage"] == stage {
            return (table, seat.0, address);
        }
        table.by_bot(noise);
    }
    panic!("{scenario}: no sheet of {stage}");
}

fn strings(driven: &Driven, asked: &str) -> Vec<String> {
    serde_json::from_value(driven.ask(asked)).unwrap()
}

#[test]
fn it_opens_on_a_desk_and_on_a_phone_and_is_no_larger_than_a_sheet_may_be() {
    for (scenario, at) in
        [("1805-austerlitz.yaml", ("fog", 0)), ("1805-austerlitz.yaml", ("turn", 26)), ("teaching.yaml", ("turn", 0))]
    {
        let (table, seat, _) = begun(scenario, 5, at);
        let page = page(&table, &seat);
        println!("{scenario} {at:?}: {} bytes", page.len());
        assert!(page.len() < 400_000, "{scenario}: {}", page.len());
        for screen in SCREENS {
            let driven = Driven::open(&page, screen);
            driven.ask("sheet.choose(sheet.keys()[0])");
            sound(&driven, scenario, screen);
            let find = "(JSON.parse(document.getElementById('view').textContent).board.own.at(-1) || {say: 'x'}).say";
            let own = driven.ask(find).as_str().unwrap().to_owned();
            let [far, turn, form, attack, side] =
                ["MOVE # TOWARD 1.00,1.00 9UM FACE 350", "TURN #", "FORM # OVAL", "ATTACK # AT nobody", "SIDE # L"]
                    .map(|line| line.replace('#', &own));
            half_written(
                &driven,
                &[
                    "MOVE",
                    "MOVE nobody TOWARD 1,1",
                    &far,
                    &turn,
                    &form,
                    &attack,
                    &side,
                    "CHIT 3 =",
                    "DECOY x",
                    "MARCH 99 TOWARD",
                    "STRAT nobody TO F1",
                    "BOMBARD",
                    "END",
                ],
            );
            tabbed(&driven, 24);
        }
    }
}

#[test]
fn no_line_that_a_click_writes_is_refused() {
    let (mut verbs, mut noise) = (Verbs::default(), Noise(5));
    for (scenario, seed, at) in [
        ("teaching.yaml", 1, ("turn", 0)),
        ("teaching.yaml", 2, ("turn", 3)),
        ("teaching.yaml", 3, ("turn", 6)),
        ("fog-teaching.yaml", 4, ("fog", 0)),
        ("fog-teaching.yaml", 5, ("fog", 5)),
        ("fog-teaching.yaml", 5, ("turn", 4)),
        ("fog-teaching.yaml", 6, ("turn", 14)),
        ("1805-austerlitz.yaml", 7, ("turn", 30)),
    ] {
        let (table, seat, _) = begun(scenario, seed, at);
        let (view, driven) = (table.view(&seat), Driven::open(&page(&table, &seat), SCREENS[0]));
        let mut lines: Vec<String> = Vec::new();
        for (n, key) in (1..).zip(strings(&driven, "sheet.keys()")) {
            lines.extend(strings(&driven, &format!("sheet.lines({key:?}, {})", n * 7919 + u32::from(seed))));
        }
        while lines.len() > LINES {
            lines.remove(noise.below(lines.len()));
        }
        for line in lines {
            let found = tried::<Austerlitz>(&view, &line);
            assert!(found.is_ok(), "{scenario} {at:?}: {line}: {:?}", found.err());
            verbs.count(&line);
        }
    }
    println!("{verbs:?}");
    assert!(verbs.of("MOVE") + verbs.of("MARCH") >= WAYS, "{verbs:?}");
    verbs.all(&["FORM", "TURN", "BACK", "SIDE", "ATTACK", "BOMBARD", "STRAT", "CHIT", "DECOY", "DEPLOY"]);
}

/// Lines that lead a unit so far one way: along a bearing, turned at its end, and to a place that it comes to or passes.
fn ways(own: &Value, far: i64, noise: &mut Noise) -> Vec<String> {
    let (say, facing) = (own["say"].as_str().unwrap(), own["facing"].as_i64().unwrap());
    let turn = |noise: &mut Noise, most: usize| {
        i64::try_from(noise.below(2 * most + 1)).unwrap() - i64::try_from(most).unwrap()
    };
    let bearing = facing + turn(noise, 43);
    let (way, face) = (bearing.rem_euclid(360), (bearing + turn(noise, 45)).rem_euclid(360));
    let um = format!("{}.{:03}UM", far / 1000, far % 1000);
    let depth = own["size"][1].as_f64().unwrap();
    let mut lines =
        vec![format!("MOVE {say} BEARING {way:03} {um}"), format!("MOVE {say} BEARING {way:03} {um} FACE {face:03}")];
    // Where the front stands, and places round that to which it comes.
    let (x, y) = (own["at"][0].as_f64().unwrap(), own["at"][1].as_f64().unwrap());
    let ahead = |(x, y): (f64, f64), way: i64, far: f64| {
        let way = f64::from(i32::try_from(way).unwrap()).to_radians();
        (x + far * way.sin(), y + far * way.cos())
    };
    let front = ahead((x, y), facing, depth / 2.0);
    for more in [-depth, -depth / 2.0, 0.0, 400.0] {
        let far = f64::from(i32::try_from(far).unwrap()) + more;
        let (x, y) = ahead(front, bearing, far.max(20.0));
        lines.push(format!("MOVE {say} TOWARD {:.2},{:.2} {um} STRAIGHT", x / 1000.0, y / 1000.0));
    }
    lines
}

/// Where the sheet draws the end of a way, CHECK ends it, facing as it says, with as much left, whatever its length.
#[test]
fn a_way_ends_where_the_sheet_draws_it_whatever_its_length() {
    const FAR: [i64; 16] = [100, 350, 500, 850, 1000, 1050, 1150, 1400, 1950, 2000, 2050, 2150, 2600, 3050, 3100, 4150];
    let (mut tried_ways, mut over, mut left, mut noise) = (0, 0, 0, Noise(17));
    for (scenario, seed, at) in [
        ("teaching.yaml", 1, ("turn", 0)),
        ("teaching.yaml", 2, ("turn", 3)),
        ("1805-austerlitz.yaml", 7, ("turn", 30)),
    ] {
        let (table, seat, _) = begun(scenario, seed, at);
        let (view, driven) = (table.view(&seat), Driven::open(&page(&table, &seat), SCREENS[0]));
        let board = laid(&table, &seat).view.board;
        for own in board["own"].as_array().unwrap().iter().filter(|own| own["form"] != "unlimbered") {
            let Some(most) = own["moves"]["left"].as_i64() else { continue };
            for far in FAR.into_iter().filter(|far| *far <= most) {
                let lines = ways(own, far, &mut noise);
                let ends = driven.ask(&format!("{}.map(sheet.end)", serde_json::to_string(&lines).unwrap()));
                for (line, end) in lines.iter().zip(ends.as_array().unwrap()).filter(|(_, end)| end["good"] == true) {
                    let (_, rehearsed) = tried::<Austerlitz>(&view, line).unwrap_or_else(|why| panic!("{line}: {why}"));
                    let id = UnitId(own["id"].as_str().unwrap().to_owned());
                    let t = &rehearsed.after.table;
                    let pose = t.unit(&id).unwrap().pose;
                    let near = |n: i32, at: &Value| (f64::from(n) - at.as_f64().unwrap()).abs() < 4.0;
                    let agrees = near(pose.at.x, &end["at"][0])
                        && near(pose.at.y, &end["at"][1])
                        && i64::from(pose.facing.degrees()) == end["facing"].as_i64().unwrap();
                    assert!(agrees, "{scenario}: {line}: {end}, but {pose:?}: {:?}", rehearsed.said);
                    if end["clear"] == true {
                        let has = f64::from(moves::left(t, &id));
                        assert!((has - end["left"].as_f64().unwrap()).abs() < 2.0, "{scenario}: {line}: {end}: {has}");
                        left += 1;
                    }
                    tried_ways += 1;
                    over += u32::from(far % 1000 > 0 && far % 1000 < 500 && far > 1000);
                }
            }
        }
    }
    println!("{tried_ways} ways, {over} of them a little over a whole UM, {left} with what is left");
    assert!(tried_ways >= 400 && over >= 100 && left >= 200, "{tried_ways}, {over}, {left}");
}

/// On a phone the buttons of whom one chooses are in sight, lines that say nothing are marked, and a reload loses none.
#[test]
fn a_phone_shows_what_can_be_done_marks_what_cannot_be_read_and_keeps_the_lines() {
    let (table, seat, _) = begun("teaching.yaml", 1, ("turn", 0));
    let (first, other) = (page(&table, &seat), begun("teaching.yaml", 1, ("turn", 3)));
    let driven = Driven::open(&first, PHONE);
    let own = laid(&table, &seat).view.board["own"].clone();
    let own = own.as_array().unwrap().iter().find(|own| own["moves"]["left"].as_i64() >= Some(2000)).unwrap().clone();
    let say = own["say"].as_str().unwrap();
    driven.ask(&format!("sheet.choose({say:?})"));
    assert_eq!(in_sight(&driven), serde_json::json!([]));
    assert_ne!(driven.ask("document.querySelectorAll('#acts button').length"), 0);
    let lines = [
        format!("MOVE {say} BEARING {:03} 0.5UM", own["facing"]),
        format!("MOVE {say} {say} TOWARD S"),
        "MOVE nobody TOWARD S".to_owned(),
        format!("MOVE {say} BEARING {:03} 0.5UM", (own["facing"].as_i64().unwrap() + 180) % 360),
        format!("ABOUT {say}"),
        "END".to_owned(),
    ];
    write(&driven, &lines);
    assert_eq!(marked(&driven), [2, 3, 4]);
    assert_eq!(driven.ask("document.getElementById('count').textContent"), "5?");
    assert!(
        driven.ask("document.getElementById('doubt').textContent").as_str().unwrap().starts_with("? Line 2, 3, 4: ")
    );
    driven.click("document.getElementById('tab-lines')");
    let shown = "(() => { const r = document.getElementById('lines').getBoundingClientRect(); return r.height > 60 && r.top >= 0 && r.top + 60 < window.innerHeight; })()";
    assert_eq!(driven.ask(shown), true, "the box is out of sight");
    comes_back(&driven, &first, &page(&other.0, &other.1), &lines[0]);
}

/// The sheet of who is not on move says so, and what it says of its stage is of that stage.
#[test]
fn a_sheet_says_whose_turn_it_is_and_what_is_due() {
    let (table, seat, _) = begun("teaching.yaml", 1, ("turn", 0));
    let other = if seat == "french" { "allied" } else { "french" };
    let Sheet { mut view, map, script } = laid(&table, other);
    view.stage = "the enemy's player-turn".to_owned();
    view.due = "nothing from you; now Thu 1 Jan 15:30 UTC".to_owned();
    let driven = Driven::open(&sheet::page(&Sheet { view, map: map.clone(), script }).unwrap(), PHONE);
    let text =
        |id: &str| driven.ask(&format!("document.getElementById({id:?}).textContent")).as_str().unwrap().to_owned();
    assert_eq!(
        (text("stage"), text("due")),
        ("Now: the enemy's player-turn".to_owned(), "Nothing is due from you.".to_owned())
    );
    assert!(text("keys").starts_with("Nothing can be ordered now"), "{}", text("keys"));
    let Sheet { mut view, map, script } = laid(&table, &seat);
    view.due = "your orders, by Thu 1 Jan 15:30 UTC; now Thu 1 Jan 10:30 UTC".to_owned();
    driven.again(&sheet::page(&Sheet { view, map, script }).unwrap());
    assert_eq!(text("due"), "Due: your orders, by Thu 1 Jan 15:30 UTC");
    assert!(text("keys").contains("Drag a block") && text("keys").contains("By hand: "), "{}", text("keys"));
    let (table, seat, _) = begun("fog-teaching.yaml", 4, ("fog", 0));
    driven.again(&page(&table, &seat));
    assert!(text("keys").contains("Choose a corps") && !text("keys").contains("block"), "{}", text("keys"));
}

/// A chit of the fog is dragged, and the line that it leaves is one that CHECK takes.
#[test]
fn a_chit_can_be_dragged() {
    let (table, seat, _) = begun("fog-teaching.yaml", 5, ("turn", 4));
    let (view, driven) = (table.view(&seat), Driven::open(&page(&table, &seat), PHONE));
    let chit =
        driven.ask("JSON.parse(document.getElementById('view').textContent).board.chits.find((c) => c.left >= 1000)");
    let (x, y) = (chit["at"][0].as_f64().unwrap(), chit["at"][1].as_f64().unwrap());
    row(&driven, &format!("+{}", chit["number"]));
    let middle = |x: f64, y: f64| {
        let at = driven.ask(&format!("sheet.point({x}, {y})"));
        (at[0].as_f64().unwrap(), at[1].as_f64().unwrap())
    };
    let east = if x > 13_000.0 { -900.0 } else { 900.0 };
    // A finger is not as sharp as a chit is small.
    let (px, py) = middle(x, y);
    driven.drag((px, py - 6.0), middle(x + east, y));
    let lines = written(&driven);
    assert!(lines.len() == 1 && lines[0].starts_with(&format!("MARCH {} TOWARD ", chit["number"])), "{lines:?}");
    let um: f64 = lines[0].split(' ').next_back().unwrap().trim_end_matches("UM").parse().unwrap();
    assert!((um - 0.9).abs() < 0.1, "{lines:?}");
    let found = tried::<Austerlitz>(&view, &lines[0]);
    assert!(found.is_ok(), "{lines:?}: {:?}", found.err());
    assert!(said(&driven).contains(" UM"), "{}", said(&driven));
}

/// A whole player-turn: one block is dragged and turned by its handle, one forms, one attacks or faces about by its button;
/// what is written is what was done, and the game does it.
#[test]
fn a_player_turn_that_is_dragged_and_clicked_is_the_one_that_is_carried_out() {
    for screen in SCREENS {
        let (mut table, seat, address) = begun("teaching.yaml", 1, ("turn", 0));
        let driven = Driven::open(&page(&table, &seat), screen);
        let find = |what: &str| {
            driven
                .ask(&format!("JSON.parse(document.getElementById('view').textContent).board.own.find((o) => {what})"))
        };
        // Straight on, as far as two thirds of what it comes.
        let own = find(
            "o.moves && o.form !== 'unlimbered' && o.arm !== 'HQ' && o.moves.rays[3][1] >= 2000 && o.moves.left >= 2000",
        );
        let say = own["say"].as_str().unwrap();
        row(&driven, say);
        driven.ask("document.getElementById('mapbox').scrollIntoView({block: 'start'}) ?? 1");
        let (x, y) = (own["at"][0].as_f64().unwrap(), own["at"][1].as_f64().unwrap());
        let facing = own["facing"].as_f64().unwrap().to_radians();
        let far = 1500.0;
        let point = |x: f64, y: f64| {
            let at = driven.ask(&format!("sheet.point({x}, {y})"));
            (at[0].as_f64().unwrap(), at[1].as_f64().unwrap())
        };
        driven.drag(point(x, y), point(x + far * facing.sin(), y + far * facing.cos()));
        let lines = written(&driven);
        assert!(lines.len() == 1 && lines[0].starts_with(&format!("MOVE {say} BEARING ")), "{screen:?}: {lines:?}");
        let um: f64 = lines[0].split(' ').next_back().unwrap().trim_end_matches("UM").parse().unwrap();
        assert!((um - 1.5).abs() <= 0.15, "{screen:?}: {lines:?}");
        // Its handle, a quarter of a right angle to the right.
        let handle = driven.ask("(() => { const r = document.querySelector('#over .handle').getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()");
        let ghost = driven.ask("(() => { const r = document.querySelector('#over [data-ghost]').getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()");
        let of = |at: &serde_json::Value| (at[0].as_f64().unwrap(), at[1].as_f64().unwrap());
        let ((hx, hy), (gx, gy)) = (of(&handle), of(&ghost));
        let (dx, dy, turn) = (hx - gx, hy - gy, 22f64.to_radians());
        driven.drag((hx, hy), (gx + dx * turn.cos() - dy * turn.sin(), gy + dx * turn.sin() + dy * turn.cos()));
        let lines = written(&driven);
        let face: i32 =
            lines[0].split(" FACE ").nth(1).unwrap_or_else(|| panic!("{screen:?}: {lines:?}")).parse().unwrap();
        let wanted = (own["facing"].as_i64().unwrap() + 22) % 360;
        assert!((i64::from(face) - wanted).abs() <= 8, "{screen:?}: {face} for {wanted}");
        // Another forms, and a third faces about.
        let other = find(&format!("o.say !== {say:?} && Object.keys(o.moves?.forms || {{}}).length"));
        let form = other["moves"]["forms"].as_object().unwrap().keys().next().unwrap().clone();
        row(&driven, other["say"].as_str().unwrap());
        press(&driven, &format!("Form {}", form.to_lowercase()));
        let third =
            find(&format!("o.say !== {say:?} && o.say !== {:?} && o.moves?.about", other["say"].as_str().unwrap()));
        row(&driven, third["say"].as_str().unwrap());
        press(&driven, "About");
        press(&driven, "About");
        assert_eq!(written(&driven).len(), 2, "a button that is pressed again takes its line back");
        press(&driven, "About");
        driven.click("document.getElementById('end')");
        let lines = written(&driven);
        let third = third["say"].as_str().unwrap();
        assert_eq!(
            lines[1..],
            [format!("FORM {} {form}", other["say"].as_str().unwrap()), format!("ABOUT {third}"), "END".to_owned()]
        );
        for line in lines.iter().filter(|line| *line != "END") {
            let came = table.line(&address, line).unwrap();
            assert!(
                !matches!(came, Outcome::Refused { .. } | Outcome::Unclear { .. } | Outcome::NotYet { .. }),
                "{line}: {came:?}"
            );
        }
        let after = laid(&table, &seat).view.board;
        let stands = after["own"].as_array().unwrap().iter().find(|o| o["say"] == say).unwrap();
        assert_eq!(stands["facing"], face, "{screen:?}: {lines:?}");
        assert_eq!(driven.complaints(), Vec::<String>::new());
    }
}

#[test]
fn a_way_can_be_written_by_keys_and_hand_edits_are_drawn() {
    let (table, seat, _) = begun("teaching.yaml", 1, ("turn", 0));
    let driven = Driven::open(&page(&table, &seat), SCREENS[1]);
    driven.ask("document.getElementById('map').focus()");
    let mut lines = Vec::new();
    for _ in 0..20 {
        for key in ["n", "w", "w", "w", "d", "."] {
            driven.key(key);
        }
        lines = written(&driven);
        if lines.iter().any(|line| line.contains(" FACE ")) {
            break;
        }
    }
    assert!(lines.iter().any(|line| line.contains("UM FACE ")), "{lines:?}");
    let ghosts = "document.querySelectorAll('#over [data-ghost]').length";
    assert!(driven.ask(ghosts).as_u64().unwrap() >= 1);
    write(&driven, &[]);
    assert_eq!(driven.ask(ghosts), 0);
    write(&driven, &lines);
    assert!(driven.ask(ghosts).as_u64().unwrap() >= 1);
}

/// The sealed sheet: a corps moves on the strategic map, a chit is filled and put down, and a decoy.
#[test]
fn a_sealed_sheet_is_clicked_together() {
    let (table, seat, _) = begun("fog-teaching.yaml", 4, ("fog", 0));
    let (view, driven) = (table.view(&seat), Driven::open(&page(&table, &seat), SCREENS[0]));
    let corps = driven.ask("JSON.parse(document.getElementById('view').textContent).board.corps.find((c) => c.drops.length && c.units.some((u) => u.arm !== 'HQ'))");
    let id = corps["id"].as_str().unwrap();
    row(&driven, &format!("={id}"));
    let unit = corps["units"].as_array().unwrap().iter().find(|unit| unit["arm"] != "HQ").unwrap();
    let (name, arm) = (unit["id"].as_str().unwrap(), unit["arm"].as_str().unwrap());
    press(&driven, &format!("Into a chit: {name} ({arm})"));
    let at = corps["drops"][0].clone();
    let on = |x: &serde_json::Value, y: &serde_json::Value| {
        let point = driven.ask(&format!("(document.getElementById('whole').click(), sheet.point({x}, {y}))"));
        driven.click_at(point[0].as_f64().unwrap(), point[1].as_f64().unwrap());
    };
    // A place where none may lie is refused, and no other one taken for it.
    let board = driven.ask("JSON.parse(document.getElementById('view').textContent).board");
    let far = |n: &serde_json::Value, most: &serde_json::Value| {
        let (n, most) = (n.as_i64().unwrap(), most.as_i64().unwrap());
        serde_json::json!(if n * 2 < most { most - 1_000 } else { 1_000 })
    };
    on(&far(&at[0], &board["map"]["size"][0]), &far(&at[1], &board["map"]["size"][1]));
    assert_eq!(written(&driven), Vec::<String>::new());
    // Chits and decoys lie on one raster: where one lies must not tell which it is.
    let odd =
        |spots: &serde_json::Value| spots.as_array().unwrap().iter().any(|at| at[0].as_i64().unwrap() % 1_000 != 0);
    assert!(odd(&corps["drops"]) && odd(&board["decoys"]));
    on(&at[0], &at[1]);
    let lines = written(&driven);
    assert!(
        lines.len() == 1 && lines[0].starts_with("CHIT ") && lines[0].contains(&format!("= {name} PLACE ")),
        "{lines:?}"
    );
    let found = tried::<Austerlitz>(&view, &lines[0]);
    assert!(found.is_ok(), "{lines:?}: {:?}", found.err());
    assert_eq!(driven.complaints(), Vec::<String>::new());
}

#[test]
fn what_players_wrote_is_text_whatever_stands_in_it() {
    let (table, seat, _) = begun("teaching.yaml", 1, ("turn", 0));
    let Sheet { mut view, map, script } = laid(&table, &seat);
    let hostile = "</script><img src=x onerror=alert(1)><script>alert(2)</script>\"'\u{2028}\u{202e}&{{ game }}";
    (view.game, view.when, view.told) = (hostile.to_owned(), hostile.to_owned(), vec![hostile.to_owned()]);
    view.board["own"][0]["id"] = hostile.into();
    view.board["own"][0]["say"] = hostile.into();
    view.board["enemy"][0]["what"] = hostile.into();
    view.board["places"][hostile] = serde_json::json!([1, 1]);
    let driven = Driven::open(&sheet::page(&Sheet { view, map, script }).unwrap(), SCREENS[0]);
    driven.click("document.querySelector('#own .row')");
    assert_eq!(driven.complaints(), Vec::<String>::new());
    assert_eq!(driven.ask("document.querySelectorAll('img').length"), 0);
    assert_eq!(driven.ask("document.querySelector('#told li').textContent"), hostile);
    assert_eq!(driven.ask("document.scripts.length"), 2);
}
