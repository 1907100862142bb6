//! 8.5, 9 What combat does: SP lost, Morale Checks, levels, and the chains that follow.

use super::board::{Arm, Chief, Rank, other};
use super::event::{End, Event, How};
use super::hand::{Die, Hand, die, replacement};
use super::pose::{Form, Pose};
use super::state::{Level, State};
use super::tables::{Blow, row};
use super::{reinforce, retire, stacking};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::Play;
use crate::rules::tactical::sum::{Sum, half_up};
use std::collections::{BTreeSet, VecDeque};

/// A unit that becomes Unsteady, or routs, and has not gone back yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fall {
    /// The unit.
    pub unit: String,
    /// What it becomes.
    pub level: Level,
}

/// 9.1, 11.1.1 What being Shaken, Unsteady or at Breakpoint is in the die of a unit.
pub(super) fn spirit(s: &State, unit: &str, [shaken, unsteady, breakpoint]: [i32; 3]) -> Sum {
    let mut sum = Sum::default();
    sum.when(s.is(unit, |u| u.level == Level::Shaken), "Shaken", shaken);
    sum.when(s.is(unit, |u| u.level == Level::Unsteady), "Unsteady", unsteady);
    sum.when(s.is_broken(unit), "Breakpoint", breakpoint);
    sum
}

/// 9.1, 9.2.2, 9.2.3, 11.1.1, 5.2.1, 13.3 The parts of a Morale Check but for what causes it; the marker counts against who is
/// attacked alone.
pub fn parts(s: &State, unit: &str, attacked: bool) -> Sum {
    let m = &s.board.charts.morale;
    let Some((_, _, pose)) = s.on(unit) else { return Sum::default() };
    let mut sum = spirit(s, unit, [m.shaken, m.unsteady, m.breakpoint]);
    sum.when(attacked && s.is_marching(unit), "strategic movement", m.strategic);
    sum.add(pose.form.word(), row(&m.forms, s.array(unit)));
    sum.when(s.is_led(unit), "leader", m.leader);
    sum.add(
        "ground",
        pose.hexes().iter().filter_map(|hex| s.board.terrain(*hex)).map(|t| t.morale).min().unwrap_or_default(),
    );
    sum.add("fatigue", s.weary(unit).morale);
    sum
}

/// 9.1 A Morale Check; the levels that are lost by it.
pub(super) fn check(cx: &mut Hand<'_>, unit: &str, why: &str, plus: i32) -> i32 {
    let mut sum = parts(cx.state(), unit, true);
    sum.add(why, plus);
    let need = cx.state().kind(unit).map_or(0, |kind| kind.morale);
    let die = die(cx, Die::Morale, unit);
    let by = die + sum.total() - need;
    let why = why.to_owned();
    cx.emit(Event::Checked { unit: unit.to_owned(), why, die, sum, need, passed: by <= 0 });
    cx.state().board.charts.levels_lost(by)
}

/// 9.1.1, 9.3 What levels lost do: a unit that is Shaken by it stands; guns lose an SP for each; who becomes Unsteady, or
/// routs, is to go.
fn sink(cx: &mut Hand<'_>, unit: &str, levels: i32) -> Option<Fall> {
    let (u, kind, pose) = cx.state().on(unit)?;
    if levels <= 0 {
        return None;
    }
    if kind.arm == Arm::Art {
        bleed(cx, unit, levels);
        return None;
    }
    let level = u.level.down(levels);
    if level >= Level::Unsteady {
        return Some(Fall { unit: unit.to_owned(), level });
    }
    cx.emit(Event::Level { unit: unit.to_owned(), level });
    stacking::share(cx, pose.head);
    None
}

/// 8.5.1, 10.1.1 SP that are lost without a check; 8.5.5 a leader has his die any time that they are, 12.4 by Rout Loss too.
pub(super) fn bleed(cx: &mut Hand<'_>, unit: &str, sp: i32) {
    let sp = sp.min(cx.state().sp(unit));
    if sp > 0 && cx.state().pose(unit).is_some() {
        wound(cx, unit, sp);
    }
}

