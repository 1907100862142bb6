//! II and III.a Movement: reinforcements, commands, initiative, marches, zones, repulse, bridges, attrition, Forced March (¶147-297).

pub mod enter;
pub(in crate::rules::campaigns) mod event;
pub mod order;
pub mod prompt;
pub mod told;

use super::Campaigns;
use crate::fog::SideId;
use crate::rules::Play;
use crate::rules::cx::Cx;

/// Carries out an order of sheet A or R.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn carry_out(_cx: &mut Cx<'_, Campaigns>, _side: &SideId, order: &order::Order) -> Play<()> {
    match *order {}
}

/// ¶59-61 II.d Stationary attrition, II.e Consolidation, II.f Bridges.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn close(_cx: &mut Cx<'_, Campaigns>, _side: &SideId) -> Play<()> {
    Ok(())
}

/// What closes the Forced March Segment of a side (¶64).
///
/// # Errors
/// A stop, where an answer is missing.
pub fn close_reaction(_cx: &mut Cx<'_, Campaigns>, _side: &SideId) -> Play<()> {
    Ok(())
}

/// ¶66, 294 Consolidation of both sides.
pub fn consolidate(_cx: &mut Cx<'_, Campaigns>) {}
