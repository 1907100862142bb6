//! Letters of a game become mails in the outbox, with their numbers, tags and Message-IDs.

use super::error::Trouble;
use super::sitting::Sitting;
use super::{due, form, page, when};
use crate::dice::{Master, Scope, hex};
use crate::fog::SideId;
use crate::host::{Letter, Occasion};
use crate::letter::{Context, Form, LetterError, Seed, Written};
use crate::mail::script::{REPORT_END, report_mark};
use crate::mail::tag::{self, ReplyTag};
use crate::mail::write::{self, Outgoing};
use crate::store::{Due, NewOutbox, Seat};
use serde_json::json;
use sha2::{Digest, Sha256};

/// What a mail carries beside its letter.
#[derive(Default)]
pub(super) struct Extras {
    /// File name, media type, content.
    pub attachments: Vec<(String, String, Vec<u8>)>,
    /// Goes out even while the game is held.
    pub free: bool,
}

/// Whether all seats get a letter on this occasion.
pub(super) fn to_all(occasion: Occasion) -> bool {
    match occasion {
        Occasion::Opening | Occasion::StageReport | Occasion::GameOver => true,
        Occasion::Answer | Occasion::Question => false,
    }
}

/// The template of an occasion, and what its subject says.
fn dress(occasion: Occasion, context: &Context) -> (&'static str, String) {
    match occasion {
        Occasion::Opening => ("report.txt", "the game begins".to_owned()),
        Occasion::Answer => ("answer.txt", "orders answered".to_owned()),
        Occasion::Question => ("report.txt", "a question to you".to_owned()),
        Occasion::StageReport => ("report.txt", context.now.clone()),
        Occasion::GameOver => ("over.txt", String::new()),
    }
}

impl Sitting<'_> {
    /// The words of a letter of the host, before what its mail adds.
    pub(super) fn context_of(&self, letter: &Letter, dues: &[Due]) -> Result<Context, Trouble> {
        let mut context = page::context(letter.sections.body());
        if to_all(letter.occasion)
            && let Some(seat) = self.seat(&letter.seat.0)?
        {
            context.seeds = self.seeds_for(&seat)?;
        }
        if letter.occasion == Occasion::GameOver {
            context.master = hex(&self.row.master);
            context.root = self.root();
        }
        context.due = due::line(dues, &letter.seat.0, self.env.now);
        Ok(context)
    }

    /// Posts a letter of the host.
    pub(super) fn post_letter(&self, letter: &Letter, context: Context, extras: Extras) -> Result<(), Trouble> {
        let (template, topic) = dress(letter.occasion, &context);
        self.post(&letter.seat.0, template, Context { topic, ..context }, extras)
    }

    /// Fills a template for a seat and puts the mail into the outbox.
    pub(super) fn post(&self, seat: &str, template: &str, context: Context, extras: Extras) -> Result<(), Trouble> {
        let Some(row) = self.seat(seat)? else { return Ok(()) };
        let Some(to) = self.address(&row)? else { return Ok(()) };
        let number = self.act.next_mail_number(&self.row.id, seat)?;
        let format = form::read(&row.format);
        let context = Context {
            mark: report_mark(u64::from(number)),
            end: REPORT_END.to_owned(),
            game: self.id(),
            seat: seat.to_owned(),
            number,
            turn: self.hosted.slot(),
            open_slot: self.hosted.slot(),
            clock: when::said(self.env.now),
            ..context
        };
        let written = self.env.write(template, &context, form::of(format))?;
        let html = format.both.then(|| write::pre(&written.body));
        let (message_id, secret) = self.identity(seat, number);
        self.act.put_tag(&self.row.id, seat, number, &secret)?;
        let reply_tag = ReplyTag { game: self.id(), seat: seat.to_owned(), secret };
        let (in_reply_to, references) = self.thread(seat)?;
        let config = self.env.config;
        let raw = Outgoing {
            from: format!("{} <{}>", config.name, config.address),
            to: to.clone(),
            subject: format!("{reply_tag} {}", written.subject),
            message_id: message_id.clone(),
            in_reply_to,
            references,
            date: self.env.now,
            text: written.body,
            html,
            attachments: extras.attachments,
        }
        .render()?;
        let sha256 = hex(&Sha256::digest(&raw));
        self.enter(
            "mail",
            &json!({"direction": "out", "seat": seat, "number": number, "message_id": message_id, "sha256": sha256}),
        )?;
        let held = self.row.held && !extras.free;
        self.act.queue(&NewOutbox {
            game: Some(self.id()),
            seat: Some(seat.to_owned()),
            number: Some(number),
            message_id,
            recipient: to,
            raw,
            held,
            queued: self.now(),
            answers: self.inbox,
        })?;
        Ok(())
    }

    /// The Message-ID and the tag's secret of a mail, from the game's master and the seat's own running number.
    pub(super) fn identity(&self, seat: &str, number: u32) -> (String, String) {
        let master = Master::from_bytes(self.row.master);
        let key = master.secret(&self.row.id, "message-id", "");
        let message_id =
            write::message_id(&key, &self.row.id, seat, u64::from(number), self.env.config.message_domain());
        let secret = master.secret(&self.row.id, "tag", &format!("{seat}/{number}"));
        let mut half = [0; 16];
        half.iter_mut().zip(secret).for_each(|(to, from)| *to = from);
        (message_id, tag::secret(&half))
    }

    /// The address that a seat's mail goes to: the one it last wrote from, else its first.
    fn address(&self, seat: &Seat) -> Result<Option<String>, Trouble> {
        let last = self.act.desk(&self.row.id, &seat.seat, "address")?;
        Ok(last.filter(|a| seat.addresses.contains(a)).or_else(|| seat.addresses.first().cloned()))
    }

    /// The seat's last mail of this game, and the thread before it.
    fn thread(&self, seat: &str) -> Result<(Option<String>, Vec<String>), Trouble> {
        let last = self.act.desk(&self.row.id, seat, "thread")?.unwrap_or_default();
        let references: Vec<String> = last.split_whitespace().map(str::to_owned).collect();
        Ok((references.last().cloned(), references))
    }

    /// The seeds that a seat may see now: the public one and its side's of each slot closed since its last report.
    fn seeds_for(&self, seat: &Seat) -> Result<Vec<Seed>, Trouble> {
        let waiting = self.act.desk(&self.row.id, &seat.seat, "seeds")?.unwrap_or_default();
        self.act.set_desk(&self.row.id, &seat.seat, "seeds", None)?;
        let mut scopes = vec![Scope::Public];
        scopes.extend(seat.side.clone().map(|side| Scope::Of(SideId(side))));
        let mut seeds = Vec::new();
        for slot in waiting.split_whitespace().filter_map(|s| s.parse().ok()) {
            for scope in &scopes {
                seeds.push(Seed { slot, scope: scope.text().to_owned(), seed: hex(&self.seed(slot, scope)) });
            }
        }
        Ok(seeds)
    }

    /// The root of all commitments.
    pub(super) fn root(&self) -> String {
        let master = Master::from_bytes(self.row.master);
        let list = master.commitments(&self.row.id, self.hosted.last_slot(), &self.sides());
        hex(&crate::dice::root(&list))
    }
}

impl super::Env<'_> {
    /// Fills a template of the post office, or, where that fails, the package's own: a game does not stop for a typing
    /// error in a template.
    pub(super) fn write(&self, template: &str, context: &Context, form: Form) -> Result<Written, LetterError> {
        self.templates.write(template, context, form).or_else(|error| {
            tracing::warn!(%error, "the package's own template is used");
            self.own_templates.write(template, context, form)
        })
    }
}
