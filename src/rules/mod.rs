//! The contract that every ruleset answers, and the driver that plays it.
//!
//! A ruleset is sequential code that emits events, rolls dice, takes orders, asks questions, and stops with `?` where an
//! answer is missing. It runs again from the last rest point when the answer has come. It never sees a seat's address,
//! a clock or a mail.

pub mod austerlitz1805;
pub mod brave_fellows;
pub mod campaigns;
pub mod cx;
pub mod great_battles;
pub mod journal;
pub mod kept;
pub mod lift;
pub mod rehearsal;
pub mod shelf;
pub mod staff;
pub mod tactical;

use crate::dice::Roll;
use crate::fog::{Fogged, Pass, SeatId, SideId};
use crate::orders::mend::{Meaning, Mended};
use crate::orders::{Fault, Line, Verb};
use cx::Cx;
use journal::Book;
use kept::{Body, Corrupt, Row, Truth};
use rehearsal::{Rehearsed, Warning};
use serde::Serialize;
use serde::de::DeserializeOwned;
use staff::{Brought, Concern, Dispatch, Staff};
use std::any::Any;
use std::sync::Arc;

/// A stretch of play in which named seats are on move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Unique within a game, such as `3/french/A`.
    pub key: String,
    /// As reports name it, such as `French movement (sheet A)`.
    pub title: String,
    /// Seats on move; empty for what nobody decides.
    pub on_move: Vec<SeatId>,
    /// Sealed in every tempo, because the rules make its choices secret and simultaneous.
    pub secret: bool,
}

/// A question put to one seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// Who is asked.
    pub seat: SeatId,
    /// Where the answer will stand in the journal.
    pub address: String,
    /// The question, or `None` for an open sheet.
    pub prompt: Option<Ask>,
}

/// A prompt as paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// One sentence.
    pub question: String,
    /// The paragraphs it rests on.
    pub rule: String,
    /// Lines to copy, each complete.
    pub answers: Vec<String>,
    /// The line that is taken at the deadline.
    pub default: String,
}

/// What became of an order line. Faults of reading are outcomes too.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Outcome {
    /// Carried out; the report tells how.
    Done,
    /// Allowed, and did not succeed, with the reason and its paragraph.
    Failed {
        /// The reason, from what the seat knows.
        why: String,
        /// The paragraph.
        rule: String,
    },
    /// Not allowed by what the seat may know.
    Refused {
        /// The reason.
        why: String,
        /// The paragraph.
        rule: String,
        /// A legal line in its stead.
        copy: Option<String>,
    },
    /// Not understood.
    Unclear {
        /// What is wrong and what is nearest.
        why: String,
        /// An example.
        copy: Option<String>,
    },
    /// Not built yet.
    NotYet {
        /// What, by name.
        why: String,
    },
    /// The stage ended before the line's turn came.
    NotReached,
    /// A courier takes it to the seat named, which carries it out when he comes in.
    Sent {
        /// The seat.
        to: String,
    },
}

/// A rule that a version reads otherwise than those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The version that first reads it so.
    pub version: u32,
    /// The paragraph, such as `¶242`.
    pub rule: &'static str,
    /// How it is read now, one sentence.
    pub text: &'static str,
}

/// A key of the doctrine: a standing answer.
pub struct Key {
    /// The word after DOCTRINE.
    pub word: &'static str,
    /// Its values; one that is more than a word is usage, such as `BACK n`.
    pub values: &'static [&'static str],
    /// The value in force where the seat has said nothing.
    pub default: &'static str,
    /// What it decides, one sentence.
    pub about: &'static str,
    /// The paragraphs.
    pub rule: &'static str,
    /// Whether a value is well-formed that is none of its words.
    pub valid: fn(&str) -> bool,
}

impl Key {
    /// A key whose values are words alone; the first of them is in force where the seat has said nothing.
    pub const fn words(
        word: &'static str,
        values: &'static [&'static str],
        about: &'static str,
        rule: &'static str,
    ) -> Key {
        let default = if let [first, ..] = values { first } else { "" };
        Key { word, values, default, about, rule, valid: |_| false }
    }

    /// Whether a value may be set: one of the words, or one that is well-formed.
    pub fn takes(&self, value: &str) -> bool {
        (!value.contains(' ') && self.values.contains(&value)) || (self.valid)(value)
    }
}

/// A result of the rules, or a stop where an answer is missing.
pub type Play<T> = Result<T, Stop>;

