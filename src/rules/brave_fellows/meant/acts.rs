//! The order that was meant, with what was written: the same units as far as they can, the same hex, the same side of it.
//! Where that is not allowed the reason is said, and nothing is offered.

use super::super::BraveFellows;
use super::super::board::Arm;
use super::super::order::Order;
use super::super::rehearse::rehearse;
use super::super::view::View;
use super::super::{command, solo};
use super::said::{Said, Slot};
use super::{calls, takes};
use crate::hex::{Dir, Hex};
use crate::orders::Fault;
use crate::orders::mend::lexicon::Sense;
use crate::rules::Ruleset;
use std::collections::{BTreeMap, BTreeSet};

/// Lines offered at most.
pub(super) const LINES_MAX: usize = 3;
/// Enemy hexes that are tried where none is named, the nearest first.
const TARGETS: usize = 6;
/// Reasons said of units that are left out.
const REASONS_MAX: usize = 2;
/// Where units of an order stand.
pub(super) const SUBJECT: [Slot; 2] = [Slot::Plain, Slot::With];
/// Counts in words.
const COUNTS: [&str; 6] = ["one", "two", "three", "four", "five", "six"];

/// What may be written instead of a line.
#[derive(Default)]
pub(super) struct Found {
    /// Lines that are taken.
    pub lines: Vec<String>,
    /// Why the line is not taken as it stands, and by which rule.
    pub why: Option<(String, String)>,
    /// What else to know.
    pub note: Option<String>,
    /// Whether the line says all that was written, and nothing else.
    pub whole: bool,
}

impl Found {
    /// No line, and why.
    pub fn reason(why: impl Into<String>, rule: &str) -> Found {
        Found { why: Some((why.into(), rule.to_owned())), ..Found::default() }
    }

    /// No line, for a fault.
    pub fn fault(fault: &Fault) -> Found {
        let rule = if let Fault::Refused { rule, .. } = fault { rule } else { "" };
        Found::reason(fault.why(), rule)
    }
}

/// Units that can do something together, and why others cannot.
pub(super) struct Parted {
    /// Who can.
    pub can: Vec<String>,
    /// Who cannot, each with the reason.
    pub cannot: Vec<(String, Fault)>,
}

impl Parted {
    /// Parts units by whether each of them can alone.
    fn of(units: &[String], test: impl Fn(&String) -> Result<(), Fault>) -> Parted {
        let mut parted = Parted { can: Vec::new(), cannot: Vec::new() };
        for unit in units {
            match test(unit) {
                Ok(()) => parted.can.push(unit.clone()),
                Err(fault) => parted.cannot.push((unit.clone(), fault)),
            }
        }
        parted
    }

    /// Why nobody can, or who cannot and why.
    pub fn why(&self) -> Option<(String, String)> {
        let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
        for (unit, fault) in &self.cannot {
            let told = fault.why();
            let why = told.strip_prefix(&format!("{unit} ")).map_or_else(|| format!(": {told}"), |is| format!(" {is}"));
            match groups.iter_mut().find(|(said, _)| *said == why) {
                Some((_, units)) => units.push(unit),
                None => groups.push((why, vec![unit])),
            }
        }
        let rule = self.cannot.iter().find_map(|(_, fault)| match fault {
            Fault::Refused { rule, .. } => Some(rule.clone()),
            _ => None,
        });
        let said = |(why, units): &(String, Vec<&str>)| {
            let are = why.strip_prefix(" is ").filter(|_| units.len() > 1).map(|is| format!(" are {is}"));
            format!("{}{}", units.join(" "), are.unwrap_or_else(|| why.clone()))
        };
        let reasons: Vec<String> = groups.iter().take(REASONS_MAX).map(said).collect();
        (!reasons.is_empty()).then(|| (reasons.join("; "), rule.unwrap_or_default()))
    }
}

/// Whether an order would be carried out now.
pub(super) fn tried(v: &View, order: &Order) -> Result<(), Fault> {
    rehearse(v, order).map(|_| ())
}

