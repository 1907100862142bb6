//! What is said of an attack that was planned: for which sheet, with what, and the odds by the tables (¶300-362).

use super::march::foes;
use crate::hex::Hex;
use crate::orders::{Args, line};
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::combat::clause::{self, Clause};
use crate::rules::campaigns::combat::designate::Field;
use crate::rules::campaigns::combat::forecast::{self, ROUNDS};
use crate::rules::campaigns::combat::order::{self, Order};
use crate::rules::campaigns::sequence::At;
use crate::rules::campaigns::view::View;

/// Plays behind one line of odds: each number is within three of a hundred.
const PLAYS: u32 = 400;

/// What is said of an order of battle.
pub fn words(v: &View, order: &Order) -> Vec<String> {
    let attacked: Vec<Hex> = order.plans.iter().flat_map(|(_, texts)| texts).flat_map(|text| hexes(v, text)).collect();
    if attacked.is_empty() {
        return order::check(v, order);
    }
    let field = Field::of(v);
    let near = |leader: &LeaderId| attacked.iter().any(|hex| field.can(leader, *hex));
    let own: i32 = field.forces().into_keys().filter(near).map(|leader| v.own.sp(&leader)).sum();
    let when = match v.at {
        At::Designate(_) => format!("{} attacked", foes(v, &attacked)),
        _ => format!("for sheet B, if {} are still there", foes(v, &attacked)),
    };
    let mut said = vec![format!("{when}.  {own} SP, {ROUNDS} rounds:")];
    for hex in attacked {
        for (enemy, found) in forecast::odds(v, hex, PLAYS) {
            said.push(format!(
                "against {enemy:>2} SP  they leave {}, you {} of 100; you lose {}, they {}",
                found.of_100(found.won),
                found.of_100(found.lost),
                found.tenths(found.attacker),
                found.tenths(found.defender),
            ));
        }
    }
    said
}

/// The hexes that a clause attacks.
fn hexes(v: &View, text: &str) -> Vec<Hex> {
    let line = line(0, text);
    match clause::read(v, &mut Args::new(&line, 0)) {
        Ok(Clause::Attack(hexes)) => hexes,
        _ => Vec::new(),
    }
}
