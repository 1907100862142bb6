//! A field of battle: what each hex is, how high it lies, what its sides bear, and what places are called.

use super::cells::Cells;
use crate::hex::{Hex, Hexside};
use crate::memo::Memo;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// One hex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The kind of ground, by the name under which a ruleset's chart knows it.
    pub ground: String,
    /// Its level.
    pub level: i8,
}

/// The field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    /// Its hexes.
    pub cells: Cells<Cell>,
    /// Hexsides that lie higher than the hexes beside them.
    pub heights: BTreeMap<Hexside, i8>,
    /// Hexsides that a road crosses.
    pub roads: BTreeSet<Hexside>,
    /// The hexes of the road, in order.
    pub road: Vec<Hex>,
    /// Named places.
    pub places: BTreeMap<String, Vec<Hex>>,
    /// Printed lines, as the hexsides they are made of.
    pub lines: BTreeMap<String, BTreeSet<Hexside>>,
    /// Of each printed line, and of each column of hexes that it crosses, the last row above it.
    above: BTreeMap<String, BTreeMap<i16, i16>>,
    /// What was drawn of it.
    pub drawings: Memo<Drawing, String, 8>,
}

/// By what a drawing of the ground is asked for: its first hex, columns and rows, whether it is near and whether it has ids;
/// where water runs, places made strong.
pub type Drawing = ((Hex, i16, i16, bool, bool), BTreeSet<Hexside>, BTreeSet<Hex>);

/// What a letter of the drawing stands for.
#[derive(Clone, Debug, Deserialize)]
struct Letter {
    #[serde(default)]
    level: i8,
    terrain: String,
}

#[derive(Clone, Debug, Deserialize)]
struct Height {
    between: (Hex, Hex),
    level: i8,
}

/// A field as it is written: a drawing of letters, and what the letters do not tell.
#[derive(Clone, Debug, Deserialize)]
pub struct Drawn {
    columns: i16,
    rows: i16,
    legend: BTreeMap<String, Letter>,
    grid: BTreeMap<String, String>,
    #[serde(default)]
    level_override: BTreeMap<Hex, i8>,
    #[serde(default)]
    road: Vec<Hex>,
    #[serde(default)]
    towns: BTreeMap<String, Vec<Hex>>,
    #[serde(default)]
    extra_level_hexsides: Vec<Height>,
    #[serde(default)]
    lines: BTreeMap<String, Vec<(Hex, Hex)>>,
}

impl Drawn {
    /// The field of a drawing.
    ///
    /// # Errors
    /// What is drawn and cannot be.
    pub fn field(self) -> Result<Field, String> {
        let side = |a: Hex, b: Hex| Hexside::between(a, b).ok_or(format!("{a} and {b} are not adjacent."));
        let mut field = Field { road: self.road, places: self.towns, ..Field::default() };
        for row in 1..=self.rows {
            let line = self.grid.get(&format!("{row:02}")).ok_or(format!("row {row:02} is not drawn."))?;
            let letters: Vec<String> = line.chars().map(String::from).collect();
            if letters.len() != usize::try_from(self.columns).unwrap_or_default() {
                return Err(format!("row {row:02} has {} letters, not {}.", letters.len(), self.columns));
            }
            for (col, letter) in (1..).zip(&letters) {
                let kind = self.legend.get(letter).ok_or(format!("row {row:02}: no legend has \"{letter}\"."))?;
                let hex = Hex::new(col, row);
                let level = self.level_override.get(&hex).copied().unwrap_or(kind.level);
                field.cells.insert(hex, Cell { ground: kind.terrain.clone(), level });
            }
        }
        for pair in field.road.windows(2) {
            if let [a, b] = pair {
                field.roads.insert(side(*a, *b)?);
            }
        }
        for Height { between: (a, b), level } in self.extra_level_hexsides {
            field.heights.insert(side(a, b)?, level);
        }
        for (name, pairs) in self.lines {
            let above = field.above.entry(name.clone()).or_default();
            for (upper, _) in &pairs {
                above.entry(upper.col).and_modify(|row| *row = upper.row.max(*row)).or_insert(upper.row);
            }
            let sides: Result<BTreeSet<Hexside>, String> = pairs.into_iter().map(|(a, b)| side(a, b)).collect();
            field.lines.insert(name, sides?);
        }
        Ok(field)
    }
}

impl Field {
    /// Makes all of it clear ground on one level without a road.
    pub fn flatten(&mut self) {
        self.cells.values_mut().for_each(|cell| (cell.ground, cell.level) = ("clear".to_owned(), 0));
        self.roads.clear();
    }

    /// Lays hexes on other levels.
    ///
    /// # Errors
    /// A hex that there is not.
    pub fn raise(&mut self, levels: &BTreeMap<Hex, i8>) -> Result<(), String> {
        for (hex, level) in levels {
            self.cells.get_mut(hex).ok_or_else(|| format!("there is no hex {hex}"))?.level = *level;
        }
        Ok(())
    }

    /// The hex in its south-east.
    pub fn last(&self) -> Hex {
        self.cells.keys().fold(Hex::new(1, 1), |m, h| Hex::new(m.col.max(h.col), m.row.max(h.row)))
    }

    /// The ground of a hex; none off the field.
    pub fn ground(&self, hex: Hex) -> Option<&str> {
        self.cells.get(&hex).map(|cell| cell.ground.as_str())
    }

    /// The level of a hex.
    pub fn level(&self, hex: Hex) -> i8 {
        self.cells.get(&hex).map_or(0, |cell| cell.level)
    }

    /// Whether a road joins two adjacent hexes.
    pub fn joined(&self, a: Hex, b: Hex) -> bool {
        Hexside::between(a, b).is_some_and(|side| self.roads.contains(&side))
    }

    /// The height of the side between two hexes, where it is higher than both.
    pub fn height(&self, a: Hex, b: Hex) -> Option<i8> {
        Hexside::between(a, b).and_then(|side| self.heights.get(&side)).copied()
    }

    /// The place that a hex is part of.
    pub fn place(&self, hex: Hex) -> Option<&str> {
        self.places.iter().find(|(_, hexes)| hexes.contains(&hex)).map(|(name, _)| name.as_str())
    }

    /// Whether a hex lies above a printed line; beyond its ends nothing does.
    pub fn is_above(&self, line: &str, hex: Hex) -> bool {
        let rows = self.above.get(line);
        rows.and_then(|rows| rows.get(&hex.col)).is_some_and(|row| hex.row <= *row)
    }

    /// Whether a step crosses a printed line.
    pub fn crosses(&self, line: &str, a: Hex, b: Hex) -> bool {
        let side = Hexside::between(a, b);
        side.is_some_and(|side| self.lines.get(line).is_some_and(|sides| sides.contains(&side)))
    }
}
