//! 10 Retreats and routs; 4.7 the forced retirement of a division.

use super::board::Arm;
use super::event::{Event, How};
use super::ground::Class;
use super::hand::Hand;
use super::morale::{self, Checked};
use super::pose::{Form, Hour, Pose};
use super::react::{self, Act};
use super::state::{Mode, State, Way};
use super::{command, eyes, march, reach, stacking};
use crate::hex::{Dir, Hex};
use crate::rules::Play;
use crate::rules::tactical::sum::half_up;
use std::collections::{BTreeMap, BTreeSet};

/// 10.1.2 How far a step turns away from an hour, in hours.
pub(super) fn astray(from: Hex, to: Hex, home: u8) -> i32 {
    let Some(dir) = from.dir_to(to) else { return 6 };
    let hour = i32::from(u8::from(Hour::of(dir)));
    let apart = (hour - i32::from(home)).rem_euclid(12);
    apart.min(12 - apart)
}

/// The class in which a unit goes back.
fn class(s: &State, unit: &str) -> Option<Class> {
    let (_, kind, pose) = s.on(unit)?;
    kind.class(if pose.form == Form::Square { Form::Disorder } else { pose.form })
}

/// 10.1 How a unit stands after a step back: who runs faces where he runs to, and a large counter trails behind its head.
fn stepped(s: &State, unit: &str, pose: Pose, dir: Dir) -> Pose {
    let next = pose.stepped(dir);
    if s.routs(unit) { Pose { hour: Hour::of(dir), ..next } } else { next }
}

/// 10.1.1 Whether a step back is open: on the map, no enemy, no prohibited ground, no hex twice.
fn open(s: &State, unit: &str, pose: Pose, dir: Dir, been: &BTreeSet<Hex>) -> bool {
    !leaves(s, unit, pose, dir) && free(s, unit, pose, dir, been)
}

/// The same as far as the map goes: what lies off it bars nobody.
fn free(s: &State, unit: &str, pose: Pose, dir: Dir, been: &BTreeSet<Hex>) -> bool {
    let next = stepped(s, unit, pose, dir);
    passable(s, unit, pose, next) && !been.contains(&next.head)
}

/// 5.1, 6.2.6, 8.4.2, 10.1.1 Whether no hex of the map into which a counter would come is held by the enemy, or prohibited to it;
/// of a large one each of its hexes counts.
fn passable(s: &State, unit: &str, pose: Pose, next: Pose) -> bool {
    let (Some(side), Some(class)) = (s.side(unit), class(s, unit)) else { return false };
    let own = pose.hexes();
    let mut new = next.hexes().into_iter().filter(|hex| s.board.ground.has(*hex) && !own.contains(hex));
    new.all(|hex| {
        let from = own.iter().copied().find(|at| at.adjacent(hex)).unwrap_or(pose.head);
        !s.held_against(hex, side) && march::price(s, class, from, hex).is_some()
    })
}

/// 6.2.6, 8.2.1, 8.4.2 Whether a counter may come to stand so, as it steps back in reaction or advances: all of it on the map, in no
/// enemy's hex, on no ground that is prohibited to it.
pub(super) fn fits(s: &State, unit: &str, next: Pose) -> bool {
    let on_map = next.hexes().into_iter().all(|hex| s.board.ground.has(hex));
    on_map && s.pose(unit).is_some_and(|pose| passable(s, unit, pose, next))
}

/// 10.1.2, H.6 What makes a hex better than another, the first before the others: away from those who cause the retreat, away
/// from all enemies that its side sees, empty, towards where the army retreats, straight on, cheap.
///
/// House: of ways that are as good by all that, one on the map is before one off it. The army's direction is before that, for the
/// book lists it, and stops at the edge whom the list leads over it (10.1.1).
fn worth(s: &State, unit: &str, (pose, dir): (Pose, Dir), from: &[Hex], last: Option<Dir>) -> impl Ord + use<> {
    let to = pose.head.neighbour(dir);
    let side = s.side(unit).cloned().unwrap_or_default();
    let cause = from.iter().map(|at| at.distance(to)).min().unwrap_or(0);
    let near = eyes::enemy_near(s, to, &side);
    let empty = met(s, unit, pose, dir).iter().all(Vec::is_empty);
    let home = s.board.retreat.get(&side).copied().unwrap_or_default();
    let turns = i32::from(last.is_some_and(|last| last != dir));
    let cost = class(s, unit).and_then(|class| march::price(s, class, pose.head, to)).map_or(99, |(points, _)| points);
    let on_map = !leaves(s, unit, pose, dir);
    (cause, near, empty, -astray(pose.head, to, home), on_map, -turns, -cost, std::cmp::Reverse(to))
}

