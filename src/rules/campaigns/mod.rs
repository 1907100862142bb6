//! Operational Studies Group's 1X system, "The Campaigns of Napoleon" (Consolidated Rules, ¶1-433).
//!
//! Where a rule stands: `flow` the sequence of play, set-up, weather (¶24, 47-71, 417-429); `admin` supply, lines of
//! communication, points (¶72-107); `organization` replacements and the Organization Display (¶108-146); `march`
//! movement, zones, repulse, bridges, attrition, Forced March (¶147-297); `combat` battles (¶298-410); `retreat` who
//! gives way, in battle or out of it (¶138, 369-379); `victory` morale and the end (¶411-416). `board` holds what is
//! printed, `pieces` a side's counters, `exceptions` what a title does its own way and `special` the places, leaders and dates that this needs,
//! `situation` costs, zones and lines, `redoubts` what is dug, `intel` what a side has learnt (¶30-33).
//!
//! The titles and how each departs from the common text (¶1-2), the paragraphs as names of rules (¶3-4), and
//! two sides (¶5) are what the whole ruleset is built on.
//!
//! What everybody says stands below the chapters: `ids`, `board`, `pieces`, `idle`, `lanes` and `trace`, `sequence`, `dispatch`, `state`, `view`,
//! and `ruleset`, the name by which they play. Above a chapter's own events, orders and questions stand `event`, `told`, `order` and
//! `prompt`, which put them side by side and import no rules; above all chapters `play` and this file.
//!
//! Rulings where the text is open are those of the reading list; each is cited where it is used.

pub mod admin;
pub mod amend;
pub(crate) mod armies;
mod arrange;
pub mod board;
pub mod combat;
pub mod courier;
pub mod dispatch;
pub mod doctrine;
pub mod entrenched;
mod event;
pub mod exceptions;
pub mod flow;
pub mod idle;
pub mod ids;
pub mod intel;
pub mod ken;
pub mod lanes;
mod lay;
pub mod load;
pub mod march;
mod meant;
pub mod order;
pub mod organization;
pub mod pieces;
mod places;
mod play;
mod project;
pub mod prompt;
pub mod redoubts;
pub mod rehearse;
mod retreat;
mod rows;
pub mod ruleset;
mod scramble;
pub mod sequence;
pub mod situation;
mod sound;
pub mod special;
mod staff;
pub mod stands;
mod state;
pub mod tables;
pub mod telling;
pub mod told;
mod trace;
pub mod umpire;
pub mod victory;
pub mod view;
pub mod words;

use super::cx::{Base, Cx};
use super::journal::Book;
use super::kept::{Body, Row};
use super::rehearsal::{Rehearsed, Warning};
use super::staff::{Brought, Concern, Dispatch, Staff};
use super::{Ask, Change, Files, Key, Play, Reckoning, Ruleset, Stage, Tally, Umpired};
use crate::fog::{Pass, SeatId, SideId};
use crate::orders::mend::Meaning;
use crate::orders::{Fault, Line, Verb};
use event::Event;
use intel::Intel;
pub use order::Order;
pub use prompt::{Answer, Prompt};
pub use ruleset::Campaigns;
use state::State;
use std::any::Any;
use std::sync::{Arc, LazyLock};
pub use told::Sighting;
use view::View;

static VERBS: LazyLock<Vec<Verb<View, Order>>> = LazyLock::new(|| {
    let mut verbs = Vec::new();
    verbs.extend(flow::verbs::verbs());
    verbs.extend(admin::verbs::verbs());
    verbs.extend(organization::verbs::verbs());
    verbs.extend(march::verbs::verbs());
    verbs.extend(combat::order::verbs());
    verbs.extend(order::later());
    verbs
});

impl Ruleset for Campaigns {
    const NAME: &'static str = "campaigns";
    const LOST_IN: &'static str = "SP";
    const VERSION: u32 = 6;
    const RULES: &'static str = env!("RULES_CAMPAIGNS");
    const CHANGES: &'static [Change] = CHANGES;
    type Event = Event;
    type Sighting = Sighting;
    type Prompt = Prompt;
    type Order = Order;
    type Answer = Answer;

    fn open(files: &Files) -> Result<(State, Vec<Event>), Vec<String>> {
        let board = load::board(files).map_err(|flaws| flaws.iter().map(ToString::to_string).collect::<Vec<_>>())?;
        Ok(flow::setup::open(board))
    }

    fn printed(s: &State) -> Arc<dyn Any + Send + Sync> {
        Arc::clone(&s.board) as _
    }

    fn arrange(files: &Files, before: serde_json::Value) -> Result<Base<Self>, String> {
        arrange::arrange(files, before)
    }

    fn tally(s: &State, events: &[Event]) -> Tally {
        victory::tally(s, events)
    }

