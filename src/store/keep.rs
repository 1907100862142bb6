//! What mails weigh, which of them is next, and how their bytes go when their time is up: the row stays, with identity,
//! digest and reason, so that a repeated delivery is known again.

use rusqlite::params;

use super::base::Row;
use super::{Act, Store, StoreError, pack};

/// Rows that one step of forgetting touches; fewer where it stops as soon as enough are gone.
const STEP: u32 = 100;
const STEP_OF_CAP: u32 = 10;

impl Act<'_> {
    /// Keeps of a mail in the inbox its first bytes alone.
    pub fn cut_raw(&self, id: i64, most: usize) -> Result<(), StoreError> {
        let row = format_args!("inbox {id}");
        let sql = "SELECT raw, size FROM inbox WHERE id = ?1 AND coalesce(size, length(raw)) > ?2";
        let longer = i64::try_from(most).unwrap_or(i64::MAX);
        let Some(mut raw) = self.one(row, sql, params![id, longer], pack::raw)? else { return Ok(()) };
        raw.truncate(most);
        let packed = self.packed(row, &raw)?;
        self.write(
            row,
            "UPDATE inbox SET bytes = coalesce(bytes, size, length(raw)), raw = ?2, size = ?3 WHERE id = ?1",
            params![id, packed, pack::size_of(&raw)],
        )?;
        Ok(())
    }

    /// Adds to what is counted under a name on a day, and tells how much it now is.
    pub fn count_more(&self, name: &str, day: &str, more: u32) -> Result<u32, StoreError> {
        let name = name.to_lowercase();
        self.write(
            format_args!("count of {name} on {day}"),
            "INSERT INTO rate (day, address, count) VALUES (?1, ?2, ?3) \
             ON CONFLICT (day, address) DO UPDATE SET count = CASE WHEN rate.count + excluded.count < 4000000000 \
             THEN rate.count + excluded.count ELSE 4000000000 END",
            params![day, name, more],
        )?;
        self.answers_given(&name, day)
    }

    /// Forgets the bytes of some mails of no game that were refused or set aside before a time, and tells of how many.
    pub fn forget_refused(&self, before: &str) -> Result<usize, StoreError> {
        self.write(
            format_args!("refused mails before {before}"),
            "UPDATE inbox SET bytes = coalesce(bytes, size, length(raw)), raw = x'', size = 0 WHERE id IN \
             (SELECT id FROM inbox WHERE game IS NULL AND state IN ('refused', 'quarantined') AND received < ?1 \
             AND length(raw) > 0 LIMIT ?2)",
            params![before, STEP],
        )
    }

    /// Forgets the bytes of some mails of no game that went out before a time, and tells of how many.
    pub fn forget_sent(&self, before: &str) -> Result<usize, StoreError> {
        self.write(
            format_args!("mails sent before {before}"),
            "UPDATE outbox SET raw = x'', size = 0 WHERE id IN (SELECT id FROM outbox WHERE game IS NULL \
             AND state IN ('sent', 'failed') AND queued < ?1 AND length(raw) > 0 LIMIT ?2)",
            params![before, STEP],
        )
    }

    /// Forgets the bytes of the oldest strangers' mails while all of them together have more than `most`, some at a
    /// time; tells of how many. A mail that waits for its seat's word is none of them.
    pub fn forget_oldest(&self, most: u64) -> Result<usize, StoreError> {
        const OF_STRANGERS: &str = "SELECT CAST(coalesce(sum(coalesce(size, length(raw))), 0) AS BIGINT) FROM inbox \
             WHERE game IS NULL AND state IN ('refused', 'quarantined') AND reason NOT LIKE 'held:%'";
        let row = format_args!("strangers' mails");
        let bytes: Option<i64> = self.one(row, OF_STRANGERS, (), |row| row.get(0))?;
        if bytes.and_then(|bytes| u64::try_from(bytes).ok()).unwrap_or_default() <= most {
            return Ok(0);
        }
        self.write(
            row,
            "UPDATE inbox SET bytes = coalesce(bytes, size, length(raw)), raw = x'', size = 0 WHERE id IN \
             (SELECT id FROM inbox WHERE game IS NULL AND state IN ('refused', 'quarantined') \
             AND reason NOT LIKE 'held:%' AND length(raw) > 0 ORDER BY id LIMIT ?1)",
            [STEP_OF_CAP],
        )
    }

    /// Has the mails of a game that were put aside for a reason read again.
    pub fn settle_again(&self, game: &str, reason: &str) -> Result<usize, StoreError> {
        self.write(
            format_args!("inbox of {game}"),
            "UPDATE inbox SET state = 'new', reason = NULL WHERE game = ?1 AND state = 'quarantined' AND reason = ?2",
            [game, reason],
        )
    }
}

