//! What an order comes to on a view, as far as its seat can tell, and the view that it leaves for the lines below it.

use super::board::Arm;
use super::event::{self, End, Event, How, Occasion, Onset};
use super::ground::Toll;
use super::hand::{FACES, odds};
use super::march::Stride;
use super::order::{self, Alert, Order, Pace};
use super::pose::{Form, Pose};
use super::react::{self, Act};
use super::state::{Lim, Mode, State, Step};
use super::tables::Blow;
use super::view::View;
use super::{charge, command, dummy, entry, eyes, fire, form, march, play, pool, reinforce, shock, stacking, wishes};
use crate::hex::Hex;
use crate::orders::Fault;
use crate::rules::rehearsal::{Caution, Rehearsed};
use crate::rules::tactical::sum::Sum;
use crate::text;
use std::collections::BTreeSet;

/// A fire that does something in no more of ten is hardly worth its answer.
const FAINT: usize = 2;

/// A rehearsal on its way.
pub(super) type Trial = crate::rules::rehearsal::Trial<State, Event>;

/// Rehearses one order.
///
/// # Errors
/// Why it would not be carried out to its end, whatever is rolled.
pub fn rehearse(v: &View, o: &Order) -> Result<Rehearsed<View>, Fault> {
    let rehearsed = as_far(v, o)?;
    // Half a way that was written in error is no way back.
    match rehearsed.warnings.iter().find(|warning| warning.kind == Caution::Reach) {
        Some(short) => Err(Fault::refused(short.text.clone(), &short.rule)),
        None => Ok(rehearsed),
    }
}

/// Rehearses one order as far as it can be carried out: the program's own player is content with part of a way.
///
/// # Errors
/// Why it would come to nothing, whatever is rolled.
pub(super) fn as_far(v: &View, o: &Order) -> Result<Rehearsed<View>, Fault> {
    play::in_time(&v.state, o)?;
    let mut t = Trial::new(v.state.clone(), v.side.clone(), event::apply);
    order::may(&t.s, o)?;
    act(&mut t, v, o)?;
    Ok(t.done(|state| View { state, ..v.clone() }))
}

fn act(t: &mut Trial, v: &View, o: &Order) -> Result<(), Fault> {
    match o {
        Order::Activate { division, how } => activate(t, division, *how),
        Order::Move { units, paces, stop } => return go(t, units, paces, *stop),
        Order::Form { units, form, hour } => {
            take_up(t, units);
            let (pose, cost) = form::may_form(&t.s, units, *form, *hour)?;
            stands(t, units, pose, (cost, How::Form));
        }
        Order::Spread { unit, to } => {
            let pose = t.s.pose(unit).map(|pose| Pose { second: *to, ..pose });
            pose.into_iter().for_each(|pose| stands(t, std::slice::from_ref(unit), pose, (0, How::Form)));
        }
        Order::Top { units } => {
            t.say(format!("{} on top.", units.first().map_or("", String::as_str)));
            t.emit(&Event::Topped { units: units.clone() });
        }
        Order::Lead { leader, to } => {
            t.say(format!("{leader} rides to {to}."));
            t.emit(&Event::Rode { leader: leader.clone(), to: *to });
        }
        Order::Fire { unit, at } => return volley(t, v, unit, *at),
        Order::Attack { unit, at, support, assault } => {
            may_support(&t.s, unit, *at, support.as_deref())?;
            let onset = if *assault { Onset::Assault } else { Onset::Bayonet };
            clash(t, v, (unit, None, onset), *at, support.as_deref());
        }
        Order::Charge { unit, at, via } => {
            let path = charge::may(&t.s, unit, *at, via)?;
            t.say(format!("rides over {}.", hexes(path.len() + 1)));
            blind(t, unit, *at);
            clash(t, v, (unit, path.last(), Onset::Charge), *at, Some(&[]));
        }
        Order::Rout { unit } => t.say(format!("{unit} runs.")),
        Order::Enter { units, form, hour, at } => {
            pass_by(t, units);
            let coming = reinforce::may(&t.s, units, (*form, *hour), *at)?;
            enter(t, units, coming);
        }
        Order::Exit { unit } => {
            let sp = t.s.sp(unit);
            t.say(format!("{unit} leaves the map with {sp} SP."));
            t.emit(&Event::Exited { unit: unit.clone(), sp });
        }
        Order::Drop => {
            let division = t.s.active().to_owned();
            let units = t.s.units_of(&division);
            t.say(format!("{division} drops the marker, and its activation is over."));
            t.emit(&Event::Marked { division, on: false });
            t.emit(&Event::Finished { units });
        }
        Order::Combat { division } => {
            t.say(format!("{division} fights."));
            combat(t, division, Step::Fire);
        }
        Order::Pick { who } => return pick(t, who),
        Order::Wish(wanted) => wishes::wish(t, wanted),
    }
    Ok(())
}

