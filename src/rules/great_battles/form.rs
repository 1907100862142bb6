//! 6.3, 6.4 Changes of formation; skirmishers who spread; the order of a stack; 6.4.2 routs of one's own will.

use super::board::Arm;
use super::command::{self, may_act};
use super::event::{Event, How};
use super::ground::Toll;
use super::hand::Hand;
use super::march;
use super::pose::{Form, Hour, Pose};
use super::reach::changes;
use super::react::Act;
use super::state::{Level, SPREAD, State, Step};
use super::{entry, morale, stacking};
use crate::hex::Hex;
use crate::orders::{Fault, deny};
use crate::rules::Play;

/// 2.3, 5.1, 6.3, 6.3.3, 6.3.4, 6.3.8, 6.4.1, 8.4.4, 5.2.1 What a change of formation comes to: how the unit stands then, and
/// what it costs.
pub(super) fn changed(s: &State, unit: &str, form: Form, hour: Option<Hour>) -> Result<(Pose, i32), Fault> {
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let Some((u, kind, pose)) = s.on(unit) else { return refused(format!("{unit} is not on the map"), "6.3") };
    deny(kind.is_cossack(), format_args!("{unit} has one side, and stays as it is"), "2.3")?;
    deny(u.blown > 1, format_args!("{unit} is Blown-2, and stays Disordered"), "8.4.4")?;
    deny(form == Form::Skirmish && !kind.skirmish, format_args!("{unit} may not skirmish"), "6.3.3")?;
    let cost = changes(s, unit).and_then(|rows| rows.get(&pose.form)?.get(&form)).copied();
    let Some(cost) = cost else {
        return refused(format!("{unit} cannot go from {} to {}", pose.form.word(), form.word()), "6.3");
    };
    let next = pose.formed(form, hour);
    if let Some(wished) = hour {
        let fits = wished.is_side() != form.faces_corner();
        deny(!fits, format_args!("who stands in {} faces {}", form.word(), facing(form)), "6.1")?;
    }
    for hex in next.hexes() {
        let closed = s.board.terrain(hex).is_none_or(|t| t.forbids.contains(&form));
        deny(closed, format_args!("nobody stands in {} in {hex}", form.word()), "6.3")?;
        let there: Vec<String> = s.stack(hex).into_iter().filter(|id| id != unit).collect();
        // Who of the enemy's it is may not be known.
        let own = there.iter().all(|id| s.side(id) == s.side(unit));
        let who = if own { there.join(" ") } else { "somebody".to_owned() };
        deny(pose.size > 1 && !there.is_empty(), format_args!("{who} stands in {hex}"), "6.5")?;
    }
    let line = form == Form::Line && command::is_bound(s, unit);
    deny(line, "in strategic movement nobody is in Line", "5.2.1")?;
    Ok((next, cost))
}

fn facing(form: Form) -> &'static str {
    if form.faces_corner() { "a corner, an odd hour" } else { "a hexside, an even hour" }
}

/// 6.3, 7.1, 5.1 Whether units may change their formation so: into none in which they could not stay in their hex; a large
/// counter comes into new hexes by it as who steps does.
///
/// # Errors
/// Why not.
pub fn may_form(s: &State, units: &[String], form: Form, hour: Option<Hour>) -> Result<(Pose, i32), Fault> {
    march::may_move(s, units)?;
    let mut found = None;
    for unit in units {
        let (pose, cost) = changed(s, unit, form, hour)?;
        let left = s.units.get(unit).map_or(0, |u| u.going.ma - u.going.spent);
        deny(cost > left, format_args!("it costs {cost} MP, and {left} are left"), "6.3")?;
        entry::barred(s, unit, pose, How::Form)?;
        found = Some((pose, found.map_or(cost, |(_, other): (Pose, i32)| other.max(cost))));
    }
    let (pose, cost) = found.ok_or_else(|| Fault::refused("nobody is named", "6.3"))?;
    let there: Vec<String> = s.stack(pose.head).into_iter().filter(|id| !units.contains(id)).collect();
    let mates = there.iter().any(|id| !s.is_arm(id, Arm::Art)) && units.iter().any(|id| !s.is_arm(id, Arm::Art));
    deny(mates, "all of a stack change their formation together", "7.1")?;
    // Batteries limber one after the other.
    let crowd = stacking::crowd(s, units, pose).filter(|_| units.iter().any(|id| !s.is_arm(id, Arm::Art)));
    match crowd {
        Some(why) => Err(Fault::refused(format!("nobody can stay in {}: {why}", pose.head), "7.1")),
        None => Ok((pose, cost)),
    }
}

