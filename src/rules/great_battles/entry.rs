//! 4.6.2, 5.1.3, 5.1.4, 5.2.1, 6.2, 7.1 How counters come into hexes in their own movement, whatever brings them there: a step, a
//! wheel, a change of formation, skirmishers who spread, an entry onto the map.

use super::board::Arm;
use super::command::{self, NEAR};
use super::event::{self, Event, How};
use super::ground::Toll;
use super::hand::Hand;
use super::march::{self, Stride};
use super::order::Pace;
use super::pose::{Form, Pose};
use super::react::{self, Act};
use super::reinforce::Coming;
use super::state::{Mode, State};
use super::{dummy, morale, reinforce, stacking};
use crate::hex::Hex;
use crate::orders::{Fault, deny};
use crate::rules::Play;
use std::collections::BTreeSet;

/// Sides of a hex: so many turns bring a counter round.
const SIDES: usize = 6;

/// The hexes into which a counter comes that stood so, if it stood at all.
pub(super) fn new_hexes(before: Option<Pose>, next: Pose) -> Vec<Hex> {
    next.hexes().into_iter().filter(|hex| before.is_none_or(|pose| !pose.is_in(*hex))).collect()
}

/// Out of which of its hexes a counter comes into one: out of one that it leaves, if it can.
fn source(before: Option<Pose>, next: Pose, to: Hex) -> Option<Hex> {
    let own = before.map(|pose| pose.hexes()).unwrap_or_default();
    let leaves = own.iter().find(|at| !next.is_in(**at) && at.adjacent(to));
    leaves.or_else(|| own.iter().find(|at| at.adjacent(to))).copied()
}

/// 5.2.1 Whether under the marker a step needs a road and has none.
fn needs_road(s: &State, from: Hex, to: Hex) -> bool {
    let rough = s.board.terrain(to).is_some_and(|t| t.by_road) || s.board.edges(from, to).any(|(_, e)| e.by_road);
    rough && !s.board.ground.road(from, to)
}

/// 4.6.2, 5.1, 5.1.3, 5.2.1, 6.3.7, 14.3 What bars a counter from coming to stand so: the enemy in the way, or near. Whoever
/// comes into a hex is asked, by a step, a wheel, a new formation, as he spreads or comes on; who stays in his hexes is not.
pub(super) fn barred(s: &State, unit: &str, next: Pose, how: How) -> Result<(), Fault> {
    let (Some(u), Some(kind)) = (s.units.get(unit), s.kind(unit)) else { return Ok(()) };
    let (side, before) = (s.side(unit).cloned().unwrap_or_default(), u.pose);
    let steps = matches!(how, How::Step | How::Slide | How::Reverse);
    let hexes = if steps { next.hexes() } else { new_hexes(before, next) };
    if hexes.is_empty() {
        return Ok(());
    }
    for hex in &hexes {
        deny(s.held_against(*hex, &side), format_args!("an enemy stands in {hex}"), "5.1")?;
        let from = source(before, next, *hex).filter(|_| !steps);
        let price = |from| kind.class(next.form).and_then(|class| march::price(s, class, from, *hex));
        deny(from.is_some_and(|from| price(from).is_none()), format_args!("entry of {hex} is prohibited"), "5.1")?;
    }
    let beside = |id: &str| s.pose(id).is_some_and(|foe| hexes.iter().any(|own| foe.distance(*own) == 1));
    if let Some(id) = u.going.faced.iter().find(|id| beside(id)) {
        return Err(Fault::refused(format!("{unit} began before {id}, and may not come next to it again"), "5.1.3"));
    }
    let near = hexes.iter().map(|hex| s.enemy_near(*hex, &side)).min().unwrap_or(u32::MAX);
    let limited = s.mode(unit) == Some(Mode::Limited);
    deny(limited && near <= 1, "a Limited Activation goes next to no enemy", "4.6.2")?;
    let marching = command::is_bound(s, unit);
    deny(marching && next.form == Form::Line, "in strategic movement nobody is in Line: FORM it first", "5.2.1")?;
    deny(marching && near <= NEAR, "an enemy is within three hexes of it", "5.2.1")?;
    // 6.5.4 Of a step the head alone has to follow the road.
    let led = if steps { std::slice::from_ref(&next.head) } else { &hexes };
    let rough = |hex: &Hex| source(before, next, *hex).is_some_and(|from| needs_road(s, from, *hex));
    deny(marching && led.iter().any(rough), "strategic movement goes there by road alone", "5.2.1")?;
    let aim = before.filter(|_| marching && how == How::Step);
    let astray = aim.is_some_and(|pose| !reinforce::makes_for(s, unit, pose.head, next.head));
    deny(astray, "it has to make for its objective by the shortest way", "14.1.3")?;
    let dread = |id: &String| !s.routs(id) && !s.is_arm(id, Arm::Art) && beside(id);
    let guns = kind.arm == Arm::Art && s.enemies(&side).any(|(id, ..)| dread(id));
    deny(guns, "limbered guns go next to no enemy", "6.3.7")
}

