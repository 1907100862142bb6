//! 24.5.14, 26 HQs: with the best unit of their command at full strength, and away from one that has lost a step.

use crate::rules::austerlitz1805::board::{Arm, UnitId};
use crate::rules::austerlitz1805::close::own;
use crate::rules::austerlitz1805::moves::carry::may_attach;
use crate::rules::austerlitz1805::table::{Mood, Table};
use crate::rules::austerlitz1805::view::View;

/// 26.1 Whether a unit is at full strength, in good order and in no combat.
fn whole(t: &Table, id: &UnitId) -> bool {
    let two = matches!(t.arm(id), Arm::Infantry | Arm::Cavalry);
    two && t.unit(id).is_some_and(|u| u.steps == 2 && u.mood == Mood::Fit) && t.combat_of(id).is_none()
}

/// 24.5.14, 26.1, 26.2 The line of an HQ: to the best whole unit of its command within its ride; from a unit that has lost a
/// step to the nearest whole one. It leaves nobody in a combat, and goes to nobody in one.
pub fn line(v: &View, hq: &UnitId) -> Option<String> {
    let (t, me) = (&v.table, v.me());
    let unit = t.unit(hq)?;
    let with = unit.with.clone();
    if t.arm(hq) != Arm::Hq || with.as_ref().is_some_and(|w| t.combat_of(w).is_some()) {
        return None;
    }
    let may = |id: &&UnitId| whole(t, id) && may_attach(t, &me, hq, id).is_ok();
    let found: Vec<&UnitId> = t.of_side(&me).map(|(id, _)| id).filter(may).collect();
    let best = found.iter().min_by_key(|id| (-own(t, id), t.gap(hq, id), (**id).clone()));
    let to = match &with {
        Some(now) if whole(t, now) => best.filter(|id| own(t, id) > own(t, now)),
        Some(_) => found.iter().min_by_key(|id| (t.gap(hq, id), (**id).clone())),
        None => best,
    };
    to.map(|to| format!("ATTACH {hq} TO {to}"))
}
