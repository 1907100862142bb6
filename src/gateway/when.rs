//! Times as the store keeps them and as letters say them, all in UTC.

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

/// A kept time as letters say it; as it is where it is none.
pub fn said_of(kept: &str) -> String {
    kept.parse::<Timestamp>().map_or_else(|_| kept.to_owned(), said)
}

/// Some hours later, as the store keeps it.
pub fn after(at: Timestamp, hours: u32) -> String {
    kept(at.checked_add(SignedDuration::from_hours(i64::from(hours))).unwrap_or(Timestamp::MAX))
}

/// A kept time some hours later.
pub fn later(kept_time: &str, hours: u32) -> String {
    kept_time.parse::<Timestamp>().map_or_else(|_| kept_time.to_owned(), |at| after(at, hours))
}

/// A kept time put off by what has passed since another.
pub fn put_off(kept_time: &str, since: &str, now: Timestamp) -> String {
    let put_off = |at: Timestamp, since: Timestamp| at.checked_add(now.duration_since(since)).ok();
    let at = kept_time.parse().ok().zip(since.parse().ok()).and_then(|(at, since)| put_off(at, since));
    at.map_or_else(|| kept_time.to_owned(), kept)
}

/// The day, for counting.
pub fn day(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d").to_string()
}

/// The hour, for counting.
pub fn hour(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H").to_string()
}
