//! Real mail: whole games over a real SMTP server and Dovecot, with TLS and IDLE, and with lines that break.

use crate::gateway::bench::{START, TOYS, new_game, parsed, written};
use crate::servers::{
    self,
    proxy::{Harm, Proxy},
    real::Servers,
};
use crate::toys::Whim;
use estafette::clock::Clock;
use estafette::fog::SeatId;
use estafette::games::GAMES;
use estafette::gateway::{NewGame, Office, Way, table};
use estafette::mail::{Outbound, Parcel};
use estafette::scenario;
use estafette::store::{GameState, InboxState, OutboxState, Store, Tempo};
use jiff::SignedDuration;
use std::collections::{BTreeMap, BTreeSet};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const POST: &str = "referee@estafette.test";

/// The two account tables, over TLS and STARTTLS.
fn secret_config(servers: &Servers, user: &str) -> String {
    let text = format!(
        "address = \"{POST}\"\ntransport = \"imap\"\n[imap]\nhost = \"localhost\"\nport = {}\nuser = \"{POST}\"\n\
         password = \"pw-referee\"\nca_file = \"{ca}\"\nprocessed = \"Processed\"\npoll_seconds = 5\n[smtp]\n\
         host = \"localhost\"\nport = {}\nsecurity = \"starttls\"\nuser = \"{POST}\"\n\
         password_command = \"echo pw-referee\"\nca_file = \"{ca}\"\n",
        servers.port(993),
        servers.port(587),
        ca = servers.ca().display(),
    );
    text.replace("referee", user)
}

/// The same in the open, through two proxies.
fn open_config(imap: u16, smtp: u16) -> String {
    format!(
        "address = \"{POST}\"\ntransport = \"imap\"\n[imap]\nhost = \"127.0.0.1\"\nport = {imap}\nsecurity = \"none\"\n\
         user = \"{POST}\"\npassword = \"pw-referee\"\nprocessed = \"Processed\"\npoll_seconds = 5\n[smtp]\n\
         host = \"127.0.0.1\"\nport = {smtp}\nsecurity = \"none\"\n"
    )
}

fn office_dir(config: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("config.toml"), config).unwrap();
    std::fs::set_permissions(dir.path().join("config.toml"), PermissionsExt::from_mode(0o600)).unwrap();
    Store::create(&dir.path().join("estafette.db")).unwrap();
    dir
}

fn seats(new: NewGame, users: [&str; 2]) -> NewGame {
    let mut seats = new.seats;
    for ((_, addresses), user) in seats.iter_mut().zip(users) {
        *addresses = vec![format!("{user}@estafette.test")];
    }
    NewGame { seats, umpire: None, ..new }
}

/// The daemon, stopped by SIGTERM as a service manager does it.
struct Daemon(Child);

impl Daemon {
    fn start(dir: &Path) -> Daemon {
        let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
        command.args(["serve", "--dir"]).arg(dir).stdin(Stdio::null()).stdout(Stdio::null());
        Daemon(command.env_remove("ESTAFETTE_CLOCK").spawn().unwrap())
    }

