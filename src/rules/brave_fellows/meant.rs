//! What was meant by a line that gives no order, or none that is allowed. Nothing here looks beyond the seat's own view, so
//! that no answer tells anything.

use super::BraveFellows;
use super::order::{Call, Order, may};
use super::rehearse::rehearse;
use super::solo;
use super::state::Segment;
use super::view::View;
use crate::hex::{Dir, Hex};
use crate::orders::mend::change::{self, Choice};
use crate::orders::mend::hear::{self, Heard, Token, Vocabulary};
use crate::orders::mend::lexicon::Sense;
use crate::orders::mend::{Meaning, Mended, Topic, respell};
use crate::orders::{self, Fault, Line};
use crate::rules::Ruleset;
use std::collections::BTreeSet;

/// Words of a line whose verb stands without a unit or a place.
const BRIEF: usize = 4;
/// Enemy hexes that are tried for one unit, the nearest to what was written first.
const TARGETS: usize = 6;
/// Keywords behind the verbs.
const KEYS: [&str; 8] = ["AT", "TO", "INTO", "WITH", "EXTRA", "TEST", "VIA", "FACE"];

/// What a word names.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Thing {
    Unit(String),
    Regiment(Vec<String>),
    Leader(String),
    Hex(Hex),
    Way(Dir),
}

/// A line as it was heard.
struct Said<'a> {
    v: &'a View,
    tokens: Vec<Token<Thing>>,
    words: Vec<Heard>,
    fault: &'a Fault,
}

impl<'a> Said<'a> {
    fn of(v: &'a View, line: &Line, fault: &'a Fault) -> Said<'a> {
        let words = hear::heard(line);
        let tokens = vocabulary(v).read(&words, |rest| {
            let word = rest.first()?;
            Some((1, Hex::parse(&word.text).map(Thing::Hex)?))
        });
        Said { v, tokens, words, fault }
    }

    fn things(&self) -> impl Iterator<Item = &Thing> {
        // A word that may be several things is none of them.
        self.tokens.iter().filter_map(|token| match token.things.as_slice() {
            [only] => Some(only),
            _ => None,
        })
    }

    fn units(&self) -> Vec<String> {
        let units = self.things().flat_map(|thing| match thing {
            Thing::Unit(id) => vec![id.clone()],
            Thing::Regiment(ids) => ids.clone(),
            Thing::Leader(_) | Thing::Hex(_) | Thing::Way(_) => Vec::new(),
        });
        units.collect()
    }

    fn leaders(&self) -> Vec<String> {
        let found =
            self.things().filter_map(|thing| if let Thing::Leader(id) = thing { Some(id.clone()) } else { None });
        found.collect()
    }

    fn hexes(&self) -> Vec<Hex> {
        self.things().filter_map(|thing| if let Thing::Hex(hex) = thing { Some(*hex) } else { None }).collect()
    }

    fn way(&self) -> Option<Dir> {
        self.things().find_map(|thing| if let Thing::Way(dir) = thing { Some(*dir) } else { None })
    }

    fn means(&self, sense: Sense) -> bool {
        self.tokens.iter().any(|token| token.means(sense))
    }

    /// The verb with which the line begins.
    fn head(&self) -> Option<&'static str> {
        let key = self.tokens.first()?.key?;
        BraveFellows::verbs().iter().map(|verb| verb.word).find(|word| *word == key)
    }

    /// The verb that is meant.
    fn verb(&self) -> Option<&'static str> {
        let meant = || {
            [
                (Sense::Charge, "CHARGE"),
                (Sense::Strike, "MELEE"),
                (Sense::Shoot, "FIRE"),
                (Sense::Turn, "FACE"),
                (Sense::Put, "PUT"),
                (Sense::Go, "MOVE"),
                (Sense::Done, "END"),
            ]
            .into_iter()
            .find(|(sense, _)| self.tokens.iter().any(|t| t.senses.first() == Some(sense)))
            .map(|(_, verb)| verb)
        };
        self.head().or_else(meant)
    }
}

