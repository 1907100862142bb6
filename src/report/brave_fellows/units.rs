//! Units in rows: those of a hex that are alike stand together.

use crate::hex::Hex;
use crate::rules::brave_fellows::bounds;
use crate::rules::brave_fellows::state::Mood;
use crate::rules::brave_fellows::view::{self, COUNTER, View, word};
use crate::rules::tactical::tags::Contact;
use crate::text;
use std::collections::BTreeMap;

/// An enemy within so many hexes is worth a row in a stage mail.
const NEAR: u32 = 6;

/// What stands between a row's units and its facts until the row is as wide as its page.
const FACTS: &str = "\t";
/// Blanks before a row.
const INDENT: usize = 2;

/// Whether a unit is of the side that looks.
pub fn mine(v: &View, unit: &str) -> bool {
    v.state.is_of(unit, &v.side)
}

/// A regiment in three characters on the map, so that none reads as the number of a hex.
pub fn code(v: &View, unit: &str) -> String {
    let kind = v.state.kind(unit);
    let regiment = kind.map_or("", |kind| kind.regiment.as_str());
    match regiment {
        "" => kind.map_or("", |kind| word(kind)).chars().take(3).collect(),
        named => view::short(named).map_or_else(|| named.chars().take(3).collect(), str::to_owned),
    }
}

/// What one row says behind its units.
fn facts(v: &View, id: &str) -> String {
    let s = &v.state;
    let Some(u) = s.units.get(id) else { return String::new() };
    if s.strangers.contains_key(id) {
        return stranger(v, id);
    }
    let mood = match u.mood {
        Mood::Fresh => "fresh",
        Mood::Fatigued => "tired",
        Mood::Routed => "routed",
    };
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
    if kind.mf > 0 {
        facts.push(format!("FF {} MF {} MA {}", s.ff(id), s.mf(id), s.ma(id)));
    }
    let mood = match u.mood {
        _ if u.dim => None,
        Mood::Fresh => Some("fresh"),
        Mood::Fatigued => Some("tired"),
        Mood::Routed => Some("routed"),
    };
    facts.extend(mood.map(str::to_owned));
    let far = v.near.iter().find(|(tag, _)| tag == id).map_or(0, |(_, near)| *near);
    facts.push(format!("{} off", text::plural(far, "hex", "hexes")));
    facts.join(", ")
}

/// Enemies that are out of sight, as they were last seen.
fn ghosts(v: &View) -> Vec<String> {
    let line = |(tag, contact): &(String, Contact)| {
        let face = &contact.face;
        let name = face.regiment.as_ref().map_or_else(String::new, |name| format!(", {name}"));
        format!("{}     {tag}  {}{name}, last seen on turn {}", face.hex, face.arm, contact.turn)
    };
    v.ghosts.iter().map(line).collect()
}

/// Rows of units, in the order of their hexes.
fn rows(v: &View, fits: impl Fn(&String) -> bool) -> Vec<(Hex, String)> {
    let s = &v.state;
    let mut found: BTreeMap<(Hex, String, String), Vec<&String>> = BTreeMap::new();
    for (id, u, hex) in s.counters().filter(|(id, ..)| fits(id)) {
        let facing = if s.front(id).is_empty() { "" } else { u.facing.name() };
        found.entry((hex, facing.to_owned(), facts(v, id))).or_default().push(id);
    }
    let line = |(hex, facing, facts): &(Hex, String, String), ids: &[&String]| {
        let place = s.board.field.place(*hex).map_or_else(String::new, |place| format!(" ({place})"));
        let names: Vec<&str> = ids.iter().map(|id| id.as_str()).collect();
        (*hex, format!("{hex} {facing:2}  {}{place}{FACTS}{facts}", names.join(" ")))
    };
    found.iter().map(|(key, ids)| line(key, ids)).collect()
}

fn leaders(v: &View, own: bool) -> Vec<String> {
    let s = &v.state;
    let of = |name: &str| s.chief(name).is_some_and(|chief| (chief.side == v.side) == own);
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

/// Lines as wide as the page: a row that is too long goes on with its facts on a line of their own.
fn broken(lines: Vec<String>, width: usize) -> Vec<String> {
    let fold = |line: &String| match line.rsplit_once(FACTS) {
        Some((head, facts)) if text::width(line) + INDENT > width => {
            let facts = facts.split_whitespace().collect::<Vec<_>>().join(" ");
            let mut lines = text::wrap(head, width, "  ", 4);
            lines.extend(text::wrap(&facts, width, "    ", 4));
            lines
        }
        _ => text::wrap(&line.replace(FACTS, "  "), width, "  ", 4),
    };
    lines.iter().flat_map(fold).collect()
}

/// Units that wait off the map.
fn waiting(v: &View) -> Vec<String> {
    let own = v.state.units.iter().filter(|(id, u)| u.waits.is_some() && mine(v, id));
    let mut doors: BTreeMap<Hex, Vec<&str>> = BTreeMap::new();
    own.for_each(|(id, u)| doors.entry(u.waits.unwrap_or(Hex::new(1, 1))).or_default().push(id));
    doors.iter().map(|(hex, ids)| format!("Off the map, to come on by {hex}: {}.", ids.join(" "))).collect()
}

/// All units of a side.
pub fn all(v: &View, own: bool, width: usize) -> Vec<String> {
    let mut lines = leaders(v, own);
    lines.extend(rows(v, |id| mine(v, id) == own).into_iter().map(|(_, row)| row));
    if own {
        lines.extend(waiting(v));
    } else {
        lines.extend(ghosts(v));
    }
    broken(lines, width)
}

fn nearest(v: &View, hex: Hex) -> u32 {
    let s = &v.state;
    let whose = s.standing().find(|(_, _, at)| *at == hex).is_some_and(|(id, ..)| mine(v, id));
    let foes = s.standing().filter(|(id, ..)| mine(v, id) != whose && !s.is_battery(id));
    foes.map(|(.., at)| at.distance(hex)).min().unwrap_or(u32::MAX)
}

/// Units in few lines for a stage mail: those that can act or are near the enemy, and how many besides.
pub fn short(v: &View, own: bool, width: usize) -> Vec<String> {
    let s = &v.state;
    let acts = s.units.values().any(|u| u.active);
    let shown = |id: &String| {
        let Some(u) = s.units.get(id) else { return false };
        let Some(hex) = u.hex else { return false };
        let can = own && if acts { u.active } else { !u.used && bounds::held(s, id).is_none() };
        mine(v, id) == own && (can || (nearest(v, hex) <= NEAR && !s.is_battery(id)))
    };
    let mut lines = leaders(v, own);
    lines.extend(rows(v, shown).into_iter().map(|(_, row)| row));
    let others = s.counters().filter(|(id, ..)| mine(v, id) == own && !shown(id)).count();
    if others > 0 {
        let what = if own { "that cannot act, far from the enemy" } else { "far off" };
        lines.push(format!("{others} more {what}: UNITS has all."));
    }
    if own {
        lines.extend(waiting(v));
    } else {
        lines.extend(ghosts(v));
    }
    broken(lines, width)
}

/// Rows that the reader's last letter did not have so.
pub fn changed(v: &View, before: &View, width: usize) -> Vec<String> {
    let old: Vec<String> = rows(before, |_| true).into_iter().map(|(_, row)| row).collect();
    let new = rows(v, |_| true).into_iter().map(|(_, row)| row).filter(|row| !old.contains(row));
    broken(new.collect(), width)
}
