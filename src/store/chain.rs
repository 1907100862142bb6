//! The log: append-only, each entry with the hash of the one before (design §8).

use data_encoding::HEXLOWER;
use rusqlite::params;
use sha2::{Digest, Sha256};

use super::base::{Base, Row};
use super::postgres::Server;
use super::{Act, Store, StoreError};
use crate::fail;

/// What stands for the hash before the first entry: 64 zeros.
pub const FIRST_PREV: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// An entry to be appended to a game's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewEntry<'a> {
    /// The slot of the dice protocol in which it happened.
    pub slot: u32,
    /// What kind of entry it is.
    pub kind: &'a str,
    /// What happened, as JSON text.
    pub body: &'a str,
}

/// An entry as it stands in a game's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// Its place in the log, from 1.
    pub seq: u32,
    /// The hash of the entry before, in hexadecimal.
    pub prev: String,
    /// Its own hash, in hexadecimal.
    pub hash: String,
    /// The slot of the dice protocol in which it happened.
    pub slot: u32,
    /// What kind of entry it is.
    pub kind: String,
    /// What happened, as JSON text.
    pub body: String,
}

/// Where a log ends: the last entry's place and hash; 0 and [`FIRST_PREV`] for an empty log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The last entry's place, 0 for none.
    pub seq: u32,
    /// The last entry's hash, in hexadecimal.
    pub hash: String,
}

/// The hash of a log entry, in hexadecimal:
/// `SHA256("estafette/log/v1\0" || prev || "\0" || slot || "\0" || kind || "\0" || body)`, prev as hexadecimal and
/// slot as decimal text.
#[must_use]
pub fn entry_hash(prev: &str, slot: u32, kind: &str, body: &str) -> String {
    let slot = slot.to_string();
    let mut digest = Sha256::new();
    digest.update(b"estafette/log/v1");
    for part in [prev, &slot, kind, body] {
        digest.update([0]);
        digest.update(part.as_bytes());
    }
    HEXLOWER.encode(&digest.finalize())
}

impl Act<'_> {
    /// Appends the entries to the game's log in order and tells where it now ends.
    pub fn append(&self, game: &str, entries: &[NewEntry<'_>]) -> Result<Head, StoreError> {
        let mut head = self.log_head(game)?;
        let mut linked = Vec::with_capacity(entries.len());
        for entry in entries {
            let hash = entry_hash(&head.hash, entry.slot, entry.kind, entry.body);
            let seq = head.seq.saturating_add(1);
            let prev = std::mem::replace(&mut head, Head { seq, hash: hash.clone() }).hash;
            linked.push(Linked { seq, prev, hash, entry });
        }
        match &self.base {
            Base::Lite(_) => linked.iter().try_for_each(|linked| self.append_one(game, linked))?,
            // Each statement is a way to the server and back.
            Base::Server(server) => self.append_all(server, game, &linked)?,
        }
        if !entries.is_empty() {
            self.write(
                format_args!("head of log {game}"),
                "INSERT INTO log_heads (game, seq, hash) VALUES (?1, ?2, ?3)
                 ON CONFLICT (game) DO UPDATE SET seq = excluded.seq, hash = excluded.hash",
                params![game, head.seq, head.hash],
            )?;
        }
        Ok(head)
    }
}

/// Adds entries that are given as lists.
const LISTS: &str = "INSERT INTO log (game, seq, prev, hash, slot, kind, body) \
     SELECT ?1, * FROM unnest(?2::bigint[], ?3::text[], ?4::text[], ?5::bigint[], ?6::text[], ?7::text[])";

/// An entry in its place.
struct Linked<'a> {
    seq: u32,
    prev: String,
    hash: String,
    entry: &'a NewEntry<'a>,
}

impl Act<'_> {
    fn append_one(&self, game: &str, linked: &Linked<'_>) -> Result<(), StoreError> {
        let Linked { seq, prev, hash, entry } = linked;
        self.write(
            format_args!("log entry {game}/{seq}"),
            "INSERT INTO log (game, seq, prev, hash, slot, kind, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![game, seq, prev, hash, entry.slot, entry.kind, entry.body],
        )?;
        Ok(())
    }

    fn append_all(&self, server: &Server, game: &str, linked: &[Linked<'_>]) -> Result<(), StoreError> {
        if linked.is_empty() {
            return Ok(());
        }
        self.wrote();
        self.hear(LISTS);
        fail::point("store/write");
        let seqs: Vec<i64> = linked.iter().map(|linked| i64::from(linked.seq)).collect();
        let prevs: Vec<&str> = linked.iter().map(|linked| linked.prev.as_str()).collect();
        let hashes: Vec<&str> = linked.iter().map(|linked| linked.hash.as_str()).collect();
        let slots: Vec<i64> = linked.iter().map(|linked| i64::from(linked.entry.slot)).collect();
        let kinds: Vec<&str> = linked.iter().map(|linked| linked.entry.kind).collect();
        let bodies: Vec<&str> = linked.iter().map(|linked| linked.entry.body).collect();
        let row = format_args!("log of {game}");
        let done = server.execute_lists(LISTS, &[&game, &seqs, &prevs, &hashes, &slots, &kinds, &bodies]);
        done.map(drop).map_err(|source| self.doom(row, self.error(&row, source.into())))
    }
}

