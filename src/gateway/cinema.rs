//! Games to look at: the replay that goes with the last mail, and the umpire's desk as one page.
//!
//! The desk is a page and no server: the console and the mail already do every act, checked and entered in the ledger, so
//! that the page only writes the command of each row to copy.

use super::error::{OfficeError, Trouble};
use super::ledger::{Class, Entry};
use super::office::Office;
use super::sitting::Sitting;
use super::{codes, form, press, when};
use crate::fog::SideId;
use crate::host::film::{Film, Look, Mark, Shape};
use crate::letter::replay::{self, Panel, Replay, Row};
use crate::mail::read::{Limits, read};
use std::collections::BTreeMap;

/// The name of the replay's file.
const REPLAY_FILE: &str = "replay.html";
/// The name of the umpire's file.
const DESK_FILE: &str = "desk.html";
/// Letters of a held mail that the desk shows.
const SHOWN: usize = 400;

/// An attachment: its name, its kind, its bytes.
type Attachment = (String, String, Vec<u8>);

fn attachment(name: &str, page: String) -> Attachment {
    (name.to_owned(), "text/html".to_owned(), page.into_bytes())
}

/// The umpire's desk: what was so, what each side knew, who is late, what is held, the ledger, who knows what.
///
/// # Errors
/// Never but by a fault of the package's own page, which a test would find.
pub fn desk_page(game: &str, film: &Film, panels: &[Panel]) -> Result<String, String> {
    let title = format!("{game}: the umpire's desk");
    replay::page(&Replay { title: &title, film, first: None, last: true, panels })
}

impl Sitting<'_> {
    /// The replay for the last mail of a seat that wants pictures; a page that cannot be made costs the mail nothing.
    pub(super) fn replay(&self, seat: &str) -> Result<Option<Attachment>, Trouble> {
        let Some(row) = self.seat(seat)?.filter(|row| form::read(&row.format).plates) else { return Ok(None) };
        let Some(film) = self.ended.get_or_init(|| self.hosted.film(None).into_parts().1) else { return Ok(None) };
        let title = format!("{}: the whole game", self.row.id);
        let page = replay::page(&Replay { title: &title, film, first: row.side.as_deref(), last: false, panels: &[] });
        Ok(page.ok().map(|page| attachment(REPLAY_FILE, page)))
    }

    /// The desk for a mail of an umpire who asked for sheets.
    pub(super) fn desk_enclosed(&self, umpire: &str) -> Result<Option<Attachment>, Trouble> {
        if !self.seat(umpire)?.is_some_and(|seat| form::read(&seat.format).sheet) {
            return Ok(None);
        }
        let film = self.hosted.film(None);
        let Some(film) = film.body() else { return Ok(None) };
        let page = desk_page(&self.row.id, film, &self.panels(film)?);
        Ok(page.ok().map(|page| attachment(DESK_FILE, page)))
    }

    fn panels(&self, film: &Film) -> Result<Vec<Panel>, Trouble> {
        Ok(vec![self.due_panel()?, self.held_panel()?, self.ledger_panel()?, self.knowledge(film), self.seats_panel()?])
    }

    /// A row with what may be done about it: a command of the console, and the line of a mail that does the same.
    fn row(&self, cells: Vec<String>, words: &str) -> Row {
        let (verb, rest) = words.split_once(' ').unwrap_or((words, ""));
        let line = format!("{} {rest}", verb.to_uppercase()).trim().to_owned();
        Row { cells, command: Some(format!("estafette umpire {} {words}", self.row.id)), mail: Some(line) }
    }

    fn due_panel(&self) -> Result<Panel, Trouble> {
        let (now, zone) = (when::kept(self.env.now), self.zone()?);
        let mut rows = Vec::new();
        for due in self.act.dues(&self.row.id)? {
            let until = due.due_at.as_deref();
            let late = until.is_some_and(|until| until <= &*now) && !self.row.held;
            let what = if due.address.starts_with("ask/") { "a question" } else { "orders" };
            let by = until.map_or_else(|| "no deadline".to_owned(), |until| when::said_of_in(until, &zone));
            let state = if late { "LATE" } else { "" };
            let cells = [due.seat.as_str(), what, &by, state, &due.default_text].map(str::to_owned).to_vec();
            let words = if late { format!("remind {}", due.seat) } else { format!("extend {} 24h", due.seat) };
            rows.push(self.row(cells, &words));
        }
        Ok(Panel {
            title: "What is due".to_owned(),
            open: true,
            head: ["Seat", "What", "By", "", "If nothing comes", "To copy"].map(str::to_owned).to_vec(),
            rows,
            none: "Nothing is due.".to_owned(),
        })
    }

    fn held_panel(&self) -> Result<Panel, Trouble> {
        let mut rows = Vec::new();
        for mail in self.held_letters()? {
            let (seat, number) = (mail.seat.clone().unwrap_or_default(), mail.number.unwrap_or(0));
            let text = read(&mail.raw, &Limits::default()).map(|incoming| incoming.text).unwrap_or_default();
            let cells = vec![seat, number.to_string(), codes::masked(&text).chars().take(SHOWN).collect()];
            rows.push(self.row(cells, "release"));
        }
        Ok(Panel {
            title: "Letters held".to_owned(),
            open: !rows.is_empty(),
            head: ["To", "Mail", "How it begins", "To copy"].map(str::to_owned).to_vec(),
            rows,
            none: "No letter is held.".to_owned(),
        })
    }

    fn ledger_panel(&self) -> Result<Panel, Trouble> {
        let row = |line: String| Row { cells: vec![line], ..Row::default() };
        Ok(Panel {
            title: "The ledger".to_owned(),
            rows: self.ledger_lines()?.into_iter().map(row).collect(),
            none: "Nothing stands in the ledger.".to_owned(),
            ..Panel::default()
        })
    }

    /// Who knows what of each piece that stands on the map now.
    fn knowledge(&self, film: &Film) -> Panel {
        // Both sides may have a piece of one name.
        let mut pieces: BTreeMap<(String, &SideId), String> = BTreeMap::new();
        for (side, scene) in film.frames.last().into_iter().flat_map(|frame| film.watchers.iter().zip(&frame.scenes)) {
            let own = |mark: &&Mark| mark.look == Look::Own && mark.shape != Shape::Held;
            for mark in scene.marks.iter().filter(own) {
                let name = mark.said.split(',').next().unwrap_or_default().to_owned();
                pieces.insert((mark.key.clone(), side), name);
            }
        }
        let mut rows = Vec::new();
        for ((key, side), name) in pieces {
            let said = [format!("{side} {name}"), name.clone(), key];
            let asked = said.iter().find_map(|piece| Some((piece, self.hosted.who_knows(piece).ok()?)));
            let Some((piece, known)) = asked else { continue };
            let known: Vec<&str> = known.iter().map(|line| line.trim()).collect();
            rows.push(self.row(vec![name.clone(), known.join("; ")], &format!("who-knows {piece}")));
        }
        Panel {
            title: "Who knows what".to_owned(),
            head: ["Piece", "What is known of it", "To copy"].map(str::to_owned).to_vec(),
            rows,
            none: "Nobody stands on the map.".to_owned(),
            ..Panel::default()
        }
    }

    fn seats_panel(&self) -> Result<Panel, Trouble> {
        let mut rows = Vec::new();
        for seat in self.act.seats(&self.row.id)? {
            let signed = if seat.signed_on.is_some() { "signed on" } else { "not signed on" };
            let mails = crate::text::plural(i64::from(seat.mails_sent), "mail", "mails");
            let cells = vec![seat.seat.clone(), signed.to_owned(), mails, seat.addresses.join(", ")];
            rows.push(match &seat.side {
                Some(side) => self.row(cells, &format!("show {side}")),
                None => Row { cells, ..Row::default() },
            });
        }
        let title = "Seats".to_owned();
        let head = ["Seat", "", "Sent", "Address", "To copy"].map(str::to_owned).to_vec();
        Ok(Panel { title, head, rows, ..Panel::default() })
    }
}

