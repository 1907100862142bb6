//! Who holds a name among the sessions of a server.

use super::postgres::key_of;
use super::{Store, StoreError};

/// A session's name: no other has it until the server is started anew, and then its start is another.
macro_rules! named {
    () => {
        " || '@' || extract(epoch FROM pg_postmaster_start_time())"
    };
}

impl Store {
    /// By what name this session is told from all others of its server; none of a file.
    ///
    /// # Errors
    /// A server that cannot be asked.
    pub fn session(&self) -> Result<Option<String>, StoreError> {
        if !self.is_shared() {
            return Ok(None);
        }
        self.one(format_args!("session"), concat!("SELECT pg_backend_pid()", named!()), (), |row| row.get(0))
    }

    /// The session that holds a name just now, by [`Store::session`]; none where nobody does, and of a file.
    ///
    /// # Errors
    /// A server that cannot be asked.
    pub fn holder(&self, name: &str) -> Result<Option<String>, StoreError> {
        if !self.is_shared() {
            return Ok(None);
        }
        let sql = concat!(
            "SELECT pid",
            named!(),
            " FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1 \
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
             AND ((classid::bigint << 32) | objid::bigint) = ?1"
        );
        self.one(format_args!("{name}"), sql, [key_of(name)], |row| row.get(0))
    }
}
