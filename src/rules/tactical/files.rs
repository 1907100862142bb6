//! The files of a scenario, each by its kind.

use crate::yaml;
use serde::de::DeserializeOwned;

/// The file of a kind, read.
///
/// # Errors
/// That there is none, or its first flaw, as a sentence.
pub fn part<T: DeserializeOwned>(files: &[(String, String)], kind: &str) -> Result<T, Vec<String>> {
    let found = files.iter().find(|(_, text)| yaml::label(text, "kind") == Some(kind));
    let (name, text) = found.ok_or_else(|| vec![format!("the scenario names no file of the kind {kind}.")])?;
    yaml::read(name, text).map_err(|flaw| vec![flaw.to_string()])
}

/// The first and the last turn.
///
/// # Errors
/// Turns that are none, with their cure.
pub fn turns((first, last): (u32, u32), such: &str) -> Result<(), Vec<String>> {
    if first == 0 || last < first {
        return Err(vec![format!("turns: name the first and the last turn, such as {such}.")]);
    }
    Ok(())
}
