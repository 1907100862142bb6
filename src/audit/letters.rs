//! The letters of a chain: each is told once, and withdrawn only where play goes back, with its other words in its place.

use super::chain::text;
use super::entries::Read;
use super::verify::Findings;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A letter that went out: its number, its words, how many copies of it went out.
type Letter<'c> = (u64, &'c str, usize);

/// No letter is told twice or otherwise: only where play goes back are the held ones withdrawn, each with its other words at
/// once in its place.
pub(super) fn letters_once(chain: &[Read<'_>], found: &mut Findings) {
    let mut letters = Letters::default();
    for (at, entry) in chain.iter().enumerate() {
        let seat = text(&entry.body, "seat");
        let whys = match entry.kind {
            "post.withdrawn" => letters.withdrawn(chain, at, entry),
            _ if entry.went_out() => letters.out(at.checked_sub(1).and_then(|at| chain.get(at)), entry),
            _ => Vec::new(),
        };
        found.faults.extend(whys.into_iter().map(|why| format!("entry {} ({}): {why}", entry.seq, entry.kind)));
        match entry.kind {
            "post.hold" => letters.held = true,
            "post.release" => letters.held = false,
            "post.address" | "post.replace" | "post.stand-in" | "post.vacant" | "post.observer" => {
                _ = letters.moved.insert(seat)
            }
            "post.restored" | "post.epoch" => {
                let all: Vec<&str> = letters.last.keys().copied().collect();
                letters.moved.extend(all);
            }
            _ => {}
        }
    }
}

/// The letters of a chain as it is looked through.
#[derive(Default)]
struct Letters<'c> {
    last: BTreeMap<&'c str, Letter<'c>>,
    copies: BTreeMap<&'c str, usize>,
    /// Whose addresses are others than at first, or may be.
    moved: BTreeSet<&'c str>,
    sent: BTreeSet<(&'c str, &'c str)>,
    held: bool,
}

fn number(entry: &Read<'_>) -> u64 {
    entry.body.get("number").and_then(Value::as_u64).unwrap_or(0)
}

/// Whether two entries are of one letter.
fn same_letter(a: &Read<'_>, b: &Read<'_>) -> bool {
    ["seat", "message_id"].iter().all(|field| text(&a.body, field) == text(&b.body, field)) && number(a) == number(b)
}

impl<'c> Letters<'c> {
    /// What is wrong with a letter that is withdrawn.
    fn withdrawn(&self, chain: &[Read<'_>], at: usize, entry: &Read<'_>) -> Vec<&'static str> {
        let mut whys = Vec::new();
        let run = |entry: &&Read<'_>| entry.kind == "post.withdrawn" || entry.went_out();
        let before = chain.iter().take(at).rfind(|entry| !run(entry));
        let behind = chain.iter().skip(at).find(|entry| !run(entry));
        let back = before.is_some_and(|e| e.kind == "post.ledger" && text(&e.body, "text").starts_with("REWIND"));
        let restored = behind.is_some_and(|e| e.is_restore() || text(&e.body, "kind") == "restored");
        if !(restored || self.held && back) {
            whys.push("a letter is withdrawn only where play goes back and the game was held");
        }
        if !chain.get(at.saturating_add(1)).is_some_and(|next| next.went_out() && same_letter(entry, next)) {
            whys.push("nothing stands in the place of the letter");
        }
        if !self.sent.contains(&(text(&entry.body, "message_id"), text(&entry.body, "sha256"))) {
            whys.push("there was no such letter");
        }
        whys
    }

    /// What is wrong with a letter that goes out, behind the entry before it.
    fn out(&mut self, before: Option<&Read<'_>>, entry: &'c Read<'c>) -> Vec<&'static str> {
        let seat = text(&entry.body, "seat");
        self.sent.insert((text(&entry.body, "message_id"), text(&entry.body, "sha256")));
        if before.is_some_and(|before| before.kind == "post.withdrawn" && same_letter(before, entry)) {
            return Vec::new();
        }
        let (no, words) = (number(entry), text(&entry.body, "paper"));
        let known = self.last.get(seat).copied();
        let stays = !self.moved.contains(seat);
        if let Some((_, paper, count)) = known.filter(|(known, ..)| *known == no) {
            let count = count.saturating_add(1);
            self.last.insert(seat, (no, paper, count));
            let often = stays && self.copies.get(seat).is_some_and(|most| count > *most);
            return [
                (paper != words).then_some("a copy of the letter says something else"),
                often.then_some("the letter went out more often than those before it"),
            ]
            .into_iter()
            .flatten()
            .collect();
        }
        if known.is_some_and(|(known, ..)| no < known) {
            return vec!["a letter of that number went out before"];
        }
        self.last.insert(seat, (no, words, 1));
        let fewer = known.is_some_and(|(_, _, count)| count < *self.copies.entry(seat).or_insert(count));
        if stays && fewer {
            vec!["the letter before it went to fewer addresses than those before that"]
        } else {
            Vec::new()
        }
    }
}