/// 8.5.1, 8.5.5 A unit loses SP: each leader with it has his die, it is no more where none are left, and 6.3.3 skirmishers who
/// have become too few for two hexes leave nobody alone in the second; whether it is still there.
fn wound(cx: &mut Hand<'_>, unit: &str, sp: i32) -> bool {
    let units = [unit.to_owned()];
    let (leaders, hexes) = (cx.state().leaders_with(unit), cx.state().hexes(&units));
    cx.emit(Event::Lost { unit: unit.to_owned(), sp });
    risk(cx, leaders);
    let stands = cx.state().sp(unit) > 0;
    if !stands {
        gone(cx, unit, End::Lost);
    }
    bereft(cx, &units, &hexes);
    stands
}

/// A unit is no more; 8.5.5 leaders that are left alone go to others.
pub(super) fn gone(cx: &mut Hand<'_>, unit: &str, how: End) {
    let units = [unit.to_owned()];
    let hexes = cx.state().hexes(&units);
    cx.emit(Event::Gone { unit: unit.to_owned(), how });
    bereft(cx, &units, &hexes);
}

/// 8.5, 9.2.4 What a result does to a stack, its top unit first; those that are to go back or to run have not gone yet. A router
/// is destroyed by any result.
pub(super) fn strike(cx: &mut Hand<'_>, stack: &[String], blow: Blow) -> Vec<Fall> {
    let here: Vec<String> = stack.iter().filter(|unit| cx.state().pose(unit).is_some()).cloned().collect();
    let Some(top) = here.first().cloned() else { return Vec::new() };
    if blow != Blow::None && cx.state().routs(&top) {
        gone(cx, &top, End::Ridden);
        return Vec::new();
    }
    match blow {
        Blow::None | Blow::On => Vec::new(),
        Blow::Check(plus) => {
            let levels = check(cx, &top, "result", plus);
            sink(cx, &top, levels).into_iter().collect()
        }
        Blow::Loss(sp) => lose(cx, &here, sp),
    }
}

/// 8.5.1, 11.1, R-37 SP lost by a stack: the top unit first, what is left by the next. Those beneath one that is eliminated
/// check, and what comes of it waits until the losses have fallen; Breakpoint comes before the check of who has lost.
pub(super) fn lose(cx: &mut Hand<'_>, stack: &[String], sp: i32) -> Vec<Fall> {
    let (mut left, mut falls) = (sp, Vec::new());
    let mut held: Vec<(String, i32)> = Vec::new();
    for (place, unit) in stack.iter().enumerate() {
        if left <= 0 {
            break;
        }
        let s = cx.state();
        let (take, before) = (left.min(s.sp(unit)), s.is_broken(unit));
        left -= take;
        if !wound(cx, unit, take) {
            for below in stack.iter().skip(place + 1) {
                let levels = check(cx, below, "above it", 0);
                held.push((below.clone(), levels));
            }
            continue;
        }
        let s = cx.state();
        if !before && s.is_broken(unit) && s.is(unit, |u| u.level == Level::Good) {
            cx.emit(Event::Level { unit: unit.clone(), level: Level::Shaken });
        }
        for (below, levels) in std::mem::take(&mut held) {
            falls.extend(sink(cx, &below, levels));
        }
        if let Some(fall) = falls.iter_mut().find(|fall| fall.unit == *unit) {
            // Who falls already by what lay above it can fall further by its own loss.
            if fall.level < Level::Rout {
                fall.level = fall.level.down(check(cx, unit, "SP lost", take - 1));
            }
            continue;
        }
        let levels = check(cx, unit, "SP lost", take - 1);
        falls.extend(sink(cx, unit, levels));
    }
    for (below, levels) in held {
        falls.extend(sink(cx, &below, levels));
    }
    falls
}

