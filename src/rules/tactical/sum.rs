//! Sums whose parts are named, so that a report can say what a number is made of.

use serde::{Deserialize, Serialize};

/// Named parts of one number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sum(pub Vec<(String, i32)>);

impl Sum {
    /// Adds a part; one that is nought is not written down.
    pub fn add(&mut self, what: impl Into<String>, by: i32) {
        if by != 0 {
            self.0.push((what.into(), by));
        }
    }

    /// Adds a part where something is so.
    pub fn when(&mut self, is_so: bool, what: impl Into<String>, by: i32) {
        if is_so {
            self.add(what, by);
        }
    }

    /// The whole.
    pub fn total(&self) -> i32 {
        self.0.iter().map(|(_, by)| by).sum()
    }

    /// The parts in words: `point blank +1, town -2`.
    pub fn words(&self) -> String {
        let parts: Vec<String> = self.0.iter().map(|(what, by)| format!("{what} {by:+}")).collect();
        parts.join(", ")
    }

    /// The same in brackets, behind what they are added to; nothing where there are none.
    pub fn behind(&self) -> String {
        if self.0.is_empty() { String::new() } else { format!(" ({})", self.words()) }
    }
}

/// Half of a number, fractions up.
pub fn half_up(n: i32) -> i32 {
    (n + 1).div_euclid(2)
}
