//! 24.5.8, 24.5.13-24.5.18, 24.8, 24.8.2 Charges and assaults: whom, by whom, with whose support, and whether it is worth it (22.3).

use super::chart::Tactic;
use super::{chart, formation, groups, march};
use crate::rules::austerlitz1805::board::{Arm, Kind, Soil, UnitId};
use crate::rules::austerlitz1805::close::{attack_mods, defence_mods, own};
use crate::rules::austerlitz1805::hands::sum;
use crate::rules::austerlitz1805::table::{Combat, Face, Formation, Mark, Mood, Pose, Table};
use crate::rules::austerlitz1805::terrain::shelter;
use crate::rules::austerlitz1805::view::View;
use crate::rules::austerlitz1805::{approach, assault};
use std::collections::BTreeSet;

/// A battery is protected by infantry or cavalry so near.
const PROTECTED: i32 = 1_000;

/// 24.5.8 Enemy guns that nobody protects.
pub fn bare_guns(t: &Table, id: &UnitId) -> bool {
    let side = t.side(id);
    let guard =
        |o: &UnitId| matches!(t.arm(o), Arm::Infantry | Arm::Cavalry) && groups::nearer(t, o, id, PROTECTED + 1);
    t.arm(id) == Arm::Artillery && !t.of_side(&side).any(|(o, u)| u.mood < Mood::R && guard(o))
}

/// 24.5.15 Ground and formation that spare a unit the charge.
fn spared(t: &Table, on: &UnitId) -> bool {
    let walls = matches!(shelter(t, on), Some(Soil::Woods | Soil::Settlement | Soil::Fortification));
    walls || t.unit(on).is_some_and(|u| u.form == Formation::Square)
}

/// 27.6, 24.5.8 At whom an order is given: the nearest; for horse unprotected guns first, and none in square or behind walls.
pub fn target(v: &View, id: &UnitId, tactic: Tactic) -> Option<UnitId> {
    let t = &v.table;
    let enemies = || t.enemies_of(id, |e, _| t.arm(e) != Arm::Hq);
    let reach = chart(v).map_or(0, |s| s.odds.reach);
    match tactic {
        Tactic::Fire | Tactic::Back => None,
        Tactic::Assault => enemies().into_iter().next(),
        Tactic::Charge | Tactic::Flank => {
            let near = enemies();
            let open = near.iter().filter(|e| !spared(t, e));
            let guns = open.clone().find(|e| bare_guns(t, e) && groups::nearer(t, id, e, reach));
            guns.or_else(|| open.clone().next()).or(near.first()).cloned()
        }
    }
}

/// 22.3, 14 What an attack would come to before the dice: the attacker's modifiers less the defender's.
pub fn worth(t: &Table, (lead, at): (&UnitId, Pose), on: &UnitId, support: usize, charge: bool) -> i32 {
    let mut t = t.clone();
    if let Some(unit) = t.units.get_mut(lead) {
        unit.pose = at;
    }
    let combat = Combat {
        by: t.side(lead),
        on: on.clone(),
        lead: lead.clone(),
        support: vec![lead.clone(); support],
        charge,
        old: false,
        face: t.struck_by(on, lead),
        bonus: 0,
    };
    sum(&attack_mods(&t, &combat)) - sum(&defence_mods(&t, &combat))
}

/// 24.8 Whether cavalry would ride at a target: infantry in line, guns, or anything that it comes at in flank or rear;
/// 24.5.15 all but the light, in line, at the nearest, whatever he is.
fn would_ride(t: &Table, id: &UnitId, on: &UnitId, (face, nearest): (Face, bool)) -> bool {
    let line = t.arm(on) == Arm::Infantry && t.unit(on).is_some_and(|u| u.form == Formation::Line);
    let always = nearest && t.kind(id) != Kind::Light && t.unit(id).is_some_and(|u| u.form == Formation::Line);
    always || line || t.arm(on) == Arm::Artillery || face != Face::Front
}

