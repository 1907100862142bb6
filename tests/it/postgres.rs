//! A post office on a PostgreSQL server: the same chains and the same mails as in a file, with several workers, and with a
//! server and workers that end at any moment.

use crate::gateway::bench::{Bench, ON_SERVER, TOYS, copied, teaching, written};
use crate::servers::rows::{Rows, ask};
use estafette::clock::Clock;
use estafette::gateway::{self, Office};
use estafette::mail::maildir::Maildir;
use estafette::store::{FIRST_PREV, InboxState, LogEntry, NewEntry, OutboxState, Store, StoreError, entry_hash};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

mod agreed;
mod cures;
mod workers;

const START: &str = "2026-01-01T00:00:00Z";

/// Moves the post office of a directory to a server, and says so in its settings.
pub fn moved(dir: &Path, address: &str) {
    gateway::move_to(dir, address).unwrap();
    settled(dir, address);
}

/// Says in the settings of a directory where its rows lie.
fn settled(dir: &Path, address: &str) {
    let file = dir.join("config.toml");
    let before = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("store = \"{address}\"\n{before}")).unwrap();
}

/// The post office of a directory, as the daemon serves it.
fn office(dir: &Path) -> Office {
    Office::with_clock(dir, TOYS, true, Clock::from_text(START).unwrap()).unwrap()
}

/// All mails that went out, in order of their bytes.
fn out(dir: &Path) -> Vec<String> {
    let sent = Maildir::open(&dir.join("mail")).unwrap().sent().unwrap();
    let mut all: Vec<String> = sent.iter().map(|raw| String::from_utf8_lossy(raw).into_owned()).collect();
    all.sort();
    all
}

fn chain(store: &Store, game: &str) -> Vec<(u32, String, String, String)> {
    let log = store.checked_log(game).unwrap();
    log.into_iter().map(|entry| (entry.slot, entry.kind, entry.body, entry.hash)).collect()
}

/// How many mails wait in a directory's mailbox.
fn waiting(dir: &Path) -> usize {
    std::fs::read_dir(dir.join("mail/in/new")).unwrap().count()
}

/// The bridges of the Strem, some days of them.
const STREM: [(&str, &str); 7] = [
    ("french", "SIGNON\nNONCE Vive l'Empereur\nVEDETTE PLACE WITH MC1 1\nEND"),
    ("coalition", "SIGNON\nNONCE Gott erhalte Franz\nVEDETTE PLACE WITH Bagration 1\nEND"),
    (
        "french",
        "FORCE Lannes COMMAND MARCH 0305 0405 0505 0605\nFORCE MC1 INITIATIVE MARCH 0505\nforce murat gallop\nEND ANYWAY",
    ),
    ("coalition", "CHECK\nFORCE Bagration MARCH 0903\nMAP 0705\nHISTORY"),
    ("coalition", "END"),
    ("french", "ATTACK 0705 WITH Lannes\nBATTLE 0705 TYPE PURSUIT\nEND"),
    ("coalition", "PRESS TO french\nYield.\nEND PRESS\nAUDIT\nEND"),
];

/// Writes a mail to a seat's last subject into a directory's mailbox.
fn post(dir: &Path, seat: &str, body: &str, n: u32) {
    let to = format!("{seat}@example.org");
    let sent = Maildir::open(&dir.join("mail")).unwrap().sent().unwrap();
    let mut mails = sent.into_iter().map(crate::gateway::bench::parsed);
    let subject = mails.rfind(|mail| mail.to == to && mail.tag().is_some()).unwrap().subject;
    let raw = written(&to, &format!("Re: {subject}"), body, n);
    Maildir::open(&dir.join("mail")).unwrap().deliver(raw.as_bytes()).unwrap();
}

