//! Speeds, as ratios and times measured in one run: `cargo bench`, or `cargo bench -- turn` for one of them.
//!
//! Each comparison runs its two sides in turn, A B A B, so that it holds on a noisy machine; the median is printed, and
//! beside it the least, which is what the work costs when nothing else runs.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use estafette::clock::Clock;
use estafette::demo::{self, Player, Troupe};
use estafette::dice;
use estafette::fog::{Viewer, see};
use estafette::games;
use estafette::gateway::{NewGame, Office};
use estafette::host::paper::Format;
use estafette::host::{Game, Input};
use estafette::mail::maildir::Maildir;
use estafette::mail::raster;
use estafette::mail::read::{Limits, read};
use estafette::orders;
use estafette::rules::Ruleset;
use estafette::rules::austerlitz1805::Austerlitz;
use estafette::rules::campaigns::Campaigns;
use estafette::rules::campaigns::board::Halves;
use estafette::rules::campaigns::combat::battle::Marker;
use estafette::rules::campaigns::combat::forecast::{self, Force, Meeting};
use estafette::rules::campaigns::load;
use estafette::rules::campaigns::tables::Conditions;
use estafette::rules::rehearsal::Plan;
use estafette::store::{Store, Tempo};
use estafette::{scenario, simulate};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

// In a folder, since each file beside this one would be a bench of its own.
#[path = "post/cost.rs"]
mod cost;
#[path = "post/long.rs"]
mod long;
#[path = "post/njudge.rs"]
mod njudge;

fn files(name: &str) -> Vec<(String, String)> {
    files_of("campaigns", name)
}

fn files_of(ruleset: &str, name: &str) -> Vec<(String, String)> {
    scenario::files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(ruleset).join(name)).unwrap()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn least(times: &[Duration]) -> Duration {
    times.iter().min().copied().unwrap_or_default()
}

/// What some work takes of the processor, on all its threads: it holds beside other work, too.
fn worked(work: impl FnOnce()) -> Duration {
    let now = || {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Duration::new(u64::try_from(time.tv_sec).unwrap(), u32::try_from(time.tv_nsec).unwrap())
    };
    let start = now();
    work();
    now().saturating_sub(start)
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
    let batches: Vec<Duration> = (0..50).map(|n| batch(n * 1000)).collect();
    let (one, best) = (median(batches.clone()) / 1000, least(&batches) / 1000);
    println!("a roll                                   {one:?}, at best {best:?} (aim: under 2 µs)");
}

/// What a game between the house's own players takes of the processor.
#[derive(Default)]
struct Spent {
    /// Its mails with all their letters, by stretches.
    stretches: Vec<Duration>,
    /// All of its mails, also those outside of the stretches.
    mails: Duration,
    /// What its players think before they write, which is no part of a mail.
    thought: Duration,
}

/// Plays such a game; `key` names its stretches.
fn spent(ruleset: &str, scenario: &str, number: u64, key: fn(&dyn Game) -> Option<String>) -> Spent {
    let entry = games::find(games::GAMES, ruleset).unwrap();
    let mut game = simulate::open(entry, &files_of(ruleset, scenario), number).unwrap();
    let mut stretches: BTreeMap<String, Duration> = BTreeMap::new();
    let (mut mails, mut thought) = (Duration::ZERO, Duration::ZERO);
    let mut input = Input::Begin;
    for mail in 1..60 {
        let stretch = key(game.as_ref());
        let mut batch = None;
        let time = worked(|| batch = Some(game.take(input.clone()).unwrap()));
        if let Some(stretch) = stretch {
            *stretches.entry(stretch).or_default() += time;
        }
        mails += time;
        let batch = batch.unwrap();
        let Some(due) = batch.dues.first().filter(|_| !batch.over) else { break };
        thought += worked(|| input = simulate::mail_of(game.as_ref(), &due.seat, number, mail));
    }
    Spent { stretches: stretches.into_values().collect(), mails, thought }
}

/// The first four turns.
fn game_turn(game: &dyn Game) -> Option<String> {
    (1..=4).contains(&game.slot()).then(|| game.slot().to_string())
}

/// Turn and side of a player-turn, in which the other side's letters are written too.
fn player_turn(game: &dyn Game) -> Option<String> {
    let key = game.stage()?.key;
    let mut parts = key.split('/');
    let (turn, side) = (parts.next()?, parts.next()?);
    parts.next().map(|_| format!("{turn}/{side}"))
}

