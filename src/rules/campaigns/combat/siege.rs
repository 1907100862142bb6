//! Citadels (¶216-217, 307-310): who lets himself be besieged, and when a siege is over.

use super::designate::Attack;
use super::question::{Answer, What};
use super::told::Open;
use super::{ask_at, field, question};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::Play;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::flow::told::Why;
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::stands::Firm;
use crate::rules::campaigns::state::State;
use crate::rules::cx::Cx;

/// ¶310: a siege ends at the beginning of a phase in which no enemy force is adjacent.
pub fn lift(cx: &mut Cx<'_, Campaigns>) {
    let over: Vec<Hex> = cx.state().sieges.iter().copied().filter(|h| !held_in(cx.state(), *h)).collect();
    for hex in over {
        tell(cx, hex, false);
    }
}

/// A siege begins or ends.
fn tell(cx: &mut Cx<'_, Campaigns>, hex: Hex, begins: bool) {
    cx.emit(Open::Siege { hex, begins }.into());
}

/// Whether a citadel is held by one side and has a force of the other next to it.
fn held_in(s: &State, hex: Hex) -> bool {
    s.sides.keys().any(|side| garrisoned(s, side, hex) && besieger(s, side, hex))
}

fn garrisoned(s: &State, side: &SideId, hex: Hex) -> bool {
    s.pieces(side).is_some_and(|p| p.occupied_by_force(hex))
}

/// Whether a force of the other side stands next to a citadel of a side, and could fight it.
pub fn besieger(s: &State, side: &SideId, hex: Hex) -> bool {
    let (Some(foe), Some(sit)) = (s.pieces(&s.enemy(side)), s.situation(side)) else { return false };
    // ¶231: who passes for a vedette besieges nobody; ¶289: who forages does.
    let force = |n: &Hex| sit.enemy.get(n).is_some_and(|there| there.force() == Firm::Yes);
    let near = hex.neighbours().into_iter().filter(|n| force(n) && foe.occupied_by_force(*n));
    near.into_iter().any(|n| field::can_fight(&sit, n, hex))
}

/// ¶307-308: where combat would be required, a force in a citadel is besieged or fights; a phasing force in one that
/// does not attack out is besieged. Attacks on citadels that take the siege fall away.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn decide(cx: &mut Cx<'_, Campaigns>, phasing: &SideId, attacks: &mut Vec<Attack>) -> Play<()> {
    let foe = cx.state().enemy(phasing);
    let citadels: Vec<Hex> = citadels(cx.state());
    for hex in citadels {
        if cx.state().sieges.contains(&hex) {
            continue;
        }
        let attacked = attacks.iter().any(|a| a.hexes.contains(&hex));
        if garrisoned(cx.state(), &foe, hex) && (attacked || besieger(cx.state(), &foe, hex)) {
            let answer = ask_at(cx, hex, &foe, What::Siege)?;
            if answer != Some(Answer::Yes(true)) {
                tell(cx, hex, true);
                for attack in attacks.iter_mut() {
                    attack.hexes.retain(|h| *h != hex);
                }
            }
        }
        let out = |a: &Attack| {
            let own = cx.state().pieces(phasing);
            a.pieces.iter().any(|p| own.and_then(|o| o.piece_hex(p)) == Some(hex))
        };
        if garrisoned(cx.state(), phasing, hex) && besieger(cx.state(), phasing, hex) && !attacks.iter().any(out) {
            tell(cx, hex, true);
        }
    }
    attacks.retain(|a| !a.hexes.is_empty());
    Ok(())
}

/// Every citadel of the map.
fn citadels(s: &State) -> Vec<Hex> {
    let citadel = crate::map::Settlement::Citadel;
    s.board.map.settlements.iter().filter(|(_, built)| **built == citadel).map(|(hex, _)| *hex).collect()
}

/// The counters of a side's forces next to a hex, for who enters a citadel.
pub fn near(s: &State, side: &SideId, hex: Hex) -> Vec<Piece> {
    let Some(own) = s.pieces(side) else { return Vec::new() };
    own.on_map().filter(|(l, h)| h.adjacent(hex) && !own.unemployed(l)).map(|(l, _)| Piece::Leader(l.clone())).collect()
}

/// ¶414: the besieger may enter a citadel that has surrendered.
///
/// # Errors
/// A stop, where an answer is missing.
pub(in crate::rules::campaigns) fn enter(cx: &mut Cx<'_, Campaigns>, side: &SideId, hex: Hex) -> Play<()> {
    let besieger = cx.state().enemy(side);
    let near = near(cx.state(), &besieger, hex);
    if near.is_empty() || ask_at(cx, hex, &besieger, question::What::Enter)? != Some(question::Answer::Yes(true)) {
        return Ok(());
    }
    // The strongest that finds room (¶216).
    let s = cx.state();
    let Some(own) = s.pieces(&besieger) else { return Ok(()) };
    let sp = |p: &Piece| match p {
        Piece::Leader(id) => own.sp(id),
        Piece::Vedette(_) | Piece::Garrison(_) => 0,
    };
    let fits = near.iter().filter(|p| sp(p) <= s.board.policies.fort_stack_sp);
    if let Some(piece) = fits.max_by_key(|p| sp(p)).cloned() {
        crate::rules::campaigns::retreat::march(cx, &besieger, &[piece], &[hex], Why::Advance);
    }
    Ok(())
}
