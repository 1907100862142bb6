//! Mails held back until the seat's registered address says that they are its own; and mails sent again.
//!
//! A good tag from an address that is not the seat's is either its player at another desk or somebody who saw his mail.
//! Nothing is carried out; whoever wrote gets what any stranger gets; and the seat is asked at the address it has.

use super::codes::Purpose;
use super::commands::Item;
use super::error::{OfficeError, Trouble};
use super::office::Office;
use super::operator;
use super::player::Reply;
use super::send::neutral_answer;
use super::sitting::Sitting;
use super::tags::GOOD;
use super::when;
use crate::mail::read::{self, Head};
use crate::store::{InboxMail, InboxState, OutboxMail, TagHolder};

/// Why a mail is held back; begins the reason that is kept with it.
const HELD: &str = "held: its tag is good, and was not sent to its sender";
/// Why a mail is held that answers an old one.
const LATE: &str = "held: it answers a mail that is not among the last of its seat";
/// Bytes of all mails that one mail has sent again; the first may be larger.
const RESENT_BYTES_MAX: usize = 1 << 20;
/// Questions of this kind to one seat in a day.
const ASKED_PER_DAY_MAX: u32 = 3;
/// Questions of this kind that wait for their code at a time.
const PLACES: u32 = 2;
/// Mails of this kind with a tag of one seat that are kept in a day for the operator to look at.
const KEPT_PER_DAY_MAX: u32 = 20;

/// Mails in a day that answer an old mail of one seat, and about which it is asked.
const LATE_PER_DAY_MAX: u32 = 5;
/// The same of mails of a time that a restore gave up: all of them are asked about, and days may have been lost.
const LOST_PER_DAY_MAX: u32 = 60;
/// Lines of a mail that stand in the question about it.
const LINES_SHOWN: usize = 20;
/// Wrong tags of one address in a day, from which on nothing that it writes as a stranger is looked at.
const WRONG_TAGS_MAX: u32 = 10;

impl Office {
    /// A mail that answers one of a seat's older mails: nothing of it is carried out until the seat says that it means it.
    /// Who has an old mail in his hands and the seat's address in his From gets no further than this, and keeps nobody
    /// from writing with a newer tag.
    pub(super) fn ask_back(&mut self, mail: &InboxMail, holder: &TagHolder) -> Result<(), OfficeError> {
        let TagHolder { game, seat, mail_number, reader } = holder;
        let lost = self.store.is_lost(game, seat, *mail_number)?;
        let before = self.store.is_before_loss(game, seat, *mail_number)?;
        let day = when::day(self.clock.now());
        let lines = read::read(&mail.raw, &self.limits()).map(|incoming| incoming.script).unwrap_or_default();
        let done = self.with_game(game, Some(mail.id), &mut |sitting| {
            let (kind, most, place) = match lost || before {
                true => ("lost", LOST_PER_DAY_MAX, PLACES.saturating_add(LATE_PER_DAY_MAX)),
                false => ("late", LATE_PER_DAY_MAX, PLACES),
            };
            let count = sitting.act.count_answer(&format!("{kind} {game}/{seat}"), &day)?;
            sitting.act.settle(mail.id, InboxState::Quarantined, Some(LATE))?;
            if count > most {
                // Nobody is asked for his word, so it is never carried out.
                return Ok(sitting.act.cut_raw(mail.id, sitting.env.config.keep.stranger_mail_bytes_max)?);
            }
            let mut notes = match lost {
                true => vec![
                    format!(
                        "A mail with your address answers your mail {mail_number}, which belongs to the time that was lost \
                         when the post office was restored.  Nothing of it was carried out."
                    ),
                    "REPORT shows where the game stands now.".to_owned(),
                ],
                false if before => vec![format!(
                    "A mail with your address answers your mail {mail_number}, which you had before the post office was \
                     restored.  Nothing was done."
                )],
                false => vec![format!(
                    "A mail with your address answers your mail {mail_number}, which is not among your last {GOOD}.  \
                     Nothing was done."
                )],
            };
            notes.extend(sitting.what_it_says(&lines)?);
            if reader.is_some() {
                notes.push("Send it again as an answer to your newest mail.".to_owned());
                return sitting.notice(seat, "your mail answers an old one", notes);
            }
            let purpose = Purpose::Held { mail: mail.id, place: place.saturating_add(count % most) };
            let code = sitting.new_code(seat, "", &purpose)?;
            notes.extend([
                "If it is to be carried out now, answer this mail with the line".to_owned(),
                format!("  CONFIRM {code}"),
                "Else do nothing, or send your lines again as an answer to your newest mail.".to_owned(),
            ]);
            if count == most {
                notes.push("You are not asked again today: answer your newest mail.".to_owned());
            }
            sitting.notice_owner(seat, "your mail answers an old one", notes)
        })?;
        match done {
            Some(()) => Ok(()),
            None => self.settle(mail, InboxState::Quarantined, LATE),
        }
    }

