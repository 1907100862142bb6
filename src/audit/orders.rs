//! What the players wrote, beside what the game was given: the lines of each mail are read again from its bytes.

use super::chain::text;
use super::entries::Read;
use super::verify::Findings;
use super::{GameLine, Line};
use crate::fog::SeatId;
use crate::gateway::sheet::{self, Does};
use crate::gateway::{Whence, commands};
use crate::host::sheet::{Edit, Edited, Ending};
use crate::host::{Game, Input};
use crate::mail::read::{Incoming, Limits, read};
use data_encoding::BASE64;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// How a line begins that sends lines of an earlier mail.
const SENDS: [&str; 2] = ["send", "confirm"];
/// Lines of a mail above which the post office may have read a part alone.
const LINES_MAX: usize = 50;

/// The mails that came in, read, by their names.
pub(super) fn incoming(lines: &[Line]) -> BTreeMap<&str, Incoming> {
    let limits = Limits { mail_bytes_max: usize::MAX, text_bytes_max: usize::MAX, ..Limits::default() };
    let mut mails = BTreeMap::new();
    for line in lines {
        let Line::Mail { message_id, raw: Some(raw), .. } = line else { continue };
        let raw = BASE64.decode(raw.as_bytes()).unwrap_or_default();
        if let Ok(incoming) = read(&raw, &limits) {
            mails.insert(message_id.as_str(), incoming);
        }
    }
    mails
}

