//! Several workers over one database, some of which end or stand still at any moment.

use super::{Bench, Path, Rows, TOYS, moved};
use crate::gateway::bench::{CONFIG, written};
use estafette::clock::Clock;
use estafette::gateway::Office;
use estafette::mail::maildir::Maildir;
use estafette::mail::read::{Limits, read};
use estafette::store::{InboxState, OutboxState, Store};
use std::collections::{BTreeMap, BTreeSet};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const DIR: &str = "ESTAFETTE_WORKER_DIR";
const GAMES: usize = 8;
const MAILS: usize = 6;

/// Not a test of its own: one worker, until a file `stop` lies in its directory.
#[test]
fn child() {
    let Some(dir) = std::env::var_os(DIR).map(std::path::PathBuf::from) else { return };
    let mut office = None;
    while !dir.join("stop").exists() {
        let passed = match &mut office {
            None => Office::open(&dir, TOYS, true).map(|opened| office = Some(opened)),
            Some(office) => office.pass().map(drop),
        };
        if let Err(error) = passed {
            eprintln!("{error}");
        }
        std::thread::sleep(Duration::from_millis(30));
    }
    std::process::exit(0);
}

/// A worker that ends with the test, however that ends.
struct Worker(Child);

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn worker(dir: &Path) -> Worker {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "postgres::workers::child", "--nocapture"]).env(DIR, dir);
    let said = std::fs::File::options().create(true).append(true).open(dir.join("said")).unwrap();
    Worker(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(said).spawn().unwrap())
}

fn signal(Worker(child): &Worker, name: &str) {
    let done = Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status().unwrap();
    assert!(done.success());
}

/// A post office with games under way, on a server; and the subjects by which each seat answers.
pub fn playing(address: &str) -> (TempDir, Vec<(String, String)>) {
    let now = jiff::Timestamp::now().to_string();
    let mut bench = Bench::at(CONFIG, &now);
    let games: Vec<String> = (0..GAMES).map(|n| format!("toy-{n}")).collect();
    for id in &games {
        bench.new_game(id, "toy-fellows", false);
    }
    bench.pass();
    let mut subjects = Vec::new();
    for id in &games {
        for seat in ["french", "coalition"] {
            let subject = bench.last_of(id, seat).subject;
            bench.post(&format!("{seat}@example.org"), &format!("Re: {subject}"), "SIGNON\nNONCE words\n");
            subjects.push((seat.to_owned(), subject));
        }
    }
    bench.pass();
    let Bench { dir, office, .. } = bench;
    drop(office);
    moved(dir.path(), address);
    (dir, subjects)
}

