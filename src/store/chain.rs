//! The log: append-only, each entry with the hash of the one before (design §8).
//!
//! All entries that one act appends lie in one row, packed: a segment. Of their hashes it keeps the last; the others
//! are recomputed from the segment before. What is appended waits until the act is committed; whoever reads the log in
//! that act reads it behind what is written.

use std::collections::BTreeMap;

use data_encoding::HEXLOWER;
use rusqlite::params;
use sha2::{Digest, Sha256};

use super::base::Row;
use super::pack::{self, Held};
use super::{Act, Store, StoreError};

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
    /// Appends the entries to the game's log in order and tells where it now ends. They are written when the act is
    /// committed, with all others that it appends.
    pub fn append(&self, game: &str, entries: &[NewEntry<'_>]) -> Result<Head, StoreError> {
        let mut head = self.log_head(game)?;
        let mut linked = Vec::with_capacity(entries.len());
        for NewEntry { slot, kind, body } in entries.iter().copied() {
            let hash = entry_hash(&head.hash, slot, kind, body);
            let seq = head.seq.saturating_add(1);
            let prev = std::mem::replace(&mut head, Head { seq, hash: hash.clone() }).hash;
            linked.push(LogEntry { seq, prev, hash, slot, kind: kind.to_owned(), body: body.to_owned() });
        }
        if !linked.is_empty() {
            let more = i64::try_from(linked.len()).unwrap_or(i64::MAX);
            self.appended.set(self.appended.get().saturating_add(more));
            self.waiting.borrow_mut().entry(game.to_owned()).or_default().append(&mut linked);
        }
        Ok(head)
    }

    /// Writes what was appended and waits, for each game as one segment.
    pub(super) fn write_log(&self) -> Result<(), StoreError> {
        let waiting = self.waiting.take();
        waiting.iter().try_for_each(|(game, entries)| self.write_segment(game, entries))
    }

    fn write_segment(&self, game: &str, entries: &[LogEntry]) -> Result<(), StoreError> {
        let (Some(first), Some(last)) = (entries.first(), entries.last()) else { return Ok(()) };
        self.once.kinds.change(game, |kinds| {
            for entry in entries {
                kinds.get_mut(&entry.kind).into_iter().for_each(|known| known.push(entry.clone()));
            }
        });
        let row = format_args!("log of {game} from entry {}", first.seq);
        let mut held = pack::Entries::default();
        for LogEntry { slot, kind, body, .. } in entries {
            held.add(i64::from(*slot), kind.as_bytes(), body.as_bytes(), None);
        }
        let (size, body) = (pack::size_of(held.text()), self.packed(row, held.text())?);
        self.write(row, pack::ADD, params![game, first.seq, last.seq, last.slot, held.kinds(), last.hash, size, body])?;
        self.write(
            format_args!("head of log {game}"),
            "INSERT INTO log_heads (game, seq, hash) VALUES (?1, ?2, ?3)
             ON CONFLICT (game) DO UPDATE SET seq = excluded.seq, hash = excluded.hash",
            params![game, last.seq, last.hash],
        )?;
        self.once.heads.change(game, |head| *head = Head { seq: last.seq, hash: last.hash.clone() });
        Ok(())
    }
}

/// Segments of a game's log, from the one that holds an entry on, each with the hash before it.
macro_rules! segments {
    ($which:literal) => {
        concat!(
            "SELECT s.seq_from, s.seq_to, s.slot, s.kinds, s.hash, s.size, s.body, \
             (SELECT b.hash FROM segments AS b WHERE b.game = s.game AND b.seq_from < s.seq_from \
             ORDER BY b.seq_from DESC LIMIT 1) FROM segments AS s WHERE s.game = ?1 AND s.seq_from >= \
             coalesce((SELECT max(f.seq_from) FROM segments AS f WHERE f.game = ?1 AND f.seq_from <= ?2), 0)",
            $which,
            " ORDER BY s.seq_from"
        )
    };
}

