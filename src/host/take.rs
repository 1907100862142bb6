//! Reads a seat's lines: answers to its open questions first, all others into its open sheet.

use super::Batch;
use super::barrier::Pending;
use super::hosted::Hosted;
use super::paper::Paper;
use crate::fog::SeatId;
use crate::orders::{self, Fault};
use crate::rules::cx::Diverged;
use crate::rules::journal::{By, Given, Journal};
use crate::rules::{Ask, Outcome};
use std::collections::BTreeSet;

/// What a line would be.
pub(super) enum Reading {
    /// The answer to the question at this address.
    Answer(String),
    /// No answer, although a question is open and the line is no order either: why.
    Neither(Outcome),
    /// A line for a sheet.
    Order,
}

impl<R: Paper> Hosted<R> {
    /// Takes the lines of one mail.
    pub(super) fn orders(&mut self, post: usize, lines: &[(u32, String)], end: bool, by: &By, out: &mut Batch) {
        let Some(seat) = self.core.posts.get(post).map(|p| p.seat.clone()) else { return };
        if let Some(why) = self.shut(post) {
            for (no, text) in lines {
                self.settled(post, *no, text, refused(why));
            }
            return;
        }
        let mut rest = Vec::new();
        for (no, text) in lines {
            match self.reading(&seat, text) {
                Reading::Answer(address) => {
                    let given = Given::new(text.clone(), *no, by.clone());
                    self.given(&address, &given, out);
                    if let Some(post) = self.core.posts.get_mut(post) {
                        post.shown.retain(|shown| *shown != address);
                    }
                    self.core.journal.lines.insert(address, vec![given]);
                    self.settled(post, *no, text, Outcome::Done);
                }
                Reading::Neither(outcome) => self.settled(post, *no, text, outcome),
                Reading::Order => match self.travels(post, text) {
                    Some(to) => self.by_rider(post, (*no, text), to),
                    None => rest.push((*no, text.clone())),
                },
            }
        }
        match self.open_sheet(&seat) {
            None => {
                for (no, text) in &rest {
                    self.settled(post, *no, text, refused(OFF_MOVE));
                }
            }
            Some(sheet) if self.sealed() => {
                self.core.sheets.remove(&sheet);
                self.draft(post, &sheet, &rest, end, by);
            }
            Some(sheet) => self.append(post, &sheet, &rest, end, by, out),
        }
        if let Some(post) = self.core.posts.get_mut(post) {
            // Answers are read before orders, and told in the order written.
            let fresh = post.pending.iter().position(|p| p.fresh).unwrap_or(post.pending.len());
            if let Some(fresh) = post.pending.get_mut(fresh..) {
                fresh.sort_by_key(|p| lines.iter().position(|(no, text)| p.no == *no && p.text == *text));
            }
        }
    }

