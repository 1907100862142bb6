//! 6.2, 9.1 Marches, rides and places that were meant, and why they cannot be.

use super::super::order::Order;
use super::super::place;
use super::super::state::At;
use super::super::view::View;
use super::super::{bounds, march, solo};
use super::{Said, by_verb};
use crate::hex::Hex;
use crate::orders::mend::lexicon::Sense;
use crate::orders::{self, Fault};
use crate::rules::tactical::meant::acts::{goal, plain};
use crate::rules::tactical::meant::{Found, SUBJECT, Slot, Tongue};

/// Words for a leader whose side has no other that could be meant.
const LEADER: [&str; 5] = ["leader", "general", "commander", "chief", "marshal"];
/// Hexes that a reason names.
const HEXES_MAX: usize = 12;

/// 6.2 Why a unit does not come to a hex.
pub(super) fn unreached(v: &View, unit: &str, to: Hex) -> Fault {
    let s = &v.state;
    let own = || {
        march::may_move(s, unit)?;
        bounds::tied_from(s, unit, s.hex(unit), to)
    };
    if s.held_against(to, &v.side) {
        return Fault::refused(format!("an enemy stands in {to}: MELEE from the hex before it"), "6.2.7");
    }
    if let Err(fault) = own() {
        return fault;
    }
    let one = [unit.to_owned()];
    if march::horse_with_guns(s, &one, to) {
        return Fault::refused(format!("horse and guns do not stand together in {to}"), "4.1.5");
    }
    if s.crowded_with(to, &v.side, &one) {
        return Fault::refused(format!("{to} has no room for {unit}: it would be over-stacked"), "4.1.1");
    }
    if let Some(fault) = step(v, unit, to) {
        return fault;
    }
    let near = s.hex(unit).and_then(|from| nearer(v, &one, from, to));
    let far =
        near.and_then(|way| way.last().copied()).map_or_else(String::new, |hex| format!("; it comes as far as {hex}"));
    Fault::refused(format!("{unit} does not reach {to} in this impulse{far}"), "6.2.2")
}

/// 6.2 As far as units come together that do not reach a hex: the way to the hex in reach that is nearest to it.
pub(super) fn nearer(v: &View, units: &[String], from: Hex, to: Hex) -> Option<Vec<Hex>> {
    let s = &v.state;
    if s.held_against(to, &v.side) || units.iter().any(|unit| bounds::tied_from(s, unit, Some(from), to).is_err()) {
        return None;
    }
    let near = |hex: &Hex| hex.distance(to) < from.distance(to) && v.has_room(units, *hex);
    let goes = |path: &Vec<Hex>| {
        let order = Order::Move { units: units.to_vec(), path: path.clone(), face: None };
        !path.is_empty() && v.tried(&order).is_ok()
    };
    let ways = solo::reach::reach(s, units.first()?).into_iter().filter(|(hex, _)| near(hex));
    let mut ways: Vec<(Hex, Vec<Hex>)> = ways.collect();
    ways.sort_by_key(|(hex, path)| (hex.distance(to), path.len(), *hex));
    ways.into_iter().map(|(_, path)| path).find(goes)
}

/// 6.2.2, 6.2.3 Why a unit does not go into the next hex.
fn step(v: &View, unit: &str, to: Hex) -> Option<Fault> {
    let (s, u) = (&v.state, v.state.units.get(unit)?);
    let from = u.hex.filter(|hex| hex.adjacent(to))?;
    let left = s.ma(unit) - u.spent;
    match march::step(s, unit, from, to, u.climbed) {
        Err(fault) => Some(fault),
        Ok(step) if step.cost > left => {
            Some(Fault::refused(format!("{unit} has {left} MP left, and {to} costs {}", step.cost), "6.2.2"))
        }
        Ok(_) => None,
    }
}

