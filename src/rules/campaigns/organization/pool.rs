//! Replacements out of the pool (¶108-118): REPLACE.

use super::event::Partly;
use super::order::Order;
use super::paris;
use super::span::carrier;
use super::tracks::unit_word;
use crate::fog::SideId;
use crate::orders::{Args, Fault, Verb};
use crate::rules::campaigns::board::{Arm, Board, GUARD, Quality, UnitId, UnitSpec};
use crate::rules::campaigns::order::turned;
use crate::rules::campaigns::pieces::Pieces;
use crate::rules::campaigns::ruleset::failed;
use crate::rules::campaigns::situation::Situation;
use crate::rules::campaigns::stands::Firm;
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::{Campaigns, words};
use crate::rules::cx::Cx;

/// REPLACE.
pub fn verbs() -> Vec<Verb<View, super::super::Order>> {
    vec![Verb {
        word: "REPLACE",
        usage: "unit n [i|c|a]",
        rule: "¶108-114",
        examples: |v| v.own.units.keys().filter_map(|u| line(v, u)).take(2).collect(),
        read: |v, args| turned(v, args, |v, args| Ok(super::super::Order::Organization(read(v, args)?))),
    }]
}

fn read(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    super::order::in_step(v, 1)?;
    let unit = words::unit(v, args)?;
    let sp = args.number("how many SP")?;
    if !args.done() && !arm_word(v, args, &unit)? {
        return Err(args.fault("i, c or a", ["i", "c", "a"]));
    }
    may_replace(v, &unit, sp)?;
    Ok(Order::Replace { unit, sp })
}

/// ¶109 Reads the letter of an arm, where one stands; whether it did. It must be the unit's.
///
/// # Errors
/// Refused, where it is another.
pub fn arm_word(v: &View, args: &mut Args<'_>, unit: &UnitId) -> Result<bool, Fault> {
    let kind = match args.peek().map(|w| w.fold.as_str()) {
        Some("i" | "infantry") => Arm::Infantry,
        Some("c" | "cavalry") => Arm::Cavalry,
        Some("a" | "artillery") => Arm::Artillery,
        Some(_) | None => return Ok(false),
    };
    args.next_word();
    if Some(kind) != v.board.units.get(unit).map(|s| s.arm) {
        return Err(Fault::refused("that is not the unit's arm", "¶109"));
    }
    Ok(true)
}

/// ¶109-110 Whether the pool holds so many points of a unit's kind.
pub fn in_stock(v: &View, spec: &UnitSpec, sp: i32) -> Result<(), Fault> {
    let kinds = kinds(&v.board, spec);
    let stock = |kind: &String| v.own.army.pool.get(&(kind.clone(), spec.arm)).copied().unwrap_or(0);
    let guard = spec.quality != Quality::Line;
    if guard && kinds.iter().all(|kind| stock(kind) == 0) {
        return Err(Fault::refused("line replacements may not be given to the Guard", "¶109"));
    }
    let most = kinds.iter().map(stock).max().unwrap_or(0);
    if sp < 1 || sp > most {
        let kind = kinds.first().cloned().unwrap_or_default();
        let why = format!("the pool holds {most} {kind} {} points", arm_name(spec.arm));
        return Err(Fault::refused(why, "¶109-110"));
    }
    Ok(())
}

/// ¶109, 118 The kinds of points that a unit may take, the plainest first: its nationality's, for the Guard those of the
/// Guard, which a line unit may take too unless quality must be equal; and another nationality's that serve it.
fn kinds(board: &Board, spec: &UnitSpec) -> Vec<String> {
    let guard = format!("{}{GUARD}", spec.nationality);
    if spec.quality != Quality::Line {
        return vec![guard];
    }
    let mut found = vec![spec.nationality.clone()];
    let others = board.special.pool_also.iter().filter(|(_, served)| served.contains(&spec.nationality));
    found.extend(others.map(|(nation, _)| nation.clone()));
    if !board.exceptions.organization.equal_quality {
        found.push(guard);
    }
    found
}

/// ¶109 The kind of points that a unit is given: the plainest of which there are enough.
pub fn kind(board: &Board, own: &Pieces, spec: &UnitSpec, sp: i32) -> String {
    let enough = |kind: &String| own.army.pool.get(&(kind.clone(), spec.arm)).is_some_and(|n| *n >= sp);
    let kinds = kinds(board, spec);
    kinds.iter().find(|kind| enough(kind)).or(kinds.first()).cloned().unwrap_or_default()
}

