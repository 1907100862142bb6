//! 2.0, 5.0-5.3 The field: what each hex is and how high it lies, what its sides bear, roads, bridges, places.

use crate::hex::{Hex, Hexside};
use crate::rules::tactical::field::{Cell, Field};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// 5.0 Movement classes: foot in line, column, skirmish, disorder; horse in line, column, disorder; guns of foot and of horse;
/// leaders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)] // The columns of the chart by their names.
pub enum Class {
    IL,
    IC,
    IS,
    ID,
    CL,
    CC,
    CD,
    AF,
    AH,
    LD,
}

/// 5.1.1 What a step asks of the order of who makes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Toll {
    /// Nothing.
    #[default]
    None,
    /// A Disorder Check.
    Check,
    /// It is Disordered.
    Disorder,
}

/// A cell of the chart: points, none where it is prohibited, and what it asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Price {
    /// The points.
    pub points: Option<i32>,
    /// What it asks.
    pub toll: Toll,
}

impl<'de> Deserialize<'de> for Price {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Price, D::Error> {
        let text = String::deserialize(from)?;
        let (number, toll) = match (text.strip_suffix('c'), text.strip_suffix('d')) {
            (Some(number), _) => (number, Toll::Check),
            (_, Some(number)) => (number, Toll::Disorder),
            _ => (text.as_str(), Toll::None),
        };
        if ["P", "-"].contains(&number) {
            return Ok(Price::default());
        }
        let points =
            number.parse().map_err(|_| serde::de::Error::custom(format!("\"{text}\" is no cost: 2, 3c, 3d or P")))?;
        Ok(Price { points: Some(points), toll })
    }
}

/// 5.0 A row of the chart of terrain.
pub type Prices = BTreeMap<Class, Price>;

/// What lies on a hexside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // Hexsides by their names.
pub enum Bank {
    None,
    Minor,
    Steep,
    Sharp,
    Stream,
    River,
    Hedge,
    Wall,
    Ditch,
    Bridge,
}

impl Bank {
    /// What it is called.
    pub fn word(self) -> &'static str {
        match self {
            Bank::None => "nothing",
            Bank::Minor => "a gentle slope",
            Bank::Steep => "a steep slope",
            Bank::Sharp => "a sharp slope",
            Bank::Stream => "a stream",
            Bank::River => "a river",
            Bank::Hedge => "a hedge",
            Bank::Wall => "a wall",
            Bank::Ditch => "a ditch",
            Bank::Bridge => "a bridge",
        }
    }

    /// 8.1.7 Whether it stands between levels and stops a line.
    pub fn is_slope(self) -> bool {
        matches!(self, Bank::Steep | Bank::Sharp)
    }
}

/// 8.1.7 What of a line of sight follows from the field alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Ground, a building, a wood, a wall or a slope stops it.
    Shut,
    /// Nothing does but a unit in one of these hexes.
    Past(Vec<Hex>),
}

/// A field as it is written.
#[derive(Clone, Debug, Deserialize)]
pub struct Drawn {
    legend: BTreeMap<String, String>,
    terrain: String,
    elevation: String,
    #[serde(default)]
    sides: BTreeMap<Bank, Vec<Hexside>>,
    #[serde(default)]
    roads: BTreeMap<String, Vec<Hex>>,
    #[serde(default)]
    entries: BTreeMap<u8, Hex>,
    #[serde(default)]
    places: BTreeMap<String, Vec<Hex>>,
}

/// The field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ground {
    /// Hexes, roads and places.
    pub field: Field,
    /// What hexsides bear, slopes not among them but for those that are listed.
    pub sides: BTreeMap<Hexside, BTreeSet<Bank>>,
    /// 14.1.1 Entry Areas.
    pub entries: BTreeMap<u8, Hex>,
    /// 5.0 The slope by levels between two hexes.
    pub slopes: Vec<Bank>,
    /// 5.3.2 Grounds that a road joins wherever they touch.
    pub joined: BTreeSet<String>,
}

impl Drawn {
    /// The field of a drawing.
    ///
    /// # Errors
    /// What is drawn and cannot be.
    pub fn ground(self) -> Result<Ground, String> {
        let mut ground = Ground { entries: self.entries, ..Ground::default() };
        let levels: Vec<&str> = self.elevation.split_whitespace().collect();
        for (row, line) in (1..).zip(self.terrain.split_whitespace()) {
            let heights = levels.get(usize::try_from(row - 1).unwrap_or_default()).copied().unwrap_or_default();
            if heights.len() != line.len() {
                return Err(format!("row {row:02} has {} letters and {} levels.", line.len(), heights.len()));
            }
            for ((col, letter), level) in (1..).zip(line.chars()).zip(heights.chars()) {
                let kind = self.legend.get(&letter.to_string());
                let kind = kind.ok_or(format!("row {row:02}: no legend has \"{letter}\"."))?;
                let level = level.to_digit(10).and_then(|n| i8::try_from(n).ok());
                let level = level.ok_or(format!("row {row:02}: a level is one digit."))?;
                ground.field.cells.insert(Hex::new(col, row), Cell { ground: kind.clone(), level });
            }
        }
        for (bank, sides) in self.sides {
            for side in sides {
                ground.sides.entry(side).or_default().insert(bank);
            }
        }
        for road in self.roads.into_values() {
            for pair in road.windows(2) {
                let [a, b] = pair else { continue };
                let side = Hexside::between(*a, *b).ok_or(format!("a road leaps from {a} to {b}."))?;
                ground.field.roads.insert(side);
            }
        }
        ground.field.places = self.places;
        Ok(ground)
    }
}

impl Ground {
    /// The slope between two hexes that lie next to each other.
    pub fn slope(&self, a: Hex, b: Hex) -> Bank {
        let listed = self.banks(a, b).into_iter().find(|bank| bank.is_slope());
        let between = (self.field.level(a) - self.field.level(b)).unsigned_abs();
        let by_level = self.slopes.get(usize::from(between)).or(self.slopes.last()).copied().unwrap_or(Bank::None);
        listed.map_or(by_level, |listed| listed.max(by_level))
    }

    /// What a hexside bears, but for what follows from levels.
    pub fn banks(&self, a: Hex, b: Hex) -> Vec<Bank> {
        let found = Hexside::between(a, b).and_then(|side| self.sides.get(&side));
        found.into_iter().flatten().copied().collect()
    }

    /// What a hexside bears, its slope included.
    pub fn between(&self, a: Hex, b: Hex) -> Vec<Bank> {
        let mut found: Vec<Bank> = self.banks(a, b).into_iter().filter(|bank| !bank.is_slope()).collect();
        found.push(self.slope(a, b));
        found
    }

    /// 5.3.1 Whether a road leads over the water of a hexside, or there is none.
    fn bridged(&self, a: Hex, b: Hex) -> bool {
        let banks = self.banks(a, b);
        let water = banks.iter().any(|bank| matches!(bank, Bank::Stream | Bank::River));
        !water || banks.contains(&Bank::Bridge)
    }

    /// 5.3, 5.3.1, 5.3.2 Whether a road joins two hexes: one that is drawn, with a bridge where there is water, or the street
    /// of a village.
    pub fn road(&self, a: Hex, b: Hex) -> bool {
        let street = |hex: Hex| self.field.ground(hex).is_some_and(|ground| self.joined.contains(ground));
        (self.field.joined(a, b) || (a.adjacent(b) && street(a) && street(b))) && self.bridged(a, b)
    }

    /// Whether a hex is on the map.
    pub fn has(&self, hex: Hex) -> bool {
        self.field.cells.contains_key(&hex)
    }
}
