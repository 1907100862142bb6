//! The order sheet of `great_battles`: an activation clicked through as a player would.

use super::driven::{Driven, PHONE, SCREENS};
use super::laid::{
    Verbs, acting, board, comes_back, far, half_written, in_sight, laid, marked, page, place, press, row, said, sound,
    strings, tabbed, taken, write, written,
};
use crate::rehearse::driver::{Noise, Table, files};
use estafette::letter::sheet::{self, Sheet};
use estafette::orders;
use estafette::rules::great_battles::view::View;
use estafette::rules::great_battles::{GreatBattles, reach};
use estafette::rules::rehearsal::{Caution, Plan};
use estafette::rules::{Outcome, Ruleset as _};
use serde_json::{Value, json};

/// Ways and lines that are compared with CHECK.
const WAYS: usize = 200;
/// Pieces of a sheet that are tried.
const PIECES: usize = 8;
/// Lines of a sheet that is written at random, and of all such sheets at least.
const LINES: usize = 12;
const RANDOM: u32 = 80;

type Battles = Table<GreatBattles>;

/// A game on its first sheet of some stage after so many sheets: the table, whose sheet it is, and its address.
fn begun(scenario: &str, seed: u8, (stage, after): (&str, u64)) -> (Battles, String, String) {
    if let Some(division) = stage.strip_prefix("before the enemy: ") {
        let table =
            Battles::at(GreatBattles::arrange(&files("great_battles", scenario), facing(division)).unwrap(), seed);
        let (seat, address) = table.sheet().unwrap();
        return (table, seat.0, address);
    }
    if stage == "pick" {
        // A division that has not acted, and a unit that was Out of Command when its own did.
        let before = json!({"setup": true, "at": "french", "first": "french", "divisions": {"FERY": {"drawn": true}},
            "units": {"F3-2": {"at": "2024", "form": "column", "face": 2, "out": true}}});
        let table = Battles::at(GreatBattles::arrange(&files("great_battles", scenario), before).unwrap(), seed);
        let (seat, address) = table.sheet().unwrap();
        return (table, seat.0, address);
    }
    let mut table = Battles::open(&files("great_battles", scenario), seed);
    for noise in 0..80 {
        table.answer(|ask| ask.default.clone());
        let (seat, address) = table.sheet().unwrap_or_else(|| panic!("{scenario}: it ends at {noise}"));
        let board = laid(&table, &seat.0).view.board;
        let calls = board["calls"].as_array().unwrap().iter().any(|call| call["units"] != json!([]));
        if board["stage"] == stage && noise >= after && calls {
            return (table, seat.0, address);
        }
        table.by_bot(noise);
    }
    panic!("{scenario}: no sheet of {stage}");
}

/// A stack of foot and a battalion before enemies, one of these in a village; guns that have a target; horse that sees one.
fn facing(division: &str) -> Value {
    json!({"clear": true, "ground": {"2110": "village"},
        "acts": {"side": "french", "lim": division, "modes": {"FERY": "full", "MARGARON": "full"}, "division": division},
        "units": {
            "F3-2": {"at": "1010", "form": "column", "face": 2}, "F3-3": {"at": "1010", "form": "column", "face": 2},
            "AS14-1": {"at": "1110", "form": "column", "face": 8}, "F3-1": {"at": "2010", "form": "column", "face": 2},
            "AS15-1": {"at": "2110", "form": "column", "face": 8}, "FA1": {"at": "2514", "form": "unlimbered", "face": 3},
            "AS15-2": {"at": "2815", "form": "column", "face": 8}, "FPO": {"at": "3010", "form": "skirmish", "face": 12},
            "FH8": {"at": "1520", "form": "column", "face": 2}, "AS14-2": {"at": "1818", "form": "column", "face": 8},
            "FC11": {"at": "2025", "form": "column", "face": 4}, "FC26": {"at": "2025", "form": "column", "face": 4}},
        "leaders": {"FERY": "1510", "MARGARON": "1920"}})
}

