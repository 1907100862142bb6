//! Mails of ours read strictly, as the standards have them: what a tolerant reader would mend is a fault here.

use super::pool::INJECTED;
use estafette::mail::read::{Limits, read};
use estafette::mail::tag::ReplyTag;
use estafette::store::Store;
use estafette::text::width;

/// A letter of ours, as its reader gets it.
#[derive(Clone, Debug)]
pub struct Letter {
    pub to: String,
    pub subject: String,
    pub text: String,
    pub id: String,
    pub in_reply_to: Option<String>,
    pub raw: Vec<u8>,
}

impl Letter {
    /// Its reply tag.
    pub fn tag(&self) -> Option<ReplyTag> {
        ReplyTag::find(&self.subject)
    }

    /// The game and the seat that it belongs to, if it has a tag.
    pub fn whose(&self, store: &Store) -> Option<(String, String)> {
        self.tag()?;
        let kept = store.outbox_by_message_id(&self.id).unwrap()?;
        Some((kept.game?, kept.seat?))
    }
}

const LINE_OCTETS_MAX: usize = 998;
const HEADER_OCTETS_MAX: usize = 8_000;
const COLUMNS: usize = 76;
const ONCE: &[&str] = &["from", "to", "subject", "date", "message-id"];
const KNOWN: &[&str] = &[
    "from",
    "to",
    "subject",
    "date",
    "message-id",
    "in-reply-to",
    "references",
    "mime-version",
    "content-type",
    "content-transfer-encoding",
    "auto-submitted",
    "x-loop",
    "x-auto-response-suppress",
    "precedence",
    "reply-to",
    "list-id",
];

/// Reads a mail of ours; the letter, and every fault of its form.
pub fn letter(raw: &[u8]) -> (Option<Letter>, Vec<String>) {
    let mut faults = Vec::new();
    for (at, byte) in raw.iter().enumerate() {
        let bare_lf = *byte == b'\n' && (at == 0 || raw[at - 1] != b'\r');
        let bare_cr = *byte == b'\r' && raw.get(at + 1) != Some(&b'\n');
        if bare_lf || bare_cr || *byte == 0 {
            faults.push("a line end or a zero that may not be".to_owned());
            break;
        }
    }
    if raw.split(|byte| *byte == b'\n').any(|line| line.len() > LINE_OCTETS_MAX + 1) {
        faults.push("a line of more than 998 octets".to_owned());
    }
    let end = raw.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(raw.len());
    let head = String::from_utf8_lossy(&raw[..end]).into_owned();
    let headers = headers(&head, &mut faults);
    let all = |name: &str| {
        headers.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str()).collect::<Vec<_>>()
    };
    for name in ONCE {
        if all(name).len() != 1 {
            faults.push(format!("{} times {name}", all(name).len()));
        }
    }
    for (name, value) in &headers {
        if !KNOWN.contains(&name.as_str()) || name.eq_ignore_ascii_case(INJECTED) {
            faults.push(format!("a header that is none of ours: {name}"));
        }
        if value.len() > HEADER_OCTETS_MAX {
            faults.push(format!("{name} has {} octets", value.len()));
        }
        if matches!(name.as_str(), "message-id" | "in-reply-to" | "references")
            && (value.split_whitespace().any(|id| !is_msg_id(id)) || value.trim().is_empty())
        {
            faults.push(format!("{name} holds what is no id: {}", value.chars().take(120).collect::<String>()));
        }
    }
    let to = all("to").first().map_or("", |to| *to).to_owned();
    if to.parse::<lettre::message::Mailbox>().is_err() || !to.is_ascii() {
        faults.push(format!("its recipient is no mailbox: {to:?}"));
    }
    let in_reply_to = all("in-reply-to").first().map(|id| (*id).trim().to_owned());
    let Ok(incoming) = read(
        raw,
        &Limits { mail_bytes_max: usize::MAX, text_bytes_max: usize::MAX, lines_max: usize::MAX, ..Limits::default() },
    ) else {
        faults.push("it cannot be read".to_owned());
        return (None, faults);
    };
    if incoming.text.chars().any(|c| c.is_control() && c != '\n' && c != '\t') {
        faults.push("a control character in its text".to_owned());
    }
    // What has no blank in it cannot be wrapped; a line of orders, which begins with a verb, is copied as it stands.
    let wide = |line: &&str| {
        let first = line.split_whitespace().next().unwrap_or_default();
        let verb = first.len() > 2 && first.chars().all(|c| c.is_ascii_uppercase() || c == '-');
        width(line) > COLUMNS && line.trim().contains(' ') && !verb && !line.contains(['[', '{'])
    };
    // As it was written: our own reader spells some characters out in several.
    let parsed = mail_parser::MessageParser::default().parse(raw);
    let shown = parsed.as_ref().and_then(|mail| mail.body_text(0)).unwrap_or_default();
    if let Some(line) = shown.lines().find(wide) {
        faults.push(format!("a line wider than 76 columns: {}", line.chars().take(100).collect::<String>()));
    }
    let to = to.rsplit('<').next().unwrap_or_default().trim_end_matches('>').to_owned();
    let letter = Letter {
        to,
        id: incoming.head.message_id,
        subject: incoming.head.subject,
        text: incoming.text,
        in_reply_to,
        raw: raw.to_vec(),
    };
    (Some(letter), faults)
}

/// The headers, unfolded, by their names in small letters.
fn headers(head: &str, faults: &mut Vec<String>) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in head.split("\r\n") {
        if !line.bytes().all(|byte| byte == b'\t' || (b' '..=b'~').contains(&byte)) {
            faults.push(format!("a head that is not ASCII: {}", line.chars().take(120).collect::<String>()));
        }
        if line.starts_with([' ', '\t']) {
            match found.last_mut() {
                Some((_, value)) => value.push_str(line),
                None => faults.push("a head that begins with a fold".to_owned()),
            }
            continue;
        }
        match line.split_once(':') {
            Some((name, value)) if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic()) => {
                found.push((name.to_ascii_lowercase(), value.trim().to_owned()));
            }
            _ => faults.push(format!("a head line that is no header: {}", line.chars().take(120).collect::<String>())),
        }
    }
    found
}

/// What every reader takes for one id: visible ASCII between angle brackets.
fn is_msg_id(id: &str) -> bool {
    let inside = id.strip_prefix('<').and_then(|id| id.strip_suffix('>')).unwrap_or_default();
    let visible = |byte: u8| byte.is_ascii_graphic() && byte != b'<' && byte != b'>';
    (1..=990).contains(&inside.len()) && inside.bytes().all(visible)
}
