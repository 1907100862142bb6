//! What single lines come to, tried one behind the other on a view of their seat.

use super::Answered;
use super::hosted::Hosted;
use super::mending::Mending;
use super::paper::Paper;
use super::sheet::{Verdict, Waiting};
use super::take::Reading;
use crate::fog::SeatId;
use crate::orders::mend::{Meaning, Mended, Topic, listed};
use crate::orders::{self, Fault, fold};
use crate::rules::journal::By;
use crate::rules::rehearsal::{Plan as Course, Warning};
use crate::rules::{Ask, Outcome};
use std::collections::BTreeMap;

/// What CHECK says of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rehearsal {
    /// Each line.
    pub answers: Vec<Answered>,
    /// What its writer should know of the whole, each with its paragraph.
    pub warnings: Vec<(String, String)>,
}

/// Lines as they were read on a plan since its last line was played: which comes next is asked anew behind each. A line with a
/// slip has its place by the order that is read in it.
pub(super) struct Reads<R: Paper> {
    played: usize,
    orders: BTreeMap<String, Option<R::Order>>,
    /// What was read in lines with a slip; none where no order is in them.
    slips: BTreeMap<String, Option<R::Order>>,
    /// How often that was asked.
    asked: u32,
}

impl<R: Paper> Reads<R> {
    pub(super) fn none() -> Reads<R> {
        Reads { played: 0, orders: BTreeMap::new(), slips: BTreeMap::new(), asked: 0 }
    }

    fn read(&mut self, course: &Course<R>, text: &str) -> Option<R::Order> {
        if self.played != course.played() {
            self.played = course.played();
            self.orders.clear();
        }
        if let Some(known) = self.orders.get(text) {
            return known.clone();
        }
        let order = match course.read(&orders::line(0, text)) {
            Ok(order) => Some(order),
            Err(fault) => self.slip(course.now(), text, &fault),
        };
        self.orders.insert(text.to_owned(), order.clone());
        order
    }

    /// The order that is read in a line with a slip, if one is; where nothing can be offered yet it is asked again behind the
    /// lines that are played before it.
    fn slip(&mut self, now: &R::View, text: &str, fault: &Fault) -> Option<R::Order> {
        if let Some(known) = self.slips.get(text) {
            return known.clone();
        }
        self.asked += 1;
        if self.asked > ASIDES_MAX {
            return None;
        }
        let order = match R::meant(now, &orders::line(0, text), fault) {
            Meaning::Attempt(mended) => {
                let first = mended.lines.first()?;
                Some(orders::read(R::verbs(), now, &orders::line(0, first)).ok()?)
            }
            Meaning::Nothing | Meaning::Question(_) => None,
        };
        self.slips.insert(text.to_owned(), order.clone());
        order
    }
}

impl<R: Paper> Hosted<R> {
    /// What is neither an order nor anything like one, if a line is that.
    pub(super) fn prose(&self, at: usize, no: u32, text: &str) -> Option<Verdict> {
        let post = self.core.posts.get(at)?;
        match self.meaning(at, no, text)? {
            Meaning::Nothing => Some(Verdict::PassedOver { why: NO_ORDER.to_owned() }),
            Meaning::Question(topic) => Some(self.topic(&post.seat, &post.view, (text, topic))),
            Meaning::Attempt(_) => None,
        }
    }

    /// Whether a line holds neither an order nor a question.
    pub(super) fn is_idle(&self, at: usize, text: &str) -> bool {
        matches!(self.meaning(at, 0, text), Some(Meaning::Nothing))
    }

    /// What was meant by a line that gives no order as its seat's last letter shows things.
    fn meaning(&self, at: usize, no: u32, text: &str) -> Option<Meaning> {
        let post = self.core.posts.get(at)?;
        if Self::listed(text).is_some() {
            return None;
        }
        let line = orders::line(no, text);
        let fault = orders::read(R::verbs(), &post.view, &line).err()?;
        Some(R::meant(&post.view, &line, &fault))
    }

    fn topic(&self, seat: &SeatId, view: &R::View, (text, topic): (&str, Topic)) -> Verdict {
        let lines = match topic {
            Topic::Win => R::victory(view),
            Topic::Help => self.plainly(seat, text),
            Topic::Rule(paragraph) => R::rule(&paragraph),
            Topic::Told(lines) => lines,
        };
        Verdict::Answered { lines }
    }