/// A post office of the campaign with its opening mails sent, in a file and the same on a server.
fn twins() -> (TempDir, TempDir, std::sync::Arc<Rows>) {
    let mut bench = Bench::with_campaign(&teaching());
    bench.pass();
    let Bench { dir, office, .. } = bench;
    drop(office);
    let (rows, other) = (Rows::get(), copied(dir.path()));
    moved(other.path(), &rows.fresh());
    (dir, other, rows)
}

#[test]
fn a_game_has_the_same_chain_and_the_same_mails_in_a_file_and_on_a_server() {
    let (file, server, _rows) = twins();
    let mut offices = [file.path(), server.path()].map(|dir| (dir, office(dir)));
    for (n, (seat, body)) in (200..).zip(STREM) {
        for (dir, office) in &mut offices {
            post(dir, seat, body, n);
            let pass = office.pass().unwrap();
            assert_eq!((pass.read, pass.failing), (1, 0), "{:?}", office.ailing());
        }
    }
    for (_, office) in &mut offices {
        let mut passed = 0;
        // Not so long at once that the post office would think that it was closed.
        for _ in 0..40 {
            office.clock_mut().advance(jiff::SignedDuration::from_hours(5));
            passed += office.pass().unwrap().deadlines;
        }
        assert!(passed > 0, "{:?}", office.ailing());
    }
    let [(_, in_file), (_, on_server)] = &offices;
    let (one, two) = (chain(&in_file.store, "strem-1"), chain(&on_server.store, "strem-1"));
    assert!(one.len() > 200, "{}", one.len());
    for (at, (one, two)) in one.iter().zip(&two).enumerate() {
        assert_eq!(one, two, "entry {at}");
    }
    assert_eq!(one.len(), two.len());
    let (one, two) = (out(file.path()), out(server.path()));
    assert!(one.len() > 14, "{}", one.len());
    for (one, two) in one.iter().zip(&two) {
        assert_eq!(one, two);
    }
    assert_eq!(one.len(), two.len());
    assert_eq!(on_server.store.integrity().unwrap(), Vec::<String>::new());
    assert_eq!(on_server.store.under_way().unwrap(), ["strem-1"]);
}

#[test]
fn a_post_office_moves_to_a_server_and_back_and_each_time_the_old_place_serves_no_more() {
    let mut bench = Bench::with_campaign(&teaching());
    bench.reply("french", "SIGNON\nNONCE Vive l'Empereur\nPRESS TO coalition\nDas Ländchen, süß.\nEND PRESS");
    let before = chain(&bench.office.store, "strem-1");
    let Bench { dir, office: first, .. } = bench;
    drop(first);
    let rows = Rows::get();
    let address = rows.fresh();
    moved(dir.path(), &address);
    let file = dir.path().join("estafette.db");
    let why = gateway::store_of(dir.path()).map(|store| chain(&store, "strem-1") == before);
    assert!(why.unwrap());
    // The file refuses whoever forgets to say so.
    let config = dir.path().join("config.toml");
    let said = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, said.lines().skip(1).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let refused = Office::with_clock(dir.path(), TOYS, true, Clock::from_text(START).unwrap()).err().unwrap();
    assert!(refused.to_string().contains("has moved to postgres://"), "{refused}");
    std::fs::write(&config, said).unwrap();
    let mut there = office(dir.path());
    post(dir.path(), "coalition", "SIGNON\nNONCE Gott erhalte Franz\nEND", 7);
    assert_eq!(there.pass().unwrap().read, 1);
    // Nobody moves it from under a worker; nor into what is no empty database.
    let after = chain(&there.store, "strem-1");
    assert!(after.len() > before.len());
    drop(there);
    let occupied = gateway::move_to(dir.path(), &address).unwrap_err().to_string();
    assert!(occupied.contains("name an empty database"), "{occupied}");
    let back = dir.path().join("back.db");
    let (_, counted) = gateway::move_to(dir.path(), &back.display().to_string()).unwrap();
    assert_eq!(counted.entries as usize, after.len());
    let refused = Office::with_clock(dir.path(), TOYS, true, Clock::from_text(START).unwrap()).err().unwrap();
    assert!(refused.to_string().contains("has moved to"), "{refused}");
    std::fs::rename(&back, &file).unwrap();
    std::fs::write(&config, crate::gateway::bench::CONFIG).unwrap();
    let _ = std::fs::remove_file(dir.path().join("estafette.db-wal"));
    let _ = std::fs::remove_file(dir.path().join("estafette.db-shm"));
    let store = Store::open(&file).unwrap();
    assert_eq!(chain(&store, "strem-1"), after);
    assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
}

