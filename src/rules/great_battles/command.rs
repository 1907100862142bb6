//! 4.3, 4.5-4.7, 5.2, 5.4 Who may act: attempts, breakdowns, the marker of strategic movement, leaders.

use super::board::{Arm, Rank, other};
use super::event::{Event, Ready};
use super::hand::{Die, Hand, die};
use super::pose::Form;
use super::state::{Extra, Lim, Mode, State, Step};
use super::tables::Breakdown;
use super::{march, reinforce, retire};
use crate::hex::Hex;
use crate::orders::{Fault, deny};
use crate::rules::Play;
use crate::rules::tactical::sum::{Sum, half_up};
use crate::rules::tactical::way::Ways;
use std::collections::BTreeSet;
use std::sync::Arc;

/// 5.2, 5.2.1 The enemy may not be so near to who marches strategically.
pub(super) const NEAR: u32 = 3;
/// 4.7 So near an enemy makes a division retreat.
const RETREAT: u32 = 3;
/// 4.7 So near an enemy makes a division charge.
const CHARGE: u32 = 4;

/// 4.0, 4.5, 4.6, 4.6.2, 5.2, 5.2.1, 11.2.1, 14.3, 14.4 Whether a division may try now, in such a manner: under the marker it
/// marches, on whatever LIM, but for who comes on in regular movement because the enemy is near.
///
/// # Errors
/// Why not.
pub fn may_activate(s: &State, division: &str, how: Mode) -> Result<(), Fault> {
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let Some(acting) = &s.acting else { return refused("no command is drawn".to_owned(), "4.0") };
    deny(acting.step > Step::Movement, "the combat of the corps has begun", "4.5.2.2")?;
    let turns = reinforce::turns_regular(s, division, how);
    if !turns {
        let later = acting.modes.contains_key(division);
        deny(later, format_args!("{division} acts already"), "4.5.2.1")?;
        deny(!acting.todo.contains(&division.to_owned()), format_args!("it is not for {division} to act now"), "4.5")?;
    }
    let lone = matches!(acting.lim, Lim::Lone(_));
    let idle = lone || matches!(acting.lim, Lim::Pick(_));
    deny(how == Mode::Full && idle, "without a LIM there is a Limited Activation alone", "4.6.2")?;
    deny(how == Mode::Strategic && lone, "a unit Out of Command takes a Limited Activation alone", "4.6")?;
    let Some(command) = s.commands.get(division) else { return refused(format!("there is no {division}"), "4.1") };
    if how != Mode::Limited {
        let broken = s.is_division_broken(division);
        deny(broken, format_args!("{division} is at Breakpoint, and takes a Limited Activation"), "11.2.1")?;
    }
    if how != Mode::Strategic {
        let why = format_args!("{division} is in strategic movement: ACTIVATE it STRATEGIC, or DROP the marker");
        return deny(command.strategic && !turns && !lone, why, "5.2.1");
    }
    deny(idle && !command.strategic, "strategic movement is taken up with a Full Activation", "5.2")?;
    may_march(s, division)
}

/// 5.2, 13.3 Whether a division may march strategically, as it is and where it stands.
///
/// # Errors
/// Why not.
pub(super) fn may_march(s: &State, division: &str) -> Result<(), Fault> {
    let fatigue = s.commands.get(division).map_or(0, |c| c.fatigue);
    let tired = s.board.charts.weary(fatigue).no_strategic;
    deny(tired, format_args!("{division} is too tired"), "13.3")?;
    let near = s.units_of(division).into_iter().find(|unit| s.enemy_of(unit) < NEAR);
    match near {
        Some(unit) => Err(Fault::refused(format!("an enemy is less than three hexes from {unit}"), "5.2")),
        None => Ok(()),
    }
}

/// 4.5.2 The divisions whose commanders stand within the range of their corps commander, where his LIM is drawn.
pub(super) fn within(s: &State, lim: &Lim) -> BTreeSet<String> {
    let Lim::Corps(corps) = lim else { return BTreeSet::new() };
    let Some(above) = s.board.corps.get(corps).map(|corps| &corps.commander) else { return BTreeSet::new() };
    let near = |id: &String| s.board.commander(id).is_some_and(|leader| s.in_range(leader, above));
    s.board.divisions_of(corps).into_iter().filter(near).collect()
}

