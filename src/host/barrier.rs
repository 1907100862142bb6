//! Where each seat stands: it is told more only at its barrier, when play comes back to it or the stage has ended.
//!
//! A stop for somebody else is invisible: the letter then says that the lines are taken, and shows what the last showed.

use super::hosted::Hosted;
use super::paper::{Format, Page, Paper, Sections};
use super::reveal::faced;
use super::sheet::Verdict;
use super::{Answered, Batch, Letter, Occasion};
use crate::fog::{Fogged, SeatId, Seen, SideId, Viewer};
use crate::memo::Memo;
use crate::rules::journal::Journal;
use crate::rules::{Due, Key, Outcome};
use serde::{Deserialize, Serialize};
use std::thread;

/// The lines that a seat was offered last, which follow from its view alone.
pub(super) type Offered<R> = Memo<<R as Fogged>::View, Vec<String>, 1>;

/// A seat at its last letter.
pub(super) struct Post<R: Paper> {
    pub seat: SeatId,
    pub side: SideId,
    /// Entries of the chain when it was last told anything.
    pub barrier: usize,
    /// Entries of the chain when the letter before that was written: what lies between is what its last letter told.
    pub since: usize,
    /// The turn then.
    pub turn: u32,
    /// What its side knew then.
    pub view: R::View,
    /// What the letter before that showed, if there was one.
    pub before: Option<R::View>,
    /// Addresses of the questions and sheets that its last letter named.
    pub shown: Vec<String>,
    /// Whether it has written since, and was told only that its lines are taken.
    pub owing: bool,
    /// Whether it has resigned.
    pub resigned: bool,
    /// Lines that have not had their last answer.
    pub pending: Vec<Pending>,
    /// Width and character set of its mail.
    pub form: Format,
    /// Lines that it could send.
    pub offered: Offered<R>,
}

/// A line of a mail on its way to its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Pending {
    pub no: u32,
    pub text: String,
    /// The sheet it waits in; `None` where it was answered on receipt.
    pub sheet: Option<String>,
    pub outcome: Option<Outcome>,
    /// What is wrong with it at first sight.
    pub fault: Option<Outcome>,
    /// What its side was told because of it, as places in all that the side was told.
    pub span: Option<(usize, usize)>,
    /// Whether it came in the mail that is being answered.
    pub fresh: bool,
    /// The seat whose courier brought it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<SeatId>,
    /// What was said of it when its mail came in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}

impl Pending {
    /// A line in a sheet.
    pub(super) fn waiting(no: u32, text: &str, sheet: &str, fault: Option<Outcome>) -> Pending {
        let (sheet, text) = (Some(sheet.to_owned()), text.to_owned());
        Pending { no, text, sheet, outcome: None, fault, span: None, fresh: true, by: None, verdict: None }
    }

    /// A line answered on receipt, from what its seat knows.
    pub(super) fn settled(no: u32, text: &str, outcome: Outcome) -> Pending {
        Pending { outcome: Some(outcome), sheet: None, ..Pending::waiting(no, text, "", None) }
    }

    /// A line of which nothing is carried out, answered on receipt.
    pub(super) fn told(no: u32, text: &str, verdict: Verdict) -> Pending {
        Pending { verdict: Some(verdict), sheet: None, ..Pending::waiting(no, text, "", None) }
    }
}

impl<R: Paper> Post<R> {
    /// A seat before its first letter.
    pub(super) fn new(seat: &SeatId, side: &SideId, view: R::View) -> Post<R> {
        Post {
            seat: seat.clone(),
            side: side.clone(),
            barrier: 0,
            since: 0,
            turn: 0,
            view,
            before: None,
            shown: Vec::new(),
            owing: false,
            resigned: false,
            pending: Vec::new(),
            form: Format::default(),
            offered: Offered::<R>::default(),
        }
    }
}

impl<R: Paper> Clone for Post<R> {
    fn clone(&self) -> Self {
        Post {
            seat: self.seat.clone(),
            side: self.side.clone(),
            barrier: self.barrier,
            since: self.since,
            turn: self.turn,
            view: self.view.clone(),
            before: self.before.clone(),
            shown: self.shown.clone(),
            owing: self.owing,
            resigned: self.resigned,
            pending: self.pending.clone(),
            form: self.form,
            offered: self.offered.clone(),
        }
    }
}

