//! These Brave Fellows: Durenstein, 11 November 1805.
//!
//! The law is the book of rules; numbers of paragraphs stand at the head of each function. The table lies open.
//!
//! | paragraphs | chapter | module |
//! |---|---|---|
//! | 2 | map, charts, counters | `board`, `load` of files |
//! | 3, 7 | sequence, recovery | `play`; who has the initiative and other questions: `ask` |
//! | 4.1 | stacks | `state`, `stacks` |
//! | 4.2 | fatigue | `fatigue` |
//! | 4.3, 4.4 | facing, lines of sight | `rules::tactical`, `state`, `fire` |
//! | 5, 9.2.1-9.2.5, 9.5.2, 9.6 | reinforcements, regrouping, alert | `arrive`, `enter` |
//! | 6.1 | activation | `command` |
//! | 6.2.1-6.2.10 | movement | `march` |
//! | 6.2.11-6.2.13 | charges | `shock` |
//! | 6.3 | fire | `fire` |
//! | 6.4 | melee | `melee` |
//! | 6.5 | leaders | `leader`, `flee` |
//! | 6.6, 6.7 | retreats, routs | `flee` |
//! | 8.2 | the Grand Battery | `guns` |
//! | 8.3, 8.4 | Elite battalion, Strong Point | `state`, `arrive`, `bounds` |
//! | 9.1, 9.2.3, 9.2.4, 9.3 | set-up and deployment | `arrange`, `place` |
//! | 9.2.5-9.2.7, 9.4, 9.5 | what is bound, and set free | `bounds` |
//! | 10 | victory | `victory` |
//! | 11 | options | `option`, `board` |
//! | 6.1, 9.2.3-9.2.5 | sheets lodged beforehand | `lodge` |
//! | 12 | alone: the program's own player | `solo` |
//! | DB | double-blind: who sees whom, what each side is told, its table; dummies | `eyes`, `told`, `view`, `dummy` |
//!
//! What an order sheet is laid out with stands in `reach`. What an umpire corrects stands in `amend`. What a line comes to is tried in `rehearse` and `odds`; what a line with a slip was meant to be is found in `meant`; what no event
//! may do is said in `sound`.

mod amend;
pub mod arrange;
mod arrive;
pub mod ask;
pub mod board;
pub mod bounds;
mod called;
mod command;
pub mod dummy;
mod enter;
pub mod event;
mod event_arrive;
mod examples;
pub mod eyes;
mod fatigue;
mod fire;
mod flee;
mod guns;
mod leader;
mod lodge;
mod march;
mod meant;
mod melee;
mod odds;
mod option;
pub mod order;
pub mod place;
pub mod play;
pub mod reach;
pub mod rehearse;
mod rows;
mod scramble;
mod shock;
pub mod solo;
mod sound;
mod stacks;
pub mod standing;
pub mod state;
pub mod told;
pub mod values;
pub mod victory;
pub mod view;

use super::cx::{Base, Cx};
use super::journal::Book;
use super::kept::{Body, Row};
use super::{Ask, Change, Files, Key, Minds, Opened, Play, Reckoning, Ruleset, Stage, Tally, Umpired};
use crate::fog::{Fogged, Pass, SeatId, SideId, Viewer};
use crate::orders::mend::Meaning;
use crate::orders::{Fault, Line, Verb};
use crate::rules::rehearsal::{Rehearsed, Warning};
use crate::rules::tactical::table;
pub use crate::rules::tactical::tags::Intel;
use ask::Prompt;
use event::Event;
use order::Order;
use state::State;
use std::any::Any;
use std::sync::{Arc, LazyLock};
use told::Sighting;
use view::View;

/// The ruleset.
pub struct BraveFellows;

static VERBS: LazyLock<Vec<Verb<View, Order>>> = LazyLock::new(order::verbs);

impl Fogged for BraveFellows {
    type State = State;
    type Intel = Intel;
    type View = View;

    fn project(truth: &State, mind: &Intel, viewer: &Viewer, _: Pass) -> View {
        view::view(truth, mind, viewer)
    }
}

