//! Codes: 128 bits that go to one mailbox, good for a week, for one thing, once.
//!
//! A reply tag stands in every mail, so whoever has one old mail has it. What a stolen mail must not do waits for a code
//! that is made when it is asked for, and mailed where only the right reader finds it.

use super::acts::Umpire;
use super::commands::{Item, code_in};
use super::error::Trouble;
use super::operator;
use super::player::Reply;
use super::press::{UMPIRE, is_umpire};
use super::sitting::Sitting;
use super::strangers::Wish;
use super::transfer::{Back, Transfer};
use super::when;
use crate::mail::tag;
use crate::store::{Act, Code, InboxState, StoreError};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Days for which a code is good.
pub(super) const DAYS: u32 = 7;
/// Codes sent to one seat in a day.
pub(super) const PER_DAY_MAX: u32 = 10;
/// Wrong codes in a day after which the seat and the operator are told. Nobody is locked out: 128 bits need no lock, and
/// whoever holds an old tag of a seat could shut it out of its own codes.
pub(super) const GUESSES_TOLD: u32 = 5;
/// Letters of a group, as a code is written.
const GROUP: usize = 5;
/// Fewer letters than this are no code of ours.
const CODE: usize = 4 * GROUP;

/// What a code does.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Purpose {
    /// The seat says that it wants it.
    Owner(Transfer),
    /// Who is to have a hand in the seat is willing.
    Consent(Transfer),
    /// Somebody without a seat asks for one, or to look on.
    Wish(Wish),
    /// A mail that was held back is the seat's own.
    Held {
        /// Its number in the inbox.
        mail: i64,
        /// Few wait at a time, each in a place of its own.
        place: u32,
    },
    /// Who had a hand in the seat takes it back.
    Back(Back),
}

impl Purpose {
    /// Of each kind a seat has one code that is good; a newer one takes its place.
    pub(super) fn kind(&self) -> String {
        match self {
            Purpose::Owner(transfer) => transfer.kind().to_owned(),
            Purpose::Consent(transfer) => format!("consent/{}", transfer.kind()),
            Purpose::Wish(_) => "wish".to_owned(),
            Purpose::Held { place, .. } => format!("held/{place}"),
            Purpose::Back(back) => format!("back/{}", back.kind()),
        }
    }

    /// What a kept code does; none where it is of another version.
    pub(super) fn of(code: &Code) -> Option<Purpose> {
        serde_json::from_str(&code.body).ok()
    }
}

/// The code among some that was said. All are compared, and the time says nothing of how near any came.
pub(super) fn said_among(codes: Vec<Code>, said: &str) -> Option<Code> {
    let mut found = None;
    for code in codes {
        if tag::matches(said, &code.hash) {
            found = Some(code);
        }
    }
    found
}

/// Counts a wrong code of a seat or an address; how many it had that day.
pub(super) fn count_guess(act: &Act<'_>, whose: &str, day: &str) -> Result<u32, StoreError> {
    act.count_answer(&format!("guesses {whose}"), day)
}

