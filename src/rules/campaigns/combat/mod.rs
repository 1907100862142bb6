//! III.b Combat (¶298-410).
//!
//! `designate` who attacks whom, `order`, `plans`, `clause` and `condition` plans, `question`, `prompt`, `answer`, `wishes` questions and who answers
//! them, `reserve`, `types` choices before a round, `field` strengths and odds, `fire`, `resolve`, `counter` a round,
//! `later`, `regroup`, `shift`, `forage`, `guns` what changes between rounds, `losses`, `flight`, `pursuit` what follows,
//! `siege` citadels, `morale` its markers.

mod answer;
pub mod battle;
pub mod clause;
pub mod condition;
mod control;
mod counter;
pub mod designate;
pub(in crate::rules::campaigns) mod event;
pub mod field;
mod fire;
mod flight;
mod forage;
pub mod forecast;
pub(in crate::rules::campaigns) mod guns;
mod later;
pub(super) mod losses;
pub(in crate::rules::campaigns) mod morale;
pub mod order;
pub(in crate::rules::campaigns) mod phase;
pub mod plans;
pub mod prompt;
mod pursuit;
pub mod question;
mod regroup;
pub mod reserve;
mod resolve;
mod shift;
pub(in crate::rules::campaigns) mod siege;
pub mod told;
pub mod types;
mod wishes;

use super::board::LeaderId;
use super::state::State;
use super::{Campaigns, Prompt};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::Play;
use crate::rules::cx::Cx;
pub use battle::{Battle, BattleView};

/// A battle by its number in the turn.
fn get(s: &State, no: u32) -> Option<&Battle> {
    s.battles.iter().find(|b| b.no == no && b.turn == s.turn)
}

/// Asks seats about a battle, all at once; the answers come in the order of the questions.
fn ask(cx: &mut Cx<'_, Campaigns>, no: u32, wanted: Vec<(SideId, question::What)>) -> Play<Vec<question::Answer>> {
    let hex = get(cx.state(), no).map_or(Hex::new(1, 1), Battle::name);
    ask_prompts(cx, wanted.into_iter().map(|(side, what)| (side, question::Prompt { no, hex, what })).collect())
}

/// Asks one side about a hex in which no battle has been formed.
fn ask_at(cx: &mut Cx<'_, Campaigns>, hex: Hex, side: &SideId, what: question::What) -> Play<Option<question::Answer>> {
    Ok(ask_prompts(cx, vec![(side.clone(), question::Prompt { no: 0, hex, what })])?.into_iter().next())
}

/// Asks questions of this chapter, all at once.
fn ask_prompts(cx: &mut Cx<'_, Campaigns>, wanted: Vec<(SideId, question::Prompt)>) -> Play<Vec<question::Answer>> {
    let prompts = wanted.into_iter().map(|(side, p)| (cx.seat_of(&side), Prompt::Combat(p))).collect();
    let answers = cx.ask_all(prompts)?;
    Ok(answers.into_iter().filter_map(ours).collect())
}

/// An answer of this chapter.
fn ours(answer: super::Answer) -> Option<question::Answer> {
    match answer {
        super::Answer::Combat(answer) => Some(answer),
        super::Answer::Admin(_) | super::Answer::March(_) => None,
    }
}

/// ¶141, 387 A leader takes his own place on the map, if he is a subordinate.
fn detach(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId) {
    if cx.state().pieces(side).and_then(|p| p.leaders.get(leader)).is_some_and(|l| l.under.is_some()) {
        cx.emit(event::Partly::Detached { side: side.clone(), leader: leader.clone() }.into());
    }
}

/// Hexes of a battle in which a side still has counters of it, or the garrison of its source.
fn hexes_held(s: &State, no: u32, side: &SideId) -> Vec<Hex> {
    let (Some(b), Some(own)) = (get(s, no), s.pieces(side)) else { return Vec::new() };
    let party = b.party(side);
    let here = |h: &&Hex| {
        party.pieces.iter().any(|p| own.piece_hex(p) == Some(**h) && !idle(own, p))
            || (b.defend.side == *side && battle::source_garrison(own, **h) > 0)
    };
    b.ground(side).iter().filter(here).copied().collect()
}

/// Whether a counter is a leader without troops.
fn idle(own: &super::pieces::Pieces, piece: &super::pieces::Piece) -> bool {
    matches!(piece, super::pieces::Piece::Leader(id) if own.unemployed(id))
}