/// 10.1.1 Whether a step would bring a unit off the map, with all of its hexes or with one of them.
fn leaves(s: &State, unit: &str, pose: Pose, dir: Dir) -> bool {
    stepped(s, unit, pose, dir).hexes().into_iter().any(|hex| !s.board.ground.has(hex))
}

/// Whether nobody else stands where a unit would stand.
fn vacant(s: &State, unit: &str, pose: Pose) -> bool {
    pose.hexes().into_iter().all(|hex| s.stack(hex).iter().all(|id| id == unit))
}

/// 10.1.1 Whether a retreat can end that goes by a hex: nobody is in it, or a way leads on from it to one that nobody is in.
fn ends(s: &State, unit: &str, pose: Pose, been: &BTreeSet<Hex>) -> bool {
    let (mut been, mut next) = (been.clone(), vec![pose]);
    while let Some(pose) = next.pop() {
        if vacant(s, unit, pose) {
            return true;
        }
        been.insert(pose.head);
        let open = Dir::ALL.into_iter().filter(|dir| open(s, unit, pose, *dir, &been));
        next.extend(open.map(|dir| stepped(s, unit, pose, dir)));
    }
    false
}

/// 10.1.1, 9.2.4, R-50 One who stood with a unit, and has gone back out of the same hex in the same combat, as the unit does now:
/// they stay together. Guns go with anybody, with the top unit before others.
fn fellow(s: &State, unit: &str) -> Option<String> {
    let (at, runs, guns) = (s.hex(unit)?, s.routs(unit), s.is_arm(unit, Arm::Art));
    let fits = |(id, way): &(&String, &Way)| {
        let there = s.hex(id).is_some() && s.hex(id) == way.hexes.last().copied();
        there && way.from == at && way.mates.contains(unit) && (guns || way.runs == runs)
    };
    let found = s.ways.iter().filter(fits);
    found.min_by_key(|(id, way)| (way.runs, s.units.get(*id).map(|u| u.under))).map(|(id, _)| id.clone())
}

/// 10.1.1 A unit goes the way that its fellow has gone, as far as it is open to it; what the fellow could not go, it cannot.
/// Whether it has gone at all. Friends on the way have checked, and enemies have reacted, when the first of the stack went by;
/// 10.1.2 a friend who came onto the way since then checks now.
fn along(cx: &mut Hand<'_>, unit: &str, fellow: &str, hexes: i32, from: &[Hex], checked: &mut Checked) -> Play<bool> {
    let Some(way) = cx.state().ways.get(fellow).cloned() else { return Ok(false) };
    let new = |id: &String| id != fellow && !way.mates.contains(id) && !way.met.contains(id);
    let mut been = BTreeSet::from([way.from]);
    for hex in &way.hexes {
        let s = cx.state();
        let Some(pose) = s.pose(unit) else { return Ok(true) };
        let Some(dir) = pose.head.dir_to(*hex).filter(|dir| open(s, unit, pose, *dir, &been)) else { break };
        been.insert(*hex);
        let mut friends = met(s, unit, pose, dir);
        friends.iter_mut().for_each(|stack| stack.retain(new));
        step(cx, unit, pose, dir);
        push_through(cx, &friends, from, checked)?;
    }
    let s = cx.state();
    let due = match s.kind(fellow) {
        Some(kind) if way.runs => half_up(kind.ma),
        Some(kind) if kind.arm == Arm::Cav => 2,
        _ => 1,
    };
    let gone = been.len() > 1;
    let short = due.min(hexes) - i32::try_from(way.hexes.len()).unwrap_or(due);
    if gone && !s.is_arm(unit, Arm::Art) {
        morale::bleed(cx, unit, short.max(0));
    }
    Ok(gone)
}

