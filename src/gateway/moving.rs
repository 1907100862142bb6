//! A post office that moves from a file to a server, or back.

use super::error::OfficeError;
use super::files::{LOCK, store_of};
use super::office::{LEAD, lock};
use crate::store::{Moved, Store};
use std::path::Path;

/// Under which mark a database says to where the post office has moved.
const MOVED: &str = "moved to";

/// Whether a place is the address of a server, and no file.
#[must_use]
pub fn is_address(to: &str) -> bool {
    to.starts_with("postgres://") || to.starts_with("postgresql://")
}

/// Copies a post office to an empty database and compares; the one that it came from serves no more. Where to, and how much.
///
/// # Errors
/// A daemon at work; a target that holds something; either database. Nothing is then changed.
pub fn move_to(dir: &Path, to: &str) -> Result<(String, Moved), OfficeError> {
    let store = store_of(dir)?;
    let _lock = if store.is_shared() { None } else { Some(lock(&dir.join(LOCK))?) };
    if !store.hold(LEAD, false)? {
        return Err(OfficeError::Refused("a worker serves from this database; stop all of them first.".to_owned()));
    }
    let done = moved(&store, to);
    store.let_go(LEAD);
    done
}

fn moved(store: &Store, to: &str) -> Result<(String, Moved), OfficeError> {
    is_here(store)?;
    let target = if is_address(to) {
        Store::on_server(to, true)?
    } else {
        let file = Path::new(to);
        if file.exists() {
            return Err(OfficeError::Refused(format!("{to}: there is such a file already; name a new one.")));
        }
        Store::create(file)?
    };
    let moved = store.copy_all(&target)?;
    let place = target.path().display().to_string();
    store.act(|act| act.set_mark(MOVED, &place))?;
    Ok((place, moved))
}

/// Refuses a database whose post office lies elsewhere now: two that serve would throw the same dice twice.
pub(super) fn is_here(store: &Store) -> Result<(), OfficeError> {
    // What is damaged is told where it is used, and stops no more than that.
    let Ok(Some(place)) = store.mark(MOVED) else { return Ok(()) };
    Err(OfficeError::Refused(format!(
        "{}: this post office has moved to {place}; say so in config.toml (store).",
        store.path().display()
    )))
}
