//! 15 What ground does: what stands on it, what a unit meets on its way.

use super::board::{Area, Arm, Course, Kind, Soil, UnitId, Way};
use super::table::{Formation, Table};
use crate::plane::Fine;
use crate::plane::near::beside;
use crate::plane::shape::Shape;

/// The soil in which a unit's centre lies: what protects it.
pub fn shelter(t: &Table, id: &UnitId) -> Option<Soil> {
    let centre = t.centre(id);
    t.board.ground.areas.iter().filter(|a| a.shape.holds(centre)).map(|a| a.soil).max()
}

/// 5.2 A square forms and moves in clear terrain only: no part of it in anything else, no stream under it.
pub fn clear(t: &Table, shape: &Shape) -> bool {
    unclear(t, shape).is_none()
}

/// 5.2 What lies under a block that is not clear terrain.
pub fn unclear(t: &Table, shape: &Shape) -> Option<String> {
    let stream = |c: &&Course| c.stretches().any(|(a, b)| crossed(shape, a.fine(), b.fine()));
    let area = t.board.ground.areas.iter().find(|a| a.shape.overlaps(shape)).map(|a| a.name.clone());
    area.or_else(|| t.board.ground.ways(Way::Stream).find(stream).map(|c| c.name.clone()))
}

fn crossed(shape: &Shape, a: Fine, b: Fine) -> bool {
    crate::plane::sight::crosses(a, b, shape)
}

/// 15.1 Whether a unit may stand on a soil at all: settlements hold infantry, HQs and guns on the road; works all but
/// cavalry; ponds nobody.
pub fn may_enter(t: &Table, id: &UnitId, soil: Soil) -> bool {
    let limbered = t.unit(id).is_some_and(|u| u.form == Formation::Limbered);
    match (soil, t.arm(id)) {
        (Soil::Pond, _) => false,
        (Soil::Woods, Arm::Artillery) => limbered,
        (Soil::Woods, _) | (Soil::Settlement | Soil::Fortification, Arm::Infantry | Arm::Hq) => true,
        (Soil::Settlement | Soil::Fortification, Arm::Cavalry) => false,
        (Soil::Settlement, Arm::Artillery) => limbered,
        (Soil::Fortification, Arm::Artillery) => true,
    }
}

/// 13.11.2, A-51 Ground into which a unit neither goes back nor flees: water for all, works for horse. 12.5.3: settlements are
/// cover for all who flee, "whether infantry or cavalry", though horse marches into none.
pub fn closed(t: &Table, id: &UnitId, soil: Soil) -> bool {
    soil == Soil::Pond || (t.arm(id) == Arm::Cavalry && soil == Soil::Fortification)
}

/// 3.1, 12.6.3 Whether a place lies beyond the edge of the map.
pub fn outside(t: &Table, at: Fine) -> bool {
    let spot = at.spot();
    spot.x < 0 || spot.y < 0 || spot.x > t.board.ground.width || spot.y > t.board.ground.height
}

/// 6.10.1 Whether woods slow a unit: not light infantry, not light cavalry.
pub fn slowed(t: &Table, id: &UnitId) -> bool {
    t.kind(id) != Kind::Light
}

/// 6.10.2 Whether a stream stops a unit: not light cavalry.
pub fn stopped_by_stream(t: &Table, id: &UnitId) -> bool {
    !(t.arm(id) == Arm::Cavalry && t.kind(id) == Kind::Light)
}

/// Whether a place lies on a road.
pub fn on_road(t: &Table, at: Fine) -> bool {
    let near = t.board.tables.terrain.on_road;
    t.board.ground.ways(Way::Road).any(|c| near_course(c, at, near))
}

fn near_course(course: &Course, at: Fine, units: i32) -> bool {
    course.stretches().any(|(a, b)| beside(at, (a.fine(), b.fine()), units))
}

/// The stream that a step from one place to another crosses, away from a bridge: a road over the stream is one.
pub fn ford(t: &Table, from: Fine, to: Fine) -> Option<&Course> {
    ford_of(t, (from, to), &reaches(t, None))
}

/// A stretch of a stream.
pub type Reach<'t> = (&'t Course, (Fine, Fine));

