//! The post office's file: what is written is all there or not at all, and what was tampered with is noticed.

mod desk;
#[cfg(feature = "failpoints")]
mod killed;
mod log;
mod old;
mod once;
pub mod plans;
mod post;
use estafette::rules::kept::{Cell, Row};
use estafette::store::{
    APPLICATION_ID, Code, Due, FIRST_PREV, Game, GameState, InboxState, NewEntry, NewInbox, NewOutbox, OutboxState,
    Part, Received, STEPS, ScenarioFile, Seat, Store, StoreError, TagHolder, Tempo, entry_hash,
};
use rusqlite::Connection;
use std::path::{Path, PathBuf};

const NOW: &str = "2026-01-01T00:00:00Z";

const LATER: &str = "2026-01-01T01:00:00Z";

fn office() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("estafette.db");
    (dir, path)
}

fn game(id: &str) -> Game {
    Game {
        id: id.to_owned(),
        ruleset: "campaigns".to_owned(),
        engine_version: "campaigns 1".to_owned(),
        scenario_digest: "d1".to_owned(),
        tempo: Tempo::Live,
        deadline_hours: Some(48),
        master: [7; 32],
        state: GameState::Playing,
        held: false,
        created: NOW.to_owned(),
        spare_used: 0,
        protocol: 1,
        epoch: String::new(),
    }
}

fn seat(name: &str, ordinal: u32) -> Seat {
    Seat {
        seat: name.to_owned(),
        side: (name != "umpire").then(|| name.to_owned()),
        ordinal,
        signed_on: None,
        nonce: None,
        format: "text".to_owned(),
        mails_sent: 0,
        addresses: vec![format!("{name}@Example.org")],
    }
}

fn with_game(path: &Path) -> Store {
    let store = Store::create(path).unwrap();
    furnished(&store);
    store
}

/// Puts a game with three seats into an empty post office.
pub fn furnished(store: &Store) {
    store
        .act(|act| {
            act.put_scenario("d1", &[ScenarioFile { path: "s.yaml".to_owned(), text: "name: s\n".to_owned() }])?;
            act.new_game(&game("moravia-7"), &[seat("french", 0), seat("coalition", 1), seat("umpire", 2)])
        })
        .unwrap();
}

fn mail(message_id: &str) -> NewInbox {
    NewInbox {
        message_id: message_id.to_owned(),
        digest: "aa".to_owned(),
        received: NOW.to_owned(),
        raw: b"From: ney@example.org\r\n\r\nEND\r\n".to_vec(),
        bytes: None,
        lane: "moravia-7/french".to_owned(),
    }
}

fn letter(message_id: &str, number: Option<u32>) -> NewOutbox {
    NewOutbox {
        game: number.map(|_| "moravia-7".to_owned()),
        seat: number.map(|_| "french".to_owned()),
        number,
        message_id: message_id.to_owned(),
        recipient: "french@example.org".to_owned(),
        raw: b"To: french@example.org\r\n\r\n".to_vec(),
        held: false,
        queued: NOW.to_owned(),
        answers: None,
        asked: false,
    }
}

fn three_entries(store: &Store) {
    let entries = ["{\"a\":1}", "{\"a\":2}", "{\"a\":3}"].map(|body| NewEntry { slot: 1, kind: "event", body });
    store.act(|act| act.append("moravia-7", &entries)).unwrap();
}

/// A file of an older schema; nothing at all of schema 0.
fn of_schema(path: &Path, schema: usize) -> Connection {
    let conn = Connection::open(path).unwrap();
    for part in STEPS[..schema].iter().copied().flatten() {
        // No row is there to be packed.
        if let Part::Sql(sql) = part {
            conn.execute_batch(sql).unwrap();
        }
    }
    if schema > 0 {
        conn.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
        conn.pragma_update(None, "user_version", u32::try_from(schema).unwrap()).unwrap();
    }
    conn
}

#[test]
fn each_older_schema_is_brought_up_to_the_newest() {
    for from in 0..=STEPS.len() {
        let (_dir, path) = office();
        let conn = of_schema(&path, from);
        if from > 0 {
            conn.execute("INSERT INTO scenarios VALUES ('old', 'p', 't')", ()).unwrap();
        }
        drop(conn);
        let store = Store::create(&path).unwrap();
        assert_eq!(store.integrity().unwrap(), Vec::<String>::new(), "from schema {from}");
        assert_eq!(store.scenario("old").unwrap().len(), usize::from(from > 0), "what was there is kept");
        let version: isize = Connection::open(&path)
            .unwrap()
            .query_row("SELECT user_version FROM pragma_user_version", (), |row| row.get(0))
            .unwrap();
        assert_eq!(usize::try_from(version).unwrap(), STEPS.len());
    }
}

