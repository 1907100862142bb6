//! What a whole sheet leaves behind: warnings W2, W3, W6, W7, W8 and W10.

use super::march::{place, warn};
use super::{code, inner};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::Order;
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::flow::setup::first_holder;
use crate::rules::campaigns::march::order::Order as March;
use crate::rules::campaigns::march::stack;
use crate::rules::campaigns::sequence::At;
use crate::rules::campaigns::stands::Firm;
use crate::rules::campaigns::view::View;
use crate::rules::rehearsal::{Caution, Warning};
use std::collections::{BTreeMap, BTreeSet};

/// Enemy counters as near as this to a center may make it flee (¶182).
const NEAR_CENTER: u32 = 2;

/// What the writer of a whole plan should know, where it begins and where it most likely ends.
pub fn warnings(before: &View, after: &View, plan: &[Order]) -> Vec<Warning> {
    let moving = matches!(&before.at, At::Own(side) if Some(side) == before.side.as_ref());
    let reacting = matches!(&before.at, At::Reaction(side) if Some(side) != before.side.as_ref());
    let mut found = Vec::new();
    if moving {
        found.extend(idle(after, plan));
    }
    if moving || reacting {
        found.extend(stacks(before, after));
        found.extend(unheard(before, after));
        found.extend(center(before, after));
        found.extend(line(before, after));
        found.extend(places(before, after));
    }
    found
}

/// W2: forces that could move and have no orders.
fn idle(after: &View, plan: &[Order]) -> Option<Warning> {
    let mut named: BTreeSet<&LeaderId> = BTreeSet::new();
    for order in plan {
        match inner(order) {
            Order::March(March::HoldAll) => return None,
            Order::March(order) => named.extend(ordered(order)),
            _ => {}
        }
    }
    let free = |leader: &&LeaderId| {
        let acted = after.phase.acted.contains(*leader) || after.phase.entered.contains_key(*leader);
        let army = after.phase.army.as_ref();
        let his = after.board.army(&after.own.side, army).is_none() || after.own.of_phase(&after.board, army, leader);
        !acted && his && !named.contains(leader) && !after.own.unemployed(leader)
    };
    let codes: Vec<String> = after.own.on_map().map(|(l, _)| l).filter(free).map(|l| code(after, l)).collect();
    (!codes.is_empty()).then(|| warn(Caution::NoOrders, format!("no orders: {}", codes.join(" ")), ""))
}

/// Leaders to whom an order speaks.
fn ordered(order: &March) -> Vec<&LeaderId> {
    match order {
        March::Force(force) => {
            std::iter::once(&force.leader).chain(force.with.iter().map(|part| &part.leader)).collect()
        }
        March::Leader { leader, .. } | March::Back { leader } => vec![leader],
        March::If { order, .. } => ordered(order),
        March::HoldAll
        | March::Vedette { .. }
        | March::Center { .. }
        | March::CenterRiver { .. }
        | March::CenterHold
        | March::Redoubt { .. }
        | March::Assign { .. }
        | March::Floor { .. }
        | March::StartMode { .. } => Vec::new(),
    }
}

/// W3: ¶138, 216, 293-294 stacks that cannot stay, and those that are joined under one leader.
fn stacks(before: &View, after: &View) -> Vec<Warning> {
    let hexes: BTreeSet<Hex> = after.own.on_map().map(|(_, hex)| hex).collect();
    let mut found = Vec::new();
    for hex in hexes {
        let here = after.own.leaders_at(hex).into_iter().filter(|l| !after.own.unemployed(l));
        let mut troops: Vec<&LeaderId> = here.collect();
        troops.sort_by_key(|l| (std::cmp::Reverse(after.own.sp(l)), (*l).clone()));
        let Some((weakest, _)) = troops.split_last() else { continue };
        let (sp, most) = (after.own.sp_at(hex), stack::limit(&after.board, &after.own, hex));
        let all = crate::text::and_list(&troops.iter().map(|l| code(after, l)).collect::<Vec<_>>());
        let him = code(after, weakest);
        if sp > most {
            let text = format!("{hex} holds {most} SP, not the {sp} of {all}: {him} is displaced");
            found.push(warn(Caution::Stack, text, "¶216, 293, 371"));
        } else if troops.len() > 1 && !stack::legal(&after.board, &after.own, hex) {
            let text = format!("{all} share {hex} without a common leader: {him} is displaced");
            found.push(warn(Caution::Stack, text, "¶138, 371"));
        } else if troops.len() > 1 && troops.iter().any(|l| before.own.hex(l) != Some(hex)) {
            let owned: Vec<LeaderId> = troops.iter().map(|l| (*l).clone()).collect();
            let Some(chief) = stack::chief(&after.board, &after.own, &owned) else { continue };
            let text = format!("{all} end in {hex} and become one force under {}", code(after, &chief));
            found.push(warn(Caution::Stack, text, "¶60, 294"));
        }
    }
    found
}

