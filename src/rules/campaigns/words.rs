//! Words of this game's orders: hexes, own names, paths; and the verbs that wait for a later issue.

use super::board::{LeaderId, UnitId};
use super::pieces::{Place, Track, Vedette};
use super::view::View;
use crate::hex::{Hex, Hexside};
use crate::map::draw::short_name;
use crate::orders::{Args, Fault, Line};
use std::collections::BTreeSet;

/// Whether a word begins a continuation line: a hex, or a clause that cannot begin an order.
pub fn continues(word: &str) -> bool {
    const CLAUSES: [&str; 5] = ["ELSE", "THEN", "MARCH", "LEAD", "WITH"];
    let upper = word.to_ascii_uppercase();
    Hex::parse(word).is_some() || CLAUSES.contains(&upper.as_str())
}

/// Whether a line has its own verb and, behind it, its own leader or vedette: `march Lannes to Auhof`. No clause of an
/// order has a piece there.
pub fn own_order(v: &View, line: &Line) -> bool {
    const VERBS: [&str; 3] = ["march", "then", "else"];
    let mut args = Args::new(line, 1);
    args.key("MARCH");
    let vedette = args.peek().is_some_and(|word| word.fold == "vedette");
    line.words.first().is_some_and(|first| VERBS.contains(&first.fold.as_str()))
        && (vedette || args.name("an own leader", &own_leaders(v)).is_ok())
}

/// A hex of the map: its id, or the name of a place.
///
/// # Errors
/// Unclear, with the nearest place.
pub fn hex(v: &View, args: &mut Args<'_>) -> Result<Hex, Fault> {
    if let Some(word) = args.peek()
        && word.text.len() == 4
        && word.text.bytes().all(|b| b.is_ascii_digit())
    {
        return match Hex::parse(&word.text).filter(|h| v.board.map.contains(*h)) {
            Some(found) => {
                args.next_word();
                Ok(found)
            }
            None => Err(Fault::refused(format!("{} is off the map", word.text), "¶10")),
        };
    }
    place(v, args)
}

/// A place in any form that a map prints: its whole name, the short one, or the first three letters or more of either.
///
/// # Errors
/// Unclear, with the places that begin so, or the nearest.
pub fn place(v: &View, args: &mut Args<'_>) -> Result<Hex, Fault> {
    const EXPECTED: &str = "a hex id or a place";
    let forms = v.board.forms.answer(|()| true, || ((), place_forms(v)));
    // The longest run of words that is a name wins, so that `Sankt Pölten` needs no quotes.
    for take in (1..=4).rev() {
        let Some(said) = args.ahead(take).map(|said| crate::orders::fold(&said)) else { continue };
        let hits: Vec<Hex> = found(&forms, |form| form == said);
        if let [only] = hits.as_slice() {
            (0..take).for_each(|_| _ = args.next_word());
            return Ok(*only);
        }
        if !hits.is_empty() {
            return Err(several(v, args, &hits));
        }
    }
    let said = args.peek().map_or("", |w| w.fold.as_str());
    // The second of two places with one beginning is printed with a digit, which only its own map explains.
    let bare = said.strip_suffix(|c: char| c.is_ascii_digit()).unwrap_or(said);
    // Counted as written: `Goe` is three letters, though it folds to two.
    let letters = args.peek().map_or(0, |w| w.text.chars().filter(|c| c.is_alphabetic()).count());
    if letters >= 3 {
        let hits = found(&forms, |form| form.starts_with(bare));
        match hits.as_slice() {
            [] => {}
            [only] if bare == said => {
                args.next_word();
                return Ok(*only);
            }
            hits => return Err(several(v, args, hits)),
        }
    }
    let shorts: Vec<String> = v.board.map.places.values().map(|p| short_name(&p.name)).collect();
    Err(args.fault(EXPECTED, shorts.iter().map(String::as_str)))
}

/// The hexes of places that have a form that fits, each once.
fn found(forms: &[(String, Hex)], fits: impl Fn(&str) -> bool) -> Vec<Hex> {
    let hits: BTreeSet<Hex> = forms.iter().filter(|(form, _)| fits(form)).map(|(_, hex)| *hex).collect();
    hits.into_iter().collect()
}

/// Every form of every place, folded: whole, short, and the bare letters of a close-up.
fn place_forms(v: &View) -> Vec<(String, Hex)> {
    let mut forms = Vec::new();
    for place in v.board.map.places.values() {
        let short = short_name(&place.name);
        let letters: String = crate::text::ascii(&short).chars().filter(char::is_ascii_alphabetic).collect();
        forms.extend([&place.name, &short, &letters].map(|form| (crate::orders::fold(form), place.hex)));
    }
    forms
}

/// More than one place is meant: all of them by name and hex, as far as a line holds them.
fn several(v: &View, args: &Args<'_>, hits: &[Hex]) -> Fault {
    const MOST: usize = 6;
    let name = |hex: &Hex| match v.board.map.name(*hex) {
        Some(name) => format!("{} {hex}", short_name(name)),
        None => hex.to_string(),
    };
    let mut said: Vec<String> = hits.iter().take(MOST).map(name).collect();
    if hits.len() > MOST {
        said.push(format!("{} more", hits.len() - MOST));
    }
    args.fault(&format!("one place only; write the hex or more letters: {}", said.join(", ")), [])
}