    /// Why nothing of a seat can be read now, whatever it writes.
    pub(super) fn shut(&self, post: usize) -> Option<&'static str> {
        if !self.core.begun {
            Some("the game has not begun; send your orders when its opening report has come")
        } else if self.over() {
            Some("the game is over")
        } else if self.core.posts.get(post).is_some_and(|p| p.resigned) {
            Some("you have resigned; your doctrine and the defaults play for you")
        } else {
            None
        }
    }

    /// What a line of a seat would be, where its open questions and its sheet stand.
    pub(super) fn reading(&self, seat: &SeatId, text: &str) -> Reading {
        self.reading_but(seat, text, &BTreeSet::new())
    }

    /// The same, where lines above have answered some questions.
    pub(super) fn reading_but(&self, seat: &SeatId, text: &str, answered: &BTreeSet<String>) -> Reading {
        let mut first: Option<(String, &Ask)> = None;
        for due in self.core.dues.iter().filter(|due| due.seat == *seat) {
            let Some(ask) = &due.prompt else { continue };
            if self.core.journal.lines.contains_key(&due.address) || answered.contains(&due.address) {
                continue;
            }
            match self.answers(&due.address, text) {
                Ok(()) => return Reading::Answer(due.address.clone()),
                Err(fault) => {
                    first.get_or_insert((fault, ask));
                }
            }
        }
        let Some((why, ask)) = first else { return Reading::Order };
        let line = orders::line(0, text);
        let word = line.words.first().map_or("", |word| word.fold.as_str());
        let is_order = orders::find(R::verbs().iter().map(|verb| verb.word), word).is_some();
        if is_order && self.open_sheet(seat).is_some() {
            return Reading::Order;
        }
        Reading::Neither(Outcome::Unclear { why, copy: ask.answers.first().cloned() })
    }

    /// Whether the rules read a line as the answer to an open question; they are tried, and nothing of it stays.
    fn answers(&self, address: &str, text: &str) -> Result<(), String> {
        let mut journal = self.core.journal.clone();
        let given = Given::new(text, 0, By::Seat(String::new()));
        journal.lines.insert(address.to_owned(), vec![given]);
        match self.decide_with(&journal) {
            Err(Diverged::Unreadable(said)) => match said.strip_prefix(&format!("{text}: ")) {
                Some(fault) => Err(fault.to_owned()),
                // Some other kept answer: the run that follows names it.
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// The sheet that a seat's lines go to: what is due from it, or its sheet of the open stage while play waits for
    /// somebody else (of which it must not learn).
    pub(super) fn open_sheet(&self, seat: &SeatId) -> Option<String> {
        let mut due = self.core.dues.iter().filter(|due| due.seat == *seat && due.prompt.is_none());
        if let Some(due) = due.next() {
            return Some(due.address.clone());
        }
        let stage = self.stage_now()?;
        let sheet = Journal::sheet(seat, &stage.key);
        let journal = &self.core.journal;
        let ended = journal.ended.contains(&sheet) || (!self.sealed() && journal.draft_ended.contains(&sheet));
        (self.core.begun && stage.on_move.contains(seat) && !ended).then_some(sheet)
    }

    /// Live: lines count at once, behind those that wait; while play waits for an answer, from its next rest on, since
    /// what is fact in the open leg was made without them.
    fn append(&mut self, post: usize, sheet: &str, lines: &[(u32, String)], end: bool, by: &By, out: &mut Batch) {
        for (no, text) in lines {
            let given = Given::new(text.clone(), *no, by.clone());
            self.core.journal.drafts.entry(sheet.to_owned()).or_default().push(given);
            self.pend(post, Pending::waiting(*no, text, sheet, None));
        }
        if end {
            self.core.journal.draft_ended.insert(sheet.to_owned());
        }
        if self.core.dues.iter().any(|due| due.address == sheet) {
            self.count(sheet, out);
        }
    }

    /// Sealed: the last mail replaces those before; a mail without a line that can be understood replaces nothing.
    fn draft(&mut self, post: usize, sheet: &str, lines: &[(u32, String)], end: bool, by: &By) {
        let first_sight: Vec<Option<Outcome>> =
            lines.iter().map(|(no, text)| self.first_sight(post, *no, text)).collect();
        let understood = first_sight.iter().any(|fault| !matches!(fault, Some(Outcome::Unclear { .. })));
        if understood {
            self.core.journal.draft_ended.remove(sheet);
            let mut draft = self.clear_draft(sheet);
            for ((no, text), fault) in lines.iter().zip(first_sight) {
                draft.push(Given::new(text.clone(), *no, by.clone()));
                self.pend(post, Pending::waiting(*no, text, sheet, fault));
            }
            self.core.journal.drafts.insert(sheet.to_owned(), draft);
        } else {
            for ((no, text), fault) in lines.iter().zip(first_sight) {
                self.settled(post, *no, text, fault.unwrap_or(Outcome::NotReached));
            }
        }
        if end {
            self.core.journal.draft_ended.insert(sheet.to_owned());
        }
    }

    /// Takes a seat's own lines out of a sealed sheet; orders that a courier has brought stay, and are given.
    fn clear_draft(&mut self, sheet: &str) -> Vec<Given> {
        let mut draft = self.core.journal.drafts.remove(sheet).unwrap_or_default();
        draft.retain(|given| matches!(given.by, By::Order(_)));
        if !draft.is_empty() {
            self.core.journal.drafts.insert(sheet.to_owned(), draft.clone());
        }
        for post in &mut self.core.posts {
            post.pending.retain(|pending| pending.sheet.as_deref() != Some(sheet) || pending.by.is_some());
        }
        draft
    }

    /// The sheet of a seat whose lines only wait, because all are carried out together.
    pub(super) fn sealed_sheet(&self, seat: &SeatId) -> Option<String> {
        let stage = self.stage_now().filter(|stage| self.sealed() && stage.on_move.contains(seat))?;
        Some(Journal::sheet(seat, &stage.key))
    }

    /// Takes back what waits in a seat's sealed sheet.
    pub(super) fn take_back(&mut self, seat: &SeatId) {
        let Some(sheet) = self.sealed_sheet(seat) else { return };
        self.clear_draft(&sheet);
        self.core.sheets.remove(&sheet);
        self.core.journal.draft_ended.remove(&sheet);
    }

    /// What is wrong with a line as the seat's last letter shows things; it may come good when its turn comes.
    fn first_sight(&self, post: usize, no: u32, text: &str) -> Option<Outcome> {
        let post = self.core.posts.get(post)?;
        let line = orders::line(no, text);
        let fault = orders::bind(R::verbs(), &post.view, &line).err();
        fault.or_else(|| self.barred(&post.seat, &post.view, text)).map(Outcome::from)
    }

    /// Why one of several seats may not give a line, if it can be read and may not, by what a view shows.
    pub(super) fn barred(&self, seat: &SeatId, view: &R::View, text: &str) -> Option<Fault> {
        let staff = &self.core.desk.staff;
        staff.chair(seat)?;
        let order = orders::read(R::verbs(), view, &orders::line(0, text)).ok()?;
        staff.barred(seat, &R::concern(view, &order))
    }

    /// Keeps of some lines those that one of several seats may give.
    pub(super) fn keep_own(&self, seat: &SeatId, view: &R::View, lines: &mut Vec<String>) {
        lines.retain(|line| self.barred(seat, view, line).is_none());
    }

    pub(super) fn settled(&mut self, post: usize, no: u32, text: &str, outcome: Outcome) {
        self.pend(post, Pending::settled(no, text, outcome));
    }

    pub(super) fn pend(&mut self, post: usize, pending: Pending) {
        if let Some(post) = self.core.posts.get_mut(post) {
            post.pending.push(pending);
        }
    }
}

const OFF_MOVE: &str = "it is not your turn to order; a report says when it is";

fn refused(why: &str) -> Outcome {
    Outcome::Refused { why: why.to_owned(), rule: String::new(), copy: None }
}
