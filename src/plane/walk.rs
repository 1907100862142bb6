//! How far a block may go, and whether it has room to turn.

use super::near::Line;
use super::shape::Shape;
use super::{Heading, Size, Stand};
use std::borrow::Borrow;

/// How far a block may go along a straight line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Whole units, at most what was asked for.
    pub units: i32,
    /// The blocking obstacle: the place in the list of obstacles, the first of those met at once.
    pub stopped: Option<usize>,
}

/// Moves a stand straight along a way, which need not be its front: sideways and backward moves keep the front.
pub fn moved(stand: Stand, way: Heading, units: i32) -> Stand {
    Stand { at: stand.at.toward(way, units), heading: stand.heading }
}

/// How far a block may go without covering any part of an obstacle. Obstacles that it covers already do not hinder it
/// from leaving; it may go along a border that it touches.
pub fn reach<S: Borrow<Shape>>(stand: Stand, size: Size, way: Heading, units: i32, obstacles: &[S]) -> Reach {
    let here = Shape::block(stand, size);
    let path = |go: i32| here.drawn(stand.at, moved(stand, way, go).at);
    let mut best = Reach { units: units.max(0), stopped: None };
    let whole = path(best.units);
    for (no, obstacle) in obstacles.iter().map(Borrow::borrow).enumerate() {
        if here.overlaps(obstacle) || !whole.overlaps(obstacle) {
            continue;
        }
        let free = farthest(best.units, |go| !path(go).overlaps(obstacle));
        if free < best.units {
            best = Reach { units: free, stopped: Some(no) };
        }
    }
    best
}

/// How far a block may go of which only what lies beyond a line needs room: 6.4, a unit that has turned for its next
/// marker comes out of where it stood, and what stands beside and behind its old front does not bar it.
pub fn reach_beyond(stand: Stand, size: Size, way: Heading, units: i32, obstacles: &[&Shape], line: Line) -> Reach {
    let here = Shape::block(stand, size);
    let path = |go: i32| here.drawn(stand.at, moved(stand, way, go).at);
    let mut best = Reach { units: units.max(0), stopped: None };
    let whole = path(best.units);
    for (no, obstacle) in obstacles.iter().enumerate() {
        if !whole.overlaps_beyond(obstacle, line) {
            continue;
        }
        let free = farthest(best.units, |go| !path(go).overlaps_beyond(obstacle, line));
        if free < best.units || best.stopped.is_none() {
            best = Reach { units: free, stopped: Some(no) };
        }
    }
    best
}

/// The largest number up to a limit for which a test holds that holds for 0 and, once it fails, fails on.
fn farthest(limit: i32, holds: impl Fn(i32) -> bool) -> i32 {
    let (mut low, mut high) = (0, limit);
    while low < high {
        let middle = high - (high - low) / 2;
        if holds(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

/// 7.1 The farthest of so many units at which a block, its place rounded to whole units as a map keeps it, covers no
/// obstacle that it does not cover where it begins: what goes along a border may come by the rounding to stand beyond it.
pub fn clear(stand: Stand, size: Size, way: Heading, units: i32, obstacles: &[Shape]) -> i32 {
    let at = |far: i32| {
        let end = moved(stand, way, far);
        Shape::block(Stand { at: end.at.spot().fine(), ..end }, size)
    };
    let bars: Vec<&Shape> = obstacles.iter().filter(|o| !o.overlaps(&Shape::block(stand, size))).collect();
    (0..=units.max(0)).rev().find(|far| bars.iter().all(|o| !o.overlaps(&at(*far)))).unwrap_or(0)
}

/// The first obstacle that a block would cover while it turns on its centre, degree by degree, to the right (or, by a
/// negative number, to the left). Obstacles that it covers already do not hinder it.
pub fn turn_room(stand: Stand, size: Size, right: i32, obstacles: &[Shape]) -> Option<usize> {
    if obstacles.is_empty() {
        return None;
    }
    let here = Shape::block(stand, size);
    let at = |degrees: i32| Shape::block(Stand { heading: stand.heading.turned(degrees), ..stand }, size);
    let steps: Vec<Shape> = (1..=right.abs().min(360)).map(|d| at(d * right.signum())).collect();
    let hit = |o: &Shape| !here.overlaps(o) && steps.iter().any(|s| s.overlaps(o));
    obstacles.iter().position(hit)
}
