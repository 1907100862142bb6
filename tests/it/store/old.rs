//! Logs of before, an entry a row: packed when the file is opened, and nothing is lost, whatever is wrong with them.

use super::*;
use estafette::store::LogEntry;

/// The last schema in which each entry had a row.
const BEFORE: usize = 15;

/// A file of that schema with a game and so many entries, of two kinds and by twenties in a slot; another game has one.
fn of_before(path: &Path, entries: u32) -> Connection {
    let conn = of_schema(path, BEFORE);
    let games = "INSERT INTO scenarios VALUES ('d', 'p', 't');
        INSERT INTO games (id, ruleset, engine_version, scenario_digest, tempo, master, state, created)
        VALUES ('g', 'r', '1', 'd', 'live', zeroblob(32), 'playing', 'x'),
               ('h', 'r', '1', 'd', 'live', zeroblob(32), 'playing', 'x');
        INSERT INTO seats (game, seat, ordinal) VALUES ('g', 'french', 0), ('h', 'french', 0);";
    conn.execute_batch(games).unwrap();
    let add = |game: &str, entries: u32| {
        let mut prev = FIRST_PREV.to_owned();
        for seq in 1..=entries {
            let (slot, kind) = (seq / 20, if seq % 7 == 0 { "post.options" } else { "event" });
            let body = format!("{{\"entry\":{seq},\"where\":\"Dürenstein\"}}");
            let hash = entry_hash(&prev, slot, kind, &body);
            let row = rusqlite::params![game, seq, prev, hash, slot, kind, body];
            conn.execute("INSERT INTO log VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", row).unwrap();
            prev = hash;
        }
        conn.execute("INSERT INTO log_heads VALUES (?1, ?2, ?3)", rusqlite::params![game, entries, prev]).unwrap();
    };
    add("g", entries);
    add("h", 1);
    conn
}

/// The entries of a game as the old log has them.
fn rows(conn: &Connection, game: &str) -> Vec<LogEntry> {
    let sql = "SELECT seq, prev, hash, slot, kind, body FROM log WHERE game = ?1 ORDER BY seq";
    let mut all = conn.prepare(sql).unwrap();
    let entry = |row: &rusqlite::Row<'_>| {
        Ok(LogEntry {
            seq: row.get(0)?,
            prev: row.get(1)?,
            hash: row.get(2)?,
            slot: row.get(3)?,
            kind: row.get(4)?,
            body: row.get(5)?,
        })
    };
    all.query_map([game], entry).unwrap().map(Result::unwrap).collect()
}

/// Tables, indexes and columns that are there no more.
fn gone(path: &Path) {
    let none = "SELECT name FROM sqlite_schema WHERE tbl_name IN ('log', 'doctrine', 'drafts', 'rest_points')";
    assert_eq!(plain(path, none), [""; 0]);
    assert_eq!(plain(path, "SELECT name FROM pragma_table_info('seats') WHERE name = 'told_seq'"), [""; 0]);
}

#[test]
fn a_log_of_before_keeps_every_entry_and_every_hash() {
    for count in [0, 1, 127, 128, 129, 256, 300] {
        let (_dir, path) = office();
        let old = of_before(&path, count);
        let before = rows(&old, "g");
        assert_eq!(before.len(), count as usize);
        if count == 0 {
            old.execute("DELETE FROM log_heads WHERE game = 'g'", ()).unwrap();
        }
        drop(old);
        let store = Store::open(&path).unwrap();
        assert_eq!(store.checked_log("g").unwrap(), before, "{count}");
        assert_eq!(store.log("g", 1).unwrap(), before, "{count}");
        let terms: Vec<LogEntry> = before.iter().filter(|entry| entry.kind == "post.options").cloned().collect();
        assert_eq!(store.log_of_kind("g", "post.options", 1).unwrap(), terms, "{count}");
        assert_eq!(store.last_slot("g").unwrap(), before.last().map(|entry| entry.slot), "{count}");
        assert_eq!(store.log_head("g").unwrap().seq, count);
        assert_eq!(store.integrity().unwrap(), Vec::<String>::new(), "{count}");
        let segments = plain(&path, "SELECT '' FROM segments WHERE game = 'g'").len();
        assert_eq!(segments, (count as usize).div_ceil(128), "{count}");
        gone(&path);
        // It goes on from there.
        store.act(|act| act.append("g", &[NewEntry { slot: 99, kind: "event", body: "{}" }])).unwrap();
        assert_eq!(store.checked_log("g").unwrap().len(), before.len() + 1);
        assert_eq!(store.checked_log("h").unwrap().len(), 1);
    }
}

/// What was done to a log of 300 entries, where the walk over it tells of it, and a word of what it says.
const WRONG: [(&str, u32, &str); 14] = [
    ("UPDATE log SET body = '{\"a\":9}' WHERE seq = 200", 200, "changed"),
    ("UPDATE log SET kind = 'roll' WHERE seq = 300", 300, "changed"),
    ("UPDATE log SET kind = 'no plain%20 \\kind' WHERE seq = 129", 129, "changed"),
    ("UPDATE log SET kind = '' WHERE seq = 1", 1, "changed"),
    ("UPDATE log SET slot = 99 WHERE seq = 1", 1, "changed"),
    ("UPDATE log SET hash = prev WHERE seq = 128", 128, "changed"),
    ("UPDATE log SET prev = hash WHERE seq = 130", 130, "does not follow"),
    ("UPDATE log SET prev = 'a b' || char(10) WHERE seq = 2", 2, "does not follow"),
    ("DELETE FROM log WHERE seq = 1", 1, "missing"),
    ("DELETE FROM log WHERE seq BETWEEN 120 AND 140", 120, "missing"),
    ("DELETE FROM log WHERE seq = 300", 300, "cut off"),
    ("DELETE FROM log", 1, "cut off"),
    ("UPDATE log SET seq = 999 WHERE seq = 300", 300, "missing"),
    ("DELETE FROM log_heads WHERE game = 'g'", 300, "said to end"),
];

