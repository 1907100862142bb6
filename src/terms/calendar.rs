//! A calendar of deadlines: a zone, the days of the week on which they may fall, and holidays.

use super::Time;
use super::zone::{later, zone};
use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use serde::{Deserialize, Serialize};

/// The days of the week as they are written.
pub const WEEKDAYS: [(&str, Weekday); 7] = [
    ("Mon", Weekday::Monday),
    ("Tue", Weekday::Tuesday),
    ("Wed", Weekday::Wednesday),
    ("Thu", Weekday::Thursday),
    ("Fri", Weekday::Friday),
    ("Sat", Weekday::Saturday),
    ("Sun", Weekday::Sunday),
];
/// Days that are looked at for one on which a deadline may fall.
const DAYS_MAX: usize = 1000;

/// When deadlines may fall.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Calendar {
    /// The zone, by its name in the database of zones.
    pub zone: String,
    /// The days of the week on which a deadline may fall; all where it is empty.
    pub days: Vec<String>,
    /// Days on which none falls, first and last.
    pub holidays: Vec<(Date, Date)>,
}

/// A stretch of time that does not count.
pub type Gap = (Timestamp, Timestamp);

impl Default for Calendar {
    fn default() -> Self {
        Calendar { zone: "UTC".to_owned(), days: Vec::new(), holidays: Vec::new() }
    }
}

/// The instant at which so much time has passed since another, the gaps (in their order) left out.
pub fn after(now: Timestamp, time: SignedDuration, gaps: &[Gap]) -> Timestamp {
    let (mut at, mut left) = (now, time);
    for (from, to) in gaps.iter().filter(|(_, to)| *to > now) {
        let until = from.duration_since(at).max(SignedDuration::ZERO);
        if until >= left {
            break;
        }
        left = left.saturating_sub(until);
        at = at.max(*to);
    }
    at.checked_add(left).unwrap_or(Timestamp::MAX)
}

impl Calendar {
    /// Its zone; what was agreed is known, and UTC where an old database of zones lacks it.
    pub fn tz(&self) -> TimeZone {
        zone(&self.zone).unwrap_or(TimeZone::UTC)
    }

    /// Whether a deadline may fall on a day.
    pub fn allows(&self, day: Date) -> bool {
        let name = WEEKDAYS.iter().find(|(_, weekday)| *weekday == day.weekday()).map_or("", |(name, _)| name);
        let on_day = self.days.is_empty() || self.days.iter().any(|known| known == name);
        on_day && !self.holidays.iter().any(|(first, last)| (*first..=*last).contains(&day))
    }

    /// The first day of holidays behind which no deadline may fall for years.
    pub fn shut_from(&self) -> Option<Date> {
        let opens = |first: &Date| first.series(1.day()).take(DAYS_MAX).any(|day| self.allows(day));
        self.holidays.iter().map(|(first, _)| *first).find(|first| !opens(first))
    }

    /// When a time that begins now is up, for a seat whose own time stands still in some gaps; none for never.
    pub fn due(&self, now: Timestamp, time: &Time, gaps: &[Gap]) -> Option<Timestamp> {
        let hours = |hours: u32| SignedDuration::from_hours(i64::from(hours));
        match time {
            Time::Hours(n) => Some(self.snapped(after(now, hours(*n), gaps), time, gaps)),
            Time::Evening { least, .. } => Some(self.snapped(after(now, hours(*least), gaps), time, gaps)),
            Time::Never => None,
        }
    }

    /// The first instant, not before another, at which such a deadline may fall: on a day of the calendar, at its hour
    /// if it has one, and not while the seat is away.
    pub fn snapped(&self, at: Timestamp, time: &Time, gaps: &[Gap]) -> Timestamp {
        let zone = self.tz();
        let first = at.to_zoned(zone.clone());
        let wall = match time {
            Time::Evening { hour, minute, .. } => jiff::civil::time(*hour, *minute, 0, 0),
            Time::Hours(_) | Time::Never => first.time(),
        };
        let fits = |found: &Timestamp| *found >= at && !gaps.iter().any(|(from, to)| from <= found && found < to);
        // Where the clocks are put back, the same wall time may be the instant itself, an hour before its second coming.
        if !matches!(time, Time::Evening { .. }) && self.allows(first.date()) && fits(&at) {
            return at;
        }
        let mut day = first.date();
        for _ in 0..DAYS_MAX {
            let found = later(day.to_datetime(wall), &zone);
            if self.allows(day) && fits(&found) {
                return found;
            }
            let Ok(next) = day.tomorrow() else { break };
            day = next;
        }
        at
    }

    /// The calendar in sentences.
    pub fn said(&self) -> Vec<String> {
        let mut said = Vec::new();
        if !self.days.is_empty() {
            said.push(format!("Deadlines fall on {} only.", crate::text::and_list(&self.days)));
        }
        if !self.holidays.is_empty() {
            let one = |(first, last): &(Date, Date)| match first == last {
                true => first.strftime("%-d %b %Y").to_string(),
                false => format!("{} to {}", first.strftime("%-d %b %Y"), last.strftime("%-d %b %Y")),
            };
            let list: Vec<String> = self.holidays.iter().map(one).collect();
            said.push(format!("No deadline falls on {}.", crate::text::and_list(&list)));
        }
        said
    }
}
