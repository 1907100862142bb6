//! Garrisons made and absorbed (¶130-131): GARRISON.

use super::event::Partly;
use super::order::Order;
use super::regiment;
use super::span::{carrier, legal};
use super::tracks::{unit_name, unit_word};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::map::Settlement;
use crate::orders::{Args, Fault, Verb};
use crate::rules::campaigns::board::{Arm, LeaderId, UnitId, UnitSpec};
use crate::rules::campaigns::pieces::{Track, Unit};
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::{Campaigns, words};
use crate::rules::cx::Cx;

/// ¶22, 130 A garrison has one SP.
const GARRISON_SP: i32 = 1;

/// GARRISON.
pub fn verbs() -> Vec<Verb<View, super::super::Order>> {
    vec![Verb {
        word: "GARRISON",
        usage: "CREATE hex FROM unit | ABSORB hex INTO unit | CONVERT hex TO leader",
        rule: "¶130-131",
        examples: |v| examples(v).into_iter().take(2).collect(),
        read: |v, args| Ok(super::super::Order::Organization(read(v, args)?)),
    }]
}

fn read(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    super::order::in_step(v, 3)?;
    match args.one_of("CREATE, ABSORB or CONVERT", &["CREATE", "ABSORB", "CONVERT"])? {
        "CREATE" => {
            let hex = words::hex(v, args)?;
            args.key("FROM");
            let from = words::unit(v, args)?;
            Ok(Order::Garrison { garrison: may_create(v, hex, &from)?, hex, from })
        }
        "ABSORB" => {
            let hex = words::hex(v, args)?;
            args.key("INTO");
            let into = words::unit(v, args)?;
            Ok(Order::Absorb { garrison: may_absorb(v, hex, &into)?, into })
        }
        _ => {
            let hex = words::hex(v, args)?;
            args.key("TO");
            let leader = words::leader(v, args)?;
            let (garrison, regiment) = may_convert(v, hex, &leader)?;
            Ok(Order::Convert { garrison, regiment, leader })
        }
    }
}

/// ¶130 The counter that may garrison a place out of a unit there.
fn may_create(v: &View, hex: Hex, from: &UnitId) -> Result<UnitId, Fault> {
    if !v.board.map.settlement_of(hex).is_some_and(Settlement::fortified) {
        return Err(Fault::refused(format!("{hex} is neither a citadel nor a capital nor a fortified town"), "¶130"));
    }
    if carrier(&v.own, from).and_then(|l| v.own.hex(&l)) != Some(hex) {
        return Err(Fault::refused(format!("{} is not in {hex}", unit_name(v, from)), "¶130"));
    }
    if !v.own.garrisons_at(hex).is_empty() {
        return Err(Fault::refused(format!("{hex} has a garrison"), "¶130"));
    }
    let Some(giver) = v.board.units.get(from) else {
        return Err(Fault::refused("there is no such unit", "¶130"));
    };
    if giver.arm != Arm::Infantry {
        return Err(Fault::refused("a garrison is of infantry", "¶118, 130"));
    }
    let free = |spec: &&UnitSpec| {
        spec.garrison
            && spec.side == v.own.side
            && spec.nationality == giver.nationality
            && !v.own.units.contains_key(&spec.id)
            && !v.phase.absorbed.contains(&spec.id)
    };
    match v.board.units.values().find(free) {
        Some(spec) => Ok(spec.id.clone()),
        None => Err(Fault::refused(format!("no {} garrison counter is free", giver.nationality), "¶130-131")),
    }
}

/// ¶131 The garrison of a place that a unit there may absorb.
fn may_absorb(v: &View, hex: Hex, into: &UnitId) -> Result<UnitId, Fault> {
    let Some((garrison, strength)) = v.own.garrisons_at(hex).into_iter().next() else {
        return Err(Fault::refused(format!("you have no garrison in {hex}"), "¶131"));
    };
    if carrier(&v.own, into).and_then(|l| v.own.hex(&l)) != Some(hex) {
        return Err(Fault::refused(format!("{} is not in {hex}", unit_name(v, into)), "¶131"));
    }
    let (Some(taker), Some(giver)) = (v.board.units.get(into), v.board.units.get(garrison)) else {
        return Err(Fault::refused("there is no such unit", "¶131"));
    };
    if taker.arm != Arm::Infantry || taker.nationality != giver.nationality {
        let why = format!("only {} infantry may absorb that garrison", giver.nationality);
        return Err(Fault::refused(why, "¶131"));
    }
    if v.own.units.get(into).map_or(0, |u| u.sp) + strength.sp > taker.max_sp {
        let why = format!("{} would be above its maximum of {} SP", taker.name, taker.max_sp);
        return Err(Fault::refused(why, "¶16"));
    }
    Ok(garrison.clone())
}

