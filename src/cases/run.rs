//! Plays one case and writes its transcript.

use super::Case;
use super::text::flat;
use crate::dice::{Cup, Scope};
use crate::fog::{SeatId, SideId};
use crate::host;
use crate::memo::Memo;
use crate::rules::austerlitz1805::Austerlitz;
use crate::rules::brave_fellows::BraveFellows;
use crate::rules::campaigns::Campaigns;
use crate::rules::cx::{self, Base, End, RecordOf};
use crate::rules::great_battles::GreatBattles;
use crate::rules::journal::{By, Desk, Given, Journal};
use crate::rules::kept::{Cell, Row, Truth};
use crate::rules::{Due, Outcome, Record, Ruleset};
use crate::scenario::{self, Files};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A case that plays more legs than this is a loop.
const LEGS_MAX: u32 = 400;

/// Dice from a case's list; it remembers which were used.
struct Listed<'a> {
    dice: &'a BTreeMap<String, Vec<u32>>,
    used: RefCell<BTreeSet<String>>,
}

impl Cup for Listed<'_> {
    fn draw(&self, scope: &Scope, label: &str, n: u32, count: u32, _sides: u32) -> Option<Vec<u32>> {
        let key = roll_key(scope, label, n);
        let dice = self.dice.get(&key).filter(|d| d.len() == count as usize)?;
        self.used.borrow_mut().insert(key);
        Some(dice.clone())
    }
}

fn roll_key(scope: &Scope, label: &str, n: u32) -> String {
    match scope {
        Scope::Public | Scope::Hidden => format!("{} {label} {n}", scope.text()),
        Scope::Of(side) => format!("own {side} {label} {n}"),
    }
}

/// Scenarios that cases have been read from: most cases share a few boards.
#[derive(Debug, Default)]
pub struct Shelf(Memo<PathBuf, Result<Files, String>, SHELF>);

/// Scenarios on the shelf.
const SHELF: usize = 16;

impl Shelf {
    fn files(&self, path: &Path) -> Arc<Result<Files, String>> {
        let read = || (path.to_owned(), scenario::files(path).map_err(|flaw| flaw.to_string()));
        self.0.answer(|known| known == path, read)
    }
}

/// Plays a case by the name of its ruleset.
///
/// # Errors
/// Why it cannot be played.
pub fn transcript(ruleset: &str, shelf: &Shelf, path: &Path, case: &Case) -> Result<String, String> {
    let files = shelf.files(path);
    let files = files.as_ref().as_ref().map_err(Clone::clone)?;
    match ruleset {
        Campaigns::NAME => play::<Campaigns>(files, case, Telling::Each),
        Austerlitz::NAME => play::<Austerlitz>(files, case, Telling::Alike),
        BraveFellows::NAME => play::<BraveFellows>(files, case, Telling::Alike),
        GreatBattles::NAME => play::<GreatBattles>(files, case, Telling::Alike),
        other => Err(format!("no ruleset \"{other}\" has rule cases")),
    }
}

/// How a transcript writes what the sides are told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Telling {
    /// Each side's words on a line of their own.
    Each,
    /// Where the table lies open, what all sides are told in the event's own words is written once.
    Alike,
}

/// A case under way.
struct Run<'a, R: Ruleset> {
    base: Base<R>,
    journal: Journal,
    desk: Desk,
    cup: Listed<'a>,
    known: Vec<RecordOf<R>>,
    dues: Vec<Due>,
    lines: Vec<String>,
    told: Vec<(String, String)>,
    telling: Telling,
    legs_left: u32,
}

/// A standing answer as a seat would write it: `KEY: VALUE`, or `KEY FOR PIECE: VALUE`.
fn standing<R: Ruleset>(state: &R::State, side: &SideId, key: &str, value: &str) -> Result<(String, String), String> {
    let said = match key.split_once(" FOR ") {
        Some((word, subject)) => format!("{word} {value} FOR {subject}"),
        None => format!("{key} {value}"),
    };
    written::<R>(state, Some(side), &said)
}

