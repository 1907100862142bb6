//! Mails that belong to no seat: to the operator, to a stranger, or to somebody who asks for a seat.

use super::error::Trouble;
use super::{Env, when};
use crate::dice::hex;
use crate::letter::{Context, Form, Written};
use crate::mail::script::{REPORT_END, report_mark};
use crate::mail::write::{Outgoing, WriteError};
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
        let named = format!("estafette/plain/v1\0{}\0{}", self.to, self.named);
        if let Ok(mail) = loose(env, self.to, written, &named, self.answers) {
            act.queue(&mail)?;
        }
        Ok(())
    }
}

/// A mail of no seat for the outbox. Its Message-ID follows from `named`; `answers` is the row and the Message-ID of the
/// mail that it answers.
///
/// # Errors
/// An address that cannot be written to.
pub(super) fn loose(
    env: &Env<'_>,
    to: &str,
    written: Written,
    named: &str,
    answers: Option<(i64, &str)>,
) -> Result<NewOutbox, WriteError> {
    let local: String = hex(&Sha256::digest(named)).chars().take(32).collect();
    let message_id = format!("{local}@{}", env.config.message_domain());
    // Our own name for a mail without a Message-ID means nothing to its sender.
    let answered = answers.map(|(_, id)| id.to_owned()).filter(|id| !id.starts_with("sha256:"));
    let raw = Outgoing {
        from: env.sender(),
        to: to.to_owned(),
        subject: written.subject,
        message_id: message_id.clone(),
        in_reply_to: answered.clone(),
        references: answered.into_iter().collect(),
        date: env.now,
        text: written.body,
        html: None,
        attachments: Vec::new(),
    }
    .render()?;
    Ok(NewOutbox {
        game: None,
        seat: None,
        number: None,
        message_id,
        recipient: to.to_owned(),
        raw,
        held: false,
        queued: when::kept(env.now),
        answers: answers.map(|(row, _)| row),
        asked: true,
    })
}
