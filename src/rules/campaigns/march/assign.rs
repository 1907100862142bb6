//! ¶287 Hexes that two forces could forage: which of them may count each (D-58).

use super::order::Order;
use super::told::Own;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::orders::{Args, Fault, Verb};
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::sequence::At;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::{self, Campaigns, words};
use crate::rules::cx::Cx;
use crate::text::and_list;
use std::collections::BTreeSet;

/// The verb.
pub fn verb() -> Verb<View, campaigns::Order> {
    Verb {
        word: "FORAGE", usage: "ASSIGN hex [hex …] TO force", rule: "¶287", examples, read: |v, args| read(v, args)
    }
}

/// ¶287 A hex between two foraging forces, given to one of them.
fn examples(v: &View) -> Vec<String> {
    let foraging: Vec<(&LeaderId, Hex)> =
        v.own.on_map().filter(|(l, _)| v.own.leaders.get(*l).is_some_and(|l| l.forage)).collect();
    let shared = |(leader, hex): &(&LeaderId, Hex)| {
        let others = foraging.iter().filter(|(other, _)| other != leader);
        let near = std::iter::once(*hex).chain(v.board.map.neighbours(*hex));
        near.into_iter().find(|near| others.clone().any(|(_, there)| there.distance(*near) <= 1))
    };
    let found = foraging.iter().find_map(|force| Some((force.0, shared(force)?)));
    let open = allowed(v).is_ok();
    found
        .filter(|_| open)
        .map(|(l, hex)| format!("FORAGE ASSIGN {hex} TO {}", words::order_name(v, l)))
        .into_iter()
        .collect()
}

/// ¶287 Reads what follows `FORAGE`.
///
/// # Errors
/// The fault of the line.
fn read(v: &View, args: &mut Args<'_>) -> Result<campaigns::Order, Fault> {
    args.one_of("ASSIGN", &["ASSIGN"])?;
    let mut hexes = BTreeSet::from([words::hex(v, args)?]);
    while !args.key("TO") {
        hexes.insert(words::hex(v, args)?);
    }
    let leader = words::force(v, args)?;
    allowed(v)?;
    let gone = hexes.iter().find_map(|hex| Some((hex, v.phase.foraged.get(hex).filter(|by| **by != leader)?)));
    if let Some((hex, by)) = gone {
        let why = format!("{} has foraged {hex} in this phase already", words::name(v, by));
        return Err(Fault::refused(why, "¶287"));
    }
    Ok(campaigns::Order::March(Order::Assign { hexes: hexes.into_iter().collect(), leader }))
}

/// ¶271, 275, 287 Whether hexes can be divided now: in one's own movement, where forces forage the country round them.
fn allowed(v: &View) -> Result<(), Fault> {
    if !v.board.policies.forage {
        return Err(Fault::refused("foraging is not permitted in this game", "¶271"));
    }
    if v.board.exceptions.forage.leaders_hex {
        return Err(Fault::refused("a force forages its leader's hex alone in this game", "¶275"));
    }
    if !matches!(&v.at, At::Own(phasing) if *phasing == v.side_id()) {
        return Err(Fault::refused("hexes are divided on sheet A, before any of the forces has foraged", "¶287"));
    }
    Ok(())
}

/// What CHECK says of it.
pub fn check(v: &View, hexes: &[Hex], leader: &LeaderId) -> Vec<String> {
    let hexes: Vec<String> = hexes.iter().map(Hex::to_string).collect();
    vec![
        format!("forage         {} for {} alone, in this phase [¶287]", and_list(&hexes), words::name(v, leader)),
        "               no other force counts it, whether or not that one forages".to_owned(),
    ]
}

/// ¶287 Keeps who may forage what.
pub fn carry_out(cx: &mut Cx<'_, Campaigns>, side: &SideId, hexes: &[Hex], leader: &LeaderId) {
    cx.emit(Own::ForageAssigned { leader: leader.clone(), hexes: hexes.to_vec() }.of(side).into());
}
