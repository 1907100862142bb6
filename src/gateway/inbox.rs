//! Mails come in, are committed, and are acted on one by one.

use super::carriers::Way;
use super::error::{OfficeError, Trouble};
use super::faults::Place;
use super::intake::Intake;
use super::office::Office;
use super::operator;
use super::press::is_umpire;
use super::sender::Sender;
use super::sitting::Sitting;
use super::when;
use crate::config::Config;
use crate::fail;
use crate::mail::MailError;
use crate::mail::id::{MessageId, thread};
use crate::mail::read::{self, Head, Incoming, Limits, Reason, Unreadable};
use crate::store::{Act, GameState, InboxMail, InboxState, Store, StoreError};
use serde_json::json;
use std::collections::BTreeSet;

/// Mails that are fetched or read in one go.
pub(super) const BATCH: usize = 100;

/// Why a mail is not read of which not all bytes are there any more.
const CUT: &str = "its bytes are no longer kept; it must be sent again";

/// Why mails of a game that is set aside are kept; they are read when it goes on.
pub(super) const SET_ASIDE: &str = "the game is set aside for its umpire";

/// Why a mail is kept in the middle of which the process ended.
pub(super) const DEADLY: &str = "the post office broke off again and again in the middle of its work on it";

/// How often the process may end in the middle of work on a mail before the mail is set aside.
pub(super) const TIMES_MAX: u32 = 2;

/// The same among several workers, who may lose their line as well, which is no fault of a mail.
const TIMES_SHARED_MAX: u32 = 5;

/// How often work on a mail of this database may end in its middle before the mail is set aside.
pub(super) fn times_max(store: &Store) -> u32 {
    if store.is_shared() { TIMES_SHARED_MAX } else { TIMES_MAX }
}

/// How often something may fail before it is plain that this does not pass.
pub(super) const PASSING_MAX: u32 = 3;

/// Under which mark stands since when mails are to be read again that were put away in a time that was lost.
pub(super) const AGAIN: &str = "read again";

/// A game, and a seat of it.
pub(super) type OfSeat = (String, String);

/// Of how many delivery reports from one address the umpire is told.
const BOUNCES_TOLD: u32 = 2;

/// How much of a mail is read, by the settings.
pub(super) fn limits_of(config: &Config) -> Limits {
    let limits = &config.limits;
    Limits {
        mail_bytes_max: limits.mail_bytes_max,
        text_bytes_max: limits.text_bytes_max,
        lines_max: limits.lines_max,
        parts_max: limits.parts_max,
        depth_max: limits.depth_max,
        headers_max: limits.headers_max,
        own_domain: Some(config.message_domain().to_owned()),
    }
}

impl Office {
    pub(super) fn limits(&self) -> Limits {
        limits_of(&self.config)
    }

    /// Takes waiting mails into the inbox; a transport is told only what is committed.
    pub(super) fn fetch(&mut self, count: &mut usize) -> Result<(), OfficeError> {
        let limits = self.limits();
        let today = when::day(self.clock.now());
        if self.counted_since.as_deref() != Some(today.as_str()) {
            self.store.act(|act| act.forget_answers_before(&today))?;
            self.forget_old_mails()?;
            self.counted_since = Some(today);
        }
        if self.rests(Way::In)? {
            return Ok(());
        }
        let now = self.clock.now();
        let received = when::kept(now);
        (self.looked, self.looks) = (self.looked_whole, Some(now));
        let memory = self.inbound.memory();
        let remembered = memory.as_ref().map(|key| self.store.mark(key)).transpose()?.flatten();
        self.inbound.begin(self.clock.now(), remembered.as_deref());
        if let Err(error) = self.read_lost_again() {
            return match error {
                OfficeError::Mail(error @ MailError::Away { .. }) => self.went_away(Way::In, &error),
                other => Err(other),
            };
        }
        let mut tried = BTreeSet::new();
        loop {
            let fetched = self.fetch_batch(&limits, &received, (&mut *count, &mut tried));
            self.keep_memory()?;
            match fetched {
                Ok(true) => {}
                Ok(false) => {
                    self.passed_over(&tried);
                    let since = self.away(Way::In)?.and_then(|away| away.since.parse().ok());
                    // Time is given back first: an end between the two gives it once more, and that changes nothing.
                    if let Some(since) = since {
                        self.was_closed(since)?;
                    }
                    self.came_back(Way::In)?;
                    self.looked_whole = self.inbound.looked(now);
                    return Ok(());
                }
                // What came is kept; deadlines and letters do not wait for a mailbox.
                Err(OfficeError::Mail(error @ MailError::Away { .. })) => {
                    self.went_away(Way::In, &error)?;
                    return Ok(());
                }
                Err(other) => return Err(other),
            }
        }
    }

