//! Mails that came in and mails that go out (invariant 4: nothing lost, nothing twice).

use std::borrow::Cow;

use rusqlite::params;

use super::base::Row;
use super::{Act, InboxState, OutboxState, Store, StoreError, pack};
use crate::fail;

/// A mail as it comes in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewInbox {
    /// Its Message-ID, or the digest of its raw bytes where it has none.
    pub message_id: String,
    /// The digest that tells apart two mails of one Message-ID.
    pub digest: String,
    /// When it was received.
    pub received: String,
    /// Its bytes as they came, or the first of them.
    pub raw: Vec<u8>,
    /// How many bytes came, where that is more than are kept.
    pub bytes: Option<u64>,
    /// The seat that it names rightly, as `game/seat`, whose mails are read in turn; empty for all others together.
    pub lane: String,
}

/// A mail that came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InboxMail {
    /// Its number in the inbox; mails are acted on in this order.
    pub id: i64,
    /// Its Message-ID, or the digest of its raw bytes where it has none.
    pub message_id: String,
    /// The digest that tells apart two mails of one Message-ID.
    pub digest: String,
    /// The game it was taken for.
    pub game: Option<String>,
    /// The seat it was taken for.
    pub seat: Option<String>,
    /// When it was received.
    pub received: String,
    /// Its bytes as they came, or the first of them.
    pub raw: Vec<u8>,
    /// How many bytes came, where that is more than are kept.
    pub bytes: Option<u64>,
    /// What has become of it.
    pub state: InboxState,
    /// Why it was refused or set aside.
    pub reason: Option<String>,
    /// How often work on it was begun and not ended: the process ended in it.
    pub in_hand: u32,
}

/// A mail of fewer bytes is kept as it came in.
const SHORT_BYTES: usize = 2048;

impl InboxMail {
    /// What tells this mail from all others: two mails may hold the same words.
    pub fn own_name(&self) -> String {
        format!("{}\0{}", self.message_id, self.digest)
    }
}

/// What [`Act::receive`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// A mail not seen before, now number so much in the inbox.
    First(i64),
    /// A mail that is already in, with what became of it.
    Again(Box<InboxMail>),
}

/// A mail to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewOutbox {
    /// The game it speaks of.
    pub game: Option<String>,
    /// The seat it goes to.
    pub seat: Option<String>,
    /// The seat's running number of it, from [`Act::next_mail_number`].
    pub number: Option<u32>,
    /// Its Message-ID, the same at every sending.
    pub message_id: String,
    /// The address it goes to.
    pub recipient: String,
    /// Its bytes as they are sent.
    pub raw: Vec<u8>,
    /// Whether it is kept back until its game is released.
    pub held: bool,
    /// When it was written.
    pub queued: String,
    /// The mail in the inbox that it answers.
    pub answers: Option<i64>,
    /// Whether it was only asked for, and goes after what play needs.
    pub asked: bool,
}

/// A mail that goes or went out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboxMail {
    /// Its number in the outbox; mails are sent in this order.
    pub id: i64,
    /// The game it speaks of.
    pub game: Option<String>,
    /// The seat it goes to.
    pub seat: Option<String>,
    /// The seat's running number of it.
    pub number: Option<u32>,
    /// Its Message-ID, the same at every sending.
    pub message_id: String,
    /// The address it goes to.
    pub recipient: String,
    /// Its bytes as they are sent.
    pub raw: Vec<u8>,
    /// What has become of it.
    pub state: OutboxState,
    /// When it was written.
    pub queued: String,
    /// When it was first sent.
    pub sent: Option<String>,
    /// The mail in the inbox that it answers.
    pub answers: Option<i64>,
    /// How often it was asked for again after it had been sent.
    pub again: u32,
    /// How many delivery reports say that it did not arrive.
    pub bounces: u32,
    /// How many sendings have failed.
    pub tries: u32,
    /// Before when it is not tried again.
    pub next_try: Option<String>,
    /// What the last failed sending said.
    pub fault: Option<String>,
    /// Whether it was only asked for.
    pub asked: bool,
}

