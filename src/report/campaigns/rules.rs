//! The index of rules, for RULES and WHY: what each paragraph says, in our own words.
//!
//! It is the table that the rule cases are counted by, so that what a player reads is what is tested. The rulebook
//! itself is the publisher's and stands nowhere in this program.

/// The index: id, paragraph, phase, titles, statement, and more, divided by tabs.
const INDEX: &str = include_str!("../../../tests/rules/campaigns.tsv");

/// What the index says under a paragraph: one statement a line, with the titles it is for where it is not for all. A
/// step of a paragraph, such as `300.7`, has the statements of that step alone; where the index knows no such step,
/// nothing.
pub fn lines(paragraph: &str) -> Vec<String> {
    let mut parts = paragraph.trim().trim_start_matches('¶').split('.');
    let (asked, step) = (parts.next().unwrap_or_default(), parts.next());
    let step = step.map(|step| step.trim_end_matches(|c: char| c.is_ascii_lowercase()));
    let rows = INDEX.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    let mut found = Vec::new();
    for row in rows {
        let [_, numbers, phase, titles, statement, ..] = row.as_slice() else { continue };
        if !cites(numbers, asked) || step.is_some_and(|step| phase.strip_prefix(STEP) != Some(step)) {
            continue;
        }
        let only = if *titles == "all" { String::new() } else { format!("({titles}) ") };
        found.push(format!("{only}{statement}"));
    }
    found
}

/// The phase of a statement that belongs to one step of combat; its number follows.
const STEP: &str = "combat-step-";

/// Whether a row stands under a paragraph: `241`, or `241 (second, =242)`, which is 242 rightly numbered.
fn cites(numbers: &str, asked: &str) -> bool {
    if let Some((_, rightly)) = numbers.split_once('=') {
        return rightly.trim_end_matches(')') == asked;
    }
    numbers.split(' ').next() == Some(asked)
}
