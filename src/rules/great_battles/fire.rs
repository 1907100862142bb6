//! 8.1 Fire.

use super::ask::{self, Choice, Facts, What};
use super::board::Arm;
use super::command;
use super::event::{Event, Occasion};
use super::eyes;
use super::hand::{Die, Hand, die};
use super::los;
use super::morale::{self, Fall};
use super::pose::{Form, Part};
use super::react;
use super::state::{State, Step};
use super::tables::{Blow, by_part};
use crate::hex::Hex;
use crate::orders::{Fault, deny};
use crate::rules::Play;
use crate::rules::tactical::sum::Sum;
use std::collections::BTreeSet;

/// What a fire comes to before the die.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aim {
    /// 8.1.8 The fire value.
    pub value: i32,
    /// 8.1.8 The column.
    pub column: usize,
    /// 8.1.8 What shifts it.
    pub shifts: Sum,
    /// 13.1.2 It is at medium or long range.
    pub far: bool,
    /// The unit that suffers.
    pub target: String,
}

/// 6.3, 6.4.1, 8.1.6, 8.1.8 The fire value of a unit at a distance, and whether that is medium or long range; none where it
/// does not fire so far, or not at all.
fn value(s: &State, unit: &str, far: u32) -> Option<(i32, bool)> {
    let (u, kind, pose) = s.on(unit)?;
    let fire = &s.board.charts.fire;
    match kind.arm {
        Arm::Inf if far == 1 => {
            let tenths = fire.tenths.get(&pose.form)?;
            let base = (kind.fire * tenths / 10).max(1);
            Some(((base + fire.level.get(&u.level)?).max(1), false))
        }
        Arm::Art if pose.form == Form::Unlimbered => {
            let ranges = fire.guns.get(&kind.gun?)?;
            let within = |(from, to): (u32, u32)| (from..=to).contains(&far);
            let (add, long) = match far {
                1 => (fire.adds.adjacent, false),
                _ if within(ranges.short) => (fire.adds.short, false),
                _ if within(ranges.medium) => (fire.adds.medium, true),
                _ if within(ranges.long) => (fire.adds.long, true),
                _ => return None,
            };
            Some(((kind.fire + add).max(1), long))
        }
        _ => None,
    }
}

/// 7.2 Whether a unit may fire out of its stack: of foot the top one alone, guns besides.
fn fires_from_stack(s: &State, unit: &str) -> bool {
    let top = s.with(unit).into_iter().find(|id| !s.is_arm(id, Arm::Art));
    s.is_arm(unit, Arm::Art) || top.as_deref() == Some(unit)
}

/// 8.1, 8.1.5-8.1.8 What a unit's fire at a hex would come to; none where it cannot fire at it: by formation, range, front and
/// line of sight.
pub fn aim(s: &State, unit: &str, at: Hex) -> Option<Aim> {
    let (u, _, pose) = s.on(unit)?;
    let side = s.side(unit)?;
    if u.level == super::state::Level::Rout || s.is_marching(unit) {
        return None;
    }
    let target = s.stack(at).into_iter().find(|id| !s.is_of(id, side))?;
    // 8.1.8 Of a counter in several hexes the nearest that is seen counts, of those the best for it.
    let hexes = s.pose(&target).map(|pose| pose.hexes()).unwrap_or_default();
    let from = pose.hexes().into_iter().min_by_key(|hex| (hex.distance(at), *hex))?;
    let seen = hexes.into_iter().filter(|hex| los::sees(s, from, *hex));
    let at = seen.min_by_key(|hex| (from.distance(*hex), s.board.terrain(*hex).map(|t| t.fire), *hex)).unwrap_or(at);
    let far = from.distance(at);
    let (value, long) = value(s, unit, far)?;
    let ahead = pose.front_sides();
    let out = los::leaves(from, at);
    let faces = ahead.iter().any(|(hex, dir)| *hex == from && out.contains(&hex.neighbour(*dir)));
    if !faces || !los::sees(s, from, at) || !fires_from_stack(s, unit) {
        return None;
    }
    let shifts = shifts(s, unit, &target, (from, at));
    let column = s.board.charts.fire_column(value, s.array(&target), shifts.total());
    Some(Aim { value, column, shifts, far: long, target })
}

