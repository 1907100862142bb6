//! ¶137-140, 216, 293-294 Stacks: who may share a hex, who commands there.

use crate::fog::SideId;
use crate::hex::Hex;
use crate::map::Settlement;
use crate::rules::campaigns::board::{Board, Halves, LeaderId};
use crate::rules::campaigns::pieces::Pieces;
use crate::rules::campaigns::redoubts::Redoubt;
use crate::rules::campaigns::{Campaigns, organization};
use crate::rules::cx::Cx;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// ¶60, 138-139, 294 (D-60) The leader among some on the map who can command all the others with their subordinates:
/// the greatest span, then the greatest initiative, then the first by key. A Major General counts no more than his
/// units would, since he may be retired in the next Command Phase.
pub fn chief(board: &Board, own: &Pieces, leaders: &[LeaderId]) -> Option<LeaderId> {
    let able = leaders.iter().filter(|l| commands(board, own, l, leaders));
    able.max_by_key(|l| (own.span(board, l), own.initiative(board, l), Reverse((*l).clone()))).cloned()
}

/// ¶38-39 Whether one leader can command some others and all their subordinates; leaders without troops do not count
/// (¶41).
pub fn commands(board: &Board, own: &Pieces, leader: &LeaderId, leaders: &[LeaderId]) -> bool {
    if leaders.iter().any(|other| other != leader && !board.outranks(leader, other)) {
        return false;
    }
    let mut load = own.track_load(board, leader);
    for member in leaders.iter().flat_map(|l| own.force(l)).filter(|m| m != leader) {
        if !own.units_of(std::slice::from_ref(&member)).is_empty() {
            load = load + weight(board, own, &member);
        }
    }
    load <= own.span(board, leader)
}

fn weight(board: &Board, own: &Pieces, leader: &LeaderId) -> Halves {
    let value = own.subordination(board, leader);
    let temporary = board.leaders.get(leader).is_some_and(|s| s.major_general.is_some());
    if temporary { value.min(own.track_load(board, leader)) } else { value }
}

/// Force leaders with troops in a hex.
pub(in crate::rules::campaigns) fn forces(own: &Pieces, hex: Hex) -> Vec<LeaderId> {
    own.leaders_at(hex).into_iter().filter(|l| !own.unemployed(l)).cloned().collect()
}

/// ¶216, 293 The greatest stack of a side that a hex holds, in SP.
pub fn limit(board: &Board, own: &Pieces, hex: Hex) -> i32 {
    if let Some(own) = board.tables.citadels.stack_at(hex) {
        return own;
    }
    let built = board.map.settlement_of(hex).is_some_and(Settlement::fortified);
    let fort = built || own.redoubts.get(&hex).is_some_and(Redoubt::finished);
    if fort { board.policies.fort_stack_sp } else { board.policies.stack_sp }
}

/// ¶138, 140, 293 Whether the forces of a hex may stay there together.
pub fn legal(board: &Board, own: &Pieces, hex: Hex) -> bool {
    let leaders = forces(own, hex);
    sp_at(board, own, hex) <= limit(board, own, hex)
        && alike(board, own, hex, &leaders)
        && obedient(board, own, hex, &leaders)
}

/// ¶216 SP of a hex for its limit: with those of the fortress that is one with it.
pub(in crate::rules::campaigns) fn sp_at(board: &Board, own: &Pieces, hex: Hex) -> i32 {
    own.sp_at(hex) + board.special.twins.get(&hex).map_or(0, |twin| own.sp_at(*twin))
}

/// ¶293 Whether a force would find nobody of another nationality in a hex, where that matters.
pub fn nations_fit(board: &Board, own: &Pieces, leader: &LeaderId, hex: Hex) -> bool {
    let mut leaders: Vec<LeaderId> = forces(own, hex).into_iter().filter(|l| l != leader).collect();
    leaders.push(leader.clone());
    alike(board, own, hex, &leaders)
}

/// ¶293 Whether some leaders in a hex may stand there together: where nations keep apart, of one nationality.
fn alike(board: &Board, own: &Pieces, hex: Hex, leaders: &[LeaderId]) -> bool {
    if board.exceptions.ground.one_army_hex {
        let armies: BTreeSet<_> = leaders.iter().map(|l| own.army_of(board, l)).collect();
        return armies.len() < 2;
    }
    if !board.exceptions.ground.one_nation_hex {
        return true;
    }
    let forces: Vec<LeaderId> = leaders.iter().flat_map(|l| own.force(l)).collect();
    let units = own.manifest(board, &forces);
    let garrisons = own.garrisons_at(hex);
    let flags = garrisons.iter().filter_map(|(id, _)| board.units.get(*id));
    let mut nations: Vec<&str> = units.iter().map(|(s, _)| *s).chain(flags).map(|s| s.nationality.as_str()).collect();
    nations.sort_unstable();
    nations.dedup();
    nations.len() < 2
}

/// ¶138, 140 Whether some leaders in a hex make a stack that one of them, or a leader next to them, can command.
fn obedient(board: &Board, own: &Pieces, hex: Hex, leaders: &[LeaderId]) -> bool {
    if leaders.len() < 2 || leaders.iter().any(|leader| commands(board, own, leader, leaders)) {
        return true;
    }
    hex.neighbours().iter().flat_map(|near| forces(own, *near)).any(|outside| commands(board, own, &outside, leaders))
}

/// ¶216, 293 Whether a force would find room in a hex as it is held now.
pub fn fits(board: &Board, own: &Pieces, leader: &LeaderId, hex: Hex) -> bool {
    let inside = own.hex(leader).is_some_and(|h| h == hex || board.special.twins.get(&hex) == Some(&h));
    let there = sp_at(board, own, hex) - if inside { own.sp(leader) } else { 0 };
    there + own.sp(leader) <= limit(board, own, hex)
}

/// ¶140, 216, 293 Whether a force may end its movement in a hex as it is held now.
pub fn may_join(board: &Board, own: &Pieces, leader: &LeaderId, hex: Hex) -> bool {
    let mut leaders: Vec<LeaderId> = forces(own, hex).into_iter().filter(|l| l != leader).collect();
    leaders.push(leader.clone());
    fits(board, own, leader, hex) && alike(board, own, hex, &leaders) && obedient(board, own, hex, &leaders)
}

/// ¶41 Major Generals without troops leave the map.
pub fn retire_idle(cx: &mut Cx<'_, Campaigns>, side: &SideId) {
    let Some(pieces) = cx.state().pieces(side) else { return };
    let general = |id: &LeaderId| cx.state().board.leaders.get(id).is_some_and(|s| s.major_general.is_some());
    let idle: Vec<LeaderId> = pieces
        .leaders
        .keys()
        .filter(|id| general(id) && pieces.hex(id).is_some() && pieces.unemployed(id))
        .cloned()
        .collect();
    for leader in idle {
        cx.emit(organization::event::Partly::Retired { leader }.of(side).into());
    }
}
