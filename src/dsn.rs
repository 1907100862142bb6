//! The address of a database on a PostgreSQL server, as that system's own programs read it.
//!
//! Two of its parameters the client library does not know as they do: whose certificate is believed (`sslrootcert`), and the
//! modes of `sslmode` that look at it. Here a line is encrypted only where the address says so, and then the certificate
//! counts: who encrypts to he knows not whom has nothing of it.

use crate::tls;
use percent_encoding::percent_decode_str;
use postgres::config::SslMode;
use std::error::Error as _;
use std::path::PathBuf;

/// An address, taken apart.
pub struct Dsn {
    /// What the client library takes.
    pub config: postgres::Config,
    /// Whether the line is to be encrypted.
    encrypted: bool,
    /// The file of the authority that is believed; none for those of the machine.
    ca: Option<PathBuf>,
}

impl Dsn {
    /// Reads an address such as `postgres://user@host/database?sslmode=verify-full&sslrootcert=/etc/ca.pem`.
    ///
    /// # Errors
    /// What is wrong with it, as a sentence without its end.
    pub fn parse(text: &str) -> Result<Dsn, String> {
        if text.trim().is_empty() {
            return Err("it is empty".to_owned());
        }
        let (plain, mode, ca) = parts(text)?;
        let mut config: postgres::Config = plain.parse().map_err(|error| words(&error))?;
        // What the library does not know of it means that somebody else is not believed.
        let encrypted = match mode.as_deref() {
            None | Some("disable" | "allow" | "prefer") => false,
            Some("require" | "verify-ca" | "verify-full") => true,
            Some(other) => return Err(format!("sslmode={other}: there is disable, require and verify-full")),
        };
        config.ssl_mode(if encrypted { SslMode::Require } else { SslMode::Disable });
        Ok(Dsn { config, encrypted, ca })
    }

    /// How the line is encrypted, where it is to be.
    ///
    /// # Errors
    /// Certificates that cannot be read, as a sentence without its end.
    pub fn tls(&self) -> Result<Option<rustls::ClientConfig>, String> {
        let own = self.ca.as_deref().map(tls::pem).transpose();
        let made = own.and_then(|own| self.encrypted.then(|| tls::client(own.as_deref())).transpose());
        made.map_err(|why| format!("sslrootcert: {why}"))
    }

    /// Whether it holds a password.
    #[must_use]
    pub fn holds_secret(&self) -> bool {
        self.config.get_password().is_some()
    }
}

/// Whether a place is the address of a server's database, and no file.
#[must_use]
pub fn is_address(place: &str) -> bool {
    place.starts_with("postgres://") || place.starts_with("postgresql://")
}

/// What the client library's own words leave out: what the server said, or the system.
#[must_use]
pub fn words(error: &postgres::Error) -> String {
    if let Some(said) = error.as_db_error() {
        return said.message().to_owned();
    }
    match error.source() {
        Some(why) => format!("{error}: {why}"),
        None => error.to_string(),
    }
}

/// An address without what the library does not know, and that: `sslmode`, `sslrootcert`.
fn parts(text: &str) -> Result<(String, Option<String>, Option<PathBuf>), String> {
    let is_url = is_address(text);
    let (head, tail) = match text.split_once('?') {
        Some((head, tail)) if is_url => (head, tail.split('&').collect::<Vec<_>>()),
        _ if is_url => (text, Vec::new()),
        // The other form, `host=… dbname=…`.
        _ => ("", text.split_whitespace().collect()),
    };
    let (mut mode, mut ca, mut kept) = (None, None, Vec::new());
    for part in tail {
        let value = |value: &str| percent_decode_str(value).decode_utf8().map(|text| text.into_owned());
        match part.split_once('=') {
            Some(("sslmode", said)) => mode = Some(said.to_owned()),
            Some(("sslrootcert", said)) if is_url => {
                let path = value(said).map_err(|_| "sslrootcert: it is no text".to_owned())?;
                ca = Some(PathBuf::from(path));
            }
            Some(("sslrootcert", said)) => ca = Some(PathBuf::from(said.trim_matches('\''))),
            _ => kept.push(part),
        }
    }
    let plain = match (is_url, kept.is_empty()) {
        (true, true) => head.to_owned(),
        (true, false) => format!("{head}?{}", kept.join("&")),
        (false, _) => kept.join(" "),
    };
    Ok((plain, mode, ca))
}