/// The lines that activate each division, in full or as it may; none where divisions act already.
fn calls(board: &Value) -> Vec<Vec<String>> {
    let all = board["calls"].as_array().unwrap().iter().filter(|call| call["units"] != json!([]));
    let lines = all.flat_map(|call| {
        let pick = call["pick"].as_str().map(|who| format!("PICK {who}"));
        let how = call["how"].as_array().unwrap().iter().map(|how| how.as_str().unwrap());
        how.filter(|how| *how != "STRATEGIC")
            .map(|how| pick.iter().cloned().chain([format!("ACTIVATE {} {how}", call["division"].as_str().unwrap())]))
            .map(Iterator::collect)
            .collect::<Vec<Vec<String>>>()
    });
    let lines: Vec<Vec<String>> = lines.collect();
    if lines.is_empty() { vec![Vec::new()] } else { lines }
}

fn planned(view: &View, lines: &[String]) -> Plan<GreatBattles> {
    let mut plan = Plan::new(view.clone());
    for line in lines {
        plan.line(&orders::line(1, line)).unwrap_or_else(|why| panic!("{line}: {why}"));
    }
    plan
}

/// Where CHECK brings units by a way that the sheet offers: the hex, the points and the hour that it says.
fn brought(plan: &mut Plan<GreatBattles>, ids: &[String], way: &Value) -> String {
    let words: Vec<&str> = way[1].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    let line = format!("MOVE {} {}", ids.join(" "), words.join(" "));
    let tried = plan.aside(&orders::line(1, &line)).unwrap_or_else(|why| panic!("{line}: {why}"));
    assert!(!tried.warnings.iter().any(|w| w.kind == Caution::Short), "{line}: {:?}", tried.warnings);
    let state = &tried.after.state;
    for id in ids {
        assert_eq!(state.hex(id).unwrap().to_string(), way[0].as_str().unwrap(), "{line}");
        assert_eq!(i64::from(u8::from(state.pose(id).unwrap().hour)) % 12, way[3].as_i64().unwrap(), "{line}");
    }
    assert_eq!(ids.iter().map(|id| i64::from(state.units[id].going.spent)).max(), way[2].as_i64(), "{line}");
    line
}

const BOARDS: [(&str, u8, &str, u64); 11] = [
    ("telnitz.yaml", 1, "before the enemy: FERY", 0),
    ("telnitz.yaml", 1, "before the enemy: MARGARON", 0),
    ("telnitz.yaml", 5, "act", 1),
    ("telnitz.yaml", 9, "act", 14),
    ("telnitz.yaml", 2, "act", 34),
    ("telnitz-masked.yaml", 6, "act", 9),
    ("telnitz.yaml", 3, "pick", 0),
    ("hill.yaml", 4, "act", 3),
    ("hill.yaml", 6, "act", 8),
    ("hill-fog.yaml", 7, "act", 6),
    ("hill-masked.yaml", 8, "act", 3),
];

#[test]
fn it_opens_on_a_desk_and_on_a_phone_and_is_no_larger_than_a_sheet_may_be() {
    let mut most = 0;
    for (scenario, stage, after) in
        [("telnitz.yaml", "act", 25), ("telnitz-fog.yaml", "open", 0), ("hill-fog.yaml", "act", 2)]
    {
        let (table, seat, _) = begun(scenario, 5, (stage, after));
        let page = page(&table, &seat);
        println!("{scenario}: {} bytes", page.len());
        most = most.max(page.len());
        for (n, screen) in SCREENS.into_iter().enumerate() {
            let driven = Driven::open(&page, screen);
            driven.ask("sheet.choose(JSON.parse(document.getElementById('view').textContent).board.calls[0].units[0])");
            sound(&driven, scenario, screen);
            driven.click("document.getElementById('tab-open')");
            sound(&driven, scenario, screen);
            driven.click("document.getElementById('tab-own')");
            let own = board(&driven)["own"].as_array().unwrap().last().unwrap()["id"].as_str().unwrap().to_owned();
            let lines: Vec<String> = [
                "MOVE",
                "MOVE nobody 1212",
                "MOVE # 0101 9999 L 9 AF",
                "FIRE",
                "FIRE # AT",
                "FORM # UP AT 13",
                "FORM #",
                "BAYONET nobody AT 12",
                "ACTIVATE",
                "ACTIVATE nobody WITH",
                "ENTER x",
                "LEADER",
                "LEADER # TO",
                "CHARGE",
                "CHANGE BY",
                "INITIATIVE",
                "PICK",
                "DOCTRINE LODGE FOR",
                "DOCTRINE LODGE ACTIVATE x THEN FOR # FOR y",
                "ASSAULT # AT 0101 SUPPORT",
                "  ",
                "end",
                "# a remark",
            ]
            .map(|line| line.replace('#', &own))
            .to_vec();
            // What a hand leaves and where keys lead hangs on no screen.
            if n == 0 {
                half_written(&driven, &lines.iter().map(String::as_str).collect::<Vec<_>>());
                tabbed(&driven, 24);
            }
        }
    }
    assert!(most < 400_000, "{most}");
}

