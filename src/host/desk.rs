//! The face: what seats, umpire, store and tests may ask of a hosted game. All paper is of a seat's last barrier.

use super::barrier::{Post, Stretch, Stuff};
use super::hosted::{AskedOf, Hosted, Rolled, look};
use super::news::News;
use super::paper::{Format, Page, Paper, SeatData, Sections, SheetState, Topic};
use super::{Act, Answered, Batch, Behind, Broken, Game, Input, Otherwise, Rehearsal, Rest, Watch};
use crate::dice::{Fiat, Roll, Scope};
use crate::fog::{SeatId, Seen, SideId, Viewer, see};
use crate::orders::{self, Fault};
use crate::rules::cx::{End, Leg, RecordOf};
use crate::rules::journal::{By, Given};
use crate::rules::{Ask, Due, Key, Record, Stage, Tally, Umpired};
use std::collections::BTreeMap;

impl<R: Paper> Game for Hosted<R> {
    fn ruleset(&self) -> (&'static str, u32) {
        (R::NAME, R::VERSION)
    }

    fn seats(&self) -> Vec<(SeatId, SideId)> {
        self.ground.seats.clone()
    }

    fn sides(&self) -> Vec<SideId> {
        self.ground.sides.clone()
    }

    fn tally(&self) -> Tally {
        let events: Vec<R::Event> = self.past.events().iter().map(|(_, event)| event.clone()).collect();
        R::tally(&self.core.base.state, &events)
    }

    fn form(&mut self, seat: &SeatId, format: Format) {
        if let Some(post) = self.core.posts.iter_mut().find(|post| post.seat == *seat) {
            post.form = format;
        }
    }

    fn snapshot(&self) -> Option<Vec<u8>> {
        self.snapshot_now()
    }

    fn follows(&self, entries: &[(u32, String, String)], snapshot: &[u8]) -> bool {
        self.follows_from(entries, snapshot)
    }

    fn behind(&self) -> usize {
        self.past.horizon()
    }

    fn fell_short(&self) -> bool {
        self.past.is_reached()
    }

    fn unread(&mut self) {
        self.ground.unread = true;
    }

    fn take(&mut self, input: Input) -> Result<Batch, Broken> {
        self.take_whole(input)
    }

    fn decided(&self, input: &Input) -> Option<super::sheet::Came> {
        let Input::Sheet { seat, edits, mail, .. } = input else { return None };
        let found = self.judge_mail(self.post_of(seat)?, edits, mail);
        let came = found.0.clone();
        // Whoever asks sends it in next, as a rule.
        let (entries, seat, edits, mail) = (self.past.entries, seat.clone(), edits.clone(), mail.clone());
        self.asked.set(Some(Box::new(AskedOf { entries, seat, edits, mail, found })));
        Some(came)
    }

    fn stage(&self) -> Option<Stage> {
        self.stage_now()
    }

    fn slot(&self) -> u32 {
        self.core.slot
    }

    fn turn(&self) -> u32 {
        self.core.turn
    }

    fn epochs(&self) -> crate::dice::Epochs {
        self.core.slots.epochs()
    }

    fn slots_from(&self, rest: Option<usize>) -> (u32, u32) {
        self.slots_from(rest)
    }

    fn give(&mut self, secrets: crate::dice::Secrets) {
        if let super::hosted::Source::Committed { secrets: kept, .. } = &mut self.ground.source {
            *kept = secrets;
        }
    }

    fn spares(&self) -> u32 {
        self.spares_used()
    }

    fn last_slot(&self) -> u32 {
        R::last_slot(&self.core.base.state)
    }

    fn dues(&self) -> Vec<Due> {
        self.open_dues()
    }

    fn waiting(&self, seat: &SeatId) -> usize {
        self.sealed_sheet(seat).map_or(0, |sheet| {
            let drafts = self.core.journal.drafts.get(&sheet).map_or(0, Vec::len);
            drafts + usize::from(self.core.journal.draft_ended.contains(&sheet))
        })
    }

    fn on_move(&self, seat: &SeatId) -> bool {
        let asked = self.core.dues.iter().any(|due| due.seat == *seat && due.prompt.is_some());
        let resigned = self.core.posts.iter().any(|post| post.seat == *seat && post.resigned);
        self.core.begun && !self.over() && !resigned && (asked || self.open_sheet(seat).is_some())
    }

    fn check(&self, seat: &SeatId, lines: &[(u32, String)]) -> Seen<Vec<Answered>> {
        self.seal(seat, self.played(seat, lines, false).answers)
    }

