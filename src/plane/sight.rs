//! Lines of sight: whether any part of a shape can be seen past others.

use super::shape::Shape;
use super::{Fine, cross, turn};
use std::cmp::Ordering;

/// A number between 0 and 1 along a line, as a fraction; the second part is positive.
#[derive(Clone, Copy, Debug)]
struct Along(i128, i128);

impl Along {
    fn cmp(self, other: Along) -> Ordering {
        (self.0 * other.1).cmp(&(other.0 * self.1))
    }
}

/// Whether the straight line between two places passes through the inside of a shape; along its border is not through.
pub fn crosses(from: Fine, to: Fine, shape: &Shape) -> bool {
    inside(from, to, shape).is_some()
}

/// The stretch of a line that lies inside a shape.
fn inside(from: Fine, to: Fine, shape: &Shape) -> Option<(Along, Along)> {
    let (mut first, mut last) = (Along(0, 1), Along(1, 1));
    for (a, b) in shape.sides() {
        let (start, end) = (turn(a, b, from), turn(a, b, to));
        if start <= 0 && end <= 0 {
            return None;
        }
        if start < 0 {
            let at = Along(-start, end - start);
            first = if first.cmp(at) == Ordering::Less { at } else { first };
        }
        if end < 0 {
            let at = Along(start, start - end);
            last = if last.cmp(at) == Ordering::Greater { at } else { last };
        }
    }
    (first.cmp(last) == Ordering::Less).then_some((first, last))
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
    let (mut from, mut to) = (Part(0, 1), Part(1, 1));
    for shape in past {
        let hide = match met(eye, between, shape) {
            None => continue,
            Some(Met::Here) => return false,
            Some(Met::Side(side)) => side,
        };
        // By how much the target is nearer, in the two directions; in between it changes evenly.
        let at_right = face.nearer(&hide, eye, right);
        let at_left = face.nearer(&hide, eye, left);
        let (r, l) = (at_right.unsigned_abs(), at_left.unsigned_abs());
        match (at_right.signum(), at_left.signum()) {
            (0 | 1, 0 | 1) => {}
            (-1, 1) => from = from.max(Part(r, r.saturating_add(l))),
            (1, -1) => to = to.min(Part(r, r.saturating_add(l))),
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
    let mut first = Along(0, 1);
    let mut by = None;
    let mut last: Option<Along> = None;
    for (a, b) in shape.sides() {
        let side = Side(a, b);
        let (off, gain) = side.meets(eye, way);
        match gain.cmp(&0) {
            // Outside, and not coming nearer.
            Ordering::Equal | Ordering::Less if off >= 0 => return None,
            Ordering::Equal => {}
            Ordering::Less => {
                let out = Along(-off, -gain);
                last = Some(last.filter(|l| l.cmp(out) == Ordering::Less).unwrap_or(out));
            }
            Ordering::Greater if off <= 0 => {}
            Ordering::Greater => {
                let at = Along(off, gain);
                if first.cmp(at) == Ordering::Less {
                    (first, by) = (at, Some(side));
                }
            }
        }
    }
    let through = last.is_none_or(|l| first.cmp(l) == Ordering::Less);
    through.then(|| by.map_or(Met::Here, Met::Side))
}

/// A part of one, as a fraction: compared piece by piece, since cross products would not fit.
#[derive(Clone, Copy, Debug)]
struct Part(u128, u128);

impl Ord for Part {
    fn cmp(&self, other: &Part) -> Ordering {
        let (mut a, mut b) = (*self, *other);
        let mut swapped = false;
        loop {
            let whole = |p: Part| p.0.checked_div(p.1);
            let rest = |p: Part| p.0.checked_rem(p.1).unwrap_or(0);
            // A division by nothing is larger than any.
            let order = match (whole(a), whole(b)) {
                (None, None) => return Ordering::Equal,
                (None, _) => Ordering::Greater,
                (_, None) => Ordering::Less,
                (Some(x), Some(y)) => x.cmp(&y),
            };
            if order != Ordering::Equal {
                return if swapped { order.reverse() } else { order };
            }
            (a, b) = (Part(a.1, rest(a)), Part(b.1, rest(b)));
            swapped = !swapped;
        }
    }
}

impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Part) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Part) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Part {}
