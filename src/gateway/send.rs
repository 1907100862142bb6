//! Mails go out; and the two mails that belong to no sitting: to a stranger, and of a game set aside.

use super::error::{OfficeError, Trouble};
use super::office::Office;
use super::post::Desk;
use super::press::UMPIRE;
use super::{Env, when};
use crate::dice::hex;
use crate::fail;
use crate::letter::{Context, Form};
use crate::mail::read::Head;
use crate::mail::script::{REPORT_END, report_mark};
use crate::mail::write::Outgoing;
use crate::store::{self, Act, GameState, InboxMail, InboxState, NewOutbox, OutboxMail};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use sha2::{Digest, Sha256};

/// Mails that are handed over in one go.
const BATCH: u32 = 100;
/// Sendings that may fail before a mail is given up; with the waits below, some three days.
const TRIES_MAX: u32 = 16;
/// The longest wait between two tries, in minutes.
const WAIT_MINUTES_MAX: i64 = 360;

impl Office {
    /// Hands over what is ready; gives the number sent and the number that could not be.
    pub(super) fn send_outbox(&mut self) -> Result<(usize, usize), OfficeError> {
        let now = self.clock.now();
        let (mut sent, mut unsent) = (0, 0);
        loop {
            let mails = self.store.ready_mails(&when::kept(now), BATCH)?;
            if mails.is_empty() {
                return Ok((sent, unsent));
            }
            for mail in mails {
                let number = u64::try_from(mail.id).unwrap_or_default();
                fail::point("gateway/send");
                match self.transport.send(number, &mail.message_id, &mail.recipient, &mail.raw) {
                    Ok(()) => {
                        self.store.mark_sent(mail.id, &when::kept(now))?;
                        sent += 1;
                    }
                    Err(error) => {
                        let next = if error.is_lasting() { None } else { next_try(&mail, now) };
                        self.store.mark_unsent(mail.id, &error.to_string(), next.as_deref())?;
                        if next.is_none() {
                            self.given_up(&mail)?;
                        }
                        unsent += 1;
                    }
                }
            }
        }
    }

    /// Tells the umpire of a mail that was given up.
    fn given_up(&mut self, mail: &OutboxMail) -> Result<(), OfficeError> {
        let (Some(game), Some(seat), Some(number)) = (&mail.game, &mail.seat, mail.number) else { return Ok(()) };
        if seat == UMPIRE {
            return Ok(());
        }
        let note = format!("Mail {number} to {seat} could not be sent and was given up.");
        let told = self.with_game(game, None, &mut |s| s.notice(UMPIRE, "a mail was given up", vec![note.clone()]));
        told.map(|_| ())
    }

    /// One short answer a day to a stranger, the same to each, with nothing about any game.
    pub(super) fn answer_stranger(
        &mut self,
        mail: &InboxMail,
        head: &Head,
        to: Option<&str>,
        state: InboxState,
        reason: &str,
    ) -> Result<(), OfficeError> {
        let now = self.clock.now();
        let env = self.env();
        let done = self.store.try_act(|act| {
            act.settle(mail.id, state, Some(reason))?;
            let Some(to) = to else { return Ok(()) };
            // Counted apart from a player's answers, should he be one.
            if act.count_answer(&format!("stranger {to}"), &when::day(now))? > 1 {
                return Ok(());
            }
            let context = Context { mark: report_mark(0), end: REPORT_END.to_owned(), ..Context::default() };
            let written = env.write("neutral.txt", &context, Form::WIDE)?;
            let digest = hex(&Sha256::digest(format!("estafette/stranger/v1\0{}", mail.digest)));
            let local = digest.get(..32).unwrap_or_default().to_owned();
            let message_id = format!("{local}@{}", env.config.message_domain());
            let answered = Some(head.message_id.clone()).filter(|id| !id.starts_with("sha256:"));
            let raw = Outgoing {
                from: env.sender(),
                to: to.to_owned(),
                subject: written.subject,
                message_id: message_id.clone(),
                in_reply_to: answered.clone(),
                references: answered.into_iter().collect(),
                date: now,
                text: written.body,
                html: None,
                attachments: Vec::new(),
            }
            .render();
            // An address that cannot be written to gets no answer.
            let Ok(raw) = raw else { return Ok(()) };
            act.queue(&NewOutbox {
                game: None,
                seat: None,
                number: None,
                message_id,
                recipient: to.to_owned(),
                raw,
                held: false,
                queued: when::kept(now),
                answers: Some(mail.id),
            })?;
            Ok::<(), Trouble>(())
        });
        done.map_err(OfficeError::from)
    }
}

/// When to try again: a minute, then twice as long each time; none when it is given up.
fn next_try(mail: &OutboxMail, now: Timestamp) -> Option<String> {
    if mail.tries + 1 >= TRIES_MAX {
        return None;
    }
    let minutes = (1_i64 << mail.tries.min(10)).min(WAIT_MINUTES_MAX);
    now.checked_add(SignedDuration::from_mins(minutes)).ok().map(when::kept)
}

/// Marks a game as corrupt and tells its umpire. The game cannot be opened, so nothing of it is asked here.
pub(super) fn stop_game(env: &Env<'_>, act: &Act<'_>, row: &store::Game, why: &str) -> Result<(), Trouble> {
    act.set_game_state(&row.id, GameState::Corrupt)?;
    let desk = Desk { env, act, row, slot: 0, inbox: None };
    desk.enter("corrupt", &json!({"why": why}))?;
    let notes = vec![
        format!("The game {} is set aside: {why}.", row.id),
        "No mail of it is carried out, and no other game is touched.  The mails that came are kept.  When the fault is \
         mended, RELEASE lets the game go on."
            .to_owned(),
    ];
    desk.notice(UMPIRE, "the game is set aside", notes)
}
