//! The face: what seats, umpire, store and tests may ask of a hosted game. All paper is of a seat's last barrier.

use super::barrier::Stretch;
use super::hosted::{Hosted, look};
use super::paper::{Format, Page, Paper, Sections};
use super::take::Reading;
use super::{Answered, Batch, Broken, Game, Input};
use crate::dice::Roll;
use crate::fog::{SeatId, Seen, SideId, Viewer, see};
use crate::orders;
use crate::rules::cx::{End, Leg, RecordOf};
use crate::rules::{Ask, Due, Key, Outcome, Record, Stage};

impl<R: Paper> Game for Hosted<R> {
    fn ruleset(&self) -> (&'static str, u32) {
        (R::NAME, R::VERSION)
    }

    fn seats(&self) -> Vec<(SeatId, SideId)> {
        self.ground.seats.clone()
    }

    fn form(&mut self, seat: &SeatId, format: Format) {
        if let Some(post) = self.core.posts.iter_mut().find(|post| post.seat == *seat) {
            post.form = format;
        }
    }

    fn take(&mut self, input: Input) -> Result<Batch, Broken> {
        self.take_whole(input)
    }

    fn stage(&self) -> Option<Stage> {
        self.stage_now()
    }

    fn slot(&self) -> u32 {
        self.core.slot
    }

    fn last_slot(&self) -> u32 {
        R::last_slot(&self.core.base.state)
    }

    fn dues(&self) -> Vec<Due> {
        self.open_dues()
    }

    fn on_move(&self, seat: &SeatId) -> bool {
        let asked = self.core.dues.iter().any(|due| due.seat == *seat && due.prompt.is_some());
        let resigned = self.core.posts.iter().any(|post| post.seat == *seat && post.resigned);
        self.core.begun && !self.over() && !resigned && (asked || self.open_sheet(seat).is_some())
    }

    fn check(&self, seat: &SeatId, lines: &[(u32, String)]) -> Seen<Vec<Answered>> {
        let mut answers = Vec::new();
        for (no, text) in lines {
            let (outcome, notes) = self.check_line(seat, *no, text);
            answers.push(Answered { no: *no, text: text.clone(), outcome, lines: None, notes });
        }
        self.seal(seat, answers)
    }

    fn report(&self, seat: &SeatId, since_turn: Option<u32>) -> Seen<Sections> {
        let sections = self.post_of(seat).and_then(|at| {
            let post = self.core.posts.get(at)?;
            let since_slot = since_turn.unwrap_or(post.slot);
            self.sections(at, &Stretch { entries: 0..post.barrier, since_slot })
        });
        self.seal(seat, sections.unwrap_or_default())
    }

    fn map(&self, seat: &SeatId, area: Option<&str>, format: Format) -> Seen<Vec<String>> {
        let drawn = self.with_view(seat, |view| R::map(view, area, format));
        self.seal(seat, drawn.map_or_else(Vec::new, |drawn| drawn.unwrap_or_else(|fault| vec![fault.to_string()])))
    }

    fn examples(&self, seat: &SeatId) -> Seen<Vec<String>> {
        let listed = self.with_view(seat, |view| {
            let mut lines = Vec::new();
            for verb in R::verbs() {
                lines.push(format!("{} {}   [{}]", verb.word, verb.usage, verb.rule));
                lines.extend((verb.examples)(view).into_iter().map(|example| format!("  {example}")));
            }
            lines
        });
        self.seal(seat, listed.unwrap_or_default())
    }

    fn bot(&self, seat: &SeatId, noise: u64) -> Seen<Vec<String>> {
        let asks: Vec<Ask> =
            self.open_dues().into_iter().filter(|due| due.seat == *seat).filter_map(|due| due.prompt).collect();
        let written = self.with_view(seat, |view| R::bot(view, &asks, noise));
        self.seal(seat, written.unwrap_or_else(|| vec!["END".to_owned()]))
    }

    fn history(&self, seat: &SeatId) -> Seen<Vec<String>> {
        let told = self.core.posts.iter().find(|post| post.seat == *seat).and_then(|post| {
            let told = self.past.told.get(self.side_index(&post.side)?)?;
            let lines = told.iter().filter(|t| t.at < post.barrier).map(|t| R::history(&post.view, &t.body));
            Some(lines.map(|(turn, line)| format!("{turn:>2}  {line}")).collect())
        });
        self.seal(seat, told.unwrap_or_default())
    }

    fn doctrine(&self, seat: &SeatId) -> Seen<Vec<String>> {
        let book = self.core.desk.book(seat);
        let line = |key: &Key| {
            let value = book.get(key.word).unwrap_or(key.default);
            format!("{} {value}   of {}: {} [{}]", key.word, key.values, key.about, key.rule)
        };
        self.seal(seat, R::doctrines().iter().map(line).collect())
    }

    fn doctrine_line(&self, words: &str) -> Result<(String, String), String> {
        doctrine_line(R::doctrines(), words)
    }

    fn rolls(&self, side: Option<&SideId>) -> Vec<(u32, Roll)> {
        // What has not been told yet is not shown either: a seat would see play go on behind its last letter.
        let told = side.map(|side| {
            self.core.posts.iter().filter(|post| post.side == *side).map(|post| post.barrier).max().unwrap_or(0)
        });
        let visible = self.past.rolls.iter().filter(|rolled| match (side, told) {
            (Some(side), Some(told)) => rolled.at < told && rolled.roll.scope.open_to(side),
            _ => true,
        });
        visible.map(|rolled| (rolled.slot, rolled.roll.clone())).collect()
    }

