//! 3.0, 4.1, 4.2, 4.4 The Command Pool: Command Change, initiative, draws; the Non-LIM Phase; LIMs that are taken back.

use super::board::{Arm, other};
use super::command;
use super::event::Event;
use super::eyes;
use super::hand::{Die, Hand, die, draw};
use super::state::{Acting, At, Command, Level, Lim, REINFORCEMENTS, State, Step};
use super::tables::{Breakdown, Grant};
use crate::fog::SideId;
use crate::orders::{Fault, deny};
use std::collections::{BTreeMap, BTreeSet};

/// The side of a LIM.
pub fn side<'s>(s: &'s State, lim: &'s Lim) -> Option<&'s SideId> {
    match lim {
        Lim::Division(id) | Lim::Extra(id) | Lim::Pick(id) => s.board.side_of(id),
        Lim::Corps(id) => s.board.corps.get(id).map(|corps| &corps.side),
        Lim::Reinforcement(side) | Lim::Independent(side) => Some(side),
        Lim::Lone(unit) => s.side(unit),
    }
}

/// The LIM of a command by its name.
pub fn named(s: &State, name: &str) -> Lim {
    if s.board.divisions.contains_key(name) { Lim::Division(name.to_owned()) } else { Lim::Corps(name.to_owned()) }
}

/// 4.2, 4.2.1, 4.2.2 Whether a Command Change may be tried, and such LIMs added by it.
///
/// # Errors
/// Why not.
pub fn may_change(s: &State, by: Option<&str>, add: &[String]) -> Result<(), Fault> {
    let Some(by) = by else { return Ok(()) };
    deny(s.turn == s.board.scenario.turns.0, "on the first turn the pool is as the scenario has it", "4.2")?;
    let entitled = s.board.scenario.change_by.values().any(|leaders| leaders.iter().any(|leader| leader == by));
    let side = s.chief(by).map(|chief| &chief.side);
    let may =
        side.and_then(|side| s.board.scenario.change_by.get(side)).map(|may| may.join(" or ")).unwrap_or_default();
    let who = if may.is_empty() { String::new() } else { format!(": {may} may") };
    deny(!entitled, format_args!("{by} may not try a Command Change{who}"), "4.2")?;
    deny(s.leaders.get(by).is_none_or(|l| l.hex.is_none()), format_args!("{by} is not on the map"), "4.2")?;
    add.iter().try_for_each(|name| may_add(s, &named(s, name)))
}

/// 4.2.1, 4.2.2, 4.3.2, 4.8, 11.2.1, 11.3 Whether a LIM may be added: its leader in the range of the one above him, no
/// counterpart of a corps' in the pool, nobody at Breakpoint, nobody who has not come.
///
/// # Errors
/// Why not.
pub fn may_add(s: &State, lim: &Lim) -> Result<(), Fault> {
    let refused = |why: String, rule: &str| Err(Fault::refused(why, rule));
    let (leader, above, rule) = match lim {
        Lim::Division(division) => {
            let corps = s.board.divisions.get(division).map(|d| d.corps.clone()).unwrap_or_default();
            let waits = s.commands.get(division).is_some_and(|c| c.waits);
            deny(waits, format_args!("{division} has not come"), "4.8")?;
            let counterpart = s.pool.contains(&Lim::Corps(corps.clone()));
            deny(counterpart, format_args!("the LIM of {corps} is in the pool"), "4.2.1")?;
            deny(s.is_division_broken(division), format_args!("{division} is at Breakpoint"), "11.2.1")?;
            let above = s.board.corps.get(&corps).map(|corps| corps.commander.clone());
            (s.board.commander(division).cloned(), above, "4.2.2")
        }
        Lim::Corps(corps) => {
            deny(s.is_corps_broken(corps), format_args!("{corps} is at Breakpoint"), "11.3")?;
            let Some(of) = s.board.corps.get(corps) else { return refused(format!("there is no {corps}"), "4.2.1") };
            (Some(of.commander.clone()), s.overall(&of.side).cloned(), "4.2.1")
        }
        _ => return Ok(()),
    };
    deny(s.pool.contains(lim), format_args!("the LIM of {} is in the pool", lim.name()), rule)?;
    let near = leader.zip(above).is_some_and(|(leader, above)| s.in_range(&leader, &above));
    deny(!near, format_args!("{} is out of the range of his superior", lim.name()), rule)
}

