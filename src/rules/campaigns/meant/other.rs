//! The rest: vedettes placed, bridges, leaders under leaders; and any line whose words are only misspelt.

use super::march::{self, on_map};
use super::names::{Thing, written};
use super::said::{Act, Said, Who};
use super::{choice, head_of, pick, same_piece, verbs};
use crate::hex::{Hex, Hexside};
use crate::orders::mend::change::{self, Choice, PLACE, VERB};
use crate::orders::mend::hear::Token;
use crate::orders::mend::{Mended, respell};
use crate::orders::{Fault, Line};
use crate::rules::campaigns::sequence::At;

/// ¶24, 135 A vedette is to be placed.
pub fn put(said: &Said<'_>) -> Option<Mended> {
    let v = said.v;
    let number = said.who().into_iter().find_map(|w| if let Who::Vedette(n) = w { Some(n) } else { None });
    let leader = said.tokens.iter().flat_map(|t| &t.things).find_map(|t| match t {
        Thing::Leader(id) => Some(id.clone()),
        _ => None,
    });
    if number.is_none() && !said.key("VEDETTE") {
        return None;
    }
    if let (Some(n), At::Own(_) | At::Reaction(_)) = (number, &v.at)
        && on_map(said, n)
    {
        let hex = said.hex(&Who::Vedette(n))?;
        let to = leader.as_ref().and_then(|id| v.own.hex(id)).or_else(|| said.places().last().map(|(hex, _)| *hex));
        let lines = to.map(|to| march::toward(said, &Who::Vedette(n), to)).unwrap_or_default();
        let why = format!("v{n} is on the map ({hex}); PLACE is for vedettes in the pool, at set-up.");
        let note = (!lines.is_empty()).then(|| "It can march there.".to_owned());
        return Some(Mended { why, rule: "¶24".to_owned(), lines, note, same: false });
    }
    let leader = leader?;
    let name = super::name_of(v, &leader);
    let choices = vec![choice(said, format!("VEDETTE PLACE WITH {name} 1"), &["PLACE", "WITH"], 0)];
    let told = Mended::from(said.fault);
    Some(Mended { why: told.why, rule: told.rule, lines: pick(said, choices), ..Mended::default() })
}

/// ¶251-254 Work on a bridge.
pub fn bridge(said: &Said<'_>) -> Mended {
    let v = said.v;
    let job = if said.act() == Some(Act::Repair) { "REPAIR" } else { "DAMAGE" };
    let who: Vec<Who> = said.who().into_iter().filter(|w| matches!(w, Who::Leader(_))).collect();
    let mut edges: Vec<_> = said.sides().collect();
    let places = said.places();
    if let [(a, _), (b, _), ..] = places.as_slice() {
        edges.extend(crate::hex::Hexside::between(*a, *b));
    }
    if let ([], [(at, _)]) = (edges.as_slice(), places.as_slice()) {
        let sides = v.board.map.neighbours(*at).into_iter().filter(|hex| v.board.map.bridge(*at, *hex));
        edges.extend(sides.filter_map(|hex| crate::hex::Hexside::between(*at, hex)));
    }
    let near = |hex| v.damaged.iter().filter(move |e| e.hexes().0 == hex || e.hexes().1 == hex).copied();
    let beside = |hex: Hex, edge: &Hexside| edge.hexes().0 == hex || edge.hexes().1 == hex;
    let who: Vec<Who> = if who.is_empty() {
        // Nobody is named: only who stands at the bridge can work on it.
        let meant: Vec<Hexside> = if edges.is_empty() { v.damaged.iter().copied().collect() } else { edges.clone() };
        let at = |hex: Hex| meant.iter().any(|edge| beside(hex, edge));
        v.own.on_map().filter(|(_, hex)| at(*hex)).map(|(id, _)| Who::Leader(id.clone())).collect()
    } else {
        who
    };
    if who.is_empty() {
        let why =
            "no force of yours stands at that bridge; a force works on a bridge from a hex next to it.".to_owned();
        return Mended { why, rule: "¶252".to_owned(), ..Mended::default() };
    }
    let free = if matches!(v.at, At::Reaction(_)) { "FORCED" } else { "INITIATIVE" };
    let mut choices = Vec::new();
    for who in &who {
        let Some(hex) = said.hex(who) else { continue };
        let here: Vec<_> = if edges.is_empty() { near(hex).collect() } else { edges.clone() };
        for edge in here {
            let (a, b) = edge.hexes();
            let (a, b) = if b == hex { (b, a) } else { (a, b) };
            let line = format!("{} {free} BRIDGE {job} {a}/{b}", head_of(v, who));
            choices.push(choice(said, line, &["BRIDGE", job, free], 0));
        }
    }
    let refused = choices.first().and_then(|c| super::refusal(v, &c.line));
    let lines = pick(said, choices);
    let why = if lines.is_empty() {
        Mended::from(refused.as_ref().unwrap_or(said.fault)).why
    } else {
        format!("work on a bridge is FORCE name {free} BRIDGE {job} hex/hex.")
    };
    Mended { why, rule: "¶251".to_owned(), lines, ..Mended::default() }
}

