//! Units in rows: those of a hex that are alike stand together.

use super::map::STYLE;
use super::story;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::report::field::roster::{Piece, Roster, ghosts, letter, waiting};
use crate::rules::brave_fellows::board::{COALITION, FRENCH};
use crate::rules::brave_fellows::bounds;
use crate::rules::brave_fellows::state::{At, Mood, Unit};
pub use crate::rules::brave_fellows::view::code;
use crate::rules::brave_fellows::view::{COUNTER, View, word};
use crate::rules::brave_fellows::{place, reach, standing};
use crate::text;
use std::collections::BTreeMap;

/// Whether a unit is of the side that looks.
fn mine(v: &View, unit: &str) -> bool {
    v.state.kind(unit).is_some_and(|kind| ours(v, &kind.side))
}

/// Whether the view is a side's, and not the umpire's.
fn is_seat(v: &View) -> bool {
    v.side.0 == FRENCH || v.side.0 == COALITION
}

/// Whether a side is the one that looks; the umpire looks with the French, so that his maps and lists tell the sides apart.
pub fn ours(v: &View, side: &SideId) -> bool {
    if is_seat(v) { *side == v.side } else { side.0 == FRENCH }
}

/// A unit as it is drawn and told.
fn piece(v: &View, (id, u, hex): (&String, &Unit, Hex), acts: bool) -> Option<Piece> {
    let s = &v.state;
    let kind = s.kind(id)?;
    let front = s.front(id).len();
    let faces = if front == 0 { "" } else { u.facing.name() };
    let facing = match front {
        _ if u.dim => "??",
        6 => "**",
        _ => faces,
    };
    let letter = if word(kind) == COUNTER { '?' } else { letter(kind.arm) };
    Some(Piece {
        id: id.clone(),
        hex,
        own: mine(v, id),
        regiment: kind.regiment.clone(),
        code: code(kind),
        letter,
        sign: None,
        tired: u.mood == Mood::Fatigued,
        runs: u.mood == Mood::Routed,
        facing: facing.to_owned(),
        faces,
        fixed: s.is_battery(id),
        hollow: s.is_dummy(id),
        top: false,
        acts: (u.active, u.used),
        able: match &s.at {
            // 9.1-9.3 Who is put on the map now.
            At::Setup(_) | At::Muster(_) => !place::area(s, id).is_empty(),
            _ if acts => u.active,
            _ => !u.used && bounds::held(s, id).is_none(),
        },
        facts: facts(v, id),
    })
}

/// All that a seat sees on the map.
pub fn roster(v: &View, width: usize) -> Roster<'_> {
    let s = &v.state;
    let acts = s.units.values().any(|u| u.active);
    let pieces = s.counters().filter_map(|counter| piece(v, counter, acts)).collect();
    let leaders = s.leaders.iter().map(|(name, l)| (name.as_str(), l.hex)).collect();
    let ghosts = v.ghosts.iter().map(|(tag, contact)| (tag.clone(), contact.face.hex)).collect();
    Roster { field: &s.board.field, edges: BTreeMap::new(), pieces, ghosts, leaders, style: &STYLE, width }
}

fn mood(mood: Mood) -> &'static str {
    match mood {
        Mood::Fresh => "fresh",
        Mood::Fatigued => "tired",
        Mood::Routed => "routed",
    }
}

/// What one row says behind its units.
pub(super) fn facts(v: &View, id: &str) -> String {
    let s = &v.state;
    let Some(u) = s.units.get(id) else { return String::new() };
    if s.strangers.contains_key(id) {
        return stranger(v, id);
    }
    let mood = mood(u.mood);
    let bound = bounds::held(s, id).map(|rule| format!(", may not act yet [{rule}]"));
    let marks = [
        (u.active, ", acts"),
        (u.used && !u.active, ", has acted"),
        (u.charged, ", charged"),
        (u.low, ", low on ammunition"),
        (s.in_strong_point(id), ", in the Strong Point"),
    ];
    let marks: String = marks.into_iter().filter(|(is_so, _)| *is_so).map(|(_, word)| word).collect();
    let values = match s.ff(id) {
        _ if s.is_battery(id) => "guns by hexside, FF 20".to_owned(),
        // DB.9
        _ if s.is_dummy(id) => format!("a dummy: MA {}, gone when seen at 3 hexes", s.ma(id)),
        0 => format!("FV {} MF {} MA {}", s.fv(id), s.mf(id), s.ma(id)),
        ff => format!("FV {} FF {ff} MF {} MA {}", s.fv(id), s.mf(id), s.ma(id)),
    };
    format!("{values}  {mood}{marks}{}", bound.unwrap_or_default())
}

