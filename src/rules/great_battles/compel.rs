//! 4.7 A division that a breakdown makes charge: what it has to do, and has not been told to, the program does.

use super::board::Arm;
use super::hand::Hand;
use super::state::State;
use super::{charge, eyes, march, shock};
use crate::hex::{Dir, Hex};
use crate::rules::Play;

/// R-15 The units of a division that still have to do something, foot or horse.
fn bound(s: &State, division: &str, arm: Arm) -> Vec<String> {
    let must = s.acting.as_ref().is_some_and(|acting| acting.must.contains(division));
    let own = s.units_of(division).into_iter().filter(|id| must && s.is_arm(id, arm));
    own.filter(|id| s.is(id, |u| u.going.ready && !u.going.attacked)).collect()
}

/// H.6 The enemies whom a unit's side sees, by how far they are, with their hexes.
fn nearest(s: &State, unit: &str) -> Vec<(u32, Hex)> {
    let (Some(hex), Some(side)) = (s.hex(unit), s.side(unit)) else { return Vec::new() };
    let mut found: Vec<(u32, Hex)> =
        eyes::enemies(s, side).map(|(_, pose)| (pose.head.distance(hex), pose.head)).collect();
    found.sort_unstable();
    found
}

/// 4.7, R-15 Foot that has not moved goes by its front towards the nearest enemy, as far as it can.
pub(super) fn advance(cx: &mut Hand<'_>) -> Play<()> {
    let division = cx.state().active().to_owned();
    for unit in bound(cx.state(), &division, Arm::Inf) {
        if cx.state().is(&unit, |u| u.going.spent > 0 || u.going.done) {
            continue;
        }
        let units = [unit.clone()];
        march::take_up(cx, &units)?;
        while let Some(dir) = toward(cx.state(), &unit) {
            if !march::one(cx, &units, dir)? {
                break;
            }
        }
    }
    Ok(())
}

/// The way of the front that comes nearer to the nearest enemy.
fn toward(s: &State, unit: &str) -> Option<Dir> {
    let pose = s.pose(unit)?;
    let (far, at) = nearest(s, unit).first().copied()?;
    let dirs = pose.front_sides().into_iter().map(|(_, dir)| dir);
    let closer = dirs.filter(|dir| pose.head.neighbour(*dir).distance(at) < far);
    closer.min_by_key(|dir| (pose.head.neighbour(*dir).distance(at), *dir)).filter(|_| far > 1)
}

/// 4.7, R-15 Horse that can charge charges the nearest enemy; foot that has one before it attacks.
pub(super) fn fight(cx: &mut Hand<'_>) -> Play<()> {
    let division = cx.state().active().to_owned();
    for unit in bound(cx.state(), &division, Arm::Cav) {
        let targets = nearest(cx.state(), &unit);
        let found = targets.into_iter().find_map(|(_, at)| Some((at, charge::may(cx.state(), &unit, at, &[]).ok()?)));
        if let Some((at, path)) = found {
            charge::charge(cx, &unit, at, path)?;
        }
    }
    for unit in bound(cx.state(), &division, Arm::Inf) {
        let near = nearest(cx.state(), &unit).into_iter().filter(|(far, _)| *far == 1);
        let s = cx.state();
        let found = near
            .flat_map(|(_, at)| [(at, false), (at, true)])
            .find(|(at, assault)| shock::may(s, &unit, *at, *assault).is_ok());
        if let Some((at, assault)) = found {
            shock::attack(cx, &unit, at, None, assault)?;
        }
    }
    Ok(())
}
