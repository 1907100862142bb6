//! 4.3-4.6 The sequence of a sheet: a line of an earlier part of the turn before those of later ones. 13.1, 6.9 Of its
//! movements, whose sequence the rules leave to the player, who is in nobody's way goes first.

use super::board::UnitId;
use super::moves::contact::{self, Tries};
use super::moves::group::{self, March};
use super::moves::{self, Move, Trace};
use super::order::{self, Order};
use super::state::At;
use super::table::Table;
use super::view::View;
use crate::fog::SideId;
use crate::plane::shape::Shape;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// So many of the lines that wait for each other are looked at closely.
const ROUND: usize = 8;

/// Which of the lines that wait is carried out next. A line of an earlier part of the turn overtakes those of later parts, but
/// none of the same unit: who would move and then fire means that. HQs ride first; then the first line that no own unit stops and that
/// ends in nobody's way, or of such lines the one that costs the others the least of theirs; then one whose way is barred
/// by an own unit that has no line, and so for good; where each waits for another, the one that goes farthest, round the others if need be. Only
/// movements pass each other, and attackers of one enemy whose ways cross: an attack, a condition, whoever follows another, or
/// another line of the same unit is overtaken by none.
pub fn next(v: &View, orders: &[Order]) -> usize {
    if let Some(at) = earlier(v, orders) {
        return at;
    }
    if let Some(at) = yields(v, orders) {
        return at;
    }
    let movers = movers(orders);
    if movers.len() < 2 {
        return 0;
    }
    let (t, me) = (&v.table, v.me());
    let rides = |order: &Order| match order {
        Order::Attach(hq, to) => moves::carry::may_attach(t, &me, hq, to).is_ok(),
        _ => false,
    };
    if let Some((at, _)) = movers.iter().find(|(_, order)| rides(order)) {
        return *at;
    }
    let mut lanes = Lanes::of(t, &movers);
    // Where a unit stands between two lines of its own nobody has to pass it.
    let goes_on = |unit: &UnitId| orders.iter().filter(|order| named(order).contains(&unit)).count() > 1;
    // The least that others lose, with the place of the line; and of those who wait for each other how far each comes.
    let mut free: Option<(i32, usize)> = None;
    let mut waits: Vec<(i32, usize)> = Vec::new();
    let mut barred: Option<usize> = None;
    for (at, order) in &movers {
        let (unit, mv) = match order {
            Order::Move(unit, mv) => (unit, mv),
            Order::March(march) => {
                let Some(far) = hindered(t, &me, march, &lanes) else { return *at };
                waits.push((far, *at));
                continue;
            }
            _ => continue,
        };
        let Ok(found) = moves::trace(t, &me, unit, &mv.straight()) else { return *at };
        match group::stopper(&found).filter(|other| *other != unit && t.side(other) == me) {
            None => {
                let stays = t.unit(unit).is_some_and(|u| u.pose.at == found.pose.at);
                let known = free.map_or(i32::MAX, |(least, _)| least);
                let lost = if stays || goes_on(unit) { 0 } else { lanes.lost(unit, &found, known) };
                if lost == 0 {
                    return *at;
                }
                if free.is_none_or(|(least, _)| lost < least) {
                    free = Some((lost, *at));
                }
            }
            Some(other) if lanes.waits(other) => waits.push((found.far(), *at)),
            Some(_) => _ = barred.get_or_insert(*at),
        }
    }
    let first = || movers.first().map_or(0, |(at, _)| *at);
    free.map(|(_, at)| at).or(barred).or_else(|| farthest(v, orders, waits)).unwrap_or_else(first)
}

/// Of lines that wait for each other the one that goes farthest, round the others if need be; of those that come far straight
/// on, since each other way is long to look for.
fn farthest(v: &View, orders: &[Order], mut waits: Vec<(i32, usize)>) -> Option<usize> {
    waits.sort_by_key(|(far, at)| (Reverse(*far), *at));
    let comes = |(far, at): (i32, usize)| match orders.get(at) {
        Some(Order::Move(unit, mv @ Move::Round { .. })) => {
            (moves::trace(&v.table, &v.me(), unit, mv).map_or(far, |found| found.far()), at)
        }
        _ => (far, at),
    };
    waits.into_iter().take(ROUND).map(comes).max_by_key(|(far, at)| (*far, Reverse(*at))).map(|(_, at)| at)
}

/// 13.13 Plans an attack together with those of the same enemy that wait below it, as if one line named them all.
pub fn together(order: &mut Order, waiting: &mut dyn Iterator<Item = Order>) -> Vec<usize> {
    let Order::Attack(onset) = order else { return Vec::new() };
    let mut places = Vec::new();
    for (place, other) in waiting.enumerate() {
        if let Order::Attack(other) = other
            && other.on == onset.on
        {
            places.push(place);
            let new = |id: &UnitId| !onset.by.contains(id) && !onset.joined.contains(id);
            let new: Vec<UnitId> = other.by.into_iter().filter(new).collect();
            onset.joined.extend(new);
        }
    }
    places
}

/// 13.13 Of attacks on one enemy at the head of the sheet, the one that has to be made before the first, since their ways
/// cross.
fn yields(v: &View, orders: &[Order]) -> Option<usize> {
    let alone = |order: &Order| match order {
        Order::Attack(onset) if onset.side.is_none() && !onset.straight && !onset.halves => match onset.by.as_slice() {
            [unit] => Some((unit.clone(), onset.on.clone())),
            _ => None,
        },
        _ => None,
    };
    let (first, on) = alone(orders.first()?)?;
    let others = orders.iter().skip(1).map_while(alone).take_while(|(_, other)| *other == on);
    let before = |(unit, _): &(UnitId, UnitId)| {
        *unit != first && contact::pair(&v.table, (&first, unit), &on, Tries::Attack).is_some_and(|pair| pair.turned)
    };
    others.zip(1..).find(|(other, _)| before(other)).map(|(_, at)| at)
}