/// DB.3 What is known of an enemy who is seen.
fn stranger(v: &View, id: &str) -> String {
    let s = &v.state;
    let (Some(u), Some(kind)) = (s.units.get(id), s.kind(id)) else { return String::new() };
    let mut facts = vec![word(kind).to_owned()];
    if !kind.regiment.is_empty() && word(kind) != COUNTER {
        facts.push(kind.regiment.clone());
    }
    if kind.mf > 0 && u.dim {
        // DB.3 Its printed values: how it is now is not seen from so far.
        facts.push(format!("FF {} MF {} MA {} when fresh", kind.ff, kind.mf, kind.ma.first().copied().unwrap_or(0)));
    } else if kind.mf > 0 {
        facts.push(format!("FF {} MF {} MA {}", s.ff(id), s.mf(id), s.ma(id)));
    }
    facts.push(if u.dim { "too far to see how it is".to_owned() } else { mood(u.mood).to_owned() });
    let far = v.near.iter().find(|(tag, _)| tag == id).map_or(0, |(_, near)| *near);
    facts.push(format!("{} off", text::plural(far, "hex", "hexes")));
    facts.join(", ")
}

fn leaders(v: &View, own: bool) -> Vec<String> {
    let s = &v.state;
    let of = |name: &str| s.chief(name).is_some_and(|chief| ours(v, &chief.side) == own);
    let placed = s.leaders.iter().filter(|(name, l)| of(name) && !l.lost);
    let word = |name: &String, used: bool, bound: bool| match (used, bound) {
        (true, _) => format!("{name} has acted"),
        (false, true) => format!("{name} may not act yet"),
        (false, false) => name.clone(),
    };
    let said = placed.filter_map(|(name, l)| {
        let bound = own && !bounds::free(s, name);
        match (l.hex, l.waits, l.until) {
            (Some(hex), ..) => Some(format!("{} {hex}", word(name, l.used && !l.active, bound))),
            (_, Some(door), _) => Some(format!("{name} waits to come on by {door}")),
            (.., Some(turn)) if own => Some(format!("{name} is wounded until turn {turn}")),
            _ => None,
        }
    });
    let said: Vec<String> = said.collect();
    if said.is_empty() { Vec::new() } else { vec![format!("Leaders: {}.", said.join(", "))] }
}

/// 9.1-9.3 Where a side's pieces may be put now: those that may stand in the same hexes, and the hexes.
fn areas(v: &View) -> Vec<String> {
    let s = &v.state;
    if !reach::sets_up(v) {
        return Vec::new();
    }
    let pieces =
        s.units.keys().filter(|id| s.is_of(id, &v.side)).chain(s.leaders.keys().filter(|id| s.leads(id, &v.side)));
    let mut areas: BTreeMap<Vec<Hex>, Vec<&str>> = BTreeMap::new();
    for piece in pieces {
        let area: Vec<Hex> = place::area(s, piece).into_iter().collect();
        if !area.is_empty() {
            areas.entry(area).or_default().push(piece);
        }
    }
    let said = |(hexes, pieces): (Vec<Hex>, Vec<&str>)| {
        let hexes: Vec<String> = hexes.iter().map(ToString::to_string).collect();
        format!("May be put in {}: {}.", hexes.join(" "), pieces.join(" "))
    };
    areas.into_iter().map(said).collect()
}

/// What stands behind the rows: units that wait off the map, or enemies that are out of sight.
fn others(v: &View, own: bool) -> Vec<String> {
    if !own && is_seat(v) {
        return ghosts(&v.ghosts);
    }
    let units = v.state.units.iter().filter(|(id, _)| mine(v, id) == own);
    waiting(units.filter_map(|(id, u)| Some((id, u.waits?))))
}

/// All units of a side.
pub fn all(v: &View, own: bool, roster: &Roster<'_>) -> Vec<String> {
    // Who sees both sides is told which is which.
    let whose = (!is_seat(v)).then(|| text::capital(story::side(&if own { FRENCH } else { COALITION }.into())));
    let towns = standing::holders(v).filter(|_| own);
    let areas = if own { areas(v) } else { Vec::new() };
    let before = whose.into_iter().chain(leaders(v, own)).chain(towns).chain(areas);
    roster.all(own, before.collect(), others(v, own))
}

/// Units in few lines for a stage mail: those that can act or are near the enemy, and how many besides.
pub fn short(v: &View, own: bool, roster: &Roster<'_>) -> Vec<String> {
    let areas = if own { areas(v) } else { Vec::new() };
    roster.short(own, leaders(v, own).into_iter().chain(areas).collect(), others(v, own))
}
