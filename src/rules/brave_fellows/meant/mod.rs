//! What was meant by a line that gives no order, or none that is allowed: the words of this game. Nothing here looks beyond the
//! seat's own view, so that no answer tells anything.

mod calls;
mod labels;
mod prey;
mod ways;

use super::BraveFellows;
use super::board::Arm;
use super::order::{self, Order};
use super::rehearse::rehearse;
use super::state::State;
use super::view::{View, short};
use super::{command, march, solo, standing, values};
use crate::hex::{Dir, Hex};
use crate::orders::mend::Topic;
use crate::orders::mend::hear::Vocabulary;
use crate::orders::mend::lexicon::Sense;
use crate::orders::{Fault, Verb};
use crate::rules::Ruleset;
use crate::rules::tactical::meant::acts::{
    aims, attack, doubled, face, go, goal, is_deed, joined, lead, plain, rides, subjects,
};
use crate::rules::tactical::meant::{self, Deed, Found, Grammar, Marches, SIGNS, SUBJECT, Slot, Thing, Tongue};
use crate::rules::tactical::way;
use std::collections::{BTreeMap, BTreeSet};

/// A line as it was heard.
type Said<'a> = meant::Said<'a, View>;

/// Behind EXTRA.
const EXTRA: Slot = Slot::Key("EXTRA");
/// Behind TEST.
const TEST: Slot = Slot::Key("TEST");
/// Behind VIA.
const VIA: Slot = Slot::Key("VIA");
/// Words that ask for what is lost.
const LOST: [&str; 4] = ["losses", "lost", "casualties", "dead"];
/// Words that ask how it stands, whose turn it is, and what can be done.
const STANDS: [&str; 11] =
    ["score", "stand", "stands", "standing", "turn", "initiative", "wait", "waits", "waiting", "next", "do"];

const GRAMMAR: Grammar<Arm> = Grammar {
    keys: &["AT", "TO", "INTO", "WITH", "FACE", "FACING"],
    slots: &["EXTRA", "TEST", "VIA"],
    arms: &[
        ("dragoons", Arm::Cav),
        ("horse", Arm::Cav),
        ("cavalry", Arm::Cav),
        ("guns", Arm::Art),
        ("battery", Arm::Art),
        ("artillery", Arm::Art),
    ],
    acts: &[
        (Sense::Charge, "CHARGE"),
        (Sense::Strike, "MELEE"),
        (Sense::Shoot, "FIRE"),
        (Sense::Put, "PUT"),
        (Sense::Go, "MOVE"),
        (Sense::Back, "MOVE"),
        (Sense::Turn, "FACE"),
        (Sense::Done, "END"),
    ],
    attacks: &["MELEE", "FIRE", "CHARGE"],
};

impl Tongue for View {
    type Order = Order;
    type Arm = Arm;

