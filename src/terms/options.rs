//! A game's options: a YAML file, read strictly, every flaw with its line and the nearest form that is right.

use super::calendar::{Calendar, WEEKDAYS};
use super::{Beacon, HOURS_MAX, Late, Observers, RECALL_MAX, Terms, Time, spoken, zone};
use crate::address::Address;
use crate::text::nearest;
use crate::yaml::{self, At, Flaw};
use jiff::civil::Date;
use serde::Deserialize;
use std::collections::BTreeMap;

/// How long a notice is ahead of its round where nothing is said, and at least.
const WAIT_SECONDS: u32 = 3600;
const WAIT_SECONDS_MIN: u32 = 600;

/// Kinds of stage that have a word of their own; a sheet's letter is one too.
const KINDS: [&str; 3] = ["signon", "question", "secret"];

/// The days of the week in full, for the nearest of a word.
const WEEK: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    zone: Option<At<String>>,
    deadline: Option<At<String>>,
    #[serde(default)]
    stages: BTreeMap<String, At<String>>,
    #[serde(default)]
    days: Vec<At<String>>,
    #[serde(default)]
    holidays: Vec<At<String>>,
    grace: Option<At<String>>,
    recall: Option<At<String>>,
    reminder: Option<At<String>>,
    absence: Option<Absence>,
    late: Option<At<String>>,
    brake: Option<At<u32>>,
    #[serde(default)]
    open: bool,
    #[serde(default)]
    invited: Vec<At<String>>,
    punctual: Option<At<u8>>,
    observers: Option<At<String>>,
    beacon: Option<At<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Absence {
    days: Option<u16>,
    periods: Option<u16>,
}

/// Reads the options of a game.
///
/// # Errors
/// The first flaw: file, line, what is wrong, what to write.
pub fn read(file: &str, text: &str) -> Result<Terms, Flaw> {
    let options: Options = yaml::read(file, text)?;
    let flaw = |at: &At<String>, why: String| {
        let (what, cure) = why.split_once("; ").map_or((why.as_str(), "Correct it."), |(what, cure)| (what, cure));
        Flaw::at(file, at, capital(what, '.'), capital(cure, '.'))
    };
    let told = |at: &At<String>, read: &dyn Fn(&str) -> Result<Time, String>| read(&at.value).map_err(|w| flaw(at, w));
    let calendar = calendar(&options, &flaw)?;
    let deadline = options.deadline.as_ref().map(|at| told(at, &time)).transpose()?;
    let mut stages = BTreeMap::new();
    for (kind, at) in &options.stages {
        let small = kind.to_lowercase();
        if !KINDS.contains(&small.as_str()) && small.chars().count() != 1 {
            let near = nearest(&small, KINDS).unwrap_or("question");
            return Err(flaw(at, format!("\"{kind}\" is no kind of stage; write {near}, or the letter of a sheet")));
        }
        stages.insert(small, told(at, &time)?);
    }
    let span = |at: &Option<At<String>>| at.as_ref().map(|at| hours(&at.value).map_err(|w| flaw(at, w))).transpose();
    let (grace, reminder) = (span(&options.grace)?, span(&options.reminder)?);
    let recall = options.recall.as_ref().map(|at| minutes(&at.value).map_err(|why| flaw(at, why))).transpose()?;
    let late = options.late.as_ref().map(|at| late(&at.value).map_err(|why| flaw(at, why))).transpose()?;
    let observers = options.observers.as_ref().map(|at| observers(&at.value).map_err(|w| flaw(at, w))).transpose()?;
    let beacon = options.beacon.as_ref().map(|at| beacon(&at.value).map_err(|why| flaw(at, why))).transpose()?;
    if let Some(brake) = options.brake.as_ref().filter(|brake| brake.value == 0) {
        return Err(Flaw::at(file, brake, "A brake of 0 would stop the game at once.", "Write 1 or more."));
    }
    if let Some(most) = options.punctual.as_ref().filter(|most| most.value > 100) {
        return Err(Flaw::at(file, most, "Nobody keeps more than all deadlines.", "Write 0 to 100."));
    }
    for address in &options.invited {
        Address::parse(&address.value).map_err(|why| flaw(address, why.to_string()))?;
    }
    Ok(Terms {
        calendar,
        deadline,
        stages,
        grace: grace.unwrap_or(0),
        recall: recall.flatten(),
        reminder,
        absence_days: options.absence.as_ref().and_then(|absence| absence.days),
        absence_periods: options.absence.as_ref().and_then(|absence| absence.periods),
        late: late.unwrap_or_default(),
        brake: options.brake.map(|at| at.value),
        open: options.open,
        invited: options.invited.into_iter().map(|at| at.value.to_lowercase()).collect(),
        punctual: options.punctual.map(|at| at.value),
        observers: observers.unwrap_or_default(),
        beacon,
    })
}

