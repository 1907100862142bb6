//! The order that was meant, with what was written: the same units as far as they can, the same hex, the same side of it.
//! Where that is not allowed the reason is said, and nothing is offered.

use super::sides::{self, Facing, SIDES};
use super::{Deed, Found, Marches, Parted, SUBJECT, Said, Slot, Tongue};
use crate::hex::{Dir, Hex};
use crate::orders::Fault;
use crate::rules::tactical::facing;
use std::collections::{BTreeMap, BTreeSet};

/// Lines offered at most.
pub const LINES_MAX: usize = 3;
/// Enemy hexes that are tried where none is named, the nearest first.
const TARGETS: usize = 6;
/// Counts in words.
const COUNTS: [&str; 6] = ["one", "two", "three", "four", "five", "six"];

/// Two orders in one line: a march to several places and an attack, or two attacks.
pub fn doubled<T: Tongue>(said: &Said<'_, T>, verbs: &[&'static str]) -> Option<Found> {
    let moves = said.head.is_some_and(|(head, _)| head == "MOVE") || said.places().len() > 1;
    let acts = verbs.iter().filter(|verb| is_deed::<T>(verb) && (**verb != "MOVE" || moves));
    let acts: Vec<&&str> = acts.collect();
    let [first, second, ..] = acts.as_slice() else { return None };
    Some(Found::reason(format!("one order a line: {first} and {second} are two, {second} below"), ""))
}

/// Two orders in one line: what stands behind AND or THEN is one of its own.
pub fn joined<T: Tongue>(said: &Said<'_, T>) -> Option<Found> {
    let (first, second) = said.second()?;
    let why = if first == second {
        format!("one order a line: the second {second} below")
    } else {
        format!("one order a line: {first} and {second} are two, {second} below")
    };
    Some(Found::reason(why, ""))
}

/// Whether a verb moves units or attacks.
pub fn is_deed<T: Tongue>(verb: &str) -> bool {
    verb == "MOVE" || T::grammar().attacks.contains(&verb)
}

/// The units of which a line speaks: those that it names; all that act, or those of an arm.
pub fn subjects<T: Tongue>(said: &Said<'_, T>) -> Vec<String> {
    let named = said.units(&SUBJECT);
    if !named.is_empty() {
        return named;
    }
    if said.means(crate::orders::mend::lexicon::Sense::All) {
        return said.v.acting();
    }
    let of = |arm| said.v.acting().into_iter().filter(|id| said.v.is_arm(id, arm)).collect();
    said.arm().map_or_else(Vec::new, of)
}

/// Those who attack: where only a leader is named his men, where nobody is named all that act.
fn attackers<T: Tongue>(said: &Said<'_, T>) -> Vec<String> {
    let units = subjects(said);
    if !units.is_empty() {
        return units;
    }
    let mut acting = said.v.acting();
    if let Some(leader) = said.leaders(&SUBJECT).first() {
        let men = said.v.men(leader);
        acting.retain(|id| men.contains(id));
    }
    acting
}

/// Whether the place that is named last is an enemy's.
pub fn aims<T: Tongue>(said: &Said<'_, T>) -> bool {
    let foes = said.v.foes(None);
    said.places().last().is_some_and(|place| place.iter().any(|hex| foes.contains(hex)))
}

/// Whether a leader is named first, and units only behind WITH.
pub fn rides<T: Tongue>(said: &Said<'_, T>) -> bool {
    said.units(&[Slot::Plain]).is_empty() && !said.leaders(&[Slot::Plain]).is_empty() && said.arm().is_none()
}

/// Hexes that are aimed at; without one in the line those of the nearest enemies.
fn targets<T: Tongue>(said: &Said<'_, T>, units: &[String]) -> Vec<Hex> {
    let places = said.places();
    if !places.is_empty() {
        let named: BTreeSet<Hex> = places.into_iter().flatten().collect();
        return named.into_iter().collect();
    }
    let arm = said.arm().filter(|_| !said.units(&SUBJECT).is_empty());
    let near = first_hex(said, units);
    let mut hexes: Vec<Hex> = said.v.foes(arm).into_iter().collect();
    hexes.sort_by_key(|hex| (near.map(|near| near.distance(*hex)), *hex));
    hexes.truncate(TARGETS);
    hexes
}

/// Where the first of some units stands.
fn first_hex<T: Tongue>(said: &Said<'_, T>, units: &[String]) -> Option<Hex> {
    units.first().and_then(|id| said.v.hex(id))
}

