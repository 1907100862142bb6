//! What happens, and how it changes the truth. What each side is told of it: `told`.

use super::board::Force;
use super::state::{At, Charge, Fate, Freed, Mood, Segment, Shock, State, Unit, Wish, Won};
use crate::fog::SideId;
use crate::hex::{Dir, Hex};
use crate::rules::Upshot;
use crate::rules::tactical::sum::Sum;
use serde::{Deserialize, Serialize};

/// DB.3 A unit that goes along with another, and what its step costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pace {
    /// The unit.
    pub unit: String,
    /// Movement points.
    pub cost: i32,
    /// 6.2.3d The level of the chart that it uses up.
    pub level: i8,
}

/// One thing that happens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(missing_docs)] // The fields are what their names say; each kind has its line.
pub enum Event {
    /// 9.1, 9.3 A piece is set up.
    Placed { piece: String, hex: Hex, facing: Dir },
    /// 9.1.1, 6.6.1 A side controls a town.
    Town { place: String, side: SideId },
    /// 9.2.6, 9.4.3 A command is released.
    Released { what: Freed },
    /// 9.1, 9.3 A side has set up.
    Ready { side: SideId },
    /// 5.1 A force comes, or musters.
    Came { force: Force },
    /// 5.2.1 A piece waits off the map.
    Waits { piece: String, by: Hex },
    /// 9.6.5 The second part of Dupont's division comes in a turn.
    Follows { turn: u32 },
    /// 9.2.3 A column is to be deployed.
    Deploying { force: Force },
    /// 9.2.3 A column is deployed.
    Deployed { force: Force },
    /// 9.2.5 The Rear Guard.
    RearGuard { units: Vec<String> },
    /// 5.3 The Regrouping Segment begins.
    Regrouping,
    /// 5.3.3 A unit returns to play.
    Returned { unit: String, hex: Hex },
    /// 5.3 The Regrouping Segment, and the alert, are over.
    Regrouped,
    /// 8.3.2, 8.3.3 The picked men of the Elite battalion are back in their regiments.
    Disbanded { unit: String },
    /// 8.4.4 The Strong Point is no more.
    Razed { hex: Hex },
    /// 9.5.2 Column II has crossed the light blue line.
    Crossed { turn: u32 },
    /// A side says what it wants in the next Reinforcement Phase.
    Wished { side: SideId, wish: Wish },
    /// 6.5.2a A wounded leader comes back.
    Back { leader: String, hex: Hex },
    /// 5.2 A stack comes on from the edge.
    Entered { pieces: Vec<String>, at: Hex, cost: i32 },
    /// 4.1.10 A hex is over-stacked, or no longer.
    Crowd { hex: Hex, over: bool },
    /// 8.2.3 Guns of a Grand Battery hex have fired through a hexside in this turn.
    Salvo { unit: String, side: Hex },
    /// 11.2 A unit is low on ammunition, or no longer.
    Short { unit: String, low: bool },
    /// 11.3 Columns that have lost their impetus for the next turn.
    Stalled { columns: Vec<String> },
    /// 3.0 The side that has the first impulse.
    First { side: SideId },
    /// 6.1.6 Leaders and units are activated.
    Activated { side: SideId, leaders: Vec<String>, units: Vec<String> },
    /// 6.1.7 A unit out of command may not act.
    Idle { unit: String },
    /// 3.0 A segment begins.
    Began { segment: Segment },
    /// 6.2.3d The die of the chart of levels.
    Climbs { die: i32 },
    /// 6.2 A step; DB.3 masked, of all who go together, so that nobody counts them.
    Stepped {
        unit: String,
        to: Hex,
        facing: Dir,
        cost: i32,
        level: i8,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        with: Vec<Pace>,
        /// 4.1.10 Out of an over-stack, by nobody's order.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        pressed: bool,
    },
    /// 4.3.2 A unit turns.
    Turned { unit: String, facing: Dir },
    /// 6.2.7 A unit stops in an enemy's front.
    Halted { unit: String },
    /// 6.2.6 The movement of units is over, for others go now.
    Finished { units: Vec<String> },
    /// 6.2.11c A unit of horse may not charge in this segment.
    Balked { unit: String },
    /// 6.2.11 A unit of horse charges.
    Charged { unit: String, at: Hex },
    /// 6.2.11d A unit stands and awaits a charge.
    Stood { unit: String },
    /// 6.2.11d, 6.2.11g A unit runs from a charge.
    Ran { unit: String, from: String },
    /// 6.2.12, 6.2.13 A unit of horse has met a charge: `counter`, `reaction`.
    Met { unit: String, charger: String, how: String },
    /// 6.2.11f A charge is over.
    Spent { unit: String },
    /// DB.4 Somebody unseen is in the way of who would come on, or fire: they have moved, or fired.
    Wasted { pieces: Vec<String>, fire: bool },
    /// DB.9 A dummy is known for what it is.
    Vanished { unit: String },
    /// 6.2 A leader rides.
    Rode { leader: String, to: Hex },
    /// 6.3.5, 6.5.5 A leader goes with units that retreat or rout, or goes back.
    Followed { leader: String, to: Hex },
    /// 4.2.2 A Fatigue Check.
    Checked { unit: String, why: String, die: i32, sum: Sum, need: i32, passed: bool },
    /// 4.2.4, 6.7.2 A unit is turned over, or back, or runs.
    Became { unit: String, mood: Mood },
    /// 5.3 A unit leaves the game.
    Fell { unit: String, how: Fate },
    /// 6.3 A volley.
    Fired { at: Hex, by: Vec<String>, strength: i32, column: String, die: i32, sum: Sum, result: String },
    /// 6.4 A melee.
    Fought { at: Hex, by: Vec<String>, attack: i32, defence: i32, column: String, die: i32, sum: Sum, result: String },
    /// 6.4.3 A unit that may not attack.
    Refused { unit: String },
    /// 6.6, 6.7, 6.4.9 A unit goes where it must: `retreat`, `rout`, `advance`.
    Went { unit: String, to: Hex, how: String },
    /// 6.5.2 The dice of a leader.
    Risked { leader: String, dice: Vec<i32> },
    /// 6.5.2, 6.5.4 A leader is off the map: until a turn, or for good.
    Hurt { leader: String, until: Option<u32> },
    /// 6.1, 9.2.3 A side acts by a sheet that it has lodged: for a leader, for a column, or to pass.
    Taken { side: SideId, of: String, lines: Vec<String> },
    /// 6.1, 9.2.3 A line of such a sheet that was not carried out, and what became of it.
    Missed { side: SideId, line: String, upshot: Upshot },
    /// An umpire has put a piece right: where it is, how it faces, how it is.
    Amended { piece: String, at: Option<Hex>, facing: Option<Dir>, mood: Option<Mood> },
    /// 3.0 A side passes.
    Passed { side: SideId },
    /// 3.0 An impulse is over.
    Ended { side: SideId },
    /// 7.0 The recovery begins.
    Recovering,
    /// 7.1.4 A turn begins.
    Turn { turn: u32 },
    /// 10 The game is over.
    Over { winner: Option<SideId>, level: String },
}