/// 6.3 Units change their formation; who has them in his zone may fire.
pub(super) fn form(cx: &mut Hand<'_>, units: &[String], (form, hour): (Form, Option<Hour>)) -> Play<()> {
    march::take_up(cx, units)?;
    let (pose, cost) = match may_form(cx.state(), units, form, hour) {
        Ok(found) => found,
        Err(fault) => {
            march::fail(cx, fault, false);
            return Ok(());
        }
    };
    let s = cx.state();
    let before = units.first().and_then(|unit| s.pose(unit)).unwrap_or(pose);
    let toll = units.iter().map(|unit| entry::ground(s, unit, pose)).max().unwrap_or_default();
    cx.emit(Event::Moved { units: units.to_vec(), pose, cost, how: How::Form });
    entry::come(cx, units, Act::Swung(before), toll)?;
    Ok(())
}

/// 6.3.3 Whether skirmishers may spread so.
///
/// # Errors
/// Why not.
pub fn may_spread(s: &State, unit: &str, to: Option<Hex>) -> Result<(), Fault> {
    march::may_move(s, std::slice::from_ref(&unit.to_owned()))?;
    let Some((_, kind, pose)) = s.on(unit) else { return Ok(()) };
    deny(pose.form != Form::Skirmish, format_args!("{unit} is not in skirmish order"), "6.3.3")?;
    let Some(to) = to else { return Ok(()) };
    deny(s.sp(unit) <= SPREAD, format_args!("{unit} has five SP or fewer"), "6.3.3")?;
    deny(!to.adjacent(pose.head), format_args!("{to} is not next to {unit}"), "6.3.3")?;
    deny(!s.stack(to).is_empty(), format_args!("somebody stands in {to}"), "6.3.3")?;
    let class = kind.class(Form::Skirmish);
    let open = class.and_then(|class| march::price(s, class, pose.head, to));
    deny(open.is_none(), format_args!("entry of {to} is prohibited"), "6.3.3")?;
    entry::barred(s, unit, Pose { second: Some(to), ..pose }, How::Form)
}

/// 6.3.3, 5.1 Skirmishers spread over a second hex, into which they come as who steps does, or draw in.
pub(super) fn spread(cx: &mut Hand<'_>, unit: &str, to: Option<Hex>) -> Play<()> {
    let units = [unit.to_owned()];
    march::take_up(cx, &units)?;
    if let Some(before) = cx.state().pose(unit) {
        let pose = Pose { second: to, ..before };
        cx.emit(Event::Moved { units: units.to_vec(), pose, cost: 0, how: How::Form });
        entry::come(cx, &units, Act::Swung(before), Toll::None)?;
    }
    Ok(())
}

/// 7.2 Whether units of one stack may be put in another order.
///
/// # Errors
/// Why not.
pub fn may_top(s: &State, units: &[String]) -> Result<(), Fault> {
    let hex = units.first().and_then(|unit| s.hex(unit));
    for unit in units {
        may_act(s, unit)?;
        deny(s.hex(unit) != hex, "they do not stand in one hex", "7.2")?;
    }
    let late = s.acting.as_ref().is_some_and(|acting| acting.step > Step::Movement);
    deny(late, "combat has begun", "7.2")
}

/// 6.4.2 Whether a unit may rout of its own will: in its own movement or combat; guns never.
///
/// # Errors
/// Why not.
pub fn may_rout(s: &State, unit: &str) -> Result<(), Fault> {
    may_act(s, unit)?;
    deny(s.is_arm(unit, Arm::Art), "guns never rout", "6.4.2")
}

/// 6.4.2 A unit routs of its own will.
pub(super) fn rout(cx: &mut Hand<'_>, unit: &str) -> Play<()> {
    cx.emit(Event::Level { unit: unit.to_owned(), level: Level::Rout });
    morale::flee(cx, unit, &[])
}