/// H.4 In double-blind play the doctrine has no ASK, and the sheet offers none.
#[test]
fn a_sheet_in_fog_does_not_offer_to_ask() {
    for (scenario, asks) in [("hill.yaml", true), ("hill-fog.yaml", false)] {
        let (table, seat, _) = begun(scenario, 4, ("act", 3));
        let standing = laid(&table, &seat).view.board["standing"].to_string();
        assert!(standing.contains("REACT-FIRE") && standing.contains("\"ASK\"") == asks, "{scenario}: {standing}");
    }
}

#[test]
fn no_line_that_a_click_writes_is_refused_and_its_sums_are_those_of_check() {
    let (mut ways, mut stacks, mut other, mut noise) = (0, 0, Verbs::default(), Noise(3));
    for (scenario, seed, stage, after) in BOARDS {
        let (table, seat, _) = begun(scenario, seed, (stage, after));
        let (view, driven) = (table.view(&seat), Driven::open(&page(&table, &seat), SCREENS[0]));
        for call in calls(&board(&driven)) {
            write(&driven, &call);
            let good = driven.ask("sheet.good()");
            assert!(good.as_array().unwrap().iter().all(|line| line[1] == true), "{scenario}: {good}");
            let mut plan = planned(&view, &call);
            let mut all = acting(&driven);
            while all.len() > PIECES {
                all.remove(noise.below(all.len()));
            }
            for id in board(&driven)["own"].as_array().unwrap().iter().filter(|own| own["kind"] == "leader") {
                let lines = strings(&driven, &format!("sheet.lines({})", id["id"]));
                noise.pick(&lines).into_iter().for_each(|line| taken(&mut plan, line, &mut other));
            }
            for id in all {
                let reach = driven.ask(&format!("sheet.reach({id:?})"));
                for _ in 0..3 {
                    let Some(way) = noise.pick(reach.as_array().unwrap()) else { break };
                    brought(&mut plan, std::slice::from_ref(&id), way);
                    ways += 1;
                }
                let found = driven.ask(&format!("sheet.stack({id:?})"));
                let ids: Vec<String> = serde_json::from_value(found[0].clone()).unwrap();
                if let Some(way) = noise.pick(found[1].as_array().unwrap()).filter(|_| ids.len() > 1) {
                    brought(&mut plan, &ids, way);
                    stacks += 1;
                }
                for line in strings(&driven, &format!("sheet.lines({id:?})")) {
                    taken(&mut plan, &line, &mut other);
                }
            }
        }
    }
    println!("{ways} ways, {stacks} of stacks, {other:?}");
    assert!(ways >= WAYS && stacks > 3, "{ways} ways, {stacks} of stacks");
    other.all(&["FIRE", "FORM", "MOVE", "LEADER", "BAYONET", "ASSAULT", "CHARGE"]);
}

