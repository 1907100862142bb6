//! Attacks: on their own sheet named by hex, on another one prepared by a march.

use super::march::{self, beside};
use super::said::{Said, Who};
use super::{choice, pick};
use crate::orders::mend::Mended;
use crate::orders::mend::change::ORDER;
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
        let with: Vec<Option<&Who>> = if named.is_empty() { vec![None] } else { named.iter().map(Some).collect() };
        let line = |who: &Option<&Who>| match who {
            Some(Who::Leader(id)) => Some(format!("ATTACK {to} WITH {}", super::name_of(v, id))),
            Some(_) => None,
            None => Some(format!("ATTACK {to}")),
        };
        let order = if said.head() == Some("ATTACK") { 0 } else { ORDER };
        let choices = with.iter().filter_map(line).map(|line| choice(said, line, &["ATTACK"], order)).collect();
        let lines = pick(said, choices);
        let told = Mended::from(said.fault);
        let why = if lines.is_empty() { told.why } else { "an attack is ATTACK hex WITH leader.".to_owned() };
        return Mended { why, rule: told.rule, lines, ..Mended::default() };
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