    /// Whether an address has sent so many wrong tags today that no more of it is looked at; good ones are taken as ever.
    pub(super) fn guesses(&mut self, mail: &InboxMail, head: &Head) -> Result<bool, OfficeError> {
        let (Some(_), Some(from)) = (&head.tag, &head.from) else { return Ok(false) };
        let day = when::day(self.clock.now());
        let env = self.env();
        let done: Result<bool, Trouble> = self.store.try_act(|act| {
            let count = act.count_answer(&format!("wrong tags {from}"), &day)?;
            if count < WRONG_TAGS_MAX {
                return Ok(false);
            }
            act.settle(mail.id, InboxState::Refused, Some("too many wrong tags from its sender today"))?;
            if count == WRONG_TAGS_MAX {
                let note = format!("{count} wrong tags came in one day from what says it is {from}.");
                operator::told(&env, act, "wrong tags", &note)?;
            }
            Ok(true)
        });
        Ok(done?)
    }

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
            neutral_answer(sitting.env, sitting.act, mail, head, stranger.as_ref())?;
            let count = sitting.act.count_answer(&format!("held {game}/{seat}"), &day)?;
            if count > KEPT_PER_DAY_MAX {
                return Ok(sitting.act.settle(mail.id, InboxState::Refused, Some(HELD))?);
            }
            sitting.act.settle(mail.id, InboxState::Quarantined, Some(HELD))?;
            operator::set_aside(sitting.env, sitting.act, mail.id, HELD)?;
            if count > ASKED_PER_DAY_MAX {
                // Nobody is asked for his word, so it is never carried out.
                return Ok(sitting.act.cut_raw(mail.id, sitting.env.config.keep.stranger_mail_bytes_max)?);
            }
            let code = sitting.new_code(seat, "", &Purpose::Held { mail: mail.id, place: count % PLACES })?;
            let notes = vec![
                format!("A mail with a tag of this seat came from {from}, to whom that tag was not sent."),
                "Nothing was done.".to_owned(),
                "If you wrote it, answer this mail with the line".to_owned(),
                format!("  CONFIRM {code}"),
                "and it is carried out.  If you did not, somebody has seen your mail: do nothing, and tell the umpire."
                    .to_owned(),
            ];
            sitting.notice_owner(seat, "a mail in your name is held back", notes)
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
    /// The lines of a mail about which its seat is asked: nobody can say whether he means what he cannot see. They are
    /// quoted, so that nothing in them passes for ours, or for an order in the answer.
    fn what_it_says(&self, lines: &[String]) -> Result<Vec<String>, Trouble> {
        let shown = self.untagged(lines.get(..LINES_SHOWN.min(lines.len())).unwrap_or_default())?;
        let more = lines.len().saturating_sub(LINES_SHOWN);
        let mut notes = match shown.is_empty() {
            true => vec!["It holds no line of its own.".to_owned()],
            false => vec!["It says:".to_owned()],
        };
        notes.extend(shown.iter().map(|line| format!("  > {}", line.trim())));
        if more > 0 {
            notes.push(format!("  and {more} {} more.", if more == 1 { "line" } else { "lines" }));
        }
        Ok(notes)
    }

    /// RESEND: one of the seat's mails goes out again, an exact copy.
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
        let stand_in = if self.stands_in(seat)? { self.act.stand_in(&self.row.id, seat)? } else { None };
        let Some(to) = stand_in.as_ref().map(|by| &by.address).or(asks.as_ref()).or(own.first()) else { return Ok(()) };
        // What was for the owner alone is never a stand-in's, nor what came before his time.
        let his = |mail: &OutboxMail| mail.number == Some(number) && mail.recipient == *to;
        let may = stand_in.is_none() || self.act.outbox_of_seat(&self.row.id, seat)?.iter().any(his);
        let size = self.act.mail_size(&self.row.id, seat, number)?.unwrap_or_default();
        if reply.bytes_out > 0 && reply.bytes_out.saturating_add(size) > RESENT_BYTES_MAX {
            reply.say(item, "REFUSED", "the mails sent again would be too large together; ask in another mail.");
            return Ok(());
        }
        reply.bytes_out = reply.bytes_out.saturating_add(size);
        if may && self.act.send_again(&self.row.id, seat, number, to)? {
            let mut said = format!("mail {number} goes out again, an exact copy.");
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
