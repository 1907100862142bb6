//! Nothing lost, nothing twice: the daemon is killed at every place that is named, and goes on as if it had not been.
//!
//! Each mail of an exchange is one step. In it the daemon is killed at every store write and every mail operation in
//! turn, started again, and compared with the undisturbed post office, whole database and all mails, byte for byte. What
//! is equal after each step is equal after all, so the next step begins at the undisturbed one.

use crate::gateway::bench::{Bench, Mail, TOYS, copied, teaching, written};
use estafette::clock::Clock;
use estafette::gateway::Office;
use estafette::mail::maildir::Maildir;
use estafette::store::Store;
use rusqlite::Connection;
use rusqlite::types::Value;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const DIR: &str = "ESTAFETTE_KILL_DIR";
pub const START: &str = "2026-01-01T00:00:00Z";

/// Not a test of its own: what the others start as another process, `estafette serve --once` with the toys.
#[test]
fn child() {
    let Some(dir) = std::env::var_os(DIR) else { return };
    let args = ["estafette", "serve", "--once", "--dir"].map(OsString::from).into_iter().chain([dir]);
    let code = estafette::cli::run(args, TOYS, &mut std::io::sink(), &mut std::io::stderr());
    std::process::exit(i32::from(code));
}

/// All that counts of a post office: what went out, what came in, and every row of the database.
#[derive(Debug, PartialEq)]
pub struct After {
    out: Vec<(String, Vec<u8>)>,
    taken: Vec<(String, Vec<u8>)>,
    bad: Vec<(String, Vec<u8>)>,
    waiting: usize,
    rows: Vec<String>,
}

pub fn after(dir: &Path) -> After {
    let path = dir.join("estafette.db");
    assert_eq!(Store::open(&path).unwrap().integrity().unwrap(), Vec::<String>::new());
    After {
        out: files(&dir.join("mail/out/new")),
        taken: files(&dir.join("mail/in/cur")),
        bad: files(&dir.join("mail/bad")),
        waiting: files(&dir.join("mail/in/new")).len(),
        // The pulse says only when a daemon was last at work, and the passes that end each run are none. That a mail was in
        // hand may stay written down where its fault hit the very note.
        rows: rows(&Connection::open(&path).unwrap())
            .into_iter()
            .filter(|row| !row.contains("Text(\"pulse\")") && !row.contains("Text(\"hand/"))
            .collect(),
    }
}

/// Names and contents of a folder.
pub fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> = paths.map(|path| (name(&path), std::fs::read(&path).unwrap())).collect();
    found.sort();
    found
}

