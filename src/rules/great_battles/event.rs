//! What happens, and how it changes the truth.

use super::command::{self, NEAR};
use super::pose::{Form, Pose};
use super::state::{Acting, At, Command, Extra, Going, Leader, Level, Lim, Marks, Mode, State, Step, Unit, Wishes};
use super::tables::{Blow, Breakdown, Grant, Rating};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::Upshot;
use crate::rules::tactical::sum::Sum;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How a unit comes to stand otherwise than it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// 5.1 Ahead.
    Step,
    /// 6.3.1, 6.3.5 Aside.
    Slide,
    /// 6.3 Backward.
    Reverse,
    /// 6.1 It turns.
    Turn,
    /// 6.3 It changes its formation, or spreads.
    Form,
    /// 14.1 It comes on.
    Enter,
    /// 6.2 In reaction.
    React,
    /// 8.4.2 In a charge.
    Charge,
    /// 8.4.2 In a pursuit.
    Pursue,
    /// 8.2.1, 8.3.1, 8.4.2 Into a hex that has been left.
    Advance,
    /// 10.0
    Retreat,
    /// 10.0
    Rout,
    /// An umpire has put it there.
    Amend,
}

impl How {
    /// 8.4.5 Whether it moves by its own will.
    fn stirs(self) -> bool {
        !matches!(self, How::Retreat | How::Rout | How::Amend)
    }
}

/// 8.1 The occasions of fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Occasion {
    Offensive,
    Return,
    Reaction,
}

/// 8.0 The kinds of melee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Onset {
    Bayonet,
    Assault,
    Charge,
    Reaction,
    Counter,
}

/// How a unit leaves the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// 8.5.1 It has no SP left.
    Lost,
    /// 9.2.4 It ran, and has been fired at or attacked.
    Ridden,
    /// 8.2.1, 8.3.1, 8.4.2 Guns whose men have gone, or that stood alone.
    Taken,
}

/// 6.2.5, 8.4.2 What a unit does against a division that acts, once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Deed {
    Fire,
    Step,
    Limber,
    Turn,
    Charge,
    Stuck,
    Balked,
}

/// 4.3.3 A unit that may act.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ready {
    /// The unit.
    pub unit: String,
    /// 5.0 Its points.
    pub ma: i32,
    /// 5.1.3 The enemies in whose front it begins.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub faced: BTreeSet<String>,
}