/// The same in one line, as DOCTRINE takes it.
fn written<R: Ruleset>(state: &R::State, side: Option<&SideId>, said: &str) -> Result<(String, String), String> {
    host::standing::of::<R>(state, side, said).map_err(|why| format!("doctrine: {why}"))
}

fn play<R: Ruleset>(files: &Files, case: &Case, telling: Telling) -> Result<String, String> {
    let before = serde_json::to_value(&case.before).map_err(|e| e.to_string())?;
    let base = R::arrange(files, before)?;
    let rows_before = cx::rows(&base);
    let mut desk = Desk::default();
    for (seat, keys) in &case.doctrine {
        let seat = SeatId(seat.clone());
        let seats = R::seats(&base.state);
        let Some((_, side)) = seats.iter().find(|(known, _)| *known == seat) else {
            return Err(format!("doctrine: \"{}\" is no seat of this game", seat.0));
        };
        for (key, value) in keys {
            let (key, value) = standing::<R>(&base.state, side, key, value)?;
            desk.set(&seat, &key, &value);
        }
    }
    let cup = Listed { dice: &case.dice, used: RefCell::default() };
    let mut run = Run {
        base,
        journal: Journal::default(),
        desk,
        cup,
        known: Vec::new(),
        dues: Vec::new(),
        lines: Vec::new(),
        told: Vec::new(),
        telling,
        legs_left: case.legs.unwrap_or(LEGS_MAX),
    };
    if case.say.is_empty() {
        run.on()?;
    }
    for (n, said) in (1u32..).zip(&case.say) {
        run.say(n, said)?;
    }
    run.finish(&rows_before);
    for key in case.dice.keys() {
        if !run.cup.used.borrow().contains(key) {
            return Err(format!("the die \"{key}\" was never rolled"));
        }
    }
    for (seat, words) in &case.never {
        for word in words {
            if let Some((_, text)) = run.told.iter().find(|(s, text)| s == seat && text.contains(word.as_str())) {
                return Err(format!("{seat} was told \"{word}\" in: {text}"));
            }
        }
    }
    Ok(run.lines.join("\n"))
}

