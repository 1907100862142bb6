//! One mail of a game: its number, tag, Message-ID, thread, and its place in the outbox.

use super::error::Trouble;
use super::press::{UMPIRE, is_umpire};
use super::{Env, form, when};
use crate::dice::{Master, hex};
use crate::letter::{Context, Form, LetterError, Written};
use crate::mail::script::{REPORT_END, report_mark};
use crate::mail::tag::{self, ReplyTag};
use crate::mail::write::{self, Outgoing};
use crate::store::{self, Act, NewEntry, NewOutbox, OutboxMail, Seat};
use jiff::Timestamp;
use serde_json::json;
use sha2::{Digest, Sha256};

/// What a mail carries beside its letter.
#[derive(Default)]
pub(super) struct Extras {
    /// File name, media type, content.
    pub attachments: Vec<(String, String, Vec<u8>)>,
    /// Goes out even while the game is held.
    pub free: bool,
    /// Goes out only then.
    pub not_before: Option<Timestamp>,
    /// Was only asked for: it goes out after what play needs.
    pub asked: bool,
}

/// Where the mails of one game are written, within one act.
pub(super) struct Desk<'a> {
    pub env: &'a Env<'a>,
    pub act: &'a Act<'a>,
    pub row: &'a store::Game,
    /// The turn, and its dice slot.
    pub turn: u32,
    pub slot: u32,
    /// The inbox row that is answered.
    pub inbox: Option<i64>,
}