/// 4.5.1 The parts of the die of an attempt: 4.5.2 on a corps LIM the modifier of a corps commander who was in range when it was
/// drawn, 13.3 fatigue.
pub(super) fn attempt_sum(s: &State, division: &str) -> Sum {
    let mut sum = Sum::default();
    let corps = s.acting.as_ref().and_then(|a| if let Lim::Corps(corps) = &a.lim { Some(corps) } else { None });
    let above = corps.and_then(|corps| s.board.corps.get(corps)).map(|corps| &corps.commander);
    if let Some(above) = above.filter(|_| s.near.contains(division)) {
        sum.add(above.clone(), -s.rating(above).modifier);
    }
    let fatigue = s.commands.get(division).map_or(0, |c| c.fatigue);
    sum.add("fatigue", s.board.charts.weary(fatigue).activation);
    sum
}

/// 4.1.2 What the die of an attempt may come to at most.
pub(super) fn rating(s: &State, division: &str) -> i32 {
    s.board.commander(division).map_or(0, |leader| s.rating(leader).activation)
}

/// 4.6.2, 5.2, 14.1, 14.4 Whether no roll is needed: reinforcements, and who bears the marker and keeps it, act at once, and so
/// does who takes a Limited Activation.
pub(super) fn is_free(s: &State, division: &str, how: Mode) -> bool {
    let marked = s.commands.get(division).is_some_and(|c| c.strategic);
    let comes = s.acting.as_ref().is_some_and(|acting| matches!(acting.lim, Lim::Reinforcement(_)));
    how == Mode::Limited || comes || (how == Mode::Strategic && marked)
}

/// 4.5.1, 4.5.2.1 A division tries to act; the one before it has finished its movement.
pub(super) fn activate(cx: &mut Hand<'_>, division: &str, how: Mode) -> Play<()> {
    march::finish(cx)?;
    let s = cx.state();
    if is_free(s, division, how) {
        act(cx, division, how);
        return Ok(());
    }
    let sum = attempt_sum(s, division);
    let need = rating(s, division);
    let die = die(cx, Die::Activation, division);
    let passed = die + sum.total() <= need;
    cx.emit(Event::Attempted { division: division.to_owned(), die, sum, need, passed });
    if passed {
        act(cx, division, how);
        return Ok(());
    }
    break_down(cx, division, how)
}

/// 4.7 The second roll after an attempt that has failed.
fn break_down(cx: &mut Hand<'_>, division: &str, how: Mode) -> Play<()> {
    let board = cx.state().board.clone();
    let leader = board.commander(division).cloned().unwrap_or_default();
    let personality = cx.state().rating(&leader).personality;
    let column = board.charts.command_breakdown.get(&personality);
    let die = die(cx, Die::Breakdown, division);
    let cell = usize::try_from(die).ok().and_then(|die| column?.get(die)).copied().unwrap_or(Breakdown::Stop);
    cx.emit(Event::Broke { division: division.to_owned(), die, result: cell });
    let by = cx.state().acting.as_ref().and_then(|acting| acting.by);
    // 4.7 Neither comes twice in a row.
    let result = match cell {
        Breakdown::Reactivate if by == Some(Breakdown::Reactivate) => Breakdown::Full,
        Breakdown::Enemy if by == Some(Breakdown::Enemy) => Breakdown::Stop,
        other => other,
    };
    let near = cx.state().units_of(division).iter().map(|unit| cx.state().enemy_of(unit)).min().unwrap_or(u32::MAX);
    let out = out_of_command(cx.state(), division);
    let full = if how == Mode::Strategic { Mode::Strategic } else { Mode::Full };
    match result {
        Breakdown::Stop => stop(cx, division, out),
        Breakdown::Enemy => {
            stop(cx, division, out);
            give(cx, division, &leader, Breakdown::Enemy);
        }
        Breakdown::Retreat => {
            if near <= RETREAT {
                retire::withdraw(cx, division)?;
            }
            stop(cx, division, out);
        }
        Breakdown::Limited => act(cx, division, Mode::Limited),
        Breakdown::Full => act(cx, division, full),
        Breakdown::Charge if near <= CHARGE => {
            act(cx, division, Mode::Full);
            cx.emit(Event::Must { division: division.to_owned() });
        }
        Breakdown::Charge => act(cx, division, full),
        Breakdown::Reactivate => {
            act(cx, division, full);
            give(cx, division, &leader, Breakdown::Reactivate);
        }
    }
    Ok(())
}

