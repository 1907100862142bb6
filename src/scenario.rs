//! The files of a scenario on the disk: which they are, what they say, and their digest.
//!
//! A scenario names every file it refers to under `files:`, by paths beside itself. What is read here is all that a
//! game needs of the disk; the rulesets make their boards of it, pure.

pub mod library;

use crate::yaml::{self, At, Flaw};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::path::{Component, Path};

/// Path beside the scenario, and text, of the scenario file and all it refers to, in order of path.
pub type Files = Vec<(String, String)>;

/// The head of a scenario file, the same in every ruleset.
#[derive(Clone, Debug, Deserialize)]
pub struct Header {
    /// The ruleset that reads the rest, such as `campaigns`.
    pub ruleset: String,
    /// Key such as `1805-moravia`.
    pub id: String,
    /// Title for reports.
    pub title: String,
    /// Paths of the other files, beside this one.
    #[serde(default)]
    pub files: Vec<At<String>>,
    /// Whether its rules are still being built, so that it is not offered.
    #[serde(default)]
    pub being_built: bool,
    /// The first and the last turn, where a ruleset writes them so.
    #[serde(default)]
    turns: Option<(u32, u32)>,
    /// The first turn, where it stands by itself.
    #[serde(default)]
    first_turn: Option<u32>,
    /// The last turn, where it stands by itself.
    #[serde(default)]
    last_turn: Option<u32>,
}

impl Header {
    /// How many turns are played, where the file says so.
    pub fn turns(&self) -> Option<u32> {
        let (first, last) = self.turns.or(self.first_turn.zip(self.last_turn))?;
        Some(last.saturating_sub(first).saturating_add(1))
    }
}

/// Reads the head of a scenario file.
pub fn header(file: &str, text: &str) -> Result<Header, Flaw> {
    yaml::read(file, text)
}

/// Reads a scenario file and all files it refers to; the flaw names the file that cannot be read.
pub fn files(path: &Path) -> Result<Files, Flaw> {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let folder = path.parent().unwrap_or(Path::new("."));
    gather(&name, &|beside| std::fs::read_to_string(folder.join(beside)).map_err(|error| error.to_string()))
}

/// A scenario file and all files it refers to, each by its path beside the scenario.
fn gather(name: &str, read: &dyn Fn(&str) -> Result<String, String>) -> Result<Files, Flaw> {
    let text_of = |wanted: &At<String>| {
        read(&wanted.value).map_err(|error| {
            let message = format!("\"{}\" cannot be read: {error}.", wanted.value);
            Flaw::at(name, wanted, message, "Correct the path, which counts from the scenario's folder.")
        })
    };
    let text = text_of(&At { value: name.to_owned(), line: 0, column: 0 })?;
    let head = header(name, &text)?;
    let mut files = vec![(name.to_owned(), text)];
    for wanted in &head.files {
        if !Path::new(&wanted.value).components().all(|c| matches!(c, Component::Normal(_))) {
            let message = format!("\"{}\" leads out of the scenario's folder.", wanted.value);
            return Err(Flaw::at(name, wanted, message, "Name a file in that folder or below it."));
        }
        if files.iter().any(|(file, _)| *file == wanted.value) {
            let message = format!("\"{}\" is named twice.", wanted.value);
            return Err(Flaw::at(name, wanted, message, "Take one line out."));
        }
        let text = text_of(wanted)?;
        files.push((wanted.value.clone(), text));
    }
    files.sort();
    Ok(files)
}

/// The files of a scenario with one more, or another in its place, in order of path.
pub fn with_file(mut files: Files, path: &str, text: String) -> Files {
    files.retain(|(file, _)| file != path);
    files.push((path.to_owned(), text));
    files.sort();
    files
}

/// SHA-256 over path, NUL, text, NUL of each file, in hexadecimal.
pub fn digest(files: &[(String, String)]) -> String {
    let mut sum = Sha256::new();
    for (path, text) in files {
        for part in [path, text] {
            sum.update(part.as_bytes());
            sum.update([0]);
        }
    }
    data_encoding::HEXLOWER.encode(&sum.finalize())
}
