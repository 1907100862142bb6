//! What stands behind the word of a general command: each reads the whole rest of its line, or says what is wrong with it.

use super::commands::Command;
use super::form;
use super::pause::TimeCommand;
use crate::orders::{Fault, Word, fold};

/// Nothing, behind a word that takes nothing.
///
/// # Errors
/// What stands there.
pub(super) fn bare(word: &str, rest: &[&Word]) -> Result<(), Fault> {
    // RESIGN YES is an old form of it; both only ask for a code.
    let old = word == "RESIGN" && rest.len() == 1 && rest.first().is_some_and(|w| w.fold == "yes");
    match rest.first().filter(|_| super::commands::BARE.contains(&word) && !old) {
        None => Ok(()),
        Some(odd) => {
            let alone = format!("the end of the line, where {word} should stand alone");
            Err(Fault::unclear(&odd.text, &alone, [], Some(word.to_owned())))
        }
    }
}

pub(super) fn missing(expected: &str, example: &str) -> Fault {
    Fault::unclear("", expected, [], Some(example.to_owned()))
}

/// What becomes of a seat's addresses.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AddressChange {
    /// They are listed.
    List,
    /// One more.
    Add(String),
    /// One less.
    Drop(String),
    /// This one in place of all.
    Only(String),
}

/// Hexadecimal digits of a SHA-256.
const HASH_DIGITS: usize = 64;

/// The SHA-256 of words, in hexadecimal.
pub(super) fn nonce_hash(said: &str) -> Result<Command, Fault> {
    let hash = said.trim().to_ascii_lowercase();
    match hash.len() == HASH_DIGITS && hash.bytes().all(|b| b.is_ascii_hexdigit()) {
        true => Ok(Command::NonceHash(hash)),
        false => Err(Fault::unclear(
            said,
            "the 64 digits that  printf %s \"your words\" | sha256sum  shows",
            [],
            Some("NONCE-HASH debc3e67785860546d019b71df9b51db3ec077e14348062c4288c2f148e49dc1".to_owned()),
        )),
    }
}

/// Something behind what a command takes.
fn left_over(odd: &Word, example: &str) -> Fault {
    Fault::unclear(&odd.text, "the end of the line", [], Some(example.to_owned()))
}

pub(super) fn resend(rest: &[&Word]) -> Result<Command, Fault> {
    let number = rest.first().and_then(|w| w.text.parse().ok());
    match (number, rest.get(1)) {
        (Some(number), None) => Ok(Command::Resend(number)),
        (Some(_), Some(odd)) => Err(left_over(odd, "RESEND 15")),
        (None, _) => Err(missing("the number of a mail", "RESEND 15")),
    }
}

/// ADDRESS: nothing, an address, or ADD or DROP and an address.
pub(super) fn address(said: &str) -> Result<AddressChange, Fault> {
    let mut words = said.split_whitespace().map(|word| word.trim_matches(['<', '>', ',']).to_lowercase());
    let missing = || missing("a mail address", "ADDRESS name@example.org");
    match (words.next(), words.next(), words.next()) {
        (None, ..) => Ok(AddressChange::List),
        (Some(word), Some(to), None) if word == "add" => Ok(AddressChange::Add(to)),
        (Some(word), Some(to), None) if word == "drop" => Ok(AddressChange::Drop(to)),
        (Some(to), None, _) if to.contains('@') => Ok(AddressChange::Only(to)),
        _ => Err(missing()),
    }
}

pub(super) fn turn(rest: &[&Word], example: &str) -> Result<Option<u32>, Fault> {
    let rest = rest.split_first().filter(|(w, _)| w.fold == "turn").map_or(rest, |(_, behind)| behind);
    let Some(said) = rest.first() else { return Ok(None) };
    match said.text.parse() {
        Ok(turn) => match rest.get(1) {
            None => Ok(Some(turn)),
            Some(odd) => Err(left_over(odd, example)),
        },
        Err(_) => Err(Fault::unclear(&said.text, "the number of a turn", [], Some(example.to_owned()))),
    }
}

/// A paragraph of a part that has a letter before its numbers: `H.7`.
fn lettered(said: &str) -> Option<String> {
    let (head, tail) = said.split_once('.')?;
    let letters = (1..=2).contains(&head.len()) && head.chars().all(|c| c.is_ascii_alphabetic());
    let digits = !tail.is_empty() && tail.chars().all(|c| c.is_ascii_digit() || c == '.');
    (letters && digits).then(|| said.to_uppercase())
}