/// 10.1, 6.4.1 One step back.
fn step(cx: &mut Hand<'_>, unit: &str, pose: Pose, dir: Dir) {
    let next = stepped(cx.state(), unit, pose, dir);
    let how = if cx.state().routs(unit) { How::Rout } else { How::Retreat };
    morale::shift(cx, &[unit.to_owned()], pose.head, next, how);
}

/// 10.0, 10.1 A unit goes back so many hexes; it goes on until it is in a hex that nobody else is in, and enters none out of
/// which it could not go on. Who is stopped by the enemy, by the ground, by friends or by the edge loses an SP for each hex that
/// it does not go. Who runs faces where it runs to.
pub(super) fn back(cx: &mut Hand<'_>, unit: &str, hexes: i32, from: &[Hex]) -> Play<()> {
    back_in(cx, unit, hexes, from, &mut Checked::default())
}

/// R-46 The same in a chain, of those who have checked in it.
pub(super) fn back_in(cx: &mut Hand<'_>, unit: &str, hexes: i32, from: &[Hex], checked: &mut Checked) -> Play<()> {
    let Some(start) = cx.state().pose(unit) else { return Ok(()) };
    if let Some(fellow) = fellow(cx.state(), unit)
        && along(cx, unit, &fellow, hexes, from, checked)?
    {
        follow(cx, unit, &start.hexes());
        return Ok(());
    }
    let causes: Vec<String> = from.iter().flat_map(|hex| cx.state().stack(*hex)).collect();
    let (mut gone, mut been, mut last) = (0, BTreeSet::from([start.head]), None);
    loop {
        let s = cx.state();
        let Some(pose) = s.pose(unit) else { return Ok(()) };
        let shared = s.with(unit).len() > 1;
        if gone >= hexes && !(shared && gone > 0) {
            break;
        }
        // 10.1.1 What lies off the map is wished for as well, and stops who wishes for it, but for who stands with friends.
        let wished = |dir: &Dir| {
            let off = leaves(s, unit, pose, *dir);
            let on = || if off { !(shared && gone > 0) } else { ends(s, unit, stepped(s, unit, pose, *dir), &been) };
            free(s, unit, pose, *dir, &been) && on()
        };
        let dirs = Dir::ALL.into_iter().filter(wished);
        let best = dirs.max_by_key(|dir| worth(s, unit, (pose, *dir), from, last));
        let Some(dir) = best.filter(|dir| !leaves(s, unit, pose, *dir)) else {
            morale::bleed(cx, unit, (hexes - gone).max(i32::from(gone >= hexes)));
            break;
        };
        // 10.1.1 Not in the hex from which the retreat begins.
        if gone > 0 && !react::to_but(cx, &[unit.to_owned()], Act::Recede, &causes)? {
            break;
        }
        let s = cx.state();
        let Some(pose) = s.pose(unit) else { return Ok(()) };
        let next = pose.stepped(dir);
        let friends = met(s, unit, pose, dir);
        step(cx, unit, pose, dir);
        (gone, last) = (gone + 1, Some(dir));
        been.insert(next.head);
        push_through(cx, &friends, from, checked)?;
        let act = Act::Retreat(pose);
        react::to_but(cx, &[unit.to_owned()], act, &causes)?;
        if cx.state().pose(unit).is_none_or(|pose| pose.head != next.head) {
            break;
        }
    }
    follow(cx, unit, &start.hexes());
    Ok(())
}

/// 10.1.2 The stacks through which a step back leads, by each hex into which it brings the unit: of a large one through those under
/// its tail as well.
fn met(s: &State, unit: &str, pose: Pose, dir: Dir) -> Vec<Vec<String>> {
    let own = pose.hexes();
    let new = stepped(s, unit, pose, dir).hexes().into_iter().filter(|hex| !own.contains(hex));
    new.map(|hex| s.stack(hex)).collect()
}

/// 10.1.2, 6.4.1, R-48 Friends through whom somebody goes back are Disordered, and check, each stack by its top unit.
fn push_through(cx: &mut Hand<'_>, friends: &[Vec<String>], from: &[Hex], checked: &mut Checked) -> Play<()> {
    friends.iter().flatten().for_each(|unit| stacking::disorder(cx, unit));
    for top in friends.iter().filter_map(|stack| stack.first()) {
        morale::shake(cx, top, from, checked)?;
    }
    Ok(())
}