/// One thing that happens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(missing_docs)] // The fields are what their names say; each kind has its line.
pub enum Event {
    /// A unit is set up.
    Stands { unit: String, pose: Pose },
    /// A leader is set up.
    Placed { leader: String, hex: Hex },
    /// 14.0 A division waits off the map.
    Waits { division: String },
    /// A side holds a place.
    Holds { place: String, side: SideId },
    /// 4.1.1, 4.2 A LIM is in the pool.
    Added { lim: Lim },
    /// 4.2.1, 3.0 A LIM is out of the pool.
    Removed { lim: Lim },
    /// A side says what it wants.
    Wished { side: SideId, wishes: Wishes },
    /// 4.5 A command acts by a sheet that its side has lodged.
    Taken { side: SideId, of: String, lines: Vec<String> },
    /// 4.5 A line of it is not carried out.
    Missed { side: SideId, line: String, upshot: Upshot },
    /// 3.0 Both have said it.
    Opened,
    /// 4.2 A Command Change.
    Changed { side: SideId, leader: String, die: i32, grant: Grant },
    /// 3.0 The segment A.2.
    Choosing,
    /// 4.4 The initiative.
    Initiative { dice: Vec<i32>, side: SideId },
    /// 4.4, 4.4.1 A LIM is chosen, or drawn.
    Drawn { side: SideId, lim: Lim },
    /// 4.5 A command may act.
    Began { acting: Box<Acting> },
    /// 4.5.1 An attempt.
    Attempted { division: String, die: i32, sum: Sum, need: i32, passed: bool },
    /// 4.7 A breakdown.
    Broke { division: String, die: i32, result: Breakdown },
    /// 4.7 A commander is stopped for the turn.
    Stopped { division: String },
    /// 4.7 A division has to charge.
    Must { division: String },
    /// 4.7 An attempt that a breakdown gives.
    Given { extra: Extra },
    /// 4.6 A division acts.
    Activated { division: String, mode: Mode, units: Vec<Ready>, out: Vec<String> },
    /// 5.2 The Strategic Movement marker.
    Marked { division: String, on: bool },
    /// 6.1, 6.3, 5.1, 10 Units stand so now.
    Moved { units: Vec<String>, pose: Pose, cost: i32, how: How },
    /// 5.1.1 A Disorder Check.
    Tested { unit: String, die: i32, need: i32, passed: bool },
    /// 6.4.1 A unit is Disordered.
    Disordered { unit: String },
    /// 7.2 The order of a stack.
    Topped { units: Vec<String> },
    /// 5.1.3 Units stop for good.
    Halted { units: Vec<String> },
    /// 4.6.1 The movement of units is over.
    Finished { units: Vec<String> },
    /// 4.6.1, 4.5.2 A division's movement ends, it fires, it attacks.
    Turning { division: String, step: Step },
    /// 4.5.2 A division has fought.
    Done { division: String },
    /// 6.2 A unit does what it may do once.
    Reacted { unit: String, deed: Deed },
    /// 8.1.8 A fire; `far` at medium or long range.
    Fired {
        unit: String,
        at: Hex,
        target: String,
        value: i32,
        column: usize,
        shifts: Sum,
        die: i32,
        result: Blow,
        on: Occasion,
        far: bool,
    },
    /// 8.5.1 SP lost.
    Lost { unit: String, sp: i32 },
    /// A unit is no more.
    Gone { unit: String, how: End },
    /// A unit has left the map by its edge.
    Exited { unit: String, sp: i32 },
    /// H.12 A dummy is no more; whether it was fired at or attacked, which its owner alone is told.
    Vanished {
        unit: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        struck: bool,
    },
    /// H.12 A unit has fired at a dummy.
    Wasted { unit: String },
    /// 9.1, 8.2.1 A check.
    Checked { unit: String, why: String, die: i32, sum: Sum, need: i32, passed: bool },
    /// 9.1.1 A Morale Level.
    Level { unit: String, level: Level },
    /// 8.2, 8.3, 8.4 An attack is declared.
    Attacked { onset: Onset, units: Vec<String>, at: Hex, targets: Vec<String>, support: Vec<String> },
    /// 8.3.1, 8.4.2 A melee.
    Fought {
        units: Vec<String>,
        against: Vec<String>,
        ratio: String,
        sum: Sum,
        die: i32,
        attacker: Blow,
        defender: Blow,
    },
    /// 8.5.4 Both would go back: dice, and who does.
    Double { dice: Vec<i32>, goes: SideId },
    /// 8.4.2 A pursuit.
    Pursued { units: Vec<String>, of: String, die: i32, sum: Sum, hexes: usize },
    /// 8.4.4 A Blown marker.
    Blown { unit: String, level: u8 },
    /// 8.4.5 A Recovery marker.
    Resting { unit: String, on: bool },
    /// 5.4 A leader rides.
    Rode { leader: String, to: Hex },
    /// 8.5.5 A leader is put where he must be, or goes along.
    Followed { leader: String, to: Hex },
    /// 8.5.5 The die of a leader.
    Risked { leader: String, die: i32 },
    /// 8.5.5 Another comes for him.
    Replaced { leader: String, rating: Rating },
    /// 8.5.5 He is no more.
    Fell { leader: String },
    /// 14.1 A division comes on.
    Arrived { division: String },
    /// 4.6.1 A commander is finished.
    Spent { division: String },
    /// 4.5 The activation is over.
    Ended,
    /// 3.0 The Non-LIM Phase: whose pick it is.
    Picking { side: SideId },
    /// 3.0 A side has nothing more to pick.
    Passed { side: SideId },
    /// 3.0 The Rally Phase.
    Closing,
    /// 13.0 Fatigue.
    Tired { division: String, level: i32 },
    /// 3.0 A turn begins.
    Turn { turn: u32 },
    /// The game is over.
    Over { winner: Option<SideId>, points: i32 },
}

