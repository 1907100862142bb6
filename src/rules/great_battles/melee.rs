//! 8.3.1, 8.4.2, 8.5.3 Melee: rounds until somebody goes.

use super::ask::{self, Choice, Facts, What};
use super::board::Arm;
use super::event::Event;
use super::hand::{Die, Hand, die};
use super::pose::{Form, Part, Pose};
use super::shock::{left, near};
use super::state::{Level, State};
use super::tables::{Array, Blow, by_part, row};
use super::{fire, morale};
use crate::hex::Hex;
use crate::rules::Play;
use crate::rules::tactical::sum::{Sum, half_up};

/// 8.4.2 What a charge adds to a melee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shock {
    /// 8.4.2 The defenders have charged to meet it.
    pub met: bool,
}

/// Who fights whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bout {
    /// Who attacks, the top unit first.
    pub attackers: Vec<String>,
    /// Who defends, the top unit of the declared target first.
    pub defenders: Vec<String>,
    /// The hex of the declared target.
    pub at: Hex,
    /// What a charge adds; none in an assault.
    pub charge: Option<Shock>,
}

/// 6.3.6, 8.4.2, R-79 The SP that count: none of guns, and of horse that charges in column a third, fractions down.
fn strength(s: &State, units: &[String], charging: bool) -> i32 {
    let counts = |id: &String| {
        let column = charging && s.array(id) == Array::CavColumn;
        if column { s.sp(id) / 3 } else { s.sp(id) }
    };
    units.iter().filter(|id| !s.is_arm(id, Arm::Art)).map(counts).sum()
}

/// 8.4.2, 6.3.6 The Charge Bonus of a stack: of its top unit, in column half with fractions up.
fn bonus(s: &State, units: &[String]) -> i32 {
    let Some(top) = units.first() else { return 0 };
    let whole = s.kind(top).and_then(|kind| kind.rides).and_then(|rides| s.board.charts.charge.bonus.get(&rides));
    let whole = whole.copied().unwrap_or_default();
    if s.array(top) == Array::CavColumn { half_up(whole) } else { whole }
}

/// 8.4.3 What a line of horse gains that has more hexes than those that it charges.
fn overlap(s: &State, own: &[String], enemy: &[String]) -> i32 {
    let line = |id: &String| {
        s.pose(id).filter(|pose| pose.form == Form::Line && pose.size > 1).map(|pose| i32::from(pose.size))
    };
    let wide = own.iter().filter_map(line).max();
    let hexes: std::collections::BTreeSet<Hex> =
        enemy.iter().filter_map(|id| s.pose(id)).flat_map(|pose| pose.hexes()).collect();
    let held = i32::try_from(hexes.len()).unwrap_or_default();
    wide.map_or(0, |wide| (wide - held).max(0)) * s.board.charts.melee.overlap
}

/// 8.3.1, 8.4.2, 8.4.3, 5.2.1 The parts of the die of a melee but for the ratio.
fn parts(s: &State, bout: &Bout, first: bool) -> Sum {
    let mut sum = Sum::default();
    let m = &s.board.charts.melee;
    let (Some(attacker), Some(defender)) = (bout.attackers.first(), bout.defenders.first()) else { return sum };
    if let Some(shock) = bout.charge {
        if first {
            sum.add("charge", bonus(s, &bout.attackers));
            sum.when(shock.met, "countercharge", -bonus(s, &bout.defenders));
        }
        sum.add("overlap", overlap(s, &bout.attackers, &bout.defenders));
        // 6.3.6 So is a column by a line that has charged to meet it.
        sum.when(shock.met, "overlapped", -overlap(s, &bout.defenders, &bout.attackers));
    }
    let rows = if bout.charge.is_some() { &m.charged } else { &m.assaulted };
    if bout.charge.is_none() {
        sum.add("attacker", row(&m.assault, s.array(attacker)));
    }
    sum.add("defender", row(rows, s.array(defender)));
    let level = |id: &str| s.units.get(id).map_or(Level::Good, |u| u.level);
    sum.when(level(attacker) == Level::Shaken, "attacker Shaken", m.attacker_shaken);
    sum.when(level(defender) == Level::Shaken, "defender Shaken", m.shaken);
    sum.when(level(defender) == Level::Unsteady, "defender Unsteady", m.unsteady);
    sum.when(s.is_marching(defender), "strategic movement", m.strategic);
    let from = near(s, attacker, bout.at);
    let part = s.part(defender, from).unwrap_or(Part::Front);
    sum.add(if part == Part::Flank { "flank" } else { "rear" }, by_part(&m.by, part));
    sum.add("ground", s.board.terrain(bout.at).map_or(0, |t| t.melee));
    let up = s.board.ground.field.level(bout.at) > s.board.ground.field.level(from);
    let edges = s.board.edges(from, bout.at).filter(|(bank, _)| !bank.is_slope() || up);
    sum.add("hexside", edges.map(|(_, edge)| edge.melee).min().unwrap_or_default());
    sum
}

