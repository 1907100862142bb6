//! 8.4 Charges, countercharges, Reaction Charges; 6.3.4 squares.

use super::ask::{self, Choice, Facts, What};
use super::board::Arm;
use super::event::{Deed, Event, How, Onset};
use super::ground::Toll;
use super::hand::{Die, Hand, die};
use super::melee::{self, Bout, Shock};
use super::pose::{Form, Part, Pose};
use super::pursuit::{after, hunted};
use super::react::{self, Act};
use super::shock::{self, near};
use super::state::{Level, State, Step};
use super::tables::{by_part, effect, row};
use super::{command, dummy, eyes, fire, los, march, morale, stacking};
use crate::hex::{Dir, Hex};
use crate::orders::{Fault, deny};
use crate::rules::Play;
use crate::rules::tactical::sum::Sum;
use crate::rules::tactical::way::Ways;
use std::collections::{BTreeMap, BTreeSet};

/// 8.4.2 The Blown marker after a charge.
const BLOWN: u8 = 2;

/// 5.1.2, 8.4, 8.4.4 Whether a unit may go along in a charge: horse that may begin a melee, is not Blown, and bears the May
/// Charge marker.
///
/// # Errors
/// Why not.
fn may_go(s: &State, unit: &str) -> Result<(), Fault> {
    shock::may_begin(s, unit)?;
    let Some((u, kind, _)) = s.on(unit) else { return Ok(()) };
    deny(kind.arm != Arm::Cav, format_args!("{unit} is not horse"), "8.4")?;
    deny(u.blown > 0, format_args!("{unit} is Blown"), "8.4.4")?;
    deny(u.going.spent > u.going.ma / 2, format_args!("{unit} has spent more than half of its MP"), "5.1.2")
}

/// 5.1.2, 8.4, 8.4.4, 11.1.1 Who of a stack charges: those who could by themselves; the others stay behind.
pub(super) fn riders(s: &State, unit: &str) -> Vec<String> {
    s.with(unit).into_iter().filter(|id| may_go(s, id).is_ok()).collect()
}

/// 5.1.2, 8.4, 8.4.1, 8.4.2, 8.4.4 Whether a stack may charge a hex, and how it rides: where it stands after each hex.
///
/// # Errors
/// Why not.
pub fn may(s: &State, unit: &str, at: Hex, via: &[Hex]) -> Result<Vec<Pose>, Fault> {
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    may_go(s, unit)?;
    let Some((_, kind, pose)) = s.on(unit) else { return refused(format!("{unit} is not on the map"), "8.4") };
    let Some(side) = s.side(unit) else { return Ok(Vec::new()) };
    let targets: Vec<String> = s.stack(at).into_iter().filter(|id| !s.is_of(id, side)).collect();
    deny(targets.is_empty(), eyes::nobody(s, at), "8.4.1")?;
    let again = targets.iter().any(|id| s.marks(id, s.active()).charged);
    deny(again, format_args!("{at} has been charged"), "8.4.2")?;
    // R-58 Cossacks ride at who runs, or at guns alone.
    let easy = targets.iter().all(|id| s.routs(id) || s.is_arm(id, Arm::Art));
    deny(kind.is_cossack() && !easy, format_args!("{unit} charges nobody but who runs, and guns alone"), "2.3")?;
    deny(!los::sees(s, pose.head, at), format_args!("{unit} does not see {at}"), "8.4.1")?;
    let range = kind.rides.and_then(|rides| s.board.charts.charge.range.get(&rides)).copied().unwrap_or_default();
    match ride(s, unit, at, range, via) {
        Some(path) => Ok(path),
        None => refused(format!("{unit} cannot ride to {at} within {range} hexes"), "8.4.1"),
    }
}

/// 8.4.1 Whether a charge may go from hex to hex.
pub(super) fn open(s: &State, from: Hex, to: Hex) -> bool {
    s.board.terrain(to).is_some_and(|t| t.charge) && s.board.edges(from, to).all(|(_, edge)| edge.charge)
}

/// 8.4.1 Whether a counter may ride to a side with all of its hexes.
fn rides_over(s: &State, pose: &Pose, dir: Dir) -> bool {
    pose.hexes().iter().all(|hex| pose.is_in(hex.neighbour(dir)) || open(s, *hex, hex.neighbour(dir)))
}