/// As a code is written: `k3x9q-2m4w7-…`.
fn grouped(code: &str) -> String {
    let letters: Vec<char> = code.chars().collect();
    letters.chunks(GROUP).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

/// A letter as others than its reader may look at it: the codes in it are his alone. One may be broken behind its word.
pub(super) fn masked(text: &str) -> String {
    let (mut lines, mut before) = (Vec::new(), String::new());
    for line in text.lines() {
        let both = format!("{before} {}", line.trim());
        let is_code =
            [line, both.trim()].iter().any(|said| code_in(said.trim()).is_some_and(|code| code.len() >= CODE));
        lines.push(if is_code { "  (a code for its reader alone)" } else { line });
        before = line.trim().to_owned();
    }
    lines.join("\n")
}

impl Sitting<'_> {
    /// Makes a code: for a mail of the seat itself, or, where an address is named, for a mail from there alone.
    pub(super) fn new_code(&self, seat: &str, address: &str, purpose: &Purpose) -> Result<String, Trouble> {
        let (kind, body) = (purpose.kind(), json!(purpose).to_string());
        let inbox = self.inbox.unwrap_or_default();
        let named = format!("{seat}\0{address}\0{kind}\0{inbox}\0{}\0{body}", self.now());
        let key = super::tags::key_of(self.act, &self.row)?;
        let secret = super::tags::secret_under(&key, (&self.row.id, &self.row.epoch), "code", &named);
        let mut half = [0; 16];
        half.iter_mut().zip(secret).for_each(|(to, from)| *to = from);
        let code = tag::secret(&half);
        self.act.put_code(&Code {
            game: self.id(),
            seat: seat.to_owned(),
            address: address.to_owned(),
            kind,
            hash: tag::hash(&code),
            until: when::after(self.env.now, 24 * DAYS),
            body,
        })?;
        Ok(grouped(&code))
    }

    /// CONFIRM or TAKE BACK in a mail of a seat: what waited for the code is done.
    pub(super) fn confirm(
        &mut self,
        (seat, who): (&str, Option<&Umpire>),
        said: &str,
        item: &Item,
        reply: &mut Reply,
    ) -> Result<(), Trouble> {
        if self.stands_in(seat)? {
            reply.say(item, "REFUSED", super::transfer::OWNER_ONLY);
            return Ok(());
        }
        let whose = format!("{}/{seat}", self.row.id);
        let day = when::day(self.env.now);
        let from = self.came.as_ref().map(|(_, from)| from.clone()).unwrap_or_default();
        let mut codes = self.act.codes_of_address(&from)?;
        codes.retain(|code| code.game == self.row.id);
        codes.extend(self.act.codes_of_seat(&self.row.id, seat)?);
        let Some(code) = said_among(codes, said) else {
            reply.say(item, "REFUSED", "nothing of yours waits for that code.  Nothing was done.");
            return self.wrong_code(seat, count_guess(self.act, &whose, &day)?);
        };
        self.act.drop_code(&code)?;
        if code.until < self.now() {
            reply.say(item, "REFUSED", &format!("the code was good for {DAYS} days.  Nothing was done; ask again."));
            return Ok(());
        }
        match Purpose::of(&code) {
            Some(Purpose::Owner(transfer)) => self.owner_agrees((seat, who), transfer, item, reply),
            Some(Purpose::Held { mail, .. }) => self.read_held(seat, mail, item, reply),
            Some(purpose) => {
                self.by_address(&code, purpose)?;
                reply.say(item, "DONE", "a mail of its own says what came of it.");
                Ok(())
            }
            None => {
                reply.say(item, "REFUSED", "the code is of an older time.  Nothing was done; ask again.");
                Ok(())
            }
        }
    }

    /// The code of an address was brought from there.
    pub(super) fn by_address(&mut self, code: &Code, purpose: Purpose) -> Result<(), Trouble> {
        match purpose {
            Purpose::Consent(Transfer::To { who, how }) => self.newcomer_agrees(&code.seat, &who, &how),
            Purpose::Back(back) => self.take_back(&code.seat, &code.address, &back),
            Purpose::Wish(wish) => self.wished(&code.address, &wish),
            // These wait for a seat's own mail.
            Purpose::Owner(_) | Purpose::Held { .. } | Purpose::Consent(Transfer::Alone(_)) => Ok(()),
        }
    }

    /// Somebody tries codes: the seat and the operator are told, once a day.
    fn wrong_code(&self, seat: &str, count: u32) -> Result<(), Trouble> {
        if count != GUESSES_TOLD {
            return Ok(());
        }
        let note = format!(
            "{count} wrong codes came today in the name of the seat {seat}.  None of them did anything.  If they were not \
             yours, somebody writes in your name: tell the umpire."
        );
        self.notice_owner(seat, "wrong codes in your name", vec![note])?;
        let note = format!("{}: {count} wrong codes came in the name of {seat} today.", self.row.id);
        operator::told(self.env, self.act, "wrong codes", &note)
    }

    /// A mail that was held back is read as the seat's own.
    fn read_held(&mut self, seat: &str, held: i64, item: &Item, reply: &mut Reply) -> Result<(), Trouble> {
        let id = &self.row.id;
        self.act.set_desk(id, seat, &format!("confirmed/{held}"), Some("yes"))?;
        self.act.assign(held, id, Some(seat))?;
        self.act.settle(held, InboxState::New, None)?;
        reply.say(item, "DONE", "the mail is carried out now; its own answer follows.");
        Ok(())
    }

    /// Tells whoever decides where people disagree: the umpire; the operator, where there is none or it is he.
    pub(super) fn tell_judge(&self, seat: &str, topic: &str, note: &str) -> Result<(), Trouble> {
        let umpire = !is_umpire(seat) && self.seat(UMPIRE)?.is_some_and(|row| !row.addresses.is_empty());
        if umpire {
            return self.notice(UMPIRE, topic, vec![note.to_owned()]);
        }
        operator::told(self.env, self.act, topic, &format!("{}: {note}", self.row.id))
    }
}
