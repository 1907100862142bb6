//! Sentences of the sequence of play, and of counters that come, go, move and turn (¶24-32, 49-71).

use super::{Link, List, Sentence, Tale};
use crate::fog::SideId;
use crate::hex::{Hex, Hexside};
use crate::report::campaigns::head;
use crate::report::campaigns::pen::Pen;
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::flow::told::{Cause, Glimpse, Open, Own, Sighting, Who, Why};
use crate::rules::campaigns::pieces::Piece;
use crate::text::{and_list, plural};

/// Tells a sighting of this chapter.
pub fn tell(tale: &mut Tale<'_, '_>, told: &Sighting) {
    match told {
        Sighting::Open(told) => open(tale, told),
        Sighting::Own(Own::Plan { hex, clauses }) => {
            tale.whole(format!("plan for {}: {}", tale.pen.at(*hex), clauses.join(" ")), &[]);
        }
        Sighting::Partly(told) => glimpse(tale, told),
    }
}

/// What lies open.
fn open(tale: &mut Tale<'_, '_>, told: &Open) {
    let pen = tale.pen;
    match told {
        Open::Stage { at: _ } => tale.close(),
        Open::ArmyPhase { side, army } => {
            let name = pen.v.board.army(side, Some(army)).map_or_else(String::new, |army| pen.plain(&army.name));
            tale.whole(format!("the phase of the {name} begins"), &["55", "62", "63"]);
        }
        // The head of the mail names the turn and its date.
        Open::Turn { turn: _ } => tale.close(),
        Open::Weather { die, weather } => {
            let by = die.map_or_else(|| ", unchanged".to_owned(), |die| format!(" (die {die})"));
            let (says, chart) = (format!("weather: {weather}{by}"), die.map(|_| "weather"));
            tale.sentence(&Sentence { subject: None, says, rules: &["70"], chart, link: Link::Fresh, label: None });
        }
        Open::Control { hex, side } => tale.control(side, *hex),
        Open::Over { victory: _ } => tale.whole(format!("the game is over: {}", head::result(pen)), &[]),
    }
}

/// What each side sees otherwise.
fn glimpse(tale: &mut Tale<'_, '_>, told: &Glimpse) {
    let pen = tale.pen;
    match told {
        Glimpse::Begun { counters, turn: _ } => {
            let n = i64::try_from(counters.len()).unwrap_or(i64::MAX);
            let stand = plural(n, "enemy counter", "enemy counters");
            tale.whole(format!("set-up is over: {stand} on the map"), &["31"]);
        }
        Glimpse::Bridge { edge, damaged, by } => bridge_told(tale, *edge, *damaged, by.as_ref()),
        Glimpse::Appeared { who, hex, face } => {
            tale.place(List::Came, who, *hex, face.as_ref().map(|(_, ident)| ident));
        }
        Glimpse::Vanished { who, hex } => tale.place(List::Left, who, *hex, None),
        Glimpse::LeftMap { who, hex } => {
            tale.of(who, format!("left the map at {hex}"), &["374"], Link::Along);
        }
        Glimpse::Moved { who, from, to, why } => tale.step(who, *from, *to, *why),
        Glimpse::Shown { who, ident, piece: _, hex } => {
            let says = match who {
                Who::Own(_) => format!("was revealed at {hex}"),
                Who::Foe(_) => format!("is revealed at {hex}: {}", pen.ident(ident)),
            };
            tale.of(who, says, &["31"], Link::Along);
            tale.note_shown(who);
        }
        Glimpse::Beside { who, leaders } => {
            let names: Vec<String> = leaders.iter().map(|l| pen.leader(l)).collect();
            tale.of(who, format!("has {} under him", and_list(&names)), &["31"], Link::Along);
        }
        // The table of the enemy says who is face down.
        Glimpse::Hidden { who: _ } => {}
        Glimpse::Strength { who, sp } => tale.of(who, format!("stated {sp} SP"), &[], Link::Along),
        Glimpse::Lost { unit, sp, cause, destroyed } => {
            let gone = if *destroyed { ", eliminated" } else { "" };
            let (words, rules) = lost(*cause);
            tale.item(List::Lost(words), format!("{} {sp} SP{gone}", pen.unit(unit, None)), rules);
        }
    }
}