impl InboxMail {
    /// Whether bytes of it are no longer kept, so that nothing may be carried out that stands in the rest.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.bytes.is_some_and(|bytes| usize::try_from(bytes).map_or(true, |bytes| bytes > self.raw.len()))
    }
}

impl Act<'_> {
    /// Takes a mail in, or recognises one of the same Message-ID and digest that is already in.
    pub fn receive(&self, mail: &NewInbox) -> Result<Received, StoreError> {
        let row = format_args!("mail {}", mail.message_id);
        let before = self.one(
            row,
            "SELECT * FROM inbox WHERE message_id = ?1 AND digest = ?2",
            params![mail.message_id, mail.digest],
            inbox_mail,
        )?;
        if let Some(before) = before {
            return Ok(Received::Again(Box::new(before)));
        }
        // A short one is kept as it came: packing it takes more than it saves.
        let (raw, size) = match mail.raw.len() {
            0..SHORT_BYTES => (Cow::Borrowed(&mail.raw), None),
            _ => (Cow::Owned(self.packed(row, &mail.raw)?), Some(pack::size_of(&mail.raw))),
        };
        let id = self.add(
            row,
            "INSERT INTO inbox (message_id, digest, received, raw, size, bytes, lane, state) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'new') RETURNING id",
            params![mail.message_id, mail.digest, mail.received, raw, size, mail.bytes.map(kept_size), mail.lane],
        )?;
        Ok(Received::First(id))
    }

    /// Says for which game, and for which seat of it, a mail was taken.
    pub fn assign(&self, id: i64, game: &str, seat: Option<&str>) -> Result<(), StoreError> {
        self.write_one(
            format_args!("inbox {id}"),
            "UPDATE inbox SET game = ?2, seat = ?3 WHERE id = ?1",
            params![id, game, seat],
        )
    }

    /// Says what has become of a mail, and why.
    pub fn settle(&self, id: i64, state: InboxState, reason: Option<&str>) -> Result<(), StoreError> {
        self.write_one(
            format_args!("inbox {id}"),
            "UPDATE inbox SET state = ?2, reason = ?3, in_hand = 0 WHERE id = ?1",
            params![id, state, reason],
        )
    }

    /// Puts a mail into the outbox and tells its number there; a second one of the same Message-ID is
    /// [`StoreError::Exists`].
    pub fn queue(&self, mail: &NewOutbox) -> Result<i64, StoreError> {
        let state = if mail.held { OutboxState::Held } else { OutboxState::Ready };
        let row = format_args!("outgoing mail {}", mail.message_id);
        let packed = self.packed(row, &mail.raw)?;
        self.add(
            row,
            "INSERT INTO outbox (game, seat, number, message_id, recipient, raw, size, state, queued, answers, asked) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) RETURNING id",
            params![
                mail.game,
                mail.seat,
                mail.number,
                mail.message_id,
                mail.recipient,
                packed,
                pack::size_of(&mail.raw),
                state,
                mail.queued,
                mail.answers,
                mail.asked,
            ],
        )
    }

    /// Keeps back the mails of a game that are not yet sent, but those to its umpires, and tells how many.
    pub fn hold_mails(&self, game: &str) -> Result<usize, StoreError> {
        self.write(
            format_args!("outgoing mails of {game}"),
            "UPDATE outbox SET state = 'held' WHERE game = ?1 AND state = 'ready'
             AND COALESCE(seat, '') <> 'umpire' AND COALESCE(seat, '') NOT GLOB 'umpire-[0-9]*'",
            [game],
        )
    }

    /// Puts other bytes in the place of a mail that has not been sent.
    pub fn rewrite_mail(&self, id: i64, raw: &[u8]) -> Result<(), StoreError> {
        let row = format_args!("outgoing mail {id}");
        let packed = self.packed(row, raw)?;
        self.write_one(
            row,
            "UPDATE outbox SET raw = ?2, size = ?3 WHERE id = ?1 AND state IN ('held', 'ready')",
            params![id, packed, pack::size_of(raw)],
        )
    }

    /// Lets go the mails of a game that were kept back, and tells how many.
    pub fn release_mails(&self, game: &str) -> Result<usize, StoreError> {
        self.write(
            format_args!("outgoing mails of {game}"),
            "UPDATE outbox SET state = 'ready' WHERE game = ?1 AND state = 'held'",
            [game],
        )
    }

    /// Counts one answer to an address on a day (`2026-01-01`) and tells how many it now has had that day.
    pub fn count_answer(&self, address: &str, day: &str) -> Result<u32, StoreError> {
        let address = address.to_lowercase();
        let count = self.add(
            format_args!("answers to {address} on {day}"),
            "INSERT INTO rate (day, address, count) VALUES (?1, ?2, 1) \
             ON CONFLICT (day, address) DO UPDATE SET count = rate.count + 1 RETURNING count",
            params![day, address],
        )?;
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// Forgets the counts of answers of all days before this one.
    pub fn forget_answers_before(&self, day: &str) -> Result<(), StoreError> {
        self.write(format_args!("answers before {day}"), "DELETE FROM rate WHERE day < ?1", [day])?;
        Ok(())
    }

    /// [`Store::mark_unsent`], together with what follows from it.
    pub fn mark_unsent(&self, id: i64, fault: &str, next_try: Option<&str>) -> Result<(), StoreError> {
        let state = if next_try.is_some() { OutboxState::Ready } else { OutboxState::Failed };
        self.write(
            format_args!("outbox {id}"),
            "UPDATE outbox SET state = ?2, fault = ?3, next_try = ?4, tries = tries + 1 \
             WHERE id = ?1 AND state IN ('ready', 'failed')",
            params![id, state, fault, next_try],
        )?;
        Ok(())
    }

    /// Keeps a thing that a transport must remember between two runs.
    pub fn set_mark(&self, key: &str, value: &str) -> Result<(), StoreError> {
        self.once.marks.forget(key);
        self.write(
            format_args!("mark {key}"),
            "INSERT INTO marks (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            [key, value],
        )?;
        Ok(())
    }

    /// Forgets a thing that [`Act::set_mark`] kept.
    pub fn drop_mark(&self, key: &str) -> Result<(), StoreError> {
        self.once.marks.forget(key);
        self.write(format_args!("mark {key}"), "DELETE FROM marks WHERE key = ?1", [key])?;
        Ok(())
    }
}

