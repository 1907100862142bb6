//! 5.1, 6.1 What was meant by a march: over the hexes that are written, by the cheapest way, or as near as its units come.

use super::super::order::{self, Alert, Order, Pace};
use super::super::pose::Form;
use super::super::rehearse::rehearse;
use super::super::state::Mode;
use super::super::view::View;
use super::super::{GreatBattles, solo};
use super::Said;
use crate::hex::Hex;
use crate::orders::mend::OFFERED_MAX;
use crate::orders::{Args, Fault};
use crate::rules::Ruleset;
use crate::rules::rehearsal::{Caution, Plan, Warning};
use crate::rules::tactical::meant::acts::{LINES_MAX, nearest, steps, subjects, walked};
use crate::rules::tactical::meant::{Found, Parted, SUBJECT, Tongue};
use std::collections::BTreeMap;

/// 5.1, 6.1 A march: over the hexes that are written, or by the cheapest way to the last of them, with its turns, or as near to
/// it as its units come; H.3 where it is to stop, it stops.
pub(super) fn go(said: &Said<'_>) -> Found {
    let stop = match stop(said) {
        Ok(stop) => stop,
        Err(fault) => return Found::fault(&fault),
    };
    if let (Some(unit), [place]) = (subjects(said).first(), said.places().as_slice())
        && let Some(hex) = said.v.state.hex(unit).filter(|hex| place.contains(hex))
    {
        return Found::reason(format!("{unit} stands in {hex} then"), "5.1");
    }
    if let Some(found) = beside(said) {
        return found;
    }
    match written(said).and_then(|(units, paces, stop)| by_paces(said.v, &units, &paces, stop)) {
        Some(whole) if whole.why.is_none() => whole,
        cut => {
            let found = by_hexes(said, stop);
            // A way that does not begin says why only where no hex is named.
            let cut = cut.filter(|cut| !cut.lines.is_empty() || said.places().is_empty());
            let whole = !found.lines.is_empty() && found.why.is_none();
            if whole { found } else { cut.unwrap_or(found) }
        }
    }
}

/// 5.1, 6.1 `NEXT TO E1`: the nearest hex beside an enemy from which those who go there have him in front.
fn beside(said: &Said<'_>) -> Option<Found> {
    let (v, units) = (said.v, subjects(said));
    let wanted = said.says(&["next", "beside", "adjacent"]);
    let at = said.places().last().and_then(|place| place.first().copied());
    let at = at.filter(|at| wanted && v.state.held_against(*at, &v.side))?;
    let (first, from) = units.first().and_then(|unit| Some((unit, v.state.hex(unit)?)))?;
    let mut hexes = at.neighbours();
    hexes.sort_by_key(|hex| (hex.distance(from), *hex));
    let line = |hex: &Hex| {
        let way = if *hex == from { Vec::new() } else { solo::way(v, &units, *hex)? };
        let turns = [Vec::new(), vec![Pace::Turn(false)], vec![Pace::Turn(true)]];
        let ways = turns.into_iter().map(|turns| [way.clone(), turns].concat()).filter(|way| !way.is_empty());
        ways.map(|way| order::march(&units, way, None)).find_map(|(line, order)| {
            let faces = |after: View| after.state.front(first).contains(&at);
            let sound = v.tried(&order).is_ok() && rehearse(v, &order).is_ok_and(|tried| faces(tried.after));
            sound.then_some(line)
        })
    };
    let line = hexes.iter().find_map(line)?;
    Some(Found { lines: vec![line], ..Found::default() })
}

/// A march that can be read, with its verb first: who goes, and by which paces.
fn written(said: &Said<'_>) -> Option<(Vec<String>, Vec<Pace>, Option<Alert>)> {
    let mut words: Vec<&str> = said.words.iter().map(|word| word.text.as_str()).collect();
    words.sort_by_key(|word| !word.eq_ignore_ascii_case("move"));
    let line = crate::orders::line(1, &words.join(" "));
    match crate::orders::read(GreatBattles::verbs(), said.v, &line) {
        Ok(Order::Move { units, paces, stop }) => Some((units, paces, stop)),
        _ => None,
    }
}

/// H.3 Where a march is to stop, as its line says it.
fn stop(said: &Said<'_>) -> Result<Option<Alert>, Fault> {
    let words: Vec<&str> = said.words.iter().map(|word| word.text.as_str()).collect();
    let line = crate::orders::line(1, &words.join(" "));
    match line.words.iter().position(|word| word.fold == "stop") {
        Some(at) => order::alert(&mut Args::new(&line, at)),
        None => Ok(None),
    }
}