/// Whether the next word is a hex id.
pub fn at_hex(args: &Args<'_>) -> bool {
    args.peek().is_some_and(|w| Hex::parse(&w.text).is_some())
}

/// A bridge or hexside as `0950/1049` or `0950 1049`.
///
/// # Errors
/// Unclear or refused, where there is none.
pub fn hexside(v: &View, args: &mut Args<'_>) -> Result<Hexside, Fault> {
    let slashed = args.peek().and_then(|w| w.text.split_once('/'));
    let (a, b) = match slashed {
        Some((a, b)) => match (Hex::parse(a), Hex::parse(b)) {
            (Some(a), Some(b)) => {
                args.next_word();
                (a, b)
            }
            _ => return Err(args.fault("two hexes, such as 0950/1049", [])),
        },
        None => (hex(v, args)?, hex(v, args)?),
    };
    Hexside::between(a, b).ok_or_else(|| Fault::refused(format!("{a} and {b} are not adjacent"), "¶212"))
}

/// Names and codes of own leaders in play.
pub fn own_leaders(v: &View) -> Vec<(String, LeaderId)> {
    let in_play = v.own.leaders.iter().filter(|(_, l)| matches!(l.place, Place::At(_))).map(|(id, _)| id);
    leader_names(v, in_play)
}

/// Names and codes of own leaders, in play or waiting.
pub fn all_leaders(v: &View) -> Vec<(String, LeaderId)> {
    leader_names(v, v.own.leaders.keys())
}

fn leader_names<'a>(v: &View, ids: impl Iterator<Item = &'a LeaderId>) -> Vec<(String, LeaderId)> {
    let mut names = Vec::new();
    for id in ids {
        if let Some(spec) = v.board.leaders.get(id) {
            names.push((spec.name.clone(), id.clone()));
            names.push((spec.code.clone(), id.clone()));
            // `Prince John Liechtenstein` is called by his last name.
            if let Some((_, last)) = spec.name.rsplit_once(' ')
                && spec.major_general.is_none()
                && last.chars().count() > 2
            {
                names.push((last.to_owned(), id.clone()));
            }
        }
    }
    names
}

/// An own leader in play.
///
/// # Errors
/// Unclear, with the nearest own leader.
pub fn leader(v: &View, args: &mut Args<'_>) -> Result<LeaderId, Fault> {
    args.name("one of your leaders", &own_leaders(v))
}

/// An own leader whose counter stands on the map: a force.
///
/// # Errors
/// Unclear, or refused where he is subordinate.
pub fn force(v: &View, args: &mut Args<'_>) -> Result<LeaderId, Fault> {
    let id = leader(v, args)?;
    match v.own.leaders.get(&id).and_then(|l| l.under.clone()) {
        None => Ok(id),
        Some(above) => {
            let (him, his) = (name(v, &id), name(v, &above));
            Err(Fault::Refused {
                why: format!("{him} is subordinate to {his} and does not move on his own; DETACH him first"),
                rule: "¶140".to_owned(),
                copy: Some(format!("DETACH {him}")),
            })
        }
    }
}

/// An own vedette on the map, as `3` or `v3`.
///
/// # Errors
/// Unclear, or refused where it is not on the map.
pub fn vedette(v: &View, args: &mut Args<'_>) -> Result<u32, Fault> {
    let number = args.peek().and_then(|w| w.fold.trim_start_matches('v').parse::<u32>().ok());
    let on_map: Vec<String> =
        v.own.vedettes.iter().filter(|(_, p)| matches!(p, Vedette::At(_))).map(|(n, _)| n.to_string()).collect();
    let Some(n) = number else {
        return Err(args.fault("the number of one of your vedettes", on_map.iter().map(String::as_str)));
    };
    args.next_word();
    match v.own.vedettes.get(&n) {
        Some(Vedette::At(_)) => Ok(n),
        Some(Vedette::Pool | Vedette::Portrait(_)) => Err(Fault::refused(format!("v{n} is not on the map"), "¶135")),
        None => Err(Fault::refused(format!("you have no vedette {n}"), "¶24")),
    }
}

/// An own unit in play.
///
/// # Errors
/// Unclear, with the nearest own unit.
pub fn unit(v: &View, args: &mut Args<'_>) -> Result<UnitId, Fault> {
    let names: Vec<(String, UnitId)> = v
        .own
        .units
        .iter()
        .filter(|(_, u)| u.track != Track::Waiting)
        .filter_map(|(id, _)| v.board.units.get(id).map(|s| (s.name.clone(), id.clone())))
        .collect();
    args.name("one of your units", &names)
}

/// A leader's printed name.
pub fn name(v: &View, leader: &LeaderId) -> String {
    v.board.leaders.get(leader).map_or_else(|| leader.0.clone(), |s| s.name.clone())
}

/// A leader's name as an order writes it: in quotes where it has blanks.
pub fn order_name(v: &View, leader: &LeaderId) -> String {
    let name = name(v, leader);
    if name.contains(' ') { format!("\"{name}\"") } else { name }
}
