//! Raw bytes of a mail read: who, which seat, and the lines he wrote; or one sentence why not.
//!
//! Nothing here trusts the sender. The MIME parser is given a mail in which enclosed mails are made opaque first, since
//! it would follow them down as deep as they go.

use super::head;
use super::id::{MessageId, thread};
use super::loops::Automatic;
use super::script::order_lines;
use super::tag::ReplyTag;
use super::{clean, flowed, html, loops};
use crate::address::Address;
use data_encoding::HEXLOWER;
use mail_parser::decoders::charsets::map::charset_decoder;
use mail_parser::{Encoding, HeaderName, Message, MessageParser, MessagePart, MimeHeaders, PartType};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// How much of a mail is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest mail, in bytes as it came.
    pub mail_bytes_max: usize,
    /// Longest text, in bytes of UTF-8 after decoding.
    pub text_bytes_max: usize,
    /// Most lines of the text.
    pub lines_max: usize,
    /// Most MIME parts.
    pub parts_max: usize,
    /// Deepest nesting of MIME parts.
    pub depth_max: usize,
    /// Most header fields of the mail itself.
    pub headers_max: usize,
    /// The domain of our own Message-IDs; a mail with an id of our making is our own come back, a neighbour's is not.
    pub own_domain: Option<String>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            mail_bytes_max: 4 << 20,
            text_bytes_max: 1 << 20,
            lines_max: 20_000,
            parts_max: 100,
            depth_max: 20,
            headers_max: 500,
            own_domain: None,
        }
    }
}

/// What the head of a mail says, readable or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// By what the mail is known: its Message-ID without angle brackets, or `sha256:` and the digest where there is none
    /// that can be written.
    pub message_id: String,
    /// The Message-ID by which an answer names it.
    pub id: Option<MessageId>,
    /// SHA-256 of the raw bytes, 64 hexadecimal digits.
    pub digest: String,
    /// SHA-256 of what its writer wrote: the same however often and by whatever way the mail is delivered, where the
    /// servers on the way add headers of their own.
    pub content: String,
    /// The one sender: the one mailbox of the one From header.
    pub from: Option<Address>,
    /// The addresses of To and Cc, lower-case.
    pub to: Vec<String>,
    /// The subject, decoded, on one line.
    pub subject: String,
    /// The reply tag in the subject.
    pub tag: Option<ReplyTag>,
    /// The Message-ID of the mail that is answered.
    pub in_reply_to: Option<MessageId>,
    /// The Message-IDs of the thread, oldest first; of a long one the first and the last.
    pub references: Vec<MessageId>,
    /// Why the mail must never be answered (RFC 3834), where a machine wrote it.
    pub automatic: Option<Automatic>,
    /// The Message-ID of the mail of ours that a bounce speaks of.
    pub bounced: Option<String>,
    /// The topmost Authentication-Results (RFC 8601), unfolded; for `auth::check`.
    pub auth_results: Option<String>,
}

/// A mail that could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incoming {
    /// Who wrote it, and to which seat.
    pub head: Head,
    /// The whole text, decoded and cleaned.
    pub text: String,
    /// The lines that its writer wrote himself, in order; empty where he wrote none.
    pub script: Vec<String>,
}

/// A mail that could not be read; its head is as far as it was understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Unreadable {
    /// Why, as a sentence for its sender.
    pub reason: Reason,
    /// Who wrote it. An automatic mail is not answered even where it can't be read.
    pub head: Box<Head>,
}

/// Why a mail could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// No byte but white space.
    #[error("The mail is empty. Write the orders into the body of the mail, one a line.")]
    Empty,
    /// Parts, but none of them text.
    #[error(
        "The mail has no text, only attachments or encrypted parts. Write the orders into the body of the mail, one a line."
    )]
    NoText,
    /// Not a mail, or its encoding can't be undone.
    #[error("The mail is broken: its encoding cannot be undone. Send it again as plain text.")]
    Broken,
    /// More than a limit.
    #[error(
        "The mail is too large: it has {found} {what}, and at most {most} are read. Send only the orders, as plain text."
    )]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// How many it has.
        found: usize,
        /// How many are read.
        most: usize,
    },
    /// No From header, or none that is one address.
    #[error("The mail does not say who sent it: it has no From address. Send it from your usual mail program.")]
    NoFrom,
    /// Two From headers: programs differ in which they believe.
    #[error("The mail has more than one From header, so nobody can tell who sent it. Send it with one.")]
    TwoFrom,
}

