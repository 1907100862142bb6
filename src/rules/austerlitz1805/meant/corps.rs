//! A line that names a corps where the order wants a unit: a march of the whole corps, or on a sealed sheet its strategic
//! move. Where the name is also the beginning of one unit's, both are offered.

use super::said::{Act, Said};
use super::{Thing, choice, pick};
use crate::orders::fold;
use crate::orders::mend::Mended;
use crate::orders::mend::change::Choice;
use crate::rules::austerlitz1805::state::At;
use crate::rules::austerlitz1805::strategic::Zone;
use crate::rules::austerlitz1805::table::{um, wind};
use crate::rules::austerlitz1805::words;

/// A corps that a line names, and whether it says that it means a corps.
struct Named {
    corps: String,
    /// The word, by its place.
    at: usize,
    plainly: bool,
}

/// 16.4.1, 6.4 The answer to a line that is about a corps; none where it is not.
pub fn mended(said: &Said<'_>) -> Option<Mended> {
    let act = said.act().or(said.head().is_none().then_some(Act::Move).filter(|_| said.goal().is_some()));
    let Some(named) = named(said) else { return unnamed(said) };
    let corps = &named.corps;
    if matches!(said.v.at, At::Fog | At::Deploy) {
        let zone = zone(said)?;
        let line = format!("STRAT {corps} TO {}", zone.id);
        let lines = pick(said, vec![Choice { line: line.clone(), cost: 0 }]);
        if lines.is_empty() {
            return super::refused(said.v, &line).map(|fault| Mended { lines, ..Mended::from(&fault) });
        }
        let why = "on this sheet a corps moves from area to area: STRAT corps TO area.".to_owned();
        return Some(Mended { why, rule: "16.4.1".to_owned(), lines, ..Mended::default() });
    }
    if let Some(line) = whole(said, act, corps) {
        let lines = pick(said, vec![Choice { line: line.clone(), cost: 0 }]);
        if lines.is_empty() {
            return super::refused(said.v, &line).map(|fault| Mended { lines, ..Mended::from(&fault) });
        }
        let why = format!("{corps} is a corps: with CORPS before its name the order is for all of it.");
        return Some(Mended { why, rule: "6.12".to_owned(), lines, ..Mended::default() });
    }
    if act != Some(Act::Move) {
        let why = format!("{corps} is a corps; one order a unit, each by its whole name.");
        return Some(Mended { why, ..Mended::default() });
    }
    let to = match (said.goal(), said.way()) {
        (Some((name, _)), _) => name,
        (None, Some(way)) => wind(way).to_owned(),
        (None, None) => {
            let why = format!("where to?  {corps} is a corps: MOVE CORPS {corps} TOWARD place 2UM.");
            return Some(Mended { why, rule: "6.4".to_owned(), ..Mended::default() });
        }
    };
    // The number of a corps is no distance.
    let mut others = said.tokens.iter().filter(|t| t.span.0 != named.at).flat_map(|t| &t.things);
    let far = others.find_map(|thing| if let Thing::Far(far) = thing { Some(*far) } else { None });
    let far = far.map(|far| format!(" {}UM", um(far))).unwrap_or_default();
    let whole = format!("MOVE CORPS {corps} TOWARD {to}{far}");
    let mut choices = vec![Choice { line: whole.clone(), cost: 0 }];
    let me = said.v.me();
    // Its name alone may be the beginning of a unit's.
    let units: Vec<_> = said.v.table.of_side(&me).map(|(id, _)| id).collect();
    let begins: Vec<_> = units.into_iter().filter(|id| fold(&id.0).starts_with(&fold(corps))).collect();
    if let ([unit], false) = (begins.as_slice(), named.plainly) {
        choices.push(Choice { cost: 0, ..choice(said, format!("MOVE {unit} TOWARD {to}{far}"), &[], 0) });
    }
    let lines = pick(said, choices);
    if lines.is_empty() {
        return super::refused(said.v, &whole).map(|fault| Mended { lines, ..Mended::from(&fault) });
    }
    let why = format!("{corps} is a corps: MOVE CORPS {corps} moves all of it, and a unit goes by its whole name.");
    Some(super::told(said, Mended { why, rule: "6.4".to_owned(), lines, ..Mended::default() }))
}

