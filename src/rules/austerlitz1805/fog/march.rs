//! 16.4.2.6 Chits on the move.

use super::super::board::Soil;
use super::super::event::{Fact, Secret};
use super::super::hands::{Hand, table, tell};
use super::super::mist::ChitId;
use super::super::moves::{Halt, halt_words};
use super::super::state::Hidden;
use super::super::table::{Table, um};
use super::super::terrain;
use super::{hidden, uncover};
use crate::fog::SideId;
use crate::orders::Fault;
use crate::plane::near::{apart, to_side};
use crate::plane::shape::Shape;
use crate::plane::{Heading, Spot};
use crate::rules::{Outcome, Play};

/// Ground is looked at every so many units.
const STEP: i32 = 5;

/// Where a march ends.
pub struct March {
    /// The chit.
    pub chit: ChitId,
    /// Where it lay.
    pub from: Spot,
    /// Where it ends.
    pub to: Spot,
    /// Units gone.
    pub far: i32,
    /// Allowance used.
    pub cost: i32,
    /// Why it goes no farther.
    pub halt: Option<Halt>,
}

/// 16.4.2.6 Where a chit would end: straight toward a place, up to 2 UM whatever it holds. Ground treats every chit as
/// infantry of the line, so that its speed tells nothing.
///
/// # Errors
/// Why it may not move.
pub fn trace(
    t: &Table,
    own: &Hidden,
    side: &SideId,
    number: u8,
    goal: Spot,
    units: Option<i32>,
) -> Result<March, Fault> {
    let Some((id, chit)) = own.boxes.get(&number).and_then(|b| Some((&b.chit, t.chit(&b.chit)?))) else {
        return Err(Fault::refused(format!("you have no chit {number} on the map"), "16.4.2.6"));
    };
    let left = t.board.tables.moves.chit - chit.spent;
    if left <= 0 || units.is_some_and(|u| u > left) {
        let why = format!("chit {number} has {} UM left of its {}", um(left.max(0)), um(t.board.tables.moves.chit));
        return Err(Fault::refused(why, "16.4.2.6"));
    }
    let most = units.unwrap_or(left).min(apart(chit.at.fine(), goal.fine()).units());
    let mut march = March { chit: id.clone(), from: chit.at, to: chit.at, far: 0, cost: 0, halt: None };
    let Some(way) = Heading::between(chit.at.fine(), goal.fine()) else { return Ok(march) };
    let banks = bank(t, chit.at);
    let enemies = near(t, side, chit.at, chit.at.fine().toward(way, most).spot());
    while march.far < most {
        let step = STEP.min(most - march.far);
        let next = if march.far + step == most && most == apart(chit.at.fine(), goal.fine()).units() {
            goal
        } else {
            chit.at.fine().toward(way, march.far + step).spot()
        };
        let wooded = t.board.ground.soils(Soil::Woods).any(|a| a.shape.holds(next.fine()));
        let factor = if wooded && !terrain::on_road(t, next.fine()) { t.board.tables.terrain.woods_factor } else { 1 };
        let stop = stop(t, side, march.to, next, &banks);
        if stop.is_some() || march.cost + step * factor > left {
            // 6.10.1: who named no distance went as far as the ground lets him.
            march.halt = stop.or(units.is_some().then_some(Halt::Allowance));
            break;
        }
        march.far += step;
        march.to = next;
        march.cost += step * factor;
        let here = t.chit_shape(next);
        let met = enemies.iter().find(|(shape, _)| t.sight.is_some_and(|range| shape.gap(&here).within(range)));
        if let Some((_, met)) = met {
            // Who asked for no more has what he asked for.
            march.halt = (march.far < most).then(|| met.clone());
            break;
        }
    }
    Ok(march)
}