/// Changes the truth; holds no rules.
pub fn apply(s: &mut State, e: &Event) {
    match e {
        Event::Stands { unit, pose } => {
            let under = s.stack(pose.head).len();
            let unit = s.units.entry(unit.clone()).or_default();
            (unit.pose, unit.under) = (Some(*pose), u32::try_from(under).unwrap_or_default());
        }
        Event::Placed { leader, hex } | Event::Followed { leader, to: hex } => lead(s, leader, |l| l.hex = Some(*hex)),
        Event::Waits { division } => command(s, division, |c| c.waits = true),
        Event::Holds { place, side } => drop(s.places.insert(place.clone(), side.clone())),
        Event::Added { lim } => drop(s.pool.insert(lim.clone())),
        Event::Removed { lim } => drop(s.pool.remove(lim)),
        Event::Wished { side, wishes } => drop(s.wishes.insert(side.clone(), wishes.clone())),
        Event::Opened => s.at = At::Change,
        Event::Choosing => s.at = At::Initiative,
        Event::Initiative { side, .. } => (s.first, s.cup) = (Some(side.clone()), s.pool.clone()),
        Event::Drawn { lim, .. } => drawn(s, lim),
        Event::Began { acting } => began(s, acting),
        Event::Stopped { division } => command(s, division, |c| (c.stopped, c.finished) = (true, true)),
        Event::Must { division } => acting(s, |a| a.must.extend([division.clone()])),
        Event::Given { extra } => s.extras.push(extra.clone()),
        Event::Attempted { .. } => acting(s, |a| a.tried = true),
        Event::Activated { division, mode, units, out } => activated(s, division, *mode, (units, out)),
        Event::Marked { division, on } => command(s, division, |c| {
            (c.strategic, c.arriving, c.caught) = (*on, c.arriving && *on, c.caught && *on);
        }),
        Event::Taken { .. }
        | Event::Missed { .. }
        | Event::Broke { .. }
        | Event::Changed { .. }
        | Event::Tested { .. }
        | Event::Checked { .. }
        | Event::Double { .. }
        | Event::Risked { .. } => {}
        Event::Moved { .. }
        | Event::Disordered { .. }
        | Event::Topped { .. }
        | Event::Halted { .. }
        | Event::Finished { .. }
        | Event::Reacted { .. } => motion(s, e),
        Event::Turning { division, step } => acting(s, |a| {
            (a.division, a.step) = (Some(division.clone()), *step);
            a.mover.clear();
        }),
        Event::Done { division } => acting(s, |a| a.fought.extend([division.clone()])),
        Event::Fired { .. } | Event::Attacked { .. } | Event::Fought { .. } | Event::Pursued { .. } => combat(s, e),
        Event::Lost { unit, sp } => {
            change(s, unit, |u| u.lost += sp);
            s.close_up(unit);
        }
        Event::Gone { unit, how: _ } => change(s, unit, |u| (u.pose, u.gone, u.going) = (None, true, Going::default())),
        Event::Exited { unit, sp } => {
            change(s, unit, |u| (u.pose, u.left) = (None, true));
            s.exited += sp;
        }
        Event::Vanished { unit, .. } => drop(s.units.remove(unit)),
        Event::Wasted { unit } => change(s, unit, |u| u.fired = true),
        Event::Level { unit, level } => change(s, unit, |u| {
            (u.level, u.ran) = (*level, u.ran || *level == Level::Rout);
        }),
        Event::Blown { unit, level } => change(s, unit, |u| (u.blown, u.recovering) = (*level, false)),
        Event::Resting { unit, on } => change(s, unit, |u| u.recovering = *on),
        Event::Rode { leader, to } => lead(s, leader, |l| (l.hex, l.rode) = (Some(*to), true)),
        Event::Replaced { leader, rating } => lead(s, leader, |l| l.rating = Some(*rating)),
        Event::Fell { leader } => lead(s, leader, |l| (l.hex, l.lost) = (None, true)),
        Event::Arrived { division } => command(s, division, |c| {
            (c.waits, c.strategic, c.arriving) = (false, true, true);
        }),
        Event::Spent { division } => command(s, division, |c| c.finished = true),
        Event::Ended => ended(s),
        Event::Picking { side } => (s.at, s.nth) = (At::Others(side.clone()), s.nth + 1),
        Event::Passed { side } => passed(s, side),
        Event::Closing => s.at = At::Close,
        Event::Tired { division, level } => command(s, division, |c| c.fatigue = *level),
        Event::Turn { turn } => turn_begins(s, *turn),
        Event::Over { winner, points } => (s.at, s.over) = (At::Over, Some((winner.clone(), *points))),
    }
}

