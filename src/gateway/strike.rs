//! What a seat writes to another: no reply tag goes with it, however it is written, and nothing in it can pass for ours.
//!
//! Who quotes a report gives nobody his seat, whether his program has folded the tag over two lines, put marks of
//! quotation or characters that nobody sees between its letters, or spelled them as a web address or a web page does.

use super::error::Trouble;
use super::sitting::Sitting;
use crate::letter::shape;
use crate::mail::tag;
use std::collections::BTreeSet;

/// Characters of a secret: of a reply tag, of one of the first release, and of a Message-ID of ours, which counts as one.
const LENGTHS: [usize; 3] = [tag::CHARS, 26, 32];
/// How many of them are looked at first.
const BEGIN: usize = 4;
/// Longest spelling of one character: `&#000000120;`.
const SPELLING_CHARS_MAX: usize = 12;
/// How often a spelling is spelled out: a web address within a web address.
const LAYERS: usize = 3;

/// A character of a text, and where it stands: the first place and the one behind the last.
type Placed = (char, usize, usize);

/// A way to spell a character by its number.
type Spelling = fn(&[Placed]) -> Option<(char, usize)>;

/// The secrets of all mails of a game.
#[derive(Default)]
pub(super) struct Secrets {
    all: BTreeSet<String>,
    /// Which first letters there are: most places of a text begin no secret, and cost one look.
    begins: BTreeSet<[u8; BEGIN]>,
}

impl Secrets {
    fn has(&self, window: &str) -> bool {
        let begin = window.as_bytes().first_chunk();
        begin.is_some_and(|begin| self.begins.contains(begin)) && self.all.contains(window)
    }
}

impl FromIterator<String> for Secrets {
    fn from_iter<I: IntoIterator<Item = String>>(secrets: I) -> Secrets {
        let all: BTreeSet<String> = secrets.into_iter().collect();
        let begins = all.iter().filter_map(|secret| secret.as_bytes().first_chunk().copied()).collect();
        Secrets { all, begins }
    }
}

impl Sitting<'_> {
    /// The lines of a seat as another may read them.
    pub(super) fn untagged(&self, lines: &[String]) -> Result<Vec<String>, Trouble> {
        let mut text = lines.join("\n");
        for secret in self.tags_of_others(&text)? {
            text = text.replace(&secret, "…");
        }
        // Shorter than a secret in any spelling.
        if text.len() >= tag::CHARS {
            text = struck(&text, self.secrets()?);
        }
        Ok(shape::foreign(&text.split('\n').map(str::to_owned).collect::<Vec<_>>()))
    }

    /// The secrets of all mails of this game. What is written in this very act is known to nobody yet.
    fn secrets(&self) -> Result<&Secrets, Trouble> {
        if let Some(known) = self.secrets.get() {
            return Ok(known);
        }
        let desk = self.desk();
        let seats = self.act.seats(&self.row.id)?;
        let mut tags = Vec::new();
        for row in &seats {
            for number in 1..=row.mails_sent {
                tags.extend(desk.tags(&row.seat, number, None)?);
            }
        }
        let copies = self.act.stand_ins_copies(&self.row.id)?;
        for (seat, number, by) in &copies {
            tags.extend(desk.tags(seat, *number, Some(by))?);
        }
        let tags = tags.into_iter().map(|tag| tag.secret);
        let names = self.act.message_ids(&self.row.id)?;
        let names = names.iter().filter_map(|id| Some(id.split_once('@')?.0.to_owned()));
        let found: Secrets = tags.chain(names).collect();
        Ok(self.secrets.get_or_init(|| found))
    }

    /// The words of a text that are tags, or names of mails, of whatever game of the post office.
    fn tags_of_others(&self, text: &str) -> Result<BTreeSet<String>, Trouble> {
        let words: BTreeSet<&str> = text
            .split(|c: char| !c.is_ascii_alphanumeric())
            .chain(text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-'))
            .filter(|word| word.len() >= tag::CHARS)
            .collect();
        let domain = self.env.config.message_domain();
        let mut tags = BTreeSet::new();
        for word in words {
            let short = tag::canonical(word).map(|secret| self.act.tag_holder(&secret)).transpose()?.flatten();
            let holder = match (short, word.len()) {
                (Some(holder), _) => Some(holder),
                (None, 26) => self.act.tag_holder(&word.to_lowercase())?,
                (None, 32) => self.act.holder_of_copy(&format!("{}@{domain}", word.to_lowercase()))?,
                (None, _) => None,
            };
            if holder.is_some() {
                tags.insert(word.to_owned());
            }
        }
        Ok(tags)
    }
}

