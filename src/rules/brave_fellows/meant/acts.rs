//! The order that was meant, with what was written: the same units as far as they can, the same hex, the same side of it.
//! Where that is not allowed the reason is said, and nothing is offered.

use super::super::BraveFellows;
use super::super::board::Arm;
use super::super::order::{Call, Order};
use super::super::rehearse::rehearse;
use super::super::state::{At, Segment};
use super::super::view::View;
use super::super::{command, solo};
use super::said::{Said, Slot};
use super::takes;
use crate::hex::{Dir, Hex};
use crate::orders::Fault;
use crate::orders::mend::lexicon::Sense;
use crate::rules::Ruleset;
use std::collections::{BTreeMap, BTreeSet};

/// Lines offered at most.
const LINES_MAX: usize = 3;
/// Reasons said of units that are left out.
const REASONS_MAX: usize = 2;
/// Where units of an order stand.
const SUBJECT: [Slot; 2] = [Slot::Plain, Slot::With];
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
    fn reason(why: impl Into<String>, rule: &str) -> Found {
        Found { why: Some((why.into(), rule.to_owned())), ..Found::default() }
    }

    fn fault(fault: &Fault) -> Found {
        match fault {
            Fault::Refused { why, rule, .. } => Found::reason(why.clone(), rule),
            other => Found::reason(other.why(), ""),
        }
    }
}

