//! Messages between seats, and what the post office has to say of itself.

use super::commands::Item;
use super::error::Trouble;
use super::player::Reply;
use super::post::Extras;
use super::sitting::Sitting;
use super::when;
use crate::fog::SeatId;
use crate::host::Input;
use crate::letter::{Context, Press};
use crate::orders::fold;
use crate::store::{GameState, Seat};

/// The umpire's seat.
pub(super) const UMPIRE: &str = "umpire";

/// Whether a seat is an umpire's: `umpire`, or `umpire-2` and so on.
pub fn is_umpire(seat: &str) -> bool {
    seat == UMPIRE || seat.strip_prefix("umpire-").is_some_and(|n| n.parse::<u32>().is_ok())
}

/// Bytes of all messages of one mail, in all the mails that they make.
const MESSAGES_BYTES_MAX: usize = 1 << 20;
/// Bytes and lines of press that one report carries; the rest waits for the next.
const POSTAL_BYTES_MAX: usize = 100_000;
const POSTAL_LINES_MAX: usize = 1000;
/// Longest dispatch.
const DISPATCH_CHARS_MAX: usize = 1500;
/// Who has written grey press.
const GREY: &str = "an unsigned hand";

impl Sitting<'_> {
    /// Posts a message to other seats: one, those of a side, or all others.
    pub(super) fn press(
        &self,
        from: &str,
        item: &Item,
        (to, lines): (&str, &[String]),
        reply: &mut Reply,
    ) -> Result<(), Trouble> {
        let mode = self.choice("press")?;
        let seats = self.act.seats(&self.row.id)?;
        let others: Vec<&Seat> =
            seats.iter().filter(|seat| seat.seat != from && !Self::is_observer(&seat.seat)).collect();
        let wanted = fold(to);
        let named = |seat: &Seat| fold(&seat.seat) == wanted || seat.side.as_ref().is_some_and(|s| fold(s) == wanted);
        let recipients: Vec<&Seat> = others.iter().copied().filter(|seat| wanted == "all" || named(seat)).collect();
        if recipients.is_empty() {
            let names: Vec<&str> = others.iter().map(|seat| seat.seat.as_str()).collect();
            let near = crate::text::nearest(to, names.iter().copied());
            let hint = near.map_or_else(String::new, |near| format!("  Did you mean {near}?"));
            let why = format!("no other seat is called \"{to}\".{hint}  The seats: {}.", crate::text::and_list(&names));
            reply.say(item, "UNCLEAR", &why);
            return Ok(());
        }
        // With its umpire a seat may always speak.
        let free = is_umpire(from) || recipients.iter().all(|seat| is_umpire(&seat.seat));
        if mode == "none" && !free {
            let why = "this game is played without press; you can write to the umpire: PRESS TO umpire.";
            reply.say(item, "REFUSED", why);
            return Ok(());
        }
        if lines.iter().all(|line| line.trim().is_empty()) {
            reply.say(item, "REFUSED", "it has no line.  Nothing was sent.");
            return Ok(());
        }
        let at_home = |seat: &&Seat| self.hosted.by_courier(&SeatId(from.to_owned()), &SeatId(seat.seat.clone()));
        if let Some(near) = recipients.iter().copied().find(at_home) {
            let why = format!(
                "in this game the seats of a side write to each other by courier: DISPATCH TO {} … END DISPATCH.",
                near.seat
            );
            reply.say(item, "REFUSED", &why);
            return Ok(());
        }
        if let Some(why) = self.too_many_messages(from, &recipients, lines, reply)? {
            reply.say(item, "REFUSED", &why);
            return Ok(());
        }
        // Who may sign as nobody does so by option of the game; an umpire is always himself.
        let signed = if mode == "grey" && !free { GREY } else { from };
        let postal = self.choice("postal")? == "on" && !free && self.row.state == GameState::Playing;
        for recipient in recipients {
            if postal {
                self.act.add_press(&self.row.id, from, &recipient.seat, &self.now(), &lines.join("\n"))?;
            } else {
                self.post_press((from, signed), &recipient.seat, lines)?;
            }
        }
        reply.say(item, "DONE", if postal { "it goes out with the next report to all." } else { "sent." });
        Ok(())
    }

    /// Why a message goes to nobody: its mail has made enough mails, or its seat has written enough today.
    fn too_many_messages(
        &self,
        from: &str,
        recipients: &[&Seat],
        lines: &[String],
        reply: &mut Reply,
    ) -> Result<Option<String>, Trouble> {
        let limits = &self.env.config.limits;
        let copies: usize = recipients.iter().map(|seat| seat.addresses.len()).sum();
        let bytes: usize = lines.iter().map(|line| line.len().saturating_add(2)).sum();
        reply.letters_out = reply.letters_out.saturating_add(copies);
        reply.bytes_out = reply.bytes_out.saturating_add(bytes.saturating_mul(copies));
        let most = limits.letters_max;
        if reply.letters_out > most || reply.bytes_out > MESSAGES_BYTES_MAX {
            let why =
                format!("the messages of one mail make at most {most} mails.  Nothing was sent; use another mail.");
            return Ok(Some(why));
        }
        self.enough_messages(from)
    }

    /// Why a seat writes no more messages today; this one is counted.
    fn enough_messages(&self, from: &str) -> Result<Option<String>, Trouble> {
        let most = self.env.config.limits.messages_per_day_max;
        let count = self.act.count_answer(&format!("messages {}/{from}", self.row.id), &when::day(self.env.now))?;
        Ok((count > most).then(|| format!("you have sent {most} messages today, which is enough; go on tomorrow.")))
    }

    /// Gives a dispatch to a courier; what he carries can pass for nothing of ours, whoever comes to read it.
    pub(super) fn dispatch(
        &mut self,
        from: &str,
        item: &Item,
        (to, lines): (&str, &[String]),
        reply: &mut Reply,
    ) -> Result<(), Trouble> {
        let seats = self.players();
        let wanted = fold(to);
        let Some(reader) = seats.iter().find(|seat| fold(&seat.0) == wanted).cloned() else {
            let near = crate::text::nearest(to, seats.iter().map(|seat| seat.0.as_str()));
            let hint = near.map_or_else(String::new, |near| format!("  Did you mean {near}?"));
            reply.say(item, "UNCLEAR", &format!("no seat is called \"{to}\".{hint}"));
            return Ok(());
        };
        let seat = SeatId(from.to_owned());
        if let Err(why) = self.hosted.may_dispatch(&seat, &reader) {
            reply.say(item, "REFUSED", &why);
        } else if lines.iter().all(|line| line.trim().is_empty()) {
            reply.say(item, "REFUSED", "it has no line.  Nothing was sent.");
        } else if lines.iter().map(|line| line.chars().count()).sum::<usize>() > DISPATCH_CHARS_MAX {
            let why = format!("no courier carries more than {DISPATCH_CHARS_MAX} characters.  Nothing was sent.");
            reply.say(item, "REFUSED", &why);
        } else if let Some(why) = self.enough_messages(from)? {
            reply.say(item, "REFUSED", &why);
        } else {
            let lines = self.untagged(lines)?.into_iter().map(|line| line.trim().to_owned()).collect();
            let letters = self.take(Input::Dispatch { seat, to: reader, lines })?;
            reply.letters.extend(letters);
            reply.say(item, "DONE", "a courier rides with it; when he comes in, and whether, nobody knows.");
        }
        Ok(())
    }

    /// Posts one message: by whom, and who is said to have written it.
    fn post_press(&self, (from, signed): (&str, &str), to: &str, lines: &[String]) -> Result<(), Trouble> {
        let id = self.act.add_press(&self.row.id, from, to, &self.now(), &lines.join("\n"))?;
        self.act.deliver_press(id, &self.now())?;
        let written = when::said(self.env.now);
        let press = Press { from: signed.to_owned(), written, lines: self.untagged(lines)? };
        let context = Context { press: vec![press], ..Context::default() };
        self.post(to, "press.txt", context, Extras { free: is_umpire(from), asked: true, ..Extras::default() })
    }

    /// Press that has waited for the report to all, in the order written; it is delivered with it.
    pub(super) fn postal_press(&self, seat: &str) -> Result<Vec<Press>, Trouble> {
        let grey = self.choice("press")? == "grey";
        let mut found = Vec::new();
        let (mut bytes, mut count) = (0_usize, 0_usize);
        for waiting in self.act.press_waiting(&self.row.id, seat)? {
            let lines: Vec<String> = waiting.body.lines().map(str::to_owned).collect();
            bytes = bytes.saturating_add(waiting.body.len());
            count = count.saturating_add(lines.len());
            if !found.is_empty() && (bytes > POSTAL_BYTES_MAX || count > POSTAL_LINES_MAX) {
                break;
            }
            self.act.deliver_press(waiting.id, &self.now())?;
            let from = if grey { GREY.to_owned() } else { waiting.sender };
            found.push(Press { from, written: when::said_of(&waiting.written), lines: self.untagged(&lines)? });
        }
        Ok(found)
    }

    /// Posts a short mail to a seat's own addresses alone.
    pub(super) fn notice_owner(&self, seat: &str, topic: &str, notes: Vec<String>) -> Result<(), Trouble> {
        self.desk().notice_owner(seat, topic, notes)
    }

    /// Posts a short mail of the post office itself, also while the game is held.
    pub(super) fn notice(&self, seat: &str, topic: &str, notes: Vec<String>) -> Result<(), Trouble> {
        self.desk().notice(seat, topic, notes)
    }
}
