//! What time brings to a game, and when next: a game to which it brings nothing now is not opened again before that, or
//! before something is written of it.
//!
//! It is kept in memory alone. What another process writes forgets all of it, and an hour is the longest that a game is
//! left alone, so that a time that nobody thought of comes late and not never.

use super::error::Trouble;
use super::sitting::Sitting;
use crate::store::StoreError;
use crate::terms::Terms;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;

/// A game is asked once in so long, whatever is known of it.
const ASKED_EACH: SignedDuration = SignedDuration::from_hours(1);
/// Days end in some zone at each of these.
const QUARTER: SignedDuration = SignedDuration::from_mins(15);
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// What time may bring to a game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Why {
    /// A deadline, a grace, word of who is waited for.
    Deadline,
    /// The end of a pause.
    Pause,
    /// Stand-ins, and seats that were asked for.
    Guard,
    /// The reminder of a seat of one deadline.
    Reminder(String, String),
}

/// Until when each game is left alone, and for what.
#[derive(Debug, Default)]
pub(super) struct Resting {
    until: BTreeMap<String, BTreeMap<Why, Timestamp>>,
    /// The count of the store of what other processes wrote.
    others: Option<i64>,
    /// Whether all games are asked in each pass, as if nothing were known.
    pub never: bool,
}

impl Resting {
    /// Forgets all where another process has written since; asked once in a pass.
    pub(super) fn look(&mut self, others: Result<i64, StoreError>) {
        let others = others.ok();
        if others.is_none() || others != self.others {
            self.until.clear();
        }
        self.others = others;
    }

    /// Whether time brings nothing of this kind to a game now.
    pub(super) fn rests(&self, game: &str, why: &Why, now: Timestamp) -> bool {
        let until = self.until.get(game).and_then(|kinds| kinds.get(why));
        !self.never && until.is_some_and(|until| now < *until)
    }

    /// Time brings nothing of this kind to a game before the next of some instants.
    pub(super) fn until(&mut self, game: &str, why: Why, now: Timestamp, times: impl IntoIterator<Item = Timestamp>) {
        let last = now.checked_add(ASKED_EACH).unwrap_or(now);
        let next = times.into_iter().filter(|at| *at > now).fold(last, Timestamp::min);
        self.until.entry(game.to_owned()).or_default().insert(why, next);
    }

    /// Something may be written of a game.
    pub(super) fn wake(&mut self, game: &str) {
        self.until.remove(game);
    }
}

/// The next instant that is a whole multiple of a span.
fn next(now: Timestamp, span: SignedDuration) -> Timestamp {
    let into = SignedDuration::from_secs(now.as_second().rem_euclid(span.as_secs().max(1)));
    now.checked_sub(into).and_then(|at| at.checked_add(span)).unwrap_or(now)
}

impl Sitting<'_> {
    /// When a deadline, a grace or a day of waiting may bring something: each deadline, the same with its grace, the end of
    /// the stage's time, the next day.
    pub(super) fn next_deadlines(&self, now: Timestamp) -> Result<Vec<Timestamp>, Trouble> {
        let terms: Terms = self.terms()?;
        let grace = SignedDuration::from_hours(i64::from(terms.grace));
        let dues = self.act.dues(&self.row.id)?;
        let until = self.until()?.map(|(_, at)| at);
        let said = dues.iter().filter_map(|due| due.due_at.as_deref()).chain(until.as_deref());
        let said = said.filter_map(|at| at.parse::<Timestamp>().ok());
        let both = said.flat_map(|at| [Some(at), at.checked_add(grace).ok()]).flatten();
        Ok(both.chain([next(now, DAY)]).collect())
    }

    /// When a pause may end.
    pub(super) fn next_pauses(&self) -> Result<Vec<Timestamp>, Trouble> {
        Ok(self.pause()?.and_then(|pause| pause.until).into_iter().collect())
    }
}

/// When a day may end next, whatever the zone.
pub(super) fn next_guards(now: Timestamp) -> Timestamp {
    next(now, QUARTER)
}

/// Instants of a reminder so many hours before its deadline.
pub(super) fn next_reminder(due_at: &str, hours: i64) -> Option<Timestamp> {
    let at: Timestamp = due_at.parse().ok()?;
    at.checked_sub(SignedDuration::from_hours(hours)).ok()
}
