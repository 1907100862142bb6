//! What a mail comes to: each line judged on the view of its seat's last letter, with the lines above it played.
//!
//! Nothing here but the writer's own view and his own words decides, so that an answer tells nothing.

use super::dropped::dropped;
use super::hosted::Hosted;
use super::mending::Mending;
use super::paper::Paper;
use super::remarks::{NOTHING_WAITS, STAYS, gone, held_by, is_or_are, left_out, lines_are, lines_of};
use super::remarks::{noted, waits_for};
use super::sheet::{As, Call, Came, Edit, Edited, Ending, Judged, Said, Sheet, Verdict, Waiting};
use super::take::Reading;
use super::trial::Reads;
use super::trial::courier;
use crate::fog::SeatId;
use crate::orders::mend::Mended;
use crate::orders::{self, fold};
use crate::rules::rehearsal::Known;
use crate::text;
use std::collections::{BTreeMap, BTreeSet};

/// A mail while it is read.
struct Plan<'a> {
    mail: &'a str,
    /// Lines of the sheet.
    lines: Vec<Waiting>,
    /// Numbers of lines that this mail brought or rewrote.
    fresh: BTreeSet<u32>,
    /// Lines whose place a line takes.
    replaces: BTreeMap<u32, Vec<u32>>,
    /// Lines that one word has rewritten so far, each with the number of the word.
    rewritten: Vec<(u32, u32)>,
    /// Questions answered by lines above.
    answered: BTreeSet<String>,
    /// Whether it changed the sheet.
    changed: bool,
    /// Whether a line is not taken that stands in no sheet: no answer to the question that is open, or a wrong number.
    amiss: bool,
    /// Whether the sheet is ended, and whether it was before this mail.
    ended: bool,
    was_ended: bool,
    /// The END that counts and has not taken effect yet, and whether its time has come.
    call: Option<Call>,
    called: bool,
    /// Lines that were TAKEN before this mail and are not any more.
    lost: BTreeSet<u32>,
    /// Lines that are TAKEN and wait until the line is put right that has its place before them.
    back: BTreeMap<u32, u32>,
    /// The END of the mail.
    end: Option<End>,
    came: Came,
    judged: Judged,
}

/// An END of a mail, and whether it takes effect later.
struct End {
    no: u32,
    text: String,
    ending: Ending,
    later: bool,
}

impl Plan<'_> {
    /// What a line is answered with; what one word does in several places is one answer.
    fn say(&mut self, (no, text): (u32, &str), verdict: Verdict) {
        let above = self.judged.said.iter_mut().find(|said| said.no == no && said.text == text);
        if let Some(Said { as_what: As::Verdict(said @ Verdict::Done { .. }), .. }) = above
            && matches!(verdict, Verdict::Done { .. } | Verdict::NotCounted { .. })
        {
            *said = said.joined(verdict);
            return;
        }
        self.judged.said.push(Said { no, text: text.to_owned(), as_what: As::Verdict(verdict) });
    }

    fn line(&mut self, no: u32, text: &str) {
        let mail = self.mail.to_owned();
        self.lines.push(Waiting { no, text: text.to_owned(), mail, taken: false });
        self.fresh.insert(no);
    }

    /// Notes what a line of a sheet has come to; whether it stands in the sheet from now on.
    fn stands(&mut self, line: &mut Waiting, verdict: &Verdict, sheet: &Sheet) -> bool {
        line.taken = false;
        let stood = sheet.lines.iter().any(|before| before.no == line.no && before.taken);
        if stood && matches!(verdict, Verdict::NotTaken(_) | Verdict::Waits { .. }) && !self.fresh.contains(&line.no) {
            self.lost.insert(line.no);
        }
        match verdict {
            Verdict::PassedOver { .. } | Verdict::Answered { .. } => {
                self.fresh.remove(&line.no);
                return false;
            }
            Verdict::NotTaken(mended) => {
                self.judged.faults.insert(line.no, mended.clone());
            }
            Verdict::Waits { .. } => {
                self.judged.waits.insert(line.no);
            }
            _ => {
                line.taken = true;
                // What has waited for a line that is put right now is carried out with it.
                if sheet.waits.contains(&line.no) {
                    self.fresh.insert(line.no);
                }
            }
        }
        true
    }
}

