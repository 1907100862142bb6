//! What an umpire does to a game: each act is one input of the chain, so that whoever plays the chain again does it too.
//!
//! An amendment is made of the ruleset's own events, told to each side as any event is. A die by fiat lies in the cup
//! before it is rolled, and its roll says so for ever. A rewind makes the rest point again from the events before it and
//! goes on in a slot that nobody has rolled in.

use super::barrier::Stretch;
use super::hosted::{Hosted, RestAt, json, look};
use super::paper::{Page, Paper, Sections};
use super::replay::Back;
use super::{Act, Batch, Broken, Rest};
use crate::dice::{Fiat, Roll, SPARE_SLOTS};
use crate::fog::{Seen, SideId, Viewer};
use crate::orders::{self, Fault};
use crate::rules::cx::{Base, Counts, Leg};
use crate::rules::journal::{By, Journal};
use crate::rules::{Ask, Due, Record};

/// The seat that is asked to decide a combat.
const UMPIRE: &str = "umpire";

impl<R: Paper> Hosted<R> {
    /// What forbids an act.
    pub(super) fn may_act(&self, act: &Act) -> Result<(), Fault> {
        let no = |why: &str| Err(Fault::refused(why, ""));
        if !self.core.begun {
            return no("the game has not begun.");
        }
        if self.over() || self.core.closed {
            return no("the game is over, and its secrets are out.");
        }
        if self.core.otherwise.is_some() && !matches!(act, Act::Rewind { .. }) {
            return no(
                "the order that is half carried out comes out otherwise under this program; REWIND takes it back.",
            );
        }
        match act {
            Act::Amend { side, text } => self.amended(side, text).map(|_| ()),
            Act::Fiat(fiat) => self.may_fix(fiat),
            Act::Rewind { rest } => self.may_go_back(*rest),
            Act::Become { seat, .. } if self.post_of(seat).is_none() => no("there is no such seat."),
            Act::Become { seat, .. } if !self.core.dues.iter().any(|due| due.seat == *seat) => {
                no("nothing is due from that seat now, so that there is nothing to enter.")
            }
            Act::Free { on } if *on == self.core.free => no("that is so already."),
            Act::Become { .. } | Act::Free { .. } => Ok(()),
            Act::Judge { dice } => self.may_judge(dice.as_deref()),
        }
    }

    /// Does an act; the seats that are answered.
    pub(super) fn umpire_acts(&mut self, act: Act, out: &mut Batch) -> Result<Vec<usize>, Broken> {
        self.may_act(&act).map_err(|fault| Broken { why: fault.to_string() })?;
        let mut writers = Vec::new();
        match act {
            Act::Amend { side, text } => {
                let events = self.amended(&side, &text).map_err(|fault| Broken { why: fault.to_string() })?;
                if self.half_done() {
                    self.core.amends.push((side, text));
                    return Ok(writers);
                }
                self.put_right(&events, out);
                // Who is on move must see what he orders about; everyone else reads of it when he is told anything.
                let moves = |seat| self.core.dues.iter().any(|due| due.seat == seat);
                let posts = self.core.posts.iter().enumerate();
                let told = posts.filter(|(_, post)| post.side == side && moves(post.seat.clone()));
                writers.extend(told.map(|(at, _)| at));
            }
            Act::Fiat(fiat) => self.core.fiats.push(fiat),
            Act::Rewind { rest } => {
                out.slots_closed.push(self.core.slot);
                self.lapse(true, out);
                self.go_back(rest).map_err(|why| Broken { why })?;
                let back = Back { rest, slot: self.core.slot };
                self.enter(out, "rewind", json(&back));
            }
            Act::Become { seat, lines, end, mail: _ } => {
                if let Some(post) = self.post_of(&seat) {
                    writers.push(post);
                    // What an END of its own was to carry out comes first.
                    if end
                        && self.called(&seat).is_some()
                        && let Some(sheet) = self.open_sheet(&seat)
                    {
                        self.flush(&seat, &sheet, out);
                    }
                    self.orders(post, &lines, end, &By::Umpire, out);
                }
            }
            Act::Free { on } => self.core.free = on,
            Act::Judge { dice } => {
                if let Some(roll) = self.waiting_roll() {
                    match dice {
                        Some(dice) => {
                            let Roll { scope, label, n, .. } = roll;
                            self.core.fiats.push(Fiat { scope, label, n, dice });
                        }
                        None => self.core.judged.push((roll.scope, roll.label, roll.n)),
                    }
                }
            }
        }
        self.run(out)?;
        Ok(writers)
    }

