//! What an umpire's verbs do, by mail and from the command line alike.

use super::budget::{Rationed, ration};
use super::commands::Item;
use super::error::Trouble;
use super::ledger::{Class, Entry};
use super::notice::Then;
use super::page;
use super::player::Reply;
use super::post::{Extras, name_plates};
use super::press::UMPIRE;
use super::sitting::Sitting;
use super::transfer::{Alone, Transfer};
use super::verbs::Verb;
use crate::dice::two::Why;
use crate::dice::{Fiat, Scope};
use crate::fog::{SeatId, SideId};
use crate::host::{Act, Input, Letter, Rest};
use crate::letter::{Answer, Block, Context, Form};
use crate::orders::{Fault, fold};
use crate::store::{Due, GameState};

/// Names of rolls that are listed at once.
const LABELS_SHOWN: usize = 8;
/// Rest points listed at once.
const RESTS_SHOWN: usize = 30;

/// Who acts: his seat, and what the ledger calls him.
#[derive(Clone)]
pub(super) struct Umpire {
    pub seat: String,
    pub by: String,
    /// The side that he plays himself, and so sees alone.
    pub plays: Option<String>,
    /// Identity of his mail.
    pub mail: String,
    /// What others changed since the mail that he answers.
    pub changed: Vec<String>,
    /// Whether it is shown that he wrote: at the console, or by a code. A reply tag alone can be stolen.
    pub proved: bool,
}

/// What is written for a seat: order lines with their numbers, and whether they end its sheet.
struct Written {
    orders: Vec<(u32, String)>,
    end: bool,
}

/// What became of a verb.
type Done = Result<String, Trouble>;