fn calendar(options: &Options, flaw: &dyn Fn(&At<String>, String) -> Flaw) -> Result<Calendar, Flaw> {
    let mut calendar = Calendar::default();
    if let Some(at) = &options.zone {
        calendar.zone = zone::name(&at.value).map_err(|why| flaw(at, why))?;
    }
    for at in &options.days {
        let names = || WEEKDAYS.iter().map(|(name, _)| *name);
        let small = at.value.to_lowercase();
        let found = names().find(|name| small.len() >= 3 && small.starts_with(&name.to_lowercase()));
        let Some(found) = found else {
            let near = nearest(&at.value, WEEK).and_then(|near| near.get(..3)).unwrap_or("Mon");
            return Err(flaw(at, format!("\"{}\" is no day of the week; write {near}", at.value)));
        };
        calendar.days.push(found.to_owned());
    }
    for at in &options.holidays {
        calendar.holidays.push(days(&at.value).map_err(|why| flaw(at, why))?);
        if let Some(first) = calendar.shut_from() {
            let why = format!("from {first} on no day is left for a deadline; write shorter holidays or more days");
            return Err(flaw(at, why));
        }
    }
    Ok(calendar)
}

/// Reads `2026-12-24 to 2027-01-02`, or one day.
fn days(text: &str) -> Result<(Date, Date), String> {
    let small = text.to_lowercase();
    let words: Vec<&str> = small.split_whitespace().filter(|word| *word != "to").collect();
    if !words.iter().all(|word| word.contains('-')) {
        return Err(format!("\"{text}\" has no year; write it as 2026-12-24 to 2027-01-02"));
    }
    let wrong = |why: String| format!("{}; write it as 2026-12-24 to 2027-01-02", why.trim_end_matches('.'));
    let (first, rest) = spoken::day(&words, Date::MIN).map_err(wrong)?;
    let (last, rest) = if rest.is_empty() { (first, rest) } else { spoken::day(rest, Date::MIN).map_err(wrong)? };
    match rest.first() {
        Some(odd) => Err(format!("\"{odd}\" is left over; write it as 2026-12-24 to 2027-01-02")),
        None if last < first => Err(format!("{last} lies before {first}; write the earlier day first")),
        None => Ok((first, last)),
    }
}

/// Reads `48h`, `2 days`, `none`, `evening 20:00` or `evening 20:00 least 24h`.
pub(super) fn time(text: &str) -> Result<Time, String> {
    let small = text.to_lowercase().replace(',', " ");
    let words: Vec<&str> = small.split_whitespace().filter(|word| !matches!(*word, "next" | "at")).collect();
    match words.as_slice() {
        ["none" | "never"] => Ok(Time::Never),
        ["evening", at, rest @ ..] => {
            let clock = spoken::hour(at)?;
            let least = match rest {
                [] => 12,
                ["least", span @ ..] => hours(&span.join(" "))?,
                [odd, ..] => return Err(format!("\"{odd}\" is left over; write evening 20:00 least 24h")),
            };
            Ok(Time::Evening { hour: clock.hour(), minute: clock.minute(), least })
        }
        _ => hours(&small).map(Time::Hours),
    }
}

/// Reads `48h`, `48`, `2d`, `2 days`.
fn hours(text: &str) -> Result<u32, String> {
    let small = text.trim().to_lowercase();
    let digits: String = small.chars().take_while(char::is_ascii_digit).collect();
    let unit = small.get(digits.len()..).unwrap_or_default().trim();
    let wrong = || format!("\"{text}\" is no time; write 48h, 2 days, none, or evening 20:00 least 24h");
    let number: u32 = digits.parse().map_err(|_| wrong())?;
    let hours = match unit {
        "" | "h" | "hour" | "hours" => Some(number),
        "d" | "day" | "days" => number.checked_mul(24),
        "m" | "min" | "minute" | "minutes" => {
            let hours = number.div_ceil(60).max(1);
            return Err(format!("\"{text}\" is in minutes, and this time counts in whole hours; write {hours}h"));
        }
        _ => return Err(wrong()),
    };
    match hours {
        Some(hours @ 0..=HOURS_MAX) => Ok(hours),
        _ => Err(format!("{text} is more than a year; write at most {HOURS_MAX}h")),
    }
}