    fn grammar() -> &'static Grammar<Arm> {
        &GRAMMAR
    }

    fn verbs() -> &'static [Verb<View, Order>] {
        BraveFellows::verbs()
    }

    fn tried(&self, order: &Order) -> Result<(), Fault> {
        rehearse(self, order).map(|_| ())
    }

    fn is_ready(&self, unit: &str) -> Result<(), Fault> {
        command::active(&self.state, &[unit.to_owned()])
    }

    fn order(deed: &Deed<'_>) -> Order {
        match *deed {
            Deed::Strike("FIRE", units, at) => Order::Fire { units: units.to_vec(), at },
            Deed::Strike("MELEE", units, at) => Order::Melee { units: units.to_vec(), at, first: Vec::new() },
            Deed::Strike(_, units, at) => Order::Charge { unit: units.first().cloned().unwrap_or_default(), at },
            Deed::Ride(leader, to) => Order::Lead { leader: leader.to_owned(), to },
        }
    }

    fn names(&self, known: &mut Vocabulary<Thing<Arm>>) {
        names(self, known);
    }

    fn hex(&self, unit: &str) -> Option<Hex> {
        self.state.hex(unit)
    }

    fn is_arm(&self, unit: &str, arm: Arm) -> bool {
        self.state.is_arm(unit, arm)
    }

    fn acting(&self) -> Vec<String> {
        let own = self.state.standing().filter(|(id, u, _)| u.active && self.state.is_of(id, &self.side));
        own.map(|(id, ..)| id.clone()).collect()
    }

    fn men(&self, leader: &str) -> Vec<String> {
        let s = &self.state;
        let own = |id: &String| s.is_of(id, &self.side) && command::under(s, id, leader);
        let all: Vec<String> = s.standing().map(|(id, ..)| id).filter(|id| own(id)).cloned().collect();
        let acts = |id: &&String| s.is(id, |u| u.active);
        let acting: Vec<String> = all.iter().filter(acts).cloned().collect();
        if acting.is_empty() { all } else { acting }
    }

    fn foes(&self, arm: Option<Arm>) -> BTreeSet<Hex> {
        let fit = |id: &String| arm.is_none_or(|arm| self.is_arm(id, arm));
        self.state.enemies(&self.side).filter(|(id, ..)| fit(id)).map(|(.., hex)| hex).collect()
    }

    /// 4.1.1, 4.1.5 Whether there is room for them.
    fn has_room(&self, units: &[String], hex: Hex) -> bool {
        !self.state.crowded_with(hex, &self.side, units) && !march::horse_with_guns(&self.state, units, hex)
    }

    /// 6.4.2 Horse and foot do not attack together.
    fn apart(&self, units: &[String]) -> Vec<Vec<String>> {
        let (horse, foot) = units.iter().cloned().partition(|id| self.is_arm(id, Arm::Cav));
        vec![foot, horse]
    }

    fn told(said: &Said<'_>) -> Option<Vec<String>> {
        told(said)
    }

    fn asked(said: &Said<'_>) -> Option<Topic> {
        let values: Vec<String> = said.words.iter().filter_map(|word| values::of(&word.text)).collect();
        if !values.is_empty() {
            return Some(Topic::Told(values));
        }
        if said.says(&SIGNS) {
            return Some(Topic::Told(vec![
                "MAP KEY says what the signs of the map and of the charts mean.".to_owned(),
            ]));
        }
        if said.says(&STANDS) {
            return Some(Topic::Told(standing::standing(said.v)));
        }
        let supply = "There is no supply in this game; ammunition is option 11.2.";
        said.means(Sense::Supply).then(|| Topic::Told(vec![supply.to_owned()]))
    }

    fn found(said: &Said<'_>) -> Found {
        found(said)
    }
}

impl Marches for View {
    const GOING: &'static str = "6.2";
    const FACING: &'static str = "4.3.2";

    fn go(units: &[String], path: &[Hex], face: Option<Dir>) -> Order {
        Order::Move { units: units.to_vec(), path: path.to_vec(), face }
    }

    fn turn(units: &[String], face: Dir) -> Order {
        Order::Face { units: units.to_vec(), face }
    }

    fn way(&self, units: &[String], from: Hex, to: Hex) -> Option<Vec<Hex>> {
        let s = &self.state;
        let go = |path: &[Hex]| Order::Move { units: units.to_vec(), path: path.to_vec(), face: None };
        let direct = way::straight(from, to, !s.held_against(to, &self.side), |path| order::may(s, &go(path)).is_ok());
        if direct.last() == Some(&to) {
            return Some(direct);
        }
        let ways = units.first().map(|unit| solo::reach::reach(s, unit));
        ways.and_then(|mut ways| ways.remove(&to)).filter(|path| !path.is_empty())
    }

    fn nearer(&self, units: &[String], from: Hex, to: Hex) -> Option<Vec<Hex>> {
        ways::nearer(self, units, from, to)
    }

    fn unreached(&self, unit: &str, to: Hex) -> Fault {
        ways::unreached(self, unit, to)
    }
}

/// What is answered at once: what is lost, and what is done by giving no order.
fn told(said: &Said<'_>) -> Option<Vec<String>> {
    if said.says(&LOST) && said.units(&[Slot::Plain]).is_empty() {
        return Some(losses(said.v));
    }
    let not = said.means(Sense::Not);
    let holds = not || (said.means(Sense::Stay) && said.says(&["hold", "holds", "cease"]));
    if said.head.is_none() && holds && said.says(&["fire", "firing", "shoot"]) {
        let text = "Who is not ordered to fire does not. DOCTRINE FIRE HOLD holds the fire in defence too.";
        return Some(vec![text.to_owned()]);
    }
    if said.head.is_none() && said.says(&["rally", "rallies", "recover", "recovers"]) {
        let text = "Who is tired or runs rolls for it when the turn ends, without an order. [7.1]";
        return Some(vec![text.to_owned()]);
    }
    meant::is_idle(said).then(|| vec!["Who gets no order stays where he is.".to_owned()])
}

