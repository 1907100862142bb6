//! 3.0, 4.2, 4.5, 5.4, 14.1 What was meant by a line about commands: who is activated, picked, brought on or asked for, and
//! where a leader rides.

use super::super::order::Order;
use super::super::reach;
use super::super::rehearse::rehearse;
use super::super::state::{At, Mode};
use super::super::view::View;
use super::super::{GreatBattles, command, reinforce};
use super::{Said, found, hexed, taken};
use crate::hex::Hex;
use crate::orders;
use crate::orders::mend::OFFERED_MAX;
use crate::orders::mend::lexicon::Sense;
use crate::orders::mend::respell::respell;
use crate::rules::Ruleset;
use crate::rules::rehearsal::Plan;
use crate::rules::tactical::meant::acts::{LINES_MAX, goal, lead, plain, subjects};
use crate::rules::tactical::meant::{self, Deed, Found, SUBJECT, Tongue};
use std::collections::BTreeSet;

/// 4.5 Units whose division may still try do nothing before it does.
pub(super) fn before_they_act(said: &Said<'_>, verb: Option<&str>) -> Option<Found> {
    let s = &said.v.state;
    let acting = s.acting.as_ref().filter(|acting| acting.side == said.v.side)?;
    let units = subjects(said);
    let acts = matches!(verb, None | Some("MOVE" | "FORM" | "FIRE" | "BAYONET" | "ASSAULT" | "CHARGE"));
    let waits = acts && !units.is_empty() && units.iter().all(|unit| command::may_act(s, unit).is_err());
    let divisions: BTreeSet<&str> = units.iter().map(|unit| s.division(unit)).collect();
    let open: Vec<&String> = acting.todo.iter().filter(|id| divisions.contains(id.as_str())).collect();
    if !waits || open.is_empty() {
        return None;
    }
    let names: Vec<&str> = open.iter().map(|id| id.as_str()).collect();
    let why = Some((format!("activate {} first", names.join(" and ")), "4.5".to_owned()));
    let calls: Vec<String> =
        open.iter().filter_map(|division| call(said.v, division, &[Mode::Full, Mode::Limited])).collect();
    let note = format!("{} on a line of its own is done before this one.", calls.join(", or "));
    let then = match calls.as_slice() {
        [only] => once_they_act(said, only),
        _ => Found::default(),
    };
    let besides = then
        .why
        .map(|(besides, _)| (format!("activate {} first; and then: {besides}", names.join(" and ")), "4.5".to_owned()));
    Some(Found {
        lines: then.lines,
        why: besides.or(why),
        note: Some(note).filter(|_| !calls.is_empty()),
        whole: false,
    })
}

/// 4.5 What is wrong with a line besides, once the division of its units acts; nothing where it is sound then, and a line that
/// names a hex for an enemy in any case: those above it may bring its units there.
fn once_they_act(said: &Said<'_>, call: &str) -> Found {
    let text = said.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    let read = |v: &View, line: &orders::Line| orders::read(GreatBattles::verbs(), v, line);
    let after = read(said.v, &orders::line(1, call)).and_then(|order| rehearse(said.v, &order));
    let Ok(after) = after.map(|tried| tried.after) else { return Found::default() };
    let line = orders::line(1, &text);
    let Err(fault) = read(&after, &line) else { return Found::default() };
    if let Some(line) = hexed(said).filter(|line| read(&after, &orders::line(1, line)).is_ok()) {
        return Found { lines: vec![line], ..Found::default() };
    }
    let spelt = respell(&text, |line| after.tried(&read(&after, line)?));
    if spelt.fault.is_none() && spelt.changed > 0 {
        return Found { lines: vec![spelt.text], ..Found::fault(&fault) };
    }
    let then = found(&meant::Said::of(&after, &line));
    Found { why: then.why.or(Found::fault(&fault).why), lines: then.lines, ..Found::default() }
}

/// 4.5, 4.6 The line by which a division tries, by the first way that is open to it.
pub(super) fn call(v: &View, division: &str, how: &[Mode]) -> Option<String> {
    let order = |how: &Mode| Order::Activate { division: division.to_owned(), how: *how };
    let how = how.iter().find(|how| v.tried(&order(how)).is_ok())?;
    Some(format!("ACTIVATE {division} {}", how.word().to_uppercase()))
}

