//! Which face-down counter is which: leaders and vedettes change hexes, and nobody who sees only counters can tell.

use super::known::Known;
use super::noise::Noise;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::board::{Board, LeaderId};
use crate::rules::campaigns::march::stack;
use crate::rules::campaigns::pieces::{Piece, Pieces, Place, Vedette};
use crate::rules::campaigns::sequence::PhaseLog;
use crate::rules::campaigns::state::State;

/// Tries for each counter.
const TRIES: usize = 4;

/// Swaps hidden counters in pairs, each swap only if the stacks it makes are legal.
pub fn swap(s: &mut State, foe: &SideId, known: &Known, noise: &mut Noise) {
    let board = s.board.clone();
    let Some(pieces) = s.pieces(foe) else { return };
    let free = hidden(pieces, known, &s.phase);
    for _ in 0..free.len() * TRIES {
        let (Some(a), Some(b)) = (noise.pick(&free), noise.pick(&free)) else { return };
        let Some(pieces) = s.pieces(foe) else { return };
        let (Some(here), Some(there)) = (pieces.piece_hex(&a), pieces.piece_hex(&b)) else { continue };
        if here == there {
            continue;
        }
        let mut trial = pieces.clone();
        stand(&mut trial, &a, there);
        stand(&mut trial, &b, here);
        if legal(&board, pieces, &trial, here) && legal(&board, pieces, &trial, there) {
            if let Some(pieces) = s.pieces_mut(foe) {
                *pieces = trial;
            }
            renamed(&mut s.phase, &a, &b);
        }
    }
}

/// Counters whose names the other side does not know.
fn hidden(pieces: &Pieces, known: &Known, phase: &PhaseLog) -> Vec<Piece> {
    let bound = |l: &LeaderId| {
        phase.entered.contains_key(l) || phase.repulse_failed.contains_key(l) || phase.created.contains_key(l)
    };
    let leaders = pieces.on_map().map(|(id, _)| id).filter(|id| !known.leaders.contains(*id) && !bound(id));
    let vedettes = pieces.vedettes.iter().filter(|(n, v)| matches!(v, Vedette::At(_)) && !known.vedettes.contains(n));
    leaders.cloned().map(Piece::Leader).chain(vedettes.map(|(n, _)| Piece::Vedette(*n))).collect()
}

fn stand(pieces: &mut Pieces, piece: &Piece, hex: Hex) {
    match piece {
        Piece::Leader(id) => {
            for member in pieces.force(id) {
                if let Some(l) = pieces.leaders.get_mut(&member) {
                    l.place = Place::At(hex);
                }
            }
        }
        Piece::Vedette(n) => {
            pieces.vedettes.insert(*n, Vedette::At(hex));
        }
        Piece::Garrison(_) => {}
    }
}

/// ¶135, 138, 216, 293: no more vedettes than before or one, no stack too great, and somebody to command it.
fn legal(board: &Board, before: &Pieces, after: &Pieces, hex: Hex) -> bool {
    let vedettes = after.vedettes_at(hex).len() <= before.vedettes_at(hex).len().max(1);
    let most = stack::limit(board, after, hex);
    let leaders: Vec<&LeaderId> = after.leaders_at(hex).into_iter().filter(|l| !after.unemployed(l)).collect();
    let was = before.leaders_at(hex).into_iter().filter(|l| !before.unemployed(l)).count();
    let commanded = leaders.len() < 2
        || leaders.len() <= was
        || leaders.iter().any(|chief| {
            let mut others: Vec<LeaderId> =
                leaders.iter().filter(|l| l != &chief).flat_map(|l| after.force(l)).collect();
            others.extend(after.force(chief).into_iter().skip(1));
            after.can_command(board, chief, &others)
        });
    vedettes && commanded && after.sp_at(hex) <= most.max(before.sp_at(hex))
}

/// What was done this phase was done by the counter that was seen to do it.
fn renamed(phase: &mut PhaseLog, a: &Piece, b: &Piece) {
    let (did_a, did_b) = (acted(phase, a), acted(phase, b));
    set_acted(phase, a, did_b);
    set_acted(phase, b, did_a);
}

fn acted(phase: &PhaseLog, piece: &Piece) -> bool {
    match piece {
        Piece::Leader(id) => phase.acted.contains(id),
        Piece::Vedette(n) => phase.vedettes.contains(n),
        Piece::Garrison(_) => false,
    }
}

fn set_acted(phase: &mut PhaseLog, piece: &Piece, did: bool) {
    match (piece, did) {
        (Piece::Leader(id), true) => {
            phase.acted.insert(id.clone());
        }
        (Piece::Leader(id), false) => {
            phase.acted.remove(id);
        }
        (Piece::Vedette(n), true) => {
            phase.vedettes.insert(*n);
        }
        (Piece::Vedette(n), false) => {
            phase.vedettes.remove(n);
        }
        (Piece::Garrison(_), _) => {}
    }
}
