//! The exact plane: places, headings and shapes of a map without hexes, all in integers.
//!
//! Lengths are in units; [`UM`] of them make one movement marker. Corners are kept in fractions of a unit ([`FINE`] to the
//! unit), so that a turned block has exact corners and every question (do two blocks touch, what is the gap, can it be
//! seen) has one answer, the same on every machine. Shapes are convex; a wood of another form is laid out in convex pieces.

pub mod near;
mod part;
pub mod shape;
pub mod sight;
pub mod walk;

use std::fmt;

/// Units of length in one movement marker.
pub const UM: i32 = 1000;
/// Fine units in one unit: half a unit times the scale of the sines is a whole number.
pub const FINE: i64 = 2 * SCALE;
/// What the sines are multiplied by.
const SCALE: i64 = 10_000;
/// The largest coordinate, on either side of the origin: the square of an area of that size still fits in 128 bits.
pub const FAR: i32 = 40_000;
/// The longest side of a block or template.
pub const LONG: i32 = FAR / 4;

/// Sines of 0 to 90 degrees, times [`SCALE`].
const SINES: [i64; 91] = [
    0, 175, 349, 523, 698, 872, 1045, 1219, 1392, 1564, 1736, 1908, 2079, 2250, 2419, 2588, 2756, 2924, 3090, 3256,
    3420, 3584, 3746, 3907, 4067, 4226, 4384, 4540, 4695, 4848, 5000, 5150, 5299, 5446, 5592, 5736, 5878, 6018, 6157,
    6293, 6428, 6561, 6691, 6820, 6947, 7071, 7193, 7314, 7431, 7547, 7660, 7771, 7880, 7986, 8090, 8192, 8290, 8387,
    8480, 8572, 8660, 8746, 8829, 8910, 8988, 9063, 9135, 9205, 9272, 9336, 9397, 9455, 9511, 9563, 9613, 9659, 9703,
    9744, 9781, 9816, 9848, 9877, 9903, 9925, 9945, 9962, 9976, 9986, 9994, 9998, 10_000,
];

/// A place: units to the east and to the north of the map's south-western corner, each within [`FAR`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Spot {
    /// Units to the east.
    pub x: i32,
    /// Units to the north.
    pub y: i32,
}

/// A place in fine units, as corners have it, and whatever has moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fine {
    /// Fine units to the east.
    pub x: i64,
    /// Fine units to the north.
    pub y: i64,
}

/// A way to face: whole degrees clockwise from north, 0 to 359. Its vector is exact, see [`Heading::ray`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Heading(u16);

/// Where something stands and how it faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stand {
    /// Its centre.
    pub at: Fine,
    /// Its front.
    pub heading: Heading,
}

/// The ground that a block takes: its front and its depth, in units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size {
    /// From left to right.
    pub front: i32,
    /// From front to rear.
    pub depth: i32,
}

impl Spot {
    /// A place by its coordinates; beyond [`FAR`] it is the nearest place within.
    pub fn new(x: i32, y: i32) -> Spot {
        Spot { x: x.clamp(-FAR, FAR), y: y.clamp(-FAR, FAR) }
    }

    /// The same place in fine units.
    #[inline]
    pub fn fine(self) -> Fine {
        Fine { x: i64::from(self.x) * FINE, y: i64::from(self.y) * FINE }
    }
}

impl Fine {
    /// The place so many units away in a direction: exact, since a unit holds twice the scale of the sines.
    #[inline]
    pub fn toward(self, heading: Heading, units: i32) -> Fine {
        let (ray, far) = (heading.ray(), i64::from(FAR) * FINE);
        let go = 2 * i64::from(units.clamp(-FAR, FAR));
        Fine { x: (self.x + go * ray.x).clamp(-far, far), y: (self.y + go * ray.y).clamp(-far, far) }
    }

    /// The nearest whole units; halves go north and east.
    #[inline]
    pub fn spot(self) -> Spot {
        let near = |fine: i64| i32::try_from((fine + FINE / 2).div_euclid(FINE)).unwrap_or(FAR);
        Spot::new(near(self.x), near(self.y))
    }

    /// The vector from another place to this one.
    #[inline]
    fn from(self, other: Fine) -> (i128, i128) {
        (i128::from(self.x - other.x), i128::from(self.y - other.y))
    }
}

/// The cross product of two vectors: positive when the second lies to the left of the first.
#[inline]
fn cross(a: (i128, i128), b: (i128, i128)) -> i128 {
    a.0 * b.1 - a.1 * b.0
}

