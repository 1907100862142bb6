//! The head of a mail read by the letter (RFC 5322 §2.2), for all that says who wrote it and whether to answer.
//!
//! The MIME parser passes over blanks in a field's name, and takes a list for its last address. Programs that forgive
//! disagree about what they forgive, so what is trusted is read here and not forgiven.

use crate::address::Address;

/// A field: its name in lower case, its value on one line.
pub(super) type Field = (String, String);

/// The fields of a mail in the order they stand, at most so many. A line that is no field, with those that continue it, is
/// none: a name has no blank, not before its colon either.
pub(super) fn fields(raw: &[u8], most: usize) -> Vec<Field> {
    let mut found: Vec<(String, Vec<u8>)> = Vec::new();
    let mut open = false;
    for line in raw.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            break;
        }
        if line.starts_with(b" ") || line.starts_with(b"\t") {
            if let Some((_, value)) = found.last_mut().filter(|_| open) {
                value.extend_from_slice(line);
            }
            continue;
        }
        open = false;
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { continue };
        let (name, value) = line.split_at(colon);
        if name.is_empty() || !name.iter().all(u8::is_ascii_graphic) {
            continue;
        }
        if found.len() == most {
            break;
        }
        open = true;
        found.push((String::from_utf8_lossy(name).to_ascii_lowercase(), value.get(1..).unwrap_or_default().to_vec()));
    }
    let unfolded =
        |value: Vec<u8>| String::from_utf8_lossy(&value).split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    found.into_iter().map(|(name, value)| (name, unfolded(value))).collect()
}

/// The first field of a name.
pub(super) fn first<'f>(fields: &'f [Field], name: &str) -> Option<&'f str> {
    fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// The one sender of a mail: a single From that is a single mailbox, `name <address>` or the bare address.
pub(super) fn sender(fields: &[Field]) -> Option<Address> {
    let mut all = fields.iter().filter(|(name, _)| name == "from");
    match (all.next(), all.next()) {
        (Some((_, value)), None) => mailbox(value),
        _ => None,
    }
}

/// Reads a mailbox (RFC 5322 §3.4): no list, no group, no route, nothing behind it but comments.
fn mailbox(value: &str) -> Option<Address> {
    if value.chars().any(char::is_control) {
        return None;
    }
    let plain = bare(value)?;
    let plain = plain.trim();
    let Some((phrase, rest)) = plain.split_once('<') else { return Address::parse(plain).ok() };
    let (inside, behind) = rest.split_once('>')?;
    let address = Address::parse(inside).ok()?;
    // An address before the address is what some programs write as the name.
    let named =
        !phrase.contains(['<', '>', '@', ',', ';', ':']) || Address::parse(phrase.trim()).as_ref() == Ok(&address);
    (named && behind.trim().is_empty()).then_some(address)
}

/// A value with comments and what is quoted or encoded in a name taken out; none where a quote or comment does not end.
pub(super) fn bare(value: &str) -> Option<String> {
    let (mut out, mut depth, mut quoted, mut escaped) = (String::new(), 0_usize, false, false);
    let mut rest = value;
    while let Some(c) = rest.chars().next() {
        let literal = std::mem::take(&mut escaped);
        let step = match c {
            '\\' if !literal && (quoted || depth > 0) => {
                escaped = true;
                1
            }
            '"' if !literal && depth == 0 => {
                quoted = !quoted;
                // In the place of the quoted text, so that `"ney"@example.org` is no `@example.org` of something else.
                out.push('"');
                1
            }
            '(' if !literal && !quoted => {
                depth += 1;
                out.push(' ');
                1
            }
            ')' if !literal && !quoted && depth > 0 => {
                depth -= 1;
                1
            }
            _ if quoted || depth > 0 => c.len_utf8(),
            '=' if !out.contains('<') && encoded_word(rest).is_some() => {
                out.push('"');
                encoded_word(rest).unwrap_or(1)
            }
            c => {
                out.push(c);
                c.len_utf8()
            }
        };
        rest = rest.get(step..).unwrap_or_default();
    }
    (depth == 0 && !quoted).then_some(out)
}

/// How long the encoded word is that `text` begins with (RFC 2047 §2).
fn encoded_word(text: &str) -> Option<usize> {
    let mut parts = text.strip_prefix("=?")?.splitn(3, '?');
    let (charset, encoding, rest) = (parts.next()?, parts.next()?, parts.next()?);
    let end = rest.find("?=")?;
    let token = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_graphic() && b != b'<' && b != b'>');
    let good =
        token(charset) && matches!(encoding, "b" | "B" | "q" | "Q") && !rest.get(..end)?.contains([' ', '?', '<']);
    good.then(|| 2 + charset.len() + 1 + encoding.len() + 1 + end + 2)
}
