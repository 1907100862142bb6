//! 5 Movement; 6.1, 6.3 turns.

use super::board::{Arm, Kind, Sought};
use super::command::{self, NEAR};
use super::event::{Event, How};
use super::eyes;
use super::ground::{Class, Toll};
use super::hand::{Die, Hand, die};
use super::order::{Alert, Pace};
use super::pose::{Form, Part, Pose};
use super::reach::FORMS;
use super::react::{self, Act};
use super::state::State;
use super::tables::{About, Share};
use super::{entry, stacking, state};
use crate::hex::{Dir, Hex};
use crate::orders::{Fault, deny};
use crate::rules::tactical::sum::half_up;
use crate::rules::tactical::way::Ways;
use crate::rules::{Outcome, Play};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a step comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stride {
    /// How the units stand then.
    pub pose: Pose,
    /// What it costs.
    pub cost: i32,
    /// 5.1.1 What it asks.
    pub toll: Toll,
    /// How they go.
    pub how: How,
}

/// 5.0, 5.3, 5.3.1, 5.3.2 What a class pays from hex to hex: by road the road's cost alone, else the hex and the hexside;
/// none where it may not go.
pub fn price(s: &State, class: Class, from: Hex, to: Hex) -> Option<(i32, Toll)> {
    match from.dir_to(to) {
        Some(dir) => s.board.prices.look((class, from, dir), || charted(s, class, from, to), |found| *found),
        None => charted(s, class, from, to),
    }
}

/// The same, looked up in the charts.
fn charted(s: &State, class: Class, from: Hex, to: Hex) -> Option<(i32, Toll)> {
    let charts = &s.board.charts;
    if s.board.ground.road(from, to)
        && let Some(points) = charts.road.get(&class).and_then(|price| price.points)
    {
        return Some((points, Toll::None));
    }
    let hex = s.board.terrain(to)?.cost.get(&class)?;
    let (mut points, mut toll) = (hex.points?, hex.toll);
    for (_, edge) in s.board.edges(from, to) {
        let Some(price) = edge.cost.get(&class) else { continue };
        points += price.points?;
        toll = toll.max(price.toll);
    }
    Some((points, toll))
}

/// 5.0 What it costs a class to come from each hex to the nearest of some, by hexes that lie more than three from all enemies
/// that are named.
pub(super) fn ways(s: &State, sought: Sought) -> Arc<BTreeMap<Hex, i32>> {
    s.board.ways.answer(
        |known| *known == sought,
        || {
            let (class, aims, foes) = &sought;
            let safe = |hex: Hex| foes.iter().all(|foe| foe.distance(hex) > NEAR);
            // From the aims back.
            let ways = Ways::from(aims.iter().copied(), |at, _| {
                let back = |hex: Hex| {
                    let (cost, _) = price(s, *class, hex, at)?;
                    (s.board.ground.has(hex) && safe(hex)).then_some((hex, cost))
                };
                at.neighbours().into_iter().filter_map(back).collect::<Vec<_>>()
            });
            let costs = ways.costs().collect();
            (sought.clone(), costs)
        },
    )
}

/// 5.4 What a leader pays.
pub fn leader_cost(s: &State, from: Hex, to: Hex) -> Option<i32> {
    price(s, Class::LD, from, to).map(|(points, _)| points)
}

/// 6.5.3 What a counter pays for a step: of several hexes that it enters the dearest, and the worst that any asks.
fn price_of(s: &State, kind: &Kind, pose: Pose, dir: Dir) -> Result<(i32, Toll), Fault> {
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let Some(class) = kind.class(pose.form) else {
        let rule = if pose.form == Form::Square { "6.3.4" } else { "6.3.8" };
        return refused(format!("who stands in {} does not move", pose.form.word()), rule);
    };
    let own = pose.hexes();
    let mut worst = (0, Toll::None);
    for from in &own {
        let to = from.neighbour(dir);
        if own.contains(&to) && pose.form.faces_corner() {
            continue;
        }
        // 6.5.4 On the road the head alone has to follow it.
        if pose.form == Form::Column && *from != pose.head {
            continue;
        }
        deny(!s.board.ground.has(to), format_args!("{to} is off the map"), "5.1")?;
        let Some((points, toll)) = price(s, class, *from, to) else {
            return refused(format!("entry of {to} out of {from} is prohibited"), "5.1");
        };
        worst = (worst.0.max(points), worst.1.max(toll));
    }
    Ok(worst)
}

