//! Battles formed anew between rounds (¶301-302): attacks as ordered for a later round, forces that join a second battle
//! when their enemy is gone, and enemies left over by attackers who are no longer there.

use super::battle::{Battle, BattleView, Ended};
use super::clause::Clause;
use super::designate::Field;
use super::event::Partly;
use super::later::{Again, Join};
use super::question::{Answer, Prompt, What};
use super::{ask_prompts, clause, counter, designate, field, get, hexes_held};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::Play;
use crate::rules::campaigns::board::{LeaderId, UnitId};
use crate::rules::campaigns::pieces::{Piece, Pieces};
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::{Campaigns, flow};
use crate::rules::cx::Cx;
use std::collections::BTreeSet;

/// ¶301-302: what changes in the battles of a phase before a later round.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn regroup(cx: &mut Cx<'_, Campaigns>, phasing: &SideId, round: u32) -> Play<()> {
    if round < 2 {
        return Ok(());
    }
    for no in open(cx.state(), phasing) {
        again(cx, phasing, no, round);
    }
    join(cx, phasing)?;
    inherit(cx, phasing, round);
    Ok(())
}

/// The battles of the phase that go on.
pub fn open(s: &State, phasing: &SideId) -> Vec<u32> {
    battles(s, phasing).filter(|b| b.on()).map(|b| b.no).collect()
}

fn battles<'s>(s: &'s State, phasing: &'s SideId) -> impl Iterator<Item = &'s Battle> {
    s.battles.iter().filter(move |b| b.turn == s.turn && b.attack.side == *phasing)
}

/// A battle as it is to be from now on: its new counters are shown (¶300 steps 1, 2), its ground follows from them.
pub fn form(cx: &mut Cx<'_, Campaigns>, mut battle: Battle) {
    let s = cx.state();
    let none = Pieces::none(&battle.attack.side);
    let (own, foe) = (s.pieces(&battle.attack.side).unwrap_or(&none), s.pieces(&battle.defend.side).unwrap_or(&none));
    let from: BTreeSet<Hex> = battle.attack.pieces.iter().filter_map(|p| own.piece_hex(p)).collect();
    let leaders: Vec<LeaderId> =
        battle.hexes.iter().flat_map(|h| foe.leaders_at(*h)).filter(|l| !foe.unemployed(l)).cloned().collect();
    battle.defend.lead = counter::lead(s, &battle.defend.side, &leaders).or(battle.defend.lead);
    for (side, pieces) in [(&battle.attack.side, &battle.attack.pieces), (&battle.defend.side, &battle.defend.pieces)] {
        for piece in pieces {
            if cx.state().pieces(side).is_some_and(|p| p.piece_hex(piece).is_some()) {
                flow::show(cx, side, piece.clone());
            }
        }
    }
    cx.emit(
        Partly::Formed {
            no: battle.no,
            hexes: battle.hexes,
            from: from.into_iter().collect(),
            attack: battle.attack.pieces,
            attack_lead: battle.attack.lead,
            defend: battle.defend.pieces,
            defend_lead: battle.defend.lead,
        }
        .into(),
    );
}

/// Units that stood in reserve in one battle stand in reserve in the next (¶321).
pub fn keep_reserve(cx: &mut Cx<'_, Campaigns>, side: &SideId, from: u32, to: u32, counters: &[Piece]) {
    let (Some(battle), Some(own)) = (get(cx.state(), from), cx.state().pieces(side)) else { return };
    let leaders: Vec<LeaderId> = counters
        .iter()
        .filter_map(|p| if let Piece::Leader(l) = p { Some(own.force(l)) } else { None })
        .flatten()
        .collect();
    let held = &battle.party(side).reserve;
    let units: Vec<UnitId> =
        own.units_of(&leaders).into_iter().map(|(id, _)| id.clone()).filter(|id| held.contains(id)).collect();
    if !units.is_empty() {
        cx.emit(Partly::Reserved { no: to, side: side.clone(), units }.into());
    }
}

