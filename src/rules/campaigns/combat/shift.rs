//! Reserves that move one hex between rounds (¶324).

use super::clause::Clause;
use super::designate::Field;
use super::event::Partly;
use super::{clause, designate, detach, field, get, hexes_held, regroup};
use crate::dice::Label;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::board::{LeaderId, UnitId};
use crate::rules::campaigns::flow::told::Why;
use crate::rules::campaigns::march::told::Rolled;
use crate::rules::campaigns::march::{activation, center, stack};
use crate::rules::campaigns::pieces::{Piece, Track};
use crate::rules::campaigns::stands::Firm;
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::{Campaigns, flow};
use crate::rules::cx::Cx;
use std::collections::BTreeSet;

/// ¶324: before a later round, reserves that their owners send on move one hex, those of the phasing side first. All
/// other battles have been fought to the end of the round before.
pub fn shift(cx: &mut Cx<'_, Campaigns>, phasing: &SideId, round: u32) {
    if !cx.state().board.policies.reserves || round < 2 {
        return;
    }
    let foe = cx.state().enemy(phasing);
    // What either side wishes is read before anything moves.
    let wanted: Vec<(SideId, u32, Vec<UnitId>, Hex)> =
        [phasing.clone(), foe].iter().flat_map(|side| wishes(cx, phasing, side, round)).collect();
    for (side, no, units, to) in wanted {
        if let Some(leader) = led(cx.state(), &side, no, &units) {
            attempt(cx, phasing, &side, no, &leader, to);
        }
    }
}

fn wishes(cx: &Cx<'_, Campaigns>, phasing: &SideId, side: &SideId, round: u32) -> Vec<(SideId, u32, Vec<UnitId>, Hex)> {
    let view = cx.view(side);
    let pick = |c: &Clause| match c {
        Clause::Shift(units, to, when) if when.is_none_or(|r| r == round) => Some((units.clone(), *to)),
        _ => None,
    };
    let mut found = Vec::new();
    for no in regroup::open(cx.state(), phasing) {
        let Some(battle) = view.battles.iter().find(|b| b.no == no) else { continue };
        let moves = clause::wishes(&view, battle, pick);
        found.extend(moves.into_iter().map(|(units, to)| (side.clone(), no, units, to)));
    }
    found
}

/// The leader of some units, if they are all that he leads and all of them stand in reserve.
fn led(s: &State, side: &SideId, no: u32, units: &[UnitId]) -> Option<LeaderId> {
    let (own, battle) = (s.pieces(side)?, get(s, no)?);
    let Track::Of(leader) = own.units.get(units.first()?)?.track.clone() else { return None };
    // A force leader takes his subordinates along.
    let all = own.units_of(&own.force(&leader));
    let reserve = &battle.party(side).reserve;
    let fits = |id: &UnitId| reserve.contains(id) && (units.contains(id) || own.force(&leader).len() > 1);
    (!all.is_empty() && all.iter().all(|(id, _)| fits(id))).then_some(leader)
}

/// ¶324: one reserve rolls its leader's Initiative, with resistance where it leaves an enemy zone, and moves.
fn attempt(cx: &mut Cx<'_, Campaigns>, phasing: &SideId, side: &SideId, no: u32, leader: &LeaderId, to: Hex) {
    let Some(from) = cx.state().pieces(side).and_then(|p| p.hex(leader)) else { return };
    if from == to {
        return;
    }
    let told = |die: Option<i32>, moves: bool| Partly::Shifted {
        no,
        side: side.clone(),
        leader: leader.clone(),
        to,
        die,
        moves,
    };
    if !passable(cx.state(), side, leader, from, to) {
        cx.emit(told(None, false).into());
        return;
    }
    let Some(own) = cx.state().pieces(side) else { return };
    let rating = own.initiative(&cx.state().board, leader);
    let label = Label::own("initiative", &own.leader_named(leader)).step("reserve");
    let resistance = activation::resistance(cx.state(), side, std::slice::from_ref(leader));
    let die = cx.d6(&label);
    let moves = matches!(activation::rolled(rating, die + resistance), Rolled::Full | Rolled::Less);
    cx.emit(told(Some(die), moves).into());
    if !moves {
        return;
    }
    detach(cx, side, leader);
    flow::step(cx, side, &Piece::Leader(leader.clone()), (from, to), Why::Guns);
    enlist(cx, phasing, side, no, leader);
    center::arrived(cx, side, to);
}

