//! A database on a PostgreSQL server: one session, its statements, its transaction, and what it holds.
//!
//! A session that holds something — a game, or the lead among the workers — holds it by a lock of the server's that ends
//! with the session. So who was cut off, or frozen for longer than the server waits, can write no more under what he held:
//! the session itself is the proof. Nothing is begun anew on a new line while anything of the old one is thought to be held.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::Duration;

use postgres::error::SqlState;
use postgres::fallible_iterator::FallibleIterator;
use postgres::types::private::BytesMut;
use postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use postgres::{Client, SimpleQueryMessage, Statement};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use sha2::{Digest, Sha256};

use super::act::Kind;
use super::base::{self, Binds};
use super::check::Objects;
use super::migrate::{Begin, Part};
use super::series::{is_of_numbers, number_on};
use super::{Whereabouts, foreign, line, repack, series, whereabouts};
use crate::dsn::{Dsn, words};

/// The port that is meant where none is named.
const PORT: u16 = 5432;
/// How long a line is waited for.
const CONNECT: Duration = Duration::from_secs(10);
/// What holds for each session. A worker that stands still in the middle of an act is cut off, so that what it holds is
/// free; one that waits between two passes looks every few seconds. Whoever else writes is waited for as SQLite waits.
const SESSION: &str = "-c idle_in_transaction_session_timeout=90s -c idle_session_timeout=180s -c lock_timeout=10s \
     -c client_min_messages=warning -c standard_conforming_strings=on -c default_transaction_isolation=read\\ committed";

/// The numbered migrations of a server's schema, the first for an empty database, each with its parts.
const STEPS: &[&[Part]] = &[
    &[Part::Sql(include_str!("schema/postgres/001_office.sql"))],
    &[
        Part::Sql(include_str!("schema/postgres/002_segments.sql")),
        Part::PackLog,
        Part::Sql(include_str!("schema/postgres/002_packed.sql")),
    ],
    &[Part::Sql(include_str!("schema/postgres/003_snapshots.sql"))],
];

/// Why a statement failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// What the server said, or that it cannot be reached.
    Said(postgres::Error),
    /// The line broke while something was held by it.
    CutOff,
    /// A statement of the transaction failed, and that was passed over.
    Spoilt,
    /// The line is to be encrypted, and the server has no TLS.
    Bare,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::CutOff => out.write_str("the line broke while something was held by it"),
            Failure::Spoilt => out.write_str("a statement before it failed, so nothing is kept"),
            Failure::Bare => out.write_str("the server has no TLS, and the address asks for it (sslmode)"),
            Failure::Said(error) => out.write_str(&words(error)),
        }
    }
}

impl From<postgres::Error> for Failure {
    fn from(error: postgres::Error) -> Failure {
        Failure::Said(error)
    }
}

/// A session on a server.
pub(super) struct Server {
    config: postgres::Config,
    /// How the line is encrypted, where it is.
    tls: Option<rustls::ClientConfig>,
    client: RefCell<Option<Client>>,
    prepared: RefCell<BTreeMap<String, Statement>>,
    /// Whether a transaction is open.
    open: Cell<bool>,
    /// Whether a statement of the transaction failed: the server then commits nothing, and says so to nobody.
    spoilt: Cell<bool>,
    /// Whether the server gave a number that was taken.
    behind: Cell<bool>,
    /// Whether this session may only read, as its server said: a new one may write.
    reads_only: Cell<bool>,
    /// How many things this session holds.
    held: Cell<u32>,
    /// Rows written since it was opened.
    written: Cell<i64>,
}

