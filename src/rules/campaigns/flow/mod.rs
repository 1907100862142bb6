//! Sequence of play, set-up, weather, vedettes coming and going, plans (¶24, 47-71, 417-429).

pub(in crate::rules::campaigns) mod event;
pub mod order;
pub mod setup;
pub mod told;
pub mod verbs;
pub mod weather;

use super::board::{LeaderId, UnitId};
use super::pieces::{Piece, Vedette};
use super::sequence::At;
use super::state::State;
use super::{Campaigns, organization};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::organization::vedettes;
use crate::rules::cx::Cx;
use event::Partly;
use order::Order;
use told::{Cause, Why};

/// Carries out a set-up or vedette order of a side.
pub fn carry_out(cx: &mut Cx<'_, Campaigns>, side: &SideId, order: &Order) {
    match order {
        Order::Place { leader, count, fog } => {
            let Some(hex) = cx.state().pieces(side).and_then(|p| p.hex(leader)) else { return };
            let setup = cx.state().at == At::Setup;
            let free = cx.state().pieces(side).map(vedettes::in_pool).unwrap_or_default();
            for n in free.into_iter().take(usize::try_from(*count).unwrap_or(0)) {
                if *fog {
                    cx.emit(organization::event::Partly::FogVedette { n, hex }.of(side).into());
                } else if setup {
                    cx.emit(Partly::VedettePlaced { side: side.clone(), n, hex }.into());
                } else {
                    let with = Some(leader.clone());
                    cx.emit(organization::event::Partly::VedetteBack { n, hex, with }.of(side).into());
                }
            }
        }
        Order::Pool { n } => vedette_off(cx, side, *n, None),
    }
}

/// ¶24, 368 A vedette leaves the map, for a leader's portrait or else for the pool.
pub fn vedette_off(cx: &mut Cx<'_, Campaigns>, side: &SideId, n: u32, to: Option<LeaderId>) {
    let side = side.clone();
    cx.emit(match to {
        Some(leader) => Partly::VedetteOff { side, n, leader }.into(),
        None => Partly::VedettePooled { side, n }.into(),
    });
}

/// A counter moves one hex, with all on its portrait.
pub fn step(cx: &mut Cx<'_, Campaigns>, side: &SideId, piece: &Piece, (from, to): (Hex, Hex), why: Why) {
    let (side, piece) = (side.clone(), piece.clone());
    cx.emit(Partly::Moved { side, piece, from, to, why }.into());
}

/// ¶13, 16 Units lose so many SP each.
pub fn lose(cx: &mut Cx<'_, Campaigns>, side: &SideId, units: impl IntoIterator<Item = (UnitId, i32)>, cause: Cause) {
    for (unit, sp) in units {
        cx.emit(Partly::Lost { side: side.clone(), unit, sp, cause }.into());
    }
}

/// ¶24: the next vedette that may come to a hex of the set-up, out of the pool, where none stands yet.
pub fn next_vedette(s: &State, side: &SideId, hex: Hex) -> Option<u32> {
    let pieces = s.pieces(side)?;
    if !pieces.vedettes_at(hex).is_empty() {
        return None;
    }
    pieces.vedettes.iter().find(|(_, v)| **v == Vedette::Pool).map(|(n, _)| *n)
}

/// ¶32: leaders stay face up as long as they are adjacent to the enemy, and are turned down when they are not.
pub fn settle_faces(cx: &mut Cx<'_, Campaigns>) {
    if cx.state().board.policies.solitaire {
        return open_faces(cx);
    }
    let mut down = Vec::new();
    for (side, piece) in &cx.state().face_up {
        let Piece::Leader(_) = piece else { continue };
        let hex = cx.state().pieces(side).and_then(|p| p.piece_hex(piece));
        let enemy = cx.state().pieces(&cx.state().enemy(side)).map(super::pieces::Pieces::occupied).unwrap_or_default();
        if !hex.is_some_and(|h| h.neighbours().iter().any(|n| enemy.contains(n))) {
            down.push((side.clone(), piece.clone()));
        }
    }
    for (side, piece) in down {
        cx.emit(Partly::Hidden { side, piece }.into());
    }
}

/// Solitaire 1 All counters stand face up.
pub fn open_faces(cx: &mut Cx<'_, Campaigns>) {
    for side in cx.state().order_of_sides() {
        let Some(own) = cx.state().pieces(&side) else { continue };
        let all: Vec<Piece> = own.occupied().into_iter().flat_map(|hex| own.counters_at(hex)).collect();
        for piece in all {
            show(cx, &side, piece);
        }
    }
}

/// ¶31, 33, 250 Shows a counter, if it does not stand face up already; without procedural security with the leaders under
/// him.
pub fn show(cx: &mut Cx<'_, Campaigns>, side: &SideId, piece: Piece) {
    let up = cx.state().face_up.contains(&(side.clone(), piece.clone())) || matches!(piece, Piece::Garrison(_));
    if !up {
        cx.emit(Partly::Shown { side: side.clone(), piece: piece.clone() }.into());
    }
    let Piece::Leader(leader) = &piece else { return };
    let own = cx.state().pieces(side).filter(|_| !up && !cx.state().board.policies.security);
    let leaders: Vec<_> = own.map(|p| p.force(leader).into_iter().skip(1).collect()).unwrap_or_default();
    if !leaders.is_empty() {
        cx.emit(Partly::Beside { side: side.clone(), piece, leaders }.into());
    }
}
