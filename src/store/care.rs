//! Backup, and what the machine lends the file: room, and leave to write.

use std::fs;
use std::path::Path;

use data_encoding::HEXLOWER;
use rusqlite::Connection;
use rusqlite::backup::Backup;
use sha2::{Digest, Sha256};

use super::act::{Kind, Open};
use super::base::Base;
use super::open::make_private;
use super::{Store, StoreError};

/// How much is written to try whether anything can be.
const TRIAL_BYTES: usize = 256 << 10;

impl Store {
    /// Copies the whole database, as it is at this moment, to a new file that only its owner can read; the copy says when
    /// it was made. The copy of a server's database is such a file as well.
    pub fn backup(&self, to: &Path, at: &str) -> Result<(), StoreError> {
        if to.exists() {
            return Err(StoreError::Exists { path: to.to_owned(), row: "backup".to_owned() });
        }
        // Only a whole copy has the name of one, wherever the process ends.
        let mut half = to.as_os_str().to_owned();
        half.push(".half");
        let half = Path::new(&half);
        let away = |path: &Path| match fs::remove_file(path) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                Err(StoreError::Io { path: path.to_owned(), source })
            }
            _ => Ok(()),
        };
        let mut journal = half.as_os_str().to_owned();
        journal.push("-journal");
        away(half)?;
        away(Path::new(&journal))?;
        make_private(half)?;
        let copied = self.copy_to(half, at);
        let placed =
            copied.and_then(|()| fs::rename(half, to).map_err(|source| StoreError::Io { path: to.to_owned(), source }));
        if placed.is_err() {
            let _ = fs::remove_file(half);
        }
        placed
    }

    fn copy_to(&self, to: &Path, at: &str) -> Result<(), StoreError> {
        let sql = |source| StoreError::sql(to, &"backup", source);
        if self.is_shared() {
            self.copy_all(&Store::create(to)?)?;
        }
        let mut target = Connection::open(to).map_err(sql)?;
        if let Base::Lite(conn) = &self.base {
            let backup = Backup::new(conn, &mut target).map_err(sql)?;
            // All pages in one step: the copy is of one moment.
            backup.run_to_completion(i32::MAX, std::time::Duration::from_millis(50), None).map_err(sql)?;
        }
        super::restore::stamp(&mut target, at).map_err(sql)?;
        // Who reads a copy lays nothing beside it, and it may lie where nobody can write.
        target.query_row("PRAGMA journal_mode = DELETE", (), |_| Ok(())).map_err(sql)
    }

    /// Tries whether the file can be written to, and leaves it as it is.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn try_writing(&self) -> Result<(), StoreError> {
        let failed = |source| self.error(&"trial", source);
        let _taken_back = Open::begin(&self.base, Kind::Writing).map_err(failed)?;
        // As large as a mail, and of bytes that nobody can pack: a small row fits where a mail does not.
        let mut digest = Sha256::digest(b"trial");
        let mut text = String::new();
        while text.len() < TRIAL_BYTES {
            text.push_str(&HEXLOWER.encode(&digest));
            digest = Sha256::digest(digest);
        }
        let sql = "INSERT INTO marks (key, value) VALUES ('trial', ?1)";
        self.base.execute(sql, &[text]).map(drop).map_err(failed)
    }
}

/// Bytes that are free on the disk of a folder, where the system says so.
#[must_use]
pub fn free_bytes(folder: &Path) -> Option<u64> {
    #[cfg(target_os = "linux")]
    return rustix::fs::statvfs(folder).ok().map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize));
    #[cfg(not(target_os = "linux"))]
    return Some(folder).and(None);
}
