//! ¶230, 248 Marches of vedettes; ¶40-41 of leaders without troops.

use super::clause::Branch;
use super::column::Column;
use super::event::Partly;
use super::force::stayed;
use super::marcher::Marcher;
use super::{attrition, walk};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::Play;
use crate::rules::campaigns::board::{Halves, LeaderId};
use crate::rules::campaigns::flow::told::Why;
use crate::rules::campaigns::pieces::Piece;
use crate::rules::campaigns::ruleset::failed;
use crate::rules::campaigns::sequence::At;
use crate::rules::campaigns::{Campaigns, flow};
use crate::rules::cx::Cx;

/// ¶230 A vedette marches; it needs no activation and suffers no attrition.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn march(cx: &mut Cx<'_, Campaigns>, side: &SideId, n: u32, path: &[Hex], branches: &[Branch]) -> Play<()> {
    let piece = Piece::Vedette(n);
    let Some(from) = cx.state().pieces(side).and_then(|p| p.piece_hex(&piece)) else { return Ok(()) };
    let column = Column::rider(cx.state().board.tables.terrain.allowances.vedette);
    let mut m = Marcher::new(side, piece.clone(), column, path, cx.state().board.map.on_road(from), from);
    m.forced = matches!(cx.state().at, At::Reaction(_));
    m.branches = branches.to_vec();
    let ended = walk::walk(cx, &mut m)?;
    if m.moved {
        let to = cx.state().pieces(side).and_then(|p| p.piece_hex(&piece)).unwrap_or(from);
        cx.emit(m.marched(to, ended));
    } else {
        let (why, rule) = stayed(ended);
        cx.outcome(failed(&why.replace("force", "vedette"), rule));
    }
    flow::settle_faces(cx);
    Ok(())
}

/// ¶40-41, 223 A leader without troops rides up to nine MP at cavalry cost, bridges and enemy zones left out of account;
/// he stops in no hex with an enemy counter.
pub fn ride(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId, path: &[Hex]) {
    let Some(from) = cx.state().pieces(side).and_then(|p| p.hex(leader)) else { return };
    let way = {
        let Some(sit) = cx.state().situation(side) else { return };
        let most = Halves::whole(sit.board.tables.terrain.allowances.unemployed_leader);
        let (mut spent, mut at, mut way, mut good) = (Halves(0), from, Vec::new(), 0);
        for &next in path {
            let Some(cost) = sit.step(at, next, true) else { break };
            spent = spent + cost.horse;
            if spent > most {
                break;
            }
            way.push(next);
            at = next;
            if !sit.enemy.contains_key(&next) {
                good = way.len();
            }
        }
        way.truncate(good);
        way
    };
    if way.is_empty() {
        cx.outcome(failed("he cannot reach the first hex", "¶40"));
        return;
    }
    cx.emit(Partly::Unemployed { side: side.clone(), leader: leader.clone() }.into());
    let mut at = from;
    for next in way {
        flow::step(cx, side, &Piece::Leader(leader.clone()), (at, next), Why::March);
        attrition::revictual(cx, side, leader, next);
        at = next;
    }
    flow::settle_faces(cx);
    if path.last() != Some(&at) {
        cx.outcome(failed(&format!("he moved to {at}; nine MP are not enough to go on"), "¶40"));
    }
}
