//! Lines of the open sheet that would be taken as they stand, one below the other: a leader, and what he and his men may do. None
//! gives up a town or leaves a leader alone (10.2.2, 6.5.4).

use super::my_sheet;
use crate::orders;
use crate::rules::Ruleset;
use crate::rules::brave_fellows::order::Order;
use crate::rules::brave_fellows::state::{At, Segment};
use crate::rules::brave_fellows::view::View;
use crate::rules::brave_fellows::{BraveFellows, solo, standing};
use crate::rules::rehearsal::{Caution, Plan};

/// Lines that a letter offers.
const OFFERS: usize = 7;
/// Of them so many at most of one verb.
const OF_A_VERB: usize = 2;

/// Lines that are offered, and the plan that they make.
struct Offered<'v> {
    v: &'v View,
    found: Vec<String>,
    plan: Plan<BraveFellows>,
}

/// Lines of the open sheet: a leader to activate, then what the program itself would do with him, then examples.
pub fn offers(v: &View) -> Vec<String> {
    if !my_sheet(v) {
        return Vec::new();
    }
    let mut offered = Offered { v, found: Vec::new(), plan: Plan::new(v.clone()) };
    offered.take(examples(v, |verb| verb == "ACTIVATE").into_iter().take(1));
    let now = offered.plan.now().clone();
    if matches!(now.state.at, At::Impulse(_)) && now.state.segment > Segment::Activation {
        let left = [Segment::Movement, Segment::Fire, Segment::Melee].into_iter();
        for segment in left.filter(|segment| *segment >= now.state.segment) {
            if segment == Segment::Melee {
                offered.fight_on();
            }
            let mut then = offered.plan.now().clone();
            then.state.segment = segment;
            offered.take(solo::lines(&then, &[], 0).into_iter());
        }
    }
    // To turn somebody is no plan of an impulse.
    let turns = |verb: &str| verb == "FACE" && !matches!(v.state.at, At::Setup(_));
    let others = examples(&now, |verb| !turns(verb) && verb != "ACTIVATE");
    offered.take(others.into_iter());
    offered.fight_on();
    offered.found
}

/// The examples of some verbs.
fn examples(v: &View, of: impl Fn(&str) -> bool) -> Vec<String> {
    BraveFellows::verbs().iter().filter(|verb| of(verb.word)).flat_map(|verb| (verb.examples)(v)).collect()
}

/// Words that are no plan, or that anybody knows.
const IDLE: [&str; 3] = ["END", "PASS", "LOSS"];

impl Offered<'_> {
    /// Takes those of some lines that are sound, each with the rides that keep a leader with his men.
    fn take(&mut self, lines: impl Iterator<Item = String>) {
        for line in lines {
            let verb = line.split(' ').next().unwrap_or_default().to_owned();
            let same = |found: &&String| found.split(' ').next() == Some(&verb);
            let who = |line: &str| line.split(' ').take(2).map(str::to_owned).collect::<Vec<_>>();
            let named = self.found.iter().any(|found| who(found) == who(&line));
            // 5.3.1 A side wishes for one unit.
            let most = if verb == "REGROUP" { 1 } else { OF_A_VERB };
            let full = self.found.len() >= OFFERS || self.found.iter().filter(same).count() >= most;
            if full || named || IDLE.contains(&verb.as_str()) {
                continue;
            }
            let Some(rides) = self.sound(&line) else { continue };
            for line in std::iter::once(line).chain(rides) {
                if self.plan.line(&orders::line(1, &line)).is_ok() {
                    self.found.push(line);
                }
            }
        }
    }

    /// 6.2.11, 6.4.3 Below a charge stands its melee: without one the horse tires for nothing.
    fn fight_on(&mut self) {
        let read = |line: &String| orders::read(BraveFellows::verbs(), self.v, &orders::line(1, line)).ok();
        let planned: Vec<Order> = self.found.iter().filter_map(read).collect();
        for order in &planned {
            let Order::Charge { unit, at } = order else { continue };
            let fights = |other: &Order| matches!(other, Order::Melee { units, .. } if units.contains(unit));
            let line = format!("MELEE {unit} AT {at}");
            if !planned.iter().any(fights) && self.plan.line(&orders::line(1, &line)).is_ok() {
                self.found.push(line);
            }
        }
    }

    /// The rides that a line needs beside it; none where it is not to be offered.
    fn sound(&self, line: &str) -> Option<Vec<String>> {
        let (v, now) = (self.v, self.plan.now());
        let order = orders::read(BraveFellows::verbs(), now, &orders::line(1, line)).ok()?;
        let tried = BraveFellows::rehearse(now, &order).ok()?;
        let bad = |kind| matches!(kind, Caution::NoEffect | Caution::Short | Caution::Stack | Caution::Doubtful);
        if tried.warnings.iter().any(|warning| bad(warning.kind)) {
            return None;
        }
        let after = &tried.after.state;
        if !standing::given_up(&v.state, after).is_empty() {
            return None;
        }
        let alone = standing::left_alone(&now.state, after, &v.side);
        let ride = |(leader, from): (String, crate::hex::Hex)| {
            let unit = now.state.stack(from, &v.side).into_iter().find_map(|id| after.units.get(&id)?.hex)?;
            BraveFellows::rehearse(&tried.after, &Order::Lead { leader: leader.clone(), to: unit }).ok()?;
            Some(format!("LEADER {leader} TO {unit}"))
        };
        alone.into_iter().map(ride).collect()
    }
}
