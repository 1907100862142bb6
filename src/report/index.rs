//! The indexes of rules, for RULES and WHY: what each paragraph says, in our own words.
//!
//! An index is the table that the rule cases are counted by, so that what a player reads is what is tested. The rulebook
//! itself is the publisher's and stands nowhere in this program.

use std::collections::BTreeSet;

/// What an index says under a paragraph, one statement a line, and which paragraphs stand below it. An index holds id,
/// paragraphs, phase, statement, and more, divided by tabs.
pub fn lines(index: &str, paragraph: &str) -> Vec<String> {
    let asked = paragraph.trim().trim_start_matches('¶').to_lowercase();
    let mut found = Vec::new();
    let mut below: BTreeSet<Vec<u32>> = BTreeSet::new();
    if asked.is_empty() {
        return found;
    }
    for row in index.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>()) {
        let [_, section, _, statement, ..] = row.as_slice() else { continue };
        let numbers = numbers(section);
        let first = section.to_lowercase().split([' ', ',']).next().unwrap_or_default().to_owned();
        let named = numbers.is_empty() && first == asked;
        if named || numbers.contains(&asked) {
            found.push((*statement).to_owned());
        }
        let deeper =
            numbers.iter().filter(|n| n.strip_prefix(asked.as_str()).is_some_and(|rest| rest.starts_with('.')));
        // `2.3.3a` stands under `2.3.3`.
        below.extend(deeper.filter_map(|n| n.split('.').map(|part| part.parse().ok()).collect::<Option<Vec<u32>>>()));
    }
    if !below.is_empty() {
        let dotted = |parts: &Vec<u32>| parts.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
        let names: Vec<String> = below.iter().map(dotted).collect();
        found.push(format!("See also {}.", names.join(", ")));
    }
    found
}

/// Whether a section is of a part that has a letter before its numbers, such as `H.7`.
fn lettered(section: &str) -> bool {
    let first = section.split([' ', ',']).next().unwrap_or_default();
    let parts = first.split_once('.');
    parts.is_some_and(|(head, tail)| {
        head.chars().all(|c| c.is_ascii_alphabetic()) && tail.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// The numbers of a row: `16.4.2.1 (with 24.6.3)` stands under both, `6.2.11 b` under `6.2.11b` besides; a row without any
/// stands under its first word.
fn numbers(section: &str) -> Vec<String> {
    if lettered(section) {
        return Vec::new();
    }
    let parts = section.split(|c: char| !c.is_ascii_digit() && c != '.');
    let mut found: Vec<String> =
        parts.map(|part| part.trim_matches('.').to_owned()).filter(|part| !part.is_empty()).collect();
    if let Some((number, letter)) = section.split_once(' ')
        && letter.len() == 1
        && letter.starts_with(|c: char| c.is_ascii_alphabetic())
    {
        found.push(format!("{number}{}", letter.to_lowercase()));
    }
    found
}
