//! What can go wrong with the file, in words for the operator.

use std::fmt;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use super::Whereabouts;
use super::base::Failure;
use super::postgres;
use super::sort::{Sort, sort};

/// What kind of trouble an error of the store is, by what helps against it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The machine could not do it now: it is tried again, and nothing is at fault.
    Passing,
    /// What was read, or was to be written, contradicts itself: trying again cannot help, and only what it is about has to
    /// bear it.
    Contradiction,
    /// Pages of the file are damaged: whatever needs them waits until the file is mended.
    Damage,
}

/// Why the store could not do what it was asked; each variant names the file, and the row where there is one.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no such file.
    #[error("{}: there is no post office database here (restore the backup; where there never was a post office, \
             `estafette init` makes one)", path.display())]
    NoFile {
        /// The file looked for.
        path: PathBuf,
    },
    /// The file is empty: what stood in it is lost, or it was never a post office.
    #[error("{}: the database is empty (restore the backup; where there never was a post office, `estafette init` \
             makes one)", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// There is no post office in a server's database.
    #[error("{}: there is no post office in this database (`estafette init` makes one; `estafette move` brings one that \
             lies elsewhere)", path.display())]
    Unmade {
        /// The server's address.
        path: PathBuf,
    },
    /// Another program's tables lie where a post office is to begin.
    #[error("{}: the table {table} lies there, and it is no post office's (name an empty database, or a new file)",
            path.display())]
    Occupied {
        /// The file, or the server's address.
        path: PathBuf,
        /// The first of them.
        table: String,
    },
    /// The user of a server's address lacks rights.
    #[error("{}: {row}: the user of the address lacks a right, and nothing was changed (as the owner of the database, or \
             its superuser, say: {grants})", path.display())]
    Denied {
        /// The server's address.
        path: PathBuf,
        /// What was to be done.
        row: String,
        /// The statements that give them.
        grants: String,
    },
    /// The address of a server is none.
    #[error("store: it is no address of a PostgreSQL database ({said}); it is like postgres://user@host/database")]
    Address {
        /// What is wrong with it.
        said: String,
    },
    /// A server cannot be reached, or ended the line.
    #[error("{}: {row}: the database cannot be reached: {said} ({cure})", path.display())]
    Away {
        /// The server's address.
        path: PathBuf,
        /// What was to be done.
        row: String,
        /// What the system or the server said.
        said: String,
        /// What the operator can do.
        cure: &'static str,
    },
    /// A server said something else.
    #[error("{}: {row}: {said}{}", path.display(), in_brackets(cure))]
    Server {
        /// The server's address.
        path: PathBuf,
        /// The row or the step.
        row: String,
        /// What it said.
        said: String,
        /// What the operator can do, where that is known.
        cure: &'static str,
        /// What helps against it.
        fault: Fault,
    },
    /// The post office is not in this database.
    #[error("{}: {whereabouts}.", path.display())]
    Elsewhere {
        /// The file, or the server's address.
        path: PathBuf,
        /// Where it is.
        whereabouts: Whereabouts,
    },
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file asked for.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The file is no database, or is damaged.
    #[error("{}: not a readable estafette database: {detail} (restore a backup)", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// The file was written by a newer estafette.
    #[error("{}: written by a newer estafette (schema {found}; this one knows up to {known}): upgrade the program",
            path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// The schema version found in it.
        found: u32,
        /// The newest schema version that this program knows.
        known: u32,
    },
    /// A server's tables are an older estafette's, and may only be looked at.
    #[error("{}: its tables are of an older estafette (schema {found}; this one makes {known} of them), which may be \
             serving: make a backup with that program, and look at it as estafette.db in a directory of its own",
            path.display())]
    Older {
        /// The server's address.
        path: PathBuf,
        /// The schema version found.
        found: u32,
        /// The one that this program would bring it up to.
        known: u32,
    },
    /// Another process held the file for longer than the store waits.
    #[error("{}: {row}: another process is writing; try again", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
        /// What was to be done.
        row: String,
    },
    /// The disk has no room, or cannot be written.
    #[error("{}: {row}: {} (make room on the disk, or see whether it fails; then it can be tried again)",
            path.display(), if *full { "the disk is full" } else { "the disk cannot be read or written" })]
    Disk {
        /// The file.
        path: PathBuf,
        /// What was to be done.
        row: String,
        /// Whether it is for want of room.
        full: bool,
    },
    /// The row is there already, and may be there only once.
    #[error("{}: {row}: is there already", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
        /// The row.
        row: String,
    },
    /// The row to be changed is not there.
    #[error("{}: {row}: there is no such row", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
        /// The row.
        row: String,
    },
    /// A row holds something that this program never writes.
    #[error("{}: {row}: {detail}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The row.
        row: String,
        /// What is wrong with it.
        detail: String,
    },
    /// The log of a game does not hang together.
    #[error("{}: log of {game}: entry {seq}: {detail}", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// The game.
        game: String,
        /// The first entry at fault.
        seq: u32,
        /// What is wrong with it.
        detail: &'static str,
    },
    /// A readable row was given for a table or column that there is not.
    #[error("{}: there is no readable table or column {table}.{column}", path.display())]
    Unknown {
        /// The file.
        path: PathBuf,
        /// The table asked for.
        table: &'static str,
        /// The column asked for, empty where the table is already unknown.
        column: &'static str,
    },
    /// An act was begun within an act.
    #[error("{}: an act was begun within an act", path.display())]
    Nested {
        /// The file.
        path: PathBuf,
    },
    /// A write of this act failed and was passed over, so that nothing of the act was kept.
    #[error("{}: nothing was kept, for a write failed: {row}", path.display())]
    Doomed {
        /// The file.
        path: PathBuf,
        /// The row whose write failed.
        row: String,
        /// Of what kind that failure was.
        fault: Fault,
    },
    /// SQLite reported something else.
    #[error("{}: {row}: {source}", path.display())]
    Sql {
        /// The file.
        path: PathBuf,
        /// The row or the step.
        row: String,
        /// What SQLite said.
        source: rusqlite::Error,
    },
}

