//! The hands of the rules: small steps that several chapters take.

use super::Austerlitz;
use super::board::{Arm, Soil, UnitId};
use super::event::{Fact, Mod, Why};
use super::prompt::{Answer, Prompt};
use super::solo;
use super::table::{Combat, Formation, Mark, Mood, Pose, Table};
use crate::dice::Label;
use crate::fog::{SeatId, SideId};
use crate::plane::Fine;
use crate::plane::near::to_side;
use crate::rules::Play;
use crate::rules::cx::Cx;

/// The driver's hands.
pub type Hand<'a> = Cx<'a, Austerlitz>;

/// What lies open.
pub fn table<'c>(cx: &'c Hand<'_>) -> &'c Table {
    &cx.state().table
}

/// Says an open fact.
pub fn tell(cx: &mut Hand<'_>, fact: Fact) {
    cx.emit(fact.into());
}

/// Puts a marker on or takes it off, if that changes anything.
pub fn mark(cx: &mut Hand<'_>, unit: &UnitId, mark: Mark, on: bool) {
    if table(cx).unit(unit).is_some_and(|u| u.has(mark) != on) {
        tell(cx, Fact::Marked { unit: unit.clone(), mark, on });
    }
}

/// 17.1.1.6 A unit is driven to where it dies, and so takes nothing on its way.
pub fn driven(cx: &mut Hand<'_>, unit: &UnitId, why: Why, to: Pose, form: Formation) {
    let Some(from) = table(cx).unit(unit).map(|u| u.pose) else { return };
    tell(cx, Fact::Stood { unit: unit.clone(), why, from, to, form, cost: 0 });
}

/// A unit stands elsewhere; what it passed on its way may change hands.
pub fn stand(cx: &mut Hand<'_>, unit: &UnitId, why: Why, to: Pose, form: Formation, cost: i32, via: &[Fine]) {
    let Some(from) = table(cx).unit(unit).map(|u| u.pose) else { return };
    tell(cx, Fact::Stood { unit: unit.clone(), why, from, to, form, cost });
    // Who is beaten where it stands, and goes nowhere, passes through nothing.
    if matches!(why, Why::Retreated | Why::Fled) && from.at == to.at {
        return;
    }
    let way: Vec<Fine> = if via.len() > 1 { via.to_vec() } else { vec![from.at.fine(), to.at.fine()] };
    pass_places(cx, unit, &way);
}

/// 17.1.1.6 The last side to pass through a place controls it: with any unit, an HQ as well (2.4.7), but not with one that
/// flees, which is no use to its side until it rallies (12.5.3.2). A-53: nobody passes through a place that an enemy holds who
/// stands upon it and does not flee; an HQ that joins a unit is a part of it from the touch on (7.1).
fn pass_places(cx: &mut Hand<'_>, unit: &UnitId, way: &[Fine]) {
    let t = table(cx);
    if t.unit(unit).is_none_or(|u| u.mood == Mood::R) {
        return;
    }
    let side = t.side(unit);
    let held = |p: &super::board::Place| {
        // Upon it, or in the village or works that bear its name; not who only stands at its edge.
        let within = t.board.ground.areas.iter().filter(|a| a.shape.holds(p.at.fine()));
        let walls: Vec<_> = within.filter(|a| matches!(a.soil, Soil::Settlement | Soil::Fortification)).collect();
        let upon = |e: &super::table::Unit| {
            let centre = e.pose.at.fine();
            t.ground(e).holds(p.at.fine()) || walls.iter().any(|a| a.shape.holds(centre))
        };
        t.standing().any(|(e, u)| u.side != side && u.mood < Mood::R && t.arm(e) != Arm::Hq && upon(u))
    };
    let passed = |p: &&super::board::Place| {
        let mut legs = way.iter().zip(way.iter().skip(1));
        p.vp > 0 && legs.any(|(a, b)| to_side(p.at.fine(), (*a, *b)).within(p.radius)) && !held(p)
    };
    let taken: Vec<String> = t.board.places.iter().filter(passed).map(|p| p.name.clone()).collect();
    for place in taken {
        // who passed last is settled when a chit is uncovered that passed too, so it is kept in the fog.
        let t = table(cx);
        let fog = t.board.flow.is_some() && t.sight.is_some();
        let told = t.mist.since.get(&place).copied().unwrap_or(0) == t.player_turn(&side);
        if t.control.get(&place) != Some(&side) || (fog && !told) {
            tell(cx, Fact::Control { place, side: side.clone() });
        }
    }
}

/// The seat that answers for a unit.
pub fn seat_of(cx: &Hand<'_>, unit: &UnitId) -> SeatId {
    let side = table(cx).side(unit);
    cx.seat_of(&side)
}

/// Asks the side of a unit; 22.2 where nobody leads it the solo rules answer at once.
///
/// # Errors
/// A stop, where neither doctrine nor seat has answered.
pub fn ask(cx: &mut Hand<'_>, seat: &SeatId, prompt: Prompt) -> Play<Answer> {
    let side = table(cx).side(prompt.unit());
    if table(cx).board.solo.contains(&side) {
        return Ok(solo::drive::answer(cx, &side, &prompt));
    }
    cx.ask(seat, prompt)
}

/// A die of a unit, open to both sides.
pub fn d6(cx: &mut Hand<'_>, purpose: &'static str, unit: &UnitId) -> i32 {
    cx.d6(&Label::public(purpose).at(unit))
}

/// A combat changes, or is over when nobody attacks any more.
pub fn change_combat(cx: &mut Hand<'_>, combat: Combat) {
    tell(cx, Fact::Declared { combat });
}

/// Takes a unit out of the combats it is in: an attack without its leader is over, a supporter drops out.
pub fn leave_combat(cx: &mut Hand<'_>, unit: &UnitId) {
    for combat in table(cx).combats.clone() {
        if combat.on == *unit || combat.lead == *unit {
            tell(cx, Fact::Ended { on: combat.on });
        } else if combat.support.contains(unit) {
            let support = combat.support.iter().filter(|s| *s != unit).cloned().collect();
            change_combat(cx, Combat { support, ..combat });
        }
    }
}

/// The sum of modifiers.
pub fn sum(mods: &[Mod]) -> i32 {
    mods.iter().map(|m| m.1).sum()
}

/// Adds a modifier unless it is nothing.
pub fn add(mods: &mut Vec<Mod>, what: &str, value: i32) {
    if value != 0 {
        mods.push((what.to_owned(), value));
    }
}

/// The other side.
pub fn enemy(cx: &Hand<'_>, side: &SideId) -> SideId {
    cx.state().enemy(side)
}
