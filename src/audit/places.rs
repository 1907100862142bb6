//! Where an entry of a chain may stand: what a game begins with, what comes before a letter, and what comes after a seed.

use super::GameLine;
use super::chain::text;
use super::entries::Read;
use super::verify::Findings;
use crate::dice::two;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Each entry stands where the post office would have written it.
pub(super) fn places_in_chain(game: &GameLine, chain: &[Read<'_>], found: &mut Findings) {
    begins(game, chain, found);
    receipts(chain, found);
    to_whom(game, chain, found);
    seeds(game, chain, found);
    for pair in chain.windows(2) {
        if let [before, over] = pair
            && over.kind == "post.over"
            && before.kind == "post.due"
        {
            found.faults.push(format!("entry {}: what was due is done before the game is over", before.seq));
        }
    }
}

/// A game of dice protocol 2 begins with its terms, and names its program before anything is played; a root is published in
/// a letter, so it stands before the first.
fn begins(game: &GameLine, chain: &[Read<'_>], found: &mut Findings) {
    if game.protocol == two::PROTOCOL && !chain.is_empty() {
        let second = chain.get(1).map(|entry| entry.kind);
        let mut before = chain.iter().take_while(|entry| entry.kind != "input");
        if second != Some("post.options") || !before.any(|entry| entry.kind == "post.program") {
            found.faults.push("the chain does not begin with the game, its terms and its program".to_owned());
        }
    }
    let letter = chain.iter().position(Read::went_out);
    let root = chain.iter().position(|entry| entry.kind == "post.commit");
    if letter.zip(root).is_some_and(|(letter, root)| letter < root) {
        found.faults.push("a letter went out before the root was made that it publishes".to_owned());
    }
}

/// A program that says when mails came in says it of each.
fn receipts(chain: &[Read<'_>], found: &mut Findings) {
    let mut says = false;
    for entry in chain.iter().filter(|entry| entry.came_in()) {
        let at = entry.body.get("at").is_some();
        if says && !at {
            found.faults.push(format!("entry {}: it does not say when the mail came in", entry.seq));
        }
        says |= at;
    }
}

/// Letters go to the seats of the game and to its observers.
fn to_whom(game: &GameLine, chain: &[Read<'_>], found: &mut Findings) {
    let seats = chain.first().and_then(|entry| entry.body.get("seats")).and_then(Value::as_array);
    let mut seats: BTreeSet<&str> = seats.into_iter().flatten().filter_map(Value::as_str).collect();
    for entry in chain {
        let seat = text(&entry.body, "seat");
        if entry.kind == "post.observer" {
            seats.insert(seat);
        }
        if entry.kind == "post.mail" && !seats.contains(seat) {
            found.faults.push(format!("entry {}: {seat} is no seat of {}", entry.seq, game.id));
        }
    }
}

/// The seeds of a slot are told in one order, and nothing is rolled with them after that; at the end of the game all are told.
fn seeds(game: &GameLine, chain: &[Read<'_>], found: &mut Findings) {
    let scopes: Vec<&str> = ["public"].into_iter().chain(game.sides.iter().map(String::as_str)).collect();
    let mut told: BTreeMap<u64, usize> = BTreeMap::new();
    let mut over = false;
    for entry in chain {
        match entry.kind {
            "post.over" => over = true,
            "post.seed" => {
                let at = told.entry(entry.body.get("slot").and_then(Value::as_u64).unwrap_or(u64::MAX)).or_default();
                if over || scopes.get(*at).is_none_or(|scope| *scope != text(&entry.body, "scope")) {
                    found.faults.push(format!("entry {}: a seed is told out of its turn", entry.seq));
                }
                *at = at.saturating_add(1);
            }
            "roll" if told.contains_key(&u64::from(entry.slot)) => {
                found.faults.push(format!("entry {}: its seed had been told before it was rolled", entry.seq));
            }
            _ => {}
        }
    }
}
