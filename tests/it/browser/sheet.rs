//! The order sheet of `campaigns`: clicked through as a player would.

use super::driven::{Driven, PHONE, SCREENS};
use super::laid::{
    OFFERED, board, comes_back, half_written, in_sight, laid, marked, page, press, row, said, sound, tabbed, write,
    written,
};
use crate::rehearse::driver::{Noise, Table, files, tried};
use estafette::host::paper::Paper as _;
use estafette::letter::sheet::{self, Sheet};
use estafette::rules::Outcome;
use estafette::rules::campaigns::Campaigns;
use estafette::rules::rehearsal::Plan;
use serde_json::Value;

/// Marches that are compared with CHECK.
const MARCHES: usize = 200;

/// Sheets that a game may take until commands can be given.
const SHEETS: u64 = 40;

/// Sheets that a game may take until a battle can be ordered.
const BATTLES: u64 = 120;

/// A game on a sheet on which commands can be given: the table, whose sheet it is, and its address.
fn begun(scenario: &str, seed: u8) -> (Table<Campaigns>, String, String) {
    let mut table = Table::<Campaigns>::open(&files("campaigns", scenario), seed);
    for noise in 0..SHEETS {
        let (seat, address) = table.sheet().unwrap();
        if laid(&table, &seat.0).view.board.to_string().contains("\"COMMAND\"") {
            return (table, seat.0, address);
        }
        table.by_bot(noise);
    }
    panic!("{scenario}: no command can be given on any sheet");
}

/// A stack whose pieces stand over each other: each click takes the next of it, a button does too, and a march to another
/// stack is a button, for a click there chooses.
#[test]
fn a_stack_is_walked_through_and_a_march_into_one_is_a_button() {
    let (table, seat, _) = begun("1805-moravia.yaml", 5);
    let driven = Driven::open(&page(&table, &seat), PHONE);
    // Somebody who comes to another stack of two at least, and that stack.
    let found = driven.ask(
        "(() => { const B = JSON.parse(document.getElementById('view').textContent).board, at = (hex) => B.own.filter((o) => o.hex === hex); for (const own of B.own.filter((o) => o.may.length)) for (const [to] of sheet.reach(own.id)) if (to !== own.hex && at(to).length > 1) return [own.id, own.name, to, at(to).map((o) => o.id)]; })()",
    );
    let (id, to) = (found[0].as_str().unwrap(), found[2].as_str().unwrap());
    let stack: Vec<String> = serde_json::from_value(found[3].clone()).unwrap();
    let chosen = || driven.ask("document.querySelector('#own .row[aria-pressed=true]')?.dataset.id");
    let click = || {
        let at = driven.ask(&format!("sheet.look({to:?})"));
        driven.click_at(at[0].as_f64().unwrap(), at[1].as_f64().unwrap());
    };
    let mut seen = std::collections::BTreeSet::new();
    for _ in &stack {
        click();
        seen.insert(chosen().as_str().unwrap().to_owned());
    }
    assert_eq!(seen, stack.iter().cloned().collect(), "clicks do not come to all of a stack");
    assert_eq!(in_sight(&driven), serde_json::json!([]));
    press(&driven, &stack[0]);
    assert_eq!(chosen(), stack[0].as_str());
    // A click on the stack chooses there and writes nothing; the button writes the march.
    driven.ask(&format!("sheet.choose({id:?})"));
    click();
    assert!(
        stack.contains(&chosen().as_str().unwrap().to_owned()) && written(&driven).is_empty(),
        "{:?}",
        written(&driven)
    );
    press(&driven, &format!("{} marches here", found[1].as_str().unwrap()));
    let lines = written(&driven);
    assert!(lines.len() == 1 && lines[0].ends_with(&format!(" {to}")), "{lines:?}");
    assert_eq!(chosen(), id);
}

