//! What a mail asked for, and must have come of it: what an umpire's lines order or look at stands in the ledger behind
//! them, and touches whom it shows. What the program's own player gave is what it gives. A letter is withdrawn where play
//! goes back, and has its other words in its place; none is doubled.

use super::causes::{commands_of, is_in, is_out};
use super::chain::text;
use super::entries::Read;
use super::orders::incoming;
use super::verify::{Findings, bytes};
use super::{GameLine, Line};
use crate::dice::Master;
use crate::gateway::commands::Command;
use crate::gateway::verbs::Verb;
use crate::gateway::{TimeCommand, Whence, choices, house_noise, is_umpire};
use crate::host::{Game, Input, Looked};
use crate::orders::fold;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Lines of an umpire's mail above which the post office may have read a part alone.
const LINES_MAX: usize = 20;
/// Commands of it above which it may have been told that they are too many.
const COMMANDS_MAX: usize = 5;

/// Each umpire's line that must have come to something has its entry in the ledger.
pub(super) fn ledger_as_asked(game: &GameLine, lines: &[Line], chain: &[Read<'_>], found: &mut Findings) {
    let mails = incoming(lines);
    let mut asked = Asked::of(game, chain);
    // By whom, and what must stand in the ledger, in order.
    let mut waits: Option<(&str, Vec<Must>)> = None;
    for entry in chain {
        let body = &entry.body;
        if is_in(entry) {
            let missing = waits.take().filter(|(_, waits)| !waits.is_empty());
            if let Some((seat, missing)) = missing {
                found.faults.push(format!(
                    "entry {}: before it {} of {seat} should stand in the ledger",
                    entry.seq,
                    listed(&missing)
                ));
            }
            let (seat, mail) = (text(body, "seat"), mails.get(text(body, "message_id")));
            if let Some(mail) = mail.filter(|mail| is_umpire(seat) && mail.script.len() <= LINES_MAX) {
                waits = Some((seat, asked.of_mail(seat, &mail.script)));
            }
        } else if entry.kind == "post.ledger" {
            if let Some(why) = looked_at(game, body) {
                found.faults.push(format!("entry {} (post.ledger): {why}", entry.seq));
            }
            let own = waits.as_mut().filter(|(seat, _)| *seat == text(body, "by"));
            let Some((seat, waits)) = own else { continue };
            let Some(at) = waits.iter().position(|must| must.is(text(body, "text"))) else { continue };
            let missing: Vec<Must> = waits.drain(..=at).take(at).collect();
            if !missing.is_empty() {
                found.faults.push(format!(
                    "entry {}: before it {} of {seat} should stand in the ledger",
                    entry.seq,
                    listed(&missing)
                ));
            }
        }
        asked.note(entry);
    }
    if let Some((seat, missing)) = waits.filter(|(_, waits)| !waits.is_empty()) {
        found.faults.push(format!("{} of {seat} should stand in the ledger at its end", listed(&missing)));
    }
}

/// What must stand in the ledger.
enum Must {
    /// A line that says this.
    Says(Command),
    /// One of these words, or that begins so where it is not whole.
    Reads(String, bool),
}

impl Must {
    fn is(&self, line: &str) -> bool {
        match self {
            Must::Says(command) => commands_of(&[line.to_owned()], true).first() == Some(command),
            Must::Reads(words, true) => line == words,
            Must::Reads(begin, false) => line.starts_with(begin.as_str()),
        }
    }

    fn said(&self) -> String {
        match self {
            Must::Says(Command::Hold) => "HOLD".to_owned(),
            Must::Says(Command::Release) => "RELEASE".to_owned(),
            Must::Says(Command::Extend { seat, hours }) => format!("EXTEND {seat} {hours}"),
            Must::Says(Command::Time(command)) => command.line(),
            Must::Says(other) => format!("{other:?}"),
            Must::Reads(words, _) => words.trim().to_owned(),
        }
    }
}

fn listed(missing: &[Must]) -> String {
    missing.iter().map(Must::said).collect::<Vec<_>>().join(", ")
}

/// Whether a command only asks to be shown something.
fn looks(command: &Command) -> bool {
    matches!(
        command,
        Command::Umpire(Verb::Show(_)) | Command::Report(_) | Command::Map(_) | Command::History(_) | Command::Summary
    )
}

/// Whom a look touches: the side that is shown, and all where all is.
fn looked_at(game: &GameLine, body: &Value) -> Option<&'static str> {
    let touches: Vec<&str> =
        body.get("touches").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let shown = text(body, "text").strip_prefix("SHOW ").filter(|shown| game.sides.iter().any(|side| side == shown));
    let same = match shown {
        Some(shown) => touches == [shown],
        None => touches.iter().eq(game.sides.iter()),
    };
    (text(body, "class") == "look" && !same).then_some("it shows more than it says that it touches, or less")
}

