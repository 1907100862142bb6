//! Attacks: on their own sheet named by hex, on another one prepared by a march.

use super::march::{self, beside};
use super::said::{Said, Who};
use super::{choice, pick};
use crate::hex::Hex;
use crate::orders::mend::Mended;
use crate::orders::mend::change::ORDER;
use crate::rules::campaigns::combat::designate::Field;
use crate::rules::campaigns::sequence::At;

/// ¶301-313 An attack.
pub fn attack(said: &Said<'_>) -> Mended {
    let v = said.v;
    let named = said.who();
    let places = said.places();
    let Some((to, _)) = places.last().cloned() else {
        let why = match said.stranger() {
            Some(name) => format!("an attack names a hex, not {}.", crate::text::quoted(&name)),
            None => "an attack names the hex: ATTACK hex WITH leader, on sheet B.".to_owned(),
        };
        return Mended { why, rule: "¶301".to_owned(), ..Mended::default() };
    };
    if matches!(&v.at, At::Designate(side) | At::Round(side, _) if *side == v.side_id()) {
        return on_its_sheet(said, to, &named);
    }
    let who = match named.first() {
        Some(who) => who.clone(),
        None => match said.forces_near(to).into_iter().next() {
            Some((id, _)) => Who::Leader(id),
            None => return Mended::default(),
        },
    };
    let lines = said.hex(&who).map(|from| march::toward(said, &who, beside(said, from, to))).unwrap_or_default();
    let why = match v.at {
        At::Own(_) if !lines.is_empty() => {
            "attacks are sheet B; this is sheet A, movement.  Bring a force next to it first.".to_owned()
        }
        _ => "attacks are sheet B, after movement and reaction.".to_owned(),
    };
    Mended { why, rule: "¶301".to_owned(), lines, ..Mended::default() }
}

/// ¶302-305 The attack itself: by all who are named together, or by each who may be meant.
fn on_its_sheet(said: &Said<'_>, to: Hex, named: &[Who]) -> Mended {
    let leaders: Vec<String> = named
        .iter()
        .filter_map(|who| if let Who::Leader(id) = who { Some(super::name_of(said.v, id)) } else { None })
        .collect();
    let with: Vec<String> = if said.together() { vec![leaders.join(", ")] } else { leaders };
    let lines: Vec<String> = match (named.is_empty(), with.as_slice()) {
        (true, _) => vec![format!("ATTACK {to}")],
        (false, with) => with.iter().map(|with| format!("ATTACK {to} WITH {with}")).collect(),
    };
    let order = if said.head() == Some("ATTACK") { 0 } else { ORDER };
    // The true reason is that of the attack that is meant, and not that of the words that name it.
    let refused = lines.first().and_then(|line| super::refusal(said.v, line));
    let found = pick(said, lines.into_iter().map(|line| choice(said, line, &["ATTACK", "WITH"], order)).collect());
    let told = Mended::from(refused.as_ref().unwrap_or(said.fault));
    let (why, rule) = match found.is_empty() {
        true => (told.why, told.rule),
        false => ("an attack is ATTACK hex WITH leader.".to_owned(), "¶302".to_owned()),
    };
    Mended { why, rule, lines: found, ..Mended::default() }
}

/// ¶233-235 Somebody is not to attack: what need not be attacked may be declined.
pub fn decline(said: &Said<'_>) -> Mended {
    let field = Field::of(said.v);
    let duties = field.duties();
    let named: Vec<Hex> = said.places().into_iter().map(|(hex, _)| hex).collect();
    let meant = |hex: &Hex| named.is_empty() || named.contains(hex);
    let free: Vec<Hex> = field.chances().into_iter().filter(|hex| meant(hex) && !duties.contains(hex)).collect();
    if free.is_empty() {
        let why = "on sheet B nobody attacks unasked but who must; what must be attacked cannot be declined.";
        return Mended { why: why.to_owned(), rule: "¶233".to_owned(), ..Mended::default() };
    }
    let choices = free.iter().map(|hex| choice(said, format!("DECLINE {hex}"), &["DECLINE"], 0)).collect();
    let why = "an attack that is not made is DECLINE hex; unasked only those attack who must.".to_owned();
    Mended { why, rule: "¶235".to_owned(), lines: pick(said, choices), ..Mended::default() }
}
