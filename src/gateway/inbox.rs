//! Mails come in, are committed, and are acted on one by one.

use super::carriers::Way;
use super::error::{OfficeError, Trouble};
use super::faults::Place;
use super::office::Office;
use super::operator;
use super::press::is_umpire;
use super::sitting::Sitting;
use super::when;
use crate::config::Config;
use crate::fail;
use crate::mail::read::{self, Head, Incoming, Limits, Reason, Unreadable};
use crate::mail::{MailError, auth};
use crate::store::{Act, GameState, InboxMail, InboxState, NewInbox, Received, Store};
use data_encoding::HEXLOWER;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// Mails that are fetched or read in one go.
pub(super) const BATCH: usize = 100;

/// Why mails of a game that is set aside are kept; they are read when it goes on.
pub(super) const SET_ASIDE: &str = "the game is set aside for its umpire";

/// Why a mail is kept in the middle of which the process ended.
pub(super) const DEADLY: &str = "the post office broke off twice in the middle of its work on it";

/// How often the process may end in the middle of work on a mail before the mail is set aside.
pub(super) const TIMES_MAX: u32 = 2;

/// How often something may fail before it is plain that this does not pass.
pub(super) const PASSING_MAX: u32 = 3;

/// A game, and a seat of it.
pub(super) type OfSeat = (String, String);

/// Of how many delivery reports from one address the umpire is told.
const BOUNCES_TOLD: u32 = 2;