/// A whole turn of Moravia, both player-turns with all letters, as the house's own players write it.
fn turn() {
    let times: Vec<Duration> =
        (1..=3).flat_map(|number| spent("campaigns", "1805-moravia.yaml", number, game_turn).stretches).collect();
    let best = least(&times);
    println!("a campaign turn of Moravia, all reports  {:?}, at best {best:?} (aim: under 20 ms)", median(times));
}

/// A whole player-turn of Austerlitz with all letters of both sides, against a campaign turn in the same run.
fn player() {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let (mut turns, mut thought) = (0, Duration::ZERO);
    for number in 1..=3 {
        theirs.extend(spent("campaigns", "1805-moravia.yaml", number, game_turn).stretches);
        let game = spent("austerlitz1805", "1805-austerlitz.yaml", number, player_turn);
        turns += u32::try_from(game.stretches.len()).unwrap();
        thought += game.thought;
        ours.extend(game.stretches);
    }
    let (a, b) = (median(ours.clone()), median(theirs.clone()));
    let ratio = a.as_nanos() * 100 / b.as_nanos().max(1);
    let best = least(&ours).as_nanos() * 100 / least(&theirs).as_nanos().max(1);
    println!(
        "a player-turn of Austerlitz, all reports {a:?} (aim: under 30 ms), {}.{:02} of a campaign turn ({b:?}), of the least {}.{:02}",
        ratio / 100,
        ratio % 100,
        best / 100,
        best % 100
    );
    println!("  and what the house's player thinks before it, on average {:?}", thought / turns.max(1));
}

/// Whole battles of Austerlitz between the house's own players, each with all its letters.
fn field() {
    let battle = |number: u64| spent("austerlitz1805", "1805-austerlitz.yaml", number, |_| None);
    let battles: Vec<(Duration, Duration)> = (1..=5).map(battle).map(|all| (all.mails, all.thought)).collect();
    let whole: Vec<Duration> = battles.iter().map(|(mails, thought)| *mails + *thought).collect();
    let thought = median(battles.iter().map(|(_, thought)| *thought).collect());
    println!(
        "a whole battle of Austerlitz             {:?}, at most {:?} (aim: at most 4 s), of it thinking {thought:?}",
        median(whole.clone()),
        whole.iter().max().copied().unwrap_or_default()
    );
}

/// The open impulse, or the open activation.
fn impulse(game: &dyn Game) -> Option<String> {
    game.stage().map(|stage| stage.key).filter(|key| key.contains("/impulse/") || key.contains("/act/"))
}

/// A report with its drawings, and these as a mail carries them, at the first stops of a game of each ruleset.
fn pictures() {
    for (ruleset, name) in [
        ("campaigns", "1805-moravia.yaml"),
        ("austerlitz1805", "1805-austerlitz.yaml"),
        ("brave_fellows", "durenstein-day-fog.yaml"),
    ] {
        let mut game =
            simulate::open(games::find(games::GAMES, ruleset).unwrap(), &files_of(ruleset, name), 1).unwrap();
        for (seat, _) in game.seats() {
            game.form(&seat, Format { plates: true, ..Format::default() });
        }
        let mut dear: Vec<(Duration, Duration)> = Vec::new();
        let _ = simulate::play(game.as_mut(), 1, |game, _| {
            if dear.len() < 12 {
                let (seat, _) = game.seats().into_iter().next().unwrap();
                let mut plates = Vec::new();
                let drawn = worked(|| plates = game.report(&seat, None).into_parts().1.plates);
                let written =
                    worked(|| plates.iter().for_each(|plate| _ = black_box(raster::picture(&plate.svg).unwrap())));
                dear.push((drawn, written));
            }
            Ok(())
        });
        let usual = |of: fn(&(Duration, Duration)) -> Duration| median(dear.iter().map(of).collect());
        println!(
            "pictures of {name:<27} {:?} for the report with its drawings, {:?} as PNG, at most {:?} (aim: under 300 ms)",
            usual(|d| d.0),
            usual(|d| d.1),
            dear.iter().map(|d| d.0 + d.1).max().unwrap_or_default()
        );
    }
}

