//! Random pairs of a backup and a crash, by each way that mail comes in: the folders, a real mailbox on a server, and LMTP.
//!
//! The daemon is killed at some passage in the middle of its work, so that its log lies beside the database as a machine
//! that stops leaves it.

use super::{GAME, flat, nothing_came_twice};
use crate::gateway::bench::{Mail, START, TOYS, new_game, parsed, written};
use crate::gateway::doors::say;
use crate::kill;
use crate::servers::real::Servers;
use crate::toys::Whim;
use estafette::clock::Clock;
use estafette::gateway::{Office, restore, table};
use estafette::mail::maildir::Maildir;
use estafette::store::{GameState, InboxState, Store};
use jiff::SignedDuration;
use rusqlite::Connection;
use std::io::BufReader;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tempfile::TempDir;

/// The mailboxes of the two players on the real server. The post office has another one in each pair: a server may write
/// down again what is taken from under it while a line is open.
const PLAYERS: [&str; 2] = ["ina", "ivo"];
/// So many mailboxes there are for post offices, `pair0` and so on.
const OFFICES: u64 = 67;

/// How mail comes in.
enum Way {
    Folders,
    /// And the user whose mailbox is read.
    Server(Arc<Servers>, String),
    /// Whether a copy of each mail is kept.
    Lmtp(bool),
}

impl Way {
    fn address(&self) -> String {
        match self {
            Way::Server(_, user) => format!("{user}@estafette.test"),
            _ => "post@example.org".to_owned(),
        }
    }

    fn config(&self, dir: &Path) -> String {
        let head = format!("address = \"{}\"\nreminder_hours = 0\n", self.address());
        match self {
            Way::Folders => head,
            Way::Lmtp(keep) => {
                format!("{head}[lmtp]\nlisten = \"unix:{}\"\nkeep = {keep}\n", dir.join("lmtp.sock").display())
            }
            Way::Server(servers, user) => format!(
                "{head}transport = \"imap\"\n[imap]\nhost = \"127.0.0.1\"\nport = {}\nsecurity = \"none\"\n\
                 user = \"{1}\"\npassword = \"pw-{user}\"\nprocessed = \"Processed\"\npoll_seconds = 5\n\
                 [smtp]\nhost = \"127.0.0.1\"\nport = {2}\nsecurity = \"none\"\n",
                servers.port(143),
                self.address(),
                servers.port(25)
            ),
        }
    }
}

/// A mail that a player wrote.
#[derive(Clone)]
struct Wrote {
    seat: String,
    from: String,
    id: String,
    raw: String,
}

/// A post office and its two players.
struct Post {
    way: Way,
    dir: TempDir,
    office: Option<Office>,
    clock: Clock,
    seats: Vec<(String, String)>,
    count: u32,
}

impl Post {
    fn begun(way: Way, ruleset: &str) -> Post {
        let dir = tempfile::tempdir().unwrap();
        if let Way::Server(servers, user) = &way {
            PLAYERS.iter().chain([&user.as_str()]).for_each(|user| servers.empty(user));
        }
        let config = dir.path().join("config.toml");
        std::fs::write(&config, way.config(dir.path())).unwrap();
        std::fs::set_permissions(&config, PermissionsExt::from_mode(0o600)).unwrap();
        Store::create(&dir.path().join("estafette.db")).unwrap();
        let mut new = new_game(GAME, ruleset, false);
        for ((_, addresses), user) in new.seats.iter_mut().zip(PLAYERS) {
            if matches!(way, Way::Server(..)) {
                *addresses = vec![format!("{user}@estafette.test")];
            }
        }
        let seats: Vec<(String, String)> =
            new.seats.iter().map(|(seat, addresses)| (seat.clone(), addresses[0].clone())).collect();
        let clock = Clock::from_text(START).unwrap();
        let mut post = Post { way, dir, office: None, clock, seats: seats.clone(), count: 0 };
        post.office().new_game(&new).unwrap();
        post.pass();
        for (seat, _) in seats {
            post.write(&seat, "SIGNON\nNONCE of a player\n");
        }
        assert_eq!(post.state(), GameState::Playing);
        post
    }

