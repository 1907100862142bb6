//! The field map as a page to command from: labels, names of places, close-ups.

use super::root;
use crate::field::first_clear_turn;
use estafette::fog::{SideId, Viewer, see};
use estafette::host::Game;
use estafette::host::paper::{Format, Paper};
use estafette::plane::{Heading, Spot};
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

/// A drawing read back: its rows, the place of their corner, the width of a character, and the labels that it says have no
/// room.
struct Read {
    rows: Vec<Vec<char>>,
    west: i32,
    across: i32,
    south: i32,
    astray: BTreeSet<String>,
}

impl Read {
    fn of(map: &[String]) -> Read {
        let number = |text: &str| text.trim().parse::<i32>().unwrap();
        let title = map.first().unwrap();
        let wide = title.split("one letter ").nth(1).unwrap().split(" UM").next().unwrap();
        let across = (wide.parse::<f64>().unwrap() * 1000.0).round() as i32;
        let rows: Vec<Vec<char>> = rows(map).iter().map(|row| row.chars().collect()).collect();
        let scale = map.iter().find(|line| line.trim_start().starts_with('|')).unwrap();
        let west = number(scale.trim_start().trim_start_matches('|').split(' ').next().unwrap());
        // The first row says how far its middle is from the southern edge.
        let top = number(&map[1].chars().take(5).collect::<String>());
        let south = top + across - i32::try_from(rows.len()).unwrap() * 2 * across;
        let said: Vec<&str> = map.iter().skip_while(|l| !l.starts_with("No room")).map(String::as_str).collect();
        let said = said.join(" ");
        let astray = said.split(" for ").nth(1).and_then(|rest| rest.split(':').next()).unwrap_or_default();
        let astray = astray.split_whitespace().map(str::to_owned).collect();
        Read { rows, west, across, south, astray }
    }

    /// The row and column of a place, if it is on the drawing with room for a label to the right.
    fn cell(&self, at: Spot) -> Option<(usize, usize)> {
        let column = usize::try_from((at.x - self.west).div_euclid(self.across)).ok()?;
        let up = usize::try_from((at.y - self.south).div_euclid(2 * self.across)).ok()?;
        let row = self.rows.len().checked_sub(up + 1)?;
        (column + 1 < 70).then_some((row, column))
    }

    fn at(&self, (row, column): (usize, usize)) -> String {
        self.rows.get(row).map(|r| r.iter().skip(column).take(2).collect()).unwrap_or_default()
    }

    /// Whether a label stands at a cell, or a row or up to four columns off.
    fn near(&self, (row, column): (usize, usize), label: &str) -> bool {
        let rows = row.saturating_sub(1)..=row + 1;
        rows.into_iter().any(|r| (column.saturating_sub(4)..=column + 4).any(|c| self.at((r, c)) == label))
    }
}

/// The whole battle with its units anywhere, often in throngs.
fn at_random(v: &View, seed: u64) -> View {
    let mut v = v.clone();
    let mut state = seed;
    let mut number = |most: i32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i32::try_from((state >> 33) % u64::try_from(most).unwrap()).unwrap()
    };
    let throngs: Vec<(i32, i32)> = (0..6).map(|_| (2000 + number(20_000), 2000 + number(22_000))).collect();
    for unit in v.table.units.values_mut() {
        let (x, y) = throngs[usize::try_from(number(6)).unwrap()];
        let wide = if number(3) == 0 { 9000 } else { 1500 };
        let at =
            Spot::new((x + number(wide) - wide / 2).clamp(0, 25_900), (y + number(wide) - wide / 2).clamp(0, 27_900));
        (unit.pose.at, unit.pose.facing) = (at, Heading::new(number(360)));
    }
    v
}

#[test]
fn at_random_positions_every_label_stands_where_its_unit_does_and_no_name_is_cut() {
    let (mut exact, mut near, mut astray, mut names) = (0, 0, 0, 0);
    let seen = seen();
    for seed in 0..24 {
        let v = at_random(&seen[usize::try_from(seed % 2).unwrap()], seed);
        let t = &v.table;
        let throng = t.standing().next().map(|(id, _)| t.label(id).to_owned()).unwrap();
        for area in [None, Some(throng.as_str()), Some("Pratzen")] {
            let map = Austerlitz::map(&v, area, Format::default()).unwrap();
            let read = Read::of(&map);
            // Who has his place to himself stands there, and nobody under a name or another label.
            let cells = |id| t.unit(id).and_then(|u| read.cell(u.pose.at));
            let inside: Vec<_> = t.standing().filter_map(|(id, _)| Some((t.label(id), cells(id)?))).collect();
            for (label, cell) in &inside {
                let alone = inside.iter().filter(|(_, (r, c))| *r == cell.0 && c.abs_diff(cell.1) < 2).count() == 1;
                let there = read.at(*cell) == *label;
                let said = read.astray.contains(*label);
                assert!(there || !alone, "{label} is alone and not at its place:\n{}", map.join("\n"));
                assert!(there || said || read.near(*cell, label), "{label} is lost:\n{}", map.join("\n"));
                exact += u32::from(there);
                near += u32::from(!there && !said);
                astray += u32::from(said);
            }
            let rows = rows(&map);
            names += t.board.places.iter().filter(|p| count(&rows, &p.name) > 0).count();
        }
    }
    println!("{exact} at their places, {near} beside them, {astray} named under the map; {names} names");
    assert!(exact > 1000 && near > 100 && astray > 0 && names > 100, "{exact}, {near}, {astray}, {names}");
}