/// 4.7 No unit of the division that is In Command acts in this turn.
fn stop(cx: &mut Hand<'_>, division: &str, out: Vec<String>) {
    cx.emit(Event::Activated { division: division.to_owned(), mode: Mode::Limited, units: Vec::new(), out });
    cx.emit(Event::Stopped { division: division.to_owned() });
}

/// 4.7 A breakdown gives the nearest division an attempt, of the same side or of the other.
fn give(cx: &mut Hand<'_>, division: &str, leader: &str, by: Breakdown) {
    let s = cx.state();
    let Some(from) = s.leaders.get(leader).and_then(|l| l.hex) else { return };
    let Some(own) = s.board.side_of(division).cloned() else { return };
    let side = if by == Breakdown::Enemy { other(&own) } else { own };
    cx.emit(Event::Given { extra: Extra { side, of: division.to_owned(), from, by } });
}

/// 4.7 The divisions to which such an attempt may fall: the nearest, of those that have not been brought in before in the
/// turn, are not stopped, and are not at Breakpoint.
pub(super) fn brought(s: &State, extra: &Extra) -> Vec<String> {
    let able = |division: &String| {
        let c = s.commands.get(division)?;
        let barred = c.again || c.stopped || c.waits || *division == extra.of || s.is_division_broken(division);
        let hex = s.board.commander(division).and_then(|leader| s.leaders.get(leader)?.hex)?;
        (!barred && s.board.side_of(division) == Some(&extra.side)).then(|| hex.distance(extra.from))
    };
    let found: Vec<(u32, &String)> = s.board.divisions.keys().filter_map(|id| Some((able(id)?, id))).collect();
    let least = found.iter().map(|(far, _)| *far).min();
    found.into_iter().filter(|(far, _)| Some(*far) == least).map(|(_, id)| id.clone()).collect()
}

fn out_of_command(s: &State, division: &str) -> Vec<String> {
    s.units_of(division).into_iter().filter(|unit| !s.in_command(unit)).collect()
}

/// 5.0, 5.1, 5.2, 4.6.2, 8.4.4, 13.3 The points of a unit: what its side shows, tired, Blown half with fractions up, under the
/// marker twice, in a Limited Activation half or, alone, a third, with fractions down.
pub(super) fn allowance(s: &State, unit: &str, mode: Mode, lone: bool) -> i32 {
    let Some(kind) = s.kind(unit) else { return 0 };
    let mut ma = kind.ma + s.weary(unit).ma;
    if s.pose(unit).is_some_and(|pose| pose.form == Form::Disorder) && !kind.is_cossack() {
        ma += s.board.charts.disordered_ma;
    }
    if s.is(unit, |u| u.blown > 0) {
        ma = half_up(ma);
    }
    let ma = ma.max(0);
    match (mode, lone) {
        (Mode::Full, _) => ma,
        (Mode::Strategic, _) => 2 * ma,
        (Mode::Limited, false) => ma / 2,
        (Mode::Limited, true) => ma / 3,
    }
}

/// 4.3.3, 4.6 A division acts.
fn act(cx: &mut Hand<'_>, division: &str, mode: Mode) {
    activation(cx.state(), division, mode).into_iter().for_each(|event| cx.emit(event));
}

/// 5.2 The marker is laid on who takes up strategic movement; 14.3, 14.4 it comes off who comes on in regular movement instead.
pub(super) fn marking(s: &State, division: &str, mode: Mode) -> Option<Event> {
    let marked = s.commands.get(division).is_some_and(|c| c.strategic);
    let on = mode == Mode::Strategic;
    let changes = mode != Mode::Limited && on != marked;
    changes.then(|| Event::Marked { division: division.to_owned(), on })
}

