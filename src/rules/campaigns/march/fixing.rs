//! Solitaire 1-5: one player has both sides, all counters stand face up, and a force that a march comes next to may prove
//! to be another one. "Fixing" finds out which it is, where the march has entered its zone.
//!
//! What stands in a hex changes places as a whole, its garrison left; a force next to an enemy other than the marcher has
//! been fixed, and neither is asked again nor stands in for another. A multi-hex force is together only while it marches
//! (¶225), so that each of its hexes is fixed for itself.

use super::event::Partly;
use super::marcher::Marcher;
use super::stack;
use crate::dice::Label;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::board::{Arm, Board};
use crate::rules::campaigns::flow::told::Why;
use crate::rules::campaigns::pieces::{Piece, Pieces};
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::{Campaigns, flow};
use crate::rules::cx::Cx;

/// Hexes within which a force of this series may stand in for another (Solitaire 3).
const SUPPORT: u32 = 10;
/// Up to which die a force is where it seems to be (Solitaire 3).
const STAYS: i32 = 3;

/// Solitaire 1 What a march meets in a hex is fixed, hex by hex.
pub fn fix(cx: &mut Cx<'_, Campaigns>, m: &Marcher, hex: Hex, met: &[Hex]) {
    if !cx.state().board.policies.solitaire {
        return;
    }
    for contact in met {
        if free(cx.state(), &m.side, &m.piece, *contact) {
            fix_one(cx, m, hex, *contact);
        }
    }
}

/// Solitaire 1 A force that no enemy stands next to but the marcher.
fn free(s: &State, mover: &SideId, piece: &Piece, contact: Hex) -> bool {
    let foe = s.enemy(mover);
    let (Some(own), Some(enemy)) = (s.pieces(mover), s.pieces(&foe)) else { return false };
    let alone = |hex: Hex| counters(own, hex).iter().all(|counter| counter == piece);
    !counters(enemy, contact).is_empty() && contact.neighbours().into_iter().all(alone)
}

/// Solitaire 3 The counters of a hex that make a force: leaders and vedettes. No garrison, train or center is one.
fn counters(pieces: &Pieces, hex: Hex) -> Vec<Piece> {
    let mut counters = pieces.counters_at(hex);
    counters.retain(|piece| !matches!(piece, Piece::Garrison(_)));
    counters
}

/// Solitaire 3 SP of cavalry, and vedettes as one each.
fn horse(board: &Board, pieces: &Pieces, counters: &[Piece]) -> i32 {
    let of = |piece: &Piece| match piece {
        Piece::Leader(id) => pieces.sp_of(board, id, Arm::Cavalry),
        Piece::Vedette(_) => 1,
        Piece::Garrison(_) => 0,
    };
    counters.iter().map(of).sum()
}

/// Solitaire 3 What cavalry and vedettes of both add to the die.
fn modifier(mover: i32, contact: i32) -> i32 {
    match (mover > 0, contact > 0) {
        (true, false) => -2,
        (false, true) => 2,
        (false, false) => 0,
        (true, true) => (contact - mover).signum(),
    }
}

fn fix_one(cx: &mut Cx<'_, Campaigns>, m: &Marcher, hex: Hex, contact: Hex) {
    let foe = cx.state().enemy(&m.side);
    let (Some(own), Some(enemy)) = (cx.state().pieces(&m.side), cx.state().pieces(&foe)) else { return };
    let board = &cx.state().board;
    let here = counters(enemy, contact);
    let rides = horse(board, own, std::slice::from_ref(&m.piece));
    let modifier = modifier(rides, horse(board, enemy, &here));
    let supports = supports(cx.state(), &m.side, &foe, contact);
    let die = cx.d6(&Label::public("fixing").at(&contact));
    let stays = die + modifier <= STAYS;
    let with = if stays { None } else { chosen(cx, &supports, contact) };
    let side = foe.clone();
    cx.emit(Partly::Fixed { side, hex, contact, die, modifier, with }.into());
    let Some(with) = with else { return };
    let there = cx.state().pieces(&foe).map(|pieces| counters(pieces, with)).unwrap_or_default();
    for (pieces, from, to) in [(here, contact, with), (there, with, contact)] {
        for piece in pieces {
            flow::step(cx, &foe, &piece, (from, to), Why::Fixed);
        }
    }
    flow::settle_faces(cx);
}

/// Solitaire 4 Of several that could stand in one is drawn.
fn chosen(cx: &mut Cx<'_, Campaigns>, supports: &[Hex], contact: Hex) -> Option<Hex> {
    let sides = u32::try_from(supports.len()).unwrap_or(1);
    if sides < 2 {
        return supports.first().copied();
    }
    let drawn = cx.roll(&Label::public("support").at(&contact), 1, sides).first().copied().unwrap_or(1);
    supports.get(usize::try_from(drawn).unwrap_or(1).saturating_sub(1)).copied()
}

/// Solitaire 3-4 Hexes of forces that could stand in, in order of their numbers: near enough, not next to an enemy, not
/// under siege, and such that both may stand where the other does.
fn supports(s: &State, mover: &SideId, foe: &SideId, contact: Hex) -> Vec<Hex> {
    let (Some(own), Some(enemy)) = (s.pieces(mover), s.pieces(foe)) else { return Vec::new() };
    let near = |hex: &Hex| *hex != contact && hex.distance(contact) <= SUPPORT;
    let loose = |hex: &Hex| hex.neighbours().into_iter().all(|next| counters(own, next).is_empty());
    let board = &s.board;
    let fits = |hex: &Hex| may_stand(board, enemy, contact, *hex) && may_stand(board, enemy, *hex, contact);
    let mut hexes: Vec<Hex> = enemy
        .occupied()
        .into_iter()
        .filter(|hex| !counters(enemy, *hex).is_empty() && !s.sieges.contains(hex))
        .collect();
    hexes.retain(|hex| near(hex) && loose(hex) && fits(hex));
    hexes.sort();
    hexes
}

/// ¶216, 293 Whether the counters of one hex may stand in another, beside its garrison.
fn may_stand(board: &Board, pieces: &Pieces, from: Hex, to: Hex) -> bool {
    let garrison = |hex: Hex| pieces.garrisons_at(hex).iter().map(|(_, unit)| unit.sp).sum::<i32>();
    pieces.sp_at(from) - garrison(from) + garrison(to) <= stack::limit(board, pieces, to)
}
