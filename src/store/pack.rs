//! Bytes as they lie in the database: packed by zlib, letters and segments of the log alike; and the text that a
//! segment is before it is packed.
//!
//! For each entry that text has a line with its slot, its kind and the bytes of its body; then come the body and the
//! end of a line. The line names the hash before its entry, too, where that is not the hash of the entry before: only a
//! log that was broken when it was packed has such a line. What is no plain word there is written with escapes (`%20`).

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, percent_encode};
use rusqlite::types::FromSqlError;

use super::base::Row;

/// What stands in no word; nor does the sign by which LIKE takes the next one as it is.
const ESCAPED: &AsciiSet = &CONTROLS.add(b' ').add(b'%').add(b'\\');
/// Bytes that are unpacked in one go to find one entry.
const FIRST_BYTES: u64 = 2048;
/// A word of nothing.
const NOTHING: &str = "%";

/// Adds a segment to a log.
pub(super) const ADD: &str = "INSERT INTO segments (game, seq_from, seq_to, slot, kinds, hash, size, body) \
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";

/// Packs one thing after the other: what that takes of memory is taken once.
#[derive(Default)]
pub(super) struct Deflater(RefCell<Option<ZlibEncoder<Vec<u8>>>>);

impl Deflater {
    /// Packs bytes; none stay none.
    ///
    /// # Errors
    /// None that memory gives.
    pub(super) fn pack(&self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        if bytes.is_empty() {
            return Ok(Vec::new());
        }
        let fresh = || ZlibEncoder::new(Vec::new(), Compression::default());
        let mut zlib = self.0.take().unwrap_or_else(fresh);
        zlib.write_all(bytes)?;
        let packed = zlib.reset(Vec::new())?;
        self.0.replace(Some(zlib));
        Ok(packed)
    }
}

/// Unpacks bytes that were so many; none where they are not packed whole, or come to more or fewer. Of a damaged blob
/// no more is unpacked than it is said to hold.
pub(super) fn unpack(packed: &[u8], size: usize) -> Option<Vec<u8>> {
    if packed.is_empty() {
        return (size == 0).then(Vec::new);
    }
    // One more, so that there being more is seen.
    let most = u64::try_from(size).ok()?.checked_add(1)?;
    let mut bytes = Vec::new();
    ZlibDecoder::new(packed).take(most).read_to_end(&mut bytes).ok()?;
    (bytes.len() == size).then_some(bytes)
}

/// The bytes of a mail, from its columns `raw` and `size`: packed where it has a size, else as they lie there.
pub(super) fn raw(row: &Row<'_>) -> rusqlite::Result<Vec<u8>> {
    let (raw, size): (Vec<u8>, Option<i64>) = (row.get("raw")?, row.get("size")?);
    let Some(size) = size else { return Ok(raw) };
    let bytes = usize::try_from(size).ok().and_then(|size| unpack(&raw, size));
    bytes.ok_or_else(|| FromSqlError::Other("its bytes cannot be unpacked".into()).into())
}

/// How many bytes there are, as a column holds it.
pub(super) fn size_of(bytes: &[u8]) -> i64 {
    i64::try_from(bytes.len()).unwrap_or(i64::MAX)
}

/// Entries on their way into a segment.
#[derive(Debug, Default)]
pub(super) struct Entries {
    text: Vec<u8>,
    kinds: BTreeSet<String>,
    count: usize,
}

impl Entries {
    /// Adds one, with the hash before it where that is not the hash of the entry before.
    pub(super) fn add(&mut self, slot: i64, kind: &[u8], body: &[u8], prev: Option<&[u8]>) {
        let kind = word(kind);
        let prev = prev.map_or_else(String::new, |prev| format!(" {}", word(prev)));
        self.text.extend_from_slice(format!("{slot} {kind} {}{prev}\n", body.len()).as_bytes());
        self.text.extend_from_slice(body);
        self.text.push(b'\n');
        self.kinds.insert(kind);
        self.count += 1;
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Their kinds, each between blanks.
    pub(super) fn kinds(&self) -> String {
        between_blanks(&self.kinds)
    }

    /// All of them as text.
    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }
}

/// Kinds, each once and between blanks, as a segment names those of its entries.
pub(super) fn kinds<'k>(of: impl Iterator<Item = &'k str>) -> String {
    between_blanks(&of.map(|kind| word(kind.as_bytes())).collect())
}

fn between_blanks(words: &BTreeSet<String>) -> String {
    words.iter().fold(" ".to_owned(), |all, word| all + word + " ")
}

/// What `kinds` is like where a kind is among them; what else it may be like is sorted out by whoever unpacks.
pub(super) fn among_kinds(kind: &str) -> String {
    format!("% {} %", word(kind.as_bytes()))
}

/// An entry as it stands in a segment.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) slot: u32,
    pub(super) kind: String,
    pub(super) body: String,
    /// The hash before it, where that is not the hash of the entry before.
    pub(super) prev: Option<String>,
}

/// The entries of a segment's text; none where it is none.
pub(super) fn entries(text: &[u8]) -> Option<Vec<Held>> {
    let (mut rest, mut all) = (text, Vec::new());
    while !rest.is_empty() {
        all.push(first(&mut rest)?);
    }
    Some(all)
}

/// The body of the first entry of a kind in a packed segment of so many bytes, of which no more is unpacked than it takes;
/// none where there is none, or the segment is damaged before it.
pub(super) fn first_of(packed: &[u8], size: usize, kind: &str) -> Option<String> {
    let most = u64::try_from(size).ok()?;
    let mut packed = ZlibDecoder::new(packed).take(most);
    let (mut text, mut read) = (Vec::new(), 0);
    loop {
        let more = packed.by_ref().take(FIRST_BYTES).read_to_end(&mut text).ok()?;
        let mut rest = text.get(read..)?;
        while let Some(held) = first(&mut rest) {
            if held.kind == kind {
                return Some(held.body);
            }
        }
        read = text.len() - rest.len();
        if more == 0 {
            return None;
        }
    }
}

/// Takes the first entry off a text.
fn first(rest: &mut &[u8]) -> Option<Held> {
    let text = *rest;
    let end = text.iter().position(|byte| *byte == b'\n')?;
    let (line, after) = text.split_at_checked(end)?;
    let mut words = std::str::from_utf8(line).ok()?.split(' ');
    let slot = words.next()?.parse().ok()?;
    let kind = said(words.next()?)?;
    let bytes = words.next()?.parse().ok()?;
    let prev = match words.next() {
        Some(prev) => Some(said(prev)?),
        None => None,
    };
    if words.next().is_some() {
        return None;
    }
    let (body, after) = after.get(1..)?.split_at_checked(bytes)?;
    *rest = after.strip_prefix(b"\n")?;
    let body = std::str::from_utf8(body).ok()?.to_owned();
    Some(Held { slot, kind, body, prev })
}

/// A text as one word.
fn word(text: &[u8]) -> String {
    if text.is_empty() { NOTHING.to_owned() } else { percent_encode(text, ESCAPED).to_string() }
}

/// What a word says; none where that is no text.
fn said(word: &str) -> Option<String> {
    if word == NOTHING {
        return Some(String::new());
    }
    percent_decode_str(word).decode_utf8().ok().map(Cow::into_owned)
}
