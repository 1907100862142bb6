//! What a plan comes to as far as its seat can know: each order tried on the view that the orders above it leave.

use super::Ruleset;
use crate::fog::{Fogged, SideId};
use crate::orders::{self, Fault, Line};
use std::cell::RefCell;
use std::collections::BTreeMap;

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

    /// Other rolls may make more happen, such as that a hex is emptied, so that a line below may be written for it.
    pub fn besides(&mut self, events: impl IntoIterator<Item = E>)
    where
        S: Clone,
    {
        let mut other = self.s.clone();
        events.into_iter().for_each(|e| (self.apply)(&mut other, &e));
        self.others = vec![self.s.clone(), other];
    }

    /// What it comes to, with the views that it leaves.
    pub fn done<V>(self, seen: impl Fn(S) -> V) -> Rehearsed<V> {
        let Trial { s, said, warnings, others, .. } = self;
        Rehearsed { said, warnings, after: seen(s), others: others.into_iter().map(seen).collect() }
    }
}

/// Lines as they are read on one view, each once, by their words.
pub struct Known<R: Ruleset>(RefCell<BTreeMap<String, R::Order>>);

impl<R: Ruleset> Default for Known<R> {
    fn default() -> Known<R> {
        Known(RefCell::default())
    }
}

impl<R: Ruleset> Known<R> {
    /// Reads a line on the view, which is the same each time.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(&self, view: &R::View, line: &Line) -> Result<R::Order, Fault> {
        if let Some(known) = self.0.borrow().get(&line.source) {
            return Ok(known.clone());
        }
        let order = orders::read(R::verbs(), view, line)?;
        self.0.borrow_mut().insert(line.source.clone(), order.clone());
        Ok(order)
    }
}

/// A plan as it is rehearsed: each line on the view that the lines above it leave.
pub struct Plan<R: Ruleset> {
    before: R::View,
    now: R::View,
    /// The same where every roll above came out badly, and where every one came out well, as far as they were needed.
    worlds: Vec<World<R::View>>,
    lines: Vec<Line>,
    /// The sheet to which they belong, those below them too.
    sheet: Vec<String>,
    orders: Vec<R::Order>,
    /// What was read on the view as it is now.
    reads: Known<R>,
    /// Lines that were tried aside.
    asides: u32,
    /// Whether what is said of its lines is sought.
    how: How<R>,
}

/// A plan on which the dice smile or frown throughout.
struct World<V> {
    view: V,
    good: bool,
    /// Lines that it has seen.
    seen: usize,
}

impl<R: Ruleset> Plan<R> {
    /// An empty plan on what a seat sees.
    pub fn new(view: R::View) -> Plan<R> {
        let worlds = [true, false].map(|good| World { view: view.clone(), good, seen: 0 }).into();
        Plan {
            now: view.clone(),
            worlds,
            before: view,
            lines: Vec::new(),
            sheet: Vec::new(),
            orders: Vec::new(),
            reads: Known::default(),
            asides: 0,
            how: R::rehearse,
        }
    }

    /// Says that nobody reads what is said of its lines: what costs much of that is left out.
    pub fn hush(&mut self) {
        self.how = R::foresee;
    }

