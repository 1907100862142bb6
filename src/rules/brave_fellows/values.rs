//! 2.2 The abbreviations of the counters, spelt out.

/// 2.2 Each with its name and what it does.
const VALUES: [(&str, &str); 8] = [
    ("FV", "Fatigue Value: a check is a die of 6, and FV or less is good. [2.2, 4.2.2]"),
    ("FF", "Firepower Factor: what a unit fires with. [2.2, 6.3.8]"),
    ("MF", "Melee Factor: what a unit fights with in a melee; tired half of it. [2.2, 4.2.4]"),
    ("MA", "Movement Allowance: the MP that a unit or a leader has in an impulse. [2.2, 6.2.2]"),
    ("MP", "Movement Points: what a step costs. [2.2, 6.2.3]"),
    ("CV", "Command Value of a leader: it helps his men's checks, and bounds EXTRA. [2.2, 4.2.2, 6.1.4]"),
    ("DRM", "Die Roll Modifier: what is added to a die. [2.2]"),
    ("LOS", "Line Of Sight: what guns and charges need beyond the next hex. [2.2, 4.4]"),
];

/// 2.2 What an abbreviation stands for, if a word is one.
pub fn of(word: &str) -> Option<String> {
    let found = VALUES.iter().find(|(short, _)| short.eq_ignore_ascii_case(word));
    found.map(|(short, long)| format!("{short} is the {long}"))
}

/// 2.2 All of them, a line each.
pub fn all() -> impl Iterator<Item = String> {
    VALUES.iter().map(|(short, long)| format!("{short:3} {long}"))
}
