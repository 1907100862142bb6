//! A copy of the database each night, for as long as the operator says.

use super::error::OfficeError;
use super::files::{io, remove, sync_folder, take_away};
use super::office::Office;

use super::when;
use crate::config::Backups;
use crate::mail::maildir;
use crate::store::{About, Finding, Store, StoreError};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::fs;
use std::path::{Path, PathBuf};

/// A nightly copy that is older than so many days is a fault.
const BACKUP_DAYS_MAX: i32 = 2;

/// What the name of a nightly copy begins and ends with; between them stands its day.
const NIGHTLY: (&str, &str) = ("estafette-", ".db");

/// Under which mark stands the name of the newest copy in which nothing was found to be wrong.
const WHOLE: &str = "copies/whole";
/// Under which mark stands what is wrong with the newest copy; empty while it is whole.
const UNSOUND: &str = "copies/unsound";
/// What is being copied, before it has the name of a copy.
const HALF: &str = "estafette.new";
/// So many things that are wrong with a copy are said.
const SAID_MAX: usize = 3;

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
        if self.backed_up != Some(today) {
            self.copy_of_day(&backups, today)?;
            self.backed_up = Some(today);
        }
        // It stands as long as the newest copy is not whole.
        match self.unsound()? {
            Some(why) => Err(OfficeError::Refused(why)),
            None => Ok(()),
        }
    }

    /// What is wrong with the newest copy.
    fn unsound(&self) -> Result<Option<String>, OfficeError> {
        Ok(self.store.mark(UNSOUND)?.filter(|why| !why.is_empty()))
    }

    fn copy_of_day(&self, backups: &Backups, today: Date) -> Result<(), OfficeError> {
        let folder = self.dir.join(&backups.folder);
        let known = nightly(&folder);
        // A copy of a day to come was made by a clock that was wrong.
        if known.iter().any(|(day, _)| *day == today) {
            return Ok(());
        }
        maildir::make_folder(&folder)?;
        // Only a whole copy has the name of one.
        let (to, half) = (folder.join(format!("{}{today}{}", NIGHTLY.0, NIGHTLY.1)), folder.join(HALF));
        take_away(&half)?;
        self.store.backup(&half, &when::kept(self.clock.now()))?;
        let faults = faults_of(&half)?;
        fs::rename(&half, &to).map_err(|source| io(&to, source))?;
        sync_folder(&folder)?;
        let whole = match faults.is_empty() {
            true => Some(to),
            false => self.newest_whole(&folder, &known)?,
        };
        self.note_copies(&faults, whole.as_deref())?;
        let first = today.saturating_sub(jiff::Span::new().days(i64::from(backups.keep_days)));
        for (_, path) in known.into_iter().filter(|(day, path)| *day < first && Some(path) != whole.as_ref()) {
            remove(&path)?;
        }
        Ok(())
    }

    /// The newest copy of before in which nothing is wrong: it is the last from which every game can go on.
    fn newest_whole(&self, folder: &Path, known: &[(Date, PathBuf)]) -> Result<Option<PathBuf>, OfficeError> {
        let named = self.store.mark(WHOLE)?.map(|name| folder.join(name));
        if let Some(path) = named.filter(|path| known.iter().any(|(_, known)| known == path)) {
            return Ok(Some(path));
        }
        // A copy is looked at as a copy of itself: one that an older program made is not to be changed.
        let half = folder.join(HALF);
        for (_, path) in known.iter().rev() {
            take_away(&half)?;
            fs::copy(path, &half).map_err(|source| io(path, source))?;
            let faults = faults_of(&half);
            take_away(&half)?;
            if faults.is_ok_and(|faults| faults.is_empty()) {
                return Ok(Some(path.clone()));
            }
        }
        Ok(None)
    }

    fn note_copies(&self, faults: &[String], whole: Option<&Path>) -> Result<(), OfficeError> {
        let name = whole.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let why = match faults.len() {
            0 => String::new(),
            count => {
                let said = faults.iter().take(SAID_MAX).cloned().collect::<Vec<_>>().join("; ");
                let more = count.saturating_sub(SAID_MAX);
                let more = if more == 0 { String::new() } else { format!("; and {more} more") };
                let kept = match name.as_str() {
                    "" => "no older copy is whole".to_owned(),
                    name => format!("the last whole one, {name}, is kept until another one is whole"),
                };
                format!("the nightly copies are not whole: {said}{more}.  A restore sets such games aside; {kept}")
            }
        };
        Ok(self.store.act(|act| {
            act.set_mark(WHOLE, &name)?;
            act.set_mark(UNSOUND, &why)
        })?)
    }

    /// How old the newest nightly copy is, for `doctor`: fine or a fault; none where none are asked for.
    pub fn backups(&self) -> Result<String, String> {
        let Some(backups) = &self.config.backup else {
            return Ok("backups: none are made; [backup] in config.toml has the daemon make them".to_owned());
        };
        let folder = self.dir.join(&backups.folder);
        let today = self.clock.now().to_zoned(TimeZone::UTC).date();
        // A copy of a day to come was made by a clock that was wrong, and is the newest of nothing.
        let mut copies = nightly(&folder);
        let ahead: Vec<(Date, PathBuf)> = copies.extract_if(.., |(day, _)| *day > today).collect();
        if let Some((_, path)) = ahead.last() {
            return Err(format!("backups: {} is of a day to come; its clock was wrong: move it away", path.display()));
        }
        let Some((day, path)) = copies.pop() else {
            return Err(format!("backups: {} holds none; the daemon makes one a day", folder.display()));
        };
        let age = today.since(day).map(|span| span.get_days()).unwrap_or(0);
        let said = format!("backups: the newest is {}, of {day}", path.display());
        if let Ok(Some(why)) = self.unsound() {
            return Err(format!("{said}: {why}"));
        }
        if age > BACKUP_DAYS_MAX { Err(format!("{said}: {age} days old")) } else { Ok(said) }
    }
}

/// What is wrong with a copy: with its file, with the log of any game, or with where a game stands.
fn faults_of(copy: &Path) -> Result<Vec<String>, StoreError> {
    let store = Store::open(copy)?;
    let mut found = store.findings(true)?;
    for game in store.games().unwrap_or_default() {
        let about = About::Game(game.id.clone());
        // What was found of it already need not be said twice.
        if found.iter().any(|finding| finding.about == about) {
            continue;
        }
        if let Err(error) = store.checked_game(&game.id) {
            let said = error.to_string().replace(&format!("{}: ", copy.display()), "");
            found.push(Finding { about, said });
        }
    }
    Ok(found.into_iter().map(|finding| finding.said).collect())
}
