//! Logs as they lie in a file, read and written by code of its own: segments unpacked, changed as no program of ours
//! does, and packed again.

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use rusqlite::{Connection, params};
use std::io::{Read, Write};

/// An entry of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub slot: u32,
    pub kind: String,
    pub body: String,
}

/// Packs bytes.
pub fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

/// Unpacks them.
pub fn unpack(packed: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    ZlibDecoder::new(packed).read_to_end(&mut bytes).unwrap();
    bytes
}

/// The text of a segment.
pub fn text(entries: &[Entry]) -> String {
    let one = |Entry { slot, kind, body }: &Entry| format!("{slot} {kind} {}\n{body}\n", body.len());
    entries.iter().map(one).collect()
}

/// The entries of a segment's text.
pub fn entries(mut text: &str) -> Vec<Entry> {
    let mut all = Vec::new();
    while let Some((line, rest)) = text.split_once('\n') {
        let words: Vec<&str> = line.split(' ').collect();
        let [slot, kind, bytes] = words.as_slice() else { panic!("{line}") };
        let (body, rest) = rest.split_at(bytes.parse().unwrap());
        all.push(Entry { slot: slot.parse().unwrap(), kind: (*kind).to_owned(), body: body.to_owned() });
        text = rest.strip_prefix('\n').unwrap();
    }
    assert_eq!(text, "");
    all
}

/// The segment of a game that holds an entry: its first entry, and its text.
fn segment(db: &Connection, game: &str, seq: u32) -> (u32, String) {
    let sql = "SELECT seq_from, body FROM segments WHERE game = ?1 AND seq_from <= ?2 AND seq_to >= ?2";
    let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get::<_, Vec<u8>>(1)?));
    let (from, body) = db.query_row(sql, params![game, seq], row).unwrap();
    (from, String::from_utf8(unpack(&body)).unwrap())
}

/// Where a fault of an entry is told: at the first entry of its segment.
pub fn place(db: &Connection, game: &str, seq: u32) -> u32 {
    segment(db, game, seq).0
}

/// Puts another text into the segment that begins with an entry.
pub fn put(db: &Connection, game: &str, from: u32, text: &[u8]) {
    let sql = "UPDATE segments SET size = ?3, body = ?4 WHERE game = ?1 AND seq_from = ?2";
    let size = i64::try_from(text.len()).unwrap();
    assert_eq!(db.execute(sql, params![game, from, size, pack(text)]).unwrap(), 1);
}

/// Changes an entry where it lies, and nothing else.
pub fn change(db: &Connection, game: &str, seq: u32, change: impl FnOnce(&mut Entry)) {
    let (from, old) = segment(db, game, seq);
    let mut all = entries(&old);
    change(&mut all[usize::try_from(seq - from).unwrap()]);
    put(db, game, from, text(&all).as_bytes());
}

/// All entries of a game in their order; the first is entry 1.
pub fn log(db: &Connection, game: &str) -> Vec<Entry> {
    let mut all = db.prepare("SELECT body FROM segments WHERE game = ?1 ORDER BY seq_from").unwrap();
    let bodies = all.query_map([game], |row| row.get::<_, Vec<u8>>(0)).unwrap().map(Result::unwrap);
    bodies.flat_map(|body| entries(&String::from_utf8(unpack(&body)).unwrap())).collect()
}

/// The number of a game's last entry of a kind.
pub fn last_of_kind(db: &Connection, game: &str, kind: &str) -> u32 {
    let at = log(db, game).iter().rposition(|entry| entry.kind == kind).unwrap();
    u32::try_from(at).unwrap() + 1
}

/// Takes away what keeps a log from being changed.
pub fn unguarded(db: &Connection) {
    db.execute_batch("DROP TRIGGER segments_never_updated; DROP TRIGGER segments_never_deleted").unwrap();
}