fn pick(t: &mut Trial, who: &str) -> Result<(), Fault> {
    let lim = pool::may_pick(&t.s, who)?;
    let word = if matches!(lim, Lim::Lone(_)) { "a third" } else { "half" };
    let acting = pool::acting(&t.s, t.side.clone(), lim, None);
    let division = acting.todo.join(" ");
    t.say(format!("{who} is picked: ACTIVATE {division} LIMITED comes next, with {word} of its MP."));
    t.emit(&Event::Began { acting });
    Ok(())
}

fn hexes(n: usize) -> String {
    text::plural(i64::try_from(n).unwrap_or(i64::MAX), "hex", "hexes")
}

/// By what chance a die with a sum does not pass a value.
fn chance(need: i32, sum: &Sum) -> String {
    format!("{} of {FACES}", odds(need, sum))
}

/// 4.5.2.1 Of the division that moves now those who have not stirred, and move no more when another tries.
fn unmoved(s: &State) -> Vec<String> {
    let acting = s.acting.as_ref().filter(|acting| acting.step == Step::Movement);
    let Some(division) = acting.and_then(|acting| acting.division.as_ref()) else { return Vec::new() };
    let still = |unit: &String| s.is(unit, |u| u.going.ready && !u.going.done && u.going.spent == 0);
    s.units_of(division).into_iter().filter(still).collect()
}

/// 4.5.1, 4.6 By what chance a division acts, and who is In Command.
fn activate(t: &mut Trial, division: &str, how: Mode) {
    let word = how.word().to_lowercase();
    let left = unmoved(&t.s);
    if !left.is_empty() {
        let text = format!("the movement of {} is over then: {} have not moved", t.s.active(), left.join(" "));
        t.warn(Caution::NoOrders, text, "4.5.2.1");
    }
    if let Ok(Some(late)) = reinforce::late_call(&t.s, division, how) {
        t.say(format!("who was left off the map comes on: {}.", reinforce::left_off(&t.s, division).join(" ")));
        return late.iter().for_each(|event| t.emit(event));
    }
    if command::is_free(&t.s, division, how) {
        t.say(format!("{division} acts ({word}), without a roll."));
    } else {
        let sum = command::attempt_sum(&t.s, division);
        let need = command::rating(&t.s, division);
        t.say(format!(
            "{division} acts ({word}) in {}, rating {need}{}; else its breakdown decides. [4.5.1, 4.7]",
            chance(need, &sum),
            sum.behind()
        ));
        let mut worse = t.s.clone();
        command::activation(&worse, division, Mode::Limited).iter().for_each(|e| event::apply(&mut worse, e));
        t.others = vec![worse];
    }
    let events = command::activation(&t.s, division, how);
    for e in &events {
        if let Event::Activated { units, out, .. } = e {
            let names: Vec<&str> = units.iter().map(|ready| ready.unit.as_str()).collect();
            let many = text::plural(i64::try_from(names.len()).unwrap_or(i64::MAX), "unit", "units");
            let alone = t.s.acting.as_ref().is_some_and(|acting| matches!(acting.lim, Lim::Lone(_)));
            if alone {
                t.say(format!("{} acts alone, Out of Command. [4.6.2]", names.join(" ")));
            } else {
                t.say(format!("{many} In Command: {}.", names.join(" ")));
            }
            if !out.is_empty() {
                t.warn(Caution::Command, format!("Out of Command: {}", out.join(" ")), "4.3.3");
            }
        }
        t.emit(e);
    }
    if !t.others.is_empty() {
        t.others.push(t.s.clone());
    }
}

/// 4.6.1 Units begin to move: those that moved before are through.
fn take_up(t: &mut Trial, units: &[String]) {
    let mover = t.s.acting.as_ref().map(|acting| acting.mover.clone()).unwrap_or_default();
    if mover.iter().any(|unit| !units.contains(unit)) {
        clear(t, &mover);
        t.emit(&Event::Finished { units: mover });
    }
}

