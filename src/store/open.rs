//! Opening the file, and the three ways in which every statement is run.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Params, Row};

use super::{Fault, StoreError, migrate};

/// How long a writer waits for another process, in milliseconds.
const BUSY_MS: u64 = 10_000;

/// A post office's database, open.
pub struct Store {
    pub(super) conn: Connection,
    pub(super) path: PathBuf,
    /// The statements run since [`Store::plans`] began to listen.
    heard: RefCell<Option<BTreeSet<&'static str>>>,
    /// Whether something was read another way since [`Store::went_round`] was asked, because an index is damaged.
    round: Cell<bool>,
    /// What was written since the file was opened.
    pub(super) work: Cell<Work>,
}

/// What a store has written since it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Statements that write.
    pub writes: u64,
    /// Acts that are on disk before they return.
    pub synced: u64,
    /// Acts of which a crash of the machine may lose the last ones.
    pub loose: u64,
}

/// How SQLite carries out one statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The statement.
    pub sql: &'static str,
    /// SQLite's steps, as EXPLAIN QUERY PLAN words them.
    pub steps: Vec<String>,
}

impl Store {
    /// Opens the database, making it first where there is none. The file is readable by its owner only.
    pub fn create(path: &Path) -> Result<Store, StoreError> {
        make_private(path)?;
        Store::opened(path, true)
    }

    /// Opens a database that is there, and brings it up to this program's schema. One that holds nothing is refused: it
    /// was a post office once, and what it held must not be forgotten in silence.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        Store::opened(path, false)
    }

    fn opened(path: &Path, begin: bool) -> Result<Store, StoreError> {
        if !path.is_file() {
            return Err(StoreError::NoFile { path: path.to_owned() });
        }
        keep_private(path)?;
        if !begin && fs::metadata(path).is_ok_and(|meta| meta.len() == 0) {
            return Err(StoreError::Empty { path: path.to_owned() });
        }
        let sql = |source| StoreError::sql(path, &"opening", source);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = Connection::open_with_flags(path, flags).map_err(sql)?;
        conn.busy_timeout(Duration::from_millis(BUSY_MS)).map_err(sql)?;
        conn.set_prepared_statement_cache_capacity(128);
        let mode: String = conn.query_row("PRAGMA journal_mode = WAL", (), |row| row.get(0)).map_err(sql)?;
        if mode != "wal" {
            let detail = format!("its journal mode stays {mode:?}, not WAL");
            return Err(StoreError::Corrupt { path: path.to_owned(), detail });
        }
        for (pragma, value) in [
            ("synchronous", "FULL"),
            ("foreign_keys", "ON"),
            // Without it INSERT OR REPLACE would delete rows unseen by their triggers.
            ("recursive_triggers", "ON"),
            ("trusted_schema", "OFF"),
            ("cell_size_check", "ON"),
        ] {
            conn.pragma_update(None, pragma, value).map_err(sql)?;
        }
        // A plan does not follow the values bound, or each statement would be planned again each time.
        conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(sql)?;
        migrate::migrate(&conn, path, begin)?;
        Ok(Store {
            conn,
            path: path.to_owned(),
            heard: RefCell::new(None),
            round: Cell::new(false),
            work: Cell::default(),
        })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The plans of all statements that `work` runs, for the test that none of them walks through other games.
    pub fn plans(&self, work: impl FnOnce(&Store) -> Result<(), StoreError>) -> Result<Vec<Plan>, StoreError> {
        self.heard.replace(Some(BTreeSet::new()));
        let worked = work(self);
        let heard = self.heard.replace(None).unwrap_or_default();
        worked?;
        heard.into_iter().map(|sql| self.plan(sql)).collect()
    }

    fn plan(&self, sql: &'static str) -> Result<Plan, StoreError> {
        let explained = || -> rusqlite::Result<Vec<String>> {
            let mut statement = self.conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
            let nulls = vec![rusqlite::types::Null; statement.parameter_count()];
            statement.query_map(rusqlite::params_from_iter(nulls), |row| row.get("detail"))?.collect()
        };
        let steps = explained().map_err(|source| self.error(&sql, source))?;
        Ok(Plan { sql, steps })
    }

    pub(super) fn error(&self, row: &dyn fmt::Display, source: rusqlite::Error) -> StoreError {
        StoreError::sql(&self.path, row, source)
    }

    /// A count that changes when another connection has written.
    ///
    /// # Errors
    /// A database that cannot be read.
    pub fn written_by_others(&self) -> Result<i64, StoreError> {
        let read = self.conn.pragma_query_value(None, "data_version", |row| row.get(0));
        read.map_err(|source| StoreError::sql(&self.path, &"data_version", source))
    }

    /// How many rows this connection has written.
    ///
    /// # Errors
    /// A database that cannot be read.
    pub fn written(&self) -> Result<i64, StoreError> {
        let read = self.conn.query_row("SELECT total_changes()", (), |row| row.get(0));
        read.map_err(|source| StoreError::sql(&self.path, &"total_changes", source))
    }

    /// What was written since the file was opened.
    #[must_use]
    pub fn work(&self) -> Work {
        self.work.get()
    }

    /// Whether something was read another way since this was last asked, because an index is damaged.
    pub fn went_round(&self) -> bool {
        self.round.take()
    }

    /// Whether an index is damaged, so that what it leads to is to be read another way.
    pub(super) fn goes_round<T>(&self, read: &Result<T, StoreError>) -> bool {
        let damaged = read.as_ref().is_err_and(|error| error.fault() == Fault::Damage);
        self.round.set(self.round.get() || damaged);
        damaged
    }

    pub(super) fn hear(&self, sql: &'static str) {
        if let Some(heard) = self.heard.borrow_mut().as_mut() {
            heard.insert(sql);
        }
    }

    /// Reads the one row that a statement gives, if it gives one.
    pub(super) fn one<T>(
        &self,
        row: fmt::Arguments<'_>,
        sql: &'static str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        self.hear(sql);
        let run = || self.conn.prepare_cached(sql)?.query_row(params, read).optional();
        run().map_err(|source| self.error(&row, source))
    }

    /// Reads all rows that a statement gives, in its order.
    pub(super) fn many<T>(
        &self,
        row: fmt::Arguments<'_>,
        sql: &'static str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        self.hear(sql);
        let run = || self.conn.prepare_cached(sql)?.query_map(params, read)?.collect::<rusqlite::Result<Vec<T>>>();
        run().map_err(|source| self.error(&row, source))
    }
}

/// Makes an empty file that only its owner can read, before SQLite would make one that others can.
pub(super) fn make_private(path: &Path) -> Result<(), StoreError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(source) if source.kind() != std::io::ErrorKind::AlreadyExists => {
            Err(StoreError::Io { path: path.to_owned(), source })
        }
        _ => Ok(()),
    }
}

/// Takes away what others may do with the file; SQLite gives its helper files the same mode.
fn keep_private(path: &Path) -> Result<(), StoreError> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let io = |source| StoreError::Io { path: path.to_owned(), source };
        let mode = fs::metadata(path).map_err(io)?.permissions().mode();
        if mode & 0o077 != 0 {
            fs::set_permissions(path, fs::Permissions::from_mode(0o600)).map_err(io)?;
        }
    }
    Ok(())
}
