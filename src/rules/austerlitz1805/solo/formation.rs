//! 24.5.13, 25 Formations.

use super::chart::Tactic;
use super::{groups, march};
use crate::rules::austerlitz1805::board::{Arm, Soil, UnitId};
use crate::rules::austerlitz1805::moves::{self, Move};
use crate::rules::austerlitz1805::table::{Face, Formation, Mark, Mood, Table};
use crate::rules::austerlitz1805::terrain::shelter;
use crate::rules::austerlitz1805::view::View;
use crate::rules::austerlitz1805::{approach, assault, words};

/// An assault is formed for when its target is so near.
const FORMING: i32 = 3_000;
/// Infantry that is to fire forms line when the enemy is so near.
const FIRING: i32 = 2_000;
/// Cavalry forms line when an enemy could come so near in two turns.
const RIDING: i32 = 8_000;

/// 24.5.13 How infantry attacks: in column, but in line a column that no ground protects.
pub fn against(t: &Table, on: &UnitId) -> Formation {
    let column = t.unit(on).is_some_and(|u| u.form == Formation::Column) && t.arm(on) == Arm::Infantry;
    let walls = matches!(shelter(t, on), Some(Soil::Settlement | Soil::Fortification));
    if column && !walls { Formation::Line } else { Formation::Column }
}

/// 25.5, A-34 Whether enemy cavalry could charge a unit, or come at its flank or rear, in its next player-turn.
pub fn ridden_at(t: &Table, id: &UnitId) -> bool {
    let reach = t.board.tables.ranges.charge;
    let side = t.side(id);
    let horse = |(e, u): &(&UnitId, &crate::rules::austerlitz1805::table::Unit)| {
        u.side != side && u.mood == Mood::Fit && t.arm(e) == Arm::Cavalry && groups::nearer(t, id, e, reach)
    };
    t.standing().filter(horse).any(|(e, u)| {
        let charged = assault::may_charge(t, &u.side, e, id).is_ok() && approach::gallop(t, e, id).is_ok();
        charged || flanks(t, e, id)
    })
}

/// Whether an enemy's attack would come at a unit's flank or rear.
fn flanks(t: &Table, e: &UnitId, id: &UnitId) -> bool {
    let stands = t.face(id, t.front(e)) != Face::Front;
    stands && assault::may_attack(t, &t.side(e), e, id).is_ok() && approach::approach(t, e, id).is_some()
}

/// 25.2 Whether a unit stands on an objective of its plan, or where the ground protects it.
pub fn good_ground(v: &View, id: &UnitId) -> bool {
    let t = &v.table;
    let place = march::objective(v, id).is_some_and(|p| apart_within(t, id, p.at, p.radius));
    place || matches!(shelter(t, id), Some(Soil::Settlement | Soil::Fortification | Soil::Woods))
}

fn apart_within(t: &Table, id: &UnitId, at: crate::plane::Spot, units: i32) -> bool {
    crate::plane::near::apart(t.centre(id), at.fine()).within(units)
}

/// 24.5.13, 25.1-25.5 The formation that a unit wants now.
pub fn wanted(v: &View, id: &UnitId) -> Option<Formation> {
    let t = &v.table;
    let unit = t.unit(id)?;
    let near = t.nearest_enemy(id);
    let gap = near.as_ref().map_or(i32::MAX, |e| t.gap(id, e).units());
    match t.arm(id) {
        Arm::Infantry => Some(infantry(v, id, near.as_ref(), gap)),
        // 25.4: in line for the charge; on the march in column.
        Arm::Cavalry if gap <= RIDING || march::nearest_chit(v, id).is_some_and(|c| c <= RIDING) => {
            Some(Formation::Line)
        }
        Arm::Cavalry if march::halted(v, id) => Some(Formation::Line),
        Arm::Cavalry => Some(Formation::Column),
        Arm::Artillery | Arm::Hq => Some(unit.form),
    }
}

fn infantry(v: &View, id: &UnitId, near: Option<&UnitId>, gap: i32) -> Formation {
    let t = &v.table;
    let standing = groups::order(v, id);
    if ridden_at(t, id) && square_fits(t, id) {
        return Formation::Square;
    }
    match standing.map(|s| (s.tactic, s.on.as_ref())) {
        Some((Tactic::Assault, on)) if !march::holds(v, id) => match on.or(near).filter(|on| t.unit(on).is_some()) {
            Some(on) if t.gap(id, on).within(FORMING) => against(t, on),
            _ => Formation::Column,
        },
        Some((Tactic::Fire, _)) if gap <= FIRING => Formation::Line,
        // Who goes back loses no time with forming, unless he stands in a square.
        Some((Tactic::Back, _)) => match t.unit(id).map(|u| u.form) {
            Some(form) if form != Formation::Square => form,
            _ => Formation::Column,
        },
        _ if march::halted(v, id) || (good_ground(v, id) && gap <= RIDING) => Formation::Line,
        _ => Formation::Column,
    }
}

/// 5.2 Whether a square finds room where the unit stands.
fn square_fits(t: &Table, id: &UnitId) -> bool {
    let unit = t.unit(id);
    unit.is_some_and(|u| u.form == Formation::Square || moves::room_for(t, id, u.pose, Formation::Square).is_ok())
}

/// 25 The line that gives a unit the formation it wants, if it may take it now.
pub fn line(v: &View, id: &UnitId) -> Option<String> {
    let (t, me) = (&v.table, v.me());
    let unit = t.unit(id)?;
    let form = wanted(v, id).filter(|f| *f != unit.form)?;
    // A square that breaks up stands still for the turn: only where nothing threatens it.
    let bound = unit.has(Mark::Formed) || unit.has(Mark::Moved);
    let fits = !bound && moves::trace(t, &me, id, &Move::Form(form)).is_ok();
    fits.then(|| format!("FORM {id} {}", form.word().to_uppercase()))
}

/// 25.2 The line that turns a standing unit to the nearest enemy, if he lies off its front.
pub fn face(v: &View, id: &UnitId) -> Option<String> {
    let (t, me) = (&v.table, v.me());
    let unit = t.unit(id)?;
    let near = t.nearest_enemy(id)?;
    if unit.form == Formation::Square || !groups::nearer(t, id, &near, RIDING) {
        return None;
    }
    let off = unit.pose.facing.off(words::toward_enemy(t, id));
    if off.abs() <= super::FRONT {
        return None;
    }
    let to = unit.pose.facing.turned(off.clamp(-90, 90));
    moves::trace(t, &me, id, &Move::Turn(to)).is_ok().then(|| format!("TURN {id} {to}"))
}
