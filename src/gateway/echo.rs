//! Mails that say the same again and ask for nothing, as a program writes them that answers whatever comes.
//!
//! Such a program need not show itself by any mark. It gets no more than two answers to the same words in an hour; a person
//! who wants something writes a command or an order, and is answered every time.

use super::commands::{Item, What};
use super::error::Trouble;
use super::sitting::Sitting;
use super::when;
use crate::dice::hex;
use crate::fog::SeatId;
use crate::mail::read::Incoming;
use crate::orders;
use sha2::{Digest, Sha256};

/// Answers in an hour to the same words that hold no command and no order.
const ANSWERS_MAX: u32 = 2;
/// A mail that is longer is no such program's.
const LINES_MAX: usize = 40;
const BYTES_MAX: usize = 4_000;
/// What stands in the last of them.
const LAST: &str = "A mail with just these words, and no order, gets no more answer in this hour.";

/// What becomes of a mail that may say the same again.
pub(super) enum Echo {
    /// It is answered.
    Answered,
    /// It is answered for the last time in this hour; what to say of that.
    Last(String),
    /// Nothing is done, and nothing said.
    Silent,
}

impl Sitting<'_> {
    /// Counts a mail of a player, if it holds neither a command nor an order.
    pub(super) fn echo_of_player(&self, seat: &str, mail: &Incoming, items: &[Item]) -> Result<Echo, Trouble> {
        let id = SeatId(seat.to_owned());
        let is_verb = |text: &str| orders::line(0, text).words.first().is_some_and(|w| self.hosted.is_verb(&w.text));
        // An answer to a question need not begin with any verb.
        let asked = self.hosted.dues().iter().any(|due| due.seat == id && due.prompt.is_some());
        let no_order = |text: &str| self.hosted.is_prose(&id, text) || !asked && !is_verb(text);
        // A program's own words are few, and to read many for orders costs much.
        let short = items.len() <= LINES_MAX && items.iter().map(|item| item.text.len()).sum::<usize>() <= BYTES_MAX;
        let holds_none = |item: &Item| match item.what {
            What::Order => no_order(&item.text),
            What::BrokenOff => true,
            _ => false,
        };
        let idle = short && items.iter().all(holds_none);
        self.echo(seat, mail, idle)
    }

    /// The same of a mail of which it is known whether it holds anything.
    pub(super) fn echo(&self, seat: &str, mail: &Incoming, idle: bool) -> Result<Echo, Trouble> {
        if !idle {
            return Ok(Echo::Answered);
        }
        let words = hex(&Sha256::digest(mail.script.join("\n")));
        let name = format!("same words {}/{seat} {words}", self.row.id);
        let count = self.act.count_answer(&name, &when::hour(self.env.now))?;
        Ok(match count {
            ANSWERS_MAX => Echo::Last(LAST.to_owned()),
            count if count > ANSWERS_MAX => Echo::Silent,
            _ => Echo::Answered,
        })
    }
}
