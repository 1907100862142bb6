//! AUDIT: the bundle of what a seat may check today, as an attachment.

use super::commands::Item;
use super::error::Trouble;
use super::player::Reply;
use super::press::is_umpire;
use super::sitting::Sitting;
use super::when;
use crate::audit::bundle::{Asker, Raw, bundle_with, size};
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
        let day = when::day(self.env.now);
        let limits = &self.env.config.limits;
        let most = limits.audits_per_day_max;
        if self.act.count_answer(&format!("audit {}/{seat}", self.row.id), &day)? > most {
            reply.say(
                item,
                "REFUSED",
                &format!("{most} bundles were made for you today, which is enough; ask tomorrow."),
            );
            return Ok(());
        }
        // About its size is known before it is made; what the rolls add shows then.
        let most = u64::try_from(limits.bundle_bytes_max).unwrap_or(u64::MAX);
        let whole = size(self.act, &self.row, &asker, Raw::Kept)?;
        let raw = if whole > most { Raw::LeftOut } else { Raw::Kept };
        if size(self.act, &self.row, &asker, raw)? > most {
            self.too_large(seat, item, whole, reply);
            return Ok(());
        }
        let lines = bundle_with(self.act, &self.row, self.hosted.as_ref(), (&asker, raw))?;
        let content = audit::write(&lines).into_bytes();
        let bytes = u64::try_from(content.len()).unwrap_or(u64::MAX);
        if bytes > most {
            self.too_large(seat, item, bytes, reply);
            return Ok(());
        }
        // Playing a whole game again is for who reads the bundle: one mail must not cost so much.
        let found = verify(&lines, &[]);
        let name = format!("{}-audit.jsonl", self.row.id);
        let rolls = plural(found.rolls, "roll", "rolls");
        let open = plural(found.rolls_open, "waits", "wait");
        let why = format!("see the attached {name}: {rolls} can be recomputed now, {open} for a seed.");
        let left_out = match raw {
            Raw::Kept => "",
            Raw::LeftOut => {
                "  Of your mails it holds the digests alone: with their bytes it would be too large to mail."
            }
        };
        reply.say(item, "DONE", &format!("{why}{left_out}"));
        for fault in &found.faults {
            reply.notes.push(format!("The audit found a fault: {fault}."));
        }
        reply.extras.attachments.push((name, "application/x-ndjson".to_owned(), content));
        Ok(())
    }
    /// How to come by a bundle that is not mailed.
    fn too_large(&self, seat: &str, item: &Item, bytes: u64, reply: &mut Reply) {
        let why = format!(
            "the bundle has about {} kB, and at most {} kB are mailed.  The operator can make it for you: `estafette audit \
             {} --seat {seat} --export FILE`.",
            bytes.div_ceil(1000),
            self.env.config.limits.bundle_bytes_max / 1000,
            self.row.id
        );
        reply.say(item, "REFUSED", &why);
    }
}
