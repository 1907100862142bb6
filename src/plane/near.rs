//! How near two shapes are: overlap, contact, gap.

use super::part::Part;
use super::shape::{Bounds, Shape};
use super::{FAR, FINE, Fine, Heading, cross, dot, turn};

/// No gap on any map is wider, in units.
const WIDEST: i32 = 4 * FAR;

/// The gap between two shapes, as the exact square of a distance in fine units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Gap(Part);

impl Gap {
    const NONE: Gap = Gap(Part::NONE);

    /// Whether the gap is at most so many units.
    pub fn within(self, units: i32) -> bool {
        let fine = i128::from(units.clamp(0, WIDEST)) * i128::from(FINE);
        self.0 <= Part::of(fine * fine, 1)
    }

    /// The gap in whole units, rounded up: what a report may print.
    pub fn units(self) -> i32 {
        let (mut low, mut high) = (0, WIDEST);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.within(middle) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }
}

/// A line on the ground, and the side of it that counts: all that lies ahead of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// A place on the line.
    pub at: Fine,
    /// The way across it.
    pub ahead: Heading,
}

impl Line {
    /// How far a place lies beyond the line, in fine units times the length of a ray; negative before it.
    fn beyond(self, place: Fine) -> i128 {
        let ray = self.ahead.ray();
        dot((i128::from(ray.x), i128::from(ray.y)), place.from(self.at))
    }
}

impl Shape {
    /// Whether two shapes have ground in common beyond a line. Their common ground is convex, so that it has some there
    /// if one of its corners lies there.
    pub fn overlaps_beyond(&self, other: &Shape, line: Line) -> bool {
        let far = |s: &Shape| s.corners().iter().any(|c| line.beyond(*c) > 0);
        // Most shapes lie apart, and their rectangles say so soonest.
        let apart = self.bounds().beyond(other.bounds(), 0);
        !apart && far(self) && far(other) && self.overlaps(other) && self.common_beyond(other, line)
    }

    /// Whether a corner of the common ground of two shapes that overlap lies beyond a line.
    fn common_beyond(&self, other: &Shape, line: Line) -> bool {
        let inside = |a: &Shape, b: &Shape| a.corners().iter().any(|c| line.beyond(*c) > 0 && b.holds(*c));
        let crossing = |(a, b): (Fine, Fine), (p, q): (Fine, Fine)| {
            let (from, to) = (turn(p, q, a), turn(p, q, b));
            let (one, two) = (turn(a, b, p).signum(), turn(a, b, q).signum());
            // The corner is a + (b - a) from / (from - to); so is its distance from the line.
            let share = line.beyond(b) * from - line.beyond(a) * to;
            from.signum() * to.signum() < 0 && one * two <= 0 && share * (from - to).signum() > 0
        };
        inside(self, other)
            || inside(other, self)
            || self.sides().any(|side| other.sides().any(|across| crossing(side, across)))
    }

    /// Whether two shapes have ground in common; a shared border is none.
    pub fn overlaps(&self, other: &Shape) -> bool {
        !self.bounds().beyond(other.bounds(), 0) && !parted(self, other) && !parted(other, self)
    }

    /// Whether another shape is at most so many units away: as the gap says it, but soon told of what lies far off.
    pub fn near(&self, other: &Shape, units: i32) -> bool {
        let far = i128::from(units.clamp(0, WIDEST)) * i128::from(FINE);
        let apart = self.bounds().beyond(other.bounds(), units) || beyond(self, other, far) || beyond(other, self, far);
        !apart && (self.meets(other) || close(self, other, far) || close(other, self, far))
    }

    /// The gap to another shape; none where they meet.
    pub fn gap(&self, other: &Shape) -> Gap {
        if self.meets(other) {
            return Gap::NONE;
        }
        let there = nearest(self, other.corners());
        let back = nearest(other, self.corners());
        there.into_iter().chain(back).min().unwrap_or(Gap::NONE)
    }