/// What may be written instead of a line, by its verb.
pub(super) fn found(said: &Said<'_>) -> Found {
    let verbs = said.verbs();
    let verb = verbs.first().copied();
    if let Some(found) = calls::before_the_impulse(said, verb) {
        return found;
    }
    if said.is_riddle() || said.means(Sense::Not) || said.means(Sense::Except) {
        return Found::default();
    }
    if let Some(found) = doubled(said, &verbs) {
        return found;
    }
    match verb {
        Some("ACTIVATE") => Found { note: calls_alone(&verbs), ..calls::activate(said) },
        Some(verb @ ("FIRE" | "MELEE" | "CHARGE")) => attack(said, verb),
        Some("FACE") => face(said),
        Some("LEADER") => lead(said),
        // A leader who goes with some unit.
        Some("MOVE") if said.places().is_empty() && rides(said) => lead(said),
        Some("MOVE") | None if !subjects(said).is_empty() => go(said),
        Some("MOVE") => lead(said),
        Some("ADVANCE") => {
            let found = plain(said, "ADVANCE");
            let marches = found.lines.is_empty() && !subjects(said).is_empty();
            if marches { Found { whole: false, ..go(said) } } else { found }
        }
        Some("PASS") => plain(said, "PASS"),
        Some("END") if said.tokens.iter().any(|t| t.text.to_lowercase().contains("pass")) => plain(said, "PASS"),
        Some("END") => Found { lines: vec!["END".to_owned()], ..Found::default() },
        Some(verb) => plain(said, verb),
        None => Found::default(),
    }
}

/// Whether a leader is named first, and units only behind WITH.
fn rides(said: &Said<'_>) -> bool {
    said.units(&[Slot::Plain]).is_empty() && !said.leaders(&[Slot::Plain]).is_empty() && said.arm().is_none()
}

/// What stands below a call.
fn calls_alone(verbs: &[&str]) -> Option<String> {
    let below = verbs.iter().skip(1).find(|verb| ["MOVE", "FIRE", "MELEE", "CHARGE"].contains(verb));
    below.map(|verb| format!("One order a line: {verb} stands below."))
}

/// Two orders in one line.
fn doubled(said: &Said<'_>, verbs: &[&'static str]) -> Option<Found> {
    let acts: Vec<&str> =
        verbs.iter().copied().filter(|verb| ["MOVE", "FIRE", "MELEE", "CHARGE"].contains(verb)).collect();
    let moves = said.head.is_some_and(|(head, _)| head == "MOVE") || said.places().len() > 1;
    let acts: Vec<&str> = acts.into_iter().filter(|verb| *verb != "MOVE" || moves).collect();
    let [first, second, ..] = acts.as_slice() else { return None };
    Some(Found::reason(format!("one order a line: {first} and {second} are two, {second} below"), ""))
}

/// All own units that act.
fn acting(v: &View) -> Vec<String> {
    let own = v.state.standing().filter(|(id, u, _)| u.active && v.state.is_of(id, &v.side));
    own.map(|(id, ..)| id.clone()).collect()
}

fn is_arm(v: &View, unit: &str, arm: Arm) -> bool {
    v.state.kind(unit).is_some_and(|kind| kind.arm == arm)
}

/// The units of which a line speaks: those that it names; all that act, or those of an arm or of a leader.
pub(super) fn subjects(said: &Said<'_>) -> Vec<String> {
    let v = said.v;
    let named = said.units(&SUBJECT);
    if !named.is_empty() {
        return named;
    }
    if said.means(Sense::All) {
        return acting(v);
    }
    if let Some(arm) = said.arm() {
        return acting(v).into_iter().filter(|id| is_arm(v, id, arm)).collect();
    }
    Vec::new()
}

/// Those who attack: where only a leader is named his men, where nobody is named all that act.
fn attackers(said: &Said<'_>) -> Vec<String> {
    let units = subjects(said);
    if !units.is_empty() {
        return units;
    }
    let mut acting = acting(said.v);
    if let Some(leader) = said.leaders(&SUBJECT).first() {
        let men = super::said::men(said.v, leader);
        acting.retain(|id| men.contains(id));
    }
    acting
}

/// Hexes that are aimed at; without one in the line all that hold an enemy.
fn targets(said: &Said<'_>, units: &[String]) -> Vec<Hex> {
    let v = said.v;
    let s = &v.state;
    let named: BTreeSet<Hex> = said.places().into_iter().flatten().collect();
    if !named.is_empty() {
        return named.into_iter().collect();
    }
    let arm = said.arm().filter(|_| !said.units(&SUBJECT).is_empty());
    let fit = |id: &String| !s.is_of(id, &v.side) && arm.is_none_or(|arm| is_arm(v, id, arm));
    let hexes: BTreeSet<Hex> = s.standing().filter(|(id, ..)| fit(id)).map(|(.., hex)| hex).collect();
    let near = units.first().and_then(|id| s.units.get(id)?.hex);
    let mut hexes: Vec<Hex> = hexes.into_iter().collect();
    hexes.sort_by_key(|hex| (near.map(|near| near.distance(*hex)), *hex));
    hexes.truncate(TARGETS);
    hexes
}

