//! Pairs the rows of a rule index with the cases, in both directions.

use super::{CaseFile, files, read};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// One row of the rule index.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Rule {
    /// Its id, such as `1x-192a`.
    pub id: String,
    /// The paragraph.
    pub paragraph: String,
    /// The phase it belongs to.
    pub phase: String,
    /// Our own statement of it.
    pub statement: String,
}

/// What is proven and what is not.
#[derive(Debug, Default, serde::Serialize)]
pub struct Coverage {
    /// Rows with a case.
    pub proven: u32,
    /// Rows that no case can prove, with the test that does.
    pub tested: BTreeMap<String, String>,
    /// Rows that only describe, with the reason.
    pub described: BTreeMap<String, String>,
    /// Rows with neither.
    pub missing: Vec<Rule>,
    /// Ids that a case names and the index lacks: id and case.
    pub unknown: Vec<(String, String)>,
    /// Cases that name no row.
    pub idle: Vec<String>,
}

/// Reads an index: tab-separated, a heading line first.
///
/// # Errors
/// When the file cannot be read or a line has too few columns.
pub fn index(path: &Path) -> Result<Vec<Rule>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut rules = Vec::new();
    for (n, line) in (1..).zip(text.lines()).skip(1).filter(|(_, l)| !l.trim().is_empty()) {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |i: usize| cells.get(i).copied().unwrap_or_default().to_owned();
        if cells.len() < 4 {
            return Err(format!("{}:{n}: a row has an id, a paragraph, a phase and more", path.display()));
        }
        let statement = if cells.len() > 4 { cell(4) } else { cell(3) };
        rules.push(Rule { id: cell(0), paragraph: cell(1), phase: cell(2), statement });
    }
    Ok(rules)
}

/// The rows that a test proves, with its path, from the file beside an index; none where there is no such file.
///
/// # Errors
/// When a line is not a row and a path.
pub fn by_test(index: &Path) -> Result<BTreeMap<String, String>, String> {
    let stem = index.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let path = index.with_file_name(format!("{stem}-by-test.tsv"));
    let Ok(text) = std::fs::read_to_string(&path) else { return Ok(BTreeMap::new()) };
    let read = |line: &str| match line.split_once('\t') {
        Some((row, test)) => Ok((row.to_owned(), test.to_owned())),
        None => Err(format!("{}: \"{line}\" is not a row and a test", path.display())),
    };
    text.lines().map(read).collect()
}

/// Compares the index with the cases of a folder, and with rows that a test proves.
///
/// # Errors
/// When a file cannot be read.
pub fn coverage(rules: &[Rule], folder: &Path, tested: BTreeMap<String, String>) -> Result<Coverage, String> {
    let mut proven: BTreeSet<String> = BTreeSet::new();
    let mut found = Coverage { tested, ..Coverage::default() };
    let known: BTreeSet<&str> = rules.iter().map(|r| r.id.as_str()).collect();
    for path in files(folder)? {
        let CaseFile { cases, described, .. } = read(&path)?;
        for case in cases {
            if case.rows.is_empty() {
                found.idle.push(case.id.clone());
            }
            for row in case.rows {
                if known.contains(row.as_str()) {
                    proven.insert(row);
                } else {
                    found.unknown.push((row, case.id.clone()));
                }
            }
        }
        for (row, why) in described {
            if !known.contains(row.as_str()) {
                found.unknown.push((row.clone(), "described".to_owned()));
            }
            found.described.insert(row, why);
        }
    }
    let strange = found.tested.iter().filter(|(row, _)| !known.contains(row.as_str()));
    found.unknown.extend(strange.map(|(row, test)| (row.clone(), test.clone())));
    found.proven = u32::try_from(proven.len()).unwrap_or(u32::MAX);
    let open =
        |id: &String| !proven.contains(id) && !found.described.contains_key(id) && !found.tested.contains_key(id);
    found.missing = rules.iter().filter(|rule| open(&rule.id)).cloned().collect();
    Ok(found)
}
