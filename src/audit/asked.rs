//! What a mail asked for, and must have come of it: what an umpire's lines order or look at stands in the ledger behind
//! them, and touches whom it shows.

use super::GameLine;
use super::causes::commands_of;
use super::chain::text;
use super::entries::Read;
use super::orders::Mails;
use super::umpires::touches;
use super::verify::Findings;
use crate::gateway::commands::Command;
use crate::gateway::verbs::Verb;
use crate::gateway::{TimeCommand, choices, is_umpire};
use crate::orders::fold;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Lines of an umpire's mail above which the post office may have read a part alone.
const LINES_MAX: usize = 20;
/// Commands of it above which it may have been told that they are too many.
const COMMANDS_MAX: usize = 5;

/// Each umpire's line that must have come to something has its entry in the ledger.
pub(super) fn ledger_as_asked(game: &GameLine, mails: &Mails<'_>, chain: &[Read<'_>], found: &mut Findings) {
    let mut asked = Asked::of(game, chain);
    // By whom, and what must stand in the ledger, in order.
    let mut waits: Option<(&str, Vec<Must>)> = None;
    for entry in chain {
        let body = &entry.body;
        if entry.came_in() {
            found.faults.extend(waits.take().and_then(|(seat, waits)| lacking(entry, seat, &waits)));
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
            found.faults.extend(lacking(entry, seat, &missing));
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

/// What of a seat should stand in the ledger before an entry.
fn lacking(entry: &Read<'_>, seat: &str, missing: &[Must]) -> Option<String> {
    let said = || format!("entry {}: before it {} of {seat} should stand in the ledger", entry.seq, listed(missing));
    (!missing.is_empty()).then(said)
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
    let touches = touches(body);
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