/// ¶83, 108-114, 118 Whether a unit may have points out of the pool, as far as its side knows.
fn may_replace(v: &View, unit: &UnitId, sp: i32) -> Result<(), Fault> {
    if let Some(spec) = v.board.units.get(unit).filter(|_| carrier(&v.own, unit).and_then(|l| v.own.hex(&l)).is_some())
    {
        in_stock(v, spec, sp)?;
    }
    may_receive(v, unit, sp)
}

/// ¶83, 108, 114, 128 Whether a unit may have points at all, wherever they come from.
///
/// # Errors
/// Refused, with the paragraph.
pub fn may_receive(v: &View, unit: &UnitId, sp: i32) -> Result<(), Fault> {
    let Some(spec) = v.board.units.get(unit) else {
        return Err(Fault::refused("there is no such unit", "¶108"));
    };
    let leader = carrier(&v.own, unit);
    let hex = leader.as_ref().and_then(|l| v.own.hex(l));
    let Some(hex) = hex else {
        return Err(Fault::refused("a garrison takes no replacements", "¶114"));
    };
    paris::open(v)?;
    if let Some(alone) = leader.as_ref().and_then(|l| v.board.special.independent(l, v.turn)) {
        let why = format!("his forces take no replacements before turn {}", alone.until);
        return Err(Fault::refused(why, "¶109"));
    }
    let room = v.board.most_sp(spec, leader.as_ref()) - v.own.units.get(unit).map_or(0, |u| u.sp);
    if sp > room {
        let why = format!("{} would be above its maximum of {} SP", spec.name, spec.max_sp);
        return Err(Fault::refused(why, "¶114"));
    }
    if let Some(idle) = v.situation().idle() {
        let (why, _) = idle.words();
        return Err(Fault::refused(format!("no replacements are given out: {why}"), "¶108"));
    }
    let situation = v.situation();
    // ¶114: a counter that may be a force bars replacements; one shown to be a vedette does not. So the answer tells
    // nothing that the asker did not know.
    if situation.zones_on(hex).iter().any(|(_, firm)| *firm != Firm::No) {
        return Err(Fault::refused("an enemy counter that may be a force stands beside the unit", "¶114"));
    }
    if !in_dispatch(&situation, hex) {
        return Err(Fault::refused("the unit is out of Dispatch Distance of the center", "¶108"));
    }
    Ok(())
}

/// ¶86, 108 Whether a hex is in Dispatch Distance of the center itself, where its army needs to be.
fn in_dispatch(situation: &Situation<'_>, hex: crate::hex::Hex) -> bool {
    let army = situation.own.army.name.as_ref();
    let from = army.and_then(|army| situation.board.special.pool_dispatch_from.get(army));
    if from.is_some_and(|from| situation.turn < *from) {
        return true;
    }
    situation.hears_the_center(hex)
}

/// ¶110, 114 Gives points out of the pool; fails where the enemy turns out to cut the dispatch.
pub fn replace(cx: &mut Cx<'_, Campaigns>, side: &SideId, unit: &UnitId, sp: i32) {
    let state = cx.state();
    let reached = reached(state, side, unit);
    let Some(spec) = state.board.units.get(unit) else { return };
    let Some(own) = state.pieces(side) else { return };
    let (nationality, arm) = (kind(&state.board, own, spec, sp), spec.arm);
    if !reached {
        return cut(cx);
    }
    cx.emit(Partly::Replaced { unit: unit.clone(), nationality, arm, sp }.of(side).into());
}

/// ¶86 Whether a dispatch from the center reaches a unit in truth.
pub fn reached(s: &State, side: &SideId, unit: &UnitId) -> bool {
    let hex = s.pieces(side).and_then(|p| carrier(p, unit).and_then(|l| p.hex(&l)));
    hex.zip(s.situation(side)).is_some_and(|(hex, truth)| in_dispatch(&truth, hex))
}

/// ¶86, 114 The enemy has turned out to cut the dispatch.
pub fn cut(cx: &mut Cx<'_, Campaigns>) {
    cx.outcome(failed("the dispatch to the unit is blocked", "¶86, 114"));
}

/// An arm in words.
pub fn arm_name(arm: Arm) -> &'static str {
    match arm {
        Arm::Infantry => "infantry",
        Arm::Cavalry => "cavalry",
        Arm::Artillery => "artillery",
    }
}

fn line(v: &View, unit: &UnitId) -> Option<String> {
    may_replace(v, unit, 1).ok()?;
    Some(format!("REPLACE {} 1", unit_word(v, unit)))
}