    /// Play goes on from the last rest point in a new epoch of dice: what was rolled since the backup is known to somebody.
    pub(super) fn restored(&mut self, epoch: &str, out: &mut Batch) -> Result<(), Broken> {
        if self.over() {
            return Ok(());
        }
        if !self.core.begun {
            // It may have begun in the time that was lost.
            self.epoch_begins(epoch);
            return Ok(());
        }
        out.slots_closed.push(self.core.slot);
        self.lapse(true, out);
        self.epoch_begins(epoch);
        let rest = self.past.rests_count();
        self.go_back(rest).map_err(|why| Broken { why })?;
        let back = Back { rest, slot: self.core.slot };
        self.enter(out, "rewind", json(&back));
        self.run(out)
    }

    /// Nobody plays in the slots up to this one.
    pub(super) fn slots_passed(&mut self, end: u32) {
        self.core.slots.passed(end);
        if self.past.rests_count() == 0 {
            self.core.slots.gone_back(0, R::last_slot(&self.core.base.state));
            self.open_slot(0);
        }
    }

    /// Whether an order is half carried out, under which nothing can be changed.
    fn half_done(&self) -> bool {
        !self.core.known.is_empty() || self.waiting_roll().is_some()
    }

    /// Makes the events of an amendment facts.
    fn put_right(&mut self, events: &[R::Event], out: &mut Batch) {
        let mut base = self.core.now.clone();
        let records = Self::happen(&mut base, events);
        self.core.now = base;
        self.absorb(&records, out);
        self.core.base = self.core.now.clone();
        self.close_leg(out);
    }

    /// At a rest point: the amendments that waited for it, in their order. One that cannot be any more is told.
    pub(super) fn amend_now(&mut self, out: &mut Batch) {
        for (side, text) in std::mem::take(&mut self.core.amends) {
            let events = if self.over() {
                Err(Fault::refused("the game is over, and its secrets are out.", ""))
            } else {
                self.amended(&side, &text)
            };
            match events {
                Ok(events) => self.put_right(&events, out),
                Err(fault) => out.unamended.push(format!("AMEND {side} {text}: {fault}")),
            }
        }
    }

    /// The events of an amendment, if what they make can be.
    fn amended(&self, side: &SideId, text: &str) -> Result<Vec<R::Event>, Fault> {
        if self.side_index(side).is_none() {
            let known: Vec<&str> = self.ground.sides.iter().map(|side| side.0.as_str()).collect();
            return Err(Fault::unclear(&side.0, "a side", known, None));
        }
        let base = &self.core.now;
        let events = R::amend(&base.state, &base.minds, side, &orders::line(0, text))?;
        let before = R::unsound(&base.state);
        let mut after = base.clone();
        Self::happen(&mut after, &events);
        match R::unsound(&after.state).into_iter().find(|flaw| !before.contains(flaw)) {
            Some(flaw) => Err(Fault::refused(format!("it would not be sound: {flaw}"), "")),
            None => Ok(events),
        }
    }

    fn may_fix(&self, fiat: &Fiat) -> Result<(), Fault> {
        let key = (fiat.scope.clone(), fiat.label.clone());
        let rolled = self.core.now.counts.get(&key).copied().unwrap_or(0);
        let why = if fiat.n < rolled {
            format!(
                "{} {} was rolled in this slot already; REWIND takes it back, or say which next one: {} {rolled}.",
                fiat.label, fiat.n, fiat.label
            )
        } else if self.core.fiats.iter().any(|f| (&f.scope, &f.label, f.n) == (&fiat.scope, &fiat.label, fiat.n)) {
            format!("{} {} is fixed already.", fiat.label, fiat.n)
        } else if fiat.dice.is_empty() || fiat.dice.len() > 100 || fiat.dice.contains(&0) {
            "a fiat names the dice that lie there, each from 1.".to_owned()
        } else {
            return Ok(());
        };
        Err(Fault::refused(why, ""))
    }

    fn may_go_back(&self, rest: usize) -> Result<(), Fault> {
        let Some(found) = rest.checked_sub(1).and_then(|at| self.past.rests().get(at)) else {
            let why = format!("there is no rest point {rest}; they are numbered 1 to {}.", self.past.rests_count());
            return Err(Fault::refused(why, ""));
        };
        match self.core.slots.too_few(found.turn, R::last_slot(&self.core.base.state)) {
            Some((wanted, left)) => Err(Fault::refused(
                format!(
                    "its turn and those after it that were played need {wanted} spare slots of dice, and {left} of \
                     {SPARE_SLOTS} are left."
                ),
                "",
            )),
            None => Ok(()),
        }
    }

    /// Spare slots that have been played in.
    pub(super) fn spares_used(&self) -> u32 {
        self.core.slots.spares(R::last_slot(&self.core.base.state))
    }

