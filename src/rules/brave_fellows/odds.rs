//! What fire, charges and melees come to before anybody rolls, as far as their seat can tell: what CHECK says of them.

use super::board::other;
use super::event::Event;
use super::rehearse::Trial;
use super::state::{Fate, State};
use super::{fire, melee, shock};
use crate::fog::SideId;
use crate::hex::{Dir, Hex};
use crate::rules::rehearsal::Caution;
use crate::text;

/// Faces of the die of a check.
const FACES: i32 = 6;
/// Faces of the die of fire and melee.
const TEN: i32 = 10;

/// 4.2.2 In how many of six a unit passes a check.
pub(super) fn chance(s: &State, unit: &str, harder: i32) -> String {
    let good = (s.fv(unit) + s.led_by(unit) - harder).clamp(0, FACES);
    format!("{good} of {FACES}")
}

/// 6.3.1 Who fires in defence when movement is over, if all do; of whom nothing is known from afar, that he may.
pub(super) fn defence(t: &mut Trial) {
    let enemy = other(&t.side);
    let vague = |s: &State, id: &String| s.is(id, |u| u.dim) || unmeasured(s, id);
    for (at, by) in fire::defenders(&t.s, &t.side) {
        let by: Vec<String> = by.into_iter().filter(|id| !vague(&t.s, id)).collect();
        if by.is_empty() {
            continue;
        }
        let shot = fire::aim(&t.s, &by, at, &t.side);
        let (who, verb) = (text::and_list(&by), if by.len() == 1 { "fires" } else { "fire" });
        let said = hits(&t.s, &shot).map_or_else(|| "no effect".to_owned(), |(said, _)| said);
        t.say(format!("before it {who} {verb} at {at} in defence: {said}. [6.3.1]"));
    }
    let s = &t.s;
    let acts = |hex: Hex| s.standing().any(|(id, u, at)| at == hex && u.active && s.is_of(id, &t.side));
    let beside = |hex: Hex| hex.neighbours().into_iter().any(acts);
    let unknown = s.enemies(&t.side).filter(|(id, _, hex)| !s.is_battery(id) && vague(s, id) && beside(*hex));
    let unknown: Vec<String> = unknown.map(|(id, ..)| id.clone()).collect();
    if !unknown.is_empty() && s.sides().contains(&enemy) {
        t.say(format!(
            "before it {} may fire in defence: how strongly is not known. [6.3.1]",
            text::and_list(&unknown)
        ));
    }
}

/// 6.3.8 What a shot comes to, and in how many of ten it has a result; none where it is too weak for the chart.
fn hits(s: &State, shot: &fire::Shot) -> Option<(String, usize)> {
    let column = shot.column?;
    let hits = (1..=TEN).filter(|die| s.board.fire().result(column, die + shot.sum.total()) != "-").count();
    let name = s.board.fire().columns.get(column).map_or("", String::as_str);
    let with = shot.sum.behind();
    Some((format!("FF {}, column {name}{with}: a result in {hits} of {TEN}", shot.strength), hits))
}

/// 6.3.9, 6.4.9 What a line above may empty needs no melee: who would go in, on the table before this one.
pub(super) fn already(t: &mut Trial, before: &State, at: Hex) {
    let Some(won) = before.won.as_ref().filter(|won| won.at == at) else { return };
    let goes = |id: &&String| fire::may_advance(&other_world(before, at), std::slice::from_ref(*id), at).is_ok();
    let able: Vec<&str> = won.by.iter().filter(goes).map(String::as_str).collect();
    let cure = if able.is_empty() { String::new() } else { format!(": ADVANCE {} INTO {at} goes in", able.join(" ")) };
    t.say(format!("if a line above empties {at} this one is refused{cure}. [6.3.9]"));
}

/// The table with nobody in a hex.
fn other_world(s: &State, at: Hex) -> State {
    let mut s = s.clone();
    s.units.values_mut().filter(|u| u.hex == Some(at)).for_each(|u| u.hex = None);
    s
}

/// 6.2.11 A charge: the horse's check, and that of each unit in the target hex.
pub(super) fn charge(t: &mut Trial, unit: &str, at: Hex) {
    let Ok(path) = shock::may(&t.s, unit, at) else { return };
    t.said.push(format!("charges over {} hexes in {}.", path.len(), chance(&t.s, unit, 0)));
    let enemy = other(&t.side);
    let before = path.iter().rev().nth(1).copied().or(t.s.hex(unit)).unwrap_or(at);
    for target in t.s.stack(at, &enemy) {
        // DB.3 The FV of an enemy's counter is not known.
        if t.s.strangers.contains_key(&target) {
            t.said.push(format!("how well {target} stands is not known: its FV is hidden. [DB.3]"));
            continue;
        }
        let mood = t.s.units.get(&target).map(|u| u.mood).unwrap_or_default();
        let sum = shock::stands(&t.s, (&target, mood), at, before);
        t.said.push(format!("{target} stands in {}{}.", chance(&t.s, &target, sum.total()), sum.behind()));
    }
    t.said.push(format!(
        "who stands is fought by MELEE {unit} AT {at} below; horse that the fire in defence tires is not. [6.2.11i]"
    ));
    t.emit(&Event::Charged { unit: unit.to_owned(), at });
    for to in path.iter().take(path.len().saturating_sub(1)) {
        let facing = t.s.units.get(unit).and_then(|u| u.hex?.dir_to(*to)).unwrap_or(Dir::N);
        let unit = unit.to_owned();
        let with = Vec::new();
        t.emit(&Event::Stepped { unit, to: *to, facing, cost: 1, level: 0, with, pressed: false });
    }
    t.emit(&Event::Spent { unit: unit.to_owned() });
}

