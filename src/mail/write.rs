//! Letters written as mail: the same letter gives the same bytes, so that a repeat is a repeat.
//!
//! Plain text goes as 7bit or 8bit, never quoted-printable, which would write each `=` of a drawn road as `=3D`.

use super::id::{MessageId, thread};
use crate::address::Address;
use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use lettre::message::header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Body, Message, MultiPart, SinglePart};
use sha2::{Digest, Sha256};

/// Octets that a line of a mail may have without its line end (RFC 5322 §2.1.1).
const LINE_OCTETS_MAX: usize = 998;

/// A letter to be sent as a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// The sender's name; any characters, or none.
    pub name: String,
    /// The sender.
    pub from: Address,
    /// The one recipient.
    pub to: Address,
    /// The subject with the reply tag; any characters.
    pub subject: String,
    /// The Message-ID, as `message_id` makes it.
    pub message_id: MessageId,
    /// The Message-ID of the mail that this answers.
    pub in_reply_to: Option<MessageId>,
    /// The Message-IDs of the thread, oldest first; of a long one the first and the last are written.
    pub references: Vec<MessageId>,
    /// The Date header.
    pub date: jiff::Timestamp,
    /// The plain text, lines ended by `\n`.
    pub text: String,
    /// The HTML alternative (FORMAT BOTH); `pre` makes it from the text.
    pub html: Option<String>,
    /// Pictures that the page shows, by the name under which it does, as PNG.
    pub pictures: Vec<(String, Vec<u8>)>,
    /// Attachments: file name, media type, content.
    pub attachments: Vec<(String, String, Vec<u8>)>,
}

/// Why a letter can't be written as a mail. Addresses and ids cannot be at fault: their types hold none that can't be
/// written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// A media type that is none.
    #[error("{kind:?} is not a media type such as text/plain.")]
    MediaType {
        /// The type as given.
        kind: String,
    },
    /// The mail library's own reason.
    #[error("the mail cannot be written: {0}")]
    Library(#[from] lettre::error::Error),
}

impl Outgoing {
    /// Writes the mail: CRLF line ends, fixed MIME boundaries, headers that keep other machines from answering.
    pub fn render(&self) -> Result<Vec<u8>, WriteError> {
        let mut mail = Message::builder()
            .from(self.from.mailbox(Some(&self.name)))
            .to(self.to.mailbox(None))
            .subject(self.subject.as_str())
            .date(self.date.into())
            .message_id(Some(bracketed(&self.message_id)));
        if let Some(id) = &self.in_reply_to {
            mail = mail.in_reply_to(bracketed(id));
        }
        let before: Vec<String> = thread(self.references.clone()).iter().map(bracketed).collect();
        if !before.is_empty() {
            mail = mail.references(before.join(" "));
        }
        let mail = mail
            .raw_header(field(HeaderName::new_from_ascii_str("Auto-Submitted"), "auto-generated"))
            .raw_header(field(HeaderName::new_from_ascii_str("X-Loop"), &self.from));
        Ok(self.with_body(mail)?.formatted())
    }

    fn with_body(&self, mail: lettre::message::MessageBuilder) -> Result<Message, WriteError> {
        let text = text_part(ContentType::TEXT_PLAIN, &self.text);
        let alternative = self.html.as_ref().map(|html| {
            let both = MultiPart::alternative().boundary(self.boundary("alternative")).singlepart(text.clone());
            let page = text_part(ContentType::TEXT_HTML, html);
            if self.pictures.is_empty() {
                return Ok(both.singlepart(page));
            }
            let mut related = MultiPart::related().boundary(self.boundary("related")).singlepart(page);
            for (cid, png) in &self.pictures {
                related = related.singlepart(shown(cid, png)?);
            }
            Ok::<_, WriteError>(both.multipart(related))
        });
        let alternative = alternative.transpose()?;
        if self.attachments.is_empty() {
            return Ok(match alternative {
                Some(both) => mail.multipart(both)?,
                None => mail.header(ContentType::TEXT_PLAIN).body(text_body(&self.text))?,
            });
        }
        let mixed = MultiPart::mixed().boundary(self.boundary("mixed"));
        let mut mixed = match alternative {
            Some(both) => mixed.multipart(both),
            None => mixed.singlepart(text),
        };
        for (name, kind, content) in &self.attachments {
            mixed = mixed.singlepart(attached(name, kind, content)?);
        }
        Ok(mail.multipart(mixed)?)
    }

