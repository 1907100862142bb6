//! The pulse of the post office: that it was at work is written down, so that after an outage every open deadline is
//! lengthened; and a clock that jumps stops it, until the operator says which time is right.

use super::error::{OfficeError, Trouble};
use super::office::Office;
use super::operator;
use super::when;
use crate::clock::Clock;
use crate::store::{GameState, Store, StoreError};
use crate::text::plural;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use std::path::Path;

/// Until when the post office was last at work.
pub(super) const PULSE: &str = "pulse";
/// Why it stopped; empty while it works.
const STOPPED: &str = "stopped";
/// What the clock showed when it stopped.
const STOPPED_AT: &str = "stopped/at";
/// How often its pulse is written.
const EVERY: SignedDuration = SignedDuration::from_secs(60);
/// What a clock may be set by without a word: summer time changes nothing here, since all is kept in UTC.
const JUMP_MAX: SignedDuration = SignedDuration::from_mins(5);
/// How far this machine's clock may be from that of the database's server.
const OFF_MAX: SignedDuration = SignedDuration::from_secs(60);

/// Under which mark the last look at the clock is kept, and under which the last before the clock jumped.
const BEAT: &str = "beat";
const BEAT_BEFORE: &str = "beat/before";

/// The last look at the clock, and at time as it passes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beat {
    wall: Timestamp,
    steady: SignedDuration,
    /// When it was last written.
    written: Timestamp,
}

impl Beat {
    /// By how much the clock is off where it would be had nobody set it.
    fn off(&self, now: Timestamp, steady: SignedDuration) -> SignedDuration {
        now.duration_since(self.wall).saturating_sub(steady.saturating_sub(self.steady))
    }

    /// As it is kept for another process, together with the start of the machine that its steady time counts from.
    fn text(&self, boot: &str) -> String {
        format!("{boot} {} {}", self.steady.as_secs(), when::kept(self.wall))
    }

    /// What another process kept; none where the machine was started anew since.
    fn read(text: &str, boot: &str) -> Option<Beat> {
        let mut parts = text.split(' ');
        parts.next().filter(|known| *known == boot)?;
        let steady = SignedDuration::from_secs(parts.next()?.parse().ok()?);
        let wall: Timestamp = parts.next()?.parse().ok()?;
        Some(Beat { wall, steady, written: wall })
    }
}

impl Office {
    /// Whether this machine's clock and that of the database's server agree: by a wrong one orders would be late, and stages
    /// due, at times that no other worker knows. Who differs does nothing, and goes on by itself once it is right.
    pub(super) fn agrees(&mut self) -> Result<(), OfficeError> {
        // That it cannot be asked is told by whoever needs it next.
        let asked = if self.serving && self.clock.goes() { self.store.clock().ok().flatten() } else { None };
        let Some(server) = asked else { return Ok(()) };
        let off = self.clock.now().duration_since(server);
        if off.abs() <= OFF_MAX {
            return Ok(());
        }
        let way = if off.is_negative() { "behind" } else { "ahead of" };
        Err(OfficeError::Refused(format!(
            "the clock of this machine is {} {way} that of the database's server, so this worker does nothing. Set the one \
             that is wrong (NTP); it goes on by itself.",
            spoken(off.abs())
        )))
    }

    /// Looks at the clock; whether the pass may go on. Only the daemon has a pulse.
    pub(super) fn beat(&mut self) -> Result<bool, OfficeError> {
        if !self.serving {
            return Ok(true);
        }
        if let Some(why) = stopped(&self.store)? {
            return self.right_again(&why);
        }
        let (now, steady) = (self.clock.now(), self.clock.steady());
        let kept = self.store.mark(PULSE)?.and_then(|text| text.parse::<Timestamp>().ok());
        let before = match self.beat {
            Some(beat) => Some(beat),
            None => self.kept_beat(BEAT)?,
        };
        if let Some(beat) = before.filter(|beat| beat.off(now, steady).abs() > JUMP_MAX) {
            let off = beat.off(now, steady);
            let way = if off.is_negative() { "back" } else { "forward" };
            return self.stop(&format!("went {way} by {}", spoken(off.abs())), beat.wall, Some(beat));
        }
        if let Some(last) = kept.filter(|last| before.is_none() && last.duration_since(now) > JUMP_MAX) {
            return self.stop(&format!("stands {} before", spoken(last.duration_since(now))), last, None);
        }
        // While the machine slept, the post office was closed as well.
        if let Some(last) = self.beat.map(|beat| beat.wall).or(kept) {
            self.was_closed(last)?;
        }
        self.keep_beat(now, steady)
    }

