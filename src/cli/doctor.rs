//! `estafette doctor` looks for what is wrong, and `estafette schema` says what files may hold.

use super::args::SchemaOf;
use super::progress::Progress;
use super::{Desk, Done, FOUND, Failure};
use crate::config::{Config, TransportKind};
use crate::games::Entry;
use crate::gateway::{self, Office, OfficeError, Tried, table};
use crate::letter::sheet;
use crate::mail::maildir;
use crate::store::{self, Game, GameState};
use serde_json::json;
use std::path::Path;
use std::time::Duration;

/// With less room than this on the disk, the doctor warns.
const FREE_BYTES_MIN: u64 = 64 << 20;
/// What is said of a post office whose clock cannot be right.
pub(super) const STOPPED: &str = "the post office has stopped for its clock";

impl Desk<'_> {
    /// Checks config, templates, database, mailboxes, permissions and that every game can be opened; with `rebuild`,
    /// makes the umpire's rows again.
    pub(super) fn doctor(&mut self, dir: &Path, (rebuild, thorough): (bool, bool), wait: u32) -> Done {
        let config = Config::load(&dir.join("config.toml")).map_err(OfficeError::from)?;
        let mut faults = Vec::new();
        // Looked at before the post office is opened, which makes the folders that are missing.
        if config.transport != TransportKind::Imap {
            faults.extend(maildir::faults(&dir.join("mail")));
        }
        faults.extend(little_room(dir));
        faults.extend(no_place(dir));
        let mut office = match Office::open(dir, self.entries, false) {
            Ok(office) => office,
            Err(error) => {
                if !self.json {
                    self.say_all(&faults)?;
                }
                return Err(error.into());
            }
        };
        if rebuild {
            faults.extend(self.mend(&office)?);
        }
        faults.extend(office.store.try_writing().err().map(|error| error.to_string()));
        faults.extend(office.store.examine(thorough)?);
        faults.extend(gateway::ailing(&office.store).unwrap_or_default().iter().map(|ailing| {
            format!("not working since {}: {}: {}", ailing.since, ailing.place, ailing.why.trim_end_matches('.'))
        }));
        faults.extend(keeps_from_serving(dir, &office));
        if !office.store.is_shared() {
            faults.extend(others_may_read(&dir.join("estafette.db")));
        }
        if office.config().holds_secrets() {
            faults.extend(others_may_read(&dir.join("config.toml")));
        }
        let proved = prove(&mut office, wait, &mut faults)?;
        let mut rebuilt = 0;
        // Where even the list of them is damaged, that was said above.
        let games = office.store.games().unwrap_or_default();
        for row in &games {
            if row.state == GameState::Corrupt {
                faults.push(format!("game {}: is set aside for its umpire", row.id));
            }
            if let Some(fault) = keeps_from_play(self.entries, &office, row) {
                faults.push(fault);
                continue;
            }
            if rebuild {
                match table::rebuilt_rows(self.entries, &office.store, row) {
                    Ok(rows) => {
                        office.store.act(|act| act.replace_rows(&row.id, &rows))?;
                        rebuilt += 1;
                    }
                    Err(why) => faults.push(format!("game {}: its rows cannot be recomputed: {why}", row.id)),
                }
            }
        }
        let code = if faults.is_empty() { 0 } else { FOUND };
        if self.json {
            self.say_json(&json!({"games": games.len(), "rebuilt": rebuilt, "faults": faults, "mail": proved}))?;
            return Ok(code);
        }
        self.say_all(&proved)?;
        self.say_all(&faults)?;
        if rebuild {
            self.say(&format!("the rows of {rebuilt} games were recomputed."))?;
        }
        let games = crate::text::plural(i64::try_from(games.len()).unwrap_or(i64::MAX), "game", "games");
        self.say(&if code == 0 { format!("{games}, all is well.") } else { format!("{games}, not all is well.") })?;
        Ok(code)
    }

    /// Takes the database for the newest there ever was, where nothing can say whether it is.
    pub(super) fn is_newest(&mut self, dir: &Path) -> Done {
        let office = Office::open(dir, self.entries, false)?;
        gateway::is_the_newest(dir, &office.store)?;
        if self.json {
            self.say_json(&json!({"newest": true}))?;
        } else {
            self.say("the database is taken for the newest; its mails are counted anew.")?;
        }
        Ok(0)
    }

    /// Makes anew what of the database can be, and says what else is wrong with it.
    fn mend(&mut self, office: &Office) -> Result<Option<String>, Failure> {
        let mended = office.store.mend()?;
        if mended.is_empty() && office.store.examine(false)?.is_empty() {
            return Ok(None);
        }
        if !self.json && !mended.is_empty() {
            self.say(&format!("made anew: {}.", mended.names().join(", ")))?;
        }
        // What was damaged lies in the file yet, and nothing uses it.
        Ok(office.store.compact().err().map(|error| error.to_string()))
    }

    /// What this program would make of every game; 1 where one cannot go on.
    pub(super) fn upgrade(&mut self, dir: &Path) -> Done {
        let progress = Progress::of(1, "games");
        let found = gateway::foresee(dir, self.entries, &mut |done, all| progress.at(done, all))?;
        drop(progress);
        let code = if found.iter().all(|game| game.goes_on) { 0 } else { FOUND };
        if self.json {
            self.say_json(&json!(found))?;
            return Ok(code);
        }
        for game in &found {
            self.say(&format!("{}  {}", game.game, game.said))?;
        }
        let games = crate::text::plural(i64::try_from(found.len()).unwrap_or(i64::MAX), "game", "games");
        self.say(&if code == 0 { format!("{games}, all go on.") } else { format!("{games}, not all go on.") })?;
        Ok(code)
    }

    pub(super) fn schema(&mut self, what: SchemaOf) -> Done {
        let text = match what {
            SchemaOf::Scenario => crate::rules::campaigns::load::schema(),
            SchemaOf::Austerlitz1805 => crate::rules::austerlitz1805::load::schema(),
            SchemaOf::Config => pretty(&schemars::schema_for!(Config)),
            SchemaOf::Case => pretty(&schemars::schema_for!(crate::cases::CaseFile)),
            SchemaOf::SeatView => pretty(&seat_view()),
        };
        self.say(&text)?;
        Ok(0)
    }
}

