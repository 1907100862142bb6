//! Accounts at mail servers: `[imap]`, `[smtp]` and the `[lmtp]` listener.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;

/// How the line to a server is kept secret.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Security {
    /// TLS from the first byte.
    #[default]
    Tls,
    /// TLS asked for on a plain line, and nothing said before it stands.
    StartTls,
    /// No secrecy: only to this very machine.
    None,
}

/// A word that is never shown.
#[derive(Clone, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct Hidden(pub String);

impl fmt::Debug for Hidden {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("(hidden)")
    }
}

impl Serialize for Hidden {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str("(hidden)")
    }
}

/// The mailbox that is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImapAccount {
    /// The server's name.
    pub host: String,
    /// The port; 993 for TLS, 143 otherwise.
    #[serde(default)]
    pub port: Option<u16>,
    /// How the line is kept secret.
    #[serde(default)]
    pub security: Security,
    /// The user's name at the server.
    pub user: String,
    /// The password, if it stands here.
    #[serde(default)]
    pub password: Option<Hidden>,
    /// A command that prints the password.
    #[serde(default)]
    pub password_command: Option<String>,
    /// A command that prints an OAuth 2 access token (XOAUTH2).
    #[serde(default)]
    pub token_command: Option<String>,
    /// A certificate authority of your own, as a PEM file.
    #[serde(default)]
    pub ca_file: Option<PathBuf>,
    /// The folder that is read.
    #[serde(default = "inbox")]
    pub folder: String,
    /// Where mails that were taken in are moved; without it they are flagged as seen and stay.
    #[serde(default)]
    pub processed: Option<String>,
    /// Where mails that could not be read are moved; with those that were taken in, where it is not given.
    #[serde(default)]
    pub rejected: Option<String>,
    /// Seconds between two looks where the server does not tell of new mail by itself.
    #[serde(default = "poll_seconds")]
    pub poll_seconds: u32,
    /// Whether the server is asked to tell of new mail by itself (IDLE).
    #[serde(default = "yes")]
    pub idle: bool,
}

/// The server that sends our mails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SmtpAccount {
    /// The server's name.
    pub host: String,
    /// The port; 465 for TLS, 587 for STARTTLS, 25 otherwise.
    #[serde(default)]
    pub port: Option<u16>,
    /// How the line is kept secret.
    #[serde(default)]
    pub security: Security,
    /// The user's name at the server; none where it wants no login.
    #[serde(default)]
    pub user: Option<String>,
    /// The password, if it stands here.
    #[serde(default)]
    pub password: Option<Hidden>,
    /// A command that prints the password.
    #[serde(default)]
    pub password_command: Option<String>,
    /// A command that prints an OAuth 2 access token (XOAUTH2).
    #[serde(default)]
    pub token_command: Option<String>,
    /// A certificate authority of your own, as a PEM file.
    #[serde(default)]
    pub ca_file: Option<PathBuf>,
    /// Most mails handed over in an hour.
    #[serde(default)]
    pub mails_per_hour_max: Option<u32>,
    /// Most mails handed over in a day: providers have a quota.
    #[serde(default)]
    pub mails_per_day_max: Option<u32>,
}

/// Where a mail server of this machine hands mails over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LmtpListener {
    /// `127.0.0.1:2424`, or `unix:/run/estafette/lmtp.sock`.
    pub listen: String,
    /// Whether a copy of each mail stays in `mail/in/cur`, so that a restore from a backup reads it again.
    #[serde(default)]
    pub keep: bool,
}

fn inbox() -> String {
    "INBOX".to_owned()
}

fn poll_seconds() -> u32 {
    60
}

fn yes() -> bool {
    true
}

/// What is wrong with a value: key, fault, cure.
pub(super) type Fault = (&'static str, String, &'static str);

impl ImapAccount {
    /// The port, given or usual.
    pub fn port(&self) -> u16 {
        self.port.unwrap_or(if self.security == Security::Tls { 993 } else { 143 })
    }

    pub(super) fn faults(&self) -> Vec<Fault> {
        let mut faults = line_faults(&self.host, self.security);
        if secrets(self.password.as_ref(), &self.password_command, &self.token_command) != 1 {
            faults.push(("user", "[imap] has no secret, or more than one".to_owned(), ONE_SECRET));
        }
        let folders = [Some(&self.folder), self.processed.as_ref(), self.rejected.as_ref()];
        if folders.into_iter().flatten().any(|name| name.is_empty() || name.chars().any(char::is_control)) {
            faults.push(("folder", "a folder of [imap] has no lawful name".to_owned(), "Write it as INBOX."));
        }
        if self.processed.as_ref() == Some(&self.folder) || self.rejected.as_ref() == Some(&self.folder) {
            let fault = "mails would be moved to where they are read".to_owned();
            faults.push(("processed", fault, "Name another folder, or none: then they are flagged as seen."));
        }
        if !(5..=3600).contains(&self.poll_seconds) {
            let fault = format!("poll_seconds = {} is out of range", self.poll_seconds);
            faults.push(("poll_seconds", fault, "Write 5 to 3600 seconds."));
        }
        faults
    }
}

impl SmtpAccount {
    /// The port, given or usual.
    pub fn port(&self) -> u16 {
        self.port.unwrap_or(match self.security {
            Security::Tls => 465,
            Security::StartTls => 587,
            Security::None => 25,
        })
    }

    pub(super) fn faults(&self) -> Vec<Fault> {
        let mut faults = line_faults(&self.host, self.security);
        let given = secrets(self.password.as_ref(), &self.password_command, &self.token_command);
        if given != usize::from(self.user.is_some()) {
            faults.push((
                "user",
                "[smtp] has a user without a secret, or no user, or two secrets".to_owned(),
                ONE_SECRET,
            ));
        }
        for (key, most) in
            [("mails_per_hour_max", self.mails_per_hour_max), ("mails_per_day_max", self.mails_per_day_max)]
        {
            if most == Some(0) {
                faults.push((key, format!("{key} = 0 would send nothing"), "Write 1 or more, or leave it out."));
            }
        }
        faults
    }
}

impl LmtpListener {
    pub(super) fn faults(&self) -> Vec<Fault> {
        let near = self.listen.parse::<std::net::SocketAddr>().is_ok_and(|at| at.ip().is_loopback());
        let path = self.listen.strip_prefix("unix:").is_some_and(|path| path.starts_with('/'));
        if near || path {
            return Vec::new();
        }
        let fault = format!("{:?} is neither a port of this machine nor a Unix socket", self.listen);
        vec![("listen", fault, "Write it as 127.0.0.1:2424 or unix:/run/estafette/lmtp.sock.")]
    }
}

const ONE_SECRET: &str = "Give one of password, password_command and token_command with the user.";

/// How many of the three ways to a secret are given.
fn secrets(password: Option<&Hidden>, command: &Option<String>, token: &Option<String>) -> usize {
    [password.is_some(), command.is_some(), token.is_some()].into_iter().filter(|given| *given).count()
}

fn line_faults(host: &str, security: Security) -> Vec<Fault> {
    let is_name = !host.is_empty() && host.bytes().all(|b| b.is_ascii_alphanumeric() || b"-.:_".contains(&b));
    let mut faults = Vec::new();
    if !is_name {
        faults.push(("host", format!("{host:?} is not a server's name"), "Write it as mail.example.org."));
    }
    if security == Security::None && !is_loopback(host) {
        let fault = format!("security = \"none\" would send the password and the mails to {host} in the open");
        faults.push(("security", fault, "Write \"tls\" or \"starttls\"; only this very machine is reached without."));
    }
    faults
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|at| at.is_loopback())
}
