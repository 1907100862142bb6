//! Drawings of maps: what is drawn can be read back, and fits the page.

mod austerlitz;
mod battles;
mod brick;
mod cards;
mod fellows;
mod field;
mod golden;
mod ground;
mod moravia;
mod opening;
mod plate;
mod random;
mod read_back;
mod round_trip;

use estafette::hex::Hex;
use estafette::map::draw::{Chart, Ghost, OwnToken, Window, lattice, theatre};

fn hex(s: &str) -> Hex {
    Hex::parse(s).unwrap()
}

#[test]
fn two_places_of_one_form_are_told_apart() {
    let mut map = random::blank(12, 6);
    random::name(&mut map, "0202", "Kirchberg am Wagram");
    random::name(&mut map, "0604", "Kirchschlag");
    let drawn = lattice(&Chart::new(&map), Window::whole(&map));
    assert!(drawn.iter().any(|l| l.contains(" Kirchberga")), "{drawn:#?}");
    assert!(drawn.iter().any(|l| l.contains(" Kir2 ")), "{drawn:#?}");
    assert_eq!(drawn.last().unwrap(), "  Kir2 = Kirchschlag");
}

#[test]
fn a_piece_out_of_sight_shows_its_age() {
    let map = random::blank(12, 6);
    let mut chart = Chart::new(&map);
    chart.ghosts.insert(hex("0303"), vec![Ghost { number: 6, age: 2 }]);
    chart.ghosts.insert(hex("0703"), vec![Ghost { number: 12, age: 14 }]);
    let window = Window::whole(&map);
    let drawn = lattice(&chart, window);
    let above = drawn.iter().position(|l| l.contains(" 0303 ")).unwrap() - 1;
    assert_eq!(drawn[above], "                e62                     e129");
    assert!(theatre(&chart, window)[2].starts_with("  03   ?   ?"));
}

#[test]
fn who_besieges_stands_before_the_besieged() {
    let map = random::blank(12, 6);
    let mut chart = Chart::new(&map);
    chart.own.insert(hex("0303"), OwnToken { code: "LAN".to_owned(), letter: 'D', more: true });
    chart.enemy.insert(hex("0303"), vec![6]);
    let drawn = lattice(&chart, Window::whole(&map));
    assert!(drawn.iter().any(|l| l.trim() == "LAN!"), "{drawn:#?}");
    let front = theatre(&chart, Window::whole(&map));
    assert_eq!(front[2], "  03   D1");
}

#[test]
fn what_was_never_in_view_is_dotted_where_blank() {
    let mut map = random::blank(8, 4);
    random::name(&mut map, "0203", "Krems");
    let mut chart = Chart::new(&map);
    chart.unseen.extend(Window::whole(&map).hexes(&map).into_iter().filter(|h| h.row > 2));
    chart.unseen.insert(hex("0501")); // half a cell
    let drawn = theatre(&chart, Window::whole(&map));
    assert_eq!(drawn, ["     ....5...", "  01", "  03 :O:Krems"]);
}

/// Rows of a table, each with what was broken off it.
fn rows(lines: &[String]) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for line in lines {
        match rows.last_mut() {
            Some(last) if line.starts_with("    ") => {
                last.push(' ');
                last.push_str(line.trim());
            }
            _ => rows.push(line.trim().to_owned()),
        }
    }
    rows
}

#[test]
fn a_path_says_no_more_than_it_must() {
    let bent = vec![(10, 10), (12, 10), (17, 10), (17, 3), (12, -4), (7, -11)];
    let back = vec![(0, 5), (3, 5), (1, 5)];
    let path = estafette::ink::path;
    assert_eq!(path(&[bent.clone(), back.clone()], false), "M10 10l7 0 0-7-10-14m-7 16l3 0-2 0");
    assert_eq!(path(&[bent, back], true), "M10 10l7 0 0-7-10-14zm-10-5l3 0-2 0z");
    assert_eq!(path(&[vec![(4, 4)]], false), "M4 4");
}
