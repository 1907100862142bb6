//! What happens, and how it changes the truth. The table lies open, so each side is told all of it (2.0).

use super::state::{At, Fate, Mood, Segment, State, Unit};
use crate::fog::SideId;
use crate::hex::{Dir, Hex};
use crate::rules::tactical::sum::Sum;
use serde::{Deserialize, Serialize};

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
    Released { what: String },
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
    /// 6.2 A step.
    Stepped { unit: String, to: Hex, facing: Dir, cost: i32, level: i8 },
    /// 4.3.2 A unit turns.
    Turned { unit: String, facing: Dir },
    /// 6.2.7 A unit stops in an enemy's front.
    Halted { unit: String },
    /// 6.2 A leader rides.
    Rode { leader: String, to: Hex },
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
                s.units.insert(piece.clone(), Unit::at(*hex, *facing));
            }
        }
        Event::Town { place, side } => {
            s.towns.insert(place.clone(), side.clone());
        }
        Event::Released { what } => {
            s.free.insert(what.clone());
        }
        Event::First { side } => s.at = At::Impulse(side.clone()),
        Event::Activated { side: _, leaders, units } => activate(s, leaders, units),
        Event::Idle { unit } => change(s, unit, |u| (u.active, u.idle) = (false, true)),
        Event::Began { segment } => begin(s, *segment),
        Event::Climbs { die } => s.level_die = Some(*die),
        Event::Stepped { unit, to, facing, cost, level } => {
            change(s, unit, |u| {
                (u.hex, u.facing, u.spent) = (Some(*to), *facing, u.spent + cost);
                if let Some(climbed) = usize::try_from(*level - 2).ok().and_then(|at| u.climbed.get_mut(at)) {
                    *climbed += 1;
                }
            });
        }
        Event::Turned { unit, facing } => change(s, unit, |u| u.facing = *facing),
        Event::Halted { unit } => change(s, unit, |u| u.halted = true),
        Event::Rode { leader, to } => {
            s.leaders.entry(leader.clone()).or_default().hex = Some(*to);
        }
        Event::Checked { .. } | Event::Risked { .. } => {}
        Event::Became { unit, mood } => change(s, unit, |u| u.mood = *mood),
        Event::Fell { unit, how } => {
            change(s, unit, |u| (u.hex, u.gone, u.active) = (None, Some(*how), false));
            s.losses.push(unit.clone());
        }
        Event::Fired { by, .. } => by.iter().for_each(|unit| change(s, unit, |u| u.fired = true)),
        Event::Fought { by, .. } => by.iter().for_each(|unit| change(s, unit, |u| u.fought = true)),
        Event::Refused { unit } => change(s, unit, |u| u.fought = true),
        Event::Went { unit, to, how: _ } => change(s, unit, |u| u.hex = Some(*to)),
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

fn change(s: &mut State, unit: &str, how: impl FnOnce(&mut Unit)) {
    if let Some(unit) = s.units.get_mut(unit) {
        how(unit);
    }
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
    s.segment = segment;
    // 6.3.4, 6.4.10 Once in each segment.
    for unit in s.units.values_mut() {
        (unit.fired, unit.fought) = (false, false);
    }
}

fn next(s: &mut State, side: &SideId) {
    for unit in s.units.values_mut() {
        (unit.active, unit.idle, unit.spent, unit.climbed) = (false, false, 0, [0, 0]);
        (unit.halted, unit.start, unit.fired, unit.fought) = (false, None, false, false);
    }
    s.leaders.values_mut().for_each(|leader| leader.active = false);
    (s.level_die, s.segment, s.nth) = (None, Segment::Activation, s.nth + 1);
    s.at = At::Impulse(super::board::other(side));
}

fn turn_begins(s: &mut State, turn: u32) {
    (s.turn, s.nth, s.passes, s.at) = (turn, 1, 0, At::Initiative);
    s.units.values_mut().for_each(|unit| unit.used = false);
    s.leaders.values_mut().for_each(|leader| leader.used = false);
}