/// A bridge that is damaged or repaired; who did it where the reader may know.
fn bridge_told(tale: &mut Tale<'_, '_>, edge: Hexside, damaged: bool, by: Option<&LeaderId>) {
    let bridge = bridge(edge);
    match (by, damaged) {
        (Some(id), true) => tale.of(&own(id), format!("damaged the {bridge}"), &["251"], Link::Same),
        (Some(id), false) => tale.of(&own(id), format!("repaired the {bridge}"), &["251"], Link::Same),
        (None, true) => tale.whole(format!("the {bridge} is damaged"), &["251"]),
        (None, false) => tale.whole(format!("the {bridge} is repaired"), &["251"]),
    }
}

/// An own leader as a subject.
pub fn own(leader: &LeaderId) -> Who {
    Who::Own(Piece::Leader(leader.clone()))
}

/// A path as it was gone, and its rules.
pub fn path(why: Why, who: &Who, hexes: &[Hex]) -> (String, &'static [&'static str]) {
    let (verb, rules) = moved(why, who);
    // Who marched himself knows his way.
    let (first, last) = (hexes.first(), hexes.last());
    if let (Who::Own(_), Why::March | Why::ForcedMarch, Some(first), Some(last)) = (who, why, first, last) {
        return (format!("{verb} {first} to {last}"), rules);
    }
    let hexes: Vec<String> = hexes.iter().map(Hex::to_string).collect();
    (format!("{verb} {}", hexes.join(" ")), rules)
}

/// Marches of several enemy counters in one sentence.
pub fn moves(pen: &Pen<'_>, pieces: &[(Who, Vec<Hex>)]) -> String {
    let one = |(who, hexes): &(Who, Vec<Hex>)| {
        let hexes: Vec<String> = hexes.iter().map(Hex::to_string).collect();
        format!("{} {}", pen.who(who), hexes.join(" "))
    };
    format!("enemy moves: {}", pieces.iter().map(one).collect::<Vec<_>>().join("; "))
}

/// What a step is called, and its rules.
fn moved(why: Why, who: &Who) -> (&'static str, &'static [&'static str]) {
    let rides = matches!(who, Who::Own(Piece::Vedette(_)));
    match why {
        Why::March | Why::ForcedMarch if rides => ("moved", &[]),
        Why::March => ("marched", &[]),
        Why::ForcedMarch if matches!(who, Who::Own(_)) => ("marched", &["297"]),
        Why::ForcedMarch => ("made a Forced March", &["297"]),
        Why::Guns => ("marched to the sound of the guns", &["338"]),
        Why::Repulsed => ("was repulsed", &["241"]),
        Why::Retreat => ("retreated", &["369"]),
        Why::Withdrew => ("retreated before combat", &["314"]),
        Why::Pursuit => ("pursued", &["380"]),
        Why::Displaced => ("was displaced", &["371"]),
        Why::Advance => ("advanced", &["300.5"]),
        Why::Umpire => ("was moved by the umpire:", &[]),
        Why::Fixed => ("exchanged places:", &["Solitaire 4"]),
    }
}

/// A list as a sentence, and how it stands to what was told before.
pub fn list(kind: List, joined: &str) -> (String, Link) {
    match kind {
        List::Came => (format!("placed: {joined}"), Link::Fresh),
        List::Left => (format!("removed: {joined}"), Link::Fresh),
        List::Lost(cause) => (format!("{cause} {joined}"), Link::Along),
    }
}

/// Objectives that changed hands: `you control 3056 Wien`.
pub fn control(pen: &Pen<'_>, sides: &[(SideId, Vec<String>)]) -> String {
    let parts: Vec<String> =
        sides.iter().map(|(s, held)| format!("{} control {}", super::combat::who(pen, s), and_list(held))).collect();
    parts.join("; ")
}

/// What a loss is called, and its rules.
fn lost(cause: Cause) -> (&'static str, &'static [&'static str]) {
    match cause {
        Cause::Attrition => ("loss:", &["262"]),
        Cause::Bombardment => ("you lost under fire:", &["347"]),
        Cause::Combat => ("you lost in combat:", &["367"]),
        Cause::Pursuit => ("you lost in the pursuit:", &["382"]),
        Cause::Repulse => ("you lost in the repulse:", &["243"]),
        Cause::Surrender => ("you lost by surrender:", &["370"]),
    }
}

/// A bridge as orders name it: `bridge 0950/1049`.
pub fn bridge(edge: Hexside) -> String {
    let (a, b) = edge.hexes();
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    format!("bridge {low}/{high}")
}

/// Joins words as a choice: `a`, `a or b`, `a, b or c`.
pub fn or_list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [front @ .., last] => format!("{} or {last}", front.join(", ")),
    }
}
