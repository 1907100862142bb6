//! The umpire's mails and what he may do.

use super::acts::Umpire;
use super::budget::{Rationed, ration};
use super::commands::{self, BROKEN, Command, Item, What};
use super::echo::Echo;
use super::error::Trouble;
use super::inbox::SET_ASIDE;
use super::ledger::{Class, Entry};
use super::pause::TimeCommand;
use super::player::Reply;
use super::post::{Extras, name_plates};
use super::sitting::Sitting;
use super::transfer::{How, Transfer};
use super::{form, letters, page, verbs, when};
use crate::letter::{Block, Context};
use crate::mail::read::Incoming;
use crate::store::{Due, GameState};
use serde_json::json;

/// The key on an umpire's desk: up to which entry of the chain he was told what happened.
const NEWS: &str = "news";

impl Sitting<'_> {
    /// The page of the whole truth, at each change of stage, to every umpire who does not play.
    pub(super) fn umpire_page(&mut self) -> Result<(), Trouble> {
        for umpire in self.umpires()? {
            if self.plays(&umpire)?.is_some() {
                continue;
            }
            let context = self.truth(Some(&umpire))?;
            // The mail stands last, so that a chain cut off behind it shows.
            self.ledger(&umpire, Entry::new(Class::Page, &self.sides(), "PAGE", ""))?;
            let attachments = self.desk_enclosed(&umpire)?.into_iter().collect();
            self.post(&umpire, "umpire.txt", context, Extras { free: true, attachments, ..Extras::default() })?;
        }
        Ok(())
    }

    /// The umpire's page; `fresh` names the umpire who is shown only the rolls since his last one.
    pub(super) fn truth(&self, fresh: Option<&str>) -> Result<Context, Trouble> {
        let truth = self.hosted.truth_now();
        let mut context = page::context(truth.body());
        let news = self.hosted.news(self.told_so_far(fresh)?);
        context.story.clone_from(&news.body().story);
        context.battles = news.body().battles.iter().map(|b| Block::new(b.title.clone(), b.lines.clone())).collect();
        let told = match fresh {
            Some(umpire) => self.act.desk(&self.row.id, umpire, "rolls")?.and_then(|n| n.parse().ok()).unwrap_or(0),
            None => 0,
        };
        let (all, rolls) = self.hosted.rolls_behind(told);
        if let Some(umpire) = fresh {
            self.act.set_desk(&self.row.id, umpire, "rolls", Some(&all.to_string()))?;
            self.act.set_desk(&self.row.id, umpire, NEWS, Some(&news.body().entries.to_string()))?;
        }
        context.rolls_own.clear();
        context.rolls_public = rolls
            .iter()
            .map(|(slot, roll)| format!("{slot:>2} {:<10} {}", roll.scope.text(), page::rolled(roll)))
            .collect();
        let stage = self.hosted.stage();
        context.now = stage.as_ref().map_or_else(|| "the game is over".to_owned(), |stage| stage.title.clone());
        context.topic = letters::brief(&context.now).to_owned();
        context.due = self.dues_line()?;
        if self.row.held {
            let note = "The game is HELD: letters wait for RELEASE.  SHOW HELD shows them first.";
            context.notes.push(note.to_owned());
        }
        Ok(context)
    }

    /// From which entry of the chain on an umpire has not been told what happened; all is shown to nobody at once.
    fn told_so_far(&self, umpire: Option<&str>) -> Result<usize, Trouble> {
        let first = self.umpires()?.into_iter().next();
        let Some(seat) = umpire.or(first.as_deref()) else { return Ok(usize::MAX) };
        let kept = self.act.desk(&self.row.id, seat, NEWS)?.and_then(|n| n.parse().ok());
        // A page of the first release kept no mark.
        let older = || self.act.desk(&self.row.id, seat, "rolls").map(|kept| kept.map_or(0, |_| usize::MAX));
        Ok(kept.map_or_else(older, Ok)?)
    }

    /// All that is due, seat by seat.
    pub(super) fn dues_line(&self) -> Result<String, Trouble> {
        let said = |due: &Due| {
            let what = match due.address.as_str() {
                super::due::SIGN_ON => "to sign on",
                address if address.starts_with("ask/") => "a question",
                _ => "orders",
            };
            let until = due.due_at.as_deref().map_or_else(|| "no deadline".to_owned(), when::said_of);
            format!("{}: {what}, {until}", due.seat)
        };
        let dues = self.act.dues(&self.row.id)?;
        Ok(if dues.is_empty() { "nothing".to_owned() } else { dues.iter().map(said).collect::<Vec<_>>().join("; ") })
    }

    /// Acts on a mail of an umpire.
    pub(super) fn umpire_mail(&mut self, seat: &str, mail: &Incoming) -> Result<(), Trouble> {
        let changed = self.answered.map(|number| self.changed_since(seat, number)).transpose()?.unwrap_or_default();
        let plays = self.plays(seat)?;
        let by = seat.to_owned();
        let who =
            Umpire { seat: seat.to_owned(), by, plays, mail: mail.head.message_id.clone(), changed, proved: false };
        let items = commands::split(&mail.script, &|_| false, true);
        let echo =
            self.echo(seat, mail, items.iter().all(|item| matches!(item.what, What::Order | What::BrokenOff)))?;
        if matches!(echo, Echo::Silent) {
            return Ok(());
        }
        let mut reply = self.umpire_items(&who, items)?;
        if let Echo::Last(note) = echo {
            reply.notes.push(note);
        }
        if !who.changed.is_empty() {
            reply.notes.push(format!("Since the mail that you answer: {}.", who.changed.join("; ")));
        }
        reply.answers.sort_by_key(|answer| answer.no);
        let context = Context {
            head: seat.to_owned(),
            topic: "umpire's commands answered".to_owned(),
            answers: reply.answers,
            blocks: reply.blocks,
            plates: reply.plates,
            notes: reply.notes,
            due: self.dues_line()?,
            ..Context::default()
        };
        self.post(seat, "answer.txt", context, Extras { free: true, ..reply.extras })?;
        self.dice_if_ready()
    }

    /// Does what an umpire wrote, line by line, by mail or from the command line.
    pub(super) fn umpire_script(&mut self, who: &Umpire, script: &[String]) -> Result<Reply, Trouble> {
        let reply = self.umpire_items(who, commands::split(script, &|_| false, true))?;
        self.dice_if_ready()?;
        Ok(reply)
    }

    fn umpire_items(&mut self, who: &Umpire, items: Vec<Item>) -> Result<Reply, Trouble> {
        let Rationed { items, over } = ration(items, &self.env.config.limits);
        let mut reply = Reply { answers: over, ..Reply::default() };
        for item in &items {
            match &item.what {
                What::General(Ok(Command::Umpire(verb))) => self.umpire_verb(who, item, verb, &mut reply)?,
                What::General(Ok(command)) => self.umpire_command(who, item, command, &mut reply)?,
                What::General(Err(fault)) => reply.fault(item, fault),
                What::BrokenOff => reply.say(item, "PASSED OVER", BROKEN),
                What::Order | What::AfterEnd | What::Umpires => {
                    let verbs: Vec<&str> = verbs::VERBS.iter().map(|(verb, _)| *verb).collect();
                    let why = format!(
                        "it is no command of an umpire: HOLD, RELEASE, EXTEND seat hours, PAUSE, RESUME, PROCEED seat, REPLACE \
                         seat address, MESSAGE TO seat, REPORT, AUDIT, FORMAT, HELP, {}.",
                        verbs.join(", ")
                    );
                    reply.say(item, "UNCLEAR", &why);
                }
            }
        }
        Ok(reply)
    }

    /// An umpire who plays a side may profit from what he does to the clock; all are told that it was he, and no more.
    fn tell_of_partial_umpire(&self, who: &Umpire, command: &Command) -> Result<(), Trouble> {
        let what = match command {
            Command::Extend { .. } | Command::Time(TimeCommand::Until(..)) => "has moved a deadline of this game",
            Command::Time(TimeCommand::Proceed(_)) => "has let the defaults play for what was missing",
            Command::Time(TimeCommand::Pause(_)) => "has stopped the clock of this game",
            Command::Time(TimeCommand::Resume) => "has let the clock of this game go on",
            _ => return Ok(()),
        };
        let Some(side) = &who.plays else { return Ok(()) };
        let note = format!("{}, who plays {side} in this game, {what}.", who.seat);
        for seat in self.players() {
            self.notice(&seat.0, "an umpire who plays has acted", vec![note.clone()])?;
        }
        Ok(())
    }

    fn umpire_command(
        &mut self,
        who: &Umpire,
        item: &Item,
        command: &Command,
        reply: &mut Reply,
    ) -> Result<(), Trouble> {
        let seat = who.seat.as_str();
        let done = match command {
            Command::Hold => Some(self.hold()),
            Command::Beacon(words) => Some(self.beacon_by_umpire(words)),
            Command::Release => Some(self.release()),
            Command::Extend { seat, hours } => Some(self.extend(seat, *hours)),
            Command::Time(TimeCommand::Replace { seat, address, allow }) if !who.proved => {
                self.replace_asked(who, item, (seat, address, *allow), reply)?
            }
            Command::Time(command) => Some(self.time_said(who, command)),
            Command::Message { to, lines } | Command::Press { to, lines } => {
                self.press(seat, item, (to, lines), reply)?;
                None
            }
            Command::Format(words) => {
                let kept = self.seat(seat)?.map(|row| row.format).unwrap_or_default();
                let format = form::changed(&kept, words);
                self.act.set_format(&self.row.id, seat, &format)?;
                Some(Ok(format!("from now on: FORMAT {}", format.to_uppercase())))
            }
            Command::Map(Some(area)) if area.contains(char::is_whitespace) => {
                Some(Err(Trouble::Refused("MAP alone shows you the whole truth, and so does REPORT.".to_owned())))
            }
            Command::Report(_) | Command::Map(_) => Some(self.whole_truth(who, reply)),
            Command::History(turn) => Some(self.told_to_all(who, Some(*turn), reply)),
            Command::Summary => Some(self.told_to_all(who, None, reply)),
            Command::Audit => {
                self.audit_asked(seat, item, reply)?;
                None
            }
            Command::Deadline => Some(self.dues_line()),
            Command::Help(_) | Command::Rules(_) => {
                self.umpire_asks(seat, item, command, reply)?;
                None
            }
            Command::Resend(number) => {
                self.resend(seat, *number, item, reply)?;
                None
            }
            Command::Address(change) => {
                self.address_asked(seat, change, item, reply)?;
                None
            }
            Command::Confirm(code) => {
                self.confirm((seat, Some(who)), code, item, reply)?;
                None
            }
            _ => Some(Err(Trouble::Refused("an umpire has no seat to play.".to_owned()))),
        };
        if matches!(command, Command::Hold | Command::Release | Command::Extend { .. }) && matches!(done, Some(Ok(_))) {
            self.ledger(&who.by, Entry::new(Class::Order, &self.sides(), &item.text, ""))?;
        }
        if matches!(done, Some(Ok(_))) {
            self.tell_of_partial_umpire(who, command)?;
        }
        match done {
            Some(Ok(said)) => reply.say(item, "DONE", &said),
            Some(Err(Trouble::Refused(why))) => reply.say(item, "REFUSED", &why),
            Some(Err(other)) => return Err(other),
            None => {}
        }
        Ok(())
    }

    /// REPLACE by mail: whether it is the umpire who writes is asked at his own addresses.
    fn replace_asked(
        &mut self,
        who: &Umpire,
        item: &Item,
        (said, address, allow): (&str, &str, bool),
        reply: &mut Reply,
    ) -> Result<Option<Result<String, Trouble>>, Trouble> {
        let may = self.may_allow(who, allow).and_then(|()| self.may_replace(said, address, allow));
        let seat = match may {
            Ok(seat) => seat,
            Err(why) => return Ok(Some(Err(why))),
        };
        let transfer = Transfer::To { who: address.to_lowercase(), how: How::Seat { seat, allow } };
        self.ask_owner(&who.seat, item, transfer, "", reply)?;
        Ok(None)
    }

    /// A packet to an address of his own would show an umpire who plays what the other side knows.
    fn may_allow(&self, who: &Umpire, allow: bool) -> Result<(), Trouble> {
        match &who.plays {
            Some(side) if allow => Err(Trouble::Refused(format!(
                "you play {side}: that one person holds two seats is left to another umpire."
            ))),
            _ => Ok(()),
        }
    }

    /// What is done to the clock or to the people, with its entry in the ledger.
    fn time_said(&mut self, who: &Umpire, command: &TimeCommand) -> Result<String, Trouble> {
        if let TimeCommand::Replace { allow, .. } = command {
            self.may_allow(who, *allow)?;
        }
        let said = self.time_command(command)?;
        // All read the ledger in the end; an address is its owner's.
        let text = match command {
            TimeCommand::Replace { seat, .. } => format!("REPLACE {seat}"),
            other => other.line(),
        };
        self.ledger(&who.by, Entry::new(Class::Order, &self.sides(), &text, ""))?;
        Ok(said)
    }

    /// HISTORY, of all turns or one, or SUMMARY: what every seat was told.
    fn told_to_all(
        &mut self,
        who: &Umpire,
        history: Option<Option<u32>>,
        reply: &mut Reply,
    ) -> Result<String, Trouble> {
        if let Some(side) = &who.plays {
            return Err(Trouble::Refused(format!("you play {side}: ask from that seat.")));
        }
        for seat in self.players() {
            let (word, told) = match history {
                Some(turn) => ("HISTORY", self.hosted.history(&seat, turn)),
                None => ("SUMMARY", self.hosted.summary(&seat)),
            };
            let lines: Vec<String> = told.body().iter().map(|line| format!("  {line}")).collect();
            reply.blocks.push(Block::new(format!("{word} of {seat}"), lines));
        }
        let text = if history.is_some() { "HISTORY" } else { "SUMMARY" };
        self.ledger(&who.by, Entry::new(Class::Look, &self.sides(), text, ""))?;
        Ok("see below.".to_owned())
    }

    /// REPORT: the whole truth, which is a look at both sides.
    fn whole_truth(&mut self, who: &Umpire, reply: &mut Reply) -> Result<String, Trouble> {
        if let Some(side) = &who.plays {
            return Err(Trouble::Refused(format!("you play {side}: your reports come to that seat.")));
        }
        let mut context = self.truth(None)?;
        name_plates(&mut context);
        let format = self.seat(&who.seat)?.map(|row| form::read(&row.format)).unwrap_or_default();
        let body = self.env.part("sections.txt", &context, form::of(format));
        reply.plates.extend(context.plates);
        reply.blocks.push(Block::new("THE TRUTH", body));
        self.ledger(&who.by, Entry::new(Class::Look, &self.sides(), "REPORT", ""))?;
        Ok("see below.".to_owned())
    }

    /// Keeps back the letters of the game from now on.
    pub(super) fn hold(&mut self) -> Result<String, Trouble> {
        if self.row.held {
            return Err(Trouble::Refused("the game is held already.".to_owned()));
        }
        self.row.held = true;
        self.act.set_held(&self.row.id, true)?;
        let count = self.act.hold_mails(&self.row.id)?;
        self.enter("hold", &json!({"at": self.entry_time()?}))?;
        Ok(format!(
            "the game is held; {} not yet sent.  Mails are still taken; RELEASE lets the letters go.",
            crate::text::plural(i64::try_from(count).unwrap_or(i64::MAX), "letter was", "letters were")
        ))
    }

    /// Lets the letters of the game go; the time it was held is given back. A game set aside for a fault is tried
    /// again, with the mails that came meanwhile.
    pub(super) fn release(&mut self) -> Result<String, Trouble> {
        if let Some(why) = self.why_stuck()? {
            return Err(Trouble::Refused(format!("{why}.")));
        }
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
        self.enter("release", &json!({"at": self.entry_time()?}))?;
        let letters = crate::text::plural(i64::try_from(count).unwrap_or(i64::MAX), "letter goes", "letters go");
        Ok(format!("the game goes on; {letters} out."))
    }

    /// Puts off all that is due by as long as the game was held.
    fn give_time_back(&self) -> Result<(), Trouble> {
        let Some(since) = self.held_since()? else { return Ok(()) };
        self.put_off(self.env.now.duration_since(since), &super::due::held_from(&when::kept(since)))
    }

    /// The game goes on that was set aside.
    pub(super) fn mended(&mut self) -> Result<(), Trouble> {
        let begun = !self.act.log_of_kind(&self.row.id, "post.salt", 1)?.is_empty();
        self.row.state = if begun { GameState::Playing } else { GameState::Forming };
        self.act.set_game_state(&self.row.id, self.row.state)?;
        self.act.settle_again(&self.row.id, SET_ASIDE)?;
        self.hear_of_restore()
    }
}
