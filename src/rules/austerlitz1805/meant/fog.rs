//! Lines about chits in the words of somebody who does not know the forms: `march +1 towards Puntowitz`, `uncover 6`, a
//! chit that is put down in an area and at no place of it.

use super::said::Said;
use super::{Thing, pick};
use crate::orders::mend::Mended;
use crate::orders::mend::change::Choice;
use crate::orders::mend::lexicon::Sense;
use crate::orders::{Fault, fold};
use crate::plane::Spot;
use crate::rules::austerlitz1805::state::At;
use crate::rules::austerlitz1805::table::um;

/// Words that want a chit turned over, beside DEPLOY.
const OPEN: [&str; 7] = ["uncover", "reveal", "open", "deploy", "unmask", "decouvrir", "aufdecken"];

/// 16.4.2 The answer to a line about chits; none where it is about something else, or where its form is right.
pub fn mended(said: &Said<'_>) -> Option<Mended> {
    said.v.table.board.flow.as_ref()?;
    in_area(said).or_else(|| placed(said)).or_else(|| opened(said)).or_else(|| attacked(said)).or_else(|| marched(said))
}

/// Whether a chit may be meant: its number, or the word itself.
pub fn names_chit(said: &Said<'_>) -> bool {
    said.v.table.board.flow.is_some() && (opens(said) && number(said).is_some())
}

fn has(said: &Said<'_>, words: &[&str]) -> bool {
    said.words.iter().any(|word| words.contains(&word.fold.as_str()))
}

/// The box that is named: by its number, as the mails print it, or by the chit's name.
fn number(said: &Said<'_>) -> Option<u8> {
    let own = &said.v.own.boxes;
    said.words.iter().find_map(|word| {
        let named = own.iter().find(|(_, boxed)| fold(&boxed.chit.0) == word.fold).map(|(number, _)| *number);
        named.or_else(|| printed(&word.text))
    })
}

/// The number of a box as it is written, also with the sign that the mails print before it: `6`, `+6`, `#6`.
pub fn printed(word: &str) -> Option<u8> {
    let digits = word.trim_start_matches(['+', '#']);
    digits.parse().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()))
}

fn opens(said: &Said<'_>) -> bool {
    let over = said.words.get(1).is_some_and(|word| word.fold == "over");
    said.words.first().is_some_and(|word| OPEN.contains(&word.fold.as_str()) || word.fold == "turn" && over)
}

/// 16.4.2.8 A chit is to be turned over.
fn opened(said: &Said<'_>) -> Option<Mended> {
    let number = number(said).filter(|_| opens(said) && said.who().is_empty() && !at_fog(said))?;
    let line = format!("DEPLOY {number}");
    if fold(&said.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")) == fold(&line) {
        return None;
    }
    let fault = super::refused(said.v, &line);
    let lines = pick(said, vec![Choice { line, cost: 0 }]);
    let told = fault.map(|fault| Mended::from(&fault)).filter(|_| lines.is_empty());
    let why = "DEPLOY and its number turn a chit of yours over.".to_owned();
    let mended = Mended { why, rule: "16.4.2.8".to_owned(), lines, ..Mended::default() };
    Some(told.unwrap_or_else(|| super::told(said, mended)))
}

fn at_fog(said: &Said<'_>) -> bool {
    matches!(said.v.at, At::Fog | At::Deploy)
}

/// 16.4.2.6, 16.4.2.7 A chit that is to attack another goes at it; only units attack.
fn attacked(said: &Said<'_>) -> Option<Mended> {
    if said.head() != Some("ATTACK") || at_fog(said) || !said.who().is_empty() {
        return None;
    }
    let number = printed(&said.words.get(1)?.text)?;
    let me = said.v.me();
    let enemy = said.v.table.mist.chits.iter().filter(|(_, chit)| chit.side != me).map(|(id, _)| &id.0);
    let at = enemy.into_iter().find(|id| said.words.iter().any(|word| word.fold == fold(id)))?;
    let lines = pick(said, vec![Choice { line: format!("MARCH {number} TOWARD {at}"), cost: 0 }]);
    let why = "a chit does not attack; it marches at the enemy, and both are uncovered there.".to_owned();
    Some(Mended { why, rule: "16.4.2.7".to_owned(), lines, ..Mended::default() })
}