/// Every row of every table, each as one text.
fn rows(db: &Connection) -> Vec<String> {
    let mut tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").unwrap();
    let names: Vec<String> = tables.query_map((), |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let mut found = Vec::new();
    for table in names {
        let mut all = db.prepare(&format!("SELECT * FROM \"{table}\"")).unwrap();
        let columns = all.column_count();
        let mut here: Vec<String> = all
            .query_map((), |row| {
                let values: Result<Vec<Value>, _> = (0..columns).map(|at| row.get(at)).collect();
                Ok(format!("{table}: {:?}", values?))
            })
            .unwrap()
            .map(Result::unwrap)
            .collect();
        here.sort();
        found.extend(here);
    }
    found
}

/// The first thing that differs, short enough to read.
pub fn difference(one: &After, two: &After) -> Option<String> {
    if one == two {
        return None;
    }
    let short = |text: &str| text.chars().take(400).collect::<String>();
    let mail = |(name, raw): &(String, Vec<u8>)| format!("mail {name}: {}", String::from_utf8_lossy(raw));
    let all = |after: &After| -> Vec<String> {
        let mails = after.out.iter().chain(&after.taken).chain(&after.bad).map(mail);
        mails.chain(after.rows.iter().cloned()).chain([format!("{} waiting", after.waiting)]).collect()
    };
    let (ones, twos) = (all(one), all(two));
    let odd = ones.iter().find(|line| !twos.contains(line)).or_else(|| twos.iter().find(|line| !ones.contains(line)));
    Some(odd.map_or_else(|| "the same in another order, or one of them twice".to_owned(), |line| short(line)))
}

/// The child process on a post office.
pub fn command(dir: &Path, clock: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    dressed(&mut command, dir, clock);
    command
}

fn dressed(command: &mut Command, dir: &Path, clock: &str) {
    command.args(["--exact", "kill::child", "--nocapture"]).env(DIR, dir).env("ESTAFETTE_CLOCK", clock);
    command.env_remove("ESTAFETTE_FAIL").env_remove("ESTAFETTE_FAIL_COUNT");
}

/// Passes within this process until nothing is left to do.
pub fn until_quiet(dir: &Path, clock: &str) {
    let mut office = Office::with_clock(dir, TOYS, false, Clock::from_text(clock).unwrap()).unwrap();
    for _ in 0..20 {
        if office.pass().unwrap().quiet() {
            return;
        }
    }
    panic!("it never comes to rest");
}

/// What the daemon does undisturbed, and the names of the places it passes.
pub fn undisturbed(before: &Path, clock: &str) -> (TempDir, After, Vec<String>) {
    let dir = copied(before);
    let count = dir.path().join("passed.txt");
    let done = command(dir.path(), clock).env("ESTAFETTE_FAIL_COUNT", &count).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let passed = std::fs::read_to_string(&count).unwrap();
    std::fs::remove_file(&count).unwrap();
    until_quiet(dir.path(), clock);
    let wanted = after(dir.path());
    (dir, wanted, passed.lines().map(str::to_owned).collect())
}

/// Runs the daemon where it comes to grief, starts it again, and compares with the undisturbed run.
pub fn grieved(before: &Path, clock: &str, wanted: &After, what: &str, mut run: impl FnMut(&Path) -> Output) -> Output {
    let dir = copied(before);
    let done = run(dir.path());
    // Only a daemon knows of outages, so it is one that is started again.
    let again = command(dir.path(), clock).output().unwrap();
    assert!(again.status.success(), "{what}: {}", String::from_utf8_lossy(&again.stderr));
    until_quiet(dir.path(), clock);
    if let Some(odd) = difference(&after(dir.path()), wanted) {
        panic!("{what}: {odd}");
    }
    done
}

/// Kills at the nth passage of any place, for every n there is, and compares what comes of it with the undisturbed run.
fn killed_everywhere(before: &Path, clock: &str, passed: &mut Vec<String>) -> TempDir {
    let (dir, wanted, places) = undisturbed(before, clock);
    let killed = |n: usize, place: &str| {
        let what = format!("killed at passage {n}, {place}");
        let plan = format!("*:{n}");
        let run = |dir: &Path| command(dir, clock).env("ESTAFETTE_FAIL", &plan).output().unwrap();
        let done = grieved(before, clock, &wanted, &what, run);
        assert!(!done.status.success(), "passage {n}, {place}: it was to be killed");
    };
    std::thread::scope(|scope| {
        for first in 0..4 {
            let (places, killed) = (&places, &killed);
            scope.spawn(move || places.iter().enumerate().skip(first).step_by(4).for_each(|(i, p)| killed(i + 1, p)));
        }
    });
    passed.extend(places);
    dir
}

/// How often a place was passed in all.
fn times(passed: &[String], place: &str) -> usize {
    passed.iter().filter(|name| name.starts_with(place)).count()
}

#[test]
fn killed_at_any_passage_the_post_goes_on_as_if_it_had_not_been() {
    let mut bench = Bench::with_game("toy-7", "toy-fellows");
    bench.reply("french", "SIGNON\nNONCE Vive l'Empereur");
    let tags = ["french", "coalition", "umpire"].map(|seat| bench.last_to(&format!("{seat}@example.org")).subject);
    let mails = [
        ("coalition", &tags[1], "SIGNON\nNONCE Gott erhalte Franz\nGO Rowan 9\nMAP"),
        ("eve", &tags[0], "RESIGN"),
        ("french", &tags[0], "FIRST YES\nGO Oriole 2\nEND"),
        ("coalition", &tags[1], "FIRST YES\nGO Rowan 9\nPRESS TO french\nYield.\nEND PRESS\nEND"),
        ("umpire", &tags[2], "EXTEND all 3"),
        ("french", &tags[0], "\n"),
        ("french", &tags[0], "RESEND 1\nRESIGN\nADDRESS ADD marshal@example.net"),
    ];
    for (n, (seat, tag, body)) in (100..).zip(mails) {
        bench.deliver(written(&format!("{seat}@example.org"), tag, body, n).as_bytes());
    }
    let Bench { dir, office, .. } = bench;
    drop(office);
    let mut passed = Vec::new();
    // Several mails in one pass.
    let mailed = killed_everywhere(dir.path(), START, &mut passed);
    for (place, least) in [("store/write", 60), ("store/commit", 30), ("mail/", 40), ("mail/take", 6)] {
        assert!(times(&passed, place) >= least, "{} times {place}", times(&passed, place));
    }
    let out = after(mailed.path()).out.len();
    assert!(out > 12, "{out} mails");
    // And the deadline that comes after.
    let late = killed_everywhere(mailed.path(), "2026-01-05T00:00:00Z", &mut passed);
    assert!(after(late.path()).out.len() > out);
}

/// The bridges of the Strem from sign-on to the first battle, as two people wrote it.
const STREM: [(&str, &str); 7] = [
    ("french", "SIGNON\nNONCE Vive l'Empereur\nVEDETTE PLACE WITH MC1 1\nEND"),
    ("coalition", "SIGNON\nNONCE Gott erhalte Franz\nVEDETTE PLACE WITH Bagration 1\nEND"),
    (
        "french",
        "FORCE Lannes COMMAND MARCH 0305 0405 0505 0605\nFORCE MC1 INITIATIVE MARCH 0505\nforce murat gallop\nEND ANYWAY",
    ),
    ("coalition", "CHECK\nFORCE Bagration MARCH 0903\nMAP 0705\nHISTORY"),
    ("coalition", "END ANYWAY"),
    ("french", "ATTACK 0705 WITH Lannes\nBATTLE 0705 TYPE PURSUIT\nEND"),
    ("coalition", "AUDIT\nEND"),
];

#[test]
fn killed_at_any_passage_of_a_campaign_no_order_is_lost_and_none_is_done_twice() {
    let mut bench = Bench::with_campaign(&teaching());
    let mut passed = Vec::new();
    let mut now = {
        bench.pass();
        let Bench { dir, office, .. } = bench;
        drop(office);
        dir
    };
    for (n, (seat, body)) in (200..).zip(STREM) {
        let tag = last(now.path(), seat).subject;
        let raw = written(&format!("{seat}@example.org"), &tag, body, n);
        Maildir::open(&now.path().join("mail")).unwrap().deliver(raw.as_bytes()).unwrap();
        now = killed_everywhere(now.path(), START, &mut passed);
    }
    let log = Store::open(&now.path().join("estafette.db")).unwrap().checked_log("strem-1").unwrap();
    let fought = log.iter().filter(|entry| entry.body.contains("chapter") && entry.body.contains("combat")).count();
    assert!(fought > 5, "no battle was fought: {}", last(now.path(), "french").text);
    assert!(times(&passed, "store/write") > 200 && times(&passed, "mail/") > 50, "{}", passed.len());
}

#[test]
fn killed_between_code_and_confirmation_a_seat_changes_hands_once_and_comes_back() {
    let mut bench = Bench::with_game("toy-7", "toy-fellows");
    bench.reply("french", "ADDRESS marshal@example.org");
    let Bench { dir, office, .. } = bench;
    drop(office);
    let (mut now, mut passed) = (dir, Vec::new());
    let held = |dir: &Path| {
        Store::open(&dir.join("estafette.db")).unwrap().seat("toy-7", "french").unwrap().unwrap().addresses
    };
    let steps = [
        ("french", "CONFIRM", "french@example.org"),
        ("marshal", "CONFIRM", "marshal@example.org"),
        ("french", "TAKE BACK", "french@example.org"),
    ];
    for (n, (seat, word, then)) in (300..).zip(steps) {
        let mail = last(now.path(), seat);
        let body = format!("{word} {}", crate::gateway::bench::code(&mail, word));
        let raw = written(&format!("{seat}@example.org"), &format!("Re: {}", mail.subject), &body, n);
        Maildir::open(&now.path().join("mail")).unwrap().deliver(raw.as_bytes()).unwrap();
        now = killed_everywhere(now.path(), START, &mut passed);
        assert_eq!(held(now.path()), [then], "after {word} by {seat}");
    }
    assert!(times(&passed, "store/write") > 40, "{}", passed.len());
}

/// The last mail to a seat.
fn last(dir: &Path, seat: &str) -> Mail {
    let sent = Maildir::open(&dir.join("mail")).unwrap().sent().unwrap();
    let mails: Vec<_> = sent.into_iter().map(crate::gateway::bench::parsed).collect();
    let to = format!("{seat}@example.org");
    mails.into_iter().rfind(|mail| mail.to == to).unwrap()
}

/// This program on a disk that is full: one on which no file can grow beyond so many blocks of 512 bytes.
#[cfg(unix)]
pub fn with_room(blocks: u64) -> Command {
    let mut shell = Command::new("sh");
    // A process that ignores the signal gets an error from its write instead.
    shell.arg("-c").arg(format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\""));
    shell.arg(std::env::current_exe().unwrap());
    shell
}

