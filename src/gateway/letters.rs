//! Letters of the host: which template an occasion takes, and what the envelope adds to its words.

use super::error::Trouble;
use super::post::{Desk, Extras};
use super::sitting::Sitting;
use super::view::seat_view;
use super::{form, page, when};
use crate::audit::{secrets_of, terms_of};
use crate::dice::{Bytes32, Commitment, List, Scope, Secrets, hex};
use crate::fog::{SeatId, SideId};
use crate::host::{Letter, Occasion};
use crate::letter::sheet::Sheet;
use crate::letter::{Context, Seed};
use crate::mail::subject::Tail;
use crate::rules::kept::LineKept;
use crate::store::{Due, GameState, Seat};

/// The key on a seat's desk: it was told what an order sheet is.
const SHEET_TOLD: &str = "sheet-told";

/// Whether all seats get a letter on this occasion.
pub(super) fn to_all(occasion: Occasion) -> bool {
    match occasion {
        Occasion::Opening | Occasion::StageReport | Occasion::GameOver => true,
        Occasion::Answer | Occasion::Question => false,
    }
}

/// Whether a letter of this occasion may open a sheet.
fn opens_sheet(occasion: Occasion) -> bool {
    match occasion {
        Occasion::Opening | Occasion::StageReport | Occasion::Question => true,
        Occasion::Answer | Occasion::GameOver => false,
    }
}

/// The template of an occasion, and what its subject says.
fn dress(occasion: Occasion, context: &Context) -> (&'static str, String) {
    match occasion {
        Occasion::Opening => ("report.txt", "the game begins".to_owned()),
        Occasion::Answer if context.held > 0 => {
            let lines = crate::text::plural(context.held, "line", "lines");
            ("answer.txt", format!("END not counted, {lines} to correct"))
        }
        Occasion::Answer if context.end_held => ("answer.txt", "END not counted".to_owned()),
        Occasion::Answer => ("answer.txt", "orders answered".to_owned()),
        Occasion::Question => ("report.txt", "you have a question".to_owned()),
        Occasion::StageReport => ("report.txt", brief(&context.now).to_owned()),
        Occasion::GameOver => ("over.txt", brief(&context.result).to_owned()),
    }
}

/// What a subject says of a stage: `your reaction` of `your reaction (sheet R): Forced March, plans of defence`.
pub(super) fn brief(stage: &str) -> &str {
    let end = [" (", ": ", ", "].iter().filter_map(|mark| stage.find(mark)).min();
    // A ruleset may have nothing to say of a stage that nobody decides.
    Some(end.and_then(|end| stage.get(..end)).unwrap_or(stage))
        .filter(|said| !said.is_empty())
        .unwrap_or("play goes on")
}

/// What stands over the orders of a game in what its last letter encloses.
pub const ORDERS: &str = "EVERY ORDER, BY TURN OR SPARE SLOT";

/// An order and what came of it, as the last letter's enclosure has it.
pub fn order_said(slot: u32, line: &LineKept) -> String {
    let LineKept { seat, text, outcome, .. } = line;
    format!("  {slot:>3}  {:<10} {:<11} {text}", seat.0, outcome.word())
}

/// The seeds of the turn that has closed, as a file: none reads them but a program.
fn seeds_file(seeds: &[Seed]) -> (String, String, Vec<u8>) {
    let lines: Vec<String> = seeds.iter().map(|s| format!("{} {} {}\n", s.slot, s.scope, s.seed)).collect();
    ("seeds.txt".to_owned(), "text/plain".to_owned(), lines.concat().into_bytes())
}

