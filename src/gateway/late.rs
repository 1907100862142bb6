//! A deadline has passed: what becomes of what is missing, by the policy of the game.

use super::deadlines::UNTIL;
use super::error::Trouble;
use super::press::UMPIRE;
use super::sitting::Sitting;
use super::whence::Whence;
use super::{due, when};
use crate::dice::Master;
use crate::host::Input;
use crate::host::paper::SheetState;
use crate::rules;
use crate::store::{Due, GameState};
use crate::terms::{Late, Terms};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

/// Parts of a stage that the program's own player plans, one behind the other, at most.
const PARTS: usize = 60;
/// The note that says of what the umpire was asked, so that he is asked once.
const ASKED: &str = "asked";
/// The note that says in which stage all were told that its time is up.
const GRACE_TOLD: &str = "grace";
/// The key on a seat's desk: when it was last told that play waits for it.
const WAITED: &str = "waited";

/// What the program's own player picks by among equals, when its seat has had so many mails: it follows from the master, so
/// that an audit finds the same again.
pub(crate) fn house_noise(master: &Master, game: &str, epoch: &str, seat: &str, number: u32) -> u64 {
    let secret = super::tags::secret_under(master, (game, epoch), "house", &format!("{seat}/{number}"));
    secret.iter().take(8).fold(0_u64, |sum, byte| (sum << 8) | u64::from(*byte))
}