/// Reads one mail.
pub fn read(raw: &[u8], limits: &Limits) -> Result<Incoming, Unreadable> {
    read_part(raw, raw.len(), limits)
}

/// Reads one mail of which the first bytes are here, and `bytes` came.
pub fn read_part(raw: &[u8], bytes: usize, limits: &Limits) -> Result<Incoming, Unreadable> {
    let digest = HEXLOWER.encode(&Sha256::digest(raw));
    let (message_id, content) = (format!("sha256:{digest}"), digest.clone());
    let unread = Head { message_id, digest, content, ..Head::default() };
    let cut = raw.get(..limits.mail_bytes_max).unwrap_or(raw);
    if cut.iter().all(u8::is_ascii_whitespace) {
        return Err(Unreadable { reason: Reason::Empty, head: Box::new(unread) });
    }
    // A mail that is too large, or has too much of something, is read as far as its head, so that its sender can be told:
    // the parser holds some hundred bytes for each part and each field.
    let swollen = swollen(cut, limits);
    let cut = if swollen.is_some() { head_alone(cut, limits.headers_max) } else { cut };
    let opaque = opaque(cut);
    let Some(message) = parse(&opaque) else {
        return Err(Unreadable { reason: Reason::Broken, head: Box::new(unread) });
    };
    let head = head_of(&message, cut, unread, limits);
    let text = match (swollen, body_of(&message, bytes.max(raw.len()), &head, limits)) {
        // Nobody can be told of it.
        (_, Err(reason @ (Reason::NoFrom | Reason::TwoFrom))) => Err(reason),
        (Some(reason), _) => Err(reason),
        (None, text) => text,
    };
    match text {
        Ok(text) => Ok(Incoming { script: order_lines(&text), text, head }),
        Err(reason) => Err(Unreadable { reason, head: Box::new(head) }),
    }
}

/// The words of a mail as they were written, where it can be read: nothing of them is made clean.
pub fn written(raw: &[u8]) -> Option<String> {
    let opaque = opaque(raw);
    text_of(&parse(&opaque)?).ok()
}

/// The files that go with a mail: name and content.
pub fn files(raw: &[u8]) -> Vec<(String, Vec<u8>)> {
    let opaque = opaque(raw);
    let Some(message) = parse(&opaque) else { return Vec::new() };
    let named = |part: &MessagePart<'_>| Some((part.attachment_name()?.to_owned(), part.contents().to_vec()));
    message.attachments().filter_map(named).collect()
}

/// When the mail came to its reader's own server, as the topmost of its `Received` lines says it, in seconds of Unix time.
pub fn came_at(raw: &[u8]) -> Option<i64> {
    let fields = head::fields(raw, Limits::default().headers_max);
    let (_, date) = head::first(&fields, "received")?.rsplit_once(';')?;
    second(date)
}

/// When its writer's program says that the mail was written, in seconds of Unix time.
pub fn dated(raw: &[u8]) -> Option<i64> {
    let fields = head::fields(raw, Limits::default().headers_max);
    second(head::first(&fields, "date")?)
}

/// A date as mails write it (RFC 5322), in seconds of Unix time.
fn second(date: &str) -> Option<i64> {
    let date = date.split('(').next().unwrap_or_default().trim();
    let date = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(date).ok()?;
    Some(date.as_second())
}

/// Bytes of a head that is read alone.
const HEAD_BYTES_MAX: usize = 256 << 10;
/// Most boundaries of parts that are looked for.
const BOUNDARIES_MAX: usize = 64;