/// Units that can do something together, and why others cannot.
struct Parted {
    can: Vec<String>,
    cannot: Vec<(String, Fault)>,
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
    fn why(&self) -> Option<(String, String)> {
        let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
        for (unit, fault) in &self.cannot {
            let told = match fault {
                Fault::Refused { why, .. } => why.clone(),
                other => other.why(),
            };
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

fn tried(v: &View, order: &Order) -> Result<(), Fault> {
    rehearse(v, order).map(|_| ())
}

/// What may be written instead of a line, by its verb.
pub(super) fn found(said: &Said<'_>) -> Found {
    let verbs = said.verbs();
    let verb = verbs.first().copied();
    if let Some(found) = before_the_impulse(said, verb) {
        return found;
    }
    if said.is_riddle() || said.means(Sense::Not) || said.means(Sense::Except) {
        return Found::default();
    }
    if let Some(found) = doubled(said, &verbs) {
        return found;
    }
    match verb {
        Some("ACTIVATE") => activate(said),
        Some(verb @ ("FIRE" | "MELEE" | "CHARGE")) => attack(said, verb),
        Some("FACE") => face(said),
        Some("LEADER") => lead(said),
        Some("MOVE") | None if !subjects(said).is_empty() => go(said),
        Some("MOVE") => lead(said),
        Some("ADVANCE") => match plain(said, "ADVANCE") {
            found if found.lines.is_empty() && !subjects(said).is_empty() => Found { why: found.why, ..go(said) },
            found => found,
        },
        Some("PASS") => plain(said, "PASS"),
        Some("END") if said.tokens.iter().any(|t| t.text.to_lowercase().contains("pass")) => plain(said, "PASS"),
        Some("END") => Found { lines: vec!["END".to_owned()], ..Found::default() },
        Some(verb) => plain(said, verb),
        None => Found::default(),
    }
}

/// Before a leader acts nobody else does: which of them would let these units act.
fn before_the_impulse(said: &Said<'_>, verb: Option<&str>) -> Option<Found> {
    let v = said.v;
    let open = v.state.segment == Segment::Activation && matches!(&v.state.at, At::Impulse(side) if *side == v.side);
    let acts = matches!(verb, Some("MOVE" | "FACE" | "FIRE" | "MELEE" | "CHARGE" | "ADVANCE" | "LEADER"));
    if !open {
        return None;
    }
    let leaders = said.leaders(&SUBJECT);
    let units = subjects(said);
    if acts || (verb.is_none() && !units.is_empty()) {
        let callers = if leaders.is_empty() { callers(v, &units) } else { call_of(v, &leaders) };
        let calls: Vec<String> = callers.iter().map(|line| line.replacen("ACTIVATE ", "", 1)).collect();
        let why = match calls.as_slice() {
            [] => "activate a leader first".to_owned(),
            calls => format!("activate {} first", calls.join(" or ")),
        };
        return (verb != Some("LEADER") || !said.places().is_empty()).then(|| Found::reason(why, "3.0"));
    }
    // A leader alone is called.
    let lone = verb.is_none() && said.places().is_empty();
    lone.then(|| Found { lines: call_of(v, &leaders).into_iter().take(LINES_MAX).collect(), ..Found::default() })
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

/// Lines that activate leaders, each on the map or by way of a unit.
fn call_of(v: &View, leaders: &[String]) -> Vec<String> {
    let line = |name: &String| {
        let line = format!("ACTIVATE {name}");
        if takes(v, &line) { Some(line) } else { solo::alone(v, name).filter(|line| takes(v, line)) }
    };
    leaders.iter().filter_map(line).collect()
}

/// Lines by which some units would act: those that bring all of them, or else those that bring any.
fn callers(v: &View, units: &[String]) -> Vec<String> {
    let s = &v.state;
    let own: Vec<String> =
        s.leaders.keys().filter(|name| s.chief(name).is_some_and(|chief| chief.side == v.side)).cloned().collect();
    let brought = |line: &String| {
        let words: Vec<&str> = line.split(' ').collect();
        let name = words.get(1).map(|name| (*name).to_owned());
        let via = words.get(3).map(|unit| (*unit).to_owned());
        let call = Call { leaders: name.into_iter().collect(), via, ..Call::default() };
        let led = command::followers_with(s, &v.side, &call);
        units.iter().filter(|unit| led.contains(unit)).count()
    };
    let counted: Vec<(usize, String)> = call_of(v, &own).into_iter().map(|line| (brought(&line), line)).collect();
    let most = counted.iter().map(|(count, _)| *count).max().unwrap_or(0);
    counted
        .into_iter()
        .filter(|(count, _)| *count > 0 && *count == most)
        .map(|(_, line)| line)
        .take(LINES_MAX)
        .collect()
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
fn subjects(said: &Said<'_>) -> Vec<String> {
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
    match said.leaders(&SUBJECT).first() {
        _ if !units.is_empty() => units,
        Some(leader) => super::said::men(said.v, leader).into_iter().filter(|id| acting(said.v).contains(id)).collect(),
        None => acting(said.v),
    }
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
        found.whole = whole && parted.cannot.is_empty() && !said.places().is_empty() && named(said, &units);
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

/// 6.2 A way of units to where they are to go: the hexes that are written, or the hexes between.
fn go(said: &Said<'_>) -> Found {
    let v = said.v;
    let units = subjects(said);
    let names = units.join(" ");
    let hexes: Vec<Hex> = said.places().iter().filter_map(|place| nearest(v, &units, place)).collect();
    let ways = said.ways(&[Slot::Plain, Slot::With]);
    let side = said.ways(&[Slot::Face]).last().or(ways.last().filter(|_| !hexes.is_empty())).copied();
    let face = side.map_or_else(String::new, |dir| format!(" FACE {}", dir.name()));
    let line = |units: &[String], path: &[Hex]| {
        let hexes: Vec<String> = path.iter().map(ToString::to_string).collect();
        format!("MOVE {} {}{face}", units.join(" "), hexes.join(" "))
    };
    let steps = steps(said, &ways);
    if hexes.is_empty() && steps.is_empty() {
        return Found::reason(format!("where to? MOVE {names} and the hexes, one after the other"), "6.2");
    }
    let test = |units: &[String], path: &[Hex]| {
        tried(v, &Order::Move { units: units.to_vec(), path: path.to_vec(), face: side })
    };
    // The hexes as they are written.
    let literal = Parted::of(&units, |unit| test(std::slice::from_ref(unit), &hexes));
    if !hexes.is_empty() && !literal.can.is_empty() && test(&literal.can, &hexes).is_ok() {
        let whole = literal.cannot.is_empty() && named(said, &units);
        return Found { lines: vec![line(&literal.can, &hexes)], why: literal.why(), whole, ..note(said) };
    }
    let mut stacks: BTreeMap<Hex, Vec<String>> = BTreeMap::new();
    let stand = |id: &String| v.state.units.get(id).and_then(|u| u.hex);
    units.iter().for_each(|id| stand(id).into_iter().for_each(|hex| stacks.entry(hex).or_default().push(id.clone())));
    let mut lines: Vec<String> = Vec::new();
    let mut left: Vec<(String, Fault)> = Vec::new();
    for (from, stack) in stacks {
        let able = Parted::of(&stack, |id| command::active(&v.state, std::slice::from_ref(id)));
        left.extend(able.cannot);
        if able.can.is_empty() || hexes.last() == Some(&from) {
            continue;
        }
        let path = match hexes.last() {
            None => Some(walked(from, &steps)),
            Some(to) => way_to(v, &able.can, from, *to),
        };
        let parted = path.map(|path| (Parted::of(&able.can, |id| test(std::slice::from_ref(id), &path)), path));
        match parted {
            Some((parted, path)) if !parted.can.is_empty() && test(&parted.can, &path).is_ok() => {
                lines.push(line(&parted.can, &path));
                left.extend(parted.cannot);
            }
            Some((parted, _)) => left.extend(parted.cannot),
            None => left.extend(able.can.iter().map(|id| (id.clone(), unreached(v, id, &hexes)))),
        }
    }
    let parted = Parted { can: Vec::new(), cannot: left };
    match lines.as_slice() {
        [_, _, ..] => Found::reason(format!("they stand apart: a line for each, as {}", lines.join(", ")), ""),
        _ => Found { lines, why: parted.why(), ..note(said) },
    }
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

/// 6.1 A call, with as many of those who are named as may come; 6.1.10a by way of a unit where the leader is gone.
fn activate(said: &Said<'_>) -> Found {
    let v = said.v;
    let leaders = said.leaders(&SUBJECT);
    let Some((first, others)) = leaders.split_first() else {
        let lines = callers(v, &said.units(&SUBJECT));
        return Found { lines, ..Found::reason("name a leader", "6.1.1") };
    };
    let lone = format!("ACTIVATE {first}");
    if !takes(v, &lone) && said.units(&[Slot::Via]).is_empty() {
        let fault = tried(v, &Order::Activate(Call { leaders: vec![first.clone()], ..Call::default() }));
        let lines: Vec<String> = solo::alone(v, first).into_iter().filter(|line| takes(v, line)).collect();
        return Found { lines, ..fault.err().map(|fault| Found::fault(&fault)).unwrap_or_default() };
    }
    let via = said.units(&[Slot::Via]).first().cloned();
    let call = Call { leaders: vec![first.clone()], via, ..Call::default() };
    let mut more: Vec<(String, Add)> =
        others.iter().map(|name| (name.clone(), (|call, name| call.leaders.push(name)) as Add)).collect();
    let extra: Add = |call, unit| call.extra.push(unit);
    let test: Add = |call, unit| call.test.push(unit);
    more.extend(said.units(&[Slot::Extra]).into_iter().map(|unit| (unit, extra)));
    more.extend(said.units(&[Slot::Test]).into_iter().map(|unit| (unit, test)));
    let (call, cannot) = widened(v, call, more);
    // Units without a word: those who do not come along as it is.
    let led = command::followers_with(&v.state, &v.side, &call);
    let others: Vec<String> = said.units(&SUBJECT).into_iter().filter(|unit| !led.contains(unit)).collect();
    let (call, far) = widened(v, call, others.iter().map(|unit| (unit.clone(), extra)).collect());
    let (call, mut left) = widened(v, call, far.into_iter().map(|(unit, _)| (unit, test)).collect());
    left.extend(cannot);
    let whole = left.is_empty() && said.units(&SUBJECT).is_empty() && !said.has(Slot::From);
    let why = Parted { can: Vec::new(), cannot: left }.why();
    Found {
        lines: Some(written(&call)).filter(|line| takes(v, line)).into_iter().collect(),
        why,
        whole,
        ..Found::default()
    }
}

/// How a call takes somebody along.
type Add = fn(&mut Call, String);

/// A call with all who may come along, one after the other, and why others may not.
fn widened(v: &View, mut call: Call, more: Vec<(String, Add)>) -> (Call, Vec<(String, Fault)>) {
    let mut cannot = Vec::new();
    for (who, add) in more {
        let mut wider = call.clone();
        add(&mut wider, who.clone());
        match tried(v, &Order::Activate(wider.clone())) {
            Ok(()) => call = wider,
            Err(fault) => cannot.push((who, fault)),
        }
    }
    (call, cannot)
}

/// A call as a line.
fn written(call: &Call) -> String {
    let (first, others) =
        call.leaders.split_first().map_or(("", [].as_slice()), |(first, rest)| (first.as_str(), rest));
    let mut line = format!("ACTIVATE {first}");
    for (word, names) in [("WITH", others), ("EXTRA", &call.extra), ("TEST", &call.test)] {
        if !names.is_empty() {
            line = format!("{line} {word} {}", names.join(" "));
        }
    }
    call.via.as_ref().map_or_else(|| line.clone(), |via| format!("{line} VIA {via}"))
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
    let lines = examples.unwrap_or_default().into_iter().filter(|line| place.is_none() && fits(line)).take(LINES_MAX);
    Found { lines: lines.collect(), ..Found::default() }
}
