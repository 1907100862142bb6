//! What can go wrong at the post office, and what only one game has to bear.

use super::table::Unopened;
use crate::clock::ClockError;
use crate::config::ConfigError;
use crate::host::Broken;
use crate::letter::LetterError;
use crate::mail::MailError;
use crate::store::{Fault, StoreError};
use std::path::PathBuf;

/// Why the post office cannot work.
#[derive(Debug, thiserror::Error)]
pub enum OfficeError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The mailboxes.
    #[error(transparent)]
    Mail(#[from] MailError),
    /// The settings.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The fixed clock.
    #[error(transparent)]
    Clock(#[from] ClockError),
    /// A template.
    #[error(transparent)]
    Letter(#[from] LetterError),
    /// A file.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's own words.
        source: std::io::Error,
    },
    /// Another daemon serves the same directory.
    #[error("{}: another estafette serves this post office; stop it first.", path.display())]
    Locked {
        /// The lock's file.
        path: PathBuf,
    },
    /// What a game was to be made from has flaws: each with file, line and cure.
    #[error("{0}")]
    Flawed(String),
    /// Something asked for that is not there or not allowed.
    #[error("{0}")]
    Refused(String),
}

/// Why an act on one game was not done. A letter that cannot be written is none of these: it fails alone.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    /// The database. Only a contradiction in it sets a game aside; all else is tried again.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The game itself; it is set aside and the others go on.
    #[error("{0}")]
    Game(String),
    /// What was asked for is not allowed.
    #[error("{0}")]
    Refused(String),
}

impl From<Broken> for Trouble {
    fn from(broken: Broken) -> Trouble {
        Trouble::Game(broken.why)
    }
}

impl From<Trouble> for OfficeError {
    fn from(trouble: Trouble) -> OfficeError {
        match trouble {
            Trouble::Store(error) => OfficeError::Store(error),
            Trouble::Game(why) | Trouble::Refused(why) => OfficeError::Refused(why),
        }
    }
}

impl From<Unopened> for Trouble {
    fn from(unopened: Unopened) -> Trouble {
        match unopened {
            Unopened::Store(error) => Trouble::Store(error),
            Unopened::Game(why) => Trouble::Game(why),
        }
    }
}

impl From<Unopened> for OfficeError {
    fn from(unopened: Unopened) -> OfficeError {
        Trouble::from(unopened).into()
    }
}

/// Whether a fault of the store lies in what was read or to be written, so that trying again cannot help.
pub(super) fn is_lasting(error: &StoreError) -> bool {
    error.fault() == Fault::Contradiction
}

/// What kind of trouble with the database an error is, if it is any.
pub(super) fn fault_of(error: &OfficeError) -> Option<Fault> {
    match error {
        OfficeError::Store(error) => Some(error.fault()),
        _ => None,
    }
}
