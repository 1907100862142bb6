//! 6.2 Movement.

use super::board::{Arm, FRENCH};
use super::dummy;
use super::event::{Event, Pace};
use super::fatigue::{self, At, Why};
use super::state::{Charge, ELITE, Mood, State};
use super::{bounds, eyes};
use crate::fog::SideId;
use crate::hex::{Dir, Hex};
use crate::orders::{Fault, deny};
use crate::rules::Outcome;
use crate::rules::tactical::sum::Sum;
use crate::rules::tactical::way::Ways;
use std::collections::{BTreeMap, BTreeSet};

/// 6.2.3d The best row of the chart of levels.
pub(super) const BEST: i32 = 6;

/// What one step costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Movement points.
    pub cost: i32,
    /// 6.2.3d The level of the chart that it uses up; 0 where the chart is not asked.
    pub chart: i8,
}

/// 6.2.3b The level that governs a step: that of the hex, or of a hexside that is higher than both.
fn level(s: &State, from: Hex, to: Hex) -> i8 {
    s.board.field.height(from, to).unwrap_or(0).max(s.board.field.level(to))
}

/// 6.2.10 Whether a step is along or across the wall.
fn walled(s: &State, from: Hex, to: Hex) -> bool {
    [from, to].iter().any(|hex| s.board.field.ground(*hex) == Some("walled_road"))
}

/// 6.2.3c Whether hexes lie more than one level apart.
fn steep(s: &State, from: Hex, to: Hex) -> bool {
    (s.board.field.level(from) - s.board.field.level(to)).abs() > 1
}

/// 6.2.3a, 6.2.3c, 6.2.10 What it costs an arm to go from hex to hex by the ground alone, off the road; none where it may
/// not. Levels 2 and 3 are for foot alone where no die has been rolled (T-26).
pub(super) fn ground_cost(s: &State, arm: Arm, from: Hex, to: Hex) -> Option<i32> {
    let high = arm != Arm::Inf && level(s, from, to) >= 2;
    if high && !s.board.field.joined(from, to) { None } else { cost_by(s, Some(arm), from, to) }
}

/// 6.2.3, 6.2.9, 6.2.10 What one step costs a leader.
pub(super) fn ride_cost(s: &State, from: Hex, to: Hex) -> Option<i32> {
    cost_by(s, None, from, to)
}

/// The same for an arm, or a leader where there is none, whatever the level.
fn cost_by(s: &State, arm: Option<Arm>, from: Hex, to: Hex) -> Option<i32> {
    if s.board.field.joined(from, to) {
        return Some(s.board.road(arm));
    }
    if walled(s, from, to) || steep(s, from, to) { None } else { s.board.cost(to, arm) }
}

/// 6.2.3-6.2.10 What a step of a unit costs after what it has spent and climbed, or why it may not be.
///
/// # Errors
/// Why not.
pub fn step(s: &State, unit: &str, from: Hex, to: Hex, climbed: [i32; 2]) -> Result<Step, Fault> {
    step_in(s, unit, (from, to), climbed, false)
}

/// Who stands where for one side, found once for a search of many steps.
pub(super) struct Stands<'s> {
    /// Hexes that an enemy is in.
    held: BTreeSet<Hex>,
    /// Its own units, by hexes.
    own: BTreeMap<Hex, Vec<&'s str>>,
}

impl Stands<'_> {
    /// As a side's table is now.
    pub(super) fn of<'s>(s: &'s State, side: &SideId) -> Stands<'s> {
        let mut found = Stands { held: BTreeSet::new(), own: BTreeMap::new() };
        for (id, _, hex) in s.standing() {
            if s.is_of(id, side) {
                found.own.entry(hex).or_default().push(id);
            } else {
                found.held.insert(hex);
            }
        }
        found
    }

    /// The same on ground where a friend stands or none, as it is asked.
    pub(super) fn priced(&self, s: &State, unit: &str, way: (Hex, Hex), friend: bool) -> Result<Step, Fault> {
        step_past(s, unit, way, [0, 0], (self.held.contains(&way.1), friend))
    }

    /// The same as [`step`] says.
    pub(super) fn allow(&self, s: &State, unit: &str, way: (Hex, Hex), climbed: [i32; 2]) -> Result<Step, Fault> {
        let friend = self.own.get(&way.1).is_some_and(|ids| ids.iter().any(|id| *id != unit));
        step_past(s, unit, way, climbed, (self.held.contains(&way.1), friend))
    }
}

