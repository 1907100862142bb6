//! 16.4.2.8.2 Back into the fog: uncovered units hide again.

use super::super::board::UnitId;
use super::super::event::{Fact, Secret};
use super::super::hands::{Hand, table, tell};
use super::super::state::Hidden;
use super::super::table::{Mark, Mood, Table, um};
use super::boxes::{may_hold, named};
use super::hidden;
use crate::fog::SideId;
use crate::orders::Fault;
use crate::plane::Spot;

/// 16.4.2.8.2, 4.3, A-19 Whether units may go into a chit: they came out of one, are in good order and near each other,
/// and no enemy unit or chit is within the range of detection.
///
/// # Errors
/// Why not.
pub fn may_hide(t: &Table, own: &Hidden, side: &SideId, units: &[UnitId], number: u8) -> Result<(), Fault> {
    let not = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let Some(range) = t.sight.filter(|_| t.board.flow.is_some()) else {
        return not("there is no fog to hide in".to_owned(), "16.4.2.8.2");
    };
    if number == 0 || number > t.board.tables.fog.boxes {
        return not(format!("the boxes are numbered 1 to {}", t.board.tables.fog.boxes), "16.4.2");
    }
    if own.boxes.contains_key(&number) || own.hiding.contains_key(&number) {
        return not(format!("box {number} is in use"), "16.4.2");
    }
    may_hold(t, units)?;
    let Some(first) = units.first() else { return not("nobody is named".to_owned(), "16.4.2.8.2") };
    for id in units {
        let Some(unit) = t.unit(id).filter(|u| u.side == *side) else {
            return not(format!("{id} is no unit of yours on the field"), "");
        };
        if own.hiding.values().flatten().any(|u| u == id) {
            return not(format!("{id} goes into another chit"), "16.4.2.1");
        }
        if !unit.has(Mark::Uncovered) {
            return not(format!("{id} has not come out of a chit"), "16.4.2.8.2");
        }
        if unit.mood != Mood::Fit || unit.has(Mark::Crewless) || t.combat_of(id).is_some() {
            return not(format!("{id} is shaken or in combat and can't slip away"), "12.5");
        }
        let shape = t.shape(id);
        let at = if unit.with.is_some() { t.centre(first).spot() } else { unit.pose.at };
        if t.enemy_within(side, &shape, range) || t.enemy_within(side, &t.chit_shape(at), range) {
            return not(format!("an enemy is within {} UM of {id}", um(range)), "16.4.2.8.2");
        }
        if !t.gap(first, id).within(t.board.tables.fog.sight.0) {
            let why = format!("{id} is farther than {} UM from {first}", um(t.board.tables.fog.sight.0));
            return not(why, "16.4.2.8");
        }
    }
    Ok(())
}

/// 4.3 HIDE: kept until the end of the Rally Phase, so that units and chits change places at once and nobody sees who
/// went where.
pub fn hide(cx: &mut Hand<'_>, side: &SideId, units: Vec<UnitId>, number: u8) {
    match may_hide(table(cx), hidden(cx, side), side, &units, number) {
        Ok(()) => cx.emit(Secret::Hiding { side: side.clone(), number, units }.into()),
        Err(fault) => cx.outcome(fault.into()),
    }
}

/// 16.4.2.8.2 All who hide vanish together; their chits lie where the first unit of each stood.
pub fn vanish(cx: &mut Hand<'_>, side: &SideId) {
    let t = table(cx);
    let mut loads: Vec<(Spot, u8, Vec<UnitId>)> = Vec::new();
    let mut stay: Vec<u8> = Vec::new();
    for (number, units) in &hidden(cx, side).hiding {
        // Whoever got into a combat or was shaken since stays.
        let still = units.iter().all(|u| t.unit(u).is_some_and(|u| u.mood == Mood::Fit) && t.combat_of(u).is_none());
        if let Some(first) = units.first().and_then(|u| t.unit(u)).filter(|_| still) {
            loads.push((first.pose.at, *number, units.clone()));
        } else {
            stay.push(*number);
        }
    }
    for number in stay {
        cx.emit(Secret::Hiding { side: side.clone(), number, units: Vec::new() }.into());
    }
    if loads.is_empty() {
        return;
    }
    loads.sort_by_key(|(at, number, _)| (-at.y, at.x, *number));
    let mut units: Vec<UnitId> = loads.iter().flat_map(|(_, _, units)| units.clone()).collect();
    units.sort();
    let spots: Vec<Spot> = loads.iter().map(|(at, _, _)| *at).collect();
    let chits = named(table(cx), side, &spots);
    for hq in &units {
        let with = table(cx).unit(hq).and_then(|u| u.with.clone());
        if with.is_some_and(|w| !units.contains(&w)) {
            tell(cx, Fact::Attached { hq: hq.clone(), to: None });
        }
        let left = table(cx).hq_with(hq).filter(|h| !units.contains(h)).cloned();
        if let Some(hq) = left {
            tell(cx, Fact::Attached { hq, to: None });
        }
    }
    tell(cx, Fact::Hid { side: side.clone(), units, chits: chits.clone() });
    for ((_, number, units), (chit, _)) in loads.into_iter().zip(chits) {
        cx.emit(Secret::Filled { side: side.clone(), number, units, chit }.into());
    }
}