/// 8.4.1, 8.4.2, R-67, R-75 The shortest ride to a hex: each step through the front, with one turn after each hex and one before
/// the first, through hexes that nobody is in, over ground that lets it; the target's hex counts.
fn ride(s: &State, unit: &str, at: Hex, range: u32, via: &[Hex]) -> Option<Vec<Pose>> {
    let start = s.pose(unit)?;
    let own = s.with(unit);
    let reaches = |pose: &Pose| {
        let sides = pose.front_sides();
        sides.into_iter().any(|(hex, dir)| hex.neighbour(dir) == at && open(s, hex, at))
    };
    if reaches(&start) && via.is_empty() {
        return Some(Vec::new());
    }
    let turns = |pose: Pose| [pose, pose.wheeled(false).0, pose.wheeled(true).0];
    let others = s.standing().filter(|(id, ..)| !own.contains(id));
    let held: BTreeSet<Hex> = others.flat_map(|(.., pose)| pose.hexes()).collect();
    let clear = |pose: &Pose| pose.hexes().iter().all(|hex| !held.contains(hex) && s.board.ground.has(*hex));
    let most = i32::try_from(range.saturating_sub(1)).unwrap_or_default();
    let steps = |pose: Pose, spent: i32| {
        let mut found = Vec::new();
        let mut dirs: Vec<_> = pose.front_sides().into_iter().map(|(_, dir)| dir).collect();
        dirs.sort_unstable();
        dirs.dedup();
        for dir in dirs.into_iter().filter(|_| spent < most) {
            let next = pose.stepped(dir);
            let wanted = usize::try_from(spent).ok().and_then(|n| via.get(n));
            if rides_over(s, &pose, dir) && clear(&next) && wanted.is_none_or(|hex| *hex == next.head) {
                found.extend(turns(next).into_iter().filter(|pose| clear(pose)).map(|pose| (pose, 1)));
            }
        }
        found
    };
    let begin: Vec<Pose> = turns(start).into_iter().filter(clear).collect();
    let ways = Ways::from(begin.clone(), steps);
    let ends = ways.costs().filter(|(pose, cost)| reaches(pose) && *cost > 0);
    let (end, _) = ends.min_by_key(|(pose, cost)| (*cost, *pose))?;
    Some(ways.to(end))
}

/// A charge under way.
struct Ride {
    units: Vec<String>,
    targets: Vec<String>,
    at: Hex,
    path: Vec<Pose>,
    onset: Onset,
}

/// 8.4.2 A stack charges; H.12 there may be nobody.
pub(super) fn charge(cx: &mut Hand<'_>, unit: &str, at: Hex, path: Vec<Pose>) -> Play<()> {
    let division = cx.state().division(unit).to_owned();
    command::combat(cx, &division, Step::Melee)?;
    let s = cx.state();
    let units = riders(s, unit);
    let targets: Vec<String> = s.stack(at).into_iter().filter(|id| s.side(id) != s.side(unit)).collect();
    let (units_of, targets_of) = (units.clone(), targets.clone());
    cx.emit(Event::Attacked { onset: Onset::Charge, units: units_of, at, targets: targets_of, support: Vec::new() });
    run(cx, &Ride { units, targets, at, path, onset: Onset::Charge })
}

/// 6.2.3 Whether horse could charge who moves in its zone.
pub(super) fn may_react(s: &State, unit: &str, against: &str) -> bool {
    let (Some((u, kind, pose)), Some(at)) = (s.on(unit), s.hex(against)) else { return false };
    let fresh = react::fresh(s, unit, u) && pose.form != Form::Disorder && !kind.is_cossack();
    fresh && los::sees(s, pose.head, at) && ride(s, unit, at, s.board.charts.zones.cavalry, &[]).is_some()
}