/// 6.2.11, 6.3, 6.4 An attack by those who can.
fn attack(said: &Said<'_>, verb: &str) -> Found {
    let v = said.v;
    let units = attackers(said);
    let first = said.units(&[Slot::Advance]);
    let order = |units: &[String], at: Hex| match verb {
        "FIRE" => Some(Order::Fire { units: units.to_vec(), at }),
        "MELEE" => Some(Order::Melee { units: units.to_vec(), at, first: Vec::new() }),
        _ => units.first().map(|unit| Order::Charge { unit: unit.clone(), at }),
    };
    let test = |units: &[String], at: Hex| order(units, at).map_or(Ok(()), |order| tried(v, &order));
    let places = targets(said, &units);
    let mut best: Vec<(Hex, Parted)> = Vec::new();
    for at in &places {
        let parted = Parted::of(&units, |unit| test(std::slice::from_ref(unit), *at));
        let most = best.first().map_or(0, |(_, best)| best.can.len());
        if parted.can.len() > most || best.is_empty() {
            best.clear();
        }
        if best.is_empty() || parted.can.len() == most {
            best.push((*at, parted));
        }
    }
    let mut found = Found { why: best.first().and_then(|(_, parted)| parted.why()), ..Found::default() };
    for (at, parted) in best.iter().filter(|(_, parted)| !parted.can.is_empty()) {
        let groups: Vec<Vec<String>> = match verb {
            "CHARGE" => parted.can.iter().map(|id| vec![id.clone()]).collect(),
            _ if test(&parted.can, *at).is_ok() => vec![parted.can.clone()],
            // 6.4.2 Horse and foot do not attack together.
            _ => {
                found.why = test(&parted.can, *at).err().and_then(|fault| Found::fault(&fault).why);
                let (horse, foot) = parted.can.iter().cloned().partition(|id| is_arm(v, id, Arm::Cav));
                vec![foot, horse]
            }
        };
        let whole = groups.len() == 1;
        for group in groups.iter().filter(|group| test(group, *at).is_ok()) {
            let mut line = format!("{verb} {} AT {at}", group.join(" "));
            if verb == "MELEE" && said.has(Slot::Advance) {
                let go: Vec<&str> = first.iter().filter(|id| group.contains(id)).map(String::as_str).collect();
                let go = if first.is_empty() { group.join(" ") } else { go.join(" ") };
                line = if go.is_empty() { line } else { format!("{line} ADVANCE {go}") };
            }
            found.lines.push(line);
        }
        found.whole = whole && parted.cannot.is_empty() && said.places().len() == 1 && named(said, &units);
    }
    let advances = said.has(Slot::Advance) && verb != "MELEE" && !found.lines.is_empty();
    found.note = advances.then(|| "ADVANCE units INTO hex stands on a line of its own.".to_owned());
    found.lines.truncate(LINES_MAX);
    found
}

/// Whether just these units are named, and no leader.
fn named(said: &Said<'_>, units: &[String]) -> bool {
    said.units(&SUBJECT) == units && said.leaders(&SUBJECT).is_empty() && said.origins().is_empty()
}

/// 6.2 A march as it was written: who, over which hexes or sides of hexes, and how they face then.
struct March<'a> {
    v: &'a View,
    hexes: Vec<Hex>,
    steps: Vec<Dir>,
    face: Option<Dir>,
}

impl March<'_> {
    fn test(&self, units: &[String], path: &[Hex]) -> Result<(), Fault> {
        tried(self.v, &Order::Move { units: units.to_vec(), path: path.to_vec(), face: self.face })
    }

    fn line(&self, units: &[String], path: &[Hex]) -> String {
        let hexes: Vec<String> = path.iter().map(ToString::to_string).collect();
        let face = self.face.map_or_else(String::new, |dir| format!(" FACE {}", dir.name()));
        format!("MOVE {} {}{face}", units.join(" "), hexes.join(" "))
    }

    /// Who can go over these hexes, and their line.
    fn over(&self, units: &[String], path: &[Hex]) -> (Parted, Option<String>) {
        let parted = Parted::of(units, |unit| self.test(std::slice::from_ref(unit), path));
        let goes = !parted.can.is_empty() && !path.is_empty() && self.test(&parted.can, path).is_ok();
        let line = goes.then(|| self.line(&parted.can, path));
        (parted, line)
    }

    /// The line of those who stand together, and why others of them have none.
    fn together(&self, from: Hex, stack: &[String]) -> (Vec<(String, Fault)>, Option<String>) {
        let able = Parted::of(stack, |id| command::active(&self.v.state, std::slice::from_ref(id)));
        let mut left = able.cannot;
        if able.can.is_empty() || self.hexes.last() == Some(&from) {
            let there = |id: String| (id.clone(), Fault::refused(format!("{id} stands in {from}"), "6.2"));
            left.extend(able.can.into_iter().map(there));
            return (left, None);
        }
        let path = match self.hexes.last() {
            None => Some(walked(from, &self.steps)),
            Some(to) => way_to(self.v, &able.can, from, *to),
        };
        let Some(path) = path else {
            left.extend(able.can.into_iter().map(|id| (id.clone(), unreached(self.v, &id, &self.hexes))));
            return (left, None);
        };
        let (parted, line) = self.over(&able.can, &path);
        left.extend(parted.cannot);
        (left, line)
    }
}

