//! Lines: edges joined to chains, corners cut off, paths written in whole numbers.

use super::Point;
use std::collections::BTreeMap;

/// Joins edges end to end into lines as long as they go; a loop ends where it began. Where more than two edges meet, lines
/// end. The same set of edges gives the same lines, whatever their order.
pub fn chains(edges: &[(Point, Point)]) -> Vec<Vec<Point>> {
    let mut left: Vec<(Point, Point)> = edges.iter().map(|(a, b)| if a <= b { (*a, *b) } else { (*b, *a) }).collect();
    left.sort_unstable();
    left.dedup();
    let mut ends: BTreeMap<Point, Vec<usize>> = BTreeMap::new();
    for (i, (a, b)) in left.iter().enumerate() {
        ends.entry(*a).or_default().push(i);
        ends.entry(*b).or_default().push(i);
    }
    let mut used = vec![false; left.len()];
    let mut lines = Vec::new();
    // First from where lines begin, then what is left: loops.
    let begins = ends.iter().filter(|(_, at)| at.len() != 2).map(|(p, _)| *p);
    let starts: Vec<Point> = begins.chain(ends.keys().copied()).collect();
    for start in starts {
        while let Some(line) = follow(start, &left, &ends, &mut used) {
            lines.push(line);
        }
    }
    lines
}

fn follow(
    start: Point,
    edges: &[(Point, Point)],
    ends: &BTreeMap<Point, Vec<usize>>,
    used: &mut [bool],
) -> Option<Vec<Point>> {
    let mut line = vec![start];
    let mut at = start;
    loop {
        let free = ends.get(&at)?.iter().copied().find(|i| used.get(*i) == Some(&false));
        let Some((i, (a, b))) = free.and_then(|i| Some((i, *edges.get(i)?))) else { break };
        if let Some(flag) = used.get_mut(i) {
            *flag = true;
        }
        at = if a == at { b } else { a };
        line.push(at);
        if at == start || ends.get(&at).is_some_and(|there| there.len() != 2) {
            break;
        }
    }
    (line.len() > 1).then_some(line)
}

/// A line with its corners cut off so many times, a quarter from each end of a stretch (Chaikin). The ends of an open line
/// stay; one that ends where it began is closed all round.
pub fn rounded(line: &[Point], cuts: u32) -> Vec<Point> {
    let mut line = line.to_vec();
    for _ in 0..cuts {
        let closed = line.len() > 2 && line.first() == line.last();
        let mut next = Vec::with_capacity(2 * line.len());
        if !closed {
            next.extend(line.first().copied());
        }
        for (a, b) in line.iter().zip(line.iter().skip(1)) {
            next.push(((3 * a.0 + b.0).div_euclid(4), (3 * a.1 + b.1).div_euclid(4)));
            next.push(((a.0 + 3 * b.0).div_euclid(4), (a.1 + 3 * b.1).div_euclid(4)));
        }
        next.extend(if closed { next.first().copied() } else { line.last().copied() });
        line = next;
    }
    line.dedup();
    line
}

/// Lines as the data of one path, in as few letters as it takes: steps from point to point, those in one direction as one,
/// the first of each line from where the line before it ended; closed ones end in `z`.
pub fn path(lines: &[Vec<Point>], closed: bool) -> String {
    let mut said = String::new();
    let mut at: Option<Point> = None;
    for line in lines {
        let Some(first) = line.first() else { continue };
        match at {
            None => said.push_str(&format!("M{}", pair(*first))),
            Some(at) => said.push_str(&format!("m{}", pair((first.0 - at.0, first.1 - at.1)))),
        }
        let steps = straight(line);
        for (n, step) in steps.iter().enumerate() {
            // A number below nought parts itself from the one before it.
            said.push_str(match (n, step.0 < 0) {
                (0, _) => "l",
                (_, true) => "",
                (_, false) => " ",
            });
            said.push_str(&pair(*step));
        }
        // A closed line goes back to where it began.
        at = line.last().filter(|_| !closed).or(Some(first)).copied();
        if closed {
            said.push('z');
        }
    }
    said
}

/// Two numbers of a path.
fn pair((x, y): Point) -> String {
    if y < 0 { format!("{x}{y}") } else { format!("{x} {y}") }
}

/// The steps of a line, those that go on in the same direction joined to one.
fn straight(line: &[Point]) -> Vec<Point> {
    let mut steps: Vec<Point> = Vec::new();
    for (a, b) in line.iter().zip(line.iter().skip(1)) {
        let step = (b.0 - a.0, b.1 - a.1);
        match steps.last_mut() {
            Some(last) if goes_on(*last, step) => *last = (last.0 + step.0, last.1 + step.1),
            _ => steps.push(step),
        }
    }
    steps
}

fn goes_on(a: Point, b: Point) -> bool {
    let [ax, ay, bx, by] = [a.0, a.1, b.0, b.1].map(i64::from);
    ax * by == ay * bx && ax * bx + ay * by > 0
}