/// 8.4.1 Whether a hex is the Strong Point of others than a French unit.
pub(super) fn is_reserved(s: &State, unit: &str, hex: Hex) -> bool {
    let kept_out = s.kind(unit).is_some_and(|kind| kind.regiment != ELITE && kind.side.0 == FRENCH);
    s.strong && hex == s.board.printed.strong_point && kept_out
}

/// The same for a unit of a stack; 4.1.4 where another of it goes before, the road is taken.
fn step_in(s: &State, unit: &str, (from, to): (Hex, Hex), climbed: [i32; 2], behind: bool) -> Result<Step, Fault> {
    let side = s.kind(unit).map(|kind| &kind.side);
    let held = side.is_some_and(|side| s.held_against(to, side));
    let friend = side.is_some_and(|side| behind || s.stack(to, side).iter().any(|id| id != unit));
    step_past(s, unit, (from, to), climbed, (held, friend))
}

/// The same, where it is known whether an enemy or a friend is in the hex.
fn step_past(
    s: &State,
    unit: &str,
    (from, to): (Hex, Hex),
    climbed: [i32; 2],
    (held, friend): (bool, bool),
) -> Result<Step, Fault> {
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let Some(kind) = s.kind(unit) else { return refused(format!("there is no {unit}"), "2.3") };
    let field = &s.board.field;
    deny(!from.adjacent(to), format_args!("{to} is not next to {from}"), "6.2.1")?;
    let cost = s.board.cost(to, Some(kind.arm));
    let Some(cost) = cost else { return refused(format!("{unit} cannot go into {to}"), "6.2.3a") };
    deny(held, format_args!("an enemy stands in {to}"), "6.2.8")?;
    deny(is_reserved(s, unit, to), "only the Elite battalion goes into the Strong Point", "8.4.1")?;
    // 6.2.9, 4.1.4 By road only into a hex that no friend is in.
    if field.joined(from, to) && !friend {
        return Ok(Step { cost: s.board.road(Some(kind.arm)), chart: 0 });
    }
    deny(walled(s, from, to), format_args!("from {from} to {to} there is only the walled road"), "6.2.10")?;
    deny(steep(s, from, to), format_args!("{from} and {to} lie more than one level apart"), "6.2.3c")?;
    let high = level(s, from, to);
    if high < 2 {
        // 6.2.3b A hexside of Level 1 between lower hexes costs what a slope does.
        let side = field.height(from, to).and_then(|_| s.board.slope()?.cost(Some(kind.arm)));
        return Ok(Step { cost: side.unwrap_or(cost), chart: 0 });
    }
    let start = s.units.get(unit).and_then(|u| u.start).unwrap_or(from);
    let beside = start.neighbours().into_iter().chain([start]).any(|hex| field.level(hex) == high);
    let side = from == start && s.board.field.height(from, to) == Some(high);
    deny(!(beside || side), format_args!("{unit} did not begin in or next to Level {high}"), "6.2.3d")?;
    // Before the die is rolled the best of its rows is what may be.
    let allowed = s.board.climbs(s.level_die.unwrap_or(BEST), Some(kind.arm));
    let at = usize::from(high > 2);
    let full = climbed.get(at) >= allowed.get(at);
    deny(full, format_args!("the chart of levels lets {unit} into no more hexes of Level {high}"), "6.2.3d")?;
    Ok(Step { cost: s.board.climb(), chart: high })
}

/// 6.2.3d One die for the command, before its first move, where a unit of it stands in or next to Level 2 or 3.
pub(super) fn climb(cx: &mut At<'_>, side: &SideId) {
    let s = cx.state();
    let side_of = |hex: Hex, near: Hex| s.board.field.height(hex, near).unwrap_or(0);
    let high = |hex: Hex| {
        let mut near = hex.neighbours().into_iter().chain([hex]);
        near.any(|near| s.board.field.level(near).max(side_of(hex, near)) >= 2)
    };
    let asks = s.counters().any(|(id, unit, hex)| unit.active && s.is_of(id, side) && high(hex));
    if s.level_die.is_none() && asks {
        let label = eyes::of_side(cx, "levels", side);
        let die = cx.d6(&label);
        cx.emit(Event::Climbs { die });
    }
}

/// 6.2.6 Units begin to move: who moved before them and does not go on with them has finished.
pub(super) fn begin(cx: &mut At<'_>, units: &[String]) {
    let others = cx.state().units.iter().filter(|(id, u)| u.spent > 0 && u.active && !u.done && !units.contains(id));
    let units: Vec<String> = others.map(|(id, _)| id.clone()).collect();
    if !units.is_empty() {
        cx.emit(Event::Finished { units });
    }
}