    fn stop(mut self) -> std::process::ExitStatus {
        let killed = Command::new("kill").args(["-TERM", &self.0.id().to_string()]).status().unwrap();
        assert!(killed.success());
        self.0.wait().unwrap()
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Looks until it is there.
fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    for _ in 0..6000 {
        if let Some(found) = look() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("{what} does not come");
}

fn cli(args: &[&str], dir: &Path) -> std::process::Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
    command.args(args).arg("--dir").arg(dir).stdin(Stdio::null()).output().unwrap()
}

#[test]
fn the_teaching_game_is_played_to_its_end_over_tls_with_idle() {
    let servers = Servers::get();
    let users = [("french", "alice"), ("coalition", "bob")];
    ["referee", "alice", "bob"].iter().for_each(|user| servers.empty(user));
    let dir = office_dir(&secret_config(&servers, "referee"));
    // What lay there before the first look is no business of the post office.
    servers.send("dave@estafette.test", POST, written("dave@estafette.test", "old", "old\n", 1).as_bytes());
    until("the old mail", || (servers.mails("referee").len() == 1).then_some(()));
    let proved = cli(&["doctor", "--wait", "30"], dir.path());
    assert!(proved.status.success(), "{}", String::from_utf8_lossy(&proved.stdout));
    assert!(String::from_utf8_lossy(&proved.stdout).contains("it came back"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let new = NewGame {
        id: "real-1".to_owned(),
        files: scenario::files(&root.join("scenarios/campaigns/teaching.yaml")).unwrap(),
        seats: users.iter().map(|(s, u)| ((*s).to_owned(), vec![format!("{u}@estafette.test")])).collect(),
        umpire: None,
        tempo: Tempo::Live,
        deadline_hours: Some(48),
        master: Some([5; 32]),
    };
    let daemon = Daemon::start(dir.path());
    Office::open(dir.path(), GAMES, false).unwrap().new_game(&new).unwrap();
    let store = Store::open(&dir.path().join("estafette.db")).unwrap();
    let mut count = 0;
    while store.game("real-1").unwrap().unwrap().state != GameState::Over {
        count += 1;
        assert!(count < 500, "the game does not end");
        let row = store.game("real-1").unwrap().unwrap();
        let dues = store.dues("real-1").unwrap();
        let (seat, user) = *users.iter().find(|(seat, _)| dues.iter().any(|due| due.seat == *seat)).unwrap();
        let body = if row.state == GameState::Forming {
            format!("SIGNON\nNONCE of {seat}\n")
        } else {
            let game = table::open(GAMES, &store, &row).unwrap();
            game.bot(&SeatId(seat.to_owned()), count.into()).into_parts().1.join("\n")
        };
        // A player answers the last mail that lies in his own mailbox.
        let last = until("a mail to answer", || {
            let mails = servers.mails(user).into_iter().map(parsed);
            mails.max_by_key(|mail| store.outbox_by_message_id(&mail.id).unwrap().map(|out| out.number))
        });
        let from = format!("{user}@estafette.test");
        let raw = written(&from, &format!("Re: {}", last.subject), &body, 1000 + count);
        servers.send(&from, POST, raw.as_bytes());
        let id = format!("m{}@players.example", 1000 + count);
        until("the answer", || {
            let inbox = store.inbox_of_game("real-1").unwrap();
            let taken = inbox.iter().find(|mail| mail.message_id == id)?;
            let answers = store.answers_to(taken.id).unwrap();
            (!answers.is_empty() && answers.iter().all(|mail| mail.state == OutboxState::Sent)).then_some(())
        });
    }
    until("the last mail", || (store.outbox_counts().unwrap() == (0, 0)).then_some(()));
    assert!(daemon.stop().success(), "SIGTERM is a clean stop");
    for (seat, user) in users {
        let sent = store.outbox_of_seat("real-1", seat).unwrap();
        let numbers: Vec<u32> = sent.iter().filter_map(|mail| mail.number).collect();
        assert_eq!(numbers, (1..=u32::try_from(sent.len()).unwrap()).collect::<Vec<_>>());
        let got = until("all mails", || Some(servers.mails(user)).filter(|mails| mails.len() >= sent.len()));
        let ids: BTreeSet<String> = got.into_iter().map(|raw| parsed(raw).id).collect();
        assert_eq!(ids, sent.into_iter().map(|mail| mail.message_id).collect(), "{user} has what was sent, once each");
    }
    assert!(!store.has_come_in("m1@players.example").unwrap(), "the old mail was read");
    assert_eq!(cli(&["audit", "real-1"], dir.path()).status.code(), Some(0));
}

#[test]
fn a_rebuilt_mailbox_is_read_again_and_nothing_is_done_twice() {
    let servers = Servers::get();
    ["rebuilt-post", "carol", "dave"].iter().for_each(|user| servers.empty(user));
    let config = open_config(servers.port(143), servers.port(25)).replace("referee", "rebuilt-post");
    let config = config.replace("processed = \"Processed\"\n", "");
    let dir = office_dir(&config);
    let mut office = Office::with_clock(dir.path(), TOYS, false, Clock::system()).unwrap();
    office.new_game(&seats(new_game("toy-7", "toy-fellows", false), ["carol", "dave"])).unwrap();
    assert_eq!(office.pass().unwrap().sent, 2);
    let opening = until("the opening mail", || servers.mails("carol").pop());
    let subject = parsed(opening).subject;
    let raw = written("carol@estafette.test", &subject, "SIGNON\n", 7);
    servers.send("carol@estafette.test", &POST.replace("referee", "rebuilt-post"), raw.as_bytes());
    until("the mail", || (servers.mails("rebuilt-post").len() == 1).then_some(()));
    drop(office);
    let read_again = |fetched: usize, anew: bool| {
        // A mail that lies in the folder is not at once one that the server shows, and a line that was open when the
        // folder was made anew may go on with the old one.
        let (office, pass) = until("the mail to be shown", || {
            // A server that still holds the folder open may write down again what is taken from under it.
            if anew {
                servers.forget_uids("rebuilt-post");
            }
            let mut office = Office::with_clock(dir.path(), TOYS, false, Clock::system()).unwrap();
            let pass = office.pass().unwrap();
            (fetched == 0 || pass.fetched > 0).then_some((office, pass))
        });
        assert_eq!((pass.fetched, office.away(Way::In).unwrap()), (fetched, None));
        office.store.answers_to(1).unwrap().len()
    };
    assert_eq!(read_again(1, false), 1);
    assert_eq!(read_again(0, false), 1);
    assert_eq!(read_again(1, true), 1, "read again, and known");
    assert_eq!(read_again(0, false), 1);
}

/// MAILBOX=50000 lets so many old mails lie there.
#[test]
fn a_mailbox_full_of_old_mails_is_passed_over_and_what_comes_now_is_answered() {
    let old: u32 = std::env::var("MAILBOX").map_or(1000, |n| n.parse().unwrap());
    let servers = Servers::get();
    ["frank", "grace"].iter().for_each(|user| servers.empty(user));
    servers.fill("full-post", old);
    let config = open_config(servers.port(143), servers.port(25)).replace("referee", "full-post");
    let dir = office_dir(&config);
    let mut office = Office::with_clock(dir.path(), TOYS, false, Clock::system()).unwrap();
    office.new_game(&seats(new_game("toy-8", "toy-fellows", false), ["frank", "grace"])).unwrap();
    let start = Instant::now();
    let pass = office.pass().unwrap();
    println!("the first pass over {old} old mails took {:?}", start.elapsed());
    assert_eq!((pass.fetched, pass.sent, office.away(Way::In).unwrap()), (0, 2, None));
    let subject = parsed(until("the opening mail", || servers.mails("frank").pop())).subject;
    let raw = written("frank@estafette.test", &subject, "SIGNON\n", 9);
    servers.send("frank@estafette.test", &POST.replace("referee", "full-post"), raw.as_bytes());
    drop(office);
    let pass = until("the mail to be shown", || {
        let mut office = Office::with_clock(dir.path(), TOYS, false, Clock::system()).unwrap();
        Some(office.pass().unwrap()).filter(|pass| pass.fetched > 0)
    });
    assert_eq!((pass.fetched, pass.read), (1, 1));
    let mails = Store::open(&dir.path().join("estafette.db")).unwrap().inbox_of_game("toy-8").unwrap();
    assert_eq!(mails.iter().map(|mail| mail.message_id.as_str()).collect::<Vec<_>>(), ["m9@players.example"]);
}

#[test]
fn an_order_that_lay_in_the_mailbox_in_time_is_in_time_however_seldom_one_looks() {
    let servers = Servers::get();
    ["still-post", "nora", "otto"].iter().for_each(|user| servers.empty(user));
    let config = secret_config(&servers, "still-post");
    let config = config.replace("poll_seconds = 5", "poll_seconds = 3600\nidle = false");
    let dir = office_dir(&config);
    let mut office = Office::with_clock(dir.path(), TOYS, true, Clock::from_text(START).unwrap()).unwrap();
    let users = ["nora", "otto"];
    office.new_game(&seats(new_game("still-1", "toy-fellows", false), users)).unwrap();
    assert_eq!(office.pass().unwrap().sent, 2);
    let post = POST.replace("referee", "still-post");
    let send = |user: &str, body: &str, n: u32| {
        let opening = until("a mail", || servers.mails(user).pop());
        let from = format!("{user}@estafette.test");
        let raw = written(&from, &parsed(opening).subject, body, n);
        let lay = servers.mails("still-post").len();
        servers.send(&from, &post, raw.as_bytes());
        until("it to lie there", || (servers.mails("still-post").len() > lay).then_some(()));
    };
    (0..).zip(users).for_each(|(n, user)| send(user, "SIGNON\n", n));
    // A mail that lies in the folder is not at once one that the server shows.
    until("the game to begin", || {
        office.clock_mut().advance(SignedDuration::from_mins(61));
        office.pass().unwrap();
        (office.store.game("still-1").unwrap().unwrap().state == GameState::Playing).then_some(())
    });
    let due = office.store.dues("still-1").unwrap().into_iter().next().unwrap();
    let at: jiff::Timestamp = due.due_at.unwrap().parse().unwrap();
    let now = |office: &mut Office| office.clock_mut().now();
    while now(&mut office) < at - SignedDuration::from_mins(70) {
        office.clock_mut().advance(SignedDuration::from_mins(61));
        office.pass().unwrap();
    }
    let user = users[usize::from(due.seat != "french")];
    send(user, "FIRST NO\nEND\n", 7);
    // The next look would come long after the deadline.
    let over = at.duration_since(now(&mut office)) + SignedDuration::from_secs(30);
    office.clock_mut().advance(over);
    let mut read = 0;
    for _ in 0..40 {
        let pass = office.pass().unwrap();
        assert_eq!((pass.deadlines, pass.failing), (0, 0), "{:?}", office.ailing());
        read += pass.read;
        if read > 0 {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(read, 1);
    let address = format!("{user}@estafette.test");
    let kept = office.store.punctuality(&address).unwrap();
    assert_eq!(kept.missed, 0);
}

#[test]
fn each_way_in_is_taken_and_a_wrong_certificate_is_not() {
    let servers = Servers::get();
    let away = |config: &str, way| {
        let dir = office_dir(config);
        let mut office = Office::with_clock(dir.path(), TOYS, false, Clock::system()).unwrap();
        office.new_game(&seats(new_game("toy-7", "toy-fellows", false), ["erin", "erin"])).unwrap();
        office.pass().unwrap();
        office.away(way).unwrap().map(|away| away.why)
    };
    let good = secret_config(&servers, "ways-post");
    let token = servers.token_command("ways-post@estafette.test");
    let by_token = good
        .replace("password = \"pw-ways-post\"", &format!("token_command = \"{token}\""))
        .replace("password_command = \"echo pw-ways-post\"", &format!("token_command = \"{token}\""));
    let starttls = good.replace("[imap]\n", "[imap]\nsecurity = \"starttls\"\n");
    let starttls = starttls.replace(&servers.port(993).to_string(), &servers.port(143).to_string());
    let smtps = good.replace("security = \"starttls\"\n", "");
    let smtps = smtps.replace(&servers.port(587).to_string(), &servers.port(465).to_string());
    for config in [&good, &by_token, &starttls, &smtps] {
        for way in [Way::In, Way::Out] {
            assert_eq!(away(config, way), None, "{config}");
        }
    }
    let other_ca = good.replace(&format!("ca_file = \"{}\"\n", servers.ca().display()), "");
    let wrong_word = good.replace("pw-ways-post", "pw-wrong");
    for (config, words) in [(other_ca, "certificate"), (wrong_word, "")] {
        for way in [Way::In, Way::Out] {
            let why = away(&config, way).unwrap_or_else(|| panic!("{way:?} is let in by {config}"));
            assert!(why.to_lowercase().contains(words) && !why.contains("pw-"), "{why}");
        }
    }
}

#[test]
fn lines_that_break_anywhere_lose_nothing_and_do_nothing_twice() {
    let wanted: usize = std::env::var("FAULTS").map_or(40, |n| n.parse().unwrap());
    let servers = Servers::get();
    // Mailboxes of their own: the other tests may be at work.
    ["fault-post", "frank", "grace"].iter().for_each(|user| servers.empty(user));
    let (imap, smtp) = (Proxy::to(servers.port(143)), Proxy::to(servers.port(25)));
    let config = open_config(imap.port, smtp.port).replace("referee", "fault-post");
    let post = POST.replace("referee", "fault-post");
    let dir = office_dir(&config);
    let mut office = Office::with_clock(dir.path(), TOYS, false, Clock::from_text(START).unwrap()).unwrap();
    office.new_game(&seats(new_game("toy-7", "toy-fellows", false), ["frank", "grace"])).unwrap();
    office.pass().unwrap();
    let users = [("french", "frank"), ("coalition", "grace")];
    let mut tags = BTreeMap::new();
    for (_, user) in users {
        let mail = until("the opening mail", || servers.mails(user).pop());
        tags.insert(user, parsed(mail).subject);
    }
    let mut whim = Whim(20);
    let (mut written_ids, mut count) = (Vec::new(), 0_u32);
    let harmed = |imap: &Proxy, smtp: &Proxy| imap.rest() + smtp.rest();
    while harmed(&imap, &smtp) < wanted {
        count += 1;
        assert!(usize::try_from(count).unwrap() < 20 * wanted, "the lines are hardly ever harmed");
        let (seat, user) = users[whim.below(2)];
        let body = if count <= 2 {
            "SIGNON\n"
        } else {
            ["DEADLINE\n", "HISTORY\n", "MAP\n", "FIRST YES\nEND\n"][whim.below(4)]
        };
        let from = format!("{user}@estafette.test");
        // The newest letter of the seat is answered, as people do: a tag is good for the last twenty.
        let newest =
            office.store.outbox_of_seat("toy-7", seat).unwrap().into_iter().rfind(|mail| mail.number.is_some());
        let subject = newest.map_or_else(|| tags[user].clone(), |mail| parsed(mail.raw).subject);
        servers.send(&from, &post, written(&from, &subject, body, count).as_bytes());
        written_ids.push((seat, format!("m{count}@players.example")));
        let harm = [Harm::Cut, Harm::Garbage, Harm::Swallow, Harm::Delay][whim.below(4)];
        // What goes to a server in good order may be believed; it is the servers' answers that come as garbage.
        let down = whim.below(2) == 0 || harm == Harm::Garbage;
        let after = whim.below(if count % 3 == 0 { 60 } else { 1500 });
        if whim.below(2) == 0 {
            imap.harm(harm, down, after)
        } else {
            smtp.harm(harm, down, after)
        }
        for _ in 0..2 {
            office.pass().unwrap();
            office.clock_mut().advance(SignedDuration::from_mins(10));
        }
    }
    let faults = harmed(&imap, &smtp);
    assert!(faults >= wanted, "{faults} faults");
    let missing = |office: &Office| -> Vec<String> {
        let lost = written_ids.iter().filter(|(_, id)| !office.store.has_come_in(id).unwrap());
        lost.map(|(_, id)| id.clone()).collect()
    };
    let mut passes = 0;
    loop {
        office.clock_mut().advance(SignedDuration::from_mins(30));
        let pass = office.pass().unwrap();
        if pass.quiet() && missing(&office).is_empty() && office.store.outbox_counts().unwrap() == (0, 0) {
            break;
        }
        passes += 1;
        let troubled = office.store.troubled_out(9).unwrap();
        assert!(passes < 500, "no rest: {pass:?}, {:?} not in, {troubled:?}", missing(&office));
        std::thread::sleep(Duration::from_millis(10));
    }
    let inbox = office.store.inbox_of_game("toy-7").unwrap();
    for (seat, id) in &written_ids {
        let rows: Vec<_> = inbox.iter().filter(|mail| mail.message_id == *id).collect();
        assert_eq!(rows.len(), 1, "{id} is in once");
        assert_eq!((rows[0].state, rows[0].seat.as_deref()), (InboxState::Done, Some(*seat)));
        let own = office.store.answers_to(rows[0].id).unwrap();
        assert!(own.iter().any(|mail| mail.seat.as_deref() == Some(*seat)), "{id} is answered");
    }
    for (seat, user) in users {
        let sent = office.store.outbox_of_seat("toy-7", seat).unwrap();
        let mut copies: BTreeMap<String, BTreeSet<Vec<u8>>> = BTreeMap::new();
        until("all copies", || {
            copies.clear();
            for raw in servers.mails(user) {
                let body = raw
                    .windows(4)
                    .position(|four| four == b"\r\n\r\n")
                    .or(raw.windows(2).position(|two| two == b"\n\n"));
                let body = raw[body.unwrap_or(0)..].to_vec();
                copies.entry(parsed(raw).id).or_default().insert(body);
            }
            (copies.len() >= sent.len()).then_some(())
        });
        assert_eq!(copies.keys().cloned().collect::<BTreeSet<_>>(), sent.into_iter().map(|m| m.message_id).collect());
        assert!(copies.values().all(|bodies| bodies.len() == 1), "copies of one Message-ID are equal");
    }
    assert_eq!(office.store.integrity().unwrap(), Vec::<String>::new());
}

/// The least that can answer a mail: one line that waits for mail, one that sends, and nothing kept.
fn echo(servers: &Servers, stop: &Arc<AtomicBool>) -> std::thread::JoinHandle<()> {
    let (imap, smtp, stop) = (servers.port(143), servers.port(25), Arc::clone(stop));
    std::thread::spawn(move || {
        let mut client = imap::Client::new(TcpStream::connect(("127.0.0.1", imap)).unwrap());
        client.read_greeting().unwrap();
        let mut talk = client.login("echo-post@estafette.test", "pw-echo-post").map_err(|(error, _)| error).unwrap();
        talk.select("INBOX").unwrap();
        let mut sender = servers::real::smtp(smtp, "echo-post@estafette.test");
        let mut count = 0;
        while !stop.load(Ordering::Relaxed) {
            let unseen: BTreeSet<u32> = talk.search("UNSEEN").unwrap().into_iter().collect();
            for number in unseen {
                let fetched = talk.fetch(number.to_string(), "BODY[]").unwrap();
                let mail = parsed(fetched.iter().next().unwrap().body().unwrap().to_vec());
                count += 1;
                let to = "heidi@estafette.test";
                let raw = written("echo-post@estafette.test", &mail.subject, &mail.text, 90_000 + count);
                let parcel = Parcel { number: 0, again: 0, message_id: "", to, raw: raw.as_bytes() };
                sender.send(&parcel).unwrap();
            }
            let mut idle = talk.idle();
            idle.timeout(Duration::from_millis(500)).keepalive(false);
            idle.wait_while(imap::extensions::idle::stop_on_any).unwrap();
        }
    })
}

/// Sends a mail and waits for the answer in the writer's own mailbox.
fn exchange(servers: &Servers, post: &str, subject: &str, n: u32) -> Duration {
    let from = "heidi@estafette.test";
    let before = servers.count("heidi");
    let raw = written(from, subject, "DEADLINE\n", n);
    let start = Instant::now();
    servers.send(from, post, raw.as_bytes());
    while servers.count("heidi") == before {
        assert!(start.elapsed() < Duration::from_secs(60), "no answer from {post}");
        std::thread::sleep(Duration::from_millis(1));
    }
    start.elapsed()
}

/// LATENCY=50 measures over fifty exchanges each; the ratio is printed (`--nocapture`), and nothing is asserted of it.
#[test]
fn an_answer_takes_little_longer_than_a_bare_echo_through_the_same_servers() {
    let wanted: u32 = std::env::var("LATENCY").map_or(3, |n| n.parse().unwrap());
    let servers = Servers::get();
    ["swift-post", "echo-post", "heidi"].iter().for_each(|user| servers.empty(user));
    let dir = office_dir(&secret_config(&servers, "swift-post"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let new = NewGame {
        id: "real-2".to_owned(),
        files: scenario::files(&root.join("scenarios/campaigns/teaching.yaml")).unwrap(),
        ..seats(new_game("real-2", "campaigns", false), ["heidi", "erin"])
    };
    let daemon = Daemon::start(dir.path());
    Office::open(dir.path(), GAMES, false).unwrap().new_game(&new).unwrap();
    let opening = until("the opening mail", || servers.mails("heidi").pop());
    let subject = parsed(opening).subject;
    let stop = Arc::new(AtomicBool::new(false));
    let echo = echo(&servers, &stop);
    let (mut ours, mut bare) = (Vec::new(), Vec::new());
    let post = POST.replace("referee", "swift-post");
    for n in 0..=wanted {
        let by_echo = exchange(&servers, "echo-post@estafette.test", &subject, 50_000 + n);
        let by_us = exchange(&servers, &post, &subject, 60_000 + n);
        // The first opens lines and fills caches.
        if n > 0 {
            bare.push(by_echo);
            ours.push(by_us);
        }
    }
    stop.store(true, Ordering::Relaxed);
    echo.join().unwrap();
    assert!(daemon.stop().success());
    let store = Store::open(&dir.path().join("estafette.db")).unwrap();
    for n in 0..=wanted {
        let id = format!("m{}@players.example", 60_000 + n);
        let taken = store.inbox_of_game("real-2").unwrap().into_iter().find(|mail| mail.message_id == id).unwrap();
        assert_eq!(store.answers_to(taken.id).unwrap().len(), 1, "{id} is answered once");
    }
    let median = |times: &mut Vec<Duration>| {
        times.sort();
        times[times.len() / 2]
    };
    let (ours, bare) = (median(&mut ours), median(&mut bare));
    let ratio = ours.as_secs_f64() / bare.as_secs_f64();
    println!("an answer {ours:?}, a bare echo {bare:?}: ratio {ratio:.2} over {wanted} exchanges (aim: under 1.5)");
}