/// 8.5.5 One die for each leader who is stacked with a unit that loses SP: on nought he is a casualty, and another comes for him.
///
/// House: for an overall commander one comes with the card of a corps commander. The book knows no others: those that it has are
/// for "that division or corps".
fn risk(cx: &mut Hand<'_>, leaders: Vec<String>) {
    for leader in leaders {
        let die = die(cx, Die::Leader, &leader);
        cx.emit(Event::Risked { leader: leader.clone(), die });
        if die == 0 {
            let board = cx.state().board.clone();
            let corps = cx.state().chief(&leader).is_some_and(|chief| chief.rank > Rank::Division);
            let others = if corps { &board.charts.replacements.corps } else { &board.charts.replacements.division };
            let drawn = replacement(cx, &leader, others.len());
            let rating = others.get(drawn).copied().unwrap_or_default();
            cx.emit(Event::Replaced { leader, rating });
        }
    }
}

/// What waits in a chain.
enum Job {
    Fall(Fall),
    /// 9.2.3, 9.2.4 Who stands next to one that goes, or has stood with him.
    Check(String),
    /// 10.1.2 Through whom somebody goes.
    Passed(String),
}

/// R-46 What is so of the units of a chain.
#[derive(Default)]
pub(super) struct Checked {
    /// Those who have checked in it, by what began it or for another: for another of the same chain they do not check.
    through: BTreeSet<String>,
    /// Those who have gone in it.
    gone: BTreeSet<String>,
}

impl Checked {
    /// Those who go have checked, though they have not gone yet.
    pub(super) fn of(falls: &[Fall]) -> Checked {
        Checked { through: falls.iter().map(|fall| fall.unit.clone()).collect(), ..Checked::default() }
    }
}

/// 9.2.3, 9.2.4, R-46 Units go back and run; those next to them, and those that were stacked with them, check, and may go
/// themselves: first in, first out, and each checks once.
pub(super) fn fall(cx: &mut Hand<'_>, falls: Vec<Fall>, from: &[Hex]) -> Play<()> {
    let mut checked = Checked::of(&falls);
    fall_in(cx, falls, from, &mut checked)
}

/// The same in a chain that has begun. 7.1, 9.1.1 At its end those who have come to share a hex, or have not come out of one, are
/// alike.
pub(super) fn fall_in(cx: &mut Hand<'_>, falls: Vec<Fall>, from: &[Hex], checked: &mut Checked) -> Play<()> {
    chain(cx, falls.into_iter().map(Job::Fall).collect(), from, checked)?;
    let hexes: BTreeSet<Hex> = checked.gone.iter().filter_map(|unit| cx.state().hex(unit)).collect();
    hexes.into_iter().for_each(|hex| stacking::even(cx, hex));
    Ok(())
}

/// 10.1.2, R-46 A unit through which others go checks, whether it has checked before or not; what comes of that is of the same
/// chain.
pub(super) fn shake(cx: &mut Hand<'_>, unit: &str, from: &[Hex], checked: &mut Checked) -> Play<()> {
    chain(cx, VecDeque::from([Job::Passed(unit.to_owned())]), from, checked)
}

/// 6.4.2 A unit has routed, and runs.
pub(super) fn flee(cx: &mut Hand<'_>, unit: &str, from: &[Hex]) -> Play<()> {
    fall(cx, vec![Fall { unit: unit.to_owned(), level: Level::Rout }], from)
}

fn chain(cx: &mut Hand<'_>, mut jobs: VecDeque<Job>, from: &[Hex], checked: &mut Checked) -> Play<()> {
    while let Some(job) = jobs.pop_front() {
        let fall = match job {
            // Whoever has gone meanwhile, because others went through him, goes once more only if he is to fall deeper.
            Job::Fall(fall) => {
                let deep = cx.state().is(&fall.unit, |u| u.level >= fall.level);
                let again = deep && checked.gone.contains(&fall.unit);
                (!again).then_some(fall)
            }
            Job::Passed(unit) => waver(cx, &unit),
            Job::Check(unit) => {
                if !checked.through.insert(unit.clone()) {
                    continue;
                }
                waver(cx, &unit)
            }
        };
        if let Some(fall) = fall.filter(|fall| cx.state().pose(&fall.unit).is_some()) {
            checked.through.insert(fall.unit.clone());
            checked.gone.insert(fall.unit.clone());
            let next = shaken_by(cx.state(), &fall);
            go(cx, &fall, from, checked)?;
            jobs.extend(next.into_iter().filter(|unit| !checked.through.contains(unit)).map(Job::Check));
        }
    }
    Ok(())
}