impl Store {
    /// Where the game's log ends.
    pub fn log_head(&self, game: &str) -> Result<Head, StoreError> {
        let head = self.one(
            format_args!("head of log {game}"),
            "SELECT seq, hash FROM log_heads WHERE game = ?1",
            [game],
            |row| Ok(Head { seq: row.get(0)?, hash: row.get(1)? }),
        )?;
        Ok(head.unwrap_or_else(|| Head { seq: 0, hash: FIRST_PREV.to_owned() }))
    }

    /// The game's log from entry `from_seq` on, which is included.
    pub fn log(&self, game: &str, from_seq: u32) -> Result<Vec<LogEntry>, StoreError> {
        self.many(
            format_args!("log of {game}"),
            "SELECT seq, prev, hash, slot, kind, body FROM log WHERE game = ?1 AND seq >= ?2 ORDER BY seq",
            params![game, from_seq],
            entry,
        )
    }

    /// The slot of a game's last entry; none where it has no entry.
    pub fn last_slot(&self, game: &str) -> Result<Option<u32>, StoreError> {
        let sql = "SELECT slot FROM log WHERE game = ?1 ORDER BY seq DESC LIMIT 1";
        self.one(format_args!("log of {game}"), sql, [game], |row| row.get(0))
    }

    /// The entries of one kind from entry `from_seq` on, in order.
    pub fn log_of_kind(&self, game: &str, kind: &str, from_seq: u32) -> Result<Vec<LogEntry>, StoreError> {
        self.many(
            format_args!("log of {game}, {kind}"),
            "SELECT seq, prev, hash, slot, kind, body FROM log INDEXED BY log_by_kind WHERE game = ?1 AND kind = ?2 AND seq >= ?3 ORDER BY seq",
            params![game, kind, from_seq],
            entry,
        )
    }

    /// Checks the whole log of a game: that no entry is missing, that each names the hash of the one before, that
    /// each hash is right, and that the log ends where it was last said to end. The first fault is
    /// [`StoreError::Broken`].
    pub fn verify_log(&self, game: &str) -> Result<(), StoreError> {
        self.at_one_moment(|| self.walk_log(game, |_| {}))
    }

    /// The whole log of a game, checked as [`Store::verify_log`] does.
    pub fn checked_log(&self, game: &str) -> Result<Vec<LogEntry>, StoreError> {
        let mut all = Vec::new();
        self.at_one_moment(|| self.walk_log(game, |entry| all.push(entry)))?;
        Ok(all)
    }

    fn walk_log(&self, game: &str, mut keep: impl FnMut(LogEntry)) -> Result<(), StoreError> {
        let mut end = Head { seq: 0, hash: FIRST_PREV.to_owned() };
        let broken = |seq, detail| StoreError::Broken { path: self.path.clone(), game: game.to_owned(), seq, detail };
        let sql = "SELECT seq, prev, hash, slot, kind, body FROM log WHERE game = ?1 ORDER BY seq";
        let mut fault = None;
        self.each(format_args!("log of {game}"), sql, [game], &mut |row| {
            let found = entry(row)?;
            let seq = end.seq.saturating_add(1);
            let said = if found.seq != seq {
                Some("is missing")
            } else if found.prev != end.hash {
                Some("does not follow from the entry before")
            } else if found.hash != entry_hash(&found.prev, found.slot, &found.kind, &found.body) {
                Some("was changed: its hash is another")
            } else {
                None
            };
            fault = said.map(|said| broken(seq, said));
            if fault.is_none() {
                end = Head { seq, hash: found.hash.clone() };
                keep(found);
            }
            Ok(fault.is_none())
        })?;
        if let Some(fault) = fault {
            return Err(fault);
        }
        let head = self.log_head(game)?;
        if head.seq > end.seq {
            return Err(broken(end.seq.saturating_add(1), "is missing: the log was cut off"));
        }
        if head != end {
            return Err(broken(end.seq, "is not where the log was last said to end"));
        }
        Ok(())
    }
}

fn entry(row: &Row<'_>) -> rusqlite::Result<LogEntry> {
    Ok(LogEntry {
        seq: row.get(0)?,
        prev: row.get(1)?,
        hash: row.get(2)?,
        slot: row.get(3)?,
        kind: row.get(4)?,
        body: row.get(5)?,
    })
}
