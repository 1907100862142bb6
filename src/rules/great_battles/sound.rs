//! What of a state cannot be. Games are walked by it; it changes nothing.

use super::board::Arm;
use super::event::Event;
use super::pose::Form;
use super::state::{Level, State};
use crate::fog::SideId;
use crate::hex::Hex;
use std::collections::BTreeMap;

/// What is wrong with a router that is in order.
const RUNS: &str = " would run in order (6.4.2).";
/// What is wrong with a leader in whose hex the enemy is.
const AMONG: &str = "among the enemy (5.4).";
/// What is wrong with who stands and has nobody left.
const SPENT: &str = " would stand, and has no SP left (8.5.1).";

/// What an event has made that cannot be. 6.4.2, 8.5.1, 9.2.4 Who routs is Disordered, and who has no SP left is gone, by the
/// event that comes next; 8.5.5 leaders go to others when the enemy has come to them, and have gone before another division or
/// step.
pub fn leap(before: &State, event: &Event, after: &State) -> Vec<String> {
    let old = unsound(before);
    let next = match event {
        Event::Level { level: Level::Rout, .. } => Some(RUNS),
        Event::Lost { .. } => Some(SPENT),
        Event::Moved { .. } => Some(AMONG),
        _ => None,
    };
    let due = |flaw: &String| flaw.ends_with(AMONG) && matches!(event, Event::Turning { .. } | Event::Done { .. });
    let found = unsound(after).into_iter().filter(|flaw| !old.contains(flaw) || due(flaw));
    found.filter(|flaw| next.is_none_or(|next| !flaw.ends_with(next))).collect()
}

/// 2.4, 6.0, 6.4.2, 9.3 What of a state cannot be: two sides in one hex, a unit off the field or on ground that is closed to
/// all, a battery that is not in Good Morale, a router in order, more SP lost than there are.
pub fn unsound(s: &State) -> Vec<String> {
    let mut flaws = Vec::new();
    let mut held: BTreeMap<Hex, &SideId> = BTreeMap::new();
    for (id, u, pose) in s.standing() {
        let Some((side, kind)) = s.side(id).zip(s.kind(id)) else {
            flaws.push(format!("{id} would be of no side."));
            continue;
        };
        for hex in pose.hexes() {
            if !s.board.ground.has(hex) {
                flaws.push(format!("{id} would stand off the field (5.1)."));
            }
            if *held.entry(hex).or_insert(side) != side {
                flaws.push(format!("both sides would stand in {hex} (5.1)."));
            }
        }
        if u.lost >= kind.sp || u.gone {
            flaws.push(format!("{id}{SPENT}"));
        }
        if kind.arm == Arm::Art && u.level != Level::Good {
            flaws.push(format!("{id} is guns, and would not be Good (9.3)."));
        }
        if u.level == Level::Rout && pose.form != Form::Disorder {
            flaws.push(format!("{id}{RUNS}"));
        }
        let corner = pose.form.faces_corner() == pose.hour.is_side();
        if corner && !pose.form.all_round() {
            flaws.push(format!("{id} would face what its formation does not (6.1)."));
        }
    }
    for (id, leader) in &s.leaders {
        let enemy =
            leader.hex.zip(s.chief(id)).filter(|(hex, chief)| held.get(hex).is_some_and(|of| **of != chief.side));
        flaws.extend(enemy.map(|(hex, _)| format!("{id} would stand in {hex} {AMONG}")));
    }
    flaws
}
