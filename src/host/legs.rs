//! Plays legs until an answer is missing that only a seat can give.

use super::hosted::{Hosted, Rolled, Told, json};
use super::paper::Paper;
use super::{Batch, Broken};
use crate::fog::SeatId;
use crate::rules::cx::{End, RecordOf};
use crate::rules::journal::{By, Given};
use crate::rules::kept::{LineKept, Truth};
use crate::rules::{Due, Outcome, Record, Upshot, cx};
use serde_json::json as value;
use std::collections::BTreeSet;

/// One input that sets more legs and stops in motion than this never ends.
const LEGS_MAX: usize = 20_000;

impl<R: Paper> Hosted<R> {
    /// Plays legs until something is due, or the game is over.
    pub(super) fn run(&mut self, out: &mut Batch) -> Result<(), Broken> {
        if !self.core.begun {
            return Ok(());
        }
        for _ in 0..LEGS_MAX {
            if self.over() {
                self.core.dues.clear();
                return Ok(());
            }
            let leg = self.decide_with(&self.core.journal).map_err(|breach| self.broken(&breach))?;
            if let Some(due) = self.judgment(&leg) {
                // Nothing of the leg is fact before the umpire has spoken.
                self.core.dues = vec![due];
                return Ok(());
            }
            for (address, given) in &leg.given {
                self.given(address, given, out);
            }
            let new = leg.records.get(self.core.known.len()..).unwrap_or_default();
            self.absorb(new, out);
            self.core.journal = leg.journal;
            self.core.now = leg.after;
            match leg.end {
                End::Rest => {
                    self.core.base = self.core.now.clone();
                    self.core.known.clear();
                    self.depart(out);
                    self.close_leg(out);
                    self.amend_now(out);
                }
                End::Stop(dues) => {
                    self.core.known = leg.records;
                    self.core.dues = dues;
                    if !self.nudge(out) {
                        return Ok(());
                    }
                }
            }
        }
        Err(Broken { why: format!("{} {}: play does not come to a stop", R::NAME, R::VERSION) })
    }

    pub(super) fn given(&mut self, address: &str, given: &Given, out: &mut Batch) {
        let body = value!({"address": address, "text": given.text, "no": given.no, "by": given.by});
        self.enter(out, "given", body.to_string());
    }

    /// Writes records down, each sighting behind its event, and gives order lines their outcomes.
    pub(super) fn absorb(&mut self, records: &[RecordOf<R>], out: &mut Batch) {
        for record in records {
            match record {
                Record::Event { body, seen } => {
                    self.past.happen(body.clone());
                    self.enter(out, "event", cx::encode::<R>(Truth::Event(body)).text().to_owned());
                    for (side, sighting) in seen {
                        let body = cx::encode::<R>(Truth::Sighting(sighting));
                        let at = self.past.entries;
                        let side_json = json(side);
                        self.enter(out, "sight", format!("{{\"side\":{side_json},\"body\":{}}}", body.text()));
                        self.core.brought.extend(R::brought(sighting));
                        let deaf = self.deaf(side, sighting);
                        let told = Told { at, turn: self.core.turn, body: sighting.clone(), deaf };
                        if let Some(side) = self.side_index(side) {
                            self.past.tell(side, told);
                        }
                    }
                }
                Record::Rolled(roll) => {
                    let at = self.past.entries;
                    self.enter(out, "roll", json(roll));
                    let (turn, slot) = (self.core.turn, self.core.slot);
                    self.past.roll(Rolled { at, turn, slot, roll: roll.clone() });
                }
                Record::Line { seat, text, no, upshot, said } => {
                    self.enter_line(seat, text, *no, upshot, out);
                    let side = self.core.posts.iter().find(|post| post.seat == *seat).map(|post| post.side.clone());
                    let span = side.and_then(|side| self.side_index(&side)).and_then(|i| self.caused(i));
                    if let Some(said) = said {
                        self.core.settle(seat, *no, text, said, span);
                    }
                    self.core.after.clone_from(text);
                    self.mark();
                }
            }
        }
    }

    fn enter_line(&mut self, seat: &SeatId, text: &str, no: u32, upshot: &Upshot, out: &mut Batch) {
        let (seat, text, outcome) = (seat.clone(), text.to_owned(), upshot.clone());
        self.enter(out, "line", json(&LineKept { seat, text, no, outcome }));
    }

    /// What a side was told since the line before.
    fn caused(&self, side: usize) -> Option<(usize, usize)> {
        let from = *self.core.marks.get(side)?;
        let to = self.past.told_length(side)?;
        (to > from).then_some((from, to))
    }

    pub(super) fn mark(&mut self) {
        self.core.marks = self.past.told_lengths();
    }

    /// At a rest point: closes what belonged to the leg, answers what its stage did not reach, and turns the slot.
    ///
    /// A sheet lives as long as its stage; a sheet under another name than the stage's key lives within one leg.
    pub(super) fn close_leg(&mut self, out: &mut Batch) {
        let stage = R::stage(&self.core.base.state);
        let open = self.core.sheets(stage.as_ref().map(|stage| stage.key.as_str()));
        self.sweep(&open, out);
        self.hand_over(&open);
        if !self.sealed() {
            for sheet in &open {
                self.count(sheet, out);
            }
        }
        let key = stage.as_ref().map(|stage| stage.key.clone());
        self.enter(out, "rest", value!({"ruleset": R::NAME, "version": R::VERSION, "stage": key}).to_string());
        self.mark();
        if stage.is_none() || R::slot(&self.core.base.state) > self.core.turn {
            self.lapse(true, out);
        }
        out.slots_closed.extend(self.turn_slot());
        self.remember();
        self.rested();
        self.settle_staff();
        if stage.is_none() {
            out.slots_closed.push(self.core.slot);
        }
    }