    fn office(&mut self) -> &mut Office {
        let (dir, clock) = (self.dir.path(), self.clock);
        self.office.get_or_insert_with(|| {
            let office = Office::with_clock(dir, TOYS, true, clock).unwrap();
            office.open_doors(&Arc::new(AtomicBool::new(false))).unwrap();
            office
        })
    }

    fn pass(&mut self) {
        // A mailbox is looked at again after some time.
        self.clock.advance(SignedDuration::from_secs(10));
        let clock = self.clock;
        *self.office().clock_mut() = clock;
        self.office().pass().unwrap();
    }

    fn state(&mut self) -> GameState {
        self.office().store.game(GAME).unwrap().unwrap().state
    }

    /// A mail of that seat as an answer to its last letter, not yet handed in.
    fn letter(&mut self, seat: &str, body: &str) -> Wrote {
        self.count += 1;
        let from = self.seats.iter().find(|(name, _)| name == seat).unwrap().1.clone();
        let sent = self.office().store.outbox_of_seat(GAME, seat).unwrap();
        let last = sent.into_iter().rfind(|mail| mail.number.is_some()).unwrap();
        let raw = written(&from, &format!("Re: {}", parsed(last.raw).subject), body, self.count);
        let raw = raw.replace("post@example.org", &self.way.address());
        Wrote { seat: seat.to_owned(), from, id: format!("m{}@players.example", self.count), raw }
    }

    /// Hands a mail in by the way of this post office.
    fn hand_in(&mut self, wrote: &Wrote) {
        match &self.way {
            Way::Folders => {
                Maildir::open(&self.dir.path().join("mail")).unwrap().deliver(wrote.raw.as_bytes()).unwrap();
            }
            Way::Server(servers, user) => {
                let before = servers.count(user);
                servers.send(&wrote.from, &self.way.address(), wrote.raw.as_bytes());
                until("the mail", || servers.count(user) > before);
            }
            Way::Lmtp(_) => {
                let socket = self.dir.path().join("lmtp.sock");
                self.office();
                let mut line = BufReader::new(UnixStream::connect(socket).unwrap());
                let talk = ["", "LHLO x", &format!("MAIL FROM:<{}>", wrote.from), "RCPT TO:<post@example.org>", "DATA"]
                    .map(|said| say(&mut line, said));
                assert!(talk[4].starts_with("354"), "{talk:?}");
                assert!(say(&mut line, &format!("{}\r\n.", wrote.raw)).starts_with("250"));
            }
        }
    }

