//! March Regiments and Replacement Counters (¶111, 115-117, 122, 126, 134): REGIMENT.
//!
//! Both are empty counters that wait in the box: filled with points of the pool, or with the strength of units in play.

use super::event::{Partly, Quiet};
use super::forces;
use super::order::Order;
use super::pool::{arm_word, in_stock, kind};
use super::span::{carrier, legal};
use super::told::Own;
use super::tracks::{absorbs, one_mode, unit_name, unit_word};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::orders::{Args, Fault, Verb};
use crate::rules::campaigns::board::{LeaderId, UnitId, UnitSpec};
use crate::rules::campaigns::march::stack;
use crate::rules::campaigns::order::turned;
use crate::rules::campaigns::pieces::{Pieces, Place, Track, Unit};
use crate::rules::campaigns::ruleset::failed;
use crate::rules::campaigns::situation::Situation;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::{Campaigns, admin, words};
use crate::rules::cx::Cx;
use std::collections::BTreeMap;

/// REGIMENT.
pub fn verbs() -> Vec<Verb<View, super::super::Order>> {
    vec![Verb {
        word: "REGIMENT",
        usage: "counter FROM POOL n UNDER leader [AT hex] | counter FROM unit n [UNDER leader] \
                | counter DISSOLVE INTO unit",
        rule: "¶115-117, 126, 134",
        examples: |v| examples(v).into_iter().take(2).collect(),
        read: |v, args| turned(v, args, |v, args| Ok(super::super::Order::Organization(read(v, args)?))),
    }]
}

fn read(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    super::order::in_step(v, 3)?;
    let regiment = args.name("a March Regiment, or an empty unit", &counters(v))?;
    if args.one_of("FROM or DISSOLVE", &["FROM", "DISSOLVE"])? == "DISSOLVE" {
        args.key("INTO");
        if args.key("POOL") {
            return Err(Fault::refused("points once in a March Regiment do not go back to the pool", "¶117"));
        }
        let into = words::unit(v, args)?;
        may_dissolve(v, &regiment, &into)?;
        return Ok(Order::Dissolve { regiment, into });
    }
    if args.key("POOL") {
        let sp = args.number("how many points")?;
        arm_word(v, args, &regiment)?;
        args.key("UNDER");
        let leader = args.name("one of your leaders, in play or in the box", &forces::commanders(v))?;
        let at = if args.key("AT") { Some(words::hex(v, args)?) } else { None };
        let hex = may_draw(v, &regiment, sp, &leader, at)?;
        return Ok(Order::Draw { regiment, leader, hex, sp });
    }
    let from = words::unit(v, args)?;
    let sp = args.number("how many SP")?;
    let named = if args.key("UNDER") {
        Some(args.name("one of your leaders, in play or in the box", &forces::commanders(v))?)
    } else {
        None
    };
    let (leader, hex) = may_form(v, &regiment, &from, sp, named)?;
    Ok(Order::Form { regiment, from, sp, leader, hex })
}

/// Names of the counters that this verb is about: those in the box, and March Regiments in play. The number at the end of
/// a March Regiment's name will do for it.
fn counters(v: &View) -> Vec<(String, UnitId)> {
    let mut names = Vec::new();
    for (id, unit) in &v.own.units {
        let Some(spec) = v.board.units.get(id) else { continue };
        if unit.track != Track::Waiting && !spec.march_regiment {
            continue;
        }
        names.push((spec.name.clone(), id.clone()));
        if let Some((_, number)) = spec.name.rsplit_once(' ')
            && spec.march_regiment
            && number.parse::<u32>().is_ok()
        {
            names.push((number.to_owned(), id.clone()));
        }
    }
    names
}

