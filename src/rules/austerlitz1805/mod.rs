//! Trafalgar Editions' Austerlitz 1805 (rulebook sections 1-28): a map without hexes, on the exact plane.
//!
//! Where a rule stands: `board` and `load` what is printed (2, 3, 18); `table` what lies open; `play` the sequence of play
//! (4); `order`, `conditions` and `words` what a line may say; `moves` movement and formations (5, 6); `sight` line of sight (8); `guns`
//! artillery (9); `muskets` musketry (10); `result` the Combat/Fire table applied (11); `morale` (12); `retreat` going back
//! (13.10-13.11); `assault` attacks and the enemy's reactions (13, 5.4.5); `disengage` the way
//! out (13.6); `close` close combat (13.4, 14); `terrain` (15);
//! `strategic` and `mist` what fog hides (16.4), `fog` and `fogsheet` its rules and orders (16); `victory` (17); `alternate` (19);
//! `staff` whom a line is about where a side has several seats; `amend` what an umpire corrects; `reach` what an order sheet is
//! laid out with; `solo` a side that nobody leads (22-28).
//!
//! The table lies open to both sides, and every rule that needs no hidden thing works on it alone. What a side keeps to
//! itself (`state::Hidden`) is its plans, what its chits hold, and its strategic map. A chit lies open on the map under a
//! name that follows from its place alone; which box it belongs to only its owner's view says. Readings where the text is
//! open are those of the list; each is cited where it is followed and named by the case that proves it. A-10 holds
//! for a double 1 of the enemy's player-turn too: 12.9.1 and 12.9.4 bind whom its own Rally leaves raging, or makes so. A-44:
//! an HQ alone is taken by who attacks it, not by who flees or falls back over it. A-50: a marker that turns counts half a UM,
//! however little of it the unit goes (6.2, 6.5, 6.6). A-53: nobody passes through a place that an enemy holds who stands upon
//! it (17.1.1.6). A-54: who is stunned goes sideways or back as far as others, about on all that it has. Withdrawn is A-37, on two
//! misprinted labels of 28.1.6, since no label of that table stands here. Readings of our own in the fog: five
//! decoys are for the whole game; a decoy comes down only where a corps of its side stands; an attempt to move a column
//! counts against the number rolled; of two new chits too near each other the one of the side that moves first stands in odd
//! turns, the other's in even ones; an
//! enemy unit in the range of detection uncovers a chit as an enemy chit does; only units in good order hide again.

mod alternate;
mod amend;
pub mod approach;
mod arrange;
mod assault;
pub mod board;
mod check;
mod close;
mod conditions;
mod disengage;
mod doctrine;
pub mod event;
mod examples;
pub mod fog;
mod fogsheet;
pub mod guns;
mod hands;
mod hasty;
pub mod load;
mod meant;
pub mod mist;
pub mod morale;
pub mod moves;
mod muskets;
pub mod order;
mod play;
mod project;
pub mod prompt;
pub mod reach;
pub mod rehearse;
mod result;
mod retreat;
mod rows;
mod scramble;
mod sequence;
pub mod sight;
pub mod solo;
mod staff;
pub mod state;
pub mod strategic;
pub mod table;
pub mod tables;
pub mod terrain;
pub mod units;
pub mod victory;
pub mod view;
pub(crate) mod words;

use super::cx::{Base, Cx};
use super::journal::Book;
use super::kept::{Body, Row};
use super::rehearsal::{Rehearsed, Warning};
use super::{Ask, Change, Files, Key, Opened, Play, Ruleset, Stage, Tally, Umpired};
use crate::fog::{Fogged, Pass, SeatId, SideId, Viewer};
use crate::orders::mend::Meaning;
use crate::orders::{Fault, Line, Verb};
use crate::rules::Minds;
use crate::rules::staff::Concern;
use event::{Event, Fact, Sighting};
use order::Order;
use prompt::{Answer, Prompt};
use serde::{Deserialize, Serialize};
use state::State;
use std::any::Any;
use std::sync::{Arc, LazyLock};
use view::View;

/// The ruleset.
pub struct Austerlitz;

/// What a side has learnt beyond what lies open: nothing, since chits lie open under names that tell nothing (16.4.2.4).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intel {}

static VERBS: LazyLock<Vec<Verb<View, Order>>> = LazyLock::new(order::verbs);

impl Fogged for Austerlitz {
    type State = State;
    type Intel = Intel;
    type View = View;

