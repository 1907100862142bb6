//! Vedettes: with whom they set out, where they ride (¶24, 230, 239, 248).

use super::Mind;
use crate::hex::Hex;
use crate::rules::campaigns::march::column::Column;
use crate::rules::campaigns::pieces::Vedette;
use crate::rules::campaigns::words;

/// Beyond this distance in hexes no counter is scouted.
const SCOUT_REACH: u32 = 12;
/// A vedette that screens stays this many hexes before the enemy.
const SCREEN_AT: u32 = 2;
/// Vedettes that come back to the map in one turn.
const BACK_MOST: usize = 2;

/// ¶24 Set-up: one with each force, the nearest to the enemy's center first, until half of them are out.
pub fn place(mind: &Mind<'_>) -> Vec<String> {
    let most = mind.v.own.vedettes.len() / 2;
    with_forces(mind, most)
}

/// ¶135, 368 Vedettes from the pool, with forces near the enemy that have none.
pub fn back(mind: &Mind<'_>) -> Vec<String> {
    with_forces(mind, BACK_MOST)
}

fn with_forces(mind: &Mind<'_>, most: usize) -> Vec<String> {
    let pool = mind.v.own.vedettes.values().filter(|v| **v == Vedette::Pool).count();
    let mut forces: Vec<(u32, Hex, String)> = Vec::new();
    for (id, hex) in mind.v.own.on_map() {
        let bare = mind.v.own.vedettes_at(hex).is_empty() && !forces.iter().any(|(_, h, _)| *h == hex);
        if bare && !mind.v.own.unemployed(id) {
            let far = mind
                .far(hex)
                .min(mind.v.enemy_centers.iter().flatten().map(|goal| goal.distance(hex)).min().unwrap_or(99));
            forces.push((far, hex, words::order_name(mind.v, id)));
        }
    }
    forces.sort();
    let lines = forces.into_iter().map(|(_, _, name)| format!("VEDETTE PLACE WITH {name} 1"));
    lines.filter(|line| mind.binds(line)).take(most.min(pool)).collect()
}

/// ¶230, 248 Half of them ride up to counters that have not been shown, the others screen.
pub fn ride(mind: &Mind<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut watched: Vec<Hex> = Vec::new();
    for (n, vedette) in &mind.v.own.vedettes {
        let Vedette::At(from) = vedette else { continue };
        let scouts = mind.noise.below(&format!("scout {n}"), 2) == 0;
        let goal = if scouts { unknown(mind, *from, &watched) } else { None };
        let line = match goal {
            Some(goal) => {
                watched.push(goal);
                approach(mind, *n, *from, goal, 1)
            }
            None => nearest(mind, *from).and_then(|goal| approach(mind, *n, *from, goal, SCREEN_AT)),
        };
        lines.extend(line);
    }
    lines
}

/// The nearest hex with a counter that was never shown, and that no other vedette rides to.
fn unknown(mind: &Mind<'_>, from: Hex, watched: &[Hex]) -> Option<Hex> {
    let hidden = |h: &Hex| mind.v.enemy.values().any(|c| c.hex == *h && c.tie.is_none());
    let near = |h: &Hex| h.distance(from) <= SCOUT_REACH && !watched.contains(h);
    mind.foes.iter().map(|(h, _)| *h).filter(|h| hidden(h) && near(h)).min_by_key(|h| (h.distance(from), *h))
}

fn nearest(mind: &Mind<'_>, from: Hex) -> Option<Hex> {
    mind.foes.iter().map(|(h, _)| *h).filter(|h| h.distance(from) <= SCOUT_REACH).min_by_key(|h| (h.distance(from), *h))
}

/// A ride toward a hex that ends so many hexes from it.
fn approach(mind: &Mind<'_>, n: u32, from: Hex, goal: Hex, gap: u32) -> Option<String> {
    if goal.distance(from) <= gap {
        return None;
    }
    let way = mind.way(from, goal, true)?;
    let rider = Column::rider(mind.v.board.tables.terrain.allowances.vedette);
    let mut part = mind.part(&way, &rider, gap <= 1);
    while part.len() > 1 && part.last().is_some_and(|h| h.distance(goal) < gap) {
        part.pop();
    }
    let clause = if gap <= 1 { " IF CONTACT REPULSE ELSE STOP" } else { "" };
    mind.longest(&part, |path| format!("VEDETTE {n} MARCH {path}{clause}"))
}
