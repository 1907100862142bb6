//! Mails go out; and the two mails that belong to no sitting: to a stranger, and of a game set aside.

use super::carriers::{Room, Way};
use super::error::{OfficeError, Trouble};
use super::faults::Place;
use super::office::Office;
use super::plain::loose;
use super::post::Desk;
use super::press::UMPIRE;
use super::strangers::{is_first_today, may_write_to};
use super::{Env, when};
use crate::address::Address;
use crate::fail;
use crate::letter::{Context, Form};
use crate::mail::read::Head;
use crate::mail::script::{REPORT_END, report_mark};
use crate::mail::{MailError, Parcel};
use crate::store::{self, Act, GameState, InboxMail, InboxState, OutboxMail, OutboxState};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use std::collections::BTreeSet;

/// Mails that are handed over in one go.
const BATCH: u32 = 100;
/// Sendings that may fail before a mail is given up; with the waits below, a little over two days.
const TRIES_MAX: u32 = 17;
/// The longest wait between two tries, in minutes.
const WAIT_MINUTES_MAX: i64 = 360;

/// So many mails in a row that fail stop the sending for this pass.
const IN_A_ROW_MAX: usize = 3;

/// What became of a mail that was to be handed over.
enum Handed {
    /// It was taken.
    Sent,
    /// It was not, and is tried again or given up.
    NotNow,
    /// Its game has had its share of the day's quota.
    Later,
    /// None is handed over for now; whether this one was tried.
    NoneNow { tried: bool },
}

impl Office {
    /// Hands over what is ready, and counts what was sent and what could not be. A mail that cannot be read or noted is
    /// passed over.
    pub(super) fn send_outbox(&mut self, sent: &mut usize, unsent: &mut usize) -> Result<(), OfficeError> {
        let now = self.clock.now();
        if self.rests(Way::Out)? {
            return Ok(());
        }
        let (mut last, mut found, mut in_a_row) = ((i64::MIN, i64::MIN), BTreeSet::new(), 0);
        loop {
            let ready = self.store.ready_after(last, &when::kept(now), BATCH)?;
            let Some(end) = ready.last() else {
                self.forget_faults(|place| matches!(place, Place::Letter(id) if !found.contains(id)));
                return Ok(());
            };
            last = *end;
            for (_, id) in ready {
                found.insert(id);
                // One at a time: a hundred of them may be more than the memory holds.
                match self.apart(Place::Letter(id), &mut |office| office.send_one(id, now)) {
                    Some(Handed::Sent) => {
                        *sent += 1;
                        in_a_row = 0;
                    }
                    Some(Handed::NotNow) => *unsent += 1,
                    Some(Handed::Later) => {}
                    Some(Handed::NoneNow { tried }) => {
                        *unsent += usize::from(tried);
                        return Ok(());
                    }
                    None => {
                        *unsent += 1;
                        in_a_row += 1;
                        // It is no fault of the mails.
                        if in_a_row == IN_A_ROW_MAX {
                            return Ok(());
                        }
                    }
                }
            }
        }
    }

    /// Hands one mail over.
    fn send_one(&mut self, id: i64, now: Timestamp) -> Result<Handed, OfficeError> {
        let Some(mail) = self.store.outbox(id)?.filter(|mail| mail.state == OutboxState::Ready) else {
            return Ok(Handed::NotNow);
        };
        match self.room_for(&mail)? {
            Room::Now => {}
            Room::Tomorrow(at) => {
                self.store.act(|act| act.not_before(mail.id, &at))?;
                return Ok(Handed::Later);
            }
            Room::Full => return Ok(Handed::NoneNow { tried: false }),
        }
        let number = u64::try_from(mail.id).unwrap_or_default();
        fail::point("gateway/send");
        let OutboxMail { message_id, recipient: to, raw, again, .. } = &mail;
        match self.outbound.send(&Parcel { number, again: *again, message_id, to, raw }) {
            Ok(()) => {
                self.store.mark_sent(mail.id, &when::kept(now))?;
                self.came_back(Way::Out)?;
                Ok(Handed::Sent)
            }
            // No mail is at fault, so none is counted as tried.
            Err(error @ MailError::Away { .. }) => {
                self.went_away(Way::Out, &error)?;
                Ok(Handed::NoneNow { tried: true })
            }
            // Nor where the disk is.
            Err(error @ MailError::Io { .. }) => Err(error.into()),
            Err(error) => {
                let why = error.to_string();
                match if error.is_lasting() { None } else { next_try(&mail, now) } {
                    Some(next) => self.store.mark_unsent(mail.id, &why, Some(&next))?,
                    None => self.given_up(&mail, &why)?,
                }
                Ok(Handed::NotNow)
            }
        }
    }

