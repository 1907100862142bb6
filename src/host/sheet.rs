//! A seat's sheet: a numbered list of lines that its mails edit, until its stage closes.
//!
//! What a mail came to is decided once, when it comes in, and stands in the chain with it: a later version of the program
//! may judge a line better, and plays an old chain as it was.

use super::Batch;
use super::barrier::Pending;
use super::hosted::Hosted;
use super::paper::{Paper, SheetState};
use crate::fog::SeatId;
use crate::orders::mend::Mended;
use crate::rules::Outcome;
use crate::rules::journal::{By, Given};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How a sheet is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// END: if no line of the sheet is NOT TAKEN.
    Counted,
    /// END ANYWAY: what is NOT TAKEN is dropped.
    Anyway,
    /// END IF ALL DONE: if every line comes out DONE or FAILED.
    IfAllDone,
    /// A word that is nearly END: it counts for nothing, and nothing is carried out before END is said.
    Doubtful,
    /// END below a word of the same mail that is not taken: it counts for nothing, and nothing is carried out before END is said
    /// again.
    Held,
    /// END over an empty sheet while the lines of a CHECK are not sent: it counts for nothing before it is said again, for its
    /// writer may take them for sent.
    Unsent,
}

/// What a line of a mail does to the sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edit {
    /// It is one more line of the sheet, or the answer to a question.
    Add,
    /// A line that waits gets another text.
    Rewrite {
        /// Its number.
        line: u32,
        /// The text.
        text: String,
    },
    /// Lines that wait are taken back.
    Drop(Vec<u32>),
    /// All that waits is taken back, and END with it.
    DropAll,
    /// END is taken back.
    UndoEnd,
    /// What waits gives way to the lines below.
    Replace,
    /// The sheet is ended.
    End(Ending),
    /// The sheet is ended, and that takes effect when its time has come, so that it can be taken back.
    Later(Ending),
    /// The time of an END has come. No line of a mail does this.
    Call,
}

/// An END that counts and takes effect when its time has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// Its number.
    pub end: u32,
    /// Whether it is END IF ALL DONE.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub if_done: bool,
}

/// One line of a mail, as far as it is for the sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edited {
    /// Its number, counted on from the lines that the sheet has had.
    pub no: u32,
    /// As written.
    pub text: String,
    /// What it does.
    pub edit: Edit,
}

/// What a mail has come to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Came {
    /// Where the sheet stands; none where no sheet of the seat is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// Answers to open questions: number, text, address.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<(u32, String, String)>,
    /// Lines that a courier takes to another seat: number, text, seat.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub riders: Vec<(u32, String, SeatId)>,
    /// Lines that are carried out now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub carried: Vec<Waiting>,
    /// The lines of the sheet from now on; one that stands as it stood has its number alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<Waiting>,
    /// The highest number that the sheet has given.
    #[serde(default)]
    pub top: u32,
    /// Whether the seat has ended the sheet.
    #[serde(default)]
    pub ended: bool,
    /// Whether it said END, and END was not counted.
    #[serde(default)]
    pub held: bool,
    /// The number of an END IF ALL DONE whose lines are carried out now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_done: Option<u32>,
    /// The END that counts and has not taken effect yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<Call>,
}

/// A line of a sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// Its number.
    pub no: u32,
    /// Its text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Identity of the mail that brought it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub mail: String,
    /// Whether it is TAKEN.
    pub taken: bool,
}

/// What a line is answered with before it is carried out, and where it never is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Read, and allowed as far as its seat can know.
    Taken {
        /// What it comes to, and whose place it takes.
        notes: Vec<String>,
        /// What its writer should know, each with its paragraph.
        warnings: Vec<String>,
    },
    /// Nothing of it is done.
    NotTaken(Mended),
    /// Read, and allowed once lines above it are put right: it waits for them, and is dropped with them.
    Waits {
        /// The numbers of those lines.
        above: Vec<u32>,
        /// What it comes to then.
        notes: Vec<String>,
        /// What its writer should know, each with its paragraph.
        warnings: Vec<String>,
    },
    /// No order in it.
    PassedOver {
        /// Why.
        why: String,
    },
    /// A question, with its answer.
    Answered {
        /// Ready lines.
        lines: Vec<String>,
    },
    /// A word about the sheet, done.
    Done {
        /// What it has come to.
        why: String,
    },
    /// An END that does not count.
    NotCounted {
        /// Why.
        why: String,
    },
}

impl Waiting {
    /// The line with its text, where it stood in the sheet before.
    fn filled(self, before: &[Waiting]) -> Waiting {
        match before.iter().find(|line| line.no == self.no) {
            Some(line) if self.text.is_empty() => Waiting { taken: self.taken, ..line.clone() },
            _ => self,
        }
    }