impl Sitting<'_> {
    /// Does a verb and answers its line.
    pub(super) fn umpire_verb(
        &mut self,
        who: &Umpire,
        item: &Item,
        verb: &Verb,
        reply: &mut Reply,
    ) -> Result<(), Trouble> {
        if let Some(why) = self.hindered(who, verb)? {
            reply.say(item, "REFUSED", &why);
            return Ok(());
        }
        let text = item.text.clone();
        if let (Verb::Become { seat, lines, .. }, false) = (verb, who.proved) {
            return self.become_asked(who, item, (seat, lines), reply);
        }
        let done = match verb {
            Verb::Show(what) => self.show(who, what, reply),
            Verb::WhoKnows(piece) => self.who_knows(who, piece, &text, reply),
            Verb::Remind(seat) => self.remind_now(who, seat),
            Verb::Ruling { rule, to, lines } => self.ruling(who, rule, to, lines),
            Verb::Option(choice) => self.option(who, choice.as_ref(), reply),
            Verb::Rewind { rest: None, .. } => Ok(list_rests(&self.hosted.rests(), reply)),
            Verb::Rewind { rest: Some(rest), reason } => self.rewind(who, *rest, (&text, reason)),
            Verb::Amend { side, text: what, reason } => self.amend(who, side, what, (&text, reason)),
            Verb::Fiat { scope, label, dice, reason } => {
                let scope = scope.as_deref().filter(|scope| fold(scope) != "public");
                self.fiat(who, (scope, label, dice), (&text, reason))
            }
            Verb::Become { seat, lines, reason } => self.become_seat(who, (seat, lines), (&text, reason), reply),
            Verb::Judge(dice) => self.judge(who, dice.clone(), &text),
        };
        match done {
            Ok(said) => reply.say(item, "DONE", &said),
            Err(Trouble::Refused(why)) => reply.say(item, "REFUSED", &why),
            Err(other) => return Err(other),
        }
        Ok(())
    }

    /// Why this umpire may not do it now: he plays a side, or another has changed the game since his mail was written.
    fn hindered(&self, who: &Umpire, verb: &Verb) -> Result<Option<String>, Trouble> {
        let open = match verb {
            Verb::Remind(_) | Verb::Ruling { .. } | Verb::Option(_) => true,
            Verb::Show(what) => who.plays.as_ref().is_some_and(|side| fold(what) == fold(side)),
            _ => false,
        };
        if let Some(side) = who.plays.as_ref().filter(|_| !open) {
            return Ok(Some(format!(
                "you play {side} and see what {side} sees; this needs more and is left to another umpire."
            )));
        }
        let changes = matches!(
            verb,
            Verb::Amend { .. }
                | Verb::Fiat { .. }
                | Verb::Rewind { rest: Some(_), .. }
                | Verb::Become { .. }
                | Verb::Judge(_)
        );
        if changes && !who.changed.is_empty() {
            return Ok(Some(format!(
                "another umpire was first, since the mail that you answer: {}.  Nothing was done; if you still want it, \
                 send it again in answer to this mail.",
                who.changed.join("; ")
            )));
        }
        Ok(None)
    }

    /// A side by its name or that of one of its seats.
    fn side_called(&self, said: &str) -> Result<SideId, Trouble> {
        let wanted = fold(said);
        let seats = self.hosted.seats();
        let found = seats.iter().find(|(seat, side)| fold(&side.0) == wanted || fold(&seat.0) == wanted);
        found.map(|(_, side)| side.clone()).ok_or_else(|| {
            let names: Vec<String> = self.sides().into_iter().map(|side| side.0).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            unknown("side", said, &names)
        })
    }

    fn seat_called(&self, said: &str) -> Result<SeatId, Trouble> {
        let players = self.players();
        let found = players.iter().find(|seat| fold(&seat.0) == fold(said)).cloned();
        found.ok_or_else(|| {
            let names: Vec<&str> = players.iter().map(|seat| seat.0.as_str()).collect();
            unknown("playing seat", said, &names)
        })
    }

    fn show(&mut self, who: &Umpire, what: &str, reply: &mut Reply) -> Done {
        match fold(what).as_str() {
            "ledger" => {
                let lines = self.ledger_lines()?;
                reply.blocks.push(Block::new("LEDGER", indented(lines)));
                return Ok("see below.".to_owned());
            }
            "held" => return self.show_held(who, reply),
            _ => {}
        }
        let side = self.side_called(what)?;
        let mut context = page::context(self.hosted.shown(&side).body());
        name_plates(&mut context);
        let mut body = self.env.part("sections.txt", &context, Form::WIDE);
        body.lines.insert(0, format!("  {}", context.head));
        reply.plates.extend(context.plates);
        reply.blocks.push(Block::new(format!("WHAT {} SEES", side.0.to_uppercase()), body));
        if who.plays.is_none() {
            let text = format!("SHOW {side}");
            self.ledger(&who.by, Entry::new(Class::Look, &[side], &text, ""))?;
        }
        Ok("see below.".to_owned())
    }

    fn who_knows(&mut self, who: &Umpire, piece: &str, text: &str, reply: &mut Reply) -> Done {
        let lines = self.hosted.who_knows(piece).map_err(refused)?;
        reply.blocks.push(Block::new(format!("WHO KNOWS {piece}"), indented(lines)));
        self.ledger(&who.by, Entry::new(Class::Look, &self.sides(), text, ""))?;
        Ok("see below.".to_owned())
    }

    fn remind_now(&mut self, who: &Umpire, said: &str) -> Done {
        let dues = self.act.dues(&self.row.id)?;
        let mut seats: Vec<String> = if fold(said) == "all" {
            dues.iter().map(|due| due.seat.clone()).collect()
        } else {
            vec![self.seat_called(said)?.0]
        };
        seats.dedup();
        seats.retain(|seat| dues.iter().any(|due| due.seat == *seat) && self.players().iter().any(|p| p.0 == *seat));
        if seats.is_empty() {
            return Err(Trouble::Refused(format!("nothing is due from \"{said}\".")));
        }
        for seat in &seats {
            let line = self.due_line(&dues, seat)?;
            let notes = vec!["The umpire asks for your orders.".to_owned(), format!("Due {line}")];
            self.desk().notice(seat, "the umpire reminds you", notes)?;
        }
        let sides = self.sides_of(&seats);
        let text = format!("REMIND {}", seats.join(", "));
        self.ledger(&who.by, Entry::new(Class::Order, &sides, &text, ""))?;
        Ok(format!("{} reminded.", and_list(&seats)))
    }

    fn sides_of(&self, seats: &[String]) -> Vec<SideId> {
        let mut sides: Vec<SideId> = Vec::new();
        for (seat, side) in self.hosted.seats() {
            if seats.contains(&seat.0) && !sides.contains(&side) {
                sides.push(side);
            }
        }
        sides
    }

    /// A ruling goes to the seats that it concerns, with its paragraph.
    fn ruling(&mut self, who: &Umpire, rule: &str, to: &[String], lines: &[String]) -> Done {
        let mut seats: Vec<String> = Vec::new();
        for said in to {
            let wanted = fold(said);
            let fits =
                |(seat, side): &(SeatId, SideId)| wanted == "all" || fold(&seat.0) == wanted || fold(&side.0) == wanted;
            let found: Vec<String> = self.hosted.seats().iter().filter(|s| fits(s)).map(|(s, _)| s.0.clone()).collect();
            if found.is_empty() {
                self.seat_called(said)?;
            }
            seats.extend(found.into_iter().filter(|seat| !seats.contains(seat)).collect::<Vec<_>>());
        }
        let rule = format!("¶{}", rule.trim_start_matches('¶'));
        for seat in &seats {
            let mut notes = vec![format!("The umpire rules, on {rule}:")];
            notes.extend(self.untagged(lines)?);
            self.desk().notice(seat, &format!("a ruling on {rule}"), notes)?;
        }
        let sides = self.sides_of(&seats);
        let text = format!("RULING {rule} TO {}: {}", seats.join(", "), lines.join(" "));
        self.ledger(&who.by, Entry::new(Class::Ruling, &sides, &text, ""))?;
        Ok(format!("told to {}.", and_list(&seats)))
    }

    /// Gives an act to the host, and writes it into the ledger behind its input.
    fn act_on_game(
        &mut self,
        who: &Umpire,
        act: Act,
        touched: Option<&[SideId]>,
        said: (&str, &str),
    ) -> Result<(Vec<Letter>, Vec<SideId>), Trouble> {
        if self.row.state == GameState::Playing && self.waits_for_dice()?.is_some() {
            return Err(Trouble::Refused("play waits for new dice, and nothing is done to it meanwhile.".to_owned()));
        }
        self.act_by((&who.seat, &who.by), act, touched, said)
    }

    /// The same for an umpire by his seat, and by what the ledger calls him.
    fn act_by(
        &mut self,
        (seat, by): (&str, &str),
        act: Act,
        touched: Option<&[SideId]>,
        (text, reason): (&str, &str),
    ) -> Result<(Vec<Letter>, Vec<SideId>), Trouble> {
        if self.row.state != GameState::Playing {
            return Err(Trouble::Refused("the game is not being played.".to_owned()));
        }
        self.hosted.may(&act).map_err(refused)?;
        let input = Input::Umpire { by: SeatId(seat.to_owned()), act, reason: reason.to_owned() };
        let (letters, told) = self.take_telling(input)?;
        let mut sides = touched.map(<[SideId]>::to_vec).unwrap_or_default();
        sides.extend(told.into_iter().filter(|side| !sides.contains(side)).collect::<Vec<_>>());
        let what = text.split(" REASON ").next().unwrap_or(text);
        let entry = Entry { input: true, ..Entry::new(Class::Change, &sides, what, reason) };
        self.ledger(by, entry)?;
        Ok((letters, sides))
    }

    fn amend(&mut self, who: &Umpire, said: &str, what: &str, (text, reason): (&str, &str)) -> Done {
        let side = self.side_called(said)?;
        let act = Act::Amend { side: side.clone(), text: what.to_owned() };
        let waited = self.hosted.amends();
        let (letters, sides) = self.act_on_game(who, act, Some(std::slice::from_ref(&side)), (text, reason))?;
        self.post_all(&letters)?;
        for (seat, _) in self.hosted.seats().into_iter().filter(|(_, s)| *s == side) {
            let notes = vec![
                "The umpire has corrected something of your side; your next report tells what.".to_owned(),
                format!("His reason: {reason}"),
            ];
            // While the game is held it waits with the letter that tells what.
            let topic = "the umpire has amended something".to_owned();
            let context = Context { topic, notes, ..Context::default() };
            self.post(&seat.0, "notice.txt", context, Extras { free: !self.row.held, ..Extras::default() })?;
        }
        if self.hosted.amends() > waited {
            let asked: Vec<String> = self.hosted.dues().into_iter().map(|due| due.seat.0).collect();
            return Ok(format!(
                "it is taken.  An order is half carried out and waits for {}: it will be so as soon as that order is done, \
                 or REWIND goes back to before it.",
                and_list(&asked)
            ));
        }
        let names: Vec<String> = sides.into_iter().map(|side| side.0).collect();
        Ok(format!("it is so now; the next reports of {} tell it.", and_list(&names)))
    }

    fn fiat(
        &mut self,
        who: &Umpire,
        (scope, label, dice): (Option<&str>, &str, &[u32]),
        (text, reason): (&str, &str),
    ) -> Done {
        let scope = match scope {
            None => Scope::Public,
            Some(said) => Scope::Of(self.side_called(said)?),
        };
        let touched = match &scope {
            Scope::Public | Scope::Hidden => self.sides(),
            Scope::Of(side) => vec![side.clone()],
        };
        let n = self.hosted.rolled(&scope, label);
        let hint = self.fiat_hint(&scope, label, n);
        let act = Act::Fiat(Fiat { scope, label: label.to_owned(), n, dice: dice.to_vec() });
        self.act_on_game(who, act, Some(&touched), (text, reason))?;
        Ok(format!(
            "{label} {n} will show that, if it is rolled in this slot with such dice; the roll says \"by the umpire's \
             fiat\" for ever.{hint}"
        ))
    }

    /// What an umpire should know who fixes a die that may never be thrown: it went by in this slot, or has a name that no
    /// roll of the game has had.
    fn fiat_hint(&self, scope: &Scope, label: &str, n: u32) -> String {
        let (slot, rolls) = (self.hosted.slot(), self.hosted.rolls(None));
        let named = |roll: &crate::dice::Roll| roll.scope == *scope && roll.label == label;
        if rolls.iter().any(|(at, roll)| *at == slot && named(roll)) {
            let times = crate::text::plural(i64::from(n), "time", "times");
            return format!(
                "  {label} was rolled {times} in this slot already: what comes with the next turn is of another."
            );
        }
        if rolls.iter().any(|(_, roll)| named(roll)) {
            return String::new();
        }
        let mut known: Vec<String> = Vec::new();
        for (_, roll) in rolls.iter().rev() {
            let said = match &roll.scope {
                Scope::Public | Scope::Hidden => roll.label.clone(),
                Scope::Of(side) => format!("{side} {}", roll.label),
            };
            if known.len() < LABELS_SHOWN && !known.contains(&said) {
                known.push(said);
            }
        }
        match known.is_empty() {
            true => String::new(),
            false => format!("  No roll of this game has had that name yet; the last ones: {}.", known.join(", ")),
        }
    }

    fn rewind(&mut self, who: &Umpire, rest: usize, (text, reason): (&str, &str)) -> Done {
        let rests = self.hosted.rests();
        let found = rest.checked_sub(1).and_then(|at| rests.get(at)).cloned();
        if let Some(found) = found.as_ref().filter(|found| found.turn < self.hosted.turn())
            && self.choice("rewind")? == "open"
        {
            return Err(Trouble::Refused(format!(
                "the seeds of turn {} were shown when it closed, and this game is played by OPTION rewind open: play \
                 goes back within turn {} only.",
                found.turn,
                self.hosted.turn()
            )));
        }
        self.hosted.may(&Act::Rewind { rest }).map_err(refused)?;
        if self.is_two() && self.waits_for_dice()?.is_some() {
            return Err(Trouble::Refused("play waits for new dice already.".to_owned()));
        }
        // Going back is the cure of an order that comes out otherwise under another program.
        if self.row.state == GameState::Corrupt && self.hosted.otherwise().is_some() {
            self.mended()?;
            self.enter_program()?;
        }
        if self.is_two() {
            let (seat, by) = (who.seat.clone(), who.by.clone());
            let then = Then::Rewind { rest, seat, by, text: text.to_owned(), reason: reason.to_owned() };
            return Ok(match self.plan_later(Why::Rewind, Some(rest), (Some(&then), &[]))? {
                true => self.went_back.take().unwrap_or_default(),
                false => "play goes back when its new dice are there; a notice went to all seats.".to_owned(),
            });
        }
        self.go_back((&who.seat, &who.by), rest, (text, reason))
    }

    /// Play goes back to a rest point, and all are told.
    pub(super) fn go_back(&mut self, who: (&str, &str), rest: usize, (text, reason): (&str, &str)) -> Done {
        let found = rest.checked_sub(1).and_then(|at| self.hosted.rests().get(at).cloned());
        let (letters, _) = self.act_by(who, Act::Rewind { rest }, Some(&self.sides()), (text, reason))?;
        self.act.set_spare_used(&self.row.id, self.hosted.spares())?;
        let slot = self.hosted.slot();
        let withdrawn = self.withdraw_held(reason)?;
        let stage = found.map_or_else(String::new, |found| format!("turn {}, {}", found.turn, found.stage));
        let note = format!(
            "The umpire has taken play back to {stage}.  His reason: {reason}  What happened since then is void, and so \
             are the orders given since; write them again.  The dice come from slot {slot}, whose seeds nobody has seen."
        );
        // What all were told of the time of a stage that is void holds no more.
        self.act.set_note(&self.row.id, super::deadlines::UNTIL, None)?;
        let dues = self.keep_dues()?;
        for letter in &letters {
            let mut context = self.context_of(letter, &dues)?;
            context.notes.insert(0, note.clone());
            self.post_letter(letter, context, Extras::default())?;
        }
        if std::mem::take(&mut self.told_all) {
            self.umpire_page()?;
            self.public_pages()?;
        }
        let letters =
            crate::text::plural(i64::try_from(withdrawn).unwrap_or(i64::MAX), "held letter was", "held letters were");
        let held = if withdrawn == 0 { String::new() } else { format!("  {letters} withdrawn.") };
        let mut free = Vec::new();
        for seat in self.players() {
            if self.act.desk(&self.row.id, &seat.0, super::hands::RESIGNED)?.is_some() {
                free.push(seat.0);
            }
        }
        let free = match free.is_empty() {
            true => String::new(),
            false => format!(
                "  {} had resigned, and no rewind brings a person back: the seat stays free, and REPLACE with an address \
                 gives it to another.",
                and_list(&free)
            ),
        };
        Ok(format!("play goes on from {stage}, with the dice of slot {slot}; all seats are told.{held}{free}"))
    }

    /// BECOME takes another's seat for a moment: whether it is the umpire who writes is asked at his own addresses.
    fn become_asked(
        &mut self,
        who: &Umpire,
        item: &Item,
        (said, lines): (&str, &[String]),
        reply: &mut Reply,
    ) -> Result<(), Trouble> {
        if let Err(why) = self.lines_for(said, lines) {
            return match why {
                Trouble::Refused(why) => {
                    reply.say(item, "REFUSED", &why);
                    Ok(())
                }
                other => Err(other),
            };
        }
        let mut script = vec![item.text.clone()];
        script.extend(lines.iter().cloned());
        script.push("END BECOME".to_owned());
        self.ask_owner(&who.seat, item, Transfer::Alone(Alone::Become(script)), "", reply)
    }

    /// A seat, what is written for it, and the answers to lines above the budget of a mail.
    fn lines_for(&self, said: &str, lines: &[String]) -> Result<(SeatId, Written, Vec<Answer>), Trouble> {
        let seat = self.seat_called(said)?;
        let items = super::commands::split_of(lines, &**self.hosted, &seat);
        let Rationed { items, over } = ration(items, &self.env.config.limits);
        let end = items.iter().any(|i| i.what == super::commands::What::General(Ok(super::commands::Command::End)));
        let orders = super::player::orders_of(&items);
        if orders.is_empty() && !end {
            return Err(Trouble::Refused("no line of an order stands below BECOME.".to_owned()));
        }
        Ok((seat, Written { orders, end }, over))
    }

    fn become_seat(
        &mut self,
        who: &Umpire,
        (said, lines): (&str, &[String]),
        (text, reason): (&str, &str),
        reply: &mut Reply,
    ) -> Done {
        let (seat, Written { orders, end }, over) = self.lines_for(said, lines)?;
        reply.answers.extend(over);
        let act = Act::Become { seat: seat.clone(), lines: orders, end, mail: who.mail.clone() };
        let sides = self.sides_of(std::slice::from_ref(&seat.0));
        let (letters, _) = self.act_on_game(who, act, Some(&sides), (text, reason))?;
        let note = format!("The umpire wrote these lines for your seat.  His reason: {reason}");
        let mut told = false;
        let dues = self.keep_dues()?;
        for letter in &letters {
            let mut context = self.context_of(letter, &dues)?;
            if letter.seat == seat && !told {
                context.notes.insert(0, note.clone());
                let body = self.env.part("answers.txt", &context, Form::WIDE);
                reply.blocks.push(Block::new(format!("THE LINES OF {}", seat.0.to_uppercase()), body));
                told = true;
            }
            self.post_letter(letter, context, Extras::default())?;
        }
        if !told {
            let mut notes = vec![note];
            notes.extend(self.untagged(lines)?);
            self.notice(&seat.0, "the umpire wrote for your seat", notes)?;
        }
        if std::mem::take(&mut self.told_all) {
            self.umpire_page()?;
            self.public_pages()?;
        }
        Ok(format!("entered for {seat}, who is told."))
    }

    fn judge(&mut self, who: &Umpire, dice: Option<Vec<u32>>, text: &str) -> Done {
        // A combat has both sides in it.
        let (letters, _) = self.act_on_game(who, Act::Judge { dice }, Some(&self.sides()), (text, ""))?;
        self.post_all(&letters)?;
        Ok("the combat goes on.".to_owned())
    }

    /// Asks the umpires for a combat that waits for their word since `before`.
    pub(super) fn ask_umpires(&self, before: &[Due]) -> Result<(), Trouble> {
        let new = |due: &crate::rules::Due| {
            due.seat.0 == UMPIRE && !before.iter().any(|b| b.seat == due.seat.0 && b.address == due.address)
        };
        for ask in self.hosted.dues().into_iter().filter(new).filter_map(|due| due.prompt) {
            let mut notes = vec![ask.question];
            notes.extend(ask.answers.iter().map(|line| format!("  {line}")));
            self.tell_umpires_apart("a combat waits for your word", &notes)?;
        }
        Ok(())
    }
}

