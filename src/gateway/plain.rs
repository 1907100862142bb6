//! A mail that belongs to no seat: to the operator, or to somebody who asks for a seat.

use super::error::Trouble;
use super::{Env, when};
use crate::dice::hex;
use crate::letter::{Context, Form};
use crate::mail::script::{REPORT_END, report_mark};
use crate::mail::write::Outgoing;
use crate::store::{Act, NewOutbox};
use sha2::{Digest, Sha256};

/// What it says, and to whom.
pub(super) struct Plain<'a> {
    pub to: &'a str,
    pub topic: &'a str,
    pub notes: &'a [String],
    /// The mail that is answered: its row and its Message-ID.
    pub answers: Option<(i64, &'a str)>,
    /// What tells it from others of the same words.
    pub named: &'a str,
}

impl Plain<'_> {
    /// Puts it into the outbox; an address that cannot be written to gets nothing.
    pub(super) fn post(&self, env: &Env<'_>, act: &Act<'_>) -> Result<(), Trouble> {
        let context = Context {
            mark: report_mark(0),
            end: REPORT_END.to_owned(),
            topic: self.topic.to_owned(),
            notes: self.notes.to_vec(),
            ..Context::default()
        };
        let written = env.write("plain.txt", &context, Form::WIDE)?;
        let digest = hex(&Sha256::digest(format!("estafette/plain/v1\0{}\0{}", self.to, self.named)));
        let local = digest.get(..32).unwrap_or_default();
        let message_id = format!("{local}@{}", env.config.message_domain());
        let answered = self.answers.map(|(_, id)| id.to_owned()).filter(|id| !id.starts_with("sha256:"));
        let raw = Outgoing {
            from: env.sender(),
            to: self.to.to_owned(),
            subject: written.subject,
            message_id: message_id.clone(),
            in_reply_to: answered.clone(),
            references: answered.into_iter().collect(),
            date: env.now,
            text: written.body,
            html: None,
            attachments: Vec::new(),
        }
        .render();
        let Ok(raw) = raw else { return Ok(()) };
        act.queue(&NewOutbox {
            game: None,
            seat: None,
            number: None,
            message_id,
            recipient: self.to.to_owned(),
            raw,
            held: false,
            queued: when::kept(env.now),
            answers: self.answers.map(|(row, _)| row),
        })?;
        Ok(())
    }
}
