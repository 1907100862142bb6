//! 6 Movement: where a unit would end, computed on the table alone, so that CHECK and play agree.

pub mod carry;
pub mod contact;
mod detour;
pub mod group;
mod halts;
pub mod sought;
mod walk;

use super::assault::calm;
use super::board::{Arm, Kind, UnitId};
use super::load::fits;
use super::table::{Formation, Mark, Mood, Pose, Table, Unit, um};
use super::terrain;
use crate::fog::SideId;
use crate::orders::Fault;
use crate::plane::near::apart;
use crate::plane::shape::Shape;
use crate::plane::walk::turn_room;
use crate::plane::{Fine, Heading, Spot, Stand, UM};
pub use halts::halt_words;
use std::rc::Rc;
use walk::Scene;
pub use walk::{HALF, Halt, Walk};

/// The widest turn of one marker.
pub const MARKER_TURN: i32 = 45;

/// A movement as ordered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// Toward a place, so many units at most, and facing that way at the end.
    Toward {
        /// Where to.
        goal: Spot,
        /// At most; the whole allowance where nothing is said.
        units: Option<i32>,
        /// 6.4 The direction of the last marker.
        face: Option<Heading>,
    },
    /// 6.4, 6.9 Toward a place, round units of one's own side that bar the straight way.
    Round {
        /// Where to.
        goal: Spot,
        /// At most; the whole allowance where nothing is said.
        units: Option<i32>,
    },
    /// 6.4 Marker by marker: degrees to the right, and units.
    Legs(Vec<(i32, i32)>),
    /// 6.3 Sideways.
    Side {
        /// To the right.
        right: bool,
        /// So far.
        units: i32,
    },
    /// 6.5 Back, keeping its front.
    Back {
        /// So far.
        units: i32,
    },
    /// 6.5 A turn on its centre.
    Turn(Heading),
    /// 6.6 About.
    About,
    /// 6.12 Another formation.
    Form(Formation),
}

impl Move {
    /// The same without ways round.
    #[must_use]
    pub fn straight(&self) -> Move {
        match self {
            Move::Round { goal, units } => Move::Toward { goal: *goal, units: *units, face: None },
            other => other.clone(),
        }
    }
}

/// Where a movement ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The end.
    pub pose: Pose,
    /// The formation there.
    pub form: Formation,
    /// Allowance used.
    pub cost: i32,
    /// Markers laid: degrees to the right, and units.
    pub legs: Vec<(i32, i32)>,
    /// Places of the centre on the way.
    pub via: Vec<Fine>,
    /// Why it went no farther.
    pub halt: Option<Halt>,
}

impl Trace {
    /// Units gone by its markers.
    pub fn far(&self) -> i32 {
        self.legs.iter().map(|(_, units)| units).sum()
    }

    /// 6.2, 6.10.3 Whether a unit has enough left for it: the road's marker counts only where the whole way lies along a road.
    pub fn affordable(&self, t: &Table, id: &UnitId) -> bool {
        let on = |at: Fine| terrain::on_road(t, at);
        let mut legs = self.via.iter().zip(self.via.iter().skip(1));
        self.cost <= left(t, id) || legs.all(|(a, b)| on(*a) && on(*b) && on(mid(*a, *b)))
    }

    /// The ground that a unit goes over, stretch by stretch, where it goes marker by marker.
    pub fn ground(&self, t: &Table, id: &UnitId) -> Vec<Shape> {
        let Some(mut heading) = t.unit(id).map(|unit| unit.pose.facing) else { return Vec::new() };
        let size = t.size(id);
        let mut over = Vec::new();
        for ((turn, _), (from, to)) in self.legs.iter().zip(self.via.iter().zip(self.via.iter().skip(1))) {
            heading = heading.turned(*turn);
            let block = |at: &Fine| Shape::block(Stand { at: *at, heading }, size);
            over.push(block(from).swept(&block(to)));
        }
        over
    }
}