impl Sitting<'_> {
    /// The words of a letter of the host, before what its mail adds.
    pub(super) fn context_of(&self, letter: &Letter, dues: &[Due]) -> Result<Context, Trouble> {
        let mut context = page::context(letter.sections.body());
        let call = letter.sections.body().sheet.as_ref().and_then(|sheet| sheet.call);
        if let (Some(end), Some(at)) = (call, self.recall_said(&letter.seat.0)?) {
            page::ends(&mut context, end, &at);
        }
        if to_all(letter.occasion)
            && let Some(seat) = self.seat(&letter.seat.0)?
        {
            context.seeds = self.seeds_for(&seat)?;
            context.press = self.postal_press(&seat.seat)?;
            if let Some(side) = &seat.side {
                context.notes.extend(self.ledger_note(side)?);
            }
        }
        if letter.occasion == Occasion::GameOver {
            context.master = self.dice()?.masters().iter().map(|master| hex(master)).collect::<Vec<_>>().join(" ");
            context.root = self.root()?;
            context.rerooted = self.lists(&self.dice()?).len() > 1;
            context.went.clone_from(self.hosted.summary(&letter.seat).body());
            context.toll = self.hosted.toll();
        }
        context.due = self.due_line(dues, &letter.seat.0)?;
        Ok(context)
    }

    /// Posts a letter of the host.
    pub(super) fn post_letter(&self, letter: &Letter, mut context: Context, mut extras: Extras) -> Result<(), Trouble> {
        if !context.full {
            let seeds = std::mem::take(&mut context.seeds);
            // The last mail has all seeds in what it reveals.
            if !seeds.is_empty() && letter.occasion != Occasion::GameOver {
                extras.attachments.push(seeds_file(&seeds));
            }
        }
        if letter.occasion == Occasion::GameOver {
            let text = self.revealed()?.join("\n") + "\n";
            extras.attachments.push(("reveal.txt".to_owned(), "text/plain".to_owned(), text.into_bytes()));
            extras.attachments.extend(self.replay(&letter.seat.0)?);
        }
        extras.attachments.extend(self.enclosed.iter().cloned());
        context.notes.extend(self.told_with.iter().cloned());
        extras.turn = Some(letter.turn);
        let (template, topic) = dress(letter.occasion, &context);
        let (on_move, wanted) = (self.hosted.on_move(&letter.seat), self.wants_sheet(&letter.seat.0)?);
        // Where orders were carried out and more may follow, the sheet before is of another position.
        if on_move && wanted && (opens_sheet(letter.occasion) || !context.story.is_empty()) {
            extras.sheet = seat_view(&self.row, &**self.hosted, &letter.seat, &context);
            if extras.sheet.is_some() {
                context.notes.extend(self.first_sheet(&letter.seat.0)?);
            }
        }
        if letter.occasion != Occasion::GameOver {
            extras.tail = self.tail(&self.act.dues(&self.row.id)?, &letter.seat.0)?;
        }
        self.post(&letter.seat.0, template, Context { topic, ..context }, extras)
    }

    /// The order sheet of a seat that wants one and is on move, by where it stands now.
    pub(super) fn sheet_of(&self, seat: &SeatId, due: &str) -> Result<Option<Sheet>, Trouble> {
        if self.row.state != GameState::Playing || !self.hosted.on_move(seat) || !self.wants_sheet(&seat.0)? {
            return Ok(None);
        }
        let mut context = page::context(self.hosted.report(seat, None).body());
        context.due = due.to_owned();
        Ok(seat_view(&self.row, &**self.hosted, seat, &context))
    }

    /// What the first order sheet of a seat says of itself, in the mail that it is attached to.
    fn first_sheet(&self, seat: &str) -> Result<Option<String>, Trouble> {
        if self.act.desk(&self.row.id, seat, SHEET_TOLD)?.is_some() {
            return Ok(None);
        }
        self.act.set_desk(&self.row.id, seat, SHEET_TOLD, Some("yes"))?;
        let said = "The attached order-sheet.html opens in any browser: its map is clicked on, and it writes your lines to copy \
                    into an answer.  FORMAT SHEET OFF ends that.";
        Ok(Some(said.to_owned()))
    }

    /// Whether a seat's letters carry an order sheet.
    fn wants_sheet(&self, seat: &str) -> Result<bool, Trouble> {
        Ok(self.seat(seat)?.is_some_and(|seat| form::read(&seat.format).sheet))
    }

    /// What a subject says of what is due from its reader.
    pub(super) fn tail(&self, dues: &[Due], seat: &str) -> Result<Tail, Trouble> {
        let own: Vec<&Due> = dues.iter().filter(|due| due.seat == seat).collect();
        let until = own.iter().filter_map(|due| due.due_at.as_deref()).min();
        let zone = self.zone()?;
        Ok(match until.and_then(|at| when::soon_in(at, self.env.now, &zone)) {
            Some(at) => Tail::Due(at),
            None if own.is_empty() => Tail::Quiet,
            None => Tail::None,
        })
    }

    /// All that was hidden: what each side knew, the dice, every order, the umpires' ledger, the seeds.
    pub(super) fn revealed(&self) -> Result<Vec<String>, Trouble> {
        let mut lines = vec![format!("THE WHOLE GAME {}", self.row.id), String::new()];
        lines.extend(self.hosted.reveal());
        lines.extend([String::new(), ORDERS.to_owned()]);
        for entry in self.act.log_of_kind(&self.row.id, "line", 1)? {
            // Whoever verifies the chain names an entry that is no line; here it is passed over.
            let Ok(line) = serde_json::from_str::<LineKept>(&entry.body) else { continue };
            lines.push(order_said(entry.slot, &line));
        }
        lines.extend([String::new(), super::ledger::LEDGER.to_owned()]);
        let ledger = self.ledger_lines()?;
        let none = if ledger.is_empty() { vec!["none".to_owned()] } else { ledger };
        lines.extend(none.into_iter().map(|line| format!("  {line}")));
        lines.extend([String::new(), super::ledger::BEHIND_LEDGER.to_owned()]);
        let dice = self.dice()?;
        lines.extend(dice.masters().iter().map(|master| format!("  master {}", hex(master))));
        for line in self.lists(&dice).iter().flat_map(|list| &list.lines) {
            let seed = self.seed(&dice, line.slot, &Scope::parse(&line.scope))?;
            lines.push(format!("  {:>3} {:<10} {}", line.slot, line.scope, hex(&seed)));
        }
        Ok(lines)
    }

    /// Where the mails of this game are written.
    pub(super) fn desk(&self) -> Desk<'_> {
        Desk {
            env: self.env,
            act: self.act,
            row: &self.row,
            turn: self.hosted.turn(),
            slot: self.hosted.slot(),
            inbox: self.inbox,
        }
    }

    /// Fills a template for a seat and puts the mail into the outbox.
    pub(super) fn post(&self, seat: &str, template: &str, context: Context, extras: Extras) -> Result<(), Trouble> {
        self.desk().post(seat, template, context, extras)
    }

    /// The seeds that a seat may see now: the public one and its side's of each slot closed since its last report.
    fn seeds_for(&self, seat: &Seat) -> Result<Vec<Seed>, Trouble> {
        let waiting = self.act.desk(&self.row.id, &seat.seat, "seeds")?.unwrap_or_default();
        self.act.set_desk(&self.row.id, &seat.seat, "seeds", None)?;
        let mut scopes = vec![Scope::Public];
        scopes.extend(seat.side.clone().map(|side| Scope::Of(SideId(side))));
        let (dice, mut seeds) = (self.dice()?, Vec::new());
        for slot in waiting.split_whitespace().filter_map(|s| s.parse().ok()) {
            for scope in &scopes {
                seeds.push(Seed { slot, scope: scope.text().to_owned(), seed: hex(&self.seed(&dice, slot, scope)?) });
            }
        }
        Ok(seeds)
    }

    /// What its dice follow from.
    pub(super) fn dice(&self) -> Result<Secrets, Trouble> {
        Ok(secrets_of(self.act, &self.row)?)
    }

    /// Every list of commitments that was published.
    fn lists(&self, dice: &Secrets) -> Vec<List> {
        dice.lists(&self.hosted.epochs(), &self.row.id, (self.hosted.last_slot(), &self.sides()))
    }

    /// The commitments that hold from now on: those made before the game, or the last made since.
    pub(super) fn list_now(&self) -> Result<Vec<Commitment>, Trouble> {
        Ok(self.lists(&self.dice()?).pop().map(|list| list.lines).unwrap_or_default())
    }

    /// Their root.
    pub(super) fn root_now(&self) -> Result<Bytes32, Trouble> {
        let (dice, terms) = (self.dice()?, terms_of(self.act, &self.row.id)?);
        Ok(self.lists(&dice).last().map(|list| dice.root(&terms, list)).unwrap_or_default())
    }

    /// Their root, in hexadecimal.
    pub(super) fn root(&self) -> Result<String, Trouble> {
        Ok(hex(&self.root_now()?))
    }
}