impl Server {
    /// A session by an address such as `postgres://user@host/database`; nothing is reached before it is used.
    ///
    /// # Errors
    /// What is wrong with the address.
    pub(super) fn at(address: &str) -> Result<Server, String> {
        let dsn = Dsn::parse(address)?;
        let (tls, mut config) = (dsn.tls()?, dsn.config);
        config.connect_timeout(CONNECT).application_name("estafette");
        config.tcp_user_timeout(CONNECT);
        // What the address says comes later, and holds.
        let options = format!("{SESSION} {}", config.get_options().unwrap_or_default());
        config.options(&options);
        Ok(Server {
            config,
            tls,
            client: RefCell::new(None),
            prepared: RefCell::default(),
            open: Cell::new(false),
            spoilt: Cell::new(false),
            behind: Cell::new(false),
            reads_only: Cell::new(false),
            held: Cell::new(0),
            written: Cell::new(0),
        })
    }

    /// Where it is, as an address without its password.
    pub(super) fn place(&self) -> String {
        let user = self.config.get_user().map_or_else(String::new, |user| format!("{user}@"));
        let ports = self.config.get_ports();
        let mut hosts = Vec::new();
        for (at, host) in self.config.get_hosts().iter().enumerate() {
            let port = ports.get(at).or(ports.first()).filter(|port| **port != PORT);
            let port = port.map_or_else(String::new, |port| format!(":{port}"));
            hosts.push(match host {
                postgres::config::Host::Tcp(name) if name.contains(':') => format!("[{name}]{port}"),
                postgres::config::Host::Tcp(name) => format!("{name}{port}"),
                #[cfg(unix)]
                postgres::config::Host::Unix(path) => {
                    format!("{}{port}", path.display().to_string().replace('/', "%2F"))
                }
            });
        }
        format!("postgres://{user}{}/{}", hosts.join(","), self.config.get_dbname().unwrap_or_default())
    }

    /// Does something on the line, which is opened first where there is none.
    fn on_line<T>(&self, work: impl FnOnce(&mut Client) -> Result<T, postgres::Error>) -> Result<T, Failure> {
        let mut line = self.client.borrow_mut();
        let anew = self.reads_only.get() && !self.open.get() && self.held.get() == 0;
        let live = line.as_ref().is_some_and(|client| !client.is_closed());
        if !live || anew {
            self.reads_only.set(false);
            *line = None;
            self.prepared.borrow_mut().clear();
            if self.open.get() || self.held.get() > 0 {
                return Err(Failure::CutOff);
            }
            let mut client = match &self.tls {
                Some(tls) => line::encrypted(&self.config, tls)?,
                None => self.config.connect(postgres::NoTls)?,
            };
            number_on(&mut client)?;
            *line = Some(client);
        }
        match line.as_mut() {
            Some(client) => Ok(work(client).inspect_err(|error| {
                self.spoilt.set(self.open.get());
                self.behind.set(self.behind.get() || is_of_numbers(error));
                let reads_only = error.code() == Some(&SqlState::READ_ONLY_SQL_TRANSACTION);
                self.reads_only.set(self.reads_only.get() || reads_only);
            })?),
            None => Err(Failure::CutOff),
        }
    }

    fn prepared(&self, sql: &str) -> Result<Statement, Failure> {
        if let Some(known) = self.prepared.borrow().get(sql) {
            // That of a line that broke is known no more.
            if self.client.borrow().as_ref().is_some_and(|client| !client.is_closed()) {
                return Ok(known.clone());
            }
        }
        let made = self.on_line(|client| client.prepare(&spoken(sql)))?;
        self.prepared.borrow_mut().insert(sql.to_owned(), made.clone());
        Ok(made)
    }

    /// The rows that a statement finds.
    pub(super) fn query(&self, sql: &str, values: &dyn Binds) -> Result<Vec<postgres::Row>, Failure> {
        let (statement, bound) = (self.prepared(sql)?, bound(values));
        let values: Vec<&(dyn ToSql + Sync)> = bound.iter().map(|value| value as &(dyn ToSql + Sync)).collect();
        self.on_line(|client| client.query(&statement, &values))
    }

