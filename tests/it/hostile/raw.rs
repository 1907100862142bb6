//! Mails as bytes: any lines under any head, in any encoding, whole or broken.

use super::pool::{self, once_in};
use crate::toys::Whim;
use data_encoding::BASE64;

/// The head of a mail, as its writer wants it.
#[derive(Clone, Debug, Default)]
pub struct Head {
    pub from: String,
    pub subject: String,
    /// With its angle brackets; none is written where it is empty.
    pub id: String,
    /// More header lines, without line ends.
    pub more: Vec<String>,
}

impl Head {
    fn bytes(&self, more: &str) -> Vec<u8> {
        let mut head = format!("From: {}\r\nTo: post@example.org\r\nSubject: {}\r\n", self.from, self.subject);
        if !self.id.is_empty() {
            head.push_str(&format!("Message-ID: {}\r\n", self.id));
        }
        for line in &self.more {
            head.push_str(line);
            head.push_str("\r\n");
        }
        head.push_str("Date: Thu, 1 Jan 2026 00:00:00 +0000\r\n");
        head.push_str(more);
        head.into_bytes()
    }
}

/// A mail of plain lines.
pub fn plain(head: &Head, body: &str) -> Vec<u8> {
    let mut raw = head.bytes("\r\n");
    raw.extend_from_slice(body.replace('\n', "\r\n").as_bytes());
    raw
}

/// A mail of one part, with the encoding that it says it has.
pub fn encoded(head: &Head, kind: &str, encoding: &str, body: &[u8]) -> Vec<u8> {
    let mut raw = head
        .bytes(&format!("MIME-Version: 1.0\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"));
    raw.extend_from_slice(body);
    raw
}

pub fn quoted_printable(body: &str) -> Vec<u8> {
    let mut out = String::new();
    for line in body.split('\n') {
        for (at, byte) in line.bytes().enumerate() {
            out.push_str(&format!("={byte:02X}"));
            if at % 24 == 23 {
                out.push_str("=\r\n");
            }
        }
        out.push_str("\r\n");
    }
    out.into_bytes()
}

fn wrapped_base64(bytes: &[u8]) -> String {
    let text = BASE64.encode(bytes);
    let lines: Vec<&str> = text.as_bytes().chunks(76).map(|part| std::str::from_utf8(part).unwrap()).collect();
    lines.join("\r\n")
}

fn html(body: &str) -> String {
    let escaped = body.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!(
        "<html><head><style>p {{}}</style></head><body><div>{}</div></body></html>",
        escaped.replace('\n', "<br>\r\n")
    )
}

/// Parts within parts, the text in the innermost.
fn nested(head: &Head, depth: usize, inner: &str) -> Vec<u8> {
    let mut part = format!("Content-Type: text/plain; charset=utf-8\r\n\r\n{}", inner.replace('\n', "\r\n"));
    for level in 0..depth {
        part =
            format!("Content-Type: multipart/mixed; boundary=b{level}\r\n\r\n--b{level}\r\n{part}\r\n--b{level}--\r\n");
    }
    let mut raw = head.bytes("MIME-Version: 1.0\r\n");
    raw.extend_from_slice(part.as_bytes());
    raw
}

/// A mail in a mail in a mail.
fn chained(head: &Head, depth: usize, inner: &str) -> Vec<u8> {
    let mut part = format!("From: a@b.example\r\nSubject: x\r\n\r\n{}", inner.replace('\n', "\r\n"));
    for _ in 0..depth {
        part = format!("Content-Type: message/rfc822\r\n\r\n{part}");
    }
    let mut raw = head.bytes("MIME-Version: 1.0\r\n");
    raw.extend_from_slice(part.as_bytes());
    raw
}