/// How far a movement by markers is to go, in units; 0 where it turns or forms.
pub fn asked(t: &Table, id: &UnitId, mv: &Move) -> i32 {
    match mv {
        Move::Toward { units, .. } | Move::Round { units, .. } => units.unwrap_or_else(|| left(t, id)),
        Move::Legs(legs) => legs.iter().map(|(_, units)| *units).sum(),
        Move::Side { .. } | Move::Back { .. } | Move::Turn(_) | Move::About | Move::Form(_) => 0,
    }
}

/// 6.2 The allowance of a unit as it stands, in units; stunned it has half (12.5.1).
pub fn allowance(t: &Table, id: &UnitId) -> i32 {
    let Some(unit) = t.unit(id) else { return 0 };
    let whole = allowance_as(t, id, unit.form);
    if unit.mood == Mood::S { whole / 2 } else { whole }
}

/// 5.4.1, 6.2 The allowance in a formation.
fn allowance_as(t: &Table, id: &UnitId, form: Formation) -> i32 {
    let moves = &t.board.tables.moves;
    match (t.arm(id), t.kind(id)) {
        _ if form == Formation::Square => moves.square,
        (Arm::Infantry, _) => moves.infantry,
        (Arm::Cavalry, _) => moves.cavalry,
        (Arm::Hq, _) => moves.hq,
        (Arm::Artillery, Kind::Horse) => moves.horse_artillery,
        (Arm::Artillery, _) => moves.foot_artillery,
    }
}

/// What a unit has left of its allowance in this player-turn.
pub fn left(t: &Table, id: &UnitId) -> i32 {
    (allowance(t, id) - t.unit(id).map_or(0, |u| u.spent)).max(0)
}

/// 4.6, 6.12, 6.13, 12.5, 13.1 Whether a unit may move at all, or turn, or form.
///
/// # Errors
/// Why not.
pub fn may_act(t: &Table, side: &SideId, id: &UnitId) -> Result<(), Fault> {
    let Some(unit) = t.unit(id).filter(|u| u.side == *side) else {
        return Err(Fault::refused(format!("{id} is no unit of yours on the field"), ""));
    };
    match unit.mood {
        Mood::D => return Err(Fault::refused(format!("{id} is disorganized and may not move or form"), "12.5.2")),
        Mood::R => return Err(Fault::refused(format!("{id} is routed and flees by itself, toward cover"), "12.5.3")),
        Mood::Fit | Mood::S => {}
    }
    if unit.has(Mark::Leaderless) {
        return Err(Fault::refused(
            format!("{id} falls back by itself until it passes a morale check: its HQ is eliminated"),
            "12.6.3",
        ));
    }
    if unit.has(Mark::Deceived) {
        return Err(Fault::refused(format!("{id} met a decoy and may not move on in this turn"), "16.4.2.7"));
    }
    if unit.has(Mark::Crewless) {
        return Err(Fault::refused(format!("the crew of {id} has left the guns"), "13.15.1.1.2"));
    }
    if unit.has(Mark::Unsquared) {
        return Err(Fault::refused(format!("{id} left its square in this turn and may not move"), "6.12"));
    }
    if t.arm(id) == Arm::Artillery && unit.has(Mark::Fired) {
        return Err(Fault::refused(format!("{id} has fired in preparation and may not move"), "4.6"));
    }
    if t.combat_of(id).is_some() {
        return Err(Fault::refused(
            format!("{id} is in combat; only DISENGAGE in the Rally Phase takes it out"),
            "13.6",
        ));
    }
    Ok(())
}

/// 6.1-6.13 Where a movement ends.
///
/// # Errors
/// Why it can't be made.
pub fn trace(t: &Table, side: &SideId, id: &UnitId, mv: &Move) -> Result<Trace, Fault> {
    may_act(t, side, id)?;
    // 12.9.4: a formation may be changed before it.
    if !matches!(mv, Move::Form(_)) {
        calm(t, side, id)?;
    }
    let found = planned(t, id, mv, &[])?;
    if !found.affordable(t, id) {
        let why =
            format!("{id} has {} UM left; the road gives 1 more only to a column that keeps to it", um(left(t, id)));
        return Err(Fault::refused(why, "6.10.3"));
    }
    if let Move::Toward { goal, face: None, .. } | Move::Round { goal, .. } = mv {
        nearer(t, side, id, *goal, &found)?;
    }
    Ok(found)
}