    /// Keeps a look at the clock, and writes it down from time to time.
    fn keep_beat(&mut self, now: Timestamp, steady: SignedDuration) -> Result<bool, OfficeError> {
        let written = self.beat.map_or(Timestamp::MIN, |beat| beat.written);
        let due = self.beat.is_none() || now.duration_since(written) >= EVERY;
        let beat = Beat { wall: now, steady, written: if due { now } else { written } };
        if due {
            let boot = self.clock.boot();
            self.store.act(|act| {
                act.set_mark(PULSE, &when::kept(now))?;
                boot.map_or(Ok(()), |boot| act.set_mark(BEAT, &beat.text(&boot)))
            })?;
        }
        self.beat = Some(beat);
        Ok(true)
    }

    /// A look at the clock that this or another process kept since the machine was started.
    fn kept_beat(&self, key: &str) -> Result<Option<Beat>, OfficeError> {
        let Some(boot) = self.clock.boot() else { return Ok(None) };
        Ok(self.store.mark(key)?.and_then(|text| Beat::read(&text, &boot)))
    }

    /// Whether the clock is again where it would be had it never jumped: then work goes on by itself.
    fn right_again(&mut self, why: &str) -> Result<bool, OfficeError> {
        let (now, steady) = (self.clock.now(), self.clock.steady());
        let before = match self.before_jump {
            Some(beat) => Some(beat),
            None => self.kept_beat(BEAT_BEFORE)?,
        };
        let last = match before {
            Some(beat) if beat.off(now, steady).abs() <= JUMP_MAX => beat.wall,
            Some(_) => return Ok(false),
            None => match self.right_since_start(now)? {
                Some(last) => last,
                None => return Ok(false),
            },
        };
        tracing::warn!(why, "the clock is right again, and work goes on");
        let env = self.env();
        let notes = [
            format!("The clock is right again by itself, and work goes on.  It had stopped because {why}."),
            "Nothing is left to do.  What was missed between is given back to every open deadline.".to_owned(),
        ];
        self.store.try_act(|act| {
            act.set_mark(STOPPED, "")?;
            act.drop_mark(STOPPED_AT)?;
            act.drop_mark(BEAT_BEFORE)?;
            operator::tell(&env, act, "the clock is right again", &notes)
        })?;
        self.before_jump = None;
        self.was_closed(last)?;
        self.keep_beat(now, steady)
    }

    /// The last pulse, where the clock may be right again though no look at it before can be compared, since the machine
    /// was started anew: it stands at or past that pulse, and before the time to which it had jumped if that lay ahead.
    fn right_since_start(&self, now: Timestamp) -> Result<Option<Timestamp>, OfficeError> {
        let time = |key| -> Result<Option<Timestamp>, OfficeError> {
            Ok(self.store.mark(key)?.and_then(|text| text.parse().ok()))
        };
        let (Some(last), Some(stopped)) = (time(PULSE)?, time(STOPPED_AT)?) else { return Ok(None) };
        Ok(Some(last).filter(|last| now >= *last && (stopped < *last || now < stopped)))
    }

