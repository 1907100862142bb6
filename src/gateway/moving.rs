//! A post office that moves from a file to a server, or back.

use super::error::OfficeError;
use super::files::{LOCK, store_of, take_away};
use super::office::{LEAD, lock};
use crate::dsn::is_address;
use crate::fail;
use crate::store::{Moved, Store, StoreError, Whereabouts};

use std::path::{Path, PathBuf};

/// Copies a post office to an empty database and compares; the one that it came from serves no more. Where to, and how much.
/// Where that broke off, the same once more takes it up.
///
/// # Errors
/// A daemon at work; a target that holds something else; either database. Where nothing was copied the post office stays.
pub fn move_to(dir: &Path, to: &str) -> Result<(String, Moved), OfficeError> {
    alone(dir, |store| moved(store, to))
}

/// Has a post office stay whose move broke off before all of it was copied.
///
/// # Errors
/// A daemon at work; one that has moved already, or does not move; the database.
pub fn stay(dir: &Path) -> Result<(), OfficeError> {
    alone(dir, |store| {
        store.moves();
        match store.whereabouts()? {
            Some(Whereabouts::Going(_)) => Ok(store.stays()?),
            Some(elsewhere) => Err(refused(store, &elsewhere)),
            None => Err(OfficeError::Refused(format!("{}: it is not being moved.", store.path().display()))),
        }
    })
}

/// Does something with a post office that nobody serves meanwhile.
fn alone<T>(dir: &Path, work: impl FnOnce(&Store) -> Result<T, OfficeError>) -> Result<T, OfficeError> {
    let store = store_of(dir)?;
    let _lock = if store.is_shared() { None } else { Some(lock(&dir.join(LOCK))?) };
    if !store.hold(LEAD, false)? {
        return Err(OfficeError::Refused("a worker serves from this database; stop all of them first.".to_owned()));
    }
    let done = work(&store);
    store.let_go(LEAD);
    done
}

fn moved(store: &Store, to: &str) -> Result<(String, Moved), OfficeError> {
    let from = place_of(store);
    let here = store.whereabouts()?;
    if let Some(coming @ Whereabouts::Coming(_)) = &here {
        return Err(refused(store, coming));
    }
    let new = NewFile::at(to);
    let target = Store::to_fill(to, &from).map_err(|error| match (&here, error) {
        // The last step was taken already.
        (Some(elsewhere @ Whereabouts::Gone(_)), StoreError::Exists { .. }) => refused(store, elsewhere),
        // Without the password that the address may hold.
        (_, StoreError::Exists { path, .. }) => OfficeError::Refused(format!(
            "{}: there is something already; name an empty database, or a new file.",
            path.display()
        )),
        (_, error @ StoreError::Occupied { .. }) => OfficeError::Refused(error.to_string()),
        (_, error) => error.into(),
    })?;
    let place = place_of(&target);
    match &here {
        Some(elsewhere @ (Whereabouts::Gone(other) | Whereabouts::Going(other))) if *other != place => {
            return Err(refused(store, elsewhere));
        }
        _ => {}
    }
    store.moves();
    fail::point("move/begun");
    if here.is_none() {
        store.going_to(&place)?;
    }
    fail::point("move/going");
    let copied = match store.copy_all(&target) {
        Ok(copied) => copied,
        Err(error) => {
            if !matches!(here, Some(Whereabouts::Gone(_))) {
                store.stays()?;
            }
            return Err(error.into());
        }
    };
    fail::point("move/copied");
    new.stays();
    store.gone_to(&place)?;
    fail::point("move/gone");
    target.has_come()?;
    Ok((place, copied))
}

/// A file that a move makes; where nothing comes into it, it is taken away again.
struct NewFile(Option<PathBuf>);

impl NewFile {
    /// Where a move leads, if that is a file which is not there yet.
    fn at(to: &str) -> NewFile {
        NewFile((!is_address(to)).then(|| PathBuf::from(to)).filter(|file| !file.exists()))
    }

    /// All has come into it.
    fn stays(mut self) {
        self.0 = None;
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // What cannot be taken away is empty.
        let _ = self.0.as_deref().map(take_away);
    }
}

/// A database as the other one names it: a server's address, or the whole path of a file.
fn place_of(store: &Store) -> String {
    let path = store.path();
    let whole = if store.is_shared() { None } else { path.canonicalize().ok() };
    whole.as_deref().unwrap_or(path).display().to_string()
}

/// Refuses a database whose post office lies elsewhere now: two that serve would throw the same dice twice.
pub(super) fn is_here(store: &Store) -> Result<(), OfficeError> {
    // What is damaged is told where it is used, and stops no more than that.
    match store.whereabouts() {
        Ok(Some(elsewhere)) => Err(refused(store, &elsewhere)),
        _ => Ok(()),
    }
}

fn refused(store: &Store, elsewhere: &Whereabouts) -> OfficeError {
    OfficeError::Refused(store.elsewhere(elsewhere.clone()).to_string())
}
