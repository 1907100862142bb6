//! 6.2.11 Charges of horse; 6.2.12 counter charges; 6.2.13 reaction charges.

use super::ask::{self, What};
use super::board::{Arm, other};
use super::event::{Event, Pace};
use super::fatigue::{self, At, Why};
use super::state::{Charge, Fate, Mood, State};
use super::{bounds, march, melee};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::orders::{Fault, deny};
use crate::rules::tactical::sum::Sum;
use crate::rules::tactical::{facing, sight};
use crate::rules::{Outcome, Play};
use std::collections::{BTreeMap, BTreeSet};

/// 6.2.11b The least distance of a target.
const RUN: u32 = 3;

/// 6.2.11a Whether a charge may go from hex to hex: over Levels 0 and 1 and vineyards, by hexsides that are no higher.
fn open(s: &State, from: Hex, to: Hex) -> bool {
    let level = s.board.field.height(from, to).unwrap_or(0);
    let good = |hex: Hex| s.board.ground(hex).is_some_and(|ground| ground.charge);
    good(from) && good(to) && level < 2
}

/// 4.4.2-4.4.5 Whether horse sees a hex: unlike guns not through friends.
fn sees(s: &State, from: Hex, to: Hex) -> bool {
    let taken = |hex: Hex| s.standing().any(|(_, _, at)| at == hex);
    sight::open(from, to, true, |hex| s.board.ground(hex).is_none_or(|g| g.blocks_los) || taken(hex))
}

/// 6.2.11 Whether a unit may charge a hex, and its way there, the hex last.
///
/// # Errors
/// Why not.
pub fn may(s: &State, unit: &str, at: Hex) -> Result<Vec<Hex>, Fault> {
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let Some((u, kind)) = s.units.get(unit).zip(s.kind(unit)) else {
        return refused(format!("there is no {unit}"), "2.3");
    };
    let Some(hex) = u.hex else { return refused(format!("{unit} is not on the map"), "6.2") };
    let rule = if kind.arm == Arm::Cav { "4.2.4f" } else { "6.2.11" };
    deny(kind.arm != Arm::Cav || u.mood != Mood::Fresh, format_args!("{unit} is not fresh horse"), rule)?;
    match u.shock.charge {
        Charge::Balked => return refused(format!("{unit} has failed to charge"), "6.2.11c"),
        Charge::Over => return refused(format!("{unit} has charged"), "6.2.11"),
        Charge::None if u.halted => return refused(format!("{unit} has stopped in an enemy's front"), "6.2.7"),
        Charge::None | Charge::Riding => {}
    }
    deny(u.done, format_args!("the movement of {unit} is finished"), "6.2.6")?;
    deny(!s.held_against(at, &kind.side), format_args!("no enemy stands in {at}"), "6.2.11b")?;
    let riding = u.shock.charge == Charge::Riding;
    let Some(path) = facing::charge_line(hex, u.facing, at) else {
        return refused(format!("{at} lies on no charge line of {unit}"), "6.2.11b");
    };
    deny(riding && path.len() > 1, format_args!("{at} is not next to {unit}"), "6.2.11e")?;
    deny(!riding && hex.distance(at) < RUN, format_args!("{at} is nearer than {RUN} hexes"), "6.2.11b")?;
    let way: Vec<Hex> = [hex].into_iter().chain(path.iter().copied()).collect();
    let steps = || way.windows(2).filter_map(|pair| Some((*pair.first()?, *pair.get(1)?)));
    let good = steps().all(|(from, to)| open(s, from, to));
    deny(!good, format_args!("the ground to {at} is not for a charge"), "6.2.11a")?;
    deny(!sees(s, hex, at), format_args!("{unit} does not see {at}"), "6.2.11b")?;
    // 6.2 A charge is movement: where a unit may not go it does not ride, and it has to be able to enter its target's hex.
    steps().try_for_each(|(from, to)| bounds::tied_from(s, unit, Some(from), to))?;
    let left = s.ma(unit) - u.spent;
    let cost: i32 = steps().filter_map(|(from, to)| march::ground_cost(s, Arm::Cav, from, to)).sum();
    let tired = !riding && left < kind.ma.first().copied().unwrap_or(0) / 2;
    deny(cost > left || tired, format_args!("{unit} has {left} MP left, and {at} costs {cost}"), "6.2.11")?;
    Ok(path)
}

