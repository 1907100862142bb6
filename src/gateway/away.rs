//! Days on which a seat is away: its time does not run on them, and nobody need ask why.

use super::commands::Item;
use super::error::Trouble;
use super::player::Reply;
use super::sitting::Sitting;
use super::when;
use crate::store::Due;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use serde_json::json;
use std::collections::BTreeMap;

/// Where a seat's absences are kept on its desk.
const KEY: &str = "away";
/// Months as they are written, by their first three letters.
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Whole days (UTC) on which a seat is away, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Away {
    first: Date,
    last: Date,
}

impl Away {
    /// When it begins and when it is over; a day beyond the calendar is at its end.
    fn span(self) -> (Timestamp, Timestamp) {
        let start = |day: Date| day.to_zoned(TimeZone::UTC).map_or(Timestamp::MAX, |z| z.timestamp());
        (start(self.first), self.last.tomorrow().map_or(Timestamp::MAX, start))
    }

    fn days(self) -> i32 {
        self.first.until(self.last).map_or(i32::MAX, |span| span.get_days().saturating_add(1))
    }

    fn said(self) -> String {
        let day = |day: Date| day.strftime("%a %-d %b %Y").to_string();
        format!("{} to {}", day(self.first), day(self.last))
    }
}

/// The instant at which so much of a seat's time has passed, the days away left out.
pub(super) fn after(now: Timestamp, time: SignedDuration, away: &[Away]) -> Timestamp {
    let later = |at: Timestamp, by: SignedDuration| at.checked_add(by).unwrap_or(Timestamp::MAX);
    let (mut at, mut left) = (now, time);
    for (from, to) in away.iter().map(|a| a.span()).filter(|(_, to)| *to > now) {
        let until = from.duration_since(at).max(SignedDuration::ZERO);
        if until >= left {
            break;
        }
        left = left.saturating_sub(until);
        at = at.max(to);
    }
    later(at, left)
}

/// How much of a seat's time passes between two instants.
fn present(now: Timestamp, until: Timestamp, away: &[Away]) -> SignedDuration {
    let lost = away.iter().map(|a| a.span()).map(|(from, to)| to.min(until).duration_since(from.max(now)));
    let lost = lost.filter(|l| l.is_positive()).fold(SignedDuration::ZERO, SignedDuration::saturating_add);
    until.duration_since(now).saturating_sub(lost)
}

/// Absences as a desk keeps them; what is no absence is passed over.
fn read(kept: &str) -> Vec<Away> {
    let one = |text: &str| {
        let (first, last) = text.split_once('/')?;
        Some(Away { first: first.parse().ok()?, last: last.parse().ok()? })
    };
    kept.split_whitespace().filter_map(one).collect()
}