    /// Says what sheet is to be rehearsed, so that a line is planned together with those below it with which it belongs.
    pub fn expect<'l>(&mut self, sheet: impl Iterator<Item = &'l str>) {
        self.sheet.extend(sheet.map(str::to_owned));
    }

    /// The view that the lines so far most likely leave: a line is read on it.
    pub fn now(&self) -> &R::View {
        &self.now
    }

    /// Reads a line on that view, once for as long as it lasts.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(&self, line: &Line) -> Result<R::Order, Fault> {
        self.reads.read(&self.now, line)
    }

    /// The plan goes on to another view.
    fn go_on(&mut self, after: R::View) {
        self.now = after;
        self.reads = Known::default();
    }

    /// Rehearses one more line. What only other rolls than the likely ones would make legal is taken, and its writer warned.
    ///
    /// # Errors
    /// Why no roll could make it legal.
    pub fn line(&mut self, line: &Line) -> Result<Rehearsed<R::View>, Fault> {
        self.put(line, self.how)
    }

    /// Rehearses one more line, and plans it where it is sound; whether it is.
    pub fn keep(&mut self, line: &Line, sound: impl Fn(&Rehearsed<R::View>) -> bool) -> bool {
        let Ok((order, found)) = self.found(line, R::rehearse) else { return false };
        let kept = sound(&found);
        if kept {
            self.go_on(found.after);
            self.orders.push(order);
            self.lines.push(line.clone());
        }
        kept
    }

    /// Plays a line of which nobody needs to be told; one that comes to nothing leaves the plan as it is.
    pub fn replay(&mut self, line: &Line) {
        let _ = self.put(line, R::foresee);
    }

    fn put(&mut self, line: &Line, how: How<R>) -> Result<Rehearsed<R::View>, Fault> {
        let (order, rehearsed) = self.found(line, how)?;
        self.go_on(rehearsed.after.clone());
        self.orders.push(order);
        self.lines.push(line.clone());
        Ok(rehearsed)
    }

    /// Rehearses a line that the ones below do not follow upon.
    ///
    /// # Errors
    /// Why no roll could make it legal.
    pub fn aside(&mut self, line: &Line) -> Result<Rehearsed<R::View>, Fault> {
        self.asides = self.asides.saturating_add(1);
        self.found(line, self.how).map(|(_, rehearsed)| rehearsed)
    }

    /// Whether a line that the ones below do not follow upon would be taken.
    pub fn takes(&mut self, line: &Line) -> bool {
        self.asides = self.asides.saturating_add(1);
        self.found(line, R::foresee).is_ok()
    }

    /// How many lines were played.
    pub fn played(&self) -> usize {
        self.lines.len()
    }

    /// How many lines were tried aside.
    pub fn asides(&self) -> u32 {
        self.asides
    }

    fn found(&mut self, line: &Line, how: How<R>) -> Found<R> {
        let waiting = self.below(line).filter_map(|text| self.read(&orders::line(0, text)).ok());
        let found = self.read(line).and_then(|order| rehearse::<R>(&self.now, order, waiting, how));
        found.or_else(|fault| {
            let (order, found) = self.elsewhere(line, how).ok_or_else(|| fault.clone())?;
            Ok((order, unlikely(found, &fault, &self.now)))
        })
    }

    /// Lines of the sheet that are still to come behind one.
    fn below<'p>(&'p self, line: &'p Line) -> impl Iterator<Item = &'p str> {
        let past = move |text: &&String| self.lines.iter().chain([line]).any(|past| past.source == **text);
        self.sheet.iter().filter(move |text| !past(text)).map(String::as_str)
    }

    /// The line on another world than the likely one, if it is legal in any.
    fn elsewhere(&mut self, line: &Line, how: How<R>) -> Option<(R::Order, Rehearsed<R::View>)> {
        for world in &mut self.worlds {
            for line in self.lines.iter().skip(world.seen) {
                if let Ok((_, found)) = alone::<R>(&world.view, line, R::foresee) {
                    let other = if world.good { found.others.last() } else { found.others.first() };
                    world.view = other.cloned().unwrap_or(found.after);
                }
            }
            world.seen = self.lines.len();
        }
        self.worlds.iter().find_map(|world| alone::<R>(&world.view, line, how).ok())
    }

    /// What the writer of the plan so far should know.
    pub fn warnings(&self) -> Vec<Warning> {
        R::warnings(&self.before, &self.now, &self.orders)
    }
}

/// What an order comes to: with what is said of it, or without.
type How<R> = fn(&<R as Fogged>::View, &<R as Ruleset>::Order) -> Result<Rehearsed<<R as Fogged>::View>, Fault>;

/// An order and what it comes to.
type Found<R> = Result<(<R as Ruleset>::Order, Rehearsed<<R as Fogged>::View>), Fault>;

/// Reads and rehearses a line on one view, for itself.
fn alone<R: Ruleset>(view: &R::View, line: &Line, how: How<R>) -> Found<R> {
    rehearse::<R>(view, orders::read(R::verbs(), view, line)?, std::iter::empty(), how)
}

/// Rehearses an order on one view, planned together with those that wait below it where they belong together.
fn rehearse<R: Ruleset>(
    view: &R::View,
    mut order: R::Order,
    mut waiting: impl Iterator<Item = R::Order>,
    how: How<R>,
) -> Found<R> {
    R::together(view, &mut order, &mut waiting);
    let rehearsed = how(view, &order)?;
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
    /// W2 too: a force or unit that could act is left out for good when the sheet ends; END says so.
    LeftOut,
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
    /// One's own are struck as well.
    Own,
    /// A leader stays behind where nobody is with him.
    Alone,
}
