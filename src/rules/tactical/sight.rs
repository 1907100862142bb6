//! Exact lines from centre to centre, in whole numbers.
//!
//! The picture has columns 3 apart and rows 2: a centre stands at (3c, 2r + 1 in even columns), its corners at (±2, 0) and
//! (±1, ±1). It is the true picture stretched, so what is left or right of a line stays so. Along the line, lengths count
//! in the true measure, which is 1 to 3 in squares.

use crate::hex::Hex;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// So far a line is looked up and not drawn anew.
const NEAR: i16 = 6;

/// The lines of a hex in a column of either kind to all that are near: what lies under each, as columns and rows away.
type Lines = BTreeMap<(bool, i16, i16), Vec<((i16, i16), Option<(i16, i16)>)>>;

/// A line depends on the kind of its first column and on how far its end lies from it.
static LINES: LazyLock<Lines> = LazyLock::new(|| {
    let away = |from: Hex, hex: Hex| (hex.col - from.col, hex.row - from.row);
    let mut lines = Lines::new();
    for from in [Hex::new(20, 20), Hex::new(21, 20)] {
        for to in from.within(NEAR).into_iter().filter(|to| *to != from) {
            let (col, row) = away(from, to);
            let under = under(from, to).into_iter().map(|u| (away(from, u.hex), u.other.map(|hex| away(from, hex))));
            lines.insert((from.col % 2 == 0, col, row), under.collect());
        }
    }
    lines
});

/// Whether a line is open, as [`open`] says where both of a pair have to block; near hexes are looked up.
pub fn clear(a: Hex, b: Hex, blocks: impl Fn(Hex) -> bool) -> bool {
    let Some(line) = LINES.get(&(a.col % 2 == 0, b.col - a.col, b.row - a.row)) else {
        return open(a, b, true, blocks);
    };
    let at = |(col, row): (i16, i16)| Hex::new(a.col + col, a.row + row);
    line.iter().all(|(hex, other)| !(blocks(at(*hex)) && other.is_none_or(|other| blocks(at(other)))))
}

/// What a line passes under way: one hex, or the two on whose common side it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Under {
    /// The hex.
    pub hex: Hex,
    /// The other one, where the line runs between two.
    pub other: Option<Hex>,
}

const CORNERS: [(i32, i32); 6] = [(2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1)];

fn centre(hex: Hex) -> (i32, i32) {
    let (col, row) = (i32::from(hex.col), i32::from(hex.row));
    (3 * col, 2 * row + i32::from(hex.col % 2 == 0))
}

/// How a hex lies to a line: corners on its left, on its right, and those upon it.
fn corners(line: ((i32, i32), (i32, i32)), hex: Hex) -> (bool, bool, Vec<(i32, i32)>) {
    let ((ax, ay), (dx, dy)) = line;
    let (cx, cy) = centre(hex);
    let (mut left, mut right, mut upon) = (false, false, Vec::new());
    for (ox, oy) in CORNERS {
        let (x, y) = (cx + ox, cy + oy);
        match (dx * (y - ay) - dy * (x - ax)).signum() {
            1 => left = true,
            -1 => right = true,
            _ => upon.push((x, y)),
        }
    }
    (left, right, upon)
}

/// The first and the last row of a column that a line can touch; none where it runs along the column.
fn rows((from, way): ((i32, i32), (i32, i32)), col: i16) -> Option<(i16, i16)> {
    // Where the line stands at either edge of the column, in halves of a row, and how far a hex reaches from its centre.
    let at = |x: i32| (way.0 != 0).then(|| from.1 + (way.1 * (x - from.0)).div_euclid(way.0));
    let (a, b) = (at(3 * i32::from(col) - 2)?, at(3 * i32::from(col) + 2)?);
    let row = |y: i32| i16::try_from(y.div_euclid(2)).ok();
    Some((row(a.min(b))? - 2, row(a.max(b))? + 2))
}

/// What lies strictly between two hexes on the line of their centres, in order from the first.
pub fn under(a: Hex, b: Hex) -> Vec<Under> {
    let (from, to) = (centre(a), centre(b));
    let way = (to.0 - from.0, to.1 - from.1);
    let along = |p: (i32, i32)| (p.0 - from.0) * way.0 + 3 * (p.1 - from.1) * way.1;
    let whole = along(to);
    let inside = |n: i32| 0 < n && n < whole;
    let (west, east) = (a.col.min(b.col), a.col.max(b.col));
    let (north, south) = (a.row.min(b.row) - 1, a.row.max(b.row) + 1);
    let mut found: Vec<(i32, Under)> = Vec::new();
    for col in west - 1..=east + 1 {
        let (first, last) = rows((from, way), col).unwrap_or((north, south));
        for row in north.max(first)..=south.min(last) {
            let hex = Hex::new(col, row);
            if hex == a || hex == b {
                continue;
            }
            let (left, right, upon) = corners((from, way), hex);
            if left && right && inside(along(centre(hex))) {
                found.push((2 * along(centre(hex)), Under { hex, other: None }));
            }
            // A hex on the left alone, a side of it upon the line: the pair is found once, from its left hex.
            if let (true, false, [p, q]) = (left, right, upon.as_slice()) {
                let middle = along(*p) + along(*q);
                if 0 < middle && middle < 2 * whole {
                    let other = hex.neighbours().into_iter().find(|n| {
                        let (l, r, shared) = corners((from, way), *n);
                        !l && r && shared.contains(p) && shared.contains(q)
                    });
                    found.push((middle, Under { hex, other }));
                }
            }
        }
    }
    found.sort_by_key(|(at, under)| (*at, under.hex));
    found.into_iter().map(|(_, under)| under).collect()
}

/// Whether a line is open: a pair blocks where both of its hexes do, if `both`, or else where either does.
pub fn open(a: Hex, b: Hex, both: bool, blocks: impl Fn(Hex) -> bool) -> bool {
    under(a, b).iter().all(|under| match under.other {
        None => !blocks(under.hex),
        Some(other) if both => !(blocks(under.hex) && blocks(other)),
        Some(other) => !blocks(under.hex) && !blocks(other),
    })
}
