//! A year of a post office: five games of two seats and one of four, two a side with couriers between them, all with one
//! umpire, played by scripted people through the daemon's own passes, by a clock that is moved on.
//!
//! The people are late, away, gone, back from another address; their mails cross, and come in the last second; the
//! umpire is three weeks on holiday, the host is down for four days, and the clocks change twice. A few seeds run by
//! default, as many as `ESTAFETTE_YEARS` says otherwise.

use crate::gateway::bench::{CONFIG, TOYS, new_game, parsed, seats, written};
use crate::gateway::clockwork::explained;
use crate::ken;
use crate::staff;
use estafette::audit::bundle::{Asker, bundle};
use estafette::audit::verify::verify;
use estafette::clock::Clock;
use estafette::fog::SeatId;
use estafette::gateway::{NewGame, Office, table};
use estafette::mail::maildir::Maildir;
use estafette::store::{GameState, InboxState, Store, Tempo};
use estafette::terms;
use jiff::{SignedDuration, Timestamp};
use std::collections::{BTreeMap, BTreeSet};
use tempfile::TempDir;

/// Policies and calendars of the games, in turn.
const OPTIONS: [&str; 6] = [
    "zone: Europe/Paris\ndeadline: evening 20:00 least 24h\ngrace: 6h\nlate: doctrine\n",
    "zone: America/New_York\ndeadline: evening 21:00 least 20h\ndays: [Mon, Wed, Fri, Sun]\nlate: bot\n",
    "zone: Europe/Paris\ndeadline: 48h\nlate: stand-in\nabsence: {days: 60, periods: 3}\n",
    "zone: Australia/Sydney\ndeadline: evening 02:30 least 12h\nlate: umpire\n",
    "zone: Europe/Paris\ndeadline: 3 days\ngrace: 12h\nlate: wait\nstages: {question: 24h}\n",
    "zone: Europe/Paris\ndeadline: 60h\nlate: doctrine\nbrake: 2\nholidays: [2026-12-20 to 2027-01-06]\n",
];
/// When games begin: around both changes of summer time, the umpire's holiday, the outage and Christmas.
const BEGINS: [&str; 6] = ["2026-03-20", "2026-04-20", "2026-06-01", "2026-07-25", "2026-10-12", "2026-12-01"];
/// The game that has two seats a side.
const STAFFED: usize = 1;
const END: &str = "2027-03-20T00:00:00Z";

/// Numbers that look like chance, the same for the same seed.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.next().is_multiple_of(n)
    }
}

/// How somebody plays.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Steady,
    Late,
    Away,
    Gone,
    Moved,
}

struct Person {
    game: String,
    seat: String,
    address: String,
    kind: Kind,
    /// How many mails he has had.
    read: usize,
}

struct Year {
    dir: TempDir,
    office: Office,
    chance: Chance,
    people: Vec<Person>,
    written: u32,
    sent: u32,
    crossed: u32,
    /// The last mail to somebody without a seat that was answered.
    agreed: i64,
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

impl Year {
    fn new(seed: u64) -> Year {
        let memory = std::path::Path::new("/dev/shm");
        let dir = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap();
        let config = CONFIG.replace("reminder_hours = 0", "reminder_hours = 12\noperator = \"op@example.org\"");
        std::fs::write(dir.path().join("config.toml"), config).unwrap();
        Store::create(&dir.path().join("estafette.db")).unwrap();
        let clock = Clock::fixed(at("2026-03-20T00:00:00Z"));
        let office = Office::with_clock(dir.path(), TOYS, true, clock).unwrap();
        Year { dir, office, chance: Chance(seed), people: Vec::new(), written: 0, sent: 0, crossed: 0, agreed: 0 }
    }

    fn now(&mut self) -> Timestamp {
        self.office.clock_mut().now()
    }

