//! The pulse of the post office: that it was at work is written down, so that after an outage every open deadline is
//! lengthened; and a clock that jumps stops it, until the operator says which time is right.

use super::error::{OfficeError, Trouble};
use super::office::Office;
use super::operator;
use super::when;
use crate::store::{GameState, Store};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use std::path::Path;

/// Until when the post office was last at work.
const PULSE: &str = "pulse";
/// Why it stopped; empty while it works.
pub(super) const STOPPED: &str = "stopped";
/// How often its pulse is written.
const EVERY: SignedDuration = SignedDuration::from_secs(60);
/// What a clock may be set by without a word: summer time changes nothing here, since all is kept in UTC.
const JUMP_MAX: SignedDuration = SignedDuration::from_mins(5);

/// The last look at the clock, and at time as it passes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beat {
    wall: Timestamp,
    steady: SignedDuration,
    /// When it was last written.
    written: Timestamp,
}

impl Office {
    /// Looks at the clock; whether the pass may go on. Only the daemon has a pulse.
    pub(super) fn beat(&mut self) -> Result<bool, OfficeError> {
        if !self.serving {
            return Ok(true);
        }
        if self.store.mark(STOPPED)?.is_some_and(|why| !why.is_empty()) {
            return Ok(false);
        }
        let (now, steady) = (self.clock.now(), self.clock.steady());
        let kept = self.store.mark(PULSE)?.and_then(|text| text.parse::<Timestamp>().ok());
        match self.beat {
            Some(beat) => {
                let passed = now.duration_since(beat.wall);
                let off = passed.saturating_sub(steady.saturating_sub(beat.steady));
                if off.abs() > JUMP_MAX {
                    let way = if off.is_negative() { "back" } else { "forward" };
                    return self.stop(&format!("went {way} by {}", spoken(off.abs())), beat.wall);
                }
            }
            None => {
                if let Some(last) = kept.filter(|last| last.duration_since(now) > JUMP_MAX) {
                    return self.stop(&format!("stands {} before", spoken(last.duration_since(now))), last);
                }
                if let Some(last) = kept {
                    self.was_closed(last)?;
                }
            }
        }
        let written = self.beat.map_or(Timestamp::MIN, |beat| beat.written);
        let due = self.beat.is_none() || now.duration_since(written) >= EVERY;
        if due {
            self.store.act(|act| act.set_mark(PULSE, &when::kept(now)))?;
        }
        self.beat = Some(Beat { wall: now, steady, written: if due { now } else { written } });
        Ok(true)
    }

    /// Stops all work, and tells the operator.
    fn stop(&mut self, how: &str, last: Timestamp) -> Result<bool, OfficeError> {
        let now = self.clock.now();
        let why = format!("the clock {how}; it was {} and is {}", when::said(last), when::said(now));
        tracing::error!(why, "the post office stops: its clock has jumped");
        self.beat = None;
        let env = self.env();
        let notes = [
            format!("The post office stops: {why}.  No mail is read and no deadline passes until you say that the clock \
                     is right."),
            "Set the clock if it is wrong.  Then: estafette clock --dir DIR --right.  What was missed between is given \
             back to every open deadline."
                .to_owned(),
        ];
        self.store.try_act(|act| {
            act.set_mark(STOPPED, &why)?;
            operator::tell(&env, act, "the clock has jumped", &notes)
        })?;
        Ok(false)
    }

    /// After an outage every open deadline is later by as long as it was.
    pub(super) fn was_closed(&mut self, last: Timestamp) -> Result<(), OfficeError> {
        let now = self.clock.now();
        let gap = now.duration_since(last);
        let most = SignedDuration::from_hours(i64::from(self.config.outage_hours));
        if self.config.outage_hours == 0 || gap <= most {
            return Ok(());
        }
        tracing::warn!(from = when::kept(last), "the post office was closed; deadlines are put off");
        for game in self.store.games()? {
            if matches!(game.state, GameState::Forming | GameState::Playing) && !game.held {
                self.with_game(&game.id, None, &mut |sitting| sitting.after_outage(last, gap))?;
            }
        }
        // Written at once: a second start must not lengthen them again.
        self.store.act(|act| act.set_mark(PULSE, &when::kept(now)))?;
        Ok(())
    }
}

impl super::sitting::Sitting<'_> {
    fn after_outage(&mut self, last: Timestamp, gap: SignedDuration) -> Result<(), Trouble> {
        // Lengthened once for an outage, also when the process was killed in the middle of all games.
        let mark = when::kept(last);
        if self.act.note(&self.row.id, "outage")?.as_ref() == Some(&mark) || self.pause()?.is_some() {
            return Ok(());
        }
        self.act.set_note(&self.row.id, "outage", Some(&mark))?;
        let why = format!("the post office was closed from {mark} to {}", self.now());
        self.put_off(gap, &why)?;
        self.enter("outage", &json!({"from": mark, "to": self.now()}))?;
        let zone = self.zone()?;
        let note = format!(
            "The post office was closed from {} to {}.  Every open deadline is later by that long.",
            when::said_in(last, &zone),
            when::said_in(self.env.now, &zone)
        );
        self.tell_all("the post office was closed", &[note])
    }
}

/// Whether the post office has stopped for its clock, in a sentence.
///
/// # Errors
/// The database.
pub fn clock_said(dir: &Path, now: Timestamp) -> Result<String, OfficeError> {
    let store = Store::open(&dir.join("estafette.db"))?;
    Ok(match store.mark(STOPPED)?.filter(|why| !why.is_empty()) {
        Some(why) => format!("the post office has stopped: {why}."),
        None => format!("the clock is {}, and the post office goes by it.", when::said(now)),
    })
}

/// The operator says that the clock is right: work goes on, and what was missed is given back.
///
/// # Errors
/// The database.
pub fn accept_clock(dir: &Path, now: Timestamp) -> Result<String, OfficeError> {
    let store = Store::open(&dir.join("estafette.db"))?;
    let Some(why) = store.mark(STOPPED)?.filter(|why| !why.is_empty()) else {
        return Ok("the post office has not stopped for its clock.".to_owned());
    };
    let kept = store.mark(PULSE)?.and_then(|text| text.parse::<Timestamp>().ok());
    store.act(|act| {
        act.set_mark(STOPPED, "")?;
        // A pulse in what is now the future was wrong.
        match kept.filter(|kept| *kept > now) {
            Some(_) => act.set_mark(PULSE, &when::kept(now)),
            None => Ok(()),
        }
    })?;
    Ok(format!("work goes on by this clock.  It had stopped because {why}."))
}

fn spoken(span: SignedDuration) -> String {
    let minutes = span.as_mins();
    if minutes < 120 { format!("{minutes} minutes") } else { format!("{} hours", minutes / 60) }
}
