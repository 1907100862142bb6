//! Where games stood at some entry of their logs, so that they are opened from there.
//!
//! A snapshot is a cache of the log: one that does not follow from it, or that another program made, counts for nothing.

use data_encoding::HEXLOWER;
use rusqlite::params;
use sha2::{Digest, Sha256};

use super::pack;
use super::{Act, Head, Store, StoreError};

/// No game stands in more bytes than these: what says so is damaged, and is not unpacked.
const BYTES_MAX: usize = 32 << 20;

/// Where a game stood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The last entry of the log before it.
    pub head: Head,
    /// The digest of the sources of the rules that made it.
    pub rules: String,
    /// What its ruleset says of it.
    pub body: Vec<u8>,
}

impl Act<'_> {
    /// Keeps where a game stands at the end of its log; the snapshot of before goes.
    pub fn keep_snapshot(&self, game: &str, snapshot: &Snapshot) -> Result<(), StoreError> {
        let row = format_args!("snapshot of {game}");
        let Snapshot { head, rules, body } = snapshot;
        let packed = self.packed(row, body)?;
        let sql = "INSERT INTO snapshots (game, seq, hash, rules, digest, size, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) \
                   ON CONFLICT (game) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, rules = excluded.rules, \
                   digest = excluded.digest, size = excluded.size, body = excluded.body";
        let (digest, size) = (digest(game, snapshot), pack::size_of(body));
        self.write(row, sql, params![game, head.seq, head.hash, rules, digest, size, packed])?;
        Ok(())
    }

    /// Forgets where a game stood.
    pub fn drop_snapshot(&self, game: &str) -> Result<(), StoreError> {
        self.write(format_args!("snapshot of {game}"), "DELETE FROM snapshots WHERE game = ?1", [game])?;
        Ok(())
    }
}

impl Store {
    /// Where a game stood, as some rules had it; none where nothing is kept, where other rules kept it, and where it was
    /// changed.
    pub fn snapshot(&self, game: &str, rules: &str) -> Result<Option<Snapshot>, StoreError> {
        let sql = "SELECT seq, hash, digest, size, body FROM snapshots WHERE game = ?1 AND rules = ?2";
        let found = self.one(format_args!("snapshot of {game}"), sql, [game, rules], |row| {
            let (seq, hash): (i64, String) = (row.get(0)?, row.get(1)?);
            let (digest, size, packed): (String, i64, Vec<u8>) = (row.get(2)?, row.get(3)?, row.get(4)?);
            let size = usize::try_from(size).ok().filter(|size| *size <= BYTES_MAX);
            let body = size.and_then(|size| pack::unpack(&packed, size));
            let head = u32::try_from(seq).ok().map(|seq| Head { seq, hash });
            Ok((digest, body.zip(head).map(|(body, head)| Snapshot { head, rules: rules.to_owned(), body })))
        })?;
        Ok(found.and_then(|(said, snapshot)| snapshot.filter(|snapshot| digest(game, snapshot) == said)))
    }
}

/// The digest of all that a snapshot says, and of whose it is.
fn digest(game: &str, Snapshot { head, rules, body }: &Snapshot) -> String {
    let mut digest = Sha256::new();
    digest.update(b"estafette/snapshot/v1");
    for part in [game, &head.seq.to_string(), &head.hash, rules] {
        digest.update([0]);
        digest.update(part.as_bytes());
    }
    digest.update([0]);
    digest.update(body);
    HEXLOWER.encode(&digest.finalize())
}
