//! I.b Organization: replacements, leaders, units between tracks, garrisons (¶108-146).

pub(in crate::rules::campaigns) mod event;
pub mod order;
pub mod told;

use super::Campaigns;
use crate::fog::SideId;
use crate::rules::Play;
use crate::rules::cx::Cx;

/// Carries out an order of the Organization Segment.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn carry_out(_cx: &mut Cx<'_, Campaigns>, _side: &SideId, order: &order::Order) -> Play<()> {
    match *order {}
}
