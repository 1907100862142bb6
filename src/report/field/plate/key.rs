//! What the signs of a picture mean: of those that it shows, and of no other.

use super::{Counter, Front, Mood, Scene, holds};
use crate::report::field::Window;

/// The signs of a window. From afar there are fewer; `tired` is what the game calls it.
pub fn key(scene: &Scene<'_>, window: Window, tired: &str) -> String {
    let near = window.columns <= super::NEAR_COLUMNS;
    let here = |hex: &crate::hex::Hex| holds(window, *hex);
    let shown = scene.counters.iter().filter(|(hex, _)| here(hex)).flat_map(|(_, all)| all);
    let shown: Vec<&Counter> = shown.collect();
    let any = |is: fn(&Counter) -> bool| shown.iter().any(|counter| is(counter));
    let ghosts = scene.ghosts.iter().any(|(hex, all)| here(hex) && !all.is_empty());
    let leaders = scene.leaders.iter().any(|(hex, all)| here(hex) && !all.is_empty());
    let held = |(place, hexes): (&String, &Vec<_>)| hexes.iter().any(here) && scene.held.contains_key(place);
    let front = |c: &Counter| matches!(c.front, Front::To(_) | Front::Corner(_));
    let tired = format!("round ends and {} {tired}", if near { "T" } else { "a ring" });
    let routed = format!("askew and {} routed", if near { "R" } else { "a dot" });
    let signs = [
        (any(|c| c.own && !c.hollow), "solid yours"),
        (any(|c| c.hollow), "dashed yours that is nobody"),
        (any(|c| !c.own), "framed the enemy's"),
        (any(|c| !c.own && c.mood.is_none()), "striped seen badly"),
        (ghosts, "dashed and framed last seen"),
        (any(front), "a line with a point is the front"),
        (any(|c| c.front == Front::Round), "a ring is a front all round"),
        (any(front) && any(|c| c.front == Front::None), "without a line no front"),
        (any(|c| c.mood == Some(Mood::Tired)), tired.as_str()),
        (any(|c| c.mood == Some(Mood::Routed)), routed.as_str()),
        (any(|c| c.acts), "barred below who acts"),
        (leaders, "a pointed flag is a leader"),
        (scene.field.places.iter().any(held), "a square flag is who holds a place"),
    ];
    let signs: Vec<&str> = signs.into_iter().filter(|(shown, _)| *shown).map(|(_, sign)| sign).collect();
    signs.join(", ")
}