/// 24.5.8, 24.5.15, 24.8 The charge that a unit rides now, if any.
pub fn charge(v: &View, id: &UnitId) -> Option<String> {
    let (t, me) = (&v.table, v.me());
    let back = groups::order(v, id).is_some_and(|s| s.tactic == Tactic::Back);
    if t.arm(id) != Arm::Cavalry || back || march::holds(v, id) {
        return None;
    }
    let reach = t.board.tables.ranges.charge;
    let fits = |e: &UnitId| groups::nearer(t, id, e, reach + 1) && !spared(t, e) && t.arm(e) != Arm::Hq;
    let mut open = t.enemies_of(id, |e, _| fits(e));
    let nearest = open.first().cloned();
    // 24.5.8: unprotected guns before all others; else in order of distance.
    open.sort_by_key(|e| !bare_guns(t, e));
    let rides = |on: &&UnitId| {
        let Some(way) = assault::may_charge(t, &me, id, on).ok().and_then(|()| approach::gallop(t, id, on).ok()) else {
            return false;
        };
        let face = t.struck_from(on, id, way.pose);
        let first = nearest.as_ref() == Some(*on);
        would_ride(t, id, on, (face, first)) && worth(t, (id, way.pose), on, 0, true) >= 0
    };
    open.iter().find(rides).map(|on| format!("CHARGE {id} AT {on}"))
}

/// An attack as it is planned: the leader first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attack {
    /// The leader, and who supports it.
    pub by: Vec<UnitId>,
    /// At whom.
    pub on: UnitId,
}

/// Whether a unit could go to contact with an enemy now.
pub fn reaches(v: &View, id: &UnitId, on: &UnitId) -> bool {
    contact(v, id, on).is_some()
}

/// Where a unit would end that goes to contact with an enemy now.
fn contact(v: &View, id: &UnitId, on: &UnitId) -> Option<Pose> {
    let (t, me) = (&v.table, v.me());
    let near = groups::nearer(t, id, on, 6_000);
    let may = near && t.unit(id).is_some_and(|u| u.mood == Mood::Fit) && assault::may_attack(t, &me, id, on).is_ok();
    may.then(|| approach::approach(t, id, on)).flatten().map(|way| way.pose)
}

/// 24.5.13, 24.8 Whether a unit leads an assault on an enemy: infantry with the order, in the formation for it; cavalry at
/// guns, at flanks and rears, and at the disorganized.
fn leads(v: &View, id: &UnitId, on: &UnitId, at: Pose) -> bool {
    let t = &v.table;
    let tactic = groups::order(v, id).map(|s| s.tactic);
    match t.arm(id) {
        Arm::Infantry => {
            let form = t.unit(id).map(|u| u.form);
            tactic == Some(Tactic::Assault) && form == Some(formation::against(t, on))
        }
        Arm::Cavalry => {
            let face = t.struck_from(on, id, at);
            let shaken = t.unit(on).is_some_and(|u| u.mood >= Mood::D);
            let guns = t.arm(on) == Arm::Artillery;
            matches!(tactic, Some(Tactic::Charge | Tactic::Flank)) && (guns || shaken || face != Face::Front)
        }
        Arm::Artillery | Arm::Hq => false,
    }
}

/// 24.5.18 Whether a unit is the outer one of its line, and an enemy other than the target is near enough to turn it.
pub fn flank_guard(v: &View, id: &UnitId, on: &UnitId) -> bool {
    let (t, me, Some(solo)) = (&v.table, v.me(), chart(v)) else { return false };
    let near = solo.support.flank;
    let beside = |right: i32| {
        let Some(unit) = t.unit(id) else { return false };
        let way = unit.pose.facing.turned(right);
        let fits = |o: &UnitId| {
            let to = crate::plane::Heading::between(t.centre(id), t.centre(o));
            matches!(t.arm(o), Arm::Infantry | Arm::Cavalry) && to.is_some_and(|to| way.off(to).abs() <= 60)
        };
        t.of_side(&me).any(|(o, _)| o != id && fits(o) && groups::nearer(t, o, id, near + 1))
    };
    let outer = !beside(90) || !beside(-90);
    let enemy = |e: &UnitId| e != on && matches!(t.arm(e), Arm::Infantry | Arm::Cavalry);
    outer && t.standing().any(|(e, u)| u.side != me && enemy(e) && groups::nearer(t, e, id, near + 1))
}