impl Store {
    /// The mails not yet acted on, oldest first, each with the lane in which it waits. Where the index of them is damaged,
    /// the inbox itself is read through.
    pub fn new_lanes(&self) -> Result<Vec<(i64, String)>, StoreError> {
        let row = format_args!("new mails");
        let by_index = "SELECT id, lane FROM inbox INDEXED BY inbox_lanes WHERE state = 'new' ORDER BY id";
        let found = self.many(row, by_index, (), |row| Ok((row.get(0)?, row.get(1)?)));
        if !self.goes_round(&found) {
            return found;
        }
        let whole = "SELECT id, lane FROM inbox NOT INDEXED WHERE state = 'new' ORDER BY id";
        self.many(row, whole, (), |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// The mails behind a place in the order of sending that are to be sent and may be tried at `now`, at most `limit`:
    /// first what play needs (0), then what was asked for (1), each by its number. Where the index of them is damaged, the
    /// outbox itself is read through.
    pub fn ready_after(&self, after: (i64, i64), now: &str, limit: u32) -> Result<Vec<(i64, i64)>, StoreError> {
        let row = format_args!("ready mails");
        let by_index = "SELECT asked, id FROM outbox INDEXED BY outbox_in_turn WHERE state = 'ready' \
             AND (asked, id) > (?1, ?2) AND (next_try IS NULL OR next_try <= ?3) ORDER BY asked, id LIMIT ?4";
        let bounds = params![after.0, after.1, now, limit];
        let found = self.many(row, by_index, bounds, |row| Ok((row.get(0)?, row.get(1)?)));
        if !self.goes_round(&found) {
            return found;
        }
        let whole = "SELECT asked, id FROM outbox NOT INDEXED WHERE state = 'ready' \
             AND (asked, id) > (?1, ?2) AND (next_try IS NULL OR next_try <= ?3) ORDER BY asked, id LIMIT ?4";
        self.many(row, whole, bounds, |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// All mails taken for a game, oldest first, by their numbers.
    pub fn inbox_ids_of_game(&self, game: &str) -> Result<Vec<i64>, StoreError> {
        let sql = "SELECT id FROM inbox WHERE game = ?1 ORDER BY id";
        self.many(format_args!("inbox of {game}"), sql, [game], |row| row.get(0))
    }

    /// All mails to a seat, in their order, by their numbers in the outbox.
    pub fn outbox_ids_of_seat(&self, game: &str, seat: &str) -> Result<Vec<i64>, StoreError> {
        let sql = "SELECT id FROM outbox WHERE game = ?1 AND seat = ?2 ORDER BY number, id";
        self.many(format_args!("outbox of {game}/{seat}"), sql, [game, seat], |row| row.get(0))
    }

    /// How many bytes a seat's mail of a number has.
    pub fn mail_size(&self, game: &str, seat: &str, number: u32) -> Result<Option<usize>, StoreError> {
        let bytes: Option<i64> = self.one(
            format_args!("outgoing mail {number} of {game}/{seat}"),
            "SELECT coalesce(size, length(raw)) FROM outbox WHERE game = ?1 AND seat = ?2 AND number = ?3 LIMIT 1",
            params![game, seat, number],
            |row| row.get(0),
        )?;
        Ok(bytes.and_then(|bytes| usize::try_from(bytes).ok()))
    }

    /// How many mails of one seat, or of all, a bundle names, and how many bytes those have that came in.
    pub fn mails_of_bundle(&self, game: &str, seat: Option<&str>) -> Result<(u64, u64), StoreError> {
        let row = format_args!("mails of {game}");
        let read = |row: &Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?));
        let came = self.one(
            row,
            "SELECT count(*), CAST(coalesce(sum(coalesce(size, length(raw))), 0) AS BIGINT) FROM inbox \
             WHERE game = ?1 AND (CAST(?2 AS TEXT) IS NULL OR seat = ?2)",
            params![game, seat],
            read,
        )?;
        let went = self.one(
            row,
            "SELECT count(*), 0 FROM outbox WHERE game = ?1 AND (CAST(?2 AS TEXT) IS NULL OR seat = ?2)",
            params![game, seat],
            read,
        )?;
        let ((came, bytes), (went, _)) = (came.unwrap_or_default(), went.unwrap_or_default());
        Ok((u64::try_from(came + went).unwrap_or_default(), u64::try_from(bytes).unwrap_or_default()))
    }

    /// How many entries the log of a game has, and how many bytes they have together, their slots and kinds among them.
    pub fn log_bytes(&self, game: &str) -> Result<(u64, u64), StoreError> {
        let sql = "SELECT CAST(coalesce(sum(seq_to - seq_from + 1), 0) AS BIGINT), \
             CAST(coalesce(sum(size), 0) AS BIGINT) FROM segments WHERE game = ?1";
        let read = |row: &Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?));
        let (count, bytes) = self.one(format_args!("log of {game}"), sql, [game], read)?.unwrap_or_default();
        let (mut count, mut bytes): (u64, u64) = (count.try_into().unwrap_or(0), bytes.try_into().unwrap_or(0));
        for entry in self.waiting.borrow().get(game).into_iter().flatten() {
            count = count.saturating_add(1);
            bytes = bytes.saturating_add(u64::try_from(entry.body.len()).unwrap_or(u64::MAX));
        }
        Ok((count, bytes))
    }

    /// Whether another game than this one is formed or played.
    pub fn has_other_game(&self, game: &str) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM games WHERE id <> ?1 AND state IN ('forming', 'playing') LIMIT 1";
        Ok(self.one(format_args!("other games than {game}"), sql, [game], |row| row.get::<_, i64>(0))?.is_some())
    }

    /// Whether there is a game.
    pub fn has_game(&self) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM games LIMIT 1";
        Ok(self.one(format_args!("games"), sql, (), |row| row.get::<_, i64>(0))?.is_some())
    }
}
