//! Mail taken from a mail server of this machine (LMTP, RFC 2033): the talk on one line.
//!
//! Who calls decides what taking means; here it only matters that 250 is said after it, and 451 when it failed, so that
//! the other server keeps the mail and comes again.

use std::io::{self, BufRead, BufReader, Read, Write};

/// Longest command line, in bytes (RFC 5321 §4.5.3.1.4, with room).
const COMMAND_BYTES_MAX: u64 = 2048;
/// Most recipients of one mail.
const RECIPIENTS_MAX: usize = 100;
/// Most commands on one line that are not understood.
const FAULTS_MAX: u32 = 20;

/// Takes a mail for good, of which so many bytes came.
pub type Take<'a> = dyn FnMut(Vec<u8>, u64) -> Result<(), String> + 'a;

/// What a line is served with.
pub struct Service<'a> {
    /// Our own address; other recipients are refused.
    pub address: &'a str,
    /// Bytes of a mail that are kept; what is beyond is read and thrown away.
    pub mail_bytes_max: usize,
    /// Takes a mail for good, of which so many bytes came; an error keeps it at the sender's.
    pub take: &'a mut Take<'a>,
}

/// One mail as far as it has come.
#[derive(Default)]
struct Envelope {
    sender: Option<String>,
    recipients: usize,
}

/// Serves one line until either side closes it.
///
/// # Errors
/// A line that broke; whatever was answered with 250 is kept all the same.
pub fn serve<S: Read + Write>(stream: S, service: &mut Service<'_>) -> io::Result<()> {
    let mut line = BufReader::new(stream);
    say(&mut line, "220 estafette LMTP")?;
    let mut envelope = Envelope::default();
    let mut faults = 0;
    while let Some(command) = read_command(&mut line)? {
        let upper = command.to_ascii_uppercase();
        let verb = upper.split([' ', ':']).next().unwrap_or_default();
        match verb {
            "LHLO" => say(&mut line, "250-estafette\r\n250-8BITMIME\r\n250-ENHANCEDSTATUSCODES\r\n250 PIPELINING")?,
            "MAIL" => {
                envelope = Envelope { sender: path(&command), recipients: 0 };
                let good = envelope.sender.is_some();
                say(&mut line, if good { "250 2.1.0 OK" } else { "501 5.1.7 MAIL FROM:<address>" })?;
            }
            "RCPT" => {
                let answer = recipient(&command, &mut envelope, service.address);
                say(&mut line, answer)?;
            }
            "DATA" if envelope.recipients == 0 => say(&mut line, "503 5.5.1 no recipient")?,
            "DATA" => {
                say(&mut line, "354 end with a dot")?;
                let sender = envelope.sender.take().unwrap_or_default();
                let (raw, size) = data(&mut line, &sender, service.mail_bytes_max)?;
                let answer = match (service.take)(raw, size) {
                    Ok(()) => "250 2.0.0 kept".to_owned(),
                    Err(why) => format!("451 4.3.0 {}", why.replace(['\r', '\n'], " ")),
                };
                // One answer for each recipient (RFC 2033 §4.2).
                for _ in 0..envelope.recipients {
                    say(&mut line, &answer)?;
                }
                envelope = Envelope::default();
            }
            "RSET" => {
                envelope = Envelope::default();
                say(&mut line, "250 2.0.0 OK")?;
            }
            "NOOP" => say(&mut line, "250 2.0.0 OK")?,
            "QUIT" => return say(&mut line, "221 2.0.0 bye"),
            _ if faults >= FAULTS_MAX => return say(&mut line, "421 4.7.0 too many unknown commands"),
            _ => {
                faults += 1;
                say(&mut line, "500 5.5.2 unknown command")?;
            }
        }
    }
    Ok(())
}

fn recipient(command: &str, envelope: &mut Envelope, address: &str) -> &'static str {
    if envelope.sender.is_none() {
        return "503 5.5.1 MAIL first";
    }
    if envelope.recipients >= RECIPIENTS_MAX {
        return "452 4.5.3 too many recipients";
    }
    match path(command) {
        Some(to) if is_ours(&to, address) => {
            envelope.recipients += 1;
            "250 2.1.5 OK"
        }
        _ => "550 5.1.1 not an address of this post office",
    }
}

/// Whether an address is ours, also with a detail: `post+x@example.org`.
fn is_ours(to: &str, address: &str) -> bool {
    let split = |text: &str| text.to_ascii_lowercase().rsplit_once('@').map(|(l, d)| (l.to_owned(), d.to_owned()));
    let (Some((local, domain)), Some((own_local, own_domain))) = (split(to), split(address)) else { return false };
    let base = local.split('+').next().unwrap_or_default();
    domain == own_domain && (local == own_local || base == own_local)
}

/// What stands between the angle brackets of a command.
fn path(command: &str) -> Option<String> {
    let (_, rest) = command.split_once('<')?;
    rest.split_once('>').map(|(path, _)| path.to_owned())
}

/// One command; none where the other side has closed.
fn read_command<S: Read + Write>(line: &mut BufReader<S>) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let count = line.by_ref().take(COMMAND_BYTES_MAX).read_until(b'\n', &mut bytes)?;
    if count == 0 {
        return Ok(None);
    }
    if !bytes.ends_with(b"\n") {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a command without end"));
    }
    Ok(Some(String::from_utf8_lossy(&bytes).trim_end().to_owned()))
}

/// The mail up to the single dot, with its return path on top, as a last server writes it (RFC 5321 §4.4); and how many
/// bytes it had.
fn data<S: Read + Write>(line: &mut BufReader<S>, sender: &str, most: usize) -> io::Result<(Vec<u8>, u64)> {
    let mut raw = format!("Return-Path: <{sender}>\r\n").into_bytes();
    let most = raw.len().saturating_add(most).saturating_add(1);
    let mut size = u64::try_from(raw.len()).unwrap_or(u64::MAX);
    let mut starts_line = true;
    loop {
        let mut piece = Vec::new();
        let room = u64::try_from(64 << 10).unwrap_or(u64::MAX);
        if line.by_ref().take(room).read_until(b'\n', &mut piece)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let is_dot = starts_line && (piece == b".\r\n" || piece == b".\n");
        if is_dot {
            return Ok((raw, size));
        }
        let stuffed = starts_line && piece.starts_with(b".");
        starts_line = piece.ends_with(b"\n");
        let kept = piece.get(usize::from(stuffed)..).unwrap_or_default();
        size = size.saturating_add(u64::try_from(kept.len()).unwrap_or(u64::MAX));
        let room = most.saturating_sub(raw.len()).min(kept.len());
        raw.extend_from_slice(kept.get(..room).unwrap_or_default());
    }
}

fn say<S: Read + Write>(line: &mut BufReader<S>, answer: &str) -> io::Result<()> {
    line.get_mut().write_all(format!("{answer}\r\n").as_bytes())?;
    line.get_mut().flush()
}
