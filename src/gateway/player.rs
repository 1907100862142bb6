//! A mail of a player: its lines are answered in order, in one mail.
//!
//! Standing answers come first, then the orders, and what is only asked for is shown as it then stands.

use super::budget::{Rationed, ration};
use super::commands::{self, BROKEN, Command, Item, What};
use super::echo::Echo;
use super::error::Trouble;
use super::post::{Extras, name_plates};
use super::sheet::{self, SheetWord};
use super::sitting::Sitting;
use super::{form, page};
use crate::fog::SeatId;
use crate::host::NO_ORDER;
use crate::host::{Input, Letter};
use crate::letter::{Answer, Block, Context, Inset, Plate};
use crate::mail::read::Incoming;
use crate::orders::Fault;
use crate::rules::Outcome;
use crate::store::GameState;

/// What a mail has come to so far.
#[derive(Default)]
pub(super) struct Reply {
    /// Answers to general commands.
    pub answers: Vec<Answer>,
    /// What was asked for.
    pub blocks: Vec<Block>,
    /// Letters that the host wrote because of the mail.
    pub letters: Vec<Letter>,
    /// What goes with the answer.
    pub extras: Extras,
    /// Sentences of the post office.
    pub notes: Vec<String>,
    /// Mails to others, and bytes of them, that the mail has caused beside its answer.
    pub letters_out: usize,
    pub bytes_out: usize,
    /// Whether a line that is for no sheet, and for play, is not taken.
    pub amiss: bool,
    /// Whether it has edited the sheet.
    pub edited: bool,
    /// The drawn maps of what was asked for.
    pub plates: Vec<Plate>,
    /// Whether an order sheet goes with the answer, if its seat wants such and is on move.
    pub sheet: bool,
}

