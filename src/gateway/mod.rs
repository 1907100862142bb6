//! The post office at work: one pass fetches mail, acts on it, keeps the deadlines, and sends.
//!
//! A mail is committed to the inbox before its transport is told; what it causes (chain, rows, letters in the outbox)
//! is one transaction; sending comes after, at least once, under the same Message-ID. So the process may be killed at
//! any instruction (invariant 4). A fault of one game stops that game alone.

mod acts;
mod alike;
mod arguments;
mod asks;
mod audits;
pub(crate) mod away;
mod backup;
mod budget;
mod carriers;
pub(crate) mod choices;
pub mod cinema;
mod codes;
pub mod commands;
mod count;
mod deadlines;
mod doors;
pub mod due;
mod echo;
mod error;
mod faults;
mod files;
mod form;
mod forming;
mod given;
mod hands;
mod held;
mod inbox;
mod intake;
mod joined;
mod late;
pub mod ledger;
mod lessons;
pub(crate) mod letters;
mod lists;
mod meter;
mod moving;
mod new;
mod notice;
mod office;
mod operator;
mod page;
mod parts;
mod pause;
mod plain;
mod player;
mod post;
mod press;
mod program;
mod proof;
mod pulse;
mod reading;
mod recall;
mod remind;
mod restore;
mod rounds;
mod send;
mod sender;
pub mod sheet;
mod sitting;
mod strangers;
mod strike;
pub mod table;
mod tags;
mod transfer;
mod tried;
mod umpire;
mod upgrade;
pub mod verbs;
mod view;
mod wakes;
pub mod when;
mod whence;
mod withdraw;

pub use carriers::{Away, Way, away};
pub use count::{is_newest, is_the_newest};
pub use doors::deliver;
pub use error::OfficeError;
pub use faults::{Ailing, Place, Step, ailing};
pub use files::{no_files, server_of, store_of};
pub(crate) use late::house_noise;
pub use moving::{move_to, stay};
pub use new::NewGame;
pub use office::{Office, Pass, Said, UmpireDoes, game_of};
pub use page::{answer, context};
pub use pause::TimeCommand;
pub use player::orders_of;
pub use press::is_umpire;
pub use proof::Tried;
pub use pulse::{accept_clock, clock_said, stopped};
pub use restore::{Restored, read_again, restore};
pub use upgrade::{Foreseen, foresee, serves};
pub use view::{due_of, seat_view};
pub use wakes::Stands;
pub use whence::Whence;

use crate::config::Config;
use crate::games::Entry;
use crate::letter::Templates;
use jiff::Timestamp;

/// What an act needs of its surroundings.
pub(crate) struct Env<'a> {
    config: &'a Config,
    templates: &'a Templates,
    own_templates: &'a Templates,
    entries: &'static [Entry],
    now: Timestamp,
}
