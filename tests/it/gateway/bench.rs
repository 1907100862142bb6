//! A throw-away post office with a clock that stands, and players who only know the mails they got.

use crate::servers::rows::Rows;
use crate::toys::{austerlitz, fellows, great};
use estafette::clock::Clock;
use estafette::games::{Entry, entry};
use estafette::gateway::{NewGame, Office};
use estafette::mail::maildir::Maildir;
use estafette::mail::read::{Limits, read};
use estafette::mail::seal::seal_of;
use estafette::mail::tag::ReplyTag;
use estafette::rules::campaigns::Campaigns;
use estafette::scenario;
use estafette::store::{Store, Tempo};
use jiff::SignedDuration;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

/// The toys, and the real game beside them.
pub static TOYS: &[Entry] =
    &[entry::<great::Gb>(), entry::<fellows::Bf>(), entry::<austerlitz::Au>(), entry::<Campaigns>()];

/// With this in its environment a run has its rows on a PostgreSQL server.
pub const ON_SERVER: &str = "ESTAFETTE_ON_SERVER";

pub const CONFIG: &str = "address = \"post@example.org\"\nreminder_hours = 0\n";
pub const START: &str = "2026-01-01T00:00:00Z";

pub struct Bench {
    pub office: Office,
    /// The server on which its rows lie, where this run wants one.
    rows: Option<Arc<Rows>>,
    pub dir: TempDir,
    seen: BTreeSet<String>,
    /// Mails that were read before: a long game's are asked for hundreds of times.
    read: RefCell<BTreeMap<Vec<u8>, Mail>>,
    sent: u32,
}

/// A mail as its reader gets it.
#[derive(Clone, PartialEq)]
pub struct Mail {
    pub to: String,
    pub subject: String,
    pub text: String,
    pub id: String,
    pub raw: Vec<u8>,
}

impl Mail {
    /// The reply tag of its subject.
    pub fn tag(&self) -> Option<ReplyTag> {
        ReplyTag::find(&self.subject)
    }

    /// Its text but for its seal, which is another one in each game and hangs on all that happened.
    pub fn unsealed(&self) -> String {
        seal_of(&self.text).map_or(self.text.clone(), |seal| self.text.replace(seal, ""))
    }

    /// The twelve characters of its tag.
    pub fn secret(&self) -> String {
        self.tag().unwrap().secret
    }
}

impl Bench {
    pub fn new() -> Bench {
        Bench::with_config(CONFIG)
    }

    pub fn with_config(config: &str) -> Bench {
        Bench::at(config, START)
    }

    /// The same whose clock stands at another time.
    pub fn at(config: &str, start: &str) -> Bench {
        let dir = tempfile::tempdir().unwrap();
        let rows = std::env::var_os(ON_SERVER).map(|_| Rows::get());
        let config = match &rows {
            Some(rows) => {
                let address = rows.fresh();
                Store::on_server(&address, true).unwrap();
                format!("store = \"{address}\"\n{config}")
            }
            None => {
                Store::create(&dir.path().join("estafette.db")).unwrap();
                config.to_owned()
            }
        };
        std::fs::write(dir.path().join("config.toml"), config).unwrap();
        let office = Office::with_clock(dir.path(), TOYS, false, Clock::from_text(start).unwrap()).unwrap();
        Bench { office, rows, dir, seen: BTreeSet::new(), read: RefCell::default(), sent: 0 }
    }

    /// The same post office after a restart.
    pub fn reopened(self) -> Bench {
        let Bench { dir, office, rows, seen, read, sent } = self;
        let clock = *{ office }.clock_mut();
        let office = Office::with_clock(dir.path(), TOYS, false, clock).unwrap();
        Bench { office, rows, dir, seen, read, sent }
    }

    /// The post office of a directory as the daemon serves it, from the beginning of time on.
    pub fn served(dir: TempDir) -> Bench {
        Bench::served_by(dir, Clock::from_text(START).unwrap())
    }

    /// The same, by a clock of one's own.
    pub fn served_by(dir: TempDir, clock: Clock) -> Bench {
        let office = Office::with_clock(dir.path(), TOYS, true, clock).unwrap();
        let sent = Maildir::open(&dir.path().join("mail")).unwrap().sent().unwrap();
        let seen = sent.into_iter().map(|raw| parsed(raw).id).collect();
        Bench { office, rows: None, dir, seen, read: RefCell::default(), sent: 1000 }
    }

    pub fn with_game(id: &str, ruleset: &str) -> Bench {
        let mut bench = Bench::new();
        bench.new_game(id, ruleset, true);
        bench.pass();
        bench
    }

    /// A post office with the game `strem-1` of the real ruleset, its opening mails sent.
    pub fn with_campaign(files: &[(String, String)]) -> Bench {
        let mut bench = Bench::new();
        bench.office.new_game(&campaign(files)).unwrap();
        bench.pass();
        bench
    }

