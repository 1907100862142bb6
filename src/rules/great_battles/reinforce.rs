//! 14 Reinforcements.

use super::board::{Arrival, Kind};
use super::command;
use super::entry;
use super::event::{Event, How, Ready};
use super::eyes;
use super::ground::Toll;
use super::hand::Hand;
use super::march;
use super::pose::{Form, Hour, Pose};
use super::react::{self, Act};
use super::state::{Command, Lim, Mode, State};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::orders::{Fault, deny};
use crate::text;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// 14.0 When and where a division comes.
fn arrival<'s>(s: &'s State, division: &str) -> Option<&'s Arrival> {
    s.board.scenario.reinforcements.iter().find(|a| a.divisions.iter().any(|id| id == division))
}

/// 14.1, 14.2 Divisions of a side whose turn has come, and that wait, or of which units were left off the map.
pub fn due(s: &State, side: &SideId) -> Vec<String> {
    let waits = |id: &&String| s.commands.get(*id).is_some_and(|c| c.waits) || is_late(s, id);
    let due = s.board.scenario.reinforcements.iter().filter(|a| a.side == *side && a.turn <= s.turn);
    due.flat_map(|a| a.divisions.iter()).filter(waits).cloned().collect()
}

/// 4.1.1 Whether the LIM of a division is in the pool, or that of its corps: it has no other then to act on.
fn has_lim(s: &State, division: &str) -> bool {
    let corps = s.board.divisions.get(division).map(|d| Lim::Corps(d.corps.clone()));
    s.pool.contains(&Lim::Division(division.to_owned())) || corps.is_some_and(|lim| s.pool.contains(&lim))
}

/// 4.1.1, 4.6.1, 14.2, 14.4 The divisions that act on the Reinforcement LIM of a side: those that are due, and those that keep
/// the marker with which they came, until LIMs of their own are in the pool, and if they do not act elsewhere in the turn.
pub(super) fn called(s: &State, side: &SideId) -> Vec<String> {
    let keeps = |(id, c): &(&String, &Command)| c.arriving && !is_elsewhere(s, id) && s.board.side_of(id) == Some(side);
    let arriving = s.commands.iter().filter(keeps).map(|(id, _)| id.clone());
    due(s, side).into_iter().chain(arriving).collect()
}

/// 4.6.1, 14.1 Whether all units of a division that could act have acted on the Reinforcement LIM in the turn.
pub(super) fn is_through(s: &State, division: &str) -> bool {
    let able = |unit: &String| s.is(unit, |u| !u.out) && !s.routs(unit);
    let units: Vec<String> = s.units_of(division).into_iter().filter(able).collect();
    !units.is_empty() && units.iter().all(|unit| s.is(unit, |u| u.came))
}

/// Units of a division that are off the map and not lost. H.12 Its dummy comes on before them or in one stack with the first,
/// so that one that has vanished does not come again.
pub fn waiting(s: &State, division: &str) -> Vec<String> {
    let off = |id: &String| s.units.get(id).is_none_or(|u| u.pose.is_none() && !u.gone && !u.left);
    let first = s.commands.get(division).is_some_and(|c| c.waits);
    let comes = |id: &String| off(id) && (first || !s.is_dummy(id));
    let own = s.board.kinds.iter().filter(|(id, kind)| kind.div == division && comes(id));
    let mut own: Vec<String> = own.map(|(id, _)| id.clone()).collect();
    own.sort_by_key(|id| !s.is_dummy(id));
    own
}

/// 14.2, 14.4 Units of a division that were left off the map when it came on, once it bears the marker no more: they may be
/// delayed as long as their side wishes.
pub fn left_off(s: &State, division: &str) -> Vec<String> {
    let came = s.commands.get(division).is_some_and(|c| !c.waits) && arrival(s, division).is_some();
    let mut units = if came { waiting(s, division) } else { Vec::new() };
    // Who could have come on with it has been called.
    units.retain(|unit| s.units.contains_key(unit));
    units
}

/// 14.4, 4.1.1, 4.5.2, 4.7 Whether a division acts elsewhere than on the Reinforcement LIM: it has lost the marker with which it
/// came, its own LIM is in the pool, it has acted on the Independent LIM in the turn, or it is stopped. R-13 Whom a breakdown
/// has brought in acts on his own marker besides.
fn is_elsewhere(s: &State, division: &str) -> bool {
    let own = |c: &Command| !c.arriving || c.independent || c.stopped;
    s.commands.get(division).is_some_and(own) || has_lim(s, division)
}

/// 14.2, 14.4 Whether a division is on the map, acts elsewhere than on the Reinforcement LIM, and units of it are not there.
pub(super) fn is_late(s: &State, division: &str) -> bool {
    is_elsewhere(s, division) && !left_off(s, division).is_empty()
}

