//! The program's player of `austerlitz1805`: plain, lively, and blind to all but its own view.
//!
//! It fills chits, lays decoys, marches at places and enemies, attacks what it reaches and fires at what it sees: it is
//! there so that whole games can be played and tested. The rulebook's own opponent (22-28) is a part of the rules, since
//! its dice are the game's: `rules::austerlitz1805::solo`.

use crate::noise::Noise;
use crate::plane::near::apart;
use crate::plane::{Heading, Spot};
use crate::rules::Ask;
use crate::rules::austerlitz1805::board::{Arm, UnitId};
use crate::rules::austerlitz1805::fog::{again, boxes, may_strat};
use crate::rules::austerlitz1805::guns;
use crate::rules::austerlitz1805::state::At;
use crate::rules::austerlitz1805::strategic::waiting;
use crate::rules::austerlitz1805::table::{Formation, Mark, Mood, um};
use crate::rules::austerlitz1805::view::View;
use std::collections::BTreeMap;

/// Enemies nearer than this are attacked where the unit reaches them.
const REACH: i32 = 1_800;
/// Nearer than this a column forms line.
const NEAR: i32 = 2_500;

/// The lines that the player writes: answers to what is asked, or a sheet with END.
pub fn lines(v: &View, asks: &[Ask], noise: u64) -> Vec<String> {
    let mut noise = Noise(noise ^ 0x5851_f42d_4c95_7f2d);
    if !asks.is_empty() {
        return asks.iter().map(|ask| noise.pick(&ask.answers).unwrap_or(&ask.default).clone()).collect();
    }
    let mut lines = match &v.at {
        At::Fog => sealed(v, &mut noise),
        At::Deploy => deploy(v, &mut noise),
        At::Own(_) if v.my_sheet() => own_turn(v, &mut noise),
        At::Own(_) | At::Dawn | At::Rally(_) | At::Musketry(_) | At::Close(_) | At::Over => Vec::new(),
    };
    lines.push("END".to_owned());
    lines
}

/// 18.1.2 Some corps begin elsewhere.
fn deploy(v: &View, noise: &mut Noise) -> Vec<String> {
    let me = v.me();
    let areas: Vec<&str> =
        v.table.board.strategic.zones.iter().filter(|z| z.side == me).map(|z| z.id.as_str()).collect();
    let mut lines = Vec::new();
    for corps in v.own.corps.keys() {
        if let Some(area) = noise.pick(&areas).filter(|_| noise.0.is_multiple_of(2)) {
            lines.push(format!("STRAT {corps} TO {area}"));
        }
    }
    lines
}

/// 16.4 The sealed sheet of a fog turn.
fn sealed(v: &View, noise: &mut Noise) -> Vec<String> {
    let (me, t) = (v.me(), &v.table);
    let mut lines = Vec::new();
    let mut left: BTreeMap<String, Vec<UnitId>> = BTreeMap::new();
    for (unit, corps) in waiting(t, &v.own, &me) {
        left.entry(corps).or_default().push(unit);
    }
    for corps in left.keys() {
        let legal = t.board.strategic.zones.iter().filter(|z| may_strat(t, &v.own, &me, corps, &z.id).is_ok());
        let legal: Vec<&str> = legal.map(|z| z.id.as_str()).collect();
        if noise.one_in(3)
            && let Some(area) = noise.pick(&legal)
        {
            lines.push(format!("STRAT {corps} TO {area}"));
        }
    }
    let most = v.own.quota.map_or(0, |q| q.chits);
    let mut numbers = (1..=t.board.tables.fog.boxes).filter(|n| !v.own.boxes.contains_key(n));
    let mut used: Vec<Spot> = Vec::new();
    let corps: Vec<String> = left.keys().cloned().collect();
    for _ in 0..most {
        let Some((corps, number)) = noise.pick(&corps).cloned().zip(numbers.next()) else { break };
        let Some(units) = left.get_mut(&corps) else { continue };
        let load = if noise.one_in(4) { Vec::new() } else { load(v, units, noise) };
        let Some(at) = spot(v, &corps, number, &load, &used, noise) else { continue };
        used.push(at);
        let names: Vec<&str> = load.iter().map(|u| u.0.as_str()).collect();
        lines.push(if load.is_empty() {
            format!("DECOY {number} PLACE {at}")
        } else {
            format!("CHIT {number} = {} PLACE {at}", names.join(", "))
        });
    }
    lines
}

/// What goes into the next chit: as much as it may hold.
fn load(v: &View, units: &mut Vec<UnitId>, noise: &mut Noise) -> Vec<UnitId> {
    let mut load: Vec<UnitId> = Vec::new();
    let mut rest = Vec::new();
    let from = noise.below(units.len());
    units.rotate_left(from);
    for unit in units.drain(..) {
        let more: Vec<UnitId> = load.iter().chain([&unit]).cloned().collect();
        if boxes::may_hold(&v.table, &more).is_ok() {
            load = more;
        } else {
            rest.push(unit);
        }
    }
    *units = rest;
    load
}

/// A place in the corps' area, the nearer to the enemy's ground the better.
fn spot(v: &View, corps: &str, number: u8, load: &[UnitId], used: &[Spot], noise: &mut Noise) -> Option<Spot> {
    let (me, t) = (v.me(), &v.table);
    let (low, high) = v.own.corps.get(corps).and_then(|z| t.board.zone(z))?.rect;
    let room = |low: i32, high: i32| usize::try_from(high - low + 1).unwrap_or(1);
    for _ in 0..24 {
        let x = low.x + i32::try_from(noise.below(room(low.x, high.x))).unwrap_or(0);
        let y = low.y + i32::try_from(noise.below(room(low.y, high.y))).unwrap_or(0);
        let at = Spot::new(x, y);
        let clear = used.iter().all(|other| !apart(other.fine(), at.fine()).within(600));
        if clear && boxes::may_place(t, &v.own, &me, number, load, at).is_ok() {
            return Some(at);
        }
    }
    None
}

