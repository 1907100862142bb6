//! A post office that moves, stopped at any moment: at most one of the two places serves, and no mail is lost in the other.

use crate::gateway::bench::{Bench, TOYS, copied, written};
use crate::servers::rows::{Rows, ask};
use estafette::clock::Clock;
use estafette::gateway::{self, Office};
use estafette::store::Store;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

const DIR: &str = "ESTAFETTE_MOVE_DIR";
const TO: &str = "ESTAFETTE_MOVE_TO";
const START: &str = "2026-01-01T00:00:00Z";

/// Not a test of its own: what the others start as another process, `estafette move`.
#[test]
fn child() {
    let (Some(dir), Some(to)) = (std::env::var_os(DIR), std::env::var_os(TO)) else { return };
    let args = ["estafette", "move", "--dir"].map(OsString::from).into_iter().chain([dir, to]);
    let code = estafette::cli::run(args, TOYS, &mut std::io::sink(), &mut std::io::stderr());
    std::process::exit(i32::from(code));
}

fn run(dir: &Path, to: &str, (variable, value): (&str, &OsStr)) -> bool {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "moving::child"]).env(DIR, dir).env(TO, to).env(variable, value);
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success()
}

/// A directory whose settings name a database.
fn at(address: Option<&str>, file: Option<&Path>) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let line = address.map_or_else(String::new, |address| format!("store = \"{address}\"\n"));
    std::fs::write(dir.path().join("config.toml"), format!("{line}{}", crate::gateway::bench::CONFIG)).unwrap();
    if let Some(file) = file.filter(|file| file.exists()) {
        for end in ["", "-wal", "-shm"] {
            let name = format!("{}{end}", file.display());
            let _ = std::fs::copy(&name, dir.path().join(format!("estafette.db{end}")));
        }
    }
    dir
}

/// Why a place cannot be served; none where it can.
fn why_not(dir: &Path) -> Option<String> {
    Office::with_clock(dir, TOYS, true, Clock::from_text(START).unwrap()).err().map(|error| error.to_string())
}

fn chain(store: &Store) -> Vec<String> {
    store.checked_log("toy-1").unwrap().into_iter().map(|entry| entry.hash).collect()
}

/// Takes a mail in as a mail server's pipe does; whether it was taken.
fn pipe(dir: &Path, n: u32) -> bool {
    let mail = written("stranger@example.org", "no game", "HELP", n);
    match gateway::deliver(dir, None, &mut mail.as_bytes()) {
        Ok(()) => true,
        Err(error) => {
            assert!(error.to_string().contains("estafette move") || error.to_string().contains("has moved"), "{error}");
            false
        }
    }
}

/// Names of the passages of an undisturbed move.
fn passages(dir: &Path, to: &str) -> Vec<String> {
    let names = dir.join("names");
    assert!(run(dir, to, ("ESTAFETTE_FAIL_COUNT", names.as_os_str())));
    std::fs::read_to_string(names).unwrap().lines().map(str::to_owned).collect()
}

/// Where it moves to: what `estafette move` is given, and the directory that serves it.
type Target = (String, Box<dyn Fn() -> TempDir>);

/// Kills a move at each point in turn, looks at both places, and takes it up again.
fn killed_anywhere(source: &dyn Fn() -> (TempDir, Box<dyn std::any::Any>), target: &dyn Fn(&Path) -> Target) {
    let (dir, _kept) = source();
    let names = passages(dir.path(), &target(dir.path()).0);
    for point in ["move/begun", "move/going", "move/copied", "move/gone"] {
        assert!(names.iter().any(|name| name == point), "{names:?}");
    }
    for (passed, name) in names.iter().enumerate() {
        let (dir, _kept) = source();
        let before = chain(&gateway::store_of(dir.path()).unwrap());
        let (to, served_at) = target(dir.path());
        let plan = format!("*:{}", passed + 1);
        assert!(!run(dir.path(), &to, ("ESTAFETTE_FAIL", plan.as_ref())), "killed at {name}");
        let there = served_at();
        let (one, two) = (why_not(dir.path()), why_not(there.path()));
        assert!(one.is_some() || two.is_some(), "both places serve, {name}");
        let taken = pipe(dir.path(), 1);
        assert_eq!(taken, one.is_none(), "{name}: {one:?}");
        drop(there);
        // The last step may have been taken.
        let again = gateway::move_to(dir.path(), &to).map(|(_, moved)| moved.entries);
        let done = again.as_ref().err().is_some_and(|error| error.to_string().contains("has moved to"));
        assert!(done || again.as_ref().is_ok_and(|entries| *entries as usize == before.len()), "{name}: {again:?}");
        let left = why_not(dir.path());
        assert!(left.as_ref().is_some_and(|why| why.contains("has moved to")), "{name}: {left:?}");
        assert!(!pipe(dir.path(), 2), "{name}");
        let there = served_at();
        assert_eq!(why_not(there.path()), None, "{name}");
        let store = gateway::store_of(there.path()).unwrap();
        assert_eq!(chain(&store), before, "{name}");
        assert_eq!(store.integrity().unwrap(), Vec::<String>::new(), "{name}");
        assert_eq!(store.new_mails(9).unwrap().len(), usize::from(taken), "{name}: a mail that was taken is there");
    }
}

fn in_a_file() -> TempDir {
    let bench = Bench::with_game("toy-1", "toy-fellows");
    let Bench { dir, office, .. } = bench;
    drop(office);
    dir
}

