//! What is said of the lines of a sheet by their numbers.

use super::sheet::Verdict;
use crate::rules::Ruleset;
use crate::rules::rehearsal::{Caution, Plan, Warning};
use crate::text;

/// What is said where no line waits that could be taken back.
pub(super) const NOTHING_WAITS: &str =
    "no line of yours waits.  What was carried out stays: dice and discoveries cannot be taken back.";
/// What is said of lines that do not wait any more.
pub(super) const STAYS: &str = "What was carried out stays: dice and discoveries cannot be taken back.";

/// A line that does not wait.
pub(super) fn gone(line: u32) -> String {
    format!("no line {line} of yours waits.  {STAYS}")
}

/// The verb of so many lines.
pub(super) fn is_or_are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

/// So many lines, with their verb.
pub(super) fn lines_are(count: usize) -> String {
    text::plural(i64::try_from(count).unwrap_or(i64::MAX), "line is", "lines are")
}

/// So many lines that waited.
pub(super) fn lines_of(count: usize) -> String {
    text::plural(i64::try_from(count).unwrap_or(i64::MAX), "line that waited", "lines that waited")
}

/// Why END does not count: what is not taken, with the cure; lines that wait for those need none of their own.
pub(super) fn held_by(faulty: &[u32], waits: &[u32]) -> String {
    let them = if faulty.len() == 1 { "it" } else { "them" };
    let (slips, are) = (text::lines_by_number(faulty), is_or_are(faulty.len()));
    if waits.is_empty() {
        let undo = faulty.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
        return format!(
            "{slips} {are} not taken.  Put right {slips}, or take {them} out by UNDO {undo}, and send END."
        );
    }
    let wait = if waits.len() == 1 { "waits" } else { "wait" };
    format!(
        "{slips} {are} not taken, and {} {wait} for {them}.  Put right {slips}, and send END.",
        text::lines_in_runs(waits)
    )
}

/// A verdict that says which line has to be put right before this one is carried out.
pub(super) fn waits_for(verdict: Option<&mut Verdict>, slip: u32) {
    if let Some(Verdict::Taken { notes, .. }) = verdict {
        notes.push(format!("waits for END: line {slip} is not taken, and has its place before it."));
    }
}

/// A verdict that says whose place the line takes.
pub(super) fn noted(mut verdict: Verdict, replaces: Option<&Vec<u32>>) -> Verdict {
    if let (Verdict::Taken { notes, .. } | Verdict::Waits { notes, .. }, Some(gone)) = (&mut verdict, replaces) {
        notes.insert(0, format!("REPLACES {}.", text::and_list(gone)));
    }
    if let (Verdict::NotTaken(mended), Some(gone)) = (&mut verdict, replaces) {
        mended.why = format!("{}  It REPLACES {}.", mended.why, text::and_list(gone));
    }
    verdict
}

/// Who could still act when a sheet ends, each with its paragraph.
pub(super) fn left_out<R: Ruleset>(course: &Plan<R>) -> String {
    let left = course.warnings().into_iter().filter(|warning| warning.kind == Caution::LeftOut);
    let said = left.map(|Warning { text, rule, .. }| format!("{}. [{rule}]", text::capital(&text)));
    said.collect::<Vec<_>>().join("  ")
}