/// Tries the mailboxes, and looks for backups: what is well; the rest is added to the faults.
fn prove(office: &mut Office, wait: u32, faults: &mut Vec<String>) -> Result<Vec<String>, Failure> {
    let mut proved = Vec::new();
    match office.backups() {
        Ok(said) => proved.push(said),
        Err(why) => faults.push(why),
    }
    let said = |t: &Tried| format!("{}: {}", t.what, t.found.as_ref().unwrap_or_else(|why| why));
    for tried in office.prove(Duration::from_secs(u64::from(wait)))? {
        let list = if tried.found.is_ok() { &mut proved } else { &mut *faults };
        list.push(said(&tried));
    }
    Ok(proved)
}

/// The view of a seat, with what it sees in each ruleset.
fn seat_view() -> schemars::Schema {
    // As it is written: what is left out where it does not hold is not required.
    let written = || schemars::generate::SchemaSettings::draft2020_12().for_serialize().into_generator();
    let (mut schema, mut all) = (written().into_root_schema_for::<sheet::SeatView>(), written());
    let boards = [
        ("campaigns", all.subschema_for::<crate::report::campaigns::seat::Board>()),
        ("brave_fellows", all.subschema_for::<crate::report::brave_fellows::seat::Board>()),
        ("great_battles", all.subschema_for::<crate::report::great_battles::seat::Board>()),
        ("austerlitz1805", all.subschema_for::<crate::report::austerlitz1805::seat::Board>()),
    ];
    let titled = |(title, board): (&str, schemars::Schema)| {
        let mut board = board;
        board.insert("title".to_owned(), title.into());
        board.to_value()
    };
    if let Some(place) = schema.get_mut("properties").and_then(|all| all.get_mut("board")) {
        *place = serde_json::json!({
            "description": "What the ruleset sees: pieces, places, costs.",
            "anyOf": boards.map(titled),
        });
    }
    let defs = serde_json::Value::Object(all.take_definitions(true));
    if let (Some(old), Some(new)) = (schema.get_mut("$defs").and_then(|d| d.as_object_mut()), defs.as_object()) {
        old.extend(new.clone());
    } else {
        schema.insert("$defs".to_owned(), defs);
    }
    schema
}

fn pretty(schema: &schemars::Schema) -> String {
    serde_json::to_string_pretty(schema).unwrap_or_default()
}

/// A disk that is nearly full: what cannot be kept is not taken in.
fn little_room(dir: &Path) -> Option<String> {
    let free = store::free_bytes(dir)?;
    let said = || format!("{}: only {} kB are free on its disk; make room", dir.display(), free >> 10);
    (free < FREE_BYTES_MIN).then(said)
}

/// What keeps the daemon from starting, or from working once it has started.
fn keeps_from_serving(dir: &Path, office: &Office) -> Vec<String> {
    let stopped = gateway::stopped(&office.store).unwrap_or_default();
    let cure = "set the clock, or if it is right: estafette clock --right";
    let stopped = stopped.map(|why| format!("{STOPPED}: {why}; {cure}"));
    let older = gateway::is_newest(dir, &office.store).err().map(|error| error.to_string());
    stopped.into_iter().chain(older).collect()
}

/// What stands where the daemon needs a file, or keeps it from making one.
fn no_place(dir: &Path) -> Vec<String> {
    let trial = dir.join("estafette.trial");
    let made = std::fs::write(&trial, "").and_then(|()| std::fs::remove_file(&trial));
    let made = made.err().map(|error| format!("{}: no file can be made in it: {error}", dir.display()));
    gateway::no_files(dir).into_iter().chain(made).collect()
}

/// The database holds both sides' secrets.
#[cfg(unix)]
fn others_may_read(path: &Path) -> Option<String> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(path).ok()?.permissions().mode();
    (mode & 0o077 != 0).then(|| format!("{}: others may read it; chmod 600 it", path.display()))
}

#[cfg(not(unix))]
fn others_may_read(_path: &Path) -> Option<String> {
    None
}

/// Why a game cannot be played on, with the cure.
fn keeps_from_play(entries: &'static [Entry], office: &Office, row: &Game) -> Option<String> {
    match table::open(entries, &office.store, row) {
        Ok(game) => {
            let unproved =
                || table::proved(entries, game.as_ref(), &office.store, row).err().map(|why| why.to_string());
            let why = table::stuck(game.as_ref(), &[]).or_else(unproved);
            why.map(|why| format!("game {}: {why}", row.id))
        }
        Err(why) => Some(format!(
            "game {}: cannot be opened: {why} (restore the backup, or mend what it names and let RELEASE open it again)",
            row.id
        )),
    }
}
