//! 7 Stacks: who may be with whom, and how many.

use super::board::Arm;
use super::event::Event;
use super::ground::Toll;
use super::hand::Hand;
use super::march;
use super::pose::{Form, Pose};
use super::state::{Level, State};
use super::tables::row;
use crate::hex::Hex;

/// 7.2 So many batteries alone in a hex.
const BATTERIES: usize = 2;

/// 7.0, 7.1, 6.3.3, 6.5.5 Why units cannot be in a hex together; none where they can.
pub fn flaw(s: &State, hex: Hex, units: &[String]) -> Option<&'static str> {
    if let Some(why) = unlike(s, units) {
        return Some(why);
    }
    let others: Vec<&String> = units.iter().filter(|id| !s.is_arm(id, Arm::Art)).collect();
    let first = others.first()?;
    let sp: i32 = others.iter().map(|id| s.sp(id)).sum();
    let size = s.pose(first).map_or(1, |pose| i32::from(pose.size) + i32::from(pose.second.is_some()));
    let terrain = s.board.terrain(hex)?;
    (sp > size * row(&terrain.sp, calm(s, first))).then_some("too many SP")
}

/// 7.1, 6.3.3, 6.5.5 Why units never stand together, be they few or many; none where they may.
pub(super) fn unlike(s: &State, units: &[String]) -> Option<&'static str> {
    let (guns, others): (Vec<&String>, Vec<&String>) = units.iter().partition(|id| s.is_arm(id, Arm::Art));
    let most = if others.is_empty() { BATTERIES } else { 1 };
    if guns.len() > most {
        return Some("too many batteries");
    }
    let alike = |id: &String| (s.pose(id).map(|pose| pose.form), s.division(id));
    let unlike = |kin: &[&String]| kin.windows(2).any(|pair| alike(pair[0]) != alike(pair[1]));
    let mixed = "only units of one division, in one formation, stack";
    // Batteries are of one type as well.
    let Some(first) = others.first() else { return unlike(&guns).then_some(mixed) };
    if others.iter().any(|id| s.kind(id).map(|kind| kind.arm) != s.kind(first).map(|kind| kind.arm)) {
        return Some("foot and horse do not stack");
    }
    let large = |id: &&&String| s.pose(id).is_some_and(|pose| pose.size > 1 || pose.form == Form::Skirmish);
    if others.len() > 1 && others.iter().any(|id| large(&id)) {
        return Some("skirmishers and large counters stack with one battery alone");
    }
    (unlike(&guns) || unlike(&others)).then_some(mixed)
}

/// The row of the Stacking Chart: of a router that of its Disorder.
fn calm(s: &State, unit: &str) -> super::tables::Array {
    use super::tables::Array;
    match (s.array(unit), s.is_arm(unit, Arm::Cav)) {
        (Array::Routed, true) => Array::CavDisorder,
        (Array::Routed, false) => Array::Disorder,
        (array, _) => array,
    }
}

/// 7.1 Why units cannot stay as they would stand, with those who are in their hexes; none where they can.
///
/// House: a stack that is Disordered as it moves, or goes back, may then have too many SP for its hex. It stays so, for the book
/// does not say who of it would have to go. When it moves again it is held to the limit.
pub(super) fn crowd(s: &State, units: &[String], pose: Pose) -> Option<&'static str> {
    let mut after = s.clone();
    for unit in units {
        after.units.entry(unit.clone()).or_default().pose = Some(pose);
    }
    pose.hexes().into_iter().find_map(|hex| flaw(&after, hex, &after.stack(hex)))
}

/// 5.1.4, 7.1, 6.3.3 Who passes through a hex that has no room for all Disorders them, and itself; skirmishers and guns are
/// spared, and who passes skirmishers harms nobody.
pub(super) fn jostle(cx: &mut Hand<'_>, hex: Hex) {
    for unit in jostled(cx.state(), hex) {
        disorder(cx, &unit);
    }
}