/// 6.2.7 Units that are in an enemy's front stop. Whether they did.
pub(super) fn halt_in_front(cx: &mut At<'_>, side: &SideId, units: &[String], hex: Hex) -> bool {
    if !cx.state().in_enemy_front(hex, side) {
        return false;
    }
    for unit in units.iter().filter(|unit| cx.state().units.contains_key(*unit)).cloned().collect::<Vec<_>>() {
        cx.emit(Event::Halted { unit });
    }
    true
}

/// 6.2.5, 6.2.6 Units go together, hex by hex; 6.2.7 all stop in an enemy's front.
pub(super) fn go(cx: &mut At<'_>, side: &SideId, units: &[String], path: &[Hex], face: Option<Dir>) {
    climb(cx, side);
    let Some(()) = cx.allowed(rehearse(&cx.view(side).state, units, path)) else { return };
    begin(cx, units);
    for to in path {
        // 6.2.8, DB.4 Whom nobody saw they meet when they would step on him.
        if cx.state().held_against(*to, side) {
            cx.outcome(super::play::unseen(format!("an enemy whom nobody saw stands in {to}")));
            break;
        }
        let mut paces: Vec<Pace> = Vec::new();
        for unit in units {
            let s = cx.state();
            let Some((u, from)) = s.units.get(unit).and_then(|u| u.hex.map(|hex| (u, hex))) else { continue };
            if let Ok(step) = step_in(s, unit, (from, *to), u.climbed, !paces.is_empty()) {
                paces.push(Pace { unit: unit.clone(), cost: step.cost, level: step.chart });
            }
        }
        step_together(cx, paces, *to);
        if dummy::is_gone(cx, units) {
            break;
        }
        enter(cx, side, *to);
        if halt_in_front(cx, side, units, *to) {
            if path.last() != Some(to) {
                let why = format!("an enemy's front stops them in {to}");
                cx.outcome(Outcome::Failed { why, rule: "6.2.7".to_owned() });
            }
            break;
        }
    }
    for unit in units.iter().filter(|unit| cx.state().units.contains_key(*unit)).cloned().collect::<Vec<_>>() {
        if let Some(facing) = face {
            cx.emit(Event::Turned { unit, facing });
        }
    }
}

/// 6.2.5 Units step into a hex; DB.3 masked it is one event, so that nobody counts them.
pub(super) fn step_together(cx: &mut At<'_>, paces: Vec<Pace>, to: Hex) {
    let groups =
        if eyes::masked(cx.state()) { vec![paces] } else { paces.into_iter().map(|pace| vec![pace]).collect() };
    for group in groups {
        let place = |pace: &Pace| Some((pace.unit.clone(), cx.state().units.get(&pace.unit)?.hex?));
        let from: Vec<(String, Hex)> = group.iter().filter_map(place).collect();
        let mut group = group.into_iter();
        let (Some(first), Some((_, start))) = (group.next(), from.first()) else { continue };
        let Some(facing) = start.dir_to(to) else { continue };
        let Pace { unit, cost, level } = first;
        cx.emit(Event::Stepped { unit, to, facing, cost, level, with: group.collect(), pressed: false });
        for (unit, from) in from {
            bounds::moved(cx, &unit, from, to);
        }
    }
}

/// 6.2.6, 6.2.7, 6.2.11 Whether a unit may move at all in what is left of the segment.
pub(super) fn may_move(s: &State, unit: &str) -> Result<(), Fault> {
    let refused = |why: &str, rule: &str| Err(Fault::refused(format!("{unit} {why}"), rule));
    let Some(u) = s.units.get(unit) else { return Ok(()) };
    match u.shock.charge {
        _ if u.hex.is_none() => refused("is not on the map", "6.2"),
        Charge::Riding | Charge::Over => refused("has charged, and moves no more", "6.2.11f"),
        _ if u.halted => refused("has stopped in an enemy's front", "6.2.7"),
        _ if u.done => refused("has finished its movement", "6.2.6"),
        Charge::None | Charge::Balked => Ok(()),
    }
}

/// 6.2.6, 6.2.11e Whether units may still turn: not who charges, nor who has moved before another began to.
///
/// # Errors
/// Who may not.
pub fn may_turn(s: &State, units: &[String]) -> Result<(), Fault> {
    let refused = |unit: &str, why: &str, rule: &str| Err(Fault::refused(format!("{unit} {why}"), rule));
    for unit in units {
        match s.units.get(unit) {
            Some(u) if matches!(u.shock.charge, Charge::Riding | Charge::Over) => {
                return refused(unit, "charges, and does not turn", "6.2.11e");
            }
            Some(u) if u.done => return refused(unit, "has finished its movement", "6.2.6"),
            _ => {}
        }
    }
    Ok(())
}

