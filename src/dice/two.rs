//! The dice protocol, version 2: what is bound before a game, the notice that closes sign-on, a rewind or a restore, and
//! the salt that follows from it.
//!
//! Every part of a digest has its length before it, so that none can run into the next. Pure: nothing is drawn here.

use super::{Bytes32, Commitment, Scope, hex, scopes};
use crate::fog::SideId;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use std::fmt;
use std::ops::RangeInclusive;

/// Its number, as bundles and chains name it.
pub const PROTOCOL: u32 = 2;
/// What stands in the terms for the program's rules where all secrets were fixed beforehand, as tests and lessons do: nobody has
/// anything to trust there, and the dice must be the same whichever program is built.
pub const FIXED: &str = "-";
/// Ids that no side may have: they are scopes of their own.
pub const RESERVED: [&str; 2] = ["public", "hidden"];
/// Fewest characters of words whose hash was sent first: a shorter phrase can be found from its hash.
pub const WORDS_CHARS_MIN: usize = 16;

/// Bytes of a seal, so that its line is short.
const SEAL_BYTES: usize = 20;

/// What a notice waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Nothing.
    None,
    /// A round of drand's quicknet.
    Quicknet(u64),
    /// What will be announced.
    Value(String),
}

/// What a seat gave before a notice was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nonce {
    /// Its words lie open; the SHA-256 of them, in hexadecimal.
    Open(String),
    /// It sent the SHA-256 of its words, in hexadecimal; the words come after the notice.
    Hash(String),
    /// It gave none.
    None,
}

/// What a notice closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// All seats have signed on, or their time is over.
    SignOn,
    /// Play goes back.
    Rewind,
    /// The post office was restored from a backup.
    Restore,
    /// The notice before it came to nothing.
    Again,
}

/// What is bound into the root beside the commitments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound<'a> {
    /// The game's id.
    pub game: &'a str,
    /// Its ruleset and version.
    pub ruleset: (&'a str, u32),
    /// The digest of the rules' sources, in hexadecimal.
    pub rules: &'a str,
    /// The scenario's digest, sealed.
    pub scenario: Bytes32,
    /// `live` or `sealed`.
    pub tempo: &'a str,
    /// The sides in the scenario's order.
    pub sides: &'a [SideId],
    /// The playing seats with their sides, in the scenario's order.
    pub seats: Vec<(String, String)>,
    /// The last slot that is committed.
    pub slots: u32,
    /// Where values come from: `none`, `quicknet` with seconds, or `value` with words.
    pub beacon: String,
    /// SHA-256 of the options' file in hexadecimal; none where the game has no options.
    pub options: Option<String>,
}

/// What closes sign-on, a rewind or a restore: a text, mailed to every seat and entered into the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Its number, from 0.
    pub no: u32,
    /// The game's id.
    pub game: String,
    /// The root of what it commits: that of the opening mail for the first.
    pub root: Bytes32,
    /// The slots under that root.
    pub slots: (u32, u32),
    /// What it closes.
    pub why: Why,
    /// When it was written, in UTC.
    pub at: String,
    /// What each seat gave, in the scenario's order.
    pub nonces: Vec<(String, Nonce)>,
    /// What it waits for.
    pub source: Source,
}

/// The seed of a slot and scope.
pub fn seed(master: &Bytes32, game: &str, slot: u32, scope: &str) -> Bytes32 {
    keyed(master, &[b"estafette/2/seed", game.as_bytes(), &slot.to_be_bytes(), scope.as_bytes()])
}

/// The published commitment to a seed.
pub fn commit(game: &str, slot: u32, scope: &str, seed: &Bytes32) -> Bytes32 {
    digest(&[b"estafette/2/commit", game.as_bytes(), &slot.to_be_bytes(), scope.as_bytes(), seed])
}

/// The scopes of a slot in the order of the published list: `public`, the sides in the scenario's order, `hidden`.
pub fn scopes_of(sides: &[SideId]) -> Vec<Scope> {
    scopes(sides).into_iter().chain([Scope::Hidden]).collect()
}

/// The commitments to the seeds of some slots, in the order of the published list.
pub fn commitments(master: &Bytes32, game: &str, slots: RangeInclusive<u32>, sides: &[SideId]) -> Vec<Commitment> {
    let of = |slot: u32| {
        scopes_of(sides).into_iter().map(move |scope| {
            let scope = scope.text().to_owned();
            let commit = commit(game, slot, &scope, &seed(master, game, slot, &scope));
            Commitment { slot, scope, commit }
        })
    };
    slots.flat_map(of).collect()
}

