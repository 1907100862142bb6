//! Great Battles of the Napoleonic Wars: Austerlitz and its system, battalions on hexes of 150 yards.
//!
//! The law is the book of rules; numbers of paragraphs stand at the head of each function. R-nn are our readings where
//! the book leaves a point open, D-nn its standing answers. The table lies open, or each side sees what its own units see.
//! What is not built yet is said at the end.
//!
//! | paragraphs | chapter | module |
//! |---|---|---|
//! | 2 | counters, charts, the field | `board`, `tables`, `ground` |
//! | 3 | sequence of play, of a sheet's lines | `play`, `sequence` |
//! | 4.1, 4.2, 4.4, 4.6.2 | the pool, Command Change, initiative, the Non-LIM Phase | `pool` |
//! | 4.3, 4.5-4.7, 5.2, 5.4 | attempts, breakdowns, the marker, leaders; lodged sheets | `command`, `compel`, `retire`; `play`, `ask` |
//! | 5, 6.1 | movement, turns; what each coming into a hex obeys | `march`, `entry` |
//! | 6.0, 6.3, 6.5 | formations and what they make of a counter's sides | `pose`, `form` |
//! | 6.2 | reactions | `react` |
//! | 7 | stacks | `stacking` |
//! | 8.1 | fire, lines of sight | `fire`, `los` |
//! | 8.2, 8.3 | bayonet, assault | `shock`, `melee` |
//! | 8.4 | charges, squares, pursuit | `charge`, `melee`, `pursuit` |
//! | 8.5, 9, 11.1 | losses, morale, chains | `morale` |
//! | 10 | retreats | `retire` |
//! | 8.4.5, 12, 13 | rally, Blown horse, fatigue | `rally` |
//! | 11.2, 11.3 | breakpoints, victory | `state`, `victory` |
//! | 14 | reinforcements | `reinforce` |
//! | H | double-blind play: who sees whom, what each side is told, its table | `eyes`, `told`, `view`, `scramble` |
//! | H.12 | dummies of masked play | `dummy` |
//!
//! What was meant by a line that cannot be read is heard in `meant`; what an order comes to is tried in `rehearse`, a wish in
//! `wishes`, and what a plan leaves out is seen in `heed`; what an order sheet is laid out with stands in `reach`; what an
//! umpire corrects stands in `amend`; the program's own player is `solo`.
//!
//! Not yet: conditions in orders but for the clause that stops a move (H.3); special commanders (4.1.2), which no scenario
//! has; the Non-LIM Phase as two lists; dummies of divisions that come later.

mod amend;
pub mod arrange;
pub mod ask;
pub mod board;
mod charge;
mod command;
mod compel;
mod dummy;
mod entry;
pub mod event;
mod examples;
pub mod eyes;
mod fire;
mod form;
pub mod ground;
mod hand;
mod heed;
mod los;
mod march;
mod meant;
mod melee;
mod morale;
pub mod order;
pub mod play;
pub mod pool;
pub mod pose;
mod pursuit;
mod rally;
pub mod reach;
mod react;
mod rehearse;
pub mod reinforce;
mod retire;
mod rows;
mod scramble;
mod sequence;
mod shock;
pub mod solo;
mod sound;
mod stacking;
pub mod state;
pub mod tables;
pub mod told;
pub mod victory;
pub mod view;
mod wishes;

use super::cx::{Base, Cx};
use super::journal::Book;
use super::kept::{Body, Row};
use super::{Ask, Change, Files, Key, Minds, Opened, Play, Reckoning, Ruleset, Stage, Tally, Umpired};
use crate::fog::{Fogged, Pass, SeatId, SideId, Viewer};
use crate::orders::mend::Meaning;
use crate::orders::{Fault, Line, Verb};
use crate::rules::rehearsal::{Rehearsed, Warning};
use crate::rules::tactical::lodge;
use crate::rules::tactical::table;
use crate::rules::tactical::tags::{self, Intel};
use event::Event;
use order::Order;
use state::State;
use std::any::Any;
use std::sync::{Arc, LazyLock};
use view::View;