/// 6.2.3, 8.4.2, R-28 A Reaction Charge: the check first, and who fails is Disordered; then as a charge, in the middle of the
/// enemy's movement. Nobody countercharges it.
pub(super) fn react(cx: &mut Hand<'_>, unit: &str, movers: &[String]) -> Play<()> {
    let s = cx.state();
    let Some(target) = movers.first().cloned() else { return Ok(()) };
    let Some(at) = s.hex(&target) else { return Ok(()) };
    let sum = shock::attack_sum(s, unit, at, &target, 0);
    cx.emit(Event::Reacted { unit: unit.to_owned(), deed: Deed::Charge });
    let by = shock::check(cx, unit, "reaction charge", sum);
    let rows = cx.state().board.charts.pre_melee.results.reaction.clone();
    if let Some(effect) = effect(&rows, by) {
        return shock::suffer(cx, &[unit.to_owned()], effect, &[at]);
    }
    let s = cx.state();
    let Some(path) = ride(s, unit, at, s.board.charts.zones.cavalry, &[]) else { return Ok(()) };
    let (units, targets) = (vec![unit.to_owned()], s.with(&target));
    let event = Event::Attacked {
        onset: Onset::Reaction,
        units: units.clone(),
        at,
        targets: targets.clone(),
        support: Vec::new(),
    };
    cx.emit(event);
    run(cx, &Ride { units, targets, at, path, onset: Onset::Reaction })
}

/// 8.4.2 The nine steps of a charge.
fn run(cx: &mut Hand<'_>, ride: &Ride) -> Play<()> {
    let begun = cx.state().hexes(&ride.units);
    let met = gallop(cx, ride)?;
    // 8.5.5 A leader who has been left behind comes after, before it comes to blows.
    morale::quit(cx, &ride.units, &begun);
    match met {
        Met::Stopped => {}
        Met::Countered(by) => counter(cx, ride, by)?,
        Met::Home => strike(cx, ride)?,
    }
    blow(cx, &ride.units);
    Ok(())
}

/// How a ride ends.
enum Met {
    /// Who charges has fallen, or gone back.
    Stopped,
    /// 8.4.2 Horse has come to meet it.
    Countered(Vec<String>),
    /// It is next to the target.
    Home,
}

/// Which horse may meet a charge now.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meets {
    /// The target, in whose zone it sets out.
    Target,
    /// 8.4.2 The target too: the charge is not next to it.
    All,
    /// 6.2.3 Others than the target alone.
    Others,
}

/// 8.4.2 The ride, hex by hex, up to the hex before the last; those whose zones it crosses, 6.2 the target among them, may
/// react; horse may meet it, and the target before it sets out, if it stands in its zone already and not next to it. Then the
/// target forms, or stands, and the last hex is ridden, in which 6.2.3 only others than the target meet it any more.
fn gallop(cx: &mut Hand<'_>, ride: &Ride) -> Play<Met> {
    let last = ride.path.len();
    if last > 0 && ride.onset == Onset::Charge {
        let by = countered(cx, ride, Meets::Target)?;
        if !by.is_empty() {
            return Ok(Met::Countered(by));
        }
    }
    // 6.3.5 Those of its march count too.
    let marched = ride.units.first().and_then(|id| cx.state().units.get(id)).map_or(0, |u| u.going.turns);
    let mut turned = u8::try_from(marched).unwrap_or(u8::MAX);
    for (n, pose) in ride.path.iter().enumerate() {
        if n + 1 == last && !form_up(cx, ride)? {
            return Ok(Met::Stopped);
        }
        let before = ride.units.first().and_then(|unit| cx.state().pose(unit));
        if !step(cx, ride, *pose)? {
            return Ok(Met::Stopped);
        }
        let turns = before.map_or(0, |before| before.turns_to(pose));
        if !keeps_order(cx, ride, turned, turns) {
            return Ok(Met::Stopped);
        }
        turned = turned.saturating_add(turns);
        // H.12 At nobody it rides until that is seen.
        if ride.targets.is_empty() {
            dummy::unmask(cx);
            if dummy::lying(cx.state(), ride.at).is_empty() {
                return Ok(Met::Stopped);
            }
        }
        if ride.onset == Onset::Charge {
            let by = countered(cx, ride, if n + 1 < last { Meets::All } else { Meets::Others })?;
            if !by.is_empty() {
                return Ok(Met::Countered(by));
            }
        }
    }
    if last == 0 && !form_up(cx, ride)? {
        return Ok(Met::Stopped);
    }
    Ok(if rides(cx.state(), ride) { Met::Home } else { Met::Stopped })
}

