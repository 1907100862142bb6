//! What an order comes to, tried on the table as a seat knows it.

use crate::fog::SideId;
use crate::rules::rehearsal::{Caution, Rehearsed, Warning};

/// A rehearsal on its way.
pub struct Trial<S, E> {
    /// The table as it is then.
    pub s: S,
    /// Who writes.
    pub side: SideId,
    /// What is said of it.
    pub said: Vec<String>,
    /// What its writer should know.
    pub warnings: Vec<Warning>,
    /// Tables that other rolls leave, the worst first.
    pub others: Vec<S>,
    apply: fn(&mut S, &E),
}

impl<S, E> Trial<S, E> {
    /// The table before it.
    pub fn new(s: S, side: SideId, apply: fn(&mut S, &E)) -> Trial<S, E> {
        Trial { s, side, said: Vec::new(), warnings: Vec::new(), others: Vec::new(), apply }
    }

    /// Something happens.
    pub fn emit(&mut self, e: &E) {
        (self.apply)(&mut self.s, e);
    }

    /// Something is said of it.
    pub fn say(&mut self, text: impl Into<String>) {
        self.said.push(text.into());
    }

    /// Its writer should know something.
    pub fn warn(&mut self, kind: Caution, text: String, rule: &str) {
        self.warnings.push(Warning { kind, text, rule: rule.to_owned() });
    }

    /// What it comes to, with the views that it leaves.
    pub fn done<V>(self, seen: impl Fn(S) -> V) -> Rehearsed<V> {
        let Trial { s, said, warnings, others, .. } = self;
        Rehearsed { said, warnings, after: seen(s), others: others.into_iter().map(seen).collect() }
    }
}