/// Marks, reasons and clauses of a march, and lines that stay.
#[test]
fn a_march_has_its_clause_a_refusal_its_reason_and_a_line_its_mark() {
    let (table, seat, _) = begun("1805-moravia.yaml", 5);
    let (view, first) = (table.view(&seat), page(&table, &seat));
    let driven = Driven::open(&first, PHONE);
    let (id, _) =
        able(&driven).into_iter().find(|(id, _)| driven.ask(&format!("sheet.reach({id:?}).length")) != 0).unwrap();
    let whys: Vec<String> = serde_json::from_value(driven.ask(&format!("sheet.whys({id:?})"))).unwrap();
    assert!(whys.iter().all(|why| !why.contains("or no way")), "{whys:?}");
    for part in [" MP, and ", ": farther than any of yours", " stands there"] {
        assert!(whys.iter().any(|why| why.contains(part)), "{part}: {whys:?}");
    }
    let mut tried_clauses = 0;
    for (id, _) in able(&driven) {
        write(&driven, &[]);
        if driven.ask(&format!("sheet.step({id:?})")) != true {
            continue;
        }
        press(&driven, "If met: repulse, else stop");
        let line = written(&driven).remove(0);
        assert!(line.ends_with(" IF CONTACT REPULSE ELSE STOP"), "{line}");
        let found = tried::<Campaigns>(&view, &line);
        assert!(found.is_ok(), "{line}: {:?}", found.err());
        tried_clauses += 1;
    }
    assert!(tried_clauses >= 5, "{tried_clauses}");
    let line = written(&driven);
    half_written(&driven, &["FORCE", "FORCE Nobody COMMAND MARCH 0101", "VEDETTE x MARCH", "FORCE Murat MARCH 9999"]);
    write(&driven, &[line[0].clone(), String::new(), "FORCE Nobody COMMAND MARCH 0101".to_owned(), "END".to_owned()]);
    assert_eq!(marked(&driven), [3]);
    assert!(!said(&driven).contains("undefined"), "{}", said(&driven));
    // Who gives no command is not told of 0 of them without a reason.
    write(&driven, &[]);
    let sum = driven.ask("document.getElementById('sum').textContent");
    assert!(sum.as_str().unwrap().contains("A command costs 1 of your "), "{sum}");
    let other = begun("teaching.yaml", 7);
    comes_back(&driven, &first, &page(&other.0, &other.1), &line[0]);
}

/// Commands are over before anybody marches by his initiative: a command that is clicked later stands above, and one that
/// a hand puts below has its mark.
#[test]
fn a_command_stands_above_the_marches_by_initiative() {
    let (table, seat, _) = begun("1805-moravia.yaml", 5);
    let driven = Driven::open(&page(&table, &seat), PHONE);
    let own = driven.ask("JSON.parse(document.getElementById('view').textContent).board.own");
    let both = |own: &&Value| {
        ["COMMAND", "INITIATIVE"].iter().all(|how| own["may"].as_array().unwrap().iter().any(|may| may == how))
    };
    let able: Vec<&str> = own.as_array().unwrap().iter().filter(both).map(|own| own["id"].as_str().unwrap()).collect();
    let [first, second] = able[..2] else { panic!("{own}") };
    for (id, how) in [(first, "Initiative"), (second, "Command, 1 AP")] {
        assert_eq!(driven.ask(&format!("sheet.step({id:?})")), true, "{id}");
        press(&driven, how);
    }
    let lines = written(&driven);
    let has = |line: &str, how: &str| line.split(' ').any(|word| word == how);
    assert!(has(&lines[0], "COMMAND") && has(&lines[1], "INITIATIVE"), "{lines:?}");
    assert_eq!(marked(&driven), [0_u64; 0]);
    write(&driven, &[lines[1].clone(), lines[0].clone()]);
    assert_eq!(marked(&driven), [2]);
    // Whoever marches by his initiative after all takes his place below.
    write(&driven, &lines);
    driven.ask(&format!("sheet.choose({second:?})"));
    press(&driven, "Initiative");
    assert!(written(&driven).iter().all(|line| has(line, "INITIATIVE")), "{:?}", written(&driven));
}

/// A sheet of battles: the table, and whose it is.
fn battles(scenario: &str, seed: u8) -> Option<(Table<Campaigns>, String, String)> {
    let mut table = Table::<Campaigns>::open(&files("campaigns", scenario), seed);
    for noise in 0..BATTLES {
        let (seat, address) = table.sheet()?;
        if laid(&table, &seat.0).view.board["fights"].as_array().is_some_and(|fights| !fights.is_empty()) {
            return Some((table, seat.0, address));
        }
        table.by_bot(noise);
    }
    None
}