/// 8.4.2 One hex of a ride: those in whose zones it leads may react; whether it goes on.
fn step(cx: &mut Hand<'_>, ride: &Ride, pose: Pose) -> Play<bool> {
    let Some(before) = ride.units.first().and_then(|unit| cx.state().pose(unit)) else { return Ok(false) };
    if !react::to_ride(cx, &ride.units, Act::Ride(pose), &ride.targets)? || !rides(cx.state(), ride) {
        return Ok(false);
    }
    cx.emit(Event::Moved { units: ride.units.clone(), pose, cost: 0, how: How::Charge });
    ride.units.iter().for_each(|unit| morale::oust(cx, unit));
    Ok(react::to_ride(cx, &ride.units, Act::Charge(before), &ride.targets)? && rides(cx.state(), ride))
}

/// 6.3.5, R-76 A line that turns by more than one corner on its ride checks its order for each further one; whether it rides on.
fn keeps_order(cx: &mut Hand<'_>, ride: &Ride, turned: u8, turns: u8) -> bool {
    let line = |s: &State, id: &str| s.pose(id).is_some_and(|pose| pose.form == Form::Line);
    for _ in (1..=turns).filter(|nth| turned.saturating_add(*nth) > 1) {
        let lines: Vec<String> = ride.units.iter().filter(|id| line(cx.state(), id)).cloned().collect();
        march::ask(cx, &lines, Toll::Check);
    }
    turns == 0 || ride.units.iter().any(|id| cx.state().pose(id).is_some_and(|pose| pose.form != Form::Disorder))
}

/// 8.4.2 Whether anybody who charges is still able to: neither Unsteady nor running.
fn rides(s: &State, ride: &Ride) -> bool {
    ride.units.iter().any(|id| s.is(id, |u| u.pose.is_some() && u.level < Level::Unsteady))
}

/// 6.2.3, 8.4.2, R-25 Horse that meets the charge: the target first, as long as the charge is not next to it, then others in whose
/// zone it rides, at whomever; each unit of the stack checks, and who fails stays, unharmed.
fn countered(cx: &mut Hand<'_>, ride: &Ride, meets: Meets) -> Play<Vec<String>> {
    let s = cx.state();
    let Some((charger, now)) = ride.units.first().and_then(|id| Some((id.clone(), s.pose(id)?))) else {
        return Ok(Vec::new());
    };
    let Some(side) = s.side(&charger) else { return Ok(Vec::new()) };
    let able = |id: &String| {
        let Some((u, kind, pose)) = s.on(id) else { return false };
        let fresh = react::fresh(s, id, u) && pose.form != Form::Disorder && kind.arm == Arm::Cav;
        let zone = react::zone(s, id);
        let near = now.hexes().iter().any(|hex| zone.contains(hex));
        let in_time = match (meets, ride.targets.contains(id)) {
            (Meets::Target | Meets::All, true) => !beside(&now, &pose),
            (Meets::All | Meets::Others, target) => !target,
            (Meets::Target, false) => false,
        };
        fresh && near && in_time && meeting(s, id, &now).is_some() && !s.marks(id, s.active()).balked
    };
    let mut stacks: Vec<(bool, Hex, Vec<String>)> = Vec::new();
    for (id, _, pose) in s.enemies(side).filter(|(id, ..)| able(id)) {
        let target = ride.targets.contains(id);
        match stacks.iter_mut().find(|(_, hex, _)| *hex == pose.head) {
            Some((.., units)) => units.push(id.clone()),
            None => stacks.push((!target, pose.head, vec![id.clone()])),
        }
    }
    stacks.sort_unstable();
    for (third, _, units) in stacks {
        let s = cx.state();
        let Some(top) = units.first().cloned() else { continue };
        let own = units.iter().map(|id| s.sp(id)).sum();
        let enemy = ride.units.iter().map(|id| s.sp(id)).sum();
        let mates = ride.targets.iter().any(|id| s.division(id) == s.division(&top));
        let facts = Facts { own, enemy, mates, charge: true, ..Facts::default() };
        let what = if third { What::Third } else { What::Counter };
        if ask::put(cx, what, &top, &charger, facts)? != Choice::Yes {
            continue;
        }
        let mut ready = Vec::new();
        for unit in units {
            let sum = shock::attack_sum(cx.state(), &unit, now.head, &charger, 0);
            if shock::check(cx, &unit, "countercharge", sum) <= 0 {
                ready.push(unit);
            } else {
                cx.emit(Event::Reacted { unit, deed: Deed::Balked });
            }
        }
        if !ready.is_empty() {
            return Ok(ready);
        }
    }
    Ok(Vec::new())
}