/// 8.1.8, 7.3.1 What shifts a fire: the side at which it comes, several units at whom guns fire, the ground, the best of the
/// hexside; by a corner what is better for the target.
fn shifts(s: &State, unit: &str, target: &str, (from, at): (Hex, Hex)) -> Sum {
    let mut sum = Sum::default();
    let charts = &s.board.charts;
    let comes = los::comes(from, at);
    let part = comes.iter().filter_map(|hex| s.part(target, *hex)).min().unwrap_or(Part::Front);
    let part = if s.routs(target) { Part::Front } else { part };
    sum.add(if part == Part::Flank { "flank" } else { "rear" }, by_part(&charts.fire.facing, part));
    let massed = s.with(target).iter().filter(|id| !s.is_arm(id, Arm::Art)).count() > 1;
    sum.when(massed && s.is_arm(unit, Arm::Art), "massed target", charts.fire.massed);
    sum.add("ground", s.board.terrain(at).map_or(0, |t| t.fire));
    let edge = |hex: &Hex| s.board.edges(*hex, at).map(|(_, edge)| edge.fire).min().unwrap_or_default();
    sum.add("hexside", comes.iter().map(edge).max().unwrap_or_default());
    sum
}

/// 8.1.1 The class of a target: next to the front, in the Reaction Zone, in range.
fn class(s: &State, unit: &str, at: Hex) -> u8 {
    if s.front(unit).contains(&at) {
        1
    } else if react::zone(s, unit).contains(&at) {
        2
    } else {
        3
    }
}

/// 8.1.1 The hexes at which a unit could fire, by class.
fn targets(s: &State, unit: &str) -> Vec<(u8, Hex, usize)> {
    let Some(side) = s.side(unit) else { return Vec::new() };
    let hexes: BTreeSet<Hex> = s.enemies(side).flat_map(|(.., pose)| pose.hexes()).collect();
    let aimed = |at: Hex| aim(s, unit, at).map(|aim| (class(s, unit, at), at, aim.column));
    hexes.into_iter().filter_map(aimed).collect()
}

/// 4.6.2, 6.3.8, 8.0, 8.1.1 Whether an active unit may fire at all.
pub(super) fn may_fire(s: &State, unit: &str) -> Result<(), Fault> {
    command::may_act(s, unit)?;
    let Some((u, kind, _)) = s.on(unit) else {
        return Err(Fault::refused(format!("{unit} is not on the map"), "8.1"));
    };
    deny(kind.arm == Arm::Cav, format_args!("{unit} is horse, and horse does not fire"), "8.1")?;
    command::may_fight(s, s.division(unit))?;
    deny(command::is_bound(s, unit), "who marches strategically does not fire", "5.2.1")?;
    deny(u.fired, format_args!("{unit} has fired in this turn"), "8.1.1")?;
    let melee =
        s.acting.as_ref().is_some_and(|a| a.step == Step::Melee && a.division.as_deref() == Some(s.division(unit)));
    deny(melee, "melee has begun: all fire comes before it", "8.0")?;
    let late = kind.arm == Arm::Art && !kind.horse && u.going.unlimbered;
    deny(late, format_args!("{unit} is foot guns, and has been unlimbered just now"), "6.3.8")?;
    deny(!fires_from_stack(s, unit), format_args!("{unit} is not on top of its stack"), "7.2")
}

/// 8.1.1 The hexes at which an active unit may fire: those of the highest class.
pub(super) fn choices(s: &State, unit: &str) -> Vec<Hex> {
    let targets = if may_fire(s, unit).is_ok() { targets(s, unit) } else { Vec::new() };
    let first = targets.iter().map(|(class, ..)| *class).min();
    targets.into_iter().filter(|(class, ..)| Some(*class) == first).map(|(_, hex, _)| hex).collect()
}