/// A text without the secrets, read as it stands and in every spelling; its lines stay lines.
fn struck(text: &str, secrets: &Secrets) -> String {
    let whole: Vec<char> = text.chars().collect();
    let placed: Vec<Placed> = whole.iter().enumerate().map(|(at, c)| (*c, at, at + 1)).collect();
    let mut gone: BTreeSet<usize> = BTreeSet::new();
    let mut first: BTreeSet<usize> = BTreeSet::new();
    let spelled = text.contains(['%', '=', '&']);
    let all = if spelled { readings(placed) } else { vec![placed] };
    for reading in all {
        let letters: Vec<Placed> = reading.into_iter().filter(|(c, ..)| c.is_ascii_alphanumeric()).collect();
        let said: String = letters.iter().map(|(c, ..)| c.to_ascii_lowercase()).collect();
        // As a tag is read: O for 0, and so on.
        let read: String = letters.iter().map(|(c, ..)| tag::character(*c).unwrap_or('?')).collect();
        for (at, long) in (0..said.len()).flat_map(|at| LENGTHS.map(|long| (at, long))) {
            let window = if long == tag::CHARS { &read } else { &said };
            if window.get(at..at + long).is_some_and(|window| secrets.has(window))
                && let Some(((_, from, _), (_, _, to))) = letters.get(at).zip(letters.get(at + long - 1))
            {
                first.insert(*from);
                gone.extend(*from..*to);
            }
        }
    }
    let mut out = String::new();
    for (at, c) in whole.into_iter().enumerate() {
        if first.contains(&at) {
            out.push('…');
        }
        if c == '\n' || !gone.contains(&at) {
            out.push(c);
        }
    }
    out
}

/// A text as it stands, in each spelling, and in all of them within each other.
fn readings(placed: Vec<Placed>) -> Vec<Vec<Placed>> {
    let spellings: [Spelling; 3] = [percent, printable, entity];
    let mut all: Vec<Vec<Placed>> = spellings.iter().map(|one| spelled_out(&placed, &[*one])).collect();
    let mut deep = placed.clone();
    for _ in 0..LAYERS {
        deep = spelled_out(&deep, &spellings);
        all.push(deep.clone());
    }
    all.push(placed);
    all
}

/// A text with what is spelled by number put as the character that is meant.
fn spelled_out(placed: &[Placed], spellings: &[Spelling]) -> Vec<Placed> {
    let mut out = Vec::with_capacity(placed.len());
    let mut rest = placed;
    while let Some((_, from, to)) = rest.first().copied() {
        let window = rest.get(..rest.len().min(SPELLING_CHARS_MAX)).unwrap_or_default();
        let meant = spellings.iter().find_map(|spelling| spelling(window));
        match meant.and_then(|(c, long)| Some((c, long, window.get(long.checked_sub(1)?)?.2))) {
            Some((c, long, end)) => {
                out.push((c, from, end));
                rest = rest.get(long..).unwrap_or_default();
            }
            None => {
                out.push((rest.first().map_or(' ', |(c, ..)| *c), from, to));
                rest = rest.get(1..).unwrap_or_default();
            }
        }
    }
    out
}

/// `%6b`.
fn percent(text: &[Placed]) -> Option<(char, usize)> {
    hex_behind('%', text)
}

/// `=6B`.
fn printable(text: &[Placed]) -> Option<(char, usize)> {
    hex_behind('=', text)
}

fn hex_behind(mark: char, text: &[Placed]) -> Option<(char, usize)> {
    let [(first, ..), (high, ..), (low, ..), ..] = text else { return None };
    let code = high.to_digit(16)? * 16 + low.to_digit(16)?;
    (*first == mark).then_some(())?;
    Some((char::from_u32(code)?, 3))
}

/// `&#107;` and `&#x6b;`.
fn entity(text: &[Placed]) -> Option<(char, usize)> {
    let end = text.iter().position(|(c, ..)| *c == ';')?;
    let said: String = text.get(..end)?.iter().map(|(c, ..)| *c).collect();
    let number = said.strip_prefix("&#")?;
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    Some((char::from_u32(code)?, end + 1))
}