    /// Whether a stretch between two places ends at most so many units from the shape, or goes by a corner so near.
    pub fn beside(&self, (a, b): (Fine, Fine), units: i32) -> bool {
        if Bounds::around(&[a, b]).beyond(self.bounds(), units) {
            return false;
        }
        let corner = self.corners().iter().any(|c| to_side(*c, (a, b)).within(units));
        corner || self.gap_to(a).within(units) || self.gap_to(b).within(units)
    }

    /// The gap from a place to the shape; none if it lies in it.
    pub fn gap_to(&self, place: Fine) -> Gap {
        if self.holds(place) {
            return Gap::NONE;
        }
        nearest(self, &[place]).unwrap_or(Gap::NONE)
    }

    /// Whether two shapes have any place in common, be it a corner.
    pub fn meets(&self, other: &Shape) -> bool {
        let apart = |a: &Shape, b: &Shape| a.sides().any(|(p, q)| b.corners().iter().all(|c| turn(p, q, *c) < 0));
        !self.bounds().beyond(other.bounds(), 0) && !apart(self, other) && !apart(other, self)
    }
}

/// Whether a side of the first shape has all of the second on its far side or on its line.
fn parted(a: &Shape, b: &Shape) -> bool {
    a.sides().any(|(p, q)| b.corners().iter().all(|c| turn(p, q, *c) <= 0))
}

/// The least gap from places outside a shape to it. What is nearest to a place lies on a side that has it on its far side.
fn nearest(shape: &Shape, places: &[Fine]) -> Option<Gap> {
    let mut best: Option<Gap> = None;
    for (p, q) in shape.sides() {
        for place in places {
            if turn(p, q, *place) < 0 {
                let gap = to_side(*place, (p, q));
                best = Some(best.map_or(gap, |least| least.min(gap)));
            }
        }
    }
    best
}

/// Whether a corner of the second shape, which does not meet the first, is at most so many fine units from it.
fn close(a: &Shape, b: &Shape, far: i128) -> bool {
    let within = |place: Fine, (p, q): (Fine, Fine)| {
        let (side, way) = (q.from(p), place.from(p));
        let (along, length) = (dot(side, way), dot(side, side));
        if along <= 0 {
            return dot(way, way) <= far * far;
        }
        if along >= length {
            let end = place.from(q);
            return dot(end, end) <= far * far;
        }
        let off = cross(side, way);
        off * off <= far * far * length
    };
    a.sides().any(|side| b.corners().iter().any(|c| turn(side.0, side.1, *c) < 0 && within(*c, side)))
}

/// Whether a side of the first shape has all of the second on its far side and farther than so many fine units off.
fn beyond(a: &Shape, b: &Shape, far: i128) -> bool {
    a.sides().any(|(p, q)| {
        let side = q.from(p);
        // The cross product is the distance times the length of the side.
        let least = far * far * dot(side, side);
        b.corners().iter().all(|c| {
            let off = turn(p, q, *c);
            off < 0 && off * off > least
        })
    })
}

/// The gap between two places.
pub fn apart(a: Fine, b: Fine) -> Gap {
    let way = b.from(a);
    Gap(Part::of(dot(way, way), 1))
}

/// Whether a place is at most so many units from a stretch between two places.
pub fn beside(place: Fine, (a, b): (Fine, Fine), units: i32) -> bool {
    let far = Bounds::around(&[a, b]).beyond(&Bounds::around(&[place]), units);
    !far && to_side(place, (a, b)).within(units)
}

/// The gap from a place to a stretch between two places.
pub fn to_side(place: Fine, (a, b): (Fine, Fine)) -> Gap {
    let (side, way) = (b.from(a), place.from(a));
    let (along, length) = (dot(side, way), dot(side, side));
    if along <= 0 || length == 0 {
        return apart(a, place);
    }
    if along >= length {
        return apart(b, place);
    }
    // The cross product of the longest sides, squared, still fits: see `FAR`.
    let off = cross(side, way);
    Gap(Part::of(off * off, length))
}