/// 5.1, 6.1 A march pace by pace: where a hex does not lie ahead its turns are put in, and where one cannot be made at all it
/// ends before it, or as near to it as it comes, with the reason; the reason alone where it does not begin.
fn by_paces(v: &View, units: &[String], paces: &[Pace], stop: Option<Alert>) -> Option<Found> {
    let after = |now: &View, paces: Vec<Pace>| {
        let (_, order) = order::march(units, paces, None);
        rehearse(now, &order).map(|rehearsed| rehearsed.after)
    };
    let (mut now, mut done, mut why) = (v.clone(), Vec::new(), None);
    for pace in paces {
        let straight = after(&now, vec![*pace]).map(|next| (vec![*pace], next));
        let step = straight.or_else(|fault| match pace {
            Pace::To(hex) => {
                let turned = solo::way(&now, units, *hex).ok_or(fault)?;
                after(&now, turned.clone()).map(|next| (turned, next))
            }
            _ => Err(fault),
        });
        match step {
            Ok((made, next)) => {
                done.extend(made);
                now = next;
            }
            Err(fault) => {
                let far = far(&now, units, *pace);
                done.extend(far.and_then(|hex| nearer(&now, units, hex, None)).unwrap_or_default());
                let fault = far.zip(units.first()).map_or(fault, |(hex, unit)| unreached(&now, unit, hex));
                why = Found::fault(&fault).why;
                break;
            }
        }
    }
    let done = straightened(done);
    if done.is_empty() {
        return why.map(|why| Found { why: Some(why), ..Found::default() });
    }
    let (line, order) = order::march(units, done, stop);
    v.tried(&order).ok()?;
    Some(Found { lines: vec![line], why, ..Found::default() })
}

/// Paces without turns that take each other back.
fn straightened(paces: Vec<Pace>) -> Vec<Pace> {
    let mut found: Vec<Pace> = Vec::new();
    for pace in paces {
        let back = matches!((found.last(), pace), (Some(Pace::Turn(was)), Pace::Turn(is)) if *was != is);
        if back {
            found.pop();
        } else {
            found.push(pace);
        }
    }
    found
}

/// The hex of a pace, where it does not lie next to those who are to make it.
fn far(v: &View, units: &[String], pace: Pace) -> Option<Hex> {
    let from = v.state.hex(units.first()?)?;
    match pace {
        Pace::To(hex) if hex != from && !from.adjacent(hex) => Some(hex),
        _ => None,
    }
}

/// 5.1 A march by the hexes that are named.
fn by_hexes(said: &Said<'_>, stop: Option<Alert>) -> Found {
    let v = said.v;
    let units = subjects(said);
    let names = units.join(" ");
    let mut hexes: Vec<Hex> = said.places().iter().filter_map(|place| nearest(said, &units, place)).collect();
    if let (Some(from), true) = (units.first().and_then(|id| v.state.hex(id)), hexes.is_empty()) {
        hexes = walked(from, &steps(said, &said.ways(&SUBJECT)));
    }
    let Some(to) = hexes.last().copied() else {
        let why = format!("where to? MOVE {names} and hexes, or F, FL, FR, L, R");
        return Found::reason(why, "5.1");
    };
    let mut stacks: BTreeMap<Option<Hex>, Vec<String>> = BTreeMap::new();
    units.iter().for_each(|id| stacks.entry(v.state.hex(id)).or_default().push(id.clone()));
    let stacks: Vec<Vec<String>> = stacks.into_values().collect();
    let ways: Vec<Way> = stacks.iter().map(|stack| march(v, stack, (&hexes, to), stop)).collect();
    let whole = ways.len() == 1 && said.units(&SUBJECT) == units && said.leaders(&SUBJECT).is_empty();
    let as_written = ways.iter().all(|way| way.written);
    let many = stacks.len() > LINES_MAX || (said.musters() && stacks.len() > 1);
    let (lines, counted) = if many {
        let (lines, told) = crowd(v, &stacks, &ways, to);
        (lines, Some(told))
    } else {
        (ways.iter().filter_map(|way| way.line.clone()).collect(), None)
    };
    let second = ways.iter().find_map(|way| way.second.clone());
    let cannot: Vec<(String, Fault)> = ways.into_iter().filter_map(|way| way.left).collect();
    let whole = whole && as_written && cannot.is_empty();
    let leader = said.leaders(&SUBJECT).into_iter().next();
    let note = leader.map(|leader| format!("LEADER {leader} TO hex stands on a line of its own."));
    Found { lines, why: Parted { can: Vec::new(), cannot }.why(), whole, note: counted.or(note).or(second) }
}

/// The lines of many stacks that come to a hex, each behind those above it, or else some that come nearer; and how many of all
/// units they are.
fn crowd(v: &View, stacks: &[Vec<String>], ways: &[Way], to: Hex) -> (Vec<String>, String) {
    let mut plan: Plan<GreatBattles> = Plan::new(v.clone());
    let (mut lines, mut come): (Vec<String>, usize) = (Vec::new(), 0);
    for (stack, way) in stacks.iter().zip(ways).filter(|(_, way)| way.left.is_none()) {
        let fits =
            |line: &&String| plan.keep(&crate::orders::line(1, line), |tried| tried.warnings.iter().all(is_whole));
        if let Some(line) = way.line.as_ref().filter(|_| lines.len() < OFFERED_MAX).filter(fits) {
            lines.push(line.clone());
            come += stack.len();
        }
    }
    let all = stacks.iter().map(Vec::len).sum::<usize>();
    if lines.is_empty() {
        lines = ways.iter().filter_map(|way| way.line.clone()).take(LINES_MAX).collect();
        return (lines, format!("None of {all} units comes to {to} as they stand."));
    }
    (lines, format!("{come} of {all} units come to {to}: a line for each stack."))
}

