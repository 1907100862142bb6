//! The seals under the mails of a game of dice protocol 2: with the first master everybody can make them again.

use super::GameLine;
use super::chain::text;
use super::entries::Read;
use super::verify::{Findings, bytes};
use crate::dice::two::{self, Sealed};
use crate::dice::{Bytes32, Master};
use crate::mail::write;
use std::collections::BTreeMap;

/// A mail of a seat as its seal names it: number, paper, seal.
type Last<'c> = (u32, &'c str, &'c str);

/// Every mail that went out has a seal, over its words, the seat's mail before, and the chain up to it.
pub(super) fn seals_in_chain(game: &GameLine, master: &Bytes32, chain: &[Read<'_>], found: &mut Findings) {
    // A letter that is withdrawn at a restore is written before the restore's own entry.
    let restores = chain.iter().filter(|entry| entry.is_restore());
    let epochs: Vec<&str> = [""].into_iter().chain(restores.map(|entry| text(&entry.body, "epoch"))).collect();
    let mut last: BTreeMap<&str, Last<'_>> = BTreeMap::new();
    for Read { seq, prev, kind, body, .. } in chain {
        if *kind != "post.mail" || text(body, "direction") != "out" {
            continue;
        }
        let (seat, paper, seal) = (text(body, "seat"), text(body, "paper"), text(body, "seal"));
        let number = body.get("number").and_then(serde_json::Value::as_u64).and_then(|n| u32::try_from(n).ok());
        let (Some(number), Some(digest)) = (number, bytes(paper)) else {
            found.faults.push(format!("entry {seq}: a mail to {seat} has no seal"));
            continue;
        };
        // The first copy of a mail has a name that follows from the master; the others' from their addresses, too.
        if last.get(seat).is_none_or(|(before, ..)| *before != number)
            && !epochs.iter().any(|epoch| named(game, master, (seat, number), epoch, text(body, "message_id")))
        {
            found.faults.push(format!("entry {seq}: mail {number} to {seat} has a name that is not its own"));
        }
        let own = (number, paper, seal);
        // Each copy of a mail has the same.
        if last.get(seat) == Some(&own) {
            continue;
        }
        let before = last.get(seat).map_or("", |(_, _, seal)| seal);
        let made = |epoch: &&str| {
            let of = Sealed { game: &game.id, seat, number, epoch, before, paper: digest, head: prev };
            two::seal(master, &of) == seal
        };
        if !epochs.iter().any(made) {
            found.faults.push(format!("entry {seq}: the seal of mail {number} to {seat} is not the one that is made"));
        }
        last.insert(seat, own);
    }
}

/// Whether a mail has the name that its seat and number make.
fn named(game: &GameLine, master: &Bytes32, (seat, number): (&str, u32), epoch: &str, id: &str) -> bool {
    let purpose = if epoch.is_empty() { "message-id".to_owned() } else { format!("message-id/epoch/{epoch}") };
    let key = Master::from_bytes(*master).secret(&game.id, &purpose, "");
    let domain = id.split_once('@').map_or("", |(_, domain)| domain);
    write::message_id(&key, &game.id, seat, u64::from(number), domain).as_str() == id
}
