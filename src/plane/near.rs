//! How near two shapes are: overlap, contact, gap.

use super::part::Part;
use super::shape::Shape;
use super::{FAR, FINE, Fine, cross, dot, turn};

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

impl Shape {
    /// Whether two shapes have ground in common; a shared border is none.
    pub fn overlaps(&self, other: &Shape) -> bool {
        !parted(self, other) && !parted(other, self)
    }

    /// The gap to another shape; none where they meet.
    pub fn gap(&self, other: &Shape) -> Gap {
        if self.meets(other) {
            return Gap::NONE;
        }
        let there = other.corners().iter().flat_map(|c| self.sides().map(|s| to_side(*c, s)));
        let back = self.corners().iter().flat_map(|c| other.sides().map(|s| to_side(*c, s)));
        there.chain(back).min().unwrap_or(Gap::NONE)
    }

    /// The gap from a place to the shape; none if it lies in it.
    pub fn gap_to(&self, place: Fine) -> Gap {
        if self.holds(place) {
            return Gap::NONE;
        }
        self.sides().map(|s| to_side(place, s)).min().unwrap_or(Gap::NONE)
    }

    /// Whether two shapes have any place in common, be it a corner.
    pub fn meets(&self, other: &Shape) -> bool {
        let apart = |a: &Shape, b: &Shape| a.sides().any(|(p, q)| b.corners().iter().all(|c| turn(p, q, *c) < 0));
        !apart(self, other) && !apart(other, self)
    }
}

/// Whether a side of the first shape has all of the second on its far side or on its line.
fn parted(a: &Shape, b: &Shape) -> bool {
    a.sides().any(|(p, q)| b.corners().iter().all(|c| turn(p, q, *c) <= 0))
}

/// The gap between two places.
pub fn apart(a: Fine, b: Fine) -> Gap {
    let way = b.from(a);
    Gap(Part::of(dot(way, way), 1))
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