/// The rules stop here until an answer comes. Only the driver makes one; rules pass it on with `?`.
#[must_use]
#[derive(Debug)]
pub struct Stop(pub(in crate::rules) ());

/// The files of a scenario: relative path and text, in a fixed order.
pub type Files = [(String, String)];

/// A state before anything stands on the map, and the events that set the scenario up.
pub type Opened<S, E> = (S, Vec<E>);

/// What a side knows of its enemy against the truth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reckoning {
    /// The side.
    pub side: SideId,
    /// Strength it has lost so far.
    pub lost: i32,
    /// Enemy pieces on the map that it names rightly.
    pub right: u32,
    /// Those that it takes for something else.
    pub wrong: u32,
    /// Those that it has no name for.
    pub unknown: u32,
    /// What it takes each piece for that it names, in words.
    pub picture: Vec<String>,
}

impl Reckoning {
    /// The same, of enemies that are known by tags.
    pub fn of(side: &SideId, lost: i32, (right, wrong, unknown, picture): tactical::tags::Reckoned) -> Reckoning {
        Reckoning { side: side.clone(), lost, right, wrong, unknown, picture }
    }
}

/// What one game counts for in a run of many.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Tally {
    /// Who has won, by the name of the side.
    pub winner: Option<String>,
    /// Numbers by name, such as turns in fog.
    pub counts: Vec<(String, u32)>,
    /// Numbers to be divided by others, such as SP by battles.
    pub ratios: Vec<(String, u32, u32)>,
}

/// What each side has learnt, in the scenario's order.
pub type Minds<R> = [(SideId, <R as crate::fog::Fogged>::Intel)];

/// Examples of what an umpire's lines name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Umpired {
    /// A piece.
    pub piece: &'static str,
    /// What AMEND may say of it.
    pub place: &'static str,
    /// What FIAT names: a side where the roll is one of its own, the roll, and its die.
    pub roll: &'static str,
}

