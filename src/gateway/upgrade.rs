//! What a newer program makes of a post office: said before it serves, and a copy of what was there is made before it does.

use super::error::OfficeError;
use super::files::{server_of, take_away};
use super::office::owing;
use super::table::{self, Unopened};
use super::{program, when};
use crate::audit::bundle::{Asker, bundle};
use crate::audit::verify::verify;
use crate::clock::Clock;
use crate::games::{self, Entry};
use crate::host::Game;
use crate::store::{self, Fault, GameState, Store, StoreError};
use std::path::{Path, PathBuf};

/// Under which mark the post office keeps which program served it last.
const SERVED_BY: &str = "served by";

/// What becomes of one game.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Foreseen {
    /// The game.
    pub game: String,
    /// Whether it can go on under this program.
    pub goes_on: bool,
    /// What becomes of it, and what to do.
    pub said: String,
}

/// This program, as one line: its version, and of each ruleset what it plays.
fn own(entries: &[Entry]) -> String {
    let rules: Vec<String> = entries.iter().map(|entry| format!("{} {}", entry.name, program::own(entry))).collect();
    format!("{}; {}", env!("CARGO_PKG_VERSION"), rules.join("; "))
}

/// Opens and replays every game of a post office with this program, on a copy of its database, and says what would differ;
/// `tried` hears before each how many are done, and of how many.
/// The post office may be at work meanwhile; nothing of it is changed.
///
/// # Errors
/// When the database cannot be copied, or is a newer program's.
pub fn foresee(
    dir: &Path,
    entries: &'static [Entry],
    tried: &mut dyn FnMut(usize, usize),
) -> Result<Vec<Foreseen>, OfficeError> {
    let copy = dir.join("estafette.db.upgrade");
    // What cannot be taken away is told by whoever writes over it.
    let _ = take_away(&copy);
    // A file is copied as it is: this program must not bring it up to its own schema.
    let made = match server_of(dir) {
        Some(address) => Store::look_on_server(&address.0)?.backup(&copy, &when::kept(crate::clock::now()?)),
        None => store::copy_of(&dir.join("estafette.db"), &copy),
    };
    let done = made.map_err(OfficeError::from).and_then(|()| on_copy(&copy, entries, tried));
    let _ = take_away(&copy);
    done
}

fn on_copy(
    copy: &Path,
    entries: &'static [Entry],
    tried: &mut dyn FnMut(usize, usize),
) -> Result<Vec<Foreseen>, OfficeError> {
    let store = Store::open(copy)?;
    let mut found = Vec::new();
    let games = store.game_ids()?;
    let all = games.len();
    for (n, game) in games.into_iter().enumerate() {
        tried(n, all);
        // What is wrong with one game is said of that game, and keeps the others from nothing.
        let (goes_on, said) = match one(&store, &game, entries) {
            Err(OfficeError::Store(error)) if error.fault() != Fault::Passing => {
                let why = error.to_string().replace(&format!("{}: ", copy.display()), "");
                (false, format!("cannot go on: {why}.  `estafette doctor` says more"))
            }
            other => other?,
        };
        found.push(Foreseen { game, goes_on, said });
    }
    Ok(found)
}

fn one(store: &Store, game: &str, entries: &'static [Entry]) -> Result<(bool, String), OfficeError> {
    match store.game(game)? {
        None => Ok((false, "is not there any more".to_owned())),
        Some(row) if row.state == GameState::Over => {
            Ok((true, "is over; its audit says which program played what".to_owned()))
        }
        Some(row) if store.seats(&row.id)?.is_empty() => {
            Ok((false, "cannot go on: it has no seats.  Restore a backup".to_owned()))
        }
        Some(row) => of_game(store, &row, entries),
    }
}

