//! What a plan comes to as far as its seat can know: each order tried on the view that the orders above it leave.

use super::Ruleset;
use crate::orders::{self, Fault, Line};

/// What one order of a plan comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rehearsed<V> {
    /// Where it ends, what it costs, by what chance; short sentences, each a line.
    pub said: Vec<String>,
    /// What its writer should know before it is sent.
    pub warnings: Vec<Warning>,
    /// The view that it most likely leaves: own pieces moved, enemy counters where they stand, nothing learnt.
    pub after: V,
    /// Views that other rolls leave, the worst first and the best last; none where nothing is rolled that matters.
    pub others: Vec<V>,
}

/// A plan as it is rehearsed: each line on the view that the lines above it leave.
pub struct Plan<R: Ruleset> {
    before: R::View,
    now: R::View,
    /// The same where every roll above came out badly.
    bad: R::View,
    /// The same where every roll above came out well.
    good: R::View,
    orders: Vec<R::Order>,
}

impl<R: Ruleset> Plan<R> {
    /// An empty plan on what a seat sees.
    pub fn new(view: R::View) -> Plan<R> {
        Plan { now: view.clone(), bad: view.clone(), good: view.clone(), before: view, orders: Vec::new() }
    }

    /// The view that the lines so far most likely leave: a line is read on it.
    pub fn now(&self) -> &R::View {
        &self.now
    }

    /// Rehearses one more line. What only other rolls than the likely ones would make legal is taken, and its writer warned.
    ///
    /// # Errors
    /// Why no roll could make it legal.
    pub fn line(&mut self, line: &Line) -> Result<Rehearsed<R::View>, Fault> {
        let (bad, good) = (rehearse::<R>(&self.bad, line), rehearse::<R>(&self.good, line));
        if let Ok((_, found)) = &bad {
            self.bad = found.others.first().unwrap_or(&found.after).clone();
        }
        if let Ok((_, found)) = &good {
            self.good = found.others.last().unwrap_or(&found.after).clone();
        }
        let (order, rehearsed) = match rehearse::<R>(&self.now, line) {
            Ok(found) => {
                self.now = found.1.after.clone();
                found
            }
            Err(fault) => {
                let (order, found) = good.or(bad).map_err(|_| fault.clone())?;
                (order, unlikely(found, &fault, &self.now))
            }
        };
        self.orders.push(order);
        Ok(rehearsed)
    }

    /// What the writer of the plan so far should know.
    pub fn warnings(&self) -> Vec<Warning> {
        R::warnings(&self.before, &self.now, &self.orders)
    }
}

/// Reads and rehearses a line on one view.
fn rehearse<R: Ruleset>(view: &R::View, line: &Line) -> Result<(R::Order, Rehearsed<R::View>), Fault> {
    let order = orders::bind(R::verbs(), view, line)?;
    let rehearsed = R::rehearse(view, &order)?;
    Ok((order, rehearsed))
}

/// A line that comes to something only if a line above comes out otherwise than it most likely does.
fn unlikely<V: Clone>(found: Rehearsed<V>, fault: &Fault, now: &V) -> Rehearsed<V> {
    let (why, rule) = match fault {
        Fault::Refused { why, rule, .. } => (why.clone(), rule.clone()),
        other => (other.to_string(), String::new()),
    };
    let text = format!("only if a roll above comes out otherwise: {why}");
    let mut warnings = found.warnings;
    warnings.push(Warning { kind: Caution::Doubtful, text, rule });
    Rehearsed { said: found.said, warnings, after: now.clone(), others: Vec::new() }
}

/// One warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Which of them.
    pub kind: Caution,
    /// A sentence.
    pub text: String,
    /// The paragraph, such as `¶371`; empty where it rests on none.
    pub rule: String,
}

/// The warnings that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Caution {
    /// W1: the line ends where an attack is demanded.
    MustAttack,
    /// W2: a force or unit that could act has no orders.
    NoOrders,
    /// W3: a place ends above its limit, or without a leader who may command all in it.
    Stack,
    /// W4: far round, or past an enemy.
    Detour,
    /// W5: beyond reach.
    Reach,
    /// W6: out of command, or more commands than points.
    Command,
    /// W7: the center moves or may have to flee.
    Center,
    /// W8: the line of communications runs where known enemies may cut it.
    Communications,
    /// W9: a mean loss of more than one point.
    Attrition,
    /// W10: the last force leaves a place that scores.
    Objective,
    /// W11: it changes nothing.
    NoEffect,
    /// It comes to something only if a roll above comes out otherwise than it most likely does.
    Doubtful,
    /// W12: an enemy stands there.
    Enemy,
    /// W13: out of arc, sight, range or ammunition, or a charge that comes short.
    Short,
}
