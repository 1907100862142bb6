//! Message-IDs as values: what can be written into a header, and nothing else.

use std::fmt;

/// Octets of an id that is taken, without its angle brackets.
const OCTETS_MAX: usize = 250;
/// The last ids of a thread that are kept beside its first (RFC 5322 §3.6.4 lets a long list be cut).
const LAST_MAX: usize = 20;

/// A Message-ID without its angle brackets.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MessageId(String);

impl MessageId {
    /// Takes a bare id that can be written between angle brackets: printable ASCII without blanks or brackets.
    pub fn parse(text: &str) -> Option<MessageId> {
        let legal = |byte: u8| byte.is_ascii_graphic() && byte != b'<' && byte != b'>';
        (!text.is_empty() && text.len() <= OCTETS_MAX && text.bytes().all(legal)).then(|| MessageId(text.to_owned()))
    }

    /// An id of our own making: hexadecimal digits at our domain.
    pub(super) fn own(hex: &str, domain: &str) -> MessageId {
        MessageId(format!("{hex}@{domain}"))
    }

    /// The ids between the angle brackets of a header's value, oldest first; what cannot be written is left out, and a
    /// value without brackets is one id or none.
    pub(super) fn all(value: &str) -> Vec<MessageId> {
        if !value.contains('<') {
            return MessageId::parse(value.trim()).into_iter().collect();
        }
        // An id with a bracket within is none, nor is what no bracket closes.
        let closed = value.rsplit_once('>').map_or("", |(closed, _)| closed);
        let pieces = closed.split('>').filter(|piece| piece.matches('<').count() == 1);
        pieces.filter_map(|piece| MessageId::parse(piece.rsplit('<').next()?)).collect()
    }

    /// The id without angle brackets.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MessageId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// A thread that is never longer than its first id and the last twenty.
pub fn thread(ids: Vec<MessageId>) -> Vec<MessageId> {
    let dropped = 1..ids.len().saturating_sub(LAST_MAX).max(1);
    ids.into_iter().enumerate().filter(|(at, _)| !dropped.contains(at)).map(|(_, id)| id).collect()
}
