//! The rows that an umpire may read with any SQLite tool (design §8).

use std::collections::BTreeMap;
use std::fmt::Write;

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

use super::base::{self, Binds, Failure};
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

/// How the rows of one game are read, with their numbers, and one of them is taken away: a pair for each readable table.
const KNOWN: &[(&str, &str)] = &[
    (
        "SELECT rowid, side, leader, under, hex, unit, arm, sp, mode FROM organization_display WHERE game = ?1",
        "DELETE FROM organization_display WHERE rowid = ?1",
    ),
    ("SELECT rowid, side, vedette, hex, face FROM vedettes WHERE game = ?1", "DELETE FROM vedettes WHERE rowid = ?1"),
    (
        "SELECT rowid, side, chit, hex, contents FROM fog_chits WHERE game = ?1",
        "DELETE FROM fog_chits WHERE rowid = ?1",
    ),
    (
        "SELECT rowid, side, tag, hex, what, sp, learnt_turn, confidence FROM intel WHERE game = ?1",
        "DELETE FROM intel WHERE rowid = ?1",
    ),
    (
        "SELECT rowid, side, board, name, hex, facts FROM board_rows WHERE game = ?1",
        "DELETE FROM board_rows WHERE rowid = ?1",
    ),
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

impl FromSql for Cell {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value {
            ValueRef::Null => Ok(Cell::Null),
            ValueRef::Integer(number) => Ok(Cell::Int(number)),
            ValueRef::Text(_) => Ok(Cell::Text(value.as_str()?.to_owned())),
            ValueRef::Real(_) | ValueRef::Blob(_) => Err(FromSqlError::InvalidType),
        }
    }
}

impl Act<'_> {
    /// Replaces all readable rows of a game, writing only what differs. A table or column that is not in [`READABLE`] is
    /// [`StoreError::Unknown`].
    pub fn replace_rows(&self, game: &str, rows: &[Row]) -> Result<(), StoreError> {
        let mut new: BTreeMap<(&str, Vec<Cell>), Vec<&Row>> = BTreeMap::new();
        for row in rows {
            let cells = cells(row).map_err(|column| {
                let unknown = StoreError::Unknown { path: self.path().to_owned(), table: row.table, column };
                self.doom(format_args!("row of {} of {game}", row.table), unknown)
            })?;
            new.entry((row.table, cells)).or_default().push(row);
        }
        for ((table, columns), (select, delete)) in READABLE.iter().zip(KNOWN) {
            let known = |row: &base::Row<'_>| {
                let cells = (1..=columns.len()).map(|at| row.get(at)).collect::<rusqlite::Result<Vec<Cell>>>()?;
                Ok((row.get::<_, i64>(0)?, cells))
            };
            let at = format_args!("readable rows of {game}");
            for (id, cells) in self.many(at, select, [game], known)? {
                // One that stays is written no more.
                if new.get_mut(&(*table, cells)).and_then(Vec::pop).is_none() {
                    self.write_one(at, delete, [id])?;
                }
            }
        }
        new.into_values().flatten().try_for_each(|row| self.add_row(game, row))
    }

    fn add_row(&self, game: &str, row: &Row) -> Result<(), StoreError> {
        let at = format_args!("row of {} of {game}", row.table);
        let sql = insert(row);
        self.wrote();
        fail::point("store/write");
        let values = Values { game, row };
        self.base.execute(&sql, &values).map(drop).map_err(|source| self.doom(at, self.error(&at, source)))
    }
}

/// The values of a row, its game first.
struct Values<'a> {
    game: &'a str,
    row: &'a Row,
}

impl Binds for Values<'_> {
    fn each(&self, with: &mut dyn FnMut(&dyn ToSql) -> Result<(), Failure>) -> Result<(), Failure> {
        with(&self.game)?;
        self.row.columns.iter().try_for_each(|(_, value)| with(value))
    }
}

/// The values of a row in the order of its table's columns, or the name of the column that there is not. Only names from
/// [`READABLE`] ever come into a statement.
fn cells(row: &Row) -> Result<Vec<Cell>, &'static str> {
    let (_, known) = READABLE.iter().find(|(table, _)| *table == row.table).ok_or("")?;
    if let Some((column, _)) = row.columns.iter().find(|(column, _)| !known.contains(column)) {
        return Err(column);
    }
    let value = |name: &&str| row.columns.iter().find(|(column, _)| column == name).map(|(_, value)| value.clone());
    Ok(known.iter().map(|name| value(name).unwrap_or(Cell::Null)).collect())
}

/// The statement that adds a row whose names are known.
fn insert(row: &Row) -> String {
    let (mut columns, mut places) = (String::from("game"), String::from("?1"));
    for (index, (column, _)) in (2..).zip(&row.columns) {
        let _ = write!(columns, ", {column}");
        let _ = write!(places, ", ?{index}");
    }
    format!("INSERT INTO {} ({columns}) VALUES ({places})", row.table)
}
