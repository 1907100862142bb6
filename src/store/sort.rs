//! What a PostgreSQL server's complaint comes to, and what cures it.

use super::postgres::{Failure, is_of_values};
use super::series::is_of_numbers;
use postgres::error::SqlState;
use rustls::CertificateError;

/// What cures a server that cannot be reached.
const REACH: &str = "see whether its server runs there and lets this machine in";

/// What cures a server without TLS.
const BARE: &str = "switch TLS on there (ssl = on in postgresql.conf), or on a private line write sslmode=disable in \
                    config.toml (store)";

/// What a server's complaint comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// It cannot be reached, or ended the session: the cure.
    Away(&'static str),
    /// Somebody else writes there.
    Busy,
    /// It has no room.
    Full,
    /// It was reached, and does not do it: the cure.
    Refused(&'static str),
    /// The row is there already.
    Exists,
    /// The values are refused, and would be again.
    Values,
    /// Its pages are damaged, or its tables are not as they were made.
    Damage,
    /// Anything else, which may pass.
    Other,
}

/// Sorts what a server said by what can be done about it.
pub(super) fn sort(failure: &Failure) -> Sort {
    let error = match failure {
        Failure::Said(error) => error,
        Failure::CutOff => return Sort::Away(REACH),
        Failure::Spoilt => return Sort::Other,
        Failure::Bare => return Sort::Refused(BARE),
    };
    let Some(state) = error.code() else {
        return if error.is_closed() || error.as_db_error().is_none() && !is_of_values(error) {
            Sort::Away(distrust(error).unwrap_or(REACH))
        } else {
            Sort::Values
        };
    };
    match state.code().get(..2).unwrap_or_default() {
        // A number that the server itself gave.
        _ if is_of_numbers(error) => Sort::Busy,
        _ if *state == SqlState::UNIQUE_VIOLATION => Sort::Exists,
        _ if *state == SqlState::DISK_FULL || *state == SqlState::OUT_OF_MEMORY => Sort::Full,
        _ if *state == SqlState::READ_ONLY_SQL_TRANSACTION => {
            Sort::Refused("it may only be read: see whether it is a standby, or default_transaction_read_only is set")
        }
        _ if *state == SqlState::QUERY_CANCELED => Sort::Refused("see whether statement_timeout is set, and too short"),
        _ if *state == SqlState::INSUFFICIENT_PRIVILEGE => {
            Sort::Refused("make the user of the address the owner of the database and of all that is in it")
        }
        _ if *state == SqlState::CANT_CHANGE_RUNTIME_PARAM || *state == SqlState::UNDEFINED_OBJECT => {
            Sort::Refused("see what stands in the address behind options=, and what the server's version knows")
        }
        _ if *state == SqlState::TOO_MANY_CONNECTIONS => {
            Sort::Away("raise max_connections in postgresql.conf, or start fewer workers")
        }
        _ if *state == SqlState::OBJECT_NOT_IN_PREREQUISITE_STATE => {
            Sort::Refused("let the database take connections: ALTER DATABASE name ALLOW_CONNECTIONS true")
        }
        // What the server cannot do for its own reasons; of damage it says so.
        _ if *state == SqlState::INTERNAL_ERROR => Sort::Refused("see the server's own log, and its disk"),
        _ if *state == SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT => Sort::Away(REACH),
        "08" | "57" => Sort::Away(REACH),
        "3D" => Sort::Refused("make that database on the server, or mend its name in config.toml (store)"),
        "28" => Sort::Refused("mend the user and password in config.toml (store), or let them in: pg_hba.conf"),
        "40" | "55" => Sort::Busy,
        "22" | "23" | "54" => Sort::Values,
        "42" | "XX" => Sort::Damage,
        "58" => Sort::Refused("see the server's own log, and its disk"),
        _ => Sort::Other,
    }
}

/// What cures a certificate that is not believed; none where another fault kept the line shut.
fn distrust(error: &postgres::Error) -> Option<&'static str> {
    let mut cause = std::error::Error::source(error);
    while let Some(fault) = cause {
        let inner = fault.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        let found = inner.and_then(|inner| inner.downcast_ref::<rustls::Error>()).or_else(|| fault.downcast_ref());
        match found {
            Some(rustls::Error::InvalidCertificate(why)) => return Some(of_certificate(why)),
            _ => cause = fault.source(),
        }
    }
    None
}

fn of_certificate(why: &CertificateError) -> &'static str {
    match why {
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "write the host in config.toml (store) as the server's certificate names it"
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "renew the server's certificate",
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "see whether this machine's clock is right"
        }
        CertificateError::UnknownIssuer => {
            "name the file of the authority that signed the server's certificate: sslrootcert= in config.toml (store)"
        }
        // That of an authority, where one of a server is wanted, and what else is odd.
        _ => {
            "give the server a certificate of its own, signed by the authority that sslrootcert= names, and none that may sign"
        }
    }
}