/// 5.1.1, 6.5.3 What the ground asks of a counter that comes to stand so without a step: the worst of its new hexes.
pub(super) fn ground(s: &State, unit: &str, next: Pose) -> Toll {
    let Some((_, kind, before)) = s.on(unit) else { return Toll::None };
    let asks = |hex: Hex| {
        let price = march::price(s, kind.class(next.form)?, source(Some(before), next, hex)?, hex);
        price.map(|(_, toll)| toll)
    };
    new_hexes(Some(before), next).into_iter().filter_map(asks).max().unwrap_or_default()
}

/// 5.1.1, 5.1.3, 5.1.4, 6.2, 7.1 Units have come to stand so by an act of their own movement: what the ground asks, friends
/// through whom they go, enemies who react, and whether they go on.
pub(super) fn come(cx: &mut Hand<'_>, units: &[String], act: Act, toll: Toll) -> Play<bool> {
    let next = units.first().and_then(|unit| cx.state().pose(unit));
    let hexes = match (act, next) {
        (Act::Swung(before), Some(next)) => new_hexes(Some(before), next),
        (_, Some(next)) => next.hexes(),
        (_, None) => Vec::new(),
    };
    // Before anybody would react to nobody.
    if !hexes.is_empty() && dummy::are_gone(cx, units) {
        return Ok(false);
    }
    march::ask(cx, units, toll);
    hexes.iter().for_each(|hex| stacking::jostle(cx, *hex));
    let goes_on = react::to(cx, units, act)?;
    if hexes.is_empty() {
        return Ok(goes_on);
    }
    units.iter().for_each(|unit| morale::oust(cx, unit));
    Ok(goes_on && !halts(cx, units, &hexes))
}

/// 5.1.3 Whether hexes of units lie in an enemy's front.
pub(super) fn meets(s: &State, units: &[String], hexes: &[Hex]) -> bool {
    let side = units.first().and_then(|unit| s.side(unit));
    side.is_some_and(|side| hexes.iter().any(|hex| !s.fronts_on(*hex, side).is_empty()))
}

/// 5.1.3 Whoever has come into an enemy's front stops. How we read it: a front that is still there when the reactions are over;
/// 6.2.5 has horse guns step back from each further act of one that came before them, so he acts on.
///
/// House: in a hex where its like may never stand (7.1) a unit goes on. It came there since no front lay on it (5.1.4), so that
/// only a reaction has turned one to it.
fn halts(cx: &mut Hand<'_>, units: &[String], hexes: &[Hex]) -> bool {
    let s = cx.state();
    let own = units.first().and_then(|unit| s.pose(unit)).map(|pose| pose.hexes()).unwrap_or_default();
    let passes = own.iter().any(|hex| {
        let there = others(s, *hex, units);
        !there.is_empty() && (there.iter().any(|id| s.routs(id)) || stacking::unlike(s, &s.stack(*hex)).is_some())
    });
    let met = !passes && meets(s, units, hexes);
    if met {
        cx.emit(Event::Halted { units: units.to_vec() });
    }
    met
}