    /// Whether a statement that asks for one truth finds it.
    fn says(&self, sql: &str, values: &dyn Binds) -> Result<bool, Failure> {
        let found = self.query(sql, values)?;
        Ok(found.first().is_some_and(|row| row.try_get::<_, bool>(0).unwrap_or(false)))
    }

    /// Reads the rows of a statement without values one by one, until `read` has enough; it asks nothing else of the server.
    pub(super) fn stream(
        &self,
        sql: &str,
        read: &mut dyn FnMut(&postgres::Row) -> rusqlite::Result<bool>,
    ) -> Result<(), base::Failure> {
        let statement = self.prepared(sql)?;
        let mut fault = None;
        let done = self.on_line(|client| {
            let none: [&(dyn ToSql + Sync); 0] = [];
            let mut rows = client.query_raw(&statement, none)?;
            while let Some(row) = rows.next()? {
                match read(&row) {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(error) => {
                        fault = Some(error);
                        break;
                    }
                }
            }
            Ok(())
        });
        fault.map_or_else(|| Ok(done?), |fault| Err(fault.into()))
    }

    /// Runs a statement that writes.
    pub(super) fn execute(&self, sql: &str, values: &dyn Binds) -> Result<usize, Failure> {
        let (statement, bound) = (self.prepared(sql)?, bound(values));
        let values: Vec<&(dyn ToSql + Sync)> = bound.iter().map(|value| value as &(dyn ToSql + Sync)).collect();
        let touched = self.on_line(|client| client.execute(&statement, &values))?;
        let touched = usize::try_from(touched).unwrap_or(usize::MAX);
        self.wrote(touched);
        Ok(touched)
    }

    /// Counts rows that a statement wrote.
    pub(super) fn wrote(&self, rows: usize) {
        self.written.set(self.written.get().saturating_add(i64::try_from(rows).unwrap_or(i64::MAX)));
    }

    /// How many rows this session has written.
    pub(super) fn written(&self) -> i64 {
        self.written.get()
    }

    /// Whether the server has said that this session may only read.
    pub(super) fn reads_only(&self) -> bool {
        self.reads_only.get()
    }

    /// Whether a transaction is open.
    pub(super) fn is_open(&self) -> bool {
        self.open.get()
    }

    /// Begins a transaction; where it is to write, with the marks that say where the post office is.
    pub(super) fn begin(&self, kind: Kind) -> Result<Vec<(String, String)>, Failure> {
        if kind == Kind::Reading {
            self.begin_by("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")?;
            return Ok(Vec::new());
        }
        let loose = if kind == Kind::Loose { "SET LOCAL synchronous_commit = off; " } else { "" };
        let (writers, asked) = (key_of(whereabouts::WRITERS), whereabouts::ASKED);
        // One way there and back. Whoever marks the place waits for all that have passed here.
        let found = self.begin_by(&format!("BEGIN; {loose}SELECT pg_advisory_xact_lock_shared({writers}); {asked}"))?;
        Ok(pairs(&found))
    }

    fn begin_by(&self, sql: &str) -> Result<Vec<SimpleQueryMessage>, Failure> {
        self.spoilt.set(false);
        let behind = self.behind.take();
        let said = self.on_line(|client| {
            if behind {
                number_on(client)?;
            }
            self.open.set(true);
            client.simple_query(sql)
        });
        if said.is_err() {
            self.roll_back();
        }
        said
    }

    /// Ends the transaction.
    pub(super) fn commit(&self) -> Result<(), Failure> {
        if self.spoilt.take() {
            self.roll_back();
            return Err(Failure::Spoilt);
        }
        let done = self.on_line(|client| client.simple_query("COMMIT"));
        self.open.set(false);
        done.map(drop)
    }

    /// Takes the transaction back. Where the line is broken, the server does.
    pub(super) fn roll_back(&self) {
        if self.open.get() {
            let _ = self.on_line(|client| client.batch_execute("ROLLBACK"));
            self.open.set(false);
        }
    }