impl Ruleset for BraveFellows {
    const NAME: &'static str = "brave_fellows";
    const LOST_IN: &'static str = "units";
    const VERSION: u32 = 15;
    const CHANGES: &'static [Change] = &[
        Change {
            version: 2,
            rule: "6.3.7",
            text: "a side may hold its fire in defence, and an impulse may be written beforehand (DOCTRINE FIRE, LODGE).",
        },
        Change {
            version: 3,
            rule: "6.5.4",
            text: "who runs or goes back does not enter a hex where an enemy's leader stands alone; the house plays better.",
        },
        Change {
            version: 4,
            rule: "DB.9",
            text: "masked, each side has dummies, and who moves together is seen as one; a try that somebody unseen stops is spent.",
        },
        Change {
            version: 5,
            rule: "3.0",
            text: "moves go before fire, and fire before melee, in whatever order a sheet has them; who has lodged a sheet waits for men to follow him.",
        },
        Change {
            version: 6,
            rule: "6.4.6",
            text: "who has passed his check before a melee and then runs or tires, since a fellow ran into his hex, attacks no more, or with less.",
        },
        Change {
            version: 7,
            rule: "6.7.5",
            text: "who runs, and a leader who falls back, goes away from the enemies whom his side sees.",
        },
        Change {
            version: 8,
            rule: "DB.9",
            text: "masked, a dummy is gone where any enemy counter would see it, be that a dummy; who takes a place without a face is not told.",
        },
        Change {
            version: 9,
            rule: "6.2.3",
            text: "where an over-stack must be left, the die for the levels is rolled though nobody was ordered to move.",
        },
        Change {
            version: 10,
            rule: "6.7.5",
            text: "a town in which only an enemy stands whom the side does not see is still one to run to.",
        },
        Change { version: 11, rule: "8.3.2", text: "only the French disband their Elite battalion." },
        Change {
            version: 12,
            rule: "DB.2",
            text: "a side is told when a leader of the enemy's is out of its sight, as it is of a unit.",
        },
        Change {
            version: 13,
            rule: "6.3.7",
            text: "fire in defence goes at horse that has charged first, and who holds it from one hex may fire at the next; charges obey \
                   what binds a move, a charge that was met is fought, and what sets a command free does so at the very step.",
        },
        Change {
            version: 14,
            rule: "4.1.9",
            text: "an over-stack is forgotten as soon as it is none any more, and a stack goes back as one; a wounded leader \
                   comes back to any unit of his command (6.5.2); all horse of a stack may charge into a charge (6.2.13); a \
                   router who stood a charge checks before others attack it (6.7.11); of leaders alone in a hex one fires \
                   (6.3.5); the Rear Guard may go back to its rows (9.2.5); who has come south over the dark blue line does \
                   not go back over it on the same way (9.5.1).",
        },
        Change {
            version: 15,
            rule: "6.4.9",
            text: "attackers do not come into a hex that they have emptied where a friend who has run there leaves no room.",
        },
    ];
    const RULES: &'static str = env!("RULES_BRAVE_FELLOWS");
    type Event = Event;
    type Sighting = Sighting;
    type Prompt = Prompt;
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
        // 12.0 What the house leads has no seat.
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
        matches!(s.at, state::At::Impulse(_))
    }

    fn play(cx: &mut Cx<'_, Self>) -> Play<()> {
        play::play(cx)
    }

    fn apply(s: &mut State, e: &Event) {
        event::apply(s, e);
        eyes::mark(s);
    }

    fn reckon(s: &State, _: &Minds<Self>) -> Vec<Reckoning> {
        let side = |side: &SideId| Reckoning::of(side, Self::lost(s, side), table::reckon(s, side));
        s.sides().iter().map(side).collect()
    }

    fn lost(s: &State, side: &SideId) -> i32 {
        let lost = s.losses.iter().filter(|id| s.kind(id).is_some_and(|kind| kind.side == *side));
        i32::try_from(lost.count()).unwrap_or(i32::MAX)
    }

    fn tally(s: &State, _: &[Event]) -> Tally {
        let (gazan, all) = victory::equivalents(s);
        let counts = [("French losses of Gazan's division", gazan), ("French losses", all)];
        let counts = counts.map(|(name, n)| (name.to_owned(), u32::try_from(n).unwrap_or(u32::MAX))).to_vec();
        let winner = s.over.as_ref().and_then(|(winner, _)| winner.clone()).map(|side| side.0);
        Tally { winner, counts, ratios: Vec::new() }
    }

    const UMPIRED: Umpired = Umpired { piece: "4L-1", place: "PLACE 4L-1 AT 1812", roll: "fire/1010 7" };

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
        lodge::subjects(s, side)
    }

    fn address(p: &Prompt) -> String {
        ask::address(p)
    }

    fn ask(v: &View, p: &Prompt) -> Ask {
        ask::ask(v, p)
    }

    fn read(_: &View, p: &Prompt, l: &Line) -> Result<ask::Answer, Fault> {
        ask::read(p, l)
    }

    fn doctrine_answer(v: &View, p: &Prompt, book: &Book) -> Option<String> {
        ask::doctrine(v, p, book)
    }

    fn check(v: &View, o: &Order) -> Result<Vec<String>, Fault> {
        rehearse::rehearse(v, o).map(|tried| tried.said)
    }

    fn rehearse(v: &View, o: &Order) -> Result<Rehearsed<View>, Fault> {
        rehearse::rehearse(v, o)
    }

    fn warnings(before: &View, after: &View, plan: &[Order]) -> Vec<Warning> {
        rehearse::warnings(before, after, plan)
    }

    fn meant(v: &View, line: &Line, fault: &Fault) -> Meaning {
        super::tactical::meant::meant(v, line, fault)
    }

    fn is_over(v: &View, o: &Order) -> bool {
        play::is_over(v, o)
    }

    fn next(v: &View, _: &Book, orders: &mut dyn Iterator<Item = Order>) -> Option<usize> {
        let orders: Vec<Order> = orders.collect();
        (orders.len() > 1).then(|| play::next(&v.state, &orders))
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