fn written(away: &[Away]) -> String {
    let one = |a: &Away| format!("{}/{}", a.first, a.last);
    away.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// What stands behind ABSENT.
enum Wish {
    List,
    Off,
    Days(Away),
}

/// Reads two days: `2026-12-20 2027-01-03`, `20 Dec to 3 Jan`, `FROM 20 Dec 2026 TO 3 Jan`; or OFF; or nothing.
fn wish(text: &str, today: Date) -> Result<Wish, String> {
    let words: Vec<String> = text.split([' ', ',']).filter(|w| !w.is_empty()).map(str::to_lowercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|w| !matches!(*w, "from" | "to" | "-")).collect();
    match words.as_slice() {
        [] => return Ok(Wish::List),
        ["off"] => return Ok(Wish::Off),
        _ => {}
    }
    let (first, rest) = day(&words, today)?;
    let (last, rest) = if rest.is_empty() { (first, rest) } else { day(rest, first)? };
    if let Some(odd) = rest.first() {
        return Err(format!("\"{odd}\" is left over: two days are meant."));
    }
    if last < first {
        return Err(format!("{last} lies before {first}."));
    }
    Ok(Wish::Days(Away { first, last }))
}

/// Reads one day off the front of some words; a year that is not written is the next in which the day is not over.
fn day<'w>(words: &'w [&'w str], not_before: Date) -> Result<(Date, &'w [&'w str]), String> {
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
        (None, None) => return Err(format!("\"{word} {second}\" is no day.")),
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

impl Sitting<'_> {
    /// The absences of a seat, in their order.
    pub(super) fn away(&self, seat: &str) -> Result<Vec<Away>, Trouble> {
        Ok(self.act.desk(&self.row.id, seat, KEY)?.map(|kept| read(&kept)).unwrap_or_default())
    }

    /// The absences of all seats that have any.
    pub(super) fn all_away(&self) -> Result<BTreeMap<String, Vec<Away>>, Trouble> {
        let mut all = BTreeMap::new();
        for seat in self.players() {
            let away = self.away(&seat.0)?;
            if !away.is_empty() {
                all.insert(seat.0, away);
            }
        }
        Ok(all)
    }

    /// Who is away now or soon, one line each: for all to read, since no piece on the map tells of it.
    pub(super) fn away_lines(&self) -> Result<Vec<String>, Trouble> {
        let now = self.env.now;
        let mut lines = Vec::new();
        for (seat, away) in self.all_away()? {
            let open = away.into_iter().filter(|a| a.span().1 > now);
            lines.extend(open.map(|a| format!("{seat} is away {}; its time does not run then.", a.said())));
        }
        Ok(lines)
    }

    /// ABSENT: lists a seat's days away, adds some, or takes back those to come.
    pub(super) fn absent(&mut self, seat: &str, item: &Item, text: &str, reply: &mut Reply) -> Result<(), Trouble> {
        let today = self.env.now.to_zoned(TimeZone::UTC).date();
        let before = self.away(seat)?;
        match wish(text, today) {
            Err(why) => reply.say(item, "UNCLEAR", &format!("{why}  Write ABSENT 20 Dec 3 Jan, or ABSENT OFF.")),
            Ok(Wish::List) => {
                let most = self.env.config.absent_days;
                let mut lines = self.away_lines()?;
                let used: i32 = before.iter().map(|a| a.days()).sum();
                lines.push(format!("You have booked {used} of {most} days in this game."));
                reply.block(item, "ABSENT", lines.into_iter().map(|l| format!("  {l}")).collect());
            }
            Ok(Wish::Off) => {
                let yesterday = today.checked_sub(1.day()).unwrap_or(today);
                let cut = |a: &Away| Away { last: a.last.min(yesterday), ..*a };
                let kept: Vec<Away> = before.iter().map(cut).filter(|a| a.first <= a.last).collect();
                self.book(seat, &before, &kept)?;
                reply.say(item, "DONE", "your time runs again from now on.");
            }
            Ok(Wish::Days(days)) => self.add_days(seat, item, (&before, days), reply)?,
        }
        Ok(())
    }

    fn add_days(
        &mut self,
        seat: &str,
        item: &Item,
        (before, days): (&[Away], Away),
        reply: &mut Reply,
    ) -> Result<(), Trouble> {
        let today = self.env.now.to_zoned(TimeZone::UTC).date();
        let most = i64::from(self.env.config.absent_days);
        let used: i64 = before.iter().map(|a| i64::from(a.days())).sum();
        let left = (most - used).max(0);
        if days.last < today {
            reply.say(item, "REFUSED", "those days are over.");
        } else if let Some(known) = before.iter().find(|a| a.first <= days.last && days.first <= a.last) {
            let why = format!("you are away {} already; ABSENT OFF takes it back.", known.said());
            reply.say(item, "REFUSED", &why);
        } else if i64::from(days.days()) > left {
            let why = format!("that is {}; you have {left} of {most} left in this game.", plural(days.days()));
            reply.say(item, "REFUSED", &why);
        } else {
            let days = Away { first: days.first.max(today), ..days };
            let mut kept = before.to_vec();
            kept.push(days);
            kept.sort();
            self.book(seat, before, &kept)?;
            let said = format!("you are away {}, {}; your time does not run then.", days.said(), plural(days.days()));
            reply.say(item, "DONE", &said);
        }
        Ok(())
    }

    /// Keeps new absences, and moves what is due so that as much of the seat's time is left as before.
    fn book(&mut self, seat: &str, before: &[Away], kept: &[Away]) -> Result<(), Trouble> {
        let id = self.id();
        let text = written(kept);
        self.act.set_desk(&id, seat, KEY, Some(text.as_str()).filter(|t| !t.is_empty()))?;
        let now = self.env.now;
        let mut dues: Vec<Due> = self.act.dues(&id)?;
        for due in dues.iter_mut().filter(|due| due.seat == seat) {
            let at = due.due_at.as_ref().and_then(|at| at.parse::<Timestamp>().ok()).filter(|at| *at > now);
            if let Some(at) = at {
                due.due_at = Some(when::kept(after(now, present(now, at, before), kept)));
            }
        }
        self.act.replace_dues(&id, &dues)?;
        self.enter("absent", &json!({"seat": seat, "days": text}))
    }
}

fn plural(days: i32) -> String {
    crate::text::plural(i64::from(days), "day", "days")
}