    /// The slots that a notice must commit if play goes back to a rest point, or a game is formed anew.
    pub(super) fn slots_from(&self, rest: Option<usize>) -> (u32, u32) {
        let turn = rest.and_then(|rest| self.past.rests().get(rest.checked_sub(1)?)).map_or(0, |rest| rest.turn);
        self.core.slots.next(turn, R::last_slot(&self.core.base.state))
    }

    /// A restore begins: from here on slots are counted anew, behind all that there were.
    pub(super) fn epoch_begins(&mut self, epoch: &str) {
        let last = R::last_slot(&self.core.base.state);
        // Where a kept chain is folded, `begun` tells how it ends.
        let begun = self.past.has_begun();
        self.core.slots.restored(epoch, last, begun);
        if !begun {
            self.open_slot(0);
        }
    }

    /// Takes the slot of a turn; under protocol 1 the next spare one where the turn has been played before.
    pub(super) fn open_slot(&mut self, turn: u32) {
        self.core.turn = turn;
        self.core.slot = self.core.slots.open(turn, R::last_slot(&self.core.base.state));
        self.core.base.counts.clear();
        self.core.now.counts.clear();
        self.core.fiats.clear();
        self.core.judged.clear();
    }

    /// Fixed dice that will not be thrown: their roll went by without fitting them, or their slot has closed.
    pub(super) fn lapse(&mut self, closes: bool, out: &mut Batch) {
        let slot = self.core.slot;
        let thrown = |f: &Fiat| {
            let same = |r: &Roll| r.fiat && (&r.scope, &r.label, r.n) == (&f.scope, &f.label, f.n);
            self.past.rolls(0).iter().any(|rolled| rolled.slot == slot && same(&rolled.roll))
        };
        let went_by = |f: &Fiat| {
            let key = (f.scope.clone(), f.label.clone());
            self.core.now.counts.get(&key).is_some_and(|rolled| *rolled > f.n)
        };
        let is_out = |f: &Fiat| !thrown(f) && (closes || went_by(f));
        let (gone, left): (Vec<Fiat>, Vec<Fiat>) = self.core.fiats.iter().cloned().partition(is_out);
        self.core.fiats = left;
        out.lapsed.extend(gone);
    }

    /// A rest point stands where the chain ends now.
    pub(super) fn rested(&mut self) {
        self.keep_answers();
        let stage = R::stage(&self.core.base.state).map_or_else(String::new, |stage| stage.title);
        let after = std::mem::take(&mut self.core.after);
        let (kens, kept) = (self.core.kens.clone(), self.core.desk.kept());
        self.past.rest(RestAt { at: self.past.entries, turn: self.core.turn, stage, after, kens, kept });
    }

    pub(super) fn rest_points(&self) -> Vec<Rest> {
        let said = |(number, rest): (usize, &RestAt<R>)| Rest {
            number,
            turn: rest.turn,
            stage: rest.stage.clone(),
            after: rest.after.clone(),
        };
        (1..).zip(self.past.rests()).map(said).collect()
    }

    /// Goes back to a rest point: truth and knowledge are folded again from what came before it, and sheets are empty.
    pub(super) fn go_back(&mut self, rest: usize) -> Result<(), String> {
        let found = self.past.go_back(rest);
        let Some(RestAt { kens, kept, .. }) = found else { return Err(format!("there is no rest point {rest}")) };
        let mut state = self.ground.laid.state.clone();
        for (_, event) in self.past.events() {
            R::apply(&mut state, event);
        }
        let mut minds = Vec::new();
        for (at, side) in self.ground.sides.iter().enumerate() {
            let mut mind = R::Intel::default();
            self.past.told(at, 0).iter().for_each(|told| R::recall(&mut mind, &told.body));
            minds.push((side.clone(), mind));
        }
        let core = &mut self.core;
        core.base = Base { state, minds, counts: Counts::new() };
        core.now = core.base.clone();
        core.known.clear();
        core.riders.clear();
        core.brought.clear();
        core.amends.clear();
        core.sheets.clear();
        core.last_sheets.clear();
        core.kens = kens;
        core.desk.go_back(kept);
        core.dues.clear();
        core.journal = Journal::default();
        core.after = String::new();
        core.lettered = None;
        core.closed = false;
        core.otherwise = None;
        for post in &mut core.posts {
            post.pending.clear();
            post.shown.clear();
            post.owing = false;
        }
        let turn = R::slot(&self.core.base.state);
        self.core.slots.gone_back(turn, R::last_slot(&self.core.base.state));
        self.open_slot(turn);
        self.mark();
        Ok(())
    }