/// A player-turn: hide, fire, march, attack or move.
fn own_turn(v: &View, noise: &mut Noise) -> Vec<String> {
    let me = v.me();
    let mut lines = hide(v, noise);
    let units: Vec<UnitId> = v.table.of_side(&me).map(|(id, _)| id.clone()).collect();
    let hidden: Vec<String> = lines.clone();
    let free = |id: &UnitId| !hidden.iter().any(|line| line.contains(&id.0));
    let mut fired: Vec<UnitId> = Vec::new();
    for id in units.iter().filter(|id| v.table.arm(id) == Arm::Artillery && free(id)) {
        if let Some((target, canister)) = guns::targets(&v.table, id).first() {
            let shot = if *canister { "CANISTER" } else { "ROUND" };
            lines.push(format!("BOMBARD {id} AT {target} {shot}"));
            fired.push(id.clone());
        }
    }
    for number in v.own.boxes.keys() {
        if let Some(goal) = goal(v, noise) {
            lines.push(format!("MARCH {number} TOWARD {goal}"));
        }
    }
    for id in units.iter().filter(|id| free(id) && !fired.contains(id)) {
        lines.extend(unit(v, id, noise));
    }
    lines
}

/// 16.4.2.8.2 Now and then somebody slips back into the fog.
fn hide(v: &View, noise: &mut Noise) -> Vec<String> {
    let me = v.me();
    let mut numbers = (1..=v.table.board.tables.fog.boxes).filter(|n| !v.own.boxes.contains_key(n));
    let mut lines = Vec::new();
    for (id, _) in v.table.of_side(&me) {
        let Some(number) = numbers.clone().next() else { break };
        let able = v.table.arm(id) != Arm::Hq
            && again::may_hide(&v.table, &v.own, &me, std::slice::from_ref(id), number).is_ok();
        if able && noise.one_in(2) {
            numbers.next();
            lines.push(format!("HIDE {id} IN {number}"));
        }
    }
    lines
}

/// Where to go: a place that the enemy holds, or one of his chits or units.
fn goal(v: &View, noise: &mut Noise) -> Option<String> {
    let me = v.me();
    let held = v.table.control.iter().filter(|(_, side)| **side != me).map(|(place, _)| place.clone());
    let chits = v.table.mist.chits.iter().filter(|(_, c)| c.side != me).map(|(id, _)| id.0.clone());
    let goals: Vec<String> = held.chain(chits).collect();
    noise.pick(&goals).cloned()
}

/// One unit: attack what is near, form line before the enemy, else go on in column.
fn unit(v: &View, id: &UnitId, noise: &mut Noise) -> Option<String> {
    let t = &v.table;
    let unit = t.unit(id)?;
    let able = matches!(unit.mood, Mood::Fit | Mood::S) && t.combat_of(id).is_none() && !unit.has(Mark::Leaderless);
    if !able {
        return (t.combat_of(id).is_some() && noise.one_in(3)).then(|| format!("DISENGAGE {id}"));
    }
    let enemy = t.enemies_by_gap(id).into_iter().next();
    let gap = enemy.as_ref().map_or(i32::MAX, |e| t.gap(id, e).units());
    match (t.arm(id), &enemy) {
        (Arm::Infantry | Arm::Cavalry, Some(enemy)) if gap < REACH && unit.mood == Mood::Fit => {
            let verb = if t.arm(id) == Arm::Cavalry && noise.one_in(2) { "CHARGE" } else { "ATTACK" };
            Some(format!("{verb} {id} AT {enemy}"))
        }
        (Arm::Infantry, Some(_)) if gap < NEAR && unit.form == Formation::Column => Some(format!("FORM {id} LINE")),
        (Arm::Artillery, Some(_)) if gap < 2_000 && unit.form == Formation::Limbered => {
            Some(format!("FORM {id} UNLIMBER"))
        }
        (Arm::Artillery, _) if unit.form == Formation::Unlimbered && gap > 4_000 => Some(format!("FORM {id} LIMBER")),
        (Arm::Hq, _) => attach(v, id),
        (_, Some(enemy)) => {
            let off = Heading::between(t.centre(id), t.centre(enemy)).map_or(0, |h| unit.pose.facing.off(h));
            if off.abs() > 60 {
                return Some(format!("TURN {id} {}", unit.pose.facing.turned(off.clamp(-90, 90))));
            }
            let far = (gap - 400).clamp(200, 2_000);
            Some(format!("MOVE {id} TOWARD {} {}UM", enemy_spot(v, enemy)?, um(far)))
        }
        _ => goal(v, noise).filter(|g| t.board.place(g).is_some()).map(|g| format!("MOVE {id} TOWARD {g}")),
    }
}

fn enemy_spot(v: &View, enemy: &UnitId) -> Option<Spot> {
    v.table.unit(enemy).map(|u| u.pose.at)
}

/// 12.6.2 An HQ rides with the nearest of its corps.
fn attach(v: &View, hq: &UnitId) -> Option<String> {
    let (t, me) = (&v.table, v.me());
    let corps = t.spec(hq)?.corps.clone();
    let fits = |id: &&UnitId| t.arm(id) != Arm::Hq && t.spec(id).is_some_and(|s| s.corps == corps);
    let near = t.of_side(&me).map(|(id, _)| id).filter(fits).min_by_key(|id| t.gap(hq, id))?;
    Some(format!("ATTACH {hq} TO {near}"))
}
