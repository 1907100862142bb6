//! 6.6 Retreats; 6.7 routs.

use super::board::{self, Arm};
use super::event::Event;
use super::fatigue::{self, At, Why};
use super::state::{Fate, Mood, State};
use super::{bounds, eyes, march, stacks};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::tactical::sum::Sum;
use crate::rules::tactical::way::Ways;
use std::collections::{BTreeMap, BTreeSet};

/// 6.7.3, 6.7.8 The hexes by which a side leaves the map: those of its entries that lie on the road.
fn exits<'s>(s: &'s State, side: &SideId) -> impl Iterator<Item = &'s Hex> {
    let entries = s.board.printed.board_entry.get(side).into_iter().flatten();
    entries.filter(move |hex| s.board.field.road.contains(hex))
}

/// 6.6.1, 6.7.3 Where a side runs to: towns that it controls, but for one that is left, and the hexes by which it leaves.
fn havens(s: &State, side: &SideId, left: Option<Hex>) -> BTreeSet<Hex> {
    // 6.7.3 Who has just routed has to run, and not to the town in which he routed.
    let left = left.and_then(|left| s.board.field.place(left));
    let towns = s.towns.iter().filter(|(place, holder)| *holder == side && left != Some(place.as_str()));
    let hexes = towns.filter_map(|(place, _)| s.board.field.places.get(place)).flatten();
    let entries = exits(s, side);
    // DB.2 Where an enemy is whom the side sees.
    let held = |hex: Hex| s.counters().any(|(id, _, at)| at == hex && !s.is_of(id, side) && eyes::knows(s, side, id));
    hexes.chain(entries).copied().filter(|hex| !held(*hex)).collect()
}

/// How many steps each hex lies from the nearest haven, over ground that an arm may cross.
fn steps_home(s: &State, side: &SideId, arm: Arm, left: Option<Hex>) -> BTreeMap<Hex, i32> {
    let ways = Ways::from(havens(s, side, left), |hex, _| {
        let open = move |next: &Hex| march::ground_cost(s, arm, *next, hex).is_some();
        hex.neighbours().into_iter().filter(open).map(|next| (next, 1))
    });
    ways.costs().collect()
}

/// DB.2 How far the nearest enemy is whom the side sees: who runs or rides from the enemy tells nothing of others.
pub(super) fn from_enemies(s: &State, hex: Hex, side: &SideId) -> u32 {
    let enemies = s.enemies(side).filter(|(id, ..)| eyes::knows(s, side, id));
    enemies.map(|(_, _, at)| at.distance(hex)).min().unwrap_or(u32::MAX)
}

/// 6.2.8, 6.5.4 Whether who runs or goes back can enter a hex: no enemy stands in it, nor an enemy's leader, whom only movement
/// and an advance take; 8.4.1 nor is it another's Strong Point.
fn is_open(s: &State, unit: &str, hex: Hex, side: &SideId) -> bool {
    !s.held_against(hex, side) && s.leaders_at(hex, &board::other(side)).is_empty() && !march::is_reserved(s, unit, hex)
}

/// How a router comes to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Run {
    /// 6.7.3 It has just routed.
    Begun,
    /// 6.7.6 It goes on running.
    On,
}

/// 6.7.3-6.7.9 A router runs toward the nearer of a town of its side and its way off the map, so many points far; 6.7.4
/// never into an enemy's front, and where nothing else is left it is eliminated; 6.7.5 away from the enemy if it can; 6.7.7 who
/// routs next to such a town stays there, for that is the nearer one.
/// House: who routs in a town runs from it, for 6.7.3 has it move. Foot pays 1 for each hex of Levels 2 and 3, and the chart of
/// levels does not bound it: its die belongs to a Movement Segment (6.2.3d), and a rout comes at any time.
pub(super) fn rout(cx: &mut At<'_>, unit: &str, points: i32, run: Run) {
    let Some(kind) = cx.state().kind(unit).cloned() else { return };
    let (mut left, mut been) = (points, BTreeSet::new());
    let start = cx.state().hex(unit);
    let from = start.filter(|_| run == Run::Begun);
    while let Some(hex) = cx.state().hex(unit) {
        let s = cx.state();
        if exits(s, &kind.side).any(|exit| *exit == hex) {
            // 6.7.8, 6.7.9
            fatigue::fall(cx, unit, Fate::Eliminated);
            return;
        }
        let home = steps_home(s, &kind.side, kind.arm, from);
        // 6.7.7
        if home.get(&hex) == Some(&0) && s.board.field.place(hex).is_some()
            || hex.neighbours().iter().any(|n| home.get(n) == Some(&0) && s.board.field.place(*n).is_some())
        {
            break;
        }
        let ways: Vec<(Hex, i32)> = hex
            .neighbours()
            .into_iter()
            .filter(|to| is_open(s, unit, *to, &kind.side))
            .filter_map(|to| march::ground_cost(s, kind.arm, hex, to).map(|cost| (to, cost)))
            .collect();
        // 6.7.4 Who has no points left for a step is not driven into a front.
        if !been.is_empty() && ways.iter().all(|(_, cost)| *cost > left) {
            break;
        }
        let safe: Vec<(Hex, i32)> = ways.into_iter().filter(|(to, _)| !s.in_enemy_front(*to, &kind.side)).collect();
        if safe.is_empty() {
            fatigue::fall(cx, unit, Fate::Eliminated);
            return;
        }
        been.insert(hex);
        let near = from_enemies(s, hex, &kind.side);
        let rank = |to: Hex| {
            let far = from_enemies(s, to, &kind.side);
            (far <= near, home.get(&to).copied().unwrap_or(i32::MAX), to)
        };
        let open = safe.into_iter().filter(|(to, cost)| *cost <= left && !been.contains(to));
        let Some((to, cost)) = open.min_by_key(|(to, _)| rank(*to)) else { break };
        left -= cost;
        cx.emit(Event::Went { unit: unit.to_owned(), to, how: "rout".to_owned() });
        went(cx, unit, hex, to, &kind.side);
        run_into(cx, unit, to, &kind.side);
    }
    follow(cx, unit, start, &kind.side);
    if let Some(hex) = cx.state().hex(unit) {
        stacks::press(cx, hex, &kind.side);
    }
}

