//! The log of before, an entry a row, packed into segments.
//!
//! Nothing of it is lost, and no fault in it is mended or hidden: whatever of a log is wrong is packed as it stands. An
//! entry that does not follow from the one before, or whose hash is another, becomes a segment of its own, with its
//! hash and with the hash that it names; behind a gap a new segment begins. So the walk over the log finds each fault
//! where it was, and the game is set aside as it would have been. Heads are not touched, so a log that was cut off is
//! still known to be.

use rusqlite::params;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

use super::base::{Failure, Row, Tables};
use super::chain::{FIRST_PREV, entry_hash};
use super::pack;

/// Most entries of a segment: which of them one act appended is not known any more.
const ENTRIES_MAX: usize = 128;

/// Some of a game's entries, behind one.
const NEXT: &str = "SELECT seq, prev, hash, slot, kind, body FROM log WHERE game = ?1 AND seq > ?2 \
     ORDER BY seq LIMIT 128";

/// A text as its bytes: what is damaged need not be UTF-8.
#[derive(Clone, PartialEq, Eq)]
struct Text(Vec<u8>);

impl Text {
    fn said(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }
}

impl FromSql for Text {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Text> {
        match value {
            ValueRef::Text(bytes) => Ok(Text(bytes.to_vec())),
            _ => Err(FromSqlError::InvalidType),
        }
    }
}

impl ToSql for Text {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(ValueRef::Text(&self.0)))
    }
}

/// An entry of the old log.
struct Old {
    seq: i64,
    prev: Text,
    hash: Text,
    slot: i64,
    kind: Text,
    body: Text,
}

fn old(row: &Row<'_>) -> rusqlite::Result<Old> {
    Ok(Old {
        seq: row.get(0)?,
        prev: row.get(1)?,
        hash: row.get(2)?,
        slot: row.get(3)?,
        kind: row.get(4)?,
        body: row.get(5)?,
    })
}

impl Old {
    /// The hash of what it says; none where that is no entry at all.
    fn hash_of(&self) -> Option<String> {
        let slot = u32::try_from(self.slot).ok()?;
        Some(entry_hash(self.prev.said()?, slot, self.kind.said()?, self.body.said()?))
    }

    /// Whether its hash is that of what it says.
    fn is_right(&self) -> bool {
        self.hash_of().is_some_and(|hash| hash.as_bytes() == self.hash.0)
    }
}

/// Packs the logs of all games.
///
/// # Errors
/// A database that cannot be read or written; entries that were not all packed.
pub(super) fn log(tables: Tables<'_>) -> Result<(), Failure> {
    let mut games: Vec<Text> = Vec::new();
    tables.each("SELECT DISTINCT game FROM log ORDER BY game", &(), &mut |row| {
        games.push(row.get(0)?);
        Ok(true)
    })?;
    let mut packed: i64 = 0;
    for game in &games {
        packed += Packer::of(tables, game).all()?;
    }
    let mut there: i64 = 0;
    tables.each("SELECT count(*) FROM log", &(), &mut |row| {
        there = row.get(0)?;
        Ok(true)
    })?;
    // Before the old log goes.
    if packed == there { Ok(()) } else { Err(unpacked()) }
}

/// What is said where the old log must not go.
fn unpacked() -> Failure {
    Failure::Lite(rusqlite::Error::ToSqlConversionFailure("the log was not packed whole".into()))
}

/// Packs the log of one game.
struct Packer<'a> {
    tables: Tables<'a>,
    game: &'a Text,
    /// The last entry that was looked at, 0 at first, and its hash.
    seq: i64,
    hash: Text,
    /// The first of those that make up the next segment.
    first: i64,
    /// The slot of the last of them.
    slot: i64,
    run: pack::Entries,
    deflater: pack::Deflater,
    /// How many were looked at.
    count: i64,
    /// The first that is wrong.
    wrong: Option<i64>,
}

impl<'a> Packer<'a> {
    fn of(tables: Tables<'a>, game: &'a Text) -> Packer<'a> {
        Packer {
            tables,
            game,
            seq: 0,
            hash: Text(FIRST_PREV.as_bytes().to_vec()),
            first: 0,
            slot: 0,
            run: pack::Entries::default(),
            deflater: pack::Deflater::default(),
            count: 0,
            wrong: None,
        }
    }

    /// Packs all entries; how many there were.
    fn all(mut self) -> Result<i64, Failure> {
        let mut from = i64::MIN;
        loop {
            let mut some = Vec::new();
            let values = params![self.game, from];
            self.tables.each(NEXT, &values, &mut |row| {
                some.push(old(row)?);
                Ok(true)
            })?;
            let Some(last) = some.last() else { break };
            from = last.seq;
            some.into_iter().try_for_each(|entry| self.take(entry))?;
        }
        self.close()?;
        self.tell()?;
        Ok(self.count)
    }

    /// Puts an entry behind the others, or where it is wrong by itself.
    fn take(&mut self, entry: Old) -> Result<(), Failure> {
        let follows = entry.prev == self.hash;
        let sound = follows && entry.is_right();
        let next = entry.seq == self.seq.saturating_add(1);
        if !sound || !next {
            self.wrong.get_or_insert(entry.seq);
        }
        if !sound || !next || self.run.count() >= ENTRIES_MAX {
            self.close()?;
        }
        if self.run.count() == 0 {
            self.first = entry.seq;
        }
        let prev = if follows { None } else { Some(entry.prev.0.as_slice()) };
        self.run.add(entry.slot, &entry.kind.0, &entry.body.0, prev);
        (self.seq, self.hash, self.slot) = (entry.seq, entry.hash, entry.slot);
        self.count += 1;
        if sound { Ok(()) } else { self.close() }
    }

    /// Writes a segment of the entries that were put together.
    fn close(&mut self) -> Result<(), Failure> {
        let run = std::mem::take(&mut self.run);
        if run.count() == 0 {
            return Ok(());
        }
        let body =
            self.deflater.pack(run.text()).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        if pack::unpack(&body, run.text().len()).as_deref() != Some(run.text()) {
            return Err(unpacked());
        }
        let (kinds, size) = (run.kinds(), pack::size_of(run.text()));
        let values = params![self.game, self.first, self.seq, self.slot, kinds, self.hash, size, body];
        self.tables.execute(pack::ADD, &values).map(drop)
    }

    /// Tells of a log that is wrong: it was so before.
    fn tell(&self) -> Result<(), Failure> {
        let mut ends = false;
        self.tables.each("SELECT seq, hash FROM log_heads WHERE game = ?1", &[self.game], &mut |row| {
            ends = row.get::<_, i64>(0)? == self.seq && row.get::<_, Text>(1)? == self.hash;
            Ok(true)
        })?;
        let game = String::from_utf8_lossy(&self.game.0);
        match self.wrong {
            Some(seq) => tracing::warn!(%game, seq, "the log of a game is wrong here; it is kept as it is"),
            None if !ends => tracing::warn!(%game, "the log of a game ends where it should not; it is kept as it is"),
            None => {}
        }
        Ok(())
    }
}
