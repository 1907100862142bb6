//! 16.4.2.7-16.4.2.8.1 Chits turned over, and their units deployed.

use super::super::board::{Arm, UnitId};
use super::super::event::Fact;
use super::super::hands::{Hand, ask, mark, table, tell};
use super::super::load::default_form;
use super::super::mist::{Boxed, Chit, ChitId};
use super::super::prompt::{Answer, Prompt};
use super::super::solo;
use super::super::table::{Formation, Mark, Pose, Table};
use super::hidden;
use crate::fog::SideId;
use crate::orders::Fault;
use crate::plane::shape::Shape;
use crate::plane::{Fine, Heading, Spot};
use crate::rules::Play;
use crate::rules::austerlitz1805::board::Soil;

/// The gap that the program leaves between units of a chit; 16.4.2.8 allows 1/2 UM.
const GAP: i32 = 100;
/// Places are tried in rings so far apart, up to so many.
const RING: i32 = 125;
const RINGS: i32 = 96;

/// A chit that has been turned over and whose units are not deployed yet.
struct Opened {
    id: ChitId,
    chit: Chit,
    boxed: Boxed,
}

/// 16.4.2.7, A-19 Whatever chit is within the range of detection of an enemy unit or chit is uncovered, again and again
/// until none is; `mover` is the chit that has just moved.
pub fn detect(cx: &mut Hand<'_>, mover: Option<&ChitId>) -> Play<()> {
    loop {
        let t = table(cx);
        let Some(range) = t.sight else { return Ok(()) };
        let seen = |c: &Chit| t.enemy_within(&c.side, &t.chit_shape(c.at), range);
        let near: Vec<ChitId> = t.mist.chits.iter().filter(|(_, c)| seen(c)).map(|(id, _)| id.clone()).collect();
        if near.is_empty() {
            return Ok(());
        }
        open(cx, &near, mover)?;
    }
}

/// A-21 The fog is gone: all chits are uncovered where they lie.
pub fn everything(cx: &mut Hand<'_>) -> Play<()> {
    let all: Vec<ChitId> = table(cx).mist.chits.keys().cloned().collect();
    let opened = all.iter().filter_map(|id| turn_over(cx, id, true)).collect();
    out(cx, opened, None)
}

/// 16.4.2.7, 16.4.2.8 Chits are turned over together; decoys go, and the others' units are deployed. What met a decoy on
/// its way may not move on.
fn open(cx: &mut Hand<'_>, ids: &[ChitId], mover: Option<&ChitId>) -> Play<()> {
    let mut opened = Vec::new();
    for id in ids {
        opened.extend(turn_over(cx, id, false));
    }
    out(cx, opened, mover)
}

/// 16.4.2.7, 16.4.2.8 What chits held that have been turned over together is deployed.
fn out(cx: &mut Hand<'_>, opened: Vec<Opened>, mover: Option<&ChitId>) -> Play<()> {
    let places: Vec<(SideId, Spot)> = opened.iter().map(|o| (o.chit.side.clone(), o.chit.at)).collect();
    let deceived = opened.iter().any(|o| o.boxed.units.is_empty() && Some(&o.id) != mover);
    for chit in opened {
        let units = chit.boxed.units.clone();
        let moved = Some(&chit.id) == mover;
        deploy(cx, chit, &places)?;
        if moved && deceived {
            units.iter().for_each(|unit| mark(cx, unit, Mark::Deceived, true));
        }
    }
    super::assault(cx);
    Ok(())
}

/// 16.4.2.7 One chit is turned over for both to see; 17.1.1.6, A-32 what it passed with units in it is settled now. 24.6.3 What
/// a discovered chit of a side that the solo rules lead shows is rolled for, but not when the fog is gone.
fn turn_over(cx: &mut Hand<'_>, id: &ChitId, clear: bool) -> Option<Opened> {
    let chit = table(cx).chit(id).cloned()?;
    let mut boxed = hidden(cx, &chit.side).boxes.values().find(|b| b.chit == *id).cloned()?;
    if !clear && solo::drive::leads(cx, &chit.side) {
        boxed.units = solo::drive::draw(cx, &chit.side, id)?;
    }
    let mut units = boxed.units.clone();
    units.sort();
    tell(cx, Fact::Uncovered { chit: id.clone(), side: chit.side.clone(), at: chit.at, units });
    for (place, when) in boxed.passed.iter().filter(|_| !boxed.units.is_empty()) {
        let t = table(cx);
        let later = t.mist.since.get(place).is_none_or(|since| when >= since);
        if later && t.control.get(place) != Some(&chit.side) {
            tell(cx, Fact::Control { place: place.clone(), side: chit.side.clone() });
        }
    }
    Some(Opened { id: id.clone(), chit, boxed })
}

