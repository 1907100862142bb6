//! Writes expectations anew in place, and nothing else of a case file.

use std::collections::BTreeMap;
use std::path::Path;

/// Replaces the `expect` blocks of some cases; returns how many.
///
/// # Errors
/// When the file cannot be read or written, or has no such block.
pub fn rewrite(path: &Path, anew: &BTreeMap<String, String>) -> Result<u32, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let lines: Vec<&str> = text.lines().collect();
    let mut out: Vec<String> = Vec::new();
    let mut count = 0;
    let mut case: Option<&str> = None;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let trimmed = line.trim_start();
        if let Some(id) = trimmed.strip_prefix("- id:") {
            // A case without an `expect` line gets one before the next case.
            finish(&mut out, case, anew, &mut count);
            case = Some(id.trim().trim_matches(['"', '\'']));
        }
        if let Some(found) = case.and_then(|id| anew.get(id)).filter(|_| trimmed.starts_with("expect:")) {
            block(&mut out, found);
            count += 1;
            case = None;
            at += 1;
            while lines.get(at).is_some_and(|l| l.trim().is_empty() || l.starts_with("      ")) {
                at += 1;
            }
            continue;
        }
        out.push((*line).to_owned());
        at += 1;
    }
    finish(&mut out, case, anew, &mut count);
    let mut text = out.join("\n");
    text.push('\n');
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(count)
}

fn finish(out: &mut Vec<String>, case: Option<&str>, anew: &BTreeMap<String, String>, count: &mut u32) {
    if let Some(found) = case.and_then(|id| anew.get(id)) {
        while out.last().is_some_and(|l| l.trim().is_empty()) {
            out.pop();
        }
        block(out, found);
        *count += 1;
    }
}

fn block(out: &mut Vec<String>, found: &str) {
    out.push("    expect: |".to_owned());
    out.extend(found.lines().map(|l| format!("      {l}")));
}