/// All names that this seat's lines may hold.
fn vocabulary(v: &View) -> Vocabulary<Thing> {
    let s = &v.state;
    let mut known = Vocabulary::new(BraveFellows::verbs().iter().map(|verb| verb.word).chain(KEYS));
    for id in s.units.keys().filter(|id| s.is_of(id, &v.side)) {
        known.name(id, Thing::Unit(id.clone()));
        known.name(&id.replace('-', ""), Thing::Unit(id.clone()));
        known.name(&id.replace('-', "/"), Thing::Unit(id.clone()));
    }
    let own = s.standing().map(|(id, ..)| id).filter(|id| s.is_of(id, &v.side));
    let mut regiments: std::collections::BTreeMap<&str, Vec<String>> = std::collections::BTreeMap::new();
    for (id, kind) in own.filter_map(|id| Some((id, s.kind(id)?))) {
        regiments.entry(kind.regiment.as_str()).or_default().push(id.clone());
    }
    for (name, ids) in regiments {
        known.name(name, Thing::Regiment(ids));
    }
    for name in s.leaders.keys().filter(|name| s.chief(name).is_some_and(|chief| chief.side == v.side)) {
        known.name(name, Thing::Leader(name.clone()));
    }
    for (place, hexes) in &s.board.field.places {
        if let Some(hex) = hexes.first() {
            known.name(place, Thing::Hex(*hex));
        }
    }
    for dir in Dir::ALL {
        known.name(dir.name(), Thing::Way(dir));
    }
    let words = [("north", Dir::N), ("northeast", Dir::NE), ("southeast", Dir::SE), ("south", Dir::S)];
    for (word, dir) in words.into_iter().chain([("southwest", Dir::SW), ("northwest", Dir::NW)]) {
        known.name(word, Thing::Way(dir));
    }
    known
}

/// Whether a line is taken as it stands.
fn takes(v: &View, text: &str) -> bool {
    let bound = orders::read(BraveFellows::verbs(), v, &orders::line(1, text));
    bound.is_ok_and(|order| rehearse(v, &order).is_ok())
}

/// What a line is: nothing, a question, or an order with a slip in it.
pub fn meant(v: &View, line: &Line, fault: &Fault) -> Meaning {
    let said = Said::of(v, line, fault);
    if hear::quoted(line) || said.tokens.is_empty() {
        return Meaning::Nothing;
    }
    let named = !said.units().is_empty() || !said.leaders().is_empty();
    let placed = !said.hexes().is_empty();
    let whole = named && (placed || said.verb().is_some());
    let opening = said.tokens.iter().find(|t| !t.means(Sense::Greet) && !t.means(Sense::Polite));
    let asked = opening.is_some_and(|t| t.senses.first() == Some(&Sense::Ask));
    if (hear::asks(line) || asked) && said.head().is_none() && !whole {
        return Meaning::Question(topic(&said));
    }
    let first_person = opening.is_some_and(|t| t.senses.first() == Some(&Sense::Writer));
    let courteous = |t: &Token<Thing>| t.slips == 0 && (t.means(Sense::Greet) || t.means(Sense::Close));
    if said.head().is_none() && !whole && (first_person || said.tokens.iter().any(courteous)) {
        return Meaning::Nothing;
    }
    let brief = said.words.len() <= BRIEF && (named || said.verb().is_some());
    if said.head().is_some() || whole || brief {
        return Meaning::Attempt(attempt(&said, line));
    }
    let short_question = said.words.len() <= BRIEF && (said.means(Sense::Win) || said.means(Sense::Help));
    if short_question { Meaning::Question(topic(&said)) } else { Meaning::Nothing }
}

fn topic(said: &Said<'_>) -> Topic {
    let numbered = |text: &str| text.starts_with(|c: char| c.is_ascii_digit()) && text.contains('.');
    let rule = said.words.iter().map(|w| &w.text).find(|text| said.means(Sense::Rule) && numbered(text));
    match rule {
        Some(rule) => Topic::Rule(rule.clone()),
        None if said.means(Sense::Win) => Topic::Win,
        None if said.means(Sense::Supply) => {
            Topic::Told(vec!["There is no supply in this game; ammunition is option 11.2.".to_owned()])
        }
        None => Topic::Help,
    }
}

/// The order that was meant, changed as little as makes it one that is taken.
fn attempt(said: &Said<'_>, line: &Line) -> Mended {
    let v = said.v;
    let read = |line: &Line| {
        let order = orders::read(BraveFellows::verbs(), v, line)?;
        rehearse(v, &order).map(|_| ())
    };
    let spelt = respell::respell(&line.source, read);
    if spelt.fault.is_none() && spelt.changed > 0 {
        let words: Vec<String> = spelt.words.iter().map(|(was, is)| format!("\"{was}\" is read as {is}.")).collect();
        return Mended { why: words.join(" "), lines: vec![spelt.text], ..Mended::default() };
    }
    // What is wrong beside the spelling is what stands in the way.
    let mut mended = match (&spelt.fault, spelt.changed) {
        (Some(fault @ Fault::Refused { .. }), _) => Mended::from(fault),
        (Some(fault), 1..) => Mended::from(fault),
        _ => Mended::from(said.fault),
    };
    let choices = choices(said, &orders::line(line.no, &spelt.text));
    mended.lines = change::cheapest(choices, |text| takes(v, text));
    mended
}

fn choice(line: String, cost: u32) -> Choice {
    Choice { line, cost }
}

