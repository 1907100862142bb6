//! What the chain of a bundle says, beside what the bundle's other lines say: the game, roots, rolls, mails, umpires' acts.

use super::verify::{Findings, roots};
use super::{GameLine, Line};
use serde_json::Value;
use std::collections::BTreeSet;

/// A text in the body of an entry; empty where there is none.
pub(super) fn text<'b>(body: &'b Value, name: &str) -> &'b str {
    body.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The seats that the first entry of a chain names, umpires behind those who play.
pub(super) fn seats(game: &Value) -> impl Iterator<Item = &str> {
    game.get("seats").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// A mail as an entry of the chain names it: direction, seat, Message-ID and digest.
pub(super) fn mail_of(body: &str) -> [String; 4] {
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    ["direction", "seat", "message_id", "sha256"].map(|name| text(&body, name).to_owned())
}

/// The game line says what the chain began with, and the salt that it names.
pub(super) fn game_in_chain(game: &GameLine, lines: &[Line], found: &mut Findings) {
    let mut entries = lines.iter().filter_map(|line| match line {
        Line::Event { entry, body, .. } => Some((entry.as_str(), body)),
        _ => None,
    });
    let Some(("post.game", body)) = entries.next() else {
        found.faults.push("the chain does not begin with its game".to_owned());
        return;
    };
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let text = |name: &str| text(&body, name);
    let version = body.get("version").map(ToString::to_string).unwrap_or_default();
    let facts = [
        ("id", game.id == text("id")),
        ("ruleset", game.ruleset == text("ruleset")),
        ("engine version", game.engine == version),
        ("scenario", game.scenario == text("scenario")),
        ("tempo", game.tempo == text("tempo")),
        // Umpires stand behind the playing seats.
        ("list of seats", seats(&body).take(game.seats.len()).eq(&game.seats)),
    ];
    for (what, _) in facts.iter().filter(|(_, same)| !same) {
        found.faults.push(format!("the game's {what} is not that of the chain"));
    }
    let salts = entries.filter(|(entry, _)| *entry == "post.salt");
    let salts = salts.filter_map(|(_, body)| serde_json::from_str::<Value>(body).ok());
    let salts: Vec<Value> = salts.filter_map(|body| body.get("salt").cloned()).collect();
    // Under dice protocol 2 each notice has its own.
    if game.protocol == 1 && salts.last().and_then(Value::as_str) != game.salt.as_deref() {
        found.faults.push("the game's salt is not that of the chain".to_owned());
    }
}

/// The roots of the bundle are those that the chain says were published: before the game, and at each restore.
pub(super) fn roots_in_chain(lines: &[Line], found: &mut Findings) {
    let mut kept = Vec::new();
    for line in lines {
        let Line::Event { entry, body, .. } = line else { continue };
        if !matches!(entry.as_str(), "post.commit" | "post.restored") {
            continue;
        }
        let body: Value = serde_json::from_str(body).unwrap_or_default();
        let from = body.get("from").and_then(Value::as_u64).unwrap_or(0);
        kept.push((text(&body, "root").to_owned(), from, text(&body, "epoch").to_owned()));
    }
    let told: Vec<(String, u64, String)> =
        roots(lines).iter().map(|told| (told.root.clone(), u64::from(told.from), told.epoch.clone())).collect();
    if told != kept {
        found.faults.push("the roots are not those that the chain says were published".to_owned());
    }
}

pub(super) fn rolls_in_chain(lines: &[Line], found: &mut Findings) {
    let told: Vec<Value> = lines
        .iter()
        .filter_map(|l| match l {
            Line::Roll { slot, scope, label, n, sides, dice, fiat } => {
                Some(serde_json::json!([slot, scope, label, n, sides, dice, fiat]))
            }
            _ => None,
        })
        .collect();
    let mut kept = Vec::new();
    for line in lines {
        let Line::Event { slot, entry, body, seq, .. } = line else { continue };
        if entry != "roll" {
            continue;
        }
        match serde_json::from_str::<crate::dice::Roll>(body) {
            Ok(r) => kept.push(serde_json::json!([slot, r.scope.text(), r.label, r.n, r.sides, r.dice, r.fiat])),
            Err(why) => found.faults.push(format!("entry {seq} of the chain is no roll: {why}")),
        }
    }
    if told != kept {
        found.faults.push("the rolls are not those of the chain".to_owned());
    }
}

/// What the umpires did, as the ledger says it.
pub(super) fn ledger_in_chain(lines: &[Line], found: &mut Findings) {
    for line in lines {
        let Line::Event { seq, entry, body, .. } = line else { continue };
        if entry != "post.ledger" {
            continue;
        }
        let body: Value = serde_json::from_str(body).unwrap_or_default();
        let text = |name: &str| text(&body, name);
        let reason = text("reason");
        let reason = if reason.is_empty() { String::new() } else { format!("  ({reason})") };
        found.ledger.push(format!("{seq}  {}  {}: {}{reason}", text("at"), text("by"), text("text")));
    }
}

/// Every mail that the chain names is in the bundle, and the bundle has no other: none that nobody sent, none twice, none
/// under another seat or name.
pub(super) fn mails_in_chain(lines: &[Line], found: &mut Findings) {
    let mut kept: BTreeSet<[String; 4]> = BTreeSet::new();
    for line in lines {
        let Line::Event { entry, body, .. } = line else { continue };
        let kind = entry.strip_prefix("post.").filter(|kind| matches!(*kind, "mail" | "withdrawn"));
        let Some(kind) = kind else { continue };
        let mail = mail_of(body);
        // What an umpire withdrew before it was sent has another mail in its place, under its name.
        if kind == "withdrawn" {
            kept.remove(&mail);
        } else {
            kept.insert(mail);
        }
    }
    for line in lines {
        let Line::Mail { direction, seat, message_id, sha256, .. } = line else { continue };
        let told = [direction.clone(), seat.clone(), message_id.clone(), sha256.clone()];
        if !kept.remove(&told) {
            found.faults.push(format!(
                "the mail {message_id} ({direction}, {seat}) stands not so in the chain, or twice in the bundle"
            ));
        }
    }
    for [direction, seat, message_id, _] in kept {
        found.faults.push(format!("the mail {message_id} ({direction}, {seat}) of the chain is missing"));
    }
}