/// What is known of a game when an umpire's mail comes in.
struct Asked<'c> {
    game: &'c GameLine,
    /// Umpires who play no side: they look, or get pages, and no seat changed hands.
    readers: BTreeSet<&'c str>,
    single: bool,
    running: bool,
    held: bool,
    paused: bool,
    dice: bool,
    open: BTreeMap<(&'c str, &'c str), bool>,
    options: BTreeMap<&'c str, &'c str>,
}

impl<'c> Asked<'c> {
    fn of(game: &'c GameLine, chain: &'c [Read<'c>]) -> Asked<'c> {
        let seats = chain.iter().any(|entry| matches!(entry.kind, "post.replace" | "post.address"));
        let reads = |entry: &&Read<'_>| {
            entry.kind == "post.ledger" && matches!(text(&entry.body, "class"), "page" | "look" | "change")
        };
        let by = |entry: &'c Read<'c>| text(&entry.body, "by").split(' ').next().unwrap_or_default();
        let readers = chain.iter().filter(reads).map(by).filter(|_| !seats).collect();
        Asked {
            game,
            readers,
            single: chain.iter().filter(|entry| entry.kind == "post.program").count() < 2,
            running: false,
            held: false,
            paused: false,
            dice: false,
            open: BTreeMap::new(),
            options: BTreeMap::new(),
        }
    }

    /// What must stand in the ledger behind an umpire's mail, in order. What the chain does not tell whether it could be done
    /// is not among it, nor what stands below a line that changes what is due.
    fn of_mail(&self, seat: &str, script: &[String]) -> Vec<Must> {
        let mut must = Vec::new();
        if !self.running {
            return must;
        }
        let (mut held, mut paused, mut chosen) = (self.held, self.paused, self.options.clone());
        let reads = self.readers.contains(seat);
        let commands = commands_of(script, true);
        if commands.len() > COMMANDS_MAX {
            return must;
        }
        for (at, command) in commands.iter().enumerate() {
            // What is asked twice is done once.
            if commands.iter().take(at).any(|before| before == command) && looks(command) {
                continue;
            }
            match command {
                Command::Hold => {
                    must.extend((!held).then(|| Must::Says(command.clone())));
                    held = true;
                }
                Command::Release => {
                    must.extend(self.single.then(|| Must::Says(command.clone())));
                    held = false;
                }
                Command::Extend { seat, .. } if self.is_due(seat) => must.push(Must::Says(command.clone())),
                Command::Time(TimeCommand::Pause(until)) => {
                    must.extend((!paused && until.trim().is_empty()).then(|| Must::Says(command.clone())));
                    if !until.trim().is_empty() {
                        break;
                    }
                    paused = true;
                }
                Command::Time(TimeCommand::Resume) => {
                    must.extend(paused.then(|| Must::Says(command.clone())));
                    paused = false;
                }
                Command::Time(TimeCommand::Proceed(seats)) => {
                    let all = seats.len() == 1 && seats.iter().all(|seat| fold(seat) == "all");
                    let done = all && !self.dice && !self.open.is_empty();
                    must.extend(done.then(|| Must::Says(command.clone())));
                    break;
                }
                Command::Umpire(Verb::Option(Some((key, value)))) if key != "kriegsspiel" => {
                    let choice = choices::CHOICES.iter().find(|(name, ..)| name == key).map(|(_, values, _)| *values);
                    let Some(values) = choice.filter(|values| values.contains(&value.as_str())) else { continue };
                    let now = chosen.remove(key.as_str()).or(values.first().copied()).unwrap_or_default();
                    if now != value {
                        must.push(Must::Reads(format!("OPTION {key} {value}"), true));
                        // What a second line of the mail makes of it is not followed.
                        break;
                    }
                }
                // These may change what is due and whether play goes on.
                Command::Umpire(
                    Verb::Rewind { rest: Some(_), .. }
                    | Verb::Amend { .. }
                    | Verb::Fiat { .. }
                    | Verb::Become { .. }
                    | Verb::Judge(_)
                    | Verb::Option(_),
                )
                | Command::Confirm(_)
                | Command::Beacon(_) => break,
                other => must.extend(self.shown(reads, other)),
            }
        }
        must
    }

    /// What stands in the ledger of a command that only shows or tells: a side to who looks, a page, a ruling.
    fn shown(&self, reads: bool, command: &Command) -> Option<Must> {
        let page = |word: &str| reads.then(|| Must::Reads(word.to_owned(), true));
        let known = |said: &str| {
            fold(said) == "all" || self.game.sides.iter().chain(&self.game.seats).any(|name| fold(name) == fold(said))
        };
        match command {
            Command::Umpire(Verb::Show(what)) => {
                self.side(what).filter(|_| reads).map(|side| Must::Reads(format!("SHOW {side}"), true))
            }
            Command::Umpire(Verb::Ruling { rule, to, .. }) if to.iter().all(|to| known(to)) => {
                Some(Must::Reads(format!("RULING ¶{} TO ", rule.trim_start_matches('¶')), false))
            }
            Command::Report(_) | Command::Map(None) => page("REPORT"),
            Command::History(_) => page("HISTORY"),
            Command::Summary => page("SUMMARY"),
            _ => None,
        }
    }

    /// Whether something with a deadline is due from a seat, or from any.
    fn is_due(&self, said: &str) -> bool {
        self.open.iter().any(|((seat, _), timed)| *timed && (fold(said) == "all" || fold(said) == fold(seat)))
    }

    /// A side by its name, or by one of its name's seats.
    fn side(&self, said: &str) -> Option<&str> {
        self.game.sides.iter().find(|side| fold(side) == fold(said)).map(String::as_str)
    }

    fn note(&mut self, entry: &'c Read<'c>) {
        let body = &entry.body;
        match entry.kind {
            "input" if text(body, "kind") == "begin" => self.running = true,
            "post.over" | "post.corrupt" => self.running = false,
            "post.hold" => self.held = true,
            "post.release" => self.held = false,
            "post.pause" => self.paused = true,
            "post.resume" => self.paused = false,
            "post.plan" => self.dice = true,
            "post.salt" => self.dice = false,
            "post.option" => _ = self.options.insert(text(body, "key"), text(body, "value")),
            "post.due" if body.get("done").is_some() => {
                _ = self.open.remove(&(text(body, "seat"), text(body, "address")))
            }
            "post.due" => {
                let timed = body.get("at").is_some_and(Value::is_string);
                self.open.insert((text(body, "seat"), text(body, "address")), timed);
            }
            _ => {}
        }
    }
}

/// A letter that went out: its number, its words, how many copies of it went out.
type Letter<'c> = (u64, &'c str, usize);