#[cfg(unix)]
#[test]
fn where_the_disk_is_full_the_post_stops_and_goes_on_when_there_is_room() {
    let mut bench = Bench::with_campaign(&teaching());
    bench.reply("french", "SIGNON\nNONCE Vive l'Empereur");
    let tag = bench.last_to("coalition@example.org").subject;
    bench.deliver(written("coalition@example.org", &tag, "SIGNON\nMAP\nAUDIT", 200).as_bytes());
    let Bench { dir, office, .. } = bench;
    drop(office);
    let (done, wanted, _) = undisturbed(dir.path(), START);
    let most = std::fs::metadata(done.path().join("estafette.db")).unwrap().len() / 512 + 8;
    let (mut failed, mut carried) = (0, 0);
    // In blocks of 512 bytes, from no room at all.
    for blocks in (0..24).map(|n| most * n / 20) {
        let run = |dir: &Path| {
            let mut shell = with_room(blocks);
            dressed(&mut shell, dir, START);
            shell.output().unwrap()
        };
        let done = grieved(dir.path(), START, &wanted, &format!("room for {blocks} blocks"), run);
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        match done.status.code() {
            Some(0) => carried += 1,
            Some(3) => {
                assert!(said.contains(&dir_name(&said)), "{said}");
                failed += 1;
            }
            other => panic!("room for {blocks} blocks: {other:?} {said}"),
        }
    }
    assert!(failed > 8 && carried > 0, "{failed} failed, {carried} carried through");
}

/// What was said names a file of the post office.
fn dir_name(said: &str) -> String {
    let named = ["estafette.db", "mail/", "estafette.lock"].iter().find(|name| said.contains(**name));
    (*named.unwrap_or(&"the file at fault")).to_owned()
}
