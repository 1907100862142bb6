//! 8.1.7 Lines of sight: units, ground, walls and slopes that stop them.

use super::ground::{Bank, Line};
use super::state::State;
use crate::hex::Hex;
use crate::rules::tactical::sight::{Under, under};
use std::collections::BTreeSet;

/// The hexes of one place of a line: one, or two where it runs between them.
fn places(under: &Under) -> Vec<Hex> {
    std::iter::once(under.hex).chain(under.other).collect()
}

/// All places of a line, its ends among them.
fn line(from: Hex, to: Hex) -> Vec<Vec<Hex>> {
    let between = under(from, to);
    std::iter::once(vec![from]).chain(between.iter().map(places)).chain([vec![to]]).collect()
}

/// 8.1.5 The hexes into which a line leaves a hex; by a corner it leaves into two.
pub fn leaves(from: Hex, to: Hex) -> Vec<Hex> {
    line(from, to).get(1).cloned().unwrap_or_default()
}

/// 8.1.8 The hexes out of which a line comes into its last.
pub fn comes(from: Hex, to: Hex) -> Vec<Hex> {
    leaves(to, from)
}

/// 8.1.7 Whether something of a level, in some hexes, stops a line: what is higher than both ends stops it in any case; what is
/// on the level of the lower end where it is nearer to that end; what is lower never.
fn stops(s: &State, (from, to): (Hex, Hex), level: i8, near: Hex) -> bool {
    let (a, b) = (s.board.ground.field.level(from), s.board.ground.field.level(to));
    let (low, high) = if a <= b { (from, to) } else { (to, from) };
    let lowest = a.min(b);
    if a == b {
        return level >= lowest;
    }
    level > lowest || (level == lowest && near.distance(low) < near.distance(high))
}

/// 8.1.7 Whether a hex stops a line by what it is: ground higher than both ends, or a building, a wood. Beyond the edge of the
/// map nothing lies that could.
fn blocked(s: &State, ends: (Hex, Hex), hex: Hex) -> bool {
    let field = &s.board.ground.field;
    let level = field.level(hex);
    if level > field.level(ends.0).max(field.level(ends.1)) {
        return true;
    }
    s.board.terrain(hex).is_some_and(|t| t.blocks) && stops(s, ends, level, hex)
}

/// R-83 Whether a line crosses something from one place to the next: by a corner where both sides that meet there bear it.
fn crosses(s: &State, (from, to): (&[Hex], &[Hex]), bears: impl Fn(&State, Hex, Hex) -> bool) -> bool {
    let mut pairs =
        from.iter().flat_map(|a| to.iter().map(move |b| (*a, *b))).filter(|(a, b)| a.adjacent(*b)).peekable();
    pairs.peek().is_some() && pairs.all(|(a, b)| bears(s, a, b))
}

/// 8.1.7, R-43 Whether a wall between two hexes stops a line: not beside one of its ends.
fn walled(s: &State, ends: (Hex, Hex), a: Hex, b: Hex) -> bool {
    let beside = [ends.0, ends.1].iter().any(|end| *end == a || *end == b);
    let wall = s.board.edges(a, b).any(|(bank, edge)| edge.blocks && !bank.is_slope());
    let level = s.board.ground.field.level(a).max(s.board.ground.field.level(b));
    wall && !beside && (stops(s, ends, level, a) || stops(s, ends, level, b))
}

/// 8.1.7 Whether a steep or a sharp slope between two hexes stops a line: at its foot, and between its own two levels unless
/// it is nearer to the higher end.
fn cut(s: &State, ends: (Hex, Hex), a: Hex, b: Hex) -> bool {
    if !matches!(s.board.ground.slope(a, b), Bank::Steep | Bank::Sharp) {
        return false;
    }
    let level = |hex: Hex| s.board.ground.field.level(hex);
    let (foot, head) = if level(a) <= level(b) { (a, b) } else { (b, a) };
    let (low, high) = if level(ends.0) <= level(ends.1) { (ends.0, ends.1) } else { (ends.1, ends.0) };
    if level(low) == level(high) {
        return false;
    }
    // The foot lies towards the lower end, or the line goes down and up again.
    let at_foot = low == foot;
    let own = level(low) == level(foot) && level(high) == level(head);
    at_foot || (own && high.distance(head) >= low.distance(foot))
}

/// 8.1.7 The hexes in which somebody stands; H.12 a dummy hides what is behind it as others do, or it would be known by that.
pub fn held(s: &State) -> BTreeSet<Hex> {
    s.counters().flat_map(|(.., pose)| pose.hexes()).collect()
}

/// 8.1.7 Whether one hex sees another; the same from both ends.
pub fn sees(s: &State, from: Hex, to: Hex) -> bool {
    let stands = |hexes: &[Hex]| s.counters().any(|(.., pose)| hexes.iter().any(|hex| pose.is_in(*hex)));
    from.distance(to) <= 1 || past(s, from, to, |hexes| !hexes.is_empty() && stands(hexes))
}

/// 8.1.7 Whether a line is open, where it is said whether somebody stands in one of some hexes.
fn past(s: &State, from: Hex, to: Hex, stands: impl FnOnce(&[Hex]) -> bool) -> bool {
    s.board.lines.look(
        (from, to),
        || drawn(s, from, to),
        |line| match line {
            Line::Shut => false,
            Line::Past(hexes) => !stands(hexes),
        },
    )
}

/// 8.1.7 The same, where it is known which hexes are held.
pub fn clear(s: &State, held: &BTreeSet<Hex>, from: Hex, to: Hex) -> bool {
    past(s, from, to, |hexes| hexes.iter().any(|hex| held.contains(hex)))
}

/// 8.1.7 A line of sight over the empty field, and where a unit would stop it.
fn drawn(s: &State, from: Hex, to: Hex) -> Line {
    let ends = (from, to);
    let line = line(from, to);
    let inner: Vec<Hex> = line.iter().skip(1).take(line.len().saturating_sub(2)).flatten().copied().collect();
    let crossed = |pair: &[Vec<Hex>]| {
        let [a, b] = pair else { return false };
        let wall = crosses(s, (a, b), |s, a, b| walled(s, ends, a, b));
        wall || crosses(s, (a, b), |s, a, b| cut(s, ends, a, b))
    };
    if inner.iter().any(|hex| blocked(s, ends, *hex)) || line.windows(2).any(crossed) {
        return Line::Shut;
    }
    let stopped = |hex: &Hex| stops(s, ends, s.board.ground.field.level(*hex), *hex);
    Line::Past(inner.into_iter().filter(stopped).collect())
}