#[test]
fn a_stand_in_of_an_older_schema_is_none_of_the_seat_s_addresses_any_more() {
    let (_dir, path) = office();
    let conn = of_schema(&path, 7);
    conn.execute_batch(
        "INSERT INTO scenarios VALUES ('d', 'p', 't');
         INSERT INTO games VALUES ('g', 'r', '1', 'd', 'live', 48, zeroblob(32), 'playing', 0, 'x', 0);
         INSERT INTO seats (game, seat, side, ordinal) VALUES ('g', 'french', 'french', 0);
         INSERT INTO addresses VALUES ('g', 'french', 'ney@example.org'), ('g', 'french', 'grouchy@example.org');
         INSERT INTO desk VALUES ('g', 'french', 'acting', 'late grouchy@example.org ney@example.org'),
             ('g', 'french', 'code/0a1b2c3d', '{}'), ('g', 'french', 'held/0a1b2c3d', '5');",
    )
    .unwrap();
    drop(conn);
    let store = Store::open(&path).unwrap();
    assert_eq!(store.seat("g", "french").unwrap().unwrap().addresses, ["ney@example.org"]);
    let stand_in = store.stand_in("g", "french").unwrap().unwrap();
    assert_eq!((stand_in.address.as_str(), stand_in.kind.as_str()), ("grouchy@example.org", "late"));
    for key in ["acting", "code/0a1b2c3d", "held/0a1b2c3d"] {
        assert_eq!(store.desk("g", "french", key).unwrap(), None, "{key}");
    }
}

#[test]
fn a_newer_schema_is_refused_and_left_alone() {
    let (_dir, path) = office();
    drop(with_game(&path));
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let before = std::fs::read(&path).unwrap();
    let refused = Store::open(&path).err().unwrap();
    assert!(matches!(&refused, StoreError::Newer { found: 99, .. }), "{refused}");
    assert!(refused.to_string().contains("upgrade the program"), "{refused}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn a_file_that_is_no_database_of_ours_is_corrupt_and_left_alone() {
    let (dir, path) = office();
    std::fs::write(&path, "This is a text, and a text longer than the head of a database file. ".repeat(40)).unwrap();
    let text = std::fs::read(&path).unwrap();
    let error = Store::create(&path).err().unwrap();
    assert!(matches!(&error, StoreError::Corrupt { path: named, .. } if *named == path), "{error}");
    assert!(error.to_string().contains("estafette.db"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), text);

    let foreign = dir.path().join("foreign.db");
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE songs (title TEXT)").unwrap();
    let error = Store::open(&foreign).err().unwrap();
    assert!(matches!(&error, StoreError::Corrupt { .. }) && error.to_string().contains("another program"), "{error}");

    let error = Store::open(&dir.path().join("none.db")).err().unwrap();
    assert!(matches!(error, StoreError::NoFile { .. }));
    assert!(!dir.path().join("none.db").exists(), "opening makes no file");
}

#[test]
fn a_damaged_page_is_reported_with_the_file() {
    let (_dir, path) = office();
    let store = with_game(&path);
    for no in 0..200 {
        store.act(|act| act.receive(&mail(&format!("m{no}"))).map(drop)).unwrap();
    }
    drop(store);
    let mut bytes = std::fs::read(&path).unwrap();
    for page in bytes.chunks_mut(4096).skip(1) {
        page[..64].fill(0xff);
    }
    std::fs::write(&path, bytes).unwrap();
    let error = Store::open(&path).and_then(|store| store.game("moravia-7")).err().unwrap();
    assert!(matches!(&error, StoreError::Corrupt { path: named, .. } if *named == path), "{error}");
}

#[cfg(unix)]
#[test]
fn the_file_is_readable_by_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let (dir, path) = office();
    let store = with_game(&path);
    for name in ["estafette.db", "estafette.db-wal", "estafette.db-shm"] {
        assert_eq!(mode(&dir.path().join(name)), 0o600, "{name}");
    }
    store.backup(&dir.path().join("copy.db"), NOW).unwrap();
    assert_eq!(mode(&dir.path().join("copy.db")), 0o600);
    drop(store);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    drop(Store::open(&path).unwrap());
    assert_eq!(mode(&path), 0o600, "a file left open to others is closed again");
}