/// ¶37, 140 Leaders under leaders.
pub fn tie(said: &Said<'_>) -> Mended {
    let v = said.v;
    let leaders: Vec<_> = said
        .tokens
        .iter()
        .filter_map(|t| t.things.iter().find_map(|t| if let Thing::Leader(id) = t { Some(id.clone()) } else { None }))
        .collect();
    let mut mended = Mended::from(said.fault);
    mended.lines.clear();
    let name = |id| super::name_of(v, id);
    let choices = match (said.act(), leaders.as_slice()) {
        (Some(Act::Join), [who, under, ..]) => {
            let tied = format!("ATTACH {} TO {}", name(who), name(under));
            let mut found = vec![choice(said, tied, &["ATTACH", "TO"], 0)];
            if let Some(hex) = v.own.hex(under) {
                let lines = march::toward(said, &Who::Leader(who.clone()), hex);
                found.extend(lines.into_iter().map(|line| Choice { line, cost: VERB }));
            }
            found
        }
        (Some(Act::Part), [who, ..]) => vec![choice(said, format!("DETACH {}", name(who)), &["DETACH"], 0)],
        _ => Vec::new(),
    };
    mended.lines = pick(said, choices);
    if mended.lines.is_empty() && said.act() == Some(Act::Join) {
        return march::march(said);
    }
    if !mended.lines.is_empty() {
        mended.why = "leaders are put together and parted in the Organization Segment, before any march.".to_owned();
        mended.rule = "¶140".to_owned();
    }
    mended
}

/// A line of any verb with its misspelt words put right, one after the other, until it is taken.
pub fn respelt(said: &Said<'_>, line: &Line) -> Mended {
    let v = said.v;
    let spelt =
        |t: &Token<Thing>| t.key.map(str::to_owned).or_else(|| named(said, t)).unwrap_or_else(|| t.text.clone());
    let begin: Vec<String> = said.tokens.iter().map(|t| if t.slips > 0 { spelt(t) } else { shown(t) }).collect();
    let text = format!("{} {}", begin.join(" "), said.tail).trim_end().to_owned();
    let mut mended = Mended::from(said.fault);
    mended.lines.clear();
    let slip = said.tokens.iter().find(|t| t.slips > 0 && !(t.things.is_empty() && t.key.is_none()));
    // What is refused could be read as it stands.
    if let Some(slip) = slip.filter(|_| !matches!(said.fault, Fault::Refused { .. })) {
        mended.why = format!("\"{}\" is read as {}.", crate::text::quoted(&slip.text), spelt(slip));
        mended.rule = String::new();
    }
    let put_right = respell::respell(&text, |line| crate::orders::read(verbs(), v, line).map(|_| ()));
    let cost = said.slips() + put_right.changed;
    let mut choices = vec![Choice { line: put_right.text, cost }];
    if let Some(fault) = put_right.fault {
        let copy = fault.copy().filter(|copy| same_piece(said, copy) && same_verb(said, copy));
        choices.extend(copy.map(|copy| Choice { line: copy.to_owned(), cost: cost + PLACE }));
        if cost == 0 || mended.why.is_empty() || matches!(said.fault, Fault::Refused { .. }) {
            let told = Mended::from(&fault);
            (mended.why, mended.rule) = (told.why, told.rule);
        }
    }
    mended.lines = change::cheapest(choices, |line| super::takes(v, line));
    mended.lines.retain(|found| *found != line.source);
    mended
}

fn same_verb(said: &Said<'_>, line: &str) -> bool {
    said.head().is_some_and(|head| line.split_whitespace().next() == Some(head))
}

/// A word as an order writes it that is spelt right.
fn shown(token: &Token<Thing>) -> String {
    if token.span.1 > 1 && !token.things.is_empty() { format!("\"{}\"", token.text) } else { token.text.clone() }
}

/// What a misspelt word names, where that is one thing.
fn named(said: &Said<'_>, token: &Token<Thing>) -> Option<String> {
    match token.things.as_slice() {
        [Thing::Leader(id)] => Some(super::name_of(said.v, id)),
        [Thing::Place(hex)] => Some(written(said.v, *hex)),
        [Thing::Unit(id)] => said.v.board.units.get(id).map(|s| format!("\"{}\"", s.name)),
        _ => None,
    }
}
