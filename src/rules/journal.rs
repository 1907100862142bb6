//! What seats have said in the open leg, and their doctrine: the only inputs of a leg beside the dice.

use super::staff::Staff;
use crate::fog::{SeatId, SideId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Who gave a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// The seat, by the mail named.
    Seat(String),
    /// The seat's doctrine.
    Doctrine,
    /// The deadline.
    Default,
    /// The umpire.
    Umpire,
    /// The seat named, whose courier brought it.
    Order(SeatId),
}

/// One line given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// In the order language.
    pub text: String,
    /// Its number in its mail; 0 where it came in none.
    pub no: u32,
    /// By whom.
    pub by: By,
    /// Its place among the lines of all seats of its side, in the order in which they counted; 0 where there is one seat.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub place: u32,
    /// Lines below it with which it is planned together, as they read when it began.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<String>,
}

impl Given {
    /// A line by itself, of the one seat of its side.
    pub fn new(text: impl Into<String>, no: u32, by: By) -> Given {
        Given { text: text.into(), no, by, place: 0, beside: Vec::new() }
    }
}

fn is_zero(place: &u32) -> bool {
    *place == 0
}

/// The inboxes of the open leg. Kept as text: the order language is the schema.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Journal {
    /// Lines by address: a sheet or a prompt.
    pub lines: BTreeMap<String, Vec<Given>>,
    /// Sheets whose seat has said END.
    pub ended: BTreeSet<String>,
    /// Sealed sheets and answers that do not count yet; the last version of each.
    pub drafts: BTreeMap<String, Vec<Given>>,
    /// Sealed sheets whose seat has said END while others have not.
    pub draft_ended: BTreeSet<String>,
    /// Rulings that took effect in the open leg, and sheets whose next line is chosen, by the first record they may touch.
    pub rulings: BTreeMap<String, usize>,
}

/// The standing answers of all seats.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Desk {
    books: Books,
    /// The books as they were when what is under way began; where nothing is, those that lie open count. It follows from the
    /// order in which they were written, and is not kept with them.
    #[serde(skip)]
    kept: Option<Arc<Books>>,
    /// Who sits at it; said by the game's files, and not kept with it.
    #[serde(skip)]
    pub staff: Staff,
}

/// The standing answers of each seat that has set any.
pub type Books = BTreeMap<SeatId, Book>;

/// The standing answers of one seat, by key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Book {
    settings: BTreeMap<String, String>,
}

impl Journal {
    /// The address of a seat's sheet in a stage.
    pub fn sheet(seat: &SeatId, stage: &str) -> String {
        format!("sheet/{stage}/{seat}")
    }
}

impl Desk {
    /// The desk of a game before anybody has said anything.
    pub fn of(staff: Staff) -> Desk {
        Desk { staff, ..Desk::default() }
    }

    /// A desk on which the seats of one side have one book, and all others none.
    pub fn lent(seats: Vec<(SeatId, SideId)>, side: &SideId, book: &Book) -> Desk {
        let own = seats.into_iter().filter(|(_, of)| of == side).map(|(seat, _)| (seat, book.clone()));
        Desk { books: own.collect(), ..Desk::default() }
    }

    /// A seat's book; empty where it has said nothing.
    pub fn book(&self, seat: &SeatId) -> Book {
        self.books.get(seat).cloned().unwrap_or_default()
    }

    /// A seat's book as it counts now: while something is under way that keeps the answers with which it began, what has been
    /// set since then counts later.
    pub fn answers(&self, seat: &SeatId) -> Book {
        self.kept.as_deref().unwrap_or(&self.books).get(seat).cloned().unwrap_or_default()
    }

    /// Keeps the books as they are, if they are not kept yet, for as long as something is under way; lets them go when it is
    /// over.
    pub fn keep(&mut self, under_way: bool) {
        let Desk { books, kept, .. } = self;
        if under_way {
            kept.get_or_insert_with(|| Arc::new(books.clone()));
        } else {
            *kept = None;
        }
    }

    /// The books that are kept, to go back to them.
    pub fn kept(&self) -> Option<Arc<Books>> {
        self.kept.clone()
    }

    /// Goes back to books that were kept.
    pub fn go_back(&mut self, kept: Option<Arc<Books>>) {
        self.kept = kept;
    }

    /// Takes the books of another desk, whatever was set at this one.
    pub fn take_books(&mut self, of: Desk) {
        self.books = of.books;
    }

    /// Sets a standing answer.
    pub fn set(&mut self, seat: &SeatId, key: &str, value: &str) {
        self.books.entry(seat.clone()).or_default().settings.insert(key.to_owned(), value.to_owned());
    }

    /// Every setting, for storing.
    pub fn settings(&self) -> Vec<(SeatId, String, String)> {
        let mut all = Vec::new();
        for (seat, book) in &self.books {
            for (key, value) in &book.settings {
                all.push((seat.clone(), key.clone(), value.clone()));
            }
        }
        all
    }
}

impl Book {
    /// The key under which a setting for one subject is kept.
    pub fn key_for(key: &str, subject: &str) -> String {
        format!("{key} FOR {subject}")
    }

    /// The value of a key for the first of some subjects that has one of its own, else the key's.
    pub fn get_for(&self, key: &str, subjects: &[String]) -> Option<&str> {
        let own = subjects.iter().find_map(|subject| self.get(&Book::key_for(key, subject)));
        own.or_else(|| self.get(key))
    }

    /// Settings of a key for single subjects: subject and value.
    pub fn subjects<'b>(&'b self, key: &str) -> impl Iterator<Item = (&'b str, &'b str)> {
        let head = Book::key_for(key, "");
        self.settings.iter().filter_map(move |(k, value)| Some((k.strip_prefix(&head)?, value.as_str())))
    }

    /// The value of a key, if the seat has set one.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.settings.get(key).map(String::as_str)
    }
}