    /// A game begins: a toy, on the terms whose turn it is.
    fn begin(&mut self, n: usize) {
        let ruleset = ["toy-fellows", "toy-great", "toy-austerlitz"][n % 3];
        let id = format!("year-{n}");
        let mut game = new_game(&id, ruleset, true);
        let name = |seat: &str| format!("{seat}{n}@example.org");
        let mut names: Vec<&str> = seats(ruleset).to_vec();
        if n == STAFFED {
            // Side by side, or each for himself with orders that travel.
            let own = ken::apart("sight: 3\ncommander_orders: travel\n");
            let file = if self.chance.one_in(2) { staff::with_couriers() } else { own };
            game.files = staff::staffed(&file).files;
            names = staff::SEATS.to_vec();
        }
        game.seats = names.iter().map(|seat| ((*seat).to_owned(), vec![name(seat)])).collect();
        let mut secret = [u8::try_from(n).unwrap(); 32];
        secret[..8].copy_from_slice(&self.chance.next().to_be_bytes());
        let tempo = if self.chance.one_in(2) { Tempo::Live } else { Tempo::Sealed };
        let game = NewGame { master: Some(secret), tempo, ..game };
        let terms = terms::read("game.yaml", OPTIONS[n]).unwrap();
        self.office.new_game_on(&game, Some(&terms)).unwrap();
        for seat in names {
            let kinds = [Kind::Steady, Kind::Steady, Kind::Late, Kind::Away, Kind::Gone, Kind::Moved];
            let kind = kinds[usize::try_from(self.chance.next() % 6).unwrap()];
            let (game, seat) = (id.clone(), seat.to_owned());
            self.people.push(Person { address: name(&seat), game, seat, kind, read: 0 });
        }
    }

    /// Mails to an address, as raw bytes, from the folder they were put into.
    fn inbox_of(&self, game: &str, seat: &str) -> Vec<Vec<u8>> {
        let all = self.office.store.outbox_of_seat(game, seat).unwrap();
        all.into_iter().filter(|mail| mail.sent.is_some()).map(|mail| mail.raw).collect()
    }

    fn post(&mut self, from: &str, subject: &str, body: &str) {
        self.written += 1;
        let raw = written(from, &format!("Re: {subject}"), body, self.written);
        Maildir::open(&self.dir.path().join("mail")).unwrap().deliver(raw.as_bytes()).unwrap();
        self.sent += 1;
    }

    fn is_on(&self, game: &str) -> bool {
        let state = self.office.store.game(game).unwrap().unwrap().state;
        matches!(state, GameState::Forming | GameState::Playing)
    }

    /// What somebody would write now: from his view alone, by the program's own player.
    fn orders(&mut self, who: usize) -> Option<String> {
        let Person { game, seat, .. } = &self.people[who];
        let row = self.office.store.game(game).unwrap().unwrap();
        if row.state == GameState::Forming {
            return Some(format!("SIGNON\nNONCE canary-{game}-{seat}\n"));
        }
        let owes = self.office.store.dues(game).unwrap().iter().any(|due| due.seat == *seat);
        if row.state != GameState::Playing || !owes {
            return None;
        }
        let opened = table::open(TOYS, &self.office.store, &row).unwrap();
        let noise = u64::from(self.written);
        let lines = opened.bot(&SeatId(seat.clone()), noise).into_parts().1.join("\n");
        let others = staff::SEATS.iter().filter(|other| **other != seat.as_str());
        let to = others.into_iter().find(|other| opened.by_courier(&seat.as_str().into(), &(**other).into()));
        Some(match to {
            Some(to) => format!("DISPATCH TO {to}\nfrom {seat}, {noise}\nEND DISPATCH\n{lines}"),
            None => lines,
        })
    }

