//! Tools of a forger of bundles: lines and entries changed, left out, doubled, moved; and all hashes and seals made anew by
//! one who holds the master.

use data_encoding::BASE64;
use estafette::audit::Line;
use estafette::dice::hex;
use estafette::dice::two::{self, Sealed};
use estafette::store::{FIRST_PREV, entry_hash};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// A finished game as a forger finds it.
pub struct Exhibit {
    pub name: &'static str,
    pub lines: Vec<Line>,
    pub mailbox: Vec<Vec<u8>>,
    pub master: [u8; 32],
    pub two: bool,
}

/// What a forger makes; none where the exhibit has nothing to be forged so.
pub type Forged = Option<Vec<Line>>;

/// Which of several.
#[derive(Clone, Copy)]
pub enum Which {
    First,
    Last,
}

pub fn kind(line: &Line) -> &'static str {
    match line {
        Line::Game(_) => "game",
        Line::Commit { .. } => "commit",
        Line::Root { .. } => "root",
        Line::Nonce { .. } => "nonce",
        Line::Terms { .. } => "terms",
        Line::Notice { .. } => "notice",
        Line::Seed { .. } => "seed",
        Line::Roll { .. } => "roll",
        Line::Mail { .. } => "mail",
        Line::Event { .. } => "event",
    }
}

pub fn entry_is(line: &Line, wanted: &str) -> bool {
    matches!(line, Line::Event { entry, .. } if entry == wanted)
}

pub fn body_of(line: &Line) -> Value {
    let Line::Event { body, .. } = line else { return Value::Null };
    serde_json::from_str(body).unwrap()
}

/// Makes every place, hash and seal of a chain anew.
pub fn refit(lines: &mut [Line], x: &Exhibit) {
    let game = lines.iter().find_map(|l| if let Line::Game(g) = l { Some(g.id.clone()) } else { None }).unwrap();
    let (mut before, mut at) = (FIRST_PREV.to_owned(), 0);
    let mut sealed: BTreeMap<String, (u64, String, String)> = BTreeMap::new();
    for line in lines {
        let Line::Event { seq, prev, hash, slot, entry, body } = line else { continue };
        at += 1;
        *seq = at;
        if entry == "post.mail" && body.contains("\"seal\"") {
            let mut value: Value = serde_json::from_str(body).unwrap();
            let read = (value["seat"].as_str(), value["number"].as_u64(), value["paper"].as_str());
            let (Some(seat), Some(number), Some(paper)) = read else { panic!("a letter without a seal: {value}") };
            let (seat, paper) = (seat.to_owned(), paper.to_owned());
            let last = sealed.get(&seat).cloned().unwrap_or_default();
            let seal = if last.0 == number && last.1 == paper {
                last.2
            } else {
                let digest = data_encoding::HEXLOWER.decode(paper.as_bytes()).unwrap().try_into().unwrap();
                let number = u32::try_from(number).unwrap();
                let of = Sealed {
                    game: &game,
                    seat: &seat,
                    number,
                    epoch: "",
                    before: &last.2,
                    paper: digest,
                    head: &before,
                };
                two::seal(&x.master, &of)
            };
            value["seal"] = seal.clone().into();
            sealed.insert(seat, (number, paper, seal));
            *body = value.to_string();
        }
        prev.clone_from(&before);
        *hash = entry_hash(prev, *slot, entry, body);
        before.clone_from(hash);
    }
}

impl Exhibit {
    /// The place of the first or last line that fits.
    pub fn place(&self, which: Which, fits: impl Fn(&Line) -> bool) -> Option<usize> {
        match which {
            Which::First => self.lines.iter().position(fits),
            Which::Last => self.lines.iter().rposition(fits),
        }
    }

    /// The places of all entries of a kind.
    pub fn entries(&self, wanted: &str) -> Vec<usize> {
        (0..self.lines.len()).filter(|at| entry_is(&self.lines[*at], wanted)).collect()
    }

    /// With the copy changed.
    pub fn with(&self, change: impl FnOnce(&mut Vec<Line>)) -> Forged {
        let mut lines = self.lines.clone();
        change(&mut lines);
        (lines != self.lines).then_some(lines)
    }