impl StoreError {
    /// What kind of trouble it is.
    #[must_use]
    pub fn fault(&self) -> Fault {
        match self {
            StoreError::NoFile { .. }
            | StoreError::Unmade { .. }
            | StoreError::Address { .. }
            | StoreError::Away { .. }
            | StoreError::Occupied { .. }
            | StoreError::Denied { .. }
            | StoreError::Empty { .. }
            | StoreError::Io { .. }
            | StoreError::Newer { .. }
            | StoreError::Older { .. }
            | StoreError::Busy { .. }
            | StoreError::Disk { .. }
            | StoreError::Elsewhere { .. }
            | StoreError::Nested { .. } => Fault::Passing,
            StoreError::Exists { .. }
            | StoreError::Missing { .. }
            | StoreError::Damaged { .. }
            | StoreError::Broken { .. }
            | StoreError::Unknown { .. } => Fault::Contradiction,
            StoreError::Corrupt { .. } => Fault::Damage,
            StoreError::Doomed { fault, .. } | StoreError::Server { fault, .. } => *fault,
            StoreError::Sql { source, .. } => said_by_sqlite(source),
        }
    }

    /// Sorts what a database said.
    pub(super) fn of(path: &Path, row: &dyn fmt::Display, source: Failure) -> StoreError {
        match source {
            Failure::Lite(source) => StoreError::sql(path, row, source),
            Failure::Server(source) => StoreError::server(path, row, &source),
        }
    }

    fn server(path: &Path, row: &dyn fmt::Display, source: &postgres::Failure) -> StoreError {
        let (path, row, said) = (path.to_owned(), row.to_string(), source.to_string());
        match sort(source) {
            Sort::Away(cure) => StoreError::Away { path, row, said, cure },
            Sort::Busy => StoreError::Busy { path, row },
            Sort::Full => StoreError::Disk { path, row, full: true },
            Sort::Exists => StoreError::Exists { path, row },
            Sort::Refused(cure) => StoreError::Server { path, row, said, cure, fault: Fault::Passing },
            Sort::Values => StoreError::Server { path, row, said, cure: "", fault: Fault::Contradiction },
            Sort::Damage => {
                let cure = "where a part of the tables is missing: stop all workers and restore the backup";
                StoreError::Server { path, row, said, cure, fault: Fault::Damage }
            }
            Sort::Other => StoreError::Server { path, row, said, cure: "", fault: Fault::Passing },
        }
    }

    /// Sorts what SQLite said by what the operator can do about it.
    pub(super) fn sql(path: &Path, row: &dyn fmt::Display, source: rusqlite::Error) -> StoreError {
        let (path, row) = (path.to_owned(), row.to_string());
        match &source {
            rusqlite::Error::SqliteFailure(failure, text) => match failure.code {
                ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt => {
                    StoreError::Corrupt { path, detail: text.clone().unwrap_or_else(|| failure.to_string()) }
                }
                ErrorCode::DiskFull => StoreError::Disk { path, row, full: true },
                ErrorCode::SystemIoFailure => StoreError::Disk { path, row, full: false },
                ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => StoreError::Busy { path, row },
                ErrorCode::ConstraintViolation
                    if [rusqlite::ffi::SQLITE_CONSTRAINT_PRIMARYKEY, rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE]
                        .contains(&failure.extended_code) =>
                {
                    StoreError::Exists { path, row }
                }
                _ => StoreError::Sql { path, row, source },
            },
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..) => StoreError::Damaged { path, row, detail: source.to_string() },
            _ => StoreError::Sql { path, row, source },
        }
    }
}

/// A cure behind what is wrong.
fn in_brackets(cure: &str) -> String {
    if cure.is_empty() { String::new() } else { format!(" ({cure})") }
}

/// What SQLite refuses for the values it was given, it will refuse again; all else is the machine's.
fn said_by_sqlite(source: &rusqlite::Error) -> Fault {
    match source.sqlite_error_code() {
        Some(
            ErrorCode::ConstraintViolation
            | ErrorCode::TypeMismatch
            | ErrorCode::TooBig
            | ErrorCode::ParameterOutOfRange
            | ErrorCode::ApiMisuse
            | ErrorCode::InternalMalfunction,
        ) => Fault::Contradiction,
        // The general error: the statements do not fit the tables, so the tables are not as they were made.
        Some(ErrorCode::Unknown) => Fault::Damage,
        Some(_) => Fault::Passing,
        None => Fault::Contradiction,
    }
}