/// 14.2 Whether the Reinforcement LIM is a late division's, so that it is not the division that acts on it.
pub(super) fn is_call_of_late(s: &State, division: &str) -> bool {
    s.acting.as_ref().is_some_and(|acting| matches!(acting.lim, Lim::Reinforcement(_))) && is_late(s, division)
}

/// 14.2, 14.4 On the Reinforcement LIM only those of a late division act that are off the map, and 5.0 they march as the others
/// do: the rest acts elsewhere. 14.3 Who cannot come on strategically comes on in regular movement, and the marker comes off.
/// None where it is no such division.
///
/// # Errors
/// They do not come in that manner.
pub(super) fn late_call(s: &State, division: &str, how: Mode) -> Result<Option<Vec<Event>>, Fault> {
    if !is_call_of_late(s, division) {
        return Ok(None);
    }
    let marked = s.commands.get(division).is_some_and(|c| c.strategic) && !turns_regular(s, division, how);
    let right = if marked { Mode::Strategic } else { Mode::Full };
    let word = right.word().to_uppercase();
    let why = format_args!("{division} is on the map: ACTIVATE it {word}, and who was left off it comes on");
    deny(how != right, why, "14.4")?;
    let come = |unit: String| Ready { ma: command::allowance(s, &unit, how, false), unit, faced: BTreeSet::new() };
    let units = left_off(s, division).into_iter().map(come).collect();
    let act = Event::Activated { division: division.to_owned(), mode: how, units, out: Vec::new() };
    Ok(Some(command::marking(s, division, how).into_iter().chain([act]).collect()))
}

/// 4.5, 14.2 A division is called: those of it who were left off the map come on, or it tries to act.
pub(super) fn call(cx: &mut Hand<'_>, division: &str, how: Mode) -> crate::rules::Play<()> {
    match late_call(cx.state(), division, how) {
        Ok(Some(late)) => {
            march::finish(cx)?;
            late.into_iter().for_each(|event| cx.emit(event));
            Ok(())
        }
        _ => command::activate(cx, division, how),
    }
}

/// 14.2, 14.4 Whether of a division that has acted on the Reinforcement LIM only those did who came on by it.
pub(super) fn came_late(s: &State, lim: &Lim, division: &str) -> bool {
    let drawn = matches!(lim, Lim::Reinforcement(_)) && is_elsewhere(s, division);
    let idle = |unit: &String| s.is(unit, |u| !u.going.ready && !u.out) && !s.routs(unit);
    drawn && s.units_of(division).iter().any(idle)
}

/// 14.3 Whether a division that was to come on strategically, and of which nobody has, may come on in regular movement instead,
/// since the enemy is near. H.3 It may when he is out of sight as well: whose entry is contested is told so, and comes on in
/// regular movement, or finds that closed too.
pub(super) fn turns_regular(s: &State, division: &str, how: Mode) -> bool {
    let Some(acting) = s.acting.as_ref().filter(|acting| matches!(acting.lim, Lim::Reinforcement(_))) else {
        return false;
    };
    let now = acting.division.as_deref() == Some(division);
    let marches = now && acting.modes.get(division) == Some(&Mode::Strategic);
    how == Mode::Full && marches && !s.counters_of(division).iter().any(|unit| s.is(unit, |u| u.going.ready))
}

/// 14.3 Whether a hex is free to come on by: no enemy in it, and in no enemy's Reaction Zone.
fn is_free(s: &State, hex: Hex, side: &SideId) -> bool {
    let zones = s.enemies(side).any(|(id, ..)| react::zone(s, id).contains(&hex));
    !s.held_against(hex, side) && !zones
}

/// 14.1.1, 14.2, 14.3 The hexes by which a division comes, the first where none is named: its Entry Area, or a turn later,
/// where that is closed, the nearest on the edge that is free; and once it is late another one, if the scenario has it.
fn entries(s: &State, division: &str, side: &SideId) -> Vec<Hex> {
    let Some(arrival) = arrival(s, division) else { return Vec::new() };
    let area = |n: u8| s.board.ground.entries.get(&n).copied();
    let (own, late) = (area(arrival.entry), s.turn > arrival.turn);
    let free = |hex: &Hex| is_free(s, *hex, side);
    let on_edge = |hex: &&Hex| hex.neighbours().into_iter().any(|near| !s.board.ground.has(near));
    let next = |own: Hex| {
        let edge = s.board.ground.field.cells.keys().filter(on_edge).copied().filter(free);
        edge.filter(|_| late).min_by_key(|hex| (hex.distance(own), *hex))
    };
    let first = own.filter(free).or_else(|| own.and_then(next));
    let other = arrival.delayed_entry.filter(|_| late).and_then(area).filter(free);
    first.into_iter().chain(other).collect()
}