/// What one seat's page is written from.
pub(super) struct Stuff<'a, R: Paper> {
    pub view: &'a R::View,
    pub before: Option<&'a R::View>,
    pub told: Vec<R::Sighting>,
    pub format: Format,
    pub whole: bool,
    /// Where lines that it could send are kept, if its sheet is open.
    pub offers: Option<&'a Offered<R>>,
}

impl<R: Paper> Stuff<'_, R> {
    pub(super) fn write(&self) -> Sections {
        let whole = self.whole || self.format.full;
        let before = self.before.filter(|_| !whole);
        let page = Page { view: self.view, before, told: &self.told, format: self.format, whole, sees: &[] };
        let offered = |kept: &Offered<R>| {
            let known = kept.answer(|view| view == self.view, || (self.view.clone(), R::offers(self.view)));
            known.to_vec()
        };
        let offers = self.offers.map(offered).unwrap_or_default();
        Sections { offers, full: whole, ..R::sections(&page) }
    }
}

/// Writes the pages of some seats, each on a thread of its own but the first; in the order given.
fn side_by_side<R: Paper>(stuffs: &[(usize, Stuff<'_, R>)]) -> Vec<(usize, Sections)> {
    let Some(((first, stuff), others)) = stuffs.split_first() else { return Vec::new() };
    thread::scope(|scope| {
        let mut begun = Vec::new();
        for (at, stuff) in others {
            begun.push((*at, stuff, thread::Builder::new().spawn_scoped(scope, move || stuff.write())));
        }
        let mut written = vec![(*first, stuff.write())];
        for (at, stuff, thread) in begun {
            let sections = match thread.map(thread::ScopedJoinHandle::join) {
                Ok(done) => done.unwrap_or_else(|fault| std::panic::resume_unwind(fault)),
                // The machine has no thread to spare.
                Err(_) => stuff.write(),
            };
            written.push((at, sections));
        }
        written
    })
}

/// A part of what a side was told: sightings by place in all it was told, entries by place in the chain.
#[derive(Default)]
pub(super) struct Stretch {
    pub entries: std::ops::Range<usize>,
    pub since_turn: u32,
    /// Whether all parts are wanted.
    pub whole: bool,
    /// Where the letter before it that told something begins.
    pub told: usize,
}

impl<R: Paper> Hosted<R> {
    /// The letters that an input has earned, in the scenario's order of seats.
    pub(super) fn letters(&mut self, writers: &[usize], begins: bool, out: &mut Batch) {
        match self.occasion(begins) {
            // Behind a rewind no stage has been told of yet, and all must hear of it.
            Some(Occasion::StageReport) if self.core.lettered.is_some() && R::quiet(&self.core.now.state) => {
                (0..self.core.posts.len()).for_each(|at| self.letter_if_concerned(at, writers.contains(&at), out));
                self.core.lettered = self.stage_now().map(|stage| stage.key);
            }
            Some(occasion) => {
                self.letters_to_all(occasion, out);
                self.core.lettered = self.stage_now().map(|stage| stage.key);
                self.core.closed = self.over();
            }
            None => (0..self.core.posts.len()).for_each(|at| self.letter_to_one(at, writers.contains(&at), out)),
        }
    }

    /// A quiet stage opens: a letter to who is on move, who has written, and who has not heard of this turn yet.
    fn letter_if_concerned(&mut self, at: usize, wrote: bool, out: &mut Batch) {
        let Some(post) = self.core.posts.get(at) else { return };
        let due = self.open_dues().iter().any(|due| due.seat == post.seat);
        if due || wrote || post.turn != self.core.turn {
            self.letter(at, Occasion::StageReport, true, out);
        }
    }

    /// A letter to each seat. They know nothing of each other, and so are written side by side.
    fn letters_to_all(&mut self, occasion: Occasion, out: &mut Batch) {
        let stretches: Vec<Stretch> = (0..self.core.posts.len()).map(|at| self.turn_page(at, true)).collect();
        let stuffs: Vec<(usize, Stuff<'_, R>)> =
            stretches.iter().enumerate().filter_map(|(at, stretch)| Some((at, self.stuff(at, stretch)?))).collect();
        for (at, sections) in side_by_side(&stuffs) {
            if let Some(stretch) = stretches.get(at) {
                self.send(at, occasion, stretch, sections, out);
            }
        }
    }

    /// Why all seats are to be told now, if they are.
    fn occasion(&self, begins: bool) -> Option<Occasion> {
        if !self.core.begun || self.core.closed {
            return None;
        }
        if self.over() {
            return Some(Occasion::GameOver);
        }
        if begins {
            return Some(Occasion::Opening);
        }
        let key = self.stage_now().map(|stage| stage.key);
        (key != self.core.lettered).then_some(Occasion::StageReport)
    }

    fn letter_to_one(&mut self, at: usize, wrote: bool, out: &mut Batch) {
        let Some(post) = self.core.posts.get(at) else { return };
        let dues: Vec<String> =
            self.open_dues().into_iter().filter(|due| due.seat == post.seat).map(|due| due.address).collect();
        let asked = dues.iter().any(|address| !post.shown.contains(address));
        // What became of lines that were only taken is an answer still; without such lines a question stands alone.
        let answers = post.pending.iter().any(|pending| pending.outcome.is_some());
        // One of several seats hears of its own lines also while play waits for another seat of its side.
        let several = self.core.desk.staff.chair(&post.seat).is_some();
        if wrote {
            let open = !dues.is_empty() || (several && self.side_writes(&post.side));
            self.letter(at, Occasion::Answer, open, out);
        } else if asked && !answers {
            self.letter(at, Occasion::Question, true, out);
        } else if (asked || post.owing || (several && answers)) && !dues.is_empty() {
            self.letter(at, Occasion::Answer, true, out);
        }
    }

    /// Whether play stands at the sheet of a side that has several seats.
    fn side_writes(&self, side: &SideId) -> bool {
        let staff = &self.core.desk.staff;
        let of_side = |due: &Due| staff.chair(&due.seat).is_some_and(|chair| chair.side == *side);
        self.core.dues.iter().any(|due| due.prompt.is_none() && of_side(due))
    }

    /// Writes one letter; `advance` says whether the seat is told more than its last one told.
    fn letter(&mut self, at: usize, occasion: Occasion, advance: bool, out: &mut Batch) {
        let stretch = self.turn_page(at, advance);
        let Some(sections) = self.stuff(at, &stretch).map(|stuff| stuff.write()) else { return };
        self.send(at, occasion, &stretch, sections, out);
    }

    /// Brings a seat to its next letter, and gives what this is to tell.
    fn turn_page(&mut self, at: usize, advance: bool) -> Stretch {
        let entries = self.past.entries;
        let turn = self.core.turn;
        let dues = self.open_dues();
        let view = if advance { self.look_for(at) } else { None };
        let Some(post) = self.core.posts.get_mut(at) else { return Stretch::default() };
        let (from, told) = (post.barrier, post.since);
        if advance {
            if let Some(view) = view {
                let last = std::mem::replace(&mut post.view, view);
                post.before = (from > 0).then_some(last);
            }
            post.since = from;
            post.barrier = entries;
            post.turn = turn;
            post.shown = dues.into_iter().filter(|due| due.seat == post.seat).map(|due| due.address).collect();
        }
        post.owing = !advance;
        Stretch { entries: from..post.barrier, told, ..Stretch::default() }
    }

    /// Puts a letter's sections together with its answers and sends it on its way. What a seat was told in its stretch is
    /// more than nothing only where it advanced.
    fn send(&mut self, at: usize, occasion: Occasion, stretch: &Stretch, sections: Sections, out: &mut Batch) {
        // WHY asks about the last letter that told something: one that tells nothing takes nothing from it.
        if sections.story.is_empty()
            && let Some(post) = self.core.posts.get_mut(at)
        {
            post.since = stretch.told;
        }
        let mut sections = self.with_asks(at, stretch, sections);
        let told_in = std::mem::take(&mut sections.told_in);
        let advance = self.core.posts.get(at).is_some_and(|post| !post.owing);
        sections.answers = self.answers_told(at, stretch.entries.start, (sections.story.len(), &told_in), advance);
        sections.told_in = told_in;
        if occasion == Occasion::Answer {
            sections.sheet = self.core.posts.get(at).and_then(|post| self.sheet_state(&post.seat));
        }
        let Some(post) = self.core.posts.get(at) else { return };
        let sections = Seen::sealed(Viewer::Side(post.side.clone()), sections);
        out.letters.push(Letter { turn: self.core.turn, seat: post.seat.clone(), occasion, sections });
    }

    /// The parts of a report for a seat where it stands, telling one stretch.
    pub(super) fn sections(&self, at: usize, stretch: &Stretch) -> Option<Sections> {
        let sections = self.stuff(at, stretch)?.write();
        Some(self.with_asks(at, stretch, sections))
    }

    /// What a seat's page is written from.
    pub(super) fn stuff(&self, at: usize, stretch: &Stretch) -> Option<Stuff<'_, R>> {
        let post = self.core.posts.get(at)?;
        if post.before.is_none() && !stretch.whole && !stretch.entries.is_empty() {
            self.past.reach(post.since);
        }
        let told = self
            .told_to(post, self.asked_from(stretch))
            .filter(|t| stretch.entries.contains(&t.at) && t.turn >= stretch.since_turn)
            .map(|t| R::for_seat(&t.body, &post.seat))
            .collect();
        // While play waits for somebody else's answer, its sheet is as open as its last letter said.
        let offers = self.open_sheet(&post.seat).is_some_and(|sheet| post.shown.contains(&sheet));
        // A letter that tells no more than the last shows nothing new.
        let before = if stretch.entries.is_empty() { Some(&post.view) } else { post.before.as_ref() };
        let offers = Some(&post.offered).filter(|_| offers && !self.ground.unread);
        Some(Stuff { view: &post.view, before, told, format: post.form, whole: stretch.whole, offers })
    }

    /// The place of the chain from which on a stretch tells.
    fn asked_from(&self, stretch: &Stretch) -> usize {
        self.past.since_turn(stretch.since_turn, stretch.entries.start)
    }

    /// What its side's other seats do, the questions that a seat's last letter named, and the rolls of a stretch that it
    /// may see.
    fn with_asks(&self, at: usize, stretch: &Stretch, mut sections: Sections) -> Sections {
        let Some(post) = self.core.posts.get(at) else { return sections };
        self.keep_own(&post.seat, &post.view, &mut sections.offers);
        if !sections.offers.is_empty() {
            sections.lodged = self.lodged(&post.seat);
        }
        sections.staff = self.staff_lines(post);
        for due in self.core.dues.iter().filter(|due| due.seat == post.seat && post.shown.contains(&due.address)) {
            sections.asks.extend(due.prompt.clone());
        }
        let rolls = self
            .past
            .rolls(self.asked_from(stretch))
            .iter()
            .filter(|r| stretch.entries.contains(&r.at) && r.turn >= stretch.since_turn && self.sees_roll(post, r));
        sections.rolls = rolls.map(|r| faced::<R>(&r.roll)).collect();
        sections
    }

    /// Why a line of one of several seats is not carried out yet: others may still write for an earlier step.
    fn waits_for(&self, post: &Post<R>) -> Option<String> {
        if self.sealed() || !self.side_writes(&post.side) {
            return None;
        }
        let key = self.stage_now()?.key;
        let journal = &self.core.journal;
        let writes = |seat: &SeatId| {
            let sheet = Journal::sheet(seat, &key);
            !journal.ended.contains(&sheet) && journal.lines.get(&sheet).is_none_or(Vec::is_empty)
        };
        let chairs = self.core.desk.staff.chairs(&post.side);
        let open = chairs.into_iter().map(|chair| &chair.seat).filter(|seat| **seat != post.seat && writes(seat));
        let names: Vec<&str> = open.map(|seat| seat.0.as_str()).collect();
        if names.is_empty() {
            return None;
        }
        let names = crate::text::and_list(&names);
        Some(format!("it waits for {names}, who may still write for the steps of the sheet before it."))
    }

    /// The sheets that a seat has lodged, each with the line that takes it back.
    fn lodged(&self, seat: &SeatId) -> Vec<(String, String)> {
        let Some(Key { word, default, .. }) = R::doctrines().iter().find(|key| R::lodges() == Some(key.word)) else {
            return Vec::new();
        };
        let book = self.core.desk.book(seat);
        let said = |(of, text): (&str, &str)| (format!("{of}: {text}"), format!("DOCTRINE {word} {default} FOR {of}"));
        book.subjects(word).filter(|(_, text)| text != default).map(said).collect()
    }

    /// The seats of a side that has several: what each commands, and who has ended the sheet that is open.
    pub(super) fn staff_lines(&self, post: &Post<R>) -> Vec<String> {
        let staff = &self.core.desk.staff;
        let key = self.stage_now().map(|stage| stage.key).unwrap_or_default();
        let journal = &self.core.journal;
        let mut lines = Vec::new();
        for chair in staff.chairs(&post.side) {
            let sheet = Journal::sheet(&chair.seat, &key);
            let names: Vec<&str> = chair.leaders.iter().map(|id| staff.name(id)).collect();
            let own = if chair.commander { "army commander" } else { "" };
            let mut parts: Vec<String> = vec![own.to_owned(), crate::text::and_list(&names)];
            if chair.seat == post.seat {
                parts.push("you".to_owned());
            }
            parts.extend(R::heard(&post.view, &post.seat, &chair.seat));
            if staff.gone().contains(&chair.seat) {
                parts.push("resigned: his leaders obey the army commander".to_owned());
            } else if journal.ended.contains(&sheet) || journal.draft_ended.contains(&sheet) {
                parts.push("has said END".to_owned());
            }
            parts.retain(|part| !part.is_empty());
            lines.push(format!("{}: {}", chair.seat, parts.join("; ")));
        }
        lines
    }

    /// The answers that a letter gives: of this mail all, of earlier ones what was still open; what is answered for
    /// good is forgotten.
    fn answers_told(
        &mut self,
        at: usize,
        from: usize,
        (paragraphs, told_in): (usize, &[Option<usize>]),
        advance: bool,
    ) -> Vec<Answered> {
        let Some(post) = self.core.posts.get(at) else { return Vec::new() };
        let first = self.heard_before(post, from);
        // A ruleset that joins paragraphs says where it tells what.
        let waits = if advance { self.waits_for(post) } else { None };
        let pointed = !told_in.is_empty() || self.told_to(post, from).count() == paragraphs;
        let spans: Vec<_> = post.pending.iter().map(|p| p.span.map(|span| self.heard_at(post, span))).collect();
        let Some(post) = self.core.posts.get_mut(at) else { return Vec::new() };
        let mut spans = spans.into_iter();
        let mut answers = Vec::new();
        post.pending.retain_mut(|p| {
            let fresh = std::mem::replace(&mut p.fresh, false);
            let known = advance || p.sheet.is_none();
            let outcome = if known { p.outcome.clone() } else { None };
            let last = outcome.is_some() || (p.sheet.is_none() && p.verdict.is_some());
            let span = spans.next().flatten();
            if fresh || last {
                let lines =
                    span.filter(|_| last && pointed).and_then(|(start, end)| lines_of(start, end, first, told_in));
                let (no, text) = (p.no, p.text.clone());
                let outcome = outcome.or_else(|| p.fault.clone().filter(|_| fresh));
                let mut notes: Vec<String> =
                    p.by.iter().map(|by| format!("by order of {by}, whose courier brought it.")).collect();
                let waiting = outcome.is_none() && p.sheet.is_some();
                notes.extend(waits.clone().filter(|_| waiting));
                answers.push(Answered { no, text, outcome, verdict: p.verdict.clone(), lines, notes });
            }
            !last
        });
        answers
    }
}

/// Numbers within a letter, from 1, of what lies between two places of all that was told.
fn lines_of(start: usize, end: usize, first: usize, told_in: &[Option<usize>]) -> Option<(u32, u32)> {
    let from = start.max(first);
    if end <= from {
        return None;
    }
    if !told_in.is_empty() {
        let lines = told_in.get(from - first..end - first)?.iter().flatten();
        let (least, most) = (lines.clone().min()?, lines.max()?);
        return Some((u32::try_from(*least).ok()?, u32::try_from(*most).ok()?));
    }
    Some((u32::try_from(from - first + 1).ok()?, u32::try_from(end - first).ok()?))
}