#[test]
fn a_game_is_read_back_as_it_was_written() {
    let (_dir, path) = office();
    let store = with_game(&path);
    store
        .act(|act| {
            act.sign_on("moravia-7", "french", NOW, "Vive l'Empereur")?;
            act.set_format("moravia-7", "french", "html")?;
            act.set_held("moravia-7", true)?;
            act.set_game_state("moravia-7", GameState::Over)?;
            act.set_spare_used("moravia-7", 2)
        })
        .unwrap();
    let mut wanted = game("moravia-7");
    (wanted.held, wanted.state, wanted.spare_used) = (true, GameState::Over, 2);
    assert_eq!(store.game("moravia-7").unwrap().unwrap(), wanted);
    assert_eq!(store.games().unwrap(), [wanted]);
    let seats = store.seats("moravia-7").unwrap();
    assert_eq!(seats.iter().map(|seat| seat.seat.as_str()).collect::<Vec<_>>(), ["french", "coalition", "umpire"]);
    assert_eq!(seats[0].nonce.as_deref(), Some("Vive l'Empereur"));
    assert_eq!((seats[0].format.as_str(), seats[1].format.as_str()), ("html", "text"));
    assert_eq!(seats[0].addresses, ["french@example.org"]);
    assert_eq!(store.seat("moravia-7", "umpire").unwrap().unwrap(), seats[2]);
    assert_eq!(store.seat("moravia-7", "prussian").unwrap(), None);
    assert_eq!(store.scenario("d1").unwrap()[0].text, "name: s\n");
    assert!(!format!("{:?}", store.game("moravia-7").unwrap()).contains("master"), "the secret is not printed");

    let again = store.act(|act| act.new_game(&game("moravia-7"), &[])).unwrap_err();
    assert!(matches!(&again, StoreError::Exists { row, .. } if row == "game moravia-7"), "{again}");
    let missing = store.act(|act| act.set_format("moravia-7", "prussian", "html")).unwrap_err();
    assert!(matches!(&missing, StoreError::Missing { row, .. } if row == "seat moravia-7/prussian"), "{missing}");
}

#[test]
fn addresses_are_matched_without_case_and_replaced_whole() {
    let (_dir, path) = office();
    let store = with_game(&path);
    let found = vec![("moravia-7".to_owned(), "french".to_owned())];
    assert_eq!(store.seats_of_address("FRENCH@example.ORG").unwrap(), found);
    store.act(|act| act.set_addresses("moravia-7", "french", &["Soult@example.org".to_owned()])).unwrap();
    assert_eq!(store.seats_of_address("french@example.org").unwrap(), []);
    assert_eq!(store.seats_of_address("soult@example.org").unwrap(), found);
}

#[test]
fn a_reply_tag_leads_to_its_mail_and_is_nowhere_in_the_file() {
    let (_dir, path) = office();
    let store = with_game(&path);
    store.act(|act| act.put_tag("moravia-7", "french", 3, "k3x9secretsecret")).unwrap();
    let holder = TagHolder { game: "moravia-7".to_owned(), seat: "french".to_owned(), mail_number: 3, reader: None };
    assert_eq!(store.tag_holder("k3x9secretsecret").unwrap(), Some(holder));
    assert_eq!(store.tag_holder("k3x9secretsecres").unwrap(), None);
    let kept = [std::fs::read(&path).unwrap(), std::fs::read(path.with_extension("db-wal")).unwrap()].concat();
    assert!(kept.windows(9).any(|bytes| bytes == b"moravia-7"), "the search below can find what is there");
    assert!(!kept.windows(10).any(|bytes| bytes == b"k3x9secret"));
}

#[test]
fn a_failed_act_leaves_nothing() {
    let (_dir, path) = office();
    let store = with_game(&path);
    let everything = |act: &estafette::store::Act<'_>| -> Result<(), StoreError> {
        act.receive(&mail("<1@a>"))?;
        act.append("moravia-7", &[NewEntry { slot: 0, kind: "event", body: "{}" }])?;
        let number = act.next_mail_number("moravia-7", "french")?;
        act.queue(&letter("<o1@a>", Some(number)))?;
        act.replace_rows("moravia-7", &[vedette("0715")])?;
        act.set_open_leg("moravia-7", Some("{}"))
    };
    let failed = store.try_act(|act| {
        everything(act)?;
        assert_eq!(act.log_head("moravia-7")?.seq, 1, "an act sees what it has written");
        Err::<(), Box<dyn std::error::Error>>("the rules diverged".into())
    });
    assert_eq!(failed.unwrap_err().to_string(), "the rules diverged");
    let nothing = |store: &Store| {
        assert!(store.new_mails(9).unwrap().is_empty() && store.ready_after((0, 0), NOW, 9).unwrap().is_empty());
        assert_eq!(store.log_head("moravia-7").unwrap().seq, 0);
        assert_eq!(store.seat("moravia-7", "french").unwrap().unwrap().mails_sent, 0);
        assert_eq!(store.open_leg("moravia-7").unwrap(), None);
        assert_eq!(plain(&path, "SELECT hex FROM vedettes"), [""; 0]);
    };
    nothing(&store);
    let passed_over = store.act(|act| {
        everything(act)?;
        let _ = act.queue(&letter("<o1@a>", None));
        Ok(())
    });
    let error = passed_over.unwrap_err();
    assert!(matches!(&error, StoreError::Doomed { row, .. } if row == "outgoing mail <o1@a>"), "{error}");
    nothing(&store);
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        store.act(|act| everything(act).map(|()| panic!("in mid-act")))
    }));
    assert!(panicked.is_err());
    nothing(&store);
    store.act(everything).unwrap();
    assert_eq!(store.log_head("moravia-7").unwrap().seq, 1, "the store works on after all this");
    assert_eq!(plain(&path, "SELECT hex FROM vedettes"), ["0715"]);
}