    /// Has mails of a time that was lost to a restore read again, where the restore has left that to the first look at the
    /// mailbox.
    fn read_lost_again(&mut self) -> Result<(), OfficeError> {
        let Some(since) = self.store.mark(AGAIN)? else { return Ok(()) };
        let mails = self.inbound.again(since.parse().ok())?;
        tracing::warn!(mails, since, "mails of the time that was lost are read again");
        fail::point("gateway/again");
        let key_and_value = self.inbound.memory().zip(self.inbound.to_remember());
        self.store.act(|act| {
            if let Some((key, value)) = &key_and_value {
                act.set_mark(key, value)?;
            }
            act.drop_mark(AGAIN)
        })?;
        Ok(())
    }

    /// Keeps what the transport must remember, where that has changed.
    fn keep_memory(&mut self) -> Result<(), OfficeError> {
        if let (Some(key), Some(value)) = (self.inbound.memory(), self.inbound.to_remember()) {
            self.store.act(|act| act.set_mark(&key, &value))?;
        }
        Ok(())
    }

    /// Puts away what was taken in, once it has been answered.
    pub(super) fn put_away(&mut self) -> Result<(), OfficeError> {
        if self.rests(Way::In)? {
            return Ok(());
        }
        let done = self.inbound.put_away();
        self.keep_memory()?;
        match done {
            Err(error @ MailError::Away { .. }) => self.went_away(Way::In, &error),
            other => Ok(other?),
        }
    }

    /// Takes one batch in; false where nothing waits that was not tried in this pass.
    fn fetch_batch(
        &mut self,
        limits: &Limits,
        received: &str,
        (count, tried): (&mut usize, &mut BTreeSet<String>),
    ) -> Result<bool, OfficeError> {
        let mut waiting = self.inbound.fetch(BATCH)?;
        waiting.retain(|mail| tried.insert(mail.key.clone()));
        if waiting.is_empty() {
            return Ok(false);
        }
        for mail in waiting {
            let place = Place::Waiting(mail.key.clone());
            let mut committed = false;
            let taken = self.apart(place.clone(), &mut |office| {
                let intake = Intake::new(&office.store, limits, &office.config.keep, received);
                // It may be done a second time, when a damaged index has been made anew.
                let aside = intake.take(mail.raw.clone(), mail.size)?;
                committed = true;
                match aside {
                    None => office.inbound.handled(&mail.key)?,
                    Some(why) => office.put_aside(&mail.key, &why)?,
                }
                fail::point("gateway/handled");
                Ok(())
            });
            match taken {
                Some(()) => *count += 1,
                // Whose it is nobody knows, so none may overtake it, until it is plain that it does not pass.
                None if !committed && self.failures(&place) < PASSING_MAX => return Ok(false),
                None => {}
            }
        }
        Ok(true)
    }

    /// Forgets, in small steps, the bytes of mails whose time is up and of strangers' mails above the operator's limit.
    fn forget_old_mails(&mut self) -> Result<(), OfficeError> {
        let keep = &self.config.keep;
        let days = jiff::SignedDuration::from_hours(24 * i64::from(keep.refused_days));
        let Ok(since) = self.clock.now().checked_sub(days) else { return Ok(()) };
        let before = when::kept(since);
        while self.store.act(|act| act.forget_refused(&before))? > 0 {}
        while self.store.act(|act| act.forget_sent(&before))? > 0 {}
        while self.store.act(|act| act.forget_oldest(keep.strangers_bytes_max))? > 0 {}
        Ok(self.inbound.forget(since, keep.strangers_bytes_max)?)
    }

