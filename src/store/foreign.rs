//! What lies in a place where a post office is to begin, and is no post office's.

use std::path::Path;

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension};

use super::StoreError;
use super::migrate::APPLICATION_ID;

/// The first table or view of a server's database that is no post office's, where its tables are looked for: none where a
/// post office is. What an extension has made is the server's own.
pub(super) const ON_SERVER: &str = "SELECT nspname || '.' || relname FROM pg_class AS c \
     JOIN pg_namespace AS n ON n.oid = relnamespace WHERE relkind IN ('r', 'p', 'v', 'm', 'f') \
     AND nspname = ANY (current_schemas(false)) AND nspname NOT IN ('pg_catalog', 'information_schema') \
     AND NOT EXISTS (SELECT 1 FROM pg_depend \
       WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e') \
     AND (to_regclass('schema_version') IS NULL OR to_regclass('games') IS NULL OR to_regclass('marks') IS NULL) \
     ORDER BY 1 LIMIT 1";

/// Looks at a file before anything of it is changed.
///
/// # Errors
/// The first table of another program's; a file that is no database, or cannot be read.
pub(super) fn in_file(path: &Path) -> Result<(), StoreError> {
    // Who may only read leaves beside the file what SQLite lays there.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let look = || -> rusqlite::Result<Option<String>> {
        let conn = Connection::open_with_flags(path, flags)?;
        let owner: i64 = conn.query_row("SELECT application_id FROM pragma_application_id", (), |row| row.get(0))?;
        if owner == i64::from(APPLICATION_ID) {
            return Ok(None);
        }
        let first = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' \
                     ORDER BY name LIMIT 1";
        conn.query_row(first, (), |row| row.get(0)).optional()
    };
    match look() {
        Ok(None) => Ok(()),
        Ok(Some(table)) => Err(StoreError::Occupied { path: path.to_owned(), table }),
        Err(source) if source.sqlite_error_code() == Some(ErrorCode::NotADatabase) => {
            Err(StoreError::Exists { path: path.to_owned(), row: "a file that is no database".to_owned() })
        }
        Err(source) => Err(StoreError::sql(path, &"opening", source)),
    }
}