#[test]
fn a_backup_of_a_server_is_a_file_from_which_every_game_goes_on() {
    let (file, server, _rows) = twins();
    let mut there = office(server.path());
    post(server.path(), "french", STREM[0].1, 9);
    there.pass().unwrap();
    let copy = file.path().join("copy.db");
    there.store.backup(&copy, START).unwrap();
    let copied = Store::open(&copy).unwrap();
    assert_eq!(copied.findings(true).unwrap(), []);
    assert_eq!(copied.copied_at().unwrap().as_deref(), Some(START));
    assert_eq!(chain(&copied, "strem-1"), chain(&there.store, "strem-1"));
}

#[test]
fn what_of_a_server_cannot_be_used_is_said_with_its_cure() {
    let rows = Rows::get();
    let why = |address: &str, begin: bool| Store::on_server(address, begin).err().unwrap();
    let none = rows.fresh();
    let said = why(&none, false).to_string();
    assert!(said.contains("there is no post office in this database") && said.contains("estafette init"), "{said}");
    let said = why("postgres://nobody@127.0.0.1:1/none", false);
    assert!(matches!(said, StoreError::Away { .. }), "{said}");
    let said = said.to_string();
    assert!(said.contains("postgres://nobody@127.0.0.1:1/none") && said.contains("its server runs"), "{said}");
    assert!(said.contains("Connection refused"), "{said}");
    let said = why("postgres://[", false).to_string();
    assert!(said.contains("it is like postgres://user@host/database"), "{said}");
    Store::on_server(&none, true).unwrap();
    ask(&none, "UPDATE schema_version SET version = 99");
    let said = why(&none, false);
    assert!(matches!(said, StoreError::Newer { found: 99, .. }), "{said}");
    ask(&none, "UPDATE schema_version SET version = 3");
    // The log stays as it is, whoever writes.
    let said = ask(&none, "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgrelid = 'segments'::regclass");
    assert_eq!(said.len(), 3, "{said:?}");
    ask(&none, "ALTER TABLE segments DISABLE TRIGGER segments_never_changed");
    let store = Store::on_server(&none, false).unwrap();
    let found = store.integrity().unwrap();
    assert_eq!(found, ["schema: trigger segments.segments_never_changed is missing or altered"]);
    ask(&none, "DROP INDEX tags_by_seat; ALTER TABLE rate ADD COLUMN mine TEXT; DROP TABLE codes");
    let found = store.integrity().unwrap();
    for what in
        ["the index tags_by_seat is missing", "column rate.mine is not of this program's", "table codes is missing"]
    {
        assert!(found.iter().any(|said| said.contains(what)), "{what}: {found:?}");
    }
    assert_eq!(store.mend().unwrap().missing, ["tags_by_seat"]);
    let left = store.integrity().unwrap();
    assert_eq!(left.len() + 1, found.len(), "{left:?}");
    assert!(!left.iter().any(|said| said.contains("tags_by_seat")), "{left:?}");
    assert_eq!(ask(&none, "SELECT 1 FROM pg_namespace WHERE nspname = 'estafette_fresh'").len(), 0);
    // A version that is lost is no empty database.
    ask(&none, "DELETE FROM schema_version");
    for begin in [false, true] {
        let said = why(&none, begin).to_string();
        assert!(said.contains("not which version") && said.contains("restore a backup"), "{said}");
    }
    ask(&none, "INSERT INTO schema_version VALUES (-5)");
    assert!(why(&none, true).to_string().contains("not which version"));
    // An address that holds a password shows it to nobody.
    let secret = "postgres://estafette:hushhush@%2Ftmp%2Fnowhere/none";
    let said = format!("{} {:?}", why(secret, false), why(secret, false));
    assert!(!said.contains("hushhush"), "{said}");
}

