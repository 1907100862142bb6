//! The one host of every ruleset: truth at the last rest point, the open leg, and where each seat stands.
//!
//! What a hosted game holds is a cache of its chain: whoever can read the chain can open it again and go on. `take`
//! either commits whole or leaves the game as it was.

use super::barrier::{Pending, Post};
use super::laid::{Laid, laid};
use super::paper::Paper;
use super::past::Past;
use super::sheet::{Came, Edited, Judged, Sheet};
use super::slots::Slots;
use super::{Act, Batch, Broken, Entry, Input, Tempo};
use crate::dice::{Cup, Fiat, Fixed, Roll, Scope, Secrets};
use crate::fog::{SeatId, SideId, Viewer, see};
use crate::rules::cx::{Base, Counts, Diverged, Leg, RecordOf, decide};
use crate::rules::journal::{Books, By, Desk, Journal};
use crate::rules::kept::{Body, Truth};
use crate::rules::staff::{Brought, Dispatch};
use crate::rules::{Due, Record, Stage, cx};
use serde::Serialize;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What the store kept of a game: all it takes to open it again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Where the game stood at some place of its chain; none where that is taken from its beginning.
    pub snapshot: Option<Vec<u8>>,
    /// The chain behind that in order: slot, kind, body. Kinds that are not the host's are passed over.
    pub entries: Vec<(u32, String, String)>,
    /// What the last batch gave as `open`.
    pub open: String,
}

/// Where the dice of each slot come from.
#[derive(Clone)]
pub(super) enum Source {
    /// Committed seeds.
    Committed { game: String, secrets: Secrets },
    /// A cup from outside, for rule cases.
    Given(Arc<dyn Cup>),
}

/// What does not change while a game is hosted.
pub(super) struct Ground<R: Paper> {
    pub laid: Arc<Laid<R>>,
    pub source: Source,
    pub tempo: Tempo,
    pub seats: Vec<(SeatId, SideId)>,
    pub sides: Vec<SideId>,
    /// Whether nobody reads its letters, as where a chain is played again: no lines are sought that could be offered, and no odds.
    pub unread: bool,
}

/// What an input may change; put back whole when it cannot be taken.
pub(super) struct Core<R: Paper> {
    /// Whether the set-up has happened.
    pub begun: bool,
    /// Whether the last letters of the game are out.
    pub closed: bool,
    /// Why the open leg as kept comes out otherwise under this program; then play can only go back.
    pub otherwise: Option<String>,
    /// The dice slot.
    pub slot: u32,
    /// The turn, whose slot is another where play has gone back.
    pub turn: u32,
    /// Which slots there are, and in which play has been.
    pub slots: Slots,
    /// Dice that an umpire has fixed in this slot.
    pub fiats: Vec<Fiat>,
    /// Whether an umpire decides the combats, and in which rolls of this slot he has let the dice stand.
    pub free: bool,
    pub judged: Vec<(Scope, String, u32)>,
    /// The last rest point.
    pub base: Base<R>,
    /// Where play stands: at the rest point, or where the open leg has stopped.
    pub now: Base<R>,
    /// Records of the open leg, all of them facts.
    pub known: Vec<RecordOf<R>>,
    /// Lines of the open leg, and drafts.
    pub journal: Journal,
    /// The order last carried out, to name a rest point.
    pub after: String,
    /// Doctrine.
    pub desk: Desk,
    /// What the open leg lacks.
    pub dues: Vec<Due>,
    /// Dispatches that set out at the next rest point.
    pub riders: Vec<Dispatch>,
    /// The key of the stage that the last letters to all named.
    pub lettered: Option<String>,
    /// Where each seat stands, in the scenario's order.
    pub posts: Vec<Post<R>>,
    /// What each seat knew at the last rest point, where seats know only their own; else empty.
    pub kens: Vec<R::View>,
    /// Orders that couriers have brought, until a sheet takes them.
    pub brought: Vec<Brought>,
    /// Amendments that wait for the next rest point.
    pub amends: Vec<(SideId, String)>,
    /// Sheets that mails have edited, by address.
    pub sheets: BTreeMap<String, Sheet>,
    /// The title of the last sheet of each seat that has closed.
    pub last_sheets: BTreeMap<SeatId, String>,
    /// Per side, how many sightings had been told when the line being carried out began.
    pub marks: Vec<usize>,
}