/// A battle is ordered by taps alone: whom to attack, who attacks, how. Each line that they write is taken, in its place.
#[test]
fn a_battle_is_tapped_together_and_check_takes_each_line() {
    let (mut plans, mut attacks) = (0, 0);
    for (scenario, seed) in [("1805-moravia.yaml", 5), ("teaching.yaml", 7)] {
        let (table, seat, _) = battles(scenario, seed).unwrap();
        let (view, driven) = (table.view(&seat), Driven::open(&page(&table, &seat), PHONE));
        let fights = driven.ask("sheet.fights()");
        for fight in fights.as_array().unwrap().iter().take(1) {
            let hex = fight[0].as_str().unwrap();
            let at = driven.ask(&format!("sheet.look({hex:?})"));
            driven.click_at(at[0].as_f64().unwrap(), at[1].as_f64().unwrap());
            for attack in fight[1].as_array().unwrap().iter().take(2) {
                write(&driven, &[]);
                press(&driven, &format!("Attack: {}", attack[0].as_str().unwrap()));
                let checked = |driven: &Driven| {
                    let mut plan = Plan::<Campaigns>::new(view.clone());
                    for line in written(driven) {
                        let found = plan.line(&estafette::orders::line(1, &line));
                        assert!(found.is_ok(), "{scenario}: {line}: {:?}", found.err());
                    }
                };
                checked(&driven);
                attacks += 1;
                for name in attack[1].as_array().unwrap() {
                    press(&driven, name.as_str().unwrap());
                    assert_eq!(written(&driven).len(), 2, "{:?}", written(&driven));
                    assert_eq!(marked(&driven), [0_u64; 0], "{:?}", written(&driven));
                    checked(&driven);
                    plans += 1;
                }
                assert_eq!(in_sight(&driven), serde_json::json!([]));
                // A plan without its attack has its mark.
                if let [_, plan] = written(&driven).as_slice() {
                    write(&driven, std::slice::from_ref(plan));
                    assert_eq!(marked(&driven), [1], "{plan}");
                }
            }
        }
        assert_eq!(driven.complaints(), Vec::<String>::new());
    }
    assert!(attacks >= 2 && plans >= 4, "{attacks} attacks, {plans} plans");
}

/// A game in which there was a battle, at the next sheet on which the same seat may give commands.
fn at_war(scenario: &str, seed: u8) -> (Table<Campaigns>, String, String) {
    let (mut table, fighter, _) = battles(scenario, seed).unwrap();
    for noise in 0..BATTLES {
        table.by_bot(noise);
        let (seat, address) = table.sheet().unwrap();
        if seat.0 == fighter && laid(&table, &seat.0).view.board["own"].to_string().contains("\"COMMAND\"") {
            return (table, seat.0, address);
        }
    }
    panic!("{scenario}: {fighter} never gives commands again");
}

/// Plays on until a seat may order battles; the address of that sheet, if they come in this player-turn.
fn to_battles(table: &mut Table<Campaigns>, seat: &str) -> Option<String> {
    for noise in 0..4 {
        let (next, address) = table.sheet()?;
        if next.0 == seat {
            let fights = &laid(table, seat).view.board["fights"];
            return fights.as_array().is_some_and(|fights| !fights.is_empty()).then_some(address);
        }
        table.by_bot(noise);
    }
    None
}

/// A way that the window shows, for the chosen piece, to an empty hex: next to the enemy if there is one, or far away; and
/// where its last hex lies.
fn free(driven: &Driven, id: &str) -> Option<(String, (f64, f64))> {
    driven.ask("document.getElementById('mapbox').scrollIntoView({block: 'start'}) ?? 1");
    let found = driven.ask(&format!(
        "(() => {{ const B = JSON.parse(document.getElementById('view').textContent).board, ways = new Map(sheet.reach({id:?}).map((r) => [r[0], r])), near = (r) => (B.zones[r[0]] ? 1000 : 0) + r[2]; return {OFFERED}.map(([hex, p]) => [ways.get(hex), p]).filter(([r]) => r && !B.own.some((o) => o.hex === r[0])).sort((a, b) => near(b[0]) - near(a[0]))[0]; }})()"
    ));
    Some((hexes(found.get(0)?.get(1)?), (found[1][0].as_f64()?, found[1][1].as_f64()?)))
}