/// An attack by those who can, by a verb that takes them one by one if `alone`; `tail` is what else the line of some units
/// says.
pub fn attack<T: Tongue>(
    said: &Said<'_, T>,
    verb: &'static str,
    alone: bool,
    tail: impl Fn(&[String]) -> String,
) -> Found {
    let units = attackers(said);
    let test = |units: &[String], at: Hex| said.v.tried(&T::order(&Deed::Strike(verb, units, at)));
    let mut best: Vec<(Hex, Parted)> = Vec::new();
    for at in targets(said, &units) {
        let parted = Parted::of(&units, |unit| test(unit, at));
        let most = best.first().map_or(0, |(_, best)| best.can.len());
        if parted.can.len() > most || best.is_empty() {
            best.clear();
        }
        if best.is_empty() || parted.can.len() == most {
            best.push((at, parted));
        }
    }
    let mut found = Found { why: best.first().and_then(|(_, parted)| parted.why()), ..Found::default() };
    for (at, parted) in best.iter().filter(|(_, parted)| !parted.can.is_empty()) {
        let groups: Vec<Vec<String>> = match test(&parted.can, *at) {
            _ if alone => parted.can.iter().map(|id| vec![id.clone()]).collect(),
            Ok(()) => vec![parted.can.clone()],
            Err(fault) => {
                found.why = Found::fault(&fault).why;
                said.v.apart(&parted.can)
            }
        };
        let whole = groups.len() == 1;
        let able = groups.iter().filter(|group| test(group, *at).is_ok());
        found.lines.extend(able.map(|group| format!("{verb} {} AT {at}{}", group.join(" "), tail(group))));
        found.whole = whole && parted.cannot.is_empty() && said.places().len() == 1 && named(said, &units);
    }
    found.lines.truncate(LINES_MAX);
    found
}

/// Whether just these units are named, and no leader.
fn named<T: Tongue>(said: &Said<'_, T>, units: &[String]) -> bool {
    said.units(&SUBJECT) == units && said.leaders(&SUBJECT).is_empty() && said.origins().is_empty()
}

/// A march as it was written: who, over which hexes or sides of hexes, and how they face then.
struct March<'a, T> {
    v: &'a T,
    hexes: Vec<Hex>,
    steps: Vec<Dir>,
    face: Option<Dir>,
}

impl<T: Marches> March<'_, T> {
    fn test(&self, units: &[String], path: &[Hex]) -> Result<(), Fault> {
        self.v.tried(&T::go(units, path, self.face))
    }

    fn line(&self, units: &[String], path: &[Hex]) -> String {
        let hexes: Vec<String> = path.iter().map(ToString::to_string).collect();
        let face = self.face.map_or_else(String::new, |dir| format!(" FACE {}", dir.name()));
        format!("MOVE {} {}{face}", units.join(" "), hexes.join(" "))
    }

    /// Who can go over these hexes, and their line.
    fn over(&self, units: &[String], path: &[Hex]) -> (Parted, Option<String>) {
        let parted = Parted::of(units, |unit| self.test(unit, path));
        let goes = !parted.can.is_empty() && !path.is_empty() && self.test(&parted.can, path).is_ok();
        let line = goes.then(|| self.line(&parted.can, path));
        (parted, line)
    }

    /// The line of those who stand together, and why others of them have none.
    fn together(&self, from: Hex, stack: &[String]) -> (Vec<(String, Fault)>, Option<String>) {
        let able = Parted::of(stack, |unit| unit.iter().try_for_each(|id| self.v.is_ready(id)));
        let mut left = able.cannot;
        if able.can.is_empty() || self.hexes.last() == Some(&from) {
            let rule = T::GOING;
            let there = |id: String| (id.clone(), Fault::refused(format!("{id} stands in {from}"), rule));
            left.extend(able.can.into_iter().map(there));
            return (left, None);
        }
        let path = match self.hexes.last() {
            None => walked(from, &self.steps),
            Some(to) => match self.v.way(&able.can, from, *to) {
                Some(path) => path,
                None => {
                    let nearer = self.v.nearer(&able.can, from, *to).map(|path| self.line(&able.can, &path));
                    left.extend(able.can.into_iter().map(|id| (id.clone(), self.v.unreached(&id, *to))));
                    return (left, nearer);
                }
            },
        };
        let (parted, line) = self.over(&able.can, &path);
        left.extend(parted.cannot);
        (left, line)
    }
}