    fn rehearse(&self, seat: &SeatId, lines: &[(u32, String)], sheet: bool) -> Seen<Rehearsal> {
        self.seal(seat, self.played(seat, lines, sheet))
    }

    fn sheet(&self, seat: &SeatId) -> Seen<Option<SheetState>> {
        self.seal(seat, self.sheet_state(seat))
    }

    fn called(&self, seat: &SeatId) -> Option<u32> {
        Hosted::called(self, seat)
    }

    fn report(&self, seat: &SeatId, since_turn: Option<u32>) -> Seen<Sections> {
        let sections = self.post_of(seat).and_then(|at| {
            let post = self.core.posts.get(at)?;
            let since_turn = since_turn.unwrap_or(post.turn);
            self.sections(at, &Stretch { entries: 0..post.barrier, since_turn, whole: true, told: 0 })
        });
        self.seal(seat, sections.unwrap_or_default())
    }

    fn preview(&self, seat: &SeatId) -> Seen<Sections> {
        let Some(post) = self.post_of(seat).and_then(|at| self.core.posts.get(at)) else {
            return self.seal(seat, Sections::default());
        };
        if self.core.begun {
            return self.report(seat, None);
        }
        let mut base = self.core.now.clone();
        let _ = self.set_up(&mut base);
        let view = look(&base, &post.side);
        let (told, format) = (Vec::new(), post.form);
        let offers = Some(&post.offered);
        let stuff = Stuff::<R> { view: &view, before: None, told, format, whole: true, offers };
        let mut sections = stuff.write();
        sections.opening = R::opening(&view, format);
        // The examples are for a seat that commands all.
        if self.core.desk.staff.chair(seat).is_some() {
            sections.opening.first.clear();
        }
        sections.victory = R::victory(&view);
        self.keep_own(seat, &view, &mut sections.offers);
        sections.staff = self.staff_lines(post);
        self.seal(seat, sections)
    }

    fn rule(&self, paragraph: &str) -> Vec<String> {
        Self::ruled(paragraph)
    }

    fn umpired(&self) -> Umpired {
        R::UMPIRED
    }