fn beside(one: &Pose, other: &Pose) -> bool {
    one.hexes().iter().any(|own| other.hexes().iter().any(|hex| own.adjacent(*hex)))
}

/// 6.2.3, 8.4.2, R-25 How horse stands when it meets a charge: one hex forward, next to it, or where it is if that is next to it;
/// none where it cannot come there.
fn meeting(s: &State, unit: &str, now: &Pose) -> Option<Pose> {
    let pose = s.pose(unit)?;
    if beside(&pose, now) {
        return Some(pose);
    }
    let own = s.with(unit);
    let free = |next: &Pose| {
        next.hexes().iter().all(|hex| s.board.ground.has(*hex) && s.stack(*hex).iter().all(|id| own.contains(id)))
    };
    let goes =
        |dir: Dir| rides_over(s, &pose, dir).then(|| pose.stepped(dir)).filter(|next| free(next) && beside(next, now));
    let ahead = pose.front_sides().into_iter().filter_map(|(_, dir)| goes(dir));
    ahead.min_by_key(|next| next.head)
}

/// 6.2.3, 8.4.2 The countercharge: one hex forward, to meet the charge; he who charged may turn to it; both have their bonus.
fn counter(cx: &mut Hand<'_>, ride: &Ride, by: Vec<String>) -> Play<()> {
    let s = cx.state();
    let Some(now) = ride.units.first().and_then(|id| s.pose(id)) else { return Ok(()) };
    let event = Event::Attacked {
        onset: Onset::Counter,
        units: by.clone(),
        at: now.head,
        targets: ride.units.clone(),
        support: Vec::new(),
    };
    let stood = by.first().and_then(|id| s.pose(id));
    let meets = by.first().and_then(|id| meeting(s, id, &now));
    cx.emit(event);
    if let Some(pose) = meets.filter(|_| meets != stood) {
        morale::swing(cx, &by, pose, How::Charge);
    }
    let faces = |s: &State, pose: &Pose| by.iter().any(|id| s.pose(id).is_some_and(|by| meets_front(pose, &by)));
    if !faces(cx.state(), &now) {
        let turned = [now.wheeled(false).0, now.wheeled(true).0].into_iter().find(|pose| faces(cx.state(), pose));
        if let Some(pose) = turned {
            morale::swing(cx, &ride.units, pose, How::Charge);
        }
    }
    let at = by.first().and_then(|id| cx.state().hex(id)).unwrap_or(now.head);
    let (attackers, defenders) = (ride.units.clone(), by.clone());
    melee::fight(cx, Bout { attackers, defenders, at, charge: Some(Shock { met: true }) })?;
    after(cx, &ride.units, &by, at)?;
    // D-35 Who has met the charge has charged as well.
    hunted(cx, &by, &ride.units, now.head)?;
    blow(cx, &by);
    Ok(())
}

fn meets_front(pose: &Pose, other: &Pose) -> bool {
    let front = pose.front();
    other.hexes().iter().any(|hex| front.contains(hex))
}

/// 7.1, 8.4.2 Whether foot has room for a square where it stands. House: a stack that would be too large for one stands instead,
/// for a square that may not be kept is none.
fn has_room(s: &State, foot: &[String], at: Hex) -> bool {
    let ground = s.board.terrain(at).is_some_and(|t| !t.forbids.contains(&Form::Square));
    let pose = foot.first().and_then(|top| s.pose(top)).map(|pose| pose.formed(Form::Square, None));
    ground && pose.is_some_and(|pose| stacking::crowd(s, foot, pose).is_none())
}

