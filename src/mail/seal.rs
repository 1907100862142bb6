//! The seal's line under a mail of ours, and the digest of what stands above it.
//!
//! What mail servers do to a mail on its way (encodings, head lines, a footer below) must not change that digest: it is of the
//! lines between our marks alone, without blanks at their ends.

use super::script::{REPORT_END, REPORT_MARK};
use sha2::{Digest, Sha256};

/// How the line begins. It is 37 columns wide, and no program wraps it.
pub const SEAL: &str = "seal ";

/// A mail's lines as far as they are ours, without the seal's, and the seal.
struct Own<'t> {
    lines: Vec<&'t str>,
    seal: Option<&'t str>,
    /// What stands above and below: other programs' words.
    around: (Vec<&'t str>, Vec<&'t str>),
}

fn own(text: &str) -> Own<'_> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let first = lines.iter().position(|line| line.starts_with(REPORT_MARK));
    let last = first.and_then(|first| {
        let behind = lines.iter().skip(first).position(|line| *line == REPORT_END)?;
        Some(first.saturating_add(behind))
    });
    // A letter of the operator's own template may lack our marks: then all of it is ours.
    let (from, to) = match (first, last) {
        (Some(first), Some(last)) => (first, last),
        _ => (0, lines.iter().rposition(|line| !line.is_empty()).map_or(0, |at| at.saturating_add(1))),
    };
    let mut inside: Vec<&str> = lines.get(from..to).unwrap_or_default().to_vec();
    let seal = inside.last().and_then(|line| line.strip_prefix(SEAL)).filter(|seal| !seal.contains(' '));
    if seal.is_some() {
        inside.pop();
    }
    let around = (lines.get(..from).unwrap_or_default().to_vec(), lines.get(to..).unwrap_or_default().to_vec());
    Own { lines: inside, seal, around }
}

/// SHA-256 of what a mail of ours says, from its first mark to its end mark.
pub fn paper(text: &str) -> [u8; 32] {
    let own = own(text);
    let end = own.around.1.first().filter(|line| **line == REPORT_END);
    let lines: Vec<&str> = own.lines.into_iter().chain(end.copied()).collect();
    Sha256::digest(lines.join("\n").as_bytes()).into()
}

/// The seal of a mail, where it has one.
pub fn seal_of(text: &str) -> Option<&str> {
    own(text).seal
}

/// The mail with this seal straight above its end mark, in the place of the one that it may have.
pub fn with_seal(text: &str, seal: &str) -> String {
    let own = own(text);
    let line = format!("{SEAL}{seal}");
    let lines = own.around.0.into_iter().chain(own.lines).chain([line.as_str()]).chain(own.around.1);
    let mut sealed = lines.collect::<Vec<_>>().join("\n");
    sealed.push('\n');
    sealed
}
