//! ¶191-200 Initiative: the roll, the Resistance Modifier, what the result allows.

use super::step;
use super::told::{Own, Rolled};
use crate::dice::Label;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::board::{Arm, LeaderId};
use crate::rules::campaigns::stands::Firm;
use crate::rules::campaigns::state::State;
use crate::rules::cx::Cx;
use std::collections::BTreeSet;

/// ¶192-194 What a modified die allows a leader of some initiative.
pub fn rolled(rating: i32, total: i32) -> Rolled {
    match total - rating {
        ..=-1 => Rolled::Full,
        // ¶192: a leader of initiative one has his whole allowance on a one.
        0 if rating == 1 => Rolled::Full,
        0 => Rolled::Less,
        1 | 2 => Rolled::One,
        _ => Rolled::Nothing,
    }
}

/// ¶195-199, 228 The Resistance Modifier of a force that stands next to the enemy with any part of it: by the best enemy
/// leader whose zone holds one of its hexes, weather, and cavalry, which can only take a hindrance away.
pub fn resistance(s: &State, side: &SideId, heads: &[LeaderId]) -> i32 {
    let (Some(own), Some(foe)) = (s.pieces(side), s.pieces(&s.enemy(side))) else { return 0 };
    // Mostly nobody is near, and nobody's zone reaches farther.
    if !heads.iter().filter_map(|leader| own.hex(leader)).any(|hex| foe.stands_near(hex)) {
        return 0;
    }
    let (Some(sit), Some(leader)) = (s.situation(side), heads.first()) else { return 0 };
    // ¶278: foragers suffer no resistance.
    if sit.own.leaders.get(leader).is_some_and(|l| l.forage) {
        return 0;
    }
    let places: Vec<(&LeaderId, Hex)> = heads.iter().filter_map(|l| Some((l, sit.own.hex(l)?))).collect();
    let held = places.iter().flat_map(|(_, hex)| sit.zones_on(*hex)).filter(|(_, f)| *f == Firm::Yes);
    let zones: BTreeSet<Hex> = held.map(|(h, _)| h).collect();
    if zones.is_empty() {
        return 0;
    }
    let leaders = zones.iter().flat_map(|h| foe.leaders_at(*h)).filter(|l| !foe.unemployed(l));
    let best = leaders.map(|l| foe.initiative(&s.board, l)).max();
    // ¶195: garrisons compare with an initiative of one.
    let passive = best.unwrap_or(1);
    let clear = |h: Hex| s.board.tables.terrain.cavalry_clear(sit.ground(h), sit.settlement(h));
    let riding = places.iter().filter(|(_, hex)| clear(*hex));
    let own_horse: i32 = riding.map(|(l, _)| sit.own.sp_of(&s.board, l, Arm::Cavalry)).sum();
    let their_horse: i32 = zones.iter().filter(|h| clear(**h)).map(|h| step::cavalry(s, foe, *h)).sum();
    let cavalry = s.board.tables.cavalry.modifier(own_horse, their_horse);
    s.board.tables.initiative.exit(sit.own.initiative(&s.board, leader), passive, &s.weather, cavalry)
}

/// ¶192, 228 Rolls the initiative of a force leader, the first of those whose counters march.
pub fn roll(cx: &mut Cx<'_, Campaigns>, side: &SideId, heads: &[LeaderId], forced: bool) -> (i32, Rolled) {
    let Some(leader) = heads.first() else { return (6, Rolled::Nothing) };
    let (rating, modifier, label) = {
        let s = cx.state();
        let Some(own) = s.pieces(side) else { return (6, Rolled::Nothing) };
        let rating = own.initiative(&s.board, leader);
        let modifier = resistance(s, side, heads);
        let label = Label::own("initiative", &own.leader_named(leader));
        (rating, modifier, if forced { label.step("forced") } else { label.step("move") })
    };
    let die = cx.d6(&label);
    let rolled = rolled(rating, die + modifier);
    cx.emit(Own::Tried { leader: leader.clone(), die, rating, rolled, forced }.of(side).into());
    (die, rolled)
}
