//! Reminders to the late, and word to the umpire of who stays silent.
//!
//! A reminder depends on what is due from its own seat and on nothing else, so that it tells nothing of the others.

use super::error::{OfficeError, Trouble};
use super::office::Office;
use super::press::UMPIRE;
use super::sitting::Sitting;
use super::{due, when};
use jiff::{SignedDuration, Timestamp};

/// The key on a seat's desk: the deadline of which it was last reminded.
const REMINDED: &str = "reminded";
/// The key on a seat's desk: deadlines that it let pass in a row.
const MISSED: &str = "missed";
/// From so many deadlines in a row on, the umpire is told.
const MISSED_TOLD: u32 = 2;

impl Office {
    /// Reminds each seat once of what is soon due.
    pub(super) fn remind(&mut self) -> Result<(), OfficeError> {
        let most = i64::from(self.config.reminder_hours);
        let now = self.clock.now();
        let within = |hours: i64| when::kept(now.checked_add(SignedDuration::from_hours(hours)).unwrap_or(now));
        if most == 0 {
            return Ok(());
        }
        for soon in self.store.due_soon(&when::kept(now), &within(most), REMINDED)? {
            let Some(game) = self.store.game(&soon.game)? else { continue };
            // A stage of a few hours needs no reminder twelve hours before its end.
            let hours = game.deadline_hours.map_or(most, |hours| most.min(i64::from(hours) / 4));
            if soon.due_at <= within(hours) {
                self.with_game(&soon.game, None, &mut |sitting| sitting.remind(&soon.seat, &soon.due_at))?;
            }
        }
        Ok(())
    }
}

impl Sitting<'_> {
    fn remind(&mut self, seat: &str, due_at: &str) -> Result<(), Trouble> {
        let id = self.id();
        self.act.set_desk(&id, seat, REMINDED, Some(due_at))?;
        let line = due::line(&self.act.dues(&id)?, seat, self.env.now);
        let notes = vec![
            format!("Due {line}"),
            "What you have sent stands.  When the time is up, your standing answers and the defaults do the rest; END \
             says that you are done.  ABSENT and two days (ABSENT 20 Dec 3 Jan) stops your time while you are away."
                .to_owned(),
        ];
        self.desk().notice(seat, "a reminder: your time is nearly up", notes)
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
            let before = self.act.desk(&id, &seat, MISSED)?.and_then(|n| n.parse::<u32>().ok()).unwrap_or(0);
            let missed = before.saturating_add(1);
            self.act.set_desk(&id, &seat, MISSED, Some(&missed.to_string()))?;
            if missed >= MISSED_TOLD {
                let note = format!(
                    "{seat} has let {missed} deadlines in a row pass without a word; standing answers and defaults play \
                     for it.  MESSAGE TO {seat} asks; EXTEND {seat} 48 gives time; HOLD stops the game."
                );
                self.desk().notice(UMPIRE, &format!("{seat} is silent"), vec![note])?;
            }
        }
        Ok(())
    }

    /// A seat has written: it is silent no more.
    pub(super) fn heard(&mut self, seat: &str) -> Result<(), Trouble> {
        if self.act.desk(&self.row.id, seat, MISSED)?.is_some() {
            self.act.set_desk(&self.row.id, seat, MISSED, None)?;
        }
        Ok(())
    }
}