/// Stretches of streams, all or those that may lie on a piece of ground.
pub fn reaches<'t>(t: &'t Table, on: Option<&Shape>) -> Vec<Reach<'t>> {
    let all = t.board.ground.ways(Way::Stream).flat_map(|c| c.stretches().map(move |(a, b)| (c, (a.fine(), b.fine()))));
    all.filter(|(_, (a, b))| on.is_none_or(|ground| ground.may_hold(*a, *b))).collect()
}

/// The stream of some stretches that a step crosses.
pub fn ford_of<'t>(t: &Table, (from, to): (Fine, Fine), among: &[Reach<'t>]) -> Option<&'t Course> {
    let (stream, _) = among.iter().find(|(_, stretch)| meets((from, to), *stretch))?;
    (!on_road(t, from) || !on_road(t, to)).then_some(*stream)
}

/// EX.1 Whether a unit stands at the bank of a stream, and so may ford it.
pub fn at_bank(t: &Table, shape: &Shape, stream: &Course) -> bool {
    let near = t.board.tables.contact;
    stream.stretches().any(|(a, b)| at_stretch(shape, (a.fine(), b.fine()), near))
}

/// The same of one stretch of it.
pub fn at_stretch(shape: &Shape, (a, b): (Fine, Fine), near: i32) -> bool {
    !shape.clear_of((a, b), near) && (crossed(shape, a, b) || shape.beside((a, b), near))
}

/// Whether two stretches have a place in common, the end of the first one counted and its beginning not.
pub fn meets((p, q): (Fine, Fine), (a, b): (Fine, Fine)) -> bool {
    let clear = |p: i64, q: i64, a: i64, b: i64| p.max(q) < a.min(b) || a.max(b) < p.min(q);
    if clear(p.x, q.x, a.x, b.x) || clear(p.y, q.y, a.y, b.y) {
        return false;
    }
    let side = |u: Fine, v: Fine, w: Fine| {
        let cross = i128::from(v.x - u.x) * i128::from(w.y - u.y) - i128::from(v.y - u.y) * i128::from(w.x - u.x);
        cross.signum()
    };
    let (begin, end) = (side(a, b, p), side(a, b, q));
    let (one, other) = (side(p, q, a), side(p, q, b));
    begin != 0 && begin != end && one != other
}

/// 12.5.3 The nearest woods or settlement to a place.
pub fn nearest_cover<'t>(t: &'t Table, at: Fine, open: &dyn Fn(&Area) -> bool) -> Option<&'t Area> {
    let cover = t.board.ground.areas.iter().filter(|a| matches!(a.soil, Soil::Woods | Soil::Settlement));
    cover.filter(|a| open(a)).min_by_key(|a| a.shape.gap_to(at))
}

/// 8.4 Whether most of a block lies on high ground: five of nine of its points or more.
pub fn high(t: &Table, shape: &Shape) -> bool {
    let on = |p: &Fine| t.board.ground.hills.iter().any(|h| h.holds(*p));
    nine(shape).iter().filter(|p| on(p)).count() >= 5
}

/// Corners, middles of sides and centre of a block.
pub fn nine(shape: &Shape) -> Vec<Fine> {
    let mid = |a: Fine, b: Fine| Fine { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    let mut points: Vec<Fine> = shape.corners().to_vec();
    points.extend(shape.sides().map(|(a, b)| mid(a, b)));
    if let [a, _, c, ..] = shape.corners() {
        points.push(mid(*a, *c));
    }
    points
}

/// 12.5.3.1 The nearest cover other than where a place lies.
pub fn other_cover<'t>(t: &'t Table, at: Fine, open: &dyn Fn(&Area) -> bool) -> Option<&'t Area> {
    let cover = t.board.ground.areas.iter().filter(|a| matches!(a.soil, Soil::Woods | Soil::Settlement));
    cover.filter(|a| !a.shape.holds(at) && open(a)).min_by_key(|a| a.shape.gap_to(at))
}

/// The middle of a shape's corners.
pub fn middle(shape: &Shape) -> Fine {
    let n = i64::try_from(shape.corners().len()).unwrap_or(1).max(1);
    let sum = |part: fn(&Fine) -> i64| shape.corners().iter().map(part).sum::<i64>() / n;
    Fine { x: sum(|c| c.x), y: sum(|c| c.y) }
}