    /// The same as the chain keeps it: what stood in the sheet before is not written down again.
    pub(super) fn kept(self, before: &[Waiting]) -> Waiting {
        let stood = before.iter().any(|line| (line.no, &line.text, &line.mail) == (self.no, &self.text, &self.mail));
        if stood { Waiting { text: String::new(), mail: String::new(), ..self } } else { self }
    }
}

impl Verdict {
    /// The word that stands over the answer.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Taken { warnings, .. } if warnings.is_empty() => "TAKEN",
            Verdict::Taken { .. } => "TAKEN, WARNING",
            Verdict::NotTaken(_) => "NOT TAKEN",
            Verdict::Waits { .. } => "WAITS",
            Verdict::PassedOver { .. } => "PASSED OVER",
            Verdict::Answered { .. } => "ANSWERED",
            Verdict::Done { .. } => "DONE",
            Verdict::NotCounted { .. } => "NOT COUNTED",
        }
    }

    /// Why something cannot be taken, without a line in its stead.
    pub(super) fn not_taken(why: &str) -> Verdict {
        Verdict::NotTaken(Mended { why: why.to_owned(), ..Mended::default() })
    }

    /// What is said of a word that has done one thing, and then another.
    pub(super) fn joined(&self, then: Verdict) -> Verdict {
        let Verdict::Done { why: first } = self else { return then };
        let both = |why: String| format!("{first}  {why}").trim().to_owned();
        match then {
            Verdict::Done { why } => Verdict::Done { why: both(why) },
            Verdict::NotCounted { why } => Verdict::NotCounted { why: both(why) },
            then => then,
        }
    }

    pub(super) fn done(why: impl Into<String>) -> Verdict {
        Verdict::Done { why: why.into() }
    }
}

/// A sheet as the host keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sheet {
    /// The stage whose sheet it is, as reports name it.
    pub title: String,
    /// Lines that wait, in order.
    pub lines: Vec<Waiting>,
    /// The highest number given.
    pub top: u32,
    /// Whether END was said and not counted.
    pub held: bool,
    /// What its seat was told of the lines that are not taken, by number.
    pub faults: BTreeMap<u32, Mended>,
    /// Lines that are not taken before others are put right, by number.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub waits: BTreeSet<u32>,
    /// What END IF ALL DONE waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub awaits: Option<Awaits>,
    /// The END that counts and has not taken effect yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<Call>,
}

/// Lines whose outcome decides whether a sheet closes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Awaits {
    /// The number of the END.
    pub end: u32,
    /// The lines.
    pub lines: Vec<u32>,
    /// Those that were not carried out.
    pub left: Vec<u32>,
}

/// A line and its answer on receipt.
pub(super) struct Said {
    pub no: u32,
    pub text: String,
    pub as_what: As,
}

/// How the lines of a mail were judged: for its answer alone.
#[derive(Default)]
pub(super) struct Judged {
    /// Answers on receipt.
    pub said: Vec<Said>,
    /// What is said of lines that are taken, by number.
    pub verdicts: BTreeMap<u32, Verdict>,
    /// What is said of lines that wait and are not, by number.
    pub faults: BTreeMap<u32, Mended>,
    /// Lines that are taken once others are put right.
    pub waits: BTreeSet<u32>,
}

/// An answer on receipt.
pub(super) enum As {
    Verdict(Verdict),
    Outcome(Outcome),
}

impl<R: Paper> Hosted<R> {
    /// The sheet at an address as it stands; where only lines of older mails wait there, these.
    pub(super) fn sheet_at(&self, address: &str) -> Sheet {
        if let Some(sheet) = self.core.sheets.get(address) {
            return sheet.clone();
        }
        let drafts = self.core.journal.drafts.get(address).filter(|_| self.sealed());
        let own = drafts.into_iter().flatten().filter(|given| !matches!(given.by, By::Order(_)));
        let line = |given: &Given| {
            let mail = if let By::Seat(mail) = &given.by { mail.clone() } else { String::new() };
            Waiting { no: given.no, text: given.text.clone(), mail, taken: true }
        };
        let lines: Vec<Waiting> = own.map(line).collect();
        let top = lines.iter().map(|line| line.no).max().unwrap_or(0);
        Sheet { lines, top, ..Sheet::default() }
    }

    /// Does what a mail has come to, and keeps what its lines are answered with.
    pub(super) fn sheet_changed(&mut self, post: usize, came: Came, judged: Judged, mail: &str, out: &mut Batch) {
        let Judged { said, verdicts, faults, waits } = judged;
        for (no, text, address) in &came.answers {
            self.answer_given(post, (*no, text), address, mail, out);
        }
        for (no, text, to) in &came.riders {
            self.by_rider(post, (*no, text), to.clone());
        }
        for Said { no, text, as_what } in said {
            match as_what {
                As::Verdict(verdict) => self.pend(post, Pending::told(no, &text, verdict)),
                As::Outcome(outcome) => self.settled(post, no, &text, outcome),
            }
        }
        self.change_lines(post, came, (verdicts, faults, waits), out);
        if let Some(post) = self.core.posts.get_mut(post) {
            let fresh = post.pending.iter().position(|p| p.fresh).unwrap_or(post.pending.len());
            if let Some(fresh) = post.pending.get_mut(fresh..) {
                fresh.sort_by_key(|p| p.no);
            }
        }
    }

