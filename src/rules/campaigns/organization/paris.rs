//! ¶127-128 The Paris Garrison: troops in training that give replacements, take the field when the enemy is near, and go
//! back once.

use super::order::Order;
use super::pool;
use crate::fog::SideId;
use crate::orders::{Args, Fault, Verb};
use crate::rules::campaigns::admin::event::Partly;
use crate::rules::campaigns::admin::told::Own;
use crate::rules::campaigns::board::{Halves, LeaderId, Reinforcement, UnitId};
use crate::rules::campaigns::pieces::{Pieces, Place, Track, Unit};
use crate::rules::campaigns::special::{Special, Training};
use crate::rules::campaigns::stands::Firm;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::{Campaigns, words};
use crate::rules::cx::Cx;
use std::collections::BTreeMap;

/// PARIS.
pub fn verbs() -> Vec<Verb<View, super::super::Order>> {
    vec![Verb {
        word: "PARIS",
        usage: "REPLACE unit | RETURN  (to take the field: ENTER leader)",
        rule: "¶127-128",
        examples,
        read: |v, args| Ok(super::super::Order::Organization(read(v, args)?)),
    }]
}

fn read(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let Some(paris) = of(&v.board.special, &v.own) else {
        return Err(Fault::refused("your side has no Paris Garrison", "¶127"));
    };
    if args.one_of("REPLACE or RETURN", &["REPLACE", "RETURN"])? == "RETURN" {
        may_return(v, paris)?;
        return Ok(Order::ParisReturn { leader: paris.leader.clone() });
    }
    super::order::in_step(v, 1)?;
    let unit = words::unit(v, args)?;
    let from = may_draw(v, paris, &unit)?;
    Ok(Order::ParisReplace { from, unit })
}

/// The garrison of a side, where it has one.
pub fn of<'a>(special: &'a Special, own: &Pieces) -> Option<&'a Training> {
    special.paris.as_ref().filter(|paris| paris.side == own.side)
}

/// ¶128 Whether the garrison is on the map.
fn deployed(own: &Pieces, paris: &Training) -> bool {
    own.units.iter().any(|(id, u)| paris.units.contains_key(id) && u.track != Track::Waiting)
}

/// ¶127 A unit of the garrison that has strength and is not on the map.
pub fn trains(special: &Special, own: &Pieces, unit: &UnitId) -> bool {
    let ours = of(special, own).is_some_and(|paris| paris.units.contains_key(unit));
    ours && own.units.get(unit).is_some_and(|u| u.track == Track::Waiting)
}

/// ¶128 While the garrison is on the map, and for a turn after each SP that it has lost there, no unit takes points.
///
/// # Errors
/// Refused, with the paragraph.
pub fn open(v: &View) -> Result<(), Fault> {
    let Some(paris) = of(&v.board.special, &v.own) else { return Ok(()) };
    if deployed(&v.own, paris) {
        return Err(Fault::refused("the Paris Garrison is in the field; points are stored, and none is used", "¶128"));
    }
    match v.own.army.pool_closed_until {
        until if v.turn < until => {
            Err(Fault::refused(format!("the losses of the Paris Garrison delay all points to turn {until}"), "¶128"))
        }
        _ => Ok(()),
    }
}

/// ¶127 Whether a unit may have an SP out of the garrison; gives the unit there that gives it.
fn may_draw(v: &View, paris: &Training, unit: &UnitId) -> Result<UnitId, Fault> {
    if v.turn < paris.from_turn {
        let why = format!("the Paris Garrison gives no replacements before turn {}", paris.from_turn);
        return Err(Fault::refused(why, "¶127"));
    }
    if v.own.army.paris_drawn == Some(v.turn) {
        return Err(Fault::refused("the Paris Garrison has given its SP of this turn", "¶127"));
    }
    pool::may_receive(v, unit, 1)?;
    let of = |id: &UnitId| v.board.units.get(id).map(|s| (s.arm, s.nationality.clone()));
    let fits = |id: &&UnitId| trains(&v.board.special, &v.own, id) && of(id) == of(unit) && sp(&v.own, id) > 0;
    let from = paris.units.keys().filter(fits).max_by_key(|id| sp(&v.own, id)).cloned();
    from.ok_or_else(|| Fault::refused("the Paris Garrison has no SP of that arm and nationality", "¶127"))
}