/// 6.2.11 A charge: the unit's own check, the targets', and the ride.
pub(super) fn charge(cx: &mut At<'_>, side: &SideId, unit: &str, at: Hex) -> Play<()> {
    let Some(path) = cx.allowed(may(cx.state(), unit, at)) else { return Ok(()) };
    let fresh = cx.state().is(unit, |u| u.shock.charge == Charge::None);
    march::begin(cx, std::slice::from_ref(&unit.to_owned()));
    // 6.2.11c, 6.2.11e Once for the whole charge.
    if fresh && !fatigue::check(cx, unit, Why::ToCharge, Sum::default()).0 {
        cx.emit(Event::Balked { unit: unit.to_owned() });
        cx.outcome(Outcome::Failed { why: format!("{unit} does not charge"), rule: "6.2.11c".to_owned() });
        return Ok(());
    }
    cx.emit(Event::Charged { unit: unit.to_owned(), at });
    let start = cx.state().hex(unit);
    let before = path.iter().rev().nth(1).copied().or(start);
    if let Some(before) = before {
        receive(cx, unit, at, before);
    }
    if !counter(cx, side, unit, at, &path)? {
        ride(cx, side, unit, at, &path)?;
    }
    surrender(cx, unit);
    Ok(())
}

/// 6.2.11d Each unit in the target hex checks: who fails routs, fresh or not; a router checks at +2 and surrenders.
fn receive(cx: &mut At<'_>, charger: &str, at: Hex, before: Hex) {
    let side = cx.state().kind(charger).map(|kind| other(&kind.side));
    let targets = side.map(|side| cx.state().stack(at, &side)).unwrap_or_default();
    for unit in targets {
        let s = cx.state();
        let Some(mood) = s.units.get(&unit).filter(|u| u.hex == Some(at)).map(|u| u.mood) else { continue };
        let sum = stands(s, (&unit, mood), at, before);
        if fatigue::check(cx, &unit, Why::Charged, sum).0 {
            cx.emit(Event::Stood { unit });
        } else if mood == Mood::Routed {
            fatigue::fall(cx, &unit, Fate::Surrendered);
        } else {
            cx.emit(Event::Ran { unit: unit.clone(), from: charger.to_owned() });
            fatigue::rout(cx, &unit);
        }
    }
}

/// 6.2.11d What changes the die of a unit in a hex against which horse rides from the hex before it.
pub(super) fn stands(s: &State, (unit, mood): (&str, Mood), at: Hex, before: Hex) -> Sum {
    let front = s.front(unit);
    let mut sum = Sum::default();
    sum.when(mood == Mood::Routed, "routed", 2);
    sum.when(!front.is_empty() && !front.contains(&before), "flank", 1);
    sum.when(s.board.field.ground(at).is_some_and(|g| ["vineyard", "slope"].contains(&g)), "ground", -1);
    sum
}

/// 6.2.12, 6.2.13 Fresh horse that has not been activated in this turn, and has not charged.
fn ready(s: &State, unit: &str) -> bool {
    let horse = s.is_arm(unit, Arm::Cav);
    let able = |u: &super::state::Unit| u.mood == Mood::Fresh && !u.used && u.shock.charge == Charge::None;
    horse && s.is(unit, able)
}

fn in_arc(s: &State, unit: &str, hex: Hex) -> bool {
    s.is(unit, |u| u.hex.is_some_and(|at| facing::in_arc(at, u.facing, hex)))
}

/// 6.2.12a Whether a unit may ride so far to meet a charge: every hex that could be its own is one into which it may move.
fn may_meet(s: &State, unit: &str, charger: &str, between: &[Hex]) -> bool {
    let first = s.ma(unit) > s.ma(charger);
    let own = if first { between.len().div_ceil(2) } else { between.len() / 2 };
    let mut from = s.hex(unit);
    between.iter().rev().take(own).all(|to| bounds::tied_from(s, unit, from.replace(*to), *to).is_ok())
}