    /// Holds a name, where nobody else does or once nobody does; false where somebody does. What is held twice is let go
    /// twice.
    pub(super) fn hold(&self, name: &str, waits: bool) -> Result<bool, Failure> {
        let key = key_of(name);
        if waits {
            self.query("SELECT pg_advisory_lock(?1)", &[key])?;
        } else if !self.says("SELECT pg_try_advisory_lock(?1)", &[key])? {
            return Ok(false);
        }
        self.held.set(self.held.get().saturating_add(1));
        Ok(true)
    }

    /// Lets a name go. With a session that is gone it is gone.
    pub(super) fn let_go(&self, name: &str) {
        let _ = self.query("SELECT pg_advisory_unlock(?1)", &[key_of(name)]);
        self.held.set(self.held.get().saturating_sub(1));
    }

    /// How the server would carry a statement out, as EXPLAIN words it.
    pub(super) fn plan(&self, sql: &str) -> Result<Vec<String>, Failure> {
        let generic = "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off";
        self.on_line(|client| client.batch_execute(generic))?;
        let places = self.prepared(sql)?.params().len();
        let nulls = vec!["NULL"; places].join(", ");
        let call = if places == 0 { String::new() } else { format!("({nulls})") };
        let asked = format!("PREPARE planned AS {}; EXPLAIN EXECUTE planned{call}; DEALLOCATE planned", spoken(sql));
        let said = self.on_line(|client| client.simple_query(&asked))?;
        self.on_line(|client| client.batch_execute("RESET plan_cache_mode; RESET enable_seqscan"))?;
        let lines = said.iter().filter_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.get(0).map(|line| line.trim().to_owned()),
            _ => None,
        });
        Ok(lines.collect())
    }

    /// The schema as this program makes it, and as it is: what there is, by kind and name, and how each was made.
    pub(super) fn schemas(&self) -> Result<(Objects, Objects), Failure> {
        // Made beside it, and taken back.
        self.begin_by("BEGIN")?;
        let done = self.both_schemas();
        self.roll_back();
        done
    }

    fn both_schemas(&self) -> Result<(Objects, Objects), Failure> {
        let theirs = self.objects()?;
        self.on_line(|client| {
            client.batch_execute("CREATE SCHEMA estafette_fresh; SET LOCAL search_path = estafette_fresh")
        })?;
        for part in STEPS.iter().copied().flatten() {
            // There is no row yet to be packed.
            if let Part::Sql(sql) = part {
                self.on_line(|client| client.batch_execute(sql))?;
            }
        }
        Ok((self.objects()?, theirs))
    }

    /// What there is in the schema that is looked in first.
    fn objects(&self) -> Result<Objects, Failure> {
        let said = self.on_line(|client| client.simple_query(series::OBJECTS))?;
        Ok(pairs(&said))
    }

    /// Brings the database up to this program's schema; how far it was and how far this program knows, where it was
    /// further.
    pub(super) fn migrate(&self, begin: Begin<'_>) -> Result<Migrated, base::Failure> {
        let newest = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
        // Before anything is asked of tables that may be another program's.
        if matches!(begin, Begin::Coming(_))
            && let Some(table) = self.foreign()?
        {
            return Ok(Migrated::Occupied(table));
        }
        let found = self.version()?;
        if found == newest {
            return Ok(Migrated::Done);
        }
        let there = "SELECT coalesce(to_regclass('games'), to_regclass('log'), to_regclass('segments')) IS NOT NULL";
        if found < 0 || found == 0 && self.says(there, &())? {
            return Ok(Migrated::Torn);
        }
        if found == 0 && matches!(begin, Begin::No | Begin::Look) {
            return Ok(Migrated::Empty);
        }
        if found == 0
            && let Some(table) = self.foreign()?
        {
            return Ok(Migrated::Occupied(table));
        }
        if found > newest {
            return Ok(Migrated::Newer { found, known: newest });
        }
        if begin == Begin::Look {
            return Ok(Migrated::Older { found, known: newest });
        }
        self.begin_by("BEGIN")?;
        let done = self.steps(newest, begin);
        match done {
            Ok(()) => Ok(self.commit().map(|()| Migrated::Done)?),
            Err(error) => {
                self.roll_back();
                Err(error)
            }
        }
    }

    fn steps(&self, newest: i64, begin: Begin<'_>) -> Result<(), base::Failure> {
        // Another process may be at it.
        self.query("SELECT pg_advisory_xact_lock(?1)", &[key_of("schema")])?;
        let from = usize::try_from(self.version()?).unwrap_or(usize::MAX);
        for part in STEPS.iter().copied().skip(from).flatten() {
            match part {
                Part::Sql(sql) => self.on_line(|client| client.batch_execute(sql))?,
                Part::PackLog => repack::log(base::Tables::Server(self))?,
            }
        }
        let said = format!("DELETE FROM schema_version; INSERT INTO schema_version (version) VALUES ({newest})");
        self.on_line(|client| client.batch_execute(&said))?;
        // In the same transaction: a place that is to be filled never looks like an empty post office.
        if let (0, Begin::Coming(place)) = (from, begin) {
            let (key, value) = Whereabouts::beginning(place);
            self.execute("INSERT INTO marks (key, value) VALUES (?1, ?2)", &[key, value])?;
        }
        Ok(())
    }

    /// The first table of another program's, where no post office is.
    fn foreign(&self) -> Result<Option<String>, Failure> {
        let found = self.query(foreign::ON_SERVER, &())?;
        Ok(found.first().map(|row| row.try_get(0)).transpose()?)
    }

    /// The schema's version, 0 where there is none.
    fn version(&self) -> Result<i64, Failure> {
        if !self.says("SELECT to_regclass('schema_version') IS NOT NULL", &())? {
            return Ok(0);
        }
        // Not prepared: a statement may not name a table that is made in between.
        let rows = self.on_line(|client| client.simple_query("SELECT version FROM schema_version"))?;
        let version = rows.iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.get(0).and_then(|text| text.parse().ok()),
            _ => None,
        });
        Ok(version.unwrap_or(0))
    }
}