/// 5.1.4 Who stands where he cannot stay goes on out of it.
fn clear(t: &mut Trial, units: &[String]) {
    let free = |id: &String| t.s.is(id, |u| !u.going.done && !u.going.stopped);
    if !units.iter().all(free) || entry::crowded(&t.s, units).is_none() {
        return;
    }
    let way = entry::way_out(&t.s, units).unwrap_or_default();
    let mut rest = way.as_slice();
    while let Some((pace, behind)) = rest.split_first() {
        let Ok((stride, _)) = march::next(&t.s, units, *pace, behind) else { break };
        let (pose, cost, how) = (stride.pose, stride.cost, stride.how);
        t.emit(&Event::Moved { units: units.to_vec(), pose, cost, how });
        rest = behind;
    }
    if let Some(hex) = units.first().and_then(|unit| t.s.hex(unit)) {
        t.say(format!("{} cannot stay, and goes on to {hex}. [5.1.4]", units.join(" ")));
    }
}

/// 5.1.3, 5.1.4 Units have come into hexes: friends through whom they go are Disordered, and they; whether the front of an enemy
/// stops them.
fn come(t: &mut Trial, units: &[String], before: Option<Pose>) -> bool {
    let next = units.first().and_then(|unit| t.s.pose(unit));
    let hexes = next.map(|next| entry::new_hexes(before, next)).unwrap_or_default();
    let broken: BTreeSet<String> = hexes.iter().flat_map(|hex| stacking::jostled(&t.s, *hex)).collect();
    if !broken.is_empty() {
        let names: Vec<String> = broken.iter().cloned().collect();
        t.warn(Caution::Own, format!("{} Disordered by the passage", names.join(" ")), "5.1.4");
    }
    broken.into_iter().for_each(|unit| t.emit(&Event::Disordered { unit }));
    let met = entry::meets(&t.s, units, &hexes);
    if met {
        t.emit(&Event::Halted { units: units.to_vec() });
    }
    met
}

/// 4.6.1 A stack comes on: who has come before it marches no more.
fn pass_by(t: &mut Trial, units: &[String]) {
    let mover = t.s.acting.as_ref().map(|acting| acting.mover.clone()).unwrap_or_default();
    let goes_on = |unit: &&String| !units.contains(unit) && march::can_go_on(&t.s, unit);
    let through: Vec<&str> = mover.iter().filter(goes_on).map(String::as_str).collect();
    if !through.is_empty() {
        t.say(format!("{} moves no more: its march belongs above this line. [4.6.1]", through.join(" ")));
    }
    take_up(t, units);
}

/// 14.1, 14.3, 5.4 The first stack of a division brings it to the map, and its leaders.
fn come_on(t: &mut Trial, units: &[String], hex: Hex) {
    let division = units.first().map(|unit| t.s.division(unit).to_owned()).unwrap_or_default();
    if t.s.commands.get(&division).is_some_and(|c| c.waits) {
        let mode = t.s.acting.as_ref().and_then(|acting| acting.modes.get(&division)).copied();
        let leaders = reinforce::leaders(&t.s, &division);
        t.emit(&Event::Arrived { division: division.clone() });
        leaders.into_iter().for_each(|leader| t.emit(&Event::Placed { leader, hex }));
        if mode != Some(Mode::Strategic) {
            t.emit(&Event::Marked { division, on: false });
        }
    }
}

/// 14.1, 5.1.4 A stack comes on; over friends it goes on.
fn enter(t: &mut Trial, units: &[String], coming: reinforce::Coming) {
    come_on(t, units, coming.pose.head);
    stands(t, units, coming.pose, (coming.cost, How::Enter));
    if coming.toll != Toll::None {
        t.say("the ground asks a check of their order. [5.1.1]");
    }
    if let Some(fault) = entry::crowded(&t.s, units) {
        let text = format!("{}: MOVE {} on, or it goes on by itself", fault.why(), units.join(" "));
        t.warn(Caution::Stack, text, "5.1.4");
    }
}