    /// Puts a waiting mail aside; the operator hears of one that ended the process.
    fn put_aside(&mut self, key: &str, why: &str) -> Result<(), OfficeError> {
        self.inbound.quarantine(key, why)?;
        if why != DEADLY {
            return Ok(());
        }
        let env = self.env();
        let note = format!("The waiting mail {key} is set aside unread: {DEADLY}.  `estafette mail list` shows it.");
        let told: Result<(), Trouble> =
            self.store.try_act(|act| operator::told(&env, act, "a mail is set aside", &note));
        Ok(told?)
    }

    /// Notes what of the mailbox cannot be read, and forgets what is no longer there.
    fn passed_over(&mut self, tried: &BTreeSet<String>) {
        let odd = self.inbound.passed_over();
        for (name, why) in &odd {
            self.fell_ill(Place::Waiting(name.clone()), why);
        }
        let gone = |place: &Place| match place {
            Place::Waiting(name) => !tried.contains(name) && !odd.iter().any(|(known, _)| known == name),
            _ => false,
        };
        self.forget_faults(gone);
    }

    /// Acts on a mail; false where it waits behind another of its seat or game. Whose it is, is said as soon as it is known.
    pub(super) fn read_one(
        &mut self,
        mail: &InboxMail,
        behind: &BTreeSet<OfSeat>,
        whose: &mut Option<OfSeat>,
    ) -> Result<bool, OfficeError> {
        if mail.raw.is_empty() && mail.is_cut() {
            return self.settle(mail, InboxState::Refused, CUT).map(|()| true);
        }
        let bytes = mail.bytes.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(mail.raw.len());
        let mut read = read::read_part(&mail.raw, bytes, &self.limits());
        let head = match &mut read {
            Ok(incoming) => &mut incoming.head,
            Err(unreadable) => &mut unreadable.head,
        };
        let sender = self.sender(mail, head)?;
        if let Sender::Seat { game, seat, .. } = &sender {
            let of = (game.clone(), seat.clone());
            if behind.contains(&of) || self.may_be_before(game, mail.id) {
                return Ok(false);
            }
            // In a chain each name has one content: a second mail of a name is known by its digest.
            if self.store.named_before(game, &head.message_id, mail.id)? {
                head.message_id = format!("sha256:{}", head.digest);
            }
            *whose = Some(of);
        }
        self.act_on(mail, sender, &read).map(|()| true)
    }

    fn act_on(
        &mut self,
        mail: &InboxMail,
        sender: Sender,
        read: &Result<Incoming, Unreadable>,
    ) -> Result<(), OfficeError> {
        let head = match read {
            Ok(incoming) => &incoming.head,
            Err(unreadable) => &unreadable.head,
        };
        match (sender, read) {
            (Sender::Elsewhere { game, seat }, Ok(_)) => self.hold_back(mail, head, &game, &seat),
            (Sender::Elsewhere { .. }, Err(unreadable)) => {
                self.settle(mail, InboxState::Quarantined, &unreadable.to_string())
            }
            (Sender::Late(holder), Ok(_)) => self.ask_back(mail, &holder),
            (Sender::Late(_), Err(unreadable)) => self.settle(mail, InboxState::Quarantined, &unreadable.to_string()),
            (Sender::Machine { why, of }, _) => self.machine_mail(mail, head, (why, of)),
            (Sender::Stranger, Ok(incoming)) => {
                if self.guesses(mail, head)? {
                    return Ok(());
                }
                if self.stranger_asks(mail, incoming)? {
                    return Ok(());
                }
                self.strangers_mail(mail, head, InboxState::Refused, "no good tag")
            }
            (Sender::Stranger, Err(unreadable)) => self.settle(mail, InboxState::Quarantined, &unreadable.to_string()),
            // Half of a mail is no mail.
            (Sender::Seat { .. }, Ok(_)) if mail.is_cut() => self.settle(mail, InboxState::Quarantined, CUT),
            (Sender::Seat { game, seat, from, answers }, Ok(incoming)) => {
                self.seats_mail(mail, (&game, &seat, &from), answers, incoming)
            }
            // Nobody can tell who wrote it, so it is nobody's.
            (Sender::Seat { .. }, Err(unreadable)) if matches!(unreadable.reason, Reason::NoFrom | Reason::TwoFrom) => {
                self.settle(mail, InboxState::Quarantined, &unreadable.to_string())
            }
            (Sender::Seat { game, seat, from, .. }, Err(unreadable)) => {
                self.unread_mail(mail, (&game, &seat, &from), unreadable)
            }
        }
    }

