//! A small SMTP server that says no where it is told to.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A mail as it was handed over.
#[derive(Clone, Debug, PartialEq)]
pub struct Taken {
    pub from: String,
    pub to: String,
    pub raw: Vec<u8>,
}

#[derive(Default)]
struct State {
    /// What a command begins with, the answer it gets instead, and how often; `""` closes the line.
    faults: Vec<(String, String, usize)>,
    taken: Vec<Taken>,
    said: Vec<String>,
}

pub struct FakeSmtp {
    pub port: u16,
    state: Arc<Mutex<State>>,
}

impl FakeSmtp {
    pub fn start() -> FakeSmtp {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || talk(stream.unwrap(), &shared));
            }
        });
        FakeSmtp { port, state }
    }

    /// From now on, commands that begin so get this answer, so many times.
    pub fn fault(&self, command: &str, answer: &str, times: usize) {
        self.state.lock().unwrap().faults.push((command.to_owned(), answer.to_owned(), times));
    }

    pub fn taken(&self) -> Vec<Taken> {
        self.state.lock().unwrap().taken.clone()
    }

    /// All command lines so far.
    pub fn said(&self) -> Vec<String> {
        self.state.lock().unwrap().said.clone()
    }
}

/// The answer to a command line; `None` closes the line.
fn answer(state: &Mutex<State>, line: &str, usual: &str) -> Option<String> {
    let mut state = state.lock().unwrap();
    state.said.push(line.to_owned());
    let found = state.faults.iter_mut().find(|(begins, _, times)| *times > 0 && line.starts_with(begins.as_str()));
    let said = match found {
        Some((_, answer, times)) => {
            *times -= 1;
            answer.clone()
        }
        None => usual.to_owned(),
    };
    (!said.is_empty()).then_some(said)
}

/// Serves one line until it is closed by either side.
fn talk(mut stream: TcpStream, state: &Mutex<State>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    stream.write_all(format!("{}\r\n", answer(state, "CONNECT", "220 fake")?).as_bytes()).ok()?;
    let (mut from, mut to) = (String::new(), String::new());
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        let verb = line.split([' ', ':']).next().unwrap_or_default();
        let usual = match verb {
            "EHLO" => "250-fake\r\n250-8BITMIME\r\n250 AUTH PLAIN LOGIN XOAUTH2",
            "AUTH" => "235 in",
            "DATA" => "354 go on",
            "QUIT" => "221 bye",
            _ => "250 fine",
        };
        let said = answer(state, line, usual)?;
        stream.write_all(format!("{said}\r\n").as_bytes()).ok()?;
        match verb {
            "MAIL" => from = path(line),
            "RCPT" => to = path(line),
            "QUIT" => return None,
            "DATA" if said.starts_with('3') => {
                let raw = data(&mut reader)?;
                let said = answer(state, &format!("END OF DATA to {to}"), "250 taken")?;
                if said.starts_with('2') {
                    state.lock().unwrap().taken.push(Taken { from: from.clone(), to: to.clone(), raw });
                    answer(state, &format!("TAKEN {to}"), "yes")?;
                }
                stream.write_all(format!("{said}\r\n").as_bytes()).ok()?;
            }
            _ => {}
        }
    }
}

fn path(line: &str) -> String {
    line.split(['<', '>']).nth(1).unwrap_or_default().to_owned()
}

/// The mail up to the single dot, with doubled dots undone.
fn data(reader: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut raw = Vec::new();
    loop {
        let mut line = Vec::new();
        if reader.read_until(b'\n', &mut line).ok()? == 0 {
            return None;
        }
        if line == b".\r\n" {
            return Some(raw);
        }
        raw.extend_from_slice(if line.starts_with(b"..") { &line[1..] } else { &line });
    }
}
