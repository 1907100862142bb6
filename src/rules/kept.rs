//! What leaves the rules to be kept: opaque bodies, and rows for the umpire.

use super::{Outcome, Ruleset, Upshot};
use crate::fog::{SeatId, SideId};
use crate::hex::Hex;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// Truth or paper written down; the store keeps it and cannot read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body(String);

/// A body that cannot be read back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corrupt(String);

/// What may be written down.
pub enum Truth<'a, R: Ruleset> {
    /// An event.
    Event(&'a R::Event),
    /// A sighting as told.
    Sighting(&'a R::Sighting),
    /// A whole state, for comparison only.
    State(&'a R::State),
}

/// A value of a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cell {
    /// Nothing.
    Null,
    /// A whole number.
    Int(i64),
    /// Text.
    Text(String),
}

/// A row of a table that an umpire can read with any SQLite tool.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    /// The table, such as `organization_display`.
    pub table: &'static str,
    /// Columns and values, beside the game's id.
    pub columns: Vec<(&'static str, Cell)>,
}

impl Row {
    /// A row of `board_rows`, where what has no table of its own stands: whose it is, what kind of thing, its name, where.
    pub fn board(side: &SideId, board: &str, name: impl ToString, at: Option<String>, facts: String) -> Row {
        let columns = vec![
            ("side", Cell::Text(side.0.clone())),
            ("board", Cell::Text(board.to_owned())),
            ("name", Cell::Text(name.to_string())),
            ("hex", at.map_or(Cell::Null, Cell::Text)),
            ("facts", Cell::Text(facts)),
        ];
        Row { table: "board_rows", columns }
    }

    /// The same of what stands in a hex, or off the map.
    pub fn piece(side: &SideId, board: &str, name: &str, hex: Option<Hex>, facts: String) -> Row {
        Row::board(side, board, name, hex.map(|hex| hex.to_string()), facts)
    }
}

impl Body {
    /// Writes a value as one line of JSON.
    pub fn write<T: Serialize>(value: &T) -> Body {
        // Our types serialise without fail: no map has a key that is not a string.
        Body(serde_json::to_string(value).unwrap_or_default())
    }

    /// A body as the store gives it back.
    pub fn from_text(text: String) -> Body {
        Body(text)
    }

    /// The text, for the store.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Reads a value.
    ///
    /// # Errors
    /// When the text is not such a value.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Corrupt> {
        serde_json::from_str(&self.0)
            .map_err(|e| Corrupt(format!("{e} in {}", self.0.chars().take(120).collect::<String>())))
    }
}

impl Corrupt {
    /// A corruption with its reason.
    pub fn new(why: impl Into<String>) -> Corrupt {
        Corrupt(why.into())
    }
}

impl fmt::Display for Corrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An order line as the chain keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineKept {
    /// Whose line.
    pub seat: SeatId,
    /// The line.
    pub text: String,
    /// Its number in its mail.
    pub no: u32,
    /// What became of it.
    #[serde(deserialize_with = "wordless")]
    pub outcome: Upshot,
}

/// A chain of the first release holds the whole answer, words and all.
#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    Bare(Upshot),
    Worded(Outcome),
}

fn wordless<'de, D: Deserializer<'de>>(from: D) -> Result<Upshot, D::Error> {
    Ok(match Answer::deserialize(from)? {
        Answer::Bare(upshot) => upshot,
        Answer::Worded(outcome) => outcome.upshot(),
    })
}