/// Units stand so now.
fn stands(t: &mut Trial, units: &[String], pose: Pose, (cost, how): (i32, How)) {
    let before = units.first().and_then(|unit| t.s.pose(unit));
    t.emit(&Event::Moved { units: units.to_vec(), pose, cost, how });
    if come(t, units, before) {
        t.say("the front of an enemy stops them there. [5.1.3]");
    }
    let now = units.first().and_then(|unit| t.s.pose(unit)).unwrap_or(pose);
    place(t, units, now);
}

/// Where units stand, how, and what they have spent.
fn place(t: &mut Trial, units: &[String], pose: Pose) {
    let spent = units.iter().filter_map(|id| t.s.units.get(id)).map(|u| (u.going.spent, u.going.ma));
    let (spent, ma) = spent.max_by_key(|(spent, ma)| spent - ma).unwrap_or_default();
    let facing = if pose.form.all_round() { String::new() } else { format!(" facing {}", u8::from(pose.hour)) };
    t.say(format!("{} in {}{facing}, {spent} of {ma} MP.", pose.head, pose.form.word()));
}

/// 6.3.1, 6.3.2 What is said of a plain hex that does not lie ahead: the units go back or aside, and pay more.
fn otherwise(pace: Pace, before: &Pose, stride: &Stride) -> Option<String> {
    let Pace::To(hex) = pace else { return None };
    let (word, cost) = (stride.how, stride.cost);
    match (word, before.form) {
        (How::Reverse, Form::Line) => Some(format!("{hex} lies behind: a step back for the whole allowance. [6.3.1]")),
        (How::Reverse, _) => Some(format!("{hex} lies behind: a step back, at a higher cost, {cost} MP. [6.3.2]")),
        (How::Slide, _) => Some(format!("{hex} lies aside: a side step, at a higher cost, {cost} MP. [6.3.1]")),
        _ => None,
    }
}

/// 5.1, 5.1.3, 6.2 The way of units as far as they come by what is seen.
fn go(t: &mut Trial, units: &[String], paces: &[Pace], stop: Option<Alert>) -> Result<(), Fault> {
    take_up(t, units);
    if let Some(Alert { arm, within }) = stop {
        let near = within
            .map_or_else(String::new, |far| format!(" within {}", hexes(usize::try_from(far).unwrap_or_default())));
        t.say(format!("stops where it newly sees {}{near}. [H.3]", arm.map_or("an enemy", Arm::word)));
    }
    let (mut reacts, mut tests) = (BTreeSet::new(), false);
    let (mut rest, mut begun) = (paces, false);
    while let Some((pace, behind)) = rest.split_first() {
        let (stride, step) = match march::next(&t.s, units, *pace, behind) {
            Ok(next) => next,
            Err(fault) if !begun => return Err(fault),
            Err(fault) => {
                let rule = if let Fault::Refused { rule, .. } = &fault { rule } else { "5.1" };
                t.warn(Caution::Reach, fault.why(), rule);
                break;
            }
        };
        tests |= stride.toll != Toll::None;
        let (pose, cost, how) = (stride.pose, stride.cost, stride.how);
        let before = units.first().and_then(|unit| t.s.pose(unit)).unwrap_or(pose);
        t.said.extend(otherwise(*pace, &before, &stride));
        if step {
            reacts.extend(react::answers(&t.s, &t.side, Act::Left(pose), before));
        }
        t.emit(&Event::Moved { units: units.to_vec(), pose, cost, how });
        if units.iter().any(|unit| dummy::is_seen(&t.s, unit)) {
            let names = units.join(" ");
            let far = hexes(usize::try_from(eyes::face_range(&t.s)).unwrap_or_default());
            t.warn(Caution::Short, format!("{names} is gone in {}: an enemy within {far} sees it", pose.head), "H.12");
            let gone: Vec<String> = units.iter().filter(|unit| t.s.is_dummy(unit)).cloned().collect();
            gone.into_iter().for_each(|unit| t.emit(&Event::Vanished { unit, struck: false }));
            return Ok(());
        }
        let act = if step { Act::Entered(before) } else { Act::Swung(before) };
        reacts.extend(react::answers(&t.s, &t.side, act, pose));
        if come(t, units, Some(before)) {
            if behind.is_empty() {
                t.say("the front of an enemy stops them there. [5.1.3]");
            } else {
                let text = format!("the front of an enemy stops them in {}; nothing behind it is done", pose.head);
                t.warn(Caution::NoEffect, text, "5.1.3");
            }
            break;
        }
        (rest, begun) = (behind, true);
    }
    if let Some(pose) = units.first().and_then(|unit| t.s.pose(unit)) {
        place(t, units, pose);
        let (worst, better) = stacking::better(&t.s, pose.head);
        if !better.is_empty() {
            let text = format!("{} will be {} there, as the worst of the stack", better.join(" "), worst.word());
            t.warn(Caution::Stack, text, "9.1.1");
        }
    }
    if tests {
        t.say("the ground asks a check of their order on the way. [5.1.1]");
    }
    if !reacts.is_empty() {
        let names: Vec<String> = reacts.into_iter().collect();
        t.say(format!("{} may react to it. [6.2]", names.join(" ")));
    }
    Ok(())
}

