//! Foragers under attack who try to concentrate between rounds (¶281).

use super::event::Partly;
use super::question::{Answer, Prompt, What};
use super::{ask_prompts, get, regroup};
use crate::dice::Label;
use crate::fog::SideId;
use crate::rules::Play;
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::march::activation;
use crate::rules::campaigns::march::told::Rolled;
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::{Campaigns, march};
use crate::rules::cx::Cx;

/// ¶281, D-114: after each round a defender in Forage Mode may roll his Initiative, without resistance (¶278), and goes
/// over to Concentrated Mode where it succeeds.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn concentrate(cx: &mut Cx<'_, Campaigns>, phasing: &SideId, round: u32) -> Play<()> {
    if !cx.state().board.policies.forage || round < 2 {
        return Ok(());
    }
    let side = cx.state().enemy(phasing);
    let mut prompts = Vec::new();
    let mut who = Vec::new();
    for no in regroup::open(cx.state(), phasing) {
        let Some(hex) = get(cx.state(), no).map(super::Battle::name) else { continue };
        for leader in foragers(cx.state(), no, &side) {
            prompts.push((side.clone(), Prompt { no, hex, what: What::Mode(leader.clone()) }));
            who.push((no, leader));
        }
    }
    for ((no, leader), answer) in who.into_iter().zip(ask_prompts(cx, prompts)?) {
        if answer == Answer::Yes(true) {
            attempt(cx, &side, no, leader);
        }
    }
    Ok(())
}

/// Force leaders in Forage Mode that defend in a battle.
fn foragers(s: &State, no: u32, side: &SideId) -> Vec<LeaderId> {
    let (Some(battle), Some(own)) = (get(s, no), s.pieces(side)) else { return Vec::new() };
    let mut leaders = battle.defend.counters(own, &battle.hexes);
    leaders.retain(|l| !own.unemployed(l) && own.leaders.get(l).is_some_and(|l| l.forage));
    leaders
}

fn attempt(cx: &mut Cx<'_, Campaigns>, side: &SideId, no: u32, leader: LeaderId) {
    let Some(own) = cx.state().pieces(side) else { return };
    let rating = own.initiative(&cx.state().board, &leader);
    let label = Label::own("initiative", &own.leader_named(&leader)).step("mode");
    let die = cx.d6(&label);
    let ok = matches!(activation::rolled(rating, die), Rolled::Full | Rolled::Less);
    cx.emit(Partly::Concentrated { no, side: side.clone(), leader: leader.clone(), die, ok }.into());
    if ok {
        cx.emit(march::told::Own::Mode { leader, forage: false }.of(side).into());
    }
}
