//! The reply tag in a subject, `[k3x9-q2w7-hm5t]`, by which a mail finds its seat; and that of the first release, which
//! named game and seat beside a longer secret.

use data_encoding::{BASE32_NOPAD, HEXLOWER};
use sha2::{Digest, Sha256};
use std::fmt;
use subtle::ConstantTimeEq;

/// Characters between the brackets within which a tag is looked for.
const TAG_CHARS_MAX: usize = 240;
/// Brackets of a subject behind which a tag is looked for.
const TAGS_TRIED_MAX: usize = 50;
/// Characters of a game's or a seat's name.
const NAME_CHARS_MAX: usize = 64;
/// Characters of a secret of the first release: fewest and most taken for one.
const LONG_CHARS: std::ops::RangeInclusive<usize> = 6..=64;
/// Characters of a tag.
pub const CHARS: usize = 12;
/// Characters of a group, as a tag is written.
const GROUP: usize = 4;
/// Crockford's base32: no I, L, O, U.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// A reply tag as read from a subject or as written into one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyTag {
    /// The game's id and the seat's name, lower-case, which a tag of the first release has beside its secret.
    pub names: Option<(String, String)>,
    /// The secret of the report that is answered; that of a tag of the first release as it was written.
    pub secret: String,
}

impl ReplyTag {
    /// A tag of these twelve characters.
    pub fn of(secret: String) -> ReplyTag {
        ReplyTag { names: None, secret }
    }

    /// Finds the tag in a subject, wherever it stands.
    ///
    /// White space within the brackets is passed over: some programs put it there where they fold a long subject. A list's
    /// name in brackets may look like a tag; so what is written in three groups comes first, then what stands last.
    pub fn find(subject: &str) -> Option<ReplyTag> {
        // Each bracket is looked behind, so only so many are looked at: the first, and the last.
        let inside = |at: usize| {
            let inside: String = subject.get(at + 1..)?.chars().take(TAG_CHARS_MAX).collect();
            let (inside, _) = inside.split_once(']')?;
            Some(inside.split_whitespace().collect::<String>())
        };
        let first = || subject.match_indices('[').take(TAGS_TRIED_MAX).filter_map(|(at, _)| inside(at));
        let last = subject.rmatch_indices('[').take(TAGS_TRIED_MAX).filter_map(|(at, _)| inside(at));
        let tried: Vec<String> = last.chain(first()).collect();
        let grouped = tried.iter().find(|inside| is_grouped(inside)).and_then(|inside| canonical(inside));
        let short = grouped.or_else(|| tried.iter().find_map(|inside| canonical(inside)));
        short.map(ReplyTag::of).or_else(|| first().find_map(|inside| ReplyTag::of_words(&inside)))
    }

    fn of_words(inside: &str) -> Option<ReplyTag> {
        let mut parts = inside.split('/');
        let (game, seat, secret) = (parts.next()?, parts.next()?, parts.next()?);
        let whole = parts.next().is_none() && is_name(game) && is_name(seat);
        let secret_good = LONG_CHARS.contains(&secret.len()) && secret.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (whole && secret_good).then(|| ReplyTag {
            names: Some((game.to_ascii_lowercase(), seat.to_ascii_lowercase())),
            secret: secret.to_owned(),
        })
    }
}

impl fmt::Display for ReplyTag {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.names {
            Some((game, seat)) => write!(out, "[{game}/{seat}/{}]", self.secret),
            None => write!(out, "[{}]", grouped(&self.secret)),
        }
    }
}

fn is_name(word: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    !word.is_empty() && word.len() <= NAME_CHARS_MAX && word.bytes().all(legal)
}

/// Whether a word is written as a tag is: `k3x9-q2w7-hm5t`.
fn is_grouped(word: &str) -> bool {
    word.split('-').map(str::len).eq([GROUP, GROUP, GROUP])
}

/// The tag that a word means, in lower case without hyphens: O is read as 0, I and L as 1. None where it is no tag.
pub fn canonical(word: &str) -> Option<String> {
    let read: Option<String> = word.chars().filter(|c| *c != '-').map(character).collect();
    read.filter(|read| read.len() == CHARS)
}

/// A character of a tag as it is kept.
pub fn character(c: char) -> Option<char> {
    let meant = match c.to_ascii_lowercase() {
        'o' => '0',
        'i' | 'l' => '1',
        other => other,
    };
    u8::try_from(meant).is_ok_and(|byte| ALPHABET.contains(&byte)).then_some(meant)
}

/// A tag's characters in groups of four.
fn grouped(secret: &str) -> String {
    let letters: Vec<char> = secret.chars().collect();
    letters.chunks(GROUP).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

/// Writes the first 60 of 64 bits as the twelve characters of a tag.
pub fn short(bytes: &[u8; 8]) -> String {
    let bits = u64::from_be_bytes(*bytes) >> 4;
    let digit = |place: u32| usize::try_from(bits >> (5 * place) & 31).unwrap_or_default();
    (0..12).rev().filter_map(|place| ALPHABET.get(digit(place)).map(|byte| char::from(*byte))).collect()
}

/// Writes 16 secret bytes as 26 characters (base32, lower-case): a code, or the secret of a tag of the first release.
pub fn secret(bytes: &[u8; 16]) -> String {
    BASE32_NOPAD.encode(bytes).to_ascii_lowercase()
}

/// Digests a secret for the store: SHA-256, 64 hexadecimal digits.
pub fn hash(secret: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(secret.as_bytes()))
}

/// Tells whether a secret is the one whose `hash` was stored, in a time that does not tell how near it came.
pub fn matches(secret: &str, stored_hash: &str) -> bool {
    hash(secret).as_bytes().ct_eq(stored_hash.as_bytes()).into()
}