/// Changes the truth; holds no rules.
pub fn apply(s: &mut State, e: &Event) {
    match e {
        Event::Placed { piece, hex, facing } => {
            if s.board.chiefs.contains_key(piece) {
                s.leaders.entry(piece.clone()).or_default().hex = Some(*hex);
            } else {
                let unit = s.units.entry(piece.clone()).or_insert_with(|| Unit::at(*hex, *facing));
                (unit.hex, unit.facing) = (Some(*hex), *facing);
            }
        }
        Event::Ready { .. }
        | Event::Came { .. }
        | Event::Waits { .. }
        | Event::Follows { .. }
        | Event::Deploying { .. }
        | Event::Deployed { .. }
        | Event::RearGuard { .. }
        | Event::Regrouping
        | Event::Returned { .. }
        | Event::Regrouped
        | Event::Disbanded { .. }
        | Event::Wished { .. }
        | Event::Back { .. }
        | Event::Crowd { .. }
        | Event::Salvo { .. }
        | Event::Short { .. }
        | Event::Stalled { .. }
        | Event::Entered { .. } => super::event_arrive::apply(s, e),
        Event::Amended { .. } => super::amend::apply(s, e),
        Event::Razed { hex: _ } => s.strong = false,
        Event::Crossed { turn } => s.crossed = Some(*turn),
        Event::Town { place, side } => drop(s.towns.insert(place.clone(), side.clone())),
        Event::Released { what } => _ = s.free.insert(*what),
        Event::First { side } => s.at = At::Impulse(side.clone()),
        Event::Activated { side: _, leaders, units } => activate(s, leaders, units),
        Event::Idle { unit } => change(s, unit, |u| (u.active, u.idle) = (false, true)),
        Event::Began { segment } => begin(s, *segment),
        Event::Climbs { die } => s.level_die = Some(*die),
        Event::Stepped { unit, to, facing, cost, level, with, pressed: _ } => {
            step(s, unit, (*to, *facing), (*cost, *level));
            with.iter().for_each(|pace| step(s, &pace.unit, (*to, *facing), (pace.cost, pace.level)));
        }
        Event::Wasted { pieces, fire } => pieces.iter().for_each(|piece| waste(s, piece, *fire)),
        Event::Vanished { unit } => drop(s.units.remove(unit)),
        Event::Turned { unit, facing } => change(s, unit, |u| u.facing = *facing),
        Event::Halted { unit } => change(s, unit, |u| u.halted = true),
        Event::Finished { units } => units.iter().for_each(|unit| change(s, unit, |u| u.done = true)),
        Event::Balked { unit } => change(s, unit, |u| u.shock.charge = Charge::Balked),
        Event::Charged { unit, at } => charge(s, unit, *at),
        Event::Stood { unit } => change(s, unit, |u| u.shock.stood = true),
        Event::Ran { unit, from } => change(s, from, |u| u.shock.fled.push(unit.clone())),
        Event::Met { unit, charger, how } => {
            change(s, charger, |u| u.shock.met.push(unit.clone()));
            change(s, unit, |u| {
                u.shock.met.push(charger.clone());
                u.shock.reacted = how == "reaction";
                (u.charged, u.shock.charge) = (true, Charge::Over);
            });
        }
        Event::Spent { unit } => change(s, unit, |u| u.shock.charge = Charge::Over),
        Event::Rode { leader, to } => {
            let rider = s.leaders.entry(leader.clone()).or_default();
            (rider.hex, rider.rode) = (Some(*to), true);
        }
        Event::Followed { leader, to } => s.leaders.entry(leader.clone()).or_default().hex = Some(*to),
        Event::Checked { .. } | Event::Risked { .. } | Event::Taken { .. } | Event::Missed { .. } => {}
        Event::Became { unit, mood } => become_so(s, unit, *mood),
        Event::Fell { unit, how } => {
            leave(s, unit);
            change(s, unit, |u| (u.hex, u.gone, u.active) = (None, Some(*how), false));
            s.losses.push(unit.clone());
        }
        Event::Fired { at, by, .. } | Event::Fought { at, by, .. } => {
            let fire = matches!(e, Event::Fired { .. });
            for unit in by {
                change(s, unit, |u| (u.fired, u.fought, u.busy) = (u.fired || fire, u.fought || !fire, true));
            }
            s.won = Some(Won { at: *at, by: by.clone() });
        }
        Event::Refused { unit } => change(s, unit, |u| (u.fought, u.busy) = (true, true)),
        Event::Went { unit, to, how: _ } => {
            leave(s, unit);
            change(s, unit, |u| u.hex = Some(*to));
        }
        Event::Hurt { leader, until } => {
            let hurt = s.leaders.entry(leader.clone()).or_default();
            (hurt.hex, hurt.until, hurt.lost) = (None, *until, until.is_none());
        }
        Event::Passed { side } => {
            s.passes += 1;
            next(s, side);
        }
        Event::Ended { side } => {
            s.passes = 0;
            next(s, side);
        }
        Event::Recovering => s.at = At::Recovery,
        Event::Turn { turn } => turn_begins(s, *turn),
        Event::Over { winner, level } => {
            s.at = At::Over;
            s.over = Some((winner.clone(), level.clone()));
        }
    }
}

