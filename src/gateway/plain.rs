//! Mails that belong to no seat: to the operator, to a stranger, or to somebody who asks for a seat.

use super::error::Trouble;
use super::{Env, when};
use crate::address::Address;
use crate::letter::{Context, Form, Written};
use crate::mail::id::MessageId;
use crate::mail::script::{REPORT_END, report_mark};
use crate::mail::write::{Outgoing, WriteError, named_id};
use crate::store::{Act, NewOutbox};

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
    /// Puts it into the outbox; an address that cannot be written to gets nothing, and the log says so.
    pub(super) fn post(&self, env: &Env<'_>, act: &Act<'_>) -> Result<(), Trouble> {
        let context = Context {
            mark: report_mark(0),
            end: REPORT_END.to_owned(),
            topic: self.topic.to_owned(),
            notes: self.notes.to_vec(),
            ..Context::default()
        };
        let (written, _) = env.write("plain.txt", &context, Form::WIDE);
        let named = format!("estafette/plain/v1\0{}\0{}", self.to, self.named);
        let to = match Address::parse(self.to) {
            Ok(to) => to,
            Err(error) => {
                tracing::warn!(%error, "a mail of no seat is not written");
                return Ok(());
            }
        };
        match loose(env, &to, written, &named, self.answers) {
            Ok(mail) => drop(act.queue(&mail)?),
            Err(error) => tracing::error!(%error, "a mail of no seat is not written"),
        }
        Ok(())
    }
}

/// A mail of no seat for the outbox. Its Message-ID follows from `named`; `answers` is the row and the Message-ID of the
/// mail that it answers.
///
/// # Errors
/// A letter that cannot be written.
pub(super) fn loose(
    env: &Env<'_>,
    to: &Address,
    written: Written,
    named: &str,
    answers: Option<(i64, &str)>,
) -> Result<NewOutbox, WriteError> {
    let message_id = named_id(named, env.config.message_domain());
    // Our own name for a mail without a Message-ID means nothing to its sender.
    let answered = answers.map(|(_, id)| id).filter(|id| !id.starts_with("sha256:")).and_then(MessageId::parse);
    let raw = Outgoing {
        in_reply_to: answered.clone(),
        references: answered.into_iter().collect(),
        ..env.mail(to.clone(), message_id.clone(), written)
    }
    .render()?;
    Ok(NewOutbox {
        game: None,
        seat: None,
        number: None,
        message_id: message_id.to_string(),
        recipient: to.to_string(),
        raw,
        held: false,
        queued: when::kept(env.now),
        answers: answers.map(|(row, _)| row),
        asked: true,
    })
}
