//! What an order comes to on a view, as far as its seat can tell, and the view that it leaves for the lines below it.

use super::board::{FRENCH, other};
use super::event::{self, Event};
use super::order::{Call, Order};
use super::state::{Mood, Segment, State, Wish};
use super::view::View;
use super::{command, enter, march, odds, order, place, play, stacks, standing};
use crate::fog::SideId;
use crate::hex::{Dir, Hex};
use crate::orders::Fault;
use crate::rules::rehearsal::{Caution, Rehearsed, Warning};
use crate::text;

/// A rehearsal on its way.
pub(super) type Trial = crate::rules::rehearsal::Trial<State, Event>;

/// Rehearses one order.
///
/// # Errors
/// Why it would not be carried out, whatever is rolled.
pub fn rehearse(v: &View, o: &Order) -> Result<Rehearsed<View>, Fault> {
    let wanted = play::in_time(&v.state, o)?;
    let (s, side) = (v.state.clone(), v.side.clone());
    let mut t = Trial::new(s, side, event::apply);
    let mut left = false;
    for segment in [Segment::Fire, Segment::Melee] {
        if wanted.is_some_and(|wanted| wanted >= segment) && t.s.segment < segment {
            left |= t.s.segment == Segment::Movement && leave(&mut t);
            t.emit(&Event::Began { segment });
        }
    }
    let o = still(&mut t, o, left)?;
    if let Order::Melee { at, .. } = &o {
        odds::already(&mut t, &v.state, *at);
    }
    act(&mut t, &o);
    // 4.1.10
    stacks::ended(&t.s).iter().for_each(|event| t.emit(event));
    Ok(t.done(|state| View { state, ..v.clone() }))
}

/// 4.1.10, 6.3.1 Units that leave an over-stack when movement is over, whether there are any; and who fires in defence then.
fn leave(t: &mut Trial) -> bool {
    let steps = stacks::leaving(&t.s, &t.side);
    for step in &steps {
        if let Event::Stepped { unit, to, .. } = step {
            let from = t.s.hex(unit).map_or_else(String::new, |hex| format!(" {hex}"));
            t.say(format!("before it {unit} leaves the crowded hex{from} for {to}. [4.1.10]"));
        }
        t.emit(step);
    }
    odds::defence(t);
    !steps.is_empty()
}

/// The order; of several units without those who cannot after some have left an over-stack.
///
/// # Errors
/// Why nobody can.
fn still(t: &mut Trial, o: &Order, left: bool) -> Result<Order, Fault> {
    let Err(fault) = order::may(&t.s, o) else { return Ok(o.clone()) };
    let short = order::without_who_cannot(&t.s, o).filter(|_| left);
    let Some((order, out)) = short else { return Err(fault) };
    t.say(format!("counted without {}.", out.join(" ")));
    Ok(order)
}

fn act(t: &mut Trial, o: &Order) {
    match o {
        Order::Pass => t.said.push("you activate nobody.".to_owned()),
        Order::Activate(call) => activate(t, call),
        Order::Move { units, path, face } => {
            go(t, units, path, *face);
            for unit in face.iter().flat_map(|_| units) {
                let facing = face.unwrap_or(Dir::N);
                t.emit(&Event::Turned { unit: unit.clone(), facing });
            }
        }
        Order::Face { units, face } => {
            t.said.push(format!("{} {} to {}.", units.join(" "), verb(units, "turns", "turn"), face.name()));
            units.iter().for_each(|unit| t.emit(&Event::Turned { unit: unit.clone(), facing: *face }));
        }
        Order::Lead { leader, to } => {
            t.said.push(format!("{leader} rides to {to}."));
            t.emit(&Event::Rode { leader: leader.clone(), to: *to });
        }
        Order::Charge { unit, at } => odds::charge(t, unit, *at),
        Order::Fire { units, at } => odds::volley(t, units, *at),
        Order::Melee { units, at, first } => odds::clash(t, units, *at, first),
        Order::Advance { units, into } => {
            t.said.push(format!("{} into {into}.", units.join(" ")));
            for unit in units {
                t.emit(&Event::Went { unit: unit.clone(), to: *into, how: "advance".to_owned() });
            }
        }
        Order::Enter { pieces, at } => {
            if let Ok(at) = enter::may(&t.s, pieces, *at) {
                let cost = enter::price(&t.s, at);
                t.said.push(format!("{} come on by {at} for {cost} MP.", pieces.join(" ")));
                t.emit(&Event::Entered { pieces: pieces.clone(), at, cost });
            }
        }
        Order::Put { pieces, at, face } => put(t, pieces, *at, *face),
        Order::Guard { units } => {
            t.said.push(format!("Rear Guard: {}.", units.join(" ")));
            t.emit(&Event::RearGuard { units: units.clone() });
        }
        Order::Wish(wish) => wished(t, wish),
    }
}

