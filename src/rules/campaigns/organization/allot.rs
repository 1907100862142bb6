//! Reinforcements given to the other army of their side (¶155): ASSIGN.

use super::order::Order;
use super::told::Own;
use crate::fog::SideId;
use crate::orders::{Args, Fault, Verb};
use crate::rules::campaigns::armies::at_desk;
use crate::rules::campaigns::board::{ArmyId, LeaderId};
use crate::rules::campaigns::march::enter;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::{Campaigns, words};
use crate::rules::cx::Cx;

/// ASSIGN.
pub fn verbs() -> Vec<Verb<View, super::super::Order>> {
    vec![Verb {
        word: "ASSIGN",
        usage: "leader TO army",
        rule: "¶155",
        examples: |v| examples(v).into_iter().take(1).collect(),
        read: |v, args| Ok(super::super::Order::Organization(read(v, args)?)),
    }]
}

fn read(v: &View, args: &mut Args<'_>) -> Result<Order, Fault> {
    let leader = args.name("one of your reinforcements", &words::all_leaders(v))?;
    args.key("TO");
    let armies = v.board.side(&v.own.side).map(|s| s.armies.as_slice()).unwrap_or_default();
    let names: Vec<(String, ArmyId)> =
        armies.iter().flat_map(|a| [(a.id.0.clone(), a.id.clone()), (a.name.clone(), a.id.clone())]).collect();
    let army = args.name("one of your armies", &names)?;
    may_assign(v, &leader, &army)?;
    Ok(Order::Assign { leader, army })
}

/// ¶155 A reinforcement that enters beyond the communications of its own army may be given to the other one.
fn may_assign(v: &View, leader: &LeaderId, army: &ArmyId) -> Result<(), Fault> {
    let him = words::name(v, leader);
    let refused = |why: String| Err(Fault::refused(why, "¶155"));
    if !v.board.exceptions.organization.reinforcements_assigned {
        return refused("in this game reinforcements stay in their army".to_owned());
    }
    let Some(track) = enter::due(v, leader).filter(|track| track.turn <= v.turn) else {
        return refused(format!("{him} is no reinforcement of this turn"));
    };
    let Some(own) = v.own.army_of(&v.board, leader).filter(|own| own != army) else {
        return refused(format!("{him} is of that army already"));
    };
    let desk = at_desk(v, &own);
    if desk.situation().supplied(&desk.own.army, track.hex) {
        return refused(format!("{him} enters within his own army's communications"));
    }
    Ok(())
}

/// ASSIGN lines that would be taken now.
fn examples(v: &View) -> Vec<String> {
    let armies = v.board.side(&v.own.side).map(|s| s.armies.as_slice()).unwrap_or_default();
    let pairs = v.board.reinforcements.iter().flat_map(|r| armies.iter().map(|army| (&r.leader, &army.id)));
    let open = pairs.filter(|(leader, army)| may_assign(v, leader, army).is_ok());
    open.map(|(leader, army)| format!("ASSIGN {} TO {army}", words::order_name(v, leader))).collect()
}

/// Gives a reinforcement to an army.
pub fn assign(cx: &mut Cx<'_, Campaigns>, side: &SideId, leader: &LeaderId, army: &ArmyId) {
    cx.emit(Own::Allotted { leader: leader.clone(), army: army.clone() }.of(side).into());
}
