//! 4.2 Fatigue Checks and what comes of them.

use super::event::Event;
use super::state::{Fate, Mood};
use super::{BraveFellows, eyes, flee, stacks};
use crate::rules::cx::Cx;
pub(super) use crate::rules::tactical::roll::Named;
use crate::rules::tactical::sum::Sum;

/// The driver of this ruleset.
pub(super) type At<'a> = Cx<'a, BraveFellows>;

/// 4.2.1 The reasons of a check that fatigues who fails it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// 6.1.7
    OutOfCommand,
    /// 4.1.9
    OverStack,
    /// 6.2.11c, 6.2.13a
    ToCharge,
    /// 6.2.11d
    Charged,
    /// 6.4.3
    ToAttack,
    /// 6.4.5, 6.7.11
    ToDefend,
    /// 6.5.3, 6.5.4
    LeaderLoss,
    /// 6.6.3
    NoRetreat,
    /// 6.6.4
    IntoFront,
    /// 6.7.12
    RunInto,
    /// 6.3.8f
    UnderFire,
    /// 7.1.1
    Recover,
    /// 7.1.1
    Rally,
}

impl Why {
    /// Its name in labels and events.
    fn word(self) -> &'static str {
        match self {
            Why::OutOfCommand => "out_of_command",
            Why::OverStack => "over_stack",
            Why::ToCharge => "attempt_charge",
            Why::Charged => "being_charged",
            Why::ToAttack => "attacker_melee",
            Why::ToDefend => "defender_melee",
            Why::LeaderLoss => "leader_loss",
            Why::NoRetreat => "unable_to_retreat",
            Why::IntoFront => "retreat_into_front",
            Why::RunInto => "routing_unit_entered",
            Why::UnderFire => "fire_result",
            Why::Recover => "remove_fatigue",
            Why::Rally => "rally_from_rout",
        }
    }
}

/// 4.2.2 One d6 with its modifiers against the FV of the face that shows; 4.2.2b the best leader at hand takes his CV off.
/// Whether it passed, and the result.
pub(super) fn check(cx: &mut At<'_>, unit: &str, why: Why, mut sum: Sum) -> (bool, i32) {
    sum.add("leader", -cx.state().led_by(unit));
    let need = cx.state().fv(unit);
    let label = eyes::of_unit(cx, why.word(), unit);
    let die = cx.d6(&label);
    let result = die + sum.total();
    let passed = result <= need;
    cx.emit(Event::Checked { unit: unit.to_owned(), why: why.word().to_owned(), die, sum, need, passed });
    (passed, result)
}

/// 4.2.2a, 6.7.1 A check after which who fails turns over, or routs if it was fatigued.
pub(super) fn endure(cx: &mut At<'_>, unit: &str, why: Why, sum: Sum) -> bool {
    let (passed, _) = check(cx, unit, why, sum);
    if !passed {
        worsen(cx, unit);
    }
    passed
}

/// 4.2.4a, 6.7.1 A fresh unit becomes fatigued, a fatigued one routs and runs at once; a router is no worse.
pub(super) fn worsen(cx: &mut At<'_>, unit: &str) {
    match cx.state().units.get(unit).filter(|u| u.hex.is_some()).map(|u| u.mood) {
        // 8.2.5
        Some(Mood::Fresh) if cx.state().is_battery(unit) => {}
        Some(Mood::Fresh) => cx.emit(Event::Became { unit: unit.to_owned(), mood: Mood::Fatigued }),
        Some(Mood::Fatigued) => rout(cx, unit),
        Some(Mood::Routed) | None => {}
    }
}

/// 6.7.2, 6.7.3 A unit routs, and runs twice its allowance at once; 8.2.5 guns of the Grand Battery are lost instead.
pub(super) fn rout(cx: &mut At<'_>, unit: &str) {
    if cx.state().is_battery(unit) {
        return fall(cx, unit, Fate::Eliminated);
    }
    cx.emit(Event::Became { unit: unit.to_owned(), mood: Mood::Routed });
    let twice = 2 * cx.state().ma(unit);
    flee::rout(cx, unit, twice, flee::Run::Begun);
}

/// 5.3, 6.7.11 A unit leaves the game.
pub(super) fn fall(cx: &mut At<'_>, unit: &str, how: Fate) {
    if cx.state().is(unit, |u| u.hex.is_some()) {
        // 8.4.4 With its men the Strong Point is gone.
        if cx.state().in_strong_point(unit) {
            let hex = cx.state().board.printed.strong_point;
            cx.emit(Event::Razed { hex });
        }
        cx.emit(Event::Fell { unit: unit.to_owned(), how });
        stacks::forget(cx);
    }
}
