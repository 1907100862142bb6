//! A small IMAP server with a mailbox of one mail and old mails below it, that answers one command out of its mind.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Clone, Default)]
pub struct Mailbox {
    /// The UID that the next mail will have.
    pub uid_next: u32,
    /// The mail that lies there: UID and bytes.
    pub mail: Option<(u32, Vec<u8>)>,
    /// What a command begins with, and what is answered instead, the tag in place of `{tag}`.
    pub mad: Option<(String, Vec<u8>)>,
    /// Whether it offers IDLE.
    pub idles: bool,
    /// News for whoever waits in an IDLE.
    pub news: bool,
    /// All commands.
    pub said: Vec<String>,
}

pub struct FakeImap {
    pub port: u16,
    pub mailbox: Arc<Mutex<Mailbox>>,
}

impl FakeImap {
    pub fn start(uid_next: u32) -> FakeImap {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let mailbox = Arc::new(Mutex::new(Mailbox { uid_next, ..Mailbox::default() }));
        let shared = Arc::clone(&mailbox);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || talk(stream, &shared));
            }
        });
        FakeImap { port, mailbox }
    }
}

fn talk(mut stream: TcpStream, shared: &Mutex<Mailbox>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    stream.write_all(b"* OK ready\r\n").ok()?;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let (tag, command) = line.trim_end().split_once(' ')?;
        let mut mailbox = shared.lock().ok()?;
        mailbox.said.push(command.to_owned());
        if let Some((begins, answer)) = &mailbox.mad
            && command.starts_with(begins.as_str())
        {
            let at = answer.windows(5).position(|five| five == b"{tag}");
            let (head, rest) = answer.split_at(at.unwrap_or(answer.len()));
            let rest = rest.strip_prefix(b"{tag}").unwrap_or(rest);
            let answer = [head, if at.is_some() { tag.as_bytes() } else { b"" }, rest].concat();
            stream.write_all(&answer).ok()?;
            continue;
        }
        if command == "IDLE" {
            drop(mailbox);
            idle(&mut stream, &mut reader, shared)?;
            stream.write_all(format!("{tag} OK done\r\n").as_bytes()).ok()?;
            continue;
        }
        let mut answer = usual(&mailbox, command);
        answer.extend_from_slice(format!("{tag} OK done\r\n").as_bytes());
        stream.write_all(&answer).ok()?;
    }
}

/// Tells news once, and waits for DONE.
fn idle(stream: &mut TcpStream, reader: &mut BufReader<TcpStream>, shared: &Mutex<Mailbox>) -> Option<()> {
    stream.write_all(b"+ idling\r\n").ok()?;
    stream.set_read_timeout(Some(Duration::from_millis(5))).ok()?;
    let mut line = String::new();
    while !line.ends_with('\n') {
        if std::mem::take(&mut shared.lock().ok()?.news) {
            stream.write_all(b"* 2 EXISTS\r\n").ok()?;
        }
        match reader.read_line(&mut line) {
            Ok(0) => return None,
            Err(error) if !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => return None,
            _ => {}
        }
    }
    stream.set_read_timeout(None).ok()?;
    (line.trim_end() == "DONE").then_some(())
}

fn usual(mailbox: &Mailbox, command: &str) -> Vec<u8> {
    let text = match (command, &mailbox.mail) {
        (command, _) if command.starts_with("CAPABILITY") && mailbox.idles => {
            "* CAPABILITY IMAP4rev1 IDLE\r\n".to_owned()
        }
        (command, _) if command.starts_with("CAPABILITY") => "* CAPABILITY IMAP4rev1\r\n".to_owned(),
        (command, _) if command.starts_with("SELECT") => {
            let next = mailbox.uid_next;
            format!("* 50000 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT {next}] x\r\n")
        }
        // However high the range begins, `n:*` holds the last mail.
        (command, mail) if command.starts_with("UID SEARCH") => {
            let last = mail.as_ref().map_or(mailbox.uid_next - 1, |(uid, _)| *uid);
            format!("* SEARCH {last}\r\n")
        }
        (command, Some((uid, raw))) if command.contains("RFC822.SIZE") => {
            format!("* 1 FETCH (UID {uid} RFC822.SIZE {})\r\n", raw.len())
        }
        (command, Some((uid, raw))) if command.contains("BODY.PEEK") => {
            let most = command.split(['.', '>']).nth(2).and_then(|n| n.parse().ok()).unwrap_or(usize::MAX);
            let raw = &raw[..raw.len().min(most)];
            let mut answer = format!("* 1 FETCH (UID {uid} BODY[]<0> {{{}}}\r\n", raw.len()).into_bytes();
            answer.extend_from_slice(raw);
            answer.extend_from_slice(b")\r\n");
            return answer;
        }
        _ => String::new(),
    };
    text.into_bytes()
}