/// 6.3.8 A volley.
pub(super) fn volley(t: &mut Trial, units: &[String], at: Hex) {
    let shot = fire::aim(&t.s, units, at, &other(&t.side));
    match hits(&t.s, &shot) {
        None => t.warn(Caution::Short, "too little firepower for the chart: no effect".to_owned(), "6.3.8"),
        Some((said, _)) => t.said.push(format!("{said}.")),
    }
    let (by, column, sum) = (units.to_vec(), String::new(), shot.sum);
    let fired = Event::Fired { at, by, strength: shot.strength, column, die: 0, sum, result: "-".to_owned() };
    t.emit(&fired);
    emptied(t, at);
}

/// 6.4 A melee: the odds if all attack and all stand, with good checks too, the attackers' checks, and who goes in.
pub(super) fn clash(t: &mut Trial, units: &[String], at: Hex, first: &[String]) {
    let enemy = other(&t.side);
    let odds = melee::weigh(&t.s, units, at, &enemy);
    let unknown: Vec<String> = t.s.stack(at, &enemy).into_iter().filter(|unit| unmeasured(&t.s, unit)).collect();
    let (wins, loses) = ends(&t.s, odds.column, odds.sum.total());
    let name = t.s.board.melee().columns.get(odds.column).cloned().unwrap_or_default();
    let checks: Vec<String> =
        units.iter().filter(|id| !shock::charges(&t.s, id)).map(|id| format!("{id} {}", chance(&t.s, id, 0))).collect();
    if unknown.is_empty() {
        t.said.push(format!("{} to {}, column {name}{}.", odds.attack, odds.defence, odds.sum.behind()));
        t.said.push(format!(
            "won in {wins} of {TEN}, lost in {loses}, if all attack and all stand (won is a D result, lost an A)."
        ));
        doubled(t, units, at, &odds);
    } else {
        let (are, who) = (if unknown.len() > 1 { "are" } else { "is" }, text::and_list(&unknown));
        t.said.push(format!("how strong {who} {are} is not known from afar: no odds are told."));
    }
    if !checks.is_empty() {
        t.said.push(format!("attacks: {}.", checks.join(", ")));
    }
    if let Some(goes) = units.first().filter(|_| first.is_empty() && units.len() > 1) {
        t.said.push(format!("if {at} is emptied {goes} goes in; ADVANCE behind it names others. [6.4.9]"));
    }
    if wins < loses && unknown.is_empty() {
        t.warn(Caution::Short, "you are likelier to lose than to win".to_owned(), "6.4.7");
    }
    let (by, column, sum) = (units.to_vec(), name, odds.sum);
    let (attack, defence) = (odds.attack, odds.defence);
    t.emit(&Event::Fought { at, by, attack, defence, column, die: 0, sum, result: "-".to_owned() });
    emptied(t, at);
}

/// 6.4.7 In how many of ten attackers win, and lose.
fn ends(s: &State, column: usize, sum: i32) -> (usize, usize) {
    let of = |end: &str| (1..=TEN).filter(|die| s.board.melee().result(column, die + sum).starts_with(end)).count();
    (of("D"), of("A"))
}

/// 6.4.3b In how many of six a unit's check before a melee doubles its factor.
fn well(s: &State, unit: &str) -> i32 {
    let (fv, led) = (s.fv(unit), s.led_by(unit));
    (fv / 2 + led - 1).clamp(0, (fv + led).clamp(0, FACES))
}

/// 6.4.3b, 6.4.4 Who is doubled for a flank, who may be for a good check, and what the odds are then.
fn doubled(t: &mut Trial, units: &[String], at: Hex, odds: &melee::Odds) {
    let s = &t.s;
    let defenders = shock::foes(s, units, at, &other(&t.side));
    if shock::plain(s, units, &defenders) {
        return;
    }
    let own = |id: &&String| !shock::charges(s, id);
    let (flank, front): (Vec<&String>, Vec<&String>) =
        units.iter().filter(own).partition(|id| fire::outflanks(s, id, &defenders));
    let able: Vec<&String> = front.into_iter().filter(|id| well(s, id) > 0).collect();
    let more: i32 = able.iter().map(|id| s.mf(id)).sum();
    let attack = odds.attack + more;
    let (column, sum) = melee::look_up(s, (units, &defenders), at, (attack, odds.defence));
    let (wins, loses) = ends(s, column, sum.total());
    let name = s.board.melee().columns.get(column).cloned().unwrap_or_default();
    let good: Vec<String> = able.iter().map(|id| format!("{id} in {} of {FACES}", well(s, id))).collect();
    let flank: Vec<&str> = flank.into_iter().map(String::as_str).collect();
    if !flank.is_empty() {
        t.say(format!("doubled for a flank: {}. [6.4.4]", flank.join(" ")));
    }
    if !good.is_empty() {
        t.say(format!(
            "a check below half of FV doubles MF: {}; so at most {attack} to {}, column {name}, won in {wins}, lost in {loses}. \
             [6.4.3]",
            good.join(", "),
            odds.defence
        ));
    }
}

/// DB.3 Whether an enemy has never been seen from so near that its strength is known.
fn unmeasured(s: &State, unit: &str) -> bool {
    s.strangers.get(unit).is_some_and(|kind| kind.mf == 0)
}

/// Another roll may empty the hex, so that a line below may order an advance.
fn emptied(t: &mut Trial, at: Hex) {
    let enemy: SideId = other(&t.side);
    let fell = |unit| Event::Fell { unit, how: Fate::Eliminated };
    t.besides(t.s.stack(at, &enemy).into_iter().map(fell));
}
