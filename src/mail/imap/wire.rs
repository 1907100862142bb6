//! The line to an IMAP server: TLS or plain, never silent for ever, and guarded against what the parser cannot bear.

use crate::mail::MailError;
use crate::mail::server::{CONNECT_WAIT, Line, SILENCE, Server};
use imap::extensions::idle::SetReadTimeout;
use rustls::pki_types::ServerName;
use rustls::{ClientConnection, StreamOwned};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

/// Deepest nesting of brackets in an answer: the parser goes down by recursion.
const DEPTH_MAX: u32 = 40;
/// Longest line of an answer outside literals; a search over a large mailbox answers on one line.
const LINE_BYTES_MAX: u64 = 4 << 20;
/// Longest literal: no mail is fetched whole above the operator's limit, and none is set so high.
const LITERAL_BYTES_MAX: u64 = 256 << 20;
/// Longest line before TLS begins.
const PLAIN_LINE_BYTES_MAX: usize = 2000;
/// Lines of the talk before TLS begins.
const PLAIN_LINES_MAX: usize = 20;

enum Stream {
    Plain(TcpStream),
    Tls(Box<StreamOwned<ClientConnection, TcpStream>>),
}

/// A line to a server.
pub struct Wire {
    stream: Stream,
    guard: Guard,
}

impl Wire {
    /// Opens a line as the server's account wants it; true where the greeting was read already.
    pub fn open(server: &Server) -> Result<(Wire, bool), MailError> {
        let tcp = dial(server)?;
        match server.line {
            Line::Plain => Ok((Wire { stream: Stream::Plain(tcp), guard: Guard::default() }, false)),
            Line::Tls => Ok((Wire::secret(server, tcp)?, false)),
            Line::StartTls => Ok((Wire::secret(server, ask_for_tls(server, tcp)?)?, true)),
        }
    }

    /// Begins TLS, now, so that a wrong certificate is told as what it is.
    fn secret(server: &Server, tcp: TcpStream) -> Result<Wire, MailError> {
        let mut tls = tls(server, tcp)?;
        while tls.conn.is_handshaking() {
            tls.conn.complete_io(&mut tls.sock).map_err(|why| server.away(why))?;
        }
        Ok(Wire { stream: Stream::Tls(Box::new(tls)), guard: Guard::default() })
    }
}

impl Read for Wire {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let count = match &mut self.stream {
            Stream::Plain(tcp) => tcp.read(buf)?,
            Stream::Tls(tls) => tls.read(buf)?,
        };
        self.guard.pass(buf.get(..count).unwrap_or_default())?;
        Ok(count)
    }
}

impl Write for Wire {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        match &mut self.stream {
            Stream::Plain(tcp) => tcp.write(buf),
            Stream::Tls(tls) => tls.write(buf),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.stream {
            Stream::Plain(tcp) => tcp.flush(),
            Stream::Tls(tls) => tls.flush(),
        }
    }
}

impl SetReadTimeout for Wire {
    /// `None` would wait for ever; the library asks for it after each IDLE.
    fn set_read_timeout(&mut self, timeout: Option<Duration>) -> imap::Result<()> {
        let timeout = Some(timeout.unwrap_or(SILENCE));
        let set = match &self.stream {
            Stream::Plain(tcp) => tcp.set_read_timeout(timeout),
            Stream::Tls(tls) => tls.sock.set_read_timeout(timeout),
        };
        set.map_err(imap::Error::Io)
    }
}

fn dial(server: &Server) -> Result<TcpStream, MailError> {
    let addresses = (server.host.as_str(), server.port).to_socket_addrs().map_err(|why| server.away(why))?;
    let mut last = None;
    for address in addresses {
        match TcpStream::connect_timeout(&address, CONNECT_WAIT) {
            Ok(tcp) => {
                let set = tcp.set_read_timeout(Some(SILENCE)).and_then(|()| tcp.set_write_timeout(Some(SILENCE)));
                set.and_then(|()| tcp.set_nodelay(true)).map_err(|why| server.away(why))?;
                return Ok(tcp);
            }
            Err(why) => last = Some(why),
        }
    }
    Err(match last {
        Some(why) => server.away(why),
        None => server.away("its name has no address"),
    })
}

