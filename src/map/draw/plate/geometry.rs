//! Where hexes lie on a sheet: columns 240 apart, rows 280, so that centres, corners and quarters are whole.

use crate::hex::{Dir, Hex, Hexside};
use crate::ink::Point;
use crate::map::HexMap;
use crate::map::draw::Window;

/// From column to column.
pub const ACROSS: i32 = 240;
/// From row to row.
pub const DOWN: i32 = 280;
/// From the centre to the corners east and west.
pub const RADIUS: i32 = 160;

/// What of the map is seen, and how fine the pen is.
pub(super) struct Frame {
    /// The hexes whose centres are seen.
    pub(super) window: Window,
    /// The corner in the north-west.
    pub(super) corner: Point,
    /// Width and height.
    pub(super) size: Point,
    /// The width by which the pen is measured.
    wide: i32,
}

impl Frame {
    pub(super) fn of(map: &HexMap, window: Window) -> Frame {
        let window = Window {
            west: window.west.max(1),
            east: window.east.min(map.columns),
            north: window.north.max(1),
            south: window.south.min(map.rows),
        };
        let first = centre(Hex::new(window.west, window.north));
        let (wide, high) = (i32::from(window.columns()), i32::from(window.rows()));
        let top = i32::from(window.north - 1) * DOWN;
        let size = ((wide - 1).max(0) * ACROSS + 2 * RADIUS, high * DOWN + DOWN / 2);
        Frame { window, corner: (first.0 - RADIUS, top), size, wide: size.0 }
    }

    /// Draws as if so many columns were seen, however many are.
    pub(super) fn fix(&mut self, columns: i16) {
        self.wide = i32::from(columns) * ACROSS;
    }

    /// A width in tenths of a pixel of a picture 600 pixels wide, as a length on the sheet.
    pub(super) fn pen(&self, tenths: i32) -> i32 {
        (self.wide * tenths / 6000).max(1)
    }

    /// The hexes seen, and one ring round them, whose lines run out of the picture; only those of the map.
    pub(super) fn hexes(&self, map: &HexMap) -> Vec<Hex> {
        let w = self.window;
        let wider = Window { west: w.west - 1, east: w.east + 1, north: w.north - 1, south: w.south + 1 };
        wider.hexes(map)
    }

    /// Whether a side belongs to a hex seen.
    pub(super) fn shows(&self, side: Hexside) -> bool {
        let (a, b) = side.hexes();
        self.window.contains(a) || self.window.contains(b)
    }
}

/// The centre of a hex.
pub fn centre(hex: Hex) -> Point {
    let lower = if hex.col % 2 == 0 { DOWN / 2 } else { 0 };
    (RADIUS + ACROSS * (i32::from(hex.col) - 1), DOWN / 2 + DOWN * (i32::from(hex.row) - 1) + lower)
}

/// Its corners, clockwise from the north-west one.
pub fn corners(hex: Hex) -> [Point; 6] {
    let (x, y) = centre(hex);
    let (slope, half) = (RADIUS / 2, DOWN / 2);
    [
        (x - slope, y - half),
        (x + slope, y - half),
        (x + RADIUS, y),
        (x + slope, y + half),
        (x - slope, y + half),
        (x - RADIUS, y),
    ]
}

/// The two ends of a hexside, clockwise as its hex sees them.
pub fn edge(hex: Hex, dir: Dir) -> (Point, Point) {
    let [nw, ne, e, se, sw, w] = corners(hex);
    match dir {
        Dir::N => (nw, ne),
        Dir::NE => (ne, e),
        Dir::SE => (e, se),
        Dir::S => (se, sw),
        Dir::SW => (sw, w),
        Dir::NW => (w, nw),
    }
}

/// The ends of a hexside as the hex has it that it is named after.
pub fn ends(side: Hexside) -> (Point, Point) {
    let (hex, dir) = side.parts();
    edge(hex, dir)
}

/// The middle between two points.
pub fn middle(a: Point, b: Point) -> Point {
    ((a.0 + b.0).div_euclid(2), (a.1 + b.1).div_euclid(2))
}

/// A point so many hundredths of the way from one to another.
pub fn toward(a: Point, b: Point, hundredths: i32) -> Point {
    (a.0 + (b.0 - a.0) * hundredths / 100, a.1 + (b.1 - a.1) * hundredths / 100)
}

/// The hex in which a point lies, or to which it is nearest.
pub fn hex_at(at: Point) -> Hex {
    let col = (at.0 - RADIUS + ACROSS / 2).div_euclid(ACROSS) + 1;
    let row = at.1.div_euclid(DOWN) + 1;
    let far = |hex: &Hex| {
        let (x, y) = centre(*hex);
        let (dx, dy) = (i64::from(x - at.0), i64::from(y - at.1));
        dx * dx + dy * dy
    };
    let near = |n: i32, by: i32| i16::try_from(n + by).unwrap_or(i16::MAX);
    let around = (-1..=1).flat_map(|c| (-1..=1).map(move |r| Hex::new(near(col, c), near(row, r))));
    around.min_by_key(|hex| (far(hex), *hex)).unwrap_or(Hex::new(near(col, 0), near(row, 0)))
}