/// 4.3.3, 4.6 What happens when a division acts: its units in range do, and who is out of range is marked. 4.6.1 Who has acted
/// on the Reinforcement LIM is through for the turn, unless 4.7 a breakdown brings his division in.
pub(super) fn activation(s: &State, division: &str, mode: Mode) -> Vec<Event> {
    let lone = s.acting.as_ref().and_then(|a| if let Lim::Lone(unit) = &a.lim { Some(unit.clone()) } else { None });
    let ready = |unit: &String| {
        let side = s.side(unit)?;
        let faced = s.pose(unit)?.hexes().into_iter().flat_map(|hex| s.fronts_on(hex, side)).collect();
        Some(Ready { unit: unit.clone(), ma: allowance(s, unit, mode, lone.is_some()), faced })
    };
    let again = s.acting.as_ref().is_some_and(|a| matches!(a.lim, Lim::Extra(_)));
    // 3.0 Who has been picked by himself has had his turn.
    let picked = s.acting.as_ref().is_some_and(|a| matches!(a.lim, Lim::Pick(_)));
    let through = |unit: &String| s.is(unit, |u| (u.came && !again) || (u.acted && picked));
    let acts = |unit: &String| s.in_command(unit) && !through(unit);
    let units = match &lone {
        Some(unit) => vec![unit.clone()],
        None => s.counters_of(division).into_iter().filter(acts).collect(),
    };
    let mut units: Vec<Ready> = units.iter().filter(|unit| !s.routs(unit)).filter_map(ready).collect();
    // 14.1 Those that wait off the map come on in it.
    let free = s.acting.as_ref().is_some_and(|a| matches!(a.lim, Lim::Reinforcement(_)));
    let waiting = if free { reinforce::waiting(s, division) } else { Vec::new() };
    let come = |unit: String| Ready { ma: allowance(s, &unit, mode, false), unit, faced: BTreeSet::new() };
    units.extend(waiting.into_iter().map(come));
    let out = if lone.is_some() { Vec::new() } else { out_of_command(s, division) };
    let mark = marking(s, division, mode);
    mark.into_iter().chain([Event::Activated { division: division.to_owned(), mode, units, out }]).collect()
}

/// 4.6, 4.3.3 Whether a unit may do anything in this activation.
///
/// # Errors
/// Why not.
pub fn may_act(s: &State, unit: &str) -> Result<(), Fault> {
    let Some((u, ..)) = s.on(unit) else {
        return Err(Fault::refused(format!("{unit} is not on the map"), "4.6"));
    };
    deny(u.out && !u.going.ready, format_args!("{unit} is Out of Command"), "4.3.3")?;
    deny(s.routs(unit), format_args!("{unit} is Routed"), "9.2.4")?;
    deny(!u.going.ready, format_args!("{unit} is not activated"), "4.6")
}

/// 4.5.2.2 Whether a division of the corps fights now.
///
/// # Errors
/// Why not.
pub fn may_fight(s: &State, division: &str) -> Result<(), Fault> {
    let Some(acting) = &s.acting else { return Err(Fault::refused("no command acts", "4.5")) };
    let acts = acting.modes.contains_key(division);
    deny(!acts, format_args!("{division} does not act"), "4.5.2.2")?;
    deny(acting.fought.contains(division), format_args!("{division} has fought"), "4.5.2.2")
}

/// 4.6.1, 4.5.2.2, 8.0 A division comes to a step of its combat: the movement of all is over, and of a corps the division
/// before it has fought.
pub(super) fn combat(cx: &mut Hand<'_>, division: &str, step: Step) -> Play<()> {
    march::finish(cx)?;
    let Some(acting) = cx.state().acting.clone() else { return Ok(()) };
    let same = acting.division.as_deref() == Some(division);
    if acting.step >= Step::Fire && !same {
        let before = acting.division.unwrap_or_default();
        super::compel::fight(cx, &before)?;
        cx.emit(Event::Done { division: before });
    }
    if acting.step < step || !same {
        cx.emit(Event::Turning { division: division.to_owned(), step });
    }
    Ok(())
}

/// 5.2.1 Whether a unit is bound by the marker: its division marches strategically, or bears the marker in whatever manner the
/// unit acts.
pub(super) fn is_bound(s: &State, unit: &str) -> bool {
    s.mode(unit) == Some(Mode::Strategic) || s.is_marching(unit)
}

/// 5.2 Whether the marker may come off now: in an activation of its division, not in that of one unit Out of Command.
///
/// # Errors
/// Why not.
pub fn may_drop(s: &State) -> Result<(), Fault> {
    let lone = s.acting.as_ref().is_some_and(|acting| matches!(acting.lim, Lim::Lone(_)));
    deny(lone, "the marker comes off when its division acts, and not one unit Out of Command", "5.2")?;
    let marked = s.commands.get(s.active()).is_some_and(|c| c.strategic);
    deny(!marked, "no division that acts bears the Strategic Movement marker", "5.2")
}

