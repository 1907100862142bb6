//! The reply tag in a subject, `[moravia-7/french/k3x9…]`, by which a mail finds its seat.

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
/// Characters of a secret: fewest and most taken for one.
const SECRET_CHARS: std::ops::RangeInclusive<usize> = 6..=64;

/// A reply tag as read from a subject or as written into one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyTag {
    /// The game's id, lower-case.
    pub game: String,
    /// The seat's name, lower-case.
    pub seat: String,
    /// The secret of the report that is answered, as written.
    pub secret: String,
}

impl ReplyTag {
    /// Finds the first tag in a subject, wherever it stands.
    ///
    /// White space within the brackets is passed over: some programs put it there where they fold a long subject.
    pub fn find(subject: &str) -> Option<ReplyTag> {
        // Each bracket is looked behind, so only so many are looked at.
        subject.match_indices('[').take(TAGS_TRIED_MAX).find_map(|(at, _)| {
            let inside: String = subject.get(at + 1..)?.chars().take(TAG_CHARS_MAX).collect();
            let (inside, _) = inside.split_once(']')?;
            ReplyTag::of_words(&inside.split_whitespace().collect::<String>())
        })
    }

    fn of_words(inside: &str) -> Option<ReplyTag> {
        let mut parts = inside.split('/');
        let (game, seat, secret) = (parts.next()?, parts.next()?, parts.next()?);
        let whole = parts.next().is_none() && is_name(game) && is_name(seat);
        let secret_good =
            SECRET_CHARS.contains(&secret.len()) && secret.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (whole && secret_good).then(|| ReplyTag {
            game: game.to_ascii_lowercase(),
            seat: seat.to_ascii_lowercase(),
            secret: secret.to_owned(),
        })
    }
}

impl fmt::Display for ReplyTag {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "[{}/{}/{}]", self.game, self.seat, self.secret)
    }
}

fn is_name(word: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    !word.is_empty() && word.len() <= NAME_CHARS_MAX && word.bytes().all(legal)
}

/// Writes 16 secret bytes as the 26 characters of a tag's secret (base32, lower-case).
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