/// Sheets written at random, line below line, from what the page offers then: CHECK takes each that the page says yes to, and
/// brings units to where the page shows them.
#[test]
fn a_sheet_of_many_lines_comes_to_what_check_says_line_by_line() {
    let (mut tried, mut verbs, mut noise) = (0, Verbs::default(), Noise(11));
    for (scenario, seed, stage, after) in BOARDS.into_iter().step_by(2) {
        let (table, seat, _) = begun(scenario, seed, (stage, after));
        let (view, driven) = (table.view(&seat), Driven::open(&page(&table, &seat), SCREENS[0]));
        let all = calls(&board(&driven));
        for _ in 0..3 {
            let Some(mut lines) = noise.pick(&all).cloned() else { break };
            write(&driven, &lines);
            for _ in 0..LINES {
                let acts = acting(&driven);
                let Some(id) = noise.pick(&acts) else { break };
                let mut found = strings(&driven, &format!("sheet.lines({id:?})"));
                let stack = driven.ask(&format!("sheet.stack({id:?})"));
                let (mut ids, mut ways): (Vec<String>, Value) = serde_json::from_value(stack).unwrap();
                if noise.below(2) == 0 {
                    (ids, ways) = (vec![id.clone()], driven.ask(&format!("sheet.reach({id:?})")));
                }
                let fights = found.iter().any(|line| !line.starts_with("FORM") && !line.starts_with("MOVE"));
                if let Some(way) = noise.pick(ways.as_array().unwrap()).filter(|_| !fights || noise.below(3) == 0) {
                    let words: Vec<&str> = way[1].as_array().unwrap().iter().map(|w| w.as_str().unwrap()).collect();
                    found = vec![format!("MOVE {} {}", ids.join(" "), words.join(" "))];
                }
                let Some(line) = noise.pick(&found).cloned() else { continue };
                lines.push(line);
                write(&driven, &lines);
                tried += 1;
            }
            let good = driven.ask("sheet.good()");
            let mut plan = planned(&view, &[]);
            for (line, good) in lines.iter().zip(good.as_array().unwrap()) {
                let came = plan.line(&orders::line(1, line));
                if good[1] == true {
                    let came = came.unwrap_or_else(|why| panic!("{scenario}: {line}: {why} in {lines:#?}"));
                    let bad = |kind| matches!(kind, Caution::Short | Caution::Doubtful | Caution::NoEffect);
                    assert!(!came.warnings.iter().any(|w| bad(w.kind)), "{scenario}: {line}: {:?}", came.warnings);
                    verbs.count(line);
                }
            }
        }
    }
    println!("{tried} lines, {verbs:?}");
    assert!(tried >= RANDOM, "{tried}");
    verbs.all(&["ACTIVATE", "FIRE", "FORM", "MOVE"]);
}

/// On a phone: buttons in sight, marks beside lines that nobody can read, why a hex is not come to, and lines that stay.
#[test]
fn a_phone_shows_what_can_be_done_and_says_why_not() {
    let (table, seat, _) = begun("telnitz.yaml", 5, ("act", 1));
    let first = page(&table, &seat);
    let other = begun("telnitz.yaml", 5, ("act", 4));
    let driven = Driven::open(&first, PHONE);
    let call = board(&driven)["calls"][0].clone();
    let division = call["division"].as_str().unwrap();
    let id = call["units"][0].as_str().unwrap();
    driven.ask(&format!("sheet.choose({id:?})"));
    assert_eq!(in_sight(&driven), json!([]));
    press(&driven, &format!("Activate {division} full"));
    let id = acting(&driven).into_iter().find(|id| driven.ask(&format!("sheet.reach({id:?}).length")) != 0).unwrap();
    driven.ask(&format!("sheet.choose({id:?})"));
    assert_eq!(in_sight(&driven), json!([]));
    let whys = strings(&driven, &format!("sheet.whys({id:?})"));
    assert!(whys.len() > 20 && whys.iter().all(|why| !why.contains("undefined")), "{whys:?}");
    for part in [" MP, and ", ": farther than "] {
        assert!(whys.iter().any(|why| why.contains(part)), "{part}: {whys:?}");
    }
    let lines = [
        format!("ACTIVATE {division} FULL"),
        format!("MOVE {id} 0101"),
        "NONSENSE".to_owned(),
        "DROP".to_owned(),
        "END".to_owned(),
    ];
    write(&driven, &lines);
    assert_eq!(marked(&driven), [2, 3, 4]);
    assert!(!said(&driven).contains("undefined"), "{}", said(&driven));
    comes_back(&driven, &first, &page(&other.0, &other.1), &lines[0]);
}