/// 8.4.2, 6.3.3, 6.3.4, R-01 Foot that is charged stands, with a check, or tries to form square; who runs is eliminated at
/// once; guns and horse stand. Whether anybody still charges.
fn form_up(cx: &mut Hand<'_>, ride: &Ride) -> Play<bool> {
    shock::sweep(cx, &ride.targets);
    let s = cx.state();
    let foot: Vec<String> =
        shock::left(s, &ride.targets, ride.at).into_iter().filter(|id| s.is_arm(id, Arm::Inf)).collect();
    let (Some(top), Some(charger)) = (foot.first().cloned(), ride.units.first().cloned()) else { return Ok(true) };
    let from: Vec<Hex> = ride.units.iter().filter_map(|id| s.hex(id)).collect();
    let formed = s.pose(&top).is_some_and(|pose| pose.form == Form::Square);
    let may = !formed && has_room(s, &foot, ride.at) && !s.is_marching(&top);
    let sum = square_sum(s, &top, ride);
    let chance = square_chance(s, &top, &sum);
    let facts = Facts { chance, ..Facts::default() };
    if may && ask::put(cx, What::Square, &top, &charger, facts)? == Choice::Yes {
        let need = cx.state().kind(&top).map_or(0, |kind| kind.morale);
        let die = die(cx, Die::Square, &top);
        let by = die + sum.total() - need;
        cx.emit(Event::Checked { unit: top.clone(), why: "square".to_owned(), die, sum, need, passed: by <= 0 });
        let rows = cx.state().board.charts.square.results.clone();
        match effect(&rows, by) {
            Some(effect) => {
                // R-32 What the top unit rolls is for the stack.
                foot.iter().for_each(|id| cx.emit(Event::Reacted { unit: id.clone(), deed: Deed::Stuck }));
                shock::suffer(cx, &foot, effect, &from)?;
            }
            None => {
                if let Some(pose) = cx.state().pose(&top) {
                    morale::swing(cx, &foot, pose.formed(Form::Square, None), How::React);
                }
            }
        }
        return Ok(rides(cx.state(), ride));
    }
    for unit in foot {
        if !cx.state().pose(&unit).is_some_and(|pose| pose.is_in(ride.at)) {
            continue;
        }
        let sum = shock::defence_sum(cx.state(), &unit, (&ride.units, ride.path.last()), false);
        let by = shock::check(cx, &unit, "stand", sum);
        let rows = cx.state().board.charts.pre_melee.results.stand.clone();
        if let Some(effect) = effect(&rows, by) {
            shock::suffer(cx, &[unit], effect, &from)?;
        }
    }
    Ok(rides(cx.state(), ride))
}

/// 8.4.2 The parts of the die to form square.
fn square_sum(s: &State, unit: &str, ride: &Ride) -> Sum {
    let q = &s.board.charts.square;
    let mut sum = morale::spirit(s, unit, [q.shaken, q.unsteady, q.breakpoint]);
    sum.when(s.is_led(unit), "leader", q.leader);
    sum.add("fatigue", s.weary(unit).square);
    sum.add("formation", row(&q.forms, s.array(unit)));
    let comes = ride.path.last().map(|pose| pose.head).or_else(|| ride.units.first().map(|id| near(s, id, ride.at)));
    let part = comes.and_then(|hex| s.part(unit, hex)).unwrap_or(Part::Front);
    sum.add(if part == Part::Flank { "flank" } else { "rear" }, by_part(&q.by, part));
    let many = s.with(unit).iter().filter(|id| s.is_arm(id, Arm::Inf)).count() > 1;
    sum.when(many, "more than one unit", q.more_than_one);
    sum.when(ride.onset == Onset::Reaction, "Reaction Charge", q.reaction);
    let far = ride.path.len().saturating_sub(1);
    let distance = q.distance.get(far).or(q.distance.last()).copied().unwrap_or_default();
    sum.add("distance", distance);
    sum
}

/// D-33 The chances in a hundred to form square.
fn square_chance(s: &State, unit: &str, sum: &Sum) -> i32 {
    let need = s.kind(unit).map_or(0, |kind| kind.morale);
    10 * (need - sum.total() + 1).clamp(0, 10)
}

