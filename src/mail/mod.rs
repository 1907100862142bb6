//! The post: bytes of mail in, bytes of mail out, and the box between them.
//!
//! What arrives is hostile until shown otherwise: `read` turns raw bytes into an [`read::Incoming`] or says in one
//! sentence why it can't. What leaves is written by `write`, the same bytes for the same letter every time. An
//! [`Inbound`] brings, an [`Outbound`] takes away; `maildir` is the embedded one and does both, `imap` and `smtp` stand
//! on servers; `raster` makes drawings such as mail programs show. No game noun stands in this folder.

pub mod auth;
mod clean;
mod flowed;
mod head;
mod html;
pub mod id;
pub mod imap;
pub mod lmtp;
pub mod loops;
mod machines;
pub mod mailbox;
pub mod maildir;
pub mod raster;
pub mod read;
pub mod script;
pub mod seal;
pub mod server;
pub mod shell;
pub mod smtp;
pub mod subject;
pub mod tag;
pub mod write;

use std::path::{Path, PathBuf};

/// One mail that waits to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The transport's own name of the mail; opaque, and good for `handled` and `quarantine`.
    pub key: String,
    /// The mail as it came; cut just above the transport's size limit, so that the reader still sees it is too large.
    pub raw: Vec<u8>,
    /// How many bytes it has in truth.
    pub size: u64,
}

/// One mail to be handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parcel<'a> {
    /// The outbox's own running number, by which an embedded transport keeps the order of sending.
    pub number: u64,
    /// How often its reader asked for it again; a repeat of the same count is a repeat of the same sending.
    pub again: u32,
    /// Its Message-ID without angle brackets.
    pub message_id: &'a str,
    /// The address it goes to.
    pub to: &'a str,
    /// Its bytes.
    pub raw: &'a [u8],
}

/// Where mail comes from.
///
/// A mail stays waiting until `handled` or `quarantine` is called for it, so that a process killed in between reads
/// it again; who reads must know a mail he has seen by its Message-ID.
pub trait Inbound {
    /// The name under which what it must remember is kept, and none where its folders remember all.
    fn memory(&self) -> Option<String> {
        None
    }

    /// A pass begins at this time, with what was remembered under its name.
    fn begin(&mut self, _now: jiff::Timestamp, _remembered: Option<&str>) {}

    /// What must be remembered now, if it has changed; asked after each batch.
    fn to_remember(&mut self) -> Option<String> {
        None
    }

    /// Fetches at most `most` waiting mails, oldest first, without taking them away.
    fn fetch(&mut self, most: usize) -> Result<Vec<Waiting>, MailError>;

    /// When the last look began that came to its end, where fetching does not look each time: what came after it nobody
    /// has seen. Given is the time of the fetch.
    fn looked(&self, now: jiff::Timestamp) -> Option<jiff::Timestamp> {
        Some(now)
    }

    /// Has the next fetch look, however long the next look could wait.
    fn look_soon(&mut self) {}

    /// What the last fetch passed over because it cannot be read, by name, and why.
    fn passed_over(&mut self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Takes a committed mail off the waiting pile; a mail already taken off is no error.
    fn handled(&mut self, key: &str) -> Result<(), MailError>;

    /// Puts a mail aside for the operator, with the reason; a mail already put aside is no error.
    fn quarantine(&mut self, key: &str, reason: &str) -> Result<(), MailError>;

    /// Forgets mails put aside before a time, and the oldest of them above so many bytes.
    fn forget(&mut self, _before: jiff::Timestamp, _bytes_max: u64) -> Result<(), MailError> {
        Ok(())
    }

    /// Has mails that were taken in and put away since a time, or ever, read again by the next fetch; how many. One that
    /// is known is known again by its Message-ID. Called twice, it does no harm.
    fn again(&mut self, _since: Option<jiff::Timestamp>) -> Result<usize, MailError> {
        Ok(0)
    }

    /// Does what can wait until the mails that came have been answered: moving them on a server.
    fn put_away(&mut self) -> Result<(), MailError> {
        Ok(())
    }
}

/// Where mail goes.
pub trait Outbound {
    /// Sends one mail, at least once: a repeat with the same `message_id` is the same mail, not a second one.
    fn send(&mut self, parcel: &Parcel<'_>) -> Result<(), MailError>;
}

/// Why mail could not be carried.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MailError {
    /// A file or folder of the mailbox could not be used.
    #[error("could not {doing} {}: {source}. Check that the folder exists and belongs to the daemon's user.", path.display())]
    Io {
        /// What was tried, as a verb: `read`, `write`, `list`.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The operating system's own words.
        source: std::io::Error,
    },
    /// A server that could not be reached or would not let us in; no mail is at fault.
    #[error("{server}: {why}")]
    Away {
        /// The server, with its port.
        server: String,
        /// What happened.
        why: String,
    },
    /// A server that would not take this one mail.
    #[error("{server}: {why}")]
    Refused {
        /// The server, with its port.
        server: String,
        /// Its words.
        why: String,
        /// Whether it would be refused again.
        lasting: bool,
    },
    /// A key that no fetch of this transport gave.
    #[error("{key:?} is not the name of a mail in this mailbox; use a key that `fetch` gave.")]
    BadKey {
        /// The key as given.
        key: String,
    },
}

impl MailError {
    /// Wraps an I/O error with what was tried and where.
    fn io(doing: &'static str, path: &Path, source: std::io::Error) -> Self {
        MailError::Io { doing, path: path.to_owned(), source }
    }

    /// True where trying again later can't help, so that the umpire must be told.
    pub fn is_lasting(&self) -> bool {
        match self {
            MailError::Io { .. } | MailError::Away { .. } => false,
            MailError::Refused { lasting, .. } => *lasting,
            MailError::BadKey { .. } => true,
        }
    }
}
