//! What an umpire does to a game's clock: PAUSE, RESUME, EXTEND, PROCEED.

use super::deadlines::{PAUSED, Pause};
use super::error::Trouble;
use super::office::Office;
use super::post::Extras;
use super::sitting::Sitting;
use super::wakes::{Why, Woken};
use super::{OfficeError, due, when};
use crate::host::Input;
use crate::orders::fold;
use crate::store::{Due, GameState};
use crate::terms::{Late, spoken};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use std::cmp::Ordering;

/// What an umpire does to a game's clock, or to its people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimeCommand {
    /// Stops the clock, until a time if one is written.
    Pause(String),
    /// Lets the clock go on.
    Resume,
    /// Gives a seat, or ALL, time until an instant, as written.
    Until(String, String),
    /// What is missing from these seats, or from ALL, is answered by the defaults now; with nobody named it asks back.
    Proceed(Vec<String>),
    /// Another person takes a seat; whether he may hold others of the game.
    Replace {
        /// The seat as written.
        seat: String,
        /// The new address.
        address: String,
        /// Whether he may hold other seats of the game.
        allow: bool,
    },
}

/// Which way a deadline was moved.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moved {
    Later,
    Earlier,
    /// Several things were due, and some are due earlier and some later; or none has moved.
    Otherwise,
}

impl Moved {
    /// What became of a seat's deadlines.
    fn between(before: &[Due], after: &[Due], seat: &str) -> Moved {
        let at = |dues: &[Due], address: &str| -> Option<Timestamp> {
            dues.iter().find(|due| due.seat == seat && due.address == address)?.due_at.as_ref()?.parse().ok()
        };
        let own = before.iter().filter(|due| due.seat == seat);
        let ways: Vec<Ordering> =
            own.filter_map(|due| Some(at(after, &due.address)?.cmp(&at(before, &due.address)?))).collect();
        match (ways.contains(&Ordering::Greater), ways.contains(&Ordering::Less)) {
            (true, false) => Moved::Later,
            (false, true) => Moved::Earlier,
            _ => Moved::Otherwise,
        }
    }

    /// The subject of the notice to the seat.
    fn topic(self) -> &'static str {
        match self {
            Moved::Later => "more time",
            Moved::Earlier => "less time, an earlier deadline",
            Moved::Otherwise => "your deadline has moved",
        }
    }

    /// The sentence of that notice.
    fn said(self) -> &'static str {
        match self {
            Moved::Later => "The umpire has moved your deadline: it is later now.",
            Moved::Earlier => "The umpire has moved your deadline: it is EARLIER now.",
            Moved::Otherwise => "The umpire has moved your deadline.",
        }
    }
}

impl TimeCommand {
    /// The line that a mail with the same wish would hold.
    pub fn line(&self) -> String {
        match self {
            TimeCommand::Pause(until) if until.trim().is_empty() => "PAUSE".to_owned(),
            TimeCommand::Pause(until) => format!("PAUSE UNTIL {until}"),
            TimeCommand::Resume => "RESUME".to_owned(),
            TimeCommand::Until(seat, at) => format!("EXTEND {seat} UNTIL {at}"),
            TimeCommand::Proceed(seats) => format!("PROCEED {}", seats.join(" ")).trim_end().to_owned(),
            TimeCommand::Replace { seat, address, allow } => {
                format!("REPLACE {seat} {address}{}", if *allow { " ALLOW" } else { "" })
            }
        }
    }
}