/// 4.1.5 Whether horse would come to stand with guns, or guns with horse, by its own will.
pub(super) fn horse_with_guns(s: &State, units: &[String], at: Hex) -> bool {
    let arm = |id: &String| s.kind(id).map(|kind| kind.arm);
    let side = units.first().and_then(|id| s.kind(id)).map(|kind| kind.side.clone());
    let there = side.map(|side| s.stack(at, &side)).unwrap_or_default();
    let all: Vec<&String> = units.iter().chain(there.iter().filter(|id| !s.is_battery(id))).collect();
    let any = |wanted: Arm| all.iter().any(|id| arm(id) == Some(wanted));
    any(Arm::Cav) && any(Arm::Art)
}

/// 6.2.2, 6.2.5 Whether units may go a way as far as the ground and their allowances tell.
///
/// # Errors
/// Why not.
pub fn rehearse(s: &State, units: &[String], path: &[Hex]) -> Result<(), Fault> {
    for (n, unit) in units.iter().enumerate() {
        let Some(u) = s.units.get(unit) else { continue };
        let Some(mut at) = u.hex else { return Err(Fault::refused(format!("{unit} is not on the map"), "6.2")) };
        may_move(s, unit)?;
        let (mut left, mut hexes) = (s.ma(unit) - u.spent, u.climbed);
        for to in path {
            let step = step_in(s, unit, (at, *to), hexes, n > 0)?;
            bounds::tied_from(s, unit, Some(at), *to)?;
            deny(step.cost > left, format_args!("{unit} has {left} MP left, and {to} costs {}", step.cost), "6.2.2")?;
            left -= step.cost;
            hexes = climbed(hexes, step.chart);
            at = *to;
            if s.in_enemy_front(at, &s.kind(unit).map(|kind| kind.side.clone()).unwrap_or_else(|| FRENCH.into())) {
                break;
            }
        }
    }
    match path.last().filter(|at| horse_with_guns(s, units, **at)) {
        Some(at) => Err(Fault::refused(format!("horse and guns do not stand together in {at}"), "4.1.5")),
        None => Ok(()),
    }
}

/// 6.6.1 Who comes into a town controls it; 6.2.8, 6.5.4 a leader alone there is taken.
pub(super) fn enter(cx: &mut At<'_>, side: &SideId, hex: Hex) {
    // DB.9 A dummy takes neither.
    if !eyes::masked(cx.state()) || !cx.state().stack(hex, side).is_empty() {
        bounds::hold(cx, side, hex);
        bounds::capture(cx, side, hex);
    }
}

/// 2.3.4g, 6.2.3 Where a leader can ride with his points, and for how many: by roads, or by what the ground costs him; the
/// chart of levels bounds his hexes of Levels 2 and 3 too.
pub(super) fn rides(s: &State, side: &SideId, from: Hex, points: i32) -> BTreeMap<Hex, i32> {
    let allowed = s.level_die.map_or([0, 0], |die| s.board.climbs(die, None));
    rides_by(s, side, (from, points), allowed)
}

fn rides_by(s: &State, side: &SideId, (from, points): (Hex, i32), allowed: [i32; 2]) -> BTreeMap<Hex, i32> {
    let field = &s.board.field;
    let beside = |high: i8| from.neighbours().into_iter().chain([from]).any(|hex| field.level(hex) == high);
    let held = Stands::of(s, side).held;
    let step = |(hex, climbs): (Hex, [i32; 2]), to: Hex| {
        let cost = ride_cost(s, hex, to).filter(|_| !held.contains(&to))?;
        let high = level(s, hex, to);
        let by_chart = high >= 2 && !field.joined(hex, to);
        let climbs = climbed(climbs, if by_chart { high } else { 0 });
        let able = !by_chart || (beside(high) && climbs.iter().zip(allowed).all(|(climbs, most)| *climbs <= most));
        able.then_some(((to, climbs), cost))
    };
    let ways = Ways::from([(from, [0, 0])], |post: (Hex, [i32; 2]), spent| {
        let next = post.0.neighbours().into_iter().filter_map(|to| step(post, to));
        next.filter(|(_, cost)| spent + cost <= points).collect::<Vec<_>>()
    });
    let mut found: BTreeMap<Hex, i32> = BTreeMap::new();
    for ((hex, _), cost) in ways.costs() {
        found.entry(hex).or_insert(cost);
    }
    found
}