    fn paragraph(&self) -> &'static str {
        let rules = R::verbs().iter().map(|verb| verb.rule.trim_start_matches('¶'));
        let first = |rule: &'static str| rule.split([',', ' ', '-']).next().filter(|rule| !R::rule(rule).is_empty());
        rules.filter_map(first).next().unwrap_or("1")
    }

    fn victory(&self, seat: &SeatId) -> Seen<Vec<String>> {
        let said = self.with_view(seat, R::victory);
        self.seal(seat, said.unwrap_or_default())
    }

    fn topics(&self) -> &'static [Topic] {
        R::topics()
    }

    fn why(&self, seat: &SeatId, line: usize) -> Seen<Vec<String>> {
        let said = self.post_of(seat).map(|at| self.explain(at, line)).unwrap_or_default();
        self.seal(seat, said)
    }

    fn map(&self, seat: &SeatId, area: Option<&str>, format: Format) -> Seen<Vec<String>> {
        let drawn = self.with_view(seat, |view| R::map(view, area, format));
        self.seal(seat, drawn.map_or_else(Vec::new, |drawn| drawn.unwrap_or_else(|fault| vec![fault.to_string()])))
    }

    fn plate(&self, seat: &SeatId, area: Option<&str>) -> Seen<Option<Result<String, String>>> {
        let drawn = self.with_view(seat, |view| R::plate(view, area)).flatten();
        self.seal(seat, drawn.map(|drawn| drawn.map_err(|fault| fault.to_string())))
    }

    fn seat_data(&self, seat: &SeatId) -> Seen<Option<SeatData>> {
        let data = self.with_view(seat, R::seat_data).flatten();
        self.seal(seat, data)
    }

    fn examples(&self, seat: &SeatId) -> Seen<Vec<String>> {
        let listed = self.with_view(seat, |view| {
            let mut lines = Vec::new();
            for verb in R::verbs() {
                lines.push(format!("{} {}   [{}]", verb.word, verb.usage, verb.rule));
                let mut own = (verb.examples)(view);
                self.keep_own(seat, view, &mut own);
                lines.extend(own.into_iter().map(|example| format!("  {example}")));
            }
            lines
        });
        self.seal(seat, listed.unwrap_or_default())
    }

    fn bot(&self, seat: &SeatId, noise: u64) -> Seen<Vec<String>> {
        let asks: Vec<Ask> =
            self.open_dues().into_iter().filter(|due| due.seat == *seat).filter_map(|due| due.prompt).collect();
        let written = self.with_view(seat, |view| self.own_player(seat, view, &asks, noise));
        self.seal(seat, written.unwrap_or_else(|| vec!["END".to_owned()]))
    }

    fn history(&self, seat: &SeatId, turn: Option<u32>) -> Seen<Vec<String>> {
        let lines = self.core.posts.iter().find(|post| post.seat == *seat).map(|post| {
            let mut turns: BTreeMap<u32, Vec<R::Sighting>> = BTreeMap::new();
            for told in self.told_to(post, 0).filter(|t| t.at < post.barrier && turn.is_none_or(|turn| turn == t.turn))
            {
                turns.entry(told.turn).or_default().push(R::for_seat(&told.body, &post.seat));
            }
            turns.iter().flat_map(|(turn, told)| R::history(&post.view, *turn, told)).collect()
        });
        self.seal(seat, lines.unwrap_or_default())
    }

    fn doctrine(&self, seat: &SeatId) -> Seen<Vec<String>> {
        let book = self.core.desk.book(seat);
        let lines = |key: &Key| {
            let value = book.get(key.word).unwrap_or(key.default);
            let values = super::standing::values::<R>(&self.core.now.state, key);
            let line = format!("{} {value}   of {values}: {} [{}]", key.word, key.about, key.rule);
            let own = book.subjects(key.word).map(|(subject, value)| format!("  {} {value} FOR {subject}", key.word));
            std::iter::once(line).chain(own).collect::<Vec<_>>()
        };
        let count = R::KEEPS_IN.map(|_| format!("What you set counts {}.", self.answers_count()));
        self.seal(seat, R::doctrines().iter().flat_map(lines).chain(count).collect())
    }

    fn answers_count(&self) -> String {
        let but = R::KEEPS_IN.map_or_else(String::new, |what| format!(", but not in {what} that has begun"));
        format!("from now on{but}")
    }

    fn doctrine_line(&self, seat: &SeatId, words: &str) -> Result<(String, String), String> {
        let side = self.core.posts.iter().find(|post| post.seat == *seat).map(|post| &post.side);
        super::standing::of::<R>(&self.core.now.state, side, words)
    }

    fn doctrine_said(&self, seat: &SeatId, key: &str, value: &str) -> Seen<Vec<String>> {
        self.seal(seat, self.of_lodged(seat, key, value))
    }

    fn rolls(&self, side: Option<&SideId>) -> Vec<(u32, Roll)> {
        // What has not been told yet is not shown either: a seat would see play go on behind its last letter.
        let told = side.map(|side| {
            self.core.posts.iter().filter(|post| post.side == *side).map(|post| post.barrier).max().unwrap_or(0)
        });
        let visible = self.past.rolls(0).iter().filter(|rolled| match (side, told) {
            (Some(side), Some(told)) => {
                let mut posts = self.core.posts.iter().filter(|post| post.side == *side);
                rolled.at < told && rolled.roll.scope.open_to(side) && posts.all(|post| self.sees_roll(post, rolled))
            }
            _ => true,
        });
        visible.map(|rolled| (rolled.slot, rolled.roll.clone())).collect()
    }

    fn rolls_of(&self, seat: &SeatId) -> Vec<(u32, Roll)> {
        let Some(post) = self.post_of(seat).and_then(|at| self.core.posts.get(at)) else { return Vec::new() };
        let visible =
            self.past.rolls(0).iter().filter(|rolled| rolled.at < post.barrier && self.sees_roll(post, rolled));
        visible.map(|rolled| (rolled.slot, rolled.roll.clone())).collect()
    }

    fn faced(&self, roll: &Roll) -> Roll {
        super::reveal::faced::<R>(roll)
    }

    fn rolls_behind(&self, count: usize) -> (usize, Vec<(u32, Roll)>) {
        let (all, rolls) = self.past.rolls_behind(count);
        (all, rolls.iter().map(|rolled| (rolled.slot, rolled.roll.clone())).collect())
    }

    fn truth(&self) -> Seen<Sections> {
        let mut sections = self.truth_now().into_parts().1;
        sections.rolls = self.past.rolls(0).iter().map(|rolled| rolled.roll.clone()).collect();
        Seen::sealed(Viewer::Umpire, sections)
    }

    fn truth_now(&self) -> Seen<Sections> {
        let view = see::<R>(&self.core.now.state, &R::Intel::default(), Viewer::Umpire).into_parts().1;
        let sees: Vec<_> = self.ground.sides.iter().map(|side| (side.clone(), look(&self.core.now, side))).collect();
        let format = Format::default();
        let mut sections =
            R::sections(&Page { view: &view, before: None, told: &[], format, whole: true, sees: &sees });
        sections.asks = self.core.dues.iter().filter_map(|due| due.prompt.clone()).collect();
        Seen::sealed(Viewer::Umpire, sections)
    }

    fn news(&self, since: usize) -> Seen<News> {
        self.news_since(since)
    }

    fn shown(&self, side: &SideId) -> Seen<Sections> {
        self.show(side)
    }

    fn who_knows(&self, piece: &str) -> Result<Vec<String>, Fault> {
        R::who_knows(&self.core.now.state, &self.core.now.minds, piece)
    }

    fn rests(&self) -> Vec<Rest> {
        self.rest_points()
    }

    fn may(&self, act: &Act) -> Result<(), Fault> {
        self.may_act(act)
    }

    fn amends(&self) -> usize {
        self.core.amends.len()
    }

    fn fiats(&self) -> Vec<Fiat> {
        self.core.fiats.clone()
    }

    fn rolled(&self, scope: &Scope, label: &str) -> u32 {
        let rolled = self.core.now.counts.get(&(scope.clone(), label.to_owned())).copied().unwrap_or(0);
        let fixed = self.core.fiats.iter().filter(|f| f.scope == *scope && f.label == label && f.n >= rolled);
        rolled + u32::try_from(fixed.count()).unwrap_or(0)
    }

    fn film(&self, seat: Option<&SeatId>) -> Seen<Option<super::film::Film>> {
        self.film_of(seat)
    }

    fn reveal(&self) -> Vec<String> {
        self.reveal_all()
    }

    fn toll(&self) -> Vec<String> {
        if self.over() { self.toll_all() } else { Vec::new() }
    }

    fn summary(&self, seat: &SeatId) -> Seen<Vec<String>> {
        let lines = self.core.posts.iter().find(|post| post.seat == *seat).map(|post| {
            let mut turns: BTreeMap<u32, Vec<R::Sighting>> = BTreeMap::new();
            for told in self.told_to(post, 0).filter(|t| t.at < post.barrier) {
                turns.entry(told.turn).or_default().push(R::for_seat(&told.body, &post.seat));
            }
            let dice = |turn| {
                let own = |r: &&Rolled| r.turn == turn && r.at < post.barrier && self.sees_roll(post, r);
                self.past.rolls(0).iter().filter(own).count()
            };
            // Turns of which the same is said, one behind the other, stand in one line.
            let mut said: Vec<(u32, u32, String, usize)> = Vec::new();
            for (turn, told) in &turns {
                match said.last_mut() {
                    Some((first, last, as_first, rolls)) if R::summary(&post.view, *first, told) == *as_first => {
                        (*last, *rolls) = (*turn, *rolls + dice(*turn));
                    }
                    _ => said.push((*turn, *turn, R::summary(&post.view, *turn, told), dice(*turn))),
                }
            }
            let line = |(first, last, said, rolls): (u32, u32, String, usize)| {
                let rolls = crate::text::plural(i64::try_from(rolls).unwrap_or(i64::MAX), "roll", "rolls");
                match first == last {
                    true => format!("{said}  ({rolls})"),
                    false => format!("{said}, and so to turn {last}  ({rolls})"),
                }
            };
            said.into_iter().map(line).collect()
        });
        self.seal(seat, lines.unwrap_or_default())
    }

    fn may_dispatch(&self, from: &SeatId, to: &SeatId) -> Result<(), String> {
        self.may_ride(from, to)
    }

    fn by_courier(&self, from: &SeatId, to: &SeatId) -> bool {
        let staff = &self.core.desk.staff;
        let side = |seat| staff.chair(seat).map(|chair| &chair.side);
        self.core.begun && !self.over() && staff.rides() && side(from).is_some() && side(from) == side(to)
    }

    fn free(&self) -> bool {
        self.core.free
    }

    fn is_verb(&self, word: &str) -> bool {
        orders::find(R::verbs().iter().map(|verb| verb.word), &orders::fold(word)).is_some()
    }

    fn foreseen(&self, seat: &SeatId, lines: &[(u32, String)]) -> Seen<Vec<Answered>> {
        let mut copy = self.copy();
        copy.open_board();
        let view = self.post_of(seat).and_then(|at| copy.look_for(at));
        if let (Some(post), Some(view)) = (copy.core.posts.iter_mut().find(|post| post.seat == *seat), view) {
            post.view = view;
        }
        self.seal(seat, copy.played(seat, lines, false).answers)
    }

    fn opens_with_set_up(&self) -> bool {
        let mut copy = self.copy();
        copy.open_board();
        copy.stage_now().is_some_and(|stage| stage.secret)
    }

    fn is_prose(&self, seat: &SeatId, text: &str) -> bool {
        self.post_of(seat).is_some_and(|at| self.is_idle(at, text))
    }

    fn joins(&self, seat: &SeatId, above: &str, line: &str) -> bool {
        let Some(post) = self.post_of(seat).and_then(|at| self.core.posts.get(at)) else { return true };
        let fault = |text: &str| orders::read(R::verbs(), &post.view, &orders::line(0, text)).err();
        let Some(Fault::Unclear { said, .. }) = fault(&format!("{above} {line}")) else { return true };
        let read = orders::line(0, line);
        if R::own_order(&post.view, &read) {
            return false;
        }
        // Behind an order that is whole, what does not go on with it, or is none, stands for itself.
        let here = read.words.first().is_some_and(|first| first.fold == orders::fold(&said));
        fault(above).is_some() || !(here || self.is_prose(seat, line))
    }

    fn at_rest(&self) -> bool {
        self.core.known.is_empty() && self.core.otherwise.is_none()
    }

    fn otherwise(&self) -> Option<&str> {
        self.core.otherwise.as_deref()
    }

    fn continues(&self, word: &str) -> bool {
        R::continues(word)
    }

    fn scrambled(&self, keep: &SideId, noise: u64) -> Box<dyn Game> {
        Box::new(self.scramble(keep, noise))
    }

    fn replay_watched(&self, entries: &[(u32, String, String)], watch: &mut Watch<'_>) -> Result<u64, Otherwise> {
        self.replay_all(entries, watch)
    }

    fn replay_behind(&self, entries: &[(u32, String, String)], place: usize) -> Behind {
        self.play_behind(entries, place)
    }

    fn walk(&self) -> Result<u64, Broken> {
        self.walk_all()
    }
}