/// Reads `10m`, `10 min`, `1h`, `none`: for how long END can be taken back.
fn minutes(text: &str) -> Result<Option<u32>, String> {
    let small = text.trim().to_lowercase();
    if small == "none" {
        return Ok(None);
    }
    let digits: String = small.chars().take_while(char::is_ascii_digit).collect();
    let unit = small.get(digits.len()..).unwrap_or_default().trim();
    let wrong = || format!("\"{text}\" is no time for which END can be taken back; write 10m, 1h, or none");
    let number: u32 = digits.parse().map_err(|_| wrong())?;
    let minutes = match unit {
        "m" | "min" | "minute" | "minutes" => Some(number),
        "h" | "hour" | "hours" => number.checked_mul(60),
        _ => return Err(wrong()),
    };
    match minutes {
        Some(0) => Ok(None),
        Some(minutes @ 1..=RECALL_MAX) => Ok(Some(minutes)),
        _ => Err(format!("{text} is more than a day; write at most {}h", RECALL_MAX / 60)),
    }
}

fn late(text: &str) -> Result<Late, String> {
    const WORDS: [(&str, Late); 6] = [
        ("doctrine", Late::Doctrine),
        ("defaults", Late::Doctrine),
        ("stand-in", Late::StandIn),
        ("bot", Late::Bot),
        ("wait", Late::Wait),
        ("umpire", Late::Umpire),
    ];
    word(text, &WORDS, "is no policy for missing orders")
}

/// Reads `none`, `public`, or `all after 14 days`.
fn observers(text: &str) -> Result<Observers, String> {
    let small = text.to_lowercase();
    if let Some(span) = small.strip_prefix("all after ") {
        let days = hours(span)?.div_ceil(24);
        return u16::try_from(days)
            .ok()
            .filter(|days| *days > 0)
            .map(Observers::AllAfter)
            .ok_or_else(|| format!("\"{text}\" would show them all at once; write all after 14 days"));
    }
    if small == "all" {
        return Err("observers who see all see it later; write all after 14 days".to_owned());
    }
    word(text, &[("none", Observers::None), ("public", Observers::Public)], "says nothing of observers")
}

/// Reads `none`, `quicknet`, `quicknet 2h`, `quicknet 30m`, or `value` and what will be announced.
fn beacon(text: &str) -> Result<Beacon, String> {
    let (kind, rest) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    let wrong = || format!("\"{text}\" is no beacon; write none, quicknet 1h, or value and what will be announced");
    match (kind.to_lowercase().as_str(), rest.trim()) {
        ("none", "") => Ok(Beacon::None),
        ("quicknet", "") => Ok(Beacon::Quicknet(WAIT_SECONDS)),
        ("quicknet", wait) => {
            let seconds = match wait.strip_suffix('m').map(|minutes| minutes.trim().parse::<u32>()) {
                Some(minutes) => minutes.map_err(|_| wrong())?.checked_mul(60),
                None => hours(wait).map_err(|_| wrong())?.checked_mul(3600),
            };
            match seconds {
                Some(seconds) if seconds >= WAIT_SECONDS_MIN => Ok(Beacon::Quicknet(seconds)),
                _ => Err(format!(
                    "{wait} is too short: all must have the notice before the round; write quicknet 10m or more"
                )),
            }
        }
        ("value", what) if !what.is_empty() && what.chars().count() <= 200 && !what.contains(char::is_control) => {
            Ok(Beacon::Value(what.to_owned()))
        }
        _ => Err(wrong()),
    }
}

fn word<T: Copy>(text: &str, words: &[(&str, T)], why: &str) -> Result<T, String> {
    let small = text.trim().to_lowercase();
    words.iter().find(|(word, _)| *word == small).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let near = nearest(&small, names.iter().copied()).map(|near| format!("{near}: ")).unwrap_or_default();
        format!("\"{text}\" {why}; write {near}one of {}", names.join(", "))
    })
}

fn capital(text: &str, end: char) -> String {
    format!("{}{end}", crate::text::capital(text.trim().trim_end_matches(end)))
}
