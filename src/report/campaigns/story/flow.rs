//! Sentences of the sequence of play, and of counters that come, go, move and turn (¶24-32, 49-71).

use super::{Link, List, Sentence, Tale};
use crate::fog::SideId;
use crate::hex::Hexside;
use crate::report::campaigns::head;
use crate::report::campaigns::pen::Pen;
use crate::rules::campaigns::flow::told::{Cause, Sighting, Who, Why};
use crate::text::{and_list, plural};

/// Tells a sighting of this chapter.
pub fn tell(tale: &mut Tale<'_, '_>, told: &Sighting) {
    let whole = |says: String, rules: &'static [&'static str]| Sentence {
        subject: None,
        says,
        rules,
        chart: None,
        link: Link::Fresh,
    };
    let pen = tale.pen;
    match told {
        Sighting::Begun { counters, turn: _ } => {
            let n = u32::try_from(counters.len()).unwrap_or(u32::MAX);
            let says = format!(
                "set-up is over: {} on the map",
                plural(i64::from(n), "enemy counter stands", "enemy counters stand")
            );
            tale.sentence(&whole(says, &["31"]));
        }
        Sighting::Stage { at: _ } => tale.close(),
        Sighting::Turn { turn } => {
            let date = pen.v.board.calendar.get(turn).map_or_else(String::new, |d| format!(", {d}"));
            tale.sentence(&whole(format!("turn {turn} begins{date}"), &[]));
        }
        Sighting::Weather { die, weather } => {
            let says = match die {
                Some(die) => format!("weather: {weather}, by a die of {die}"),
                None => format!("weather: {weather}, as it was"),
            };
            let chart = die.map(|_| "weather");
            tale.sentence(&Sentence { subject: None, says, rules: &["70"], chart, link: Link::Fresh });
        }
        Sighting::Bridge { edge, damaged, by } => {
            let who = by.clone().map(|l| Who::Own(crate::rules::campaigns::pieces::Piece::Leader(l)));
            let bridge = bridge(*edge);
            let says = match (&who, damaged) {
                (Some(_), true) => format!("damaged the {bridge}"),
                (Some(_), false) => format!("mended the {bridge}"),
                (None, true) => format!("the {bridge} is down"),
                (None, false) => format!("the {bridge} is whole again"),
            };
            let link = if who.is_some() { Link::Same } else { Link::Fresh };
            tale.sentence(&Sentence { subject: who.as_ref(), says, rules: &["251"], chart: None, link });
        }
        Sighting::Appeared { who, hex, face } => {
            let mut item = format!("{} at {}", pen.who(who), pen.at(*hex));
            if let Some((_, ident)) = face {
                item.push_str(&format!(", {}", pen.ident(ident)));
            }
            tale.item(List::Came, item, &[]);
        }
        Sighting::Vanished { who, hex } => {
            tale.item(List::Left, format!("{} from {}", pen.who(who), pen.at(*hex)), &[]);
        }
        Sighting::Moved { who, from, to, why } => tale.step(who, *from, *to, *why),
        Sighting::Shown { who, ident, piece: _, hex } => {
            let says = match who {
                Who::Own(_) => format!("was shown at {hex}"),
                Who::Foe(_) => format!("showed {} at {hex}", pen.ident(ident)),
            };
            tale.sentence(&Sentence { subject: Some(who), says, rules: &["31"], chart: None, link: Link::Along });
            tale.note_shown(who);
        }
        Sighting::Hidden { who } => tale.item(List::Down, pen.who(who), &["32"]),
        Sighting::Strength { who, sp } => {
            let says = format!("stated {sp} SP");
            tale.sentence(&Sentence { subject: Some(who), says, rules: &[], chart: None, link: Link::Along });
        }
        Sighting::Lost { unit, sp, cause, destroyed } => {
            let gone = if *destroyed { " and is gone" } else { "" };
            let (words, rules) = lost(*cause);
            tale.item(List::Lost(words), format!("{} {sp} SP{gone}", pen.unit(unit, None)), rules);
        }
        Sighting::Plan { hex, clauses } => {
            let says = format!("plan for {}: {}", pen.at(*hex), clauses.join(" "));
            tale.sentence(&whole(says, &[]));
        }
        Sighting::Control { hex, side } => tale.control(side, *hex),
        Sighting::Over { victory: _ } => tale.sentence(&whole(format!("the game is over: {}", head::result(pen)), &[])),
    }
}

/// What a step is called, and its rules.
pub fn moved(why: Why, who: &Who) -> (&'static str, &'static [&'static str]) {
    use crate::rules::campaigns::pieces::Piece;
    let rides = matches!(who, Who::Own(Piece::Vedette(_)));
    match why {
        Why::March if rides => ("rode", &[]),
        Why::March => ("marched", &[]),
        Why::ForcedMarch if rides => ("rode", &[]),
        Why::ForcedMarch => ("made a Forced March", &["297"]),
        Why::Guns => ("marched to the guns,", &["338"]),
        Why::Repulsed => ("was driven back", &["241"]),
        Why::Retreat => ("retreated", &["369"]),
        Why::Withdrew => ("left before combat,", &["314"]),
        Why::Pursuit => ("pursued", &["380"]),
        Why::Displaced => ("made room,", &["371"]),
        Why::Advance => ("advanced", &["300.5"]),
    }
}

/// A list as a sentence, and how it stands to what was told before.
pub fn list(kind: List, items: &[String], joined: &str) -> (String, Link) {
    let were = if items.len() == 1 { "was" } else { "were" };
    match kind {
        List::Down => (format!("{joined} {were} turned face down"), Link::Fresh),
        List::Came => (format!("onto the map came {joined}"), Link::Fresh),
        List::Left => (format!("off the map went {joined}"), Link::Along),
        List::Lost(cause) => (format!("{cause}: {joined}"), Link::Along),
    }
}

/// Objectives that changed hands: `in your hands now: 3056 Wien`.
pub fn control(pen: &Pen<'_>, sides: &[(SideId, Vec<String>)]) -> String {
    let whose = |side: &SideId| if pen.mine(side) { "your".to_owned() } else { pen.side(side) };
    let parts: Vec<String> =
        sides.iter().map(|(s, held)| format!("in {} hands now {}", whose(s), and_list(held))).collect();
    parts.join("; ")
}

/// What a loss is called, and its rules.
fn lost(cause: Cause) -> (&'static str, &'static [&'static str]) {
    match cause {
        Cause::Attrition => ("lost on the march", &["262"]),
        Cause::Bombardment => ("lost under fire", &["347"]),
        Cause::Combat => ("lost in combat", &["367"]),
        Cause::Pursuit => ("lost in the pursuit", &["382"]),
        Cause::Repulse => ("lost in the repulse", &["243"]),
        Cause::Surrender => ("lost by surrender", &["370"]),
    }
}

/// A bridge as orders name it: `bridge 0950/1049`.
pub fn bridge(edge: Hexside) -> String {
    let (a, b) = edge.hexes();
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    format!("bridge {low}/{high}")
}