    pub(super) fn settle(&self, mail: &InboxMail, state: InboxState, reason: &str) -> Result<(), OfficeError> {
        let env = self.env();
        let done = self.store.try_act(|act| {
            act.settle(mail.id, state, Some(reason))?;
            if state == InboxState::Quarantined { operator::set_aside(&env, act, mail.id, reason) } else { Ok(()) }
        });
        done.map_err(OfficeError::from)
    }

    /// A machine's mail is never answered. A delivery report is counted with the mail it speaks of; the umpire is told of
    /// the second from one address, and of every tenth, since one may be a passing trouble.
    fn machine_mail(
        &mut self,
        mail: &InboxMail,
        head: &Head,
        (why, of): (&str, Option<(String, String)>),
    ) -> Result<(), OfficeError> {
        let bounced = match &head.bounced {
            Some(id) => self.store.outbox_by_message_id(id)?,
            None => None,
        };
        let Some(out) = bounced else {
            // A player's own mail may look like a machine's: the operator sees whose it was, and can have it read.
            let seats =
                of.map(|(game, seat)| format!("{why}, though it has a good tag and an address of {game}/{seat}"));
            return self.settle(mail, InboxState::Refused, seats.as_deref().unwrap_or(why));
        };
        let note = |act: &Act<'_>| -> Result<Option<String>, Trouble> {
            act.settle(mail.id, InboxState::Refused, Some(&format!("a delivery report: {why}")))?;
            let count = act.came_back(out.id, &format!("came back: {why}"))?;
            let (Some(seat), Some(number)) = (&out.seat, out.number) else { return Ok(None) };
            let from = &out.recipient;
            let told = count == BOUNCES_TOLD || count % 10 == 0;
            Ok(told.then(|| {
                format!(
                    "Mail {number} to {seat} came back from {from}, the {count}. that does: it could not be delivered."
                )
            }))
        };
        let (game, seat) = (out.game.clone().unwrap_or_default(), out.seat.clone().unwrap_or_default());
        self.and_tell_umpire(&game, &seat, "mails come back", &note)
    }

    pub(super) fn strangers_mail(
        &mut self,
        mail: &InboxMail,
        head: &Head,
        state: InboxState,
        reason: &str,
    ) -> Result<(), OfficeError> {
        self.answer_stranger(mail, head, self.stranger(head), state, reason)
    }

    /// A seat's mail: all that it causes is one act.
    fn seats_mail(
        &mut self,
        mail: &InboxMail,
        (game, seat, from): (&str, &str, &str),
        answers: Option<u32>,
        incoming: &Incoming,
    ) -> Result<(), OfficeError> {
        if self.store.game(game)?.is_some_and(|row| row.state == GameState::Corrupt) && !is_umpire(seat) {
            return self.mail_to_corrupt(mail, game, seat);
        }
        let hour = when::hour(self.clock.now());
        if self.is_known_flood(mail, (game, seat), &hour)? {
            return Ok(());
        }
        self.deadline_before(game, &mail.received)?;
        let done = self.with_game(game, Some(mail.id), &mut |sitting| {
            if sitting.is_flood(mail, seat, &hour)? {
                return Ok(());
            }
            sitting.admit(mail, (seat, from), &incoming.head)?;
            sitting.answers_this_hour = sitting.act.count_answer(from, &hour)?;
            sitting.came = Some((mail.received.clone(), from.to_owned()));
            sitting.answered = answers;
            if is_umpire(seat) {
                sitting.umpire_mail(seat, incoming)?;
            } else if Sitting::is_observer(seat) {
                sitting.observer_mail(seat, incoming)?;
            } else {
                sitting.player_mail(seat, incoming)?;
            }
            sitting.act.settle(mail.id, InboxState::Done, None)?;
            Ok(())
        })?;
        if done.is_none() { self.mail_to_corrupt(mail, game, seat) } else { Ok(()) }
    }

    /// A mail of a seat that has been told that no more of it are read now: its game is not even looked at.
    fn is_known_flood(&self, mail: &InboxMail, (game, seat): (&str, &str), hour: &str) -> Result<bool, OfficeError> {
        let most = self.config.limits.mails_per_hour_max;
        let name = mails_of(game, seat);
        let known = self.store.answers_given(&name, hour)? > most;
        if known {
            let most_kept = self.config.keep.stranger_mail_bytes_max;
            self.store.act(|act| {
                act.count_answer(&name, hour)?;
                put_aside(act, mail, (game, seat), &above(most), most_kept)
            })?;
        }
        Ok(known)
    }

    /// A mail to a game that is set aside is kept for its umpire.
    fn mail_to_corrupt(&mut self, mail: &InboxMail, game: &str, seat: &str) -> Result<(), OfficeError> {
        Ok(self.store.act(|act| {
            act.assign(mail.id, game, Some(seat))?;
            act.settle(mail.id, InboxState::Quarantined, Some(SET_ASIDE))
        })?)
    }

    fn unread_mail(
        &mut self,
        mail: &InboxMail,
        (game, seat, from): (&str, &str, &str),
        unreadable: &Unreadable,
    ) -> Result<(), OfficeError> {
        let reason = unreadable.reason.to_string();
        let hour = when::hour(self.clock.now());
        let done = self.with_game(game, Some(mail.id), &mut |sitting| {
            if sitting.is_flood(mail, seat, &hour)? {
                return Ok(());
            }
            sitting.admit(mail, (seat, from), &unreadable.head)?;
            sitting.act.settle(mail.id, InboxState::Quarantined, Some(&reason))?;
            operator::set_aside(sitting.env, sitting.act, mail.id, &reason)?;
            sitting.notice(seat, "your mail could not be read", vec![reason.clone(), "Nothing was done.".to_owned()])
        })?;
        if done.is_none() { self.mail_to_corrupt(mail, game, seat) } else { Ok(()) }
    }
}

