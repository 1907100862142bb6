//! Reminders to the late, and word to the umpire of who stays silent.
//!
//! A reminder depends on what is due from its own seat and on nothing else, so that it tells nothing of the others.

use super::deadlines::{PAUSED, terms_of};
use super::error::{OfficeError, Trouble};
use super::office::Office;
use super::press::UMPIRE;
use super::sitting::Sitting;
use super::wakes::{Why, Woken};
use super::when;
use crate::config::Config;
use crate::store::{Due, Soon};
use crate::terms::{self, Terms};
use jiff::{SignedDuration, Timestamp};

/// The key on a seat's desk: the deadline of which it was last reminded.
pub(super) const REMINDED: &str = "reminded";
/// The key on a seat's desk: deadlines that it let pass in a row.
const MISSED: &str = "missed";
/// From so many deadlines in a row on, the umpire is told.
const MISSED_TOLD: u32 = 2;

/// Reminders come at most so many hours before the time is up.
pub(super) const HOURS_MAX: i64 = 168;

/// How many hours before a deadline a seat is reminded; none or less where it is not.
pub(super) fn hours_before(config: &Config, terms: &Terms) -> i64 {
    let most = i64::from(terms.reminder.unwrap_or(u32::from(config.reminder_hours)));
    // A stage of a few hours needs no reminder twelve hours before its end.
    let least = terms.deadline.as_ref().and_then(terms::Time::least_hours);
    least.map_or(most, |hours| most.min(i64::from(hours) / 4))
}

impl Office {
    /// Reminds each seat once of what is soon due.
    pub(super) fn remind(&mut self, woken: &mut Woken) -> Result<(), OfficeError> {
        let now = self.clock.now();
        let within = |hours: i64| when::kept(now.checked_add(SignedDuration::from_hours(hours)).unwrap_or(now));
        for game in woken.of(Why::Reminder) {
            let asked = self.time_of(&game, &mut |office| {
                for soon in office.store.soon_of(&game, &when::kept(now), &within(HOURS_MAX), REMINDED)? {
                    office.remind_of(&soon, &within)?;
                }
                Ok(())
            });
            if asked.is_none() {
                woken.again.insert(game);
            }
        }
        Ok(())
    }

    /// Reminds of one deadline if it is time.
    fn remind_of(&mut self, soon: &Soon, within: &dyn Fn(i64) -> String) -> Result<(), OfficeError> {
        let Some(game) = self.store.game(&soon.game)?.filter(|game| !game.held) else { return Ok(()) };
        let hours = hours_before(&self.config, &terms_of(&self.store, &game)?);
        if hours > 0 && soon.due_at <= within(hours) && self.store.note(&soon.game, PAUSED)?.is_none() {
            self.with_game(&soon.game, None, &mut |sitting| sitting.remind(&soon.seat, &soon.due_at))?;
        }
        Ok(())
    }
}

impl Sitting<'_> {
    fn remind(&mut self, seat: &str, due_at: &str) -> Result<(), Trouble> {
        let id = self.id();
        self.act.set_desk(&id, seat, REMINDED, Some(due_at))?;
        let line = self.due_line(&self.act.dues(&id)?, seat)?;
        let notes = vec![
            format!("Due {line}"),
            "What you have sent stands.  When the time is up, your standing answers and the defaults do the rest; END \
             says that you are done.  ABSENT and two days (ABSENT 20 Dec 3 Jan) stops your time while you are away."
                .to_owned(),
        ];
        let left = due_at.parse::<Timestamp>().map_or(0, |at| at.duration_since(self.env.now).as_hours());
        let hours = crate::text::plural(left.max(1), "hour", "hours");
        self.desk().notice(seat, &format!("reminder: {hours} left"), notes)
    }

    /// Counts the seats that play waited for and that stayed silent, and tells the umpire of those who do so again.
    pub(super) fn count_missed(&mut self, now: Timestamp) -> Result<(), Trouble> {
        let (id, now) = (self.id(), when::kept(now));
        let mut late: Vec<String> = self.hosted.dues().into_iter().map(|due| due.seat.0).collect();
        late.sort();
        late.dedup();
        let dues = self.act.dues(&id)?;
        late.retain(|seat| dues.iter().any(|d| d.seat == *seat && d.due_at.as_ref().is_some_and(|at| *at <= now)));
        for seat in late {
            let past = |d: &&Due| d.seat == seat && d.due_at.as_ref().is_some_and(|at| *at <= now);
            if dues.iter().filter(past).any(|d| d.address.starts_with("sheet/")) {
                self.count_punctual(&seat, false)?;
            }
            self.miss(&seat)?;
        }
        Ok(())
    }

    /// Counts a deadline that a seat let pass, and tells the umpire of one that does so again.
    pub(super) fn miss(&mut self, seat: &str) -> Result<(), Trouble> {
        let id = self.id();
        let missed = self.missed(seat)?.saturating_add(1);
        self.act.set_desk(&id, seat, MISSED, Some(&missed.to_string()))?;
        if missed >= MISSED_TOLD {
            let note = format!(
                "{seat} has let {missed} deadlines in a row pass without a word; standing answers and defaults play \
                 for it.  MESSAGE TO {seat} asks; EXTEND {seat} 48 gives time; HOLD stops the game."
            );
            self.desk().notice(UMPIRE, &format!("{seat} is silent"), vec![note])?;
        }
        Ok(())
    }

    /// Deadlines that a seat has let pass in a row.
    pub(super) fn missed(&self, seat: &str) -> Result<u32, Trouble> {
        Ok(self.act.desk(&self.row.id, seat, MISSED)?.and_then(|n| n.parse::<u32>().ok()).unwrap_or(0))
    }

    /// A seat has written: it is silent no more.
    pub(super) fn heard(&mut self, seat: &str) -> Result<(), Trouble> {
        if self.act.desk(&self.row.id, seat, MISSED)?.is_some() {
            self.act.set_desk(&self.row.id, seat, MISSED, None)?;
        }
        Ok(())
    }
}
