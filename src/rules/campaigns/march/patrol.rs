//! ¶231 A cavalry force of one SP that passes for a vedette.

use super::event::Partly;
use super::question::{Answer, Prompt};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::board::{Arm, LeaderId};
use crate::rules::campaigns::state::State;
use crate::rules::cx::Cx;
use crate::rules::{Play, campaigns};

/// ¶231 The force of a side in a hex that may pass for a vedette: one SP of cavalry, nothing beside it, in dispatch
/// distance.
fn candidate(s: &State, side: &SideId, hex: Hex) -> Option<LeaderId> {
    let sit = s.situation(side)?;
    let [leader] = sit.own.leaders_at(hex).into_iter().cloned().collect::<Vec<_>>().try_into().ok()?;
    let alone = sit.own.counters_at(hex).len() == 1;
    let one_horse = sit.own.sp(&leader) == 1 && sit.own.sp_of(&s.board, &leader, Arm::Cavalry) == 1;
    if !alone || !one_horse || s.phase.patrols.contains(&leader) {
        return None;
    }
    sit.supplied(&sit.own.army, hex).then_some(leader)
}

/// ¶231 Where the enemy has come next to such forces without a repulse, their owner's doctrine decides whether they show
/// themselves as vedettes.
///
/// # Errors
/// A stop, where an answer is missing; doctrine always has one.
pub fn pass_for_vedettes(cx: &mut Cx<'_, Campaigns>, side: &SideId, hexes: &[Hex]) -> Play<()> {
    for hex in hexes {
        let Some(leader) = candidate(cx.state(), side, *hex) else { continue };
        let seat = cx.seat_of(side);
        let prompt = Prompt::Patrol { leader: leader.clone(), hex: *hex };
        if cx.ask(&seat, campaigns::Prompt::March(prompt))? == campaigns::Answer::March(Answer::Go) {
            cx.emit(Partly::Patrol { side: side.clone(), leader }.into());
        }
    }
    Ok(())
}