/// What a stack that comes on is.
#[derive(Clone, Copy, Debug)]
pub struct Coming {
    /// How it stands then.
    pub pose: Pose,
    /// 14.1.2 What it pays.
    pub cost: i32,
    /// 5.1.1 What the hex asks.
    pub toll: Toll,
}

/// 4.6.2, 5.1, 5.2.1, 6.3.7 What bars who comes on as it bars who steps; under the marker nobody is in Line, or comes without
/// a road where the ground asks for one.
fn barred(s: &State, units: &[String], pose: Pose) -> Result<(), Fault> {
    let marching = units.iter().any(|unit| command::is_bound(s, unit));
    deny(marching && pose.form == Form::Line, "in strategic movement nobody is in Line", "5.2.1")?;
    let rough = s.board.terrain(pose.head).is_some_and(|t| t.by_road) && !is_on_road(s, pose.head);
    deny(marching && rough, "strategic movement goes there by road alone", "5.2.1")?;
    units.iter().try_for_each(|unit| entry::barred(s, unit, pose, How::Enter))
}

/// 14.1, 14.1.2, 14.3, 5.2.1 Whether a stack may come on, how it stands then, and what it pays: the cost of the hex as often as
/// its place in the chain says.
///
/// # Errors
/// Why not.
pub fn may(s: &State, units: &[String], (form, hour): (Form, Option<Hour>), at: Option<Hex>) -> Result<Coming, Fault> {
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let Some(top) = units.first() else { return refused("nobody is named".to_owned(), "14.1") };
    let division = s.division(top).to_owned();
    let Some(acting) = &s.acting else { return refused("no command acts".to_owned(), "14.1") };
    let drawn = matches!(acting.lim, Lim::Reinforcement(_));
    deny(!drawn, "reinforcements come on when their LIM is drawn", "14.1")?;
    if !acting.modes.contains_key(&division) {
        return refused(format!("activate {division} first"), "14.1");
    }
    let Some(side) = s.board.side_of(&division).cloned() else {
        return refused(format!("there is no {division}"), "14.1");
    };
    let off = waiting(s, &division);
    for unit in units {
        deny(!off.contains(unit), format_args!("{unit} does not wait off the map"), "14.1")?;
        deny(s.division(unit) != division, "a stack is of one division", "7.1")?;
        let held = s.units.get(unit).is_some_and(|u| u.going.done);
        deny(held, format_args!("{unit} has been held up, and comes on in another turn"), "H.3")?;
    }
    let open = entries(s, &division, &side);
    let Some(first) = open.first().copied() else {
        return refused("its entry is closed by the enemy".to_owned(), "14.3");
    };
    let hex = at.unwrap_or(first);
    let named = || text::or_list(&open.iter().map(Hex::to_string).collect::<Vec<_>>());
    deny(!open.contains(&hex), format_args!("{division} comes on by {}", named()), "14.1.1")?;
    let near = s.enemy_near(hex, &side) <= command::NEAR;
    deny(command::is_bound(s, top) && near, "an enemy is within three hexes: come on in regular movement", "14.3")?;
    let home = s.board.retreat.get(&side).copied().unwrap_or_default();
    let ahead = Hour::from(home).on(6);
    let kind = s.kind(top).cloned().unwrap_or_default();
    let pose = Pose { size: kind.hexes, ..Pose::at(hex, 12, form) }.formed(form, Some(hour.unwrap_or(ahead)));
    barred(s, units, pose)?;
    let before = acting.entered.get(&hex).copied().unwrap_or_default();
    let Some((cost, toll)) = chain(s, &kind, pose, before) else {
        return refused(format!("entry of {hex} in {} is prohibited", form.word()), "5.1");
    };
    for unit in units {
        let ma = s.units.get(unit).map_or(0, |u| u.going.ma);
        deny(cost > ma, format_args!("{hex} costs {unit} {cost} MP, and it has {ma}"), "14.1.2")?;
    }
    let coming = Coming { pose, cost, toll };
    entry::may_enter(s, units, &coming)?;
    Ok(coming)
}

/// 5.3, 5.3.1, 5.3.2 Whether a road leads by a hex, a drawn one or the street of a village: on the edge it leads on beyond it.
fn is_on_road(s: &State, hex: Hex) -> bool {
    hex.neighbours().into_iter().any(|near| s.board.ground.road(hex, near))
}

