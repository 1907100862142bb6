//! Rule cases: a position, what is said and rolled, and everything that must come of it.
//!
//! A case is closed-world: every outcome, roll, event and sighting stands in its `expect` block, in order, and so does
//! every row of the truth that changes. The runner holds no rules: it reads the scenario, gives the lines to the driver
//! of the rules, and writes down what happens.

pub mod coverage;
pub mod cuts;
mod run;
mod text;
mod update;

use run::Shelf;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// A file of cases.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseFile {
    /// The ruleset, such as `campaigns`.
    pub ruleset: String,
    /// The chapter, for readers.
    pub about: String,
    /// The scenario whose board the cases use, from the package's root.
    #[serde(default)]
    pub scenario: String,
    /// Rows of the rule index that only describe and so can have no case: id to the reason.
    #[serde(default)]
    pub described: BTreeMap<String, String>,
    /// The cases.
    #[serde(default)]
    pub cases: Vec<Case>,
}

/// One case.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Its name, unique in the ruleset: a paragraph and a word, such as `192-full`.
    pub id: String,
    /// One sentence: what it shows.
    pub title: String,
    /// Rows of the rule index that it proves.
    pub rows: Vec<String>,
    /// Why, where the title does not say enough.
    #[serde(default)]
    pub why: String,
    /// Another scenario than the file's.
    #[serde(default)]
    pub scenario: Option<String>,
    /// The position, as the ruleset reads it.
    #[serde(default)]
    pub before: BTreeMap<String, serde_json::Value>,
    /// Standing answers: seat to key to value.
    #[serde(default)]
    pub doctrine: BTreeMap<String, BTreeMap<String, String>>,
    /// Dice by roll, such as `own french initiative/lannes/move 0: [3]` or `public weather 0: [2]`.
    #[serde(default)]
    pub dice: BTreeMap<String, Vec<u32>>,
    /// What is said, in order: `french: FORCE …`, `french: DOCTRINE …`, `french: END`, `deadline`; nothing lets the rules run as
    /// far as they can.
    #[serde(default)]
    pub say: Vec<String>,
    /// How many legs to play at most; enough for what is said where it is absent.
    #[serde(default)]
    pub legs: Option<u32>,
    /// Everything that must come of it.
    #[serde(default)]
    pub expect: String,
    /// Words that no sighting, question or outcome of a seat may hold.
    #[serde(default)]
    pub never: BTreeMap<String, Vec<String>>,
    /// Wishes without which it comes out the same, by the name of the cut, and why they stand here: that they change
    /// nothing is what the case shows.
    #[serde(default)]
    pub control: BTreeMap<String, String>,
    /// What is knowingly wrong in the expectation.
    #[serde(default)]
    pub wrong: Option<String>,
}

/// What became of a run of cases.
#[derive(Debug, Default)]
pub struct Verdict {
    /// Cases run.
    pub run: u32,
    /// Cases that failed, each with a readable difference.
    pub failures: Vec<Failure>,
    /// Cases whose expectation was written anew.
    pub updated: u32,
}

/// One failure.
#[derive(Debug)]
pub struct Failure {
    /// File and case.
    pub place: String,
    /// What differs.
    pub difference: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}", self.place, self.difference)
    }
}

/// Every case file below a folder, in order of path.
///
/// # Errors
/// When the folder cannot be read.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|e| format!("{}: {e}", folder.display()))?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Reads one file of cases.
///
/// # Errors
/// The flaw, with file and line.
pub fn read(path: &Path) -> Result<CaseFile, String> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|e| format!("{name}: {e}"))?;
    crate::yaml::read(&name, &text).map_err(|flaw| flaw.to_string())
}

/// Runs the cases of some files; `only` picks one by id, `rewrite` writes expectations anew. Paths in case files are
/// taken from `root`.
pub fn run(root: &Path, paths: &[PathBuf], only: Option<&str>, rewrite: bool) -> Verdict {
    let (mut verdict, shelf) = (Verdict::default(), Shelf::default());
    for path in paths {
        match read(path) {
            Ok(file) => run_file((root, &shelf), path, &file, only, rewrite, &mut verdict),
            Err(flaw) => verdict.failures.push(Failure { place: path.display().to_string(), difference: flaw }),
        }
    }
    verdict
}

/// What a case comes to, by the board of its file.
fn transcript(root: &Path, shelf: &Shelf, file: &CaseFile, case: &Case) -> Result<String, String> {
    let scenario = case.scenario.as_ref().unwrap_or(&file.scenario);
    run::transcript(&file.ruleset, shelf, &root.join(scenario), case)
}

/// Why a case fails; `None` where it passes.
fn outcome(root: &Path, shelf: &Shelf, file: &CaseFile, case: &Case) -> Option<String> {
    match transcript(root, shelf, file, case) {
        Ok(text) => text::difference(&case.expect, &text),
        Err(why) => Some(why),
    }
}

fn run_file(
    (root, shelf): (&Path, &Shelf),
    path: &Path,
    file: &CaseFile,
    only: Option<&str>,
    rewrite: bool,
    verdict: &mut Verdict,
) {
    let mut anew = BTreeMap::new();
    for case in file.cases.iter().filter(|c| only.is_none_or(|id| c.id == id)) {
        verdict.run += 1;
        let place = format!("{}: {}", path.display(), case.id);
        match transcript(root, shelf, file, case) {
            Err(why) => verdict.failures.push(Failure { place, difference: format!("  {why}") }),
            Ok(text) if rewrite && text.trim() != case.expect.trim() => {
                anew.insert(case.id.clone(), text);
            }
            Ok(text) => {
                if let Some(difference) = text::difference(&case.expect, &text) {
                    verdict.failures.push(Failure { place, difference });
                }
            }
        }
    }
    if !anew.is_empty() {
        match update::rewrite(path, &anew) {
            Ok(count) => verdict.updated += count,
            Err(why) => verdict.failures.push(Failure { place: path.display().to_string(), difference: why }),
        }
    }
}
