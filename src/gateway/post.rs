//! One mail of a game: its number, tag, Message-ID, thread, and its place in the outbox.

use super::error::Trouble;
use super::press::{UMPIRE, is_umpire};
use super::{Env, form, when};
use crate::address::Address;
use crate::dice::{hex, two};
use crate::letter::sheet::{self, Reply, Sheet};
use crate::letter::{Context, Form, Inset, LetterError, Templates, Written, shape};
use crate::mail::id::{MessageId, thread};
use crate::mail::script::{REPORT_END, report_mark};
use crate::mail::subject::{self, Tail};
use crate::mail::tag::ReplyTag;
use crate::mail::write::{self, Outgoing};
use crate::mail::{raster, seal};
use crate::store::{self, Act, NewEntry, NewOutbox, OutboxMail, Seat, Store, StoreError};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
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
    /// Goes to the seat's own addresses alone: whoever stands in for it gets no copy.
    pub owner_only: bool,
    /// Was only asked for: it goes out after what play needs.
    pub asked: bool,
    /// What its subject says behind the topic.
    pub tail: Tail,
    /// The turn of which it tells, where that is not the one in which play stands.
    pub turn: Option<u32>,
    /// The view of a seat on move that wants an order sheet.
    pub sheet: Option<Sheet>,
}

/// The name of the order sheet's file.
const SHEET_FILE: &str = "order-sheet.html";

/// Under which name the desk keeps the last seal of a seat.
const SEALED: &str = "sealed";

/// A mail's seal, as it is kept for the next one.
#[derive(Serialize, Deserialize)]
struct SealKept {
    number: u32,
    paper: String,
    seal: String,
    /// The number of the last letter that told how play stands.
    #[serde(default)]
    letter: u32,
}

/// The last seal of a seat's mails, if it has one.
fn last_seal(store: &Store, game: &str, seat: &str) -> Result<Option<SealKept>, StoreError> {
    let kept = store.desk(game, seat, SEALED)?;
    Ok(kept.and_then(|kept| serde_json::from_str(&kept).ok()))
}

/// Keeps the last seal of a seat's mails.
fn keep_seal(act: &Act<'_>, game: &str, seat: &str, seal: &SealKept) -> Result<(), Trouble> {
    let text = serde_json::to_string(seal).map_err(|why| Trouble::Game(why.to_string()))?;
    Ok(act.set_desk(game, seat, SEALED, Some(&text))?)
}

/// The number of the last letter to a seat that told it how play stands, where that is known.
pub(super) fn last_letter(store: &Store, game: &str, seat: &str) -> Result<Option<u32>, StoreError> {
    Ok(last_seal(store, game, seat)?.map(|kept| kept.letter).filter(|letter| *letter > 0))
}