#[test]
fn a_log_of_before_on_a_server_is_packed_and_keeps_every_entry_and_every_hash() {
    let rows = Rows::get();
    let address = rows.fresh();
    ask(&address, include_str!("../../src/store/schema/postgres/001_office.sql"));
    let (mut prev, mut entries) = (FIRST_PREV.to_owned(), Vec::new());
    for seq in 1..=300_u32 {
        let (slot, kind) = (seq / 20, if seq % 7 == 0 { "post.options" } else { "event" });
        let body = format!("{{\"entry\":{seq},\"where\":\"Dürenstein\"}}");
        let hash = entry_hash(&prev, slot, kind, &body);
        entries.push(format!("('g', {seq}, '{prev}', '{hash}', {slot}, '{kind}', '{body}')"));
        prev = hash;
    }
    // And one that is broken.
    entries.push(format!("('h', 1, '{FIRST_PREV}', 'x', 0, 'event', 'y')"));
    let all = entries.join(", ");
    let old = format!(
        "INSERT INTO schema_version VALUES (1); INSERT INTO scenarios VALUES ('d', 'p', 't');
         INSERT INTO games (id, ruleset, engine_version, scenario_digest, tempo, master, state, created)
         SELECT id, 'r', '1', 'd', 'live', decode(repeat('00', 32), 'hex'), 'playing', 'x'
         FROM unnest('{{g,h}}'::text[]) AS id;
         INSERT INTO seats (game, seat, ordinal) VALUES ('g', 'french', 0), ('h', 'french', 0);
         INSERT INTO log VALUES {all}; INSERT INTO log_heads VALUES ('g', 300, '{prev}'), ('h', 1, 'x')"
    );
    ask(&address, &old);
    let log = |game: &str| {
        ask(&address, &format!("SELECT seq, prev, hash, slot, kind, body FROM log WHERE game = '{game}' ORDER BY seq"))
    };
    let before = ["g", "h"].map(log);
    // Who looks only, while the older program may be serving, changes nothing.
    let said = Store::look_on_server(&address).err().unwrap();
    assert!(matches!(said, StoreError::Older { found: 1, known: 3, .. }), "{said}");
    assert_eq!(["g", "h"].map(log), before);
    let store = Store::on_server(&address, false).unwrap();
    Store::look_on_server(&address).unwrap().games().unwrap();
    let told = |entry: LogEntry| {
        let LogEntry { seq, prev, hash, slot, kind, body } = entry;
        vec![seq.to_string(), prev, hash, slot.to_string(), kind, body]
    };
    let after = ["g", "h"].map(|game| store.log(game, 1).unwrap().into_iter().map(told).collect::<Vec<_>>());
    assert_eq!(after, before);
    assert_eq!(store.checked_log("g").unwrap(), store.log("g", 1).unwrap());
    assert_eq!(store.log_of_kind("g", "post.options", 290).unwrap().len(), 1);
    let broken = store.verify_log("h").unwrap_err();
    assert!(matches!(&broken, StoreError::Broken { seq: 1, .. }), "{broken}");
    assert_eq!(ask(&address, "SELECT count(*), sum(seq_to - seq_from + 1) FROM segments"), [["4", "301"]]);
    assert_eq!(store.integrity().unwrap(), ["log of h: entry 1: was changed: its hash is another"]);
    let entry = NewEntry { slot: 20, kind: "event", body: "{}" };
    store.act(|act| act.append("g", &[entry]).and_then(|_| act.append("g", &[entry]))).unwrap();
    assert_eq!(store.checked_log("g").unwrap().len(), 302);
    assert_eq!(ask(&address, "SELECT count(*) FROM segments WHERE game = 'g'"), [["4"]]);
}