/// What a side has lost.
fn losses(v: &View) -> Vec<String> {
    let what = "VICTORY says what counts, and how it stands.".to_owned();
    standing::lost(v).into_iter().chain([what]).collect()
}

/// The name of a regiment in the order of battle, which everybody may read; none that only says its arm.
fn in_full<'s>(s: &'s State, regiment: &str) -> Option<&'s str> {
    let kind = s.board.kinds.values().find(|kind| kind.regiment == regiment && !kind.name.is_empty())?;
    let first = kind.name.split(' ').next().unwrap_or_default().to_lowercase();
    let says_arm = kind.arm == Arm::Art || GRAMMAR.arms.iter().any(|(word, _)| word.starts_with(&first));
    (!says_arm).then_some(kind.name.as_str())
}

/// Names of units, regiments, leaders and places, as people write them.
fn names(v: &View, known: &mut Vocabulary<Thing<Arm>>) {
    let s = &v.state;
    let regiment = |id: &str| s.kind(id).map_or("", |kind| kind.regiment.as_str());
    let spelt = |id: &str| {
        let code = short(regiment(id)).map(|code| id.replacen(regiment(id), code, 1));
        let names = [id.to_owned()].into_iter().chain(code);
        let spelt = names.flat_map(|name| [name.replace('-', ""), name.replace('-', "/"), name]);
        spelt.collect::<Vec<String>>()
    };
    for id in s.units.keys().filter(|id| s.is_of(id, &v.side)) {
        spelt(id).iter().for_each(|name| known.name(name, Thing::Unit(id.clone())));
    }
    let mut regiments: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut foes: BTreeMap<String, BTreeSet<Hex>> = BTreeMap::new();
    for (id, _, hex) in s.standing() {
        if s.is_of(id, &v.side) {
            regiments.entry(regiment(id)).or_default().push(id.clone());
            continue;
        }
        let named = [regiment(id).to_owned()].into_iter().chain(short(regiment(id)).map(str::to_owned));
        let full = in_full(s, regiment(id)).map(str::to_owned);
        named.chain(full).chain(spelt(id)).for_each(|name| _ = foes.entry(name).or_default().insert(hex));
    }
    for (name, ids) in regiments {
        let names = [Some(name), short(name), in_full(s, name)];
        names.into_iter().flatten().for_each(|name| known.name(name, Thing::Regiment(ids.clone())));
    }
    for (name, _) in order::leaders(v) {
        meant::led(known, &name);
    }
    for (place, hexes) in &s.board.field.places {
        known.name(place, Thing::At(hexes.clone()));
    }
    for (name, hexes) in &foes {
        if !known.knows(name) {
            known.name(name, Thing::At(hexes.iter().copied().collect()));
        }
    }
    for (name, chief) in &s.board.chiefs {
        if chief.side != v.side && !known.knows(name) {
            let hex = s.leaders.get(name).filter(|l| !l.lost).and_then(|l| l.hex);
            known.name(name, Thing::Prey(name.clone(), hex));
        }
    }
    labels::names(v, &foes, known);
}

/// Words behind which a condition stands, which no line of this game has.
const CONDITIONS: [&str; 2] = ["if", "unless"];

/// What may be written instead of a line, by its verb; of one with a condition what stands before that.
fn found(said: &Said<'_>) -> Found {
    let Some(n) = said.words.iter().position(|word| CONDITIONS.contains(&word.fold.as_str())).filter(|n| *n > 0) else {
        return by_verb(said);
    };
    let before: Vec<&str> = said.words.iter().take(n).map(|word| word.text.as_str()).collect();
    let mut found = by_verb(&Said::of(said.v, &crate::orders::line(1, &before.join(" "))));
    let condition = "a line has no condition: leave out IF and what stands behind it";
    let (why, rule) = found.why.filter(|_| found.lines.is_empty()).unwrap_or_default();
    let why = if why.is_empty() { condition.to_owned() } else { format!("{condition}; {why}") };
    (found.why, found.whole) = (Some((why, rule)), false);
    found
}

