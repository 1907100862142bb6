//! One act, one transaction.

use std::cell::RefCell;
use std::fmt;
use std::ops::Deref;

use rusqlite::{Transaction, TransactionBehavior};

use super::base::{Base, Binds, Failure};
use super::open::Work;
use super::postgres::Server;
use super::{Fault, Store, StoreError, Whereabouts, whereabouts};
use crate::fail;

/// An act under way: it has all the writing methods, and through [`Deref`] all the reading ones, which see
/// what the act has written so far.
pub struct Act<'a> {
    store: &'a Store,
    /// The first row whose write failed: the act may then not be committed, whoever passed over the failure.
    doomed: RefCell<Option<(String, Fault)>>,
}

impl Deref for Act<'_> {
    type Target = Store;

    fn deref(&self) -> &Store {
        self.store
    }
}

impl Store {
    /// Does one act: all that `work` writes is committed together when it returns `Ok`, and none of it otherwise.
    pub fn act<T>(&self, work: impl FnOnce(&Act<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.try_act(work)
    }

    /// Does one act as [`Store::act`] does, for work that can fail in ways of its own.
    pub fn try_act<T, E: From<StoreError>>(&self, work: impl FnOnce(&Act<'_>) -> Result<T, E>) -> Result<T, E> {
        self.transact(work)
    }

    /// Does one act that a crash of the machine may undo, and no other end of the process: what it says is found out again
    /// where it is lost. It does not wait for the disk.
    pub fn act_loosely<T, E: From<StoreError>>(&self, work: impl FnOnce(&Act<'_>) -> Result<T, E>) -> Result<T, E> {
        self.synced(false)?;
        let done = self.transact(work);
        self.synced(true)?;
        done
    }

    fn transact<T, E: From<StoreError>>(&self, work: impl FnOnce(&Act<'_>) -> Result<T, E>) -> Result<T, E> {
        if self.base.is_open() {
            return Err(StoreError::Nested { path: self.path.clone() }.into());
        }
        let sql = |source| self.error(&"transaction", source);
        fail::point("store/begin");
        let kind = if self.loose.get() { Kind::Loose } else { Kind::Writing };
        let (transaction, marks) = Open::begin(&self.base, kind).map_err(sql)?;
        match Whereabouts::of(&marks) {
            Some(whereabouts) if !self.mover.get() => {
                return Err(self.elsewhere(whereabouts).into());
            }
            _ => {}
        }
        let act = Act { store: self, doomed: RefCell::new(None) };
        let (_waiting, _once) = (Waiting(self), self.once.begin());
        // Dropped on an error, the transaction is rolled back.
        let done = work(&act)?;
        if let Some((row, fault)) = act.doomed.take() {
            return Err(StoreError::Doomed { path: self.path.clone(), row, fault }.into());
        }
        act.write_log()?;
        fail::point("store/commit/before");
        transaction.commit().map_err(sql)?;
        self.work.update(|work| match kind {
            Kind::Loose => Work { loose: work.loose + 1, ..work },
            Kind::Writing | Kind::Reading => Work { synced: work.synced + 1, ..work },
        });
        fail::point("store/commit/after");
        Ok(done)
    }
}

/// What an act has appended to logs and not written: it is gone with the act, however that ends.
struct Waiting<'a>(&'a Store);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        drop(self.0.waiting.take());
    }
}

/// What a transaction is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// To write.
    Writing,
    /// To write what a crash of the machine may undo.
    Loose,
    /// To read everything as it is at one moment.
    Reading,
}

/// A transaction that is taken back unless it is committed.
pub(super) enum Open<'a> {
    Lite(Transaction<'a>),
    Server(OnServer<'a>),
}

/// One on a server: taken back when it is dropped.
pub(super) struct OnServer<'a>(&'a Server);

impl Drop for OnServer<'_> {
    fn drop(&mut self) {
        self.0.roll_back();
    }
}

impl<'a> Open<'a> {
    /// Begins one; where it is to write, with the marks that say where the post office is.
    pub(super) fn begin(base: &'a Base, kind: Kind) -> Result<(Open<'a>, Vec<(String, String)>), Failure> {
        match base {
            Base::Lite(conn) => {
                let behavior = match kind {
                    Kind::Reading => TransactionBehavior::Deferred,
                    // What waits for the disk is said to the connection.
                    Kind::Writing | Kind::Loose => TransactionBehavior::Immediate,
                };
                let transaction = Transaction::new_unchecked(conn, behavior)?;
                let marks = || -> rusqlite::Result<Vec<(String, String)>> {
                    let mut asked = conn.prepare_cached(whereabouts::ASKED)?;
                    asked.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
                };
                // What is damaged is told where it is used, and stops no more than that.
                let marks = if kind == Kind::Reading { Vec::new() } else { marks().unwrap_or_default() };
                Ok((Open::Lite(transaction), marks))
            }
            Base::Server(server) => {
                let marks = server.begin(kind)?;
                Ok((Open::Server(OnServer(server)), marks))
            }
        }
    }

    fn commit(self) -> Result<(), Failure> {
        match self {
            Open::Lite(transaction) => Ok(transaction.commit()?),
            Open::Server(OnServer(server)) => Ok(server.commit()?),
        }
    }
}

impl Act<'_> {
    /// Runs one writing statement and tells how many rows it touched.
    pub(super) fn write(
        &self,
        row: fmt::Arguments<'_>,
        sql: &'static str,
        params: impl Binds,
    ) -> Result<usize, StoreError> {
        self.hear(sql);
        self.wrote();
        fail::point("store/write");
        self.base.execute(sql, &params).map_err(|source| self.doom(row, self.error(&row, source)))
    }

    /// Runs a statement that adds one row and gives its number, `... RETURNING id`.
    pub(super) fn add(
        &self,
        row: fmt::Arguments<'_>,
        sql: &'static str,
        params: impl Binds,
    ) -> Result<i64, StoreError> {
        self.wrote();
        fail::point("store/write");
        let mut id = None;
        let read = self.rows(row, sql, params, &mut |row| {
            id = Some(row.get(0)?);
            Ok(false)
        });
        read.map_err(|error| self.doom(row, error))?;
        if let Base::Server(server) = &self.base {
            server.wrote(1);
        }
        id.ok_or_else(|| self.doom(row, StoreError::Missing { path: self.path.clone(), row: row.to_string() }))
    }

    /// Packs what a row is to hold.
    pub(super) fn packed(&self, row: fmt::Arguments<'_>, bytes: &[u8]) -> Result<Vec<u8>, StoreError> {
        self.deflater.pack(bytes).map_err(|source| self.doom(row, StoreError::Io { path: self.path.clone(), source }))
    }

    /// Counts one writing statement.
    pub(super) fn wrote(&self) {
        self.work.update(|work| Work { writes: work.writes + 1, ..work });
    }

    /// Runs one writing statement that must touch one row.
    pub(super) fn write_one(
        &self,
        row: fmt::Arguments<'_>,
        sql: &'static str,
        params: impl Binds,
    ) -> Result<(), StoreError> {
        match self.write(row, sql, params)? {
            1 => Ok(()),
            _ => Err(self.doom(row, StoreError::Missing { path: self.path.clone(), row: row.to_string() })),
        }
    }

    /// Notes that this act may no longer be committed.
    pub(super) fn doom(&self, row: fmt::Arguments<'_>, error: StoreError) -> StoreError {
        self.doomed.borrow_mut().get_or_insert_with(|| (row.to_string(), error.fault()));
        error
    }
}
