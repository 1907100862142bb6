//! 8.1-8.4 What was meant by an attack: by those who can, and where they cannot, what has to come first.

use super::super::board::Arm;
use super::super::order::Order;
use super::super::rehearse::rehearse;
use super::super::{GreatBattles, fire};
use super::{SUPPORT, Said, taken};
use crate::hex::Hex;
use crate::rules::Ruleset;
use crate::rules::tactical::meant::acts::attack;
use crate::rules::tactical::meant::{Found, SUBJECT, Slot, Tongue};

/// 8.1-8.4 An attack by those who can; 8.3 where no bayonet attack may be, the assault.
pub(super) fn strike(said: &Said<'_>, verb: &'static str) -> Found {
    let mut support = said.units(&[SUPPORT]);
    let plain = said.units(&[Slot::Plain]);
    // Who is named behind WITH helps the one who attacks.
    if support.is_empty() && matches!(verb, "BAYONET" | "ASSAULT") && plain.len() == 1 {
        support = said.units(&[Slot::With]);
    }
    let none = said.tokens.iter().any(|token| token.text.eq_ignore_ascii_case("none"));
    let tail = |_: &[String]| match (verb, support.as_slice()) {
        ("BAYONET" | "ASSAULT", []) if none => " SUPPORT NONE".to_owned(),
        ("BAYONET" | "ASSAULT", [_, ..]) => format!(" SUPPORT {}", support.join(" ")),
        _ => String::new(),
    };
    if let Some(found) = out_of_reach(said, verb, &said.units(&SUBJECT)) {
        return found;
    }
    let mut found = attack(said, verb, true, tail);
    found.lines.retain(|line| !support.iter().any(|unit| line.split(' ').nth(1) == Some(unit)));
    // 8.2.1 Who is named to help has to be able to.
    if let Some(fault) = found.lines.iter().filter(|_| !support.is_empty()).find_map(|line| taken(said.v, line).err()) {
        return Found::fault(&fault);
    }
    // Where no hex is named, none is what stands in the way.
    if verb == "FIRE" && found.lines.is_empty() && said.places().is_empty() {
        let order = |unit: &String| Order::Fire { unit: unit.clone(), at: None };
        let fault = plain.first().and_then(|unit| said.v.tried(&order(unit)).err());
        return fault.map_or(found, |fault| Found::fault(&fault));
    }
    let other = match verb {
        "BAYONET" => "ASSAULT",
        "ASSAULT" => "BAYONET",
        "FIRE" if found.lines.is_empty() => return turned_to_fire(said, &plain).unwrap_or(found),
        _ => return found,
    };
    if !found.lines.is_empty() {
        return found;
    }
    let instead = attack(said, other, true, tail);
    // Who has written the other word himself is told why it is not that one.
    let why = if said.head.is_some_and(|(head, _)| head == verb) { found.why.clone() } else { instead.why };
    let whole = instead.whole && why.is_none();
    if instead.lines.is_empty() { found } else { Found { why, whole, ..instead } }
}

/// The one hex at which a line aims.
fn aim(said: &Said<'_>) -> Option<Hex> {
    match said.places().as_slice() {
        [place] if place.len() == 1 => place.first().copied(),
        _ => None,
    }
}

/// 8.2-8.4 Why the one unit that is named makes no such attack, wherever it stands or from where it stands now.
fn out_of_reach(said: &Said<'_>, verb: &str, units: &[String]) -> Option<Found> {
    let s = &said.v.state;
    let ([unit], Some(at)) = (units, aim(said)) else { return None };
    if verb == "CHARGE" && !s.is_arm(unit, Arm::Cav) {
        return Some(Found::reason(format!("{unit} is not horse: foot goes in with BAYONET or ASSAULT"), "8.4"));
    }
    let ghost = said.v.ghosts.iter().find(|(_, contact)| contact.face.hex == at);
    if let Some((tag, _)) = ghost.filter(|_| !s.held_against(at, &said.v.side)) {
        let why = format!(
            "{tag} was last seen in {at}, and nobody sees it now: send the MOVE first, and this when you see it"
        );
        return Some(Found::reason(why, "H.1"));
    }
    let far = s.pose(unit)?.distance(at);
    let foot = matches!(verb, "BAYONET" | "ASSAULT") && s.is_arm(unit, Arm::Inf);
    (foot && far > 1 && s.held_against(at, &said.v.side)).then(|| {
        let why = format!("{at} is {far} hexes from {unit}: it attacks who stands next to it, in front");
        Found::reason(why, if verb == "ASSAULT" { "8.3" } else { "8.2" })
    })
}

/// 6.1, 8.1 The turn by which a unit comes to fire at a hex that does not lie before it.
fn turned_to_fire(said: &Said<'_>, units: &[String]) -> Option<Found> {
    let ([unit], at) = (units, aim(said)?) else { return None };
    let fault = said.v.tried(&Order::Fire { unit: unit.clone(), at: Some(at) }).err()?;
    let turn = |way: &str| {
        let line = format!("MOVE {unit} {way}");
        let read = crate::orders::read(GreatBattles::verbs(), said.v, &crate::orders::line(1, &line)).ok()?;
        let after = rehearse(said.v, &read).ok()?.after;
        fire::may(&after.state, unit, Some(at)).ok().map(|_| line)
    };
    let line = ["L", "R"].into_iter().find_map(turn)?;
    let note = format!("That is the first of two lines: FIRE {unit} AT {at} below it.");
    Some(Found { lines: vec![line], note: Some(note), ..Found::fault(&fault) })
}
