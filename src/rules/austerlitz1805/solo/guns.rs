//! 24.3, 24.4, 24.5.7, 24.6.8, 27.5 The side's batteries: at whom they fire, and how they move.

use super::chart::Tactic;
use super::{groups, march};
use crate::plane::near::apart;
use crate::rules::austerlitz1805::board::{Arm, UnitId};
use crate::rules::austerlitz1805::moves::{self, Move};
use crate::rules::austerlitz1805::table::{Formation, Mark, Mood, Table};
use crate::rules::austerlitz1805::view::View;
use crate::rules::austerlitz1805::{approach, assault, guns, sight, words};

/// 28.1.2 Guns go only where infantry or cavalry stands so near.
const COVERED: i32 = 1_500;
/// Guns that follow keep so far behind.
const BEHIND: i32 = 700;

/// 24.3.1 Whether an enemy could come at a battery in his next player-turn.
pub fn threatens(t: &Table, e: &UnitId, battery: &UnitId) -> bool {
    let able = t.unit(e).is_some_and(|u| u.mood == Mood::Fit) && matches!(t.arm(e), Arm::Infantry | Arm::Cavalry);
    let reach = if t.arm(e) == Arm::Cavalry { t.board.tables.moves.cavalry } else { t.board.tables.moves.infantry };
    let near = able && groups::nearer(t, e, battery, reach + 100);
    near && assault::may_attack(t, &t.side(e), e, battery).is_ok() && approach::approach(t, e, battery).is_some()
}

/// 24.3.1, 24.3.2 The target of Defensive Fire: canister before all, then who could attack the battery, then the nearest.
pub fn most_dangerous<'o>(t: &Table, battery: &UnitId, options: &'o [(UnitId, bool)]) -> Option<&'o (UnitId, bool)> {
    options.iter().min_by_key(|(e, canister)| (!canister, !threatens(t, e, battery), t.gap(battery, e), e.clone()))
}

/// 24.4.1, 24.4.2 The target of Preparation Fire: canister before all, then whom a unit of the side is to attack, then the
/// disorganized, then the nearest.
fn prepared<'o>(v: &View, battery: &UnitId, options: &'o [(UnitId, bool)]) -> Option<&'o (UnitId, bool)> {
    let t = &v.table;
    let meant = |e: &UnitId| {
        v.own
            .np
            .orders
            .values()
            .any(|s| matches!(s.tactic, Tactic::Assault | Tactic::Charge) && s.on.as_ref() == Some(e))
    };
    let shaken = |e: &UnitId| t.unit(e).is_some_and(|u| u.mood >= Mood::D);
    options.iter().min_by_key(|(e, canister)| (!canister, !(meant(e) || shaken(e)), t.gap(battery, e), e.clone()))
}

/// 24.4 The line of a battery in the Preparation Fire Phase: it fires whenever it can, unless its order is to go back.
pub fn preparation(v: &View, id: &UnitId) -> Option<String> {
    let t = &v.table;
    let fired = t.unit(id).is_none_or(|u| u.has(Mark::Fired));
    let back = groups::order(v, id).is_some_and(|s| s.tactic == Tactic::Back);
    if t.arm(id) != Arm::Artillery || fired || back || guns::ready(t, id).is_err() {
        return None;
    }
    let options = guns::targets(t, id);
    let (on, canister) = prepared(v, id, &options)?;
    Some(format!("BOMBARD {id} AT {on} {}", if *canister { "CANISTER" } else { "ROUND" }))
}

/// 24.6.8 Whether an enemy is in a battery's sight, or in its range and in the sight of a friend within that range.
fn in_view(t: &Table, id: &UnitId) -> bool {
    let range = t.sight.unwrap_or(t.board.tables.templates.round.0);
    let side = t.side(id);
    let sees = |e: &UnitId| {
        let friend = |o: &UnitId| groups::nearer(t, o, id, range + 1) && sight::sees(t, o, e).is_ok();
        sight::sees(t, id, e).is_ok() || t.of_side(&side).any(|(o, _)| o != id && friend(o))
    };
    t.standing().any(|(e, u)| u.side != side && t.arm(e) != Arm::Hq && groups::nearer(t, id, e, range + 1) && sees(e))
}