fn change(s: &mut State, unit: &str, how: impl FnOnce(&mut Unit)) {
    if let Some(unit) = s.units.get_mut(unit) {
        how(unit);
    }
}

fn lead(s: &mut State, leader: &str, how: impl FnOnce(&mut Leader)) {
    how(s.leaders.entry(leader.to_owned()).or_default());
}

fn command(s: &mut State, division: &str, how: impl FnOnce(&mut Command)) {
    how(s.commands.entry(division.to_owned()).or_default());
}

fn acting(s: &mut State, how: impl FnOnce(&mut Acting)) {
    if let Some(acting) = &mut s.acting {
        how(acting);
    }
}

fn mark(s: &mut State, unit: &str, how: impl FnOnce(&mut Marks)) {
    let active = s.active().to_owned();
    change(s, unit, |u| how(u.marks.entry(active).or_default()));
}

fn drawn(s: &mut State, lim: &Lim) {
    s.cup.remove(lim);
    let corps = if let Lim::Corps(corps) = lim { s.board.divisions_of(corps) } else { Vec::new() };
    let own = if let Lim::Division(division) = lim { Some(division.clone()) } else { None };
    corps.into_iter().chain(own).for_each(|division| command(s, &division, |c| c.drawn = true));
}

fn began(s: &mut State, new: &Acting) {
    // 4.7, 4.6.2 Who is brought in, and who is picked.
    s.extras.clear();
    match &new.lim {
        Lim::Pick(division) => command(s, division, |c| (c.picked, c.passed) = (true, true)),
        Lim::Lone(unit) => change(s, unit, |u| u.acted = true),
        Lim::Extra(_) | Lim::Division(_) | Lim::Corps(_) | Lim::Reinforcement(_) | Lim::Independent(_) => {}
    }
    if !matches!(s.at, At::Others(_)) {
        (s.at, s.nth) = (At::Act, s.nth + 1);
    }
    s.near = command::within(s, &new.lim);
    s.acting = Some(new.clone());
}

fn activated(s: &mut State, division: &str, mode: Mode, (ready, out): (&[Ready], &[String])) {
    let lone = s.acting.as_ref().is_some_and(|a| matches!(a.lim, Lim::Lone(_)));
    let extra = s.acting.as_ref().is_some_and(|a| matches!(a.lim, Lim::Extra(_)));
    let came = s.acting.as_ref().is_some_and(|a| matches!(a.lim, Lim::Reinforcement(_)));
    // 4.8, 13.1.1 Of the Independent LIM only who acts on it is laid with it, and tires by it.
    let alone = s.acting.as_ref().is_some_and(|a| matches!(a.lim, Lim::Independent(_))) && !ready.is_empty();
    command(s, division, |c| {
        c.again |= extra;
        c.independent |= alone;
        c.drawn |= alone;
    });
    acting(s, |a| {
        // 4.7 One division is brought in, though two are as near.
        a.todo.retain(|other| other != division && !extra);
        a.modes.insert(division.to_owned(), mode);
        (a.division, a.step) = (Some(division.to_owned()), Step::Movement);
        a.mover.clear();
    });
    command(s, division, |c| {
        c.worked |= mode != Mode::Strategic && !lone;
        c.marched |= mode == Mode::Strategic;
    });
    for Ready { unit, ma, faced } in ready {
        let going = Going { ready: true, ma: *ma, faced: faced.clone(), ..Going::default() };
        let unit = s.units.entry(unit.clone()).or_default();
        (unit.going, unit.acted, unit.came) = (going, true, unit.came || came);
    }
    out.iter().for_each(|unit| change(s, unit, |u| u.out = true));
    let leader = s.board.commander(division).cloned();
    if let Some(leader) = leader.and_then(|leader| s.leaders.get_mut(&leader)) {
        leader.rode = false;
    }
}