/// No letter is told twice or otherwise: only where play goes back are the held ones withdrawn, each with its other words at
/// once in its place.
pub(super) fn letters_once(chain: &[Read<'_>], found: &mut Findings) {
    let mut letters = Letters::default();
    for (at, entry) in chain.iter().enumerate() {
        let seat = text(&entry.body, "seat");
        let whys = match entry.kind {
            "post.withdrawn" => letters.withdrawn(chain, at, entry),
            "post.mail" if is_out(entry) => letters.out(at.checked_sub(1).and_then(|at| chain.get(at)), entry),
            _ => Vec::new(),
        };
        found.faults.extend(whys.into_iter().map(|why| format!("entry {} ({}): {why}", entry.seq, entry.kind)));
        match entry.kind {
            "post.hold" => letters.held = true,
            "post.release" => letters.held = false,
            "post.address" | "post.replace" | "post.stand-in" | "post.vacant" | "post.observer" => {
                _ = letters.moved.insert(seat)
            }
            "post.restored" | "post.epoch" => {
                let all: Vec<&str> = letters.last.keys().copied().collect();
                letters.moved.extend(all);
            }
            _ => {}
        }
    }
}

/// The letters of a chain as it is looked through.
#[derive(Default)]
struct Letters<'c> {
    last: BTreeMap<&'c str, Letter<'c>>,
    copies: BTreeMap<&'c str, usize>,
    /// Whose addresses are others than at first, or may be.
    moved: BTreeSet<&'c str>,
    sent: BTreeSet<(&'c str, &'c str)>,
    held: bool,
}

fn number(entry: &Read<'_>) -> u64 {
    entry.body.get("number").and_then(Value::as_u64).unwrap_or(0)
}