/// Under which name the mails of a seat in an hour are counted.
fn mails_of(game: &str, seat: &str) -> String {
    format!("mails of {game}/{seat}")
}

/// Why a mail of a flood is not read.
fn above(most: u32) -> String {
    format!("above {most} mails of its seat in an hour")
}

/// Keeps a mail unread; of a large one only the beginning.
fn put_aside(
    act: &Act<'_>,
    mail: &InboxMail,
    (game, seat): (&str, &str),
    reason: &str,
    most: usize,
) -> Result<(), StoreError> {
    act.assign(mail.id, game, Some(seat))?;
    act.settle(mail.id, InboxState::Quarantined, Some(reason))?;
    act.cut_raw(mail.id, most)
}

impl Sitting<'_> {
    /// Whether a seat writes more mails in an hour than are read: those above are kept unread, and it is told once.
    fn is_flood(&self, mail: &InboxMail, seat: &str, hour: &str) -> Result<bool, Trouble> {
        let id = &self.row.id;
        let most = self.env.config.limits.mails_per_hour_max;
        let count = self.act.count_answer(&mails_of(id, seat), hour)?;
        if count <= most {
            return Ok(false);
        }
        put_aside(self.act, mail, (id, seat), &above(most), self.env.config.keep.stranger_mail_bytes_max)?;
        if count == most.saturating_add(1) {
            let note = format!(
                "You have written {most} mails in this hour, and no more are read in one.  This one and those that \
                 follow in this hour are not carried out: send them again after the next full hour."
            );
            self.notice(seat, "too many mails in an hour", vec![note])?;
        }
        Ok(true)
    }

    /// Writes down that a mail was taken for a seat, and where to answer it.
    fn admit(&self, mail: &InboxMail, (seat, from): (&str, &str), head: &Head) -> Result<(), Trouble> {
        let id = &self.row.id;
        self.act.assign(mail.id, id, Some(seat))?;
        // A mail without a Message-ID of its own cannot be answered by name.
        let ids = thread(head.references.iter().chain(&head.id).cloned().collect());
        let kept: Vec<&str> = ids.iter().map(MessageId::as_str).collect();
        self.act.set_desk(id, seat, "thread", Some(&kept.join(" ")))?;
        if let Some(address) = &head.from {
            self.act.saw_spelling(id, seat, from, address)?;
            self.act.set_desk(id, seat, "address", Some(from))?;
        }
        let body = json!({"direction": "in", "seat": seat, "message_id": head.message_id, "sha256": head.digest,
            "at": self.entry_time()?});
        self.enter("mail", &body)
    }
}
