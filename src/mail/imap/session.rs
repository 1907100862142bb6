//! A logged-in talk with an IMAP server, with one folder open.
//!
//! The library may panic on an answer out of turn, so every exchange is caught. After any error the session is thrown
//! away: nobody knows where in an answer it stopped.

use super::wire::Wire;
use crate::mail::MailError;
use crate::mail::server::{Login, Server};
use imap::Authenticator;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The library's session on our line.
pub type Talk = imap::Session<Wire>;

/// A session with one folder open.
pub struct Session {
    talk: Talk,
    /// The folder's UIDVALIDITY (RFC 3501 §2.3.1.1).
    pub validity: u32,
    /// The UID that the next mail will have, where the server told it.
    pub uid_next: Option<u32>,
    /// Whether MOVE is offered (RFC 6851).
    pub can_move: bool,
    /// Whether one mail can be expunged by its UID (RFC 4315).
    pub can_expunge: bool,
    /// Whether IDLE is offered (RFC 2177).
    pub can_idle: bool,
}

struct Xoauth2(String);

impl Authenticator for Xoauth2 {
    type Response = String;

    /// The first challenge is empty; a second one is the server's complaint, and wants an empty answer.
    fn process(&self, challenge: &[u8]) -> String {
        if challenge.is_empty() { self.0.clone() } else { String::new() }
    }
}

impl Session {
    /// Connects, logs in and opens a folder.
    pub fn open(server: &Server, folder: &str) -> Result<Session, MailError> {
        let (wire, greeted) = Wire::open(server)?;
        let login = server.login()?;
        caught(server, || {
            let mut client = imap::Client::new(wire);
            client.greeting_read = greeted;
            if !greeted {
                client.read_greeting()?;
            }
            let mut talk = match login {
                None => return Err(imap::Error::Io(std::io::Error::other("no user is named"))),
                Some((user, Login::Password(word))) => client.login(user, word).map_err(|(error, _)| error)?,
                Some((user, Login::Token(token))) => {
                    let way = Xoauth2(format!("user={user}\x01auth=Bearer {token}\x01\x01"));
                    client.authenticate("XOAUTH2", &way).map_err(|(error, _)| error)?
                }
            };
            let offers = talk.capabilities()?;
            let (can_move, can_idle) = (offers.has_str("MOVE"), offers.has_str("IDLE"));
            let can_expunge = offers.has_str("UIDPLUS");
            let opened = talk.select(folder)?;
            let validity = opened.uid_validity.unwrap_or_default();
            Ok(Session { talk, validity, uid_next: opened.uid_next, can_move, can_expunge, can_idle })
        })
        .and_then(|session| {
            // Without it nobody can tell one mail from another (UIDVALIDITY is never 0).
            if session.validity == 0 { Err(server.away("the folder has no UIDVALIDITY")) } else { Ok(session) }
        })
    }

    /// One exchange; after an error the session must not be used again.
    pub fn say<T>(&mut self, server: &Server, work: impl FnOnce(&mut Talk) -> imap::Result<T>) -> Result<T, MailError> {
        caught(server, || work(&mut self.talk))
    }
}

/// Runs an exchange and keeps a panic of the library from ending the post office.
fn caught<T>(server: &Server, work: impl FnOnce() -> imap::Result<T>) -> Result<T, MailError> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => done.map_err(|error| server.away(said(&error))),
        Err(_) => Err(server.away("it answered out of turn")),
    }
}

/// An error in its own words, on one line and not too long.
fn said(error: &imap::Error) -> String {
    let words = error.to_string();
    words.chars().map(|c| if c.is_control() { ' ' } else { c }).take(400).collect()
}
