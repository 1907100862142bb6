//! Checks for one reason, with what they make of the pieces, told in one sentence.

use super::Rules;
use crate::rules::tactical::sum::Sum;

/// What is said of one piece that is checked.
pub struct Check {
    /// The piece.
    pub unit: String,
    /// Its die in words; empty where nothing was rolled.
    pub die: String,
    /// What was added to the die.
    pub sum: Sum,
    /// What follows the die: its value, and what it makes of the piece.
    pub then: String,
}

impl Check {
    /// A check of one die against a value, both as they are told.
    pub fn of(unit: &str, die: i32, sum: Sum, (value, passed): (String, bool)) -> Check {
        let word = if passed { "passes" } else { "fails" };
        Check { unit: unit.to_owned(), die: format!("die {die}"), sum, then: format!(", {value}: {word}") }
    }
}

/// What an event tells of checks.
pub enum Test {
    /// A piece is checked, for a reason and by a paragraph.
    Checked(String, &'static str, Check),
    /// What a check makes of the piece that was checked last; where nobody was checked, what pieces become without.
    Then {
        /// The piece.
        unit: String,
        /// What it does or becomes then.
        what: String,
        /// The same in words for several, where it can be told without a check.
        alone: Option<&'static str>,
    },
    /// A piece is taken off the map.
    Falls {
        /// The piece.
        unit: String,
        /// What it does then.
        what: &'static str,
    },
}

impl Test {
    /// What a piece does or becomes then; `alone` the same in words for several, where it can be told without a check.
    pub fn then(unit: &str, what: impl Into<String>, alone: Option<&'static str>) -> Test {
        Test::Then { unit: unit.to_owned(), what: what.into(), alone }
    }
}

/// Checks for one reason, with what they make of the units; or units that become the same without one.
#[derive(Default)]
pub(super) struct Checks {
    /// The reason and its paragraph; none where nobody was checked.
    why: Option<(String, &'static str)>,
    units: Vec<Check>,
    /// Whether one of them falls by it.
    fell: bool,
    pub(super) from: Vec<usize>,
}

impl Checks {
    /// Whether this one piece, and no other, has become something without a check.
    pub(super) fn is_only(&self, unit: &str, then: &str) -> bool {
        self.why.is_none() && matches!(self.units.as_slice(), [only] if only.unit == unit && only.then == then)
    }

    fn push(&mut self, why: Option<(String, &'static str)>, check: Check) -> bool {
        if self.fell || (!self.units.is_empty() && self.why != why) {
            return false;
        }
        self.why = why;
        self.units.push(check);
        true
    }

    /// What a check makes of the unit that was checked last.
    fn then(&mut self, unit: &str, what: &str) -> bool {
        match self.units.last_mut().filter(|check| check.unit == unit) {
            Some(check) => check.then.push_str(&format!(" and {what}")),
            None => return false,
        }
        true
    }

    /// Takes what an event tells of checks; whether it goes with those before it.
    pub(super) fn take(&mut self, at: usize, test: Option<Test>) -> bool {
        let checked = self.why.is_some();
        let taken = match test {
            Some(Test::Checked(why, rule, check)) => self.push(Some((why, rule)), check),
            Some(Test::Then { unit, what, .. }) if checked => self.then(&unit, &what),
            Some(Test::Then { unit, alone: Some(then), .. }) => {
                let other = self.units.last().is_some_and(|check| check.then != then);
                let check = Check { unit, die: String::new(), sum: Sum::default(), then: then.to_owned() };
                !other && self.push(None, check)
            }
            Some(Test::Falls { unit, what }) => {
                let falls = !self.fell && self.then(&unit, what);
                self.fell |= falls;
                falls
            }
            Some(Test::Then { alone: None, .. }) | None => false,
        };
        self.from.extend(taken.then_some(at));
        taken
    }

    /// The sentence.
    pub(super) fn said(&self, rules: &Rules) -> String {
        let Some((why, rule)) = &self.why else {
            let units: Vec<&str> = self.units.iter().map(|check| check.unit.as_str()).collect();
            let all = self.units.first().map_or("", |check| &check.then);
            let fallen = if self.fell { format!(", {}", rules.falling) } else { String::new() };
            return format!("{} {all}. [{}{fallen}]", units.join(" "), rules.becoming);
        };
        let rule = if self.fell { format!("{rule}, {}", rules.falling) } else { (*rule).to_owned() };
        let alike = self.units.iter().all(|check| self.units.first().is_some_and(|first| first.sum == check.sum));
        let own = |check: &Check| if alike { String::new() } else { super::with(&check.sum) };
        let each = |check: &Check| format!("{} {}{}{}", check.unit, check.die, own(check), check.then);
        let units: Vec<String> = self.units.iter().map(each).collect();
        let head = self.units.first().filter(|_| alike).map_or_else(String::new, |first| super::with(&first.sum));
        format!("{why}{head}: {}. [{rule}]", units.join("; "))
    }
}