/// 4.2 The Command Change Segment; 4.2.3, 14.2 the Reinforcement LIM comes by itself, 4.1.1 for those who have no LIM of their own
/// when it is over.
pub(super) fn change(cx: &mut Hand<'_>) {
    for side in cx.state().sides() {
        try_change(cx, &side);
        reinforcement(cx, &side);
    }
    cx.emit(Event::Choosing);
}

/// 4.2 The Command Change that a side tries, if it does.
fn try_change(cx: &mut Hand<'_>, side: &SideId) {
    let wish = cx.state().wishes.get(side).and_then(|wishes| wishes.change.clone());
    let Some((leader, add)) = wish.filter(|(leader, _)| may_change(cx.state(), Some(leader), &[]).is_ok()) else {
        return;
    };
    let quality = cx.state().rating(&leader).quality;
    let die = die(cx, Die::CommandChange, &leader);
    let board = cx.state().board.clone();
    let row = quality.and_then(|quality| board.charts.command_change.get(&quality));
    let grant = usize::try_from(die).ok().and_then(|die| row?.get(die)).copied().unwrap_or(Grant::None);
    cx.emit(Event::Changed { side: side.clone(), leader, die, grant });
    add_by(cx, grant, &add);
}

/// 4.2.1, 4.2.2 LIMs are added as far as the result goes, in the order in which they are wished; a corps' takes those of its
/// divisions out.
fn add_by(cx: &mut Hand<'_>, grant: Grant, wished: &[String]) {
    let (mut corps, mut divisions) = match grant {
        Grant::None => (0, 0),
        Grant::One => (0, 1),
        Grant::Two => (0, 2),
        Grant::Corps => (1, 2),
    };
    for name in wished {
        let lim = named(cx.state(), name);
        let is_corps = matches!(lim, Lim::Corps(_));
        let room = if is_corps { corps } else { divisions };
        if room == 0 || may_add(cx.state(), &lim).is_err() {
            continue;
        }
        if let Lim::Corps(id) = &lim {
            // A result for a corps is used up by it.
            (corps, divisions) = (0, 0);
            for division in cx.state().board.divisions_of(id) {
                let own = Lim::Division(division);
                if cx.state().pool.contains(&own) {
                    cx.emit(Event::Removed { lim: own });
                }
            }
        } else {
            (corps, divisions) = (0, divisions - 1);
        }
        cx.emit(Event::Added { lim });
    }
}

/// 4.1.1, 4.2.3, 14.1, 14.2, 14.4 A side's Reinforcement LIM is in the pool while somebody waits whose turn has come, or keeps
/// his marker and has no LIM of his own there, and the side does not delay.
fn reinforcement(cx: &mut Hand<'_>, side: &SideId) {
    let s = cx.state();
    let lim = Lim::Reinforcement(side.clone());
    let delayed = s.wishes.get(side).is_some_and(|wishes| wishes.delay);
    let wanted = !super::reinforce::called(s, side).is_empty() && !delayed;
    if wanted != s.pool.contains(&lim) {
        cx.emit(if wanted { Event::Added { lim } } else { Event::Removed { lim } });
    }
}

/// 3.0, 4.4 Both roll, again while they are even; the higher begins with a LIM of its own.
pub(super) fn initiative(cx: &mut Hand<'_>) {
    let sides = cx.state().sides();
    while !cx.lost() {
        let mut totals = Vec::new();
        let mut dice = Vec::new();
        for side in &sides {
            let worth = cx.state().overall(side).map_or(0, |leader| cx.state().rating(leader).initiative);
            let die = die(cx, Die::Initiative, &side.0);
            dice.push(die);
            totals.push(die + worth);
        }
        let [one, two] = totals.as_slice() else { return };
        if one == two {
            continue;
        }
        let [first, second] = &sides;
        let winner = if one > two { first } else { second };
        cx.emit(Event::Initiative { dice, side: winner.clone() });
        return opening(cx, winner);
    }
}