/// 6.4 A marker turns 45 degrees at most, so that who marches toward what lies behind him comes away from it: nobody who
/// writes TOWARD means that.
///
/// # Errors
/// What turns the unit round first.
fn nearer(t: &Table, side: &SideId, id: &UnitId, goal: Spot, found: &Trace) -> Result<(), Fault> {
    let Some(unit) = t.unit(id) else { return Ok(()) };
    let rest = |at: Spot| apart(at.fine(), goal.fine());
    if found.pose.at == unit.pose.at || rest(found.pose.at) < rest(unit.pose.at) {
        return Ok(());
    }
    let off = Heading::between(t.centre(id), goal.fine()).map_or(0, |to| unit.pose.facing.off(to));
    // It faces there, and somebody or something bars the way: to turn first would help nobody.
    if let Some(halt) = found.halt.as_ref().filter(|_| off.abs() <= MARKER_TURN) {
        let (why, rule) = halt_words(halt);
        return Err(Fault::refused(format!("{id} faces there, but {why}"), rule));
    }
    let half = unit.pose.facing.turned(off.clamp(-90, 90));
    let turns = [(Move::About, format!("ABOUT {id}")), (Move::Turn(half), format!("TURN {id} {half}"))];
    let about = usize::from(off.abs() <= 135);
    let copy = turns.into_iter().skip(about).find(|(turn, _)| trace(t, side, id, turn).is_ok()).map(|(_, line)| line);
    let why =
        format!("{id} faces {} and would end farther from there than it stands; it turns first", unit.pose.facing);
    Err(Fault::Refused { why, rule: "6.4".to_owned(), copy })
}

