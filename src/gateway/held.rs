//! Mails held back until the seat's registered address says that they are its own; and mails sent again.
//!
//! A good tag from an address that is not the seat's is either its player at another desk or somebody who saw his mail.
//! Nothing is carried out; whoever wrote gets what any stranger gets; and the seat is asked at the address it has.

use super::commands::Item;
use super::error::{OfficeError, Trouble};
use super::office::Office;
use super::operator;
use super::player::Reply;
use super::send::neutral_answer;
use super::sitting::Sitting;
use super::when;
use crate::dice::{Master, hex};
use crate::mail::read::Head;
use crate::store::{InboxMail, InboxState};

/// Why a mail is held back; begins the reason that is kept with it.
const HELD: &str = "held: its tag is good, and its sender is not an address of the seat";
/// Questions of this kind to one seat in a day.
const ASKED_PER_DAY_MAX: u32 = 3;

impl Office {
    /// Holds a mail back and asks its seat, without a word to whoever wrote it but the usual one.
    pub(super) fn hold_back(
        &mut self,
        mail: &InboxMail,
        head: &Head,
        game: &str,
        seat: &str,
    ) -> Result<(), OfficeError> {
        let day = when::day(self.clock.now());
        let from = head.from.as_ref().map(ToString::to_string).unwrap_or_default();
        let stranger = self.stranger(head).cloned();
        let done = self.with_game(game, Some(mail.id), &mut |sitting| {
            sitting.act.settle(mail.id, InboxState::Quarantined, Some(HELD))?;
            operator::set_aside(sitting.env, sitting.act, mail.id, HELD)?;
            neutral_answer(sitting.env, sitting.act, mail, head, stranger.as_ref())?;
            if sitting.act.count_answer(&format!("held {game}/{seat}"), &day)? > ASKED_PER_DAY_MAX {
                return Ok(());
            }
            let code = sitting.code_of(&format!("{}\0{}", mail.message_id, mail.digest));
            sitting.act.set_desk(game, seat, &format!("held/{code}"), Some(&mail.id.to_string()))?;
            let notes = vec![
                format!("A mail with a tag of yours came from {from}, which is no address of this seat."),
                "Nothing was done.".to_owned(),
                "If you wrote it, answer this mail with the line".to_owned(),
                format!("  CONFIRM {code}"),
                "and it is carried out.  If you did not, somebody has seen your mail: do nothing, and tell the umpire."
                    .to_owned(),
            ];
            sitting.notice(seat, "a mail in your name is held back", notes)
        })?;
        if done.is_none() { self.strangers_mail(mail, head, InboxState::Quarantined, HELD) } else { Ok(()) }
    }

    /// Whether a mail was held back and then confirmed; the seat that it is for.
    pub(super) fn confirmed(&self, mail: &InboxMail) -> Result<Option<(String, String)>, OfficeError> {
        let (Some(game), Some(seat)) = (&mail.game, &mail.seat) else { return Ok(None) };
        let mark = self.store.desk(game, seat, &format!("confirmed/{}", mail.id))?;
        Ok(mark.map(|_| (game.clone(), seat.clone())))
    }
}

impl Sitting<'_> {
    /// A word that only the seat's own mail tells; it says nothing of other mails.
    pub(super) fn code_of(&self, mail: &str) -> String {
        let secret = Master::from_bytes(self.row.master).secret(&self.row.id, "held", mail);
        hex(&secret).chars().take(8).collect()
    }

    /// CONFIRM: what waited for its code is done, or the mail that was held back is read as the seat's own.
    pub(super) fn confirm(&mut self, seat: &str, code: &str, item: &Item, reply: &mut Reply) -> Result<(), Trouble> {
        if self.with_code(seat, code, item, reply)? {
            return Ok(());
        }
        let id = &self.row.id;
        let key = format!("held/{code}");
        let held = self.act.desk(id, seat, &key)?.and_then(|text| text.parse::<i64>().ok());
        let Some(held) = held else {
            reply.say(item, "REFUSED", "nothing of yours waits for that code.  Nothing was done.");
            return Ok(());
        };
        self.act.set_desk(id, seat, &key, None)?;
        self.act.set_desk(id, seat, &format!("confirmed/{held}"), Some("yes"))?;
        self.act.assign(held, id, Some(seat))?;
        self.act.settle(held, InboxState::New, None)?;
        reply.say(item, "DONE", "the mail is carried out now; its own answer follows.");
        Ok(())
    }

    /// RESEND: one of the seat's mails goes out again, byte for byte.
    pub(super) fn resend(&self, seat: &str, number: u32, item: &Item, reply: &mut Reply) -> Result<(), Trouble> {
        let day = when::day(self.env.now);
        let most = self.env.config.limits.resent_per_day_max;
        if self.act.count_answer(&format!("again {}/{seat}", self.row.id), &day)? > most {
            reply.say(item, "REFUSED", &format!("{most} mails were sent again today, which is enough; ask tomorrow."));
            return Ok(());
        }
        let row = self.seat(seat)?;
        let own = row.as_ref().map(|row| row.addresses.clone()).unwrap_or_default();
        let asks = self.act.desk(&self.row.id, seat, "address")?.filter(|address| own.contains(address));
        let Some(to) = asks.as_ref().or(own.first()) else { return Ok(()) };
        if self.act.send_again(&self.row.id, seat, number, to)? {
            let mut said = format!("mail {number} goes out again, byte for byte.");
            if item.text.to_lowercase().starts_with("rep") {
                said.push_str("  A new report since a turn is REPORT TURN 2.");
            }
            reply.say(item, "DONE", &said);
        } else {
            let last = row.map_or(0, |row| row.mails_sent);
            let why = format!("you have no mail {number} that was sent; yours are numbered 1 to {last}.");
            reply.say(item, "REFUSED", &why);
        }
        Ok(())
    }
}
