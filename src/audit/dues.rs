//! What the chain says of deadlines: what is due was asked for before it is done, and has the time of the game's terms; what
//! is put off is put off by something in the chain, and by as much.

use super::GameLine;
use super::chain::text;
use super::entries::{Read, written_at};
use super::verify::Findings;
use crate::gateway::{away, due, is_umpire, when};
use crate::orders::fold;
use crate::terms::calendar::Gap;
use crate::terms::{Terms, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use std::collections::BTreeMap;

/// What is open: since which entry it has its time, and which.
type Open<'c> = BTreeMap<(&'c str, &'c str), (usize, Option<&'c str>)>;

/// Each deadline of a chain.
pub(super) fn dues_in_chain(game: &GameLine, chain: &[Read<'_>], found: &mut Findings) {
    let mut open = Open::new();
    let mut clock = Clock::of(chain);
    // An umpire has said that play goes on without those who are late.
    let mut proceeds = false;
    for (at, entry) in chain.iter().enumerate() {
        for (seat, address) in clock.left_alone(chain, at, &open) {
            found.faults.push(format!("entry {}: {address} of {seat} was not put off by it", entry.seq));
        }
        clock.look(at, entry);
        proceeds = match entry.kind {
            "post.proceed" => true,
            _ if entry.came_in() => false,
            _ => proceeds,
        };
        if entry.kind == "input" && text(&entry.body, "kind") == "deadline" && !proceeds && clock.is_early(at, &open) {
            found.faults.push(format!("entry {}: play went on without orders, and nobody's time was up", entry.seq));
        }
        if entry.kind != "post.due" {
            continue;
        }
        let (seq, body) = (entry.seq, &entry.body);
        let of = (text(body, "seat"), text(body, "address"));
        let mut fault = |why: &str| found.faults.push(format!("entry {seq}: {} of {} {why}", of.1, of.0));
        if !game.seats.iter().any(|seat| seat == of.0) && !is_umpire(of.0) {
            fault("is due from no seat of the game");
        }
        if let Some(done) = body.get("done") {
            let fields = body.as_object().map_or(0, serde_json::Map::len);
            if open.remove(&of).is_none() || done != &Value::Bool(true) || fields != 3 {
                fault("is done, and was never due");
            }
            continue;
        }
        if ["at", "was", "why"].iter().any(|field| body.get(field).is_none()) {
            fault("does not say when it is due, when it was, and why");
        }
        let was = open.insert(of, (at, body.get("at").and_then(Value::as_str))).and_then(|(_, was)| was);
        if was != body.get("was").and_then(Value::as_str) {
            fault("was due at another time before");
        }
        if let Some(why) = clock.wrong(chain, at, was) {
            fault(why);
        }
    }
    if chain.iter().any(|entry| entry.kind == "post.over")
        && let Some((seat, address)) = open.keys().next()
    {
        found.faults.push(format!("the game is over, and {address} of {seat} is still due"));
    }
}

/// What a chain says of the time, at one of its entries.
struct Clock {
    terms: Option<Terms>,
    zone: TimeZone,
    /// The last instant that an entry names, and from which on the game's clock may stand.
    last: Option<Timestamp>,
    stopped: Option<Timestamp>,
    /// The entries by which it was held and paused, and when that was.
    held: Option<(usize, Timestamp)>,
    paused: Option<(usize, Timestamp)>,
    /// For each entry the next instant that one names behind it.
    next: Vec<Option<Timestamp>>,
    /// When seats are away, and when they were by what they had said before.
    away: BTreeMap<String, Vec<Gap>>,
    before: BTreeMap<String, Vec<Gap>>,
}

const FITS_NOT: &str = "is due at another time than the terms of the game say";
const NO_REASON: &str = "is due for a reason, or at a time, that is none";
pub(super) const SECOND: SignedDuration = SignedDuration::from_secs(1);

/// A time as entries write it.
pub(super) fn time(at: &str) -> Option<Timestamp> {
    format!("{}Z", at.get(..19)?).parse().ok()
}

pub(super) fn later(at: Timestamp, by: SignedDuration) -> Timestamp {
    at.checked_add(by).unwrap_or(Timestamp::MAX)
}

/// Whether an entry belongs to a run in which all that is due moves at once.
fn moves(entry: &Read<'_>) -> bool {
    matches!(entry.kind, "post.due" | "post.recall")
}

/// Whether an EXTEND is for that seat.
fn is_for(body: &Value, seat: &str) -> bool {
    let wanted = fold(text(body, "seat"));
    wanted == "all" || wanted == fold(seat)
}

/// What an umpire gave, as a reason says it: from the old time the earliest and the latest new one.
fn given(why: &str, was: Timestamp) -> Option<(Timestamp, Timestamp)> {
    let hours = why.strip_prefix("the umpire gave ").and_then(|rest| rest.strip_suffix(" h")?.parse::<u32>().ok());
    if let Some(hours) = hours.filter(|hours| due::given_hours(*hours) == why) {
        let at = later(was, SignedDuration::from_hours(i64::from(hours)));
        return Some((at, at));
    }
    let until = why.rsplit(' ').next().and_then(time).filter(|until| due::given_until(&when::kept(*until)) == why)?;
    Some((until, until))
}

impl Clock {
    fn of(chain: &[Read<'_>]) -> Clock {
        let options = chain.iter().find(|entry| entry.kind == "post.options");
        let terms: Option<Terms> = options.and_then(|entry| serde_json::from_value(entry.body.clone()).ok());
        let (mut next, mut known) = (vec![None; chain.len()], None);
        for (entry, next) in chain.iter().zip(&mut next).rev() {
            *next = known;
            known = match written_at(entry).and_then(time) {
                // The clock may be behind after a restore.
                _ if entry.is_restore() => None,
                Some(at) => Some(at),
                None => known,
            };
        }
        let zone = terms.as_ref().map_or(TimeZone::UTC, |terms| terms.calendar.tz());
        Clock {
            terms,
            zone,
            last: None,
            stopped: None,
            held: None,
            paused: None,
            next,
            away: BTreeMap::new(),
            before: BTreeMap::new(),
        }
    }

    /// Looks at an entry.
    fn look(&mut self, at: usize, entry: &Read<'_>) {
        let now = written_at(entry).and_then(time);
        let seat = text(&entry.body, "seat");
        if entry.is_restore() {
            (self.last, self.stopped) = (None, None);
        }
        match entry.kind {
            "post.hold" => self.held = now.map(|now| (at, now)),
            "post.release" => self.held = None,
            "post.pause" => self.paused = now.map(|now| (at, now)),
            "post.resume" => self.paused = None,
            "post.absent" => {
                let gaps = away::gaps(text(&entry.body, "days"), &self.zone);
                let before = self.away.insert(seat.to_owned(), gaps).unwrap_or_default();
                self.before.insert(seat.to_owned(), before);
            }
            // Who takes a seat is there.
            "post.replace" => _ = self.away.remove(seat),
            // A clock that was let go runs again with the next mail at the latest.
            "post.mail" if now.is_some() && self.held.is_none() && self.paused.is_none() => self.stopped = None,
            _ => {}
        }
        if matches!(entry.kind, "post.hold" | "post.pause") {
            self.stopped = self.stopped.or(now);
        }
        self.last = now.or(self.last);
    }

    /// When a seat's time stands still.
    fn gaps(&self, seat: &str) -> &[Gap] {
        self.away.get(seat).map(Vec::as_slice).unwrap_or_default()
    }

    /// Between which instants the game's own time was that of an entry: those before and behind it bound it.
    fn now(&self, place: usize) -> (Option<Timestamp>, Option<Timestamp>) {
        let stands = self.stopped.filter(|_| self.held.is_some() || self.paused.is_some());
        let next = stands.or_else(|| self.next.get(place).copied().flatten());
        (self.stopped.or(self.last), next.map(|next| later(next, SECOND)))
    }

    /// Whether at an entry surely no open deadline had passed yet.
    fn is_early(&self, place: usize, open: &Open<'_>) -> bool {
        let Some(latest) = self.now(place).1 else { return false };
        let mut times = open.iter().filter(|((seat, _), _)| !is_umpire(seat)).filter_map(|(_, (_, at))| time((*at)?));
        open.values().any(|(_, at)| at.is_some()) && times.all(|at| at > latest)
    }

    /// What is wrong with the time of a deadline that is told in the entry of a place: it lies as far behind its telling as the
    /// terms say. When that was, the entries before and behind it bound.
    fn wrong(&self, chain: &[Read<'_>], place: usize, was: Option<&str>) -> Option<&'static str> {
        let (terms, body) = (self.terms.as_ref()?, &chain.get(place)?.body);
        let (seat, address, why) = (text(body, "seat"), text(body, "address"), text(body, "why"));
        let mut times = vec![terms.time_of(address, false), terms.time_of(address, true)];
        let said = |time: &Time| time.said(&terms.calendar);
        let told = body.get("at").and_then(Value::as_str);
        let at = told.and_then(time).filter(|at| told == Some(&when::kept(*at)));
        if let Some(was) = was {
            let again = times.iter().any(|time| due::again(&said(time)) == why);
            if !again {
                let was = time(was)?;
                let Some(at) = at else { return Some(NO_REASON) };
                let Some(between) = self.put_off(chain, place, was) else { return Some(NO_REASON) };
                return (!self.falls(body, at, between)).then_some(FITS_NOT);
            }
            // What is due again has a quarter of its time.
            times.retain(|time| due::again(&said(time)) == why);
            times.iter_mut().for_each(|time| *time = time.quarter());
        } else if is_umpire(seat) {
            return (!body.get("at").is_some_and(Value::is_null)).then_some("has a deadline, and an umpire has none");
        } else if ![due::OPENING, due::TAKEN].contains(&why) {
            times.retain(|time| due::from_now(&said(time)) == why);
        }
        if told.is_some() != at.is_some() || times.is_empty() {
            return Some(NO_REASON);
        }
        let (first, last) = self.now(place);
        let gaps = if address == due::SIGN_ON { &[] } else { self.gaps(seat) };
        let fits = |time: &Time| {
            let from = |now: Timestamp| terms.calendar.due(now, time, gaps);
            match at {
                None => *time == Time::Never,
                Some(at) => {
                    *time != Time::Never
                        && first.is_none_or(|first| from(first).is_none_or(|first| at >= first))
                        && last.is_none_or(|last| from(last).is_none_or(|last| at <= last))
                }
            }
        };
        (!times.iter().any(fits)).then_some(FITS_NOT)
    }

    /// Whether a time is one to which something moves that is to move to between two instants.
    fn falls(&self, body: &Value, at: Timestamp, (first, last): (Timestamp, Timestamp)) -> bool {
        let (seat, address) = (text(body, "seat"), text(body, "address"));
        self.terms.as_ref().is_none_or(|terms| {
            [false, true].into_iter().any(|secret| {
                let time = terms.time_of(address, secret);
                let to = |at: Timestamp| terms.calendar.snapped(at, &time, self.gaps(seat));
                to(first) <= later(at, SECOND) && at <= to(last)
            })
        })
    }

    /// Between which instants something is due then that was put off by the entry of a place; none where nothing in the
    /// chain puts it off so.
    fn put_off(&self, chain: &[Read<'_>], place: usize, was: Timestamp) -> Option<(Timestamp, Timestamp)> {
        let body = &chain.get(place)?.body;
        let (seat, address, why) = (text(body, "seat"), text(body, "address"), text(body, "why"));
        let behind = chain.iter().skip(place).find(|entry| !moves(entry));
        let before = chain.iter().take(place).rfind(|entry| !moves(entry));
        let about = |by: SignedDuration| (later(was, by.saturating_sub(SECOND)), later(was, by.saturating_add(SECOND)));
        let (first, last) = self.now(place);
        if let Some((_, since)) = self.held.filter(|(_, since)| due::held_from(&when::kept(*since)) == why) {
            let release = chain.iter().skip(place).find(|entry| entry.kind == "post.release")?;
            return Some(about(written_at(release).and_then(time)?.duration_since(since)));
        }
        if let Some((_, since)) = self.paused.filter(|(_, since)| due::paused_from(&when::kept(*since)) == why) {
            let resume = behind.filter(|entry| entry.kind == "post.resume")?;
            return Some(about(written_at(resume).and_then(time)?.duration_since(since)));
        }
        if let Some(by) = behind.and_then(outage).filter(|(_, said)| said == why).map(|(by, _)| by) {
            return Some(about(by));
        }
        if why == due::is_away(seat, before.map_or("", |entry| text(&entry.body, "days"))) {
            before.filter(|entry| entry.kind == "post.absent" && text(&entry.body, "seat") == seat)?;
            return Some(self.moved(seat, was, (first, last)));
        }
        if matches!(why, due::STAND_IN | due::TAKEN) {
            let terms = self.terms.as_ref()?;
            let gaps = if address == due::SIGN_ON { &[] } else { self.gaps(seat) };
            let least = if address == due::SIGN_ON { Timestamp::MIN } else { was };
            let times = [false, true].map(|secret| terms.time_of(address, secret));
            let from = |now: Timestamp| times.iter().map(move |time| terms.calendar.due(now, time, gaps));
            let first = first.and_then(|now| from(now).flatten().min()).map_or(least, |at| at.max(least));
            let last = last.map_or(Timestamp::MAX, |now| from(now).flatten().max().map_or(least, |at| at.max(least)));
            return Some((first, last));
        }
        behind.filter(|entry| entry.kind == "post.extend" && text(&entry.body, "why") == why)?;
        given(why, was).filter(|_| behind.is_some_and(|entry| is_for(&entry.body, seat)))
    }

    /// Where something of a seat moves to whose absences have just changed.
    fn moved(
        &self,
        seat: &str,
        was: Timestamp,
        (first, last): (Option<Timestamp>, Option<Timestamp>),
    ) -> (Timestamp, Timestamp) {
        let before = self.before.get(seat).map(Vec::as_slice).unwrap_or_default();
        let to = |now: Timestamp| away::moved(now, was, before, self.gaps(seat));
        let ends: Vec<Timestamp> = [first, last].into_iter().flatten().map(to).collect();
        let least = ends.iter().min().filter(|_| first.is_some()).copied().unwrap_or(Timestamp::MIN);
        let most = ends.iter().max().filter(|_| last.is_some()).copied().unwrap_or(Timestamp::MAX);
        (later(least, SECOND.saturating_mul(-1)), later(most, SECOND))
    }

    /// What of all that is open an entry should have put off, and did not.
    fn left_alone<'c>(&self, chain: &[Read<'_>], place: usize, open: &Open<'c>) -> Vec<(&'c str, &'c str)> {
        let Some(entry) = chain.get(place) else { return Vec::new() };
        let run = chain.iter().take(place).rposition(|entry| !moves(entry)).unwrap_or(0);
        let now = written_at(entry).and_then(time);
        let since =
            |at: Option<(usize, Timestamp)>| at.zip(now).map(|((at, since), now)| (at, now.duration_since(since)));
        // Whatever has its time since before that entry.
        let (since, by) = match entry.kind {
            "post.release" => since(self.held).unzip(),
            "post.resume" => since(self.paused).unzip(),
            "post.outage" => (Some(run), outage(entry).map(|(by, _)| by)),
            "post.extend" => (Some(run), None),
            _ => return Vec::new(),
        };
        let Some(since) = since else { return Vec::new() };
        let mut left = Vec::new();
        for ((seat, address), (at, until)) in open {
            let Some(until) = until.and_then(time).filter(|_| *at <= since) else { continue };
            let to = match by {
                Some(by) => Some((later(until, by.saturating_sub(SECOND)), later(until, by.saturating_add(SECOND)))),
                None if is_for(&entry.body, seat) => given(text(&entry.body, "why"), until),
                None => None,
            };
            let of = serde_json::json!({"seat": seat, "address": address});
            if to.is_some_and(|to| !self.falls(&of, until, to)) {
                left.push((*seat, *address));
            }
        }
        left
    }
}

/// How long an outage was, and the reason that it is for what is put off.
fn outage(entry: &Read<'_>) -> Option<(SignedDuration, String)> {
    let (from, to) = (text(&entry.body, "from"), text(&entry.body, "to"));
    let by = time(to)?.duration_since(time(from)?);
    (entry.kind == "post.outage").then(|| (by, due::closed_from(from, to)))
}