impl<R: Paper> Hosted<R> {
    /// What a mail comes to, and what its lines are answered with. Nothing is changed.
    pub(super) fn judge_mail(&self, at: usize, edits: &[Edited], mail: &str) -> (Came, Judged) {
        let Some(seat) = self.core.posts.get(at).map(|post| post.seat.clone()) else { return Default::default() };
        let address = if self.shut(at).is_some() { None } else { self.open_sheet(&seat) };
        let sheet = address.as_ref().map(|address| self.sheet_at(address)).unwrap_or_default();
        let in_force = address.as_ref().is_some_and(|address| self.core.journal.draft_ended.contains(address));
        let ended = in_force || sheet.call.is_some();
        let mut plan = Plan {
            mail,
            lines: sheet.lines.clone(),
            fresh: BTreeSet::new(),
            replaces: BTreeMap::new(),
            rewritten: Vec::new(),
            answered: BTreeSet::new(),
            changed: false,
            amiss: false,
            ended,
            was_ended: ended,
            call: sheet.call,
            called: false,
            lost: BTreeSet::new(),
            back: BTreeMap::new(),
            end: None,
            came: Came { top: sheet.top, held: sheet.held, ..Came::default() },
            judged: Judged::default(),
        };
        let known = Known::default();
        for edited in edits {
            plan.came.top = plan.came.top.max(edited.no);
            match (self.shut(at), &edited.edit) {
                (Some(why), _) => plan.say((edited.no, &edited.text), Verdict::not_taken(&format!("{why}."))),
                (None, Edit::Add) => self.added(at, &seat, address.is_some(), edited, (&known, &mut plan)),
                (None, Edit::End(_) | Edit::Later(_) | Edit::Call) => self.edited(edited, &mut plan),
                (None, _) if address.is_none() => {
                    plan.say((edited.no, &edited.text), Verdict::not_taken(&self.off_move(&seat)));
                }
                (None, _) => self.edited(edited, &mut plan),
            }
        }
        match address {
            Some(address) => self.settle_sheet(at, (address, &sheet), &mut plan),
            None => self.no_sheet(&seat, &mut plan),
        }
        plan.came.ended |= plan.ended && plan.call.is_none();
        plan.came.call = plan.call;
        (plan.came, plan.judged)
    }

