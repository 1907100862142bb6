//! The two databases in which a post office may lie, behind one face: a file of SQLite's, or a database on a PostgreSQL
//! server.
//!
//! Statements are written once, in words that both know; where they differ, [`super::postgres::spoken`] says how. Values
//! go in and come out by rusqlite's traits in both, so that what a column may hold is said once as well.

use rusqlite::Connection;
use rusqlite::types::{FromSql, FromSqlError, ToSql, ValueRef};

use super::postgres::{self, Server};

/// Where the rows lie.
pub(super) enum Base {
    /// A file.
    Lite(Connection),
    /// A server.
    Server(Box<Server>),
}

/// Why a statement failed, as the database says it.
#[derive(Debug)]
pub(super) enum Failure {
    /// SQLite; or a row that does not hold what it should, in either.
    Lite(rusqlite::Error),
    /// PostgreSQL.
    Server(postgres::Failure),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Failure {
        Failure::Lite(error)
    }
}

impl From<postgres::Failure> for Failure {
    fn from(error: postgres::Failure) -> Failure {
        Failure::Server(error)
    }
}

/// The values of a statement, in the order of their numbers.
pub(super) trait Binds {
    /// Gives each of them.
    fn each(&self, with: &mut dyn FnMut(&dyn ToSql) -> Result<(), Failure>) -> Result<(), Failure>;
}

impl Binds for () {
    fn each(&self, _: &mut dyn FnMut(&dyn ToSql) -> Result<(), Failure>) -> Result<(), Failure> {
        Ok(())
    }
}

impl<T: ToSql, const N: usize> Binds for [T; N] {
    fn each(&self, with: &mut dyn FnMut(&dyn ToSql) -> Result<(), Failure>) -> Result<(), Failure> {
        self.iter().try_for_each(|value| with(value))
    }
}

impl Binds for &[&dyn ToSql] {
    fn each(&self, with: &mut dyn FnMut(&dyn ToSql) -> Result<(), Failure>) -> Result<(), Failure> {
        self.iter().try_for_each(|value| with(*value))
    }
}

/// A row that was found.
pub(super) enum Row<'a> {
    /// In a file.
    Lite(&'a rusqlite::Row<'a>),
    /// On a server.
    Server(&'a ::postgres::Row),
}

/// A column, by its place from 0 or by its name.
pub(super) trait Column: Copy {
    /// What stands there in a file.
    fn of_lite<T: FromSql>(self, row: &rusqlite::Row<'_>) -> rusqlite::Result<T>;
    /// What stands there on a server, and the place.
    fn of_server<'a>(self, row: &'a ::postgres::Row) -> rusqlite::Result<(usize, ValueRef<'a>)>;
}

impl Column for usize {
    fn of_lite<T: FromSql>(self, row: &rusqlite::Row<'_>) -> rusqlite::Result<T> {
        row.get(self)
    }

    fn of_server<'a>(self, row: &'a ::postgres::Row) -> rusqlite::Result<(usize, ValueRef<'a>)> {
        Ok((self, postgres::value_at(row, self)?))
    }
}

impl Column for &str {
    fn of_lite<T: FromSql>(self, row: &rusqlite::Row<'_>) -> rusqlite::Result<T> {
        row.get(self)
    }

    fn of_server<'a>(self, row: &'a ::postgres::Row) -> rusqlite::Result<(usize, ValueRef<'a>)> {
        let at = row.columns().iter().position(|column| column.name() == self);
        let at = at.ok_or_else(|| rusqlite::Error::InvalidColumnName(self.to_owned()))?;
        Ok((at, postgres::value_at(row, at)?))
    }
}

impl Row<'_> {
    /// The value of one column.
    pub(super) fn get<C: Column, T: FromSql>(&self, column: C) -> rusqlite::Result<T> {
        match self {
            Row::Lite(row) => column.of_lite(row),
            Row::Server(row) => {
                let (at, value) = column.of_server(row)?;
                T::column_result(value).map_err(|error| match error {
                    FromSqlError::OutOfRange(number) => rusqlite::Error::IntegralValueOutOfRange(at, number),
                    other => rusqlite::Error::FromSqlConversionFailure(at, value.data_type(), Box::new(other)),
                })
            }
        }
    }
}

/// The same, lent: a schema is brought up to date before there is a store.
#[derive(Clone, Copy)]
pub(super) enum Tables<'a> {
    /// Of a file.
    Lite(&'a Connection),
    /// Of a server.
    Server(&'a Server),
}

impl Tables<'_> {
    /// Reads rows until `read` has enough.
    pub(super) fn each(
        self,
        sql: &str,
        values: &dyn Binds,
        read: &mut dyn FnMut(&Row<'_>) -> rusqlite::Result<bool>,
    ) -> Result<(), Failure> {
        match self {
            Tables::Lite(conn) => {
                let mut statement = conn.prepare_cached(sql)?;
                bind(&mut statement, values)?;
                let mut rows = statement.raw_query();
                while let Some(row) = rows.next()? {
                    if !read(&Row::Lite(row))? {
                        break;
                    }
                }
                Ok(())
            }
            Tables::Server(server) => {
                for row in server.query(sql, values)? {
                    if !read(&Row::Server(&row))? {
                        break;
                    }
                }
                Ok(())
            }
        }
    }

    /// Runs a statement that writes, and tells how many rows it touched.
    pub(super) fn execute(self, sql: &str, values: &dyn Binds) -> Result<usize, Failure> {
        match self {
            Tables::Lite(conn) => {
                let mut statement = conn.prepare_cached(sql)?;
                bind(&mut statement, values)?;
                Ok(statement.raw_execute()?)
            }
            Tables::Server(server) => Ok(server.execute(sql, values)?),
        }
    }
}

impl Base {
    fn tables(&self) -> Tables<'_> {
        match self {
            Base::Lite(conn) => Tables::Lite(conn),
            Base::Server(server) => Tables::Server(server),
        }
    }

    /// Reads rows until `read` has enough.
    pub(super) fn each(
        &self,
        sql: &str,
        values: &dyn Binds,
        read: &mut dyn FnMut(&Row<'_>) -> rusqlite::Result<bool>,
    ) -> Result<(), Failure> {
        self.tables().each(sql, values, read)
    }

    /// Runs a statement that writes, and tells how many rows it touched.
    pub(super) fn execute(&self, sql: &str, values: &dyn Binds) -> Result<usize, Failure> {
        self.tables().execute(sql, values)
    }

    /// Reads all rows of a statement without values, one after the other, until `read` has enough; `read` asks nothing else
    /// of this database.
    pub(super) fn stream(
        &self,
        sql: &str,
        read: &mut dyn FnMut(&Row<'_>) -> rusqlite::Result<bool>,
    ) -> Result<(), Failure> {
        match self {
            Base::Lite(_) => self.each(sql, &(), read),
            Base::Server(server) => server.stream(sql, &mut |row| read(&Row::Server(row))),
        }
    }

    /// Whether a transaction is open.
    pub(super) fn is_open(&self) -> bool {
        match self {
            Base::Lite(conn) => !conn.is_autocommit(),
            Base::Server(server) => server.is_open(),
        }
    }

    /// The file's connection; none of a server.
    pub(super) fn lite(&self) -> Option<&Connection> {
        match self {
            Base::Lite(conn) => Some(conn),
            Base::Server(_) => None,
        }
    }
}

fn bind(statement: &mut rusqlite::Statement<'_>, values: &dyn Binds) -> Result<(), Failure> {
    let mut place = 0;
    values.each(&mut |value| {
        place += 1;
        Ok(statement.raw_bind_parameter(place, value)?)
    })
}
