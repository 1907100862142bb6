//! What the marks of a drawing mean.

/// The legend below a close-up, two lines of at most 76 characters.
pub fn lattice_legend() -> Vec<String> {
    lines(&[
        r"|| // \\ primary road  | / \ secondary  ~ & river  # + bridge  x damaged",
        r"^ hill   % woods   + more than one   v vedette too   z next to an enemy",
    ])
}

/// The same for a page of 40 characters.
pub fn lattice_legend_phone() -> Vec<String> {
    lines(&[
        r"|| // \\ primary road, | / \ second.",
        r"~ & river  # + bridge  x bridge down",
        r"^ hill  % woods  + more than one",
        r"v vedette too  z next to an enemy",
    ])
}

/// The legend below the theatre sheet, one line.
pub fn theatre_legend() -> Vec<String> {
    lines(&["= primary road  ~ river  O depot  o town  A.. yours  1-9 enemy counters"])
}

/// The long legend of both maps, for the first mails of a game and on request.
pub fn long_legend() -> Vec<String> {
    lines(&[
        r"CLOSE-UP",
        r"2347        a hex: column 23 from the west, row 47 from the north",
        r"|| // \\    primary road, from id to id     | / \   secondary road",
        r"&           primary river, on the hexside   ~       secondary river",
        r"#  +  x     bridge of a primary road, of a secondary road, bridge down",
        "above the id, the ground: ^ hill  % woods  \" marsh  M mountain  - lake,",
        r"            nothing clear;  or what stands there:",
        r"LAN         own force, code as in the Display    v4   own vedette",
        r"E6          enemy counter, as in the enemy table",
        r"e62         the same, last seen 2 turns ago (9: nine or more)",
        r"in the fourth place above the id:",
        r"+ more than one counter      v own vedette here too",
        r"z next to an enemy counter not known to be a vedette",
        r"! own force in such a hex, or in one with an enemy",
        r"THEATRE     one character a column, one line for two rows; the number",
        r"            at the left is the first of the two",
        r"=  #        primary road, the same where your communications run",
        r"~           primary river",
        r"@  O  o  *  city, depot town, town, your center",
        r"A-Z  v      own force, letter as in the Display; own vedette alone",
        r"1-9         number of enemy counters in the two hexes (9: or more)",
        r"?  :        enemy last seen here earlier; never in view",
    ])
}

/// Lines with the margin of all drawings.
fn lines(text: &[&str]) -> Vec<String> {
    text.iter().map(|l| format!("  {l}")).collect()
}
