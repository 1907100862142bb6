//! A mail server: where it is, how the line to it is kept secret, and how we show who we are.

use super::{MailError, shell};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// How long a connection may take to come about.
pub const CONNECT_WAIT: Duration = Duration::from_secs(10);
/// How long a server may be silent in the middle of a talk.
pub const SILENCE: Duration = Duration::from_secs(20);

/// How the line is kept secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// TLS from the first byte.
    Tls,
    /// TLS asked for on a plain line.
    StartTls,
    /// In the open, to this machine only.
    Plain,
}

/// Where the secret of a login comes from.
#[derive(Clone, PartialEq, Eq)]
pub enum Secret {
    /// It is known.
    Password(String),
    /// A command prints it.
    PasswordCommand(String),
    /// A command prints an OAuth 2 access token.
    TokenCommand(String),
}

/// A login, ready to be given.
pub enum Login {
    /// A password.
    Password(String),
    /// An OAuth 2 access token.
    Token(String),
}

/// A mail server and our account there.
#[derive(Clone, Debug)]
pub struct Server {
    /// Its name, which its certificate must bear.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How the line is kept secret.
    pub line: Line,
    /// The user and where his secret comes from; none where the server wants no login.
    pub user: Option<(String, Secret)>,
    /// A certificate authority of the operator's own, in a PEM file.
    pub ca: Option<PathBuf>,
    /// Where commands are run.
    pub dir: PathBuf,
}

/// A secret is never shown, not even by a debug print.
impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Secret::Password(_) => "Password(hidden)",
            Secret::PasswordCommand(_) => "PasswordCommand(hidden)",
            Secret::TokenCommand(_) => "TokenCommand(hidden)",
        })
    }
}

impl Server {
    /// Name and port, as errors say it.
    pub fn name(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }

    /// The server cannot be used now.
    pub fn away(&self, why: impl fmt::Display) -> MailError {
        MailError::Away { server: self.name(), why: why.to_string() }
    }

    /// The user's name and his secret, asked of its command each time: tokens run out.
    pub fn login(&self) -> Result<Option<(String, Login)>, MailError> {
        let Some((user, secret)) = &self.user else { return Ok(None) };
        let login = match secret {
            Secret::Password(word) => Login::Password(word.clone()),
            Secret::PasswordCommand(command) => Login::Password(self.printed(command, "password_command")?),
            Secret::TokenCommand(command) => Login::Token(self.printed(command, "token_command")?),
        };
        Ok(Some((user.clone(), login)))
    }

    /// The certificates of the operator's own authority.
    pub fn own_ca(&self) -> Result<Option<Vec<u8>>, MailError> {
        let Some(path) = &self.ca else { return Ok(None) };
        crate::tls::pem(path).map(Some).map_err(|why| self.away(why))
    }

    /// The first line that a command prints. Neither it nor the command's complaints are ever logged.
    fn printed(&self, command: &str, key: &str) -> Result<String, MailError> {
        let text = shell::printed(command, &self.dir).map_err(|why| self.away(format!("{key}: {why}")))?;
        Ok(text.trim_start().lines().next().unwrap_or_default().trim().to_owned())
    }
}