    /// The same begun, its French seat an umpire as well beside `second@example.org`; gives the subjects of the last mails
    /// to that player as `french` and as `umpire`.
    pub fn with_playing_umpire() -> (Bench, String, String) {
        let mut bench = Bench::new();
        let umpires = "french@example.org,second@example.org".to_owned();
        bench.office.new_game(&NewGame { umpire: Some(umpires), ..campaign(&teaching()) }).unwrap();
        bench.pass();
        let subject = |seat: &str| bench.last_of("strem-1", seat).subject;
        let (french, umpire) = (subject("french"), subject("umpire"));
        bench.post("french@example.org", &french, "SIGNON\nEND");
        bench.pass();
        bench.reply("coalition", "SIGNON\nEND");
        (bench, french, umpire)
    }

    pub fn new_game(&mut self, id: &str, ruleset: &str, umpire: bool) {
        self.office.new_game(&new_game(id, ruleset, umpire)).unwrap();
    }

    /// A game whose seats have signed on; gives the mails that its beginning made.
    pub fn begun(id: &str, ruleset: &str) -> (Bench, Vec<Mail>) {
        let mut bench = Bench::with_game(id, ruleset);
        let [first, second] = seats(ruleset);
        let mut mails = bench.reply(first, "SIGNON\nNONCE Vive l'Empereur\n");
        mails.extend(bench.reply(second, "SIGNON\nNONCE Gott erhalte Franz\n"));
        (bench, mails)
    }

    /// The same by dice protocol 1, by which games of before go on.
    pub fn begun_by_one(id: &str, ruleset: &str) -> Bench {
        let mut bench = Bench::new();
        bench.office.new_game_by(&new_game(id, ruleset, true), None, 1).unwrap();
        bench.pass();
        for (seat, words) in seats(ruleset).into_iter().zip(["Vive l'Empereur", "Gott erhalte Franz"]) {
            bench.reply(seat, &format!("SIGNON\nNONCE {words}\n"));
        }
        bench
    }

    /// One pass; gives the mails that were sent in it.
    pub fn pass(&mut self) -> Vec<Mail> {
        let pass = self.office.pass().unwrap();
        let mut new = self.out();
        new.retain(|mail| self.seen.insert(mail.id.clone()));
        assert_eq!(pass.sent, new.len());
        new
    }

    /// Counts the mails that are written from here on, so that none has the name of one from before a restart.
    pub fn count_from(&mut self, sent: u32) {
        self.sent = sent;
    }

    /// Takes mails for seen.
    pub fn know(&mut self, ids: impl IntoIterator<Item = String>) {
        self.seen.extend(ids);
    }

    pub fn advance(&mut self, hours: i64) {
        self.office.clock_mut().advance(SignedDuration::from_hours(hours));
    }

    /// All mails ever sent.
    pub fn out(&self) -> Vec<Mail> {
        Maildir::open(&self.dir.path().join("mail"))
            .unwrap()
            .sent()
            .unwrap()
            .into_iter()
            .map(|raw| self.known(raw))
            .collect()
    }

    fn known(&self, raw: Vec<u8>) -> Mail {
        self.read.borrow_mut().entry(raw).or_insert_with_key(|raw| parsed(raw.clone())).clone()
    }

    /// The last mail to an address.
    pub fn last_to(&self, to: &str) -> Mail {
        self.out().into_iter().rfind(|mail| mail.to == to).unwrap()
    }

    /// Whose mail it is: game and seat; none where it belongs to no seat.
    pub fn whose(&self, mail: &Mail) -> Option<(String, String)> {
        let kept = self.office.store.outbox_by_message_id(&mail.id).unwrap()?;
        Some((kept.game?, kept.seat?))
    }

    /// Whether it is a mail of that game and seat.
    pub fn is_of(&self, mail: &Mail, game: &str, seat: &str) -> bool {
        self.whose(mail).is_some_and(|(g, s)| g == game && s == seat)
    }

    /// Whether it is a mail of that game.
    pub fn is_in(&self, mail: &Mail, game: &str) -> bool {
        self.whose(mail).is_some_and(|(g, _)| g == game)
    }

    /// The last mail to a seat of a game.
    pub fn last_of(&self, game: &str, seat: &str) -> Mail {
        self.out().into_iter().rfind(|mail| self.is_of(mail, game, seat)).unwrap()
    }

    /// Puts raw bytes into the mailbox.
    pub fn deliver(&mut self, raw: &[u8]) {
        Maildir::open(&self.dir.path().join("mail")).unwrap().deliver(raw).unwrap();
    }

    /// Puts a mail into the mailbox.
    pub fn post(&mut self, from: &str, subject: &str, body: &str) {
        self.sent += 1;
        let raw = written(from, subject, body, self.sent);
        self.deliver(raw.as_bytes());
    }

    /// As `reply`, where mails go out by a server: the subject is that of the last mail in the outbox.
    pub fn reply_by(&mut self, seat: &str, body: &str) {
        let games = self.office.store.games().unwrap();
        let mut mails = games.iter().flat_map(|game| self.office.store.outbox_of_seat(&game.id, seat).unwrap());
        let subject = format!("Re: {}", parsed(mails.next_back().unwrap().raw).subject);
        self.post(&format!("{seat}@example.org"), &subject, body);
    }