/// Who else stands in a hex.
fn others(s: &State, hex: Hex, units: &[String]) -> Vec<String> {
    s.stack(hex).into_iter().filter(|id| !units.contains(id)).collect()
}

/// 7.1, 9.1.1 Why units cannot end their move in a hex; none where they can.
pub(super) fn closed(s: &State, hex: Hex, units: &[String]) -> Option<Fault> {
    let mut there = others(s, hex, units);
    if there.iter().any(|id| s.routs(id)) {
        return Some(Fault::refused(format!("{hex} is full of those who run"), "9.1.1"));
    }
    there.extend(units.iter().cloned());
    let why = stacking::flaw(s, hex, &there)?;
    Some(Fault::refused(format!("nobody can stay in {hex}: {why}"), "7.1"))
}

/// 5.1.4, 7.1 Why units cannot stay where they stand, with others there; none where they can.
pub(super) fn crowded(s: &State, units: &[String]) -> Option<Fault> {
    let hexes = units.first().and_then(|unit| s.pose(unit)).map(|pose| pose.hexes()).unwrap_or_default();
    let shared = |hex: &Hex| !others(s, *hex, units).is_empty() && !is_park(s, *hex);
    hexes.into_iter().filter(shared).find_map(|hex| closed(s, hex, units))
}

/// 6.3.7, 7.2 Whether batteries of one division alone are in a hex: they limber one after the other, and stay.
fn is_park(s: &State, hex: Hex) -> bool {
    let there = s.stack(hex);
    let own = there.first().map(|id| s.division(id));
    there.iter().all(|id| s.is_arm(id, Arm::Art) && Some(s.division(id)) == own)
}

/// 5.1.4 Who is passed through in hexes is Disordered, and so is who passes.
fn pass(then: &mut State, hexes: &[Hex]) {
    for unit in hexes.iter().flat_map(|hex| stacking::jostled(then, *hex)).collect::<BTreeSet<_>>() {
        event::apply(then, &Event::Disordered { unit });
    }
}

/// 5.1.4 The table when units have come to stand so: who is passed through is Disordered, and so are they.
fn after(s: &State, units: &[String], stride: &Stride) -> State {
    let mut then = s.clone();
    let Stride { pose, cost, how, .. } = *stride;
    event::apply(&mut then, &Event::Moved { units: units.to_vec(), pose, cost, how });
    pass(&mut then, &pose.hexes());
    then
}

/// 5.1.4, 7.1 "May not end its move such that it causes overstacking (and would be prohibited from entering the hex if it has
/// insufficient MPs to exit the hex)": whether units that come into a hex where they cannot stay go on out of it by the paces
/// that are written behind.
///
/// House: a line may end in no such hex, for nobody is sure to write another. So a front that stops them there (5.1.3), or ground
/// or a friend that bars the way on, keeps them out of it as well as want of points does. What they would pay Disordered counts
/// too, where the ground may Disorder them.
pub(super) fn onward(s: &State, units: &[String], stride: &Stride, rest: &[Pace], why: &Fault) -> Result<(), Fault> {
    let then = after(s, units, stride);
    let refused = |and: String| Err(Fault::refused(format!("{}; {and}", why.why()), "5.1.4"));
    if meets(&then, units, &stride.pose.hexes()) {
        return refused("and the front of an enemy would stop it there".to_owned());
    }
    let broken = (stride.toll != Toll::None).then(|| march::disordered(&then, units));
    for table in std::iter::once(then).chain(broken) {
        if let Err(fault) = leaves(table, units, rest) {
            return refused(fault.map_or_else(
                || "and the line does not lead on from there".to_owned(),
                |fault| format!("and it does not go on from there: {}", fault.why()),
            ));
        }
    }
    Ok(())
}