/// An order that a whole corps can be given beside a march.
fn whole(said: &Said<'_>, act: Option<Act>, corps: &str) -> Option<String> {
    match act? {
        Act::Form(form) => Some(format!("FORM CORPS {corps} {}", super::acts::formation(form))),
        Act::About => Some(format!("ABOUT CORPS {corps}")),
        Act::Turn => said.way().map(|way| format!("TURN CORPS {corps} {}", wind(way))),
        _ => None,
    }
}

/// The corps that stands where a unit should: right behind the verb, or beside the word itself.
fn named(said: &Said<'_>) -> Option<Named> {
    let me = said.v.me();
    let all: Vec<&String> = said.v.table.board.units.values().filter(|u| u.side == me).map(|u| &u.corps).collect();
    let all = || all.iter().copied().chain(said.v.own.corps.keys());
    let units = words::names(said.v, true);
    let word = |at: Option<usize>| {
        let word = at.and_then(|at| said.words.get(at));
        word.is_some_and(|w| ["corps", "korps"].contains(&w.fold.as_str()))
    };
    // `IV Russian 1` begins with a corps and is a unit.
    let is_unit = |at: usize| {
        let whole = said.tokens.iter().find(|t| t.span.0 == at);
        whole.is_some_and(|t| t.span.1 > 1 || units.iter().any(|(name, _)| fold(name) == fold(&t.text)))
    };
    let verb = said.tokens.first().is_some_and(|t| t.key.is_some() || t.senses.iter().any(|s| s.acts()));
    said.words.iter().enumerate().find_map(|(at, heard)| {
        let plainly = word(at.checked_sub(1)) || word(at.checked_add(1));
        let roman = heard.fold.parse().ok().and_then(|n: usize| ROMAN.get(n.checked_sub(1)?)).filter(|_| plainly);
        let is = |corps: &&String| fold(corps) == heard.fold || Some(&corps.as_str()) == roman;
        let corps = all().find(is)?.clone();
        let taken = said.tokens.iter().any(|t| t.span.0 == at && matches!(t.things.first(), Some(Thing::Named(_))));
        // `I` may be the writer.
        let opens = at == 0 && corps != "I" && (said.goal().is_some() || said.act() == Some(Act::Move));
        let acts = (verb && at == 1 || opens) && !is_unit(at) && !taken;
        (plainly || acts).then_some(Named { corps, at, plainly })
    })
}

/// Who writes of a corps that there is not means no other unit.
fn unnamed(said: &Said<'_>) -> Option<Mended> {
    let second = said.words.get(1).is_some_and(|word| word.fold == "corps");
    (said.head() == Some("MOVE") && second).then(|| Mended { lines: Vec::new(), ..Mended::from(said.fault) })
}

/// Numbers of corps.
const ROMAN: [&str; 6] = ["I", "II", "III", "IV", "V", "VI"];

/// The area that a line names.
fn zone<'v>(said: &Said<'v>) -> Option<&'v Zone> {
    let corps = named(said)?.at;
    let mut zones = said.v.table.board.strategic.zones.iter();
    zones
        .find(|zone| {
            let is =
                |name: &str| said.words.iter().enumerate().any(|(at, word)| at != corps && word.fold == fold(name));
            is(&zone.id) || is(&zone.name)
        })
        .or_else(|| around(said))
}

/// The area in which a place lies that a line names.
fn around<'v>(said: &Said<'v>) -> Option<&'v Zone> {
    let (_, at) = said.goal()?;
    said.v.table.board.zones_at(at.spot()).next()
}