    /// What is said of a line where the fault of it is known.
    fn faulty(&self, seat: &SeatId, course: &mut Course<R>, (no, text): (u32, &str), fault: &Fault) -> Verdict {
        // It can be read, so nothing else was meant: the staff's own words say who commands here.
        if let Some(fault) = self.barred(seat, course.now(), text) {
            return Verdict::NotTaken(Mended::from(&fault));
        }
        if let Some((rest, counted)) = Self::listed(text) {
            return self.unlisted(seat, course, (no, rest), counted);
        }
        match R::meant(course.now(), &orders::line(no, text), fault) {
            Meaning::Nothing => Verdict::PassedOver { why: NO_ORDER.to_owned() },
            Meaning::Question(topic) => self.topic(seat, course.now(), (text, topic)),
            Meaning::Attempt(mut mended) => {
                mended.lines.retain(|line| self.can_be_sent(seat, course, line));
                mended.lines.truncate(R::SUGGESTIONS_MAX);
                if mended.is_end() {
                    // Another verb that is near in letters only misleads.
                    (mended.why, mended.rule) =
                        (format!("\"{}\" is read as END", crate::text::quoted(text)), String::new());
                }
                Verdict::NotTaken(mended)
            }
        }
    }

    /// An order behind the sign of a list, and whether that is a bare number, if a line is that.
    fn listed(text: &str) -> Option<(&str, bool)> {
        let (rest, counted) = listed(text)?;
        let word = fold(rest.split_whitespace().next()?);
        R::verbs().iter().any(|verb| fold(verb.word) == word).then_some((rest, counted))
    }

    /// What is said of a line behind the sign of a list: it is read without it. Behind a bare number another line may be meant.
    fn unlisted(&self, seat: &SeatId, course: &mut Course<R>, (no, rest): (u32, &str), counted: bool) -> Verdict {
        match self.tried(seat, course, (no, rest), false) {
            Ok(_) if !counted => {
                Verdict::NotTaken(Mended { lines: vec![rest.to_owned()], same: true, ..Mended::default() })
            }
            Ok(_) => {
                let why = "a line begins with its verb; a number and = before it change another line".to_owned();
                Verdict::NotTaken(Mended { why, lines: vec![rest.to_owned()], ..Mended::default() })
            }
            Err(fault) => self.faulty(seat, course, (no, rest), &fault),
        }
    }

    /// Judges one line behind those of a course; whether it is played before the lines below it is `stays`.
    pub(super) fn verdict(
        &self,
        seat: &SeatId,
        course: &mut Course<R>,
        (no, text): (u32, &str),
        stays: bool,
    ) -> Verdict {
        self.tried(seat, course, (no, text), stays)
            .map_err(|fault| orders::exampled(R::verbs(), course.now(), &orders::line(no, text), fault))
            .unwrap_or_else(|fault| self.faulty(seat, course, (no, text), &fault))
    }

    pub(super) fn tried(
        &self,
        seat: &SeatId,
        course: &mut Course<R>,
        (no, text): (u32, &str),
        stays: bool,
    ) -> Result<Verdict, Fault> {
        if let Some(fault) = self.barred(seat, course.now(), text) {
            return Err(fault);
        }
        let line = orders::line(no, text);
        let done = if stays { course.line(&line)? } else { course.aside(&line)? };
        let said = |warning: Warning| match warning.rule.as_str() {
            "" => warning.text,
            rule => format!("{} [{rule}]", warning.text),
        };
        Ok(Verdict::Taken { notes: done.said, warnings: done.warnings.into_iter().map(said).collect() })
    }

    /// Whether a line that the ones below do not follow upon would be taken.
    pub(super) fn takes(&self, seat: &SeatId, course: &mut Course<R>, text: &str) -> bool {
        self.barred(seat, course.now(), text).is_none() && course.takes(&orders::line(0, text))
    }

    /// Plays a line of which nothing is said; one that comes to nothing leaves the board as it is.
    pub(super) fn replay(&self, seat: &SeatId, course: &mut Course<R>, (no, text): (u32, &str)) {
        if self.barred(seat, course.now(), text).is_none() {
            course.replay(&orders::line(no, text));
        }
    }

    /// The first of some lines with which a later part of the turn begins, where one that belongs into an earlier part stands
    /// below it; none where that part was over before any of them. `anew` is the sheet without them.
    pub(super) fn overtaken<'l>(
        &self,
        seat: &SeatId,
        now: &R::View,
        text: &str,
        anew: impl FnOnce() -> Course<R>,
        mut above: impl Iterator<Item = (u32, &'l str)>,
    ) -> Option<Verdict> {
        let order = orders::read(R::verbs(), now, &orders::line(0, text)).ok().filter(|o| R::is_over(now, o))?;
        let mut course = anew();
        if R::is_over(course.now(), &order) {
            return None;
        }
        let (no, _) = above.find(|line| {
            self.replay(seat, &mut course, *line);
            R::is_over(course.now(), &order)
        })?;
        let why = format!("put it above line {no}, with which a later part of the turn begins.");
        let rule = match R::rehearse(now, &order) {
            Err(Fault::Refused { rule, .. }) => rule,
            _ => String::new(),
        };
        Some(Verdict::NotTaken(Mended { why, rule, ..Mended::default() }))
    }