/// ¶16, 115, 126 The printed facts of a counter in the box that may be filled with some SP.
fn fillable<'a>(v: &'a View, regiment: &UnitId, sp: i32) -> Result<&'a UnitSpec, Fault> {
    let trains = super::paris::trains(&v.board.special, &v.own, regiment);
    let waits = !trains && v.own.units.get(regiment).is_some_and(|u| u.track == Track::Waiting);
    let Some(spec) = v.board.units.get(regiment).filter(|_| waits) else {
        return Err(Fault::refused(format!("{} is in play already", unit_name(v, regiment)), "¶115"));
    };
    if sp > spec.max_sp {
        let why = format!("{} would be above its maximum of {} SP", spec.name, spec.max_sp);
        return Err(Fault::refused(why, "¶16"));
    }
    Ok(spec)
}

/// The pieces as they would be with a filled counter on a leader's track in a hex.
fn filled(v: &View, regiment: &UnitId, sp: i32, leader: &LeaderId, hex: Hex) -> Pieces {
    let mut trial = v.own.clone();
    let unit = Unit { track: Track::Of(leader.clone()), sp, immobile: false };
    trial.units.insert(regiment.clone(), unit);
    if let Some(l) = trial.leaders.get_mut(leader)
        && !matches!(l.place, Place::At(_))
    {
        l.place = Place::At(hex);
        l.under = None;
    }
    trial
}

/// ¶111, 115, 122 Whether a counter may be filled out of the pool, and where it comes onto the map.
fn may_draw(v: &View, regiment: &UnitId, sp: i32, leader: &LeaderId, at: Option<Hex>) -> Result<Hex, Fault> {
    let spec = fillable(v, regiment, sp)?;
    in_stock(v, spec, sp)?;
    super::paris::open(v)?;
    let Some(source) = v.own.army.source.filter(|_| v.own.army.source_moving.is_none()) else {
        return Err(Fault::refused("the points lie at your supply source, and it is not active", "¶103, 115"));
    };
    let hex = at.or(v.own.hex(leader)).unwrap_or(source);
    general(v, leader, hex)?;
    if !door(&v.situation(), &v.control, hex) {
        let why = format!("{hex} is neither a source of yours nor a depot with a line to one, free of the enemy");
        return Err(Fault::refused(why, "¶115"));
    }
    let most = stack::limit(&v.board, &v.own, hex);
    if v.own.sp_at(hex) + sp > most {
        return Err(Fault::refused(format!("more than {most} SP would stand in {hex}"), "¶216, 293"));
    }
    legal(&v.board, &filled(v, regiment, sp, leader, hex), leader)?;
    Ok(hex)
}

/// ¶111, 115, 122 A March Regiment out of the pool is under a Major General, or under a replacement leader raised for it.
fn general(v: &View, leader: &LeaderId, hex: Hex) -> Result<(), Fault> {
    let him = words::name(v, leader);
    match v.own.hex(leader) {
        Some(stands) if stands != hex => Err(Fault::refused(format!("{him} is in {stands}"), "¶115")),
        Some(_) if v.board.leaders.get(leader).is_some_and(|s| s.major_general.is_some()) => Ok(()),
        None if forces::available(v, leader) => Ok(()),
        Some(_) | None => {
            let why = format!("points of the pool take the field under a Major General; {him} is none");
            Err(Fault::refused(why, "¶115, 122"))
        }
    }
}

/// ¶115 Whether a March Regiment may come onto the map in a hex: at the active source; at another source in friendly
/// hands; at a depot with a line to any source.
fn door(sit: &Situation<'_>, control: &BTreeMap<Hex, SideId>, hex: Hex) -> bool {
    if sit.own.army.source == Some(hex) {
        return !sit.enemy.contains_key(&hex);
    }
    let sources = sit.board.sources(sit.own);
    if sources.contains(&hex) {
        return admin::held(sit, control, hex);
    }
    sources.iter().any(|source| sit.depots_on_line(*source).contains(&hex))
}