/// Taps END; the lines before it.
fn ended(driven: &Driven) -> Vec<String> {
    driven.click("document.getElementById('end')");
    let mut lines = written(driven);
    assert_eq!(lines.pop().as_deref(), Some("END"));
    assert_eq!(marked(driven), [0_u64; 0], "{lines:?}");
    lines
}

/// That a line was carried out.
fn done(scenario: &str, line: &str, came: Option<Outcome>) {
    assert!(matches!(came, None | Some(Outcome::Done | Outcome::Failed { .. })), "{scenario}: {line}: {came:?}");
}

/// Ends a sheet of battles; the hexes that forces attack then. Vedettes attack unasked (¶311).
fn designated(table: &mut Table<Campaigns>, address: &str) -> Vec<String> {
    table.end(address);
    let mut found = Vec::new();
    for event in table.events.iter().map(|event| serde_json::to_value(event).unwrap()) {
        let battles = event["event"]["battles"].as_array().into_iter().flatten();
        for hex in battles
            .filter(|battle| !battle["attack"]["lead"].is_null())
            .flat_map(|battle| battle["hexes"].as_array().unwrap())
        {
            found.push(hex.as_str().unwrap().to_owned());
        }
    }
    found
}

/// A whole player-turn by taps alone, on a phone: all that may march does, the enemy answers, and all battles are ordered. What
/// was tapped is what is carried out: where each piece stands, what the commands cost, and who is attacked.
#[test]
fn a_player_turn_that_is_tapped_is_the_turn_that_is_played() {
    let (mut marched, mut fought) = (0, 0);
    for (scenario, seed) in [("1805-moravia.yaml", 5), ("teaching.yaml", 7)] {
        let (mut table, seat, address) = at_war(scenario, seed);
        let driven = Driven::open(&page(&table, &seat), PHONE);
        let mut ap = board(&driven)["ap"].as_i64().unwrap();
        // Each piece goes to the farthest hex that the window shows, away from what stands there.
        let mut goals: Vec<(String, String)> = Vec::new();
        for own in board(&driven)["own"].as_array().unwrap() {
            let (id, may) = (own["id"].as_str().unwrap(), own["may"].as_array().unwrap());
            let command = may.iter().any(|how| how == "COMMAND");
            if may.is_empty() || (command && ap == 0) {
                continue;
            }
            row(&driven, id);
            let Some((way, (x, y))) = free(&driven, id) else { continue };
            driven.click_at(x, y);
            if command && may.len() > 1 {
                press(&driven, "Command, 1 AP");
            }
            let (line, how) = (written(&driven), if command { "COMMAND MARCH" } else { "MARCH" });
            let line = line.iter().find(|line| line.ends_with(&format!("{how} {way}")));
            assert!(line.is_some(), "{scenario}: {id} {way}: {:?}", written(&driven));
            ap -= i64::from(command);
            // A die decides how far a march by initiative comes.
            if command || may.iter().all(|how| how == "") {
                goals.push((id.to_owned(), way.split(' ').next_back().unwrap().to_owned()));
            }
        }
        let lines = ended(&driven);
        for line in &lines {
            done(scenario, line, table.line(&address, line));
        }
        let after = serde_json::to_value(Campaigns::seat_data(&table.view(&seat)).unwrap().board).unwrap();
        for (id, goal) in &goals {
            let stands = after["own"].as_array().unwrap().iter().find(|own| own["id"] == id.as_str());
            // Who comes to others of his may have become one force with them.
            if let Some(own) = stands {
                assert_eq!(own["hex"], goal.as_str(), "{scenario}: {id}: {lines:?}");
                marched += 1;
            }
        }
        assert_eq!(after["ap"].as_i64().unwrap(), ap, "{scenario}: {lines:?}");
        table.end(&address);
        // The enemy answers, and the battles are ordered.
        let Some(address) = to_battles(&mut table, &seat) else { continue };
        driven.again(&page(&table, &seat));
        let mut attacked: Vec<String> = Vec::new();
        for fight in driven.ask("sheet.fights()").as_array().unwrap() {
            let (hex, attack) = (fight[0].as_str().unwrap(), fight[1].as_array().unwrap().last().unwrap());
            let at = driven.ask(&format!("sheet.look({hex:?})"));
            driven.click_at(at[0].as_f64().unwrap(), at[1].as_f64().unwrap());
            press(&driven, &format!("Attack: {}", attack[0].as_str().unwrap()));
            if let Some(plan) = attack[1].as_array().unwrap().first() {
                press(&driven, plan.as_str().unwrap());
            }
            attacked.push(hex.to_owned());
        }
        for line in ended(&driven) {
            done(scenario, &line, table.line(&address, &line));
        }
        let mut hexes = designated(&mut table, &address);
        hexes.sort();
        attacked.sort();
        assert_eq!(hexes, attacked, "{scenario}");
        fought += hexes.len();
        assert_eq!(driven.complaints(), Vec::<String>::new());
    }
    println!("{marched} marches, {fought} hexes attacked");
    assert!(marched >= 6 && fought >= 2, "{marched} marches, {fought} hexes attacked");
}