/// The published list: a line for each commitment.
pub fn list(commitments: &[Commitment]) -> String {
    commitments.iter().map(|line| format!("{line}\n")).collect()
}

/// What blinds the scenario's digest, so that nobody can test guesses of the hidden set-up by it.
pub fn blind(master: &Bytes32, game: &str) -> Bytes32 {
    keyed(master, &[b"estafette/2/blind", game.as_bytes()])
}

/// The scenario's digest, sealed by the blind.
pub fn sealed_scenario(blind: &Bytes32, digest: &Bytes32) -> Bytes32 {
    keyed(blind, &[b"estafette/2/scenario", digest])
}

/// The root over the terms and the list of commitments.
pub fn root(terms: &str, list: &str) -> Bytes32 {
    digest(&[b"estafette/2/root", terms.as_bytes(), list.as_bytes()])
}

/// SHA-256 of a seat's words, blanks around them dropped: what `printf %s "words" | sha256sum` says.
pub fn hash_of_words(words: &str) -> String {
    hex(&Sha256::digest(words.trim().as_bytes()))
}

/// The one form of what was announced, in which it is mixed in: its runs of letters and figures in small letters, figures
/// without zeros before them, one blank between two. So `4, 8, 15` and `04 - 08 - 15` give the same dice, and who enters it
/// has no choice between spellings.
pub fn announced(said: &str) -> String {
    let word = |word: &str| match word.bytes().all(|b| b.is_ascii_digit()) {
        true => match word.trim_start_matches('0') {
            "" => "0".to_owned(),
            figures => figures.to_owned(),
        },
        false => word.to_owned(),
    };
    let small = said.to_lowercase();
    let words = small.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(word).collect::<Vec<_>>().join(" ")
}

/// The salt of all rolls in the slots of a notice, from its text, the seats' words in the scenario's order (empty where
/// none were given) and the value that it waited for (empty where it waited for none).
pub fn salt(notice: &str, words: &[(String, String)], value: &[u8]) -> Bytes32 {
    let mut parts: Vec<&[u8]> = vec![b"estafette/2/salt", notice.as_bytes()];
    for (seat, said) in words {
        parts.extend([seat.as_bytes(), said.trim().as_bytes()]);
    }
    parts.push(value);
    digest(&parts)
}

/// The key of the seal under a mail: no seat has it before the master is shown, and no two mails share one.
fn seal_key(master: &Bytes32, game: &str, seat: &str, epoch: &str, number: u32) -> Bytes32 {
    let number = number.to_be_bytes();
    keyed(master, &[b"estafette/2/seal-key", game.as_bytes(), seat.as_bytes(), epoch.as_bytes(), &number])
}

/// What a seal is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sealed<'a> {
    /// The game's id.
    pub game: &'a str,
    /// Whose mail it is.
    pub seat: &'a str,
    /// The mail's running number.
    pub number: u32,
    /// The last restore's name; empty before the first.
    pub epoch: &'a str,
    /// The seal of the seat's mail before; empty for the first.
    pub before: &'a str,
    /// The digest of its words.
    pub paper: Bytes32,
    /// The hash of the chain's entry before the mail's own, in hexadecimal: by it the seal is over all that had happened.
    pub head: &'a str,
}

/// The seal under a mail of the first master's game.
pub fn seal(master: &Bytes32, of: &Sealed<'_>) -> String {
    let key = seal_key(master, of.game, of.seat, of.epoch, of.number);
    let made = keyed(&key, &[b"estafette/2/seal", of.before.as_bytes(), &of.paper, of.head.as_bytes()]);
    data_encoding::BASE32_NOPAD.encode(made.get(..SEAL_BYTES).unwrap_or(&made)).to_ascii_lowercase()
}

/// The dice of one roll.
pub fn roll(seed: &Bytes32, salt: &Bytes32, label: &str, n: u32, count: u32, sides: u32) -> Vec<u32> {
    let key = keyed(seed, &[b"estafette/2/roll", salt, label.as_bytes(), &n.to_be_bytes()]);
    super::thrown(key, count, sides)
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::None => f.write_str("none"),
            Source::Quicknet(round) => write!(f, "quicknet {round}"),
            Source::Value(what) => write!(f, "value {what}"),
        }
    }
}

