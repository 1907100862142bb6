//! I.a Administration: supply sources, lines of communication, dispatch, Administrative Points (¶72-107).

pub(in crate::rules::campaigns) mod event;
pub mod order;
pub mod told;

use super::Campaigns;
use crate::fog::SideId;
use crate::rules::Play;
use crate::rules::cx::Cx;

/// ¶53, 72-107 What happens of itself at the start of a player-turn.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn packet(_cx: &mut Cx<'_, Campaigns>, _side: &SideId) -> Play<()> {
    Ok(())
}

/// Carries out an order of the Administrative Segment.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn carry_out(_cx: &mut Cx<'_, Campaigns>, _side: &SideId, order: &order::Order) -> Play<()> {
    match *order {}
}