/// 6.2.12 Horse that has stood, and in whose arc the charge begins or comes, may charge to meet it; 6.2.12a by turns of one
/// hex, the higher allowance first (the first charger where they are equal), until they are adjacent; 6.2.13 or until others
/// react to the first charger.
/// House: those who ride to meet a charge that others halt stop where they are. Nobody reacts to them, only to the first
/// charger. No front stops them short of each other, for 6.2.12a says how far they ride. Horse of Column V may meet a charge
/// before the charger is within three hexes (9.2.6): it comes so near in any case.
fn counter(cx: &mut At<'_>, side: &SideId, unit: &str, at: Hex, path: &[Hex]) -> Play<bool> {
    let enemy = other(side);
    let Some(start) = cx.state().hex(unit) else { return Ok(false) };
    let between: Vec<Hex> = path.iter().copied().take(path.len().saturating_sub(1)).collect();
    let comes: Vec<Hex> = [start].into_iter().chain(between.iter().copied()).collect();
    let s = cx.state();
    let stood = |id: &String| s.is(id, |u| u.shock.stood);
    let able: Vec<String> = s
        .stack(at, &enemy)
        .into_iter()
        .filter(|id| ready(s, id) && stood(id) && may_meet(s, id, unit, &between))
        .filter(|id| comes.iter().any(|hex| in_arc(s, id, *hex)))
        .collect();
    let mut riders = Vec::new();
    for id in able {
        if ask::side(cx, &enemy, What::Counter, &id, unit)? {
            riders.push(id);
        }
    }
    if riders.is_empty() {
        return Ok(false);
    }
    for id in &riders {
        cx.emit(Event::Met { unit: id.clone(), charger: unit.to_owned(), how: "counter".to_owned() });
    }
    let slowest = riders.iter().map(|id| cx.state().ma(id)).min().unwrap_or(0);
    let mut theirs = slowest > cx.state().ma(unit);
    let mut gap: std::collections::VecDeque<Hex> = between.into();
    let mut tried = BTreeSet::new();
    // 6.2.12a
    while !gap.is_empty() {
        if theirs {
            if let Some(to) = gap.pop_back() {
                step(cx, &riders, to);
                march::enter(cx, &enemy, to);
            }
        } else if let Some(to) = gap.pop_front() {
            step(cx, &[unit.to_owned()], to);
            march::enter(cx, side, to);
            // 6.2.13b
            if react(cx, side, unit, at, &mut tried)? {
                break;
            }
        }
        theirs = !theirs;
    }
    cx.emit(Event::Spent { unit: unit.to_owned() });
    Ok(true)
}

/// One hex of a charge, with its cost.
fn step(cx: &mut At<'_>, units: &[String], to: Hex) {
    let s = cx.state();
    let from = |unit: &String| s.hex(unit);
    let cost = |unit: &String| Some(march::ground_cost(s, Arm::Cav, from(unit)?, to).unwrap_or(1));
    let pace = |unit: &String| Some(Pace { unit: unit.clone(), cost: cost(unit)?, level: 0 });
    let paces = units.iter().filter_map(pace).collect();
    march::step_together(cx, paces, to);
}

/// 6.2.11e, 6.2.11f The ride: up to a target that stands, or into the hex of one that has run; 6.2.7 any enemy's front ends
/// it, and 6.2.13 a reaction charge does.
fn ride(cx: &mut At<'_>, side: &SideId, unit: &str, at: Hex, path: &[Hex]) -> Play<()> {
    let mut tried = BTreeSet::new();
    for to in path {
        if cx.state().held_against(*to, side) {
            // It stands before its target, and faces it.
            let from = cx.state().hex(unit);
            if let Some(facing) = from.and_then(|from| from.dir_to(*to)) {
                cx.emit(Event::Turned { unit: unit.to_owned(), facing });
            }
            cx.emit(Event::Spent { unit: unit.to_owned() });
            return Ok(());
        }
        step(cx, &[unit.to_owned()], *to);
        march::enter(cx, side, *to);
        // 6.2.11e In the hex of a target that ran no front ends the charge.
        let met = react(cx, side, unit, at, &mut tried)?;
        if met || (*to != at && fronts_but(cx.state(), *to, at, side)) {
            cx.emit(Event::Spent { unit: unit.to_owned() });
            return Ok(());
        }
    }
    // 6.2.11e It rides on only where there is somebody to ride at.
    let s = cx.state();
    let next = s.units.get(unit).and_then(|u| u.hex.map(|hex| facing::front(hex, u.facing)));
    if !next.into_iter().flatten().any(|hex| may(s, unit, hex).is_ok()) {
        cx.emit(Event::Spent { unit: unit.to_owned() });
    }
    Ok(())
}