/// A rest point with its place in the chain: entries before it.
pub(super) struct RestAt<R: Paper> {
    pub at: usize,
    pub turn: u32,
    pub stage: String,
    pub after: String,
    /// What each seat knew there, where seats know only their own.
    pub kens: Vec<R::View>,
    /// The standing answers that counted there, where something was under way that kept them.
    pub kept: Option<Arc<Books>>,
}

impl<R: Paper> Clone for RestAt<R> {
    fn clone(&self) -> Self {
        let (stage, after) = (self.stage.clone(), self.after.clone());
        RestAt { at: self.at, turn: self.turn, stage, after, kens: self.kens.clone(), kept: self.kept.clone() }
    }
}

/// A sighting with its place in the chain.
#[derive(Clone)]
pub(super) struct Told<S> {
    pub at: usize,
    pub turn: u32,
    pub body: S,
    /// Seats of the side that did not hear it, where seats know only their own.
    pub deaf: BTreeSet<SeatId>,
}

/// A roll with its place in the chain.
#[derive(Clone)]
pub(super) struct Rolled {
    pub at: usize,
    pub turn: u32,
    pub slot: u32,
    pub roll: Roll,
}

/// A game of one ruleset, hosted.
pub struct Hosted<R: Paper> {
    pub(super) ground: Ground<R>,
    pub(super) core: Core<R>,
    pub(super) past: Past<R>,
    /// What the lines of a mail come to that somebody has asked about and not sent in yet.
    pub(super) asked: Cell<Option<Box<AskedOf>>>,
}

/// A mail that was looked at before it is taken: where the chain ended, its lines, and what they come to.
pub(super) struct AskedOf {
    pub entries: usize,
    pub seat: SeatId,
    pub edits: Vec<Edited>,
    pub mail: String,
    pub found: (Came, Judged),
}

impl<R: Paper> Hosted<R> {
    /// Opens a game with committed dice: fresh, or where its chain ends.
    ///
    /// # Errors
    /// The flaws of the scenario's files, or what the kept chain is found to lack.
    pub fn open(
        files: Vec<(String, String)>,
        game: &str,
        secrets: Secrets,
        tempo: Tempo,
        kept: Option<Kept>,
    ) -> Result<Self, Vec<String>> {
        let source = Source::Committed { game: game.to_owned(), secrets };
        Self::from_source(&files, source, tempo, kept.as_ref())
    }

    /// Opens a game whose dice come from a given cup, for rule cases and tests.
    ///
    /// # Errors
    /// As [`Hosted::open`].
    pub fn with_cup(
        files: Vec<(String, String)>,
        cup: Box<dyn Cup>,
        tempo: Tempo,
        kept: Option<Kept>,
    ) -> Result<Self, Vec<String>> {
        Self::from_source(&files, Source::Given(Arc::from(cup)), tempo, kept.as_ref())
    }

    fn from_source(
        files: &[(String, String)],
        source: Source,
        tempo: Tempo,
        kept: Option<&Kept>,
    ) -> Result<Self, Vec<String>> {
        let mut game = Self::before(laid(files)?, source, tempo);
        if let Some(kept) = kept {
            game.reopen(kept).map_err(|why| vec![why])?;
        }
        Ok(game)
    }

    /// A game before anything has happened.
    pub(super) fn before(laid: Arc<Laid<R>>, source: Source, tempo: Tempo) -> Self {
        let (state, staff) = (laid.state.clone(), laid.staff.clone());
        let seats = staff.seats(R::seats(&state));
        let sides = R::sides(&state);
        let minds = sides.iter().map(|side| (side.clone(), R::Intel::default())).collect();
        let base: Base<R> = Base { state, minds, counts: Counts::new() };
        let posts = seats.iter().map(|(seat, side)| Post::new(seat, side, look(&base, side))).collect();
        let marks = vec![0; sides.len()];
        let slots = match &source {
            Source::Committed { secrets, .. } => Slots::of(secrets),
            Source::Given(_) => Slots::one(),
        };
        let ground = Ground { laid, source, tempo, seats, sides, unread: false };
        let core = Core {
            begun: false,
            closed: false,
            otherwise: None,
            slot: 0,
            turn: 0,
            slots,
            fiats: Vec::new(),
            free: false,
            judged: Vec::new(),
            now: base.clone(),
            base,
            known: Vec::new(),
            journal: Journal::default(),
            after: String::new(),
            desk: Desk::of(staff),
            dues: Vec::new(),
            riders: Vec::new(),
            lettered: None,
            posts,
            kens: Vec::new(),
            brought: Vec::new(),
            amends: Vec::new(),
            sheets: BTreeMap::new(),
            last_sheets: BTreeMap::new(),
            marks,
        };
        let past = Past::none(ground.sides.len());
        Hosted { ground, core, past, asked: Cell::default() }
    }