/// What stops a chit before its next step.
fn stop(t: &Table, side: &SideId, from: Spot, to: Spot, banks: &[String]) -> Option<Halt> {
    let ground = &t.board.ground;
    if to.x < 0 || to.y < 0 || to.x > ground.width || to.y > ground.height {
        return Some(Halt::Edge);
    }
    if t.board.closed(t.mist.assault, side, to) && !t.board.closed(t.mist.assault, side, from) {
        return Some(Halt::Closed);
    }
    if let Some(pond) = ground.soils(Soil::Pond).find(|a| a.shape.holds(to.fine())) {
        return Some(Halt::Ground(pond.name.clone()));
    }
    let stream = terrain::ford(t, from.fine(), to.fine()).filter(|s| !banks.contains(&s.name));
    stream.map(|s| Halt::Stream(s.name.clone()))
}

/// EX.1 Streams at whose bank a chit lies, and which it may ford.
fn bank(t: &Table, at: Spot) -> Vec<String> {
    let near = t.board.tables.contact;
    let streams = t.board.ground.ways(super::super::board::Way::Stream);
    let close = streams.filter(|c| c.stretches().any(|(a, b)| to_side(at.fine(), (a.fine(), b.fine())).within(near)));
    close.map(|c| c.name.clone()).collect()
}

/// 16.4.2.7, A-19 Enemy chits and units that may come within the range of detection on a way.
fn near(t: &Table, side: &SideId, from: Spot, to: Spot) -> Vec<(Shape, Halt)> {
    let Some(range) = t.sight else { return Vec::new() };
    let whole = t.chit_shape(from).swept(&t.chit_shape(to));
    let chits = t.mist.chits.iter().filter(|(_, c)| c.side != *side);
    let chits = chits.map(|(id, c)| (t.chit_shape(c.at), Halt::Chit(id.clone(), range)));
    let units = t.standing().filter(|(_, u)| u.side != *side).map(|(id, _)| (t.shape(id), Halt::Unit(id.clone())));
    // A step is rounded to whole units, so that it may lie beside the straight way by one.
    chits.chain(units).filter(|(shape, _)| shape.gap(&whole).within(range + 2)).collect()
}

/// 16.4.2.6, 16.4.2.7 MARCH.
pub fn march(cx: &mut Hand<'_>, side: &SideId, number: u8, goal: Spot, units: Option<i32>) -> Play<()> {
    let march = match trace(table(cx), hidden(cx, side), side, number, goal, units) {
        Ok(march) => march,
        Err(fault) => {
            cx.outcome(fault.into());
            return Ok(());
        }
    };
    let March { chit, from, to, cost, halt, .. } = march;
    if to != from {
        tell(cx, Fact::Marched { chit: chit.clone(), from, to, cost });
        pass(cx, side, number, (from, to));
    }
    if let Some(halt) = &halt {
        let (why, rule) = words(halt);
        let gone = um(apart(from.fine(), to.fine()).units());
        let why = format!("chit {number} went {gone} UM: {why}");
        cx.outcome(Outcome::Failed { why, rule: rule.to_owned() });
    }
    uncover::detect(cx, Some(&chit))
}

/// What stops a chit, as a report says it.
pub fn words(halt: &Halt) -> (String, &'static str) {
    match halt {
        Halt::Unit(unit) => (format!("{unit} is near enough to detect it"), "16.4.2.7"),
        other => halt_words(other),
    }
}

/// 17.1.1.6, A-32 Places that a chit passes count for its side when it is uncovered and held units.
fn pass(cx: &mut Hand<'_>, side: &SideId, number: u8, (from, to): (Spot, Spot)) {
    let t = table(cx);
    let when = t.player_turn(side);
    let on_way =
        |p: &&super::super::board::Place| p.vp > 0 && to_side(p.at.fine(), (from.fine(), to.fine())).within(p.radius);
    let places: Vec<String> = t.board.places.iter().filter(on_way).map(|p| p.name.clone()).collect();
    for place in places {
        cx.emit(Secret::Passed { side: side.clone(), number, place, when }.into());
    }
}
