//! 6.4 A corps or a list of units that goes as one picture: one way and one length for all, the front rank first, so that
//! nobody blocks himself.

use super::carry;
use super::{Halt, Move, Trace, left, trace};
use crate::fog::SideId;
use crate::orders::Fault;
use crate::plane::near::apart;
use crate::plane::{Fine, Heading, Spot};
use crate::rules::Outcome;
use crate::rules::austerlitz1805::board::{Arm, UnitId};
use crate::rules::austerlitz1805::hands::{Hand, table};
use crate::rules::austerlitz1805::table::{Table, um};

/// A march of several units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct March {
    /// Who.
    pub units: Vec<UnitId>,
    /// The place at which their middle looks.
    pub goal: Spot,
    /// At most; else as far as the slowest can.
    pub far: Option<i32>,
    /// Nobody goes farther than all can.
    pub keep: bool,
}

/// One unit of a march, and where it comes.
#[derive(Clone, Debug)]
pub struct Step {
    /// Who.
    pub unit: UnitId,
    /// Its order.
    pub mv: Move,
    /// What comes of it.
    pub found: Trace,
}

impl Step {
    /// By what it is stopped, to stand behind how far it went; nothing where nothing stops it.
    fn halted(&self) -> String {
        self.found.halt.as_ref().map_or(String::new(), |halt| format!(": {}", super::halt_words(halt).0))
    }
}

/// Where a march brings its units, and who stays with the reason.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// Who goes, in the order of going.
    pub steps: Vec<Step>,
    /// Who does not.
    pub stay: Vec<(UnitId, Fault)>,
    /// Of a formation that is kept, who comes least far and so holds up all.
    pub held: Option<Step>,
    /// How far they were to go.
    pub wanted: i32,
}

/// Who goes with a march: guns ready to fire stay, and HQs ride with their units.
fn goes(t: &Table, side: &SideId, id: &UnitId) -> Result<(), Fault> {
    super::may_act(t, side, id)?;
    super::on_wheels(t, id)
}

/// 6.4 The order of a march, and where each comes: whoever is not stopped by another of them goes first, and again from
/// the front rank on; who is left goes as far as it comes.
///
/// # Errors
/// Why nobody goes.
pub fn plan(t: &Table, side: &SideId, march: &March) -> Result<Picture, Fault> {
    let (mut able, mut stay) = (Vec::new(), Vec::new());
    let rides = |u: &UnitId| t.arm(u) == Arm::Hq || t.unit(u).is_none_or(|u| u.with.is_some());
    for unit in march.units.iter().filter(|u| !rides(u)) {
        match goes(t, side, unit) {
            Ok(()) => able.push(unit.clone()),
            Err(fault) => stay.push((unit.clone(), fault)),
        }
    }
    let Some(least) = able.iter().map(|u| left(t, u)).min().filter(|units| *units > 0) else {
        return Err(Fault::refused("nobody of them can move now".to_owned(), "6.4"));
    };
    let middle = March::middle(t, &able);
    let way = Heading::between(middle, march.goal.fine());
    let Some(way) = way else { return Err(Fault::refused("they are there already".to_owned(), "6.4")) };
    let far = march.far.unwrap_or(least).min(least).min(apart(middle, march.goal.fine()).units());
    let mut picture = walk(t, side, &able, (way, far), march.keep);
    let short = picture.steps.iter().map(|s| s.found.far()).min().unwrap_or(0);
    // All, or as far as all come: who would not come at all keeps nobody.
    let common = picture.steps.iter().map(|s| s.found.far()).filter(|far| *far > 0).min().unwrap_or(0);
    if march.keep && short < far && common > 0 {
        let slow = |s: &&Step| s.found.far() == common;
        let held = picture.steps.iter().find(slow).cloned();
        picture = Picture { held, ..walk(t, side, &able, (way, common), true) };
    }
    picture.stay.append(&mut stay);
    Ok(Picture { wanted: far, ..picture })
}

impl March {
    /// The middle of the fronts of some units: from there a march looks at its goal.
    pub fn middle(t: &Table, units: &[UnitId]) -> Fine {
        let n = i64::try_from(units.len()).unwrap_or(1).max(1);
        let fronts: Vec<Fine> = units.iter().map(|u| t.front(u)).collect();
        Fine { x: fronts.iter().map(|f| f.x).sum::<i64>() / n, y: fronts.iter().map(|f| f.y).sum::<i64>() / n }
    }
}