    fn seats(s: &State) -> Vec<(SeatId, SideId)> {
        s.order_of_sides().into_iter().map(|side| (SeatId(side.0.clone()), side)).collect()
    }

    fn slot(s: &State) -> u32 {
        s.turn
    }

    fn last_slot(s: &State) -> u32 {
        s.board.turns.1
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
        Umpired { piece: "Lannes", place: "PLACE Lannes AT 0405", roll: "french initiative/lannes/move 2" };

    fn amend(s: &State, minds: &[(SideId, Intel)], side: &SideId, line: &Line) -> Result<Vec<Event>, Fault> {
        amend::amend(s, minds, side, line)
    }

    fn unsound(s: &State) -> Vec<String> {
        sound::unsound(s)
    }

    fn leap(before: &State, event: &Event, after: &State) -> Vec<String> {
        sound::leap(before, event, after)
    }

    fn who_knows(s: &State, minds: &[(SideId, Intel)], piece: &str) -> Result<Vec<String>, Fault> {
        amend::who_knows(s, minds, piece)
    }

    fn lost(s: &State, side: &SideId) -> i32 {
        s.pieces(side).map_or(0, |pieces| pieces.army.lost)
    }

    fn reckon(s: &State, minds: &[(SideId, Intel)]) -> Vec<Reckoning> {
        amend::reckon(s, minds)
    }

    fn decides_combat(label: &str) -> bool {
        matches!(label.split('/').next(), Some("crt" | "fire" | "pursuit" | "critical"))
    }

    fn sight(before: &State, e: &Event, after: &State, mind: &Intel, to: &SideId) -> Option<Sighting> {
        event::sight(before, e, after, mind, to)
    }

    fn recall(mind: &mut Intel, told: &Sighting) {
        event::recall(mind, told);
    }

    fn verbs() -> &'static [Verb<View, Order>] {
        &VERBS
    }

    fn continues(word: &str) -> bool {
        words::continues(word)
    }

    fn own_order(v: &View, line: &Line) -> bool {
        words::own_order(v, line)
    }