/// Activations between the house's own players, each with all letters of both sides; open, and in fog.
fn activation() {
    for (ruleset, name, aim) in [
        ("brave_fellows", "durenstein.yaml", "0.1"),
        ("brave_fellows", "durenstein-fog.yaml", "0.1"),
        ("great_battles", "telnitz.yaml", "0.3"),
        ("great_battles", "telnitz-fog.yaml", "0.3"),
    ] {
        let all: Vec<Duration> = (1..=3).flat_map(|number| spent(ruleset, name, number, impulse).stretches).collect();
        let most = all.iter().max().copied().unwrap_or_default();
        println!("an activation of {name:<19}     {:?}, at most {most:?} (aim: under {aim} s)", median(all));
    }
}

/// One campaign game between the house's own players from set-up to end, its letters not written; then several of them on
/// every core against one after the other.
fn game() {
    let entry = games::find(games::GAMES, "campaigns").unwrap();
    let moravia = files("1805-moravia.yaml");
    let times: Vec<Duration> =
        (1..=5).map(|n| timed(|| drop(black_box(simulate::one(entry, &moravia, n).unwrap().unwrap())))).collect();
    let best = least(&times);
    println!("a bot game of Moravia, played twice and walked through  {:?}, at best {best:?}", median(times));
    // Played once, and whole: every letter and every plan of both players.
    for (ruleset, name, aim) in [
        ("campaigns", "1805-moravia.yaml", 400),
        ("austerlitz1805", "1805-austerlitz.yaml", 4_000),
        ("brave_fellows", "durenstein-fog.yaml", 10_000),
        ("great_battles", "telnitz.yaml", 10_000),
        ("great_battles", "telnitz-fog.yaml", 10_000),
    ] {
        let (entry, files) = (games::find(games::GAMES, ruleset).unwrap(), files_of(ruleset, name));
        let whole = |n: u64| {
            let mut game = simulate::open(entry, &files, n).unwrap();
            worked(|| drop(black_box(simulate::play(game.as_mut(), n, |_, _| Ok(())).unwrap())))
        };
        let times: Vec<Duration> = (1..=3).map(whole).collect();
        let best = least(&times);
        println!("a bot game of {name:<22} {:?}, at best {best:?} (aim: under {aim} ms)", median(times));
    }
    let alone = timed(|| (1..=8).for_each(|n| drop(black_box(simulate::one(entry, &moravia, n).unwrap()))));
    let all = timed(|| drop(black_box(simulate::run(entry, &moravia, 1, 8).unwrap())));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let ratio = alone.as_nanos() * 100 / all.as_nanos().max(1);
    println!("eight of them on {cores} cores               {}.{:02} times as fast as on one", ratio / 100, ratio % 100);
}

/// Battles of the tables, as CHECK and the house's own player reckon them.
fn battle() {
    let tables = &load::board(&files("1805-moravia.yaml")).unwrap().tables;
    let force =
        |sp: i32| Force { attack: Halves::whole(sp), defence: Halves::whole(sp), sp, guns: 2, marker: Marker::Pitched };
    let meeting = Meeting { attacker: force(24), defender: force(15), affecting: (false, false), shift: 0, rounds: 2 };
    let plays = 20_000;
    let run = |n: u64| timed(|| _ = black_box(forecast::outlook(tables, &Conditions::default(), &meeting, plays, n)));
    let times: Vec<Duration> = (0..20).map(run).collect();
    let a_second = |took: Duration| u128::from(plays) * 1_000_000_000 / took.as_nanos().max(1);
    let best = a_second(least(&times));
    println!("battles a second on one core             {}, at best {best} (aim: over 100000)", a_second(median(times)));
}

/// A post office with some games of one scenario, the first of them begun and their French players on move.
struct Post {
    dir: tempfile::TempDir,
    office: Office,
    /// What the French player of each begun game answers.
    tags: Vec<String>,
    mails: u32,
}

fn post(games: u32) -> Post {
    post_of(games, "teaching.yaml", Tempo::Live)
}

fn post_of(games: u32, scenario: &str, tempo: Tempo) -> Post {
    begun(games, 1, scenario, tempo)
}

