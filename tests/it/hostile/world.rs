//! A post office with games of both rulesets, each with seats that are played honestly and seats in hostile hands.

use super::strict::{self, Letter};
use super::words::Known;
use crate::staff::with_couriers;
use estafette::clock::Clock;
use estafette::fog::SeatId;
use estafette::games::GAMES;
use estafette::gateway::{NewGame, Office, table};
use estafette::mail::maildir::Maildir;
use estafette::store::{GameState, Store, Tempo};
use estafette::{scenario, terms};
use jiff::SignedDuration;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use tempfile::TempDir;

const CONFIG: &str = "address = \"post@example.org\"\noperator = \"operator@office.example\"\nreminder_hours = 0\n";
const START: &str = "2026-01-01T00:00:00Z";
pub const OPERATOR: &str = "operator@office.example";
pub const WATCHER: &str = "watch@watch.example";

/// How a game is made, and who of it is hostile.
struct Kind {
    name: &'static str,
    ruleset: &'static str,
    file: &'static str,
    tempo: Tempo,
    options: &'static str,
    honest: &'static [&'static str],
    hostile: &'static [&'static str],
    /// Whether it has an umpire, and is he hostile.
    umpire: Option<bool>,
    couriers: bool,
}

const KINDS: &[Kind] = &[
    Kind {
        name: "strem-1",
        ruleset: "campaigns",
        file: "teaching.yaml",
        tempo: Tempo::Live,
        options: "",
        honest: &["coalition"],
        hostile: &["french"],
        umpire: Some(true),
        couriers: false,
    },
    Kind {
        name: "strem-2",
        ruleset: "campaigns",
        file: "teaching.yaml",
        tempo: Tempo::Sealed,
        options: "open: true\nobservers: public\n",
        honest: &["french"],
        hostile: &["coalition"],
        umpire: Some(false),
        couriers: false,
    },
    Kind {
        name: "staff-1",
        ruleset: "campaigns",
        file: "teaching.yaml",
        tempo: Tempo::Live,
        options: "",
        honest: &["napoleon", "bagration"],
        hostile: &["lannes", "kutuzov"],
        umpire: Some(true),
        couriers: true,
    },
    Kind {
        name: "fog-1",
        ruleset: "austerlitz1805",
        file: "fog-teaching.yaml",
        tempo: Tempo::Live,
        options: "",
        honest: &["french"],
        hostile: &["allied"],
        umpire: None,
        couriers: false,
    },
    Kind {
        name: "sun-1",
        ruleset: "austerlitz1805",
        file: "teaching.yaml",
        tempo: Tempo::Live,
        options: "open: true\nobservers: all after 14 days\n",
        honest: &["allied"],
        hostile: &["french"],
        umpire: Some(false),
        couriers: false,
    },
    Kind {
        name: "form-1",
        ruleset: "campaigns",
        file: "teaching.yaml",
        tempo: Tempo::Live,
        options: "open: true\nobservers: public\n",
        honest: &["french"],
        hostile: &[],
        umpire: None,
        couriers: false,
    },
];

/// One game on the table.
pub struct Board {
    pub id: String,
    pub ruleset: &'static str,
    pub honest: &'static [&'static str],
    pub hostile: &'static [&'static str],
    pub umpire: Option<bool>,
    pub known: Known,
    kind: usize,
}

impl Board {
    pub fn seats(&self) -> impl Iterator<Item = &'static str> {
        self.honest.iter().chain(self.hostile).copied()
    }

    /// The address of one of its seats, as its game was made.
    pub fn address(&self, seat: &str) -> String {
        let honest = self.honest.contains(&seat) || (seat == "umpire" && self.umpire == Some(false));
        format!("{seat}.{}@{}.example", self.id, if honest { "honest" } else { "hostile" })
    }
}

pub struct World {
    pub dir: TempDir,
    office: Option<Office>,
    pub boards: Vec<Board>,
    /// The subject of the last letter to each seat, by game and seat.
    pub subjects: BTreeMap<(String, String), String>,
    pub sent: u32,
    made: u32,
}

/// What one pass gave: the letters, and the faults of their form.
#[derive(Debug, Default)]
pub struct Passed {
    pub letters: Vec<Letter>,
    pub faults: Vec<String>,
}