#[test]
fn each_fault_of_an_address_is_said_with_its_cure() {
    let rows = Rows::get();
    let good = rows.fresh();
    Store::on_server(&good, true).unwrap();
    ask(
        &good,
        "CREATE ROLE guest LOGIN; REVOKE ALL ON SCHEMA public FROM PUBLIC; GRANT USAGE ON SCHEMA public TO guest",
    );
    let (base, name) = good.rsplit_once('/').unwrap();
    let guest = base.replace("estafette@", "guest@");
    let cases = [
        (String::new(), "it is empty"),
        ("postgres://".to_owned(), "missing"),
        (format!("{good}?nosuch=1"), "nosuch"),
        (format!("{good}?sslmode=never"), "there is disable, require and verify-full"),
        (format!("{good}?sslmode=require&sslrootcert=%2Fnone.pem"), "sslrootcert: /none.pem: No such file"),
        (format!("{base}/nosuch"), "make that database on the server"),
        (format!("{}/{name}", base.replace("estafette@", "nobody@")), "mend the user and password"),
        ("postgres://estafette@%2Ftmp%2Fnowhere/none".to_owned(), "No such file or directory"),
        (format!("{good}?options=-c%20nosuch%3D3"), "see what stands in the address behind options="),
        (format!("{guest}/{name}"), "make the user of the address the owner"),
    ];
    for (address, cure) in cases {
        let said = Store::on_server(&address, false).and_then(|store| store.games().map(drop)).unwrap_err().to_string();
        assert!(said.contains(cure), "{address}: {said}");
    }
    let store = Store::on_server(&format!("{good}?options=-c%20default_transaction_read_only%3Don"), false).unwrap();
    let said = store.act(|act| act.set_mark("a", "b")).unwrap_err().to_string();
    assert!(said.contains("it may only be read") && !said.contains("room"), "{said}");
    assert!(store.path().display().to_string().ends_with(&format!("/{name}")), "{}", store.path().display());
}

#[test]
fn an_act_in_which_a_statement_failed_is_not_taken_for_done() {
    let rows = Rows::get();
    let address = rows.fresh();
    let store = Store::on_server(&address, true).unwrap();
    ask(&address, "DROP TABLE press");
    let done = store.act(|act| {
        act.set_mark("half", "yes")?;
        // Passed over, as what only adds to a letter is.
        let _ = act.press_waiting("toy-1", "red");
        Ok(())
    });
    assert!(done.is_err(), "the server has kept nothing of it");
    assert_eq!(store.mark("half").unwrap(), None);
    store.act(|act| act.set_mark("half", "yes")).unwrap();
    assert_eq!(store.mark("half").unwrap().as_deref(), Some("yes"));
}

#[test]
fn numbers_that_lag_behind_their_rows_are_caught_up_with() {
    let (_file, server, _rows) = twins();
    let config = std::fs::read_to_string(server.path().join("config.toml")).unwrap();
    let address = config.lines().next().unwrap().split('"').nth(1).unwrap().to_owned();
    // As a replica that took over, or rows that were put back alone, leave them.
    let back = "SELECT setval(pg_get_serial_sequence('inbox', 'id'), 1, false), \
                setval(pg_get_serial_sequence('outbox', 'id'), 1, false), \
                setval(pg_get_serial_sequence('organization_display', 'rowid'), 1, false)";
    ask(&address, back);
    let mut there = office(server.path());
    post(server.path(), "french", STREM[0].1, 9);
    let pass = there.pass().unwrap();
    assert_eq!((pass.fetched, pass.read, pass.failing), (1, 1, 0), "{:?}", there.ailing());
    // While it serves: the next pass goes on.
    ask(&address, back);
    post(server.path(), "coalition", STREM[1].1, 10);
    for _ in 0..6 {
        let _ = there.pass();
        there.clock_mut().advance(jiff::SignedDuration::from_secs(61));
    }
    assert_eq!((waiting(server.path()), there.ailing()), (0, Vec::new()));
    let mails = there.store.inbox_of_game("strem-1").unwrap();
    assert_eq!(mails.iter().filter(|mail| mail.state == InboxState::Done).count(), 2);
    assert_eq!(there.store.integrity().unwrap(), Vec::<String>::new());
}

