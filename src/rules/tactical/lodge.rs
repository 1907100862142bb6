//! Lodged sheets: lines that are written beforehand, as one setting of a doctrine, and taken when their time comes.

use crate::orders;

/// The standing answer by which sheets are lodged.
pub const KEY: &str = "LODGE";
/// Letters of a value that is written again.
const SHOWN: usize = 60;
/// What stands between two lines.
const THEN: &str = "then";

/// A lodged sheet, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// Whose it is; empty for a pass.
    pub of: String,
    /// Its lines.
    pub lines: Vec<String>,
}

/// A sheet as an answer: `Gazan: line THEN line`.
pub fn written(of: &str, lines: &[String]) -> String {
    format!("{of}: {}", lines.join(" THEN "))
}

/// Why a sheet cannot be lodged for nobody, nor be taken back so: `key` is that under which it would be kept.
pub fn for_nobody(key: &str, value: &str) -> Option<String> {
    let what = if value.chars().count() > SHOWN { "and the lines" } else { value };
    let why = || {
        format!(
            "{KEY} is for one command, whose name stands behind FOR: DOCTRINE {KEY} {what} FOR and the name.  DOCTRINE {KEY} \
             NONE FOR and the name takes its lines back."
        )
    };
    (key == KEY).then(why)
}

/// The words with which a lodged line may begin.
pub struct Lodge(pub &'static [&'static str]);

impl Lodge {
    /// The lines of a setting: `[TURN n] line THEN line`; none where it is for another turn, or no sheet.
    pub fn lines(&self, text: &str, turn: Option<u32>) -> Option<Vec<String>> {
        let line = orders::line(0, text);
        let mut words = line.words.iter().peekable();
        if words.peek().is_some_and(|word| word.fold == "turn") {
            words.next();
            let wanted: u32 = words.next()?.text.parse().ok()?;
            if turn.is_some_and(|turn| turn != wanted) {
                return None;
            }
        }
        let rest: Vec<&orders::Word> = words.collect();
        let mut found = Vec::new();
        for part in rest.split(|word| word.fold == THEN) {
            let first = part.first()?;
            if !self.0.contains(&first.fold.as_str()) {
                return None;
            }
            found.push(part.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" "));
        }
        (!found.is_empty()).then_some(found)
    }

    /// Whether a setting can be lodged.
    pub fn is_valid(&self, text: &str) -> bool {
        ["NONE", "PASS"].contains(&text) || self.lines(text, None).is_some()
    }

    /// The sheet of an answer; none where there is none.
    pub fn sheet(&self, answer: &str) -> Option<Sheet> {
        if answer == "PASS" {
            return Some(Sheet { of: String::new(), lines: vec!["PASS".to_owned()] });
        }
        let (of, rest) = answer.split_once(": ")?;
        Some(Sheet { of: of.to_owned(), lines: self.lines(rest, None)? })
    }
}