/// 4.6.1, 4.5.2.2 The movement of all is over, and a division comes to a step of its combat.
fn combat(t: &mut Trial, division: &str, step: Step) {
    let mover = t.s.acting.as_ref().map(|acting| acting.mover.clone()).unwrap_or_default();
    clear(t, &mover);
    t.emit(&Event::Finished { units: mover });
    let now = t.s.acting.as_ref().map(|acting| (acting.step, acting.division.clone()));
    let Some((at, active)) = now else { return };
    if let Some(before) = active.clone().filter(|before| at >= Step::Fire && before != division) {
        t.emit(&Event::Done { division: before });
    }
    if at < step || active.as_deref() != Some(division) {
        t.emit(&Event::Turning { division: division.to_owned(), step });
    }
}

/// 8.1.8 A fire, with the chance that it does something.
fn volley(t: &mut Trial, v: &View, unit: &str, at: Option<Hex>) -> Result<(), Fault> {
    let at = fire::may(&t.s, unit, at)?;
    let division = t.s.division(unit).to_owned();
    combat(t, &division, Step::Fire);
    let Some(aim) = fire::aim(&t.s, unit, at) else { return Ok(()) };
    let hits = (0..FACES).filter(|die| t.s.board.charts.fire_result(aim.column, *die) != Blow::None).count();
    let fire::Aim { value, column, shifts, far, target } = aim;
    if v.blurred.contains(&target) {
        t.say(format!("at {target} in {at}: value {value}; how it stands is not seen, and it may be nobody. [H.12]"));
    } else {
        t.say(format!(
            "at {target} in {at}: value {value}, column {column}{}: a result in {hits} of {FACES}.",
            shifts.behind()
        ));
        if hits <= FAINT && t.s.hex(unit).is_some_and(|hex| hex.adjacent(at)) {
            let text = format!("little is likely to come of it, and {target} may fire back");
            t.warn(Caution::NoEffect, text, "8.1.2");
        }
    }
    let (unit, on) = (unit.to_owned(), Occasion::Offensive);
    t.emit(&Event::Fired { unit, at, target, value, column, shifts, die: 0, result: Blow::None, on, far });
    emptied(t, at);
    Ok(())
}

/// 8.2.1, 8.3.1 Whether those who are named to support an attack can.
fn may_support(s: &State, unit: &str, at: Hex, named: Option<&[String]>) -> Result<(), Fault> {
    let named = named.unwrap_or_default();
    let attackers = s.with(unit);
    let beside = |id: &String| s.is(id, |u| shock::is_beside(u, at));
    let free = |id: &String| s.is(id, shock::is_free) && s.division(id) == s.division(unit);
    let able = |id: &String| beside(id) && free(id) && !attackers.contains(id);
    let Some(helper) = named.iter().find(|id| !able(id)) else { return Ok(()) };
    let why = if attackers.contains(helper) {
        format!("{helper} stands with {unit}, and attacks with it")
    } else if beside(helper) {
        format!("{helper} cannot support now")
    } else {
        format!("{helper} does not stand next to {at}, and supports no attack on it")
    };
    Err(Fault::refused(why, "8.2.1"))
}

