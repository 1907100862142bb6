//! The post office's database, a file of SQLite's or on a PostgreSQL server, and the only place where SQL stands
//! (design §8).
//!
//! The store has no clock: times are passed in as RFC 3339 text, UTC, in whole seconds (`2026-01-01T00:00:00Z`),
//! so that text order is time order. Reading is on [`Store`]; all writing is on [`Act`], which is one
//! transaction: either all of an act is on disk, or none of it (invariant 4).
//!
//! Nothing asked about one game looks at another, so that a mail costs the same among ten thousand games.

mod act;
mod base;
mod care;
mod chain;
mod check;
mod codes;
mod desk;
mod error;
mod foreign;
mod games;
mod hand;
mod holders;
mod keep;
mod line;
mod mend;
mod migrate;
mod moved;
mod notices;
mod once;
mod open;
mod pack;
mod people;
mod post;
mod postgres;
mod repack;
mod restore;
mod rights;
mod rows;
mod series;
mod snapshots;
mod sort;
mod tags;
mod trouble;
mod wakes;
mod whereabouts;
mod words;

pub use act::Act;
pub use care::free_bytes;
pub use chain::{FIRST_PREV, Head, LogEntry, NewEntry, entry_hash};
pub use check::{About, Finding};
pub use codes::{Code, StandIn};
pub use desk::{Due, Press, Soon};
pub use error::{Fault, StoreError};
pub use games::{Game, ScenarioFile, Seat, Spelled};
pub use mend::{Damaged, Mended};
pub use migrate::{APPLICATION_ID, Part, STEPS};
pub use moved::Moved;
pub use notices::{Given, Notice};
pub use open::{Plan, Store, Work};
pub use people::{Punctuality, Waiting};
pub use post::{InboxMail, NewInbox, NewOutbox, OutboxMail, Received};
pub use restore::{Numbers, OFFICE, OldTag, copy_of, games_of, glance, numbers_of, office_of, office_of_copy, tags_of};
pub use rows::READABLE;
pub use snapshots::Snapshot;
pub use tags::TagHolder;
pub use trouble::{Queue, Troubled};
pub use whereabouts::Whereabouts;
pub use words::{GameState, InboxState, OutboxState, Tempo};