/// A way of units to where they are to go: the hexes that are written, or the hexes between; and how they face then.
pub fn go<T: Marches>(said: &Said<'_, T>) -> Found {
    let units = subjects(said);
    let hexes: Vec<Hex> = said.places().iter().filter_map(|place| nearest(said, &units, place)).collect();
    let ways = said.ways(&SUBJECT);
    let steps = steps(said, &ways);
    if hexes.is_empty() && steps.is_empty() {
        let names = units.join(" ");
        return Found::reason(format!("where to? MOVE {names} and the hexes, one after the other"), T::GOING);
    }
    let facing = match (Facing::of(said), ways.last().filter(|_| !hexes.is_empty())) {
        (Facing::Unsaid, Some(dir)) => Facing::To(*dir),
        (facing, _) => facing,
    };
    let end = || walked(first_hex(said, &units)?, &steps).last().copied();
    let choices = facing.choices(hexes.last().copied().or_else(end));
    // A side that nobody can read is never left out: who goes without it faces as he marches.
    let lone = choices.first().copied().flatten();
    let march = March { v: said.v, steps, hexes, face: lone };
    let mut found = gone(said, &units, march);
    if let Some(why) = facing.why() {
        let behind = format!(" FACE {}", lone.map_or("", |dir| dir.name()));
        let bare: Vec<String> =
            found.lines.iter().filter_map(|line| line.strip_suffix(&behind).map(str::to_owned)).collect();
        let named = |line: &String| {
            let line = line.clone();
            choices.iter().flatten().map(move |dir| format!("{line} FACE {}", dir.name()))
        };
        let goes = !found.lines.is_empty() || found.why.is_none();
        // Behind FACE nothing stands: the march as it is written is offered, and not taken unasked.
        if choices != [None] {
            found.lines = bare.iter().filter(|_| lone.is_some()).flat_map(named).take(LINES_MAX).collect();
        }
        found.why = if goes { Some((why, T::FACING.to_owned())) } else { found.why };
    }
    found.whole &= facing.is_plain();
    found
}

/// The same of units over hexes or sides of hexes.
fn gone<T: Marches>(said: &Said<'_, T>, units: &[String], march: March<'_, T>) -> Found {
    // A leader named beside units has a line of his own.
    let leader = said.leaders(&SUBJECT).into_iter().next();
    let note = leader.map(|leader| format!("LEADER {leader} TO hex stands on a line of its own."));
    // The hexes as they are written.
    if let (parted, Some(line)) = march.over(units, &march.hexes) {
        let whole = parted.cannot.is_empty() && named(said, units);
        return Found { lines: vec![line], why: parted.why(), whole, note };
    }
    let mut stacks: BTreeMap<Hex, Vec<String>> = BTreeMap::new();
    for (hex, id) in units.iter().filter_map(|id| Some((said.v.hex(id)?, id))) {
        stacks.entry(hex).or_default().push(id.clone());
    }
    let together: Vec<_> = stacks.iter().map(|(from, stack)| march.together(*from, stack)).collect();
    let (left, lines): (Vec<_>, Vec<_>) = together.into_iter().unzip();
    let lines: Vec<String> = lines.into_iter().flatten().collect();
    let parted = Parted { can: Vec::new(), cannot: left.into_iter().flatten().collect() };
    if let [_, _, ..] = lines.as_slice() {
        return Found::reason(format!("they stand apart: a line for each, as {}", lines.join(", ")), "");
    }
    let whole = march.hexes.is_empty() && parted.cannot.is_empty() && stacks.len() == 1 && named(said, units);
    Found { lines, why: parted.why(), whole, note }
}

/// Of the hexes of a place the one nearest to units.
pub fn nearest<T: Tongue>(said: &Said<'_, T>, units: &[String], place: &[Hex]) -> Option<Hex> {
    let from = first_hex(said, units);
    let far = |hex: Hex| from.map_or(0, |from| from.distance(hex));
    // Where the words leave it open nobody is sent where there is no room.
    let full = |hex: Hex| place.len() > 1 && !said.v.has_room(units, hex);
    place.iter().copied().min_by_key(|hex| (full(*hex), far(*hex), *hex))
}

