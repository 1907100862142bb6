//! 13.6-13.7 Who fights and would rather not: the way out of a combat that goes on.

use super::board::UnitId;
use super::event::{Cause, Why};
use super::hands::{Hand, leave_combat, mark, stand, table};
use super::morale::{check, rout};
use super::table::{Mark, Table};
use crate::fog::SideId;
use crate::rules::{Outcome, Play};

/// 12.9.2, 13.6, 13.7 DISENGAGE: a check, then 1/2 UM back; A-29: keeping its front, and it fails where there is no room for that.
/// of the guns in works those in the Santon alone may not.
pub fn disengage(cx: &mut Hand<'_>, side: &SideId, id: &UnitId) -> Play<()> {
    let t = table(cx);
    let refusal = match (t.unit(id).filter(|u| u.side == *side), t.combat_of(id)) {
        (None, _) => Some((format!("{id} is no unit of yours on the field"), "13.6")),
        (_, None) => Some((format!("{id} is in no combat"), "13.6")),
        (Some(unit), _) if unit.has(Mark::Rage) => {
            Some((format!("{id} is in a Blood Rage and never disengages"), "12.9.2"))
        }
        (Some(unit), _) if unit.has(Mark::Disengaged) => Some((format!("{id} has tried already in this turn"), "13.6")),
        (Some(_), _) if t.spec(id).is_some_and(|s| s.corps == "Santon") => {
            Some(("the guns in the Santon cannot disengage".to_owned(), "13.7"))
        }
        _ => None,
    };
    if let Some((why, rule)) = refusal {
        cx.outcome(Outcome::Refused { why, rule: rule.to_owned(), copy: None });
        return Ok(());
    }
    let foe = foe_in_combat(t, id);
    let checked = check(cx, id, Cause::Disengage, 0);
    // 12.9.2: a double 1 passes the check and bars the way out.
    if table(cx).unit(id).is_some_and(|u| u.has(Mark::Rage)) {
        let why = format!("{id} is in a Blood Rage and fights on");
        cx.outcome(Outcome::Failed { why, rule: "12.9.2".to_owned() });
        return Ok(());
    }
    mark(cx, id, Mark::Disengaged, true);
    let Some(foe) = foe else { return Ok(()) };
    if checked.catastrophe {
        let from = table(cx).centre(&foe);
        return rout(cx, id, from);
    }
    if !checked.passed {
        cx.outcome(Outcome::Failed {
            why: format!("{id} did not pass its check and fights on"),
            rule: "13.6".to_owned(),
        });
        return Ok(());
    }
    let t = table(cx);
    let Some((unit, (to, true))) = t.unit(id).zip(super::muskets::half_off(t, id, &foe)) else {
        let why = format!("{id} has no room to go back 1/2 UM and fights on");
        cx.outcome(Outcome::Failed { why, rule: "13.6".to_owned() });
        return Ok(());
    };
    let form = unit.form;
    leave_combat(cx, id);
    stand(cx, id, Why::Halted, to, form, 0, &[]);
    Ok(())
}

/// Whom a unit fights: the leader where it is attacked, else who is attacked.
fn foe_in_combat(t: &Table, id: &UnitId) -> Option<UnitId> {
    t.combat_of(id).map(|c| if c.on == *id { c.lead.clone() } else { c.on.clone() })
}
