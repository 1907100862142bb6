//! Days on which a seat is away: its time does not run on them, and nobody need ask why.

use super::commands::Item;
use super::error::Trouble;
use super::player::Reply;
use super::sitting::Sitting;
use super::transfer::{How, Transfer};
use super::when;
use crate::store::Due;
use crate::terms::calendar::{self, Gap};
use crate::terms::spoken;
use crate::terms::zone::later;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use serde_json::json;
use std::collections::BTreeMap;

/// Where a seat's absences are kept on its desk.
pub(super) const KEY: &str = "away";
/// Absences that a seat may have booked at once, where the game does not say.
const PERIODS_MAX: u16 = 10;

/// Whole days, by the game's zone, on which a seat is away, both included.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Away {
    first: Date,
    last: Date,
    /// Who writes for it meanwhile: its time runs on then.
    pub(super) stand_in: Option<String>,
}

impl Away {
    /// When it begins and when it is over; a day beyond the calendar is at its end.
    pub(super) fn span(&self, zone: &TimeZone) -> Gap {
        let start = |day: Date| later(day.to_datetime(jiff::civil::Time::midnight()), zone);
        (start(self.first), self.last.tomorrow().map_or(Timestamp::MAX, start))
    }

    fn days(&self) -> i32 {
        self.first.until(self.last).map_or(i32::MAX, |span| span.get_days().saturating_add(1))
    }

    fn said(&self) -> String {
        let day = |day: Date| day.strftime("%a %-d %b %Y").to_string();
        format!("{} to {}", day(self.first), day(self.last))
    }
}

/// The stretches in which a seat's time stands still.
fn gaps_of(away: &[Away], zone: &TimeZone) -> Vec<Gap> {
    away.iter().filter(|a| a.stand_in.is_none()).map(|a| a.span(zone)).collect()
}

/// The stretches in which a seat's time stands still, by its absences as a chain keeps them.
pub(crate) fn gaps(days: &str, zone: &TimeZone) -> Vec<Gap> {
    gaps_of(&read(days), zone)
}

/// When a seat's absences begin and end, with a stand-in or without, as a desk keeps them.
pub(super) fn spans(kept: &str, zone: &TimeZone) -> Vec<Gap> {
    read(kept).iter().map(|away| away.span(zone)).collect()
}

/// When something is due whose seat's absences change: as much of its time is left then as before.
pub(crate) fn moved(now: Timestamp, at: Timestamp, before: &[Gap], after: &[Gap]) -> Timestamp {
    calendar::after(now, present(now, at, before), after)
}

/// How much of a seat's time passes between two instants.
fn present(now: Timestamp, until: Timestamp, gaps: &[Gap]) -> SignedDuration {
    let lost = gaps.iter().map(|(from, to)| (*to).min(until).duration_since((*from).max(now)));
    let lost = lost.filter(|l| l.is_positive()).fold(SignedDuration::ZERO, SignedDuration::saturating_add);
    until.duration_since(now).saturating_sub(lost)
}

/// Absences as a desk keeps them; what is no absence is passed over.
fn read(kept: &str) -> Vec<Away> {
    let one = |text: &str| {
        let mut parts = text.splitn(3, '/');
        let (first, last) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        Some(Away { first, last, stand_in: parts.next().map(str::to_owned) })
    };
    kept.split_whitespace().filter_map(one).collect()
}

