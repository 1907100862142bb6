//! III.b Combat (¶298-410).

pub(in crate::rules::campaigns) mod event;
pub mod order;
pub mod prompt;
pub mod told;

use super::Campaigns;
use super::state::State;
use crate::fog::SideId;
use crate::rules::Play;
use crate::rules::cx::Cx;

/// A battle under way: the truth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Battle {}

/// A battle as one side sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BattleView {}

impl Battle {
    /// What a side sees of the battle; `None` if nothing.
    pub(super) fn seen_by(&self, _truth: &State, _side: Option<&SideId>) -> Option<BattleView> {
        None
    }
}

/// Takes a plan or a designation.
pub fn plan(_cx: &mut Cx<'_, Campaigns>, _side: &SideId, order: &order::Order) {
    match *order {}
}

/// ¶65, 233 Whether any force of the phasing side must or may attack.
pub fn must_or_may(_s: &State, _phasing: &SideId) -> bool {
    false
}

/// ¶302-313 Forms the battles of the phase from the sheet and the defaults.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn begin(_cx: &mut Cx<'_, Campaigns>, _side: &SideId) -> Play<()> {
    Ok(())
}

/// ¶300, 406 One round of all battles; whether another one follows.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn round(_cx: &mut Cx<'_, Campaigns>, _side: &SideId, _n: u32) -> Play<bool> {
    Ok(false)
}