    /// Where the open leg comes out otherwise than it is kept, only what takes it back is taken.
    fn may_take(&self, input: &Input) -> Result<(), Broken> {
        let rewind = matches!(input, Input::Umpire { act: Act::Rewind { .. }, .. });
        match &self.core.otherwise {
            Some(why) if !rewind && !matches!(input, Input::Restored { .. } | Input::Anew { .. }) => {
                Err(Broken { why: why.clone() })
            }
            _ => Ok(()),
        }
    }

    /// Takes an input, or leaves the game as it was.
    pub(super) fn take_whole(&mut self, input: Input) -> Result<Batch, Broken> {
        self.may_take(&input)?;
        let core = self.core.clone();
        // Only going back takes anything out of what else grows.
        let goes_back = matches!(&input, Input::Umpire { act: Act::Rewind { .. }, .. } | Input::Restored { .. });
        let whole = goes_back.then(|| self.past.clone());
        let lengths = self.past.lengths();
        let taken = self.take_in(input);
        if taken.is_err() {
            self.core = core;
            if let Some(past) = whole {
                self.past = past;
            }
            self.past.shorten(&lengths);
        }
        taken
    }

    fn take_in(&mut self, mut input: Input) -> Result<Batch, Broken> {
        let mut out = Batch::default();
        let judged = self.judge(&mut input);
        self.enter(&mut out, "input", json(&input));
        self.keep_answers();
        let begins = input == Input::Begin && !self.core.begun;
        let mut writers = Vec::new();
        match input {
            Input::Begin if begins => self.begin(&mut out)?,
            Input::Begin => {}
            Input::Orders { seat, lines, end, mail } => {
                if let Some(post) = self.post_of(&seat) {
                    writers.push(post);
                    self.orders(post, &lines, end, &By::Seat(mail), &mut out);
                    self.depart_now(&mut out)?;
                    self.run(&mut out)?;
                }
            }
            Input::Sheet { seat, mail, came, edits: _ } => {
                if let Some(post) = self.post_of(&seat) {
                    writers.push(post);
                    self.sheet_changed(post, came.unwrap_or_default(), judged, &mail, &mut out);
                    self.depart_now(&mut out)?;
                    self.run(&mut out)?;
                }
            }
            Input::Restored { epoch } => self.restored(&epoch, &mut out)?,
            Input::Anew { end } => self.slots_passed(end),
            Input::Umpire { by: _, act, reason: _ } => writers = self.umpire_acts(act, &mut out)?,
            Input::Dispatch { seat, to, lines } => {
                self.dispatch(&seat, &to, lines);
                self.depart_now(&mut out)?;
            }
            Input::Undo { seat, mail: _ } => self.take_back(&seat),
            Input::Doctrine { seat, key, value, mail: _ } => {
                self.core.desk.set(&seat, &key, &value);
                self.run(&mut out)?;
            }
            Input::Deadline => {
                for due in self.core.dues.clone() {
                    self.by_default(&due, &mut out);
                }
                self.run(&mut out)?;
            }
            Input::Return { seat } => {
                if let Some(post) = self.post_of(&seat).and_then(|at| self.core.posts.get_mut(at)) {
                    post.resigned = false;
                }
            }
            Input::Resign { seat, mail: _ } => {
                if let Some(post) = self.post_of(&seat).and_then(|at| self.core.posts.get_mut(at)) {
                    post.resigned = true;
                }
                self.run(&mut out)?;
            }
        }
        while self.close_if_done(&mut out) {
            self.run(&mut out)?;
        }
        self.lapse(false, &mut out);
        self.letters(&writers, begins, &mut out);
        out.dues = self.open_dues();
        out.over = self.over();
        out.open = self.open_text();
        if out.entries.iter().any(|entry| matches!(entry.kind, "rest" | "rewind")) {
            out.rows = Some(cx::rows::<R>(&self.core.base));
        }
        Ok(out)
    }