pub(super) fn change(s: &mut State, unit: &str, how: impl FnOnce(&mut Unit)) {
    if let Some(unit) = s.units.get_mut(unit) {
        how(unit);
    }
}

fn charge(s: &mut State, unit: &str, at: Hex) {
    change(s, unit, |u| (u.charged, u.shock.charge, u.shock.aim) = (true, Charge::Riding, Some(at)));
}

/// 6.2.11d Who routs after he has stood a charge stands no more.
fn become_so(s: &mut State, unit: &str, mood: Mood) {
    change(s, unit, |u| (u.mood, u.shock.stood) = (mood, u.shock.stood && mood != Mood::Routed));
}

fn step(s: &mut State, unit: &str, (to, facing): (Hex, Dir), (cost, level): (i32, i8)) {
    leave(s, unit);
    change(s, unit, |u| {
        (u.hex, u.facing, u.spent, u.busy) = (Some(to), facing, u.spent + cost, true);
        u.climbed = super::march::climbed(u.climbed, level);
    });
}

/// 9.2.6 Where a unit of Column V was set up is kept when it first goes from there before its release.
fn leave(s: &mut State, unit: &str) {
    let bound = !s.free.contains(&Freed::V) && s.kind(unit).is_some_and(|kind| kind.formation.iter().any(|f| f == "V"));
    if let Some(hex) = s.hex(unit).filter(|_| bound) {
        s.posts.entry(unit.to_owned()).or_insert(hex);
    }
}