/// 24.5.17 Who supports a leader who goes to contact: units near enough that guard no flank and still reach the enemy when he,
/// and those before them, stand there; the best ones first.
fn supporters(v: &View, (lead, at): (&UnitId, Pose), on: &UnitId, taken: &BTreeSet<UnitId>) -> Vec<UnitId> {
    let (t, me, Some(solo)) = (&v.table, v.me(), chart(v)) else { return Vec::new() };
    let fits = |id: &UnitId| {
        let near = match t.arm(id) {
            Arm::Infantry => solo.support.infantry,
            Arm::Cavalry => solo.support.cavalry,
            Arm::Artillery | Arm::Hq => return false,
        };
        let back = groups::order(v, id).is_some_and(|s| s.tactic == Tactic::Back);
        let free = id != lead && !taken.contains(id) && !back && !march::holds(v, id);
        free && groups::nearer(t, lead, id, near + 1) && !flank_guard(v, id, on)
    };
    let mut able: Vec<UnitId> = t.of_side(&me).map(|(id, _)| id).filter(|id| fits(id)).cloned().collect();
    able.sort_by_key(|id| (-own(t, id), id.clone()));
    let mut then = moved(v, lead, at);
    let mut found = Vec::new();
    for id in able {
        if found.len() >= solo.support.most {
            break;
        }
        if let Some(at) = contact(&then, &id, on) {
            then = moved(&then, &id, at);
            found.push(id);
        }
    }
    found
}

/// The same view with a unit elsewhere.
fn moved(v: &View, id: &UnitId, to: Pose) -> View {
    let mut then = v.clone();
    if let Some(unit) = then.table.units.get_mut(id) {
        unit.pose = to;
    }
    then
}

/// Whether planned attacks still find their way when a unit stands elsewhere.
pub fn leaves_room(v: &View, (id, to): (&UnitId, Pose), planned: &[Attack]) -> bool {
    let then = moved(v, id, to);
    // Whom neither its old place nor its new one could touch, it does not hinder; 12.9.1: who rages minds what he sees.
    let grounds = [v.table.shape(id), then.table.shape(id)];
    let free = |by: &UnitId| {
        let calm = v.table.unit(by).is_some_and(|u| !u.has(Mark::Rage));
        calm && !grounds.iter().any(|ground| approach::may_meet(&v.table, by, ground))
    };
    let goes = |by: &UnitId, on: &UnitId| free(by) || !reaches(v, by, on) || reaches(&then, by, on);
    planned.iter().all(|attack| attack.by.iter().all(|by| goes(by, &attack.on)))
}

/// 24.5.17, 24.8, 22.3 The assaults of a Movement Phase: each enemy is attacked under the best combat modifier that reaches
/// him, with support, where that promises no loss; the first so many of them.
pub fn attacks(v: &View, done: &BTreeSet<UnitId>, most: usize) -> Vec<Attack> {
    let (t, me) = (&v.table, v.me());
    let mut taken: BTreeSet<UnitId> = done.clone();
    let mut leaders: Vec<UnitId> = t.of_side(&me).map(|(id, _)| id.clone()).collect();
    leaders.retain(|id| !taken.contains(id) && !march::holds(v, id) && groups::order(v, id).is_some());
    leaders.sort_by_key(|id| (-own(t, id), id.clone()));
    let mut found: Vec<Attack> = Vec::new();
    for lead in leaders {
        if found.len() >= most {
            break;
        }
        if taken.contains(&lead) {
            continue;
        }
        let wanted = groups::order(v, &lead).and_then(|s| s.on.clone());
        let near = t.enemies_by_gap(&lead).into_iter().take(3);
        // One attack on an enemy: whoever else reaches him supports it, or stays where he is.
        let free = |e: &UnitId| !found.iter().any(|a| a.on == *e) && !t.combats.iter().any(|c| c.on == *e);
        let mut enemies: Vec<UnitId> =
            wanted.into_iter().chain(near).filter(|e| t.arm(e) != Arm::Hq && free(e)).collect();
        enemies.dedup();
        let plan = |on: &UnitId| {
            let at = contact(v, &lead, on).filter(|at| leads(v, &lead, on, *at))?;
            let support = supporters(v, (&lead, at), on, &taken);
            let gain = worth(t, (&lead, at), on, support.len(), false);
            (gain >= 0).then(|| Attack { by: std::iter::once(lead.clone()).chain(support).collect(), on: on.clone() })
        };
        if let Some(attack) = enemies.iter().find_map(plan) {
            taken.extend(attack.by.iter().cloned());
            found.push(attack);
        }
    }
    found
}
