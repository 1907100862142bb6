//! What the chain says of deadlines: what is due was asked for before it is done, and has the time of the game's terms.

use super::GameLine;
use super::chain::text;
use super::entries::{Read, written_at};
use super::verify::Findings;
use crate::gateway::{due, is_umpire, when};
use crate::terms::{Terms, Time};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Each deadline of a chain.
pub(super) fn dues_in_chain(game: &GameLine, chain: &[Read<'_>], found: &mut Findings) {
    let mut open: BTreeMap<(&str, &str), Option<&str>> = BTreeMap::new();
    let mut clock = Clock::of(chain);
    for (at, entry) in chain.iter().enumerate() {
        clock.look(entry);
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
        let was = open.insert(of, body.get("at").and_then(Value::as_str)).flatten();
        if was != body.get("was").and_then(Value::as_str) {
            fault("was due at another time before");
        }
        if let Some(why) = clock.wrong(at, body, was) {
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
    /// The last instant that an entry names, and from which on the game's clock may stand.
    last: Option<Timestamp>,
    stopped: Option<Timestamp>,
    held: bool,
    paused: bool,
    /// For each entry the next instant that one names behind it.
    next: Vec<Option<Timestamp>>,
    /// Seats that have said they would be away.
    away: BTreeSet<String>,
}

fn read(at: &str) -> Option<Timestamp> {
    format!("{}Z", at.get(..19)?).parse().ok()
}

impl Clock {
    fn of(chain: &[Read<'_>]) -> Clock {
        let options = chain.iter().find(|entry| entry.kind == "post.options");
        let terms = options.and_then(|entry| serde_json::from_value(entry.body.clone()).ok());
        let (mut next, mut known) = (vec![None; chain.len()], None);
        for (entry, next) in chain.iter().zip(&mut next).rev() {
            *next = known;
            known = match written_at(entry).and_then(read) {
                // The clock may be behind after a restore.
                _ if entry.is_restore() => None,
                Some(at) => Some(at),
                None => known,
            };
        }
        Clock { terms, last: None, stopped: None, held: false, paused: false, next, away: BTreeSet::new() }
    }

    /// Looks at an entry.
    fn look(&mut self, entry: &Read<'_>) {
        let now = written_at(entry).and_then(read);
        if entry.is_restore() {
            (self.last, self.stopped) = (None, None);
        }
        match entry.kind {
            "post.hold" => self.held = true,
            "post.release" => self.held = false,
            "post.pause" => self.paused = true,
            "post.resume" => self.paused = false,
            "post.absent" => _ = self.away.insert(text(&entry.body, "seat").to_owned()),
            // A clock that was let go runs again with the next mail at the latest.
            "post.mail" if now.is_some() && !self.held && !self.paused => self.stopped = None,
            _ => {}
        }
        if matches!(entry.kind, "post.hold" | "post.pause") {
            self.stopped = self.stopped.or(now);
        }
        self.last = now.or(self.last);
    }

    /// What is wrong with the time of a deadline that is told in the entry of a place: it lies as far behind its telling as the
    /// terms say. When that was, the entries before and behind it bound.
    fn wrong(&self, place: usize, body: &Value, was: Option<&str>) -> Option<&'static str> {
        let terms = self.terms.as_ref()?;
        let (seat, address, why) = (text(body, "seat"), text(body, "address"), text(body, "why"));
        let mut times = vec![terms.time_of(address, false), terms.time_of(address, true)];
        let said = |time: &Time| time.said(&terms.calendar);
        if was.is_some() {
            // What is put off has the time that was left.
            times.retain(|time| due::again(&said(time)) == why);
            times.iter_mut().for_each(|time| *time = time.quarter());
            if times.is_empty() {
                return None;
            }
        } else if is_umpire(seat) {
            return (!body.get("at").is_some_and(Value::is_null)).then_some("has a deadline, and an umpire has none");
        } else if ![due::OPENING, due::TAKEN].contains(&why) {
            times.retain(|time| due::from_now(&said(time)) == why);
        }
        let told = body.get("at").and_then(Value::as_str);
        let at = told.and_then(read).filter(|at| told == Some(&when::kept(*at)));
        if told.is_some() != at.is_some() || times.is_empty() {
            return Some("is due for a reason, or at a time, that is none");
        }
        let first = self.stopped.or(self.last);
        let next = self.next.get(place).copied().flatten().filter(|_| !self.away.contains(seat));
        let last = next.and_then(|next| next.checked_add(SignedDuration::from_secs(1)).ok());
        let fits = |time: &Time| {
            let from = |now: Timestamp| terms.calendar.due(now, time, &[]);
            match at {
                None => *time == Time::Never,
                Some(at) => {
                    *time != Time::Never
                        && first.is_none_or(|first| from(first).is_none_or(|first| at >= first))
                        && last.is_none_or(|last| from(last).is_none_or(|last| at <= last))
                }
            }
        };
        (!times.iter().any(fits)).then_some("is due at another time than the terms of the game say")
    }
}