/// 14.1.2, 5.1.1 The cost of the first hex, as often as the place in the chain, and what it asks; a road on the edge leads on
/// beyond it.
fn chain(s: &State, kind: &Kind, pose: Pose, before: i32) -> Option<(i32, Toll)> {
    let class = kind.class(pose.form)?;
    let charts = &s.board.charts;
    let hex = pose.head;
    let road = charts.road.get(&class).and_then(|price| price.points).filter(|_| is_on_road(s, hex));
    let open = s.board.terrain(hex).and_then(|t| t.cost.get(&class)).and_then(|cell| Some((cell.points?, cell.toll)));
    road.map(|one| (one, Toll::None)).or(open).map(|(one, toll)| (one * (before + 1), toll))
}

/// 14.1, 5.4 A stack comes on; with the first of a division its leaders.
pub(super) fn enter(
    cx: &mut Hand<'_>,
    units: &[String],
    face: (Form, Option<Hour>),
    at: Option<Hex>,
) -> crate::rules::Play<()> {
    march::finish(cx)?;
    let coming = match may(cx.state(), units, face, at) {
        Ok(coming) => coming,
        Err(fault) => {
            march::fail(cx, fault, false);
            return Ok(());
        }
    };
    let s = cx.state();
    let division = units.first().map(|unit| s.division(unit).to_owned()).unwrap_or_default();
    let first = s.commands.get(&division).is_some_and(|c| c.waits);
    let regular = s.acting.as_ref().is_some_and(|a| a.modes.get(&division) != Some(&Mode::Strategic));
    let leaders: Vec<String> = if first { leaders(s, &division) } else { Vec::new() };
    if first {
        cx.emit(Event::Arrived { division: division.clone() });
        if regular {
            cx.emit(Event::Marked { division, on: false });
        }
    }
    for leader in leaders {
        cx.emit(Event::Placed { leader, hex: coming.pose.head });
    }
    cx.emit(Event::Moved { units: units.to_vec(), pose: coming.pose, cost: coming.cost, how: How::Enter });
    entry::come(cx, units, Act::Entered(coming.pose), coming.toll)?;
    Ok(())
}

/// The leaders who come with a division and are not on the map.
pub(super) fn leaders(s: &State, division: &str) -> Vec<String> {
    let own = s.board.commander(division).cloned();
    let corps = arrival(s, division).and_then(|a| a.corps_leader.clone());
    let off = |id: &String| s.leaders.get(id).is_none_or(|l| l.hex.is_none() && !l.lost);
    own.into_iter().chain(corps).filter(off).collect()
}

/// 14.1.3 What it costs a reinforcement under the marker to come from each hex to the one that its division makes for, by those
/// that come within three hexes of no enemy whom its side sees (H.6); none where it makes for no hex.
pub(super) fn objective(s: &State, unit: &str) -> Option<Arc<BTreeMap<Hex, i32>>> {
    let division = s.division(unit);
    let aim = arrival(s, division).and_then(|a| a.objective)?;
    let arriving = s.commands.get(division).is_some_and(|c| c.arriving);
    let (_, kind, pose) = s.on(unit).filter(|_| arriving)?;
    let (side, class) = (s.side(unit)?, kind.class(pose.form)?);
    let foes = eyes::enemies(s, side).flat_map(|(_, pose)| pose.hexes()).collect();
    Some(march::ways(s, (class, BTreeSet::from([aim]), foes)))
}

/// 14.1.3 Whether a step of a reinforcement under the marker is one of the cheapest way to the hex that its division makes for;
/// where there is no such way any step is.
pub(super) fn makes_for(s: &State, unit: &str, from: Hex, to: Hex) -> bool {
    let Some(costs) = objective(s, unit) else { return true };
    let class = s.on(unit).and_then(|(_, kind, pose)| kind.class(pose.form));
    match (costs.get(&from), costs.get(&to), class.and_then(|class| march::price(s, class, from, to))) {
        (Some(here), Some(there), Some((step, _))) => there + step <= *here,
        (Some(_), None, _) => false,
        _ => true,
    }
}

/// 14.1.3 Divisions under the marker of which a unit has reached the hex that they make for.
pub(super) fn arrived(s: &State) -> Vec<String> {
    let at = |a: &Arrival, id: &String| {
        let aim = a.objective?;
        s.units_of(id).iter().any(|unit| s.pose(unit).is_some_and(|pose| pose.is_in(aim))).then(|| id.clone())
    };
    let marked = |id: &&String| s.commands.get(*id).is_some_and(|c| c.strategic);
    let all = s.board.scenario.reinforcements.iter();
    all.flat_map(|a| a.divisions.iter().filter(marked).filter_map(|id| at(a, id)).collect::<Vec<_>>()).collect()
}