/// 8.5.5 A leader who would be left alone goes along, in whichever of the hexes he stood.
fn follow(cx: &mut Hand<'_>, unit: &str, from: &[Hex]) {
    let s = cx.state();
    let (Some(side), to) = (s.side(unit).cloned(), s.hex(unit)) else { return };
    let left: Vec<Hex> = from.iter().copied().filter(|hex| s.stack_of(*hex, &side).is_empty()).collect();
    for hex in left {
        match to {
            Some(to) => {
                for leader in cx.state().leaders_at(hex, &side) {
                    cx.emit(Event::Followed { leader, to });
                }
            }
            None => morale::alone(cx, hex, &side),
        }
    }
}

/// 4.7, 10.1.1 The units of a division that are In Command and retire, by the hexes in which they stand. House: a square may not
/// move, and neither may who stands with one, for a stack does not split up.
fn retiring(s: &State, division: &str) -> Vec<(Hex, Vec<String>)> {
    let mut found: Vec<(Hex, Vec<String>)> = Vec::new();
    for unit in s.units_of(division).into_iter().filter(|unit| s.in_command(unit) && !s.routs(unit)) {
        let Some(hex) = s.hex(&unit).filter(|hex| found.iter().all(|(known, _)| known != hex)) else { continue };
        let able = |id: &String| s.hex(id) == Some(hex) && s.division(id) == division && !s.routs(id);
        found.push((hex, s.stack(hex).into_iter().filter(able).collect()));
    }
    let square = |id: &String| s.pose(id).is_some_and(|pose| pose.form == Form::Square);
    found.retain(|(_, stack)| !stack.iter().any(square));
    found
}

/// 4.7, 5.0, 8.4.4, 13.3 The points with which a unit retires: half of those that it has now, fractions up. House: guns that
/// have to limber pay for that out of the other half, and out of this one what that does not cover. Else no guns of foot would
/// limber "and move away".
fn points(s: &State, unit: &str) -> i32 {
    let whole = command::allowance(s, unit, Mode::Full, false);
    let guns = s.on(unit).filter(|(_, kind, pose)| kind.arm == Arm::Art && pose.form == Form::Unlimbered);
    let Some(rows) = guns.and_then(|_| reach::changes(s, unit)) else { return half_up(whole) };
    let limber = rows.get(&Form::Unlimbered).and_then(|row| row.get(&Form::Limbered)).copied().unwrap_or_default();
    half_up(whole).min(whole - limber)
}

/// A stack that retires.
struct Retiring {
    /// The units that retire together.
    units: Vec<String>,
    /// The points that each has left.
    left: BTreeMap<String, i32>,
    /// It has gone at least a hex.
    gone: bool,
    /// It goes no more.
    over: bool,
}

/// 4.7, H.6, R-16 The units of a division that are In Command retire, each step farther from the nearest enemy whom their side
/// sees, and nearer to none of these; guns limber first. 10.1.1 A stack goes as far as its slowest, and enemies through whose
/// zones it comes may react; 8.5.5 a leader who would be left alone goes along.
///
/// House: "the entire division must attempt to retreat", and no stack enters a friend's hex. So who is farthest from the enemy
/// goes first, and all are asked again with what they have left until nobody goes: nobody stays for a friend who then went.
pub(super) fn withdraw(cx: &mut Hand<'_>, division: &str) -> Play<()> {
    let s = cx.state();
    let mut stacks: Vec<(u32, Retiring)> = Vec::new();
    for (hex, units) in retiring(s, division) {
        let near = units.first().and_then(|unit| s.side(unit)).map_or(u32::MAX, |side| eyes::enemy_near(s, hex, side));
        let left = units.iter().map(|id| (id.clone(), points(s, id))).collect();
        stacks.push((near, Retiring { units, left, gone: false, over: false }));
    }
    // They are in the order of their names, which stays among those who are as far.
    stacks.sort_by_key(|(near, _)| std::cmp::Reverse(*near));
    loop {
        let mut moved = false;
        for (_, stack) in &mut stacks {
            moved |= fall_back(cx, stack)?;
        }
        if !moved {
            return Ok(());
        }
    }
}

