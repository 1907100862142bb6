//! Games by mail between players made of code, through the same passes as the daemon's.
//!
//! A player knows the mails he got and nothing else of the post office: he answers the last one, keeping its subject.
//! What he writes comes from a script, or, where that has nothing for the mail, from the program's own player.

pub mod scenes;

use crate::fog::SeatId;
use crate::games::Entry;
use crate::gateway::{Office, game_of, table};
use crate::mail::maildir::Maildir;
use crate::mail::read::{Incoming, Limits, read};
use crate::store::GameState;
use std::collections::BTreeSet;
use std::path::Path;

/// What a scripted player says to a mail in which all of some words stand; each scene is played once.
pub struct Scene {
    /// The words.
    pub when: &'static [&'static str],
    /// The body of his answer.
    pub says: &'static str,
}

/// A player of one seat.
pub struct Player {
    /// His seat.
    pub seat: String,
    /// His address.
    pub address: String,
    /// His script.
    pub scenes: Vec<Scene>,
    last: Option<Mail>,
    signed: bool,
}

/// A mail as its reader sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// From whom.
    pub from: String,
    /// To whom.
    pub to: String,
    /// The subject.
    pub subject: String,
    /// The Message-ID.
    pub id: String,
    /// The text.
    pub text: String,
}

impl Mail {
    /// A mail that was read.
    pub fn of(incoming: &Incoming) -> Mail {
        Mail {
            from: incoming.head.from.as_ref().map(ToString::to_string).unwrap_or_default(),
            to: incoming.head.to.first().cloned().unwrap_or_default(),
            subject: incoming.head.subject.clone(),
            id: incoming.head.message_id.clone(),
            text: incoming.text.clone(),
        }
    }

    /// The mail as a file shows it.
    pub fn whole(&self) -> String {
        let Mail { from, to, subject, text, .. } = self;
        format!("From: {from}\nTo: {to}\nSubject: {subject}\n\n{}\n", text.trim_end())
    }
}

/// Players at one post office.
pub struct Troupe<'a> {
    office: &'a mut Office,
    entries: &'static [Entry],
    maildir: Maildir,
    game: String,
    players: Vec<Player>,
    seen: BTreeSet<String>,
    written: u32,
}

impl Player {
    /// A player who signs on with these words as his nonce, and then follows his scenes.
    pub fn new(seat: &str, address: &str, scenes: Vec<Scene>) -> Player {
        Player { seat: seat.to_owned(), address: address.to_owned(), scenes, last: None, signed: false }
    }
}

impl<'a> Troupe<'a> {
    /// Players of one game of a post office in a directory.
    ///
    /// # Errors
    /// When the mail folders cannot be opened.
    pub fn new(office: &'a mut Office, game: &str, players: Vec<Player>) -> Result<Troupe<'a>, String> {
        let entries = office.entries();
        let maildir = Maildir::open(&office.dir().join("mail")).map_err(|e| e.to_string())?;
        let game = game.to_owned();
        Ok(Troupe { office, entries, maildir, game, players, seen: BTreeSet::new(), written: 0 })
    }

    /// The same, whose mails are numbered on from those that others have written before them.
    #[must_use]
    pub fn behind(self, written: u32) -> Troupe<'a> {
        Troupe { written, ..self }
    }

    /// How many mails were written, with those before.
    pub fn written(&self) -> u32 {
        self.written
    }

    /// Plays until the game is over, nobody has anything to say, or so many mails were written; `watch` sees every mail.
    ///
    /// # Errors
    /// What of the post office fails.
    pub fn play(&mut self, mails_max: u32, watch: &mut dyn FnMut(&Mail) -> Result<(), String>) -> Result<(), String> {
        loop {
            self.office.pass().map_err(|e| e.to_string())?;
            for mail in self.arrived()? {
                watch(&mail)?;
                if let Some(player) = self.players.iter_mut().find(|p| p.address == mail.to) {
                    player.last = Some(mail);
                }
            }
            let row = game_of(&self.office.store, &self.game).map_err(|e| e.to_string())?;
            if self.written >= mails_max || matches!(row.state, GameState::Over | GameState::Corrupt) {
                return Ok(());
            }
            let Some(mail) = self.answer(row.state == GameState::Forming)? else { return Ok(()) };
            self.written += 1;
            watch(&mail)?;
            self.maildir.deliver(raw(&mail, self.written).as_bytes()).map_err(|e| e.to_string())?;
        }
    }

