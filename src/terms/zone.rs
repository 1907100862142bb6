//! Named time zones, and wall times in them.

use crate::text::nearest;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone};

/// The zone of that name, whatever its capitals; else what to write instead.
///
/// # Errors
/// A sentence that names the nearest zone.
pub fn zone(name: &str) -> Result<TimeZone, String> {
    let wanted = name.trim();
    if wanted.eq_ignore_ascii_case("utc") {
        return Ok(TimeZone::UTC);
    }
    let names = names();
    if let Some(found) = names.iter().find(|known| known.eq_ignore_ascii_case(wanted)) {
        return TimeZone::get(found).map_err(|why| format!("the zone {found} cannot be read: {why}."));
    }
    let city = |known: &str| known.rsplit('/').next().unwrap_or(known).to_owned();
    let by_city = names.iter().find(|known| city(known).eq_ignore_ascii_case(&wanted.replace(' ', "_")));
    let near = by_city.map(String::as_str).or_else(|| nearest(wanted, names.iter().map(String::as_str)));
    let cities: Vec<String> = names.iter().map(|known| city(known)).collect();
    let near_city = || {
        let near = nearest(wanted, cities.iter().map(String::as_str))?;
        names.iter().find(|known| city(known) == near).map(String::as_str)
    };
    Err(match near.or_else(near_city) {
        Some(near) => format!("no time zone is called \"{wanted}\"; write {near}."),
        None => format!("no time zone is called \"{wanted}\"; write one such as Europe/Paris, or UTC."),
    })
}

/// The name as the database of zones writes it.
///
/// # Errors
/// As [`zone`].
pub fn name(said: &str) -> Result<String, String> {
    zone(said).map(|zone| zone.iana_name().unwrap_or("UTC").to_owned())
}

fn names() -> Vec<String> {
    jiff::tz::db().available().map(|name| name.to_string()).collect()
}

/// The instant of a wall time; what the change to summer time leaves out is answered with the time that the clocks then
/// show, what comes twice is meant the second time, so that nobody loses an hour by it.
///
/// # Errors
/// A sentence that names the nearest time that exists.
pub fn instant(wall: DateTime, zone: &TimeZone) -> Result<Timestamp, String> {
    let ambiguous = zone.to_ambiguous_timestamp(wall);
    if let AmbiguousOffset::Gap { .. } = ambiguous.offset() {
        let after = later(wall, zone).to_zoned(zone.clone());
        return Err(format!(
            "{} does not exist in {}: the clocks are put forward over it.  Write {}.",
            wall.strftime("%-d %b %Y %H:%M"),
            zone.iana_name().unwrap_or("UTC"),
            after.strftime("%Y-%m-%d %H:%M"),
        ));
    }
    Ok(later(wall, zone))
}

/// The instant of a wall time, the later one where the clocks are changed; the calendar's end where it lies beyond.
pub fn later(wall: DateTime, zone: &TimeZone) -> Timestamp {
    zone.to_ambiguous_timestamp(wall).later().unwrap_or(Timestamp::MAX)
}
