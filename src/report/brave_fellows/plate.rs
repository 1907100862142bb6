//! The field of Durenstein as a picture: what a seat's view holds, as the shared room draws it.

use super::BraveFellows;
use super::units::{code, ours, roster};
use crate::hex::Hex;
use crate::host::paper::{Page, Plate, Sections};
use crate::orders::Fault;
use crate::report::field::Window;
use crate::report::field::plate::{self, Battery, Counter, Front, Ghost, Leader, Mood, Scene, Soil};
use crate::report::field::roster::Roster;
use crate::rules::brave_fellows::state::{Mood as State, Segment, Unit};
use crate::rules::brave_fellows::view::{COUNTER, View, word};
use crate::text;

/// Rows of hexes of a close-up.
const ROWS: i16 = 9;
/// What the signs of a close-up mean.
const KEY: &str = "solid yours, framed the enemy's, striped seen badly, dashed last seen; a line with a point is the front; round ends \
                   and T tired, askew and R routed; barred below who acts; a flag is a leader";

fn soil(ground: &str) -> Soil {
    match ground {
        "vineyard" => Soil::Vines,
        "town" => Soil::Town,
        "walled_road" => Soil::Walled,
        "river" => Soil::Water,
        "out_of_play" => Soil::Off,
        _ => Soil::Open,
    }
}

fn counter(v: &View, id: &str, unit: &Unit) -> Option<Counter> {
    let s = &v.state;
    let kind = s.kind(id)?;
    let stranger = s.strangers.contains_key(id);
    let faceless = word(kind) == COUNTER;
    let mood = match unit.mood {
        State::Fresh => Mood::Fresh,
        State::Fatigued => Mood::Tired,
        State::Routed => Mood::Routed,
    };
    let front = match s.front(id).len() {
        _ if unit.dim => Front::None,
        0 => Front::None,
        6 => Front::Round,
        _ => Front::To(unit.facing),
    };
    let arm = match kind.arm {
        _ if faceless => None,
        arm => Some(arm),
    };
    let of = if stranger && !faceless { kind.regiment.clone() } else { String::new() };
    let own = ours(v, &kind.side);
    Some(Counter {
        name: id.to_owned(),
        code: if stranger { id.to_owned() } else { code(kind) },
        of,
        own,
        arm,
        front,
        mood: (!unit.dim).then_some(mood),
        acts: unit.active,
        hollow: own && s.is_dummy(id),
    })
}

/// What a view holds of the field.
pub(super) fn scene(v: &View) -> Scene<'_> {
    let s = &v.state;
    let mut scene = Scene::new(&s.board.field, soil);
    for (id, unit, hex) in s.counters() {
        if s.is_battery(id) {
            let own = s.kind(id).is_some_and(|kind| ours(v, &kind.side));
            let sides = s.gun_sides(id).unwrap_or_default().to_vec();
            scene.batteries.entry(hex).or_default().push(Battery { name: id.clone(), own, sides });
        } else {
            scene.counters.entry(hex).or_default().extend(counter(v, id, unit));
        }
    }
    for (name, leader) in s.leaders.iter().filter(|(_, leader)| !leader.lost) {
        let own = s.chief(name).is_some_and(|chief| ours(v, &chief.side));
        if let Some(hex) = leader.hex {
            scene.leaders.entry(hex).or_default().push(Leader { name: name.clone(), own });
        }
    }
    for (tag, contact) in &v.ghosts {
        let ghost = Ghost { name: tag.clone(), arm: contact.face.arm.clone(), turn: contact.turn };
        scene.ghosts.entry(contact.face.hex).or_default().push(ghost);
    }
    let held = s.towns.iter().filter(|(town, _)| scene.field.places.contains_key(*town));
    scene.held = held.map(|(town, side)| (town.clone(), ours(v, side))).collect();
    scene.works.extend(s.strong.then_some(s.board.printed.strong_point));
    scene
}

fn drawn(scene: &Scene<'_>, window: Window, title: String, theatre: bool) -> Plate {
    let said = scene.said(window, &title);
    let svg = plate::plate(scene, window, &said);
    let title = if theatre { title } else { format!("{title}: {KEY}") };
    Plate { title, svg, said, theatre }
}

fn round(scene: &Scene<'_>, hex: Hex) -> (Window, String) {
    let place = scene.field.place(hex).map_or_else(String::new, |place| format!(" {place}"));
    (Window::round(scene.field, hex, ROWS, text::WIDTH), format!("the field round {hex}{place}"))
}

/// The plates of a report: a close-up where a letter in text has one, and the whole field once a turn, for it changes little
/// within one. What they show stands in no drawing in characters of the same page besides.
pub fn add(page: &Page<'_, BraveFellows>, (roster, open): (&Roster<'_>, bool), sections: &mut Sections) {
    let v = page.view;
    let first = page.before.is_none();
    let scene = scene(v);
    let near = page.whole || first || (open && roster.in_touch());
    if let Some(hex) = roster.middle(v.state.segment > Segment::Activation).filter(|_| near) {
        let (window, title) = round(&scene, hex);
        sections.plates.push(drawn(&scene, window, title, false));
    }
    let whole = page.whole || page.before.is_none_or(|before| before.state.turn != v.state.turn);
    if whole {
        sections.plates.push(drawn(&scene, scene.whole(), "the whole field".to_owned(), true));
    }
    let closed = sections.plates.iter().any(|plate| !plate.theatre);
    for map in &mut sections.maps {
        map.plated = if map.theatre { whole } else { closed };
    }
}

/// What MAP shows, drawn.
///
/// # Errors
/// Unclear, with the nearest name.
pub fn area(v: &View, area: Option<&str>) -> Result<String, Fault> {
    let scene = scene(v);
    let (window, title) = match area.map(str::trim).filter(|area| !area.is_empty() && !area.eq_ignore_ascii_case("all"))
    {
        None => (scene.whole(), "the whole field".to_owned()),
        Some(area) => round(&scene, roster(v, text::WIDTH).named(area)?),
    };
    Ok(plate::plate(&scene, window, &scene.said(window, &title)))
}
