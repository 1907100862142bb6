//! The files of a scenario on the disk: which they are, what they say, and their digest.
//!
//! A scenario names every file it refers to under `files:`, by paths beside itself. What is read here is all that a
//! game needs of the disk; the rulesets make their boards of it, pure.

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
}

/// Reads the head of a scenario file.
pub fn header(file: &str, text: &str) -> Result<Header, Flaw> {
    yaml::read(file, text)
}

/// Reads a scenario file and all files it refers to; the flaw names the file that cannot be read.
pub fn files(path: &Path) -> Result<Files, Flaw> {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let whole = At { value: name.clone(), line: 0, column: 0 };
    let text = text_of(path, &name, &whole)?;
    let head = header(&name, &text)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut files = vec![(name.clone(), text)];
    for wanted in &head.files {
        if !Path::new(&wanted.value).components().all(|c| matches!(c, Component::Normal(_))) {
            let message = format!("\"{}\" leads out of the scenario's folder.", wanted.value);
            return Err(Flaw::at(&name, wanted, message, "Name a file in that folder or below it."));
        }
        if files.iter().any(|(file, _)| *file == wanted.value) {
            let message = format!("\"{}\" is named twice.", wanted.value);
            return Err(Flaw::at(&name, wanted, message, "Take one line out."));
        }
        let text = text_of(&folder.join(&wanted.value), &name, wanted)?;
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

fn text_of(path: &Path, scenario: &str, wanted: &At<String>) -> Result<String, Flaw> {
    std::fs::read_to_string(path).map_err(|error| {
        let message = format!("\"{}\" cannot be read: {error}.", wanted.value);
        Flaw::at(scenario, wanted, message, "Correct the path, which counts from the scenario's folder.")
    })
}