/// W6: ¶86, 167 forces that no dispatch of the center reaches any more.
fn unheard(before: &View, after: &View) -> Option<Warning> {
    let (was, now) = (before.situation(), after.situation());
    before.own.army.center?;
    let lost = |(leader, hex): &(&LeaderId, Hex)| {
        let from = before.own.hex(leader);
        !after.own.unemployed(leader)
            && from.is_some_and(|from| from != *hex && was.hears_the_center(from))
            && !now.hears_the_center(*hex)
    };
    let codes: Vec<String> = after.own.on_map().filter(lost).map(|(l, _)| code(after, l)).collect();
    let text = format!("out of dispatch distance: {}; no commands reach them", codes.join(" "));
    (!codes.is_empty()).then(|| warn(Caution::Command, text, "¶86, 172"))
}

/// W7: ¶182 a center that an enemy counter stands near.
fn center(before: &View, after: &View) -> Option<Warning> {
    let center = after.own.army.center.filter(|center| Some(*center) == before.own.army.center)?;
    if after.own.army.anchor.is_some() || after.own.occupied_by_force(center) {
        return None;
    }
    let sit = after.situation();
    let near: Vec<Hex> = sit
        .enemy
        .iter()
        .filter(|(hex, there)| there.force() != Firm::No && hex.distance(center) <= NEAR_CENTER)
        .map(|(hex, _)| *hex)
        .collect();
    if near.is_empty() {
        return None;
    }
    let text = format!("the center at {center} may have to flee from {}", super::march::foes(after, &near));
    Some(warn(Caution::Center, text, "¶182"))
}

/// W8: ¶82, 85 a line of communication through a hex that the plan leaves to known zones.
fn line(before: &View, after: &View) -> Option<Warning> {
    let loc = before.own.army.loc.as_ref()?;
    let (was, now) = (before.situation(), after.situation());
    let exposed = |v: &View, hex: Hex| !v.own.occupied_by_force(hex);
    for hex in &loc.path {
        let zones: Vec<Hex> = now.zones_on(*hex).into_iter().filter(|(_, f)| *f != Firm::No).map(|(h, _)| h).collect();
        if zones.is_empty() || !exposed(after, *hex) || (exposed(before, *hex) && !was.zones_on(*hex).is_empty()) {
            continue;
        }
        let text = format!("{} may cut your LOC at {hex}", super::march::foes(after, &zones));
        return Some(warn(Caution::Communications, text, "¶82, 85"));
    }
    None
}

/// W10: ¶415-416 places that score and that the last force leaves.
fn places(before: &View, after: &View) -> Vec<Warning> {
    let Some(side) = before.side.as_ref() else { return Vec::new() };
    let mut found = Vec::new();
    for objective in &before.board.objectives {
        let scores = worth(&objective.points) || worth(&objective.morale);
        let mine = before.control.get(&objective.hex).cloned().or_else(|| first_holder(&before.board, objective));
        let left = before.own.occupied_by_force(objective.hex) && !after.own.occupied_by_force(objective.hex);
        let garrison = after.own.source_at(objective.hex).is_some_and(|garrison| garrison > 0);
        if scores && left && !garrison && mine.is_none_or(|mine| mine == *side) {
            found.push(warn(Caution::Objective, format!("{} is left empty", place(before, objective.hex)), "¶415"));
        }
    }
    found
}

/// Whether a place is worth anything to anybody.
fn worth(points: &BTreeMap<SideId, i32>) -> bool {
    points.values().any(|worth| *worth != 0)
}