/// 4.5 A division tries that is named, by its leader or by its corps too.
pub(super) fn activate(said: &Said<'_>) -> Found {
    let s = &said.v.state;
    let named = said.leaders(&SUBJECT);
    if s.acting.is_none() && matches!(s.at, At::Others(_)) {
        return pick(said);
    }
    let wanted = [("LIMITED", Mode::Limited), ("STRATEGIC", Mode::Strategic)];
    let key = |word: &str| said.tokens.iter().any(|token| token.key == Some(word));
    let how = wanted.into_iter().find(|(word, _)| key(word)).map_or(Mode::Full, |(_, how)| how);
    let is_of = |division: &&String| {
        let corps = s.board.divisions.get(*division).map_or("", |d| d.corps.as_str());
        let led = |name: &String| s.chief(name).is_some_and(|chief| chief.of == **division || chief.of == corps);
        let men = said.units(&SUBJECT).iter().any(|unit| s.division(unit) == **division);
        men || named.iter().any(|name| name == *division || name == corps || led(name))
    };
    let todo = s.acting.iter().filter(|acting| acting.side == said.v.side).flat_map(|acting| &acting.todo);
    let lines: Vec<String> = todo.filter(is_of).filter_map(|division| call(said.v, division, &[how])).collect();
    let whole = lines.len() == 1 && said.units(&SUBJECT).is_empty();
    if !lines.is_empty() {
        return Found { lines: lines.into_iter().take(LINES_MAX).collect(), whole, ..Found::default() };
    }
    // Where one division alone may try, a word that names nobody means it.
    let nobody = named.is_empty() && said.units(&SUBJECT).is_empty();
    let mut open = s.acting.iter().filter(|acting| acting.side == said.v.side).flat_map(|acting| &acting.todo);
    if let (true, Some(only), None) = (nobody, open.next(), open.next()) {
        return Found { lines: call(said.v, only, &[how]).into_iter().collect(), ..Found::default() };
    }
    let division = named.iter().find(|name| s.board.divisions.contains_key(*name));
    let fault = division.map(|id| said.v.tried(&Order::Activate { division: id.clone(), how }));
    fault.and_then(Result::err).map(|fault| Found::fault(&fault)).unwrap_or_default()
}

/// 3.0 When all LIMs are drawn who is named is picked first: a unit, or a division.
fn pick(said: &Said<'_>) -> Found {
    let named = said.units(&SUBJECT).into_iter().chain(said.leaders(&SUBJECT));
    let lines: Vec<String> = named.map(|who| format!("PICK {who}")).filter(|line| said.v.takes(line)).collect();
    let why = Some(("PICK comes first: a division, or a unit Out of Command".to_owned(), "3.0".to_owned()));
    Found { lines: lines.into_iter().take(LINES_MAX).collect(), why, ..Found::default() }
}

/// 4.2 A Command Change for the commands that are named, by who may try one.
pub(super) fn change(said: &Said<'_>) -> Found {
    let may = reach::additions(said.v);
    let named = said.leaders(&SUBJECT);
    let behind = said.words.iter().position(|word| word.fold == "by").and_then(|by| said.words.get(by + 1));
    let other = named.iter().find(|name| behind.is_some_and(|word| word.text.eq_ignore_ascii_case(name)));
    if let Some(other) = other.filter(|other| !may.contains_key(*other)) {
        let who: Vec<&str> = may.keys().map(String::as_str).collect();
        let who = if who.is_empty() { String::new() } else { format!(": {} may", who.join(" or ")) };
        return Found::reason(format!("{other} may not try a Command Change{who}"), "4.2");
    }
    let by: Vec<&String> = may.keys().filter(|by| named.contains(by) || may.len() == 1).collect();
    let [by] = by.as_slice() else { return plain(said, "CHANGE", "AT") };
    let add: Vec<&str> = named.iter().filter(|name| name != by).map(String::as_str).collect();
    let line = format!("CHANGE BY {by} ADD {}", add.join(" "));
    if !add.is_empty() && said.v.takes(&line) {
        return Found { lines: vec![line], ..Found::default() };
    }
    let can = may.get(*by).map(|lims| lims.join(", ")).unwrap_or_default();
    let none = format!("{by} can add no LIM now");
    let why = if can.is_empty() { none } else { format!("{by} may add {can}: CHANGE BY {by} ADD and their names") };
    let fault = taken(said.v, &line).err().filter(|_| !add.is_empty());
    fault.map_or_else(|| Found::reason(why, "4.2"), |fault| Found::fault(&fault))
}