    /// Mails that went out since the last look, in order.
    fn arrived(&mut self) -> Result<Vec<Mail>, String> {
        let mut new = Vec::new();
        for bytes in self.maildir.sent().map_err(|e| e.to_string())? {
            let Ok(incoming) = read(&bytes, &Limits::default()) else { continue };
            // The post office may serve other games too.
            let known = self.office.store.outbox_by_message_id(&incoming.head.message_id).map_err(|e| e.to_string())?;
            let ours = known.is_some_and(|mail| mail.game.as_ref() == Some(&self.game));
            if ours && self.seen.insert(incoming.head.message_id.clone()) {
                new.push(Mail::of(&incoming));
            }
        }
        Ok(new)
    }

    /// The next mail of whoever is to write: while the game forms those who have not signed on, then the first of whom
    /// something is due.
    fn answer(&mut self, forming: bool) -> Result<Option<Mail>, String> {
        let index = if forming {
            self.players.iter().position(|p| !p.signed && p.last.is_some())
        } else {
            let dues = self.office.store.dues(&self.game).map_err(|e| e.to_string())?;
            self.players.iter().position(|p| dues.iter().any(|d| d.seat == p.seat))
        };
        let Some(index) = index else { return Ok(None) };
        let own = match self.players.get(index) {
            Some(player) if !forming => self.house_player(&player.seat)?,
            _ => String::new(),
        };
        let Some(player) = self.players.get_mut(index) else { return Ok(None) };
        let Some(last) = player.last.clone() else { return Ok(None) };
        let scene = player.scenes.iter().position(|s| s.when.iter().all(|word| last.text.contains(word)));
        let text = match scene {
            Some(at) => player.scenes.remove(at).says.to_owned(),
            None if forming => format!("SIGNON\nNONCE the {} have the honour to begin\n", player.seat),
            None => own,
        };
        player.signed |= forming;
        let quoted: String = last.text.lines().take(3).map(|line| format!("> {line}\n")).collect();
        Ok(Some(Mail {
            from: player.address.clone(),
            to: last.from.clone(),
            subject: format!("Re: {}", last.subject),
            id: format!("{}.{}@example.org", player.seat, self.written + 1),
            text: format!("{}\n{} wrote:\n{quoted}", text.trim_end(), last.from),
        }))
    }

    /// What the program's own player would write for a seat.
    fn house_player(&self, seat: &str) -> Result<String, String> {
        let row = game_of(&self.office.store, &self.game).map_err(|e| e.to_string())?;
        let game = table::open(self.entries, &self.office.store, &row).map_err(|e| e.to_string())?;
        let (_, lines) = game.bot(&SeatId(seat.to_owned()), u64::from(self.written)).into_parts();
        // The own player corrects nothing: what is not taken of its lines is dropped.
        let line = |line: &String| if line == "END" { "END ANYWAY".to_owned() } else { line.clone() };
        Ok(lines.iter().map(line).collect::<Vec<_>>().join("\n"))
    }
}

/// The mail as bytes, as a plain mail program writes it.
pub(crate) fn raw(mail: &Mail, number: u32) -> String {
    let Mail { from, to, subject, id, text } = mail;
    format!(
        "From: <{from}>\r\nTo: <{to}>\r\nSubject: {subject}\r\nMessage-ID: <{id}>\r\nDate: Thu, 1 Jan 2026 \
         {:02}:{:02}:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\
         Content-Transfer-Encoding: 8bit\r\n\r\n{}",
        number / 60 % 24,
        number % 60,
        text.replace('\n', "\r\n")
    )
}

/// Makes the files of a post office in an empty directory, as `estafette init` does, with this address.
///
/// # Errors
/// What cannot be written.
pub fn furnish(dir: &Path, address: &str) -> Result<(), String> {
    let config = dir.join("config.toml");
    std::fs::create_dir_all(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    if !config.exists() {
        let text = format!("address = \"{address}\"\n");
        std::fs::write(&config, text).map_err(|e| format!("{}: {e}", config.display()))?;
    }
    crate::store::Store::create(&dir.join("estafette.db")).map_err(|e| e.to_string())?;
    Maildir::open(&dir.join("mail")).map_err(|e| e.to_string())?;
    Ok(())
}
