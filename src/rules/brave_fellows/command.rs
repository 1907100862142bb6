//! 6.1 Activation: who is called, who follows, and who has to check.

use super::board::Rank;
use super::bounds;
use super::called;
use super::event::Event;
use super::fatigue::At;
use super::march;
use super::order::Call;
use super::state::{Mood, Segment, State};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::orders::{Fault, deny};
use crate::rules::tactical::chain::all_taken;

/// 6.1.2, 6.1.3 How far a leader reaches to his units, and to the leaders under him.
fn reach(rank: Rank) -> (u32, u32) {
    match rank {
        Rank::Corps | Rank::Army => (6, 6),
        Rank::Division | Rank::Column => (4, 4),
        Rank::Brigade => (2, 0),
    }
}

/// 6.1.4 How far he reaches to units of others.
const EXTRA: u32 = 4;

/// 5.2.1 Where a leader is on the map, or waits to come on.
fn place(s: &State, leader: &str) -> Option<Hex> {
    s.leaders.get(leader).and_then(|l| l.hex.or(l.waits))
}

fn seat(s: &State, unit: &str) -> Option<Hex> {
    s.units.get(unit).and_then(|u| u.hex.or(u.waits))
}

/// 6.1.9 The leader who commands a column: the first on the map, in the order in which they succeed each other.
fn chief_of_column<'s>(s: &'s State, column: &str) -> Option<&'s String> {
    let own = |name: &&String| s.chief(name).is_some_and(|chief| chief.column.as_deref() == Some(column));
    s.board.succession.iter().filter(own).find(|name| place(s, name).is_some())
}

/// Those above a leader, the nearest first.
pub(super) fn line(s: &State, leader: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let column = s.chief(leader).and_then(|chief| chief.column.clone());
    let first = column.and_then(|column| chief_of_column(s, &column).cloned());
    found.extend(first.filter(|name| name != leader));
    let mut at = s.chief(leader).and_then(|chief| chief.of.clone());
    while let Some(name) = at {
        at = s.chief(&name).and_then(|chief| chief.of.clone());
        found.push(name);
    }
    found
}

/// 6.1.2a, 6.1.3a, 6.1.8, 6.1.11 Whether a unit is directly under a leader: of his brigade or column, of the division where
/// it is a black one, or of a command without a leader on the map above which he stands.
pub(super) fn under(s: &State, unit: &str, leader: &str) -> bool {
    let (Some(kind), Some(chief)) = (s.kind(unit), s.chief(leader)) else { return false };
    if kind.side != chief.side {
        return false;
    }
    let Some(own) = kind.formation.last() else { return false };
    if own == leader || chief.column.as_ref() == Some(own) {
        return true;
    }
    let headless = match s.chief(own) {
        Some(_) => place(s, own).is_none() && line(s, own).iter().any(|name| name == leader),
        None => chief_of_column(s, own).is_none() && chief.rank == Rank::Army,
    };
    headless || (kind.black && s.obeys(unit, leader))
}

/// 3.0, 6.1.5 Whether a side has a leader who may still be activated, on the map, on its way to it, or lost (6.1.10).
pub(super) fn can_act(s: &State, side: &SideId) -> bool {
    let able = |name: &String| {
        let ours = s.leads(name, side);
        let units = || s.standing().any(|(id, ..)| under(s, id, name) && bounds::held(s, id).is_none());
        ours && bounds::free(s, name) && (place(s, name).is_some() || (orphaned(s, name) && units()))
    };
    s.leaders.iter().any(|(name, leader)| !leader.used && able(name))
}

/// 6.1.10 Whether a leader has left the map and his command has no other.
fn orphaned(s: &State, leader: &str) -> bool {
    let gone = s.leaders.get(leader).is_some_and(|l| l.hex.is_none() && (l.lost || l.until.is_some()));
    let column = s.chief(leader).and_then(|chief| chief.column.clone());
    gone && column.is_none_or(|column| chief_of_column(s, &column).is_none())
}

/// 6.1.5 Whether a leader or a unit has been activated in this turn.
fn is_used(s: &State, piece: &str) -> bool {
    s.leaders.get(piece).is_some_and(|leader| leader.used) || s.is(piece, |u| u.used)
}

