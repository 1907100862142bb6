//! Room for names: what is taken on a sheet, and where something still fits.

use super::Point;

/// How much of a name's size a letter is wide, in hundredths.
const LETTER: i32 = 52;

/// What is taken on the sheet: corner and far corner of each box.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    taken: Vec<(Point, Point)>,
}

impl Labels {
    /// How wide a name of a size is, nearly.
    pub fn wide(name: &str, size: i32) -> i32 {
        let letters = i32::try_from(name.chars().count()).unwrap_or(i32::MAX / 1000);
        letters.saturating_mul(size).saturating_mul(LETTER) / 100
    }

    /// How wide bold letters of a size are, nearly: capitals are wider than figures, and those wider than signs.
    pub fn bold(words: &str, size: i32) -> i32 {
        let letter = |c: char| match c {
            'M' | 'W' => 88,
            c if c.is_uppercase() => 68,
            c if c.is_alphanumeric() => 52,
            '+' => 58,
            _ => 30,
        };
        words.chars().map(letter).fold(0, i32::saturating_add).saturating_mul(size) / 100
    }

    /// Takes a box, free or not: pieces stand where they stand.
    pub fn take(&mut self, corner: Point, size: Point) {
        self.taken.push((corner, (corner.0 + size.0, corner.1 + size.1)));
    }

    /// Whether a box meets none that is taken.
    pub fn free(&self, corner: Point, size: Point) -> bool {
        let far = (corner.0 + size.0, corner.1 + size.1);
        !self.taken.iter().any(|(a, b)| corner.0 < b.0 && a.0 < far.0 && corner.1 < b.1 && a.1 < far.1)
    }

    /// The first of some corners at which a box of a size meets nothing and lies on a sheet; it is taken.
    pub fn first(&mut self, corners: &[Point], size: Point, sheet: (Point, Point)) -> Option<Point> {
        let (low, high) = (sheet.0, (sheet.0.0 + sheet.1.0, sheet.0.1 + sheet.1.1));
        let fits = |at: &&Point| {
            at.0 >= low.0
                && at.1 >= low.1
                && at.0 + size.0 <= high.0
                && at.1 + size.1 <= high.1
                && self.free(**at, size)
        };
        let at = corners.iter().find(fits).copied()?;
        self.take(at, size);
        Some(at)
    }
}