#[test]
fn a_move_to_a_server_that_is_killed_anywhere_loses_no_mail_and_never_two_places_serve() {
    let rows = Rows::get();
    let first = in_a_file();
    let source = || -> (TempDir, Box<dyn std::any::Any>) { (copied(first.path()), Box::new(())) };
    killed_anywhere(&source, &|_| {
        let address = rows.fresh();
        (address.clone(), Box::new(move || at(Some(&address), None)))
    });
}

#[test]
fn a_move_to_a_file_that_is_killed_anywhere_loses_no_mail_and_never_two_places_serve() {
    let rows = Rows::get();
    let first = in_a_file();
    let source = || -> (TempDir, Box<dyn std::any::Any>) {
        let (file, address) = (copied(first.path()), rows.fresh());
        gateway::move_to(file.path(), &address).unwrap();
        (at(Some(&address), None), Box::new(file))
    };
    killed_anywhere(&source, &|dir| {
        let file: PathBuf = dir.join("new.db");
        (file.display().to_string(), Box::new(move || at(None, Some(&file))))
    });
}

#[test]
fn a_move_that_broke_off_can_be_given_up_and_one_that_is_done_cannot() {
    let dir = in_a_file();
    let asked = |verb: &str, more: &[&str]| {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let args = ["estafette", verb, "--dir", dir.path().to_str().unwrap()].into_iter().chain(more.iter().copied());
        let code = estafette::cli::run(args.map(OsString::from), TOYS, &mut out, &mut err);
        (code, String::from_utf8(out).unwrap() + &String::from_utf8(err).unwrap())
    };
    let said = |more: &[&str]| asked("move", more);
    let (code, words) = said(&["--stay"]);
    assert!(code != 0 && words.contains("is not being moved"), "{words}");
    let file = dir.path().join("other.db");
    let to = file.to_str().unwrap();
    assert!(!run(dir.path(), to, ("ESTAFETTE_FAIL", "move/going:1".as_ref())));
    let why = why_not(dir.path()).unwrap();
    assert!(why.contains("is being moved to") && why.contains("estafette move --stay"), "{why}");
    // Into another place it does not go meanwhile.
    let elsewhere = dir.path().join("third.db");
    let (code, words) = said(&[elsewhere.to_str().unwrap()]);
    assert!(code != 0 && words.contains("is being moved to") && words.contains("other.db"), "{words}");
    assert!(!elsewhere.exists(), "a file that nothing came into stays");
    let (code, words) = said(&["--stay"]);
    assert!(code == 0 && words.contains("stays"), "{words}");
    assert_eq!(why_not(dir.path()), None);
    assert!(pipe(dir.path(), 1));
    // What was begun there serves nobody, and is what the next move fills.
    let there = at(None, Some(&file));
    assert!(why_not(there.path()).unwrap().contains("is being filled from"));
    let (code, words) = said(&[to]);
    assert_eq!(code, 0, "{words}");
    let (code, words) = said(&["--stay"]);
    assert!(code != 0 && words.contains("has moved to"), "{words}");
    // Who looks at the old place is told; nobody makes a backup of it.
    let (code, words) = asked("status", &[]);
    assert!(code == 0 && words.contains("has moved to") && words.contains("toy-1"), "{words}");
    let copy = dir.path().join("copy.db");
    let (code, words) = asked("backup", &[copy.to_str().unwrap()]);
    assert!(code != 0 && words.contains("has moved to") && !copy.exists(), "{words}");
    // Where a place holds something it is said what to name.
    let full = in_a_file();
    let refused = gateway::move_to(full.path(), to).unwrap_err().to_string();
    assert!(refused.contains("name an empty database, or a new file"), "{refused}");
    assert_eq!(why_not(full.path()), None);
}

#[test]
fn a_place_that_holds_another_programs_tables_is_refused_and_stays_as_it_was() {
    let (dir, rows) = (in_a_file(), Rows::get());
    let refused = |to: &str| gateway::move_to(dir.path(), to).unwrap_err().to_string();
    let address = rows.fresh();
    // Names that ours are not, and one that is.
    ask(
        &address,
        "CREATE TABLE customers (id INT); CREATE TABLE schema_version (version TEXT); INSERT INTO schema_version VALUES ('1')",
    );
    let said = refused(&address);
    assert!(said.contains("the table public.customers") && said.contains("name an empty database"), "{said}");
    let there = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1";
    assert_eq!(ask(&address, there), [["customers"], ["schema_version"]]);
    // Nor does a post office begin beside them.
    ask(&address, "DROP TABLE schema_version");
    let said = Store::on_server(&address, true).err().unwrap().to_string();
    assert!(said.contains("the table public.customers"), "{said}");
    assert_eq!(ask(&address, there), [["customers"]]);
    let file = dir.path().join("theirs.db");
    rusqlite::Connection::open(&file).unwrap().execute_batch("CREATE TABLE customers (id INT)").unwrap();
    let notes = dir.path().join("notes.txt");
    std::fs::write(&notes, "No database, only notes.\n".repeat(30)).unwrap();
    for (place, words) in [(&file, "the table customers"), (&notes, "there is something already")] {
        let before = std::fs::read(place).unwrap();
        let said = refused(place.to_str().unwrap());
        assert!(said.contains(words) && said.contains("name an empty database, or a new file"), "{said}");
        assert_eq!(std::fs::read(place).unwrap(), before, "{words}");
    }
    assert_eq!(why_not(dir.path()), None);
}