/// 14.2 Reinforcements come, or wait.
pub(super) fn reinforcements(said: &Said<'_>) -> Found {
    let due = reinforce::called(&said.v.state, &said.v.side);
    if due.is_empty() {
        return Found::reason("nobody of yours is to come this turn", "14.2");
    }
    let no = said.means(Sense::Not) || said.means(Sense::Stay);
    let why = Some((format!("REINFORCE YES or NO, for all who are due: {}", due.join(" ")), "14.2".to_owned()));
    Found { lines: vec![format!("REINFORCE {}", if no { "NO" } else { "YES" })], why, ..Found::default() }
}

/// 5.4 A leader rides; where he does not reach a hex, as near to it as he comes; of a place to the hex that is nearest to him.
pub(super) fn ride(said: &Said<'_>) -> Found {
    let leaders = said.leaders(&SUBJECT);
    let from = leaders.first().and_then(|leader| said.v.state.leaders.get(leader)?.hex);
    let places = said.places();
    if let ([leader], Some(from), Some([_, _, ..])) = (leaders.as_slice(), from, places.last().map(Vec::as_slice)) {
        let near = places.last().and_then(|place| place.iter().copied().min_by_key(|hex| (from.distance(*hex), *hex)));
        let to = near.filter(|hex| said.v.tried(&<View as Tongue>::order(&Deed::Ride(leader, *hex))).is_ok());
        if let Some(to) = to {
            let whole = said.units(&SUBJECT).is_empty() && places.len() == 1;
            return Found { lines: vec![format!("LEADER {leader} TO {to}")], whole, ..Found::default() };
        }
    }
    let found = lead(said);
    let goal = |from: Hex| {
        let place = said.places().last().cloned();
        place.and_then(|place| place.into_iter().min_by_key(|hex| (from.distance(*hex), *hex))).or_else(|| goal(said))
    };
    let (true, Some(to), [leader]) = (found.lines.is_empty(), from.and_then(goal), leaders.as_slice()) else {
        return found;
    };
    let near = command::ride_toward(&said.v.state, leader, to).map(|hex| format!("LEADER {leader} TO {hex}"));
    Found { lines: near.into_iter().filter(|line| said.v.takes(line)).collect(), ..found }
}

/// 14.1 Who comes on, in a formation in which he can.
pub(super) fn enter(said: &Said<'_>) -> Found {
    let all = said.units(&SUBJECT).is_empty() && (said.means(Sense::All) || !said.leaders(&SUBJECT).is_empty());
    if all {
        return enter_all(said);
    }
    let found = plain(said, "ENTER", "AT");
    let units = said.units(&SUBJECT);
    if !found.lines.is_empty() || units.is_empty() {
        return found;
    }
    let at = said.places().last().and_then(|place| place.first().copied());
    let at = at.map_or_else(String::new, |hex| format!(" AT {hex}"));
    let line = |form: &str| format!("ENTER {}{form}{at}", units.join(" "));
    let lines = ["", " FORM LIMBER", " FORM LINE"].map(line).into_iter().filter(|line| said.v.takes(line)).take(1);
    let lines: Vec<String> = lines.collect();
    let why = taken(said.v, &line("")).err().and_then(|fault| Found::fault(&fault).why);
    Found { lines, why, ..Found::default() }
}

/// 14.1 All of the divisions that are named, or of all that act, come on: a line for each, behind those above it.
fn enter_all(said: &Said<'_>) -> Found {
    let (s, named) = (&said.v.state, said.leaders(&SUBJECT));
    let acting = s.acting.iter().filter(|acting| acting.side == said.v.side).flat_map(|acting| acting.modes.keys());
    let divisions = acting.filter(|id| named.is_empty() || named.contains(id));
    let units: Vec<String> = divisions.flat_map(|division| reinforce::waiting(s, division)).collect();
    let mut plan: Plan<GreatBattles> = Plan::new(said.v.clone());
    let mut lines = Vec::new();
    for unit in units {
        let ways = ["", " FORM LIMBER"].map(|form| format!("ENTER {unit}{form}"));
        let line = ways.into_iter().find(|line| plan.keep(&orders::line(1, line), |_| true));
        lines.extend(line.filter(|_| lines.len() < OFFERED_MAX));
    }
    if lines.is_empty() {
        return Found::reason("nobody of a division that acts waits off the map: ACTIVATE it first", "14.1");
    }
    let why = Some(("a line for each stack that comes on".to_owned(), "14.1".to_owned()));
    Found { lines, why, ..Found::default() }
}
