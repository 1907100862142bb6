//! The replay of whole games: its slider agrees with what each side was told and knew, and it reaches nothing.

use super::driven::{Driven, PHONE, SCREENS};
use super::laid::sound;
use estafette::dice::Scope;
use estafette::fog::SeatId;
use estafette::games::{self, GAMES};
use estafette::host::Game;
use estafette::host::film::{Film, Look, Shape};
use estafette::letter::replay::{self, Panel, Replay, Row};
use estafette::simulate;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// The scenarios whose games are looked at: each ruleset in fog, and what its teaching game is.
const GAMES_SHOWN: [(&str, &str); 4] = [
    ("campaigns", "teaching.yaml"),
    ("campaigns", "1805-moravia.yaml"),
    ("austerlitz1805", "fog-teaching.yaml"),
    ("brave_fellows", "durenstein-day-fog.yaml"),
];
/// Stages that are compared, of each game.
const STAGES: usize = 10;

/// A game between two of the program's own players, to its end, and what one seat was told in its middle.
fn played(ruleset: &str, name: &str) -> (Box<dyn Game>, Film) {
    let entry = games::find(GAMES, ruleset).unwrap();
    let files = crate::rehearse::driver::files(ruleset, name);
    let mut game = simulate::open(entry, &files, 3).unwrap();
    let (mut mails, mut half) = (0, None);
    simulate::play(game.as_mut(), 3, |game, _| {
        mails += 1;
        if [8, 15].contains(&mails) {
            let (seat, _) = game.seats().into_iter().next().unwrap();
            half = game.film(Some(&seat)).body().clone();
        }
        Ok(())
    })
    .unwrap_or_else(|stuck| panic!("{name}: {}", stuck.why));
    (game, half.unwrap_or_else(|| panic!("{name}: no film of {mails} mails")))
}

fn page(film: &Film, first: Option<&str>) -> String {
    replay::page(&Replay { title: "m7: <the> \"whole\" game", film, first, last: false, panels: &[] }).unwrap()
}

/// The pieces that the page shows, by key and how they are known.
fn pieces(open: &Driven) -> BTreeSet<(String, String)> {
    let found = open.ask(
        "[...document.querySelectorAll('.map')[0].querySelectorAll('.p')].map(p => [p.dataset.key, p.dataset.look])",
    );
    serde_json::from_value(found).unwrap()
}

/// Moves the slider, as a hand does.
fn slide(open: &Driven, stage: usize) {
    open.ask(&format!(
        "(() => {{ const a = document.getElementById('at'); a.value = {stage}; a.dispatchEvent(new Event('input')); return 1; }})()"
    ));
}

fn look(look: Look) -> &'static str {
    match look {
        Look::Own => "own",
        Look::Hollow => "hollow",
        Look::Foe => "foe",
        Look::Gone => "gone",
    }
}

