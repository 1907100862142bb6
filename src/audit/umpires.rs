//! What the umpires did: each act on the game was of an umpire of this game, stands in the ledger behind it, and is what his
//! line says; and what he wrote by mail stands in his mails.
//!
//! No entry of its own tells who wrote an act, from where and why: the input that the host keeps names the umpire and his
//! reason, and the ledger's entry behind it the time, the words, and whether he sat at the console. Together they say all
//! that such an entry would, and the input is compared when the game is played again.

use super::chain::{seats, text};
use super::entries::Read;
use super::orders::{Mails, bare};
use super::verify::Findings;
use super::{GameLine, Line};
use crate::gateway::commands::{self, Command, What};
use crate::gateway::is_umpire;
use crate::gateway::verbs::Verb;
use crate::host::Act;
use crate::orders::fold;
use serde_json::Value;
use std::collections::BTreeMap;

/// What the ledger says behind the name of who sat at the post office itself.
const AT_CONSOLE: &str = " (at the console)";
const PAGE: &str = "page";

/// What is wrong with the acts of the umpires, and with their ledger.
pub(super) fn umpires_in_chain(
    game: &GameLine,
    (lines, mails): (&[Line], &Mails<'_>),
    chain: &[Read<'_>],
    found: &mut Findings,
) {
    let umpires = umpires(game, chain);
    let is_ours = |seat: &str| umpires.contains(&seat) || (umpires.is_empty() && is_umpire(seat));
    let mut written: BTreeMap<&str, String> = BTreeMap::new();
    let mut waits: Option<&Read<'_>> = None;
    let mut unanswered: Option<&str> = None;
    for (at, entry) in chain.iter().enumerate() {
        let (seq, body) = (entry.seq, &entry.body);
        let why = match entry.kind {
            _ if entry.came_in() => {
                let seat = text(body, "seat");
                let silent = unanswered.take().map(|_| "the umpire's mail before it had no answer");
                if let Some(mail) = mails.get(text(body, "message_id")) {
                    let all = written.entry(seat).or_default();
                    mail.script.iter().for_each(|line| all.push_str(&bare(line)));
                    // Who says nothing that is for us may get no answer.
                    let items = commands::split(&mail.script, &|_| false, true);
                    items.iter().filter_map(|item| called(&item.what)).for_each(|word| all.push_str(word));
                    let asks = items.iter().any(|item| matches!(item.what, What::General(_)));
                    unanswered = Some(seat).filter(|seat| asks && umpires.contains(seat));
                }
                silent
            }
            "post.mail" if unanswered == Some(text(body, "seat")) => {
                unanswered = None;
                None
            }
            "input" if text(body, "kind") == "umpire" => {
                let missing = waits.replace(entry).map(|_| "the act before it stands in no ledger");
                missing.or((!is_ours(text(body, "by"))).then_some("who acts is no umpire of this game"))
            }
            "post.ledger" => {
                let by = text(body, "by");
                let (seat, console) = by.strip_suffix(AT_CONSOLE).map_or((by, false), |seat| (seat, true));
                let acts = body.get("input") == Some(&Value::Bool(true));
                let all_read = mails.len() == lines.iter().filter(|line| is_in(line)).count();
                let said = written.get(seat).map(String::as_str).unwrap_or_default();
                if !is_ours(seat) {
                    Some("who acts is no umpire of this game")
                } else if acts {
                    waits.take().map_or(Some("no act stands before it"), |input| otherwise(game, input, body, seat))
                } else {
                    None
                }
                .or_else(|| (!console && all_read).then(|| unwritten(body, said, acts)).flatten())
                .or_else(|| touched(game, body))
                .or_else(|| malformed(body))
                .or_else(|| chosen(at.checked_sub(1).and_then(|at| chain.get(at)), body))
                .or_else(|| page(chain.get(at.saturating_add(1)), body, seat))
            }
            _ => None,
        };
        if let Some(why) = why {
            found.faults.push(format!("entry {seq} ({}): {why}", entry.kind));
        }
    }
    if unanswered.is_some() {
        found.faults.push("the umpire's last mail had no answer".to_owned());
    }
    if let Some(entry) = waits {
        found.faults.push(format!("entry {} ({}): the act stands in no ledger", entry.seq, entry.kind));
    }
}

/// What the ledger calls a command that may be written otherwise: cut short, or MAP.
fn called(what: &What) -> Option<&'static str> {
    let What::General(Ok(command)) = what else { return None };
    Some(match command {
        Command::Report(_) | Command::Map(_) => "report",
        Command::History(_) => "history",
        Command::Summary => "summary",
        Command::Umpire(Verb::Remind(_)) => "remind",
        Command::Umpire(Verb::Ruling { .. }) => "ruling",
        Command::Umpire(Verb::Show(_)) => "show",
        _ => return None,
    })
}

fn is_in(line: &Line) -> bool {
    matches!(line, Line::Mail { direction, .. } if direction == "in")
}

/// A page goes to its umpire at once, and is told as nothing else.
fn page(next: Option<&Read<'_>>, body: &Value, seat: &str) -> Option<&'static str> {
    if text(body, "class") != PAGE {
        return (text(body, "text") == "PAGE").then_some("a page is of another class");
    }
    let mailed = next.is_some_and(|next| {
        next.kind == "post.mail" && text(&next.body, "direction") == "out" && text(&next.body, "seat") == seat
    });
    if text(body, "text") != "PAGE" || !text(body, "reason").is_empty() || text(body, "by") != seat {
        return Some("a page says PAGE, and no reason");
    }
    (!mailed).then_some("the page should be mailed behind it")
}

/// An entry has all its fields, and a reason only where something was changed or ruled.
fn malformed(body: &Value) -> Option<&'static str> {
    let has = |field: &&str| body.get(*field).is_some_and(Value::is_string);
    let whole = ["at", "by", "class", "text", "reason"].iter().all(has);
    let whole = whole && body.get("input").is_some_and(Value::is_boolean);
    let class = text(body, "class");
    let known = ["page", "look", "ruling", "change", "order"].contains(&class);
    let reasoned = matches!(class, "change" | "ruling") || text(body, "reason").is_empty();
    (!whole || !known || !reasoned).then_some("it is not of the form of a ledger")
}

/// A choice stands before its entry in the ledger.
fn chosen(before: Option<&Read<'_>>, body: &Value) -> Option<&'static str> {
    let mut words = text(body, "text").split(' ');
    if (words.next(), text(body, "class")) != (Some("OPTION"), "order") {
        return None;
    }
    let said = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let before = before.filter(|before| before.kind == "post.option");
    let same = before.is_some_and(|before| (text(&before.body, "key"), text(&before.body, "value")) == said);
    (!same).then_some("what was chosen does not stand before it")
}

/// The umpires' seats, as the game names them behind those of the players.
pub(super) fn umpires<'c>(game: &GameLine, chain: &'c [Read<'_>]) -> Vec<&'c str> {
    let seats = chain.first().into_iter().flat_map(|entry| seats(&entry.body));
    seats.skip(game.seats.len()).filter(|s| is_umpire(s)).collect()
}

/// The sides that an entry in the ledger says that it touches.
pub(super) fn touches(body: &Value) -> Vec<&str> {
    body.get("touches").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Whom an entry touches: sides of the game, and all of them where the whole of it is shown or stopped.
fn touched(game: &GameLine, body: &Value) -> Option<&'static str> {
    let touches = touches(body);
    // Who is reminded alone is told so alone.
    let order = text(body, "class") == "order" && !text(body, "text").starts_with("REMIND ");
    let whole = order || text(body, "class") == PAGE || text(body, "text").starts_with("REWIND");
    let known = touches.iter().all(|side| game.sides.iter().any(|known| known == side));
    match whole {
        true if !touches.iter().eq(game.sides.iter()) => Some("it touches all sides"),
        _ if !known => Some("it touches what is no side of the game"),
        _ => None,
    }
}

/// What stands in the ledger of an umpire who wrote a mail stands in that mail.
fn unwritten(body: &Value, said: &str, acts: bool) -> Option<&'static str> {
    let (class, line) = (text(body, "class"), text(body, "text"));
    let first = line.split_whitespace().next().unwrap_or_default();
    let stands = match class {
        PAGE => true,
        "change" if acts => said.contains(&bare(line)) && said.contains(&bare(text(body, "reason"))),
        _ => said.contains(&bare(first)),
    };
    (!stands).then_some("he wrote no such line")
}

/// What an act is in the ledger: of whom, why, and by which line.
fn otherwise(game: &GameLine, input: &Read<'_>, body: &Value, seat: &str) -> Option<&'static str> {
    let (line, reason) = (text(body, "text"), text(body, "reason"));
    if text(&input.body, "by") != seat || text(&input.body, "reason") != reason {
        return Some("the act before it is of another umpire, or has another reason");
    }
    let act: Option<Act> = input.body.get("act").cloned().and_then(|act| serde_json::from_value(act).ok());
    let whole = if reason.is_empty() { line.to_owned() } else { format!("{line} REASON {reason}") };
    let items = commands::split(&[whole], &|_| false, true);
    let command = items.first().and_then(|item| match &item.what {
        What::General(Ok(command)) => Some(command),
        _ => None,
    });
    let verb = command.and_then(|command| if let Command::Umpire(verb) = command { Some(verb) } else { None });
    let is_side =
        |said: &str, side: &str| fold(said) == fold(side) || game.seats.iter().any(|seat| fold(said) == fold(seat));
    let same = match (&act, verb) {
        (Some(Act::Rewind { rest }), Some(Verb::Rewind { rest: Some(said), .. })) => rest == said,
        (Some(Act::Amend { side, text }), Some(Verb::Amend { side: said, text: what, .. })) => {
            text == what && is_side(said, &side.0)
        }
        (Some(Act::Fiat(fiat)), Some(Verb::Fiat { scope, label, dice, .. })) => {
            let scope = scope.as_deref().filter(|said| fold(said) != "public");
            let own = fiat.scope.text();
            fiat.label == *label && fiat.dice == *dice && scope.map_or(own == "public", |said| is_side(said, own))
        }
        (Some(Act::Judge { dice }), Some(Verb::Judge(said))) => dice == said,
        (Some(Act::Free { on }), Some(Verb::Option(Some((key, value))))) => {
            key == "kriegsspiel" && (value == "on") == *on
        }
        // Its lines stand below, and are compared with his mail.
        (Some(Act::Become { .. }), _) => line.to_uppercase().starts_with("BECOME"),
        _ => false,
    };
    (!same).then_some("the act before it is not what the line says")
}
