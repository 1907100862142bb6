//! The deadlines of one game: by what terms they run, and the one function that changes them.
//!
//! Every change of a deadline is an entry `post.due` of the chain with its reason, so that each can be explained by its
//! record: what the entries come to is what is due.

use super::due::{self, Clockwork};
use super::error::{OfficeError, Trouble};
use super::office::Office;
use super::sitting::Sitting;
use super::when;
use crate::store::{self, Due, GameState, Store, StoreError};
use crate::terms::Terms;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The note that says since when a game is paused, and until when.
pub(super) const PAUSED: &str = "paused";
/// The note that says until when the open stage has time, for all to know: its key and the time.
pub(super) const UNTIL: &str = "until";

/// A pause of a game's clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Pause {
    pub since: Timestamp,
    pub until: Option<Timestamp>,
}

/// The terms of a game: the last that were agreed, or those of its hours.
pub(super) fn terms_of(store: &Store, row: &store::Game) -> Result<Terms, StoreError> {
    let agreed = store.first_of_kind(&row.id, "post.options")?;
    let read = agreed.and_then(|body| serde_json::from_str::<Terms>(&body).ok());
    Ok(read.unwrap_or_else(|| Terms::of_hours(row.deadline_hours)))
}

impl Sitting<'_> {
    /// The terms of the game.
    pub(super) fn terms(&self) -> Result<Terms, Trouble> {
        Ok(terms_of(self.act, &self.row)?)
    }

    /// The zone in which its letters tell times.
    pub(super) fn zone(&self) -> Result<TimeZone, Trouble> {
        Ok(self.terms()?.calendar.tz())
    }

    /// What a seat owes and until when.
    pub(super) fn due_line(&self, dues: &[Due], seat: &str) -> Result<String, Trouble> {
        Ok(due::line(dues, seat, self.env.now, &self.zone()?))
    }

    /// The pause of the game, if its clock stands.
    pub(super) fn pause(&self) -> Result<Option<Pause>, Trouble> {
        let kept = self.act.note(&self.row.id, PAUSED)?;
        Ok(kept.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// The game's own time: the clock's, but where it was held or paused, when that was.
    pub(super) fn game_time(&self) -> Result<Timestamp, Trouble> {
        let held = if self.row.held { self.held_since()? } else { None };
        let paused = self.pause()?.map(|pause| pause.since);
        Ok([held, paused].into_iter().flatten().fold(self.env.now, Timestamp::min))
    }

    /// When the game was held.
    pub(super) fn held_since(&self) -> Result<Option<Timestamp>, Trouble> {
        let entry = self.act.log_of_kind(&self.row.id, "post.hold", 1)?.pop();
        let body: Option<serde_json::Value> = entry.and_then(|entry| serde_json::from_str(&entry.body).ok());
        Ok(body.and_then(|body| body.get("at")?.as_str()?.parse().ok()))
    }

    /// By what things fall due now.
    pub(super) fn clockwork<'t>(&self, terms: &'t Terms) -> Result<Clockwork<'t>, Trouble> {
        Ok(Clockwork {
            now: self.game_time()?,
            terms,
            sealed: self.row.tempo == store::Tempo::Sealed,
            away: self.all_gaps()?,
        })
    }

    /// Keeps what is due, and writes down each deadline that is not what it was, with its reason.
    pub(super) fn set_dues(&self, dues: &[Due], why: &dyn Fn(&Due) -> String) -> Result<(), Trouble> {
        let id = self.id();
        let before = self.act.dues(&id)?;
        if before == dues {
            return Ok(());
        }
        self.act.replace_dues(&id, dues)?;
        let same = |a: &Due, b: &Due| a.seat == b.seat && a.address == b.address;
        for gone in before.iter().filter(|old| !dues.iter().any(|new| same(old, new))) {
            self.enter("due", &json!({"seat": gone.seat, "address": gone.address, "done": true}))?;
            self.count_kept(gone)?;
        }
        for due in dues {
            let old = before.iter().find(|old| same(old, due));
            if old.is_none_or(|old| old.due_at != due.due_at) {
                let was = old.and_then(|old| old.due_at.clone());
                let body = json!({"seat": due.seat, "address": due.address, "at": due.due_at, "was": was,
                    "why": why(due)});
                self.enter("due", &body)?;
            }
        }
        Ok(())
    }

    /// Writes down what is due now and when.
    pub(super) fn keep_dues(&self) -> Result<Vec<Due>, Trouble> {
        let before = self.act.dues(&self.row.id)?;
        if self.row.state == GameState::Forming {
            let mut open = before.clone();
            for seat in self.act.seats(&self.row.id)?.iter().filter(|seat| seat.signed_on.is_some()) {
                open.retain(|due| due.seat != seat.seat);
            }
            self.set_dues(&open, &|_| String::new())?;
            return Ok(open);
        }
        let terms = self.terms()?;
        let (dues, reasons): (Vec<Due>, Vec<String>) =
            due::renewed(&before, self.hosted.as_ref(), &self.clockwork(&terms)?, &self.waited).into_iter().unzip();
        let why = |due: &Due| dues.iter().position(|d| d == due).and_then(|at| reasons.get(at)).cloned();
        self.set_dues(&dues, &|due| why(due).unwrap_or_default())?;
        self.keep_until(&dues, false)?;
        if dues != before {
            self.ask_umpires(&before)?;
        }
        Ok(dues)
    }

    /// Keeps until when the open stage has time: what all may know of it, whoever has ended his sheet since.
    fn keep_until(&self, dues: &[Due], moved: bool) -> Result<(), Trouble> {
        let Some(stage) = self.hosted.stage() else { return Ok(()) };
        let known = self.until()?.filter(|(key, _)| *key == stage.key).map(|(_, at)| at);
        if known.is_some() && !moved {
            return Ok(());
        }
        let sheets = dues.iter().filter(|due| due.address.starts_with("sheet/") && due.address.contains(&stage.key));
        let last = sheets.filter_map(|due| due.due_at.clone()).chain(known.clone()).max();
        if let Some(at) = last.filter(|at| known.as_ref() != Some(at)) {
            self.act.set_note(&self.row.id, UNTIL, Some(&format!("{at} {}", stage.key)))?;
        }
        Ok(())
    }

    /// The key of the stage that all were told of, and until when it has time.
    pub(super) fn until(&self) -> Result<Option<(String, String)>, Trouble> {
        let kept = self.act.note(&self.row.id, UNTIL)?;
        Ok(kept.and_then(|text| text.split_once(' ').map(|(at, key)| (key.to_owned(), at.to_owned()))))
    }

    /// Puts off all that is due by a span, to where the calendar lets a deadline fall.
    pub(super) fn put_off(&self, by: SignedDuration, why: &str) -> Result<(), Trouble> {
        self.put_off_notice(by)?;
        self.put_off_recalls(by, why)?;
        self.move_dues(&|_| true, &|at| at.checked_add(by).unwrap_or(Timestamp::MAX), why)
    }

    /// Moves some deadlines, to where the calendar lets one fall.
    pub(super) fn move_dues(
        &self,
        which: &dyn Fn(&Due) -> bool,
        to: &dyn Fn(Timestamp) -> Timestamp,
        why: &str,
    ) -> Result<(), Trouble> {
        let terms = self.terms()?;
        let clockwork = self.clockwork(&terms)?;
        let secret = self.hosted.stage().is_some_and(|stage| stage.secret);
        let mut dues = self.act.dues(&self.row.id)?;
        for due in dues.iter_mut().filter(|due| which(due)) {
            let Some(at) = due.due_at.as_ref().and_then(|at| at.parse::<Timestamp>().ok()) else { continue };
            let time = terms.time_of(&due.address, secret);
            due.due_at = Some(when::kept(terms.calendar.snapped(to(at), &time, clockwork.gaps(&due.seat))));
        }
        self.set_dues(&dues, &|_| why.to_owned())?;
        self.keep_until(&dues, true)
    }

    /// Counts a sheet that was done in time for whoever wrote for its seat. Questions are not counted: how many a seat
    /// was asked is nobody's business.
    fn count_kept(&self, due: &Due) -> Result<(), Trouble> {
        let in_time = due.due_at.as_ref().is_some_and(|at| *at > self.now());
        if in_time && due.address.starts_with("sheet/") {
            self.count_punctual(&due.seat, true)?;
        }
        Ok(())
    }

    /// Counts a deadline for whoever writes for a seat.
    pub(super) fn count_punctual(&self, seat: &str, met: bool) -> Result<(), Trouble> {
        let Some(row) = self.seat(seat)? else { return Ok(()) };
        let last = match self.act.stand_in(&self.row.id, seat)? {
            Some(by) => Some(by.address),
            None => self.act.desk(&self.row.id, seat, "address")?,
        };
        if let Some(address) = last.or_else(|| row.addresses.first().cloned()) {
            self.act.count_deadline(&address, met)?;
        }
        Ok(())
    }
}

impl Office {
    /// Acts on a deadline that had passed when a mail came in, and on an END whose time had come. What was found in the
    /// mailbox at this pass came at some time since the look before, and that counts.
    pub(super) fn deadline_before(&mut self, game: &str, received: &str) -> Result<(), OfficeError> {
        let Ok(at) = received.parse::<Timestamp>() else { return Ok(()) };
        let just_found = self.looks.is_some_and(|looks| when::kept(looks).as_str() <= received);
        let at = if just_found { self.looked.unwrap_or(at) } else { at };
        // Sent in the very second counts.
        let Ok(before) = at.checked_sub(SignedDuration::from_secs(1)) else { return Ok(()) };
        let first = self.store.dues(game)?.into_iter().filter_map(|due| due.due_at).min();
        if first.is_some_and(|first| first <= when::kept(before)) || self.is_recalled(game, before)? {
            self.with_game(game, None, &mut |sitting| sitting.deadline(before))?;
        }
        Ok(())
    }
}
