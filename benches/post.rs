//! Speeds, as ratios and medians measured in one run: `cargo bench`.
//!
//! Each comparison runs its two sides in turn, A B A B, so that it holds on a noisy machine; the median is printed.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use estafette::clock::Clock;
use estafette::demo::{self, Player, Troupe};
use estafette::dice;
use estafette::games;
use estafette::gateway::{NewGame, Office};
use estafette::mail::maildir::Maildir;
use estafette::mail::read::{Limits, read};
use estafette::store::{Store, Tempo};
use estafette::{scenario, simulate};
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

fn files(name: &str) -> Vec<(String, String)> {
    scenario::files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/campaigns").join(name)).unwrap()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// One six-sided die by the protocol.
fn roll() {
    let (seed, salt) = ([7; 32], [9; 32]);
    let batch = |from: u32| {
        timed(|| (from..from + 1000).for_each(|n| drop(black_box(dice::roll(&seed, &salt, "bench", n, 1, 6)))))
    };
    let one = median((0..50).map(|n| batch(n * 1000)).collect()) / 1000;
    println!("a roll                                   {one:?} (aim: under 2 µs)");
}

/// A whole turn of Moravia, both player-turns with all letters, as the house's own players write it.
fn turn() {
    let entry = games::find(games::GAMES, "campaigns").unwrap();
    let files = files("1805-moravia.yaml");
    let mut times = Vec::new();
    for number in 1..=3 {
        let mut game = simulate::open(entry, &files, number).unwrap();
        let mut spent: Vec<(u32, Duration)> = Vec::new();
        let mut input = estafette::host::Input::Begin;
        for mail in 1..60 {
            let slot = game.slot();
            let mut batch = None;
            let time = timed(|| batch = Some(game.take(input.clone()).unwrap()));
            spent.push((slot, time));
            let batch = batch.unwrap();
            let Some(due) = batch.dues.first().filter(|_| !batch.over) else { break };
            input = simulate::mail_of(game.as_ref(), &due.seat, number, mail);
        }
        for turn in 1..=4 {
            times.push(spent.iter().filter(|(slot, _)| *slot == turn).map(|(_, t)| *t).sum());
        }
    }
    println!("a campaign turn of Moravia, all reports  {:?} (aim: under 20 ms)", median(times));
}

/// A post office with some games of the teaching scenario, the first of them begun and on move.
struct Post {
    dir: tempfile::TempDir,
    office: Office,
    tag: String,
    mails: u32,
}

fn post(games: u32) -> Post {
    let dir = tempfile::tempdir().unwrap();
    demo::furnish(dir.path(), "post@estafette.example").unwrap();
    let clock = Clock::from_text("2026-01-01T00:00:00Z").unwrap();
    let mut office = Office::with_clock(dir.path(), games::GAMES, true, clock).unwrap();
    let files = files("teaching.yaml");
    for n in 0..games {
        let seats = [("french", "ney"), ("coalition", "weyrother")];
        let new = NewGame {
            id: format!("bench-{n}"),
            files: files.clone(),
            seats: seats.iter().map(|(s, a)| ((*s).to_owned(), vec![format!("{a}@example.org")])).collect(),
            umpire: None,
            tempo: Tempo::Live,
            deadline_hours: Some(48),
            master: Some([3; 32]),
        };
        office.new_game(&new).unwrap();
    }
    let players = vec![
        Player::new("french", "ney@example.org", Vec::new()),
        Player::new("coalition", "weyrother@example.org", Vec::new()),
    ];
    let mut tag = String::new();
    let mut troupe = Troupe::new(&mut office, "bench-0", players).unwrap();
    troupe
        .play(4, &mut |mail| {
            if mail.to == "ney@example.org" && mail.subject.contains("bench-0/") {
                tag.clone_from(&mail.subject);
            }
            Ok(())
        })
        .unwrap();
    drop(troupe);
    Post { dir, office, tag, mails: 0 }
}

impl Post {
    /// One order mail in, its reply committed and sent; the time of the pass.
    fn order(&mut self) -> Duration {
        self.mails += 1;
        let raw = format!(
            "From: <ney@example.org>\r\nTo: <post@estafette.example>\r\nSubject: Re: {}\r\nMessage-ID: <b{}@example.org>\r\n\r\n\
             FORCE ALL HOLD\r\n",
            self.tag, self.mails
        );
        Maildir::open(&self.dir.path().join("mail")).unwrap().deliver(raw.as_bytes()).unwrap();
        let office = &mut self.office;
        let time = timed(|| {
            black_box(office.pass().unwrap());
        });
        // The next mail answers the newest letter, as a person's would.
        if let Some(subject) = Maildir::open(&self.dir.path().join("mail"))
            .unwrap()
            .sent()
            .unwrap()
            .iter()
            .rev()
            .filter_map(|raw| read(raw, &Limits::default()).ok())
            .map(|mail| mail.head.subject)
            .find(|subject| subject.contains("bench-0/french"))
        {
            self.tag = subject;
        }
        time
    }
}

/// An order mail against a bare durable commit of as many bytes.
fn mail() {
    let mut post = post(1);
    let bare_dir = tempfile::tempdir().unwrap();
    let bare = Store::create(&bare_dir.path().join("bare.db")).unwrap();
    let bytes = vec![b'x'; 6000];
    let mut ratios = Vec::new();
    let (mut whole, mut commits) = (Vec::new(), Vec::new());
    for _ in 0..30 {
        let a = post.order();
        let b = timed(|| {
            bare.act(|act| act.set_mark("bench", &String::from_utf8_lossy(&bytes))).unwrap();
        });
        ratios.push(a.as_nanos() * 100 / b.as_nanos().max(1));
        whole.push(a);
        commits.push(b);
    }
    ratios.sort_unstable();
    let ratio = ratios[ratios.len() / 2];
    println!(
        "an order mail, in to reply sent          {:?}, {}.{:02} times a bare durable commit of {:?} (aim: under 3)",
        median(whole),
        ratio / 100,
        ratio % 100,
        median(commits)
    );
}

/// A mail in a post office of one game, and of many.
fn many() {
    let count = std::env::var("BENCH_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000);
    let (mut one, mut full) = (post(1), post(count));
    let mut ratios = Vec::new();
    for _ in 0..30 {
        let (a, b) = (full.order(), one.order());
        ratios.push(a.as_nanos() * 100 / b.as_nanos().max(1));
    }
    ratios.sort_unstable();
    let ratio = ratios[ratios.len() / 2];
    println!(
        "a mail among {count} games, against one      {}.{:02} times (aim: 1.00, within 0.10)",
        ratio / 100,
        ratio % 100
    );
}

fn main() {
    roll();
    turn();
    mail();
    many();
}
