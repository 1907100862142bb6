//! What any line of any mail must be, whoever wrote it: not too wide, and nothing that a mail program or our own
//! reader would take for something else.

use super::Form;
use crate::text::{ascii, width, wrap};

/// Brings a filled template into shape.
///
/// No line is wider than the form allows, ends in a blank, or begins as a quotation, a signature or a mailbox's
/// separator does; never two empty lines stand together, and none at the beginning or the end.
pub fn finish(text: &str, form: &Form) -> String {
    let mut out: Vec<String> = Vec::new();
    for raw in text.lines() {
        let line = if form.ascii { ascii(raw) } else { raw.to_owned() };
        let line = line.replace('\t', " ");
        let line = line.trim_end();
        if line.is_empty() {
            if out.last().is_some_and(|above| !above.is_empty()) {
                out.push(String::new());
            }
            continue;
        }
        let safe = if reads_as_other(line) { format!("  {line}") } else { line.to_owned() };
        out.extend(narrowed(&safe, form.width));
    }
    while out.last().is_some_and(String::is_empty) {
        out.pop();
    }
    out.into_iter().map(|line| line + "\n").collect()
}

/// Whether a mail program would take the line for a quotation, a signature or the start of another mail.
fn reads_as_other(line: &str) -> bool {
    line.starts_with(['>', '|', '.']) || line == "--" || line.starts_with("-- ") || line.starts_with("From ")
}

/// Breaks a line that is too wide; what belongs together keeps its indent and hangs four further in.
fn narrowed(line: &str, limit: usize) -> Vec<String> {
    if width(line) <= limit {
        return vec![line.to_owned()];
    }
    let indent = line.chars().take_while(|c| *c == ' ').count().min(limit / 2);
    wrap(line.trim_start(), limit, &" ".repeat(indent), (indent + 4).min(limit / 2))
}

/// Makes foreign text harmless: a line of it can never be read as the mark of one of our own mails, which would let
/// one seat slip orders into the answer of another.
pub fn foreign(lines: &[String]) -> Vec<String> {
    lines.iter().map(|line| line.replace("==", "= =")).collect()
}

/// How many lines a body has.
pub fn count(body: &str) -> usize {
    body.lines().count()
}