    /// Passes until a mail has come in.
    fn read(&mut self, wrote: &Wrote) {
        for _ in 0..600 {
            self.pass();
            if self.office().store.has_come_in(&wrote.id).unwrap() {
                return;
            }
            // A server shows a mail some time after it took it.
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("{} is never read", wrote.id);
    }

    fn write(&mut self, seat: &str, body: &str) -> Wrote {
        let wrote = self.letter(seat, body);
        self.hand_in(&wrote);
        self.read(&wrote);
        wrote
    }

    /// Somebody who owes something, and a line of his; none when the game is over.
    fn owed(&mut self, whim: &mut Whim) -> Option<(String, String)> {
        let row = self.office().store.game(GAME).unwrap().unwrap();
        let hosted = table::open(TOYS, &self.office().store, &row).unwrap();
        let dues = hosted.dues();
        if dues.is_empty() {
            return None;
        }
        let due = &dues[whim.below(dues.len())];
        let body = match &due.prompt {
            Some(ask) => ask.answers[whim.below(ask.answers.len())].clone(),
            None => match crate::toys::examples(hosted.as_ref(), &due.seat) {
                some if some.is_empty() => "END".to_owned(),
                some => format!("{}\nEND", some[whim.below(some.len())]),
            },
        };
        Some((due.seat.0.clone(), body))
    }

    /// Every mail that ever went out, as its reader has it; of one from a server without the lines that servers add above.
    fn out(&self) -> Vec<Mail> {
        let Way::Server(servers, _) = &self.way else {
            let sent = Maildir::open(&self.dir.path().join("mail")).unwrap().sent().unwrap();
            return sent.into_iter().map(parsed).collect();
        };
        let both = PLAYERS.iter().flat_map(|user| servers.mails(user));
        let bare = |raw: Vec<u8>| {
            let text = String::from_utf8(raw.clone()).unwrap().replace("\r\n", "\n");
            let body = text.split_once("\n\n").unwrap().1.to_owned();
            Mail { raw: body.into_bytes(), ..parsed(raw) }
        };
        both.map(bare).collect()
    }

    /// The daemon as another process, killed at a passage; whether it was.
    fn killed(&mut self, passage: usize) -> bool {
        self.office = None;
        let clock = self.clock.now().to_string();
        let done =
            kill::command(self.dir.path(), &clock).env("ESTAFETTE_FAIL", format!("*:{passage}")).output().unwrap();
        !done.status.success()
    }

    fn restored(&mut self, file: &Path) {
        self.clock.advance(SignedDuration::from_hours(3));
        let done = restore(self.dir.path(), file, false, TOYS, self.clock).unwrap();
        assert_eq!((done.games.len(), done.faults), (1, Vec::new()));
        let kept = !matches!(self.way, Way::Lmtp(false));
        assert_eq!((done.ask_again, done.later), (!kept, matches!(self.way, Way::Server(..))));
    }
}

fn until(what: &str, mut there: impl FnMut() -> bool) {
    for _ in 0..6000 {
        if there() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("{what} does not come");
}

/// Why a mail of the lost time is not carried out, as its writer reads it.
const ASKED_BACK: [&str; 2] = ["belongs to the time that was lost", "which you had before"];

/// One pair of a backup and a crash; whether the daemon was killed in the middle of its work.
fn pair(way: Way, ruleset: &str, whim: &mut Whim) -> bool {
    let what = format!("{ruleset} by {}", way.address());
    let mut post = Post::begun(way, ruleset);
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join("copy.db");
    for _ in 0..whim.below(4) {
        if let Some((seat, body)) = post.owed(whim) {
            post.write(&seat, &body);
        }
    }
    let at = post.clock.now().to_string();
    post.office().store.backup(&file, &at).unwrap();
    let kept = post.office().store.log(GAME, 1).unwrap();
    let mut lost = Vec::new();
    for _ in 0..whim.below(4) {
        if let Some((seat, body)) = post.owed(whim) {
            lost.push(post.write(&seat, &body));
        }
    }
    if let Some((seat, body)) = post.owed(whim) {
        let wrote = post.letter(&seat, &body);
        post.hand_in(&wrote);
        lost.push(wrote);
    }
    let killed = post.killed(1 + whim.below(60));
    post.restored(&file);
    post.pass();
    announced(&mut post, &lost, &what);
    // What the copy knew of is there, entry by entry.
    let now = post.office().store.log(GAME, 1).unwrap();
    assert_eq!(now[..kept.len()], kept, "{what}");
    assert!(now[kept.len()..].iter().any(|entry| entry.kind == "post.restored"), "{what}");
    // And play goes on.
    for _ in 0..3 {
        if let Some((seat, body)) = post.owed(whim) {
            let wrote = post.write(&seat, &body);
            assert_eq!(state_of(&mut post, &wrote), Some(InboxState::Done), "{what}");
        }
    }
    assert_eq!(post.office().store.integrity().unwrap(), Vec::<String>::new(), "{what}");
    post.office().store.verify_log(GAME).unwrap();
    let sent = post.office().store.outbox_counts().unwrap();
    assert_eq!(sent, (0, 0), "{what}: all is sent");
    if matches!(post.way, Way::Server(..)) {
        let wanted: usize = post.seats.clone().iter().map(|(seat, _)| sent_to(&mut post, seat)).sum();
        until("the last mails", || post.out().len() >= wanted);
    }
    nothing_came_twice(&post.out());
    killed
}

fn sent_to(post: &mut Post, seat: &str) -> usize {
    post.office().store.outbox_of_seat(GAME, seat).unwrap().len()
}

fn state_of(post: &mut Post, wrote: &Wrote) -> Option<InboxState> {
    let mails = post.office().store.inbox_of_game(GAME).unwrap();
    mails.into_iter().find(|mail| mail.message_id == wrote.id).map(|mail| mail.state)
}

/// Each seat is told of the restore once, and each mail of the lost time comes back to who wrote it; where nothing of them
/// is kept, all are asked to send again, and then they do.
fn announced(post: &mut Post, lost: &[Wrote], what: &str) {
    for (seat, _) in post.seats.clone() {
        let told: Vec<String> =
            letters(post, &seat).into_iter().filter(|text| text.contains("was restored on")).collect();
        assert_eq!(told.len(), 1, "{what}: {seat}");
        let asked = told[0].contains("send again what you still want");
        assert_eq!(asked, matches!(post.way, Way::Lmtp(false)), "{what}: {}", told[0]);
    }
    for wrote in lost {
        if matches!(post.way, Way::Lmtp(false)) {
            assert!(!post.office().store.has_come_in(&wrote.id).unwrap(), "{what}: nothing is kept");
            post.hand_in(wrote);
        }
        post.read(wrote);
        // A mail that is asked back belongs to no game until its seat says that it means it.
        let db = Connection::open(post.office().store.path()).unwrap();
        let sql = "SELECT id FROM inbox WHERE message_id = ?1";
        let row: i64 = db.query_row(sql, [&wrote.id], |row| row.get(0)).unwrap();
        let answers = post.office().store.answers_to(row).unwrap();
        let own = answers.into_iter().filter(|mail| mail.seat.as_deref() == Some(wrote.seat.as_str()));
        let texts: Vec<String> = own.map(|mail| flat(&parsed(mail.raw))).collect();
        let back = |text: &String| ASKED_BACK.iter().any(|why| text.contains(why));
        assert!(texts.iter().any(back), "{what}: {} has no word of its mail: {texts:?}", wrote.seat);
    }
}

/// All that was written to a seat since the restore, as running text.
fn letters(post: &mut Post, seat: &str) -> Vec<String> {
    let sent = post.office().store.outbox_of_seat(GAME, seat).unwrap();
    sent.into_iter().map(|mail| flat(&parsed(mail.raw))).collect()
}

/// RESTORES=200 tries as many pairs, RESTORES_FROM=100 begins behind so many.
#[test]
fn by_folders_server_or_lmtp_no_database_is_malformed_no_order_lost_and_no_name_given_twice() {
    let number = |name: &str, usual: u64| std::env::var(name).map_or(usual, |n| n.parse().unwrap());
    let (first, last) = (number("RESTORES_FROM", 0), number("RESTORES", 6));
    let (mut killed, mut servers) = (0, None);
    for seed in first..last {
        let ruleset = ["toy-fellows", "toy-great", "toy-austerlitz"][usize::try_from(seed / 3 % 3).unwrap()];
        let way = match seed % 3 {
            0 => Way::Folders,
            1 => {
                Way::Server(Arc::clone(servers.get_or_insert_with(Servers::get)), format!("pair{}", seed / 3 % OFFICES))
            }
            _ => Way::Lmtp(seed % 2 == 0),
        };
        killed += u64::from(pair(way, ruleset, &mut Whim(900 + seed)));
    }
    println!("{killed} of {} daemons were killed in the middle of their work", last - first);
    assert!(killed * 2 >= last - first, "{killed} of {}", last - first);
}
