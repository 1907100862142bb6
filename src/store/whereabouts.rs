//! Where a post office is while it moves from one database to another. At each moment at most one of the two may be
//! written to: which one stands in marks that every act reads.
//!
//! The new place is made as one that is being filled; the old one says that it is going; the rows are copied, all or none;
//! the old place says that it has gone; the new one says that it is filled no longer. Whoever is stopped between two steps
//! takes them up again.

use super::{Store, StoreError};

/// The mark of a place that is left: the rows are being copied.
const GOING: &str = "moving to";
/// The mark of a place that was left.
const GONE: &str = "moved to";
/// The mark of a place that is being filled.
const COMING: &str = "moving from";

/// The three marks, as a list of values in a statement.
macro_rules! marks {
    () => {
        "('moving from', 'moved to', 'moving to')"
    };
}

/// None of them is copied.
pub(super) const MARKS: &str = marks!();

/// What every act asks first.
pub(super) const ASKED: &str = concat!("SELECT key, value FROM marks WHERE key IN ", marks!());

/// Under which name a server's sessions agree that nobody writes while a place is marked.
pub(super) const WRITERS: &str = "writers";

/// Where a post office is that this database does not serve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whereabouts {
    /// It is being copied to a place; nobody knows how far.
    Going(String),
    /// It lies at a place now.
    Gone(String),
    /// It is being copied to here from a place.
    Coming(String),
}

impl std::fmt::Display for Whereabouts {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Whereabouts::Gone(to) => write!(out, "this post office has moved to {to}; say so in config.toml (store)"),
            Whereabouts::Going(to) => write!(
                out,
                "this post office is being moved to {to}; where that broke off: the same estafette move once more, or \
                 estafette move --stay"
            ),
            Whereabouts::Coming(from) => write!(
                out,
                "this database is being filled from {from}; where that broke off: the same estafette move once more"
            ),
        }
    }
}

impl Whereabouts {
    /// What the marks come to: keys and values.
    pub(super) fn of(marks: &[(String, String)]) -> Option<Whereabouts> {
        let value = |key: &str| marks.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone());
        // Who came here and has gone on since is gone.
        let gone = value(GONE).map(Whereabouts::Gone);
        gone.or_else(|| value(GOING).map(Whereabouts::Going)).or_else(|| value(COMING).map(Whereabouts::Coming))
    }

    /// The mark with which a place that is filled from another one begins.
    pub(super) fn beginning(from: &str) -> (&'static str, &str) {
        (COMING, from)
    }
}

impl Store {
    /// Where the post office is, where not here.
    ///
    /// # Errors
    /// A database that cannot be read.
    pub fn whereabouts(&self) -> Result<Option<Whereabouts>, StoreError> {
        let marks = self.many(format_args!("marks"), ASKED, (), |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(Whereabouts::of(&marks))
    }

    /// Refuses who comes for a post office that is not here.
    ///
    /// # Errors
    /// Where it is; a database that cannot be read.
    pub fn is_here(&self) -> Result<(), StoreError> {
        self.whereabouts()?.map_or(Ok(()), |whereabouts| Err(self.elsewhere(whereabouts)))
    }

    /// What is said to who comes for a post office that is not here.
    #[must_use]
    pub fn elsewhere(&self, whereabouts: Whereabouts) -> StoreError {
        StoreError::Elsewhere { path: self.path.clone(), whereabouts }
    }

    /// Lets this session write though the post office is not here: only who moves it does.
    pub fn moves(&self) {
        self.mover.set(true);
    }

    /// Says that the post office is going to a place. On return nobody writes here any more.
    ///
    /// # Errors
    /// A database that cannot be written.
    pub fn going_to(&self, place: &str) -> Result<(), StoreError> {
        // An act that had begun before knows nothing of the mark: it is waited for.
        self.hold(WRITERS, true)?;
        let done = self.act(|act| act.set_mark(GOING, place));
        self.let_go(WRITERS);
        done
    }

    /// Says that the post office stays.
    ///
    /// # Errors
    /// A database that cannot be written.
    pub fn stays(&self) -> Result<(), StoreError> {
        self.act(|act| act.drop_mark(GOING))
    }

    /// Says that the post office has gone to a place.
    ///
    /// # Errors
    /// A database that cannot be written.
    pub fn gone_to(&self, place: &str) -> Result<(), StoreError> {
        self.act(|act| {
            act.set_mark(GONE, place)?;
            act.drop_mark(GOING)
        })
    }

    /// Says that the post office is here, all of it.
    ///
    /// # Errors
    /// A database that cannot be written.
    pub fn has_come(&self) -> Result<(), StoreError> {
        self.act(|act| act.drop_mark(COMING))
    }

    /// Says that the post office is coming from a place.
    ///
    /// # Errors
    /// A database that cannot be written.
    pub(super) fn coming_from(&self, place: &str) -> Result<(), StoreError> {
        self.act(|act| act.set_mark(COMING, place))
    }
}