fn begun(games: u32, begun: u32, scenario: &str, tempo: Tempo) -> Post {
    let dir = tempfile::tempdir().unwrap();
    // Its clock stands: all mails come in one hour, and those above the limits would be put aside unread, or
    // not answered.
    let config = "address = \"post@estafette.example\"\n\n[limits]\nmails_per_hour_max = 100000\n\
                  answers_per_hour_max = 100000\n";
    std::fs::write(dir.path().join("config.toml"), config).unwrap();
    demo::furnish(dir.path(), "post@estafette.example").unwrap();
    let clock = Clock::from_text("2026-01-01T00:00:00Z").unwrap();
    let mut office = Office::with_clock(dir.path(), games::GAMES, true, clock).unwrap();
    let (files, mut tags) = (files(scenario), Vec::new());
    for n in 0..games {
        let seats = [("french", "ney"), ("coalition", "weyrother")];
        let new = NewGame {
            id: format!("bench-{n}"),
            files: files.clone(),
            seats: seats.iter().map(|(s, a)| ((*s).to_owned(), vec![format!("{a}@example.org")])).collect(),
            umpire: None,
            tempo,
            deadline_hours: Some(48),
            master: Some([3; 32]),
        };
        office.new_game(&new).unwrap();
        if n < begun {
            tags.push(begin(&mut office, &format!("bench-{n}")));
            // Players look through all that was ever sent; those of one game go on from it.
            for letter in std::fs::read_dir(dir.path().join("mail/out/new")).unwrap().filter(|_| begun > 1) {
                std::fs::remove_file(letter.unwrap().path()).unwrap();
            }
        }
    }
    Post { dir, office, tags, mails: 0 }
}

/// Plays a game until its French player is on move; the subject that he answers.
fn begin(office: &mut Office, game: &str) -> String {
    let players = vec![
        Player::new("french", "ney@example.org", Vec::new()),
        Player::new("coalition", "weyrother@example.org", Vec::new()),
    ];
    let (mut tag, of_game) = (String::new(), format!("{game} ["));
    let mut troupe = Troupe::new(office, game, players).unwrap();
    troupe
        .play(4, &mut |mail| {
            if mail.to == "ney@example.org" && mail.subject.contains(&of_game) {
                tag.clone_from(&mail.subject);
            }
            Ok(())
        })
        .unwrap();
    tag
}

impl Post {
    /// A mail of the French player lies in the mailbox.
    fn comes(&mut self, lines: &str) {
        self.comes_to(0, lines);
    }

    /// The same in a game of many.
    fn comes_to(&mut self, game: usize, lines: &str) {
        self.mails += 1;
        let raw = format!(
            "From: <ney@example.org>\r\nTo: <post@estafette.example>\r\nSubject: Re: {}\r\nMessage-ID: <b{}@example.org>\r\n\r\n\
             {lines}\r\n",
            self.tags[game], self.mails
        );
        Maildir::open(&self.dir.path().join("mail")).unwrap().deliver(raw.as_bytes()).unwrap();
    }

    /// What the newest letter says. The next mail answers that one, as a person's would.
    fn reads(&mut self) -> String {
        let letters = self.office.store.outbox_of_seat("bench-0", "french").unwrap();
        let newest = read(&letters.last().unwrap().raw, &Limits::default()).unwrap();
        self.tags[0] = newest.head.subject;
        newest.text
    }

    /// One order mail in, its reply committed; the time until then. The sending comes after it.
    fn order(&mut self) -> Duration {
        self.comes("FORCE ALL HOLD");
        let office = &mut self.office;
        let time = timed(|| {
            black_box(office.take_in().unwrap());
        });
        office.pass().unwrap();
        self.reads();
        time
    }
}

/// Bytes that the database holds of mails, of the chain and of the open leg.
fn kept_bytes(dir: &Path) -> usize {
    let store = Store::open(&dir.join("estafette.db")).unwrap();
    let mails = |game: &str| -> usize {
        let of =
            |seat: &str| store.outbox_of_seat(game, seat).unwrap().iter().map(|mail| mail.raw.len()).sum::<usize>();
        let inbox = store.inbox_of_game(game).unwrap();
        inbox.iter().map(|mail| mail.raw.len()).sum::<usize>() + of("french") + of("coalition")
    };
    let chain = store.log("bench-0", 1).unwrap().iter().map(|entry| entry.body.len() + 150).sum::<usize>();
    mails("bench-0") + chain + store.open_leg("bench-0").unwrap().map_or(0, |open| open.len())
}

