//! Where an entry of a chain may stand: what a game begins with, what comes before a letter, and to whom letters go.

use super::GameLine;
use super::chain::{seats, text};
use super::entries::Read;
use super::verify::Findings;
use crate::dice::two;
use std::collections::BTreeSet;

/// Each entry stands where the post office would have written it.
pub(super) fn places_in_chain(game: &GameLine, chain: &[Read<'_>], found: &mut Findings) {
    begins(game, chain, found);
    receipts(chain, found);
    to_whom(game, chain, found);
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
    let mut seats: BTreeSet<&str> = chain.first().into_iter().flat_map(|entry| seats(&entry.body)).collect();
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