/// A tap on a piece of one's own chooses it, whoever was chosen before; that he goes there is a button. One can let go, and END
/// says who has not acted.
#[test]
fn a_tap_on_ones_own_chooses_and_end_says_who_has_not_acted() {
    let (table, seat, _) = begun("telnitz.yaml", 5, ("act", 1));
    let driven = Driven::open(&page(&table, &seat), PHONE);
    let call = board(&driven)["calls"][0].clone();
    let division = call["division"].as_str().unwrap();
    driven.click("document.getElementById('end')");
    assert!(said(&driven).contains(division) && said(&driven).contains("do not act"), "{}", said(&driven));
    let sum = driven.ask("document.getElementById('sum').textContent");
    assert!(sum.as_str().unwrap().contains(&format!("Not activated: {division}")), "{sum}");
    press(&driven, &format!("Activate {division} full"));
    assert!(call["odds"].is_null() || said(&driven).contains(" of 10"), "{}", said(&driven));
    // Somebody who can go to a hex in which others of his stand.
    let own = board(&driven)["own"].clone();
    let at = |hex: &str| own.as_array().unwrap().iter().find(|own| own["hex"] == hex).map(|own| own["id"].clone());
    let mut found = None;
    for id in acting(&driven) {
        driven.ask(&format!("sheet.choose({id:?})"));
        let joins = strings(&driven, &format!("sheet.reach({id:?}).map(([to]) => to)"));
        for to in joins.into_iter().filter(|to| at(to).is_some_and(|other| other != id.as_str())) {
            found = found.or_else(|| Some((id.clone(), to.clone(), place(&driven, &to)?)));
        }
        if found.is_some() {
            break;
        }
    }
    let (id, to, place) = found.expect("nobody can join another");
    let before = written(&driven);
    driven.click_at(place.0, place.1);
    let chosen = || driven.ask("document.querySelector('#own .row[aria-pressed=true]')?.dataset.id");
    assert_ne!(chosen(), id.as_str());
    assert_eq!(written(&driven), before);
    press(&driven, &format!("{id} goes to {to}"));
    let line = written(&driven).into_iter().find(|line| line.starts_with(&format!("MOVE {id} "))).unwrap();
    assert!(line.contains(&to), "{line}");
    press(&driven, "Let go");
    assert_eq!(chosen(), json!(null));
    assert_eq!(driven.complaints(), Vec::<String>::new());
}

/// Who waits off the map has a row, and a button by which he enters; the line is one that CHECK takes.
#[test]
fn who_waits_off_the_map_enters_by_a_button() {
    let mut table = Battles::open(&files("great_battles", "telnitz.yaml"), 5);
    for noise in 0..40 {
        table.answer(|ask| ask.default.clone());
        let (seat, _) = table.sheet().expect("nobody has come when the game ends");
        let laid = laid(&table, &seat.0).view.board;
        let own = laid["own"].as_array().unwrap();
        let Some(one) = own.iter().find(|own| own["hex"] == "" && own["ready"] != json!(null)) else {
            table.by_bot(noise);
            continue;
        };
        let (id, division) = (one["id"].as_str().unwrap(), one["division"].as_str().unwrap());
        let driven = Driven::open(&page(&table, &seat.0), PHONE);
        if one["acts"] != true {
            // 14.4 Who bears the marker of strategic movement comes on by it.
            let calls = laid["calls"].as_array().unwrap();
            let how = calls.iter().find(|call| call["division"] == division).unwrap()["how"][0].as_str().unwrap();
            press(&driven, &format!("Activate {division} {}", how.to_lowercase()));
        }
        row(&driven, id);
        press(&driven, one["ready"][0]["name"].as_str().unwrap());
        assert_eq!(written(&driven).last().unwrap(), one["ready"][0]["line"].as_str().unwrap());
        assert_eq!(marked(&driven), [0_u64; 0]);
        planned(&table.view(&seat.0), &written(&driven));
        // Another activation of the same division has its mark, though the letter offers it.
        let lines = written(&driven);
        write(&driven, &[lines.as_slice(), &[format!("ACTIVATE {division} LIMITED")]].concat());
        assert_eq!(marked(&driven), [u64::try_from(lines.len()).unwrap() + 1]);
        assert_eq!(driven.complaints(), Vec::<String>::new());
        return;
    }
    panic!("nobody waits");
}

