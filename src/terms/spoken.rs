//! Days and times as people write them.

use super::zone;
use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time as Clock};
use jiff::tz::TimeZone;

/// Months as they are written, by their first three letters.
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Reads one day off the front of some words, in small letters; a year that is not written is the next in which the day
/// is not over.
///
/// # Errors
/// What is wrong with it, as a sentence.
pub fn day<'w>(words: &'w [&'w str], not_before: Date) -> Result<(Date, &'w [&'w str]), String> {
    let Some(word) = words.first() else { return Err("a day is missing.".to_owned()) };
    if word.contains('-') {
        let day = word.parse::<Date>().map_err(|_| format!("there is no day \"{word}\"."))?;
        return Ok((day, words.get(1..).unwrap_or_default()));
    }
    let second = words.get(1).copied().unwrap_or_default();
    let month_of = |w: &str| MONTHS.iter().position(|m| w.len() >= 3 && w.starts_with(m)).map(|m| m + 1);
    let (number, month) = match (month_of(word), month_of(second)) {
        (Some(month), _) => (second, month),
        (None, Some(month)) => (*word, month),
        (None, None) => return Err(format!("\"{}\" is no day.", [*word, second].join(" ").trim_end())),
    };
    let number: i8 = number.trim_end_matches('.').parse().map_err(|_| format!("\"{number}\" is no day of a month."))?;
    let month = i8::try_from(month).unwrap_or(1);
    let written = words.get(2).and_then(|y| y.parse::<i16>().ok()).filter(|y| *y >= 1000);
    let rest = words.get(if written.is_some() { 3 } else { 2 }..).unwrap_or_default();
    let in_year = |year: i16| Date::new(year, month, number).ok();
    let found = match written {
        Some(year) => in_year(year),
        // The 29th of February may be years away.
        None => (0..8).filter_map(|n| in_year(not_before.year().saturating_add(n))).find(|d| *d >= not_before),
    };
    found.map(|d| (d, rest)).ok_or_else(|| format!("there is no day {number} in that month."))
}

/// Reads an hour: `20:00`, `20h`, `8pm` is not known.
///
/// # Errors
/// What to write instead.
pub fn hour(word: &str) -> Result<Clock, String> {
    let wrong = || format!("\"{word}\" is no time of day; write it as 20:00.");
    let (hour, minute) = word.split_once(':').or_else(|| word.split_once('h')).unwrap_or((word, "0"));
    let hour: i8 = hour.parse().map_err(|_| wrong())?;
    let minute: i8 = if minute.is_empty() { 0 } else { minute.parse().map_err(|_| wrong())? };
    Clock::new(hour, minute, 0, 0).map_err(|_| wrong())
}

/// Reads an instant: `2026-03-29 20:00`, `29 Mar 20:00`, and a zone behind it if another than the given one is meant.
///
/// # Errors
/// What is wrong with it, with the nearest form that is right.
pub fn instant(text: &str, now: Timestamp, own: &TimeZone) -> Result<Timestamp, String> {
    let small = text.to_lowercase();
    let words: Vec<&str> = small.split_whitespace().collect();
    let zone_word = text.split_whitespace().next_back().filter(|w| w.contains('/') || w.eq_ignore_ascii_case("utc"));
    let zone = zone_word.map_or_else(|| Ok(own.clone()), zone::zone)?;
    let words = words.get(..words.len() - usize::from(zone_word.is_some())).unwrap_or_default();
    let today = now.to_zoned(zone.clone()).date();
    let (date, rest) = day(words, today)?;
    let [time] = rest else {
        return Err(match rest.get(1) {
            Some(odd) => format!("\"{odd}\" is left over; write a day and an hour, such as 29 Mar 20:00."),
            None => "the hour is missing; write a day and an hour, such as 29 Mar 20:00.".to_owned(),
        });
    };
    let at = zone::instant(DateTime::from_parts(date, hour(time)?), &zone)?;
    if at <= now {
        return Err(format!("{} is over.", DateTime::from_parts(date, hour(time)?).strftime("%-d %b %Y %H:%M")));
    }
    Ok(at)
}