#[test]
fn a_log_of_before_that_is_broken_is_told_and_nothing_of_it_is_lost() {
    for (wrong, place, word) in WRONG {
        let (_dir, path) = office();
        let old = of_before(&path, 300);
        old.execute_batch("DROP TRIGGER log_never_updated; DROP TRIGGER log_never_deleted").unwrap();
        old.execute_batch(&wrong.replace("WHERE seq", "WHERE game = 'g' AND seq")).unwrap();
        let (before, other) = (rows(&old, "g"), rows(&old, "h"));
        drop(old);
        let store = Store::open(&path).unwrap();
        // Each entry as it stood, its hash and the one that it names as well.
        assert_eq!(store.log("g", 1).unwrap(), before, "{wrong}");
        let error = store.verify_log("g").unwrap_err();
        assert!(matches!(&error, StoreError::Broken { seq, .. } if *seq == place), "{wrong}: {error}");
        assert!(error.to_string().contains(word), "{wrong}: {error}");
        let faults = store.integrity().unwrap();
        let told = format!("log of g: entry {place}: ");
        assert!(faults.iter().any(|fault| fault.contains(&told)), "{wrong}: {faults:?}");
        assert_eq!(store.log("h", 1).unwrap(), other, "{wrong}");
        gone(&path);
    }
}

#[test]
fn what_a_program_cannot_read_of_an_old_log_lies_in_the_new_one_as_it_was() {
    for (wrong, bytes) in [
        ("body = CAST(x'61ff62' AS TEXT)", b"0 event 3\na\xffb\n".as_slice()),
        ("slot = 5000000000, body = ''", b"5000000000 event 0\n\n".as_slice()),
    ] {
        let (_dir, path) = office();
        let old = of_before(&path, 9);
        let wrong = format!("DROP TRIGGER log_never_updated; UPDATE log SET {wrong} WHERE game = 'g' AND seq = 4");
        old.execute_batch(&wrong).unwrap();
        drop(old);
        let store = Store::open(&path).unwrap();
        let error = store.verify_log("g").unwrap_err();
        assert!(matches!(&error, StoreError::Broken { seq: 4, .. }), "{error}");
        store.verify_log("h").unwrap();
        let other = Connection::open(&path).unwrap();
        let body: Vec<u8> = other
            .query_row("SELECT body FROM segments WHERE game = 'g' AND seq_from = 4", (), |row| row.get(0))
            .unwrap();
        assert_eq!(crate::packed::unpack(&body), bytes);
    }
}

#[test]
fn entries_of_a_game_that_is_not_there_are_kept_and_told() {
    let (_dir, path) = office();
    let old = of_before(&path, 5);
    old.execute_batch("PRAGMA foreign_keys = 0; DELETE FROM seats WHERE game = 'h'; DELETE FROM games WHERE id = 'h'")
        .unwrap();
    drop(old);
    let store = Store::open(&path).unwrap();
    assert_eq!(store.log("h", 1).unwrap().len(), 1);
    store.verify_log("g").unwrap();
    let faults = store.integrity().unwrap();
    assert!(faults.iter().any(|fault| fault == "segments of h names a row of games that is not there"), "{faults:?}");
    // References are looked at again.
    assert!(store.act(|act| act.append("nowhere", &[NewEntry { slot: 0, kind: "event", body: "" }])).is_err());
}

#[test]
fn mails_of_before_are_read_as_they_lie_there() {
    let (_dir, path) = office();
    let old = of_before(&path, 1);
    old.execute_batch(
        "INSERT INTO inbox (message_id, digest, received, raw, state) VALUES ('<1@a>', 'd', 'x', x'61626364', 'new');
         INSERT INTO outbox (game, seat, number, message_id, recipient, raw, state, queued)
         VALUES ('g', 'french', 1, '<o1@a>', 'a@b.org', x'61626364', 'ready', 'x');",
    )
    .unwrap();
    drop(old);
    let store = Store::open(&path).unwrap();
    assert_eq!(store.inbox(1).unwrap().unwrap().raw, b"abcd");
    assert_eq!(store.outbox(1).unwrap().unwrap().raw, b"abcd");
    assert_eq!(store.mail_size("g", "french", 1).unwrap(), Some(4));
    store
        .act(|act| {
            act.cut_raw(1, 3)?;
            act.rewrite_mail(1, b"other")
        })
        .unwrap();
    let cut = store.inbox(1).unwrap().unwrap();
    assert_eq!((cut.raw.as_slice(), cut.bytes), (b"abc".as_slice(), Some(4)));
    assert_eq!(store.outbox(1).unwrap().unwrap().raw, b"other");
}