/// 16.4.2.6 A chit is to march.
fn marched(said: &Said<'_>) -> Option<Mended> {
    // The mails print an own chit as `+1`.
    let printed = said.words.iter().any(|word| word.text.strip_prefix('+').is_some_and(|n| n.parse::<u8>().is_ok()));
    let chit = printed || has(said, &["chit", "chits"]);
    let head = said.head() == Some("MARCH") || chit && said.means(Sense::Go);
    if !head || at_fog(said) || !said.who().is_empty() {
        return None;
    }
    if said.means(Sense::All) {
        let chits: Vec<u8> = said.v.own.boxes.keys().copied().collect();
        let why = match chits.first() {
            Some(first) => format!("one line a chit: MARCH {first} TOWARD place 2UM, and so for each."),
            None => "you have no chit on the map.".to_owned(),
        };
        return Some(Mended { why, rule: "16.4.2.6".to_owned(), ..Mended::default() });
    }
    let number = number(said)?;
    let (to, _) = said.goal()?;
    // The number of the chit is no distance.
    let box_itself = said.tokens.iter().position(|t| t.text == number.to_string());
    let others = said.tokens.iter().enumerate().filter(|(at, _)| Some(*at) != box_itself);
    let far = others.flat_map(|(_, t)| &t.things).find_map(|t| if let Thing::Far(f) = t { Some(*f) } else { None });
    let far = far.map(|far| format!(" {}UM", um(far))).unwrap_or_default();
    let line = format!("MARCH {number} TOWARD {to}{far}");
    let lines = pick(said, vec![Choice { line: line.clone(), cost: 0 }]);
    if lines.is_empty() {
        let fault = super::refused(said.v, &line)?;
        return Some(Mended { lines: Vec::new(), ..Mended::from(&fault) });
    }
    let why = "a chit's march is MARCH number TOWARD place 2UM.".to_owned();
    Some(super::told(said, Mended { why, rule: "16.4.2.6".to_owned(), lines, ..Mended::default() }))
}

/// 16.4.2 A chit or a decoy is put down in free words: `put A and B at Pratzen as chit 1`, `decoy at 15000,13000`.
fn placed(said: &Said<'_>) -> Option<Mended> {
    let formed = matches!(said.head(), Some("CHIT" | "DECOY")) && said.tokens.iter().any(|t| t.key == Some("PLACE"));
    let of_chits = has(said, &["chit", "chits", "decoy", "decoys", "dummy"]);
    if said.v.at != At::Fog || formed || !of_chits {
        return None;
    }
    let own = |thing: &Thing| match thing {
        Thing::Own(id) | Thing::Off(id) => Some(id.0.clone()),
        _ => None,
    };
    let units: Vec<String> =
        said.tokens.iter().filter(|t| t.things.len() == 1).filter_map(|t| own(t.things.first()?)).collect();
    let empty = has(said, &["decoy", "decoys", "dummy", "empty"]);
    if empty != units.is_empty() {
        return None;
    }
    // A place with steps is one word, and read with the whole line.
    let stepped = said.words.iter().find(|word| word.text.contains('+')).map(|word| word.text.clone());
    let at = stepped.or_else(|| said.goal().map(|(name, _)| name))?;
    let numbered =
        said.words.windows(2).find(|pair| matches!(pair, [word, _] if ["chit", "decoy"].contains(&word.fold.as_str())));
    let numbered = numbered.and_then(|pair| printed(&pair.get(1)?.text));
    let free = (1..=said.v.table.board.tables.fog.boxes).find(|number| !said.v.own.boxes.contains_key(number));
    let number = numbered.or(free)?;
    let line = match empty {
        true => format!("DECOY {number} PLACE {at}"),
        false => format!("CHIT {number} = {} PLACE {at}", units.join(", ")),
    };
    let shape = if empty { "a decoy is DECOY number PLACE place" } else { "a chit is CHIT number = units PLACE place" };
    let mut lines = pick(said, vec![Choice { line: line.clone(), cost: 0 }]);
    let (mut why, mut rule) = (format!("{shape}."), "16.4.2".to_owned());
    if lines.is_empty() {
        let told = Mended::from(&super::refused(said.v, &line)?);
        lines = pick(said, told.lines.into_iter().map(|line| Choice { line, cost: 0 }).collect());
        why = format!("{shape}; {}", told.why);
        rule = told.rule;
    }
    Some(Mended { why, rule, lines, ..Mended::default() })
}

/// 16.4.2.4 A chit is put down in an area: where in it, as near to its middle as it may lie.
fn in_area(said: &Said<'_>) -> Option<Mended> {
    if !matches!(said.head(), Some("CHIT" | "DECOY")) {
        return None;
    }
    let place = said.words.iter().position(|word| word.fold == "place")?;
    let area = said.words.get(place.checked_add(1)?).filter(|_| said.words.len() == place.saturating_add(2))?;
    let zone = said.v.table.board.strategic.zones.iter().find(|zone| fold(&zone.id) == area.fold)?;
    let (low, high) = zone.rect;
    let middle = Spot::new((low.x + high.x) / 2, (low.y + high.y) / 2);
    let before: Vec<&str> = said.source.rsplitn(2, area.text.as_str()).collect();
    let line = format!("{}{middle}", before.get(1)?);
    let mut why = format!("{} is an area; a chit lies at a place in it", zone.id);
    let mut lines = pick(said, vec![Choice { line: line.clone(), cost: 0 }]);
    let mut rule = "16.4.2.4".to_owned();
    if lines.is_empty() {
        let fault = super::refused(said.v, &line).filter(|fault| matches!(fault, Fault::Refused { .. }))?;
        let told = Mended::from(&fault);
        lines = pick(said, told.lines.into_iter().map(|line| Choice { line, cost: 0 }).collect());
        // Its middle is written for it, so that what is wrong there is no fault of the writer's.
        why = format!("{why}; {}", told.why.trim_end_matches('.'));
        rule = told.rule;
    } else {
        why = format!("{why}, such as its middle, {middle}");
    }
    Some(Mended { why: format!("{why}."), rule, lines, ..Mended::default() })
}