/// All of them.
const SEGMENTS: &str = segments!("");
/// Those that begin behind an entry.
const SEGMENTS_BEHIND: &str = "SELECT seq_from, seq_to, slot, kinds, hash, size, body, NULL FROM segments \
     WHERE game = ?1 AND seq_from > ?2 ORDER BY seq_from";
/// Those that may hold a kind.
const SEGMENTS_OF_KIND: &str = segments!(" AND s.kinds LIKE ?3");

/// The first of them that may.
const FIRST_OF_KIND: &str =
    "SELECT size, body FROM segments WHERE game = ?1 AND kinds LIKE ?2 ORDER BY seq_from LIMIT 1";

impl Store {
    /// Where the game's log ends.
    pub fn log_head(&self, game: &str) -> Result<Head, StoreError> {
        let end = |last: &LogEntry| Head { seq: last.seq, hash: last.hash.clone() };
        let waiting = self.waiting.borrow().get(game).and_then(|entries| entries.last()).map(end);
        match waiting {
            Some(head) => Ok(head),
            None => self.written_head(game),
        }
    }

    /// Where the game's log ends as far as it is written.
    fn written_head(&self, game: &str) -> Result<Head, StoreError> {
        let read = || {
            let head = self.one(
                format_args!("head of log {game}"),
                "SELECT seq, hash FROM log_heads WHERE game = ?1",
                [game],
                |row| Ok(Head { seq: row.get(0)?, hash: row.get(1)? }),
            )?;
            Ok(head.unwrap_or_else(|| Head { seq: 0, hash: FIRST_PREV.to_owned() }))
        };
        self.of_game(&self.once.heads, game, read, Clone::clone)
    }

    /// The game's log from entry `from_seq` on, which is included.
    pub fn log(&self, game: &str, from_seq: u32) -> Result<Vec<LogEntry>, StoreError> {
        let row = format_args!("log of {game}");
        let segments = self.many(row, SEGMENTS, params![game, from_seq], segment)?;
        let written = self.unpacked(game, &segments, |entry| entry.seq >= from_seq)?;
        Ok(self.and_waiting(game, written, |entry| entry.seq >= from_seq))
    }

    /// Entries that are written, and behind them those that wait and are wanted.
    fn and_waiting(&self, game: &str, mut all: Vec<LogEntry>, wanted: impl Fn(&LogEntry) -> bool) -> Vec<LogEntry> {
        let waiting = self.waiting.borrow();
        all.extend(waiting.get(game).into_iter().flatten().filter(|entry| wanted(entry)).cloned());
        all
    }

    /// The slot of a game's last entry; none where it has no entry.
    pub fn last_slot(&self, game: &str) -> Result<Option<u32>, StoreError> {
        let waiting = self.waiting.borrow().get(game).and_then(|entries| entries.last()).map(|last| last.slot);
        if waiting.is_some() {
            return Ok(waiting);
        }
        let sql = "SELECT slot FROM segments WHERE game = ?1 ORDER BY seq_from DESC LIMIT 1";
        self.one(format_args!("log of {game}"), sql, [game], |row| row.get(0))
    }

    /// The entries of one kind from entry `from_seq` on, in order. Only segments are unpacked that hold one.
    pub fn log_of_kind(&self, game: &str, kind: &str, from_seq: u32) -> Result<Vec<LogEntry>, StoreError> {
        let written = self.written_of_kind(game, kind, from_seq)?;
        Ok(self.and_waiting(game, written, |entry| entry.seq >= from_seq && entry.kind == kind))
    }