/// ¶116, 126, 133-134 Whether a counter may be filled with the strength of a unit, and under whom: on the donor's track,
/// on another one in the hex, or on that of a leader raised for it.
fn may_form(
    v: &View,
    regiment: &UnitId,
    from: &UnitId,
    sp: i32,
    named: Option<LeaderId>,
) -> Result<(LeaderId, Hex), Fault> {
    let taker = fillable(v, regiment, sp)?;
    let donor = carrier(&v.own, from);
    let hex = donor.as_ref().and_then(|l| v.own.hex(l));
    let (Some(giver), Some((donor, hex))) = (v.board.units.get(from), donor.zip(hex)) else {
        return Err(Fault::refused(format!("{} is on no leader's track", unit_name(v, from)), "¶116"));
    };
    absorbs(&v.board, giver, taker)?;
    let has = v.own.units.get(from).map_or(0, |u| u.sp);
    if sp < 1 || sp > has {
        return Err(Fault::refused(format!("{} has {has} SP", giver.name), "¶116"));
    }
    if sp == has && v.board.policies.last_sp_stays {
        return Err(Fault::refused(format!("the last SP of {} stays", giver.name), "¶133"));
    }
    let leader = named.unwrap_or_else(|| donor.clone());
    match v.own.hex(&leader) {
        Some(stands) if stands != hex => {
            let him = words::name(v, &leader);
            return Err(Fault::refused(format!("{him} is in {stands}, {} in {hex}", giver.name), "¶134"));
        }
        Some(_) => one_mode(&v.own, &donor, &leader)?,
        None if forces::available(v, &leader) => {}
        None => return Err(Fault::refused(format!("{} is not available", words::name(v, &leader)), "¶119")),
    }
    let mut trial = filled(v, regiment, sp, &leader, hex);
    if let Some(u) = trial.units.get_mut(from) {
        u.sp -= sp;
    }
    trial.units.retain(|id, u| id != from || u.sp > 0);
    legal(&v.board, &trial, &leader)?;
    Ok((leader, hex))
}

/// ¶117 Whether a March Regiment may be dissolved into a unit: of its arm and nationality, in its hex; an enemy zone does
/// not matter.
fn may_dissolve(v: &View, regiment: &UnitId, into: &UnitId) -> Result<(), Fault> {
    let name = unit_name(v, regiment);
    let (Some(giver), Some(taker)) = (v.board.units.get(regiment), v.board.units.get(into)) else {
        return Err(Fault::refused("there is no such unit", "¶117"));
    };
    if !giver.march_regiment || regiment == into {
        return Err(Fault::refused("a March Regiment is dissolved into another unit", "¶117"));
    }
    let (Some(a), Some(b)) = (carrier(&v.own, regiment), carrier(&v.own, into)) else {
        return Err(Fault::refused(format!("{name} and {} are not both in play", taker.name), "¶117"));
    };
    if v.own.hex(&a) != v.own.hex(&b) {
        return Err(Fault::refused(format!("{name} and {} are not in the same hex", taker.name), "¶117"));
    }
    absorbs(&v.board, giver, taker)?;
    one_mode(&v.own, &a, &b)?;
    let sp = |unit: &UnitId| v.own.units.get(unit).map_or(0, |u| u.sp);
    if sp(regiment) + sp(into) > v.board.most_sp(taker, Some(&b)) {
        return Err(Fault::Refused {
            why: format!("{} would be above its maximum of {} SP", taker.name, taker.max_sp),
            rule: "¶16, 117".to_owned(),
            copy: Some(format!("SP 1 FROM {} TO {}", unit_word(v, regiment), unit_word(v, into))),
        });
    }
    Ok(())
}

/// ¶115, 122 Fills a counter out of the pool; fails where the enemy turns out to cut the line to the place.
pub fn draw(cx: &mut Cx<'_, Campaigns>, side: &SideId, regiment: &UnitId, leader: &LeaderId, hex: Hex, sp: i32) {
    let state = cx.state();
    let open = state.situation(side).is_some_and(|truth| door(&truth, &state.control, hex));
    let Some(spec) = state.board.units.get(regiment) else { return };
    let Some(own) = state.pieces(side) else { return };
    let (nationality, arm) = (kind(&state.board, own, spec, sp), spec.arm);
    if !open {
        cx.outcome(failed(&format!("the way to {hex} is blocked"), "¶85, 115"));
        return;
    }
    forces::take_field(cx, side, leader, hex, false);
    let (regiment, leader) = (regiment.clone(), leader.clone());
    cx.emit(Partly::Drawn { regiment, leader, nationality, arm, sp }.of(side).into());
}

