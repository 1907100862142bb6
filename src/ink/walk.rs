//! Walking along lines: borders in one direction, points at equal distances, what lies aside.

use super::Point;
use std::collections::BTreeMap;

/// Joins edges that have a direction to loops that keep it; of edges that begin in one point the last counts, as on the borders
/// of surfaces made of hexes, where never more than one begins.
pub fn loops(edges: &[(Point, Point)]) -> Vec<Vec<Point>> {
    let mut next: BTreeMap<Point, Point> = edges.iter().copied().collect();
    let mut lines = Vec::new();
    while let Some((first, second)) = next.pop_first() {
        let mut line = vec![first, second];
        let mut at = second;
        while let Some(to) = next.remove(&at) {
            line.push(to);
            at = to;
        }
        lines.push(line);
    }
    lines
}

/// The length of a way.
fn length((x, y): Point) -> i32 {
    let (x, y) = (u64::from(x.unsigned_abs()), u64::from(y.unsigned_abs()));
    i32::try_from((x * x + y * y).isqrt()).unwrap_or(i32::MAX)
}

/// Points along a line, one each so many units, and the way of the line there.
pub fn walk(line: &[Point], step: i32) -> Vec<(Point, Point)> {
    let step = step.max(1);
    let mut found = Vec::new();
    let mut left = step / 2;
    for (a, b) in line.iter().zip(line.iter().skip(1)) {
        let way = (b.0 - a.0, b.1 - a.1);
        let long = length(way);
        while left <= long && long > 0 {
            found.push(((a.0 + way.0 * left / long, a.1 + way.1 * left / long), way));
            left += step;
        }
        left -= long;
    }
    found
}

/// A point so far aside of another, to the left of a way on the sheet, and so far along the way.
pub fn aside(at: Point, way: Point, left: i32, along: i32) -> Point {
    let long = length(way).max(1);
    (at.0 + (way.1 * left + way.0 * along) / long, at.1 + (way.1 * along - way.0 * left) / long)
}

/// Lines aslant over a rectangle, falling to the left, so far from each other along its sides.
pub fn stripes((left, top): Point, (wide, high): Point, step: i32) -> Vec<Vec<Point>> {
    let step = step.max(1);
    let line =
        |k: i32| vec![(left + k.min(wide), top + (k - wide).max(0)), (left + (k - high).max(0), top + k.min(high))];
    (1..).map(|k| k * step).take_while(|k| *k < wide + high).map(line).collect()
}
