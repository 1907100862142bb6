//! Mails that need an operator's eye: refused, set aside, unsent, given up.

use super::base::Row;
use super::{Act, Store, StoreError};

/// A mail that needs an operator's eye, in or out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Troubled {
    /// Its number in its box.
    pub id: i64,
    /// When it came, or was written.
    pub when: String,
    /// The game, where it is known.
    pub game: Option<String>,
    /// The seat, where it is known.
    pub seat: Option<String>,
    /// The seat's running number, of a mail that goes out.
    pub number: Option<u32>,
    /// What has become of it.
    pub state: String,
    /// Why.
    pub reason: Option<String>,
}

fn troubled(row: &Row<'_>) -> rusqlite::Result<Troubled> {
    Ok(Troubled {
        id: row.get("id")?,
        when: row.get("at")?,
        game: row.get("game")?,
        seat: row.get("seat")?,
        number: row.get("number")?,
        state: row.get("state")?,
        reason: row.get("reason")?,
    })
}

impl Act<'_> {
    /// Has a mail that was refused or set aside acted on again; false where it is neither.
    pub fn retry_in(&self, id: i64) -> Result<bool, StoreError> {
        let touched = self.write(
            format_args!("inbox {id}"),
            "UPDATE inbox SET state = 'new', reason = NULL, in_hand = 0 WHERE id = ?1 AND state IN ('refused', 'quarantined')",
            [id],
        )?;
        Ok(touched == 1)
    }

    /// Has a mail to a seat, sent or given up, sent again as it is, to the address that asks: its own copy, or else
    /// one that went to another address of the seat. False where there is none of that number.
    pub fn send_again(&self, game: &str, seat: &str, number: u32, to: &str) -> Result<bool, StoreError> {
        let touched = self.write(
            format_args!("outgoing mail {number} of {game}/{seat}"),
            "UPDATE outbox SET state = 'ready', sent = NULL, again = again + 1, tries = 0, next_try = NULL, \
             fault = NULL, recipient = CASE WHEN lower(recipient) = lower(?4) THEN recipient ELSE ?4 END WHERE id = (SELECT id FROM outbox WHERE game = ?1 AND seat = ?2 \
             AND number = ?3 AND state IN ('sent', 'failed') ORDER BY lower(recipient) = lower(?4) DESC, id LIMIT 1)",
            rusqlite::params![game, seat, number, to],
        )?;
        Ok(touched > 0)
    }

    /// Notes that a mail that was sent came back, and tells how many delivery reports there are now of mails of its seat
    /// to its address; the mail stays sent.
    pub fn came_back(&self, id: i64, why: &str) -> Result<u32, StoreError> {
        let row = format_args!("outbox {id}");
        self.write(
            row,
            "UPDATE outbox SET bounces = bounces + 1, fault = CASE WHEN state = 'sent' THEN ?2 ELSE fault END WHERE id = ?1",
            rusqlite::params![id, why],
        )?;
        let count = self.one(
            row,
            "SELECT CAST(sum(other.bounces) AS BIGINT) FROM outbox JOIN outbox AS other ON other.game IS NOT DISTINCT FROM outbox.game \
             AND other.seat IS NOT DISTINCT FROM outbox.seat AND other.recipient = outbox.recipient WHERE outbox.id = ?1",
            [id],
            |row| row.get(0),
        )?;
        Ok(count.unwrap_or_default())
    }

    /// Has a mail that was given up, or waits for its next try, sent at once; false where it is neither.
    pub fn retry_out(&self, id: i64) -> Result<bool, StoreError> {
        let touched = self.write(
            format_args!("outbox {id}"),
            "UPDATE outbox SET state = 'ready', tries = 0, next_try = NULL WHERE id = ?1 \
             AND (state = 'failed' OR state = 'ready' AND next_try IS NOT NULL)",
            [id],
        )?;
        Ok(touched == 1)
    }
}

