//! What an act has read of its games and not changed since: it is asked for once, and known until the act ends.
//!
//! Nobody else writes a game's rows in the middle of an act on it: a file has one writer, and on a server the game is held.

use super::{Due, Head, LogEntry, Notice, Seat, Spelled, StandIn, Store, StoreError};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Rows of one kind, by game; those of one seat by game and seat, marks by their key.
pub(super) struct Rows<T>(RefCell<BTreeMap<String, T>>);

impl<T> Default for Rows<T> {
    fn default() -> Rows<T> {
        Rows(RefCell::default())
    }
}

impl<T> Rows<T> {
    /// Changes what is known of a game, where it was read before.
    pub(super) fn change(&self, game: &str, change: impl FnOnce(&mut T)) {
        if let Some(known) = self.0.borrow_mut().get_mut(game) {
            change(known);
        }
    }

    /// What is known of a game, where it was read before.
    pub(super) fn known<U>(&self, game: &str, pick: impl FnOnce(&T) -> U) -> Option<U> {
        self.0.borrow().get(game).map(pick)
    }

    /// Has it read again.
    pub(super) fn forget(&self, game: &str) {
        self.0.borrow_mut().remove(game);
    }

    fn clear(&self) {
        self.0.borrow_mut().clear();
    }
}

/// What the act under way has read.
#[derive(Default)]
pub(super) struct Once {
    acting: Cell<bool>,
    /// Values kept with a game, by key.
    pub notes: Rows<BTreeMap<String, String>>,
    /// Values on its desks, by seat and key.
    pub desks: Rows<BTreeMap<String, BTreeMap<String, String>>>,
    /// Its seats in the scenario's order.
    pub seats: Rows<Vec<Seat>>,
    /// What is due in it.
    pub dues: Rows<Vec<Due>>,
    /// Entries of its log as far as it is written, by kind.
    pub kinds: Rows<BTreeMap<String, Vec<LogEntry>>>,
    /// Bodies of the first entries of some kinds, by kind.
    pub firsts: Rows<BTreeMap<String, String>>,
    /// Where its log ends as far as it is written.
    pub heads: Rows<Head>,
    /// Its notices, in order.
    pub notices: Rows<Vec<Notice>>,
    /// Who writes for a seat beside its own player.
    pub stand_ins: Rows<Option<StandIn>>,
    /// Addresses of a seat as their owner spells them.
    pub spellings: Rows<Vec<Spelled>>,
    /// Marks of the post office.
    pub marks: Rows<Option<String>>,
}

/// An act under way.
pub(super) struct Acting<'a>(&'a Once);

impl Once {
    /// From here on what is read is kept, until the guard is dropped.
    pub(super) fn begin(&self) -> Acting<'_> {
        self.acting.set(true);
        Acting(self)
    }
}

impl Drop for Acting<'_> {
    fn drop(&mut self) {
        let Once { acting, notes, desks, seats, dues, kinds, firsts, heads, notices, stand_ins, spellings, marks } =
            self.0;
        acting.set(false);
        notes.clear();
        desks.clear();
        seats.clear();
        dues.clear();
        kinds.clear();
        firsts.clear();
        heads.clear();
        notices.clear();
        stand_ins.clear();
        spellings.clear();
        marks.clear();
    }
}

/// The key of rows of one seat.
pub(super) fn seat_key(game: &str, seat: &str) -> String {
    format!("{game}/{seat}")
}

impl Store {
    /// Whether an act is under way, so that what it reads may be kept.
    pub(super) fn acts(&self) -> bool {
        self.once.acting.get()
    }

    /// What `pick` makes of the rows of a game. In an act they are read once.
    pub(super) fn of_game<T, U>(
        &self,
        rows: &Rows<T>,
        game: &str,
        read: impl FnOnce() -> Result<T, StoreError>,
        pick: impl FnOnce(&T) -> U,
    ) -> Result<U, StoreError> {
        if !self.acts() {
            return Ok(pick(&read()?));
        }
        match rows.0.borrow_mut().entry(game.to_owned()) {
            Entry::Occupied(known) => Ok(pick(known.get())),
            Entry::Vacant(unread) => Ok(pick(unread.insert(read()?))),
        }
    }
}