/// ¶324: whether ground, enemy, siege, stack and zones let a reserve pass into a hex. All hexes of an enemy in one battle
/// are one force.
fn passable(s: &State, side: &SideId, leader: &LeaderId, from: Hex, to: Hex) -> bool {
    let (Some(own), Some(sit)) = (s.pieces(side), s.situation(side)) else { return false };
    let room = own.sp_at(to) + own.sp(leader) <= stack::limit(&s.board, own, to);
    let walls = s.sieges.contains(&from) || s.sieges.contains(&to);
    if !room || walls || sit.enemy.contains_key(&to) || sit.step(from, to, true).is_none() {
        return false;
    }
    let force = |hex: Hex| {
        let battle = s.battles.iter().find(|b| b.turn == s.turn && b.on() && b.ground(&s.enemy(side)).contains(&hex));
        battle.map_or((None, Some(hex)), |b| (Some(b.no), None))
    };
    let zones = |hex: Hex| -> BTreeSet<(Option<u32>, Option<Hex>)> {
        sit.zones_on(hex).into_iter().filter(|(_, f)| *f == Firm::Yes).map(|(h, _)| force(h)).collect()
    };
    zones(from).is_disjoint(&zones(to))
}

/// The battle that a reserve belongs to where it stands now: its own, another one, or none.
fn enlist(cx: &mut Cx<'_, Campaigns>, phasing: &SideId, side: &SideId, no: u32, leader: &LeaderId) {
    let piece = Piece::Leader(leader.clone());
    let mut near: Vec<u32> = regroup::open(cx.state(), phasing);
    near.sort_by_key(|n| *n != no);
    let joins = near.into_iter().find(|n| touches(cx.state(), *n, side, leader));
    let Some(mut before) = get(cx.state(), no).cloned() else { return };
    before.party_mut(side).pieces.retain(|p| *p != piece);
    let Some(next) = joins else { return regroup::form(cx, before) };
    let mut battle = if next == no {
        before
    } else {
        regroup::form(cx, before);
        match get(cx.state(), next) {
            Some(battle) => battle.clone(),
            None => return,
        }
    };
    let view = cx.view(side);
    if side == phasing {
        let field = Field::of(&view);
        let mut group = battle.attack.counters(&view.own, &battle.from);
        group.push(leader.clone());
        let lead = battle.attack.lead.clone().filter(|l| field.commands(l, &group));
        // ¶305: whom nobody there commands is no part of that force.
        let Some(lead) = lead.or_else(|| designate::leader_of(&field, &group)) else {
            if next == no {
                regroup::form(cx, battle);
            }
            return;
        };
        battle.attack.lead = Some(lead);
    } else if let Some(hex) = view.own.hex(leader).filter(|h| !battle.hexes.contains(h)) {
        battle.hexes.push(hex);
    }
    battle.party_mut(side).pieces.push(piece.clone());
    regroup::form(cx, battle);
    if next != no {
        regroup::keep_reserve(cx, side, no, next, &[piece]);
    }
}

/// Whether a force stands next to an enemy of a battle, so that they can fight.
fn touches(s: &State, no: u32, side: &SideId, leader: &LeaderId) -> bool {
    let (Some(hex), Some(sit)) = (s.pieces(side).and_then(|p| p.hex(leader)), s.situation(side)) else { return false };
    hexes_held(s, no, &s.enemy(side)).iter().any(|h| field::can_fight(&sit, hex, *h))
}