/// What waits in a post office.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    /// Mails that came in and were not acted on.
    pub waiting: u32,
    /// Mails that wait to be sent.
    pub ready: u32,
    /// Mails that were given up.
    pub failed: u32,
    /// When the oldest of those that wait to be sent was written.
    pub oldest: Option<String>,
}

impl Store {
    /// The mails that came in and were refused or set aside, newest first.
    pub fn troubled_in(&self, limit: u32) -> Result<Vec<Troubled>, StoreError> {
        self.many(
            format_args!("refused mails"),
            "SELECT id, received AS at, game, seat, NULL AS number, state, reason FROM inbox \
             WHERE state IN ('refused', 'quarantined') ORDER BY id DESC LIMIT ?1",
            [limit],
            troubled,
        )
    }

    /// The mails that could not be sent yet or were given up, newest first.
    pub fn troubled_out(&self, limit: u32) -> Result<Vec<Troubled>, StoreError> {
        self.many(
            format_args!("unsent mails"),
            "SELECT id, queued AS at, game, seat, number, state, fault AS reason FROM outbox \
             WHERE fault IS NOT NULL ORDER BY id DESC LIMIT ?1",
            [limit],
            troubled,
        )
    }

    /// How many delivery reports there are of mails that did not arrive: game, seat, address, count.
    pub fn bounces(&self) -> Result<Vec<(String, String, String, u32)>, StoreError> {
        self.many(
            format_args!("mails that came back"),
            "SELECT game, seat, recipient, CAST(sum(bounces) AS BIGINT) FROM outbox WHERE bounces > 0 AND game IS NOT NULL \
             AND seat IS NOT NULL GROUP BY game, seat, recipient ORDER BY game, seat, recipient",
            (),
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
        )
    }

    /// How many mails wait to be sent, and how many were given up.
    pub fn outbox_counts(&self) -> Result<(u32, u32), StoreError> {
        let counts = self.one(
            format_args!("outgoing mails"),
            "SELECT count(*) FILTER (WHERE state = 'ready') AS ready, \
             count(*) FILTER (WHERE state = 'failed') AS failed FROM outbox \
             WHERE state IN ('ready', 'failed')",
            (),
            |row| Ok((row.get("ready")?, row.get("failed")?)),
        )?;
        Ok(counts.unwrap_or_default())
    }

    /// What waits in the post office.
    pub fn queue(&self) -> Result<Queue, StoreError> {
        let (ready, failed) = self.outbox_counts()?;
        let sql = "SELECT count(*) FROM inbox WHERE state = 'new'";
        let waiting = self.one(format_args!("new mails"), sql, (), |row| row.get(0))?.unwrap_or_default();
        let sql = "SELECT min(queued) FROM outbox INDEXED BY outbox_in_turn WHERE state = 'ready'";
        let oldest = self.one(format_args!("ready mails"), sql, (), |row| row.get(0))?.flatten();
        Ok(Queue { waiting, ready, failed, oldest })
    }

    /// How many games there are in each state.
    pub fn game_counts(&self) -> Result<Vec<(String, u32)>, StoreError> {
        let sql = "SELECT state, count(*) FROM games GROUP BY state ORDER BY state";
        self.many(format_args!("games"), sql, (), |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Whether a mail of that Message-ID came in for a game before the one of a row.
    pub fn named_before(&self, game: &str, message_id: &str, row: i64) -> Result<bool, StoreError> {
        let found = self.one(
            format_args!("mail {message_id}"),
            "SELECT 1 FROM inbox WHERE message_id = ?1 AND id < ?2 AND game = ?3 LIMIT 1",
            rusqlite::params![message_id, row, game],
            |row| row.get::<_, i64>(0),
        )?;
        Ok(found.is_some())
    }

    /// Whether a mail of that Message-ID came in.
    pub fn has_come_in(&self, message_id: &str) -> Result<bool, StoreError> {
        let found = self.one(
            format_args!("mail {message_id}"),
            "SELECT 1 FROM inbox WHERE message_id = ?1 LIMIT 1",
            [message_id],
            |row| row.get::<_, i64>(0),
        )?;
        Ok(found.is_some())
    }
}