/// One hosted game.
pub trait Ruleset:
    Fogged<
        State: Clone + Serialize + DeserializeOwned,
        Intel: Clone + Default + Serialize + DeserializeOwned,
        View: Clone + PartialEq + Send + Sync,
    > + Sized
    + 'static
{
    /// Its name in scenarios and on the command line.
    const NAME: &'static str;
    /// Whether what is told of an event looks at the state before it; keeping that for each event costs a copy.
    const LOOKS_BACK: bool = true;
    /// What losses are counted in, such as `SP`; nothing where a ruleset does not count them.
    const LOST_IN: &'static str = "";
    /// Raised when any event or outcome may differ.
    const VERSION: u32;
    /// The digest of its sources, in hexadecimal; empty where nobody asks for it.
    const RULES: &'static str = "";
    /// What each version after the first reads otherwise, for those whose games are running.
    const CHANGES: &'static [Change] = &[];
    /// What goes on by the standing answers with which it began, as its players call it; nothing where answers count at once.
    const KEEPS_IN: Option<&'static str> = None;
    /// The steps that bring the files of a scenario from each older form to the next.
    const LIFTS: &'static [lift::Lift] = &[];
    /// What changes the truth.
    type Event: Clone + PartialEq + Serialize + DeserializeOwned;
    /// What one side is told of an event, with tags for foreign pieces.
    type Sighting: Clone + PartialEq + Sync + Serialize + DeserializeOwned;
    /// A question.
    type Prompt: Clone;
    /// What a line of a sheet becomes.
    type Order: Clone;
    /// What a line of an answer becomes.
    type Answer;

    // The rules.

    /// The state before anything stands on the map, and the events that set the scenario up.
    ///
    /// # Errors
    /// All flaws of the files, each with file, line and cure.
    fn open(files: &Files) -> Result<Opened<Self::State, Self::Event>, Vec<String>>;
    /// What is printed, and so is not kept with a position: whoever reads one back is lent it by another.
    fn printed(s: &Self::State) -> Arc<dyn Any + Send + Sync> {
        let _ = s;
        Arc::new(())
    }
    /// A position for a rule case, from a scenario's files and what the case says of it.
    ///
    /// # Errors
    /// What the position names and the scenario lacks.
    fn arrange(files: &Files, before: serde_json::Value) -> Result<cx::Base<Self>, String> {
        let (_, _) = (files, before);
        Err("this ruleset has no rule cases yet".to_owned())
    }
    /// The seats in the scenario's order, with their sides.
    fn seats(s: &Self::State) -> Vec<(SeatId, SideId)>;
    /// All sides in the scenario's order; one that the rules lead themselves has no seat.
    fn sides(s: &Self::State) -> Vec<SideId> {
        let mut sides: Vec<SideId> = Vec::new();
        for (_, side) in Self::seats(s) {
            if !sides.contains(&side) {
                sides.push(side);
            }
        }
        sides
    }
    /// The dice slot: the game turn.
    fn slot(s: &Self::State) -> u32;
    /// The last slot that the scenario can reach.
    fn last_slot(s: &Self::State) -> u32;
    /// The stage; `None` when the game is over.
    fn stage(s: &Self::State) -> Option<Stage>;
    /// Whether the stage is one of many of a turn, so that who only looks on gets no letter when it opens: he reads of it in
    /// his next one. The first stop of a turn is told to all.
    fn quiet(s: &Self::State) -> bool {
        let _ = s;
        false
    }
    /// One leg: from one rest point to the next.
    ///
    /// # Errors
    /// A stop, where an answer is missing.
    fn play(cx: &mut Cx<'_, Self>) -> Play<()>;
    /// Changes the state; holds no rules and cannot fail.
    fn apply(s: &mut Self::State, e: &Self::Event);

    // What an umpire may do.

    /// What an umpire's lines name in examples: pieces of the French, who fight in every game.
    const UMPIRED: Umpired = Umpired { piece: "Ney", place: "PLACE Ney AT 0101", roll: "weather 3" };
    /// The events by which an umpire amends something of one side; the line is what stands behind the side's name.
    ///
    /// # Errors
    /// What is not understood, or would not be so.
    fn amend(s: &Self::State, minds: &Minds<Self>, side: &SideId, line: &Line) -> Result<Vec<Self::Event>, Fault> {
        let (_, _, _, _) = (s, minds, side, line);
        Err(Fault::not_yet("AMEND", "this ruleset"))
    }
    /// What of a state cannot be, in sentences: a piece in two places, a strength above its maximum.
    fn unsound(s: &Self::State) -> Vec<String> {
        let _ = s;
        Vec::new()
    }
    /// What an event has made that cannot be: flaws of the state that were not there before it, strength from nowhere.
    fn leap(before: &Self::State, event: &Self::Event, after: &Self::State) -> Vec<String> {
        let _ = event;
        let old = Self::unsound(before);
        Self::unsound(after).into_iter().filter(|flaw| !old.contains(flaw)).collect()
    }
    /// Who knows what of a piece, for the umpire.
    ///
    /// # Errors
    /// A piece that there is not.
    fn who_knows(s: &Self::State, minds: &Minds<Self>, piece: &str) -> Result<Vec<String>, Fault> {
        let (_, _, _) = (s, minds, piece);
        Err(Fault::not_yet("WHO-KNOWS", "this ruleset"))
    }
    /// What each side knows against the truth, for the end of the game; nothing where a ruleset does not count it.
    fn reckon(s: &Self::State, minds: &Minds<Self>) -> Vec<Reckoning> {
        let (_, _) = (s, minds);
        Vec::new()
    }
    /// How much a side has lost so far, in [`Ruleset::LOST_IN`]. Its players always know.
    fn lost(s: &Self::State, side: &SideId) -> i32 {
        let (_, _) = (s, side);
        0
    }
    /// Who has won, and numbers of the game that a run of many is summed up by, each with its name.
    fn tally(s: &Self::State, events: &[Self::Event]) -> Tally {
        let (_, _) = (s, events);
        Tally::default()
    }
    /// What the face of a die is read as, such as the tenth as nought: its players see that number alone.
    fn face(label: &str, sides: u32, face: u32) -> u32 {
        let _ = (label, sides);
        face
    }
    /// Whether the roll of a label decides a combat, so that a free umpire is asked first.
    fn decides_combat(label: &str) -> bool {
        let _ = label;
        false
    }

    // What is seen.

    /// What a side is told of an event.
    fn sight(
        before: &Self::State,
        e: &Self::Event,
        after: &Self::State,
        mind: &Self::Intel,
        to: &SideId,
    ) -> Option<Self::Sighting>;
    /// Changes what a side knows by what it was told.
    fn recall(mind: &mut Self::Intel, s: &Self::Sighting);

    // What is said: all of it from the view.

    /// The verbs.
    fn verbs() -> &'static [Verb<Self::View, Self::Order>];
    /// Whether a line that begins with this word belongs to the line above.
    fn continues(word: &str) -> bool {
        let _ = word;
        false
    }
    /// Whether a line that begins as a continuation names who is to do it, and so is an order of its own.
    fn own_order(v: &Self::View, line: &Line) -> bool {
        let _ = (v, line);
        false
    }
    /// The keys of the doctrine.
    fn doctrines() -> &'static [Key];
    /// Pieces and classes of pieces for which a side may set a doctrine by itself: `DOCTRINE SQUARE NO FOR Vandamme/1`. Names
    /// that are printed, of its own pieces alone, so that no refusal tells of the others'.
    fn subjects(s: &Self::State, side: &SideId) -> Vec<String> {
        let _ = (s, side);
        Vec::new()
    }
    /// Why a value of the doctrine cannot be set in this game, although its key takes it in others.
    fn unset(s: &Self::State, value: &str) -> Option<String> {
        let _ = (s, value);
        None
    }
    /// Why a standing answer cannot be set as it is written: by its value, or since it is for nobody; `key` is that of the
    /// seat's book, with `FOR` and a piece where one is named.
    fn ill_set(s: &Self::State, key: &str, value: &str) -> Option<String> {
        let _ = key;
        Self::unset(s, value)
    }
    /// A prompt's place in the journal: own names and public words only.
    fn address(p: &Self::Prompt) -> String;
    /// A prompt as its seat reads it.
    fn ask(v: &Self::View, p: &Self::Prompt) -> Ask;
    /// Reads an answer.
    ///
    /// # Errors
    /// The fault of the line.
    fn read(v: &Self::View, p: &Self::Prompt, l: &Line) -> Result<Self::Answer, Fault>;
    /// The doctrine's answer, or `None` where the seat wants to be asked.
    fn doctrine_answer(v: &Self::View, p: &Self::Prompt, book: &Book) -> Option<String>;
    /// Whether something is under way that goes on by the standing answers with which it began ([`Ruleset::KEEPS_IN`]): what a
    /// seat sets meanwhile counts when that is over.
    fn keeps_answers(s: &Self::State) -> bool {
        let _ = s;
        false
    }
    /// What CHECK says of an order, from the view alone.
    ///
    /// # Errors
    /// Why it would not be carried out, as far as the view can tell.
    fn check(v: &Self::View, o: &Self::Order) -> Result<Vec<String>, Fault>;
    /// What one order of a plan comes to on a view, and the view that it leaves for the orders below it. It throws no die.
    ///
    /// # Errors
    /// Why it would not be carried out, whatever is rolled and whatever others do.
    fn rehearse(v: &Self::View, o: &Self::Order) -> Result<Rehearsed<Self::View>, Fault> {
        let said = Self::check(v, o)?;
        Ok(Rehearsed { said, warnings: Vec::new(), after: v.clone(), others: Vec::new() })
    }
    /// What an order of a plan comes to as `rehearse` finds it, for those who read no word of it: what would be said may be
    /// left out where it costs much.
    ///
    /// # Errors
    /// As for `rehearse`.
    fn foresee(v: &Self::View, o: &Self::Order) -> Result<Rehearsed<Self::View>, Fault> {
        Self::rehearse(v, o)
    }
    /// Whether the part of the turn is over to which an order belongs, so that it comes too late on this view and in time on
    /// an earlier one of the same turn.
    fn is_over(v: &Self::View, o: &Self::Order) -> bool {
        let (_, _) = (v, o);
        false
    }
    /// Which of the orders that wait on one seat's sheet is carried out next; none where they go as they are written.
    fn next(v: &Self::View, book: &Book, orders: &mut dyn Iterator<Item = Self::Order>) -> Option<usize> {
        let (_, _, _) = (v, book, orders);
        None
    }
    /// Plans an order together with those of the same sheet that wait below it, where they belong together; says the places of
    /// those among them.
    fn together(v: &Self::View, o: &mut Self::Order, waiting: &mut dyn Iterator<Item = Self::Order>) -> Vec<usize> {
        let (_, _, _) = (v, o, waiting);
        Vec::new()
    }
    /// Lends a view the standing answers of its seat, so that what is tried on it is answered as it would be.
    fn lend(view: &mut Self::View, book: &Book) {
        let (_, _) = (view, book);
    }
    /// What the writer of a whole plan should know, where it begins and where it most likely ends.
    fn warnings(before: &Self::View, after: &Self::View, plan: &[Self::Order]) -> Vec<Warning> {
        let (_, _, _) = (before, after, plan);
        Vec::new()
    }
    /// What was meant by a line that gives no order, or none that is allowed.
    fn meant(v: &Self::View, line: &Line, fault: &Fault) -> Meaning {
        let (_, _) = (v, line);
        Meaning::Attempt(Mended::from(fault))
    }

    /// Whether a later order takes the place of an earlier one that has not been carried out: both are for the same piece
    /// and the same step.
    fn replaces(v: &Self::View, later: &Self::Order, earlier: &Self::Order) -> bool {
        let (_, _, _) = (v, later, earlier);
        false
    }

    // Several seats of one side; a ruleset without leaders to command has one a side.

    /// The leaders of a side by whom its seats name what they command: id and printed name.
    fn leaders(s: &Self::State, side: &SideId) -> Vec<(String, String)> {
        let (_, _) = (s, side);
        Vec::new()
    }
    /// Whom an order is about.
    fn concern(v: &Self::View, o: &Self::Order) -> Concern {
        let (_, _) = (v, o);
        Concern::Army
    }
    /// Whom a question is about.
    fn asks(v: &Self::View, p: &Self::Prompt) -> Concern {
        let (_, _) = (v, p);
        Concern::Army
    }
    /// How many steps of an open sheet lie between where it stands and the step of an order, which ends those before.
    fn ahead(v: &Self::View, o: &Self::Order) -> u32 {
        let (_, _) = (v, o);
        0
    }

    /// What happens when a dispatch of one seat to another of its side sets out.
    ///
    /// # Errors
    /// Why it cannot.
    fn dispatch(s: &Self::State, side: &SideId, dispatch: &Dispatch) -> Result<Vec<Self::Event>, Fault> {
        let (_, _, _) = (s, side, dispatch);
        Err(Fault::not_yet("DISPATCH", "this ruleset"))
    }
    /// A leader and those above him, he himself first, by their ids.
    fn line(v: &Self::View, leader: &str) -> Vec<String> {
        let _ = v;
        vec![leader.to_owned()]
    }
    /// What one of several seats knows that know only their own: what its side knows `now`, narrowed to what its own
    /// pieces see, and for the rest what it knew `before`, at the last rest point.
    fn narrow(before: Option<&Self::View>, now: Self::View, staff: &Staff, seat: &SeatId) -> Self::View {
        let (_, _, _) = (before, staff, seat);
        now
    }
    /// What one of several seats that know only their own knows its side to have lost, in the unit of [`Self::lost`].
    fn lost_known(v: &Self::View) -> i32 {
        let _ = v;
        0
    }
    /// Whether one of several seats that know only their own hears what its side was told; `v` is what its side knew
    /// at the last rest point.
    fn heeds(v: &Self::View, staff: &Staff, seat: &SeatId, told: &Self::Sighting) -> bool {
        let (_, _, _, _) = (v, staff, seat, told);
        true
    }
    /// Whether a leader, given with those above him, stands where a seat is, so that it speaks with him.
    fn beside(v: &Self::View, staff: &Staff, seat: &SeatId, line: &[String]) -> bool {
        let (_, _, _, _) = (v, staff, seat, line);
        true
    }
    /// Orders that have come in with a dispatch, if a sighting tells of any.
    fn brought(told: &Self::Sighting) -> Option<Brought> {
        let _ = told;
        None
    }
    /// Whether the open sheet is one for the orders that dispatches bring.
    fn carries_out(s: &Self::State) -> bool {
        let _ = s;
        true
    }
    /// What one seat of a side is told of a sighting: what was written to another seat is not for it.
    fn for_seat(told: &Self::Sighting, seat: &SeatId) -> Self::Sighting {
        let _ = seat;
        told.clone()
    }
    /// Where and when a seat last heard from another of its side by courier, in words.
    fn heard(v: &Self::View, by: &SeatId, of: &SeatId) -> Option<String> {
        let (_, _, _) = (v, by, of);
        None
    }

    // What is kept, and what tests need.

    /// A state as text, for comparison only.
    fn digest(s: &Self::State) -> Body {
        Body::write(s)
    }
    /// Writes truth down for the store.
    fn encode(t: Truth<'_, Self>, pass: Pass) -> Body {
        let _ = pass;
        match t {
            Truth::Event(event) => Body::write(event),
            Truth::Sighting(told) => Body::write(told),
            Truth::State(s) => Self::digest(s),
        }
    }
    /// Reads an event of any version ever written.
    ///
    /// # Errors
    /// When the body is none.
    fn decode(body: &Body) -> Result<Self::Event, Corrupt> {
        body.read()
    }
    /// Reads a sighting of any version ever written.
    ///
    /// # Errors
    /// When the body is none.
    fn decode_sighting(body: &Body) -> Result<Self::Sighting, Corrupt> {
        body.read()
    }
    /// Hidden pieces as rows for the umpire's SQLite tool.
    fn rows(s: &Self::State, minds: &[(SideId, Self::Intel)], pass: Pass) -> Vec<Row>;
    /// The same state with everything outside a side's knowledge changed.
    fn scramble(s: &Self::State, minds: &[(SideId, Self::Intel)], keep: &SideId, noise: u64) -> Self::State;
}

/// One record of a leg.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record<E, S> {
    /// Something happened; and what each side was told of it.
    Event {
        /// The event.
        body: E,
        /// The sightings, in the scenario's order of sides.
        seen: Vec<(SideId, S)>,
    },
    /// Dice were rolled.
    Rolled(Roll),
    /// An order line got its outcome.
    Line {
        /// Whose line.
        seat: SeatId,
        /// The line as kept in the journal.
        text: String,
        /// Its number in its mail.
        no: u32,
        /// What became of it.
        upshot: Upshot,
        /// The answer in words, for its letter; a chain holds none, so that a sentence may be put better at any time.
        said: Option<Outcome>,
    },
}