    /// The body of the first entry of one kind. It is looked for no further than where it stands, so that what is said once,
    /// at a game's beginning, costs the same however long the game has lasted.
    pub fn first_of_kind(&self, game: &str, kind: &str) -> Result<Option<String>, StoreError> {
        if let Some(first) = self.once.firsts.known(game, |firsts| firsts.get(kind).cloned()).flatten() {
            return Ok(Some(first));
        }
        let (row, like) = (format_args!("log of {game}, {kind}"), pack::among_kinds(kind));
        let found = self.one(row, FIRST_OF_KIND, [game, &like], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let body =
            found.and_then(|(size, packed): (i64, Vec<u8>)| pack::first_of(&packed, usize::try_from(size).ok()?, kind));
        let first = match body {
            Some(body) => Some(body),
            // It waits to be written, or cannot be read: then the whole log says why.
            None => self.log_of_kind(game, kind, 1)?.into_iter().next().map(|entry| entry.body),
        };
        if let (Some(first), true) = (&first, self.acts()) {
            self.of_game(&self.once.firsts, game, || Ok(BTreeMap::new()), |_| ())?;
            self.once.firsts.change(game, |firsts| drop(firsts.insert(kind.to_owned(), first.clone())));
        }
        Ok(first)
    }

    fn written_of_kind(&self, game: &str, kind: &str, from_seq: u32) -> Result<Vec<LogEntry>, StoreError> {
        // Asked for again and again in one act are those from the first on.
        let whole = self.acts() && from_seq == 1;
        let known = self.once.kinds.known(game, |kinds| kinds.get(kind).cloned()).flatten().filter(|_| whole);
        if let Some(known) = known {
            return Ok(known);
        }
        let like = pack::among_kinds(kind);
        let row = format_args!("log of {game}, {kind}");
        let segments = self.many(row, SEGMENTS_OF_KIND, params![game, from_seq, like], segment)?;
        let found = self.unpacked(game, &segments, |entry| entry.seq >= from_seq && entry.kind == kind)?;
        if whole {
            self.of_game(&self.once.kinds, game, || Ok(BTreeMap::new()), |_| ())?;
            self.once.kinds.change(game, |kinds| drop(kinds.insert(kind.to_owned(), found.clone())));
        }
        Ok(found)
    }

    /// The entries of segments that are wanted, as they are kept.
    fn unpacked(
        &self,
        game: &str,
        segments: &[Segment],
        wanted: impl Fn(&LogEntry) -> bool,
    ) -> Result<Vec<LogEntry>, StoreError> {
        let mut all = Vec::new();
        for segment in segments {
            let before = segment.before.as_deref().unwrap_or(FIRST_PREV);
            let mut entries = segment.entries(before).map_err(|said| self.broken(game, segment.from, said))?;
            // Whether it is right, the walk over the whole log says.
            if let Some(last) = entries.last_mut() {
                last.hash.clone_from(&segment.hash);
            }
            all.extend(entries.into_iter().filter(&wanted));
        }
        Ok(all)
    }

    /// Checks the whole log of a game: that no entry is missing, that each follows from the one before, that each hash
    /// is right, and that the log ends where it was last said to end. The first fault is [`StoreError::Broken`]. It
    /// names the first entry of the segment at fault: of the entries there only the last has a hash that is kept.
    pub fn verify_log(&self, game: &str) -> Result<(), StoreError> {
        self.at_one_moment(|| self.walk_log(game, None, |_| {}))
    }

    /// The whole log of a game, checked as [`Store::verify_log`] does.
    pub fn checked_log(&self, game: &str) -> Result<Vec<LogEntry>, StoreError> {
        self.checked_behind(game, None)
    }

    /// The same behind an entry; what stands before it is not looked at.
    pub(super) fn checked_behind(&self, game: &str, behind: Option<&Head>) -> Result<Vec<LogEntry>, StoreError> {
        let mut all = Vec::new();
        self.at_one_moment(|| self.walk_log(game, behind, |entry| all.push(entry)))?;
        Ok(all)
    }

    fn walk_log(&self, game: &str, behind: Option<&Head>, mut keep: impl FnMut(LogEntry)) -> Result<(), StoreError> {
        let mut end = behind.cloned().unwrap_or_else(|| Head { seq: 0, hash: FIRST_PREV.to_owned() });
        // Of the whole log what stands before its first entry is looked at too: it is no part of it.
        let (mut fault, from) = (None, behind.map_or(i64::MIN, |head| i64::from(head.seq)));
        self.each(format_args!("log of {game}"), SEGMENTS_BEHIND, params![game, from], &mut |row| {
            let found = segment(row)?;
            match found.checked(&end) {
                Ok(entries) => {
                    end = Head { seq: found.to, hash: found.hash };
                    entries.into_iter().for_each(&mut keep);
                }
                Err((seq, said)) => fault = Some(self.broken(game, seq, said)),
            }
            Ok(fault.is_none())
        })?;
        if let Some(fault) = fault {
            return Err(fault);
        }
        let head = self.written_head(game)?;
        if head.seq > end.seq {
            return Err(self.broken(game, end.seq.saturating_add(1), "is missing: the log was cut off"));
        }
        if head != end {
            return Err(self.broken(game, end.seq, "is not where the log was last said to end"));
        }
        // What waits was linked to that end.
        self.waiting.borrow().get(game).into_iter().flatten().cloned().for_each(keep);
        Ok(())
    }

    fn broken(&self, game: &str, seq: u32, detail: &'static str) -> StoreError {
        StoreError::Broken { path: self.path.clone(), game: game.to_owned(), seq, detail }
    }
}

/// A row of a log: what one act appended.
struct Segment {
    /// Its first entry.
    from: u32,
    /// Its last.
    to: u32,
    /// The slot of its last entry; what is damaged is no slot.
    slot: i64,
    /// The kinds of its entries, each between blanks.
    kinds: String,
    /// The hash of its last entry.
    hash: String,
    /// Bytes unpacked.
    size: u32,
    /// Packed.
    body: Vec<u8>,
    /// The hash of the segment before; none of the first.
    before: Option<String>,
}

fn segment(row: &Row<'_>) -> rusqlite::Result<Segment> {
    Ok(Segment {
        from: row.get(0)?,
        to: row.get(1)?,
        slot: row.get(2)?,
        kinds: row.get(3)?,
        hash: row.get(4)?,
        size: row.get(5)?,
        body: row.get(6)?,
        before: row.get(7)?,
    })
}

impl Segment {
    /// Its entries, linked to the hash before; what is wrong where they do not come out.
    fn entries(&self, before: &str) -> Result<Vec<LogEntry>, &'static str> {
        let text = usize::try_from(self.size).ok().and_then(|size| pack::unpack(&self.body, size));
        let held = pack::entries(&text.ok_or("cannot be unpacked")?).ok_or("cannot be read where it is unpacked")?;
        let count = self.to.checked_sub(self.from).map(|more| u64::from(more).saturating_add(1));
        if count != u64::try_from(held.len()).ok() {
            return Err("begins a segment that holds more or fewer entries than it says");
        }
        let mut all: Vec<LogEntry> = Vec::with_capacity(held.len());
        for (seq, Held { slot, kind, body, prev }) in (self.from..=self.to).zip(held) {
            let last = all.last().map_or(before, |entry| entry.hash.as_str());
            let prev = prev.unwrap_or_else(|| last.to_owned());
            let hash = entry_hash(&prev, slot, &kind, &body);
            all.push(LogEntry { seq, prev, hash, slot, kind, body });
        }
        Ok(all)
    }

    /// Its entries, where they are right behind the end of the log before it; else which is at fault, and how.
    fn checked(&self, end: &Head) -> Result<Vec<LogEntry>, (u32, &'static str)> {
        let next = end.seq.saturating_add(1);
        if self.from > next {
            return Err((next, "is missing"));
        }
        let wrong = |said| (self.from, said);
        let follows_not = "does not follow from the entry before";
        if self.from < next {
            return Err(wrong(follows_not));
        }
        let entries = self.entries(&end.hash).map_err(wrong)?;
        let hashes = [end.hash.as_str()].into_iter().chain(entries.iter().map(|entry| entry.hash.as_str()));
        if entries.iter().zip(hashes).any(|(entry, before)| entry.prev != before) {
            return Err(wrong(follows_not));
        }
        let last = entries.last();
        if last.is_none_or(|last| last.hash != self.hash) {
            return Err(wrong("was changed: its hash is another"));
        }
        let kinds = pack::kinds(entries.iter().map(|entry| entry.kind.as_str()));
        if last.is_none_or(|last| i64::from(last.slot) != self.slot) || kinds != self.kinds {
            return Err(wrong("was changed: its segment names another slot or other kinds"));
        }
        Ok(entries)
    }
}
