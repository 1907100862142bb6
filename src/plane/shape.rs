//! Convex shapes: blocks, templates, pieces of ground.

use super::{FINE, Fine, LONG, Size, Spot, Stand, turn};

/// A convex shape: its corners in fine units, counter-clockwise, none of them on the line between its neighbours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    corners: Corners,
    /// The upright rectangle around it, which tells most shapes apart at once.
    bounds: Bounds,
}

/// A block and the ground that it goes over have at most so many corners.
const FEW: usize = 6;

/// Corners in a row; a few stand in the shape itself, for blocks are made by the thousand.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Corners {
    Few([Fine; FEW], usize),
    Many(Vec<Fine>),
}

impl Corners {
    fn of(all: &[Fine]) -> Corners {
        let mut few = [Fine { x: 0, y: 0 }; FEW];
        match few.get_mut(..all.len()) {
            Some(room) => {
                room.copy_from_slice(all);
                Corners::Few(few, all.len())
            }
            None => Corners::Many(all.to_vec()),
        }
    }

    #[inline]
    fn all(&self) -> &[Fine] {
        match self {
            Corners::Few(few, count) => few.get(..*count).unwrap_or(few),
            Corners::Many(many) => many,
        }
    }
}

/// The sides of a shape, one after the other.
#[derive(Clone, Debug)]
pub struct Sides<'s> {
    corners: &'s [Fine],
    at: usize,
}

impl Iterator for Sides<'_> {
    type Item = (Fine, Fine);

    #[inline]
    fn next(&mut self) -> Option<(Fine, Fine)> {
        let from = *self.corners.get(self.at)?;
        self.at += 1;
        let to = self.corners.get(self.at).or(self.corners.first())?;
        Some((from, *to))
    }
}

/// An upright rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    low: Fine,
    high: Fine,
}

impl Bounds {
    /// Around some places; around the origin if there are none.
    #[inline]
    pub(super) fn around(places: &[Fine]) -> Bounds {
        let first = places.first().copied().unwrap_or(Fine { x: 0, y: 0 });
        let (mut low, mut high) = (first, first);
        for place in places {
            low = Fine { x: low.x.min(place.x), y: low.y.min(place.y) };
            high = Fine { x: high.x.max(place.x), y: high.y.max(place.y) };
        }
        Bounds { low, high }
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
    fn of(corners: &[Fine]) -> Shape {
        Shape { corners: Corners::of(corners), bounds: Bounds::around(corners) }
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
        Shape::of(&[corner(1, 1), corner(-1, 1), corner(-1, -1), corner(1, -1)])
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
        Shape::of(&[vertex, end(1), end(-1)])
    }

    /// A piece of ground by its corners, in either direction around it.
    ///
    /// # Errors
    /// The flaw of the corners.
    pub fn ground(corners: &[Spot]) -> Result<Shape, Flaw> {
        let fine: Vec<Fine> = corners.iter().map(|c| c.fine()).collect();
        let shape = Shape::hull(&fine).ok_or(Flaw::Flat)?;
        let all = fine.len() == shape.corners().len() && in_order(&fine, shape.corners());
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
        (corners.len() >= 3).then(|| Shape::of(&corners))
    }

    /// Whether two shapes lie more than so many units apart, east to west or north to south: soon told, and never wrongly.
    pub fn aside(&self, other: &Shape, units: i32) -> bool {
        self.bounds.beyond(&other.bounds, units)
    }

    /// Whether a stretch between two places lies more than so many units off, east to west or north to south: soon told, and
    /// never wrongly.
    pub fn clear_of(&self, (a, b): (Fine, Fine), units: i32) -> bool {
        Bounds::around(&[a, b]).beyond(&self.bounds, units)
    }

    /// Whether the upright rectangle around the shape lies in the one around another.
    pub fn bounded_by(&self, other: &Shape) -> bool {
        other.bounds.hold(self.bounds.low) && other.bounds.hold(self.bounds.high)
    }

    /// Whether a stretch between two places may come upon the shape: soon told, and never denied wrongly.
    pub fn may_hold(&self, a: Fine, b: Fine) -> bool {
        !Bounds::around(&[a, b]).beyond(&self.bounds, 1)
    }

    /// The ground that two shapes and the way between them cover.
    pub fn swept(&self, to: &Shape) -> Shape {
        let all: Vec<Fine> = self.corners().iter().chain(to.corners()).copied().collect();
        Shape::hull(&all).unwrap_or_else(|| self.clone())
    }

    /// The ground that the shape covers on a straight way from one place to another: the hull of both, since a side either
    /// looks along the way, and goes with it, or stays.
    pub fn drawn(&self, from: Fine, to: Fine) -> Shape {
        let by = Fine { x: to.x - from.x, y: to.y - from.y };
        if by == (Fine { x: 0, y: 0 }) {
            return self.clone();
        }
        let on = |c: Fine| Fine { x: c.x + by.x, y: c.y + by.y };
        let looks = |(a, b): (Fine, Fine)| -turn(Fine { x: 0, y: 0 }, Fine { x: b.x - a.x, y: b.y - a.y }, by).signum();
        let mut all = [Fine { x: 0, y: 0 }; FEW];
        let (corners, mut count) = (self.corners(), 0);
        let Some(mut before) = corners.last().zip(corners.first()).map(|(a, b)| looks((*a, *b))) else {
            return self.clone();
        };
        for (corner, next) in self.sides() {
            let then = looks((corner, next));
            // A side along the way does neither: its ends go with their other sides.
            let (one, two) = (if before == 0 { then } else { before }, if then == 0 { before } else { then });
            before = then;
            for (n, side) in [one, two].into_iter().enumerate() {
                if n == 0 || one != two {
                    let Some(room) = all.get_mut(count) else {
                        return self.swept(&Shape::of(&corners.iter().map(|c| on(*c)).collect::<Vec<_>>()));
                    };
                    *room = if side > 0 { on(corner) } else { corner };
                    count += 1;
                }
            }
        }
        Shape::of(all.get(..count).unwrap_or(&all))
    }

    /// The corners, counter-clockwise.
    #[inline]
    pub fn corners(&self) -> &[Fine] {
        self.corners.all()
    }

    /// The sides, each with the shape on its left.
    #[inline]
    pub fn sides(&self) -> Sides<'_> {
        Sides { corners: self.corners(), at: 0 }
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