impl<E: PartialEq, S: PartialEq> Record<E, S> {
    /// Whether a record that is recomputed is this one as it was kept: by what happened, and not by how it is worded.
    pub fn agrees(&self, again: &Self) -> bool {
        match (self, again) {
            (
                Record::Line { seat, text, no, upshot, said: _ },
                Record::Line { seat: s, text: t, no: n, upshot: u, .. },
            ) => (seat, text, no, upshot) == (s, t, n, u),
            (Record::Rolled(kept), Record::Rolled(again)) => kept.agrees(again),
            (kept, again) => kept == again,
        }
    }
}

/// What became of an order line, without a word of why: the part of an [`Outcome`] that is a fact of the game.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Upshot {
    /// Carried out.
    Done,
    /// Allowed, and did not succeed.
    Failed {
        /// The paragraph.
        rule: String,
    },
    /// Not allowed by what the seat may know.
    Refused {
        /// The paragraph.
        rule: String,
    },
    /// Not understood.
    Unclear {},
    /// Not built yet.
    NotYet {},
    /// The stage ended before the line's turn came.
    NotReached,
    /// A courier takes it to the seat named.
    Sent {
        /// The seat.
        to: String,
    },
}

impl Upshot {
    /// The word that stands over the answer.
    pub fn word(&self) -> &'static str {
        match self {
            Upshot::Done => "DONE",
            Upshot::Failed { .. } => "FAILED",
            Upshot::Refused { .. } => "REFUSED",
            Upshot::Unclear {} => "UNCLEAR",
            Upshot::NotYet {} => "NOT YET",
            Upshot::NotReached => "NOT REACHED",
            Upshot::Sent { .. } => "SENT",
        }
    }
}

impl Outcome {
    /// The word that stands over the answer.
    pub fn word(&self) -> &'static str {
        self.upshot().word()
    }

    /// What stands of it in the chain.
    pub fn upshot(&self) -> Upshot {
        match self {
            Outcome::Done => Upshot::Done,
            Outcome::Failed { rule, why: _ } => Upshot::Failed { rule: rule.clone() },
            Outcome::Refused { rule, why: _, copy: _ } => Upshot::Refused { rule: rule.clone() },
            Outcome::Unclear { why: _, copy: _ } => Upshot::Unclear {},
            Outcome::NotYet { why: _ } => Upshot::NotYet {},
            Outcome::NotReached => Upshot::NotReached,
            Outcome::Sent { to } => Upshot::Sent { to: to.clone() },
        }
    }
}

impl From<Fault> for Outcome {
    fn from(fault: Fault) -> Outcome {
        let said = fault.to_string();
        match fault {
            Fault::Unclear { example, .. } => Outcome::Unclear { why: said, copy: example },
            Fault::Refused { why, rule, copy } => Outcome::Refused { why, rule, copy },
            Fault::NotYet { .. } => Outcome::NotYet { why: said },
        }
    }
}