/// A whole activation by clicks: a division is activated, a unit goes and turns, forms, and what can fires and attacks; what is
/// written is what was clicked, and the game does it.
#[test]
fn an_activation_that_is_clicked_is_the_activation_that_is_carried_out() {
    for screen in SCREENS {
        let (mut table, seat, address) = begun("hill.yaml", 4, ("act", 3));
        let driven = Driven::open(&page(&table, &seat), screen);
        let call = board(&driven)["calls"][0].clone();
        let division = call["division"].as_str().unwrap();
        press(&driven, &format!("Activate {division} full"));
        assert_eq!(written(&driven), [format!("ACTIVATE {division} FULL")]);
        let can = |id: &String| driven.ask(&format!("sheet.reach({id:?}).length")) != 0;
        let movers: Vec<String> = acting(&driven).into_iter().filter(can).collect();
        let id = movers.first().unwrap().clone();
        row(&driven, &id);
        let (far, at) = far(&driven, &id);
        let to = far[0].as_str().unwrap();
        driven.click_at(at.0, at.1);
        let words: Vec<&str> = far[1].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
        assert_eq!(written(&driven)[1], format!("MOVE {id} {}", words.join(" ")));
        press(&driven, "One back");
        assert_eq!(written(&driven).len(), if words.len() > 1 { 2 } else { 1 });
        driven.click("document.getElementById('undo')");
        assert_eq!(written(&driven)[1], format!("MOVE {id} {}", words.join(" ")));
        // Another forms, and turns.
        let formed = movers.iter().skip(1).find(|id| {
            row(&driven, id);
            offered(&driven).iter().any(|words| words.starts_with("Form "))
        });
        let formed = formed.unwrap().clone();
        let form = offered(&driven).into_iter().find(|words| words.starts_with("Form ")).unwrap();
        press(&driven, &form);
        let line = written(&driven).pop().unwrap();
        assert!(line.starts_with("FORM ") && line.contains(&formed), "{form}: {line}");
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
        let hex = table.view(&seat).state.hex(&id).unwrap().to_string();
        assert_eq!(hex, to, "{screen:?}: {lines:?}");
        let wide = driven.ask("document.documentElement.scrollWidth <= window.innerWidth");
        assert_eq!(wide, true, "{screen:?} scrolls sideways");
        assert_eq!(driven.complaints(), Vec::<String>::new());
    }
}

/// The buttons of who is chosen.
fn offered(driven: &Driven) -> Vec<String> {
    strings(driven, "[...document.querySelectorAll('#acts button')].map((b) => b.textContent)")
}