/// ¶301, D-113: an attack formed anew as its owner has ordered; where that cannot be, it stays as it is.
fn again(cx: &mut Cx<'_, Campaigns>, phasing: &SideId, no: u32, round: u32) {
    let view = cx.view(phasing);
    let Some(order) = ordered(&view, no, round) else { return };
    let Some(battle) = get(cx.state(), no).cloned() else { return };
    match group(cx.state(), &view, &battle, &order) {
        Some((lead, group)) => {
            let vedettes = battle.attack.pieces.iter().filter(|p| !matches!(p, Piece::Leader(_))).cloned();
            let pieces: Vec<Piece> = group.into_iter().map(Piece::Leader).chain(vedettes).collect();
            if pieces != battle.attack.pieces || battle.attack.lead.as_ref() != Some(&lead) {
                let mut battle = battle;
                battle.attack.pieces = pieces;
                battle.attack.lead = Some(lead);
                form(cx, battle);
            }
        }
        None => cx.emit(Partly::Unformed { no, side: phasing.clone() }.into()),
    }
}

fn ordered(view: &View, no: u32, round: u32) -> Option<Again> {
    let battle = view.battles.iter().find(|b| b.no == no)?;
    let pick = |c: &Clause| match c {
        Clause::Again(order) if order.round == round => Some(order.clone()),
        _ => None,
    };
    clause::wish(view, battle, pick).flatten()
}

/// ¶302-303, 305: the counters of an order that may take part, if one leader commands them and they reach all defenders.
fn group(s: &State, view: &View, battle: &Battle, order: &Again) -> Option<(LeaderId, Vec<LeaderId>)> {
    let field = Field::of(view);
    let free = |c: &LeaderId| {
        let piece = Piece::Leader(c.clone());
        battle.attack.pieces.contains(&piece)
            || !battles(s, &battle.attack.side).any(|b| b.attack.pieces.contains(&piece))
            || left(s, &battle.attack.side).iter().any(|(joiner, _)| joiner == c)
    };
    let named = |c: &LeaderId| view.own.force(c).iter().any(|l| order.with.contains(l));
    let group: Vec<LeaderId> = field.forces().into_keys().filter(|c| named(c) && free(c)).collect();
    let lead =
        order.lead.clone().filter(|l| field.commands(l, &group)).or_else(|| designate::leader_of(&field, &group));
    let held = hexes_held(s, battle.no, &battle.defend.side);
    let reach = held.iter().all(|to| group.iter().any(|c| field.can(c, *to)));
    lead.filter(|_| reach).map(|lead| (lead, group))
}

/// ¶302: attackers whose enemy was gone after the first round and who have not pursued him, with their battle.
fn left(s: &State, phasing: &SideId) -> Vec<(LeaderId, u32)> {
    let (Some(own), Some(foe)) = (s.pieces(phasing), s.pieces(&s.enemy(phasing))) else { return Vec::new() };
    let mut found = Vec::new();
    for battle in battles(s, phasing) {
        let gone = matches!(battle.ended, Some(Ended::Retreat | Ended::Destroyed | Ended::Vacated | Ended::Nothing));
        if !gone || battle.round > 1 || battle.hexes.iter().any(|h| foe.occupied().contains(h)) {
            continue;
        }
        for piece in &battle.attack.pieces {
            if let Piece::Leader(id) = piece
                && own.hex(id).is_some_and(|h| battle.from.contains(&h))
                && !own.unemployed(id)
            {
                found.push((id.clone(), battle.no));
            }
        }
    }
    found
}

/// ¶302, D-118: a force whose enemy was gone after the first round may join another battle next to it.
fn join(cx: &mut Cx<'_, Campaigns>, phasing: &SideId) -> Play<()> {
    let view = cx.view(phasing);
    let mut prompts = Vec::new();
    let mut who = Vec::new();
    for (leader, ended) in left(cx.state(), phasing) {
        let busy = |b: &Battle| b.on() && b.attack.pieces.contains(&Piece::Leader(leader.clone()));
        if battles(cx.state(), phasing).any(busy) {
            continue;
        }
        if let Some((no, hex)) = target(cx.state(), &view, &leader, ended) {
            prompts.push((phasing.clone(), Prompt { no, hex, what: What::Join(leader.clone()) }));
            who.push((leader, ended, no));
        }
    }
    for ((leader, ended, no), answer) in who.into_iter().zip(ask_prompts(cx, prompts)?) {
        if answer != Answer::Yes(true) {
            continue;
        }
        let view = cx.view(phasing);
        let Some((lead, mut battle)) = joined(cx.state(), &view, &leader, no) else { continue };
        let piece = Piece::Leader(leader.clone());
        battle.attack.pieces.push(piece.clone());
        battle.attack.lead = Some(lead);
        form(cx, battle);
        keep_reserve(cx, phasing, ended, no, &[piece]);
    }
    Ok(())
}