/// Whether two entries are of one letter.
fn same_letter(a: &Read<'_>, b: &Read<'_>) -> bool {
    ["seat", "message_id"].iter().all(|field| text(&a.body, field) == text(&b.body, field)) && number(a) == number(b)
}

impl<'c> Letters<'c> {
    /// What is wrong with a letter that is withdrawn.
    fn withdrawn(&self, chain: &[Read<'_>], at: usize, entry: &Read<'_>) -> Vec<&'static str> {
        let mut whys = Vec::new();
        let run = |entry: &&Read<'_>| entry.kind == "post.withdrawn" || is_out(entry);
        let before = chain.iter().take(at).rfind(|entry| !run(entry));
        let behind = chain.iter().skip(at).find(|entry| !run(entry));
        let back = before.is_some_and(|e| e.kind == "post.ledger" && text(&e.body, "text").starts_with("REWIND"));
        let restored = behind.is_some_and(|e| e.is_restore() || text(&e.body, "kind") == "restored");
        if !(restored || self.held && back) {
            whys.push("a letter is withdrawn only where play goes back and the game was held");
        }
        if !chain.get(at.saturating_add(1)).is_some_and(|next| is_out(next) && same_letter(entry, next)) {
            whys.push("nothing stands in the place of the letter");
        }
        if !self.sent.contains(&(text(&entry.body, "message_id"), text(&entry.body, "sha256"))) {
            whys.push("there was no such letter");
        }
        whys
    }

    /// What is wrong with a letter that goes out, behind the entry before it.
    fn out(&mut self, before: Option<&Read<'_>>, entry: &'c Read<'c>) -> Vec<&'static str> {
        let seat = text(&entry.body, "seat");
        self.sent.insert((text(&entry.body, "message_id"), text(&entry.body, "sha256")));
        if before.is_some_and(|before| before.kind == "post.withdrawn" && same_letter(before, entry)) {
            return Vec::new();
        }
        let (no, words) = (number(entry), text(&entry.body, "paper"));
        let known = self.last.get(seat).copied();
        let stays = !self.moved.contains(seat);
        if let Some((_, paper, count)) = known.filter(|(known, ..)| *known == no) {
            let count = count.saturating_add(1);
            self.last.insert(seat, (no, paper, count));
            let often = stays && self.copies.get(seat).is_some_and(|most| count > *most);
            return [
                (paper != words).then_some("a copy of the letter says something else"),
                often.then_some("the letter went out more often than those before it"),
            ]
            .into_iter()
            .flatten()
            .collect();
        }
        if known.is_some_and(|(known, ..)| no < known) {
            return vec!["a letter of that number went out before"];
        }
        self.last.insert(seat, (no, words, 1));
        let fewer = known.is_some_and(|(_, _, count)| count < *self.copies.entry(seat).or_insert(count));
        if stays && fewer {
            vec!["the letter before it went to fewer addresses than those before that"]
        } else {
            Vec::new()
        }
    }
}

/// What the program's own player gave, against what it gives when it is asked again.
pub(super) struct Houses {
    game: String,
    master: Option<[u8; 32]>,
    epoch: String,
    /// The inputs that are others, by their place.
    pub(super) otherwise: Vec<usize>,
}

impl Houses {
    pub(super) fn new(game: &GameLine, lines: &[Line]) -> Houses {
        let first = super::two::notices(lines).first().and_then(|notice| notice.master).or(game.master.as_deref());
        Houses { game: game.id.clone(), master: first.and_then(bytes), epoch: String::new(), otherwise: Vec::new() }
    }

    /// Looks at an input before it is played.
    pub(super) fn look(&mut self, game: &dyn Game, at: usize, looked: &Looked<'_>) {
        let Looked::Input(input) = looked else { return };
        match input {
            Input::Restored { epoch } => self.epoch.clone_from(epoch),
            Input::Orders { seat, lines, end, mail } => {
                let (Whence::House(number), Some(master)) = (Whence::read(mail), self.master) else { return };
                let noise = house_noise(&Master::from_bytes(master), &self.game, &self.epoch, &seat.0, number);
                let given = game.bot(seat, noise).body().clone();
                let own: Vec<&String> = given.iter().filter(|line| *line != "END").collect();
                if *end != (own.len() < given.len()) || !own.into_iter().eq(lines.iter().map(|(_, line)| line)) {
                    self.otherwise.push(at);
                }
            }
            _ => {}
        }
    }
}
