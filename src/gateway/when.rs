//! Times as the store keeps them, in UTC, and as letters say them, in the game's zone.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// As the store keeps it: whole seconds.
pub fn kept(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// As letters say it: `Sun 23 Nov 20:00 UTC`.
pub fn said(at: Timestamp) -> String {
    at.to_zoned(TimeZone::UTC).strftime("%a %-d %b %H:%M UTC").to_string()
}

/// As letters say it in a zone: `Sun 23 Nov 20:00 CET`.
pub fn said_in(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned(zone.clone()).strftime("%a %-d %b %H:%M %Z").to_string()
}

/// A kept time as a subject says it: `Sat 20:00`; beyond six days `28 Nov`. None where it is no time.
pub fn soon_in(kept: &str, now: Timestamp, zone: &TimeZone) -> Option<String> {
    let at = kept.parse::<Timestamp>().ok()?;
    let near = at.duration_since(now) < SignedDuration::from_hours(6 * 24);
    let form = if near { "%a %H:%M" } else { "%-d %b" };
    Some(at.to_zoned(zone.clone()).strftime(form).to_string())
}

/// A kept time as letters say it in a zone; as it is where it is none.
pub fn said_of_in(kept: &str, zone: &TimeZone) -> String {
    kept.parse::<Timestamp>().map_or_else(|_| kept.to_owned(), |at| said_in(at, zone))
}

/// A kept time as letters say it; as it is where it is none.
pub fn said_of(kept: &str) -> String {
    kept.parse::<Timestamp>().map_or_else(|_| kept.to_owned(), said)
}

/// Some hours later, as the store keeps it.
pub fn after(at: Timestamp, hours: u32) -> String {
    kept(at.checked_add(SignedDuration::from_hours(i64::from(hours))).unwrap_or(Timestamp::MAX))
}

/// The day, for counting.
pub fn day(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d").to_string()
}

/// The hour, for counting.
pub fn hour(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H").to_string()
}
