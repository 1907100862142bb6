//! How a side stands: its battalions in the towns that count, what it has lost, and whom it may still call.

use super::board::{FRENCH, other};
use super::command;
use super::eyes::veiled;
use super::order::{Call, Order, leaders, may};
use super::state::{At, Fate, Segment, State};
use super::victory::{self, battalions};
use super::view::View;
use super::{examples, solo};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::text;

/// 10.2.2 The towns that the French need, with how many battalions each.
pub const TOWNS: [(&str, usize); 3] = [("Durenstein", 2), ("Oberloiben", 1), ("Unterloiben", 1)];

/// 10.2.2 Towns that a plan leaves with fewer French battalions than they need.
pub fn given_up(before: &State, after: &State) -> Vec<&'static str> {
    let left = TOWNS.into_iter().filter(|(town, need)| {
        let (was, is) = (battalions(before, town), battalions(after, town));
        is < was && is < *need
    });
    left.map(|(town, _)| town).collect()
}

/// An enemy so near may ride up in his next impulse.
const NEAR: u32 = 6;

/// 6.5.4 Leaders who stand alone by a plan beside whom units stood, where an enemy is near, with their hexes.
pub fn left_alone(before: &State, after: &State, side: &SideId) -> Vec<(String, Hex)> {
    let own = |s: &State, hex: Hex| s.standing().any(|(id, _, at)| at == hex && s.is_of(id, side));
    let near = |hex: Hex| after.enemies(side).any(|(.., at)| at.distance(hex) <= NEAR);
    let led = after.leaders.iter().filter(|(name, _)| after.leads(name, side));
    let alone = led.filter_map(|(name, l)| {
        let (was, is) = (before.leaders.get(name)?.hex?, l.hex?);
        (own(before, was) && !own(after, is) && near(is)).then(|| (name.clone(), is))
    });
    alone.collect()
}

/// The towns in words: `Durenstein 2 of 2, Oberloiben 1 of 1, Unterloiben 0 of 1`; empty where the board has none of them.
pub fn towns(v: &View) -> String {
    let s = &v.state;
    let there = TOWNS.iter().filter(|(town, _)| s.board.field.places.contains_key(*town));
    let said = there.map(|(town, need)| format!("{town} {} of {need}", battalions(s, town)));
    said.collect::<Vec<_>>().join(", ")
}

/// 6.6.1, DB.7 Who holds which town, as far as the reader knows; nothing where he knows of none.
pub fn holders(v: &View) -> Option<String> {
    let who = |side: &SideId| if side.0 == FRENCH { "French" } else { "Coalition" };
    let held = v.state.towns.iter().map(|(place, side)| format!("{} {}", place.replace('_', " "), who(side)));
    let held: Vec<String> = held.collect();
    let known = if veiled(&v.state) { ", as you know them" } else { "" };
    (!held.is_empty()).then(|| format!("Towns{known}: {}. [6.6.1]", held.join(", ")))
}

/// 6.1.1 Whom a side may call now, as it is written behind ACTIVATE: those whom men follow, where there are any (6.1.3); 6.1.10a
/// and leaders who are gone, by way of a unit.
pub fn callable(v: &View) -> Vec<String> {
    let s = &v.state;
    let call = |name: &String| Call { leaders: vec![name.clone()], ..Call::default() };
    let names: Vec<String> = leaders(v).into_iter().map(|(name, _)| name).collect();
    let able: Vec<&String> = names.iter().filter(|name| may(s, &Order::Activate(call(name))).is_ok()).collect();
    let led = |name: &&&String| !command::followers_with(s, &v.side, &call(name)).is_empty();
    let with: Vec<String> = able.iter().filter(led).map(|name| (*name).clone()).collect();
    let gone = names.iter().filter_map(|name| solo::call::alone(v, name));
    let gone = gone.map(|line| line.trim_start_matches("ACTIVATE ").to_owned());
    let found: Vec<String> = with.into_iter().chain(gone).collect();
    if found.is_empty() { able.into_iter().cloned().collect() } else { found }
}

/// 3.0 Whose impulse it is, and who of the reader's may still act.
fn waits(v: &View) -> String {
    let now = match &v.state.at {
        At::Impulse(side) if *side == v.side => "It is your impulse".to_owned(),
        At::Impulse(_) => "It is the other side's impulse".to_owned(),
        At::Setup(side) if *side == v.side => "You set up".to_owned(),
        At::Setup(_) => "The other side sets up".to_owned(),
        At::Over => return "The game is over.".to_owned(),
        _ => "The turn goes on".to_owned(),
    };
    let acting = v.state.segment > Segment::Activation && matches!(&v.state.at, At::Impulse(side) if *side == v.side);
    let free = callable(v);
    match free.as_slice() {
        _ if acting => format!("{now}, and it goes on."),
        [] => format!("{now}; nobody of yours is left to activate in this turn."),
        free => format!("{now}; of yours {} may still act in this turn.", text::and_list(free)),
    }
}

/// What a side has lost, by name.
pub fn lost(v: &View) -> Vec<String> {
    let s = &v.state;
    let gone = |fate: Fate| -> Vec<String> {
        let own = s.units.iter().filter(|(id, u)| u.gone == Some(fate) && s.is_of(id, &v.side));
        own.map(|(id, _)| id.clone()).collect()
    };
    let own = |name: &String| s.leads(name, &v.side);
    let leaders = s.leaders.iter().filter(|(name, l)| l.lost && own(name)).map(|(name, _)| name.clone()).collect();
    let told =
        [("Eliminated", gone(Fate::Eliminated)), ("Surrendered", gone(Fate::Surrendered)), ("Leaders lost", leaders)];
    let lines: Vec<String> = told
        .iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(word, names): &(&str, Vec<String>)| format!("{word}: {}.", names.join(", ")))
        .collect();
    if lines.is_empty() { vec!["You have lost no unit and no leader.".to_owned()] } else { lines }
}

/// How it stands: towns, losses, and who is waited for.
pub fn standing(v: &View) -> Vec<String> {
    let (gazan, all) = victory::equivalents(&v.state);
    let seen = if veiled(&v.state) && v.side == other(&FRENCH.into()) { " that you see" } else { "" };
    let mut lines = vec![waits(v)];
    let towns = towns(v);
    if !towns.is_empty() {
        lines.push(format!("French battalions{seen} in the towns: {towns}. [10.2.2]"));
    }
    lines.extend(holders(v));
    lines.push(format!("French losses: {gazan} of Gazan's division, {all} in all. [10.2.3]"));
    lines.extend(lost(v));
    let calls = examples::calls(v);
    if !calls.is_empty() {
        lines.push(format!("You can write {}; ORDERS shows all.", text::or_list(&calls)));
    }
    lines
}