/// What a mail has too much of, counted before it is parsed: header lines, and lines that begin a part by a boundary that
/// stands somewhere in the mail.
fn swollen(raw: &[u8], limits: &Limits) -> Option<Reason> {
    let lines = || raw.split(|byte| *byte == b'\n');
    let head = lines().take_while(|line| !line.trim_ascii().is_empty());
    let found = head.filter(|line| !line.starts_with(b" ") && !line.starts_with(b"\t")).count();
    if found > limits.headers_max {
        return Some(Reason::TooLarge { what: "header lines", found, most: limits.headers_max });
    }
    let mut boundaries: BTreeSet<&[u8]> = BTreeSet::new();
    for line in lines() {
        let at = line.windows(8).position(|word| word.eq_ignore_ascii_case(b"boundary"));
        let Some(rest) = at.and_then(|at| line.get(at + 8..)) else { continue };
        // The parser allows blanks about it, and the numbered form of RFC 2231.
        let Some(is) = rest.iter().take(8).position(|byte| *byte == b'=') else { continue };
        let value = rest.get(is + 1..).unwrap_or_default().trim_ascii_start();
        let value = value.strip_prefix(b"\"").unwrap_or(value);
        let end = value.iter().position(|byte| matches!(byte, b'"' | b';' | b'\r' | b' ')).unwrap_or(value.len());
        boundaries.extend(value.get(..end).filter(|value| !value.is_empty()));
        if boundaries.len() > BOUNDARIES_MAX {
            let found = boundaries.len();
            return Some(Reason::TooLarge { what: "boundaries of parts", found, most: BOUNDARIES_MAX });
        }
    }
    let begins =
        |line: &[u8]| line.strip_prefix(b"--").is_some_and(|rest| boundaries.iter().any(|b| rest.starts_with(b)));
    // A part has a line before it and its container one behind it.
    let found = if boundaries.is_empty() { 0 } else { lines().filter(|line| begins(line)).count() };
    let most = limits.parts_max.saturating_mul(2);
    (found > most).then_some(Reason::TooLarge { what: "parts", found, most: limits.parts_max })
}

/// The first header lines of a mail, and no body.
fn head_alone(raw: &[u8], fields: usize) -> &[u8] {
    let raw = raw.get(..HEAD_BYTES_MAX).unwrap_or(raw);
    let (mut end, mut count) = (0, 0);
    for line in raw.split_inclusive(|byte| *byte == b'\n') {
        let folded = line.starts_with(b" ") || line.starts_with(b"\t");
        count += usize::from(!folded);
        if line.trim_ascii().is_empty() || count > fields {
            break;
        }
        end += line.len();
    }
    raw.get(..end).unwrap_or(raw)
}

/// Makes enclosed mails opaque: in each Content-Type that names one, `/` becomes `_`.
///
/// The parser nests an enclosed mail in its encloser, and a chain of them overflows the stack. It also reads a header
/// name with blanks within and after a boundary's line, hence the generous match. Lengths and offsets stay.
fn opaque(raw: &[u8]) -> Cow<'_, [u8]> {
    let mut out = Cow::Borrowed(raw);
    let mut from = 0;
    while from < raw.len() {
        let end = logical_line_end(raw, from);
        let line = raw.get(from..end).unwrap_or_default();
        // A header has a colon, and a line of a picture's letters has none.
        let header = if line.contains(&b':') { line } else { &[] };
        let squeezed: Vec<u8> =
            header.iter().filter(|byte| !byte.is_ascii_whitespace()).map(u8::to_ascii_lowercase).collect();
        let holds = |word: &[u8]| squeezed.windows(word.len()).any(|window| window == word);
        if holds(b"content-type") && (holds(b"rfc822") || holds(b"global") || holds(b"digest")) {
            let slashes = out.to_mut().get_mut(from..end).unwrap_or_default();
            slashes.iter_mut().filter(|byte| **byte == b'/').for_each(|byte| *byte = b'_');
        }
        from = end;
    }
    out
}

