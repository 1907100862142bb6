//! Lines of sight: whether any part of a shape can be seen past others.

use super::part::Part;
use super::shape::{Bounds, Shape};
use super::{Fine, cross, turn};
use std::cmp::Ordering;

/// Whether the straight line between two places passes through the inside of a shape; along its border is not through.
pub fn crosses(from: Fine, to: Fine, shape: &Shape) -> bool {
    !Bounds::around(&[from, to]).beyond(shape.bounds(), 0) && goes_in(from, to, shape).is_some()
}

/// At what part of a straight line it goes into the inside of a shape, if it does.
fn goes_in(from: Fine, to: Fine, shape: &Shape) -> Option<Part> {
    let (mut first, mut last) = (Part::NONE, Part::WHOLE);
    for (a, b) in shape.sides() {
        let (start, end) = (turn(a, b, from), turn(a, b, to));
        if start <= 0 && end <= 0 {
            return None;
        }
        if start < 0 {
            first = first.max(Part::of(-start, end - start));
        }
        if end < 0 {
            last = last.min(Part::of(start, start - end));
        }
    }
    (first < last).then_some(first)
}

/// A direction from the eye.
type Way = (i128, i128);

/// Whether any part of a target can be seen from a place past some shapes. A place inside the target sees it. A shape in
/// which the eye itself stands hides what lies beyond; leave it out of the list where a rule lets the eye look out.
///
/// Exact: between two neighbouring directions through corners a ray comes to each shape by one side only, and which of two
/// sides is nearer then depends on the direction linearly.
pub fn sees(eye: Fine, target: &Shape, past: &[Shape]) -> bool {
    if target.holds(eye) {
        return true;
    }
    let ways = corners(eye, target, past);
    ways.windows(2).any(|pair| if let [right, left] = pair { open(eye, *right, *left, target, past) } else { false })
        || edge_on(eye, target, past)
}

/// Whether a side that runs straight away from the eye is seen: it takes no angle, and a line along it goes through nothing
/// until it goes into a shape. Where that is beyond its nearer end, a part of it is seen.
fn edge_on(eye: Fine, target: &Shape, past: &[Shape]) -> bool {
    let dot = |a: Way, b: Way| a.0 * b.0 + a.1 * b.1;
    let mut away = target.sides().filter(|(a, b)| turn(*a, *b, eye) == 0);
    away.any(|(a, b)| {
        let far = |c: Fine| dot(c.from(eye), c.from(eye));
        let (near, end) = if far(a) < far(b) { (a, b) } else { (b, a) };
        let reached = Part::of(dot(near.from(eye), end.from(eye)), far(end));
        past.iter().all(|shape| goes_in(eye, end, shape).is_none_or(|into| reached < into))
    })
}

/// The directions in which a corner of the target or of a shape lies, within the angle that the target takes, from right
/// to left.
fn corners(eye: Fine, target: &Shape, past: &[Shape]) -> Vec<Way> {
    let way = |corner: &Fine| corner.from(eye);
    let mut ends: Vec<Way> = target.corners().iter().map(way).collect();
    ends.sort_by(|a, b| leftward(*a, *b));
    let (Some(right), Some(left)) = (ends.first().copied(), ends.last().copied()) else { return Vec::new() };
    let among = |w: &Way| cross(right, *w) > 0 && cross(*w, left) > 0;
    let mut all: Vec<Way> = past.iter().flat_map(Shape::corners).map(way).filter(among).collect();
    all.extend(ends);
    all.sort_by(|a, b| leftward(*a, *b));
    all.dedup_by(|a, b| cross(*a, *b) == 0);
    all
}

/// Directions from right to left; all of them lie within half a turn.
fn leftward(a: Way, b: Way) -> Ordering {
    0.cmp(&cross(a, b))
}

/// Whether the target is the first thing in any direction between two neighbouring ones.
fn open(eye: Fine, right: Way, left: Way, target: &Shape, past: &[Shape]) -> bool {
    let between = (right.0 + left.0, right.1 + left.1);
    let Some(Met::Side(face)) = met(eye, between, target) else { return false };
    let (mut from, mut to) = (Part::NONE, Part::WHOLE);
    for shape in past {
        let hide = match met(eye, between, shape) {
            None => continue,
            Some(Met::Here) => return false,
            Some(Met::Side(side)) => side,
        };
        // By how much the target is nearer, in the two directions; in between it changes evenly.
        let at_right = face.nearer(&hide, eye, right);
        let at_left = face.nearer(&hide, eye, left);
        let right_part = at_right.unsigned_abs();
        let share = Part { over: right_part, under: right_part.saturating_add(at_left.unsigned_abs()) };
        match (at_right.signum(), at_left.signum()) {
            (0 | 1, 0 | 1) => {}
            (-1, 1) => from = from.max(share),
            (1, -1) => to = to.min(share),
            _ => return false,
        }
    }
    from < to
}

/// What a ray comes to first of a shape.
enum Met {
    /// It begins in the shape, or on its border and goes in.
    Here,
    /// It goes in by this side.
    Side(Side),
}

/// A side of a shape, its inside on the left.
struct Side(Fine, Fine);

impl Side {
    /// How far the eye is outside, and how fast a ray comes nearer: their quotient is where the ray meets the side.
    fn meets(&self, eye: Fine, way: Way) -> (i128, i128) {
        let side = self.1.from(self.0);
        (-cross(side, eye.from(self.0)), cross(side, way))
    }

    /// Positive where a ray comes to this side before the other, negative where after it.
    fn nearer(&self, other: &Side, eye: Fine, way: Way) -> i128 {
        let ((off, gain), (other_off, other_gain)) = (self.meets(eye, way), other.meets(eye, way));
        other_off * gain - off * other_gain
    }
}

/// Where a ray that goes through no corner comes into a shape.
fn met(eye: Fine, way: Way, shape: &Shape) -> Option<Met> {
    let mut first = Part::NONE;
    let mut by = None;
    let mut last: Option<Part> = None;
    for (a, b) in shape.sides() {
        let side = Side(a, b);
        let (off, gain) = side.meets(eye, way);
        match gain.cmp(&0) {
            // Outside, and not coming nearer.
            Ordering::Equal | Ordering::Less if off >= 0 => return None,
            Ordering::Equal => {}
            Ordering::Less => {
                let out = Part::of(-off, -gain);
                last = Some(last.map_or(out, |l| l.min(out)));
            }
            Ordering::Greater if off <= 0 => {}
            Ordering::Greater => {
                let at = Part::of(off, gain);
                if first < at {
                    (first, by) = (at, Some(side));
                }
            }
        }
    }
    let through = last.is_none_or(|l| first < l);
    through.then(|| by.map_or(Met::Here, Met::Side))
}