/// 6.5.6, 8.4.2 The other stacks of the enemy that a large counter of horse has before it, by their hexes; before a small one
/// there are none that it has to fight.
fn beside_it(s: &State, attackers: &[String], at: Hex) -> BTreeMap<Hex, Vec<String>> {
    let top = attackers.first().and_then(|id| Some((s.side(id)?, s.pose(id)?)));
    let Some((side, _)) = top.filter(|(_, pose)| pose.size > 1) else { return BTreeMap::new() };
    let front: BTreeSet<Hex> = attackers.iter().flat_map(|id| s.front(id)).filter(|hex| *hex != at).collect();
    let enemies = |hex: Hex| s.stack(hex).into_iter().filter(|id| !s.is_of(id, side)).collect::<Vec<_>>();
    front.into_iter().map(|hex| (hex, enemies(hex))).filter(|(_, stack)| !stack.is_empty()).collect()
}

/// 8.4.2 The fire of who has stood or formed, the melee, and what comes after.
fn strike(cx: &mut Hand<'_>, ride: &Ride) -> Play<()> {
    let here = shock::left(cx.state(), &ride.targets, ride.at);
    if let Some(top) = ride.units.first() {
        // Guns do not fire either beside foot that has failed to form.
        let s = cx.state();
        let failed = |id: &String| s.is_arm(id, Arm::Inf) && s.marks(id, s.active()).stuck;
        if !ride.targets.iter().any(failed) {
            fire::repel(cx, &here, top)?;
        }
    }
    if !rides(cx.state(), ride) {
        return Ok(());
    }
    clash(cx, ride, here)?;
    after(cx, &ride.units, &ride.targets, ride.at)
}

/// 6.5.6, 8.4.2, 9.2.4 The melee of a charge. A large counter of horse fights all stacks that it has before it, as one; of these
/// too who runs is eliminated, and so are guns alone. House: they are when it comes to the melee, for the charge is not
/// declared against them.
fn clash(cx: &mut Hand<'_>, ride: &Ride, mut defenders: Vec<String>) -> Play<()> {
    let s = cx.state();
    let from: Vec<Hex> = ride.units.iter().filter_map(|id| s.hex(id)).collect();
    let ordered = |id: &&String| {
        s.is(id, |u| u.level < Level::Unsteady) && s.pose(id).is_some_and(|pose| pose.form != Form::Disorder)
    };
    let attackers: Vec<String> = ride.units.iter().filter(ordered).cloned().collect();
    let beside = beside_it(s, &attackers, ride.at);
    let mut stacks: Vec<(Hex, Vec<String>)> = vec![(ride.at, ride.targets.clone())];
    stacks.extend(beside);
    let mut others: Vec<String> = Vec::new();
    for id in stacks.iter().skip(1).flat_map(|(_, stack)| stack) {
        // A counter in two hexes stands in two of the lists.
        if !defenders.contains(id) && !others.contains(id) {
            others.push(id.clone());
        }
    }
    shock::sweep(cx, &others);
    defenders.extend(others);
    for (hex, stack) in &stacks {
        shock::guns(cx, stack, *hex, &from, true)?;
    }
    let held = |(hex, stack): &&(Hex, Vec<String>)| melee::is_held(cx.state(), stack, *hex);
    if let Some(at) = stacks.iter().find(held).map(|(hex, _)| *hex) {
        melee::fight(cx, Bout { attackers, defenders, at, charge: Some(Shock { met: false }) })?;
    }
    for (hex, stack) in &stacks {
        if !melee::is_held(cx.state(), stack, *hex) {
            shock::guns(cx, stack, *hex, &from, false)?;
        }
    }
    Ok(())
}

/// 7.1, 8.4.2, R-81 Who has charged is Disordered, and Blown; who shares his hex is Disordered with him.
fn blow(cx: &mut Hand<'_>, units: &[String]) {
    for unit in units {
        if cx.state().pose(unit).is_some() {
            stacking::disorder(cx, unit);
            cx.emit(Event::Blown { unit: unit.clone(), level: BLOWN });
        }
    }
    let hexes: BTreeSet<Hex> = units.iter().filter_map(|unit| cx.state().hex(unit)).collect();
    hexes.into_iter().for_each(|hex| stacking::even(cx, hex));
}
