//! What is wrong with a march, in one sentence, and what to know before the line offered is sent.

use super::march::{MODES, leg, ordered};
use super::names::{Thing, written};
use super::said::{Said, Who};
use crate::hex::Hex;
use crate::orders::Fault;
use crate::orders::mend::hear::Token;
use crate::rules::campaigns::sequence::At;
use crate::rules::campaigns::words;

/// What is wrong with a march, in the smallest words.
pub fn why(said: &Said<'_>) -> (String, String) {
    if let Some((written, read)) = &said.tail_slip {
        return (format!("\"{}\" is read as {read}.", crate::text::quoted(written)), String::new());
    }
    if let Some(slip) = said.tokens.iter().find(|t| t.slips > 0) {
        let read = slip_read(said, slip);
        return (format!("\"{}\" is read as {read}.", crate::text::quoted(&slip.text)), String::new());
    }
    if let Fault::Refused { why, rule, .. } = said.fault {
        return (format!("{}.", why.trim_end_matches('.')), rule.clone());
    }
    let english = said.words.iter().all(|w| w.text.is_ascii()) && said.head().is_some();
    let foreign = ["nach", "vers", "sur", "marche", "marschiert", "marschieren", "und", "zurück", "aller", "va"];
    if said.words.iter().any(|w| foreign.contains(&w.text.to_lowercase().as_str())) {
        return ("orders are in English keywords; names may be in any language.".to_owned(), String::new());
    }
    let free = if matches!(said.v.at, At::Reaction(_)) { "FORCED" } else { "INITIATIVE" };
    let moded = said.tokens.iter().any(|t| t.key.is_some_and(|key| MODES.contains(&key)));
    let forces = said.who().iter().all(|who| matches!(who, Who::Leader(_)));
    if english && forces && moded && !ordered(said) {
        return (format!("{free} stands before MARCH."), String::new());
    }
    if english && forces && !moded && !said.key("ROAD") {
        let why = format!("{free} is missing before MARCH, and ROAD TO before a place that is not next door.");
        return (why, String::new());
    }
    if english && forces && !moded {
        return (format!("{free} or COMMAND is missing before MARCH."), String::new());
    }
    if english && !said.key("ROAD") {
        return ("ROAD TO is missing: MARCH ROAD TO a place, or every hex.".to_owned(), String::new());
    }
    let commands = said.v.board.policies.no_command_turns.get(&said.v.side_id());
    if forces && commands.is_some_and(|turns| turns.contains(&said.v.turn)) {
        let why = format!("a march is FORCE name ... MARCH.  {free} is assumed: no commands this turn.");
        return (why, "¶168".to_owned());
    }
    if forces {
        return (format!("a march is FORCE name ... MARCH.  {free} is assumed: it costs nothing."), String::new());
    }
    ("a march is VEDETTE n MARCH ROAD TO place, or CENTER MARCH ROAD TO place.".to_owned(), String::new())
}

/// What a misspelt word is read as.
fn slip_read(said: &Said<'_>, slip: &Token<Thing>) -> String {
    let named = slip.things.iter().find_map(|thing| match thing {
        Thing::Leader(id) | Thing::Absent(id) | Thing::Foe(id) => Some(words::name(said.v, id)),
        Thing::Place(hex) => Some(written(said.v, *hex)),
        Thing::Unit(id) => said.v.board.units.get(id).map(|s| s.name.clone()),
        Thing::Center => Some("CENTER".to_owned()),
        _ => None,
    });
    named.or_else(|| slip.key.map(str::to_owned)).unwrap_or_else(|| "another word".to_owned())
}

/// ¶181, 233, 243 What to know before it is sent.
pub fn note(said: &Said<'_>, who: &Who, to: Hex) -> Option<String> {
    let tags = said.v.tags_at(to);
    if *who == Who::Center {
        return Some("The center is inactive in your next turn. [¶181]".to_owned());
    }
    let names: Vec<String> = tags.iter().map(|n| format!("E{n}")).collect();
    let stand = if names.len() == 1 { "stands" } else { "stand" };
    let before = leg(said, said.hex(who)?, to).and_then(|way| way.iter().rev().nth(1).copied());
    (!tags.is_empty()).then(|| {
        let stop = before.map_or_else(String::new, |hex| format!(" he stops at {hex} and"));
        format!("{} {stand} there.  Unless they leave{stop} must attack. [¶233, 243]", names.join(" "))
    })
}
