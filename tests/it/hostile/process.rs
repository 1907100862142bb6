//! What a hostile mail costs the daemon: the real binary as a process of its own, its memory and its processor time.
#![cfg(target_os = "linux")]

use super::bombs::BOMBS;
use super::raw::{self, Head};
use super::run;
use super::world::World;
use crate::gateway::bench::copied;
use estafette::store::GameState;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const MEGABYTES_MAX: u64 = 200;
const MILLIS_MAX: u64 = 2_000;
/// Beyond this the process is not let grow, so that the machine bears the test.
const ADDRESS_KB: u64 = 4_000_000;
/// Of a mail that never ends, the test does not wait for the end.
const MILLIS_GIVEN: u64 = 6_000;
/// Ticks of the clock by which Linux counts processor time.
const TICKS_PER_SECOND: u64 = 100;

/// What a process used.
#[derive(Clone, Copy, Debug, Default)]
struct Used {
    megabytes: u64,
    millis: u64,
    well: bool,
}

/// `estafette serve --once` on a post office at an hour, watched to its end.
fn served(dir: &Path, hour: usize, given: u64) -> Used {
    let clock = format!("2026-01-{:02}T{:02}:00:00Z", 2 + hour / 24, hour % 24);
    let limit = format!("ulimit -v {ADDRESS_KB}; exec \"$0\" serve --once --dir \"$1\"");
    let mut child = Command::new("sh")
        .args(["-c", &limit, env!("CARGO_BIN_EXE_estafette")])
        .arg(dir)
        .env("ESTAFETTE_CLOCK", clock)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut used = Used::default();
    let proc = format!("/proc/{}", child.id());
    loop {
        let status = fs::read_to_string(format!("{proc}/status")).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0 kB");
        let kilobytes: u64 = peak.trim().trim_end_matches(" kB").trim().parse().unwrap_or(0);
        used.megabytes = used.megabytes.max(kilobytes / 1024);
        let stat = fs::read_to_string(format!("{proc}/stat")).unwrap_or_default();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok()).unwrap_or(0);
        used.millis = (ticks(11) + ticks(12)) * 1000 / TICKS_PER_SECOND;
        if used.millis > given {
            child.kill().unwrap();
        }
        // What has ended is not yet gone: its time can still be read.
        if fields.first().is_none_or(|state| *state == "Z") {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    used.well = child.wait().unwrap().success();
    used
}

/// What is wrong with what a process used, beside what an idle one does.
fn too_much(name: &str, used: Used, idle: Used, mails: u64) -> Vec<String> {
    let mut wrong = Vec::new();
    if !used.well {
        wrong.push(format!("{name}: the process ends badly, {used:?}"));
    }
    if used.megabytes > MEGABYTES_MAX {
        wrong.push(format!("{name}: {} MB of memory", used.megabytes));
    }
    if used.millis > idle.millis + MILLIS_MAX * mails {
        wrong.push(format!("{name}: {} ms of processor time", used.millis));
    }
    wrong
}

/// Games that are set aside, and letters that were made.
fn after(world: &mut World, name: &str, wrong: &mut Vec<String>) {
    world.reopen_from_disk();
    for at in 0..world.boards.len() {
        if world.state(at) == GameState::Corrupt {
            wrong.push(format!("{name}: {} is set aside", world.boards[at].id));
            world.renew(at);
        }
    }
    let passed = world.collect();
    let bytes: usize = passed.letters.iter().map(|letter| letter.raw.len()).sum();
    if passed.letters.len() > 100 || bytes > 2 << 20 {
        wrong.push(format!("{name}: {} letters, {bytes} bytes", passed.letters.len()));
    }
    world.closed();
}

fn head(world: &World, at: usize, seat: &str, n: usize) -> Head {
    let board = &world.boards[at];
    let (from, subject) = (board.address(seat), world.subject(&board.id, seat));
    Head { from, subject, id: format!("<bomb-{n}@evil.example>"), more: Vec::new() }
}

#[test]
fn no_mail_costs_the_daemon_more_than_its_share() {
    let mut world = World::furnished();
    world.closed();
    let (pristine, subjects) = (copied(world.dir.path()), world.subjects.clone());
    let only = std::env::var("HOSTILE_BOMB").ok();
    let mut wrong = Vec::new();
    let (mut worst, mut hour) = (Used::default(), 1);
    world.deliver(&raw::plain(&head(&world, 0, "french", 9999), "DEADLINE\n"));
    let idle = served(world.dir.path(), hour, MILLIS_GIVEN);
    assert!(idle.well && idle.megabytes > 5, "{idle:?}");
    after(&mut world, "an honest mail", &mut wrong);
    // A bomb of each kind in the hands of a seat, of an umpire, of a stranger; those of many blocks last.
    for (n, (name, write)) in
        BOMBS.iter().enumerate().filter(|(_, (name, _))| only.as_ref().is_none_or(|only| name.contains(only)))
    {
        let head = match n % 5 {
            0 if !name.contains("AUDIT") => Head {
                subject: "games".to_owned(),
                from: "eve@evil.example".to_owned(),
                ..head(&world, 0, "french", n)
            },
            1 => head(&world, 2, "lannes", n),
            2 => head(&world, 3, "allied", n),
            3 => head(&world, 0, "umpire", n),
            _ => head(&world, 0, "french", n),
        };
        world.deliver(&write(&head));
        hour += 1;
        let used = served(world.dir.path(), hour, MILLIS_GIVEN);
        if std::env::var("HOSTILE_TELL").is_ok() {
            eprintln!("{name}, {}: {used:?}", head.from);
        }
        worst =
            Used { megabytes: worst.megabytes.max(used.megabytes), millis: worst.millis.max(used.millis), well: true };
        let harm = too_much(name, used, idle, 1);
        if harm.is_empty() {
            after(&mut world, name, &mut wrong);
            continue;
        }
        // What one of them left behind must not be laid to the next.
        wrong.extend(harm);
        (world.dir, world.subjects) = (copied(pristine.path()), subjects.clone());
    }
    // All that has been kept of the game is asked for at once.
    for seat in ["french", "umpire"] {
        world.deliver(&raw::plain(&head(&world, 0, seat, hour + 500), &"AUDIT\n".repeat(40)));
        hour += 1;
        wrong.extend(too_much("40 AUDITs after all others", served(world.dir.path(), hour, MILLIS_GIVEN), idle, 1));
        after(&mut world, "40 AUDITs after all others", &mut wrong);
    }
    println!("an honest mail {idle:?}, the worst of {} {worst:?}", BOMBS.len());
    assert!(wrong.is_empty(), "{} of {} mails\n{}", wrong.len(), BOMBS.len(), wrong.join("\n"));
}

#[test]
fn a_pile_of_hostile_mails_costs_the_daemon_no_more_memory() {
    let mut world = World::furnished();
    let dir = world.dir.path().to_owned();
    let cases: Vec<_> = (0..150).map(|n| run::case(&world, 9, n, 20).raw).collect();
    world.closed();
    for raw in &cases {
        world.deliver(raw);
    }
    // Above what is read at all.
    for n in 0..6 {
        let head = head(&world, 0, "french", 7000 + n);
        world.deliver(&raw::plain(&head, &"x y z\n".repeat(10_000_000)));
    }
    let used = served(&dir, 1, 30 * MILLIS_MAX);
    println!("{used:?}");
    let mut wrong = too_much("the pile", used, Used::default(), 30);
    world.reopen_from_disk();
    for at in 0..world.boards.len() {
        if world.state(at) == GameState::Corrupt {
            wrong.push(format!("{} is set aside", world.boards[at].id));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
