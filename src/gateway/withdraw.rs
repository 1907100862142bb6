//! Letters that an umpire holds: he may read them first, and what he takes back is never sent.
//!
//! A letter withdrawn keeps its number and name, so that no gap shows; in its place goes a word that it was withdrawn.

use super::acts::Umpire;
use super::codes;
use super::error::Trouble;
use super::ledger::{Class, Entry};
use super::player::Reply;
use super::sitting::Sitting;
use crate::dice::hex;
use crate::letter::{Block, Context};
use crate::mail::read::{Limits, read};
use crate::store::{OutboxMail, OutboxState};
use serde_json::json;
use sha2::{Digest, Sha256};

impl Sitting<'_> {
    /// The letters to playing seats that wait for RELEASE, oldest first.
    pub(super) fn held_letters(&self) -> Result<Vec<OutboxMail>, Trouble> {
        let mut held = Vec::new();
        for seat in self.players() {
            let mails = self.act.outbox_of_seat(&self.row.id, &seat.0)?;
            held.extend(mails.into_iter().filter(|mail| mail.state == OutboxState::Held));
        }
        held.sort_by_key(|mail| mail.id);
        Ok(held)
    }

    /// Shows the letters that wait, whole.
    pub(super) fn show_held(&mut self, who: &Umpire, reply: &mut Reply) -> Result<String, Trouble> {
        let mut held = self.held_letters()?;
        // A seat with several addresses gets a copy at each.
        held.dedup_by_key(|mail| (mail.seat.clone(), mail.number));
        if held.is_empty() {
            return Ok("no letter waits.".to_owned());
        }
        for mail in &held {
            let (seat, number) = (mail.seat.clone().unwrap_or_default(), mail.number.unwrap_or(0));
            let text = read(&mail.raw, &Limits::default()).map(|incoming| incoming.text).unwrap_or_default();
            let text = codes::masked(&text);
            // Its marks would hide what the umpire writes below them.
            let lines: Vec<String> =
                text.lines().filter(|line| !line.starts_with("===")).map(|line| format!("  {line}")).collect();
            reply.blocks.push(Block::new(format!("HELD: mail {number} to {seat}"), lines));
        }
        self.ledger(&who.by, Entry::new(Class::Look, &self.sides(), "SHOW HELD", ""))?;
        Ok(format!(
            "{} below.",
            crate::text::plural(i64::try_from(held.len()).unwrap_or(i64::MAX), "letter", "letters")
        ))
    }

    /// Puts a word of withdrawal in the place of each letter that waits; how many.
    pub(super) fn withdraw_held(&mut self, reason: &str) -> Result<usize, Trouble> {
        let held = self.held_letters()?;
        for mail in &held {
            let (Some(seat), Some(number)) = (mail.seat.as_deref(), mail.number) else { continue };
            let sha256 = hex(&Sha256::digest(&mail.raw));
            let body = json!({"direction": "out", "seat": seat, "number": number, "message_id": mail.message_id,
                "sha256": sha256});
            self.enter("withdrawn", &body)?;
            let notes = vec![
                "This mail was withdrawn by the umpire before it went out; what it told did not happen.".to_owned(),
                format!("His reason: {reason}"),
            ];
            let context = Context { topic: "withdrawn".to_owned(), notes, ..Context::default() };
            if let Some(row) = self.seat(seat)? {
                self.desk().write_over(mail, &row, context)?;
            }
        }
        Ok(held.len())
    }
}