/// 6.2 A way of units to where they are to go: the hexes that are written, or the hexes between.
fn go(said: &Said<'_>) -> Found {
    let v = said.v;
    let units = subjects(said);
    let hexes: Vec<Hex> = said.places().iter().filter_map(|place| nearest(v, &units, place)).collect();
    let ways = said.ways(&SUBJECT);
    let face = said.ways(&[Slot::Face]).last().or(ways.last().filter(|_| !hexes.is_empty())).copied();
    let march = March { v, steps: steps(said, &ways), hexes, face };
    if march.hexes.is_empty() && march.steps.is_empty() {
        let names = units.join(" ");
        return Found::reason(format!("where to? MOVE {names} and the hexes, one after the other"), "6.2");
    }
    // The hexes as they are written.
    if let (parted, Some(line)) = march.over(&units, &march.hexes) {
        let whole = parted.cannot.is_empty() && named(said, &units);
        return Found { lines: vec![line], why: parted.why(), whole, ..note(said) };
    }
    let mut stacks: BTreeMap<Hex, Vec<String>> = BTreeMap::new();
    let stand = |id: &String| v.state.units.get(id).and_then(|u| u.hex);
    units.iter().for_each(|id| stand(id).into_iter().for_each(|hex| stacks.entry(hex).or_default().push(id.clone())));
    let together: Vec<_> = stacks.iter().map(|(from, stack)| march.together(*from, stack)).collect();
    let (left, lines): (Vec<_>, Vec<_>) = together.into_iter().unzip();
    let lines: Vec<String> = lines.into_iter().flatten().collect();
    let parted = Parted { can: Vec::new(), cannot: left.into_iter().flatten().collect() };
    if let [_, _, ..] = lines.as_slice() {
        return Found::reason(format!("they stand apart: a line for each, as {}", lines.join(", ")), "");
    }
    let whole = march.hexes.is_empty() && parted.cannot.is_empty() && stacks.len() == 1 && named(said, &units);
    Found { lines, why: parted.why(), whole, ..note(said) }
}

/// A leader named beside units has a line of his own.
fn note(said: &Said<'_>) -> Found {
    let own = said.leaders(&SUBJECT);
    let note = own.first().map(|leader| format!("LEADER {leader} TO hex stands on a line of its own."));
    Found { note, ..Found::default() }
}

/// Why a unit does not come to the last of some hexes.
fn unreached(v: &View, unit: &str, hexes: &[Hex]) -> Fault {
    match hexes.last() {
        Some(to) if v.state.held_against(*to, &v.side) => {
            Fault::refused(format!("an enemy stands in {to}: MELEE from the hex before it"), "6.2.7")
        }
        Some(to) => Fault::refused(format!("{unit} does not reach {to} in this impulse"), "6.2.2"),
        None => Fault::refused(format!("{unit} does not move"), "6.2"),
    }
}

/// Of the hexes of a place the one nearest to units.
fn nearest(v: &View, units: &[String], place: &[Hex]) -> Option<Hex> {
    let from = units.first().and_then(|id| v.state.units.get(id)?.hex);
    place.iter().copied().min_by_key(|hex| (from.map_or(0, |from| from.distance(*hex)), *hex))
}

/// A legal way of units to a hex, if there is one.
fn way_to(v: &View, units: &[String], from: Hex, to: Hex) -> Option<Vec<Hex>> {
    let direct = solo::way(&v.state, units, from, to, &BTreeSet::new());
    if direct.last() == Some(&to) {
        return Some(direct);
    }
    units.first().and_then(|unit| solo::ways(&v.state, unit).remove(&to)).filter(|path| !path.is_empty())
}

