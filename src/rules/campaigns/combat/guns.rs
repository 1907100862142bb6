//! The sound of the guns, an option (¶337-339): forces of the side that is not on move march to a battle near them.

use super::event::{Partly, Quiet};
use super::question::{Answer, Prompt, What};
use super::told::Own;
use super::{ask_prompts, get};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::Play;
use crate::rules::campaigns::board::{Arm, Halves, LeaderId};
use crate::rules::campaigns::flow::told::Why;
use crate::rules::campaigns::march::told::Rolled;
use crate::rules::campaigns::march::{activation, attrition, center, stack, step};
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::situation::StepCost;
use crate::rules::campaigns::stands::Firm;
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::tables::Weather;
use crate::rules::campaigns::{Campaigns, armies, flow};
use crate::rules::cx::Cx;
use std::collections::{BTreeMap, BTreeSet};

/// Hexes as far as which guns are heard (¶338).
const HEARD: u32 = 5;

/// ¶338: notes at the end of the Forced March Segment which forces of a side did not force their march, and where they
/// stand.
pub fn muster(cx: &mut Cx<'_, Campaigns>, side: &SideId) {
    let s = cx.state();
    let Some(own) = s.pieces(side).filter(|_| s.board.policies.sound_of_guns) else { return };
    let idle = |l: &LeaderId| !s.phase.acted.contains(l) && !own.unemployed(l);
    let forces: Vec<(LeaderId, Hex)> = own.on_map().filter(|(l, _)| idle(l)).map(|(l, h)| (l.clone(), h)).collect();
    if !forces.is_empty() {
        cx.emit(Quiet::Mustered { forces }.into());
    }
}

/// ¶338-339: before the second round and every later one such forces may roll their Initiative; who succeeds marches to
/// the battle with as many MP as the battle has rounds.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn march(cx: &mut Cx<'_, Campaigns>, phasing: &SideId, open: &[u32], round: u32) -> Play<()> {
    // ¶339: in some titles snow muffles them.
    let muffled = cx.state().board.exceptions.weather.snow_muffles_guns && cx.state().weather.has(Weather::Snow);
    if !cx.state().board.policies.sound_of_guns || round < 2 || muffled {
        return Ok(());
    }
    let side = cx.state().enemy(phasing);
    let mut prompts = Vec::new();
    let mut who = Vec::new();
    for (leader, no) in hearers(cx.state(), &side, open) {
        let hex = get(cx.state(), no).map_or(Hex::new(1, 1), |b| b.name());
        prompts.push((side.clone(), Prompt { no, hex, what: What::Guns(leader.clone()) }));
        who.push((leader, no));
    }
    for ((leader, no), answer) in who.into_iter().zip(ask_prompts(cx, prompts)?) {
        if answer == Answer::Yes(true) {
            attempt(cx, &side, &leader, no, round);
        }
    }
    Ok(())
}

/// Forces that hear a battle of a friend, each with the nearest one.
fn hearers(s: &State, side: &SideId, open: &[u32]) -> Vec<(LeaderId, u32)> {
    let Some(own) = s.pieces(side) else { return Vec::new() };
    let mut found = Vec::new();
    for (leader, start) in &s.phase.started {
        let piece = Piece::Leader(leader.clone());
        let engaged = s.battles.iter().any(|b| b.turn == s.turn && b.defend.pieces.contains(&piece));
        let stands = own.hex(leader) == Some(*start) || own.hex(leader).is_some();
        let counter = own.leaders.get(leader).is_some_and(|l| l.under.is_none());
        if engaged || !stands || !counter || own.unemployed(leader) {
            continue;
        }
        let near = |no: &u32| {
            let battle = get(s, *no)?;
            let heard = battle.from.iter().map(|h| h.distance(*start)).min().filter(|d| *d <= HEARD)?;
            Some((heard, *no))
        };
        if let Some((_, no)) = open.iter().filter_map(near).min() {
            found.push((leader.clone(), no));
        }
    }
    found
}

