//! The field of Durenstein as a picture: what a seat's view holds, as the shared room draws it.

use super::units::{code, ours};
use crate::report::field::plate::{Battery, Counter, Front, Ghost, Leader, Mood, Scene, Soil, piled};
use crate::rules::brave_fellows::state::{Leader as Chief, Mood as State, Unit};
use crate::rules::brave_fellows::view::{COUNTER, View, word};

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
    let leader = |(name, l): (&String, &Chief)| {
        let own = s.chief(name).is_some_and(|chief| ours(v, &chief.side));
        Some((l.hex.filter(|_| !l.lost)?, Leader { name: name.clone(), own }))
    };
    scene.leaders = piled(s.leaders.iter().filter_map(leader));
    scene.ghosts = piled(v.ghosts.iter().map(|(tag, contact)| Ghost::of(tag, contact)));
    let held = s.towns.iter().filter(|(town, _)| scene.field.places.contains_key(*town));
    scene.held = held.map(|(town, side)| (town.clone(), ours(v, side))).collect();
    scene.works.extend(s.strong.then_some(s.board.printed.strong_point));
    scene
}
