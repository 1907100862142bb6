//! What of a state cannot be, and what no event may do to it. Games are walked by it; it changes nothing.

use super::event::Event;
use super::state::{At, Mood, State, Unit};
use crate::fog::SideId;
use crate::hex::Hex;
use std::collections::BTreeMap;

/// 6.3.7a No fire goes farther.
const REACH: u32 = 4;

/// 5.2.1, 5.3, 6.2.8, 8.2.5 What of a state cannot be: a piece in two places or in none, a unit on ground that is none, two
/// sides in one hex, tired guns in the Grand Battery.
pub fn unsound(s: &State) -> Vec<String> {
    let mut flaws = Vec::new();
    for (id, unit) in &s.units {
        let places = [unit.hex.is_some(), unit.waits.is_some(), unit.gone.is_some()];
        if places.iter().filter(|is| **is).count() != 1 {
            flaws.push(format!("{id} would be in two places, or in none."));
        }
        if unit.hex.is_some_and(|hex| !carries(s, id, hex)) {
            flaws.push(format!("{id} would stand where nobody can (6.2.3)."));
        }
        if s.is_battery(id) && unit.mood != Mood::Fresh {
            flaws.push(format!("{id} would be tired (8.2.5)."));
        }
    }
    for (name, leader) in &s.leaders {
        let places = [leader.hex.is_some(), leader.waits.is_some(), leader.until.is_some(), leader.lost];
        if places.iter().filter(|is| **is).count() > 1 {
            flaws.push(format!("{name} would be in two places."));
        }
    }
    let mut held: BTreeMap<Hex, &SideId> = BTreeMap::new();
    for (id, _, hex) in s.standing() {
        let Some(side) = s.kind(id).map(|kind| &kind.side) else { continue };
        if *held.entry(hex).or_insert(side) != side {
            flaws.push(format!("both sides would stand in {hex} (6.2.8)."));
        }
    }
    flaws
}

/// 6.2.3, 6.2.9 Whether a unit can stand in a hex at all: by what the ground costs, or by the road.
fn carries(s: &State, unit: &str, hex: Hex) -> bool {
    let Some(kind) = s.kind(unit) else { return false };
    let open = s.board.ground(hex).is_some_and(|ground| ground.cost(Some(kind.arm)).is_some());
    open || hex.neighbours().into_iter().any(|near| s.board.field.joined(hex, near))
}

/// What an event has made that cannot be, and what it may not do at all.
pub fn leap(before: &State, event: &Event, after: &State) -> Vec<String> {
    let old = unsound(before);
    let mut flaws: Vec<String> = unsound(after).into_iter().filter(|flaw| !old.contains(flaw)).collect();
    match event {
        Event::Stepped { unit, to, with, .. } => {
            let all = std::iter::once(unit).chain(with.iter().map(|pace| &pace.unit));
            flaws.extend(all.flat_map(|unit| stepped(before, after, unit, *to)));
        }
        Event::Went { unit, to, .. } => flaws.extend(next_to(before, unit, *to)),
        Event::Became { unit, mood } => flaws.extend(better(before, unit, *mood)),
        Event::Fired { by, at, .. } => flaws.extend(fired(before, by, *at)),
        Event::Fought { by, at, .. } => flaws.extend(fought(before, by, *at)),
        Event::Activated { leaders, units, .. } if before.turn == after.turn => {
            // 6.1.5
            let twice = |id: &&String| before.is(id, |u| u.used);
            let again = |name: &&String| before.leaders.get(*name).is_some_and(|l| l.used);
            let found = units.iter().filter(twice).chain(leaders.iter().filter(again));
            flaws.extend(found.map(|name| format!("{name} would act twice in a turn (6.1.5).")));
        }
        Event::Recovering => flaws.extend(crowds(after)),
        Event::Turn { turn } if *turn != before.turn + 1 => flaws.push("a turn would be left out (3.0).".to_owned()),
        _ => {}
    }
    if matches!(event, Event::Ended { .. } | Event::Recovering | Event::Turn { .. }) {
        flaws.extend(taken(after));
    }
    flaws
}