    /// The sheet itself.
    fn change_lines(
        &mut self,
        post: usize,
        came: Came,
        (verdicts, faults, waits): (BTreeMap<u32, Verdict>, BTreeMap<u32, Mended>, BTreeSet<u32>),
        out: &mut Batch,
    ) {
        let Some(address) = came.sheet.clone() else { return };
        let before = self.sheet_at(&address).lines;
        let waiting: Vec<Waiting> = came.waiting.into_iter().map(|line| line.filled(&before)).collect();
        let awaits = came.if_done.map(|end| Awaits {
            end,
            lines: came.carried.iter().map(|line| line.no).collect(),
            left: Vec::new(),
        });
        let title = self.stage_now().map(|stage| stage.title).unwrap_or_default();
        let Came { top, held, call, .. } = came;
        let sheet = Sheet { title, lines: waiting, top, held, faults, waits, awaits, call };
        self.keep_pending(post, &address, (&before, &sheet.lines, &came.carried), verdicts);
        if self.sealed() {
            self.redraft(&address, &sheet, came.ended);
        } else {
            self.carry(&address, came.carried, came.ended, out);
        }
        self.core.sheets.insert(address, sheet);
    }

    fn answer_given(&mut self, post: usize, (no, text): (u32, &str), address: &str, mail: &str, out: &mut Batch) {
        let given = Given::new(text, no, By::Seat(mail.to_owned()));
        self.given(address, &given, out);
        if let Some(post) = self.core.posts.get_mut(post) {
            post.shown.retain(|shown| shown != address);
        }
        self.core.journal.lines.insert(address.to_owned(), vec![given]);
        self.settled(post, no, text, Outcome::Done);
    }

    /// Lines that wait, or are carried out now, are answered in their order; those taken back are not.
    fn keep_pending(
        &mut self,
        post: usize,
        address: &str,
        (before, waiting, carried): (&[Waiting], &[Waiting], &[Waiting]),
        mut verdicts: BTreeMap<u32, Verdict>,
    ) {
        let Some(post) = self.core.posts.get_mut(post) else { return };
        let of = |p: &Pending, line: &Waiting| line.no == p.no && line.text == p.text;
        let here = |p: &Pending| p.sheet.as_deref() == Some(address) && p.by.is_none() && p.outcome.is_none();
        let taken: Vec<&Waiting> = waiting.iter().chain(carried).filter(|line| line.taken).collect();
        post.pending.retain(|p| {
            let waited = here(p) && before.iter().any(|line| of(p, line));
            !waited || taken.iter().any(|line| of(p, line))
        });
        for line in taken {
            let verdict = verdicts.remove(&line.no);
            match post.pending.iter_mut().find(|p| here(p) && of(p, line)) {
                Some(pending) => pending.verdict = verdict.or(pending.verdict.take()),
                None => {
                    let pending = Pending::waiting(line.no, &line.text, address, None);
                    post.pending.push(Pending { verdict, ..pending });
                }
            }
        }
    }

    /// Sealed: the draft is what is taken of the sheet, behind what couriers have brought.
    fn redraft(&mut self, address: &str, sheet: &Sheet, ended: bool) {
        let journal = &mut self.core.journal;
        let mut draft = journal.drafts.remove(address).unwrap_or_default();
        draft.retain(|given| matches!(given.by, By::Order(_)));
        draft.extend(sheet.lines.iter().filter(|line| line.taken).map(given_of));
        if !draft.is_empty() {
            journal.drafts.insert(address.to_owned(), draft);
        }
        if ended {
            journal.draft_ended.insert(address.to_owned());
        } else {
            journal.draft_ended.remove(address);
        }
    }

    /// Live: lines count at once, or from the next rest on while play waits for an answer.
    fn carry(&mut self, address: &str, lines: Vec<Waiting>, ended: bool, out: &mut Batch) {
        if !lines.is_empty() {
            let draft = self.core.journal.drafts.entry(address.to_owned()).or_default();
            draft.extend(lines.iter().map(given_of));
        }
        if ended {
            self.core.journal.draft_ended.insert(address.to_owned());
        }
        if self.core.dues.iter().any(|due| due.address == address) {
            self.count(address, out);
        }
    }

