//! Messages between seats, and what the post office has to say of itself.

use super::commands::Item;
use super::error::Trouble;
use super::player::Reply;
use super::post::Extras;
use super::sitting::Sitting;
use super::when;
use crate::letter::{Context, Press, shape};
use crate::orders::fold;

/// The umpire's seat.
pub(super) const UMPIRE: &str = "umpire";

impl Sitting<'_> {
    /// Posts a message to another seat, or to all others.
    pub(super) fn press(
        &self,
        from: &str,
        item: &Item,
        (to, lines): (&str, &[String]),
        reply: &mut Reply,
    ) -> Result<(), Trouble> {
        let seats: Vec<String> = self.act.seats(&self.row.id)?.into_iter().map(|seat| seat.seat).collect();
        let others: Vec<&String> = seats.iter().filter(|seat| *seat != from).collect();
        let wanted = fold(to);
        let recipients: Vec<&String> =
            others.iter().copied().filter(|seat| wanted == "all" || fold(seat) == wanted).collect();
        if recipients.is_empty() {
            let names: Vec<&str> = others.iter().map(|seat| seat.as_str()).collect();
            let near = crate::text::nearest(to, names.iter().copied());
            let hint = near.map_or_else(String::new, |near| format!("  Did you mean {near}?"));
            let why = format!("no other seat is called \"{to}\".{hint}  The seats: {}.", crate::text::and_list(&names));
            reply.say(item, "UNCLEAR", &why);
            return Ok(());
        }
        for recipient in recipients {
            self.post_press(from, recipient, lines)?;
        }
        reply.say(item, "DONE", "sent.");
        Ok(())
    }

    /// Posts one message.
    pub(super) fn post_press(&self, from: &str, to: &str, lines: &[String]) -> Result<(), Trouble> {
        let id = self.act.add_press(&self.row.id, from, to, &self.now(), &lines.join("\n"))?;
        self.act.deliver_press(id, &self.now())?;
        let written = when::said(self.env.now);
        let press = Press { from: from.to_owned(), written, lines: shape::foreign(lines) };
        let context = Context { press: vec![press], ..Context::default() };
        self.post(to, "press.txt", context, Extras { free: from == UMPIRE, ..Extras::default() })
    }

    /// Posts a short mail of the post office itself, also while the game is held.
    pub(super) fn notice(&self, seat: &str, topic: &str, notes: Vec<String>) -> Result<(), Trouble> {
        self.desk().notice(seat, topic, notes)
    }
}
