//! What a fact says by those beside it: what came of it, and what becomes of its unit.

use super::super::words::ending;
use crate::report::austerlitz1805::pen::mood;
use crate::rules::austerlitz1805::board::UnitId;
use crate::rules::austerlitz1805::event::{Check, End, Fact, Mod, Why};
use crate::rules::austerlitz1805::table::{Combat, Mark};

/// Modifiers, their figures alone: WHY and the rules have what for.
pub(super) fn plus(mods: &[Mod]) -> String {
    mods.iter().map(|(_, n)| format!(" {n:+}")).collect()
}

/// Whether something is otherwise after a fact than before.
pub(super) fn changes(fact: &Fact) -> bool {
    matches!(
        fact,
        Fact::Checked { .. }
            | Fact::Mood { .. }
            | Fact::Step1 { .. }
            | Fact::Gone { .. }
            | Fact::Ended { .. }
            | Fact::Stood { .. }
    )
}

/// What a check came to: the state that it brings, if it brings one.
pub(super) fn outcome(check: &Check, rest: &[&Fact]) -> String {
    match (raised(check, rest), check.passed) {
        (Some(state), _) => format!(": {state}"),
        (None, true) => ": holds".to_owned(),
        (None, false) => ": fails".to_owned(),
    }
}

/// The state that a check brings, if it brings one.
pub(super) fn raised(check: &Check, rest: &[&Fact]) -> Option<&'static str> {
    let next =
        rest.iter().take_while(|f| !matches!(f, Fact::Checked { .. } | Fact::Fired { .. } | Fact::Fought { .. }));
    next.into_iter().find_map(|f| match f {
        Fact::Mood { unit, mood: now } if *unit == check.unit => Some(mood(*now)),
        _ => None,
    })
}

/// Why a unit is eliminated, and the paragraph.
pub(super) fn gone(why: End) -> (&'static str, &'static str) {
    let said = ending(why);
    let (words, rule) = said.split_once(". [").unwrap_or((said.trim_end_matches('.'), "12.3"));
    (words, rule.trim_end_matches(']'))
}

/// What becomes of a unit after it has come to a place.
pub(super) enum Onward {
    /// It stands there.
    Stays,
    /// It goes on, so that the place is none to be told.
    Goes,
    /// It is eliminated, which tells all.
    Ends,
}

/// What becomes of a unit by the facts that follow in the same paragraph.
pub(super) fn onward(unit: &UnitId, rest: &[&Fact]) -> Onward {
    let leaves = |f: &&Fact| match f {
        Fact::Stood { unit: other, why, .. } => other == unit && *why != Why::Reformed,
        Fact::Gone { unit: other, .. } => other == unit,
        _ => false,
    };
    let checked = |f: &&Fact| matches!(f, Fact::Checked { check } if check.unit == *unit);
    match rest.iter().find(|f| leaves(f) || checked(f)) {
        Some(Fact::Gone { .. }) => Onward::Ends,
        Some(_) if rest.iter().any(leaves) => Onward::Goes,
        Some(_) | None => Onward::Stays,
    }
}

/// Whether a fact is the combat of an attack.
pub(super) fn of_one(fact: &Fact, combat: &Combat) -> bool {
    matches!(fact, Fact::Fought { fought } if (&combat.lead, &combat.on) == (&fought.lead, &fought.on))
}

/// What a mark says that is laid or taken away.
pub(super) fn marked(mark: Mark, on: bool) -> Option<&'static str> {
    Some(match (mark, on) {
        (Mark::Rage, true) => "Blood Rage",
        (Mark::Rage, false) => "Blood Rage ends",
        (Mark::Crewless, true) => "crew abandons guns",
        (Mark::Crewless, false) => "crew back at the guns",
        (Mark::Leaderless, true) => "falls back: HQ eliminated",
        (Mark::Leaderless, false) => "falls back no longer",
        (Mark::Empty2, true) => "out of ammunition",
        (Mark::Empty1, false) => "has ammunition again",
        (Mark::Deceived, true) => "met a decoy and stays for this turn",
        _ => return None,
    })
}