impl fmt::Display for Nonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Nonce::Open(hash) => write!(f, "open {hash}"),
            Nonce::Hash(hash) => write!(f, "hash {hash}"),
            Nonce::None => f.write_str("none -"),
        }
    }
}

impl Why {
    /// Reads what [`Why::as_str`] writes.
    pub fn read(text: &str) -> Option<Why> {
        [Why::SignOn, Why::Rewind, Why::Restore, Why::Again].into_iter().find(|why| why.as_str() == text)
    }

    /// As a notice says it.
    pub fn as_str(self) -> &'static str {
        match self {
            Why::SignOn => "sign-on",
            Why::Rewind => "rewind",
            Why::Restore => "restore",
            Why::Again => "again",
        }
    }
}

impl fmt::Display for Bound<'_> {
    /// The text of the terms, a line each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ruleset, version) = self.ruleset;
        writeln!(f, "estafette {PROTOCOL}\ngame {}\nruleset {ruleset} {version}", self.game)?;
        writeln!(f, "rules {}\nscenario {}\ntempo {}", self.rules, hex(&self.scenario), self.tempo)?;
        self.sides.iter().try_for_each(|side| writeln!(f, "side {side}"))?;
        self.seats.iter().try_for_each(|(seat, side)| writeln!(f, "seat {seat} {side}"))?;
        let options = self.options.as_deref().unwrap_or("-");
        writeln!(f, "slots {}\nbeacon {}\noptions {options}", self.slots, self.beacon)
    }
}

impl fmt::Display for Notice {
    /// Its text, a line each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "notice {}\ngame {}\nroot {}", self.no, self.game, hex(&self.root))?;
        writeln!(f, "slots {} {}\nwhy {}\nat {}", self.slots.0, self.slots.1, self.why.as_str(), self.at)?;
        self.nonces.iter().try_for_each(|(seat, nonce)| writeln!(f, "nonce {seat} {nonce}"))?;
        writeln!(f, "source {}", self.source)
    }
}

impl Notice {
    /// Reads the text of a notice; none where it is not one, or would be written otherwise.
    pub fn read(text: &str) -> Option<Notice> {
        let mut lines = text.lines();
        let mut field = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ').map(str::to_owned);
        let (no, game, root) = (field("notice")?.parse().ok()?, field("game")?, field("root")?);
        let slots = field("slots")?;
        let (first, last) = slots.split_once(' ')?;
        let why = Why::read(&field("why")?)?;
        let at = field("at")?;
        let (mut nonces, mut source) = (Vec::new(), None);
        for line in lines.by_ref() {
            if let Some(said) = line.strip_prefix("source ") {
                source = Some(match said.split_once(' ') {
                    None if said == "none" => Source::None,
                    Some(("quicknet", round)) => Source::Quicknet(round.parse().ok()?),
                    Some(("value", what)) => Source::Value(what.to_owned()),
                    _ => return None,
                });
                break;
            }
            let mut words = line.strip_prefix("nonce ")?.rsplitn(3, ' ');
            let (hash, kind, seat) = (words.next()?.to_owned(), words.next()?, words.next()?);
            let nonce = match kind {
                "open" => Nonce::Open(hash),
                "hash" => Nonce::Hash(hash),
                "none" => Nonce::None,
                _ => return None,
            };
            nonces.push((seat.to_owned(), nonce));
        }
        let root = data_encoding::HEXLOWER.decode(root.as_bytes()).ok()?.try_into().ok()?;
        let slots = (first.parse().ok()?, last.parse().ok()?);
        let read = Notice { no, game, root, slots, why, at, nonces, source: source? };
        (read.to_string() == text).then_some(read)
    }
}

fn digest(parts: &[&[u8]]) -> Bytes32 {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(length(part));
        hasher.update(part);
    }
    hasher.finalize().into()
}

fn keyed(key: &Bytes32, parts: &[&[u8]]) -> Bytes32 {
    // HMAC takes a key of any length, so this cannot fail; the fallback keeps the function total.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return [0; 32] };
    for part in parts {
        mac.update(&length(part));
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

/// No part is 4 GiB long: mails and files are far smaller.
fn length(part: &[u8]) -> [u8; 4] {
    u32::try_from(part.len()).unwrap_or(u32::MAX).to_be_bytes()
}