impl Store {
    /// A mail that came in, by its number.
    pub fn inbox(&self, id: i64) -> Result<Option<InboxMail>, StoreError> {
        self.one(format_args!("inbox {id}"), "SELECT * FROM inbox WHERE id = ?1", [id], inbox_mail)
    }

    /// The mails not yet acted on, oldest first, at most `limit`.
    pub fn new_mails(&self, limit: u32) -> Result<Vec<InboxMail>, StoreError> {
        self.many(
            format_args!("new mails"),
            "SELECT * FROM inbox WHERE state = 'new' ORDER BY id LIMIT ?1",
            [limit],
            inbox_mail,
        )
    }

    /// All mails taken for a game, oldest first.
    pub fn inbox_of_game(&self, game: &str) -> Result<Vec<InboxMail>, StoreError> {
        self.many(
            format_args!("inbox of {game}"),
            "SELECT * FROM inbox WHERE game = ?1 ORDER BY id",
            [game],
            inbox_mail,
        )
    }

    /// The seat's last mail in the game, which a report answers.
    pub fn last_from_seat(&self, game: &str, seat: &str) -> Result<Option<InboxMail>, StoreError> {
        self.one(
            format_args!("last mail from {game}/{seat}"),
            "SELECT * FROM inbox WHERE game = ?1 AND seat = ?2 ORDER BY id DESC LIMIT 1",
            [game, seat],
            inbox_mail,
        )
    }

    /// Notes that the transport took a mail; a mail already sent keeps its first time. Not within an act. Where
    /// a crash of the machine loses it, the mail is sent again under the same Message-ID.
    pub fn mark_sent(&self, id: i64, when: &str) -> Result<(), StoreError> {
        fail::point("store/sent/before");
        self.act_loosely(|act| {
            act.write_one(
                format_args!("outbox {id}"),
                "UPDATE outbox SET state = 'sent', sent = coalesce(sent, ?2), next_try = NULL, fault = NULL WHERE id = ?1",
                params![id, when],
            )
        })?;
        fail::point("store/sent/after");
        Ok(())
    }