/// Letters and figures alone, in small letters: what a program may change of a line on its way does not count.
fn bare(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// What a seat has written.
#[derive(Clone, Default)]
struct Written {
    /// All lines, one behind the other.
    all: String,
    /// Each by itself.
    lines: BTreeSet<String>,
}

impl Written {
    fn add(&mut self, lines: &[String]) {
        lines.iter().for_each(|line| self.all.push_str(line));
        self.lines.extend(lines.iter().cloned());
    }
}

/// Every input of a player names a mail of his that came before it, and what it says stands there.
pub(super) fn orders_in_chain(lines: &[Line], chain: &[Read<'_>], found: &mut Findings) {
    let mails = incoming(lines);
    let all_read =
        lines.iter().all(|line| !matches!(line, Line::Mail { direction, raw: None, .. } if direction == "in"));
    let mut arrived: BTreeMap<(&str, &str), Written> = BTreeMap::new();
    let mut written: BTreeMap<&str, Written> = BTreeMap::new();
    let (mut before, mut begun): (Option<&Read<'_>>, bool) = (None, false);
    for entry in chain {
        let body = &entry.body;
        match entry.kind {
            "post.mail" if text(body, "direction") == "in" => {
                let (seat, id) = (text(body, "seat"), text(body, "message_id"));
                let script = mails.get(id).map(|mail| mail.script.as_slice()).unwrap_or_default();
                let this: Vec<String> = script.iter().map(|line| bare(line)).collect();
                let all = written.entry(seat).or_default();
                all.add(&this);
                // Before the game, and where a mail sends what an earlier one tried, its lines stand in those before.
                let own = if !begun || this.iter().any(|line| SENDS.iter().any(|word| line.starts_with(word))) {
                    all.clone()
                } else {
                    let mut own = Written::default();
                    own.add(&this);
                    own
                };
                arrived.insert((seat, id), own);
            }
            "post.signon" => {
                let (seat, id) = (text(body, "seat"), text(body, "message_id"));
                let absent = body.get("absent").is_some();
                // Who gives no words gives the name of his mail.
                let words = [text(body, "nonce"), text(body, "hash")].into_iter().filter(|words| *words != id);
                let said = |words: &str| written.get(seat).is_some_and(|own| own.all.contains(&bare(words)));
                if !absent
                    && (!arrived.contains_key(&(seat, id)) || (mails.contains_key(id) && !words.into_iter().all(said)))
                {
                    found.faults.push(format!("entry {}: {seat} signed on otherwise than in its mail", entry.seq));
                }
            }
            "post.hash" | "post.words" => {
                let seat = text(body, "seat");
                let own = written.get(seat).is_some_and(|own| {
                    [text(body, "hash"), text(body, "words")].iter().all(|said| own.all.contains(&bare(said)))
                });
                if all_read && !own {
                    found.faults.push(format!("entry {}: {seat} wrote no such words for the dice", entry.seq));
                }
            }
            "input" => {
                begun |= text(body, "kind") == "begin";
                if let Some(why) = unwritten(entry, before, &arrived, &mails) {
                    found.faults.push(format!("entry {}: {why}", entry.seq));
                }
            }
            _ => {}
        }
        before = Some(entry);
    }
}

/// Why an input is not what its mail says.
fn unwritten(
    entry: &Read<'_>,
    before: Option<&Read<'_>>,
    arrived: &BTreeMap<(&str, &str), Written>,
    mails: &BTreeMap<&str, Incoming>,
) -> Option<String> {
    let body = &entry.body;
    let (seat, id, lines, ends) = said(body)?;
    let umpire = text(body, "kind") == "umpire";
    match Whence::read(id) {
        Whence::House(_) => {
            let called = before.is_some_and(|entry| entry.kind == "post.house" && text(&entry.body, "seat") == seat);
            return (!called).then(|| format!("the program's own player was not called for {seat}"));
        }
        // Nobody writes then: what waits is done.
        Whence::Recall(_) if body.get("edits").is_some_and(calls_alone) => return None,
        // What an umpire writes for a seat came in a mail of his own, or he sat at the console: the ledger says so.
        Whence::Console if umpire => return None,
        Whence::Recall(_) | Whence::Console | Whence::Mail(_) => {}
    }
    let by = if umpire { text(body, "by") } else { seat };
    let Some(own) = arrived.get(&(by, id)) else {
        return Some(format!("no mail {id} of {by} came in before it"));
    };
    if !mails.contains_key(id) {
        return None;
    }
    for line in lines.iter().map(|line| bare(line)) {
        if !own.all.contains(&line) {
            return Some(format!("{by} wrote no line \"{line}\""));
        }
    }
    let ended = own.lines.iter().any(|line| line.starts_with("end") || line.starts_with("yes"));
    (ends && !ended).then(|| format!("{by} wrote no END"))
}

/// Whether edits say no more than that the time of an END has come.
fn calls_alone(edits: &Value) -> bool {
    let read: Option<Vec<Edited>> = serde_json::from_value(edits.clone()).ok();
    read.is_some_and(|edits| edits.iter().all(|edited| edited.edit == Edit::Call))
}

/// What an input quotes: the seat, the mail, its lines, and whether it ends a sheet; none where it quotes no mail.
fn said(body: &Value) -> Option<(&str, &str, Vec<&str>, bool)> {
    let body = match text(body, "kind") {
        "umpire" => body.get("act")?.get("become")?,
        _ => body,
    };
    let id = body.get("mail")?.as_str()?;
    let lines = body.get("lines").and_then(Value::as_array).into_iter().flatten();
    let mut lines: Vec<&str> = lines.filter_map(|line| line.get(1)?.as_str()).collect();
    let mut ends = body.get("end").and_then(Value::as_bool) == Some(true);
    for edited in body.get("edits").and_then(Value::as_array).into_iter().flatten() {
        let edit = edited.get("edit");
        if edit.is_some_and(|edit| edit.get("end").is_some() || edit.get("later").is_some()) {
            ends = true;
        } else {
            lines.push(text(edited, "text"));
        }
    }
    Some((text(body, "seat"), id, lines, ends))
}

/// What a line of a mail must come to in the game.
#[derive(Debug, PartialEq, Eq)]
enum Expected {
    Edits(Edit),
    /// An END, at once or later.
    Ends(Ending),
}

impl Expected {
    fn is(&self, got: &Edit) -> bool {
        match (self, got) {
            (Expected::Edits(edit), got) => edit == got,
            (Expected::Ends(ending), Edit::End(got) | Edit::Later(got)) => ending == got,
            (Expected::Ends(_), _) => false,
        }
    }
}

/// A mail that came in, and what of it the game must be given.
struct Awaited {
    id: String,
    seat: String,
    /// None where it stands for what stood in a letter.
    does: Option<Vec<(u32, String, Expected)>>,
}

/// Reads each mail again by the post office's own code, as the game stood when it came, and compares it with what the game
/// was given.
pub(super) struct Reading<'l> {
    mails: BTreeMap<&'l str, Incoming>,
    chain: Vec<Read<'l>>,
    seats: Vec<String>,
    awaited: Option<Awaited>,
    same: BTreeSet<(String, Vec<String>)>,
    begun: bool,
    over: bool,
    /// Play waits for its dice, and no line is taken.
    dice: bool,
    /// What differs, with the entry's number.
    pub(super) otherwise: Vec<(u32, String)>,
    /// Lines that the game was never given, for a reason that the chain does not hold.
    pub(super) unused: Vec<String>,
}

impl<'l> Reading<'l> {
    pub(super) fn new(game: &GameLine, lines: &'l [Line]) -> Reading<'l> {
        Reading {
            mails: incoming(lines),
            chain: super::entries::read(lines),
            seats: game.seats.clone(),
            awaited: None,
            same: BTreeSet::new(),
            begun: false,
            over: false,
            dice: false,
            otherwise: Vec::new(),
            unused: Vec::new(),
        }
    }

    /// Looks at an entry before it is played.
    pub(super) fn look(&mut self, game: &dyn Game, at: usize, input: Option<&Input>) {
        match input {
            Some(Input::Begin) => self.begun = true,
            Some(input @ Input::Sheet { seat, edits, mail, came }) => {
                // What the lines came to was decided then, and is kept; it is what they come to now.
                if came.is_some() && *came != game.decided(input) {
                    let seq = self.chain.get(at).map_or(0, |entry| entry.seq);
                    self.otherwise.push((seq, format!("entry {seq}: the lines of {seat} come to something else")));
                }
                self.given(at, seat, edits, mail);
            }
            Some(_) => {}
            None => self.entry(game, at),
        }
    }

    /// The game is played to its end.
    pub(super) fn done(&mut self) {
        self.settle();
    }

    fn entry(&mut self, game: &dyn Game, at: usize) {
        let Some(entry) = self.chain.get(at) else { return };
        if entry.slot != game.slot() {
            let (seq, slot) = (entry.seq, entry.slot);
            let why = format!("entry {seq} ({}) stands in slot {slot}, and play in {}", entry.kind, game.slot());
            self.otherwise.push((seq, why));
        }
        match entry.kind {
            "post.plan" => self.dice = true,
            "post.salt" => self.dice = false,
            "post.over" => self.over = true,
            "post.mail" if text(&entry.body, "direction") == "in" => {
                let (seat, id) = (text(&entry.body, "seat").to_owned(), text(&entry.body, "message_id").to_owned());
                self.settle();
                if self.begun && !self.over && !self.dice && self.seats.contains(&seat) {
                    self.awaited = self.derive(game, seat, id);
                }
            }
            _ => {}
        }
    }

    fn derive(&mut self, game: &dyn Game, seat: String, id: String) -> Option<Awaited> {
        let script = &self.mails.get(id.as_str())?.script;
        let seat_id = SeatId(seat.clone());
        let mut items = commands::split_of(script, game, &seat_id);
        sheet::number_on(game, &seat_id, &mut items);
        let mut does = Some(Vec::new());
        for (at, item) in items.iter().enumerate() {
            let what = match sheet::does(item, items.get(at + 1..).unwrap_or_default()) {
                Does::Nothing => continue,
                Does::Edits(edit) => Expected::Edits(edit),
                Does::Ends(ending) => Expected::Ends(ending),
                Does::Suggested(_) | Does::Checked => {
                    does = None;
                    break;
                }
            };
            if let Some(does) = &mut does {
                does.push((item.no, item.text.clone(), what));
            }
        }
        if script.len() > LINES_MAX {
            does = None;
        }
        // Who says the same again and orders nothing gets no answer.
        if !self.same.insert((seat.clone(), script.clone())) {
            does = does.filter(|does| does.iter().any(|(_, _, what)| *what != Expected::Edits(Edit::Add)));
        }
        Some(Awaited { id, seat, does })
    }

    fn given(&mut self, at: usize, seat: &SeatId, edits: &[Edited], mail: &str) {
        let Some(awaited) = self.awaited.take_if(|awaited| awaited.id == mail && awaited.seat == seat.0) else {
            return;
        };
        let same = |expected: &[(u32, String, Expected)]| {
            expected.len() == edits.len()
                && expected
                    .iter()
                    .zip(edits)
                    .all(|((no, text, what), got)| (no, text) == (&got.no, &got.text) && what.is(&got.edit))
        };
        if awaited.does.is_some_and(|expected| !same(&expected)) {
            let seq = self.chain.get(at).map_or(0, |entry| entry.seq);
            self.otherwise.push((seq, format!("entry {seq}: the mail {mail} of {seat} says other lines than these")));
        }
    }

    /// A mail with lines for the sheet of which the game was given none.
    fn settle(&mut self) {
        let Some(awaited) = self.awaited.take() else { return };
        if awaited.does.is_some_and(|does| !does.is_empty()) {
            self.unused
                .push(format!("the mail {} of {} has lines that the game was not given", awaited.id, awaited.seat));
        }
    }
}
