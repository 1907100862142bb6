//! Two characters for every counter of both sides, made from the orders of battle, the same for a whole game.
//!
//! The side that moves first has a small letter of its column and a digit, the other the sign of its corps and a capital,
//! so that no label of one side is one of the other, whoever reads it.

use super::raw;
use crate::rules::austerlitz1805::board::{Arm, SideSpec, UnitId};
use crate::yaml::Flaw;
use std::collections::{BTreeMap, BTreeSet};

/// Behind a sign of the side that moves first.
const DIGITS: &str = "123456789xyzwvutsrqpnmkjhgfedcba";
/// Behind a sign of the other side; no I and no O, which are read as digits.
const CAPITALS: &str = "ABCDEFGHJKLMNPQRSTUVWXYZ";

/// The label of every counter: leaders come last in their corps, as most of them stand with a unit.
pub fn labels(
    rolls: &[(&str, raw::OrderOfBattle)],
    sides: &[SideSpec],
    flaws: &mut Vec<Flaw>,
) -> BTreeMap<UnitId, String> {
    let mut found = BTreeMap::new();
    for (file, roll) in rolls {
        let first = sides.first().is_some_and(|s| s.id.0 == roll.side);
        let seconds = if first { DIGITS } else { CAPITALS };
        for (corps, sign) in roll.corps.iter().zip(signs(file, roll, first, flaws)) {
            let (staff, troops): (Vec<_>, Vec<_>) = corps.units.iter().partition(|unit| unit.arm == Arm::Hq);
            let mut seconds = seconds.chars();
            for unit in troops.into_iter().chain(staff) {
                // A corps with more counters than signs leaves the last ones to their names.
                if let Some(second) = seconds.next() {
                    found.insert(UnitId(unit.name.value.clone()), format!("{sign}{second}"));
                }
            }
        }
    }
    found
}

/// The sign of each corps: what is written, else by its number, else the first letter of its name that is free.
fn signs(file: &str, roll: &raw::OrderOfBattle, first: bool, flaws: &mut Vec<Flaw>) -> Vec<char> {
    let mut taken: BTreeSet<char> = BTreeSet::new();
    for written in roll.corps.iter().filter_map(|corps| corps.sign.as_ref()) {
        let mut letters = written.value.chars();
        let fits = |c: char| if first { c.is_ascii_lowercase() } else { c.is_ascii_uppercase() || c.is_ascii_digit() };
        let alone = letters.next().filter(|c| fits(*c) && letters.next().is_none());
        if !alone.is_some_and(|sign| taken.insert(sign)) {
            let kind = if first { "a small letter" } else { "a digit or a capital" };
            let message = format!("\"{}\" is no sign of a corps of this side, or another has it.", written.value);
            flaws.push(Flaw::at(file, written, message, format!("Write {kind} that no other corps has.")));
        }
    }
    let mut found = Vec::new();
    for corps in &roll.corps {
        let written = corps.sign.as_ref().and_then(|sign| sign.value.chars().next());
        let sign = written.unwrap_or_else(|| {
            let letters: Vec<char> = if first { ('a'..='z').collect() } else { ('A'..='Z').collect() };
            let own = corps.corps.chars().map(|c| if first { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() });
            let wanted: Vec<char> = numbered(&corps.corps, first).into_iter().chain(own).chain(letters).collect();
            wanted.into_iter().find(|c| c.is_ascii_alphanumeric() && !taken.contains(c)).unwrap_or('?')
        });
        taken.insert(sign);
        found.push(sign);
    }
    found
}

/// The sign of a numbered corps: IV is 4, or d where letters are wanted.
fn numbered(corps: &str, letters: bool) -> Option<char> {
    const ROMAN: [&str; 9] = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"];
    let at = ROMAN.iter().position(|roman| *roman == corps)?;
    if letters { ('a'..='i').nth(at) } else { ('1'..='9').nth(at) }
}