/// ¶116, 126, 134 Fills a counter with the strength of a unit.
pub fn form(
    cx: &mut Cx<'_, Campaigns>,
    side: &SideId,
    regiment: &UnitId,
    from: &UnitId,
    sp: i32,
    place: (&LeaderId, Hex),
) {
    let Some(pieces) = cx.state().pieces(side) else { return };
    let Some(donor) = carrier(pieces, from) else { return };
    let forage = pieces.leaders.get(&donor).is_some_and(|l| l.forage);
    let (leader, hex) = place;
    forces::take_field(cx, side, leader, hex, forage);
    let (regiment, leader) = (regiment.clone(), leader.clone());
    cx.emit(Partly::Formed { regiment, leader, from: from.clone(), sp }.of(side).into());
    emptied(cx, side, from);
    forces::retire_empty(cx, side, &donor);
}

/// ¶117 The strength of a March Regiment goes into a unit, and its counter back into the box.
pub fn dissolve(cx: &mut Cx<'_, Campaigns>, side: &SideId, regiment: &UnitId, into: &UnitId) {
    let Some(pieces) = cx.state().pieces(side) else { return };
    let leader = carrier(pieces, regiment);
    let sp = pieces.units.get(regiment).map_or(0, |u| u.sp);
    let (regiment, into) = (regiment.clone(), into.clone());
    cx.emit(Own::Dissolved { regiment, into, sp }.of(side).into());
    if let Some(leader) = leader {
        forces::retire_empty(cx, side, &leader);
    }
}

/// ¶117 A March Regiment whose last SP its owner has put elsewhere may be used again; one that the enemy destroyed never.
pub fn emptied(cx: &mut Cx<'_, Campaigns>, side: &SideId, unit: &UnitId) {
    let state = cx.state();
    let march = state.board.units.get(unit).is_some_and(|s| s.march_regiment);
    let gone = state.pieces(side).is_some_and(|p| !p.units.contains_key(unit));
    if march && gone {
        cx.emit(Quiet::Boxed { unit: unit.clone() }.of(side).into());
    }
}

/// ¶115, 130 A March Regiment in the box for strength of a nationality and arm.
pub fn free(v: &View, like: &UnitSpec) -> Option<UnitId> {
    let waits = |id: &UnitId| v.own.units.get(id).is_some_and(|u| u.track == Track::Waiting);
    let fits = |s: &&UnitSpec| s.march_regiment && s.nationality == like.nationality && s.arm == like.arm;
    v.board.units.values().filter(fits).find(|s| waits(&s.id)).map(|s| s.id.clone())
}

fn examples(v: &View) -> Vec<String> {
    let boxed: Vec<&UnitId> = v.own.units.iter().filter(|(_, u)| u.track == Track::Waiting).map(|(id, _)| id).collect();
    let mut lines = Vec::new();
    for regiment in &boxed {
        let name = unit_word(v, regiment);
        let general = v.own.leaders.keys().find(|l| may_draw(v, regiment, 1, l, None).is_ok());
        lines.extend(general.map(|l| format!("REGIMENT {name} FROM POOL 1 UNDER {}", words::order_name(v, l))));
    }
    for regiment in &boxed {
        let many = |from: &&UnitId| v.own.units.get(*from).is_some_and(|u| u.sp > 1);
        let mut donors = v.own.units.keys().filter(many);
        let donor = donors.find(|from| may_form(v, regiment, from, 1, None).is_ok());
        lines.extend(donor.map(|d| format!("REGIMENT {} FROM {} 1", unit_word(v, regiment), unit_word(v, d))));
    }
    for (regiment, _) in v.own.units.iter().filter(|(_, u)| matches!(u.track, Track::Of(_))) {
        let into = v.own.units.keys().find(|into| may_dissolve(v, regiment, into).is_ok());
        let words = into.map(|i| (unit_word(v, regiment), unit_word(v, i)));
        lines.extend(words.map(|(a, b)| format!("REGIMENT {a} DISSOLVE INTO {b}")));
    }
    lines
}
