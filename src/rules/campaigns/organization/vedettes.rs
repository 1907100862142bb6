//! Vedettes that come back, and those for which a hex has no room (¶87, 135, 368).

use super::event::Partly;
use super::told::Own;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::flow::event::Partly as Flow;
use crate::rules::campaigns::pieces::{Pieces, Vedette};
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::view::View;
use crate::rules::cx::Cx;
use std::collections::BTreeSet;

/// ¶87, 368 Vedettes on portraits, and those that were out of dispatch last turn, come back with the nearest leader; the
/// others stay in the pool.
pub fn back(cx: &mut Cx<'_, Campaigns>, side: &SideId) {
    for (n, hex) in returning(cx.state(), side) {
        match hex {
            Some(hex) => cx.emit(Partly::VedetteBack { n, hex, with: None }.of(side).into()),
            None => cx.emit(Own::VedetteKept { n }.of(side).into()),
        }
    }
}

fn returning(s: &State, side: &SideId) -> Vec<(u32, Option<Hex>)> {
    let (Some(pieces), Some(situation)) = (s.pieces(side), s.situation(side)) else { return Vec::new() };
    let mut found = Vec::new();
    for (n, vedette) in &pieces.vedettes {
        match vedette {
            Vedette::Portrait(leader) => {
                // A portrait whose leader is gone has no place any more, so its vedette stays in the pool.
                found.push((*n, pieces.hex(leader)));
            }
            Vedette::Pool => match pieces.army.vedettes_away.get(n) {
                Some((turn, hex)) if *turn < s.turn => {
                    let home = situation.nearest_force(*hex);
                    found.push((*n, home.and_then(|leader| pieces.hex(&leader))));
                }
                Some(_) | None => {}
            },
            Vedette::At(_) => {}
        }
    }
    found
}

/// ¶135 At the end of the sheet only one vedette may stand in a hex; where reinforcements have just come in, two may (the
/// reading of ¶158). The higher numbers go to the pool.
pub fn surplus(cx: &mut Cx<'_, Campaigns>, side: &SideId) {
    let state = cx.state();
    let Some(pieces) = state.pieces(side) else { return };
    let arrived: BTreeSet<Hex> = state.phase.entered.values().copied().collect();
    let created: BTreeSet<Hex> =
        state.phase.created.iter().filter(|(_, n)| **n > 0).filter_map(|(l, _)| pieces.hex(l)).collect();
    for n in crowded(pieces, &arrived.union(&created).copied().collect()) {
        cx.emit(Flow::VedettePooled { side: side.clone(), n }.into());
    }
}

fn crowded(pieces: &Pieces, excused: &BTreeSet<Hex>) -> Vec<u32> {
    let mut extra = Vec::new();
    for hex in pieces.occupied() {
        let most = if excused.contains(&hex) { 2 } else { 1 };
        extra.extend(pieces.vedettes_at(hex).into_iter().skip(most));
    }
    extra
}

/// Vedettes in the pool that do not wait to return by themselves (¶87).
pub fn in_pool(p: &Pieces) -> Vec<u32> {
    let free = p.vedettes.iter().filter(|(n, v)| **v == Vedette::Pool && !p.army.vedettes_away.contains_key(n));
    free.map(|(n, _)| *n).collect()
}

/// ¶24, 158 Vedettes that may come with each force of a side.
pub fn per_force(v: &View) -> u32 {
    v.board.side(&v.own.side).map_or(0, |s| s.vedettes_per_force)
}

/// So many vedettes come, in words.
pub fn vedettes(n: u32) -> String {
    match n {
        1 => "one vedette comes".to_owned(),
        2 => "two vedettes come".to_owned(),
        n => format!("{n} vedettes come"),
    }
}