/// 6.2.3d Hexes of Levels 2 and 3 that have been climbed, with one of a level more; 0 is none.
pub(super) fn climbed(mut hexes: [i32; 2], level: i8) -> [i32; 2] {
    if let Some(hexes) = usize::try_from(level - 2).ok().and_then(|n| hexes.get_mut(n)) {
        *hexes += 1;
    }
    hexes
}

/// 2.3.4g, 6.2 Where an activated leader may ride to, and for how many points, by the same reckoning as [`may_ride`].
pub(super) fn may_ride_to(s: &State, leader: &str) -> BTreeMap<Hex, i32> {
    let Some((l, chief)) = s.leaders.get(leader).zip(s.chief(leader)) else { return BTreeMap::new() };
    let Some(from) = l.hex.filter(|_| l.active && !l.rode) else { return BTreeMap::new() };
    let mut found = rides_by(s, &chief.side, (from, chief.ma), s.board.climbs(s.level_die.unwrap_or(BEST), None));
    found.retain(|to, _| *to != from && !bounds::tied_leader(s, leader, *to));
    found
}

/// 2.3.4g, 6.2 Whether an activated leader may ride to a hex; before the die of the chart is rolled its best row counts.
///
/// # Errors
/// Why not.
pub fn may_ride(s: &State, leader: &str, to: Hex) -> Result<(), Fault> {
    ride_by(s, leader, to, s.board.climbs(s.level_die.unwrap_or(BEST), None))
}

fn ride_by(s: &State, leader: &str, to: Hex, allowed: [i32; 2]) -> Result<(), Fault> {
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let Some((l, chief)) = s.leaders.get(leader).zip(s.chief(leader)) else { return Ok(()) };
    match l.hex {
        _ if !l.active => refused(format!("{leader} is not activated"), "6.1"),
        _ if l.rode => refused(format!("{leader} has ridden"), "6.2.6"),
        _ if s.held_against(to, &chief.side) => refused(format!("an enemy stands in {to}"), "6.2.8"),
        _ if bounds::tied_leader(s, leader, to) => {
            refused(format!("{leader} does not go north of the dark blue line yet"), "9.5.1")
        }
        Some(from) if rides_by(s, &chief.side, (from, chief.ma), allowed).contains_key(&to) => Ok(()),
        _ => refused(format!("{to} is too far for {leader}"), "6.2.2"),
    }
}

/// 2.3.4g, 6.2 An activated leader rides.
pub(super) fn ride(cx: &mut At<'_>, side: &SideId, leader: &str, to: Hex) {
    climb(cx, side);
    let s = cx.state();
    let allowed = s.level_die.map_or([0, 0], |die| s.board.climbs(die, None));
    let Some(()) = cx.allowed(ride_by(&cx.view(side).state, leader, to, allowed)) else { return };
    let s = cx.state();
    if ride_by(s, leader, to, allowed).is_ok() {
        return cx.emit(Event::Rode { leader: leader.to_owned(), to });
    }
    // DB.4 He meets an enemy whom nobody saw, and stops one short of him.
    let from = s.leaders.get(leader).and_then(|l| l.hex).unwrap_or(to);
    let points = s.chief(leader).map_or(0, |chief| chief.ma);
    let rides = rides_by(s, side, (from, points), allowed);
    let short =
        rides.iter().filter(|(hex, _)| hex.adjacent(to)).min_by_key(|(hex, cost)| (**cost, **hex)).map(|(hex, _)| *hex);
    cx.emit(Event::Rode { leader: leader.to_owned(), to: short.unwrap_or(from) });
    cx.outcome(super::play::unseen(format!("an enemy whom nobody saw stands in {to} or on the way")));
}

/// 6.7.6 A router of an active command goes on running at its own rate, without being told.
pub(super) fn run_on(cx: &mut At<'_>, side: &SideId) {
    let s = cx.state();
    let routers = s.standing().filter(|(id, unit, _)| unit.active && unit.mood == Mood::Routed && s.is_of(id, side));
    let routers: Vec<String> = routers.map(|(id, _, _)| id.clone()).collect();
    for unit in routers {
        let points = cx.state().ma(&unit);
        super::flee::rout(cx, &unit, points, super::flee::Run::On);
    }
}

/// 6.1.7 A unit out of command checks: who fails may not act; 6.7.1 a fatigued one routs at once.
pub(super) fn command(cx: &mut At<'_>, unit: &str) {
    if !fatigue::check(cx, unit, Why::OutOfCommand, Sum::default()).0 {
        cx.emit(Event::Idle { unit: unit.to_owned() });
        if cx.state().is(unit, |u| u.mood == Mood::Fatigued) {
            fatigue::worsen(cx, unit);
        }
    }
}