/// The rows of two texts among what a server said.
fn pairs(said: &[SimpleQueryMessage]) -> Vec<(String, String)> {
    let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
    let pair = |message: &SimpleQueryMessage| match message {
        SimpleQueryMessage::Row(row) if row.len() == 2 => Some((text(row.get(0)), text(row.get(1)))),
        _ => None,
    };
    said.iter().filter_map(pair).collect()
}

/// What came of bringing a schema up to date.
pub(super) enum Migrated {
    /// It is as this program has it.
    Done,
    /// There is nothing, and nothing was to be begun.
    Empty,
    /// There is something, and nobody knows of which version it is.
    Torn,
    /// There is no post office, and something else: the first of its tables.
    Occupied(String),
    /// A newer program wrote it.
    Newer {
        /// The version found.
        found: i64,
        /// The newest that this program knows.
        known: i64,
    },
    /// An older program wrote it, and it is only looked at.
    Older {
        /// The version found.
        found: i64,
        /// The one that this program would make of it.
        known: i64,
    },
}

/// The number under which a name is held.
pub(super) fn key_of(name: &str) -> i64 {
    let digest = Sha256::new().chain_update(b"estafette/hold/v1\0").chain_update(name.as_bytes()).finalize();
    digest.iter().take(8).fold(0_i64, |key, byte| key.wrapping_shl(8) | i64::from(*byte))
}

/// What SQLite says otherwise than PostgreSQL, and how.
const OTHERWISE: &[(&str, &str)] = &[
    (" NOT GLOB 'umpire-[0-9]*'", " !~ '^umpire-[0-9]'"),
    (" CROSS JOIN ", " JOIN "),
    (" NOT INDEXED", ""),
    ("x''", "''::bytea"),
];