/// The only leader who can be meant by a word for one: who acts, or the only one on the map.
fn lone(v: &View) -> Option<String> {
    let s = &v.state;
    let own = |acts: bool| {
        let placed = s.leaders.iter().filter(|(name, l)| s.leads(name, &v.side) && l.hex.is_some());
        placed.filter(|(_, l)| l.active || !acts).map(|(name, _)| name.clone()).collect::<Vec<String>>()
    };
    [own(true), own(false)].into_iter().find_map(|names| match names.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    })
}

/// `move leader to 1915` where a side has one: the line with his name.
pub(super) fn of_the_leader(said: &Said<'_>) -> Option<Found> {
    let place = said.words.iter().rposition(|word| LEADER.contains(&word.fold.as_str()))?;
    if !said.leaders(&SUBJECT).is_empty() {
        return None;
    }
    let name = lone(said.v)?;
    let words = said.words.iter().enumerate();
    let words: Vec<&str> = words.map(|(n, word)| if n == place { name.as_str() } else { &word.text }).collect();
    let found = by_verb(&Said::of(said.v, &orders::line(1, &words.join(" "))));
    Some(Found { whole: false, ..found })
}

/// `SMO-3 follows SMO-1`: the first goes where the last stands.
pub(super) fn following(said: &Said<'_>) -> Option<Found> {
    let units = said.units(&SUBJECT);
    let (last, others) = units.split_last()?;
    let follows = said.means(Sense::Follow) && said.places().is_empty() && said.leaders(&SUBJECT).is_empty();
    if !follows || others.is_empty() || said.has(Slot::Face) {
        return None;
    }
    let to = said.v.state.hex(last)?;
    let line = orders::line(1, &format!("MOVE {} {to}", others.join(" ")));
    Some(Found { whole: false, ..by_verb(&Said::of(said.v, &line)) })
}

/// 6.2.2 A ride that is too far: how near he comes.
pub(super) fn ridden(said: &Said<'_>, found: Found) -> Found {
    let leaders = said.leaders(&SUBJECT);
    let far = found.why.as_ref().is_some_and(|(_, rule)| rule == "6.2.2");
    let ([leader], Some(to), true) = (leaders.as_slice(), goal(said), found.lines.is_empty() && far) else {
        return found;
    };
    let near = march::may_ride_to(&said.v.state, leader).into_keys().min_by_key(|hex| (hex.distance(to), *hex));
    let Some(near) = near else { return found };
    let why = format!("{to} is too far for {leader}: {near} is as near as he comes");
    let lines = vec![format!("LEADER {leader} TO {near}")];
    Found { lines, why: Some((why, "6.2.2".to_owned())), ..found }
}

/// 9.1, 9.2.3, 9.3 Pieces are put: where they stand if no hex is named; where they may not, the hexes in which they may.
pub(super) fn put(said: &Said<'_>) -> Found {
    let s = &said.v.state;
    let pieces: Vec<String> = said.units(&SUBJECT).into_iter().chain(said.leaders(&SUBJECT)).collect();
    let here = pieces.first().and_then(|piece| s.hex(piece));
    if let (true, Some(here), Some(dir)) = (
        said.places().is_empty(),
        here.filter(|hex| pieces.iter().all(|piece| s.hex(piece) == Some(*hex))),
        said.ways(&[Slot::Plain, Slot::With, Slot::Face]).last(),
    ) {
        let line = orders::line(1, &format!("PUT {} AT {here} FACE {}", pieces.join(" "), dir.name()));
        return Found { whole: false, ..plain(&Said::of(said.v, &line), "PUT", "AT") };
    }
    let found = plain(said, "PUT", "AT");
    let Some((why, rule)) = found.why.clone().filter(|_| matches!(s.at, At::Setup(_) | At::Muster(_))) else {
        return found;
    };
    let room = |hex: &Hex| place::may(s, &pieces, *hex).is_ok();
    let area = pieces.first().map(|piece| place::area(s, piece)).unwrap_or_default();
    let open: Vec<String> = area.into_iter().filter(room).map(|hex| hex.to_string()).take(HEXES_MAX).collect();
    let may = if open.is_empty() { String::new() } else { format!("; there is room in {}", open.join(" ")) };
    Found { why: Some((format!("{why}{may}"), rule)), ..found }
}