fn verb<'w>(units: &[String], one: &'w str, many: &'w str) -> &'w str {
    if units.len() == 1 { one } else { many }
}

/// 5.3, 6.3.8f, 6.5.5, 8.3.2 What a side wants is noted.
fn wished(t: &mut Trial, wish: &Wish) {
    t.say(match wish {
        Wish::Regroup { .. } => "a die of 1 in the next Reinforcement Phase brings it back.".to_owned(),
        Wish::Loss { units } => format!("{} suffer first.", units.join(" ")),
        Wish::Stay { leader, stays } => {
            format!("{leader} {} when his men go back.", if *stays { "stays" } else { "goes along" })
        }
        Wish::Disband => "in the next Reinforcement Phase.".to_owned(),
    });
    let (side, wish) = (t.side.clone(), wish.clone());
    t.emit(&Event::Wished { side, wish });
}

/// 9.3.1 Pieces are put; of those that must stand apart the one that was there changes places.
fn put(t: &mut Trial, pieces: &[String], at: Hex, face: Option<Dir>) {
    for event in place::placed(&t.s, &t.side, pieces, at, face) {
        t.emit(&event);
    }
    t.said.push(format!("{} in {at}.", pieces.join(" ")));
}

/// 6.1.2, 6.1.3 The paragraph by which a side's leaders reach their men.
fn reached(side: &SideId) -> &'static str {
    if side.0 == FRENCH { "6.1.2" } else { "6.1.3" }
}

fn activate(t: &mut Trial, call: &Call) {
    let units = command::followers_with(&t.s, &t.side, call);
    let runs = |id: &&String| t.s.is(id, |u| u.mood == Mood::Routed);
    let (routers, acting): (Vec<&String>, Vec<&String>) = units.iter().partition(runs);
    let names: Vec<&str> = acting.iter().map(|id| id.as_str()).collect();
    match names.as_slice() {
        [] => t.warn(Caution::NoEffect, "nobody is near enough to act with them".to_owned(), reached(&t.side)),
        names => t.said.push(format!(
            "{}: {}.",
            text::plural(i64::try_from(names.len()).unwrap_or(0), "unit acts", "units act"),
            names.join(" ")
        )),
    }
    if !routers.is_empty() {
        let names: Vec<&str> = routers.iter().map(|id| id.as_str()).collect();
        t.said.push(format!("{} run on. [6.7.6]", names.join(" ")));
    }
    for unit in &call.test {
        let chance = odds::chance(&t.s, unit, 0);
        t.said.push(format!("{unit} is out of command: it acts in {chance}. [6.1.7]"));
    }
    let (side, leaders) = (t.side.clone(), call.leaders.clone());
    t.emit(&Event::Activated { side, leaders, units });
    t.emit(&Event::Began { segment: Segment::Movement });
}

/// 6.2.2, 6.2.7 The way of units as far as they come by what is seen.
fn go(t: &mut Trial, units: &[String], path: &[Hex], face: Option<Dir>) {
    let first = t.s.units.iter().filter(|(id, u)| u.spent > 0 && u.active && !u.done && !units.contains(id));
    let done: Vec<String> = first.map(|(id, _)| id.clone()).collect();
    t.emit(&Event::Finished { units: done });
    let (mut chart, mut stopped, mut taken) = (false, None, Vec::new());
    let enemy = other(&t.side);
    for to in path {
        for unit in units {
            let Some(u) = t.s.units.get(unit) else { continue };
            let Some(from) = u.hex else { continue };
            let (Ok(step), Some(facing)) = (march::step(&t.s, unit, from, *to, u.climbed), from.dir_to(*to)) else {
                continue;
            };
            chart |= step.chart > 0;
            let (unit, cost, level) = (unit.clone(), step.cost, step.chart);
            t.emit(&Event::Stepped { unit, to: *to, facing, cost, level, with: Vec::new(), pressed: false });
        }
        // DB.9 A dummy takes nobody.
        let there = !t.s.stack(*to, &t.side).is_empty();
        for leader in t.s.leaders_at(*to, &enemy).into_iter().filter(|_| there) {
            t.emit(&Event::Hurt { leader: leader.clone(), until: None });
            taken.push(leader);
        }
        if t.s.in_enemy_front(*to, &t.side) {
            units.iter().for_each(|unit| t.emit(&Event::Halted { unit: unit.clone() }));
            stopped = Some(*to);
            break;
        }
    }
    let spent = units.iter().filter_map(|id| Some((t.s.units.get(id)?.spent, t.s.ma(id))));
    let (spent, allowed) = spent.max_by_key(|(spent, allowed)| spent - allowed).unwrap_or_default();
    let first = units.first().and_then(|id| t.s.units.get(id));
    let end = first.and_then(|u| u.hex).map_or_else(String::new, |hex| hex.to_string());
    let faces = face.or(first.map(|u| u.facing)).map_or_else(String::new, |dir| format!(", facing {}", dir.name()));
    t.said.push(format!("{end}, {spent} of {allowed} MP{faces}."));
    if !taken.is_empty() {
        t.said.push(format!("takes {}. [6.2.8, 6.5.4]", text::and_list(&taken)));
    }
    if let Some(at) = stopped {
        t.said.push(format!("the front of an enemy stops them in {at}. [6.2.7]"));
    }
    if chart && t.s.level_die.is_none() {
        t.warn(Caution::Doubtful, "the die of the chart of levels may forbid it".to_owned(), "6.2.3d");
    }
    let end = units.first().and_then(|id| t.s.units.get(id)?.hex);
    if end.is_some_and(|hex| t.s.crowded(hex, &t.side)) {
        t.warn(Caution::Stack, "more stand there than may: all check when movement is over".to_owned(), "4.1.7");
    }
}

