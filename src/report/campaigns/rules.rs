//! The index of rules, for RULES and WHY: what each paragraph says, in our own words.
//!
//! It is the table that the rule cases are counted by, so that what a player reads is what is tested. The rulebook
//! itself is the publisher's and stands nowhere in this program.

/// The index: id, paragraph, phase, titles, statement, and more, divided by tabs.
const INDEX: &str = include_str!("../../../tests/rules/campaigns.tsv");

/// What the index says under a paragraph: one statement a line, with the titles it is for where it is not for all. A
/// step of a paragraph, such as `300.7`, stands under the paragraph.
pub fn lines(paragraph: &str) -> Vec<String> {
    let asked = paragraph.trim().trim_start_matches('¶').split('.').next().unwrap_or_default();
    let rows = INDEX.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    let mut found = Vec::new();
    for row in rows {
        let [_, numbers, _, titles, statement, ..] = row.as_slice() else { continue };
        if !cites(numbers, asked) {
            continue;
        }
        let only = if *titles == "all" { String::new() } else { format!("({titles}) ") };
        found.push(format!("{only}{statement}"));
    }
    found
}

/// Whether a row stands under a paragraph: `241`, or `241 (second, =242)`, which is 242 rightly numbered.
fn cites(numbers: &str, asked: &str) -> bool {
    if let Some((_, rightly)) = numbers.split_once('=') {
        return rightly.trim_end_matches(')') == asked;
    }
    numbers.split(' ').next() == Some(asked)
}