/// 6.2.7 Whether a hex lies in the front of an enemy who does not stand in the target hex.
fn fronts_but(s: &State, hex: Hex, target: Hex, side: &SideId) -> bool {
    s.enemies(side).any(|(id, _, at)| at != target && s.front(id).contains(&hex))
}

/// 6.2.13 Horse that the charge passes within two hexes in its arc, and that is not its target, may charge into it: the
/// charge is over, and they fight in the melee segment. 6.2.13d Each squadron is asked and checks for itself; of one hex those
/// who pass ride to one hex, if there is room.
fn react(cx: &mut At<'_>, side: &SideId, unit: &str, at: Hex, tried: &mut BTreeSet<String>) -> Play<bool> {
    let enemy = other(side);
    let s = cx.state();
    let Some(here) = s.hex(unit) else { return Ok(false) };
    let near = |id: &String, hex: Hex| {
        hex != at && (1..=2).contains(&hex.distance(here)) && ready(s, id) && in_arc(s, id, here)
    };
    let able: Vec<(String, Hex)> = s
        .standing()
        .filter(|(id, _, hex)| s.is_of(id, &enemy) && near(id, *hex) && !tried.contains(*id))
        .filter(|(id, ..)| beside(s, id, here, None).is_some())
        .map(|(id, _, hex)| (id.clone(), hex))
        .collect();
    let (mut met, mut rode) = (false, BTreeMap::new());
    for (id, from) in able {
        tried.insert(id.clone());
        let Some(to) = beside(cx.state(), &id, here, rode.get(&from).copied()) else { continue };
        if !ask::side(cx, &enemy, What::React, &id, unit)? {
            continue;
        }
        // 6.2.13a
        if !fatigue::check(cx, &id, Why::ToCharge, Sum::default()).0 {
            cx.emit(Event::Balked { unit: id });
            continue;
        }
        cx.emit(Event::Met { unit: id.clone(), charger: unit.to_owned(), how: "reaction".to_owned() });
        if cx.state().hex(&id) != Some(to) {
            step(cx, std::slice::from_ref(&id), to);
            march::enter(cx, &enemy, to);
        }
        if let Some(facing) = to.dir_to(here) {
            cx.emit(Event::Turned { unit: id, facing });
        }
        rode.insert(from, to);
        met = true;
    }
    Ok(met)
}

/// 6.2.13b The hex next to the charger to which a unit rides: its own, or one step on, where 4.1.1 lets it stack; where a
/// fellow of its hex has ridden before others, then straight ahead.
/// House: it rides one hex. A reactor is two hexes off at most (6.2.13), and 6.2.12a has horse meet a charge "directly". Where
/// the hexes between are full it does not react: a ride round them would be no charge.
fn beside(s: &State, unit: &str, charger: Hex, fellow: Option<Hex>) -> Option<Hex> {
    let (u, kind) = s.units.get(unit).zip(s.kind(unit))?;
    let from = u.hex?;
    if from.adjacent(charger) {
        return Some(from);
    }
    let one = [unit.to_owned()];
    let room = |to: &Hex| !s.held_against(*to, &kind.side) && !s.crowded_with(*to, &kind.side, &one);
    let free = |to: &Hex| open(s, from, *to) && room(to);
    let ways = from.neighbours().into_iter().filter(|to| to.adjacent(charger) && free(to));
    let ways = ways.filter(|to| march::ground_cost(s, kind.arm, from, *to).is_some());
    let ways = ways.filter(|to| bounds::tied(s, unit, *to).is_ok());
    ways.min_by_key(|to| (Some(*to) != fellow, from.dir_to(*to) != Some(u.facing), *to))
}