/// After a restore no letter of before tells how play stands.
pub(super) fn forget_letter(act: &Act<'_>, game: &str, seat: &str) -> Result<(), Trouble> {
    let kept = last_seal(act, game, seat)?;
    kept.map_or(Ok(()), |kept| keep_seal(act, game, seat, &SealKept { letter: 0, ..kept }))
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

impl<'a> Desk<'a> {
    /// Where mails of a game are written that is not opened: play stands in the slot of the last entry.
    pub(super) fn unopened(env: &'a Env<'a>, act: &'a Act<'a>, row: &'a store::Game, inbox: Option<i64>) -> Desk<'a> {
        // Of rows that cannot be read no more is known.
        let slot = act.last_slot(&row.id).ok().flatten().unwrap_or(0);
        Desk { env, act, row, turn: 0, slot, inbox }
    }
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
        let tag = self.new_tag(seat, number, None)?;
        let Extras { attachments, free, not_before, owner_only, asked, tail, turn, sheet } = extras;
        let context = Context { turn: turn.unwrap_or(self.turn), ..context };
        let mut letter = self.letter(&row, number, (template, context), (&tag, &tail), attachments)?;
        if let Some(sheet) = sheet {
            self.order_sheet(seat, number, &mut letter, sheet)?;
        }
        // Each address gets a copy of its own, so that one that fails delays no other.
        for (copy, to) in self.act.spellings(game, seat)?.iter().enumerate() {
            letter.message_id = self.message_id(seat, number, Some(&to.key).filter(|_| copy > 0));
            self.queue(seat, number, (&mut letter, to.written()), (free, not_before, asked, turn.is_some()))?;
        }
        let stand_in = self.act.stand_in(game, seat)?.filter(|_| !owner_only);
        if let Some(by) = stand_in {
            // A tag of his own: with it nobody can write as the owner, and it ends when he does.
            let his = self.new_tag(seat, number, Some(&by.address))?;
            letter.message_id = self.message_id(seat, number, Some(&by.address));
            retag(&mut letter, &tag, &his);
            self.queue(seat, number, (&mut letter, &by.address), (free, not_before, asked, turn.is_some()))?;
        }
        Ok(())
    }

    /// Puts one copy of a mail into the outbox. One that cannot be written is kept there as given up, with the reason.
    fn queue(
        &self,
        seat: &str,
        number: u32,
        (letter, to): (&mut Outgoing, &str),
        (free, not_before, asked, tells): (bool, Option<Timestamp>, bool, bool),
    ) -> Result<(), Trouble> {
        let unwritten = self.address(letter, to);
        let (raw, unsaid) = self.rendered(seat, (number, tells), letter)?;
        let queued = self.act.queue(&NewOutbox {
            game: Some(self.row.id.clone()),
            seat: Some(seat.to_owned()),
            number: Some(number),
            message_id: letter.message_id.to_string(),
            recipient: to.to_owned(),
            raw,
            // HOLD is the umpire's, and keeps nothing from him: least of all a complaint about it.
            // One that cannot be written waits for nobody's leave: released, it would go out as it is.
            held: self.row.held && !free && !is_umpire(seat) && unwritten.is_none() && unsaid.is_none(),
            queued: when::kept(self.env.now),
            answers: self.inbox,
            asked,
        })?;
        if let Some(why) = unwritten.or(unsaid) {
            self.act.mark_unsent(queued, &why, None)?;
            return self.tell_unwritten(seat, number, &why);
        }
        match not_before {
            Some(at) => Ok(self.act.not_before(queued, &when::kept(at))?),
            None => Ok(()),
        }
    }

    /// Writes a letter's address into it; why it cannot be, where it was kept before addresses were looked at. The letter
    /// then has our own, so that it can be sent when the seat has a better one.
    fn address(&self, letter: &mut Outgoing, to: &str) -> Option<String> {
        let read = Address::parse(to);
        letter.to = read.clone().unwrap_or_else(|_| self.env.config.address.clone());
        read.err().map(|why| format!("{why}"))
    }

    /// A letter that could not be written is told to the operator, once a day for each seat and reason; its game goes on.
    fn tell_unwritten(&self, seat: &str, number: u32, why: &str) -> Result<(), Trouble> {
        let game = &self.row.id;
        tracing::error!(game, seat, number, why, "a letter cannot be written");
        if self.act.count_answer(&format!("unwritten {game}/{seat} {why}"), &when::day(self.env.now))? > 1 {
            return Ok(());
        }
        let note =
            format!("{game}: mail {number} to {seat} could not be written: {why}.  REPLACE mends a bad address.");
        super::operator::told(self.env, self.act, "a letter could not be written", &note)
    }

    /// Writes a short mail over one that has not been sent, under its number and name.
    pub(super) fn write_over(&self, mail: &OutboxMail, seat: &Seat, context: Context) -> Result<(), Trouble> {
        let number = mail.number.unwrap_or_default();
        let tag = self.tag_of(&seat.seat, number, None)?;
        let context = Context { turn: self.turn, ..context };
        let mut letter = self.letter(seat, number, ("notice.txt", context), (&tag, &Tail::None), Vec::new())?;
        letter.message_id =
            MessageId::parse(&mail.message_id).unwrap_or_else(|| self.message_id(&seat.seat, number, None));
        if !self.act.spellings(&self.row.id, &seat.seat)?.iter().any(|own| own.written() == mail.recipient) {
            retag(&mut letter, &tag, &self.tag_of(&seat.seat, number, Some(&mail.recipient))?);
        }
        let unwritten = self.address(&mut letter, &mail.recipient);
        let (raw, unsaid) = self.rendered(&seat.seat, (number, false), &mut letter)?;
        self.act.rewrite_mail(mail.id, &raw)?;
        match unwritten.or(unsaid) {
            Some(why) => self.tell_unwritten(&seat.seat, number, &why),
            None => Ok(()),
        }
    }

    /// The bytes of a mail, whose digest goes into the chain. In the place of a letter that cannot be written stands a
    /// short one that says so, under its number; why, where that cannot be written either.
    fn rendered(
        &self,
        seat: &str,
        (number, tells): (u32, bool),
        letter: &mut Outgoing,
    ) -> Result<(Vec<u8>, Option<String>), Trouble> {
        let mut sealed = self.sealed(seat, (number, tells), letter)?;
        let (raw, unsaid) = match letter.render() {
            Ok(raw) => (raw, None),
            Err(why) => {
                self.tell_unwritten(seat, number, &why.to_string())?;
                let text = bare(&Context { mark: report_mark(u64::from(number)), ..Context::default() });
                let (pictures, attachments) = (Vec::new(), Vec::new());
                let mut short = Outgoing { text: text.body, html: None, pictures, attachments, ..letter.clone() };
                sealed = self.sealed(seat, (number, tells), &mut short)?;
                match short.render() {
                    Ok(raw) => (raw, None),
                    Err(why) => (letter.text.clone().into_bytes(), Some(why.to_string())),
                }
            }
        };
        let (message_id, sha256) = (letter.message_id.as_str(), hex(&Sha256::digest(&raw)));
        let mut body =
            json!({"direction": "out", "seat": seat, "number": number, "message_id": message_id, "sha256": sha256});
        if let (Some(sealed), Some(body)) = (sealed, body.as_object_mut()) {
            body.insert("paper".to_owned(), json!(sealed.paper));
            body.insert("seal".to_owned(), json!(sealed.seal));
            keep_seal(self.act, &self.row.id, seat, &sealed)?;
        }
        self.enter("mail", &body)?;
        Ok((raw, unsaid))
    }

    /// Writes the seal under a letter, in games of dice protocol 2. It is over the letter's words, over the seat's mail before
    /// and, by the chain's last hash, over all that has happened, so that nothing of it can be changed afterwards. All
    /// copies of a mail have the same.
    fn sealed(
        &self,
        seat: &str,
        (number, tells): (u32, bool),
        letter: &mut Outgoing,
    ) -> Result<Option<SealKept>, Trouble> {
        let game = &self.row.id;
        if self.row.protocol != two::PROTOCOL {
            return Ok(None);
        }
        let paper = seal::paper(&letter.text);
        let sealed = match last_seal(self.act, game, seat)? {
            Some(last) if last.number == number && last.paper == hex(&paper) => last,
            last => {
                let told = last.as_ref().map_or(0, |last| last.letter);
                let before = last.map(|last| last.seal).unwrap_or_default();
                let (epoch, head) = (self.row.epoch.as_str(), self.act.log_head(game)?.hash);
                let of = two::Sealed { game, seat, number, epoch, before: &before, paper, head: &head };
                let seal = two::seal(&self.row.master, &of);
                SealKept { number, paper: hex(&paper), seal, letter: if tells { number } else { told } }
            }
        };
        letter.text = seal::with_seal(&letter.text, &sealed.seal);
        Ok(Some(sealed))
    }

    /// A mail of a number, before it has an address and a name.
    fn letter(
        &self,
        row: &Seat,
        number: u32,
        (template, context): (&str, Context),
        (tag, tail): (&ReplyTag, &Tail),
        attachments: Vec<(String, String, Vec<u8>)>,
    ) -> Result<Outgoing, Trouble> {
        let (game, seat) = (&self.row.id, row.seat.as_str());
        let format = form::read(&row.format);
        let mut context = Context {
            mark: report_mark(u64::from(number)),
            end: REPORT_END.to_owned(),
            game: game.clone(),
            seat: seat.to_owned(),
            number,
            open_slot: self.slot,
            clock: when::said(self.env.now),
            ..context
        };
        let (written, fault) = self.env.write(template, &context, form::of(format));
        name_plates(&mut context);
        let page = (format.both || format.plates).then(|| self.env.page(template, &context, form::of(format)));
        if let Some(fault) = fault {
            self.tell_unwritten(seat, number, &fault.to_string())?;
        }
        let written = Written { subject: subject::composed(&written.subject, tail, game, tag), ..written };
        let references = self.thread(seat)?;
        let (html, shown) = match page {
            Some(Ok((page, shown))) => (Some(page), shown),
            // What could not be filled stands in the plain text in other words, and here as there.
            Some(Err(_)) => (Some(write::pre(&written.body)), Vec::new()),
            None => (None, Vec::new()),
        };
        let pictures = self.pictures(seat, number, (&context, &shown))?;
        let to = self.env.config.address.clone();
        Ok(Outgoing {
            in_reply_to: references.last().cloned(),
            references,
            html,
            pictures,
            attachments,
            ..self.env.mail(to, self.message_id(seat, number, None), written)
        })
    }

    /// The order sheet of a letter, which answers to its subject. One that cannot be made is left out, and the operator is
    /// told.
    fn order_sheet(&self, seat: &str, number: u32, letter: &mut Outgoing, mut sheet: Sheet) -> Result<(), Trouble> {
        let (to, subject) = (self.env.config.address.to_string(), format!("Re: {}", letter.subject));
        sheet.view.mail = Some(Reply { to, subject });
        match sheet::page(&sheet) {
            Ok(page) => letter.attachments.push((SHEET_FILE.to_owned(), "text/html".to_owned(), page.into_bytes())),
            Err(why) => self.tell_unwritten(seat, number, &format!("its order sheet: {why}"))?,
        }
        Ok(())
    }

    /// The pictures that the page of a letter shows. One that cannot be drawn is left out, and the operator is told.
    fn pictures(
        &self,
        seat: &str,
        number: u32,
        (context, shown): (&Context, &[String]),
    ) -> Result<Vec<(String, Vec<u8>)>, Trouble> {
        let mut pictures = Vec::new();
        for plate in context.plates.iter().filter(|plate| shown.contains(&plate.cid)) {
            match raster::picture(&plate.svg) {
                Ok(picture) => pictures.push((plate.cid.clone(), picture.png)),
                Err(why) => self.tell_unwritten(seat, number, &format!("its map {}: {why}", plate.title))?,
            }
        }
        Ok(pictures)
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

    /// Posts a short mail to a seat's own addresses alone.
    pub(super) fn notice_owner(&self, seat: &str, topic: &str, notes: Vec<String>) -> Result<(), Trouble> {
        let context = Context { topic: topic.to_owned(), notes, ..Context::default() };
        self.post(seat, "notice.txt", context, Extras { free: true, owner_only: true, ..Extras::default() })
    }

    /// The Message-ID of a mail, from the game's master and the seat's own running number; of a copy, from its address
    /// too.
    fn message_id(&self, seat: &str, number: u32, copy: Option<&String>) -> MessageId {
        let game = &self.row.id;
        let key = super::tags::secret_of(self.row, "message-id", copy.map_or("", String::as_str));
        write::message_id(&key, game, seat, u64::from(number), self.env.config.message_domain())
    }

    /// The thread up to the seat's last mail of this game; what was kept of it and cannot be written is left out.
    fn thread(&self, seat: &str) -> Result<Vec<MessageId>, Trouble> {
        let kept = self.act.desk(&self.row.id, seat, "thread")?.unwrap_or_default();
        Ok(thread(kept.split_whitespace().filter_map(MessageId::parse).collect()))
    }
}

impl Env<'_> {
    /// A mail of ours with its words, before it belongs to a thread.
    pub(super) fn mail(&self, to: Address, message_id: MessageId, written: Written) -> Outgoing {
        Outgoing {
            name: self.config.name.clone(),
            from: self.config.address.clone(),
            to,
            subject: written.subject,
            message_id,
            in_reply_to: None,
            references: Vec::new(),
            date: self.now,
            text: written.body,
            html: None,
            pictures: Vec::new(),
            attachments: Vec::new(),
        }
    }

    /// Fills a template of the post office, or, where that fails, the package's own, or, where that fails too, a few words
    /// that say so, with the fault: a game does not stop for a template.
    pub(super) fn write(&self, template: &str, context: &Context, form: Form) -> (Written, Option<LetterError>) {
        let filled = self.templates.write(template, context, form).or_else(|error| {
            tracing::warn!(%error, "the package's own template is used");
            self.own_templates.write(template, context, form)
        });
        match filled {
            Ok(written) => (written, None),
            Err(error) => (bare(context), Some(error)),
        }
    }

    /// The page of HTML that goes with a letter.
    fn page(&self, template: &str, context: &Context, form: Form) -> Result<(String, Vec<String>), LetterError> {
        self.templates.page(template, context, form).or_else(|_| self.own_templates.page(template, context, form))
    }

    /// A part of a letter, filled in the same way, for the plain page and for that of HTML.
    pub(super) fn part(&self, template: &str, context: &Context, form: Form) -> Inset {
        let body = match self.write(template, context, form) {
            (written, None) => written.body,
            (_, Some(error)) => {
                tracing::error!(%error, "a part of a letter cannot be filled");
                return vec![format!("  {UNFILLED}")].into();
            }
        };
        let marked = |templates: &Templates, name: &str| templates.marked(name, context, form);
        let page = |name: &str| marked(self.templates, name).or_else(|_| marked(self.own_templates, name)).ok();
        // The drawn maps stand above the words.
        let drawn: &[&str] = if context.plates.is_empty() { &[] } else { &["theatre.txt", "plates.txt"] };
        let pictures: String = drawn.iter().filter_map(|part| page(part)).collect();
        let page = page(template).map(|filled| pictures + &filled);
        Inset { lines: body.lines().map(str::to_owned).collect(), drawing: false, page }
    }
}

/// Names the plates of a letter, each after its drawing: the same letter has the same bytes.
pub(super) fn name_plates(context: &mut Context) {
    for plate in &mut context.plates {
        let digest = hex(&Sha256::digest(&plate.svg));
        plate.cid = format!("{}@estafette", digest.get(..32).unwrap_or_default());
    }
}

/// Makes a seat's letter one to its stand-in, whose tag is his own.
fn retag(letter: &mut Outgoing, own: &ReplyTag, his: &ReplyTag) {
    letter.subject = letter.subject.replacen(&own.to_string(), &his.to_string(), 1);
    for (_, _, page) in letter.attachments.iter_mut().filter(|(name, ..)| name == SHEET_FILE) {
        *page = String::from_utf8_lossy(page).replace(&own.to_string(), &his.to_string()).into_bytes();
    }
}

/// In the place of what cannot be filled.
const UNFILLED: &str = "This could not be written out; the operator is told.";

/// A letter in the place of one that cannot be filled: what it is about, and its notes.
fn bare(context: &Context) -> Written {
    let lines = [context.mark.as_str(), "", UNFILLED].into_iter().chain(context.notes.iter().map(String::as_str));
    let text: Vec<&str> = lines.chain(["", REPORT_END]).collect();
    Written { subject: context.topic.clone(), body: shape::finish(&text.join("\n"), &Form::WIDE) }
}