/// A statement of ours in PostgreSQL's words.
pub(super) fn spoken(sql: &str) -> String {
    let mut said = sql.to_owned();
    for (lite, server) in OTHERWISE {
        said = said.replace(lite, server);
    }
    while let Some(at) = said.find(" INDEXED BY ") {
        let name = at + " INDEXED BY ".len();
        let end = said[name..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(said.len(), |n| name + n);
        said.replace_range(at..end, "");
    }
    said.replace('?', "$")
}

/// A value on its way to the server.
#[derive(Debug)]
struct Bound(Value);

fn bound(values: &dyn Binds) -> Vec<Bound> {
    let mut all = Vec::new();
    let _ = values.each(&mut |value| {
        all.push(Bound(match value.to_sql()? {
            ToSqlOutput::Borrowed(value) => Value::try_from(value).unwrap_or(Value::Null),
            ToSqlOutput::Owned(value) => value,
            _ => Value::Null,
        }));
        Ok::<(), base::Failure>(())
    });
    all
}

impl ToSql for Bound {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        let unfit = |what| Unfit(what, kind.clone());
        match &self.0 {
            Value::Null => Ok(IsNull::Yes),
            Value::Integer(number) => match *kind {
                Type::INT8 => number.to_sql(kind, out),
                Type::INT4 => i32::try_from(*number).map_err(|_| unfit("a number"))?.to_sql(kind, out),
                Type::INT2 => i16::try_from(*number).map_err(|_| unfit("a number"))?.to_sql(kind, out),
                Type::BOOL => (*number != 0).to_sql(kind, out),
                _ => Err(unfit("a number").into()),
            },
            Value::Text(text) => match *kind {
                Type::TEXT | Type::VARCHAR | Type::NAME | Type::BPCHAR => text.to_sql(kind, out),
                _ => Err(unfit("a text").into()),
            },
            Value::Blob(bytes) => match *kind {
                Type::BYTEA => bytes.to_sql(kind, out),
                _ => Err(unfit("bytes").into()),
            },
            Value::Real(_) => Err(unfit("a fraction").into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// A value that came from the server.
struct Came<'a>(ValueRef<'a>);

impl<'a> FromSql<'a> for Came<'a> {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Came<'a>, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Came(match *kind {
            Type::INT8 => ValueRef::Integer(i64::from_sql(kind, raw)?),
            Type::INT4 => ValueRef::Integer(i64::from(i32::from_sql(kind, raw)?)),
            Type::INT2 => ValueRef::Integer(i64::from(i16::from_sql(kind, raw)?)),
            Type::BOOL => ValueRef::Integer(i64::from(bool::from_sql(kind, raw)?)),
            Type::TEXT | Type::VARCHAR | Type::NAME | Type::BPCHAR => ValueRef::Text(raw),
            Type::BYTEA => ValueRef::Blob(raw),
            _ => return Err(Unfit("a value that came", kind.clone()).into()),
        }))
    }

    fn from_sql_null(_: &Type) -> Result<Came<'a>, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Came(ValueRef::Null))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

/// The value of a column, by its place.
pub(super) fn value_at(row: &postgres::Row, at: usize) -> rusqlite::Result<ValueRef<'_>> {
    let failed = |error: postgres::Error| {
        rusqlite::Error::FromSqlConversionFailure(at, rusqlite::types::Type::Null, Box::new(error))
    };
    Ok(row.try_get::<_, Came<'_>>(at).map_err(failed)?.0)
}

/// A value that does not fit the type that is wanted.
#[derive(Debug, thiserror::Error)]
#[error("{0} does not fit {1}")]
struct Unfit(&'static str, Type);

/// Whether a complaint is of this side: a value that cannot be written in the type that is wanted.
pub(super) fn is_of_values(error: &postgres::Error) -> bool {
    std::error::Error::source(error).is_some_and(|source| source.is::<Unfit>())
}