/// 16.4.2.8, 16.4.2.8.1 The units of a chit are deployed round its place, infantry and cavalry first, guns behind them,
/// an HQ with the best of them.
fn deploy(cx: &mut Hand<'_>, opened: Opened, places: &[(SideId, Spot)]) -> Play<()> {
    let Opened { id: _, chit, boxed } = opened;
    let t = table(cx);
    let facing = front(t, &chit, places);
    let mut units = boxed.units;
    units.sort_by_key(|u| (t.arm(u), u.clone()));
    let staff: Vec<UnitId> = units.iter().filter(|u| t.arm(u) == Arm::Hq).cloned().collect();
    let mut stand: Vec<UnitId> = Vec::new();
    for unit in units.iter().filter(|u| !staff.contains(u)) {
        let t = table(cx);
        let moving = chit.spent > 0;
        let forms = forms(t, unit, moving);
        let berth = berth(t, unit, &stand);
        let prompt = Prompt::Deploy { unit: unit.clone(), forms, facing, berth, beside: stand.first().cloned() };
        let seat = cx.seat_of(&chit.side);
        let Answer::Berth(form, way, berth) = ask(cx, &seat, prompt)? else { continue };
        let t = table(cx);
        let wanted = place(t, &chit, form, way, berth, &stand);
        let pose = nearest(t, unit, form, Pose { at: wanted, facing: way });
        let whole = t.board.tables.moves.chit.max(1);
        let spent = allowance(t, unit) * chit.spent / whole;
        tell(cx, Fact::Deployed { unit: unit.clone(), with: None, pose, form, spent });
        stand.push(unit.clone());
    }
    for hq in staff {
        let best = stand.iter().min_by_key(|u| (table(cx).arm(u), (*u).clone())).cloned();
        let pose = best.as_ref().and_then(|u| table(cx).unit(u)).map(|u| u.pose);
        let pose = pose.unwrap_or(Pose { at: chit.at, facing });
        tell(cx, Fact::Deployed { unit: hq, with: best, pose, form: default_form(Arm::Hq), spent: 0 });
    }
    Ok(())
}

/// The way to the nearest enemy unit or chit, those turned over at the same time among them, or away from the own edge.
fn front(t: &Table, chit: &Chit, places: &[(SideId, Spot)]) -> Heading {
    let shape = t.chit_shape(chit.at);
    let units = t.standing().filter(|(_, u)| u.side != chit.side);
    let units = units.map(|(id, u)| (t.shape(id).gap(&shape), u.pose.at));
    let chits = t.mist.chits.values().map(|c| (&c.side, c.at)).chain(places.iter().map(|(s, at)| (s, *at)));
    let chits = chits.filter(|(s, _)| **s != chit.side).map(|(_, at)| (t.chit_shape(at).gap(&shape), at));
    let way = units.chain(chits).min().and_then(|(_, at)| Heading::between(chit.at.fine(), at.fine()));
    way.unwrap_or_else(|| t.board.side(&chit.side).map_or(Heading::NORTH, |s| s.edge.turned(180)))
}

/// 16.4.2.8.1 Formations of a unit out of a chit; guns of a chit that has moved are limbered.
fn forms(t: &Table, unit: &UnitId, moving: bool) -> Vec<Formation> {
    match t.arm(unit) {
        Arm::Infantry | Arm::Cavalry => vec![Formation::Line, Formation::Column],
        Arm::Artillery if moving => vec![Formation::Limbered],
        Arm::Artillery => vec![Formation::Unlimbered, Formation::Limbered],
        Arm::Hq => vec![Formation::Staff],
    }
}

/// The usual place of a unit among those of its chit.
fn berth(t: &Table, unit: &UnitId, before: &[UnitId]) -> &'static str {
    match t.arm(unit) {
        _ if before.is_empty() => "CENTRE",
        Arm::Artillery => "REAR",
        _ => "RIGHT",
    }
}

/// 16.4.2.8 The centre of a berth beside the units that are deployed already.
fn place(t: &Table, chit: &Chit, form: Formation, facing: Heading, berth: &str, before: &[UnitId]) -> Spot {
    let size = t.board.tables.size(form);
    let first = before.first().map(|u| t.size(u));
    let (way, far) = match (berth, first) {
        ("LEFT", Some(first)) => (-90, (first.front + size.front) / 2 + GAP),
        ("RIGHT", Some(first)) => (90, (first.front + size.front) / 2 + GAP),
        ("REAR", Some(first)) => (180, (first.depth + size.depth) / 2 + GAP),
        _ => (0, 0),
    };
    chit.at.fine().toward(facing.turned(way), far).spot()
}

/// The pose nearest to a wanted one where a unit has room.
pub fn nearest(t: &Table, unit: &UnitId, form: Formation, wanted: Pose) -> Pose {
    let ring = |n: i32| {
        let way = |k: i32| wanted.facing.turned(180 + k * 360 / 16);
        (0..if n == 0 { 1 } else { 16 }).map(move |k| wanted.at.fine().toward(way(k), n * RING).spot())
    };
    let found = (0..=RINGS).flat_map(ring).map(|at| Pose { at, facing: wanted.facing });
    let mut found = found.filter(|pose| room(t, unit, form, *pose));
    found.next().unwrap_or(wanted)
}