#[test]
fn an_act_within_an_act_is_refused() {
    let (_dir, path) = office();
    let store = with_game(&path);
    let nested = store.act(|act| act.act(|inner| inner.set_held("moravia-7", true))).unwrap_err();
    assert!(matches!(nested, StoreError::Nested { .. }), "{nested}");
    assert!(!store.game("moravia-7").unwrap().unwrap().held);
}

#[test]
fn two_writers_take_turns() {
    let (_dir, path) = office();
    drop(with_game(&path));
    std::thread::scope(|scope| {
        for writer in 0..2 {
            let path = &path;
            scope.spawn(move || {
                let store = Store::open(path).unwrap();
                for no in 0..25 {
                    let body = format!("{{\"writer\":{writer},\"no\":{no}}}");
                    let entry = NewEntry { slot: 0, kind: "event", body: &body };
                    store.act(|act| act.append("moravia-7", &[entry])).unwrap();
                }
            });
        }
    });
    let store = Store::open(&path).unwrap();
    assert_eq!(store.log_head("moravia-7").unwrap().seq, 50);
    store.verify_log("moravia-7").unwrap();
}

fn vedette(hex: &str) -> Row {
    let columns = vec![
        ("side", Cell::Text("french".to_owned())),
        ("vedette", Cell::Text("V1".to_owned())),
        ("hex", Cell::Text(hex.to_owned())),
        ("face", Cell::Null),
    ];
    Row { table: "vedettes", columns }
}

/// What any SQLite tool reads in the first column.
fn plain(path: &Path, sql: &str) -> Vec<String> {
    let conn = Connection::open(path).unwrap();
    let mut statement = conn.prepare(sql).unwrap();
    statement.query_map((), |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

#[test]
fn a_backup_is_a_whole_database_of_its_own() {
    let (dir, path) = office();
    let store = with_game(&path);
    three_entries(&store);
    let copy = dir.path().join("copy.db");
    store.backup(&copy, NOW).unwrap();
    three_entries(&store);
    let copied = Store::open(&copy).unwrap();
    assert_eq!(copied.integrity().unwrap(), Vec::<String>::new());
    assert_eq!(copied.log("moravia-7", 1).unwrap(), store.log("moravia-7", 1).unwrap()[..3]);
    let again = store.backup(&copy, NOW).unwrap_err();
    assert!(matches!(&again, StoreError::Exists { path: named, .. } if *named == copy), "{again}");
}

#[test]
fn integrity_names_what_does_not_hang_together() {
    for (damage, wanted) in [
        ("DELETE FROM scenarios", "game moravia-7: its scenario is not kept"),
        ("UPDATE seats SET mails_sent = 1 WHERE seat = 'french'", "seat moravia-7/french: the running numbers"),
        ("UPDATE addresses SET seat = 'nobody' WHERE seat = 'french'", "names a row of seats that is not there"),
        (
            "DROP INDEX outbox_in_turn",
            "schema: the index outbox_in_turn is missing; estafette doctor --rebuild makes it anew",
        ),
        ("CREATE TABLE notes (n TEXT)", "schema: table notes is not of this program's making"),
    ] {
        let (_dir, path) = office();
        let store = with_game(&path);
        three_entries(&store);
        assert_eq!(store.integrity().unwrap(), Vec::<String>::new(), "sound at first");
        let other = Connection::open(&path).unwrap();
        other.pragma_update(None, "foreign_keys", false).unwrap();
        other.execute_batch(damage).unwrap();
        let faults = store.integrity().unwrap();
        assert!(faults.len() == 1 && faults[0].contains(wanted), "{damage}: {faults:?}");
    }
}
