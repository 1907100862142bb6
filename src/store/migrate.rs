//! Numbered migrations: step n brings a file from schema n-1 to schema n, and `PRAGMA user_version` holds n.

use std::path::Path;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::base::{Failure, Tables};
use super::{StoreError, Whereabouts, repack};

/// A part of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Statements.
    Sql(&'static str),
    /// The log of before, an entry a row, is packed into segments: no statement can do that.
    PackLog,
}

/// The migrations in order, the first for an empty file, each with its parts. A step that was ever released is never
/// changed.
pub const STEPS: &[&[Part]] = &[
    &[Part::Sql(include_str!("schema/001_games.sql"))],
    &[Part::Sql(include_str!("schema/002_post.sql"))],
    &[Part::Sql(include_str!("schema/003_log.sql"))],
    &[Part::Sql(include_str!("schema/004_desk.sql"))],
    &[Part::Sql(include_str!("schema/005_board.sql"))],
    &[Part::Sql(include_str!("schema/006_again.sql"))],
    &[Part::Sql(include_str!("schema/007_people.sql"))],
    &[Part::Sql(include_str!("schema/008_addresses.sql"))],
    &[Part::Sql(include_str!("schema/009_hands.sql"))],
    &[Part::Sql(include_str!("schema/010_budget.sql"))],
    &[Part::Sql(include_str!("schema/011_faults.sql"))],
    &[Part::Sql(include_str!("schema/012_tags.sql"))],
    &[Part::Sql(include_str!("schema/013_restore.sql"))],
    &[Part::Sql(include_str!("schema/014_notices.sql"))],
    &[Part::Sql(include_str!("schema/015_wakes.sql"))],
    &[
        Part::Sql(include_str!("schema/016_segments.sql")),
        Part::PackLog,
        Part::Sql(include_str!("schema/016_packed.sql")),
    ],
    &[Part::Sql(include_str!("schema/017_snapshots.sql"))],
];

impl Part {
    fn in_file(self, conn: &Connection) -> Result<(), Failure> {
        match self {
            Part::Sql(sql) => Ok(conn.execute_batch(sql)?),
            Part::PackLog => repack::log(Tables::Lite(conn)),
        }
    }
}

/// Marks the file as ours (`PRAGMA application_id`): the letters `estf`.
pub const APPLICATION_ID: i32 = 0x6573_7466;

/// The schema version that this program writes.
#[must_use]
pub fn newest() -> u32 {
    u32::try_from(STEPS.len()).unwrap_or(u32::MAX)
}

/// What may become of a database that holds no post office.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begin<'a> {
    /// Nothing: there was one.
    No,
    /// Nothing, and one that is there is only looked at: another program may be serving it.
    Look,
    /// A new post office begins in it.
    Anew,
    /// It is filled from that of another place.
    Coming(&'a str),
}

/// Brings the file up to the newest schema, all steps in one transaction; refuses a newer file and one of
/// another program, and an empty one where none is to begin.
pub(super) fn migrate(conn: &Connection, path: &Path, begin: Begin<'_>) -> Result<(), StoreError> {
    match version(conn, path)? {
        0 if begin == Begin::No => return Err(StoreError::Empty { path: path.to_owned() }),
        found if found == newest() => return Ok(()),
        _ => {}
    }
    let sql = |source| StoreError::sql(path, &"migration", source);
    // A row that names one that is not there is no row of this step's: it is kept, and the checks tell of it.
    conn.pragma_update(None, "foreign_keys", false).map_err(sql)?;
    let done = steps(conn, path, begin);
    conn.pragma_update(None, "foreign_keys", true).map_err(sql)?;
    done
}

fn steps(conn: &Connection, path: &Path, begin: Begin<'_>) -> Result<(), StoreError> {
    let sql = |source| StoreError::sql(path, &"migration", source);
    let transaction = Transaction::new_unchecked(conn, TransactionBehavior::Immediate).map_err(sql)?;
    // Read again: another process may have migrated while this one waited.
    let from = version(&transaction, path)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID).map_err(sql)?;
    for (number, parts) in (1_u32..).zip(STEPS).skip(usize::try_from(from).unwrap_or(usize::MAX)) {
        crate::fail::point("store/migrate");
        let row = format_args!("migration to schema {number}");
        for part in *parts {
            part.in_file(&transaction).map_err(|source| StoreError::of(path, &row, source))?;
        }
        transaction.pragma_update(None, "user_version", number).map_err(sql)?;
    }
    // In the same transaction: a place that is to be filled never looks like an empty post office.
    if let (0, Begin::Coming(place)) = (from, begin) {
        let (key, value) = Whereabouts::beginning(place);
        let mark = "INSERT INTO marks (key, value) VALUES (?1, ?2)";
        transaction.execute(mark, [key, value]).map_err(sql)?;
    }
    crate::fail::point("store/migrate/commit");
    transaction.commit().map_err(sql)
}

/// The schema version of the file, 0 for an empty one.
fn version(conn: &Connection, path: &Path) -> Result<u32, StoreError> {
    let ask = |sql: &str| -> Result<i64, StoreError> {
        conn.query_row(sql, (), |row| row.get(0)).map_err(|source| StoreError::sql(path, &"schema version", source))
    };
    let found = ask("SELECT user_version FROM pragma_user_version")?;
    let owner = ask("SELECT application_id FROM pragma_application_id")?;
    let objects = ask("SELECT count(*) FROM sqlite_schema")?;
    if owner != i64::from(APPLICATION_ID) && (owner, found, objects) != (0, 0, 0) {
        let detail = "it is the database of another program".to_owned();
        return Err(StoreError::Corrupt { path: path.to_owned(), detail });
    }
    let known = newest();
    match u32::try_from(found) {
        Ok(found) if found > known => Err(StoreError::Newer { path: path.to_owned(), found, known }),
        Ok(found) => Ok(found),
        Err(_) => {
            let detail = format!("its schema version is {found}");
            Err(StoreError::Corrupt { path: path.to_owned(), detail })
        }
    }
}