/// 5.1.4, 7.1, 6.3.3 Whom it Disorders that so many stand in a hex.
pub(super) fn jostled(s: &State, hex: Hex) -> Vec<String> {
    let here = s.stack(hex);
    let dense = |id: &&String| s.pose(id).is_some_and(|pose| pose.form != Form::Skirmish);
    let dense: Vec<String> = here.iter().filter(dense).cloned().collect();
    if flaw(s, hex, &dense).is_none() {
        return Vec::new();
    }
    dense.into_iter().filter(|unit| can_break(s, unit)).collect()
}

/// 6.4.1 Whether a unit can be Disordered: guns and skirmishers never are.
fn can_break(s: &State, unit: &str) -> bool {
    s.on(unit)
        .is_some_and(|(_, kind, pose)| kind.arm != Arm::Art && !matches!(pose.form, Form::Skirmish | Form::Disorder))
}

/// 6.4.1 A unit is Disordered, if it can be.
pub(super) fn disorder(cx: &mut Hand<'_>, unit: &str) {
    if can_break(cx.state(), unit) {
        let units = [unit.to_owned()];
        let left = cx.state().hexes(&units);
        cx.emit(Event::Disordered { unit: unit.to_owned() });
        // 8.5.5 A large line that is Disordered has other hexes.
        super::morale::bereft(cx, &units, &left);
    }
}

/// 6.4.1 Whether a unit that comes from a hex to another is Disordered by it, whatever brings it there: nobody stands on that
/// ground as it does, or the chart says so.
pub(super) fn breaks(s: &State, unit: &str, from: Hex, to: Hex) -> bool {
    let Some((_, kind, pose)) = s.on(unit) else { return false };
    let forbidden = s.board.terrain(to).is_some_and(|t| t.forbids.contains(&pose.form));
    let price = kind.class(pose.form).and_then(|class| march::price(s, class, from, to));
    forbidden || price.is_some_and(|(_, toll)| toll == Toll::Disorder)
}

/// 6.4.1 Units have come out of a hex by an advance, a retreat or a pursuit: those whom the ground Disorders are Disordered.
pub(super) fn settle(cx: &mut Hand<'_>, units: &[String], from: Hex) {
    for unit in units {
        let s = cx.state();
        let hexes = s.pose(unit).map(|pose| pose.hexes()).unwrap_or_default();
        if hexes.into_iter().any(|hex| hex != from && breaks(s, unit, from, hex)) {
            disorder(cx, unit);
        }
    }
}

/// 9.1.1 Those of a stack who keep one level and one formation: neither guns, nor who runs.
fn firm(s: &State, hex: Hex) -> Vec<String> {
    s.stack(hex).into_iter().filter(|id| !s.is_arm(id, Arm::Art) && !s.routs(id)).collect()
}

/// 9.1.1 The worst level of a stack, and who of it is better; who runs stays by himself.
pub(super) fn better(s: &State, hex: Hex) -> (Level, Vec<String>) {
    let level = |id: &String| s.units.get(id).map_or(Level::Good, |u| u.level);
    let firm = firm(s, hex);
    let worst = firm.iter().map(level).max().unwrap_or_default();
    (worst, firm.into_iter().filter(|id| level(id) < worst).collect())
}

/// 9.1.1 All that are stacked have the worst level among them.
pub(super) fn share(cx: &mut Hand<'_>, hex: Hex) {
    let (worst, better) = better(cx.state(), hex);
    better.into_iter().for_each(|unit| cx.emit(Event::Level { unit, level: worst }));
}

/// 7.1, 9.1.1 Units that have come to share a hex, or of which one has suffered: all have the worst level, and one formation.
/// House: who is Disordered takes the others along, for nobody can be put in order by that; who runs stays by himself.
pub(super) fn even(cx: &mut Hand<'_>, hex: Hex) {
    share(cx, hex);
    let s = cx.state();
    let firm = firm(s, hex);
    let broken = |id: &String| s.pose(id).is_some_and(|pose| pose.form == Form::Disorder);
    if firm.iter().any(broken) {
        firm.iter().for_each(|unit| disorder(cx, unit));
    }
}