#[test]
fn the_slider_of_a_whole_game_agrees_with_what_each_side_knew() {
    for (ruleset, name) in GAMES_SHOWN {
        let (game, _) = played(ruleset, name);
        let film = game.film(None).body().clone().unwrap();
        let page = page(&film, None);
        if let Ok(dir) = std::env::var("PAGES") {
            std::fs::write(Path::new(&dir).join(format!("replay-{name}.html")), &page).unwrap();
        }
        assert!(page.len() < 500_000, "{name}: {} bytes", page.len());
        let last = film.frames.len() - 1;
        assert!(last > 5, "{name}: {last} stages");
        let open = Driven::open(&page, SCREENS[0]);
        for n in 0..STAGES {
            let stage = last * n / (STAGES - 1);
            slide(&open, stage);
            let frame = &film.frames[stage];
            assert_eq!(open.ask("document.getElementById('when').textContent"), frame.said.as_str(), "{name} {stage}");
            for (w, scene) in frame.scenes.iter().enumerate() {
                open.click(&format!("document.querySelector('[name=w][value=\"{w}\"]')"));
                let known: BTreeSet<(String, String)> =
                    scene.marks.iter().map(|mark| (mark.key.clone(), look(mark.look).to_owned())).collect();
                assert_eq!(pieces(&open), known, "{name} {stage} {w}");
                let told: Vec<String> = serde_json::from_value(
                    open.ask("[...document.querySelectorAll('#told li')].map(l => l.textContent)"),
                )
                .unwrap();
                let wanted = if scene.told.is_empty() { vec!["Nothing.".to_owned()] } else { scene.told.clone() };
                assert_eq!(told, wanted, "{name} {stage} {w}");
            }
            // What was so is what each side knows of its own.
            open.click("document.querySelector('[name=w][value=truth]')");
            let own = frame.scenes.iter().flat_map(|scene| &scene.marks);
            let own: BTreeSet<(String, String)> = own
                .filter(|mark| matches!(mark.look, Look::Own | Look::Hollow))
                .map(|mark| (mark.key.clone(), look(mark.look).to_owned()))
                .collect();
            assert_eq!(pieces(&open), own, "{name} {stage}");
        }
        assert_eq!(open.complaints(), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn only_pieces_of_one_hex_are_one_pile_and_none_lies_on_another() {
    let (game, _) = played("campaigns", "1805-moravia.yaml");
    let film = game.film(None).body().clone().unwrap();
    let page = replay::page(&Replay { title: "m7", film: &film, first: None, last: true, panels: &[] }).unwrap();
    let mut places = BTreeSet::new();
    let mut centers = 0;
    for (w, scene) in film.frames.last().unwrap().scenes.iter().enumerate() {
        for mark in scene.marks.iter().filter(|mark| mark.look == Look::Own) {
            if mark.shape == Shape::Center {
                centers += 1;
            } else {
                places.insert((w, mark.at));
            }
        }
    }
    for screen in SCREENS {
        let open = Driven::open(&page, screen);
        assert_eq!(
            open.ask("document.querySelectorAll('.map:not([hidden]) .p:not(.in)').length"),
            places.len() + centers,
            "{screen:?}"
        );
        let boxes: Vec<(String, f64, f64, f64, f64)> = serde_json::from_value(open.ask(
            "[...document.querySelectorAll('.map:not([hidden]) .p:not(.in) > rect.b')].map(r => { const b = r.getBoundingClientRect(); return [r.parentNode.dataset.key, b.left + 1, b.top + 1, b.right - 1, b.bottom - 1]; })",
        ))
        .unwrap();
        assert!(boxes.len() > 6, "{} pieces on {screen:?}", boxes.len());
        for (n, a) in boxes.iter().enumerate() {
            let under = boxes[n + 1..].iter().find(|b| a.1 < b.3 && b.1 < a.3 && a.2 < b.4 && b.2 < a.4);
            assert!(under.is_none(), "{a:?} lies on {under:?}: {screen:?}");
        }
    }
}

#[test]
fn a_replay_opens_on_a_desk_and_on_a_phone_and_names_every_control() {
    let (game, half) = played("campaigns", "teaching.yaml");
    let whole = game.film(None).body().clone().unwrap();
    for (film, first, many) in [(&whole, Some("coalition"), true), (&half, None, false)] {
        let page = page(film, first);
        for screen in SCREENS {
            let open = Driven::open(&page, screen);
            assert_eq!(open.ask("document.querySelector('h1').textContent"), "m7: <the> \"whole\" game");
            sound(&open, "a replay", screen);
            let small = open.ask(
                "[...document.querySelectorAll('#choices label,input[type=range],summary')].filter(e => e.offsetParent).map(e => [e.textContent || e.id, e.getBoundingClientRect()]).filter(([, r]) => r.width < 36 || r.height < 36).map(([t]) => t)",
            );
            assert_eq!(small, serde_json::json!([]), "{screen:?}");
            assert_eq!(open.ask("document.getElementById('who').hidden"), !many);
            if many {
                assert_eq!(open.ask("document.querySelector('[name=w]:checked').value"), "1", "the coalition's own");
                open.click("document.querySelector('[name=w][value=both]')");
                assert_eq!(open.ask("[...document.querySelectorAll('.map')].filter(m => !m.hidden).length"), 2);
                open.click("document.querySelector('[name=w][value=\"0\"]')");
                open.click("document.getElementById('under')");
                let under = open.ask("document.querySelectorAll('.map:not([hidden]) .under').length").as_i64().unwrap();
                assert!(under > 0, "truth beneath shows nothing");
            }
            // Forth and back by buttons, and on by the keys.
            open.click("document.getElementById('fwd')");
            assert_eq!(open.ask("+document.getElementById('at').value"), 1);
            open.click("document.getElementById('back')");
            assert_eq!(open.ask("+document.getElementById('at').value"), 0);
            open.ask("(() => { document.activeElement.blur(); return 1; })()");
            open.key("ArrowRight");
            assert_eq!(open.ask("+document.getElementById('at').value"), 1);
            let before = open.ask("document.querySelector('.map svg').getAttribute('viewBox')");
            open.click("document.getElementById('nearer')");
            assert_ne!(open.ask("document.querySelector('.map svg').getAttribute('viewBox')"), before);
            assert_eq!(open.complaints(), Vec::<String>::new(), "{screen:?}");
        }
    }
}

#[test]
fn a_film_of_one_seat_holds_what_it_was_told_and_nothing_else() {
    for (ruleset, name) in GAMES_SHOWN {
        let (game, half) = played(ruleset, name);
        let (_, side) = game.seats().into_iter().next().unwrap();
        assert_eq!(half.watchers, std::slice::from_ref(&side), "{name}");
        let whole = game.film(None).body().clone().unwrap();
        let at = whole.watchers.iter().position(|watcher| *watcher == side).unwrap();
        // Each of its frames is one of the whole game's, in order, cut down to its side; and none is the truth of others.
        let mut behind = whole.frames.iter();
        for frame in &half.frames {
            let same = |other: &&estafette::host::film::Frame| other.scenes[at].marks == frame.scenes[0].marks;
            assert!(behind.any(|other| same(&other)), "{name}: {}", frame.said);
            let scopes: BTreeSet<&str> = frame.luck.keys().map(String::as_str).collect();
            let open = [Scope::Public.text().to_owned(), side.0.clone()];
            assert!(scopes.iter().all(|scope| open.iter().any(|o| o == scope)), "{name}: {scopes:?}");
        }
        assert!(game.film(Some(&SeatId::from("nobody"))).body().is_none(), "{name}");
    }
}

/// The French are blue whichever side is named first, in pieces and in lines; whoever looks alone is blue to himself.
#[test]
fn a_side_has_its_colour_in_every_game() {
    let hue = |open: &Driven, side: usize| {
        open.click(&format!("document.querySelector('[name=w][value=\"{side}\"]')"));
        open.ask("getComputedStyle(document.querySelector('.map .p[data-look=own] .b')).fill")
    };
    for (ruleset, name) in [("austerlitz1805", "teaching.yaml"), ("campaigns", "teaching.yaml")] {
        let (game, half) = played(ruleset, name);
        let film = game.film(None).body().clone().unwrap();
        let french = film.watchers.iter().position(|side| side.0 == "french").unwrap();
        let open = Driven::open(&page(&film, None), SCREENS[0]);
        assert_eq!(hue(&open, french), "rgb(31, 68, 128)", "{name}");
        assert_eq!(hue(&open, 1 - french), "rgb(163, 34, 27)", "{name}");
        let line = "document.querySelectorAll('#plots svg')[0].querySelectorAll('path[stroke-width]')";
        let stroke = open.ask(&format!("getComputedStyle({line}[{french}]).stroke"));
        assert_eq!(stroke, "rgb(31, 68, 128)", "{name}");
        open.again(&page(&half, None));
        assert_eq!(
            open.ask("getComputedStyle(document.querySelector('.p[data-look=own] .b')).fill"),
            "rgb(31, 68, 128)"
        );
    }
}

/// No two pieces of a side lie over each other on the whole map: they are one heap with its number, and a click tells all of
/// it. What was told stands before the plots.
#[test]
fn pieces_in_one_place_are_counted_and_listed() {
    let (game, _) = played("campaigns", "1805-moravia.yaml");
    let film = game.film(None).body().clone().unwrap();
    let open = Driven::open(&page(&film, None), PHONE);
    let over = "(() => { const all = [...document.querySelectorAll('.map .p.own:not(.in)')].filter((p) => p.querySelector('rect')).map((p) => [p.classList.contains('s0'), p.querySelector('rect').getBoundingClientRect()]); let n = 0; all.forEach(([s, a], i) => all.slice(i + 1).forEach(([t, b]) => { if (s === t && Math.min(a.right, b.right) - Math.max(a.left, b.left) > a.width * 0.4 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > a.height * 0.4) n++; })); return [n, all.length]; })()";
    let found = open.ask(over);
    assert!(found[0] == 0 && found[1].as_u64() > Some(3), "{found}");
    let heap = open.ask(
        "(() => { const more = (p) => Number(p.querySelector('text')?.textContent.match(/[+]([0-9]+)$/)?.[1] || 0), p = [...document.querySelectorAll('.map .p:not(.in)')].sort((a, b) => more(b) - more(a))[0], r = p.querySelector('.b').getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2, more(p) + 1]; })()",
    );
    let many = heap[2].as_u64().unwrap();
    assert!(many > 2, "{heap}");
    assert_eq!(open.ask("document.getElementById('where').hidden"), true);
    open.click_at(heap[0].as_f64().unwrap(), heap[1].as_f64().unwrap());
    let listed = open.ask("document.querySelectorAll('#here li').length").as_u64().unwrap();
    assert!(listed >= many, "{listed} of {many} are listed");
    let before = "document.getElementById('told').compareDocumentPosition(document.getElementById('plots')) & 4";
    assert_eq!(open.ask(before), 4, "the plots stand before what was told");
    // Only those of one hex are a heap, from however near it is seen.
    let pieces = "document.querySelectorAll('.map .p:not(.in)').length";
    let whole = open.ask(pieces).as_u64().unwrap();
    for _ in 0..6 {
        open.click("document.getElementById('nearer')");
    }
    assert_eq!(open.ask(pieces).as_u64().unwrap(), whole);
    assert_eq!(open.complaints(), Vec::<String>::new());
}

#[test]
fn hostile_words_and_commands_stay_text() {
    let (_, mut film) = played("campaigns", "teaching.yaml");
    let bad = "</script><img src=x onerror=alert(1)>\u{2028}\"'&";
    film.frames[0].said = bad.to_owned();
    film.frames[0].scenes[0].told = vec![bad.to_owned()];
    film.frames[0].scenes[0].marks[0].said = bad.to_owned();
    film.frames[0].scenes[0].marks[0].label = bad.to_owned();
    let command = Some(format!("estafette umpire m7 remind \"{bad}\""));
    let row = Row { cells: vec![bad.to_owned()], command, mail: Some(bad.to_owned()) };
    let panels =
        [Panel { title: bad.to_owned(), open: true, head: vec![bad.to_owned()], rows: vec![row], none: String::new() }];
    let page = replay::page(&Replay { title: bad, film: &film, first: None, last: false, panels: &panels }).unwrap();
    for screen in SCREENS {
        let open = Driven::open(&page, screen);
        assert_eq!(open.ask("document.querySelectorAll('img').length"), 0, "{screen:?}");
        assert_eq!(open.ask("document.querySelector('#told li').textContent"), bad);
        assert_eq!(open.ask("document.querySelector('td').textContent"), bad);
        let copied: Value = open.ask("document.querySelector('.copy').dataset.copy");
        assert_eq!(copied, format!("estafette umpire m7 remind \"{bad}\"").as_str());
        let wide = open.ask("document.documentElement.scrollWidth - window.innerWidth").as_i64().unwrap();
        assert!(wide <= 0, "{screen:?}: it scrolls sideways by {wide}");
        // What is to be copied is not cut off.
        let cut = open.ask("document.querySelector('.copy').getBoundingClientRect().right - window.innerWidth");
        assert!(cut.as_f64().unwrap() <= 0.0, "{screen:?}: {cut}");
        assert_eq!(open.complaints(), Vec::<String>::new(), "{screen:?}");
    }
}