#[test]
fn the_line_to_a_server_is_encrypted_where_its_address_says_so() {
    let rows = Rows::encrypted();
    let (fresh, ca) = (rows.fresh(), rows.ca());
    let name = fresh.rsplit_once('/').unwrap().1;
    let encode = |path: &Path| path.display().to_string().replace('/', "%2F");
    let address = |mode: &str, ca: &Path| {
        format!("postgres://estafette@localhost:{}/{name}?sslmode={mode}&sslrootcert={}", rows.port(), encode(ca))
    };
    let store = Store::on_server(&address("verify-full", &ca), true).unwrap();
    store.act(|act| act.set_mark("a", "b")).unwrap();
    let said = ask(
        &fresh,
        "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'estafette'",
    );
    assert_eq!(said, [["t"]]);
    // Who shows another certificate is not believed, nor who bears another name.
    let other = rows.ca().with_file_name("other.pem");
    let refused = Store::on_server(&address("require", &other), false).err().unwrap().to_string();
    assert!(refused.contains("name the file of the authority"), "{refused}");
    let elsewhere = address("verify-full", &ca).replace("localhost", "127.0.0.1");
    let refused = Store::on_server(&elsewhere, false).err().unwrap().to_string();
    assert!(refused.contains("as the server's certificate names it"), "{refused}");
    // One that is asked for TLS and has none, as this one on its socket, is told from one that is not there.
    let bare = format!("{fresh}?sslmode=require&sslrootcert={}", encode(&ca));
    let refused = Store::on_server(&bare, false).err().unwrap().to_string();
    assert!(refused.contains("the server has no TLS") && refused.contains("sslmode=disable"), "{refused}");
    let none = format!("postgres://nobody@127.0.0.1:1/none?sslmode=require&sslrootcert={}", encode(&ca));
    let refused = Store::on_server(&none, false).err().unwrap().to_string();
    assert!(refused.contains("its server runs") && !refused.contains("no TLS"), "{refused}");
    // In the open nothing is asked of a certificate.
    let open = format!("postgres://estafette@localhost:{}/{name}?sslmode=disable", rows.port());
    assert_eq!(Store::on_server(&open, false).unwrap().mark("a").unwrap().as_deref(), Some("b"));
}

#[test]
fn what_fits_only_a_file_or_only_a_server_is_refused_with_its_cure() {
    let (file, server, _rows) = twins();
    let said = |args: &[&str]| {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let args = ["estafette"].iter().chain(args).map(std::ffi::OsString::from);
        let code = estafette::cli::run(args, TOYS, &mut out, &mut err);
        (code, String::from_utf8(err).unwrap())
    };
    let dir = file.path().display().to_string();
    let (code, why) = said(&["serve", "--dir", &dir, "--workers", "2"]);
    assert!(
        code == 2 && why.contains("a file is served by one worker") && why.contains("estafette move"),
        "{code} {why}"
    );
    let there = server.path().display().to_string();
    let copy = format!("{dir}/estafette.db");
    let (code, why) = said(&["restore", "--dir", &there, &copy]);
    assert!(code != 0 && why.contains("the post office lies on a server"), "{code} {why}");
    // A worker at work keeps it from being moved away.
    let mut serving = office(server.path());
    serving.pass().unwrap();
    let (code, why) = said(&["move", "--dir", &there, &format!("{there}/away.db")]);
    assert!(code != 0 && why.contains("stop all of them first"), "{code} {why}");
    drop(serving);
    for asked in ["status", "doctor"] {
        let (code, why) = said(&[asked, "--dir", &there]);
        assert_eq!((code, why.as_str()), (0, ""), "{asked}");
    }
}