/// An order mail against a bare durable commit of the same bytes.
fn mail() {
    let mut post = post(1);
    let before = kept_bytes(post.dir.path());
    post.order();
    let bytes = vec![b'x'; kept_bytes(post.dir.path()) - before];
    let text = String::from_utf8(bytes).unwrap();
    let bare_dir = tempfile::tempdir().unwrap();
    let bare = Store::create(&bare_dir.path().join("bare.db")).unwrap();
    let mut ratios = Vec::new();
    let (mut whole, mut commits) = (Vec::new(), Vec::new());
    for n in 0..100 {
        let a = post.order();
        // A row of its own each time: SQLite writes nothing at all where a row would not change.
        let key = format!("bench {n}");
        let b = timed(|| {
            bare.act(|act| act.set_mark(&key, &text)).unwrap();
        });
        ratios.push(a.as_nanos() * 100 / b.as_nanos().max(1));
        whole.push(a);
        commits.push(b);
    }
    ratios.sort_unstable();
    let ratio = ratios[ratios.len() / 2];
    let (best, bare) = (least(&whole), least(&commits));
    println!(
        "an order mail, in to reply committed     {:?}, {}.{:02} times a bare durable commit of {} bytes, {:?}; at best \
         {best:?} and {bare:?} (aim: under 3 times)",
        median(whole),
        ratio / 100,
        ratio % 100,
        text.len(),
        median(commits)
    );
}

/// A mail in a post office of one game, and of many.
fn many() {
    let count = std::env::var("BENCH_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000);
    let (mut one, mut full) = (post(1), post(count));
    let mut ratios = Vec::new();
    let (mut many, mut alone) = (Vec::new(), Vec::new());
    for _ in 0..200 {
        let (a, b) = (full.order(), one.order());
        ratios.push(a.as_nanos() * 100 / b.as_nanos().max(1));
        many.push(a);
        alone.push(b);
    }
    ratios.sort_unstable();
    let ratio = ratios[ratios.len() / 2];
    let best = least(&many).as_nanos() * 100 / least(&alone).as_nanos().max(1);
    println!(
        "a mail among {count} games, against one      {}.{:02} times, of the least {}.{:02} (aim: 1.00, within 0.10)",
        ratio / 100,
        ratio % 100,
        best / 100,
        best % 100
    );
}

/// Whole passes for one mail in each of many games that are played, in turn, against passes for as many mails in one game.
fn turns() {
    let count = std::env::var("BENCH_ACTIVE").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000);
    let (mut one, mut full) = (post(1), begun(count, count, "teaching.yaml", Tempo::Live));
    let pass = |post: &mut Post, game: usize| {
        post.comes_to(game, "FORCE ALL HOLD");
        let mut pass = None;
        let time = worked(|| pass = Some(post.office.pass().unwrap()));
        assert!(pass.is_some_and(|pass| pass.read == 1 && pass.sent > 0), "{pass:?}");
        time
    };
    let (mut many, mut alone) = (Vec::new(), Vec::new());
    for game in 0..usize::try_from(count).unwrap() {
        many.push(pass(&mut full, game));
        alone.push(pass(&mut one, 0));
        one.reads();
    }
    let ratio = median(many.clone()).as_nanos() * 100 / median(alone.clone()).as_nanos().max(1);
    println!(
        "a whole pass for a mail in each of {count} games in turn {:?}, in one {:?} of the processor: {}.{:02} times (aim: \
         1.10)",
        median(many),
        median(alone),
        ratio / 100,
        ratio % 100
    );
}

/// Passes of a post office in which nothing is to be done: ten thousand games that are played, and a thousand paused ones,
/// each a copy of the rows of one.
fn idle() {
    let count = |name: &str, usual: u32| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual);
    let (played, paused) = (count("BENCH_GAMES", 10_000), count("BENCH_PAUSED", 1_000));
    let Post { dir, office, .. } = post(1);
    drop(office);
    let db = rusqlite::Connection::open(dir.path().join("estafette.db")).unwrap();
    let tables = [
        ("games", "id"),
        ("seats", "game"),
        ("addresses", "game"),
        ("dues", "game"),
        ("game_notes", "game"),
        ("desk", "game"),
        ("notices", "game"),
        ("log_heads", "game"),
    ];
    db.execute_batch("BEGIN").unwrap();
    for (prefix, many) in [("played", played), ("paused", paused)] {
        for (table, key) in tables {
            let mut columns = db.prepare(&format!("SELECT name FROM pragma_table_info('{table}')")).unwrap();
            let names: Vec<String> = columns.query_map((), |row| row.get(0)).unwrap().map(Result::unwrap).collect();
            let said: Vec<String> =
                names.iter().map(|n| if n == key { format!("'{prefix}-' || n") } else { n.clone() }).collect();
            let sql = format!(
                "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {many})
                 INSERT INTO {table} ({}) SELECT {} FROM {table}, c WHERE {key} = 'bench-0'",
                names.join(", "),
                said.join(", ")
            );
            db.execute_batch(&sql).unwrap();
        }
    }
    db.execute_batch(
        "INSERT INTO game_notes (game, key, value) SELECT id, 'paused', '{\"since\":\"2026-01-01T00:00:00Z\",\"until\":null}'
         FROM games WHERE id GLOB 'paused-*'; COMMIT",
    )
    .unwrap();
    drop(db);
    let clock = Clock::from_text("2026-01-01T00:00:10Z").unwrap();
    let mut office = Office::with_clock(dir.path(), games::GAMES, true, clock).unwrap();
    let first = worked(|| assert!(office.pass().is_ok()));
    let taken = office.taken();
    let times: Vec<Duration> = (0..1_000).map(|_| worked(|| assert!(black_box(office.pass()).is_ok()))).collect();
    println!(
        "an idle pass, {played} games and {paused} paused   {:?}, at best {:?} (aim: under 1 ms); {} games opened in 1000; \
         the first {first:?}",
        median(times.clone()),
        least(&times),
        office.taken() - taken
    );
}

