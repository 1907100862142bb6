//! YAML read strictly, and the flaws of a file told with file, line and cure.
//!
//! The one reader of YAML files: size cap first, strict booleans, a budget against alias bombs and deep nesting.
//! [`At`] keeps where a value stands, so that a check of sense can point at the line as a check of shape does.

mod tree;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{DeserializeOwned, Deserializer, Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_yaml::Spanned;
use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use tree::{Node, Read, Wrong};

/// Greatest size of one file in bytes.
pub const BYTES_MAX: usize = 2_000_000;

thread_local! {
    static READ: Cell<u64> = const { Cell::new(0) };
}

/// How many documents this thread has read so far: a mail should read none.
pub fn count() -> u64 {
    READ.get()
}

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
    READ.set(READ.get() + 1);
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut node: Spanned<Node> =
        serde_yaml::from_str_with_options(text, options).map_err(|e| Flaw::of_reader(file, &e))?;
    if matches!(node.value, Node::Nothing) {
        node.value = Node::Empty;
    }
    let read = Read { node: &node, text };
    read.into(PhantomData::<T>).map_err(|wrong| Flaw::of_tree(file, &wrong))
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
        let told = told.strip_suffix(tail.as_str()).unwrap_or(&told);
        Flaw::of_shape(file, (line, column), told.split(", set DuplicateKeyPolicy").next().unwrap_or(told))
    }

    fn of_tree(file: &str, wrong: &Wrong) -> Flaw {
        let (line, column) = wrong.place.unwrap_or_default();
        Flaw::of_shape(file, (number(line), number(column)), &wrong.message)
    }

    /// A file that is not of the shape that is wanted.
    fn of_shape(file: &str, (line, column): (u32, u32), told: &str) -> Flaw {
        let mut letters = told.trim_end_matches('.').chars();
        let first = letters.next().map(char::to_uppercase).into_iter().flatten();
        let message = first.chain(letters).chain(['.']).collect();
        let cure = "Correct the line; `estafette schema scenario` prints what may stand there.";
        Flaw { file: file.to_owned(), line, column, message, cure: cure.to_owned() }
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
        d.deserialize_newtype_struct(tree::PLACED, Placed(PhantomData))
    }
}

/// Takes a value with its place, or without one from a reader that knows no places.
struct Placed<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Placed<T> {
    type Value = At<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<At<T>, A::Error> {
        let value = parts.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
        let line = parts.next_element()?.unwrap_or_default();
        let column = parts.next_element()?.unwrap_or_default();
        Ok(At { value, line, column })
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, d: D) -> Result<At<T>, D::Error> {
        T::deserialize(d).map(|value| At { value, line: 0, column: 0 })
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

fn number(n: u64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