/// 8.2.1, H.2 The SP of both sides of a melee; guns count for none. Who is not seen from beside it is as strong as he looks.
fn strengths(v: &View, units: &[String], targets: &[String]) -> String {
    let s = &v.state;
    let men = |ids: &[String]| ids.iter().filter(|id| !s.is_arm(id, Arm::Art)).cloned().collect::<Vec<_>>();
    let own: i32 = men(units).iter().map(|id| s.sp(id)).sum();
    let (known, looks): (Vec<String>, Vec<String>) = men(targets).into_iter().partition(|id| is_counted(v, id));
    let sp: i32 = known.iter().map(|id| s.sp(id)).sum();
    let seem = |id: &String| match s.sp(id) {
        _ if v.blurred.contains(id) => format!("{id}, whose strength is not seen"),
        sp => format!("{id}, who looks {} ({})", eyes::band(sp).0, eyes::span(sp)),
    };
    let seem: Vec<String> = looks.iter().map(seem).collect();
    let all = match (known.is_empty(), seem.is_empty()) {
        (_, true) => format!("{sp}"),
        (true, false) => seem.join(", "),
        (false, false) => format!("{sp} and {}", seem.join(", ")),
    };
    format!("{own} SP against {all}.")
}

/// H.2 Whether the SP of an enemy are known, and not only how strong he looks: he is seen from beside him.
fn is_counted(v: &View, id: &str) -> bool {
    !v.state.strangers.contains_key(id) || v.state.kind(id).is_some_and(|kind| !kind.name.is_empty())
}

/// H.1, H.3 An attack rests on who sees the enemy then: where nobody would, or one other alone who may run, it may be refused.
fn blind(t: &mut Trial, unit: &str, at: Hex) {
    if !eyes::veiled(&t.s) || t.s.pose(unit).is_some_and(|pose| pose.hexes().iter().any(|hex| hex.adjacent(at))) {
        return;
    }
    let sees = |s: &State| eyes::Look::of(s, &t.side).sees(at);
    if !sees(&t.s) {
        let text = format!("nobody of yours sees {at} then: it is refused if that stays so");
        return t.warn(Caution::Doubtful, text, "H.1");
    }
    let hex = t.s.hex(unit);
    let mut alone = t.s.clone();
    alone.units.retain(|id, u| !t.s.is_of(id, &t.side) || u.pose.is_none() || t.s.hex(id) == hex);
    alone.leaders.clear();
    if !sees(&alone) {
        let text = format!("{unit} does not see {at} itself: if those who do go away or run, it is refused");
        t.warn(Caution::Doubtful, text, "H.1");
    }
}

/// 8.2.1, 8.3.1, 8.4.2 An attack, with the checks that it asks for.
fn clash(
    t: &mut Trial,
    v: &View,
    (unit, comes, onset): (&str, Option<&Pose>, Onset),
    at: Hex,
    named: Option<&[String]>,
) {
    let division = t.s.division(unit).to_owned();
    combat(t, &division, Step::Melee);
    let (s, side) = (&t.s, t.side.clone());
    let charges = onset == Onset::Charge;
    let units = if charges { charge::riders(s, unit) } else { shock::attackers(s, unit, at) };
    let targets: Vec<String> = s.stack(at).into_iter().filter(|id| !s.is_of(id, &side)).collect();
    let support = shock::supporters(s, &units, at, named);
    let mut said = Vec::new();
    if let (Some(top), Some(target)) = (units.first(), targets.first()) {
        let need = |id: &str| s.kind(id).map_or(0, |kind| kind.morale);
        if !charges {
            let sum = shock::attack_sum(s, top, at, target, support.len());
            said.push(format!("{top} goes in in {}{}.", chance(need(top), &sum), sum.behind()));
        }
        let sum = shock::defence_sum(s, target, (&units, comes), false);
        if !charges && targets.iter().all(|id| s.is_arm(id, Arm::Art)) {
            // Nobody of theirs has a check to make.
            said.push(format!("{target}: guns alone, lost without a check if the attack goes in. [8.2.1, 8.3.1]"));
        } else if need(target) > 0 {
            said.push(format!("{target} stands in {}{}.", chance(need(target), &sum), sum.behind()));
        } else {
            said.push(format!("{target}: its morale is not known{}.", sum.behind()));
        }
    }
    said.push(strengths(v, &units, &targets));
    said.into_iter().for_each(|said| t.say(said));
    t.emit(&Event::Attacked { onset, units, at, targets, support });
    emptied(t, at);
}

/// Another roll may empty the hex, so that a line below may go there.
fn emptied(t: &mut Trial, at: Hex) {
    let foes: Vec<String> = t.s.stack(at).into_iter().filter(|id| !t.s.is_of(id, &t.side)).collect();
    t.besides(foes.into_iter().map(|unit| Event::Gone { unit, how: End::Lost }));
}