impl Sitting<'_> {
    /// Acts on a player's mail and posts all that follows from it.
    pub(super) fn player_mail(&mut self, seat: &str, mail: &Incoming) -> Result<(), Trouble> {
        let seat_id = SeatId(seat.to_owned());
        let mut items = commands::split_of(&mail.script, &**self.hosted, &seat_id);
        sheet::number_on(&**self.hosted, &seat_id, &mut items);
        let empty = items.is_empty();
        let echo = self.echo_of_player(seat, mail, &items)?;
        let Rationed { items, over } = ration(items, &self.env.config.limits);
        let mut reply = Reply { answers: over, ..Reply::default() };
        match echo {
            Echo::Answered => {}
            Echo::Last(note) => reply.notes.push(note),
            Echo::Silent => return Ok(()),
        }
        let items = self.within_the_day(seat, items, &mut reply)?;
        self.heard(seat)?;
        reply.notes.extend(self.relieved(seat)?);
        reply.notes.extend(self.stays(seat)?);
        reply.notes.extend(self.receipt());
        if empty {
            reply
                .notes
                .push("Your mail holds no line of your own: write one order a line, above the quoted text.".into());
        }
        self.settings(seat, &items, &mut reply)?;
        let signing = self.row.state == GameState::Forming;
        let waits = self.waits_for_dice()?.is_some();
        self.notice_lines(seat, &items, &mut reply)?;
        if waits && !signing {
            self.while_dice_wait(&items, &mut reply);
        } else if signing {
            self.unwait(seat, &items, &mut reply)?;
            self.sign_on(seat, mail, &items, &mut reply)?;
        } else {
            self.doctrine_lines(seat, mail, &items, &mut reply)?;
            self.sheet_lines(seat, mail, &items, &mut reply)?;
        }
        for item in &items {
            self.asked(seat, item, &items, &mut reply)?;
        }
        if !signing {
            reply.apart(&items);
        }
        let (edited, checked) = (reply.edited, items.iter().any(sheet::is_check));
        self.send_reply(seat, reply, checks_only(&items))?;
        self.note_shown(seat, edited, checked)?;
        if waits {
            self.dice_if_ready()
        } else if signing {
            self.begin_if_all_in()
        } else {
            Ok(())
        }
    }

    /// No line is taken while play waits for its dice: the board that it is written for will be another.
    fn while_dice_wait(&self, items: &[Item], reply: &mut Reply) {
        let of_play = |item: &&Item| {
            let set = matches!(&item.what, What::General(Ok(Command::Undo | Command::Doctrine(Some(_)))));
            set || sheet::is_kept(item) || item.what.ends()
        };
        for item in items.iter().filter(of_play) {
            let why = "play waits for new dice; a report shows you the board when they are there.  Write then.";
            reply.say(item, "NOT TAKEN", why);
        }
    }

    /// What must be known before anything is written: the form of this very answer.
    fn settings(&mut self, seat: &str, items: &[Item], reply: &mut Reply) -> Result<(), Trouble> {
        for item in items {
            match &item.what {
                What::General(Ok(Command::Format(words))) => {
                    let kept = self.seat(seat)?.map(|row| row.format).unwrap_or_default();
                    let format = form::changed(&kept, words);
                    self.act.set_format(&self.row.id, seat, &format)?;
                    self.hosted.form(&SeatId(seat.to_owned()), form::read(&format));
                    // Whoever asks for it wants it now.
                    reply.sheet |= !form::read(&kept).sheet && form::read(&format).sheet;
                    reply.say(item, "DONE", &format!("from now on: FORMAT {}", format.to_uppercase()));
                }
                What::General(Err(fault)) => reply.fault(item, fault),
                // A signature below END is no order that came to nothing.
                What::AfterEnd if self.hosted.is_prose(&SeatId(seat.to_owned()), &item.text) => {
                    reply.say(item, "PASSED OVER", NO_ORDER);
                }
                What::AfterEnd => {
                    reply.say(item, "REFUSED", "it stands below END, where no order is read.  Nothing was done.");
                }
                What::BrokenOff => reply.say(item, "PASSED OVER", BROKEN),
                What::Umpires => {
                    reply.say(item, "REFUSED", "only the umpire of a game may say that.");
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Leaves out the order lines of a mail, and its END, where its seat has written enough of them for a day: the game keeps
    /// each line for ever.
    fn within_the_day(&self, seat: &str, items: Vec<Item>, reply: &mut Reply) -> Result<Vec<Item>, Trouble> {
        let chars: usize = items.iter().filter(|item| sheet::is_kept(item)).map(|i| i.text.chars().count()).sum();
        let most = self.env.config.limits.order_chars_per_day_max;
        let (name, day) = (format!("order characters of {}/{seat}", self.row.id), super::when::day(self.env.now));
        let more = u32::try_from(chars).unwrap_or(u32::MAX);
        if chars == 0 || self.act.count_more(&name, &day, more)? <= most {
            return Ok(items);
        }
        let is_left = |item: &Item| !sheet::is_kept(item) && !item.what.ends();
        if let Some(first) = items.iter().find(|item| sheet::is_kept(item)) {
            let why = format!(
                "the orders of a seat have at most {most} characters in a day.  No order of this mail was read, and \
                 nothing ends; send them tomorrow."
            );
            reply.say(first, "REFUSED", &why);
        }
        Ok(items.into_iter().filter(is_left).collect())
    }

    pub(super) fn doctrine_lines(
        &mut self,
        seat: &str,
        mail: &Incoming,
        items: &[Item],
        reply: &mut Reply,
    ) -> Result<(), Trouble> {
        for item in items {
            let What::General(Ok(Command::Doctrine(Some(words)))) = &item.what else { continue };
            match self.hosted.doctrine_line(&SeatId(seat.to_owned()), words) {
                Ok((key, value)) => {
                    let seat = SeatId(seat.to_owned());
                    let besides = self.hosted.doctrine_said(&seat, &key, &value).into_parts().1;
                    let besides: String = besides.iter().map(|said| format!("  {said}")).collect();
                    let stop = if besides.is_empty() { "" } else { "." };
                    let said = format!("{}: {key} {value}{stop}{besides}", self.hosted.answers_count());
                    let input = Input::Doctrine { seat, key, value, mail: mail.head.message_id.clone() };
                    let letters = self.take(input)?;
                    reply.letters.extend(letters);
                    reply.say(item, "DONE", &said);
                }
                Err(why) => {
                    // What a seat answers to a question counts as much as a line of its sheet: END waits for it.
                    reply.amiss = true;
                    reply.say(item, "UNCLEAR", &why);
                }
            }
        }
        Ok(())
    }

    /// Before the game begins: takes back what waits for it, before the lines of this mail are read.
    fn unwait(&mut self, seat: &str, items: &[Item], reply: &mut Reply) -> Result<(), Trouble> {
        for item in items {
            match &item.what {
                What::General(Ok(Command::Undo)) => {
                    self.act.set_desk(&self.row.id, seat, "waiting", None)?;
                    reply.say(item, "DONE", "the lines of your earlier mails are dropped.");
                }
                What::General(Ok(Command::Sheet(_))) => {
                    reply.say(item, "NOT TAKEN", "the game has not begun; END alone, and UNDO, can be said before it.");
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// What a line asks to be sent or done outside the rules.
    fn asked(&mut self, seat: &str, item: &Item, items: &[Item], reply: &mut Reply) -> Result<(), Trouble> {
        let What::General(Ok(command)) = &item.what else { return Ok(()) };
        let id = SeatId(seat.to_owned());
        match command {
            Command::Orders => reply.block(item, "ORDERS", self.orders_block(seat)?),
            Command::Check(lines) => reply.block(item, "CHECK", self.check_block(seat, lines, false)?),
            Command::CheckSheet(lines) => reply.block(item, "CHECK SHEET", self.check_block(seat, lines, true)?),
            Command::Sheet(SheetWord::Revise) if !items.iter().any(|item| item.what == What::Order) => {
                match self.hosted.sheet(&id).body() {
                    _ if self.row.state == GameState::Forming => {}
                    None => reply.say(
                        item,
                        "NOT TAKEN",
                        "no sheet of yours is open; a report says when the next one opens.",
                    ),
                    Some(sheet) if sheet.lines.is_empty() && sheet.faulty.is_empty() => {
                        reply.say(item, "DONE", "no line waits in your sheet.");
                    }
                    Some(_) => reply.block(item, "YOUR SHEET", self.sheet_block(seat)),
                }
            }
            Command::Doctrine(None) => reply.block(item, "DOCTRINE", page::indented(self.hosted.doctrine(&id).body())),
            Command::Report(turn) => {
                let (body, plates) = self.report_block(seat, *turn)?;
                reply.plates.extend(plates);
                reply.block(item, "REPORT", body);
                reply.sheet |= turn.is_none();
            }
            Command::Part(part) => {
                let (title, lines) = self.part_block(seat, *part)?;
                reply.block(item, title, lines);
            }
            Command::Map(area) => {
                let format = self.seat(seat)?.map(|row| form::read(&row.format)).unwrap_or_default();
                let title = area.as_ref().map_or_else(|| "MAP".to_owned(), |area| format!("MAP {area}"));
                reply.block(item, &title, Inset::drawing(self.hosted.map(&id, area.as_deref(), format).body().clone()));
            }
            Command::History(turn) => {
                reply.block(item, "HISTORY", page::indented(self.hosted.history(&id, *turn).body()))
            }
            Command::Summary => reply.block(item, "SUMMARY", page::indented(self.hosted.summary(&id).body())),
            Command::Rules(paragraph) => self.rules_asked(seat, paragraph, item, reply)?,
            Command::Help(topic) => self.help(seat, item, topic.as_deref(), reply)?,
            Command::Victory => reply.block(item, "VICTORY", self.victory_lines(seat)?),
            Command::Why(line) => {
                reply.block(item, &format!("WHY {line}"), page::indented(self.hosted.why(&id, *line).body()));
            }
            Command::Deadline => reply.block(item, "DEADLINE", self.deadline_block(seat)?),
            Command::Absent(days) => self.absent(seat, item, days, reply)?,
            Command::StandIn(address) => self.stand_in_asked(seat, item, address, reply)?,
            Command::Audit => self.audit_asked(seat, item, reply)?,
            Command::Resend(number) => self.resend(seat, *number, item, reply)?,
            Command::Address(change) => self.address_asked(seat, change, item, reply)?,
            Command::Resign if self.row.state != GameState::Forming => self.resign_asked(seat, item, reply)?,
            Command::Confirm(code) => self.confirm((seat, None), code, item, reply)?,
            Command::Dispatch { to, lines } => self.dispatch(seat, item, (to, lines), reply)?,
            Command::Press { to, lines } => self.press(seat, item, (to, lines), reply)?,
            Command::Signon | Command::Nonce(_) | Command::NonceHash(_)
                if self.row.state != GameState::Forming && !reply.has(item) =>
            {
                reply.say(item, "REFUSED", "the game has begun; its dice are committed.");
            }
            _ => {}
        }
        Ok(())
    }

    fn deadline_block(&self, seat: &str) -> Result<Vec<String>, Trouble> {
        let line = self.due_line(&self.act.dues(&self.row.id)?, seat)?;
        let mut lines = vec![format!("  {line}"), self.on_move_line()];
        lines.extend(self.terms()?.said().into_iter().map(|line| format!("  {line}")));
        if self.pause()?.is_some() {
            lines.push("  The game is paused: its clock stands still.".to_owned());
        }
        lines.extend(self.dice_line()?.map(|line| format!("  {line}")));
        lines.extend(self.away_lines()?.into_iter().map(|line| format!("  {line}")));
        Ok(lines)
    }

    fn on_move_line(&self) -> String {
        match self.hosted.stage() {
            None => "  The game is over.".to_owned(),
            Some(stage) => {
                let seats: Vec<&str> = stage.on_move.iter().map(|seat| seat.0.as_str()).collect();
                format!("  On move: {} ({})", crate::text::and_list(&seats), stage.title)
            }
        }
    }

    pub(super) fn orders_block(&self, seat: &str) -> Result<Inset, Trouble> {
        let examples = self.hosted.examples(&SeatId(seat.to_owned())).body().clone();
        self.filled(seat, "orders.txt", &Context { examples, ..Context::default() })
    }

    fn check_block(&self, seat: &str, lines: &[(u32, String)], sheet: bool) -> Result<Inset, Trouble> {
        let id = SeatId(seat.to_owned());
        let is_general = |text: &String| {
            let items = commands::split_of(std::slice::from_ref(text), &**self.hosted, &id);
            items.iter().any(|item| matches!(item.what, What::General(_)))
        };
        let (general, orders): (Vec<_>, Vec<_>) = lines.iter().cloned().partition(|(_, text)| is_general(text));
        let rehearsal = self.hosted.rehearse(&SeatId(seat.to_owned()), &orders, sheet).into_parts().1;
        let mut answers: Vec<Answer> = rehearsal.answers.iter().map(|a| page::answer(a, "TAKEN")).collect();
        for answer in answers.iter_mut().filter(|answer| answer.word == "TAKEN" && answer.why.is_empty()) {
            answer.brief.clear();
            answer.why = "as far as you can know.".to_owned();
        }
        for (no, text) in general {
            let why = "a general command; below CHECK it is not carried out.".to_owned();
            answers.push(Answer { no, text, word: "PASSED OVER".to_owned(), why, ..Answer::default() });
        }
        answers.sort_by_key(|answer| answer.no);
        let mut warnings: Vec<String> = rehearsal.warnings.iter().map(|(text, rule)| page::ruled(text, rule)).collect();
        let waits = self.hosted.sheet(&id).body().as_ref().is_some_and(|sheet| !sheet.lines.is_empty());
        if !sheet && waits && answers.iter().any(|answer| answer.word == "NOT TAKEN") {
            warnings
                .push("lines of yours wait in your sheet, and CHECK does not count them: CHECK SHEET does.".to_owned());
        }
        self.keep_check(seat, &orders, &rehearsal.answers)?;
        self.filled(seat, "check.txt", &Context { answers, warnings, ..Context::default() })
    }

    /// Where a seat stands, or stood in a turn, with the drawn maps that its page of HTML shows.
    pub(super) fn report_block(&self, seat: &str, turn: Option<u32>) -> Result<(Inset, Vec<Plate>), Trouble> {
        let mut context = page::context(self.hosted.report(&SeatId(seat.to_owned()), turn).body());
        context.open_slot = self.hosted.slot();
        name_plates(&mut context);
        let mut body = self.filled(seat, "sections.txt", &context)?;
        body.lines.insert(0, format!("  {}", context.head));
        Ok((body, context.plates))
    }

    /// A template filled for use within a mail.
    pub(super) fn filled(&self, seat: &str, template: &str, context: &Context) -> Result<Inset, Trouble> {
        let format = self.seat(seat)?.map(|row| form::read(&row.format)).unwrap_or_default();
        Ok(self.env.part(template, context, form::of(format)))
    }

    /// Posts the letters of a mail; its own answers go with the last letter to its writer, or alone.
    pub(super) fn send_reply(&mut self, seat: &str, mut reply: Reply, checks_only: bool) -> Result<(), Trouble> {
        let dues = self.keep_dues()?;
        let carrier = reply.letters.iter().rposition(|letter| letter.seat.0 == seat);
        let letters = std::mem::take(&mut reply.letters);
        for (at, letter) in letters.iter().enumerate() {
            let mut context = self.context_of(letter, &dues)?;
            let mut extras = Extras::default();
            if carrier == Some(at) {
                merge(&mut context.answers, std::mem::take(&mut reply.answers));
                context.blocks = std::mem::take(&mut reply.blocks);
                context.plates.extend(std::mem::take(&mut reply.plates));
                context.notes.append(&mut reply.notes);
                extras = std::mem::take(&mut reply.extras);
            }
            self.post_letter(letter, context, extras)?;
        }
        // Orders are always answered; who only asks, too often, is not.
        let most = self.env.config.limits.answers_per_hour_max;
        if carrier.is_none() && self.answers_this_hour <= most {
            self.post_alone(seat, reply, &dues, checks_only)?;
        } else if carrier.is_none() && self.answers_this_hour == most.saturating_add(1) {
            let note = format!(
                "You have had {most} answers in this hour.  Until the next full hour your orders are carried out and \
                 answered as always; what you only ask for is not."
            );
            self.notice(seat, "enough answers for this hour", vec![note])?;
        }
        if std::mem::take(&mut self.told_all) {
            self.umpire_page()?;
            self.public_pages()?;
        }
        if self.row.held {
            let note = "Your mail is taken.  For now, the umpire holds the game: the answer comes when he lets it go.";
            self.notice(seat, "your mail is taken", vec![note.to_owned()])?;
        }
        Ok(())
    }

    fn post_alone(
        &self,
        seat: &str,
        mut reply: Reply,
        dues: &[crate::store::Due],
        checks_only: bool,
    ) -> Result<(), Trouble> {
        reply.answers.sort_by_key(|answer| answer.no);
        let signing = self.row.state == GameState::Forming;
        let head = if signing { String::new() } else { self.head(seat) };
        let topic = if checks_only { "CHECK, nothing was done" } else { "your mail answered" };
        let context = Context {
            head: if head.is_empty() { seat.to_owned() } else { head },
            topic: topic.to_owned(),
            answers: reply.answers,
            blocks: reply.blocks,
            plates: reply.plates,
            notes: reply.notes,
            due: self.due_line(dues, seat)?,
            ..Context::default()
        };
        let template = if signing { "receipt.txt" } else { "answer.txt" };
        let tail = self.tail(dues, seat)?;
        let sheet = if reply.sheet { self.sheet_of(&SeatId(seat.to_owned()), &context.due)? } else { None };
        self.post(seat, template, context, Extras { asked: true, tail, sheet, ..reply.extras })
    }

    fn head(&self, seat: &str) -> String {
        self.hosted.report(&SeatId(seat.to_owned()), None).body().head.clone()
    }
}

impl Reply {
    /// Takes their numbers from the lines that are no lines of a sheet: those count on through the mails of a stage, and the
    /// next mail would have such a number once more.
    fn apart(&mut self, items: &[Item]) {
        for answer in &mut self.answers {
            let of = items.iter().find(|item| item.no == answer.no);
            answer.apart = of.is_some_and(|item| !sheet::is_for_sheet(item));
        }
    }

    /// Whether a line is answered.
    pub(super) fn has(&self, item: &Item) -> bool {
        self.answers.iter().any(|answer| answer.no == item.no)
    }

    pub(super) fn say(&mut self, item: &Item, word: &str, why: &str) {
        self.answers.push(answered(item, word, why));
    }

    pub(super) fn fault(&mut self, item: &Item, fault: &Fault) {
        let outcome = Outcome::from(fault.clone());
        let answered = crate::host::Answered {
            no: item.no,
            text: item.text.clone(),
            outcome: Some(outcome),
            verdict: None,
            lines: None,
            notes: Vec::new(),
        };
        self.answers.push(page::answer(&answered, ""));
    }

    pub(super) fn block(&mut self, item: &Item, title: &str, body: impl Into<Inset>) {
        let body: Inset = body.into();
        let body = if body.lines.is_empty() { vec!["  none".to_owned()].into() } else { body };
        self.say(item, "DONE", "see below.");
        self.blocks.push(Block::new(title, body));
    }
}

/// The answer to a line.
pub(super) fn answered(item: &Item, word: &str, why: &str) -> Answer {
    let brief = if why.is_empty() { word.to_owned() } else { String::new() };
    Answer {
        no: item.no,
        text: item.text.clone(),
        word: word.to_owned(),
        why: why.to_owned(),
        brief,
        ..Answer::default()
    }
}

/// The lines of a mail that are for the rules.
pub fn orders_of(items: &[Item]) -> Vec<(u32, String)> {
    let is_order = |item: &&Item| item.what == What::Order;
    items.iter().filter(is_order).map(|item| (item.no, item.text.clone())).collect()
}

/// Puts answers of the post office among those of the rules. What the rules answer of an earlier mail comes first.
fn merge(answers: &mut Vec<Answer>, own: Vec<Answer>) {
    for answer in own {
        let at = answers.iter().rposition(|a| a.no < answer.no).map_or_else(
            // Before the first line of this mail that has a greater number.
            || answers.iter().position(|a| a.no > answer.no).unwrap_or(answers.len()),
            |below| below + 1,
        );
        answers.insert(at, answer);
    }
}

/// Whether a mail asks for nothing but checks.
fn checks_only(items: &[Item]) -> bool {
    !items.is_empty() && items.iter().all(sheet::is_check)
}
