//! Suggestions for several lines of one sheet, rehearsed together, so that one YES for all of them does what it says.

use super::barrier::Post;
use super::hosted::Hosted;
use super::paper::Paper;
use super::sheet::{Verdict, Waiting};
use crate::fog::SeatId;
use crate::orders;
use crate::orders::mend::Mended;
use crate::rules::rehearsal::Plan as Course;
use crate::text;
use std::collections::BTreeMap;

/// The sheet as it would be with the suggestions taken, from the first line on that has one.
pub(super) struct Mending<R: Paper> {
    plan: Option<Course<R>>,
    /// Lines with suggestions so far.
    above: Vec<u32>,
}

impl<R: Paper> Default for Mending<R> {
    fn default() -> Self {
        Mending { plan: None, above: Vec::new() }
    }
}

impl<R: Paper> Mending<R> {
    /// What the next line is looked for on: the sheet with the suggestions taken, or as it was written.
    pub(super) fn seen<'p>(&'p self, written: &'p Course<R>) -> &'p Course<R> {
        self.plan.as_ref().unwrap_or(written)
    }
}

impl<R: Paper> Hosted<R> {
    /// A sheet as far as its lines were taken.
    pub(super) fn played_so_far(
        &self,
        seat: &SeatId,
        (view, address, sealed): (&R::View, &str, bool),
        kept: &[Waiting],
    ) -> Course<R> {
        let mut plan = self.on_its_way(seat, view, address, sealed);
        for above in kept.iter().filter(|line| line.taken) {
            self.replay(seat, &mut plan, (above.no, &above.text));
        }
        plan
    }

    /// Lines of a live mail without END that are taken and wait all the same, each with the line that is not taken and has its
    /// place before them: carried out now, they would end the part of the turn to which it belongs.
    pub(super) fn kept_back(
        &self,
        post: &Post<R>,
        waits: bool,
        kept: &[Waiting],
        faults: &BTreeMap<u32, Mended>,
    ) -> BTreeMap<u32, u32> {
        if waits || faults.is_empty() {
            return BTreeMap::new();
        }
        let (view, book) = (&post.view, self.core.desk.answers(&post.seat));
        let read = |text: &str| orders::read(R::verbs(), view, &orders::line(0, text)).ok();
        // Where nothing is offered in its stead, its writer may still put it right.
        let meant = |line: &Waiting| {
            let offered = faults.get(&line.no)?.lines.first();
            Some((line.no, offered.and_then(|offered| read(offered)).or_else(|| read(&line.text))?))
        };
        let slips: Vec<(u32, R::Order)> = kept.iter().filter(|line| !line.taken).filter_map(meant).collect();
        let behind = |line: &Waiting| {
            let order = read(&line.text)?;
            let first =
                |slip: &R::Order| R::next(view, &book, &mut [order.clone(), slip.clone()].into_iter()) == Some(1);
            slips.iter().find(|(_, slip)| first(slip)).map(|(no, _)| (line.no, *no))
        };
        kept.iter().filter(|line| line.taken).filter_map(behind).collect()
    }

    /// Looks for what is suggested for a line on the sheet with the suggestions above it taken, and plays it there. What is
    /// taken there as it was written waits for them: the slip is theirs, and one cure is enough.
    pub(super) fn mend_with(
        &self,
        seat: &SeatId,
        mending: &mut Mending<R>,
        anew: impl FnOnce() -> Course<R>,
        (line, stays): (&Waiting, bool),
        verdict: &mut Verdict,
    ) {
        let Verdict::NotTaken(mended) = verdict else {
            if let Some(plan) = mending.plan.as_mut().filter(|_| stays) {
                self.replay(seat, plan, (line.no, &line.text));
            }
            return;
        };
        // END in other words changes nothing on the board.
        if mended.is_end() {
            return;
        }
        if let Some(plan) = &mut mending.plan
            && let Ok(Verdict::Taken { notes, warnings }) = self.tried(seat, plan, (line.no, &line.text), true)
        {
            *verdict = Verdict::Waits { above: mending.above.clone(), notes, warnings };
            return;
        }
        match &mut mending.plan {
            Some(plan) => self.suggested_with(seat, plan, (line.no, &line.text), mended, &mending.above),
            None if mended.lines.is_empty() => {}
            None => mending.plan = Some(anew()),
        }
        if let (Some(plan), Some(first)) = (&mut mending.plan, mended.lines.first().cloned()) {
            // What CHECK warns of is said before it is taken.
            if let Ok(Verdict::Taken { warnings, .. }) = self.tried(seat, plan, (line.no, &first), true) {
                let warned = (!warnings.is_empty()).then(|| format!("{}A: {}.", line.no, warnings.join("; ")));
                let notes: Vec<String> = mended.note.take().into_iter().chain(warned).collect();
                mended.note = (!notes.is_empty()).then(|| notes.join("  "));
            }
            mending.above.push(line.no);
        }
    }

    /// A line is heard anew behind the suggestions above: by them others act, or stand elsewhere. What is meant then goes first;
    /// where nothing can be taken together with them, the reason is said.
    fn suggested_with(
        &self,
        seat: &SeatId,
        plan: &mut Course<R>,
        (no, text): (u32, &str),
        mended: &mut Mended,
        above: &[u32],
    ) {
        let then = match self.verdict(seat, plan, (no, text), false) {
            Verdict::NotTaken(then) => then,
            _ => Mended::default(),
        };
        let alone = std::mem::take(&mut mended.lines);
        let (good, bad) = alone.iter().cloned().partition::<Vec<String>, _>(|line| self.takes(seat, plan, line));
        let hidden = alone.is_empty();
        let Some(first) = then.lines.first() else {
            // Below a slip that stands in the way of all its own fault is not to be seen.
            if good.is_empty() && !then.why.is_empty() && then.why != mended.why {
                mended.note = Some(format!("When {} put right: {}", are(above), then.why));
            }
            mended.lines = if good.is_empty() { Vec::new() } else { good.into_iter().chain(bad).collect() };
            return;
        };
        if !alone.contains(first) {
            let mut all: Vec<u32> = above.iter().copied().chain([no]).collect();
            all.sort_unstable();
            let all: Vec<String> = all.iter().map(u32::to_string).collect();
            mended.note = Some(format!("{no}A can be taken when {} put right: YES {}.", are(above), all.join(" ")));
        }
        if hidden {
            (mended.why, mended.rule) = (then.why, then.rule);
        }
        mended.lines = then.lines;
        let others = good.into_iter().filter(|line| !mended.lines.contains(line)).collect::<Vec<String>>();
        mended.lines.extend(others);
        mended.lines.truncate(R::SUGGESTIONS_MAX);
    }
}

/// Lines by number with their verb: `line 2 is`, `lines 2 and 5 are`.
fn are(lines: &[u32]) -> String {
    format!("{} {}", text::lines_by_number(lines), if lines.len() == 1 { "is" } else { "are" })
}
