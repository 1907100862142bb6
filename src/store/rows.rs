//! The rows that an umpire may read with any SQLite tool (design §8).

use std::fmt::Write;

use rusqlite::types::{ToSql, ToSqlOutput};

use super::{Act, StoreError};
use crate::fail;
use crate::rules::kept::{Cell, Row};

/// The readable tables and their columns; every one of them has a column `game` as well.
pub const READABLE: &[(&str, &[&str])] = &[
    ("organization_display", &["side", "leader", "under", "hex", "unit", "arm", "sp", "mode"]),
    ("vedettes", &["side", "vedette", "hex", "face"]),
    ("fog_chits", &["side", "chit", "hex", "contents"]),
    ("intel", &["side", "tag", "hex", "what", "sp", "learnt_turn", "confidence"]),
    ("board_rows", &["side", "board", "name", "hex", "facts"]),
];

/// How the rows of one game are taken away, one statement for each readable table.
const CLEAR: &[&str] = &[
    "DELETE FROM organization_display WHERE game = ?1",
    "DELETE FROM vedettes WHERE game = ?1",
    "DELETE FROM fog_chits WHERE game = ?1",
    "DELETE FROM intel WHERE game = ?1",
    "DELETE FROM board_rows WHERE game = ?1",
];

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Cell::Null => Ok(ToSqlOutput::from(rusqlite::types::Null)),
            Cell::Int(number) => Ok(ToSqlOutput::from(*number)),
            Cell::Text(text) => Ok(ToSqlOutput::from(text.as_str())),
        }
    }
}

impl Act<'_> {
    /// Replaces all readable rows of a game. A table or column that is not in [`READABLE`] is
    /// [`StoreError::Unknown`].
    pub fn replace_rows(&self, game: &str, rows: &[Row]) -> Result<(), StoreError> {
        for sql in CLEAR {
            self.write(format_args!("readable rows of {game}"), sql, [game])?;
        }
        for row in rows {
            let at = format_args!("row of {} of {game}", row.table);
            let sql = insert(row).map_err(|column| {
                let unknown = StoreError::Unknown { path: self.path().to_owned(), table: row.table, column };
                self.doom(at, unknown)
            })?;
            fail::point("store/write");
            let values = row.columns.iter().map(|(_, value)| value);
            let run = || {
                let mut statement = self.conn.prepare_cached(&sql)?;
                statement.raw_bind_parameter(1, game)?;
                for (index, value) in (2..).zip(values) {
                    statement.raw_bind_parameter(index, value)?;
                }
                statement.raw_execute()
            };
            run().map_err(|source| self.doom(at, self.error(&at, source)))?;
        }
        Ok(())
    }
}

/// The statement that adds the row, or the name of the column that there is not. Only names from [`READABLE`]
/// ever come into a statement.
fn insert(row: &Row) -> Result<String, &'static str> {
    let (_, known) = READABLE.iter().find(|(table, _)| *table == row.table).ok_or("")?;
    let (mut columns, mut places) = (String::from("game"), String::from("?1"));
    for (index, (column, _)) in (2..).zip(&row.columns) {
        if !known.contains(column) {
            return Err(column);
        }
        let _ = write!(columns, ", {column}");
        let _ = write!(places, ", ?{index}");
    }
    Ok(format!("INSERT INTO {} ({columns}) VALUES ({places})", row.table))
}