    /// Answers the last mail to an address that holds a code, with the line that it asks for, and makes a pass.
    pub fn confirm(&mut self, address: &str) -> Vec<Mail> {
        self.bring(address, "CONFIRM")
    }

    /// The same with the line that begins with these words.
    pub fn bring(&mut self, address: &str, word: &str) -> Vec<Mail> {
        let asks = |mail: &Mail| mail.to == address && mail.text.contains(&format!("{word} "));
        let mail = self.out().into_iter().rfind(asks).unwrap_or_else(|| panic!("no {word} to {address}"));
        self.post(address, &format!("Re: {}", mail.subject), &format!("{word} {}\n", code(&mail, word)));
        self.pass()
    }

    /// Answers the last mail of a seat (`french` writes from `french@example.org`) and makes a pass.
    pub fn reply(&mut self, seat: &str, body: &str) -> Vec<Mail> {
        let from = format!("{seat}@example.org");
        let tagged = self.out().into_iter().rfind(|mail| mail.to == from && mail.tag().is_some());
        let subject = format!("Re: {}", tagged.unwrap_or_else(|| self.last_to(&from)).subject);
        self.post(&from, &subject, body);
        self.pass()
    }
}

/// The text of a page of HTML, its words one blank apart.
pub fn shown(html: &str) -> String {
    let mut text = String::new();
    for (n, part) in html.split('<').enumerate() {
        // What stands before the first tag is text, and behind each tag.
        text.push(' ');
        text.push_str(if n == 0 { part } else { part.split_once('>').map_or("", |(_, text)| text) });
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The lines of a plain text that its page of HTML does not say.
pub fn unsaid(plain: &str, html: &str) -> Vec<String> {
    let shown = shown(html);
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    plain.lines().map(words).filter(|line| !shown.contains(line.as_str())).collect()
}

/// The code behind a word in a mail.
pub fn code(mail: &Mail, word: &str) -> String {
    let behind = mail.text.split(&format!("{word} ")).nth(1).unwrap_or_else(|| panic!("{mail:?}"));
    behind.split_whitespace().next().unwrap().to_owned()
}

/// A post office copied as it stands, to memory where there is such a place: nothing here outlives the machine.
pub fn copied(from: &Path) -> TempDir {
    fn whole(from: &Path, to: &Path) {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            let target = to.join(entry.file_name());
            if entry.path().is_dir() {
                whole(&entry.path(), &target);
            } else {
                std::fs::copy(entry.path(), target).unwrap();
            }
        }
    }
    let memory = Path::new("/dev/shm");
    let to = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap();
    whole(from, to.path());
    to
}

/// The seats of a toy.
pub fn seats(ruleset: &str) -> [&'static str; 2] {
    match ruleset {
        "toy-great" => ["red", "blue"],
        "toy-austerlitz" => ["french", "allies"],
        _ => ["french", "coalition"],
    }
}

pub fn new_game(id: &str, ruleset: &str, umpire: bool) -> NewGame {
    let head = format!("ruleset: {ruleset}\nid: toy\ntitle: A toy\n");
    NewGame {
        id: id.to_owned(),
        files: vec![("toy.yaml".to_owned(), head)],
        seats: seats(ruleset).map(|s| (s.to_owned(), vec![format!("{s}@example.org")])).to_vec(),
        umpire: umpire.then(|| "umpire@example.org".to_owned()),
        tempo: Tempo::Live,
        deadline_hours: Some(48),
        master: Some(std::array::from_fn(|i| u8::try_from(i).unwrap())),
    }
}

/// A game of the real ruleset between the same two seats as most toys, with an umpire.
pub fn campaign(files: &[(String, String)]) -> NewGame {
    NewGame { files: files.to_vec(), ..new_game("strem-1", "campaigns", true) }
}

/// The files of the teaching scenario.
pub fn teaching() -> Vec<(String, String)> {
    scenario::files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/campaigns/teaching.yaml")).unwrap()
}

pub fn written(from: &str, subject: &str, body: &str, n: u32) -> String {
    format!(
        "From: {from}\r\nTo: post@example.org\r\nSubject: {subject}\r\nMessage-ID: <m{n}@players.example>\r\n\
         Date: Thu, 1 Jan 2026 00:00:00 +0000\r\n\r\n{}",
        body.replace('\n', "\r\n")
    )
}

pub fn parsed(raw: Vec<u8>) -> Mail {
    let incoming = read(&raw, &Limits::default()).unwrap();
    let head = incoming.head;
    Mail { to: head.to[0].clone(), subject: head.subject, text: incoming.text, id: head.message_id, raw }
}

/// Mails to one seat.
pub fn to<'m>(mails: &'m [Mail], seat: &str) -> Vec<&'m Mail> {
    let address = format!("{seat}@example.org");
    mails.iter().filter(|mail| mail.to == address).collect()
}

impl std::fmt::Debug for Mail {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "\nTO {} SUBJECT {}\n{}", self.to, self.subject, self.text)
    }
}