    fn project(truth: &State, _: &Intel, viewer: &Viewer, _: Pass) -> View {
        project::project(truth, viewer)
    }
}

impl Ruleset for Austerlitz {
    const NAME: &'static str = "austerlitz1805";
    const LOOKS_BACK: bool = false;
    const LOST_IN: &'static str = "steps";
    const VERSION: u32 = 7;
    const RULES: &'static str = env!("RULES_AUSTERLITZ1805");
    const CHANGES: &'static [Change] = CHANGES;
    type Event = Event;
    type Sighting = Sighting;
    type Prompt = Prompt;
    type Order = Order;
    type Answer = Answer;

    fn open(files: &Files) -> Result<Opened<State, Event>, Vec<String>> {
        let board = load::board(files).map_err(|flaws| flaws.iter().map(ToString::to_string).collect::<Vec<_>>())?;
        Ok(opened(board))
    }

    fn printed(s: &State) -> Arc<dyn Any + Send + Sync> {
        Arc::clone(&s.table.board) as _
    }

    fn arrange(files: &Files, before: serde_json::Value) -> Result<Base<Self>, String> {
        arrange::arrange(files, before)
    }

    /// 22.1 Where the solo rules lead both sides, both seats look on.
    fn seats(s: &State) -> Vec<(SeatId, SideId)> {
        let board = &s.table.board;
        let all = board.sides.iter().all(|side| board.solo.contains(&side.id));
        let seated = board.sides.iter().filter(|side| all || !board.solo.contains(&side.id));
        seated.map(|side| (SeatId(side.id.0.clone()), side.id.clone())).collect()
    }

    fn sides(s: &State) -> Vec<SideId> {
        s.table.board.sides.iter().map(|side| side.id.clone()).collect()
    }

    fn lost(s: &State, side: &SideId) -> i32 {
        victory::lost(s, side)
    }

    fn tally(s: &State, events: &[Event]) -> Tally {
        victory::tally(s, events)
    }

    fn slot(s: &State) -> u32 {
        s.table.turn
    }

    fn last_slot(s: &State) -> u32 {
        s.table.board.turns.1
    }

    fn stage(s: &State) -> Option<Stage> {
        play::stage(s)
    }

    fn play(cx: &mut Cx<'_, Self>) -> Play<()> {
        play::play(cx)
    }

    fn apply(s: &mut State, e: &Event) {
        event::apply(s, e);
    }

    const UMPIRED: Umpired =
        Umpired { piece: "Vandamme/1", place: "PLACE Vandamme/1 AT Pratzen", roll: "muskets/vandamme/1 4" };

    fn amend(s: &State, _: &Minds<Self>, side: &SideId, line: &Line) -> Result<Vec<Event>, Fault> {
        amend::amend(s, side, line)
    }

    fn unsound(s: &State) -> Vec<String> {
        amend::unsound(s)
    }

    fn leap(before: &State, event: &Event, after: &State) -> Vec<String> {
        amend::leap(before, event, after)
    }

    fn who_knows(s: &State, _: &Minds<Self>, piece: &str) -> Result<Vec<String>, Fault> {
        amend::who_knows(s, piece)
    }

    fn decides_combat(label: &str) -> bool {
        ["attack/", "defend/"].iter().any(|roll| label.starts_with(roll))
    }

    fn sight(_: &State, e: &Event, _: &State, _: &Intel, to: &SideId) -> Option<Sighting> {
        event::sight(e, to)
    }

    fn recall(_: &mut Intel, _: &Sighting) {}