fn written(away: &[Away]) -> String {
    let one = |a: &Away| {
        let by = a.stand_in.as_ref().map_or_else(String::new, |by| format!("/{by}"));
        format!("{}/{}{by}", a.first, a.last)
    };
    away.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// What stands behind ABSENT.
enum Wish {
    List,
    Off,
    Days(Away),
}

/// Reads two days: `2026-12-20 2027-01-03`, `20 Dec to 3 Jan`, `FROM 20 Dec 2026 TO 3 Jan`, `20 Dec 3 Jan STANDIN
/// grouchy@example.org`; or OFF; or nothing.
fn wish(text: &str, today: Date) -> Result<Wish, String> {
    let words: Vec<String> = text.split([' ', ',']).filter(|w| !w.is_empty()).map(str::to_lowercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|w| !matches!(*w, "from" | "to" | "-")).collect();
    let (words, stand_in) = match words.iter().position(|w| matches!(*w, "standin" | "stand-in")) {
        None => (words, None),
        Some(at) => {
            if let Some(odd) = words.get(at + 2) {
                return Err(format!("\"{odd}\" is left over: the stand-in's address ends the line."));
            }
            let named = words.get(at + 1).map(|w| (*w).to_owned());
            let Some(named) = named.filter(|w| w.contains('@')) else {
                return Err("the stand-in's address is missing, such as STANDIN grouchy@example.org.".to_owned());
            };
            (words.get(..at).unwrap_or_default().to_vec(), Some(named))
        }
    };
    match words.as_slice() {
        [] => return Ok(Wish::List),
        ["off"] => return Ok(Wish::Off),
        _ => {}
    }
    let (first, rest) = spoken::day(&words, today)?;
    let (last, rest) = if rest.is_empty() { (first, rest) } else { spoken::day(rest, first)? };
    if let Some(odd) = rest.first() {
        return Err(format!("\"{odd}\" is left over: two days are meant."));
    }
    if last < first {
        return Err(format!("{last} lies before {first}."));
    }
    Ok(Wish::Days(Away { first, last, stand_in }))
}

/// The absences of a seat, as a chain keeps them, once a line has changed them on a day; none where the line changes none, or
/// somebody must agree to it first.
pub(crate) fn booked(before: &str, line: &str, today: Date) -> Option<String> {
    let before = read(before);
    let kept = match wish(line, today).ok()? {
        Wish::Off => ended(&before, today),
        Wish::Days(days) if days.stand_in.is_none() => with(&before, from(days, today)),
        Wish::Days(_) | Wish::List => return None,
    };
    Some(written(&kept))
}

/// Days as they are booked: from today on.
fn from(days: Away, today: Date) -> Away {
    Away { first: days.first.max(today), ..days }
}

/// Absences with one more, in their order.
fn with(before: &[Away], days: Away) -> Vec<Away> {
    let mut kept = before.to_vec();
    kept.push(days);
    kept.sort();
    kept
}

/// What is left of absences that are taken back on a day: what is over.
fn ended(before: &[Away], today: Date) -> Vec<Away> {
    let yesterday = today.checked_sub(1.day()).unwrap_or(today);
    let cut = |a: &Away| Away { last: a.last.min(yesterday), ..a.clone() };
    before.iter().map(cut).filter(|a| a.first <= a.last).collect()
}

impl Sitting<'_> {
    /// The absences of a seat, in their order.
    pub(super) fn away(&self, seat: &str) -> Result<Vec<Away>, Trouble> {
        Ok(self.act.desk(&self.row.id, seat, KEY)?.map(|kept| read(&kept)).unwrap_or_default())
    }

    /// When the time of each seat that is ever away stands still.
    pub(super) fn all_gaps(&self) -> Result<BTreeMap<String, Vec<Gap>>, Trouble> {
        let zone = self.zone()?;
        let mut all = BTreeMap::new();
        for seat in self.players() {
            let gaps = gaps_of(&self.away(&seat.0)?, &zone);
            if !gaps.is_empty() {
                all.insert(seat.0, gaps);
            }
        }
        Ok(all)
    }

    /// Who is away now or soon, one line each: for all to read, since no piece on the map tells of it.
    pub(super) fn away_lines(&self) -> Result<Vec<String>, Trouble> {
        let (now, zone) = (self.env.now, self.zone()?);
        let mut lines = Vec::new();
        for seat in self.players() {
            let open = self.away(&seat.0)?.into_iter().filter(|a| a.span(&zone).1 > now);
            lines.extend(open.map(|a| match a.stand_in {
                None => format!("{seat} is away {}; its time does not run then.", a.said()),
                Some(_) => format!("{seat} is away {}; a stand-in writes for it.", a.said()),
            }));
        }
        Ok(lines)
    }

    /// ABSENT: lists a seat's days away, adds some, or takes back those to come.
    pub(super) fn absent(&mut self, seat: &str, item: &Item, text: &str, reply: &mut Reply) -> Result<(), Trouble> {
        let today = self.today()?;
        let before = self.away(seat)?;
        match wish(text, today) {
            Err(why) => reply.say(item, "UNCLEAR", &format!("{why}  Write ABSENT 20 Dec 3 Jan, or ABSENT OFF.")),
            Ok(Wish::List) => {
                let (most, _) = self.absence_limits()?;
                let mut lines = self.away_lines()?;
                let used: i32 = before.iter().map(|a| a.days()).sum();
                lines.push(format!("You have booked {used} of {most} days in this game."));
                reply.block(item, "ABSENT", lines.into_iter().map(|l| format!("  {l}")).collect::<Vec<String>>());
            }
            Ok(_) if self.stands_in(seat)? => reply.say(item, "REFUSED", super::transfer::OWNER_ONLY),
            Ok(Wish::Off) => {
                self.book(seat, &before, &ended(&before, today))?;
                reply.say(item, "DONE", "your time runs again from now on.");
            }
            Ok(Wish::Days(days)) => self.add_days(seat, item, (&before, days), reply)?,
        }
        Ok(())
    }

    /// Books days; with a stand-in, once the seat has shown that it wants them and he is willing.
    fn add_days(
        &mut self,
        seat: &str,
        item: &Item,
        (before, days): (&[Away], Away),
        reply: &mut Reply,
    ) -> Result<(), Trouble> {
        let days = match self.bookable(before, days)? {
            Ok(days) => days,
            Err(why) => {
                reply.say(item, "REFUSED", &why);
                return Ok(());
            }
        };
        if let Some(by) = &days.stand_in {
            if let Some(why) = self.no_stand_in(seat, by)? {
                reply.say(item, "REFUSED", &why);
                return Ok(());
            }
            let how = How::Away(written(std::slice::from_ref(&days)));
            return self.ask_owner(seat, item, Transfer::To { who: by.clone(), how }, "", reply);
        }
        let said = format!("you are away {}, {}; your time does not run then.", days.said(), plural(days.days()));
        self.book_more(seat, before, days)?;
        reply.say(item, "DONE", &said);
        Ok(())
    }

    /// The days as they can be booked, from today on; or why they cannot.
    fn bookable(&self, before: &[Away], days: Away) -> Result<Result<Away, String>, Trouble> {
        let today = self.today()?;
        let (most, periods) = self.absence_limits()?;
        let most = i64::from(most);
        let open = before.iter().filter(|a| a.last >= today).count();
        let used: i64 = before.iter().map(|a| i64::from(a.days())).sum();
        let left = (most - used).max(0);
        Ok(if days.last < today {
            Err("those days are over.".to_owned())
        } else if let Some(known) = before.iter().find(|a| a.first <= days.last && days.first <= a.last) {
            Err(format!("you are away {} already; ABSENT OFF takes it back.", known.said()))
        } else if i64::from(days.days()) > left {
            Err(format!("that is {}; you have {left} of {most} left in this game.", plural(days.days())))
        } else if open >= usize::from(periods) {
            let booked = crate::text::plural(i64::from(periods), "absence", "absences");
            Err(format!("you have {booked} booked, and no more may be open at once; ABSENT OFF takes them back."))
        } else {
            Ok(from(days, today))
        })
    }

    fn book_more(&mut self, seat: &str, before: &[Away], days: Away) -> Result<(), Trouble> {
        self.book(seat, before, &with(before, days))
    }

    /// He is willing to write for a seat on some days; or why it cannot be any more.
    pub(super) fn away_with(&mut self, seat: &str, by: &str, days: &str) -> Result<Option<String>, Trouble> {
        let before = self.away(seat)?;
        let Some(days) = read(days).into_iter().next() else { return Ok(Some("those days are over.".to_owned())) };
        let days = match self.bookable(&before, days)? {
            Ok(days) => days,
            Err(why) => {
                let note = format!("{by} agreed to stand in for you, but nothing was done: {why}");
                self.notice_owner(seat, "your days away", vec![note])?;
                return Ok(Some("those days cannot be booked any more.".to_owned()));
            }
        };
        let said = days.said();
        self.book_more(seat, &before, days)?;
        let note = format!(
            "You are away {said}; {by} has agreed, gets your mail then, and his orders count.  Your time runs on.  Any \
             mail that you write ends it."
        );
        self.notice_owner(seat, "your days away", vec![note])?;
        let note = format!("You stand in for the seat {seat} of the game {}, {said}.  A mail comes then.", self.row.id);
        self.tell_address(by, "You stand in", &[note])?;
        Ok(None)
    }

    /// Keeps new absences, and moves what is due so that as much of the seat's time is left as before.
    fn book(&mut self, seat: &str, before: &[Away], kept: &[Away]) -> Result<(), Trouble> {
        let (id, zone) = (self.id(), self.zone()?);
        let text = written(kept);
        self.act.set_desk(&id, seat, KEY, Some(text.as_str()).filter(|t| !t.is_empty()))?;
        if kept.iter().any(|a| a.stand_in.is_some()) {
            self.act.set_note(&id, super::hands::STAND_INS, Some("yes"))?;
        }
        self.enter("absent", &json!({"seat": seat, "days": text}))?;
        let now = self.game_time()?;
        let (before, after) = (gaps_of(before, &zone), gaps_of(kept, &zone));
        let own = |due: &Due| due.seat == seat && due.due_at.as_ref().is_some_and(|at| *at > when::kept(now));
        let moved = |at: Timestamp| moved(now, at, &before, &after);
        if before == after {
            return Ok(());
        }
        self.move_dues(&own, &moved, &super::due::is_away(seat, &text))
    }

    /// The day of the game's zone.
    fn today(&self) -> Result<Date, Trouble> {
        Ok(self.env.now.to_zoned(self.zone()?).date())
    }

    /// Days that a seat may be away in all, and absences that it may have booked at once.
    fn absence_limits(&self) -> Result<(u16, u16), Trouble> {
        let terms = self.terms()?;
        let days = terms.absence_days.unwrap_or(self.env.config.absent_days);
        Ok((days, terms.absence_periods.unwrap_or(PERIODS_MAX)))
    }
}

fn plural(days: i32) -> String {
    crate::text::plural(i64::from(days), "day", "days")
}