/// 5.0, 5.1, 6.1, 6.3, 6.4.1 What a step to a side comes to: ahead through its front, aside for twice the cost in line, back
/// for twice the cost or, in line, for the whole allowance; aside and back into no other unit's hex.
///
/// # Errors
/// Why it may not be.
pub fn stride(s: &State, unit: &str, dir: Dir) -> Result<Stride, Fault> {
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let Some((u, kind, pose)) = s.on(unit) else { return refused(format!("{unit} is not on the map"), "5.0") };
    let charts = &s.board.charts;
    let next = pose.stepped(dir);
    let to = next.head;
    let (points, toll) = price_of(s, kind, pose, dir)?;
    let empty =
        || next.hexes().iter().all(|hex| s.stack(*hex).iter().all(|id| id == unit || s.with(unit).contains(id)));
    let part = if pose.form.all_round() || pose.size > 1 { part_by_way(&pose, dir) } else { pose.part(to) };
    match part {
        Some(Part::Front) => Ok(Stride { pose: next, cost: points, toll, how: How::Step }),
        Some(Part::Flank) if pose.form == Form::Line => {
            deny(!empty(), format_args!("somebody stands in {to}"), "6.3.1")?;
            Ok(Stride { pose: next, cost: points * charts.slide, toll, how: How::Slide })
        }
        Some(Part::Rear) if pose.form == Form::Line => {
            deny(!empty(), format_args!("somebody stands in {to}"), "6.3.1")?;
            Ok(Stride { pose: next, cost: u.going.ma.max(1), toll, how: How::Reverse })
        }
        Some(Part::Rear) if matches!(pose.form, Form::Column | Form::Disorder) => {
            deny(!empty(), format_args!("somebody stands in {to}"), "6.3.2")?;
            Ok(Stride { pose: next, cost: points * charts.reverse, toll, how: How::Reverse })
        }
        _ => refused(format!("{to} is not in front of {unit}{}", ahead(&pose)), "5.0"),
    }
}

/// What lies in front of a counter of one hex instead, so that its owner sees how it is turned.
fn ahead(pose: &Pose) -> String {
    if pose.size > 1 {
        return String::new();
    }
    let hexes: Vec<String> = pose.front().iter().map(ToString::to_string).collect();
    format!(" ({} {})", crate::text::and_list(&hexes), if hexes.len() == 1 { "is" } else { "are" })
}

/// The part through which a counter goes by a direction.
fn part_by_way(pose: &Pose, dir: Dir) -> Option<Part> {
    if pose.form.all_round() {
        return Some(Part::Front);
    }
    let one = Pose { size: 1, second: None, ..*pose };
    one.part(one.head.neighbour(dir))
}

/// 4.6.1, 5.0 Whether units may move: together only as one stack.
///
/// # Errors
/// Why not.
pub fn may_move(s: &State, units: &[String]) -> Result<(), Fault> {
    for unit in units {
        command::may_act(s, unit)?;
        let Some((u, _, pose)) = s.on(unit) else { continue };
        deny(u.going.done, format_args!("the movement of {unit} is over"), "4.6.1")?;
        deny(u.going.stopped, format_args!("{unit} has stopped before the enemy"), "5.1.3")?;
        let first = units.first().and_then(|first| s.pose(first));
        deny(first != Some(pose), "only who stands together, and alike, moves together", "7.1")?;
    }
    let acting = s.acting.as_ref();
    let late = acting.is_some_and(|acting| acting.step > state::Step::Movement);
    deny(late, "combat has begun, and nobody moves", "4.6.1")?;
    let other = units.first().is_some_and(|unit| s.division(unit) != s.active());
    deny(other, "another division moves now", "4.5.2.1")
}

/// 4.6.1 The movement of those who move now is over.
pub(super) fn finish(cx: &mut Hand<'_>) -> Play<()> {
    let mover = cx.state().acting.as_ref().map(|acting| acting.mover.clone()).unwrap_or_default();
    if mover.is_empty() {
        return Ok(());
    }
    entry::clear(cx)?;
    let hex = mover.first().and_then(|unit| cx.state().hex(unit));
    cx.emit(Event::Finished { units: mover });
    hex.into_iter().for_each(|hex| stacking::share(cx, hex));
    Ok(())
}