    /// Somebody looks at his mail, and does what is like him.
    fn acts(&mut self, who: usize) {
        let (game, seat) = (self.people[who].game.clone(), self.people[who].seat.clone());
        if !self.is_on(&game) {
            return;
        }
        let mails = self.inbox_of(&game, &seat);
        if mails.len() == self.people[who].read && !self.chance.one_in(6) {
            return;
        }
        self.people[who].read = mails.len();
        let Some(last) = mails.last().map(|raw| parsed(raw.clone())) else { return };
        // He reads what comes to where he is; a stand-in reads for him.
        let Some(mut body) = self.orders(who) else { return };
        let kind = self.people[who].kind;
        let from = match kind {
            Kind::Gone if self.chance.one_in(3) => return,
            Kind::Gone if last.text.contains("turn 2") || mails.len() > 4 => return,
            Kind::Late if !self.chance.one_in(4) => return,
            Kind::Moved if self.chance.one_in(3) => format!("new-{}", self.people[who].address),
            _ => last.to.clone(),
        };
        if kind == Kind::Away && self.chance.one_in(5) {
            let day = self.now().strftime("%Y-%m-%d").to_string();
            let standing =
                if self.chance.one_in(2) { format!(" STANDIN stand-{game}-{seat}@example.org") } else { String::new() };
            body = format!("ABSENT {day} {}{standing}\n{body}", later(&day, 6));
        }
        if kind == Kind::Away && self.chance.one_in(7) {
            body = format!("STANDIN stand-{game}-{seat}@example.org\n{body}");
        }
        // The old mail is answered, and a second answer crosses it.
        if mails.len() > 1 && self.chance.one_in(8) {
            let old = parsed(mails[mails.len() - 2].clone());
            if old.to == last.to {
                self.post(&from, &old.subject, "HISTORY\n");
                self.crossed += 1;
            }
        }
        self.post(&from, &last.subject, &body);
    }

    /// The umpire reads his mail, but not in his holiday.
    fn umpire(&mut self) {
        let now = self.now();
        if (at("2026-08-01T00:00:00Z")..at("2026-08-22T00:00:00Z")).contains(&now) {
            return;
        }
        for game in self.office.store.games().unwrap() {
            if !self.is_on(&game.id) {
                continue;
            }
            let mails: Vec<_> = self.inbox_of(&game.id, "umpire").into_iter().map(parsed).collect();
            let Some(last) = mails.last().cloned() else { continue };
            if let Some(line) = last.text.lines().find(|line| line.trim().starts_with("CONFIRM ")) {
                let line = line.trim().to_owned();
                self.post("umpire@example.org", &last.subject, &line);
                continue;
            }
            // What he has been asked since he last wrote.
            let new = mails.iter().rev().take_while(|mail| !mail.subject.contains("commands answered"));
            if new.into_iter().any(|mail| mail.subject.contains("play stops")) {
                // He gives time once in a game, and then lets it go on.
                let gave = !self.office.store.log_of_kind(&game.id, "post.extend", 1).unwrap().is_empty();
                let body = if gave { "PROCEED ALL" } else { "EXTEND all 24" };
                self.post("umpire@example.org", &last.subject, body);
            } else if last.subject.contains("is silent") && self.chance.one_in(3) {
                let seat = self
                    .people
                    .iter()
                    .position(|p| p.game == game.id && last.text.contains(&format!("{} has let", p.seat)));
                let Some(who) = seat else { continue };
                let address = format!("heir{}-{}", self.written, self.people[who].address);
                let body = format!("REPLACE {} {address}", self.people[who].seat);
                self.post("umpire@example.org", &last.subject, &body);
                self.people[who].address = address;
                self.people[who].kind = Kind::Steady;
            }
        }
    }

    fn run(&mut self) {
        let mut games = 0;
        let mut down = false;
        while self.now() < at(END) {
            let now = self.now();
            while games < BEGINS.len() && now >= at(&format!("{}T00:00:00Z", BEGINS[games])) {
                self.begin(games);
                games += 1;
            }
            // The host is down for four days, and comes up again.
            if !down && now >= at("2026-07-28T00:00:00Z") {
                down = true;
                let mut clock = *self.office.clock_mut();
                clock.advance(SignedDuration::from_hours(96));
                self.reopen(clock);
            }
            self.office.pass().unwrap();
            for who in 0..self.people.len() {
                self.acts(who);
            }
            self.confirm();
            self.agree();
            self.umpire();
            self.office.pass().unwrap();
            self.step();
        }
    }