/// Whether a line with this warning comes to its end.
fn is_whole(warning: &Warning) -> bool {
    !matches!(warning.kind, Caution::Short | Caution::Reach)
}

/// What a stack can do of a march.
struct Way {
    /// The line by which it goes, as far as it can.
    line: Option<String>,
    /// Whether it goes over the hexes as they were written.
    written: bool,
    /// Who does not come there, and why.
    left: Option<(String, Fault)>,
    /// Where the line only makes the stack fit to march, what comes of the march.
    second: Option<String>,
}

impl Way {
    fn none(who: &str, fault: Fault) -> Way {
        Way { line: None, written: false, left: Some((who.to_owned(), fault)), second: None }
    }

    fn whole(line: String, written: bool) -> Way {
        Way { line: Some(line), written, left: None, second: None }
    }
}

/// The line of a stack to a hex; where it does not come there, why, and the line that comes nearest to it.
fn march(v: &View, stack: &[String], (hexes, to): (&[Hex], Hex), stop: Option<Alert>) -> Way {
    for unit in stack {
        if let Err(fault) = v.is_ready(unit) {
            return Way::none(unit, fault);
        }
    }
    let first = stack.first().cloned().unwrap_or_default();
    let (line, order) = order::march(stack, hexes.iter().copied().map(Pace::To).collect(), stop);
    let Err(fault) = v.tried(&order) else { return Way::whole(line, true) };
    let fault = match solo::way(v, stack, to).map(|paces| order::march(stack, paces, stop)) {
        Some((line, order)) => match v.tried(&order) {
            Ok(()) => return Way::whole(line, false),
            Err(fault) => fault,
        },
        None if v.state.hex(&first).is_some_and(|at| at.adjacent(to)) => fault,
        None => unreached(v, &first, to),
    };
    let (line, second) = instead(v, stack, to, stop).unzip();
    Way { line, second: second.flatten(), ..Way::none(&first, fault) }
}

/// 5.1, 6.3.4, 6.3.8, 8.0 Why a unit does not come to a hex.
fn unreached(v: &View, unit: &str, to: Hex) -> Fault {
    if let Some((_, kind, pose)) = v.state.on(unit)
        && kind.class(pose.form).is_none()
    {
        let rule = if pose.form == Form::Square { "6.3.4" } else { "6.3.8" };
        return Fault::refused(format!("who stands in {} does not move: change that first", pose.form.word()), rule);
    }
    if v.state.held_against(to, &v.side) {
        return Fault::refused(format!("an enemy stands in {to}: FIRE, BAYONET or CHARGE once you are near"), "8.0");
    }
    Fault::refused(format!("{unit} does not reach {to} in this activation"), "5.1")
}

/// 5.1 The way by which a stack comes nearest to a hex that it does not reach, if one is taken.
fn nearer(v: &View, stack: &[String], to: Hex, stop: Option<Alert>) -> Option<Vec<Pace>> {
    let taken = |paces: &Vec<Pace>| v.tried(&order::march(stack, paces.clone(), stop).1).is_ok();
    solo::toward(v, stack, to).into_iter().find(taken)
}

/// 5.1, 5.2.1, 6.3.4, 6.3.8 The line of a stack that comes nearest to what it does not reach: a way to a nearer hex; or, where
/// nobody moves as he stands, the formation in which he would, and what he does then.
fn instead(v: &View, stack: &[String], to: Hex, stop: Option<Alert>) -> Option<(String, Option<String>)> {
    if let Some(paces) = nearer(v, stack, to, stop) {
        return Some((order::march(stack, paces, stop).0, None));
    }
    let (first, s) = (stack.first()?, &v.state);
    let (_, kind, pose) = s.on(first)?;
    let stands = kind.class(pose.form).is_none() || s.mode(first) == Some(Mode::Strategic) && pose.form == Form::Line;
    let forms = ["LIMBER", "COLUMN"].map(|word| format!("FORM {} {word}", stack.join(" ")));
    let form = forms.into_iter().filter(|_| stands).find(|line| v.takes(line))?;
    let second = second(v, &form, stack, to, stop);
    Some((form, Some(second)))
}

/// 6.3.8 What comes of a march behind the change of formation that it needs.
fn second(v: &View, form: &str, stack: &[String], to: Hex, stop: Option<Alert>) -> String {
    let mut plan: Plan<GreatBattles> = Plan::new(v.clone());
    plan.replay(&crate::orders::line(1, form));
    let then = plan.now();
    let way =
        solo::way(then, stack, to).filter(|paces| then.tried(&order::march(stack, paces.clone(), stop).1).is_ok());
    match way.or_else(|| nearer(then, stack, to, stop)) {
        Some(paces) => format!("That is the first of two lines: {} below it.", order::march(stack, paces, stop).0),
        None => "That is all in this activation: the march comes in a later one.".to_owned(),
    }
}