/// Movement, turns, formations.
fn motion(s: &mut State, e: &Event) {
    match e {
        Event::Moved { units, pose, cost, how } => moved(s, units, *pose, (*cost, *how)),
        Event::Disordered { unit } => {
            change(s, unit, |u| u.pose = u.pose.map(|pose| pose.formed(Form::Disorder, None)))
        }
        Event::Topped { units } => {
            // 7.2 Those that are not named lie beneath, as they lay.
            let beneath = units.first().map(|top| s.with(top)).unwrap_or_default();
            let beneath = beneath.into_iter().filter(|id| !units.contains(id)).collect::<Vec<_>>();
            for (under, unit) in (0..).zip(units.iter().chain(&beneath)) {
                change(s, unit, |u| u.under = under);
            }
        }
        Event::Halted { units } => units.iter().for_each(|unit| change(s, unit, |u| u.going.stopped = true)),
        Event::Finished { units } => {
            units.iter().for_each(|unit| change(s, unit, |u| u.going.done = true));
            acting(s, |a| a.mover.clear());
        }
        Event::Reacted { unit, deed } => {
            s.shown.insert(unit.clone());
            mark(s, unit, |m| match deed {
                Deed::Fire => m.reacted = true,
                Deed::Step => m.steps += 1,
                Deed::Limber => m.limbered = true,
                Deed::Stuck => m.stuck = true,
                Deed::Balked => m.balked = true,
                Deed::Turn => m.turns += 1,
                Deed::Charge => {}
            });
            if matches!(deed, Deed::Step | Deed::Limber | Deed::Turn | Deed::Charge) {
                change(s, unit, |u| (u.stirred, u.recovering) = (true, false));
            }
        }
        _ => {}
    }
}

fn moved(s: &mut State, units: &[String], pose: Pose, (cost, how): (i32, How)) {
    let came = units.first().is_some_and(|unit| s.hex(unit) != Some(pose.head));
    if how == How::Amend {
        // H.12 A dummy that vanished comes back.
        for unit in units {
            s.units.entry(unit.clone()).or_default();
        }
    }
    if matches!(how, How::Retreat | How::Rout) {
        units.iter().for_each(|unit| s.went(unit, pose.head, how == How::Rout));
    }
    // 7.2 Beneath those who are there, H.12 be they nobody.
    let there = s.counters().filter(|(id, _, at)| at.is_in(pose.head) && !units.contains(id));
    let below = there.map(|(_, u, _)| u.under + 1).max().unwrap_or_default();
    for (under, unit) in (below..).zip(units) {
        change(s, unit, |u| {
            if u.pose.map(|old| old.head) != Some(pose.head) {
                u.under = under;
            }
            u.pose = Some(pose);
            u.going.spent += cost;
            u.going.turns += i32::from(how == How::Turn);
            u.going.unlimbered |= how == How::Form && pose.form == Form::Unlimbered;
            u.stirred |= how.stirs();
            u.recovering &= !how.stirs();
        });
    }
    if matches!(how, How::Step | How::Slide | How::Reverse | How::Turn | How::Form | How::Enter) {
        acting(s, |a| a.mover = units.to_vec());
    }
    if how == How::Enter {
        acting(s, |a| *a.entered.entry(pose.head).or_default() += 1);
    }
    if how == How::Rout {
        units.iter().for_each(|unit| s.routs.entry(unit.clone()).or_default().push(pose.head));
    }
    if came && how != How::Amend && s.acting.is_some() {
        near(s, units, pose);
    }
}

/// 5.2.1 Divisions of the enemy under the marker to which units have come within three hexes.
fn near(s: &mut State, units: &[String], pose: Pose) {
    // H.12 Nobody is caught by nobody.
    if units.iter().all(|unit| s.is_dummy(unit)) {
        return;
    }
    let Some(side) = units.first().and_then(|unit| s.side(unit)) else { return };
    let marching = s.commands.iter().filter(|(id, c)| c.strategic && !c.caught && s.board.side_of(id) != Some(side));
    let touched = |id: &String| {
        let mut own = s.standing().filter(|(unit, ..)| s.division(unit) == id.as_str());
        own.any(|(.., own)| pose.hexes().into_iter().any(|hex| own.distance(hex) <= NEAR))
    };
    let found: Vec<String> = marching.map(|(id, _)| id.clone()).filter(touched).collect();
    found.iter().for_each(|division| command(s, division, |c| c.caught = true));
}