    /// With the copy changed and the chain made to fit.
    pub fn fit(&self, change: impl FnOnce(&mut Vec<Line>)) -> Forged {
        let mut lines = self.with(change)?;
        refit(&mut lines, self);
        Some(lines)
    }

    /// A line of a kind changed.
    pub fn line(&self, wanted: &str, which: Which, change: impl FnOnce(&mut Line)) -> Forged {
        let at = self.place(which, |line| kind(line) == wanted)?;
        self.with(|lines| change(&mut lines[at]))
    }

    pub fn drop(&self, wanted: &str, which: Which) -> Forged {
        let at = self.place(which, |line| kind(line) == wanted)?;
        self.with(|lines| _ = lines.remove(at))
    }

    pub fn drop_all(&self, wanted: &str) -> Forged {
        self.with(|lines| lines.retain(|line| kind(line) != wanted))
    }

    pub fn twice(&self, wanted: &str, which: Which) -> Forged {
        let at = self.place(which, |line| kind(line) == wanted)?;
        self.with(|lines| lines.insert(at, lines[at].clone()))
    }

    /// The first line of a kind and the first that differs from it change places.
    pub fn swap(&self, wanted: &str) -> Forged {
        let at = self.place(Which::First, |line| kind(line) == wanted)?;
        let other = self.place(Which::Last, |line| kind(line) == wanted).filter(|other| *other != at)?;
        self.with(|lines| lines.swap(at, other))
    }

    /// The body of an entry changed, the chain made to fit.
    pub fn entry(&self, wanted: &str, which: Which, change: impl FnOnce(&mut Value)) -> Forged {
        let at = self.place(which, |line| entry_is(line, wanted))?;
        self.body(at, change)
    }

    /// The same of an entry by its place.
    pub fn body(&self, at: usize, change: impl FnOnce(&mut Value)) -> Forged {
        self.fit(|lines| {
            let Line::Event { body, .. } = &mut lines[at] else { return };
            let mut value: Value = serde_json::from_str(body).unwrap();
            change(&mut value);
            *body = value.to_string();
        })
    }

    pub fn entry_drop(&self, wanted: &str, which: Which) -> Forged {
        let at = self.place(which, |line| entry_is(line, wanted))?;
        self.fit(|lines| _ = lines.remove(at))
    }

    pub fn entry_twice(&self, wanted: &str, which: Which) -> Forged {
        let at = self.place(which, |line| entry_is(line, wanted))?;
        self.fit(|lines| lines.insert(at, lines[at].clone()))
    }

    /// The place of an input that has lines of a player, and of the mail that brought it.
    pub fn order(&self) -> Option<(usize, usize, String)> {
        let at = self.place(Which::Last, |line| {
            let body = body_of(line);
            entry_is(line, "input") && body["kind"] == "sheet" && body["edits"].as_array().is_some_and(|e| e.len() > 1)
        })?;
        let id = body_of(&self.lines[at])["mail"].as_str()?.to_owned();
        let mail = self.mail(&id)?;
        Some((at, mail, id))
    }

    /// The place of a mail by its name.
    pub fn mail(&self, id: &str) -> Option<usize> {
        self.place(Which::First, |line| matches!(line, Line::Mail { message_id, .. } if message_id == id))
    }

    /// The place of a mail's entry by its name.
    pub fn mail_entry(&self, id: &str) -> Option<usize> {
        self.place(Which::First, |line| entry_is(line, "post.mail") && body_of(line)["message_id"] == id)
    }

    /// The bytes of a mail that came in changed, with its digest, and the chain made to fit.
    pub fn reword(&self, id: &str, change: impl FnOnce(String) -> String) -> Forged {
        let (at, entry) = (self.mail(id)?, self.mail_entry(id)?);
        self.fit(|lines| {
            let digest = {
                let Line::Mail { raw: Some(raw), sha256, .. } = &mut lines[at] else { return };
                let text = change(String::from_utf8(BASE64.decode(raw.as_bytes()).unwrap()).unwrap());
                *raw = BASE64.encode(text.as_bytes());
                *sha256 = hex(&Sha256::digest(text.as_bytes()));
                sha256.clone()
            };
            let Line::Event { body, .. } = &mut lines[entry] else { return };
            let mut value: Value = serde_json::from_str(body).unwrap();
            value["sha256"] = digest.into();
            *body = value.to_string();
        })
    }
}