/// 6.1.10a An activation by way of a unit, for a leader who is gone.
/// House: a commander over other leaders acts so only for units directly under him. 6.1.2c and 6.1.3b have him activate
/// leaders, not their units; 6.1.10 is for a command that has "no other Leaders".
fn may_act_alone(s: &State, call: &Call, via: &str) -> Result<(), Fault> {
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let [name] = call.leaders.as_slice() else { return refused("name one leader".to_owned(), "6.1.10") };
    deny(!orphaned(s, name), format_args!("{name} is on the map, or another commands for him"), "6.1.10")?;
    deny(is_used(s, name), format_args!("{name} has been activated in this turn"), "6.1.5")?;
    deny(!under(s, via, name) || seat(s, via).is_none(), format_args!("{via} is not of his command"), "6.1.10a")?;
    deny(!call.extra.is_empty(), "without him nobody of others comes along", "6.1.10")?;
    Ok(())
}

/// 6.1.1-6.1.3, 6.1.5, 6.1.9 Whether leaders may be activated together.
fn may_call(s: &State, leaders: &[String]) -> Result<(), Fault> {
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let Some(first) = leaders.first() else { return refused("name a leader".to_owned(), "6.1.1") };
    for name in leaders {
        let (Some(hex), Some(chief)) = (place(s, name), s.chief(name)) else {
            return refused(format!("{name} is not on the map"), "6.1.1");
        };
        deny(is_used(s, name), format_args!("{name} has been activated in this turn"), "6.1.5")?;
        if !bounds::free(s, name) {
            let rule = if chief.side.0 == super::board::FRENCH { "9.4.1" } else { "9.1.4" };
            return refused(format!("{name} may not act yet"), rule);
        }
        let above = line(s, name);
        let called = |other: &String| {
            let reach = s.chief(other).map_or(0, |c| reach(c.rank).1);
            above.contains(other) && place(s, other).is_some_and(|at| at.distance(hex) <= reach)
        };
        deny(name != first && !leaders.iter().any(called), format_args!("no leader over {name} reaches him"), "6.1.2")?;
        let column = chief.column.as_deref().and_then(|column| chief_of_column(s, column));
        if let Some(head) = column.filter(|head| *head != name && name == first) {
            return refused(format!("{head} commands the column, and calls {name}"), "6.1.9");
        }
    }
    Ok(())
}

/// 6.1.4 Whether a unit is near enough to a leader for him to take it along.
pub(super) fn is_near(s: &State, leader: &str, unit: &str) -> bool {
    place(s, leader).zip(seat(s, unit)).is_some_and(|(a, b)| a.distance(b) <= EXTRA)
}

/// 6.1.2, 6.1.3 How far a unit is from a leader, and how far he reaches; none where one of them has no place.
pub(super) fn far(s: &State, leader: &str, unit: &str) -> Option<(u32, u32)> {
    let (at, hex) = place(s, leader).zip(seat(s, unit))?;
    Some((at.distance(hex), reach(s.chief(leader)?.rank).0))
}

/// 6.1.4 The leaders who could take a unit along that is not directly under them.
fn takers<'l>(s: &State, leaders: &'l [String], unit: &str) -> Vec<&'l String> {
    leaders.iter().filter(|name| is_near(s, name, unit) && !under(s, unit, name)).collect()
}

/// 6.1.4 Whether each unit of others finds a leader who takes it along, none of them more than his CV.
fn can_take(s: &State, leaders: &[String], extra: &[String]) -> bool {
    let room = |name: &str| s.chief(name).and_then(|chief| usize::try_from(chief.cv).ok()).unwrap_or_default();
    all_taken(extra, |unit| takers(s, leaders, unit), room)
}

