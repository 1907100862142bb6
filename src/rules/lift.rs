//! Scenario files of an older form made those of today, before the strict reader of a ruleset sees them.
//!
//! A game keeps its files as they were when it was made, with the number of their form, and outlives changes of the form so.
//! Digest and seal stay those of the stored text.

use super::Files;
use crate::yaml;

/// Changes the files of a scenario from one form to the next.
pub type Lift = fn(Vec<(String, String)>) -> Vec<(String, String)>;

/// The key under which a scenario's file says its form; one that does not is of the first.
pub const KEY: &str = "schema";

/// The files in today's form: each step brings them one further, and there is one form more than there are steps.
///
/// # Errors
/// A form that this program does not know, with file and line.
pub fn lift(steps: &[Lift], files: &Files) -> Result<Vec<(String, String)>, Vec<String>> {
    let known = steps.len().saturating_add(1);
    let says = |(_, text): &&(String, String)| yaml::label(text, KEY).is_some();
    let said = files.iter().find(says);
    let form = match said.and_then(|(_, text)| yaml::label(text, KEY)) {
        None => 1,
        Some(word) => match word.parse::<usize>() {
            Ok(form) if (1..=known).contains(&form) => form,
            Ok(form) if form > known => {
                let why = format!(
                    "The scenario is written in form {form}, and this program knows the forms 1 to {known}. Take the newer \
                     program that wrote it."
                );
                return Err(vec![at(said, &why)]);
            }
            _ => {
                let why = format!("\"{word}\" is no form of a scenario. Write {KEY}: {known}, or leave the line out.");
                return Err(vec![at(said, &why)]);
            }
        },
    };
    let older = steps.get(form.saturating_sub(1)..).unwrap_or_default();
    if older.is_empty() {
        return Ok(files.to_vec());
    }
    let lifted = older.iter().fold(files.to_vec(), |files, step| step(files));
    Ok(marked(lifted, known))
}

/// A flaw with the place of the line that says the form.
fn at(file: Option<&(String, String)>, why: &str) -> String {
    let Some((path, text)) = file else { return why.to_owned() };
    let line = text.lines().position(|line| line.strip_prefix(KEY).is_some_and(|rest| rest.starts_with(':')));
    format!("{path}:{}: {why}", line.map_or(1, |line| line.saturating_add(1)))
}

/// The files with the line that says their form, so that they are not lifted twice. Where there was none it stands last: no
/// other line moves.
fn marked(mut files: Vec<(String, String)>, form: usize) -> Vec<(String, String)> {
    let says = |text: &str| yaml::label(text, KEY).is_some();
    if let Some((_, text)) = files.iter_mut().find(|(_, text)| says(text)) {
        let is_key = |line: &str| line.strip_prefix(KEY).is_some_and(|rest| rest.starts_with(':'));
        let lines: Vec<String> =
            text.lines().map(|line| if is_key(line) { format!("{KEY}: {form}") } else { line.to_owned() }).collect();
        *text = format!("{}\n", lines.join("\n"));
    } else if let Some((_, text)) = files.iter_mut().find(|(_, text)| yaml::label(text, "ruleset").is_some()) {
        text.push_str(&format!("\n{KEY}: {form}\n"));
    }
    files
}