/// What the writer of a plan should know: W2, who could act and is not mentioned; W10, a town that is given up; a leader who
/// is left alone.
pub fn warnings(before: &View, after: &View, plan: &[Order]) -> Vec<Warning> {
    let named = |id: &String| plan.iter().any(|order| units_of(order).contains(id));
    let (s, side) = (&after.state, &after.side);
    if before.state.at != s.at || s.segment == Segment::Activation {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut warn = |kind, text: String, rule: &str| found.push(Warning { kind, text, rule: rule.to_owned() });
    let near = |hex: Hex| s.enemies(side).any(|(.., at)| at.adjacent(hex));
    let idle = s.standing().filter(|(id, u, hex)| {
        u.active && s.is_of(id, side) && u.mood == Mood::Fresh && s.ff(id) > 0 && !u.fired && near(*hex) && !named(id)
    });
    let idle: Vec<&str> = idle.map(|(id, ..)| id.as_str()).collect();
    if !idle.is_empty() {
        let text = format!("next to the enemy and without orders: {}", idle.join(" "));
        warn(Caution::NoOrders, text, "6.3.2");
    }
    if side.0 == FRENCH {
        for town in standing::given_up(&before.state, s) {
            warn(Caution::Objective, format!("{town} is left with fewer battalions than it needs"), "10.2.2");
        }
    }
    for (leader, hex) in standing::left_alone(&before.state, s, side) {
        warn(Caution::Alone, format!("{leader} is left alone in {hex}"), "6.5.4");
    }
    for (text, rule) in crowds(s, side) {
        warn(Caution::NoOrders, text, rule);
    }
    for (unit, at) in idle_charges(plan) {
        let text = format!("no MELEE line follows: {unit} tires and does not fight; add MELEE {unit} AT {at}");
        warn(Caution::NoOrders, text, "6.2.11h");
    }
    found
}

/// 6.4.3 Horse that charges in a plan and fights nobody by it, with its targets.
fn idle_charges(plan: &[Order]) -> Vec<(&String, Hex)> {
    let fights = |charger: &String| {
        plan.iter().any(|order| matches!(order, Order::Melee { units, .. } if units.contains(charger)))
    };
    let mut found = Vec::new();
    for order in plan {
        if let Order::Charge { unit, at } = order
            && !fights(unit)
        {
            found.push((unit, *at));
        }
    }
    found
}

/// 4.1.10, 4.1.11 What becomes of a side's over-stacks where no order thins them out.
fn crowds(s: &State, side: &SideId) -> Vec<(String, &'static str)> {
    let (mut found, mut thinned) = (Vec::new(), Vec::new());
    if s.segment == Segment::Movement {
        for step in stacks::leaving(s, side) {
            let Event::Stepped { unit, to, .. } = &step else { continue };
            let Some(hex) = s.hex(unit) else { continue };
            let text = format!("{hex} is over-stacked: {unit} goes to {to} when movement ends, or who you MOVE before");
            found.push((text, "4.1.10"));
            thinned.push(hex);
        }
    }
    for hex in s.crowds.iter().filter(|hex| s.crowded(**hex, side) && !thinned.contains(*hex)) {
        found.push((format!("{hex} is over-stacked: all there check when both sides have passed"), "4.1.11"));
    }
    found
}

/// The units that an order names.
pub fn units_of(order: &Order) -> &[String] {
    match order {
        Order::Move { units, .. }
        | Order::Face { units, .. }
        | Order::Fire { units, .. }
        | Order::Melee { units, .. }
        | Order::Guard { units }
        | Order::Wish(Wish::Loss { units })
        | Order::Advance { units, .. } => units,
        Order::Charge { unit, .. } | Order::Wish(Wish::Regroup { unit, .. }) => std::slice::from_ref(unit),
        Order::Enter { pieces, .. } | Order::Put { pieces, .. } => pieces,
        Order::Lead { leader, .. } | Order::Wish(Wish::Stay { leader, .. }) => std::slice::from_ref(leader),
        Order::Activate(call) => &call.leaders,
        Order::Pass | Order::Wish(Wish::Disband) => &[],
    }
}