    /// Gives a mail up, and tells the umpire or the operator.
    fn given_up(&mut self, mail: &OutboxMail, why: &str) -> Result<(), OfficeError> {
        let (Some(game), Some(seat), Some(number)) = (&mail.game, &mail.seat, mail.number) else {
            return Ok(self.store.mark_unsent(mail.id, why, None)?);
        };
        tracing::warn!(game, seat, number, why, "a mail was given up");
        let note = format!("Mail {number} to {seat} could not be sent to {} and was given up: {why}", mail.recipient);
        self.and_tell_umpire(game, seat, "a mail was given up", &|act| {
            act.mark_unsent(mail.id, why, None)?;
            Ok(Some(note.clone()))
        })
    }

    /// One short answer a day to a stranger, the same to each, with nothing about any game.
    pub(super) fn answer_stranger(
        &mut self,
        mail: &InboxMail,
        head: &Head,
        to: Option<&Address>,
        state: InboxState,
        reason: &str,
    ) -> Result<(), OfficeError> {
        let env = self.env();
        let done = self.store.try_act(|act| {
            act.settle(mail.id, state, Some(reason))?;
            neutral_answer(&env, act, mail, head, to)
        });
        done.map_err(OfficeError::from)
    }

    /// To whom a stranger's answer goes; to nobody where it would be ourselves or nobody can tell.
    pub(super) fn stranger<'h>(&self, head: &'h Head) -> Option<&'h Address> {
        head.from.as_ref().filter(|from| !from.is_of(&self.config.address))
    }
}

/// The answer that every stranger gets, once a day.
pub(super) fn neutral_answer(
    env: &Env<'_>,
    act: &Act<'_>,
    mail: &InboxMail,
    head: &Head,
    to: Option<&Address>,
) -> Result<(), Trouble> {
    let Some(to) = to else { return Ok(()) };
    if !is_first_today(env, act, to)? || !may_write_to(env, act, to)? {
        return Ok(());
    }
    // The same for everybody, whoever writes: only what the operator has opened to all stands in it.
    let open = !act.games_with_note(super::lists::OPEN)?.is_empty();
    let offers = if open { vec!["LIST         games that look for players".to_owned()] } else { Vec::new() };
    let context = Context { mark: report_mark(0), end: REPORT_END.to_owned(), offers, ..Context::default() };
    let (written, _) = env.write("neutral.txt", &context, Form::WIDE);
    let named = format!("estafette/stranger/v1\0{}", mail.own_name());
    match loose(env, to, written, &named, Some((mail.id, &head.message_id))) {
        Ok(answer) => drop(act.queue(&answer)?),
        Err(error) => tracing::error!(%error, "a stranger's answer is not written"),
    }
    Ok(())
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
    let desk = Desk::unopened(env, act, row, None);
    desk.enter("corrupt", &json!({"why": why}))?;
    let notes = vec![
        format!("The game {} is set aside: {why}.", row.id),
        "No mail of it is carried out, and no other game is touched.  The mails that came are kept.  When the fault is \
         mended, RELEASE lets the game go on."
            .to_owned(),
    ];
    let note = format!("The game {} is set aside for a fault; `estafette status {0}` says more.", row.id);
    super::operator::told(env, act, "a game is set aside", &note)?;
    desk.notice(UMPIRE, "the game is set aside", notes)
}
