//! Flat-top hexes named by column and row, as the games' maps print them.
//!
//! The even columns lie half a hex further south (house grid of the campaigns tables, 1.9).
//! All arithmetic is in integers; directions have one fixed order so that ties break the same everywhere.

use std::fmt;

/// A hex by its printed column and row, both counted from 1. `0950` is column 9, row 50.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hex {
    /// Column, from 1 in the west.
    pub col: i16,
    /// Row, from 1 in the north.
    pub row: i16,
}

/// The six directions, clockwise from north.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dir {
    /// North.
    #[default]
    N,
    /// North-east.
    NE,
    /// South-east.
    SE,
    /// South.
    S,
    /// South-west.
    SW,
    /// North-west.
    NW,
}

/// A hexside: the edge between two adjacent hexes, kept from the hex that has it as N, NE or SE.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hexside {
    hex: Hex,
    dir: Dir,
}

impl Dir {
    /// All directions in their fixed order.
    pub const ALL: [Dir; 6] = [Dir::N, Dir::NE, Dir::SE, Dir::S, Dir::SW, Dir::NW];

    /// The direction that leads back.
    pub fn opposite(self) -> Dir {
        match self {
            Dir::N => Dir::S,
            Dir::NE => Dir::SW,
            Dir::SE => Dir::NW,
            Dir::S => Dir::N,
            Dir::SW => Dir::NE,
            Dir::NW => Dir::SE,
        }
    }

    /// Reads `N`, `NE`, `SE`, `S`, `SW` or `NW`.
    pub fn parse(s: &str) -> Option<Dir> {
        Dir::ALL.into_iter().find(|d| d.name() == s)
    }

    /// The compass letters.
    pub fn name(self) -> &'static str {
        match self {
            Dir::N => "N",
            Dir::NE => "NE",
            Dir::SE => "SE",
            Dir::S => "S",
            Dir::SW => "SW",
            Dir::NW => "NW",
        }
    }
}

impl Hex {
    /// A hex by column and row; no map is consulted.
    pub const fn new(col: i16, row: i16) -> Hex {
        Hex { col, row }
    }

    /// Reads a four-digit id such as `0950`.
    pub fn parse(s: &str) -> Option<Hex> {
        if s.len() != 4 || !s.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let col = s.get(0..2)?.parse().ok()?;
        let row = s.get(2..4)?.parse().ok()?;
        (col > 0 && row > 0).then_some(Hex { col, row })
    }

    /// The neighbour in a direction; it may lie off the map.
    pub fn neighbour(self, dir: Dir) -> Hex {
        let down = i16::from(self.col % 2 == 0);
        let (dc, dr) = match dir {
            Dir::N => (0, -1),
            Dir::S => (0, 1),
            Dir::NE => (1, down - 1),
            Dir::SE => (1, down),
            Dir::NW => (-1, down - 1),
            Dir::SW => (-1, down),
        };
        Hex { col: self.col + dc, row: self.row + dr }
    }

    /// The six neighbours in the order of [`Dir::ALL`].
    pub fn neighbours(self) -> [Hex; 6] {
        Dir::ALL.map(|d| self.neighbour(d))
    }

    /// The direction of an adjacent hex.
    pub fn dir_to(self, other: Hex) -> Option<Dir> {
        let (cols, rows) = (i32::from(other.col) - i32::from(self.col), i32::from(other.row) - i32::from(self.row));
        // In the columns beside, the upper one of the two neighbours is -1 or 0 rows away, by the shift of this column.
        let upper = if self.col % 2 == 0 { 0 } else { -1 };
        Some(match (cols, rows) {
            (0, -1) => Dir::N,
            (0, 1) => Dir::S,
            (1, rows) if rows == upper => Dir::NE,
            (1, rows) if rows == upper + 1 => Dir::SE,
            (-1, rows) if rows == upper => Dir::NW,
            (-1, rows) if rows == upper + 1 => Dir::SW,
            _ => return None,
        })
    }

    /// Whether two hexes share a side.
    pub fn adjacent(self, other: Hex) -> bool {
        self.dir_to(other).is_some()
    }

    /// Distance in hexes.
    pub fn distance(self, other: Hex) -> u32 {
        let (ax, az) = self.axial();
        let (bx, bz) = other.axial();
        let (dx, dz) = (i32::from(ax) - i32::from(bx), i32::from(az) - i32::from(bz));
        let d = (dx.abs() + dz.abs() + (dx + dz).abs()) / 2;
        d.unsigned_abs()
    }

    /// All hexes at most `radius` away, in id order; some may lie off the map.
    pub fn within(self, radius: i16) -> Vec<Hex> {
        let mut found = Vec::new();
        for col in self.col - radius..=self.col + radius {
            for row in self.row - radius - 1..=self.row + radius + 1 {
                let hex = Hex { col, row };
                if self.distance(hex) <= radius.unsigned_abs().into() {
                    found.push(hex);
                }
            }
        }
        found
    }

    /// Axial coordinates, in which distance is a plain sum.
    fn axial(self) -> (i16, i16) {
        let q = self.col - 1;
        (q, self.row - (q - (q & 1)) / 2)
    }
}

impl Hexside {
    /// The side of `hex` toward `dir`.
    pub fn new(hex: Hex, dir: Dir) -> Hexside {
        match dir {
            Dir::N | Dir::NE | Dir::SE => Hexside { hex, dir },
            Dir::S | Dir::SW | Dir::NW => Hexside { hex: hex.neighbour(dir), dir: dir.opposite() },
        }
    }

    /// The side between two hexes, if they are adjacent.
    pub fn between(a: Hex, b: Hex) -> Option<Hexside> {
        a.dir_to(b).map(|d| Hexside::new(a, d))
    }

    /// Reads `0950NE`; any of the six directions is taken.
    pub fn parse(s: &str) -> Option<Hexside> {
        let hex = Hex::parse(s.get(0..4)?)?;
        Some(Hexside::new(hex, Dir::parse(s.get(4..)?)?))
    }

    /// The two hexes it parts.
    pub fn hexes(self) -> (Hex, Hex) {
        (self.hex, self.hex.neighbour(self.dir))
    }

    /// The hex it is named after and its direction there (N, NE or SE).
    pub fn parts(self) -> (Hex, Dir) {
        (self.hex, self.dir)
    }
}

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}{:02}", self.col, self.row)
    }
}

impl fmt::Debug for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Hexside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.hex, self.dir.name())
    }
}

impl fmt::Debug for Hexside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl serde::Serialize for Hex {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Hex {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Hex, D::Error> {
        let text = String::deserialize(d)?;
        Hex::parse(&text).ok_or_else(|| {
            serde::de::Error::custom(format!(
                "\"{text}\" is not a hex id: four digits, column then row, such as \"0950\""
            ))
        })
    }
}

impl serde::Serialize for Dir {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.name())
    }
}

impl<'de> serde::Deserialize<'de> for Dir {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Dir, D::Error> {
        let text = String::deserialize(d)?;
        Dir::parse(&text)
            .ok_or_else(|| serde::de::Error::custom(format!("\"{text}\" is not a direction: N, NE, SE, S, SW or NW")))
    }
}

impl serde::Serialize for Hexside {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Hexside {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Hexside, D::Error> {
        let text = String::deserialize(d)?;
        Hexside::parse(&text).ok_or_else(|| {
            serde::de::Error::custom(format!(
                "\"{text}\" is not a hexside: a hex id and N, NE or SE, such as \"0950NE\""
            ))
        })
    }
}