    /// A line that was not taken and yet says what it should but for its form: the line that it is read as, and what is
    /// said of that.
    pub(super) fn read_as(
        &self,
        seat: &SeatId,
        course: &mut Course<R>,
        (no, verdict): (u32, &Verdict),
        stays: bool,
    ) -> Option<(String, Verdict)> {
        let Verdict::NotTaken(mended) = verdict else { return None };
        let [read] = mended.lines.as_slice() else { return None };
        if !mended.same {
            return None;
        }
        let Ok(Verdict::Taken { mut notes, warnings }) = self.tried(seat, course, (no, read), stays) else {
            return None;
        };
        notes.insert(0, if mended.why.is_empty() { format!("read as {read}.") } else { mended.why.clone() });
        Some((read.clone(), Verdict::Taken { notes, warnings }))
    }

    /// A suggestion must itself be taken; END is the one general command that a repair may name.
    fn can_be_sent(&self, seat: &SeatId, course: &mut Course<R>, line: &str) -> bool {
        let room = course.asides() < ASIDES_MAX;
        fold(line.trim()) == "end" || room && self.takes(seat, course, line)
    }

    /// Which of some lines is carried out next, of those that can be read; the first where the sheet's own order counts.
    pub(super) fn next<'l>(
        &self,
        seat: &SeatId,
        course: &Course<R>,
        known: &mut Reads<R>,
        mut lines: impl Iterator<Item = &'l str>,
    ) -> usize {
        if self.core.desk.staff.chair(seat).is_some() {
            return 0;
        }
        let view = course.now();
        let mut read = |text: &str| known.read(course, text);
        // What can't be read is judged where it stands.
        let Some(first) = lines.next().and_then(&mut read) else { return 0 };
        let mut places = vec![0];
        let below = (1..).zip(lines).filter_map(|(place, text)| {
            let order = read(text)?;
            places.push(place);
            Some(order)
        });
        let next = R::next(view, &self.core.desk.answers(seat), &mut std::iter::once(first).chain(below));
        next.and_then(|next| places.get(next).copied()).unwrap_or(0)
    }

    /// The view on which a sheet is judged: orders that wait outside it are played first.
    pub(super) fn on_its_way(&self, seat: &SeatId, view: &R::View, address: &str, sealed: bool) -> Course<R> {
        let mut course = self.course(seat, view);
        let drafts = self.core.journal.drafts.get(address);
        // Sealed, the draft is the sheet itself, behind what couriers have brought.
        let outside = drafts.into_iter().flatten().filter(|given| !sealed || matches!(given.by, By::Order(_)));
        for given in outside {
            self.replay(seat, &mut course, (given.no, &given.text));
        }
        course
    }

    /// An empty plan of a seat, who answers questions as its doctrine says.
    fn course(&self, seat: &SeatId, view: &R::View) -> Course<R> {
        let mut view = view.clone();
        R::lend(&mut view, &self.core.desk.answers(seat));
        let mut course = Course::new(view);
        if self.ground.unread {
            course.hush();
        }
        course
    }

    /// What the program's own player writes for a seat on a view: a part of its sheet; of a sealed sheet, of which nothing is
    /// carried out before it is ended, all parts, each planned by what those before it most likely make of the table.
    pub(super) fn own_player(&self, seat: &SeatId, view: &R::View, asks: &[Ask], noise: u64) -> Vec<String> {
        let part = |view: &R::View, asks: &[Ask]| {
            let mut lines = R::bot(view, asks, noise);
            self.keep_own(seat, view, &mut lines);
            lines
        };
        let is_end = |line: &String| line == "END";
        let mut all = part(view, asks);
        if !asks.is_empty() || all.iter().any(is_end) || self.sealed_sheet(seat).is_none() {
            return all;
        }
        let (mut course, mut written) = (self.course(seat, view), all.clone());
        for _ in 0..PARTS {
            written.iter().for_each(|line| self.replay(seat, &mut course, (0, line)));
            let next = part(course.now(), &[]);
            // Who writes the same again comes no further.
            if next == written {
                break;
            }
            all.extend(next.iter().filter(|line| !is_end(line)).cloned());
            if next.iter().any(is_end) {
                break;
            }
            written = next;
        }
        all.push("END".to_owned());
        all
    }

    /// What lines would come to, played one after the other; with the sheet's own first, if it is named. What is suggested for a
    /// line is tried with the suggestions above it taken.
    pub(super) fn played(&self, seat: &SeatId, lines: &[(u32, String)], sheet: bool) -> Rehearsal {
        let Some(post) = self.core.posts.iter().find(|post| post.seat == *seat) else { return Rehearsal::default() };
        let mut tried: Vec<(u32, String)> = Vec::new();
        if sheet && let Some(address) = self.open_sheet(seat) {
            tried.extend(self.sheet_at(&address).lines.into_iter().map(|line| (line.no, line.text)));
        }
        tried.extend(lines.iter().cloned());
        let mut course = self.course(seat, &post.view);
        course.expect(tried.iter().map(|(_, text)| text.as_str()));
        let mut trial = Trial { seat, view: &post.view, course, taken: Vec::new(), mending: Mending::default() };
        let (mut answers, mut reads) = (Vec::new(), Reads::none());
        while !tried.is_empty() {
            let seen = trial.mending.seen(&trial.course);
            let next = self.next(seat, seen, &mut reads, tried.iter().map(|(_, text)| text.as_str()));
            answers.push(self.try_line(&mut trial, tried.remove(next)));
        }
        let said = |warning: Warning| (warning.text, warning.rule);
        Rehearsal { answers, warnings: trial.course.warnings().into_iter().map(said).collect() }
    }

    /// What one more line would come to.
    fn try_line(&self, trial: &mut Trial<'_, R>, (no, text): (u32, String)) -> Answered {
        let (outcome, verdict) = match self.reading(trial.seat, &text) {
            Reading::Answer(_) => {
                let notes = vec!["answers the open question.".to_owned()];
                (None, Some(Verdict::Taken { notes, warnings: Vec::new() }))
            }
            Reading::Neither(outcome) => (Some(outcome), None),
            Reading::Order => {
                let (outcome, verdict) = self.try_order(trial, (no, &text));
                (outcome, Some(verdict))
            }
        };
        let notes = match &verdict {
            Some(Verdict::Taken { notes, .. }) => notes.clone(),
            _ => Vec::new(),
        };
        Answered { no, text, outcome, verdict, lines: None, notes }
    }

    fn try_order(&self, trial: &mut Trial<'_, R>, (no, text): (u32, &str)) -> (Option<Outcome>, Verdict) {
        let seat = trial.seat;
        let rides = self.post_of(seat).and_then(|post| self.travels(post, text));
        let tried = match rides {
            Some(to) => Ok(courier(&to)),
            None => self.tried(seat, &mut trial.course, (no, text), true),
        };
        let (outcome, read, mut verdict) = match tried {
            Ok(verdict) => (None, text.to_owned(), verdict),
            Err(fault) => {
                let above = trial.taken.iter().map(|(no, text)| (*no, text.as_str()));
                let anew = || self.course(seat, trial.view);
                if let Some(late) = self.overtaken(seat, trial.course.now(), text, anew, above) {
                    return (None, late);
                }
                let fault = orders::exampled(R::verbs(), trial.course.now(), &orders::line(no, text), fault);
                let verdict = self.faulty(seat, &mut trial.course, (no, text), &fault);
                match self.read_as(seat, &mut trial.course, (no, &verdict), true) {
                    Some((read, taken)) => (None, read, taken),
                    None => (Some(Outcome::from(fault)), text.to_owned(), verdict),
                }
            }
        };
        if outcome.is_none() {
            trial.taken.push((no, read.clone()));
        }
        self.mend_trial(trial, &Waiting { no, text: read, mail: String::new(), taken: false }, &mut verdict);
        (outcome, verdict)
    }

    /// Looks for what is suggested on the trial with the suggestions above taken.
    fn mend_trial(&self, trial: &mut Trial<'_, R>, line: &Waiting, verdict: &mut Verdict) {
        let Trial { seat, view, taken, mending, .. } = trial;
        let anew = || {
            let mut plan = self.course(seat, view);
            taken.iter().for_each(|(no, text)| self.replay(seat, &mut plan, (*no, text)));
            plan
        };
        self.mend_with(seat, mending, anew, (line, true), verdict);
    }
}

/// Lines that are tried, one behind the other.
struct Trial<'t, R: Paper> {
    seat: &'t SeatId,
    view: &'t R::View,
    course: Course<R>,
    /// Those that would be taken.
    taken: Vec<(u32, String)>,
    mending: Mending<R>,
}

/// Lines of one mail that are tried without being its own: behind so many slips nothing is suggested any more.
const ASIDES_MAX: u32 = 100;
/// Parts of a sealed sheet that the program's own player plans, one behind the other, at most.
const PARTS: usize = 60;
/// What is said of a line that holds none.
pub const NO_ORDER: &str = "no order in it.";

/// A line that rides is judged by who reads it.
pub(super) fn courier(to: &SeatId) -> Verdict {
    Verdict::Taken { notes: vec![format!("a courier would take it to {to}.")], warnings: Vec::new() }
}
