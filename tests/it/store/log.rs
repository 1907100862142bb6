//! The log: append-only, what one act appends in one row, and any tampering shows.

use super::*;
use crate::packed::{self, Entry};
use estafette::store::{Act, LogEntry};

const GAME: &str = "moravia-7";

#[test]
fn the_log_hash_is_the_one_the_design_gives() {
    // sha256("estafette/log/v1\0" + 64 zeros + "\0" + "3" + "\0" + "event" + "\0" + "{}"), by another program.
    let wanted = "294b01d679eb1d1424526cc78da6eee211a2d55e570a1fa06bdf5c9cfcd96d31";
    assert_eq!(entry_hash(FIRST_PREV, 3, "event", "{}"), wanted);
}

fn new(slot: u32, kind: &'static str, body: &'static str) -> NewEntry<'static> {
    NewEntry { slot, kind, body }
}

fn seqs(log: Vec<LogEntry>) -> Vec<u32> {
    log.iter().map(|entry| entry.seq).collect()
}

/// The rows of all logs: game, first entry, last entry, kinds.
fn rows(path: &Path) -> Vec<String> {
    let sql = "SELECT game || ' ' || seq_from || '-' || seq_to || kinds || slot FROM segments ORDER BY game, seq_from";
    plain(path, sql)
}

/// Three entries, each of an act of its own.
fn three_acts(store: &Store) {
    for body in ["{\"a\":1}", "{\"a\":2}", "{\"a\":3}"] {
        store.act(|act| act.append(GAME, &[new(1, "event", body)])).unwrap();
    }
}

#[test]
fn the_log_is_read_from_any_place_by_slot_and_by_kind() {
    let (_dir, path) = office();
    let store = with_game(&path);
    assert_eq!((store.log_head(GAME).unwrap().seq, store.last_slot(GAME).unwrap()), (0, None));
    store.verify_log(GAME).unwrap();
    three_entries(&store);
    let head = store.act(|act| act.append(GAME, &[new(2, "roll", "{}")])).unwrap();
    assert_eq!((head.seq, &store.log_head(GAME).unwrap()), (4, &head));
    assert_eq!(store.act(|act| act.append(GAME, &[])).unwrap(), head, "nothing more, the same end");
    store.act(|act| act.append(GAME, &[new(3, "event", "ä\n\n1 event 2\n"), new(4, "roll", "")])).unwrap();
    for from in 0..8 {
        let all: Vec<u32> = (from.max(1)..=6).collect();
        assert_eq!(seqs(store.log(GAME, from).unwrap()), all, "from {from}");
        let rolls: Vec<u32> = [4, 6].into_iter().filter(|seq| *seq >= from).collect();
        assert_eq!(seqs(store.log_of_kind(GAME, "roll", from).unwrap()), rolls, "from {from}");
    }
    // A kind is the whole word, as it is written.
    for none in ["even", "vent", "Event", "%", "_oll", "event roll", ""] {
        assert_eq!(store.log_of_kind(GAME, none, 1).unwrap(), [], "{none}");
    }
    let log = store.log(GAME, 1).unwrap();
    assert_eq!((log[4].body.as_str(), log[5].body.as_str()), ("ä\n\n1 event 2\n", ""));
    assert_eq!(store.last_slot(GAME).unwrap(), Some(4));
    let mut before = FIRST_PREV.to_owned();
    for LogEntry { prev, hash, slot, kind, body, seq } in &log {
        assert_eq!((prev, hash), (&before, &entry_hash(&before, *slot, kind, body)), "entry {seq}");
        before.clone_from(hash);
    }
    assert_eq!(store.log_head(GAME).unwrap().hash, before);
    for from in 1..=6 {
        assert_eq!(store.log(GAME, from).unwrap(), log[from as usize - 1..], "the same from any place");
    }
    assert_eq!(store.checked_log(GAME).unwrap(), log);
    assert_eq!(rows(&path), ["moravia-7 1-3 event 1", "moravia-7 4-4 roll 2", "moravia-7 5-6 event roll 4"]);
    let told = |entry: &LogEntry| Entry { slot: entry.slot, kind: entry.kind.clone(), body: entry.body.clone() };
    let found = packed::log(&Connection::open(&path).unwrap(), GAME);
    assert_eq!(found, log.iter().map(told).collect::<Vec<_>>(), "by code of its own");
}