    fn verbs() -> &'static [Verb<View, Order>] {
        &VERBS
    }

    fn continues(word: &str) -> bool {
        words::continues(word)
    }

    fn own_order(v: &View, line: &Line) -> bool {
        words::own_order(v, line)
    }

    fn is_over(v: &View, o: &Order) -> bool {
        order::is_over(v, o)
    }

    fn doctrines() -> &'static [Key] {
        doctrine::KEYS
    }

    fn subjects(s: &State, side: &SideId) -> Vec<String> {
        prompt::subjects(&s.table.board, side)
    }

    fn address(p: &Prompt) -> String {
        prompt::address(p)
    }

    fn ask(v: &View, p: &Prompt) -> Ask {
        prompt::ask(v, p)
    }

    fn read(v: &View, p: &Prompt, l: &Line) -> Result<Answer, Fault> {
        prompt::read(v, p, l)
    }

    fn doctrine_answer(v: &View, p: &Prompt, book: &Book) -> Option<String> {
        prompt::doctrine(v, p, book)
    }

    fn check(v: &View, o: &Order) -> Result<Vec<String>, Fault> {
        check::check(v, o)
    }

    fn meant(v: &View, line: &Line, fault: &Fault) -> Meaning {
        meant::meant(v, line, fault)
    }

    fn rehearse(v: &View, o: &Order) -> Result<Rehearsed<View>, Fault> {
        rehearse::rehearse(v, o)
    }

    fn foresee(v: &View, o: &Order) -> Result<Rehearsed<View>, Fault> {
        rehearse::foresee(v, o)
    }

    fn warnings(before: &View, after: &View, plan: &[Order]) -> Vec<Warning> {
        rehearse::warnings(before, after, plan)
    }

    fn next(v: &View, book: &Book, orders: &mut dyn Iterator<Item = Order>) -> Option<usize> {
        let orders: Vec<Order> = if book.get("SEQUENCE") == Some("SHEET") { Vec::new() } else { orders.collect() };
        (!orders.is_empty()).then(|| sequence::next(v, &orders))
    }

    fn together(_: &View, o: &mut Order, waiting: &mut dyn Iterator<Item = Order>) -> Vec<usize> {
        sequence::together(o, waiting)
    }

    fn leaders(s: &State, side: &SideId) -> Vec<(String, String)> {
        staff::leaders(s, side)
    }

    fn replaces(_: &View, later: &Order, earlier: &Order) -> bool {
        order::same_step(later, earlier)
    }

    fn concern(v: &View, o: &Order) -> Concern {
        staff::concern(v, o)
    }

    fn asks(v: &View, p: &Prompt) -> Concern {
        staff::asks(v, p)
    }

    fn ahead(v: &View, o: &Order) -> u32 {
        staff::ahead(v, o)
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

/// What each version reads otherwise than the one before.
const CHANGES: &[Change] = &[
    change("5.2", "a square stops before ground that is not clear, and does not go into it."),
    change(
        "6.4, 6.9",
        "a turn of a marker needs room before the old front only, and a unit may stand before friendly guns.",
    ),
    newest(
        "5.2",
        "a square never comes by rounding upon ground that is not clear, and one driven there upon friends routs.",
    ),
    latest(
        "5.2",
        "a square does not turn upon ground that is not clear, and in a retreat it routs at the border of such ground.",
    ),
    sixth("6.5", "a stunned unit goes back as far as any other."),
    newer("6.9", "a movement toward a place goes round friends who bar the straight way; STRAIGHT forbids it."),
    sixth(
        "6.5",
        "toward what lies more than 45 degrees aside a short move turns on the spot first, where there is room.",
    ),
    seventh(
        "5.4.5",
        "foot tries a hasty square before horse that attacks it, in whatever order the attackers are named, and harder if any \
         of the horse comes from a flank.",
    ),
    sixth("6.8", "a unit turns over friendly guns at will."),
    sixth("6.10.3", "a column attacks by road as far as it marches there; who has moved already has no third UM."),
    seventh("6.10.3", "a stunned column, or one that has formed, has half of the third UM of the road."),
    change("8.6", "a hill hides what lies beyond it, also where no crest is drawn."),
    change("9.2", "in fog too, the range of guns is measured from the middle of the battery."),
    sixth("9.3", "where nothing is said guns fire no canister that would touch friends, but round shot."),
    sixth("9.3", "batteries that fire canister together strike one another too, if a template touches one of them."),
    seventh("9.6", "stunned and disorganized guns fire no canister in the musketry phase."),
    sixth("10.4.3.1", "who supports the fire of a friend does not fire at the same enemy besides."),
    change("12.1", "a routed unit stays routed until it rallies, whatever it runs into."),
    change("12.5.3", "a router does not run to cover that an enemy is nearer to."),
    newer(
        "12.5.3",
        "routed horse flees to woods alone, and nobody flees over ground on which he would die in a retreat.",
    ),
    sixth("12.5.3", "routed horse flees to villages too, and who is shaken by a router goes away from it."),
    change("12.6.2", "an HQ rides round enemies to the unit it goes to, never through them."),
    seventh("12.7.2.2", "who supports an attack does not check for its leader that routs or is eliminated."),
    change("12.7.2.3", "a unit checks once for each friend that routs, whatever comes of it."),
    change("12.9.1", "a unit in Blood Rage attacks the nearest enemy it can reach before it does anything else."),
    sixth("12.9.2", "a double 1 on the check to disengage keeps the unit in its combat."),
    change(
        "13.1",
        "an attack finds its way past friends, and several movements of one sheet are carried out front ranks first.",
    ),
    sixth("13.1", "an attack ends at touch, and never a little short of it."),
    newer(
        "13.3",
        "a fresh unit joins a combat that goes on: it fires, and supports or leads there; who fights already does not react.",
    ),
    newer(
        "13.6",
        "a unit that has no room to go back 1/2 UM does not disengage; closed ground, a chit or the edge leaves it none.",
    ),
    change("13.8", "cavalry withdraws only if infantry alone attacks it, in whatever order the attackers are named."),
    newer(
        "13.8",
        "a withdrawal ends before closed ground, a chit or the edge of the map; who can't get out of touch is attacked.",
    ),
    newer("13.8", "no cavalry withdraws if any attacker of the same line comes at its flank or rear."),
    seventh("13.8", "horse that rolls a double 1 on the check to withdraw stays."),
    sixth("13.8", "a stream or woods hinder a withdrawal as any movement; horse out of reach keeps nobody from it."),
    seventh("13.9", "a winner that reforms out of touch is in combat no more."),
    newer("13.11.1", "a router that runs a friend down is out at once, and is not rolled for any more."),
    change("13.11.1", "a unit that goes back upon several friends at once disorganizes all of them."),
    newer("13.11.1.1", "French cavalry goes back through the infantry of a chit too, by rule 21."),
    change("13.12.4", "cavalry destroys a unit it routs only in an attack that it leads."),
    seventh("13.13", "of two that charge one enemy the better leads, whichever is named first."),
    change("13.13", "two attackers of one enemy leave each other room."),
    sixth(
        "13.13",
        "attackers of one enemy by several lines of a sheet are planned together, as if one line named them.",
    ),
    sixth("13.15.1.1.2", "a crew goes back only when no enemy is within 2 UM of its guns."),
    change("16.4.2.8", "units come out of the fog with gaps between them, in column where no enemy is near."),
    sixth("16.4.2.8", "units of a chit come down closer together rather than far off, and never past the enemy."),
    newer("17.1.1.6", "a routed unit takes no place that it flees through, nor does one that dies in its retreat."),
    sixth("17.1.1.6", "nobody takes a place on which an enemy stands, nor who is beaten there and goes nowhere."),
    change("17.1.4", "an HQ that stands alone is removed at the touch; it fights nobody and bars no retreat."),
    sixth("17.1.4", "who flees or falls back over an HQ does it no harm."),
];

const fn change(rule: &'static str, text: &'static str) -> Change {
    Change { version: 2, rule, text }
}

/// What version 3 reads otherwise than version 2.
const fn newer(rule: &'static str, text: &'static str) -> Change {
    Change { version: 3, rule, text }
}

/// What version 4 reads otherwise than version 3.
const fn newest(rule: &'static str, text: &'static str) -> Change {
    Change { version: 4, rule, text }
}

/// What version 5 reads otherwise than version 4.
const fn latest(rule: &'static str, text: &'static str) -> Change {
    Change { version: 5, rule, text }
}

/// What version 6 reads otherwise than version 5.
const fn sixth(rule: &'static str, text: &'static str) -> Change {
    Change { version: 6, rule, text }
}

/// What version 7 reads otherwise than version 6.
const fn seventh(rule: &'static str, text: &'static str) -> Change {
    Change { version: 7, rule, text }
}

/// 18 A state before anything stands on the map, and the events that set the scenario up.
fn opened(board: board::Board) -> Opened<State, Event> {
    let mut events: Vec<Event> = Vec::new();
    for start in &board.starts {
        let (unit, with) = (start.unit.clone(), start.with.clone());
        events.push(Fact::Set { unit, with, pose: start.pose, form: start.form }.into());
    }
    // 16.2: a game that begins on a fog turn begins in fog.
    if board.turns.0 <= board.tables.fog.turns {
        let sight = Some(board.tables.fog.sight.0);
        events.push(Fact::Fog { die: None, sight }.into());
    }
    if let Some(flow) = board.flow {
        events.extend(fog::opening(&board.strategic, flow));
    }
    (State::empty(board), events)
}