/// One CHECK of fifty lines at the opening of Moravia, and of the teaching scenario of the field.
fn rehearsal() {
    let own = |before: serde_json::Value| Campaigns::arrange(&files("1805-moravia.yaml"), before).unwrap();
    let base = own(serde_json::json!({"at": "own french"}));
    let mind = base.minds.first().map(|(_, mind)| mind.clone()).unwrap_or_default();
    let view = see::<Campaigns>(&base.state, &mind, Viewer::Side("french".into())).into_parts().1;
    let places: Vec<String> = view.board.map.places.keys().take(5).map(ToString::to_string).collect();
    let names: Vec<String> = view.own.on_map().map(|(leader, _)| leader.0.clone()).collect();
    let mut lines: Vec<String> = Campaigns::verbs().iter().flat_map(|verb| (verb.examples)(&view)).collect();
    for name in names {
        let code = view.board.leaders.iter().find(|(id, _)| id.0 == name).map_or("", |(_, spec)| spec.code.as_str());
        lines.extend(places.iter().map(|place| format!("FORCE {code} INITIATIVE MARCH ROAD TO {place} ANYWAY")));
    }
    let fifty: Vec<String> = lines.into_iter().cycle().take(50).collect();
    plan::<Campaigns>("campaigns", &view, &fifty);

    let base =
        Austerlitz::arrange(&files_of("austerlitz1805", "teaching.yaml"), serde_json::json!({"at": "own french"}));
    let base = base.unwrap();
    let view = see::<Austerlitz>(&base.state, &Default::default(), Viewer::Side("french".into())).into_parts().1;
    let own: Vec<String> = view.table.of_side(&"french".into()).map(|(id, _)| id.0.clone()).collect();
    let line = |n: usize| {
        let unit = own.get(n % own.len()).map_or("", String::as_str);
        if n.is_multiple_of(2) {
            format!("MOVE {unit} TOWARD Pratzen 1UM")
        } else {
            format!("ATTACK {unit} AT Repninsky")
        }
    };
    plan::<Austerlitz>("austerlitz1805", &view, &(0..50).map(line).collect::<Vec<_>>());
}

fn plan<R: Ruleset>(name: &str, view: &R::View, lines: &[String]) {
    let mut taken = 0;
    let mut once = || {
        timed(|| {
            let mut plan = Plan::<R>::new(view.clone());
            taken = lines.iter().filter(|line| plan.line(&orders::line(1, line)).is_ok()).count();
            drop(black_box(plan.warnings()));
        })
    };
    let times: Vec<Duration> = (0..20).map(|_| once()).collect();
    let (one, best) = (median(times.clone()), least(&times));
    println!(
        "a rehearsal of {} lines, {taken} taken, {name:<16} {one:?}, at best {best:?} (aim: under 100 ms)",
        lines.len()
    );
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let benches: [(&str, fn()); 16] = [
        ("roll", roll),
        ("turn", turn),
        ("player", player),
        ("field", field),
        ("activation", activation),
        ("pictures", pictures),
        ("game", game),
        ("battle", battle),
        ("mail", mail),
        ("many", many),
        ("turns", turns),
        ("long", long::long),
        ("cost", cost::cost),
        ("njudge", njudge::njudge),
        ("idle", idle),
        ("rehearsal", rehearsal),
    ];
    for (_, bench) in benches.iter().filter(|(name, _)| wanted.is_empty() || wanted.iter().any(|w| w == name)) {
        bench();
    }
}