#[test]
fn all_that_an_act_appends_is_one_row_and_whoever_reads_in_it_reads_it_too() {
    let (_dir, path) = office();
    let store = with_game(&path);
    three_acts(&store);
    let (written, (count, bytes)) = (store.written().unwrap(), store.log_bytes(GAME).unwrap());
    let told = store
        .act(|act| {
            act.append(GAME, &[new(1, "input", "{}"), new(1, "event", "[]")])?;
            assert_ne!(act.written()?, written, "that something was written is known at once");
            assert_eq!(seqs(act.log(GAME, 3)?), [3, 4, 5]);
            assert_eq!(seqs(act.log_of_kind(GAME, "event", 2)?), [2, 3, 5]);
            assert_eq!(act.log_bytes(GAME)?, (count + 2, bytes + 4));
            act.append(GAME, &[new(2, "roll", "7")])?;
            act.verify_log(GAME)?;
            assert_eq!(seqs(act.checked_log(GAME)?), [1, 2, 3, 4, 5, 6]);
            assert_eq!((act.last_slot(GAME)?, act.log_head(GAME)?.seq), (Some(2), 6));
            assert_eq!(rows(&path).len(), 3, "it is not written yet, and nobody else reads it");
            let head = act.append(GAME, &[new(2, "post.mail", "{}")])?;
            assert_eq!(act.log_head(GAME)?, head);
            act.log(GAME, 1)
        })
        .unwrap();
    assert_eq!(rows(&path)[3..], ["moravia-7 4-7 event input post.mail roll 2"]);
    assert_eq!(store.log(GAME, 1).unwrap(), told, "as it was read before it was written");
    store.verify_log(GAME).unwrap();
    assert_eq!(store.log_bytes(GAME).unwrap().0, 7);
}

#[test]
fn an_act_on_two_games_keeps_their_logs_apart() {
    let (_dir, path) = office();
    let store = with_game(&path);
    store
        .act(|act| {
            act.new_game(&game("other"), &[])?;
            act.append("other", &[new(0, "event", "1")])?;
            act.append(GAME, &[new(5, "roll", "2")])?;
            act.append("other", &[new(1, "rest", "3")]).map(drop)
        })
        .unwrap();
    assert_eq!(rows(&path), ["moravia-7 1-1 roll 5", "other 1-2 event rest 1"]);
    store.verify_log(GAME).unwrap();
    store.verify_log("other").unwrap();
}

#[test]
fn an_act_that_is_taken_back_leaves_nothing_of_the_log() {
    let (_dir, path) = office();
    let store = with_game(&path);
    three_entries(&store);
    let before = (store.log(GAME, 1).unwrap(), store.log_head(GAME).unwrap());
    let append = |act: &Act<'_>| act.append(GAME, &[new(9, "event", "gone")]).map(drop);
    let failed = store.try_act(|act| {
        append(act)?;
        Err::<(), Box<dyn std::error::Error>>("the rules diverged".into())
    });
    assert_eq!(failed.unwrap_err().to_string(), "the rules diverged");
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        store.act(|act| append(act).map(|()| panic!("in mid-act")))
    }));
    assert!(panicked.is_err());
    let doomed = store.act(|act| {
        append(act)?;
        let _ = act.set_format(GAME, "prussian", "html");
        append(act)
    });
    assert!(matches!(doomed.unwrap_err(), StoreError::Doomed { .. }));
    assert_eq!((store.log(GAME, 1).unwrap(), store.log_head(GAME).unwrap()), before);
    assert_eq!((store.last_slot(GAME).unwrap(), rows(&path).len()), (Some(1), 1));
    store.act(append).unwrap();
    assert_eq!(rows(&path), ["moravia-7 1-3 event 1", "moravia-7 4-4 event 9"]);
    store.verify_log(GAME).unwrap();
}

#[test]
fn where_a_log_takes_no_more_entries_nothing_of_the_act_is_kept() {
    let (_dir, path) = office();
    let store = with_game(&path);
    three_entries(&store);
    Connection::open(&path).unwrap().execute_batch("DELETE FROM log_heads").unwrap();
    let wrong = store.act(|act| {
        act.set_held(GAME, true)?;
        act.append(GAME, &[new(1, "event", "{}")])
    });
    let said = wrong.unwrap_err().to_string();
    assert!(said.contains("log of moravia-7 from entry 1") && said.contains("append-only"), "{said}");
    assert!(!store.game(GAME).unwrap().unwrap().held);
    let unknown = store.act(|act| act.append("nowhere", &[new(1, "event", "{}")]).map(drop));
    assert!(unknown.unwrap_err().to_string().contains("log of nowhere from entry 1"));
}