    /// Notes that sending a mail did not succeed: it is tried again from `next_try` on, or given up where there is
    /// none. A mail already sent stays sent. Not within an act.
    pub fn mark_unsent(&self, id: i64, fault: &str, next_try: Option<&str>) -> Result<(), StoreError> {
        self.act(|act| act.mark_unsent(id, fault, next_try))
    }

    /// A mail that goes or went out, by its number.
    pub fn outbox(&self, id: i64) -> Result<Option<OutboxMail>, StoreError> {
        self.one(format_args!("outbox {id}"), "SELECT * FROM outbox WHERE id = ?1", [id], outbox_mail)
    }

    /// The mail of that Message-ID, for a bounce that names it.
    pub fn outbox_by_message_id(&self, message_id: &str) -> Result<Option<OutboxMail>, StoreError> {
        self.one(
            format_args!("outgoing mail {message_id}"),
            "SELECT * FROM outbox WHERE message_id = ?1",
            [message_id],
            outbox_mail,
        )
    }

    /// All mails to a seat, by their running number.
    pub fn outbox_of_seat(&self, game: &str, seat: &str) -> Result<Vec<OutboxMail>, StoreError> {
        self.many(
            format_args!("outbox of {game}/{seat}"),
            "SELECT * FROM outbox WHERE game = ?1 AND seat = ?2 ORDER BY number, id",
            [game, seat],
            outbox_mail,
        )
    }

    /// The mails that answer a mail of the inbox, in order.
    pub fn answers_to(&self, inbox: i64) -> Result<Vec<OutboxMail>, StoreError> {
        self.many(
            format_args!("answers to inbox {inbox}"),
            "SELECT * FROM outbox WHERE answers = ?1 ORDER BY id",
            [inbox],
            outbox_mail,
        )
    }

    /// How many answers the address has had on that day (`2026-01-01`).
    pub fn answers_given(&self, address: &str, day: &str) -> Result<u32, StoreError> {
        let count = self.one(
            format_args!("answers to {address} on {day}"),
            "SELECT count FROM rate WHERE day = ?1 AND address = ?2",
            params![day, address.to_lowercase()],
            |row| row.get(0),
        )?;
        Ok(count.unwrap_or_default())
    }

    /// What [`Act::set_mark`] kept.
    pub fn mark(&self, key: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT value FROM marks WHERE key = ?1";
        let read = || self.one(format_args!("mark {key}"), sql, [key], |row| row.get(0));
        self.of_game(&self.once.marks, key, read, Clone::clone)
    }
}

/// SQLite's integers are signed; no mail comes near their end.
fn kept_size(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

fn inbox_mail(row: &Row<'_>) -> rusqlite::Result<InboxMail> {
    Ok(InboxMail {
        id: row.get("id")?,
        message_id: row.get("message_id")?,
        digest: row.get("digest")?,
        game: row.get("game")?,
        seat: row.get("seat")?,
        received: row.get("received")?,
        raw: pack::raw(row)?,
        bytes: row.get::<_, Option<i64>>("bytes")?.and_then(|bytes| u64::try_from(bytes).ok()),
        state: row.get("state")?,
        reason: row.get("reason")?,
        in_hand: row.get("in_hand")?,
    })
}

fn outbox_mail(row: &Row<'_>) -> rusqlite::Result<OutboxMail> {
    Ok(OutboxMail {
        id: row.get("id")?,
        game: row.get("game")?,
        seat: row.get("seat")?,
        number: row.get("number")?,
        message_id: row.get("message_id")?,
        recipient: row.get("recipient")?,
        raw: pack::raw(row)?,
        state: row.get("state")?,
        queued: row.get("queued")?,
        sent: row.get("sent")?,
        answers: row.get("answers")?,
        again: row.get("again")?,
        bounces: row.get("bounces")?,
        tries: row.get("tries")?,
        next_try: row.get("next_try")?,
        fault: row.get("fault")?,
        asked: row.get("asked")?,
    })
}