/// One force rolls and marches; it rolls for attrition before it joins (¶339).
fn attempt(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId, no: u32, round: u32) {
    let (die, rolled) = activation::roll(cx, side, std::slice::from_ref(leader), true);
    let marches = matches!(rolled, Rolled::Full | Rolled::Less);
    let Some(target) = get(cx.state(), no).map(|b| b.name()) else { return };
    cx.emit(Own::Guns { leader: leader.clone(), to: target, die, marches }.of(side).into());
    if !marches {
        return;
    }
    let allowed = i32::try_from(round).unwrap_or(1);
    let Some((path, spent)) = path(cx.state(), side, leader, no, Halves::whole(allowed)) else { return };
    let Some(start) = cx.state().pieces(side).and_then(|p| p.hex(leader)) else { return };
    let army = cx.state().pieces(side).and_then(|own| own.army_of(&cx.state().board, leader));
    let toll = armies::of_army(cx, side, army.as_ref(), |cx| {
        let sit = cx.state().situation(side)?;
        let siege = attrition::siege(cx.state(), start);
        Some(attrition::toll(&sit, &cx.state().phase, &sit.own.force(leader), start, siege))
    });
    let mut from = start;
    for to in &path {
        flow::step(cx, side, &Piece::Leader(leader.clone()), (from, *to), Why::Guns);
        from = *to;
    }
    if let Some(toll) = toll {
        let length = attrition::Length { march: spent, forced: true, ..attrition::Length::default() };
        attrition::settle(cx, side, leader, &toll, length);
    }
    let there = get(cx.state(), no).is_some_and(|b| b.hexes.contains(&from));
    if there && cx.state().pieces(side).is_some_and(|p| p.sp(leader) > 0) {
        let piece = Piece::Leader(leader.clone());
        flow::show(cx, side, piece.clone());
        cx.emit(Partly::Joined { no, side: side.clone(), piece }.into());
    }
    center::arrived(cx, side, from);
}

/// The cheapest way to the nearest defended hex of a battle, as far as the MP go; never into an enemy hex, nor through an
/// enemy zone. `None` where no step can be made.
fn path(s: &State, side: &SideId, leader: &LeaderId, no: u32, allowed: Halves) -> Option<(Vec<Hex>, Halves)> {
    let (sit, own, battle) = (s.situation(side)?, s.pieces(side)?, get(s, no)?);
    let start = own.hex(leader)?;
    let horse = own.sp_of(&s.board, leader, Arm::Cavalry);
    let pays = |cost: StepCost| match horse {
        0 => cost.foot,
        sp if sp == own.sp(leader) => cost.horse,
        _ => cost.foot.max(cost.horse),
    };
    let barred = |h: &Hex| sit.enemy.contains_key(h) || s.sieges.contains(h);
    if s.sieges.contains(&start) {
        return None;
    }
    let room = |h: Hex| own.sp_at(h) + own.sp(leader) <= stack::limit(&s.board, own, h);
    let held = |h: Hex| sit.zones_on(h).iter().any(|(_, f)| *f == Firm::Yes);
    let mut best: BTreeMap<Hex, (Halves, Option<Hex>)> = BTreeMap::from([(start, (Halves(0), None))]);
    let mut queue = BTreeSet::from([(Halves(0), start)]);
    let mut goal = None;
    while let Some((spent, hex)) = queue.pop_first() {
        if battle.hexes.contains(&hex) && room(hex) {
            goal = Some(hex);
            break;
        }
        // ¶236: who comes into an enemy zone goes no farther.
        if hex != start && held(hex) {
            continue;
        }
        for next in s.board.map.neighbours(hex) {
            let Some(cost) = sit.step(hex, next, true).filter(|_| !barred(&next)) else { continue };
            // ¶238: out of a zone it pays for the exit, and goes into no other one.
            let leaves = hex == start && held(start);
            if leaves && held(next) {
                continue;
            }
            let exit = if leaves { pays(step::exit(s, &sit, side, start)) } else { Halves(0) };
            let total = spent + pays(cost) + exit;
            if best.get(&next).is_none_or(|(known, _)| total < *known) {
                best.insert(next, (total, Some(hex)));
                queue.insert((total, next));
            }
        }
    }
    let mut path = vec![goal?];
    while let Some((_, Some(before))) = path.last().and_then(|h| best.get(h)) {
        path.push(*before);
    }
    path.pop();
    path.reverse();
    let cost = |h: &Hex| best.get(h).map_or(Halves(i32::MAX), |(c, _)| *c);
    let mut reached: Vec<Hex> = path.into_iter().take_while(|h| cost(h) <= allowed).collect();
    // A march that cannot arrive does not end in an enemy zone (¶297).
    while reached.last().is_some_and(|h| held(*h) && !battle.hexes.contains(h)) {
        reached.pop();
    }
    let spent = reached.last().map(cost)?;
    Some((reached, spent))
}
