//! 8 Line of sight (LDV).

use super::board::{Area, Arm, Course, Soil, UnitId, Way};
use super::table::{Formation, Table};
use super::terrain::{high, meets, nine};
use crate::plane::Fine;
use crate::plane::near::to_side;
use crate::plane::shape::Shape;
use crate::plane::sight::crosses;

/// Why a unit can't be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// 16.2 Fog, and visibility.
    Fog(i32),
    /// 8.3 Woods, a settlement.
    Ground(String),
    /// 8.6, 8.7 A crest.
    Crest(String),
    /// 8.6 A hill, where no crest is drawn on the line.
    Hill,
    /// 8.8 A unit.
    Unit(UnitId),
}

/// 8.1-8.8 Whether a unit sees another: from its centre to any part of the target; or what hides it.
///
/// # Errors
/// What hides the target.
pub fn sees(t: &Table, eye: &UnitId, target: &UnitId) -> Result<(), Hidden> {
    let gap = t.gap(eye, target);
    if let Some(range) = t.sight.filter(|range| !gap.within(*range)) {
        return Err(Hidden::Fog(range));
    }
    let from = t.centre(eye);
    let shape = t.shape(target);
    let mut why = None;
    for point in nine(&shape) {
        match blocked(t, eye, target, from, point) {
            None => return Ok(()),
            Some(hidden) => _ = why.get_or_insert(hidden),
        }
    }
    Err(why.unwrap_or(Hidden::Ground("the ground".to_owned())))
}

/// 8.3-8.8 What hides a place of the target; A-25: of units no columns, HQs or chits.
fn blocked(t: &Table, eye: &UnitId, target: &UnitId, from: Fine, to: Fine) -> Option<Hidden> {
    let ground = t.board.ground.areas.iter().filter(|a| matches!(a.soil, Soil::Woods | Soil::Settlement));
    if let Some(area) = ground.into_iter().find(|a| hides(t, a, from, to)) {
        return Some(Hidden::Ground(area.name.clone()));
    }
    if let Some(crest) = t.board.ground.ways(Way::Crest).find(|c| cuts(t, c, target, from, to)) {
        return Some(Hidden::Crest(crest.name.clone()));
    }
    if t.board.ground.hills.iter().any(|hill| rises(t, hill, target, from, to)) {
        return Some(Hidden::Hill);
    }
    let unit = t.standing().find(|(id, u)| {
        let wall = matches!(u.form, Formation::Line | Formation::Square);
        *id != eye && *id != target && wall && crosses(from, to, &t.shape(id)) && !over(t, eye, id, target)
    });
    unit.map(|(id, _)| Hidden::Unit(id.clone()))
}

/// 8.3 Woods and settlements hide what lies beyond, and what lies deeper in them than their border, for an eye within
/// them as for one outside.
fn hides(t: &Table, area: &Area, from: Fine, to: Fine) -> bool {
    let depth = t.board.tables.terrain.border;
    let (inner, outer) = (area.shape.within(from), area.shape.within(to));
    let a = if inner { nearer(from, to, depth) } else { Some(from) };
    let b = if outer { nearer(to, from, depth) } else { Some(to) };
    // Where one of them is nothing, both stand within the border's depth of each other.
    a.zip(b).is_some_and(|(a, b)| crosses(a, b, &area.shape))
}

/// The place so many units from one place toward another; nothing where the other is nearer.
fn nearer(from: Fine, to: Fine, units: i32) -> Option<Fine> {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = (i128::from(dx) * i128::from(dx) + i128::from(dy) * i128::from(dy)).isqrt();
    let go = i128::from(units) * i128::from(crate::plane::FINE);
    if length <= go {
        return None;
    }
    let part = |d: i64| i64::try_from(i128::from(d) * go / length).unwrap_or(0);
    Some(Fine { x: from.x + part(dx), y: from.y + part(dy) })
}

/// 8.6, 8.7 A crest ends every line from below. An eye on that crest looks over it; an eye on another crest sees what
/// lies far enough behind it.
fn cuts(t: &Table, crest: &Course, target: &UnitId, from: Fine, to: Fine) -> bool {
    if !crest.stretches().any(|(a, b)| meets((from, to), (a.fine(), b.fine()))) {
        return false;
    }
    let tables = &t.board.tables.terrain;
    if near(crest, from, tables.on_crest) {
        return false;
    }
    let on_another = t.board.ground.ways(Way::Crest).any(|c| c.name != crest.name && near(c, from, tables.on_crest));
    let far = nine(&t.shape(target)).iter().all(|p| !near(crest, *p, tables.behind_crest - 1));
    !(on_another && far)
}

/// 8.6 A hill between two places that lie off it hides one from the other as a wood does, whether a crest is drawn there or
/// not; 8.7 but an eye on a crest sees what lies far enough behind it. On the hill itself its crests alone decide (8.5).
fn rises(t: &Table, hill: &Shape, target: &UnitId, from: Fine, to: Fine) -> bool {
    if hill.holds(from) || hill.holds(to) || !crosses(from, to, hill) {
        return false;
    }
    let tables = &t.board.tables.terrain;
    let on_crest = t.board.ground.ways(Way::Crest).any(|c| near(c, from, tables.on_crest));
    !(on_crest && nine(&t.shape(target)).iter().all(|p| !hill.gap_to(*p).within(tables.behind_crest - 1)))
}

fn near(course: &Course, at: Fine, units: i32) -> bool {
    course.stretches().any(|(a, b)| to_side(at, (a.fine(), b.fine())).within(units))
}

/// 8.8 Guns on higher ground fire over a friend who stands 1 UM or more from the target.
fn over(t: &Table, eye: &UnitId, between: &UnitId, target: &UnitId) -> bool {
    let friend = t.side(eye) == t.side(between);
    let higher = high(t, &t.shape(eye)) && !high(t, &t.shape(between));
    friend && t.arm(eye) == Arm::Artillery && higher && !t.gap(between, target).within(crate::plane::UM - 1)
}

impl Hidden {
    /// As a refusal says it.
    pub fn sentence(&self, target: &UnitId) -> (String, &'static str) {
        match self {
            Hidden::Fog(range) => {
                let far = super::table::um(*range);
                (format!("{target} is out of sight: visibility is {far} UM"), "16.2")
            }
            Hidden::Ground(name) => (format!("{name} hides {target}"), "8.3"),
            Hidden::Crest(name) => (format!("the crest {name} hides {target}"), "8.6"),
            Hidden::Hill => (format!("a hill hides {target}"), "8.6"),
            Hidden::Unit(unit) => (format!("{unit} stands before {target}"), "8.8"),
        }
    }
}
