//! The field of a great battle as a picture: what a seat's view holds, as the shared room draws it.

use super::units::ours;
use crate::report::field::plate::{Counter, Front, Ghost, Leader, Mood, Scene, Soil, piled};
use crate::rules::great_battles::ground::Bank;
use crate::rules::great_battles::state::{Leader as Chief, Level};
use crate::rules::great_battles::view::{View, codes};

fn soil(ground: &str) -> Soil {
    match ground {
        "vineyard" => Soil::Vines,
        "woods" | "orchard" => Soil::Woods,
        "swamp" => Soil::Marsh,
        "village" | "castle" => Soil::Town,
        "pond" => Soil::Water,
        _ => Soil::Open,
    }
}

/// What a view holds of the field.
pub fn scene(v: &View) -> Scene<'_> {
    let s = &v.state;
    let mut scene = Scene::new(&s.board.ground.field, soil);
    let codes = codes(v);
    for (id, u, pose) in s.counters() {
        let Some(kind) = s.kind(id) else { continue };
        let stranger = s.strangers.contains_key(id);
        let front = match pose.form {
            _ if u.level == Level::Rout || v.blurred.contains(id) => Front::None,
            form if form.all_round() => Front::Round,
            form if form.faces_corner() => Front::Corner(pose.hour.on(-1).dir()),
            _ => Front::To(pose.hour.dir()),
        };
        let mood = match u.level {
            Level::Good => Mood::Fresh,
            Level::Shaken | Level::Unsteady => Mood::Tired,
            Level::Rout => Mood::Routed,
        };
        let counter = Counter {
            name: id.clone(),
            code: codes.get(id).unwrap_or(id).clone(),
            of: if stranger { kind.name.clone() } else { String::new() },
            own: ours(v, s.side(id)),
            arm: Some(kind.arm),
            front,
            mood: Some(mood),
            acts: u.going.ready && !u.going.done,
            hollow: ours(v, s.side(id)) && s.is_dummy(id),
        };
        scene.counters.entry(pose.head).or_default().push(counter);
    }
    let leader = |(name, l): (&String, &Chief)| {
        let own = ours(v, s.chief(name).map(|chief| &chief.side));
        Some((l.hex.filter(|_| !l.lost)?, Leader { name: name.clone(), own }))
    };
    scene.leaders = piled(s.leaders.iter().filter_map(leader));
    scene.ghosts = piled(v.ghosts.iter().map(|(tag, contact)| Ghost::of(tag, contact)));
    let held = s.places.iter().filter(|(place, _)| scene.field.places.contains_key(*place));
    scene.held = held.map(|(place, side)| (place.clone(), ours(v, Some(side)))).collect();
    let wet = |banks: &std::collections::BTreeSet<Bank>| banks.contains(&Bank::Stream) || banks.contains(&Bank::River);
    scene.streams = s.board.ground.sides.iter().filter(|(_, banks)| wet(banks)).map(|(side, _)| *side).collect();
    scene
}