/// Sides of hexes over which units are to go: `S S`, `south`, `2 hexes south`.
fn steps(said: &Said<'_>, ways: &[Dir]) -> Vec<Dir> {
    let count = |text: &str| {
        let worded = COUNTS.iter().position(|word| *word == text).map(|place| place + 1);
        text.parse().ok().filter(|n| (1..=COUNTS.len()).contains(n)).or(worded)
    };
    match ways {
        [only] => {
            let times = said.words.iter().find_map(|word| count(&word.fold)).unwrap_or(1);
            vec![*only; times]
        }
        several => several.to_vec(),
    }
}

/// The hexes of some steps.
fn walked(from: Hex, steps: &[Dir]) -> Vec<Hex> {
    let mut at = from;
    steps
        .iter()
        .map(|dir| {
            at = at.neighbour(*dir);
            at
        })
        .collect()
}

/// 4.3.2 Units turn to a side, or towards a hex.
fn face(said: &Said<'_>) -> Found {
    let v = said.v;
    let units = subjects(said);
    let from = units.first().and_then(|id| v.state.units.get(id)?.hex);
    let toward = from.zip(said.places().first().and_then(|place| place.first().copied()));
    let named_way = said.ways(&[Slot::Plain, Slot::With, Slot::Face]).last().copied();
    let Some(dir) = named_way.or(toward.map(|(from, to)| solo::facing(from, to))) else {
        return Found::reason(format!("which way? FACE {} and N, NE, SE, S, SW or NW", units.join(" ")), "4.3.2");
    };
    let test = |units: &[String]| tried(v, &Order::Face { units: units.to_vec(), face: dir });
    let parted = Parted::of(&units, |unit| test(std::slice::from_ref(unit)));
    let mut found = Found { why: parted.why(), ..Found::default() };
    if !parted.can.is_empty() && test(&parted.can).is_ok() {
        found.whole = parted.cannot.is_empty() && named_way.is_some() && named(said, &units);
        found.lines = vec![format!("FACE {} {}", parted.can.join(" "), dir.name())];
    }
    found
}

/// 6.2, 6.5.5 A leader rides to a hex, or to where a unit stands.
fn lead(said: &Said<'_>) -> Found {
    let v = said.v;
    let leaders = said.leaders(&SUBJECT);
    let Some(leader) = leaders.first() else { return Found::default() };
    let with = said.units(&SUBJECT);
    let beside = with.first().and_then(|id| v.state.units.get(id)?.hex);
    let stands = v.state.leaders.get(leader).and_then(|l| l.hex);
    let to = said.places().last().and_then(|place| place.first().copied()).or(beside);
    if said.means(Sense::Follow) && to.is_none_or(|to| stands == Some(to)) {
        return Found { lines: vec![format!("LEADER {leader} FOLLOWS")], ..Found::default() };
    }
    let Some(to) = to.filter(|_| leaders.len() == 1) else { return Found::default() };
    let line = format!("LEADER {leader} TO {to}");
    match tried(v, &Order::Lead { leader: leader.clone(), to }) {
        Ok(()) => Found { lines: vec![line], whole: with.is_empty() && said.places().len() == 1, ..Found::default() },
        Err(fault) => Found::fault(&fault),
    }
}

/// An order of another verb, put together of what was named; where no place was, of the verb's own examples.
fn plain(said: &Said<'_>, verb: &str) -> Found {
    let v = said.v;
    let pieces: Vec<String> = said.units(&SUBJECT).into_iter().chain(said.leaders(&SUBJECT)).collect();
    let word = if verb == "ADVANCE" { "INTO" } else { "AT" };
    let place = said.places().last().and_then(|place| place.first().copied());
    let side = said.ways(&[Slot::Plain, Slot::With, Slot::Face]).last().copied();
    let parts = [
        Some(verb.to_owned()),
        Some(pieces.join(" ")).filter(|names| !names.is_empty()),
        place.map(|hex| format!("{word} {hex}")),
        side.map(|dir| format!("FACE {}", dir.name())),
    ];
    let line = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    if takes(v, &line) {
        return Found { lines: vec![line], whole: true, ..Found::default() };
    }
    let examples = BraveFellows::verbs().iter().find(|known| known.word == verb).map(|known| (known.examples)(v));
    let fits = |line: &String| pieces.iter().all(|id| line.split(' ').any(|word| word == id));
    let lines = examples.unwrap_or_default().into_iter().filter(|line| place.is_none() && fits(line));
    Found { lines: lines.filter(|line| takes(v, line)).take(LINES_MAX).collect(), ..Found::default() }
}