/// Sides of hexes over which units are to go: `S S`, `south`, `2 hexes south`.
pub fn steps<T: Tongue>(said: &Said<'_, T>, ways: &[Dir]) -> Vec<Dir> {
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
pub fn walked(from: Hex, steps: &[Dir]) -> Vec<Hex> {
    let mut at = from;
    let go = |dir: &Dir| {
        at = at.neighbour(*dir);
        at
    };
    steps.iter().map(go).collect()
}

/// Units turn to a side, or towards a hex.
pub fn face<T: Marches>(said: &Said<'_, T>) -> Found {
    let units = subjects(said);
    let toward = first_hex(said, &units).zip(said.places().first().and_then(|place| place.first().copied()));
    let named_way = said.ways(&[Slot::Plain, Slot::With, Slot::Face]).last().copied();
    let Some(dir) = named_way.or(toward.map(|(from, to)| facing::toward(from, to))) else {
        return faceless(said, &units);
    };
    let test = |units: &[String]| said.v.tried(&T::turn(units, dir));
    let parted = Parted::of(&units, test);
    let mut found = Found { why: parted.why(), ..Found::default() };
    if !parted.can.is_empty() && test(&parted.can).is_ok() {
        found.whole = parted.cannot.is_empty() && named_way.is_some() && named(said, &units);
        found.lines = vec![format!("FACE {} {}", parted.can.join(" "), dir.name())];
    }
    found
}

/// Units that are to turn, nobody knows to which side: a word beside a side is one of two.
fn faceless<T: Marches>(said: &Said<'_, T>, units: &[String]) -> Found {
    let (word, dirs) = sides::unknown(said).unwrap_or_default();
    let who = if units.is_empty() { "units".to_owned() } else { units.join(" ") };
    let why = match word.as_str() {
        "" => format!("which way? FACE {who} and {SIDES}"),
        word => format!("\"{}\" is no side of a hex: FACE {who} and {SIDES}", crate::text::quoted(word)),
    };
    let turns = |dir: &Dir| !units.is_empty() && said.v.tried(&T::turn(units, *dir)).is_ok();
    let lines = dirs.into_iter().filter(turns).map(|dir| format!("FACE {} {}", units.join(" "), dir.name()));
    Found { lines: lines.collect(), ..Found::reason(why, T::FACING) }
}

/// Where a leader is to ride: to a place, or to where the units stand that are named.
pub fn goal<T: Tongue>(said: &Said<'_, T>) -> Option<Hex> {
    goals(said).into_iter().next()
}

/// The same; of units that stand apart each of their hexes, the one that holds most of them first.
fn goals<T: Tongue>(said: &Said<'_, T>) -> Vec<Hex> {
    if let Some(place) = said.places().last().and_then(|place| place.first().copied()) {
        return vec![place];
    }
    let mut hexes: Vec<(usize, Hex)> = Vec::new();
    for hex in said.units(&SUBJECT).iter().filter_map(|id| said.v.hex(id)) {
        match hexes.iter_mut().find(|(_, known)| *known == hex) {
            Some((count, _)) => *count += 1,
            None => hexes.push((1, hex)),
        }
    }
    hexes.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    hexes.into_iter().map(|(_, hex)| hex).collect()
}

/// A leader rides to a hex, or to where units stand; to each of their hexes where they stand apart.
pub fn lead<T: Tongue>(said: &Said<'_, T>) -> Found {
    let leaders = said.leaders(&SUBJECT);
    let goals = goals(said);
    let (Some(first), [leader]) = (goals.first(), leaders.as_slice()) else { return Found::default() };
    let able = |to: &&Hex| said.v.tried(&T::order(&Deed::Ride(leader, **to))).is_ok();
    let lines: Vec<String> =
        goals.iter().filter(able).take(LINES_MAX).map(|to| format!("LEADER {leader} TO {to}")).collect();
    let apart = (goals.len() > 1).then(|| ("they stand apart: name the hex".to_owned(), String::new()));
    match said.v.tried(&T::order(&Deed::Ride(leader, *first))) {
        Err(fault) if lines.is_empty() => Found::fault(&fault),
        _ => {
            let whole = said.units(&SUBJECT).is_empty() && said.places().len() == 1;
            Found { lines, whole, why: apart, ..Found::default() }
        }
    }
}

/// An order of another verb, put together of what was named, its hex behind `word`; where no place was, of the verb's own
/// examples.
pub fn plain<T: Tongue>(said: &Said<'_, T>, verb: &str, word: &str) -> Found {
    let pieces: Vec<String> = said.units(&SUBJECT).into_iter().chain(said.leaders(&SUBJECT)).collect();
    let place = said.places().last().and_then(|place| place.first().copied());
    let side = said.ways(&[Slot::Plain, Slot::With, Slot::Face]).last().copied();
    let parts = [
        Some(verb.to_owned()),
        Some(pieces.join(" ")).filter(|names| !names.is_empty()),
        place.map(|hex| format!("{word} {hex}")),
        side.map(|dir| format!("FACE {}", dir.name())),
    ];
    let line = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let refused = match said.v.taken(&line) {
        Ok(()) => return Found { lines: vec![line], whole: true, ..Found::default() },
        Err(fault) => Some(fault).filter(|fault| matches!(fault, Fault::Refused { .. })),
    };
    let examples = T::verbs().iter().find(|known| known.word == verb).map(|known| (known.examples)(said.v));
    let fits = |line: &String| pieces.iter().all(|id| line.split(' ').any(|word| word == id));
    let lines = examples.unwrap_or_default().into_iter().filter(|line| place.is_none() && fits(line));
    // The side that is written, and not the example's.
    let faced = |line: String| match (line.split_once(" FACE "), side) {
        (Some((before, _)), Some(dir)) => format!("{before} FACE {}", dir.name()),
        _ => line,
    };
    let lines = lines.map(faced).filter(|line| said.v.takes(line)).take(LINES_MAX).collect();
    Found { lines, ..refused.map(|fault| Found::fault(&fault)).unwrap_or_default() }
}