    /// At a deadline: what is taken of a sheet that was kept back counts; the rest is dropped.
    pub(super) fn flush(&mut self, seat: &SeatId, address: &str, out: &mut Batch) {
        let Some(sheet) = self.core.sheets.get_mut(address) else { return };
        let lines = std::mem::take(&mut sheet.lines);
        sheet.held = false;
        sheet.call = None;
        sheet.faults.clear();
        sheet.waits.clear();
        if self.sealed() {
            return;
        }
        let taken: Vec<Waiting> = lines.into_iter().filter(|line| line.taken).collect();
        if let Some(post) = self.post_of(seat) {
            self.keep_pending(post, address, (&[], &[], &taken), BTreeMap::new());
        }
        self.carry(address, taken, false, out);
    }

    /// Sheets that were to close if every line came out DONE or FAILED; whether one closes now.
    pub(super) fn close_if_done(&mut self, out: &mut Batch) -> bool {
        let mut closes = None;
        for post in &mut self.core.posts {
            for (address, sheet) in &mut self.core.sheets {
                let Some(awaits) = sheet.awaits.as_mut().filter(|_| closes.is_none()) else { continue };
                if !address.ends_with(&format!("/{}", post.seat)) {
                    continue;
                }
                awaits.look(&post.pending, address);
                if !awaits.lines.is_empty() {
                    continue;
                }
                let Awaits { end, left, .. } = awaits.clone();
                sheet.awaits = None;
                if left.is_empty() {
                    closes = Some(address.clone());
                    continue;
                }
                let one = if left.len() == 1 { "line" } else { "lines" };
                let why = format!("{one} {} not carried out.  Your sheet stays open.", crate::text::and_list(&left));
                let verdict = Verdict::NotCounted { why };
                let told = post.pending.iter_mut().find(|p| p.no == end && p.sheet.is_none());
                match told {
                    Some(pending) => pending.verdict = Some(verdict),
                    None => post.pending.push(Pending::told(end, "END IF ALL DONE", verdict)),
                }
            }
        }
        let Some(address) = closes else { return false };
        let open = self.core.sheets.contains_key(&address);
        self.carry(&address, Vec::new(), open, out);
        open
    }

    /// A seat's open sheet as its answers show it.
    pub(super) fn sheet_state(&self, seat: &SeatId) -> Option<SheetState> {
        let address = self.open_sheet(seat)?;
        let sheet = self.sheet_at(&address);
        let stands = |line: &&Waiting| line.taken || sheet.waits.contains(&line.no);
        let (taken, held): (Vec<_>, Vec<_>) = sheet.lines.iter().partition(stands);
        let mended = |line: &&Waiting| {
            let fault = sheet.faults.get(&line.no);
            (line.no, line.text.clone(), fault.map(|fault| fault.lines.clone()).unwrap_or_default())
        };
        let ended = sheet.call.is_some() || self.core.journal.draft_ended.contains(&address);
        let begun = self.post_of(seat).and_then(|at| self.core.posts.get(at)).map_or(0, |post| {
            let begun =
                |p: &&Pending| p.outcome.is_none() && p.fault.is_none() && p.sheet.as_deref() == Some(address.as_str());
            post.pending.iter().filter(begun).count()
        });
        let told = |(text, rule): (String, String)| if rule.is_empty() { text } else { format!("{text} [{rule}]") };
        let warnings = if sheet.call.is_some() || (ended && self.sealed()) {
            self.played(seat, &[], true).warnings
        } else {
            Vec::new()
        };
        Some(SheetState {
            warnings: warnings.into_iter().map(told).collect(),
            title: self.stage_now().map(|stage| stage.title).unwrap_or_default(),
            lines: taken.into_iter().map(|line| (line.no, line.text.clone())).collect(),
            begun,
            faulty: held.iter().map(mended).collect(),
            waits: sheet.waits.iter().copied().collect(),
            top: sheet.top,
            held: sheet.held,
            ended,
            call: sheet.call.map(|call| call.end),
            sealed: self.sealed(),
        })
    }

    /// The number of a seat's END that counts and has not taken effect yet.
    pub(super) fn called(&self, seat: &SeatId) -> Option<u32> {
        let address = self.open_sheet(seat)?;
        self.core.sheets.get(&address)?.call.map(|call| call.end)
    }
}

impl Awaits {
    /// Strikes off the lines that have their outcome.
    fn look(&mut self, pending: &[Pending], address: &str) {
        let lines = std::mem::take(&mut self.lines);
        for no in lines {
            let here = |p: &&Pending| p.no == no && p.sheet.as_deref() == Some(address);
            match pending.iter().find(here).and_then(|p| p.outcome.as_ref()) {
                None => self.lines.push(no),
                Some(Outcome::Done | Outcome::Failed { .. }) => {}
                Some(_) => self.left.push(no),
            }
        }
    }
}

fn given_of(line: &Waiting) -> Given {
    Given::new(line.text.clone(), line.no, By::Seat(line.mail.clone()))
}