    fn doctrines() -> &'static [Key] {
        doctrine::KEYS
    }

    fn address(p: &Prompt) -> String {
        match p {
            Prompt::Admin(p) => admin::prompt::address(p),
            Prompt::March(p) => march::prompt::address(p),
            Prompt::Combat(p) => combat::prompt::address(p),
        }
    }

    fn ask(v: &View, p: &Prompt) -> Ask {
        match p {
            Prompt::Admin(p) => admin::prompt::ask(v, p),
            Prompt::March(p) => march::prompt::ask(v, p),
            Prompt::Combat(p) => combat::prompt::ask(v, p),
        }
    }

    fn read(v: &View, p: &Prompt, l: &Line) -> Result<Answer, Fault> {
        match p {
            Prompt::Admin(p) => admin::prompt::read(v, p, l).map(Answer::Admin),
            Prompt::March(p) => march::prompt::read(v, p, l).map(Answer::March),
            Prompt::Combat(p) => combat::prompt::read(v, p, l).map(Answer::Combat),
        }
    }

    fn doctrine_answer(v: &View, p: &Prompt, book: &Book) -> Option<String> {
        match p {
            Prompt::Admin(p) => admin::prompt::doctrine(v, p, book),
            Prompt::March(p) => march::prompt::doctrine(v, p, book),
            Prompt::Combat(p) => combat::prompt::doctrine(v, p, book),
        }
    }

    fn check(v: &View, o: &Order) -> Result<Vec<String>, Fault> {
        Ok(match o {
            Order::Of(army, o) => return Campaigns::check(&armies::at_desk(v, army), o),
            Order::Flow(_) => Vec::new(),
            Order::Admin(o) => admin::verbs::check(v, o),
            Order::Organization(o) => organization::verbs::check(v, o),
            Order::March(o) => march::verbs::check(v, o),
            Order::Combat(o) => combat::order::check(o),
        })
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

    fn lend(view: &mut View, book: &Book) {
        view.standing = book.clone();
    }

    fn warnings(before: &View, after: &View, plan: &[Order]) -> Vec<Warning> {
        rehearse::warnings(before, after, plan)
    }

    fn leaders(s: &State, side: &SideId) -> Vec<(String, String)> {
        staff::leaders(s, side)
    }

    fn replaces(_: &View, later: &Order, earlier: &Order) -> bool {
        match (later, earlier) {
            (Order::Of(one, later), Order::Of(other, earlier)) => one == other && same_step(later, earlier),
            (later, earlier) => same_step(later, earlier),
        }
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

    fn dispatch(s: &State, side: &SideId, dispatch: &Dispatch) -> Result<Vec<Event>, Fault> {
        Ok(vec![courier::send(s, side, dispatch)?.into()])
    }

    fn for_seat(told: &Sighting, seat: &SeatId) -> Sighting {
        match told {
            Sighting::Courier(told) => Sighting::Courier(courier::for_seat(told, seat)),
            _ => told.clone(),
        }
    }

    fn heard(v: &View, by: &SeatId, of: &SeatId) -> Option<String> {
        let heard = v.heard.get(&(by.clone(), of.clone()))?;
        Some(format!("last heard from at {}, turn {}", heard.hex, heard.turn))
    }

    fn line(v: &View, leader: &str) -> Vec<String> {
        staff::line(v, &board::LeaderId(leader.to_owned()))
    }

    fn narrow(before: Option<&View>, now: View, staff: &Staff, seat: &SeatId) -> View {
        ken::narrow(before, now, staff, seat)
    }

    fn lost_known(v: &View) -> i32 {
        v.own.army.lost
    }

    fn heeds(v: &View, staff: &Staff, seat: &SeatId, told: &Sighting) -> bool {
        ken::heeds(v, staff, seat, told)
    }

    fn beside(v: &View, staff: &Staff, seat: &SeatId, line: &[String]) -> bool {
        ken::beside(v, staff, seat, line)
    }

    fn brought(told: &Sighting) -> Option<Brought> {
        match told {
            Sighting::Courier(told) => courier::brought(told),
            _ => None,
        }
    }

    fn carries_out(s: &State) -> bool {
        matches!(s.at, sequence::At::Own(_))
    }

    fn digest(s: &State) -> Body {
        rows::digest(s)
    }

    fn rows(s: &State, minds: &[(SideId, Intel)], _pass: Pass) -> Vec<Row> {
        rows::rows(s, minds)
    }

    fn scramble(s: &State, minds: &[(SideId, Intel)], keep: &SideId, noise: u64) -> State {
        scramble::scramble(s, minds, keep, noise)
    }
}

/// What later versions read otherwise than those before them.
const CHANGES: &[Change] = &[
    change(2, "¶235, 302", "of an attack on a hex and its refusal in one sheet, the later one holds."),
    change(2, "¶315, 327", "unasked, a reserve is held back only where a battle type is wanted that it opens."),
    change(2, "¶329", "a plan that names Pitched where the force may not choose it is refused when it is read."),
    change(3, "¶80, 85-86, 238", "a force in Forage Mode bars its own hex to lines, dispatches and couriers."),
    change(3, "¶231", "one SP of cavalry cuts no line, no dispatch and no courier's way."),
    change(3, "¶85-86", "vedettes meet no courier; he goes through a hidden counter where there is no other way."),
    change(3, "¶254", "a force in Forage Mode hinders the repair of a bridge as any other does."),
    change(
        3,
        "¶307, 348",
        "only a citadel is besieged, closes Pursuit and is safe from guns; a fortified town is not.",
    ),
    change(3, "¶89-90, 330", "the Center of Operations is no Center: it shortens no line and frees no leader."),
    change(3, "¶317, 325", "a unit over the limit all by itself stands in line, and counts as many SP as the limit."),
    change(3, "¶130", "a garrison is created in a citadel, a capital or a fortified town, not in a city."),
    change(4, "¶288", "a town beside a foraging leader counts as one where a part of his force stands in it."),
    change(4, "¶287", "FORAGE ASSIGN says which of two forces may forage a hex that both could."),
    change(5, "¶371", "the distance to the source is not measured through the hexes of those who drive a force back."),
    change(5, "¶42, 370", "a leader without troops who cannot leave a hex that the enemy takes is captured."),
    change(6, "¶157, 202", "of a force that enters the map each unit pays its own cost out of its own MP."),
    change(6, "¶265, 269", "guns give the first SP in mud where foot and horse are rolled for apart, too."),
];

const fn change(version: u32, rule: &'static str, text: &'static str) -> Change {
    Change { version, rule, text }
}

/// Whether two orders are for the same piece and step: each moves once in a movement.
fn same_step(later: &Order, earlier: &Order) -> bool {
    use march::order::Order as O;
    if let (Order::Combat(later), Order::Combat(earlier)) = (later, earlier) {
        return combat::order::replaces(later, earlier);
    }
    let (Order::March(later), Order::March(earlier)) = (later, earlier) else { return false };
    match (later, earlier) {
        (O::Force(later), O::Force(earlier)) => later.leader == earlier.leader,
        (O::Vedette { n: later, .. }, O::Vedette { n: earlier, .. }) => later == earlier,
        (O::Leader { leader: later, .. }, O::Leader { leader: earlier, .. }) => later == earlier,
        (O::Center { .. }, O::Center { .. }) | (O::CenterHold, O::CenterHold) | (O::Floor { .. }, O::Floor { .. }) => {
            true
        }
        _ => false,
    }
}