/// 6.2.11g Who ran from the charge and is next to the charger at its end surrenders.
fn surrender(cx: &mut At<'_>, unit: &str) {
    let s = cx.state();
    let Some((here, fled)) = s.units.get(unit).and_then(|u| Some((u.hex?, u.shock.fled.clone()))) else { return };
    for id in fled {
        let routed = cx.state().units.get(&id).filter(|u| u.mood == Mood::Routed);
        if routed.and_then(|u| u.hex).is_some_and(|hex| hex.adjacent(here)) {
            fatigue::fall(cx, &id, Fate::Surrendered);
        }
    }
}

/// 6.2.11f When movement is over nobody rides on.
pub(super) fn rein_in(cx: &mut At<'_>) {
    let riding = cx.state().units.iter().filter(|(_, u)| u.shock.charge == Charge::Riding);
    for unit in riding.map(|(id, _)| id.clone()).collect::<Vec<_>>() {
        cx.emit(Event::Spent { unit });
    }
}

/// 4.2.3, 6.2.11h When the melees are over all who charged are fatigued.
pub(super) fn blow(cx: &mut At<'_>) {
    let blown = cx.state().standing().filter(|(_, u, _)| u.charged && u.mood == Mood::Fresh);
    for unit in blown.map(|(id, ..)| id.clone()).collect::<Vec<_>>() {
        cx.emit(Event::Became { unit, mood: Mood::Fatigued });
    }
}

/// 6.2.12b, 6.2.13c Whether a melee is one in which nothing is doubled.
pub(super) fn plain(s: &State, attackers: &[String], defenders: &[String]) -> bool {
    let met = |id: &String| s.is(id, |u| u.shock.met.iter().any(|foe| defenders.contains(foe)));
    attackers.iter().any(met)
}

/// 6.2.13d All who are attacked in a hex: who stands there, and those in other hexes who have met the charge of an attacker and
/// are next to it. They defend together.
pub(super) fn foes(s: &State, units: &[String], at: Hex, enemy: &SideId) -> Vec<String> {
    let mut found = s.stack(at, enemy);
    for u in units.iter().filter_map(|unit| s.units.get(unit)) {
        let beside = |id: &&String| s.hex(id).zip(u.hex).is_some_and(|(a, b)| a.adjacent(b)) && s.is_of(id, enemy);
        found.extend(u.shock.met.iter().filter(beside).cloned());
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// 6.2.13b Horse that was met by a reaction charge fights at the end of the segment, if it has not fought yet, 6.2.11i is not
/// tired, and those who met it are still next to it.
/// House: who was met by a counter charge alone need not; 6.2.12a says "can", and 6.2.13b "will".
pub(super) fn fight(cx: &mut At<'_>, side: &SideId) {
    let riders = cx.state().standing().filter(|(_, u, _)| u.active && !u.shock.met.is_empty());
    for unit in riders.map(|(id, ..)| id.clone()).collect::<Vec<_>>() {
        let s = cx.state();
        let Some(u) = s.units.get(&unit) else { continue };
        let hexes = u.shock.met.iter().filter(|id| s.is(id, |foe| foe.shock.reacted)).filter_map(|id| s.hex(id));
        let one = [unit.clone()];
        if let Some(at) = hexes.min().filter(|at| melee::may(s, &one, *at).is_ok()) {
            melee::attack(cx, side, (&one, &[]), at);
        }
    }
}

/// 6.4.3 Whether a unit attacks as charging horse.
pub(super) fn charges(s: &State, unit: &str) -> bool {
    s.is(unit, |u| u.active && u.shock.charge == Charge::Over)
}

/// 6.2.11d Whether one of these attacks a hex as the horse that has charged it.
pub(super) fn rides_at(s: &State, units: &[String], at: Hex) -> bool {
    units.iter().any(|unit| charges(s, unit) && s.is(unit, |u| u.shock.aim == Some(at)))
}