impl Desk<'_> {
    /// Writes an entry of the envelope into the chain; its kind begins with `post.`.
    pub(super) fn enter(&self, kind: &str, body: &serde_json::Value) -> Result<(), Trouble> {
        let (kind, body) = (format!("post.{kind}"), body.to_string());
        let entry = NewEntry { slot: self.slot, kind: &kind, body: &body };
        self.act.append(&self.row.id, &[entry])?;
        Ok(())
    }

    /// Fills a template for a seat and puts the mail into the outbox. A seat that is not there gets none.
    pub(super) fn post(&self, seat: &str, template: &str, context: Context, extras: Extras) -> Result<(), Trouble> {
        let game = &self.row.id;
        let Some(row) = self.act.seat(game, seat)?.filter(|row| !row.addresses.is_empty()) else { return Ok(()) };
        let number = self.act.next_mail_number(game, seat)?;
        self.act.put_tag(game, seat, number, &self.secret(seat, number))?;
        let Extras { attachments, free, not_before, asked } = extras;
        let mut letter = self.letter(&row, number, (template, context), attachments)?;
        // While a stand-in writes for the seat, its mail is his.
        let acting = self.act.desk(game, seat, super::hands::ACTING)?;
        let acting = acting.and_then(|acting| acting.split(' ').nth(1).map(str::to_owned));
        let to_whom = match acting.filter(|by| row.addresses.contains(by)) {
            Some(by) => vec![by],
            None => row.addresses,
        };
        // Each address gets a copy of its own, so that one that fails delays no other.
        for (copy, to) in to_whom.iter().enumerate() {
            letter.to.clone_from(to);
            letter.message_id = self.message_id(seat, number, Some(to).filter(|_| copy > 0));
            self.queue(seat, number, &letter, (free, not_before, asked))?;
        }
        Ok(())
    }

    /// Puts one copy of a mail into the outbox.
    fn queue(
        &self,
        seat: &str,
        number: u32,
        letter: &Outgoing,
        (free, not_before, asked): (bool, Option<Timestamp>, bool),
    ) -> Result<(), Trouble> {
        let raw = self.rendered(seat, number, letter)?;
        let message_id = letter.message_id.clone();
        let queued = self.act.queue(&NewOutbox {
            game: Some(self.row.id.clone()),
            seat: Some(seat.to_owned()),
            number: Some(number),
            message_id,
            recipient: letter.to.clone(),
            raw,
            held: self.row.held && !free,
            queued: when::kept(self.env.now),
            answers: self.inbox,
            asked,
        })?;
        match not_before {
            Some(at) => Ok(self.act.not_before(queued, &when::kept(at))?),
            None => Ok(()),
        }
    }

    /// Writes a short mail over one that has not been sent, under its number and name.
    pub(super) fn write_over(&self, mail: &OutboxMail, seat: &Seat, context: Context) -> Result<(), Trouble> {
        let number = mail.number.unwrap_or_default();
        let mut letter = self.letter(seat, number, ("notice.txt", context), Vec::new())?;
        letter.to.clone_from(&mail.recipient);
        letter.message_id.clone_from(&mail.message_id);
        let raw = self.rendered(&seat.seat, number, &letter)?;
        self.act.rewrite_mail(mail.id, &raw)?;
        Ok(())
    }

    /// The bytes of a mail, whose digest goes into the chain.
    fn rendered(&self, seat: &str, number: u32, letter: &Outgoing) -> Result<Vec<u8>, Trouble> {
        let raw = letter.render()?;
        let (message_id, sha256) = (&letter.message_id, hex(&Sha256::digest(&raw)));
        let body =
            json!({"direction": "out", "seat": seat, "number": number, "message_id": message_id, "sha256": sha256});
        self.enter("mail", &body)?;
        Ok(raw)
    }

    /// A mail of a number, before it has an address and a name.
    fn letter(
        &self,
        row: &Seat,
        number: u32,
        (template, context): (&str, Context),
        attachments: Vec<(String, String, Vec<u8>)>,
    ) -> Result<Outgoing, Trouble> {
        let (game, seat) = (&self.row.id, row.seat.as_str());
        let format = form::read(&row.format);
        let context = Context {
            mark: report_mark(u64::from(number)),
            end: REPORT_END.to_owned(),
            game: game.clone(),
            seat: seat.to_owned(),
            number,
            turn: self.turn,
            open_slot: self.slot,
            clock: when::said(self.env.now),
            ..context
        };
        let written = self.env.write(template, &context, form::of(format))?;
        let reply_tag = ReplyTag { game: game.clone(), seat: seat.to_owned(), secret: self.secret(seat, number) };
        let (in_reply_to, references) = self.thread(seat)?;
        Ok(Outgoing {
            from: self.env.sender(),
            to: String::new(),
            subject: format!("{reply_tag} {}", written.subject),
            message_id: String::new(),
            in_reply_to,
            references,
            date: self.env.now,
            html: format.both.then(|| write::pre(&written.body)),
            text: written.body,
            attachments,
        })
    }

    /// The umpires' seats in the scenario's order.
    pub(super) fn umpires(&self) -> Result<Vec<String>, Trouble> {
        let seats = self.act.seats(&self.row.id)?;
        Ok(seats.into_iter().map(|seat| seat.seat).filter(|seat| is_umpire(seat)).collect())
    }

    /// Posts a short mail of the post office itself, also while the game is held; to the umpire means to all of them.
    pub(super) fn notice(&self, seat: &str, topic: &str, notes: Vec<String>) -> Result<(), Trouble> {
        if seat == UMPIRE {
            for umpire in self.umpires()? {
                self.notice_to(&umpire, topic, notes.clone())?;
            }
            return Ok(());
        }
        self.notice_to(seat, topic, notes)
    }

    /// Posts a short mail to one seat.
    pub(super) fn notice_to(&self, seat: &str, topic: &str, notes: Vec<String>) -> Result<(), Trouble> {
        let context = Context { topic: topic.to_owned(), notes, ..Context::default() };
        self.post(seat, "notice.txt", context, Extras { free: true, ..Extras::default() })
    }

    /// The Message-ID of a mail, from the game's master and the seat's own running number; of a copy, from its address
    /// too.
    fn message_id(&self, seat: &str, number: u32, copy: Option<&String>) -> String {
        let game = &self.row.id;
        let key = Master::from_bytes(self.row.master).secret(game, "message-id", copy.map_or("", String::as_str));
        write::message_id(&key, game, seat, u64::from(number), self.env.config.message_domain())
    }

    /// The secret of a mail's tag, the same in all its copies.
    fn secret(&self, seat: &str, number: u32) -> String {
        let secret = Master::from_bytes(self.row.master).secret(&self.row.id, "tag", &format!("{seat}/{number}"));
        let mut half = [0; 16];
        half.iter_mut().zip(secret).for_each(|(to, from)| *to = from);
        tag::secret(&half)
    }

    /// The seat's last mail of this game, and the thread up to it.
    fn thread(&self, seat: &str) -> Result<(Option<String>, Vec<String>), Trouble> {
        let last = self.act.desk(&self.row.id, seat, "thread")?.unwrap_or_default();
        let references: Vec<String> = last.split_whitespace().map(str::to_owned).collect();
        Ok((references.last().cloned(), references))
    }
}

impl Env<'_> {
    /// The sender of all our mails.
    pub(super) fn sender(&self) -> String {
        format!("{} <{}>", self.config.name, self.config.address)
    }

    /// Fills a template of the post office, or, where that fails, the package's own: a game does not stop for a fault
    /// in a template.
    pub(super) fn write(&self, template: &str, context: &Context, form: Form) -> Result<Written, LetterError> {
        self.templates.write(template, context, form).or_else(|error| {
            tracing::warn!(%error, "the package's own template is used");
            self.own_templates.write(template, context, form)
        })
    }
}