/// 7.1, 15.1, 13.1 Whether a unit has room in a pose: nobody under it, no enemy at touch, ground on which it may stand.
pub fn room(t: &Table, unit: &UnitId, form: Formation, pose: Pose) -> bool {
    let shape = Shape::block(pose.stand(), t.board.tables.size(form));
    let ground = &t.board.ground;
    let inside = |p: &Fine| {
        let at = p.spot();
        at.x >= 0 && at.y >= 0 && at.x <= ground.width && at.y <= ground.height
    };
    let side = t.side(unit);
    let contact = t.board.tables.contact;
    let clash = t.standing().any(|(other, u)| {
        let block = t.shape(other);
        block.overlaps(&shape) || (u.side != side && block.gap(&shape).within(contact))
    });
    let barred = |soil: Soil| match (soil, t.arm(unit)) {
        (Soil::Pond, _) | (Soil::Settlement | Soil::Fortification, Arm::Cavalry) => true,
        (Soil::Woods | Soil::Settlement, Arm::Artillery) => form != Formation::Limbered,
        _ => false,
    };
    let soils = ground.areas.iter().filter(|a| a.shape.overlaps(&shape)).any(|a| barred(a.soil));
    shape.corners().iter().all(inside) && !clash && !soils
}

/// 6.2 The whole allowance of a unit that is not on the field yet.
fn allowance(t: &Table, unit: &UnitId) -> i32 {
    let moves = &t.board.tables.moves;
    match (t.arm(unit), t.kind(unit)) {
        (Arm::Infantry, _) => moves.infantry,
        (Arm::Cavalry, _) => moves.cavalry,
        (Arm::Artillery, super::super::board::Kind::Horse) => moves.horse_artillery,
        (Arm::Artillery, _) => moves.foot_artillery,
        (Arm::Hq, _) => moves.hq,
    }
}

/// 16.4.2.8 Whether a side may turn one of its chits over.
///
/// # Errors
/// Why not.
pub fn may_open(own: &super::super::state::Hidden, number: u8) -> Result<ChitId, Fault> {
    let found = own.boxes.get(&number).map(|b| b.chit.clone());
    found.ok_or_else(|| Fault::refused(format!("you have no chit {number} on the map"), "16.4.2.8"))
}

/// 16.4.2.8 DEPLOY: a side turns a chit of its own over.
pub fn by_choice(cx: &mut Hand<'_>, side: &SideId, number: u8) -> Play<()> {
    match may_open(hidden(cx, side), number) {
        Ok(id) => {
            open(cx, &[id], None)?;
            detect(cx, None)
        }
        Err(fault) => {
            cx.outcome(fault.into());
            Ok(())
        }
    }
}

/// 13.11.1.1 A unit that goes back meets a chit: it is uncovered at once. Says whom of its own it steps on: the infantry,
/// or the cavalry; of two the owner chooses; guns and decoys let it pass.
pub fn stepped_on(cx: &mut Hand<'_>, id: &UnitId, chit: &ChitId) -> Play<Option<UnitId>> {
    let own = table(cx).chit(chit).is_some_and(|c| c.side == table(cx).side(id));
    let held = |cx: &Hand<'_>| {
        let side = table(cx).chit(chit).map(|c| c.side.clone());
        let boxes = side.map(|s| hidden(cx, &s).boxes.clone()).unwrap_or_default();
        boxes.into_values().find(|b| b.chit == *chit).map(|b| b.units).unwrap_or_default()
    };
    let units = held(cx);
    open(cx, std::slice::from_ref(chit), None)?;
    if !own {
        return Ok(None);
    }
    let t = table(cx);
    let of = |arm: Arm| units.iter().filter(|u| t.arm(u) == arm && t.unit(u).is_some()).cloned().collect::<Vec<_>>();
    let worth = |u: &UnitId| (t.unit(u).map_or(0, |x| x.steps), t.spec(u).map_or(0, |s| s.combat));
    if let Some(largest) = of(Arm::Infantry).into_iter().max_by_key(worth) {
        return Ok(Some(largest));
    }
    let mut horse = of(Arm::Cavalry);
    horse.sort_by_key(|u| (t.spec(u).map_or(0, |s| s.combat), u.clone()));
    match horse.as_slice() {
        [_, _, ..] => {
            let seat = super::super::hands::seat_of(cx, id);
            match ask(cx, &seat, Prompt::Stepped { unit: id.clone(), options: horse })? {
                Answer::Target(unit, _) => Ok(Some(unit)),
                _ => Ok(None),
            }
        }
        one => Ok(one.first().cloned()),
    }
}

/// 16.4.2.7 After a unit has moved: chits in reach are uncovered, and if one was a decoy the unit may not move on.
pub fn after_move(cx: &mut Hand<'_>, id: &UnitId) -> Play<()> {
    let side = table(cx).side(id);
    let before = decoys_of_others(cx, &side);
    detect(cx, None)?;
    if decoys_of_others(cx, &side) != before && table(cx).unit(id).is_some() {
        mark(cx, id, Mark::Deceived, true);
    }
    super::assault(cx);
    Ok(())
}

/// Enemy decoys uncovered so far.
fn decoys_of_others(cx: &Hand<'_>, side: &SideId) -> usize {
    cx.state().hidden.iter().filter(|(s, _)| *s != side).map(|(_, own)| own.decoys_spent).sum()
}