/// What may be written instead of a line without a condition, by its verb.
fn by_verb(said: &Said<'_>) -> Found {
    let verbs = said.verbs();
    let verb = verbs.first().copied();
    if let Some(found) = calls::before_the_impulse(said, verb) {
        return found;
    }
    if said.is_riddle() || said.means(Sense::Not) || said.means(Sense::Except) {
        return Found::default();
    }
    if let Some(found) = doubled(said, &verbs).or_else(|| joined(said).filter(|_| verb != Some("ACTIVATE"))) {
        return found;
    }
    if let Some(found) = ways::of_the_leader(said).or_else(|| ways::following(said)) {
        return found;
    }
    if let Some(found) = prey::hunted(said, verb) {
        return found;
    }
    match verb {
        Some("ACTIVATE") => Found { note: calls_alone(&verbs), ..calls::activate(said) },
        Some(verb @ ("FIRE" | "MELEE" | "CHARGE")) => strike(said, verb),
        Some("FACE") => face(said),
        Some("LEADER") => ride(said),
        // A leader who goes with some unit.
        Some("MOVE") if said.places().is_empty() && rides(said) => ride(said),
        None if rides(said) && (said.places().is_empty() || subjects(said).is_empty()) => ride(said),
        None if !subjects(said).is_empty() && aims(said) => either(said),
        Some("MOVE") | None if !subjects(said).is_empty() => go(said),
        Some("MOVE") => ride(said),
        Some("ADVANCE") => {
            let found = plain(said, "ADVANCE", "INTO");
            let marches = found.lines.is_empty() && !subjects(said).is_empty();
            if marches { Found { whole: false, ..go(said) } } else { found }
        }
        Some("PUT") => ways::put(said),
        Some("END") if said.tokens.iter().any(|t| t.text.to_lowercase().contains("pass")) => plain(said, "PASS", "AT"),
        Some("END") => Found { lines: vec!["END".to_owned()], ..Found::default() },
        Some(verb) => plain(said, verb, "AT"),
        None => Found::default(),
    }
}

/// Units and an enemy's place without a verb: fire and melee, as far as they can; else why they do not come there.
fn either(said: &Said<'_>) -> Found {
    let [fire, melee] = ["FIRE", "MELEE"].map(|verb| strike(said, verb));
    let lines: Vec<String> = [fire.lines, melee.lines].concat();
    if lines.is_empty() { go(said) } else { Found { lines, ..Found::default() } }
}

/// What stands below a call.
fn calls_alone(verbs: &[&str]) -> Option<String> {
    let below = verbs.iter().skip(1).find(|verb| is_deed::<View>(verb));
    below.map(|verb| format!("One order a line: {verb} stands below."))
}

/// 6.2.11, 6.3, 6.4 An attack by those who can; 6.4.9 who advances behind a melee, is said in its line.
fn strike(said: &Said<'_>, verb: &'static str) -> Found {
    let advances = said.has(Slot::Advance);
    let first = said.units(&[Slot::Advance]);
    let tail = |group: &[String]| {
        let named = first.iter().filter(|id| group.contains(id)).cloned().collect();
        let go: Vec<String> = if first.is_empty() { group.to_vec() } else { named };
        let says = verb == "MELEE" && advances && !go.is_empty();
        if says { format!(" ADVANCE {}", go.join(" ")) } else { String::new() }
    };
    let mut found = attack(said, verb, verb == "CHARGE", tail);
    let apart = advances && verb != "MELEE" && !found.lines.is_empty();
    found.note = apart.then(|| "ADVANCE units INTO hex stands on a line of its own.".to_owned());
    found
}

/// 6.2, 6.5.5 A leader rides to a hex, or to where a unit stands; or goes with his men.
fn ride(said: &Said<'_>) -> Found {
    let leaders = said.leaders(&SUBJECT);
    let follows = leaders.first().filter(|leader| {
        let stands = said.v.state.leaders.get(*leader).and_then(|l| l.hex);
        said.means(Sense::Follow) && goal(said).is_none_or(|to| stands == Some(to))
    });
    match follows {
        Some(leader) => Found { lines: vec![format!("LEADER {leader} FOLLOWS")], ..Found::default() },
        None => ways::ridden(said, lead(said)),
    }
}
