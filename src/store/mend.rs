//! Damaged pages: what of the file they hit, and indexes made anew.
//!
//! An index says nothing that its table does not say, so a damaged one costs nobody anything: its pages are left lying
//! and it is recomputed. So it is with tables that hold counts, or what follows from other tables. What a damaged page
//! of another table held is in the backup alone.

use rusqlite::types::Value;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::rights::MAKING;
use super::{Fault, Store, StoreError};

/// Tables that may be recomputed with what of them can still be read: counts, marks of the transports, and rows that only
/// an umpire reads, which `doctor --rebuild` makes again from the chain.
const EXPENDABLE: [&str; 8] =
    ["rate", "marks", "punctuality", "organization_display", "vedettes", "fog_chits", "intel", "board_rows"];

/// A table that follows from another, and the statement that fills it.
const FOLLOWS: (&str, &str) = (
    "log_heads",
    "INSERT INTO mend_log_heads (game, seq, hash) SELECT s.game, s.seq_to, s.hash FROM segments AS s \
     JOIN (SELECT game, max(seq_from) AS seq_from FROM segments GROUP BY game) AS ends \
     ON ends.game = s.game AND ends.seq_from = s.seq_from",
);

/// A table or an index that cannot be read whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damaged {
    /// Its name.
    pub name: String,
    /// Whether it is an index, which can be recomputed.
    pub index: bool,
}

/// What was made anew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mended {
    /// Tables and indexes that could not be read whole.
    pub damaged: Vec<String>,
    /// Indexes that were not there.
    pub missing: Vec<String>,
}

impl Mended {
    /// Whether nothing was.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.damaged.is_empty() && self.missing.is_empty()
    }

    /// The names of all.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.damaged.iter().chain(&self.missing).map(String::as_str).collect()
    }
}

/// An index as the schema has it.
struct Index {
    name: String,
    table: String,
    /// The statement that made it; none for that of a constraint.
    sql: Option<String>,
}

impl Index {
    /// What holds for the rows in it, where it does not have all.
    fn condition(&self) -> Option<&str> {
        self.sql.as_deref()?.split_once(" WHERE ").map(|(_, condition)| condition)
    }
}

/// Whether a table needs no backup to be recomputed.
pub(super) fn can_be_made_anew(table: &str) -> bool {
    EXPENDABLE.contains(&table) || table == FOLLOWS.0
}

impl Store {
    /// The tables and indexes that cannot be read whole, or that do not agree with each other.
    ///
    /// # Errors
    /// When the list of them cannot be read, or something passing.
    pub fn damaged(&self) -> Result<Vec<Damaged>, StoreError> {
        let Some(conn) = self.base.lite() else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for name in tables(conn).map_err(|source| self.error(&"damaged pages", source.into()))? {
            if self.is_damaged(walk(conn, &name))? {
                found.push(Damaged { name, index: false });
            }
        }
        let broken = self.broken_indexes(conn)?;
        found.extend(broken.into_iter().map(|index| Damaged { name: index.name, index: true }));
        Ok(found)
    }

    /// Makes damaged and missing indexes anew, and damaged tables that can be, and tells which. An index whose table is
    /// damaged stays as it is.
    ///
    /// # Errors
    /// When the list of them cannot be read, a right that is missing on a server, or something passing.
    pub fn mend(&self) -> Result<Mended, StoreError> {
        let mut mended = Mended { damaged: self.mend_pages()?, missing: Vec::new() };
        let missing = self.missing_indexes()?;
        if !missing.is_empty() {
            self.may_make()?;
        }
        for (index, make) in missing {
            let made = self.base.execute(&make, &());
            match made.map_err(|source| self.denied(&"missing index", source, MAKING)) {
                Ok(_) => mended.missing.push(index),
                // What two rows have that one may have: it stays among the findings.
                Err(error) if error.fault() != Fault::Passing => {}
                Err(error) => return Err(error),
            }
        }
        Ok(mended)
    }

    fn mend_pages(&self) -> Result<Vec<String>, StoreError> {
        let Some(conn) = self.base.lite() else { return Ok(Vec::new()) };
        let mut mended = Vec::new();
        for table in EXPENDABLE.into_iter().chain([FOLLOWS.0]) {
            if self.is_damaged(walk(conn, table))? && !self.is_damaged(self.table_anew(conn, table))? {
                mended.push(table.to_owned());
            }
        }
        for index in self.broken_indexes(conn)? {
            if !self.is_damaged(self.index_anew(conn, &index))? {
                mended.push(index.name);
            }
        }
        Ok(mended)
    }

    /// Writes the whole file anew, without the pages that nothing uses; a server sees to that itself.
    ///
    /// # Errors
    /// A file that cannot be read whole, or something passing.
    pub fn compact(&self) -> Result<(), StoreError> {
        let Some(conn) = self.base.lite() else { return Ok(()) };
        conn.execute_batch("VACUUM").map_err(|source| self.error(&"compacting", source.into()))
    }

    fn broken_indexes(&self, conn: &Connection) -> Result<Vec<Index>, StoreError> {
        let all = indexes(conn).map_err(|source| self.error(&"damaged pages", source.into()))?;
        let mut broken = Vec::new();
        for index in all {
            if self.is_damaged(agrees(conn, &index))? {
                broken.push(index);
            }
        }
        Ok(broken)
    }

    /// Whether reading failed for the file's own sake; what passes is an error.
    fn is_damaged(&self, read: rusqlite::Result<bool>) -> Result<bool, StoreError> {
        match read {
            Ok(sound) => Ok(!sound),
            Err(source) => {
                let error = self.error(&"damaged pages", source.into());
                if error.fault() == Fault::Passing { Err(error) } else { Ok(true) }
            }
        }
    }