    /// A boundary that nobody can foresee who does not know the Message-ID, and the same for the same letter.
    fn boundary(&self, level: &str) -> String {
        let digest = HEXLOWER.encode(&Sha256::digest(format!("{level}\0{}", self.message_id)));
        format!("=_estafette_{}", digest.get(..24).unwrap_or_default())
    }
}

/// Wraps a text as HTML that keeps its shape: the text again after unescaping.
pub fn pre(text: &str) -> String {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!("<html><body><pre>{escaped}</pre></body></html>\n")
}

/// Derives the Message-ID of a mail, without angle brackets: HMAC-SHA256 in 32 hexadecimal digits, at our domain.
///
/// `number` is the seat's own running number, so that the id tells nothing of other seats and stays when it is sent
/// again.
pub fn message_id(key: &[u8; 32], game: &str, seat: &str, number: u64, domain: &str) -> MessageId {
    // A key of any length is taken, so there is nothing to fail.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return MessageId::own("0", domain) };
    for part in ["estafette/message-id/v1", game, seat] {
        mac.update(part.as_bytes());
        mac.update(b"\0");
    }
    mac.update(&number.to_be_bytes());
    let hex = HEXLOWER.encode(&mac.finalize().into_bytes());
    MessageId::own(hex.get(..32).unwrap_or_default(), domain)
}

/// The Message-ID of a mail of no seat, from what tells it from others.
pub fn named_id(named: &str, domain: &str) -> MessageId {
    let hex = HEXLOWER.encode(&Sha256::digest(named.as_bytes()));
    MessageId::own(hex.get(..32).unwrap_or_default(), domain)
}

fn bracketed(id: &MessageId) -> String {
    format!("<{id}>")
}

fn field(name: HeaderName, value: &str) -> HeaderValue {
    HeaderValue::new(name, value.to_owned())
}

/// The text as it stands: 7bit where it is ASCII, else 8bit; base64 only where a line is too long for mail.
/// Lines are short and end in CRLF, so 7bit and 8bit are always lawful here (RFC 2045 §2.7, 2.8); quoted-printable would
/// spell each `=` of a road `=3D`.
fn text_body(text: &str) -> Body {
    let encoding = if text.is_ascii() { ContentTransferEncoding::SevenBit } else { ContentTransferEncoding::EightBit };
    let lines: String = text.lines().map(|line| format!("{line}\r\n")).collect();
    if lines.lines().any(|line| line.len() > LINE_OCTETS_MAX) {
        return Body::new_with_encoding(text.to_owned(), ContentTransferEncoding::Base64).unwrap_or_else(Body::new);
    }
    Body::dangerous_pre_encoded(lines.into_bytes(), encoding)
}

fn text_part(kind: ContentType, text: &str) -> SinglePart {
    SinglePart::builder().header(kind).body(text_body(text))
}

/// A picture that a page shows: some programs want its name, others that it be inline, before they do.
fn shown(cid: &str, png: &[u8]) -> Result<SinglePart, WriteError> {
    let kind = "image/png";
    let media = ContentType::parse(kind).map_err(|_| WriteError::MediaType { kind: kind.to_owned() })?;
    let body = Body::new_with_encoding(png.to_vec(), ContentTransferEncoding::Base64).unwrap_or_else(Body::new);
    Ok(Attachment::new_inline(cid.to_owned()).body(body, media))
}

fn attached(name: &str, kind: &str, content: &[u8]) -> Result<SinglePart, WriteError> {
    let media = ContentType::parse(kind).map_err(|_| WriteError::MediaType { kind: kind.to_owned() })?;
    // Line ends of a text may change on the way; what a player checks with a digest goes as base64, an exact copy.
    let body = Body::new_with_encoding(content.to_vec(), ContentTransferEncoding::Base64).unwrap_or_else(Body::new);
    Ok(Attachment::new(name.to_owned()).body(body, media))
}
