//! Cards on a sheet: each lies on its place, or beside it where another lies there; none over another, none over the edge.

use super::Point;

/// Something that wants to lie with its middle on a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card {
    /// The place.
    pub home: Point,
    /// Width and height.
    pub size: Point,
}

/// Ways from a place in hundredths of a step, those first in which a reader looks first.
const WAYS: [Point; 16] = [
    (100, 0),
    (-100, 0),
    (0, -100),
    (0, 100),
    (71, -71),
    (-71, -71),
    (71, 71),
    (-71, 71),
    (92, -38),
    (-92, -38),
    (92, 38),
    (-92, 38),
    (38, -92),
    (-38, -92),
    (38, 92),
    (-38, 92),
];
/// Steps of a third of a card's height that are tried.
const STEPS: i32 = 36;

/// How many steps farther a card lies rather than on the place of another.
const COVERED: i32 = 3;

type Area = (Point, Point);

fn area(at: Point, size: Point, gap: i32) -> Area {
    let (wide, high) = (size.0 / 2 + gap, size.1 / 2 + gap);
    ((at.0 - wide, at.1 - high), (at.0 + wide, at.1 + high))
}

fn meet(a: Area, b: Area) -> bool {
    a.0.0 < b.1.0 && b.0.0 < a.1.0 && a.0.1 < b.1.1 && b.0.1 < a.1.1
}

/// The nearest middle at which a card lies on the sheet.
fn inside(at: Point, size: Point, (corner, wide): (Point, Point)) -> Point {
    let within = |at: i32, half: i32, from: i32, size: i32| at.min(from + size - half).max(from + half);
    (within(at.0, size.0 / 2, corner.0, wide.0), within(at.1, size.1 / 2, corner.1, wide.1))
}

/// Where the middles of cards come to lie on a sheet with a corner and a size. Who comes first has his place first; what can lie
/// on its own place lies there before others give way. It follows from the cards alone.
pub fn spread(cards: &[Card], sheet: (Point, Point), gap: i32) -> Vec<Point> {
    let mut laid: Vec<Option<Point>> = vec![None; cards.len()];
    let mut taken: Vec<Area> = Vec::new();
    for (card, laid) in cards.iter().zip(&mut laid) {
        let at = inside(card.home, card.size, sheet);
        let own = area(at, card.size, gap);
        if !taken.iter().any(|other| meet(own, *other)) {
            taken.push(area(at, card.size, 0));
            *laid = Some(at);
        }
    }
    let places = cards.iter().zip(laid).map(|(card, laid)| {
        laid.unwrap_or_else(|| {
            let at = beside(card, cards, sheet, (&taken, gap));
            taken.push(area(at, card.size, 0));
            at
        })
    });
    places.collect()
}

/// The nearest free place for a card; rather a little farther off than on the place of another.
fn beside(card: &Card, cards: &[Card], sheet: (Point, Point), (taken, gap): (&[Area], i32)) -> Point {
    let step = (card.size.1 / 3).max(1);
    let strange: Vec<Point> = cards.iter().map(|other| other.home).filter(|home| *home != card.home).collect();
    let mut best: Option<(i32, Point)> = None;
    for far in 1..=STEPS {
        if best.is_some_and(|(cost, _)| cost <= far) {
            break;
        }
        for (dx, dy) in WAYS {
            let at = (card.home.0 + dx * step * far / 100, card.home.1 + dy * step * far / 100);
            let own = area(at, card.size, gap);
            if inside(at, card.size, sheet) != at || taken.iter().any(|other| meet(own, *other)) {
                continue;
            }
            let ((left, top), (right, low)) = area(at, card.size, 0);
            let covered = strange.iter().filter(|(x, y)| left < *x && *x < right && top < *y && *y < low).count();
            let cost = far + COVERED * i32::try_from(covered).unwrap_or(0);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, at));
            }
        }
    }
    best.map_or_else(|| inside(card.home, card.size, sheet), |(_, at)| at)
}

/// The line from a card to its place, where it lies off it.
pub fn tie(at: Point, size: Point, home: Point) -> Option<[Point; 2]> {
    let (low, high) = area(at, size, 0);
    let near = (home.0.clamp(low.0, high.0), home.1.clamp(low.1, high.1));
    (near != home).then_some([near, home])
}
