//! YAML read strictly, and the flaws of a file told with file, line and cure.
//!
//! The one reader of YAML files: size cap first, strict booleans, a budget against alias bombs and deep nesting.
//! [`At`] keeps where a value stands, so that a check of sense can point at the line as a check of shape does.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{DeserializeOwned, Deserializer, Error as _};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// Greatest size of one file in bytes.
pub const BYTES_MAX: usize = 2_000_000;

/// What is wrong at one place of a file, and how to cure it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Flaw {
    /// The file, by its path beside the scenario.
    pub file: String,
    /// Line, from 1; 0 where the whole file is meant.
    pub line: u32,
    /// Column, from 1; 0 where the whole line is meant.
    pub column: u32,
    /// What is wrong, as a sentence.
    pub message: String,
    /// What to do about it, as a sentence.
    pub cure: String,
}

/// A value and the place where it stands.
#[derive(Clone, Debug, Default)]
pub struct At<T> {
    /// The value.
    pub value: T,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

/// A number with at most one decimal, kept in tenths so that nothing is ever rounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decimal {
    /// The number times ten.
    pub tenths: i32,
}

/// Reads one YAML document into a struct; the flaw names file, line and cure.
pub fn read<T: DeserializeOwned>(file: &str, text: &str) -> Result<T, Flaw> {
    if text.len() > BYTES_MAX {
        let message = format!("The file holds {} bytes; at most {BYTES_MAX} are read.", text.len());
        return Err(Flaw::whole(file, message, "Split the file."));
    }
    let options = serde_yaml::options! {
        strict_booleans: true,
        with_snippet: false,
        budget: serde_yaml::budget! { max_nodes: 60_000, max_depth: 24, max_aliases: 64 },
    };
    serde_yaml::from_str_with_options(text, options).map_err(|e| Flaw::of_reader(file, &e))
}

/// The value of a plain `key: word` line at the left edge, found without reading the rest.
pub fn label<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let rest = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    let word = rest.split('#').next().unwrap_or(rest).trim().trim_matches(['"', '\'']);
    (!word.is_empty()).then_some(word)
}

impl Flaw {
    /// A flaw of a whole file.
    pub fn whole(file: &str, message: impl Into<String>, cure: impl Into<String>) -> Flaw {
        Flaw { file: file.to_owned(), line: 0, column: 0, message: message.into(), cure: cure.into() }
    }

    /// A flaw at the place of a value.
    pub fn at<T>(file: &str, at: &At<T>, message: impl Into<String>, cure: impl Into<String>) -> Flaw {
        Flaw { file: file.to_owned(), line: at.line, column: at.column, message: message.into(), cure: cure.into() }
    }

    fn of_reader(file: &str, error: &serde_yaml::Error) -> Flaw {
        let place = error.location();
        let line = place.map_or(0, |l| number(l.line()));
        let column = place.map_or(0, |l| number(l.column()));
        let told = error.without_snippet().to_string();
        let tail = format!(" at line {line}, column {column}");
        let said = plain(told.strip_suffix(tail.as_str()).unwrap_or(&told).trim_end_matches('.'));
        let cure = "Correct the line; `estafette schema scenario` prints what may stand there.";
        Flaw { file: file.to_owned(), line, column, message: format!("{said}."), cure: cure.to_owned() }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (0, _) => write!(f, "{}: {} {}", self.file, self.message, self.cure),
            (line, 0) => write!(f, "{}:{line}: {} {}", self.file, self.message, self.cure),
            (line, column) => write!(f, "{}:{line}:{column}: {} {}", self.file, self.message, self.cure),
        }
    }
}

impl std::error::Error for Flaw {}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for At<T> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<At<T>, D::Error> {
        let spanned = serde_yaml::Spanned::<T>::deserialize(d)?;
        let place = spanned.referenced;
        Ok(At { value: spanned.value, line: number(place.line()), column: number(place.column()) })
    }
}

impl<T: JsonSchema> JsonSchema for At<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

impl Decimal {
    /// Reads `3`, `0.5`, `-1.2`.
    pub fn parse(text: &str) -> Option<Decimal> {
        let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
        let (whole, tenth) = digits.split_once('.').unwrap_or((digits, "0"));
        let plain = |s: &str| !s.is_empty() && s.len() <= 6 && s.bytes().all(|b| b.is_ascii_digit());
        if !plain(whole) || !plain(tenth) || tenth.len() != 1 {
            return None;
        }
        let tenths = whole.parse::<i32>().ok()? * 10 + tenth.parse::<i32>().ok()?;
        Some(Decimal { tenths: sign * tenths })
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Decimal, D::Error> {
        let text = String::deserialize(d)?;
        Decimal::parse(&text)
            .ok_or_else(|| D::Error::custom(format!("\"{text}\" is not a number with at most one decimal")))
    }
}

impl JsonSchema for Decimal {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Decimal".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "type": "number", "description": "At most one decimal." })
    }
}

/// The reader's words made a player's.
fn plain(told: &str) -> String {
    let numbers = ["invalid i8", "invalid i16", "invalid i32", "invalid u8", "invalid u16", "invalid u32"];
    if numbers.contains(&told) {
        return "A whole number is wanted here, or a smaller one".to_owned();
    }
    if told.starts_with("invalid boolean") {
        return "Only true or false may stand here".to_owned();
    }
    let said = told.split(", set DuplicateKeyPolicy").next().unwrap_or(told);
    let mut letters = said.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn number(n: u64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