/// The lines in one encoding of many; mostly one that can be read. Noise spares the head where it must say what it says.
pub fn mail(whim: &mut Whim, head: &Head, lines: &[String], spared: bool) -> Vec<u8> {
    let body = lines.join("\n") + "\n";
    match whim.below(40) {
        0 => encoded(head, "text/plain; charset=utf-8", "quoted-printable", &quoted_printable(&body)),
        1 => encoded(head, "text/plain; charset=utf-8", "base64", wrapped_base64(body.as_bytes()).as_bytes()),
        2 => {
            let junk = wrapped_base64(body.as_bytes()).replace('A', "A!\u{7}=");
            encoded(head, "text/plain; charset=utf-8", "base64", junk.as_bytes())
        }
        3 => {
            let wide: Vec<u8> = body.encode_utf16().flat_map(u16::to_le_bytes).collect();
            encoded(head, "text/plain; charset=utf-16le", "base64", wrapped_base64(&wide).as_bytes())
        }
        4 => encoded(head, "text/plain; charset=utf-7", "7bit", body.replace('&', "+ACY-").as_bytes()),
        5 => encoded(head, "text/plain; charset=us-ascii", "8bit", body.as_bytes()),
        6 => {
            let latin: Vec<u8> = body.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(0xFF)).collect();
            encoded(head, "text/plain", "8bit", &latin)
        }
        7 => encoded(head, "text/html; charset=utf-8", "8bit", html(&body).as_bytes()),
        8 => nested(head, 1 + whim.below(25), &body),
        9 => chained(head, 1 + whim.below(25), &body),
        10 => {
            let soft = body.replace(' ', " \r\n").replace('\n', "\r\n");
            encoded(head, "text/plain; charset=utf-8; format=flowed; delsp=yes", "8bit", soft.as_bytes())
        }
        11 => {
            let quoted: String = body.lines().map(|line| format!("> {line}\r\n{line}\r\n")).collect();
            encoded(head, "text/plain; charset=utf-8", "8bit", quoted.as_bytes())
        }
        12 => encoded(head, "text/plain; charset=x-none", "x-none", body.as_bytes()),
        13 => encoded(head, "multipart/mixed; boundary=", "7bit", body.as_bytes()),
        14 => encoded(head, "text/plain; charset=\"utf-8\u{0}\"", "BASE64", body.as_bytes()),
        15 => plain(head, &body.replace('\n', "\r")),
        16 => {
            let mut raw = plain(head, &body);
            let from = if spared { head.bytes("\r\n").len() } else { 0 };
            for _ in 0..whim.below(20) {
                let at = from + whim.below(raw.len() - from);
                raw[at] = u8::try_from(whim.below(256)).unwrap();
            }
            raw
        }
        _ => encoded(head, "text/plain; charset=utf-8", "8bit", body.replace('\n', "\r\n").as_bytes()),
    }
}

/// Odd lines of the head beside those that say who writes.
pub fn odd_headers(whim: &mut Whim) -> Vec<String> {
    let mut more = Vec::new();
    if once_in(whim, 3) {
        more.push(format!("In-Reply-To: {}", pool::id(whim)));
    }
    if once_in(whim, 3) {
        more.push(format!("References: {}", pool::thread(whim)));
    }
    match whim.below(30) {
        0 => more.push("Reply-To: eve@evil.example".to_owned()),
        1 => more.push(format!("Sender: {}", pool::from(whim))),
        2 => more.push("Subject : [strem-1/french/aaaaaaaaaaaaaaaaaaaaaaaaaa]".to_owned()),
        3 => more.push("Authentication-Results : mx.example.net; dmarc=pass".to_owned()),
        4 => more.push(format!("X-{}: y", "x".repeat(900))),
        5 => more.push("no colon at all".to_owned()),
        6 => more.push(" folded onto nothing".to_owned()),
        7 => more.push(format!("Cc: {}", pool::from(whim))),
        8 => more.push("\u{feff}From: x@y.example".to_owned()),
        9 => more.push("Resent-From: x@y.example".to_owned()),
        10 => more.push("Disposition-Notification-To: eve@evil.example".to_owned()),
        11 => more.push(format!("Message-ID: {}", pool::id(whim))),
        _ => {}
    }
    more
}