/// 3.0, 4.4 The LIM with which the turn begins: the first that is wished and there, or else, H.6, of the division nearest to an
/// enemy whom the side sees; where the side has none, one is drawn.
fn opening(cx: &mut Hand<'_>, side: &SideId) {
    let s = cx.state();
    let own: Vec<&Lim> = s.cup.iter().filter(|lim| self::side(s, lim) == Some(side)).collect();
    let wished = s.wishes.get(side).into_iter().flat_map(|wishes| &wishes.opening);
    let marker = |name: &String| {
        if name == REINFORCEMENTS { Lim::Reinforcement(side.clone()) } else { named(s, name) }
    };
    let wished = wished.map(marker).find(|lim| own.contains(&lim));
    let nearest = own.iter().min_by_key(|lim| (near(s, lim), (**lim).clone())).map(|lim| (*lim).clone());
    match wished.or(nearest) {
        Some(lim) => begin(cx, lim),
        None => next(cx),
    }
}

fn near(s: &State, lim: &Lim) -> u32 {
    let divisions = divisions(s, lim);
    divisions.iter().flat_map(|d| s.units_of(d)).map(|unit| eyes::enemy_of(s, &unit)).min().unwrap_or(u32::MAX)
}

/// 4.5.1, 4.5.2, 4.6.1 The divisions that may try on a LIM: of a corps those that are not at Breakpoint; on their own LIM or that
/// of their corps none that have acted on another marker, the Independent LIM or that of reinforcements; 4.5.3, 4.8 on the
/// Independent LIM those that the scenario names for it, and that are not finished.
fn divisions(s: &State, lim: &Lim) -> Vec<String> {
    let here = |id: &String| s.commands.get(id).is_some_and(|c| !c.stopped && !c.waits);
    let acted = |id: &String| s.commands.get(id).is_some_and(|c| c.independent);
    let through = |id: &String| acted(id) || super::reinforce::is_through(s, id);
    match lim {
        Lim::Division(id) if through(id) => Vec::new(),
        Lim::Division(id) | Lim::Extra(id) | Lim::Pick(id) => vec![id.clone()],
        Lim::Corps(corps) => {
            let able = |id: &String| !s.is_division_broken(id) && here(id) && !through(id);
            s.board.divisions_of(corps).into_iter().filter(able).collect()
        }
        Lim::Independent(side) => {
            let idle = |id: &&String| here(id) && s.commands.get(*id).is_some_and(|c| !c.finished);
            s.board.scenario.independent.get(side).into_iter().flatten().filter(idle).cloned().collect()
        }
        Lim::Reinforcement(side) => super::reinforce::called(s, side),
        Lim::Lone(unit) => vec![s.division(unit).to_owned()],
    }
}

pub(super) fn acting(s: &State, side: SideId, lim: Lim, by: Option<Breakdown>) -> Box<Acting> {
    Box::new(Acting {
        side,
        todo: divisions(s, &lim),
        lim,
        modes: BTreeMap::new(),
        division: None,
        step: Step::Attempt,
        fought: BTreeSet::new(),
        must: BTreeSet::new(),
        mover: Vec::new(),
        by,
        entered: BTreeMap::new(),
        tried: false,
    })
}

fn begin(cx: &mut Hand<'_>, lim: Lim) {
    let Some(side) = side(cx.state(), &lim).cloned() else { return };
    cx.emit(Event::Drawn { side: side.clone(), lim: lim.clone() });
    let acting = acting(cx.state(), side, lim, None);
    cx.emit(Event::Began { acting });
}

/// 3.0, 4.4.1, 4.7 What comes after an activation: an attempt that a breakdown has given, the next draw, or the Non-LIM Phase.
pub(super) fn next(cx: &mut Hand<'_>) {
    if let Some(extra) = cx.state().extras.first().cloned() {
        let divisions = command::brought(cx.state(), &extra);
        if let Some(division) = divisions.first() {
            let mut acting = acting(cx.state(), extra.side, Lim::Extra(division.clone()), Some(extra.by));
            acting.todo = divisions;
            cx.emit(Event::Began { acting });
            return;
        }
    }
    let cup: Vec<Lim> = cx.state().cup.iter().cloned().collect();
    if cup.is_empty() {
        let first = cx.state().first.clone().unwrap_or_default();
        return pick_next(cx, &other(&first));
    }
    // R-03 The program draws.
    let drawn = if cup.len() == 1 { 0 } else { draw(cx, cup.len()) };
    if let Some(lim) = cup.get(drawn) {
        begin(cx, lim.clone());
    }
}