/// The ruleset.
pub struct GreatBattles;

/// What a side is told of an event.
pub type Sighting = tags::Sighting<Event>;

static VERBS: LazyLock<Vec<Verb<View, Order>>> = LazyLock::new(order::verbs);

impl Fogged for GreatBattles {
    type State = State;
    type Intel = Intel;
    type View = View;

    fn project(truth: &State, mind: &Intel, viewer: &Viewer, _: Pass) -> View {
        view::view(truth, mind, viewer)
    }
}

impl Ruleset for GreatBattles {
    const NAME: &'static str = "great_battles";
    const LOST_IN: &'static str = "SP";
    const VERSION: u32 = 15;
    const CHANGES: &'static [Change] = &[
        Change {
            version: 3,
            rule: "8.0",
            text: "combat and retreats by the letter of the book: who may answer, who supports, who stays together, \
                   where a retreat ends.",
        },
        Change {
            version: 4,
            rule: "H.3",
            text: "what an unseen enemy bars is spent; retreats go by the enemies that are seen; batteries stack as \
                   their own kind does.",
        },
        Change {
            version: 5,
            rule: "H.4",
            text: "in double-blind play nobody is asked about a reaction: a value of the doctrine decides, and ASK is \
                   not taken.",
        },
        Change {
            version: 6,
            rule: "H.12",
            text: "masked play: a counter beyond four hexes has no face, and may be a dummy.",
        },
        Change {
            version: 7,
            rule: "H.12",
            text: "masked play: units tell faces, in mist from half of the sight, leaders do not; whoever seems to \
                   look ends a dummy; a charge at one is spent; dummies stack as units do.",
        },
        Change {
            version: 9,
            rule: "8.4.2",
            text: "horse meets a charge where it can come next to it, on the last hex too if it is not the target, and \
                   may pursue; a charging line checks for each further turn.",
        },
        Change {
            version: 10,
            rule: "8.1.7",
            text: "a line of sight along the edge of the map is open where nothing on the map stops it; TOP leaves \
                   nobody above those that it names; who falls by what lay above it checks for its own loss too; a \
                   pursuit costs an SP for each hex that is entered, and none for one that is not.",
        },
        Change {
            version: 11,
            rule: "H.6",
            text: "where the program chooses for a side, it chooses by the enemies that the side sees: the first \
                   command of a turn, where who runs goes, whom a division that has to charge goes for; a corps \
                   commander's modifier goes by where he was when his LIM was drawn; who could turn, limber or form \
                   column and go on has not gone as far as he can; a stack rallies to one level; who retires by a \
                   breakdown may be fired at; a sheet is carried out in the order of its steps.",
        },
        Change {
            version: 12,
            rule: "4.1.1",
            text: "who has acted on a LIM of reinforcements or of independents does not act again on that of its \
                   command; who bears the marker of strategic movement begins no combat, and a unit of its own acts \
                   limited; who comes on is barred beside enemies as others are, and may come in regular movement \
                   instead; in a chain nobody checks twice as a neighbour; large counters end at the edge of the map; \
                   horse meets a charge that sets out beside it; limbered horse guns go back from one; standing \
                   answers are fixed while a command acts; masked, a counter shows all of its hexes; who bears the \
                   marker marches on whatever LIM or loses it, a stack that fails one check goes in one chain, \
                   limbered horse guns stand against a charge only where they are alone and its target, and REMOVE and \
                   KEEP add up.",
        },
        Change {
            version: 13,
            rule: "H.1",
            text: "a side is told when a leader of the enemy's is out of its sight, as it is of a unit.",
        },
        Change {
            version: 14,
            rule: "10.1.1",
            text: "who comes to share a hex by a retreat has one level and one formation; a breakdown's retreat takes \
                   stacks together, with the points that they have now, and their leaders along, and guns limber out \
                   of the other half; foot in line or column fires at who goes back only when he moves on, and nobody \
                   does in the Rally Phase; a large counter of horse fights all before it, who runs and guns alone are \
                   lost to it; no formation and no square is taken for which there is no room; a leader waits for \
                   units that are still to come, and has his die at Rout Loss; DOCTRINE ROUNDS is AUTO unless it is \
                   set.",
        },
        Change {
            version: 15,
            rule: "4.7",
            text: "a breakdown's charge takes along all of a division that is able, also who has moved, turned or \
                   formed, with the points that he has left, and nobody forms square or Disorder to escape it; of a \
                   division that retires by a breakdown those farthest from the enemy go first, and all are asked \
                   again until nobody can go; who could not charge by himself, Blown or without May Charge, stays \
                   behind when his stack charges, and so does who is at Breakpoint when it goes in with the bayonet or \
                   assaults; what guns have fired at does not bind the foot stacked with them, and all hexes of one \
                   enemy unit are one target; a leader is with a unit in each of its hexes: he has his die when it \
                   loses SP, and comes after where a charge, an advance, a pursuit, a step in reaction or Disorder \
                   would leave him alone; a unit beyond its commander's range may be picked though its division has \
                   not acted in the turn, and does not act with it again; a unit goes into a hex of friends with whom \
                   it may not stay only if its line leads on out of it; who comes on obeys what who moves obeys; a \
                   wheel, a change of formation and a spread come into their new hexes as a step does.",
        },
    ];
    const KEEPS_IN: Option<&'static str> = Some("an activation");
    const RULES: &'static str = env!("RULES_GREAT_BATTLES");
    type Event = Event;
    type Sighting = Sighting;
    type Prompt = ask::Prompt;
    type Order = Order;
    type Answer = ask::Answer;

    fn open(files: &Files) -> Result<Opened<State, Event>, Vec<String>> {
        let board = board::Board::read(files)?;
        let events = arrange::setup(&board);
        Ok((State::empty(board), events))
    }

    fn printed(s: &State) -> Arc<dyn Any + Send + Sync> {
        Arc::clone(&s.board) as _
    }

    fn arrange(files: &Files, before: serde_json::Value) -> Result<Base<Self>, String> {
        arrange::arrange(files, before)
    }

    fn seats(s: &State) -> Vec<(SeatId, SideId)> {
        table::seats(s, &s.board.scenario.solo)
    }

    fn sides(s: &State) -> Vec<SideId> {
        s.sides().to_vec()
    }

    fn slot(s: &State) -> u32 {
        s.turn
    }

    fn last_slot(s: &State) -> u32 {
        s.board.scenario.turns.1
    }

    fn stage(s: &State) -> Option<Stage> {
        play::stage(s)
    }

    fn quiet(s: &State) -> bool {
        matches!(s.at, state::At::Act | state::At::Others(_))
    }

    fn play(cx: &mut Cx<'_, Self>) -> Play<()> {
        play::play(cx)
    }

    fn apply(s: &mut State, e: &Event) {
        let before = eyes::footing(s);
        event::apply(s, e);
        if eyes::footing(s) != before {
            eyes::mark(s);
        }
    }

    fn reckon(s: &State, _: &Minds<Self>) -> Vec<Reckoning> {
        let side = |side: &SideId| Reckoning::of(side, Self::lost(s, side), table::reckon(s, side));
        s.sides().iter().map(side).collect()
    }

    fn lost(s: &State, side: &SideId) -> i32 {
        s.units.iter().filter(|(id, _)| s.is_of(id, side)).map(|(_, u)| u.lost).sum()
    }

    fn tally(s: &State, _: &[Event]) -> Tally {
        let winner = s.over.as_ref().and_then(|(winner, _)| winner.clone()).map(|side| side.0);
        let lost = |side: &SideId| {
            (format!("SP lost by the {}", side.0), u32::try_from(Self::lost(s, side)).unwrap_or_default())
        };
        Tally { winner, counts: s.sides().iter().map(lost).collect(), ratios: Vec::new() }
    }

    const UMPIRED: Umpired = Umpired { piece: "F3-1", place: "PLACE F3-1 AT 2424", roll: "initiative/french 6" };

    fn amend(s: &State, _: &Minds<Self>, side: &SideId, line: &Line) -> Result<Vec<Event>, Fault> {
        amend::amend(s, side, line)
    }

    fn who_knows(s: &State, _: &Minds<Self>, piece: &str) -> Result<Vec<String>, Fault> {
        amend::who_knows(s, piece)
    }

    fn unsound(s: &State) -> Vec<String> {
        sound::unsound(s)
    }

    fn leap(before: &State, event: &Event, after: &State) -> Vec<String> {
        sound::leap(before, event, after)
    }

    /// 2.0 The tenth face is nought.
    fn face(label: &str, _: u32, face: u32) -> u32 {
        hand::face(label, face)
    }

    fn decides_combat(label: &str) -> bool {
        ["fire/", "melee/"].iter().any(|roll| label.starts_with(roll))
    }

    fn sight(before: &State, e: &Event, after: &State, mind: &Intel, to: &SideId) -> Option<Sighting> {
        told::sight_of(before, e, after, mind, to)
    }

    fn recall(mind: &mut Intel, told: &Sighting) {
        told::recall(mind, told);
    }

    fn verbs() -> &'static [Verb<View, Order>] {
        &VERBS
    }

    fn doctrines() -> &'static [Key] {
        ask::KEYS
    }

    fn subjects(s: &State, side: &SideId) -> Vec<String> {
        ask::subjects(s, side)
    }

    fn unset(s: &State, value: &str) -> Option<String> {
        ask::unset(s, value)
    }

    fn ill_set(s: &State, key: &str, value: &str) -> Option<String> {
        lodge::for_nobody(key, value).or_else(|| ask::unset(s, value))
    }

    fn address(p: &ask::Prompt) -> String {
        ask::address(p)
    }

    fn ask(v: &View, p: &ask::Prompt) -> Ask {
        ask::ask(v, p)
    }

    fn read(_: &View, p: &ask::Prompt, l: &Line) -> Result<ask::Answer, Fault> {
        ask::read(p, l)
    }

    fn doctrine_answer(v: &View, p: &ask::Prompt, book: &Book) -> Option<String> {
        ask::doctrine(v, p, book)
    }

    /// D-17 to D-40 Doctrine is fixed while a command acts, from its first attempt on, for both sides.
    fn keeps_answers(s: &State) -> bool {
        s.acting.as_ref().is_some_and(|acting| acting.tried || !acting.modes.is_empty())
    }

    fn check(v: &View, o: &Order) -> Result<Vec<String>, Fault> {
        rehearse::rehearse(v, o).map(|tried| tried.said)
    }

    fn rehearse(v: &View, o: &Order) -> Result<Rehearsed<View>, Fault> {
        rehearse::rehearse(v, o)
    }

    fn warnings(before: &View, after: &View, plan: &[Order]) -> Vec<Warning> {
        heed::warnings(before, after, plan)
    }

    fn meant(v: &View, line: &Line, fault: &Fault) -> Meaning {
        super::tactical::meant::meant(v, line, fault)
    }

    fn next(v: &View, _: &Book, orders: &mut dyn Iterator<Item = Order>) -> Option<usize> {
        let orders: Vec<Order> = orders.collect();
        (orders.len() > 1).then(|| sequence::next(&v.state, &orders))
    }

    fn replaces(_: &View, later: &Order, earlier: &Order) -> bool {
        sequence::replaces(later, earlier)
    }

    fn digest(s: &State) -> Body {
        rows::digest(s)
    }

    fn rows(s: &State, _: &[(SideId, Intel)], _: Pass) -> Vec<Row> {
        rows::rows(s)
    }

    fn scramble(s: &State, _: &[(SideId, Intel)], keep: &SideId, noise: u64) -> State {
        scramble::scramble(s, keep, noise)
    }
}
