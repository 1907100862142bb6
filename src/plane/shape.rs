//! Convex shapes: blocks, templates, pieces of ground.

use super::{FINE, Fine, LONG, Size, Spot, Stand, turn};

/// A convex shape: its corners in fine units, counter-clockwise, none of them on the line between its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    corners: Vec<Fine>,
    /// The upright rectangle around it, which tells most shapes apart at once.
    bounds: Bounds,
}

/// An upright rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bounds {
    low: Fine,
    high: Fine,
}

impl Bounds {
    /// Around some places; around the origin if there are none.
    #[inline]
    pub(super) fn around(places: &[Fine]) -> Bounds {
        let first = places.first().copied().unwrap_or(Fine { x: 0, y: 0 });
        let low = |a: Fine, b: &Fine| Fine { x: a.x.min(b.x), y: a.y.min(b.y) };
        let high = |a: Fine, b: &Fine| Fine { x: a.x.max(b.x), y: a.y.max(b.y) };
        Bounds { low: places.iter().fold(first, low), high: places.iter().fold(first, high) }
    }

    /// Whether two rectangles lie more than so many units apart, east to west or north to south.
    #[inline]
    pub(super) fn beyond(&self, other: &Bounds, units: i32) -> bool {
        let far = i64::from(units) * FINE;
        self.low.x > other.high.x + far
            || other.low.x > self.high.x + far
            || self.low.y > other.high.y + far
            || other.low.y > self.high.y + far
    }

    /// Whether a place lies in the rectangle or on its border.
    fn hold(&self, place: Fine) -> bool {
        (self.low.x..=self.high.x).contains(&place.x) && (self.low.y..=self.high.y).contains(&place.y)
    }
}

/// Why corners make no shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Fewer than three corners, or all on one line.
    Flat,
    /// A corner points inward, or sides cross: lay the ground out in convex pieces.
    NotConvex,
}

impl Shape {
    fn of(corners: Vec<Fine>) -> Shape {
        let bounds = Bounds::around(&corners);
        Shape { corners, bounds }
    }

    /// The rectangle around it.
    pub(super) fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// The ground under a block: a rectangle around its centre.
    pub fn block(stand: Stand, size: Size) -> Shape {
        let centre = stand.at;
        let ray = stand.heading.ray();
        // Half a front times a sine is a whole number of fine units.
        let (front, depth) = (long(size.front), long(size.depth));
        let corner = |right: i64, ahead: i64| Fine {
            x: centre.x + right * front * ray.y + ahead * depth * ray.x,
            y: centre.y - right * front * ray.x + ahead * depth * ray.y,
        };
        Shape::of(vec![corner(1, 1), corner(-1, 1), corner(-1, -1), corner(1, -1)])
    }

    /// A template: a triangle with its vertex at a place, opening along a heading to a width at its far end.
    pub fn cone(from: Stand, length: i32, half_width: i32) -> Shape {
        let vertex = from.at;
        let ray = from.heading.ray();
        let (length, wide) = (2 * long(length), 2 * long(half_width));
        let end = |right: i64| Fine {
            x: vertex.x + length * ray.x + right * wide * ray.y,
            y: vertex.y + length * ray.y - right * wide * ray.x,
        };
        Shape::of(vec![vertex, end(1), end(-1)])
    }

    /// A piece of ground by its corners, in either direction around it.
    ///
    /// # Errors
    /// The flaw of the corners.
    pub fn ground(corners: &[Spot]) -> Result<Shape, Flaw> {
        let fine: Vec<Fine> = corners.iter().map(|c| c.fine()).collect();
        let shape = Shape::hull(&fine).ok_or(Flaw::Flat)?;
        let all = fine.len() == shape.corners.len() && in_order(&fine, &shape.corners);
        if all { Ok(shape) } else { Err(Flaw::NotConvex) }
    }

    /// The smallest convex shape around some places; `None` if they lie on one line.
    pub fn hull(places: &[Fine]) -> Option<Shape> {
        let mut sorted = places.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let mut corners = chain(sorted.iter().copied());
        let upper = chain(sorted.iter().rev().copied());
        corners.pop();
        corners.extend(upper);
        corners.pop();
        (corners.len() >= 3).then(|| Shape::of(corners))
    }

    /// Whether two shapes lie more than so many units apart, east to west or north to south: soon told, and never wrongly.
    pub fn aside(&self, other: &Shape, units: i32) -> bool {
        self.bounds.beyond(&other.bounds, units)
    }

    /// Whether a stretch between two places may come upon the shape: soon told, and never denied wrongly.
    pub fn may_hold(&self, a: Fine, b: Fine) -> bool {
        !Bounds::around(&[a, b]).beyond(&self.bounds, 1)
    }

    /// The ground that two shapes and the way between them cover.
    pub fn swept(&self, to: &Shape) -> Shape {
        let mut all = self.corners.clone();
        all.extend(&to.corners);
        Shape::hull(&all).unwrap_or_else(|| self.clone())
    }

    /// The corners, counter-clockwise.
    pub fn corners(&self) -> &[Fine] {
        &self.corners
    }

    /// The sides, each with the shape on its left.
    pub fn sides(&self) -> impl Iterator<Item = (Fine, Fine)> + '_ {
        let next = self.corners.iter().cycle().skip(1);
        self.corners.iter().copied().zip(next.copied())
    }

    /// Whether a place lies in the shape or on its border.
    pub fn holds(&self, place: Fine) -> bool {
        self.bounds.hold(place) && self.sides().all(|(a, b)| turn(a, b, place) >= 0)
    }

    /// Whether a place lies in the shape, and not on its border.
    pub fn within(&self, place: Fine) -> bool {
        self.bounds.hold(place) && self.sides().all(|(a, b)| turn(a, b, place) > 0)
    }
}

/// A length that is one: from 1 unit to [`LONG`].
fn long(units: i32) -> i64 {
    i64::from(units.clamp(1, LONG))
}

/// One half of a hull, over places in order.
fn chain(places: impl Iterator<Item = Fine>) -> Vec<Fine> {
    let mut kept: Vec<Fine> = Vec::new();
    for place in places {
        while let [.., a, b] = kept.as_slice() {
            if turn(*a, *b, place) > 0 {
                break;
            }
            kept.pop();
        }
        kept.push(place);
    }
    kept
}

/// Whether corners go round a hull in one direction, from wherever they begin.
fn in_order(corners: &[Fine], hull: &[Fine]) -> bool {
    let start = hull.iter().position(|h| Some(h) == corners.first());
    let Some(start) = start else { return false };
    let round = hull.iter().cycle().skip(start);
    let back = hull.iter().rev().cycle().skip(hull.len() - 1 - start);
    corners.iter().eq(round.take(corners.len())) || corners.iter().eq(back.take(corners.len()))
}
