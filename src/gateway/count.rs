//! How many mails there ever were, written beside the database: by it an older copy is known that somebody has put in the
//! database's place by hand. Which post office it is stands there too, so that no other one's takes its place.

use super::error::OfficeError;
use super::files::{COUNT, DATABASE, io, sync_folder, write_synced};
use super::office::Office;
use crate::store::{self, Store};
use std::fs;
use std::path::Path;

/// Under which mark stands that the count was written once.
const COUNTED: &str = "counted";

/// Of which post office the database was that was counted last; none where nobody wrote it down.
pub(super) fn office_counted(dir: &Path) -> Option<String> {
    let text = fs::read_to_string(dir.join(COUNT)).ok()?;
    text.lines().nth(1).map(str::trim).filter(|office| !office.is_empty()).map(str::to_owned)
}

/// Which post office a database is of, once it has a game: before that it may still become another's.
fn office_of(store: &Store) -> Result<Option<String>, OfficeError> {
    Ok(if store.has_game()? { store.mark(store::OFFICE)? } else { None })
}

/// How many mails there ever were, as far as that is written beside the database; none where nothing is.
fn known_count(dir: &Path) -> Result<Option<i64>, String> {
    match fs::read_to_string(dir.join(COUNT)) {
        Ok(text) => match text.lines().next().unwrap_or_default().trim().parse() {
            Ok(count) if count >= 0 => Ok(Some(count)),
            _ => Err("it holds no number".to_owned()),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// Refuses a database that is older than the post office: somebody has put a copy in its place by hand. One of which nobody
/// can know that is refused too.
///
/// # Errors
/// Why it is refused, and the cure.
pub fn is_newest(dir: &Path, store: &Store) -> Result<(), OfficeError> {
    if store.is_shared() {
        return has_not_gone_back(dir, store);
    }
    if let (Some(counted), Ok(Some(found))) = (office_counted(dir), office_of(store))
        && counted != found
    {
        return Err(OfficeError::Refused(format!(
            "{}: it is the database of another post office, or its log is. Put the files in place that belong together, or \
             go on from a copy: estafette restore --dir {} FILE",
            dir.join(DATABASE).display(),
            dir.display()
        )));
    }
    // What is damaged is told where it is used, and stops no more than that.
    let (Ok(found), Ok(counted)) = (store.mails_ever(), store.mark(COUNTED)) else { return Ok(()) };
    let why = match known_count(dir) {
        Ok(Some(known)) if known > found => {
            return Err(OfficeError::Refused(format!(
                "{}: it is an older copy of this post office ({found} mails, and there were {known}). To go on from it, so \
                 that no dice and no mail come twice: estafette restore --dir {} FILE, with that copy in another place as \
                 FILE.",
                dir.join(DATABASE).display(),
                dir.display()
            )));
        }
        Ok(None) if counted.is_some() && found > 0 => "it is not there".to_owned(),
        Err(why) if found > 0 => why,
        _ => return Ok(()),
    };
    Err(OfficeError::Refused(format!(
        "{}: {why}, so nobody knows whether the database is an older copy. If it is one: estafette restore --dir {1} FILE, \
         with that copy in another place as FILE. If it is the newest there ever was: estafette doctor --dir {1} --newest",
        dir.join(COUNT).display(),
        dir.display()
    )))
}

/// Refuses a server's database that has fewer mails than this worker has seen in it: a failover has lost some, or a copy was
/// put in its place. A worker that comes to it for the first time has seen none.
fn has_not_gone_back(dir: &Path, store: &Store) -> Result<(), OfficeError> {
    let Ok(found) = store.mails_ever() else { return Ok(()) };
    let same = match (office_counted(dir), office_of(store)) {
        (Some(counted), Ok(Some(office))) => counted == office,
        _ => false,
    };
    match known_count(dir) {
        Ok(Some(known)) if same && known > found => Err(OfficeError::Refused(format!(
            "{}: it has gone back ({found} mails, and there were {known}), as after a failover that lost some, or a copy in its \
             place. So that no dice and no mail come twice: stop all workers and go on from a backup, as `estafette handbook \
             operator` says under PostgreSQL. If it was restored, or is the newest there is: estafette doctor --dir {} --newest",
            store.path().display(),
            dir.display()
        ))),
        _ => Ok(()),
    }
}

/// Counts from the first start on, and notes that it does: from then on a count that is missing was lost.
pub(super) fn begin_count(dir: &Path, store: &Store) {
    let begin = || -> Result<(), OfficeError> {
        if !store.is_shared() && store.mark(COUNTED)?.is_none() {
            count_anew(dir, store)?;
        }
        Ok(())
    };
    if let Err(error) = begin() {
        tracing::warn!(%error, "how many mails there were cannot be written down");
    }
}

/// Writes the count from the database, which the operator says is the newest; an older one it stays.
///
/// # Errors
/// A database that is older than the count, or a file that cannot be written.
pub fn is_the_newest(dir: &Path, store: &Store) -> Result<(), OfficeError> {
    match known_count(dir) {
        Ok(Some(_)) if !store.is_shared() => is_newest(dir, store),
        _ => count_anew(dir, store),
    }
}

pub(super) fn count_anew(dir: &Path, store: &Store) -> Result<(), OfficeError> {
    write_count(dir, store.mails_ever()?, office_of(store)?.as_deref())?;
    sync_folder(dir)?;
    Ok(store.act(|act| act.set_mark(COUNTED, "yes"))?)
}

impl Office {
    /// Writes down how many mails there ever were, where that has changed.
    pub(super) fn count_mails(&mut self) -> Result<(), OfficeError> {
        let count = self.store.mails_ever()?;
        if !self.serving || self.counted == Some(count) {
            return Ok(());
        }
        write_count(self.dir(), count, office_of(&self.store)?.as_deref())?;
        self.counted = Some(count);
        Ok(())
    }
}

/// However the machine stops, the old count or the new one lies there whole. After a power failure it may be the one of a few
/// seconds before: by that an older copy is known as well, but for one of those very seconds.
fn write_count(dir: &Path, count: i64, office: Option<&str>) -> Result<(), OfficeError> {
    let (path, new) = (dir.join(COUNT), dir.join(format!("{COUNT}.new")));
    write_synced(&new, format!("{count}\n{}\n", office.unwrap_or_default()).trim_end().as_bytes())?;
    fs::rename(&new, &path).map_err(|source| io(&path, source))
}