fn of_game(store: &Store, row: &store::Game, entries: &'static [Entry]) -> Result<(bool, String), OfficeError> {
    let hosted = match table::open(entries, store, row) {
        Ok(hosted) => hosted,
        Err(Unopened::Store(error)) => return Err(error.into()),
        // What cannot be opened from its first entry on is no work of another program.
        Err(Unopened::Game(why)) if table::fresh(entries, store, row).is_err() => {
            let why = why.trim_end_matches('.');
            return Ok((false, format!("cannot go on: {why}.  Its scenario is damaged: restore a backup")));
        }
        Err(Unopened::Game(why)) => {
            let why = why.trim_end_matches('.');
            let seats = crate::text::and_list(&owing(store.dues(&row.id)?));
            let said = format!(
                "cannot go on: {why}.  Let the older program serve until {seats} has answered, or REWIND there to the last \
                 rest point"
            );
            return Ok((false, said));
        }
    };
    if let Some(why) = table::stuck(hosted.as_ref(), &owing(store.dues(&row.id)?)) {
        return Ok((false, format!("cannot go on: {why}")));
    }
    if row.state == GameState::Forming {
        let odd = at_odds(store, row, hosted.as_ref(), entries)?;
        return Ok(odd.map_or_else(|| (true, "is being formed, and goes on".to_owned()), |said| (false, said)));
    }
    let log = store.log(&row.id, 1)?;
    let entries_of = |log: &[store::LogEntry]| -> Vec<(u32, String, String)> {
        log.iter().map(|entry| (entry.slot, entry.kind.clone(), entry.body.clone())).collect()
    };
    let changed = match games::find(entries, &row.ruleset) {
        Ok(entry) => program::changes_since(store, row, entry)?,
        Err(_) => Vec::new(),
    };
    let news = if changed.is_empty() {
        String::new()
    } else {
        format!("  Read otherwise from its next rest point on, and told to all: {}", changed.join(", "))
    };
    Ok(match hosted.replay(&entries_of(&log)) {
        Ok(_) => match at_odds(store, row, hosted.as_ref(), entries)? {
            Some(said) => (false, said),
            None => (true, format!("goes on; what was played comes out the same.{news}")),
        },
        Err(otherwise) => {
            let turn = log.get(otherwise.at).map_or(0, |entry| entry.slot);
            let said = format!(
                "goes on; this program would have played otherwise from entry {} (turn or slot {turn}) on.  What was played \
                 stays.{news}",
                otherwise.at + 1
            );
            (true, said)
        }
    })
}

/// What of a game's rows is at odds with its chain, such as a notice, a nonce or an epoch that is gone; as a sentence with the
/// cure.
fn at_odds(
    store: &Store,
    row: &store::Game,
    hosted: &dyn Game,
    entries: &'static [Entry],
) -> Result<Option<String>, OfficeError> {
    // Tags and Message-IDs follow from the epoch of the row, and a bundle has that of the chain alone.
    let mut restores = store.log_of_kind(&row.id, "post.restored", 1)?;
    restores.extend(store.log_of_kind(&row.id, "post.epoch", 1)?);
    let last = restores.into_iter().max_by_key(|entry| entry.seq);
    let last = last.and_then(|entry| serde_json::from_str::<serde_json::Value>(&entry.body).ok());
    let epoch = last.as_ref().and_then(|body| body.get("epoch")?.as_str()).unwrap_or_default();
    let why = if epoch == row.epoch {
        verify(&bundle(store, row, hosted, &Asker::All)?, entries).faults.into_iter().next()
    } else {
        Some("its epoch is not that of its last restore".to_owned())
    };
    Ok(why.map(|why| format!("cannot go on: {why}.  Restore a backup; `estafette audit` says more")))
}

/// Copies the database before another program than the one that served it last changes anything. A database that cannot be
/// read or copied stops nobody here: what is wrong with it is found and told where it is used.
pub(super) fn copy_before(dir: &Path, entries: &[Entry], clock: &Clock) {
    match copied_before(dir, entries, clock) {
        Ok(None) => {}
        Ok(Some(copy)) => {
            tracing::warn!(copy = %copy.display(), "another program served here before; the database is copied first");
        }
        Err(error) => tracing::warn!(%error, "the database cannot be copied before this program serves it"),
    }
}

fn copied_before(dir: &Path, entries: &[Entry], clock: &Clock) -> Result<Option<PathBuf>, StoreError> {
    let db = dir.join("estafette.db");
    let Some(before) = store::glance(&db, SERVED_BY)? else { return Ok(None) };
    let stamp = when::kept(clock.now()).replace(':', "");
    let copy = dir.join(format!("before-upgrade-{stamp}.db"));
    if before.as_deref() == Some(own(entries).as_str()) || copy.exists() {
        return Ok(None);
    }
    store::copy_of(&db, &copy)?;
    Ok(Some(copy))
}

/// Notes which program serves; where that cannot be noted, a copy is made once more at the next start.
pub fn serves(store: &Store, entries: &[Entry]) {
    let own = own(entries);
    if matches!(store.mark(SERVED_BY), Ok(Some(kept)) if kept == own) {
        return;
    }
    if let Err(error) = store.act(|act| act.set_mark(SERVED_BY, &own)) {
        tracing::warn!(%error, "which program serves cannot be noted");
    }
}