/// 24.5.7, 24.6.8, 27.5, 27.6 The next line of a battery in the Movement Phase.
pub fn movement(v: &View, id: &UnitId) -> Option<String> {
    let (t, me) = (&v.table, v.me());
    let unit = t.unit(id)?;
    let can = |mv: Move, line: String| moves::trace(t, &me, id, &mv).is_ok().then_some(line);
    let limber = || can(Move::Form(Formation::Limbered), format!("FORM {id} LIMBERED"));
    if groups::order(v, id).is_some_and(|s| s.tactic == Tactic::Back) && !march::holds(v, id) {
        return if unit.form == Formation::Unlimbered { limber() } else { march::withdraw(v, id) };
    }
    let off = unit.pose.facing.off(words::toward_enemy(t, id));
    let to = unit.pose.facing.turned(off.clamp(-90, 90));
    if in_view(t, id) {
        let turned = || (off.abs() > super::FRONT).then(|| can(Move::Turn(to), format!("TURN {id} {to}"))).flatten();
        return match unit.form {
            // 27.5: it does not move to bring a target into range; it may turn to one.
            Formation::Unlimbered if guns::targets(t, id).is_empty() => turned(),
            Formation::Unlimbered => None,
            _ => turned().or_else(|| can(Move::Form(Formation::Unlimbered), format!("FORM {id} UNLIMBERED"))),
        };
    }
    if march::holds(v, id) {
        return None;
    }
    let goal = follows(v, id)?;
    if unit.form == Formation::Unlimbered {
        return limber();
    }
    march::turn(v, id, goal).or_else(|| covered(v, id, goal))
}

/// 24.5.7 Whom a battery goes with: the nearest infantry or cavalry of its corps, else of its side; nobody where it is with
/// them already.
fn follows(v: &View, id: &UnitId) -> Option<crate::plane::Spot> {
    let (t, me) = (&v.table, v.me());
    let corps = t.board.group(id);
    let able = |(o, u): &(&UnitId, &crate::rules::austerlitz1805::table::Unit)| {
        matches!(t.arm(o), Arm::Infantry | Arm::Cavalry) && u.mood == Mood::Fit
    };
    let near =
        t.of_side(&me).filter(able).min_by_key(|(o, _)| (t.board.group(o) != corps, t.gap(id, o), (*o).clone()))?;
    let (friend, unit) = near;
    let behind = t.centre(friend).toward(unit.pose.facing.turned(180), BEHIND).spot();
    (!groups::nearer(t, id, friend, COVERED)).then_some(behind)
}

/// 28.1.2 A march of guns that ends with a friend near who stands between them and the enemy, or out of his reach.
fn covered(v: &View, id: &UnitId, goal: crate::plane::Spot) -> Option<String> {
    let (t, me) = (&v.table, v.me());
    let safe = |most: i32| {
        let mv = Move::Toward { goal, units: Some(most), face: None };
        let Ok(trace) = moves::trace(t, &me, id, &mv) else { return false };
        let at = trace.pose.at.fine();
        let reach = t.board.tables.moves.cavalry;
        let enemies: Vec<&UnitId> = t.standing().filter(|(_, u)| u.side != me).map(|(e, _)| e).collect();
        let near = |e: &&UnitId| apart(t.centre(e), at).within(reach);
        let screened = |e: &UnitId| {
            t.of_side(&me).any(|(o, _)| {
                let fights = matches!(t.arm(o), Arm::Infantry | Arm::Cavalry);
                fights
                    && apart(t.centre(o), at).within(COVERED)
                    && apart(t.centre(o), t.centre(e)) < apart(at, t.centre(e))
            })
        };
        enemies.into_iter().filter(near).all(screened)
    };
    let left = moves::left(t, id);
    let most = [left, left / 2, left / 4].into_iter().find(|most| *most > 0 && safe(*most))?;
    march::advance(v, id, goal, most)
}
