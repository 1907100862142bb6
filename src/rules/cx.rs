//! The driver of the rules: plays one leg, makes known facts again and compares them, and stops where an answer is missing.

pub mod trial;

use super::journal::{By, Desk, Given, Journal};
use super::{Due, Outcome, Play, Record, Ruleset, Stop, Upshot};
use crate::dice::{Cup, Label, Roll, Scope};
use crate::fog::{Pass, SeatId, SideId, Viewer, see};
use crate::orders::{self, Fault};
use std::collections::BTreeMap;

/// A leg that makes more records than this is a loop.
const RECORDS_MAX: usize = 10_000;
/// A leg that asks more questions than this is a loop.
const PROMPTS_MAX: usize = 1_000;

/// Rolls made in the slot so far, by scope and label.
pub type Counts = BTreeMap<(Scope, String), u32>;

/// A record of a ruleset.
pub type RecordOf<R> = Record<<R as Ruleset>::Event, <R as Ruleset>::Sighting>;

/// Where a leg begins: all that is alive at a rest point.
pub struct Base<R: Ruleset> {
    /// The truth.
    pub state: R::State,
    /// What each side has learnt, in the scenario's order.
    pub minds: Vec<(SideId, R::Intel)>,
    /// Rolls of the slot so far.
    pub counts: Counts,
}

impl<R: Ruleset> Clone for Base<R> {
    fn clone(&self) -> Self {
        Base { state: self.state.clone(), minds: self.minds.clone(), counts: self.counts.clone() }
    }
}

/// What a leg came to.
pub struct Leg<R: Ruleset> {
    /// All records from the rest point on, known and new.
    pub records: Vec<RecordOf<R>>,
    /// The truth and knowledge at the leg's end.
    pub after: Base<R>,
    /// The journal as it stands at the leg's end.
    pub journal: Journal,
    /// What doctrine has answered for the first time: addresses and answers, in the order asked.
    pub given: Vec<(String, Given)>,
    /// Where it ended.
    pub end: End,
}

/// Where a leg ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// At a rest point.
    Rest,
    /// Where answers are missing.
    Stop(Vec<Due>),
}

/// A leg that did not make its known records again, or that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Diverged {
    /// The record at this place differs from what is kept.
    Record(usize),
    /// A rule went on after a stop.
    Swallowed,
    /// Too many records or questions.
    Runaway,
    /// The cup holds no such roll.
    NoDice(String),
    /// The rules took an answer that the journal does not hold as text that reads.
    Unreadable(String),
}

impl std::fmt::Display for Diverged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Diverged::Record(n) => write!(f, "record {n} of the open leg comes out otherwise than it is kept"),
            Diverged::Swallowed => f.write_str("a rule went on after a stop"),
            Diverged::Runaway => f.write_str("the leg does not end"),
            Diverged::NoDice(label) => write!(f, "there are no dice for {label}"),
            Diverged::Unreadable(text) => write!(f, "a kept answer can no longer be read: {text}"),
        }
    }
}

/// The rules' hands: the only way to change, to roll, to ask and to take orders.
pub struct Cx<'a, R: Ruleset> {
    state: R::State,
    minds: Vec<(SideId, R::Intel)>,
    seats: Vec<(SeatId, SideId)>,
    journal: Journal,
    desk: &'a Desk,
    cup: &'a dyn Cup,
    known: &'a [RecordOf<R>],
    records: Vec<RecordOf<R>>,
    counts: Counts,
    cursor: BTreeMap<String, usize>,
    asked: BTreeMap<String, u32>,
    prompts: usize,
    given: Vec<(String, Given)>,
    line: Option<(SeatId, Given)>,
    dues: Vec<Due>,
    /// A trial: nobody is asked, and what would stand without an answer stands.
    imagined: bool,
    stopped: bool,
    broken: Option<Diverged>,
}