/// Pieces that may march as far as they will, by id, and how they are called.
fn able(driven: &Driven) -> Vec<(String, String)> {
    let found = driven.ask("JSON.parse(document.getElementById('view').textContent).board.own");
    // A march by initiative may be cut short by its die.
    let sure = |own: &&Value| own["may"].as_array().unwrap().iter().any(|how| how == "" || how == "COMMAND");
    let own = found.as_array().unwrap().iter().filter(sure);
    own.map(|own| (own["id"].as_str().unwrap().to_owned(), own["say"].as_str().unwrap().to_owned())).collect()
}

fn hexes(way: &Value) -> String {
    let way: Vec<&str> = way.as_array().unwrap().iter().map(|hex| hex.as_str().unwrap()).collect();
    way.join(" ")
}

#[test]
fn it_opens_on_a_desk_and_on_a_phone_reaches_nothing_and_names_every_control() {
    for scenario in ["1805-moravia.yaml", "teaching.yaml"] {
        let (table, seat, _) = begun(scenario, 5);
        let page = page(&table, &seat);
        assert!(page.len() < 400_000, "{scenario}: {}", page.len());
        for screen in SCREENS {
            let driven = Driven::open(&page, screen);
            assert!(!able(&driven).is_empty(), "{scenario}: nobody may march");
            sound(&driven, scenario, screen);
            tabbed(&driven, 24);
        }
    }
}

#[test]
fn its_sums_are_those_of_check_and_no_way_that_it_offers_is_refused() {
    let (mut tried_ways, mut noise) = (0, Noise(11));
    for (scenario, seed) in [("1805-moravia.yaml", 5), ("1809-eggmuehl.yaml", 6), ("teaching.yaml", 7)] {
        let (table, seat, _) = begun(scenario, seed);
        let (view, driven) = (table.view(&seat), Driven::open(&page(&table, &seat), SCREENS[0]));
        for (id, say) in able(&driven) {
            let reach = driven.ask(&format!("sheet.reach({id:?})"));
            let reach = reach.as_array().unwrap();
            for _ in 0..8 {
                let Some(found) = noise.pick(reach) else { break };
                let how = if say.starts_with("VEDETTE") { "" } else { "COMMAND " };
                let line = format!("{say} {how}MARCH {}", hexes(&found[1]));
                let (_, rehearsed) = tried::<Campaigns>(&view, &line).unwrap_or_else(|fault| panic!("{line}: {fault}"));
                let halves = found[2].as_i64().unwrap();
                let mp = format!("{}{}", halves / 2, if halves % 2 == 1 { ".5" } else { "" });
                let said = format!("{}, {mp} of ", found[0].as_str().unwrap());
                assert!(rehearsed.said[0].starts_with(&said), "{scenario}: {line}: {said}: {:?}", rehearsed.said);
                tried_ways += 1;
            }
        }
    }
    assert!(tried_ways >= MARCHES, "{tried_ways} ways only");
}