/// 9.2.3, 9.2.4, 10.1.2 A unit checks because others go, if it is there and does not run already; whether it goes as well.
fn waver(cx: &mut Hand<'_>, unit: &str) -> Option<Fall> {
    if cx.state().pose(unit).is_none() || cx.state().routs(unit) {
        return None;
    }
    let levels = check(cx, unit, "chain", 0);
    sink(cx, unit, levels)
}

/// 9.2.3, 9.2.4 Who checks when a unit goes: friends next to it, clockwise from the north, then those of its stack; if it is
/// only Unsteady, and not on top, nobody of its stack.
fn shaken_by(s: &State, fall: &Fall) -> Vec<String> {
    let (Some(pose), Some(side)) = (s.pose(&fall.unit), s.side(&fall.unit)) else { return Vec::new() };
    let mates = s.with(&fall.unit);
    let mut found: Vec<String> = Vec::new();
    let hexes = pose.hexes();
    for hex in hexes.iter().flat_map(|hex| hex.neighbours()).filter(|hex| !hexes.contains(hex)) {
        found.extend(
            s.stack_of(hex, side)
                .into_iter()
                .filter(|id| !found.contains(id) && !mates.contains(id))
                .collect::<Vec<_>>(),
        );
    }
    let top = mates.first() == Some(&fall.unit);
    if fall.level == Level::Rout || top {
        found.extend(mates.into_iter().filter(|id| *id != fall.unit));
    }
    found.retain(|id| !s.routs(id));
    found
}

/// 9.2.3, 9.2.4, 10.0, R-77 A unit becomes Unsteady and goes back one hex, horse two; or it routs, is Disordered, and runs half
/// of its allowance, that of its good side, fractions up. R-49 a square that goes back is one no more.
fn go(cx: &mut Hand<'_>, fall: &Fall, from: &[Hex], checked: &mut Checked) -> Play<()> {
    let unit = &fall.unit;
    let Some((u, kind, pose)) = cx.state().on(unit) else { return Ok(()) };
    let (horse, ma) = (kind.arm == Arm::Cav, kind.ma);
    if u.level != fall.level {
        cx.emit(Event::Level { unit: unit.clone(), level: fall.level });
    }
    if fall.level == Level::Rout {
        if pose.form != Form::Disorder {
            cx.emit(Event::Disordered { unit: unit.clone() });
            // 6.3.3, 6.5.1 Skirmishers who run have one hex, and large counters others.
            bereft(cx, std::slice::from_ref(unit), &pose.hexes());
        }
        return retire::back_in(cx, unit, half_up(ma), from, checked);
    }
    if pose.form == Form::Square {
        cx.emit(Event::Disordered { unit: unit.clone() });
    }
    retire::back_in(cx, unit, if horse { 2 } else { 1 }, from, checked)
}

/// 8.5.4 A unit that would go back, or run, and holds while the enemy goes: it is Unsteady.
pub(super) fn hold(cx: &mut Hand<'_>, unit: &str) {
    if cx.state().is(unit, |u| u.level < Level::Unsteady) {
        cx.emit(Event::Level { unit: unit.to_owned(), level: Level::Unsteady });
    }
    if let Some(hex) = cx.state().hex(unit) {
        stacking::share(cx, hex);
    }
}

/// 8.5.5, R-51, R-52 Leaders of a side who are left alone in a hex go to the nearest unit of their command, the largest of those
/// that are as near; with none left they are no more.
///
/// House: units that are still to come are left. With none of his on the map a leader waits for them where he is, or, if the
/// enemy has come there, in the nearest hex without one.
pub(super) fn alone(cx: &mut Hand<'_>, hex: Hex, side: &SideId) {
    if !cx.state().stack_of(hex, side).is_empty() {
        return;
    }
    for leader in cx.state().leaders_at(hex, side) {
        let s = cx.state();
        let Some(chief) = s.chief(&leader) else { continue };
        let own = |id: &str| commands(s, chief, s.division(id));
        let units = s.standing().filter(|(id, ..)| own(id));
        let best = units.min_by_key(|(id, u, pose)| {
            (pose.distance(hex), u.level == Level::Rout, std::cmp::Reverse(s.sp(id)), (*id).clone())
        });
        let to = best.and_then(|(.., pose)| pose.hexes().into_iter().min_by_key(|own| own.distance(hex)));
        let waits = to.is_none() && s.board.divisions.keys().any(|id| commands(s, chief, id) && comes(s, id));
        let to = if waits { refuge(s, hex, side) } else { to };
        match to {
            Some(to) if to == hex => {}
            Some(to) => cx.emit(Event::Followed { leader, to }),
            None => cx.emit(Event::Fell { leader }),
        }
    }
}

