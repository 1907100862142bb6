//! `estafette audit`: of a game here, or of anybody's bundle.

use super::args::Audit;
use super::fresh::write_whole;
use super::progress::Progress;
use super::{Desk, Done, FOUND, Failure, IO, OPEN, usage};
use crate::audit::bundle::{Asker, bundle};
use crate::audit::mails::{Witness, witness};
use crate::audit::verify::{Findings, Verdict, verify};
use crate::audit::{self, Line};
use crate::fog::SideId;
use crate::gateway::{self, table};
use crate::mail::mailbox;
use serde_json::json;
use std::path::Path;

/// The second implementation, which knows no rules and nothing of this program.
const SCRIPT: &str = include_str!("../../tests/audit/verify.py");

impl Desk<'_> {
    pub(super) fn audit(&mut self, asked: &Audit) -> Done {
        if asked.script {
            self.out.write_all(SCRIPT.as_bytes())?;
            return Ok(0);
        }
        if let Some(path) = &asked.bundle {
            let bytes =
                std::fs::read(path).map_err(|error| Failure::Said(IO, format!("{}: {error}", path.display())))?;
            let text = String::from_utf8(bytes).map_err(|bad| {
                let (sound, whole) = (bad.utf8_error().valid_up_to(), bad.as_bytes());
                let line = whole.iter().take(sound).filter(|byte| **byte == b'\n').count() + 1;
                Failure::Said(FOUND, format!("{}: line {line}: it is no text (UTF-8)", path.display()))
            })?;
            let lines = audit::read(&text).map_err(|why| Failure::Said(FOUND, format!("{}: {why}", path.display())))?;
            return self.verified(asked, &lines);
        }
        let Some(game) = &asked.game else { return Err(usage("name a game, or --bundle FILE.")) };
        let store = gateway::store_of(&asked.at.dir)?;
        let row = gateway::game_of(&store, game)?;
        let hosted = table::open(self.entries, &store, &row)
            .map_err(|why| Failure::Said(FOUND, format!("{game} cannot be opened: {why}")))?;
        if let Some(path) = &asked.export {
            let asker = match &asked.seat {
                None => Asker::Public,
                Some(seat) => match store.seat(game, seat)? {
                    Some(found) => match found.side {
                        Some(side) => Asker::Seat { seat: seat.clone(), side: SideId(side) },
                        None => Asker::All,
                    },
                    None => return Err(usage(format!("{game} has no seat \"{seat}\"."))),
                },
            };
            let text = audit::write(&bundle(&store, &row, hosted.as_ref(), &asker)?);
            return self.export(path, &text);
        }
        store.verify_log(game).map_err(|error| Failure::Said(FOUND, error.to_string()))?;
        self.verified(asked, &bundle(&store, &row, hosted.as_ref(), &Asker::All)?)
    }

    /// Verifies a bundle, and compares it with a mailbox where one is given.
    fn verified(&mut self, asked: &Audit, lines: &[Line]) -> Done {
        let wheel = Progress::wheel("played again, and compared");
        let mut found = verify(lines, self.entries);
        drop(wheel);
        let Some(folder) = &asked.mails else { return self.found(&found, None) };
        let mails =
            mailbox::mails_in(folder).map_err(|error| Failure::Said(IO, format!("{}: {error}", folder.display())))?;
        let witness = witness(lines, &mails);
        found.heard(&witness);
        self.found(&found, Some(&witness))
    }

    fn export(&mut self, path: &Path, text: &str) -> Done {
        if path.as_os_str() == "-" {
            self.out.write_all(text.as_bytes())?;
        } else {
            write_whole(path, text.as_bytes())?;
            let count = text.lines().count();
            if self.json {
                self.say_json(&json!({"lines": count, "file": path}))?;
                return Ok(0);
            }
            self.say(&format!("{count} lines in {}.", path.display()))?;
        }
        Ok(0)
    }

    fn found(&mut self, found: &Findings, witness: Option<&Witness>) -> Done {
        let (word, code) = match found.verdict {
            Verdict::Agrees => ("AGREES".to_owned(), 0),
            // The first leads; all are listed above.
            Verdict::Differs => (format!("DIFFERS AT {}", found.faults.first().map_or("", String::as_str)), FOUND),
            Verdict::Open => ("OPEN: it agrees as far as it is open; the game is on".to_owned(), OPEN),
            Verdict::NotVerified => ("NOT VERIFIED: nothing differs, but not all of it was proved".to_owned(), OPEN),
        };
        let open: Vec<&String> = found.not_replayed.iter().chain(&found.unproved).collect();
        if self.json {
            let mut json = serde_json::to_value(found).unwrap_or_default();
            if let Some(json) = json.as_object_mut() {
                json.insert("open".to_owned(), json!(open));
                json.insert("witness".to_owned(), serde_json::to_value(witness).unwrap_or_default());
            }
            self.say_json(&json)?;
            return Ok(code);
        }
        let Findings { game, commitments, seeds, rolls, rolls_open, entries, .. } = found;
        self.say(&format!(
            "{game}: {commitments} commitments, {seeds} seeds, {rolls} rolls recomputed, {rolls_open} open"
        ))?;
        if found.fiats > 0 {
            self.say(&format!("  {} rolls by an umpire's fiat, which no seed made", found.fiats))?;
        }
        // The words of letters hang on templates and settings, which no bundle holds; a mailbox has them.
        let Findings { mails, mails_in, mails_out, .. } = found;
        self.say(&format!(
            "  {mails} of {mails_in} mails that came in recomputed from their bytes,\n  {mails_out} that went out by their \
             digests, not word by word; {entries} entries of the chain"
        ))?;
        for (root, mail) in found.roots.iter().zip(&found.root_mails) {
            self.say(&format!("  root {root},\n    to be compared with {mail}"))?;
        }
        if let Some(head) = &found.head {
            self.say(&format!("  head {head},\n    the chain's last hash; compare it with the other players'"))?;
        }
        match (&found.replayed, &found.not_replayed) {
            (Some(count), _) => self.say(&format!("  played again: {count} entries came out the same"))?,
            (None, Some(why)) => self.say(&format!("  not played again: {why}"))?,
            (None, None) => {}
        }
        if !found.ledger.is_empty() {
            self.say("  what the umpires did:")?;
        }
        for entry in &found.ledger {
            self.say(&format!("    {entry}"))?;
        }
        if let Some(Witness { letters, sealed, own, said, .. }) = witness {
            self.say(&format!(
                "  mailbox: {letters} letters are as the bundle says, {sealed} by their seal, and {own} own mails"
            ))?;
            for said in said {
                self.say(&format!("  mailbox: {said}"))?;
            }
        }
        for why in &found.unproved {
            self.say(&format!("  not proved: {why}"))?;
        }
        for fault in &found.faults {
            self.say(&format!("  FAULT  {fault}"))?;
        }
        self.say(&format!("  {word}"))?;
        Ok(code)
    }
}