/// Whose mail it is.
pub(super) enum Sender {
    /// A seat, shown by tag and address.
    Seat { game: String, seat: String },
    /// A machine's, never answered: why.
    Machine(&'static str),
    /// A good tag of a seat, from an address that is not the seat's.
    Elsewhere { game: String, seat: String },
    /// Nobody we know.
    Stranger,
}

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
            self.counted_since = Some(today);
        }
        let received = when::kept(self.clock.now());
        self.looked = self.looks.replace(self.clock.now());
        if self.rests(Way::In)? {
            return Ok(());
        }
        let memory = self.inbound.memory();
        let remembered = memory.as_ref().map(|key| self.store.mark(key)).transpose()?.flatten();
        self.inbound.begin(self.clock.now(), remembered.as_deref());
        let mut tried = BTreeSet::new();
        loop {
            let fetched = self.fetch_batch(&limits, &received, (&mut *count, &mut tried));
            self.keep_memory()?;
            match fetched {
                Ok(true) => {}
                Ok(false) => {
                    self.passed_over(&tried);
                    let since = self.away(Way::In)?.and_then(|away| away.since.parse().ok());
                    self.came_back(Way::In)?;
                    if let Some(since) = since {
                        self.was_closed(since)?;
                    }
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
                let aside = take_in(&office.store, limits, received, (&mail.raw, mail.size))?;
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

    /// Acts on a mail; false where it waits behind another of its seat. Whose it is, is said as soon as it is known.
    pub(super) fn read_one(
        &mut self,
        mail: &InboxMail,
        behind: &BTreeSet<OfSeat>,
        whose: &mut Option<OfSeat>,
    ) -> Result<bool, OfficeError> {
        let bytes = mail.bytes.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(mail.raw.len());
        let read = read::read_part(&mail.raw, bytes, &self.limits());
        let head = match &read {
            Ok(incoming) => &incoming.head,
            Err(unreadable) => &unreadable.head,
        };
        let sender = match self.confirmed(mail)? {
            Some((game, seat)) => Sender::Seat { game, seat },
            None => self.sender(head)?,
        };
        if let Sender::Seat { game, seat } = &sender {
            let of = (game.clone(), seat.clone());
            if behind.contains(&of) {
                return Ok(false);
            }
            *whose = Some(of);
        }
        self.act_on(mail, sender, &read, head).map(|()| true)
    }

    fn act_on(
        &mut self,
        mail: &InboxMail,
        sender: Sender,
        read: &Result<Incoming, Unreadable>,
        head: &Head,
    ) -> Result<(), OfficeError> {
        match (sender, read) {
            (Sender::Elsewhere { game, seat }, Ok(_)) => self.hold_back(mail, head, &game, &seat),
            (Sender::Elsewhere { .. }, Err(unreadable)) => {
                self.settle(mail, InboxState::Quarantined, &unreadable.to_string())
            }
            (Sender::Machine(why), _) => self.machine_mail(mail, head, why),
            (Sender::Stranger, Ok(incoming)) => {
                if self.stranger_asks(mail, incoming)? {
                    return Ok(());
                }
                self.strangers_mail(mail, head, InboxState::Refused, "no good tag")
            }
            (Sender::Stranger, Err(unreadable)) => self.settle(mail, InboxState::Quarantined, &unreadable.to_string()),
            (Sender::Seat { game, seat }, Ok(incoming)) => self.seats_mail(mail, &game, &seat, incoming),
            // Nobody can tell who wrote it, so it is nobody's.
            (Sender::Seat { .. }, Err(unreadable)) if matches!(unreadable.reason, Reason::NoFrom | Reason::TwoFrom) => {
                self.settle(mail, InboxState::Quarantined, &unreadable.to_string())
            }
            (Sender::Seat { game, seat }, Err(unreadable)) => self.unread_mail(mail, &game, &seat, unreadable),
        }
    }

    /// Tag and address must both be good; with a trusted mail server, its verdict too.
    pub(super) fn sender(&self, head: &Head) -> Result<Sender, OfficeError> {
        if let Some(why) = head.automatic {
            return Ok(Sender::Machine(why));
        }
        let (Some(tag), [from]) = (&head.tag, head.from.as_slice()) else { return Ok(Sender::Stranger) };
        let Some(holder) = self.store.tag_holder(&tag.secret.to_lowercase())? else { return Ok(Sender::Stranger) };
        let named = holder.game == tag.game && holder.seat == tag.seat;
        let known = self.store.seat(&holder.game, &holder.seat)?.is_some_and(|seat| seat.addresses.contains(from));
        let proved = match &self.config.trusted_authserv_id {
            None => true,
            Some(server) => auth::check(head.auth_results.as_deref(), server, from).is_ok(),
        };
        let (game, seat) = (holder.game, holder.seat);
        Ok(match (named, known, proved) {
            (true, true, true) => Sender::Seat { game, seat },
            // A tag that is good, with a sender that is not: his own address is asked. Where the mail server disowns the
            // address itself, the lie is plain.
            (true, false, _) => Sender::Elsewhere { game, seat },
            _ => Sender::Stranger,
        })
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
    fn machine_mail(&mut self, mail: &InboxMail, head: &Head, why: &str) -> Result<(), OfficeError> {
        let bounced = match &head.bounced {
            Some(id) => self.store.outbox_by_message_id(id)?,
            None => None,
        };
        let Some(out) = bounced else { return self.settle(mail, InboxState::Refused, why) };
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
    fn seats_mail(&mut self, mail: &InboxMail, game: &str, seat: &str, incoming: &Incoming) -> Result<(), OfficeError> {
        if self.store.game(game)?.is_some_and(|row| row.state == GameState::Corrupt) && !is_umpire(seat) {
            return self.mail_to_corrupt(mail, game, seat);
        }
        self.deadline_before(game, &mail.received)?;
        let hour = when::hour(self.clock.now());
        let done = self.with_game(game, Some(mail.id), &mut |sitting| {
            if sitting.is_flood(mail, seat, &hour)? {
                return Ok(());
            }
            sitting.admit(mail, seat, &incoming.head)?;
            let from = incoming.head.from.first().map_or("", String::as_str);
            sitting.answers_this_hour = sitting.act.count_answer(from, &hour)?;
            sitting.came = Some((mail.received.clone(), from.to_owned()));
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
        game: &str,
        seat: &str,
        unreadable: &Unreadable,
    ) -> Result<(), OfficeError> {
        let reason = unreadable.reason.to_string();
        let hour = when::hour(self.clock.now());
        let done = self.with_game(game, Some(mail.id), &mut |sitting| {
            if sitting.is_flood(mail, seat, &hour)? {
                return Ok(());
            }
            sitting.admit(mail, seat, &unreadable.head)?;
            sitting.act.settle(mail.id, InboxState::Quarantined, Some(&reason))?;
            operator::set_aside(sitting.env, sitting.act, mail.id, &reason)?;
            sitting.notice(seat, "your mail could not be read", vec![reason.clone(), "Nothing was done.".to_owned()])
        })?;
        if done.is_none() { self.mail_to_corrupt(mail, game, seat) } else { Ok(()) }
    }
}

/// Commits one mail to the inbox, or finds it there already; why it is to be put aside, if it is. Of a mail that is too
/// large only the first bytes are there, beside its true size.
pub(super) fn take_in(
    store: &Store,
    limits: &Limits,
    received: &str,
    (raw, size): (&[u8], u64),
) -> Result<Option<String>, OfficeError> {
    let digest = HEXLOWER.encode(&Sha256::digest(raw));
    // Reading a mail may end the process while nobody knows of it. A note that cannot be kept is none.
    let deadly = store.begin_work(&digest).unwrap_or(0) >= TIMES_MAX;
    fail::point("gateway/taking");
    let taken = commit(store, limits, received, (raw, size), deadly.then_some(&digest));
    if let Err(error) = store.end_work(&digest) {
        tracing::debug!(%error, "that a mail is no longer in hand is not written down");
    }
    taken
}

/// [`take_in`]; a mail that is not to be read goes by the digest that is given.
fn commit(
    store: &Store,
    limits: &Limits,
    received: &str,
    (raw, size): (&[u8], u64),
    unread: Option<&String>,
) -> Result<Option<String>, OfficeError> {
    let (message_id, digest, aside) = match unread {
        Some(digest) => (format!("sha256:{digest}"), digest.clone(), Some(DEADLY.to_owned())),
        None => match read::read_part(raw, usize::try_from(size).unwrap_or(usize::MAX), limits) {
            Ok(incoming) => (incoming.head.message_id, incoming.head.content, None),
            Err(Unreadable { reason, head }) => (head.message_id, head.content, Some(reason.to_string())),
        },
    };
    let new = NewInbox {
        message_id,
        digest,
        received: received.to_owned(),
        raw: raw.get(..limits.mail_bytes_max.saturating_add(1)).unwrap_or(raw).to_vec(),
        bytes: Some(size).filter(|size| usize::try_from(*size).map_or(true, |size| size > limits.mail_bytes_max)),
    };
    fail::point("gateway/fetched");
    store.act(|act| match (act.receive(&new)?, unread) {
        (Received::First(id), Some(_)) => act.settle(id, InboxState::Quarantined, Some(DEADLY)),
        _ => Ok(()),
    })?;
    fail::point("gateway/received");
    Ok(aside)
}

impl Sitting<'_> {
    /// Whether a seat writes more mails in an hour than are read: those above are kept unread, and it is told once.
    fn is_flood(&self, mail: &InboxMail, seat: &str, hour: &str) -> Result<bool, Trouble> {
        let id = &self.row.id;
        let most = self.env.config.limits.mails_per_hour_max;
        let count = self.act.count_answer(&format!("mails of {id}/{seat}"), hour)?;
        if count <= most {
            return Ok(false);
        }
        let reason = format!("above {most} mails of its seat in an hour");
        self.act.assign(mail.id, id, Some(seat))?;
        self.act.settle(mail.id, InboxState::Quarantined, Some(&reason))?;
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
    fn admit(&self, mail: &InboxMail, seat: &str, head: &Head) -> Result<(), Trouble> {
        let id = &self.row.id;
        self.act.assign(mail.id, id, Some(seat))?;
        let mut thread: Vec<&str> = head.references.iter().map(String::as_str).collect();
        // A mail without a Message-ID of its own cannot be answered by name.
        if !head.message_id.starts_with("sha256:") {
            thread.push(&head.message_id);
        }
        let from = thread.len().saturating_sub(20);
        let thread = thread.get(from..).unwrap_or_default().join(" ");
        self.act.set_desk(id, seat, "thread", Some(&thread))?;
        if let [from] = head.from.as_slice() {
            self.act.set_desk(id, seat, "address", Some(from))?;
            self.moved(seat, from)?;
        }
        let body = json!({"direction": "in", "seat": seat, "message_id": head.message_id, "sha256": head.digest});
        self.enter("mail", &body)
    }
}