/// H.3 Units that an enemy out of sight has barred do not move any more.
pub(super) fn give_up(cx: &mut Hand<'_>, units: &[String]) -> Play<()> {
    finish(cx)?;
    let left = |unit: &&String| cx.state().is(unit, |u| !u.going.done);
    let left: Vec<String> = units.iter().filter(left).cloned().collect();
    if !left.is_empty() {
        cx.emit(Event::Finished { units: left });
    }
    Ok(())
}

/// 4.6.1 Units begin to move: those that moved before are through.
pub(super) fn take_up(cx: &mut Hand<'_>, units: &[String]) -> Play<()> {
    let mover = cx.state().acting.as_ref().map(|acting| acting.mover.clone()).unwrap_or_default();
    if mover.iter().any(|unit| !units.contains(unit)) {
        finish(cx)?;
    }
    Ok(())
}

/// H.3 Whether somebody has come in sight who makes units stop: who was not seen when they set out, by the tags that were known.
fn alerted(s: &State, units: &[String], stop: Alert, known: &BTreeSet<u32>) -> bool {
    let Some((side, pose)) = units.first().and_then(|unit| Some((s.side(unit)?, s.pose(unit)?))) else { return false };
    let new = s.seen.get(side).into_iter().flatten().filter(|(_, seen)| !known.contains(&seen.tag));
    let far = |id: &str| s.pose(id).map(|foe| foe.hexes().into_iter().map(|hex| pose.distance(hex)).min());
    new.into_iter().any(|(id, _)| {
        let near = stop.within.is_none_or(|most| far(id).flatten().is_some_and(|far| far <= most));
        near && stop.arm.is_none_or(|arm| s.is_arm(id, arm))
    })
}

/// 5.1, 6.1, H.3 Units go pace by pace, as far as they can, or until they are alerted.
pub(super) fn go(cx: &mut Hand<'_>, units: &[String], paces: &[Pace], stop: Option<Alert>) -> Play<()> {
    take_up(cx, units)?;
    let side = units.first().and_then(|unit| cx.state().side(unit)).cloned().unwrap_or_default();
    let known: BTreeSet<u32> = cx.state().seen.get(&side).into_iter().flatten().map(|(_, seen)| seen.tag).collect();
    let (mut rest, mut begun, mut alert) = (paces, false, false);
    while let Some((pace, behind)) = rest.split_first() {
        let (stride, step) = match next(cx.state(), units, *pace, behind) {
            Ok(found) => found,
            Err(fault) => {
                // H.3 Who is not seen is not told.
                match next(&cx.view(&side).state, units, *pace, behind) {
                    Ok(_) if eyes::veiled(cx.state()) => {
                        cx.outcome(super::play::unseen());
                        give_up(cx, units)?;
                    }
                    Ok(_) => fail(cx, fault, begun),
                    Err(fault) => fail(cx, fault, begun),
                }
                return Ok(());
            }
        };
        let on = if step { advance(cx, units, stride)? } else { wheel(cx, units, stride)? };
        if !on {
            let all = units.iter().all(|unit| cx.state().units.contains_key(unit));
            if !behind.is_empty() && all {
                let why = "it was stopped on its way".to_owned();
                cx.outcome(Outcome::Failed { why, rule: "5.1.3".to_owned() });
            }
            return Ok(());
        }
        // 5.1.4 Not where they cannot stay.
        alert |= stop.is_some_and(|stop| alerted(cx.state(), units, stop, &known));
        if alert && entry::crowded(cx.state(), units).is_none() {
            return Ok(());
        }
        (rest, begun) = (behind, true);
    }
    Ok(())
}

/// 5.1.4 Units go by paces without a word if one cannot be made.
pub(super) fn follow(cx: &mut Hand<'_>, units: &[String], paces: &[Pace]) -> Play<()> {
    let mut rest = paces;
    while let Some((pace, behind)) = rest.split_first() {
        let Ok((stride, step)) = next(cx.state(), units, *pace, behind) else { break };
        if !(if step { advance(cx, units, stride)? } else { wheel(cx, units, stride)? }) {
            break;
        }
        rest = behind;
    }
    Ok(())
}