#[test]
fn while_the_server_is_away_nothing_is_lost_and_when_it_is_back_all_goes_on() {
    let (file, server, _rows) = twins();
    // A server of its own, which no other test uses.
    let rows = Rows::start();
    let address = rows.fresh();
    let (gone, _) = (gateway::move_to(server.path(), &address).unwrap(), drop(file));
    assert!(gone.1.mails > 0);
    std::fs::write(server.path().join("config.toml"), crate::gateway::bench::CONFIG).unwrap();
    settled(server.path(), &address);
    let mut there = office(server.path());
    for (n, (seat, body)) in (300..).zip(STREM.into_iter().take(3)) {
        post(server.path(), seat, body, n);
        rows.restart();
        // The line is found broken; the next pass has a new one.
        let mut passes = 0;
        while waiting(server.path()) > 0 || there.store.new_lanes().map_or(true, |lanes| !lanes.is_empty()) {
            let _ = there.pass();
            there.clock_mut().advance(jiff::SignedDuration::from_secs(61));
            passes += 1;
            assert!(passes < 20, "{:?}", there.ailing());
        }
    }
    let mails = there.store.inbox_of_game("strem-1").unwrap();
    assert_eq!(mails.iter().filter(|mail| mail.state == InboxState::Done).count(), 3);
    assert_eq!(there.store.integrity().unwrap(), Vec::<String>::new());
    there.pass().unwrap();
    let unsent = there.store.outbox_of_seat("strem-1", "french").unwrap();
    assert!(unsent.iter().all(|mail| mail.state == OutboxState::Sent), "{unsent:?}");
}

#[test]
fn no_statement_of_a_mail_walks_through_other_games_on_a_server() {
    let rows = Rows::get();
    let address = rows.fresh();
    let store = Store::on_server(&address, true).unwrap();
    crate::store::furnished(&store);
    let plans = store.plans(|store| crate::store::plans::one_mails_work(store, "moravia-7")).unwrap();
    assert!(plans.len() > 50, "only {} statements were heard", plans.len());
    for plan in &plans {
        // What can be found by an index is: the planner is told that walking is dear.
        let scans: Vec<_> = plan.steps.iter().filter(|step| step.contains("Seq Scan")).collect();
        assert!(scans.is_empty(), "{}: {:?}", plan.sql, plan.steps);
    }
    let walking = store.plans(|store| store.troubled_out(9).map(drop)).unwrap();
    assert_eq!(walking.len(), 1);
}

/// What of the other tests is played on a server as well: the exchanges of the post, as their own modules have them.
const EXCHANGES: [&str; 8] = [
    "gateway::post::",
    "gateway::people::",
    "gateway::time::",
    "gateway::umpire::",
    "gateway::rewound::",
    "gateway::notices::",
    "gateway::sending::",
    "gateway::transfer::",
];

/// Those that put a file or other settings in place by hand, and one that plays one exchange some hundred times.
const BY_HAND: [&str; 6] = [
    "after_a_restore_no_seed_is_used_that_anybody_has_seen",
    "a_no_of_any_kind_at_any_step",
    "a_game_that_was_restored_while_it_formed",
    "a_short_stage_is_not_reminded_of_at_its_beginning",
    "the_late_are_reminded_once",
    "what_falls_due_during_an_absence_waits",
];

#[test]
fn the_exchanges_of_the_post_go_the_same_on_a_server() {
    let done = Command::new(std::env::current_exe().unwrap())
        .args(EXCHANGES)
        .args(["--test-threads", "2"])
        .args(BY_HAND.into_iter().flat_map(|name| ["--skip", name]))
        .env(ON_SERVER, "yes")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    let passed = said.lines().find(|line| line.starts_with("test result")).unwrap_or_default().to_owned();
    let count: u32 = passed.split_whitespace().find_map(|word| word.parse().ok()).unwrap_or(0);
    assert!(count > 60, "{passed}");
}