/// 8.3.1, 8.4.2, 8.5.3 Rounds of melee: a result that goes on costs both an SP and a check, and is fought again without the
/// Charge Bonus, unless somebody runs to end it.
pub(super) fn fight(cx: &mut Hand<'_>, mut bout: Bout) -> Play<()> {
    let places: Vec<_> = bout.attackers.iter().map(|unit| (unit.clone(), cx.state().pose(unit))).collect();
    let mut rounds = 0;
    while remain(cx.state(), &places, &mut bout) && !cx.lost() {
        let goes_on = round(cx, &bout, rounds == 0)?;
        rounds += 1;
        // Who has nobody against him any more is not asked.
        if !goes_on || !remain(cx.state(), &places, &mut bout) || !holds_on(cx, &bout, rounds)? {
            break;
        }
    }
    Ok(())
}

/// 8.5.3 Who of both sides is still where the melee is, attackers where they stood when it began; whether both are there.
fn remain(s: &State, places: &[(String, Option<Pose>)], bout: &mut Bout) -> bool {
    let own = |(unit, pose): &(String, Option<Pose>)| {
        (pose.is_some() && s.pose(unit) == *pose && !s.routs(unit)).then(|| unit.clone())
    };
    bout.attackers = places.iter().filter_map(own).collect();
    bout.defenders.retain(|unit| !s.is_arm(unit, Arm::Art) && s.pose(unit).is_some() && !s.routs(unit));
    bout.defenders = here(s, bout);
    !bout.attackers.is_empty() && !bout.defenders.is_empty()
}

/// Defenders who are still where they were attacked: in the declared hex, or before those who charge.
fn here(s: &State, bout: &Bout) -> Vec<String> {
    let touched = |unit: &String| {
        let Some(pose) = s.pose(unit) else { return false };
        pose.is_in(bout.at) || bout.attackers.iter().any(|id| pose.hexes().iter().any(|hex| s.front(id).contains(hex)))
    };
    bout.defenders.iter().filter(|unit| touched(unit)).cloned().collect()
}

/// 8.3.1, 8.4.2 One round; whether melee continues.
fn round(cx: &mut Hand<'_>, bout: &Bout, first: bool) -> Play<bool> {
    let s = cx.state();
    let charging = bout.charge.is_some();
    let met = bout.charge.is_some_and(|shock| shock.met);
    let (attack, defence) = (strength(s, &bout.attackers, charging), strength(s, &bout.defenders, met));
    let (ratio, worth) = s.board.charts.ratio(attack, defence);
    let mut sum = Sum::default();
    sum.add(ratio.clone(), worth);
    sum.0.extend(parts(s, bout, first).0);
    let from: Vec<Hex> = bout.attackers.iter().filter_map(|id| s.pose(id)).flat_map(|pose| pose.hexes()).collect();
    let die = die(cx, Die::Melee, &bout.at.to_string());
    let (attacker, defender) = cx.state().board.charts.melee_result(die + sum.total());
    let (units, against) = (bout.attackers.clone(), bout.defenders.clone());
    cx.emit(Event::Fought { units, against, ratio, sum, die, attacker, defender });
    let on = attacker == Blow::On;
    let blow = |blow: Blow| if blow == Blow::On { Blow::Loss(1) } else { blow };
    let mine = morale::strike(cx, &bout.attackers, blow(attacker));
    let theirs = morale::strike(cx, &bout.defenders, blow(defender));
    fire::both(cx, (mine, &[bout.at]), (theirs, &from))?;
    Ok(on)
}

/// 11.1, D-31 Whether the next SP that a unit loses brings it to Breakpoint.
fn is_on_brink(s: &State, unit: &str) -> bool {
    let (Some(u), Some(kind)) = (s.units.get(unit), s.kind(unit)) else { return false };
    kind.arm != Arm::Art && !kind.elite && !s.is_broken(unit) && (u.lost + 1) * 2 > kind.sp
}

/// 8.5.3, 6.4.2, R-31 Whether both fight on; who does not runs.
fn holds_on(cx: &mut Hand<'_>, bout: &Bout, rounds: i32) -> Play<bool> {
    let sides = [(&bout.attackers, &bout.defenders), (&bout.defenders, &bout.attackers)];
    for (own, enemy) in sides {
        let s = cx.state();
        let there: Vec<String> = own.iter().filter(|id| s.pose(id).is_some() && !s.routs(id)).cloned().collect();
        let (Some(top), Some(against)) = (there.first(), enemy.first()) else { return Ok(false) };
        let from: Vec<Hex> = enemy.iter().filter_map(|id| s.pose(id)).flat_map(|pose| pose.hexes()).collect();
        let (own, enemy) = (strength(s, &there, false), strength(s, enemy, false));
        let facts = Facts { rounds, own, enemy, brink: is_on_brink(s, top), ..Facts::default() };
        if ask::put(cx, What::Rounds, top, against, facts)? == Choice::No {
            let falls = there.iter().map(|unit| morale::Fall { unit: unit.clone(), level: Level::Rout }).collect();
            morale::fall(cx, falls, &from)?;
            return Ok(false);
        }
    }
    Ok(true)
}

/// 8.3.1, 8.4.2 Whether anybody who is no gunner still holds a hex.
pub(super) fn is_held(s: &State, defenders: &[String], at: Hex) -> bool {
    left(s, defenders, at).iter().any(|id| !s.is_arm(id, Arm::Art))
}