    /// Who has resigned among several seats of a side leaves his leaders to the commander, from a rest point on: what is
    /// fact in an open leg was made without that.
    pub(super) fn settle_staff(&mut self) {
        let staff = &self.core.desk.staff;
        let gone = self.core.posts.iter().filter(|post| post.resigned && staff.chair(&post.seat).is_some());
        let gone = gone.map(|post| post.seat.clone()).collect();
        self.core.desk.staff.set_gone(gone);
    }

    /// Goes on to the dice slot of the rest point; gives the slots that closed.
    ///
    /// A turn that has been played before is played in the next spare slot: nobody rolls twice with one seed.
    pub(super) fn turn_slot(&mut self) -> Vec<u32> {
        let turn = R::slot(&self.core.base.state);
        if turn <= self.core.turn {
            return Vec::new();
        }
        let mut closed = vec![self.core.slot];
        closed.extend((self.core.turn + 1..turn).filter_map(|turn| self.core.slots.passed_over(turn)));
        self.open_slot(turn);
        closed
    }

    /// Answers the lines of closed sheets, and drops their ENDs.
    fn sweep(&mut self, open: &BTreeSet<String>, out: &mut Batch) {
        let mut left = Vec::new();
        let journal = &mut self.core.journal;
        for sheets in [&mut journal.lines, &mut journal.drafts] {
            for (address, lines) in sheets.iter() {
                if address.starts_with("sheet/") && !open.contains(address) {
                    left.extend(lines.iter().map(|given| (address.clone(), given.clone())));
                }
            }
            sheets.retain(|address, _| !address.starts_with("sheet/") || open.contains(address));
        }
        self.core.close_sheets(open);
        let journal = &mut self.core.journal;
        journal.ended.retain(|address| open.contains(address));
        journal.draft_ended.retain(|address| open.contains(address));
        for (address, given) in left {
            // A sheet's address ends with its seat.
            let seats: Vec<_> = self.core.posts.iter().map(|post| post.seat.clone()).collect();
            let Some(seat) = seats.into_iter().find(|seat| address.ends_with(&format!("/{seat}"))) else { continue };
            let outcome = Outcome::NotReached;
            self.enter_line(&seat, &given.text, given.no, &outcome.upshot(), out);
            self.core.settle(&seat, given.no, &given.text, &outcome, None);
        }
    }

    /// At a stop: answers for seats that have resigned, and opens sealed sheets once all are in. Whether play can go on.
    fn nudge(&mut self, out: &mut Batch) -> bool {
        let mut moved = false;
        for due in self.core.dues.clone() {
            if self.core.posts.iter().any(|post| post.resigned && post.seat == due.seat) {
                moved |= self.by_default(&due, out);
            }
        }
        let sheets: Vec<String> =
            self.core.dues.iter().filter(|due| due.prompt.is_none()).map(|due| due.address.clone()).collect();
        let all_in = sheets.iter().all(|sheet| self.core.journal.draft_ended.contains(sheet));
        if all_in || !self.sealed() {
            for sheet in &sheets {
                moved |= self.count(sheet, out);
            }
        }
        moved
    }

    /// What was kept of a sheet counts from now on, and so does its END. Whether there was anything.
    pub(super) fn count(&mut self, sheet: &str, out: &mut Batch) -> bool {
        let mut lines = self.core.journal.drafts.remove(sheet).unwrap_or_default();
        let shared = self.core.posts.iter().any(|post| {
            sheet.ends_with(&format!("/{}", post.seat)) && self.core.desk.staff.chair(&post.seat).is_some()
        });
        if shared {
            let last = self.core.journal.lines.values().flatten().map(|given| given.place).max().unwrap_or(0);
            (last + 1..).zip(&mut lines).for_each(|(place, given)| given.place = place);
        }
        let ended = self.core.journal.draft_ended.remove(sheet);
        for given in &lines {
            self.given(sheet, given, out);
        }
        let any = ended || !lines.is_empty();
        if !lines.is_empty() {
            self.core.journal.lines.entry(sheet.to_owned()).or_default().extend(lines);
        }
        if ended {
            self.core.journal.ended.insert(sheet.to_owned());
        }
        any
    }

    /// Answers one due as the deadline does: a prompt takes its default, a sheet ends. Whether that changed anything.
    pub(super) fn by_default(&mut self, due: &Due, out: &mut Batch) -> bool {
        self.core.forget_shown(due);
        if due.prompt.is_none() {
            self.flush(&due.seat, &due.address, out);
        }
        match &due.prompt {
            Some(ask) => {
                if self.core.journal.lines.contains_key(&due.address) {
                    return false;
                }
                let given = Given::new(ask.default.clone(), 0, By::Default);
                self.given(&due.address, &given, out);
                self.core.journal.lines.insert(due.address.clone(), vec![given]);
                true
            }
            None if self.sealed() => self.core.journal.draft_ended.insert(due.address.clone()),
            None => self.core.journal.ended.insert(due.address.clone()),
        }
    }
}
