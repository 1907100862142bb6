//! 8.4.2 What comes after the melee of a charge: a pursuit, or an advance.

use super::ask::{self, Choice, Facts, What};
use super::board::Arm;
use super::event::{Event, How};
use super::hand::{Die, Hand, die};
use super::pose::{Hour, Pose};
use super::react::{self, Act};
use super::state::{Level, State};
use super::{eyes, morale, retire, shock};
use crate::hex::Hex;
use crate::rules::Play;
use crate::rules::tactical::sum::Sum;

/// D-35 Fresh horse so near is thought of before a pursuit.
const FRESH: u32 = 4;
/// 13.3 From this level on horse pursues less.
const TIRED: i32 = 5;

/// 8.4.2 Pursuit of who has routed, or an advance into the hex that has been left.
pub(super) fn after(cx: &mut Hand<'_>, units: &[String], against: &[String], at: Hex) -> Play<()> {
    if !hunted(cx, units, against, at)? {
        shock::advance(cx, &able(cx.state(), units), at);
    }
    Ok(())
}

/// 8.4.2 Who of those that have charged still can go on.
fn able(s: &State, units: &[String]) -> Vec<String> {
    units.iter().filter(|id| s.is(id, |u| u.pose.is_some() && u.level < Level::Unsteady)).cloned().collect()
}

/// 8.4.2, D-35 Whether somebody who has routed is pursued.
pub(super) fn hunted(cx: &mut Hand<'_>, units: &[String], against: &[String], at: Hex) -> Play<bool> {
    let s = cx.state();
    let able = able(s, units);
    let Some(top) = able.first().cloned() else { return Ok(false) };
    let runs = against.iter().find(|id| s.routs(id) && s.pose(id).is_some() && s.routs.contains_key(*id)).cloned();
    if let Some(router) = runs {
        let path = s.routs.get(&router).cloned().unwrap_or_default();
        let side = s.side(&top).cloned().unwrap_or_default();
        let near = |pose: Pose| path.iter().any(|hex| hex.distance(pose.head) <= FRESH);
        // H.6 Only of horse that the side knows for such.
        let horse = |id: &String| s.is_arm(id, Arm::Cav) && eyes::faces(s, &side, id);
        let fresh =
            eyes::enemies(s, &side).any(|(id, pose)| near(pose) && horse(id) && s.is(id, |u| react::fresh(s, id, u)));
        let facts = Facts { fresh, ..Facts::default() };
        if ask::put(cx, What::Pursue, &top, &router, facts)? != Choice::Yes {
            return Ok(false);
        }
        let begun = cx.state().hexes(&able);
        let hunted = pursue(cx, &able, &router, at, &path)?;
        // 8.5.5 Who is left behind comes after.
        morale::quit(cx, &able, &begun);
        return Ok(hunted);
    }
    Ok(false)
}

/// 8.4.2 A pursuit, along the way of who runs, the hex that he has left first; an SP of his for each hex entered; a large counter
/// stops where it would leave the map. Those whose zones it enters, or leaves, may react. Whether there is one: by a check of no
/// hexes there is none.
fn pursue(cx: &mut Hand<'_>, units: &[String], router: &str, at: Hex, path: &[Hex]) -> Play<bool> {
    let Some(top) = units.first().cloned() else { return Ok(false) };
    let s = cx.state();
    let mut sum = Sum::default();
    let p = &s.board.charts.pursuit;
    sum.add(
        "kind",
        s.kind(&top).and_then(|kind| kind.rides).and_then(|rides| p.kinds.get(&rides)).copied().unwrap_or_default(),
    );
    sum.when(s.is(&top, |u| u.level == Level::Shaken), "Shaken", p.shaken);
    sum.when(s.commands.get(s.division(&top)).is_some_and(|c| c.fatigue >= TIRED), "fatigue", p.tired);
    let die = die(cx, Die::Pursuit, &top);
    let hexes = cx.state().board.charts.pursuit_hexes(die + sum.total());
    cx.emit(Event::Pursued { units: units.to_vec(), of: router.to_owned(), die, sum, hexes });
    for hex in std::iter::once(at).chain(path.iter().copied()).take(hexes) {
        let s = cx.state();
        let Some(pose) = s.pose(&top) else { return Ok(true) };
        let taken = s.stack(hex).iter().any(|id| !units.contains(id));
        let Some(dir) = pose.head.dir_to(hex).filter(|_| !taken) else { break };
        let ahead = Hour::of(dir);
        let hour = if pose.form.faces_corner() { ahead.on(1) } else { ahead };
        let next = Pose { head: hex, second: None, hour, ..pose };
        if next.size > 1 && !retire::fits(s, &top, next) {
            break;
        }
        if !react::to(cx, units, Act::Left(next))? {
            return Ok(true);
        }
        morale::shift(cx, units, pose.head, next, How::Pursue);
        morale::bleed(cx, router, 1);
        if !react::to(cx, units, Act::Pursuit(pose))? {
            return Ok(true);
        }
    }
    Ok(hexes > 0)
}