/// Fire and melee.
fn combat(s: &mut State, e: &Event) {
    match e {
        Event::Fired { unit, at, target, on, far, .. } => {
            // 10.1.1 A new combat: who has gone back in the last one goes his own way.
            if *on == Occasion::Offensive || (*on == Occasion::Reaction && !goes_back(s, target)) {
                s.ways.clear();
            }
            let there: BTreeSet<String> = s.stack(*at).into_iter().collect();
            s.hit.extend(there.iter().cloned());
            match on {
                Occasion::Offensive => change(s, unit, |u| {
                    (u.fired, u.going.shot, u.going.shot_at) = (true, Some(*at), there);
                }),
                Occasion::Return => mark(s, unit, |m| m.returned = true),
                Occasion::Reaction => mark(s, unit, |m| m.reacted = true),
            }
            s.shown.insert(unit.clone());
            if !far {
                fight(s, std::slice::from_ref(unit), false);
                fight(s, std::slice::from_ref(target), *on == Occasion::Offensive);
            }
        }
        Event::Attacked { onset, units, targets, support, at: _ } => {
            let amid = matches!(onset, Onset::Reaction | Onset::Counter);
            if !amid || !targets.iter().any(|id| goes_back(s, id)) {
                s.ways.clear();
            }
            units.iter().for_each(|unit| change(s, unit, |u| u.going.attacked = true));
            support.iter().for_each(|unit| change(s, unit, |u| u.going.supported = true));
            for unit in targets {
                mark(s, unit, |m| match onset {
                    Onset::Bayonet => m.bayoneted = true,
                    Onset::Charge => m.charged = true,
                    Onset::Assault | Onset::Reaction | Onset::Counter => {}
                });
            }
            fight(s, units, false);
            fight(s, targets, true);
        }
        Event::Pursued { units, .. } => fight(s, units, false),
        _ => {}
    }
}

/// 10.1.1 Whether a unit stands where it has gone back to: what meets it there is of the same combat.
fn goes_back(s: &State, unit: &str) -> bool {
    s.ways.get(unit).and_then(|way| way.hexes.last()).is_some_and(|hex| s.hex(unit) == Some(*hex))
}

/// 13.1.2, 8.4.5, 5.2.1 Units have been in combat; who was attacked under the marker is caught.
fn fight(s: &mut State, units: &[String], attacked: bool) {
    s.shown.extend(units.iter().cloned());
    for unit in units {
        let division = s.division(unit).to_owned();
        command(s, &division, |c| {
            c.fought = true;
            c.caught |= attacked && c.strategic;
        });
        change(s, unit, |u| (u.stirred, u.recovering) = (true, false));
    }
}

fn ended(s: &mut State) {
    for unit in s.units.values_mut() {
        unit.going = Going::default();
        unit.marks.clear();
    }
    s.routs.clear();
    s.ways.clear();
    s.shown.clear();
    s.hit.clear();
    let lim = s.acting.take().map(|acting| acting.lim);
    if let Some(Lim::Lone(unit)) = lim {
        change(s, &unit, |u| u.out = false);
    }
    for (id, leader) in &mut s.leaders {
        let division = s.board.chiefs.get(id).is_some_and(|chief| chief.rank == super::board::Rank::Division);
        leader.rode &= !division;
    }
}

fn passed(s: &mut State, side: &SideId) {
    let board = s.board.clone();
    let own = |division: &str| board.side_of(division) == Some(side);
    s.commands.iter_mut().filter(|(id, _)| own(id)).for_each(|(_, c)| c.passed = true);
    let units = s.units.iter_mut().filter(|(id, _)| board.kinds.get(*id).is_some_and(|kind| own(&kind.div)));
    units.for_each(|(_, u)| u.acted = true);
}

fn turn_begins(s: &mut State, turn: u32) {
    (s.turn, s.nth, s.at, s.first) = (turn, 0, At::Open, None);
    for unit in s.units.values_mut() {
        (unit.fired, unit.out, unit.acted, unit.came) = (false, false, false, false);
        (unit.stirred, unit.recovering) = (false, false);
    }
    for command in s.commands.values_mut() {
        let Command { fatigue, strategic, waits, arriving, caught, .. } = *command;
        *command = Command { fatigue, strategic, waits, arriving, caught, ..Command::default() };
    }
    s.leaders.values_mut().for_each(|leader| leader.rode = false);
    for wishes in s.wishes.values_mut() {
        (wishes.change, wishes.delay) = (None, false);
        wishes.remove.clear();
    }
}