/// What a pace comes to, with those that are written behind it, and whether it is a step.
pub(super) fn next(s: &State, units: &[String], pace: Pace, behind: &[Pace]) -> Result<(Stride, bool), Fault> {
    match direction(s, units, pace)? {
        Some(dir) => Ok((plan(s, units, dir, behind)?, true)),
        None => Ok((turn(s, units, pace)?, false)),
    }
}

/// A line that ends before its end is no slip of its writer.
pub(super) fn fail(cx: &mut Hand<'_>, fault: Fault, begun: bool) {
    cx.outcome(match Outcome::from(fault) {
        Outcome::Refused { why, rule, .. } if begun => Outcome::Failed { why, rule },
        other => other,
    });
}

/// The way of a pace; none of a turn.
fn direction(s: &State, units: &[String], pace: Pace) -> Result<Option<Dir>, Fault> {
    let pose = units.first().and_then(|unit| s.pose(unit)).ok_or_else(|| Fault::refused("nobody is there", "5.0"))?;
    match pace {
        Pace::To(hex) => {
            let dir = pose.head.dir_to(hex);
            dir.map(Some).ok_or_else(|| Fault::refused(format!("{hex} is not next to {}", pose.head), "5.0"))
        }
        Pace::Toward(hours) => {
            // In line nothing lies straight ahead, and in Disorder the front is wider.
            let wide = pose.form == Form::Disorder && matches!(hours, -1 | 1 | -5 | 5);
            let by = if wide { hours + hours.signum() * if hours.abs() == 1 { 1 } else { -1 } } else { hours };
            let hour = pose.hour.on(by);
            if hour.is_side() { Ok(Some(hour.dir())) } else { Err(Fault::refused("a line goes FL or FR", "6.3.1")) }
        }
        Pace::Turn(_) | Pace::About => Ok(None),
    }
}

/// What a step of a stack comes to: it costs what the slowest pays.
fn plan(s: &State, units: &[String], dir: Dir, behind: &[Pace]) -> Result<Stride, Fault> {
    let mut found: Option<Stride> = None;
    for unit in units {
        let next = stride(s, unit, dir)?;
        entry::barred(s, unit, next.pose, next.how)?;
        let cost = found.map_or(0, |f| f.cost).max(next.cost);
        let toll = found.map_or(Toll::None, |f| f.toll).max(next.toll);
        found = Some(Stride { cost, toll, ..next });
    }
    let stride = found.ok_or_else(|| Fault::refused("nobody moves", "5.0"))?;
    room(s, units, &stride, behind)?;
    Ok(stride)
}

/// 5.1, 5.1.4, 7.1 Whether the points suffice, and whether there is room: to stay at the end, and to go on from before.
fn room(s: &State, units: &[String], stride: &Stride, behind: &[Pace]) -> Result<(), Fault> {
    let left = |unit: &String| s.units.get(unit).map_or(0, |u| u.going.ma - u.going.spent);
    let least = units.iter().map(left).min().unwrap_or_default();
    let (cost, to) = (stride.cost, stride.pose.head);
    deny(cost > least, format_args!("{to} costs {cost} MP, and {least} are left"), "5.1")?;
    let broken = (stride.toll == Toll::Disorder).then(|| disordered(s, units));
    let closed = |hex: Hex| entry::closed(broken.as_ref().unwrap_or(s), hex, units);
    match stride.pose.hexes().into_iter().find_map(closed) {
        Some(fault) if behind.is_empty() || cost == least => Err(fault),
        Some(fault) => entry::onward(s, units, stride, behind, &fault),
        None => Ok(()),
    }
}

/// 6.4.1 What the table is like when units have been Disordered by what they enter.
pub(super) fn disordered(s: &State, units: &[String]) -> State {
    let mut after = s.clone();
    for unit in units.iter().filter(|unit| !s.is_arm(unit, Arm::Art)) {
        let Some(unit) = after.units.get_mut(unit) else { continue };
        unit.pose =
            unit.pose.map(|pose| if pose.form == Form::Skirmish { pose } else { pose.formed(Form::Disorder, None) });
    }
    after
}