    fn reopen(&mut self, clock: Clock) {
        let other = tempfile::tempdir().unwrap();
        Store::create(&other.path().join("estafette.db")).unwrap();
        std::fs::write(other.path().join("config.toml"), CONFIG).unwrap();
        // The lock goes with the office that held it.
        self.office = Office::with_clock(other.path(), TOYS, false, clock).unwrap();
        self.office = Office::with_clock(self.dir.path(), TOYS, true, clock).unwrap();
    }

    /// Mails from other addresses are held until the seat says that they are its own.
    fn confirm(&mut self) {
        for who in 0..self.people.len() {
            let (game, seat) = (self.people[who].game.clone(), self.people[who].seat.clone());
            if !self.is_on(&game) {
                continue;
            }
            let Some(last) = self.inbox_of(&game, &seat).pop().map(parsed) else { continue };
            if let Some(line) = last.text.lines().find(|line| line.trim().starts_with("CONFIRM ")) {
                let line = line.trim().to_owned();
                self.post(&last.to, &last.subject, &line);
            }
        }
    }

    /// Who is asked to take part, and belongs to no seat yet, says yes.
    fn agree(&mut self) {
        let db = rusqlite::Connection::open(self.dir.path().join("estafette.db")).unwrap();
        let mut asked = db.prepare("SELECT id FROM outbox WHERE game IS NULL AND id > ?1 ORDER BY id").unwrap();
        let found: Vec<i64> = asked.query_map([self.agreed], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        for id in found {
            self.agreed = id;
            let mail = parsed(self.office.store.outbox(id).unwrap().unwrap().raw);
            if let Some(line) = mail.text.lines().find(|line| line.trim().starts_with("CONFIRM ")) {
                self.post(&mail.to, &mail.subject, line.trim());
            }
        }
    }

    /// Goes on by hours, or to the very second of the next deadline.
    fn step(&mut self) {
        let now = self.now();
        let hours = match games_on(&self.office.store) {
            // Less than what the house takes for an outage: else no deadline would ever come.
            true => 1 + i64::try_from(self.chance.next() % 6).unwrap(),
            false => 24,
        };
        let to = now.checked_add(SignedDuration::from_hours(hours)).unwrap();
        let games = self.office.store.games().unwrap();
        let dues = games.iter().flat_map(|game| self.office.store.dues(&game.id).unwrap());
        let next = dues.filter_map(|due| due.due_at).map(|due| at(&due)).filter(|due| *due > now).min();
        let to = next.filter(|next| *next < to).unwrap_or(to);
        self.office.clock_mut().advance(to.duration_since(now));
    }

    /// Everything that a year must show, of every game.
    fn check(&self) -> BTreeMap<&'static str, usize> {
        let mut found = BTreeMap::new();
        let store = &self.office.store;
        assert!(store.new_mails(9).unwrap().is_empty(), "a mail was left unread");
        let mut ids = BTreeSet::new();
        for game in store.games().unwrap() {
            let id = &game.id;
            store.verify_log(id).unwrap();
            explained(store, id);
            let stands = store.note(id, "asked").unwrap().is_some()
                || store.dues(id).unwrap().iter().any(|d| d.due_at.is_some());
            assert!(game.state == GameState::Over || stands, "{id} neither ended nor waits: {game:?}");
            assert_ne!(game.state, GameState::Corrupt, "{id}");
            *found.entry(if game.state == GameState::Over { "over" } else { "standing" }).or_insert(0) += 1;
            for mail in store.inbox_of_game(id).unwrap() {
                assert!(mail.state == InboxState::Done || mail.reason.is_some(), "{id}: mail {}", mail.id);
                *found.entry("mails in").or_insert(0) += 1;
            }
            // No mail was carried out twice.
            for entry in store.log_of_kind(id, "input", 1).unwrap() {
                let body: serde_json::Value = serde_json::from_str(&entry.body).unwrap();
                if body["kind"] == "orders" {
                    assert!(ids.insert(format!("{id} {} {}", body["seat"], body["mail"])), "{id}: {body} twice");
                }
                *found.entry("inputs").or_insert(0) += 1;
            }
            for entry in store.log_of_kind(id, "event", 1).unwrap() {
                for (kind, word) in [("couriers", "\"kind\":\"sent\""), ("couriers in", "\"kind\":\"arrived\"")] {
                    let is = entry.body.contains("\"chapter\":\"courier\"") && entry.body.contains(word);
                    *found.entry(kind).or_insert(0) += usize::from(is);
                }
            }
            for kind in ["extend", "outage", "asked", "house", "stand-in", "replace", "absent", "proceed", "due"] {
                *found.entry(kind).or_insert(0) += store.log_of_kind(id, &format!("post.{kind}"), 1).unwrap().len();
            }
            self.leaks(id, game.state);
            if game.state == GameState::Over {
                let hosted = table::open(TOYS, store, &game).unwrap();
                let lines = bundle(store, &game, hosted.as_ref(), &Asker::All).unwrap();
                let faults = verify(&lines, TOYS).faults;
                assert!(faults.is_empty(), "{id}: {faults:?}");
            }
        }
        found
    }

