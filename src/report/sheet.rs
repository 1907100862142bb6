//! The map of an order sheet on hexes, as the seats' views of all games have it.

use crate::map::draw::plate::PITCH;
use crate::rules::Key;
use schemars::JsonSchema;
use serde::Serialize;

/// The map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Sheet {
    /// First and last column shown.
    pub columns: [i16; 2],
    /// First and last row shown.
    pub rows: [i16; 2],
    /// From the centre of a column to that of the next, in units of the drawing.
    pub across: i32,
    /// From the centre of a row to that of the next; even columns lie half of it lower.
    pub down: i32,
    /// From a centre to the corners in the east and the west.
    pub radius: i32,
    /// The drawing's corner, width and height.
    pub view: [i32; 4],
}

impl Sheet {
    /// Columns and rows from the first to the last, on a drawing of that corner and size.
    pub fn new(columns: [i16; 2], rows: [i16; 2], view: [i32; 4]) -> Sheet {
        let (across, down, radius) = PITCH;
        Sheet { columns, rows, across, down, radius, view }
    }
}

/// A key of the doctrine, as buttons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Standing {
    /// Its word.
    pub word: String,
    /// What it decides.
    pub about: String,
    /// Values that may be set; first the one that holds where nothing is said.
    pub values: Vec<String>,
}

/// The standing answers of a ruleset that are one word, or stand for themselves.
pub fn standing(keys: &[Key]) -> Vec<Standing> {
    let of = |key: &Key| {
        let words = key.values.iter().copied().filter(|word| *word != key.default && key.takes(word));
        let values = std::iter::once(key.default).chain(words).map(str::to_owned).collect();
        Standing { word: key.word.to_owned(), about: key.about.to_owned(), values }
    };
    keys.iter().map(of).filter(|key| key.values.len() > 2).collect()
}

/// What is left out where it does not hold.
pub fn is_false(flag: &bool) -> bool {
    !flag
}