/// The dot product of two vectors.
#[inline]
fn dot(a: (i128, i128), b: (i128, i128)) -> i128 {
    a.0 * b.0 + a.1 * b.1
}

/// On which side of the line from `a` to `b` a place lies: positive to the left, 0 on the line.
#[inline]
fn turn(a: Fine, b: Fine, p: Fine) -> i128 {
    let (bx, by, px, py) = (b.x - a.x, b.y - a.y, p.x - a.x, p.y - a.y);
    i128::from(bx) * i128::from(py) - i128::from(by) * i128::from(px)
}

impl Heading {
    /// North, where the degrees begin.
    pub const NORTH: Heading = Heading(0);

    /// A heading by its degrees, any number of turns away.
    pub fn new(degrees: i32) -> Heading {
        Heading(u16::try_from(degrees.rem_euclid(360)).unwrap_or(0))
    }

    /// 0 to 359, clockwise from north.
    pub fn degrees(self) -> i32 {
        i32::from(self.0)
    }

    /// Turned to the right by so many degrees; to the left by a negative number.
    #[inline]
    pub fn turned(self, right: i32) -> Heading {
        Heading::new(self.degrees().saturating_add(right))
    }

    /// By how many degrees another heading lies to the right: -179 to 180.
    pub fn off(self, other: Heading) -> i32 {
        let right = (other.degrees() - self.degrees()).rem_euclid(360);
        if right > 180 { right - 360 } else { right }
    }

    /// The vector of this heading, its length 10,000 to within a ten-thousandth.
    #[inline]
    pub fn ray(self) -> Fine {
        Fine { x: sine(self.degrees()), y: sine(90 - self.degrees()) }
    }

    /// The heading from one place to another, to the nearest degree; `None` if they are the same place.
    pub fn between(from: Fine, to: Fine) -> Option<Heading> {
        let way = to.from(from);
        if way == (0, 0) {
            return None;
        }
        let off = |degrees: i32| {
            let ray = Heading::new(degrees).ray();
            cross((i128::from(ray.x), i128::from(ray.y)), way)
        };
        // The quarter of the compass in which the way lies, whose first and last degree are among the candidates; over it
        // the way goes over from the right of a heading to its left.
        let first = match (way.0 >= 0, way.1 >= 0) {
            (true, true) => 0,
            (true, false) => 90,
            (false, false) => 180,
            (false, true) => 270,
        };
        let (mut low, mut high) = (first, first + 90);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if off(middle) <= 0 { low = middle } else { high = middle }
        }
        [low, high].into_iter().min_by_key(|d| (off(*d).abs(), d % 360)).map(Heading::new)
    }

    /// Reads degrees (`0` to `359`, `090`) or a wind of the compass (`N`, `NNE`, `NE` ... `NNW`).
    pub fn parse(word: &str) -> Option<Heading> {
        if let Some(wind) = WINDS.iter().position(|w| w.eq_ignore_ascii_case(word)) {
            return i32::try_from(wind).ok().map(|w| Heading::new(w * 45 / 2));
        }
        let digits = word.len() <= 3 && !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        let degrees: i32 = if digits { word.parse().ok()? } else { return None };
        (degrees < 360).then(|| Heading::new(degrees))
    }
}

/// The winds, every 22.5 degrees; a half degree is dropped.
const WINDS: [&str; 16] =
    ["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"];

/// The sine of whole degrees, times [`SCALE`].
#[inline]
fn sine(degrees: i32) -> i64 {
    let full = degrees.rem_euclid(360);
    let half = full % 180;
    let quarter = if half > 90 { 180 - half } else { half };
    let value = usize::try_from(quarter).ok().and_then(|q| SINES.get(q)).copied().unwrap_or(0);
    if full >= 180 { -value } else { value }
}

impl From<Spot> for String {
    fn from(at: Spot) -> String {
        at.to_string()
    }
}

impl TryFrom<String> for Spot {
    type Error = String;
    fn try_from(text: String) -> Result<Spot, String> {
        let wrong = || format!("\"{text}\" is no place, such as 15300,14450");
        let (x, y) = text.split_once(',').ok_or_else(wrong)?;
        let number = |s: &str| s.trim().parse::<i32>().map_err(|_| wrong());
        Ok(Spot::new(number(x)?, number(y)?))
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl fmt::Display for Heading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:03}", self.0)
    }
}