/// 8.1.1 Whether an active unit may fire, and at which hex: the one that is named, or the best of the highest class.
///
/// # Errors
/// Why not.
pub fn may(s: &State, unit: &str, at: Option<Hex>) -> Result<Hex, Fault> {
    may_fire(s, unit)?;
    let targets = targets(s, unit);
    let first = targets.iter().map(|(class, ..)| *class).min();
    let Some(at) = at else {
        let best = targets.iter().filter(|(class, ..)| Some(*class) == first);
        let best = best.max_by_key(|(_, hex, column)| (*column, std::cmp::Reverse(*hex)));
        return best.map(|(_, hex, _)| *hex).ok_or_else(|| Fault::refused(format!("{unit} has no target"), "8.1"));
    };
    if !targets.iter().any(|(_, hex, _)| *hex == at) {
        return Err(Fault::refused(why_not(s, unit, at), "8.1"));
    }
    // All hexes of one unit are one target.
    let target = aim(s, unit, at).map(|aim| aim.target);
    let same = |hex: Hex| hex == at || aim(s, unit, hex).map(|aim| aim.target) == target;
    let class = targets.iter().filter(|(_, hex, _)| same(*hex)).map(|(class, ..)| *class).min();
    let nearer = targets.iter().find(|(other, ..)| Some(*other) < class);
    match nearer {
        Some((_, hex, _)) => Err(Fault::refused(format!("{unit} has to fire at {hex} first"), "8.1.1")),
        None => Ok(at),
    }
}

/// 8.1.5-8.1.7 What is wrong with a target.
fn why_not(s: &State, unit: &str, at: Hex) -> String {
    let (Some(hex), Some(side)) = (s.hex(unit), s.side(unit)) else { return format!("{unit} is not on the map") };
    let far = hex.distance(at);
    let limbered = s.pose(unit).is_some_and(|pose| pose.form == Form::Limbered);
    if !s.held_against(at, side) {
        eyes::nobody(s, at)
    } else if limbered {
        format!("{unit} is limbered: FORM {unit} UNLIMBER comes before it")
    } else if value(s, unit, far).is_none() {
        format!("{unit} does not fire {far} hexes far")
    } else if !los::sees(s, hex, at) {
        format!("{unit} does not see {at}")
    } else {
        format!("{at} is not in front of {unit}")
    }
}

/// 8.1.8 The die of a fire.
fn roll(cx: &mut Hand<'_>, unit: &str, at: Hex, aim: Aim, on: Occasion) -> Blow {
    // H.7 In double-blind play the label of a fire names the hex alone.
    let place = at.to_string();
    let die = die(cx, Die::Fire, if eyes::veiled(cx.state()) { &place } else { unit });
    let Aim { value, column, shifts, far, target } = aim;
    let result = cx.state().board.charts.fire_result(column, die);
    cx.emit(Event::Fired { unit: unit.to_owned(), at, target, value, column, shifts, die, result, on, far });
    result
}

/// 8.1.1, 8.1.2, 8.1.8 Offensive Fire, and the fire that is returned; both as those stood before, and the results together.
pub(super) fn offensive(cx: &mut Hand<'_>, unit: &str, at: Hex) -> Play<()> {
    let division = cx.state().division(unit).to_owned();
    command::combat(cx, &division, Step::Fire)?;
    let Some(first) = aim(cx.state(), unit, at) else {
        cx.outcome(super::play::unseen());
        return Ok(());
    };
    let Some(own) = cx.state().hex(unit) else { return Ok(()) };
    let target = first.target.clone();
    let back = answer(cx, &target, unit)?;
    let hit = roll(cx, unit, at, first, Occasion::Offensive);
    let returned = back.map(|(aim, own)| (roll(cx, &target, own, aim, Occasion::Return), own));
    let their = cx.state().with(&target);
    let falls = morale::strike(cx, &their, hit);
    let mine = match returned {
        Some((blow, _)) => {
            let stack = cx.state().with(unit);
            morale::strike(cx, &stack, blow)
        }
        None => Vec::new(),
    };
    both(cx, (mine, &[at]), (falls, &[own]))
}

