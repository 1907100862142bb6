//! 5.4.5 The hasty square of infantry that cavalry is about to attack.

use super::board::UnitId;
use super::event::{Cause, Why};
use super::hands::{Hand, ask, seat_of, stand, table};
use super::morale::{check, set_mood};
use super::moves;
use super::prompt::{Answer, Prompt};
use super::table::{Face, Formation, Mood, Table};
use crate::rules::Play;

/// 5.4.5.1 What a reaction square adds to the check.
pub fn square_modifier(t: &Table, on: &UnitId, face: Face) -> i32 {
    match (face, t.unit(on).map(|u| u.form)) {
        (Face::Flank | Face::Rear, _) => -2,
        (Face::Front, Some(Formation::Line)) => -1,
        (Face::Front, _) => 0,
    }
}

/// 5.4.5, 5.4.5.1 Infantry about to be attacked by cavalry may try to form square; says what became of the try.
pub(super) fn try_square(cx: &mut Hand<'_>, by: &UnitId, on: &UnitId, face: Face) -> Play<Tried> {
    let t = table(cx);
    let Some(unit) = t.unit(on).cloned() else { return Ok(Tried::Not) };
    let fit = unit.mood == Mood::Fit && matches!(unit.form, Formation::Line | Formation::Column);
    if !fit || moves::room_for(t, on, unit.pose, Formation::Square).is_err() {
        return Ok(Tried::Not);
    }
    let need = super::morale::rating(t, on) + square_modifier(t, on, face);
    let seat = seat_of(cx, on);
    let prompt = Prompt::Square { unit: on.clone(), by: by.clone(), need };
    if ask(cx, &seat, prompt)? != Answer::Word("YES") {
        return Ok(Tried::Not);
    }
    let modifier = square_modifier(table(cx), on, face);
    let checked = check(cx, on, Cause::Square, modifier);
    if checked.catastrophe {
        return Ok(Tried::Broke);
    }
    if checked.passed {
        stand(cx, on, Why::Formed, unit.pose, Formation::Square, 0, &[]);
        return Ok(Tried::Formed);
    }
    set_mood(cx, on, Mood::S);
    Ok(Tried::Failed)
}

/// What became of a reaction square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tried {
    /// It was not tried.
    Not,
    /// The square stands.
    Formed,
    /// The unit is stunned.
    Failed,
    /// The unit broke.
    Broke,
}