#[test]
fn terms_of_an_act_wake_their_game_before_it_says_when_it_is_to_be_asked() {
    let (_dir, path) = office();
    let store = with_game(&path);
    store.act(|act| act.set_wake(GAME, LATER)).unwrap();
    let asked = store.act(|act| {
        act.append(GAME, &[new(0, "post.options", "{}")])?;
        let asked = act.wake(GAME)?;
        act.set_wake(GAME, LATER)?;
        Ok(asked)
    });
    assert_eq!(asked.unwrap().as_deref(), Some(""));
    assert_eq!(store.wake(GAME).unwrap().as_deref(), Some(LATER), "the terms are in it");
}

#[test]
fn the_log_refuses_every_change_by_any_tool() {
    let (_dir, path) = office();
    three_entries(&with_game(&path));
    let other = Connection::open(&path).unwrap();
    for (sql, word) in [
        ("UPDATE segments SET body = x'00'", "changed"),
        ("UPDATE OR REPLACE segments SET seq_from = 2", "changed"),
        ("DELETE FROM segments", "deleted"),
        ("INSERT OR REPLACE INTO segments SELECT game, 1, 1, slot, kinds, hash, 0, x'' FROM segments", "replaced"),
        (
            "INSERT OR REPLACE INTO segments (rowid, game, seq_from, seq_to, slot, kinds, hash, size, body)
             SELECT rowid, game, 4, 4, slot, kinds, hash, 0, x'' FROM segments",
            "replaced",
        ),
    ] {
        let refused = other.execute(sql, ()).unwrap_err().to_string();
        assert!(refused.contains("append-only") && refused.contains(word), "{sql}: {refused}");
    }
    Store::open(&path).unwrap().verify_log(GAME).unwrap();
}

/// Something that nobody of ours does to a file.
type Tampering = fn(&Connection);

fn sql(db: &Connection, sql: &str) {
    db.execute_batch(sql).unwrap();
}

/// What each does, at which entry that is told, and a word of it.
const TAMPERINGS: [(Tampering, u32, &str); 24] = [
    (|db| packed::change(db, GAME, 2, |entry| entry.body = "{\"a\":9}".to_owned()), 2, "changed"),
    (|db| packed::change(db, GAME, 3, |entry| entry.kind = "roll".to_owned()), 3, "changed"),
    (|db| packed::change(db, GAME, 1, |entry| entry.slot = 2), 1, "changed"),
    (|db| sql(db, "UPDATE segments SET hash = 'x' WHERE seq_from = 2"), 2, "its hash is another"),
    (|db| sql(db, "UPDATE segments SET slot = 9 WHERE seq_from = 3"), 3, "another slot"),
    (|db| sql(db, "UPDATE segments SET kinds = ' roll ' WHERE seq_from = 2"), 2, "other kinds"),
    (|db| sql(db, "DELETE FROM segments WHERE seq_from = 1"), 1, "missing"),
    (|db| sql(db, "DELETE FROM segments WHERE seq_from = 2"), 2, "missing"),
    (|db| sql(db, "DELETE FROM segments WHERE seq_from = 3"), 3, "cut off"),
    (|db| sql(db, "DELETE FROM segments"), 1, "cut off"),
    (|db| sql(db, "UPDATE segments SET (seq_from, seq_to) = (4, 4) WHERE seq_from = 3"), 3, "missing"),
    (moved_up, 2, "its hash is another"),
    (overlapping, 3, "does not follow"),
    (another_before, 2, "does not follow"),
    (before_the_first, 0, "does not follow"),
    (|db| sql(db, "DELETE FROM log_heads"), 3, "said to end"),
    (|db| sql(db, "UPDATE log_heads SET seq = 4"), 4, "cut off"),
    (|db| sql(db, "UPDATE segments SET body = x'789c00' WHERE seq_from = 2"), 2, "cannot be unpacked"),
    (|db| sql(db, "UPDATE segments SET body = x'' WHERE seq_from = 2"), 2, "cannot be unpacked"),
    (|db| sql(db, "UPDATE segments SET size = size + 1 WHERE seq_from = 3"), 3, "cannot be unpacked"),
    (|db| sql(db, "UPDATE segments SET size = size - 1 WHERE seq_from = 1"), 1, "cannot be unpacked"),
    (|db| sql(db, "UPDATE segments SET body = substr(body, 1, 12) WHERE seq_from = 2"), 2, "cannot be unpacked"),
    (|db| sql(db, "UPDATE segments SET seq_to = 4 WHERE seq_from = 3"), 3, "more or fewer entries"),
    (|db| packed::put(db, GAME, 2, b"1 event 99\n{}\n"), 2, "cannot be read"),
];