#[test]
fn a_march_that_is_clicked_is_the_march_that_is_carried_out() {
    let (mut table, seat, address) = begun("1805-moravia.yaml", 5);
    let driven = Driven::open(&page(&table, &seat), SCREENS[0]);
    // A force whose march only the ground can stop: by command, far from any zone.
    let found = driven.ask(
        "(() => { const B = JSON.parse(document.getElementById('view').textContent).board; for (const own of B.own.filter((o) => o.may.includes('COMMAND'))) { const way = sheet.reach(own.id).filter(([, way]) => way.length === 3 && way.every((hex) => !B.zones[hex]))[0]; if (way) return [own.id, own.hex, way[1]]; } })()",
    );
    let (id, way) = (found[0].as_str().unwrap().to_owned(), hexes(&found[2]));
    driven.click(&format!("document.querySelector('#own .row[data-id={id:?}]')"));
    driven.click("[...document.querySelectorAll('.acts button')].find((b) => b.textContent.startsWith('Command'))");
    for hex in way.split(' ') {
        let place = driven.ask(&format!(
            "(() => {{ const t = [...document.querySelectorAll('#over .id')].find((t) => t.textContent === {hex:?}); const r = t.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height * 2]; }})()"
        ));
        driven.click_at(place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
    }
    driven.click("document.getElementById('end')");
    let written = driven.ask("document.getElementById('lines').value");
    let lines: Vec<String> = written.as_str().unwrap().lines().map(str::to_owned).collect();
    assert!(lines.len() == 2 && lines[0].ends_with(&format!("COMMAND MARCH {way}")) && lines[1] == "END", "{lines:?}");
    assert!(
        driven
            .ask("document.getElementById('sum').textContent")
            .as_str()
            .unwrap()
            .contains("1 command costs 1 of your")
    );
    table.line(&address, &lines[0]);
    let after = serde_json::to_value(Campaigns::seat_data(&table.view(&seat)).unwrap().board).unwrap();
    let stands = after["own"].as_array().unwrap().iter().find(|own| own["id"] == id.as_str()).unwrap()["hex"].clone();
    assert_eq!(stands, way.split(' ').next_back().unwrap());
    assert_eq!(driven.complaints(), Vec::<String>::new());
}

#[test]
fn a_whole_march_can_be_written_by_keys_and_taken_back() {
    let (table, seat, _) = begun("teaching.yaml", 7);
    let driven = Driven::open(&page(&table, &seat), SCREENS[1]);
    driven.ask("document.getElementById('map').focus()");
    driven.key("n");
    let said = driven.ask("document.getElementById('say').textContent");
    assert!(said.as_str().unwrap().contains(" MP"), "{said}");
    for key in ["w", "e", "d"] {
        driven.key(key);
    }
    assert!(driven.ask("document.getElementById('lines').value").as_str().unwrap().contains(" MARCH "));
    for _ in 0..3 {
        driven.key("Backspace");
    }
    assert_eq!(driven.ask("document.getElementById('lines').value"), "");
}

#[test]
fn what_players_wrote_is_text_whatever_stands_in_it() {
    let (table, seat, _) = begun("teaching.yaml", 7);
    let Sheet { mut view, map, script } = laid(&table, &seat);
    let hostile = "</script><img src=x onerror=alert(1)><script>alert(2)</script>\"'\u{2028}\u{202e}&{{ game }}";
    (view.game, view.when, view.stage) = (hostile.to_owned(), hostile.to_owned(), hostile.to_owned());
    (view.due, view.if_not) = (hostile.to_owned(), hostile.to_owned());
    (view.told, view.offers) = (vec![hostile.to_owned()], vec![hostile.to_owned()]);
    view.board["own"][0]["name"] = hostile.into();
    view.board["own"][0]["units"] = hostile.into();
    view.mail = Some(sheet::Reply { to: "a@b.example".to_owned(), subject: hostile.to_owned() });
    let driven = Driven::open(&sheet::page(&Sheet { view, map, script }).unwrap(), SCREENS[0]);
    assert_eq!(driven.complaints(), Vec::<String>::new());
    assert_eq!(driven.ask("document.querySelectorAll('img').length"), 0);
    assert_eq!(driven.ask("document.querySelector('#told li').textContent"), hostile);
    assert_eq!(driven.ask("document.scripts.length"), 2);
}