pub fn until(what: &str, most: Duration, mut done: impl FnMut() -> bool) {
    let began = Instant::now();
    while !done() {
        assert!(began.elapsed() < most, "{what} is not done after {most:?}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// What is left to do: mails in the mailbox and in the inbox, and letters.
fn left(dir: &Path, store: &Store) -> Option<usize> {
    let waiting = super::waiting(dir);
    let new = store.new_lanes().ok()?.len();
    let (ready, _) = store.outbox_counts().ok()?;
    Some(waiting + new + usize::try_from(ready).unwrap())
}

/// What must hold of a post office when all is done: each mail acted on once, no gap in any seat's numbers, each letter
/// handed over, each under one name.
fn is_whole(dir: &Path, store: &Store, mails: &BTreeMap<String, usize>) {
    assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
    let sent: Vec<Vec<u8>> = Maildir::open(&dir.join("mail")).unwrap().sent().unwrap();
    let sent: BTreeSet<String> =
        sent.iter().map(|raw| read(raw, &Limits::default()).unwrap().head.message_id).collect();
    for (game, count) in mails {
        let came: Vec<String> = store
            .log_of_kind(game, "post.mail", 1)
            .unwrap()
            .iter()
            .map(|entry| serde_json::from_str::<serde_json::Value>(&entry.body).unwrap())
            .filter(|body| body["direction"] == "in")
            .map(|body| body["message_id"].as_str().unwrap().to_owned())
            .collect();
        let once: BTreeSet<&String> = came.iter().collect();
        let inbox = store.inbox_of_game(game).unwrap();
        let odd: Vec<_> = inbox.iter().filter(|mail| mail.state != InboxState::Done).map(|mail| &mail.reason).collect();
        assert!(odd.is_empty(), "{game}: {odd:?}");
        assert_eq!((came.len(), once.len()), (*count, *count), "{game}: {} in the inbox", inbox.len());
        for seat in ["french", "coalition"] {
            let letters = store.outbox_of_seat(game, seat).unwrap();
            let numbers: BTreeSet<u32> = letters.iter().filter_map(|letter| letter.number).collect();
            assert_eq!(numbers.last().copied(), u32::try_from(numbers.len()).ok(), "{game}/{seat}: {numbers:?}");
            for letter in letters {
                assert_eq!(letter.state, OutboxState::Sent, "{game}/{seat} {:?}", letter.number);
                assert!(sent.contains(&letter.message_id), "{} was not handed over", letter.message_id);
            }
        }
    }
}

fn deliver(dir: &Path, subjects: &[(String, String)], round: usize) {
    let mut maildir = Maildir::open(&dir.join("mail")).unwrap();
    for (n, (seat, subject)) in subjects.iter().enumerate() {
        let number = u32::try_from(10_000 + round * 1000 + n).unwrap();
        let raw = written(&format!("{seat}@example.org"), &format!("Re: {subject}"), "HISTORY\nMAP", number);
        maildir.deliver(raw.as_bytes()).unwrap();
    }
}

#[test]
fn workers_that_are_killed_or_stand_still_lose_no_mail_and_do_none_twice() {
    let kills: u32 = std::env::var("KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(24);
    // A server of its own, since it is restarted as well; and it waits for who stands still no longer than a test may.
    let rows = Rows::start();
    let address = rows.fresh();
    let (dir, subjects) = playing(&address);
    let config = dir.path().join("config.toml");
    let short = "?options=-c%20idle_in_transaction_session_timeout%3D1s%20-c%20idle_session_timeout%3D2s";
    let said = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, said.replace(&address, &format!("{address}{short}"))).unwrap();
    let store = Store::on_server(&address, false).unwrap();
    let mut workers: Vec<Worker> = (0..3).map(|_| worker(dir.path())).collect();
    let (mut frozen, mut rounds) = (0, 0);
    for n in 0..kills {
        // There is always something to do.
        if left(dir.path(), &store).unwrap_or(0) < GAMES && rounds < MAILS * (1 + kills as usize / 100) {
            deliver(dir.path(), &subjects, rounds);
            rounds += 1;
        }
        std::thread::sleep(Duration::from_millis(u64::from(150 + 37 * (n % 9))));
        let which = (n % 3) as usize;
        match n % 8 {
            5 => {
                signal(&workers[which], "STOP");
                std::thread::sleep(Duration::from_millis(2500));
                signal(&workers[which], "CONT");
                frozen += 1;
            }
            7 => rows.restart(),
            _ => {
                workers[which] = worker(dir.path());
            }
        }
    }
    let began = Instant::now();
    while left(dir.path(), &store) != Some(0) {
        let said = || std::fs::read_to_string(dir.path().join("said")).unwrap_or_default();
        let what = || format!("{:?} left, {:?}\n{}", left(dir.path(), &store), super::gateway::ailing(&store), said());
        assert!(began.elapsed() < Duration::from_secs(120), "{}", what());
        std::thread::sleep(Duration::from_millis(200));
    }
    std::fs::write(dir.path().join("stop"), "").unwrap();
    workers.iter_mut().for_each(|worker| _ = worker.0.wait().unwrap());
    assert!(frozen > 2 && rounds > 2, "{frozen} frozen, {rounds} rounds");
    let games = (0..GAMES).map(|n| (format!("toy-{n}"), 2 + 2 * rounds)).collect();
    is_whole(dir.path(), &Store::on_server(&address, false).unwrap(), &games);
    println!("{kills} times killed, frozen or restarted; {rounds} rounds of {} mails", subjects.len());
}

/// What this process has taken of the processor.
fn worked() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap(), u32::try_from(time.tv_nsec).unwrap())
}

/// So many workers act on mails that lie in the inbox; how many each of them read, and in what time all were done.
fn shared(address: &str, dir: &Path, count: usize) -> (Vec<usize>, Duration) {
    let began = Instant::now();
    let work = || {
        let (mut office, mut read) = (Office::open(dir, TOYS, true).unwrap(), 0);
        let store = Store::on_server(address, false).unwrap();
        while !store.new_lanes().unwrap().is_empty() {
            read += office.pass().unwrap().read;
        }
        read
    };
    let read = std::thread::scope(|scope| {
        let all: Vec<_> = (0..count).map(|_| scope.spawn(work)).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    (read, began.elapsed())
}

#[test]
fn workers_share_the_mails_that_wait() {
    // With CURVE=8 in the environment it is measured with 1, 2, 4 and 8, each on mails of its own.
    let curve: Option<usize> = std::env::var("CURVE").ok().and_then(|text| text.parse().ok());
    let (most, mails) = (curve.unwrap_or(2), if curve.is_some() { MAILS * 8 } else { MAILS });
    // A server of its own, so that what it works is for these mails.
    let rows = Rows::start();
    for count in [1, 2, 4, 8].into_iter().filter(|count| *count <= most) {
        let address = rows.fresh();
        let (dir, subjects) = playing(&address);
        // They are taken in before any worker begins, so that none waits for another to fetch.
        let mut office = Office::open(dir.path(), TOYS, true).unwrap();
        office.pass().unwrap();
        let blocked = Store::on_server(&address, false).unwrap();
        (0..GAMES).for_each(|n| assert!(blocked.hold(&format!("game/toy-{n}"), false).unwrap()));
        (0..mails).for_each(|round| deliver(dir.path(), &subjects, round));
        office.pass().unwrap();
        drop(office);
        let waiting = blocked.new_lanes().unwrap().len();
        assert_eq!(waiting, mails * subjects.len());
        drop(blocked);
        let written =
            || super::ask(&address, "SELECT pg_current_wal_insert_lsn() - '0/0'")[0][0].parse::<u64>().unwrap();
        let (before, log, own) = (rows.worked(), written(), worked());
        let (read, took) = shared(&address, dir.path(), count);
        let (server, own, log) = (rows.worked() - before, worked() - own, written() - log);
        assert_eq!(read.iter().sum::<usize>(), waiting, "{read:?}");
        assert!(count == 1 || read.iter().filter(|read| **read > 0).count() > 1, "{read:?}");
        println!("{count} workers: {waiting} mails in {} ms, {read:?}", took.as_millis());
        let each = |whole: u128| whole / waiting as u128;
        println!(
            "  of the processor, a mail: {} µs the workers, {} µs the server; {} bytes of its log",
            each(own.as_micros()),
            each(server.as_micros()),
            each(log.into())
        );
    }
}

#[test]
fn one_worker_leads_and_when_it_is_gone_another_does() {
    let rows = Rows::get();
    let (dir, subjects) = playing(&rows.fresh());
    let clock = || Clock::from_text(&jiff::Timestamp::now().to_string()).unwrap();
    let open = || Office::with_clock(dir.path(), TOYS, true, clock()).unwrap();
    let (one, mut two) = (open(), open());
    assert!(one.store.hold("lead", false).unwrap());
    deliver(dir.path(), &subjects, 0);
    // Who does not lead takes nothing in.
    assert_eq!(two.pass().unwrap().fetched, 0);
    assert_eq!(two.pass().unwrap().sent, 0);
    drop(one);
    let (mut fetched, mut acted) = (0, 0);
    // The server needs a moment to see that a line is gone.
    until("another leads", Duration::from_secs(20), || {
        let pass = two.pass().unwrap();
        (fetched, acted) = (fetched + pass.fetched, acted + pass.read);
        fetched > 0
    });
    assert_eq!((fetched, acted), (subjects.len(), subjects.len()), "{:?}", two.ailing());
    // A game that somebody has is passed over, and its mails wait; all others go on.
    let three = open();
    assert!(three.store.hold("game/toy-3", false).unwrap());
    deliver(dir.path(), &subjects, 1);
    let pass = two.pass().unwrap();
    assert_eq!(pass.read, subjects.len() - 2, "{:?}", two.ailing());
    assert_eq!(two.store.new_lanes().unwrap().len(), 2);
    three.store.let_go("game/toy-3");
    assert_eq!(two.pass().unwrap().read, 2);
    assert_eq!(two.ailing(), []);
}

/// The game is somebody else's from now on, until a word comes or so much time is gone that nobody waits for it any more.
fn held_by_another(address: &str, game: &str) -> (mpsc::Sender<()>, JoinHandle<()>) {
    let ((go, stop), (says, held)) = (mpsc::channel(), mpsc::channel());
    let (address, name) = (address.to_owned(), format!("game/{game}"));
    let other = std::thread::spawn(move || {
        let store = Store::on_server(&address, false).unwrap();
        assert!(store.hold(&name, true).unwrap());
        says.send(()).unwrap();
        let _ = stop.recv_timeout(Duration::from_secs(5));
        // Asked for, it is free when the answer comes; of a line that only ends the server may hear later.
        store.let_go(&name);
    });
    held.recv().unwrap();
    (go, other)
}

#[test]
fn no_deadline_passes_over_a_mail_that_another_worker_kept_from_being_read() {
    let rows = Rows::get();
    let address = rows.fresh();
    let (dir, subjects) = playing(&address);
    let store = Store::on_server(&address, false).unwrap();
    let due = |game: &str| store.dues(game).unwrap().into_iter().filter_map(|due| Some((due.due_at?, due.seat))).min();
    let (first, seat) = due("toy-1").unwrap();
    let first: jiff::Timestamp = first.parse().unwrap();
    let minute = jiff::SignedDuration::from_mins(1);
    let mut office = Office::with_clock(dir.path(), TOYS, true, Clock::fixed(first - minute)).unwrap();
    let (go, other) = held_by_another(&address, "toy-1");
    let (_, subject) = subjects.iter().find(|(of, subject)| *of == seat && subject.contains("toy-1")).unwrap();
    let mail = written(&format!("{seat}@example.org"), &format!("Re: {subject}"), "END", 20_000);
    Maildir::open(&dir.path().join("mail")).unwrap().deliver(mail.as_bytes()).unwrap();
    let pass = office.pass().unwrap();
    assert_eq!((pass.fetched, pass.read), (1, 0));
    // Its time is up, and the mail that came before it is still unread.
    office.clock_mut().advance(minute + minute);
    let pass = office.pass().unwrap();
    assert_eq!((pass.read, pass.deadlines), (0, GAMES - 1), "{:?}", office.ailing());
    let _ = go.send(());
    other.join().unwrap();
    assert_eq!(office.pass().unwrap().read, 1, "{:?}", office.ailing());
    // The END counts, and what is late then is somebody else's.
    let said: Vec<String> =
        store.log_of_kind("toy-1", "input", 1).unwrap().into_iter().map(|entry| entry.body).collect();
    let at = |what: &str| said.iter().position(|body| body.contains(what));
    let (ended, late) = (at("\"kind\":\"sheet\""), at("\"kind\":\"deadline\""));
    assert!(ended.is_some() && late.is_none_or(|late| Some(late) > ended), "{said:#?}");
}

#[test]
fn a_worker_whose_clock_is_off_that_of_the_server_does_nothing_until_it_is_right() {
    let rows = Rows::get();
    let (dir, subjects) = playing(&rows.fresh());
    let open = || Office::with_clock(dir.path(), TOYS, true, Clock::system()).unwrap();
    let (mut office, hours) = (open(), jiff::SignedDuration::from_hours(2));
    office.clock_mut().jump(hours);
    deliver(dir.path(), &subjects, 0);
    let pass = office.pass().unwrap();
    assert_eq!((pass.fetched, pass.read, pass.sent), (0, 0, 0));
    let said: Vec<String> = office.ailing().iter().map(|ailing| ailing.why.clone()).collect();
    assert!(said.len() == 1 && said[0].contains("2 hours ahead of that of the database's server"), "{said:?}");
    // Meanwhile another one leads.
    let mut other = open();
    assert_eq!(other.pass().unwrap().fetched, subjects.len(), "{:?}", other.ailing());
    drop(other);
    office.clock_mut().jump(-hours);
    deliver(dir.path(), &subjects, 1);
    let mut fetched = 0;
    until("it goes on", Duration::from_secs(20), || {
        fetched += office.pass().unwrap().fetched;
        fetched == subjects.len()
    });
    assert_eq!(office.ailing(), []);
}

#[test]
fn a_worker_with_other_settings_than_the_one_that_leads_does_nothing_and_names_them() {
    let rows = Rows::get();
    let address = rows.fresh();
    let (dir, subjects) = playing(&address);
    let open = |dir: &Path| Office::with_clock(dir, TOYS, true, Clock::fixed(jiff::Timestamp::now())).unwrap();
    let mut leader = open(dir.path());
    leader.pass().unwrap();
    let beside = |more: &str| {
        let other = TempDir::new().unwrap();
        let config = std::fs::read_to_string(dir.path().join("config.toml")).unwrap();
        std::fs::write(other.path().join("config.toml"), format!("{more}{config}")).unwrap();
        other
    };
    let (same, other) = (beside("metrics = \"counts\"\n"), beside("absent_days = 5\n"));
    std::fs::create_dir(other.path().join("templates")).unwrap();
    std::fs::write(other.path().join("templates/receipt.txt"), "Subject: x\n\nx\n").unwrap();
    let (mut same, mut other) = (open(same.path()), open(other.path()));
    deliver(dir.path(), &subjects, 0);
    assert_eq!((other.pass().unwrap().read, same.pass().unwrap().read), (0, 0));
    assert_eq!(same.ailing(), []);
    let said: Vec<String> = other.ailing().iter().map(|ailing| ailing.why.clone()).collect();
    assert!(said.len() == 1 && said[0].contains("nothing: absent_days, templates/receipt.txt. Make"), "{said:?}");
    assert_eq!(leader.pass().unwrap().read, subjects.len());
    // Once it leads, its settings are those that hold.
    drop(leader);
    let mut led = 0;
    until("the other leads", Duration::from_secs(20), || {
        other.clock_mut().advance(jiff::SignedDuration::from_secs(61));
        other.pass().unwrap();
        led += 1;
        other.ailing().is_empty() && other.store.holder("lead").unwrap() == other.store.session().unwrap()
    });
    assert!(led > 0 && same.pass().unwrap().read == 0);
    assert_eq!(same.ailing().len(), 1, "{:?}", same.ailing());
}

#[test]
fn a_session_that_could_only_read_is_given_up_once_the_server_writes_again() {
    let rows = Rows::get();
    let address = rows.fresh();
    let (dir, subjects) = playing(&address);
    let (base, name) = address.rsplit_once('/').unwrap();
    let server = format!("{base}/postgres");
    let mut office = Office::with_clock(dir.path(), TOYS, true, Clock::fixed(jiff::Timestamp::now())).unwrap();
    office.pass().unwrap();
    super::ask(&server, &format!("ALTER DATABASE {name} SET default_transaction_read_only = on"));
    super::ask(&server, &format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"));
    deliver(dir.path(), &subjects, 0);
    let minute = jiff::SignedDuration::from_secs(61);
    for _ in 0..3 {
        office.clock_mut().advance(minute);
        assert_eq!(office.pass().map_or(0, |pass| pass.read), 0);
    }
    super::ask(&server, &format!("ALTER DATABASE {name} RESET default_transaction_read_only"));
    let mut read = 0;
    for _ in 0..10 {
        office.clock_mut().advance(minute);
        read += office.pass().map_or(0, |pass| pass.read);
    }
    assert_eq!(read, subjects.len(), "{:?}", office.ailing());
}

#[test]
fn a_database_that_went_back_is_refused_by_a_worker_that_has_seen_more_of_it() {
    let rows = Rows::get();
    let address = rows.fresh();
    let (dir, subjects) = playing(&address);
    let open = || Office::with_clock(dir.path(), TOYS, true, Clock::fixed(jiff::Timestamp::now()));
    open().unwrap().pass().unwrap();
    let (base, name) = address.rsplit_once('/').unwrap();
    let (server, older) = (format!("{base}/postgres"), format!("{name}_older"));
    let ended = format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'");
    super::ask(&server, &ended);
    super::ask(&server, &format!("CREATE DATABASE {older} TEMPLATE {name}"));
    deliver(dir.path(), &subjects, 0);
    let read = open().unwrap().pass().unwrap().read;
    assert_eq!(read, subjects.len());
    let config = std::fs::read_to_string(dir.path().join("config.toml")).unwrap();
    let put_back = config.replace(&format!("/{name}\""), &format!("/{older}\""));
    assert_ne!(put_back, config);
    std::fs::write(dir.path().join("config.toml"), put_back).unwrap();
    let said = open().err().unwrap().to_string();
    assert!(said.contains("it has gone back (") && said.contains("doctor"), "{said}");
    // Who says that it is the newest there is goes on.
    let store = Store::on_server(&format!("{base}/{older}"), false).unwrap();
    estafette::gateway::is_the_newest(dir.path(), &store).unwrap();
    open().unwrap().pass().unwrap();
}

#[test]
fn a_worker_that_was_cut_off_in_an_act_writes_nothing_of_it() {
    let rows = Rows::get();
    let address = rows.fresh();
    let (dir, _) = playing(&address);
    let store = Store::on_server(&address, false).unwrap();
    assert!(store.hold("game/toy-1", true).unwrap());
    let done = store.act(|act| {
        act.set_note("toy-1", "mine", Some("half"))?;
        // The server ends the session, as it does with one that stands still for too long.
        let ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'estafette' \
                     AND datname = current_database() AND pid <> pg_backend_pid()";
        super::ask(&address, ended);
        act.set_note("toy-1", "mine", Some("whole"))
    });
    assert!(done.is_err());
    // What it held is free, and it knows that it holds nothing.
    let other = Store::on_server(&address, false).unwrap();
    assert!(other.hold("game/toy-1", false).unwrap());
    assert!(store.note("toy-1", "mine").is_err(), "nothing is done on a new line while a game is thought to be held");
    store.let_go("game/toy-1");
    assert_eq!(store.note("toy-1", "mine").unwrap(), None);
    assert!(!store.hold("game/toy-1", false).unwrap());
    drop(dir);
}