fn waste(s: &mut State, piece: &str, fire: bool) {
    if let Some(leader) = s.leaders.get_mut(piece) {
        leader.rode = true;
    }
    change(s, piece, |u| {
        u.busy = true;
        if fire { u.fired = true } else { u.done = true }
    });
}

fn activate(s: &mut State, leaders: &[String], units: &[String]) {
    for name in leaders {
        let leader = s.leaders.entry(name.clone()).or_default();
        (leader.used, leader.active) = (true, true);
    }
    for id in units {
        change(s, id, |u| (u.used, u.active, u.start) = (true, true, u.hex));
    }
}

fn begin(s: &mut State, segment: Segment) {
    (s.segment, s.won) = (segment, None);
    // 6.3.4, 6.4.10 Once in each segment.
    for unit in s.units.values_mut() {
        (unit.fired, unit.fought) = (false, false);
    }
}

fn next(s: &mut State, side: &SideId) {
    for unit in s.units.values_mut() {
        (unit.active, unit.idle, unit.spent, unit.climbed) = (false, false, 0, [0, 0]);
        (unit.halted, unit.start, unit.fired, unit.fought) = (false, None, false, false);
        (unit.done, unit.busy, unit.shock) = (false, false, Shock::default());
    }
    s.leaders.values_mut().for_each(|leader| (leader.active, leader.rode) = (false, false));
    s.entered.clear();
    s.won = None;
    (s.level_die, s.segment, s.nth) = (None, Segment::Activation, s.nth + 1);
    s.at = At::Impulse(super::board::other(side));
}

fn turn_begins(s: &mut State, turn: u32) {
    (s.turn, s.nth, s.passes, s.at) = (turn, 1, 0, At::Reinforcement);
    s.salvos.clear();
    // 7.1.1a Charged markers come off.
    s.units.values_mut().for_each(|unit| (unit.used, unit.charged) = (false, false));
    s.leaders.values_mut().for_each(|leader| leader.used = false);
}