/// Where the line that starts at `from` ends, with the lines that continue it.
fn logical_line_end(raw: &[u8], from: usize) -> usize {
    let mut end = from;
    loop {
        let rest = raw.get(end..).unwrap_or_default();
        end += rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |at| at + 1);
        if !matches!(raw.get(end), Some(b' ' | b'\t')) {
            return end;
        }
    }
}

/// Parses, and keeps a fault of the parser (it holds assertions on its own state) from ending the post office.
fn parse(raw: &[u8]) -> Option<Message<'_>> {
    std::panic::catch_unwind(|| MessageParser::new().parse(raw)).ok().flatten().filter(|m| !m.parts.is_empty())
}

fn head_of(message: &Message<'_>, raw: &[u8], unread: Head, limits: &Limits) -> Head {
    let fields = head::fields(raw, limits.headers_max);
    let own_domain = limits.own_domain.as_deref();
    let value = |name: &str| head::first(&fields, name).unwrap_or_default();
    let id = MessageId::all(value("message-id")).into_iter().next();
    // What names no domain is no name that only one mail has, and might be one of the post office's own.
    let named = id.as_ref().map(ToString::to_string).filter(|id| id.contains('@'));
    let message_id = named.unwrap_or_else(|| unread.message_id.clone());
    let subject = decoded(value("subject"));
    let automatic = loops::automatic(&fields, &subject, &message_id, own_domain);
    let addresses = |header: Option<&mail_parser::Address<'_>>| -> Vec<String> {
        let found = header.into_iter().flat_map(|list| list.iter()).filter_map(|one| one.address.as_deref());
        found.map(|address| clean::clean_line(address).to_lowercase()).filter(|a| a.contains('@')).collect()
    };
    let body = raw.get(message.root_part().raw_body_offset() as usize..).unwrap_or_default();
    let mut to = addresses(message.to());
    to.extend(addresses(message.cc()));
    let from = head::sender(&fields);
    Head {
        digest: unread.digest,
        content: content_digest(from.as_ref(), &subject, body),
        from,
        to,
        tag: ReplyTag::find(&subject),
        subject,
        in_reply_to: MessageId::all(value("in-reply-to")).pop(),
        references: thread(MessageId::all(value("references"))),
        bounced: own_domain.and_then(|domain| loops::bounced(&fields, &String::from_utf8_lossy(body), domain)),
        automatic,
        auth_results: head::first(&fields, "authentication-results").map(str::to_owned),
        message_id,
        id,
    }
}

/// A subject with its encoded words decoded, on one line.
fn decoded(value: &str) -> String {
    let alone = format!("Subject: {value}\r\n\r\n");
    let subject = parse(alone.as_bytes()).and_then(|message| message.subject().map(clean::clean_line));
    subject.unwrap_or_default()
}

/// Digests sender, subject and body; line ends and the blanks at the end do not count.
fn content_digest(from: Option<&Address>, subject: &str, body: &[u8]) -> String {
    let mut digest = Sha256::new();
    let from = from.map(|from| from.to_lowercase()).unwrap_or_default();
    for part in [from.as_bytes(), subject.as_bytes()] {
        digest.update(part);
        digest.update(b"\0");
    }
    for line in body.trim_ascii_end().split(|byte| *byte == b'\n') {
        digest.update(line.strip_suffix(b"\r").unwrap_or(line));
        digest.update(b"\n");
    }
    HEXLOWER.encode(&digest.finalize())
}