    /// A line that is an answer, rides, or is one more line of the sheet.
    fn added(&self, at: usize, seat: &SeatId, open: bool, edited: &Edited, (known, plan): (&Known<R>, &mut Plan<'_>)) {
        let Edited { no, text, .. } = edited;
        match self.reading_but(seat, text, &plan.answered) {
            Reading::Answer(address) => {
                plan.answered.insert(address.clone());
                plan.came.answers.push((*no, text.clone(), address));
            }
            Reading::Neither(outcome) => match self.prose(at, *no, text) {
                Some(verdict) => plan.say((*no, text), verdict),
                None => {
                    plan.amiss = true;
                    plan.judged.said.push(Said { no: *no, text: text.clone(), as_what: As::Outcome(outcome) });
                }
            },
            Reading::Order if !open => {
                let verdict = self.prose(at, *no, text).unwrap_or_else(|| Verdict::not_taken(&self.off_move(seat)));
                plan.say((*no, text), verdict);
            }
            Reading::Order => {
                let twin = |line: &&Waiting| plan.fresh.contains(&line.no) && fold(&line.text) == fold(text);
                match plan.lines.iter().find(twin).map(|line| line.no) {
                    None if plan.lines.len() >= LINES_MAX => {
                        plan.amiss = true;
                        let why = format!("a sheet has room for {LINES_MAX} lines.");
                        plan.say((*no, text), Verdict::not_taken(&why));
                    }
                    Some(twin) => {
                        let why = format!("line {twin} says the same; it counts once.");
                        plan.say((*no, text), Verdict::PassedOver { why });
                    }
                    None => {
                        self.make_room(at, (*no, text), (known, plan));
                        plan.line(*no, text);
                    }
                }
            }
        }
    }

    /// A later order for the same piece and step takes the place of the one that waits; so does a line that puts right
    /// one that was not taken, and one that says the same.
    fn make_room(&self, at: usize, (no, text): (u32, &str), (known, plan): (&Known<R>, &mut Plan<'_>)) {
        let Some(post) = self.core.posts.get(at) else { return };
        let read = |text: &str| known.read(&post.view, &orders::line(0, text)).ok();
        let later = read(text);
        let replaced = |earlier: &str| {
            let (Some(later), Some(earlier)) = (&later, read(earlier)) else { return false };
            R::replaces(&post.view, later, &earlier)
        };
        // Who sends his whole mail once more means each line once.
        let same = |earlier: &str| fold(earlier) == fold(text) || replaced(earlier);
        let address = self.open_sheet(&post.seat).unwrap_or_default();
        let faults = self.core.sheets.get(&address).map(|sheet| &sheet.faults);
        let meant = |line: &Waiting| {
            // What this mail has put right is put right already.
            let open = !line.taken && !plan.fresh.contains(&line.no);
            let mended = faults.and_then(|faults| faults.get(&line.no)).filter(|_| open);
            mended.is_some_and(|mended| mended.lines.iter().any(|l| fold(l) == fold(text) || same(l)))
        };
        let gone: Vec<u32> = plan.lines.iter().filter(|line| same(&line.text) || meant(line)).map(|l| l.no).collect();
        plan.lines.retain(|line| !gone.contains(&line.no));
        if !gone.is_empty() {
            plan.replaces.insert(no, gone);
        }
    }

    /// A word about the sheet.
    fn edited(&self, edited: &Edited, plan: &mut Plan<'_>) {
        let Edited { no, text, edit } = edited;
        let verdict = match edit {
            Edit::Add => return,
            Edit::End(ending) | Edit::Later(ending) => {
                let later = matches!(edit, Edit::Later(_));
                plan.end.get_or_insert_with(|| End { no: *no, text: text.clone(), ending: *ending, later });
                return;
            }
            Edit::Call => {
                plan.called = plan.call.is_some();
                return;
            }
            Edit::Rewrite { line, text } => match plan.lines.iter_mut().find(|waiting| waiting.no == *line) {
                Some(waiting) => {
                    waiting.text.clone_from(text);
                    waiting.mail = plan.mail.to_owned();
                    plan.fresh.insert(*line);
                    plan.changed = true;
                    plan.rewritten.retain(|(at, _)| at == no);
                    plan.rewritten.push((*no, *line));
                    let all: Vec<u32> = plan.rewritten.iter().map(|(_, line)| *line).collect();
                    // One YES for several lines is one word, and answered once.
                    if all.len() > 1 {
                        plan.judged.said.retain(|said| said.no != *no);
                    }
                    let are = if all.len() > 1 { "are" } else { "is" };
                    Verdict::done(format!("{} {are} rewritten.", text::lines_by_number(&all)))
                }
                None => Verdict::not_taken(&gone(*line)),
            },
            Edit::Drop(lines) => taken_back(lines, plan),
            Edit::DropAll if plan.lines.is_empty() && !plan.ended && !plan.came.held => {
                Verdict::not_taken(NOTHING_WAITS)
            }
            Edit::DropAll => {
                let count = plan.lines.len();
                plan.lines.clear();
                plan.changed = true;
                let end = if plan.ended || plan.came.held { ", and your END with them" } else { "" };
                Verdict::done(format!("{} taken back{end}; your sheet is open and empty.", lines_are(count)))
            }
            Edit::UndoEnd if plan.ended => {
                plan.ended = false;
                plan.call = None;
                Verdict::done("your END is withdrawn; your sheet is open.")
            }
            Edit::UndoEnd => Verdict::not_taken("no END of yours counts that could be withdrawn."),
            Edit::Replace => {
                let count = plan.lines.len();
                plan.lines.clear();
                plan.changed = true;
                Verdict::done(format!("the lines below stand in place of {}.", lines_of(count)))
            }
        };
        plan.amiss |= matches!((&verdict, edit), (Verdict::NotTaken(_), Edit::Rewrite { .. }));
        plan.say((*no, text), verdict);
    }

    /// Judges the lines of a sheet in order, each on the view that those above leave, and says what becomes of them.
    fn settle_sheet(&self, at: usize, (address, sheet): (String, &Sheet), plan: &mut Plan<'_>) {
        let Some(post) = self.core.posts.get(at) else { return };
        let (seat, sealed) = (&post.seat, self.sealed());
        let waits = sheet.held || sheet.call.is_some();
        let holds = plan.end.is_some() || (waits && !plan.lines.is_empty());
        let mut course = self.on_its_way(seat, &post.view, &address, sealed);
        let mut kept: Vec<Waiting> = Vec::new();
        let mut found: BTreeMap<u32, Verdict> = BTreeMap::new();
        let places: BTreeMap<u32, usize> = (0..).zip(&plan.lines).map(|(place, line)| (line.no, place)).collect();
        let mut lines = std::mem::take(&mut plan.lines);
        let mut mending = Mending::default();
        course.expect(lines.iter().map(|line| line.text.as_str()));
        let mut reads = Reads::none();
        while !lines.is_empty() {
            let seen = mending.seen(&course);
            let next = self.next(seat, seen, &mut reads, lines.iter().map(|line| line.text.as_str()));
            let mut line = lines.remove(next);
            // What is not carried out with them is not played before the lines below it.
            let stays = sealed || holds || plan.fresh.contains(&line.no) || sheet.waits.contains(&line.no);
            let mut verdict = match self.travels(at, &line.text) {
                Some(to) => courier(&to),
                None => self.verdict(seat, &mut course, (line.no, &line.text), stays),
            };
            if let Some((read, taken)) = self.read_as(seat, &mut course, (line.no, &verdict), stays) {
                (line.text, verdict) = (read, taken);
            }
            let begun = || self.on_its_way(seat, &post.view, &address, sealed);
            let above = kept.iter().filter(|above| above.taken).map(|above| (above.no, above.text.as_str()));
            let late = matches!(verdict, Verdict::NotTaken(_))
                .then(|| self.overtaken(seat, course.now(), &line.text, begun, above))
                .flatten();
            let anew = || self.played_so_far(seat, (&post.view, &address, sealed), &kept);
            match late {
                // What has its place above is neither played nor put right below.
                Some(late) => verdict = late,
                None => self.mend_with(seat, &mut mending, anew, (&line, stays), &mut verdict),
            }
            if plan.stands(&mut line, &verdict, sheet) {
                found.insert(line.no, noted(verdict, plan.replaces.get(&line.no)));
                kept.push(line);
            } else {
                plan.say((line.no, &line.text), verdict);
            }
        }
        // They are judged as they will be carried out, and wait as they were written.
        kept.sort_by_key(|line| places.get(&line.no));
        plan.changed |= kept.iter().any(|line| plan.fresh.contains(&line.no)) || !plan.replaces.is_empty();
        plan.back = self.kept_back(post, sealed || holds, &kept, &plan.judged.faults);
        plan.back.iter().for_each(|(no, slip)| waits_for(found.get_mut(no), *slip));
        open_again(sheet, &mut kept, &mut found, plan);
        without_ends(&mut kept, plan);
        let left = if plan.end.is_some() && !sealed { left_out(&course) } else { String::new() };
        self.count_end(&mut kept, plan, &left);
        self.part(at, kept, sealed, plan);
        tell(found, plan);
        let waiting = std::mem::take(&mut plan.came.waiting);
        plan.came.waiting = waiting.into_iter().map(|line| line.kept(&sheet.lines)).collect();
        plan.came.sheet = Some(address);
    }

    /// Whether END counts, and what it is answered with; who is left out by it is named.
    fn count_end(&self, kept: &mut Vec<Waiting>, plan: &mut Plan<'_>, left: &str) {
        let waits = plan.judged.waits.clone();
        let faulty: Vec<u32> = kept.iter().filter(|l| !l.taken && !waits.contains(&l.no)).map(|l| l.no).collect();
        let Some(End { no, text, ending, later }) = plan.end.take() else {
            // A sheet that was ended opens again with a line that is not taken, and waits for it.  Live, what waited for an
            // END that is taken back waits for the next: else a line behind it would be carried out before it.
            let reopened = plan.was_ended && plan.changed && !faulty.is_empty();
            let withdrawn = plan.was_ended && !plan.ended && !self.sealed();
            plan.came.held = (plan.came.held || reopened || withdrawn) && !kept.is_empty();
            return;
        };
        plan.came.held = false;
        let verdict = match ending {
            Ending::Doubtful => doubtful(&text, kept, plan),
            Ending::Counted | Ending::IfAllDone | Ending::Held | Ending::Unsent if !faulty.is_empty() => {
                plan.came.held = true;
                let waits: Vec<u32> = waits.into_iter().collect();
                Verdict::NotCounted { why: held_by(&faulty, &waits) }
            }
            Ending::Counted | Ending::IfAllDone | Ending::Held if plan.amiss || ending == Ending::Held => {
                plan.came.held = true;
                Verdict::NotCounted { why: WITHOUT.to_owned() }
            }
            Ending::Unsent => {
                plan.came.held = true;
                Verdict::NotCounted { why: UNSENT.to_owned() }
            }
            // What was TAKEN is dropped by nobody who has not been told that it is not.
            Ending::Anyway if !plan.lost.is_empty() => {
                plan.came.held = true;
                let lost: Vec<u32> = plan.lost.iter().copied().collect();
                let (were, are) = if lost.len() == 1 { ("was", "is") } else { ("were", "are") };
                let lost = text::lines_by_number(&lost);
                let why =
                    format!("{lost} {were} TAKEN before and {are} not any more.  END ANYWAY once more drops {lost}.");
                Verdict::NotCounted { why }
            }
            Ending::IfAllDone if !self.sealed() && kept.iter().any(|line| line.taken) => {
                match plan.call {
                    Some(Call { if_done: true, .. }) => {}
                    _ if later => (plan.ended, plan.call) = (true, Some(Call { end: no, if_done: true })),
                    _ => plan.came.if_done = Some(no),
                }
                Verdict::done("your sheet closes if every line comes out DONE or FAILED.")
            }
            Ending::Anyway if !faulty.is_empty() => {
                let (good, bad): (Vec<Waiting>, Vec<Waiting>) =
                    std::mem::take(kept).into_iter().partition(|line| line.taken);
                *kept = good;
                plan.ended = true;
                plan.call = later.then_some(Call { end: no, if_done: false });
                let faults = std::mem::take(&mut plan.judged.faults);
                plan.judged.waits.clear();
                let dropped = dropped(&bad, &faults, &plan.fresh);
                let left = if left.is_empty() { String::new() } else { format!(".  {left}") };
                Verdict::done(format!("dropped: {dropped}{left}"))
            }
            _ => {
                // After END IF ALL DONE it is another END, and its time begins anew.
                let other = plan.call.is_some_and(|call| call.if_done);
                let counts = plan.ended && !other;
                if later && !counts {
                    plan.call = Some(Call { end: no, if_done: false });
                }
                plan.ended = true;
                Verdict::done(if counts { "it counts already." } else { left })
            }
        };
        plan.say((no, &text), verdict);
    }

    /// What of a sheet is carried out now, what rides, and what waits.
    fn part(&self, at: usize, kept: Vec<Waiting>, sealed: bool, plan: &mut Plan<'_>) {
        if plan.called
            && let Some(call) = plan.call.take()
        {
            plan.came.if_done = Some(call.end).filter(|_| call.if_done && !sealed);
            plan.ended = plan.came.if_done.is_none();
        }
        for line in kept {
            let now = !plan.came.held
                && plan.call.is_none()
                && line.taken
                && !plan.back.contains_key(&line.no)
                && (plan.ended || plan.came.if_done.is_some() || plan.fresh.contains(&line.no));
            match self.travels(at, &line.text).filter(|_| now) {
                Some(to) => plan.came.riders.push((line.no, line.text, to)),
                None if now && !sealed => plan.came.carried.push(line),
                None => plan.came.waiting.push(line),
            }
        }
    }

    /// Where no sheet is open, END ends nothing.
    fn no_sheet(&self, seat: &SeatId, plan: &mut Plan<'_>) {
        let Some(End { no, text, .. }) = plan.end.take() else { return };
        let asked = self.core.dues.iter().any(|due| due.seat == *seat && due.prompt.is_some());
        let verdict = match asked {
            true => Verdict::PassedOver { why: "no sheet of yours is open; your answers count without it.".to_owned() },
            false => Verdict::not_taken(&self.off_move(seat)),
        };
        plan.say((no, &text), verdict);
    }

    /// Why a line of a seat has no sheet to go to.
    fn off_move(&self, seat: &SeatId) -> String {
        match self.core.last_sheets.get(seat) {
            Some(title) => format!("your sheet for {title} is closed; a report says when the next one opens."),
            None => "it is not your turn to order; a report says when it is.".to_owned(),
        }
    }
}

/// A sheet that has changed is open again; what is sealed stays as it was sealed, whatever is asked meanwhile.
fn open_again(sheet: &Sheet, kept: &mut Vec<Waiting>, found: &mut BTreeMap<u32, Verdict>, plan: &mut Plan<'_>) {
    if plan.changed {
        plan.ended = false;
        plan.call = None;
    } else if plan.ended {
        kept.clone_from(&sheet.lines);
        found.clear();
        plan.judged.faults.clear();
        plan.judged.waits.clear();
    }
}

/// A line of which nothing is to be done is answered at once; the others with what becomes of them.
fn tell(mut found: BTreeMap<u32, Verdict>, plan: &mut Plan<'_>) {
    for line in plan.came.waiting.clone() {
        match found.remove(&line.no) {
            Some(verdict) if !line.taken => plan.say((line.no, &line.text), verdict),
            Some(verdict) => {
                plan.judged.verdicts.insert(line.no, verdict);
            }
            None => {}
        }
    }
    for line in &plan.came.carried {
        if let Some(verdict) = found.remove(&line.no) {
            plan.judged.verdicts.insert(line.no, verdict);
        }
    }
}

/// Why END does not count below a line that stands in no sheet and is not taken.
const WITHOUT: &str = "a line above it is not taken.  Send END again without that line.";
/// Why END does not count over an empty sheet behind a CHECK.
const UNSENT: &str = "the lines of your CHECK are not sent: a CHECK does nothing.  Answer SEND and END to send them and end, \
                      or END once more to end without them.";
/// Lines that are named by their words when they are taken back.
const NAMED_MAX: usize = 4;
/// Lines of one sheet that wait.
const LINES_MAX: usize = 400;
/// Takes lines back that wait. A number behind which none waits leaves the others as they are meant, and holds no END: what
/// its writer wants gone is gone.
fn taken_back(lines: &[u32], plan: &mut Plan<'_>) -> Verdict {
    let (live, dead): (Vec<u32>, Vec<u32>) =
        lines.iter().copied().partition(|no| plan.lines.iter().any(|waiting| waiting.no == *no));
    let none = || format!("no line {} of yours waits.  {STAYS}", crate::text::or_list(&dead));
    if live.is_empty() {
        return Verdict::PassedOver { why: none() };
    }
    let (gone, rest): (Vec<Waiting>, Vec<Waiting>) =
        std::mem::take(&mut plan.lines).into_iter().partition(|waiting| live.contains(&waiting.no));
    plan.lines = rest;
    plan.changed = true;
    // By their words, for a number may be that of another letter.
    let named: Vec<String> =
        gone.iter().map(|line| format!("{} {}", line.no, crate::text::quoted(&line.text))).collect();
    let back = match named.as_slice() {
        named if named.len() > NAMED_MAX => format!("{} taken back.", lines_are(live.len())),
        named => format!("{} taken back: {}.", lines_are(live.len()), named.join("; ")),
    };
    match dead.as_slice() {
        [] => Verdict::done(back),
        _ => {
            Verdict::done(format!("{} {} taken back; {}", text::lines_by_number(&live), is_or_are(live.len()), none()))
        }
    }
}

/// Lines that only say END in other words say it no more where END itself is said.
fn without_ends(kept: &mut Vec<Waiting>, plan: &mut Plan<'_>) {
    if plan.end.as_ref().is_none_or(|end| end.ending == Ending::Doubtful) {
        return;
    }
    let faults = &plan.judged.faults;
    let (ends, rest): (Vec<Waiting>, Vec<Waiting>) = std::mem::take(kept)
        .into_iter()
        .partition(|line| !line.taken && faults.get(&line.no).is_some_and(Mended::is_end));
    *kept = rest;
    for line in ends {
        plan.judged.faults.remove(&line.no);
        plan.lost.remove(&line.no);
        if plan.fresh.contains(&line.no) {
            plan.say((line.no, &line.text), Verdict::PassedOver { why: "the END of this mail says it.".to_owned() });
        }
    }
}

/// What is said of a word that is nearly END; the lines wait for one that is.
fn doubtful(word: &str, kept: &[Waiting], plan: &mut Plan<'_>) -> Verdict {
    plan.came.held = !kept.is_empty();
    Verdict::NotCounted { why: format!("{} is read as END.  Send END, and it counts.", text::quoted(word)) }
}