/// Plays one leg from a rest point.
///
/// # Errors
/// `Diverged`, if what was made differs from what is known.
pub fn decide<R: Ruleset>(
    base: &Base<R>,
    journal: &Journal,
    desk: &Desk,
    cup: &dyn Cup,
    known: &[RecordOf<R>],
) -> Result<Leg<R>, Diverged> {
    let mut cx = Cx::<R> {
        state: base.state.clone(),
        minds: base.minds.clone(),
        seats: R::seats(&base.state),
        journal: journal.clone(),
        desk,
        cup,
        known,
        records: Vec::new(),
        counts: base.counts.clone(),
        cursor: BTreeMap::new(),
        asked: BTreeMap::new(),
        prompts: 0,
        given: Vec::new(),
        line: None,
        dues: Vec::new(),
        imagined: false,
        stopped: false,
        broken: None,
    };
    let played = R::play(&mut cx);
    if let Some(broken) = cx.broken {
        return Err(broken);
    }
    let end = match played {
        Ok(()) if cx.stopped => return Err(Diverged::Swallowed),
        Ok(()) => {
            cx.close_line(Outcome::Done);
            End::Rest
        }
        Err(Stop(())) => End::Stop(std::mem::take(&mut cx.dues)),
    };
    if cx.records.len() < known.len() {
        return Err(Diverged::Record(cx.records.len()));
    }
    // Lines that this leg has carried out leave the journal; the rest wait for the next leg.
    if end == End::Rest {
        for (address, taken) in &cx.cursor {
            if let Some(lines) = cx.journal.lines.get_mut(address) {
                lines.drain(..(*taken).min(lines.len()));
            }
        }
        cx.journal.lines.retain(|address, lines| !lines.is_empty() && address.starts_with("sheet/"));
        cx.journal.rulings.clear();
    }
    let after = Base { state: cx.state, minds: cx.minds, counts: cx.counts };
    Ok(Leg { records: cx.records, after, journal: cx.journal, given: cx.given, end })
}

