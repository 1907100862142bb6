//! What the signs of a close-up mean: of those that it shows, and of no other.

use super::{Rect, ours, shows};
use crate::rules::austerlitz1805::board::{Arm, UnitId};
use crate::rules::austerlitz1805::table::{Mood, Unit};
use crate::rules::austerlitz1805::view::View;

pub(super) fn key(v: &View, rect: Rect) -> String {
    let t = &v.table;
    let units: Vec<(&UnitId, &Unit)> = t.standing().filter(|(_, u)| shows(rect, u.pose.at)).collect();
    let chits: Vec<bool> =
        t.mist.chits.values().filter(|chit| shows(rect, chit.at)).map(|chit| ours(v, &chit.side)).collect();
    let whose = |own: bool| units.iter().any(|(_, u)| ours(v, &u.side) == own) || chits.contains(&own);
    let arm = |arm: Arm| units.iter().any(|(id, _)| t.arm(id) == arm);
    let leads = arm(Arm::Hq) || units.iter().any(|(id, _)| t.hq_with(id).is_some());
    let one = |(id, u): &(&UnitId, &Unit)| matches!(t.arm(id), Arm::Infantry | Arm::Cavalry) && u.steps == 1;
    let moods = [(Mood::S, "S"), (Mood::D, "D"), (Mood::R, "R")].into_iter();
    let moods = moods.filter(|(mood, _)| units.iter().any(|(_, u)| u.mood == *mood)).map(|(_, sign)| sign);
    let moods: Vec<&str> = moods.collect();
    let state = format!("{} state", moods.join(" "));
    let held = t.board.places.iter().any(|place| place.vp > 0 && shows(rect, place.at));
    let signs = [
        (whose(true), "solid yours"),
        (whose(false), "framed the enemy's"),
        (arm(Arm::Infantry) || arm(Arm::Cavalry), "the strong line with a point is the front"),
        (arm(Arm::Cavalry), "halved is horse"),
        (arm(Arm::Artillery), "barred guns"),
        (leads, "a pointed flag leads"),
        (held, "a square flag is who holds a place, with its points"),
        (!moods.is_empty(), state.as_str()),
        (units.iter().any(one), "-1 a step lost"),
        (units.iter().any(|(id, _)| t.combat_of(id).is_some()), "a cross is combat"),
    ];
    let signs: Vec<&str> = signs.into_iter().filter(|(shown, _)| *shown).map(|(_, sign)| sign).collect();
    signs.join(", ")
}
