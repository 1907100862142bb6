//! The field map as a page to command from: labels, names of places, close-ups.

use super::root;
use crate::field::first_clear_turn;
use estafette::fog::{SideId, Viewer, see};
use estafette::host::Game;
use estafette::host::paper::{Format, Paper};
use estafette::rules::austerlitz1805::view::View;
use estafette::rules::austerlitz1805::{Austerlitz, Intel};
use estafette::{games, scenario, simulate};
use std::collections::{BTreeMap, BTreeSet};

const SIDES: [&str; 2] = ["allied", "french"];

fn files(name: &str) -> Vec<(String, String)> {
    scenario::files(&root().join("scenarios/austerlitz1805").join(name)).unwrap()
}

/// The whole battle on its first clear turn, as each side sees it.
fn seen() -> Vec<View> {
    let base = first_clear_turn();
    let view = |side: &str| {
        let viewer = Viewer::Side(SideId(side.to_owned()));
        see::<Austerlitz>(&base.state, &Intel::default(), viewer).into_parts().1
    };
    SIDES.map(view).into_iter().collect()
}

/// The rows of a map without title, scale and legend, each without its distance from the edge.
fn rows(map: &[String]) -> Vec<String> {
    let drawn = map.iter().skip(1).take_while(|line| !line.trim_start().starts_with('|'));
    drawn.map(|line| line.chars().skip(6).collect()).collect()
}

/// How often a text stands in a map, whole.
fn count(rows: &[String], text: &str) -> usize {
    rows.iter().map(|row| row.matches(text).count()).sum()
}

#[test]
fn every_counter_of_the_battle_has_two_characters_of_its_own() {
    for v in seen() {
        let t = &v.table;
        let mut known: BTreeMap<&str, &str> = BTreeMap::new();
        for (id, unit) in t.standing() {
            let label = t.label(id);
            assert_eq!(label.chars().count(), 2, "{id} is {label}");
            assert!(label.chars().all(|c| c.is_ascii_alphanumeric()), "{id} is {label}");
            assert_eq!(known.insert(label, &id.0), None, "{label} is {id} as well");
            // A small letter and a digit or small letter is Allied, a sign with a capital French: whoever reads it.
            let french = label.ends_with(|c: char| c.is_ascii_uppercase());
            assert_eq!(french, unit.side.0 == "french", "{id} is {label}");
        }
        assert!(known.len() > 80, "{}", known.len());
    }
}

#[test]
fn the_map_of_the_first_clear_turn_shows_every_unit_and_place() {
    for v in seen() {
        let map = rows(&Austerlitz::map(&v, None, Format::default()).unwrap());
        let t = &v.table;
        for (id, _) in t.standing() {
            assert!(count(&map, t.label(id)) > 0, "{} {id} is not on the map:\n{}", t.label(id), map.join("\n"));
        }
        for place in &t.board.places {
            assert!(count(&map, &place.name) > 0, "{}:\n{}", place.name, map.join("\n"));
        }
    }
}

#[test]
fn in_a_game_of_bots_labels_and_names_leave_each_other_whole() {
    let game = games::find(games::GAMES, "austerlitz1805").unwrap();
    let mut game = simulate::open(game, &files("teaching.yaml"), 3).unwrap();
    let (mut looks, mut inputs) = (0, 0);
    let watch = |game: &dyn Game, _: &simulate::Chain| {
        inputs += 1;
        // A look now and then is enough: little moves between two mails.
        for seat in SIDES.into_iter().filter(|_| inputs % 6 == 1) {
            let map = rows(&game.map(&seat.into(), None, Format::default()).into_parts().1);
            for label in on_the_field(game, seat) {
                assert!(count(&map, &label) > 0, "{label} is not on the map:\n{}", map.join("\n"));
                looks += 1;
            }
        }
        Ok(())
    };
    simulate::play(game.as_mut(), 3, watch).unwrap();
    assert!(looks > 30, "{looks}");
}

/// Labels of the units that stand on the field, from the tables of a whole report.
fn on_the_field(game: &dyn Game, seat: &str) -> BTreeSet<String> {
    let report = game.report(&seat.into(), None).into_parts().1;
    let rows = report.forces.into_iter().chain(report.enemy);
    let rows = rows.filter(|l| l.chars().nth(2) == Some(' ') && l.split(' ').next().is_some_and(|w| w.len() == 2));
    rows.map(|l| l.chars().take(2).collect()).collect()
}

#[test]
fn a_close_up_comes_wherever_it_is_asked() {
    // The French side's: a drawing takes its time.
    for v in seen().into_iter().skip(1) {
        let t = &v.table;
        let close = |area: &str| {
            let drawn = Austerlitz::map(&v, Some(area), Format::default());
            rows(&drawn.unwrap_or_else(|fault| panic!("{area}: {fault:?}")))
        };
        let mut n = 0;
        for (id, unit) in t.standing() {
            let at = unit.pose.at;
            let um = format!("{}.{:03},{}.{:03}", at.x / 1000, at.x % 1000, at.y / 1000, at.y % 1000);
            // By name, label, thousandths and UM in turn.
            let ways = [id.0.clone(), t.label(id).to_owned(), format!("{},{}", at.x, at.y), um];
            n += 1;
            for area in ways.into_iter().skip(n % 4).take(1) {
                let map = close(&area);
                assert!(count(&map, t.label(id)) > 0, "{area}: {id} is not in its close-up:\n{}", map.join("\n"));
            }
        }
        for place in &t.board.places {
            let map = close(&place.name);
            assert!(count(&map, &place.name) > 0, "{}:\n{}", place.name, map.join("\n"));
            close(&format!("{}+300N", place.name));
        }
        for zone in &t.board.strategic.zones {
            close(&zone.id);
            close(&zone.name);
        }
    }
}