/// Whether paces lead out of a hex where units cannot stay: with one step, be it after turns.
fn leaves(mut s: State, units: &[String], mut rest: &[Pace]) -> Result<(), Option<Fault>> {
    while let Some((pace, behind)) = rest.split_first() {
        let (stride, step) = march::next(&s, units, *pace, behind).map_err(Some)?;
        if step {
            return Ok(());
        }
        s = after(&s, units, &stride);
        if crowded(&s, units).is_none() {
            return Ok(());
        }
        rest = behind;
    }
    Err(None)
}

/// 5.1.4 The cheapest paces by which units leave a hex where they cannot stay for one where they can: one step, be it after
/// turns.
pub(super) fn way_out(s: &State, units: &[String]) -> Option<Vec<Pace>> {
    let mut found: Vec<((i32, usize, Hex), Vec<Pace>)> = Vec::new();
    for right in [true, false] {
        let (mut then, mut turns, mut spent) = (s.clone(), Vec::new(), 0);
        for _ in 0..SIDES {
            let Some(pose) = units.first().and_then(|unit| then.pose(unit)) else { break };
            for (at, dir) in pose.front_sides().into_iter().filter(|(at, _)| *at == pose.head) {
                let pace = Pace::To(at.neighbour(dir));
                if let Ok((stride, _)) = march::next(&then, units, pace, &[]) {
                    let way = turns.iter().copied().chain([pace]).collect();
                    found.push(((spent + stride.cost, turns.len(), stride.pose.head), way));
                }
            }
            let Ok((stride, _)) = march::next(&then, units, Pace::Turn(right), &[]) else { break };
            then = after(&then, units, &stride);
            turns.push(Pace::Turn(right));
            spent += stride.cost;
        }
    }
    found.into_iter().min_by_key(|(worth, _)| *worth).map(|(_, way)| way)
}

/// 5.1.4, 7.1, 9.1.1, 14.1 Whether a stack may come on to stand so, by those who are in the hex: onto who runs never; onto others
/// with whom it cannot stay if it can go on, as who steps there could.
pub(super) fn may_enter(s: &State, units: &[String], coming: &Coming) -> Result<(), Fault> {
    let (mut then, Coming { pose, cost, toll }) = (s.clone(), *coming);
    for unit in units {
        let u = then.units.entry(unit.clone()).or_default();
        u.pose = Some(pose);
        u.going.spent += cost;
    }
    if toll == Toll::Disorder {
        then = march::disordered(&then, units);
    }
    let hexes = pose.hexes();
    let Some(why) = hexes.iter().find_map(|hex| closed(&then, *hex, units)) else { return Ok(()) };
    let there: Vec<String> = hexes.iter().flat_map(|hex| others(s, *hex, units)).collect();
    let runs = there.iter().any(|id| s.routs(id));
    let stays = there.is_empty() || runs || is_park(&then, pose.head) || meets(&then, units, &hexes);
    pass(&mut then, &hexes);
    if stays || way_out(&then, units).is_none() { Err(why) } else { Ok(()) }
}

/// 5.1.4, 7.1 Those who move now and stand where they cannot stay go on out of it before their movement is over.
///
/// House: who has come on over friends (14.1) is to MOVE on by a line of his own. Who is not told to, or whom a reaction has
/// parted from his stack, takes the cheapest step to where he can stay: the book lets nobody end his move there.
pub(super) fn clear(cx: &mut Hand<'_>) -> Play<()> {
    let s = cx.state();
    let Some(acting) = &s.acting else { return Ok(()) };
    let side = acting.side.clone();
    let goes = |id: &&String| s.pose(id).is_some() && !s.routs(id) && s.is(id, |u| !u.going.done && !u.going.stopped);
    let units: Vec<String> = acting.mover.iter().filter(goes).cloned().collect();
    if crowded(s, &units).is_none() {
        return Ok(());
    }
    // H.3 By what his side sees, and where that does not lead out by what is so.
    let seen = way_out(&cx.view(&side).state, &units);
    for way in [seen, way_out(cx.state(), &units)].into_iter().flatten() {
        if crowded(cx.state(), &units).is_some() {
            march::follow(cx, &units, &way)?;
        }
    }
    Ok(())
}