impl World {
    /// All games begun, all tags known; in memory, where the machine has such a place.
    pub fn furnished() -> World {
        let memory = Path::new("/dev/shm");
        let dir = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap();
        std::fs::write(dir.path().join("config.toml"), CONFIG).unwrap();
        Store::create(&dir.path().join("estafette.db")).unwrap();
        let office = Office::with_clock(dir.path(), GAMES, false, Clock::from_text(START).unwrap()).unwrap();
        let mut world =
            World { dir, office: Some(office), boards: Vec::new(), subjects: BTreeMap::new(), sent: 0, made: 0 };
        for kind in 0..KINDS.len() {
            let board = world.begun(kind);
            world.boards.push(board);
        }
        for at in 0..world.boards.len() {
            world.watched(at);
            world.learn(at);
        }
        world
    }

    /// Somebody looks on, where one may.
    fn watched(&mut self, at: usize) {
        if KINDS[self.boards[at].kind].options.contains("observers") {
            self.asks(WATCHER, &format!("OBSERVE {}\n", self.boards[at].id));
        }
    }

    pub fn office(&mut self) -> &mut Office {
        self.office.as_mut().unwrap()
    }

    pub fn store(&self) -> &Store {
        &self.office.as_ref().unwrap().store
    }

    /// The office put away and opened again.
    pub fn reopen(&mut self) {
        let mut office = self.office.take().unwrap();
        let clock = *office.clock_mut();
        drop(office);
        self.office = Some(Office::with_clock(self.dir.path(), GAMES, false, clock).unwrap());
    }

    /// The office opened again after another process served.
    pub fn reopen_from_disk(&mut self) {
        let office = Office::with_clock(self.dir.path(), GAMES, false, Clock::from_text(START).unwrap());
        self.office = Some(office.unwrap());
    }

    /// The office put away, so that another process may serve.
    pub fn closed(&mut self) {
        self.office = None;
    }

    pub fn advance(&mut self, hours: i64) {
        self.office().clock_mut().advance(SignedDuration::from_hours(hours));
    }

    /// A new game of a kind, its seats signed on.
    fn begun(&mut self, kind: usize) -> Board {
        let Kind { name, ruleset, file, tempo, options, honest, hostile, umpire, couriers } = KINDS[kind];
        let taken = self.store().game(name).unwrap().is_some();
        self.made += 1;
        let id = if taken { format!("{name}-{}", self.made) } else { name.to_owned() };
        let known = Known::default();
        let board = Board { id: id.clone(), ruleset, honest, hostile, umpire, known, kind };
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(ruleset);
        let mut files = scenario::files(&root.join(file)).unwrap();
        if couriers {
            files = scenario::with_file(files, "staff.yaml", with_couriers());
        }
        let mut master = [7; 32];
        master[..4].copy_from_slice(&self.made.to_be_bytes());
        let new = NewGame {
            id,
            files,
            seats: board.seats().map(|seat| (seat.to_owned(), vec![board.address(seat)])).collect(),
            umpire: umpire.map(|_| board.address("umpire")),
            tempo,
            deadline_hours: None,
            master: Some(master),
        };
        let terms = (!options.is_empty()).then(|| terms::read("game.yaml", options).unwrap());
        self.office().new_game_on(&new, terms.as_ref()).unwrap();
        self.pass().unwrap();
        for seat in board.seats() {
            self.says(&board, seat, "SIGNON\nNONCE the sun of Austerlitz\n");
        }
        self.pass().unwrap();
        board
    }

    /// The game of a board is over or harmed: a new one of its kind takes its place.
    pub fn renew(&mut self, at: usize) {
        let board = self.begun(self.boards[at].kind);
        self.boards[at] = board;
        // Who asks often is not heard before the next day.
        self.advance(24);
        self.watched(at);
        self.learn(at);
    }

    pub fn state(&self, at: usize) -> GameState {
        self.store().game(&self.boards[at].id).unwrap().unwrap().state
    }

    /// What the writers of a game's mails learn: its names, and lines that bind now. Gives what a seat on move would write.
    pub fn learn(&mut self, at: usize) -> Option<(String, String)> {
        let board = &self.boards[at];
        let row = self.store().game(&board.id).unwrap().unwrap();
        let mut known = Known::default();
        known.names.extend(self.boards.iter().map(|board| board.id.clone()));
        known.names.extend(board.seats().map(str::to_owned));
        known.addresses.extend(board.seats().map(|seat| board.address(seat)));
        known.addresses.extend([WATCHER, "thief@evil.example", "thief@evil.example"].map(str::to_owned));
        let mut plays = None;
        if row.state == GameState::Playing
            && let Ok(game) = table::open(GAMES, self.store(), &row)
        {
            for seat in board.seats() {
                let (_, lines) = game.examples(&SeatId::from(seat)).into_parts();
                let lines = lines.into_iter().filter(|line| line.starts_with("  "));
                known.examples.extend(lines.map(|line| line.trim().to_owned()).take(60));
            }
            let words = known.examples.iter().flat_map(|line| line.split(' ')).map(str::to_owned);
            known.names.extend(words.take(200).collect::<Vec<_>>());
            plays = game.dues().first().map(|due| {
                let lines = game.bot(&due.seat, 3).into_parts().1;
                (due.seat.0.clone(), lines.join("\n"))
            });
        }
        self.boards[at].known = known;
        plays
    }