/// A fight by clicks: units of a division go up to the enemy, turn to him, fire and attack; CHECK takes the plan as it is
/// written, line by line.
#[test]
fn a_fight_that_is_clicked_is_a_plan_that_check_takes() {
    let mut verbs = Verbs::default();
    for (scenario, seed, stage, after) in BOARDS {
        let (table, seat, _) = begun(scenario, seed, (stage, after));
        let (view, driven) = (table.view(&seat), Driven::open(&page(&table, &seat), SCREENS[0]));
        for call in board(&driven)["calls"].as_array().unwrap() {
            write(&driven, &[]);
            driven.ask("sheet.choose(null)");
            let (who, how) = (call["pick"].as_str(), call["how"][0].as_str().unwrap().to_lowercase());
            let word = if who.is_some() { "Pick" } else { "Activate" };
            press(&driven, &format!("{word} {} {how}", who.or(call["division"].as_str()).unwrap()));
            for id in acting(&driven) {
                if let Some(to) = near(&driven, &id) {
                    row(&driven, &id);
                    driven.click("document.getElementById('whole')");
                    let Some(place) = place(&driven, &to) else { continue };
                    driven.click_at(place.0, place.1);
                    // Others of his stand there.
                    let joins = format!("{id} goes to {to}");
                    if offered(&driven).contains(&joins) {
                        press(&driven, &joins);
                    }
                }
            }
            for id in acting(&driven) {
                row(&driven, &id);
                for part in ["Fire at ", "Bayonet ", "Assault ", "Charge "] {
                    if let Some(words) = offered(&driven).into_iter().find(|words| words.starts_with(part)) {
                        press(&driven, &words);
                    }
                }
            }
            let mut plan = Plan::<GreatBattles>::new(view.clone());
            let (lines, good) = (written(&driven), driven.ask("sheet.good()"));
            for (line, good) in lines.iter().zip(good.as_array().unwrap()) {
                let tried = plan.line(&orders::line(1, line));
                assert!(good[1] == true && tried.is_ok(), "{scenario}: {line}: {good} {:?} in {lines:#?}", tried.err());
                verbs.count(line);
            }
        }
        assert_eq!(driven.complaints(), Vec::<String>::new());
    }
    println!("{verbs:?}");
    let attacks: u32 = ["BAYONET", "ASSAULT", "CHARGE"].iter().map(|verb| verbs.of(verb)).sum();
    assert!(verbs.of("FIRE") > 3 && attacks > 3 && verbs.of("MOVE") > 10, "{verbs:?}");
}

/// A hex next to an enemy to which a piece can go and that it then has before it.
fn near(driven: &Driven, id: &str) -> Option<String> {
    let found = driven.ask(&format!(
        "(() => {{ const B = JSON.parse(document.getElementById('view').textContent).board, stops = new Set(B.fronts); return sheet.reach({id:?}).find(([to]) => stops.has(to))?.[0]; }})()"
    ));
    serde_json::from_value(found).ok()
}

/// What a turn opens with, by clicks; and a sheet that is lodged, which CHECK takes once its marker is drawn.
#[test]
fn an_opening_and_a_lodged_sheet_are_clicked() {
    let (mut table, seat, address) = begun("telnitz.yaml", 5, ("open", 1));
    let driven = Driven::open(&page(&table, &seat), SCREENS[0]);
    let words = offered(&driven);
    press(&driven, words.iter().find(|words| words.starts_with("Begin with ")).unwrap());
    if let Some(adds) = words.iter().find(|words| words.contains(" adds ")) {
        press(&driven, adds);
        assert!(written(&driven).iter().any(|line| line.starts_with("CHANGE BY ")), "{:?}", written(&driven));
    }
    assert!(written(&driven).iter().any(|line| line.starts_with("INITIATIVE ")), "{:?}", written(&driven));
    for line in written(&driven) {
        assert_eq!(table.line(&address, &line), None, "it waits, sealed");
    }
    let view = table.view(&seat);
    planned(&view, &written(&driven));
    // A sheet is lodged: one line, whose parts are a plan.
    write(&driven, &[]);
    let call = board(&driven)["calls"][0].clone();
    let (division, lim) = (call["division"].as_str().unwrap(), call["lim"].as_str().unwrap());
    press(&driven, &format!("Lodge {division} full"));
    let all = acting(&driven);
    for id in &all {
        row(&driven, id);
        let Some(to) = driven.ask(&format!("sheet.reach({id:?})[0]?.[0]")).as_str().map(str::to_owned) else {
            continue;
        };
        driven.click("document.getElementById('whole')");
        let Some(place) = place(&driven, &to) else { continue };
        driven.click_at(place.0, place.1);
    }
    let lines = written(&driven);
    let [line] = lines.as_slice() else { panic!("{lines:?}") };
    let lodged = line.strip_prefix("DOCTRINE LODGE ").and_then(|line| line.strip_suffix(&format!(" FOR {lim}")));
    let lodged = lodged.unwrap_or_else(|| panic!("{line}"));
    assert!(lodged.matches(" THEN ").count() >= 2, "{line}");
    assert!(GreatBattles::doctrines().iter().any(|key| key.word == "LODGE" && key.takes(lodged)), "{line}");
    let ready = reach::ready(&view).into_iter().find(|ready| ready.division == division).unwrap();
    let mut plan = Plan::<GreatBattles>::new(View { state: ready.table, ..view });
    for part in lodged.split(" THEN ").skip(1) {
        plan.line(&orders::line(1, part)).unwrap_or_else(|why| panic!("{part}: {why}"));
    }
    assert_eq!(driven.ask("sheet.good().every(([, good]) => good === true)"), true, "{line}");
    assert_eq!(driven.complaints(), Vec::<String>::new());
}