/// 4.1.2 Whether a leader has a division under him.
pub(super) fn commands(s: &State, chief: &Chief, division: &str) -> bool {
    match chief.rank {
        Rank::Division => division == chief.of,
        Rank::Corps => s.board.divisions.get(division).is_some_and(|d| d.corps == chief.of),
        Rank::Army => s.board.side_of(division) == Some(&chief.side),
    }
}

/// 14.0 Whether units of a division are still to come; H.12 a dummy is none.
fn comes(s: &State, division: &str) -> bool {
    let coming = s.commands.get(division).is_some_and(|c| c.waits) || !reinforce::left_off(s, division).is_empty();
    coming && reinforce::waiting(s, division).iter().any(|unit| !s.is_dummy(unit))
}

/// 8.5.5 Where a leader waits who has nobody on the map: in his hex, or in the nearest one in which no enemy stands.
fn refuge(s: &State, hex: Hex, side: &SideId) -> Option<Hex> {
    let open = s.board.ground.field.cells.keys().copied().filter(|at| !s.held_against(*at, side));
    open.min_by_key(|at| (at.distance(hex), *at))
}

/// 8.5.5 Units have left hexes, or are no more: leaders of their side whom they leave alone there go to others.
pub(super) fn bereft(cx: &mut Hand<'_>, units: &[String], left: &[Hex]) {
    let Some(side) = units.first().and_then(|unit| cx.state().side(unit)).cloned() else { return };
    left.iter().for_each(|hex| alone(cx, *hex, &side));
}

/// 8.5.5, R-52 Units have come out of hexes by a charge, an advance or a pursuit, or in reaction: leaders of theirs whom they
/// leave alone there go to others, and so do the enemy's in hexes into which they have come.
///
/// House: by its movement in its own activation a unit leaves a leader where he is. He has his own then (5.4), and 8.5.5 speaks
/// of combat. In combat and in reaction nobody may be left behind alone, be it by a charge that is over in a moment.
pub(super) fn quit(cx: &mut Hand<'_>, units: &[String], left: &[Hex]) {
    units.iter().for_each(|unit| oust(cx, unit));
    bereft(cx, units, left);
}

/// 8.5.5 Units come to stand otherwise in a combat or in reaction, and leave no leader alone by it.
pub(super) fn swing(cx: &mut Hand<'_>, units: &[String], pose: Pose, how: How) {
    let left = cx.state().hexes(units);
    cx.emit(Event::Moved { units: units.to_vec(), pose, cost: 0, how });
    quit(cx, units, &left);
}

/// 6.4.1, 8.5.5 Units come out of a hex by an advance, a retreat or a pursuit: whom the ground Disorders is Disordered, and the
/// enemy's leaders there go to others.
pub(super) fn shift(cx: &mut Hand<'_>, units: &[String], from: Hex, pose: Pose, how: How) {
    cx.emit(Event::Moved { units: units.to_vec(), pose, cost: 0, how });
    stacking::settle(cx, units, from);
    units.iter().for_each(|unit| oust(cx, unit));
}

/// 8.5.5, R-52 Leaders of the enemy in a hex into which a unit has come go to others: nobody takes them.
pub(super) fn oust(cx: &mut Hand<'_>, unit: &str) {
    let s = cx.state();
    let Some((pose, enemy)) = s.pose(unit).zip(s.side(unit).map(other)) else { return };
    pose.hexes().into_iter().for_each(|hex| alone(cx, hex, &enemy));
}