    /// Makes a twin of a table, with what can be read of it or what follows from others, and puts it in its place.
    fn table_anew(&self, conn: &Connection, table: &str) -> rusqlite::Result<bool> {
        let sql: String = conn.query_row("SELECT sql FROM sqlite_schema WHERE name = ?1", [table], |row| row.get(0))?;
        let twin = format!("mend_{table}");
        let (follows, fill) = FOLLOWS;
        let rows = if table == follows { Vec::new() } else { readable_rows(conn, table) };
        self.exchanged(conn, table, &twin, &sql.replacen(table, &twin, 1), &|conn| {
            if table == follows {
                return conn.execute_batch(fill);
            }
            for row in &rows {
                let places = vec!["?"; row.len()].join(", ");
                let values = rusqlite::params_from_iter(row);
                conn.execute(&format!("INSERT OR IGNORE INTO {twin} VALUES ({places})"), values)?;
            }
            Ok(())
        })?;
        walk(conn, table)
    }

    /// Makes a twin of an index and puts it in its place.
    fn index_anew(&self, conn: &Connection, index: &Index) -> rusqlite::Result<bool> {
        let twin = format!("mend_{}", index.name);
        let make = match &index.sql {
            Some(sql) => sql.replacen(&index.name, &twin, 1),
            None => {
                format!("CREATE UNIQUE INDEX {twin} ON {} ({})", index.table, columns(conn, index)?.join(", "))
            }
        };
        self.exchanged(conn, &index.name, &twin, &make, &|_| Ok(()))?;
        agrees(conn, index)
    }

    /// Makes and fills a twin, and puts it in the place of what is damaged. The old pages are touched nowhere: they cannot
    /// even be freed.
    fn exchanged(
        &self,
        conn: &Connection,
        name: &str,
        twin: &str,
        make: &str,
        fill: &dyn Fn(&Connection) -> rusqlite::Result<()>,
    ) -> rusqlite::Result<()> {
        let version: i64 = conn.query_row("PRAGMA schema_version", (), |row| row.get(0))?;
        let transaction = Transaction::new_unchecked(conn, TransactionBehavior::Immediate)?;
        let exchange = || {
            transaction.execute_batch(make)?;
            fill(&transaction)?;
            transaction.pragma_update(None, "writable_schema", true)?;
            transaction.execute(
                "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = ?2) WHERE name = ?1",
                [name, twin],
            )?;
            transaction.execute("DELETE FROM sqlite_schema WHERE name = ?1 OR tbl_name = ?1", [twin])?;
            // Every connection reads the schema again.
            transaction.pragma_update(None, "schema_version", version.saturating_add(2))
        };
        let done: rusqlite::Result<()> = exchange();
        let done = if done.is_ok() { transaction.commit() } else { transaction.rollback().and(done) };
        conn.pragma_update(None, "writable_schema", false)?;
        done
    }
}

/// The rows of a table up to the first that cannot be read.
fn readable_rows(conn: &Connection, table: &str) -> Vec<Vec<Value>> {
    let mut found = Vec::new();
    let mut read = || -> rusqlite::Result<()> {
        let mut all = conn.prepare(&format!("SELECT * FROM \"{table}\" NOT INDEXED"))?;
        let width = all.column_count();
        let mut rows = all.query(())?;
        while let Some(row) = rows.next()? {
            found.push((0..width).map(|at| row.get(at)).collect::<rusqlite::Result<Vec<Value>>>()?);
        }
        Ok(())
    };
    // Where reading ends early, the rest is lost.
    if read().is_err() {
        tracing::warn!(table, "not all of a damaged table can be read");
    }
    found
}

fn tables(conn: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut all = conn.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name")?;
    all.query_map((), |row| row.get(0))?.collect()
}

fn indexes(conn: &Connection) -> rusqlite::Result<Vec<Index>> {
    let sql = "SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'index' AND rootpage > 0 ORDER BY name";
    let mut all = conn.prepare(sql)?;
    all.query_map((), |row| Ok(Index { name: row.get(0)?, table: row.get(1)?, sql: row.get(2)? }))?.collect()
}

fn columns(conn: &Connection, index: &Index) -> rusqlite::Result<Vec<String>> {
    let mut all = conn.prepare("SELECT name FROM pragma_index_info(?1) ORDER BY seqno")?;
    all.query_map([&index.name], |row| row.get(0))?.collect()
}

/// Reads every row of a table with all that it holds.
fn walk(conn: &Connection, table: &str) -> rusqlite::Result<bool> {
    let mut all = conn.prepare(&format!("SELECT * FROM \"{table}\" NOT INDEXED"))?;
    let width = all.column_count();
    let mut rows = all.query(())?;
    while let Some(row) = rows.next()? {
        for at in 0..width {
            row.get_ref(at)?;
        }
    }
    Ok(true)
}

/// Whether an index can be walked and has as many entries as its table has rows for it.
fn agrees(conn: &Connection, index: &Index) -> rusqlite::Result<bool> {
    let (name, table) = (&index.name, &index.table);
    let condition = index.condition().map_or_else(String::new, |condition| format!(" WHERE {condition}"));
    // A plain count takes whichever index is the shortest.
    let count = |by: String| -> rusqlite::Result<i64> {
        conn.query_row(&format!("SELECT coalesce(sum(1), 0) FROM \"{table}\" {by}{condition}"), (), |row| row.get(0))
    };
    let by_index = count(format!("INDEXED BY \"{name}\""))?;
    // A table that cannot be read says nothing against its index.
    Ok(count("NOT INDEXED".to_owned()).map_or(true, |by_table| by_table == by_index))
}