impl<R: Ruleset> Run<'_, R> {
    fn say(&mut self, no: u32, said: &str) -> Result<(), String> {
        if said == "deadline" {
            for due in std::mem::take(&mut self.dues) {
                match due.prompt {
                    Some(ask) => self.give(&due.address, no, &ask.default, By::Default),
                    None => {
                        self.journal.ended.insert(due.address);
                    }
                }
            }
            return self.on();
        }
        let (seat, text) = said.split_once(": ").ok_or(format!("\"{said}\": a seat, a colon, and what it says"))?;
        let seat = SeatId(seat.to_owned());
        if let Some(said) = text.strip_prefix("DOCTRINE ") {
            let side = R::seats(&self.base.state).into_iter().find(|(known, _)| *known == seat).map(|(_, side)| side);
            let (key, value) = written::<R>(&self.base.state, side.as_ref(), said)?;
            self.desk.set(&seat, &key, &value);
            return self.on();
        }
        let prompt = self.dues.iter().find(|d| d.seat == seat && d.prompt.is_some()).cloned();
        if let Some(due) = prompt {
            self.give(&due.address, no, text, By::Seat("case".to_owned()));
            return self.on();
        }
        let Some(stage) = R::stage(&self.base.state) else { return Err("the game is over".to_owned()) };
        let address = Journal::sheet(&seat, &stage.key);
        // Lines of one mail come in together.
        for line in text.lines() {
            if line == "END" {
                self.journal.ended.insert(address.clone());
            } else {
                self.give(&address, no, line, By::Seat("case".to_owned()));
            }
        }
        self.on()
    }

    fn give(&mut self, address: &str, no: u32, text: &str, by: By) {
        let given = Given::new(text, no, by);
        self.journal.lines.entry(address.to_owned()).or_default().push(given);
    }

    /// Plays legs until somebody is asked, or the case's legs are spent.
    fn on(&mut self) -> Result<(), String> {
        while self.legs_left > 0 && R::stage(&self.base.state).is_some() {
            let leg = cx::decide(&self.base, &self.journal, &self.desk, &self.cup, &self.known)
                .map_err(|e| format!("{e}\n{}", self.lines.join("\n")))?;
            for record in leg.records.iter().skip(self.known.len()) {
                self.record(record);
            }
            self.journal = leg.journal;
            // What is said from here on comes too late for what is under way here.
            self.desk.keep(R::keeps_answers(&leg.after.state));
            match leg.end {
                End::Rest => {
                    self.base = leg.after;
                    self.known.clear();
                    self.legs_left -= 1;
                }
                End::Stop(dues) => {
                    self.known = leg.records;
                    self.dues = dues;
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn record(&mut self, record: &RecordOf<R>) {
        match record {
            Record::Rolled(roll) => {
                let dice: Vec<String> = roll.dice.iter().map(u32::to_string).collect();
                self.lines.push(format!("roll {} = {}", roll_key(&roll.scope, &roll.label, roll.n), dice.join(" ")));
            }
            Record::Line { seat, no, said, .. } => {
                let text = said.as_ref().map(outcome_text).unwrap_or_default();
                self.told.push((seat.0.clone(), text.clone()));
                self.lines.push(format!("line {no} {seat}: {text}"));
            }
            Record::Event { body, seen } => {
                let event = flat(cx::encode::<R>(Truth::Event(body)).text());
                let told: Vec<(String, String)> = seen
                    .iter()
                    .map(|(side, s)| (side.0.clone(), flat(cx::encode::<R>(Truth::Sighting(s)).text())))
                    .collect();
                let alike = self.telling == Telling::Alike;
                if alike && told.len() == self.base.minds.len() && told.iter().all(|(_, text)| *text == event) {
                    self.lines.push(format!("all {event}"));
                } else {
                    self.lines.push(format!("event {event}"));
                    self.lines.extend(told.iter().map(|(side, text)| format!("  {side} sees {text}")));
                }
                self.told.extend(told);
            }
        }
    }

    fn finish(&mut self, before: &[Row]) {
        for due in self.dues.clone() {
            let Some(ask) = due.prompt else { continue };
            let text = format!("asks {}: {} [{}] default {}", due.seat, ask.question, ask.rule, ask.default);
            self.told.push((due.seat.0.clone(), text.clone()));
            self.lines.push(text);
        }
        let stage = R::stage(&self.base.state).map_or("over".to_owned(), |s| s.key);
        self.lines.push(format!("stage {stage}"));
        let after = cx::rows(&self.base);
        let lines = |rows: &[Row]| rows.iter().map(row_text).collect::<BTreeSet<String>>();
        let (before, after) = (lines(before), lines(&after));
        self.lines.extend(before.difference(&after).map(|l| format!("- {l}")));
        self.lines.extend(after.difference(&before).map(|l| format!("+ {l}")));
    }
}

fn outcome_text(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Done => "done".to_owned(),
        Outcome::Failed { why, rule } => format!("failed: {why} [{rule}]"),
        Outcome::Refused { why, rule, .. } => format!("refused: {why} [{rule}]"),
        Outcome::Unclear { why, .. } => format!("unclear: {why}"),
        Outcome::NotYet { why } => format!("not yet: {why}"),
        Outcome::NotReached => "not reached".to_owned(),
        Outcome::Sent { to } => format!("sent to {to}"),
    }
}

fn row_text(row: &Row) -> String {
    let cells: Vec<String> = row
        .columns
        .iter()
        .filter_map(|(name, cell)| match cell {
            Cell::Null => None,
            Cell::Int(n) => Some(format!("{name}={n}")),
            Cell::Text(text) => Some(format!("{name}={text}")),
        })
        .collect();
    format!("{} {}", row.table, cells.join(" "))
}