/// ¶131 The garrison of a place, and the March Regiment that it may become on the track of a leader there.
fn may_convert(v: &View, hex: Hex, leader: &LeaderId) -> Result<(UnitId, UnitId), Fault> {
    let Some((garrison, strength)) = v.own.garrisons_at(hex).into_iter().next() else {
        return Err(Fault::refused(format!("you have no garrison in {hex}"), "¶131"));
    };
    if v.own.hex(leader) != Some(hex) {
        return Err(Fault::refused(format!("{} is not in {hex}", words::name(v, leader)), "¶131"));
    }
    let Some(spec) = v.board.units.get(garrison) else {
        return Err(Fault::refused("there is no such unit", "¶131"));
    };
    let Some(regiment) = regiment::free(v, spec) else {
        return Err(Fault::refused(format!("no {} March Regiment is free", spec.nationality), "¶115, 131"));
    };
    let mut trial = v.own.clone();
    trial.units.remove(garrison);
    let unit = Unit { track: Track::Of(leader.clone()), sp: strength.sp, immobile: false };
    trial.units.insert(regiment.clone(), unit);
    legal(&v.board, &trial, leader)?;
    Ok((garrison.clone(), regiment))
}

/// ¶130 Makes a garrison out of one SP.
pub fn create(cx: &mut Cx<'_, Campaigns>, side: &SideId, garrison: &UnitId, hex: Hex, from: &UnitId) {
    let leader = cx.state().pieces(side).and_then(|p| carrier(p, from));
    let (garrison, from) = (garrison.clone(), from.clone());
    cx.emit(Partly::Garrisoned { garrison, hex, from: from.clone(), sp: GARRISON_SP }.of(side).into());
    regiment::emptied(cx, side, &from);
    if let Some(leader) = leader {
        super::forces::retire_empty(cx, side, &leader);
    }
}

/// ¶131 Takes a garrison off the map into a unit.
pub fn absorb(cx: &mut Cx<'_, Campaigns>, side: &SideId, garrison: &UnitId, into: &UnitId) {
    let sp = cx.state().pieces(side).and_then(|p| p.units.get(garrison)).map_or(GARRISON_SP, |u| u.sp);
    let (garrison, into) = (garrison.clone(), into.clone());
    cx.emit(Partly::Absorbed { garrison, into, sp }.of(side).into());
}

/// ¶131 Turns a garrison into a March Regiment.
pub fn convert(cx: &mut Cx<'_, Campaigns>, side: &SideId, garrison: &UnitId, regiment: &UnitId, leader: &LeaderId) {
    let sp = cx.state().pieces(side).and_then(|p| p.units.get(garrison)).map_or(GARRISON_SP, |u| u.sp);
    let (garrison, regiment, leader) = (garrison.clone(), regiment.clone(), leader.clone());
    cx.emit(Partly::Converted { garrison, regiment, leader, sp }.of(side).into());
}

fn examples(v: &View) -> Vec<String> {
    let mut lines = Vec::new();
    for (unit, _) in v.own.units.iter().filter(|(_, u)| matches!(u.track, Track::Of(_))) {
        let Some(hex) = carrier(&v.own, unit).and_then(|l| v.own.hex(&l)) else { continue };
        if may_create(v, hex, unit).is_ok() {
            lines.push(format!("GARRISON CREATE {hex} FROM {}", unit_word(v, unit)));
        }
        if may_absorb(v, hex, unit).is_ok() {
            lines.push(format!("GARRISON ABSORB {hex} INTO {}", unit_word(v, unit)));
        }
    }
    lines
}
