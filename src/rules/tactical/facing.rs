//! Fronts and arcs of a piece that faces a hexside.

use crate::hex::{Dir, Hex};

/// The direction one hexside to the right, or to the left.
pub fn beside(dir: Dir, right: bool) -> Dir {
    let at = Dir::ALL.iter().position(|d| *d == dir).unwrap_or_default();
    let step = if right { 1 } else { Dir::ALL.len() - 1 };
    Dir::ALL.get((at + step) % Dir::ALL.len()).copied().unwrap_or(dir)
}

/// The side of a hex that looks towards another.
pub fn toward(from: Hex, to: Hex) -> Dir {
    let best = Dir::ALL.into_iter().min_by_key(|dir| from.neighbour(*dir).distance(to));
    best.unwrap_or(Dir::N)
}

/// The three directions of a front: left, ahead, right.
pub fn ways(facing: Dir) -> [Dir; 3] {
    [beside(facing, false), facing, beside(facing, true)]
}

/// The three frontal hexes.
pub fn front(at: Hex, facing: Dir) -> [Hex; 3] {
    ways(facing).map(|dir| at.neighbour(dir))
}

/// The hexes from a place to another in one of the six straight rows, without the first; none off the rows.
pub fn straight(from: Hex, dir: Dir, to: Hex) -> Option<Vec<Hex>> {
    let (mut at, mut path) = (from, Vec::new());
    for _ in 0..from.distance(to) {
        at = at.neighbour(dir);
        path.push(at);
    }
    (at == to && from != to).then_some(path)
}

/// The straight row of the front in which a hex lies.
pub fn charge_line(from: Hex, facing: Dir, to: Hex) -> Option<Vec<Hex>> {
    ways(facing).into_iter().find_map(|dir| straight(from, dir, to))
}

/// Whether a hex lies on or between the outer rows of the front.
pub fn in_arc(from: Hex, facing: Dir, to: Hex) -> bool {
    // Between two rows that lie one hexside apart, a hex is so many steps along the one and so many along the other.
    let far = from.distance(to);
    let between = |a: Dir, b: Dir| {
        (0..=far).any(|n| {
            let mut at = from;
            for step in 0..far {
                at = at.neighbour(if step < n { a } else { b });
            }
            at == to
        })
    };
    let [left, ahead, right] = ways(facing);
    far > 0 && (between(left, ahead) || between(ahead, right))
}