/// 3.0, 4.3.3, R-60 Whether a unit is Out of Command, and may be picked by itself.
///
/// House: 4.3.3 finds that out when a division is activated. Of one that has not been activated in the turn, for whatever
/// reason, it is found out by the pick: who is then beyond the range of his commander, if there is one on the map, is Out of
/// Command. Else he could act in no turn in which his division does not, and 3.0 lets "any one Out of Command unit" be picked.
fn is_alone(s: &State, unit: &str) -> bool {
    let division = s.division(unit);
    let idle = |c: &Command| !(c.worked || c.marched || c.finished || c.stopped);
    let idle = s.commands.get(division).is_some_and(idle);
    let led = s.board.commander(division).and_then(|leader| s.leaders.get(leader)?.hex).is_some();
    s.is(unit, |u| !u.acted && u.level != Level::Rout && (u.out || (idle && led && !s.in_command(unit))))
}

/// 3.0, R-60 Who may be picked: divisions whose LIM was not in the pool and whose commander is neither stopped nor finished;
/// and units Out of Command that have not acted.
pub fn picks(s: &State, side: &SideId) -> Vec<String> {
    let own = s.commands.iter().filter(|(id, c)| {
        let idle = !c.drawn && !c.stopped && !c.finished && !c.waits && !c.passed;
        idle && s.board.side_of(id) == Some(side) && !s.units_of(id).is_empty()
    });
    let lone = s.standing().filter(|(id, ..)| s.is_of(id, side) && is_alone(s, id));
    own.map(|(id, _)| id.clone()).chain(lone.map(|(id, ..)| id.clone())).collect()
}

/// 3.0 Whether a division or a unit may be picked.
///
/// # Errors
/// Why not.
pub fn may_pick(s: &State, who: &str) -> Result<Lim, Fault> {
    let At::Others(side) = &s.at else { return Err(Fault::refused("the Non-LIM Phase has not come", "3.0")) };
    deny(!picks(s, side).iter().any(|id| id == who), format_args!("{who} may not be picked"), "3.0")?;
    Ok(if s.board.divisions.contains_key(who) { Lim::Pick(who.to_owned()) } else { Lim::Lone(who.to_owned()) })
}

/// 3.0, 4.6.2 A side picks.
pub(super) fn pick(cx: &mut Hand<'_>, side: &SideId, lim: Lim) {
    let acting = acting(cx.state(), side.clone(), lim, None);
    cx.emit(Event::Began { acting });
}

/// 3.0 The pick goes to the other side, where it has one; else it stays; where neither has, the phase is over.
pub(super) fn pick_next(cx: &mut Hand<'_>, after: &SideId) {
    let able = |side: &SideId| !picks(cx.state(), side).is_empty();
    match [other(after), after.clone()].into_iter().find(able) {
        Some(side) => cx.emit(Event::Picking { side }),
        None => cx.emit(Event::Closing),
    }
}

/// 3.0, 4.1.1, 11.2.1 The LIM Removal Segment: what a side takes back, and what is at Breakpoint.
pub(super) fn remove(cx: &mut Hand<'_>) {
    let s = cx.state();
    let gone = |lim: &Lim| {
        let wished = side(s, lim).and_then(|side| s.wishes.get(side));
        let wished = wished.is_some_and(|wishes| wishes.remove.iter().any(|name| name == lim.name()));
        let broken = match lim {
            Lim::Division(division) => s.is_division_broken(division),
            Lim::Corps(corps) => s.is_corps_broken(corps),
            _ => false,
        };
        wished || broken
    };
    let lims: Vec<Lim> = s.pool.iter().filter(|lim| gone(lim)).cloned().collect();
    lims.into_iter().for_each(|lim| cx.emit(Event::Removed { lim }));
}

/// 8.4.5, R-61 At the end of the Non-LIM Phase horse of divisions that have not acted at all may recover.
pub(super) fn rest_of_all(cx: &mut Hand<'_>) {
    let divisions: Vec<String> = cx.state().commands.keys().cloned().collect();
    command::rest(cx, &divisions);
}

/// 13.0 Whether a division has anything that tires.
pub(super) fn tires(s: &State, division: &str) -> bool {
    s.board.kinds.values().any(|kind| kind.div == division && kind.arm != Arm::Art)
}