fn sp(own: &Pieces, unit: &UnitId) -> i32 {
    own.units.get(unit).map_or(0, |u| u.sp)
}

/// ¶128 Whether the garrison may go back to where it came from.
fn may_return(v: &View, paris: &Training) -> Result<(), Fault> {
    let refused = |why: String| Err(Fault::refused(why, "¶128"));
    if v.own.army.paris_returned {
        return refused("the Paris Garrison has gone back once".to_owned());
    }
    if v.own.hex(&paris.leader) != Some(paris.hex) {
        return refused(format!("the Paris Garrison does not stand in {}", paris.hex));
    }
    let alone = |(id, u): (&UnitId, &Unit)| match &u.track {
        Track::Of(leader) => (*leader == paris.leader) == paris.units.contains_key(id),
        Track::Garrison(_) | Track::Waiting => true,
    };
    let leads =
        v.own.force(&paris.leader).len() == 1 && v.own.leaders.get(&paris.leader).is_some_and(|l| l.under.is_none());
    if !leads || !v.own.units.iter().all(alone) {
        return refused("all of the Paris Garrison goes back together, and nobody else with it".to_owned());
    }
    Ok(())
}

/// ¶127 The garrison as a reinforcement, all that is left of it, where an enemy counter that may be a force has a way of few
/// MP to Paris.
pub fn due(v: &View, leader: &LeaderId) -> Option<Reinforcement> {
    let paris = of(&v.board.special, &v.own).filter(|paris| paris.leader == *leader)?;
    let waits = v.own.leaders.get(leader).is_some_and(|l| l.place == Place::Waiting);
    let units: BTreeMap<UnitId, i32> =
        paris.units.keys().map(|id| (id.clone(), sp(&v.own, id))).filter(|(_, sp)| *sp > 0).collect();
    if !waits || units.is_empty() || !threatened(v, paris) {
        return None;
    }
    Some(Reinforcement { turn: v.turn, side: v.own.side.clone(), leader: leader.clone(), hex: paris.hex, units })
}

/// ¶127 Whether an enemy counter that may be a force is so near, by infantry's costs. A hidden vedette is like a force
/// (¶230), so that the answer does not tell what it is.
fn threatened(v: &View, paris: &Training) -> bool {
    let reach = v.situation().distances(paris.hex, false, Some(Halves::whole(paris.mp)), &[]);
    v.enemy.values().any(|counter| counter.stands().force() != Firm::No && reach.contains(counter.hex))
}

/// PARIS lines that would be taken now.
fn examples(v: &View) -> Vec<String> {
    let Some(paris) = of(&v.board.special, &v.own) else { return Vec::new() };
    let back = may_return(v, paris).is_ok().then(|| "PARIS RETURN".to_owned());
    let unit = v.own.units.keys().find(|unit| may_draw(v, paris, unit).is_ok());
    let draw = unit.map(|unit| format!("PARIS REPLACE {}", super::tracks::unit_word(v, unit)));
    back.into_iter().chain(draw).collect()
}

/// ¶127 Gives an SP of the garrison to a unit in the field.
pub fn draw(cx: &mut Cx<'_, Campaigns>, side: &SideId, from: &UnitId, unit: &UnitId) {
    if pool::reached(cx.state(), side, unit) {
        cx.emit(Own::ParisDrawn { from: from.clone(), unit: unit.clone() }.of(side).into());
    } else {
        pool::cut(cx);
    }
}

/// ¶128 Takes the garrison off the map.
pub fn go_back(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId) {
    let Some(hex) = cx.state().pieces(side).and_then(|own| own.hex(leader)) else { return };
    cx.emit(Partly::ParisBack { side: side.clone(), leader: leader.clone(), hex }.into());
}
