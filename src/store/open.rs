//! Opening the file, and the three ways in which every statement is run.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::base::{Base, Binds, Failure, Row};
use super::migrate::Begin;
use super::once::Once;
use super::pack::Deflater;
use super::postgres::{Migrated, Server};
use super::{Fault, LogEntry, StoreError, Whereabouts, foreign, migrate};
use crate::dsn::is_address;

/// How long a writer waits for another process, in milliseconds.
const BUSY_MS: u64 = 10_000;

/// A post office's database, open.
pub struct Store {
    pub(super) base: Base,
    /// The file; of a server its address, without the password.
    pub(super) path: PathBuf,
    /// Whether what is committed now need not wait for the disk.
    pub(super) loose: Cell<bool>,
    /// The statements run since [`Store::plans`] began to listen.
    heard: RefCell<Option<BTreeSet<&'static str>>>,
    /// Whether something was read another way since [`Store::went_round`] was asked, because an index is damaged.
    round: Cell<bool>,
    /// What was done since the file was opened.
    pub(super) work: Cell<Work>,
    /// Whether it is written to though the post office is not here.
    pub(super) mover: Cell<bool>,
    /// What the act under way has appended to each game's log and not written yet.
    pub(super) waiting: RefCell<BTreeMap<String, Vec<LogEntry>>>,
    /// What the act under way has read.
    pub(super) once: Once,
    /// Packs what it writes.
    pub(super) deflater: Deflater,
    /// How many entries were appended to logs since it was opened, those of acts that were taken back among them.
    pub(super) appended: Cell<i64>,
}