/// The second and the third entry change places.
fn moved_up(db: &Connection) {
    for (from, to) in [(2, 99), (3, 2), (99, 3)] {
        sql(db, &format!("UPDATE segments SET (seq_from, seq_to) = ({to}, {to}) WHERE seq_from = {from}"));
    }
}

/// The second segment holds the third entry, too.
fn overlapping(db: &Connection) {
    let two = packed::text(&packed::log(db, GAME)[1..]);
    packed::put(db, GAME, 2, two.as_bytes());
    sql(db, "UPDATE segments SET seq_to = 3, hash = (SELECT hash FROM log_heads) WHERE seq_from = 2");
}

/// An entry that names another one before it, with the hash that is right for that.
fn another_before(db: &Connection) {
    let text = format!("1 event 2 {}\n{{}}\n", "0".repeat(64));
    packed::put(db, GAME, 2, text.as_bytes());
    let hash = entry_hash(&"0".repeat(64), 1, "event", "{}");
    sql(db, &format!("UPDATE segments SET hash = '{hash}' WHERE seq_from = 2"));
}

/// The first segment stands a second time, before the first entry.
fn before_the_first(db: &Connection) {
    sql(db, "INSERT INTO segments SELECT game, 0, 0, slot, kinds, hash, size, body FROM segments WHERE seq_from = 1");
}

#[test]
fn every_kind_of_tampering_with_the_log_is_noticed_at_its_place() {
    for (n, (tampering, place, word)) in TAMPERINGS.into_iter().enumerate() {
        let (_dir, path) = office();
        let store = with_game(&path);
        three_acts(&store);
        drop(store);
        let other = Connection::open(&path).unwrap();
        packed::unguarded(&other);
        tampering(&other);
        let store = Store::open(&path).unwrap();
        let error = store.verify_log(GAME).unwrap_err();
        assert!(matches!(&error, StoreError::Broken { seq, .. } if *seq == place), "{n} {word}: {error}");
        assert!(error.to_string().contains(word), "{n} {word}: {error}");
        assert!(store.checked_log(GAME).is_err(), "{n} {word}");
        // Whoever reads what cannot be unpacked is told the same; nothing ends the process.
        let cannot = ["cannot be unpacked", "cannot be read", "more or fewer entries"].contains(&word);
        for read in [store.log(GAME, 1), store.log_of_kind(GAME, "event", 1)] {
            assert_eq!(read.is_err_and(|read| read.to_string() == error.to_string()), cannot, "{n} {word}");
        }
        let faults = store.integrity().unwrap().join("\n");
        assert!(faults.contains(&format!("log of moravia-7: entry {place}: ")), "{n} {word}: {faults}");
        assert!(faults.contains("schema: trigger segments_never_updated is missing or altered"), "{faults}");
    }
}

#[test]
fn tampering_within_a_segment_is_noticed_at_its_first_entry() {
    let (_dir, path) = office();
    let store = with_game(&path);
    three_acts(&store);
    three_entries(&store);
    let other = Connection::open(&path).unwrap();
    packed::unguarded(&other);
    for seq in 4..=6 {
        packed::change(&other, GAME, seq, |entry| entry.body.push(' '));
        let error = store.verify_log(GAME).unwrap_err();
        assert!(matches!(&error, StoreError::Broken { seq: 4, .. }), "{error}");
        assert_eq!(packed::place(&other, GAME, seq), 4);
        packed::change(&other, GAME, seq, |entry| assert_eq!(entry.body.pop(), Some(' ')));
        store.verify_log(GAME).unwrap();
    }
}

#[test]
fn a_segment_of_any_bytes_is_an_error_and_never_more_than_it_says() {
    let (_dir, path) = office();
    let store = with_game(&path);
    three_entries(&store);
    let other = Connection::open(&path).unwrap();
    packed::unguarded(&other);
    let sound: Vec<u8> = other.query_row("SELECT body FROM segments", (), |row| row.get(0)).unwrap();
    let put = |body: &[u8], size: i64| {
        other.execute("UPDATE segments SET body = ?1, size = ?2", rusqlite::params![body, size]).unwrap();
        store.verify_log(GAME).and(store.log(GAME, 1).map(drop))
    };
    let size = i64::try_from(packed::unpack(&sound).len()).unwrap();
    put(&sound, size).unwrap();
    let mut whim = crate::toys::Whim(11);
    for at in 0..sound.len() {
        let mut hurt = sound.clone();
        hurt[at] ^= u8::try_from(1 + whim.below(255)).unwrap();
        let _ = put(&hurt, size);
        put(&sound[..at], size).unwrap_err();
    }
    let odd = ["\n", " ", "1", "1 event\n", "1 event -1\n\n", "1 event 0 %\n\n", "4294967296 event 0\n\n", "a b 0\n\n"];
    for text in odd {
        let said = put(&packed::pack(text.as_bytes()), i64::try_from(text.len()).unwrap()).unwrap_err().to_string();
        assert!(said.contains("entry 1: "), "{text:?}: {said}");
    }
    // A bomb: a few kB that would be sixteen megabytes.
    let bomb = packed::pack(&vec![b'x'; 16 << 20]);
    assert!(bomb.len() < 1 << 16);
    let said = put(&bomb, size).unwrap_err().to_string();
    assert!(said.contains("cannot be unpacked"), "{said}");
    for size in [0, -1, i64::from(u32::MAX), i64::MAX] {
        let hurt = other.execute("UPDATE segments SET body = ?1, size = ?2", rusqlite::params![sound, size]);
        assert!(hurt.is_err() || store.verify_log(GAME).is_err(), "{size}");
    }
    put(&sound, i64::try_from(packed::unpack(&sound).len()).unwrap()).unwrap();
}

