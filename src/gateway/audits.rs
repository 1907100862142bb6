//! AUDIT: the bundle of what a seat may check today, as an attachment.

use super::commands::Item;
use super::error::Trouble;
use super::player::Reply;
use super::press::is_umpire;
use super::sitting::Sitting;
use crate::audit::bundle::{Asker, bundle};
use crate::audit::{self, verify::verify};
use crate::fog::SideId;
use crate::text::plural;

impl Sitting<'_> {
    /// Puts the bundle that a seat may have today into its answer.
    pub(super) fn audit_asked(&self, seat: &str, item: &Item, reply: &mut Reply) -> Result<(), Trouble> {
        let side = self.seat(seat)?.and_then(|row| row.side);
        let asker = match side {
            Some(side) => Asker::Seat { seat: seat.to_owned(), side: SideId(side) },
            None if is_umpire(seat) && self.plays(seat)?.is_none() => Asker::All,
            None => Asker::Public,
        };
        let lines = bundle(self.act, &self.row, self.hosted.as_ref(), &asker)?;
        // What a seat may see during a game is never played again, so no ruleset is needed for it.
        let found = verify(&lines, self.env.entries);
        let name = format!("{}-audit.jsonl", self.row.id);
        let rolls = plural(found.rolls, "roll", "rolls");
        let open = plural(found.rolls_open, "waits", "wait");
        let why = format!("see the attached {name}: {rolls} can be made again now, {open} for a seed.");
        reply.say(item, "DONE", &why);
        for fault in &found.faults {
            reply.notes.push(format!("The audit found a fault: {fault}."));
        }
        let content = audit::write(&lines).into_bytes();
        reply.extras.attachments.push((name, "application/x-ndjson".to_owned(), content));
        Ok(())
    }
}