#[test]
fn every_button_of_the_standing_answers_writes_one_that_can_be_given() {
    let (table, seat, _) = begun("telnitz.yaml", 5, ("act", 1));
    let driven = Driven::open(&page(&table, &seat), SCREENS[0]);
    let all = board(&driven)["standing"].clone();
    let mut tried = 0;
    for key in all.as_array().unwrap() {
        let word = key["word"].as_str().unwrap();
        let known = GreatBattles::doctrines().iter().find(|known| known.word == word).unwrap();
        for value in key["values"].as_array().unwrap() {
            assert!(known.takes(value.as_str().unwrap()), "{word} {value}");
            tried += 1;
        }
    }
    assert!(tried > 40, "{tried}");
    driven.click("document.getElementById('tab-open')");
    driven.click("document.querySelector('[aria-label=\"SQUARE ALWAYS\"]')");
    assert_eq!(written(&driven), ["DOCTRINE SQUARE ALWAYS"]);
    assert_eq!(marked(&driven), Vec::<u64>::new());
    driven.click("document.querySelector('[aria-label=\"SQUARE ALWAYS\"]')");
    assert_eq!(written(&driven), Vec::<String>::new());
}

/// By keys alone: a division is activated, a unit of it chosen, moved and turned, and taken back.
#[test]
fn an_activation_can_be_written_by_keys() {
    let (table, seat, _) = begun("telnitz.yaml", 5, ("act", 1));
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
        for key in ["w", "e", "d", "s", "a", "q", "3"] {
            driven.key(key);
        }
        moved = written(&driven).iter().any(|line| line.starts_with("MOVE ") && line.split(' ').count() > 3);
        if moved {
            break;
        }
    }
    assert!(moved, "{:?}", written(&driven));
    for _ in 0..12 {
        driven.key("Backspace");
    }
    assert!(written(&driven).len() <= 2, "{:?}", written(&driven));
}

#[test]
fn what_players_wrote_is_text_whatever_stands_in_it() {
    let (table, seat, _) = begun("telnitz.yaml", 5, ("act", 1));
    let Sheet { mut view, map, script } = laid(&table, &seat);
    let hostile = "</script><img src=x onerror=alert(1)><script>alert(2)</script>\"'\u{2028}\u{202e}&{{ game }}";
    (view.game, view.when, view.told) = (hostile.to_owned(), hostile.to_owned(), vec![hostile.to_owned()]);
    view.board["own"][0]["facts"] = hostile.into();
    view.board["own"][0]["id"] = hostile.into();
    view.board["enemy"][0]["what"] = hostile.into();
    view.board["calls"][0]["division"] = hostile.into();
    let driven = Driven::open(&sheet::page(&Sheet { view, map, script }).unwrap(), SCREENS[0]);
    driven.click("document.querySelector('#own .row')");
    assert_eq!(driven.complaints(), Vec::<String>::new());
    assert_eq!(driven.ask("document.querySelectorAll('img').length"), 0);
    assert_eq!(driven.ask("document.querySelector('#told li').textContent"), hostile);
    assert_eq!(driven.ask("document.scripts.length"), 2);
}