/// What a store has done since it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Statements that read.
    pub reads: u64,
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
        Store::opened(path, Begin::Anew)
    }

    /// Makes the database that is to be filled from another one, or opens the one that is being filled from there: an address
    /// of a server's, or a new file. Nobody serves it before [`Store::has_come`].
    ///
    /// # Errors
    /// A file that is there and is no such one; either database.
    pub fn to_fill(to: &str, from: &str) -> Result<Store, StoreError> {
        let store = if is_address(to) {
            Store::at(to, Begin::Coming(from))?
        } else {
            let file = Path::new(to);
            // One that was begun and holds nothing yet is as good as none.
            match fs::metadata(file) {
                Ok(meta) if meta.is_file() && meta.len() > 0 => foreign::in_file(file)?,
                Ok(meta) if meta.is_dir() => {
                    return Err(StoreError::Exists { path: file.to_owned(), row: "a folder".to_owned() });
                }
                _ => make_private(file)?,
            }
            Store::opened(file, Begin::Coming(from))?
        };
        store.moves();
        match store.whereabouts()? {
            Some(Whereabouts::Coming(place)) if place == from => Ok(store),
            // An empty one that was made for a post office.
            None if store.is_shared() && store.holds_nothing()? => store.coming_from(from).map(|()| store),
            _ => Err(StoreError::Exists { path: store.path, row: "a post office".to_owned() }),
        }
    }

    /// Opens a database that is there, and brings it up to this program's schema. One that holds nothing is refused: it
    /// was a post office once, and what it held must not be forgotten in silence.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        Store::opened(path, Begin::No)
    }

    fn opened(path: &Path, begin: Begin<'_>) -> Result<Store, StoreError> {
        if !path.is_file() {
            return Err(StoreError::NoFile { path: path.to_owned() });
        }
        keep_private(path)?;
        if begin == Begin::No && fs::metadata(path).is_ok_and(|meta| meta.len() == 0) {
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
        Ok(Store::of(Base::Lite(conn), path.to_owned()))
    }

    fn of(base: Base, path: PathBuf) -> Store {
        Store {
            base,
            path,
            loose: Cell::new(false),
            heard: RefCell::new(None),
            round: Cell::new(false),
            work: Cell::default(),
            mover: Cell::new(false),
            waiting: RefCell::default(),
            once: Once::default(),
            deflater: Deflater::default(),
            appended: Cell::new(0),
        }
    }

    /// Opens a post office's database on a PostgreSQL server, by an address such as `postgres://user@host/database`. It is
    /// brought up to this program's schema; one that holds nothing is refused unless it is to begin.
    ///
    /// # Errors
    /// An address that is none, a server that cannot be reached, a database that is empty or a newer program's.
    pub fn on_server(address: &str, begin: bool) -> Result<Store, StoreError> {
        Store::at(address, if begin { Begin::Anew } else { Begin::No })
    }

    /// Opens it as [`Store::on_server`] does, and changes nothing: one of an older program's is refused, for that may be
    /// serving it.
    ///
    /// # Errors
    /// As there; [`StoreError::Older`].
    pub fn look_on_server(address: &str) -> Result<Store, StoreError> {
        Store::at(address, Begin::Look)
    }

    fn at(address: &str, begin: Begin<'_>) -> Result<Store, StoreError> {
        let server = Server::at(address).map_err(|said| StoreError::Address { said })?;
        let path = PathBuf::from(server.place());
        match server.migrate(begin).map_err(|source| StoreError::of(&path, &"schema", source))? {
            Migrated::Done => Ok(Store::of(Base::Server(Box::new(server)), path)),
            Migrated::Empty => Err(StoreError::Unmade { path }),
            Migrated::Torn if matches!(begin, Begin::Coming(_)) => {
                Err(StoreError::Exists { path, row: "other tables".to_owned() })
            }
            Migrated::Occupied(table) => Err(StoreError::Occupied { path, table }),
            Migrated::Torn => {
                let detail = "the tables of a post office are there, but not which version they are of".to_owned();
                Err(StoreError::Corrupt { path, detail })
            }
            Migrated::Newer { found, known } => {
                Err(StoreError::Newer { path, found: version_of(found), known: version_of(known) })
            }
            Migrated::Older { found, known } => {
                Err(StoreError::Older { path, found: version_of(found), known: version_of(known) })
            }
        }
    }

    /// Whether several processes may serve from it at once.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.base.lite().is_none()
    }

    /// Holds a name against all other sessions until it is let go: waits where somebody else holds it, or is false. Of a file
    /// nobody need hold anything: whoever acts on a game finds in the act whether somebody else has.
    ///
    /// # Errors
    /// A server that cannot be reached, or whose holder is waited for in vain.
    pub fn hold(&self, name: &str, waits: bool) -> Result<bool, StoreError> {
        match &self.base {
            Base::Lite(_) => Ok(true),
            Base::Server(server) => server.hold(name, waits).map_err(|source| self.error(&name, source.into())),
        }
    }

    /// Whether the line on which something may be held is the one on which it was; a file's always is.
    #[must_use]
    pub fn is_on_line(&self) -> bool {
        // One that may only read is as good as gone: a new one may write.
        if let Base::Server(server) = &self.base
            && server.reads_only()
        {
            return false;
        }
        self.each(format_args!("line"), "SELECT 1", (), &mut |_| Ok(false)).is_ok()
    }

    /// What the clock of the database's server says; none of a file, which goes by this machine's.
    ///
    /// # Errors
    /// A server that cannot be asked.
    pub fn clock(&self) -> Result<Option<Timestamp>, StoreError> {
        if !self.is_shared() {
            return Ok(None);
        }
        let sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
        let said: Option<i64> = self.one(format_args!("the clock"), sql, (), |row| row.get(0))?;
        Ok(said.and_then(|said| Timestamp::from_millisecond(said).ok()))
    }

    /// Lets a name go that was held.
    pub fn let_go(&self, name: &str) {
        if let Base::Server(server) = &self.base {
            server.let_go(name);
        }
    }

    /// Bytes that the database takes.
    ///
    /// # Errors
    /// A server that cannot be asked.
    pub fn size(&self) -> Result<u64, StoreError> {
        match &self.base {
            Base::Lite(_) => Ok(fs::metadata(&self.path).map_or(0, |file| file.len())),
            Base::Server(_) => {
                let sql = "SELECT pg_database_size(current_database())";
                let bytes: Option<i64> = self.one(format_args!("size"), sql, (), |row| row.get(0))?;
                Ok(bytes.and_then(|bytes| u64::try_from(bytes).ok()).unwrap_or_default())
            }
        }
    }

    /// A count that changes when somebody else has written anything on which a game's times hang.
    ///
    /// # Errors
    /// A database that cannot be read.
    pub fn stirred(&self, game: &str) -> Result<i64, StoreError> {
        match &self.base {
            // Any write of another connection.
            Base::Lite(conn) => conn
                .pragma_query_value(None, "data_version", |row| row.get(0))
                .map_err(|source| self.error(&"data_version", source.into())),
            Base::Server(_) => {
                let sql = "SELECT stirred FROM games WHERE id = ?1";
                Ok(self.one(format_args!("game {game}"), sql, [game], |row| row.get(0))?.unwrap_or(0))
            }
        }
    }

    /// The file; of a server its address, without the password.
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
        let conn = match &self.base {
            Base::Lite(conn) => conn,
            Base::Server(server) => {
                let steps = server.plan(sql).map_err(|source| self.error(&sql, source.into()))?;
                return Ok(Plan { sql, steps });
            }
        };
        let explained = || -> rusqlite::Result<Vec<String>> {
            let mut statement = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
            let nulls = vec![rusqlite::types::Null; statement.parameter_count()];
            statement.query_map(rusqlite::params_from_iter(nulls), |row| row.get("detail"))?.collect()
        };
        let steps = explained().map_err(|source| self.error(&sql, source.into()))?;
        Ok(Plan { sql, steps })
    }

    pub(super) fn error(&self, row: &dyn fmt::Display, source: Failure) -> StoreError {
        StoreError::of(&self.path, row, source)
    }

    /// A count that grows with each row that this connection writes, and with each entry that is appended to a log.
    ///
    /// # Errors
    /// A database that cannot be read.
    pub fn written(&self) -> Result<i64, StoreError> {
        let rows = match &self.base {
            Base::Lite(conn) => conn
                .query_row("SELECT total_changes()", (), |row| row.get::<_, i64>(0))
                .map_err(|source| self.error(&"total_changes", source.into()))?,
            Base::Server(server) => server.written(),
        };
        Ok(rows.saturating_add(self.appended.get()))
    }

    /// What was done since the file was opened.
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
        params: impl Binds,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        let (mut found, mut read) = (None, Some(read));
        self.each(row, sql, params, &mut |row| {
            found = read.take().map(|read| read(row)).transpose()?;
            Ok(false)
        })?;
        Ok(found)
    }

    /// Reads the rows that a statement gives, until `read` has enough.
    pub(super) fn each(
        &self,
        row: fmt::Arguments<'_>,
        sql: &'static str,
        params: impl Binds,
        read: &mut dyn FnMut(&Row<'_>) -> rusqlite::Result<bool>,
    ) -> Result<(), StoreError> {
        self.work.update(|work| Work { reads: work.reads + 1, ..work });
        self.rows(row, sql, params, read)
    }

    /// The same for a statement that writes them as well.
    pub(super) fn rows(
        &self,
        row: fmt::Arguments<'_>,
        sql: &'static str,
        params: impl Binds,
        read: &mut dyn FnMut(&Row<'_>) -> rusqlite::Result<bool>,
    ) -> Result<(), StoreError> {
        self.hear(sql);
        self.base.each(sql, &params, read).map_err(|source| self.error(&row, source))
    }

    /// Reads all rows that a statement gives, in its order.
    pub(super) fn many<T>(
        &self,
        row: fmt::Arguments<'_>,
        sql: &'static str,
        params: impl Binds,
        mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let mut found = Vec::new();
        self.each(row, sql, params, &mut |row| {
            found.push(read(row)?);
            Ok(true)
        })?;
        Ok(found)
    }
}

/// A schema's version as a server keeps it.
fn version_of(version: i64) -> u32 {
    u32::try_from(version).unwrap_or(u32::MAX)
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