fn walk(t: &Table, side: &SideId, units: &[UnitId], (way, far): (Heading, i32), keep: bool) -> Picture {
    let mut t = t.clone();
    let mut waiting: Vec<UnitId> = units.to_vec();
    // The front rank first.
    waiting.sort_by_key(|u| {
        let (ray, front) = (way.ray(), t.front(u));
        let ahead = i128::from(front.x) * i128::from(ray.x) + i128::from(front.y) * i128::from(ray.y);
        (std::cmp::Reverse(ahead), u.clone())
    });
    let mut picture = Picture::default();
    while !waiting.is_empty() {
        let tries: Vec<Result<Step, Fault>> = waiting.iter().map(|u| step(&t, side, u, way, far)).collect();
        let free = |s: &Step| stopper(&s.found).is_none_or(|other| !waiting.contains(other));
        let next = tries.iter().position(|s| s.as_ref().map_or(true, free));
        let farthest = || (0..tries.len()).max_by_key(|n| (gone(&tries, *n), std::cmp::Reverse(*n)));
        let Some(at) = next.or_else(farthest) else { break };
        let unit = waiting.remove(at);
        match tries.into_iter().nth(at) {
            Some(Ok(mut step)) => {
                let stands = |other: &UnitId| t.side(other) == *side && !waiting.contains(other);
                if !keep && stopper(&step.found).is_some_and(stands) {
                    step = round(&t, side, step);
                }
                let pose = step.found.pose;
                t.units.entry(unit).and_modify(|u| u.pose = pose);
                picture.steps.push(step);
            }
            Some(Err(fault)) => picture.stay.push((unit, fault)),
            None => {}
        }
    }
    picture
}

fn gone(tries: &[Result<Step, Fault>], at: usize) -> i32 {
    tries.get(at).and_then(|s| s.as_ref().ok()).map_or(0, |s| s.found.far())
}

/// One unit's part of the march as things stand.
///
/// # Errors
/// Why it stays.
fn step(t: &Table, side: &SideId, unit: &UnitId, way: Heading, far: i32) -> Result<Step, Fault> {
    let goal = t.front(unit).toward(way, far).spot();
    let mv = Move::Toward { goal, units: Some(far), face: None };
    let found = trace(t, side, unit, &mv)?;
    Ok(Step { unit: unit.clone(), mv, found })
}

/// 6.9 The same round a friend who stays where he stands: each has a place of its own in the picture, and gets there.
fn round(t: &Table, side: &SideId, step: Step) -> Step {
    let Move::Toward { goal, units, .. } = step.mv else { return step };
    let mv = Move::Round { goal, units };
    match trace(t, side, &step.unit, &mv) {
        Ok(found) => Step { mv, found, ..step },
        Err(_) => step,
    }
}

/// 6.9 Who stops a unit on its way.
pub fn stopper(found: &Trace) -> Option<&UnitId> {
    match &found.halt {
        Some(Halt::Unit(other) | Halt::NoTurn(other)) => Some(other),
        _ => None,
    }
}

/// Carries a march out; says who came short, and who stays.
pub fn carry_out(cx: &mut Hand<'_>, side: &SideId, march: &March) -> Vec<UnitId> {
    let Picture { steps, stay, held, wanted } = match plan(table(cx), side, march) {
        Ok(picture) => picture,
        Err(fault) => {
            cx.outcome(fault.into());
            return Vec::new();
        }
    };
    let short = |s: &&Step| s.found.far() * 10 < wanted * 9;
    // Where a formation is kept, who holds it up says why all come short.
    let mut why: Vec<String> = match held.iter().find(short) {
        Some(held) => vec![holds(held)],
        None => steps.iter().filter(short).map(short_of).collect(),
    };
    why.extend(stay.iter().map(stays));
    let gone: Vec<UnitId> = steps.iter().map(|s| s.unit.clone()).collect();
    for step in &steps {
        if step.found.far() > 0 {
            carry::go(cx, side, &step.unit, &step.mv);
        }
    }
    if !why.is_empty() {
        cx.outcome(Outcome::Failed { why: why.join("; "), rule: "6.4".to_owned() });
    }
    gone
}

/// Who stays where it is, and why.
pub fn stays((unit, fault): &(UnitId, Fault)) -> String {
    let why = fault.why();
    if why.starts_with(&unit.0) { why } else { format!("{unit} stays: {why}") }
}

/// Who holds a formation up, and by what.
pub fn holds(step: &Step) -> String {
    format!("KEEP holds all to the {} UM of {}{}", um(step.found.far()), step.unit, step.halted())
}

fn short_of(step: &Step) -> String {
    format!("{} went {} UM{}", step.unit, um(step.found.far()), step.halted())
}
