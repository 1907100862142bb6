//! A fault harms one game alone, and a passing error harms nothing: mails that cannot be read, folders that cannot be
//! written, an empty database, changed rows, damaged pages, clocks that are set, a machine that slept.

use super::bench::{Bench, CONFIG, Mail, START, TOYS, campaign, copied, new_game, parsed, to};
use crate::packed;
use estafette::clock::Clock;
use estafette::gateway::{NewGame, Office, Place};
use estafette::mail::maildir::Maildir;
use estafette::store::GameState;
use jiff::SignedDuration;
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Runs a command of the program on a post office: exit code, output, complaint.
pub fn cli(dir: &Path, args: &[&str]) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let dir = dir.to_str().unwrap();
    let args = ["estafette"].into_iter().chain(args.iter().copied()).chain(["--dir", dir]);
    let code = estafette::cli::run(args.map(Into::into), TOYS, &mut out, &mut err);
    (code, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

/// Two games of toys that have begun, in a post office with an operator.
fn two_games() -> Bench {
    let mut bench = Bench::with_config(&format!("{CONFIG}operator = \"op@example.org\"\n"));
    for id in ["toy-1", "toy-2"] {
        bench.new_game(id, "toy-fellows", true);
    }
    bench.pass();
    for id in ["toy-1", "toy-2"] {
        for seat in ["french", "coalition"] {
            say(&mut bench, id, seat, "SIGNON\nNONCE x");
        }
    }
    bench.pass();
    bench
}

/// Posts an answer to the last mail of a seat of one of several games.
fn say(bench: &mut Bench, game: &str, seat: &str, body: &str) {
    let subject = bench.last_of(game, seat).subject;
    bench.post(&format!("{seat}@example.org"), &subject, body);
}

fn answered(bench: &Bench, game: &str) -> usize {
    bench.out().iter().filter(|mail| bench.is_in(mail, game) && mail.text.contains("  HISTORY")).count()
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_in_the_mailbox_is_passed_over_and_told_once() {
    let mut bench = two_games();
    let waiting = bench.dir.path().join("mail/in/new");
    fs::create_dir(waiting.join("000000000000.folder")).unwrap();
    std::os::unix::fs::symlink("nowhere", waiting.join("000000000000.link")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(waiting.join("000000000000.pipe")).status().unwrap().success());
    say(&mut bench, "toy-1", "french", "HISTORY");
    let mails = bench.pass();
    assert_eq!(to(&mails, "french").len(), 1, "{mails:#?}");
    let told: Vec<_> = mails.iter().filter(|mail| mail.to == "op@example.org").collect();
    assert_eq!(told.len(), 3, "{mails:#?}");
    assert!(told.iter().all(|mail| mail.text.split_whitespace().collect::<String>().contains("isnoplainfile")));
    for _ in 0..3 {
        bench.advance(1);
        assert_eq!(bench.pass(), [], "once");
    }
    assert_eq!(bench.office.ailing().len(), 3);
    let (code, out, _) = cli(bench.dir.path(), &["doctor"]);
    assert!(code == 1 && out.matches("is no plain file; take it away").count() >= 3, "{out}");
    let (_, out, _) = cli(bench.dir.path(), &["status"]);
    assert!(out.contains("000000000000.pipe"), "{out}");
    fs::remove_dir(waiting.join("000000000000.folder")).unwrap();
    fs::remove_file(waiting.join("000000000000.link")).unwrap();
    fs::remove_file(waiting.join("000000000000.pipe")).unwrap();
    bench.advance(1);
    bench.pass();
    assert_eq!(bench.office.ailing(), []);
    assert_eq!(cli(bench.dir.path(), &["doctor"]).0, 0);
    assert!(!cli(bench.dir.path(), &["status"]).1.contains("not working"));
}

#[test]
fn mails_that_cannot_be_put_away_are_answered_all_the_same_and_none_twice() {
    let mut bench = two_games();
    say(&mut bench, "toy-1", "french", "HISTORY");
    say(&mut bench, "toy-2", "coalition", "HISTORY");
    let cur = bench.dir.path().join("mail/in/cur");
    // Where a mail is to go, something else stands.
    let places: Vec<_> = fs::read_dir(bench.dir.path().join("mail/in/new"))
        .unwrap()
        .map(|entry| cur.join(format!("{}:2,S", entry.unwrap().file_name().to_string_lossy())))
        .collect();
    assert_eq!(places.len(), 2);
    places.iter().for_each(|place| fs::create_dir(place).unwrap());
    let mails = bench.pass();
    assert_eq!((to(&mails, "french").len(), to(&mails, "coalition").len()), (1, 1), "{mails:#?}");
    assert!(mails.iter().any(|mail| mail.to == "op@example.org" && mail.text.contains("could not move")), "{mails:#?}");
    assert!(cli(bench.dir.path(), &["status"]).1.contains("could not move"));
    let (code, out, _) = cli(bench.dir.path(), &["doctor"]);
    assert!(code == 1 && out.contains("belongs to the daemon"), "{out}");
    places.iter().for_each(|place| fs::remove_dir(place).unwrap());
    bench.advance(1);
    assert_eq!(bench.pass(), []);
    assert_eq!(bench.office.ailing(), []);
    assert_eq!(fs::read_dir(bench.dir.path().join("mail/in/new")).unwrap().count(), 0);
}

#[test]
fn the_doctor_tries_each_folder_as_the_daemon_uses_it() {
    for folder in ["mail/in/tmp", "mail/out/new", "mail/bad"] {
        let Bench { dir, office, .. } = two_games();
        drop(office);
        assert_eq!(cli(dir.path(), &["doctor"]).0, 0);
        let path = dir.path().join(folder);
        fs::rename(&path, dir.path().join("aside")).unwrap();
        fs::write(&path, "no folder").unwrap();
        let (code, out, err) = cli(dir.path(), &["doctor"]);
        assert!(code != 0 && out.contains(folder) && out.contains("Check that"), "{folder}: {out} {err}");
        fs::remove_file(&path).unwrap();
        fs::rename(dir.path().join("aside"), &path).unwrap();
        assert_eq!(cli(dir.path(), &["doctor"]).0, 0, "{folder}");
        assert_eq!(
            fs::read_dir(&path)
                .unwrap()
                .filter(|e| e.as_ref().unwrap().file_name().to_string_lossy().starts_with('.'))
                .count(),
            0
        );
    }
}

#[test]
fn a_folder_in_the_place_of_a_file_is_found_by_the_doctor() {
    let Bench { dir, office, .. } = two_games();
    drop(office);
    let path = dir.path().join("estafette.lock");
    let _ = fs::remove_file(&path);
    fs::create_dir(&path).unwrap();
    let (code, out, _) = cli(dir.path(), &["doctor"]);
    assert!(code == 1 && out.contains("estafette.lock: a folder stands"), "{code} {out}");
}

#[test]
fn an_empty_database_is_no_new_post_office() {
    let mut bench = two_games();
    say(&mut bench, "toy-1", "french", "HISTORY");
    let Bench { dir, office, .. } = bench;
    drop(office);
    let db = dir.path().join("estafette.db");
    let whole = fs::read(&db).unwrap();
    let empty = || {
        let path = dir.path().join("empty.db");
        Connection::open(&path).unwrap().execute_batch("VACUUM; PRAGMA journal_mode = WAL;").unwrap();
        fs::read(path).unwrap()
    };
    for bytes in [Some(Vec::new()), Some(empty()), None] {
        match &bytes {
            Some(bytes) => fs::write(&db, bytes).unwrap(),
            None => fs::remove_file(&db).unwrap(),
        }
        for args in [&["serve", "--once"][..], &["status"], &["doctor"], &["mail", "list"], &["deliver"]] {
            let (code, _, err) = cli(dir.path(), args);
            assert!(code != 0 && (err.contains("restore the backup") || args == ["deliver"]), "{args:?} {code} {err}");
        }
        if bytes.as_ref().is_none_or(Vec::is_empty) {
            let (code, _, err) = cli(dir.path(), &["init"]);
            assert!(code == 3 && err.contains("Restore its backup"), "{code} {err}");
        }
        assert_eq!(fs::read_dir(dir.path().join("mail/in/new")).unwrap().count(), 1, "the mail waits");
    }
    fs::write(&db, whole).unwrap();
    assert_eq!(cli(dir.path(), &["serve", "--once"]).0, 0);
    assert_eq!(fs::read_dir(dir.path().join("mail/in/new")).unwrap().count(), 0);
}

/// Changes a post office's rows with no daemon at work, and has both games write.
fn changed(what: &str, change: &dyn Fn(&Connection)) -> (Bench, Vec<super::bench::Mail>) {
    let bench = two_games();
    let rows = Connection::open(bench.dir.path().join("estafette.db")).unwrap();
    packed::unguarded(&rows);
    change(&rows);
    let mut bench = bench.reopened();
    for game in ["toy-1", "toy-2"] {
        say(&mut bench, game, "french", "HISTORY");
    }
    let mails = bench.pass();
    assert_eq!((answered(&bench, "toy-1"), answered(&bench, "toy-2")), (0, 1), "{what}: {mails:#?}");
    assert_eq!(bench.office.store.game("toy-1").unwrap().unwrap().state, GameState::Corrupt, "{what}");
    assert_eq!(bench.office.store.game("toy-2").unwrap().unwrap().state, GameState::Playing, "{what}");
    (bench, mails)
}

/// The same by a statement.
fn changed_by(sql: &str) -> (Bench, Vec<super::bench::Mail>) {
    changed(sql, &|rows| rows.execute_batch(sql).unwrap())
}

#[test]
fn a_chain_that_was_changed_is_not_played_on() {
    changed("the body of an event", &|rows| {
        let last = packed::last_of_kind(rows, "toy-1", "event");
        packed::change(rows, "toy-1", last, |entry| entry.body.push(' '));
    });
    changed_by("UPDATE log_heads SET hash = 'x' WHERE game = 'toy-1'");
    changed("a slot", &|rows| packed::change(rows, "toy-1", 2, |entry| entry.slot += 1));
    changed_by("UPDATE segments SET body = x'00' WHERE game = 'toy-1' AND seq_from = 1");
    let (bench, mails) = changed_by("UPDATE open_leg SET body = body || ' ' WHERE game = 'toy-1'");
    assert!(mails.iter().any(|mail| mail.to == "umpire@example.org" && mail.text.contains("set aside")), "{mails:#?}");
    // Where its log takes no more entries, the operator hears of it all the same.
    let (_, mails) = changed_by("DELETE FROM log_heads WHERE game = 'toy-1'");
    let told = |mail: &&Mail| mail.to == "op@example.org" && mail.subject.contains("a game is set aside");
    assert_eq!(mails.iter().filter(told).count(), 1, "{mails:#?}");
    let (code, out, _) = cli(bench.dir.path(), &["doctor"]);
    assert!(code == 1 && out.contains("open leg of toy-1"), "{out}");
    // A leg that is whole, but of another time.
    changed_by(
        "UPDATE open_leg SET (body, head, digest) = (SELECT body, head, digest FROM open_leg WHERE game = 'toy-2') WHERE game = 'toy-1'",
    );
}

#[test]
fn a_game_kept_by_the_estafette_of_before_is_opened() {
    let bench = two_games();
    let rows = Connection::open(bench.dir.path().join("estafette.db")).unwrap();
    rows.execute("UPDATE open_leg SET head = NULL, digest = NULL", ()).unwrap();
    let mut bench = bench.reopened();
    say(&mut bench, "toy-1", "french", "HISTORY");
    bench.pass();
    assert_eq!(answered(&bench, "toy-1"), 1);
}

/// A game that has begun, served by the daemon.
pub fn served(hours: u32) -> Bench {
    let mut bench = Bench::with_config(&format!("{CONFIG}operator = \"op@example.org\"\n"));
    let game = NewGame { deadline_hours: Some(hours), ..new_game("toy-7", "toy-fellows", true) };
    bench.office.new_game(&game).unwrap();
    bench.pass();
    bench.reply("french", "SIGNON\nNONCE x");
    bench.reply("coalition", "SIGNON\nNONCE y");
    let Bench { dir, .. } = bench.reopened();
    Bench::served(dir)
}

#[test]
fn a_clock_that_is_right_again_sets_the_post_office_going_by_itself() {
    for hours in [30 * 24, -48] {
        let mut bench = served(48);
        bench.pass();
        bench.advance(1);
        bench.pass();
        let jumped = SignedDuration::from_hours(hours);
        bench.office.clock_mut().jump(jumped);
        assert!(bench.pass().iter().any(|mail| mail.to == "op@example.org" && mail.subject.contains("jumped")));
        say(&mut bench, "toy-7", "french", "HISTORY");
        bench.advance(2);
        assert_eq!(bench.pass(), [], "as long as it is wrong, nothing is done");
        bench.office.clock_mut().jump(-jumped);
        let mails = bench.pass();
        let told = mails.iter().find(|mail| mail.to == "op@example.org");
        assert!(told.is_some_and(|mail| mail.text.contains("right again")), "{mails:#?}");
        assert_eq!(to(&mails, "french").len(), 1, "{mails:#?}");
        assert_eq!(bench.pass(), []);
    }
}

#[test]
fn a_machine_that_slept_had_its_post_office_closed() {
    let mut bench = served(48);
    bench.pass();
    let due = |bench: &Bench| bench.office.store.dues("toy-7").unwrap().iter().filter_map(|d| d.due_at.clone()).min();
    let before: jiff::Timestamp = due(&bench).unwrap().parse().unwrap();
    bench.advance(10);
    let mails = bench.pass();
    assert!(to(&mails, "french")[0].text.contains("The post office was closed"), "{mails:#?}");
    let after: jiff::Timestamp = due(&bench).unwrap().parse().unwrap();
    assert_eq!(after.duration_since(before), SignedDuration::from_hours(10));
    assert!(!mails.iter().any(|mail| mail.to == "op@example.org"), "it is no jump of the clock: {mails:#?}");
    // The system's own steady time counts from the start of the machine, its sleep with it.
    let system = Clock::system();
    let first = system.steady();
    assert!(system.steady() >= first && first > SignedDuration::ZERO);
    assert!(cfg!(not(target_os = "linux")) || system.boot().is_some());
}

/// Three games of the real ruleset, each of another scenario, that have been written about for some days, and an order
/// mail of each in the box.
fn three_games() -> tempfile::TempDir {
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/campaigns");
    let mut bench = Bench::new();
    for (game, scenario) in
        [("strem-1", "teaching.yaml"), ("strem-2", "1792-valmy.yaml"), ("strem-3", "1800-marengo.yaml")]
    {
        let files = estafette::scenario::files(&scenarios.join(scenario)).unwrap();
        bench.office.new_game(&NewGame { id: game.to_owned(), ..campaign(&files) }).unwrap();
        bench.pass();
        for seat in ["french", "coalition"] {
            say(&mut bench, game, seat, "SIGNON\nNONCE x\nEND");
            bench.pass();
        }
        for _ in 0..DAYS {
            say(&mut bench, game, "french", "FORMAT BOTH\nREPORT TURN 0\nORDERS\nMAP");
            bench.pass();
            bench.office.clock_mut().advance(SignedDuration::from_hours(1));
        }
    }
    for game in ["strem-1", "strem-2", "strem-3"] {
        say(&mut bench, game, "french", "HISTORY\nFORCE Lannes COMMAND MARCH 0305 0405");
    }
    let Bench { dir, office, .. } = bench;
    drop(office);
    dir
}

/// How many mails each of the three games has sent to the seat that writes.
fn sent_by_game(dir: &Path) -> [usize; 3] {
    let sent = Maildir::open(&dir.join("mail")).unwrap().sent().unwrap();
    let sent: Vec<Mail> = sent.into_iter().map(parsed).collect();
    ["strem-1", "strem-2", "strem-3"].map(|game| {
        let tail = format!("- {game} [");
        sent.iter().filter(|mail| mail.to.starts_with("french") && mail.subject.contains(&tail)).count()
    })
}

/// How many of the three games answer their mail, in a few passes; none where the post office cannot be opened.
fn games_that_go_on(dir: &Path) -> Option<usize> {
    let before = sent_by_game(dir);
    let mut office = Office::with_clock(dir, TOYS, true, Clock::from_text(START).unwrap()).ok()?;
    for _ in 0..3 {
        office.pass().unwrap();
        office.clock_mut().advance(SignedDuration::from_mins(2));
    }
    Some(sent_by_game(dir).iter().zip(before).filter(|(after, before)| *after > before).count())
}

/// Mails that each of the three games has been written.
const DAYS: usize = 90;
/// Of the pages that games share, every so manieth is damaged; of the others.
const STRIDES: [usize; 2] = [5, 90];

/// The names of all pages, and those that games share: the schema, what leads to the leaves of a table or an index, and the
/// leaf of each where its next row goes.
fn page_names(db: &Connection) -> (BTreeMap<usize, String>, BTreeSet<usize>) {
    let mut pages = db.prepare("SELECT pageno, name, pagetype FROM dbstat ORDER BY name, path").unwrap();
    let row = |row: &rusqlite::Row<'_>| Ok((usize::try_from(row.get::<_, i64>(0)?).unwrap(), row.get(1)?, row.get(2)?));
    let pages: Vec<(usize, String, String)> = pages.query_map((), row).unwrap().map(Result::unwrap).collect();
    let last: BTreeMap<&String, usize> =
        pages.iter().filter(|(.., kind)| kind == "leaf").map(|(page, name, _)| (name, *page)).collect();
    let shares = |(page, name, kind): &&(usize, String, String)| {
        kind == "internal" || name == "sqlite_schema" || last.get(name) == Some(page)
    };
    let shared = pages.iter().filter(shares).map(|(page, ..)| *page).collect();
    (pages.iter().map(|(page, name, kind)| (*page, format!("{name} {kind}"))).collect(), shared)
}

/// The pages that games share and the others are drawn from apart, and each draw counts for as many as it stands for: at most
/// three pages in a hundred may stop more than one game.
///
/// PAGES=all damages every page; the short run takes some of each kind, and one of the few others that stop more than one
/// game may be among them.
#[test]
fn whatever_a_damaged_page_stops_the_doctor_says_so_with_the_cure() {
    let all = std::env::var("PAGES").is_ok_and(|pages| pages == "all");
    let dir = three_games();
    let whole = {
        let db = Connection::open(dir.path().join("estafette.db")).unwrap();
        db.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
        fs::read(dir.path().join("estafette.db")).unwrap()
    };
    let pages = whole.len() / 4096;
    let copy = copied(dir.path());
    let (names, shared) = page_names(&Connection::open(copy.path().join("estafette.db")).unwrap());
    let sound = copied(dir.path());
    assert_eq!(games_that_go_on(sound.path()), Some(3), "undamaged");
    let (shared, others): (Vec<usize>, Vec<usize>) = (1..=pages).partition(|page| shared.contains(page));
    let mut whim = crate::toys::Whim(7);
    let (mut tried, mut one, mut several, mut stands_for) = (0, 0, Vec::new(), 0);
    let mut untold: Vec<String> = Vec::new();
    for (kind, stride) in [shared, others].into_iter().zip(if all { [1, 1] } else { STRIDES }) {
        for page in kind.into_iter().step_by(stride) {
            let zeroes = page % 2 == 0;
            tried += 1;
            let hurt = copied(dir.path());
            let mut bytes = whole.clone();
            let spot = &mut bytes[(page - 1) * 4096..page * 4096];
            spot.iter_mut().for_each(|byte| *byte = if zeroes { 0 } else { u8::try_from(whim.below(256)).unwrap() });
            fs::write(hurt.path().join("estafette.db"), bytes).unwrap();
            let name = names.get(&page).map_or("unused", String::as_str);
            let what = format!("{page} {name}{}", if zeroes { " (0)" } else { "" });
            match games_that_go_on(hurt.path()) {
                None | Some(0 | 1) => {
                    several.push(what.clone());
                    stands_for += stride;
                }
                Some(2) => one += 1,
                Some(_) => continue,
            }
            let (code, out, err) = cli(hurt.path(), &["doctor"]);
            let cure = ["restore", "--rebuild"].iter().any(|word| out.contains(word) || err.contains(word));
            if code == 0 || !cure {
                untold.push(format!("{what}: {code} {out} {err}"));
            }
        }
    }
    println!("{pages} pages, {tried} damaged: {one} stop one game, {stands_for} several: {several:?}");
    assert!(tried > 15);
    assert_eq!(untold, Vec::<String>::new());
    let drawn = if all { 0 } else { STRIDES[1] };
    assert!(stands_for <= pages * 3 / 100 + drawn, "{stands_for} of {pages}: {several:?}");
}

#[test]
fn a_damaged_index_is_made_anew_and_told_and_everything_goes_on() {
    for index in [
        "inbox_lanes",
        "outbox_in_turn",
        "games_by_wake",
        "sqlite_autoindex_inbox_1",
        "sqlite_autoindex_segments_1",
        "rate",
        "marks",
        "log_heads",
    ] {
        made_anew(index, "the disk may be failing", &|db| {
            let root: i64 = Connection::open(db)
                .unwrap()
                .query_row("SELECT rootpage FROM sqlite_schema WHERE name = ?1", [index], |row| row.get(0))
                .unwrap();
            let mut bytes = fs::read(db).unwrap();
            let at = usize::try_from(root - 1).unwrap() * 4096;
            bytes[at..at + 4096].fill(0);
            fs::write(db, bytes).unwrap();
        });
    }
}

#[test]
fn a_missing_table_is_named_with_the_backup_as_its_cure() {
    let bench = two_games();
    let Bench { dir, office, .. } = bench;
    drop(office);
    Connection::open(dir.path().join("estafette.db")).unwrap().execute_batch("DROP TABLE rate").unwrap();
    let mut bench = Bench::served(dir);
    say(&mut bench, "toy-1", "french", "HISTORY");
    bench.office.pass().unwrap();
    let said: Vec<String> = bench.office.ailing().into_iter().map(|ailing| ailing.why).collect();
    let cured = |why: &String| why.contains("missing: the table rate; ") && why.contains("restore the backup");
    assert!(said.iter().any(cured) && !said.iter().any(|why| why.contains("disk")), "{said:?}");
    let found = bench.office.store.integrity().unwrap();
    assert_eq!(found, ["schema: the table rate is missing; stop the daemon and restore the backup"]);
}

#[test]
fn a_missing_index_is_made_anew_and_told_and_everything_goes_on() {
    for index in ["inbox_lanes", "outbox_in_turn", "games_by_wake"] {
        let dropped = |db: &Path| Connection::open(db).unwrap().execute_batch(&format!("DROP INDEX {index}")).unwrap();
        made_anew(index, "another program, or a person, took it away", &dropped);
    }
}

/// Something happens to an index while nobody serves, and two games are asked for; the operator is told whose fault it is.
fn made_anew(index: &str, fault: &str, damage: &dyn Fn(&Path)) {
    let bench = two_games();
    let Bench { dir, office, .. } = bench;
    drop(office);
    damage(&dir.path().join("estafette.db"));
    let mut bench = Bench::served(dir);
    for game in ["toy-1", "toy-2"] {
        say(&mut bench, game, "french", "HISTORY");
    }
    for _ in 0..3 {
        bench.office.pass().unwrap();
        bench.advance(1);
    }
    assert_eq!((answered(&bench, "toy-1"), answered(&bench, "toy-2")), (1, 1), "{index}");
    let mut told = bench.out();
    told.retain(|m| m.to == "op@example.org" && m.text.contains(index));
    assert_eq!(told.len(), 1, "{index}");
    let text = told[0].text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(fault) && text.contains("disk") == fault.contains("disk"), "{index}: {text}");
    assert!(bench.office.ailing().iter().all(|ailing| matches!(ailing.place, Place::Step(_))), "{index}");
    let (_, out, err) = cli(bench.dir.path(), &["doctor", "--rebuild", "--thorough"]);
    assert!(out.contains("not working since") && !out.contains("file:"), "{index}: {out} {err}");
    assert_eq!(bench.office.store.integrity().unwrap(), Vec::<String>::new(), "{index}");
}