/// 5.1 A step: those who see it from their zones may fire as it leaves, and as it comes; what the ground asks; whether it
/// goes on.
fn advance(cx: &mut Hand<'_>, units: &[String], stride: Stride) -> Play<bool> {
    let from = units.first().and_then(|unit| cx.state().pose(unit));
    if !react::to(cx, units, Act::Left(stride.pose))? {
        return Ok(false);
    }
    cx.emit(Event::Moved { units: units.to_vec(), pose: stride.pose, cost: stride.cost, how: stride.how });
    entry::come(cx, units, Act::Entered(from.unwrap_or(stride.pose)), stride.toll)
}

/// 5.1.1 What ground, or a turn, asks of the order of each: a die against its morale, with nothing added; guns and skirmishers
/// take no harm. Of a stack one formation is kept: who is Disordered takes the others along.
pub(super) fn ask(cx: &mut Hand<'_>, units: &[String], toll: Toll) {
    let mut broken = toll == Toll::Disorder;
    for unit in units.iter().filter(|_| toll == Toll::Check) {
        let Some((_, kind, pose)) = cx.state().on(unit) else { continue };
        if kind.arm != Arm::Art && !matches!(pose.form, Form::Skirmish | Form::Disorder) {
            broken |= !check(cx, unit);
        }
    }
    units.iter().filter(|_| broken).for_each(|unit| stacking::disorder(cx, unit));
}

/// 5.1.1 A Disorder Check.
pub(super) fn check(cx: &mut Hand<'_>, unit: &str) -> bool {
    let need = cx.state().kind(unit).map_or(0, |kind| kind.morale);
    let die = die(cx, Die::Disorder, unit);
    let passed = die <= need;
    cx.emit(Event::Tested { unit: unit.to_owned(), die, need, passed });
    passed
}

/// 6.1, 6.3, 6.5.2 What a turn comes to, or an about face; 5.1 who wheels comes into new hexes as who steps does.
fn turn(s: &State, units: &[String], pace: Pace) -> Result<Stride, Fault> {
    let mut found: Option<Stride> = None;
    for unit in units {
        let next = if let Pace::Turn(right) = pace { turned(s, unit, right)? } else { about(s, unit)? };
        entry::barred(s, unit, next.pose, next.how)?;
        let ground = entry::ground(s, unit, next.pose);
        let toll = found.map_or(Toll::None, |f| f.toll).max(next.toll).max(ground);
        found = Some(Stride { cost: found.map_or(0, |f| f.cost).max(next.cost), toll, ..next });
    }
    let stride = found.ok_or_else(|| Fault::refused("nobody turns", "6.1"))?;
    let left = |unit: &String| s.units.get(unit).map_or(0, |u| u.going.ma - u.going.spent);
    let least = units.iter().map(left).min().unwrap_or_default();
    deny(stride.cost > least, format_args!("it costs {} MP, and {least} are left", stride.cost), "6.1")?;
    Ok(stride)
}

/// 6.1, 6.3.1, 6.3.5, 6.3.8, 6.5.2 One step of facing: in line each after the first asks a Disorder Check; unlimbered guns make
/// one; a large counter wheels through hexes that nobody else is in.
pub(super) fn turned(s: &State, unit: &str, right: bool) -> Result<Stride, Fault> {
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let Some((u, kind, pose)) = s.on(unit) else { return refused(format!("{unit} is not on the map"), "6.1") };
    let (next, swept) = pose.wheeled(right);
    for hex in swept {
        let taken = s.stack(hex).iter().any(|id| id != unit);
        deny(taken || !s.board.ground.has(hex), format_args!("{hex} is in the way of the wheel"), "6.5.2")?;
        let closed = kind
            .class(pose.form)
            .is_none_or(|class| s.board.terrain(hex).and_then(|t| t.cost.get(&class)?.points).is_none());
        deny(closed, format_args!("entry of {hex} is prohibited"), "6.5.2")?;
    }
    let guns = pose.form == Form::Unlimbered;
    deny(guns && u.going.turns > 0, format_args!("{unit} turns one corner in an activation"), "6.3.8")?;
    let cost = kind.class(pose.form).and_then(|class| s.board.charts.facing.get(&class)).copied();
    let cost = cost.unwrap_or(i32::from(!pose.form.all_round()));
    let toll = if pose.form == Form::Line && u.going.turns > 0 { Toll::Check } else { Toll::None };
    Ok(Stride { pose: next, cost, toll, how: How::Turn })
}