impl Office {
    /// What the desk of an umpire lists beside the film of a game. It is a look at what is hidden, and so stands in the
    /// ledger.
    ///
    /// # Errors
    /// Who may not look, as a sentence.
    pub fn desk(&mut self, game: &str, umpire: &str, film: &Film) -> Result<Vec<Panel>, OfficeError> {
        let done = self.try_game(game, None, &mut |sitting| {
            let panels = sitting.panels(film)?;
            sitting.looks(umpire, "DESK")?;
            Ok(panels)
        });
        done.map_err(OfficeError::from)
    }

    /// Enters in the ledger that an umpire looks at the truth of a game at the console.
    ///
    /// # Errors
    /// Who may not look, as a sentence.
    pub fn look(&mut self, game: &str, umpire: &str) -> Result<(), OfficeError> {
        let done = self.try_game(game, None, &mut |sitting| sitting.looks(umpire, "REPORT"));
        done.map_err(OfficeError::from)
    }
}

impl Sitting<'_> {
    /// A look at the console: who may take it, and its entry.
    fn looks(&self, umpire: &str, what: &str) -> Result<(), Trouble> {
        let umpires = self.umpires()?;
        if !press::is_umpire(umpire) || (!umpires.is_empty() && !umpires.iter().any(|known| known == umpire)) {
            return Err(Trouble::Refused(format!("the game has no umpire \"{umpire}\".")));
        }
        if let Some(side) = self.plays(umpire)? {
            let why = format!("{umpire} plays {side}: this shows what is hidden from that side.");
            return Err(Trouble::Refused(why));
        }
        let by = format!("{umpire} (at the console)");
        self.ledger(&by, Entry::new(Class::Look, &self.sides(), what, ""))
    }
}