impl<R: Ruleset> Cx<'_, R> {
    /// The truth; it changes by [`Cx::emit`] only.
    pub fn state(&self) -> &R::State {
        &self.state
    }

    /// What a side knows at this instant; conditions, defaults and doctrine are evaluated on it.
    pub fn view(&self, side: &SideId) -> R::View {
        match self.minds.iter().find(|(s, _)| s == side) {
            Some((_, mind)) => see::<R>(&self.state, mind, Viewer::Side(side.clone())).into_parts().1,
            None => see::<R>(&self.state, &R::Intel::default(), Viewer::Side(side.clone())).into_parts().1,
        }
    }

    /// The first seat of a side: the one that is asked.
    pub fn seat_of(&self, side: &SideId) -> SeatId {
        self.seats.iter().find(|(_, s)| s == side).map_or_else(|| SeatId(side.0.clone()), |(seat, _)| seat.clone())
    }

    fn side_of(&self, seat: &SeatId) -> SideId {
        self.seats.iter().find(|(s, _)| s == seat).map_or_else(|| SideId(seat.0.clone()), |(_, side)| side.clone())
    }

    /// Changes the state, tells each side what it may know of it, and keeps the record.
    pub fn emit(&mut self, event: R::Event) {
        if self.halted() {
            return;
        }
        let before = R::LOOKS_BACK.then(|| self.state.clone());
        R::apply(&mut self.state, &event);
        let mut seen = Vec::new();
        for (side, mind) in &mut self.minds {
            let before = before.as_ref().unwrap_or(&self.state);
            if let Some(sighting) = R::sight(before, &event, &self.state, mind, side) {
                R::recall(mind, &sighting);
                seen.push((side.clone(), sighting));
            }
        }
        self.record(Record::Event { body: event, seen });
    }

    /// Rolls dice. The label fixes who may see them, before the dice are known.
    pub fn roll(&mut self, label: &Label, count: u32, sides: u32) -> Vec<u32> {
        let lowest = vec![1; count as usize];
        if self.halted() {
            return lowest;
        }
        let key = (label.scope().clone(), label.text().to_owned());
        let n = self.counts.get(&key).copied().unwrap_or(0);
        let fixed = self.cup.fixed(label.scope(), label.text(), n, count, sides);
        let fiat = fixed.is_some();
        let Some(dice) = fixed.or_else(|| self.cup.draw(label.scope(), label.text(), n, count, sides)) else {
            self.broken.get_or_insert(Diverged::NoDice(format!("{} {n}", label.text())));
            return lowest;
        };
        self.counts.insert(key, n + 1);
        let (scope, owner, label) = (label.scope().clone(), label.owner().cloned(), label.text().to_owned());
        self.record(Record::Rolled(Roll { scope, label, n, sides, dice: dice.clone(), fiat, owner }));
        dice
    }

    /// Rolls one six-sided die.
    pub fn d6(&mut self, label: &Label) -> i32 {
        self.roll(label, 1, 6).first().map_or(1, |&d| i32::try_from(d).unwrap_or(1))
    }

    /// Brings the line of a single seat's sheet to its head that its ruleset carries out next, by the lines as they read now,
    /// up to the first that does not; and says beside which of them it is planned. Asked once in a leg: a line that has begun stays the first, whatever comes in meanwhile.
    pub fn prefer(&mut self, seats: &[SeatId], stage: &str) {
        let seats = self.desk.staff.persons(seats);
        let [seat] = seats.as_slice() else { return };
        let address = Journal::sheet(seat, stage);
        let asked = self.journal.rulings.contains_key(&address) || !self.known.is_empty();
        if asked || self.stopped || self.desk.staff.chair(seat).is_some() {
            return;
        }
        let view = self.view(&self.side_of(&self.desk.staff.army(seat)));
        let at = self.cursor.get(&address).copied().unwrap_or(0);
        let lines = self.journal.lines.get(&address).into_iter().flatten().skip(at);
        let read = |given: &Given| orders::read(R::verbs(), &view, &orders::line(given.no, &given.text)).ok();
        let first = R::next(&view, &self.desk.answers(seat), &mut lines.map_while(read));
        if let Some(chosen) = first
            .and_then(|first| self.journal.lines.get_mut(&address).and_then(|lines| lines.get_mut(at..=at + first)))
        {
            chosen.rotate_right(1);
        }
        let beside = self.beside(&view, &address, at);
        if first.is_some() || !beside.is_empty() {
            self.journal.rulings.insert(address.clone(), self.records.len());
        }
        if let Some(given) = self.journal.lines.get_mut(&address).and_then(|lines| lines.get_mut(at)) {
            given.beside = beside;
        }
    }

    /// The lines of a sheet with which the one at a place of it is planned together.
    fn beside(&self, view: &R::View, address: &str, at: usize) -> Vec<String> {
        let Some(lines) = self.journal.lines.get(address).and_then(|lines| lines.get(at..)) else { return Vec::new() };
        let read = |text: &str| orders::read(R::verbs(), view, &orders::line(0, text)).ok();
        let Some((head, rest)) = lines.split_first() else { return Vec::new() };
        let Some(mut order) = read(&head.text) else { return Vec::new() };
        let mut texts = Vec::new();
        let mut waiting = rest.iter().filter_map(|given| {
            let order = read(&given.text)?;
            texts.push(given.text.clone());
            Some(order)
        });
        let places = R::together(view, &mut order, &mut waiting);
        places.into_iter().filter_map(|place| texts.get(place).cloned()).collect()
    }

    /// The next line of the sheets of some seats on move; `None` when all have said END.
    ///
    /// A line that cannot be read, or that its seat may not give, gets its outcome here and the next one is taken.
    ///
    /// # Errors
    /// A stop, where no line is waiting.
    pub fn order(&mut self, seats: &[SeatId], stage: &str) -> Play<Option<(SeatId, R::Order)>> {
        let seats = &self.desk.staff.persons(seats);
        loop {
            if self.halted() {
                return Err(Stop(()));
            }
            let Some((seat, given)) = self.next_line(seats, stage) else { break };
            self.close_line(Outcome::Done);
            self.line = Some((seat.clone(), given.clone()));
            let known = self.desk.staff.army(&seat);
            let view = self.view(&self.side_of(&known));
            match orders::bind(R::verbs(), &view, &orders::line(given.no, &given.text)) {
                Ok(mut order) => match self.desk.staff.barred(&seat, &R::concern(&view, &order)) {
                    None => {
                        let read = |text: &String| orders::read(R::verbs(), &view, &orders::line(0, text)).ok();
                        R::together(&view, &mut order, &mut given.beside.iter().filter_map(read));
                        return Ok(Some((known, order)));
                    }
                    Some(fault) => self.close_line(fault.into()),
                },
                Err(fault) => self.close_line(fault.into()),
            }
        }
        self.close_line(Outcome::Done);
        let mut missing = Vec::new();
        for seat in seats {
            let address = Journal::sheet(seat, stage);
            if !self.journal.ended.contains(&address) {
                missing.push(Due { seat: seat.clone(), address, prompt: None });
            }
        }
        if missing.is_empty() { Ok(None) } else { self.stop(missing) }
    }

    /// A line that the rules write for a side that nobody leads: read against that side's view and answered as a seat's
    /// line is, so that it stands in the chain with what became of it. `None` where it cannot be read.
    pub fn house(&mut self, side: &SideId, no: u32, text: &str) -> Option<R::Order> {
        if self.halted() {
            return None;
        }
        self.close_line(Outcome::Done);
        let given = Given::new(text, no, By::Doctrine);
        self.line = Some((self.seat_of(side), given));
        let read = orders::bind(R::verbs(), &self.view(side), &orders::line(no, text));
        read.map_err(|fault| self.close_line(fault.into())).ok()
    }

    /// What became of the last line: of one that still is carried out, that it was done.
    pub fn upshot(&mut self) -> Upshot {
        self.close_line(Outcome::Done);
        let of_line = |record: &RecordOf<R>| match record {
            Record::Line { upshot, .. } => Some(upshot.clone()),
            Record::Event { .. } | Record::Rolled(_) => None,
        };
        self.records.iter().rev().find_map(of_line).unwrap_or(Upshot::Done)
    }

    /// Waits for the END of sealed sheets of several seats, without looking at a line of them.
    ///
    /// # Errors
    /// A stop, until all are in.
    pub fn sheets(&mut self, seats: &[SeatId], stage: &str) -> Play<()> {
        let mut missing = Vec::new();
        let seats = &self.desk.staff.persons(seats);
        for seat in seats {
            let address = Journal::sheet(seat, stage);
            if !self.journal.ended.contains(&address) {
                missing.push(Due { seat: seat.clone(), address, prompt: None });
            }
        }
        if missing.is_empty() { Ok(()) } else { self.stop(missing) }
    }

    fn next_line(&mut self, seats: &[SeatId], stage: &str) -> Option<(SeatId, Given)> {
        let mut heads = Vec::new();
        let mut through = true;
        for seat in seats {
            let address = Journal::sheet(seat, stage);
            let at = *self.cursor.entry(address.clone()).or_default();
            let Some(given) = self.journal.lines.get(&address).and_then(|lines| lines.get(at)) else {
                through &= self.journal.ended.contains(&address);
                continue;
            };
            if self.desk.staff.chair(seat).is_none() {
                return Some(self.taken(&address, seat.clone(), given.clone()));
            }
            heads.push((self.ahead(seat, given), given.place, address, seat.clone(), given.clone()));
        }
        // Among several seats of a side a later step begins when all are through with those before it.
        let (ahead, _, address, seat, given) = heads.into_iter().min_by_key(|(ahead, place, ..)| (*ahead, *place))?;
        (ahead == 0 || through).then(|| self.taken(&address, seat, given))
    }

    fn taken(&mut self, address: &str, seat: SeatId, given: Given) -> (SeatId, Given) {
        *self.cursor.entry(address.to_owned()).or_default() += 1;
        (seat, given)
    }

    /// How far ahead of its sheet a line is; one that is not to be carried out is answered at once.
    fn ahead(&self, seat: &SeatId, given: &Given) -> u32 {
        let view = self.view(&self.side_of(&self.desk.staff.army(seat)));
        let Ok(order) = orders::read(R::verbs(), &view, &orders::line(given.no, &given.text)) else { return 0 };
        match self.desk.staff.barred(seat, &R::concern(&view, &order)) {
            Some(_) => 0,
            None => R::ahead(&view, &order),
        }
    }

    /// Says what became of the line being carried out; without a word of the rules it was done.
    pub fn outcome(&mut self, outcome: Outcome) {
        self.close_line(outcome);
    }

    /// What a line comes to, where it is allowed; else the line is answered with its fault.
    pub fn allowed<T>(&mut self, tried: Result<T, Fault>) -> Option<T> {
        tried.map_err(|fault| self.outcome(fault.into())).ok()
    }

    fn close_line(&mut self, outcome: Outcome) {
        if let Some((seat, given)) = self.line.take() {
            let Given { text, no, .. } = given;
            self.record(Record::Line { seat, text, no, upshot: outcome.upshot(), said: Some(outcome) });
        }
    }

    /// Asks a seat; its doctrine answers first.
    ///
    /// # Errors
    /// A stop, where neither doctrine nor seat has answered.
    pub fn ask(&mut self, seat: &SeatId, prompt: R::Prompt) -> Play<R::Answer> {
        Ok(self.ask_some(vec![(seat.clone(), prompt)], true)?.remove(0))
    }

    /// Asks a seat that has asked to be asked: doctrine is not looked at.
    ///
    /// # Errors
    /// A stop, where the seat has not answered.
    pub fn ask_now(&mut self, seat: &SeatId, prompt: R::Prompt) -> Play<R::Answer> {
        Ok(self.ask_some(vec![(seat.clone(), prompt)], false)?.remove(0))
    }

    /// Asks several seats at once, secretly: no answer reaches the rules before all are in.
    ///
    /// # Errors
    /// A stop, where an answer is missing.
    pub fn ask_all(&mut self, prompts: Vec<(SeatId, R::Prompt)>) -> Play<Vec<R::Answer>> {
        self.ask_some(prompts, true)
    }

    fn ask_some(&mut self, prompts: Vec<(SeatId, R::Prompt)>, doctrine: bool) -> Play<Vec<R::Answer>> {
        if self.halted() {
            return Err(Stop(()));
        }
        let mut answers = Vec::new();
        let mut missing = Vec::new();
        self.prompts += prompts.len();
        for (known, prompt) in prompts {
            let view = self.view(&self.side_of(&known));
            let by = self.line.as_ref().map(|(seat, _)| seat);
            let seat = self.desk.staff.asked(&known, &R::asks(&view, &prompt), by);
            let base = format!("ask/{seat}/{}", R::address(&prompt));
            let nth = self.asked.entry(base.clone()).or_default();
            let address = format!("{base}#{nth}");
            *nth += 1;
            let mut text = self.journal.lines.get(&address).and_then(|l| l.first()).map(|g| g.text.clone());
            if text.is_none() && doctrine {
                text = R::doctrine_answer(&view, &prompt, &self.desk.answers(&seat));
                if let Some(text) = &text {
                    let given = Given::new(text.clone(), 0, By::Doctrine);
                    self.given.push((address.clone(), given.clone()));
                    self.journal.lines.insert(address.clone(), vec![given]);
                }
            }
            let text = text.or_else(|| self.imagined.then(|| R::ask(&view, &prompt).default));
            match text {
                None => missing.push(Due { seat, address, prompt: Some(R::ask(&view, &prompt)) }),
                Some(text) => match R::read(&view, &prompt, &orders::line(0, &text)) {
                    Ok(answer) => answers.push(answer),
                    Err(fault) => {
                        self.broken.get_or_insert(Diverged::Unreadable(format!("{text}: {fault}")));
                        return Err(Stop(()));
                    }
                },
            }
        }
        if self.prompts > PROMPTS_MAX {
            self.broken.get_or_insert(Diverged::Runaway);
            return Err(Stop(()));
        }
        if missing.is_empty() { Ok(answers) } else { self.stop(missing) }
    }

    /// Whether a ruling is in force here: never while known records are recomputed, from the first new one on always.
    pub fn since(&mut self, ruling: &'static str) -> bool {
        if let Some(&from) = self.journal.rulings.get(ruling) {
            return self.records.len() >= from;
        }
        let new = self.records.len() >= self.known.len();
        if new {
            self.journal.rulings.insert(ruling.to_owned(), self.records.len());
        }
        new
    }

    fn stop<T>(&mut self, dues: Vec<Due>) -> Play<T> {
        if self.stopped {
            self.broken.get_or_insert(Diverged::Swallowed);
        }
        self.stopped = true;
        self.dues = dues;
        Err(Stop(()))
    }

    /// Whether the leg is lost, by a breach or for want of dice, and is only run to its end: loops over dice end then.
    pub fn lost(&self) -> bool {
        self.broken.is_some()
    }

    /// After a stop or a breach nothing may be made any more; a rule that tries has swallowed its stop.
    fn halted(&mut self) -> bool {
        if self.stopped {
            self.broken.get_or_insert(Diverged::Swallowed);
        }
        self.broken.is_some()
    }

    fn record(&mut self, record: RecordOf<R>) {
        let at = self.records.len();
        if self.known.get(at).is_some_and(|known| !known.agrees(&record)) {
            self.broken.get_or_insert(Diverged::Record(at));
        }
        if at >= RECORDS_MAX {
            self.broken.get_or_insert(Diverged::Runaway);
            return;
        }
        self.records.push(record);
    }
}

/// Takes the pass for writing truth down.
pub(crate) fn encode<R: Ruleset>(truth: super::kept::Truth<'_, R>) -> super::kept::Body {
    R::encode(truth, Pass::mint())
}

/// Takes the pass for the umpire's rows.
pub(crate) fn rows<R: Ruleset>(base: &Base<R>) -> Vec<super::kept::Row> {
    R::rows(&base.state, &base.minds, Pass::mint())
}