    /// What the lines of a mail come to is decided once, and kept with it.
    fn judge(&self, input: &mut Input) -> Judged {
        let Input::Sheet { seat, edits, mail, came } = input else { return Judged::default() };
        let Some(post) = self.post_of(seat) else { return Judged::default() };
        let same = |asked: &AskedOf| {
            asked.entries == self.past.entries && asked.seat == *seat && asked.edits == *edits && asked.mail == *mail
        };
        let asked = self.asked.take().filter(|asked| same(asked)).map(|asked| asked.found);
        let (decided, judged) = asked.unwrap_or_else(|| self.judge_mail(post, edits, mail));
        match came {
            None => *came = Some(decided),
            // Played again: what was proposed under a line not taken is proposed again, for later mails refer to it.
            Some(kept) if *kept == decided => {}
            // Another program judged it otherwise: what it proposed is not known.
            Some(_) => return Judged::default(),
        }
        judged
    }

    /// The set-up: its events are told to each side as they happen, before the first leg.
    fn begin(&mut self, out: &mut Batch) -> Result<(), Broken> {
        self.core.begun = true;
        let mut base = self.core.now.clone();
        let records = self.set_up(&mut base);
        self.core.now = base;
        self.absorb(&records, out);
        self.core.base = self.core.now.clone();
        self.close_leg(out);
        self.run(out)
    }

    /// Puts the set-up onto a board that has none; what each side is told of it.
    pub(super) fn set_up(&self, base: &mut Base<R>) -> Vec<RecordOf<R>> {
        Self::happen(base, &self.ground.laid.setup)
    }

    /// Events that no leg makes, each told to each side as it happens.
    pub(super) fn happen(base: &mut Base<R>, events: &[R::Event]) -> Vec<RecordOf<R>> {
        let mut records = Vec::new();
        for event in events {
            let before = base.state.clone();
            R::apply(&mut base.state, event);
            let mut seen = Vec::new();
            for (side, mind) in &mut base.minds {
                if let Some(sighting) = R::sight(&before, event, &base.state, mind, side) {
                    R::recall(mind, &sighting);
                    seen.push((side.clone(), sighting));
                }
            }
            records.push(Record::Event { body: event.clone(), seen });
        }
        records
    }

    /// One entry of the chain.
    pub(super) fn enter(&mut self, out: &mut Batch, kind: &'static str, body: String) {
        out.entries.push(Entry { slot: self.core.slot, kind, body });
        self.past.entries += 1;
    }

    /// Between two inputs, and at a rest point: what is under way goes on by the standing answers that were set before the input
    /// in which it began.
    pub(super) fn keep_answers(&mut self) {
        self.core.desk.keep(R::keeps_answers(&self.core.now.state));
    }

    /// Plays the open leg as far as it goes.
    pub(super) fn decide_with(&self, journal: &Journal) -> Result<Leg<R>, Diverged> {
        let core = &self.core;
        let play = |cup: &dyn Cup| {
            let cup = Fixed { cup, fiats: &core.fiats };
            decide(&core.base, journal, &core.desk, &cup, &core.known)
        };
        match &self.ground.source {
            Source::Given(cup) => play(cup.as_ref()),
            Source::Committed { game, secrets } => {
                play(&secrets.seeds(&core.slots.epochs(), game, core.slot, &self.ground.sides))
            }
        }
    }

    /// The breach as the umpire reads it, with the kept record that it names.
    pub(super) fn broken(&self, breach: &Diverged) -> Broken {
        let kept = match breach {
            Diverged::Record(at) => self.core.known.get(*at).map(describe::<R>),
            _ => None,
        };
        let kept = kept.map_or_else(String::new, |record| format!("; kept is: {record}"));
        Broken { why: format!("{} {}: {breach}{kept}", R::NAME, R::VERSION) }
    }

    pub(super) fn post_of(&self, seat: &SeatId) -> Option<usize> {
        self.core.posts.iter().position(|post| post.seat == *seat)
    }

    pub(super) fn side_index(&self, side: &SideId) -> Option<usize> {
        self.ground.sides.iter().position(|s| s == side)
    }

    /// The stage where play stands; known to all, since its change is always lettered.
    pub(super) fn stage_now(&self) -> Option<Stage> {
        let stage = R::stage(&self.core.now.state)?;
        Some(Stage { on_move: self.core.desk.staff.persons(&stage.on_move), ..stage })
    }

    pub(super) fn over(&self) -> bool {
        self.core.begun && self.core.known.is_empty() && R::stage(&self.core.base.state).is_none()
    }

    /// Whether sheets of the open stage wait for each other.
    pub(super) fn sealed(&self) -> bool {
        self.ground.tempo == Tempo::Sealed || self.stage_now().is_some_and(|stage| stage.secret)
    }