/// The cleaned text of a mail, or why it has none.
fn body_of(message: &Message<'_>, bytes: usize, head: &Head, limits: &Limits) -> Result<String, Reason> {
    let within = |what, found, most| if found > most { Err(Reason::TooLarge { what, found, most }) } else { Ok(()) };
    let from_headers = message.headers().iter().filter(|header| header.name == HeaderName::From).count();
    match from_headers {
        0 => return Err(Reason::NoFrom),
        1 if head.from.is_none() => return Err(Reason::NoFrom),
        1 => {}
        _ => return Err(Reason::TwoFrom),
    }
    within("bytes", bytes, limits.mail_bytes_max)?;
    within("header lines", message.headers().len(), limits.headers_max)?;
    within("parts", message.parts.len(), limits.parts_max)?;
    within("parts within each other", depth(message), limits.depth_max)?;
    let raw_text = text_of(message)?;
    within("bytes of text", raw_text.len(), limits.text_bytes_max)?;
    let text = clean::clean(&raw_text);
    // Some single characters are written out in many (NFKC).
    within("bytes of text", text.len(), limits.text_bytes_max)?;
    within("lines", text.lines().count(), limits.lines_max)?;
    if text.trim().is_empty() { Err(empty_or_attached(message)) } else { Ok(text) }
}

/// How deep the parts of a mail are nested; one for a mail of one part.
fn depth(message: &Message<'_>) -> usize {
    let mut depths = vec![1_usize; message.parts.len()];
    // A part stands before those within it.
    for (at, part) in message.parts.iter().enumerate() {
        let PartType::Multipart(within) = &part.body else { continue };
        let own = depths.get(at).copied().unwrap_or(1);
        for inner in within {
            let inner = usize::try_from(*inner).unwrap_or(usize::MAX);
            depths.get_mut(inner).into_iter().for_each(|depth| *depth = own + 1);
        }
    }
    depths.into_iter().max().unwrap_or(1)
}

/// The plain text parts; where they are blank, the HTML ones made plain.
fn text_of(message: &Message<'_>) -> Result<String, Reason> {
    let mut texts = Vec::new();
    for part in message.text_bodies() {
        if part.is_encoding_problem && declares_encoding(part) {
            return Err(Reason::Broken);
        }
        match &part.body {
            PartType::Text(text) => texts.push(unflowed(part, &relabelled(message, part, text))),
            PartType::Html(text) => texts.push(html::to_plain(text)),
            _ => {}
        }
    }
    let plain = texts.join("\n");
    if !plain.trim().is_empty() {
        return Ok(plain);
    }
    let html = message.html_bodies().filter_map(|part| match &part.body {
        PartType::Html(text) => Some(html::to_plain(text)),
        _ => None,
    });
    Ok(html.collect::<Vec<_>>().join("\n"))
}

fn declares_encoding(part: &MessagePart<'_>) -> bool {
    part.content_transfer_encoding().is_some_and(|name| name.eq_ignore_ascii_case("base64"))
}

/// An old program sends 8-bit text without naming a charset; where it is not UTF-8, Windows-1252 is the best guess.
fn relabelled<'t>(message: &Message<'_>, part: &MessagePart<'_>, text: &'t str) -> Cow<'t, str> {
    let named = part.content_type().and_then(|kind| kind.attribute("charset"));
    let labelled = named.is_some_and(|name| charset_decoder(name.as_bytes()).is_some());
    if labelled || part.encoding != Encoding::None || !text.contains('\u{fffd}') {
        return Cow::Borrowed(text);
    }
    let bytes = message.raw_message.get(part.offset_body as usize..part.offset_end as usize).unwrap_or_default();
    // The sign for what cannot be read may have been sent as such.
    if std::str::from_utf8(bytes).is_ok() {
        return Cow::Borrowed(text);
    }
    charset_decoder(b"windows-1252").map_or(Cow::Borrowed(text), |decode| Cow::Owned(decode(bytes)))
}

fn unflowed(part: &MessagePart<'_>, text: &str) -> String {
    let parameter = |name| part.content_type().and_then(|kind| kind.attribute(name));
    let is = |name, value: &str| parameter(name).is_some_and(|found| found.eq_ignore_ascii_case(value));
    if is("format", "flowed") { flowed::unflow(text, is("delsp", "yes")) } else { text.to_owned() }
}

fn empty_or_attached(message: &Message<'_>) -> Reason {
    let attached = message.attachments().any(|part| !part.contents().iter().all(u8::is_ascii_whitespace));
    if attached || message.attachment_count() > 0 { Reason::NoText } else { Reason::Empty }
}