/// 5.2 The marker comes off, and its division's activation is over.
pub(super) fn drop_marker(cx: &mut Hand<'_>) {
    let division = cx.state().active().to_owned();
    let units = cx.state().units_of(&division);
    cx.emit(Event::Marked { division, on: false });
    cx.emit(Event::Finished { units });
}

/// 5.4 Whether a leader may ride so far now: a division's with his division, a corps' once a turn with one of his, an
/// overall commander once a turn in any activation of his side.
///
/// # Errors
/// Why not.
pub fn may_ride(s: &State, leader: &str, to: Hex) -> Result<(), Fault> {
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let Some((l, chief)) = s.leaders.get(leader).zip(s.chief(leader)) else {
        return refused(format!("there is no {leader}"), "4.1.2");
    };
    let Some(from) = l.hex else { return refused(format!("{leader} is not on the map"), "5.4") };
    let Some(acting) = s.acting.as_ref().filter(|acting| acting.side == chief.side) else {
        return refused("no command of yours acts".to_owned(), "5.4");
    };
    let with = match chief.rank {
        Rank::Division => acting.modes.contains_key(&chief.of),
        Rank::Corps => acting.modes.keys().any(|id| s.board.divisions.get(id).is_some_and(|d| d.corps == chief.of)),
        Rank::Army => !acting.modes.is_empty(),
    };
    let stopped = chief.rank == Rank::Division && s.commands.get(&chief.of).is_some_and(|c| c.stopped);
    deny(stopped, format_args!("{leader} is stopped for the turn"), "4.7")?;
    deny(!with, format_args!("{leader} rides with his command, when it is activated"), "5.4")?;
    deny(l.rode, format_args!("{leader} has ridden"), "5.4")?;
    let reached = rides(s, leader, from).contains(&to);
    deny(!reached, format_args!("{leader} does not reach {to} with {} MP", s.board.charts.leader_ma), "5.4")
}

/// 5.0, 5.4 Where a leader can ride; not through the enemy.
fn rides(s: &State, leader: &str, from: Hex) -> Arc<BTreeSet<Hex>> {
    let most = s.board.charts.leader_ma;
    let side = s.chief(leader).map(|chief| chief.side.clone()).unwrap_or_default();
    let foes: BTreeSet<Hex> = s.enemies(&side).flat_map(|(.., pose)| pose.hexes()).collect();
    let sought = (from, foes);
    s.board.rides.answer(
        |known| *known == sought,
        || {
            let ways = Ways::from([from], |at, spent| {
                let open = |to: Hex| {
                    let cost = march::leader_cost(s, at, to)?;
                    (spent + cost <= most && !sought.1.contains(&to)).then_some((to, cost))
                };
                at.neighbours().into_iter().filter_map(open).collect::<Vec<_>>()
            });
            (sought.clone(), ways.near.into_iter().collect())
        },
    )
}

/// 5.4 The hex that comes nearest to one, of those to which a leader can ride; none that is no nearer than he stands.
pub(super) fn ride_toward(s: &State, leader: &str, to: Hex) -> Option<Hex> {
    let from = s.leaders.get(leader)?.hex?;
    let near = rides(s, leader, from);
    near.iter().copied().filter(|hex| hex.distance(to) < from.distance(to)).min_by_key(|hex| (hex.distance(to), *hex))
}

/// 5.4 A leader rides.
pub(super) fn ride(cx: &mut Hand<'_>, leader: &str, to: Hex) {
    cx.emit(Event::Rode { leader: leader.to_owned(), to });
}

/// 8.4.5 Blown horse of the divisions that have acted, and that has not stirred, may recover.
pub(super) fn rest(cx: &mut Hand<'_>, divisions: &[String]) {
    let s = cx.state();
    let blown = s.standing().filter(|(id, u, _)| {
        u.blown > 0
            && !u.stirred
            && !u.recovering
            && s.is_arm(id, Arm::Cav)
            && divisions.iter().any(|d| d == s.division(id))
    });
    let blown: Vec<String> = blown.map(|(id, ..)| id.clone()).collect();
    blown.into_iter().for_each(|unit| cx.emit(Event::Resting { unit, on: true }));
}