impl Sitting<'_> {
    /// Carries one of them out.
    pub(super) fn time_command(&mut self, command: &TimeCommand) -> Result<String, Trouble> {
        match command {
            TimeCommand::Pause(until) => self.pause_clock(until),
            TimeCommand::Resume => self.resume_clock(due::GOES_ON),
            TimeCommand::Until(seat, at) => self.extend_until(seat, at),
            TimeCommand::Proceed(seats) => self.proceed(seats),
            TimeCommand::Replace { seat, address, allow } => self.replace(seat, address, *allow),
        }
    }

    fn pause_clock(&mut self, until: &str) -> Result<String, Trouble> {
        if self.pause()?.is_some() {
            return Err(Trouble::Refused("the game is paused already; RESUME lets it go on.".to_owned()));
        }
        let zone = self.zone()?;
        let until = until.trim();
        let until = match until.is_empty() {
            true => None,
            false => Some(spoken::instant(until, self.env.now, &zone).map_err(Trouble::Refused)?),
        };
        let pause = Pause { since: self.env.now, until };
        let kept = serde_json::to_string(&pause).map_err(|why| Trouble::Game(why.to_string()))?;
        self.act.set_note(&self.row.id, PAUSED, Some(&kept))?;
        self.enter("pause", &json!({"at": self.entry_time()?, "until": until.map(when::kept)}))?;
        let said = until.map_or_else(
            || "until the umpire lets it go on".to_owned(),
            |at| format!("until {}", when::said_in(at, &zone)),
        );
        let note = format!(
            "The clock of the game stands still, {said}.  Your mails are still read and answered; the time \
                            that you had left is left to you then."
        );
        self.tell_all("the game is paused", &[note])?;
        Ok(format!("the clock stands still, {said}."))
    }

    /// The clock goes on; what was due has as much time left as when it was stopped.
    fn resume_clock(&mut self, why: &str) -> Result<String, Trouble> {
        let Some(pause) = self.pause()? else {
            return Err(Trouble::Refused("the game is not paused.".to_owned()));
        };
        self.act.set_note(&self.row.id, PAUSED, None)?;
        let by = self.env.now.duration_since(pause.since);
        self.put_off(by, &super::due::paused_from(&when::kept(pause.since)))?;
        self.enter("resume", &json!({"at": self.entry_time()?, "why": why}))?;
        self.tell_all("the game goes on", &["The clock of the game runs again.".to_owned()])?;
        Ok("the clock runs again.".to_owned())
    }

    /// A pause that was to end now ends.
    pub(super) fn resume_if_due(&mut self) -> Result<(), Trouble> {
        let over = self.pause()?.and_then(|pause| pause.until).is_some_and(|until| until <= self.env.now);
        if over { self.resume_clock(due::TIME_UP).map(drop) } else { Ok(()) }
    }

    /// Gives a seat, or ALL, more hours.
    pub(super) fn extend(&mut self, seat: &str, hours: u32) -> Result<String, Trouble> {
        let by = SignedDuration::from_hours(i64::from(hours));
        let to = |at: Timestamp| at.checked_add(by).unwrap_or(Timestamp::MAX);
        self.extend_to(seat, &to, &super::due::given_hours(hours))
    }

    fn extend_until(&mut self, seat: &str, at: &str) -> Result<String, Trouble> {
        let until = spoken::instant(at, self.env.now, &self.zone()?).map_err(Trouble::Refused)?;
        self.extend_to(seat, &|_| until, &super::due::given_until(&when::kept(until)))
    }

    fn extend_to(&mut self, seat: &str, to: &dyn Fn(Timestamp) -> Timestamp, why: &str) -> Result<String, Trouble> {
        let wanted = fold(seat);
        let meant = |due: &Due| wanted == "all" || fold(&due.seat) == wanted;
        let mut seats: Vec<String> = Vec::new();
        for due in self.act.dues(&self.row.id)?.into_iter().filter(|due| meant(due) && due.due_at.is_some()) {
            if !seats.contains(&due.seat) {
                seats.push(due.seat);
            }
        }
        if seats.is_empty() {
            return Err(Trouble::Refused(format!("nothing with a deadline is due from \"{seat}\".")));
        }
        let before = self.act.dues(&self.row.id)?;
        self.move_dues(&meant, to, why)?;
        self.enter("extend", &json!({"seat": seat, "why": why}))?;
        let dues = self.act.dues(&self.row.id)?;
        for seat in &seats {
            let line = self.due_line(&dues, seat)?;
            let moved = Moved::between(&before, &dues, seat);
            self.notice(seat, moved.topic(), vec![format!("Due {line}"), moved.said().to_owned()])?;
        }
        let until = dues.iter().filter(|due| meant(due)).filter_map(|due| due.due_at.as_deref()).max();
        let until =
            until.map_or_else(String::new, |at| self.zone().map(|z| when::said_of_in(at, &z)).unwrap_or_default());
        Ok(format!("{seat} has until {until}."))
    }

    /// What is missing is answered by the defaults now, whatever the policy of the game; where that calls the program's own
    /// player, he plays all that is due before them. It ends a player's sheet for him, so it names whose; and he is told.
    fn proceed(&mut self, named: &[String]) -> Result<String, Trouble> {
        let refused = |why: String| Err(Trouble::Refused(why));
        if self.row.state == GameState::Forming {
            let open = self.dues_line()?;
            return refused(format!(
                "the game has not begun, so that no default can play.  Due {open}.  It begins when all seats have signed \
                 on, or when that time is up."
            ));
        }
        if self.row.state != GameState::Playing || self.hosted.dues().is_empty() {
            return refused("nothing is due in this game.".to_owned());
        }
        let mut due: Vec<String> = Vec::new();
        for open in self.hosted.dues() {
            if !due.contains(&open.seat.0) {
                due.push(open.seat.0);
            }
        }
        let names: Vec<&str> = due.iter().map(String::as_str).collect();
        let stage = self.hosted.stage().map_or_else(String::new, |stage| format!(" for {}", stage.title));
        let ends = format!("it ends what is due from {}{stage}, and the defaults play", crate::text::and_list(&names));
        let all = named.iter().any(|seat| fold(seat) == "all") && named.len() == 1;
        if named.is_empty() {
            return refused(format!("{ends}.  If you want that, write PROCEED {}.", names.join(" ")));
        }
        if let Some(odd) = named.iter().find(|seat| !all && !due.iter().any(|d| fold(d) == fold(seat))) {
            return refused(format!("nothing is due from \"{odd}\"; write PROCEED {}.", names.join(" ")));
        }
        if due.iter().any(|d| !all && !named.iter().any(|seat| fold(seat) == fold(d))) {
            return refused(format!("{ends} for all of them at once; write PROCEED {}.", names.join(" ")));
        }
        self.enter("proceed", &json!({"at": self.entry_time()?}))?;
        self.count_missed(self.env.now)?;
        let open = self.hosted.dues();
        let house = self.terms()?.late == Late::Bot;
        if house {
            self.house_plays(&open)?;
        }
        let letters = if self.still_due(&open) { self.take(Input::Deadline)? } else { Vec::new() };
        let play = if house { "the program's own player and the defaults" } else { "the defaults" };
        let note = format!(
            "The umpire ended what was due from you{stage}: what was TAKEN was carried out, and {play} played for the \
             rest."
        );
        let mut untold = due.clone();
        let dues = self.keep_dues()?;
        for letter in &letters {
            let mut context = self.context_of(letter, &dues)?;
            if let Some(at) = untold.iter().position(|seat| *seat == letter.seat.0) {
                untold.remove(at);
                context.notes.insert(0, note.clone());
            }
            self.post_letter(letter, context, Extras::default())?;
        }
        for seat in untold.iter().filter(|seat| !super::press::is_umpire(seat)) {
            self.notice(seat, "the umpire has let play go on", vec![note.clone()])?;
        }
        if std::mem::take(&mut self.told_all) {
            self.umpire_page()?;
            self.public_pages()?;
        }
        Ok(format!("what was missing from {} is answered by {play}; play goes on.", crate::text::and_list(&names)))
    }

    /// Tells all who have a seat the same, with what is due from each.
    pub(super) fn tell_all(&self, topic: &str, notes: &[String]) -> Result<(), Trouble> {
        let dues = self.act.dues(&self.row.id)?;
        for seat in self.players() {
            let mut notes = notes.to_vec();
            notes.push(format!("Due {}", self.due_line(&dues, &seat.0)?));
            self.notice(&seat.0, topic, notes)?;
        }
        self.notice(super::press::UMPIRE, topic, notes.to_vec())
    }
}

impl Office {
    /// Ends the pauses whose time is up.
    pub(super) fn end_pauses(&mut self, woken: &mut Woken) -> Result<(), OfficeError> {
        for game in woken.of(Why::Pause) {
            let ended = &mut |sitting: &mut Sitting<'_>| sitting.resume_if_due();
            if self.time_of(&game, &mut |office| office.with_game(&game, None, ended)).is_none() {
                woken.again.insert(game);
            }
        }
        Ok(())
    }
}
