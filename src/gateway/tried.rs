//! One act on one game: it is opened as far as the act asks, done on a copy of its rows, and kept or undone whole.

use super::error::{OfficeError, Trouble, is_lasting};
use super::office::{Office, held_name};
use super::sitting::Sitting;
use crate::fail;
use crate::games;
use crate::store::StoreError;
use jiff::Timestamp;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How often a game is opened that other processes write to meanwhile.
const TRIES: u32 = 3;

/// How an act on a game went.
enum Tried<T> {
    /// It was done.
    Done(T),
    /// Another process has written to the game since it was opened.
    Moved,
    /// Something was asked of the game that lies before what was at hand of it.
    Short,
}

impl Office {
    /// Does one act on a game. A fault of the game sets it aside and gives `None`; one of the store is an error.
    pub(super) fn with_game<T>(
        &mut self,
        game: &str,
        inbox: Option<i64>,
        work: &mut dyn FnMut(&mut Sitting<'_>) -> Result<T, Trouble>,
    ) -> Result<Option<T>, OfficeError> {
        match self.try_game(game, inbox, work) {
            Ok(done) => Ok(Some(done)),
            Err(Trouble::Game(why)) => {
                self.set_aside(game, &why)?;
                Ok(None)
            }
            Err(Trouble::Store(error)) if is_lasting(&error) => {
                self.set_aside(game, &error.to_string())?;
                Ok(None)
            }
            Err(other) => Err(other.into()),
        }
    }

    /// Does one act on a game, with its troubles as they are; no other process has the game meanwhile.
    pub(super) fn try_game<T>(
        &mut self,
        game: &str,
        inbox: Option<i64>,
        work: &mut dyn FnMut(&mut Sitting<'_>) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let name = held_name(game);
        self.store.hold(&name, true)?;
        let (mut done, mut whole) = (Ok(Tried::Moved), false);
        // Whoever acts from the command line is another process: what he has written in between is read anew.
        let mut tries = 0;
        while tries < TRIES {
            done = self.try_held(game, (inbox, whole), work);
            match &done {
                Ok(Tried::Moved) => tries += 1,
                // The whole game never falls short.
                Ok(Tried::Short) => (whole, tries) = (true, tries + u32::from(whole)),
                _ => break,
            }
        }
        self.store.let_go(&name);
        match done? {
            Tried::Done(done) => Ok(done),
            Tried::Moved | Tried::Short => {
                Err(StoreError::Busy { path: self.store.path().to_owned(), row: format!("game {game}") }.into())
            }
        }
    }

    /// The same, with the whole game or with as much of it as is at hand.
    fn try_held<T>(
        &mut self,
        game: &str,
        (inbox, whole): (Option<i64>, bool),
        work: &mut dyn FnMut(&mut Sitting<'_>) -> Result<T, Trouble>,
    ) -> Result<Tried<T>, Trouble> {
        let Some(row) = self.store.game(game)? else {
            return Err(Trouble::Refused(format!("there is no game \"{game}\".")));
        };
        let before = self.store.written().ok();
        fail::point("gateway/open");
        let broke_off = || Trouble::Game("the engine broke off in the middle of its work".to_owned());
        // A panic in one ruleset must not end the post for all others; the act is rolled back as after any fault.
        let opened = catch_unwind(AssertUnwindSafe(|| self.table.take(self.entries, &self.store, &row, whole)));
        let (mut taken, head) = opened.map_err(|_| broke_off())??;
        let rules = games::find(self.entries, &row.ruleset).map_or("", |entry| entry.rules);
        let mut env = self.env();
        // Should the clock have been set back a little, time stands still for the game until it is as late again.
        let last = self.store.note(game, super::sitting::WRITTEN)?.and_then(|at| at.parse::<Timestamp>().ok());
        env.now = last.map_or(env.now, |last| env.now.max(last));
        let store = &self.store;
        let done = catch_unwind(AssertUnwindSafe(|| {
            store.try_act(|act| {
                let row = act.game(game)?.filter(|_| act.log_head(game).is_ok_and(|now| now == head));
                let Some(row) = row else { return Ok(None) };
                let mut sitting = Sitting::new(&env, act, row, &mut taken.hosted, inbox);
                if let Some(why) = sitting.stuck()? {
                    return Err(Trouble::Game(why));
                }
                let done = work(&mut sitting)?;
                if act.written().ok() != before {
                    sitting.keep_for_others()?;
                }
                // Nothing is written of what was asked of too small a part of the game.
                if sitting.hosted.fell_short() {
                    return Err(broke_off());
                }
                let head = act.log_head(game)?;
                if let Some(snapshot) = taken.to_keep(rules, &head) {
                    act.keep_snapshot(game, &snapshot)?;
                    taken.snapshot = head.seq;
                }
                fail::point("gateway/act");
                Ok(Some((done, head)))
            })
        }))
        .unwrap_or_else(|_| Err(broke_off()));
        if taken.hosted.fell_short() {
            return Ok(Tried::Short);
        }
        if before.is_none() || before != self.store.written().ok() {
            self.asking.touch(game);
        }
        let Some((done, head)) = done? else { return Ok(Tried::Moved) };
        self.table.put(game, taken, head);
        Ok(Tried::Done(done))
    }
}