fn list_rests(rests: &[Rest], reply: &mut Reply) -> String {
    let from = rests.len().saturating_sub(RESTS_SHOWN);
    let line = |rest: &Rest| {
        let after = if rest.after.is_empty() { String::new() } else { format!(", after {}", rest.after) };
        format!("{:>4}  turn {}, {}{after}", rest.number, rest.turn, rest.stage)
    };
    let lines = rests.iter().skip(from).map(line).collect();
    reply.blocks.push(Block::new("REST POINTS", indented(lines)));
    "the rest points stand below; REWIND n REASON … goes back to one.".to_owned()
}

fn indented(lines: Vec<String>) -> Vec<String> {
    let lines = if lines.is_empty() { vec!["none".to_owned()] } else { lines };
    let wrapped = lines.iter().flat_map(|line| crate::text::wrap(line, 76, "  ", 6));
    wrapped.collect()
}

fn and_list(names: &[String]) -> String {
    crate::text::and_list(&names.iter().map(String::as_str).collect::<Vec<_>>())
}

fn unknown(what: &str, said: &str, names: &[&str]) -> Trouble {
    let near = crate::text::nearest(said, names.iter().copied());
    let hint = near.map_or_else(String::new, |near| format!("  Did you mean {near}?"));
    Trouble::Refused(format!("there is no {what} \"{said}\".{hint}"))
}

fn refused(fault: Fault) -> Trouble {
    Trouble::Refused(fault.to_string())
}
