//! What the players wrote, beside what the game was given: the lines of each mail are read again from its bytes.

use super::chain::text;
use super::entries::Read;
use super::umpires::umpires;
use super::verify::Findings;
use super::{GameLine, Line};
use crate::fog::SeatId;
use crate::gateway::sheet::{self, Does};
use crate::gateway::{Whence, commands};
use crate::host::sheet::{Edit, Edited, Ending};
use crate::host::{Batch, Game, Input, Looked, Occasion};
use crate::mail::read::{Incoming, Limits, read};
use data_encoding::BASE64;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// How a line begins that sends lines of an earlier mail.
const SENDS: [&str; 2] = ["send", "confirm"];
/// Lines of a mail above which the post office may have read a part alone.
const LINES_MAX: usize = 50;

/// The mails that came in, read, by their names.
pub(super) type Mails<'l> = BTreeMap<&'l str, Incoming>;

/// All of a bundle.
pub(super) fn incoming(lines: &[Line]) -> Mails<'_> {
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
pub(super) fn bare(text: &str) -> String {
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
pub(super) fn orders_in_chain((lines, mails): (&[Line], &Mails<'_>), chain: &[Read<'_>], found: &mut Findings) {
    let all_read =
        lines.iter().all(|line| !matches!(line, Line::Mail { direction, raw: None, .. } if direction == "in"));
    let mut arrived: BTreeMap<(&str, &str), Written> = BTreeMap::new();
    let mut written: BTreeMap<&str, Written> = BTreeMap::new();
    let (mut before, mut begun): (Option<&Read<'_>>, bool) = (None, false);
    for entry in chain {
        let body = &entry.body;
        match entry.kind {
            _ if entry.came_in() => {
                let (seat, id) = (text(body, "seat"), text(body, "message_id"));
                let script = mails.get(id).map(|mail| mail.script.as_slice()).unwrap_or_default();
                // Several words of a sheet may share a line.
                let parts = |line: &String| sheet::several(line).unwrap_or_else(|| vec![line.clone()]);
                let this: Vec<String> = script.iter().flat_map(parts).map(|line| bare(&line)).collect();
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
                if let Some(why) = unwritten(entry, before, &arrived, mails) {
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
    // What YES takes stands in a letter.
    let takes = own.lines.iter().any(|line| line.starts_with("yes"));
    for line in lines.iter().map(|line| bare(line)).filter(|_| !takes) {
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
        let edit: Option<Edit> = edited.get("edit").and_then(|edit| serde_json::from_value(edit.clone()).ok());
        if matches!(edit, Some(Edit::End(ending) | Edit::Later(ending)) if ending != Ending::Doubtful) {
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
    /// None where it says the same as one before, or has more lines than are read.
    does: Option<Vec<(u32, String, Expected)>>,
    /// What lines stand for that name no order, but one of a letter: only such orders may be given for them.
    quoted: Option<Quoted>,
    /// A standing answer of it is not taken: its END is held.
    slips: bool,
    /// It tries lines; and those of an earlier one were not sent when it came, so that END alone does not count.
    tries: bool,
    tried: bool,
}

/// What YES and SEND of a mail may stand for.
#[derive(Default)]
struct Quoted {
    /// The suggestions that YES takes, each with the number of its line.
    taken: Vec<(u32, String)>,
    /// There is a YES; one that names a line of a CHECK takes what no chain holds.
    takes: bool,
    /// Lines of a CHECK are sent.
    sends: bool,
    /// What the seat has written before, in letters and figures.
    written: String,
}

impl Quoted {
    /// Whether what no line of the mail says may come of those that stand for others.
    fn covers(&self, edited: &Edited) -> bool {
        let same = |taken: &str, text: &str| bare(taken) == bare(text);
        let takes = |line: u32, text: &str| self.taken.iter().any(|(no, taken)| *no == line && same(taken, text));
        let any = |text: &str| self.taken.iter().any(|(_, taken)| same(taken, text));
        match &edited.edit {
            Edit::Rewrite { line, text } => takes(*line, text),
            // The second of two suggestions for one line stands beside the first.
            Edit::Add => any(&edited.text) || self.sends && (self.takes || self.written.contains(&bare(&edited.text))),
            Edit::Drop(lines) => lines.iter().all(|line| takes(*line, "END")),
            Edit::End(_) | Edit::Later(_) => any("END"),
            _ => false,
        }
    }
}

/// Reads each mail again by the post office's own code, as the game stood when it came, and compares it with what the game
/// was given.
pub(super) struct Reading<'l> {
    mails: &'l Mails<'l>,
    chain: &'l [Read<'l>],
    seats: Vec<String>,
    awaited: Option<Awaited>,
    /// Seats that have tried lines, and had none given to the game since.
    tried: BTreeSet<String>,
    /// What each seat has written so far, in letters and figures.
    written: BTreeMap<String, String>,
    same: BTreeSet<(String, Vec<String>)>,
    begun: bool,
    over: bool,
    /// Play waits for its dice, and no line is taken.
    dice: bool,
    /// Letters that play has made and that are not mailed yet, so many to each seat; the last number of each.
    letters: BTreeMap<String, u32>,
    numbers: BTreeMap<String, Option<u64>>,
    /// Seats that nobody has.
    vacant: BTreeSet<String>,
    /// Umpires who get a page at each stage, and those who wait for one.
    readers: BTreeSet<String>,
    pages: BTreeSet<String>,
    /// Slots that have closed and whose seeds are not told yet, and those whose are.
    slots: BTreeSet<u32>,
    closed: BTreeSet<u32>,
    /// The input with which the game came to its end, until its entry comes.
    ends: Option<usize>,
    /// What differs, with the entry's number.
    pub(super) otherwise: Vec<(u32, String)>,
    /// Lines that the game was never given, for a reason that the chain does not hold.
    pub(super) unused: Vec<String>,
}

impl<'l> Reading<'l> {
    pub(super) fn new(game: &GameLine, (mails, chain): (&'l Mails<'l>, &'l [Read<'l>])) -> Reading<'l> {
        // Who has looked at both sides, or acted on the game, plays none of them, and gets a page at each stage.
        let seats = chain.iter().any(|entry| matches!(entry.kind, "post.replace" | "post.address"));
        let looked = |entry: &&Read<'_>| {
            entry.kind == "post.ledger" && matches!(text(&entry.body, "class"), "look" | "change") && !seats
        };
        let seat = |entry: &Read<'_>| text(&entry.body, "by").split(' ').next().unwrap_or_default().to_owned();
        // At the console an umpire acts on a game that has none: nobody gets a page of it.
        let umpires = umpires(game, chain);
        let readers = chain.iter().filter(looked).map(seat).filter(|seat| umpires.contains(&seat.as_str())).collect();
        let wrote = |seat: &String| chain.iter().any(|e| e.kind == "post.mail" && text(&e.body, "seat") == *seat);
        Reading {
            // A seat that nobody ever had gets no letter.
            vacant: game.seats.iter().filter(|seat| !wrote(seat)).cloned().collect(),
            mails,
            chain,
            seats: game.seats.clone(),
            awaited: None,
            tried: BTreeSet::new(),
            written: BTreeMap::new(),
            same: BTreeSet::new(),
            begun: false,
            over: false,
            dice: false,
            letters: BTreeMap::new(),
            numbers: BTreeMap::new(),
            readers,
            pages: BTreeSet::new(),
            slots: BTreeSet::new(),
            closed: BTreeSet::new(),
            ends: None,
            otherwise: Vec::new(),
            unused: Vec::new(),
        }
    }

    /// Looks at an entry before it is played.
    pub(super) fn look(&mut self, game: &dyn Game, at: usize, looked: Looked<'_>) {
        match looked {
            Looked::Input(Input::Begin) => self.begun = true,
            Looked::Input(input @ Input::Sheet { seat, edits, mail, came }) => {
                // What the lines came to was decided then, and is kept; it is what they come to now.
                if came.is_some() && *came != game.decided(input) {
                    let seq = self.chain.get(at).map_or(0, |entry| entry.seq);
                    self.otherwise.push((seq, format!("entry {seq}: the lines of {seat} come to something else")));
                }
                self.given(at, seat, edits, mail);
            }
            Looked::Input(_) => {}
            Looked::Made(batch) => self.made(at, batch),
            Looked::Entry => self.entry(game, at),
        }
    }

    /// The game is played to its end.
    pub(super) fn done(&mut self) {
        self.settle();
        self.all_mailed(self.chain.len().saturating_sub(1));
    }

    fn differs(&mut self, at: usize, why: &str) {
        let seq = self.chain.get(at).map_or(0, |entry| entry.seq);
        self.otherwise.push((seq, format!("entry {seq}: {why}")));
    }

    /// What an input has made is mailed, and the seeds of slots that it closed are told, before the next mail is read.
    fn made(&mut self, at: usize, batch: &Batch) {
        for letter in batch.letters.iter().filter(|letter| !self.vacant.contains(&letter.seat.0)) {
            let waits = self.letters.entry(letter.seat.0.clone()).or_default();
            *waits = waits.saturating_add(1);
        }
        let to_all = |occasion| matches!(occasion, Occasion::Opening | Occasion::StageReport | Occasion::GameOver);
        if batch.letters.iter().any(|letter| to_all(letter.occasion)) {
            self.pages.extend(self.readers.iter().cloned());
        }
        self.slots.extend(batch.slots_closed.iter().copied());
        if batch.over && !self.over {
            self.ends = Some(at);
        }
    }

    /// All letters of the inputs before are mailed.
    fn all_mailed(&mut self, at: usize) {
        let (letters, pages, slots) =
            (std::mem::take(&mut self.letters), std::mem::take(&mut self.pages), std::mem::take(&mut self.slots));
        for (seat, _) in letters.iter().filter(|(_, waits)| **waits > 0) {
            self.differs(at, &format!("before it a letter to {seat} should stand, which play made"));
        }
        for umpire in pages {
            self.differs(at, &format!("before it a page to {umpire} should stand"));
        }
        for slot in slots {
            self.differs(at, &format!("before it the seeds of slot {slot} should stand, which has closed"));
        }
        if self.ends.take().is_some() {
            self.differs(at, "before it the game's end should stand");
        }
    }

    /// An entry that tells what an input made.
    fn told(&mut self, game: &dyn Game, at: usize) {
        let Some(entry) = self.chain.get(at) else { return };
        let (kind, seat) = (entry.kind, text(&entry.body, "seat").to_owned());
        let number = |name: &str| entry.body.get(name).and_then(Value::as_u64);
        match kind {
            "post.mail" => {
                let number = number("number");
                // Each copy of a mail has the same.
                if self.numbers.insert(seat.clone(), number) != Some(number)
                    && let Some(waits) = self.letters.get_mut(&seat)
                {
                    *waits = waits.saturating_sub(1);
                }
            }
            "post.seed" => {
                let slot = number("slot").and_then(|slot| u32::try_from(slot).ok()).unwrap_or(u32::MAX);
                if self.slots.remove(&slot) {
                    self.closed.insert(slot);
                } else if !self.closed.contains(&slot) {
                    self.differs(at, &format!("slot {slot} has not closed, and its seed is told"));
                }
            }
            "post.over" => {
                self.over = true;
                if self.ends.take().is_none() {
                    self.differs(at, "the game has not come to its end there");
                }
            }
            "post.vacant" => _ = self.vacant.insert(seat),
            "post.replace" | "post.address" => {
                self.vacant.remove(&seat);
                // Who plays himself gets no page.
                self.readers.clear();
            }
            "post.ledger" if text(&entry.body, "class") == "page" => {
                let by = text(&entry.body, "by").to_owned();
                self.pages.remove(&by);
                self.readers.insert(by);
            }
            "post.program" => {
                let next = self.chain.get(at..).unwrap_or_default().iter().find(|entry| entry.kind == "input");
                let back = next.is_some_and(|next| next.body.get("act").is_some_and(|act| act.get("rewind").is_some()));
                if !game.at_rest() && !back {
                    self.differs(at, "play does not stand at rest there, and another program goes on");
                }
            }
            _ => {}
        }
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
            _ if self.begun && entry.came_in() => self.all_mailed(at),
            _ => self.told(game, at),
        }
        let Some(entry) = self.chain.get(at) else { return };
        match entry.kind {
            _ if entry.came_in() => {
                let (seat, id) = (text(&entry.body, "seat").to_owned(), text(&entry.body, "message_id").to_owned());
                self.settle();
                if self.begun && !self.over && !self.dice && self.seats.contains(&seat) {
                    self.awaited = self.derive(game, seat.clone(), id.clone());
                }
                let script = self.mails.get(id.as_str()).map(|mail| mail.script.as_slice()).unwrap_or_default();
                let said: String = script.iter().map(|line| bare(line)).collect();
                self.written.entry(seat).or_default().push_str(&said);
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
        let mut quoted: Option<Quoted> = None;
        for (at, item) in items.iter().enumerate() {
            let what = match sheet::does(item, items.get(at + 1..).unwrap_or_default()) {
                Does::Nothing => continue,
                Does::Edits(edit) => Expected::Edits(edit),
                Does::Ends(ending) => Expected::Ends(ending),
                Does::Suggested(keys) => {
                    let quoted = quoted.get_or_insert_default();
                    quoted.takes = true;
                    let sheet = game.sheet(&seat_id).body().clone().unwrap_or_default();
                    let offers: Vec<(u32, &[String])> =
                        sheet.faulty.iter().map(|(no, _, lines)| (*no, lines.as_slice())).collect();
                    let taken = sheet::picked(&offers, keys).unwrap_or_default();
                    quoted.taken.extend(taken.into_iter().map(|(line, text)| (line, text.clone())));
                    continue;
                }
                Does::Checked => {
                    let quoted = quoted.get_or_insert_default();
                    quoted.sends = true;
                    quoted.written = self.written.get(&seat).cloned().unwrap_or_default();
                    continue;
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
        let slip = |item: &commands::Item| match &item.what {
            commands::What::General(Ok(commands::Command::Doctrine(Some(words)))) => {
                game.doctrine_line(&seat_id, words).is_err()
            }
            _ => false,
        };
        let tries = items.iter().any(sheet::is_check);
        let (slips, tried) = (items.iter().any(slip), self.tried.contains(&seat));
        if tries {
            self.tried.insert(seat.clone());
        }
        Some(Awaited { id, seat, does, quoted, slips, tries, tried })
    }

    fn given(&mut self, at: usize, seat: &SeatId, edits: &[Edited], mail: &str) {
        let Some(awaited) = self.awaited.take_if(|awaited| awaited.id == mail && awaited.seat == seat.0) else {
            return;
        };
        let fits_line = |line: &(u32, String, Expected), got: &Edited| {
            is(line, got)
                || awaited.slips && halts(line, got, Ending::Held)
                || awaited.tried && halts(line, got, Ending::Unsent)
        };
        let same = |expected: &[(u32, String, Expected)]| {
            expected.len() == edits.len() && expected.iter().zip(edits).all(|(line, got)| fits_line(line, got))
        };
        if !awaited.tries {
            self.tried.remove(&awaited.seat);
        }
        let fits = |expected: &[(u32, String, Expected)]| match &awaited.quoted {
            None => same(expected),
            Some(quoted) => of_letters(quoted, expected, edits),
        };
        if awaited.does.is_some_and(|expected| !fits(&expected)) {
            let seq = self.chain.get(at).map_or(0, |entry| entry.seq);
            self.otherwise.push((seq, format!("entry {seq}: the mail {mail} of {seat} says other lines than these")));
        }
    }

    /// A mail with lines for the sheet of which the game was given none.
    fn settle(&mut self) {
        let Some(awaited) = self.awaited.take() else { return };
        if awaited.quoted.is_none() && awaited.does.is_some_and(|does| !does.is_empty()) {
            self.unused
                .push(format!("the mail {} of {} has lines that the game was not given", awaited.id, awaited.seat));
        }
    }
}

/// Whether what a game was given for a line is what the line says.
fn is((no, text, what): &(u32, String, Expected), got: &Edited) -> bool {
    (no, text) == (&got.no, &got.text) && what.is(&got.edit)
}

/// Whether what a game was given for an END of a mail is that it does not count, for this reason.
fn halts((no, text, what): &(u32, String, Expected), got: &Edited, why: Ending) -> bool {
    matches!(what, Expected::Ends(_)) && (no, text) == (&got.no, &got.text) && got.edit == Edit::End(why)
}

/// Whether what a game was given is what a mail says of which some lines stand for those of a letter: each order of its own,
/// and beside them only such as were offered or tried. An END may hold or be left out, where something else was not taken; an
/// UNDO beside a SEND may leave out a line that was tried.
fn of_letters(quoted: &Quoted, expected: &[(u32, String, Expected)], edits: &[Edited]) -> bool {
    let spared = |what: &Expected| match what {
        Expected::Ends(_) => true,
        Expected::Edits(edit) => quoted.sends && matches!(edit, Edit::Drop(_)),
    };
    let says = |got: &Edited| expected.iter().any(|line| is(line, got) || halts(line, got, Ending::Held));
    let own = edits.iter().all(|got| says(got) || quoted.covers(got));
    own && expected.iter().filter(|(_, _, what)| !spared(what)).all(|line| edits.iter().any(|got| is(line, got)))
}