/// 6.4 How far a march comes at least, where one that waits bars it; none where nobody does.
fn hindered(t: &Table, me: &SideId, march: &March, lanes: &Lanes<'_>) -> Option<i32> {
    let picture = group::plan(t, me, march).ok()?;
    let barred = |found: &Trace| group::stopper(found).is_some_and(|o| lanes.waits(o) && !march.units.contains(o));
    let barred = picture.steps.iter().chain(&picture.held).any(|step| barred(&step.found));
    barred.then(|| picture.steps.iter().map(|step| step.found.far()).min().unwrap_or(0))
}

/// 4.3-4.6 The first line of the earliest part of the turn, where one of a later part stands at the head.
fn earlier(v: &View, orders: &[Order]) -> Option<usize> {
    if !matches!(v.at, At::Own(_)) {
        return None;
    }
    let part = |order: &Order| order::step(order).filter(|step| *step >= v.step);
    let head = part(orders.first()?)?;
    let mut above: Vec<&UnitId> = Vec::new();
    let mut found: Option<(super::state::Step, usize)> = None;
    for (at, order) in orders.iter().enumerate() {
        let units = order::units(order);
        let free = !units.iter().any(|unit| above.contains(unit));
        if let Some(step) = part(order).filter(|step| free && *step < found.map_or(head, |(least, _)| least)) {
            found = Some((step, at));
        }
        above.extend(units);
    }
    found.map(|(_, at)| at)
}

/// The ways of those who wait, as they would go if all of them had left already.
struct Lanes<'o> {
    t: &'o Table,
    waiting: Vec<UnitId>,
    lines: Vec<(&'o UnitId, &'o Move)>,
    known: BTreeMap<&'o UnitId, Lane>,
}

/// The ground that a unit goes over, and how far.
struct Lane {
    ground: Vec<Shape>,
    far: i32,
}

impl<'o> Lanes<'o> {
    fn of(t: &'o Table, movers: &[(usize, &'o Order)]) -> Lanes<'o> {
        let waiting = movers.iter().flat_map(|(_, order)| named(order)).cloned().collect();
        let line = |(_, order): &(usize, &'o Order)| match order {
            Order::Move(unit, mv) => Some((unit, mv)),
            _ => None,
        };
        Lanes { t, waiting, lines: movers.iter().filter_map(line).collect(), known: BTreeMap::new() }
    }

    fn waits(&self, unit: &UnitId) -> bool {
        self.waiting.contains(unit)
    }

    /// How much of their ways the others lose if a unit stands in them where its own ends; counted until it is no better
    /// than what is known already.
    fn lost(&mut self, unit: &UnitId, found: &Trace, known: i32) -> i32 {
        let t = self.t;
        let size = t.board.tables.size(found.form);
        let end = Shape::block(found.pose.stand(), size);
        let mut lost = 0;
        for (other, mv) in &self.lines {
            let (Some(from), own) = (t.unit(other).map(|u| u.pose.at), t.size(other)) else { continue };
            // No block reaches farther from its middle than half its front and half its depth.
            let reach = moves::asked(t, other, mv) + (size.front + size.depth + own.front + own.depth) / 2;
            let (x, y) = (found.pose.at.x - from.x, found.pose.at.y - from.y);
            if *other == unit || x.abs() > reach || y.abs() > reach {
                continue;
            }
            let waiting = &self.waiting;
            let lane = self.known.entry(other).or_insert_with(|| Lane::of(t, other, mv, waiting));
            if lane.ground.iter().any(|ground| ground.overlaps(&end)) {
                lost += (lane.far - t.shape(other).gap(&end).units()).max(1);
            }
            if lost >= known {
                break;
            }
        }
        lost
    }
}

impl Lane {
    fn of(t: &Table, unit: &UnitId, mv: &Move, waiting: &[UnitId]) -> Lane {
        let Ok(found) = moves::without(t, unit, &mv.straight(), waiting) else {
            return Lane { ground: Vec::new(), far: 0 };
        };
        Lane { ground: found.ground(t, unit), far: found.far() }
    }
}

/// Movements from the head of the sheet on, the first of each unit.
fn movers(orders: &[Order]) -> Vec<(usize, &Order)> {
    let moves = |(_, order): &(usize, &Order)| matches!(order, Order::Move(..) | Order::March(_) | Order::Attach(..));
    let mut found: Vec<(usize, &Order)> = Vec::new();
    let mut seen: Vec<&UnitId> = Vec::new();
    for (at, order) in orders.iter().enumerate().take_while(moves) {
        let names = named(order);
        if !names.iter().any(|unit| seen.contains(unit)) {
            found.push((at, order));
        }
        seen.extend(names);
    }
    found
}

/// Whom a movement is about.
fn named(order: &Order) -> Vec<&UnitId> {
    match order {
        Order::Move(unit, _) => vec![unit],
        Order::March(March { units, .. }) => units.iter().collect(),
        // Its unit moves after it, and takes it along.
        Order::Attach(hq, _) => vec![hq],
        _ => Vec::new(),
    }
}