/// 6.1.2-6.1.5, 6.1.7, 6.1.10 Whether leaders may be activated together, with units of others and units out of range.
///
/// # Errors
/// Why not.
pub fn may_activate(s: &State, call: &Call) -> Result<(), Fault> {
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let Call { leaders, extra, test, via } = call;
    match via {
        Some(via) => may_act_alone(s, call, via)?,
        None => may_call(s, leaders)?,
    }
    for unit in extra.iter().chain(test) {
        deny(is_used(s, unit), format_args!("{unit} has been activated in this turn"), "6.1.5")?;
        if let Some(rule) = bounds::held(s, unit) {
            return refused(format!("{unit} may not act yet"), rule);
        }
    }
    let far = |unit: &&String| !leaders.iter().any(|name| is_near(s, name, unit));
    if let Some(unit) = extra.iter().find(far) {
        return refused(format!("{unit} is more than {EXTRA} hexes away"), "6.1.4");
    }
    if let Some(unit) = extra.iter().find(|unit| takers(s, leaders, unit).is_empty()) {
        return refused(format!("{unit} is under them, and out of reach: name it behind TEST"), "6.1.4");
    }
    deny(!can_take(s, leaders, extra), "no leader takes more units of others along than his CV", "6.1.4")?;
    if let Some(unit) = test.iter().find(|unit| !leaders.iter().any(|name| under(s, unit, name))) {
        return refused(format!("{unit} is not under them"), "6.1.7");
    }
    match in_range(s, call).first() {
        Some(unit) => refused(format!("{unit} is in range: it goes along without a check"), "6.1.7"),
        None => Ok(()),
    }
}

/// 6.1.7 Those behind TEST who are in command range.
fn in_range(s: &State, call: &Call) -> Vec<String> {
    let side = call.leaders.first().and_then(|name| s.chief(name)).map(|chief| &chief.side);
    let near = side.map(|side| followers(s, side, call)).unwrap_or_default();
    call.test.iter().filter(|unit| near.contains(unit)).cloned().collect()
}

/// 6.1.7 A call in which a whole regiment behind TEST is those of it who are out of range, if there are any.
pub(super) fn sifted(s: &State, mut call: Call) -> Call {
    let near = in_range(s, &call);
    let named = call.test.clone();
    let mates =
        |a: &str, b: &str| s.kind(a).zip(s.kind(b)).is_some_and(|(a, b)| a.regiment == b.regiment && a.side == b.side);
    let far = |unit: &str| named.iter().any(|other| mates(unit, other) && !near.contains(other));
    let whole = |unit: &str| s.units.keys().all(|id| !mates(unit, id) || seat(s, id).is_none() || named.contains(id));
    call.test.retain(|unit| !(near.contains(unit) && far(unit) && whole(unit)));
    call
}

/// 6.1.5 Whether units take part in this impulse.
///
/// # Errors
/// Which of them does not.
pub fn active(s: &State, units: &[String]) -> Result<(), Fault> {
    match units.iter().find(|id| !s.is(id, |u| u.active && u.mood != Mood::Routed)) {
        Some(unit) => Err(called::why_not(s, unit)),
        None => Ok(()),
    }
}

/// 6.1.2, 6.1.3, 6.1.10a The units that leaders reach, or that stand in or next to the hex of the unit which leads for one.
fn followers(s: &State, side: &SideId, call: &Call) -> Vec<String> {
    let via = call.via.as_ref().and_then(|unit| seat(s, unit));
    let reached = |unit: &String, hex: Hex| {
        call.leaders.iter().any(|name| {
            let reach = s.chief(name).map_or(0, |chief| reach(chief.rank).0);
            let near = match via {
                Some(at) => at.distance(hex) <= 1,
                None => place(s, name).is_some_and(|at| at.distance(hex) <= reach),
            };
            near && under(s, unit, name)
        })
    };
    let fit = |id: &String, unit: &super::state::Unit, hex: Hex| {
        !unit.used && s.is_of(id, side) && bounds::held(s, id).is_none() && reached(id, hex)
    };
    let present = s.units.iter().filter_map(|(id, unit)| Some((id, unit, unit.hex.or(unit.waits)?)));
    present.filter(|(id, unit, hex)| fit(id, unit, *hex)).map(|(id, ..)| id.clone()).collect()
}

/// 6.1.2-6.1.4, 6.1.7 All units of an activation.
pub(super) fn followers_with(s: &State, side: &SideId, call: &Call) -> Vec<String> {
    let mut units = followers(s, side, call);
    units.extend(call.extra.iter().chain(&call.test).cloned());
    units.sort_unstable();
    units.dedup();
    units
}

/// 6.1 Leaders and units are activated, those out of range check, and the movement begins.
pub(super) fn activate(cx: &mut At<'_>, side: &SideId, call: &Call) {
    let units = followers_with(cx.state(), side, call);
    cx.emit(Event::Activated { side: side.clone(), leaders: call.leaders.clone(), units });
    for unit in &call.test {
        march::command(cx, unit);
    }
    cx.emit(Event::Began { segment: Segment::Movement });
    march::run_on(cx, side);
}