    fn truth(&self) -> Seen<Sections> {
        let view = see::<R>(&self.core.now.state, &R::Intel::default(), Viewer::Umpire).into_parts().1;
        let mut sections = R::sections(&Page { view: &view, told: &[], format: Format::default() });
        sections.asks = self.core.dues.iter().filter_map(|due| due.prompt.clone()).collect();
        sections.rolls = self.past.rolls.iter().map(|rolled| rolled.roll.clone()).collect();
        Seen::sealed(Viewer::Umpire, sections)
    }

    fn continues(&self, word: &str) -> bool {
        R::continues(word)
    }

    fn scrambled(&self, keep: &SideId, noise: u64) -> Box<dyn Game> {
        Box::new(self.scramble(keep, noise))
    }

    fn replay(&self, entries: &[(u32, String, String)]) -> Result<u64, Broken> {
        self.replay_all(entries)
    }
}

impl<R: Paper> Hosted<R> {
    fn seal<T>(&self, seat: &SeatId, body: T) -> Seen<T> {
        let post = self.core.posts.iter().find(|post| post.seat == *seat);
        let side = post.map_or_else(|| SideId(seat.0.clone()), |post| post.side.clone());
        Seen::sealed(Viewer::Side(side), body)
    }

    fn with_view<T>(&self, seat: &SeatId, read: impl FnOnce(&R::View) -> T) -> Option<T> {
        self.core.posts.iter().find(|post| post.seat == *seat).map(|post| read(&post.view))
    }

    fn check_line(&self, seat: &SeatId, no: u32, text: &str) -> (Option<Outcome>, Vec<String>) {
        match self.reading(seat, text) {
            Reading::Answer(_) => return (None, vec!["answers the open question.".to_owned()]),
            Reading::Neither(outcome) => return (Some(outcome), Vec::new()),
            Reading::Order => {}
        }
        let read = self.with_view(seat, |view| {
            orders::bind(R::verbs(), view, &orders::line(no, text)).map(|order| R::check(view, &order))
        });
        match read {
            Some(Ok(notes)) => (None, notes),
            Some(Err(fault)) => (Some(fault.into()), Vec::new()),
            None => (None, Vec::new()),
        }
    }

    /// Scrambles what a side may not know, where play stands, and makes the open leg again where it can be made again
    /// to the same effect for that side; where the leg itself has uncovered what lay hidden, only its paper is scrambled.
    fn scramble(&self, keep: &SideId, noise: u64) -> Self {
        let mut copy = self.copy();
        copy.core.base.state = R::scramble(&self.core.base.state, &self.core.base.minds, keep, noise);
        if self.core.known.is_empty() {
            copy.core.now = copy.core.base.clone();
        } else {
            copy.core.known.clear();
            match copy.decide_with(&copy.core.journal) {
                Ok(leg) if self.looks_same(&leg, keep) => {
                    copy.core.known = leg.records;
                    copy.core.now = leg.after;
                    copy.core.journal = leg.journal;
                }
                _ => {
                    copy.core = self.core.clone();
                    copy.core.now.state = R::scramble(&self.core.now.state, &self.core.now.minds, keep, noise);
                }
            }
        }
        for post in copy.core.posts.iter_mut().filter(|post| post.barrier == copy.past.entries) {
            post.view = look(&copy.core.now, &post.side);
        }
        copy
    }

    /// Whether a leg tells a side the same and stops at the same place as the open one.
    fn looks_same(&self, leg: &Leg<R>, keep: &SideId) -> bool {
        let told = |records: &[RecordOf<R>]| -> Vec<R::Sighting> {
            let mut told = Vec::new();
            for record in records {
                if let Record::Event { seen, .. } = record {
                    told.extend(seen.iter().filter(|(side, _)| side == keep).map(|(_, sighting)| sighting.clone()));
                }
            }
            told
        };
        matches!(&leg.end, End::Stop(dues) if *dues == self.core.dues) && told(&leg.records) == told(&self.core.known)
    }
}

/// Reads `KEY VALUE`; the longest key that fits is meant.
fn doctrine_line(keys: &[Key], words: &str) -> Result<(String, String), String> {
    let line = orders::line(0, words);
    let folds: Vec<&str> = line.words.iter().map(|word| word.fold.as_str()).collect();
    let fits = |key: &&Key| {
        let word = orders::fold(key.word);
        let parts: Vec<&str> = word.split_whitespace().collect();
        folds.starts_with(&parts)
    };
    let Some(key) = keys.iter().filter(fits).max_by_key(|key| key.word.split_whitespace().count()) else {
        let said = line.words.first().map_or("", |word| word.text.as_str());
        return Err(match orders::nearest(said, keys.iter().map(|key| key.word)) {
            Some(near) => format!("\"{said}\" is no key of the doctrine.  Did you mean {near}?"),
            None => format!("\"{said}\" is no key of the doctrine; DOCTRINE alone lists them."),
        });
    };
    let skip = key.word.split_whitespace().count();
    let value: Vec<&str> = line.words.iter().skip(skip).map(|word| word.text.as_str()).collect();
    let value = value.join(" ");
    let capital = value.to_uppercase();
    if (key.valid)(&value) {
        Ok((key.word.to_owned(), value))
    } else if (key.valid)(&capital) {
        Ok((key.word.to_owned(), capital))
    } else {
        Err(format!("{} takes {}, for example DOCTRINE {} {}.", key.word, key.values, key.word, key.default))
    }
}