#[test]
fn an_entry_put_in_with_a_right_hash_is_noticed() {
    let (_dir, path) = office();
    let store = with_game(&path);
    three_entries(&store);
    let log = store.log(GAME, 3).unwrap();
    let entry = Entry { slot: 1, kind: "event".to_owned(), body: "{}".to_owned() };
    let hash = entry_hash(&log[0].hash, 1, "event", "{}");
    let text = packed::text(&[entry]);
    Connection::open(&path)
        .unwrap()
        .execute(
            "INSERT INTO segments VALUES (?1, 4, 4, 1, ' event ', ?2, ?3, ?4)",
            rusqlite::params![GAME, hash, i64::try_from(text.len()).unwrap(), packed::pack(text.as_bytes())],
        )
        .unwrap();
    let error = store.verify_log(GAME).unwrap_err();
    assert!(matches!(error, StoreError::Broken { seq: 4, .. }), "{error}");
}

#[test]
fn what_an_act_appends_takes_little_room() {
    let (_dir, path) = office();
    let store = with_game(&path);
    let body = |n: u32| format!("{{\"side\":\"french\",\"moved\":\"lannes\",\"from\":\"03{n:02}\",\"to\":\"0405\"}}");
    let bodies: Vec<String> = (0..100).map(body).collect();
    let entries: Vec<NewEntry<'_>> = bodies.iter().map(|body| NewEntry { slot: 3, kind: "sight", body }).collect();
    store.act(|act| act.append(GAME, &entries)).unwrap();
    let kept = plain(&path, "SELECT length(body) || '' FROM segments");
    let (kept, whole) = (kept[0].parse::<usize>().unwrap(), bodies.iter().map(String::len).sum::<usize>());
    assert!(kept * 5 < whole, "{kept} of {whole} bytes");
}

#[test]
fn the_first_entry_of_a_kind_is_found_wherever_it_stands() {
    let (_dir, path) = office();
    let store = with_game(&path);
    let long = "y".repeat(9000);
    let first = |store: &Store, kind: &str| store.first_of_kind(GAME, kind).unwrap();
    store
        .act(|act| {
            // One that only waits is found, too.
            act.append(GAME, &[new(0, "post.game", "{}"), NewEntry { slot: 0, kind: "event", body: &long }])?;
            act.append(GAME, &[new(0, "post.options", "{\"n\":1}")])?;
            assert_eq!(first(act, "post.options").as_deref(), Some("{\"n\":1}"));
            Ok(())
        })
        .unwrap();
    store.act(|act| act.append(GAME, &[new(0, "post.options", "{\"n\":2}")]).map(drop)).unwrap();
    for kind in ["post.options", "post.game", "event"] {
        let whole = store.log_of_kind(GAME, kind, 1).unwrap();
        assert_eq!(first(&store, kind), Some(whole[0].body.clone()), "{kind}");
        store
            .act(|act| {
                assert_eq!(first(act, kind), Some(whole[0].body.clone()), "{kind}");
                assert_eq!(first(act, kind), Some(whole[0].body.clone()), "{kind}");
                Ok(())
            })
            .unwrap();
    }
    assert_eq!((first(&store, "post.option"), first(&store, "none")), (None, None));
    // One that is damaged says why, and is not passed over.
    let sql = "DROP TRIGGER segments_never_updated; UPDATE segments SET body = x'789c00' WHERE seq_from = 1";
    Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    let error = store.first_of_kind(GAME, "post.options").unwrap_err();
    assert!(error.to_string().contains("cannot be unpacked"), "{error}");
}
