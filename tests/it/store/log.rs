//! The log: append-only, and any tampering shows.

use super::*;

#[test]
fn the_log_hash_is_the_one_the_design_gives() {
    // sha256("estafette/log/v1\0" + 64 zeros + "\0" + "3" + "\0" + "event" + "\0" + "{}"), by another program.
    let wanted = "294b01d679eb1d1424526cc78da6eee211a2d55e570a1fa06bdf5c9cfcd96d31";
    assert_eq!(entry_hash(FIRST_PREV, 3, "event", "{}"), wanted);
}

#[test]
fn the_log_is_read_from_any_place_by_slot_and_by_kind() {
    let (_dir, path) = office();
    let store = with_game(&path);
    assert_eq!(store.log_head("moravia-7").unwrap().seq, 0);
    store.verify_log("moravia-7").unwrap();
    three_entries(&store);
    let head = store.act(|act| act.append("moravia-7", &[NewEntry { slot: 2, kind: "roll", body: "{}" }])).unwrap();
    assert_eq!((head.seq, &store.log_head("moravia-7").unwrap()), (4, &head));
    assert_eq!(store.act(|act| act.append("moravia-7", &[])).unwrap(), head, "nothing more, the same end");
    let seqs = |log: Vec<estafette::store::LogEntry>| log.iter().map(|entry| entry.seq).collect::<Vec<_>>();
    assert_eq!(seqs(store.log("moravia-7", 1).unwrap()), [1, 2, 3, 4]);
    assert_eq!(seqs(store.log("moravia-7", 3).unwrap()), [3, 4]);
    assert_eq!(seqs(store.log_of_kind("moravia-7", "event", 2).unwrap()), [2, 3]);
    let log = store.log("moravia-7", 1).unwrap();
    assert_eq!((log[0].prev.as_str(), &log[1].prev), (FIRST_PREV, &log[0].hash));
    store.verify_log("moravia-7").unwrap();
}

#[test]
fn the_log_refuses_every_change_by_any_tool() {
    let (_dir, path) = office();
    three_entries(&with_game(&path));
    let other = Connection::open(&path).unwrap();
    for (sql, word) in [
        ("UPDATE log SET body = '{}' WHERE seq = 2", "changed"),
        ("DELETE FROM log WHERE seq = 3", "deleted"),
        (
            "INSERT OR REPLACE INTO log SELECT game, seq, prev, hash, slot, kind, '{}' FROM log WHERE seq = 1",
            "replaced",
        ),
    ] {
        let refused = other.execute(sql, ()).unwrap_err().to_string();
        assert!(refused.contains("append-only") && refused.contains(word), "{refused}");
    }
    Store::open(&path).unwrap().verify_log("moravia-7").unwrap();
}

#[test]
fn every_kind_of_tampering_with_the_log_is_noticed_at_its_place() {
    let move_up = "UPDATE log SET seq = 99 WHERE seq = 2; UPDATE log SET seq = 2 WHERE seq = 3;
                   UPDATE log SET seq = 3 WHERE seq = 99";
    for (tampering, place, word) in [
        ("UPDATE log SET body = '{\"a\":9}' WHERE seq = 2", 2, "changed"),
        ("UPDATE log SET kind = 'roll' WHERE seq = 3", 3, "changed"),
        ("UPDATE log SET slot = 2 WHERE seq = 1", 1, "changed"),
        ("UPDATE log SET hash = prev WHERE seq = 2", 2, "changed"),
        ("UPDATE log SET prev = hash WHERE seq = 2", 2, "does not follow"),
        ("DELETE FROM log WHERE seq = 1", 1, "missing"),
        ("DELETE FROM log WHERE seq = 2", 2, "missing"),
        ("DELETE FROM log WHERE seq = 3", 3, "cut off"),
        ("DELETE FROM log", 1, "cut off"),
        (move_up, 2, "does not follow"),
        ("UPDATE log SET seq = 4 WHERE seq = 3", 3, "missing"),
        ("DELETE FROM log_heads", 3, "said to end"),
    ] {
        let (_dir, path) = office();
        three_entries(&with_game(&path));
        let other = Connection::open(&path).unwrap();
        other.execute_batch("DROP TRIGGER log_never_updated; DROP TRIGGER log_never_deleted").unwrap();
        other.execute_batch(tampering).unwrap();
        let store = Store::open(&path).unwrap();
        let error = store.verify_log("moravia-7").unwrap_err();
        assert!(matches!(&error, StoreError::Broken { seq, .. } if *seq == place), "{tampering}: {error}");
        assert!(error.to_string().contains(word), "{tampering}: {error}");
        let faults = store.integrity().unwrap().join("\n");
        assert!(faults.contains(&format!("log of moravia-7: entry {place}: ")), "{faults}");
        assert!(faults.contains("schema: trigger log_never_updated is missing or altered"), "{faults}");
    }
}

#[test]
fn an_entry_put_in_with_a_right_hash_is_noticed() {
    let (_dir, path) = office();
    let store = with_game(&path);
    three_entries(&store);
    let log = store.log("moravia-7", 3).unwrap();
    let hash = entry_hash(&log[0].hash, 1, "event", "{}");
    Connection::open(&path)
        .unwrap()
        .execute("INSERT INTO log VALUES ('moravia-7', 4, ?1, ?2, 1, 'event', '{}')", [&log[0].hash, &hash])
        .unwrap();
    let error = store.verify_log("moravia-7").unwrap_err();
    assert!(matches!(error, StoreError::Broken { seq: 4, .. }), "{error}");
}