/// The paragraph of RULES: `242`, `¶242`, `300.7`, `16.4` or `H.7`; a part of an index that has no numbers by its name.
pub(super) fn rules(rest: &[&Word]) -> Result<Command, Fault> {
    const NAMED: [&str; 2] = ["glossary", "example"];
    const SIGNS: [&str; 4] = ["¶", "§", "rule", "paragraph"];
    let rest = rest.split_first().filter(|(w, _)| SIGNS.contains(&w.fold.as_str())).map_or(rest, |(_, behind)| behind);
    if let Some(odd) = rest.get(1) {
        return Err(left_over(odd, "RULES 242"));
    }
    let known = rest.first().and_then(|word| crate::text::paragraphs(&word.text).or_else(|| lettered(&word.text)));
    let named = || NAMED.into_iter().find(|name| rest.first().is_some_and(|w| w.fold == *name));
    let said = rest.first().map_or("", |w| w.text.as_str());
    match known.or_else(|| named().map(str::to_owned)) {
        Some(number) => Ok(Command::Rules(number)),
        None => Err(Fault::unclear(said, "the number of a paragraph", NAMED, Some("RULES 242".to_owned()))),
    }
}

pub(super) fn why(rest: &[&Word]) -> Result<Command, Fault> {
    let rest = rest.split_first().filter(|(w, _)| w.fold == "line").map_or(rest, |(_, behind)| behind);
    let said = rest.first().map_or("", |w| w.text.as_str());
    match said.parse() {
        Ok(line) => match rest.get(1) {
            None => Ok(Command::Why(line)),
            Some(odd) => Err(left_over(odd, "WHY 4")),
        },
        Err(_) => {
            let expected = "the number of an event of your last report";
            Err(Fault::unclear(said, expected, [], Some("WHY 4".to_owned())))
        }
    }
}

pub(super) fn format(rest: &[&Word]) -> Result<Command, Fault> {
    const FORMS: [&str; 10] = ["76", "40", "plates", "sheet", "both", "text", "ascii", "full", "short", "plain"];
    const MEANT: &str = "76, 40, PLATES, SHEET, BOTH, TEXT, ASCII, FULL, SHORT or PLAIN";
    if rest.is_empty() {
        return Err(missing(MEANT, "FORMAT 76"));
    }
    let mut said: Vec<String> = Vec::new();
    for word in rest {
        match (word.fold.as_str(), said.last().map(String::as_str)) {
            ("on", Some("sheet")) => {}
            ("off", Some("sheet")) => {
                said.pop();
                said.push(form::NO_SHEET.to_owned());
            }
            (word, _) if FORMS.contains(&word) => said.push(word.to_owned()),
            _ => return Err(Fault::unclear(&word.text, MEANT, FORMS, Some("FORMAT 40".to_owned()))),
        }
    }
    Ok(Command::Format(said))
}

/// `UNTIL 29 Mar 20:00` without its first word.
pub(super) fn untilled(text: &str) -> String {
    let mut words = text.splitn(2, char::is_whitespace);
    match words.next().map(fold).as_deref() {
        Some("until" | "to") => words.next().unwrap_or_default().trim().to_owned(),
        _ => text.to_owned(),
    }
}

pub(super) fn replace(rest: &[&Word]) -> Result<Command, Fault> {
    let example = || Some("REPLACE coalition kutuzov@example.org".to_owned());
    let Some(seat) = rest.first() else { return Err(Fault::unclear("", "a seat", [], example())) };
    let said = rest.get(1).map_or("", |w| w.text.as_str());
    if !said.contains('@') {
        return Err(Fault::unclear(said, "a mail address", [], example()));
    }
    let allow = rest.get(2).is_some_and(|w| w.fold == "allow");
    if let Some(odd) = rest.get(2 + usize::from(allow)) {
        return Err(Fault::unclear(&odd.text, "ALLOW, or the end of the line", [], example()));
    }
    Ok(Command::Time(TimeCommand::Replace { seat: seat.text.clone(), address: said.to_lowercase(), allow }))
}

pub(super) fn extend(rest: &[&Word]) -> Result<Command, Fault> {
    let example = || Some("EXTEND coalition 24".to_owned());
    let Some(seat) = rest.first() else { return Err(Fault::unclear("", "a seat", [], example())) };
    if rest.get(1).is_some_and(|w| matches!(w.fold.as_str(), "to" | "until")) {
        let at: Vec<&str> = rest.iter().skip(2).map(|w| w.text.as_str()).collect();
        return Ok(Command::Time(TimeCommand::Until(seat.text.clone(), at.join(" "))));
    }
    let said = rest.get(1).map_or("", |w| w.text.as_str());
    match said.trim_end_matches(['h', 'H']).parse() {
        Ok(hours @ 1..=8784) => {
            let unit = rest.get(2).is_some_and(|w| matches!(w.fold.as_str(), "h" | "hours" | "hour"));
            match rest.get(2 + usize::from(unit)) {
                None => Ok(Command::Extend { seat: seat.text.clone(), hours }),
                Some(odd) => Err(left_over(odd, "EXTEND coalition 24")),
            }
        }
        _ => Err(Fault::unclear(said, "a number of hours", [], example())),
    }
}
