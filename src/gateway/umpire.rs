//! The umpire's mails and what he may do.

use super::commands::{self, Command, Item, What};
use super::error::Trouble;
use super::inbox::SET_ASIDE;
use super::player::Reply;
use super::post::Extras;
use super::press::UMPIRE;
use super::sitting::Sitting;
use super::{form, page, when};
use crate::letter::{Block, Context};
use crate::mail::read::Incoming;
use crate::store::{Due, GameState, InboxState};
use serde_json::json;

impl Sitting<'_> {
    /// The page of the whole truth, at each change of stage, if the game has an umpire.
    pub(super) fn umpire_page(&mut self) -> Result<(), Trouble> {
        if self.seat(UMPIRE)?.is_none() {
            return Ok(());
        }
        let context = self.truth(true)?;
        self.post(UMPIRE, "umpire.txt", context, Extras { free: true, ..Extras::default() })
    }

    /// The umpire's page; `fresh` shows only the rolls since the last one.
    pub(super) fn truth(&self, fresh: bool) -> Result<Context, Trouble> {
        let truth = self.hosted.truth();
        let mut context = page::context(truth.body());
        let rolls = self.hosted.rolls(None);
        let told: usize = if fresh {
            let told = self.act.desk(&self.row.id, UMPIRE, "rolls")?.and_then(|n| n.parse().ok()).unwrap_or(0);
            self.act.set_desk(&self.row.id, UMPIRE, "rolls", Some(&rolls.len().to_string()))?;
            told
        } else {
            0
        };
        context.rolls_own.clear();
        context.rolls_public = rolls
            .iter()
            .skip(told)
            .map(|(slot, roll)| format!("{slot:>2} {:<10} {}", roll.scope.text(), page::rolled(roll)))
            .collect();
        let stage = self.hosted.stage();
        context.topic = stage.as_ref().map_or_else(|| "the game is over".to_owned(), |stage| stage.title.clone());
        context.now = context.topic.clone();
        context.due = self.dues_line()?;
        if self.row.held {
            context.notes.push("The game is HELD: letters wait for RELEASE.".to_owned());
        }
        Ok(context)
    }

    /// All that is due, seat by seat.
    fn dues_line(&self) -> Result<String, Trouble> {
        let said = |due: &Due| {
            let what = if due.address.starts_with("ask/") { "a question" } else { "orders" };
            let until = due.due_at.as_deref().map_or_else(|| "no deadline".to_owned(), when::said_of);
            format!("{}: {what}, {until}", due.seat)
        };
        let dues = self.act.dues(&self.row.id)?;
        Ok(if dues.is_empty() { "nothing".to_owned() } else { dues.iter().map(said).collect::<Vec<_>>().join("; ") })
    }

    /// Acts on a mail of the umpire.
    pub(super) fn umpire_mail(&mut self, mail: &Incoming) -> Result<(), Trouble> {
        let items = commands::split(&mail.script, &|_| false, true);
        let mut reply = Reply::default();
        for item in &items {
            match &item.what {
                What::General(Ok(command)) => self.umpire_command(item, command, &mut reply)?,
                What::General(Err(fault)) => reply.fault(item, fault),
                What::Order | What::AfterEnd => {
                    let why = "it is no command of an umpire: HOLD, RELEASE, EXTEND seat hours, MESSAGE TO seat, \
                               REPORT, AUDIT, FORMAT.";
                    reply.say(item, "UNCLEAR", why);
                }
            }
        }
        let context = Context {
            head: UMPIRE.to_owned(),
            topic: "umpire's commands answered".to_owned(),
            answers: reply.answers,
            blocks: reply.blocks,
            notes: reply.notes,
            due: self.dues_line()?,
            ..Context::default()
        };
        self.post(UMPIRE, "answer.txt", context, Extras { free: true, ..reply.extras })
    }

    fn umpire_command(&mut self, item: &Item, command: &Command, reply: &mut Reply) -> Result<(), Trouble> {
        let done = match command {
            Command::Hold => Some(self.hold()),
            Command::Release => Some(self.release()),
            Command::Extend { seat, hours } => Some(self.extend(seat, *hours)),
            Command::Time(command) => Some(self.time_command(command)),
            Command::Message { to, lines } | Command::Press { to, lines } => {
                self.press(UMPIRE, item, (to, lines), reply)?;
                None
            }
            Command::Format(words) => {
                let kept = self.seat(UMPIRE)?.map(|row| row.format).unwrap_or_default();
                let format = form::changed(&kept, words);
                self.act.set_format(&self.row.id, UMPIRE, &format)?;
                Some(Ok(format!("from now on: FORMAT {}", format.to_uppercase())))
            }
            Command::Report(_) | Command::Map(_) => {
                let context = self.truth(false)?;
                let format = self.seat(UMPIRE)?.map(|row| form::read(&row.format)).unwrap_or_default();
                let body = self.env.write("sections.txt", &context, form::of(format))?.body;
                let lines = body.lines().map(str::to_owned).collect();
                reply.blocks.push(Block { title: "THE TRUTH".to_owned(), lines });
                Some(Ok("see below.".to_owned()))
            }
            Command::Audit => {
                self.audit_asked(UMPIRE, item, reply)?;
                None
            }
            Command::Deadline => Some(self.dues_line()),
            Command::Resend(number) => {
                self.resend(UMPIRE, *number, item, reply)?;
                None
            }
            Command::Address(change) => {
                self.address_asked(UMPIRE, change, item, reply)?;
                None
            }
            Command::Confirm(code) => {
                self.confirm(UMPIRE, code, item, reply)?;
                None
            }
            _ => Some(Err(Trouble::Refused("an umpire has no seat to play.".to_owned()))),
        };
        match done {
            Some(Ok(said)) => reply.say(item, "DONE", &said),
            Some(Err(Trouble::Refused(why))) => reply.say(item, "REFUSED", &why),
            Some(Err(other)) => return Err(other),
            None => {}
        }
        Ok(())
    }

    /// Keeps back the letters of the game from now on.
    pub(super) fn hold(&mut self) -> Result<String, Trouble> {
        if self.row.held {
            return Err(Trouble::Refused("the game is held already.".to_owned()));
        }
        self.row.held = true;
        self.act.set_held(&self.row.id, true)?;
        let count = self.act.hold_mails(&self.row.id)?;
        self.enter("hold", &json!({"at": self.now()}))?;
        Ok(format!(
            "the game is held; {} not yet sent.  Mails are still taken; RELEASE lets the letters go.",
            crate::text::plural(i64::try_from(count).unwrap_or(i64::MAX), "letter was", "letters were")
        ))
    }

    /// Lets the letters of the game go; the time it was held is given back. A game set aside for a fault is tried
    /// again, with the mails that came meanwhile.
    pub(super) fn release(&mut self) -> Result<String, Trouble> {
        let held = self.row.held;
        self.row.held = false;
        if held {
            self.give_time_back()?;
        }
        self.act.set_held(&self.row.id, false)?;
        if self.row.state == GameState::Corrupt {
            self.mended()?;
        }
        let count = self.act.release_mails(&self.row.id)?;
        self.enter("release", &json!({"at": self.now()}))?;
        let letters = crate::text::plural(i64::try_from(count).unwrap_or(i64::MAX), "letter goes", "letters go");
        Ok(format!("the game goes on; {letters} out."))
    }

    /// Puts off all that is due by as long as the game was held.
    fn give_time_back(&self) -> Result<(), Trouble> {
        let Some(since) = self.held_since()? else { return Ok(()) };
        self.put_off(self.env.now.duration_since(since), &format!("the game was held from {}", when::kept(since)))
    }

    fn mended(&mut self) -> Result<(), Trouble> {
        let begun = !self.act.log_of_kind(&self.row.id, "post.salt", 1)?.is_empty();
        self.row.state = if begun { GameState::Playing } else { GameState::Forming };
        self.act.set_game_state(&self.row.id, self.row.state)?;
        for mail in self.act.inbox_of_game(&self.row.id)? {
            if mail.state == InboxState::Quarantined && mail.reason.as_deref() == Some(SET_ASIDE) {
                self.act.settle(mail.id, InboxState::New, None)?;
            }
        }
        Ok(())
    }
}