/// Lines that might have been meant, each with what it changes.
fn choices(said: &Said<'_>, line: &Line) -> Vec<Choice> {
    let v = said.v;
    let (units, leaders, hexes) = (said.units(), said.leaders(), said.hexes());
    let mut found = Vec::new();
    if v.state.segment == Segment::Activation && !matches!(said.head(), Some("PUT" | "REARGUARD" | "REGROUP")) {
        found.extend(leaders.iter().map(|name| choice(format!("ACTIVATE {name}"), change::KEYWORD)));
        found.extend(callers(v, &units).into_iter().map(|name| choice(format!("ACTIVATE {name}"), change::VERB)));
        return found;
    }
    let names = units.join(" ");
    match said.verb() {
        Some("MOVE") | None if !units.is_empty() => found.extend(moves(v, &units, &hexes, said.way())),
        Some(verb @ ("FIRE" | "MELEE" | "CHARGE")) if !units.is_empty() => {
            found.extend(attacks(v, verb, &units, hexes.last().copied()));
        }
        Some("FACE") if !units.is_empty() => {
            found.extend(said.way().map(|dir| choice(format!("FACE {names} {}", dir.name()), change::ORDER)));
        }
        Some("END") => found.push(choice("END".to_owned(), change::KEYWORD)),
        _ => {}
    }
    if let (Some(leader), Some(hex)) = (leaders.first(), hexes.last()) {
        found.push(choice(format!("LEADER {leader} TO {hex}"), change::ORDER));
        let near = hex.neighbours().into_iter().map(|hex| choice(format!("LEADER {leader} TO {hex}"), change::PLACE));
        found.extend(near);
    }
    // The same verb with a piece of which it can be said.
    let verb = said.head().and_then(|word| BraveFellows::verbs().iter().find(|verb| verb.word == word));
    let examples = verb.map(|verb| (verb.examples)(v)).unwrap_or_default();
    let same = |line: &String| units.iter().chain(&leaders).any(|id| line.split(' ').any(|word| word == id));
    let nobody = units.is_empty() && leaders.is_empty() && line.words.len() <= BRIEF;
    found.extend(examples.into_iter().filter(|line| nobody || same(line)).map(|line| choice(line, change::PLACE)));
    found
}

/// Leaders who would activate a unit.
fn callers(v: &View, units: &[String]) -> Vec<String> {
    let s = &v.state;
    let own = s.leaders.keys().filter(|name| s.chief(name).is_some_and(|chief| chief.side == v.side));
    let able = own.filter(|name| {
        let call = Call { leaders: vec![(*name).clone()], ..Call::default() };
        may(s, &Order::Activate(call.clone())).is_ok()
            && units.iter().any(|unit| super::command::followers_with(s, &v.side, &call).contains(unit))
    });
    able.cloned().collect()
}

/// A way of units to where they were to go: the hexes written as far as they may be, or the hexes between.
fn moves(v: &View, units: &[String], hexes: &[Hex], way: Option<Dir>) -> Vec<Choice> {
    let names = units.join(" ");
    let face = way.map_or_else(String::new, |dir| format!(" FACE {}", dir.name()));
    let line = |path: &[Hex]| {
        let hexes: Vec<String> = path.iter().map(ToString::to_string).collect();
        format!("MOVE {names} {}{face}", hexes.join(" "))
    };
    let mut found = vec![choice(line(hexes), change::KEYWORD)];
    for take in (1..hexes.len()).rev() {
        found.push(choice(line(hexes.get(..take).unwrap_or_default()), change::PLACE));
    }
    let from = units.first().and_then(|id| v.state.units.get(id)?.hex);
    if let Some((from, to)) = from.zip(hexes.last()) {
        let path = solo::way(&v.state, units, from, *to, &BTreeSet::new());
        let reached = path.last() == Some(to);
        if !path.is_empty() {
            found.push(choice(line(&path), if reached { change::KEYWORD } else { change::PLACE }));
        }
    }
    found
}

/// The same attack at the enemies nearest to the hex that was written.
fn attacks(v: &View, verb: &str, units: &[String], at: Option<Hex>) -> Vec<Choice> {
    let s = &v.state;
    let names = units.join(" ");
    let stand = units.first().and_then(|id| s.units.get(id)?.hex);
    let Some(near) = at.or(stand) else { return Vec::new() };
    let foes: BTreeSet<Hex> = s.standing().filter(|(id, ..)| !s.is_of(id, &v.side)).map(|(.., hex)| hex).collect();
    let mut foes: Vec<Hex> = foes.into_iter().collect();
    foes.sort_by_key(|hex| (hex.distance(near), *hex));
    let cost = |hex: &Hex| if Some(*hex) == at { change::KEYWORD } else { change::PLACE };
    let mut found: Vec<Choice> =
        foes.iter().take(TARGETS).map(|hex| choice(format!("{verb} {names} AT {hex}"), cost(hex))).collect();
    // Who cannot all do it may do it singly.
    if units.len() > 1 {
        for unit in units {
            let single = foes.iter().take(TARGETS).map(|hex| choice(format!("{verb} {unit} AT {hex}"), cost(hex) + 1));
            found.extend(single);
        }
    }
    found
}