/// 4.7, 10.1.1 A stack retires together, as far as it can now; whether it has gone at all. Who has been shot away, or has run,
/// while another stack retired, does not retire himself.
fn fall_back(cx: &mut Hand<'_>, stack: &mut Retiring) -> Play<bool> {
    let all = stack.units.clone();
    stack.units.retain(|id| cx.state().hex(id).is_some() && !cx.state().routs(id));
    let Some(from) = stack.units.first().and_then(|id| cx.state().hex(id)).filter(|_| !stack.over) else {
        return Ok(false);
    };
    let hexes = cx.state().hexes(&all);
    for unit in &stack.units {
        if let Some(pose) = cx.state().pose(unit).filter(|pose| pose.form == Form::Unlimbered) {
            let pose = pose.formed(Form::Limbered, None);
            cx.emit(Event::Moved { units: vec![unit.clone()], pose, cost: 0, how: How::Retreat });
        }
    }
    let mut moved = false;
    while let Some(dir) = away(cx.state(), &stack.units, &stack.left) {
        if stack.gone && !react::to(cx, &stack.units, Act::Recede)? {
            stack.over = true;
            break;
        }
        let Some(before) = stack.units.first().and_then(|id| cx.state().pose(id)) else { break };
        pace(cx, &stack.units, dir, &mut stack.left);
        react::to(cx, &stack.units, Act::Retreat(before))?;
        let to = before.head.neighbour(dir);
        stack.units.retain(|id| cx.state().hex(id) == Some(to) && !cx.state().routs(id));
        (stack.gone, moved) = (true, true);
    }
    let s = cx.state();
    let gone = |id: &&String| s.hex(id).is_some_and(|hex| hex != from) && !s.routs(id);
    if let Some(lead) = all.iter().find(gone).or_else(|| all.first()).cloned() {
        follow(cx, &lead, &hexes);
    }
    Ok(moved)
}

/// 4.7, 5.1 One hex of a retirement, for which each of a stack pays; those who stand alike go by one event.
fn pace(cx: &mut Hand<'_>, stack: &[String], dir: Dir, left: &mut BTreeMap<String, i32>) {
    let s = cx.state();
    let mut kin: Vec<(Pose, Vec<String>)> = Vec::new();
    for unit in stack {
        let Some(pose) = s.pose(unit) else { continue };
        let paid = class(s, unit).and_then(|class| march::price(s, class, pose.head, pose.head.neighbour(dir)));
        if let Some(points) = left.get_mut(unit) {
            *points -= paid.map_or(0, |(cost, _)| cost);
        }
        match kin.iter_mut().find(|(of, _)| *of == pose) {
            Some((_, units)) => units.push(unit.clone()),
            None => kin.push((pose, vec![unit.clone()])),
        }
    }
    for (pose, units) in kin {
        cx.emit(Event::Moved { units, pose: pose.stepped(dir), cost: 0, how: How::Retreat });
    }
}

/// 4.7, R-16 The next step of a retirement: one that is open to all of a stack, and for which each of them has the points.
fn away(s: &State, stack: &[String], left: &BTreeMap<String, i32>) -> Option<Dir> {
    let top = stack.first()?;
    let (pose, side) = (s.pose(top)?, s.side(top)?);
    let far = |hex: Hex, id: &str| {
        s.pose(id).map_or(u32::MAX, |p| p.hexes().into_iter().map(|at| at.distance(hex)).min().unwrap_or(0))
    };
    let enemies: Vec<String> = eyes::enemies(s, side).map(|(id, _)| id.clone()).collect();
    let steps = Dir::ALL.into_iter().filter_map(|dir| {
        let to = pose.head.neighbour(dir);
        let cost = |unit: &String| {
            let (cost, _) = march::price(s, class(s, unit)?, pose.head, to)?;
            let open = open(s, unit, s.pose(unit)?, dir, &BTreeSet::new());
            (open && left.get(unit).is_some_and(|left| cost <= *left)).then_some(cost)
        };
        let costs: Vec<i32> = stack.iter().map(cost).collect::<Option<_>>()?;
        let dearest = costs.into_iter().max()?;
        let nearer = enemies.iter().any(|id| far(to, id) < far(pose.head, id));
        let farther = eyes::enemy_near(s, to, side) > eyes::enemy_near(s, pose.head, side);
        let free = s.stack(to).is_empty();
        (!nearer && farther && free)
            .then(|| (eyes::enemy_near(s, to, side), std::cmp::Reverse(dearest), std::cmp::Reverse(to), dir))
    });
    steps.max().map(|(.., dir)| dir)
}