/// What a step back does besides: 8.4.4, 9.5.2, and 6.6.1 who comes through a town holds it.
fn went(cx: &mut At<'_>, unit: &str, from: Hex, to: Hex, side: &SideId) {
    bounds::moved(cx, unit, from, to);
    bounds::hold(cx, side, to);
}

/// 6.5.5 Leaders whom the last of their units leaves behind go along with it, unless their side has told them to stay.
fn follow(cx: &mut At<'_>, unit: &str, from: Option<Hex>, side: &SideId) {
    let s = cx.state();
    let Some((from, to)) = from.zip(s.hex(unit)) else { return };
    if from == to || !s.stack(from, side).is_empty() {
        return;
    }
    for leader in s.leaders_at(from, side).into_iter().filter(|leader| !s.stays(leader)).collect::<Vec<_>>() {
        cx.emit(Event::Followed { leader, to });
    }
}

/// 6.7.12 Friends in a hex that a router enters check, before any check for an over-stack.
fn run_into(cx: &mut At<'_>, unit: &str, hex: Hex, side: &SideId) {
    for friend in cx.state().stack(hex, side) {
        let there = cx.state().is(&friend, |u| u.hex == Some(hex) && u.mood != Mood::Routed);
        if friend != unit && there {
            fatigue::endure(cx, &friend, Why::RunInto, Sum::default());
        }
    }
}

/// 6.6.1 A stack goes back so many hexes as one; 4.1.8 it may go where there is no room. 4.1.9 When all of it have come, all in
/// the hex check.
pub(super) fn retreat(cx: &mut At<'_>, units: &[String], hexes: u32) {
    let (crowds, mut ends) = (cx.state().crowds.clone(), Vec::new());
    for unit in units {
        let (start, side) = (cx.state().hex(unit), cx.state().kind(unit).map(|kind| kind.side.clone()));
        let over = start.is_some_and(|hex| crowds.contains(&hex));
        go_back(cx, unit, hexes, over);
        ends.extend(cx.state().hex(unit).filter(|hex| Some(*hex) != start).zip(side));
    }
    for (hex, side) in ends {
        stacks::press(cx, hex, &side);
    }
}

/// 6.6.1-6.6.4 A unit goes back so many hexes: out of fronts first of all, there homeward, then by what the hex holds; 4.1.12
/// who leaves an over-stack and has no way surrenders, though those before him are gone from it.
/// House: the end of 6.6.1 is lost in print. A homeward hex in an enemy's front counts as none while another is open, for 6.6.2
/// puts fronts last and 6.6.4 punishes them.
fn go_back(cx: &mut At<'_>, unit: &str, hexes: u32, over: bool) {
    let Some(kind) = cx.state().kind(unit).cloned() else { return };
    // 8.2.6 Guns of the Grand Battery do not go: `guns::give_up` says what becomes of them.
    if cx.state().is_battery(unit) {
        return;
    }
    let start = cx.state().hex(unit);
    let mut been = BTreeSet::new();
    for _ in 0..hexes {
        let s = cx.state();
        let standing = s.units.get(unit).filter(|u| u.mood != Mood::Routed);
        let Some(hex) = standing.and_then(|u| u.hex) else { break };
        let home = steps_home(s, &kind.side, kind.arm, None);
        been.insert(hex);
        let far = |hex: Hex| home.get(&hex).copied().unwrap_or(i32::MAX);
        let class = |to: Hex| match (s.in_enemy_front(to, &kind.side), s.stack(to, &kind.side).is_empty()) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        };
        let ways = hex
            .neighbours()
            .into_iter()
            .filter(|to| is_open(s, unit, *to, &kind.side) && march::ground_cost(s, kind.arm, hex, *to).is_some())
            // Who goes back does not come back.
            .filter(|to| !been.contains(to));
        let best = ways.min_by_key(|to| (class(*to), far(*to) >= far(hex), far(*to), *to));
        let Some(to) = best else {
            // 4.1.12
            if s.crowds.contains(&hex) || (over && Some(hex) == start) {
                fatigue::fall(cx, unit, Fate::Surrendered);
            } else {
                stand_at_bay(cx, unit);
            }
            break;
        };
        let into_front = class(to) > 0;
        cx.emit(Event::Went { unit: unit.to_owned(), to, how: "retreat".to_owned() });
        went(cx, unit, hex, to, &kind.side);
        if into_front {
            fatigue::endure(cx, unit, Why::IntoFront, Sum::default());
        }
    }
    follow(cx, unit, start, &kind.side);
}

/// 6.6.3 A unit with no way back is fatigued, and checks; it surrenders if it fails.
fn stand_at_bay(cx: &mut At<'_>, unit: &str) {
    if cx.state().is(unit, |u| u.mood == Mood::Fresh) {
        cx.emit(Event::Became { unit: unit.to_owned(), mood: Mood::Fatigued });
    }
    let (passed, _) = fatigue::check(cx, unit, Why::NoRetreat, Sum::default());
    if !passed {
        fatigue::fall(cx, unit, Fate::Surrendered);
    }
}
