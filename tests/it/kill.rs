//! Nothing lost, nothing twice: the daemon is killed at every place that is named, and goes on as if it had not been.

use crate::gateway::bench::{Bench, TOYS, written};
use estafette::clock::Clock;
use estafette::gateway::Office;
use estafette::mail::maildir::Maildir;
use estafette::store::{LogEntry, Store};
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const DIR: &str = "ESTAFETTE_KILL_DIR";

/// Not a test of its own: what the others start as another process, `estafette serve --once` with the toys.
#[test]
fn child() {
    let Some(dir) = std::env::var_os(DIR) else { return };
    let args = ["estafette", "serve", "--once", "--dir"].map(OsString::from).into_iter().chain([dir]);
    let code = estafette::cli::run(args, TOYS, &mut std::io::sink(), &mut std::io::stderr());
    std::process::exit(i32::from(code));
}

/// All that counts of a post office: what went out, and what it remembers.
#[derive(Debug, PartialEq)]
struct After {
    out: Vec<Vec<u8>>,
    chains: Vec<Vec<LogEntry>>,
    waiting: usize,
    states: Vec<String>,
}

fn after(dir: &Path) -> After {
    let store = Store::open(&dir.join("estafette.db")).unwrap();
    assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
    let games = store.games().unwrap();
    let inbox = |game: &str| store.inbox_of_game(game).unwrap();
    let seats = |game: &str| store.seats(game).unwrap();
    After {
        out: Maildir::open(&dir.join("mail")).unwrap().sent().unwrap(),
        chains: games.iter().map(|game| store.log(&game.id, 1).unwrap()).collect(),
        waiting: std::fs::read_dir(dir.join("mail/in/new")).unwrap().count(),
        states: games
            .iter()
            .map(|game| format!("{:?} {:?} {:?}", game.state, inbox(&game.id), seats(&game.id)))
            .collect(),
    }
}

/// Runs the child; `fail` is where it is to be killed, `count` where it writes the places it passes.
fn serve(dir: &Path, clock: &str, fail: Option<&str>, count: Option<&Path>) -> std::process::Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "kill::child", "--nocapture"]).env(DIR, dir).env("ESTAFETTE_CLOCK", clock);
    command.env_remove("ESTAFETTE_FAIL").env_remove("ESTAFETTE_FAIL_COUNT");
    if let Some(fail) = fail {
        command.env("ESTAFETTE_FAIL", fail);
    }
    if let Some(count) = count {
        command.env("ESTAFETTE_FAIL_COUNT", count);
    }
    command.output().unwrap()
}

/// Passes within this process until nothing is left to do.
fn until_quiet(dir: &Path, clock: &str) {
    for _ in 0..20 {
        let mut office = Office::with_clock(dir, TOYS, false, Clock::from_text(clock).unwrap()).unwrap();
        if office.pass().unwrap().quiet() {
            return;
        }
    }
    panic!("it never comes to rest");
}

fn copy(from: &Path) -> TempDir {
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
    // A process that is killed leaves its files as they are, also where no disk is waited for.
    let memory = Path::new("/dev/shm");
    let to = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap();
    whole(from, to.path());
    to
}

/// Kills at the nth passage of any place, for every n there is, and compares what comes of it with the undisturbed run.
fn killed_everywhere(before: &Path, clock: &str, least: usize) -> TempDir {
    let undisturbed = copy(before);
    let count = undisturbed.path().join("passed.txt");
    let done = serve(undisturbed.path(), clock, None, Some(&count));
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let passed = std::fs::read_to_string(&count).unwrap();
    std::fs::remove_file(&count).unwrap();
    until_quiet(undisturbed.path(), clock);
    let wanted = after(undisturbed.path());
    let places: Vec<&str> = passed.lines().collect();
    assert!(places.len() >= least, "{} passages", places.len());
    let killed = |n: usize, place: &str| {
        let dir = copy(before);
        let done = serve(dir.path(), clock, Some(&format!("*:{n}")), None);
        assert!(!done.status.success(), "passage {n}, {place}: it was to be killed");
        until_quiet(dir.path(), clock);
        assert_eq!(after(dir.path()), wanted, "killed at passage {n}, {place}");
    };
    std::thread::scope(|scope| {
        for first in 0..4 {
            let (places, killed) = (&places, &killed);
            scope.spawn(move || places.iter().enumerate().skip(first).step_by(4).for_each(|(i, p)| killed(i + 1, p)));
        }
    });
    undisturbed
}

#[test]
fn killed_at_any_passage_the_post_goes_on_as_if_it_had_not_been() {
    let mut bench = Bench::with_game("toy-7", "toy-fellows");
    bench.reply("french", "SIGNON\nNONCE Vive l'Empereur");
    let tags = ["french", "coalition", "umpire"].map(|seat| bench.last_to(&format!("{seat}@example.org")).subject);
    let mails = [
        ("coalition", &tags[1], "SIGNON\nNONCE Gott erhalte Franz\nGO Rowan 9\nMAP"),
        ("eve", &tags[0], "RESIGN YES"),
        ("french", &tags[0], "FIRST YES\nGO Oriole 2\nEND"),
        ("coalition", &tags[1], "FIRST YES\nGO Rowan 9\nPRESS TO french\nYield.\nEND PRESS\nEND"),
        ("umpire", &tags[2], "EXTEND all 3"),
        ("french", &tags[0], "\n"),
    ];
    for (n, (seat, tag, body)) in (100..).zip(mails) {
        bench.deliver(written(&format!("{seat}@example.org"), tag, body, n).as_bytes());
    }
    let Bench { dir, office, .. } = bench;
    drop(office);
    let mailed = killed_everywhere(dir.path(), "2026-01-01T00:00:00Z", 100);
    let out = after(mailed.path()).out.len();
    assert!(out > 12, "{out} mails");
    // And the deadline that comes after.
    let late = killed_everywhere(mailed.path(), "2026-01-05T00:00:00Z", 20);
    assert!(after(late.path()).out.len() > out);
}