fn mid(a: Fine, b: Fine) -> Fine {
    Fine { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
}

/// 6.1-6.13 Where a movement would end if some units had left the field.
///
/// # Errors
/// Why it can't be made.
pub fn without(t: &Table, id: &UnitId, mv: &Move, lifted: &[UnitId]) -> Result<Trace, Fault> {
    planned(t, id, mv, lifted)
}

fn planned(t: &Table, id: &UnitId, mv: &Move, lifted: &[UnitId]) -> Result<Trace, Fault> {
    match mv {
        Move::Toward { goal, units, face } => toward(&Scene::of(t, id, &[], lifted), *goal, *units, *face),
        Move::Round { goal, units } => detour::round(&Scene::of(t, id, &[], lifted), *goal, *units),
        Move::Legs(legs) => by_legs(&Scene::of(t, id, &[], lifted), legs),
        Move::Side { right, units } => sideways(t, id, *right, *units),
        Move::Back { units } => backward(t, id, *units),
        Move::Turn(to) => turned(t, id, *to),
        Move::About => about(t, id),
        Move::Form(form) => formed(t, id, *form),
    }
}

/// 6.13 Guns move on the road only.
fn on_wheels(t: &Table, id: &UnitId) -> Result<(), Fault> {
    let unlimbered = t.unit(id).is_some_and(|u| u.form == Formation::Unlimbered);
    if unlimbered {
        let mut fault = Fault::refused(format!("{id} is unlimbered and can't move"), "6.13");
        if let Fault::Refused { copy, .. } = &mut fault {
            *copy = Some(format!("FORM {id} LIMBER"));
        }
        return Err(fault);
    }
    Ok(())
}

fn none_left(t: &Table, id: &UnitId) -> Result<i32, Fault> {
    match left(t, id) {
        0 => Err(Fault::refused(format!("{id} has nothing left of its {} UM", um(allowance(t, id))), "6.2")),
        units => Ok(units),
    }
}

fn toward(scene: &Rc<Scene<'_>>, goal: Spot, units: Option<i32>, face: Option<Heading>) -> Result<Trace, Fault> {
    let (t, id) = (scene.table(), scene.unit());
    on_wheels(t, id)?;
    let (wanted, budget) = within(t, id, units)?;
    if let (Some(units), None) = (units, face)
        && let Some(way) = wheeled(scene, goal, units)
    {
        return Ok(way);
    }
    let mut walk = Walk::out(scene);
    let whole = as_far_as(t, id, wanted, goal);
    // The last marker gives the front.
    let last = if face.is_some() { UM.min(whole / 2) } else { 0 };
    let mut rest = whole - last;
    while rest > 0 && walk.halt.is_none() {
        let Some(turn) = aim(&walk, goal) else { break };
        let turn = if walk.may_turn(budget) { turn } else { 0 };
        let units = rest.min(UM);
        walk.leg(turn, units, budget);
        rest -= units;
    }
    if let (Some(face), None) = (face, &walk.halt) {
        let turn = walk.facing().off(face);
        if turn.abs() > MARKER_TURN {
            let why = format!("{id} would face {} and a marker turns 45 degrees at most", walk.facing());
            return Err(Fault::refused(why, "6.4"));
        }
        turns(&walk, turn, budget)?;
        walk.leg(turn, last, budget);
    }
    Ok(as_asked(walk.end(), units))
}

/// 6.5 Toward a place that lies farther aside than one marker turns, and no farther than half the allowance goes: a turn on
/// the centre, and straight on. Nothing where markers serve, or where there is no room for it.
fn wheeled(scene: &Rc<Scene<'_>>, goal: Spot, units: i32) -> Option<Trace> {
    let (t, id) = (scene.table(), scene.unit());
    let unit = t.unit(id)?;
    let aside = |facing: Heading| Heading::between(t.front(id), goal.fine()).map_or(0, |to| facing.off(to));
    let to = Heading::between(t.centre(id), goal.fine())?;
    let off = unit.pose.facing.off(to);
    let foot = matches!(unit.form, Formation::Line | Formation::Column | Formation::Limbered);
    let half = allowance(t, id) / 2;
    if !foot || aside(unit.pose.facing).abs() <= MARKER_TURN || off.abs() > 90 || units > half || unit.spent > 0 {
        return None;
    }
    let turn = turned(t, id, to).ok()?;
    let mut there = t.clone();
    there.units.entry(id.clone()).and_modify(|u| (u.pose, u.spent) = (turn.pose, turn.cost));
    let (before, from) = (turn.cost, t.centre(id));
    let mut walk = Walk::begin(&there, id, &[]);
    let whole = as_far_as(&there, id, units, goal);
    walk.leg(0, whole.min(UM), half);
    if whole > UM && walk.halt.is_none() {
        walk.leg(0, whole - UM, half);
    }
    let way = as_asked(walk.end(), Some(units));
    // Markers may get past what bars it.
    if way.far() * 10 < whole * 9 {
        return None;
    }
    let legs = std::iter::once((off, 0)).chain(way.legs).collect();
    let via = std::iter::once(from).chain(way.via).collect();
    Some(Trace { cost: way.cost + before, legs, via, ..way })
}

/// What stands at the end of a way is no halt to who went as far as he said; nor are woods to who named no distance and has
/// used his allowance up in them (6.10.1).
fn as_asked(way: Trace, units: Option<i32>) -> Trace {
    let done = match units {
        Some(units) => way.far() >= units,
        None => way.halt == Some(Halt::Allowance),
    };
    Trace { halt: way.halt.filter(|_| !done), ..way }
}

/// No farther than a place: the unit stands on it in the end.
fn as_far_as(t: &Table, id: &UnitId, units: i32, goal: Spot) -> i32 {
    units.min(apart(t.front(id), goal.fine()).units() + t.size(id).depth / 2)
}

/// 6.4 The turn of the next marker toward a place; nothing where the front is on it.
fn aim(walk: &Walk<'_>, goal: Spot) -> Option<i32> {
    let to = Heading::between(walk.front(), goal.fine())?;
    Some(walk.facing().off(to).clamp(-MARKER_TURN, MARKER_TURN))
}

/// The units asked for, if the allowance has them; and what may be spent on them.
fn within(t: &Table, id: &UnitId, units: Option<i32>) -> Result<(i32, i32), Fault> {
    let have = none_left(t, id)?;
    match units {
        // 6.10.3: whether the road's marker counts is seen on the way.
        Some(wanted) if wanted > have + road_bonus(t, id) => {
            Err(Fault::refused(format!("{id} has {} UM left, not {}", um(have), um(wanted)), "6.2"))
        }
        Some(wanted) => Ok((wanted, have.max(wanted))),
        None => Ok((have, have)),
    }
}

/// 6.10.3 What a unit has left if it goes by road alone, to an attack as well.
pub fn left_by_road(t: &Table, id: &UnitId) -> i32 {
    match left(t, id) {
        0 => 0,
        units => units + road_bonus(t, id),
    }
}

/// 6.10.3 What a unit in column may go farther by road alone; who has gone some way already may have left the road on it.
fn road_bonus(t: &Table, id: &UnitId) -> i32 {
    let column = |u: &Unit| matches!(u.form, Formation::Column | Formation::Limbered) && !u.has(Mark::Moved);
    let column = t.unit(id).is_some_and(column);
    let begins = terrain::on_road(t, t.front(id)) && terrain::on_road(t, t.centre(id));
    // 12.5.1, 6.12: half of the allowance is half of the road's share in it, too.
    let halved = t.unit(id).is_some_and(|u| u.mood == Mood::S || u.has(Mark::Formed));
    let bonus = t.board.tables.moves.road_bonus;
    if !(column && begins) {
        return 0;
    }
    if halved { bonus / 2 } else { bonus }
}

/// 6.2 How many markers a unit lays at most.
fn markers(t: &Table, id: &UnitId) -> usize {
    usize::try_from((allowance(t, id) + road_bonus(t, id) + UM - 1).max(UM) / UM).unwrap_or(0)
}

fn by_legs(scene: &Rc<Scene<'_>>, legs: &[(i32, i32)]) -> Result<Trace, Fault> {
    let (t, id) = (scene.table(), scene.unit());
    on_wheels(t, id)?;
    let whole = legs.iter().map(|l| l.1).sum();
    let (_, budget) = within(t, id, Some(whole))?;
    let most = markers(t, id);
    if legs.len() > most {
        return Err(Fault::refused(format!("{id} lays {most} markers at most"), "6.2"));
    }
    let mut walk = Walk::out(scene);
    for (turn, units) in legs {
        if turn.abs() > MARKER_TURN {
            return Err(Fault::refused(format!("a marker turns 45 degrees at most, not {}", turn.abs()), "6.4"));
        }
        if *units > UM {
            return Err(Fault::refused("a marker is 1 UM long", "6.1"));
        }
        if walk.halt.is_none() {
            turns(&walk, *turn, budget)?;
            walk.leg(*turn, *units, budget);
        }
    }
    Ok(walk.end())
}

/// 6.2, A-50 A marker that turns counts half a UM at least, so that nobody turns about for nothing (6.5, 6.6).
fn turns(walk: &Walk<'_>, turn: i32, budget: i32) -> Result<(), Fault> {
    if turn == 0 || walk.may_turn(budget) {
        return Ok(());
    }
    let left = um((budget - walk.cost()).max(0));
    Err(Fault::refused(format!("a marker that turns takes {} UM at least, and {left} UM are left", um(HALF)), "6.2"))
}

/// 6.3 Sideways, keeping the front; it takes the place of all other movement.
fn sideways(t: &Table, id: &UnitId, right: bool, units: i32) -> Result<Trace, Fault> {
    on_wheels(t, id)?;
    let square = t.unit(id).is_some_and(|u| u.form == Formation::Square);
    let moves = &t.board.tables.moves;
    let most = if square { moves.square } else { moves.sideways }.min(allowance(t, id));
    if t.unit(id).is_some_and(|u| u.spent > 0) {
        return Err(Fault::refused(format!("{id} has moved; the sideways move takes the place of all other"), "6.3"));
    }
    if units > most {
        return Err(Fault::refused(format!("{id} may go {} UM sideways at most", um(most)), "6.3"));
    }
    let mut walk = Walk::begin(t, id, &[]);
    let way = walk.facing().turned(if right { 90 } else { -90 });
    walk.straight(way, units, units);
    let mut end = walk.end();
    end.cost = allowance(t, id);
    Ok(end)
}

/// 6.5 An orderly retreat, up to half the allowance, keeping the front. 12.5.1, A-54: for a stunned unit it is the same
/// half, and not a half of that.
fn backward(t: &Table, id: &UnitId, units: i32) -> Result<Trace, Fault> {
    on_wheels(t, id)?;
    let half = t.unit(id).map_or(0, |u| allowance_as(t, id, u.form)) / 2;
    let most = half.min(none_left(t, id)?);
    if units > most {
        return Err(Fault::refused(format!("{id} may move back {} UM at most", um(most)), "6.5"));
    }
    let mut walk = Walk::begin(t, id, &[]);
    let way = walk.facing().turned(180);
    walk.straight(way, units, units);
    Ok(walk.end())
}

/// 6.5, 9.5 A turn on the centre: up to 90 degrees for half the allowance; guns in position turn 45 degrees for nothing.
fn turned(t: &Table, id: &UnitId, to: Heading) -> Result<Trace, Fault> {
    let Some(unit) = t.unit(id) else { return Err(Fault::refused(format!("{id} is not on the field"), "")) };
    let right = unit.pose.facing.off(to);
    if right.abs() > 90 {
        let why = format!(
            "{id} faces {}; {to} is {} degrees away, and a unit turns 90 at most",
            unit.pose.facing,
            right.abs()
        );
        return Err(Fault::refused(why, "6.5"));
    }
    let guns = unit.form == Formation::Unlimbered && right.abs() <= t.board.tables.templates.pivot;
    let cost = if guns || unit.form == Formation::Square { 0 } else { allowance(t, id) / 2 };
    if cost > left(t, id) {
        return Err(Fault::refused(
            format!("a turn takes half the allowance; {id} has {} UM left", um(left(t, id))),
            "6.5",
        ));
    }
    pivot(t, id, right, cost)
}

/// 6.6 About, for the whole allowance.
fn about(t: &Table, id: &UnitId) -> Result<Trace, Fault> {
    if t.unit(id).is_some_and(|u| u.spent > 0) {
        return Err(Fault::refused(format!("{id} has moved, and an about-face takes the whole allowance"), "6.6"));
    }
    pivot(t, id, 180, allowance(t, id))
}

/// 6.6, 6.9 All pivots are on the centre, and need room.
fn pivot(t: &Table, id: &UnitId, right: i32, cost: i32) -> Result<Trace, Fault> {
    let Some(unit) = t.unit(id) else { return Err(Fault::refused(format!("{id} is not on the field"), "")) };
    if let Some(other) = bars_turn(t, id, right) {
        return Err(Fault::refused(format!("{id} has no room to turn beside {other}"), "6.9"));
    }
    if let Some(ground) = breaks_in_turn(t, id, right) {
        return Err(Fault::refused(format!("{id} would turn upon {ground}, and a square does not go there"), "5.2"));
    }
    let pose = Pose { at: unit.pose.at, facing: unit.pose.facing.turned(right) };
    Ok(Trace { pose, form: unit.form, cost, legs: Vec::new(), via: Vec::new(), halt: None })
}

/// 5.2 What a square that stands on clear ground would come upon with a corner while it turns, degree by degree.
fn breaks_in_turn(t: &Table, id: &UnitId, right: i32) -> Option<String> {
    let unit = t.unit(id).filter(|u| u.form == Formation::Square && terrain::clear(t, &t.shape(id)))?;
    let at = |degrees: i32| Pose { facing: unit.pose.facing.turned(degrees * right.signum()), ..unit.pose };
    (1..=right.abs()).find_map(|degrees| terrain::unclear(t, &Shape::block(at(degrees).stand(), t.size(id))))
}

/// 6.8, 6.9 Who leaves a unit no room to turn on its centre by so many degrees to the right.
pub fn bars_turn(t: &Table, id: &UnitId, right: i32) -> Option<UnitId> {
    let unit = t.unit(id)?;
    let size = t.size(id);
    // Beyond this nothing of a turning block comes.
    let reach = size.front.max(size.depth);
    let centre = unit.pose.at.fine();
    // No block is wider than 2 UM from corner to corner.
    let close = |at: Spot| (at.x - unit.pose.at.x).abs().max((at.y - unit.pose.at.y).abs()) <= reach + 2 * UM;
    let near = |(o, u): &(&UnitId, &Unit)| *o != id && close(u.pose.at) && t.ground(u).gap_to(centre).within(reach);
    let all = t.standing().filter(near).map(|(o, _)| o);
    // 6.8: over friendly guns it turns at will, 7.1 if it does not come to stand on them.
    let guns = |o: &&UnitId| t.arm(o) == Arm::Artillery && t.side(o) == unit.side;
    let (guns, others): (Vec<&UnitId>, Vec<&UnitId>) = all.partition(guns);
    let (begin, pose) = (t.shape(id), Pose { facing: unit.pose.facing.turned(right), ..unit.pose });
    let there = Shape::block(pose.stand(), size);
    let under = |o: &&&UnitId| t.shape(o).overlaps(&there) && !t.shape(o).overlaps(&begin);
    let shapes: Vec<Shape> = others.iter().map(|o| t.shape(o)).collect();
    let other = turn_room(unit.pose.stand(), size, right, &shapes).and_then(|at| others.get(at));
    other.or_else(|| guns.iter().find(under)).map(|o| (*o).clone())
}

/// 5.2, 5.4, 6.12, 6.13, 12.5.1 Another formation, for half the allowance, where there is room.
fn formed(t: &Table, id: &UnitId, form: Formation) -> Result<Trace, Fault> {
    let Some(unit) = t.unit(id) else { return Err(Fault::refused(format!("{id} is not on the field"), "")) };
    if !fits(t.arm(id), form) {
        let rule = if form == Formation::Square { "5.2" } else { "5.1" };
        return Err(Fault::refused(format!("{id} can't be {}", form.word()), rule));
    }
    if unit.form == form {
        return Err(Fault::refused(format!("{id} is {} already", form.word()), "5.1"));
    }
    if unit.mood == Mood::S {
        return Err(Fault::refused(format!("{id} is stunned and may not change formation"), "12.5.1"));
    }
    if unit.has(Mark::Formed) {
        return Err(Fault::refused(format!("{id} has changed formation in this turn"), "6.12"));
    }
    let (old, new) = (allowance(t, id), allowance_as(t, id, form));
    if left(t, id) < old / 2 || (unit.form == Formation::Square && unit.spent > 0) {
        return Err(Fault::refused(
            format!("a change takes half the allowance; {id} has {} UM left", um(left(t, id))),
            "6.12",
        ));
    }
    room_for(t, id, unit.pose, form)?;
    comes_up(t, id, form)?;
    // The same share of another allowance.
    let spent = (unit.spent + old / 2) * new / old.max(1);
    let cost = spent - unit.spent;
    Ok(Trace { pose: unit.pose, form, cost, legs: Vec::new(), via: Vec::new(), halt: None })
}

/// 13.1 Only an attack brings a unit into touch, and no wider formation does.
fn comes_up(t: &Table, id: &UnitId, form: Formation) -> Result<(), Fault> {
    let Some(unit) = t.unit(id) else { return Ok(()) };
    let (contact, now) = (t.board.tables.contact, t.shape(id));
    let then = Shape::block(unit.pose.stand(), t.board.tables.size(form));
    let new = |o: &UnitId| t.shape(o).near(&then, contact) && !t.shape(o).near(&now, contact);
    match t.standing().find(|(o, u)| u.side != unit.side && new(o)) {
        Some((o, _)) => {
            Err(Fault::refused(format!("{id} would touch {o}, and only an ATTACK brings it there"), "13.1"))
        }
        None => Ok(()),
    }
}

/// 5.2, 5.4, 7.1 Whether a unit has room in a formation.
///
/// # Errors
/// What is in the way.
pub fn room_for(t: &Table, id: &UnitId, pose: Pose, form: Formation) -> Result<(), Fault> {
    let shape = Shape::block(pose.stand(), t.board.tables.size(form));
    if let Some((other, _)) = t.standing().find(|(o, _)| *o != id && t.shape(o).overlaps(&shape)) {
        return Err(Fault::refused(format!("{id} has no room to form beside {other}"), "5.4"));
    }
    if form == Formation::Square && !terrain::clear(t, &shape) {
        return Err(Fault::refused(format!("{id} is not in clear terrain, where squares form"), "5.2"));
    }
    Ok(())
}
