//! Where all stand as a scene has it, for a film of the game.

use super::counters::front_word;
use super::{Counter, Front, Mood, Scene};
use crate::hex::Hex;
use crate::host::film::{Ground, Look, Mark, Shape};
use crate::ink::Point;
use crate::map::draw::plate::geometry::{ACROSS, centre, edge, toward};
use crate::rules::tactical::facing::beside;
use crate::rules::tactical::ground::Arm;

/// The width of a counter, which leaves the border of its hex free for fronts.
const COUNTER: i32 = ACROSS * 3 / 4;

/// The field without counters.
pub fn ground(scene: &Scene<'_>) -> Ground {
    let bare =
        Scene { works: scene.works.clone(), streams: scene.streams.clone(), ..Scene::new(scene.field, scene.soil) };
    Ground { svg: super::plate(&bare, bare.whole(), "The field"), counter: COUNTER }
}

/// Counters, leaders, what was last seen, and who holds which place.
pub fn marks(scene: &Scene<'_>) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (hex, all) in &scene.counters {
        marks.extend(all.iter().map(|counter| standing(*hex, counter)));
    }
    let whose = |own: bool| if own { Look::Own } else { Look::Foe };
    for (hex, all) in &scene.leaders {
        for leader in all {
            let said = format!("{}, {hex}", leader.name);
            let label = leader.name.chars().take(3).collect();
            marks.push(Mark::plain(
                format!("leader {}", leader.name),
                Shape::Flag,
                whose(leader.own),
                centre(*hex),
                label,
                said,
            ));
        }
    }
    for (hex, all) in &scene.ghosts {
        for ghost in all {
            let said = format!("{}: {}, {hex}, last seen on turn {}", ghost.name, ghost.arm, ghost.turn);
            marks.push(Mark::plain(
                ghost.name.clone(),
                Shape::Block,
                Look::Gone,
                centre(*hex),
                ghost.name.clone(),
                said,
            ));
        }
    }
    for (place, own) in &scene.held {
        if let Some(hex) = scene.field.places.get(place).and_then(|hexes| hexes.first()) {
            let said = format!("{place} is held by {}", if *own { "this side" } else { "the enemy" });
            marks.push(Mark::plain(
                format!("place {place}"),
                Shape::Held,
                whose(*own),
                centre(*hex),
                String::new(),
                said,
            ));
        }
    }
    marks
}

fn standing(hex: Hex, counter: &Counter) -> Mark {
    let look = match (counter.own, counter.hollow) {
        (true, true) => Look::Hollow,
        (true, false) => Look::Own,
        (false, _) => Look::Foe,
    };
    let (mood, state) = match counter.mood {
        None => ("", ", seen badly"),
        Some(Mood::Fresh) => ("", ""),
        Some(Mood::Tired) => ("T", ", tired"),
        Some(Mood::Routed) => ("R", ", routed"),
    };
    let arm = counter.arm.map_or_else(String::new, |arm| format!(" {}", Arm::word(arm)));
    let faces = match counter.front {
        Front::None => String::new(),
        front => format!(", faces {}", front_word(front)),
    };
    let said = format!("{}{arm}, {hex}{faces}{state}", counter.name);
    let front = match counter.front {
        Front::Corner(dir) => {
            let ((a, corner), (_, b)) = (edge(hex, dir), edge(hex, beside(dir, true)));
            vec![inner(hex, a), inner(hex, corner), inner(hex, b)]
        }
        Front::To(dir) => {
            let (a, b) = edge(hex, dir);
            vec![inner(hex, a), inner(hex, b)]
        }
        Front::None | Front::Round => Vec::new(),
    };
    let label = if counter.own { counter.code.clone() } else { counter.name.clone() };
    Mark {
        below: mood.to_owned(),
        front,
        ..Mark::plain(counter.name.clone(), Shape::Block, look, centre(hex), label, said)
    }
}

/// A corner of a hex, drawn a little in, as seen from the middle.
fn inner(hex: Hex, corner: Point) -> Point {
    let middle = centre(hex);
    let (x, y) = toward(middle, corner, 86);
    (x - middle.0, y - middle.1)
}