/// 8.5.4 The retreats of both sides of one combat: those who run go first; of two that only go back, or of two that run, the
/// one whose side rolls less.
pub(super) fn both(cx: &mut Hand<'_>, one: (Vec<Fall>, &[Hex]), two: (Vec<Fall>, &[Hex])) -> Play<()> {
    let ((mut a, from_a), (mut b, from_b)) = (one, two);
    if let (Some(first), Some(second)) = (a.first().cloned(), b.first().cloned()) {
        let sides = [&first.unit, &second.unit].map(|unit| cx.state().side(unit).cloned().unwrap_or_default());
        let stays = if first.level == second.level {
            let mut dice = [0, 0];
            while dice[0] == dice[1] && !cx.lost() {
                dice = [die(cx, Die::DoubleRetreat, &sides[0].0), die(cx, Die::DoubleRetreat, &sides[1].0)];
            }
            let goes = usize::from(dice[1] < dice[0]);
            cx.emit(Event::Double { dice: dice.to_vec(), goes: sides[goes].clone() });
            1 - goes
        } else {
            usize::from(first.level > second.level)
        };
        let held = if stays == 0 { &mut a } else { &mut b };
        let units: Vec<String> = held.drain(..).map(|fall| fall.unit).collect();
        for unit in units {
            morale::hold(cx, &unit);
        }
    }
    morale::fall(cx, a, from_a)?;
    morale::fall(cx, b, from_b)
}

/// 8.1.2, 8.1.4, R-54, R-55 Whether a unit that is fired at, or attacked, fires back: what its fire would come to.
pub(super) fn answer(cx: &mut Hand<'_>, unit: &str, at: &str) -> Play<Option<(Aim, Hex)>> {
    let s = cx.state();
    let marks = s.marks(unit, s.active());
    let guns = s.is_arm(unit, Arm::Art) && (marks.reacted || marks.limbered);
    let Some(pose) = s.pose(at) else { return Ok(None) };
    let aimed = pose.hexes().into_iter().find_map(|hex| Some((aim(s, unit, hex)?, hex)));
    let Some((aim, hex)) = aimed.filter(|_| !marks.returned && !guns) else { return Ok(None) };
    let facts = Facts { column: aim.column, adjacent: true, fire: true, ..Facts::default() };
    let yes = ask::put(cx, What::ReturnFire, unit, at, facts)? == Choice::Yes;
    Ok(yes.then_some((aim, hex)))
}

/// 8.2.1, 8.3.1, 8.4.2 The fire of a stack that is attacked, at those who attack: all its shots at where they stood; the results
/// together, and of two that make a unit go back the worse.
pub(super) fn repel(cx: &mut Hand<'_>, defenders: &[String], attacker: &str) -> Play<()> {
    let mut shots = Vec::new();
    for unit in defenders {
        shots.extend(answer(cx, unit, attacker)?.map(|(aim, hex)| (unit.clone(), aim, hex)));
    }
    let stack = cx.state().with(attacker);
    let (mut falls, mut from): (Vec<Fall>, Vec<Hex>) = (Vec::new(), Vec::new());
    for (unit, aim, hex) in shots {
        from.extend(cx.state().pose(&unit).map(|pose| pose.hexes()).unwrap_or_default());
        let blow = roll(cx, &unit, hex, aim, Occasion::Return);
        for fall in morale::strike(cx, &stack, blow) {
            match falls.iter_mut().find(|known| known.unit == fall.unit) {
                Some(known) => known.level = known.level.max(fall.level),
                None => falls.push(fall),
            }
        }
    }
    morale::fall(cx, falls, &from)
}

/// 6.2, 8.1.3 Reaction Fire; its result at once.
pub(super) fn shoot(cx: &mut Hand<'_>, unit: &str, at: Hex, on: Occasion) -> Play<()> {
    let Some(aim) = aim(cx.state(), unit, at) else { return Ok(()) };
    let from: Vec<Hex> = cx.state().pose(unit).map(|pose| pose.hexes()).unwrap_or_default();
    let target = aim.target.clone();
    let blow = roll(cx, unit, at, aim, on);
    let stack = cx.state().with(&target);
    let falls = morale::strike(cx, &stack, blow);
    morale::fall(cx, falls, &from)
}