    /// No mail goes to somebody who has no hand in its seat, and no nonce stands in another seat's mail before the end.
    fn leaks(&self, game: &str, state: GameState) {
        let store = &self.office.store;
        for seat in store.seats(game).unwrap() {
            for mail in store.outbox_of_seat(game, &seat.seat).unwrap() {
                let own = mail.recipient.contains(seat.seat.trim_end_matches(char::is_numeric));
                assert!(own, "{game}/{}: a mail went to {}", seat.seat, mail.recipient);
                let text = String::from_utf8_lossy(&mail.raw).into_owned();
                let foreign = store.seats(game).unwrap().into_iter().filter(|other| other.seat != seat.seat);
                for other in foreign.filter(|_| state != GameState::Over) {
                    assert!(!text.contains(&format!("canary-{game}-{}", other.seat)), "{game}/{}: {text}", seat.seat);
                }
            }
        }
    }
}

fn games_on(store: &Store) -> bool {
    store.games().unwrap().iter().any(|game| matches!(game.state, GameState::Forming | GameState::Playing))
}

fn later(day: &str, days: i32) -> String {
    let day: jiff::civil::Date = day.parse().unwrap();
    day.checked_add(jiff::Span::new().days(days)).unwrap().to_string()
}

#[test]
fn a_year_of_late_absent_vanished_and_returning_people_ends_without_one_edit_by_hand() {
    let seeds = std::env::var("ESTAFETTE_YEARS").ok().and_then(|n| n.parse().ok()).unwrap_or(5);
    let mut all: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..seeds {
        let mut year = Year::new(seed);
        year.run();
        for (what, count) in year.check() {
            *all.entry(what).or_insert(0) += count;
        }
        *all.entry("crossed").or_insert(0) += usize::try_from(year.crossed).unwrap();
    }
    // What the year is to show must have happened.
    for wanted in [
        "over",
        "extend",
        "outage",
        "replace",
        "crossed",
        "stand-in",
        "absent",
        "asked",
        "house",
        "couriers",
        "couriers in",
    ] {
        assert!(all.get(wanted).is_some_and(|count| *count > 0), "{wanted} never happened: {all:?}");
    }
    assert!(all["over"] >= usize::try_from(seeds).unwrap() * 5, "{all:?}");
    if seeds > 5 {
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), "{seeds} years: {all:?}");
    }
}
