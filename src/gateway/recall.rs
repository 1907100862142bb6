//! ENDs that take effect later, so that UNDO END can take them back.
//!
//! The time of each stands in a note of its game and in the chain (`post.recall`). It runs by the game's own clock: while
//! the game is held or paused it stands still, and a deadline that comes first wins. The other side learns nothing: until
//! the time has come the host does nothing, and then what an END does that comes at that moment.

use super::error::{OfficeError, Trouble};
use super::office::Office;
use super::sitting::Sitting;
use super::when;
use super::whence::Whence;
use crate::fog::SeatId;
use crate::host::Input;
use crate::host::sheet::{Edit, Edited, Ending};
use crate::store::{Due, GameState};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;

/// The note that says when the ENDs of a game's seats take effect.
pub(super) const RECALLS: &str = "recalls";

/// An END that waits for its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Recall {
    /// When it takes effect.
    at: Timestamp,
    /// Its number in its sheet.
    end: u32,
}

/// The ENDs that wait, by seat.
type Recalls = BTreeMap<String, Recall>;

/// When the ENDs that wait take effect, by what a game keeps of them.
pub(super) fn times(note: Option<&String>) -> Vec<Timestamp> {
    read(note.cloned()).into_values().map(|recall| recall.at).collect()
}

fn read(note: Option<String>) -> Recalls {
    note.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

impl Office {
    /// Whether an END of a game under way takes effect by an instant.
    pub(super) fn is_recalled(&self, game: &str, by: Timestamp) -> Result<bool, OfficeError> {
        let due = read(self.store.note(game, RECALLS)?).values().any(|recall| recall.at <= by);
        let row = if due { self.store.game(game)? } else { None };
        Ok(row.is_some_and(|row| !row.held && row.state == GameState::Playing))
    }
}

impl Sitting<'_> {
    /// What an END does to a sheet: at once, or later where the terms say so.
    pub(super) fn end_by_terms(&self, ending: Ending) -> Result<Edit, Trouble> {
        Ok(if self.terms()?.recall.is_some() { Edit::Later(ending) } else { Edit::End(ending) })
    }

    /// Keeps when the ENDs that wait take effect: one that has come gets its time, one taken back loses it.
    pub(super) fn keep_recalls(&self) -> Result<(), Trouble> {
        let before = read(self.act.note(&self.row.id, RECALLS)?);
        let mut after = Recalls::new();
        for seat in self.players() {
            let Some(end) = self.hosted.called(&seat) else { continue };
            if let Some(known) = before.get(&seat.0).filter(|known| known.end == end) {
                after.insert(seat.0, *known);
                continue;
            }
            let minutes = self.terms()?.recall.unwrap_or(0);
            let now = self.game_time()?;
            let at = now.checked_add(SignedDuration::from_mins(i64::from(minutes))).unwrap_or(Timestamp::MAX);
            self.enter("recall", &json!({"seat": seat, "at": when::kept(at)}))?;
            after.insert(seat.0, Recall { at, end });
        }
        self.set_recalls(&before, &after)
    }

    /// Puts off the ENDs that wait, as the deadlines.
    pub(super) fn put_off_recalls(&self, by: SignedDuration, why: &str) -> Result<(), Trouble> {
        let before = read(self.act.note(&self.row.id, RECALLS)?);
        let mut after = before.clone();
        for (seat, recall) in &mut after {
            recall.at = recall.at.checked_add(by).unwrap_or(Timestamp::MAX);
            self.enter("recall", &json!({"seat": seat, "at": when::kept(recall.at), "why": why}))?;
        }
        self.set_recalls(&before, &after)
    }

    fn set_recalls(&self, before: &Recalls, after: &Recalls) -> Result<(), Trouble> {
        if before == after {
            return Ok(());
        }
        let text = serde_json::to_string(after).map_err(|why| Trouble::Game(why.to_string()))?;
        Ok(self.act.set_note(&self.row.id, RECALLS, Some(&text).filter(|_| !after.is_empty()).map(String::as_str))?)
    }

    /// Lets the ENDs take effect whose time has come at an instant, or whose sheet's deadline has: it wins.
    pub(super) fn call_ends(&mut self, at: Timestamp, by: Timestamp) -> Result<bool, Trouble> {
        let recalls = read(self.act.note(&self.row.id, RECALLS)?);
        if recalls.is_empty() {
            return Ok(false);
        }
        let dues = self.act.dues(&self.row.id)?;
        let mut waiting: Vec<(String, Recall)> = recalls.into_iter().collect();
        waiting.sort_by_key(|(_, recall)| recall.at);
        let mut called = false;
        for (seat, recall) in waiting {
            let sheet = |due: &&Due| due.seat == seat && due.address.starts_with("sheet/");
            let past = |due: &Due, time: Timestamp| due.due_at.as_ref().is_some_and(|at| *at <= when::kept(time));
            let due = dues.iter().find(sheet);
            // What was called before it may have closed its sheet.
            let seat_id = SeatId(seat.clone());
            if self.hosted.called(&seat_id) != Some(recall.end) {
                continue;
            }
            if recall.at > at && !due.is_some_and(|due| past(due, by)) {
                continue;
            }
            // It was in time, though it takes effect no earlier than the deadline.
            if due.is_some_and(|due| past(due, self.env.now)) {
                self.count_punctual(&seat, true)?;
            }
            let call = Edited { no: recall.end, text: "END".to_owned(), edit: Edit::Call };
            let mail = Whence::Recall(recall.end).to_string();
            let input = Input::Sheet { seat: seat_id, edits: vec![call], mail, came: None };
            let letters = self.take(input)?;
            self.post_all(&letters)?;
            called = true;
        }
        Ok(called)
    }

    /// When a seat's END takes effect, in words for its own answer; none where none waits.
    pub(super) fn recall_said(&self, seat: &str) -> Result<Option<String>, Trouble> {
        let recalls = read(self.act.note(&self.row.id, RECALLS)?);
        let Some(recall) = recalls.get(seat) else { return Ok(None) };
        // While the clock of the game stands, nobody knows when that will be.
        if self.row.held || self.pause()?.is_some() {
            let left = recall.at.duration_since(self.game_time()?).as_mins();
            return Ok(Some(format!("{left} min after the clock of the game runs again")));
        }
        let sheet = |due: &Due| due.seat == seat && due.address.starts_with("sheet/");
        let due = self.act.dues(&self.row.id)?.into_iter().find(sheet).and_then(|due| due.due_at);
        let due = due.and_then(|at| at.parse::<Timestamp>().ok()).unwrap_or(Timestamp::MAX);
        let at = recall.at.min(due);
        let near = at.duration_since(self.env.now) < SignedDuration::from_hours(12);
        let zone = self.zone()?;
        let said = if near { at.to_zoned(zone).strftime("%H:%M").to_string() } else { when::said_in(at, &zone) };
        Ok(Some(format!("at {said}")))
    }
}
