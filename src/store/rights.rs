//! Which rights the user of a server's address lacks for what the doctor does, and the statements that give them.

use std::fmt;

use postgres::error::SqlState;

use super::base::Failure;
use super::{Store, StoreError, postgres as server};

macro_rules! comparing {
    () => {
        "SELECT 'GRANT CREATE ON DATABASE ' || quote_ident(current_database()) || ' TO ' || quote_ident(current_user) \
         WHERE NOT has_database_privilege(current_database(), 'CREATE')"
    };
}

/// To compare the tables with those that this program would make: it makes them beside, and takes them back.
pub(super) const COMPARING: &str = comparing!();

/// To make an index as well: who does must own its table, and may make something beside it.
pub(super) const MAKING: &str = concat!(
    comparing!(),
    " UNION ALL SELECT 'GRANT CREATE ON SCHEMA ' || quote_ident(current_schema()) || ' TO ' || quote_ident(current_user) \
      WHERE NOT has_schema_privilege(current_schema(), 'CREATE') \
      UNION ALL SELECT DISTINCT 'GRANT ' || quote_ident(pg_get_userbyid(relowner)) || ' TO ' || quote_ident(current_user) \
      FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace \
      AND NOT pg_has_role(relowner, 'USAGE')"
);

impl Store {
    /// Refuses to make anything where a right is missing for a part of it, before any of it is made.
    ///
    /// # Errors
    /// The rights that are missing; a server that cannot be asked.
    pub(super) fn may_make(&self) -> Result<(), StoreError> {
        let grants = if self.is_shared() { self.lacks(MAKING)? } else { Vec::new() };
        if grants.is_empty() { Ok(()) } else { Err(self.without(&"missing index", &grants)) }
    }

    /// What a database said; where the server refused it for want of rights, with those that are missing.
    pub(super) fn denied(&self, row: &dyn fmt::Display, source: Failure, rights: &'static str) -> StoreError {
        let refused = matches!(&source, Failure::Server(server::Failure::Said(error))
            if error.code() == Some(&SqlState::INSUFFICIENT_PRIVILEGE));
        // Where even that cannot be asked, what was said first is told.
        let grants = if refused { self.lacks(rights).unwrap_or_default() } else { Vec::new() };
        if grants.is_empty() { self.error(row, source) } else { self.without(row, &grants) }
    }

    fn lacks(&self, rights: &'static str) -> Result<Vec<String>, StoreError> {
        self.many(format_args!("rights"), rights, (), |row| row.get(0))
    }

    fn without(&self, row: &dyn fmt::Display, grants: &[String]) -> StoreError {
        StoreError::Denied { path: self.path.clone(), row: row.to_string(), grants: grants.join("; ") }
    }
}