    /// What is due, without the sealed sheets whose seats have said END.
    pub(super) fn open_dues(&self) -> Vec<Due> {
        let ended = &self.core.journal.draft_ended;
        self.core.dues.iter().filter(|due| !ended.contains(&due.address)).cloned().collect()
    }

    /// A game equal to this one, for the noninterference tests.
    pub(super) fn copy(&self) -> Self {
        let ground = &self.ground;
        Hosted {
            ground: Ground {
                laid: Arc::clone(&ground.laid),
                source: ground.source.clone(),
                tempo: ground.tempo,
                seats: ground.seats.clone(),
                sides: ground.sides.clone(),
                unread: ground.unread,
            },
            core: self.core.clone(),
            past: self.past.clone(),
            asked: Cell::default(),
        }
    }
}

impl<R: Paper> Clone for Core<R> {
    fn clone(&self) -> Self {
        Core {
            begun: self.begun,
            closed: self.closed,
            otherwise: self.otherwise.clone(),
            slot: self.slot,
            turn: self.turn,
            slots: self.slots.clone(),
            fiats: self.fiats.clone(),
            free: self.free,
            judged: self.judged.clone(),
            base: self.base.clone(),
            now: self.now.clone(),
            known: self.known.clone(),
            journal: self.journal.clone(),
            after: self.after.clone(),
            desk: self.desk.clone(),
            dues: self.dues.clone(),
            riders: self.riders.clone(),
            lettered: self.lettered.clone(),
            posts: self.posts.clone(),
            kens: self.kens.clone(),
            brought: self.brought.clone(),
            amends: self.amends.clone(),
            sheets: self.sheets.clone(),
            last_sheets: self.last_sheets.clone(),
            marks: self.marks.clone(),
        }
    }
}

impl<R: Paper> Core<R> {
    /// Gives the first waiting line of a seat that reads so its outcome.
    pub(super) fn settle(
        &mut self,
        seat: &SeatId,
        no: u32,
        text: &str,
        outcome: &crate::rules::Outcome,
        span: Option<(usize, usize)>,
    ) {
        let Some(post) = self.posts.iter_mut().find(|post| post.seat == *seat) else { return };
        let fits = |p: &&mut Pending| p.outcome.is_none() && p.sheet.is_some() && p.no == no && p.text == text;
        if let Some(pending) = post.pending.iter_mut().find(fits) {
            pending.outcome = Some(outcome.clone());
            pending.span = span;
        }
    }

    /// A due that has been answered for its seat is news when it is asked again.
    pub(super) fn forget_shown(&mut self, due: &Due) {
        for post in self.posts.iter_mut().filter(|post| post.seat == due.seat) {
            post.shown.retain(|address| *address != due.address);
        }
    }

    /// Forgets the sheets that are closed, but for their titles.
    pub(super) fn close_sheets(&mut self, open: &BTreeSet<String>) {
        for (address, sheet) in &self.sheets {
            let own = |post: &&Post<R>| !open.contains(address) && address.ends_with(&format!("/{}", post.seat));
            if let Some(post) = self.posts.iter().find(own) {
                self.last_sheets.insert(post.seat.clone(), sheet.title.clone());
            }
        }
        self.sheets.retain(|address, _| open.contains(address));
    }

    /// The sheets of the open stage, one a seat.
    pub(super) fn sheets(&self, key: Option<&str>) -> BTreeSet<String> {
        key.map(|key| self.posts.iter().map(|post| Journal::sheet(&post.seat, key)).collect()).unwrap_or_default()
    }
}

/// What a side knows where play stands.
pub(super) fn look<R: Paper>(base: &Base<R>, side: &SideId) -> R::View {
    let viewer = Viewer::Side(side.clone());
    match base.minds.iter().find(|(s, _)| s == side) {
        Some((_, mind)) => see::<R>(&base.state, mind, viewer).into_parts().1,
        None => see::<R>(&base.state, &R::Intel::default(), viewer).into_parts().1,
    }
}

/// One line of JSON.
pub(super) fn json<T: Serialize>(value: &T) -> String {
    Body::write(value).text().to_owned()
}

fn describe<R: Paper>(record: &RecordOf<R>) -> String {
    match record {
        Record::Event { body, .. } => format!("event {}", cx::encode::<R>(Truth::Event(body)).text()),
        Record::Rolled(roll) => format!("roll {} {} {:?}", roll.label, roll.n, roll.dice),
        Record::Line { seat, text, .. } => format!("line of {seat}: {text}"),
    }
}