impl<R: Paper> Hosted<R> {
    /// Puts the set-up on the board, as the opening mail shows it; no die is thrown.
    fn open_board(&mut self) {
        if !self.core.begun {
            let mut base = self.core.now.clone();
            let _ = self.set_up(&mut base);
            self.core.base = base.clone();
            self.core.now = base;
            self.core.begun = true;
        }
    }

    fn seal<T>(&self, seat: &SeatId, body: T) -> Seen<T> {
        let post = self.core.posts.iter().find(|post| post.seat == *seat);
        let side = post.map_or_else(|| SideId(seat.0.clone()), |post| post.side.clone());
        Seen::sealed(Viewer::Side(side), body)
    }

    fn with_view<T>(&self, seat: &SeatId, read: impl FnOnce(&R::View) -> T) -> Option<T> {
        self.core.posts.iter().find(|post| post.seat == *seat).map(|post| read(&post.view))
    }

    /// Scrambles what a side may not know, where play stands, and recomputes the open leg where it can
    /// to the same effect for that side; where the leg itself has uncovered what lay hidden, only its paper is scrambled.
    /// What other sides have ordered for later, and their doctrine, is changed as well.
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
        copy.stand_at_barriers();
        for post in self.core.posts.iter().filter(|post| post.side != *keep) {
            copy.other_orders(post);
        }
        copy
    }

    /// Gives a seat another doctrine, and other lines in the sheet that it has not ended.
    fn other_orders(&mut self, post: &Post<R>) {
        let book = self.core.desk.book(&post.seat);
        // Whoever is being asked has no doctrine for it, as his question shows.
        let asked = self.core.dues.iter().any(|due| due.seat == post.seat && due.prompt.is_some());
        for key in R::doctrines().iter().filter(|_| !asked) {
            let now = book.get(key.word).unwrap_or(key.default);
            let mut words = key.values.iter().copied();
            if let Some(other) = words.find(|word| *word != now && key.takes(word)) {
                self.core.desk.set(&post.seat, key.word, other);
            }
        }
        let Some(sheet) = self.open_sheet(&post.seat).filter(|_| self.sealed()) else { return };
        let ended = self.core.journal.draft_ended.contains(&sheet);
        self.core.sheets.remove(&sheet);
        let draft = self.core.journal.drafts.entry(sheet).or_default();
        draft.pop();
        if draft.is_empty() && !ended {
            let lines = R::verbs().iter().filter_map(|verb| (verb.examples)(&post.view).into_iter().next());
            let given = |(no, text)| Given::new(text, no, By::Seat(String::new()));
            draft.extend((1..).zip(lines).map(given));
        }
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