    /// Stops all work, and tells the operator.
    fn stop(&mut self, how: &str, last: Timestamp, before: Option<Beat>) -> Result<bool, OfficeError> {
        let now = self.clock.now();
        let why = format!("the clock {how}; it was {} and is {}", when::said(last), when::said(now));
        tracing::error!(why, "the post office stops: its clock has jumped");
        let kept = before.zip(self.clock.boot()).map(|(beat, boot)| beat.text(&boot));
        let env = self.env();
        let notes = [
            format!("The post office stops: {why}.  No mail is read and no deadline passes until the clock is right, or \
                     you say that it is."),
            "Set the clock if it is wrong: work then goes on by itself.  If it is right now: estafette clock --dir DIR \
             --right.  What was missed between is given back to every open deadline."
                .to_owned(),
        ];
        self.store.try_act(|act| {
            act.set_mark(STOPPED, &why)?;
            act.set_mark(STOPPED_AT, &when::kept(now))?;
            act.drop_mark(BEAT)?;
            if let Some(kept) = &kept {
                act.set_mark(BEAT_BEFORE, kept)?;
            }
            operator::tell(&env, act, "the clock has jumped", &notes)
        })?;
        (self.beat, self.before_jump) = (None, before);
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
                self.time_of(&game.id, &mut |office| {
                    office.with_game(&game.id, None, &mut |sitting| sitting.after_outage(last, gap))
                });
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
        let why = super::due::closed_from(&mark, &self.now());
        self.put_off(gap, &why)?;
        self.enter("outage", &json!({"from": mark, "to": self.entry_time()?}))?;
        let zone = self.zone()?;
        let note = format!(
            "The post office was closed from {} to {}.  Every open deadline is later by that long.",
            when::said_in(last, &zone),
            when::said_in(self.env.now, &zone)
        );
        self.tell_all("the post office was closed", &[note])
    }
}

/// When a mail comes in. On a server that is by the server's clock, which all machines share: by a wrong one of its own a
/// machine would make mails early or late. A clock that stands, as in tests and demonstrations, holds everywhere.
///
/// # Errors
/// A server that cannot be asked; the mail is then not taken, and comes again.
pub(super) fn arrival(store: &Store, clock: &Clock) -> Result<Timestamp, StoreError> {
    let server = if clock.goes() { store.clock()? } else { None };
    Ok(server.unwrap_or_else(|| clock.now()))
}

/// Why the post office has stopped for its clock; none while it works.
///
/// # Errors
/// The database.
pub fn stopped(store: &Store) -> Result<Option<String>, StoreError> {
    Ok(store.mark(STOPPED)?.filter(|why| !why.is_empty()))
}

/// Whether the post office has stopped for its clock, in a sentence.
///
/// # Errors
/// The database.
pub fn clock_said(dir: &Path, now: Timestamp) -> Result<String, OfficeError> {
    let store = super::files::store_of(dir)?;
    Ok(match stopped(&store)? {
        Some(why) => format!("the post office has stopped: {why}."),
        None => format!("the clock is {}, and the post office goes by it.", when::said(now)),
    })
}

/// The operator says that the clock is right: work goes on, and what was missed is given back.
///
/// # Errors
/// The database.
pub fn accept_clock(dir: &Path, now: Timestamp) -> Result<String, OfficeError> {
    let store = super::files::store_of(dir)?;
    let Some(why) = stopped(&store)? else {
        return Ok("the post office has not stopped for its clock.".to_owned());
    };
    let kept = store.mark(PULSE)?.and_then(|text| text.parse::<Timestamp>().ok());
    store.act(|act| {
        act.set_mark(STOPPED, "")?;
        act.drop_mark(STOPPED_AT)?;
        act.drop_mark(BEAT_BEFORE)?;
        // A pulse in what is now the future was wrong.
        match kept.filter(|kept| *kept > now) {
            Some(_) => act.set_mark(PULSE, &when::kept(now)),
            None => Ok(()),
        }
    })?;
    Ok(format!("work goes on by this clock.  It had stopped because {why}."))
}

/// A span to the nearest minute, from two hours on to the nearest hour.
fn spoken(span: SignedDuration) -> String {
    let minutes = (span.as_secs() + 30) / 60;
    if minutes < 120 { plural(minutes, "minute", "minutes") } else { plural((minutes + 30) / 60, "hour", "hours") }
}