/// The battle that a force may join: the one its plan names, else the first next to it.
fn target(s: &State, view: &View, leader: &LeaderId, ended: u32) -> Option<(u32, Hex)> {
    let battle = |no: u32| -> Option<&BattleView> { view.battles.iter().find(|b| b.no == no) };
    let pick = |c: &Clause| if let Clause::Join(Join::At(hex)) = c { Some(*hex) } else { None };
    let wanted = battle(ended).and_then(|b| clause::wish(view, b, pick)).flatten();
    let side = view.own.side.clone();
    let open = open(s, &side);
    let near = open.into_iter().filter(|no| joined(s, view, leader, *no).is_some());
    let mut near = near.filter(|no| wanted.is_none_or(|h| battle(*no).is_some_and(|b| b.hexes.contains(&h))));
    near.next().and_then(|no| battle(no).map(|b| (no, b.name())))
}

/// ¶305: the battle and who would lead it, if a force next to one of its defenders can be part of the force that attacks.
fn joined(s: &State, view: &View, leader: &LeaderId, no: u32) -> Option<(LeaderId, Battle)> {
    let (battle, field) = (get(s, no)?.clone(), Field::of(view));
    if !hexes_held(s, no, &battle.defend.side).iter().any(|to| field.can(leader, *to)) {
        return None;
    }
    let mut group = battle.attack.counters(&view.own, &battle.from);
    group.push(leader.clone());
    let lead = battle.attack.lead.clone().filter(|l| field.commands(l, &group));
    lead.or_else(|| designate::leader_of(&field, &group)).map(|lead| (lead, battle))
}

/// ¶301: an enemy whose attackers are no longer there is attacked by others next to him, whose battle takes him in.
fn inherit(cx: &mut Cx<'_, Campaigns>, phasing: &SideId, round: u32) {
    for (ended, hex) in left_over(cx.state(), phasing) {
        let view = cx.view(phasing);
        let field = Field::of(&view);
        let must = |p: &Piece| match p {
            Piece::Leader(l) => field.can(l, hex) && view.own.hex(l).is_some_and(|from| field.must(from, hex)),
            Piece::Vedette(_) | Piece::Garrison(_) => false,
        };
        let mut able: Vec<u32> = open(cx.state(), phasing);
        able.retain(|no| get(cx.state(), *no).is_some_and(|b| b.attack.pieces.iter().any(must)));
        let named = |no: &&u32| wanted(cx.state(), &view, **no, hex, round);
        let Some(no) = able.iter().find(named).or(able.first()).copied() else { continue };
        let Some(mut battle) = get(cx.state(), no).cloned() else { continue };
        let side = battle.defend.side.clone();
        let pieces = cx.state().pieces(&side).map(|p| p.counters_at(hex)).unwrap_or_default();
        battle.hexes.push(hex);
        battle.defend.pieces.extend(pieces.iter().cloned());
        form(cx, battle);
        keep_reserve(cx, &side, ended, no, &pieces);
    }
}

/// Whether an order for the round says that the force of a battle takes an enemy hex on: in the plan of the battle, or in
/// that of the hex itself.
fn wanted(s: &State, view: &View, no: u32, hex: Hex, round: u32) -> bool {
    let theirs = |l: &LeaderId| {
        get(s, no).is_some_and(|b| {
            b.attack.pieces.iter().any(|p| matches!(p, Piece::Leader(c) if view.own.force(c).contains(l)))
        })
    };
    let here = clause::plan(view, hex).into_iter().any(|c| match c {
        Clause::Again(order) => order.round == round && order.with.iter().any(theirs),
        _ => false,
    });
    here || ordered(view, no, round).is_some_and(|order| order.hexes.contains(&hex))
}

/// Enemy hexes of ended battles in which he still stands, next to none of those who attacked him.
fn left_over(s: &State, phasing: &SideId) -> Vec<(u32, Hex)> {
    let (Some(own), Some(sit)) = (s.pieces(phasing), s.situation(phasing)) else { return Vec::new() };
    let mut found = Vec::new();
    for battle in battles(s, phasing).filter(|b| !b.on()) {
        for hex in hexes_held(s, battle.no, &battle.defend.side) {
            let near = |p: &Piece| own.piece_hex(p).is_some_and(|h| field::can_fight(&sit, h, hex));
            let attacked = battles(s, phasing).any(|b| b.on() && b.hexes.contains(&hex));
            if !attacked && !battle.attack.pieces.iter().any(near) {
                found.push((battle.no, hex));
            }
        }
    }
    found
}