/// 6.1, 6.3.1, 6.3.2, 6.3.5, 6.3.6, 6.4.1 An about face.
fn about(s: &State, unit: &str) -> Result<Stride, Fault> {
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let Some((u, kind, pose)) = s.on(unit) else { return refused(format!("{unit} is not on the map"), "6.1") };
    let about = kind.class(pose.form).and_then(|class| s.board.charts.about_face.get(&class));
    let cost = match about {
        Some(About::Points(points)) => *points,
        Some(About::Part(Share::Half)) => half_up(u.going.ma),
        None => return refused(format!("{} turns, and has no about face", pose.form.word()), "6.1"),
    };
    let head = pose.hexes().last().copied().unwrap_or(pose.head);
    let head = if pose.second.is_some() { pose.head } else { head };
    Ok(Stride { pose: Pose { head, hour: pose.hour.on(6), ..pose }, cost, toll: Toll::None, how: How::Turn })
}

/// 6.1, 6.5.2 A turn; who has the unit in his zone may fire; whether it goes on.
fn wheel(cx: &mut Hand<'_>, units: &[String], stride: Stride) -> Play<bool> {
    let before = units.first().and_then(|unit| cx.state().pose(unit)).unwrap_or(stride.pose);
    cx.emit(Event::Moved { units: units.to_vec(), pose: stride.pose, cost: stride.cost, how: stride.how });
    entry::come(cx, units, Act::Swung(before), stride.toll)
}

/// 5.2.1 Whether a unit under the marker could still go on: as it stands, or once it has turned or changed its formation, it
/// has points for a step that is open.
pub(super) fn can_go_on(s: &State, unit: &str) -> bool {
    let Some((u, _, pose)) = s.on(unit).filter(|(u, ..)| u.going.ready && u.going.spent < u.going.ma) else {
        return false;
    };
    let forms = FORMS.into_iter().filter(|form| *form != pose.form);
    let formed = forms.filter_map(|form| super::form::changed(s, unit, form, None).ok());
    let left = u.going.ma - u.going.spent;
    steps_on(s, unit)
        || std::iter::once((pose, 0)).chain(formed).any(|(pose, cost)| cost < left && turns_on(s, unit, pose, cost))
}

/// Whether a step ahead is open to a unit as it stands.
fn steps_on(s: &State, unit: &str) -> bool {
    let Some((u, _, pose)) = s.on(unit) else { return false };
    let left = u.going.ma - u.going.spent;
    let free = |next: &Stride| next.cost <= left && entry::barred(s, unit, next.pose, next.how).is_ok();
    let open = |dir: Dir| stride(s, unit, dir).is_ok_and(|next| free(&next));
    pose.front_sides().into_iter().any(|(_, dir)| open(dir))
}

/// Whether a unit that stood so, for so many points, has a step ahead, be it after turns to one side or the other.
fn turns_on(s: &State, unit: &str, pose: Pose, cost: i32) -> bool {
    let put = |t: &mut State, pose: Pose, cost: i32| {
        if let Some(u) = t.units.get_mut(unit) {
            u.pose = Some(pose);
            u.going.spent += cost;
        }
    };
    [true, false].into_iter().any(|right| {
        let mut t = s.clone();
        put(&mut t, pose, cost);
        Dir::ALL.into_iter().any(|_| {
            let goes = steps_on(&t, unit);
            let next = turned(&t, unit, right).ok();
            if let Some(next) = next.filter(|next| entry::barred(&t, unit, next.pose, next.how).is_ok()) {
                put(&mut t, next.pose, next.cost);
            }
            goes
        })
    })
}

/// 5.1, 6.1 One pace of units, without a word if it cannot be; whether they may go on.
pub(super) fn one(cx: &mut Hand<'_>, units: &[String], pace: Pace) -> Play<bool> {
    match next(cx.state(), units, pace, &[]) {
        Ok((stride, true)) => advance(cx, units, stride),
        Ok((stride, false)) => wheel(cx, units, stride),
        Err(_) => Ok(false),
    }
}
