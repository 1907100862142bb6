//! ¶5, 395-397, 411, 415 How the markers of morale move.

use super::event::Partly;
use super::question::{Answer, Prompt, What};
use super::told::Shift;
use crate::hex::Hex;
use crate::rules::Play;
use crate::rules::campaigns::Campaigns;
use crate::rules::cx::Cx;

/// ¶5, 411 Moves morale by some spaces, above nothing toward France, for what a battle or a hex has brought. Where each side
/// has a track of its own, whom it favours chooses: his marker rises, or the enemy's falls. Who can rise no more has no choice.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn shift(cx: &mut Cx<'_, Campaigns>, (no, hex): (u32, Hex), why: Shift, by: i32) -> Play<()> {
    let s = cx.state();
    let favoured = s.board.sides.iter().find(|spec| spec.french == (by > 0)).map(|spec| spec.id.clone());
    let Some(winner) = favoured.filter(|side| s.board.tables.morale.named(side).is_some()) else {
        cx.emit(Partly::Morale { why, by }.into());
        return Ok(());
    };
    let loser = s.enemy(&winner);
    let mut rises = false;
    if !s.board.tables.morale.highest(s.morale_of(&winner)) {
        let prompt = Prompt { no, hex, what: What::Morale };
        rises = super::ask_prompts(cx, vec![(winner.clone(), prompt)])?.first() == Some(&Answer::Yes(true));
    }
    let (of, by) = if rises { (winner, by.abs()) } else { (loser, -by.abs()) };
    cx.emit(Partly::Track { why, of, by }.into());
    Ok(())
}