fn unit<'s>(s: &'s State, id: &str) -> Option<(&'s Unit, Hex)> {
    s.units.get(id).and_then(|u| u.hex.map(|hex| (u, hex)))
}

/// 6.2.1, 6.2.8 A step goes to the next hex, and to no enemy.
fn next_to(before: &State, id: &str, to: Hex) -> Vec<String> {
    let mut flaws = Vec::new();
    if !unit(before, id).is_some_and(|(_, from)| from.adjacent(to)) {
        flaws.push(format!("{id} would leap to {to} (6.2.1)."));
    }
    if before.kind(id).is_some_and(|kind| before.held_against(to, &kind.side)) {
        flaws.push(format!("{id} would go into an enemy (6.2.8)."));
    }
    flaws
}

/// 6.2.2, 6.2.7 Who has stopped in a front goes no farther, and nobody of the active side beyond his allowance.
fn stepped(before: &State, after: &State, id: &str, to: Hex) -> Vec<String> {
    let mut flaws = next_to(before, id, to);
    if unit(before, id).is_some_and(|(u, _)| u.halted) {
        flaws.push(format!("{id} would leave the front that stopped it (6.2.7)."));
    }
    if unit(after, id).is_some_and(|(u, _)| u.active && u.spent > before.ma(id)) {
        flaws.push(format!("{id} would spend more MP than it has (6.2.2)."));
    }
    flaws
}

/// 4.2.4, 7.1 Nobody becomes better but in the recovery.
fn better(before: &State, id: &str, mood: Mood) -> Vec<String> {
    let rises = unit(before, id).is_some_and(|(u, _)| mood < u.mood);
    let found = (rises && before.at != At::Recovery).then(|| format!("{id} would recover before its time (7.1)."));
    found.into_iter().collect()
}

/// 6.3.4, 6.3.5, 6.3.7a Who fires has not fired in this segment, runs from nobody, and is near enough.
fn fired(before: &State, by: &[String], at: Hex) -> Vec<String> {
    let mut flaws = Vec::new();
    for (id, (u, hex)) in by.iter().filter_map(|id| Some((id, unit(before, id)?))) {
        if u.fired && !before.is_battery(id) {
            flaws.push(format!("{id} would fire twice (6.3.4)."));
        }
        if u.mood == Mood::Routed || hex.distance(at) > REACH {
            flaws.push(format!("{id} would fire, and cannot (6.3.5, 6.3.7)."));
        }
    }
    flaws
}

/// 6.4.1, 6.4.10 Who attacks stands next to the hex and has not attacked in this segment.
fn fought(before: &State, by: &[String], at: Hex) -> Vec<String> {
    let bad = |(u, hex): (&Unit, Hex)| u.fought || !hex.adjacent(at) || u.mood == Mood::Routed;
    let found = by.iter().filter(|id| unit(before, id).is_some_and(bad));
    found.map(|id| format!("{id} would attack, and cannot (6.4.1, 6.4.10).")).collect()
}

/// 4.1.10 What is over-stacked when the impulses are over is known to be.
fn crowds(s: &State) -> Vec<String> {
    let mut flaws = Vec::new();
    for side in s.sides() {
        let hexes: std::collections::BTreeSet<Hex> =
            s.standing().filter(|(id, ..)| s.is_of(id, &side)).map(|(.., hex)| hex).collect();
        let over = hexes.into_iter().filter(|hex| s.crowded(*hex, &side) && !s.crowds.contains(hex));
        flaws.extend(over.map(|hex| format!("{hex} would hold too many, and nobody has checked (4.1.9).")));
    }
    flaws
}

/// 6.2.8, 6.5.4 No leader stands where an enemy's unit does.
fn taken(s: &State) -> Vec<String> {
    let among = |name: &String, hex: Hex| s.chief(name).is_some_and(|chief| s.held_against(hex, &chief.side));
    let found = s.leaders.iter().filter_map(|(name, l)| l.hex.filter(|hex| among(name, *hex)).map(|_| name));
    found.map(|name| format!("{name} would stand among enemies (6.5.4).")).collect()
}