    /// Puts raw bytes into the mailbox.
    pub fn deliver(&mut self, raw: &[u8]) {
        Maildir::open(&self.dir.path().join("mail")).unwrap().deliver(raw).unwrap();
    }

    /// An honest mail of a seat, delivered; gives its id.
    pub fn says(&mut self, board: &Board, seat: &str, body: &str) -> String {
        let subject = self.subject(&board.id, seat);
        self.writes(&board.address(seat), &subject, body)
    }

    /// The same, for a game on the table.
    pub fn mail_of(&mut self, at: usize, seat: &str, body: &str) -> String {
        let (subject, from) = (self.subject(&self.boards[at].id, seat), self.boards[at].address(seat));
        self.writes(&from, &subject, body)
    }

    pub fn subject(&self, game: &str, seat: &str) -> String {
        let last = self.subjects.get(&(game.to_owned(), seat.to_owned()));
        last.map_or_else(|| "orders".to_owned(), |subject| format!("Re: {subject}"))
    }

    fn writes(&mut self, from: &str, subject: &str, body: &str) -> String {
        self.sent += 1;
        let id = format!("<own-{}@players.example>", self.sent);
        let raw = format!(
            "From: {from}\r\nTo: post@example.org\r\nSubject: {subject}\r\nMessage-ID: {id}\r\n\
             Date: Thu, 1 Jan 2026 00:00:00 +0000\r\n\r\n{}",
            body.replace('\n', "\r\n")
        );
        self.deliver(raw.as_bytes());
        id
    }

    /// Somebody without a seat asks, and confirms what he is asked to.
    fn asks(&mut self, from: &str, body: &str) {
        self.writes(from, "games", body);
        for _ in 0..2 {
            let passed = self.pass().unwrap();
            for letter in passed.letters.iter().filter(|letter| letter.to == from) {
                let Some(code) = letter.text.split("CONFIRM ").nth(1).and_then(|rest| rest.split_whitespace().next())
                else {
                    continue;
                };
                self.writes(from, &format!("Re: {}", letter.subject), &format!("CONFIRM {code}\n"));
            }
        }
    }

    /// One pass, and what was sent in it; the letters are then put away as a reader of mail would.
    pub fn pass(&mut self) -> Result<Passed, String> {
        let office = self.office.as_mut().unwrap();
        let done = catch_unwind(AssertUnwindSafe(|| office.pass()));
        let passed = self.collect();
        match done {
            Ok(Ok(_)) => Ok(passed),
            Ok(Err(error)) => Err(format!("a pass fails: {error}")),
            Err(_) => Err("a pass ends in a panic".to_owned()),
        }
    }

    pub fn collect(&mut self) -> Passed {
        let (new, cur) = (self.dir.path().join("mail/out/new"), self.dir.path().join("mail/out/cur"));
        let mut names: Vec<_> = std::fs::read_dir(&new).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        let mut passed = Passed::default();
        for name in names {
            let raw = std::fs::read(new.join(&name)).unwrap();
            std::fs::rename(new.join(&name), cur.join(&name)).unwrap();
            let (letter, faults) = strict::letter(&raw);
            passed.faults.extend(faults);
            let Some(letter) = letter else { continue };
            if let Some(tag) = letter.whose(self.store()) {
                self.subjects.insert(tag, letter.subject.clone());
            }
            passed.letters.push(letter);
        }
        passed
    }

    /// What counts of the office's state, in words that do not hang on when it was opened.
    pub fn fingerprint(&self) -> Vec<String> {
        let store = self.store();
        let mut found = Vec::new();
        for game in store.games().unwrap() {
            found.push(format!("{} {:?} {}", game.id, game.state, game.held));
            let log = store.log(&game.id, 1).unwrap();
            let log = log.into_iter().filter(|entry| !entry.kind.starts_with("post."));
            found.extend(log.map(|entry| format!("{} {} {}", game.id, entry.kind, entry.body)));
            let seats = store.seats(&game.id).unwrap();
            found.extend(
                seats
                    .into_iter()
                    .map(|seat| format!("{} {:?}", seat.seat, (seat.addresses, seat.format, seat.mails_sent))),
            );
            found.extend(store.dues(&game.id).unwrap().into_iter().map(|due| format!("{due:?}")));
        }
        found
    }
}