    /// The first roll of a leg that a free umpire has still to judge.
    pub(super) fn judgment(&self, leg: &Leg<R>) -> Option<Due> {
        let roll = self.unjudged(leg)?;
        let dice: Vec<String> = roll.dice.iter().map(u32::to_string).collect();
        let copy = format!("JUDGE {}", dice.join(" "));
        let question = format!(
            "The combat roll {} {} waits for you.  The dice say {} ({}d{}){}",
            roll.label,
            roll.n,
            dice.join(" "),
            roll.dice.len(),
            roll.sides,
            self.advice(leg, &roll)
        );
        let answers = vec!["JUDGE TABLES".to_owned(), copy];
        let ask = Ask { question, rule: String::new(), answers, default: String::new() };
        let address = format!("judge/{}/{}/{}", roll.scope.text(), roll.label, roll.n);
        Some(Due { seat: UMPIRE.into(), address, prompt: Some(ask) })
    }

    fn unjudged(&self, leg: &Leg<R>) -> Option<Roll> {
        if !self.core.free {
            return None;
        }
        let new = leg.records.get(self.core.known.len()..)?;
        let waits = |roll: &&Roll| {
            R::decides_combat(&roll.label)
                && !roll.fiat
                && !self.core.judged.iter().any(|(s, l, n)| (s, l, *n) == (&roll.scope, &roll.label, roll.n))
        };
        new.iter().filter_map(|r| if let Record::Rolled(roll) = r { Some(roll) } else { None }).find(waits).cloned()
    }

    /// What the tables would make of it: what each side would be told from this roll on.
    fn advice(&self, leg: &Leg<R>, roll: &Roll) -> String {
        let from = leg.records.iter().position(|r| matches!(r, Record::Rolled(made) if made == roll)).unwrap_or(0);
        let new = leg.records.get(from..).unwrap_or_default();
        let mut said = String::new();
        for side in &self.ground.sides {
            let seen = |record: &Record<R::Event, R::Sighting>| match record {
                Record::Event { seen, .. } => seen.iter().find(|(s, _)| s == side).map(|(_, told)| told.clone()),
                Record::Rolled(_) | Record::Line { .. } => None,
            };
            let told: Vec<R::Sighting> = new.iter().filter_map(seen).collect();
            let view = look(&leg.after, side);
            let page =
                Page { view: &view, before: None, told: &told, format: Default::default(), whole: false, sees: &[] };
            let sections = R::sections(&page);
            let battles = sections.battles.iter().flat_map(|b| std::iter::once(&b.title).chain(&b.lines));
            let words: Vec<&str> = sections.story.iter().chain(battles).map(String::as_str).collect();
            if !words.is_empty() {
                said.push_str(&format!(";  the tables would tell {side}: {}", words.join(" ")));
            }
        }
        said
    }

    /// The roll that waits for the umpire, if one does.
    fn waiting_roll(&self) -> Option<Roll> {
        if !self.core.free || self.over() {
            return None;
        }
        self.decide_with(&self.core.journal).ok().and_then(|leg| self.unjudged(&leg))
    }

    fn may_judge(&self, dice: Option<&[u32]>) -> Result<(), Fault> {
        let Some(roll) = self.waiting_roll() else {
            return Err(Fault::refused("no combat waits for your word.", ""));
        };
        let fits = |dice: &[u32]| dice.len() == roll.dice.len() && dice.iter().all(|d| (1..=roll.sides).contains(d));
        if dice.is_some_and(|dice| !fits(dice)) {
            let why = format!("the roll takes {} of 1 to {}.", dice_words(roll.dice.len()), roll.sides);
            return Err(Fault::refused(why, ""));
        }
        Ok(())
    }

    /// What a side knows now, with what it was told since its last letter.
    pub(super) fn show(&self, side: &SideId) -> Seen<Sections> {
        let view = look(&self.core.now, side);
        let barrier = self.core.posts.iter().find(|post| post.side == *side).map_or(0, |post| post.barrier);
        let told = self.side_index(side).map_or(&[][..], |at| self.past.told(at, barrier));
        let told: Vec<R::Sighting> = told.iter().map(|t| t.body.clone()).collect();
        let page = Page { view: &view, before: None, told: &told, format: Default::default(), whole: true, sees: &[] };
        let mut sections = R::sections(&page);
        let stretch = Stretch { entries: barrier..self.past.entries, since_turn: 0, whole: true, told: 0 };
        let rolls =
            self.past.rolls(barrier).iter().filter(|r| stretch.entries.contains(&r.at) && r.roll.scope.open_to(side));
        sections.rolls = rolls.map(|r| super::reveal::faced::<R>(&r.roll)).collect();
        Seen::sealed(Viewer::Umpire, sections)
    }
}

fn dice_words(count: usize) -> String {
    crate::text::plural(i64::try_from(count).unwrap_or(i64::MAX), "die", "dice")
}
