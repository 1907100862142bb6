//! 10.3, 11, 13.4 The Combat/Fire table applied: one list of results for fire and for close combat.

use super::board::UnitId;
use super::event::{Cause, End, Fact};
use super::hands::{Hand, table, tell};
use super::morale::{self, check, gone, rout};
use super::retreat;
use super::table::Mood;
use super::tables::Back;
use crate::plane::Fine;
use crate::rules::Play;

/// A total that strikes a unit.
pub struct Blow<'a> {
    /// Whom.
    pub on: &'a UnitId,
    /// The total of the fire, or the difference of the combat.
    pub total: i32,
    /// Where it comes from.
    pub from: Fine,
    /// For the label of the check.
    pub cause: Cause,
    /// 10.4.3.5, A-13 What a failed check does instead of the table's effect: nothing of it, if musketry before an assault;
    /// what the table does without a check, and a double 6, stay.
    pub assault: bool,
    /// 13.12.4 Cavalry led the attack: whoever routs is annihilated.
    pub ridden: bool,
}

/// What it did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Struck {
    /// The check failed.
    pub failed: bool,
    /// By how much, where musketry before an assault wants to know.
    pub excess: i32,
    /// The unit is no longer where it stood, or no longer at all.
    pub away: bool,
}

/// 10.3, 12.11, 13.5.1, 13.10 Applies a row: step first, then what comes of itself, then the check, then the way back.
pub fn strike(cx: &mut Hand<'_>, blow: &Blow<'_>) -> Play<Struck> {
    let row = table(cx).board.tables.row(blow.total);
    let mut struck = Struck::default();
    let Some(place) = table(cx).unit(blow.on).map(|u| u.pose) else { return Ok(struck) };
    if row.eliminated {
        gone(cx, blow.on, ending(blow.cause), blow.from)?;
        return Ok(Struck { failed: true, excess: 0, away: true });
    }
    if row.steps > 0 && !lose_step(cx, blow)? {
        return Ok(Struck { failed: true, excess: 0, away: true });
    }
    let mut fail = row.auto;
    if let Some(modifier) = row.check {
        let checked = check(cx, blow.on, blow.cause, modifier);
        struck.failed = !checked.passed;
        struck.excess = checked.excess;
        if checked.catastrophe {
            flight(cx, blow)?;
            struck.away = true;
            return Ok(struck);
        }
        if !(checked.passed || blow.assault && row.auto.is_none()) {
            fail = row.fail;
        }
    }
    if let Some(fail) = fail {
        struck.failed = true;
        into(cx, blow, fail, row.retreat)?;
    }
    struck.away = table(cx).unit(blow.on).is_none_or(|u| u.pose != place);
    Ok(struck)
}

/// 13.5.1 A step goes; says whether the unit is still there.
fn lose_step(cx: &mut Hand<'_>, blow: &Blow<'_>) -> Play<bool> {
    let steps = table(cx).unit(blow.on).map_or(0, |u| u.steps);
    if steps <= 1 {
        gone(cx, blow.on, End::Steps, blow.from)?;
        return Ok(false);
    }
    tell(cx, Fact::Step1 { unit: blow.on.clone(), left: steps - 1 });
    Ok(true)
}

/// 12.11, 13.10 The state, and the way back that goes with it.
fn into(cx: &mut Hand<'_>, blow: &Blow<'_>, fail: Mood, how: Option<Back>) -> Play<()> {
    let Some(now) = table(cx).unit(blow.on).map(|u| u.mood) else { return Ok(()) };
    match morale::worse(now, fail) {
        None => gone(cx, blow.on, End::Morale, blow.from),
        Some(Mood::R) => flight(cx, blow),
        Some(mood) => {
            morale::set_mood(cx, blow.on, mood);
            match how {
                None => Ok(()),
                Some(how) => retreat::back(cx, blow.on, blow.from, how),
            }
        }
    }
}

/// 12.5.3 It routs; 13.12.4 if cavalry led the attack it is annihilated.
fn flight(cx: &mut Hand<'_>, blow: &Blow<'_>) -> Play<()> {
    if blow.ridden {
        return morale::annihilate(cx, blow.on, blow.from);
    }
    rout(cx, blow.on, blow.from)
}

fn ending(cause: Cause) -> End {
    if cause == Cause::Combat { End::Combat } else { End::Fire }
}

/// 13.15.1.2 A battery is overrun: removed, and nobody is shaken (EX.2).
pub fn overrun(cx: &mut Hand<'_>, battery: &UnitId) -> Play<()> {
    let at = table(cx).centre(battery);
    gone(cx, battery, End::Overrun, at)
}
