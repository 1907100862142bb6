//! 19, 19.1 The alternate rout rule: who runs into friends leaves the map and may come back.

use super::board::{Arm, UnitId};
use super::event::{End, Fact};
use super::fog::deploy::nearest;
use super::hands::{Hand, ask, d6, leave_combat, table, tell};
use super::load::{default_form, fits};
use super::morale::{Bereaved, remove};
use super::prompt::{Answer, Prompt};
use super::state::ReturnPlan;
use super::table::{Formation, Pose, Table, um};
use crate::fog::SideId;
use crate::orders::Fault;
use crate::plane::shape::Shape;
use crate::plane::{Heading, UM};
use crate::rules::Play;

/// 19.2 Up to this die a unit comes back at half strength.
const HALF: i32 = 4;
/// 19.4 How near its HQ a unit comes back.
const NEAR: i32 = 2 * UM;

/// 19.2, 19.5 A routed unit has run into a friend: on a 1 it is eliminated with the HQ that is with it; else it leaves the
/// map for as many turns as the die says, and the HQ for one.
pub fn away(cx: &mut Hand<'_>, id: &UnitId) -> Bereaved {
    let die = d6(cx, "rout", id);
    if die == 1 {
        return remove(cx, id, End::Collision);
    }
    let turn = table(cx).turn;
    let hq = table(cx).hq_with(id).cloned();
    leave_combat(cx, id);
    let due = turn + u32::try_from(die).unwrap_or(0);
    tell(cx, Fact::Away { unit: id.clone(), die: Some(die), due });
    if let Some(unit) = hq {
        tell(cx, Fact::Away { unit, die: None, due: turn + 1 });
    }
    Bereaved::default()
}

/// 19.3 At the beginning of its Rally a side's units come back that are due; HQs first, since the others come to them.
/// Nobody comes back after the last turn (19.2).
pub fn returns(cx: &mut Hand<'_>, side: &SideId) -> Play<()> {
    let t = table(cx);
    let due = |id: &UnitId, when: u32| when <= t.turn && t.side(id) == *side;
    let mut back: Vec<UnitId> = t.away.iter().filter(|(id, when)| due(id, **when)).map(|(id, _)| id.clone()).collect();
    back.sort_by_key(|id| (t.arm(id) != Arm::Hq, id.clone()));
    for id in back {
        let t = table(cx);
        // 19.4: who has nobody to come to waits.
        let Some(beside) = rallying_point(t, &id) else { continue };
        let facing = toward_enemy(t, &id, beside);
        if t.arm(&id) == Arm::Hq {
            let form = default_form(Arm::Hq);
            let pose = nearest(t, &id, form, Pose { at: beside.at, facing });
            tell(cx, Fact::Returned { unit: id, die: None, steps: 1, pose, form });
            continue;
        }
        come_back(cx, &id, Pose { at: beside.at, facing })?;
    }
    Ok(())
}

/// 19.4, 19.5 To whom a unit would come back as things stand.
pub fn beside(t: &Table, id: &UnitId) -> Option<Pose> {
    rallying_point(t, id)
}

/// 5.1, 19.4 Whether a unit may come back at a place, in a formation.
///
/// # Errors
/// Why not, and how far off it is.
pub fn may_return(t: &Table, id: &UnitId, plan: &ReturnPlan) -> Result<(), Fault> {
    let Some(form) = plan.form.or_else(|| Some(default_form(t.arm(id)))).filter(|f| fits(t.arm(id), *f)) else {
        let form = plan.form.map_or("", Formation::word);
        return Err(Fault::refused(format!("{id} can't be {form}"), "5.1"));
    };
    let Some(to) = rallying_point(t, id) else {
        return Err(Fault::refused(format!("{id} has nobody to come back to as things stand"), "19.4"));
    };
    let shape = Shape::block(Pose { at: plan.at, facing: to.facing }.stand(), t.board.tables.size(form));
    let gap = shape.gap_to(to.at.fine());
    if gap.within(NEAR) {
        return Ok(());
    }
    let (far, most) = (um(gap.units()), um(NEAR));
    let why = format!("{} is {far} UM from those to whom {id} comes back, at {}; it may be {most} UM", plan.at, to.at);
    Err(Fault::refused(why, "19.4"))
}

/// 19.2, 19.4 A unit comes back, stunned, in a formation of its owner's choosing: at half strength on 1 to 4.
fn come_back(cx: &mut Hand<'_>, id: &UnitId, wanted: Pose) -> Play<()> {
    let two = matches!(table(cx).arm(id), Arm::Infantry | Arm::Cavalry);
    let die = two.then(|| d6(cx, "return", id));
    let steps = if two && die.is_some_and(|d| d > HALF) { 2 } else { 1 };
    let forms =
        if two { vec![Formation::Line, Formation::Column] } else { vec![Formation::Limbered, Formation::Unlimbered] };
    let side = table(cx).side(id);
    let plan = cx.state().hidden.get(&side).and_then(|h| h.returns.get(id)).copied();
    // The HQ may have ridden off since the order was written.
    let plan = plan.filter(|plan| may_return(table(cx), id, plan).is_ok());
    let wanted = Pose { at: plan.map_or(wanted.at, |plan| plan.at), ..wanted };
    if let Some(form) = plan.and_then(|plan| plan.form) {
        let pose = nearest(table(cx), id, form, wanted);
        tell(cx, Fact::Returned { unit: id.clone(), die, steps, pose, form });
        return Ok(());
    }
    let seat = super::hands::seat_of(cx, id);
    let prompt = Prompt::Deploy { unit: id.clone(), forms, facing: wanted.facing, berth: "CENTRE", beside: None };
    let Answer::Berth(form, facing, _) = ask(cx, &seat, prompt)? else { return Ok(()) };
    let pose = nearest(table(cx), id, form, Pose { at: wanted.at, facing });
    tell(cx, Fact::Returned { unit: id.clone(), die, steps, pose, form });
    Ok(())
}

/// 19.4, 19.5 To whom a unit comes back: its corps' HQ, or the army's commander if that is gone; an HQ comes back to a unit
/// of its corps.
fn rallying_point(t: &Table, id: &UnitId) -> Option<Pose> {
    let spec = t.spec(id)?;
    let own = |other: &&UnitId| t.side(other) == spec.side;
    let corps = |other: &&UnitId| t.spec(other).is_some_and(|s| s.corps == spec.corps);
    let staff = |other: &&UnitId| t.arm(other) == Arm::Hq;
    let army = |other: &&UnitId| t.spec(other).is_some_and(|s| s.army);
    let on_field = || t.units.keys().filter(own);
    let found = if spec.arm == Arm::Hq {
        on_field().find(|o| !staff(o) && corps(o))
    } else {
        on_field().find(|o| staff(o) && corps(o) && !army(o)).or_else(|| on_field().find(|o| staff(o) && army(o)))
    };
    found.and_then(|o| t.unit(o)).map(|u| u.pose)
}

fn toward_enemy(t: &Table, id: &UnitId, from: Pose) -> Heading {
    let side = t.side(id);
    let square = |u: &super::table::Unit| {
        let (dx, dy) = (i64::from(u.pose.at.x - from.at.x), i64::from(u.pose.at.y - from.at.y));
        dx * dx + dy * dy
    };
    let enemy = t.standing().filter(|(_, u)| u.side != side).min_by_key(|(id, u)| (square(u), (*id).clone()));
    let way = enemy.and_then(|(_, u)| Heading::between(from.at.fine(), u.pose.at.fine()));
    way.unwrap_or(from.facing)
}
