//! A copy of the database each night, for as long as the operator says.

use super::error::OfficeError;
use super::office::Office;
use super::restore::{io, remove, sync_folder};
use super::when;
use crate::mail::maildir;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::fs;
use std::path::{Path, PathBuf};

/// A nightly copy that is older than so many days is a fault.
const BACKUP_DAYS_MAX: i32 = 2;

/// What the name of a nightly copy begins and ends with; between them stands its day.
const NIGHTLY: (&str, &str) = ("estafette-", ".db");

/// The nightly copies in a folder, oldest first: the day of each, and its path.
fn nightly(folder: &Path) -> Vec<(Date, PathBuf)> {
    let day = |path: &PathBuf| -> Option<Date> {
        let name = path.file_name()?.to_str()?;
        name.strip_prefix(NIGHTLY.0)?.strip_suffix(NIGHTLY.1)?.parse().ok()
    };
    let paths = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    // Something else may stand under such a name.
    let paths = paths.filter(|path| path.is_file());
    let mut found: Vec<(Date, PathBuf)> = paths.filter_map(|path| Some((day(&path)?, path))).collect();
    found.sort();
    found
}

impl Office {
    /// Copies the database once a day, and deletes copies whose term is over. Only the daemon does.
    pub(super) fn back_up(&mut self) -> Result<(), OfficeError> {
        let Some(backups) = self.config.backup.clone().filter(|_| self.serving) else { return Ok(()) };
        let today = self.clock.now().to_zoned(TimeZone::UTC).date();
        if self.backed_up == Some(today) {
            return Ok(());
        }
        let folder = self.dir.join(&backups.folder);
        let known = nightly(&folder);
        // A copy of a day to come was made by a clock that was wrong.
        if known.iter().any(|(day, _)| *day == today) {
            self.backed_up = Some(today);
            return Ok(());
        }
        maildir::make_folder(&folder)?;
        // Only a whole copy has the name of one.
        let (to, half) = (folder.join(format!("{}{today}{}", NIGHTLY.0, NIGHTLY.1)), folder.join("estafette.new"));
        remove(&half)?;
        self.store.backup(&half, &when::kept(self.clock.now()))?;
        fs::rename(&half, &to).map_err(|source| io(&to, source))?;
        sync_folder(&folder)?;
        let first = today.saturating_sub(jiff::Span::new().days(i64::from(backups.keep_days)));
        for (_, path) in known.into_iter().filter(|(day, _)| *day < first) {
            remove(&path)?;
        }
        self.backed_up = Some(today);
        Ok(())
    }

    /// How old the newest nightly copy is, for `doctor`: fine or a fault; none where none are asked for.
    pub fn backups(&self) -> Result<String, String> {
        let Some(backups) = &self.config.backup else {
            return Ok("backups: none are made; [backup] in config.toml has the daemon make them".to_owned());
        };
        let folder = self.dir.join(&backups.folder);
        let Some((day, path)) = nightly(&folder).pop() else {
            return Err(format!("backups: {} holds none; the daemon makes one a day", folder.display()));
        };
        let today = self.clock.now().to_zoned(TimeZone::UTC).date();
        let age = today.since(day).map(|span| span.get_days()).unwrap_or(0);
        let said = format!("backups: the newest is {}, of {day}", path.display());
        if age > BACKUP_DAYS_MAX { Err(format!("{said}: {age} days old")) } else { Ok(said) }
    }
}