fn tls(server: &Server, tcp: TcpStream) -> Result<StreamOwned<ClientConnection, TcpStream>, MailError> {
    let own = server.own_ca()?;
    let config = crate::tls::client(own.as_deref()).map_err(|why| server.away(format!("ca_file: {why}")))?;
    let name = ServerName::try_from(server.host.clone()).map_err(|why| server.away(why))?;
    let connection = ClientConnection::new(Arc::new(config), name).map_err(|why| server.away(why))?;
    Ok(StreamOwned::new(connection, tcp))
}

/// Says STARTTLS before anything else is said (RFC 3501 §6.2.1). What a stranger on the line slips in behind the
/// server's OK would be read as TLS, and fail.
fn ask_for_tls(server: &Server, mut tcp: TcpStream) -> Result<TcpStream, MailError> {
    let away = |why: io::Error| server.away(why);
    let greeting = plain_line(&mut tcp).map_err(away)?;
    if !greeting.to_ascii_uppercase().starts_with("* OK") {
        return Err(server.away("it does not greet as an IMAP server that takes logins"));
    }
    tcp.write_all(b"S1 STARTTLS\r\n").map_err(away)?;
    for _ in 0..PLAIN_LINES_MAX {
        let line = plain_line(&mut tcp).map_err(away)?.to_ascii_uppercase();
        if line.starts_with("S1 OK") {
            return Ok(tcp);
        }
        if !line.starts_with("* ") {
            break;
        }
    }
    Err(server.away("it does not offer STARTTLS; nothing was said in the open"))
}

/// One line, read byte by byte so that none of what follows is taken.
fn plain_line(tcp: &mut TcpStream) -> io::Result<String> {
    let mut line = Vec::new();
    let mut byte = [0];
    while line.len() < PLAIN_LINE_BYTES_MAX {
        tcp.read_exact(&mut byte)?;
        match byte {
            [b'\n'] => return Ok(String::from_utf8_lossy(&line).trim_end().to_owned()),
            [other] => line.push(other),
        }
    }
    Err(io::Error::new(ErrorKind::InvalidData, "a line without end"))
}

/// Watches the answers of a server go by: brackets nested too deep would overflow the parser's stack, and a line without
/// end would fill the memory. What stands in a literal (`{n}` and n bytes) is mail, and may hold anything.
#[derive(Default)]
struct Guard {
    depth: u32,
    line_bytes: u64,
    /// The bytes of a literal that are still to come.
    literal: u64,
    /// The number being read between braces.
    braces: Option<u64>,
    /// The number of the braces just closed.
    closed: Option<u64>,
}

impl Guard {
    fn pass(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.literal > 0 {
                let skipped = usize::try_from(self.literal).unwrap_or(usize::MAX).min(rest.len());
                self.literal -= skipped as u64;
                rest = rest.get(skipped..).unwrap_or_default();
                continue;
            }
            let Some((byte, after)) = rest.split_first() else { break };
            self.take(*byte)?;
            rest = after;
        }
        Ok(())
    }

    fn take(&mut self, byte: u8) -> io::Result<()> {
        let bad = |what: &'static str| Err(io::Error::new(ErrorKind::InvalidData, what));
        self.line_bytes += 1;
        match byte {
            b'\n' => {
                match self.closed.take() {
                    // The line goes on behind the literal.
                    Some(bytes) if bytes > LITERAL_BYTES_MAX => return bad("a literal longer than any mail"),
                    Some(bytes) => self.literal = bytes,
                    None => self.depth = 0,
                }
                self.line_bytes = 0;
            }
            b'\r' => {}
            b'{' => (self.braces, self.closed) = (Some(0), None),
            b'}' => (self.braces, self.closed) = (None, self.braces),
            b'0'..=b'9' if self.braces.is_some() => {
                let digit = u64::from(byte - b'0');
                self.braces = self.braces.map(|n| n.saturating_mul(10).saturating_add(digit));
            }
            b'(' => {
                self.depth += 1;
                (self.braces, self.closed) = (None, None);
            }
            b')' => {
                self.depth = self.depth.saturating_sub(1);
                (self.braces, self.closed) = (None, None);
            }
            _ => (self.braces, self.closed) = (None, None),
        }
        if self.depth > DEPTH_MAX {
            return bad("brackets nested too deep");
        }
        if self.line_bytes > LINE_BYTES_MAX {
            return bad("a line without end");
        }
        Ok(())
    }
}