impl Sitting<'_> {
    /// The time of the game is up, if by an instant it was up for all that play waits for.
    pub(super) fn deadline(&mut self, at: Timestamp) -> Result<bool, Trouble> {
        if self.row.held || self.pause()?.is_some() {
            return Ok(false);
        }
        let terms = self.terms()?;
        let by = at.checked_sub(SignedDuration::from_hours(i64::from(terms.grace))).unwrap_or(at);
        let done = self.notice_deadline(by)?;
        if done || self.waits_for_dice()?.is_some() {
            return Ok(done);
        }
        match self.row.state {
            GameState::Forming => self.forming_deadline(&terms, by),
            GameState::Playing => {
                let called = self.call_ends(at, by)?;
                Ok(self.stage_deadline(&terms, by)? || called)
            }
            GameState::Over | GameState::Corrupt => Ok(false),
        }
    }

    /// A game whose seats are known begins without those who are silent; in an open one their seats are free again.
    fn forming_deadline(&mut self, terms: &Terms, by: Timestamp) -> Result<bool, Trouble> {
        let by = when::kept(by);
        let past = |due: &Due| due.due_at.as_ref().is_some_and(|at| *at <= by);
        let late: Vec<Due> = self.act.dues(&self.row.id)?.into_iter().filter(past).collect();
        if late.is_empty() {
            return Ok(false);
        }
        if terms.open {
            for due in &late {
                self.vacate(&due.seat)?;
            }
            return Ok(true);
        }
        self.begin()?;
        Ok(true)
    }

    fn stage_deadline(&mut self, terms: &Terms, by: Timestamp) -> Result<bool, Trouble> {
        let dues = self.act.dues(&self.row.id)?;
        if terms.grace > 0 {
            self.tell_grace(terms, &dues)?;
        }
        if !due::all_past(&dues, self.hosted.as_ref(), by) {
            return Ok(false);
        }
        let late: Vec<rules::Due> = self.hosted.dues();
        let mut seats: Vec<String> = late.iter().map(|due| due.seat.0.clone()).collect();
        seats.sort();
        seats.dedup();
        if seats.len() >= terms.brake_of(self.players().len()) {
            let why = format!("{} seats are missing at once", seats.len());
            return self.ask(&dues, &format!("{why}; a fault of the mail is likelier than so much silence"));
        }
        match terms.late {
            Late::Wait => return self.wait_for(&seats),
            Late::Umpire => {
                return self.ask(&dues, &format!("{} has not answered in time", crate::text::and_list(&seats)));
            }
            Late::StandIn if self.call_stand_ins(&seats)? => return Ok(true),
            Late::Doctrine | Late::StandIn | Late::Bot => {}
        }
        self.count_missed(self.env.now)?;
        if terms.late == Late::Bot {
            self.house_plays(&late)?;
        }
        // What the program's player left open, and all else, is answered by the defaults.
        if self.still_due(&late) {
            let letters = self.take(Input::Deadline)?;
            self.post_all(&letters)?;
        }
        Ok(true)
    }

    /// Whether something of what was due is due still.
    pub(super) fn still_due(&self, late: &[rules::Due]) -> bool {
        self.hosted.dues().iter().any(|due| late.iter().any(|l| l.seat == due.seat && l.address == due.address))
    }

    /// The program's own player writes for the missing, each from its own view.
    pub(super) fn house_plays(&mut self, late: &[rules::Due]) -> Result<(), Trouble> {
        let mut written: Vec<&str> = Vec::new();
        for due in late {
            let seat = &due.seat;
            let open = self.hosted.dues().iter().any(|open| open.seat == *seat);
            if written.contains(&seat.0.as_str()) || !open || super::press::is_umpire(&seat.0) {
                continue;
            }
            written.push(&seat.0);
            // What it has written itself is carried out as it stands; what waits for a slip is not.
            let stands = |sheet: &SheetState| sheet.lines.len() > sheet.waits.len();
            if due.prompt.is_none() && self.hosted.sheet(seat).body().as_ref().is_some_and(stands) {
                continue;
            }
            self.house_plays_stage(due)?;
        }
        Ok(())
    }

    /// It plans each part of a stage by what the one before has made of the table, and so writes until it ends the sheet, or
    /// play waits for somebody else.
    fn house_plays_stage(&mut self, due: &rules::Due) -> Result<(), Trouble> {
        let seat = &due.seat;
        let stage = self.hosted.stage().map(|stage| stage.key);
        let mut before: Vec<String> = Vec::new();
        for _ in 0..PARTS {
            let number = self.seat(&seat.0)?.map_or(0, |row| row.mails_sent);
            let noise =
                house_noise(&Master::from_bytes(self.row.master), &self.row.id, &self.row.epoch, &seat.0, number);
            let written = self.hosted.bot(seat, noise).body().clone();
            // Who writes the same again comes no further.
            if written == before {
                break;
            }
            let end = written.iter().any(|line| line == "END");
            let lines = (1..).zip(written.iter().filter(|line| *line != "END").cloned()).collect();
            self.enter("house", &json!({"seat": seat, "why": "its orders are missing"}))?;
            let input = Input::Orders { seat: seat.clone(), lines, end, mail: Whence::House(number).to_string() };
            let letters = self.take(input)?;
            self.post_all(&letters)?;
            let same = self.hosted.stage().map(|stage| stage.key) == stage;
            // Questions are answered all at once, and what they lead to has its own time.
            if end || !same || due.prompt.is_some() || !self.hosted.dues().iter().any(|open| open.seat == *seat) {
                break;
            }
            before = written;
        }
        Ok(())
    }

    /// Play stops, and the umpire is asked, once for the same deadlines.
    fn ask(&mut self, dues: &[Due], why: &str) -> Result<bool, Trouble> {
        let about: Vec<String> = dues
            .iter()
            .map(|due| format!("{}/{}@{}", due.seat, due.address, due.due_at.as_deref().unwrap_or_default()))
            .collect();
        let about = about.join(" ");
        if self.act.note(&self.row.id, ASKED)?.as_ref() == Some(&about) {
            return Ok(false);
        }
        self.act.set_note(&self.row.id, ASKED, Some(&about))?;
        self.enter("asked", &json!({"why": why}))?;
        let notes = vec![
            format!("Play stops: {why}."),
            "EXTEND ALL 24 gives time; PROCEED ALL lets the defaults play for whoever is missing; REPLACE seat address gives \
             the seat to another.  Orders that come meanwhile count."
                .to_owned(),
        ];
        self.notice(UMPIRE, "play stops, and you are asked", notes.clone())?;
        if self.seat(UMPIRE)?.is_none() {
            let game = self.row.id.clone();
            super::operator::tell(self.env, self.act, &format!("{game}: play stops"), &notes)?;
        }
        Ok(true)
    }

    /// Play waits: each missing seat is told so once a day, and counts as silent for that day.
    fn wait_for(&mut self, seats: &[String]) -> Result<bool, Trouble> {
        let today = when::day(self.env.now);
        let mut told = false;
        for seat in seats {
            if self.act.desk(&self.row.id, seat, WAITED)?.as_ref() == Some(&today) {
                continue;
            }
            self.act.set_desk(&self.row.id, seat, WAITED, Some(&today))?;
            self.miss(seat)?;
            told = true;
            let line = self.due_line(&self.act.dues(&self.row.id)?, seat)?;
            let notes = vec![format!("Due {line}"), "Your time is up, and play waits for you.".to_owned()];
            self.notice(seat, "play waits for you", notes)?;
        }
        Ok(told)
    }

    /// Once in a stage, when the time that all know of is up and grace begins, all are told the same: that the stage is
    /// still open is known to all, and nothing else is said.
    fn tell_grace(&mut self, terms: &Terms, dues: &[Due]) -> Result<(), Trouble> {
        let Some((key, until)) = self.until()? else { return Ok(()) };
        let open = self.hosted.stage().is_some_and(|stage| stage.key == key);
        let told = self.act.note(&self.row.id, GRACE_TOLD)?;
        let mark = self.act.note(&self.row.id, UNTIL)?;
        if !open || until > self.now() || told == mark {
            return Ok(());
        }
        self.act.set_note(&self.row.id, GRACE_TOLD, mark.as_deref())?;
        let zone = terms.calendar.tz();
        let end = until
            .parse::<Timestamp>()
            .ok()
            .and_then(|at| at.checked_add(SignedDuration::from_hours(i64::from(terms.grace))).ok());
        let end = end.map_or_else(String::new, |at| when::said_in(at, &zone));
        for seat in self.players() {
            let notes = vec![
                format!(
                    "The time of this stage was up at {}.  Orders that are still out count until {end}.",
                    when::said_of_in(&until, &zone)
                ),
                format!("Due {}", self.due_line(dues, &seat.0)?),
            ];
            self.notice(&seat.0, "the time of this stage is up", notes)?;
        }
        Ok(())
    }
}
